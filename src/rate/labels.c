#include "rate/labels.h"

#include <lapacke.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "rate/internal.h"
#include "regret/rate.h"
#include "regret/status.h"
#include "regret/text.h"

static int unknown_classifier(const char *classifier)
{
    return regret_fail(REGRET_E_INPUT,
                       "\"%s\" is no classifier of W; give \"length:T\", \"score:MODEL:T\" or "
                       "\"text\"",
                       classifier);
}

static int take_threshold(double *out, const char *text, const char *classifier)
{
    char *end = NULL;
    *out = strtod(text, &end);
    return end == text || *end != '\0' || !isfinite(*out) ? unknown_classifier(classifier)
                                                          : REGRET_OK;
}

/* "MODEL:T"; a model's name may hold colons. */
static int parse_score(struct classifier *out, const struct regret_rate_rows *rows,
                       const char *name, const char *classifier)
{
    const char *colon = strrchr(name, ':');
    FREED char *model = NULL;
    if (colon == NULL) {
        return unknown_classifier(classifier);
    }
    TRY(take_threshold(&out->threshold, colon + 1, classifier));
    TRY(regret_strndup(&model, name, (size_t)(colon - name)));
    return rows_find_model(&out->model, rows, model);
}

int classifier_parse(struct classifier *out, const struct regret_rate_rows *rows,
                     const char *classifier)
{
    int by_length = strncmp(classifier, "length:", strlen("length:")) == 0;
    *out = (struct classifier){CLASSIFIER_TEXT, 0, 0.0};
    if (strncmp(classifier, "score:", strlen("score:")) == 0) {
        out->kind = CLASSIFIER_SCORE;
        return parse_score(out, rows, classifier + strlen("score:"), classifier);
    }
    if (!by_length && strcmp(classifier, "text") != 0) {
        return unknown_classifier(classifier);
    }
    if (!rows->keep_texts) {
        return regret_fail(REGRET_E_INPUT, "classifier \"%s\" reads texts; read the rows with them",
                           classifier);
    }
    if (by_length) {
        out->kind = CLASSIFIER_LENGTH;
        return take_threshold(&out->threshold, classifier + strlen("length:"), classifier);
    }
    return REGRET_OK;
}

double classifier_value(const struct classifier *c, const struct regret_rate_rows *rows, size_t i,
                        int side)
{
    if (c->kind == CLASSIFIER_SCORE) {
        return rows->models[c->model].score[side][i];
    }
    const char *text = rows->texts[i].completion[side];
    return text != NULL ? (double)count_characters(text) : (double)NAN;
}

enum { LABEL_RIDGE_FOLDS = 5 };
#define LABEL_RIDGE_NO_SIBLING SIZE_MAX

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

/* W predicted where rows lack it. */

/* Labels row i by a classifier's verdict, or says that it cannot. */
static void label_row(struct regret_rate_rows *rows, size_t i, int known, int verdict)
{
    if (!known) {
        rows_note_issue(rows, REGRET_RATE_ISSUE_W_UNPREDICTABLE, rows->file[i], rows->line[i],
                        UINT32_MAX);
        rows->w[i] = REGRET_LABEL_EXCLUDED;
        return;
    }
    rows->w[i] = (uint8_t)verdict;
    rows->w_predicted[i] = 1;
}

static const char *original_text(const struct regret_rate_rows *rows, size_t i)
{
    return rows->texts[i].completion[REGRET_SIDE_ORIGINAL];
}

/* By a threshold on the length of the original or on its score. */
static void predict_by_threshold(struct regret_rate_rows *rows, const struct classifier *c)
{
    size_t labelled = 0, agree = 0;
    for (size_t i = 0; i < rows->n_rows; i++) {
        double value = classifier_value(c, rows, i, REGRET_SIDE_ORIGINAL);
        int known = !isnan(value), verdict = value > c->threshold;
        if (rows->w[i] == REGRET_LABEL_MISSING) {
            label_row(rows, i, known, verdict);
        } else if (rows->w[i] <= REGRET_LABEL_1 && known) {
            labelled++;
            agree += verdict == rows->w[i];
        }
    }
    rows->predictor_agreement = labelled > 0 ? (double)agree / (double)labelled : (double)NAN;
}

/* The texts of one group with a label, and those without. */
struct training {
    struct label_ridge_texts texts; /* places: rows */
    size_t *order, *start;          /* sort_by_group() */
    struct clusters clusters;
    size_t *family; /* by cluster, or SIZE_MAX while it has no labelled text */
};

/* Texts of one cluster are one family, which no fit sees a part of when it judges another. */
static void collect(struct training *t, struct regret_rate_rows *rows, size_t g)
{
    size_t n_members = t->start[g + 1] - t->start[g], n_families = 0;
    const size_t *members = t->order + t->start[g];
    struct label_ridge_texts *texts = &t->texts;
    texts->n = texts->n_ones = texts->n_targets = 0;
    clusters_number(&t->clusters, rows->cluster, members, n_members, REGRET_CLUSTERS_OF_GROUP);
    memset(t->family, 0xFF, cluster_count(&t->clusters, n_members) * sizeof *t->family);
    for (size_t k = 0; k < n_members; k++) {
        size_t i = members[k], *family = &t->family[cluster_at(&t->clusters, k)];
        const char *text = original_text(rows, i);
        if (rows->w[i] == REGRET_LABEL_MISSING && text == NULL) {
            label_row(rows, i, 0, 0);
        } else if (rows->w[i] == REGRET_LABEL_MISSING) {
            label_ridge_add_target(texts, text, LABEL_RIDGE_NO_SIBLING, i);
        } else if (rows->w[i] <= REGRET_LABEL_1 && text != NULL) {
            *family = *family == SIZE_MAX ? n_families++ : *family;
            label_ridge_add(texts, text, rows->w[i], *family, i);
        }
    }
}

static int predict_group(struct training *t, struct regret_rate_rows *rows, size_t g, double *agree,
                         double *labelled)
{
    const struct label_ridge_texts *texts = &t->texts;
    const struct label_ridge_scores *scores = &texts->scores;
    int learnable = 0;
    collect(t, rows, g);
    if (texts->n_targets == 0) {
        return REGRET_OK;
    }
    TRY(label_ridge_fit(&learnable, &t->texts));
    for (size_t j = 0; j < texts->n_targets; j++) {
        label_row(rows, texts->target_place[j], learnable, learnable && scores->target[j] >= 0.5);
    }
    *agree += learnable ? scores->agreement * (double)texts->n : 0.0;
    *labelled += learnable ? (double)texts->n : 0.0;
    return REGRET_OK;
}

static int predict_by_text(struct regret_rate_rows *rows)
{
    const struct regret_rate_options all = {0};
    struct training t = {0};
    double agree = 0.0, labelled = 0.0;
    int rc;
    TRY(regret_blas_check_threads(1));
    TRY_CLEANUP(label_ridge_texts_new(&t.texts, rows->n_rows, rows->n_rows));
    TRY_CLEANUP(REGRET_NEW(&t.family, rows->n_rows));
    TRY_CLEANUP(clusters_new(&t.clusters, rows->n_clusters, rows->n_rows));
    TRY_CLEANUP(sort_by_group(&t.order, &t.start, rows, &all));
    for (size_t g = 0; g < rows->n_groups; g++) {
        TRY_CLEANUP(predict_group(&t, rows, g, &agree, &labelled));
    }
    rows->predictor_agreement = labelled > 0.0 ? agree / labelled : (double)NAN;
cleanup:
    label_ridge_texts_free(&t.texts);
    regret_free(t.family);
    regret_free(t.order);
    regret_free(t.start);
    clusters_free(&t.clusters);
    return rc;
}

int regret_rate_predict_w(struct regret_rate_rows *rows, const char *classifier)
{
    struct classifier c;
    TRY(classifier_parse(&c, rows, classifier));
    if (c.kind == CLASSIFIER_TEXT) {
        return predict_by_text(rows);
    }
    predict_by_threshold(rows, &c);
    return REGRET_OK;
}
