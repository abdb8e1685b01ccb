/* Several rewrites of one response: means, rewriters against each other. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "rate/contrast.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "regret/task.h"
#include "stats/distributions.h"

TestSuite(rewriters, .fini = scratch_remove);

enum { N = 60, REWRITERS = 2, REPEATS = 3 };

/* Scores at random; R and RR of response i by rewriter r, asked for the k-th time; k < n_of(i, r). */
struct responses {
    int w[N];
    double o[N], r[N][REWRITERS][REPEATS], rr[N][REWRITERS][REPEATS];
    size_t repeats[N][REWRITERS];
};

static void draw(struct responses *d, int balanced, unsigned seed)
{
    struct regret_rng g = regret_rng_at(seed, REGRET_RNG_TEST, 40);
    for (size_t i = 0; i < N; i++) {
        double own = regret_rng_normal(&g);
        d->w[i] = i % 5 < 2;
        d->o[i] = regret_rng_normal(&g);
        for (size_t r = 0; r < REWRITERS; r++) {
            d->repeats[i][r] = balanced ? 2 : regret_rng_below(&g, REPEATS + 1);
            for (size_t k = 0; k < REPEATS; k++) {
                double effect = 0.5 + own + 0.3 * (double)r + 0.4 * regret_rng_normal(&g);
                d->r[i][r][k] = regret_rng_normal(&g);
                d->rr[i][r][k] = d->r[i][r][k] + (d->w[i] ? effect : -effect);
            }
        }
    }
}

static double delta(const struct responses *d, size_t i, size_t r, size_t k)
{
    return d->w[i] ? d->rr[i][r][k] - d->r[i][r][k] : d->r[i][r][k] - d->rr[i][r][k];
}

static void append_row(struct regret_buffer *t, const struct responses *d, size_t i, size_t r,
                       size_t k, int csv)
{
    if (csv) {
        regret_buffer_printf(t, "%zu,%d,rw%zu,%zu,%.17g,%.17g,%.17g\n", i, d->w[i], r, k + 1,
                             d->o[i], d->r[i][r][k], d->rr[i][r][k]);
        return;
    }
    regret_buffer_printf(t,
                         "{\"id\": \"%zu\", \"w\": %d, \"rewriter\": \"rw%zu\", \"repeat\": %zu, "
                         "\"scores\": {\"m\": {\"original\": %.17g, \"rewrite\": %.17g, "
                         "\"rewrite_of_rewrite\": %.17g}}}\n",
                         i, d->w[i], r, k + 1, d->o[i], d->r[i][r][k], d->rr[i][r][k]);
}

/* All rows, by response (`by` 0) or by rewriter and repeat (1). */
static void append_rows(struct regret_buffer *t, const struct responses *d, int by, int csv)
{
    if (csv) {
        regret_buffer_append(t, "id,w,rewriter,repeat,scores.m.original,scores.m.rewrite,"
                                "scores.m.rewrite_of_rewrite\n");
    }
    for (size_t at = 0; at < (size_t)N * REWRITERS * REPEATS; at++) {
        size_t i = by ? at % N : at / (REWRITERS * REPEATS);
        size_t r = by ? at / N % REWRITERS : at / REPEATS % REWRITERS;
        size_t k = by ? at / N / REWRITERS : at % REPEATS;
        if (k < d->repeats[i][r]) {
            append_row(t, d, i, r, k, csv);
        }
    }
}

static struct regret_rate_rows *read_as(const char *name, const char *text)
{
    struct regret_rate_rows *rows = NULL;
    const char *path = scratch_file(name, text);
    const struct regret_rate_read_options how = {.need_scores = 1};
    cr_assert_eq(regret_rate_read(&rows, &path, 1, &how), 0, "%s", regret_error_message());
    cr_assert_eq(regret_rate_average_rewrites(rows), 0, "%s", regret_error_message());
    cr_assert_eq(regret_rate_rows_finish(rows), 0);
    return rows;
}

static struct regret_rate_rows *rows_from(const struct responses *d, int by, int csv)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    append_rows(&t, d, by, csv);
    struct regret_rate_rows *rows = read_as(csv ? "many.csv" : "many.jsonl", regret_buffer_get(&t));
    regret_buffer_free(&t);
    return rows;
}

static const struct regret_rate_estimate *estimate_named(const struct regret_rate_rows *rows,
                                                         const struct regret_rate_estimate *e,
                                                         size_t n, const char *model)
{
    for (size_t k = 0; k < n; k++) {
        if (strcmp(rows->models[e[k].model].name, model) == 0) {
            return &e[k];
        }
    }
    cr_assert(0, "no estimate of %s", model);
    return NULL;
}

static double mean(const double *x, size_t n)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; k++) {
        sum += x[k];
    }
    return sum / (double)n;
}

static double squares(const double *x, size_t n)
{
    double sum = 0.0, m = mean(x, n);
    for (size_t k = 0; k < n; k++) {
        sum += (x[k] - m) * (x[k] - m);
    }
    return sum;
}

Test(rewriters, are_averaged_by_response)
{
    for (unsigned seed = 0; seed < 20; seed++) {
        struct responses d;
        double d_i[N];
        size_t n = 0, n_estimates = 0;
        draw(&d, seed == 0, seed);
        for (size_t i = 0; i < N; i++) {
            double all[REWRITERS * REPEATS];
            size_t k = 0;
            for (size_t r = 0; r < REWRITERS; r++) {
                for (size_t j = 0; j < d.repeats[i][r]; j++) {
                    all[k++] = delta(&d, i, r, j);
                }
            }
            if (k > 0) {
                d_i[n++] = mean(all, k);
            }
        }
        struct regret_rate_rows *rows = rows_from(&d, (int)seed % 2, seed % 3 == 0);
        cr_assert_eq(rows->n_rows, n);
        cr_assert_eq(rows->issues[REGRET_RATE_ISSUE_DUPLICATE].count, 0);
        struct regret_rate_estimate *e = estimates_of(rows, &n_estimates, REGRET_SE_PAIRED);
        const struct regret_rate_effect *f =
            &estimate_named(rows, e, n_estimates, "m")->effects[REGRET_EFFECT_RATE_ATE];
        double se = sqrt(squares(d_i, n) / ((double)n - 1.0) / (double)n);
        cr_assert_float_eq(f->estimate, mean(d_i, n), 1e-12, "seed %u", seed);
        cr_assert_float_eq(f->se, se, 1e-12, "seed %u", seed);
        regret_free(e);
        regret_rate_rows_free(rows);
    }
}

/* Rewriters against each other: a paired test of the means over their repeats. */
Test(rewriters, are_contrasted_in_pairs)
{
    struct responses d;
    struct regret_rate_contrasts c = {0};
    const struct regret_rate_contrast_options options = {.kinds = 1U << REGRET_CONTRAST_REWRITERS,
                                                         .effect = REGRET_EFFECT_RATE_ATE};
    draw(&d, 1, 3);
    struct regret_rate_rows *rows = rows_from(&d, 0, 0);
    cr_assert_eq(regret_rate_contrast(&c, rows, &options), 0, "%s", regret_error_message());
    cr_assert_eq(c.n, 1);
    double difference[N], by[2][N];
    for (size_t i = 0; i < N; i++) {
        for (size_t r = 0; r < 2; r++) {
            by[r][i] = 0.5 * (delta(&d, i, r, 0) + delta(&d, i, r, 1));
        }
        difference[i] = by[0][i] - by[1][i];
    }
    const struct regret_rate_contrast *one = c.contrasts;
    double se = sqrt(squares(difference, N) / (N - 1.0) / N);
    cr_assert_float_eq(one->difference, mean(difference, N), 1e-13);
    cr_assert_float_eq(one->se, se, 1e-13);
    cr_assert_float_eq(one->value[0], mean(by[0], N), 1e-13);
    cr_assert_float_eq(one->df, N - 1.0, 1e-9);
    cr_assert_float_eq(one->high - one->difference, se * regret_student_quantile(0.975, N - 1.0),
                       1e-10);
    cr_assert_eq(one->n_shared, N);
    cr_assert_eq(one->is_d, 0);
    regret_rate_contrasts_free(&c);
    /* Others are between whole reward models: the rewrites of one are not models to compare. */
    const struct regret_rate_contrast_options all = {.effect = REGRET_EFFECT_RATE_ATE};
    cr_assert_eq(regret_rate_contrast(&c, rows, &all), 0);
    cr_assert_eq(c.n, 4); /* and RATE against naive and single, treated, of the mean */
    regret_rate_contrasts_free(&c);
    regret_rate_rows_free(rows);
}

/* Both directions: where a second rewrite changes what a first one does, both estimate the same, and their
 * mean is less noisy; where it does not, their difference says so. */
Test(rewriters, in_both_directions_are_tested_for_symmetry)
{
    enum { TRUTH = 2 };
    for (int broken = 0; broken < 2; broken++) {
        struct responses d;
        struct regret_rng g = regret_rng_at(8, REGRET_RNG_TEST, 41);
        draw(&d, 1, 9);
        for (size_t i = 0; i < N; i++) {
            double z = regret_rng_normal(&g);
            for (size_t r = 0; r < REWRITERS;
                 r++) { /* r = 0: flip, R is first; r = 1: keep, RR is */
                double first = 0.1 * regret_rng_normal(&g), second = 0.1 * regret_rng_normal(&g);
                second += broken ? 0.5 : 0.0; /* what a second rewrite adds */
                d.repeats[i][r] = 1;
                d.r[i][r][0] = z + (d.w[i] ? 0.0 : TRUTH) + (r == 0 ? first : second);
                d.rr[i][r][0] = z + (d.w[i] ? TRUTH : 0.0) + (r == 0 ? second : first);
            }
        }
        struct regret_rate_rows *rows = rows_from(&d, 0, 0);
        struct regret_rate_contrasts c = {0};
        const struct regret_rate_contrast_options options = {
            .kinds = 1U << REGRET_CONTRAST_REWRITERS, .effect = REGRET_EFFECT_RATE_ATT};
        cr_assert_eq(regret_rate_contrast(&c, rows, &options), 0);
        cr_assert_eq(c.n, 1);
        cr_assert_eq(broken, c.contrasts[0].p < 0.001, "%g", c.contrasts[0].p);
        cr_assert_float_eq(c.contrasts[0].difference, broken ? 1.0 : 0.0, 0.15);
        const struct regret_rate_effect *both =
            &estimate_named(rows, c.estimates, c.n_estimates, "m")->effects[REGRET_EFFECT_RATE_ATT];
        cr_assert_float_eq(both->estimate, TRUTH, 0.1); /* what is added cancels */
        regret_rate_contrasts_free(&c);
        regret_rate_rows_free(rows);
    }
}
