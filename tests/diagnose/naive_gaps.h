/* Gaps between log and trial, computed anew for every cluster that is left out. */
#ifndef REGRET_TESTS_NAIVE_GAPS_H
#define REGRET_TESTS_NAIVE_GAPS_H

#include "regret/evaluate.h"

struct naive_gap {
    double mean[2], difference, error, df;
};

/* Of an agent, on a tag or (n_tags) on all rows. O(clusters · rows). */
struct naive_gap naive_gap(const struct regret_log *log, size_t agent, size_t tag);
/* After adjusting for tags and propensities: value, error. */
struct naive_gap naive_adjusted(const struct regret_log *log, size_t agent);

#endif
