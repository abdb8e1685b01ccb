/* Statistics of mean regrets, and what they are in resamples of the seeds. */
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/quantile.h"
#include "report/rows/ranks.h"
#include "value/resample.h"

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

int resample_means(struct resampled *out, const struct ranking *ranking, const struct slice *cells,
                   means_statistic *statistic, size_t n, const void *context)
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

void resampled_free(struct resampled *r)
{
    regret_free(r->number);
    *r = (struct resampled){0};
}

double resampled_se(const double *y)
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
