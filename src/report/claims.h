/* The findings of the paper as claims that a run can be asked about.
 *
 * A claim is reduced to one number a seed, its evidence, which the claim says is above 0 on
 * average; several such parts where the claim names several rivals. The interval of its mean over
 * seeds gives the verdict, so cells that share a seed are never taken for independent. Every claim
 * is an entry of claims_table.c: what it needs, the cells it speaks of, and a criterion with its
 * parameters. */
#ifndef REGRET_REPORT_CLAIMS_H
#define REGRET_REPORT_CLAIMS_H

#include "report/ranks.h"
#include "report/spec.h"

/* ---------------------------------------------------------------- claims */

enum verdict {
    VERDICT_HOLDS, /* the interval of every part lies above 0 */
    VERDICT_FAILS, /* that of some part lies below 0 */
    VERDICT_OPEN,  /* neither */
    VERDICT_NOT_APPLICABLE,
    N_VERDICTS
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
    NEED_WORLD = 1 << 11,        /* a run of the controlled world */
    NEED_PAPER_FAMILIES = 1 << 12,
    NEED_STRESS = 1 << 13 /* F5's regime, in the cells that the claim speaks of */
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
    AT_MUCH_EXP = 1 << 9,   /* the greatest n_exp, which must be 400 or more */
    AT_LITTLE_EXP = 1 << 10 /* the greatest n_exp of 200 or less */
};

/* What can be compared: the measures of rows, and these of a family among those ranked. */
enum {
    MEASURE_RANK = REGRET_N_MEASURES, /* of the regret, mean over cells */
    MEASURE_TOP3,                     /* being among the three lowest, mean over cells */
    MEASURE_EXCESS                    /* in % over the best mean of the cell */
};

/* What the first subject's number is taken against, which together are the claim's amount. */
enum claim_against {
    AGAINST_NOTHING,
    AGAINST_SECOND,        /* the second subject */
    AGAINST_DM,            /* its own DM error */
    AGAINST_BEST_NAMED,    /* the best of the other subjects, chosen on the other seeds */
    AGAINST_BEST_OBS_BASED /* the best OBS-based family, likewise */
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
    const char *key;     /* of a trend or a change */
    const char *ends[2]; /* words for the ends of the key, in place of its values */
};

size_t claims_all(const struct claim **out);

/* ---------------------------------------------------------------- asking (claims.c) */

/* What a claim is asked of. */
struct claim_context {
    const struct regret_results *r;
    struct slice cells;     /* those that the claim speaks of */
    struct ranking ranking; /* of the paper's families */
};

/* The answer, gathered part by part. */
struct claim_result {
    size_t n_seeds;
    double *d;                  /* the evidence of the part at hand; n_seeds numbers, 0 at first */
    struct paired weakest;      /* the part that decides */
    size_t parts, tested;       /* all, and those that some seed has */
    size_t above, below;        /* parts whose interval does, over enough seeds */
    int no_comma;               /* the next number follows words */
    struct regret_text numbers; /* what the run has, for people */
    struct regret_text lacking; /* what it lacks; "" where the claim applies */
};

/* Asks `c` of the cells `all`. `f` holds d and n_seeds; free its texts with claim_result_clear(). */
int claim_ask(struct claim_result *f, const struct claim *c, const struct slice *all,
              const struct ranking *ranking);
enum verdict claim_verdict(const struct claim_result *f);
void claim_result_clear(struct claim_result *f);

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
/* The amount is below (−1) or above 0: of each subject spoken of. */
claim_criterion claim_has_sign;
/* The amount falls (−1) or rises along the key. */
claim_criterion claim_moves;
/* The amount is smaller (−1) or greater at the greatest value of the key than at the least. */
claim_criterion claim_changes;
/* The amount has the sign at the least value of the key and the other one at the greatest. */
claim_criterion claim_flips;
/* The amount is below 0 where the proxy explains more of the target than success, else above. */
claim_criterion claim_follows_fit;
/* The measure of each subject (each ranked family) is lower or higher under the sharpened map. */
claim_criterion claim_differs_by_map;
/* More EXP lowers the regret by more than more OBS does. */
claim_criterion claim_gains_by_exp;
/* The regret does not change along the key by more than 5 % of it. */
claim_criterion claim_is_flat;
/* Choosing the ranked family by cell pays against one family for all (claims_choices.c). */
claim_criterion claim_choice_by_cell_pays;
/* Following the ranked family that leads by top-1 costs regret. */
claim_criterion claim_ranking_misleads;
/* The first subject is below the second in most cells of a seed. */
claim_criterion claim_wins_most_cells;
/* Most fits of the subject choose λ of at most 0.1. */
claim_criterion claim_lambda_is_small;

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

/* The seed's number of the family among `families` that is lowest on average over the other seeds:
 * a choice that is not made on what it is judged by. The seeds share most of what they choose on,
 * so the numbers are nearly, not strictly, independent. NaN where there are no other seeds. */
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
 * ± margin, below where it lies outside. Shown is the change itself. */
int end_flat_part(struct claim_result *f, double margin);

/* ---------------------------------------------------------------- numbers (claims_numbers.c) */

/* Adds to the numbers shown: ", label 0.0123"; without a label (NULL) " 0.0123". */
void say_number(struct claim_result *f, const char *label, double value, int decimals);
void say_signed(struct claim_result *f, const char *label, double value, int decimals);
void say_mean(struct claim_result *f, const struct slice *s, enum regret_measure m, size_t subject);
void say_share(struct claim_result *f, double part, double whole, const char *what);
/* Words between the numbers; no comma follows. */
void say_words(struct claim_result *f, const char *words);

#endif
