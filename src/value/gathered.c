/* Rows gathered for values, and their moderated variances. */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "regret/evaluate.h"
#include "regret/status.h"
#include "stats/distributions.h"
#include "value/internal.h"

void gathered_clear(struct gathered *g)
{
    for (size_t i = 0; i < N_SURFACES; i++) {
        regret_free(g->sum[i]);
    }
    regret_free(g->count);
    regret_free(g->residual);
    regret_free(g->rows);
    regret_free(g->clusters);
    regret_free(g->squares);
    regret_free(g->products);
    regret_free(g->weights);
    regret_free(g->scratch);
}

static int any(const double *count, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (count[i] > 0.0) {
            return 1;
        }
    }
    return 0;
}

/* Moves the contexts with a count to the front of every array; returns how many there are. */
static size_t keep_counted(double *const *array, size_t n_arrays, const double *count,
                           size_t n_contexts, size_t width)
{
    size_t kept = 0;
    for (size_t x = 0; x < n_contexts; x++) {
        if (any(count + x * width, width)) {
            for (size_t i = 0; i < n_arrays; i++) {
                memmove(array[i] + kept * width, array[i] + x * width, width * sizeof(double));
            }
            kept++;
        }
    }
    return kept;
}

double gathered_sum(const double *x, size_t stride, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i * stride];
    }
    return sum;
}

static double weight_of(const struct regret_value_problem *p, const double *of_context, size_t pair)
{
    return of_context != NULL ? of_context[p->context[pair]] : 1.0;
}

/* Of the rows of EXP on the contexts, which are fewer an agent the more agents could be drawn. */
static const double *exp_weights(const struct regret_value_problem *p)
{
    return p->support.offered;
}

double gathered_row_weight(const struct regret_value_problem *p, size_t pair)
{
    return weight_of(p, exp_weights(p), pair);
}

double gathered_scale(const struct gathered *g, size_t a)
{
    double n = (double)g->p->n_agents;
    return g->p->support.offered != NULL ? g->p->support.factor[a] * n : n;
}

/* The weights of the contexts that have a count of agent a, or of any (NO_AGENT), in effect. */
static double effective(const struct regret_value_problem *p, const double *of_context,
                        const double *count, size_t a, double *weight)
{
    size_t n = p->n_agents;
    for (size_t x = 0; x < p->n_contexts; x++) {
        int counted = a == NO_AGENT ? any(count + x * n, n) : count[x * n + a] > 0.0;
        weight[x] = !counted ? 0.0 : of_context != NULL ? of_context[x] : 1.0;
    }
    double number = regret_effective_number(weight, p->n_contexts);
    return isnan(number) ? 0.0 : number;
}

static void gather_evaluation(struct gathered *g, double *weights)
{
    const struct regret_value_problem *p = g->p;
    for (size_t i = 0; i < p->pairs; i++) {
        if (p->eval[i]) {
            size_t cell = p->context[i] * p->n_agents + p->agent[i];
            double weight = p->share != NULL ? p->share[i] : 1.0;
            g->sum[PART_DM][cell] += weight * p->prediction[i];
            g->sum[PART_PLUG_IN][cell] +=
                weight * (p->plug_in != NULL ? p->plug_in : p->prediction)[i];
            g->count[cell] += weight;
        }
    }
    g->eval_contexts = effective(p, NULL, g->count, NO_AGENT, weights);
    double *const arrays[] = {g->sum[PART_DM], g->sum[PART_PLUG_IN], g->count};
    g->n_eval = keep_counted(arrays, 3, g->count, p->n_contexts, p->n_agents);
}

static void gather_exp(struct gathered *g, double *weights)
{
    const struct regret_value_problem *p = g->p;
    const double *of_context = exp_weights(p);
    g->undefined = p->cross_fit == NULL ? NAN : 0.0;
    for (size_t i = 0; i < p->exp->n; i++) {
        uint32_t pair = p->exp->pair[i];
        size_t cell = p->context[pair] * p->n_agents + p->agent[pair];
        double residual = p->cross_fit != NULL ? p->exp->y[i] - p->cross_fit[i] : 0.0;
        if (isnan(residual)) {
            g->undefined = NAN; /* as in regret_value_dr() */
        }
        double weight = weight_of(p, of_context, pair);
        g->residual[cell] += weight * residual;
        g->rows[cell] += weight;
        g->squares[cell] += weight * residual * weight * residual;
        g->products[cell] += weight * weight * residual;
        g->weights[cell] += weight * weight;
    }
    g->exp_contexts = effective(p, of_context, g->rows, NO_AGENT, weights);
    g->undefined = g->exp_contexts > 0.0 ? g->undefined : NAN;
    for (size_t a = 0; a < p->n_agents; a++) {
        g->clusters[a] = effective(p, of_context, g->rows, a, weights);
    }
    double *const arrays[] = {g->residual, g->squares, g->products, g->weights, g->rows};
    g->n_exp = keep_counted(arrays, 5, g->rows, p->n_contexts, p->n_agents);
}

int gathered_fill(struct gathered *g)
{
    size_t cells = g->p->n_contexts * g->p->n_agents;
    FREED double *weights = NULL;
    for (size_t i = 0; i < N_SURFACES; i++) {
        TRY(REGRET_NEW(&g->sum[i], cells));
    }
    TRY(REGRET_NEW(&g->count, cells));
    TRY(REGRET_NEW(&g->residual, cells));
    TRY(REGRET_NEW(&g->rows, cells));
    TRY(REGRET_NEW(&g->clusters, g->p->n_agents));
    TRY(REGRET_NEW(&g->squares, cells));
    TRY(REGRET_NEW(&g->products, cells));
    TRY(REGRET_NEW(&g->weights, cells));
    TRY(REGRET_NEW(&g->scratch, g->p->n_agents));
    TRY(REGRET_NEW(&weights, g->p->n_contexts));
    gather_evaluation(g, weights);
    gather_exp(g, weights);
    if (g->n_eval == 0 || g->p->exp->n == 0) {
        return regret_fail(REGRET_E_INPUT,
                           "%zu evaluation contexts and %zu EXP rows; intervals of values want one "
                           "of each",
                           g->n_eval, g->p->exp->n);
    }
    return REGRET_OK;
}

int gathered_lacks_rows(const struct gathered *g, size_t a, size_t b)
{
    return !(g->clusters[a] > 0.0) || (b != NO_AGENT && !(g->clusters[b] > 0.0));
}

/* Σ of a column, or of all of them. */
static double column_sum(const struct gathered *g, const double *by_cell, size_t a)
{
    size_t n = g->p->n_agents;
    double sum = 0.0;
    for (size_t x = 0; x < g->n_exp; x++) {
        for (size_t i = a == NO_AGENT ? 0 : a; i < (a == NO_AGENT ? n : a + 1); i++) {
            sum += by_cell[x * n + i];
        }
    }
    return sum;
}

/* n/(n − 1) · squares / total² over n rows in effect. */
static double variance_of_mean(double squares, double total, double weights)
{
    double n = total * total / weights;
    return squares / (total * total) * n / (n - 1.0);
}

/* Σ (f − ratio)² of rows with the factor f: `squares`, Σ w² (f r)², with `products` and `weights` alike. */
static double about(double ratio, double squares, double products, double weights)
{
    return squares - 2.0 * ratio * products + ratio * ratio * weights;
}

static double own_rows_variance(const struct gathered *g, size_t a)
{
    double total = column_sum(g, g->rows, a), mean = column_sum(g, g->residual, a) / total;
    double weights = column_sum(g, g->weights, a);
    double squares =
        about(mean, column_sum(g, g->squares, a), column_sum(g, g->products, a), weights);
    return total > 0.0 ? variance_of_mean(squares, total, weights) : 0.0;
}

/* Of gathered_scale() · residual where the row is of a, less the same of b, as a ratio to all rows. */
static double all_rows_variance(const struct gathered *g, size_t a, size_t b)
{
    double n = gathered_scale(g, a), total = column_sum(g, g->rows, NO_AGENT);
    double squares = n * n * column_sum(g, g->squares, a),
           products = n * column_sum(g, g->products, a);
    double ratio = n * column_sum(g, g->residual, a) / total,
           weights = column_sum(g, g->weights, NO_AGENT);
    if (b != NO_AGENT) {
        double m = gathered_scale(g, b);
        squares += m * m * column_sum(g, g->squares, b);
        products -= m * column_sum(g, g->products, b);
        ratio -= m * column_sum(g, g->residual, b) / total;
    }
    return variance_of_mean(about(ratio, squares, products, weights), total, weights);
}

double gathered_by_rows(const struct gathered *g, size_t correction, size_t a, size_t b)
{
    double variance = correction == PART_DR ? all_rows_variance(g, a, b)
                                            : own_rows_variance(g, a) +
                                                  (b != NO_AGENT ? own_rows_variance(g, b) : 0.0);
    return fmax(variance, 0.0);
}

double gathered_correction(const struct gathered *g, size_t correction, size_t a, size_t b,
                           double by_clusters)
{
    double share = g->p->exp_share;
    return share > 0.0 ? (1.0 - share) * by_clusters + share * gathered_by_rows(g, correction, a, b)
                       : by_clusters;
}

size_t surface_of(size_t kind)
{
    return kind == REGRET_VALUE_DM ? PART_DM : PART_PLUG_IN;
}

size_t correction_of(size_t kind)
{
    return kind == REGRET_VALUE_DR ? PART_DR : PART_SNDR;
}

static double quantile(struct value_level *level, double df)
{
    if (!(df == level->df)) {
        level->df = df;
        level->t = regret_student_quantile(0.5 * (1.0 + level->level), df);
    }
    return level->t;
}

/* h with P(|t + shift| <= h) = level; between 0 and where the nearer tail alone would do. */
static double folded_quantile(double shift, double df, struct value_level *level)
{
    double low = 0.0, high = shift + quantile(level, df), h = high;
    while (high - low > 1e-13 * high) {
        h = 0.5 * (low + high);
        if (regret_student_cdf(h - shift, df) - regret_student_cdf(-h - shift, df) < level->level) {
            low = h;
        } else {
            high = h;
        }
    }
    return h;
}

/* A part adds nothing where it rests on nothing; one observation says nothing of how they differ, nor do two as good
 * as one. */
static void add_part(double *total, double *by_df, double variance, double n)
{
    if (n > 0.0) {
        *total += n < 2.0 ? NAN : variance;
        *by_df += variance * variance / (n - 1.0);
    }
}

double value_half_width(const struct value_variance *v, struct value_level *level)
{
    double total = 0.0, by_df = 0.0;
    add_part(&total, &by_df, v->surface, v->contexts);
    add_part(&total, &by_df, v->correction, v->clusters);
    add_part(&total, &by_df, v->miss, v->miss != 0.0 ? v->agents + 1.0 : 0.0);
    double df = total * total / by_df, se = sqrt(total);
    if (!(total > 0.0) || v->bias == 0.0) {
        return total > 0.0 ? quantile(level, df) * se : total + fabs(v->bias);
    }
    return folded_quantile(fabs(v->bias) / se, df, level) * se;
}

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
    FREED struct own_variance *v = NULL;
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
