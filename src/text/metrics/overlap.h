/* What two texts share. */
#ifndef REGRET_TEXT_OVERLAP_H
#define REGRET_TEXT_OVERLAP_H

#include "text/metrics/units.h"

struct overlap {
    double output, reference,
        common; /* n-grams of each, and those in both, each as often as in both */
};

/* Of n-grams, n >= 1. O(k log k) of k units. */
int overlap_ngrams(struct overlap *out, const struct units *output, const struct units *reference,
                   size_t n);
/* Of several references an n-gram counts as often as in the one that has it most often. */
int overlap_any(struct overlap *out, const struct units *output, const struct units *references,
                size_t n_references, size_t n);
/* Of units, `common` being the length of their longest common subsequence. O(k l / 64) of k and l units. */
int overlap_sequence(struct overlap *out, const struct units *output,
                     const struct units *reference);

#endif
