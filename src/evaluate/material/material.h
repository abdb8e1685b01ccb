/* What estimators are given of a log: pairs, features, rows as of a replicate (regret/estimate.h).
 *
 * Contexts of the basis and of recommendations have a pair for every agent; other contexts of OBS those of their rows. So
 * pairs grow with the rows that are drawn, never with contexts × agents of the whole log. */
#ifndef REGRET_EVALUATE_MATERIAL_H
#define REGRET_EVALUATE_MATERIAL_H

#include "evaluate/material/drawn.h"
#include "regret/design.h"
#include "regret/estimate.h"

struct material {
    const struct regret_log *log;
    struct drawn drawn;
    size_t n_agents, n_contexts;
    uint32_t *log_context; /* [n_contexts] the log's number of a context; owned, as the others */
    uint32_t *local;       /* [log->n_contexts] the reverse; UINT32_MAX: takes no part */
    size_t *
        first; /* [n_contexts] the first of the pairs with every agent; SIZE_MAX: not all are there */
    size_t pairs;
    uint32_t *agent, *context; /* [pairs] */
    unsigned char *train;      /* [pairs] 1: the context has rows */
    uint32_t *tag;             /* [n_contexts]; NULL without two tags */
    size_t n_tags;             /* 0 then */
    int has_text;
    size_t n_outputs; /* pairs whose output is known; features where all are */
    double *z;        /* e(x) by pair, and e of outputs; NULL without texts */
    size_t rank;
    double *words; /* w(x) by context, likewise */
    size_t words_rank;
    struct regret_csr *common_words;
    double *columns; /* k(x) by context; NULL without covariates */
    size_t columns_rank;
    struct regret_csr *own, *shared; /* φ in two parts */
    double *dense;                   /* or whole, of few columns; else NULL */
    struct regret_coordinates coordinates;
    struct regret_design phi;
    struct regret_rows rows[REGRET_LOG_SOURCES]; /* those drawn */
    size_t n_advised; /* the first so many evaluation contexts have all pairs */
};

int material_make(struct material *out, const struct regret_log *log,
                  const struct regret_evaluate_options *options);
void material_clear(struct material *m);

/* φ of all pairs: own, shared, e(x). */
int features_make(struct material *m, const struct regret_evaluate_options *options);
/* Covariates as columns: numbers standardised over the contexts that take part, missing ones at their mean; words one-hot. NULL in *out
 * without any. */
int covariates_make(struct regret_csr **out, const struct material *m);

#endif
