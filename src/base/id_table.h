/* Finds the index of an id: open addressing over borrowed strings, sized once. */
#ifndef REGRET_BASE_ID_TABLE_H
#define REGRET_BASE_ID_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct id_slot {
    const char *id; /* borrowed; NULL where the slot is free */
    size_t index;
};

struct id_table {
    struct id_slot *slots; /* owned */
    size_t mask;           /* number of slots minus one; a power of two minus one */
};

/* An empty table with room for `n` ids at a load of at most one half. */
int id_table_init(struct id_table *table, size_t n);

/* Puts `id` with `index` unless the id is there; returns the index it is stored with. */
size_t id_table_put(struct id_table *table, const char *id, size_t index);

/* The index of `id`, or SIZE_MAX. */
size_t id_table_find(const struct id_table *table, const char *id);

void id_table_free(struct id_table *table);

#endif
