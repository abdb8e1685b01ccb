#include "base/names.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "base/status.h"
#include "regret/status.h"

/* The slot that holds `id`, or the free one where it belongs. */
static struct id_slot *slot_of(struct id_slot *slots, size_t n_slots, const char *id)
{
    size_t i = (size_t)regret_hash64(id, strlen(id)) & (n_slots - 1);
    while (slots[i].id != NULL && strcmp(slots[i].id, id) != 0) {
        i = (i + 1) & (n_slots - 1);
    }
    return &slots[i];
}

int id_table_reserve(struct id_table *table, size_t n)
{
    struct id_slot *slots = NULL;
    size_t n_slots = table->n_slots > 0 ? table->n_slots : 16;
    while (n_slots / 2 < n) {
        n_slots *= 2;
    }
    if (n_slots == table->n_slots) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&slots, n_slots));
    for (size_t i = 0; i < table->n_slots; i++) {
        if (table->slots[i].id != NULL) {
            *slot_of(slots, n_slots, table->slots[i].id) = table->slots[i];
        }
    }
    regret_free(table->slots);
    table->slots = slots;
    table->n_slots = n_slots;
    return REGRET_OK;
}

size_t id_table_put(struct id_table *table, const char *id, size_t index)
{
    struct id_slot *slot = slot_of(table->slots, table->n_slots, id);
    if (slot->id == NULL) {
        *slot = (struct id_slot){id, index};
        table->n++;
    }
    return slot->index;
}

size_t id_table_find(const struct id_table *table, const char *id)
{
    const struct id_slot *slot = table->n > 0 ? slot_of(table->slots, table->n_slots, id) : NULL;
    return slot == NULL || slot->id == NULL ? SIZE_MAX : slot->index;
}

void id_table_clear(struct id_table *table)
{
    for (size_t i = 0; i < table->n_slots; i++) {
        table->slots[i].id = NULL;
    }
    table->n = 0;
}

void id_table_free(struct id_table *table)
{
    regret_free(table->slots);
    *table = (struct id_table){NULL, 0, 0};
}

int names_enter(uint32_t *out, struct names *names, const char *name)
{
    *out = NAMES_NONE;
    if (name == NULL) {
        return REGRET_OK;
    }
    size_t i = names_find(names, name);
    if (i == SIZE_MAX) {
        i = names->n;
        /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
        TRY(regret_grow((void **)&names->name, &names->capacity, i, sizeof *names->name, "names"));
        TRY(id_table_reserve(&names->table, i + 1));
        TRY(regret_strdup(&names->name[i], name));
        id_table_put(&names->table, names->name[i], i);
        names->n++;
    }
    *out = (uint32_t)i;
    return REGRET_OK;
}

size_t names_find(const struct names *names, const char *name)
{
    return id_table_find(&names->table, name);
}

void names_free(struct names *names)
{
    texts_free(names->name, names->n);
    id_table_free(&names->table);
    *names = (struct names){0};
}

uint64_t regret_hash64(const void *data, size_t length)
{
    return XXH3_64bits(data, length);
}

void regret_hash128(uint64_t out[2], const void *data, size_t length)
{
    XXH128_hash_t hash = XXH3_128bits(data, length);
    out[0] = hash.low64;
    out[1] = hash.high64;
}

void digest_write(char out[33], const uint64_t hash[2])
{
    snprintf(out, 33, "%016llx%016llx", (unsigned long long)hash[1], (unsigned long long)hash[0]);
}

void regret_digest(char out[33], const void *data, size_t length)
{
    uint64_t hash[2];
    regret_hash128(hash, data, length);
    digest_write(out, hash);
}
