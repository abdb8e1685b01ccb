/* Naive references of mixed and stack (protocol §5): mixed from the rows, by the covariance of all of them; the weights
 * of the stack by trying every set of members. Nothing is shared with the library but the fits of the stack's members
 * without a fold, which tests of their own compare. */
#ifndef REGRET_TESTS_PRACTICE_REFERENCE_H
#define REGRET_TESTS_PRACTICE_REFERENCE_H

#include "regret/estimate.h"

/* Predictions of every pair, unclipped, at variances in the order of regret_estimate's and with the words that `e` has picked;
 * use[i]: EXP row i counts. The
 * restricted log likelihood of the rows, up to a constant of them. f may be NULL. */
double mixed_reference(double *f, const struct regret_problem *problem, size_t rank,
                       const struct regret_estimate *e, const double *v, const unsigned char *use);

enum { STACK_MEMBERS = 13, STACK_LIBRARIES = 5 };
struct stack_reference {
    double weight[STACK_MEMBERS];
    double loss[STACK_LIBRARIES], difference[STACK_LIBRARIES], error[STACK_LIBRARIES];
    size_t library;
    double *prediction, *cross_fit; /* malloc */
};
/* Of a stack of the presets but for `errors`; with row folds for DR. */
void stack_reference(struct stack_reference *out, const struct regret_problem *problem,
                     const struct regret_estimate_options *options, double errors);

#endif
