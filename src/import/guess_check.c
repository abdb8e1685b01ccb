/* Guesses checked against the rows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "import/guess.h"
#include "import/profile_json.h"
#include "import/table_cell.h"
#include "regret/pool.h"
#include "regret/status.h"

enum { LEAST_RANKED = 10 }; /* contexts */

static const double SLIP = 0.9; /* of a column's cells that are as other agents' */

/* What columns whose scores count together hold. */
struct together {
    double least, most;
    size_t numbers, grades, words;
};

static void add(struct together *t, const struct profile_column *c)
{
    if (c->numbers > 0) {
        t->least = fmin(t->least, c->least);
        t->most = fmax(t->most, c->most);
    }
    t->numbers += c->numbers - c->words;
    t->grades += c->grades;
    t->words += c->words;
}

static int fail_at(const char *path, const struct profile_cell *cell,
                   const struct profile_column *c, const char *why)
{
    return regret_fail(REGRET_E_INPUT, "%s:%zu: column \"%.40s\" holds \"%s\"%s", path, cell->at,
                       c->name, cell->text, why);
}

static int check_column(const struct profile_column *c, const struct together *all,
                        const char *path)
{
    size_t given = c->numbers + c->grades + c->nearly + c->others;
    size_t bad = c->others + c->nearly - c->percents;
    if (c->percents > 0) {
        return fail_at(
            path, &c->percent, c,
            ": percent signs are not read, for 45% would be 45 here and .45 there; write "
            "all scores as the one or the other, without the sign");
    }
    if (c->words > 0 && all->numbers > 0 && (all->least < 0.0 || all->most > 1.0)) {
        return fail_at(path, &c->word, c,
                       ", but scores are numbers beyond 0 to 1, too; yes, pass, true and their "
                       "opposites count 1 and 0: write all of them as numbers, or none");
    }
    if (c->grades > 0 && (all->words > 0 || (all->numbers > 0 && (all->least < GRADES_LOW ||
                                                                  all->most > GRADES_HIGH)))) {
        return fail_at(path, &c->grade, c,
                       ", but scores are numbers beyond those of letter grades (A+ is 4.3, F 0), "
                       "or words, too; write all of them as numbers, or as letters");
    }
    if (20 * bad > given) {
        return fail_at(
            path, &c->other, c,
            c->words > 0
                ? ", which is no score, as are more cells of it; scores are yes and no here, or "
                  "pass and fail, true and false, correct and incorrect, 1 and 0, and nothing "
                  "else: correct them, or leave the cells blank"
                : ", which is no score, as are more cells of it; scores are numbers with a "
                  "decimal point (or all with a decimal comma) and nothing else: correct them, "
                  "or leave the cells blank");
    }
    return REGRET_OK;
}

static int fail_slip(const char *path, const struct profile_column *c, double slip, size_t at,
                     const double range[2])
{
    return regret_fail(REGRET_E_INPUT,
                       "%s:%zu: column \"%.40s\" holds %.6g, where nearly all of its cells are as "
                       "those of agents, whose scores go from %.6g to %.6g: correct it, leave it "
                       "blank, or take the column out if it is no agent's",
                       path, at, c->name, slip, range[0], range[1]);
}

/* 1 where the cells of a column are about where the agents' scores are but for a few, which are as far from them again as
 * these go. */
static int is_like_others(const struct table_guess *g, size_t k, const double range[2])
{
    const struct table_profile *p = &g->profile;
    double width = range[1] - range[0];
    size_t near = 0, far = 0;
    for (size_t i = 0; i < p->rows; i++) {
        double x = p->number[i * p->n_columns + k];
        double beyond = fmax(range[0] - x, x - range[1]);
        near += beyond <= width / 2.0;
        far += beyond > width;
    }
    return far > 0 && near + far >= p->column[k].numbers &&
           (double)near >= SLIP * (double)(near + far);
}

/* A column of an agent, or of none for that, whose numbers go far beyond the others' in a few cells. */
static int check_slip(const struct table_guess *g, size_t k, const char *path)
{
    const struct profile_column *c = &g->profile.column[k];
    double range[2] = {INFINITY, -INFINITY};
    for (size_t j = 0; j < g->profile.n_columns; j++) {
        const struct profile_column *other = &g->profile.column[j];
        if (g->is_wide && j != k && g->is_score[j] && other->numbers > 0) {
            range[0] = fmin(range[0], other->least);
            range[1] = fmax(range[1], other->most);
        }
    }
    if (c->slips > 0 && g->range == NULL) {
        return g->is_wide ? fail_slip(path, c, c->slip, c->slip_at, range)
                          : profile_column_fail_slip(path, c, "init --range WORST:BEST takes it");
    }
    int is_above = c->most - range[1] > range[0] - c->least;
    int is_beyond = c->numbers > 0 && (c->most > range[1] || c->least < range[0]);
    return !is_beyond || !is_like_others(g, k, range)
               ? REGRET_OK
               : fail_slip(path, c, is_above ? c->most : c->least,
                           is_above ? c->most_at : c->least_at, range);
}

/* What stands for missing numbers of column k, of a wide table in field k of all agents. */
static int check_sentinel(struct table_guess *g, size_t k, const char *path)
{
    const struct table_profile *p = &g->profile;
    const struct profile_column *first = NULL;
    struct slip s;
    double *x = NULL;
    char other[40] = ", as do";
    size_t n = 0, line = SIZE_MAX, zeros = 0;
    TRY(REGRET_NEW(&x, g->is_wide ? p->rows * p->n_columns : p->rows));
    for (size_t j = 0; j < p->n_columns; j++) {
        size_t rows = guess_is_of_field(g, j, k) ? p->rows : 0;
        for (size_t i = 0; i < rows; i++) {
            x[n] = p->number[i * p->n_columns + j];
            n += !isnan(x[n]);
        }
    }
    sentinel_find(&s, x, n);
    g->zeros += zero_may_be_none(&zeros, x, n) ? zeros : 0;
    regret_free(x);
    if (!isnan(s.other)) {
        snprintf(other, sizeof other, "; that or %.6g hold", s.other);
    }
    for (size_t j = 0; j < p->n_columns && s.n > 0; j++) {
        const struct profile_column *c = &p->column[j];
        double ends[3] = {c->slips > 0 ? c->slip : NAN, c->least, c->most};
        size_t at[3] = {c->slip_at, c->least_at, c->most_at};
        int is_one = c->numbers > 0 && guess_is_of_field(g, j, k);
        for (int e = 0; e < 3 && is_one; e++) {
            if (ends[e] == s.value && at[e] < line) {
                line = at[e];
                first = c;
            }
        }
    }
    return first == NULL
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s:%zu: column \"%.40s\" holds %.6g%s %zu of %zu cells%s, where "
                             "all others go from %.6g to %.6g: if it says that a number is "
                             "missing, leave these cells blank; if it is a score, init --range "
                             "WORST:BEST takes it",
                             path, line, first->name, s.value, other, s.n, n,
                             g->is_wide ? " of all agents" : "", s.least, s.most);
}

/* Whether in nine of ten contexts, ten at least, the n numbers are as many whole ones as there are, each once: of how many. */
static size_t count_ranks(struct owned_number *r, size_t n)
{
    size_t contexts = 0, ranked = 0, most = 0;
    qsort(r, n, sizeof *r, owned_number_compare);
    for (size_t i = 0, end; i < n; i = end, contexts++) {
        int is_ranked = r[i].x == 1.0;
        for (end = i + 1; end < n && r[end].owner == r[i].owner; end++) {
            is_ranked &= r[end].x == r[end - 1].x + 1.0;
        }
        ranked += is_ranked && end > i + 1;
        most = end - i > most ? end - i : most;
    }
    return ranked >= LEAST_RANKED && 10 * ranked >= 9 * contexts ? most : 0;
}

/* Of ranks without a name for them nobody knows which end is the better. */
static int check_ranks(const struct table_guess *g, size_t k, const char *path)
{
    const struct table_profile *p = &g->profile;
    enum guess_role role = GUESS_NONE;
    const char *name = guess_field_at(g, k, &role)->name;
    struct owned_number *r = NULL;
    size_t n = 0;
    TRY(REGRET_NEW(&r, g->is_wide ? p->rows * p->n_columns : p->rows));
    for (size_t j = 0; j < p->n_columns; j++) {
        size_t rows = guess_is_of_field(g, j, k) ? p->rows : 0;
        for (size_t at = 0; at < rows * p->n_columns; at += p->n_columns) {
            r[n] = (struct owned_number){p->cell[at + g->at[GUESS_CONTEXT]], p->number[at + j]};
            n += !isnan(p->number[at + j]);
        }
    }
    size_t most = column_direction(name) == COLUMN_IS_PLAIN ? count_ranks(r, n) : 0;
    regret_free(r);
    return most == 0 ? REGRET_OK
                     : regret_fail(REGRET_E_INPUT,
                                   "%s: %s%.40s%s numbers the agents of each context, 1 to %zu: "
                                   "ranks, of which nothing says which end is the better; init "
                                   "--range %zu:1 says that it is 1, --range 1:%zu that it is %zu",
                                   path, g->is_wide ? "a row" : "column \"", g->is_wide ? "" : name,
                                   g->is_wide ? "" : "\"", most, most, most, most);
}

/* Rows that each hold another measure of one output are no draws of one score. */
static int check_measures(const struct table_guess *g, const char *path)
{
    for (size_t k = 0; k < g->profile.n_columns && g->profile.rows > g->pairs; k++) {
        const struct profile_column *c = &g->profile.column[k];
        int follows = g->role[k] != GUESS_NONE || c->distinct < 2 || c->other.at == 0 ||
                      column_count_words(c->name, " metric metrics measure criterion criteria "
                                                  "aspect dimension statistic ") == 0;
        TRY(!follows ? table_profile_follows(&follows, &g->profile, k, g->at[GUESS_CONTEXT])
                     : REGRET_OK);
        if (!follows) {
            return regret_fail(REGRET_E_INPUT,
                               "%s:%zu: column \"%.40s\" says what a row measures (\"%s\" there): "
                               "give each measure a column of its own, or keep the rows of one",
                               path, c->other.at, c->name, c->other.text);
        }
    }
    return REGRET_OK;
}

static int check_sentinels(struct table_guess *g, const char *path)
{
    enum guess_role role = GUESS_NONE;
    for (size_t k = 0; guess_field_at(g, k, &role) != NULL; k++) {
        int is_guessed = role == GUESS_COMPONENT && g->range == NULL;
        TRY(is_guessed || role == GUESS_COST ? check_sentinel(g, k, path) : REGRET_OK);
        TRY(is_guessed ? profile_column_check_direction(guess_field_at(g, k, &role), path)
                       : REGRET_OK);
        TRY(is_guessed ? check_ranks(g, k, path) : REGRET_OK);
    }
    for (size_t k = 0; k < g->profile.n_columns && g->range == NULL; k++) {
        TRY(g->is_score[k] ? table_profile_check_units(&g->profile, k, g->at[GUESS_AGENT], path)
                           : REGRET_OK);
    }
    return REGRET_OK;
}

/* Names of scores that are scores themselves: the header is missing. */
static int check_head(const struct table_guess *g, const char *path)
{
    const struct profile_column *first = NULL;
    size_t scores = 0, numbers = 0;
    double x = 0.0;
    for (size_t k = 0; k < g->profile.n_columns && !g->is_json; k++) {
        const struct profile_column *c = &g->profile.column[k];
        int is_number = g->is_score[k] && table_source_parse(&x, c->name) &&
                        !table_source_parse_word(&x, c->name) && (!g->is_wide || x != floor(x));
        scores += g->is_score[k];
        numbers += (size_t)is_number;
        first = first == NULL && is_number ? c : first;
    }
    return first == NULL || numbers < scores
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s:1: a column is called \"%.40s\", as the numbers below: write a "
                             "header above, a name for each column",
                             path, first->name);
}

/* Every column that is used must be called otherwise than all others. */
static int check_names(const struct table_guess *g, const char *path)
{
    FREED_BY(id_table_free) struct id_table names = {NULL, 0, 0};
    TRY(id_table_reserve(&names, g->profile.n_columns));
    for (size_t k = 0; k < g->profile.n_columns && !g->is_json; k++) {
        const char *name = g->profile.column[k].name;
        size_t first = id_table_find(&names, name);
        if (first == SIZE_MAX) {
            id_table_put(&names, name, k);
        } else if (g->role[k] != GUESS_NONE || g->role[first] != GUESS_NONE) {
            return regret_fail(REGRET_E_INPUT, "%s:1: column \"%.40s\" is given twice; rename one",
                               path, name);
        }
    }
    return REGRET_OK;
}

int guess_check_scores(struct table_guess *g, const char *path)
{
    struct together all = {INFINITY, -INFINITY, 0, 0, 0};
    TRY(check_names(g, path));
    TRY(check_head(g, path));
    TRY(!g->is_wide && !g->votes.is_found ? check_measures(g, path) : REGRET_OK);
    TRY(check_sentinels(g, path));
    for (size_t k = 0; g->is_wide && k < g->profile.n_columns; k++) {
        if (g->is_score[k]) {
            add(&all, &g->profile.column[k]);
        }
    }
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        struct together own = {INFINITY, -INFINITY, 0, 0, 0};
        enum guess_doubt doubt = g->doubt != NULL ? g->doubt[k] : GUESS_SURE;
        int is_with_all = g->is_wide && g->is_score[k];
        add(&own, &g->profile.column[k]);
        int is_outside = doubt == GUESS_OTHER_SCALE || doubt == GUESS_OTHER_GROUP;
        if (g->is_score[k] || is_outside) {
            TRY(check_column(&g->profile.column[k], is_with_all ? &all : &own, path));
        }
        const struct profile_column *c = &g->profile.column[k];
        if ((g->is_score[k] && c->slips > 0 && !c->is_sentinel) || doubt == GUESS_FAR ||
            is_outside) {
            TRY(check_slip(g, k, path));
        }
    }
    return REGRET_OK;
}

/* (0-1), ms, $: what stands below a name and says how numbers are meant. */
static int is_unit(const char *text, int alone)
{
    return strchr("([", text[0]) != NULL ||
           (!alone && (column_count_words(text, " ms s sec seconds usd eur dollars cents percent "
                                                "points tokens ") > 0 ||
                       strpbrk(text, "$%-") != NULL));
}

/* Every column of numbers, of which there are two at least or one of units, begins with a word or nothing. */
int guess_check_header(const struct table_guess *g, const char *path)
{
    const struct profile_column *first = NULL, *unit = NULL;
    size_t n = 0, named = 0;
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        named += g->profile.column[k].name[0] != '\0';
    }
    if (named < 2) {
        return regret_fail(REGRET_E_INPUT,
                           "%s:1: %zu of %zu columns has a name: take out what stands above the "
                           "header",
                           path, named, g->profile.n_columns);
    }
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        const struct profile_column *c = &g->profile.column[k];
        if (c->numbers == 0 || 2 * c->numbers < c->filled) {
            continue;
        }
        if (!isnan(g->profile.number[k]) || c->others + c->nearly > 1) {
            return REGRET_OK;
        }
        if (c->other.at == 2) {
            first = n == 0 || first->name[0] == '\0' ? c : first;
            unit = unit == NULL && is_unit(c->other.text, 0) ? c : unit;
            n++;
        }
    }
    if (unit != NULL && (n > 1 || is_unit(unit->other.text, 1))) {
        return regret_fail(REGRET_E_INPUT,
                           "%s:2: this looks like a row of units (\"%s\" below \"%.40s\"): take it "
                           "out",
                           path, unit->other.text, unit->name);
    }
    return n < 2 ? REGRET_OK
                 : regret_fail(REGRET_E_INPUT,
                               "%s:2: column \"%.40s\" holds \"%s\" and %zu more columns a word, "
                               "with numbers below: a header has one row; join the names of both "
                               "(gpt_score, gpt_cost), or take line 2 out",
                               path, first->name, first->other.text, n - 1);
}

int guess_check_turned(const struct table_guess *g, const char *path)
{
    const char *context = g->profile.column[g->at[GUESS_CONTEXT]].name;
    const struct guess_wide *w = &g->wide;
    int is_agent =
        column_words(context, GUESS_AGENT) > 0 && column_words(context, GUESS_CONTEXT) == 0;
    int are_contexts = w->n_agents > g->profile.rows ||
                       column_words(w->agent[0], GUESS_CONTEXT) > 0 ||
                       column_words(w->field[0].over.name, GUESS_CONTEXT) > 0;
    return !is_agent || !are_contexts
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s: column \"%.40s\" seems to name agents, a row each, and %zu "
                             "columns (\"%.40s\" …) prompts: turn the table, a row a prompt and a "
                             "column an agent",
                             path, context, w->n_agents, w->agent[0]);
}

/* ---------------------------------------------------------------- what is missing */

/* Where a column that by its name would be the contexts' or the agents' has blanks, which none of them is called. */
static int refuse_blank_key(const struct table_guess *g, const char *path)
{
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        const struct profile_column *c = &g->profile.column[k];
        int is_agent = column_words(c->name, GUESS_AGENT) > 0 && c->numbers < c->filled;
        if ((is_agent || column_words(c->name, GUESS_CONTEXT) > 0) && c->distinct > 2 &&
            c->blank.at > 0 && g->role[k] == GUESS_NONE) {
            return regret_fail(REGRET_E_INPUT,
                               "%s:%zu: column \"%.40s\" is empty there; every row needs %s: fill "
                               "it in, as where cells of a spreadsheet were merged, or take the "
                               "rows out",
                               path, c->blank.at, c->name, is_agent ? "an agent" : "a context");
        }
    }
    return REGRET_OK;
}

int guess_refuse_without_keys(const struct table_guess *g, const char *path)
{
    TRY(refuse_blank_key(g, path));
    TRY(guess_check_one(g, path));
    TRY(guess_check_joint(g, path));
    TRY(guess_check_answers(g, path));
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        const struct profile_column *c = &g->profile.column[k];
        if (profile_column_is_nearly_numbers(c)) {
            return regret_fail(
                REGRET_E_INPUT,
                "%s:%zu: no columns look like agents', and column \"%.40s\" holds \"%s\": "
                "write numbers with a decimal point and nothing else, as 0.5 or 1234",
                path, c->other.at, c->name, c->other.text);
        }
    }
    return regret_fail(
        REGRET_E_INPUT,
        "%s: no two columns look like contexts and agents: a table has a row for each "
        "context and agent, a column that says which context (at most %d bytes) "
        "and one that says which agent; a wide table has a column that tells its "
        "rows apart, and a column an agent, of numbers on one scale, or named "
        "alike (gpt_score, claude_score); --context COLUMN and --agent COLUMN say "
        "which",
        path, REGRET_POOL_MAX_ID);
}

/* What nearly is a score is named first. */
int guess_refuse_without_score(const struct table_guess *g, const char *path)
{
    static const char wanted[] = "no column holds a score: numbers that differ between the agents "
                                 "of a context; rewards are made of them";
    TRY(refuse_blank_key(g, path));
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        const struct profile_column *c = &g->profile.column[k];
        int is_near = profile_column_is_nearly_numbers(c);
        const struct profile_cell *cell =
            2 * c->commas > c->filled && c->beyond.at > 0 ? &c->beyond : &c->other;
        int is_named = column_words(c->name, GUESS_COMPONENT) > 0;
        if ((g->role[k] == GUESS_NONE || is_named) && column_fits_map(c->name) &&
            (is_near || is_named || 2 * (c->numbers + c->commas) > c->filled) && cell->at > 0) {
            return regret_fail(REGRET_E_INPUT,
                               "%s:%zu: %s. Column \"%.40s\" holds \"%s\" there: %s", path,
                               cell->at, wanted, c->name, cell->text,
                               is_near    ? "write numbers with a decimal point and nothing else, "
                                            "as 0.5 or 45"
                               : is_named ? "write numbers, or words such as yes and no, pass and "
                                            "fail"
                                          : "correct or blank what is no number");
        }
    }
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        const struct profile_column *c = &g->profile.column[k];
        if (g->role[k] == GUESS_AUX) {
            return regret_fail(REGRET_E_INPUT,
                               "%s: %s. Column \"%.40s\" differs (%.6g to %.6g), but neither name "
                               "nor range says that it is one: call it %.40s_score, or make it a "
                               "component of a map of your own (docs/formats.md)",
                               path, wanted, c->name, c->least, c->most, c->name);
        }
    }
    return regret_fail(REGRET_E_INPUT,
                       "%s: %s (yes and no, pass and fail, true and false are 1 and 0; the map's "
                       "\"words\" say what others count; outputs can be scored against a column "
                       "called reference, gold, target or expected)",
                       path, wanted);
}
