#include "base/id_table.h"

#include <string.h>

#include "regret/alloc.h"
#include "regret/file.h"

int id_table_init(struct id_table *table, size_t n)
{
    size_t slots = 16;
    while (slots / 2 < n) {
        slots *= 2;
    }
    struct id_table made = {NULL, slots - 1};
    int rc = REGRET_NEW(&made.slots, slots);
    if (rc == REGRET_OK) {
        *table = made;
    }
    return rc;
}

/* The slot that holds `id`, or the free one where it belongs. */
static struct id_slot *slot_of(const struct id_table *table, const char *id)
{
    size_t i = (size_t)regret_hash64(id, strlen(id)) & table->mask;
    while (table->slots[i].id != NULL && strcmp(table->slots[i].id, id) != 0) {
        i = (i + 1) & table->mask;
    }
    return &table->slots[i];
}

size_t id_table_put(struct id_table *table, const char *id, size_t index)
{
    struct id_slot *slot = slot_of(table, id);
    if (slot->id == NULL) {
        *slot = (struct id_slot){id, index};
    }
    return slot->index;
}

size_t id_table_find(const struct id_table *table, const char *id)
{
    const struct id_slot *slot = slot_of(table, id);
    return slot->id == NULL ? SIZE_MAX : slot->index;
}

void id_table_free(struct id_table *table)
{
    regret_free(table->slots);
    *table = (struct id_table){NULL, 0};
}
