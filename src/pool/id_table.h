/* Finds the index of an id: open addressing over borrowed strings. */
#ifndef REGRET_SRC_POOL_ID_TABLE_H
#define REGRET_SRC_POOL_ID_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct id_slot {
    const char *id; /* borrowed; NULL where the slot is free */
    size_t index;
};

struct id_table {
    struct id_slot *slots; /* owned */
    size_t mask;           /* number of slots minus one; a power of two minus one */
    size_t used;           /* slots that hold an id */
};

/* An empty table with room for `n` ids at a load of at most one half. */
int id_table_init(struct id_table *table, size_t n);

/* Makes room for one more id, for those who cannot say beforehand how many there will be. On failure
 * the table is as it was. */
int id_table_reserve(struct id_table *table);

/* Puts `id` with `index` unless the id is there; returns the index it is stored with. */
size_t id_table_put(struct id_table *table, const char *id, size_t index);

/* The index of `id`, or SIZE_MAX. */
size_t id_table_find(const struct id_table *table, const char *id);

void id_table_free(struct id_table *table);

#endif
