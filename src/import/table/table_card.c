/* The card of a pool that was a table. */
#include "import/table/table_map.h"

enum { CARD_COLUMNS = 200 };

/* "* kind NAME: field FIELD", or the fields that a value is the mean of. */
static void card_line(struct regret_buffer *card, const struct table_map *map, const char *kind,
                      const char *name, size_t value)
{
    const char *before = ": field ";
    int is_reversed = 0;
    regret_buffer_printf(card, "* %s ", kind);
    regret_buffer_append_safe(card, name, CARD_COLUMNS);
    for (size_t i = 0; i < map->n_numbers; i++) {
        int is_mean = i + 1 < map->n_numbers && map->number[i + 1].value == value;
        if (map->number[i].value == value) {
            regret_buffer_append(card,
                                 before[0] == ':' && is_mean ? ": mean of the fields " : before);
            regret_buffer_append_safe(card, map->field[TABLE_VALUES + i], CARD_COLUMNS);
            before = ", ";
            is_reversed = map->number[i].is_reversed;
        }
    }
    for (size_t i = 0; i < map->n_made; i++) {
        const struct made_score *made = &map->made[i];
        if (made->value == value && made->metric != NULL) {
            regret_buffer_printf(card, ": %s of the output against the reference of its context\n",
                                 made->metric);
            return;
        }
        if (made->value == value) {
            regret_buffer_printf(card, ", pass@%zu of the draws", made->k);
        }
    }
    regret_buffer_append(card, before[0] == ':'
                                   ? ": made of the texts by formula; nobody judged it\n"
                               : is_reversed ? ", turned round: smaller is better there\n"
                                             : "\n");
}

void table_map_card(struct regret_buffer *card, const struct table_map *map,
                    const struct regret_pool *pool)
{
    size_t value = 0;
    regret_buffer_append(card, "# ");
    regret_buffer_append_safe(card, pool->title, CARD_COLUMNS);
    regret_buffer_append(
        card, map->is_wide        ? "\n\nImported from a wide table, a row a context. Source: "
              : map->votes.wanted ? "\n\nImported from a table of votes. Source: "
                                  : "\n\nImported from a table, a row an output. Source: ");
    regret_buffer_append_safe(card, pool->source, CARD_COLUMNS);
    regret_buffer_append(card, ". Licence: ");
    regret_buffer_append_safe(card, pool->licence, CARD_COLUMNS);
    regret_buffer_printf(card, ".%s\n\n",
                         pool->synthetic ? " Texts or scores are synthetic: a program made them."
                                         : "");
    for (size_t j = 0; j < pool->n_columns; j++) {
        size_t own = TABLE_VALUES + map->n_numbers + j;
        const char *field =
            map->field[own] != NULL ? map->field[own] : map->contexts[TABLE_VALUES + j];
        regret_buffer_append(card, "* column of contexts ");
        regret_buffer_append_safe(card, pool->columns[j].name, CARD_COLUMNS);
        regret_buffer_printf(card, ", a %s: field ",
                             regret_column_kind_name(pool->columns[j].kind));
        regret_buffer_append_safe(card, field, CARD_COLUMNS);
        regret_buffer_append(card, "\n");
    }
    if (map->is_coding) {
        card_line(card, map, "component", "success", 0);
        regret_buffer_append(
            card, "* components size, locality and focus, and the aux labels: made of the "
                  "patch and of its\n  context by the formulas of "
                  "include/regret/patch.h; nobody judged them\n");
        return;
    }
    if (map->votes.wanted) {
        regret_buffer_append(
            card, "* component win: votes between two answers, won 1, lost 0, a tie one half\n"
                  "* aux label votes: how many votes the outcome is the mean of\n");
        regret_buffer_append(card, map->votes.first >= 0
                                       ? "* aux label shown_first: 1 of the answer shown first\n"
                                       : "");
        return;
    }
    for (size_t k = 0; k < pool->n_components; k++) {
        card_line(card, map, "component", pool->components[k].name, value++);
    }
    for (size_t k = 0; k < pool->n_counts; k++) {
        card_line(card, map, "count", pool->counts[k], value++);
    }
    for (size_t k = 0; k < pool->n_aux; k++) {
        card_line(card, map, "aux label", pool->aux[k], value++);
    }
}
