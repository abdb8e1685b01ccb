/* Strengths of agents from votes between two of them. */
#ifndef REGRET_BRADLEY_TERRY_H
#define REGRET_BRADLEY_TERRY_H

#include "regret/votes.h"

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
    size_t n_agents, n_compared;    /* all, and those with votes */
    size_t n_clusters;              /* prompts */
    double votes;                   /* in all */
    size_t first, second;           /* of the largest values, equals by number; n_agents: none */
    double lead, lead_se, lead_low, lead_high,
        lead_p; /* of the first's value over the second's, and that it is 0; NaN where there is none */
    /* log odds that being shown first adds, with its standard error and interval; NaN where nobody knows who was, or no two
     * agents met in both orders. moved [n_agents]: by how much it moves the share an agent has won; owned */
    double position, position_se, position_low, position_high, position_p; /* that it is 0 */
    double known_order; /* votes of which it is known who was shown first */
    double *moved;
    int steps; /* of Newton's method */
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
REGRET_API int regret_bradley_terry_fit(struct regret_bradley_terry **out,
                                        const struct regret_votes *votes, const char *const *names,
                                        const struct regret_bradley_terry_options *options);
REGRET_API void regret_bradley_terry_free(struct regret_bradley_terry *fit); /* NULL is fine */

#endif
