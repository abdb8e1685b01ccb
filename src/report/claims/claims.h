/* The findings of the paper as claims that a run can be asked about.
 *
 * A claim is reduced to one number a seed, its evidence, which the claim says is above 0 on
 * average; several such parts where the claim names several rivals, or says "throughout". The interval
 * of its mean over seeds gives the verdict, so cells that share a seed are never taken for
 * independent. What is no mean over seeds (ranks and wins, which are of cell means as the paper's are)
 * has its interval from resamples of the seeds. Every claim is an entry of claims_table.c: the views of
 * the paper that it is about, what it needs, the cells it speaks of, and a criterion with its
 * parameters. */
#ifndef REGRET_REPORT_CLAIMS_H
#define REGRET_REPORT_CLAIMS_H

#include "report/rows/blocks.h"
#include "report/rows/ranks.h"
#include "report/rows/table_data.h"

/* ---------------------------------------------------------------- claims */

enum verdict {
    VERDICT_HOLDS,  /* the interval of every part lies above 0 */
    VERDICT_PARTLY, /* that of some parts, but not of all */
    VERDICT_FAILS,  /* of none, and that of some lies below 0 */
    VERDICT_OPEN,   /* every interval holds 0 */
    VERDICT_NOT_APPLICABLE,
    N_VERDICTS
};

/* Parts of the paper, each an experiment of its own shape. A claim is asked of runs that have the shape
 * of a view that it is about, and of no others. claims_views.c holds the rules: "swept" is two values or
 * more, "families" that at least three of the paper's six are ranked, "values" that there are estimates of
 * agents' values, "variant" a variant of grounded. */
enum claim_view {
    VIEW_MAIN = 1 << 0, /* T4-T6: summaries; map, beta, n_obs and n_exp swept; families */
    VIEW_VALUES =
        1 << 1, /* T7, T11: summaries; n_exp swept at one map and one n_obs; families; values */
    VIEW_GROUNDED = 1 << 2, /* T9, A.3: summaries; variant */
    VIEW_MAP24 = 1 << 3,    /* T13: summaries; beta, n_obs and n_exp swept at one map; families */
    VIEW_WORLD = 1 << 4,    /* T10, T12: world; beta, n_obs and n_exp swept; families */
    VIEW_WORLD_DR = 1 << 5, /* F5: world; n_exp swept; values; the regime of F5 in every cell */
    VIEW_WORLD_GROUNDED = 1 << 6, /* A.3's question in the world: variant */
    VIEW_CODING = 1 << 7          /* T14, F3, F4: coding; reward.lambda_fix swept; families */
};
enum { N_VIEWS = 8 };

/* The views whose shape the run of all these cells has, as bits. */
unsigned claim_views_of(const struct slice *all);
/* Appends the names of those in `views`, ", " between them. */
void claim_views_append(struct regret_buffer *out, unsigned views);

/* Whose finding it is. Only the paper's are counted. */
enum claim_standing {
    STANDING_PAPER,
    STANDING_CONSTRUCTION, /* the paper says it, but the set-up leaves no other outcome */
    STANDING_OURS          /* not in the paper */
};

/* What the cells must sweep or hold, besides the families that the claim names. */
enum claim_need {
    NEED_BETA = 1 << 0,
    NEED_N_OBS = 1 << 1,
    NEED_N_EXP = 1 << 2,
    NEED_BOTH_MAPS = 1 << 3, /* smooth and sharpened */
    NEED_LAMBDA_FIX = 1 << 4,
    NEED_OMEGA = 1 << 5,
    NEED_VALUES = 1 << 6,
    NEED_PROXY_FIT = 1 << 7,
    NEED_COMPONENTS_FIT = 1 << 8,
    NEED_SUCCESS_FIT = 1 << 9,
    NEED_RAW_BASELINE = 1 << 10, /* best-obs */
    NEED_PAPER_FAMILIES = 1 << 11,
    NEED_STATISTICS_FIT = 1 << 12 /* patch-statistics */
};

/* Which of the cells the claim speaks of. FIRST and LAST: the least and the greatest value. */
enum claim_cells {
    AT_SMOOTH = 1 << 0,
    AT_SHARPENED = 1 << 1,
    AT_FIRST_N_OBS = 1 << 2,
    AT_LAST_N_OBS = 1 << 3,
    AT_FIRST_N_EXP = 1 << 4,
    AT_LAST_N_EXP = 1 << 5,
    AT_FIRST_LAMBDA_FIX = 1 << 6,
    AT_LAST_LAMBDA_FIX = 1 << 7,
    AT_FIRST_OMEGA = 1 << 8,
    AT_LATER_BETAS = 1 << 9,      /* all but the least */
    AT_UPPER_LAMBDA_FIX = 1 << 10 /* the middle value and those above */
};

/* What can be compared: the measures of rows, and these of a family among those ranked. */
enum {
    MEASURE_RANK = REGRET_N_MEASURES, /* of the mean regret of a cell, mean over cells */
    MEASURE_TOP3,                     /* cells in which that is among the three lowest */
    MEASURE_EXCESS                    /* in % over the best mean of the cell */
};

/* What the first subject's number is taken against, which together are the claim's amount. */
enum claim_against {
    AGAINST_NOTHING,
    AGAINST_SECOND,         /* the second subject */
    AGAINST_DM,             /* its own DM error */
    AGAINST_BEST_NAMED,     /* the best of the other subjects, chosen on the other seeds */
    AGAINST_BEST_OBS_BASED, /* the best OBS-based family, likewise */
    AGAINST_BEST_OTHER      /* the best other ranked family, likewise */
};

struct claim;
struct claim_context;
struct claim_result;
typedef int claim_criterion(struct claim_result *f, const struct claim *c,
                            const struct claim_context *x);

enum { CLAIM_SUBJECTS = 5 };
struct claim {
    const char *id;
    const char *source; /* where the paper has it, with its numbers */
    const char *text;
    const char *idea;                     /* heads the claims from here on; NULL: as before */
    enum regret_row_kind kind;            /* of the subjects */
    const char *subjects[CLAIM_SUBJECTS]; /* all needed; those spoken of come first */
    size_t spoken_of;                     /* how many those are; 0 for 1 */
    unsigned needs, at;                   /* enum claim_need, enum claim_cells */
    claim_criterion *criterion;
    int measure; /* enum regret_measure, or one of the above */
    enum claim_against against;
    int sign;            /* +1: claimed to be the higher, or to rise; −1: lower */
    const char *key;     /* of a trend or a change; of parts, NULL for every cell */
    const char *ends[2]; /* words for the ends of the key, in place of its values */
    unsigned views;      /* enum claim_view */
    enum claim_standing standing;
};

size_t claims_all(const struct claim **out);

/* ---------------------------------------------------------------- asking (claims.c) */

/* What a claim is asked of. */
struct claim_context {
    const struct regret_results *r;
    struct slice cells;     /* those that the claim speaks of */
    struct ranking ranking; /* of the paper's families */
};

/* One comparison: which side of 0 its interval lies on, and the two-sided p-value that the evidence is
 * 0. NaN over fewer than FEW_SEEDS seeds, which decide nothing. */
struct claim_part {
    int side; /* +1 above, −1 below, 0 neither */
    double p;
};

/* The answer, gathered part by part. */
struct claim_result {
    size_t n_seeds;
    double *d;                /* the evidence of the part at hand; n_seeds numbers, 0 at first */
    struct paired weakest;    /* the part that decides */
    size_t tested;            /* parts that some seed has */
    struct claim_part *parts; /* owned */
    size_t n_parts, capacity;
    int no_comma;                 /* the next number follows words */
    struct regret_buffer numbers; /* what the run has, for people */
    struct regret_buffer lacking; /* what it lacks; "" where the claim applies */
};

/* Asks `c` of the cells `all`. `f` holds d and n_seeds; free the rest with claim_result_clear(). */
int claim_ask(struct claim_result *f, const struct claim *c, const struct slice *all,
              const struct ranking *ranking);
void claim_result_clear(struct claim_result *f);

/* `adjusted` NULL, or a p-value for each part: a side counts when its own is at most .05 too. */
enum verdict claim_verdict(const struct claim_result *f, const double *adjusted);
/* Parts on that side. */
size_t claim_parts_on(const struct claim_result *f, int side, const double *adjusted);

/* The claim's i-th subject; REGRET_NO_ROW where the run has none of the name. */
size_t claim_subject(const struct claim *c, const struct claim_context *x, size_t i);

/* The cells of `base` with the least (or greatest) value of the key that occurs in it. */
enum end { FIRST, LAST };
int cells_at(struct slice *out, const struct slice *base, size_t key, enum end end);
/* Those of the reward map, which must be one of the run's. */
int cells_of_map(struct slice *out, const struct slice *base, const char *map);

/* ---------------------------------------------------------------- criteria (claims_criteria.c) */

/* The first subject's measure, or that of each spoken of, is lower (sign −1) or higher (+1) than
 * each rival's: than each other subject's or, where none is named, each other ranked family's. */
claim_criterion claim_beats;
/* That it has a higher top-1 and a higher top-3. */
claim_criterion claim_ranks_agents;
/* A criterion of agents' ranks, asked of top-1 and then of top-3; `after` follows their names. */
int claim_of_agents_ranks(struct claim_result *f, const struct claim *c,
                          const struct claim_context *x, claim_criterion *criterion,
                          const char *after);
/* The amount is below (−1) or above 0: of each subject spoken of. */
claim_criterion claim_has_sign;
/* The amount falls (−1) or rises along the key. */
claim_criterion claim_moves;
/* The amount is smaller (−1) or greater at the greatest value of the key than at the least. */
claim_criterion claim_changes;
/* The amount has the sign in every cell or, with a key, at every value of it: a part each. */
claim_criterion claim_has_sign_in_each;
/* The same of top-1 and of top-3. */
claim_criterion claim_ranks_agents_in_each;
/* The amount is 0 up to its margin, in the same parts. */
claim_criterion claim_is_near_in_each;
/* The amount has the sign at the least value of the key and the other one at the greatest. */
claim_criterion claim_flips;
/* The amount is below 0 where the proxy explains more of the target than success, else above. */
claim_criterion claim_follows_fit;
/* The measure of each subject (each ranked family) is lower or higher under the sharpened map. */
claim_criterion claim_differs_by_map;
/* More EXP lowers the regret by more than more OBS does. */
claim_criterion claim_gains_by_exp;
/* The measure does not change from end to end of the key by more than its margin. */
claim_criterion claim_is_flat;
/* Choosing the ranked family by cell pays against one family for all (claims_choices.c). */
claim_criterion claim_choice_by_cell_pays;
/* Following the ranked family that leads by top-1 costs regret. */
claim_criterion claim_ranking_misleads;
/* Most fits of the subject choose λ of at most 0.1. */
claim_criterion claim_lambda_is_small;

/* By the place of the values of the key, the first two fifths of them and the rest: the amount is below
 * 0 at each of the first and above it at each of the rest (claims_each.c). */
claim_criterion claim_crosses;

/* ---------------------------------------------------------------- ranked (claims_ranked.c) */

/* What is made of the mean regrets of cells, as the paper ranks: the evidence is a statistic of them and
 * its interval that of PAIRED_RESAMPLES resamples of the seeds that have them all. */

/* MEASURE_RANK or MEASURE_TOP3 of the first subject is lower or higher than each rival's; `all` are
 * the subject and n − 1 rivals. */
int compare_ranks(struct claim_result *f, const struct claim *c, const struct claim_context *x,
                  const size_t *all, size_t n);
/* The first subject wins more cells than any other ranked family. */
claim_criterion claim_wins_most;
/* It wins fewer than half of them. */
claim_criterion claim_wins_few;
/* Of the subjects alone, the first wins more cells than the second. */
claim_criterion claim_wins_more;
/* Of the subjects alone, the first wins fewer than half. */
claim_criterion claim_wins_few_of_named;
/* At the least budgets the family that wins most cells wins fewer of them than at each other budget. */
claim_criterion claim_is_most_mixed;

/* ---------------------------------------------------------------- evidence (claims_evidence.c) */

/* d += weight · the seed's mean over the cells. NaN where the seed lacks a number. */
void add_mean(struct claim_result *f, double weight, const struct slice *s, enum regret_measure m,
              size_t subject);
void add_numbers(struct claim_result *f, double weight, const double *numbers);

/* The same of any measure, over the context's cells. */
void add_measure(struct claim_result *f, double weight, const struct claim_context *x, int measure,
                 size_t subject);

/* What is shown of it: the number of the table `summary` or the mean, and its decimals. */
double shown_measure(const struct claim_context *x, int measure, size_t subject, int *decimals);

/* The seed's number of the family among `families` that is best on average over the other seeds (the
 * lowest, of top-1 and top-3 the highest): a choice that is not made on what it is judged by. The seeds
 * share most of what they choose on, so the numbers are nearly, not strictly, independent. NaN where
 * there are no other seeds. */
int held_out_best(double *out, const struct slice *s, enum regret_measure m, const size_t *families,
                  size_t n);

/* d += weight · the amount of the claim's i-th subject in the cells. */
int add_amount(struct claim_result *f, double weight, const struct claim *c,
               const struct claim_context *x, const struct slice *s, size_t i);
/* d += weight · its least-squares slope along the key: against ln of a budget, else the value. */
int add_amount_slope(struct claim_result *f, double weight, const struct claim *c,
                     const struct claim_context *x, size_t key);

/* What it is taken against in the mean over all seeds: a subject and its measure. REGRET_NO_ROW
 * where there is none. */
size_t counterpart(enum regret_measure *m, const struct claim *c, const struct claim_context *x,
                   const struct slice *s, size_t i);

/* Ends a part: its interval is taken into the verdict, d is 0 again. Evidence below 1e-12 is the
 * rounding of equal numbers and counts as 0. */
int end_part(struct claim_result *f);

/* Ends a part that claims no change: above 0 in the verdict where the interval of d lies within
 * ± margin, below where it lies outside. Shown is the change itself; its p-value is that of the margin
 * nearer to it. */
int end_flat_part(struct claim_result *f, double margin);

/* How far from 0 an amount over some cells may be and count as none [C]: 5 % of what it is taken against
 * or, alone, of itself; of R² .05. */
double margin_of(const struct claim *c, const struct claim_context *x, const struct slice *s);

/* Ends a part whose interval is known. */
int end_part_with(struct claim_result *f, const struct paired *p);

/* ---------------------------------------------------------------- numbers (claims_numbers.c) */

/* Adds to the numbers shown: ", label 0.0123"; without a label (NULL) " 0.0123". */
void say_number(struct claim_result *f, const char *label, double value, int decimals);
void say_signed(struct claim_result *f, const char *label, double value, int decimals);
void say_mean(struct claim_result *f, const struct slice *s, enum regret_measure m, size_t subject);
void say_share(struct claim_result *f, double part, double whole, const char *what);
/* Words between the numbers; no comma follows. */
void say_words(struct claim_result *f, const char *words);

#endif
