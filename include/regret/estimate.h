/* Estimator families, their hyper-parameters, the proxy z. */
#ifndef REGRET_ESTIMATE_H
#define REGRET_ESTIMATE_H

#include <stddef.h>
#include <stdint.h>

#include "regret/design.h"
#include "regret/status.h"
#include "regret/task.h"
#include "regret/text.h"

/* The estimator families of protocol §5, causal cross-validation, and what they share.
 *
 * A problem is one replicate as an estimator sees it: features of every pair, OBS and EXP rows, the
 * folds. A family turns it into predictions for every pair of the grid. No family sees the segment
 * of a row, the target, or an outcome of a held-out context. */

/* A partition of the EXP rows. */
enum regret_fold_mode {
    REGRET_FOLDS_NONE,    /* too few rows to leave any out */
    REGRET_FOLDS_AGENTS,  /* whole agents together: causal cross-validation */
    REGRET_FOLDS_ROWS,    /* rows: the stated fallback, and DR cross-fitting */
    REGRET_FOLDS_HOLDOUT, /* no folds but one part carved out: how grounded-linear may be tuned */
    REGRET_FOLDS_CONTEXTS /* whole contexts together: DR cross-fitting */
};
REGRET_API const char *regret_fold_mode_name(enum regret_fold_mode mode); /* "agents" */

struct regret_folds {
    enum regret_fold_mode mode;
    size_t n_folds; /* 0 when mode is REGRET_FOLDS_NONE */
    size_t n_rows;
    uint32_t *fold;              /* [n_rows] fold of each row, 0..n_folds-1 */
    struct regret_sample **part; /* [n_folds] the rows of each fold, gathered */
};

/* Folds over the agents present in the rows (protocol §5): a random order of the agents (stream
 * (seed, REGRET_RNG_CV_FOLDS, 0)) dealt out in turn. Fewer agents than `n_folds`: folds over rows,
 * min(n_folds, n) of them; fewer than two rows: none. `agent` gives the agent of a pair. */
REGRET_API int regret_folds_by_agent(struct regret_folds **out, const struct regret_rows *rows,
                                     size_t n_pairs, const uint32_t *agent, size_t n_agents,
                                     size_t n_folds, uint64_t seed);
/* Row folds: a random order of the rows (stream (seed, purpose, 0)) dealt out in turn. */
REGRET_API int regret_folds_by_row(struct regret_folds **out, const struct regret_rows *rows,
                                   size_t n_pairs, size_t n_folds, uint64_t seed, uint32_t purpose);
/* Folds over the contexts present in the rows, min(n_folds, contexts) of them: a random order of the
 * contexts (stream (seed, purpose, 0)) dealt out in turn. Fewer than two contexts: none.
 * `context` gives the context of a pair. */
REGRET_API int regret_folds_by_context(struct regret_folds **out, const struct regret_rows *rows,
                                       size_t n_pairs, const uint32_t *context, size_t n_contexts,
                                       size_t n_folds, uint64_t seed, uint32_t purpose);
REGRET_API void regret_folds_free(struct regret_folds *folds);

/* L_k of protocol §5 for one left-out part. Agent folds: Σ_a (n_a/Σn)(Ȳ_a − f̄_a)²; row folds: the
 * mean of (Y_i − f)². `prediction` holds clipped predictions, one an entry of the part. */
REGRET_API double regret_cv_loss(enum regret_fold_mode mode, const struct regret_sample *part,
                                 const double *prediction, const uint32_t *agent);

/* The hyper-parameters that a fit reports, each in a column of the rows (REGRET_MEASURE_LAMBDA and
 * those after it): one more is a member of the two structs below. */
enum { REGRET_N_TUNED = 4 };
REGRET_API const char *regret_tuned_name(size_t i); /* "lambda" */

/* One setting of the hyper-parameters and its causal-CV loss. */
struct regret_candidate {
    union {
        struct {
            double lambda, alpha, rho, tau; /* NaN where not tuned */
        };
        double tuned[REGRET_N_TUNED];
    };
    int basis;   /* enum regret_basis, or -1 */
    double loss; /* mean over folds of L_k; NaN when there are no folds */
};

/* The candidate of smallest loss; among those within the tolerance, loss ≤ best·(1 + tolerance) +
 * 1e-12, the one that stands first: candidates are listed from the most regularised to the least.
 * A NaN loss never wins; with no finite loss, candidate 0. n >= 1. */
REGRET_API double regret_cv_tie(double best, double tolerance);
REGRET_API size_t regret_cv_choose(const struct regret_candidate *candidates, size_t n,
                                   double tolerance);

/* Correction bases ψ_b(z) of the grounded family. */
enum regret_basis {
    REGRET_BASIS_LINEAR,      /* z */
    REGRET_BASIS_QUADRATIC,   /* z, z_j² */
    REGRET_BASIS_INTERACTIONS /* z, z_i z_j for i ≤ j ≤ 8 */
};
enum { REGRET_N_BASES = 3, REGRET_INTERACTION_DIMS = 8 };
REGRET_API const char *regret_basis_name(enum regret_basis basis);

/* ψ_b for every pair into a fresh P × *dim matrix (column-major; free with regret_free()). Columns
 * are standardised by mean and deviation (divisor n) over the pairs with train[p] != 0, each pair
 * once; a constant column becomes zero. */
REGRET_API int regret_basis_expand(double **out, size_t *dim, enum regret_basis basis,
                                   const double *z, size_t n_pairs, size_t z_dim,
                                   const unsigned char *train);

enum { REGRET_MAX_GRID = 128 };
struct regret_grid_values { /* candidate values of a hyper-parameter */
    size_t n;
    double value[REGRET_MAX_GRID];
};

/* ---------------------------------------------------------------- hyper-parameters */

enum regret_hyper_kind {
    REGRET_HYPER_GRID,   /* candidates, ascending: causal cross-validation chooses */
    REGRET_HYPER_NUMBER, /* one number */
    REGRET_HYPER_CHOICE  /* one of several words, by its place */
};
union regret_hyper_value { /* which member by the kind */
    struct regret_grid_values grid;
    double number;
    int choice;
};

/* A hyper-parameter as its family declares it, and with that a key of the configuration. */
struct regret_hyper {
    const char *key; /* "cvci.lambda" */
    const char *help;
    enum regret_hyper_kind kind;
    double low, high;           /* what a number may be */
    const char *const *choices; /* of REGRET_HYPER_CHOICE, ended by NULL */
    const char *column;         /* of the rows that tell what was used: "lambda"; NULL: in none */
    int underfits;              /* 1: above 1 it underfits the raw features (the paper's F5) */
    union regret_hyper_value preset; /* the protocol's */
};

/* Hyper-parameters of all families together: what a table of options has room for. */
enum { REGRET_MAX_HYPERS = 24 };
/* Families that the table of them has room for, and a run; and bytes of a name, with its zero. */
enum { REGRET_MAX_FAMILIES = 16, REGRET_FAMILY_NAME_SIZE = 41 };

/* Every constant of protocol §5; regret_estimate_options_default() (regret/estimate.h) has the protocol's. */
struct regret_estimate_options {
    const struct regret_hyper *of[REGRET_MAX_HYPERS];  /* every hyper-parameter, then NULL */
    union regret_hyper_value hyper[REGRET_MAX_HYPERS]; /* its value */
    double tie_tolerance;                              /* 1e-8 */
    int cross_fit;                                     /* 1: also out-of-fold, for DR */
    int all_losses; /* 1: every candidate's loss is exact, too where less would do for the choice; 0 */
    int clip_baseline; /* 1: f_O is moved into [0,1] before residuals are formed of it; 0 */
    const struct regret_family *const
        *families; /* the table, ended by NULL, for families made of others */
};

/* Where the options have the hyper-parameter of that key; NULL where there is none. */
REGRET_API union regret_hyper_value *regret_hyper_of(struct regret_estimate_options *options,
                                                     const char *key);

struct regret_problem {
    size_t pairs;          /* P */
    const uint32_t *agent; /* [P] agent of a pair */
    size_t n_agents;
    const uint32_t *context; /* [P] context of a pair */
    size_t n_contexts;
    const uint32_t
        *tag;      /* [n_contexts] tag of a context, below n_tags; NULL where there are none */
    size_t n_tags; /* 0 where there are none */
    const double *
        words; /* w(x), n_contexts × words_rank, column-major: directions of the contexts' words, the leading
                            first; made for families that cross words alone, else NULL */
    size_t words_rank; /* 0 then */
    const struct regret_csr
        *common_words; /* words × n_contexts, regret_common_words(); made with `words`, else NULL */
    const double *
        own; /* k(x), n_contexts × own_rank, column-major: directions of the contexts' own columns, the leading first;
                      made with `words` where φ has own columns, else NULL */
    size_t own_rank;            /* 0 then */
    const unsigned char *train; /* [P] 1 for pairs of training contexts */
    struct regret_design phi;   /* raw features in coordinates: their Gram matrix is that of φ */
    struct regret_design z;     /* the proxy */
    const struct regret_rows *obs, *exp;
    const struct regret_folds *cv; /* causal cross-validation folds over EXP */
    const struct regret_folds
        *obs_cv;                   /* folds over the contexts of OBS, by which ρ_O is chosen; may
                                          be NULL where obs_only.rho is one number */
    const struct regret_folds *dr; /* DR cross-fitting folds over EXP */
    const unsigned char
        *eval; /* [P] 1: V_DM is of these pairs; NULL: nobody asks what folds make of it */
    const double *
        share; /* [P] what a pair counts where the draws of an (x, a) count as one; NULL: all alike */
    uint64_t seed;     /* names the holdout and the OBS folds */
    int of_one_source; /* 1: OBS or EXP may have no rows, for families that read one alone */
};

/* Variances of family mixed: of its blocks, then of contexts, of outputs and of the noise (protocol §5). */
enum { REGRET_N_VARIANCES = 12, REGRET_MOST_PICKED = 8 };

/* A library of family stack: its members are the first of the list. */
enum { REGRET_MAX_LIBRARIES = 5 };
struct regret_library {
    const char *name; /* "tags" */
    size_t n_members;
    double loss;       /* cross-validated; NaN where nothing could be left out */
    double difference; /* from the least loss, >= 0 */
    double error;      /* its standard error, by contexts */
};

/* A part of family stack. */
struct regret_estimate;
struct regret_member {
    const char *name;                 /* of the family, or of the baseline */
    double weight;                    /* >= 0, of sum 1 */
    struct regret_estimate *estimate; /* of the family; NULL of a baseline; shared */
};

/* What a family makes of a problem. */
struct regret_estimate {
    double *prediction; /* [P] f, clipped to [0,1] */
    double *
        unclipped; /* [P] f as agents are chosen by it, where ends of [0,1] would make ties; NULL: `prediction` */
    double *cross_fit; /* [EXP rows] f fitted without the row's DR fold, clipped; NULL when
                           options.cross_fit is 0; NaN throughout when there are no folds, save
                           for obs-only, which never saw EXP */
    double *fold_mean; /* [P] Σ_k (n_k / n_E) f^(−k), of regret_refit_folds(); else NULL */
    double *
        fold_value; /* [DR folds × n_agents] V_DM of f^(−k); NULL where that is not made: without `eval`, of a
                           family that never saw EXP */
    union {
        struct {
            double lambda, alpha, rho, tau; /* chosen, NaN where the family has none */
        };
        double tuned[REGRET_N_TUNED];
    };
    int basis;                           /* enum regret_basis, or -1 */
    int cv_mode;                         /* enum regret_fold_mode, or -1 when nothing was tuned */
    double plain_rho[2];                 /* ρ_E, then ρ_O, of φ where its fit has them, else 0 */
    double variance[REGRET_N_VARIANCES]; /* of family mixed, 0 of what it lacks; 0 of the others */
    uint32_t picked
        [REGRET_MOST_PICKED]; /* of family mixed: words by which agents differ, as common_words numbers them */
    size_t n_picked;
    /* Every candidate of the tuning, from the most regularised to the least. */
    size_t n_candidates;
    struct regret_candidate *candidates;
    /* Of family stack. */
    size_t n_members;
    struct regret_member *member;
    size_t n_libraries; /* that it chose from, from the simplest on */
    struct regret_library library[REGRET_MAX_LIBRARIES];
    size_t chosen_library;
    size_t sharers; /* how many besides one will free it */
};
REGRET_API void regret_estimate_free(struct regret_estimate *estimate);

/* A session holds what the families of one problem share (the factorised pencil of φ, the OBS
 * baseline), each made when first wanted. The problem and options must outlive it. One thread. */
struct regret_session;
REGRET_API int regret_session_open(struct regret_session **out,
                                   const struct regret_problem *problem,
                                   const struct regret_estimate_options *options);
REGRET_API void regret_session_close(struct regret_session *session);

/* What a family is to those who compare families; a report asks for roles, never for names. */
enum regret_family_role {
    REGRET_ROLE_PAPER = 1 << 0,    /* one of the six that the paper ranks */
    REGRET_ROLE_OBS_BASED = 1 << 1 /* of those six, one that learns from OBS outcomes */
};
enum { REGRET_N_ROLES = 2 };
REGRET_API const char *regret_family_role_name(size_t i); /* of bit i: "obs-based" */

struct fit_work;
struct fit_sizes;

/* Everything about a family that anyone needs to know of it stands here, in its own file. */
struct regret_family {
    const char *name;                       /* "cvci" */
    const char *summary;                    /* one line */
    unsigned roles;                         /* enum regret_family_role */
    const struct regret_family *variant_of; /* compared with that one only (A.3), or NULL */
    const struct regret_hyper *hypers;      /* [n_hypers] */
    size_t n_hypers;
    int (*fit)(struct regret_estimate *estimate, struct regret_session *session);
    /* What fitting it adds to the work of a replicate, besides the predictions of every pair
     * (src/estimate/session.h); NULL: nothing. */
    void (*work)(struct fit_work *work, const struct fit_sizes *sizes);
    /* What it splits by chance besides the folds of the problem, for exports: folds of the OBS rows,
     * or EXP rows held out ((*held)[i] is 1; free with regret_free()). NULL, or NULL in *out: none. */
    int (*split_obs)(struct regret_folds **out, const struct regret_problem *problem,
                     const struct regret_estimate_options *options);
    int (*hold_out)(uint32_t **held, const struct regret_problem *problem,
                    const struct regret_estimate_options *options);
    int crosses_words; /* 1: it reads the problem's `words` */
    /* Folds of the EXP rows, likewise. */
    int (*split_exp)(struct regret_folds **out, const struct regret_problem *problem);
};

/* What `fit` of a family of the caller's reads (regret/estimate.h). */
REGRET_API const struct regret_problem *
regret_session_problem(const struct regret_session *session);
/* And what the options say of a hyper-parameter of its own; NULL of a key that there is not. */
REGRET_API const union regret_hyper_value *
regret_session_hyper(const struct regret_session *session, const char *key);

/* Fits one family; free the estimate with regret_estimate_free(). */
REGRET_API int regret_family_fit(struct regret_estimate **out, const struct regret_family *family,
                                 struct regret_session *session);

/* How regret_refit_folds() makes its fits. */
struct regret_refit {
    const uint32_t
        *context; /* [P] context of a pair: with it, what is left out with a fold are also
                                the OBS rows on the contexts of its EXP rows; NULL leaves OBS whole */
    size_t n_contexts;
    int retune; /* 1: hyper-parameters are chosen anew in every fit; 0: those of the estimate */
    size_t cv_folds; /* of causal cross-validation, where they are chosen anew */
    struct regret_session
        *whole; /* that of the whole, whose solver of an iterative φ serves the fits; or NULL */
};

/* Fits every family anew without each DR fold of the problem, and puts into estimate[i], which are
 * fits of the whole by family[i], the out-of-fold predictions `cross_fit` and `fold_mean`. NaN
 * throughout where there are no folds, or where one leaves no OBS or no EXP row. The proxy, made
 * without any outcome, is that of the problem. As dear as n_folds times the fits of the whole. */
REGRET_API int regret_refit_folds(struct regret_estimate *const *estimate,
                                  const struct regret_family *const *family, size_t n,
                                  const struct regret_problem *problem,
                                  const struct regret_estimate_options *options,
                                  const struct regret_refit *how);

/* The estimator families that there are, and with them the hyper-parameters. */

/* The table of families, in the order in which they are listed and run. */
REGRET_API size_t regret_family_count(void);
REGRET_API const struct regret_family *regret_family_at(size_t i);
REGRET_API const struct regret_family *regret_family_find(const char *name); /* or NULL */

/* Puts a family of the caller's behind those of the table; it and what it points to must outlive every use of the
 * library. For programs that link it (docs/formats.md): to be called before any configuration is read and
 * before there are threads. REGRET_E_INPUT: after that; a name that is taken or has other than lower-case letters,
 * digits and "-"; no `fit`; a hyper-parameter whose key is taken or does not begin with the name ("-" as "_") and a
 * dot; more families than REGRET_MAX_FAMILIES or hyper-parameters than REGRET_MAX_HYPERS. */
REGRET_API int regret_family_register(const struct regret_family *family);

/* Every hyper-parameter, in the order of the configuration's keys; NULL past the end. */
REGRET_API const struct regret_hyper *regret_hyper_at(size_t i);
REGRET_API const struct regret_hyper *regret_hyper_find(const char *key); /* or NULL */
/* The options of every family as the protocol has them. */
REGRET_API void regret_estimate_options_default(struct regret_estimate_options *options);

/* Proxies z(x, m): low-dimensional representations of outputs fitted on OBS without any outcome
 * (protocol §4).
 *
 * What does not depend on the replicate is prepared once a pool (regret_proxy_source); the fit then
 * sees a replicate only as the number of times each pair occurs in its OBS sample. */

enum regret_proxy_kind {
    REGRET_PROXY_AUX_SVD,
    REGRET_PROXY_PREDICTED_LABELS,
    REGRET_PROXY_TFIDF_SVD,
    REGRET_PROXY_KINDS /* their number */
};

/* "aux-svd", "predicted-labels", "tfidf-svd"; NULL for anything else. */
REGRET_API const char *regret_proxy_kind_name(enum regret_proxy_kind kind);

/* How a number about an output (an auxiliary label, a text statistic) enters a proxy, before it is
 * standardised: one output of 16,000 lines among patches of ten has |z| of hundreds as it is, and its
 * column then says nothing of the others. Every scale is a monotone map t that is fitted on OBS rows
 * and used on all pairs. */
enum regret_proxy_scale {
    REGRET_SCALE_RAW,    /* t(v) = v */
    REGRET_SCALE_LOG,    /* sign(v) ln(1 + |v|): a count of any size, a label of either sign */
    REGRET_SCALE_WINSOR, /* v moved into [q_1, q_99], the least values that at least 1 % and 99 % of
                            OBS rows do not exceed */
    REGRET_SCALE_RANK,   /* (#{v_i < v} + #{v_i = v}/2) / n over OBS rows */
    REGRET_PROXY_SCALES  /* their number */
};

/* Brings the columns of x (rows x cols, column-major) onto a scale fitted on the rows with multiplicity
 * count[i] >= 0. REGRET_E_NUMERIC names a column with a value that is not finite, and x is then as it
 * was. O(cols · rows log rows). */
REGRET_API int regret_proxy_rescale(double *x, size_t rows, size_t cols, const double *count,
                                    enum regret_proxy_scale scale);

/* Per-pool data of P pairs, all borrowed, read only: one source serves many threads. */
struct regret_proxy_source {
    size_t n_pairs;                   /* P */
    const double *aux;                /* P x n_aux auxiliary labels T */
    size_t n_aux;                     /* may be 0 for aux-svd and tfidf-svd */
    const double *statistics;         /* P x n_statistics, regret_text_statistics(); aux-svd */
    size_t n_statistics;              /* may be 0 */
    const struct regret_terms *terms; /* of the outputs, document i = pair i; the two SVD kinds */
    const struct regret_design *features; /* φ of the pairs; predicted-labels */
};

struct regret_proxy_options {
    enum regret_proxy_kind kind;
    size_t dim;                    /* components of z, >= 1 */
    size_t tfidf_rank;             /* rank of the TF-IDF+SVD block of aux-svd */
    size_t max_terms;              /* vocabulary */
    double ridge;                  /* ρ > 0 of predicted-labels */
    enum regret_proxy_scale scale; /* of aux labels and text statistics */
    int standardise; /* every component of z by its mean and deviation over OBS rows */
    uint64_t
        seed; /* of the start of Lanczos where the SVD takes that method; results do not show it */
};
#define REGRET_PROXY_OPTIONS_INIT                                                                  \
    {                                                                                              \
        REGRET_PROXY_AUX_SVD, 16, 50, 50000, 1.0, REGRET_SCALE_WINSOR, 1, 0                        \
    }

/* Fits the proxy on pairs with multiplicity obs_count[i] >= 0 in OBS (0: unobserved or held out)
 * and evaluates it on all P pairs: z is P x options->dim, columns past *actual_dim are zero.
 *
 *   aux-svd           aux labels and text statistics, standardised over OBS rows (constant columns
 *                     become zero), beside the TF-IDF+SVD of the outputs, centred and multiplied by
 *                     one factor so that its columns have mean variance one over OBS rows [C: the
 *                     block then weighs as much as as many standardised columns, and its components
 *                     keep their proportions]; the whole compressed by its weighted SVD to `dim`
 *   predicted-labels  labels T standardised over OBS rows [C], ridge of T on φ with free intercepts,
 *                     min Σ (c_i/n)‖T_i − b − φ_i θ‖² + (ρ/n)‖θ‖², n = Σ c_i, then the weighted
 *                     principal components of the predictions
 *   tfidf-svd         TF-IDF+SVD of the outputs at rank `dim`
 *
 * With `standardise` the components end with mean 0 and deviation 1 over OBS rows [P for aux-svd, C
 * for the others]. A count of 2 equals the row twice. Errors: REGRET_E_INPUT when the source lacks
 * what the kind needs or no count is positive; z is untouched on failure. Deterministic, no shared
 * state. */
REGRET_API int regret_proxy_fit(double *z, size_t *actual_dim,
                                const struct regret_proxy_source *source, const double *obs_count,
                                const struct regret_proxy_options *options);

#endif
