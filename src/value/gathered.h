/* What intervals of values rest on: sums by context and agent, and how the variances of the parts of a
 * value make its interval. By resampling (intervals.c) or in closed form (half_widths.c). */
#ifndef REGRET_VALUE_GATHERED_H
#define REGRET_VALUE_GATHERED_H

#include "regret/value.h"

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
    double *scratch;  /* [n_agents] */
    double undefined; /* NaN where an out-of-fold prediction is; else 0 */
};

/* Of g->p, in a structure that holds nothing else yet. REGRET_E_INPUT without evaluation contexts or EXP
 * rows. What was gathered until a failure is to be cleared, too. */
int gathered_fill(struct gathered *g);
void gathered_clear(struct gathered *g);

/* For the value of an agent itself, in the place of one that it is less. */
#define NO_AGENT SIZE_MAX

/* Contexts that the correction of a, less that of b, rests on: those of the one with fewer, but an
 * agent without rows has no correction, and no variance of it. */
double gathered_clusters(const struct gathered *g, size_t correction, size_t a, size_t b);

/* The surface of a value among the parts, and its correction (of DR and SNDR). */
size_t surface_of(size_t kind);
size_t correction_of(size_t kind);

/* The variances of the two independent parts of a value, and the contexts that each rests on; no
 * correction where `clusters` is 0. */
struct value_variance {
    double surface, contexts, correction, clusters;
};
/* A level and the quantile that was last wanted of it: that of DM is the same for every agent. */
struct value_level {
    double level, df, t;
};
/* t · se of them, with the degrees of freedom of the two by Satterthwaite. */
double value_half_width(const struct value_variance *variance, struct value_level *level);

#endif
