#include "import/guess/guess.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "base/files/input.h"
#include "import/table/table_source.h"
#include "regret/alloc.h"
#include "regret/import.h"
#include "regret/json.h"
#include "regret/pool.h"

enum { MOST_AGENTS = 1000 };

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

/* Letter grades, where the name speaks for a score: A, B and C may be anything. */
static int is_grades(const struct profile_column *c)
{
    return c->filled > 0 && c->grades == c->filled && column_words(c->name, GUESS_COMPONENT) > 0;
}

/* Numbers to people's eyes: import would refuse them, and a text they are not. */
static int is_column_of_near_numbers(const struct profile_column *c)
{
    return c->nearly > 0 && c->numbers + c->nearly + c->missing == c->filled;
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
    int is_likely = c->distinct <= MOST_AGENTS && (!is_number(c) || words_at(g, k, GUESS_AGENT));
    return is_free(g, k) && c->distinct >= 2 && c->longest <= REGRET_POOL_MAX_ID &&
           fills(g, c, GUESS_AGENT) && (g->agent == GUESS_NO_COLUMN ? is_likely : k == g->agent);
}

/* A text serves as well: import makes an id of a long one (regret/import.h). */
static int may_be_context(const struct table_guess *g, size_t k)
{
    const struct profile_column *c = &g->profile.column[k];
    int is_likely = !is_number(c) || c->whole == c->numbers;
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
                   (p->column[context].longest > REGRET_POOL_MAX_ID);
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

static int find_keys(struct table_guess *g)
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
        return regret_fail(REGRET_E_INPUT,
                           "\"%s\" and \"%s\" cannot be contexts and agents: each needs a value in "
                           "every row and two different ones, an agent's of at most %d bytes, and "
                           "neither may follow from the other",
                           g->profile.column[g->context].name, g->profile.column[g->agent].name,
                           REGRET_POOL_MAX_ID);
    }
    return best > 0.0
               ? REGRET_OK
               : regret_fail(
                     REGRET_E_INPUT,
                     "no two columns look like contexts and agents: a table has a row for each "
                     "context and agent, a column that says which context (at most %d bytes) "
                     "and one that says which agent; a wide table has a column that tells its "
                     "rows apart, and a column an agent, three or more on one scale, or named "
                     "alike (gpt_score, claude_score); --context COLUMN and --agent COLUMN say "
                     "which",
                     REGRET_POOL_MAX_ID);
}

/* ---------------------------------------------------------------- texts, scores and the rest */

/* A text with much to read; one whose name speaks for the role first. */
static double rate_text(const struct table_guess *g, size_t k, enum guess_role role)
{
    const struct profile_column *c = &g->profile.column[k];
    return is_column_of_near_numbers(c) || 2 * c->distinct <= g->contexts
               ? 0.0
               : c->mean_bytes + (words_at(g, k, role) > 0 ? 1e6 : 0.0);
}

/* What kind a context is: few different words; those whose name speaks for it first. */
static double rate_tag(const struct table_guess *g, size_t k, enum guess_role role)
{
    const struct profile_column *c = &g->profile.column[k];
    return c->distinct < 2 || 2 * c->distinct > g->contexts || c->longest > REGRET_POOL_MAX_ID
               ? 0.0
               : 1.0 + (words_at(g, k, role) > 0);
}

/* The column that serves a role best, of those that follow from the context or, for an output, do not; it may be that
 * none does. */
static int find_words(struct table_guess *g, enum guess_role role,
                      double (*rate)(const struct table_guess *, size_t, enum guess_role))
{
    double best = 0.0;
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        const struct profile_column *c = &g->profile.column[k];
        int follows = 0, is_text = is_free(g, k) && !is_number(c) && !is_grades(c);
        double rating = is_text ? rate(g, k, role) : 0.0;
        if (rating > best) {
            TRY(table_profile_follows(&follows, &g->profile, k, g->at[GUESS_CONTEXT]));
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

static int refuse_without_score(const struct table_guess *g)
{
    static const char wanted[] = "no column holds a score: numbers that differ between the agents "
                                 "of a context; rewards are made of them";
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        const struct profile_column *c = &g->profile.column[k];
        if (is_free(g, k) && is_column_of_near_numbers(c)) {
            return regret_fail(REGRET_E_INPUT,
                               "%s. Column \"%.40s\" holds \"%s\": write numbers with a decimal "
                               "point and nothing else, as 0.5 or 45",
                               wanted, c->name, c->example);
        }
    }
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        const struct profile_column *c = &g->profile.column[k];
        if (is_free(g, k) && 2 * c->numbers > c->filled && c->other_row > 0) {
            return regret_fail(REGRET_E_INPUT,
                               "%s. Column \"%.40s\" holds numbers in %zu rows, but \"%s\" in row "
                               "%zu: correct or blank what is none",
                               wanted, c->name, c->numbers, c->other, c->other_row);
        }
    }
    return regret_fail(REGRET_E_INPUT,
                       "%s (yes and no, pass and fail, true and false are 1 and 0; the map's "
                       "\"words\" say what others count)",
                       wanted);
}

/* Numbers that differ within contexts: a cost by its name, components by their names or, where no name speaks for
 * one, all that lie in a narrow range; the rest are aux labels. */
static int find_numbers(struct table_guess *g)
{
    int named = 0;
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        const struct profile_column *c = &g->profile.column[k];
        named |=
            is_free(g, k) && (is_number(c) || is_grades(c)) && words_at(g, k, GUESS_COMPONENT) > 0;
    }
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        const struct profile_column *c = &g->profile.column[k];
        int follows = 1;
        int is_score = is_number(c) && c->least < c->most;
        if (!is_free(g, k) || !(is_score || (is_grades(c) && c->distinct > 1))) {
            continue;
        }
        TRY(table_profile_follows(&follows, &g->profile, k, g->at[GUESS_CONTEXT]));
        if (follows) {
            continue;
        }
        if (words_at(g, k, GUESS_COST) && c->least >= 0.0 && g->at[GUESS_COST] == GUESS_NO_COLUMN) {
            g->role[k] = GUESS_COST;
            g->at[GUESS_COST] = k;
        } else if (g->n_components < REGRET_POOL_MAX_COMPONENTS &&
                   (named ? words_at(g, k, GUESS_COMPONENT) > 0
                          : c->least >= -1.0 && c->most <= 100.0 &&
                                words_at(g, k, COLUMN_INCIDENTAL) == 0)) {
            g->role[k] = GUESS_COMPONENT;
            g->n_components++;
            size_t lacking = g->profile.rows - c->filled;
            g->unscored = lacking > g->unscored ? lacking : g->unscored;
        } else if (c->filled == g->profile.rows && g->n_aux < REGRET_POOL_MAX_AUX) {
            g->role[k] = GUESS_AUX;
            g->n_aux++;
        }
    }
    return g->n_components > 0 ? REGRET_OK : refuse_without_score(g);
}

/* Outputs that are mostly diffs, with one score that is yes or no: import computes the rest of them. */
static void find_success(struct table_guess *g)
{
    size_t output = g->at[GUESS_OUTPUT];
    if (output == GUESS_NO_COLUMN || g->n_components != 1 ||
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

/* Rows are pairs of a context and an agent, by and large, and the pairs fill the grid: the table may be long. It is
 * for sure where no columns come again for several agents, or the grid is full. */
static int judge_long(int *may_be, int *sure, const struct table_guess *g)
{
    const struct table_profile *p = &g->profile;
    size_t context = g->at[GUESS_CONTEXT], agent = g->at[GUESS_AGENT], pairs = 0;
    TRY(table_profile_pairs(&pairs, p, context, agent));
    size_t cells = p->column[context].distinct * p->column[agent].distinct;
    int is_rich = g->wide.n_agents > 2 && g->wide.n_fields > 1;
    *may_be = g->role[context] != GUESS_OWN && g->role[agent] != GUESS_OWN &&
              2 * pairs >= p->rows && (2 * pairs >= cells || words_at(g, agent, GUESS_AGENT) > 0);
    *sure = *may_be && (!is_rich || (pairs == p->rows && pairs == cells));
    return REGRET_OK;
}

/* Decides how the table is read, and finds its contexts (and agents, of a long one). */
static int choose_layout(struct table_guess *g, enum guess_layout layout)
{
    int may_be_long = 0, is_sure = 0;
    TRY(layout != GUESS_LONG ? guess_wide_find(&g->wide, g) : REGRET_OK);
    int may_be_wide = g->wide.n_agents > 0 && guess_wide_context(g);
    size_t wide_context = g->at[GUESS_CONTEXT];
    int rc = layout != GUESS_WIDE || !may_be_wide ? find_keys(g) : REGRET_E_INPUT;
    if (rc != REGRET_OK && (rc != REGRET_E_INPUT || !may_be_wide)) {
        return rc;
    }
    int has_keys = g->at[GUESS_AGENT] != GUESS_NO_COLUMN;
    TRY(has_keys ? judge_long(&may_be_long, &is_sure, g) : REGRET_OK);
    g->is_wide = may_be_wide && !is_sure;
    g->is_either = may_be_wide && may_be_long;
    if (g->is_wide) {
        g->at[GUESS_CONTEXT] = wide_context;
        g->at[GUESS_AGENT] = GUESS_NO_COLUMN;
        return REGRET_OK;
    }
    if (layout == GUESS_WIDE) {
        return regret_fail(REGRET_E_INPUT, "no columns look like those of agents beside one that "
                                           "tells the rows apart; write the map (docs/formats.md)");
    }
    memset(g->role, 0, g->profile.n_columns * sizeof *g->role);
    return REGRET_OK;
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
    TRY(choose_layout(g, layout));
    TRY(g->is_wide ? guess_relations_find(g, path) : REGRET_OK);
    size_t context = g->at[GUESS_CONTEXT], agent = g->at[GUESS_AGENT];
    g->role[context] = GUESS_CONTEXT;
    g->contexts = column[context].distinct;
    if (g->is_wide) {
        count_fields(g);
    } else {
        g->role[agent] = GUESS_AGENT;
        g->agents = column[agent].distinct;
        TRY(table_profile_pairs(&g->pairs, &g->profile, context, agent));
    }
    TRY(find_words(g, GUESS_TAG, rate_tag));
    TRY(!g->is_wide ? find_words(g, GUESS_OUTPUT, rate_text) : REGRET_OK);
    if (column[context].longest <= REGRET_POOL_MAX_ID) {
        TRY(find_words(g, GUESS_TEXT, rate_text));
    }
    TRY(!g->is_wide ? find_numbers(g) : REGRET_OK);
    TRY(!g->is_wide ? guess_relations_find(g, path) : REGRET_OK);
    find_success(g);
    return REGRET_OK;
}

/* The column of a name that was given; none where it was not. */
static int find_named(size_t *out, const struct table_guess *g, const char *name)
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
        rc = table_no_column(name, names, n);
    }
    regret_free(names);
    return rc;
}

static int guess_columns(struct table_guess *g, const struct guess_known *known, const char *path)
{
    TRY(find_named(&g->context, g, known->context));
    TRY(find_named(&g->agent, g, known->agent));
    TRY(known->layout == GUESS_EITHER && known->agent == NULL ? guess_votes_find(g, path)
                                                              : REGRET_OK);
    if (g->votes.is_found) {
        return REGRET_OK;
    }
    TRY(guess_roles(g, known->agent != NULL || g->profile.is_nested ? GUESS_LONG : known->layout,
                    path));
    return guess_grid(g);
}

/* With what import should take the table, as far as columns tell. */
static void guess_options(struct table_guess *g)
{
    size_t most = g->is_wide ? g->contexts : g->pairs;
    g->import = (struct regret_table_options)REGRET_TABLE_OPTIONS_INIT;
    g->import.layout = g->is_json ? REGRET_TABLE_LAYOUT_JSONL : REGRET_TABLE_LAYOUT_CSV;
    g->import.separator = g->is_json ? ',' : g->separator;
    g->import.repeats =
        !g->votes.is_found && g->profile.rows > most ? REGRET_REPEATS_DRAWS : REGRET_REPEATS_REFUSE;
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
    *out = (struct table_guess){.separator = known->separator, .success = GUESS_NO_COLUMN};
    for (size_t r = 0; r < GUESS_ROLES; r++) {
        out->at[r] = GUESS_NO_COLUMN;
    }
    TRY(input_check_regular(path));
    TRY(read_profile(out, path));
    TRY(table_profile_check_columns(out->profile.n_columns, 3, path));
    TRY(REGRET_NEW(&out->role, out->profile.n_columns));
    int rc = guess_columns(out, known, path);
    guess_options(out);
    return rc == REGRET_E_INPUT ? regret_fail_prefix(rc, "%s", path) : rc;
}

void table_guess_free(struct table_guess *guess)
{
    table_profile_free(&guess->profile);
    guess_wide_free(&guess->wide);
    guess_votes_free(&guess->votes);
    guess_relations_free(&guess->relations);
    regret_free(guess->role);
    regret_free(guess->refused);
    *guess = (struct table_guess){0};
}
