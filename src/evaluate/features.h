/* Features of requests, and what is drawn by chance. */
#ifndef EVALUATE_FEATURES_H
#define EVALUATE_FEATURES_H

#include <stddef.h>
#include <stdint.h>

#include "log/log.h"
#include "regret/evaluate.h"

struct drawn {
    const struct regret_log *log;
    enum regret_log_source basis; /* whose rows values rest on, all of them */
    size_t n[REGRET_LOG_SOURCES]; /* rows that take part; of the basis in the order: */
    size_t n_fitted;              /* the first are those that surfaces are fitted to … */
    size_t
        n_known; /* … then those whose requests are laid out with them; the others go by their tag */
    uint32_t
        *row[REGRET_LOG_SOURCES]; /* [n] of log->rows, each part ascending; owned, as the others */
    size_t n_clusters;            /* of the basis */
    uint32_t *cluster;            /* [n[basis]] below n_clusters, in the order of the log's */
    size_t n_folds;
    uint32_t *fold;    /* [n[basis]] */
    uint32_t *fold_of; /* [log->n_clusters] UINT32_MAX: not in the basis */
};

/* Rows of a source that has more than most[source] are drawn in whole clusters, by the stream (seed,
 * REGRET_RNG_EXP_ROW or …OBS_ROW, 0), to fit; of the basis more come behind them, up to most_known. Folds deal the clusters of the basis
 * out by (seed, REGRET_RNG_DR_FOLDS, 0). Both depend on the numbers of clusters, not on the order of rows. REGRET_E_INPUT: fewer than
 * two clusters in the basis. */
int drawn_make(struct drawn *out, const struct regret_log *log,
               const struct regret_evaluate_options *options, const size_t most[REGRET_LOG_SOURCES],
               size_t most_known);
void drawn_clear(struct drawn *drawn);

/* Rows of a source whose requests are laid out. */
static inline size_t drawn_known(const struct drawn *d, enum regret_log_source s)
{
    return s == d->basis ? d->n_known : d->n[s];
}
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
/* The tag of row i of the basis; 0 without tags. */
static inline size_t drawn_tag(const struct drawn *d, size_t i)
{
    return d->log->tag != NULL ? d->log->tag[drawn_context(d, d->basis, i)] : 0;
}
/* 1 where an agent was on offer in row i of the basis. */
static inline int drawn_offers(const struct drawn *d, size_t i, size_t agent)
{
    return was_on_offer(d->log, d->basis, d->row[d->basis][i], agent);
}

#endif
