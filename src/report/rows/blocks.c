/* Blocks of a table that are about some cells. */
#include "report/rows/blocks.h"

static int is_shared(const struct slice *s, size_t key)
{
    size_t i = 1;
    while (i < s->n_cells && slice_value_at(s, i, key) == slice_value_at(s, 0, key)) {
        i++;
    }
    return s->n_cells > 0 && i >= s->n_cells;
}

void put_keys(struct table *t, enum table_key_of of, const struct slice *s)
{
    for (size_t k = 0; s->n_cells > 0 && k < s->r->n_keys; k++) {
        if (is_shared(s, k)) {
            table_key(t, of, s->r->keys[k].name, slice_value(s, k));
        }
    }
}

void table_block_of(struct table *t, const struct group *group, const char *heading)
{
    int both = group->heading[0] != '\0' && heading[0] != '\0';
    table_block(t, "%s%s%s", group->heading, both ? ": " : "", heading);
    put_keys(t, TABLE_KEY_OF_BLOCK, &group->slice);
}
