/* What the sources of this folder share. */
#ifndef VALUE_INTERNAL_H
#define VALUE_INTERNAL_H

#include <stddef.h>

#include "regret/evaluate.h"

/* ---- gathered.c: rows gathered for values, and their moderated variances. ---- */

/* The two surfaces whose means are wanted, and the two corrections. */
enum { PART_DM, PART_PLUG_IN, N_SURFACES };
enum { PART_DR, PART_SNDR, N_CORRECTIONS };

/* Sums by (context, agent), gathered once; every one holds its context's weight as a factor. */
struct gathered {
    const struct regret_value_problem *p;
    size_t n_eval;           /* evaluation contexts */
    double *sum[N_SURFACES]; /* [n_eval × n_agents] predictions */
    double *count;           /* [n_eval × n_agents] evaluation pairs */
    size_t n_exp;            /* contexts with EXP rows */
    double *residual, *rows; /* [n_exp × n_agents] Σ Y − f^(−k), and rows */
    double eval_contexts,
        exp_contexts; /* how many these are in effect: the same unless weights differ */
    double *clusters; /* [n_agents] in effect, contexts with EXP rows of the agent */
    double *squares, *products, *weights; /* [n_exp × n_agents] Σ w² r², Σ w² r, Σ w² */
    double *scratch;                      /* [n_agents] */
    double undefined;                     /* NaN where an out-of-fold prediction is; else 0 */
};

/* Of g->p, in a structure that holds nothing else yet. REGRET_E_INPUT without evaluation contexts or EXP
 * rows. What was gathered until a failure is to be cleared, too. */
int gathered_fill(struct gathered *g);
void gathered_clear(struct gathered *g);

/* Of an EXP row of the pair. */
double gathered_row_weight(const struct regret_value_problem *p, size_t pair);

/* What DR multiplies the residuals of agent a by: n_agents, and where pairs are unobserved p̄/p_a. */
double gathered_scale(const struct gathered *g, size_t a);

/* Of n numbers, each `stride` behind the one before. */
double gathered_sum(const double *x, size_t stride, size_t n);

/* For the value of an agent itself, in the place of one that it is less. */
#define NO_AGENT SIZE_MAX

/* 1: a or b has no rows, so that nothing corrects its surface. */
int gathered_lacks_rows(const struct gathered *g, size_t a, size_t b);

/* The variance of the correction of a, less that of b (NO_AGENT: of a alone), were rows independent of each other. */
double gathered_by_rows(const struct gathered *g, size_t correction, size_t a, size_t b);
/* The variance of it as EXP samples, in two stages: a share f of the population's contexts, then rows on these,
 * independently. Contexts as clusters see it as if f were 0, rows as if the contexts were the population:
 * (1 − f) V_clusters + f V_rows (Cochran, "Sampling Techniques", 3rd ed. 1977, chapter 10). */
double gathered_correction(const struct gathered *g, size_t correction, size_t a, size_t b,
                           double by_clusters);

/* The variances of the corrections of the agents one by one, as EXP samples, before and after moderation (gathered.c),
 * and the degrees of freedom of what is moderated: [N_CORRECTIONS × n_agents], correction by correction. No own variance
 * (0) where an agent's rows are on fewer than two contexts; no degree of freedom where nobody's are. */
struct moderated {
    double *own, *variance, *df;
};
int moderated_fill(struct moderated *out, const struct gathered *g);
void moderated_clear(struct moderated *m);

/* The surface of a value among the parts, and its correction (of DR and SNDR). */
size_t surface_of(size_t kind);
size_t correction_of(size_t kind);

/* The variances of the parts of a value, and what each rests on: contexts, contexts, agents. No correction where
 * `clusters` is 0. What the surface misses is `bias`, give or take the variance `miss`. */
struct value_variance {
    double surface, contexts, correction, clusters, bias, miss, agents;
};
/* The moderated variance of the correction of a, less that of b (or NO_AGENT), as if agents' were independent; of those
 * without rows nothing. Returns what it was before, NaN where one of them has none of its own. */
double moderated_add(struct value_variance *v, const struct moderated *m, const struct gathered *g,
                     size_t correction, size_t a, size_t b);
/* A level and the quantile that was last wanted of it: that of DM is the same for every agent. */
struct value_level {
    double level, df, t;
};
/* The half-width of the interval about the value as it is. Without a bias t · se, se² the sum of the variances, with
 * its degrees of freedom by Satterthwaite; with one, se times the quantile of |t + bias/se| (Armstrong and Kolesár,
 * "Optimal inference in a class of regression models", Econometrica 86, 2018: their normal law is a t here). */
double value_half_width(const struct value_variance *variance, struct value_level *level);

/* ---- measure.c: what surfaces miss. ---- */

/* Over the contexts that EXP draws from: the variance `by_rows` that rows give b's estimates on average, the share
 * `rho` of their noise that DM has too, being fitted to the same rows, and the mean square `apart` of what else b is, so
 * that E b² = apart + rho² by_rows. From there to the population, what these contexts differ by: it is in no estimate,
 * and adds to all. */
struct miss_law {
    double apart, rho, by_rows, between;
};
struct surface_miss {
    double
        *b; /* [n_agents] V_DM(a) − V_DR(a), unbiased; NULL: nothing is known, nothing is missed */
    struct miss_law of_value;      /* over agents */
    struct miss_law of_difference; /* b(a) − b(b), over pairs of agents */
};
/* Nothing is known without out-of-fold predictions; NaN where these are undefined or rest on one context. What was
 * made until a failure is to be cleared, too. */
int surface_miss_fill(struct surface_miss *out, const struct gathered *g);
void surface_miss_clear(struct surface_miss *miss);

/* What value `kind` of a, less that of b (or NO_AGENT), misses: into the variance. Nothing where it is corrected. */
void surface_miss_add(struct value_variance *v, const struct surface_miss *miss,
                      const struct gathered *g, size_t kind, size_t a, size_t b);

#endif
