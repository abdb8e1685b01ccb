/* The line through the estimates of the levels of a shift, and its standard error. */
#ifndef REGRET_RATE_SHIFT_SLOPE_H
#define REGRET_RATE_SHIFT_SLOPE_H

#include "regret/rate_study.h"

/* At which levels each row was drawn, and how many rows each level has. */
struct shift_weights {
    uint16_t *levels; /* n_rows: bit i where level i drew the row; owned */
    size_t n_rows;
    size_t n1[REGRET_RATE_SHIFT_LEVELS], n0[REGRET_RATE_SHIFT_LEVELS];
};

int shift_weights_new(struct shift_weights *w, const struct regret_rate_rows *rows);
void shift_weights_free(struct shift_weights *w);
void shift_weights_clear(struct shift_weights *w); /* before the first level */
/* Takes note of the rows of a level. */
void shift_weights_add(struct shift_weights *w, const struct regret_rate_rows *rows,
                       const size_t *subset, size_t n, size_t level);

/* The least-squares line of one kind of estimate (naive, single ATE, RATE ATE) over the levels.
 *
 * Each estimate is a weighted sum of its rows, and so the slope is one, too: Σ_r s_r y_r with
 * s_r = Σ_i c_i a_ir over the levels i that drew row r, c_i = (i − ī)/Σ(i − ī)², and a_ir the row's
 * weight in the estimate of the level (1/n_i for a mean of δ; ±1/n_iw for the naive estimate, where
 * y is O). Levels share rows, so their estimates are not independent, and the residuals about the line
 * say nothing; a row is one cluster, whatever the levels it serves. The sizes of the cells (W, Z) are
 * fixed by the design, so with ȳ_k the mean of y over all n_k rows of cell k
 *   se² = Σ_k n_k/(n_k − 1) Σ_{r in k} s_r² (y_r − ȳ_k)²
 * (Liang and Zeger, Biometrika 73 (1986) 13-22, by strata). rows_of_cell[0..4) are the rows the levels
 * were drawn from, n of them each. */
struct regret_rate_slope shift_slope(const struct shift_weights *w,
                                     const struct regret_rate_rows *rows,
                                     const struct regret_rate_shift *shift,
                                     enum regret_rate_effect_kind kind,
                                     size_t *const rows_of_cell[4], const size_t n[4]);

#endif
