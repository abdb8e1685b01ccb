#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"
#include "linalg/dense.h"
#include "recommend/internal.h"
#include "regret/design.h"
#include "regret/status.h"
#include "regret/text.h"

/* Words of at least so many requests and at most this share of them; hashed where there are more than that; the length of a request
 * beside them, of this scale [C]. */
enum { LEAST_WITH = 3, MOST_WORDS = 512, PENALTIES = 12 };
static const double MOST_SHARE = 0.6, OF_LENGTH = 1.2;

FREED_POINTER(struct regret_tokens, regret_tokens_free)
FREED_POINTER(struct regret_terms, regret_terms_free)

void words_free(struct words *w)
{
    regret_free(w->x);
    *w = (struct words){0};
}

/* ---------------------------------------------------------------- features */

/* The column of each term, MOST_WORDS of one that is left out, and ln(n/df). */
static int choose_terms(size_t *column, double *idf, size_t *n_columns,
                        const struct regret_terms *terms, size_t n)
{
    const struct regret_csr *c = terms->counts;
    FREED double *with = NULL;
    size_t kept = 0;
    TRY(REGRET_NEW(&with, c->cols));
    for (size_t i = 0; i < n; i++) {
        for (size_t k = c->row_start[i]; k < c->row_start[i + 1]; k++) {
            with[c->column[k]] += 1.0;
        }
    }
    for (size_t t = 0; t < c->cols; t++) {
        int fits = with[t] >= LEAST_WITH && with[t] <= MOST_SHARE * (double)n;
        column[t] = fits ? kept++ : SIZE_MAX;
        idf[t] = log((double)n / with[t]);
    }
    for (size_t t = 0; kept > MOST_WORDS && t < c->cols; t++) {
        column[t] = column[t] != SIZE_MAX ? terms->hash[t] % MOST_WORDS : SIZE_MAX;
    }
    *n_columns = kept > MOST_WORDS ? MOST_WORDS : kept;
    return REGRET_OK;
}

/* Which words a request has, by how few others have them, of length 1. */
static void fill_words(struct words *w, const struct regret_terms *terms, const size_t *column,
                       const double *idf)
{
    const struct regret_csr *c = terms->counts;
    for (size_t i = 0; i < w->n; i++) {
        double *row = w->x + i * w->d, squares = 0.0;
        for (size_t k = c->row_start[i]; k < c->row_start[i + 1]; k++) {
            size_t t = c->column[k];
            if (column[t] != SIZE_MAX) {
                row[column[t]] += idf[t];
            }
        }
        for (size_t j = 0; j < w->d; j++) {
            squares += row[j] * row[j];
        }
        for (size_t j = 0; j < w->d; j++) {
            row[j] *= squares > 0.0 ? 1.0 / sqrt(squares) : 0.0;
        }
    }
}

static void fill_length(struct words *w, const struct regret_tokens *tokens)
{
    double mean = 0.0, squares = 0.0, n = (double)w->n;
    for (size_t i = 0; i < w->n; i++) {
        double *x = &w->x[i * w->d + w->d - 1];
        *x = log1p((double)(tokens->start[i + 1] - tokens->start[i]));
        mean += *x / n;
    }
    for (size_t i = 0; i < w->n; i++) {
        double d = w->x[i * w->d + w->d - 1] - mean;
        squares += d * d;
    }
    double sd = sqrt(squares / (n - 1.0));
    for (size_t i = 0; i < w->n; i++) {
        double *x = &w->x[i * w->d + w->d - 1];
        *x = sd > 1e-9 ? OF_LENGTH * (*x - mean) / sd : 0.0;
    }
}

/* Where there are more columns than requests, as many coordinates as these, in which inner products are the same. */
static int turn(struct words *w)
{
    FREED double *gram = NULL, *value = NULL, *vector = NULL;
    size_t n = w->n;
    TRY(REGRET_NEW(&gram, n * n));
    TRY(REGRET_NEW(&value, n));
    TRY(REGRET_NEW(&vector, n * n));
    products_by_columns(gram, w->x, w->d, n, w->x, n);
    TRY(eigen_top(value, vector, gram, n, n));
    regret_free(w->x);
    w->x = NULL;
    w->d = n;
    TRY(REGRET_NEW(&w->x, n * n));
    for (size_t k = 0; k < n; k++) {
        double scale = sqrt(fmax(0.0, value[k]));
        for (size_t i = 0; i < n; i++) {
            w->x[i * n + k] = scale * vector[i + k * n];
        }
    }
    return REGRET_OK;
}

int words_make(struct words *out, const char *const *text, size_t n)
{
    const struct regret_terms_options options = {.bigrams = 0, .keep_stop_words = 1};
    FREED_BY(regret_tokens_free_at) struct regret_tokens *tokens = NULL;
    FREED_BY(regret_terms_free_at) struct regret_terms *terms = NULL;
    FREED_BY(words_free) struct words w = {.n = n};
    FREED size_t *column = NULL;
    FREED double *idf = NULL;
    *out = (struct words){0};
    if (text == NULL || n < 2) {
        return REGRET_OK;
    }
    TRY(regret_tokens_build(&tokens, text, n));
    TRY(regret_terms_build(&terms, tokens, &options));
    TRY(REGRET_NEW(&column, terms->counts->cols));
    TRY(REGRET_NEW(&idf, terms->counts->cols));
    TRY(choose_terms(column, idf, &w.d, terms, n));
    w.d++;
    TRY(REGRET_NEW(&w.x, n * w.d));
    fill_words(&w, terms, column, idf);
    fill_length(&w, tokens);
    TRY(w.d > n ? turn(&w) : REGRET_OK);
    *out = w;
    w = (struct words){0};
    return REGRET_OK;
}

/* ---------------------------------------------------------------- ridge */

/* X'X = V diag(s) V', of n requests; XV, and V'X'E. */
struct turned {
    size_t n, d, m;
    double *value, *vector; /* [d], [d × d] owned, as the others */
    double *x;              /* [n × d], column-major */
    double *moment;         /* [d × m] */
    const double *e;        /* [n × m], by outcome */
};

FREED_FIELDS(turned, of->value, of->vector, of->x, of->moment)

static int turned_make(struct turned *out, const struct words *w, const size_t *request, size_t n,
                       const double *e, size_t m)
{
    FREED_BY(turned_fields) struct turned t = {.n = n, .d = w->d, .m = m, .e = e};
    FREED double *x = NULL, *gram = NULL;
    TRY(REGRET_NEW(&x, n * w->d));
    TRY(REGRET_NEW(&gram, w->d * w->d));
    TRY(REGRET_NEW(&t.value, w->d));
    TRY(REGRET_NEW(&t.vector, w->d * w->d));
    TRY(REGRET_NEW(&t.x, n * w->d));
    TRY(REGRET_NEW(&t.moment, w->d * m));
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < w->d; j++) {
            x[j * n + i] = w->x[request[i] * w->d + j];
        }
    }
    products_by_columns(gram, x, n, w->d, x, w->d);
    TRY(eigen_top(t.value, t.vector, gram, w->d, w->d));
    products_add(t.x, x, n, w->d, t.vector, w->d);
    products_by_columns(t.moment, t.x, n, w->d, e, m);
    *out = t;
    t = (struct turned){0};
    return REGRET_OK;
}

/* The penalties rise from .3 to 3·10⁴. */
static double penalty_at(size_t k)
{
    return 0.3 * pow(1e5, (double)k / (PENALTIES - 1));
}

/* V-coordinates of the fits: moments over s + ρ. */
static void shrink(double *theta, const struct turned *t, double penalty)
{
    for (size_t k = 0; k < t->m; k++) {
        for (size_t j = 0; j < t->d; j++) {
            theta[k * t->d + j] = t->moment[k * t->d + j] / (fmax(0.0, t->value[j]) + penalty);
        }
    }
}

/* Σ of squared errors of left-out requests, e less the fit over 1 − h; `fit` [n × m] gets what they predict. */
static double left_out(double *fit, double *lever, const struct turned *t, double *theta,
                       double penalty)
{
    double sum = 0.0;
    shrink(theta, t, penalty);
    memset(fit, 0, t->n * t->m * sizeof *fit);
    products_add(fit, t->x, t->n, t->d, theta, t->m);
    memset(lever, 0, t->n * sizeof *lever);
    for (size_t j = 0; j < t->d; j++) {
        double share = 1.0 / (fmax(0.0, t->value[j]) + penalty);
        for (size_t i = 0; i < t->n; i++) {
            lever[i] += t->x[j * t->n + i] * t->x[j * t->n + i] * share;
        }
    }
    for (size_t k = 0; k < t->n * t->m; k++) {
        double error = (t->e[k] - fit[k]) / (1.0 - lever[k % t->n]);
        fit[k] = t->e[k] - error;
        sum += error * error;
    }
    return sum;
}

static int take_weights(struct words_fit *f, const struct turned *t, double *theta, double penalty)
{
    f->penalty = penalty;
    TRY(REGRET_NEW(&f->weight, t->d * t->m));
    shrink(theta, t, penalty);
    products_add(f->weight, t->vector, t->d, t->d, theta, t->m);
    return REGRET_OK;
}

int words_learn(struct words_fit *out, const struct words *w, const size_t *request, size_t n,
                const double *e, size_t m, int wants_left_out)
{
    FREED_BY(turned_fields) struct turned t = {0};
    FREED_BY(words_fit_free) struct words_fit f = {0};
    FREED double *fit = NULL, *lever = NULL, *theta = NULL;
    double least = INFINITY, best = NAN, all = 0.0;
    TRY(REGRET_NEW(&fit, n * m));
    TRY(REGRET_NEW(&lever, n));
    TRY(REGRET_NEW(&theta, w->d * m));
    TRY(turned_make(&t, w, request, n, e, m));
    for (size_t k = 0; k < n * m; k++) {
        all += e[k] * e[k];
    }
    for (size_t k = 0; k < PENALTIES; k++) {
        double loss = left_out(fit, lever, &t, theta, penalty_at(k));
        best = loss < least ? penalty_at(k) : best;
        least = fmin(loss, least);
    }
    f.share = all > 0.0 ? 1.0 - least / all : 0.0;
    if (f.share > 0.0) {
        left_out(fit, lever, &t, theta, best);
        TRY(take_weights(&f, &t, theta, best));
        f.left_out = wants_left_out ? fit : NULL;
        fit = wants_left_out ? NULL : fit;
    }
    *out = f;
    f = (struct words_fit){0};
    return REGRET_OK;
}

int words_learn_at(struct words_fit *out, const struct words *w, const size_t *request, size_t n,
                   const double *e, size_t m, double penalty)
{
    FREED_BY(turned_fields) struct turned t = {0};
    FREED double *theta = NULL;
    *out = (struct words_fit){.share = NAN};
    TRY(REGRET_NEW(&theta, w->d * m));
    TRY(turned_make(&t, w, request, n, e, m));
    return take_weights(out, &t, theta, penalty);
}

void words_fit_free(struct words_fit *f)
{
    regret_free(f->weight);
    regret_free(f->left_out);
    *f = (struct words_fit){0};
}

double words_predict(const struct words *w, const struct words_fit *f, size_t request, size_t k)
{
    double sum = 0.0;
    for (size_t j = 0; f->weight != NULL && j < w->d; j++) {
        sum += w->x[request * w->d + j] * f->weight[k * w->d + j];
    }
    return sum;
}
