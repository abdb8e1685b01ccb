/* The parts of regret_rate_check(); split.c and human.c ask the rows the same. */
#ifndef REGRET_RATE_CHECK_H
#define REGRET_RATE_CHECK_H

#include "rate/estimate/clusters.h"
#include "regret/rate_inference.h"
#include "stats/limits.h"

/* Whether row i of a group counts: its W is its own. */
int check_counts(const struct regret_rate_rows *rows, size_t group, size_t i);

/* R(text with W = 1) less R(text with W = 0) of row i, by its rewrites (is_double: δ of RATE) or by the
 * original and its rewrite; NaN: one is not there. */
double advantage(const struct regret_rate_rows *rows, const struct regret_rate_model *m,
                 int is_double, size_t i);

/* The rows of one group after another, and room for values of them. */
struct check_rows {
    const struct regret_rate_rows *rows; /* borrowed */
    enum regret_rate_clusters which;
    size_t *order, *start;    /* sort_by_group(); owned */
    struct clusters clusters; /* of the group at hand */
    size_t group, n;          /* the group at hand and its rows: */
    const size_t *members;    /* their numbers */
    double *x;                /* as many as rows; owned */
    uint32_t *cluster;        /* likewise */
    double *room;             /* two numbers a row; owned */
};
/* Free it even after a failure. */
int check_rows_new(struct check_rows *r, const struct regret_rate_rows *rows,
                   enum regret_rate_clusters which);
void check_rows_free(struct check_rows *r);
/* Takes up a group. O(its rows), once. */
void check_rows_enter(struct check_rows *r, size_t group);

/* A mean of n values: of independent ones with s/√n and n − 1; where clusters matter, CR2 with Satterthwaite's degrees
 * of freedom (influence.h). */
struct check_mean {
    double mean, se, df; /* se and df NaN where there is one cluster */
    size_t n_clusters;   /* behind it; n where they do not matter */
    const char *missing; /* why there is no error (static text), or NULL */
};
/* Of x[0..n), whose clusters are cluster[0..n) of the group at hand. O(n + clusters). */
struct check_mean check_mean(const struct check_rows *r, const double *x, const uint32_t *cluster,
                             size_t n);

/* 95 % limits (stats/limits.h) of the mean of n values of [0,1] in clusters with numbers below the room's half. */
struct limits share_limits(double *room, const double *x, const uint32_t *cluster, size_t n);
/* The same of values of r->cluster; none where there is one cluster. */
void check_share(double *low, double *high, const struct check_mean *m, const struct check_rows *r,
                 const double *x, size_t n);
/* Appends the flips of every group to *out, which has room for 2 · REGRET_N_SIDES of each. */
int check_flips(struct regret_rate_check *out, struct check_rows *r, const char *classifier);

#endif
