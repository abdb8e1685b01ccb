/* Assignment, and features that it must not depend on. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "evaluate/diagnose.h"
#include "regret/design.h"
#include "regret/evaluate.h"
#include "regret/status.h"
#include "regret/task.h"

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
    FREED double *seen = NULL;
    TRY(REGRET_NEW(&seen, log->n_agents * strata));
    *out = 1;
    for (size_t i = 0; i < exp->n && *out; i++) {
        double *p = &seen[exp->agent[i] * strata + stratum_of(log, kind, i)];
        *p = *p > 0.0 ? *p : exp->propensity[i];
        *out = are_alike(*p, exp->propensity[i]);
    }
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
        size_t from = cluster_exp(order, c);
        for (size_t i = from + 1; i < order->start[c + 1]; i++) {
            size_t row = cluster_row(order, order->place[i]),
                   first = cluster_row(order, order->place[from]);
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
        size_t from = cluster_exp(order, c);
        for (size_t i = from; i < order->start[c + 1]; i++) {
            add_row(d, cluster_row(order, order->place[i]), i == from);
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

int triplets_add(struct triplets *t, size_t row, size_t dimension, double value)
{
    uint32_t unit = t->assignment->unit[row];
    if (unit == ASSIGNMENT_NONE) {
        return REGRET_OK;
    }
    TRY(regret_grow((void **)&t->unit, &t->capacity[0], t->n, sizeof *t->unit, "features"));
    TRY(regret_grow((void **)&t->dimension, &t->capacity[1], t->n, sizeof *t->dimension,
                    "features"));
    TRY(regret_grow((void **)&t->value, &t->capacity[2], t->n, sizeof *t->value, "features"));
    t->unit[t->n] = unit;
    t->dimension[t->n] = dimension;
    t->value[t->n++] = value / (double)t->assignment->rows[unit];
    return REGRET_OK;
}

int triplets_take(struct block *out, struct triplets *t, size_t dimensions, size_t *source)
{
    out->source = source;
    return regret_csr_from_triplets(&out->x, t->assignment->n_units, dimensions, t->n, t->unit,
                                    t->dimension, t->value);
}

void triplets_free(struct triplets *t)
{
    regret_free(t->unit);
    regret_free(t->dimension);
    regret_free(t->value);
}

void block_free(struct block *block)
{
    regret_csr_free(block->x);
    regret_free(block->source);
    *block = (struct block){0};
}

enum {
    MAX_LEVELS = 64, /* dimensions of a covariate of words: the others share them */
    EIGHTHS = 8
};

struct ranked {
    double value;
    size_t at;
};

static int ascending(const void *a, const void *b)
{
    double x = ((const struct ranked *)a)->value, y = ((const struct ranked *)b)->value;
    return (x > y) - (x < y);
}

int block_ranks(double *ranks, const double *values, size_t n)
{
    FREED struct ranked *sorted = NULL;
    size_t m = 0;
    TRY(REGRET_NEW(&sorted, n));
    for (size_t i = 0; i < n; i++) {
        ranks[i] = NAN;
        if (!isnan(values[i])) {
            sorted[m++] = (struct ranked){values[i], i};
        }
    }
    if (m > 0) {
        qsort(sorted, m, sizeof *sorted, ascending);
    }
    for (size_t i = 0, end = 0; i < m; i = end) {
        for (end = i + 1; end < m && sorted[end].value <= sorted[i].value; end++) {
        }
        for (size_t k = i; k < end; k++) {
            ranks[sorted[k].at] = 0.5 * (double)(i + end) / (double)m;
        }
    }
    return REGRET_OK;
}

int block_tags(struct block *out, const struct regret_log *log, const struct assignment *d)
{
    const struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    FREED_BY(triplets_free) struct triplets t = {.assignment = d};
    size_t *source = NULL;
    if (!log->tag || log->n_tags < 2) {
        return REGRET_OK;
    }
    for (size_t i = 0; i < exp->n; i++) {
        TRY(triplets_add(&t, i, log->tag[exp->context[i]], 1.0));
    }
    TRY(REGRET_NEW(&source, log->n_tags));
    for (size_t k = 0; k < log->n_tags; k++) {
        source[k] = k;
    }
    return triplets_take(out, &t, log->n_tags, source);
}

/* Ranks of values of rows, and 1 in the next dimension where there is none. */
static int add_ranks(struct triplets *t, const double *values, size_t n, size_t dimension)
{
    FREED double *ranks = NULL;
    TRY(REGRET_NEW(&ranks, n));
    TRY(block_ranks(ranks, values, n));
    for (size_t i = 0; i < n; i++) {
        /* A missing value is in the middle: it pulls no agent's mean. */
        TRY(triplets_add(t, i, dimension, isnan(ranks[i]) ? 0.5 : ranks[i]));
        if (isnan(ranks[i])) {
            TRY(triplets_add(t, i, dimension + 1, 1.0));
        }
    }
    return REGRET_OK;
}

static int add_column(struct triplets *t, const struct regret_log *log, double *values,
                      const struct regret_log_column *c, size_t first)
{
    const struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    for (size_t i = 0; i < exp->n && c->is_word; i++) {
        TRY(triplets_add(t, i, first + c->word[exp->context[i]] % MAX_LEVELS, 1.0));
    }
    for (size_t i = 0; i < exp->n && !c->is_word; i++) {
        values[i] = c->value[exp->context[i]];
    }
    return c->is_word ? REGRET_OK : add_ranks(t, values, exp->n, first);
}

int block_covariates(struct block *out, const struct regret_log *log, const struct assignment *d)
{
    FREED_BY(triplets_free) struct triplets t = {.assignment = d};
    FREED size_t *source = NULL;
    FREED double *values = NULL;
    size_t n = 0;
    if (log->n_columns == 0) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&values, d->n_rows));
    TRY(REGRET_NEW(&source, log->n_columns * MAX_LEVELS));
    for (size_t j = 0; j < log->n_columns; j++) {
        size_t levels = log->column[j].is_word ? MAX_LEVELS : 2;
        TRY(add_column(&t, log, values, &log->column[j], n));
        for (size_t k = 0; k < levels; k++) {
            source[n++] = j;
        }
    }
    size_t *of = source;
    source = NULL;
    return triplets_take(out, &t, n, of);
}

int block_length(struct block *out, const struct regret_log *log, const struct assignment *d)
{
    const struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    FREED_BY(triplets_free) struct triplets t = {.assignment = d};
    FREED double *values = NULL;
    size_t n = 0;
    TRY(REGRET_NEW(&values, exp->n));
    for (size_t i = 0; i < exp->n && log->text; i++) {
        const char *text = log->text[exp->context[i]];
        values[i] = text ? (double)strlen(text) : NAN;
        n += text != NULL;
    }
    if (n == 0) {
        return REGRET_OK;
    }
    TRY(add_ranks(&t, values, exp->n, 0));
    return triplets_take(out, &t, 2, NULL);
}

int block_time(struct block *out, const struct regret_log *log, const struct assignment *d)
{
    const struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    FREED_BY(triplets_free) struct triplets t = {.assignment = d};
    FREED double *ranks = NULL;
    if (!exp->time) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&ranks, exp->n));
    TRY(block_ranks(ranks, exp->time, exp->n));
    TRY(add_ranks(&t, exp->time, exp->n, EIGHTHS));
    for (size_t i = 0; i < exp->n; i++) {
        if (!isnan(ranks[i])) {
            size_t eighth = (size_t)(ranks[i] * EIGHTHS);
            TRY(triplets_add(&t, i, eighth < EIGHTHS ? eighth : EIGHTHS - 1, 1.0));
        }
    }
    return triplets_take(out, &t, EIGHTHS + 2, NULL);
}

enum { SEQUENCE_ENOUGH = 10, MAX_PAIRS = 1 << 20 };

struct pair {
    uint32_t one, other; /* units */
};

struct sequence {
    const struct assignment *assignment;
    struct pair *pair;
    size_t n, capacity, seen; /* seen: pairs of one agent */
    size_t *alike;            /* [permutations] */
};

FREED_FIELDS(sequence, of->pair, of->alike)

struct timed {
    double time;
    uint32_t cluster, unit;
};

static int by_cluster_and_time(const void *a, const void *b)
{
    const struct timed *x = a, *y = b;
    if (x->cluster != y->cluster) {
        return x->cluster < y->cluster ? -1 : 1;
    }
    if (x->time < y->time || x->time > y->time) {
        return x->time < y->time ? -1 : 1;
    }
    return (x->unit > y->unit) - (x->unit < y->unit);
}

static int add_pair(struct sequence *s, uint32_t one, uint32_t other)
{
    TRY(regret_grow((void **)&s->pair, &s->capacity, s->n, sizeof *s->pair, "pairs"));
    s->pair[s->n++] = (struct pair){one, other};
    return REGRET_OK;
}

/* Units in order of time, within clusters or in all. Three that share a time have no order among them, nor before the next. */
static int add_successions(struct sequence *s, const struct regret_log *log, int within)
{
    const struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    const struct assignment *d = s->assignment;
    FREED struct timed *order = NULL;
    size_t n = 0;
    TRY(REGRET_NEW(&order, d->n_units));
    for (size_t u = 0; u < d->n_units; u++) {
        size_t row = d->first[u];
        if (!isnan(exp->time[row])) {
            order[n++] =
                (struct timed){exp->time[row], within ? exp->cluster[row] : 0, (uint32_t)u};
        }
    }
    if (n > 0) {
        qsort(order, n, sizeof *order, by_cluster_and_time);
    }
    for (size_t i = 1; i < n; i++) {
        int is_first = i < 2 || order[i - 2].cluster != order[i].cluster ||
                       order[i - 2].time < order[i - 1].time;
        if (order[i].cluster == order[i - 1].cluster && order[i].time > order[i - 1].time &&
            is_first) {
            TRY(add_pair(s, order[i - 1].unit, order[i].unit));
        }
    }
    return REGRET_OK;
}

static int add_cluster_pairs(struct sequence *s, const struct cluster_order *order)
{
    for (size_t c = 0; c < order->n_clusters && s->n < MAX_PAIRS; c++) {
        size_t from = cluster_exp(order, c);
        for (size_t i = from; i < order->start[c + 1]; i++) {
            for (size_t j = from; j < i && s->n < MAX_PAIRS; j++) {
                uint32_t one = s->assignment->unit[cluster_row(order, order->place[j])];
                uint32_t other = s->assignment->unit[cluster_row(order, order->place[i])];
                if (one != ASSIGNMENT_NONE && other != ASSIGNMENT_NONE && one != other) {
                    TRY(add_pair(s, one, other));
                }
            }
        }
    }
    return REGRET_OK;
}

static int find_pairs(struct sequence *s, const struct regret_log *log,
                      const struct cluster_order *order)
{
    if (!log->rows[REGRET_LOG_EXP].time) {
        return s->assignment->by_cluster ? REGRET_OK : add_cluster_pairs(s, order);
    }
    if (!s->assignment->by_cluster) {
        TRY(add_successions(s, log, 1));
    }
    if (s->n < SEQUENCE_ENOUGH) {
        s->n = 0;
        return add_successions(s, log, 0);
    }
    return REGRET_OK;
}

static size_t count_alike(const struct sequence *s, const uint32_t *labels)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        n += labels[s->pair[i].one] == labels[s->pair[i].other];
    }
    return n;
}

static void look(void *context, const uint32_t *labels, size_t index, size_t worker)
{
    struct sequence *s = context;
    (void)worker;
    s->alike[index] = count_alike(s, labels);
}

/* Of the first n permutations those that reach what is seen, on the rarer side. */
static size_t count(const void *context, size_t n)
{
    const struct sequence *s = context;
    size_t below = 0, above = 0;
    for (size_t i = 0; i < n; i++) {
        below += s->alike[i] <= s->seen;
        above += s->alike[i] >= s->seen;
    }
    return below < above ? below : above;
}

/* The mean number of pairs of one agent over all exchanges: labels of a stratum are drawn without putting back. */
static int expect(double *out, const struct sequence *s)
{
    const struct assignment *d = s->assignment;
    FREED double *count = NULL, *units = NULL; /* of strata and labels, of strata */
    TRY(REGRET_NEW(&count, d->n_strata * d->n_labels));
    TRY(REGRET_NEW(&units, d->n_strata));
    for (size_t u = 0; u < d->n_units; u++) {
        count[d->stratum[u] * d->n_labels + d->label[u]] += 1.0;
        units[d->stratum[u]] += 1.0;
    }
    *out = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        uint32_t a = d->stratum[s->pair[i].one], b = d->stratum[s->pair[i].other];
        double same = a == b, sum = 0.0;
        for (size_t l = 0; l < d->n_labels; l++) {
            sum += count[a * d->n_labels + l] * (count[b * d->n_labels + l] - same);
        }
        *out += sum / (units[a] * (units[b] - same));
    }
    return REGRET_OK;
}

int sequence_test(struct succession *out, const struct regret_log *log, const struct assignment *d,
                  const struct cluster_order *order, const struct permutation_options *options)
{
    FREED_BY(sequence_fields) struct sequence s = {.assignment = d};
    struct succession found = {.p = NAN, .expected = NAN};
    size_t n = 0;
    TRY(find_pairs(&s, log, order));
    found.pairs = s.n;
    found.alike = s.seen = count_alike(&s, d->label);
    if (s.n >= SEQUENCE_ENOUGH) {
        TRY(REGRET_NEW(&s.alike, options->resamples * MORE_PERMUTATIONS));
        TRY(expect(&found.expected, &s));
        TRY(permutations_look(&n, d, options, look, count, &s));
        found.p = fmin(1.0, 2.0 * (double)(1 + count(&s, n)) / (double)(n + 1));
    }
    *out = found;
    return REGRET_OK;
}
