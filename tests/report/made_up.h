/* Made-up runs: rows from a deterministic function of (measure, subject, cell, seed), written to a
 * folder as `regret run` would. The tests recompute every table from the function, not from what
 * the report read. */
#ifndef MADE_UP_H
#define MADE_UP_H

#include <stddef.h>

#include "regret/report.h"

struct made_up {
    const char *families[10];
    size_t n_families;
    size_t n_maps, n_betas, n_obs, n_exp; /* how many values each key takes (at most 2, 6, 2, 3) */
    size_t n_fixes, n_omegas; /* reward.lambda_fix and reward.omega over 0, .5, 1; 0: not there */
    int spreads;   /* 1: n_fixes and n_omegas are called spread.noise and spread.within instead */
    int agent_key; /* 1: the cells also sweep features.agent over false and true */
    size_t n_seeds;
    size_t n_shards; /* replicates are dealt out in turn */
    int synthetic, values;
    const char *pool_name;
    const char *config; /* more of the configuration: ",\"key\":value"; NULL: no more */
    int success;        /* 1: a third fit, on success */
    int by_tag;         /* 1: and the two baselines by tag */
    const char *more;   /* more of run.json: "\"means\":{…},"; NULL: no more */
    /* 1 to leave a row out; NULL: all are there. */
    int (*skip)(const char *family, size_t cell, size_t seed);
    /* The regret of a family; NULL: made_number(). */
    double (*regret)(const struct made_up *m, size_t family, size_t cell, size_t seed);
};

/* The six families and both variants; 2 maps, 3 β, 2 × 2 budgets, 6 seeds, one shard. */
struct made_up made_up_default(void);

/* One cell's keys: indices of the values. Cells are numbered with n_exp fastest, then n_obs, β,
 * map, λ_fix, ω, agent. */
struct made_cell {
    size_t agent, omega, fix, map, beta, obs, exp;
};
struct made_cell made_cell(const struct made_up *m, size_t cell);
size_t made_cells(const struct made_up *m);
double made_beta(size_t i);
int made_exp(size_t i);
const char *made_map(size_t i);

/* In (0, 0.1): the number of a row. `subject` counts families, then the four baselines (those by tag are 4 and 5 of
 * them), then, after the fourth, the fits: proxy, components, success, patch-statistics. */
double made_number(enum regret_measure measure, size_t subject, size_t cell, size_t seed);
double made_regret(const struct made_up *m, size_t subject, size_t cell, size_t seed);
/* What the row has: made_regret(), a tuned λ or made_number(). */
double made_value(const struct made_up *m, enum regret_measure measure, size_t subject, size_t cell,
                  size_t seed);
double made_design(size_t i); /* 0, .5, 1 */

/* Writes run.json and the shards into `folder`, which must be there. */
void made_up_write(const struct made_up *m, const char *folder);

/* A temporary folder in `path` (at least 64 bytes), and its end. */
void made_folder(char *path);
/* folder/name in a static buffer. */
const char *made_path(const char *folder, const char *name);

/* A table in long CSV, parsed. */
struct csv_records made_table(const char *folder, const char *table);

/* A table in Markdown, in a static buffer. */
const char *made_markdown(const char *folder, const char *table);

/* ---------------------------------------------------------------- naive statistics */

/* Of one number a seed: mean and the 95 % percentile interval, drawn anew. */
struct interval {
    double mean, low, high;
};
struct interval naive_interval(const double *d, size_t n);

#endif
