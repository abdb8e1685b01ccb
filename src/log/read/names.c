#include "log/read/names.h"

#include <stdlib.h>

#include "base/core/try.h"
#include "import/build/natural_order.h"
#include "regret/alloc.h"

int log_names_rank(char ***out, uint32_t **rank, struct names *names)
{
    FREED char **sorted = NULL;
    size_t n = names->n;
    *rank = NULL;
    TRY(REGRET_NEW(&sorted, n));
    TRY(REGRET_NEW(rank, n));
    for (size_t i = 0; i < n; i++) {
        sorted[i] = names->name[i];
    }
    qsort(sorted, n, sizeof *sorted, natural_order);
    for (size_t i = 0; i < n; i++) {
        (*rank)[names_find(names, sorted[i])] = (uint32_t)i;
    }
    names->n = 0; /* they are handed over */
    names_free(names);
    *out = sorted;
    sorted = NULL;
    return REGRET_OK;
}

/* The slot of a hash, or the free one where it belongs. */
static uint32_t *slot_of(const struct log_keys *keys, uint32_t *slot, size_t n_slots, uint64_t hash)
{
    size_t i = (size_t)hash & (n_slots - 1);
    while (slot[i] != 0 && keys->hash[slot[i] - 1] != hash) {
        i = (i + 1) & (n_slots - 1);
    }
    return &slot[i];
}

/* A table of the first keys->n hashes. */
static int build_slots(struct log_keys *keys, size_t n_slots)
{
    uint32_t *slot = NULL;
    TRY(REGRET_NEW(&slot, n_slots));
    for (size_t i = 0; i < keys->n; i++) {
        *slot_of(keys, slot, n_slots, keys->hash[i]) = (uint32_t)i + 1;
    }
    regret_free(keys->slot);
    keys->slot = slot;
    keys->n_slots = n_slots;
    return REGRET_OK;
}

/* Room for one more, at a load of at most three quarters. */
static int grow_slots(struct log_keys *keys)
{
    enum { LEAST = 16 };
    return 4 * (keys->n + 1) <= 3 * keys->n_slots
               ? REGRET_OK
               : build_slots(keys, keys->n_slots > 0 ? 2 * keys->n_slots : LEAST);
}

int log_keys_put(uint32_t *out, struct log_keys *keys, uint64_t hash)
{
    TRY(grow_slots(keys));
    uint32_t *slot = slot_of(keys, keys->slot, keys->n_slots, hash);
    if (*slot == 0) {
        if (keys->n >= UINT32_MAX - 1) {
            return regret_fail(REGRET_E_INPUT, "more than 4 billion contexts; give a part");
        }
        TRY(regret_grow((void **)&keys->hash, &keys->capacity, keys->n, sizeof *keys->hash,
                        "contexts"));
        keys->hash[keys->n++] = hash;
        *slot = (uint32_t)keys->n;
    }
    *out = *slot - 1;
    return REGRET_OK;
}

void log_keys_forget(struct log_keys *keys)
{
    regret_free(keys->slot);
    keys->slot = NULL;
    keys->n_slots = 0;
}

void log_keys_free(struct log_keys *keys)
{
    regret_free(keys->hash);
    regret_free(keys->slot);
    *keys = (struct log_keys){0};
}
