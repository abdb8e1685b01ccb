#include "evaluate/balance/weighted.h"

#include <math.h>

#include "base/core/try.h"
#include "evaluate/clusters/joint.h"
#include "regret/alloc.h"

enum { LEAST_ROWS = 8 /* in effect, of an agent that is tested */ };

struct weighing {
    const struct regret_log_rows *exp;
    const struct assignment *assignment;
    uint32_t *row;           /* [n_rows] rows of units in the sample, cluster by cluster */
    unsigned char *is_first; /* [n_rows] of its cluster */
    size_t n_rows;
    double *feature;         /* [units] one dimension, centred */
    double *weight, *square; /* [labels] Σ w, Σ w² */
    double *sum;             /* [labels] Σ w (g − ḡ) */
    double *own, *with;      /* [labels] over clusters Σ α², Σ α β */
    double *in_cluster;      /* [labels] α of the cluster at hand */
    uint32_t *touched;       /* [labels] */
    double
        *doubt; /* [labels] Σ (1 − p)/p² over Σ 1/p: what a row adds to the variance, on average */
    double all;           /* Σ β² */
    double spread, alone; /* of the feature Σ g², and rows in effect that vary it: (Σ g²)²/Σ g⁴ */
};

static int make(struct weighing *w, const struct assignment *d)
{
    TRY(REGRET_NEW(&w->row, d->n_rows));
    TRY(REGRET_NEW(&w->is_first, d->n_rows));
    TRY(REGRET_NEW(&w->feature, d->n_units));
    TRY(REGRET_NEW(&w->weight, d->n_labels));
    TRY(REGRET_NEW(&w->square, d->n_labels));
    TRY(REGRET_NEW(&w->doubt, d->n_labels));
    TRY(REGRET_NEW(&w->sum, d->n_labels));
    TRY(REGRET_NEW(&w->own, d->n_labels));
    TRY(REGRET_NEW(&w->with, d->n_labels));
    TRY(REGRET_NEW(&w->in_cluster, d->n_labels));
    return REGRET_NEW(&w->touched, d->n_labels);
}

static void release(struct weighing *w)
{
    regret_free(w->row);
    regret_free(w->is_first);
    regret_free(w->feature);
    regret_free(w->weight);
    regret_free(w->square);
    regret_free(w->doubt);
    regret_free(w->sum);
    regret_free(w->own);
    regret_free(w->with);
    regret_free(w->in_cluster);
    regret_free(w->touched);
}

/* One dimension of the transposed block, centred over units. */
static void spread(struct weighing *w, const struct regret_csr *by_dimension, size_t j)
{
    size_t n = w->assignment->n_units;
    double mean = 0.0;
    for (size_t e = by_dimension->row_start[j]; e < by_dimension->row_start[j + 1]; e++) {
        mean += by_dimension->value[e] / (double)n;
    }
    for (size_t u = 0; u < n; u++) {
        w->feature[u] = -mean;
    }
    for (size_t e = by_dimension->row_start[j]; e < by_dimension->row_start[j + 1]; e++) {
        w->feature[by_dimension->column[e]] += by_dimension->value[e];
    }
}

/* Takes what the cluster at hand added up to into the sums. */
static void close_cluster(struct weighing *w, size_t n_touched, double beta)
{
    for (size_t i = 0; i < n_touched; i++) {
        uint32_t a = w->touched[i];
        w->own[a] += w->in_cluster[a] * w->in_cluster[a];
        w->with[a] += w->in_cluster[a] * beta;
        w->sum[a] += w->in_cluster[a];
        w->in_cluster[a] = 0.0;
    }
    w->all += beta * beta;
}

static void add_row(struct weighing *w, size_t row, size_t *n_touched, double *beta)
{
    uint32_t unit = w->assignment->unit[row], a = w->assignment->label[unit];
    int is_new = 1;
    for (size_t k = 0; k < *n_touched && is_new; k++) {
        is_new = w->touched[k] != a;
    }
    if (is_new) {
        w->touched[(*n_touched)++] = a;
    }
    w->in_cluster[a] += w->feature[unit] / w->exp->propensity[row];
    *beta += w->feature[unit];
}

static void add_up(struct weighing *w)
{
    size_t n_touched = 0;
    double beta = 0.0;
    for (size_t i = 0; i < w->n_rows; i++) {
        if (w->is_first[i]) {
            close_cluster(w, n_touched, beta);
            n_touched = 0;
            beta = 0.0;
        }
        add_row(w, w->row[i], &n_touched, &beta);
    }
    close_cluster(w, n_touched, beta);
}

/* The rows of the sample, cluster by cluster. */
static void list_rows(struct weighing *w, const struct cluster_order *order)
{
    for (size_t c = 0; c < order->n_clusters; c++) {
        unsigned char is_first = 1;
        for (size_t i = order->start[c]; i < order->start[c + 1]; i++) {
            size_t row = cluster_row(order, order->place[i]);
            if (cluster_source(order, order->place[i]) == REGRET_LOG_EXP &&
                w->assignment->unit[row] != ASSIGNMENT_NONE) {
                w->row[w->n_rows] = (uint32_t)row;
                w->is_first[w->n_rows++] = is_first;
                is_first = 0;
            }
        }
    }
}

static void weigh(struct weighing *w)
{
    const struct assignment *d = w->assignment;
    for (size_t i = 0; i < d->n_rows; i++) {
        if (d->unit[i] != ASSIGNMENT_NONE) {
            double one = 1.0 / w->exp->propensity[i];
            w->weight[d->label[d->unit[i]]] += one;
            w->square[d->label[d->unit[i]]] += one * one;
            w->doubt[d->label[d->unit[i]]] += one * one - one;
        }
    }
    for (size_t a = 0; a < d->n_labels; a++) {
        w->doubt[a] /= w->weight[a];
    }
}

static void measure_spread(struct weighing *w)
{
    double fourth = 0.0;
    w->spread = 0.0;
    for (size_t u = 0; u < w->assignment->n_units; u++) {
        double square = w->feature[u] * w->feature[u];
        w->spread += square;
        fourth += square * square;
    }
    w->alone = fourth > 0.0 ? w->spread * w->spread / fourth : 0.0;
}

/* z of every label for the dimension that is spread. The variance over clusters goes with the sum, since both have the same few heavy
 * rows: it is not taken below that of independent rows with what (1 − p)/p is on average. */
static void test_dimension(double *z, struct weighing *w)
{
    size_t n = w->assignment->n_labels;
    w->all = 0.0;
    for (size_t a = 0; a < n; a++) {
        w->own[a] = w->with[a] = w->sum[a] = 0.0;
    }
    add_up(w);
    measure_spread(w);
    for (size_t a = 0; a < n; a++) {
        double v = fmax(w->own[a] - 2.0 * w->with[a] + w->all, w->doubt[a] * w->spread);
        double rows = w->weight[a] * w->weight[a] / w->square[a];
        rows *= w->alone / (double)w->assignment->n_units;
        z[a] = v > 1e-9 && rows >= LEAST_ROWS ? normal_of_student(w->sum[a] / sqrt(v), rows - 1.0)
                                              : NAN;
    }
}

static int test_all(struct imbalance *out, struct weighing *w, double *z,
                    const struct regret_csr *by_dimension)
{
    struct joint_answer answer;
    size_t n = w->assignment->n_labels, n_dims = by_dimension->rows;
    for (size_t j = 0; j < n_dims; j++) {
        spread(w, by_dimension, j);
        test_dimension(z + j * n, w);
    }
    struct joint joint = {.z = z, .n = n * n_dims, .draws = 1, .level = 0.95};
    TRY(joint_test(&answer, NULL, &joint));
    *out = (struct imbalance){.p = answer.p};
    if (answer.largest < n * n_dims) {
        out->dimension = answer.largest / n;
        out->label = answer.largest % n;
        spread(w, by_dimension, out->dimension);
        test_dimension(z, w);
        double mean = 0.0;
        for (size_t e = by_dimension->row_start[out->dimension];
             e < by_dimension->row_start[out->dimension + 1]; e++) {
            mean += by_dimension->value[e] / (double)w->assignment->n_units;
        }
        out->expected = mean;
        out->mean = mean + w->sum[out->label] / w->weight[out->label];
    }
    return REGRET_OK;
}

int weighted_test(struct imbalance *out, const struct regret_log *log, const struct assignment *d,
                  const struct block *block, const struct cluster_order *order)
{
    struct weighing w = {.exp = &log->rows[REGRET_LOG_EXP], .assignment = d};
    struct regret_csr *by_dimension = NULL;
    double *z = NULL;
    int rc;
    TRY_CLEANUP(make(&w, d));
    TRY_CLEANUP(regret_csr_transpose(&by_dimension, block->x));
    TRY_CLEANUP(REGRET_NEW(&z, d->n_labels * (block->x->cols + 1)));
    list_rows(&w, order);
    weigh(&w);
    rc = test_all(out, &w, z, by_dimension);
cleanup:
    release(&w);
    regret_csr_free(by_dimension);
    regret_free(z);
    return rc;
}
