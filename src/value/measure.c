/* Measures of predictions, and what surfaces miss. */
#include <math.h>

#include "base/status.h"
#include "linalg/dense.h"
#include "regret/results.h"
#include "regret/status.h"
#include "stats/distributions.h"
#include "value/internal.h"

size_t regret_argmax_observed(const double *f, const double *mu, size_t n)
{
    size_t best = n;
    for (size_t i = 0; i < n; i++) {
        if (!isnan(mu[i]) && (best == n || f[i] > f[best] || (isnan(f[best]) && !isnan(f[i])))) {
            best = i;
        }
    }
    return best == n ? 0 : best;
}

size_t regret_argmax(const double *value, size_t n)
{
    return regret_argmax_observed(value, value, n);
}

static size_t count_observed(const double *mu, size_t n)
{
    size_t observed = 0;
    for (size_t i = 0; i < n; i++) {
        observed += !isnan(mu[i]);
    }
    return observed;
}

int regret_is_comparable(const double *mu, size_t n)
{
    return count_observed(mu, n) >= (n < 2 ? n : 2);
}

double regret_recommendation_regret(const double *mu, const double *f, size_t n_contexts,
                                    size_t n_agents)
{
    double total = 0.0;
    size_t n = 0;
    for (size_t x = 0; x < n_contexts; x++) {
        const double *row = mu + x * n_agents;
        if (regret_is_comparable(row, n_agents)) {
            total += row[regret_argmax(row, n_agents)] -
                     row[regret_argmax_observed(f + x * n_agents, row, n_agents)];
            n++;
        }
    }
    return total / (double)n;
}

double regret_fixed_agent_regret(const double *mu, size_t agent, size_t n_contexts, size_t n_agents)
{
    double total = 0.0;
    for (size_t x = 0; x < n_contexts; x++) {
        const double *row = mu + x * n_agents;
        total += row[regret_argmax(row, n_agents)] - row[agent];
    }
    return total / (double)n_contexts;
}

/* Of an agent drawn uniformly from those that are observed on a context. */
static double random_observed_regret(const double *mu, size_t n_contexts, size_t n_agents)
{
    double total = 0.0;
    size_t n = 0;
    for (size_t x = 0; x < n_contexts; x++) {
        const double *row = mu + x * n_agents;
        double best = row[regret_argmax(row, n_agents)], lost = 0.0;
        if (regret_is_comparable(row, n_agents)) {
            for (size_t a = 0; a < n_agents; a++) {
                lost += isnan(row[a]) ? 0.0 : best - row[a];
            }
            total += lost / (double)count_observed(row, n_agents);
            n++;
        }
    }
    return total / (double)n;
}

double regret_random_regret(const double *mu, size_t n_contexts, size_t n_agents)
{
    double total = 0.0;
    if (count_observed(mu, n_contexts * n_agents) < n_contexts * n_agents) {
        return random_observed_regret(mu, n_contexts, n_agents);
    }
    for (size_t a = 0; a < n_agents; a++) {
        total += regret_fixed_agent_regret(mu, a, n_contexts, n_agents);
    }
    return total / (double)n_agents;
}

double regret_rmse(const double *a, const double *b, size_t n)
{
    double total = 0.0;
    for (size_t i = 0; i < n; i++) {
        total += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrt(total / (double)n);
}

/* An undefined value has no rank, and so neither has anything beside it. */
static int has_ranks(const double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (isnan(a[i]) || isnan(b[i])) {
            return 0;
        }
    }
    return n > 0;
}

double regret_top1(const double *truth, const double *estimate, size_t n)
{
    if (!has_ranks(truth, estimate, n)) {
        return NAN;
    }
    return regret_argmax(truth, n) == regret_argmax(estimate, n) ? 1.0 : 0.0;
}

/* The place of i in descending order among what is observed of mu; ties: the lower index first. */
static size_t place_observed(const double *f, const double *mu, size_t n, size_t i)
{
    size_t before = 0;
    for (size_t j = 0; j < n; j++) {
        before += !isnan(mu[j]) && (f[j] > f[i] || (f[j] == f[i] && j < i));
    }
    return before;
}

double regret_top3(const double *truth, const double *estimate, size_t n)
{
    size_t k = n < 3 ? n : 3, shared = 0;
    if (!has_ranks(truth, estimate, n)) {
        return NAN;
    }
    for (size_t i = 0; i < n; i++) {
        shared +=
            place_observed(truth, truth, n, i) < k && place_observed(estimate, truth, n, i) < k;
    }
    return (double)shared / (double)k;
}

double regret_hit_rate(const double *mu, const double *f, size_t n_contexts, size_t n_agents,
                       size_t k)
{
    double hits = 0.0;
    size_t n = 0;
    for (size_t x = 0; x < n_contexts; x++) {
        const double *truth = mu + x * n_agents, *estimate = f + x * n_agents;
        if (!regret_is_comparable(truth, n_agents)) {
            continue;
        }
        double best = truth[regret_argmax(truth, n_agents)];
        int hit = 0;
        for (size_t a = 0; a < n_agents; a++) {
            if (!isnan(truth[a]) && isnan(estimate[a])) {
                return NAN;
            }
            hit |= truth[a] == best && place_observed(estimate, truth, n_agents, a) < k;
        }
        hits += hit;
        n++;
    }
    return hits / (double)n;
}

static double average_rank(const double *value, size_t n, size_t i)
{
    double less = 0.0, equal = 0.0;
    for (size_t j = 0; j < n; j++) {
        less += value[j] < value[i];
        equal += value[j] == value[i];
    }
    return less + (equal + 1.0) / 2.0;
}

double regret_spearman(const double *a, const double *b, size_t n)
{
    double sab = 0.0, saa = 0.0, sbb = 0.0, mean = ((double)n + 1.0) / 2.0;
    if (!has_ranks(a, b, n)) {
        return NAN;
    }
    for (size_t i = 0; i < n; i++) {
        double ra = average_rank(a, n, i) - mean, rb = average_rank(b, n, i) - mean;
        sab += ra * rb;
        saa += ra * ra;
        sbb += rb * rb;
    }
    return saa > 0.0 && sbb > 0.0 ? sab / sqrt(saa * sbb) : NAN;
}

/* −1, 0 or 1. */
static double sign_of(double x)
{
    return (double)(x > 0.0) - (double)(x < 0.0);
}

double regret_kendall(const double *a, const double *b, size_t n)
{
    double sum = 0.0, pairs_a = 0.0, pairs_b = 0.0;
    if (!has_ranks(a, b, n)) {
        return NAN;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            double sa = sign_of(a[i] - a[j]), sb = sign_of(b[i] - b[j]);
            sum += sa * sb;
            pairs_a += sa * sa;
            pairs_b += sb * sb;
        }
    }
    return pairs_a > 0.0 && pairs_b > 0.0 ? sum / sqrt(pairs_a * pairs_b) : NAN;
}

int regret_held_out_r2(double *out, double *clipped, const double *x, size_t d, const double *y,
                       size_t n, const unsigned char *train, const unsigned char *test)
{
    FREED double *b = NULL;
    double mean = 0.0, count = 0.0, sse = 0.0, clipped_sse = 0.0, sst = 0.0;
    TRY(REGRET_NEW(&b, d + 1));
    TRY(least_squares(b, x, d, y, n, train));
    for (size_t i = 0; i < n; i++) {
        mean += test[i] ? y[i] : 0.0;
        count += test[i] != 0;
    }
    mean /= count;
    for (size_t i = 0; i < n; i++) {
        if (!test[i]) {
            continue;
        }
        double fit = b[d];
        for (size_t j = 0; j < d; j++) {
            fit += b[j] * x[j * n + i];
        }
        double near = fmin(fmax(fit, 0.0), 1.0);
        sse += (y[i] - fit) * (y[i] - fit);
        clipped_sse += (y[i] - near) * (y[i] - near);
        sst += (y[i] - mean) * (y[i] - mean);
    }
    *out = sst > 1e-20 * count ? 1.0 - sse / sst : NAN;
    if (clipped != NULL) {
        *clipped = sst > 1e-20 * count ? 1.0 - clipped_sse / sst : NAN;
    }
    return REGRET_OK;
}

/* Estimates of n things, and the influence of every context of EXP on them: Ω = UᵀU is their covariance with contexts
 * as clusters. */
struct estimates {
    size_t n, n_contexts;
    double *b;                /* [n] */
    double *influence;        /* U, [n_contexts × n] */
    double by_rows, variance; /* Σ of b's variances: by rows, and as EXP samples */
    size_t n_folds;           /* 0: DM shares no noise with DR, as far as is known */
    double *dm,
        *dr; /* [n_folds × n] V_DM without each fold, and V_DR by its rows, less their means over folds */
};

FREED_FIELDS(estimates, of->b, of->influence, of->dm, of->dr)

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

/* Less its mean over folds; 0 of an agent that is not evaluated. */
static void centre_folds(double *x, size_t n_folds, size_t n)
{
    for (size_t a = 0; a < n; a++) {
        double mean = gathered_sum(x + a, n, n_folds) / (double)n_folds;
        for (size_t k = 0; k < n_folds; k++) {
            x[k * n + a] = isnan(mean) ? 0.0 : x[k * n + a] - mean;
        }
    }
}

/* A fold's rows correct a fit that has not seen them: V_DR by them alone. */
static int compare_folds(struct estimates *e, const struct gathered *g)
{
    const struct regret_value_problem *p = g->p;
    size_t n = e->n;
    FREED double *rows = NULL;
    TRY(REGRET_NEW(&e->dm, p->n_folds * n));
    TRY(REGRET_NEW(&e->dr, p->n_folds * n));
    TRY(REGRET_NEW(&rows, p->n_folds));
    for (size_t i = 0; i < p->exp->n; i++) {
        size_t a = p->agent[p->exp->pair[i]], k = p->fold[i];
        double weight = gathered_row_weight(p, p->exp->pair[i]);
        e->dr[k * n + a] += gathered_scale(g, a) * weight * (p->exp->y[i] - p->cross_fit[i]);
        rows[k] += weight;
    }
    for (size_t v = 0; v < p->n_folds * n; v++) {
        e->dm[v] = p->fold_value[v];
        e->dr[v] = e->dm[v] + (rows[v / n] > 0.0 ? e->dr[v] / rows[v / n] : 0.0);
    }
    centre_folds(e->dm, p->n_folds, n);
    centre_folds(e->dr, p->n_folds, n);
    e->n_folds = p->n_folds;
    return REGRET_OK;
}

/* Σ of the covariances of V_DM and V_DR over EXP, by a jackknife over folds: without fold k the one is V_DM of f^(−k), the
 * other the mean of the other folds' (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 11). */
static double shared_noise(const struct estimates *e)
{
    double sum = 0.0;
    for (size_t v = 0; v < e->n_folds * e->n; v++) {
        sum += e->dm[v] * e->dr[v];
    }
    return e->n_folds > 0 ? -sum / (double)e->n_folds : 0.0;
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

/* Of the noise e of b̂ = b − e, what DM shares is ρe: b̂ is b less ρe, of which e knows nothing, less (1 − ρ)e. Σ b̂² is
 * too large by the variances of that, and has itself one of 2 tr Ω², (1 − ρ)⁴ times: normal laws, b small. */
static struct miss_law law_of(const struct estimates *e, double divisor)
{
    double by_rows = e->by_rows / divisor, shared = shared_noise(e) / divisor;
    double rho = by_rows > 0.0 ? fmin(fmax(shared / by_rows, 0.0), 1.0) : 0.0;
    double left = (1.0 - rho) * (1.0 - rho);
    double se = left * sqrt(2.0 * trace_of_square(e)) / divisor;
    double squares = sum_of_squares(e->b, 1, e->n) / divisor;
    return (struct miss_law){mean_above_zero(squares - left * by_rows, se), rho, by_rows,
                             fmax(e->variance - e->by_rows, 0.0) / divisor};
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
    for (size_t k = 0; k < e->n_folds; k++) {
        subtract_mean(e->dm + k * e->n, e->n);
        subtract_mean(e->dr + k * e->n, e->n);
    }
    /* What centring takes of the variances by clusters it takes of those of two stages. */
    double left = before > 0.0 ? sum_of_squares(e->influence, 1, all) / before : 1.0;
    e->variance *= left;
    e->by_rows *= left;
    return law_of(e, 0.5 * ((double)e->n - 1.0));
}

int surface_miss_fill(struct surface_miss *out, const struct gathered *g)
{
    FREED_BY(estimates_fields) struct estimates e = {.n = g->p->n_agents, .n_contexts = g->n_exp};
    const struct miss_law unknown = {NAN, NAN, NAN, NAN};
    if (g->p->cross_fit == NULL) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&out->b, e.n));
    out->of_value = out->of_difference = unknown;
    if (isnan(g->undefined) || g->exp_contexts < 2.0) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&e.b, e.n));
    TRY(REGRET_NEW(&e.influence, e.n_contexts * e.n));
    estimate(&e, g);
    if (g->p->fold_value != NULL && g->p->n_folds > 1) {
        TRY(compare_folds(&e, g));
    }
    for (size_t a = 0; a < e.n; a++) {
        out->b[a] = e.b[a];
    }
    out->of_value = law_of(&e, (double)e.n);
    if (e.n > 1) {
        out->of_difference = law_of_differences(&e);
    }
    return REGRET_OK;
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
    double noise = law->rho * law->rho * law->by_rows, square = law->apart + noise;
    double all = law->apart + (1.0 - law->rho) * (1.0 - law->rho) * law->by_rows;
    double share = (law->apart - law->rho * (1.0 - law->rho) * law->by_rows) / all;
    v->agents = (double)g->p->n_agents - (one ? 0.0 : 1.0);
    v->miss = law->between;
    if (lacks_rows || !(share > 0.0)) {
        v->miss += square;
        return;
    }
    v->bias = share * (miss->b[a] - (one ? 0.0 : miss->b[b]));
    v->miss += law->by_rows * law->apart / all;
}
