#include "regret/tfidf.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "linalg/dense/weights.h"
#include "regret/alloc.h"

FREED_POINTER(struct regret_svd, regret_svd_free)
FREED_POINTER(struct regret_csr, regret_csr_free)
FREED_POINTER(struct regret_tfidf, regret_tfidf_free)

/* A term's weights in the sample. */
struct term_weight {
    double df;    /* Σ w over the texts that have it */
    double total; /* Σ w · count, for choosing the most frequent ones */
};

/* Fills the weights of every term; returns N = Σw. */
static double weigh_terms(struct term_weight *term, const struct regret_csr *counts,
                          const double *row_weight)
{
    double n = 0.0;
    for (size_t i = 0; i < counts->rows; i++) {
        double w = row_weight == NULL ? 1.0 : row_weight[i];
        n += w;
        if (w == 0.0) {
            continue;
        }
        for (size_t e = counts->row_start[i]; e < counts->row_start[i + 1]; e++) {
            term[counts->column[e]].df += w;
            term[counts->column[e]].total += w * counts->value[e];
        }
    }
    return n;
}

enum { DIGIT_BITS = 16, DIGITS = 1 << DIGIT_BITS };

/* The k-th largest total of the terms with df > 0, which are at least k >= 1, as bits: those of numbers
 * above zero are in their order. *alike of the terms with this total are among the k largest. Linear. */
static int kth_total(uint64_t *kth, size_t *alike, const struct term_weight *term, size_t n,
                     size_t k)
{
    size_t *count = NULL;
    uint64_t known = 0;
    TRY(REGRET_NEW(&count, DIGITS));
    for (unsigned shift = 64 - DIGIT_BITS;; shift -= DIGIT_BITS) {
        uint64_t above = shift + DIGIT_BITS == 64 ? 0 : ~(uint64_t)0 << (shift + DIGIT_BITS);
        memset(count, 0, DIGITS * sizeof *count);
        for (size_t j = 0; j < n; j++) {
            uint64_t bits;
            memcpy(&bits, &term[j].total, sizeof bits);
            count[bits >> shift & (DIGITS - 1)] += term[j].df > 0.0 && (bits & above) == known;
        }
        size_t digit = DIGITS - 1;
        for (; count[digit] < k; digit--) {
            k -= count[digit];
        }
        known |= (uint64_t)digit << shift;
        if (shift == 0) {
            break;
        }
    }
    regret_free(count);
    *kth = known;
    *alike = k;
    return REGRET_OK;
}

/* Marks the chosen terms with column_of = 0 and all others with UINT32_MAX; *chosen is their number. */
static int choose_terms(uint32_t *column_of, size_t *chosen, const struct term_weight *term,
                        size_t n, size_t max_terms)
{
    uint64_t least = 0;
    size_t alike = SIZE_MAX, present = 0;
    for (size_t j = 0; j < n; j++) {
        present += term[j].df > 0.0;
    }
    if (present > max_terms) {
        TRY(kth_total(&least, &alike, term, n, max_terms));
        present = max_terms;
    }
    for (size_t j = 0; j < n; j++) {
        uint64_t bits;
        memcpy(&bits, &term[j].total, sizeof bits);
        int in = term[j].df > 0.0 && (bits > least || (bits == least && alike > 0));
        alike -= in && bits == least;
        column_of[j] = in ? 0 : UINT32_MAX;
    }
    *chosen = present;
    return REGRET_OK;
}

/* Fills a fresh, zeroed `tfidf`. */
static int fit(struct regret_tfidf *tfidf, const struct regret_csr *counts,
               const double *row_weight, size_t max_terms)
{
    FREED struct term_weight *term = NULL;
    size_t chosen = 0;
    tfidf->n_all = counts->cols;
    TRY(REGRET_NEW(&term, counts->cols));
    TRY(REGRET_NEW(&tfidf->column_of, counts->cols));
    double n = weigh_terms(term, counts, row_weight);
    TRY(choose_terms(tfidf->column_of, &chosen, term, counts->cols, max_terms));
    TRY(REGRET_NEW(&tfidf->idf, chosen));
    for (size_t j = 0; j < counts->cols; j++) {
        if (tfidf->column_of[j] != UINT32_MAX) {
            tfidf->idf[tfidf->n_terms] = log((1.0 + n) / (1.0 + term[j].df)) + 1.0;
            tfidf->column_of[j] = (uint32_t)tfidf->n_terms++;
        }
    }
    return REGRET_OK;
}

int regret_tfidf_fit(struct regret_tfidf **out, const struct regret_terms *terms,
                     const double *row_weight, const struct regret_tfidf_options *options)
{
    FREED_BY(regret_tfidf_free_at) struct regret_tfidf *tfidf = NULL;
    TRY(options->max_terms > 0
            ? REGRET_OK
            : regret_fail(REGRET_E_INPUT, "a TF-IDF of at most 0 terms: allow at least one"));
    TRY(weights_check(row_weight, terms->counts->rows));
    TRY(REGRET_NEW(&tfidf, 1));
    TRY(fit(tfidf, terms->counts, row_weight, options->max_terms));
    *out = tfidf;
    tfidf = NULL;
    return REGRET_OK;
}

/* Document i, as row `to` of m. */
static void transform_row(struct regret_csr *m, size_t to, const struct regret_tfidf *tfidf,
                          const struct regret_csr *counts, size_t i)
{
    size_t begin = m->row_start[to], at = begin;
    double squares = 0.0;
    for (size_t e = counts->row_start[i]; e < counts->row_start[i + 1]; e++) {
        uint32_t column = tfidf->column_of[counts->column[e]];
        if (column != UINT32_MAX) {
            double x = counts->value[e] * tfidf->idf[column];
            m->column[at] = column;
            m->value[at++] = x;
            squares += x * x;
        }
    }
    double length = sqrt(squares);
    for (size_t e = begin; e < at; e++) {
        m->value[e] /= length;
    }
    m->row_start[to + 1] = at;
}

/* Documents [first, first + n) as they are transformed; without entries those of weight zero (row_weight NULL: none is). */
static int transform_rows(struct regret_csr **out, const struct regret_tfidf *tfidf,
                          const struct regret_terms *terms, const double *row_weight, size_t first,
                          size_t n)
{
    const struct regret_csr *counts = terms->counts;
    size_t entries = 0;
    if (counts->cols != tfidf->n_all) {
        return regret_fail(REGRET_E_INPUT,
                           "a vocabulary of %zu terms cannot transform counts of %zu: use the "
                           "counts it was fitted on",
                           tfidf->n_all, counts->cols);
    }
    for (size_t i = first; i < first + n; i++) {
        int in = row_weight == NULL || row_weight[i] > 0.0;
        entries += in ? counts->row_start[i + 1] - counts->row_start[i] : 0;
    }
    struct regret_csr *m = NULL;
    TRY(regret_csr_new(&m, n, tfidf->n_terms, entries));
    for (size_t i = 0; i < n; i++) {
        if (row_weight == NULL || row_weight[first + i] > 0.0) {
            transform_row(m, i, tfidf, counts, first + i);
        } else {
            m->row_start[i + 1] = m->row_start[i];
        }
    }
    *out = m;
    return REGRET_OK;
}

int regret_tfidf_transform(struct regret_csr **out, const struct regret_tfidf *tfidf,
                           const struct regret_terms *terms)
{
    return transform_rows(out, tfidf, terms, NULL, 0, terms->counts->rows);
}

/* Documents that are projected at a time: the TF-IDF of all of them never stands there. */
enum { BLOCK = 32768 };

static int project(double *out, const struct regret_svd *svd, const struct regret_tfidf *tfidf,
                   const struct regret_terms *terms)
{
    size_t rows = terms->counts->rows;
    FREED_BY(regret_csr_free_at) struct regret_csr *x = NULL;
    FREED double *block = NULL;
    TRY(REGRET_NEW(&block, (rows < BLOCK ? rows : BLOCK) * svd->rank));
    for (size_t first = 0; first < rows; first += BLOCK) {
        size_t n = rows - first < BLOCK ? rows - first : BLOCK;
        TRY(transform_rows(&x, tfidf, terms, NULL, first, n));
        TRY(regret_svd_project(block, svd, x));
        for (size_t j = 0; j < svd->rank; j++) {
            memcpy(out + j * rows + first, block + j * n, n * sizeof *out);
        }
        regret_csr_free(x);
        x = NULL;
    }
    return REGRET_OK;
}

int regret_tfidf_svd(double *out, size_t *actual_rank, const struct regret_terms *terms,
                     const double *row_weight, const struct regret_tfidf_options *tfidf_options,
                     const struct regret_svd_options *svd_options)
{
    FREED_BY(regret_tfidf_free_at) struct regret_tfidf *tfidf = NULL;
    FREED_BY(regret_csr_free_at) struct regret_csr *x = NULL;
    FREED_BY(regret_svd_free_at) struct regret_svd *svd = NULL;
    size_t n = terms->counts->rows;
    TRY(regret_tfidf_fit(&tfidf, terms, row_weight, tfidf_options));
    TRY(transform_rows(&x, tfidf, terms, row_weight, 0, n));
    TRY(regret_svd_fit(&svd, x, row_weight, svd_options));
    regret_csr_free(x);
    x = NULL;
    TRY(project(out, svd, tfidf, terms));
    memset(out + n * svd->rank, 0, n * (svd_options->rank - svd->rank) * sizeof *out);
    *actual_rank = svd->rank;
    return REGRET_OK;
}

void regret_tfidf_free(struct regret_tfidf *tfidf)
{
    if (tfidf == NULL) {
        return;
    }
    regret_free(tfidf->column_of);
    regret_free(tfidf->idf);
    regret_free(tfidf);
}
