/* Agents that a table does not have: refused where the map could not be defended. */
#include <stdlib.h>

#include "base/core/try.h"
#include "import/guess/guess.h"
#include "regret/alloc.h"

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
