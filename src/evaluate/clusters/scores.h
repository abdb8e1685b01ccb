/* Variances and covariances, over clusters, of many sums at once. */
#ifndef REGRET_EVALUATE_CLUSTERS_SCORES_H
#define REGRET_EVALUATE_CLUSTERS_SCORES_H

#include <stddef.h>

#include "evaluate/clusters/clusters.h"

/* What a row adds: `value` to the sum of a cell, of which it holds `weight`. */
struct score {
    size_t cell; /* SCORE_NONE: it adds nothing */
    double weight, value;
};
#define SCORE_NONE ((size_t)-1)
typedef struct score score_of(const void *context, enum regret_log_source source, size_t row);

enum { SCORES_MAX_JOINT = 256 /* cells of which covariances are kept */ };

/* Of every cell k the variance of the sum over OBS rows and over EXP rows, V_s = c Σ_g δ_sg², δ_sg what cluster g adds. Where
 * totals are given the sum is a ratio's, Σ w (y − m)/W, and δ is by how much the ratio changes when the cluster goes, Σ w (y −
 * m)/(W − w_g), with c = (G − 1)/G (the jackknife); else c = G/(G − 1). NaN of fewer than two clusters. */
struct scores {
    size_t n;
    double *variance[REGRET_LOG_SOURCES]; /* [n] */
    double *cross;                        /* [n] Σ_g δ_obs δ_exp */
    size_t *clusters[REGRET_LOG_SOURCES]; /* [n] that have rows in the cell */
    double *
        covariance; /* [n × n] Σ_g ψ_gk ψ_gl of ψ = δ_obs − δ_exp, lower triangle, column-major; NULL above SCORES_MAX_JOINT */
};

/* total: [n] of each source, W; NULL for both: no ratio. O(rows), and for covariances times the cells of a cluster. */
int scores_gather(struct scores *out, size_t n, const double *const *total,
                  const struct cluster_order *order, score_of *of, const void *context);
void scores_free(struct scores *scores);

#endif
