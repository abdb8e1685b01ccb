#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/parallel.h"
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

enum { JOB = 64 }; /* pairs: neighbours share lines of the caches */

struct measured {
    struct measurer measurer;
    struct measuring *by; /* one a thread */
    double *out;
};

static int measure_some(void *context, size_t index, size_t worker)
{
    struct measured *m = context;
    size_t n = m->measurer.pairs->n_pairs, end = (index + 1) * JOB < n ? (index + 1) * JOB : n;
    for (size_t i = index * JOB; i < end; i++) {
        double value[REGRET_STATISTICS];
        measure_pair(value, &m->by[worker], i);
        for (size_t j = 0; j < REGRET_STATISTICS; j++) {
            m->out[i + j * n] = value[j];
        }
    }
    return REGRET_OK;
}

int regret_text_statistics(double *out, const struct regret_pairs *pairs)
{
    struct measured m = {.out = out};
    size_t threads = regret_threads_allowed();
    int rc;
    TRY_CLEANUP(measurer_init(&m.measurer, pairs));
    TRY_CLEANUP(measurer_index_bigrams(&m.measurer));
    TRY_CLEANUP(REGRET_NEW(&m.by, threads));
    for (size_t t = 0; t < threads; t++) {
        TRY_CLEANUP(measuring_init(&m.by[t], &m.measurer));
    }
    rc = regret_parallel_for((pairs->n_pairs + JOB - 1) / JOB, threads, measure_some, &m);
cleanup:
    for (size_t t = 0; m.by != NULL && t < threads; t++) {
        measuring_free(&m.by[t]);
    }
    regret_free(m.by);
    measurer_free(&m.measurer);
    return rc;
}

const char *regret_text_statistic_name(size_t j)
{
    return j < REGRET_STATISTICS ? names[j] : NULL;
}
