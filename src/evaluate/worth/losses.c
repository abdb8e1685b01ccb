/* What families miss of folds that they did not see, on the rows that have an f of their own. */
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "evaluate/worth/values.h"
#include "regret/alloc.h"

static double miss_of(const struct basis *b, const double *surface, size_t i)
{
    double gap = b->y[i] - surface[i * b->n_agents + b->agent[i]];
    return gap * gap;
}

/* From what clusters add to the error. */
static void set_error(struct regret_valued *out, const struct basis *b, const double *sum)
{
    double squares = 0.0, n = (double)b->n_clusters;
    for (size_t c = 0; c < b->n_clusters; c++) {
        squares += sum[c] * sum[c];
    }
    out->error = sqrt(squares * n / (n - 1.0));
    out->df = n - 1.0;
    student_set_interval(out, tails_of(b->level));
}

/* A weighted mean of x over rows with its error by clusters; w = 1/p. */
static int mean_by_clusters(struct regret_valued *out, const struct basis *b, const double *x)
{
    double *sum = NULL, weight = 0.0;
    TRY(REGRET_NEW(&sum, b->n_clusters));
    out->value = 0.0;
    for (size_t i = 0; i < b->n; i++) {
        weight += 1.0 / b->propensity[i];
        out->value += x[i] / b->propensity[i];
    }
    out->value /= weight;
    for (size_t i = 0; i < b->n; i++) {
        sum[b->cluster[i]] += (x[i] - out->value) / b->propensity[i] / weight;
    }
    set_error(out, b, sum);
    regret_free(sum);
    return REGRET_OK;
}

static struct basis known_rows(const struct valuing *v)
{
    struct basis known = v->basis;
    known.n = v->e->n_known;
    return known;
}

static int compare(struct regret_fitted_family *out, const struct valuing *v,
                   const struct surfaces *s)
{
    const struct basis known = known_rows(v), *b = &known;
    const double *used = v->e->surface;
    FREED double *x = NULL;
    struct regret_valued loss;
    TRY(REGRET_NEW(&x, b->n));
    for (size_t i = 0; i < b->n; i++) {
        x[i] = miss_of(b, s->out_of_fold, i);
    }
    TRY(mean_by_clusters(&loss, b, x));
    for (size_t i = 0; i < b->n; i++) {
        x[i] -= miss_of(b, used, i);
    }
    out->loss = loss.value;
    return mean_by_clusters(&out->difference, b, x);
}

/* The policy by request of a family, valued with its own surface. */
static int value_policy_of(struct regret_fitted_family *out, const struct valuing *v,
                           const struct surfaces *s)
{
    struct basis own = known_rows(v);
    struct regret_valued value[REGRET_N_VALUES];
    FREED uint32_t *choice = NULL;
    own.surface = s->out_of_fold;
    TRY(REGRET_NEW(&choice, own.n));
    for (size_t i = 0; i < own.n; i++) {
        choice[i] = v->is_late[i]
                        ? policy_by_request(v->m, s->early + i * own.n_agents, v->eligible, i)
                        : NO_CHOICE;
    }
    const struct chooser x = {choice, 0};
    TRY(worth_of(value, NULL, &own, &x, &v->late));
    out->policy = value[REGRET_VALUE_SNDR];
    return REGRET_OK;
}

/* The slope of Y − mean_a f on g = f(X, A) − mean_a f, rows weighted by 1/p, with an intercept; its error is the sandwich's by
 * clusters (best linear predictor: Chernozhukov, Demirer, Duflo and Fernández-Val, "Generic machine learning inference on
 * heterogeneous treatment effects in randomized experiments", 2018). */
static int calibrate(struct regret_valued *out, const struct basis *b)
{
    FREED double *g = NULL, *y = NULL, *sum = NULL;
    double weight = 0.0, mean_g = 0.0, mean_y = 0.0, gg = 0.0, gy = 0.0;
    TRY(REGRET_NEW(&g, b->n));
    TRY(REGRET_NEW(&y, b->n));
    TRY(REGRET_NEW(&sum, b->n_clusters));
    for (size_t i = 0; i < b->n; i++) {
        const double *f = basis_surface(b, i);
        double mean = 0.0, agents = 0.0, w = 1.0 / b->propensity[i];
        for (size_t a = 0; a < b->n_agents; a++) {
            agents += basis_offers(b, i, a);
        }
        for (size_t a = 0; a < b->n_agents; a++) {
            mean += basis_offers(b, i, a) ? f[a] / agents : 0.0;
        }
        g[i] = f[b->agent[i]] - mean;
        y[i] = b->y[i] - mean;
        weight += w;
        mean_g += w * g[i];
        mean_y += w * y[i];
    }
    for (size_t i = 0; i < b->n; i++) {
        g[i] -= mean_g / weight;
        y[i] -= mean_y / weight;
        gg += g[i] * g[i] / b->propensity[i];
        gy += g[i] * y[i] / b->propensity[i];
    }
    out->value = gy / gg; /* NaN where f knows no differences */
    for (size_t i = 0; i < b->n; i++) {
        sum[b->cluster[i]] += g[i] * (y[i] - out->value * g[i]) / b->propensity[i] / gg;
    }
    set_error(out, b, sum);
    return REGRET_OK;
}

int compare_families(struct valuing *v)
{
    struct regret_evaluation *e = v->e;
    const struct basis known = known_rows(v);
    TRY(REGRET_NEW(&e->family, v->list->n));
    e->lambda = NAN;
    for (size_t i = 0; i < v->list->n; i++) {
        const struct surfaces *s = &v->list->of[i];
        struct regret_fitted_family *to = &e->family[e->n_families];
        if (s->status != REGRET_OK) {
            continue;
        }
        e->used = i == v->list->used ? e->n_families : e->used;
        *to = (struct regret_fitted_family){.name = s->family->name, .lambda = s->lambda};
        to->single = s->learned[v->list->folds].single;
        TRY(compare(to, v, s));
        TRY(value_policy_of(to, v, s));
        e->best = to->loss < e->family[e->best].loss ? e->n_families : e->best;
        if (strcmp(to->name, "cvci") == 0) {
            e->lambda = to->lambda;
        }
        e->n_families++;
    }
    return calibrate(&e->calibration, &known);
}
