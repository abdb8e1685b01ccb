/* The chance of stopping at looks. */
#ifndef REGRET_EVALUATE_PLAN_LOOKS_H
#define REGRET_EVALUATE_PLAN_LOOKS_H

#include "regret/trial_plan.h"

/* The looks at k·n/n_looks rows, k from 1 on, at an estimate whose variance after m rows is variance/m and whose mean is
 * `difference`: half-widths and, in `stopped` (of the difference) and `stopped_at_no` (of 0), the chances that by then the anytime interval has left out 0. */
int looks_make(struct regret_trial_look *look, size_t n_looks, size_t n, double variance,
               double difference, double level, double df_of_row);

#endif
