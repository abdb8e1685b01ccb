/* What the sources of this folder share. */
#ifndef TEXT_INTERNAL_H
#define TEXT_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "regret/text.h"
#include "text/buckets.h"

/* ---- tokens.c: tokens of a text, and measures of it. ---- */

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

/* What threads share. */
struct measurer {
    const struct regret_pairs *pairs; /* borrowed */
    struct occurrences tokens;        /* of the contexts */
    struct occurrences bigrams;       /* of the contexts, once they were indexed */
    size_t longest;                   /* words of an output */
};

/* Checks the pairs' indices and prepares every context once. */
int measurer_init(struct measurer *m, const struct regret_pairs *pairs);
/* What measure_pair() wants besides. */
int measurer_index_bigrams(struct measurer *m);
void measurer_free(struct measurer *m);

/* What one thread measures by. */
struct measuring {
    const struct measurer *by; /* borrowed */
    uint64_t *seen;            /* a table of the words of the longest output; owned */
    uint8_t *known;            /* of every word of pair `known_of`; owned */
    size_t known_of;
};
int measuring_init(struct measuring *m, const struct measurer *by);
void measuring_free(struct measuring *m);

/* Of every word of the pair's output whether the context has it; stands until another pair is asked for.
 * Looked up once where the same pair is asked for again. */
const uint8_t *measure_known(struct measuring *m, size_t pair);

/* The measures of one pair that shape features are made of, into their places of
 * value[REGRET_STATISTICS]: words, sentences, compression, repetition, punctuation, novel tokens, and those
 * that come with them. */
void measure_shape(double *value, struct measuring *m, size_t pair);

/* All measures of one pair into value[REGRET_STATISTICS]; wants the index of bigrams. */
void measure_pair(double *value, struct measuring *m, size_t pair);

#endif
