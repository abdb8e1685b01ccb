/* Contrastive rewards, edits, combined datasets; standard errors, invariances; what cannot be made.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "rate/typos.h"
#include "regret/buffer.h"
#include "regret/rate.h"
#include "regret/status.h"

TestSuite(effects, .fini = scratch_remove);

/* ---- Contrastive rewards, model edits ---- */

Test(effects, a_contrast_of_differences_equals_the_pointwise_estimate)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    for (int i = 0; i < 50; i++) {
        int w = i % 3 == 0;
        /* Multiples of 1/64: every difference is exact. */
        double o = (i * 37 % 64) / 64.0, r = (i * 53 % 64) / 64.0, rr = (i * 11 % 64) / 64.0;
        regret_buffer_printf(&t,
                             "{\"w\": %s, \"scores\": {\"m\": {\"original\": %.17g, \"rewrite\": "
                             "%.17g, \"rewrite_of_rewrite\": %.17g}}, \"contrasts\": {\"m\": "
                             "{\"single\": %.17g, \"double\": %.17g}}}\n",
                             w ? "true" : "false", o, r, rr, w ? o - r : r - o,
                             w ? rr - r : r - rr);
    }
    struct regret_rate_rows *rows = rows_of(regret_buffer_get(&t));
    size_t n = 0;
    struct regret_rate_estimate *e = estimates_of(rows, &n, REGRET_SE_PAIRED);
    cr_assert_eq(n, 2);
    cr_assert(!rows->models[e[0].model].contrastive && rows->models[e[1].model].contrastive);
    for (int k = REGRET_EFFECT_SINGLE_ATE; k <= REGRET_EFFECT_RATE_ATU; k++) {
        cr_assert_eq(e[0].effects[k].estimate, e[1].effects[k].estimate);
        cr_assert_eq(e[0].effects[k].se, e[1].effects[k].se);
        cr_assert(isnan(e[1].effects[k].se_unpaired) && isnan(e[1].effects[k].d));
    }
    cr_assert_not_null(e[1].effects[REGRET_EFFECT_NAIVE].missing);
    cr_assert_not_null(e[1].effects[REGRET_EFFECT_DRIFT_0].missing);
    regret_free(e);
    regret_rate_rows_free(rows);
    regret_buffer_free(&t);
}

Test(effects, a_model_edit_is_the_difference_of_its_columns)
{
    char *jsonl = random_jsonl(300, 9);
    struct regret_rate_rows *rows = NULL;
    const char *path = scratch_file("edit.jsonl", jsonl);
    const struct regret_rate_read_options how = {0};
    cr_assert_eq(regret_rate_read(&rows, &path, 1, &how), 0);
    cr_assert_eq(regret_rate_add_edit(rows, "edit", "m1", "m9"), REGRET_E_INPUT);
    cr_assert_eq(regret_rate_add_edit(rows, "m0", "m1", "m0"), REGRET_E_INPUT);
    cr_assert_eq(regret_rate_add_edit(rows, "edit", "m1", "m0"), 0);
    cr_assert_eq(regret_rate_rows_finish(rows), 0);
    cr_assert_eq(regret_rate_rows_finish(rows), REGRET_E_INPUT, "finished twice");
    size_t n = 0;
    struct regret_rate_estimate *e = estimates_of(rows, &n, REGRET_SE_PAIRED);
    cr_assert_eq(n, 3);
    for (int k = 0; k < REGRET_N_EFFECTS; k++) {
        cr_assert_float_eq(e[2].effects[k].estimate,
                           e[1].effects[k].estimate - e[0].effects[k].estimate, 1e-11);
    }
    regret_free(e);
    regret_rate_rows_free(rows);
    regret_free(jsonl);
}

/* ---- Standard errors, bootstrap, invariances ---- */

Test(effects, bootstrap_agrees_with_the_paired_error_on_any_number_of_threads)
{
    char *jsonl = random_jsonl(2000, 5);
    struct regret_rate_rows *rows = rows_of(jsonl);
    struct regret_rate_options options = {.bootstrap = 800, .seed = 3, .threads = 1};
    struct regret_rate_estimate *a = NULL, *b = NULL;
    size_t n = 0;
    cr_assert_eq(regret_rate_estimate(&a, &n, rows, &options), 0);
    options.threads = 2;
    cr_assert_eq(regret_rate_estimate(&b, &n, rows, &options), 0);
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < REGRET_N_EFFECTS; k++) {
            const struct regret_rate_effect *e = &a[i].effects[k];
            cr_assert_eq(memcmp(&e->boot_se, &b[i].effects[k].boot_se, 3 * sizeof(double)), 0);
            cr_assert_float_eq(e->boot_se, e->se, 0.12 * e->se, "%s: %g and %g",
                               regret_rate_effect_name((enum regret_rate_effect_kind)k), e->boot_se,
                               e->se);
            cr_assert(e->boot_low < e->estimate && e->estimate < e->boot_high);
        }
    }
    regret_free(a);
    regret_free(b);
    regret_rate_rows_free(rows);
    regret_free(jsonl);
}

Test(effects, a_subset_is_a_file_of_those_rows)
{
    char *jsonl = random_jsonl(100, 6);
    struct regret_rate_rows *rows = rows_of(jsonl);
    char *end = jsonl;
    for (int i = 0; i < 60; i++) {
        end = strchr(end, '\n') + 1;
    }
    *end = '\0';
    struct regret_rate_rows *few = rows_of(jsonl);
    size_t subset[60], n = 0;
    for (size_t i = 0; i < 60; i++) {
        subset[i] = i;
    }
    struct regret_rate_estimate *a = estimates_of(few, &n, REGRET_SE_PAIRED), *b = NULL;
    const struct regret_rate_options options = {.threads = 1, .subset = subset, .n_subset = 60};
    cr_assert_eq(regret_rate_estimate(&b, &n, rows, &options), 0);
    for (int k = 0; k < REGRET_N_EFFECTS; k++) {
        cr_assert_eq(a[1].effects[k].estimate, b[1].effects[k].estimate);
        cr_assert_eq(a[1].effects[k].se, b[1].effects[k].se);
    }
    regret_free(a);
    regret_free(b);
    regret_rate_rows_free(rows);
    regret_rate_rows_free(few);
    regret_free(jsonl);
}

/* Adding a constant to a model's rewards changes nothing; flipping every W and sign mirrors. */
Test(effects, shifting_the_rewards_changes_nothing)
{
    struct regret_rate_rows *rows = NULL;
    cr_assert_eq(regret_rate_world_rows(&rows, &regret_rate_worlds()[0], 500, 2, 0), 0);
    size_t n = 0;
    struct regret_rate_estimate *a = estimates_of(rows, &n, REGRET_SE_PAIRED);
    for (int side = 0; side < 3; side++) {
        for (size_t i = 0; i < rows->n_rows; i++) {
            rows->models[0].score[side][i] += 16.0;
        }
    }
    struct regret_rate_estimate *b = estimates_of(rows, &n, REGRET_SE_PAIRED);
    for (size_t i = 0; i < rows->n_rows; i++) {
        rows->w[i] = !rows->w[i];
    }
    struct regret_rate_estimate *c = estimates_of(rows, &n, REGRET_SE_PAIRED);
    for (int k = 0; k < REGRET_EFFECT_DRIFT_1; k++) {
        cr_assert_float_eq(a->effects[k].estimate, b->effects[k].estimate, 1e-12);
        cr_assert_float_eq(a->effects[k].d, b->effects[k].d, 1e-12);
    }
    cr_assert_float_eq(b->effects[REGRET_EFFECT_RATE_ATT].estimate,
                       -c->effects[REGRET_EFFECT_RATE_ATU].estimate, 1e-15);
    cr_assert_float_eq(b->effects[REGRET_EFFECT_RATE_ATE].estimate,
                       -c->effects[REGRET_EFFECT_RATE_ATE].estimate, 1e-12);
    cr_assert_float_eq(b->effects[REGRET_EFFECT_NAIVE].estimate,
                       -c->effects[REGRET_EFFECT_NAIVE].estimate, 1e-12);
    regret_free(a);
    regret_free(b);
    regret_free(c);
    regret_rate_rows_free(rows);
}

/* ---- What cannot be estimated ---- */

static const char *row_text(int w, const char *scores)
{
    static char line[256];
    snprintf(line, sizeof line, "{\"w\": %s, \"scores\": {\"m\": {%s}}}\n", w ? "true" : "false",
             scores);
    return line;
}

static struct regret_rate_estimate *estimate_lines(int ones, int zeros, const char *scores)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    for (int i = 0; i < ones + zeros; i++) {
        regret_buffer_append(&t, row_text(i < ones, scores));
    }
    struct regret_rate_rows *rows = rows_of(regret_buffer_get(&t));
    size_t n = 0;
    struct regret_rate_estimate *e = estimates_of(rows, &n, REGRET_SE_PAIRED);
    cr_assert_eq(n, 1);
    regret_rate_rows_free(rows);
    regret_buffer_free(&t);
    return e;
}

static void check_missing(struct regret_rate_estimate *e, const char *present)
{
    for (int k = 0; k < REGRET_N_EFFECTS; k++) {
        const struct regret_rate_effect *f = &e->effects[k];
        int expected = present[k] == 'x';
        cr_assert_eq(f->missing == NULL, expected, "%s of %s: %s",
                     regret_rate_effect_name((enum regret_rate_effect_kind)k), present,
                     f->missing ? f->missing : "there");
        cr_assert_eq(isnan(f->estimate), !expected);
    }
    regret_free(e);
}

Test(effects, what_cannot_be_made_is_missing_with_a_reason)
{
    static const char all[] = "\"original\": 1, \"rewrite\": 2, \"rewrite_of_rewrite\": 3";
    /* naive, single ATE ATT ATU, RATE ATE ATT ATU, drift 1 0 */
    check_missing(estimate_lines(3, 3, all), "xxxxxxxxx");
    check_missing(estimate_lines(5, 0, all), "--x--x-x-");
    check_missing(estimate_lines(0, 5, all), "---x--x-x");
    check_missing(estimate_lines(4, 1, all), "-xx-xx-x-");
    check_missing(estimate_lines(1, 1, all), "-x--x----");
    check_missing(estimate_lines(3, 3, "\"original\": 1, \"rewrite\": 2"), "xxxx-----");
    check_missing(estimate_lines(3, 3, "\"original\": 1"), "x--------");
    check_missing(estimate_lines(3, 3, "\"rewrite\": 1, \"rewrite_of_rewrite\": 0"), "----xxx--");
}

Test(effects, equal_rewards_have_no_cohens_d)
{
    struct regret_rate_estimate *e =
        estimate_lines(3, 3, "\"original\": 1, \"rewrite\": 2, \"rewrite_of_rewrite\": 3");
    cr_assert_eq(e->pooled_sd, 0.0);
    cr_assert(isnan(e->effects[REGRET_EFFECT_RATE_ATE].d));
    cr_assert_eq(e->effects[REGRET_EFFECT_RATE_ATT].estimate, 1.0);
    cr_assert_eq(e->effects[REGRET_EFFECT_RATE_ATU].estimate, -1.0);
    cr_assert_eq(e->effects[REGRET_EFFECT_RATE_ATT].se, 0.0);
    regret_free(e);
}

/* ---- Want of memory ---- */

Test(effects, a_table_without_models_has_no_estimates)
{
    struct regret_rate_rows *rows = rows_of("{\"w\": true}\n{\"w\": false}\n");
    size_t n = 7;
    struct regret_rate_estimate *e = estimates_of(rows, &n, REGRET_SE_PAIRED);
    cr_assert_eq(n, 0);
    regret_free(e);
    regret_rate_rows_free(rows);
}
