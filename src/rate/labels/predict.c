/* W predicted where rows lack it. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/core/try.h"
#include "rate/estimate/clusters.h"
#include "rate/labels/classifier.h"
#include "rate/labels/label_ridge.h"
#include "rate/rows/rows.h"
#include "regret/alloc.h"
#include "regret/blas.h"

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
