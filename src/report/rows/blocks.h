/* Blocks of a table that are about some cells: what all of them share is put down with the block. */
#ifndef REGRET_REPORT_BLOCKS_H
#define REGRET_REPORT_BLOCKS_H

#include "report/render/table.h"
#include "report/rows/slice.h"

/* Puts down the keys that all cells of the slice have the same value of. */
void table_keys_of(struct table *t, enum table_key_of of, const struct slice *s);

/* Begins a block "group: heading", either of which may be "", with the group's keys. */
void table_block_of(struct table *t, const struct group *group, const char *heading);

/* A column for every group along the axes, with the values of the keys at its head: "β 0.2",
 * "n_obs 2000, n_exp 200". */
struct key_axis {
    size_t key;
    const char *symbol;
};
void table_value_columns(struct table *t, const struct groups *columns, const struct key_axis *axes,
                         size_t n_axes);

/* Appends the values of the keys in a group of cells, as such a column is headed. */
void append_key_values(struct regret_buffer *out, const struct slice *s,
                       const struct key_axis *axes, size_t n_axes);

#endif
