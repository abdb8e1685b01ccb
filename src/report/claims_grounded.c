/* What the paper says of the grounded variants among themselves (its A.3 and T9). */
#include <math.h>

#include "report/claims.h"

/* The seed's share of cells in which the first family is below the second, a tie for half a cell,
 * is above one half. */
static int wins_most_cells(struct finding *f, const struct claim *c, const struct scene *x)
{
    size_t first = family_named(x->r, c->families[0]);
    size_t second = family_named(x->r, c->families[1]);
    double cells = (double)x->cells.n_cells, wins = 0.0;
    for (size_t i = 0; i < x->cells.n_cells; i++) {
        size_t cell = x->cells.cells[i];
        double means[] = {cell_mean(x->r, REGRET_MEASURE_REGRET, first, cell),
                          cell_mean(x->r, REGRET_MEASURE_REGRET, second, cell)};
        wins += isfinite(means[0] + means[1]) ? 2.0 - rank_among(means, 2, 0) : 0.0;
        for (size_t seed = 0; seed < f->n_seeds; seed++) {
            double y[] = {regret_results_value(x->r, REGRET_MEASURE_REGRET, first, cell, seed),
                          regret_results_value(x->r, REGRET_MEASURE_REGRET, second, cell, seed)};
            f->d[seed] += isfinite(y[0] + y[1]) ? (1.5 - rank_among(y, 2, 0)) / cells : NAN;
        }
    }
    say_share(f, wins, cells, "cells by their means");
    return end_part(f);
}

/* More than half of the first family's fits choose λ of at most 0.1. */
static int lambda_is_small(struct finding *f, const struct claim *c, const struct scene *x)
{
    size_t family = family_named(x->r, c->families[0]), small = 0, fits = 0;
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

static const struct claim claims[] = {
    {.name = "rich-beats-linear",
     .sentence = "grounded (the rich class) has a lower regret than grounded-linear",
     .paper = "A.3, T9: lowers macro regret",
     .families = {"grounded", "grounded-linear"},
     .evaluate = claim_beats,
     .measure = REGRET_MEASURE_REGRET,
     .sign = -1},
    {.name = "rich-wins-cells",
     .sentence = "grounded is below grounded-linear in most cells",
     .paper = "A.3, T9: more regret wins",
     .families = {"grounded", "grounded-linear"},
     .evaluate = wins_most_cells},
    {.name = "anchored-ranks-best",
     .sentence = "grounded-anchored has the best top-1 and top-3 of the three variants",
     .paper = "A.3, T9: strongest ranking metrics",
     .families = {"grounded-anchored", "grounded", "grounded-linear"},
     .evaluate = claim_ranks_agents},
    {.name = "anchored-regrets-more",
     .sentence = "grounded-anchored has a higher regret than grounded",
     .paper = "A.3, T9: \"but its macro regret is …\", wins in 4 cells",
     .families = {"grounded-anchored", "grounded"},
     .evaluate = claim_beats,
     .measure = REGRET_MEASURE_REGRET,
     .sign = 1},
    {.name = "anchor-is-weak",
     .sentence = "grounded-anchored mostly chooses a small λ (at most 0.1)",
     .paper = "A.3: \"usually small\"",
     .families = {"grounded-anchored"},
     .evaluate = lambda_is_small},
};

const struct claim_set claims_of_grounded = {"grounded variants", claims,
                                             sizeof claims / sizeof *claims};
