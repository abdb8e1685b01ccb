/* Errors of clustered rows: against explicit matrices, by their invariances, and by coverage. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "made_clusters.h"
#include "regret/buffer.h"
#include "regret/rate.h"
#include "regret/status.h"

TestSuite(clusters, .fini = scratch_remove, .timeout = 300);

static struct regret_rate_estimate *estimate_as(const struct regret_rate_rows *rows, size_t *n,
                                                enum regret_rate_clusters which)
{
    struct regret_rate_estimate *e = NULL;
    const struct regret_rate_options options = {.clusters = which, .threads = 1};
    cr_assert_eq(regret_rate_estimate(&e, n, rows, &options), 0, "%s", regret_error_message());
    return e;
}

static const size_t ones[] = {1}, twos[] = {2}, eights[] = {8}, mixed[] = {1, 2, 8, 3, 1, 5},
                    dozen[] = {12};

static const struct clustered plain = {.dataset = "D",
                                       .attribute = "a",
                                       .n_models = 2,
                                       .sizes = mixed,
                                       .n_sizes = 6,
                                       .n_clusters = 12,
                                       .effect = 0.5,
                                       .heterogeneity = 0.7,
                                       .base = 1.0,
                                       .noise = 1.0};

static void check_same(const struct regret_rate_estimate *a, const struct regret_rate_estimate *b,
                       double factor, double tolerance)
{
    for (int k = 0; k < REGRET_N_EFFECTS; k++) {
        cr_assert_float_eq(a->effects[k].se * factor, b->effects[k].se, tolerance, "%d", k);
        cr_assert_float_eq(a->effects[k].df, b->effects[k].df, tolerance * 10.0, "%d", k);
    }
}

Test(clusters, scale_with_the_rewards_and_have_no_order)
{
    struct regret_rate_rows *rows = clustered_rows(&plain, 4);
    size_t n = 0;
    struct regret_rate_estimate *a = estimate_as(rows, &n, REGRET_CLUSTERS_OF_GROUP);
    for (int side = 0; side < REGRET_N_SIDES; side++) {
        for (size_t i = 0; i < rows->n_rows; i++) {
            rows->models[0].score[side][i] = 8.0 * rows->models[0].score[side][i] + 3.0;
        }
    }
    for (size_t i = 0; i < rows->n_rows; i++) {
        rows->cluster[i] = (uint32_t)rows->n_clusters - 1 - rows->cluster[i];
    }
    struct regret_rate_estimate *b = estimate_as(rows, &n, REGRET_CLUSTERS_OF_GROUP);
    check_same(&a[0], &b[0], 8.0, 1e-10);
    regret_free(a);
    regret_free(b);
    regret_rate_rows_free(rows);
}

/* Rows written twice, both times with the same prompt, say nothing more. */
Test(clusters, copies_of_rows_do_not_narrow_the_interval)
{
    struct clustered how = plain;
    how.sizes = ones;
    how.n_sizes = 1;
    how.n_clusters = 40;
    struct regret_rate_rows *once = clustered_rows(&how, 5), *twice = NULL;
    cr_assert_eq(regret_rate_rows_new(&twice, 0), 0);
    static struct regret_rate_row row;
    for (size_t k = 0; k < 2 * once->n_rows; k++) {
        size_t i = k / 2;
        char cluster[16];
        row = (struct regret_rate_row){.w = once->w[i], .z = REGRET_LABEL_MISSING, .n_scores = 1};
        row.cluster.length = (size_t)snprintf(cluster, sizeof cluster, "%zu", i);
        row.cluster.text = cluster;
        row.dataset = row.attribute = (struct regret_span){"", 0};
        row.scores[0].model = (struct regret_span){"m", 1};
        for (int side = 0; side < REGRET_N_SIDES; side++) {
            row.scores[0].value[side] = once->models[0].score[side][i];
        }
        cr_assert_eq(regret_rate_rows_add(twice, &row), 0);
    }
    cr_assert_eq(regret_rate_rows_finish(twice), 0);
    size_t n = 0;
    struct regret_rate_estimate *a = estimate_as(once, &n, REGRET_CLUSTERS_OF_GROUP);
    struct regret_rate_estimate *b = estimate_as(twice, &n, REGRET_CLUSTERS_OF_GROUP);
    for (int k = REGRET_EFFECT_SINGLE_ATE; k < REGRET_N_EFFECTS; k++) {
        cr_assert_float_eq(a->effects[k].se, b->effects[k].se, 1e-12);
        cr_assert_float_eq(a->effects[k].df, b->effects[k].df, 1e-9);
        cr_assert_eq(2 * a->effects[k].n, b->effects[k].n);
    }
    regret_free(a);
    regret_free(b);
    regret_rate_rows_free(once);
    regret_rate_rows_free(twice);
}

/* ---- The bootstrap ---- */

Test(clusters, are_resampled_whole)
{
    struct clustered how = plain;
    how.n_clusters = 240;
    struct regret_rate_rows *rows = clustered_rows(&how, 6);
    struct regret_rate_options options = {.bootstrap = 800, .seed = 3, .threads = 1};
    struct regret_rate_estimate *a = NULL, *b = NULL;
    size_t n = 0;
    cr_assert_eq(regret_rate_estimate(&a, &n, rows, &options), 0);
    options.threads = 2;
    cr_assert_eq(regret_rate_estimate(&b, &n, rows, &options), 0);
    for (size_t i = 0; i < n * REGRET_N_EFFECTS; i++) {
        const struct regret_rate_effect *e = &a[i / REGRET_N_EFFECTS].effects[i % REGRET_N_EFFECTS];
        const struct regret_rate_effect *f = &b[i / REGRET_N_EFFECTS].effects[i % REGRET_N_EFFECTS];
        cr_assert(e->boot_se == f->boot_se && e->boot_low == f->boot_low &&
                  e->boot_high == f->boot_high);
        cr_assert_float_eq(e->boot_se, e->se, 0.12 * e->se, "%zu: %g and %g", i, e->boot_se, e->se);
        cr_assert(e->boot_low < e->estimate && e->estimate < e->boot_high);
    }
    options.clusters = REGRET_CLUSTERS_NONE;
    regret_free(b);
    cr_assert_eq(regret_rate_estimate(&b, &n, rows, &options), 0);
    cr_assert_gt(a->effects[REGRET_EFFECT_RATE_ATE].boot_se,
                 1.2 * b->effects[REGRET_EFFECT_RATE_ATE].boot_se);
    regret_free(a);
    regret_free(b);
    regret_rate_rows_free(rows);
}

/* ---- Coverage ---- */

/* The share of 95 % intervals that hold the truth, of one effect. */
static double coverage(const struct clustered *how, enum regret_rate_effect_kind kind,
                       enum regret_rate_clusters which, unsigned replicates)
{
    unsigned held = 0, made = 0;
    double truth = kind >= REGRET_EFFECT_DRIFT_1 ? 0.0 : how->effect;
    for (unsigned b = 0; b < replicates; b++) {
        struct regret_rate_rows *rows = clustered_rows(how, 1000 + b);
        size_t n = 0;
        struct regret_rate_estimate *e = estimate_as(rows, &n, which);
        const struct regret_rate_effect *f = &e->effects[kind];
        made += f->missing == NULL;
        held += f->low <= truth && truth <= f->high;
        regret_free(e);
        regret_rate_rows_free(rows);
    }
    cr_assert_gt(made, replicates * 9 / 10);
    return (double)held / (double)made;
}

static void check_coverage(const struct clustered *how, enum regret_rate_effect_kind kind,
                           const char *what)
{
    double share = coverage(how, kind, REGRET_CLUSTERS_OF_GROUP, repeats(2000));
    double slack = repeats_slack(2000, 0.95);
    cr_assert(share >= 0.93 - slack && share <= 0.97 + slack, "%s, %s: coverage %g", what,
              regret_rate_effect_name(kind), share);
}

Test(clusters, intervals_hold_the_truth_whatever_the_sizes)
{
    static const enum regret_rate_effect_kind kinds[] = {REGRET_EFFECT_NAIVE,
                                                         REGRET_EFFECT_RATE_ATE};
    static const struct {
        const char *name;
        const size_t *sizes;
        size_t n_sizes, n_clusters;
    } designs[] = {{"40 of 1", ones, 1, 40},
                   {"40 of 2", twos, 1, 40},
                   {"40 of 8", eights, 1, 40},
                   {"48 unbalanced", mixed, 6, 48}};
    for (size_t k = 0; k < 8; k++) {
        struct clustered how = plain;
        how.n_models = 1;
        how.sizes = designs[k / 2].sizes;
        how.n_sizes = designs[k / 2].n_sizes;
        how.n_clusters = designs[k / 2].n_clusters;
        check_coverage(&how, kinds[k % 2], designs[k / 2].name);
    }
}

Test(clusters, intervals_hold_the_truth_at_twelve)
{
    struct clustered how = plain;
    how.n_models = 1;
    how.n_sizes = 1;
    how.sizes = ones;
    check_coverage(&how, REGRET_EFFECT_RATE_ATE, "12 rows");
    check_coverage(&how, REGRET_EFFECT_SINGLE_ATE, "12 rows");
    how.sizes = eights;
    check_coverage(&how, REGRET_EFFECT_RATE_ATE, "12 of 8");
    check_coverage(&how, REGRET_EFFECT_RATE_ATT, "12 of 8");
    how.sizes = dozen;
    check_coverage(&how, REGRET_EFFECT_NAIVE, "12 of 12");
}

/* What taking the rows for independent does: the intervals of the issue. */
Test(clusters, left_out_make_intervals_far_too_narrow)
{
    struct clustered how = plain;
    how.n_models = 1;
    how.n_sizes = 1;
    how.sizes = eights;
    how.n_clusters = 40;
    how.heterogeneity = 2.0;
    double share = coverage(&how, REGRET_EFFECT_RATE_ATE, REGRET_CLUSTERS_NONE, 500);
    cr_assert_lt(share, 0.75, "%g", share);
    share = coverage(&how, REGRET_EFFECT_RATE_ATE, REGRET_CLUSTERS_OF_GROUP, 500);
    cr_assert(share > 0.92 && share < 0.98, "%g", share);
}
