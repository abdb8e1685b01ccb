/* Contrasts of agents by request. */
#ifndef MODEL_CONTRAST_H
#define MODEL_CONTRAST_H

#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "regret/design.h"

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

#endif
