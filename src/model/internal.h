/* What the sources of this folder share. */
#ifndef MODEL_INTERNAL_H
#define MODEL_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "regret/buffer.h"
#include "regret/design.h"

/* ---- contrast.c: contrasts of agents by request. ---- */

/* What a layer may go by: z(x) = (√γ [tag], √κ own columns, words) of every context. */

/* Tags, own columns and words of the contexts, once. */
struct vocabulary {
    size_t n, n_tags;
    char **tag;     /* [n_tags], "" of those without; owned */
    uint32_t *kind; /* [n] */
    double *share;  /* [n_tags] of the contexts */
    struct model_columns columns;
    double *own;            /* their features, columns.features × n */
    struct regret_csr *phi; /* n × buckets */
    struct regret_svd
        *svd; /* φ ≈ S Vᵀ with the leading directions: all where n is at most REGRET_MODEL_RANK */
    double *score; /* S, n × svd->rank */
    double *mean;  /* [buckets] of φ over contexts */
};
int vocabulary_create(struct vocabulary **out, const struct regret_model_data *data);
void vocabulary_free(struct vocabulary *v);

/* One way to be fitted. The first is of nothing, then by tag, then by tag and own columns, then by these and words at each
 * γ and κ. */
struct design {
    enum regret_model_rule rule;
    double gamma, kappa;        /* of the tags and the own columns, 0 without */
    size_t n_tags, n_own, cols; /* columns: n_tags of the tags, n_own, then the words' directions */
    double *z;                  /* n × cols */
};
enum { DESIGNS = 5 };
struct design_list {
    size_t n;
    struct design item[DESIGNS];
};
int design_list_create(struct design_list *out, const struct vocabulary *v);
void design_list_clear(struct design_list *list);

/* The ridge of some contexts on a design, at every penalty from one decomposition.
 *
 * With Z the rows of those contexts less their means and Z = P Σ Qᵀ, outcomes y less theirs,
 *
 *   θ = Q diag(σ/(σ² + ρ)) Pᵀ y      ŷ_i = ȳ + Σ_j P_ij σ_j²/(σ_j² + ρ) (Pᵀ y)_j
 *   h_i = 1/n + Σ_j P_ij² σ_j²/(σ_j² + ρ)
 *
 * and the fit without i misses y_i by (y_i − ŷ_i)/(1 − h_i), exactly (Allen, Technometrics 16, 1974). */

struct smooth {
    size_t n, k, cols;      /* contexts, directions, columns of the design */
    size_t *at;             /* [n] the contexts; owned */
    struct regret_pca *pca; /* means, σ, Q; NULL without columns */
    double *score;          /* P Σ, n × k */
};
int smooth_create(struct smooth **out, const double *design, size_t rows, size_t cols,
                  const size_t *at, size_t n);
void smooth_free(struct smooth *s);

/* The fit of m outcomes (n × m): their means [m] and coefficients of the scores [k × m]. O(n k m). */
void smooth_fit(double *mean, double *coefficient, const struct smooth *s, double rho,
                const double *y, size_t m);
/* ŷ, n × m, and h, [n]; either may be NULL. */
void smooth_fitted(double *fitted, double *leverage, const struct smooth *s, double rho,
                   const double *mean, const double *coefficient, size_t m);
/* θ in the columns of the design, cols × m, and what to add: ȳ − θ·z̄, [m]. */
void smooth_weights(double *theta, double *intercept, const struct smooth *s, const double *mean,
                    const double *coefficient, size_t m);

/* What is an agent's own, d_a(x), and what the agents share, c(x), of a grid that may have holes:
 *
 *   min over c, d   Σ_observed (mu(x,a) − c_x − d_a(x))² + ρ Σ_a ‖θ_a‖²      d_a(x) = b_a + θ_a·(z(x) − z̄_a)
 *
 * with c_x and b_a free. Of a complete grid c_x is the mean over agents, and the agents have one decomposition. Of one
 * with holes c is solved for with d fitted to whatever it leaves (the equations of backfitting: Hastie and Tibshirani,
 * Generalized Additive Models, 1990, section 5.2): an agent that was asked the hard requests alone is not held to be a bad
 * one. */

/* The scores of some contexts. */
struct panel {
    const double *target; /* [rows × n_agents] by context; NaN: a hole. Borrowed. */
    size_t rows, n_agents;
    size_t n;         /* contexts that are fitted on */
    const size_t *at; /* [n]; borrowed */
};

/* What was observed of a context: of how many agents, the sum of their scores, the best. */
struct observed {
    size_t n;
    double total, best;
};
struct observed panel_observed(const struct panel *panel, size_t x);

/* The smooths of a panel by a design: one for all agents, or one for each. */
struct contrast {
    const struct panel *panel;
    size_t n_smooths;
    struct smooth **smooth; /* [n_smooths] */
    double *shared; /* [rows] c_x, of the panel's contexts; kept between fits, which begin there */
    double *mean;   /* [n_agents] */
    double **coefficient; /* [n_smooths] k × its agents */
    double *fitted;   /* [rows × n_agents] d̂_a(x) at what was observed of the panel's contexts */
    double *observed; /* [rows] agents that were observed */
    double *room;     /* of the largest smooth and its outcomes */
    double *sweep;    /* three of [rows], of conjugate gradients */
};
int contrast_create(struct contrast **out, const struct panel *panel, const struct design *design);
void contrast_free(struct contrast *c);

/* Fits at a penalty. */
void contrast_fit(struct contrast *c, double rho);

/* After a fit: what the fit without context x misses of mu(x,a) − c_x, [rows × n_agents], NaN where nothing was observed or
 * the context is none of the panel's. c_x of the others is held. */
void contrast_left_out(double *miss, struct contrast *c, double rho);
/* The sum of squares of these less their mean over the agents of a context: of contrasts alone. */
double contrast_loss(const double *miss, const struct panel *panel);

/* After a fit: θ_a, [cols × n_agents], and b_a − θ_a·z̄_a, [n_agents]. */
int contrast_weights(double *theta, double *intercept, const struct contrast *c, size_t cols);

/* The penalties that are tried, from the largest. */
enum { PENALTIES = 10 };
extern const double penalties[PENALTIES];

/* ---- rules.c: rules by request. ---- */

/* What was found. */
struct rules {
    double rho[DESIGNS]; /* of the fit of all contexts by each design, by its own left-out loss … */
    double loss[DESIGNS]; /* … which is this */
    enum regret_model_rule rule;
    size_t design; /* the one of that rule */
    struct regret_model_score score[REGRET_MODEL_RULES];
    double random;
    size_t judged;
};

/* Contexts are left out in RULE_FOLDS folds, each with its share of every tag. In every fold every design has its ρ chosen
 * by leaving out one context after the other, and of the designs of a rule the one of least loss speaks for it. With δ_x the
 * regret of the best single agent of the fold less that of the rule on x, a rule is taken for better where
 * mean δ > t se(δ), t of Student's distribution at 1 − .05/(2 × the rules compared); own columns and words are taken instead
 * of the one before only where they are better than it in the same way. */
int rules_find(struct rules *out, const struct panel *panel, const struct design_list *designs,
               const uint32_t *kind, size_t threads);

/* ---- widths.c: intervals for new requests. ---- */

/* Fills variances and factors of a model of `data` that is otherwise made. `miss` [rows × n_agents] and `shared_miss` [rows] are what
 * the fits without a context miss of d_a and c.
 *
 *   s_a² = mean over contexts of miss²/v_d      s_c² = that of c      v: model_layer_variance()
 *   |mu(x,â) − f(x,â)| / √(s_c² v_c + s_â² v_d)  of every context, â the agent recommended without it
 *
 * The ⌈.95 (n + 1)⌉-th smallest of these (the greatest, where there is none) is the factor of half-widths (jackknife
 * prediction; Barber, Candès, Ramdas and Tibshirani, Annals of Statistics 49, 2021, section 1). The margin's likewise, of
 * contexts where â is not the single agent; of all agents on all contexts where these are fewer than forty.
 *
 * Of rows, e = outcome − f(x,A), weights w, s_c = 0:
 *
 *   s_a² = mean of e²/v_d over the agent's rows, by w, and one more row of the mean over all
 *
 * and the factor is the least that rows of w (Σw + w̄) .95 have, of those whose agent is recommended without x, of all
 * rows where these are fewer than forty (weighted conformal prediction; Tibshirani, Barber, Candès and Ramdas, NeurIPS 2019). No row
 * has two agents: a margin's variance is the sum of both, its factor the same. */
int widths_measure(struct regret_model *m, const struct regret_model_data *data,
                   const struct panel *panel, const struct vocabulary *v, const double *miss,
                   const double *shared_miss, const double *shared);

/* ---- request_table.c: tables of new requests. ---- */

enum request_role { REQUEST_TEXT, REQUEST_ID, REQUEST_TAG, REQUEST_ROLES };

/* Requests in one piece of memory; texts are found by where they begin. */
struct request_block {
    size_t n, capacity;
    struct request_place {
        size_t id, text, tag; /* in `bytes` */
    } * place;                /* owned */
    struct request_value {    /* of own columns */
        double number;
        size_t word;        /* in `bytes`; SIZE_MAX: it is not told */
    } * value;              /* [n × n_columns]; owned */
    size_t n_columns, room; /* room: of `value` */
    struct regret_buffer bytes;
};
void request_block_free(struct request_block *block);

struct request_table; /* opaque */

/* Opens it and finds its columns: those that the options name, or the one column of each role that its name tells, as
 * `regret init` reads names; and the model's own, by their names. REGRET_E_INPUT where there is no column of texts, or more
 * than one it could be. */
int request_table_open(struct request_table **out, const struct regret_requests_options *options,
                       const struct regret_model *model);
void request_table_close(struct request_table *table); /* NULL is fine */

/* The next requests, until there are `most` or they take `bytes`; none at the end. Those without an id have their number in
 * the table, from 1. REGRET_E_INPUT names file and line. */
int request_table_read(struct request_block *block, struct request_table *table, size_t most,
                       size_t bytes);

/* ---- file.c: models in files. ---- */

/* To be counted up with every change of the file or of what its rows mean, but for fields that may be missing. The first is of models
 * without own columns. */
enum { MODEL_VERSION = 2, MODEL_VERSION_COLUMNS = 3, MODEL_MOST_TEXT = 64 << 20 };

struct model_head {
    char magic[8];
    uint64_t order, version;
    uint64_t text; /* bytes of the JSON object, a multiple of 8 with the blanks behind it */
    uint64_t agents, tags, buckets, directions_contrast, directions_common;
    uint64_t hash_buckets, hash_seed, term_frequency, max_bytes;
    uint64_t digest[2]; /* XXH3-128 of the file with zeroes here */
};

/* The digest of a file whose bytes these are; its head is looked at as if its digest were zero. */
void model_digest(uint64_t out[2], char *file, size_t length);

#endif
