#include "evaluate/balance/permute.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/parallel.h"
#include "regret/rng.h"

int group_by_stratum(size_t **units, size_t **start, const struct assignment *d)
{
    TRY(REGRET_NEW(units, d->n_units));
    TRY(REGRET_NEW(start, d->n_strata + 1));
    for (size_t u = 0; u < d->n_units; u++) {
        (*start)[d->stratum[u] + 1]++;
    }
    for (size_t s = 0; s < d->n_strata; s++) {
        (*start)[s + 1] += (*start)[s];
    }
    for (size_t u = d->n_units; u-- > 0;) {
        (*units)[--(*start)[d->stratum[u] + 1]] = u;
    }
    for (size_t s = 0; s < d->n_strata; s++) {
        (*start)[s] = (*start)[s + 1];
    }
    (*start)[d->n_strata] = d->n_units;
    return REGRET_OK;
}

void permute_labels(uint32_t *labels, const struct assignment *d, const size_t *by_stratum,
                    const size_t *start, const struct permutation_options *options, size_t index)
{
    struct regret_rng r =
        regret_rng_at(options->seed, REGRET_RNG_DIAGNOSE, (options->stream << 32) + index);
    memcpy(labels, d->label, d->n_units * sizeof *labels);
    for (size_t s = 0; s < d->n_strata; s++) {
        const size_t *units = by_stratum + start[s];
        for (size_t i = start[s + 1] - start[s]; i > 1; i--) {
            size_t j = regret_rng_below(&r, (uint32_t)i);
            uint32_t kept = labels[units[j]];
            labels[units[j]] = labels[units[i - 1]];
            labels[units[i - 1]] = kept;
        }
    }
}

struct permuting {
    const struct assignment *assignment;
    const struct regret_csr *x;
    const struct permutation_options *options;
    double *expected;       /* [labels × dimensions] E_ad */
    double *scale;          /* [labels × dimensions] 1/(N_a v_d), 0 where nothing varies */
    size_t *by_stratum;     /* [units] units, those of a stratum together */
    size_t *start;          /* [strata + 1] */
    double *sums;           /* a worker's [labels × dimensions] */
    uint32_t *labels;       /* a worker's [units] */
    unsigned char *reached; /* [permutations] bit 0: Σ Q as large as seen, bit 1: max Q */
    double sum, largest;    /* as seen, less what rounding may make of them */
};

static int make(struct permuting *p)
{
    const struct assignment *d = p->assignment;
    size_t cells = d->n_labels * p->x->cols, threads = p->options->threads;
    TRY(REGRET_NEW(&p->expected, cells));
    TRY(REGRET_NEW(&p->scale, cells));
    TRY(group_by_stratum(&p->by_stratum, &p->start, d));
    TRY(REGRET_NEW(&p->sums, cells * threads));
    TRY(REGRET_NEW(&p->labels, d->n_units * threads));
    return REGRET_NEW(&p->reached, p->options->resamples * MORE_PERMUTATIONS);
}

static void release(struct permuting *p)
{
    regret_free(p->expected);
    regret_free(p->scale);
    regret_free(p->by_stratum);
    regret_free(p->start);
    regret_free(p->sums);
    regret_free(p->labels);
    regret_free(p->reached);
}

/* E and the variances of features within strata, a stratum at a time. `mean` and `count` are scratch. */
static void expect(struct permuting *p, double *mean, double *count, double *variance)
{
    const struct assignment *d = p->assignment;
    size_t n_dims = p->x->cols;
    for (size_t s = 0; s < d->n_strata; s++) {
        double n = (double)(p->start[s + 1] - p->start[s]);
        memset(mean, 0, n_dims * sizeof *mean);
        memset(count, 0, d->n_labels * sizeof *count);
        for (size_t i = p->start[s]; i < p->start[s + 1]; i++) {
            size_t u = p->by_stratum[i];
            count[d->label[u]] += 1.0;
            for (size_t e = p->x->row_start[u]; e < p->x->row_start[u + 1]; e++) {
                mean[p->x->column[e]] += p->x->value[e] / n;
                variance[p->x->column[e]] += p->x->value[e] * p->x->value[e];
            }
        }
        for (size_t j = 0; j < n_dims; j++) {
            variance[j] -= n * mean[j] * mean[j];
            for (size_t a = 0; a < d->n_labels; a++) {
                p->expected[a * n_dims + j] += count[a] * mean[j];
            }
        }
    }
}

static int prepare(struct permuting *p)
{
    const struct assignment *d = p->assignment;
    FREED double *mean = NULL, *count = NULL, *variance = NULL, *of_label = NULL;
    size_t n_dims = p->x->cols;
    TRY(REGRET_NEW(&mean, n_dims));
    TRY(REGRET_NEW(&count, d->n_labels));
    TRY(REGRET_NEW(&variance, n_dims));
    TRY(REGRET_NEW(&of_label, d->n_labels));
    expect(p, mean, count, variance);
    for (size_t u = 0; u < d->n_units; u++) {
        of_label[d->label[u]] += 1.0;
    }
    for (size_t a = 0; a < d->n_labels; a++) {
        for (size_t j = 0; j < n_dims; j++) {
            double v = of_label[a] * variance[j] / (double)d->n_units;
            p->scale[a * n_dims + j] = variance[j] > 1e-9 && v > 0.0 ? 1.0 / v : 0.0;
        }
    }
    return REGRET_OK;
}

/* Σ Q and max Q of labels; where `found` is not NULL the dimension and label that depart the most. */
static void measure(double *sum, double *largest, const struct permuting *p, double *sums,
                    const uint32_t *labels, struct imbalance *found)
{
    size_t n_dims = p->x->cols, n_labels = p->assignment->n_labels;
    double most = -1.0;
    memset(sums, 0, n_labels * n_dims * sizeof *sums);
    for (size_t u = 0; u < p->assignment->n_units; u++) {
        double *row = sums + labels[u] * n_dims;
        for (size_t e = p->x->row_start[u]; e < p->x->row_start[u + 1]; e++) {
            row[p->x->column[e]] += p->x->value[e];
        }
    }
    *sum = *largest = 0.0;
    for (size_t j = 0; j < n_dims; j++) {
        double q = 0.0;
        for (size_t a = 0; a < n_labels; a++) {
            size_t k = a * n_dims + j;
            double from = sums[k] - p->expected[k], part = from * from * p->scale[k];
            q += part;
            if (found && part > most) {
                most = part;
                found->dimension = j;
                found->label = a;
            }
        }
        *sum += q;
        *largest = fmax(*largest, q);
    }
}

static int permute(void *context, size_t index, size_t worker)
{
    struct permuting *p = context;
    const struct assignment *d = p->assignment;
    uint32_t *labels = p->labels + worker * d->n_units;
    double *sums = p->sums + worker * d->n_labels * p->x->cols, sum, largest;
    permute_labels(labels, d, p->by_stratum, p->start, p->options, index);
    measure(&sum, &largest, p, sums, labels, NULL);
    p->reached[index] = (unsigned char)((sum >= p->sum) + 2 * (largest >= p->largest));
    return REGRET_OK;
}

static int permute_more(void *context, size_t index, size_t worker)
{
    struct permuting *p = context;
    return permute(context, p->options->resamples + index, worker);
}

static void count(const struct permuting *p, size_t n, size_t *sums, size_t *largest)
{
    *sums = *largest = 0;
    for (size_t i = 0; i < n; i++) {
        *sums += p->reached[i] & 1U;
        *largest += p->reached[i] >> 1U;
    }
}

static int decide(struct imbalance *out, struct permuting *p)
{
    size_t n = p->options->resamples, sums, largest;
    TRY(regret_parallel_for(n, p->options->threads, permute, p));
    count(p, n, &sums, &largest);
    if (sums < FEW_PERMUTATIONS || largest < FEW_PERMUTATIONS) {
        TRY(regret_parallel_for(n * (MORE_PERMUTATIONS - 1), p->options->threads, permute_more, p));
        n *= MORE_PERMUTATIONS;
        count(p, n, &sums, &largest);
    }
    size_t fewer = sums < largest ? sums : largest;
    double p_one = (double)(1 + fewer) / (double)(n + 1);
    out->p = p->x->cols == 1 ? p_one : fmin(1.0, 2.0 * p_one);
    out->permutations = n;
    return REGRET_OK;
}

int permutation_test(struct imbalance *out, const struct assignment *d, const struct block *block,
                     const struct permutation_options *options)
{
    struct permuting p = {.assignment = d, .x = block->x, .options = options};
    struct imbalance found = {.p = NAN};
    double units = 0.0;
    int rc;
    TRY_CLEANUP(make(&p));
    TRY_CLEANUP(prepare(&p));
    measure(&p.sum, &p.largest, &p, p.sums, d->label, &found);
    if (p.sum > 0.0) {
        size_t k = found.label * p.x->cols + found.dimension;
        for (size_t u = 0; u < d->n_units; u++) {
            units += d->label[u] == found.label;
        }
        found.mean = p.sums[k] / units;
        found.expected = p.expected[k] / units;
        p.sum *= 1.0 - 1e-9;
        p.largest *= 1.0 - 1e-9;
        TRY_CLEANUP(decide(&found, &p));
    }
    *out = found;
    rc = REGRET_OK;
cleanup:
    release(&p);
    return rc;
}
