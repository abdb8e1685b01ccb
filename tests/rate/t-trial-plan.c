/* Sample sizes: against loops, closed forms, and the power that comes out. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "dense.h"
#include "fixture.h"
#include "regret/alloc.h"
#include "regret/power.h"
#include "regret/rate_inference.h"
#include "regret/rate_report.h"

TestSuite(plan, .fini = scratch_remove, .timeout = 300);

static const size_t ones[] = {1}, fours[] = {4}, mixed[] = {1, 2, 8, 3, 1, 5};
static const struct clustered plain = {.dataset = "D",
                                       .attribute = "a",
                                       .n_models = 1,
                                       .sizes = fours,
                                       .n_sizes = 1,
                                       .n_clusters = 60,
                                       .effect = 0.5,
                                       .heterogeneity = 0.7,
                                       .base = 1.0,
                                       .noise = 0.5};

static struct regret_rate_trial_plan plan_of(const struct regret_rate_rows *rows,
                                             struct regret_rate_trial_plan_options options)
{
    struct regret_rate_trial_plans plans = {0};
    options.power = options.power > 0.0 ? options.power : 0.8;
    cr_assert_eq(regret_rate_trial_plan(&plans, rows, &options), 0, "%s", regret_error_message());
    struct regret_rate_trial_plan first = plans.plans[0];
    regret_rate_trial_plans_free(&plans);
    return first;
}

/* What a row contributes, and its analysis of variance, by loops over rows and clusters. */
static void reference(double *sd, double *icc, const struct regret_rate_rows *rows,
                      enum regret_rate_effect_kind kind)
{
    double *const *s = rows->models[0].score;
    double n[3] = {0.0, 0.0, 0.0}, mean[3] = {0.0, 0.0, 0.0}, msb = 0.0, msw = 0.0;
    static double y[4000], x[4000];
    double total = (double)rows->n_rows;
    for (size_t i = 0; i < rows->n_rows; i++) {
        int w = rows->w[i];
        y[i] = kind == REGRET_EFFECT_NAIVE ? s[0][i] : (w ? 1.0 : -1.0) * (s[2][i] - s[1][i]);
        n[w] += 1.0;
        mean[w] += y[i];
    }
    mean[2] = (mean[0] + mean[1]) / total;
    mean[0] /= n[0];
    mean[1] /= n[1];
    for (size_t i = 0; i < rows->n_rows; i++) {
        int w = rows->w[i];
        x[i] = kind == REGRET_EFFECT_NAIVE      ? (w ? 1.0 : -1.0) * total / n[w] * (y[i] - mean[w])
               : kind == REGRET_EFFECT_RATE_ATE ? y[i] - mean[2]
               : w                              ? total / n[1] * (y[i] - mean[1])
                                                : 0.0;
    }
    double g = (double)rows->n_clusters, squares = 0.0;
    for (uint32_t c = 0; c < rows->n_clusters; c++) {
        double m = 0.0, sum = 0.0;
        for (size_t i = 0; i < rows->n_rows; i++) {
            m += rows->cluster[i] == c;
            sum += rows->cluster[i] == c ? x[i] : 0.0;
        }
        squares += m * m;
        msb += sum * sum / m / (g - 1.0);
        for (size_t i = 0; i < rows->n_rows; i++) {
            double e = x[i] - sum / m;
            msw += rows->cluster[i] == c ? e * e / (total - g) : 0.0;
        }
    }
    double between = (msb - msw) / ((total - squares / total) / (g - 1.0));
    *sd = sqrt(between + msw);
    *icc = between / (between + msw);
}

Test(plan, equals_the_reference)
{
    static const enum regret_rate_effect_kind kinds[] = {
        REGRET_EFFECT_NAIVE, REGRET_EFFECT_RATE_ATE, REGRET_EFFECT_RATE_ATT};
    for (unsigned seed = 0; seed < 6; seed++) {
        struct clustered how = plain;
        how.sizes = seed % 2 ? mixed : fours;
        how.n_sizes = seed % 2 ? 6 : 1;
        struct regret_rate_rows *rows = clustered_rows(&how, seed);
        for (size_t k = 0; k < 3; k++) {
            double sd, icc;
            reference(&sd, &icc, rows, kinds[k]);
            struct regret_rate_trial_plan p =
                plan_of(rows, (struct regret_rate_trial_plan_options){
                                  .effect = kinds[k], .detect = 0.1, .rows_per_cluster = 3.0});
            cr_assert_null(p.missing);
            cr_assert_float_eq(p.sd, sd, 1e-11);
            cr_assert_float_eq(p.icc, icc, 1e-11);
            double effect = 1.0 + 2.0 * fmax(icc, 0.0);
            cr_assert_float_eq(p.design_effect, effect, 1e-10);
            size_t n = regret_observations_needed(sd * sqrt(effect / 3.0), 0.1, 0.05, 0.8, 1000000);
            cr_assert_eq(p.clusters, n);
            cr_assert_eq(p.rows, 3 * n);
            cr_assert_gt(p.safe_clusters, n);
        }
        regret_rate_rows_free(rows);
    }
}

/* A pilot of single rows that detects just so much wants its own size again. */
Test(plan, of_what_the_pilot_detects_is_the_pilot)
{
    struct clustered how = plain;
    how.sizes = ones;
    how.n_clusters = 77;
    struct regret_rate_rows *rows = clustered_rows(&how, 7);
    const struct regret_rate_options options = {.threads = 1};
    struct regret_rate_estimate *e = NULL;
    size_t n = 0;
    cr_assert_eq(regret_rate_estimate(&e, &n, rows, &options), 0);
    const struct regret_rate_effect *f = &e->effects[REGRET_EFFECT_RATE_ATE];
    struct regret_rate_trial_plan_options o = {.effect = REGRET_EFFECT_RATE_ATE,
                                               .detect = regret_rate_detectable(f) * (1.0 + 1e-12)};
    cr_assert_eq(plan_of(rows, o).clusters, 77);
    cr_assert(isnan(plan_of(rows, o).icc));
    o.detect /= e->pooled_sd;
    o.is_d = 1;
    cr_assert_eq(plan_of(rows, o).clusters, 77);
    o = (struct regret_rate_trial_plan_options){.effect = REGRET_EFFECT_RATE_ATE,
                                                .width = (f->high - f->low) * (1.0 + 1e-12)};
    cr_assert_eq(plan_of(rows, o).clusters, 77);
    o.rows_per_cluster = 4.0;
    cr_assert_not_null(strstr(plan_of(rows, o).missing, "share a cluster"));
    regret_free(e);
    regret_rate_rows_free(rows);
}

/* The plan made of a large pilot, carried out: the power is the one planned, the width the one wanted. */
Test(plan, keeps_its_promise)
{
    struct clustered how = plain;
    how.n_clusters = 900;
    struct regret_rate_rows *rows = clustered_rows(&how, 8);
    struct regret_rate_trial_plan p = plan_of(
        rows, (struct regret_rate_trial_plan_options){
                  .effect = REGRET_EFFECT_RATE_ATE, .detect = 0.4, .rows_per_cluster = 4.0});
    struct regret_rate_trial_plan narrow =
        plan_of(rows, (struct regret_rate_trial_plan_options){
                          .effect = REGRET_EFFECT_RATE_ATE, .width = 0.4, .rows_per_cluster = 4.0});
    regret_rate_rows_free(rows);
    /* Truth: heterogeneity² of clusters against 2 · noise² of rows. */
    cr_assert_float_eq(p.icc, 0.49 / (0.49 + 0.5), 0.06, "%g", p.icc);
    cr_assert(p.clusters > 10 && p.clusters < 60, "%zu", p.clusters);
    const struct regret_rate_options options = {.threads = 1};
    unsigned found = 0, replicates = repeats(1000);
    double width = 0.0;
    for (unsigned b = 0; b < replicates; b++) {
        for (int k = 0; k < 2; k++) {
            struct regret_rate_estimate *e = NULL;
            size_t n = 0;
            how.effect = 0.4;
            how.n_clusters = k == 0 ? p.clusters : narrow.clusters;
            rows = clustered_rows(&how, 9000 + b);
            cr_assert_eq(regret_rate_estimate(&e, &n, rows, &options), 0);
            const struct regret_rate_effect *f = &e->effects[REGRET_EFFECT_RATE_ATE];
            found += k == 0 && f->low > 0.0;
            width += k == 1 ? (f->high - f->low) / replicates : 0.0;
            regret_free(e);
            regret_rate_rows_free(rows);
        }
    }
    double slack = repeats_slack(1000, 0.8);
    cr_assert(found >= (0.76 - slack) * replicates && found <= (0.85 + slack) * replicates,
              "power %g", (double)found / replicates);
    cr_assert_float_eq(width, 0.4, 0.02, "%g", width);
}

/* Rewards that are all alike want the least there is; those that overflow have no plan. */
Test(plan, of_degenerate_pilots)
{
    static const double rewards[] = {2.0, 1e200};
    for (int k = 0; k < 2; k++) {
        struct regret_rate_rows *rows = clustered_rows(&plain, 11);
        for (size_t i = 0; i < rows->n_rows; i++) {
            double *const *s = rows->models[0].score;
            s[1][i] = 0.0;
            s[2][i] = (rows->w[i] ? 1.0 : -1.0) * (k == 0 || i % 3 ? rewards[k] : 1.0);
        }
        struct regret_rate_trial_plan p =
            plan_of(rows, (struct regret_rate_trial_plan_options){.effect = REGRET_EFFECT_RATE_ATE,
                                                                  .detect = 0.1});
        if (k == 0) {
            cr_assert_null(p.missing);
            cr_assert(p.clusters == 2 && p.sd == 0.0 && p.icc == 0.0);
        } else {
            cr_assert_not_null(strstr(p.missing, "overflows"));
        }
        regret_rate_rows_free(rows);
    }
}

Test(plan, refuses_and_survives)
{
    struct regret_rate_rows *rows = clustered_rows(&plain, 10);
    struct regret_rate_trial_plans plans = {0};
    struct regret_rate_trial_plan_options o = {.effect = REGRET_EFFECT_RATE_ATE, .power = 0.8};
    cr_assert_eq(regret_rate_trial_plan(&plans, rows, &o), REGRET_E_INPUT);
    o.detect = 0.1;
    o.power = 1.0;
    cr_assert_eq(regret_rate_trial_plan(&plans, rows, &o), REGRET_E_INPUT);
    o.power = 0.8;
    o.detect = 1e-9;
    struct regret_rate_trial_plan p = plan_of(rows, o);
    cr_assert_eq(p.clusters, 0);
    struct regret_buffer t = REGRET_BUFFER_INIT;
    cr_assert_eq(regret_rate_trial_plan(&plans, rows, &o), 0);
    regret_rate_write_trial_plans(&t, REGRET_FORMAT_MARKDOWN, rows, &plans, &o);
    cr_assert_not_null(strstr(regret_buffer_get(&t), "more than 1,000,000,000"));
    regret_buffer_free(&t);
    regret_rate_trial_plans_free(&plans);
    long k = 0;
    for (; k < 1000; k++) {
        regret_alloc_fail_after(k);
        int rc = regret_rate_trial_plan(&plans, rows, &o);
        regret_alloc_fail_after(-1);
        if (rc == 0) {
            break;
        }
        cr_assert_eq(rc, REGRET_E_NOMEM, "allocation %ld", k);
    }
    cr_assert(k > 5 && k < 1000, "%ld allocations", k);
    regret_rate_trial_plans_free(&plans);
    regret_rate_rows_free(rows);
}
