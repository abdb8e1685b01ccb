/* Predicted W: what correcting it by the labelled rows gives. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "rate/labels/corrected.h"
#include "regret/alloc.h"
#include "regret/buffer.h"
#include "regret/rate.h"
#include "regret/rate_study.h"
#include "regret/rng.h"
#include "regret/student.h"

TestSuite(predicted, .fini = scratch_remove);

enum { LABELLED = 60, MORE = 140, ALL = LABELLED + MORE };

/* A sample at random: predictions between 0 and 1 that know something of W. */
static struct labelled_sample draw(double memory[3 * ALL], unsigned seed)
{
    struct labelled_sample s = {.n = LABELLED,
                                .n_more = MORE,
                                .w = memory,
                                .p = memory + ALL,
                                .x = memory + 2 * (size_t)ALL};
    struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 2);
    for (int i = 0; i < ALL; i++) {
        s.w[i] = regret_rng_below(&r, 5) < 2;
        s.p[i] = 0.6 * s.w[i] + 0.4 * regret_rng_uniform(&r);
        s.x[i] = 0.7 + 0.4 * s.w[i] + regret_rng_normal(&r);
    }
    return s;
}

/* q(w) of numerator (part 0) and denominator (part 1) of an effect that is one ratio, by its words. */
static double by_words(enum regret_rate_effect_kind kind, int part, double w, double x)
{
    switch (kind) {
    case REGRET_EFFECT_RATE_ATE:
        return part == 1 ? 1.0 : w * x + (1.0 - w) * -x;
    case REGRET_EFFECT_RATE_ATT:
    case REGRET_EFFECT_DRIFT_1:
        return part == 1 ? w : w * x;
    case REGRET_EFFECT_RATE_ATU:
        return part == 1 ? 1.0 - w : (1.0 - w) * -x;
    default:
        return part == 1 ? 1.0 - w : (1.0 - w) * x;
    }
}

/* The estimate, from means that leave row `out` out (ALL: none). */
static double naive_estimate(const struct labelled_sample *s, enum regret_rate_effect_kind kind,
                             double lambda, size_t out)
{
    double m[2];
    if (kind == REGRET_EFFECT_NAIVE) {
        return naive_estimate(s, REGRET_EFFECT_DRIFT_1, lambda, out) -
               naive_estimate(s, REGRET_EFFECT_DRIFT_0, lambda, out);
    }
    for (int part = 0; part < 2; part++) {
        double true_sum = 0.0, own_sum = 0.0, more_sum = 0.0, n = 0.0, more = 0.0;
        for (size_t i = 0; i < ALL; i++) {
            int labelled = i < LABELLED;
            if (i == out) {
                continue;
            }
            true_sum += labelled ? by_words(kind, part, s->w[i], s->x[i]) : 0.0;
            own_sum += labelled ? by_words(kind, part, s->p[i], s->x[i]) : 0.0;
            more_sum += labelled ? 0.0 : by_words(kind, part, s->p[i], s->x[i]);
            n += labelled;
            more += !labelled;
        }
        m[part] = true_sum / n + lambda * (more_sum / more - own_sum / n);
    }
    return m[0] / m[1];
}

static const enum regret_rate_effect_kind kinds[] = {REGRET_EFFECT_NAIVE,    REGRET_EFFECT_RATE_ATE,
                                                     REGRET_EFFECT_RATE_ATT, REGRET_EFFECT_RATE_ATU,
                                                     REGRET_EFFECT_DRIFT_1,  REGRET_EFFECT_DRIFT_0};

Test(predicted, estimates_are_their_words_and_errors_those_of_the_jackknife)
{
    double memory[3 * ALL];
    for (unsigned seed = 0; seed < 5; seed++) {
        struct labelled_sample s = draw(memory, seed);
        for (size_t k = 0; k < 6; k++) {
            for (int step = 0; step <= 4; step++) {
                double lambda = 0.25 * step, jackknife = 0.0;
                struct corrected_effect c = correct_effect(&s, kinds[k], 0, lambda);
                cr_assert_eq(c.lambda, lambda);
                cr_assert_float_eq(c.estimate, naive_estimate(&s, kinds[k], lambda, ALL), 1e-12);
                /* The two samples are independent: a jackknife of each. */
                for (size_t i = 0; i < ALL; i++) {
                    double e = naive_estimate(&s, kinds[k], lambda, i) - c.estimate;
                    double n = i < LABELLED ? LABELLED : MORE;
                    jackknife += (n - 1.0) / n * e * e;
                }
                cr_assert_float_eq(c.se, sqrt(jackknife), 0.06 * c.se, "%zu: %g, %g", k, c.se,
                                   sqrt(jackknife));
            }
        }
    }
}

/* Nearly: var(ψ(Ŵ)) is that of all rows, and ψ that of the labelled rows' estimate. */
Test(predicted, the_weight_makes_the_error_least)
{
    double memory[3 * ALL];
    for (unsigned seed = 0; seed < 5; seed++) {
        struct labelled_sample s = draw(memory, seed);
        for (size_t k = 0; k < 6; k++) {
            struct corrected_effect best = correct_effect(&s, kinds[k], 0, (double)NAN);
            cr_assert(best.lambda > 0.1 && best.lambda < 2.0, "%g", best.lambda);
            cr_assert_leq(best.se, best.labelled_se);
            for (int step = 0; step <= 40; step++) {
                struct corrected_effect c = correct_effect(&s, kinds[k], 0, 0.05 * step);
                cr_assert_leq(best.se, 1.1 * c.se, "%g: %g, %g: %g", best.lambda, best.se, c.lambda,
                              c.se);
            }
        }
    }
}

Test(predicted, predictions_that_say_nothing_and_all)
{
    double memory[3 * ALL];
    struct labelled_sample s = draw(memory, 9);
    for (size_t i = 0; i < ALL; i++) {
        s.p[i] = 0.5;
    }
    struct corrected_effect c = correct_effect(&s, REGRET_EFFECT_RATE_ATE, 0, (double)NAN);
    cr_assert(c.lambda == 0.0 && c.estimate == c.labelled && c.se == c.labelled_se);
    /* With W itself the weight is about N/(n + N), and the estimate about that of all rows. */
    for (size_t i = 0; i < ALL; i++) {
        s.p[i] = s.w[i];
    }
    double sum = 0.0;
    for (size_t i = 0; i < ALL; i++) {
        sum += (s.w[i] > 0.5 ? s.x[i] : -s.x[i]) / ALL;
    }
    c = correct_effect(&s, REGRET_EFFECT_RATE_ATE, 0, (double)MORE / ALL);
    cr_assert_float_eq(c.estimate, sum, 1e-12);
    c = correct_effect(&s, REGRET_EFFECT_RATE_ATE, 0, (double)NAN);
    cr_assert_float_eq(c.lambda, (double)MORE / ALL, 0.2);
    /* The order of the text that a contrast puts first is given: its ATE asks nothing of W. */
    c = correct_effect(&s, REGRET_EFFECT_RATE_ATE, 1, (double)MORE / ALL);
    sum = 0.0;
    for (size_t i = 0; i < ALL; i++) {
        sum += s.x[i] / ALL;
    }
    cr_assert_float_eq(c.estimate, sum, 1e-12);
}

/* An 85 % accurate classifier on 80 % of the rows, whose errors are by chance, or go along with Z and
 * so with the reward. */
Test(predicted, intervals_hold_the_truth)
{
    static const double tilts[] = {0.0, 0.1};
    struct regret_rate_predicted_result r[REGRET_RATE_N_WAYS * REGRET_RATE_N_PREDICTED_EFFECTS];
    for (int k = 0; k < 2; k++) {
        const struct regret_rate_predicted_world how = {1000, 0.2, 0.85, tilts[k]};
        cr_assert_eq(
            regret_rate_world_predicted(r, &regret_rate_worlds()[0], &how, repeats(2000), 1, 2), 0,
            "%s", regret_error_message());
        for (int e = 0; e < REGRET_RATE_N_PREDICTED_EFFECTS; e++) {
            const struct regret_rate_predicted_result
                *labelled = &r[REGRET_RATE_WAY_LABELLED * REGRET_RATE_N_PREDICTED_EFFECTS + e],
                *full = &r[REGRET_RATE_WAY_FULL * REGRET_RATE_N_PREDICTED_EFFECTS + e],
                *plain = &r[REGRET_RATE_WAY_UNCORRECTED * REGRET_RATE_N_PREDICTED_EFFECTS + e],
                *ours = &r[REGRET_RATE_WAY_CORRECTED * REGRET_RATE_N_PREDICTED_EFFECTS + e];
            double slack = repeats_slack(2000, 0.95);
            cr_assert(ours->coverage >= 0.93 - slack && ours->coverage <= 0.97 + slack, "%g",
                      ours->coverage);
            cr_assert_lt(fabs(ours->bias), 4.5 * ours->bias_se); /* a tenth of the rmse, of 2,000 */
            cr_assert(ours->width < 0.9 * labelled->width && ours->width < 0.9 * full->width);
            cr_assert_lt(plain->coverage, 0.5);
            cr_assert_lt(plain->bias, -0.08);
        }
        cr_assert_float_eq(r[0].truth, 0.692, 1e-12);
    }
    struct regret_rate_predicted_result again[REGRET_RATE_N_WAYS * REGRET_RATE_N_PREDICTED_EFFECTS];
    const struct regret_rate_predicted_world how = {100, 0.3, 0.9, 0.0};
    for (int threads = 1; threads < 4; threads += 2) {
        cr_assert_eq(regret_rate_world_predicted(threads == 1 ? r : again, &regret_rate_worlds()[1],
                                                 &how, 20, 3, (size_t)threads),
                     0);
    }
    for (int k = 0; k < REGRET_RATE_N_WAYS * REGRET_RATE_N_PREDICTED_EFFECTS; k++) {
        cr_assert_eq(r[k].bias, again[k].bias);
    }
    const struct regret_rate_predicted_world bad = {100, 0.1, 0.9, 0.2};
    cr_assert_eq(regret_rate_world_predicted(r, &regret_rate_worlds()[0], &bad, 20, 3, 1),
                 REGRET_E_INPUT);
}

/* ---- Rows ---- */

/* W is known in every fourth row; "clf" says W in four of five, and "m" has rewards at random. */
static struct regret_rate_rows *partly_labelled(size_t n, const char *classifier)
{
    struct regret_rate_rows *rows = NULL;
    struct regret_buffer t = REGRET_BUFFER_INIT;
    struct regret_rng r = regret_rng_at(4, REGRET_RNG_TEST, 3);
    for (size_t i = 0; i < n; i++) {
        int w = regret_rng_below(&r, 2) == 0;
        int said = regret_rng_below(&r, 5) > 0 ? w : !w;
        regret_buffer_printf(
            &t,
            "{\"id\": %zu, \"w\": %s, \"completions\": {\"original\": \"a %s thing %zu\"}, "
            "\"scores\": {\"clf\": {\"original\": %d}, \"m\": {\"original\": %.17g, \"rewrite\": "
            "%.17g, \"rewrite_of_rewrite\": %.17g}}, \"contrasts\": {\"j\": {\"double\": "
            "%.17g}}}\n",
            i,
            i % 4 != 0 ? "null"
            : w        ? "true"
                       : "false",
            said ? "good" : "bad", i % 7, said, w + regret_rng_normal(&r), regret_rng_normal(&r),
            0.5 * w + regret_rng_normal(&r), regret_rng_normal(&r));
    }
    const char *path = scratch_file("partly.jsonl", regret_buffer_get(&t));
    const struct regret_rate_read_options how = {.keep_texts = 1};
    cr_assert_eq(regret_rate_read(&rows, &path, 1, &how), 0, "%s", regret_error_message());
    regret_buffer_free(&t);
    cr_assert_eq(regret_rate_predict_w(rows, classifier), 0, "%s", regret_error_message());
    cr_assert_eq(regret_rate_rows_finish(rows), 0);
    return rows;
}

Test(predicted, rows_are_corrected_as_their_sample_is)
{
    struct regret_rate_rows *rows = partly_labelled(400, "score:clf:0.5");
    size_t n = 0;
    struct regret_rate_estimate *plain = estimates_of(rows, &n, REGRET_SE_PAIRED);
    struct regret_rate_estimate *e = estimates_of(rows, &n, REGRET_SE_PAIRED);
    cr_assert_eq(n, 3);
    cr_assert_eq(regret_rate_correct_w(rows, e, n), 0);
    double w[400], p[400], x[400];
    struct labelled_sample s = {.w = w, .p = p, .x = x};
    const struct regret_rate_model *m = &rows->models[1];
    for (int predicted = 0; predicted < 2; predicted++) {
        for (size_t i = 0; i < 400; i++) {
            if (rows->w_predicted[i] == predicted) {
                size_t at = s.n + s.n_more;
                w[at] = rows->w[i];
                p[at] = rows->models[0].score[0][i];
                x[at] = m->score[2][i] - m->score[1][i];
                *(predicted ? &s.n_more : &s.n) += 1;
            }
        }
    }
    cr_assert(s.n == 100 && s.n_more == 300);
    struct corrected_effect c = correct_effect(&s, REGRET_EFFECT_RATE_ATE, 0, (double)NAN);
    const struct regret_rate_effect *f = &e[1].effects[REGRET_EFFECT_RATE_ATE];
    cr_assert(f->estimate == c.estimate && f->se == c.se && f->n == 400);
    double t = regret_student_quantile(0.975, 99.0);
    cr_assert_float_eq(f->low, c.estimate - t * c.se, 1e-12);
    cr_assert(isnan(f->se_paired) && isnan(f->boot_se));
    /* Each correction tells what it replaced: 9 effects of m, one of clf, 3 of j. */
    cr_assert_eq(rows->n_corrections, 13, "%zu", rows->n_corrections);
    for (size_t k = 0; k < rows->n_corrections; k++) {
        const struct regret_rate_correction *note = &rows->corrections[k];
        for (size_t i = 0; i < n; i++) {
            if (plain[i].model == note->model) {
                cr_assert_eq(note->uncorrected, plain[i].effects[note->effect].estimate);
                cr_assert_eq(note->estimate, e[i].effects[note->effect].estimate);
                cr_assert_neq(note->estimate, note->uncorrected);
            }
        }
        cr_assert(note->n_labelled == 100 && note->n_predicted == 300);
    }
    regret_free(plain);
    regret_free(e);
    regret_rate_rows_free(rows);
}

/* A fit has not seen the rows whose score it gives: the score of a row does not know its label. */
Test(predicted, scores_of_labelled_rows_are_out_of_fold)
{
    struct regret_buffer t[2] = {REGRET_BUFFER_INIT, REGRET_BUFFER_INIT};
    struct regret_rate_rows *rows[2] = {NULL, NULL};
    const struct regret_rate_read_options how = {.keep_texts = 1};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 40; i++) {
            int w = i % 2, flipped = k == 1 && i == 12;
            regret_buffer_printf(&t[k],
                                 "{\"w\": %s, \"completions\": {\"original\": \"%s %d was %s\"}}\n",
                                 i % 4 == 3     ? "null"
                                 : w != flipped ? "true"
                                                : "false",
                                 w ? "fine" : "poor", i % 5, i % 3 ? "good" : "bad");
        }
        const char *path = scratch_file("folds.jsonl", regret_buffer_get(&t[k]));
        cr_assert_eq(regret_rate_read(&rows[k], &path, 1, &how), 0);
        cr_assert_eq(regret_rate_predict_w(rows[k], "text"), 0);
        regret_buffer_free(&t[k]);
    }
    size_t changed = 0;
    cr_assert_neq(rows[0]->w[12], rows[1]->w[12]);
    cr_assert_float_eq(rows[0]->w_score[12], rows[1]->w_score[12], 1e-12);
    for (size_t i = 0; i < 40; i++) {
        cr_assert(rows[0]->w_score[i] >= 0.0 && rows[0]->w_score[i] <= 1.0);
        changed += fabs(rows[0]->w_score[i] - rows[1]->w_score[i]) > 1e-6;
    }
    cr_assert_gt(changed, 20, "%zu", changed); /* the others did see it */
    regret_rate_rows_free(rows[0]);
    regret_rate_rows_free(rows[1]);
}

Test(predicted, without_labelled_rows_nothing_is_estimated)
{
    struct regret_rate_rows *rows = NULL;
    const char *path = scratch_file(
        "none.jsonl",
        "{\"completions\": {\"original\": \"aa\"}, \"scores\": {\"m\": {\"original\": 1}}}\n"
        "{\"completions\": {\"original\": \"a\"}, \"scores\": {\"m\": {\"original\": 2}}}\n"
        "{\"completions\": {\"original\": \"aa\"}, \"scores\": {\"m\": {\"original\": 3}}}\n"
        "{\"completions\": {\"original\": \"a\"}, \"scores\": {\"m\": {\"original\": 5}}}\n");
    const struct regret_rate_read_options how = {.keep_texts = 1};
    cr_assert_eq(regret_rate_read(&rows, &path, 1, &how), 0);
    cr_assert_eq(regret_rate_predict_w(rows, "length:1"), 0);
    cr_assert_eq(regret_rate_rows_finish(rows), 0);
    size_t n = 0;
    struct regret_rate_estimate *e = estimates_of(rows, &n, REGRET_SE_PAIRED);
    cr_assert_null(e->effects[REGRET_EFFECT_NAIVE].missing);
    cr_assert_eq(regret_rate_correct_w(rows, e, n), 0);
    cr_assert_not_null(strstr(e->effects[REGRET_EFFECT_NAIVE].missing, "W of their own"));
    cr_assert(isnan(e->effects[REGRET_EFFECT_NAIVE].estimate));
    regret_free(e);
    regret_rate_rows_free(rows);
}

#define RUN "rate estimate data/rate/unlabelled.jsonl --predict-w text"

Test(predicted, uncorrected_effects_are_had_by_name_and_with_a_warning)
{
    check_run(RUN, "2>/dev/null", 0, "corrected by the labelled rows");
    check_run(RUN " -f json", "2>/dev/null", 0, "\"lambda\": ");
    check_run(RUN " --uncorrected", "2>&1 >/dev/null", 0, "UNCORRECTED");
    check_run(RUN " --uncorrected", "2>/dev/null", 0, "UNCORRECTED");
    check_run(RUN " --uncorrected -f json", "2>/dev/null", 0, "\"corrections\": null");
    check_run(RUN " --bootstrap 20", "2>&1", 2, "--uncorrected");
    check_run(RUN " --uncorrected --bootstrap 20", "2>/dev/null", 0, "boot_se");
    check_run("rate world --predicted 0.85,0.2 --rows 200 --replicates 20 -f csv", "2>&1", 0,
              "corrected,RATE_ATU,0.62");
    check_run("rate world --predicted 0.85", "2>&1", 2, "ACCURACY,SHARE");
    check_run("rate world --predicted 0.85,0.2,0,1", "2>&1", 2, "ACCURACY,SHARE");
    check_run("rate world --predicted 2,0.2", "2>&1", 2, "from 0 to 1");
}
