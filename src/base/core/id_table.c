#include "base/core/id_table.h"

#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/hash.h"

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
