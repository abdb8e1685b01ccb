/* Whether rewriting flipped W, by a classifier. */
#include <math.h>

#include "base/core/try.h"
#include "rate/inference/check.h"
#include "rate/labels/classifier.h"
#include "rate/labels/label_ridge.h"
#include "regret/alloc.h"
#include "regret/blas.h"

/* Counts the verdicts on one side (NaN: none; above `threshold`: 1), by row, for both W. */
static void add_flips(struct regret_rate_check *out, struct check_rows *r,
                      enum regret_rate_side side, const double *value, double threshold)
{
    for (int w = 1; w >= 0; w--) {
        struct regret_rate_flips f = {.group = r->group, .side = side, .w = w};
        int wanted = side == REGRET_SIDE_REWRITE ? !w : w;
        for (size_t k = 0; k < r->n; k++) {
            size_t i = r->members[k];
            if (check_counts(r->rows, r->group, i) && r->rows->w[i] == w && !isnan(value[i])) {
                int right = (value[i] > threshold) == wanted;
                r->x[f.n] = right;
                r->cluster[f.n++] = cluster_at(&r->clusters, k);
                f.right += (size_t)right;
            }
        }
        if (f.n > 0) {
            struct check_mean share = check_mean(r, r->x, r->cluster, f.n);
            f.share = (double)f.right / (double)f.n;
            f.n_clusters = share.n_clusters;
            f.clustered = r->clusters.matter;
            f.missing = share.missing;
            check_share(&f.low, &f.high, &share, r, r->x, f.n);
            out->flips[out->n_flips++] = f;
        }
    }
}

/* The labelled originals of a group, by row, and the other texts made from them, by 3 · row + side. */
static void collect_family(struct label_ridge_texts *f, const struct regret_rate_rows *rows,
                           size_t group)
{
    f->n = f->n_ones = f->n_targets = 0;
    for (size_t i = 0; i < rows->n_rows; i++) {
        char *const *texts = rows->texts[i].completion;
        if (!check_counts(rows, group, i) || texts[REGRET_SIDE_ORIGINAL] == NULL) {
            continue;
        }
        for (size_t side = REGRET_SIDE_REWRITE; side < REGRET_N_SIDES; side++) {
            if (texts[side] != NULL) {
                label_ridge_add_target(f, texts[side], f->n, REGRET_N_SIDES * i + side);
            }
        }
        label_ridge_add(f, texts[REGRET_SIDE_ORIGINAL], rows->w[i], f->n, i);
    }
}

/* value[side][i]: the fit's score of a text, NaN where there is none. */
static int text_values(double *value[REGRET_N_SIDES], struct label_ridge_texts *f,
                       const struct regret_rate_rows *rows, size_t group)
{
    int learnable = 0;
    collect_family(f, rows, group);
    for (size_t k = 0; k < REGRET_N_SIDES * rows->n_rows; k++) {
        value[0][k] = NAN;
    }
    TRY(label_ridge_fit(&learnable, f));
    for (size_t k = 0; k < f->n && learnable; k++) {
        value[REGRET_SIDE_ORIGINAL][f->place[k]] = f->scores.own[k];
    }
    for (size_t k = 0; k < f->n_targets && learnable; k++) {
        size_t place = f->target_place[k];
        value[place % REGRET_N_SIDES][place / REGRET_N_SIDES] = f->scores.mean[k];
    }
    return REGRET_OK;
}

static void plain_values(double *value[REGRET_N_SIDES], const struct classifier *c,
                         const struct regret_rate_rows *rows)
{
    for (int side = 0; side < REGRET_N_SIDES; side++) {
        for (size_t i = 0; i < rows->n_rows; i++) {
            value[side][i] = classifier_value(c, rows, i, side);
        }
    }
}

int check_flips(struct regret_rate_check *out, struct check_rows *r, const char *classifier)
{
    const struct regret_rate_rows *rows = r->rows;
    struct classifier c;
    struct label_ridge_texts family = {0};
    double *value[REGRET_N_SIDES] = {NULL, NULL, NULL};
    int rc;
    TRY(classifier_parse(&c, rows, classifier));
    TRY(regret_blas_check_threads(1));
    TRY_CLEANUP(label_ridge_texts_new(&family, rows->n_rows, 2 * rows->n_rows));
    TRY_CLEANUP(REGRET_NEW(&value[0], REGRET_N_SIDES * rows->n_rows));
    value[1] = value[0] + rows->n_rows;
    value[2] = value[1] + rows->n_rows;
    if (c.kind != CLASSIFIER_TEXT) { /* whose verdicts are of the group */
        plain_values(value, &c, rows);
    }
    for (size_t g = 0; g < rows->n_groups; g++) {
        check_rows_enter(r, g);
        if (c.kind == CLASSIFIER_TEXT) {
            TRY_CLEANUP(text_values(value, &family, rows, g));
        }
        for (int side = 0; side < REGRET_N_SIDES; side++) {
            /* A fit says 1 from 1/2 on, a threshold above it. */
            double threshold = c.kind == CLASSIFIER_TEXT ? nextafter(0.5, 0.0) : c.threshold;
            add_flips(out, r, (enum regret_rate_side)side, value[side], threshold);
        }
    }
cleanup:
    regret_free(value[0]);
    label_ridge_texts_free(&family);
    return rc;
}
