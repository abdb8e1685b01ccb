/* TF-IDF over unigrams and bigrams, and its truncated SVD (protocol §4).
 *
 * The work is split in two. Once a pool, regret_terms_build() counts the terms of every document.
 * Once a replicate, regret_tfidf_fit() chooses a vocabulary and its idf from the documents of that
 * replicate's sample, given as multiplicities, without looking at a text again. */
#ifndef REGRET_TFIDF_H
#define REGRET_TFIDF_H

#include <stddef.h>
#include <stdint.h>

#include "regret/matrix.h"
#include "regret/status.h"
#include "regret/svd.h"
#include "regret/text.h"

struct regret_tfidf_options {
    size_t max_terms; /* at most this many terms, by total weighted count */
};
#define REGRET_TFIDF_OPTIONS_INIT                                                                  \
    {                                                                                              \
        50000                                                                                      \
    }

/* A fitted vocabulary. */
struct regret_tfidf {
    size_t n_all;        /* columns of the term counts it was fitted on */
    size_t n_terms;      /* vocabulary size */
    uint32_t *column_of; /* n_all: a term's column, UINT32_MAX when it is not in; owned */
    double *idf;         /* n_terms; owned */
};

/* Fits on document i with multiplicity row_weight[i] >= 0 (0: not in the sample; NULL: all one).
 * With N = Σw and df = Σ of w over the documents that have the term: the vocabulary is the terms
 * with df > 0, at most max_terms of them by Σ w·count (ties: lower column), in ascending column
 * order; idf = ln((1 + N)/(1 + df)) + 1 (the smooth idf of scikit-learn). A weight of w equals the
 * document w times. O(entries + terms log terms). REGRET_E_INPUT: no positive weight, max_terms 0.
 */
REGRET_API int regret_tfidf_fit(struct regret_tfidf **out, const struct regret_terms *terms,
                                const double *row_weight,
                                const struct regret_tfidf_options *options);
/* count · idf with rows of Euclidean length one (or zero), for every document of `terms`, in the
 * sample or not: documents x n_terms. `terms` must be what the vocabulary was fitted on. */
REGRET_API int regret_tfidf_transform(struct regret_csr **out, const struct regret_tfidf *tfidf,
                                      const struct regret_terms *terms);
REGRET_API void regret_tfidf_free(struct regret_tfidf *tfidf); /* NULL is fine */

/* TF-IDF, SVD and projection in one: all documents as rows of out (documents x svd->rank columns;
 * room for `svd->rank`, the columns past *actual_rank are zero). Vocabulary, idf and V come from
 * the weighted documents. Not centred, not standardised. */
REGRET_API int regret_tfidf_svd(double *out, size_t *actual_rank, const struct regret_terms *terms,
                                const double *row_weight, const struct regret_tfidf_options *tfidf,
                                const struct regret_svd_options *svd);

struct regret_embed_options {
    size_t max_fit; /* fit on at most this many texts, drawn by the seed */
    struct regret_terms_options terms;
    struct regret_tfidf_options tfidf;
    struct regret_svd_options
        svd;         /* rank 8 for the logging policy's e(x), 50 for the controlled world's */
    int standardise; /* each column by its mean and deviation over the fitted texts */
    uint64_t seed;   /* of the sample: stream (seed, REGRET_RNG_SVD, 1) */
};
#define REGRET_EMBED_OPTIONS_INIT                                                                  \
    {                                                                                              \
        5000, REGRET_TERMS_OPTIONS_INIT, REGRET_TFIDF_OPTIONS_INIT, REGRET_SVD_OPTIONS_INIT, 1, 0  \
    }

/* The context embedding e(x): out is n x options->svd.rank, columns past *actual_rank zero. Fitted
 * on the texts whose indices are fit_rows[0..n_fit) (all texts when fit_rows is NULL); when they
 * are more than max_fit, on a random max_fit of them. An index named twice counts twice. */
REGRET_API int regret_embed_texts(double *out, size_t *actual_rank, const char *const *texts,
                                  size_t n, const size_t *fit_rows, size_t n_fit,
                                  const struct regret_embed_options *options);

/* w(x), directions of the contexts' words that keep their lengths, for families that cross them with agents (protocol §5): the
 * leading REGRET_WORDS_RANK of e(x), not standardised, each less its mean over all texts, all by one factor so that the
 * mean of |w(x)|² is one. *out is n x REGRET_WORDS_RANK, column-major, to be freed with regret_free(). */
enum { REGRET_WORDS_RANK = 32 };
REGRET_API int regret_embed_words(double **out, size_t *actual_rank, const char *const *texts,
                                  size_t n);

/* Which texts hold which words: words × n, 1 where one is held. Words, but for English function words, that at least five texts
 * and one in a hundred hold, and as many lack, by first appearance. Linear in the tokens. Free with regret_csr_free(). *names
 * (NULL: not wanted) gets an array of the words, folded, each to be freed with regret_free() and then itself. */
REGRET_API int regret_common_words(struct regret_csr **out, char ***names, const char *const *texts,
                                   size_t n);

#endif
