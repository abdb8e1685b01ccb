/* What the data say about the assumptions. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "rate/label_ridge.h"
#include "regret/alloc.h"
#include "regret/rate_report.h"
#include "regret/rate_study.h"
#include "regret/rng.h"
#include "regret/student.h"
#include "regret/text_buffer.h"

TestSuite(check, .fini = scratch_remove);

static struct regret_rate_rows *read_texts(const char *jsonl, const char *predict)
{
    struct regret_rate_rows *rows = NULL;
    const char *path = scratch_file("check.jsonl", jsonl);
    const struct regret_rate_read_options how = {.keep_texts = 1};
    cr_assert_eq(regret_rate_read(&rows, &path, 1, &how), 0, "%s", regret_error_message());
    if (predict != NULL) {
        cr_assert_eq(regret_rate_predict_w(rows, predict), 0);
    }
    cr_assert_eq(regret_rate_rows_finish(rows), 0);
    return rows;
}

static struct regret_rate_check check_of(const struct regret_rate_rows *rows,
                                         const char *off_target, const char *classifier)
{
    struct regret_rate_check check = {0};
    const struct regret_rate_check_options options = {&off_target, off_target != NULL, classifier};
    cr_assert_eq(regret_rate_check(&check, rows, &options), 0, "%s", regret_error_message());
    return check;
}

/* On a score, the table of movements is what the estimators say of it as a reward. */
Test(check, movements_of_a_score_are_its_effects)
{
    char *jsonl = random_jsonl(300, 8);
    struct regret_rate_rows *rows = rows_of(jsonl);
    struct regret_rate_check check = check_of(rows, "m1", NULL);
    size_t n = 0;
    struct regret_rate_estimate *e = estimates_of(rows, &n, REGRET_SE_PAIRED);
    const struct regret_rate_effect *f = e[1].effects;
    cr_assert_eq(check.n_movements, 1); /* no texts, so no lengths */
    const struct regret_rate_movement *m = check.movements;
    cr_assert(m->measure == REGRET_MEASURE_SCORE && m->model == 1);
    cr_assert(m->n[1] == e[1].n1 && m->n[0] == e[1].n0);
    const double pairs[][2] = {
        {m->asymmetry.mean, f[REGRET_EFFECT_RATE_ATE].estimate},
        {m->asymmetry.se, f[REGRET_EFFECT_RATE_ATE].se_paired},
        {m->back[1].mean, f[REGRET_EFFECT_RATE_ATT].estimate},
        {m->back[1].se, f[REGRET_EFFECT_RATE_ATT].se_paired},
        {-m->back[0].mean, f[REGRET_EFFECT_RATE_ATU].estimate},
        {-m->forth[1].mean, f[REGRET_EFFECT_SINGLE_ATT].estimate},
        {m->forth[0].mean, f[REGRET_EFFECT_SINGLE_ATU].estimate},
        {m->net[1].mean, f[REGRET_EFFECT_DRIFT_1].estimate},
        {m->net[0].se, f[REGRET_EFFECT_DRIFT_0].se_paired},
        {m->original[1].mean - m->original[0].mean, f[REGRET_EFFECT_NAIVE].estimate},
        {m->t, m->asymmetry.mean / m->asymmetry.se},
        {m->p, 2.0 * (1.0 - regret_student_cdf(fabs(m->t), 299.0))},
        {m->p_holm, m->p}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        cr_assert_float_eq(pairs[k][0], pairs[k][1], 1e-12, "%zu: %g %g", k, pairs[k][0],
                           pairs[k][1]);
    }
    regret_free(e);
    regret_rate_check_free(&check);
    regret_rate_rows_free(rows);
    regret_free(jsonl);
}

static const char some_texts[] =
    "{\"id\": 1, \"w\": true, \"completions\": {\"original\": \"äöü b\", \"rewrite\": \"a\", "
    "\"rewrite_of_rewrite\": \"a b c\"}, \"scores\": {\"m\": {\"original\": 3, \"rewrite\": 1, "
    "\"rewrite_of_rewrite\": 1}}, \"contrasts\": {\"j\": {\"single\": -0.5}}}\n"
    "{\"id\": 2, \"w\": true, \"completions\": {\"original\": \"a b c d\", \"rewrite\": \"a b\", "
    "\"rewrite_of_rewrite\": \"a  b\"}, \"scores\": {\"m\": {\"original\": 0, \"rewrite\": 1, "
    "\"rewrite_of_rewrite\": 2}}}\n"
    "{\"id\": 3, \"w\": false, \"completions\": {\"original\": \"\", \"rewrite\": \"long enough\", "
    "\"rewrite_of_rewrite\": \"x\"}, \"scores\": {\"m\": {\"original\": 5, \"rewrite\": 1, "
    "\"rewrite_of_rewrite\": 2}}}\n"
    "{\"id\": 4, \"w\": false, \"completions\": {\"original\": \"only this\"}}\n"
    "{\"id\": 5, \"completions\": {\"original\": \"a\", \"rewrite\": \"a\", "
    "\"rewrite_of_rewrite\": \"a\"}, \"scores\": {\"m\": {\"original\": 5, \"rewrite\": 1, "
    "\"rewrite_of_rewrite\": 2}}}\n";

Test(check, lengths_wins_and_flips_by_hand)
{
    for (int predict = 0; predict < 2; predict++) {
        /* Predicted labels do not count, and neither do rows without them. */
        struct regret_rate_rows *rows = read_texts(some_texts, predict ? "length:3" : NULL);
        struct regret_rate_check c = check_of(rows, NULL, "length:4");
        cr_assert_eq(c.n_movements, 2);
        const struct regret_rate_movement *m = c.movements;
        cr_assert(m[0].measure == REGRET_MEASURE_CHARACTERS && m[0].n[1] == 2 && m[0].n[0] == 1);
        cr_assert_float_eq(m[0].original[1].mean, 6.0, 1e-15); /* 5, 7 */
        cr_assert_float_eq(m[0].forth[1].mean, -4.0, 1e-15);   /* −4, −4 */
        cr_assert_float_eq(m[0].back[1].mean, 2.5, 1e-15);     /* 4, 1 */
        cr_assert_float_eq(m[0].back[0].mean, -10.0, 1e-15);
        cr_assert_float_eq(m[0].asymmetry.mean, 5.0, 1e-15); /* 4, 1, 10 */
        cr_assert_float_eq(m[0].asymmetry.se, sqrt(21.0 / 3.0), 1e-14);
        cr_assert(isnan(m[0].forth[0].se));
        cr_assert_float_eq(m[1].original[1].mean, 3.0, 1e-15); /* words: 2, 4 */
        cr_assert_float_eq(m[1].asymmetry.mean, 1.0, 1e-15);   /* 2, 0, 1 */
        double least = fmin(m[0].p, m[1].p), most = fmax(m[0].p, m[1].p);
        cr_assert_float_eq(fmin(m[0].p_holm, m[1].p_holm), fmin(1.0, 2.0 * least), 1e-15);
        cr_assert_float_eq(fmax(m[0].p_holm, m[1].p_holm), fmin(1.0, fmax(2.0 * least, most)),
                           1e-15);
        cr_assert(m[0].p_holm >= m[0].p && m[1].p_holm >= m[1].p);
        /* m, single: 3 > 1, 0 < 1, and 1 < 5 where W = 0; double: 1 = 1, 2 > 1, 1 < 2; j, single: −. */
        cr_assert_eq(c.n_wins, 3);
        cr_assert(c.wins[0].n == 3 && c.wins[0].wins == 1 && c.wins[0].ties == 0);
        cr_assert(c.wins[1].n == 3 && c.wins[1].wins == 1 && c.wins[1].ties == 1);
        cr_assert_float_eq(c.wins[1].share, 0.5, 1e-15);
        cr_assert(c.wins[2].n == 1 && c.wins[2].wins == 0 && c.wins[2].is_double == 0);
        /* Longer than four: 5, 7 of W = 1; 0, 9 of W = 0. Rewrites: 1, 3; 11. Back: 5, 4; 1. */
        static const size_t expected[][4] = {{0, 1, 2, 2}, {0, 0, 2, 1}, {1, 1, 2, 2},
                                             {1, 0, 1, 1}, {2, 1, 2, 1}, {2, 0, 1, 1}};
        cr_assert_eq(c.n_flips, 6);
        for (size_t k = 0; k < 6; k++) {
            const struct regret_rate_flips *f = &c.flips[k];
            cr_assert(f->side == expected[k][0] && f->w == (int)expected[k][1] &&
                          f->n == expected[k][2] && f->right == expected[k][3],
                      "%zu: %zu of %zu", k, f->right, f->n);
            cr_assert_eq(f->share, (double)f->right / (double)f->n);
            /* The ends are the shares that are 1.96 of their own errors away. */
            for (int end = 0; end < 2; end++) {
                double at = end ? f->high : f->low, z = 1.959963984540054;
                double distance = (f->share - at) * (f->share - at);
                cr_assert_float_eq(distance, z * z * at * (1.0 - at) / (double)f->n, 1e-12);
            }
        }
        regret_rate_check_free(&c);
        regret_rate_rows_free(rows);
    }
}

/* A score that a rewriter moves alike in both directions: one test in twenty is significant. */
Test(check, symmetry_is_rejected_as_often_as_it_should)
{
    enum { ROWS = 15, FULL = 4000 };
    unsigned replicates = repeats(FULL);
    size_t rejected = 0;
    char *jsonl = random_jsonl(ROWS, 2);
    struct regret_rate_rows *rows = rows_of(jsonl);
    struct regret_rng r = regret_rng_at(7, REGRET_RNG_TEST, 4);
    for (unsigned b = 0; b < replicates; b++) {
        for (int side = 0; side < 3; side++) {
            for (size_t i = 0; i < ROWS; i++) {
                rows->models[0].score[side][i] = (side > 0) + regret_rng_normal(&r);
            }
        }
        struct regret_rate_check c = check_of(rows, "m0", NULL);
        rejected += c.movements[0].p < 0.05;
        regret_rate_check_free(&c);
    }
    double share = (double)rejected / replicates, slack = repeats_slack(FULL, 0.05);
    cr_assert(share > 0.04 - slack && share < 0.06 + slack, "%g", share);
    regret_rate_rows_free(rows);
    regret_free(jsonl);
}

/* What is made from a text is judged by the fit that lacks it. */
Test(check, a_text_is_judged_by_a_fit_that_lacks_its_kin)
{
    enum { N = 12 };
    static const char *const text[N] = {"good one", "bad two",  "good three", "bad four",
                                        "fine one", "poor two", "fine three", "poor four",
                                        "good six", "bad six",  "fine seven", "poor seven"};
    uint8_t label[N];
    size_t kin[N];
    double target[N], mean[N], own[N];
    for (size_t i = 0; i < N; i++) {
        label[i] = i % 2 == 0;
        kin[i] = i;
    }
    struct label_ridge_scores s = {.target = target, .mean = mean, .own = own, .kin = kin};
    cr_assert_eq(label_ridge(&s, text, label, N, text, N), 0);
    for (size_t i = 0; i < N; i++) {
        cr_assert_eq(mean[i], own[i]);
    }
    struct regret_rate_rows *rows = NULL;
    const char *path = REGRET_SOURCE_FOLDER "/data/rewrite/rows.jsonl";
    const struct regret_rate_read_options how = {.keep_texts = 1};
    cr_assert_eq(regret_rate_read(&rows, &path, 1, &how), 0);
    cr_assert_eq(regret_rate_rows_finish(rows), 0);
    struct regret_rate_check c = check_of(rows, NULL, "text");
    cr_assert_eq(c.n_flips, 12);
    for (size_t k = 0; k < 12; k++) {
        cr_assert(c.flips[k].n >= 70 && c.flips[k].n <= 90);
    }
    regret_rate_check_free(&c);
    regret_rate_rows_free(rows);
}

#define RUN "rewrite check data/rewrite/rows.jsonl "

Test(check, the_program)
{
    check_run(RUN, "2>&1", 0, "| synthetic-reviews | length | words |");
    check_run(RUN "-f csv", "2>&1", 0, "synthetic-reviews,sentiment,characters,1,86,");
    check_run(RUN "-f json --classifier length:300", "2>&1", 0, "\"as_it_should\": ");
    check_run(RUN "--off-target sim-base", "2>&1", 0, "| sentiment | sim-base | 1 | 86 |");
    check_run(RUN "--off-target none", "2>&1", 2, "no row has scores of \"none\"");
    check_run(RUN "--classifier oracle", "2>&1", 2, "is no classifier");
    char one[512], arguments[1200];
    snprintf(one, sizeof one, "%s",
             scratch_file("one.jsonl", "{\"scores\": {\"m\": {\"original\": 1}}}\n"));
    snprintf(arguments, sizeof arguments, "rewrite check %s", one);
    check_run(arguments, "2>&1", 1, "nothing could be estimated");
}

Test(check, survives_want_of_memory)
{
    struct regret_rate_rows *rows = read_texts(some_texts, NULL);
    const struct regret_rate_check_options options = {NULL, 0, "length:4"};
    long k = 0;
    for (; k < 1000; k++) {
        struct regret_rate_check c = {0};
        regret_alloc_fail_after(k);
        int rc = regret_rate_check(&c, rows, &options);
        regret_alloc_fail_after(-1);
        regret_rate_check_free(&c);
        if (rc == 0) {
            break;
        }
        cr_assert_eq(rc, REGRET_E_NOMEM);
    }
    cr_assert(k > 8 && k < 1000, "%ld", k);
    regret_rate_rows_free(rows);
}
