/* Values and their errors written down from protocol §13, with nothing shared and nothing saved. */
#ifndef TESTS_EVALUATE_REFERENCE_H
#define TESTS_EVALUATE_REFERENCE_H

#include "evaluate/worth/worth.h"

struct reference {
    double dm, dr, sndr, dr_error, sndr_error, dr_df, sndr_df;
};
/* Of rows with use[i], the policy choice[i]. */
struct reference reference_worth(const struct basis *b, const uint32_t *choice,
                                 const unsigned char *use);
/* SNDR of x less that of y, and its error. */
void reference_difference(double *value, double *error, const struct basis *b, const uint32_t *x,
                          const uint32_t *y);
double reference_noise(const struct basis *b);

#endif
