/* Votes in a table: outcomes of two answers to a prompt. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "import/importer.h"
#include "import/internal.h"
#include "regret/status.h"
#include "table/fields.h"
#include "table/words.h"

/* One vote; side 0 is of the agent with the lower number, whichever stood first. */
struct table_vote {
    size_t number; /* of its record */
    uint32_t prompt, agent[2];
    double share;  /* that is side 0's: 1, 0 or ½ */
    size_t first;  /* the side that was shown first; 0 where nobody knows */
    char *text[2]; /* import_text()'s */
};

enum { ID_ROOM = REGRET_POOL_MAX_ID + 24 };

/* ---- One record ---- */

/* Who has won by flags, exactly one of which is set. */
static int read_flags(enum vote_winner *out, const struct map_fields *of, struct fields *f)
{
    size_t set = 0;
    for (size_t i = 0; i < of->n; i++) {
        const char *text = NULL;
        double flag = 0.0;
        TRY(fields_text(&text, f, of->first + i, 0, NULL));
        if (!table_source_parse(&flag, text) || (flag != 0.0 && flag != 1.0)) {
            return fields_fail(
                f, "\"%s\" is \"%.40s\"; whether that has won must be 1 or 0, true or false",
                fields_name(f, of->first + i), text);
        }
        *out = flag == 1.0 ? (enum vote_winner)i : *out;
        set += flag == 1.0;
    }
    return set == 1
               ? REGRET_OK
               : fields_fail(f, "%zu of the %zu fields of \"winner\" are 1; exactly one must be",
                             set, of->n);
}

static int read_winner(enum vote_winner *out, const struct table_import *t, struct fields *f,
                       const char *const name[2])
{
    const struct map_fields *of = &t->map.rows.role[MAP_WINNER];
    const char *text = NULL, *field = fields_name(f, of->first);
    double share = 0.0;
    if (of->n > 1) {
        return read_flags(out, of, f);
    }
    if (t->map.votes.is_words) {
        TRY(fields_text(&text, f, of->first, 0, NULL));
        *out = winner_of(text, name[0], name[1]);
        return *out != WINNER_UNKNOWN ? REGRET_OK
                                      : fields_fail(f,
                                                    "\"%s\" is \"%.40s\"; it must be " WINNER_WORDS
                                                    ": write it so, or leave the vote out",
                                                    field, text);
    }
    TRY(table_row_number(&share, t, f, of->first, NULL));
    *out = share == 1.0 ? WINNER_A : share == 0.0 ? WINNER_B : WINNER_NONE;
    return *out != WINNER_NONE || share == 0.5
               ? REGRET_OK
               : fields_fail(f, "\"%s\" is %.6g; what model_a has of the win must be 1, 0 or 0.5",
                             field, share);
}

/* Adds the vote. Answers first: a record that is bad must leave no agent and no prompt behind. */
static int add_vote(struct table_import *t, struct fields *f, enum vote_winner winner,
                    const char *const name[2])
{
    static const enum map_role OUTPUTS[] = {MAP_OUTPUT, MAP_OTHER_OUTPUT};
    struct table_vote v = {.number = fields_number(f),
                           .share = winner == WINNER_A   ? 1.0
                                    : winner == WINNER_B ? 0.0
                                                         : 0.5};
    if (2 * (t->n_votes + 1) > REGRET_POOL_MAX_OUTPUTS) {
        return fields_fail(f, "more than %d votes", (int)REGRET_POOL_MAX_OUTPUTS / 2);
    }
    TRY(regret_grow((void **)&t->vote, &t->votes_capacity, t->n_votes, sizeof *t->vote, "votes"));
    for (size_t i = 0; i < 2; i++) { /* what was said, or the agent's name */
        const struct map_fields *of = &t->map.rows.role[OUTPUTS[i]];
        const char *text = name[i];
        TRY(of->n > 0 ? fields_turns(&text, f, of->first, 0) : REGRET_OK);
        TRY(import_text(&v.text[i], &t->b, text));
    }
    TRY(table_context_read(&v.prompt, t, f, &t->map.rows));
    for (size_t i = 0; i < 2; i++) {
        TRY(import_enter(&v.agent[i], &t->b.agents, name[i], fields_number(f), fields_place(f)));
    }
    if (v.agent[0] > v.agent[1]) {
        v = (struct table_vote){.number = v.number,
                                .prompt = v.prompt,
                                .agent = {v.agent[1], v.agent[0]},
                                .share = 1.0 - v.share,
                                .first = 1,
                                .text = {v.text[1], v.text[0]}};
    }
    v.first = t->map.votes.first < 0 ? 0 : v.first ^ (size_t)t->map.votes.first;
    t->report.ties += v.share == 0.5;
    t->vote[t->n_votes++] = v;
    return REGRET_OK;
}

/* 1: the vote says nothing, in any of its fields. */
static int lacks_winner(const struct table_import *t, struct fields *f)
{
    const struct map_fields *of = &t->map.rows.role[MAP_WINNER];
    size_t i = 0;
    while (i < of->n && table_row_lacks(f, of->first + i, 1)) {
        i++;
    }
    return i == of->n;
}

int table_vote_read(struct table_import *t, struct fields *f)
{
    const struct regret_table_options *o = t->options;
    const struct map_fields *of = t->map.rows.role;
    enum vote_winner winner = WINNER_UNKNOWN;
    const char *name[2];
    if (lacks_winner(t, f)) {
        t->report.unscored += o->drop_unscored != 0;
        return o->drop_unscored ? REGRET_OK
                                : fields_fail(f,
                                              "\"%s\" is empty; it must be " WINNER_WORDS
                                              "; --drop-unscored leaves out what lacks a score",
                                              fields_name(f, of[MAP_WINNER].first));
    }
    TRY(fields_text(&name[0], f, of[MAP_AGENT].first, 0, NULL));
    TRY(fields_text(&name[1], f, of[MAP_OTHER_AGENT].first, 0, NULL));
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
    TRY(read_winner(&winner, t, f, name));
    t->report.both_bad += winner == WINNER_BOTH_BAD;
    if (winner == WINNER_BOTH_BAD && t->map.votes.drops_bad) {
        t->report.dropped_bad++;
        return REGRET_OK;
    }
    return add_vote(t, f, winner, name);
}

/* ---- All of them ---- */

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
