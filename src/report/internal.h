/* What the sources of this folder share. */
#ifndef REPORT_INTERNAL_H
#define REPORT_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "base/names.h"
#include "base/status.h"
#include "regret/estimate.h"
#include "report/answer.h"
#include "report/ranks.h"
#include "report/records.h"
#include "report/slice.h"
#include "report/table.h"
#include "stats/limits.h"
#include "table/sql.h"
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

/* A key, and what it is called at the head of a column. */
struct key_axis {
    size_t key;
    const char *symbol;
};
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
/* The least difference that many seeds detect (stats/multiplicity.h); NaN of fewer than two. */
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

/* ---- run_tables.c: a run as tables of SQL. ---- */

/* The numbers in the run of a grid's contexts and agents, and what a context of the run is called in the grid (NAMES_NONE: it has
 * it not). */
struct run_grid {
    uint32_t *context, *number, *agent; /* owned */
};

struct run_sql {
    const struct regret_results *r; /* borrowed */
    struct sql *sql;
    struct names contexts, agents; /* of all grids */
    struct run_grid *grid;         /* [r->n_grids] owned */
    uint32_t *drawn;               /* resamples of n_drawn seeds, PAIRED_RESAMPLES of them; owned */
    size_t n_drawn;
};

/* Open as long as the results are. What comes after may only read. */
int run_sql_open(struct run_sql **out, const struct regret_results *r);
void run_sql_close(struct run_sql *s); /* NULL is fine */
FREED_POINTER(struct run_sql, run_sql_close)

/* run_rows.c and estimates.c: the rows as tables; functions over them. */
int run_rows_add(struct run_sql *run);
int estimates_add(struct run_sql *run);

/* ---- queries.c: tables as queries. ---- */

/* Files of data/report that come with the program, and the text of one. */
struct report_file {
    const char *name, *text;
};
extern const struct report_file report_files[]; /* ended by {0} */
const char *report_file(const char *name);

/* The table of that name (REGRET_E_INPUT with a suggestion where there is none); one that is a part of a page, of data/report; the one
 * that a user's file says. */
int table_make(struct table *t, struct run_sql *run, const char *name);
int table_part(struct table *t, struct run_sql *run, const char *name);
int table_of_file(struct table *t, struct run_sql *run, const char *path);

/* Where the table of that name stands in a page. */
enum report_part table_part_of(const char *name);

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
