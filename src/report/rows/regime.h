/* The regime of some cells: what their keys, or else the run's configuration, say of confounding,
 * noise and penalties. */
#ifndef REGRET_REPORT_REGIME_H
#define REGRET_REPORT_REGIME_H

#include "regret/estimate.h"
#include "report/rows/slice.h"

/* NaN where neither the cells nor the configuration say. */
struct range {
    double low, high;
};
/* A ridge penalty that one of the paper's families has fixed. */
struct penalty {
    const struct regret_hyper *hyper;
    struct range range;
};
struct regime {
    struct range beta, n_obs, precision;
    struct penalty penalty[REGRET_MAX_HYPERS];
    size_t n_penalties;
    int noiseless; /* outcome.law is none */
};
struct regime regime_read(const struct slice *s);

/* One sentence on the regime. */
void regime_describe(struct regret_buffer *out, const struct regime *g);

#endif
