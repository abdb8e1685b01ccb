/* Differences of effects: against explicit matrices, by identities, and together. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dense.h"
#include "fixture.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/rate_inference.h"
#include "regret/rate_report.h"
#include "regret/student.h"

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

/* Two attributes in two datasets, the clusters "c0", … of each the same prompts. */
static struct regret_rate_rows *many_groups(unsigned seed, size_t n_clusters)
{
    static const char *const names[][2] = {{"D", "a"}, {"D", "b"}, {"E", "a"}};
    struct regret_rate_rows *rows = NULL;
    struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_TEST, 78);
    cr_assert_eq(regret_rate_rows_new(&rows, 0), 0);
    for (size_t k = 0; k < 3; k++) {
        struct clustered how = plain;
        how.dataset = names[k][0];
        how.attribute = names[k][1];
        how.n_clusters = n_clusters + k;
        clustered_add(rows, &how, &rng);
    }
    cr_assert_eq(regret_rate_rows_finish(rows), 0);
    return rows;
}

static void check_dense(const struct regret_rate_contrast *c,
                        const struct regret_rate_contrasts *all,
                        const struct regret_rate_rows *rows, const uint32_t *cluster)
{
    static struct dense d;
    double estimate, se, df;
    memset(&d, 0, sizeof d);
    for (int k = 0; k < 2; k++) {
        const struct regret_rate_estimate *e = &all->estimates[c->estimate[k]];
        dense_add(&d, rows, e->group, e->model, c->effect[k], cluster, k == 0 ? 1.0 : -1.0);
    }
    dense_solve(&estimate, &se, &df, &d);
    const char *name = regret_rate_contrast_name(c->kind);
    cr_assert_null(c->missing, "%s: %s", name, c->missing);
    cr_assert_float_eq(c->difference, estimate, 1e-12, "%s", name);
    cr_assert_float_eq(c->se, se, 1e-10 * se, "%s: se %.15g, %.15g", name, c->se, se);
    cr_assert_float_eq(c->df, df, 1e-8 * df, "%s: df %.15g, %.15g", name, c->df, df);
    cr_assert_float_eq(c->p, 2.0 * regret_student_cdf(-fabs(estimate) / se, df), 1e-9);
    double t = regret_student_quantile(0.975, df);
    cr_assert_float_eq(c->low, estimate - t * se, 1e-7);
    cr_assert(c->all_low <= c->low && c->all_high >= c->high && c->p_holm >= c->p);
    cr_assert(c->n_shared <= c->n_clusters && c->n_clusters > 0);
}

Test(contrasts, equal_explicit_matrices)
{
    for (unsigned seed = 0; seed < 4; seed++) {
        struct regret_rate_rows *rows = many_groups(seed, 9);
        struct regret_rate_contrasts c = contrasts_of(
            rows, (struct regret_rate_contrast_options){
                      .scale = REGRET_SCALE_REWARD,
                      .effect = seed % 2 ? REGRET_EFFECT_NAIVE : REGRET_EFFECT_RATE_ATE});
        size_t of_kind[REGRET_N_CONTRASTS] = {0};
        for (size_t k = 0; k < c.n; k++) {
            of_kind[c.contrasts[k].kind]++;
            check_dense(&c.contrasts[k], &c, rows, rows->cluster);
        }
        /* 3 groups of 2 models; one pair of attributes and one of datasets, for each model. */
        const size_t expected[REGRET_N_CONTRASTS] = {3, 0, 2, 2, 6, 6, 6};
        cr_assert_eq(memcmp(of_kind, expected, sizeof of_kind), 0);
        cr_assert_eq(c.by_max_t, 1);
        regret_rate_contrasts_free(&c);
        regret_rate_rows_free(rows);
    }
}

/* Without prompts, rows of one id and dataset are paired; all others are independent. */
Test(contrasts, pair_attributes_by_the_ids_of_their_rows)
{
    struct regret_rate_rows *rows = many_groups(7, 8);
    uint32_t unit[DENSE_ROWS];
    size_t number[3] = {0, 0, 0};
    for (size_t i = 0; i < rows->n_rows; i++) { /* groups D a, D b and E a count from r1 */
        size_t g = rows->group[i];
        unit[i] = (uint32_t)(number[g]++ + (g == 2 ? 1000 : 0));
    }
    struct regret_rate_contrasts c =
        contrasts_of(rows, (struct regret_rate_contrast_options){.scale = REGRET_SCALE_REWARD,
                                                                 .effect = REGRET_EFFECT_RATE_ATE,
                                                                 .clusters = REGRET_CLUSTERS_NONE});
    for (size_t k = 0; k < c.n; k++) {
        check_dense(&c.contrasts[k], &c, rows, unit);
        if (c.contrasts[k].kind == REGRET_CONTRAST_DATASETS) {
            cr_assert_eq(c.contrasts[k].n_shared, 0);
        }
        if (c.contrasts[k].kind == REGRET_CONTRAST_ATTRIBUTES) {
            cr_assert_eq(c.contrasts[k].n_shared, number[0]);
        }
    }
    regret_rate_contrasts_free(&c);
    regret_rate_rows_free(rows);
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

/* Where the second effect is known to be nothing, a contrast is the first effect. */
Test(contrasts, with_nothing_are_the_effect_itself)
{
    struct regret_rate_rows *rows = clustered_rows(&plain, 8);
    for (size_t i = 0; i < rows->n_rows; i++) {
        rows->models[1].score[1][i] = rows->models[1].score[2][i] = 1.0;
    }
    struct regret_rate_contrasts c = contrasts_of(
        rows, (struct regret_rate_contrast_options){.kinds = 1U << REGRET_CONTRAST_MODELS,
                                                    .scale = REGRET_SCALE_REWARD,
                                                    .effect = REGRET_EFFECT_RATE_ATT});
    const struct regret_rate_effect *e = &c.estimates[0].effects[REGRET_EFFECT_RATE_ATT];
    cr_assert_eq(c.n, 1);
    cr_assert_float_eq(c.contrasts->difference, e->estimate, 1e-14);
    cr_assert_float_eq(c.contrasts->se, e->se, 1e-13);
    cr_assert_float_eq(c.contrasts->df, e->df, 1e-9);
    /* Alone, it has the interval of one contrast. */
    cr_assert_eq(c.contrasts->all_low, c.contrasts->low);
    cr_assert_eq(c.contrasts->p_holm, c.contrasts->p);
    regret_rate_contrasts_free(&c);
    regret_rate_rows_free(rows);
}

/* ---- Cohen's d: against the numerical derivative in the weight of each cluster ---- */

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
    double variance = 0.0, step = 1e-4;
    for (uint32_t g = 0; g < rows->n_clusters; g++) {
        double psi = 0.0;
        for (size_t m = 0; m < 2; m++) {
            psi += (m ? -1.0 : 1.0) *
                   (weighted_d(rows, m, g, 1.0 + step) - weighted_d(rows, m, g, 1.0 - step));
        }
        variance += psi * psi / (4.0 * step * step);
    }
    cr_assert_eq(c.contrasts->is_d, 1);
    cr_assert_float_eq(c.contrasts->difference,
                       weighted_d(rows, 0, UINT32_MAX, 1.0) - weighted_d(rows, 1, UINT32_MAX, 1.0),
                       1e-12);
    cr_assert_float_eq(c.contrasts->se, sqrt(variance), 3e-3 * c.contrasts->se, "%g, %g",
                       c.contrasts->se, sqrt(variance));
    const struct regret_rate_effect *e[2] = {&c.estimates[0].effects[REGRET_EFFECT_RATE_ATE],
                                             &c.estimates[1].effects[REGRET_EFFECT_RATE_ATE]};
    cr_assert_gt(c.contrasts->se, 1.1 * hypot(e[0]->d_se, e[1]->d_se), "the denominator counts");
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

/* ---- What cannot be made, and what is written ---- */

Test(contrasts, that_cannot_be_made_say_why)
{
    struct regret_rate_rows *rows = rows_of("{\"w\": true, \"id\": 1, \"scores\": {\"m\": "
                                            "{\"rewrite\": 1, \"rewrite_of_rewrite\": 3}}}\n"
                                            "{\"w\": true, \"id\": 2, \"scores\": {\"m\": "
                                            "{\"rewrite\": 2, \"rewrite_of_rewrite\": 2}}}\n"
                                            "{\"w\": false, \"id\": 3, \"scores\": {\"m\": "
                                            "{\"rewrite\": 4, \"rewrite_of_rewrite\": 1}}}\n"
                                            "{\"w\": false, \"id\": 4, \"scores\": {\"m\": "
                                            "{\"rewrite\": 4, \"rewrite_of_rewrite\": 3}}}\n");
    struct regret_rate_contrasts c =
        contrasts_of(rows, (struct regret_rate_contrast_options){.effect = REGRET_EFFECT_RATE_ATE});
    cr_assert_eq(c.n, 3); /* naive, single, treated */
    cr_assert_not_null(strstr(c.contrasts[0].missing, "original"));
    cr_assert(isnan(c.contrasts[0].p) && isnan(c.contrasts[0].all_low) &&
              isnan(c.contrasts[0].p_holm));
    cr_assert_null(c.contrasts[2].missing);
    cr_assert_eq(c.contrasts[2].difference, 1.0 - 2.0);
    cr_assert_float_eq(c.contrasts[2].p_holm, c.contrasts[2].p, 0.0,
                       "what is missing is not counted");
    regret_rate_contrasts_free(&c);
    c = contrasts_of(rows, (struct regret_rate_contrast_options){.effect = REGRET_EFFECT_RATE_ATE,
                                                                 .scale = REGRET_SCALE_D});
    cr_assert_not_null(strstr(c.contrasts[2].missing, "Cohen's d"));
    regret_rate_contrasts_free(&c);
    regret_rate_rows_free(rows);
}

Test(contrasts, are_written_in_every_format)
{
    struct regret_rate_rows *rows = many_groups(11, 8);
    struct regret_rate_contrasts c =
        contrasts_of(rows, (struct regret_rate_contrast_options){.effect = REGRET_EFFECT_RATE_ATE});
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_rate_write_contrasts(&t, REGRET_FORMAT_CSV, rows, &c);
    struct csv csv = csv_parse(regret_buffer_get(&t));
    cr_assert_eq(csv.n_rows, c.n);
    for (size_t k = 0; k < c.n; k++) {
        cr_assert_str_eq(csv_cell(&csv, k, "contrast"),
                         regret_rate_contrast_name(c.contrasts[k].kind));
        cr_assert_eq(record_number(&csv, k, "se"), c.contrasts[k].se);
        cr_assert_eq(record_number(&csv, k, "all_high"), c.contrasts[k].all_high);
        cr_assert_str_eq(csv_cell(&csv, k, "scale"), c.contrasts[k].is_d ? "d" : "reward");
    }
    csv_free(&csv);
    regret_buffer_clear(&t);
    regret_rate_write_contrasts(&t, REGRET_FORMAT_JSON, rows, &c);
    cr_assert_not_null(strstr(regret_buffer_get(&t), "\"simultaneous\": \"max-t\""));
    regret_buffer_clear(&t);
    regret_rate_write_contrasts(&t, REGRET_FORMAT_MARKDOWN, rows, &c);
    cr_assert_not_null(strstr(regret_buffer_get(&t), "25 contrasts"));
    cr_assert_eq(regret_buffer_status(&t), 0);
    char *folder = NULL, *path = NULL;
    size_t length = 0;
    cr_assert_eq(regret_path_join(&folder, scratch_folder(), "figures"), 0);
    cr_assert_eq(regret_rate_draw_contrasts(folder, rows, &c), 0, "%s", regret_error_message());
    cr_assert_eq(regret_path_join(&path, folder, "contrasts.svg"), 0);
    char *svg = NULL;
    cr_assert_eq(regret_file_read(&svg, &length, path, 1 << 24), 0);
    cr_assert_not_null(strstr(svg, "all together"));
    cr_assert_null(strstr(svg, "nan"));
    regret_free(svg);
    regret_free(path);
    regret_free(folder);
    regret_buffer_free(&t);
    regret_rate_contrasts_free(&c);
    regret_rate_rows_free(rows);
}

Test(contrasts, are_asked_for_in_words)
{
    static const char *const wrong[] = {
        "rate contrast data/rate/rows.jsonl --between apples",
        "rate contrast data/rate/rows.jsonl --effect RATE",
        "rate contrast data/rate/rows.jsonl --scale log",
        "rate contrast data/rate/rows.jsonl --cluster user",
        "rate estimate data/rate/rows.jsonl --interval wide",
        "rate estimate data/rate/rows.jsonl --se unpaired --interval student",
        "rate estimate data/rate/rows.jsonl --se unpaired --cluster prompt"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        int status = 0;
        regret_free(run_program(&status, wrong[k], "2>/dev/null"));
        cr_assert_eq(status, 2, "regret %s: %d", wrong[k], status);
    }
    static const char *const right[] = {
        "rate contrast data/rate/rows.jsonl --between naive,treated -f json",
        "rate contrast data/rate/rows.jsonl --combine --cluster id --scale reward -f csv",
        "rate estimate data/rate/rows.jsonl --interval normal --cluster none"};
    for (size_t k = 0; k < sizeof right / sizeof *right; k++) {
        int status = 0;
        regret_free(run_program(&status, right[k], "2>/dev/null"));
        cr_assert_eq(status, 0, "regret %s: %d", right[k], status);
    }
}
