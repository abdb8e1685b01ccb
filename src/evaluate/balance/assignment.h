/* How EXP was assigned, as far as its probabilities tell. */
#ifndef REGRET_EVALUATE_BALANCE_ASSIGNMENT_H
#define REGRET_EVALUATE_BALANCE_ASSIGNMENT_H

#include <stddef.h>
#include <stdint.h>

#include "evaluate/clusters/clusters.h"
#include "regret/log.h"

enum assignment_kind {
    ASSIGNMENT_ALIKE,    /* an agent has one probability: labels of all units may be exchanged */
    ASSIGNMENT_BY_TAG,   /* one a tag: labels may be exchanged within tags, … */
    ASSIGNMENT_BY_SLATE, /* … or slates */
    ASSIGNMENT_BY_ROW /* probabilities of the agents that were not assigned are unknown: nothing may be */
};

/* Units are what was assigned as one: rows, or clusters where every row of one has the same agent. */
struct assignment {
    enum assignment_kind kind;
    int by_cluster;
    size_t n_rows, n_units;
    uint32_t *unit;    /* [n_rows] ASSIGNMENT_NONE of a row that is not in a sample */
    uint32_t *rows;    /* [n_units] rows of a unit */
    uint32_t *first;   /* [n_units] its first row */
    uint32_t *label;   /* [n_units] below n_labels */
    uint32_t *stratum; /* [n_units] below n_strata */
    size_t n_labels, n_strata;
    uint32_t *agent;     /* [n_labels] */
    double *probability; /* [n_labels] of ASSIGNMENT_ALIKE; of the first row seen otherwise */
};
#define ASSIGNMENT_NONE UINT32_MAX

/* Probabilities are alike that differ by no more than 1e-6 of themselves. O(rows). */
int assignment_build(struct assignment *out, const struct regret_log *log,
                     const struct cluster_order *order);
/* The same of at most `most` units, chosen by the seed. */
int assignment_sample(struct assignment *out, const struct assignment *d, size_t most,
                      uint64_t seed);
void assignment_free(struct assignment *d);

#endif
