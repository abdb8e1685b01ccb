/* Entries with the effects of groups, of entries and the noise whitened away. */
#ifndef REGRET_LINALG_WHITENED_H
#define REGRET_LINALG_WHITENED_H

#include "linalg/mixed/mixed_problem.h"

/* R = diag(1/d) + v_c Z Z', d_e = 1/(v_p + v_ε/n_e); R⁻¹ = W'W with W = (I − a u u') diag(√d) in each group, u = √d. */
struct whitened {
    double *d, *a;  /* [n] a that of the entry's group */
    double *line;   /* q × n, W x */
    double *y;      /* [n], W y */
    double *sum;    /* room for one line */
    double log_det; /* log|R| */
};

int whitened_make(struct whitened *w, const struct mixed_model *m, const double *v);
void whitened_free(struct whitened *w);

/* x ← W x and x ← W'x, for `width` values of every entry, stored entry by entry. */
void whiten(double *x, size_t width, const struct whitened *w, const struct mixed_model *m);
void whiten_transposed(double *x, size_t width, const struct whitened *w,
                       const struct mixed_model *m);
/* The first entry behind the group of entry e. */
size_t group_end(const struct mixed_model *m, size_t e);

#endif
