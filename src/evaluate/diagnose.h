/* Whether a log and a trial can be trusted. */
#ifndef EVALUATE_DIAGNOSE_H
#define EVALUATE_DIAGNOSE_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"
#include "regret/design.h"
#include "regret/evaluate.h"

struct cluster_order;

/* ---- diagnose.c: findings. ---- */

struct finding {
    const char *name, *what;
    double value, low, high;
    double p;                               /* of a test, not adjusted; NaN of what is none */
    enum regret_diagnostic_verdict verdict; /* of what is no test */
    enum regret_diagnostic_verdict most;    /* that a test can come to */
    struct regret_buffer fine;              /* what is told where the verdict is fine … */
    struct regret_buffer found;             /* … and where it is not; empty: the same */
};

enum { MAX_FINDINGS = 40 };
struct findings {
    size_t n;
    struct finding at[MAX_FINDINGS];
};

/* A new one, without value and p, fine. There is always room: questions are fewer. */
struct finding *findings_add(struct findings *f, const char *name, const char *what);

/* 1 where there is one of that name. */
int findings_have(const struct findings *f, const char *name);

/* What a question is asked of. */
struct asked {
    const struct regret_log *log;
    const struct cluster_order *order;
    const struct regret_diagnose_options *options;
    size_t threads;
    int has[REGRET_LOG_SOURCES]; /* 1: rows */
};
typedef int question(struct findings *f, const struct asked *a);

question ask_scales, ask_gaps, ask_support, ask_shares, ask_balance, ask_drift, ask_contexts,
    ask_copies, ask_same_rows, ask_confounding, ask_outcomes;

/* Names of agents and tags, safe to print. */
void say_agent(struct regret_buffer *text, const struct regret_log *log, size_t agent);
void say_tag(struct regret_buffer *text, const struct regret_log *log, size_t tag);
/* A difference of outcomes and its bounds, as they were given. */
void set_gap(struct finding *f, const struct regret_log *log, double value, double low,
             double high);
/* "word, words" */
const char *say_plural(size_t n);

/* ---- clusters.c: sums by cell, and by cluster. ---- */

/* Sums of outcomes by cell: agents, or agents and tags. */

struct cell {
    size_t rows[REGRET_LOG_SOURCES];
    double weight[REGRET_LOG_SOURCES]; /* Σ w */
    double square[REGRET_LOG_SOURCES]; /* Σ w² */
    double mean[REGRET_LOG_SOURCES];   /* Σ w y / Σ w; NaN without rows */
    double y, yy;                      /* Σ y, Σ y² of both sources, unweighted */
};

struct cells {
    const struct regret_log *log; /* borrowed */
    size_t n, n_tags;             /* cell = agent · n_tags + tag; n_tags 1: agents alone */
    int weigh_obs;                /* 1: w of OBS is 1/propensity where there is one, else 1 */
    struct cell *at;              /* [n] */
};

int cells_build(struct cells *out, const struct regret_log *log, int by_tag, int weigh_obs);
void cells_free(struct cells *cells);

size_t cell_of(const struct cells *cells, enum regret_log_source source, size_t row);
double cell_weight(const struct cells *cells, enum regret_log_source source, size_t row);

/* Σ w²/(Σ w)²: the variance of a mean of independent rows over that of a row. 0 without rows. */
double cell_leverage(const struct cell *cell, enum regret_log_source source);
/* (Σ w)²/Σ w², 0 without rows. */
double cell_effective_rows(const struct cell *cell, enum regret_log_source source);

/* The rows of OBS and EXP, cluster by cluster. */

struct cluster_order {
    size_t n_clusters;
    size_t n_obs;  /* rows of OBS: row r is of OBS below it, else row r - n_obs of EXP */
    size_t *start; /* [n_clusters + 1] */
    uint32_t
        *place; /* rows of cluster c, in their order: place[start[c]] … place[start[c + 1] - 1] */
};

/* O(rows + clusters). REGRET_E_INPUT for 2^32 rows or more. */
int cluster_order_build(struct cluster_order *out, const struct regret_log *log);
void cluster_order_free(struct cluster_order *order);

static inline enum regret_log_source cluster_source(const struct cluster_order *order, size_t place)
{
    return place < order->n_obs ? REGRET_LOG_OBS : REGRET_LOG_EXP;
}

static inline size_t cluster_row(const struct cluster_order *order, size_t place)
{
    return place < order->n_obs ? place : place - order->n_obs;
}

/* Rows of EXP in a cluster are the last, from here on. */
static inline size_t cluster_exp(const struct cluster_order *order, size_t cluster)
{
    size_t i = order->start[cluster];
    while (i < order->start[cluster + 1] && order->place[i] < order->n_obs) {
        i++;
    }
    return i;
}

/* Variances and covariances, over clusters, of many sums at once. */

/* What a row adds: `value` to the sum of a cell, of which it holds `weight`. */
struct score {
    size_t cell; /* SCORE_NONE: it adds nothing */
    double weight, value;
};
#define SCORE_NONE ((size_t)-1)
typedef struct score score_of(const void *context, enum regret_log_source source, size_t row);

/* Of every cell k the variance of the sum over OBS rows and over EXP rows, V_s = c Σ_g δ_sg², δ_sg what cluster g adds. Where
 * totals are given the sum is a ratio's, Σ w (y − m)/W, and δ is by how much the ratio changes when the cluster goes, Σ w (y −
 * m)/(W − w_g), with c = (G − 1)/G (the jackknife); else c = G/(G − 1). NaN of fewer than two clusters. */
struct scores {
    size_t n;
    struct score_sums {
        double variance[REGRET_LOG_SOURCES];
        double cross;                        /* Σ_g δ_obs δ_exp */
        size_t clusters[REGRET_LOG_SOURCES]; /* that have rows in the cell */
    } * at;                                  /* [n] */
    double *
        covariance; /* [n × n] Σ_g ψ_gk ψ_gl of ψ = δ_obs − δ_exp, lower triangle, column-major; NULL above SCORES_MAX_JOINT */
};

/* total: [n] of each source, W; NULL for both: no ratio. O(rows), and for covariances times the cells of a cluster. */
int scores_gather(struct scores *out, size_t n, const double *const *total,
                  const struct cluster_order *order, score_of *of, const void *context);
void scores_free(struct scores *scores);

/* Does the share of a kind of rows move with something? By clusters. */

/* The kind of a row and how much it counts: `value` of a centred covariate, or one. */
struct share_row {
    size_t kind; /* (size_t)-1: the row is left out */
    double value;
};
typedef struct share_row share_of(const void *context, size_t row);

/* Of n kinds, with π_k the share of rows that are of kind k: S_k = Σ_i v_i (1{k_i = k} − π_k), and its variance over clusters,
 * Σ_g (a_gk − π_k b_g)² with a the cluster's sum of v of the kind and b that of all. */
struct shares {
    size_t n, rows, clusters;
    struct share_sums {
        size_t count;    /* rows of the kind */
        double sum;      /* S_k */
        double variance; /* times G/(G − 1); NaN of one cluster */
    } * at;              /* [n] */
};

int shares_gather(struct shares *out, size_t n, const struct cluster_order *order,
                  enum regret_log_source source, share_of *of, const void *context);
void shares_free(struct shares *shares);

/* ---- differences.c: means of OBS and EXP, cell by cell. ---- */

/* By how much the log's mean of an agent is off, on all rows or on those of a tag. */
struct difference {
    size_t rows[REGRET_LOG_SOURCES], clusters[REGRET_LOG_SOURCES];
    double mean[REGRET_LOG_SOURCES]; /* NaN without rows */
    double value, error, df;         /* OBS − EXP; NaN where there is none */
    double p;                        /* that it is none, adjusted for all */
    double covered;                  /* share of the EXP weight that `value` is of */
};

/* Of agents, and with their tags (agent · n_tags + tag), plain means of OBS, and of EXP weighted by 1/propensity. Adjusted, of agents, after
 * what can be adjusted for: Σ_t π_at (m_O(a,t) − m_E(a,t)), π_at the share of tag t of the agent's EXP weight among the tags on which OBS has
 * two rows of the agent or more, OBS weighted by 1/propensity where it has one. π is what EXP says, and varies with it: the EXP part is the
 * mean of y − m_O(a,t). */
enum differences_kind { DIFFERENCES_OF_AGENTS, DIFFERENCES_ADJUSTED, DIFFERENCES_OF_TAGS };

/* n of one kind. */
struct differences {
    size_t n;
    struct difference *at; /* [n]; owned */
    double p;              /* that none is */
    double critical;       /* of |z|, of all at once; NaN where none can be tested */
};

/* Every mean is a ratio; its variance is the jackknife's over clusters, not below that of as many independent rows with the outcome's
 * variance in OBS and EXP together (few rows may all be alike); clusters in both sources count as such; degrees of freedom are
 * Satterthwaite's. What holds for all at once is the Gaussian multiplier bootstrap's of the largest |t| (Chernozhukov, Chetverikov and Kato,
 * Annals of Statistics 41, 2013, 2786-2819), drawn from the covariance over clusters; with more than 256 of them Šidák's, which
 * holds whatever the covariance. O(rows + cells). */
int differences_make(struct differences *out, const struct regret_log *log,
                     const struct cluster_order *order, enum differences_kind kind,
                     const struct regret_diagnose_options *options);
void differences_free(struct differences *differences);
/* The half of an interval that leaves out so much on both sides together. */
double difference_half(const struct difference *d, double two_sided);

/* ---- assignment.c: whether the agents were drawn by chance, and whether the order of rows tells the agent. ---- */

/* How EXP was assigned, as far as its probabilities tell. */

enum assignment_kind {
    ASSIGNMENT_ALIKE,    /* an agent has one probability: labels of all units may be exchanged */
    ASSIGNMENT_BY_TAG,   /* one a tag: labels may be exchanged within tags, … */
    ASSIGNMENT_BY_SLATE, /* … or slates */
    ASSIGNMENT_BY_ROW /* probabilities of the agents that were not assigned are unknown: nothing may be */
};

/* Units are what was assigned as one: rows, or clusters where every row of one has the same agent. */
struct assignment {
    enum assignment_kind kind;
    int by_cluster;
    size_t n_rows, n_units;
    uint32_t *unit;    /* [n_rows] ASSIGNMENT_NONE of a row that is not in a sample */
    uint32_t *rows;    /* [n_units] rows of a unit */
    uint32_t *first;   /* [n_units] its first row */
    uint32_t *label;   /* [n_units] below n_labels */
    uint32_t *stratum; /* [n_units] below n_strata */
    size_t n_labels, n_strata;
    uint32_t *agent;     /* [n_labels] */
    double *probability; /* [n_labels] of ASSIGNMENT_ALIKE; of the first row seen otherwise */
};
#define ASSIGNMENT_NONE UINT32_MAX

/* Probabilities are alike that differ by no more than 1e-6 of themselves. O(rows). */
int assignment_build(struct assignment *out, const struct regret_log *log,
                     const struct cluster_order *order);
/* The same of at most `most` units, chosen by the seed. */
int assignment_sample(struct assignment *out, const struct assignment *d, size_t most,
                      uint64_t seed);
void assignment_free(struct assignment *d);

/* Features of rows, gathered as places of a matrix of units. */

/* Units × dimensions; a unit of several rows has their mean. NULL `x`: there is nothing of the kind. */
struct block {
    struct regret_csr *x;
    size_t *source; /* [dimensions] what one is of: tag, covariate; of words the place of a term */
};

void block_free(struct block *block);

struct triplets {
    const struct assignment *assignment; /* borrowed */
    size_t n, capacity[3];
    size_t *unit, *dimension;
    double *value;
};

/* Adds a row's value to its unit, over the unit's rows; nothing where the unit is not in the sample. */
int triplets_add(struct triplets *t, size_t row, size_t dimension, double value);
/* The matrix, and `source` [dimensions], which is taken over. */
int triplets_take(struct block *out, struct triplets *t, size_t dimensions, size_t *source);
void triplets_free(struct triplets *t);

/* Features of units that assignment must not depend on. */

int block_tags(struct block *out, const struct regret_log *log, const struct assignment *d);
/* Ranks of numbers and whether one is missing; words one by one. */
int block_covariates(struct block *out, const struct regret_log *log, const struct assignment *d);
int block_length(struct block *out, const struct regret_log *log, const struct assignment *d);
/* The rank, and eighths of the rows in order of time. */
int block_time(struct block *out, const struct regret_log *log, const struct assignment *d);
/* Whether a text has a word (no stop words), of the words that most units have, at most 1,000, each in ten units or more. */
int block_words(struct block *out, const struct regret_log *log, const struct assignment *d);

/* The word of a text that dimension `j` of block_words() is of, as it is written there. Found by trying the texts again. */
int block_word(char **out, const struct block *block, size_t j, const struct regret_log *log,
               const struct assignment *d);

/* ranks[i] in (0,1) of values[i], alike where they are equal; NaN of a NaN. O(n log n). */
int block_ranks(double *ranks, const double *values, size_t n);

/* ---- permute.c: permutation tests of balance over tags, numbers and words. ---- */

/* Assignment against features, by exchanging labels. */

struct permutation_options {
    size_t resamples, threads;
    uint64_t seed, stream; /* a stream of its own for each permutation */
};

enum {
    FEW_PERMUTATIONS = 10, /* that reach what is seen, below which … */
    MORE_PERMUTATIONS = 10 /* … so many times as many are made */
};

/* Units with those of a stratum together, from start[stratum] on; both to be freed by the caller, whatever is returned. */
int group_by_stratum(size_t **units, size_t **start, const struct assignment *d);
/* The labels of permutation `index`, exchanged within strata. */
void permute_labels(uint32_t *labels, const struct assignment *d, const size_t *by_stratum,
                    const size_t *start, const struct permutation_options *options, size_t index);

/* Looks at the labels of one permutation, by as many workers as there are threads; how many of the first n reach what is seen. */
typedef void permuted(void *context, const uint32_t *labels, size_t index, size_t worker);
typedef size_t reached_by(const void *context, size_t n);
/* Makes options->resamples permutations, and ten times as many where few of them reach what is seen; *made is how many. */
int permutations_look(size_t *made, const struct assignment *d,
                      const struct permutation_options *options, permuted *look,
                      reached_by *reached, void *context);

/* What was found; the dimension and label that depart the most, and the label's mean of the feature beside what the others'
 * would let expect. */
struct imbalance {
    double p;
    size_t dimension, label;
    double mean, expected;
    size_t permutations; /* 0 of a test without any */
};

/* With T_ad the sum of feature d over units of label a, E_ad its mean under exchange within strata, N_a units of the label
 * and v_d the feature's variance within strata, Q_d = Σ_a (T_ad − E_ad)²/(N_a v_d). Tested are Σ_d Q_d and max_d Q_d, each
 * by permutation, and twice the smaller probability is told; one dimension is tested once. Exact whatever features
 * and clusters are, where assignment is independent from unit to unit with the stated probabilities. Ten times as many
 * permutations are made where fewer than ten reach what is seen. p is NaN where nothing varies. O(permutations · (entries +
 * labels · dimensions)). */
int permutation_test(struct imbalance *out, const struct assignment *d, const struct block *block,
                     const struct permutation_options *options);

/* Assignment against features where only the probability of the agent that was assigned is known. */

/* The mean of 1{A=a}/p (g − ḡ) is zero for every agent and feature g, whatever clusters and probabilities (Horvitz and
 * Thompson, JASA 47, 1952). Each is held against its variance over clusters, or that of independent rows where it is larger, Student's t
 * with as many degrees of freedom as rows in effect vary the feature of the agent less one (eight, or it is not tested), all together by
 * Šidák's bound. Units of `d` are rows. O(dimensions · rows). */
int weighted_test(struct imbalance *out, const struct regret_log *log, const struct assignment *d,
                  const struct block *block, const struct cluster_order *order);

/* Is an agent assigned more, or less, often after itself than chance would? */

struct succession {
    double p;            /* two-sided; NaN where there are no neighbours */
    size_t pairs, alike; /* neighbours, and those of one agent */
    double expected;     /* of these, under exchange of labels */
};

/* Neighbours are rows of EXP that follow each other in time within a cluster, or, where clusters have few (below ten), units that
 * follow each other in the whole of EXP; rows at one time have no order and are none. Without times: all pairs of
 * a cluster. By permutation of labels, within strata. */
int sequence_test(struct succession *out, const struct regret_log *log, const struct assignment *d,
                  const struct cluster_order *order, const struct permutation_options *options);

/* ---- repeats.c: rows that stand twice, and trials within logs. ---- */

/* Rows that stand in a log again, in sequence. */

enum { REPEATS_WINDOW = 8 /* rows in sequence that do not come again by chance */ };

/* The share of sequences of so many rows, not all of one kind, that came before: context, agent, cluster, outcome and time all the
 * same. Of at most about 2^20 sequences, chosen by their hash, *windows is the number. O(rows). */
int repeats_count(double *share, size_t *windows, const struct regret_log_rows *rows);

/* How often every row stands in the source, whatever its context is called: the greatest number that divides the counts of all
 * kinds of rows (agent, outcome, time, tag, covariates). 1 where the kinds are so few that chance may do it, or where not all
 * contexts have their covariates. Finds a table pasted or joined so that each of its rows is there k
 * times. O(rows · (covariates + log rows)). */
int repeats_times(size_t *times, const struct regret_log *of, enum regret_log_source source);

/* Contexts with the same text. */

/* first[x] of every context: the first one with the same text, ASCII letters made small and white space made one blank, none at the
 * ends; x itself where it has none. *n_texts: contexts with a text. Texts are told by 64-bit hashes. O(bytes). */
int texts_find_copies(uint32_t *first, size_t *n_texts, const struct regret_log *log);

/* Rows of the trial that are rows of the log as well. */

struct same_rows {
    size_t
        n; /* rows of EXP of which OBS has one that says the same: context, agent, cluster, outcome and time */
    double share; /* of EXP's rows that are copies; 0: no more are alike than chance makes */
    uint64_t exp_line, obs_line; /* the first such rows; 0: only their sequence tells */
};

/* Of a context that both have, chance gives the agent of the log with a known probability, and with it perhaps the same outcome: what
 * is alike beyond that is copied. Where all contexts have rows of all agents this says nothing, and rows in sequence do. Contexts are
 * compared by their names and, for copies may have others or none, by all that they are told by (text, tag, covariates): what finds
 * more copies counts. Both sources have rows. O(rows). */
int same_rows_count(struct same_rows *out, const struct regret_log *log);

/* ---- sensitivity.c: how strong hidden confounding would have to be. ---- */

/* The marginal sensitivity model: Tan, JASA 101 (2006) 1619-1637; Zhao, Small and Bhattacharya, JRSS B 81 (2019) 735-761. */

/* Outcomes of OBS by agent, in classes of equal width, each row with e(x), the chance that its agent is chosen: as given, else the
 * agent's share of the rows of the tag, else of all rows. */
struct odds {
    size_t n_agents, n_classes;
    struct odds_class {
        double one, one_y;   /* Σ 1, Σ y */
        double more, more_y; /* Σ (1/e − 1), Σ (1/e − 1) y */
    } * at;                  /* [agents × classes] */
    double *value;           /* [agents] Σ y/e / Σ 1/e; NaN without rows */
    size_t *rows;            /* [agents] */
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
