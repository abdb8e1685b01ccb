/* Can a log and a trial be trusted (docs/guide.md; the tests: docs/protocol.md)? Questions that the data themselves can answer, each with a verdict,
 * its numbers and a sentence; asked of struct regret_log alone, before anything is estimated. */
#ifndef REGRET_DIAGNOSE_H
#define REGRET_DIAGNOSE_H

#include <stddef.h>
#include <stdint.h>

#include "regret/log.h"
#include "regret/status.h"

/* In order of weight: an evaluation tells those that say no first. */
enum regret_diagnostic_verdict {
    REGRET_DIAGNOSTIC_FINE,    /* nothing speaks against it */
    REGRET_DIAGNOSTIC_CAUTION, /* read on before relying on it */
    REGRET_DIAGNOSTIC_NO,      /* what rests on it does not hold */
    REGRET_DIAGNOSTIC_VERDICTS
};
REGRET_API const char *
regret_diagnostic_verdict_name(enum regret_diagnostic_verdict verdict); /* "caution" */

/* One question and its answer. */
struct regret_diagnostic {
    const char *name; /* "gap", "balance.tag": a stable word for machines; static */
    const char *what; /* what `value` is: "largest difference of means, OBS - EXP"; static */
    enum regret_diagnostic_verdict verdict;
    double
        value; /* in the unit that `what` tells, of outcomes as they were given; NaN where there is none */
    double low, high; /* an interval of it at the level asked for; NaN where there is none */
    double p; /* of a test, adjusted by Holm for all tests of the set; NaN of what is no test */
    char *
        sentence; /* what was found, with its numbers, and the remedy where there is something to do */
};

/* The answers, the gravest first, within a verdict in order of the questions. */
struct regret_diagnostics {
    size_t n;
    struct regret_diagnostic *entry; /* [n] */
};

struct regret_diagnose_options {
    double level;     /* of intervals: .95 */
    uint64_t seed;    /* of permutations, draws and subsamples: 1 */
    size_t resamples; /* permutations of a test, and draws of a maximum: 2000 */
    size_t threads;   /* 0 is one; the same bits whatever their number */
};
#define REGRET_DIAGNOSE_OPTIONS_INIT                                                               \
    {                                                                                              \
        0.95, 1, 2000, 1                                                                           \
    }

/* Asks everything that can be asked of `log`; a question that its columns leave no room for has no entry. Tests are held
 * against .01 for "no" and .05 for "caution" after Holm's adjustment over all of them, so that a clean log is told "no" once in
 * a hundred times at most, whatever the number of tests. O(rows) time and memory; permutations and words take
 * a subsample by `seed` of a trial that is large, and say so. REGRET_E_INPUT for a level outside of (0,1), fewer than 100
 * resamples, or a log without rows. */
REGRET_API int regret_diagnose(struct regret_diagnostics **out, const struct regret_log *log,
                               const struct regret_diagnose_options *options);
REGRET_API void regret_diagnostics_free(struct regret_diagnostics *diagnostics); /* NULL is fine */

/* By how much the log's mean of an agent is off, on all rows or on those of a tag. */
struct regret_log_gap {
    size_t agent;
    size_t tag;                          /* n_tags of the log: all rows of the agent */
    size_t rows[REGRET_LOG_SOURCES];     /* of the agent (and tag) */
    size_t clusters[REGRET_LOG_SOURCES]; /* that hold them */
    double
        mean[REGRET_LOG_SOURCES]; /* OBS plainly; EXP weighted by 1/propensity; NaN without rows */
    double difference;            /* OBS - EXP */
    /* Of the difference, by clusters; NaN with fewer than two of either source, and where outcomes never differ. */
    double error, df;
    double low, high; /* of the difference alone */
    /* Of all agents at once; of cells by tag, of all agents and tags at once. */
    double simultaneous_low, simultaneous_high;
    double p; /* that no difference is: adjusted for all agents, or for all agents and tags */
    /* The same with OBS rows weighted by 1/propensity where they have one, and each tag as frequent as among the agent's
     * EXP rows where there are tags; NaN of cells by tag, and where there is neither. */
    double adjusted, adjusted_error, adjusted_low, adjusted_high, adjusted_p;
    double
        covered; /* share of the agent's EXP weight on tags that OBS has of it, on which `adjusted` is */
};

/* Of all agents, in their order, then of agents and tags, agent by agent. */
struct regret_log_gaps {
    size_t n;
    struct regret_log_gap *gap; /* [n]; the first n_agents of the log are of all rows */
    double p;                   /* that OBS and EXP have the same mean of every agent */
    double adjusted_p; /* the same after adjusting; NaN where nothing can be adjusted for */
    double tag_p;      /* the same of every agent and tag; NaN without tags */
};

/* The table of gaps. Every mean is a ratio; its variance is the jackknife's over clusters, not below that of as many
 * independent rows with the outcome's variance in OBS and EXP together (few rows may all be alike); clusters in both sources
 * count as such; degrees of freedom are Satterthwaite's. Bounds for all at once are the Gaussian multiplier bootstrap's of the
 * largest |t| (Chernozhukov, Chetverikov and Kato, Annals of Statistics 41, 2013, 2786-2819), drawn from the covariance over
 * clusters; with more than 256 cells Šidák's, which hold whatever the covariance. Tags are left out where there are more than
 * 2^16 cells. The table has no rows where OBS or EXP has none. O(rows + cells). */
REGRET_API int regret_log_gaps(struct regret_log_gaps **out, const struct regret_log *log,
                               const struct regret_diagnose_options *options);
REGRET_API void regret_log_gaps_free(struct regret_log_gaps *gaps); /* NULL is fine */

#endif
