/* Components that an import makes where a table has no score: of texts and references, of repeats. */
#ifndef REGRET_IMPORT_MADE_SCORES_H
#define REGRET_IMPORT_MADE_SCORES_H

#include "import/build/builder.h"

struct made_score {
    size_t value; /* which of a row's values */
    const char *
        metric; /* of regret/metrics.h, of the output against its context's reference; NULL: pass@k */
    size_t k;   /* the values of a pair's draws, 0 or 1, become pass@k of them */
};

/* Reads "metric" or "pass_at" of a component; *is_made is 0 where it has neither. The texts are of `component`. REGRET_E_INPUT:
 * both, no such metric, or another range than from 0 to 1. */
int made_score_read(struct made_score *out, int *is_made, const struct cJSON *component,
                    struct regret_place at);

/* Fills in the values of the rows that are kept; rows must be settled. REGRET_E_INPUT: a context without a reference, or
 * a pair with fewer than k draws, or with one that is neither 0 nor 1. */
int made_scores_derive(struct import_builder *b, const struct made_score *made, size_t n);

#endif
