/* Intervals and needs of a trial whose agents get given shares of its rows. */
#ifndef REGRET_EVALUATE_PLAN_WIDTHS_H
#define REGRET_EVALUATE_PLAN_WIDTHS_H

#include "evaluate/plan/pilot.h"

/* What decides the widths of an allocation, whatever n is: the agents whose intervals are the widest. */
struct widths {
    const struct pilot *pilot;
    const double *share; /* [n_agents] */
    const double *safe;  /* [n_agents] factors of variances */
    size_t reference;
    double level;
    /* n times the variances, and whose they are. */
    double value, difference, difference_safe;
    size_t value_agent, difference_agent;
};
struct widths widths_make(const struct pilot *p, const double *share, const double *safe,
                          size_t reference, double level);

struct regret_trial_width widths_at(const struct widths *w, size_t n);

/* The least n for which `width` is not above `target`, as far as 2^40; 0 where none is or nothing is wanted. */
typedef double width_of_rows(const void *context, size_t n);
size_t widths_needed(width_of_rows *width, const void *context, double target);
width_of_rows widths_simultaneous, widths_simultaneous_safe; /* the context is a struct widths */

/* The least difference of agent a and the reference that n rows find with power .8. */
struct widths_pair {
    const struct widths *w;
    size_t agent;
    const double *safe; /* factors, or NULL */
};
width_of_rows widths_detectable; /* the context is a struct widths_pair */

#endif
