/* Sums of outcomes by cell: agents, or agents and tags. */
#ifndef REGRET_EVALUATE_CLUSTERS_CELLS_H
#define REGRET_EVALUATE_CLUSTERS_CELLS_H

#include <stddef.h>

#include "regret/log.h"

struct cell {
    size_t rows[REGRET_LOG_SOURCES];
    double weight[REGRET_LOG_SOURCES]; /* Σ w */
    double square[REGRET_LOG_SOURCES]; /* Σ w² */
    double mean[REGRET_LOG_SOURCES];   /* Σ w y / Σ w; NaN without rows */
    double y, yy;                      /* Σ y, Σ y² of both sources, unweighted */
};

struct cells {
    const struct regret_log *log; /* borrowed */
    size_t n, n_tags;             /* cell = agent · n_tags + tag; n_tags 1: agents alone */
    int weigh_obs;                /* 1: w of OBS is 1/propensity where there is one, else 1 */
    struct cell *at;              /* [n] */
};

int cells_build(struct cells *out, const struct regret_log *log, int by_tag, int weigh_obs);
void cells_free(struct cells *cells);

size_t cell_of(const struct cells *cells, enum regret_log_source source, size_t row);
double cell_weight(const struct cells *cells, enum regret_log_source source, size_t row);

/* Σ w²/(Σ w)²: the variance of a mean of independent rows over that of a row. 0 without rows. */
double cell_leverage(const struct cell *cell, enum regret_log_source source);
/* (Σ w)²/Σ w², 0 without rows. */
double cell_effective_rows(const struct cell *cell, enum regret_log_source source);

#endif
