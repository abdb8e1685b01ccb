/* What the sources of this folder share. */
#ifndef REPORT_INTERNAL_H
#define REPORT_INTERNAL_H

#include <stddef.h>

#include "regret/estimate.h"
#include "report/answer.h"
#include "report/ranks.h"
#include "report/records.h"
#include "report/slice.h"
#include "report/table.h"
#include "stats/limits.h"
#include "value/costs.h"

/* ---- answer_who.c: the answer: who, for what, and what more data would tell. ---- */

/* Who is chosen, in words and tables. */

void answer_single(struct leaf *w, const struct answer *a);
/* By tag, those of most contexts first; in text as many as `lines` hold, three at least. */
void answer_tags(struct leaf *w, const struct answer *a, size_t lines);
/* Those that the filters let through. */
void answer_contexts(struct leaf *w, const struct answer *a);

/* A half-width that is no wider than the scale of the values; a wider one says nothing and is not shown. */
int answer_is_on_scale(const struct answer *a, double half);
/* "+0.1234 ± 0.0234", or that it cannot be told. */
void answer_half(struct regret_buffer *t, const struct answer *a, double mean, double half);
/* What rewards are called in heads and names: "value" or, of votes, "won": the share that the chosen of two answers has won. */
const char *answer_value_name(const struct answer *a);
/* leaf_table() with that name for a head that is NULL. */
void answer_table(struct leaf *w, const struct answer *a, const struct leaf_column *columns,
                  size_t n);
/* A cell with four decimals, or "-". */
void answer_number(struct leaf *w, const struct leaf_column *columns, double x);

/* How much data would tell what a run does not. */

/* What would tell a difference as large as the one seen: as many contexts, or seeds, all else as it is, or so many times
 * of both; 0 where there is no such number. `least` is what the run can tell with RULES_POWER. */
struct more_data {
    double seen, least;
    double contexts, seeds, both;
};
struct more_data more_data(const struct contest *rules, const struct rule_gain *c);

/* In sentences; nothing where nothing is to be said. */
void say_more_data(struct regret_buffer *out, const struct answer *a);

/* Of a richer rule than the answer that seems better, what would tell it; nothing where there is none. */
void say_untold(struct regret_buffer *out, const struct answer *a);

/* ---- contenders.c: families that may be best, and regimes. ---- */

/* Blocks of a table that are about some cells: what all of them share is put down with the block. */

/* Puts down the keys that all cells of the slice have the same value of. */
void table_keys_of(struct table *t, enum table_key_of of, const struct slice *s);

/* Begins a block "group: heading", either of which may be "", with the group's keys. */
void table_block_of(struct table *t, const struct group *group, const char *heading);

/* A column for every group along the axes, with the values of the keys at its head: "β 0.2",
 * "n_obs 2000, n_exp 200". */
struct key_axis {
    size_t key;
    const char *symbol;
};
void table_value_columns(struct table *t, const struct groups *columns, const struct key_axis *axes,
                         size_t n_axes);

/* Appends the values of the keys in a group of cells, as such a column is headed. */
void append_key_values(struct regret_buffer *out, const struct slice *s,
                       const struct key_axis *axes, size_t n_axes);

/* How the families and the baselines stand over some cells: mean regret, its interval, and the verdict
 * against the best family. */

enum contender_verdict {
    CONTENDER_BEST,   /* the family of lowest mean regret; of equals the first of the run */
    CONTENDER_TIED,   /* the 95 % interval of the paired difference to the best holds 0 */
    CONTENDER_WORSE,  /* … lies above 0 */
    CONTENDER_BETTER, /* … below 0: a baseline that no family reaches */
    CONTENDER_UNKNOWN /* fewer than two seeds have both */
};

struct contender {
    size_t subject;
    double mean, se;       /* of regret, over cells and seeds (struct estimate) */
    struct paired to_best; /* its regret less the best family's; of that itself 0 of no pairs */
    struct regret_two_way
        on_new; /* the same difference, by seeds and contexts; of the best itself 0 */
    enum contender_verdict verdict;
};

/* Those with data, each kind by mean regret; equals keep the run's order. Families are the ranked ones,
 * baselines all but the oracle, whose regret is 0. */
struct contenders {
    const struct regret_results *r; /* borrowed */
    struct contender *items;        /* owned: the families, then the baselines */
    size_t n_families, n;
};
int contenders_make(struct contenders *out, const struct slice *cells);
/* The same, for many cells one by one, without the intervals on new contexts (0). */
int contenders_compare(struct contenders *out, const struct slice *cells);
void contenders_free(struct contenders *s);

/* The baselines of lowest mean regret that are one agent for everybody (best-exp or best-obs), and one agent for each
 * tag; NULL without one. */
const struct contender *contenders_single_agent(const struct contenders *s);
const struct contender *contenders_by_tag(const struct contenders *s);

/* Names of the families that are in, each by its place among the items: "a, b and c", or "a, b, c, d and 4 more". */
void contenders_list(struct regret_buffer *out, const struct contenders *s,
                     int (*is_in)(const struct contenders *, size_t));

/* Which family has the lowest regret, and which would be behind it on new contexts, by intervals that are wide enough
 * for all pairs of families, since the lowest was chosen by them. Names are other people's texts, not escaped. */
void contenders_sentence(struct regret_buffer *out, const struct contenders *s);

/* The map of winners (T12, T13 and T14 of the paper): which family has the lowest mean regret where. */

/* How the swept keys are arranged. Rows are budgets and columns β, as in T12 and T13. When β is not
 * swept, an extra key takes its place; when no budget is swept either, two extra keys make the map,
 * as in T14 (λ_fix against ω). The rest makes blocks. */
struct winner_map {
    struct key_axis rows[2], column;
    size_t n_rows;
    const size_t *blocks; /* n_blocks keys, of the array given */
    size_t n_blocks;
};
/* `keys` has room for n_keys + 1 and must outlive the map. */
struct winner_map winner_map(const struct regret_results *r, size_t *keys);

/* The same along two swept keys of spread.*: the first makes columns, the second rows, inside n_exp where that is
 * swept; the rest makes blocks, β fastest. 0 where less than two are swept; then *map is not set. */
int phase_map(struct winner_map *map, const struct regret_results *r, size_t *keys);

/* Of some subjects those of lowest and second lowest mean regret in some cells. */
struct winner {
    size_t first, second; /* REGRET_NO_ROW where there is none */
    double lead;          /* of the first; NaN without a second */
    int clear;            /* there is a second, and the interval of the difference leaves out 0 */
    double p;             /* of that difference; NaN where there is no second, or no interval */
};
int find_winner(struct winner *out, const struct slice *s, const size_t *subjects, size_t n);

/* The regime of some cells: what their keys, or else the run's configuration, say of confounding,
 * noise and penalties. */

/* NaN where neither the cells nor the configuration say. */
struct range {
    double low, high;
};
/* A ridge penalty that one of the paper's families has fixed. */
struct penalty {
    const struct regret_hyper *hyper;
    struct range range;
};
struct regime {
    struct range beta, n_obs, precision;
    struct penalty penalty[REGRET_MAX_HYPERS];
    size_t n_penalties;
    int noiseless; /* outcome.law is none */
};
struct regime regime_read(const struct slice *s);

/* One sentence on the regime. */
void regime_describe(struct regret_buffer *out, const struct regime *g);

/* ---- power.c: what differences a run could have found. ---- */

/* The test that is meant, two-sided, and how often it shall find a difference that is there. */
#define DETECTABLE_SIZE 0.05

/* Two families and what their paired difference over seeds scatters by. */
struct family_pair {
    size_t a, b;           /* the one of lower mean regret first; equals in the run's order */
    struct paired moments; /* of a less b, without an interval */
};

/* Every pair of the ranked families over the slice's cells: the best with the second, the third, …, then
 * the second with the third. Free *out. */
int family_pairs(struct family_pair **out, size_t *n, const struct slice *s,
                 const struct ranking *ranking);

/* The deviation of the pair's differences over seeds. */
double pair_deviation(const struct family_pair *pair);
/* The least difference that many seeds detect (value/bootstrap.h); NaN of fewer than two. */
double detectable_with(double deviation, size_t seeds);

/* ---- means.c: means of agents. ---- */

/* The agent of the largest mean and the second, of all contexts together (group 0) or of those of a tag. */
struct means_best {
    size_t first, second; /* agents; REGRET_NO_ROW: there is none */
    /* Over contexts where both have an output; where some are missing by effects within contexts (struct regret_run_means), by
     * Student's t; of votes by all votes. */
    struct paired lead;
    size_t pairs;  /* contexts where both have an output */
    double p;      /* that the lead is 0, by Holm over the groups; NaN of fewer than FEW_CONTEXTS */
    int separable; /* the lead is above 0, and p at most .05 */
};

/* One a group, n_tags + 1; the caller frees *out. */
int means_best(struct means_best **out, const struct regret_run_means *means);

/* "all", "no tag" or the tag. */
const char *means_group_name(const struct regret_run_means *means, size_t group);
double means_of(const struct regret_run_means *means, size_t group, size_t agent);
/* The 95 % interval over contexts; NaN of fewer than two. */
struct limits means_limits(const struct regret_run_means *means, size_t group, size_t agent);
/* Of two agents as of independent means. */
struct paired means_apart(const struct regret_run_means *means, size_t group, size_t first,
                          size_t second);

/* The agents by their mean over all contexts, the largest first; those without an output last. */
int means_order_agents(size_t **out, const struct regret_run_means *means);
/* All contexts, then the tags of most contexts; equals in the order of the pool. */
int means_order_groups(size_t **out, const struct regret_run_means *means);

/* The cells that have the item, of which there is one at least. */
int means_cells(struct slice *out, const struct regret_results *r, size_t item);
/* What these cells share and others do not, "reward.map = smooth"; nothing where every cell has the same item. */
void means_heading(struct regret_buffer *out, const struct slice *cells);
const struct regret_run_grid *means_grid(const struct slice *cells);

/* ---- spec.c: tables by specification. ---- */

/* Whose number it is. */
enum subject_kind {
    SUBJECT_SELF, /* that of the block or, in a block without axes, of the row */
    SUBJECT_FAMILY,
    SUBJECT_FIT,
    SUBJECT_BEST_OBS_BASED /* the OBS-based family of lowest mean regret in the cells at hand */
};
struct subject_spec {
    enum subject_kind kind;
    const char *name; /* of a family or a fit */
};

enum statistic {
    STATISTIC_MEAN, /* over cells and seeds, ± its standard error over seeds */
    STATISTIC_PLAIN_MEAN,
    STATISTIC_MEAN_DIFFERENCE,   /* of two such means, ± the error of the paired difference */
    STATISTIC_PAIRED_DIFFERENCE, /* over seeds, ± its error; stressed where below 0 for certain */
    STATISTIC_PAIRED_MEAN,       /* the same number by itself */
    STATISTIC_PAIRED_LOW,        /* the ends of its 95 % interval */
    STATISTIC_PAIRED_HIGH,
    STATISTIC_SHARE_BELOW, /* in %, of the cells in which the mean is below the other's */
    STATISTIC_WINS /* cells with the lowest mean of the block's rows, ties counting for each */
};

/* The subjects that a line is there for, each of them SUBJECT_SELF. Baselines and fits only where
 * the run has their number. */
enum line_each { LINE_ONCE, LINE_EACH_RANKED, LINE_EACH_BASELINE, LINE_EACH_FIT };

/* A number of some cells: a row of a block with axes, or a column of one without. */
struct line_spec {
    const char *label; /* comes before the subject's name in a line for each of several */
    enum statistic statistic;
    enum regret_measure measure;
    enum line_each each;
    struct subject_spec subject;
    enum regret_measure other_measure; /* of a difference or share: what it is against */
    struct subject_spec other;
};

/* Where a line is read. */
struct line_place {
    const struct slice *slice;
    size_t self;        /* SUBJECT_SELF; REGRET_NO_ROW where there is none */
    const size_t *rows; /* n_rows subjects that STATISTIC_WINS is among */
    size_t n_rows;
};

struct line_value {
    double value, se;    /* NaN where the run has none */
    int decimals;        /* worth showing */
    unsigned flags;      /* enum table_flag */
    const char *subject; /* the best family's name where the line chose it, or NULL; borrowed */
};
int line_read(struct line_value *out, const struct line_spec *line, const struct line_place *at);

/* A key whose values make columns; a block whose key is not swept is left out. */
struct axis_spec {
    const char *key, *symbol; /* "beta", "β"; the symbol "" shows the values by themselves, and
                                 NULL is that of a parameter of a reward map */
};

enum {
    SPEC_AXES = 2,
    SPEC_ROWS = 4,
    SPEC_BLOCKS = 4,
    SPEC_NOTES = 3,
    SPEC_NEEDS = 2,
    SPEC_KEYS = 2
};

/* The cells with that value of a key; a block of them is left out of a run that has no others, too. */
struct at_spec {
    const char *key, *value; /* no key: every cell */
};

/* A block is there once for each group of cells. With axes the values of the keys make its columns
 * and the lines its rows; without, the lines make its columns and families its rows. */
struct block_spec {
    const char *corner;  /* heads the labels of the rows */
    const char *heading; /* after the group's own, or NULL */
    struct axis_spec axes[SPEC_AXES];
    const struct line_spec *lines; /* up to one without a label */
    /* with axes */
    struct at_spec at;
    const char *self;      /* the family that is SUBJECT_SELF, or NULL; without it, no block */
    int each_family;       /* 1: a block for each ranked family with the first line's measure */
    const char *from, *to; /* values of the axis: a last column of `to` less `from`; or NULL */
    /* without axes */
    const char *rows[SPEC_ROWS]; /* the families of the rows; none: all that are ranked */
    int variants;                /* 1: and every other variant of one of them */
    const char *split;           /* after the block a block for each value of this key, or NULL */
    int count_cells;             /* 1: the heading is how many cells the block is over */
};

/* What a run must have for the table to say anything. */
enum table_need_kind {
    TABLE_NEEDS_NOTHING,
    TABLE_NEEDS_SWEEP,   /* of one of the keys; of any where none is named */
    TABLE_NEEDS_MEASURE, /* of a ranked family */
    TABLE_NEEDS_VARIANT, /* a family that is compared with another only */
    TABLE_NEEDS_TUNING   /* a family that chooses hyper-parameters */
};
struct table_need {
    enum table_need_kind kind;
    const char *keys[SPEC_KEYS];
    enum regret_measure measure;
    const char *otherwise; /* the note that is all there is without it; of variants its end */
};

enum groups_by {
    GROUPS_BY_KEYS,          /* every extra swept key but those of the reward design */
    GROUPS_BY_MAP_AND_KEYS,  /* the reward map, then those */
    GROUPS_NONE_BUT_THE_KEYS /* all cells; a block along each swept key in turn */
};

/* What a specification cannot say. */
typedef int table_part(struct table *t, const struct table_data *d);

struct table_spec {
    const char *name, *title;
    const char *title_of_votes; /* of runs of votes, where it is another one */
    enum report_part part;
    struct table_need needs[SPEC_NEEDS];
    enum groups_by groups_by;
    struct block_spec blocks[SPEC_BLOCKS];
    int of_pool;      /* 1: of the pool itself, so that seeds and rows that lack do not matter */
    table_part *more; /* blocks, or notes, after those blocks; or NULL */
    const char *notes[SPEC_NOTES]; /* what the numbers are */
    table_part *remark;            /* notes after those that depend on the run; or NULL */
};

/* Makes the table. Errors of the table itself stay in t->status. */
int table_from_spec(struct table *t, const struct table_spec *spec, const struct regret_results *r);

/* The table of the report of that name (REGRET_E_INPUT with a suggestion where there is none). */
int table_make(struct table *t, const struct regret_results *r, const char *name);

/* Where the table of that name stands in a page. */
enum report_part table_part_of(const char *name);

table_part put_means, put_summary, put_winners, put_tags, put_costs, put_chosen_lambdas, put_tuning,
    remark_detectable;

/* 1 when the family chose hyper-parameters anywhere; those of fixed defaults choose nothing. */
int family_is_tuned(const struct regret_results *r, size_t family);

/* ---- costs.c: curves of value against cost. ---- */

/* A number and its standard error over seeds by the jackknife; NaN where there is none. */
struct cost_number {
    double value, se;
};

/* Of a curve, between the cheapest and the dearest agent. */
enum cost_statistic {
    COST_AREA, /* mean value over costs, of the hull: RouterBench's AIQ */
    COST_GAIN, /* that less the area below the hull of single agents */
    COST_HALF, /* of two agents: the least share sent to the dear one that gains half of what it is worth more … */
    COST_MOST, /* … and 80 %; RouteLLM's call-performance thresholds */
    N_COST_STATISTICS
};

struct cost_curve {
    size_t subject;
    struct regret_cost_point points[REGRET_N_PRICES]; /* by price, means over cells and seeds */
    struct cost_number statistics[N_COST_STATISTICS];
    struct cost_number budget_value, budget_cost; /* of the policy within costs.budget */
};

struct cost_agent {
    size_t agent; /* of the grid */
    struct regret_cost_point point;
    double se; /* of the value */
    int is_on_hull;
};

struct cost_board {
    const struct regret_run_grid *grid; /* that all cells have */
    double low, high;                   /* costs of the cheapest and of the dearest agent */
    struct cost_curve *curves;          /* owned: ranked families, then baselines */
    size_t n_curves;
    struct cost_agent *agents;      /* [grid->n_agents] owned, the cheapest first */
    struct regret_cost_point *hull; /* of single agents; owned */
    size_t n_hull;
    struct cost_number agents_area; /* below that hull */
};

/* Of the cells of a slice; a board without curves where they have no lists by price, or not one grid. `families` are the
 * ranked ones. Means are over cells, then over the seeds that have every cell. */
int cost_board_make(struct cost_board *out, const struct slice *cells, const size_t *families,
                    size_t n_families);
void cost_board_free(struct cost_board *board);

#endif
