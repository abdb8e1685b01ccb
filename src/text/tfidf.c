#include "text/tfidf.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "linalg/dense.h"
#include "regret/design.h"
#include "regret/status.h"
#include "regret/task.h"
#include "regret/text.h"
#include "text/internal.h"

FREED_POINTER(struct regret_svd, regret_svd_free)
FREED_POINTER(struct regret_csr, regret_csr_free)

struct number {
    size_t first; /* of its columns; SIZE_MAX: it has none, being constant */
    double *value;
    struct own_number own;
};

struct columns {
    const struct regret_csr *given;
    size_t *first;         /* [given->cols] the place of a word, of the first of a number */
    struct number *number; /* [given->cols]; of words without values */
    double *sorted;        /* room for a column */
    size_t cols;
};

struct own_moments own_moments(const double *value, size_t n)
{
    struct own_moments m = {0};
    double squares = 0.0;
    for (size_t x = 0; x < n; x++) {
        m.blank += isnan(value[x]) != 0;
    }
    double known = (double)(n - m.blank);
    for (size_t x = 0; x < n; x++) {
        m.mean += isnan(value[x]) ? 0.0 : value[x] / known;
    }
    for (size_t x = 0; x < n; x++) {
        double d = value[x] - m.mean;
        squares += isnan(d) ? 0.0 : d * d / known;
    }
    /* What is constant may not be so to the last bit. */
    m.sd = sqrt(squares) > 1e-12 * (1.0 + fabs(m.mean)) ? sqrt(squares) : 0.0;
    return m;
}

void own_number_cut(struct own_number *out, const double *sorted, size_t n)
{
    double square = 0.0;
    *out = (struct own_number){.scale = 0.0};
    for (size_t j = 0; j < OWN_STEPS; j++) {
        out->cut[j] = sorted[(j + 1) * n / (OWN_STEPS + 1)];
        for (size_t x = 0; x < n; x++) {
            out->share[j] += sorted[x] >= out->cut[j] ? 1.0 / (double)n : 0.0;
        }
        square += out->share[j] * (1.0 - out->share[j]);
    }
    out->scale = square > 0.0 ? sqrt(0.5 / square) : 0.0;
}

void own_number_put(double out[OWN_OF_NUMBER], const struct own_number *number, double v)
{
    out[0] = v * sqrt(0.5);
    for (size_t j = 0; j < OWN_STEPS; j++) {
        out[1 + j] = number->scale * ((v >= number->cut[j]) - number->share[j]);
    }
}

static void cut_number(struct number *c, double *sorted, size_t n)
{
    memcpy(sorted, c->value, n * sizeof *sorted);
    regret_sort_numbers(sorted, n);
    own_number_cut(&c->own, sorted, n);
    c->first = sorted[0] < sorted[n - 1] ? c->first : SIZE_MAX;
}

/* Which columns are numbers, and their values. */
static int read_numbers(struct columns *c)
{
    const struct regret_csr *m = c->given;
    for (size_t e = 0; e < regret_csr_entries(m); e++) {
        c->first[m->column[e]]++;
    }
    for (size_t j = 0; j < m->cols; j++) {
        TRY(c->first[j] == m->rows ? REGRET_NEW(&c->number[j].value, m->rows) : REGRET_OK);
    }
    for (size_t x = 0; x < m->rows; x++) {
        for (size_t e = m->row_start[x]; e < m->row_start[x + 1]; e++) {
            struct number *number = &c->number[m->column[e]];
            if (number->value != NULL) {
                number->value[x] = m->value[e];
            }
        }
    }
    return REGRET_OK;
}

static int lay_out(struct columns *c, const struct regret_csr *given)
{
    c->given = given;
    TRY(REGRET_NEW(&c->first, given->cols + 1));
    TRY(REGRET_NEW(&c->number, given->cols + 1));
    TRY(REGRET_NEW(&c->sorted, given->rows + 1));
    TRY(read_numbers(c));
    for (size_t j = 0; j < given->cols; j++) {
        struct number *number = &c->number[j];
        number->first = c->first[j] = c->cols;
        if (number->value != NULL) {
            cut_number(number, c->sorted, given->rows);
        }
        c->cols += number->value == NULL ? 1 : number->first != SIZE_MAX ? OWN_OF_NUMBER : 0;
    }
    return REGRET_OK;
}

static void columns_clear(struct columns *c)
{
    for (size_t j = 0; c->number != NULL && j < c->given->cols; j++) {
        regret_free(c->number[j].value);
    }
    regret_free(c->first);
    regret_free(c->number);
    regret_free(c->sorted);
}

static void own_columns_put(struct regret_csr *to, size_t *at, size_t column, double value)
{
    to->column[*at] = (uint32_t)column;
    to->value[(*at)++] = value;
}

static void put_number(struct regret_csr *to, size_t *at, const struct number *c, double v)
{
    double part[OWN_OF_NUMBER];
    own_number_put(part, &c->own, v);
    for (size_t j = 0; c->first != SIZE_MAX && j < OWN_OF_NUMBER; j++) {
        own_columns_put(to, at, c->first + j, part[j]);
    }
}

static int spread(struct regret_csr **out, const struct columns *c)
{
    const struct regret_csr *m = c->given;
    size_t at = 0;
    TRY(regret_csr_new(out, m->rows, c->cols, regret_csr_entries(m) * OWN_OF_NUMBER));
    for (size_t x = 0; x < m->rows; x++) {
        for (size_t e = m->row_start[x]; e < m->row_start[x + 1]; e++) {
            const struct number *number = &c->number[m->column[e]];
            if (number->value != NULL) {
                put_number(*out, &at, number, m->value[e]);
            } else {
                own_columns_put(*out, &at, c->first[m->column[e]], m->value[e]);
            }
        }
        (*out)->row_start[x + 1] = at;
    }
    return REGRET_OK;
}

/* Takes its mean from each of the columns of n rows. */
static void columns_centre(double *x, size_t n, size_t columns)
{
    for (size_t j = 0; j < columns; j++) {
        double mean = 0.0;
        for (size_t i = 0; i < n; i++) {
            mean += x[j * n + i] / (double)n;
        }
        for (size_t i = 0; i < n; i++) {
            x[j * n + i] -= mean;
        }
    }
}

int own_columns_make(double **out, size_t *rank, const struct regret_csr *columns)
{
    struct regret_svd_options options = REGRET_SVD_OPTIONS_INIT;
    FREED_BY(columns_clear) struct columns c = {0};
    FREED_BY(regret_csr_free_at) struct regret_csr *m = NULL;
    FREED_BY(regret_svd_free_at) struct regret_svd *svd = NULL;
    *out = NULL;
    *rank = 0;
    if (columns == NULL) {
        return REGRET_OK;
    }
    TRY(lay_out(&c, columns));
    if (c.cols == 0) {
        return REGRET_OK;
    }
    options.rank = OWN_COLUMNS_RANK;
    TRY(spread(&m, &c));
    TRY(regret_svd_fit(&svd, m, NULL, &options));
    TRY(REGRET_NEW(out, columns->rows * (svd->rank + 1)));
    TRY(regret_svd_project(*out, svd, m));
    columns_centre(*out, columns->rows, svd->rank);
    *rank = svd->rank;
    return REGRET_OK;
}

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
