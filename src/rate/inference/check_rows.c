/* The rows of a group that counts are taken of, and means of them that let clusters count. */
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "rate/estimate/influence.h"
#include "rate/estimate/summation.h"
#include "rate/inference/check.h"
#include "regret/alloc.h"
#include "regret/student.h"

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

void wilson_interval(double *low, double *high, double share, double n, double z)
{
    double centre = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
    double half = z / (1.0 + z * z / n) * sqrt(share * (1.0 - share) / n + z * z / (4.0 * n * n));
    *low = fmax(0.0, centre - half);
    *high = fmin(1.0, centre + half);
}

void check_share(double *low, double *high, const struct check_mean *m, const struct check_rows *r,
                 const double *x, size_t n)
{
    double independent = variance_of(x, n) / (double)n, all = (double)n;
    if (m->missing != NULL) {
        *low = *high = NAN;
        return;
    }
    if (!r->clusters.matter) {
        wilson_interval(low, high, m->mean, all, REGRET_CHECK_NORMAL);
        return;
    }
    /* Of values that are all alike nothing tells how alike those of a cluster are: take them for one. */
    double effect = independent > 0.0 ? m->se * m->se / independent : all / (double)m->n_clusters;
    wilson_interval(low, high, m->mean, all / fmax(1.0, effect),
                    regret_student_quantile(0.975, m->df));
}
