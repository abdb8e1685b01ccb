/* Votes in a table. */
#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "import/importer.h"
#include "import/internal.h"
#include "import/summary_scores.h"
#include "import/table_cell.h"
#include "import/table_map.h"
#include "import/table_rows.h"
#include "regret/status.h"

/* Votes: outcomes of two answers to a prompt. */

/* One vote; side 0 is of the agent with the lower number, whichever stood first. */
struct table_vote {
    size_t number; /* of its record */
    uint32_t prompt, agent[2];
    double share;  /* that is side 0's: 1, 0 or ½ */
    size_t first;  /* the side that was shown first; 0 where nobody knows */
    char *text[2]; /* import_text()'s */
};

enum { ID_ROOM = REGRET_POOL_MAX_ID + 24 };

void table_votes_free(struct table_import *t)
{
    regret_free(t->vote);
    t->vote = NULL;
    t->n_votes = t->votes_capacity = 0;
    regret_buffer_free(&t->turns);
}

/* ---------------------------------------------------------------- one record */

/* Who has won by flags, exactly one of which is set. */
static int read_flags(enum vote_winner *out, const struct table_import *t,
                      struct table_source *source)
{
    size_t set = 0;
    for (size_t i = 0; i < t->map.votes.n_winners; i++) {
        const char *text = NULL;
        double flag = 0.0;
        TRY(table_source_text(&text, source, TABLE_WINNER + i, 0));
        if (!table_source_parse(&flag, text) || (flag != 0.0 && flag != 1.0)) {
            return regret_json_error(table_source_place(source),
                                     "\"%s\" is \"%.40s\"; whether that has won must be 1 or 0, "
                                     "true or false",
                                     source->field[TABLE_WINNER + i], text);
        }
        *out = flag == 1.0 ? (enum vote_winner)i : *out;
        set += flag == 1.0;
    }
    return set == 1 ? REGRET_OK
                    : regret_json_error(table_source_place(source),
                                        "%zu of the %zu fields of \"winner\" are 1; exactly one "
                                        "must be",
                                        set, t->map.votes.n_winners);
}

/* Who has won by what the first has of the win. */
static int read_share(enum vote_winner *out, struct table_source *source)
{
    double share = 0.0;
    TRY(table_source_number(&share, source, TABLE_WINNER));
    *out = share == 1.0 ? WINNER_A : share == 0.0 ? WINNER_B : WINNER_NONE;
    return *out != WINNER_NONE || share == 0.5
               ? REGRET_OK
               : regret_json_error(table_source_place(source),
                                   "\"%s\" is %.6g; what model_a has of the win must be 1, 0 or "
                                   "0.5",
                                   source->field[TABLE_WINNER], share);
}

static int read_winner(enum vote_winner *out, const struct table_import *t,
                       struct table_source *source, char *const name[2])
{
    const char *text = NULL;
    if (t->map.votes.is_share) {
        return read_share(out, source);
    }
    if (t->map.votes.n_winners > 1) {
        return read_flags(out, t, source);
    }
    TRY(table_source_text(&text, source, TABLE_WINNER, 0));
    *out = winner_of(text, name[0], name[1]);
    return *out != WINNER_UNKNOWN
               ? REGRET_OK
               : regret_json_error(table_source_place(source),
                                   "\"%s\" is \"%.40s\"; it must be " WINNER_WORDS
                                   ": write it so, or leave the vote out",
                                   source->field[TABLE_WINNER], text);
}

/* The text of an answer: what was said, or the agent's name. */
static int read_answer(char **out, struct table_import *t, struct table_source *source,
                       enum table_field field, const char *agent)
{
    const char *text = agent;
    TRY(source->field[field] != NULL
            ? table_turns_text(&text, &t->turns, source, field, TURNS_OF_AGENT)
            : REGRET_OK);
    return import_text(out, &t->b, text);
}

static int enter_agents(uint32_t agent[2], struct table_import *t, struct table_source *source,
                        char *const name[2])
{
    for (size_t i = 0; i < 2; i++) {
        TRY(import_enter(&agent[i], &t->b.agents, name[i], source->number,
                         table_source_place(source)));
    }
    return REGRET_OK;
}

/* Adds the vote. Answers first: a record that is bad must leave no agent and no prompt behind. */
static int add_vote(struct table_import *t, struct table_source *source, enum vote_winner winner,
                    char *const name[2])
{
    struct table_vote v = {.number = source->number,
                           .share = winner == WINNER_A   ? 1.0
                                    : winner == WINNER_B ? 0.0
                                                         : 0.5};
    if (2 * (t->n_votes + 1) > REGRET_POOL_MAX_OUTPUTS) {
        return regret_json_error(table_source_place(source), "more than %d votes",
                                 (int)REGRET_POOL_MAX_OUTPUTS / 2);
    }
    TRY(regret_grow((void **)&t->vote, &t->votes_capacity, t->n_votes, sizeof *t->vote, "votes"));
    TRY(read_answer(&v.text[0], t, source, TABLE_OUTPUT, name[0]));
    TRY(read_answer(&v.text[1], t, source, TABLE_OTHER_OUTPUT, name[1]));
    TRY(table_context_read(&v.prompt, t, source, TABLE_VALUES + t->map.n_numbers));
    TRY(enter_agents(v.agent, t, source, name));
    if (v.agent[0] > v.agent[1]) {
        char *text = v.text[0];
        uint32_t agent = v.agent[0];
        v.text[0] = v.text[1];
        v.text[1] = text;
        v.agent[0] = v.agent[1];
        v.agent[1] = agent;
        v.share = 1.0 - v.share;
        v.first = 1;
    }
    v.first = t->map.votes.first < 0 ? 0 : v.first ^ (size_t)t->map.votes.first;
    t->report.ties += v.share == 0.5;
    t->vote[t->n_votes++] = v;
    return REGRET_OK;
}

/* A vote of two named agents that are asked for; what is dropped is counted. */
static int take_vote(struct table_import *t, struct table_source *source, char *const name[2])
{
    const struct regret_table_options *o = t->options;
    enum vote_winner winner = WINNER_UNKNOWN;
    for (size_t i = 0; i < 2 && o->n_agents > 0; i++) {
        if (!name_matches(o->agents, o->n_agents, name[i])) {
            importer_remember(t->other_agents, sizeof t->other_agents, name[i]);
            t->report.other_agent++;
            return REGRET_OK;
        }
    }
    if (strcmp(name[0], name[1]) == 0) {
        t->report.same_agent++;
        return REGRET_OK;
    }
    TRY(read_winner(&winner, t, source, name));
    t->report.both_bad += winner == WINNER_BOTH_BAD;
    if (winner == WINNER_BOTH_BAD && t->map.votes.drops_bad) {
        t->report.dropped_bad++;
        return REGRET_OK;
    }
    return add_vote(t, source, winner, name);
}

/* 1: the vote says nothing, in any of its fields. */
static int lacks_winner(const struct table_import *t, struct table_source *source)
{
    const char *text = NULL;
    int lacks = 1;
    for (size_t i = 0; i < t->map.votes.n_winners && lacks; i++) {
        lacks = table_source_is_blank(source, TABLE_WINNER + i) ||
                (table_source_text(&text, source, TABLE_WINNER + i, 1) == REGRET_OK &&
                 table_source_is_missing(text));
    }
    return lacks;
}

static int read_name(char **out, struct table_source *source, enum table_field field)
{
    const char *text = NULL;
    TRY(table_source_text(&text, source, field, 0));
    return regret_strdup(out, text);
}

int table_vote_read(struct table_import *t, struct table_source *source)
{
    char *name[2] = {NULL, NULL};
    int rc = REGRET_OK;
    if (lacks_winner(t, source)) {
        t->report.unscored += t->options->drop_unscored != 0;
        return t->options->drop_unscored
                   ? REGRET_OK
                   : regret_json_error(table_source_place(source),
                                       "\"%s\" is empty; it must be " WINNER_WORDS
                                       "; --drop-unscored leaves out what lacks a score",
                                       source->field[TABLE_WINNER]);
    }
    TRY_CLEANUP(read_name(&name[0], source, TABLE_AGENT));
    TRY_CLEANUP(read_name(&name[1], source, TABLE_OTHER_AGENT));
    rc = take_vote(t, source, name);
cleanup:
    regret_free(name[0]);
    regret_free(name[1]);
    return rc;
}

/* ---------------------------------------------------------------- all of them */

static int by_prompt_and_pair(const void *left, const void *right)
{
    const struct table_vote *a = left, *b = right;
    const size_t x[5] = {a->prompt, a->agent[0], a->agent[1], a->first, a->number},
                 y[5] = {b->prompt, b->agent[0], b->agent[1], b->first, b->number};
    for (size_t i = 0; i < 5; i++) {
        if (x[i] != y[i]) {
            return x[i] < y[i] ? -1 : 1;
        }
    }
    return 0;
}

static int is_same_pair(const struct table_vote *a, const struct table_vote *b)
{
    return a->prompt == b->prompt && a->agent[0] == b->agent[0] && a->agent[1] == b->agent[1] &&
           a->first == b->first;
}

/* A context for another pair of the prompt, or another order: called as that one is, with an id of its own, "ID:2". */
static int split_context(uint32_t *out, struct table_import *t, uint32_t prompt, size_t *last)
{
    struct import_register *contexts = &t->b.contexts;
    char id[ID_ROOM];
    const struct regret_place nowhere = {t->path, 0};
    size_t taken = 0;
    do {
        snprintf(id, sizeof id, "%s:%zu", contexts->entry[prompt].id, ++*last);
        taken = id_table_find(&contexts->ids, id);
    } while (taken != SIZE_MAX);
    const char *closed_by = contexts->closed_by;
    contexts->closed_by = NULL; /* it is one of those that are there */
    int rc = import_enter(out, contexts, id, contexts->entry[prompt].number, nowhere);
    contexts->closed_by = closed_by;
    TRY(rc);
    struct import_entry *from = &contexts->entry[prompt], *to = &contexts->entry[*out];
    regret_free(to->given);
    to->given = NULL;
    TRY(regret_strdup(&to->given, from->given));
    to->text = from->text;
    return from->tag != NULL ? regret_strdup(&to->tag, from->tag) : REGRET_OK;
}

/* The n votes of a pair in one order become two rows; the first has given the texts. */
static int add_rows(struct table_import *t, uint32_t context, struct table_vote *v, size_t n)
{
    double share = 0.0;
    for (size_t i = 0; i < n; i++) {
        share += v[i].share;
        t->report.other_texts +=
            strcmp(v[i].text[0], v[0].text[0]) != 0 || strcmp(v[i].text[1], v[0].text[1]) != 0;
    }
    t->report.averaged += n - 1;
    for (size_t side = 0; side < 2; side++) {
        struct import_row row = {.number = v->number, .context = context, .agent = v->agent[side]};
        TRY(REGRET_NEW(&row.values, 3));
        row.values[0] = (side == 0 ? share : (double)n - share) / (double)n;
        row.values[1] = (double)n;
        row.values[2] = side == v->first; /* one of the pool where that is known */
        row.text = v->text[side];
        TRY(import_add_row(&t->b, &row));
    }
    return REGRET_OK;
}

int table_votes_settle(struct table_import *t)
{
    size_t last = 1;
    if (t->n_votes > 0) {
        qsort(t->vote, t->n_votes, sizeof *t->vote, by_prompt_and_pair);
    }
    for (size_t i = 0, n; i < t->n_votes; i += n) {
        struct table_vote *v = &t->vote[i];
        uint32_t context = v->prompt;
        for (n = 1; i + n < t->n_votes && is_same_pair(v, &v[n]); n++) {
        }
        if (i > 0 && v[-1].prompt == v->prompt) {
            TRY(split_context(&context, t, v->prompt, &last));
            t->report.other_pairs++;
        } else {
            last = 1;
        }
        TRY(add_rows(t, context, v, n));
    }
    return REGRET_OK;
}

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
static int table_vote_map_read_winner(struct table_map *map, const cJSON *votes,
                                      struct regret_place at)
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
    TRY(table_vote_map_read_winner(map, votes, at));
    TRY(read_bad(map, votes, at));
    TRY(read_first(map, votes, at));
    return check_names(map, at);
}
