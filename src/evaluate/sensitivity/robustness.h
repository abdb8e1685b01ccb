/* Cinelli and Hazlett, "Making sense of sensitivity: extending omitted variable bias", JRSS B 82 (2020) 39-67. */
#ifndef REGRET_EVALUATE_SENSITIVITY_ROBUSTNESS_H
#define REGRET_EVALUATE_SENSITIVITY_ROBUSTNESS_H

#include "evaluate/sensitivity/regression.h"

/* The coefficient of D by least squares, with the usual (not cluster-robust) error, and how much of what is left of both D and Y an
 * unrecorded cause would have to explain (partial R²) to bring it to zero: RV = (√(f⁴ + 4f²) − f²)/2, f² = t²/df; or into
 * chance at the level: f less t_{(1 + level)/2, df − 1}/√(df − 1), and 0 where it is there already. The second is not below that of
 * a cause that explains all that is left of Y. */
struct robustness {
    double value, error, t, df;
    double partial_r2;                  /* of D with Y */
    double to_zero;                     /* RV */
    double to_chance;                   /* RV at the level */
    double without_choice, choice_left; /* residual sums of squares: of Y without D, of D */
};
/* REGRET_E_NOMEM; NaN throughout where D or Y has nothing left. O(columns³). */
int robustness_of(struct robustness *out, const struct regression *r, double level);

/* A cause that is to D and Y what a recorded group of columns is, once as strong (their section 4.4, k = 1): its partial R² with
 * D and with Y, and what would be left of the value. */
struct benchmark {
    double with_choice, with_outcome, left;
};
/* NaN where the group explains nothing that is left, or all. */
int benchmark_of(struct benchmark *out, const struct regression *r, const struct robustness *of,
                 size_t group);

#endif
