/* Attribute effects of reward models by the Rewrite-based Attribute Treatment Estimators
 * ("rewrite-based RATE", not to be confused with the rank-weighted average treatment effect):
 * Reber, Richardson, Nief, Garbacea and Veitch, "RATE: Causal Explainability of Reward Models with
 * Imperfect Counterfactuals".
 *
 * A row is one response with its attribute W and the rewards of three texts: the original (O), the
 * rewrite with the attribute flipped (R) and the rewrite of the rewrite (RR). This header reads the
 * rows and estimates; rate/typos.h has the experiments, rate/report.h tables and figures. */
#ifndef REGRET_RATE_H
#define REGRET_RATE_H

#include <stddef.h>
#include <stdint.h>

#include "regret/buffer.h"
#include "regret/status.h"

/* The three texts of a row. */
enum regret_rate_side { REGRET_SIDE_ORIGINAL, REGRET_SIDE_REWRITE, REGRET_SIDE_REWRITE_OF_REWRITE };
enum { REGRET_N_SIDES = 3, REGRET_RATE_MAX_MODELS = 64 };
#define REGRET_RATE_NO_CLUSTER UINT32_MAX

/* The value of a boolean label of a row (W, or the off-target Z). */
enum regret_rate_label {
    REGRET_LABEL_0 = 0,
    REGRET_LABEL_1 = 1,
    REGRET_LABEL_MISSING = 2,     /* absent or null */
    REGRET_LABEL_NOT_BOOLEAN = 3, /* present, and none of true, false, 1, 0, "True", … */
    REGRET_LABEL_EXCLUDED = 4     /* W of a row set aside: a duplicate, or unpredictable */
};

/* What can be wrong with a row that is nevertheless well-formed JSON. Such a row is kept, counted
 * and named by its line, and left out of exactly the estimates it cannot serve. */
enum regret_rate_issue_kind {
    REGRET_RATE_ISSUE_W_MISSING,        /* and no classifier was named */
    REGRET_RATE_ISSUE_W_NOT_BOOLEAN,    /* 2, "yes", … */
    REGRET_RATE_ISSUE_W_UNPREDICTABLE,  /* missing, and the classifier's input is missing, too */
    REGRET_RATE_ISSUE_DUPLICATE,        /* a (dataset, attribute, id) seen before: the first counts.
                                      But a row that agrees in W and Z and has only reward models
                                      that the first lacks is merged into it */
    REGRET_RATE_ISSUE_SCORE_NOT_NUMBER, /* present, and neither a number nor null */
    REGRET_RATE_ISSUE_SCORE_MISSING,    /* the model scored some of this row's texts, not all */
    REGRET_RATE_ISSUE_MODEL_ABSENT,     /* other rows of the group have this reward model */
    REGRET_RATE_ISSUE_Z_NOT_BOOLEAN,
    REGRET_RATE_ISSUE_TOO_LONG,          /* set aside by regret_rate_drop_long() */
    REGRET_RATE_ISSUE_ROW_MALFORMED,     /* left out on request (skip_bad) */
    REGRET_RATE_ISSUE_SCORE_KEY_UNKNOWN, /* beside the keys of scores, or instead of one */
    REGRET_RATE_ISSUE_SCORES_EQUAL,      /* all the scores of a model in a group: it tells nothing
                                            apart */
    REGRET_RATE_N_ISSUES
};
REGRET_API const char *
regret_rate_issue_name(enum regret_rate_issue_kind issue); /* "w-missing", … */
REGRET_API const char *
regret_rate_issue_remedy(enum regret_rate_issue_kind issue); /* one line for people */

enum { REGRET_RATE_ISSUE_EXAMPLES = 8, REGRET_RATE_ISSUE_DETAIL = 64 };
struct regret_rate_issue {
    size_t count; /* rows; for the issues of scores, (row, reward model) pairs; for equal scores,
                     (group, reward model) pairs */
    struct {
        uint32_t file, model; /* indices; model is UINT32_MAX where none is meant */
        size_t line;
        char detail[REGRET_RATE_ISSUE_DETAIL]; /* an unknown key, why a row is malformed; or "" */
    } examples[REGRET_RATE_ISSUE_EXAMPLES]; /* the first min(count, REGRET_RATE_ISSUE_EXAMPLES) */
};

/* One reward model's scores of one row. Pointwise: the rewards of the three texts, by side.
 * Contrastive, R(x, y1, y0) with the text that has W = 1 first: [0] of (original, rewrite), [1] of
 * (rewrite of rewrite, rewrite); [2] is unused. NaN: missing. */
struct regret_rate_scores {
    struct regret_span model;
    int contrastive;
    int doubtful; /* 1: has no number, and may be no reward model: taken for one only when another
                     row before has shown it to be one */
    unsigned bad; /* bit s: side s was present and neither a number nor null */
    struct regret_span
        unknown; /* the first key that is none of a score; text NULL: there is none */
    double value[REGRET_N_SIDES];
};

/* One row as it is read or handed over. Every span is borrowed. */
struct regret_rate_row {
    struct regret_span id, dataset, attribute, prompt;
    struct regret_span cluster; /* what names the cluster it belongs to; absent: one of its own */
    struct regret_span rewriter, repeat; /* which of several rewrites of the original; or absent */
    struct regret_span completion[REGRET_N_SIDES];
    enum regret_rate_label w, z;
    size_t n_scores;
    struct regret_rate_scores scores[REGRET_RATE_MAX_MODELS];
    uint32_t file; /* index into `files` of the rows */
    size_t line;   /* from 1 */
};

struct regret_rate_group {
    char *dataset, *attribute; /* "" where absent; owned */
};

struct regret_rate_model {
    char *name; /* owned */
    int contrastive;
    char *base, *rewriter, *repeat; /* of a model that scores one of several rewrites: the reward
                                       model, and what the rows say, or NULL; owned */
    size_t part_of;                 /* 1 + the model that is the mean of this and others; 0: none */
    double *score[REGRET_N_SIDES];  /* each of n_rows (see regret_rate_scores); owned */
};

struct regret_rate_row_texts {
    char *prompt;                     /* NULL when absent; owned */
    char *completion[REGRET_N_SIDES]; /* likewise */
};

struct regret_rate_file {
    char *name;      /* owned */
    int is_document; /* 1: one JSON document; the `line` of its rows is their number, from 1 */
    size_t n_scored; /* rows that name a reward model */
};

struct regret_rate_index; /* opaque: how names and ids are found again */

/* All rows, column by column. Read its members freely; change them only through the functions. */
struct regret_rate_rows {
    size_t n_rows, capacity;
    uint32_t *group;      /* n_rows: index into groups */
    uint8_t *w, *z;       /* n_rows: enum regret_rate_label */
    uint8_t *w_predicted; /* n_rows: 1 where W is a classifier's and not the data's */
    uint32_t *cluster;    /* n_rows: below n_clusters, or REGRET_RATE_NO_CLUSTER */
    size_t n_clusters;    /* told apart, over all groups */
    char *cluster_key;    /* the key that named them, of rows that were read; or NULL; owned */
    uint32_t *file;       /* n_rows: index into files */
    size_t *line;         /* n_rows: from 1 (see regret_rate_file) */
    struct regret_rate_row_texts *texts; /* n_rows, or NULL unless keep_texts */
    size_t n_groups;
    struct regret_rate_group *groups;
    size_t n_models; /* at most REGRET_RATE_MAX_MODELS */
    struct regret_rate_model models[REGRET_RATE_MAX_MODELS];
    size_t n_files;
    struct regret_rate_file *files;
    struct regret_rate_issue issues[REGRET_RATE_N_ISSUES];
    double predictor_agreement; /* share of given labels that cross-fitted (text) or plain
                                   (threshold) prediction repeats; NaN without a classifier */
    unsigned char
        *needed; /* n_groups × n_models, of a finished table: bit s where a row with W has a
                              score of side s, which so is needed of every row of the group; bit
                              REGRET_N_SIDES where the model is named at all */
    struct regret_rate_index *index;
    int keep_texts;
};

/* An empty table; free it with regret_rate_rows_free() (NULL is fine). With keep_texts the
 * prompt and the completions are copied, too. */
REGRET_API int regret_rate_rows_new(struct regret_rate_rows **out, int keep_texts);
REGRET_API void regret_rate_rows_free(struct regret_rate_rows *rows);
/* Appends a row (everything is copied). Amortised O(models). On failure the table is as before,
 * but for names it may have learnt. */
REGRET_API int regret_rate_rows_add(struct regret_rate_rows *rows,
                                    const struct regret_rate_row *row);
/* Rows that name a rewriter or a repeat are rewrites of one response, if they have its id and agree in W, Z
 * and the original: they make one row, in which reward model M has become "M@rewriter#repeat". This adds
 * their means, by response: "M@rewriter" over the repeats of a rewriter, and "M" over all rewrites, every
 * one alike. A response's mean is over the rewrites that have all the scores that its others have; that of
 * O is over all. REGRET_E_INPUT where such a name is taken: by rows of the same reward model without a
 * rewriter, or a repeat. Call it after the last row, once. O(n_rows · models). */
REGRET_API int regret_rate_average_rewrites(struct regret_rate_rows *rows);
/* Counts the issues that only the whole table shows (missing W and scores, absent models). Call it
 * once, after the last row, the edits and the prediction of W. O(n_rows · models). A score that is
 * not a number is counted as missing, too. */
REGRET_API int regret_rate_rows_finish(struct regret_rate_rows *rows);

/* What rows without ids are when several files have rows of the same dataset and attribute: perhaps
 * the same responses, scored by different models, which must not count twice. */
enum regret_rate_without_ids {
    REGRET_RATE_IDS_WANTED,  /* such files are refused */
    REGRET_RATE_IDS_PAIR,    /* the k-th row of each file is the same response, unless W, Z or the
                               originals (where both are there) differ: it is a duplicate then */
    REGRET_RATE_IDS_SEPARATE /* each row is a response of its own */
};

struct regret_rate_read_options {
    const char *dataset, *attribute; /* for rows that do not say; NULL: "" */
    const char *cluster_key; /* the key that names a row's cluster; NULL: "prompt", which in the
                                authors' layout is "reward_question"; "none": none does */
    const char
        *dataset_field;  /* the key of the dataset, a string or a whole number; NULL: "dataset" */
    const char *z_field; /* the off-target label's key; NULL: "z" */
    const char *w_field; /* the key of W, in either layout; NULL: "w", "w_original" */
    const double *w_above,
        *z_above; /* not NULL: a number is a rating, and the label 1 above this */
    int keep_texts;
    int need_scores; /* 1: a file none of whose rows names a reward model is refused */
    int skip_bad;    /* 1: malformed rows are issues, and left out, instead of ending the reading */
    enum regret_rate_without_ids without_ids;
};

/* Reads rows in our layout or the authors' own, and does not finish the table:
 *
 *   ours      {"id", "dataset", "attribute", "w", "z", "prompt", "completions": {"original",
 *             "rewrite", "rewrite_of_rewrite"}, "scores": {MODEL: {the same three keys}},
 *             "contrasts": {MODEL: {"single", "double"}}}
 *   authors'  {"w_original", "reward_question", "completions": {"original", "rewrite",
 *             "rewritten rewrite"}, MODEL: {the same three keys}, …}: every other object that has
 *             one of the three keys, and holds a number in some row, is a reward model
 *
 * A file ending in .csv or .tsv is a table, one response a record, whose columns are named as pandas'
 * json_normalize() names them: id, dataset, attribute, w (or w_original), z, prompt (or
 * reward_question), completions.SIDE, scores.MODEL.SIDE (or MODEL.SIDE), contrasts.MODEL.single and
 * .double, SIDE being one of the keys above. Other columns are skipped; an empty field is null.
 *
 * Any other file is JSONL, one row a line, or an array of rows, both streamed; or an object of rows by id (256 MiB at most, and
 * not from a pipe), told by its content. A row without an id of its own has its key's.
 *
 * Only W and one score are needed to be of use. W and Z may be true, false, 1, 0, or the words in
 * quotes, in any case. null, and NaN and Infinity as Python writes them, mean that there is nothing; an escape for no character
 * (\u0000, half a surrogate pair) is U+FFFD. A malformed line is refused as REGRET_E_INPUT with "FILE:LINE: …" (or left out,
 * with skip_bad); whatever is merely incomplete is kept and becomes an issue. The path "-" is standard
 * input. */
REGRET_API int regret_rate_read(struct regret_rate_rows **out, const char *const *paths,
                                size_t n_paths, const struct regret_rate_read_options *options);

/* Appends the rows as JSONL in our layout, as regret_rate_read() takes them. */
REGRET_API void regret_rate_write_rows(struct regret_buffer *out,
                                       const struct regret_rate_rows *rows);

/* Adds the reward model log π(y|x) − log π0(y|x) of a model edit (thesis, section 7): `name` is the
 * difference of the pointwise models `edited` and `base`, which hold log-likelihoods. */
REGRET_API int regret_rate_add_edit(struct regret_rate_rows *rows, const char *name,
                                    const char *edited, const char *base);

/* Predicts W of the rows that lack it, by one of
 *   "length:T"       the original has more than T characters
 *   "score:MODEL:T"  the original's reward by MODEL is above T
 *   "text"           a ridge on hashed words of the original (penalty 1, threshold 1/2), fitted on
 *                    the labelled rows of the same group, of which both values need two or more
 * "length" and "text" want keep_texts. Rows it cannot label become issues. After a failure of
 * "text" some groups may have been labelled. */
REGRET_API int regret_rate_predict_w(struct regret_rate_rows *rows, const char *classifier);

/* Sets the rows aside one of whose texts has more than `most` words (runs of anything but white space):
 * the paper's Fig. 4 leaves out what exceeds the context of its reward model in any of them. Rows without
 * texts stay. Call it before W is predicted; wants keep_texts. */
REGRET_API int regret_rate_drop_long(struct regret_rate_rows *rows, size_t most);

/* Puts the datasets of one attribute together, as the paper's Fig. 5 does ("IMDB+ELI5"): groups are
 * then attributes. Duplicates were settled within the datasets. Call it after the last row and
 * before finishing; W is best predicted before. O(n_rows + groups²). */
REGRET_API int regret_rate_combine_datasets(struct regret_rate_rows *rows);

/* The quantities estimated for one reward model in one group. */
enum regret_rate_effect_kind {
    REGRET_EFFECT_NAIVE,      /* mean(O | W=1) − mean(O | W=0) */
    REGRET_EFFECT_SINGLE_ATE, /* δ = O − R where W=1, R − O where W=0 */
    REGRET_EFFECT_SINGLE_ATT,
    REGRET_EFFECT_SINGLE_ATU,
    REGRET_EFFECT_RATE_ATE, /* δ = RR − R where W=1, R − RR where W=0 */
    REGRET_EFFECT_RATE_ATT,
    REGRET_EFFECT_RATE_ATU,
    REGRET_EFFECT_DRIFT_1, /* mean(RR − O | W=1): what rewriting changed off target; equals
                              RATE ATT − single ATT */
    REGRET_EFFECT_DRIFT_0, /* mean(RR − O | W=0); equals single ATU − RATE ATU */
    REGRET_N_EFFECTS
};
REGRET_API const char *regret_rate_effect_name(enum regret_rate_effect_kind kind); /* "naive", … */

struct regret_rate_effect {
    size_t n;           /* rows behind it */
    size_t n_clusters;  /* clusters behind it; n where rows are independent */
    double estimate;    /* NaN when missing */
    double se;          /* the one asked for: CR2 of clusters; Welch's for the naive estimate */
    double df;          /* degrees of freedom of se (Satterthwaite's) */
    double quantile;    /* of the interval: t at .975 and df, or 1.96 */
    double se_paired;   /* sd(δ)/√n, of independent rows; NaN for the naive estimate */
    double se_unpaired; /* √(var(do 1)/n + var(do 0)/n); NaN for naive and contrastive */
    double low, high;   /* estimate ± quantile · se */
    double d,
        d_se; /* Cohen's d, over the pooled within-W deviation of O, and its error by the jackknife over clusters; with
                           REGRET_SE_UNPAIRED the authors': se over that deviation */
    double boot_se;             /* by the bootstrap over clusters; NaN without */
    double boot_low, boot_high; /* its 95 % percentile interval */
    const char *missing;        /* why there is no estimate (static text); NULL when there is */
};

/* The least true effect that this estimate finds different from zero with 80 % power, by a two-sided
 * test of size .05 (stats/multiplicity.h); NaN where the effect is missing. */
REGRET_API double regret_rate_detectable(const struct regret_rate_effect *effect);

struct regret_rate_estimate {
    size_t group, model;   /* indices into the table */
    size_t n_rows;         /* rows of the group */
    size_t n_used, n1, n0; /* of them used for this model, with W = 1, with W = 0 */
    size_t n_predicted;    /* of the used ones, with a predicted W */
    int clustered;         /* 1: some rows of the group share a cluster, and that counts */
    double pooled_sd;      /* of O within W; NaN with fewer than two rows on a side */
    struct regret_rate_effect effects[REGRET_N_EFFECTS];
};

enum regret_rate_se {
    REGRET_SE_PAIRED,
    REGRET_SE_UNPAIRED /* for the double-rewrite estimators, as the authors' code has it; rows are
                          independent then, and intervals normal, whatever the other options say */
};

/* Which rows are taken to depend on each other. */
enum regret_rate_clusters {
    REGRET_CLUSTERS_OF_GROUP, /* those that share a cluster, in groups that have more than one: a
                                 prompt that all rows have is a constant, and says nothing */
    REGRET_CLUSTERS_ALWAYS,   /* those that share a cluster; of one there is no interval */
    REGRET_CLUSTERS_NONE      /* none: every row is drawn by itself */
};

enum regret_rate_interval {
    REGRET_INTERVAL_STUDENT, /* t at the degrees of freedom of the standard error */
    REGRET_INTERVAL_NORMAL   /* ±1.96, as in the authors' code */
};

struct regret_rate_options {
    enum regret_rate_se se;
    enum regret_rate_clusters clusters;
    enum regret_rate_interval interval;
    size_t bootstrap; /* replicates; 0: none */
    uint64_t seed;    /* of the bootstrap */
    size_t threads;   /* of the bootstrap; >= 1 */
    /* The rows to use, as increasing indices; NULL: all. */
    const size_t *subset;
    size_t n_subset;
};

/* Estimates every reward model in every group, groups first. A row serves a model when it has W and
 * every score of a kind that the model has in any row with W of the group (so naive, single and double
 * estimates of one model rest on the same rows). *out is an array of *n that the caller frees with
 * regret_free(). Groups that do not name a model give no element; where one is named and no row can
 * be used, its effects are missing. So is a result too large for a double. O(rows · models), and
 * O(rows · models) a bootstrap replicate.
 *
 * Standard errors of clusters are bias-reduced (CR2) with Satterthwaite's degrees of freedom (Bell
 * and McCaffrey, "Bias reduction in standard errors for linear regression with multi-stage samples",
 * Survey Methodology 28 (2002) 169-181; Pustejovsky and Tipton 2018,
 * doi:10.1080/07350015.2016.1247004). docs/rate.md has the closed forms. Where every
 * cluster is one row they are sd(δ)/√n with n − 1, and Welch's. */
REGRET_API int regret_rate_estimate(struct regret_rate_estimate **out, size_t *n,
                                    const struct regret_rate_rows *rows,
                                    const struct regret_rate_options *options);

#endif
