#include "rate/internal.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "rate/contrast.h"
#include "rate/intern.h"
#include "rate/labels.h"
#include "regret/status.h"
#include "stats/distributions.h"
#include "stats/limits.h"
#include "stats/multiplicity.h"

/* The rows of one group after another, and room for values of them. */
struct check_rows {
    const struct regret_rate_rows *rows; /* borrowed */
    enum regret_rate_clusters which;
    size_t *order, *start;    /* sort_by_group(); owned */
    struct clusters clusters; /* of the group at hand */
    size_t group, n;          /* the group at hand and its rows: */
    const size_t *members;    /* their numbers */
    double *x;                /* as many as rows; owned */
    uint32_t *cluster;        /* likewise */
    double *room;             /* two numbers a row; owned */
};

/* A mean of n values: of independent ones with s/√n and n − 1; where clusters matter, CR2 with Satterthwaite's degrees
 * of freedom (influence.c). */
struct check_mean {
    double mean, se, df; /* se and df NaN where there is one cluster */
    size_t n_clusters;   /* behind it; n where they do not matter */
    const char *missing; /* why there is no error (static text), or NULL */
};

/* X of one text of row i; NaN: there is none. */
static double measure_of(const struct regret_rate_rows *rows, const struct regret_rate_movement *m,
                         size_t i, int side)
{
    if (m->measure == REGRET_MEASURE_SCORE) {
        return rows->models[m->model].score[side][i];
    }
    const char *text = rows->texts[i].completion[side];
    return text == NULL                              ? (double)NAN
           : m->measure == REGRET_MEASURE_CHARACTERS ? (double)count_characters(text)
                                                     : (double)count_tokens(text, SIZE_MAX);
}

/* X(O), X(R) − X(O), X(RR) − X(R), X(RR) − X(O), each with room for the rows of both W, those with
 * W = 0 first; their clusters are in the rows' room. */
enum { ORIGINAL, FORTH, BACK, NET, N_CHANGES };
struct changes {
    double *value[N_CHANGES], *block; /* block owns */
};

FREED_FIELDS(changes, of->block)

static void gather_changes(struct changes *c, struct regret_rate_movement *m,
                           const struct check_rows *of)
{
    const struct regret_rate_rows *rows = of->rows;
    size_t n = 0;
    for (int w = 0; w < 2; w++) {
        size_t before = n;
        for (size_t k = 0; k < of->n; k++) {
            size_t i = of->members[k];
            if (!check_counts(rows, m->group, i) || rows->w[i] != w) {
                continue;
            }
            double o = measure_of(rows, m, i, REGRET_SIDE_ORIGINAL);
            double r = measure_of(rows, m, i, REGRET_SIDE_REWRITE);
            double rr = measure_of(rows, m, i, REGRET_SIDE_REWRITE_OF_REWRITE);
            if (isnan(o + r + rr)) {
                continue;
            }
            c->value[ORIGINAL][n] = o;
            c->value[FORTH][n] = r - o;
            c->value[BACK][n] = rr - r;
            c->value[NET][n] = rr - o;
            of->cluster[n++] = cluster_at(&of->clusters, k);
        }
        m->n[w] = n - before;
    }
}

/* CR2 of one mean: influence.c. */
static void count_clusters(struct check_mean *m, const struct check_rows *r, const double *x,
                           const uint32_t *cluster, size_t n)
{
    double *size = r->room, *sum = r->room + r->clusters.n, variance = 0.0, all = (double)n;
    memset(r->room, 0, 2 * r->clusters.n * sizeof *r->room);
    for (size_t k = 0; k < n; k++) {
        size[cluster[k]] += 1.0;
        sum[cluster[k]] += x[k] - m->mean;
    }
    m->n_clusters = 0;
    for (size_t c = 0; c < r->clusters.n; c++) {
        m->n_clusters += size[c] > 0.0;
        variance += size[c] < all ? sum[c] * sum[c] / (all * all * (1.0 - size[c] / all)) : 0.0;
    }
    const struct cluster_mean one = {size, all, 1.0};
    int several = m->n_clusters > 1;
    m->se = several ? sqrt(variance) : (double)NAN;
    m->df = several ? cluster_df(&one, 1, r->clusters.n) : (double)NAN;
    m->missing = several || n == 0 ? NULL : MISSING_ONE_CLUSTER;
}

/* Of x[0..n), whose clusters are cluster[0..n) of the group at hand. O(n + clusters). */
static struct check_mean check_mean(const struct check_rows *r, const double *x,
                                    const uint32_t *cluster, size_t n)
{
    struct check_mean m = {.mean = mean_of(x, n),
                           .se = sqrt(variance_of(x, n) / (double)n),
                           .df = (double)n - 1.0,
                           .n_clusters = n};
    if (r->clusters.matter) {
        count_clusters(&m, r, x, cluster, n);
    }
    return m;
}

static struct regret_rate_mean mean_and_error(const struct check_rows *of, const double *x,
                                              size_t first, size_t n)
{
    struct check_mean m = check_mean(of, x + first, of->cluster + first, n);
    return (struct regret_rate_mean){m.mean, m.se};
}

static void fill_movement(struct regret_rate_movement *m, struct changes *c,
                          const struct check_rows *of)
{
    struct regret_rate_mean *parts[N_CHANGES] = {m->original, m->forth, m->back, m->net};
    size_t n = m->n[0] + m->n[1];
    for (int k = 0; k < N_CHANGES; k++) {
        for (int w = 0; w < 2; w++) {
            parts[k][w] = mean_and_error(of, c->value[k], w == 1 ? m->n[0] : 0, m->n[w]);
        }
    }
    for (size_t i = 0; i < m->n[0]; i++) {
        c->value[BACK][i] = -c->value[BACK][i]; /* R is the rewrite to 1 there, RR that to 0 */
    }
    struct check_mean all = check_mean(of, c->value[BACK], of->cluster, n);
    m->asymmetry = (struct regret_rate_mean){all.mean, all.se};
    m->t = m->asymmetry.mean / m->asymmetry.se;
    m->t = m->asymmetry.mean == 0.0 ? 0.0 : m->t; /* nothing ever moved */
    m->df = n < 2 ? (double)NAN : all.df;
    m->p = isnan(m->df) ? (double)NAN : 2.0 * regret_student_cdf(-fabs(m->t), m->df);
    double t = isnan(m->df) ? (double)NAN : regret_student_quantile(0.975, m->df);
    m->low = all.mean - t * all.se;
    m->high = all.mean + t * all.se;
    m->clustered = of->clusters.matter;
    m->n_clusters = all.n_clusters;
    m->missing = all.missing;
}

/* One movement of a group, where there are rows for it. */
static void add_movement(struct regret_rate_check *out, struct changes *c,
                         const struct check_rows *of, enum regret_rate_measure measure,
                         size_t model)
{
    struct regret_rate_movement *m = &out->movements[out->n_movements];
    *m = (struct regret_rate_movement){.group = of->group, .model = model, .measure = measure};
    gather_changes(c, m, of);
    if (m->n[0] + m->n[1] > 0) {
        fill_movement(m, c, of);
        out->n_movements++;
    }
}

static int adjust_p(struct regret_rate_check *out)
{
    FREED double *p = NULL;
    TRY(REGRET_NEW(&p, out->n_movements));
    for (size_t k = 0; k < out->n_movements; k++) {
        p[k] = out->movements[k].p;
    }
    TRY(regret_holm(p, p, out->n_movements));
    for (size_t k = 0; k < out->n_movements; k++) {
        out->movements[k].p_holm = p[k];
    }
    return REGRET_OK;
}

/* Takes up a group. O(its rows), once. */
static void check_rows_enter(struct check_rows *r, size_t group)
{
    if (r->group == group) {
        return;
    }
    r->group = group;
    r->members = r->order + r->start[group];
    r->n = r->start[group + 1] - r->start[group];
    clusters_number(&r->clusters, r->rows->cluster, r->members, r->n, r->which);
}

static int check_movements(struct regret_rate_check *out, struct check_rows *of,
                           const struct regret_rate_check_options *options)
{
    const struct regret_rate_rows *rows = of->rows;
    FREED_BY(changes_fields) struct changes c = {{NULL, NULL, NULL, NULL}, NULL};
    TRY(REGRET_NEW(&out->movements, rows->n_groups * (2 + options->n_off_target)));
    TRY(REGRET_NEW(&c.block, N_CHANGES * rows->n_rows));
    for (size_t k = 0; k < N_CHANGES; k++) {
        c.value[k] = c.block + k * rows->n_rows;
    }
    for (size_t g = 0; g < rows->n_groups; g++) {
        check_rows_enter(of, g);
        if (rows->texts != NULL) {
            add_movement(out, &c, of, REGRET_MEASURE_CHARACTERS, 0);
            add_movement(out, &c, of, REGRET_MEASURE_WORDS, 0);
        }
        for (size_t k = 0; k < options->n_off_target; k++) {
            uint32_t model = 0;
            TRY(rows_find_model(&model, rows, options->off_target[k]));
            add_movement(out, &c, of, REGRET_MEASURE_SCORE, model);
        }
    }
    return adjust_p(out);
}

struct limits share_limits(double *room, const double *x, const uint32_t *cluster, size_t n)
{
    size_t last = 0, kept = 0;
    for (size_t k = 0; k < n; k++) {
        last = cluster[k] > last ? cluster[k] : last;
    }
    double *sum = room, *rows = room + last + 1;
    for (size_t c = 0; c <= last; c++) {
        sum[c] = rows[c] = 0.0;
    }
    for (size_t k = 0; k < n; k++) {
        sum[cluster[k]] += x[k];
        rows[cluster[k]] += 1.0;
    }
    for (size_t c = 0; c <= last; c++) { /* without those that are empty */
        sum[kept] = sum[c];
        rows[kept] = rows[c];
        kept += rows[c] > 0.0;
    }
    const struct bounded of = bounded_clusters(sum, rows, kept);
    return bounded_limits(&of, tails_of(0.95));
}

/* The same of values of r->cluster; none where there is one cluster. */
static void check_share(double *low, double *high, const struct check_mean *m,
                        const struct check_rows *r, const double *x, size_t n)
{
    struct limits l =
        m->missing == NULL ? share_limits(r->room, x, r->cluster, n) : (struct limits){NAN, NAN};
    *low = l.low;
    *high = l.high;
}

/* The wins of one model in the group at hand. */
static void fill_wins(struct regret_rate_wins *w, struct check_rows *of)
{
    for (size_t k = 0; k < of->n; k++) {
        size_t i = of->members[k];
        double more = check_counts(of->rows, w->group, i)
                          ? advantage(of->rows, &of->rows->models[w->model], w->is_double, i)
                          : (double)NAN;
        if (!isnan(more)) {
            w->wins += more > 0.0;
            w->ties += more == 0.0;
            of->cluster[w->n] = cluster_at(&of->clusters, k);
            of->x[w->n++] = more > 0.0 ? 1.0 : more == 0.0 ? 0.5 : 0.0;
        }
    }
    if (w->n > 0) {
        struct check_mean share = check_mean(of, of->x, of->cluster, w->n);
        w->share = share.mean;
        w->se = share.se;
        w->clustered = of->clusters.matter;
        w->n_clusters = share.n_clusters;
        w->missing = share.missing;
        check_share(&w->low, &w->high, &share, of, of->x, w->n);
    }
}

static int check_wins(struct regret_rate_check *out, struct check_rows *of)
{
    const struct regret_rate_rows *rows = of->rows;
    TRY(REGRET_NEW(&out->wins, 2 * rows->n_groups * rows->n_models));
    for (size_t k = 0; k < 2 * rows->n_groups * rows->n_models; k++) {
        struct regret_rate_wins *w = &out->wins[out->n_wins];
        *w = (struct regret_rate_wins){.group = k / 2 / rows->n_models,
                                       .model = k / 2 % rows->n_models,
                                       .is_double = k % 2 == 1};
        check_rows_enter(of, w->group);
        fill_wins(w, of);
        out->n_wins += w->n > 0;
    }
    return REGRET_OK;
}

static void check_rows_free(struct check_rows *r)
{
    regret_free(r->order);
    regret_free(r->start);
    clusters_free(&r->clusters);
    regret_free(r->x);
    regret_free(r->cluster);
    regret_free(r->room);
}

/* Free it even after a failure. */
static int check_rows_new(struct check_rows *r, const struct regret_rate_rows *rows,
                          enum regret_rate_clusters which)
{
    const struct regret_rate_options all = {0};
    memset(r, 0, sizeof *r);
    r->rows = rows;
    r->which = which;
    r->group = SIZE_MAX;
    TRY(sort_by_group(&r->order, &r->start, rows, &all));
    TRY(clusters_new(&r->clusters, rows->n_clusters, rows->n_rows));
    TRY(REGRET_NEW(&r->x, rows->n_rows));
    TRY(REGRET_NEW(&r->cluster, rows->n_rows));
    return REGRET_NEW(&r->room, 2 * rows->n_rows);
}

/* Whether rewriting flipped W, by a classifier. */

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

/* Appends the flips of every group to *out, which has room for 2 · REGRET_N_SIDES of each. */
static int check_flips(struct regret_rate_check *out, struct check_rows *r, const char *classifier)
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

/* The rows of a group that counts are taken of, and means of them that let clusters count. */

int check_counts(const struct regret_rate_rows *rows, size_t group, size_t i)
{
    return rows->group[i] == group && rows->w[i] <= REGRET_LABEL_1 && !rows->w_predicted[i];
}

int regret_rate_check(struct regret_rate_check *out, const struct regret_rate_rows *rows,
                      const struct regret_rate_check_options *options)
{
    FREED_BY(regret_rate_check_free) struct regret_rate_check check = {0};
    FREED_BY(check_rows_free) struct check_rows of = {0};
    TRY(check_rows_new(&of, rows, options->clusters));
    TRY(check_movements(&check, &of, options));
    TRY(check_wins(&check, &of));
    if (options->classifier != NULL) {
        TRY(REGRET_NEW(&check.flips, rows->n_groups * 2 * REGRET_N_SIDES));
        TRY(check_flips(&check, &of, options->classifier));
    }
    *out = check;
    check = (struct regret_rate_check){0};
    return REGRET_OK;
}

void regret_rate_check_free(struct regret_rate_check *check)
{
    regret_free(check->movements);
    regret_free(check->wins);
    regret_free(check->flips);
    *check = (struct regret_rate_check){0};
}

double advantage(const struct regret_rate_rows *rows, const struct regret_rate_model *m,
                 int is_double, size_t i)
{
    if (m->contrastive) {
        return m->score[is_double][i];
    }
    int own = is_double ? REGRET_SIDE_REWRITE_OF_REWRITE : REGRET_SIDE_ORIGINAL;
    double more = m->score[own][i] - m->score[REGRET_SIDE_REWRITE][i];
    return rows->w[i] == REGRET_LABEL_1 ? more : -more;
}
