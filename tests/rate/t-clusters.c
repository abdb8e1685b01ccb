/* Errors of clustered rows: against explicit matrices, by their invariances, and by coverage. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dense.h"
#include "fixture.h"
#include "regret/alloc.h"
#include "regret/buffer.h"
#include "regret/rate.h"

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

Test(clusters, equal_explicit_matrices)
{
    const size_t *const sizes[] = {twos, eights, mixed};
    const size_t n_sizes[] = {1, 1, 6};
    for (unsigned seed = 0; seed < 12; seed++) {
        struct clustered how = plain;
        how.sizes = sizes[seed % 3];
        how.n_sizes = n_sizes[seed % 3];
        struct regret_rate_rows *rows = clustered_rows(&how, seed);
        size_t n = 0;
        struct regret_rate_estimate *e = estimate_as(rows, &n, REGRET_CLUSTERS_OF_GROUP);
        cr_assert_eq(n, 2);
        for (size_t k = 0; k < n * REGRET_N_EFFECTS; k++) {
            const struct regret_rate_effect *f =
                &e[k / REGRET_N_EFFECTS].effects[k % REGRET_N_EFFECTS];
            static struct dense d;
            double estimate, se, df;
            memset(&d, 0, sizeof d);
            dense_add(&d, rows, 0, k / REGRET_N_EFFECTS,
                      (enum regret_rate_effect_kind)(k % REGRET_N_EFFECTS), rows->cluster, 1.0);
            dense_solve(&estimate, &se, &df, &d);
            cr_assert_null(f->missing);
            cr_assert_float_eq(f->estimate, estimate, 1e-12, "effect %zu", k);
            cr_assert_float_eq(f->se, se, 1e-10 * se, "effect %zu: se %.15g, %.15g", k, f->se, se);
            cr_assert_float_eq(f->df, df, 1e-8 * df, "effect %zu: df %.15g, %.15g", k, f->df, df);
            cr_assert_leq(f->n_clusters, 12);
            cr_assert_float_eq(f->high - f->estimate, f->quantile * f->se, 1e-12);
        }
        cr_assert(e[0].clustered && e[1].clustered);
        regret_free(e);
        regret_rate_rows_free(rows);
    }
}

static void check_same(const struct regret_rate_estimate *a, const struct regret_rate_estimate *b,
                       double factor, double tolerance)
{
    for (int k = 0; k < REGRET_N_EFFECTS; k++) {
        cr_assert_float_eq(a->effects[k].se * factor, b->effects[k].se, tolerance, "%d", k);
        cr_assert_float_eq(a->effects[k].df, b->effects[k].df, tolerance * 10.0, "%d", k);
    }
}

Test(clusters, of_one_row_each_are_none)
{
    struct clustered how = plain;
    how.sizes = ones;
    how.n_sizes = 1;
    how.n_clusters = 50;
    struct regret_rate_rows *rows = clustered_rows(&how, 3);
    size_t n = 0;
    struct regret_rate_estimate *a = estimate_as(rows, &n, REGRET_CLUSTERS_OF_GROUP);
    struct regret_rate_estimate *b = estimate_as(rows, &n, REGRET_CLUSTERS_NONE);
    check_same(a, b, 1.0, 0.0);
    cr_assert_eq(a->clustered, 0);
    cr_assert_eq(a->effects[REGRET_EFFECT_RATE_ATE].df, 49.0);
    regret_free(a);
    /* One row more in a cluster, which no estimate uses: the general way, and the same numbers. */
    rows->cluster[0] = rows->cluster[1];
    rows->w[0] = REGRET_LABEL_EXCLUDED;
    a = estimate_as(rows, &n, REGRET_CLUSTERS_OF_GROUP);
    regret_free(b);
    b = estimate_as(rows, &n, REGRET_CLUSTERS_NONE);
    cr_assert_eq(a->clustered, 1);
    check_same(a, b, 1.0, 1e-11);
    regret_free(a);
    regret_free(b);
    regret_rate_rows_free(rows);
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

/* ---- Which rows are clusters ---- */

#define SCORES                                                                                     \
    "\"scores\": {\"m\": {\"original\": %d, \"rewrite\": %d, \"rewrite_of_rewrite\": %d}}"

static struct regret_rate_rows *prompts(const char *const *texts, size_t n, const char *key,
                                        int keep_texts)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    struct regret_rate_rows *rows = NULL;
    for (size_t i = 0; i < n; i++) {
        regret_buffer_printf(&t, "{\"w\": %s%s, " SCORES "}\n", i % 2 ? "true" : "false", texts[i],
                             (int)(i * i % 7), (int)(i % 5), (int)(i * 3 % 4));
    }
    const char *path = scratch_file("prompts.jsonl", regret_buffer_get(&t));
    const struct regret_rate_read_options how = {.cluster_key = key, .keep_texts = keep_texts};
    cr_assert_eq(regret_rate_read(&rows, &path, 1, &how), 0, "%s", regret_error_message());
    cr_assert_eq(regret_rate_rows_finish(rows), 0);
    regret_buffer_free(&t);
    return rows;
}

#define LONG "a prompt of many more letters than a digest of it has, which is what is kept of it"

Test(clusters, are_told_by_what_the_prompts_say)
{
    static const char *const texts[] = {
        ", \"prompt\": \"Abc\"",     ", \"prompt\": \"\\u0041bc\"", "",
        ", \"prompt\": null",        ", \"prompt\": \"" LONG "\"",  ", \"prompt\": \"" LONG "!\"",
        ", \"prompt\": \"" LONG "\""};
    for (int keep = 0; keep < 2; keep++) {
        struct regret_rate_rows *rows = prompts(texts, 7, NULL, keep);
        cr_assert_eq(rows->n_clusters, 3);
        cr_assert_eq(rows->cluster[0], rows->cluster[1]);
        cr_assert_eq(rows->cluster[2], REGRET_RATE_NO_CLUSTER);
        cr_assert_eq(rows->cluster[3], REGRET_RATE_NO_CLUSTER);
        cr_assert_eq(rows->cluster[4], rows->cluster[6]);
        cr_assert_neq(rows->cluster[4], rows->cluster[5]);
        cr_assert_str_eq(rows->cluster_key, "prompt");
        regret_rate_rows_free(rows);
        rows = prompts(texts, 7, "none", keep);
        cr_assert_eq(rows->n_clusters, 0);
        cr_assert_null(rows->cluster_key);
        regret_rate_rows_free(rows);
    }
}

Test(clusters, may_have_a_key_of_their_own)
{
    static const char *const texts[] = {
        ", \"id\": 7, \"user\": 3, \"dataset\": \"d\"",
        ", \"id\": 8, \"user\": 3.0, \"dataset\": \"d\"",
        ", \"id\": 9, \"user\": \"3\", \"dataset\": \"d\"",
        ", \"id\": 10, \"user\": true, \"dataset\": \"d\"",
        ", \"id\": 11, \"user\": \"Abc\", \"dataset\": \"d\"",
        ", \"id\": 12, \"user\": \"\\u0041bc\", \"dataset\": \"d\""};
    struct regret_rate_rows *rows = prompts(texts, 6, "user", 0);
    cr_assert_eq(rows->n_clusters, 4); /* 3 and 3.0 are two names */
    cr_assert_eq(rows->cluster[0], rows->cluster[2]);
    cr_assert_eq(rows->cluster[4], rows->cluster[5]);
    regret_rate_rows_free(rows);
    rows = prompts(texts, 6, "id", 0); /* a key with a meaning keeps it */
    cr_assert_eq(rows->n_clusters, 6);
    cr_assert_eq(rows->issues[REGRET_RATE_ISSUE_DUPLICATE].count, 0);
    regret_rate_rows_free(rows);
    rows = prompts(texts, 6, "dataset", 1);
    cr_assert_eq(rows->n_clusters, 1);
    cr_assert_str_eq(rows->groups[0].dataset, "d");
    regret_rate_rows_free(rows);
    const char *path =
        scratch_file("bad.jsonl", "{\"w\": true, \"user\": {\"a\": 1}, \"scores\": {}}\n");
    const struct regret_rate_read_options how = {.cluster_key = "user"};
    cr_assert_eq(regret_rate_read(&rows, &path, 1, &how), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "bad.jsonl:1"));
    cr_assert_not_null(strstr(regret_error_message(), "\"user\", which names the cluster"), "%s",
                       regret_error_message());
}

Test(clusters, a_prompt_that_all_rows_have_is_none)
{
    static const char *const same[] = {", \"prompt\": \"p\"", ", \"prompt\": \"p\"",
                                       ", \"prompt\": \"p\"", ", \"prompt\": \"p\"",
                                       ", \"prompt\": \"p\"", ", \"prompt\": \"p\""};
    struct regret_rate_rows *rows = prompts(same, 6, NULL, 0);
    size_t n = 0;
    struct regret_rate_estimate *e = estimate_as(rows, &n, REGRET_CLUSTERS_OF_GROUP);
    cr_assert(!e->clustered && e->effects[REGRET_EFFECT_RATE_ATE].n_clusters == 6);
    regret_free(e);
    e = estimate_as(rows, &n, REGRET_CLUSTERS_ALWAYS);
    for (int k = 0; k < REGRET_N_EFFECTS; k++) {
        cr_assert_not_null(strstr(e->effects[k].missing, "one cluster"));
        cr_assert(isnan(e->effects[k].estimate) && isnan(e->effects[k].low));
    }
    regret_free(e);
    const struct regret_rate_options both = {
        .se = REGRET_SE_UNPAIRED, .clusters = REGRET_CLUSTERS_ALWAYS, .threads = 1};
    cr_assert_eq(regret_rate_estimate(&e, &n, rows, &both), 0);
    cr_assert_null(e->effects[REGRET_EFFECT_RATE_ATE].missing);
    cr_assert_eq(e->effects[REGRET_EFFECT_RATE_ATE].quantile, 1.96);
    regret_free(e);
    regret_rate_rows_free(rows);
}

Test(clusters, of_the_authors_layout_are_their_questions)
{
    struct regret_rate_rows *rows =
        rows_of("{\"w_original\": true, \"reward_question\": \"q\", \"m\": {\"original\": 1}}\n"
                "{\"w_original\": false, \"prompt\": \"p\", \"m\": {\"original\": 1}}\n"
                "{\"w_original\": false, \"reward_question\": \"q\", \"m\": {\"original\": 2}}\n");
    cr_assert_eq(rows->n_clusters, 1);
    cr_assert_eq(rows->cluster[0], rows->cluster[2]);
    cr_assert_eq(rows->cluster[1], REGRET_RATE_NO_CLUSTER);
    regret_rate_rows_free(rows);
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

/* The committed table of many more, by benchmarks/rate_coverage.c. Few prompts that hold most of the
 * rows are where the method ends, as the docs say. */
Test(clusters, the_committed_table_is_within_93_and_97_percent)
{
    struct csv c = csv_read(REGRET_SOURCE_FOLDER "/reports/rate/coverage.csv");
    size_t checked = 0;
    for (size_t i = 0; i < c.n_rows; i++) {
        int is_limit = strcmp(csv_cell(&c, i, "design"), "20 prompts x 1 to 20") == 0;
        double share = record_number(&c, i, "coverage"), least = is_limit ? 0.92 : 0.93;
        if (strcmp(csv_cell(&c, i, "interval"), "clusters, t") == 0) {
            cr_assert(share >= least && share <= 0.9705, "line %zu: %g", i + 2, share);
            checked++;
        }
    }
    cr_assert_eq(checked, 72);
    csv_free(&c);
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
