/* The statistics of patches as what a target is fitted on (the paper's Figure 3), beside the proxy. */
#ifndef REGRET_EXPERIMENT_PATCH_FIT_H
#define REGRET_EXPERIMENT_PATCH_FIT_H

#include "experiment/measures/steps.h"

/* Of the pool's auxiliary labels, those that are statistics of patches (regret/patch.h) by their name; 0 for a pool
 * without "success". */
size_t patch_fit_columns(const struct regret_pool *pool);

/* These labels of every pair, pairs × patch_fit_columns(), on the scale that labels enter proxies by
 * (proxy.scale, fitted on OBS rows); to be freed with regret_free(). */
int patch_fit_take(double **out, const struct setting *setting, const struct draws *draws);

#endif
