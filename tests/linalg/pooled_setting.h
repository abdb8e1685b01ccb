/* Rows of two samples on one design, with the fits that the dense normal equations give, solved from the rows each time. */
#ifndef REGRET_TESTS_POOLED_SETTING_H
#define REGRET_TESTS_POOLED_SETTING_H

#include <stddef.h>
#include <stdint.h>

#include "regret/design.h"

enum { PAIRS = 60, MAX_DIM = 50, MAX_ROWS = 150 };

/* Rows of both sides on one design, for both solvers. */
struct side {
    size_t n;
    uint32_t pair[MAX_ROWS];
    double y[MAX_ROWS];
    unsigned char use[MAX_ROWS]; /* not left out */
    uint32_t part[MAX_ROWS];     /* 1 when left out */
    double rho;
};
struct setting {
    size_t dim;
    double columns[PAIRS * MAX_DIM], lines[PAIRS * MAX_DIM]; /* column- and row-major */
    struct side obs, exp;
    struct regret_sample *obs_sample, *exp_sample, *part;
    struct regret_csr *csr;      /* the same lines, … */
    struct regret_design design; /* … to be iterated in */
    struct regret_solver_record record;
};

struct setting *setting_draw(size_t dim, size_t n_obs, size_t n_exp, uint64_t seed);
void setting_leave_out(struct setting *s, size_t from, size_t to);
void setting_gather(struct setting *s);
void setting_drop(struct setting *s);
struct regret_design setting_design(const struct setting *s);
void setting_expected(double *f, const struct setting *s, double lambda, int left_out);
void setting_compare_at(const struct setting *s, const struct regret_pooled *pooled,
                        const struct regret_left_out *left_out, double lambda, double tolerance);
void setting_compare_design(struct setting *s, const struct regret_design *design,
                            double tolerance);
/* The same lines as a sparse design, to be iterated in. */
void setting_make_sparse(struct setting *s);
/* Directly and by conjugate gradients. */
void setting_compare(struct setting *s, double tolerance);

#endif
