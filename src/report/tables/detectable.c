#include "report/tables/detectable.h"

#include <math.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/power.h"
#include "regret/quantile.h"
#include "report/tables/spec.h"

double pair_deviation(const struct family_pair *pair)
{
    return pair->moments.se * sqrt((double)pair->moments.n);
}

double detectable_with(double deviation, size_t seeds)
{
    return seeds < 2
               ? NAN
               : regret_detectable_difference(deviation / sqrt((double)seeds), (double)(seeds - 1),
                                              DETECTABLE_SIZE, DETECTABLE_POWER);
}

/* By the seeds that it was measured on. */
static double pair_detectable(const struct family_pair *pair)
{
    return detectable_with(pair_deviation(pair), pair->moments.n);
}

/* Those of a mean regret, the lowest first; equals keep the run's order. */
static size_t order_families(size_t *out, const struct slice *s, const struct ranking *ranking)
{
    size_t n = 0;
    for (size_t i = 0; i < ranking->n; i++) {
        double mean = slice_estimate(s, REGRET_MEASURE_REGRET, ranking->families[i]).mean;
        size_t j = n;
        if (!isfinite(mean)) {
            continue;
        }
        for (; j > 0 && mean < slice_estimate(s, REGRET_MEASURE_REGRET, out[j - 1]).mean; j--) {
            out[j] = out[j - 1];
        }
        out[j] = ranking->families[i];
        n++;
    }
    return n;
}

/* The pair of two families; `d` is room for a number of each seed. */
static struct family_pair pair_of(double *d, const struct slice *s, size_t a, size_t b)
{
    const enum regret_measure regret = REGRET_MEASURE_REGRET;
    size_t seeds = 0;
    slice_differences(d, &seeds, s, regret, a, regret, b);
    return (struct family_pair){a, b, paired_moments(d, seeds)};
}

int family_pairs(struct family_pair **out, size_t *n, const struct slice *s,
                 const struct ranking *ranking)
{
    FREED struct family_pair *pairs = NULL;
    size_t made = 0;
    FREED size_t *order = NULL;
    FREED double *d = NULL;
    TRY(REGRET_NEW(&order, ranking->n));
    TRY(REGRET_NEW(&d, s->r->n_seeds));
    TRY(REGRET_NEW(&pairs, ranking->n * ranking->n));
    size_t families = order_families(order, s, ranking);
    for (size_t i = 0; i < families; i++) {
        for (size_t j = i + 1; j < families; j++) {
            pairs[made++] = pair_of(d, s, order[i], order[j]);
        }
    }
    *out = pairs;
    *n = made;
    pairs = NULL;
    return REGRET_OK;
}

/* What the best and the second can show in one cell: the median over cells. */
static int median_of_cells(double *out, const struct table_data *d, const struct ranking *ranking)
{
    FREED double *each = NULL, *differences = NULL;
    FREED size_t *order = NULL;
    TRY(REGRET_NEW(&each, d->r->n_cells));
    TRY(REGRET_NEW(&differences, d->r->n_seeds));
    TRY(REGRET_NEW(&order, ranking->n));
    for (size_t c = 0; c < d->r->n_cells; c++) {
        const struct slice cell = {d->r, &c, 1};
        each[c] = NAN;
        if (order_families(order, &cell, ranking) > 1) {
            struct family_pair pair = pair_of(differences, &cell, order[0], order[1]);
            each[c] = pair_detectable(&pair);
        }
    }
    size_t n = sort_finite(each, d->r->n_cells);
    *out = n > 0 ? regret_quantile(each, n, 0.5) : NAN;
    return REGRET_OK;
}

static int say_detectable(struct table *t, const struct table_data *d,
                          const struct ranking *ranking, const struct family_pair *pairs, size_t n)
{
    double in_cell = NAN, best = pair_detectable(&pairs[0]);
    FREED double *each = NULL;
    TRY(REGRET_NEW(&each, n));
    for (size_t i = 0; i < n; i++) {
        each[i] = pair_detectable(&pairs[i]);
    }
    size_t known = sort_finite(each, n);
    TRY(median_of_cells(&in_cell, d, ranking));
    if (known > 0) {
        table_note(
            t,
            "Least detectable difference of regret (two-sided test at 5 %%, power 80 %%, paired "
            "over %zu seeds): %.4f between the best family and the second; over all %zu pairs "
            "of families %.4f to %.4f, median %.4f. In one cell, best and second: median "
            "%.4f. Families that truly differ by less will often show as tied.",
            pairs[0].moments.n, best, known, each[0], each[known - 1],
            regret_quantile(each, known, 0.5), in_cell);
    }
    return REGRET_OK;
}

/* With folds every seed is about all contexts, which says what its errors are of. */
static void say_folds(struct table *t, const struct regret_results *r)
{
    const cJSON *folds = cJSON_GetObjectItemCaseSensitive(r->run.config, "contexts.folds");
    if (cJSON_IsNumber(folds) && folds->valuedouble >= 2.0) {
        table_note(
            t,
            "contexts.folds = %.0f: every seed holds each context out once and its regret is "
            "the mean over all of them, so that errors over seeds are of draws and of how the "
            "contexts are divided.",
            folds->valuedouble);
    }
}

int remark_detectable(struct table *t, const struct table_data *d)
{
    const struct ranking ranking = {d->r, d->ranked, d->n_ranked};
    FREED struct family_pair *pairs = NULL;
    size_t n = 0;
    say_folds(t, d->r);
    TRY(family_pairs(&pairs, &n, &d->all, &ranking));
    if (n > 0 && pairs[0].moments.n >= 2) {
        return say_detectable(t, d, &ranking, pairs, n);
    } else if (n > 0) {
        table_note(t, "With fewer than two seeds no difference of regret is detectable.");
    }
    return REGRET_OK;
}
