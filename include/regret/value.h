/* Values of agents (protocol §6): the direct method, doubly robust, and self-normalised doubly
 * robust estimates of V(a), the mean outcome of agent a over the evaluation contexts.
 *
 *   V_DM(a)   = mean over evaluation pairs of agent a of f(x, m(x,a))
 *   V_DR(a)   = V_DM(a) + (1/n_E) Σ_i 1{A_i=a}/e_a · (Y_i − f^(−k(i))(X_i, M_i)),  e_a = 1/|A|
 *   V_SNDR(a) = V_DM(a) + Σ_i 1{A_i=a} w_i (Y_i − f^(−k(i))) / Σ_i 1{A_i=a} w_i,  w_i = 1/e_a
 *
 * Dudík, Langford and Li, "Doubly robust policy evaluation and learning", ICML 2011; Swaminathan
 * and Joachims, "The self-normalized estimator for counterfactual learning", NIPS 2015. With
 * uniform propensities the self-normalised correction is the mean residual of the agent's own rows;
 * an agent without EXP rows keeps V_DM.
 *
 * Where pairs are unobserved, EXP draws among the n(x) agents that are observed on a context: w_i = n(X_i), and DR is the ratio
 *
 *   V_DR(a) = V_DM(a) + (p̄/p_a) · |A| Σ_i 1{A_i=a} n(X_i) (Y_i − f^(−k(i))) / Σ_i n(X_i)
 *
 * with p_a the share of the contexts of EXP's population on which a is observed and p̄ its mean over agents, so that both are of
 * the contexts on which a is observed, as V_DM over observed pairs is.
 *
 * For another population of contexts than the one that was run on, each context has a weight ω(x) >= 0, how
 * much more frequent it is there, up to a common factor. Means over evaluation contexts, over EXP rows and over
 * an agent's rows then are means weighted by ω (Hájek ratios; Cole and Stuart, "Generalizing evidence from
 * randomized clinical trials to target populations", American Journal of Epidemiology 172, 2010). */
#ifndef REGRET_VALUE_H
#define REGRET_VALUE_H

#include <stddef.h>
#include <stdint.h>

#include "regret/estimate.h"
#include "regret/status.h"

/* ω of the contexts of pairs; NULL for it, or NULL for `weight`: every context weighs one. Borrowed. Of `share` (NULL: all
 * alike) what a pair counts in means over pairs where the draws of an agent on a context count as one. */
struct regret_context_weights {
    const uint32_t *context; /* [pairs] */
    const double *weight;    /* [contexts], finite, >= 0 */
    const double *share;     /* [pairs] */
};

/* How EXP drew where pairs are unobserved; NULL for it, or for `offered`: all agents on every context. Borrowed. */
struct regret_exp_support {
    const double *offered; /* [contexts] n(x) times ω(x) */
    const double *factor;  /* [n_agents] p̄/p_a; 0 of an agent that could not be drawn */
};

/* value[a], [n_agents]: means over the pairs with eval[p] != 0; NaN for an agent without any, or without any of
 * positive weight. O(pairs · ⌈n_agents / 256⌉). */
REGRET_API void regret_value_dm(double *value, const double *prediction, const uint32_t *agent,
                                const unsigned char *eval, size_t pairs, size_t n_agents,
                                const struct regret_context_weights *weights);

/* dr[a] and sndr[a] about the plug-in values (dm[a], or those of another surface), from the EXP rows
 * and the out-of-fold predictions of those rows. A NaN out-of-fold prediction (no folds could be made)
 * makes every value NaN, and so does an EXP of which no row has a positive weight; an agent whose own rows have
 * none keeps its plug-in value. O(exp->n · n_agents). */
REGRET_API void regret_value_dr(double *dr, double *sndr, const double *plug_in,
                                const struct regret_rows *exp, const double *cross_fit,
                                const uint32_t *agent, size_t n_agents,
                                const struct regret_context_weights *weights);
/* The same of an EXP that could not draw every agent on every context; `weights` then tell the context of a pair, and
 * the support its weight. */
REGRET_API void regret_value_dr_observed(double *dr, double *sndr, const double *plug_in,
                                         const struct regret_rows *exp, const double *cross_fit,
                                         const uint32_t *agent, size_t n_agents,
                                         const struct regret_context_weights *weights,
                                         const struct regret_exp_support *support);

/* The value of a policy over n contexts, of which its agent is observed on some. */
struct regret_policy_value {
    double ips, dr,
        dr_half;    /* NaN where the agent is observed on fewer than REGRET_POLICY_MIN_MATCHED */
    size_t matched; /* contexts on which it is */
};
enum { REGRET_POLICY_MIN_MATCHED = 10 }; /* [C] */

/* f[x] is what a surface made without the outcomes of these contexts says of the policy's agent, y[x] its outcome (NaN:
 * unobserved), p[x] > 0 the chance that it is observed, which may depend on all but outcomes (missing at random). With
 * w = 1{observed}/p, both are the ratios of Hájek, which p up to a factor will do for:
 *
 *   IPS = Σ w y / Σ w        DR = mean f + Σ w (y − f) / Σ w
 *
 * DR's variance is that of its influence function ψ_x = f_x − mean f + n w_x (y_x − f_x − c)/Σ w, c the correction, for
 * the mean over the population of contexts; m/(m − 1) times for m = (Σw)²/Σw² contexts in effect, and t has m − 1 degrees
 * of freedom. Cassel, Särndal and Wretman, "Some results on generalized difference estimation", Biometrika 63, 1976;
 * Robins, Rotnitzky and Zhao, JASA 89, 1994. 0 < level < 1. O(n). */
REGRET_API void regret_policy_value(struct regret_policy_value *out, const double *f,
                                    const double *y, const double *p, size_t n, double level);

/* Kish's effective number of n weights >= 0, (Σω)²/Σω²: n where all are alike, 1 where one is not 0, NaN where
 * none is ("Survey Sampling", 1965). */
REGRET_API double regret_effective_number(const double *weight, size_t n);

/* What values are of. Everything is borrowed. */
struct regret_value_problem {
    const double *prediction; /* [pairs] the surface of V_DM */
    const double *plug_in;    /* [pairs] the surface that DR corrects; NULL: `prediction` */
    const double *cross_fit;  /* [exp->n] f^(−k(i)); NULL without DR and SNDR */
    const struct regret_rows *exp;
    const uint32_t *agent, *context; /* [pairs] */
    const unsigned char *eval;       /* [pairs] 1: an evaluation pair */
    size_t pairs, n_agents, n_contexts;
    const double *weight; /* [n_contexts] ω of the target population; NULL: all alike */
    const double *share;  /* [pairs] as in struct regret_context_weights */
    /* The shares of the population's contexts that are evaluated, and that EXP draws from, both chosen at random;
     * 0: of a population without end. */
    double eval_share, exp_share;
    struct regret_exp_support support; /* of zeroes: every agent can be drawn everywhere */
    /* V_DM of the fits without each fold, and the fold of a row: what DM and DR share of EXP's noise is known from how
     * they differ. NULL: they share none. */
    const double *fold_value; /* [n_folds × n_agents] */
    const uint32_t *fold;     /* [exp->n] */
    size_t n_folds;
};

/* Bounds of an interval; NaN where there is none. */
struct regret_interval {
    double low, high;
};
struct regret_value_bootstrap {
    size_t replicates; /* B >= 2, say 2000 */
    double level;      /* .95 */
    uint64_t seed;
};
/* How a value is estimated: direct, doubly robust, self-normalised. */
enum regret_value_kind { REGRET_VALUE_DM, REGRET_VALUE_DR, REGRET_VALUE_SNDR, REGRET_N_VALUES };

/* Intervals of values and of their differences between agents (protocol §6), for the mean over the population of
 * contexts. The variance of the plug-in part is that of a bootstrap of evaluation contexts, n/(n − 1) times for n
 * contexts, less the share of the population that they are; that of the correction, independent of it, of a bootstrap of
 * contexts of EXP with all their rows, as far as EXP has not taken the population's contexts (exp_share), and of rows as
 * such so far as it has. Variances of corrections are drawn together over agents (src/value/moderate.c). t has the
 * degrees of freedom of the sum (Satterthwaite, "An approximate distribution of estimates of variance components",
 * Biometrics Bulletin 2, 1946). DM, and DR and SNDR of an agent without rows, are off by what their surface
 * misses: the intervals know how large that is from the corrections of all agents, and from `fold_value` what of it is
 * their own noise (src/value/miss.h), unless `cross_fit` is NULL: then DM's are for the mean of the surface itself. Fits stay as they are.
 * With weights the n above are effective numbers (regret_effective_number()), below 2 of which there is no
 * interval; a resample of contexts counts each with its weight.
 * The resamples are regret_bootstrap()'s: of evaluation contexts from the streams 0, 1, … of `seed`, of
 * EXP from 2^32, 2^32 + 1, …
 *
 * interval[kind * n_agents + a] of the values, and difference[(kind * n_agents + a) * n_agents + b] of
 * V(a) − V(b) (may be NULL). NaN where a value is (an agent without evaluation pairs; DR and SNDR when
 * `cross_fit` is NULL or holds a NaN, or EXP has no row of positive weight) and where a part rests on one
 * context, a correction's of every agent. REGRET_E_INPUT without evaluation contexts (of positive weight) or EXP rows. O(B (contexts + agents) · agents). */
REGRET_API int regret_value_intervals(struct regret_interval *interval,
                                      struct regret_interval *difference,
                                      const struct regret_value_problem *problem,
                                      const struct regret_value_bootstrap *options);

/* Half-widths of the same intervals in closed form, without resampling: half[kind * n_agents + a]. A
 * value is a sum of two ratios of sums over contexts, Σ S_x / Σ C_x: predictions over pairs on the
 * evaluation contexts, and residuals over rows on those of EXP (n_agents times the agent's residuals over
 * all rows for DR, the agent's own rows for SNDR). A ratio R of n contexts has, to first order, the variance
 *
 *   n/(n − 1) · Σ_x (S_x − R C_x)² / (Σ_x C_x)²,
 *
 * the sandwich estimate with contexts as clusters (of a correction as it is drawn together over agents), to which the bootstrap's tends for many resamples where
 * R is linear (DM on a complete grid) and to first order elsewhere. t, the degrees of freedom, NaN and
 * errors as above. 0 < level < 1. O(pairs + EXP rows + contexts · agents²). */
REGRET_API int regret_value_half_widths(double *half, const struct regret_value_problem *problem,
                                        double level);

#endif
