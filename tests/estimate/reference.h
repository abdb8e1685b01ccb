/* An independent, naive reference of protocol §5 and §6 for the tests: dense raw features, every
 * candidate refitted from scratch in every fold by solving its normal equations with Gaussian
 * elimination. Shares no code with the library. */
#ifndef REGRET_TESTS_REFERENCE_H
#define REGRET_TESTS_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

/* Candidates of a penalty, ascending; n = 0 stands for 1. */
struct reference_rhos {
    size_t n;
    const double *value;
};

struct reference_problem {
    size_t pairs, n_agents;
    const uint32_t *agent;      /* [pairs] */
    const unsigned char *train; /* [pairs] */
    size_t phi_dim;
    const double *phi; /* pairs × phi_dim, ROW-major dense raw features */
    size_t z_dim;
    const double *z; /* pairs × z_dim, ROW-major */
    size_t n_obs, n_exp;
    const uint32_t *obs_pair, *exp_pair;
    const double *obs_y, *exp_y;
    size_t cv_folds;         /* 0: none */
    int cv_by_agent;         /* else by row */
    const uint32_t *cv_fold; /* [n_exp] */
    size_t dr_folds;         /* 0: none */
    const uint32_t *dr_fold; /* [n_exp] */
    size_t obs_folds;
    const uint32_t *obs_fold;               /* [n_obs], for grounded-anchored */
    struct reference_rhos rho_exp, rho_obs; /* of exp-only and obs-only */
    size_t obs_cv_folds;                    /* 0: none */
    const uint32_t *obs_cv_fold;            /* [n_obs], by which ρ_O is chosen */
    int shrink_grounded;                    /* 1: grounded chooses α among 0, .5 and 1 */
    int clip_baseline;                      /* 1: f_O and f_O^cf are moved into [0,1] */
    const unsigned char *holdout; /* [n_exp] 1 when carved out; NULL: grounded-linear tunes by CV */
};

enum { REFERENCE_MAX_CANDIDATES = 126 };

struct reference_estimate {
    double *prediction; /* [pairs]; malloc */
    double *cross_fit;  /* [n_exp]; malloc */
    double lambda, alpha, rho, tau;
    int basis;
    /* The losses that decided, of the candidates from the most regularised to the least; none when
     * nothing was tuned. */
    size_t n_losses;
    double loss[REFERENCE_MAX_CANDIDATES];
};

/* The families of which there is a reference; NULL past the end. */
const char *reference_family(size_t i);

/* family: one of these. 0 on success. Hyper-parameter grids are the protocol's defaults,
 * but for the ρ of the problem.
 */
int reference_fit(struct reference_estimate *out, const char *family,
                  const struct reference_problem *problem);

/* Protocol §6. value[a] over evaluation pairs with eval[p] != 0 (mean over contexts and draws). */
void reference_values(double *dm, double *dr, double *sndr, const struct reference_estimate *e,
                      const struct reference_problem *problem, const unsigned char *eval);

#endif
