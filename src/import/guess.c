#include "import/guess.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/json.h"
#include "base/names.h"
#include "base/status.h"
#include "import/column_names.h"
#include "import/guess_parts.h"
#include "import/importer.h"
#include "import/profile.h"
#include "import/table_source.h"
#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/status.h"

enum { MOST_AGENTS = 1000 }; /* of a column whose name says nothing */

/* column_words() of column k. */
static int words_at(const struct table_guess *g, size_t k, unsigned kind)
{
    return column_words(g->profile.column[k].name, kind);
}

/* ---------------------------------------------------------------- contexts and agents */

/* Words such as yes and no are numbers unless the column is one of answers, by its name. */
static int is_number(const struct profile_column *c)
{
    int is_answer = c->words > 0 && column_words(c->name, GUESS_OUTPUT) +
                                            column_words(c->name, GUESS_TEXT) +
                                            column_words(c->name, GUESS_TAG) >
                                        0;
    return c->filled > 0 && c->numbers == c->filled && !is_answer;
}

/* Scores, though some cells may be none: guess_check_scores() says so. */
static int is_score(const struct profile_column *c)
{
    int is_named = column_words(c->name, GUESS_COMPONENT) > 0;
    return is_number(c) ? c->least < c->most
                        : (is_named || c->clear_grades > 0) &&
                              profile_column_is_scores(c, is_named) && c->distinct > 1;
}

/* A map can name it, and nothing does yet. */
static int is_free(const struct table_guess *g, size_t k)
{
    return g->role[k] == GUESS_NONE && column_fits_map(g->profile.column[k].name);
}

/* It has something in every row or, where its name speaks for the role, in nearly all: bad rows can be left out. */
static int fills(const struct table_guess *g, const struct profile_column *c, enum guess_role role)
{
    return c->filled == g->profile.rows ||
           (column_words(c->name, role) > 0 && 20 * c->filled >= 19 * g->profile.rows);
}

static int may_be_agent(const struct table_guess *g, size_t k)
{
    const struct profile_column *c = &g->profile.column[k];
    int is_named = words_at(g, k, GUESS_AGENT) > 0;
    int is_likely = is_named || (c->distinct <= MOST_AGENTS && !is_number(c));
    int is_other = !is_named && (column_is_measure(c->name) ||
                                 words_at(g, k, COLUMN_REPEAT) + words_at(g, k, GUESS_TEXT) > 0);
    is_likely = is_likely && !is_other;
    return is_free(g, k) && c->distinct >= 2 && c->longest <= REGRET_POOL_MAX_ID &&
           fills(g, c, GUESS_AGENT) && (g->agent == GUESS_NO_COLUMN ? is_likely : k == g->agent);
}

/* A text serves as well: import makes an id of a long one (import/importer.h); who has judged does not. */
static int may_be_context(const struct table_guess *g, size_t k)
{
    const struct profile_column *c = &g->profile.column[k];
    int is_likely = (!is_number(c) || c->whole == c->numbers) && words_at(g, k, GUESS_RATER) == 0 &&
                    !column_is_no_context(c->name);
    return is_free(g, k) && c->distinct >= 2 && fills(g, c, GUESS_CONTEXT) &&
           (g->context == GUESS_NO_COLUMN ? is_likely : k == g->context);
}

/* How well two columns serve as contexts and agents; 0: not at all. A row should be a pair, and the grid of pairs full.
 * Pairs are counted only where no more of them than there can be would rate above `best`; 0, too, where not. */
static int rate_keys(double *out, const struct table_guess *g, size_t context, size_t agent,
                     double best)
{
    const struct table_profile *p = &g->profile;
    double contexts = (double)p->column[context].distinct,
           agents = (double)p->column[agent].distinct;
    double rows = (double)p->rows, cells = contexts * agents, most = fmin(rows, cells);
    double known = 4.0 * (words_at(g, agent, GUESS_AGENT) > 0) +
                   2.0 * (words_at(g, context, GUESS_CONTEXT) > 0) + (contexts > agents) -
                   (p->column[context].longest > REGRET_POOL_MAX_ID) -
                   2.0 * (words_at(g, agent, GUESS_RATER) > 0);
    size_t found = 0;
    *out = 0.0;
    if (known + 2.0 * most / rows + 2.0 * most / cells <= best) {
        return REGRET_OK;
    }
    TRY(table_profile_pairs(&found, p, context, agent));
    double pairs = (double)found;
    if (pairs > contexts && pairs > agents) { /* else one follows from the other */
        *out = known + 2.0 * pairs / rows + 2.0 * pairs / cells;
    }
    return REGRET_OK;
}

static int find_keys(struct table_guess *g, const char *path)
{
    double best = 0.0;
    for (size_t agent = 0; agent < g->profile.n_columns; agent++) {
        for (size_t context = 0; may_be_agent(g, agent) && context < g->profile.n_columns;
             context++) {
            double rating = 0.0;
            if (context == agent || !may_be_context(g, context)) {
                continue;
            }
            TRY(rate_keys(&rating, g, context, agent, best));
            if (rating > best) {
                best = rating;
                g->at[GUESS_CONTEXT] = context;
                g->at[GUESS_AGENT] = agent;
            }
        }
    }
    if (best <= 0.0 && g->context != GUESS_NO_COLUMN && g->agent != GUESS_NO_COLUMN) {
        return regret_fail(
            REGRET_E_INPUT,
            "%s: \"%s\" and \"%s\" cannot be contexts and agents: each needs a value in "
            "every row and two different ones, an agent's of at most %d bytes, and "
            "neither may follow from the other",
            path, g->profile.column[g->context].name, g->profile.column[g->agent].name,
            REGRET_POOL_MAX_ID);
    }
    TRY(best > 0.0 ? REGRET_OK : guess_refuse_without_keys(g, path));
    const struct profile_column *agents = &g->profile.column[g->at[GUESS_AGENT]];
    return agents->distinct <= REGRET_POOL_MAX_AGENTS
               ? REGRET_OK
               : regret_fail(
                     REGRET_E_INPUT,
                     "%s: column \"%.40s\" names %zu agents, and a pool has %d at most: leave "
                     "rows of some out, or say with --agent which column names them",
                     path, agents->name, agents->distinct, REGRET_POOL_MAX_AGENTS);
}

/* ---------------------------------------------------------------- texts, scores and the rest */

/* A good answer is none, and beside a request that stands in for its id only what is called a text is another one. */
static int may_be_text(const struct table_guess *g, size_t k)
{
    size_t context = g->at[GUESS_CONTEXT];
    int is_whole = words_at(g, context, GUESS_TEXT) > 0 && words_at(g, context, COLUMN_ID) == 0;
    return words_at(g, k, GUESS_TEXT) > 0 || (!is_whole && words_at(g, k, GUESS_REFERENCE) == 0);
}

/* By its name a number, whatever stands beside it: 1.2s, 3 USD. */
static int is_of_run(const struct table_guess *g, size_t k)
{
    return words_at(g, k, COLUMN_INCIDENTAL) + words_at(g, k, GUESS_COST) > 0 &&
           words_at(g, k, GUESS_OUTPUT) + words_at(g, k, COLUMN_TURNS) == 0;
}

/* A text with much to read; one whose name speaks for the role first. Nobody answers an id. */
static double rate_text(const struct table_guess *g, size_t k, enum guess_role role)
{
    const struct profile_column *c = &g->profile.column[k];
    return profile_column_is_nearly_numbers(c) || 2 * c->distinct <= g->contexts ||
                   (role == GUESS_TEXT && !may_be_text(g, k)) ||
                   (role == GUESS_OUTPUT &&
                    (words_at(g, k, COLUMN_ID) > 0 || is_of_run(g, k) ||
                     (column_count_words(c->name, " prompt question instruction query ") > 0 &&
                      words_at(g, k, GUESS_OUTPUT) == 0)))
               ? 0.0
               : c->mean_bytes + (words_at(g, k, role) > 0 ? 1e6 : 0.0);
}

/* What kind a context is: few different words; those whose name speaks for it first. */
static double rate_tag(const struct table_guess *g, size_t k, enum guess_role role)
{
    const struct profile_column *c = &g->profile.column[k];
    return c->distinct < 2 || 2 * c->distinct > g->contexts || c->longest > REGRET_POOL_MAX_ID ||
                   g->leak[k] != GUESS_NO_LEAK ||
                   (words_at(g, k, GUESS_REFERENCE) > 0 && words_at(g, k, GUESS_TAG) == 0)
               ? 0.0
               : 1.0 + (words_at(g, k, role) > 0);
}

/* Whether a column follows from the context; a text that does but for one context in twenty is its text, of which import
 * names the slips. */
static int follows_for(int *out, const struct table_guess *g, size_t k, enum guess_role role)
{
    size_t pairs = 0;
    if (role == GUESS_TAG) {
        return table_profile_follows(out, &g->profile, k, g->at[GUESS_CONTEXT]);
    }
    TRY(table_profile_pairs(&pairs, &g->profile, k, g->at[GUESS_CONTEXT]));
    *out = 20 * pairs <= 21 * g->contexts;
    return REGRET_OK;
}

/* The column that serves a role best, of those that follow from the context or, for an output, do not; it may be that
 * none does. */
static int find_words(struct table_guess *g, enum guess_role role,
                      double (*rate)(const struct table_guess *, size_t, enum guess_role))
{
    double best = 0.0;
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        const struct profile_column *c = &g->profile.column[k];
        int follows = 0,
            is_text = is_free(g, k) && !is_number(c) && !is_score(c) && 2 * c->numbers <= c->filled;
        double rating = is_text ? rate(g, k, role) : 0.0;
        if (rating > best) {
            TRY(follows_for(&follows, g, k, role));
            if (follows == (role != GUESS_OUTPUT)) {
                best = rating;
                g->at[role] = k;
            }
        }
    }
    if (g->at[role] != GUESS_NO_COLUMN) {
        g->role[g->at[role]] = role;
    }
    return REGRET_OK;
}

/* Where no column holds a score, one by whose name and texts outputs can be scored. */
static int find_reference(struct table_guess *g)
{
    for (size_t k = 0; k < g->profile.n_columns && g->n_components == 0; k++) {
        int follows = 0;
        if (is_free(g, k) && words_at(g, k, GUESS_REFERENCE) > 0) {
            TRY(table_profile_follows(&follows, &g->profile, k, g->at[GUESS_CONTEXT]));
        }
        if (follows) {
            g->role[k] = GUESS_REFERENCE;
            g->at[GUESS_REFERENCE] = k;
            g->n_components = 1;
        }
    }
    return REGRET_OK;
}

static void make_component(struct table_guess *g, size_t k)
{
    size_t lacking = g->profile.rows - g->profile.column[k].filled;
    g->role[k] = GUESS_COMPONENT;
    g->is_score[k] = 1;
    g->n_components++;
    g->unscored = lacking > g->unscored ? lacking : g->unscored;
}

/* Where nothing else is a score, the only column that its range alone spoke against, an aux label by now. */
static void find_wide_score(struct table_guess *g)
{
    size_t found = GUESS_NO_COLUMN, n = 0;
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        if (g->role[k] == GUESS_AUX &&
            words_at(g, k, COLUMN_INCIDENTAL) + words_at(g, k, GUESS_COST) == 0) {
            found = k;
            n++;
        }
    }
    if (g->n_components == 0 && n == 1) {
        g->n_aux--;
        make_component(g, found);
    }
}

/* Agents without a number in any row, where there are some with one: import refuses costs of a part of the agents. */
static int count_costless(struct table_guess *g, size_t k)
{
    const struct table_profile *p = &g->profile;
    FREED struct profile_pair *row = NULL;
    TRY(REGRET_NEW(&row, p->rows));
    for (size_t i = 0; i < p->rows; i++) {
        row[i] = (struct profile_pair){p->cell[i * p->n_columns + g->at[GUESS_AGENT]],
                                       isnan(p->number[i * p->n_columns + k])};
    }
    qsort(row, p->rows, sizeof *row, profile_pair_compare);
    g->costless = 0;
    for (size_t i = 0; i < p->rows; i++) { /* by agent, rows with a number first */
        g->costless += (i == 0 || row[i].a != row[i - 1].a) && row[i].b != 0;
    }
    return REGRET_OK;
}

/* Numbers that differ within contexts: a cost by its name, components by their names or, where no name speaks for
 * one, all that lie in a narrow range or the only one that does not; the rest are aux labels. */
static int find_numbers(struct table_guess *g, const char *path)
{
    size_t total = GUESS_NO_COLUMN;
    int named = 0;
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        const struct profile_column *c = &g->profile.column[k];
        named |=
            is_free(g, k) && (is_number(c) || is_score(c)) && words_at(g, k, GUESS_COMPONENT) > 0;
        total = is_free(g, k) && is_score(c) && c->least >= 0.0 && column_is_total_cost(c->name)
                    ? k
                    : total;
    }
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        const struct profile_column *c = &g->profile.column[k];
        int follows = 1;
        if (!is_free(g, k) || !is_score(c)) {
            continue;
        }
        TRY(table_profile_follows(&follows, &g->profile, k, g->at[GUESS_CONTEXT]));
        if (!follows && g->at[GUESS_RATER] != GUESS_NO_COLUMN) { /* the number of a rater */
            TRY(table_profile_follows(&follows, &g->profile, k, g->at[GUESS_RATER]));
        }
        if (follows) {
            continue;
        }
        if (words_at(g, k, GUESS_COST) && c->least >= 0.0 &&
            (total == GUESS_NO_COLUMN ? g->at[GUESS_COST] == GUESS_NO_COLUMN : k == total)) {
            TRY(count_costless(g, k));
            g->role[k] = g->costless == 0 ? GUESS_COST : GUESS_NONE;
            g->at[GUESS_COST] = g->costless == 0 ? k : GUESS_NO_COLUMN;
        } else if (g->n_components < REGRET_POOL_MAX_COMPONENTS &&
                   (named ? words_at(g, k, GUESS_COMPONENT) > 0
                          : c->least >= -1.0 && c->most <= 100.0 &&
                                words_at(g, k, COLUMN_INCIDENTAL) == 0)) {
            make_component(g, k);
        } else if (c->filled == g->profile.rows && g->n_aux < REGRET_POOL_MAX_AUX) {
            g->role[k] = GUESS_AUX;
            g->n_aux++;
        }
    }
    TRY(find_reference(g));
    find_wide_score(g);
    return g->n_components > 0 ? REGRET_OK : guess_refuse_without_score(g, path);
}

/* Outputs that are mostly diffs, with one score that is yes or no: import computes the rest of them. */
static void find_success(struct table_guess *g)
{
    size_t output = g->at[GUESS_OUTPUT];
    if (output == GUESS_NO_COLUMN || g->n_components != 1 ||
        g->at[GUESS_RATER] != GUESS_NO_COLUMN ||
        2 * g->profile.column[output].diffs < g->profile.column[output].filled) {
        return;
    }
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        const struct profile_column *c = &g->profile.column[k];
        if (g->role[k] == GUESS_COMPONENT && c->distinct == 2 && c->least == 0.0 &&
            c->most == 1.0) {
            g->success = k;
        }
    }
}

/* ---------------------------------------------------------------- long or wide */

/* A column of which two values are agents of the wide table says who is the best of a row, not whose it is. */
static int names_agents(int *out, const struct table_guess *g, size_t k)
{
    FREED struct profile_pair *value = NULL;
    size_t n = 0, found = 0;
    TRY(table_profile_distinct(&value, &n, &g->profile, k, k));
    for (size_t a = 0; a < g->wide.n_agents; a++) {
        uint64_t hash = regret_hash64(g->wide.agent[a], strlen(g->wide.agent[a]));
        struct profile_pair key = {hash, hash};
        found += bsearch(&key, value, n, sizeof *value, profile_pair_compare) != NULL;
    }
    *out = found > 1;
    return REGRET_OK;
}

/* Rows are pairs of a context and an agent, by and large, and the pairs fill the grid: the table may be long. It is
 * for sure where no columns come again for several agents, or the grid is full; and where a name speaks for the agents, or
 * every row is another pair and the column `rows` that would tell a wide one's rows apart has a name that says nothing.
 * Where both hold nothing speaks for a wide one: 2. */
static int judge_long(int *may_be, int *sure, const struct table_guess *g, size_t rows)
{
    const struct table_profile *p = &g->profile;
    size_t context = g->at[GUESS_CONTEXT], agent = g->at[GUESS_AGENT], pairs = 0;
    TRY(table_profile_pairs(&pairs, p, context, agent));
    size_t cells = p->column[context].distinct * p->column[agent].distinct;
    size_t n_rows =
        g->at[GUESS_RATER] != GUESS_NO_COLUMN ? pairs : p->rows; /* several raters' are one */
    int is_winner = 0;
    TRY(names_agents(&is_winner, g, agent));
    int is_rich = g->wide.n_agents > 2 && g->wide.n_fields > 1;
    int is_named = words_at(g, agent, GUESS_AGENT) > 0 || g->agent != GUESS_NO_COLUMN;
    int is_told = g->wide.n_agents > 0 && rows != GUESS_NO_COLUMN &&
                  words_at(g, rows, GUESS_CONTEXT) > 0 && rows != context;
    int is_grid =
        2 * pairs >= cells; /* of which a pair may have several draws, where it is named */
    *may_be = !is_winner && g->role[context] != GUESS_OWN && g->role[agent] != GUESS_OWN &&
              (2 * pairs >= n_rows ? is_grid || words_at(g, agent, GUESS_AGENT) > 0
                                   : is_grid && is_named);
    int is_once = pairs == n_rows;
    int is_sure =
        *may_be && (is_named || (is_once && !is_told)) && (!is_rich || (is_once && pairs == cells));
    *sure = is_sure ? 1 + (is_named && is_once) : 0;
    return REGRET_OK;
}

/* Agents must be more than what else could be agents. */
static int check_rival(const struct table_guess *g, const char *path)
{
    const struct profile_column *c = g->profile.column;
    size_t one = 0, other = g->wide.rival;
    if (other == GUESS_NO_COLUMN) {
        return REGRET_OK;
    }
    while (g->role[one] != GUESS_OWN) {
        one++;
    }
    return regret_fail(
        REGRET_E_INPUT,
        "%s: %zu columns hold numbers as \"%.40s\" does (%.6g to %.6g), and as many as "
        "\"%.40s\" (%.6g to %.6g): which are those of agents? Say so in their names "
        "(score_gpt, score_claude), or take the others out",
        path, g->wide.n_agents, c[one].name, c[one].least, c[one].most, c[other].name,
        c[other].least, c[other].most);
}

/* Decides how the table is read, and finds its contexts (and agents, of a long one). */
static int choose_layout(struct table_guess *g, enum guess_layout layout, const char *path)
{
    int may_be_long = 0, is_sure = 0;
    TRY(layout != GUESS_LONG ? guess_wide_find(&g->wide, g) : REGRET_OK);
    int may_be_wide = g->wide.n_agents > 0 && guess_wide_context(g);
    size_t wide_context = g->at[GUESS_CONTEXT];
    int rc = layout != GUESS_WIDE || !may_be_wide ? find_keys(g, path) : REGRET_E_INPUT;
    if (rc != REGRET_OK && (rc != REGRET_E_INPUT || !may_be_wide)) {
        return rc;
    }
    int has_keys = g->at[GUESS_AGENT] != GUESS_NO_COLUMN;
    int is_named = has_keys && (g->agent != GUESS_NO_COLUMN ||
                                words_at(g, g->at[GUESS_AGENT], GUESS_AGENT) > 0);
    int tells_rows = may_be_wide && g->profile.column[wide_context].distinct == g->profile.rows;
    if (has_keys && !is_named && !tells_rows && guess_wide_has_models(g)) {
        TRY(guess_check_joint(g, path)); /* agents are columns, of rows that nothing tells apart */
    }
    TRY(has_keys ? guess_rater_find(g) : REGRET_OK);
    TRY(has_keys ? judge_long(&may_be_long, &is_sure, g, wide_context) : REGRET_OK);
    g->is_wide = may_be_wide && !is_sure;
    g->is_either = may_be_wide && may_be_long && is_sure < 2;
    if (g->is_wide) {
        g->at[GUESS_CONTEXT] = wide_context;
        g->at[GUESS_AGENT] = g->at[GUESS_RATER] = GUESS_NO_COLUMN;
        TRY(guess_check_turned(g, path));
        TRY(layout != GUESS_WIDE ? guess_check_wide(g, path) : REGRET_OK);
        TRY(layout != GUESS_WIDE ? guess_check_restart(g, wide_context, GUESS_NO_COLUMN, path)
                                 : REGRET_OK);
        return check_rival(g, path);
    }
    if (layout == GUESS_WIDE) {
        return regret_fail(
            REGRET_E_INPUT,
            "%s: no columns look like those of agents beside one that tells the rows "
            "apart; write the map (docs/formats.md)",
            path);
    }
    memset(g->role, 0, g->profile.n_columns * sizeof *g->role);
    return guess_check_restart(g, g->at[GUESS_CONTEXT], g->at[GUESS_AGENT], path);
}

/* The numbers of a wide table, which its agents' columns have. */
static void count_fields(struct table_guess *g)
{
    const struct guess_wide *w = &g->wide;
    g->agents = w->n_agents;
    size_t most = g->contexts * w->n_agents; /* a context may have several rows */
    g->pairs = w->scored < most ? w->scored : most;
    for (size_t i = 0; i < w->n_fields; i++) {
        g->n_components += w->field[i].role == GUESS_COMPONENT;
        g->n_aux += w->field[i].role == GUESS_AUX;
        size_t lacking =
            w->field[i].role == GUESS_COMPONENT ? w->scored - w->field[i].over.filled : 0;
        g->unscored = lacking > g->unscored ? lacking : g->unscored;
    }
}

static int guess_roles(struct table_guess *g, enum guess_layout layout, const char *path)
{
    const struct profile_column *column = g->profile.column;
    TRY(choose_layout(g, layout, path));
    TRY(guess_copies_find(g));
    size_t context = g->at[GUESS_CONTEXT], agent = g->at[GUESS_AGENT];
    g->role[context] = GUESS_CONTEXT;
    g->contexts = column[context].distinct;
    if (g->is_wide) {
        guess_wide_mark_scores(g);
    } else {
        g->role[agent] = GUESS_AGENT;
        if (g->at[GUESS_RATER] != GUESS_NO_COLUMN) {
            g->role[g->at[GUESS_RATER]] = GUESS_RATER;
        }
        g->agents = column[agent].distinct;
        TRY(table_profile_pairs(&g->pairs, &g->profile, context, agent));
        TRY(find_numbers(g, path));
    }
    TRY(guess_numbers_take(g));
    TRY(guess_relations_find(g));
    if (g->is_wide) {
        guess_wide_mark_scores(g);
        TRY(guess_plain_doubt(g));
        count_fields(g);
    }
    TRY(guess_leaks_find(g));
    TRY(find_words(g, GUESS_TAG, rate_tag));
    TRY(!g->is_wide ? find_words(g, GUESS_OUTPUT, rate_text) : REGRET_OK);
    if (g->at[GUESS_REFERENCE] != GUESS_NO_COLUMN && g->at[GUESS_OUTPUT] == GUESS_NO_COLUMN) {
        return guess_refuse_without_score(g, path);
    }
    if (column[context].longest <= REGRET_POOL_MAX_ID) {
        TRY(find_words(g, GUESS_TEXT, rate_text));
    }
    TRY(guess_covariates_find(g));
    find_success(g);
    TRY(guess_rated_find(g));
    guess_numbers_free(&g->numbers);
    return REGRET_OK;
}

/* The column of a name that was given; none where it was not. */
static int find_named(size_t *out, const struct table_guess *g, const char *name, const char *path)
{
    const char **names = NULL;
    size_t n = g->profile.n_columns;
    int rc = REGRET_OK;
    *out = GUESS_NO_COLUMN;
    if (name == NULL) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&names, n));
    for (size_t k = 0; k < n; k++) {
        names[k] = g->profile.column[k].name;
        *out = *out == GUESS_NO_COLUMN && strcmp(names[k], name) == 0 ? k : *out;
    }
    if (*out == GUESS_NO_COLUMN) {
        rc = regret_fail_prefix(table_no_column(name, names, n), "%s", path);
    }
    regret_free(names);
    return rc;
}

static int guess_columns(struct table_guess *g, const struct guess_known *known, const char *path)
{
    TRY(find_named(&g->context, g, known->context, path));
    TRY(find_named(&g->agent, g, known->agent, path));
    TRY(known->layout == GUESS_EITHER && known->agent == NULL ? guess_votes_find(g, path)
                                                              : REGRET_OK);
    if (g->votes.is_found) {
        return REGRET_OK;
    }
    TRY(guess_roles(g, known->agent != NULL || g->profile.is_nested ? GUESS_LONG : known->layout,
                    path));
    TRY(!g->is_wide && g->profile.rows > g->pairs ? guess_spread(g) : REGRET_OK);
    return guess_grid(g);
}

/* With what import should take the table, as far as columns tell. */
static void guess_options(struct table_guess *g)
{
    size_t most = g->is_wide ? g->contexts : g->pairs;
    g->import = (struct regret_table_options)REGRET_TABLE_OPTIONS_INIT;
    g->import.layout = g->is_json ? REGRET_TABLE_LAYOUT_JSONL : REGRET_TABLE_LAYOUT_CSV;
    g->import.separator = g->is_json ? ',' : g->separator;
    int has_draws =
        g->at[GUESS_RATER] != GUESS_NO_COLUMN ? g->relations.has_draws : g->profile.rows > most;
    g->import.repeats =
        !g->votes.is_found && has_draws ? REGRET_REPEATS_DRAWS : REGRET_REPEATS_REFUSE;
    g->import.drop_unscored = g->unscored > 0 || g->votes.blank > 0;
    g->import.skip_bad = g->votes.unknown > 0;
}

/* Whether the first character says that the file is JSON. */
static int look_for_json(int *out, const char *path)
{
    struct regret_jsonl *lines = NULL;
    TRY(regret_jsonl_open(&lines, path));
    char first = regret_jsonl_peek(lines);
    *out = first == '{' || first == '[';
    regret_jsonl_close(lines);
    return REGRET_OK;
}

static int read_profile(struct table_guess *g, const char *path)
{
    if (g->separator != 0) {
        return table_profile_read(&g->profile, path, g->separator);
    }
    TRY(look_for_json(&g->is_json, path));
    if (g->is_json) {
        return table_profile_read_json(&g->profile, path);
    }
    TRY(table_profile_separator(&g->separator, path));
    return table_profile_read(&g->profile, path, g->separator);
}

int table_guess_make(struct table_guess *out, const char *path, const struct guess_known *known)
{
    *out = (struct table_guess){.separator = known->separator,
                                .range = known->range,
                                .layout = known->layout,
                                .success = GUESS_NO_COLUMN,
                                .ids = GUESS_NO_COLUMN,
                                .spread = NAN};
    for (size_t r = 0; r < GUESS_ROLES; r++) {
        out->at[r] = GUESS_NO_COLUMN;
    }
    TRY(input_check_regular(path));
    TRY(read_profile(out, path));
    TRY(table_profile_check_columns(out->profile.n_columns, 3, path));
    TRY(!out->is_json ? guess_check_header(out, path) : REGRET_OK);
    TRY(REGRET_NEW(&out->role, out->profile.n_columns));
    TRY(REGRET_NEW(&out->is_score, out->profile.n_columns));
    TRY(REGRET_NEW(&out->leak, out->profile.n_columns));
    TRY(REGRET_NEW(&out->left, out->profile.n_columns));
    TRY(guess_columns(out, known, path));
    guess_options(out);
    return guess_check_scores(out, path);
}

void table_guess_free(struct table_guess *guess)
{
    table_profile_free(&guess->profile);
    guess_wide_free(&guess->wide);
    guess_votes_free(&guess->votes);
    guess_relations_free(&guess->relations);
    regret_free(guess->role);
    regret_free(guess->is_score);
    regret_free(guess->doubt);
    regret_free(guess->leak);
    regret_free(guess->left);
    guess_numbers_free(&guess->numbers);
    regret_free(guess->refused);
    regret_free(guess->lacking);
    *guess = (struct table_guess){0};
}
