#include "report/ranks.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "regret/evaluate.h"
#include "regret/results.h"
#include "regret/status.h"
#include "report/slice.h"
#include "stats/distributions.h"
#include "stats/resampling.h"

size_t keep_finite(double *x, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (isfinite(x[i])) {
            x[kept++] = x[i];
        }
    }
    return kept;
}

size_t sort_finite(double *x, size_t n)
{
    size_t kept = keep_finite(x, n);
    regret_sort_numbers(x, kept);
    return kept;
}

/* The 2.5 and 97.5 % quantiles of the finite among n numbers, which are sorted (Efron 1979,
 * doi:10.1214/aos/1176344552); NaN of fewer than two. */
static void percentile_interval(double *low, double *high, double *x, size_t n)
{
    size_t k = sort_finite(x, n);
    *low = k > 1 ? regret_quantile(x, k, 0.025) : NAN;
    *high = k > 1 ? regret_quantile(x, k, 0.975) : NAN;
}

static int bootstrap(struct paired *p, const double *d, size_t n)
{
    double means[PAIRED_RESAMPLES];
    uint32_t *drawn = NULL;
    TRY(REGRET_NEW(&drawn, n));
    for (size_t b = 0; b < PAIRED_RESAMPLES; b++) {
        double sum = 0.0;
        resample_draw(drawn, n, 0, b);
        for (size_t i = 0; i < n; i++) {
            sum += d[drawn[i]];
        }
        means[b] = sum / (double)n;
    }
    regret_free(drawn);
    percentile_interval(&p->low, &p->high, means, PAIRED_RESAMPLES);
    return REGRET_OK;
}

struct paired paired_moments(const double *d, size_t n)
{
    struct paired p = {NAN, NAN, NAN, NAN, n};
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += d[i];
    }
    if (n > 0) {
        p.mean = sum / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        squares += (d[i] - p.mean) * (d[i] - p.mean);
    }
    if (n > 1) {
        p.se = sqrt(squares / (double)(n - 1) / (double)n);
    }
    return p;
}

int paired_from(struct paired *out, const double *d, size_t n)
{
    if (n > UINT32_MAX) {
        return regret_fail(REGRET_E_INPUT, "%zu pairs are more than the bootstrap takes", n);
    }
    *out = paired_moments(d, n);
    return n > 1 ? bootstrap(out, d, n) : REGRET_OK;
}

void slice_differences(double *out, size_t *n, const struct slice *s, enum regret_measure measure_a,
                       size_t a, enum regret_measure measure_b, size_t b)
{
    for (size_t seed = 0; seed < s->r->n_seeds; seed++) {
        out[seed] = seed_mean(s, measure_a, a, seed) - seed_mean(s, measure_b, b, seed);
    }
    *n = keep_finite(out, s->r->n_seeds);
}

int slice_paired(struct paired *out, const struct slice *s, enum regret_measure measure_a, size_t a,
                 enum regret_measure measure_b, size_t b)
{
    FREED double *d = NULL;
    size_t n = 0;
    TRY(REGRET_NEW(&d, s->r->n_seeds));
    slice_differences(d, &n, s, measure_a, a, measure_b, b);
    return paired_from(out, d, n);
}

int paired_separable(const struct paired *p)
{
    return p->low > 0.0 || p->high < 0.0;
}

double half_width(double se, size_t n)
{
    return n > 1 ? regret_student_quantile(0.975, (double)(n - 1)) * se : NAN;
}

double paired_p(const struct paired *p, double value)
{
    double distance = fabs(p->mean - value);
    if (p->se > 0.0) {
        return 2.0 * regret_student_cdf(-distance / p->se, (double)p->n - 1.0);
    }
    return !(p->se >= 0.0) ? NAN : distance > 0.0 ? 0.0 : 1.0;
}

/* Mean regrets of the ranking's families in some cells, over seeds or a resample of them. */
struct mean_regrets {
    const struct ranking *ranking;
    const struct slice *cells;
    double *mean; /* [cells × families] */
};

/* What is taken of such means: the i-th number. */
typedef double means_statistic(const struct mean_regrets *m, size_t i, const void *context);

/* n numbers over the seeds that have every family in every cell, and in PAIRED_RESAMPLES resamples of these, where they are
 * two at least: number[i * PAIRED_RESAMPLES + k]. */
struct resampled {
    size_t n, n_seeds;
    double *number; /* owned */
};

double regret_in(const struct ranking *ranking, size_t family, size_t cell, long seed)
{
    const struct regret_results *r = ranking->r;
    return seed == ALL_SEEDS
               ? cell_mean(r, REGRET_MEASURE_REGRET, family, cell)
               : regret_results_value(r, REGRET_MEASURE_REGRET, family, cell, (size_t)seed);
}

static void standing_count(struct standing *s, double own, double other)
{
    int below = mean_is_below(other, own);
    s->lower += (size_t)below;
    s->equal += !below && !mean_is_below(own, other);
}

double standing_rank(struct standing s)
{
    return (double)s.lower + 0.5 * (double)(s.equal + 1);
}

struct standing standing_in(const struct ranking *ranking, size_t family, size_t cell, long seed)
{
    struct standing s = {0, 0};
    double own = regret_in(ranking, family, cell, seed);
    for (size_t i = 0; i < ranking->n; i++) {
        double other = regret_in(ranking, ranking->families[i], cell, seed);
        if (!isfinite(other)) {
            return (struct standing){REGRET_NO_ROW, 0};
        }
        standing_count(&s, own, other);
    }
    return s;
}

/* The average rank of a family, wherever a report has one: the rank of its mean over seeds in each cell, mean over the cells
 * in which every family has a mean. NaN where there is no such cell. */
static double average_rank(const struct ranking *ranking, const struct slice *cells, size_t family)
{
    double sum = 0.0, n = 0.0;
    for (size_t i = 0; i < cells->n_cells; i++) {
        struct standing s = standing_in(ranking, family, cells->cells[i], ALL_SEEDS);
        if (s.lower != REGRET_NO_ROW) {
            sum += standing_rank(s);
            n += 1.0;
        }
    }
    return n > 0.0 ? sum / n : NAN;
}

void place_families(struct placed *out, const struct ranking *ranking, const struct slice *cells)
{
    for (size_t i = 0; i < ranking->n; i++) {
        struct placed x = {i, average_rank(ranking, cells, ranking->families[i])};
        size_t j = i;
        for (; j > 0 && x.rank < out[j - 1].rank; j--) {
            out[j] = out[j - 1];
        }
        out[j] = x;
    }
}

/* ---------------------------------------------------------------- average ranks of resamples */

static struct standing standing_by(const struct mean_regrets *m, size_t cell, size_t family)
{
    const double *y = m->mean + cell * m->ranking->n;
    struct standing s = {0, 0};
    for (size_t i = 0; i < m->ranking->n; i++) {
        standing_count(&s, y[family], y[i]);
    }
    return s;
}

static double rank_by(const struct mean_regrets *m, size_t family, const void *context)
{
    double sum = 0.0;
    (void)context;
    for (size_t cell = 0; cell < m->cells->n_cells; cell++) {
        sum += standing_rank(standing_by(m, cell, family));
    }
    return sum / (double)m->cells->n_cells;
}

/* The standard deviation of PAIRED_RESAMPLES numbers. */
static double resampled_se(const double *y)
{
    double sum = 0.0, squares = 0.0;
    for (size_t k = 0; k < PAIRED_RESAMPLES; k++) {
        sum += y[k] / PAIRED_RESAMPLES;
    }
    for (size_t k = 0; k < PAIRED_RESAMPLES; k++) {
        squares += (y[k] - sum) * (y[k] - sum);
    }
    return sqrt(squares / (PAIRED_RESAMPLES - 1));
}

/* The deviation over the resamples of the difference of two families' ranks; `d` has room for it. */
static double deviation_of(double *d, const struct resampled *ranks, size_t a, size_t b)
{
    for (size_t k = 0; k < PAIRED_RESAMPLES; k++) {
        d[k] = ranks->number[a * PAIRED_RESAMPLES + k] - ranks->number[b * PAIRED_RESAMPLES + k];
    }
    double deviation = resampled_se(d);
    return deviation > MEANS_TIE ? deviation : 0.0; /* equal ranks, summed in another order */
}

static void resampled_free(struct resampled *r)
{
    regret_free(r->number);
    *r = (struct resampled){0};
}

/* Statistics of mean regrets, and what they are in resamples of the seeds. */

FREED_FIELDS(mean_regrets, of->mean)

/* The seeds' tables of regrets that have every number, one after the other, to `all`; returns how many. */
static size_t copy_tables(double *all, const struct mean_regrets *m)
{
    size_t n = 0, families = m->ranking->n, size = m->cells->n_cells * families;
    for (size_t seed = 0; seed < m->cells->r->n_seeds; seed++) {
        int whole = 1;
        for (size_t i = 0; i < size; i++) {
            double y = regret_results_value(m->cells->r, REGRET_MEASURE_REGRET,
                                            m->ranking->families[i % families],
                                            m->cells->cells[i / families], seed);
            all[n * size + i] = y;
            whole &= isfinite(y) != 0;
        }
        n += (size_t)whole;
    }
    return n;
}

/* The mean of the n tables that were drawn. */
static void average(struct mean_regrets *m, const double *all, size_t n, const uint32_t *drawn)
{
    size_t size = m->cells->n_cells * m->ranking->n;
    memset(m->mean, 0, size * sizeof *m->mean);
    for (size_t k = 0; k < n; k++) {
        const double *one = all + size * drawn[k];
        for (size_t i = 0; i < size; i++) {
            m->mean[i] += one[i];
        }
    }
    for (size_t i = 0; i < size; i++) {
        m->mean[i] /= (double)n;
    }
}

/* The draws are those of paired_from(). */
static int resample(struct resampled *out, struct mean_regrets *m, const double *all,
                    means_statistic *statistic, const void *context)
{
    uint32_t *drawn = NULL;
    TRY(REGRET_NEW(&drawn, out->n_seeds));
    for (size_t k = 0; k < PAIRED_RESAMPLES; k++) {
        resample_draw(drawn, out->n_seeds, 0, k);
        average(m, all, out->n_seeds, drawn);
        for (size_t i = 0; i < out->n; i++) {
            out->number[i * PAIRED_RESAMPLES + k] = statistic(m, i, context);
        }
    }
    regret_free(drawn);
    return REGRET_OK;
}

static int resample_means(struct resampled *out, const struct ranking *ranking,
                          const struct slice *cells, means_statistic *statistic, size_t n,
                          const void *context)
{
    FREED_BY(mean_regrets_fields) struct mean_regrets m = {ranking, cells, NULL};
    FREED_BY(resampled_free) struct resampled made = {.n = n};
    FREED double *all = NULL;
    size_t size = cells->n_cells * ranking->n;
    TRY(REGRET_NEW(&m.mean, size));
    TRY(REGRET_NEW(&all, (cells->r->n_seeds + 1) * size));
    TRY(REGRET_NEW(&made.number, n * PAIRED_RESAMPLES));
    made.n_seeds = copy_tables(all, &m);
    TRY(made.n_seeds > 1 ? resample(&made, &m, all, statistic, context) : REGRET_OK);
    *out = made;
    made = (struct resampled){0};
    return REGRET_OK;
}

int average_rank_p_values(double *p, const struct ranking *ranking, const struct slice *cells)
{
    struct resampled ranks = {0};
    double d[PAIRED_RESAMPLES];
    size_t n = ranking->n;
    TRY(resample_means(&ranks, ranking, cells, rank_by, n, NULL));
    for (size_t i = 0; i < n * n; i++) {
        struct paired difference = {.mean = average_rank(ranking, cells, ranking->families[i / n]) -
                                            average_rank(ranking, cells, ranking->families[i % n]),
                                    .se = ranks.n_seeds > 1 ? deviation_of(d, &ranks, i / n, i % n)
                                                            : NAN,
                                    .n = ranks.n_seeds};
        p[i] = paired_p(&difference, 0.0);
    }
    resampled_free(&ranks);
    return REGRET_OK;
}

double best_of_cell(const struct ranking *ranking, size_t cell)
{
    double best = INFINITY;
    for (size_t i = 0; i < ranking->n; i++) {
        double mean = regret_in(ranking, ranking->families[i], cell, ALL_SEEDS);
        best = mean < best ? mean : best;
    }
    return best;
}

double excess_in(const struct ranking *ranking, size_t family, size_t cell, long seed)
{
    double best = best_of_cell(ranking, cell);
    return best > 0.0 ? 100.0 * (regret_in(ranking, family, cell, seed) / best - 1.0) : NAN;
}
