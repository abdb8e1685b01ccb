/* Several comparisons at once, and how small a difference one of them can see. */
#ifndef STATS_MULTIPLICITY_H
#define STATS_MULTIPLICITY_H

#include <stddef.h>
#include <stdint.h>

/* Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics
 * 6 (1979) 65-70: of the m ascending p-values the i-th becomes max over j <= i of (m − j + 1)·p_j, at
 * most 1. Those at most α are found with a chance of at most α of finding any that is not there,
 * however the comparisons depend on each other. */
int regret_holm(double *adjusted, const double *p, size_t n);

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

/* The level of a two-sided interval of one of n estimates by which all hold at once with `level`: with Z the sums Σ_c g_c ψ_c / √Σ ψ_c²
 * of their influences by clusters, g standard normal, and c the level-quantile of max |Z| over `resamples` draws, 2 Φ(c) − 1
 * (multiplier bootstrap: Chernozhukov, Chetverikov and Kato, Annals of Statistics 41, 2013). influence is [n × n_clusters]; estimates without
 * any influence do not count. *critical gets c; NaN, and `level` in *each, where none counts. Draw b is of the stream (seed,
 * REGRET_RNG_BOOTSTRAP, b). O(resamples · n · n_clusters). */
int simultaneous_level(double *each, double *critical, const double *influence, size_t n,
                       size_t n_clusters, double level, size_t resamples, uint64_t seed,
                       size_t threads);

/* 2 P(Z > |z|), and the |z| that belongs to a two-sided p. */
double normal_two_sided(double z);
double normal_of_two_sided(double p);
/* z of Student's t with df degrees of freedom: the normal deviate with the same probability. */
double normal_of_student(double t, double df);

/* How small a difference of means a comparison can see, and how much data a wanted one needs. */

/* The least detectable difference: a true mean difference of this size is found different from zero
 * by a two-sided t test of the given size, .05, with at least the given power, .8, when its estimate has
 * the standard error `se` with `df` degrees of freedom. (t_{1−size/2,df} + t_{power,df}) · se: the
 * usual approximation of the noncentral t (Bloom, "Minimum detectable effects", Evaluation Review 19,
 * 1995), 1.2 % below the exact one at df 4 and within .2 % of it from df 9 on. NaN where a quantile is. */
double regret_detectable_difference(double se, double df, double size, double power);

/* The fewest independent observations, 2 to `most`, whose mean detects a difference as small as that: the
 * least n with regret_detectable_difference(sd / sqrt(n), n − 1, size, power) <= difference, `sd` the
 * deviation of one. 0 when `most` are too few, or the difference is not above 0 or sd no number.
 * O(log most). */
size_t regret_observations_needed(double sd, double difference, double size, double power,
                                  size_t most);

/* The upper end of a one-sided confidence interval of a deviation that was estimated as `sd` with `df`
 * degrees of freedom from normal observations: sd·sqrt(df / χ²_{1−confidence,df}). A pilot's deviation is
 * as often too small as too large, and one planned by it misses its power half of the time; the bound is
 * what to plan with to be on the safe side (Browne, Statistics in Medicine 14, 1995,
 * doi:10.1002/sim.4780141709). The quantile of χ² is that of Wilson and Hilferty (1931): the bound is
 * within .5 % of the exact one from df 2 on at confidence .8. NaN of df < 1. */
double regret_deviation_bound(double sd, double df, double confidence);

/* The least n from 2 to `most` for which is_enough(context, n), which holds of all larger ones, too; 0 where it does of none. O(log most). */
typedef int enough(const void *context, size_t n);
size_t least_enough(enough *is_enough, const void *context, size_t most);

#endif
