/* Finds the number of a name: open addressing over borrowed strings, growing. {NULL, 0, 0} is an
 * empty one. Whoever keeps the strings owns them; a room that must own them, or whose names are
 * pieces of a longer text, has rate/intern.h to look at. */
#ifndef REGRET_BASE_ID_TABLE_H
#define REGRET_BASE_ID_TABLE_H

#include <stddef.h>

struct id_slot {
    const char *id; /* borrowed; NULL where the slot is free */
    size_t index;
};

struct id_table {
    struct id_slot *slots; /* owned */
    size_t n_slots;        /* a power of two, or 0 */
    size_t n;              /* ids */
};

/* Makes room for `n` ids in all, at a load of at most one half. On failure nothing has changed. */
int id_table_reserve(struct id_table *table, size_t n);

/* Puts `id` with `index` unless the id is there; returns the index it is stored with. There must be
 * room. */
size_t id_table_put(struct id_table *table, const char *id, size_t index);

/* The index of `id`, or SIZE_MAX. */
size_t id_table_find(const struct id_table *table, const char *id);

/* Forgets the ids and keeps the room. */
void id_table_clear(struct id_table *table);
void id_table_free(struct id_table *table);

#endif
