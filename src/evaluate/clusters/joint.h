/* Many statistics tested together. */
#ifndef REGRET_EVALUATE_CLUSTERS_JOINT_H
#define REGRET_EVALUATE_CLUSTERS_JOINT_H

#include <stddef.h>
#include <stdint.h>

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

#endif
