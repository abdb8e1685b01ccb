#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "value/gathered.h"

/* A correction of an agent is a mean of few rows, and so is its variance: where by chance there are few or small ones
 * both are small, and the interval is too short where it should be long. What agents have in common says how large
 * variances are. They are drawn to their mean as far as they differ by their own noise, which is that of a sum over
 * contexts and needs no normal law:
 *
 *   V' = V̄ + (1 − B)(V − V̄),   B = min(1, mean noise of V / variance of V over agents)
 *
 * Opgen-Rhein and Strimmer, "Accurate ranking of differentially expressed genes by a distribution-free shrinkage
 * approach", Statistical Applications in Genetics and Molecular Biology 6, 2007; Smyth's moderated t, ibid. 3, 2004, has
 * a law for it. V is that of a row here: what rows an agent has, or may have, is no noise. */

/* A variance of one agent. */
struct own_variance {
    double variance, noise; /* its own variance */
    double unit;            /* variance / unit is of one row, alike among agents; 0: it has none */
    double df;              /* 0: nothing is known of it */
};

static double sum_of_row(const double *cells, size_t n)
{
    double sum = 0.0;
    for (size_t a = 0; a < n; a++) {
        sum += cells[a];
    }
    return sum;
}

/* Rows, and Σ w² of them, that agent a's correction is a mean over on context x: its own, or for DR everybody's. */
static double rows_of(const struct gathered *g, const double *cells, size_t part, size_t x,
                      size_t a)
{
    size_t n = g->p->n_agents;
    return part == PART_DR ? sum_of_row(cells + x * n, n) : cells[x * n + a];
}

/* The ratio Σ scale · residuals / Σ rows of an agent. */
struct ratio {
    double scale, point, rows, squares, clusters; /* squares: Σ w² */
};

static struct ratio ratio_of(const struct gathered *g, size_t part, size_t a)
{
    size_t n = g->p->n_agents;
    struct ratio r = {.scale = part == PART_DR ? gathered_scale(g, a) : 1.0,
                      .clusters = part == PART_DR ? g->exp_contexts : g->clusters[a]};
    for (size_t x = 0; x < g->n_exp; x++) {
        r.point += r.scale * g->residual[x * n + a];
        r.rows += rows_of(g, g->rows, part, x, a);
        r.squares += rows_of(g, g->weights, part, x, a);
    }
    r.point /= r.rows;
    return r;
}

/* What context x adds to the variance: (1 − f) times as a cluster, f times as rows of their own. */
static double contribution(const struct gathered *g, const struct ratio *r, size_t part, size_t x,
                           size_t a)
{
    size_t cell = x * g->p->n_agents + a;
    double share = g->p->exp_share, n = r->rows * r->rows / r->squares;
    double u = r->scale * g->residual[cell] - r->point * rows_of(g, g->rows, part, x, a);
    double z = (1.0 - share) * u * u * r->clusters / (r->clusters - 1.0);
    if (share > 0.0) {
        double by_rows = r->scale * r->scale * g->squares[cell] -
                         2.0 * r->point * r->scale * g->products[cell] +
                         r->point * r->point * rows_of(g, g->weights, part, x, a);
        z += share * by_rows * n / (n - 1.0);
    }
    return z / (r->rows * r->rows);
}

static struct own_variance own_variance_of(const struct gathered *g, size_t part, size_t a)
{
    const struct ratio r = ratio_of(g, part, a);
    struct own_variance v = {0};
    double squares = 0.0;
    if (!(r.rows > 0.0)) {
        return v;
    }
    v.unit = part == PART_DR ? r.scale / (double)g->p->n_agents : r.squares / (r.rows * r.rows);
    if (!(r.clusters >= 2.0) || !(v.unit > 0.0)) {
        return v;
    }
    for (size_t x = 0; x < g->n_exp; x++) {
        double z = contribution(g, &r, part, x, a);
        v.variance += z;
        squares += z * z;
    }
    v.df = r.clusters - 1.0;
    v.noise = fmax(squares - v.variance * v.variance / r.clusters, 0.0) * r.clusters / v.df;
    return v;
}

/* Of all agents that something is known of, weighted by their degrees of freedom. */
struct common_variance {
    double mean, df, drawn; /* of a row; Σ df; B */
};

static struct common_variance common_variance_of(const struct own_variance *v, size_t n)
{
    struct common_variance c = {0};
    double spread = 0.0, noise = 0.0, known = 0.0;
    for (size_t a = 0; a < n; a++) {
        if (v[a].df > 0.0) {
            c.mean += v[a].df * v[a].variance / v[a].unit;
            c.df += v[a].df;
            known += 1.0;
        }
    }
    c.mean /= c.df;
    for (size_t a = 0; a < n; a++) {
        if (v[a].df > 0.0) {
            double d = v[a].variance / v[a].unit - c.mean;
            spread += v[a].df * d * d * known / (known - 1.0);
            noise += v[a].df * v[a].noise / (v[a].unit * v[a].unit);
        }
    }
    c.drawn = known < 2.0 ? 0.0 : noise < spread ? noise / spread : 1.0;
    return c;
}

static void moderate(struct moderated *out, size_t at, const struct own_variance *v,
                     const struct common_variance *c)
{
    double drawn = v->df > 0.0 ? c->drawn : 1.0, rest = 1.0 - drawn;
    out->own[at] = v->variance;
    out->variance[at] = rest * v->variance + drawn * v->unit * c->mean;
    out->df[at] = 1.0 / ((v->df > 0.0 ? rest * rest / v->df : 0.0) + drawn * (1.0 + rest) / c->df);
}

int moderated_fill(struct moderated *out, const struct gathered *g)
{
    size_t n = g->p->n_agents;
    struct own_variance *v = NULL;
    TRY(REGRET_NEW(&out->own, N_CORRECTIONS * n));
    TRY(REGRET_NEW(&out->variance, N_CORRECTIONS * n));
    TRY(REGRET_NEW(&out->df, N_CORRECTIONS * n));
    TRY(REGRET_NEW(&v, n));
    for (size_t part = 0; part < N_CORRECTIONS; part++) {
        for (size_t a = 0; a < n; a++) {
            v[a] = own_variance_of(g, part, a);
        }
        const struct common_variance c = common_variance_of(v, n);
        for (size_t a = 0; a < n; a++) {
            moderate(out, part * n + a, &v[a], &c);
        }
    }
    regret_free(v);
    return REGRET_OK;
}

double moderated_add(struct value_variance *v, const struct moderated *m, const struct gathered *g,
                     size_t correction, size_t a, size_t b)
{
    const size_t agents[] = {a, b};
    double own = 0.0, by_df = 0.0;
    for (size_t i = 0; i < 2; i++) {
        if (agents[i] != NO_AGENT && g->clusters[agents[i]] > 0.0) {
            size_t at = correction * g->p->n_agents + agents[i];
            own += m->own[at] > 0.0 ? m->own[at] : NAN;
            v->correction += m->variance[at];
            by_df += m->variance[at] * m->variance[at] / m->df[at];
        }
    }
    /* 1 context, which says nothing, where nothing is known of anybody's */
    v->clusters = isnan(v->correction)  ? 1.0
                  : v->correction > 0.0 ? v->correction * v->correction / by_df + 1.0
                                        : 0.0;
    return own;
}

void moderated_clear(struct moderated *m)
{
    regret_free(m->own);
    regret_free(m->variance);
    regret_free(m->df);
}
