/* Bootstrap intervals for every effect of every model of a group, from the same resampled rows. */
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "rate/estimate/clusters.h"
#include "rate/estimate/columns.h"
#include "rate/estimate/summation.h"
#include "regret/alloc.h"
#include "regret/bootstrap.h"

enum { USED, ORIGINAL, SINGLE, RATE, DRIFT, N_SERIES };

/* Rows that serve some model, W = 1 first, and each model's numbers on them: zero where a row does
 * not serve the model, so that a weighted sum skips it. Where clusters are drawn, the rows of one that
 * have the same W are one entry, with sums. */
struct series {
    size_t n1, n;
    size_t n_models;
    double *value;   /* n_models × N_SERIES × n; owned */
    size_t n_drawn;  /* rows, or clusters, that serve some model */
    uint32_t *drawn; /* by entry, of clusters: which is drawn for it; or NULL; owned */
    double *weight;  /* threads × n, of clusters; or NULL; owned */
};

FREED_FIELDS(series, of->value, of->drawn, of->weight)

static const double *series_of(const struct series *s, size_t model, size_t which)
{
    return s->value + (model * N_SERIES + which) * s->n;
}

/* A weighted mean over the drawn rows, NaN when none was drawn. */
static double weighted_mean(const struct series *s, size_t model, size_t which,
                            const double *weight, size_t first, size_t n, double total)
{
    return total > 0.0 ? dot_of(series_of(s, model, which) + first, weight + first, n) / total
                       : (double)NAN;
}

static int resampled_effects(void *context, double *out, const double *weight, size_t worker)
{
    const struct series *s = context;
    if (s->drawn != NULL) {
        double *own = s->weight + worker * s->n;
        for (size_t k = 0; k < s->n; k++) {
            own[k] = weight[s->drawn[k]];
        }
        weight = own;
    }
    for (size_t m = 0; m < s->n_models; m++) {
        double *e = out + m * REGRET_N_EFFECTS;
        size_t n0 = s->n - s->n1;
        const double *used = series_of(s, m, USED);
        double t1 = dot_of(used, weight, s->n1), t0 = dot_of(used + s->n1, weight + s->n1, n0);
        double mean1[N_SERIES], mean0[N_SERIES];
        for (size_t k = ORIGINAL; k < N_SERIES; k++) {
            mean1[k] = weighted_mean(s, m, k, weight, 0, s->n1, t1);
            mean0[k] = weighted_mean(s, m, k, weight, s->n1, n0, t0);
        }
        e[REGRET_EFFECT_NAIVE] = mean1[ORIGINAL] - mean0[ORIGINAL];
        e[REGRET_EFFECT_SINGLE_ATT] = mean1[SINGLE];
        e[REGRET_EFFECT_SINGLE_ATU] = mean0[SINGLE];
        e[REGRET_EFFECT_SINGLE_ATE] = (t1 * mean1[SINGLE] + t0 * mean0[SINGLE]) / (t1 + t0);
        e[REGRET_EFFECT_RATE_ATT] = mean1[RATE];
        e[REGRET_EFFECT_RATE_ATU] = mean0[RATE];
        e[REGRET_EFFECT_RATE_ATE] = (t1 * mean1[RATE] + t0 * mean0[RATE]) / (t1 + t0);
        e[REGRET_EFFECT_DRIFT_1] = mean1[DRIFT];
        e[REGRET_EFFECT_DRIFT_0] = mean0[DRIFT];
    }
    return REGRET_OK;
}

/* place[k]: where member k stands in the series, or SIZE_MAX when it serves no model; entries are the rows. */
static int place_members(struct series *s, size_t **place, const struct columns *columns,
                         size_t n_models, const struct regret_rate_rows *rows,
                         const size_t *members, size_t n_members)
{
    size_t *at = NULL;
    TRY(REGRET_NEW(&at, n_members));
    memset(at, 0xFF, n_members * sizeof *at);
    for (size_t m = 0; m < n_models; m++) {
        for (size_t k = 0; k < columns[m].n1 + columns[m].n0; k++) {
            at[columns[m].row[k]] = 0;
        }
    }
    s->n = 0;
    for (int w = 1; w >= 0; w--) {
        for (size_t k = 0; k < n_members; k++) {
            if (rows->w[members[k]] == w && at[k] != SIZE_MAX) {
                at[k] = s->n++;
            }
        }
        s->n1 = w == 1 ? s->n : s->n1;
    }
    s->n_drawn = s->n;
    *place = at;
    return REGRET_OK;
}

/* Makes entries of the rows of a cluster that have the same W, and numbers the clusters that have any.
 * `place` is that of rows before, and of entries afterwards. */
static int place_clusters(struct series *s, size_t *place, const struct clusters *clusters,
                          const struct regret_rate_rows *rows, const size_t *members,
                          size_t n_members, size_t threads)
{
    FREED uint32_t *number =
        NULL; /* by cluster: 1 + the entries of W = 0 and 1, and its own; 0: none yet */
    TRY(REGRET_NEW(&number, 3 * clusters->n));
    TRY(REGRET_NEW(&s->drawn, s->n));
    s->n = s->n_drawn = 0;
    for (uint32_t w = 2; w-- > 0;) {
        for (size_t k = 0; k < n_members; k++) {
            uint32_t *entry = &number[clusters->of[k] * 3 + w], *drawn = entry - w + 2;
            if (rows->w[members[k]] != w || place[k] == SIZE_MAX) {
                continue;
            }
            if (*drawn == 0) {
                *drawn = (uint32_t)++s->n_drawn;
            }
            if (*entry == 0) {
                s->drawn[s->n] = *drawn - 1;
                *entry = (uint32_t)++s->n;
            }
            place[k] = *entry - 1;
        }
        s->n1 = w == 1 ? s->n : s->n1;
    }
    return REGRET_NEW(&s->weight, threads * s->n);
}

static void fill_model(struct series *s, size_t m, const struct columns *c, const size_t *place)
{
    double *value = s->value + m * N_SERIES * s->n;
    for (size_t k = 0; k < c->n1 + c->n0; k++) {
        size_t at = place[c->row[k]];
        value[USED * s->n + at] += 1.0;
        value[SINGLE * s->n + at] += c->single[k];
        value[RATE * s->n + at] += c->rate[k];
        if (!c->contrastive) {
            value[ORIGINAL * s->n + at] += c->score[REGRET_SIDE_ORIGINAL][k];
            value[DRIFT * s->n + at] += c->drift[k];
        }
    }
}

static int summarise(struct regret_rate_estimate *estimates, const double *replicates,
                     size_t n_replicates, size_t n_models)
{
    for (size_t m = 0; m < n_models; m++) {
        for (size_t k = 0; k < REGRET_N_EFFECTS; k++) {
            struct regret_rate_effect *e = &estimates[m].effects[k];
            struct regret_bootstrap_interval interval;
            if (e->missing != NULL) {
                continue;
            }
            TRY(regret_bootstrap_summarise(&interval, replicates, n_replicates,
                                           n_models * REGRET_N_EFFECTS, m * REGRET_N_EFFECTS + k,
                                           0.95));
            if (isfinite(interval.se) && isfinite(interval.low) && isfinite(interval.high)) {
                e->boot_se = interval.se;
                e->boot_low = interval.low;
                e->boot_high = interval.high;
            }
        }
    }
    return REGRET_OK;
}

int columns_bootstrap(struct regret_rate_estimate *estimates, const struct columns *columns,
                      size_t n_models, const struct regret_rate_rows *rows, const size_t *members,
                      size_t n_members, const struct clusters *clusters,
                      const struct regret_rate_options *options)
{
    FREED_BY(series_fields) struct series s = {0};
    FREED size_t *place = NULL;
    FREED double *replicates = NULL;
    size_t n_statistics = n_models * REGRET_N_EFFECTS;
    const struct regret_bootstrap_options how = {
        .n_replicates = options->bootstrap, .seed = options->seed, .threads = options->threads};
    s.n_models = n_models;
    TRY(place_members(&s, &place, columns, n_models, rows, members, n_members));
    if (s.n == 0) {
        return REGRET_OK;
    }
    if (clusters->matter && options->se != REGRET_SE_UNPAIRED) {
        TRY(place_clusters(&s, place, clusters, rows, members, n_members, options->threads));
    }
    TRY(REGRET_NEW(&s.value, n_models * N_SERIES * s.n));
    TRY(REGRET_NEW(&replicates, options->bootstrap * n_statistics));
    for (size_t m = 0; m < n_models; m++) {
        fill_model(&s, m, &columns[m], place);
    }
    TRY(regret_bootstrap(replicates, s.n_drawn, n_statistics, &how, resampled_effects, &s));
    return summarise(estimates, replicates, options->bootstrap, n_models);
}
