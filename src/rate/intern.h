/* Texts, names and streams of rows. */
#ifndef RATE_INTERN_H
#define RATE_INTERN_H

#include <stddef.h>
#include <stdint.h>

#include "regret/status.h"

/* Texts numbered in the order of their first appearance, found again by hash. */

struct intern {
    uint64_t *slots; /* n_slots: the hash's high half and number + 1 of the text that lives there,
                        or 0; owned */
    size_t n_slots;  /* a power of two, or 0 */
    size_t n;        /* texts */
    size_t capacity; /* of `entries` */
    struct intern_entry {
        uint64_t hash;
        size_t offset, length; /* in `bytes` */
        uint32_t family;
    } * entries; /* owned */
    char *bytes; /* owned */
    size_t n_bytes, bytes_capacity;
};

/* The number of (family, text) in *number; *is_new says whether it was added now. On failure
 * nothing was added. Amortised O(length). */
int intern_add(struct intern *t, uint32_t family, struct regret_span text, uint32_t *number,
               int *is_new);
/* 1 and the number when (family, text) is there, else 0. */
int intern_find(const struct intern *t, uint32_t family, struct regret_span text, uint32_t *number);
struct regret_span intern_text(const struct intern *t, uint32_t number);
void intern_free(struct intern *t);

/* Words of a text: runs of anything but white space. */

/* The next word at or after *at; text == NULL when there is none. *at moves behind it. */
struct regret_span next_token(const char **at);
/* How many of these a text has; most + 1 where there are more than `most`. */
size_t count_tokens(const char *text, size_t most);

/* 1 for a text whose first character is one of aeiouAEIOU, else 0. */
int starts_with_vowel(const char *text);

/* Streams of this room under the one purpose REGRET_RNG_RATE: never renumber. */

enum stream_kind {
    STREAM_SHIFT = 1,   /* (group, level and cell) */
    STREAM_WORLD = 2,   /* (replicate) */
    STREAM_TYPO = 3,    /* (percent, text) */
    STREAM_CONTRAST = 6 /* (0): draws behind simultaneous intervals; 4, 5 and 7 are of the past */
};

static inline uint64_t stream_index(enum stream_kind kind, uint32_t high, uint32_t low)
{
    return (uint64_t)kind << 56 | (uint64_t)(high & 0xFFFFFFU) << 32 | low;
}

#endif
