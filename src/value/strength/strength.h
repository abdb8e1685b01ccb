/* What the parts of a fit hand to each other. */
#ifndef REGRET_VALUE_STRENGTH_H
#define REGRET_VALUE_STRENGTH_H

#include "regret/bradley_terry.h"

/* The votes that count, between agents numbered anew: 0 to m − 1, those that have votes. */
struct compared {
    struct regret_vote *vote; /* of prompts one after the other; owned */
    size_t n, m, n_clusters;
    uint32_t *agent;      /* [m] the number that each has among all; owned */
    double *votes, *wins; /* [m]; owned */
    double *centre;       /* [m] what a penalty draws θ to: 0 unless told; owned */
};

/* Chooses the votes of options->kind. REGRET_E_INPUT: there are none, or their agents fall into parts; without a ridge
 * also where a group of them has won all, or lost all, against the others. `names` NULL: nothing is asked of
 * them. Free even on failure. */
int compared_make(struct compared *out, const struct regret_votes *votes, const char *const *names,
                  const struct regret_bradley_terry_options *options);
void compared_free(struct compared *c);

/* θ [n_agents] alone, of the votes of options->kind, by a ridge above 0 towards `centre` [n_agents]; NULL: towards 0. Parts that
 * no vote joins stay, each about the mean of its centre. An agent without votes is at its centre, and NaN without one. */
int strength_drawn_to(double *theta, const struct regret_votes *votes, const double *centre,
                      const struct regret_bradley_terry_options *options);

/* The probability that a vote's first agent wins. */
double strength_win(double theta);
/* The mean of it over the other agents of the n whose θ is known; NaN of one whose θ is not, ½ of one alone. */
double strength_value(const double *theta, size_t n, size_t agent);

/* −(the second derivatives) of the penalised likelihood at θ [m], lower triangle, with `mean` · 11ᵀ/m added. The mean of θ
 * has no part in the likelihood; with this the matrix is regular without a ridge, and where Σ v = 0 nothing changes. */
void strength_information(double *h, const struct compared *c, const double *theta, double ridge,
                          double mean);

/* Fills what fit->agents have beside votes, θ and values, and the lead. */
int strength_uncertainty(struct regret_bradley_terry *fit, const struct compared *c,
                         const double *theta, const struct regret_bradley_terry_options *options);

#endif
