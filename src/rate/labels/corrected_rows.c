/* The rows of a group as a model sees them, some of whose W is predicted, and their corrected estimates. */
#include <math.h>

#include "base/core/try.h"
#include "rate/estimate/clusters.h"
#include "rate/labels/corrected.h"
#include "rate/rows/rows.h"
#include "regret/alloc.h"
#include "regret/student.h"

static const char NO_LABELS[] =
    "fewer than two rows with a W of their own on a side: nothing corrects the predicted ones";

/* x of a row: O for the naive estimate, a difference of rewards for the others. */
static double quantity(const struct regret_rate_model *model, enum regret_rate_effect_kind kind,
                       size_t i)
{
    double *const *score = model->score;
    int is_rate = kind >= REGRET_EFFECT_RATE_ATE && kind <= REGRET_EFFECT_RATE_ATU;
    if (model->contrastive) {
        return score[is_rate][i];
    }
    double o = score[REGRET_SIDE_ORIGINAL][i], r = score[REGRET_SIDE_REWRITE][i];
    double rr = score[REGRET_SIDE_REWRITE_OF_REWRITE][i];
    return kind == REGRET_EFFECT_NAIVE     ? o
           : is_rate                       ? rr - r
           : kind >= REGRET_EFFECT_DRIFT_1 ? rr - o
                                           : o - r;
}

/* The rows that serve a model, the labelled ones first: row[0..n), row[n..n + n_more). */
struct members {
    size_t *row;           /* owned */
    size_t *order, *start; /* sort_by_group(); owned */
    size_t ones, zeros;
    struct clusters clusters; /* of the group */
    uint32_t *cluster;        /* of row[k]; owned */
    struct labelled_sample sample;
};

static void find_members(struct members *m, const struct regret_rate_rows *rows, size_t group,
                         size_t model)
{
    size_t n = 0;
    m->ones = m->zeros = 0;
    for (int predicted = 0; predicted < 2; predicted++) {
        for (size_t k = m->start[group]; k < m->start[group + 1]; k++) {
            size_t i = m->order[k];
            if (rows->w[i] > REGRET_LABEL_1 || rows->w_predicted[i] != predicted ||
                isnan(rows->w_score[i]) || rows_missing(rows, model, i) != 0) {
                continue;
            }
            m->row[n] = i;
            m->cluster[n] = cluster_at(&m->clusters, k - m->start[group]);
            m->sample.w[n] = rows->w[i];
            m->sample.p[n++] = rows->w_score[i];
            m->ones += !predicted && rows->w[i] == REGRET_LABEL_1;
            m->zeros += !predicted && rows->w[i] == REGRET_LABEL_0;
        }
        if (!predicted) {
            m->sample.n = n;
        }
    }
    m->sample.n_more = n - m->sample.n;
}

static void make_missing(struct regret_rate_effect *e, const char *reason)
{
    const double nothing = NAN;
    e->n = e->n_clusters = 0;
    e->estimate = e->se = e->low = e->high = e->d = e->d_se = nothing;
    e->df = e->quantile = nothing;
    e->missing = reason;
}

/* Puts a corrected effect in the place of the uncorrected one, which goes to *note. */
static void replace_effect(struct regret_rate_estimate *e, enum regret_rate_effect_kind kind,
                           const struct members *m, const struct corrected_effect *c, double sd,
                           struct regret_rate_correction *note)
{
    struct regret_rate_effect *f = &e->effects[kind];
    int normal = isinf(f->df); /* as was asked for */
    *note = (struct regret_rate_correction){
        .group = e->group,
        .model = e->model,
        .effect = (int)kind,
        .n_labelled = m->sample.n,
        .n_predicted = m->sample.n_more,
        .lambda = c->lambda,
        .estimate = c->estimate,
        .se = c->se,
        .labelled = c->labelled,
        .labelled_se = c->labelled_se,
        .uncorrected = f->estimate,
        .uncorrected_se = f->se,
    };
    f->estimate = c->estimate;
    f->se = c->se;
    f->df = normal ? f->df : c->df;
    f->quantile = normal ? f->quantile : regret_student_quantile(0.975, c->df);
    f->n_clusters = c->n_clusters;
    f->low = c->estimate - f->quantile * c->se;
    f->high = c->estimate + f->quantile * c->se;
    f->d = sd > 0.0 ? c->estimate / sd : (double)NAN;
    f->d_se = sd > 0.0 ? c->se / sd : (double)NAN;
    if (!isfinite(f->low) || !isfinite(f->high)) {
        make_missing(f, "the scores are too large, or the predictions leave no row of a side");
    }
}

/* The pooled deviation of O within W, of the labelled rows. */
static double pooled_deviation(const struct members *m, const struct regret_rate_model *model)
{
    double sum[2] = {0.0}, count[2] = {0.0}, squares = 0.0;
    if (model->contrastive) {
        return NAN;
    }
    for (size_t k = 0; k < m->sample.n; k++) {
        size_t w = m->sample.w[k] > 0.5;
        sum[w] += model->score[REGRET_SIDE_ORIGINAL][m->row[k]];
        count[w] += 1.0;
    }
    for (size_t k = 0; k < m->sample.n; k++) {
        size_t w = m->sample.w[k] > 0.5;
        double e = model->score[REGRET_SIDE_ORIGINAL][m->row[k]] - sum[w] / count[w];
        squares += e * e;
    }
    double deviation = sqrt(squares / (count[0] + count[1] - 2.0));
    return isfinite(deviation) ? deviation : (double)NAN;
}

static void correct_estimate(struct regret_rate_rows *rows, struct regret_rate_estimate *e,
                             struct members *m)
{
    const struct regret_rate_model *model = &rows->models[e->model];
    size_t first = m->start[e->group];
    clusters_number(&m->clusters, rows->cluster, m->order + first, m->start[e->group + 1] - first,
                    e->clustered ? REGRET_CLUSTERS_ALWAYS : REGRET_CLUSTERS_NONE);
    find_members(m, rows, e->group, e->model);
    m->sample.cluster = e->clustered ? m->cluster : NULL;
    m->sample.n_clusters = m->clusters.n;
    int enough = m->ones >= 2 && m->zeros >= 2 && m->sample.n_more > 0;
    double sd = enough ? pooled_deviation(m, model) : (double)NAN;
    e->pooled_sd = sd;
    e->n_used = m->sample.n + m->sample.n_more;
    for (int k = 0; k < REGRET_N_EFFECTS; k++) {
        enum regret_rate_effect_kind kind = (enum regret_rate_effect_kind)k;
        struct regret_rate_effect *f = &e->effects[k];
        f->se_paired = f->se_unpaired = f->boot_se = f->boot_low = f->boot_high = NAN;
        if (f->missing != NULL) {
            continue;
        }
        if (!enough) {
            make_missing(f, NO_LABELS);
            continue;
        }
        for (size_t j = 0; j < e->n_used; j++) {
            m->sample.x[j] = quantity(model, kind, m->row[j]);
        }
        struct corrected_effect c =
            correct_effect(&m->sample, kind, model->contrastive, (double)NAN);
        if (c.missing != NULL) {
            make_missing(f, c.missing);
            continue;
        }
        replace_effect(e, kind, m, &c, sd, &rows->corrections[rows->n_corrections++]);
        f->n = f->missing == NULL ? e->n_used : 0;
    }
}

static int members_new(struct members *m, const struct regret_rate_rows *rows, int clustered)
{
    const struct regret_rate_options all = {0};
    TRY(sort_by_group(&m->order, &m->start, rows, &all));
    TRY(REGRET_NEW(&m->row, rows->n_rows));
    TRY(REGRET_NEW(&m->cluster, rows->n_rows));
    TRY(REGRET_NEW(&m->sample.w, rows->n_rows));
    TRY(REGRET_NEW(&m->sample.p, rows->n_rows));
    TRY(REGRET_NEW(&m->sample.x, rows->n_rows));
    if (!clustered) {
        return REGRET_OK;
    }
    TRY(clusters_new(&m->clusters, rows->n_clusters, rows->n_rows));
    return REGRET_NEW(&m->sample.room, CORRECTED_ROOM * rows->n_rows);
}

static void members_free(struct members *m)
{
    regret_free(m->order);
    regret_free(m->start);
    regret_free(m->row);
    regret_free(m->cluster);
    clusters_free(&m->clusters);
    regret_free(m->sample.w);
    regret_free(m->sample.p);
    regret_free(m->sample.x);
    regret_free(m->sample.room);
}

int regret_rate_correct_w(struct regret_rate_rows *rows, struct regret_rate_estimate *estimates,
                          size_t n)
{
    FREED_BY(members_free) struct members m = {0};
    int clustered = 0;
    if (rows->w_score == NULL) {
        return REGRET_OK;
    }
    for (size_t k = 0; k < n; k++) {
        clustered |= estimates[k].clustered;
    }
    regret_free(rows->corrections);
    rows->corrections = NULL;
    rows->n_corrections = 0;
    TRY(REGRET_NEW(&rows->corrections, n * REGRET_N_EFFECTS));
    TRY(members_new(&m, rows, clustered));
    for (size_t k = 0; k < n; k++) {
        if (estimates[k].n_predicted > 0) {
            correct_estimate(rows, &estimates[k], &m);
        }
    }
    return REGRET_OK;
}
