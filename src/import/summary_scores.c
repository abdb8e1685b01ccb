#include "import/summary_scores.h"

#include <math.h>
#include <stdlib.h>

#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/text.h"

/* Where there is no reference: SummEval's have an eighth of their sources' tokens. */
static const double SOURCE_TO_SUMMARY = 8.0;

static int ascending(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* 1 − distinct trigrams / trigrams; 0 when there is none. */
static double repeated_trigrams(const uint64_t *tokens, size_t n, uint64_t *scratch)
{
    if (n < 3) {
        return 0.0;
    }
    size_t trigrams = n - 2, distinct = 1;
    for (size_t i = 0; i < trigrams; i++) {
        scratch[i] = regret_hash64(tokens + i, 3 * sizeof *tokens);
    }
    qsort(scratch, trigrams, sizeof *scratch, ascending);
    for (size_t i = 1; i < trigrams; i++) {
        distinct += scratch[i] != scratch[i - 1];
    }
    return 1.0 - (double)distinct / (double)trigrams;
}

double summary_conciseness(const uint64_t *tokens, size_t n, double expected, uint64_t *scratch)
{
    if (n == 0) {
        return 1.0;
    }
    double ratio = (double)n / (expected < 1.0 ? 1.0 : expected);
    double length = fmin(fmax((3.0 - ratio) / 2.0, 0.0), 1.0);
    double score = 1.0 + 4.0 * length * (1.0 - repeated_trigrams(tokens, n, scratch));
    return nearbyint(score * 1e4) / 1e4;
}

static size_t token_count(const struct regret_tokens *tokens, size_t text)
{
    return tokens->start[text + 1] - tokens->start[text];
}

static int score_conciseness(struct summary_scores *s, const struct summary_texts *texts,
                             const struct regret_tokens *outputs,
                             const struct regret_tokens *sources,
                             const struct regret_tokens *references)
{
    uint64_t *scratch = NULL;
    int rc = REGRET_NEW(&scratch, outputs->start[texts->n]);
    for (size_t i = 0; rc == REGRET_OK && i < texts->n; i++) {
        size_t n = token_count(outputs, i), x = texts->context[i];
        size_t reference = token_count(references, x);
        double expected =
            reference > 0 ? (double)reference : (double)token_count(sources, x) / SOURCE_TO_SUMMARY;
        s->tokens[i] = (double)n;
        s->conciseness[i] =
            summary_conciseness(outputs->hash + outputs->start[i], n, expected, scratch);
    }
    regret_free(scratch);
    return rc;
}

int summary_scores_make(struct summary_scores *out, const struct summary_texts *texts)
{
    struct summary_scores made = {NULL, NULL, NULL};
    struct regret_tokens *outputs = NULL, *sources = NULL, *references = NULL;
    int rc = REGRET_NEW(&made.conciseness, texts->n);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&made.tokens, texts->n);
    }
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&made.statistics, texts->n * REGRET_STATISTICS);
    }
    if (rc == REGRET_OK) {
        rc = regret_tokens_build(&outputs, texts->outputs, texts->n);
    }
    if (rc == REGRET_OK) {
        rc = regret_tokens_build(&sources, texts->sources, texts->n_contexts);
    }
    if (rc == REGRET_OK) {
        rc = regret_tokens_build(&references, texts->references, texts->n_contexts);
    }
    if (rc == REGRET_OK) {
        rc = score_conciseness(&made, texts, outputs, sources, references);
    }
    if (rc == REGRET_OK) {
        struct regret_pairs pairs = {.n_pairs = texts->n,
                                     .contexts = sources,
                                     .outputs = outputs,
                                     .context = texts->context};
        rc = regret_text_statistics(made.statistics, &pairs);
    }
    if (rc == REGRET_OK) {
        *out = made;
    } else {
        summary_scores_free(&made);
    }
    regret_tokens_free(outputs);
    regret_tokens_free(sources);
    regret_tokens_free(references);
    return rc;
}

void summary_scores_free(struct summary_scores *s)
{
    regret_free(s->conciseness);
    regret_free(s->tokens);
    regret_free(s->statistics);
    *s = (struct summary_scores){NULL, NULL, NULL};
}
