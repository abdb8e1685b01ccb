#include "regret/tfidf.h"

#include <math.h>
#include <stdlib.h>

#include "base/try.h"
#include "linalg/weights.h"
#include "regret/alloc.h"

/* A term's weight in the sample, for choosing the most frequent ones. */
struct candidate {
    double total; /* Σ w · count */
    uint32_t column;
};

static int candidate_compare(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->total != y->total) {
        return x->total > y->total ? -1 : 1;
    }
    return x->column < y->column ? -1 : 1;
}

/* df and Σ w·count of every term; returns N = Σw. */
static double weigh_terms(double *df, struct candidate *candidate, const struct regret_csr *counts,
                          const double *row_weight)
{
    double n = 0.0;
    for (size_t j = 0; j < counts->cols; j++) {
        candidate[j] = (struct candidate){0.0, (uint32_t)j};
    }
    for (size_t i = 0; i < counts->rows; i++) {
        double w = row_weight == NULL ? 1.0 : row_weight[i];
        n += w;
        if (w == 0.0) {
            continue;
        }
        for (size_t e = counts->row_start[i]; e < counts->row_start[i + 1]; e++) {
            df[counts->column[e]] += w;
            candidate[counts->column[e]].total += w * counts->value[e];
        }
    }
    return n;
}

/* Marks the chosen terms with column_of = 0 and all others with UINT32_MAX; returns their number.
 */
static size_t choose_terms(uint32_t *column_of, struct candidate *candidate, const double *df,
                           size_t n_all, size_t max_terms)
{
    size_t present = 0;
    for (size_t j = 0; j < n_all; j++) {
        column_of[j] = UINT32_MAX;
        if (df[j] > 0.0) {
            candidate[present++] = candidate[j];
        }
    }
    if (present > max_terms) {
        qsort(candidate, present, sizeof *candidate, candidate_compare);
        present = max_terms;
    }
    for (size_t t = 0; t < present; t++) {
        column_of[candidate[t].column] = 0;
    }
    return present;
}

/* Fills a fresh, zeroed `tfidf`. */
static int fit(struct regret_tfidf *tfidf, const struct regret_csr *counts,
               const double *row_weight, size_t max_terms)
{
    double *df = NULL;
    struct candidate *candidate = NULL;
    tfidf->n_all = counts->cols;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&df, counts->cols));
    TRY_CLEANUP(REGRET_NEW(&candidate, counts->cols));
    TRY_CLEANUP(REGRET_NEW(&tfidf->column_of, counts->cols));
    double n = weigh_terms(df, candidate, counts, row_weight);
    size_t chosen = choose_terms(tfidf->column_of, candidate, df, counts->cols, max_terms);
    TRY_CLEANUP(REGRET_NEW(&tfidf->idf, chosen));
    for (size_t j = 0; j < counts->cols; j++) {
        if (tfidf->column_of[j] != UINT32_MAX) {
            tfidf->idf[tfidf->n_terms] = log((1.0 + n) / (1.0 + df[j])) + 1.0;
            tfidf->column_of[j] = (uint32_t)tfidf->n_terms++;
        }
    }
cleanup:
    regret_free(df);
    regret_free(candidate);
    return rc;
}

int regret_tfidf_fit(struct regret_tfidf **out, const struct regret_terms *terms,
                     const double *row_weight, const struct regret_tfidf_options *options)
{
    if (options->max_terms == 0) {
        return regret_fail(REGRET_E_INPUT, "a TF-IDF of at most 0 terms: allow at least one");
    }
    struct regret_tfidf *tfidf = NULL;
    int rc;
    TRY_CLEANUP(weights_check(row_weight, terms->counts->rows));
    TRY_CLEANUP(REGRET_NEW(&tfidf, 1));
    TRY_CLEANUP(fit(tfidf, terms->counts, row_weight, options->max_terms));
    *out = tfidf;
    tfidf = NULL;
cleanup:
    regret_tfidf_free(tfidf);
    return rc;
}

/* Row i of the transform, appended to m at its present end. */
static void transform_row(struct regret_csr *m, const struct regret_tfidf *tfidf,
                          const struct regret_csr *counts, size_t i)
{
    size_t begin = m->row_start[i], at = begin;
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
    m->row_start[i + 1] = at;
}

int regret_tfidf_transform(struct regret_csr **out, const struct regret_tfidf *tfidf,
                           const struct regret_terms *terms)
{
    const struct regret_csr *counts = terms->counts;
    if (counts->cols != tfidf->n_all) {
        return regret_fail(REGRET_E_INPUT,
                           "a vocabulary of %zu terms cannot transform counts of %zu: use the "
                           "counts it was fitted on",
                           tfidf->n_all, counts->cols);
    }
    struct regret_csr *m = NULL;
    TRY(regret_csr_new(&m, counts->rows, tfidf->n_terms, regret_csr_entries(counts)));
    for (size_t i = 0; i < counts->rows; i++) {
        transform_row(m, tfidf, counts, i);
    }
    *out = m;
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
