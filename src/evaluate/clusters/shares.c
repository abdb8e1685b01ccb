#include "evaluate/clusters/shares.h"

#include <math.h>
#include <stdint.h>

#include "base/core/try.h"
#include "regret/alloc.h"

/* Sums over clusters: Σ a², Σ a b of each kind, Σ b²; the variance is a square of both that π makes. */
struct share_sums {
    double *own, *with; /* [n] */
    double all, total;  /* Σ b², Σ v */
    double *value;      /* [n] a of the cluster at hand */
    size_t *touched;    /* [n] kinds that it has */
    unsigned char *is_on;
};

FREED_FIELDS(share_sums, of->own, of->with, of->value, of->touched, of->is_on)

static void close_cluster(struct share_sums *t, size_t n_touched, double b)
{
    for (size_t i = 0; i < n_touched; i++) {
        size_t k = t->touched[i];
        t->own[k] += t->value[k] * t->value[k];
        t->with[k] += t->value[k] * b;
        t->value[k] = 0.0;
        t->is_on[k] = 0;
    }
    t->all += b * b;
    t->total += b;
}

static void read_cluster(struct shares *s, struct share_sums *t, const struct cluster_order *order,
                         size_t cluster, enum regret_log_source source, share_of *of,
                         const void *context)
{
    size_t n_touched = 0, rows = s->rows;
    double b = 0.0;
    for (size_t i = order->start[cluster]; i < order->start[cluster + 1]; i++) {
        if (cluster_source(order, order->place[i]) != source) {
            continue;
        }
        struct share_row row = of(context, cluster_row(order, order->place[i]));
        if (row.kind == SIZE_MAX) {
            continue;
        }
        if (!t->is_on[row.kind]) {
            t->is_on[row.kind] = 1;
            t->touched[n_touched++] = row.kind;
        }
        t->value[row.kind] += row.value;
        s->sum[row.kind] += row.value;
        s->count[row.kind]++;
        s->rows++;
        b += row.value;
    }
    s->clusters += s->rows > rows;
    close_cluster(t, n_touched, b);
}

static void finish(struct shares *s, const struct share_sums *t)
{
    double n = (double)s->clusters;
    for (size_t k = 0; k < s->n; k++) {
        double share = s->rows > 0 ? (double)s->count[k] / (double)s->rows : 0.0;
        double square = t->own[k] - 2.0 * share * t->with[k] + share * share * t->all;
        s->variance[k] = n < 2.0 ? NAN : fmax(square, 0.0) * n / (n - 1.0);
        s->sum[k] -= share * t->total;
    }
}

static int make(struct shares *s, struct share_sums *t, size_t n)
{
    s->n = n;
    TRY(REGRET_NEW(&s->count, n));
    TRY(REGRET_NEW(&s->sum, n));
    TRY(REGRET_NEW(&s->variance, n));
    TRY(REGRET_NEW(&t->own, n));
    TRY(REGRET_NEW(&t->with, n));
    TRY(REGRET_NEW(&t->value, n));
    TRY(REGRET_NEW(&t->touched, n));
    return REGRET_NEW(&t->is_on, n);
}

int shares_gather(struct shares *out, size_t n, const struct cluster_order *order,
                  enum regret_log_source source, share_of *of, const void *context)
{
    FREED_BY(shares_free) struct shares s = {0};
    FREED_BY(share_sums_fields) struct share_sums t = {0};
    TRY(make(&s, &t, n));
    for (size_t c = 0; c < order->n_clusters; c++) {
        read_cluster(&s, &t, order, c, source, of, context);
    }
    finish(&s, &t);
    *out = s;
    s = (struct shares){0};
    return REGRET_OK;
}

void shares_free(struct shares *s)
{
    regret_free(s->count);
    regret_free(s->sum);
    regret_free(s->variance);
    *s = (struct shares){0};
}
