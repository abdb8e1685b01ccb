#include "import/prices/prices.h"

#include <stdint.h>

#include "base/core/try.h"
#include "import/table/table_cell.h"
#include "regret/alloc.h"

static int read_side(double *out, struct table_source *table, size_t field, const char *name)
{
    TRY(table_source_number(out, table, field));
    return *out >= 0.0
               ? REGRET_OK
               : regret_json_error(table_source_place(table),
                                   "\"%s\" is %g; a price must not be negative", name, *out);
}

static int read_price(struct prices *p, struct table_source *table)
{
    const char *model = NULL;
    uint32_t i = 0;
    TRY(table_source_text(&model, table, 0, 0));
    if (names_find(&p->models, model) != SIZE_MAX) {
        return regret_json_error(table_source_place(table), "model \"%.60s\" has a price before",
                                 model);
    }
    TRY(regret_grow((void **)&p->price, &p->capacity, p->models.n, sizeof *p->price, "prices"));
    TRY(names_enter(&i, &p->models, model));
    TRY(read_side(&p->price[i].input, table, 1, "input"));
    return read_side(&p->price[i].output, table, 2, "output");
}

int prices_read(struct prices *out, const char *path)
{
    static const char *const FIELDS[] = {"model", "input", "output"};
    const struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    FREED_BY(table_source_close) struct table_source table = {0};
    int more = 1;
    *out = (struct prices){.path = path};
    if (path == NULL) {
        return REGRET_OK;
    }
    TRY(table_source_open(&table, path, &options, FIELDS, 3, NULL));
    while (more) {
        TRY(table_source_next(&table, &more));
        TRY(more ? read_price(out, &table) : REGRET_OK);
    }
    return REGRET_OK;
}

void prices_free(struct prices *p)
{
    names_free(&p->models);
    regret_free(p->price);
    *p = (struct prices){0};
}

int prices_cost(double *out, const struct prices *p, const char *model, double input, double output)
{
    *out = input + output;
    if (p->path == NULL) {
        return REGRET_OK;
    }
    size_t i = names_find(&p->models, model);
    if (i == SIZE_MAX) {
        return regret_fail(
            REGRET_E_INPUT,
            "%s has no price of model \"%.60s\"; add a line, or leave the model out with --agent",
            p->path, model);
    }
    *out = (input * p->price[i].input + output * p->price[i].output) / 1e6;
    return REGRET_OK;
}
