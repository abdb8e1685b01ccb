/* What is an agent's own, d_a(x), and what the agents share, c(x), of a grid that may have holes:
 *
 *   min over c, d   Σ_observed (mu(x,a) − c_x − d_a(x))² + ρ Σ_a ‖θ_a‖²      d_a(x) = b_a + θ_a·(z(x) − z̄_a)
 *
 * with c_x and b_a free. Of a complete grid c_x is the mean over agents, and the agents have one decomposition. Of one
 * with holes c is solved for with d fitted to whatever it leaves (the equations of backfitting: Hastie and Tibshirani,
 * Generalized Additive Models, 1990, section 5.2): an agent that was asked the hard requests alone is not held to be a bad
 * one. */
#ifndef REGRET_MODEL_CONTRAST_H
#define REGRET_MODEL_CONTRAST_H

#include "model/fit/design.h"
#include "model/fit/smooth.h"

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
