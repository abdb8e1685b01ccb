/* The measures of one pair behind regret_text_statistics() and the shape features. */
#ifndef REGRET_TEXT_MEASURES_H
#define REGRET_TEXT_MEASURES_H

#include "regret/text.h"
#include "text/occurrences.h"

/* Columns of regret_text_statistics(). */
enum measure {
    MEASURE_WORDS,
    MEASURE_LOG_WORDS,
    MEASURE_SENTENCES,
    MEASURE_MEAN_SENTENCE_WORDS,
    MEASURE_COMPRESSION,
    MEASURE_NOVEL_TOKENS,
    MEASURE_NOVEL_BIGRAMS,
    MEASURE_UNMATCHED_NUMBERS,
    MEASURE_REPETITION,
    MEASURE_PUNCTUATION,
    MEASURE_FRAGMENT_COVERAGE,
    MEASURE_FRAGMENT_DENSITY,
    MEASURE_LEAD_OVERLAP
};

struct measurer {
    const struct regret_pairs *pairs; /* borrowed */
    struct occurrences tokens;        /* of the contexts */
    struct occurrences bigrams;       /* of the contexts */
    uint64_t *scratch;                /* as long as the longest output; owned */
};

/* Checks the pairs' indices and prepares every context once. */
int measurer_init(struct measurer *m, const struct regret_pairs *pairs);
void measurer_free(struct measurer *m);

/* All measures of one pair into value[REGRET_STATISTICS]. */
void measure_pair(double *value, struct measurer *m, size_t pair);

#endif
