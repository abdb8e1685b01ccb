/* Scores and labels of summaries that are computed from the texts. Internal to the importers. */
#ifndef REGRET_IMPORT_SUMMARY_SCORES_H
#define REGRET_IMPORT_SUMMARY_SCORES_H

#include <stddef.h>
#include <stdint.h>

/* n outputs; output i summarises source context[i] of n_contexts, for which a reference may be
 * known ("" or NULL where not). All arrays are borrowed. */
struct summary_texts {
    size_t n, n_contexts;
    const char **outputs, **sources, **references;
    const uint32_t *context;
};

struct summary_scores {
    double *conciseness; /* n, on 1 to 5, see include/regret/import.h; owned */
    double *tokens;      /* n, the number of tokens of each output; owned */
    double *statistics;  /* n x REGRET_STATISTICS, column-major; owned */
};

int summary_scores_make(struct summary_scores *out, const struct summary_texts *texts);
void summary_scores_free(struct summary_scores *s);

/* 1 + 4·L·(1 − ρ) of n tokens (given by their hashes) where `expected` tokens are wanted. `scratch`
 * holds n numbers. */
double summary_conciseness(const uint64_t *tokens, size_t n, double expected, uint64_t *scratch);

#endif
