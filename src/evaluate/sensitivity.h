/* How strong hidden confounding would have to be. */
#ifndef EVALUATE_SENSITIVITY_H
#define EVALUATE_SENSITIVITY_H

#include <stddef.h>

#include "regret/evaluate.h"

/* The marginal sensitivity model: Tan, JASA 101 (2006) 1619-1637; Zhao, Small and Bhattacharya, JRSS B 81 (2019) 735-761. */

/* Outcomes of OBS by agent, in classes of equal width, each row with e(x), the chance that its agent is chosen: as given, else the
 * agent's share of the rows of the tag, else of all rows. */
struct odds {
    size_t n_agents, n_classes;
    double *one;    /* [agents × classes] Σ 1 */
    double *one_y;  /* Σ y */
    double *more;   /* Σ (1/e − 1) */
    double *more_y; /* Σ (1/e − 1) y */
    double *value;  /* [agents] Σ y/e / Σ 1/e; NaN without rows */
    size_t *rows;   /* [agents] */
};

int odds_build(struct odds *out, const struct regret_log *log);
void odds_free(struct odds *odds);

/* Bounds of an agent's value where what is unrecorded changes the odds of being chosen by a factor of `lambda` at most, either
 * way: the least and the largest of Σ y (1 + λ_i (1/e_i − 1)) / Σ (1 + λ_i (1/e_i − 1)) over 1/Λ <= λ_i <= Λ, taken at one of the
 * thresholds in y (their section 4.4). Exact where outcomes of a class are equal, else to 1 part in the classes. O(classes). */
void odds_bounds(double *low, double *high, const struct odds *odds, size_t agent, double lambda);

/* The least Λ at which some other agent's value may be as large as the agent's, and which agent; 1 where one is, infinite
 * where none can be. To 1e-6. */
double odds_of_change(size_t *other, const struct odds *odds, size_t agent);

/* How much a tag moves the odds of an agent's being chosen: exp of the mean, over its rows, of |ln of the odds within the tag
 * over those of all rows|; NaN without tags. */
int odds_by_tag(double *out, const struct regret_log *logged, size_t agent);

/* Outcome on choice between two agents and all that is recorded, as sums of products. */

enum {
    REGRESSION_MAX_TAGS = 32,   /* dummies of tags; less frequent ones share the last */
    REGRESSION_MAX_WORDS = 12,  /* likewise of a covariate of words */
    REGRESSION_MAX_COLUMNS = 16 /* covariates, the first ones */
};

/* Columns that belong together: the tags, a covariate, the length of the text. */
struct column_group {
    enum column_kind { GROUP_TAGS, GROUP_COVARIATE, GROUP_LENGTH } kind;
    size_t covariate; /* of the log */
    size_t first, n;  /* columns */
};

struct regression {
    size_t n_rows;
    size_t
        m; /* columns: the intercept, D (1 for the first agent, 0 for the second), what is recorded, Y */
    double *
        gram; /* [m × m] Σ of products; numbers are standardised over contexts, missing ones are 0 then */
    size_t n_groups;
    struct column_group group[REGRESSION_MAX_COLUMNS + 2];
};

/* Of the OBS rows of two agents. O(rows · (columns that a row is not zero in)²). */
int regression_build(struct regression *out, const struct regret_log *log, size_t agent,
                     size_t other);
void regression_free(struct regression *r);

/* Cinelli and Hazlett, "Making sense of sensitivity: extending omitted variable bias", JRSS B 82 (2020) 39-67. */

/* The coefficient of D by least squares, with the usual (not cluster-robust) error, and how much of what is left of both D and Y an
 * unrecorded cause would have to explain (partial R²) to bring it to zero: RV = (√(f⁴ + 4f²) − f²)/2, f² = t²/df; or into
 * chance at the level: f less t_{(1 + level)/2, df − 1}/√(df − 1), and 0 where it is there already. The second is not below that of
 * a cause that explains all that is left of Y. */
struct robustness {
    double value, error, t, df;
    double partial_r2;                  /* of D with Y */
    double to_zero;                     /* RV */
    double to_chance;                   /* RV at the level */
    double without_choice, choice_left; /* residual sums of squares: of Y without D, of D */
};
/* REGRET_E_NOMEM; NaN throughout where D or Y has nothing left. O(columns³). */
int robustness_of(struct robustness *out, const struct regression *r, double level);

/* A cause that is to D and Y what a recorded group of columns is, once as strong (their section 4.4, k = 1): its partial R² with
 * D and with Y, and what would be left of the value. */
struct benchmark {
    double with_choice, with_outcome, left;
};
/* NaN where the group explains nothing that is left, or all. */
int benchmark_of(struct benchmark *out, const struct regression *r, const struct robustness *of,
                 size_t group);

#endif
