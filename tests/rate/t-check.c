/* What the data say about the assumptions. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "rate/labels.h"
#include "rate/report.h"
#include "rate/typos.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "regret/task.h"
#include "stats/distributions.h"
#include "stats/limits.h"

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
    const struct regret_rate_check_options options = {
        .off_target = &off_target, .n_off_target = off_target != NULL, .classifier = classifier};
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
            double n = (double)f->n, squares = n * f->share * (1.0 - f->share);
            const struct bounded of =
                bounded_moments(f->share, sqrt(squares / fmax(1.0, n - 1.0)), n);
            struct limits l = bounded_limits(&of, tails_of(0.95));
            cr_assert_float_eq(f->low, l.low, 1e-12);
            cr_assert_float_eq(f->high, l.high, 1e-12);
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
Test(check, a_text_is_judged_by_a_fit_that_lacks_its_siblings)
{
    enum { N = 12 };
    static const char *const text[N] = {"good one", "bad two",  "good three", "bad four",
                                        "fine one", "poor two", "fine three", "poor four",
                                        "good six", "bad six",  "fine seven", "poor seven"};
    uint8_t label[N];
    size_t sibling[N];
    double target[N], mean[N], own[N];
    for (size_t i = 0; i < N; i++) {
        label[i] = i % 2 == 0;
        sibling[i] = i;
    }
    struct label_ridge_scores s = {.target = target, .mean = mean, .own = own, .sibling = sibling};
    cr_assert_eq(label_ridge(&s, text, label, N, text, N), 0);
    for (size_t i = 0; i < N; i++) {
        cr_assert_eq(mean[i], own[i]);
    }
    struct regret_rate_rows *rows = NULL;
    const char *path = REGRET_SOURCE_FOLDER "/data/rate/rows.jsonl";
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

/* ---- Clusters ---- */

/* 2 to 5 rows of each of `prompts` prompts, with the reward model "m" at random and texts of some length. */
static struct regret_rate_rows *prompted(size_t prompts, unsigned seed)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 5);
    for (size_t c = 0; c < prompts; c++) {
        double own = regret_rng_normal(&r);
        for (size_t k = 0; k < 2 + c % 4; k++) {
            regret_buffer_printf(
                &t,
                "{\"w\": %s, \"prompt\": \"p%zu\", \"completions\": {\"original\": \"%s\", "
                "\"rewrite\": \"%s\", \"rewrite_of_rewrite\": \"a\"}, \"scores\": {\"m\": "
                "{\"original\": %.9f, \"rewrite\": %.9f, \"rewrite_of_rewrite\": %.9f}}}\n",
                regret_rng_below(&r, 2) == 0 ? "true" : "false", c,
                own + regret_rng_normal(&r) > 0.0 ? "a long text" : "short",
                own + regret_rng_normal(&r) > 0.0 ? "short" : "a long text", regret_rng_normal(&r),
                own + regret_rng_normal(&r), 2.0 * own + regret_rng_normal(&r));
        }
    }
    struct regret_rate_rows *rows = read_texts(regret_buffer_get(&t), NULL);
    regret_buffer_free(&t);
    return rows;
}

/* The error of independent rows and CR2's, of values whose rows are `row`, by its words. */
static double naive_error(const struct regret_rate_rows *rows, const double *x, const size_t *row,
                          size_t n, int clustered)
{
    double mean = 0.0, variance = 0.0, squares = 0.0;
    for (size_t k = 0; k < n; k++) {
        mean += x[k] / (double)n;
    }
    for (size_t c = 0; c < rows->n_clusters; c++) {
        double sum = 0.0, m = 0.0;
        for (size_t k = 0; k < n; k++) {
            int in = rows->cluster[row[k]] == c;
            m += in;
            sum += in ? x[k] - mean : 0.0;
            squares += in ? (x[k] - mean) * (x[k] - mean) : 0.0;
        }
        variance += sum * sum / (1.0 - m / (double)n) / ((double)n * (double)n);
    }
    return sqrt(clustered ? variance : squares / ((double)n - 1.0) / (double)n);
}

/* Limits of the mean of x by the clusters of its rows. */
static void check_limits(double low, double high, const struct regret_rate_rows *rows,
                         const double *x, const size_t *row, size_t n)
{
    double sum[100], size[100];
    size_t kept = 0;
    for (size_t c = 0; c < rows->n_clusters; c++) {
        sum[kept] = size[kept] = 0.0;
        for (size_t k = 0; k < n; k++) {
            int in = rows->cluster[row[k]] == c;
            size[kept] += in;
            sum[kept] += in ? x[k] : 0.0;
        }
        kept += size[kept] > 0.0;
    }
    const struct bounded of = bounded_clusters(sum, size, kept);
    struct limits l = bounded_limits(&of, tails_of(0.95));
    cr_assert_float_eq(low, l.low, 1e-12);
    cr_assert_float_eq(high, l.high, 1e-12);
}

Test(check, clusters_are_those_of_the_estimates)
{
    struct regret_rate_rows *rows = prompted(14, 1);
    struct regret_rate_check c = check_of(rows, "m", "length:5");
    size_t n = 0;
    struct regret_rate_estimate *e = estimates_of(rows, &n, REGRET_SE_PAIRED);
    const struct regret_rate_movement *m = &c.movements[2];
    const struct regret_rate_effect *f = &e->effects[REGRET_EFFECT_RATE_ATE];
    cr_assert(m->measure == REGRET_MEASURE_SCORE && m->clustered && e->clustered);
    cr_assert(m->n_clusters == 14 && f->n_clusters == 14);
    const double pairs[][2] = {{m->asymmetry.se, f->se},
                               {m->df, f->df},
                               {m->low, f->low},
                               {m->high, f->high},
                               {m->p, 2.0 * regret_student_cdf(-fabs(f->estimate) / f->se, f->df)},
                               {m->back[1].se, e->effects[REGRET_EFFECT_RATE_ATT].se},
                               {m->forth[0].se, e->effects[REGRET_EFFECT_SINGLE_ATU].se},
                               {m->net[1].se, e->effects[REGRET_EFFECT_DRIFT_1].se}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        cr_assert_float_eq(pairs[k][0], pairs[k][1], 1e-12, "%zu: %g %g", k, pairs[k][0],
                           pairs[k][1]);
    }
    cr_assert(m->df < 13.0 && m->df > 8.0, "%g", m->df);
    regret_free(e);
    regret_rate_check_free(&c);
    regret_rate_rows_free(rows);
}

Test(check, shares_count_clusters)
{
    struct regret_rate_rows *rows = prompted(14, 1);
    struct regret_rate_check c = check_of(rows, NULL, "length:5");
    static double x[100];
    static size_t row[100];
    size_t seen = 0;
    for (size_t k = 0; k < c.n_flips; k++) {
        const struct regret_rate_flips *f = &c.flips[k];
        size_t n = 0;
        for (size_t i = 0; i < rows->n_rows; i++) {
            int is_long = strlen(rows->texts[i].completion[f->side]) > 5;
            if (rows->w[i] == f->w) {
                x[n] = is_long == (f->side == REGRET_SIDE_REWRITE ? !f->w : f->w);
                row[n++] = i;
            }
        }
        cr_assert(n == f->n && f->clustered && f->missing == NULL);
        check_limits(f->low, f->high, rows, x, row, n);
        seen++;
    }
    cr_assert_geq(seen, 4);
    /* Of the wins the error is among the numbers. */
    const struct regret_rate_wins *w = &c.wins[1];
    size_t n = 0;
    for (size_t i = 0; i < rows->n_rows; i++) {
        double more = rows->models[0].score[2][i] - rows->models[0].score[1][i];
        x[n] = (rows->w[i] == REGRET_LABEL_1) == (more > 0.0);
        row[n++] = i;
    }
    cr_assert(w->is_double && w->n == n && w->n_clusters == 14);
    cr_assert_float_eq(w->se, naive_error(rows, x, row, n, 1), 1e-13);
    check_limits(w->low, w->high, rows, x, row, n);
    regret_rate_check_free(&c);
    regret_rate_rows_free(rows);
}

/* A score that is moved alike in both directions on average, but by prompts in either: one test in twenty. */
Test(check, symmetry_by_prompts_is_rejected_as_often_as_it_should)
{
    enum { PROMPTS = 20, FULL = 4000 };
    unsigned replicates = repeats(FULL);
    size_t rejected[2] = {0, 0}, wins = 0;
    struct regret_rate_rows *rows = prompted(PROMPTS, 2);
    struct regret_rng r = regret_rng_at(7, REGRET_RNG_TEST, 6);
    const char *m = "m";
    for (unsigned b = 0; b < replicates; b++) {
        double own[PROMPTS];
        for (size_t c = 0; c < PROMPTS; c++) {
            own[c] = regret_rng_normal(&r);
        }
        for (size_t i = 0; i < rows->n_rows; i++) {
            double sign = rows->w[i] == REGRET_LABEL_1 ? 1.0 : -1.0;
            rows->models[0].score[1][i] = 1.0 + regret_rng_normal(&r);
            rows->models[0].score[2][i] =
                1.0 + 2.0 * sign * own[rows->cluster[i]] + regret_rng_normal(&r);
        }
        for (int none = 0; none < 2; none++) {
            struct regret_rate_check c = {0};
            const struct regret_rate_check_options options = {
                .off_target = &m,
                .n_off_target = 1,
                .clusters = none ? REGRET_CLUSTERS_NONE : REGRET_CLUSTERS_OF_GROUP};
            cr_assert_eq(regret_rate_check(&c, rows, &options), 0);
            rejected[none] += c.movements[2].p < 0.05;
            wins += !none && c.wins[1].low <= 0.5 && 0.5 <= c.wins[1].high;
            regret_rate_check_free(&c);
        }
    }
    double share = (double)rejected[0] / replicates, slack = repeats_slack(FULL, 0.05);
    cr_assert(share > 0.04 - slack && share < 0.06 + slack, "%g", share);
    cr_assert_gt((double)rejected[1] / replicates, 0.15, "%g", (double)rejected[1] / replicates);
    share = (double)wins / replicates;
    cr_assert(share > 0.93 - slack && share < 0.97 + slack, "%g", share);
    regret_rate_rows_free(rows);
}
