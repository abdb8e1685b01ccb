#include "import/table/table_map.h"

#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "regret/import.h"

enum { MOST_FLAGS = 4 };

/* What rows of votes are not, or make themselves. */
static int refuse_others(const struct table_map *map, struct regret_place at)
{
    static const char *const MADE[] = {"components", "counts", "aux",   "segments",
                                       "coding",     "derive", "agents"};
    for (size_t i = 0; i < sizeof MADE / sizeof *MADE; i++) {
        if (cJSON_GetObjectItemCaseSensitive(map->root, MADE[i]) != NULL) {
            return regret_json_error(at,
                                     "\"votes\" stand in the place of \"%s\"; leave one of the "
                                     "two out",
                                     MADE[i]);
        }
    }
    return map->field[TABLE_AGENT] == NULL && map->field[TABLE_OUTPUT] == NULL
               ? REGRET_OK
               : regret_json_error(at, "of \"columns\", \"agent\" and \"output\" are of a row with "
                                       "one output; \"votes\" have \"model_a\", \"model_b\", "
                                       "\"text_a\" and \"text_b\"");
}

static int check_names(const struct table_map *map, struct regret_place at)
{
    for (size_t i = 0; i < TABLE_VALUES; i++) {
        size_t n = map->field[i] != NULL ? strlen(map->field[i]) : 1;
        if (n == 0 || n > REGRET_TABLE_MAX_FIELD) {
            return regret_json_error(at, "the fields of \"votes\" must have 1 to %d bytes",
                                     REGRET_TABLE_MAX_FIELD);
        }
    }
    return REGRET_OK;
}

/* "winner": a field of words, or a list of one share or of flags. */
static int read_winner(struct table_map *map, const cJSON *votes, struct regret_place at)
{
    const cJSON *given = cJSON_GetObjectItemCaseSensitive(votes, "winner");
    int n = cJSON_IsArray(given) ? cJSON_GetArraySize(given) : 0;
    if (!cJSON_IsArray(given)) {
        map->votes.n_winners = 1;
        return regret_json_get_string(&map->field[TABLE_WINNER], votes, "winner", at);
    }
    map->votes.is_share = n == 1;
    if (n < 1 || n > MOST_FLAGS) {
        return regret_json_error(at,
                                 "\"winner\" must be a field of words, or a list of one that says "
                                 "what model_a has of the win (1, 0, 0.5), or of 2 to %d that say "
                                 "whether model_a has won, whether model_b "
                                 "has, whether it is a tie, and whether both are bad",
                                 MOST_FLAGS);
    }
    for (const cJSON *e = given->child; e != NULL; e = e->next) {
        if (!cJSON_IsString(e)) {
            return regret_json_error(at, "\"winner\" must hold names of fields, texts all of them");
        }
        map->field[TABLE_WINNER + map->votes.n_winners++] = e->valuestring;
    }
    return REGRET_OK;
}

/* "both_bad": what a vote is that finds both answers bad. */
static int read_bad(struct table_map *map, const cJSON *votes, struct regret_place at)
{
    const char *word = "tie";
    TRY(regret_json_optional_string(&word, votes, "both_bad", at));
    map->votes.drops_bad = strcmp(word, "drop") == 0;
    return map->votes.drops_bad || strcmp(word, "tie") == 0
               ? REGRET_OK
               : regret_json_error(at, "\"both_bad\" is \"%.40s\"; it must be \"tie\" or \"drop\"",
                                   word);
}

/* "shown_first": whose answer people saw first, or on the left. */
static int read_first(struct table_map *map, const cJSON *votes, struct regret_place at)
{
    static const char *const WORDS[] = {"unknown", "model_a", "model_b"};
    const char *word = WORDS[1];
    size_t i = 0;
    TRY(regret_json_optional_string(&word, votes, "shown_first", at));
    while (i < 3 && strcmp(word, WORDS[i]) != 0) {
        i++;
    }
    map->votes.first = (int)i - 1;
    return i < 3 ? REGRET_OK
                 : regret_json_error(at,
                                     "\"shown_first\" is \"%.40s\"; it must be \"model_a\", "
                                     "\"model_b\" or \"unknown\"",
                                     word);
}

int table_vote_map_read(struct table_map *map, struct regret_place at)
{
    static const char *const KEYS[] = {"model_a", "model_b",  "winner",     "text_a",
                                       "text_b",  "both_bad", "shown_first"};
    const cJSON *votes = NULL;
    TRY(refuse_others(map, at));
    TRY(regret_json_get_object(&votes, map->root, "votes", at));
    TRY(regret_json_check_keys(votes, KEYS, sizeof KEYS / sizeof *KEYS, at));
    TRY(regret_json_get_string(&map->field[TABLE_AGENT], votes, "model_a", at));
    TRY(regret_json_get_string(&map->field[TABLE_OTHER_AGENT], votes, "model_b", at));
    TRY(regret_json_optional_string(&map->field[TABLE_OUTPUT], votes, "text_a", at));
    TRY(regret_json_optional_string(&map->field[TABLE_OTHER_OUTPUT], votes, "text_b", at));
    if ((map->field[TABLE_OUTPUT] == NULL) != (map->field[TABLE_OTHER_OUTPUT] == NULL)) {
        return regret_json_error(at, "\"votes\" has the text of one answer; give \"text_a\" and "
                                     "\"text_b\", or neither");
    }
    TRY(read_winner(map, votes, at));
    TRY(read_bad(map, votes, at));
    TRY(read_first(map, votes, at));
    return check_names(map, at);
}
