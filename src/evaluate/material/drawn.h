/* Which rows of a log take part, what was sampled as one, and the folds of that. */
#ifndef REGRET_EVALUATE_DRAWN_H
#define REGRET_EVALUATE_DRAWN_H

#include "log/core/offer.h"
#include "regret/evaluate.h"

struct drawn {
    const struct regret_log *log;
    enum regret_log_source basis;      /* whose rows values rest on */
    size_t n[REGRET_LOG_SOURCES];      /* rows that take part */
    uint32_t *row[REGRET_LOG_SOURCES]; /* [n] of log->rows; owned, as the others */
    size_t n_clusters;                 /* of the basis */
    uint32_t *cluster;                 /* [n[basis]] below n_clusters, in the order of the log's */
    size_t n_folds;
    uint32_t *fold;    /* [n[basis]] */
    uint32_t *fold_of; /* [log->n_clusters] UINT32_MAX: not in the basis */
};

/* Rows of a source that has more than most[source] are drawn in whole clusters, by the stream (seed,
 * REGRET_RNG_EXP_ROW or …OBS_ROW, 0); folds deal the clusters of the basis out by (seed, REGRET_RNG_DR_FOLDS, 0). Both depend
 * on the numbers of clusters, not on the order of rows. REGRET_E_INPUT: fewer than two clusters in the basis. */
int drawn_make(struct drawn *out, const struct regret_log *log,
               const struct regret_evaluate_options *options,
               const size_t most[REGRET_LOG_SOURCES]);
void drawn_clear(struct drawn *drawn);

/* What row i of the drawn rows of a source says. */
static inline uint32_t drawn_context(const struct drawn *d, enum regret_log_source s, size_t i)
{
    return d->log->rows[s].context[d->row[s][i]];
}
static inline uint32_t drawn_agent(const struct drawn *d, enum regret_log_source s, size_t i)
{
    return d->log->rows[s].agent[d->row[s][i]];
}
static inline double drawn_outcome(const struct drawn *d, enum regret_log_source s, size_t i)
{
    return d->log->rows[s].outcome[d->row[s][i]];
}
/* 1 where an agent was on offer in row i of the basis. */
static inline int drawn_offers(const struct drawn *d, size_t i, size_t agent)
{
    return was_on_offer(d->log, d->basis, d->row[d->basis][i], agent);
}

#endif
