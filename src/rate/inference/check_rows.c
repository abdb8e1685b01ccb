/* The rows of a group that counts are taken of, and means of them that let clusters count. */
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "rate/estimate/influence.h"
#include "rate/estimate/summation.h"
#include "rate/inference/check.h"
#include "regret/alloc.h"

int check_counts(const struct regret_rate_rows *rows, size_t group, size_t i)
{
    return rows->group[i] == group && rows->w[i] <= REGRET_LABEL_1 && !rows->w_predicted[i];
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

int check_rows_new(struct check_rows *r, const struct regret_rate_rows *rows,
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

void check_rows_free(struct check_rows *r)
{
    regret_free(r->order);
    regret_free(r->start);
    clusters_free(&r->clusters);
    regret_free(r->x);
    regret_free(r->cluster);
    regret_free(r->room);
}

void check_rows_enter(struct check_rows *r, size_t group)
{
    if (r->group == group) {
        return;
    }
    r->group = group;
    r->members = r->order + r->start[group];
    r->n = r->start[group + 1] - r->start[group];
    clusters_number(&r->clusters, r->rows->cluster, r->members, r->n, r->which);
}

/* CR2 of one mean: influence.h. */
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

struct check_mean check_mean(const struct check_rows *r, const double *x, const uint32_t *cluster,
                             size_t n)
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

void check_share(double *low, double *high, const struct check_mean *m, const struct check_rows *r,
                 const double *x, size_t n)
{
    struct limits l =
        m->missing == NULL ? share_limits(r->room, x, r->cluster, n) : (struct limits){NAN, NAN};
    *low = l.low;
    *high = l.high;
}
