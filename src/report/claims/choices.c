/* What the paper says of choices: of families by cell or by their ranking, of λ. */
#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "report/claims/evidence.h"

/* Against a single family for all cells, choosing the best family in each cell pays, both choices
 * made on the other seeds. Were one family the best in every cell, it would pay nothing or less. */
int judge_by_cell(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    enum regret_measure m = (enum regret_measure)x->measure;
    struct slice one = {x->r, NULL, 1};
    double *y = NULL, share = (double)c->sign / (double)x->cells.n_cells;
    size_t most = 0;
    int rc;
    for (size_t i = 0; i < x->ranking.n; i++) {
        size_t wins =
            slice_wins(&x->cells, m, x->ranking.families[i], x->ranking.families, x->ranking.n);
        most = wins > most ? wins : most;
    }
    regret_buffer_printf(&f->numbers, "%zu of %zu cells are the most that one family leads", most,
                         x->cells.n_cells);
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
