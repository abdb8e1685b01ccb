#include "evaluate/balance/assignment.h"

#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/rng.h"

enum { ENOUGH = 10 /* rows that share a cluster, from which on their agreeing is no accident */ };

void assignment_free(struct assignment *d)
{
    regret_free(d->unit);
    regret_free(d->rows);
    regret_free(d->first);
    regret_free(d->label);
    regret_free(d->stratum);
    regret_free(d->agent);
    regret_free(d->probability);
    *d = (struct assignment){0};
}

static int are_alike(double a, double b)
{
    return fabs(a - b) <= 1e-6 * fmax(a, b);
}

static size_t strata_of(const struct regret_log *log, enum assignment_kind kind)
{
    return kind == ASSIGNMENT_BY_SLATE ? log->n_slates
           : kind == ASSIGNMENT_BY_TAG ? log->n_tags
                                       : 1;
}

static uint32_t stratum_of(const struct regret_log *log, enum assignment_kind kind, size_t row)
{
    const struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    return kind == ASSIGNMENT_BY_SLATE ? exp->slate[row]
           : kind == ASSIGNMENT_BY_TAG ? log->tag[exp->context[row]]
                                       : 0;
}

/* Sets *out to 1 where all rows of an agent in a stratum have one probability. */
static int is_constant(int *out, const struct regret_log *log, enum assignment_kind kind)
{
    const struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    size_t strata = strata_of(log, kind);
    double *seen = NULL;
    TRY(REGRET_NEW(&seen, log->n_agents * strata));
    *out = 1;
    for (size_t i = 0; i < exp->n && *out; i++) {
        double *p = &seen[exp->agent[i] * strata + stratum_of(log, kind, i)];
        *p = *p > 0.0 ? *p : exp->propensity[i];
        *out = are_alike(*p, exp->propensity[i]);
    }
    regret_free(seen);
    return REGRET_OK;
}

/* Slates come first, where they come again and again: who is on none cannot be assigned, whatever probabilities say. */
static int find_kind(struct assignment *d, const struct regret_log *log)
{
    enum { AGAIN = 8, MOST_CELLS = 1 << 22 };
    int has[ASSIGNMENT_BY_ROW] = {
        [ASSIGNMENT_ALIKE] = 1,
        [ASSIGNMENT_BY_TAG] = log->tag != NULL && log->n_tags > 0,
        [ASSIGNMENT_BY_SLATE] = log->rows[REGRET_LOG_EXP].slate != NULL && log->n_slates > 1 &&
                                AGAIN * log->n_slates <= log->rows[REGRET_LOG_EXP].n &&
                                log->n_slates * log->n_agents <= MOST_CELLS};
    static const enum assignment_kind order[] = {ASSIGNMENT_BY_SLATE, ASSIGNMENT_ALIKE,
                                                 ASSIGNMENT_BY_TAG};
    int found = 0;
    d->kind = ASSIGNMENT_BY_ROW;
    for (size_t i = 0; i < sizeof order / sizeof *order && !found; i++) {
        TRY(has[order[i]] ? is_constant(&found, log, order[i]) : REGRET_OK);
        d->kind = found ? order[i] : d->kind;
    }
    return REGRET_OK;
}

/* Gives agents that have rows numbers, and says in number[] which. */
static int number_agents(struct assignment *d, uint32_t *number, const struct regret_log *log)
{
    const struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    TRY(REGRET_NEW(&d->agent, log->n_agents));
    TRY(REGRET_NEW(&d->probability, log->n_agents));
    for (size_t i = 0; i < exp->n; i++) {
        number[exp->agent[i]] = 1;
    }
    for (size_t a = 0; a < log->n_agents; a++) {
        if (number[a]) {
            d->agent[d->n_labels] = (uint32_t)a;
            number[a] = (uint32_t)d->n_labels++;
        }
    }
    for (size_t i = exp->n; i-- > 0;) {
        d->probability[number[exp->agent[i]]] = exp->propensity[i];
    }
    return REGRET_OK;
}

/* Whether rows that share a cluster have one agent (and stratum), every one of them. */
static int is_by_cluster(const struct assignment *d, const struct regret_log *log,
                         const struct cluster_order *order)
{
    const struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    size_t n_more = 0;
    for (size_t c = 0; c < order->n_clusters; c++) {
        size_t first = SIZE_MAX;
        for (size_t i = order->start[c]; i < order->start[c + 1]; i++) {
            size_t row = cluster_row(order, order->place[i]);
            if (cluster_source(order, order->place[i]) != REGRET_LOG_EXP) {
                continue;
            }
            if (first == SIZE_MAX) {
                first = row;
                continue;
            }
            n_more++;
            if (exp->agent[row] != exp->agent[first] ||
                stratum_of(log, d->kind, row) != stratum_of(log, d->kind, first)) {
                return 0;
            }
        }
    }
    return n_more >= ENOUGH;
}

static void add_row(struct assignment *d, size_t row, int is_new)
{
    if (is_new) {
        d->first[d->n_units++] = (uint32_t)row;
    }
    d->unit[row] = (uint32_t)(d->n_units - 1);
    d->rows[d->n_units - 1]++;
}

static void find_units(struct assignment *d, const struct cluster_order *order)
{
    if (!d->by_cluster) {
        for (size_t i = 0; i < d->n_rows; i++) {
            add_row(d, i, 1);
        }
        return;
    }
    for (size_t c = 0; c < order->n_clusters; c++) {
        int is_new = 1;
        for (size_t i = order->start[c]; i < order->start[c + 1]; i++) {
            if (cluster_source(order, order->place[i]) == REGRET_LOG_EXP) {
                add_row(d, cluster_row(order, order->place[i]), is_new);
                is_new = 0;
            }
        }
    }
}

static int make(struct assignment *d, size_t n_rows)
{
    d->n_rows = n_rows;
    TRY(REGRET_NEW(&d->unit, n_rows));
    TRY(REGRET_NEW(&d->rows, n_rows));
    TRY(REGRET_NEW(&d->first, n_rows));
    TRY(REGRET_NEW(&d->label, n_rows));
    return REGRET_NEW(&d->stratum, n_rows);
}

int assignment_build(struct assignment *out, const struct regret_log *log,
                     const struct cluster_order *order)
{
    const struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    FREED_BY(assignment_free) struct assignment d = {0};
    FREED uint32_t *number = NULL;
    TRY(REGRET_NEW(&number, log->n_agents));
    TRY(make(&d, exp->n));
    TRY(number_agents(&d, number, log));
    TRY(find_kind(&d, log));
    d.by_cluster = is_by_cluster(&d, log, order);
    find_units(&d, order);
    d.n_strata = strata_of(log, d.kind);
    for (size_t u = 0; u < d.n_units; u++) {
        size_t row = d.first[u];
        d.label[u] = number[exp->agent[row]];
        d.stratum[u] = stratum_of(log, d.kind, row);
    }
    *out = d;
    d = (struct assignment){0};
    return REGRET_OK;
}

/* Which units stay, in their order: kept[u] is the new number, or ASSIGNMENT_NONE. */
static void choose(uint32_t *kept, const size_t *order, size_t n, size_t most)
{
    uint32_t number = 0;
    for (size_t u = 0; u < n; u++) {
        kept[u] = ASSIGNMENT_NONE;
    }
    for (size_t i = 0; i < most; i++) {
        kept[order[i]] = 0;
    }
    for (size_t u = 0; u < n; u++) {
        if (kept[u] != ASSIGNMENT_NONE) {
            kept[u] = number++;
        }
    }
}

static void take_units(struct assignment *s, const struct assignment *d, const uint32_t *kept)
{
    for (size_t u = 0; u < d->n_units; u++) {
        if (kept[u] != ASSIGNMENT_NONE) {
            s->rows[kept[u]] = d->rows[u];
            s->first[kept[u]] = d->first[u];
            s->label[kept[u]] = d->label[u];
            s->stratum[kept[u]] = d->stratum[u];
            s->n_units++;
        }
    }
    for (size_t i = 0; i < d->n_rows; i++) {
        s->unit[i] = kept[d->unit[i]];
    }
}

int assignment_sample(struct assignment *out, const struct assignment *d, size_t most,
                      uint64_t seed)
{
    FREED_BY(assignment_free) struct assignment s = *d;
    FREED size_t *order = NULL;
    FREED uint32_t *kept = NULL;
    s.unit = s.rows = s.first = s.label = s.stratum = s.agent = NULL;
    s.probability = NULL;
    s.n_units = 0;
    TRY(make(&s, d->n_rows));
    TRY(REGRET_NEW(&s.agent, d->n_labels));
    TRY(REGRET_NEW(&s.probability, d->n_labels));
    TRY(REGRET_NEW(&kept, d->n_units));
    TRY(regret_rng_order(&order, d->n_units, seed, REGRET_RNG_DIAGNOSE, UINT64_C(1) << 40));
    choose(kept, order, d->n_units, most < d->n_units ? most : d->n_units);
    for (size_t l = 0; l < d->n_labels; l++) {
        s.agent[l] = d->agent[l];
        s.probability[l] = d->probability[l];
    }
    take_units(&s, d, kept);
    *out = s;
    s = (struct assignment){0};
    return REGRET_OK;
}
