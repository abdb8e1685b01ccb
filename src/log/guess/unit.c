/* What was assigned as one, by the rows: within a user, a device, a conversation the agent is the same, or outcomes are alike. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "import/profile/column_names.h"
#include "log/guess/guess.h"
#include "regret/alloc.h"
#include "regret/hash.h"

/* Standard errors, the share of what could be alike that is, and for outcomes the values that a column has at least [C]. */
static const double SURE = 4.0, MOSTLY = 0.5;
enum { MANY = 30 };

/* Names of agents by other names, which have one agent each whatever assigned them. */
static const char OF_AGENT[] = " agent model llm bot arm treatment policy system engine version "
                               "variant provider endpoint deployment config template ";
/* Measures of an answer, which are alike where one agent gave it. */
static const char OF_ANSWER[] = " token tokens ms bytes words chars characters length steps ";

struct unit_row {
    uint64_t value, agent;
    double y; /* less the mean of its agent; NaN of a word */
};

static int compare(const void *x, const void *y)
{
    const struct unit_row *a = x, *b = y;
    return a->value != b->value ? (a->value > b->value) - (a->value < b->value)
                                : (a->agent > b->agent) - (a->agent < b->agent);
}

static int compare_agents(const void *x, const void *y)
{
    const struct unit_row *a = x, *b = y;
    return (a->agent > b->agent) - (a->agent < b->agent);
}

/* Takes the means of agents out of the rows, which are put in their order, and sums squares and cubes of their shares. */
static void centre(struct unit_row *row, size_t n, double *squares, double *cubes, double *variance)
{
    qsort(row, n, sizeof *row, compare_agents);
    *squares = *cubes = *variance = 0.0;
    for (size_t i = 0, end; i < n; i = end) {
        double sum = 0.0, share;
        for (end = i; end < n && row[end].agent == row[i].agent; end++) {
            sum += row[end].y;
        }
        share = (double)(end - i) / (double)n;
        *squares += share * share;
        *cubes += share * share * share;
        for (size_t k = i; k < end; k++) {
            row[k].y -= sum / (double)(end - i);
            *variance += row[k].y * row[k].y / (double)n;
        }
    }
}

/* Pairs of rows of one value, and how far their agents, or their outcomes, are alike beyond chance: share of what there could be, and
 * in standard errors. */
struct likeness {
    double share, sure;
};

static void look(struct likeness *agents, struct likeness *outcomes, struct log_unit *unit,
                 struct unit_row *row, size_t n)
{
    double squares, cubes, variance, pairs = 0.0, triples = 0.0, alike = 0.0, products = 0.0;
    const uint64_t blank = regret_hash64("", 0);
    centre(row, n, &squares, &cubes, &variance);
    qsort(row, n, sizeof *row, compare);
    for (size_t i = 0, end; i < n; i = end) {
        double m, sum = 0.0, own = 0.0, k = 0.0, most = 0.0;
        for (end = i; end < n && row[end].value == row[i].value; end++) {
            k = end > i && row[end].agent == row[end - 1].agent ? k + 1.0 : 1.0;
            alike += row[i].value != blank ? 2.0 * (k - 1.0) : 0.0;
            most = fmax(most, k);
            sum += row[end].y;
            own += row[end].y * row[end].y;
        }
        m = row[i].value != blank ? (double)(end - i) : 0.0;
        unit->values += m > 0.0;
        unit->alike += m > 0.0 && most == m;
        pairs += m * (m - 1.0);
        triples += m * (m - 1.0) * (m - 2.0);
        products += m > 0.0 ? sum * sum - own : 0.0;
    }
    double error = sqrt(2.0 * pairs * (squares - squares * squares) +
                        4.0 * triples * fmax(0.0, cubes - squares * squares));
    *agents = (struct likeness){(alike / pairs - squares) / (1.0 - squares),
                                (alike - pairs * squares) / error};
    *outcomes =
        (struct likeness){products / pairs / variance, products / variance / sqrt(2.0 * pairs)};
}

/* A column that may say what was assigned as one: no role stands in its way, and its name says nothing of what came after. */
static int may_be_unit(const struct log_guess_table *t, size_t k)
{
    static const enum log_field others[] = {LOG_AGENT,      LOG_OUTCOME, LOG_OUTPUT, LOG_TEXT,
                                            LOG_PROPENSITY, LOG_SLATE,   LOG_COST,   LOG_CONTEXT};
    const struct profile_column *c = &t->profile.column[k];
    int is_agent = column_count_words(c->name, OF_AGENT) > 0 &&
                   c->distinct <= MANY * t->profile.column[t->at[LOG_AGENT]].distinct;
    int may = !is_agent && c->distinct >= 2 && 10 * c->distinct <= 9 * t->profile.rows &&
              c->whole == c->numbers && 2 * c->filled > t->profile.rows &&
              column_fits_map(c->name) && column_count_words(c->name, OF_ANSWER) == 0 &&
              !log_guess_is_after(c->name);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        may &= t->at[others[i]] != k;
    }
    return may;
}

/* What is called an id, or words that are no kind of request: of others outcomes are alike because requests are. */
static int is_name(const struct log_guess_table *t, size_t k)
{
    const struct profile_column *c = &t->profile.column[k];
    int is_id = column_count_words(c->name, " id ids uid uuid hash key nr no ") > 0;
    return t->at[LOG_TAG] != k && t->at[LOG_TIME] != k &&
           (is_id || (c->numbers == 0 && !log_guess_is_before(c->name)));
}

/* Whether column k is a unit, and what speaks for it. */
static int try_column(struct log_unit *out, const struct log_guess_table *t, size_t k)
{
    const struct table_profile *p = &t->profile;
    size_t agent = t->at[LOG_AGENT], outcome = t->at[LOG_OUTCOME];
    FREED struct unit_row *row = NULL;
    struct likeness agents, outcomes;
    struct log_unit unit = {.column = k};
    int is_agent = 0;
    TRY(table_profile_follows(&is_agent, p, k, agent));
    if (is_agent) {
        return REGRET_OK; /* the agent's other name */
    }
    TRY(REGRET_NEW(&row, p->rows));
    for (size_t i = 0; i < p->rows; i++) {
        const size_t at = i * p->n_columns;
        row[i] = (struct unit_row){p->cell[at + k], p->cell[at + agent], p->number[at + outcome]};
    }
    look(&agents, &outcomes, &unit, row, p->rows);
    unit.rows = p->rows;
    if (agents.share >= MOSTLY && agents.sure > SURE) {
        unit.why = LOG_UNIT_AGENT;
    } else if (outcomes.sure > SURE && unit.values >= MANY && is_name(t, k)) {
        unit.why = LOG_UNIT_OUTCOME;
    }
    *out = unit.why != LOG_UNIT_NONE ? unit : *out;
    return REGRET_OK;
}

/* Of two the one by agents; of those the one of fewer values, which holds what is assigned within it. */
static int is_better(const struct log_unit *one, const struct log_unit *than)
{
    return than->why == LOG_UNIT_NONE ||
           (one->why != than->why ? one->why == LOG_UNIT_AGENT : one->values < than->values);
}

static void take(struct log_guess *g, struct log_guess_table *t, const struct log_unit *unit)
{
    const char *name = t->profile.column[unit->column].name;
    for (int i = 0; i < REGRET_LOG_SOURCES; i++) {
        struct log_guess_table *to = &g->table[i];
        size_t before = to->at[LOG_CLUSTER];
        if (to->path == NULL) {
            continue;
        }
        if (before != LOG_NO_COLUMN) {
            to->taken[before] = 0;
        }
        to->at[LOG_CLUSTER] = LOG_NO_COLUMN;
        for (size_t k = 0; k < to->profile.n_columns; k++) {
            if (strcmp(to->profile.column[k].name, name) == 0) {
                to->at[LOG_CLUSTER] = k;
                to->taken[k] = 1;
            }
        }
    }
    g->unit = *unit;
}

int log_guess_unit(struct log_guess *g)
{
    struct log_guess_table *t = &g->table[LOG_INPUT_EXP];
    struct log_unit best = {.why = LOG_UNIT_NONE};
    if (t->path == NULL || t->at[LOG_AGENT] == LOG_NO_COLUMN ||
        t->at[LOG_OUTCOME] == LOG_NO_COLUMN) {
        return REGRET_OK;
    }
    for (size_t k = 0; k < t->profile.n_columns; k++) {
        struct log_unit unit = {.why = LOG_UNIT_NONE};
        TRY(may_be_unit(t, k) ? try_column(&unit, t, k) : REGRET_OK);
        int is_named = t->at[LOG_CLUSTER] != LOG_NO_COLUMN && unit.why == LOG_UNIT_OUTCOME;
        if (unit.why != LOG_UNIT_NONE && !is_named && is_better(&unit, &best)) {
            unit.others = best.why == unit.why ? best.others + 1 : 0;
            best = unit;
        } else {
            best.others += unit.why != LOG_UNIT_NONE && unit.why == best.why;
        }
    }
    size_t named = t->at[LOG_CLUSTER];
    int is_coarser = named != LOG_NO_COLUMN && named != best.column &&
                     t->profile.column[named].distinct <= best.values;
    if (best.why != LOG_UNIT_NONE && !is_coarser) { /* users who have several conversations stay */
        take(g, t, &best);
    }
    return REGRET_OK;
}
