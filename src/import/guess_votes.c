/* A row a vote. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/status.h"
#include "import/guess.h"
#include "import/guess_parts.h"
#include "import/importer.h"
#include "import/summary_scores.h"
#include "import/table_cell.h"
#include "import/table_map.h"
#include "regret/status.h"

enum { LONGEST_NAME = REGRET_TABLE_MAX_FIELD + 1 };

static const char *name_at(const struct table_guess *g, size_t k)
{
    return g->profile.column[k].name;
}

static int is_text(const struct profile_column *c)
{
    return c->filled > 0 && c->numbers < c->filled && column_fits_map(c->name);
}

/* A model may be called "y", which is yes elsewhere. */
static int may_be_models(const struct profile_column *c)
{
    enum { MOST = 100 }; /* models that are called by numbers */
    int is_numbered =
        c->whole == c->filled && c->least >= 0.0 && c->distinct <= MOST && c->distinct > 1;
    return column_fits_map(c->name) && c->filled > 0 &&
           (c->numbers - c->words < c->filled || is_numbered);
}

static int is_numbers(const struct profile_column *c)
{
    return c->numbers - c->words == c->filled;
}

/* The field of a column: a list's is that of the whole list, "conversation_a" of "conversation_a.0.content". */
static void field_of(char out[LONGEST_NAME], const char *name)
{
    size_t n = 0;
    while (name[n] != '\0' && !(name[n] == '.' && (name[n + 1] == '*' ||
                                                   (name[n + 1] >= '0' && name[n + 1] <= '9')))) {
        n++;
    }
    snprintf(out, LONGEST_NAME, "%.*s", (int)(n < LONGEST_NAME ? n : LONGEST_NAME - 1), name);
}

void guess_votes_free(struct guess_votes *v)
{
    regret_free(v->text[0]);
    regret_free(v->text[1]);
    regret_free(v->context);
    regret_free(v->prompt);
    *v = (struct guess_votes){0};
}

/* ---------------------------------------------------------------- models and winners */

/* Two columns whose names speak for models, or are nothing but sides: "first", "second". */
static int find_models(const struct table_guess *g, size_t model[2], int bare)
{
    for (size_t i = 0; i < g->profile.n_columns; i++) {
        struct name_side one, other;
        side_of(&one, name_at(g, i));
        int is_named = bare ? strcmp(one.rest, "*") == 0 : column_words(one.rest, GUESS_AGENT) > 0;
        if (one.which != 0 || !is_named || !column_fits_map(name_at(g, i))) {
            continue;
        }
        for (size_t j = 0; j < g->profile.n_columns; j++) {
            side_of(&other, name_at(g, j));
            if (side_is_pair(&one, &other) && may_be_models(&g->profile.column[i]) &&
                may_be_models(&g->profile.column[j])) {
                model[0] = i;
                model[1] = j;
                return 1;
            }
        }
    }
    return 0;
}

/* A column by its name in any case of letters; GUESS_NO_COLUMN: none. */
static size_t column_named(const struct table_guess *g, const char *name)
{
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        if (strcasecmp(name_at(g, k), name) == 0) {
            return k;
        }
    }
    return GUESS_NO_COLUMN;
}

/* winner_model_a, winner_model_b, winner_tie: flags, as some arenas publish. */
static void find_flags(struct guess_votes *v, const struct table_guess *g)
{
    static const char *const NAMES[3][4] = {
        {"winner_model_a", "winner_model_b", "winner_tie", "winner_both_bad"},
        {"winner_a", "winner_b", "winner_tie", "winner_both_bad"},
        {"a_wins", "b_wins", "tie", "both_bad"}};
    for (size_t i = 0; i < 3 && v->n_winners < 2; i++) {
        v->n_winners = 0;
        for (size_t k = 0; k < 4; k++) {
            size_t column = column_named(g, NAMES[i][k]);
            if (column == GUESS_NO_COLUMN) {
                break;
            }
            v->winner[v->n_winners++] = column;
        }
    }
    v->n_winners = v->n_winners < 2 ? 0 : v->n_winners;
}

/* A column that may say who has won, and what it says. */
struct said {
    size_t column, known, blank, unknown;
    size_t by_name, by_side, differ; /* known so; and by both, with another winner each */
    size_t decided,
        larger; /* votes with a winner, and of these with the larger number as its name */
    char example[sizeof((struct guess_votes *)0)->example];
};
enum { MOST_SAID = 16 }; /* columns looked at */
struct all_said {
    struct said said[MOST_SAID];
    size_t n;
};

/* What one row says, in every such column. */
static int take_winners(void *context, struct table_source *source)
{
    struct all_said *all = context;
    char model[2][LONGEST_NAME];
    const char *text = NULL;
    if (source == NULL) {
        return REGRET_OK;
    }
    for (size_t i = 0; i < 2; i++) {
        TRY(table_source_text(&text, source, i == 0 ? TABLE_AGENT : TABLE_OTHER_AGENT, 1));
        snprintf(model[i], sizeof model[i], "%s", text);
    }
    for (size_t i = 0; i < all->n; i++) {
        struct said *s = &all->said[i];
        TRY(table_source_text(&text, source, TABLE_VALUES + i, 1));
        int is_blank = text[0] == '\0' || table_source_is_missing(text);
        enum vote_winner winner = winner_of(text, model[0], model[1]),
                         side = winner_of(text, "", "");
        int is_known = !is_blank && winner != WINNER_UNKNOWN;
        int is_name = is_known && (strcmp(text, model[0]) == 0 || strcmp(text, model[1]) == 0);
        s->decided += winner == WINNER_A || winner == WINNER_B;
        s->larger += (winner == WINNER_A && strtod(model[0], NULL) > strtod(model[1], NULL)) ||
                     (winner == WINNER_B && strtod(model[1], NULL) > strtod(model[0], NULL));
        s->by_name += (size_t)is_name;
        s->by_side += is_known && side != WINNER_UNKNOWN;
        s->differ += is_name && side != WINNER_UNKNOWN && side != winner;
        if (!is_blank && !is_known && s->unknown++ == 0) {
            snprintf(s->example, sizeof s->example, "%s", text);
        }
        s->blank += (size_t)is_blank;
        s->known += (size_t)is_known;
    }
    return REGRET_OK;
}

/* The columns whose names speak for winners, counted in one reading. */
static int count_winners(struct all_said *all, const struct guess_votes *v,
                         const struct table_guess *g, const char *path)
{
    const char *field[TABLE_VALUES + MOST_SAID] = {
        [TABLE_AGENT] = name_at(g, v->model[0]), [TABLE_OTHER_AGENT] = name_at(g, v->model[1])};
    for (size_t k = 0; k < g->profile.n_columns && all->n < MOST_SAID; k++) {
        if (k != v->model[0] && k != v->model[1] && column_fits_map(name_at(g, k)) &&
            column_words(name_at(g, k), COLUMN_WINNER) > 0) {
            field[TABLE_VALUES + all->n] = name_at(g, k);
            all->said[all->n++].column = k;
        }
    }
    return all->n > 0 ? guess_read(g, path, field, TABLE_VALUES + all->n, take_winners, all)
                      : REGRET_OK;
}

/* 1 where column k has a counterpart of the other side. */
static int has_other_side(const struct table_guess *g, size_t k)
{
    struct name_side one, other;
    int found = 0;
    side_of(&one, name_at(g, k));
    for (size_t j = 0; j < g->profile.n_columns && !found; j++) {
        side_of(&other, name_at(g, j));
        found = side_is_pair(&one, &other);
    }
    return found;
}

/* a_wins, score_a: what the first has of the win, 1, 0 or 0.5, where nothing says what the second has. */
static void find_share(struct guess_votes *v, const struct table_guess *g)
{
    const struct table_profile *p = &g->profile;
    for (size_t k = 0; k < p->n_columns && v->n_winners == 0; k++) {
        struct name_side side;
        side_of(&side, name_at(g, k));
        int fits =
            side.which == 0 && column_fits_map(name_at(g, k)) && p->column[k].distinct > 1 &&
            p->column[k].numbers == p->column[k].filled &&
            column_count_words(side.rest, " win wins won winner better preferred score ") > 0 &&
            !has_other_side(g, k);
        for (size_t i = k; i < p->rows * p->n_columns && fits; i += p->n_columns) {
            double x = p->number[i];
            fits = isnan(x) || x == 0.0 || x == 0.5 || x == 1.0;
        }
        if (fits) {
            v->winner[v->n_winners++] = k;
            v->is_share = 1;
            v->blank = p->rows - p->column[k].filled;
        }
    }
}

/* "1" may be the first model or the one called 1. */
static int check_reading(const struct guess_votes *v, const struct table_guess *g,
                         const struct said *s, const char *path)
{
    int by_either = s->by_side == s->known || s->by_name < s->known;
    if (is_numbers(&g->profile.column[v->model[0]]) && s->larger == s->decided) {
        return regret_fail(
            REGRET_E_INPUT,
            "%s: \"%.40s\" and \"%.40s\" may be names of models or their scores: the "
            "larger number always wins; give models a letter (m1), or leave "
            "\"%.40s\" out",
            path, name_at(g, v->model[0]), name_at(g, v->model[1]), name_at(g, s->column));
    }
    return s->differ == 0 || !by_either
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s: \"%.40s\" may name a side, the first model or the second, or a "
                             "model by what "
                             "it is called (%zu rows have another winner by the one than by the "
                             "other): say model_a, model_b or tie",
                             path, name_at(g, s->column), s->differ);
}

/* The column whose name speaks for winners and whose words are understood, but for slips. */
enum { UNKNOWN = 20 };
static int find_winner(struct guess_votes *v, const struct table_guess *g, const char *path)
{
    struct all_said all = {.n = 0};
    const struct said *named = NULL;
    find_flags(v, g);
    TRY(v->n_winners == 0 ? count_winners(&all, v, g, path) : REGRET_OK);
    for (size_t i = 0; i < all.n && v->n_winners == 0; i++) {
        const struct said *s = &all.said[i];
        if (s->known > 0 && UNKNOWN * s->unknown <= s->unknown + s->known) {
            TRY(check_reading(v, g, s, path));
            v->winner[v->n_winners++] = s->column;
            v->blank = s->blank;
            v->unknown = s->unknown;
            snprintf(v->example, sizeof v->example, "%s", s->example);
        } else if (s->unknown > 0 && named == NULL) {
            named = s;
        }
    }
    if (v->n_winners == 0) {
        find_share(v, g);
    }
    return v->n_winners > 0 || named == NULL
               ? REGRET_OK
               : regret_fail(
                     REGRET_E_INPUT,
                     "%s: columns \"%.40s\" and \"%.40s\" look like those of votes, but \"%.40s\" "
                     "holds \"%.40s\"; it must be " WINNER_WORDS
                     "; call it a_wins where it is 1, 0 or 0.5 of the first",
                     path, name_at(g, v->model[0]), name_at(g, v->model[1]),
                     name_at(g, named->column), named->example);
}

/* Scores of the two answers in the place of who has won: of models that change from row to row they are no table of votes,
 * and no wide one, whose columns are each of one agent. */
static int refuse_scores(const struct table_guess *g, const char *path)
{
    const struct guess_votes *v = &g->votes;
    const struct profile_column *c = g->profile.column;
    struct name_side one, other;
    if (c[v->model[0]].distinct == 1 && c[v->model[1]].distinct == 1) {
        return REGRET_OK;
    }
    for (size_t i = 0; i < g->profile.n_columns; i++) {
        side_of(&one, name_at(g, i));
        for (size_t j = 0; one.which == 0 && j < g->profile.n_columns; j++) {
            side_of(&other, name_at(g, j));
            if (side_is_pair(&one, &other) && column_words(one.rest, GUESS_COMPONENT) > 0 &&
                2 * c[i].numbers > c[i].filled && 2 * c[j].numbers > c[j].filled) {
                return regret_fail(REGRET_E_INPUT,
                                   "%s: \"%.40s\" and \"%.40s\" name two models, and \"%.40s\" and "
                                   "\"%.40s\" score them: write a row for each of the two (prompt, "
                                   "model, score), or who has won in a column \"winner\"",
                                   path, name_at(g, v->model[0]), name_at(g, v->model[1]),
                                   name_at(g, i), name_at(g, j));
            }
        }
    }
    return REGRET_OK;
}

/* The different models of both columns. */
static int count_models(struct table_guess *g)
{
    const struct table_profile *p = &g->profile;
    struct profile_pair *model = NULL;
    TRY(REGRET_NEW(&model, 2 * p->rows));
    for (size_t i = 0; i < 2 * p->rows; i++) {
        uint64_t hash = p->cell[i / 2 * p->n_columns + g->votes.model[i % 2]];
        model[i] = (struct profile_pair){hash, 0};
    }
    qsort(model, 2 * p->rows, sizeof *model, profile_pair_compare);
    g->agents = 0;
    for (size_t i = 0; i < 2 * p->rows; i++) {
        g->agents += i == 0 || model[i].a != model[i - 1].a;
    }
    regret_free(model);
    return REGRET_OK;
}

/* Few short values in both columns, which change from row to row: names, and no answers. */
static int are_names(int *out, struct table_guess *g)
{
    const struct profile_column *one = &g->profile.column[g->votes.model[0]],
                                *other = &g->profile.column[g->votes.model[1]];
    TRY(count_models(g));
    *out = 2 * g->agents <= g->profile.rows && one->longest <= REGRET_POOL_MAX_ID &&
           other->longest <= REGRET_POOL_MAX_ID && one->distinct + other->distinct > 2;
    return REGRET_OK;
}

/* Numbers in both columns are names where no row compares a model with itself, as scores would; and few. */
static int are_numbered(int *out, struct table_guess *g)
{
    const struct table_profile *p = &g->profile;
    const size_t *model = g->votes.model;
    *out = 1;
    if (!is_numbers(&p->column[model[0]]) && !is_numbers(&p->column[model[1]])) {
        return REGRET_OK;
    }
    for (size_t i = 0; i < p->rows && *out; i++) {
        *out = p->cell[i * p->n_columns + model[0]] != p->cell[i * p->n_columns + model[1]];
    }
    TRY(*out ? are_names(out, g) : REGRET_OK);
    return REGRET_OK;
}

/* Another column that names the agent of a row. */
static int has_agent(const struct table_guess *g)
{
    int found = 0;
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        struct name_side side;
        side_of(&side, name_at(g, k));
        found |= side.which < 0 && k != g->votes.model[0] && k != g->votes.model[1] &&
                 column_words(name_at(g, k), GUESS_AGENT) > 0;
    }
    return found;
}

/* Two models a row, and nothing that says who has won: they are no agents of a row each. */
static int refuse_without_winner(struct table_guess *g, const char *path)
{
    const char *one = name_at(g, g->votes.model[0]), *other = name_at(g, g->votes.model[1]);
    int names = 0;
    TRY(are_names(&names, g));
    return !names || has_agent(g) || column_words(one, GUESS_RATER) > 0
               ? REGRET_OK
               : regret_fail(
                     REGRET_E_INPUT,
                     "%s: \"%.40s\" and \"%.40s\" name two models a row, as votes do, and "
                     "no column says who has won: call it \"winner\" (model_a, model_b, "
                     "tie) or \"a_wins\" (1, 0, 0.5); --agent COLUMN says that a row is one "
                     "agent's",
                     path, one, other);
}

/* Who has won and who has lost, by their names. */
static int refuse_losers(struct table_guess *g, const char *path)
{
    static const char *const WORDS[2] = {" winner won chosen preferred better ",
                                         " loser lost rejected worse "};
    struct guess_votes *v = &g->votes;
    int found[2] = {0, 0}, names = 0, others = 0;
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        const struct profile_column *c = &g->profile.column[k];
        for (size_t i = 0; i < 2; i++) {
            if (is_text(c) && column_count_words(c->name, WORDS[i]) > 0) {
                v->model[i] = k;
                found[i]++;
            }
        }
        others |= c->numbers == c->filled && c->least < c->most &&
                  column_words(c->name, GUESS_CONTEXT) + column_words(c->name, COLUMN_ID) == 0;
    }
    if (found[0] != 1 || found[1] != 1 || others || v->model[0] == v->model[1] || has_agent(g)) {
        return REGRET_OK;
    }
    TRY(are_names(&names, g));
    return !names ? REGRET_OK
                  : regret_fail(REGRET_E_INPUT,
                                "%s: \"%.40s\" and \"%.40s\" seem to say who has won a vote and "
                                "who has lost: call them \"model_a\" and \"model_b\", and add a "
                                "column \"winner\", model_a in every row",
                                path, name_at(g, v->model[0]), name_at(g, v->model[1]));
}

/* ---------------------------------------------------------------- answers and prompts */

/* 1 where the name speaks for an answer, or for a whole conversation. */
static int speaks_for_answer(const char *name)
{
    return column_words(name, GUESS_OUTPUT) > 0 || column_words(name, COLUMN_TURNS) > 0;
}

static int find_answers(struct guess_votes *v, const struct table_guess *g)
{
    char one[LONGEST_NAME], other[LONGEST_NAME];
    struct name_side first, second;
    for (size_t i = 0; i < g->profile.n_columns && v->text[0] == NULL; i++) {
        field_of(one, name_at(g, i));
        side_of(&first, one);
        if (first.which != 0 || !is_text(&g->profile.column[i]) || i == v->model[0] ||
            !speaks_for_answer(first.rest)) {
            continue;
        }
        for (size_t j = 0; j < g->profile.n_columns && v->text[0] == NULL; j++) {
            field_of(other, name_at(g, j));
            side_of(&second, other);
            if (is_text(&g->profile.column[j]) && side_is_pair(&first, &second)) {
                TRY(regret_strdup(&v->text[0], one));
                TRY(regret_strdup(&v->text[1], other));
            }
        }
    }
    return REGRET_OK;
}

static int is_taken(const struct guess_votes *v, const struct table_guess *g, size_t k)
{
    char field[LONGEST_NAME];
    int taken = k == v->model[0] || k == v->model[1];
    field_of(field, name_at(g, k));
    for (size_t i = 0; i < v->n_winners; i++) {
        taken |= k == v->winner[i];
    }
    for (size_t i = 0; i < 2 && v->text[i] != NULL; i++) {
        taken |= strcmp(field, v->text[i]) == 0;
    }
    return taken;
}

/* The column of ids (or, without `ids`, of texts) whose name speaks for it most. */
static size_t find_prompt(const struct guess_votes *v, const struct table_guess *g, int ids)
{
    size_t best = GUESS_NO_COLUMN;
    int most = 0;
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        const struct profile_column *c = &g->profile.column[k];
        int is_id = column_words(c->name, COLUMN_ID) > 0;
        int words = column_words(c->name, ids ? GUESS_CONTEXT : GUESS_TEXT);
        if (words > most && is_id == ids && !is_taken(v, g, k) && column_fits_map(c->name) &&
            c->filled == g->profile.rows && (ids || is_text(c))) {
            best = k;
            most = words;
        }
    }
    return best;
}

/* The first turn of a conversation, by which its prompts are told apart well enough to count them. */
static size_t find_first_turn(const struct guess_votes *v, const struct table_guess *g)
{
    char field[LONGEST_NAME];
    for (size_t k = 0; k < g->profile.n_columns && v->text[0] != NULL; k++) {
        field_of(field, name_at(g, k));
        if (strcmp(field, v->text[0]) == 0 && is_text(&g->profile.column[k]) &&
            g->profile.column[k].distinct > 1) {
            return k;
        }
    }
    return GUESS_NO_COLUMN;
}

/* Whether an id tells prompts apart, or votes: then the text does, where several have one. */
static int is_id_of_prompts(int *out, const struct table_guess *g, size_t id, size_t text)
{
    const struct table_profile *p = &g->profile;
    *out = id != GUESS_NO_COLUMN;
    if (id == GUESS_NO_COLUMN || text == GUESS_NO_COLUMN) {
        return REGRET_OK;
    }
    TRY(table_profile_follows(out, p, text, id));
    *out = *out && !(p->column[id].distinct == p->rows && p->column[text].distinct < p->rows);
    return REGRET_OK;
}

/* Fields of context and text, by columns of an id and of a text, either of which may be none. */
static int set_prompt(struct table_guess *g, size_t id, size_t text, const char *path)
{
    struct guess_votes *v = &g->votes;
    char field[LONGEST_NAME];
    int has_id = 0;
    size_t counted = GUESS_NO_COLUMN;
    int is_turns =
        text == GUESS_NO_COLUMN && v->text[0] != NULL && column_words(v->text[0], COLUMN_TURNS) > 0;
    counted = is_turns ? find_first_turn(v, g) : text;
    TRY(is_id_of_prompts(&has_id, g, id, counted));
    has_id |= g->context != GUESS_NO_COLUMN;
    if (!has_id && text == GUESS_NO_COLUMN && !is_turns) {
        return regret_fail(REGRET_E_INPUT,
                           "%s: a table of votes (\"%.40s\", \"%.40s\") without a column that says "
                           "which prompt they are about: name it with --context COLUMN, or add one",
                           path, name_at(g, v->model[0]), name_at(g, v->model[1]));
    }
    if (is_turns) {
        snprintf(field, sizeof field, "%s", v->text[0]);
    } else {
        field_of(field, name_at(g, text != GUESS_NO_COLUMN ? text : id));
    }
    TRY(regret_strdup(&v->prompt, field));
    g->at[GUESS_CONTEXT] = has_id ? id : counted != GUESS_NO_COLUMN ? counted : v->model[0];
    return regret_strdup(&v->context, has_id ? name_at(g, id) : field);
}

/* A column whose name speaks for a kind of prompts, and that follows from them. */
static int find_tag(struct table_guess *g)
{
    struct guess_votes *v = &g->votes;
    v->tag = GUESS_NO_COLUMN;
    for (size_t k = 0; k < g->profile.n_columns && v->tag == GUESS_NO_COLUMN; k++) {
        const struct profile_column *c = &g->profile.column[k];
        int follows = 0;
        if (column_words(c->name, GUESS_TAG) == 0 || is_taken(v, g, k) || !is_text(c) ||
            c->distinct < 2 || 2 * c->distinct > g->contexts || c->longest > REGRET_POOL_MAX_ID ||
            k == g->at[GUESS_CONTEXT]) {
            continue;
        }
        TRY(table_profile_follows(&follows, &g->profile, k, g->at[GUESS_CONTEXT]));
        v->tag = follows ? k : v->tag;
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- numbers */

int guess_votes_find(struct table_guess *g, const char *path)
{
    struct guess_votes *v = &g->votes;
    int is_named = find_models(g, v->model, 0), is_bare = 0;
    TRY(is_named ? are_numbered(&is_named, g) : REGRET_OK);
    if (!is_named && find_models(g, v->model, 1)) {
        TRY(are_names(&is_bare, g));
    }
    if (!is_named && !is_bare) {
        return refuse_losers(g, path);
    }
    TRY(find_winner(v, g, path));
    if (v->n_winners == 0) {
        TRY(refuse_scores(g, path));
        return is_named && !is_numbers(&g->profile.column[v->model[0]])
                   ? refuse_without_winner(g, path)
                   : REGRET_OK;
    }
    TRY(find_answers(v, g));
    size_t id = g->context != GUESS_NO_COLUMN ? g->context : find_prompt(v, g, 1);
    TRY(set_prompt(g, id, find_prompt(v, g, 0), path));
    g->contexts = g->profile.column[g->at[GUESS_CONTEXT]].distinct;
    TRY(count_models(g));
    TRY(find_tag(g));
    g->pairs = 2 * g->contexts;
    g->grid_contexts = g->contexts;
    g->grid_agents = g->agents;
    g->n_components = 1;
    v->is_found = 1;
    return REGRET_OK;
}

/* ---------------------------------------------------------------- words */

static void put_field(struct regret_buffer *out, const char *key, const char *field)
{
    regret_buffer_printf(out, "\"%s\": ", key);
    regret_buffer_json_string(out, field);
}

void guess_votes_map(struct regret_buffer *out, const struct table_guess *g)
{
    const struct guess_votes *v = &g->votes;
    put_field(out, "context", v->context);
    regret_buffer_append(out, ", ");
    put_field(out, "text", v->prompt);
    if (v->tag != GUESS_NO_COLUMN) {
        regret_buffer_append(out, ", ");
        put_field(out, "tag", name_at(g, v->tag));
    }
    regret_buffer_append(out, "},\n  \"votes\": {");
    put_field(out, "model_a", name_at(g, v->model[0]));
    regret_buffer_append(out, ", ");
    put_field(out, "model_b", name_at(g, v->model[1]));
    int is_list = v->n_winners > 1 || v->is_share;
    regret_buffer_append(out, is_list ? ", \"winner\": [" : ", \"winner\": ");
    for (size_t i = 0; i < v->n_winners; i++) {
        regret_buffer_append(out, i > 0 ? ", " : "");
        regret_buffer_json_string(out, name_at(g, v->winner[i]));
    }
    regret_buffer_append(out, is_list ? "]" : "");
    for (size_t i = 0; i < 2 && v->text[0] != NULL; i++) {
        regret_buffer_append(out, ", ");
        put_field(out, i == 0 ? "text_a" : "text_b", v->text[i]);
    }
    regret_buffer_append(out, ", \"both_bad\": \"tie\", \"shown_first\": \"model_a\"}");
}

static void say(struct regret_buffer *out, const char *what, const char *field)
{
    regret_buffer_printf(out, "  %-10s ", what);
    regret_buffer_append_safe(out, field, 40);
    regret_buffer_append(out, "\n");
}

void guess_votes_explain(struct regret_buffer *out, const struct table_guess *g)
{
    const struct guess_votes *v = &g->votes;
    regret_buffer_printf(out, "A table of votes: %s%zu votes on %zu prompts between %zu models\n",
                         g->profile.cut ? "the first " : "", g->profile.rows, g->contexts,
                         g->agents);
    say(out, "prompt", v->context);
    if (strcmp(v->context, v->prompt) != 0) {
        say(out, "its text", v->prompt);
    }
    if (v->tag != GUESS_NO_COLUMN) {
        say(out, "tag", name_at(g, v->tag));
    }
    say(out, "model_a", name_at(g, v->model[0]));
    say(out, "model_b", name_at(g, v->model[1]));
    for (size_t i = 0; i < v->n_winners; i++) {
        say(out, "winner", name_at(g, v->winner[i]));
    }
    for (size_t i = 0; i < 2 && v->text[0] != NULL; i++) {
        say(out, i == 0 ? "text_a" : "text_b", v->text[i]);
    }
    if (v->is_share) {
        regret_buffer_append(out, "By the name of the winner's column 1 says that model_a has won, "
                                  "0 that model_b has, 0.5 a tie.\n");
    }
    regret_buffer_append(
        out, "Each vote is an outcome of two answers: won 1, lost 0, a tie one half "
             "(both bad, too: \"both_bad\": \"drop\" in the map leaves these out). "
             "Several votes on one prompt and pair in one order count as their mean.\n"
             "model_a is taken for the answer that was shown first, or on the left: what "
             "that does to votes is estimated\nand taken off. Where it was not, write "
             "\"shown_first\": \"model_b\", or \"unknown\", in the map's \"votes\".\n");
    if (v->text[0] == NULL) {
        regret_buffer_append(out,
                             "No columns hold the answers: the names of the models stand in for "
                             "them.\n");
    }
}
