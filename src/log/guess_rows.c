/* What rows tell of a log beside the names of its columns: what was assigned as one, and which columns of outputs are agents'. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "log/guess.h"
#include "log/internal.h"
#include "regret/status.h"
#include "table/fields.h"
#include "table/sql.h"

/* ---------------------------------------------------------------- what was assigned as one */

/* Within a user, a device, a conversation the agent is the same, or outcomes are alike: beyond chance by so many standard errors,
 * the share of what could be alike that is, and for outcomes the values that a column has at least [C]. */
static const double SURE = 4.0, MOSTLY = 0.5;
enum { MANY = 30 };

/* A column that may say what was assigned as one: no role stands in its way, and its name says nothing of what came after. */
static int may_be_unit(const struct log_guess_table *g, int k)
{
    const struct init_table *t = &g->table;
    const struct init_column *c = &t->column[k];
    const unsigned after = INIT_AFTER | INIT_OUTPUT | INIT_ANY_SCORE | INIT_COST;
    unsigned any = init_name_any(&t->words, c->name);
    int is_free =
            !c->is_used || k == g->at[LOG_CLUSTER] || k == g->at[LOG_TAG] || k == g->at[LOG_TIME],
        is_agent =
            (any & INIT_AGENT) != 0 && c->distinct <= MANY * t->column[g->at[LOG_AGENT]].distinct;
    return is_free && !is_agent && (any & after) == 0 && !c->is_left && c->name[0] != '\0' &&
           c->distinct >= 2 && 10 * c->distinct <= 9 * t->rows &&
           c->whole == c->numbers + c->truths && 2 * c->filled > t->rows;
}

/* What is called an id, or words that are no kind of request: of others outcomes are alike because requests are. */
static int is_name(const struct log_guess_table *g, int k)
{
    const struct init_column *c = &g->table.column[k];
    unsigned any = init_name_any(&g->table.words, c->name);
    return g->at[LOG_TAG] != k && g->at[LOG_TIME] != k &&
           (c->said.is_id || (c->numbers == 0 && (any & (INIT_KNOWN | INIT_TAG)) == 0));
}

/* Whether column k is a unit, and what speaks for it: by pairs of rows of one value, whose agents are one, or whose outcomes, less the
 * means of their agents, go together, more often than those of any rows. */
static int try_column(struct log_unit *out, struct log_guess_table *g, int k)
{
    struct init_table *t = &g->table;
    double x[8], is_agent = 1.0;
    TRY(init_varies(&is_agent, t, k, &g->at[LOG_AGENT], 1));
    if (is_agent == 0.0) {
        return REGRET_OK; /* the agent's other name */
    }
    TRY(init_ask_numbers(x, 8, t,
                         "WITH g AS (SELECT t.c%d AS u, count(*) * 1.0 AS m, sum(y) AS y, sum(y * "
                         "y) AS q FROM t JOIN r ON r.rowid = t.rowid "
                         "WHERE t.c%d IS NOT NULL GROUP BY u, r.a), "
                         "h AS (SELECT sum(m) AS m, max(m) AS most, sum(m * (m - 1)) AS alike, "
                         "sum(y) AS y, sum(q) AS q FROM g GROUP BY u) "
                         "SELECT (SELECT sum(m * m) FROM s), (SELECT sum(m * m * m) FROM s), "
                         "count(*), sum(m = most), sum(m * (m - 1)), "
                         "sum(m * (m - 1) * (m - 2)), sum(alike), sum(y * y - q) / (SELECT avg(y * "
                         "y) FROM r) FROM h",
                         k, k));
    double squares = x[0], cubes = x[1], pairs = x[4], alike = x[6], products = x[7];
    double error = sqrt(2.0 * pairs * (squares - squares * squares) +
                        4.0 * x[5] * fmax(0.0, cubes - squares * squares));
    struct log_unit unit = {.column = k, .values = (size_t)x[2], .alike = (size_t)x[3]};
    if ((alike / pairs - squares) / (1.0 - squares) >= MOSTLY &&
        (alike - pairs * squares) / error > SURE) {
        unit.why = LOG_UNIT_AGENT;
    } else if (products / sqrt(2.0 * pairs) > SURE && unit.values >= MANY && is_name(g, k)) {
        unit.why = LOG_UNIT_OUTCOME;
    }
    *out = unit;
    return REGRET_OK;
}

/* Of two the one by agents; of those the one of fewer values, which holds what is assigned within it. */
static int is_better(const struct log_unit *one, const struct log_unit *than)
{
    return than->why == LOG_UNIT_NONE ||
           (one->why != than->why ? one->why == LOG_UNIT_AGENT : one->values < than->values);
}

static void take_unit(struct log_guess *guess, const struct log_unit *unit)
{
    const char *name = init_name(&guess->of[LOG_INPUT_EXP].table, unit->column);
    for (int i = 0; i < REGRET_LOG_SOURCES; i++) {
        struct log_guess_table *g = &guess->of[i];
        int *at = &g->at[LOG_CLUSTER];
        if (g->table.path != NULL && *at != INIT_NONE) {
            g->table.column[*at].is_used = 0;
        }
        *at = g->table.path != NULL ? init_column_at(&g->table, name) : INIT_NONE;
        if (*at != INIT_NONE) {
            g->table.column[*at].is_used = 1;
        }
    }
    guess->unit = *unit;
}

int log_guess_unit(struct log_guess *guess)
{
    struct log_guess_table *g = &guess->of[LOG_INPUT_EXP];
    struct init_table *t = &g->table;
    struct log_unit best = {.why = LOG_UNIT_NONE};
    int named = g->at[LOG_CLUSTER];
    if (t->path == NULL) {
        return REGRET_OK;
    }
    TRY(sql_each(t->sql, NULL, NULL,
                 "CREATE TABLE r AS SELECT t.c%d AS a, v%d - avg(v%d) OVER (PARTITION BY t.c%d) AS "
                 "y FROM t JOIN n ON n.rowid = "
                 "t.rowid ORDER BY t.rowid",
                 g->at[LOG_AGENT], g->at[LOG_OUTCOME], g->at[LOG_OUTCOME], g->at[LOG_AGENT]));
    TRY(sql_each(t->sql, NULL, NULL,
                 "CREATE TABLE s AS SELECT count(*) / %f AS m FROM r GROUP BY a", (double)t->rows));
    for (int k = 0; k < (int)t->n_columns; k++) {
        struct log_unit unit = {.why = LOG_UNIT_NONE};
        TRY(may_be_unit(g, k) ? try_column(&unit, g, k) : REGRET_OK);
        int is_known = named != INIT_NONE && unit.why == LOG_UNIT_OUTCOME;
        best = unit.why != LOG_UNIT_NONE && !is_known && is_better(&unit, &best) ? unit : best;
    }
    int is_coarser =
        named != INIT_NONE && named != best.column && t->column[named].distinct <= best.values;
    if (best.why != LOG_UNIT_NONE && !is_coarser) { /* users who have several conversations stay */
        take_unit(guess, &best);
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- outputs with a column an agent */

static int take_agent(void *context, sqlite3_stmt *row)
{
    uint32_t i = 0;
    return names_enter(&i, context, (const char *)sqlite3_column_text(row, 0));
}

/* Who has rows in the log or the trial. */
static int find_agents(struct names *agents, const struct log_guess *guess)
{
    for (int i = 0; i < REGRET_LOG_SOURCES; i++) {
        const struct log_guess_table *g = &guess->of[i];
        int k = g->at[LOG_AGENT];
        TRY(g->table.path != NULL
                ? sql_each(g->table.sql, take_agent, agents,
                           "SELECT DISTINCT c%d FROM t WHERE c%d IS NOT NULL", k, k)
                : REGRET_OK);
    }
    return REGRET_OK;
}

/* The name with the longest agent's in it as {agent}, which nothing but separators stand around; nothing where there is none. */
static int put_pattern(char **out, const struct names *agents, const char *name)
{
    FREED_BY(regret_buffer_free) struct regret_buffer pattern = REGRET_BUFFER_INIT;
    const char *best = NULL;
    size_t longest = 0;
    for (size_t a = 0; a < agents->n; a++) {
        size_t n = strlen(agents->name[a]);
        for (const char *p = name; n > longest && (p = strstr(p, agents->name[a])) != NULL; p++) {
            int is_inner =
                (p > name && isalnum((unsigned char)p[-1]) && isalnum((unsigned char)p[0])) ||
                (isalnum((unsigned char)p[n - 1]) && isalnum((unsigned char)p[n]));
            best = is_inner ? best : p;
            longest = is_inner ? longest : n;
        }
    }
    if (best == NULL) {
        return REGRET_OK;
    }
    regret_buffer_append_n(&pattern, name, (size_t)(best - name));
    regret_buffer_append(&pattern, FIELDS_AGENT);
    regret_buffer_append(&pattern, best + longest);
    return text_take(out, &pattern);
}

static int is_pattern(char *const *pattern, int k, int other)
{
    return pattern[k] != NULL && pattern[other] != NULL && strcmp(pattern[k], pattern[other]) == 0;
}

/* Texts that two or more agents have a column of; of several kinds the longest. */
static int find_kind(const struct init_table *t, char *const *pattern)
{
    int best = INIT_NONE;
    for (int k = 0; k < (int)t->n_columns; k++) {
        const struct init_column *c = &t->column[k];
        size_t n = 0;
        for (int i = 0; i < (int)t->n_columns; i++) {
            n += (size_t)is_pattern(pattern, k, i);
        }
        if (n >= 2 && c->numbers < c->filled &&
            (best == INIT_NONE || c->longest > t->column[best].longest)) {
            best = k;
        }
    }
    return best;
}

int log_guess_wide(struct log_guess *guess)
{
    FREED_BY(names_free) struct names agents = {0};
    struct init_table *t = &guess->of[LOG_INPUT_OUTPUTS].table;
    char **pattern = NULL;
    int rc;
    TRY(REGRET_NEW(&pattern, t->n_columns));
    TRY_CLEANUP(find_agents(&agents, guess));
    for (int k = 0; k < (int)t->n_columns; k++) {
        TRY_CLEANUP(init_is_free(t, k) ? put_pattern(&pattern[k], &agents, init_name(t, k))
                                       : REGRET_OK);
    }
    int kind = find_kind(t, pattern);
    for (int k = 0; kind != INIT_NONE && k < (int)t->n_columns; k++) {
        t->column[k].is_used |= is_pattern(pattern, kind, k);
    }
    rc = kind != INIT_NONE ? regret_strdup(&guess->pattern, pattern[kind]) : REGRET_OK;
cleanup:
    texts_free(pattern, t->n_columns);
    return rc;
}
