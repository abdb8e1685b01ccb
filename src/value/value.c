#include "regret/value.h"

#include <math.h>

#include "regret/student.h"

enum { BLOCK = 256 }; /* agents with a pass over the pairs */

static double weight_of(const struct regret_context_weights *w, size_t pair)
{
    return w != NULL && w->weight != NULL ? w->weight[w->context[pair]] : 1.0;
}

/* The agents from `first` on, at most BLOCK. */
static void dm_of_block(double *value, const double *prediction, const uint32_t *agent,
                        const unsigned char *eval, size_t pairs, size_t first, size_t n_agents,
                        const struct regret_context_weights *weights)
{
    double n[BLOCK] = {0.0};
    for (size_t a = 0; a < n_agents; a++) {
        value[first + a] = 0.0;
    }
    for (size_t p = 0; p < pairs; p++) {
        size_t a = agent[p] - first; /* wraps below `first` */
        if (eval[p] && a < n_agents) {
            double weight = weight_of(weights, p);
            weight *= weights != NULL && weights->share != NULL ? weights->share[p] : 1.0;
            value[first + a] += weight * prediction[p];
            n[a] += weight;
        }
    }
    for (size_t a = 0; a < n_agents; a++) {
        value[first + a] /= n[a];
    }
}

void regret_value_dm(double *value, const double *prediction, const uint32_t *agent,
                     const unsigned char *eval, size_t pairs, size_t n_agents,
                     const struct regret_context_weights *weights)
{
    for (size_t first = 0; first < n_agents; first += BLOCK) {
        size_t n = n_agents - first < BLOCK ? n_agents - first : BLOCK;
        dm_of_block(value, prediction, agent, eval, pairs, first, n, weights);
    }
}

void regret_value_dr_observed(double *dr, double *sndr, const double *dm,
                              const struct regret_rows *exp, const double *cross_fit,
                              const uint32_t *agent, size_t n_agents,
                              const struct regret_context_weights *weights,
                              const struct regret_exp_support *support)
{
    int partial = support != NULL && support->offered != NULL;
    const struct regret_context_weights offered = {weights != NULL ? weights->context : NULL,
                                                   partial ? support->offered : NULL, NULL};
    const struct regret_context_weights *w = partial ? &offered : weights;
    for (size_t a = 0; a < n_agents; a++) {
        double residuals = 0.0, n = 0.0, all = 0.0;
        for (size_t i = 0; i < exp->n; i++) {
            double weight = weight_of(w, exp->pair[i]);
            double residual = weight * (exp->y[i] - cross_fit[i]);
            all += weight;
            if (isnan(residual)) {
                residuals = NAN;
            } else if (agent[exp->pair[i]] == a) {
                residuals += residual;
                n += weight;
            }
        }
        double scale = partial ? support->factor[a] * (double)n_agents : (double)n_agents;
        dr[a] = dm[a] + scale * residuals / all;
        int has_none = n == 0.0 && all > 0.0 && !isnan(residuals);
        sndr[a] = has_none ? dm[a] : dm[a] + residuals / n; /* 0/0 where nobody has any */
    }
}

void regret_value_dr(double *dr, double *sndr, const double *dm, const struct regret_rows *exp,
                     const double *cross_fit, const uint32_t *agent, size_t n_agents,
                     const struct regret_context_weights *weights)
{
    regret_value_dr_observed(dr, sndr, dm, exp, cross_fit, agent, n_agents, weights, NULL);
}

double regret_effective_number(const double *weight, size_t n)
{
    double sum = 0.0, squares = 0.0, largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, weight[i]);
    }
    for (size_t i = 0; i < n; i++) {
        double share = weight[i] / largest; /* squares of tiny weights are no zeroes */
        sum += share;
        squares += share * share;
    }
    return sum * sum / squares;
}

/* Σ w y, Σ w f, Σ w and Σ w² over the contexts on which the agent is observed. */
struct matched_sums {
    double y, f, weight, squares;
    size_t n;
};

static struct matched_sums sum_matched(const double *f, const double *y, const double *p, size_t n)
{
    struct matched_sums s = {0};
    for (size_t x = 0; x < n; x++) {
        if (!isnan(y[x])) {
            double w = 1.0 / p[x];
            s.y += w * y[x];
            s.f += w * f[x];
            s.weight += w;
            s.squares += w * w;
            s.n++;
        }
    }
    return s;
}

void regret_policy_value(struct regret_policy_value *out, const double *f, const double *y,
                         const double *p, size_t n, double level)
{
    const struct matched_sums s = sum_matched(f, y, p, n);
    double mean = 0.0, squares = 0.0, correction = (s.y - s.f) / s.weight;
    *out = (struct regret_policy_value){NAN, NAN, NAN, s.n};
    if (s.n < REGRET_POLICY_MIN_MATCHED) {
        return;
    }
    for (size_t x = 0; x < n; x++) {
        mean += f[x] / (double)n;
    }
    for (size_t x = 0; x < n; x++) {
        double w = isnan(y[x]) ? 0.0 : (double)n / p[x] / s.weight;
        double psi = f[x] - mean + (w > 0.0 ? w * (y[x] - f[x] - correction) : 0.0);
        squares += psi * psi;
    }
    double m = s.weight * s.weight / s.squares;
    out->ips = s.y / s.weight;
    out->dr = mean + correction;
    out->dr_half = regret_student_quantile(0.5 * (1.0 + level), m - 1.0) *
                   sqrt(squares * m / (m - 1.0)) / (double)n;
}
