/* Families that have seen what was held out. */
#ifndef REPORT_LEAKS_H
#define REPORT_LEAKS_H

#include <stddef.h>

#include "regret/results.h"

/* What the rows' lists "leak" say of a family (docs/formats.md, protocol §7). */
struct leak_evidence {
    double
        probability; /* twice the mean over replicates of REGRET_LEAK_PROBABILITY; NaN: not known */
    double trained, held_out; /* mean squared errors, over cells and seeds; NaN: not known */
    double
        easier;  /* P of so much less error where it was not trained, over seeds; NaN: not known */
    double best; /* the least mean squared error of a family of the program; NaN: there is none */
};
struct leak_evidence leak_evidence(const struct regret_results *r, size_t subject);

/* 1 when the errors cancel, are smaller where they should be larger, or are a small part of anybody else's. */
int leak_is_likely(const struct leak_evidence *evidence);

/* 1 when nothing can be told: it predicts no training pairs. */
int leak_is_unknown(const struct leak_evidence *evidence);

/* Appends a sentence for each family of the user's own that is likely to leak or cannot be examined; else nothing. */
void leak_caution(struct regret_buffer *out, const struct regret_results *r);

#endif
