/* What the parts of a fit hand to each other. */
#ifndef REGRET_VALUE_STRENGTH_H
#define REGRET_VALUE_STRENGTH_H

#include "regret/bradley_terry.h"
#include "stats/limits.h"

/* The votes that count, between agents numbered anew: 0 to m − 1, those that have votes. */
struct compared {
    struct regret_vote *vote; /* of prompts one after the other; owned */
    size_t n, m, n_clusters;
    uint32_t *agent;      /* [m] the number that each has among all; owned */
    double *votes, *wins; /* [m]; owned */
    double *centre;       /* [m] what a penalty draws θ to: 0 unless told; owned */
    /* Votes of the same two in the same order are one cell. θ of an agent shown first is raised by γ, which follows the θ as
     * number m, where some two agents met in both orders. */
    struct regret_vote *cell; /* owned, as cluster and tag are not meant */
    size_t n_cells;
    int position; /* 1: there is a γ */
};
static inline double strength_gap(const struct compared *c, const double *theta,
                                  const struct regret_vote *v)
{
    return theta[v->a] - theta[v->b] + (c->position ? v->first * theta[c->m] : 0.0);
}

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

/* The penalised log-likelihood at θ [m + position], its slope, and −(its second derivatives), lower triangle, with 11ᵀ/m added for
 * agents. The mean of θ has no part in the likelihood; with this the matrix is regular without a ridge, and where Σ v = 0
 * nothing changes. */
double strength_likelihood(const struct compared *c, const double *theta, double ridge);
void strength_slope(double *g, const struct compared *c, const double *theta, double ridge);
void strength_information(double *h, const struct compared *c, const double *theta, double ridge);

/* Newton's method from `theta`, which ends at the maximum; with a contrast [m + position], of sum 0 over agents, at the maximum where
 * the contrast is what it is at the start. `room` has (m + 1)(m + 5) numbers. */
int strength_maximise(double *theta, int *steps, const struct compared *c, double ridge,
                      const double *contrast, double *room);

/* What a likelihood says of one number: `value` of θ, a chance or a difference of two, between `least` and 1. */
struct profiled {
    const struct compared *c;
    const double *theta;   /* the maximum */
    const double *inverse; /* [dim × dim] of the information there */
    double ridge, top;     /* the likelihood */
    double *room;          /* (m + 1)(m + 8) numbers */
};
/* The ends of the value of agent a where twice the likelihood's fall is `critical`, along the contrast of θ by which it rises. a = m: of γ. */
int strength_profile(struct limits *out, struct profiled *p, size_t a, double critical);
/* Twice its fall where θ of a and b are equal, or γ (a = m, b SIZE_MAX) is 0. */
int strength_ratio(double *out, struct profiled *p, size_t a, size_t b);
/* By how much the value of a, less that of b unless b is SIZE_MAX, rises with every θ [m]. */
void strength_gradient(double *g, const double *theta, size_t m, size_t a, size_t b);

/* Fills what fit->agents have beside votes, θ and values, the lead, and the position effect. */
int strength_uncertainty(struct regret_bradley_terry *fit, const struct compared *c,
                         const double *theta, const struct regret_bradley_terry_options *options);

#endif
