#include "regret/tfidf.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/rng.h"
#include "text/features/own_columns.h"

FREED_POINTER(struct regret_terms, regret_terms_free)
FREED_POINTER(struct regret_tokens, regret_tokens_free)

/* The multiplicity of every text in the fitting sample. */
static int sample_weights(double *weight, size_t n, const size_t *fit_rows, size_t n_fit,
                          const struct regret_embed_options *options)
{
    size_t count = fit_rows == NULL ? n : n_fit, *chosen = NULL;
    for (size_t i = 0; fit_rows != NULL && i < n_fit; i++) {
        if (fit_rows[i] >= n) {
            return regret_fail(REGRET_E_INPUT,
                               "text %zu is to be fitted on, but there are only %zu", fit_rows[i],
                               n);
        }
    }
    TRY(REGRET_NEW(&chosen, count));
    for (size_t i = 0; i < count; i++) {
        chosen[i] = fit_rows == NULL ? i : fit_rows[i];
    }
    if (count > options->max_fit) {
        struct regret_rng rng = regret_rng_at(options->seed, REGRET_RNG_SVD, 1);
        regret_rng_shuffle(&rng, chosen, count);
        count = options->max_fit;
    }
    for (size_t i = 0; i < count; i++) {
        weight[chosen[i]] += 1.0;
    }
    regret_free(chosen);
    return REGRET_OK;
}

int regret_embed_texts(double *out, size_t *actual_rank, const char *const *texts, size_t n,
                       const size_t *fit_rows, size_t n_fit,
                       const struct regret_embed_options *options)
{
    FREED_BY(regret_tokens_free_at) struct regret_tokens *tokens = NULL;
    FREED_BY(regret_terms_free_at) struct regret_terms *terms = NULL;
    FREED double *weight = NULL, *e = NULL;
    size_t rank = 0;
    TRY(REGRET_NEW(&weight, n));
    TRY(REGRET_NEW(&e, n * options->svd.rank));
    TRY(sample_weights(weight, n, fit_rows, n_fit, options));
    TRY(regret_tokens_build(&tokens, texts, n));
    TRY(regret_terms_build(&terms, tokens, &options->terms));
    TRY(regret_tfidf_svd(e, &rank, terms, weight, &options->tfidf, &options->svd));
    if (options->standardise) {
        TRY(regret_standardise(e, n, rank, weight, NULL));
    }
    memcpy(out, e, n * options->svd.rank * sizeof *out);
    *actual_rank = rank;
    return REGRET_OK;
}

/* What is left of a mean square length of one, but for rounding, where rows are one and the same. */
static const double ALL_ALIKE = 1e-20;

/* Each column less its mean, and all by one factor, so that the mean square length of a row is one. Returns 0 where rows,
 * which no column brings beyond the length one, are all alike: what is left of them then is rounding. */
static int centre_rows(double *x, size_t n, size_t columns)
{
    double square = 0.0;
    columns_centre(x, n, columns);
    for (size_t i = 0; i < n * columns; i++) {
        square += x[i] * x[i] / (double)n;
    }
    for (size_t i = 0; i < n * columns && square > ALL_ALIKE; i++) {
        x[i] /= sqrt(square);
    }
    return square > ALL_ALIKE;
}

/* Directions keep their lengths: one that few contexts have anything of says little. */
int regret_embed_words(double **out, size_t *actual_rank, const char *const *texts, size_t n)
{
    struct regret_embed_options options = REGRET_EMBED_OPTIONS_INIT;
    FREED double *words = NULL;
    options.svd.rank = REGRET_WORDS_RANK;
    options.standardise = 0;
    TRY(REGRET_NEW(&words, n * REGRET_WORDS_RANK));
    TRY(regret_embed_texts(words, actual_rank, texts, n, NULL, 0, &options));
    *actual_rank = centre_rows(words, n, *actual_rank) ? *actual_rank : 0;
    *out = words;
    words = NULL;
    return REGRET_OK;
}
