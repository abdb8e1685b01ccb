/* Rows of some cells, and tables of them. */
#ifndef REPORT_SLICE_H
#define REPORT_SLICE_H

#include <stddef.h>

#include "regret/results.h"
#include "regret/task.h"

/* Some cells of a run, the means over them, and paired comparisons over seeds. */

struct slice {
    const struct regret_results *r; /* borrowed */
    size_t *cells;                  /* owned, ascending */
    size_t n_cells;
};

int slice_all(struct slice *out, const struct regret_results *r);
void slice_free(struct slice *s);

/* The value of the key, by number and as text, that the i-th (the first) of the cells has. */
size_t slice_value_at(const struct slice *s, size_t i, size_t key);
const char *slice_value(const struct slice *s, size_t key);

/* Equal means that were summed in another order differ in their last digits. Nearer than this they are equal, in every
 * rank, win and choice of the best of a report; regrets, errors and scores are of the order of 1. */
#define MEANS_TIE 1e-12
/* 1 when a is the lower and they are not equal; 0 where one is NaN. */
int mean_is_below(double a, double b);

/* Mean over the slice's cells of one seed; NaN unless every cell has the number. */
double seed_mean(const struct slice *s, enum regret_measure m, size_t subject, size_t seed);

/* The mean over cells of the cell means (cells without a number left out), and the standard error
 * over the n seeds that have every cell: the deviation of the seed means divided by the root of their number, NaN for
 * fewer than two. Cells of one seed share contexts and draws, so seeds, not cells, are the replicates. */
struct estimate {
    double mean, se;
    size_t n;
};
struct estimate slice_estimate(const struct slice *s, enum regret_measure m, size_t subject);

/* Paired differences over seeds, or of contexts: their mean, standard error and 95 % interval. */
struct paired {
    double mean, se, low, high;
    size_t n; /* pairs */
};
/* Without the interval, which is NaN, as is se of fewer than two. */
struct paired paired_moments(const double *differences, size_t n);
/* Of a bootstrap over seeds. */
enum { PAIRED_RESAMPLES = 2000 };

/* seed_mean of a minus seed_mean of b over the *n seeds that have both; `out` has room for all seeds. */
void slice_differences(double *out, size_t *n, const struct slice *s, enum regret_measure measure_a,
                       size_t a, enum regret_measure measure_b, size_t b);

/* The two-sided p-value, by Student's t on n − 1 degrees of freedom, that the true mean is `value`. NaN
 * without a standard error; where that is 0, 1 of an equal mean and 0 of another. */
double paired_p(const struct paired *p, double value);

/* Families by their regret. */
struct ranking {
    const struct regret_results *r;
    const size_t *families; /* n of them */
    size_t n;
};

/* Half of the 95 % interval by Student's t of a mean of n numbers; NaN of fewer than two. */
double half_width(double se, size_t n);

/* The run's cells, and its families by role. */

/* Of fewer seeds every table says that its intervals are too narrow, and no claim is decided by
 * them: percentile intervals over 5 seeds miss their mean about three times as often as the 5 %
 * they promise. */
enum { FEW_SEEDS = 10 };

struct table_data {
    const struct regret_results *r; /* borrowed */
    struct slice all;
    size_t *ranked; /* n_ranked families, those that are ranked against each other */
    size_t n_ranked;
};

int table_data_make(struct table_data *out, const struct regret_results *r);
void table_data_free(struct table_data *d);

/* 1 when family `f` of the run is ranked: all are but the variants of another, which are compared with
 * that one in a table of their own. */
int family_is_ranked(const struct regret_results *r, size_t f);

/* 1: the run is of votes, with baselines by strengths. */
int has_strengths(const struct regret_results *r);

/* The parameter of a reward map that the key is, or NULL. */
const struct regret_reward_parameter *reward_parameter(const char *key);

#endif
