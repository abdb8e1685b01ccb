/* Effects: naive, single-rewrite, RATE. */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "rate/internal.h"
#include "stats/distributions.h"
#include "stats/multiplicity.h"
#include "stats/resampling.h"

/* The estimators of the paper's section 3 and Algorithm 1, with the standard errors of its public
 * code. */

const char *regret_rate_effect_name(enum regret_rate_effect_kind kind)
{
    static const char *const names[REGRET_N_EFFECTS] = {"naive",      "single_ATE", "single_ATT",
                                                        "single_ATU", "RATE_ATE",   "RATE_ATT",
                                                        "RATE_ATU",   "drift_w1",   "drift_w0"};
    return names[kind];
}

static const char NO_ORIGINAL[] = "no row has the original's score";
static const char NO_SINGLE[] = "no row has the scores of the original and of its rewrite";
static const char NO_RATE[] = "no row has the scores of the rewrite and of its rewrite";
static const char NO_DRIFT[] = "no row has the scores of the original and of the second rewrite";
static const char NO_ONES[] = "no usable row has W = 1, so only the ATU can be estimated";
static const char NO_ZEROS[] = "no usable row has W = 0, so only the ATT can be estimated";
static const char FEW_ONES[] = "fewer than two usable rows have W = 1";
static const char FEW_ZEROS[] = "fewer than two usable rows have W = 0";
static const char NO_ROWS[] = "no row has both W and all the scores of this model";
static const char NO_SCORES[] = "no row with W has a score of this model";
static const char CONTRASTIVE[] = "a contrastive reward does not score one text alone";

/* Why there is no mean over these rows, or NULL. */
static const char *too_few(const struct columns *c, int ones, int zeros)
{
    if (c->n1 + c->n0 == 0) {
        return NO_ROWS;
    }
    if (ones && zeros) { /* the mean over all rows */
        return c->n1 == 0 ? NO_ONES : c->n0 == 0 ? NO_ZEROS : NULL;
    }
    return ones && c->n1 < 2 ? FEW_ONES : zeros && c->n0 < 2 ? FEW_ZEROS : NULL;
}

static struct regret_rate_effect missing_effect(const char *reason)
{
    return (struct regret_rate_effect){.estimate = NAN,
                                       .se = NAN,
                                       .df = NAN,
                                       .quantile = NAN,
                                       .se_paired = NAN,
                                       .low = NAN,
                                       .high = NAN,
                                       .se_unpaired = NAN,

                                       .d = NAN,
                                       .d_se = NAN,
                                       .boot_se = NAN,
                                       .boot_low = NAN,
                                       .boot_high = NAN,
                                       .missing = reason};
}

static double finite_or_nan(double value)
{
    return isfinite(value) ? value : (double)NAN;
}

/* The mean of δ over its rows with the paired standard error sd(δ)/√n. */
static struct regret_rate_effect mean_effect(const char *reason, const double *delta, size_t n)
{
    struct regret_rate_effect e = missing_effect(reason);
    if (reason == NULL) {
        e.n = e.n_clusters = n;
        e.df = (double)n - 1.0;
        e.estimate = mean_of(delta, n);
        e.se_paired = e.se = sqrt(variance_of(delta, n) / (double)n);
    }
    return e;
}

/* √(var(do 1)/n + var(do 0)/n) over rows [first, first + n): do 1 are the rewards of the texts with
 * W = 1, be they `own` (the original, or its second rewrite) or `flipped` (the rewrite). */
static double unpaired_se(double *scratch, const struct columns *c, const double *own,
                          const double *flipped, size_t first, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        scratch[k] = first + k < c->n1 ? own[first + k] : flipped[first + k];
    }
    double one = variance_of(scratch, n);
    for (size_t k = 0; k < n; k++) {
        scratch[k] = first + k < c->n1 ? flipped[first + k] : own[first + k];
    }
    return sqrt((one + variance_of(scratch, n)) / (double)n);
}

/* ATE, ATT and ATU of one kind, at effects[0..2]. */
static void treatment_effects(struct regret_rate_effect *effects, const struct columns *c,
                              const double *delta, const char *reason, const double *own,
                              double *scratch)
{
    size_t n = c->n1 + c->n0;
    effects[0] = mean_effect(reason ? reason : too_few(c, 1, 1), delta, n);
    effects[1] = mean_effect(reason ? reason : too_few(c, 1, 0), delta, c->n1);
    effects[2] = mean_effect(reason ? reason : too_few(c, 0, 1), delta + c->n1, c->n0);
    if (c->contrastive) {
        return;
    }
    const double *flipped = c->score[REGRET_SIDE_REWRITE];
    const size_t first[3] = {0, 0, c->n1}, count[3] = {n, c->n1, c->n0};
    for (int k = 0; k < 3; k++) {
        if (effects[k].missing == NULL) {
            effects[k].se_unpaired = unpaired_se(scratch, c, own, flipped, first[k], count[k]);
        }
    }
}

/* Welch and Satterthwaite's degrees of freedom of √(a + b), variances of means of n1 and n0. */
static double welch_df(double a, double b, double n1, double n0)
{
    double most = fmax(a, b); /* only their ratio matters; of equal values take equal variances */
    a = most > 0.0 ? a / most : 1.0 / n1;
    b = most > 0.0 ? b / most : 1.0 / n0;
    return (a + b) * (a + b) / (a * a / (n1 - 1.0) + b * b / (n0 - 1.0));
}

/* mean(O | W=1) − mean(O | W=0) with Welch's standard error, and the pooled deviation. */
static void naive_effect(struct regret_rate_estimate *e, const struct columns *c)
{
    const char *reason = c->contrastive                  ? CONTRASTIVE
                         : !c->has[REGRET_SIDE_ORIGINAL] ? NO_ORIGINAL
                         : c->n1 + c->n0 == 0            ? NO_ROWS
                         : c->n1 < 2                     ? FEW_ONES
                         : c->n0 < 2                     ? FEW_ZEROS
                                                         : NULL;
    struct regret_rate_effect *naive = &e->effects[REGRET_EFFECT_NAIVE];
    *naive = missing_effect(reason);
    e->pooled_sd = NAN;
    if (reason != NULL) {
        return;
    }
    const double *o = c->score[REGRET_SIDE_ORIGINAL];
    double v1 = variance_of(o, c->n1), v0 = variance_of(o + c->n1, c->n0);
    double n1 = (double)c->n1, n0 = (double)c->n0;
    naive->n = naive->n_clusters = c->n1 + c->n0;
    naive->df = welch_df(v1 / n1, v0 / n0, n1, n0);
    naive->estimate = mean_of(o, c->n1) - mean_of(o + c->n1, c->n0);
    naive->se = sqrt(v1 / n1 + v0 / n0);
    e->pooled_sd = finite_or_nan(sqrt(((n1 - 1.0) * v1 + (n0 - 1.0) * v0) / (n1 + n0 - 2.0)));
}

/* Standard errors that let clusters count, in place of those of independent rows. */
static int apply_clusters(struct regret_rate_estimate *e, const struct columns *c,
                          struct influence *f)
{
    double known[N_INFLUENCE_ROWS] = {0.0}; /* degrees of freedom of one mean over these rows */
    for (int k = 0; k < REGRET_N_EFFECTS; k++) {
        enum regret_rate_effect_kind kind = (enum regret_rate_effect_kind)k;
        struct regret_rate_effect *effect = &e->effects[k];
        struct cluster_mean means[2];
        if (effect->missing != NULL) {
            continue;
        }
        TRY(influence_add(f, c, kind));
        effect->se = sqrt(dot_of(f->psi[k], f->psi[k], f->n_clusters));
        enum influence_rows rows = influence_rows_of(kind);
        size_t n_means = influence_means(means, f, kind);
        effect->n_clusters = f->held[rows];
        effect->df = n_means == 1 && known[rows] > 0.0 ? known[rows]
                                                       : cluster_df(means, n_means, f->n_clusters);
        known[rows] = n_means == 1 ? effect->df : known[rows];
        if (influence_rests_on_one(f, kind)) {
            *effect = missing_effect(MISSING_ONE_CLUSTER);
        }
    }
    e->clustered = 1;
    return REGRET_OK;
}

double regret_rate_detectable(const struct regret_rate_effect *effect)
{
    return effect->missing != NULL
               ? (double)NAN
               : finite_or_nan(regret_detectable_difference(effect->se, effect->df, 0.05, 0.8));
}

/* Student's quantile at df, which one of the effects has if it has that df; NaN: none has. */
static double known_quantile(const struct regret_rate_effect *effects, int n, double df)
{
    for (int k = 0; k < n; k++) {
        if (effects[k].df == df && effects[k].missing == NULL) {
            return effects[k].quantile;
        }
    }
    return NAN;
}

/* The interval of the standard error chosen, of effect k of e; of equal degrees of freedom, of these effects or
 * of those of the estimate before (or NULL), the quantile is sought once. */
static void set_interval(struct regret_rate_estimate *e, int k,
                         const struct regret_rate_estimate *before,
                         const struct regret_rate_options *options)
{
    struct regret_rate_effect *f = &e->effects[k];
    int normal = options->interval == REGRET_INTERVAL_NORMAL || options->se == REGRET_SE_UNPAIRED;
    f->df = normal ? (double)INFINITY : f->df;
    f->quantile = normal ? 1.96 : known_quantile(e->effects, k, f->df);
    if (isnan(f->quantile) && before != NULL) {
        f->quantile = known_quantile(before->effects, REGRET_N_EFFECTS, f->df);
    }
    if (isnan(f->quantile)) {
        f->quantile = regret_student_quantile(0.975, f->df);
    }
    f->low = f->estimate - f->quantile * f->se;
    f->high = f->estimate + f->quantile * f->se;
}

/* Errors of Cohen's d, by the jackknife; with the authors' errors of effects theirs, too: se/s, as if s were known. */
static int set_errors_of_d(struct regret_rate_estimate *e, const struct columns *c,
                           const struct influence *f, int paired)
{
    FREED double *psi = NULL;
    if (!(e->pooled_sd > 0.0)) {
        return REGRET_OK;
    }
    TRY(paired ? REGRET_NEW(&psi, f->n_clusters) : REGRET_OK);
    for (int k = 0; k < REGRET_N_EFFECTS; k++) {
        struct regret_rate_effect *effect = &e->effects[k];
        if (effect->missing != NULL) {
            continue;
        }
        if (paired) {
            TRY(influence_of_d(psi, f, c, (enum regret_rate_effect_kind)k, effect->estimate));
        }
        effect->d_se = paired ? sqrt(dot_of(psi, psi, f->n_clusters)) : effect->se / e->pooled_sd;
        effect->d_se = finite_or_nan(effect->d_se);
    }
    return REGRET_OK;
}

/* Intervals and Cohen's d, once the standard errors are made. */
static void complete(struct regret_rate_estimate *e, const struct regret_rate_estimate *before,
                     const struct columns *c, const struct regret_rate_options *options)
{
    for (int k = 0; k < REGRET_N_EFFECTS; k++) {
        struct regret_rate_effect *f = &e->effects[k];
        int is_rate = k >= REGRET_EFFECT_RATE_ATE && k <= REGRET_EFFECT_RATE_ATU;
        if (options->se == REGRET_SE_UNPAIRED && is_rate && !c->contrastive) {
            f->se = f->se_unpaired;
        }
        if (f->missing == NULL) {
            set_interval(e, k, before, options);
        }
        if (f->missing == NULL && !(isfinite(f->low) && isfinite(f->high))) {
            *f = missing_effect(MISSING_TOO_LARGE);
        }
        f->se_paired = finite_or_nan(f->se_paired);
        f->se_unpaired = finite_or_nan(f->se_unpaired);
        f->d = e->pooled_sd > 0.0 ? finite_or_nan(f->estimate / e->pooled_sd) : f->d;
    }
}

static int estimate_model(struct regret_rate_estimate *e, const struct regret_rate_estimate *before,
                          const struct columns *c, const struct clusters *clusters,
                          size_t n_members, const struct regret_rate_options *options)
{
    FREED_BY(influence_free) struct influence f = {0};
    double *scratch = NULL;
    const int paired = options->se != REGRET_SE_UNPAIRED && c->n1 + c->n0 > 0;
    TRY(REGRET_NEW(&scratch, c->n1 + c->n0));
    e->n1 = c->n1;
    e->n0 = c->n0;
    e->n_used = c->n1 + c->n0;
    e->n_predicted = c->n_predicted;
    naive_effect(e, c);
    treatment_effects(&e->effects[REGRET_EFFECT_SINGLE_ATE], c, c->single,
                      c->has_single ? NULL : NO_SINGLE, c->score[REGRET_SIDE_ORIGINAL], scratch);
    treatment_effects(&e->effects[REGRET_EFFECT_RATE_ATE], c, c->rate, c->has_rate ? NULL : NO_RATE,
                      c->score[REGRET_SIDE_REWRITE_OF_REWRITE], scratch);
    const char *reason = c->contrastive                            ? CONTRASTIVE
                         : !c->has[REGRET_SIDE_ORIGINAL]           ? NO_DRIFT
                         : !c->has[REGRET_SIDE_REWRITE_OF_REWRITE] ? NO_DRIFT
                                                                   : NULL;
    e->effects[REGRET_EFFECT_DRIFT_1] =
        mean_effect(reason ? reason : too_few(c, 1, 0), c->drift, c->n1);
    e->effects[REGRET_EFFECT_DRIFT_0] =
        mean_effect(reason ? reason : too_few(c, 0, 1), c->drift + c->n1, c->n0);
    int any = c->has_single || c->has_rate;
    for (int side = 0; side < REGRET_N_SIDES; side++) {
        any |= c->has[side];
    }
    for (int k = 0; k < REGRET_N_EFFECTS && !any; k++) {
        e->effects[k] = missing_effect(NO_SCORES);
    }
    regret_free(scratch);
    if (paired) {
        TRY(influence_new(&f, c, clusters->matter ? clusters->of : NULL,
                          cluster_count(clusters, n_members)));
    }
    if (paired && clusters->matter) {
        TRY(apply_clusters(e, c, &f));
    }
    complete(e, before, c, options);
    return set_errors_of_d(e, c, &f, paired);
}

/* Every model of one group, appended to out[*n ..). */
static int estimate_group(struct regret_rate_estimate *out, size_t *n,
                          const struct regret_rate_rows *rows, size_t g, const size_t *members,
                          size_t n_members, struct clusters *clusters,
                          const struct regret_rate_options *options)
{
    struct columns *columns = NULL;
    size_t found = 0;
    /* The bootstrap wants all models at once; without it they take turns in the same memory. */
    size_t n_columns = options->bootstrap > 0 ? rows->n_models : 1;
    int rc = REGRET_OK; /* of a table without models */
    TRY(REGRET_NEW(&columns, n_columns));
    clusters_number(clusters, rows->cluster, members, n_members, options->clusters);
    for (size_t m = 0; m < rows->n_models; m++) {
        if (rows->needed[g * rows->n_models + m] == 0) {
            continue;
        }
        struct columns *c = &columns[options->bootstrap > 0 ? found : 0];
        struct regret_rate_estimate *e = &out[*n + found++];
        TRY_CLEANUP(columns_gather(c, rows, m, members, n_members));
        e->group = g;
        e->model = m;
        e->n_rows = n_members;
        TRY_CLEANUP(estimate_model(e, e > out ? e - 1 : NULL, c, clusters, n_members, options));
    }
    if (options->bootstrap > 0 && found > 0) {
        TRY_CLEANUP(columns_bootstrap(out + *n, columns, found, rows, members, n_members, clusters,
                                      options));
    }
    *n += found;
cleanup:
    for (size_t k = 0; k < n_columns; k++) {
        columns_free(&columns[k]);
    }
    regret_free(columns);
    return rc;
}

int regret_rate_estimate(struct regret_rate_estimate **out, size_t *n,
                         const struct regret_rate_rows *rows,
                         const struct regret_rate_options *options)
{
    if (rows->needed == NULL) {
        return regret_fail(REGRET_E_INPUT, "call regret_rate_rows_finish() before estimating");
    }
    FREED struct regret_rate_estimate *estimates = NULL;
    size_t found = 0;
    FREED size_t *order = NULL, *start = NULL;
    FREED_BY(clusters_free) struct clusters clusters = {0};
    TRY(clusters_new(&clusters, rows->n_clusters, rows->n_rows));
    TRY(REGRET_NEW(&estimates, rows->n_groups * rows->n_models));
    TRY(sort_by_group(&order, &start, rows, options));
    for (size_t g = 0; g < rows->n_groups; g++) {
        if (start[g + 1] > start[g]) {
            TRY(estimate_group(estimates, &found, rows, g, order + start[g],
                               start[g + 1] - start[g], &clusters, options));
        }
    }
    *out = estimates;
    *n = found;
    estimates = NULL;
    return REGRET_OK;
}

/* Bootstrap intervals for every effect of every model of a group, from the same resampled rows. */

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
