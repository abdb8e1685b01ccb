/* What the paper says of choices of families by cell or by their ranking, and of what the costliest recommendations cost. */
#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/quantile.h"
#include "report/claims/evidence.h"

static void say_winner(struct claim_result *f, const struct claim_context *x)
{
    enum regret_measure m = (enum regret_measure)x->measure;
    size_t most = 0;
    for (size_t i = 0; i < x->ranking.n; i++) {
        size_t wins = slice_wins(&x->cells, m, better_sign(m), x->ranking.families[i],
                                 x->ranking.families, x->ranking.n);
        most = wins > most ? wins : most;
    }
    regret_buffer_printf(&f->numbers, "%s%zu of %zu cells are the most that one family leads",
                         f->no_comma ? " " : "", most, x->cells.n_cells);
}

/* The ranked family of the best mean. */
static size_t leader(const struct claim_context *x, enum regret_measure m)
{
    size_t best =
        slice_best(&x->cells, m, better_sign(m), x->ranking.families, x->ranking.n, REGRET_NO_ROW);
    return best != REGRET_NO_ROW ? best : x->ranking.families[0];
}

void say_choice(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    if (c->choice == CHOICE_BY_CELL) {
        say_winner(f, x);
        return;
    }
    say_words(f, "leader by top-1, its regret:");
    say_mean(f, &x->cells, REGRET_MEASURE_REGRET, leader(x, REGRET_MEASURE_TOP1));
    say_words(f, "; by regret:");
    say_mean(f, &x->cells, REGRET_MEASURE_REGRET, leader(x, REGRET_MEASURE_REGRET));
}

/* ---------------------------------------------------------------- costly mistakes */

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
    double *y = NULL, sum = 0.0;
    size_t shares = 0;
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
        sum += isfinite(share) ? share : 0.0;
        shares += isfinite(share) != 0;
    }
    say_number(f, x->r->subjects[family].name, sum / (double)shares, 3);
    return end_part(f);
}

int judge_costliest(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    for (size_t i = 0; i < claim_spoken_of(c, x); i++) {
        TRY(judge_losses_of(f, c, x, claim_subject(c, x, i)));
    }
    return REGRET_OK;
}
