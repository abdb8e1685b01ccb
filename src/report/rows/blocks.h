/* Blocks of a table that are about some cells: what all of them share is put down with the block. */
#ifndef REGRET_REPORT_BLOCKS_H
#define REGRET_REPORT_BLOCKS_H

#include "report/render/table.h"
#include "report/rows/slice.h"

/* Puts down the keys that all cells of the slice have the same value of. */
void put_keys(struct table *t, enum table_key_of of, const struct slice *s);

/* Begins a block "group: heading", either of which may be "", with the group's keys. */
void table_block_of(struct table *t, const struct group *group, const char *heading);

#endif
