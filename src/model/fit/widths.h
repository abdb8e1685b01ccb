/* How far the answers of a model miss, on contexts that the fits were made without. */
#ifndef REGRET_MODEL_WIDTHS_H
#define REGRET_MODEL_WIDTHS_H

#include "model/core/model.h"
#include "model/fit/contrast.h"

/* Fills variances and factors of a model of `data` that is otherwise made. `miss` [rows × n_agents] and `shared_miss` [rows] are what
 * the fits without a context miss of d_a and c.
 *
 *   s_a² = mean over contexts of miss²/v_d      s_c² = that of c      v: model_layer_variance()
 *   |mu(x,â) − f(x,â)| / √(s_c² v_c + s_â² v_d)  of every context, â the agent recommended without it
 *
 * The ⌈.95 (n + 1)⌉-th smallest of these (the greatest, where there is none) is the factor of half-widths (jackknife
 * prediction; Barber, Candès, Ramdas and Tibshirani, Annals of Statistics 49, 2021, section 1). The margin's likewise, of
 * contexts where â is not the single agent; of all agents on all contexts where these are fewer than forty.
 *
 * Of rows, e = outcome − f(x,A), weights w, s_c = 0:
 *
 *   s_a² = mean of e²/v_d over the agent's rows, by w, and one more row of the mean over all
 *
 * and the factor is the least that rows of w (Σw + w̄) .95 have, of those whose agent is recommended without x, of all
 * rows where these are fewer than forty (weighted conformal prediction; Tibshirani, Barber, Candès and Ramdas, NeurIPS 2019). No row
 * has two agents: a margin's variance is the sum of both, its factor the same. */
int widths_measure(struct regret_model *m, const struct regret_model_data *data,
                   const struct panel *panel, const struct vocabulary *v, const double *miss,
                   const double *shared_miss, const double *shared);

#endif
