/* Tables with a row a vote between two agents. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/status.h"
#include "import/init.h"
#include "import/internal.h"
#include "regret/status.h"
#include "table/sql.h"

/* ---------------------------------------------------------------- names in twos */

/* A name without its side: "model_a" and "model_b", "left_model" and "right_model", "response1" and "response2". */
struct side {
    int which;   /* 0 or 1; -1: it has none */
    size_t kind; /* only "a" goes with "b" */
    char rest[INIT_REST];
};

static const char *const SIDES[][2] = {{"a", "b"},          {"1", "2"},     {"left", "right"},
                                       {"first", "second"}, {"one", "two"}, {"x", "y"}};
enum { KINDS = sizeof SIDES / sizeof *SIDES };

/* A word ends where letters turn into figures or into others, or a capital follows a small letter. */
static size_t word_at(const char *p)
{
    size_t n = 1;
    int is_figure = isdigit((unsigned char)p[0]) != 0;
    while (isalnum((unsigned char)p[n]) && (isdigit((unsigned char)p[n]) != 0) == is_figure &&
           !(isupper((unsigned char)p[n]) && islower((unsigned char)p[n - 1]))) {
        n++;
    }
    return n;
}

static void find_side(struct side *out, const char *name)
{
    out->which = -1;
    for (size_t i = 0, n; name[i] != '\0'; i += n) {
        n = isalnum((unsigned char)name[i]) ? word_at(name + i) : 1;
        for (size_t k = 0; k < (size_t)KINDS * 2; k++) {
            const char *word = SIDES[k / 2][k % 2];
            if (n == strlen(word) && strncasecmp(name + i, word, n) == 0) {
                out->which = (int)(k % 2);
                out->kind = k / 2;
                snprintf(out->rest, sizeof out->rest, "%.*s*%s", (int)(i < 99 ? i : 99), name,
                         name + i + n);
                return;
            }
        }
    }
}

int init_has_side(const char *name)
{
    struct side side;
    find_side(&side, name);
    return side.which >= 0;
}

/* ---------------------------------------------------------------- the two */

struct pair {
    int column[2];
    double common; /* values in both */
    int is_named;  /* for agents */
};

/* Two columns that may be a vote's: they share names of a few, or are called for agents. */
static int judge_pair(struct pair *best, struct init_table *t, int a, int b)
{
    const struct init_column *c = &t->column[a];
    struct pair p = {{a, b}, 0.0, (init_name_any(&t->words, c->name) & INIT_AGENT) != 0};
    TRY(init_ask_numbers(&p.common, 1, t,
                         "SELECT count(*) FROM (SELECT c%d FROM t WHERE c%d IS NOT NULL INTERSECT "
                         "SELECT c%d FROM t)",
                         a, a, b));
    double most = fmax(2.0, 0.5 * (double)t->rows);
    int fits = (c->distinct >= 2 && p.common >= 1.0 && (double)c->distinct <= most) ||
               (p.is_named && !(c->is_numeric && c->whole < c->numbers));
    if (fits && (best->column[0] == INIT_NONE || p.is_named > best->is_named ||
                 (p.is_named == best->is_named && p.common > best->common))) {
        *best = p;
    }
    return REGRET_OK;
}

static int find_two(struct pair *best, struct init_table *t, int of_outputs)
{
    *best = (struct pair){{INIT_NONE, INIT_NONE}, 0.0, 0};
    for (int a = 0; a < (int)t->n_columns; a++) {
        struct side one, other;
        find_side(&one, t->column[a].name);
        if (one.which != 0 || !init_is_free(t, a)) {
            continue;
        }
        for (int b = 0; b < (int)t->n_columns; b++) {
            find_side(&other, t->column[b].name);
            if (other.which != 1 || one.kind != other.kind || strcmp(one.rest, other.rest) != 0 ||
                !init_is_free(t, b)) {
                continue;
            }
            if (!of_outputs) {
                TRY(judge_pair(best, t, a, b));
            } else if (best->column[0] == INIT_NONE &&
                       ((init_name_any(&t->words, t->column[a].name) & INIT_OUTPUT) != 0 ||
                        t->column[a].is_list)) {
                *best = (struct pair){{a, b}, 0.0, 0};
            }
        }
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- who has won */

/* What a column says of who has won. */
struct said {
    size_t votes, by_name, by_side, differ, unknown, decided, larger;
    int is_digits; /* 1: nothing but 0, 1 and 2 */
    char example[INIT_EXAMPLE];
};

static int hear(void *context, sqlite3_stmt *row)
{
    struct said *s = context;
    const char *a = (const char *)sqlite3_column_text(row, 0),
               *b = (const char *)sqlite3_column_text(row, 1),
               *word = (const char *)sqlite3_column_text(row, 2);
    size_t n = (size_t)sqlite3_column_int64(row, 3);
    enum vote_winner winner = winner_of(word, a, b), side = winner_of(word, "", "");
    int is_name = strcmp(word, a) == 0 || strcmp(word, b) == 0,
        is_side = side == WINNER_A || side == WINNER_B;
    s->votes += n;
    s->unknown += winner == WINNER_UNKNOWN ? n : 0;
    s->by_name += is_name ? n : 0;
    s->by_side += is_side ? n : 0;
    s->differ += is_name && is_side && side != winner ? n : 0;
    s->decided += winner == WINNER_A || winner == WINNER_B ? n : 0;
    s->larger += (winner == WINNER_A && strtod(a, NULL) > strtod(b, NULL)) ||
                         (winner == WINNER_B && strtod(b, NULL) > strtod(a, NULL))
                     ? n
                     : 0;
    s->is_digits &= strchr("012", word[0]) != NULL && word[1] == '\0';
    if (winner == WINNER_UNKNOWN || s->example[0] == '\0') {
        snprintf(s->example, sizeof s->example, "%.*s", INIT_EXAMPLE - 1, word);
    }
    return REGRET_OK;
}

static void offer_no_votes(struct init_table *t)
{
    const struct init_column *a = &t->column[t->is.model[0]], *b = &t->column[t->is.model[1]];
    const char *const both[] = {a->name, b->name};
    if (a->is_numeric && b->is_numeric) {
        init_offer_list(t, "they are agents, and hold scores", "--agents", both, 2);
    }
    init_offer(t, "a row is no vote", "--layout", "long", NULL);
}

static int ask_winner(struct init_table *t, int winner, const char *what)
{
    const int *model = t->is.model;
    offer_no_votes(t);
    return init_question(
        t,
        "\"%.40s\" and \"%.40s\" look like two agents of a vote, and \"%.40s\" %s: "
        "write model_a, model_b, tie or both bad",
        t->column[model[0]].name, t->column[model[1]].name, t->column[winner].name, what);
}

/* "a_wins", "model_a_better": 1, 0 or 0.5 of the first. */
static int is_share(const struct init_table *t, int k)
{
    static const char last[] = " wins win won better ";
    const struct init_column *c = &t->column[k];
    struct init_name split;
    struct side side;
    char word[INIT_WORD + 3] = "";
    init_name_split(&split, c->name);
    find_side(&side, c->name);
    if (split.n >= 2) {
        snprintf(word, sizeof word, " %s ", split.word[split.n - 1].text);
    }
    return side.which == 0 && word[0] != '\0' && strstr(last, word) != NULL &&
           c->numbers + c->truths == c->filled && c->least >= 0.0 && c->most <= 1.0;
}

static int judge_winner(struct init_table *t, int k)
{
    struct said s = {.is_digits = 1};
    const int *model = t->is.model;
    TRY(sql_each(t->sql, hear, &s,
                 "SELECT c%d, c%d, c%d, count(*) FROM t WHERE c%d IS NOT NULL AND c%d IS NOT NULL "
                 "AND c%d IS NOT NULL GROUP BY 1, 2, 3",
                 model[0], model[1], k, k, model[0], model[1]));
    t->is.winner[0] = k;
    t->is.n_winners = 1;
    t->is.is_share = is_share(t, k);
    if (t->is.is_share) {
        return REGRET_OK;
    }
    if (s.unknown > 0 || s.votes == 0) {
        char what[80];
        snprintf(what, sizeof what, "holds \"%s\"", s.example);
        return ask_winner(t, k, what);
    }
    int are_names = s.by_name == s.decided, are_sides = s.by_side == s.decided;
    if (s.differ > 0 && (are_sides || !are_names)) {
        return ask_winner(t, k, "may name a side or a model");
    }
    if (t->column[model[0]].is_numeric && s.larger == s.decided && s.decided >= 10) {
        return ask_winner(t, k, "always names the larger number: they may be scores");
    }
    if (s.is_digits && !are_names && t->known->winner == NULL && t->column[k].least == 1.0) {
        init_offer(t, "1 is the first, 2 the second", "--winner", t->column[k].name, NULL);
    }
    return s.is_digits && !are_names && (t->known->winner == NULL || t->column[k].least != 1.0)
               ? ask_winner(t, k, "holds 0, 1 or 2, which say nothing by themselves")
               : REGRET_OK;
}

/* winner_model_a, winner_model_b, winner_tie: one flag each. */
static int find_flags(struct init_table *t)
{
    int flag[4] = {INIT_NONE, INIT_NONE, INIT_NONE, INIT_NONE};
    for (int k = 0; k < (int)t->n_columns; k++) {
        const struct init_column *c = &t->column[k];
        struct side side;
        find_side(&side, c->name);
        int is_flag = init_is_free(t, k) && c->numbers + c->truths == c->filled &&
                      c->least == 0.0 && c->most == 1.0 && c->distinct == 2;
        int is_winner = init_name_has(c->name, " winner wins won ");
        int place = init_name_has(c->name, " bad ")        ? 3
                    : init_name_has(c->name, " tie draw ") ? 2
                    : is_winner && side.which >= 0         ? side.which
                                                           : INIT_NONE;
        if (is_flag && place != INIT_NONE && flag[place] == INIT_NONE) {
            flag[place] = k;
        }
    }
    for (int i = 0; i < 4 && flag[i] != INIT_NONE && flag[1] != INIT_NONE; i++) {
        t->is.winner[t->is.n_winners++] = flag[i];
    }
    return t->is.n_winners >= 2;
}

static int find_winner(struct init_table *t)
{
    int k = t->known->winner != NULL ? init_column_at(t, t->known->winner) : INIT_NONE;
    if (t->known->winner != NULL) {
        return k != INIT_NONE ? judge_winner(t, k)
                              : regret_fail(REGRET_E_INPUT, "%s: there is no column \"%.60s\"",
                                            t->path, t->known->winner);
    }
    if (find_flags(t)) {
        return REGRET_OK;
    }
    for (k = 0; k < (int)t->n_columns; k++) {
        if (init_is_free(t, k) &&
            ((t->column[k].said.roles & INIT_WINNER) != 0 || is_share(t, k)) &&
            k != t->is.model[0] && k != t->is.model[1] && !t->column[k].is_list) {
            return judge_winner(t, k);
        }
    }
    for (k = 0; k < (int)t->n_columns && t->offers.length == 0; k++) {
        const struct init_column *c = &t->column[k];
        if (init_is_free(t, k) && c->distinct >= 2 && c->distinct <= 8 && !c->is_list &&
            k != t->is.model[0] && k != t->is.model[1]) {
            init_offer(t, "it says who has won", "--winner", c->name, NULL);
        }
    }
    init_offer(t, "a row is no vote", "--layout", "long", NULL);
    return init_question(t,
                         "\"%.40s\" and \"%.40s\" look like two agents of a vote: which column "
                         "says who has won?",
                         t->column[t->is.model[0]].name, t->column[t->is.model[1]].name);
}

/* ---------------------------------------------------------------- what it was on */

static int find_prompt(struct init_table *t)
{
    int id = t->is.context[0], text = INIT_NONE, other = INIT_NONE, again = INIT_NONE;
    const int *answer = t->is.answer;
    for (int k = 0; k < (int)t->n_columns; k++) {
        const struct init_column *c = &t->column[k];
        unsigned roles = c->said.roles;
        if (!init_is_free(t, k) || c->is_list || c->distinct < 2 || (roles & INIT_LEFT) != 0) {
            continue;
        }
        text = text == INIT_NONE && (roles & INIT_TEXT) != 0 && !c->said.is_id ? k : text;
        int is_id = (roles & INIT_CONTEXT) != 0 && c->said.is_id;
        again = again == INIT_NONE && is_id && c->distinct < t->rows ? k : again;
        id = id == INIT_NONE && is_id ? k : id;
        other = other == INIT_NONE && (roles & INIT_CONTEXT) != 0 ? k : other;
    }
    if (text == INIT_NONE && answer[0] != INIT_NONE && t->column[answer[0]].is_list) {
        text = answer[0]; /* a conversation, whose first turn it is */
    }
    id = id != INIT_NONE && t->column[id].distinct == t->rows && again != INIT_NONE ? again : id;
    int is_of_vote = id != INIT_NONE && t->column[id].distinct == t->rows;
    int is_again =
        text != INIT_NONE && (t->column[text].is_list || t->column[text].distinct < t->rows);
    if (t->is.context[0] == INIT_NONE && is_of_vote && is_again) {
        id = again != INIT_NONE ? again : text; /* each vote has an id, and prompts come again */
    }
    t->is.context[0] = id != INIT_NONE ? id : text != INIT_NONE ? text : other;
    t->is.text = text;
    if (t->is.context[0] != INIT_NONE) {
        t->column[t->is.context[0]].is_used = 1;
        t->column[text != INIT_NONE ? text : t->is.context[0]].is_used = 1;
        return REGRET_OK;
    }
    for (int k = 0; k < (int)t->n_columns; k++) {
        if (init_is_free(t, k) && t->column[k].distinct >= 2 &&
            4 * t->column[k].filled >= t->rows) {
            init_offer(t, "it says what a vote was on", "--context", t->column[k].name, NULL);
        }
    }
    return init_question(t, "which column says what a vote was on?");
}

int init_votes(int *found, struct init_table *t)
{
    struct pair two, answers;
    int has_winner = t->known->winner != NULL;
    *found = 0;
    TRY(find_two(&two, t, 0));
    for (int k = 0; k < (int)t->n_columns; k++) {
        has_winner |=
            init_is_free(t, k) && ((t->column[k].said.roles & INIT_WINNER) != 0 || is_share(t, k) ||
                                   init_name_has(t->column[k].name, " winner wins won "));
    }
    if (two.column[0] == INIT_NONE || !(two.is_named || has_winner)) {
        return REGRET_OK;
    }
    if (!has_winner && t->column[two.column[0]].is_numeric) {
        return REGRET_OK; /* their scores */
    }
    memcpy(t->is.model, two.column, sizeof two.column);
    t->is.layout = INIT_VOTES;
    if (!two.is_named && t->known->winner == NULL) {
        for (int k = 0; k < (int)t->n_columns; k++) {
            if ((t->column[k].said.roles & INIT_WINNER) != 0) {
                init_offer(t, "they are, and it says who has won", "--winner", t->column[k].name,
                           NULL);
            }
        }
        init_offer(t, "they are not", "--layout", "long", NULL);
        return init_question(t, "are \"%.40s\" and \"%.40s\" two agents of a vote?",
                             t->column[two.column[0]].name, t->column[two.column[1]].name);
    }
    TRY(find_winner(t));
    for (int i = 0; i < 2; i++) {
        t->column[two.column[i]].is_used = 1;
    }
    for (size_t i = 0; i < t->is.n_winners; i++) {
        t->column[t->is.winner[i]].is_used = 1;
    }
    TRY(find_two(&answers, t, 1));
    memcpy(t->is.answer, answers.column, sizeof answers.column);
    for (int i = 0; i < 2 && answers.column[0] != INIT_NONE; i++) {
        t->column[answers.column[i]].is_used = 1;
    }
    TRY(find_prompt(t));
    *found = 1;
    return REGRET_OK;
}
