/* The model of new requests from its formulas: dense, from z(x) in all columns, refitted for every context left out. */
#ifndef REGRET_TESTS_MODEL_REFERENCE_H
#define REGRET_TESTS_MODEL_REFERENCE_H

#include "model/model.h"

/* z(x) of texts and tags, [n × cols] by row: √γ for each of the tags of `all`, then the D buckets of a text of length one. */
struct naive_design {
    size_t n, cols;
    double *z;
};
void naive_design_make(struct naive_design *out, const struct regret_model_data *all,
                       const char *const *text, const char *const *tag, size_t n, double gamma,
                       int words);
void naive_design_free(struct naive_design *d);

/* Solves A x = b by elimination with row pivots; A (n × n by row) and b are used up. */
void naive_solve(double *a, double *b, size_t n);

/* Ridge of outcomes y on the rows in `at` of a design, without penalty on the mean: what it foretells of row z. */
double naive_ridge(const struct naive_design *d, const size_t *at, size_t n, const double *y,
                   double rho, const double *z);
/* The same of row `left` without it: every fit is made anew. */
double naive_without(const struct naive_design *d, const size_t *at, size_t n, const double *y,
                     double rho, size_t left);

#endif
