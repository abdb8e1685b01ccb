/* Blocks of a table that are about some cells. */
#include "report/rows/blocks.h"
#include "base/text/take.h"

static int is_shared(const struct slice *s, size_t key)
{
    size_t i = 1;
    while (i < s->n_cells && slice_value_at(s, i, key) == slice_value_at(s, 0, key)) {
        i++;
    }
    return s->n_cells > 0 && i >= s->n_cells;
}

void table_keys_of(struct table *t, enum table_key_of of, const struct slice *s)
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
    table_keys_of(t, TABLE_KEY_OF_BLOCK, &group->slice);
}

void append_key_values(struct regret_buffer *out, const struct slice *s,
                       const struct key_axis *axes, size_t n_axes)
{
    for (size_t i = 0; i < n_axes; i++) {
        regret_buffer_printf(out, "%s%s%s%s", i > 0 ? ", " : "", axes[i].symbol,
                             axes[i].symbol[0] != '\0' ? " " : "", slice_value(s, axes[i].key));
    }
}

void table_value_columns(struct table *t, const struct groups *columns, const struct key_axis *axes,
                         size_t n_axes)
{
    struct regret_buffer head = REGRET_BUFFER_INIT;
    for (size_t j = 0; j < columns->n; j++) {
        regret_buffer_clear(&head);
        append_key_values(&head, &columns->items[j].slice, axes, n_axes);
        table_column(t, "%s", regret_buffer_get(&head));
        table_keys_of(t, TABLE_KEY_OF_COLUMN, &columns->items[j].slice);
    }
    text_free_into(&t->status, &head);
}
