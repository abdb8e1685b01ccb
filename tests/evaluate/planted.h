/* Logs and trials with a known truth. */
#ifndef TESTS_EVALUATE_PLANTED_H
#define TESTS_EVALUATE_PLANTED_H

#include "regret/evaluate.h"

enum { PLANTED_MOST_AGENTS = 16, PLANTED_MOST_TAGS = 8 };

/* A request has a tag, words that tell it, and a user of one of two kinds whom no column tells. A user of the happy kind is pleased by
 * `hidden` more than one of the other, whoever answers; in OBS, with probability `confounding`, happy users ask agent
 * `favourite` and others do not. */
struct planted {
    size_t n_obs, n_exp, agents, tags; /* tags 0: none */
    size_t per_cluster; /* requests of one user: 1, or more, which share the user and the cluster */
    int is_binary, without_text, gives_obs_propensities;
    double effect[PLANTED_MOST_AGENTS]; /* of agents */
    double tag_effect[PLANTED_MOST_TAGS][PLANTED_MOST_AGENTS];
    double probability[PLANTED_MOST_AGENTS]; /* of EXP; all 0: uniform. 0: never drawn */
    double hidden, confounding;
    size_t favourite;
    uint64_t seed;
};
struct regret_log *planted_log(const struct planted *p);
/* V(a); and the mean of the best by tag. */
double planted_value(const struct planted *p, size_t agent);
double planted_best_by_tag(const struct planted *p);

#endif
