/* Planning a trial from a log and a pilot (docs/guide.md; protocol, section 13b): how wide intervals n assigned requests
 * leave, how many find a difference, and how to divide them among agents. */
#ifndef REGRET_TRIAL_PLAN_H
#define REGRET_TRIAL_PLAN_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "regret/log.h"
#include "regret/status.h"

/* How n rows are divided among agents, each of whom gets requests of every tag as they come: alike; so that the variances of
 * all differences to the incumbent sum to the least (Neyman 1934, with the incumbent counting for every difference, as in
 * Dunnett 1955); so that those of all values do. */
enum regret_trial_allocation {
    REGRET_TRIAL_UNIFORM,
    REGRET_TRIAL_NEYMAN_DIFFERENCES,
    REGRET_TRIAL_NEYMAN_VALUES,
    REGRET_TRIAL_ALLOCATIONS
};
REGRET_API const char *regret_trial_allocation_name(enum regret_trial_allocation allocation);

/* Where an agent's deviation comes from. */
enum regret_trial_basis {
    REGRET_TRIAL_FROM_PILOT,
    REGRET_TRIAL_FROM_OTHERS, /* other agents of the pilot: it has fewer than two rows itself */
    REGRET_TRIAL_FROM_LOG,    /* OBS, there being no pilot */
    REGRET_TRIAL_WORST        /* 1/2, the largest there is on [0,1] */
};
REGRET_API const char *regret_trial_basis_name(enum regret_trial_basis basis);

struct regret_trial_plan_options {
    double level;       /* of intervals */
    size_t n;           /* rows of the planned trial */
    const size_t *grid; /* [n_grid] other numbers of rows to tell of; NULL: 100, 200, …, 12800 */
    size_t n_grid;
    const uint32_t *
        agent; /* [n_agents] of the log, each once: who takes part; NULL: all that are not withdrawn */
    size_t n_agents;
    size_t
        incumbent; /* of the log; (size_t)-1: the log's, else the most frequent in OBS, else in EXP */
    double half_width; /* wanted of every difference to the incumbent, simultaneously; NaN: none */
};
#define REGRET_TRIAL_PLAN_OPTIONS_INIT                                                             \
    {                                                                                              \
        .level = 0.95, .n = 1000, .incumbent = (size_t)-1, .half_width = NAN                       \
    }
enum { REGRET_TRIAL_MAX_GRID = 64 };

/* What is known of an agent before the trial; outcomes are on [0,1]. */
struct regret_trial_agent {
    uint32_t agent;        /* of the log */
    size_t rows;           /* of the pilot */
    double mean, se;       /* of the pilot, by clusters; NaN without rows */
    double deviation;      /* of one outcome within tags */
    double safe;           /* the upper end of its one-sided 80 % interval */
    double posterior_mean; /* under the normal prior fitted to all agents */
    enum regret_trial_basis basis;
};

/* What n rows of a trial, analysed without the pilot, leave by an allocation. */
struct regret_trial_width {
    size_t n;
    double value;        /* half-width of an agent's value, the largest over agents */
    double difference;   /* of a difference to the incumbent, the largest */
    double simultaneous; /* the same of all differences together */
    double safe;         /* simultaneous, with deviations at their safe side */
    double
        detectable; /* the difference that is found with power .8 among all of them (Bonferroni), the largest */
};

struct regret_trial_plan {
    double level;
    size_t n, n_agents, n_grid;
    size_t incumbent,
        best; /* of `agent` below; best: greatest posterior mean besides the incumbent */
    size_t pilot_rows, pilot_clusters;
    double
        tail; /* rows of the pilot that say as little of a variance as one normal row, (kurtosis − 1)/2, at least 1 */
    struct regret_trial_agent *agent; /* [n_agents] */
    /* [n_agents] shares of the rows by allocation; they sum to 1. */
    double *share[REGRET_TRIAL_ALLOCATIONS];
    struct regret_trial_width
        *width[REGRET_TRIAL_ALLOCATIONS]; /* [n_grid] ascending, the plan's n among them */
    double half_width;                    /* that was asked for; NaN: none */
    /* Rows that are needed by allocation; 0: more than 2^40, or nothing is wanted. */
    size_t for_width[REGRET_TRIAL_ALLOCATIONS], for_width_safe[REGRET_TRIAL_ALLOCATIONS];
    /* To find the difference of best and incumbent as it seems, with power .8 among all of them, as `evaluate` asks (Bonferroni). */
    size_t for_best[REGRET_TRIAL_ALLOCATIONS], for_best_safe[REGRET_TRIAL_ALLOCATIONS];
};

/* Plans. REGRET_E_INPUT: fewer than two agents, an agent that there is not or twice, an incumbent that does not take
 * part, no rows, a level outside of (0,1). A log without EXP is planned from OBS, and one without rows at all from the
 * worst case; `basis` says so. */
REGRET_API int regret_trial_plan(struct regret_trial_plan **out, const struct regret_log *log,
                                 const struct regret_trial_plan_options *options);
REGRET_API void regret_trial_plan_free(struct regret_trial_plan *plan); /* NULL is fine */

#endif
