/* What the paper says of choices: of families by cell or by their ranking, of λ, and what the costliest of them cost. */
#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/quantile.h"
#include "report/claims/evidence.h"

/* The best mean over the cells that one of the ranked families has. */
static double best_mean(const struct claim_context *x, enum regret_measure m)
{
    double best = NAN;
    for (size_t i = 0; i < x->ranking.n; i++) {
        double mean = slice_estimate(&x->cells, m, x->ranking.families[i]).mean;
        best = i == 0 || better_sign(m) * (mean - best) > 0.0 ? mean : best;
    }
    return best;
}

/* Against a single family for all cells, choosing the best family in each cell pays, both choices
 * made on the other seeds. Were one family the best in every cell, it would pay nothing or less. Near: it changes nothing
 * beyond 5 % of what the single family has. */
int judge_by_cell(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    enum regret_measure m = (enum regret_measure)x->measure;
    struct slice one = {x->r, NULL, 1};
    double *y = NULL, sign = c->sign == 0 ? 1.0 : c->sign;
    size_t most = 0;
    int rc;
    for (size_t i = 0; i < x->ranking.n; i++) {
        size_t wins = slice_wins(&x->cells, m, better_sign(m), x->ranking.families[i],
                                 x->ranking.families, x->ranking.n);
        most = wins > most ? wins : most;
    }
    regret_buffer_printf(&f->numbers, "%s%zu of %zu cells are the most that one family leads",
                         f->no_comma ? " " : "", most, x->cells.n_cells);
    TRY_CLEANUP(REGRET_NEW(&y, f->n_seeds));
    for (size_t i = 0; i < x->cells.n_cells; i++) {
        one.cells = &x->cells.cells[i];
        TRY_CLEANUP(held_out_best(y, &one, m, x->ranking.families, x->ranking.n));
        add_numbers(f, sign / (double)x->cells.n_cells, y);
    }
    TRY_CLEANUP(held_out_best(y, &x->cells, m, x->ranking.families, x->ranking.n));
    add_numbers(f, -sign, y);
    rc = c->sign == 0 ? end_flat_part(f, 0.05 * fabs(best_mean(x, m))) : end_part(f);
cleanup:
    regret_free(y);
    return rc;
}

static void say_leaders(struct claim_result *f, const struct claim_context *x)
{
    size_t by_top1 = x->ranking.families[0], by_regret = x->ranking.families[0];
    for (size_t i = 1; i < x->ranking.n; i++) {
        size_t family = x->ranking.families[i];
        if (slice_estimate(&x->cells, REGRET_MEASURE_TOP1, family).mean >
            slice_estimate(&x->cells, REGRET_MEASURE_TOP1, by_top1).mean) {
            by_top1 = family;
        }
        if (slice_estimate(&x->cells, REGRET_MEASURE_REGRET, family).mean <
            slice_estimate(&x->cells, REGRET_MEASURE_REGRET, by_regret).mean) {
            by_regret = family;
        }
    }
    say_words(f, "leader by top-1, its regret:");
    say_mean(f, &x->cells, REGRET_MEASURE_REGRET, by_top1);
    say_words(f, "; by regret:");
    say_mean(f, &x->cells, REGRET_MEASURE_REGRET, by_regret);
}

/* The regret of the family that leads by top-1 on the other seeds, against that of the best. Of several that
 * lead it is the one of lowest regret on those seeds: a draw is no disagreement. */
int judge_by_top1(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    size_t n = x->ranking.n, n_seeds = f->n_seeds;
    double *top1 = NULL, *regret = NULL, *chosen = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&top1, n * n_seeds));
    TRY_CLEANUP(REGRET_NEW(&regret, n * n_seeds));
    TRY_CLEANUP(REGRET_NEW(&chosen, n_seeds));
    for (size_t i = 0; i < n * n_seeds; i++) {
        size_t family = x->ranking.families[i / n_seeds], seed = i % n_seeds;
        top1[i] = seed_mean(&x->cells, REGRET_MEASURE_TOP1, family, seed);
        regret[i] = seed_mean(&x->cells, REGRET_MEASURE_REGRET, family, seed);
    }
    say_leaders(f, x);
    choose_on_others(chosen, n_seeds, n, 1, top1, regret);
    add_numbers(f, c->sign, chosen);
    TRY_CLEANUP(held_out_best(chosen, &x->cells, REGRET_MEASURE_REGRET, x->ranking.families, n));
    add_numbers(f, -c->sign, chosen);
    rc = end_part(f);
cleanup:
    regret_free(top1);
    regret_free(regret);
    regret_free(chosen);
    return rc;
}

/* Of the first family's fits, the share that chooses λ of at most 0.1, against half. */
int judge_small_lambda(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    size_t family = claim_subject(c, x, 0), small = 0, fits = 0;
    double share = (double)c->sign / (double)x->cells.n_cells;
    for (size_t i = 0; i < x->cells.n_cells; i++) {
        for (size_t seed = 0; seed < f->n_seeds; seed++) {
            double y =
                regret_results_value(x->r, REGRET_MEASURE_LAMBDA, family, x->cells.cells[i], seed);
            small += y <= 0.1;
            fits += isfinite(y) != 0;
            f->d[seed] += isfinite(y) ? ((y <= 0.1) - 0.5) * share : NAN;
        }
    }
    regret_buffer_printf(&f->numbers, "%zu of %zu fits", small, fits);
    return end_part(f);
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
