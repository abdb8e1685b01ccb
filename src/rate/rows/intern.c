#include "rate/rows/intern.h"

#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/hash.h"

static uint64_t hash_of(uint32_t family, struct regret_span text)
{
    return regret_hash64(text.text, text.length) ^ (family * UINT64_C(0x9E3779B97F4A7C15));
}

static uint32_t number_in(uint64_t slot)
{
    return (uint32_t)slot - 1;
}

/* The slot of the text, or the empty one where it would live. */
static size_t slot_of(const struct intern *t, uint64_t hash, uint32_t family,
                      struct regret_span text)
{
    size_t mask = t->n_slots - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        if (t->slots[i] == 0) {
            return i;
        }
        if (t->slots[i] >> 32 != hash >> 32) {
            continue;
        }
        const struct intern_entry *e = &t->entries[number_in(t->slots[i])];
        if (e->hash == hash && e->family == family && e->length == text.length &&
            memcmp(t->bytes + e->offset, text.text, text.length) == 0) {
            return i;
        }
    }
}

static int grow_slots(struct intern *t)
{
    size_t grown = t->n_slots == 0 ? 64 : t->n_slots * 2;
    uint64_t *slots = NULL;
    TRY(REGRET_NEW(&slots, grown));
    for (size_t k = 0; k < t->n; k++) {
        size_t i = t->entries[k].hash & (grown - 1);
        while (slots[i] != 0) {
            i = (i + 1) & (grown - 1);
        }
        slots[i] = (t->entries[k].hash >> 32 << 32) | (k + 1);
    }
    regret_free(t->slots);
    t->slots = slots;
    t->n_slots = grown;
    return REGRET_OK;
}

static int make_room(struct intern *t, size_t length)
{
    if (t->n == UINT32_MAX - 1) {
        return regret_fail(REGRET_E_INPUT, "more than 2^32 names; split the file");
    }
    if ((t->n + 1) * 2 > t->n_slots) {
        TRY(grow_slots(t));
    }
    TRY(regret_grow((void **)&t->entries, &t->capacity, t->n, sizeof *t->entries, "names"));
    if (t->n_bytes + length + 1 > t->bytes_capacity) {
        size_t grown = (t->bytes_capacity + length + 256) * 2;
        TRY(regret_realloc((void **)&t->bytes, grown, 1, "names"));
        t->bytes_capacity = grown;
    }
    return REGRET_OK;
}

int intern_add(struct intern *t, uint32_t family, struct regret_span text, uint32_t *number,
               int *is_new)
{
    TRY(make_room(t, text.length));
    uint64_t hash = hash_of(family, text);
    size_t slot = slot_of(t, hash, family, text);
    *is_new = t->slots[slot] == 0;
    if (*is_new) {
        t->entries[t->n] = (struct intern_entry){hash, t->n_bytes, text.length, family};
        if (text.length > 0) {
            memcpy(t->bytes + t->n_bytes, text.text, text.length);
        }
        t->bytes[t->n_bytes + text.length] = '\0';
        t->n_bytes += text.length + 1;
        t->slots[slot] = (hash >> 32 << 32) | ++t->n;
    }
    *number = number_in(t->slots[slot]);
    return REGRET_OK;
}

int intern_find(const struct intern *t, uint32_t family, struct regret_span text, uint32_t *number)
{
    if (t->n == 0) {
        return 0;
    }
    size_t slot = slot_of(t, hash_of(family, text), family, text);
    if (t->slots[slot] == 0) {
        return 0;
    }
    *number = number_in(t->slots[slot]);
    return 1;
}

struct regret_span intern_text(const struct intern *t, uint32_t number)
{
    const struct intern_entry *e = &t->entries[number];
    return (struct regret_span){t->bytes + e->offset, e->length};
}

void intern_free(struct intern *t)
{
    regret_free(t->slots);
    regret_free(t->entries);
    regret_free(t->bytes);
    memset(t, 0, sizeof *t);
}
