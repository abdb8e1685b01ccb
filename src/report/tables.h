/* The tables of a report. A new one is a file table_<name>.c and a line in tables.c. */
#ifndef REGRET_REPORT_TABLES_H
#define REGRET_REPORT_TABLES_H

#include "report/slice.h"
#include "report/table.h"

/* Fills *t, which table_begin() has not seen yet. Errors of the table itself stay in t->status. */
typedef int table_maker(struct table *t, const struct regret_results *r);

table_maker make_summary, make_budget, make_reward_shape, make_values, make_grounded, make_winners,
    make_beta, make_sweep, make_tuning, make_alignment, make_crossover, make_dr_regime, make_claims;

/* Of fewer seeds every table says that its intervals are too narrow, and no claim is decided by
 * them: percentile intervals over 5 seeds miss their mean about three times as often as the 5 %
 * they promise. */
enum { FEW_SEEDS = 10 };

/* Begins a table: its title with what the data are, then the notes that every table has (synthetic
 * or real, gaps, what too few seeds mean). */
void begin_report_table(struct table *t, const struct regret_results *r, const char *name,
                        const char *title);

/* The families that are ranked against each other: all but the grounded variants, which are
 * compared with `grounded` in a table of their own. `out` has room for n_families. */
size_t ranked_families(size_t *out, const struct regret_results *r);

/* The OBS-based family of lowest mean regret in the slice, REGRET_NO_ROW when none has data. */
size_t best_obs_based(const struct slice *s);

/* The swept keys of the reward design: reward.lambda_fix and reward.omega; REGRET_NO_ROW where the
 * run does not sweep it. */
enum design { DESIGN_LAMBDA_FIX, DESIGN_OMEGA };
size_t design_key(const struct regret_results *r, enum design design);

/* What most tables are made over: the ranked families, and one group of cells for every combination
 * of reward map (`by_map`) and of the extra swept keys other than the reward design. */
struct plan {
    const struct regret_results *r;
    struct slice all;
    struct groups blocks;
    size_t *families; /* n_ranked of them */
    size_t n_ranked;
};
int plan_make(struct plan *out, const struct regret_results *r, int by_map);
void plan_free(struct plan *p);

/* A row of mean ± SE for each of `n` subjects over `columns`, then the baselines that have rows.
 * The lowest of the `n` is stressed. */
void put_regret_rows(struct table *t, const size_t *subjects, size_t n,
                     const struct groups *columns);

/* The baselines. */
void put_baseline_rows(struct table *t, const struct groups *columns);

/* A row of held-out R² for each fit that has any: `prefix` and its name. */
void put_fit_rows(struct table *t, const struct groups *columns, const char *prefix);

/* 1 when any row of the subject has the number. */
int has_measure(const struct regret_results *r, enum regret_measure m, size_t subject);

/* The rank from 1 of x[i] among the n numbers, the lowest first; equals share the average of their
 * ranks. */
double rank_among(const double *x, size_t n, size_t i);

/* The OBS-based families of the run, in a fixed order. `out` has room for n_families. */
size_t obs_based_families(size_t *out, const struct regret_results *r);

/* Decimals shown: the paper gives regret with four. */
enum { REGRET_DECIMALS = 4, RMSE_DECIMALS = 4, R2_DECIMALS = 3 };

#endif
