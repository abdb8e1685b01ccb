/* Influence by cluster. */
#ifndef EVALUATE_CLUSTERS_H
#define EVALUATE_CLUSTERS_H

#include <stddef.h>
#include <stdint.h>

#include "regret/evaluate.h"

/* Sums of outcomes by cell: agents, or agents and tags. */

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

/* The rows of OBS and EXP, cluster by cluster. */

struct cluster_order {
    size_t n_clusters;
    size_t n_obs;  /* rows of OBS: row r is of OBS below it, else row r - n_obs of EXP */
    size_t *start; /* [n_clusters + 1] */
    uint32_t
        *place; /* rows of cluster c, in their order: place[start[c]] … place[start[c + 1] - 1] */
};

/* O(rows + clusters). REGRET_E_INPUT for 2^32 rows or more. */
int cluster_order_build(struct cluster_order *out, const struct regret_log *log);
void cluster_order_free(struct cluster_order *order);

static inline enum regret_log_source cluster_source(const struct cluster_order *order, size_t place)
{
    return place < order->n_obs ? REGRET_LOG_OBS : REGRET_LOG_EXP;
}

static inline size_t cluster_row(const struct cluster_order *order, size_t place)
{
    return place < order->n_obs ? place : place - order->n_obs;
}

/* Variances and covariances, over clusters, of many sums at once. */

/* What a row adds: `value` to the sum of a cell, of which it holds `weight`. */
struct score {
    size_t cell; /* SCORE_NONE: it adds nothing */
    double weight, value;
};
#define SCORE_NONE ((size_t)-1)
typedef struct score score_of(const void *context, enum regret_log_source source, size_t row);

/* Of every cell k the variance of the sum over OBS rows and over EXP rows, V_s = c Σ_g δ_sg², δ_sg what cluster g adds. Where
 * totals are given the sum is a ratio's, Σ w (y − m)/W, and δ is by how much the ratio changes when the cluster goes, Σ w (y −
 * m)/(W − w_g), with c = (G − 1)/G (the jackknife); else c = G/(G − 1). NaN of fewer than two clusters. */
struct scores {
    size_t n;
    double *variance[REGRET_LOG_SOURCES]; /* [n] */
    double *cross;                        /* [n] Σ_g δ_obs δ_exp */
    size_t *clusters[REGRET_LOG_SOURCES]; /* [n] that have rows in the cell */
    double *
        covariance; /* [n × n] Σ_g ψ_gk ψ_gl of ψ = δ_obs − δ_exp, lower triangle, column-major; NULL above SCORES_MAX_JOINT */
};

/* total: [n] of each source, W; NULL for both: no ratio. O(rows), and for covariances times the cells of a cluster. */
int scores_gather(struct scores *out, size_t n, const double *const *total,
                  const struct cluster_order *order, score_of *of, const void *context);
void scores_free(struct scores *scores);

/* Times as places in their order. */

/* The order of a source's times: sorted, every k-th of them where there are more than 2^16. */
struct time_order {
    double *sorted; /* [n] */
    size_t n;
};

/* Of times[0..n), those that are NaN left out. */
int time_order_build(struct time_order *out, const double *times, size_t n);
void time_order_free(struct time_order *order);

/* The share of times before `time`, those at it counted half: 0 to 1; NaN of a NaN. O(log n). */
double time_place(const struct time_order *order, double time);

/* Does the share of a kind of rows move with something? By clusters. */

/* The kind of a row and how much it counts: `value` of a centred covariate, or one. */
struct share_row {
    size_t kind; /* (size_t)-1: the row is left out */
    double value;
};
typedef struct share_row share_of(const void *context, size_t row);

/* Of n kinds, with π_k the share of rows that are of kind k: S_k = Σ_i v_i (1{k_i = k} − π_k), and its variance over clusters,
 * Σ_g (a_gk − π_k b_g)² with a the cluster's sum of v of the kind and b that of all. */
struct shares {
    size_t n, rows, clusters;
    size_t *count;    /* [n] rows of a kind */
    double *sum;      /* [n] S_k */
    double *variance; /* [n], times G/(G − 1); NaN of one cluster */
};

int shares_gather(struct shares *out, size_t n, const struct cluster_order *order,
                  enum regret_log_source source, share_of *of, const void *context);
void shares_free(struct shares *shares);

/* How outcomes of agents move with time, by clusters. */

/* Of every agent the change of its mean outcome from the first row to the last, a line over the place of rows in time. */
struct slope {
    double value
        [REGRET_LOG_SOURCES]; /* Σ (τ − τ̄)(y − ȳ)/Σ (τ − τ̄)²; NaN where an agent has too few rows */
    double error
        [REGRET_LOG_SOURCES]; /* by clusters, under no change; not below that of independent rows */
    size_t rows[REGRET_LOG_SOURCES];
};

struct slopes {
    size_t n; /* agents */
    struct slope *at;
    double *covariance; /* of value[OBS] − value[EXP], as in struct scores */
};

/* place[source][row] is τ, NaN of a row that is left out; NULL: none of the source's. */
int slopes_build(struct slopes *out, const struct regret_log *log,
                 const struct cluster_order *order, const double *const *place);
void slopes_free(struct slopes *slopes);

#endif
