/* Names and ids: tables from text to number, hashes, digests, sorted and gathered lists. */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Hashes of bytes: XXH3, the same on every machine. */

/* XXH3 64-bit hash of a block (seed 0). */
uint64_t regret_hash64(const void *data, size_t length);
/* XXH3 128-bit hash: the low half, and the high one. */
void regret_hash128(uint64_t out[2], const void *data, size_t length);
/* XXH3 128-bit digest as 32 hexadecimal digits and a zero. */
void regret_digest(char out[33], const void *data, size_t length);

/* Finds the number of a name: open addressing over borrowed strings, growing. {NULL, 0, 0} is an
 * empty one. Whoever keeps the strings owns them; a room that must own them, or whose names are
 * pieces of a longer text, has rate/intern.h to look at. */

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

/* Arrays of texts. */

/* The first of n texts that is this one; n: none is. */
static inline size_t texts_find(const char *const *texts, size_t n, const char *text)
{
    size_t i = 0;
    while (i < n && strcmp(texts[i], text) != 0) {
        i++;
    }
    return i;
}

/* 1 where one of them is. */
static inline int texts_have(const char *const *texts, size_t n, const char *text)
{
    return texts_find(texts, n, text) < n;
}

/* Frees n texts, each owned, and their array; NULL is fine, for either. */
void texts_free(char **texts, size_t n);

/* Names and their numbers, in the order in which they come. */

#define NAMES_NONE UINT32_MAX

/* {0} is empty. */
struct names {
    char **name; /* owned, and what it holds */
    size_t n, capacity;
    struct id_table table;
};

/* The number of a name, a new one's where it has not come before; NAMES_NONE of NULL. */
int names_enter(uint32_t *out, struct names *names, const char *name);
/* SIZE_MAX where it is not there. */
size_t names_find(const struct names *names, const char *name);
/* They are empty then. */
void names_free(struct names *names);

/* How a digest is written. */

/* A hash of 128 bits, its low half first, as 32 hexadecimal digits and a zero. */
void digest_write(char out[33], const uint64_t hash[2]);

/* Places among ascending numbers. */

/* How many of n ascending numbers are below x: the place of the first that is not. O(log n). */
static inline size_t sorted_below(const double *sorted, size_t n, double x)
{
    size_t low = 0;
    for (size_t high = n; low < high;) {
        size_t middle = low + (high - low) / 2;
        low = sorted[middle] < x ? middle + 1 : low;
        high = sorted[middle] < x ? high : middle;
    }
    return low;
}

/* Rows of two arrays side by side, made by the threads that are allowed and put one behind the other. */

/* Rows that one thread makes. */
struct gather_part {
    void *array[2];
    size_t size[2];     /* of an element of each */
    size_t n, capacity; /* elements */
    size_t place;       /* of the first among those of all */
};
struct gather_whole {
    size_t *start; /* rows + 1 offsets, start[0] = 0; the caller's */
    struct gather_part
        all; /* its sizes are said beforehand; arrays are the caller's, after a failure too */
};

/* Room for more elements in each array. */
int gather_reserve(struct gather_part *part, size_t more);

/* Appends a row to a part: as many elements to both arrays, and to n. `worker` is below regret_threads_allowed(). */
typedef int gather_row(void *context, size_t row, size_t worker, struct gather_part *part);

/* Makes n rows. One thread puts them where they stay; more of them hold some MiB of rows each that wait for their place. */
int gather_rows(struct gather_whole *to, size_t n, gather_row *make, void *context);

#endif
