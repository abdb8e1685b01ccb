/* Whether an answer stands where agents are compared on the same requests, of a grid with pairs that nobody observed. */
#ifndef REGRET_REPORT_HOLES_H
#define REGRET_REPORT_HOLES_H

#include "regret/buffer.h"
#include "regret/results.h"

/* Agents by tag, or one for all: group k of the means is the tag, group 0 all. */
struct holes_choice {
    size_t group, agent;
    double share; /* of the requests */
};

/* 1: some pairs of the run were not observed, and its rows are no votes. */
int holes_are_there(const struct regret_results *r);
/* Why the n choices are not told to be good; nothing where they are. `m` NULL: not known. */
void holes_say(struct regret_buffer *why, const struct regret_run_grid *grid,
               const struct regret_run_means *m, const struct holes_choice *choice, size_t n);
/* How much better an agent is than the mean of all, and ± of 95 %. */
double holes_gain(double *half, const struct regret_run_means *m, size_t agent);

#endif
