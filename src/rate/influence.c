#include "rate/internal.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "regret/status.h"

/* The rows of an effect's means, the second with the sign −1. */
static const struct {
    size_t n;
    enum influence_rows rows[2];
} means_of[REGRET_N_EFFECTS] = {
    [REGRET_EFFECT_NAIVE] = {2, {ROWS_WITH, ROWS_WITHOUT}},
    [REGRET_EFFECT_SINGLE_ATE] = {1, {ROWS_ALL}},
    [REGRET_EFFECT_SINGLE_ATT] = {1, {ROWS_WITH}},
    [REGRET_EFFECT_SINGLE_ATU] = {1, {ROWS_WITHOUT}},
    [REGRET_EFFECT_RATE_ATE] = {1, {ROWS_ALL}},
    [REGRET_EFFECT_RATE_ATT] = {1, {ROWS_WITH}},
    [REGRET_EFFECT_RATE_ATU] = {1, {ROWS_WITHOUT}},
    [REGRET_EFFECT_DRIFT_1] = {1, {ROWS_WITH}},
    [REGRET_EFFECT_DRIFT_0] = {1, {ROWS_WITHOUT}},
};

int influence_new(struct influence *f, const struct columns *c, const uint32_t *of,
                  size_t n_clusters)
{
    size_t n = c->n1 + c->n0;
    memset(f, 0, sizeof *f);
    TRY(REGRET_NEW(&f->sum, n_clusters));
    TRY(REGRET_NEW(&f->cluster, n));
    f->n_clusters = n_clusters;
    f->n[ROWS_WITH] = (double)c->n1;
    f->n[ROWS_WITHOUT] = (double)c->n0;
    f->n[ROWS_ALL] = (double)n;
    for (size_t which = 0; which < N_INFLUENCE_ROWS; which++) {
        TRY(REGRET_NEW(&f->size[which], n_clusters));
        TRY(REGRET_NEW(&f->scale[which], n_clusters));
    }
    for (size_t k = 0; k < n; k++) {
        f->cluster[k] = of != NULL ? of[c->row[k]] : (uint32_t)c->row[k];
        f->size[k < c->n1 ? ROWS_WITH : ROWS_WITHOUT][f->cluster[k]] += 1.0;
        f->size[ROWS_ALL][f->cluster[k]] += 1.0;
    }
    for (size_t which = 0; which < N_INFLUENCE_ROWS; which++) {
        for (size_t g = 0; g < n_clusters; g++) {
            double left = 1.0 - f->size[which][g] / f->n[which];
            f->scale[which][g] = left > 0.0 ? f->n[which] * sqrt(left) : (double)NAN;
            f->held[which] += f->size[which][g] > 0.0;
        }
    }
    return REGRET_OK;
}

void influence_free(struct influence *f)
{
    for (size_t which = 0; which < N_INFLUENCE_ROWS; which++) {
        regret_free(f->size[which]);
        regret_free(f->scale[which]);
    }
    for (size_t kind = 0; kind < REGRET_N_EFFECTS; kind++) {
        regret_free(f->psi[kind]);
    }
    regret_free(f->sum);
    regret_free(f->cluster);
    memset(f, 0, sizeof *f);
}

/* The values whose means make an effect, of all used rows. */
static const double *influence_values(const struct columns *c, enum regret_rate_effect_kind kind)
{
    return kind == REGRET_EFFECT_NAIVE        ? c->score[REGRET_SIDE_ORIGINAL]
           : kind <= REGRET_EFFECT_SINGLE_ATU ? c->single
           : kind <= REGRET_EFFECT_RATE_ATU   ? c->rate
                                              : c->drift;
}

enum influence_rows influence_rows_of(enum regret_rate_effect_kind kind)
{
    return means_of[kind].n == 2 ? ROWS_ALL : means_of[kind].rows[0];
}

size_t influence_means(struct cluster_mean means[2], const struct influence *f,
                       enum regret_rate_effect_kind kind)
{
    for (size_t k = 0; k < means_of[kind].n; k++) {
        enum influence_rows rows = means_of[kind].rows[k];
        means[k] = (struct cluster_mean){f->size[rows], f->n[rows], f->variance[kind][k]};
    }
    return means_of[kind].n;
}

int influence_rests_on_one(const struct influence *f, enum regret_rate_effect_kind kind)
{
    int one = 0;
    for (size_t k = 0; k < means_of[kind].n; k++) {
        one |= f->held[means_of[kind].rows[k]] < 2;
    }
    return one;
}

int influence_add(struct influence *f, const struct columns *c, enum regret_rate_effect_kind kind)
{
    TRY(REGRET_NEW(&f->psi[kind], f->n_clusters));
    double *psi = f->psi[kind];
    for (size_t k = 0; k < means_of[kind].n; k++) {
        enum influence_rows rows = means_of[kind].rows[k];
        size_t first = rows == ROWS_WITHOUT ? c->n1 : 0, n = (size_t)f->n[rows];
        const double *y = influence_values(c, kind) + first, *scale = f->scale[rows];
        const uint32_t *cluster = f->cluster + first;
        double mean = mean_of(y, n), sign = k == 0 ? 1.0 : -1.0;
        double squares = 0.0;
        for (size_t i = 0; i < n; i++) {
            double e = y[i] - mean;
            f->sum[cluster[i]] += e;
            squares += e * e;
        }
        f->variance[kind][k] = squares / (f->n[rows] - 1.0);
        for (size_t g = 0; g < f->n_clusters; g++) {
            psi[g] += sign * f->sum[g] / scale[g];
            f->sum[g] = 0.0;
        }
    }
    return REGRET_OK;
}

/* What a cluster holds, or all: by W = 1 and W = 0 rows and originals about their mean there, and by the means of an effect rows and
 * their values about that mean. */
struct share {
    double n[2], sum[2], square[2], rows[2], total[2];
};

static void add_row(struct share *s, size_t class, double o, const int in[2], const double y[2])
{
    s->n[class] += 1.0;
    s->sum[class] += o;
    s->square[class] += o * o;
    for (size_t k = 0; k < 2; k++) {
        s->rows[k] += in[k];
        s->total[k] += in[k] ? y[k] : 0.0;
    }
}

/* d without a cluster; of a class of which fewer than two rows would be left the deviation stays. */
static double d_without(const struct share *all, const struct share *out, size_t n_means,
                        double effect)
{
    double squares = 0.0, n = 0.0;
    for (size_t w = 0; w < 2; w++) {
        double left = all->n[w] - out->n[w];
        double sum = all->sum[w] - out->sum[w], square = all->square[w] - out->square[w];
        squares += left < 2.0 ? all->square[w] : square - sum * sum / left;
        n += left;
    }
    for (size_t k = 0; k < n_means; k++) {
        double left = all->rows[k] - out->rows[k];
        effect += (k == 0 ? 1.0 : -1.0) * (all->total[k] - out->total[k]) / left;
    }
    return effect / sqrt(squares / (n - 2.0));
}

/* The shares of all clusters, and of all rows, of an effect. */
static void share_out(struct share *of, struct share *all, const struct influence *f,
                      const struct columns *c, enum regret_rate_effect_kind kind)
{
    const double *o = c->score[REGRET_SIDE_ORIGINAL], *y = influence_values(c, kind);
    const double mean[2] = {mean_of(o, c->n1), mean_of(o + c->n1, c->n0)};
    double middle[2] = {0.0, 0.0};
    for (size_t k = 0; k < means_of[kind].n; k++) {
        enum influence_rows rows = means_of[kind].rows[k];
        middle[k] = mean_of(y + (rows == ROWS_WITHOUT ? c->n1 : 0), (size_t)f->n[rows]);
    }
    for (size_t i = 0; i < c->n1 + c->n0; i++) {
        size_t class = i >= c->n1;
        const double about[2] = {y[i] - middle[0], y[i] - middle[1]};
        int in[2] = {0, 0};
        for (size_t k = 0; k < means_of[kind].n; k++) {
            enum influence_rows rows = means_of[kind].rows[k];
            in[k] = rows == ROWS_ALL || (rows == ROWS_WITHOUT) == (class == 1);
        }
        add_row(&of[f->cluster[i]], class, o[i] - mean[class], in, about);
        add_row(all, class, o[i] - mean[class], in, about);
    }
}

int influence_of_d(double *psi, const struct influence *f, const struct columns *c,
                   enum regret_rate_effect_kind kind, double effect)
{
    FREED struct share *of = NULL;
    struct share all = {{0.0}, {0.0}, {0.0}, {0.0}, {0.0}};
    double n = (double)f->held[ROWS_ALL], mean = 0.0;
    TRY(REGRET_NEW(&of, f->n_clusters));
    share_out(of, &all, f, c, kind);
    for (size_t g = 0; g < f->n_clusters; g++) {
        psi[g] =
            f->size[ROWS_ALL][g] > 0.0 ? d_without(&all, &of[g], means_of[kind].n, effect) : 0.0;
        mean += psi[g] / n;
    }
    for (size_t g = 0; g < f->n_clusters; g++) {
        psi[g] = f->size[ROWS_ALL][g] > 0.0 ? sqrt((n - 1.0) / n) * (mean - psi[g]) : 0.0;
    }
    return REGRET_OK;
}

double cluster_df(const struct cluster_mean *means, size_t n, size_t n_clusters)
{
    double most = 0.0, trace = 0.0, squares = 0.0, gram[MAX_MEANS][MAX_MEANS] = {{0.0}};
    for (size_t k = 0; k < n; k++) {
        most = fmax(most, means[k].variance);
    }
    for (size_t g = 0; g < n_clusters; g++) {
        double q = 0.0, r[MAX_MEANS], lost = 0.0;
        for (size_t k = 0; k < n; k++) {
            /* Only the ratios of the φ matter; of all-equal values the working model is φ = 1. */
            double phi = most > 0.0 ? means[k].variance / most : 1.0, m = means[k].size[g];
            double u2 = phi / (means[k].n * means[k].n * (1.0 - m / means[k].n));
            q += u2 * m;
            r[k] = sqrt(u2 / means[k].n) * m;
            lost += r[k] * r[k];
            for (size_t l = 0; l <= k; l++) {
                gram[k][l] += r[k] * r[l];
            }
        }
        trace += q - lost;
        squares += q * (q - 2.0 * lost);
    }
    for (size_t k = 0; k < n; k++) {
        for (size_t l = 0; l <= k; l++) {
            squares += (l < k ? 2.0 : 1.0) * gram[k][l] * gram[k][l];
        }
    }
    return trace * trace / squares;
}
