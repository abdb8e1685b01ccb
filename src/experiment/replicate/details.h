/* What the lists of the rows say (include/regret/results.h): recommendations by context, values by agent. */
#ifndef REGRET_EXPERIMENT_DETAILS_H
#define REGRET_EXPERIMENT_DETAILS_H

#include "experiment/measures/curves.h"
#include "experiment/measures/steps.h"
#include "results/row/row.h"

/* The estimates of a family, with their half-widths behind them. */
enum { N_ESTIMATES = 2 * REGRET_N_VALUES };

struct details {
    size_t n_contexts, n_agents; /* of the grid */
    size_t n_families, n_folds;
    struct row_baseline_list baselines;
    int values;              /* 1: DR and SNDR are there */
    int outputs_known;       /* of the feature set */
    double *weight;          /* [n_agents] reference contexts of the folds that have the agent */
    unsigned char *held_out; /* [n_contexts] 1: and of two observed agents at least */
    unsigned char *failed;   /* [n_families] 1: no lists of it, a fold has no fit */
    double *best;            /* [n_contexts] max_a mu, where held out */
    double *choice_all;      /* likewise, where pairs are unobserved; else NULL */
    double *choice, *loss;   /* [(n_families + baselines.n) × n_contexts] likewise */
    double *value;           /* [n_agents] Σ over folds of weight · V(a) */
    double *value_grid;      /* [n_agents] */
    double *estimate; /* [n_families × N_ESTIMATES × n_agents] Σ likewise; the half-widths are
                                  those of the first fold */
    double *context;  /* [n_contexts] numbers of those held out */
    size_t n_listed;  /* held-out contexts; 0 before details_finish() */
    struct curves curves;
};

/* Takes one fold; the first makes the arrays. A context is held out by one fold. */
int details_add(struct details *details, const struct replicate *replicate);
/* After the last: means in the place of sums, and by context what is held out alone, in order. */
void details_finish(struct details *details);
void details_clear(struct details *details); /* safe on a zeroed one */

/* Hands the lists of subject `i`, families first, then baselines, to its row; borrowed. None of a zeroed
 * structure. */
void details_lend(struct row *row, const struct details *details, size_t i);

#endif
