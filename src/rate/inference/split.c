/* How much the rewrites of one response differ (rate_inference.h). */
#include <math.h>

#include "base/core/try.h"
#include "rate/estimate/clusters.h"
#include "rate/estimate/summation.h"
#include "rate/inference/check.h"
#include "rate/rows/rows.h"
#include "rate/rows/variants.h"
#include "regret/alloc.h"
#include "regret/rate_inference.h"

/* Sums over the responses of one group. */
struct spread {
    double *mean;            /* d_i; room for all rows */
    double within, n_within; /* squares about d_i, and their degrees of freedom */
    double repeat, n_repeat; /* the same about the means of rewriters */
    double inverse;          /* Σ 1/k_i */
    size_t n, n_rewrites, n_repeated;
};

/* Squares about the means of the rewriters of one response. */
static void add_repeats(struct spread *s, const struct regret_rate_rows *rows, const size_t *leaf,
                        const double *delta, size_t k)
{
    for (size_t a = 0; a < k; a++) {
        double sum = 0.0, n = 0.0;
        for (size_t b = 0; b < k; b++) {
            const char *x = rows->models[leaf[a]].rewriter, *y = rows->models[leaf[b]].rewriter;
            if (same_name(x, y)) {
                sum += delta[b];
                n += 1.0;
            }
        }
        s->repeat += (delta[a] - sum / n) * (delta[a] - sum / n);
        s->n_repeat += 1.0 - 1.0 / n;
    }
}

static void add_response(struct spread *s, const struct regret_rate_rows *rows,
                         const size_t *leaves, size_t n_leaves, size_t i)
{
    size_t own[REGRET_RATE_MAX_MODELS], k = leaves_of_row(own, rows, leaves, n_leaves, i);
    double delta[REGRET_RATE_MAX_MODELS];
    for (size_t a = 0; a < k; a++) {
        delta[a] = advantage(rows, &rows->models[own[a]], 1, i);
    }
    double mean = mean_of(delta, k);
    for (size_t a = 0; a < k; a++) {
        s->within += (delta[a] - mean) * (delta[a] - mean);
    }
    add_repeats(s, rows, own, delta, k);
    s->mean[s->n++] = mean;
    s->n_rewrites += k;
    s->n_repeated += k > 1;
    s->n_within += (double)k - 1.0;
    s->inverse += 1.0 / (double)k;
}

static const char NO_REPEATS[] = "no response has two rewrites";

static void finish_split(struct regret_rate_split *out, const struct spread *s,
                         const struct regret_rate_effect *effect)
{
    static const double counts[REGRET_RATE_N_REPEATS] = {1.0, 2.0, 4.0, INFINITY};
    double n = (double)s->n, within = s->within / s->n_within;
    out->n_responses = s->n;
    out->n_rewrites = s->n_rewrites;
    out->n_repeated = s->n_repeated;
    if (effect->missing != NULL || s->n_within == 0.0) {
        out->missing = effect->missing != NULL ? effect->missing : NO_REPEATS;
        return;
    }
    double between = variance_of(s->mean, s->n) - within * s->inverse / n;
    double rest = fmax(0.0, effect->se * effect->se - within * s->inverse / (n * n));
    if (!isfinite(within) || !isfinite(between)) {
        out->missing = MISSING_TOO_LARGE;
        return;
    }
    out->sd_within = sqrt(within);
    out->sd_between = sqrt(fmax(0.0, between));
    out->sd_repeat = s->n_repeat > 0.5 ? sqrt(s->repeat / s->n_repeat) : (double)NAN;
    for (int k = 0; k < REGRET_RATE_N_REPEATS; k++) {
        out->se[k] = sqrt(rest + within / (counts[k] * n));
    }
}

static void split_one(struct regret_rate_split *out, double *room,
                      const struct regret_rate_rows *rows, const struct regret_rate_estimate *e,
                      const size_t *members, size_t n_members)
{
    struct spread s = {.mean = room};
    size_t leaves[REGRET_RATE_MAX_MODELS], n_leaves = leaves_of(leaves, rows, e->model);
    const struct regret_rate_effect *effect = &e->effects[REGRET_EFFECT_RATE_ATE];
    out->sd_between = out->sd_within = out->sd_repeat = NAN;
    for (int k = 0; k < REGRET_RATE_N_REPEATS; k++) {
        out->se[k] = NAN;
    }
    for (size_t k = 0; k < n_members && effect->missing == NULL; k++) {
        size_t i = members[k];
        if (rows->w[i] <= REGRET_LABEL_1 && rows_missing(rows, e->model, i) == 0) {
            add_response(&s, rows, leaves, n_leaves, i);
        }
    }
    finish_split(out, &s, effect);
}

int regret_rate_split(struct regret_rate_splits *out, const struct regret_rate_rows *rows,
                      const struct regret_rate_options *options)
{
    FREED_BY(regret_rate_splits_free) struct regret_rate_splits s = {0};
    FREED size_t *order = NULL, *start = NULL;
    FREED double *room = NULL;
    TRY(regret_rate_estimate(&s.estimates, &s.n_estimates, rows, options));
    TRY(REGRET_NEW(&s.splits, s.n_estimates));
    TRY(REGRET_NEW(&room, rows->n_rows));
    TRY(sort_by_group(&order, &start, rows, options));
    for (size_t k = 0; k < s.n_estimates; k++) {
        const struct regret_rate_estimate *e = &s.estimates[k];
        if (is_whole_mean(rows, e->model)) {
            s.splits[s.n].estimate = k;
            split_one(&s.splits[s.n++], room, rows, e, order + start[e->group],
                      start[e->group + 1] - start[e->group]);
        }
    }
    *out = s;
    memset(&s, 0, sizeof s); /* handed on */
    return REGRET_OK;
}

void regret_rate_splits_free(struct regret_rate_splits *splits)
{
    regret_free(splits->splits);
    regret_free(splits->estimates);
    *splits = (struct regret_rate_splits){0};
}
