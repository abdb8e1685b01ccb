/* Reward models against people: the line by its equations, shares by hand, skew by the effects. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "rate/report.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "regret/task.h"
#include "stats/distributions.h"

TestSuite(human, .fini = scratch_remove);

enum { N = 120, PROMPTS = 30 };

/* Rewards of RR and R, and what people choose: the text with W = 1 with the probability 1/(1 + e^−(a + bΔ)). */
struct asked {
    int w[N];
    size_t prompt[N];
    double o[N], r[N], rr[N], choice[N];
};

static double difference(const struct asked *a, size_t i)
{
    return a->w[i] ? a->rr[i] - a->r[i] : a->r[i] - a->rr[i];
}

static void draw(struct asked *a, double intercept, double slope, struct regret_rng *rng)
{
    double own[PROMPTS];
    for (size_t p = 0; p < PROMPTS; p++) {
        own[p] = 0.5 * regret_rng_normal(rng);
    }
    for (size_t i = 0; i < N; i++) {
        a->w[i] = i % 3 == 0;
        a->prompt[i] = i % PROMPTS;
        a->o[i] = regret_rng_normal(rng);
        a->r[i] = regret_rng_normal(rng);
        double d = 0.5 + own[a->prompt[i]] + regret_rng_normal(rng);
        a->rr[i] = a->r[i] + (a->w[i] ? d : -d);
        double p = 1.0 / (1.0 + exp(-(intercept + slope * d)));
        a->choice[i] = regret_rng_uniform(rng) < p ? 1.0 : -1.0;
        a->choice[i] = i % 17 == 5 ? 0.0 : a->choice[i];
    }
}

static struct regret_rate_rows *rows_from(const struct asked *a)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < N; i++) {
        regret_buffer_printf(&t,
                             "{\"id\": %zu, \"w\": %d, \"prompt\": \"p%zu\", \"scores\": {\"m\": "
                             "{\"original\": %.17g, \"rewrite\": %.17g, \"rewrite_of_rewrite\": "
                             "%.17g}}, \"contrasts\": {\"human\": {\"double\": %g}}}\n",
                             i, a->w[i], a->prompt[i], a->o[i], a->r[i], a->rr[i], a->choice[i]);
    }
    struct regret_rate_rows *rows = rows_of(regret_buffer_get(&t));
    regret_buffer_free(&t);
    return rows;
}

static struct regret_rate_calibration calibration_of(const struct regret_rate_rows *rows,
                                                     const char *human,
                                                     enum regret_rate_clusters clusters)
{
    const struct regret_rate_options options = {.clusters = clusters, .threads = 1};
    struct regret_rate_calibration k = {0};
    cr_assert_eq(regret_rate_calibrate(&k, rows, human, &options), 0, "%s", regret_error_message());
    return k;
}

/* Rewards that are what people choose by: intercept 0 and slope 1 are within the intervals. */
Test(human, calibrated_rewards_are_found_calibrated)
{
    struct regret_rng rng = regret_rng_at(2, REGRET_RNG_TEST, 60);
    unsigned tried = repeats(600), held[2] = {0, 0};
    double slack = repeats_slack(600, 0.95);
    for (unsigned b = 0; b < tried; b++) {
        struct asked a;
        draw(&a, 0.0, 1.0, &rng);
        for (size_t i = 0; i < N; i++) { /* no ties, which are no Bernoulli draws */
            a.choice[i] = a.choice[i] != 0.0 ? a.choice[i]
                          : regret_rng_uniform(&rng) < 1.0 / (1.0 + exp(-difference(&a, i))) ? 1.0
                                                                                             : -1.0;
        }
        struct regret_rate_rows *rows = rows_from(&a);
        struct regret_rate_calibration k = calibration_of(rows, "human", REGRET_CLUSTERS_OF_GROUP);
        const struct regret_rate_choices *c = k.choices;
        held[0] += c->intercept.low <= 0.0 && 0.0 <= c->intercept.high;
        held[1] += c->slope.low <= 1.0 && 1.0 <= c->slope.high;
        regret_rate_calibration_free(&k);
        regret_rate_rows_free(rows);
    }
    for (int j = 0; j < 2; j++) {
        cr_assert(held[j] >= (0.91 - slack) * tried && held[j] <= (0.98 + slack) * tried, "%d: %u",
                  j, held[j]);
    }
}

/* Ratings are choices of the higher; the skew is the difference of the two d; people against themselves in
 * other units have none. */
Test(human, ratings_tell_the_skew)
{
    char *jsonl = random_jsonl(150, 5);
    struct regret_rate_rows *rows = rows_of(jsonl);
    struct regret_rate_calibration k = calibration_of(rows, "m1", REGRET_CLUSTERS_OF_GROUP);
    size_t n = 0;
    struct regret_rate_estimate *e = estimates_of(rows, &n, REGRET_SE_PAIRED);
    cr_assert(k.n_choices == 2 && k.n_skews == 1);
    const struct regret_rate_contrast *s = k.skews;
    double d0 = e[0].effects[REGRET_EFFECT_RATE_ATE].d, d1 = e[1].effects[REGRET_EFFECT_RATE_ATE].d;
    cr_assert_float_eq(s->value[0], d0, 1e-13);
    cr_assert_float_eq(s->value[1], d1, 1e-13);
    cr_assert_float_eq(s->difference, d0 - d1, 1e-13);
    cr_assert(s->low < s->difference && s->difference < s->high);
    cr_assert_float_eq(s->p_holm, s->p, 1e-15);
    struct regret_rate_calibration back = calibration_of(rows, "m0", REGRET_CLUSTERS_OF_GROUP);
    cr_assert_float_eq(back.skews->difference, -s->difference, 1e-13); /* turned */
    cr_assert_float_eq(back.skews->low, -s->high, 1e-13);
    cr_assert_float_eq(back.skews->value[0], d1, 1e-13);
    cr_assert_float_eq(back.skews->se, s->se, 1e-13);
    cr_assert_float_eq(back.choices[0].agreement, k.choices[0].agreement, 1e-13);
    regret_rate_calibration_free(&back);
    regret_rate_calibration_free(&k);
    for (size_t i = 0; i < rows->n_rows; i++) {
        for (int side = 0; side < 3; side++) {
            rows->models[1].score[side][i] = 100.0 + 3.0 * rows->models[0].score[side][i];
        }
    }
    k = calibration_of(rows, "m1", REGRET_CLUSTERS_OF_GROUP);
    cr_assert_float_eq(k.skews->difference, 0.0, 1e-12);
    for (size_t c = 0; c < 2; c++) {
        cr_assert_float_eq(k.choices[c].agreement, 1.0, 1e-12);
        cr_assert_eq(k.choices[c].wins, k.choices[c].human_wins);
        cr_assert_not_null(k.choices[c].missing); /* told apart without a fault */
        cr_assert(isnan(k.choices[c].slope.estimate));
    }
    regret_rate_calibration_free(&k);
    regret_free(e);
    regret_rate_rows_free(rows);
    regret_free(jsonl);
}

/* No difference at all, a single choice, nothing but ties, rewards beyond all bounds. */
Test(human, degenerate)
{
    struct regret_rng rng = regret_rng_at(3, REGRET_RNG_TEST, 60);
    for (int kind = 0; kind < 4; kind++) {
        struct asked a;
        draw(&a, 0.0, 1.0, &rng);
        for (size_t i = 0; i < N; i++) {
            a.rr[i] = kind == 0 ? a.r[i] : a.rr[i];
            a.rr[i] *= kind == 3 ? 1e250 : 1.0;
            a.choice[i] = kind == 1 ? 1.0 : kind == 2 ? 0.0 : a.choice[i];
        }
        struct regret_rate_rows *rows = rows_from(&a);
        struct regret_rate_calibration k = calibration_of(rows, "human", REGRET_CLUSTERS_OF_GROUP);
        const struct regret_rate_choices *c = k.choices;
        cr_assert_eq(k.n_choices, 1);
        cr_assert_eq(c->missing != NULL, kind < 2, "%d: %s", kind, c->missing);
        if (kind == 2) { /* a half everywhere */
            cr_assert_eq(c->n_decided, 0);
            cr_assert(isnan(c->agreement) && c->human_wins > 0.4999 && c->human_wins < 0.5001);
            cr_assert_float_eq(c->slope.estimate, 0.0, 1e-9);
        }
        if (kind == 0) {
            cr_assert_float_eq(c->agreement, 0.5, 1e-12);
        }
        cr_assert(isfinite(c->calibration_error));
        regret_rate_calibration_free(&k);
        regret_rate_rows_free(rows);
    }
}
