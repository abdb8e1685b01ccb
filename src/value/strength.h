/* Strengths of agents from votes. */
#ifndef VALUE_STRENGTH_H
#define VALUE_STRENGTH_H

#include <stddef.h>
#include <stdint.h>

#include "pool/votes.h"
#include "regret/buffer.h"
#include "stats/limits.h"

/* Strengths of agents from votes between two of them. */

struct regret_bradley_terry_options {
    double ridge;  /* λ >= 0; [C] */
    double level;  /* of the intervals, in (0,1) */
    uint32_t kind; /* the votes of this tag alone; REGRET_VOTES_ALL: every vote */
};
#define REGRET_VOTES_ALL UINT32_MAX
#define REGRET_BRADLEY_TERRY_OPTIONS_INIT                                                          \
    {                                                                                              \
        0.01, 0.95, REGRET_VOTES_ALL                                                               \
    }

struct regret_strength {
    double votes,
        wins; /* that the agent took part in, and won, ties as halves; 0 votes: all below are NaN */
    double beta, se; /* θ, and the standard error of it */
    /* The chance to win from another agent, drawn uniformly; its standard error, its interval. */
    double value, value_se, low, high;
    size_t rank_high,
        rank_low; /* the best and the worst rank (from 1) that the data leave; 0 without votes */
};

struct regret_bradley_terry {
    struct regret_strength *agents; /* [n_agents]; owned */
    size_t n_agents;
    size_t n_clusters;    /* prompts */
    double votes;         /* in all */
    size_t first, second; /* of the largest values, equals by number; n_agents: none */
    double lead, lead_se, lead_low, lead_high,
        lead_p; /* of the first's value over the second's, and that it is 0; NaN where there is none */
    /* log odds that being shown first adds, with its interval; NaN where nobody knows who was, or no two
     * agents met in both orders. moved [n_agents]: by how much it moves the share an agent has won; owned */
    double position, position_low, position_high, position_p; /* that it is 0 */
    double known_order; /* votes of which it is known who was shown first */
    double *moved;
};

/* The model of Bradley and Terry (Biometrika 39, 1952, 324-345): a wins against b with probability
 * 1/(1 + e^−(θ_a − θ_b)). The θ maximise
 *
 *     Σ n [s log p_ab + (1 − s) log p_ba] − λ/2 Σ θ²,
 *
 * over comparisons of n votes of which the share s is a's; a tie is half a win of each. Their mean is 0. The value of an agent
 * is the mean over the other agents with votes, b, of p_ab: as if each were met as often.
 * Newton's method; without a penalty it has the fixed point of the MM algorithm (Hunter, Annals of Statistics 32, 2004,
 * 384-406, doi:10.1214/aos/1079120141). λ is small: it keeps an agent finite that has won all of its votes, or none
 * (a prior of standard deviation 1/√λ = 10 on θ).
 *
 * Where votes say who was shown first, and some two agents met in both orders, the odds of that one are e^γ times as large; γ has no
 * penalty, and values are without it.
 *
 * Intervals and ranks are of the likelihood (Venzon and Moolgavkar, Applied Statistics 37, 1988, 87-94): an end of a value is
 * where twice its fall along the contrast of θ by which the value rises is z², and agents are told apart where that of equal
 * θ is more. Of G prompts with several votes z² becomes t² max(1, φ), φ the larger of the median over agents and the contrast's own ratio
 * of the sandwich by prompts, H⁻¹ M H⁻¹ times G/(G − 1), to H⁻¹ (Rao and Scott 1984) [C]. Standard errors are of the larger of both;
 * of values and of the lead, whose ends are of those of both values (Zou and
 * Donner, Statistics in Medicine 27, 2008), no less than the interval's longer side over z. A rank is left open between 1 + the number of agents that are
 * told to be better, and the number of agents less those told to be worse.
 *
 * `names` [n_agents] name agents in messages. REGRET_E_INPUT: no votes; the agents fall into parts that no vote joins
 * (the message names them); without a ridge, agents that have no θ. O(n log n + steps · m³) for m agents with votes. */
int regret_bradley_terry_fit(struct regret_bradley_terry **out, const struct regret_votes *votes,
                             const char *const *names,
                             const struct regret_bradley_terry_options *options);
void regret_bradley_terry_free(struct regret_bradley_terry *fit); /* NULL is fine */

/* What the parts of a fit hand to each other. */

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

/* θ [n_agents] alone, of the votes of options->kind, by a ridge above 0 towards `centre` [n_agents]; NULL: towards 0. Parts that
 * no vote joins stay, each about the mean of its centre. An agent without votes is at its centre, and NaN without one. */
int strength_drawn_to(double *theta, const struct regret_votes *votes, const double *centre,
                      const struct regret_bradley_terry_options *options);

/* The probability that a vote's first agent wins. */
double strength_win(double theta);
/* The mean of it over the other agents of the n whose θ is known; NaN of one whose θ is not, ½ of one alone. */
double strength_value(const double *theta, size_t n, size_t agent);

/* Newton's method from `theta`, which ends at the maximum; with a contrast [m + position], of sum 0 over agents, at the maximum where
 * the contrast is what it is at the start. `room` has (m + 1)(m + 5) numbers. */
int strength_maximise(double *theta, const struct compared *c, double ridge, const double *contrast,
                      double *room);

/* What a likelihood says of one number: `value` of θ, a chance or a difference of two, between `least` and 1. */
struct profiled {
    const struct compared *c;
    const double *theta;   /* the maximum */
    const double *inverse; /* [dim × dim] of the information there */
    double ridge, top;     /* the likelihood */
    double *room;          /* (m + 1)(m + 8) numbers */
};

/* Fills what fit->agents have beside votes, θ and values, the lead, and the position effect. */
int strength_uncertainty(struct regret_bradley_terry *fit, const struct compared *c,
                         const double *theta, const struct regret_bradley_terry_options *options);

/* Agents in parts that no comparison joins, and chains of wins between them. */

/* part[i] = i, of n agents; then a call for every two that something compares; then part[i] is the lowest agent of i's part, and
 * returned is how many there are. */
void parts_begin(uint32_t *part, size_t n);
void parts_join(uint32_t *part, uint32_t a, uint32_t b);
size_t parts_end(uint32_t *part, size_t n);

/* Sets won[a · n + b], the numbers by which chains are followed, of votes: a has won from b, or tied, at least once. */
void chains_mark(unsigned char *won, size_t n, const struct regret_vote *vote, size_t n_votes);

/* Whom chains of wins lead to from agent `from` or, backwards, from whom they lead to it: marks them in seen[n], and returns how many.
 * queue: scratch [n]. O(n²). */
size_t chains_reach(unsigned char *seen, uint32_t *queue, const unsigned char *won, size_t n,
                    size_t from, int backwards);

/* *joined: whether chains of wins lead from every agent to every other; if not, *outside (NULL: not asked) is the first whom those
 * from agent 0, or to it, leave out. */
int chains_join(int *joined, uint32_t *outside, const unsigned char *won, size_t n);

/* *pairs: how many pairs of agents no chain of wins joins, either way; such a pair, if there is one. O(n³). */
int chains_apart(size_t *pairs, size_t pair[2], const unsigned char *won, size_t n);

/* Appends "{a, b, …}, {c}", of more than a few parts, or agents of one, only that there are others. */
void parts_name(struct regret_buffer *out, const uint32_t *part, size_t n,
                const char *const *names);

#endif
