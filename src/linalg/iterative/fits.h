/* The fits of a struct conjugate, and what moves them. */
#ifndef REGRET_LINALG_ITERATIVE_FITS_H
#define REGRET_LINALG_ITERATIVE_FITS_H

#include "linalg/iterative/eliminate.h"
#include "linalg/iterative/iterative.h"
#include "linalg/iterative/precondition.h"

/* One fit. */
struct one {
    struct iterative_fit fit;
    double rho, mean_y; /* ρ_eff; Σ w y */
    double reach;       /* (1 + g)/2 */
    double rz;          /* r · z */
    double norm;        /* ‖r‖ */
    double least;       /* ‖r‖ when it was last halved, */
    size_t since;       /* and steps since then */
    double error;       /* proven of x; infinite before the first check */
    double b;           /* intercept, as of the last check; with γ in `strong` */
    int begun;          /* 1: d is a direction of the recurrence */
    double checked;     /* ‖r‖ as of the last check */
    int stalled;        /* 1: two checks in a row found the same */
    int dropped;        /* 1: not wanted any more */
    int waits;          /* > 0: until others are solved that it begins between */
    int settled;        /* 1: as good as it gets, and taken so */
};

struct conjugate {
    const struct iterative *it;
    size_t pairs;          /* lines that any fit has weight on */
    size_t apart;          /* columns that are eliminated, a line each behind these */
    size_t n;              /* pairs + apart */
    size_t k;              /* fits */
    struct one *one;       /* [k] */
    double *h;             /* n × k: √w */
    double *x, *r, *d;     /* n × k: solution, residual, direction */
    double *value;         /* n × k: K h∘x as of the last check */
    double *strong, *of_y; /* apart × k: γ as of the last check, and that of ȳ alone */
    double *spare;         /* n + 2 apart */
    double *q;             /* n × SPARSE_PANEL: products of a panel; scratch */
    double *panel;         /* scratch of the product */
    double *memory;
    struct preconditioner precondition;
    struct elimination eliminate;
    size_t *active; /* [k] */
    size_t steps;
    int single; /* 1: the recurrence multiplies in single precision */
};

/* Weight of a count of OBS and of one of EXP in a fit. */
struct fit_shares {
    double obs, exp;
};

struct fit_shares fit_shares(const struct iterative *it, const struct iterative_fit *fit);

/* At x = 0. */
int fit_start(struct conjugate *c, size_t i);
int fit_is_wanted(const struct one *o);
/* The error that a residual of this norm proves. */
double fit_bound(const struct conjugate *c, const struct one *o, double norm);
/* The residual r that x really leaves; value and intercept with it. */
double fit_residual(double *r, struct conjugate *c, size_t i);
/* Whether a fit is further away than `error`; `stalled`: and rounding keeps it from getting any nearer. */
int fits_fall_short(const struct conjugate *c, double error, int stalled);
/* Until the error is proven, or rounding keeps a fit from getting there. */
int fits_iterate(struct conjugate *c, double error);
/* From now on in double precision, all of them from the residuals that are really left. */
void fits_leave_single(struct conjugate *c, double error);

#endif
