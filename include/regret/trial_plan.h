/* Planning a trial from a log and a pilot (docs/guide.md; protocol, section 13b): how wide intervals
 * and how large a regret n assigned requests leave, how to divide them among agents and tags, and how often one may look. */
#ifndef REGRET_TRIAL_PLAN_H
#define REGRET_TRIAL_PLAN_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "regret/log.h"
#include "regret/status.h"

/* ---------------------------------------------------------------- looking early */

/* The half-width of an asymptotic confidence sequence of a mean after n independent units whose deviation is `sd`:
 * sd·sqrt((nρ² + 1)/(n²ρ²)·ln((nρ² + 1)/(1 − level)²)), of Robbins' normal mixture, with ρ such that it is narrowest at
 * `best` units (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic
 * confidence sequences", Annals of Statistics 52, 2024, theorem 2.2 and its appendix on tuning). All of them cover together
 * with probability `level`, in the limit of a late first look. NaN unless n > 0, best > 0, sd >= 0 and 0 < level < 1. */
REGRET_API double regret_anytime_half_width(double sd, double n, double level, double best);

/* ---------------------------------------------------------------- the plan */

/* How n rows are divided: alike; so that the variances of all differences to the incumbent sum to the least (Neyman 1934,
 * with the incumbent counting for every difference, as in Dunnett 1955); so that those of all values do; so that the
 * expected regret of recommending one agent after the trial is least; or that of one agent a tag. */
enum regret_trial_allocation {
    REGRET_TRIAL_UNIFORM,
    REGRET_TRIAL_NEYMAN_DIFFERENCES,
    REGRET_TRIAL_NEYMAN_VALUES,
    REGRET_TRIAL_INFORMATION,
    REGRET_TRIAL_INFORMATION_TAGS,
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
    double regret;     /* wanted expected regret; NaN: none */
    size_t looks;      /* equally spaced, the last at n; 0: none */
    int choose_tags;   /* 1: the tags of requests may be chosen, too; 0: they come as they come */
};
#define REGRET_TRIAL_PLAN_OPTIONS_INIT                                                             \
    {                                                                                              \
        .level = 0.95, .n = 1000, .incumbent = (size_t)-1, .half_width = NAN, .regret = NAN        \
    }
enum { REGRET_TRIAL_MAX_LOOKS = 100, REGRET_TRIAL_MAX_GRID = 64, REGRET_TRIAL_NONE_NEEDED = 1 };

/* What is known of an agent before the trial; outcomes are on [0,1]. */
struct regret_trial_agent {
    uint32_t agent;                             /* of the log */
    size_t rows;                                /* of the pilot */
    double mean, se;                            /* of the pilot, by clusters; NaN without rows */
    double deviation;                           /* of one outcome within tags */
    double safe;                                /* the upper end of its one-sided 80 % interval */
    double posterior_mean, posterior_deviation; /* under the normal prior fitted to all agents */
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
        anytime; /* simultaneous, if one may look at any time; narrowest at half of the plan's n, wider for few rows as Student's t */
    double
        detectable; /* the difference that is found with power .8 among all of them (Bonferroni), the largest */
    double
        regret; /* expected, of the agent with the best posterior mean after it (of INFORMATION_TAGS by tag) */
};

/* A look at the data before the end, at the best agent against the incumbent, by allocation NEYMAN_DIFFERENCES. */
struct regret_trial_look {
    size_t n;
    double fixed, anytime; /* half-widths of that one difference */
    double stopped,
        stopped_at_no; /* chance of having stopped by then, the difference being what it seems, and 0 */
};

/* What was asked for, NaN where nothing was. */
struct regret_trial_wanted {
    double half_width, regret;
};

struct regret_trial_plan {
    double level;
    size_t n, n_agents, n_tags, n_grid, n_looks;
    size_t incumbent,
        best; /* of `agent` below; best: greatest posterior mean besides the incumbent */
    size_t pilot_rows, pilot_clusters;
    double
        tail; /* rows of the pilot that say as little of a variance as one normal row, (kurtosis − 1)/2, at least 1 */
    struct regret_trial_agent *agent; /* [n_agents] */
    double *tag_share;                /* [n_tags] of requests; one tag where the log has none */
    /* [n_tags * n_agents], tag by tag: shares of the rows by allocation at the plan's n; they sum to 1. */
    double *share[REGRET_TRIAL_ALLOCATIONS];
    struct regret_trial_width
        *width[REGRET_TRIAL_ALLOCATIONS]; /* [n_grid] ascending, the plan's n among them */
    struct regret_trial_look *look;       /* [n_looks] */
    double prior_deviation;               /* of agents' values around their mean */
    double regret_now, regret_now_tags;   /* expected without any trial */
    struct regret_trial_wanted wanted;
    /* Rows that are needed by allocation; 0: more than 2^40, or nothing is wanted. REGRET_TRIAL_NONE_NEEDED: the regret is
     * expected without a trial. */
    size_t for_width[REGRET_TRIAL_ALLOCATIONS], for_width_safe[REGRET_TRIAL_ALLOCATIONS];
    size_t for_regret[REGRET_TRIAL_ALLOCATIONS];
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
