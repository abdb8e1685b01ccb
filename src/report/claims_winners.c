/* Who wins in which cells (the paper's T5, T12 and T13): no family everywhere. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regret/alloc.h"
#include "report/claims.h"

/* Against a single family for all cells, choosing the best family in each cell pays, both choices
 * made on the other seeds. Were one family the best in every cell, it would pay nothing or less. */
static int choice_by_cell_pays(struct finding *f, const struct claim *c, const struct scene *x)
{
    struct slice one = {x->r, NULL, 1};
    double *y = NULL, share = (double)c->sign / (double)x->cells.n_cells;
    int rc = REGRET_NEW(&y, f->n_seeds);
    for (size_t i = 0; rc == REGRET_OK && i < x->cells.n_cells; i++) {
        one.cells = &x->cells.cells[i];
        rc = held_out_best(y, &one, c->measure, x->ranked, x->n_ranked);
        if (rc == REGRET_OK) {
            add_numbers(f, share, y);
        }
    }
    if (rc == REGRET_OK) {
        rc = held_out_best(y, &x->cells, c->measure, x->ranked, x->n_ranked);
    }
    if (rc == REGRET_OK) {
        add_numbers(f, -c->sign, y);
        rc = end_part(f);
    }
    regret_free(y);
    return rc;
}

static int no_family_dominates(struct finding *f, const struct claim *c, const struct scene *x)
{
    size_t most = 0, cells = x->cells.n_cells;
    for (size_t i = 0; i < x->n_ranked; i++) {
        size_t wins = 0;
        for (size_t k = 0; k < cells; k++) {
            double own = cell_mean(x->r, c->measure, x->ranked[i], x->cells.cells[k]);
            int won = isfinite(own);
            for (size_t j = 0; j < x->n_ranked; j++) {
                won = won && own <= cell_mean(x->r, c->measure, x->ranked[j], x->cells.cells[k]);
            }
            wins += (size_t)won;
        }
        most = wins > most ? wins : most;
    }
    say_share(f, (double)most, (double)cells, "cells are the most that one family leads");
    return choice_by_cell_pays(f, c, x);
}

static double budget_of(const struct slice *s, size_t cell, size_t key)
{
    return strtod(s->r->keys[key].values[s->r->cell_value[cell + s->r->n_cells * key]], NULL);
}

/* Asks claim_beats of the cells with n_exp in a range. */
static int beats_in_range(struct finding *f, const struct claim *c, const struct scene *x,
                          double low, double high, const char *range)
{
    struct scene part = *x;
    struct slice last = {0};
    part.cells = (struct slice){x->r, NULL, 0};
    int rc = REGRET_NEW(&part.cells.cells, x->cells.n_cells);
    for (size_t i = 0; rc == REGRET_OK && i < x->cells.n_cells; i++) {
        double n_exp = budget_of(&x->cells, x->cells.cells[i], REGRET_KEY_N_EXP);
        if (n_exp >= low && n_exp <= high) {
            part.cells.cells[part.cells.n_cells++] = x->cells.cells[i];
        }
    }
    if (rc == REGRET_OK && part.cells.n_cells == 0) {
        regret_text_printf(&f->lacking, "n_exp of %s", range);
        rc = regret_text_status(&f->lacking);
    } else if (rc == REGRET_OK) {
        rc = cells_at(&last, &part.cells, REGRET_KEY_N_EXP, LAST);
        struct slice all = part.cells;
        part.cells = last;
        rc = rc == REGRET_OK ? claim_beats(f, c, &part) : rc;
        part.cells = all;
    }
    slice_free(&last);
    slice_free(&part.cells);
    return rc;
}

static int beats_with_much_exp(struct finding *f, const struct claim *c, const struct scene *x)
{
    return beats_in_range(f, c, x, 400.0, INFINITY, "400 or more");
}

static int beats_with_little_exp(struct finding *f, const struct claim *c, const struct scene *x)
{
    return beats_in_range(f, c, x, 0.0, 200.0, "200 or less");
}

static const struct claim claims[] = {
    {.name = "no-family-dominates",
     .sentence = "no family is the best in every cell: choosing it by cell pays",
     .paper = "abstract, 5.2, T12, T13",
     .needs = NEED_ALL_FAMILIES,
     .evaluate = no_family_dominates,
     .measure = REGRET_MEASURE_REGRET,
     .sign = -1},
    {.name = "exp-only-wins-large",
     .sentence = "with the greatest n_obs and n_exp (400 or more) exp-only has the lowest regret "
                 "(smooth reward)",
     .paper = "T5: 0.0118, next 0.0120; T12: 5 of 6 cells",
     .families = {"exp-only"},
     .needs = NEED_ALL_FAMILIES,
     .at = AT_SMOOTH | AT_LAST_N_OBS,
     .evaluate = beats_with_much_exp,
     .measure = REGRET_MEASURE_REGRET,
     .sign = -1},
    {.name = "cvci-wins-large-log",
     .sentence = "with the greatest n_obs and a small n_exp (200 or less) cvci has the lowest "
                 "regret (smooth reward)",
     .paper = "T5: 0.0120, next 0.0123; T13: 5 of 6 cells",
     .families = {"cvci"},
     .needs = NEED_ALL_FAMILIES,
     .at = AT_SMOOTH | AT_LAST_N_OBS,
     .evaluate = beats_with_little_exp,
     .measure = REGRET_MEASURE_REGRET,
     .sign = -1},
    {.name = "exp-only-gains-in-beta",
     .sentence = "exp-only gains on grounded as β grows (smooth reward)",
     .paper = "T13: Grounded wins at low β, EXP-Only at higher",
     .families = {"exp-only", "grounded"},
     .needs = NEED_BETA,
     .at = AT_SMOOTH,
     .evaluate = claim_trend,
     .measure = REGRET_MEASURE_REGRET,
     .sign = -1,
     .key = REGRET_KEY_BETA},
};

const struct claim_set claims_of_winners = {"winners by cell", claims,
                                            sizeof claims / sizeof *claims};
