/* What families share of one replicate. */
#ifndef ESTIMATE_SESSION_H
#define ESTIMATE_SESSION_H

#include <stddef.h>
#include <stdint.h>

#include "regret/estimate.h"

/* What the families of one problem share. */

struct folded;
struct fold_fits;

/* Whose ridge on the raw features a penalty is: the places of struct regret_estimate's plain_rho. */
enum plain_rho_of { RHO_OF_EXP, RHO_OF_OBS };

/* A ridge penalty on φ, one of several candidates or as given; nothing before it is first wanted. Each is
 * chosen on the rows that its own family sees and no others: ρ_E by causal cross-validation over EXP,
 * ρ_O, since obs-only never sees EXP and OBS agents choose themselves, by leaving out contexts of OBS.
 * Every family on φ then has the same two, so that cvci at λ = 0 and 1 stays exp-only and obs-only. */
struct plain_rho {
    double value; /* > 0 once it is chosen */
    int cv_mode;  /* enum regret_fold_mode, or -1: nothing was to be chosen */
    size_t n;     /* candidates, from the largest ρ to the smallest; owned */
    struct regret_candidate *candidates;
};

struct regret_session {
    const struct regret_problem *problem;
    const struct regret_estimate_options *options;
    struct regret_sample *obs, *exp;      /* the rows, gathered */
    const struct regret_estimate *chosen; /* whose hyper-parameters are kept; NULL chooses */
    struct plain_rho rho[2];              /* by enum plain_rho_of */
    struct folded *phi;                   /* φ on OBS and EXP outcomes; made when first wanted */
    struct fold_fits *fits; /* of φ, of the whole and its DR folds together; or NULL */
    int owns_fits;          /* 1: this is the whole */
    size_t fold;            /* else: which of them this is without */
    double *baseline;       /* f_O, clipped where the options say so, [P]; made when first wanted */
    /* f_O cross-fitted over OBS row folds, for the anchor; made when first wanted, with the number of
     * folds then asked for. */
    struct regret_folds *obs_folds;
    double *obs_cross_fit; /* [n_folds × P], fold-major, clipped likewise */
    /* Fits that were made in this session, for families that are made of others. Held with their callers. */
    struct {
        const struct regret_family *family;
        struct regret_estimate *estimate;
    } made[REGRET_MAX_FAMILIES];
    size_t n_made;
};

/* Ridge fits on one design, the whole and with each fold left out. Targets are the outcomes, or,
 * with a baseline g, sign · (Y − g). A fitted value v becomes the prediction
 * clip(offset + factor · v), where offset is the baseline if there is one. */
struct folded {
    struct regret_session *session;   /* borrowed */
    const double *offset;             /* [P] or NULL; borrowed */
    struct regret_pooled *pooled;     /* NULL where the session is a fold of others' `fits` */
    const struct regret_folds *folds; /* what candidates are compared by: problem->cv but for ρ_O */
    struct regret_left_out **cv;      /* [folds->n_folds] */
    struct regret_left_out **dr;      /* [problem->dr->n_folds]; NULL without cross-fitting */
};

enum folded_obs { WITHOUT_OBS, WITH_OBS };

int folded_create(struct folded **out, struct regret_session *session,
                  const struct regret_design *design, enum folded_obs obs, const double *offset,
                  double sign, double rho_obs, double rho_exp);
/* A ridge with penalty ρ on φ of one sample alone, as EXP, and its own folds; nothing for cross-fitting. */
int folded_of_sample(struct folded **out, struct regret_session *session,
                     const struct regret_sample *sample, const struct regret_folds *folds,
                     double rho);
void folded_free(struct folded *f);

/* v ← clip(offset + factor v), for the entries of a part. */
void link_part(double *v, const struct folded *f, const struct regret_sample *part, double factor);

/* Mean over the folds of L_k at `lambda`; NaN when there are no folds. */
int folded_loss(double *loss, const struct folded *f, double lambda, double factor);
/* The same of n candidates at their λ, together. With an iterative design only as accurately as the choice between
 * them needs, unless the options want all losses; there a candidate's ρ, where it has one, is that of EXP. */
int folded_losses(struct regret_candidate *candidates, size_t n, const struct folded *f,
                  double factor);
/* estimate->prediction, and estimate->cross_fit when it is wanted. */
int folded_finish(struct regret_estimate *estimate, const struct folded *f, double lambda,
                  double factor);
/* Fitted values v (no offset, no clipping) of all pairs, with one fold left out or none (NULL). */
int folded_values(double *value, const struct folded *f, double lambda,
                  const struct regret_left_out *left_out);

/* Their hyper-parameters, by enum plain_rho_of: families exp-only and obs-only have one each. */
extern const struct regret_hyper plain_rho_hyper[2];
/* Chosen of the session's rows, or, where the session keeps what was chosen before, that. The choice
 * belongs to the session. */
int session_rho(const struct plain_rho **out, struct regret_session *session, enum plain_rho_of of);
/* Puts the choice into the estimate of its family. */
int plain_rho_report(struct regret_estimate *estimate, const struct plain_rho *chosen);
void plain_rho_clear(struct plain_rho *chosen);

int session_phi(struct folded **out, struct regret_session *session);
int session_baseline(const double **out, struct regret_session *session);
int session_obs_cross_fit(struct regret_session *session, size_t n_folds);

/* The fit of another family in this session: the one that was made, or a new one that keeps the hyper-parameters
 * of `chosen` (NULL chooses). The caller holds it too. */
int session_member(struct regret_estimate **out, struct regret_session *session,
                   const struct regret_family *family, const struct regret_estimate *chosen);

/* Makes fits of the whole and of its refits together, where an iterative φ lets them. Called before any family is fitted in
 * the session, with what regret_refit_folds() will be told. */
int session_expect_refits(struct regret_session *session, const struct regret_refit *how);

/* For every DR fold opens a session on the problem without it, as `how` says, and calls visit(self, k, session); not where
 * that leaves no OBS or no EXP row, which *undefined counts. */
typedef int session_visit(void *self, size_t k, struct regret_session *session);
int session_without_each_fold(size_t *undefined, const struct regret_problem *problem,
                              const struct regret_estimate_options *options,
                              const struct regret_refit *how, session_visit *visit, void *self);

double clip01(double x);

/* Of f^(−k), `surface`: cross_fit[i] for the rows of DR fold k, and fold_value where that is wanted. */
int cross_fit_fold(struct regret_estimate *estimate, const struct regret_problem *problem, size_t k,
                   const double *surface);
/* Room for fold_value, of zeroes, where V_DM is asked for. */
int fold_value_create(struct regret_estimate *estimate, const struct regret_problem *problem);
/* value[a] += factor · V_DM of a surface; NaN of an agent that is not evaluated. */
int fold_value_add(double *value, const struct regret_problem *problem, const double *surface,
                   double factor);

/* NaN for every hyper-parameter that a fit reports. */
void nothing_tuned(double tuned[REGRET_N_TUNED]);
/* Room for `n` candidates, hyper-parameters NaN, basis -1, loss NaN. */
int candidates_new(struct regret_candidate **out, size_t n);
int candidates_create(struct regret_estimate *estimate, size_t n);
/* Copies candidate `chosen` into the estimate and records how it was tuned. */
void candidates_settle(struct regret_estimate *estimate, const struct regret_session *session);

/* ψ_b of the problem's proxy as a design; *columns is freed by the caller. */
int basis_design(struct regret_design *design, double **columns, enum regret_basis basis,
                 const struct regret_problem *problem);

/* The work of fitting, estimated from sizes alone. Shards are cut by it, so it is whole-number
 * arithmetic: the same on every machine. */

/* Multiply-adds by what they wait for. */
struct fit_work {
    uint64_t block;    /* products and factorisations of matrices, which run in the caches */
    uint64_t reduce;   /* reduction to a tridiagonal, half of it matrix by vector */
    uint64_t scatter;  /* sparse rows and dense columns read once */
    uint64_t product;  /* panels of vectors by sparse rows (src/linalg/sparse_rows.h) */
    uint64_t evaluate; /* losses of candidates: many small solves, and a column of pairs each */
};

/* The sizes that decide. */
struct fit_sizes {
    const struct regret_estimate_options *options;
    uint64_t pairs, drawn, obs, exp; /* pairs; different ones drawn, in OBS, in EXP */
    uint64_t row;                    /* stored elements of a row of φ */
    uint64_t columns;                /* columns of φ */
    int sparse;                      /* 1: φ is kept in its columns, not in a Gram matrix */
    int iterative;                   /* 1: fits in φ are solved by conjugate gradients */
    uint64_t stored; /* stored elements of the rows drawn, what contexts share once */
    uint64_t strong; /* columns that such fits eliminate (linalg/iterative.h) */
    uint64_t q, z;   /* sides of the systems in φ and in z */
    uint64_t cv_folds;
    uint64_t value_folds; /* of DR; 0 without */
    int kept;             /* 1: a refit without some rows, by hyper-parameters that are there */
};

/* Sums and products that stop at the top: an absurd configuration is dear, not cheap. */
uint64_t work_add(uint64_t a, uint64_t b);
uint64_t work_mul(uint64_t a, uint64_t b);
uint64_t work_mul3(uint64_t a, uint64_t b, uint64_t c);
uint64_t work_least(uint64_t a, uint64_t b);

/* Σ u uᵀ over `rows` lines of φ. */
void work_moments(struct fit_work *w, const struct fit_sizes *s, uint64_t rows);
/* A ridge on φ of one sample of `rows` lines, with `outputs` outcomes. */
void work_ridge(struct fit_work *w, const struct fit_sizes *s, uint64_t rows, uint64_t outputs);
/* `fits` on φ of all rows but a few, of which the whole is there: its sketch, where there is one. */
void work_refits(struct fit_work *w, const struct fit_sizes *s, uint64_t fits);
/* `losses` values of λ by a system of side q that is already factorised, each over the causal-CV
 * folds. */
void work_losses(struct fit_work *w, const struct fit_sizes *s, uint64_t q, uint64_t losses);
/* `fits` pooled systems of side q over `obs` and the EXP lines, `losses` values of λ each. */
void work_tuning(struct fit_work *w, const struct fit_sizes *s, uint64_t q, uint64_t obs,
                 uint64_t fits, uint64_t losses);
/* The choice of ρ_E and ρ_O, where there is one. */
void work_plain_rhos(struct fit_work *w, const struct fit_sizes *s);
/* Out-of-fold predictions for DR. */
void work_cross_fit(struct fit_work *w, const struct fit_sizes *s, uint64_t q);

#endif
