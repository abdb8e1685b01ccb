#include "dense.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "regret/alloc.h"

static int has_rows(const struct regret_rate_rows *rows, size_t i, size_t g, size_t m)
{
    return rows->group[i] == g && rows->w[i] <= 1 && !isnan(rows->models[m].score[0][i]) &&
           !isnan(rows->models[m].score[1][i]) && !isnan(rows->models[m].score[2][i]);
}

void dense_add(struct dense *d, const struct regret_rate_rows *rows, size_t group, size_t model,
               enum regret_rate_effect_kind kind, const uint32_t *cluster, double sign)
{
    size_t first = d->n_columns;
    int is_naive = kind == REGRET_EFFECT_NAIVE;
    int only_1 = kind == REGRET_EFFECT_SINGLE_ATT || kind == REGRET_EFFECT_RATE_ATT ||
                 kind == REGRET_EFFECT_DRIFT_1;
    int only_0 = kind == REGRET_EFFECT_SINGLE_ATU || kind == REGRET_EFFECT_RATE_ATU ||
                 kind == REGRET_EFFECT_DRIFT_0;
    for (size_t i = 0; i < rows->n_rows; i++) {
        int w = rows->w[i];
        if (!has_rows(rows, i, group, model) || (only_1 && !w) || (only_0 && w)) {
            continue;
        }
        double o = rows->models[model].score[0][i], r = rows->models[model].score[1][i];
        double rr = rows->models[model].score[2][i], s = w ? 1.0 : -1.0;
        cr_assert_lt(d->n, DENSE_ROWS);
        d->y[d->n] = is_naive                           ? o
                     : kind <= REGRET_EFFECT_SINGLE_ATU ? s * (o - r)
                     : kind <= REGRET_EFFECT_RATE_ATU   ? s * (rr - r)
                                                        : rr - o;
        d->column[d->n] = first + (is_naive && !w);
        d->cluster[d->n++] = cluster[i];
    }
    d->weight[first] = sign;
    d->weight[first + 1] = -sign;
    d->n_columns += is_naive ? 2 : 1;
}

typedef double square[DENSE_ROWS][DENSE_ROWS];

/* Jacobi's rotations: a becomes diagonal, v its eigenvectors by column. */
static void eigen(square a, square v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            v[i][j] = i == j;
        }
    }
    for (int sweep = 0; sweep < 60; sweep++) {
        double off = 0.0;
        for (size_t p = 0; p < n; p++) {
            for (size_t q = p + 1; q < n; q++) {
                off += a[p][q] * a[p][q];
                if (fabs(a[p][q]) < 1e-300) {
                    continue;
                }
                double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                double t = (theta >= 0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
                double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
                for (size_t k = 0; k < n; k++) {
                    double x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - s * y;
                    a[k][q] = s * x + c * y;
                }
                for (size_t k = 0; k < n; k++) {
                    double x = a[p][k], y = a[q][k], z = v[k][p], u = v[k][q];
                    a[p][k] = c * x - s * y;
                    a[q][k] = s * x + c * y;
                    v[k][p] = c * z - s * u;
                    v[k][q] = s * z + c * u;
                }
            }
        }
        if (off < 1e-26) {
            return;
        }
    }
}

/* What one mean is made of: rows, mean, variance. */
struct moments {
    double n, mean, variance;
};

static void find_moments(struct moments m[DENSE_COLUMNS], const struct dense *d)
{
    memset(m, 0, DENSE_COLUMNS * sizeof *m);
    for (size_t i = 0; i < d->n; i++) {
        m[d->column[i]].n += 1.0;
        m[d->column[i]].mean += d->y[i];
    }
    for (size_t k = 0; k < d->n_columns; k++) {
        m[k].mean /= m[k].n;
    }
    for (size_t i = 0; i < d->n; i++) {
        struct moments *own = &m[d->column[i]];
        own->variance += (d->y[i] - own->mean) * (d->y[i] - own->mean) / (own->n - 1.0);
    }
}

/* I − H between rows i and j. */
static double residual(const struct dense *d, const struct moments *m, size_t i, size_t j)
{
    return (i == j) - (d->column[i] == d->column[j] ? 1.0 / m[d->column[i]].n : 0.0);
}

/* g = (I − H)_{·c} (I − H_cc)^{−1/2} a of the cluster of row `head`, and its sum ψ. */
static double spread_of(double g[DENSE_ROWS], const struct dense *d, const struct moments *m,
                        size_t head)
{
    static square a, v;
    double z[DENSE_ROWS], psi = 0.0;
    size_t at[DENSE_ROWS], n = 0;
    for (size_t i = 0; i < d->n; i++) {
        if (d->cluster[i] == d->cluster[head]) {
            at[n++] = i;
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            a[i][j] = residual(d, m, at[i], at[j]);
        }
    }
    eigen(a, v, n);
    memset(z, 0, sizeof z);
    for (size_t k = 0; k < n; k++) {
        double along = 0.0;
        for (size_t i = 0; i < n; i++) {
            size_t own = d->column[at[i]];
            along += v[i][k] * d->weight[own] / m[own].n;
        }
        for (size_t i = 0; i < n && a[k][k] > 1e-10; i++) {
            z[i] += v[i][k] * along / sqrt(a[k][k]);
        }
    }
    for (size_t i = 0; i < n; i++) {
        psi += z[i] * (d->y[at[i]] - m[d->column[at[i]]].mean);
    }
    for (size_t i = 0; i < d->n; i++) {
        g[i] = 0.0;
        for (size_t j = 0; j < n; j++) {
            g[i] += residual(d, m, i, at[j]) * z[j];
        }
    }
    return psi;
}

void dense_solve(double *estimate, double *se, double *df, const struct dense *d)
{
    static double g[DENSE_ROWS][DENSE_ROWS];
    struct moments m[DENSE_COLUMNS];
    size_t n_clusters = 0;
    double squares = 0.0, trace = 0.0, trace2 = 0.0;
    find_moments(m, d);
    *estimate = 0.0;
    for (size_t k = 0; k < d->n_columns; k++) {
        *estimate += d->weight[k] * m[k].mean;
    }
    for (size_t i = 0; i < d->n; i++) {
        int is_head = 1;
        for (size_t j = 0; j < i; j++) {
            is_head &= d->cluster[j] != d->cluster[i];
        }
        if (is_head) {
            double psi = spread_of(g[n_clusters++], d, m, i);
            squares += psi * psi;
        }
    }
    for (size_t b = 0; b < n_clusters; b++) {
        for (size_t c = 0; c < n_clusters; c++) {
            double sum = 0.0;
            for (size_t i = 0; i < d->n; i++) {
                sum += g[b][i] * g[c][i] * m[d->column[i]].variance;
            }
            trace += b == c ? sum : 0.0;
            trace2 += sum * sum;
        }
    }
    *se = sqrt(squares);
    *df = trace * trace / trace2;
}

void clustered_add(struct regret_rate_rows *rows, const struct clustered *c, struct regret_rng *rng)
{
    static struct regret_rate_row row;
    size_t number = c->first_id;
    for (size_t g = 0; g < c->n_clusters; g++) {
        static char cluster[32], id[32], names[8][8];
        double base[8], effect[8];
        int length = snprintf(cluster, sizeof cluster, "c%zu", g);
        for (size_t m = 0; m < c->n_models; m++) {
            base[m] = c->base * regret_rng_normal(rng);
            effect[m] = c->effect + c->heterogeneity * regret_rng_normal(rng);
            snprintf(names[m], sizeof names[m], "m%d", (int)m);
        }
        for (size_t k = 0; k < c->sizes[g % c->n_sizes]; k++) {
            int w = (int)regret_rng_below(rng, 2);
            row = (struct regret_rate_row){.w = w ? REGRET_LABEL_1 : REGRET_LABEL_0,
                                           .z = REGRET_LABEL_MISSING,
                                           .n_scores = c->n_models,
                                           .line = ++number};
            row.dataset = (struct regret_span){c->dataset, strlen(c->dataset)};
            row.attribute = (struct regret_span){c->attribute, strlen(c->attribute)};
            row.cluster = (struct regret_span){cluster, (size_t)length};
            row.id.text = id;
            row.id.length = (size_t)snprintf(id, sizeof id, "r%zu", number);
            for (size_t m = 0; m < c->n_models; m++) {
                row.scores[m].model = (struct regret_span){names[m], 2};
                for (int side = 0; side < REGRET_N_SIDES; side++) {
                    int has = side == REGRET_SIDE_REWRITE ? !w : w;
                    row.scores[m].value[side] =
                        base[m] + effect[m] * has + c->noise * regret_rng_normal(rng);
                }
            }
            cr_assert_eq(regret_rate_rows_add(rows, &row), 0);
        }
    }
}

struct regret_rate_rows *clustered_rows(const struct clustered *c, unsigned seed)
{
    struct regret_rate_rows *rows = NULL;
    struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_TEST, 77);
    cr_assert_eq(regret_rate_rows_new(&rows, 0), 0);
    clustered_add(rows, c, &rng);
    cr_assert_eq(regret_rate_rows_finish(rows), 0);
    return rows;
}
