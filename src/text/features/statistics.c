#include "base/core/try.h"
#include "regret/text.h"

#include "text/words/measures.h"

static const char *const names[REGRET_STATISTICS] = {
    [MEASURE_WORDS] = "words",
    [MEASURE_LOG_WORDS] = "log_words",
    [MEASURE_SENTENCES] = "sentences",
    [MEASURE_MEAN_SENTENCE_WORDS] = "mean_sentence_words",
    [MEASURE_COMPRESSION] = "compression",
    [MEASURE_NOVEL_TOKENS] = "novel_tokens",
    [MEASURE_NOVEL_BIGRAMS] = "novel_bigrams",
    [MEASURE_UNMATCHED_NUMBERS] = "unmatched_numbers",
    [MEASURE_REPETITION] = "repetition",
    [MEASURE_PUNCTUATION] = "punctuation",
    [MEASURE_FRAGMENT_COVERAGE] = "fragment_coverage",
    [MEASURE_FRAGMENT_DENSITY] = "fragment_density",
    [MEASURE_LEAD_OVERLAP] = "lead_overlap"};

int regret_text_statistics(double *out, const struct regret_pairs *pairs)
{
    FREED_BY(measurer_free) struct measurer m = {0};
    TRY(measurer_init(&m, pairs));
    TRY(measurer_index_bigrams(&m));
    for (size_t i = 0; i < pairs->n_pairs; i++) {
        double value[REGRET_STATISTICS];
        measure_pair(value, &m, i);
        for (size_t j = 0; j < REGRET_STATISTICS; j++) {
            out[i + j * pairs->n_pairs] = value[j];
        }
    }
    return REGRET_OK;
}

const char *regret_text_statistic_name(size_t j)
{
    return j < REGRET_STATISTICS ? names[j] : NULL;
}
