/* The findings of the paper as claims that a run can be asked about.
 *
 * A claim is reduced to one number a seed, its evidence, which the claim says is above 0 on
 * average; several such parts where the claim names several rivals. The interval of its mean over
 * seeds gives the verdict, so cells that share a seed are never taken for independent. A claim is a
 * line of data in one of the sets below; a new idea is a file claims_<idea>.c and a line in
 * table_claims.c. */
#ifndef REGRET_REPORT_CLAIMS_H
#define REGRET_REPORT_CLAIMS_H

#include "report/spec.h"

enum verdict {
    VERDICT_HOLDS, /* the interval of every part lies above 0 */
    VERDICT_FAILS, /* that of some part lies below 0 */
    VERDICT_OPEN,  /* neither */
    VERDICT_NOT_APPLICABLE,
    N_VERDICTS
};

enum { CLAIM_FAMILIES = 6, REGRET_DECIMALS = 4, RMSE_DECIMALS = 4, R2_DECIMALS = 3 };

/* What the cells must sweep or hold. */
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
    NEED_ALL_FAMILIES = 1 << 12  /* all six of the paper */
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
    AT_FIRST_OMEGA = 1 << 8
};

/* What a claim is asked of. */
struct scene {
    const struct regret_results *r;
    struct slice cells;   /* those that the claim speaks of */
    const size_t *ranked; /* n_ranked families, of the paper's six */
    size_t n_ranked;
};

/* The answer, gathered part by part. */
struct finding {
    size_t n_seeds;
    double *d;                  /* the evidence of the part at hand; n_seeds numbers, 0 at first */
    struct paired weakest;      /* the part that decides */
    size_t parts, tested;       /* all, and those that some seed has */
    size_t above, below;        /* parts whose interval does, over enough seeds */
    int no_comma;               /* the next number follows words */
    struct regret_text numbers; /* what the run has, for people */
    struct regret_text lacking; /* what it lacks; "" where the claim applies */
};

struct claim;
typedef int claim_evaluator(struct finding *f, const struct claim *c, const struct scene *x);

struct claim {
    const char *name, *sentence;
    const char *paper;                    /* where the paper has it, with its numbers */
    const char *families[CLAIM_FAMILIES]; /* all needed; the first is the one spoken of */
    unsigned needs, at;                   /* enum claim_need, enum claim_cells */
    claim_evaluator *evaluate;
    enum regret_measure measure;
    int sign; /* +1: the first family's number is claimed to be the higher or to rise; −1: lower */
    enum regret_key_index key; /* of a trend */
};

struct claim_set {
    const char *idea;
    const struct claim *claims;
    size_t n;
};
extern const struct claim_set claims_of_ranks, claims_of_budgets, claims_of_grounded,
    claims_of_tuning, claims_of_reward, claims_of_values, claims_of_ranking, claims_of_design,
    claims_of_winners, claims_of_world;

/* ---------------------------------------------------------------- asking (claims.c) */

/* Asks `c` of the cells `all`. `f` holds d and n_seeds; free its texts with finding_clear(). */
int claim_ask(struct finding *f, const struct claim *c, const struct slice *all,
              const size_t *ranked, size_t n_ranked);
enum verdict finding_verdict(const struct finding *f);
void finding_clear(struct finding *f);

/* The cells of `base` with the least (or greatest) value of the key that occurs in it. */
enum end { FIRST, LAST };
int cells_at(struct slice *out, const struct slice *base, size_t key, enum end end);
/* How many values of the key occur in the cells. */
size_t values_in(const struct slice *s, size_t key);
/* The text of the value that the first cell has. */
const char *value_text(const struct slice *s, size_t key);

/* ---------------------------------------------------------------- evidence (claims_evidence.c) */

/* The subject, REGRET_NO_ROW where the run has none of the name. */
size_t family_named(const struct regret_results *r, const char *name);
size_t fit_named(const struct regret_results *r, const char *name);

/* The claim's families but the first; where it names one only, the ranked families but that one.
 * `out` has room for n_families and CLAIM_FAMILIES. */
size_t rivals_of(size_t *out, const struct claim *c, const struct scene *x);

/* d += weight · the seed's mean over the cells. NaN where the seed lacks a number. */
void add_mean(struct finding *f, double weight, const struct slice *s, enum regret_measure m,
              size_t subject);
void add_numbers(struct finding *f, double weight, const double *numbers);

/* d += weight · the seed's least-squares slope of the number along the key. */
int add_slope(struct finding *f, double weight, const struct slice *s, size_t key,
              enum regret_measure m, size_t subject);

/* The seed's regret of the family among `families` that is lowest on average over the other seeds:
 * a choice that is not made on what it is judged by. The seeds share most of what they choose on,
 * so the numbers are nearly, not strictly, independent. NaN where there are no other seeds. */
int held_out_best(double *out, const struct slice *s, enum regret_measure m, const size_t *families,
                  size_t n);

/* d += weight · (the family's regret − the regret of the best of `rivals`, chosen on the other
 * seeds). */
int add_gap(struct finding *f, double weight, const struct slice *s, size_t family,
            const size_t *rivals, size_t n);

/* The cells by the value of the key, and the weight of each value's mean in the least-squares
 * slope: against ln for budgets, against the value otherwise. Free `out` and `weights`. */
int slope_weights(struct groups *out, double **weights, const struct slice *s, size_t key);

/* Ends a part: its interval is taken into the verdict, d is 0 again. Evidence below 1e-12 is the
 * rounding of equal numbers and counts as 0. */
int end_part(struct finding *f);

/* Ends a part that claims no change: above 0 in the verdict where the interval of d lies within
 * ± margin, below where it lies outside. Shown is the change itself. */
int end_flat_part(struct finding *f, double margin);

/* ---------------------------------------------------------------- numbers (claims_numbers.c) */

/* Adds to the numbers shown: ", label 0.0123"; without a label (NULL) " 0.0123". */
void say_number(struct finding *f, const char *label, double value, int decimals);
void say_signed(struct finding *f, const char *label, double value, int decimals);
void say_mean(struct finding *f, const struct slice *s, enum regret_measure m, size_t subject);
void say_share(struct finding *f, double part, double whole, const char *what);
/* Words between the numbers; no comma follows. */
void say_words(struct finding *f, const char *words);

/* Decimals shown of a measure. */
int decimals_of(enum regret_measure m);

/* ---------------------------------------------------------------- shared (claims_shared.c) */

/* The first family's `measure` is lower (sign −1) or higher (+1) than each rival's. */
claim_evaluator claim_beats;
/* The first family's `measure`, less that of the second where there is one, falls (−1) or rises
 * (+1) along `key`. */
claim_evaluator claim_trend;
/* The first family has a higher top-1 and a higher top-3 than each rival. */
claim_evaluator claim_ranks_agents;

#endif
