#include "value/miss.h"

#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"

/* Estimates of n things, and the influence of every context of EXP on them: Ω = UᵀU is their covariance with contexts
 * as clusters. */
struct estimates {
    size_t n, n_contexts;
    double *b;                /* [n] */
    double *influence;        /* U, [n_contexts × n] */
    double by_rows, variance; /* Σ of b's variances: by rows, and as EXP samples */
};

static double sum_of_squares(const double *x, size_t stride, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i * stride] * x[i * stride];
    }
    return sum;
}

static void estimate(struct estimates *e, const struct gathered *g)
{
    size_t n = e->n, contexts = e->n_contexts;
    double all = gathered_sum(g->rows, 1, contexts * n);
    double root = sqrt(g->exp_contexts / (g->exp_contexts - 1.0));
    for (size_t a = 0; a < n; a++) {
        double scale = gathered_scale(g, a);
        double correction = scale * gathered_sum(g->residual + a, n, contexts) / all;
        double difference = gathered_sum(g->sum[PART_DM] + a, n, g->n_eval) -
                            gathered_sum(g->sum[PART_PLUG_IN] + a, n, g->n_eval);
        double pairs =
            gathered_sum(g->count + a, n, g->n_eval); /* of an agent that is not evaluated none */
        e->b[a] = (pairs > 0.0 ? difference / pairs : 0.0) - correction;
        for (size_t x = 0; x < contexts; x++) {
            double rows = gathered_sum(g->rows + x * n, 1, n);
            e->influence[x * n + a] =
                root * (scale * g->residual[x * n + a] - correction * rows) / all;
        }
        double by_clusters = sum_of_squares(e->influence + a, n, contexts);
        e->by_rows += gathered_by_rows(g, PART_DR, a, NO_AGENT);
        e->variance += gathered_correction(g, PART_DR, a, NO_AGENT, by_clusters);
    }
}

static void subtract_mean(double *x, size_t n)
{
    double mean = gathered_sum(x, 1, n) / (double)n;
    for (size_t i = 0; i < n; i++) {
        x[i] -= mean;
    }
}

/* tr Ω² */
static double trace_of_square(const struct estimates *e)
{
    double sum = 0.0;
    for (size_t a = 0; a < e->n; a++) {
        for (size_t b = 0; b <= a; b++) {
            double covariance = 0.0;
            for (size_t x = 0; x < e->n_contexts; x++) {
                covariance += e->influence[x * e->n + a] * e->influence[x * e->n + b];
            }
            sum += (a == b ? 1.0 : 2.0) * covariance * covariance;
        }
    }
    return sum;
}

double mean_above_zero(double m, double s)
{
    const double far = 8.0;
    double z = s > 0.0 ? m / s : INFINITY;
    if (z > far) {
        return m;
    }
    if (z < -far) {
        return -s / z; /* Mills' ratio, but for a relative 3/z² */
    }
    double density = exp(-0.5 * z * z) / sqrt(2.0 * acos(-1.0));
    return m + s * density / (0.5 * erfc(-z / sqrt(2.0)));
}

/* Σ b̂² is too large by the variances of the b̂, and has itself one of 2 tr Ω² where the b are small: normal laws. */
static struct miss_law law_of(const struct estimates *e, double divisor)
{
    double squares = sum_of_squares(e->b, 1, e->n);
    double se = sqrt(2.0 * trace_of_square(e)) / divisor;
    return (struct miss_law){mean_above_zero((squares - e->by_rows) / divisor, se),
                             e->by_rows / divisor, fmax(e->variance - e->by_rows, 0.0) / divisor};
}

/* The mean over pairs of (b(a) − b(a'))² is Σ (b − mean b)² / ((n − 1)/2). */
static struct miss_law law_of_differences(struct estimates *e)
{
    size_t all = e->n_contexts * e->n;
    double before = sum_of_squares(e->influence, 1, all);
    subtract_mean(e->b, e->n);
    for (size_t x = 0; x < e->n_contexts; x++) {
        subtract_mean(e->influence + x * e->n, e->n);
    }
    /* What centring takes of the variances by clusters it takes of those of two stages. */
    double left = before > 0.0 ? sum_of_squares(e->influence, 1, all) / before : 1.0;
    e->variance *= left;
    e->by_rows *= left;
    return law_of(e, 0.5 * ((double)e->n - 1.0));
}

int surface_miss_fill(struct surface_miss *out, const struct gathered *g)
{
    struct estimates e = {.n = g->p->n_agents, .n_contexts = g->n_exp};
    const struct miss_law unknown = {NAN, NAN, NAN};
    int rc = REGRET_OK;
    if (g->p->cross_fit == NULL) {
        return REGRET_OK;
    }
    TRY_CLEANUP(REGRET_NEW(&out->b, e.n));
    out->of_value = out->of_difference = unknown;
    if (isnan(g->undefined) || g->exp_contexts < 2.0) {
        goto cleanup;
    }
    TRY_CLEANUP(REGRET_NEW(&e.b, e.n));
    TRY_CLEANUP(REGRET_NEW(&e.influence, e.n_contexts * e.n));
    estimate(&e, g);
    for (size_t a = 0; a < e.n; a++) {
        out->b[a] = e.b[a];
    }
    out->of_value = law_of(&e, (double)e.n);
    if (e.n > 1) {
        out->of_difference = law_of_differences(&e);
    }
cleanup:
    regret_free(e.b);
    regret_free(e.influence);
    return rc;
}

void surface_miss_clear(struct surface_miss *miss)
{
    regret_free(miss->b);
}

void surface_miss_add(struct value_variance *v, const struct surface_miss *miss,
                      const struct gathered *g, size_t kind, size_t a, size_t b)
{
    int lacks_rows = gathered_lacks_rows(g, a, b), one = b == NO_AGENT;
    const struct miss_law *law = one ? &miss->of_value : &miss->of_difference;
    if (miss->b == NULL || (kind != REGRET_VALUE_DM && !lacks_rows)) {
        return;
    }
    v->agents = (double)g->p->n_agents - (one ? 0.0 : 1.0);
    v->miss = law->between;
    if (lacks_rows) {
        v->miss += law->square;
        return;
    }
    double share = law->square > 0.0 ? law->square / (law->square + law->by_rows) : law->square;
    v->bias = share * (miss->b[a] - (one ? 0.0 : miss->b[b]));
    v->miss += share * law->by_rows;
}
