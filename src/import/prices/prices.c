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
    struct price price = {NULL, 0.0, 0.0};
    const char *model = NULL;
    TRY(table_source_text(&model, table, 0, 0));
    if (id_table_find(&p->ids, model) != SIZE_MAX) {
        return regret_json_error(table_source_place(table), "model \"%.60s\" has a price before",
                                 model);
    }
    TRY(regret_grow((void **)&p->price, &p->capacity, p->n, sizeof *p->price, "prices"));
    TRY(id_table_reserve(&p->ids, p->n + 1));
    TRY(regret_strdup(&price.model, model));
    p->price[p->n] = price;
    id_table_put(&p->ids, price.model, p->n);
    struct price *kept = &p->price[p->n++];
    TRY(read_side(&kept->input, table, 1, "input"));
    return read_side(&kept->output, table, 2, "output");
}

int prices_read(struct prices *out, const char *path)
{
    static const char *const FIELDS[] = {"model", "input", "output"};
    const struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    struct table_source table;
    int more = 1, rc;
    *out = (struct prices){.path = path};
    if (path == NULL) {
        return REGRET_OK;
    }
    TRY(table_source_open(&table, path, &options, FIELDS, 3, NULL));
    while (more) {
        TRY_CLEANUP(table_source_next(&table, &more));
        TRY_CLEANUP(more ? read_price(out, &table) : REGRET_OK);
    }
    rc = REGRET_OK;
cleanup:
    table_source_close(&table);
    return rc;
}

void prices_free(struct prices *p)
{
    for (size_t i = 0; i < p->n; i++) {
        regret_free(p->price[i].model);
    }
    regret_free(p->price);
    id_table_free(&p->ids);
    *p = (struct prices){0};
}

int prices_cost(double *out, const struct prices *p, const char *model, double input, double output)
{
    *out = input + output;
    if (p->path == NULL) {
        return REGRET_OK;
    }
    size_t i = id_table_find(&p->ids, model);
    if (i == SIZE_MAX) {
        return regret_fail(
            REGRET_E_INPUT,
            "%s has no price of model \"%.60s\"; add a line, or leave the model out with --agent",
            p->path, model);
    }
    *out = (input * p->price[i].input + output * p->price[i].output) / 1e6;
    return REGRET_OK;
}
