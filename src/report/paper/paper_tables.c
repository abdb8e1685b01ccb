/* The tables and figures of the paper (data/paper/tables.csv). */
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "report/paper/published.h"

static int read_table(struct paper_table *out, struct sheet *sheet, size_t i)
{
    TRY(shape_read(&out->shape, sheet, i));
    out->name = out->shape.name;
    out->file = sheet_field(sheet, i, "file");
    out->title = sheet_field(sheet, i, "title");
    out->reading = sheet_field(sheet, i, "reading");
    return REGRET_OK;
}

int paper_tables_read(struct paper_tables *out)
{
    FREED_BY(paper_tables_free) struct paper_tables t = {0};
    TRY(sheet_of_paper(&t.sheet, "data/paper/tables.csv"));
    TRY(REGRET_NEW(&t.items, t.sheet.n));
    for (; t.n < t.sheet.n; t.n++) {
        TRY(read_table(&t.items[t.n], &t.sheet, t.n));
    }
    *out = t;
    memset(&t, 0, sizeof t); /* handed on */
    return REGRET_OK;
}

void paper_tables_free(struct paper_tables *t)
{
    regret_free(t->items);
    sheet_free(&t->sheet);
    *t = (struct paper_tables){0};
}

int paper_table_find(const struct paper_table **out, const struct paper_tables *t, const char *name)
{
    struct regret_buffer list = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < t->n; i++) {
        if (strcmp(t->items[i].name, name) == 0) {
            regret_buffer_free(&list);
            *out = &t->items[i];
            return REGRET_OK;
        }
        regret_buffer_printf(&list, "%s%s", i > 0 ? ", " : "", t->items[i].name);
    }
    int rc =
        regret_fail(REGRET_E_INPUT,
                    "nothing called \"%s\" to hold the run against; there are paper (its tables "
                    "that fit the run), %s, and files that end in .csv",
                    name, regret_buffer_get(&list));
    regret_buffer_free(&list);
    return rc;
}

int paper_table_fits(const struct paper_table *t, const struct slice *all)
{
    return t->file[0] != '\0' && shape_fits(&t->shape, all);
}

int paper_table_read(struct published *out, const struct paper_table *t)
{
    FREED_BY(regret_buffer_free) struct regret_buffer path = REGRET_BUFFER_INIT;
    regret_buffer_printf(&path, "data/paper/%s", t->file);
    TRY(regret_buffer_status(&path));
    return published_of_paper(out, regret_buffer_get(&path));
}
