/* Differences between agents, and all of them at once. */
#ifndef EVALUATE_DIFFERENCES_H
#define EVALUATE_DIFFERENCES_H

#include <stddef.h>
#include <stdint.h>

#include "evaluate/clusters.h"

/* Many statistics tested together. */

/* n standard normal z, correlated under the null as the covariance says; a NaN among them is none. */
struct joint {
    const double *z; /* [n] */
    const double *
        covariance; /* [n × n] lower triangle, column-major; NULL: unknown, and nothing is supposed of it */
    size_t n, draws;
    uint64_t seed, stream; /* of the draws: regret_rng_at(seed, REGRET_RNG_DIAGNOSE, stream) */
    double level;
};

/* What is told of them. */
struct joint_answer {
    double critical; /* below which all |z| are at the level; NaN where there is no z */
    double p;        /* that all are null: twice the smaller of those of max |z| and of Σ z² */
    size_t largest;  /* which |z| is; n where there is none */
};

/* `adjusted` [n], or NULL, gets the probability that the largest of all is beyond |z_k|. Draws of the normal with the
 * covariance are what Gaussian multipliers of clusters give. Where fewer than ten draws go beyond, and without a covariance,
 * Šidák's bound, 1 − Π P(|Z_k| <= z), which holds for every covariance (JASA 62, 1967, 626-633); for Σ z² Satterthwaite's χ²,
 * and without a covariance no Σ z². O(n³ + draws · n²). */
int joint_test(struct joint_answer *out, double *adjusted, const struct joint *joint);

/* 2 P(Z > |z|), and the |z| that belongs to a two-sided p. */
double normal_two_sided(double z);
double normal_of_two_sided(double p);
/* z of Student's t with df degrees of freedom: the normal deviate with the same probability. */
double normal_of_student(double t, double df);

/* Differences of means between OBS and EXP, cell by cell. */

struct difference {
    size_t rows[REGRET_LOG_SOURCES], clusters[REGRET_LOG_SOURCES];
    double mean[REGRET_LOG_SOURCES]; /* NaN without rows */
    double value, error, df;         /* OBS − EXP; NaN where there is none */
    double covered;                  /* share of the EXP weight that `value` is of */
};

/* n differences. */
struct differences {
    size_t n;
    struct difference *at; /* [n] */
    double *z;             /* [n] value/error as a normal deviate */
    double *covariance;    /* of `value`, as in struct scores */
};

/* Of agents, or with by_tag of agents and tags (cell agent · n_tags + tag): plain means of OBS, EXP weighted by
 * 1/propensity. */
int differences_plain(struct differences *out, const struct regret_log *log,
                      const struct cluster_order *order, int by_tag);

/* Of agents, after what can be adjusted for: Σ_t π_at (m_O(a,t) − m_E(a,t)), π_at the share of tag t of the agent's EXP
 * weight among the tags on which OBS has two rows of the agent or more, OBS weighted by 1/propensity where it has one. π is
 * what EXP says, and varies with it: the EXP part is the mean of y − m_O(a,t). */
int differences_adjusted(struct differences *out, const struct regret_log *log,
                         const struct cluster_order *order);

void differences_free(struct differences *differences);

#endif
