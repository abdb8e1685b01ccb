/* What every table of a report is made of: the run's cells in groups, and its families by role. */
#ifndef REGRET_REPORT_TABLE_DATA_H
#define REGRET_REPORT_TABLE_DATA_H

#include "regret/task.h"
#include "report/rows/slice.h"

/* Of fewer seeds every table says that its intervals are too narrow, and no claim is decided by
 * them: percentile intervals over 5 seeds miss their mean about three times as often as the 5 %
 * they promise. */
enum { FEW_SEEDS = 10 };

struct table_data {
    const struct regret_results *r; /* borrowed */
    struct slice all;
    struct groups groups; /* the cells by extra swept key, other than those of the reward design */
    size_t *ranked;       /* n_ranked families, those that are ranked against each other */
    size_t n_ranked;
};

/* Groups of cells are by the swept keys besides the main four, but for those of the reward design, which are averaged over (the
 * tables winners, alignment and crossover show them); with `by_map` by reward map too, which comes first. */
int table_data_make(struct table_data *out, const struct regret_results *r, int by_map);
void table_data_free(struct table_data *d);

/* ---------------------------------------------------------------- families by role */

/* 1 when family `f` of the run is ranked: all are but the variants of another, which are compared with
 * that one in a table of their own. */
int family_is_ranked(const struct regret_results *r, size_t f);

/* 1 for a baseline that families are held against: all but the oracle, whose regret is 0. */
int is_shown_baseline(const struct regret_results *r, size_t subject);
/* The baselines that recommend by rows: those of one agent for all, then those by tag, each in the run's order. `out`
 * has room for n_subjects. */
size_t baselines_by_rows(size_t *out, const struct regret_results *r);
/* 1 when the run has baselines by tag. */
int has_rule_by_tag(const struct regret_results *r);
/* 1: the run is of votes, with baselines by strengths. */
int has_strengths(const struct regret_results *r);

/* The OBS-based family of lowest mean regret in the slice, REGRET_NO_ROW when none has data. */
size_t best_obs_based(const struct slice *s);

/* ---------------------------------------------------------------- keys and measures */

/* The key of the name if a table can follow it: a main key, or one that the run sweeps.
 * REGRET_NO_ROW otherwise. */
size_t find_axis(const struct regret_results *r, const char *name);

/* The number of that value of the key, n_values where it has none. */
size_t value_number(const struct regret_key *key, const char *value);

/* The parameter of a reward map that the key is, or NULL. */
const struct regret_reward_parameter *reward_parameter(const char *key);

/* 1 when any row of the subject has the number. */
int has_measure(const struct regret_results *r, enum regret_measure m, size_t subject);

/* Decimals shown of a measure: the paper gives regret with four. */
int measure_decimals(enum regret_measure m);

#endif
