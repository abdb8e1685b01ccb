/* What the paper says of choices: of families by cell or by their ranking, of λ. */
#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "report/claims/claims.h"

/* Against a single family for all cells, choosing the best family in each cell pays, both choices
 * made on the other seeds. Were one family the best in every cell, it would pay nothing or less. */
int claim_choice_by_cell_pays(struct claim_result *f, const struct claim *c,
                              const struct claim_context *x)
{
    enum regret_measure m = (enum regret_measure)c->measure;
    struct slice one = {x->r, NULL, 1};
    double *y = NULL, share = (double)c->sign / (double)x->cells.n_cells;
    size_t most = 0;
    int rc;
    for (size_t i = 0; i < x->ranking.n; i++) {
        size_t wins =
            slice_wins(&x->cells, m, x->ranking.families[i], x->ranking.families, x->ranking.n);
        most = wins > most ? wins : most;
    }
    say_share(f, (double)most, (double)x->cells.n_cells,
              "cells are the most that one family leads");
    TRY_CLEANUP(REGRET_NEW(&y, f->n_seeds));
    for (size_t i = 0; i < x->cells.n_cells; i++) {
        one.cells = &x->cells.cells[i];
        TRY_CLEANUP(held_out_best(y, &one, m, x->ranking.families, x->ranking.n));
        add_numbers(f, share, y);
    }
    TRY_CLEANUP(held_out_best(y, &x->cells, m, x->ranking.families, x->ranking.n));
    add_numbers(f, -c->sign, y);
    rc = end_part(f);
cleanup:
    regret_free(y);
    return rc;
}

/* What a seed's regret is of the family that leads by top-1 on the other seeds. Of several that
 * lead, the one of lowest regret on those seeds: a draw is no disagreement. */
static void follow_ranking(double *out, const double *top1, const double *regret, size_t n,
                           size_t n_seeds)
{
    for (size_t seed = 0; seed < n_seeds; seed++) {
        double best_top1 = -INFINITY, best_regret = INFINITY;
        out[seed] = NAN;
        for (size_t i = 0; i < n; i++) {
            double a = 0.0, b = 0.0;
            size_t others = 0;
            for (size_t k = 0; k < n_seeds; k++) {
                if (k != seed && isfinite(top1[k + n_seeds * i] + regret[k + n_seeds * i])) {
                    a += top1[k + n_seeds * i];
                    b += regret[k + n_seeds * i];
                    others++;
                }
            }
            a /= (double)others;
            b /= (double)others;
            int draw = fabs(a - best_top1) < 1e-12;
            if (others > 0 && ((!draw && a > best_top1) || (draw && b < best_regret))) {
                best_top1 = a;
                best_regret = b;
                out[seed] = regret[seed + n_seeds * i];
            }
        }
    }
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

int claim_ranking_misleads(struct claim_result *f, const struct claim *c,
                           const struct claim_context *x)
{
    size_t n = x->ranking.n, n_seeds = f->n_seeds;
    double *top1 = NULL, *regret = NULL, *chosen = NULL;
    int rc;
    (void)c;
    TRY_CLEANUP(REGRET_NEW(&top1, n * n_seeds));
    TRY_CLEANUP(REGRET_NEW(&regret, n * n_seeds));
    TRY_CLEANUP(REGRET_NEW(&chosen, n_seeds));
    for (size_t i = 0; i < n * n_seeds; i++) {
        size_t family = x->ranking.families[i / n_seeds], seed = i % n_seeds;
        top1[i] = seed_mean(&x->cells, REGRET_MEASURE_TOP1, family, seed);
        regret[i] = seed_mean(&x->cells, REGRET_MEASURE_REGRET, family, seed);
    }
    say_leaders(f, x);
    follow_ranking(chosen, top1, regret, n, n_seeds);
    add_numbers(f, 1.0, chosen);
    TRY_CLEANUP(held_out_best(chosen, &x->cells, REGRET_MEASURE_REGRET, x->ranking.families, n));
    add_numbers(f, -1.0, chosen);
    rc = end_part(f);
cleanup:
    regret_free(top1);
    regret_free(regret);
    regret_free(chosen);
    return rc;
}

/* More than half of the first family's fits choose λ of at most 0.1. */
int claim_lambda_is_small(struct claim_result *f, const struct claim *c,
                          const struct claim_context *x)
{
    size_t family = claim_subject(c, x, 0), small = 0, fits = 0;
    for (size_t i = 0; i < x->cells.n_cells; i++) {
        for (size_t seed = 0; seed < f->n_seeds; seed++) {
            double y =
                regret_results_value(x->r, REGRET_MEASURE_LAMBDA, family, x->cells.cells[i], seed);
            small += y <= 0.1;
            fits += isfinite(y) != 0;
            f->d[seed] += isfinite(y) ? ((y <= 0.1) - 0.5) / (double)x->cells.n_cells : NAN;
        }
    }
    say_share(f, (double)small, (double)fits, "fits");
    return end_part(f);
}
