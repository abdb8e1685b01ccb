#include "rate/labels/label_ridge.h"

#include <math.h>
#include <string.h>

#include <lapacke.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/text.h"

FREED_POINTER(struct regret_tokens, regret_tokens_free)

enum { BUCKETS = 1024, FOLDS = LABEL_RIDGE_FOLDS };
static const double PENALTY = 1.0;

/* Sums over the rows of one fold; what a fit needs is additive over folds. */
struct sums {
    double *gram; /* BUCKETS², lower triangle: Σ x xᵀ */
    double x[BUCKETS], xy[BUCKETS];
    double y, n;
};

struct features {
    double value[BUCKETS];
    int used[BUCKETS]; /* the buckets that are not zero */
    int n;
};

static void featurise(struct features *f, const struct regret_tokens *tokens, size_t text)
{
    memset(f->value, 0, sizeof f->value);
    f->n = 0;
    for (size_t t = tokens->start[text]; t < tokens->start[text + 1]; t++) {
        size_t bucket = tokens->hash[t] % BUCKETS;
        if (f->value[bucket] == 0.0) {
            f->used[f->n++] = (int)bucket;
        }
        f->value[bucket] += 1.0;
    }
    double squares = 0.0;
    for (int k = 0; k < f->n; k++) {
        squares += f->value[f->used[k]] * f->value[f->used[k]];
    }
    for (int k = 0; k < f->n; k++) {
        f->value[f->used[k]] /= sqrt(squares);
    }
}

static void add_row(struct sums *s, const struct features *f, double y)
{
    for (int j = 0; j < f->n; j++) {
        int a = f->used[j];
        for (int k = 0; k < f->n; k++) {
            int b = f->used[k];
            if (b >= a) {
                s->gram[(size_t)a * BUCKETS + (size_t)b] += f->value[a] * f->value[b];
            }
        }
        s->x[a] += f->value[a];
        s->xy[a] += f->value[a] * y;
    }
    s->y += y;
    s->n += 1.0;
}

/* theta[BUCKETS] is the intercept. `left_out` is a fold to leave out, or FOLDS. */
static int fit(double theta[BUCKETS + 1], double *gram, const struct sums *folds, int left_out)
{
    double mean[BUCKETS] = {0.0}, y = 0.0, n = 0.0;
    memset(gram, 0, sizeof *gram * BUCKETS * BUCKETS);
    memset(theta, 0, sizeof *theta * (BUCKETS + 1));
    for (int k = 0; k < FOLDS; k++) {
        if (k == left_out) {
            continue;
        }
        for (size_t i = 0; i < (size_t)BUCKETS * BUCKETS; i++) {
            gram[i] += folds[k].gram[i];
        }
        for (int j = 0; j < BUCKETS; j++) {
            mean[j] += folds[k].x[j];
            theta[j] += folds[k].xy[j];
        }
        y += folds[k].y;
        n += folds[k].n;
    }
    n = n > 0.0 ? n : 1.0;
    for (size_t a = 0; a < BUCKETS; a++) {
        mean[a] /= n;
        theta[a] -= mean[a] * y;
    }
    for (size_t a = 0; a < BUCKETS; a++) {
        for (size_t b = a; b < BUCKETS; b++) {
            gram[a * BUCKETS + b] -= n * mean[a] * mean[b];
        }
        gram[a * BUCKETS + a] += PENALTY;
    }
    if (LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', BUCKETS, 1, gram, BUCKETS, theta, BUCKETS) != 0) {
        return regret_fail(REGRET_E_NUMERIC, "the text ridge has no Cholesky factor");
    }
    theta[BUCKETS] = y / n;
    for (int j = 0; j < BUCKETS; j++) {
        theta[BUCKETS] -= theta[j] * mean[j];
    }
    return REGRET_OK;
}

static double predict(const double theta[BUCKETS + 1], const struct regret_tokens *tokens,
                      size_t text)
{
    struct features f;
    featurise(&f, tokens, text);
    double sum = theta[BUCKETS];
    for (int k = 0; k < f.n; k++) {
        sum += theta[f.used[k]] * f.value[f.used[k]];
    }
    return sum;
}

static double within_unit(double score)
{
    return score < 0.0 ? 0.0 : score > 1.0 ? 1.0 : score;
}

static size_t fold_of(const struct label_ridge_scores *out, size_t i)
{
    return (out->family != NULL ? out->family[i] : i) % FOLDS;
}

/* How much fit k counts in the mean of target j: that of its sibling alone, or every one alike. */
static double share_of(const struct label_ridge_scores *out, size_t j, size_t k)
{
    return out->sibling == NULL || out->sibling[j] == LABEL_RIDGE_NO_SIBLING
               ? 1.0 / FOLDS
               : (double)(fold_of(out, out->sibling[j]) == k);
}

/* The five fits without a fold each: what they make of that fold, and of the targets on average. */
static int cross_fit(struct label_ridge_scores *out, double *theta, double *gram,
                     const struct sums *folds, const struct regret_tokens *tokens,
                     const uint8_t *label, const struct regret_tokens *targets)
{
    size_t agree = 0, n = tokens->n_texts;
    memset(out->mean, 0, targets->n_texts * sizeof *out->mean);
    for (int k = 0; k < FOLDS; k++) {
        TRY(fit(theta, gram, folds, k));
        for (size_t i = 0; i < n; i++) {
            if (fold_of(out, i) == (size_t)k) {
                out->own[i] = within_unit(predict(theta, tokens, i));
                agree += (out->own[i] >= 0.5) == label[i];
            }
        }
        for (size_t j = 0; j < targets->n_texts; j++) {
            double share = share_of(out, j, (size_t)k);
            out->mean[j] += share > 0.0 ? share * within_unit(predict(theta, targets, j)) : 0.0;
        }
    }
    out->agreement = (double)agree / (double)n;
    return REGRET_OK;
}

int label_ridge(struct label_ridge_scores *out, const char *const *text, const uint8_t *label,
                size_t n, const char *const *target, size_t n_targets)
{
    FREED struct sums *folds = NULL;
    FREED double *grams = NULL, *theta = NULL;
    FREED_BY(regret_tokens_free_at) struct regret_tokens *tokens = NULL;
    FREED_BY(regret_tokens_free_at) struct regret_tokens *target_tokens = NULL;
    struct features f;
    const size_t size = (size_t)BUCKETS * BUCKETS;
    TRY(REGRET_NEW(&folds, FOLDS));
    TRY(REGRET_NEW(&grams, (FOLDS + 1) * size));
    TRY(REGRET_NEW(&theta, BUCKETS + 1));
    TRY(regret_tokens_build(&tokens, text, n));
    TRY(regret_tokens_build(&target_tokens, target, n_targets));
    for (size_t k = 0; k < FOLDS; k++) {
        folds[k].gram = grams + (k + 1) * size;
    }
    for (size_t i = 0; i < n; i++) {
        featurise(&f, tokens, i);
        add_row(&folds[fold_of(out, i)], &f, label[i]);
    }
    TRY(cross_fit(out, theta, grams, folds, tokens, label, target_tokens));
    TRY(fit(theta, grams, folds, FOLDS));
    for (size_t j = 0; j < n_targets; j++) {
        out->target[j] = predict(theta, target_tokens, j);
    }
    return REGRET_OK;
}

int label_ridge_texts_new(struct label_ridge_texts *t, size_t most, size_t most_targets)
{
    *t = (struct label_ridge_texts){0};
    TRY(REGRET_NEW(&t->text, most));
    TRY(REGRET_NEW(&t->label, most));
    TRY(REGRET_NEW(&t->place, most));
    TRY(REGRET_NEW(&t->family, most));
    TRY(REGRET_NEW(&t->scores.own, most));
    TRY(REGRET_NEW(&t->target, most_targets));
    TRY(REGRET_NEW(&t->target_place, most_targets));
    TRY(REGRET_NEW(&t->sibling, most_targets));
    TRY(REGRET_NEW(&t->scores.target, most_targets));
    TRY(REGRET_NEW(&t->scores.mean, most_targets));
    t->scores.family = t->family;
    t->scores.sibling = t->sibling;
    return REGRET_OK;
}

void label_ridge_texts_free(struct label_ridge_texts *t)
{
    regret_free(t->text);
    regret_free(t->label);
    regret_free(t->place);
    regret_free(t->family);
    regret_free(t->scores.own);
    regret_free(t->target);
    regret_free(t->target_place);
    regret_free(t->sibling);
    regret_free(t->scores.target);
    regret_free(t->scores.mean);
}

void label_ridge_add(struct label_ridge_texts *t, const char *text, uint8_t label, size_t family,
                     size_t place)
{
    t->text[t->n] = text;
    t->label[t->n] = label;
    t->family[t->n] = family;
    t->place[t->n++] = place;
    t->n_ones += label;
}

void label_ridge_add_target(struct label_ridge_texts *t, const char *text, size_t sibling,
                            size_t place)
{
    t->target[t->n_targets] = text;
    t->sibling[t->n_targets] = sibling;
    t->target_place[t->n_targets++] = place;
}

int label_ridge_fit(int *learnable, struct label_ridge_texts *t)
{
    *learnable = t->n_ones >= 2 && t->n - t->n_ones >= 2;
    return *learnable ? label_ridge(&t->scores, t->text, t->label, t->n, t->target, t->n_targets)
                      : REGRET_OK;
}
