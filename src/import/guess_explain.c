/* Guesses defended and explained. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "import/column_names.h"
#include "import/guess.h"
#include "regret/pool.h"
#include "regret/status.h"

/* Agents that a table does not have: refused where the map could not be defended. */

static const struct profile_column *column_at(const struct table_guess *g, size_t k)
{
    return &g->profile.column[k];
}

static int words_at(const struct table_guess *g, size_t k, unsigned kind)
{
    return column_words(column_at(g, k)->name, kind);
}

/* ---------------------------------------------------------------- one agent */

/* A column that names agents, all of them the same. */
static int names_one(const struct table_guess *g, size_t k)
{
    enum { LONGEST = 100 }; /* longer is a system's prompt */
    const struct profile_column *c = column_at(g, k);
    return words_at(g, k, GUESS_AGENT) > 0 && words_at(g, k, GUESS_RATER) == 0 &&
           words_at(g, k, GUESS_OUTPUT) + words_at(g, k, GUESS_REFERENCE) +
                   words_at(g, k, GUESS_TAG) + words_at(g, k, COLUMN_INCIDENTAL) ==
               0 &&
           column_count_words(column_at(g, k)->name, " prompt ") == 0 && c->distinct == 1 &&
           c->filled == g->profile.rows && c->longest <= LONGEST;
}

/* What one agent wrote, a row each. */
static int is_answer(const struct table_guess *g, size_t k)
{
    const struct profile_column *c = column_at(g, k);
    return words_at(g, k, GUESS_OUTPUT) + column_count_words(c->name, " predicted pred ") > 0 &&
           words_at(g, k, GUESS_REFERENCE) + words_at(g, k, COLUMN_INCIDENTAL) == 0 &&
           2 * c->numbers <= c->filled + c->words && c->distinct > 1;
}

/* What that is worth. */
static int is_verdict(const struct table_guess *g, size_t k)
{
    const struct profile_column *c = column_at(g, k);
    return words_at(g, k, GUESS_COMPONENT) + words_at(g, k, COLUMN_METRIC) > 0 &&
           words_at(g, k, COLUMN_SUMMARY) + words_at(g, k, COLUMN_INCIDENTAL) +
                   words_at(g, k, GUESS_REFERENCE) ==
               0 &&
           c->numbers == c->filled && c->least < c->most;
}

/* The first column without a role for which is() holds; GUESS_NO_COLUMN: none. */
static size_t find_column(const struct table_guess *g,
                          int (*is)(const struct table_guess *g, size_t k))
{
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        if (g->role[k] == GUESS_NONE && is(g, k)) {
            return k;
        }
    }
    return GUESS_NO_COLUMN;
}

static int refuse_one(const struct table_guess *g, size_t k, const char *path)
{
    FREED_BY(regret_buffer_free) struct regret_buffer why = REGRET_BUFFER_INIT;
    int is_named = names_one(g, k);
    regret_buffer_printf(&why,
                         is_named          ? "\"%.40s\" says the same in every row"
                         : is_answer(g, k) ? "\"%.40s\" holds one answer a row, and no column says "
                                             "whose it is"
                                           : "\"%.40s\" scores a row, and no column says whose "
                                             "answer",
                         column_at(g, k)->name);
    for (size_t a = 0; a < g->wide.n_agents; a++) {
        regret_buffer_append(&why, a == 0 ? "; where agents are columns (" : ", ");
        regret_buffer_append_safe(&why, g->wide.agent[a], 40);
    }
    regret_buffer_append(&why, g->wide.n_agents == 0 ? "" : "), say so: --layout wide");
    TRY(regret_buffer_status(&why));
    return regret_fail(
        REGRET_E_INPUT,
        "%s: this looks like the results of one agent, of whom there is nothing to "
        "choose: %s; with several, a column (\"model\") says which of them a row is of",
        path, regret_buffer_get(&why));
}

int guess_check_one(const struct table_guess *g, const char *path)
{
    size_t one = find_column(g, names_one);
    return one != GUESS_NO_COLUMN ? refuse_one(g, one, path) : REGRET_OK;
}

int guess_check_answers(const struct table_guess *g, const char *path)
{
    size_t answer = find_column(g, is_answer), verdict = find_column(g, is_verdict);
    return answer != GUESS_NO_COLUMN    ? refuse_one(g, answer, path)
           : verdict != GUESS_NO_COLUMN ? refuse_one(g, verdict, path)
                                        : REGRET_OK;
}

int guess_wide_has_models(const struct table_guess *g)
{
    size_t models = 0;
    for (size_t a = 0; a < g->wide.n_agents; a++) {
        models += column_is_model(g->wide.agent[a]) != 0;
    }
    return g->wide.n_agents > 1 && 2 * models >= g->wide.n_agents;
}

int guess_check_wide(const struct table_guess *g, const char *path)
{
    int has_outputs = 0;
    for (size_t i = 0; i < g->wide.n_fields; i++) {
        has_outputs |= g->wide.field[i].role == GUESS_OUTPUT;
    }
    if (g->wide.other[0] != '\0') {
        return regret_fail(
            REGRET_E_INPUT,
            "%s: names of columns can be read in two ways: \"%.40s\" or \"%.40s\" and "
            "their like are the agents; call the columns AGENT_score, AGENT_cost, or "
            "write a row for each agent",
            path, g->wide.agent[0], g->wide.other);
    }
    TRY(guess_check_one(g, path));
    return has_outputs || guess_wide_has_models(g) ? REGRET_OK : guess_check_answers(g, path);
}

/* ---------------------------------------------------------------- ids that restart */

/* How many different values a row has in three columns together. */
static int count_triples(size_t *out, const struct table_guess *g, size_t a, size_t b, size_t c)
{
    const struct table_profile *p = &g->profile;
    FREED struct profile_pair *row = NULL;
    TRY(REGRET_NEW(&row, p->rows));
    for (size_t i = 0; i < p->rows; i++) {
        const uint64_t *cell = &p->cell[i * p->n_columns];
        row[i] = (struct profile_pair){cell[a] * UINT64_C(0x9e3779b97f4a7c15) + cell[b],
                                       c != GUESS_NO_COLUMN ? cell[c] : 0};
    }
    qsort(row, p->rows, sizeof *row, profile_pair_compare);
    *out = 0;
    for (size_t i = 0; i < p->rows; i++) {
        *out += i == 0 || profile_pair_compare(&row[i], &row[i - 1]) != 0;
    }
    return REGRET_OK;
}

static int refuse_restart(const struct table_guess *g, size_t k, size_t context, const char *path)
{
    const char *kind = column_at(g, k)->name, *id = column_at(g, context)->name;
    return regret_fail(
        REGRET_E_INPUT,
        "%s: \"%.40s\" starts anew in each \"%.40s\": only both together tell requests "
        "apart; join them in a column of their own (\"id\": %.40s-%.40s), or say "
        "--context \"%.40s\" where it is one request in all",
        path, id, kind, kind, id, id);
}

/* A column of kinds, or of the request itself, that together with the context tells rows apart where the context alone does not. */
static int restarts_by(const struct table_guess *g, size_t k, size_t context)
{
    const struct profile_column *c = column_at(g, k);
    int is_kind = g->is_wide && c->numbers == 0 && 4 * c->distinct <= g->profile.rows &&
                  words_at(g, k, GUESS_RATER) + words_at(g, k, GUESS_AGENT) +
                          words_at(g, k, COLUMN_MEASURE) + words_at(g, k, GUESS_COST) ==
                      0;
    return k != context && k != g->at[GUESS_AGENT] && k != g->at[GUESS_RATER] &&
           g->role[k] == GUESS_NONE && c->distinct > 1 && c->filled == g->profile.rows &&
           (is_kind || words_at(g, k, GUESS_TAG) + words_at(g, k, GUESS_TEXT) > 0) &&
           words_at(g, k, COLUMN_REPEAT) + words_at(g, k, GUESS_OUTPUT) == 0;
}

int guess_check_restart(const struct table_guess *g, size_t context, size_t agent, const char *path)
{
    size_t found = 0, rows = g->profile.rows;
    if (g->context != GUESS_NO_COLUMN || words_at(g, context, GUESS_TEXT) > 0) {
        return REGRET_OK;
    }
    TRY(count_triples(&found, g, context, context, agent));
    for (size_t k = 0; k < g->profile.n_columns && 10 * found < 9 * rows; k++) {
        size_t together = 0;
        if (restarts_by(g, k, context)) {
            TRY(count_triples(&together, g, context, k, agent));
            TRY(20 * together >= 19 * rows ? refuse_restart(g, k, context, path) : REGRET_OK);
        }
    }
    return REGRET_OK;
}

int guess_check_joint(const struct table_guess *g, const char *path)
{
    size_t rows = g->profile.rows;
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        const struct profile_column *kind = column_at(g, k);
        int is_kind = words_at(g, k, GUESS_TAG) > 0 ||
                      (kind->numbers == 0 && kind->distinct > 1 && 2 * kind->distinct <= rows &&
                       words_at(g, k, GUESS_AGENT) + words_at(g, k, GUESS_OUTPUT) == 0);
        size_t n = 0;
        for (size_t j = 0; j < g->profile.n_columns && is_kind; j++) {
            const struct profile_column *c = column_at(g, j);
            int is_id = c->whole == c->numbers && 2 * c->distinct <= rows && c->distinct > 2 &&
                        c->filled == rows && g->role[j] == GUESS_NONE && j != k &&
                        words_at(g, j, GUESS_COMPONENT) + words_at(g, j, GUESS_TAG) == 0;
            if (is_id) {
                TRY(table_profile_pairs(&n, &g->profile, j, k));
                TRY(20 * n >= 19 * rows ? refuse_restart(g, k, j, path) : REGRET_OK);
            }
        }
    }
    return REGRET_OK;
}

/* What was assumed, in words for people. */

enum { SHOWN_AGENTS = 12, SHOWN_LEFT_OUT = 12, LONGEST_REFUSAL = 400 };

static const char *const ROLES[GUESS_ROLES] = {
    [GUESS_NONE] = "left out",       [GUESS_CONTEXT] = "context",     [GUESS_AGENT] = "agent",
    [GUESS_OUTPUT] = "output",       [GUESS_TEXT] = "text",           [GUESS_TAG] = "tag",
    [GUESS_COST] = "cost",           [GUESS_COMPONENT] = "component", [GUESS_AUX] = "aux label",
    [GUESS_COVARIATE] = "covariate", [GUESS_REFERENCE] = "reference", [GUESS_RATER] = "rater"};

/* A column or a field, and what it is to a pool. */
static void say_field(struct regret_buffer *out, const struct table_guess *g,
                      const struct profile_column *c, enum guess_role role)
{
    double range[2];
    regret_buffer_printf(out, "  %-10s ", ROLES[role]);
    regret_buffer_append_safe(out, c->name[0] != '\0' ? c->name : "(a column without a name)", 40);
    if (role == GUESS_COMPONENT && c->grades > 0) {
        regret_buffer_printf(out, ", letter grades: A+ is %.2g, A 4, A- 3.7 ... F %.2g",
                             GRADES_HIGH, GRADES_LOW);
    } else if (role == GUESS_COMPONENT) {
        guess_range(range, g, c);
        regret_buffer_printf(out, ", %.6g to %.6g (found: %.6g to %.6g)%s%s",
                             fmin(range[0], range[1]), fmax(range[0], range[1]), c->least, c->most,
                             c->words > 0 ? "; yes, pass and true are 1, their opposites 0" : "",
                             range[0] <= range[1] ? ""
                             : g->range != NULL   ? "; smaller is better"
                                                  : "; smaller is better by its name");
    } else if (role == GUESS_COVARIATE) {
        regret_buffer_append(out, guess_covariate_is_number(c) ? ", a number" : ", a word");
    }
}

static void say_columns(struct regret_buffer *out, const struct table_guess *g)
{
    static const enum guess_role ORDER[] = {
        GUESS_CONTEXT, GUESS_TEXT,      GUESS_TAG, GUESS_AGENT,     GUESS_OUTPUT,    GUESS_RATER,
        GUESS_COST,    GUESS_COMPONENT, GUESS_AUX, GUESS_COVARIATE, GUESS_REFERENCE, GUESS_NONE};
    size_t left_out = 0;
    for (size_t r = 0; r < sizeof ORDER / sizeof *ORDER; r++) {
        for (size_t k = 0; k < g->profile.n_columns; k++) {
            left_out += g->role[k] == ORDER[r] && ORDER[r] == GUESS_NONE;
            if (g->role[k] == ORDER[r] && left_out <= SHOWN_LEFT_OUT) {
                say_field(out, g, &g->profile.column[k], ORDER[r]);
                guess_covariates_why(out, g, k);
                regret_buffer_append(out, "\n");
            }
        }
    }
    if (left_out > SHOWN_LEFT_OUT) {
        regret_buffer_printf(out, "  %-10s and %zu more\n", ROLES[GUESS_NONE],
                             left_out - SHOWN_LEFT_OUT);
    }
}

static void say_wide(struct regret_buffer *out, const struct table_guess *g)
{
    const struct guess_wide *w = &g->wide;
    regret_buffer_append(out, "A wide table, a row a context. The agents:");
    for (size_t a = 0; a < w->n_agents && a < SHOWN_AGENTS; a++) {
        regret_buffer_append(out, a > 0 ? ", " : " ");
        regret_buffer_append_safe(out, w->agent[a], 40);
    }
    if (w->n_agents > SHOWN_AGENTS) {
        regret_buffer_printf(out, " and %zu more", w->n_agents - SHOWN_AGENTS);
    }
    regret_buffer_append(out, "\n");
    for (size_t i = 0; i < w->n_fields; i++) {
        say_field(out, g, &w->field[i].over, w->field[i].role);
        regret_buffer_append(out, "\n");
    }
}

void table_guess_options(struct regret_buffer *out, const struct table_guess *g)
{
    if (!g->is_json && g->separator != ',') {
        regret_buffer_printf(out, g->separator == '\t' ? " --separator tab" : " --separator '%c'",
                             g->separator);
    }
    regret_buffer_append(out, g->import.repeats == REGRET_REPEATS_DRAWS ? " --repeats draws" : "");
    regret_buffer_append(out, g->import.drop_unscored ? " --drop-unscored" : "");
    regret_buffer_append(out, g->import.skip_bad ? " --skip-bad" : "");
}

static int has_output(const struct table_guess *g)
{
    enum guess_role role = GUESS_NONE;
    for (size_t i = 0; role != GUESS_OUTPUT && guess_field_at(g, i, &role) != NULL; i++) {
    }
    return role == GUESS_OUTPUT;
}

/* The layout, where another one is possible. */
static void say_layout(struct regret_buffer *out, const struct table_guess *g)
{
    if (g->is_wide) {
        say_wide(out, g);
    }
    if (g->is_either) {
        regret_buffer_printf(out,
                             "Taken for a %s table. It could be a %s one, %s: --layout %s reads it "
                             "so.\n",
                             g->is_wide ? "wide" : "long", g->is_wide ? "long" : "wide",
                             g->is_wide ? "a row an output" : "with columns of every agent",
                             g->is_wide ? "long" : "wide");
    }
}

static void say_holes(struct regret_buffer *out, const struct table_guess *g)
{
    if (!guess_has_holes(g)) {
        return;
    }
    regret_buffer_append(out,
                         "The grid has holes: they stay unobserved (grid.policy: observed), and "
                         "regret is taken among what is observed.");
    if (g->grid_contexts * g->grid_agents < g->contexts * g->agents) {
        regret_buffer_printf(out, " Without holes are about %zu contexts of %zu agents (complete).",
                             g->grid_contexts, g->grid_agents);
    }
    regret_buffer_append(out, "\n");
}

/* A column of ids that is left out for a few slips, so that contexts lose their names. */
static void say_ids(struct regret_buffer *out, const struct table_guess *g)
{
    const struct profile_column *context = &g->profile.column[g->at[GUESS_CONTEXT]];
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        const struct profile_column *c = &g->profile.column[k];
        size_t tenth = g->contexts / 10;
        if (column_words(context->name, COLUMN_ID) == 0 && g->role[k] == GUESS_NONE &&
            column_words(c->name, COLUMN_ID) > 0 && c->distinct + tenth >= g->contexts &&
            c->distinct <= g->contexts + tenth) {
            regret_buffer_append(out, "Column ");
            regret_buffer_append_safe(out, c->name, 40);
            regret_buffer_printf(out,
                                 " (%zu values) does not tell the %zu contexts apart: correct it "
                                 "where it is to name them.\n",
                                 c->distinct, g->contexts);
        }
    }
}

/* What the options of import leave out. */
static void say_left_out(struct regret_buffer *out, const struct table_guess *g)
{
    const char *what = g->is_wide ? "answers" : "rows";
    size_t lacking = g->imported.unscored > g->unscored ? g->imported.unscored : g->unscored;
    if (g->import.drop_unscored) {
        regret_buffer_printf(out, "%zu %s or more lack a score: --drop-unscored leaves them out",
                             lacking, what);
        if (g->lacking != NULL) {
            regret_buffer_append(out, ", the most of ");
            regret_buffer_append_safe(out, g->lacking, 40);
            regret_buffer_printf(
                out,
                " (%zu of its %zu contexts). If a blank means bad, write the lowest "
                "score",
                g->lacks, g->lacks_of);
        }
        regret_buffer_append(out, ".\n");
    }
    if (g->refused != NULL && !g->fails) {
        regret_buffer_printf(out,
                             "%zu %s are bad: --skip-bad leaves them out, naming them. The "
                             "first: ",
                             g->imported.bad, what);
        regret_buffer_append_safe(out, g->refused, LONGEST_REFUSAL);
        regret_buffer_append(out, "\n");
    }
    if (g->lost_agents + g->lost_contexts > 0) {
        regret_buffer_printf(
            out,
            "With them go all rows of %zu agents and %zu contexts; %zu and %zu are "
            "left.\n",
            g->lost_agents, g->lost_contexts, g->agents, g->contexts);
    }
}

static int refuse(const struct table_guess *g, const char *why)
{
    if (g->refused == NULL) {
        return regret_fail(REGRET_E_INPUT, "one agent is left: there is nothing to choose");
    }
    return g->lost_agents > 0
               ? regret_fail(REGRET_E_INPUT,
                             "%s (%zu %s are bad, and all of %zu agents: correct them)", why,
                             g->imported.bad, g->is_wide ? "answers" : "rows", g->lost_agents)
               : regret_fail(REGRET_E_INPUT, "import refuses the table: %s", why);
}

int table_guess_refusal(const struct table_guess *g)
{
    FREED_BY(regret_buffer_free) struct regret_buffer why = REGRET_BUFFER_INIT;
    if (!g->fails) {
        return REGRET_OK;
    }
    regret_buffer_append_safe(&why, g->refused != NULL ? g->refused : "", LONGEST_REFUSAL);
    TRY(regret_buffer_status(&why));
    return refuse(g, regret_buffer_get(&why));
}

/* A row at the foot that sums up the others. */
static void say_summary(struct regret_buffer *out, const struct table_guess *g)
{
    for (enum guess_role role = GUESS_CONTEXT; role <= GUESS_AGENT; role++) {
        size_t k = g->at[role];
        if (k != GUESS_NO_COLUMN && g->profile.column[k].summary.at > 0) {
            regret_buffer_printf(out,
                                 "Line %zu has \"%s\" for its %s: take it out if it sums up the "
                                 "others.\n",
                                 g->profile.column[k].summary.at, g->profile.column[k].summary.text,
                                 ROLES[role]);
        }
    }
}

/* Which is the first of the rows that repeat one; and how many repeat it in every column. */
static int say_repeats(struct regret_buffer *out, const struct table_guess *g)
{
    const struct table_profile *p = &g->profile;
    size_t copies = 0, first[2] = {SIZE_MAX, 0};
    FREED struct profile_pair *row = NULL;
    TRY(REGRET_NEW(&row, p->rows));
    for (int whole = 0; whole < 2; whole++) {
        for (size_t i = 0; i < p->rows; i++) {
            const uint64_t *cell = &p->cell[i * p->n_columns];
            const uint64_t key[2] = {cell[g->at[GUESS_CONTEXT]],
                                     g->is_wide ? 0 : cell[g->at[GUESS_AGENT]]};
            row[i] = (struct profile_pair){whole ? regret_hash64(cell, p->n_columns * sizeof *cell)
                                                 : regret_hash64(key, sizeof key),
                                           i};
        }
        qsort(row, p->rows, sizeof *row, profile_pair_compare);
        for (size_t i = 1; i < p->rows; i++) {
            int is_again = row[i].a == row[i - 1].a;
            copies += (size_t)(is_again && whole);
            if (is_again && !whole && row[i].b < first[0]) {
                first[0] = row[i].b;
                first[1] = row[i - 1].b;
            }
        }
    }
    if (first[0] < SIZE_MAX) {
        regret_buffer_printf(out, " The first is row %zu, of the %s of row %zu.", first[0] + 1,
                             g->is_wide ? "context" : "pair", first[1] + 1);
    }
    if (copies > 0) {
        regret_buffer_printf(out, " %zu %s an earlier row in every column: take such copies out.",
                             copies, copies == 1 ? "repeats" : "repeat");
    }
    return REGRET_OK;
}

void table_guess_explain(struct regret_buffer *out, const struct table_guess *g)
{
    const struct table_profile *p = &g->profile;
    if (g->votes.is_found) {
        guess_votes_explain(out, g);
        say_left_out(out, g);
        return;
    }
    regret_buffer_printf(out, "%s%zu rows: %zu contexts, %zu agents, %zu of %zu pairs\n",
                         p->cut ? "the first " : "", p->rows, g->contexts, g->agents, g->pairs,
                         g->contexts * g->agents);
    say_columns(out, g);
    say_layout(out, g);
    guess_relations_explain(out, g);
    guess_plain_explain(out, g);
    guess_covariates_explain(out, g);
    if (g->at[GUESS_REFERENCE] != GUESS_NO_COLUMN) {
        regret_buffer_append(
            out, "No column holds a score: the map scores outputs against the references, by "
                 "characters in common (\"metric\": \"chrf\"). Of short answers take f1 or "
                 "exact-squad, of summaries rouge-l: docs/formats.md.\n");
    }
    if (!has_output(g)) {
        regret_buffer_append(
            out,
            "No column holds what the agents wrote: their names stand in for it, and all that is "
            "learnt of an output is whose it is.\n");
    }
    if (p->column[g->at[GUESS_CONTEXT]].longest > REGRET_POOL_MAX_ID) {
        regret_buffer_append(
            out, "Contexts are told apart by their texts, of which import makes ids.\n");
    } else if (g->at[GUESS_TEXT] == GUESS_NO_COLUMN && g->ids == GUESS_NO_COLUMN) {
        regret_buffer_append(out,
                             "No column holds the text of a context: its id stands in for it.\n");
    }
    if (g->import.repeats == REGRET_REPEATS_DRAWS && g->at[GUESS_RATER] != GUESS_NO_COLUMN) {
        regret_buffer_append(out, "Pairs have several outputs: --repeats draws takes them for "
                                  "draws; say so if only one counts.\n");
    } else if (g->import.repeats == REGRET_REPEATS_DRAWS) {
        regret_buffer_printf(out,
                             "%zu rows are of a %s that has one before: --repeats draws takes them "
                             "for further draws of it; say so if only one counts.",
                             p->rows - (g->is_wide ? g->contexts : g->pairs),
                             g->is_wide ? "context" : "pair");
        if (!isnan(g->spread)) {
            regret_buffer_printf(
                out,
                " A pair counts by the mean of its draws, whose scores differ by %.3g "
                "(standard deviation).",
                g->spread);
        }
        regret_buffer_fail(out, say_repeats(out, g));
        regret_buffer_append(out, "\n");
    }
    if (p->decimal_comma) {
        regret_buffer_append(out, "Commas in numbers are decimal points: 3,5 is 3.5.\n");
    }
    if (g->zeros > 0) {
        regret_buffer_printf(out,
                             "%zu scores are 0, more than are 1: if 0 says that there is none, "
                             "leave it blank, or give the range (--range 1:5).\n",
                             g->zeros);
    }
    if (g->ids != GUESS_NO_COLUMN) {
        regret_buffer_append(out,
                             "Requests whose texts are the same are one, asked again: column ");
        regret_buffer_append_safe(out, p->column[g->ids].name, 40);
        regret_buffer_printf(out, " has %zu ids for %zu texts (--context takes each for one).\n",
                             p->column[g->ids].distinct, g->contexts);
    } else if (100 * g->again > g->contexts) {
        regret_buffer_printf(out,
                             "%zu of %zu contexts have the text of another and count apart: where "
                             "they are one request, give the column of texts as --context.\n",
                             g->again, g->contexts);
    }
    say_summary(out, g);
    say_ids(out, g);
    say_holes(out, g);
    say_left_out(out, g);
    if (g->success != GUESS_NO_COLUMN) {
        regret_buffer_append(
            out,
            "The outputs are patches: import computes size, locality and focus of the diffs beside "
            "their success, and leaves other numbers out.\n");
    } else if (g->n_components == 1) {
        regret_buffer_append(
            out,
            "One score: all types of users rate alike, so that confounding (beta) changes nothing "
            "and is not swept; a second component, say brevity, lets them differ.\n");
    }
    if (g->contexts < GUESS_FEW_CONTEXTS) {
        regret_buffer_printf(
            out,
            "%zu contexts are few: a fifth of them is held out, and differences will be hard to "
            "tell (regret plan).\n",
            g->contexts);
    }
    regret_buffer_append(
        out, "Ranges and directions are guesses: correct them in the map where a "
             "scale is wider than what was found or turns the other way, or say "
             "them (--range WORST:BEST). Values are told on 0 to 1, from the low to the "
             "high end.\n");
}
