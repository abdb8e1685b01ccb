/* A log in memory. */
#ifndef LOG_LOG_H
#define LOG_LOG_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "regret/evaluate.h"

/* Hashes of what there may be as many of as rows, in the order they were first met: 8 bytes each, and 5 to 11 of a table. Two ids of 10 million have one hash by
 * chance in one log of 400,000: they would then be one context. */
struct log_keys {
    uint64_t *hash; /* owned */
    uint32_t *slot; /* owned; index + 1, 0: free */
    size_t n, capacity, n_slots;
};

/* The number of a hash, a new one where it is new. */
int log_keys_put(uint32_t *out, struct log_keys *keys, uint64_t hash);
/* UINT32_MAX where it is not there. */
uint32_t log_keys_find(const struct log_keys *keys, uint64_t hash);
void log_keys_free(struct log_keys *keys);

/* Outcomes: on the scale that they were given on, and whether they differ. */

/* 1 where rows have one outcome, all of them, by which nothing tells agents apart. */
static inline int outcomes_are_alike(const struct regret_log_rows *rows)
{
    size_t i = 1;
    while (i < rows->n && !(rows->outcome[i] < rows->outcome[0]) &&
           !(rows->outcome[i] > rows->outcome[0])) {
        i++;
    }
    return i >= rows->n;
}

/* A difference of two outcomes of [0,1], and an outcome: of those of which less is better, high is below low. */
static inline double gap_as_given(const struct regret_log *log, double d)
{
    return (log->high - log->low) * d;
}

/* The bounds of such a difference, the lower first. */
static inline void bounds_of_gap(const struct regret_log *log, double *low, double *high)
{
    double ends[2] = {gap_as_given(log, *low), gap_as_given(log, *high)};
    int is_turned = log->high < log->low;
    *low = ends[is_turned];
    *high = ends[!is_turned];
}

static inline double as_given(const struct regret_log *log, double y)
{
    return log->low + gap_as_given(log, y);
}

/* Who was on offer: every comparison takes it from here. */

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

/* Rows whose texts and covariates are kept: of a large log those drawn. */
static inline size_t kept_rows(const struct regret_log *log, enum regret_log_source source)
{
    return source == REGRET_LOG_OBS && log->n_drawn > 0 ? log->n_drawn : log->rows[source].n;
}

static inline size_t kept_row(const struct regret_log *log, enum regret_log_source source, size_t i)
{
    return source == REGRET_LOG_OBS && log->n_drawn > 0 ? log->drawn[i] : i;
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

/* Agents that are gone. */

struct log_gone {
    double *
        last; /* [n_agents] when it was there last, in whatever table; -INFINITY: no row says; owned */
    size_t *later;          /* [n_agents] rows that values rest on which are later; owned */
    unsigned char *is_gone; /* [n_agents]; owned */
};

FREED_FIELDS(log_gone, of->last, of->later, of->is_gone)

/* Who is gone by the times of rows: was on no offer, and where a table does not say who was not chosen, once its share of rows has been
 * so long without it that chance has it so in one of a thousand logs. Rows without times: nobody. */
int log_gone_find(struct log_gone *out, const struct regret_log *log);
/* Sets log->withdrawn. */
int log_find_withdrawn(struct regret_log *log);

/* 1: it is on offer no more. */
static inline int is_withdrawn(const struct regret_log *log, size_t agent)
{
    return log->withdrawn != NULL && log->withdrawn[agent];
}

/* The agent that differences are taken to. */

/* The agent that the log names; else that of most rows of OBS or, without a log, of EXP, among those that take part
 * ([n_agents], 1: it does): chosen by its outcomes it would seem better than it is. n_agents where none takes part. */
int log_incumbent(size_t *out, const struct regret_log *log, const unsigned char *takes_part);

/* Appends words, in which each @ stands for the name of the next agent, safe to print; of one that there is not for "none". */
void log_say(struct regret_buffer *out, const struct regret_log *log, const char *words,
             const size_t *agent);

/* Parts of a log that may be taken out of it. */

void log_free_column(struct regret_log_column *column);
void log_free_tags(struct regret_log *log);

#endif
