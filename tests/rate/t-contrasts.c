/* Differences of effects: against explicit matrices, by identities, and together. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "made_clusters.h"
#include "rate/contrast.h"
#include "rate/report.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "stats/distributions.h"

TestSuite(contrasts, .fini = scratch_remove, .timeout = 300);

static const size_t mixed[] = {1, 2, 8, 3, 1, 5};
static const struct clustered plain = {.dataset = "D",
                                       .attribute = "a",
                                       .n_models = 2,
                                       .sizes = mixed,
                                       .n_sizes = 6,
                                       .n_clusters = 10,
                                       .effect = 0.5,
                                       .heterogeneity = 0.7,
                                       .base = 1.0,
                                       .noise = 1.0};

static struct regret_rate_contrasts contrasts_of(const struct regret_rate_rows *rows,
                                                 struct regret_rate_contrast_options options)
{
    struct regret_rate_contrasts c = {0};
    options.seed = 1;
    cr_assert_eq(regret_rate_contrast(&c, rows, &options), 0, "%s", regret_error_message());
    return c;
}

/* One set of rewards given to two attributes: their difference is nothing, for certain. */
Test(contrasts, of_the_same_thing_are_nothing)
{
    struct regret_rate_rows *rows = NULL;
    cr_assert_eq(regret_rate_rows_new(&rows, 0), 0);
    for (int k = 0; k < 2; k++) {
        struct clustered how = plain;
        struct regret_rng rng = regret_rng_at(3, REGRET_RNG_TEST, 79);
        how.attribute = k ? "b" : "a";
        clustered_add(rows, &how, &rng);
    }
    cr_assert_eq(regret_rate_rows_finish(rows), 0);
    struct regret_rate_contrasts c = contrasts_of(
        rows, (struct regret_rate_contrast_options){.kinds = 1U << REGRET_CONTRAST_ATTRIBUTES,
                                                    .effect = REGRET_EFFECT_RATE_ATE});
    cr_assert_eq(c.n, 2);
    for (size_t k = 0; k < c.n; k++) {
        cr_assert_eq(c.contrasts[k].difference, 0.0);
        cr_assert_eq(c.contrasts[k].se, 0.0);
        cr_assert_eq(c.contrasts[k].p, 1.0);
        cr_assert_eq(c.contrasts[k].p_holm, 1.0);
        cr_assert_eq(c.contrasts[k].n_shared, c.contrasts[k].n_clusters);
    }
    regret_rate_contrasts_free(&c);
    regret_rate_rows_free(rows);
}

/* ---- Cohen's d: without each cluster ---- */

static double weighted_d(const struct regret_rate_rows *rows, size_t m, uint32_t heavy,
                         double weight)
{
    double *const *s = rows->models[m].score;
    double n[2] = {0.0, 0.0}, sum[2] = {0.0, 0.0}, squares[2] = {0.0, 0.0}, delta = 0.0;
    for (size_t i = 0; i < rows->n_rows; i++) {
        double w = rows->cluster[i] == heavy ? weight : 1.0;
        int k = rows->w[i];
        n[k] += w;
        sum[k] += w * s[0][i];
        squares[k] += w * s[0][i] * s[0][i];
        delta += w * (k ? 1.0 : -1.0) * (s[2][i] - s[1][i]);
    }
    double within = 0.0;
    for (int k = 0; k < 2; k++) {
        within += squares[k] - sum[k] * sum[k] / n[k];
    }
    return delta / (n[0] + n[1]) / sqrt(within / (n[0] + n[1] - 2.0));
}

Test(contrasts, of_cohens_d_count_the_error_of_its_denominator)
{
    struct clustered how = plain;
    how.n_clusters = 900;
    how.effect = 3.0;
    struct regret_rate_rows *rows = clustered_rows(&how, 9);
    struct regret_rate_contrasts c = contrasts_of(
        rows, (struct regret_rate_contrast_options){.kinds = 1U << REGRET_CONTRAST_MODELS,
                                                    .effect = REGRET_EFFECT_RATE_ATE});
    double variance = 0.0, mean = 0.0, n = (double)rows->n_clusters;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t g = 0; g < rows->n_clusters; g++) {
            double left = weighted_d(rows, 0, g, 0.0) - weighted_d(rows, 1, g, 0.0);
            mean += pass == 0 ? left / n : 0.0;
            variance += pass == 1 ? (n - 1.0) / n * (left - mean) * (left - mean) : 0.0;
        }
    }
    cr_assert_eq(c.contrasts->is_d, 1);
    cr_assert_float_eq(c.contrasts->difference,
                       weighted_d(rows, 0, UINT32_MAX, 1.0) - weighted_d(rows, 1, UINT32_MAX, 1.0),
                       1e-12);
    cr_assert_float_eq(c.contrasts->se, sqrt(variance), 1e-9 * c.contrasts->se, "%g, %g",
                       c.contrasts->se, sqrt(variance));
    regret_rate_contrasts_free(&c);
    regret_rate_rows_free(rows);
}

/* ---- All together ---- */

/* Independent contrasts have Šidák's critical value, one and its copies that of one. */
Test(contrasts, together_by_their_correlations)
{
    struct clustered how = plain;
    how.n_models = 3;
    how.n_clusters = 600;
    struct regret_rate_rows *rows = clustered_rows(&how, 10);
    struct regret_rate_contrast_options options = {.kinds = 1U << REGRET_CONTRAST_TREATED};
    struct regret_rate_contrasts c = contrasts_of(rows, options);
    double own = 1.0 - pow(0.95, 1.0 / 3.0);
    cr_assert_float_eq(c.critical, -regret_student_quantile(0.5 * own, INFINITY), 0.05, "%g",
                       c.critical);
    regret_rate_contrasts_free(&c);
    for (int side = 0; side < REGRET_N_SIDES; side++) {
        for (size_t i = 0; i < rows->n_rows; i++) {
            rows->models[1].score[side][i] = -2.0 * rows->models[0].score[side][i];
            rows->models[2].score[side][i] = 5.0 * rows->models[0].score[side][i];
        }
    }
    c = contrasts_of(rows, options);
    cr_assert_float_eq(c.critical, 1.96, 0.04, "%g", c.critical);
    struct regret_rate_contrasts again = contrasts_of(rows, options);
    cr_assert_eq(c.critical, again.critical);
    regret_rate_contrasts_free(&again);
    regret_rate_contrasts_free(&c);
    regret_rate_rows_free(rows);
}

/* Six contrasts of which none is there: how often the intervals together miss one, and Holm finds one. */
Test(contrasts, together_hold_in_95_percent_of_the_cases)
{
    struct clustered how = plain;
    how.n_models = 4;
    how.n_clusters = 40;
    unsigned held = 0, quiet = 0, alone = 0, replicates = repeats(200);
    for (unsigned b = 0; b < replicates; b++) {
        struct regret_rate_rows *rows = clustered_rows(&how, 5000 + b);
        struct regret_rate_contrasts c = contrasts_of(
            rows, (struct regret_rate_contrast_options){.kinds = 1U << REGRET_CONTRAST_MODELS,
                                                        .scale = REGRET_SCALE_REWARD,
                                                        .effect = REGRET_EFFECT_RATE_ATE});
        int all = 1, each = 1, none = 1;
        cr_assert_eq(c.n, 6);
        for (size_t k = 0; k < c.n; k++) {
            all &= c.contrasts[k].all_low <= 0.0 && 0.0 <= c.contrasts[k].all_high;
            each &= c.contrasts[k].low <= 0.0 && 0.0 <= c.contrasts[k].high;
            none &= c.contrasts[k].p_holm > 0.05;
        }
        held += (unsigned)all;
        alone += (unsigned)each;
        quiet += (unsigned)none;
        regret_rate_contrasts_free(&c);
        regret_rate_rows_free(rows);
    }
    double slack = repeats_slack(200, 0.95);
    cr_assert(held >= replicates * (0.90 - slack) && held <= replicates * (0.99 + slack), "%u",
              held);
    cr_assert_geq(quiet, replicates * (0.90 - slack));
    cr_assert_lt(alone, held);
}
