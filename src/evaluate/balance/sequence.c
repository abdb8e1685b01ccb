#include "evaluate/balance/sequence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/parallel.h"
#include "regret/rng.h"

enum { ENOUGH = 10, MAX_PAIRS = 1 << 20 };

struct pair {
    uint32_t one, other; /* units */
};

struct sequence {
    const struct assignment *assignment;
    const struct permutation_options *options;
    struct pair *pair;
    size_t n, capacity;
    uint32_t *labels; /* a worker's [units] */
    size_t *alike;    /* [permutations] */
    size_t *by_stratum, *start;
};

FREED_FIELDS(sequence, of->pair, of->labels, of->alike, of->by_stratum, of->start)

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
        for (size_t i = order->start[c]; i < order->start[c + 1]; i++) {
            for (size_t j = order->start[c]; j < i && s->n < MAX_PAIRS; j++) {
                if (cluster_source(order, order->place[i]) == REGRET_LOG_EXP &&
                    cluster_source(order, order->place[j]) == REGRET_LOG_EXP) {
                    uint32_t one = s->assignment->unit[cluster_row(order, order->place[j])];
                    uint32_t other = s->assignment->unit[cluster_row(order, order->place[i])];
                    if (one != ASSIGNMENT_NONE && other != ASSIGNMENT_NONE && one != other) {
                        TRY(add_pair(s, one, other));
                    }
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
    if (s->n < ENOUGH) {
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

static int permute(void *context, size_t index, size_t worker)
{
    struct sequence *s = context;
    uint32_t *labels = s->labels + worker * s->assignment->n_units;
    permute_labels(labels, s->assignment, s->by_stratum, s->start, s->options, index);
    s->alike[index] = count_alike(s, labels);
    return REGRET_OK;
}

static int permute_more(void *context, size_t index, size_t worker)
{
    const struct sequence *s = context;
    return permute(context, s->options->resamples + index, worker);
}

/* The two-sided probability, by the first n permutations; returns how many reach what is seen, on the rarer side. */
static size_t count(struct succession *out, const struct sequence *s, size_t n)
{
    size_t below = 0, above = 0;
    for (size_t i = 0; i < n; i++) {
        below += s->alike[i] <= out->alike;
        above += s->alike[i] >= out->alike;
    }
    size_t fewer = below < above ? below : above;
    out->p = fmin(1.0, 2.0 * (double)(1 + fewer) / (double)(n + 1));
    out->permutations = n;
    return fewer;
}

/* The mean number of pairs of one agent over all exchanges: labels of a stratum are drawn without putting back. */
static int expect(double *out, const struct sequence *s)
{
    const struct assignment *d = s->assignment;
    double *count = NULL;
    TRY(REGRET_NEW(&count, d->n_strata * d->n_labels));
    for (size_t u = 0; u < d->n_units; u++) {
        count[d->stratum[u] * d->n_labels + d->label[u]] += 1.0;
    }
    *out = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        uint32_t a = d->stratum[s->pair[i].one], b = d->stratum[s->pair[i].other];
        double same = a == b, sum = 0.0;
        double n = (double)(s->start[a + 1] - s->start[a]),
               m = (double)(s->start[b + 1] - s->start[b]);
        for (size_t l = 0; l < d->n_labels; l++) {
            sum += count[a * d->n_labels + l] * (count[b * d->n_labels + l] - same);
        }
        *out += sum / (n * (m - same));
    }
    regret_free(count);
    return REGRET_OK;
}

static int decide(struct succession *out, struct sequence *s)
{
    size_t n = s->options->resamples, threads = s->options->threads;
    TRY(regret_parallel_for(n, threads, permute, s));
    if (count(out, s, n) < FEW_PERMUTATIONS) {
        TRY(regret_parallel_for(n * (MORE_PERMUTATIONS - 1), threads, permute_more, s));
        count(out, s, n * MORE_PERMUTATIONS);
    }
    return REGRET_OK;
}

int sequence_test(struct succession *out, const struct regret_log *log, const struct assignment *d,
                  const struct cluster_order *order, const struct permutation_options *options)
{
    FREED_BY(sequence_fields) struct sequence s = {.assignment = d, .options = options};
    struct succession found = {.p = NAN, .expected = NAN};
    size_t permutations = options->resamples * MORE_PERMUTATIONS;
    TRY(find_pairs(&s, log, order));
    found.pairs = s.n;
    found.alike = count_alike(&s, d->label);
    if (s.n >= ENOUGH) {
        TRY(REGRET_NEW(&s.labels, d->n_units * options->threads));
        TRY(REGRET_NEW(&s.alike, permutations));
        TRY(group_by_stratum(&s.by_stratum, &s.start, d));
        TRY(expect(&found.expected, &s));
        TRY(decide(&found, &s));
    }
    *out = found;
    return REGRET_OK;
}
