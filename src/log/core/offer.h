/* Who was on offer: every comparison takes it from here. */
#ifndef REGRET_LOG_OFFER_H
#define REGRET_LOG_OFFER_H

#include "regret/log.h"

static inline size_t offer_words(const struct regret_log *log)
{
    return (log->n_agents + 63) / 64;
}

static inline int is_on(const struct regret_log *log, size_t offer, size_t agent)
{
    return (log->on_offer[offer * offer_words(log) + agent / 64] >> agent % 64 & 1) != 0;
}

/* 1 where an agent could be chosen in a row of a source. Two are compared on rows in which both could: of others nothing says what
 * the one would have been worth beside the other (common support; Crump, Hotz, Imbens and Mitnik, Biometrika 96, 2009, 187-199; of
 * agents that come later, concurrent controls: Dodd, Freidlin and Korn, New England J. Medicine 384, 2021, 1572-1573). */
static inline int was_on_offer(const struct regret_log *log, enum regret_log_source source,
                               size_t row, size_t agent)
{
    const uint32_t *offer = log->rows[source].offer;
    return offer == NULL || (agent < log->n_agents && is_on(log, offer[row], agent));
}

/* Values rest on the trial; without one on the log. */
static inline enum regret_log_source rows_of_values(const struct regret_log *log)
{
    return log->rows[REGRET_LOG_EXP].n > 0 ? REGRET_LOG_EXP : REGRET_LOG_OBS;
}

/* 1 where not every agent was on offer in all the rows that values rest on. */
static inline int some_were_absent(const struct regret_log *log)
{
    return log->rows[rows_of_values(log)].offer != NULL;
}

#endif
