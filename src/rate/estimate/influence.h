/* Estimates as sums over clusters. Every effect is one mean over rows or the difference of two, and a
 * mean is what the clusters' sums of residuals make of it; so the error of an effect, and that of the
 * difference of any two, which may share rows and clusters, are sums of squares over clusters.
 *
 * The bias-reduced variance CR2 of Bell and McCaffrey (2002), in the closed form that regressions on
 * indicators of disjoint rows have. Of mean k, over n_k rows of which cluster c holds m_ck, let
 * S_ck be the sum of the residuals, h_ck = m_ck/n_k, u_ck = ±1/(n_k √(1 − h_ck)). Then
 *
 *   ψ_c = Σ_k u_ck S_ck,   se² = Σ_c ψ_c²,   df = (tr B)² / tr B²,
 *   B = diag(q) − Σ_k r_k r_k',   q_c = Σ_k φ_k u_ck² m_ck,   r_ck = √φ_k u_ck m_ck / √n_k,
 *
 * where φ_k, the variance of a row about mean k, is the working model of Satterthwaite's degrees of
 * freedom: independent rows. With clusters of one row each se² = Σ_k φ_k/n_k, and df is n − 1, or Welch
 * and Satterthwaite's of two means. */
#ifndef REGRET_RATE_INFLUENCE_H
#define REGRET_RATE_INFLUENCE_H

#include "rate/estimate/columns.h"

/* Which rows a mean is over. */
enum influence_rows { ROWS_WITHOUT, ROWS_WITH, ROWS_ALL, N_INFLUENCE_ROWS };

/* One mean of an effect. */
struct cluster_mean {
    const double *size; /* m_ck by cluster */
    double n, variance; /* n_k, φ_k */
};
enum { MAX_MEANS = 4 }; /* of a difference of two effects */

struct influence {
    size_t n_clusters;               /* of the group */
    double n[N_INFLUENCE_ROWS];      /* used rows */
    size_t held[N_INFLUENCE_ROWS];   /* clusters that hold some of them */
    double *size[N_INFLUENCE_ROWS];  /* by cluster; owned */
    double *scale[N_INFLUENCE_ROWS]; /* by cluster: 1/|u|, NaN where it holds all rows; owned */
    double *psi[REGRET_N_EFFECTS];   /* by cluster; NULL where not made; owned */
    double variance[REGRET_N_EFFECTS][2]; /* φ of its means */
    double *psi_spread; /* of the pooled variance of O; NULL where not made; owned */
    double *sum;        /* by cluster, zero between effects; owned */
    uint32_t *cluster;  /* by used row; owned */
};

/* The rows of `c` by cluster: of[k] is that of member k, one of n_clusters; NULL: every member is one.
 * Free it even after a failure. */
int influence_new(struct influence *f, const struct columns *c, const uint32_t *of,
                  size_t n_clusters);
void influence_free(struct influence *f);
/* Makes ψ of one effect that is there. O(rows + clusters). NaN where a mean rests on one cluster. */
int influence_add(struct influence *f, const struct columns *c, enum regret_rate_effect_kind kind);
/* Makes ψ of the pooled variance of O within W, to first order: Σ ((o − mean)² − s²)/(n − 2). */
int influence_add_spread(struct influence *f, const struct columns *c, double pooled_sd);
/* Whether all rows of one of its means are of one cluster. */
int influence_rests_on_one(const struct influence *f, enum regret_rate_effect_kind kind);
/* The means of an effect made, 1 or 2. */
size_t influence_means(struct cluster_mean means[2], const struct influence *f,
                       enum regret_rate_effect_kind kind);
/* The rows of its first mean over all that count for it. */
enum influence_rows influence_rows_of(enum regret_rate_effect_kind kind);
/* Satterthwaite's degrees of freedom, above. O(clusters · means²). */
double cluster_df(const struct cluster_mean *means, size_t n, size_t n_clusters);

#endif
