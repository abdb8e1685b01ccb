/* Claims of what the costliest recommendations cost. */
#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/quantile.h"
#include "report/claims/evidence.h"

/* The regrets of all of a family's recommendations in the cells at a seed, one a cell and held-out context. `out` has room
 * for them all where it is not NULL. 0 where a cell has none. */
static size_t gather_losses(double *out, const struct slice *s, size_t family, size_t seed)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_cells; i++) {
        struct regret_list_view v =
            regret_results_list(s->r, REGRET_LIST_LOSS, family, s->cells[i], seed);
        for (size_t k = 0; out != NULL && k < v.n; k++) {
            out[n + k] = v.number[k];
        }
        if (v.n == 0) {
            return 0;
        }
        n += v.n;
    }
    return n;
}

/* The share of the sum that the greatest tenth of n numbers makes, rounded up to whole numbers; they are sorted. NaN where
 * all are 0. */
static double costliest_share(double *y, size_t n)
{
    double sum = 0.0, most = 0.0;
    size_t few = (n + 9) / 10;
    regret_sort_numbers(y, n);
    for (size_t i = 0; i < n; i++) {
        sum += y[i];
        most += i >= n - few ? y[i] : 0.0;
    }
    return sum > 0.0 ? most / sum : NAN;
}

static int judge_losses_of(struct claim_result *f, const struct claim *c,
                           const struct claim_context *x, size_t family)
{
    double *y = NULL;
    for (size_t seed = 0; seed < f->n_seeds; seed++) {
        size_t n = gather_losses(NULL, &x->cells, family, seed);
        double share = NAN;
        if (n > 0) {
            TRY(REGRET_NEW(&y, n));
            gather_losses(y, &x->cells, family, seed);
            share = costliest_share(y, n);
            regret_free(y);
        }
        f->d[seed] = c->sign * (share - 0.5);
    }
    return end_part(f);
}

int judge_costliest(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    for (size_t i = 0; i < claim_spoken_of(c, x); i++) {
        TRY(judge_losses_of(f, c, x, claim_subject(c, x, i)));
    }
    return REGRET_OK;
}
