/* Agents that are gone. */
#ifndef REGRET_LOG_GONE_H
#define REGRET_LOG_GONE_H

#include "base/core/try.h"
#include "regret/log.h"

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

#endif
