/* Texts numbered in the order of their first appearance, found again by hash. */
#ifndef REGRET_RATE_INTERN_H
#define REGRET_RATE_INTERN_H

#include <stdint.h>

#include "regret/rate.h"

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

#endif
