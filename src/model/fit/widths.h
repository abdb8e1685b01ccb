/* How far the answers of a model miss, on contexts that the fits were made without. */
#ifndef REGRET_MODEL_WIDTHS_H
#define REGRET_MODEL_WIDTHS_H

#include "model/core/model.h"
#include "model/fit/contrast.h"

/* Fills variances and factors of a model that is otherwise made. `miss` [rows × n_agents] and `shared_miss` [rows] are what
 * the fits without a context miss of d_a and c.
 *
 *   s_a² = mean over contexts of miss²/v_d      s_c² = that of c      v: model_layer_variance()
 *   |mu(x,â) − f(x,â)| / √(s_c² v_c + s_â² v_d)  of every context, â the agent recommended without it
 *
 * The ⌈.95 (n + 1)⌉-th smallest of these (the greatest, where there is none) is the factor of half-widths (jackknife
 * prediction; Barber, Candès, Ramdas and Tibshirani, Annals of Statistics 49, 2021, section 1). The margin's likewise, of
 * contexts where â is not the single agent; of all agents on all contexts where these are fewer than forty. */
int widths_measure(struct regret_model *m, const struct panel *panel, const struct vocabulary *v,
                   const double *miss, const double *shared_miss, const double *shared);

#endif
