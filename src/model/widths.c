#include "model/internal.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "base/status.h"
#include "model/model.h"
#include "regret/status.h"

enum { LEAST_MARGINS = 40 };

struct measuring {
    struct regret_model *m;
    const struct regret_model_data *data;
    const struct panel *panel;
    const double *miss, *shared_miss, *shared;
    double *own, *common; /* [rows] v_d and v_c of every context */
};

FREED_FIELDS(measuring, of->own, of->common)

/* The ⌈level (n + 1)⌉-th smallest, or the greatest; sorts. */
static double factor_of(double *value, size_t n)
{
    size_t rank = (size_t)ceil(REGRET_MODEL_LEVEL * ((double)n + 1.0));
    if (n == 0) {
        return 0.0;
    }
    regret_sort_numbers(value, n);
    return value[(rank < n ? rank : n) - 1];
}

static double miss_at(const struct measuring *w, size_t x, size_t a)
{
    return w->miss[x * w->panel->n_agents + a];
}

static int take_variances(struct measuring *w, const struct vocabulary *v)
{
    const struct regret_model *m = w->m;
    FREED double *numbers = NULL;
    double length[2];
    size_t tag = 0;
    TRY(REGRET_NEW(&numbers, m->width));
    for (size_t x = 0; x < w->panel->rows; x++) {
        size_t start = v->phi->row_start[x];
        const struct model_words_row words = {v->phi->column + start, v->phi->value + start,
                                              v->phi->row_start[x + 1] - start};
        model_add_up(numbers, length, &tag, m, words, v->own + x * m->columns.features,
                     v->tag[v->kind[x]]);
        w->own[x] = model_layer_variance(m, &m->contrast, numbers, length[0], 1);
        w->common[x] = model_layer_variance(m, &m->common, numbers, length[1], 1);
    }
    return REGRET_OK;
}

static void scale_variances(struct measuring *w)
{
    const struct panel *p = w->panel;
    struct regret_model *m = w->m;
    size_t single = m->facts.single;
    double common = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        double e = w->shared_miss[p->at[i]];
        common += e * e / w->common[p->at[i]];
    }
    m->common_own = common / (double)p->n;
    for (size_t a = 0; a < p->n_agents; a++) {
        double own = 0.0, margin = 0.0;
        size_t n = 0, n_margin = 0;
        for (size_t i = 0; i < p->n; i++) {
            size_t x = p->at[i];
            double e = miss_at(w, x, a), d = e - miss_at(w, x, single);
            own += isnan(e) ? 0.0 : e * e / w->own[x];
            n += !isnan(e);
            margin += isnan(d) ? 0.0 : d * d / w->own[x];
            n_margin += !isnan(d);
        }
        m->own[a] = own / (double)n;
        m->own_margin[a] = n_margin > 0 ? margin / (double)n_margin : 2.0 * m->own[a];
    }
}

/* The agent that is recommended without x, among the observed. */
static size_t choice_without(const struct measuring *w, size_t x)
{
    const struct panel *p = w->panel;
    size_t best = p->n_agents;
    double most = -INFINITY;
    for (size_t a = 0; a < p->n_agents; a++) {
        double f = p->target[x * p->n_agents + a] - w->shared[x] - miss_at(w, x, a);
        if (!isnan(f) && f > most) {
            most = f;
            best = a;
        }
    }
    return best;
}

/* |e_a − e_single| over its standard error; NaN where it is not known. */
static double margin_ratio(const struct measuring *w, size_t x, size_t a)
{
    double d = miss_at(w, x, a) - miss_at(w, x, w->m->facts.single);
    double variance = w->m->own_margin[a] * w->own[x];
    return a == w->m->facts.single || variance <= 0.0 ? NAN : fabs(d) / sqrt(variance);
}

static size_t margins_of_all(double *ratio, const struct measuring *w)
{
    size_t n = 0;
    for (size_t i = 0; i < w->panel->n; i++) {
        for (size_t a = 0; a < w->panel->n_agents; a++) {
            double r = margin_ratio(w, w->panel->at[i], a);
            ratio[n] = r;
            n += !isnan(r);
        }
    }
    return n;
}

static void find_factors(struct measuring *w, double *ratio, double *margin)
{
    struct regret_model *m = w->m;
    size_t n = 0, n_margin = 0, judged = 0;
    double squares = 0.0;
    for (size_t i = 0; i < w->panel->n; i++) {
        size_t x = w->panel->at[i], a = choice_without(w, x);
        double variance = m->common_own * w->common[x] + m->own[a] * w->own[x];
        double miss = w->shared_miss[x] + miss_at(w, x, a), r = margin_ratio(w, x, a);
        squares += miss * miss;
        judged++;
        ratio[n] = fabs(miss) / sqrt(variance);
        n += variance > 0.0;
        margin[n_margin] = r;
        n_margin += !isnan(r);
    }
    m->facts.error = sqrt(squares / (double)judged);
    m->value_factor = factor_of(ratio, n);
    n_margin = n_margin < LEAST_MARGINS ? margins_of_all(margin, w) : n_margin;
    m->margin_factor = factor_of(margin, n_margin);
}

/* ---- of rows ---- */

struct held {
    double ratio, weight;
};

static int by_ratio(const void *a, const void *b)
{
    const struct held *x = a, *y = b;
    return (x->ratio > y->ratio) - (x->ratio < y->ratio);
}

/* The least ratio that rows of a share `level` have, one more of the mean weight among them; or the greatest. Sorts. */
static double weighted_factor(struct held *held, size_t n)
{
    double total = 0.0, sum = 0.0;
    size_t i = 0;
    for (size_t j = 0; j < n; j++) {
        total += held[j].weight;
    }
    double wanted = REGRET_MODEL_LEVEL * (total + total / (double)n);
    qsort(held, n, sizeof *held, by_ratio);
    while (i < n - 1 && sum + held[i].weight < wanted) {
        sum += held[i++].weight;
    }
    return held[i].ratio;
}

/* Outcome less what is told of it without its context. */
static double row_miss(const struct measuring *w, const struct regret_model_row *r)
{
    double target = w->panel->target[r->context * w->panel->n_agents + r->agent];
    return r->outcome - target + w->shared_miss[r->context] + miss_at(w, r->context, r->agent);
}

static int scale_rows(struct measuring *w)
{
    struct regret_model *m = w->m;
    FREED double *weight = NULL;
    double total = 0.0, weights = 0.0, n = (double)w->data->n_rows;
    TRY(REGRET_NEW(&weight, m->n_agents));
    m->common_own = 0.0;
    for (size_t i = 0; i < w->data->n_rows; i++) {
        const struct regret_model_row *r = &w->data->row[i];
        double e = row_miss(w, r), scaled = r->weight * e * e / w->own[r->context];
        m->own[r->agent] += scaled;
        weight[r->agent] += r->weight;
        total += scaled;
        weights += r->weight;
    }
    for (size_t a = 0; a < m->n_agents; a++) {
        m->own[a] = (m->own[a] + total / n) / (weight[a] + weights / n);
    }
    for (size_t a = 0; a < m->n_agents; a++) {
        m->own_margin[a] = m->own[a] + m->own[m->facts.single];
    }
    return REGRET_OK;
}

/* The rows of agents that are recommended without their context, or all. */
static size_t list_rows(struct held *held, double *error, const struct measuring *w, int is_any)
{
    double squares = 0.0, weights = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < w->data->n_rows; i++) {
        const struct regret_model_row *r = &w->data->row[i];
        double e = row_miss(w, r), variance = w->m->own[r->agent] * w->own[r->context];
        if (is_any || choice_without(w, r->context) == r->agent) {
            held[n++] = (struct held){variance > 0.0 ? fabs(e) / sqrt(variance) : 0.0, r->weight};
            squares += r->weight * e * e;
            weights += r->weight;
        }
    }
    *error = sqrt(squares / weights);
    return n;
}

static int measure_rows(struct measuring *w)
{
    struct regret_model *m = w->m;
    FREED struct held *held = NULL;
    TRY(REGRET_NEW(&held, w->data->n_rows));
    TRY(scale_rows(w));
    size_t n = list_rows(held, &m->facts.error, w, 0);
    n = n < LEAST_MARGINS ? list_rows(held, &m->facts.error, w, 1) : n;
    m->value_factor = m->margin_factor = weighted_factor(held, n);
    return REGRET_OK;
}

int widths_measure(struct regret_model *m, const struct regret_model_data *data,
                   const struct panel *panel, const struct vocabulary *v, const double *miss,
                   const double *shared_miss, const double *shared)
{
    FREED_BY(measuring_fields)
    struct measuring w = {m, data, panel, miss, shared_miss, shared, NULL, NULL};
    FREED double *ratio = NULL, *margin = NULL;
    TRY(REGRET_NEW(&w.own, panel->rows));
    TRY(REGRET_NEW(&w.common, panel->rows));
    TRY(REGRET_NEW(&ratio, panel->n));
    TRY(REGRET_NEW(&margin, panel->n * panel->n_agents));
    TRY(take_variances(&w, v));
    if (data->n_rows > 0) {
        TRY(measure_rows(&w));
    } else {
        scale_variances(&w);
        find_factors(&w, ratio, margin);
    }
    return REGRET_OK;
}
