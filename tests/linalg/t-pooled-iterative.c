/* The pooled ridge by conjugate gradients: what it proves, and what becomes of fits that it cannot prove. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "estimate/reference_ridge.h"
#include "linalg/pooled_setting.h"
#include "regret/task.h"

enum { GROUPS = 5, SLICES = 6 };

static void shrink_outcomes(struct side *s)
{
    for (size_t i = 0; i < s->n; i++) {
        s->y[i] *= 0.1;
    }
}

/* Columns as those of agents, of their crosses and of numbers of one's own are: longer than all others together. Outcomes
 * are as small as scores, so that errors can be proven. */
static void strengthen(struct setting *s, double scale)
{
    shrink_outcomes(&s->obs);
    shrink_outcomes(&s->exp);
    for (size_t p = 0; p < PAIRS; p++) {
        double *line = s->lines + p * s->dim;
        memset(line, 0, (GROUPS + SLICES) * sizeof *line);
        line[p % GROUPS] = scale;
        line[GROUPS + p / (PAIRS / SLICES)] = scale / 2.0;
        line[GROUPS + SLICES] *= 3.0;
    }
}

/* All rows of a group, so that what is left knows nothing of it. */
static void leave_out_group(struct setting *s)
{
    for (size_t i = 0; i < s->exp.n; i++) {
        s->exp.part[i] = s->exp.pair[i] % GROUPS == 1;
        s->exp.use[i] = !s->exp.part[i];
    }
}

/* What a batch proves of its fits is true at every step of the way, and dropped fits stay as they are. */
static void check_errors(struct setting *s)
{
    enum { FITS = 12 };
    setting_gather(s);
    setting_make_sparse(s);
    struct regret_pooled *pooled = NULL;
    struct regret_left_out *left_out = NULL;
    struct regret_pooled_batch *batch = NULL;
    struct regret_pooled_fit fit[FITS];
    double f[PAIRS], g[PAIRS], part[PAIRS], dropped = 0.0;
    cr_assert_eq(regret_pooled_create(&pooled, &s->design, s->obs_sample, s->exp_sample, s->obs.rho,
                                      s->exp.rho),
                 0);
    cr_assert_eq(regret_left_out_create(&left_out, pooled, s->part), 0);
    for (size_t i = 0; i < FITS; i++) {
        fit[i] = (struct regret_pooled_fit){.lambda = (double)(i / 2) / 5.0,
                                            .left_out = i % 2 ? left_out : NULL};
    }
    cr_assert_eq(regret_pooled_batch_create(&batch, pooled, fit, FITS), 0);
    for (double error = 1.0; error > 0.5 * REGRET_POOLED_ERROR; error /= 10.0) {
        cr_assert_eq(regret_pooled_batch_solve(batch, error), 0, "%s", regret_error_message());
        for (size_t i = 0; i < FITS; i++) {
            double proven = regret_pooled_batch_error(batch, i);
            cr_assert(i == 3 || proven <= fmax(error, REGRET_POOLED_ERROR));
            setting_expected(g, s, fit[i].lambda, i % 2 == 1);
            cr_assert_eq(regret_pooled_batch_predict(f, batch, i), 0);
            for (size_t e = 0; e < s->obs_sample->entries; e++) {
                size_t p = s->obs_sample->pair[e];
                cr_assert(fabs(f[p] - g[p]) <= proven + 1e-11, "fit %zu: %g, proven %g", i,
                          fabs(f[p] - g[p]), proven);
            }
            if (i % 2 == 1) {
                regret_pooled_batch_predict_part(part, batch, i);
                for (size_t e = 0; e < s->part->entries; e++) {
                    cr_assert(fabs(part[e] - g[s->part->pair[e]]) <= proven + 1e-11);
                }
            }
        }
        dropped = dropped > 0.0 ? dropped : regret_pooled_batch_error(batch, 3);
        regret_pooled_batch_drop(batch, 3);
        cr_assert_eq(regret_pooled_batch_error(batch, 3), dropped);
    }
    cr_assert_eq(s->record.fits, FITS - 1);
    cr_assert(s->record.steps > 0 && s->record.fallbacks == 0 &&
              s->record.error <= REGRET_POOLED_ERROR);
    regret_pooled_batch_free(batch);
    regret_left_out_free(left_out);
    regret_pooled_free(pooled);
    setting_drop(s);
}

Test(pooled_iterative, errors_are_what_the_residuals_prove)
{
    struct setting *s = setting_draw(30, 120, 80, 5);
    setting_leave_out(s, 0, 25);
    check_errors(s);
    s = setting_draw(30, 120, 80, 7);
    strengthen(s, 30.0);
    setting_leave_out(s, 0, 25);
    check_errors(s);
    s = setting_draw(30, 120, 80, 8);
    strengthen(s, 10.0);
    leave_out_group(s);
    check_errors(s);
}

/* At λ = 1 leaving out rows of EXP changes nothing: `fits` of them; their products, and how far any is from the first. */
static size_t products_of_obs_alone(const struct setting *s, size_t fits)
{
    enum { MOST = 4 };
    struct regret_solver_record record = {0};
    struct regret_design counted = s->design;
    struct regret_pooled *pooled = NULL;
    struct regret_left_out *left_out = NULL;
    struct regret_pooled_batch *batch = NULL;
    struct regret_pooled_fit fit[MOST];
    double f[PAIRS], g[PAIRS], part[PAIRS];
    counted.record = &record;
    cr_assert_eq(regret_pooled_create(&pooled, &counted, s->obs_sample, s->exp_sample, s->obs.rho,
                                      s->exp.rho),
                 0);
    cr_assert_eq(regret_left_out_create(&left_out, pooled, s->part), 0);
    for (size_t i = 0; i < fits; i++) {
        fit[i] =
            (struct regret_pooled_fit){.lambda = 1.0, .left_out = i % 2 == 1 ? left_out : NULL};
    }
    cr_assert_eq(regret_pooled_batch_create(&batch, pooled, fit, fits), 0);
    cr_assert_eq(regret_pooled_batch_solve(batch, 1e-3), 0);
    if (fits > 1) { /* who is not wanted takes no other with him, however often it is said */
        regret_pooled_batch_drop(batch, 0);
        regret_pooled_batch_drop(batch, 0);
    }
    cr_assert_eq(regret_pooled_batch_solve(batch, REGRET_POOLED_ERROR), 0);
    setting_expected(g, s, 1.0, 0);
    for (size_t i = 0; i < fits; i++) {
        cr_assert_leq(regret_pooled_batch_error(batch, i), REGRET_POOLED_ERROR);
        cr_assert_eq(regret_pooled_batch_predict(f, batch, i), 0);
        for (size_t e = 0; e < s->obs_sample->entries; e++) {
            cr_assert_float_eq(f[s->obs_sample->pair[e]], g[s->obs_sample->pair[e]], 2e-10);
        }
        if (fit[i].left_out != NULL) {
            regret_pooled_batch_predict_part(part, batch, i);
            for (size_t e = 0; e < s->part->entries; e++) {
                cr_assert_float_eq(part[e], f[s->part->pair[e]], 1e-12);
            }
        }
    }
    regret_pooled_batch_free(batch);
    regret_left_out_free(left_out);
    regret_pooled_free(pooled);
    return record.steps;
}

Test(pooled_iterative, fits_of_obs_alone_are_one)
{
    struct setting *s = setting_draw(30, 120, 80, 5);
    setting_leave_out(s, 0, 25);
    setting_gather(s);
    setting_make_sparse(s);
    size_t one = products_of_obs_alone(s, 1);
    cr_assert_gt(one, 0);
    cr_assert_eq(products_of_obs_alone(s, 4), one);
    setting_drop(s);
}

/* Products of fits at n values of λ, `many` at a time, to errors that are proven and true. */
static size_t products_of_path(struct setting *s, const double *lambda, size_t n, size_t many)
{
    enum { MOST = 24 };
    struct regret_pooled *pooled = NULL;
    struct regret_pooled_fit fit[MOST];
    double f[PAIRS], g[PAIRS];
    s->record.steps = 0;
    cr_assert_eq(regret_pooled_create(&pooled, &s->design, s->obs_sample, s->exp_sample, s->obs.rho,
                                      s->exp.rho),
                 0);
    for (size_t i = 0; i < n; i++) {
        fit[i] = (struct regret_pooled_fit){.lambda = lambda[i]};
    }
    for (size_t first = 0; first < n; first += many) {
        struct regret_pooled_batch *batch = NULL;
        cr_assert_eq(regret_pooled_batch_create(&batch, pooled, fit + first, many), 0);
        cr_assert_eq(regret_pooled_batch_solve(batch, 1e-4), 0, "%s", regret_error_message());
        for (size_t i = 0; i < many; i++) {
            double proven = regret_pooled_batch_error(batch, i);
            cr_assert_leq(proven, 1e-4);
            setting_expected(g, s, lambda[first + i], 0);
            cr_assert_eq(regret_pooled_batch_predict(f, batch, i), 0);
            for (size_t e = 0; e < s->obs_sample->entries; e++) {
                size_t at = s->obs_sample->pair[e];
                cr_assert_leq(fabs(f[at] - g[at]), proven + 1e-11, "lambda %g", lambda[first + i]);
            }
        }
        regret_pooled_batch_free(batch);
    }
    regret_pooled_free(pooled);
    return s->record.steps;
}

/* Fits that differ in λ alone begin at one another; uneven grids, on which a polynomial would be wild, cost no more than
 * fits by themselves. */
Test(pooled_iterative, a_path_takes_fewer_products)
{
    enum { N = 20 };
    double even[N], uneven[N];
    for (size_t i = 0; i < N; i++) {
        even[i] = (double)i / N;
        uneven[(7 * i) % N] = i < N / 2 ? 1e-6 * (double)(i + 1) : 1.0 - pow(2.0, 9.0 - (double)i);
    }
    for (int strong = 0; strong < 2; strong++) {
        struct setting *s = setting_draw(40, 120, 100, 5);
        if (strong) {
            strengthen(s, 10.0);
        }
        s->obs.rho = s->exp.rho = 0.05;
        setting_gather(s);
        setting_make_sparse(s);
        size_t alone = products_of_path(s, even, N, 1), together = products_of_path(s, even, N, N);
        cr_assert_lt((double)together, 0.75 * (double)alone, "%zu of %zu", together, alone);
        alone = products_of_path(s, uneven, N, 1);
        together = products_of_path(s, uneven, N, N);
        cr_assert_leq(together, alone + N);
        setting_drop(s);
    }
}

/* What is eliminated costs no accuracy and no way back to the direct solver, however long it is. */
Test(pooled_iterative, strong_columns_are_eliminated)
{
    static const double scales[] = {2.0, 10.0, 100.0};
    for (size_t k = 0; k < 6; k++) {
        struct setting *s = setting_draw(k % 2 ? 30 : GROUPS + SLICES + 1, 120, 80, 20 + k);
        s->obs.rho = k < 3 ? 0.7 : 0.1;
        strengthen(s, scales[k / 2]);
        if (k < 3) {
            setting_leave_out(s, 0, 25);
        } else {
            leave_out_group(s);
        }
        setting_gather(s);
        setting_make_sparse(s);
        setting_compare_design(s, &s->design, 1e-9);
        cr_assert(s->record.fits > 0 && s->record.fallbacks == 0, "%zu: %zu, %zu", k,
                  s->record.fits, s->record.fallbacks);
        setting_drop(s);
    }
}

/* Columns that weigh a hundred times what others do, as those of agents do beside words: rounding leads the recurrence to
 * where it gets no further, and what it has left out is found from the residual that is really there. */
Test(pooled_iterative, a_recurrence_that_rounding_stops_begins_again)
{
    enum { LINES = 3000, AGENTS = 8, WORDS = 1500, OF_A_TEXT = 25, ENTRIES = 1 + 2 * OF_A_TEXT };
    struct regret_csr *lines = NULL;
    struct regret_rng r = regret_rng_at(1, REGRET_RNG_TEST, 81);
    static uint32_t pair[LINES];
    static double y[LINES], f[LINES];
    double left = 0.0;
    cr_assert_eq(regret_csr_new(&lines, LINES, AGENTS * (WORDS + 1) + WORDS, LINES * ENTRIES), 0);
    for (size_t p = 0, at = 0; p < LINES; p++) {
        uint32_t agent = p % AGENTS, word = 0;
        lines->column[at] = agent;
        lines->value[at++] = 100.0;
        for (size_t k = 0; k < OF_A_TEXT; k++) {
            word +=
                1 + (uint32_t)(regret_rng_uniform(&r) * regret_rng_uniform(&r) * 2.0 * (double)k);
            lines->column[at] = AGENTS + word;
            lines->value[at++] = 1.0;
            lines->column[at] = AGENTS + WORDS + agent * WORDS + word;
            lines->value[at++] = 3.0;
        }
        lines->row_start[p + 1] = at;
        pair[p] = (uint32_t)p;
        y[p] = regret_rng_uniform(&r);
    }
    struct regret_design design = regret_design_sparse(lines, NULL, NULL);
    struct regret_solver_record record = {0};
    struct regret_sample *obs = NULL, *exp = NULL;
    struct regret_pooled *pooled = NULL;
    struct regret_pooled_batch *batch = NULL;
    const struct regret_pooled_fit fit = {.lambda = 1.0};
    design.iterative = 1;
    design.most_direct = 1;
    design.record = &record;
    cr_assert_eq(regret_sample_gather(&obs, pair, y, LINES / 2, LINES, NULL, 0), 0);
    cr_assert_eq(
        regret_sample_gather(&exp, pair + LINES / 2, y + LINES / 2, LINES / 2, LINES, NULL, 0), 0);
    cr_assert_eq(regret_pooled_create(&pooled, &design, obs, exp, 5.0, 5.0), 0);
    cr_assert_eq(regret_pooled_batch_create(&batch, pooled, &fit, 1), 0);
    cr_assert_eq(regret_pooled_batch_solve(batch, REGRET_POOLED_ERROR), 0, "%s",
                 regret_error_message());
    cr_assert_eq(regret_pooled_batch_predict(f, batch, 0), 0);
    for (size_t l = 0; l < LINES / 2; l++) {
        left += y[l] - f[l];
    }
    cr_assert_float_eq(left, 0.0, 1e-6); /* the intercept is not penalised */
    cr_assert(record.fallbacks == 0 && record.steps < 400 && record.error <= REGRET_LOOSEST_ERROR,
              "%zu steps to %g", record.steps, record.error);
    regret_pooled_batch_free(batch);
    regret_pooled_free(pooled);
    regret_sample_free(obs);
    regret_sample_free(exp);
    regret_csr_free(lines);
}

/* Outcomes so large that rounding keeps residuals from proving anything: solved directly after all, and told. */
Test(pooled_iterative, what_cannot_be_proven_is_solved_directly)
{
    struct setting *s = setting_draw(30, 120, 80, 6);
    s->obs.rho = s->exp.rho = 1e-5;
    for (size_t i = 0; i < s->obs.n; i++) {
        s->obs.y[i] *= 1e4;
    }
    setting_leave_out(s, 0, 25);
    setting_gather(s);
    setting_make_sparse(s);
    setting_compare_design(s, &s->design, 1e-7);
    cr_assert_gt(s->record.fallbacks, 0);
    setting_drop(s);
}

/* Fits of several penalties at once, each as one of its own; by conjugate gradients, and where they fail. */
Test(pooled_iterative, penalties_in_one_batch)
{
    enum { FITS = 6 };
    static const double rhos[] = {100.0, 3.0, 0.5};
    for (int hopeless = 0; hopeless < 2; hopeless++) {
        struct setting *s = setting_draw(30, 120, 80, 9);
        setting_leave_out(s, 0, 25);
        for (size_t i = 0; hopeless && i < s->exp.n; i++) {
            s->exp.y[i] *= 1e4;
        }
        setting_gather(s);
        setting_make_sparse(s);
        struct regret_pooled *pooled = NULL;
        struct regret_left_out *left_out = NULL;
        struct regret_pooled_batch *batch = NULL;
        struct regret_pooled_fit fit[FITS];
        double f[PAIRS], g[PAIRS], part[PAIRS];
        cr_assert_eq(
            regret_pooled_create(&pooled, &s->design, NULL, s->exp_sample, 1.0, s->exp.rho), 0);
        cr_assert_eq(regret_left_out_create(&left_out, pooled, s->part), 0);
        for (size_t i = 0; i < FITS; i++) {
            fit[i] =
                (struct regret_pooled_fit){.left_out = i % 2 ? left_out : NULL, .rho = rhos[i / 2]};
        }
        cr_assert_eq(regret_pooled_batch_create(&batch, pooled, fit, FITS), 0);
        cr_assert_eq(regret_pooled_batch_solve(batch, REGRET_POOLED_ERROR), 0, "%s",
                     regret_error_message());
        cr_assert_eq(s->record.fallbacks, (size_t)hopeless);
        for (size_t i = 0; i < FITS; i++) {
            s->exp.rho = rhos[i / 2];
            setting_expected(g, s, 0.0, i % 2 == 1);
            cr_assert_eq(regret_pooled_batch_predict(f, batch, i), 0);
            for (size_t e = 0; e < s->exp_sample->entries; e++) {
                size_t at = s->exp_sample->pair[e];
                cr_assert_float_eq(f[at], g[at], hopeless ? 1e-3 : 1e-9, "fit %zu", i);
            }
            if (i % 2 == 1) {
                regret_pooled_batch_predict_part(part, batch, i);
                for (size_t e = 0; e < s->part->entries; e++) {
                    cr_assert_float_eq(part[e], g[s->part->pair[e]], hopeless ? 1e-3 : 1e-9);
                }
            }
        }
        regret_pooled_batch_free(batch);
        regret_left_out_free(left_out);
        regret_pooled_free(pooled);
        setting_drop(s);
    }
}

/* What is left out of both samples at once: by conjugate gradients, and where they fail. */
Test(pooled_iterative, parts_of_both_samples_are_left_out)
{
    enum { FITS = 8 };
    static const double lambdas[] = {0.0, 0.3, 0.9, 1.0};
    for (int hopeless = 0; hopeless < 2; hopeless++) {
        struct setting *s = setting_draw(30, 120, 80, 10);
        struct regret_sample *of_obs = NULL;
        struct regret_pooled *pooled = NULL;
        struct regret_left_out *both = NULL, *exp = NULL;
        struct regret_pooled_batch *batch = NULL;
        struct regret_pooled_fit fit[FITS];
        double f[PAIRS], g[PAIRS];
        setting_leave_out(s, 0, 25);
        for (size_t i = 0; i < s->obs.n; i++) {
            s->obs.part[i] = i % 3 == 0;
            s->obs.use[i] = !s->obs.part[i];
            s->obs.y[i] *= hopeless ? 1e4 : 1.0;
        }
        setting_gather(s);
        cr_assert_eq(
            regret_sample_gather(&of_obs, s->obs.pair, s->obs.y, s->obs.n, PAIRS, s->obs.part, 1),
            0);
        setting_make_sparse(s);
        cr_assert_eq(regret_pooled_create(&pooled, &s->design, s->obs_sample, s->exp_sample,
                                          s->obs.rho, s->exp.rho),
                     0);
        cr_assert_eq(regret_left_out_create_of_both(&both, pooled, s->part, of_obs), 0);
        cr_assert_eq(regret_left_out_create_of_both(&exp, pooled, s->part, NULL), 0);
        for (size_t i = 0; i < FITS; i++) {
            fit[i] = (struct regret_pooled_fit){.lambda = lambdas[i / 2],
                                                .left_out = i % 2 ? exp : both};
        }
        cr_assert_eq(regret_pooled_batch_create(&batch, pooled, fit, FITS), 0);
        cr_assert_eq(regret_pooled_batch_solve(batch, REGRET_POOLED_ERROR), 0, "%s",
                     regret_error_message());
        cr_assert_eq(s->record.fallbacks, (size_t)hopeless);
        for (size_t i = 0; i < FITS; i++) {
            const struct reference_features x = {s->dim, s->lines};
            const struct reference_part parts[] = {
                {1.0 - lambdas[i / 2], s->exp.rho, s->exp.n, s->exp.pair, s->exp.y, s->exp.use},
                {lambdas[i / 2], s->obs.rho, s->obs.n, s->obs.pair, s->obs.y,
                 i % 2 ? NULL : s->obs.use}};
            reference_ridge(g, PAIRS, &x, parts, 2);
            cr_assert_eq(regret_pooled_batch_predict(f, batch, i), 0);
            for (size_t p = 0; p < PAIRS; p++) {
                cr_assert_float_eq(f[p], g[p], hopeless ? 1e-5 : 1e-9, "fit %zu, pair %zu: %g", i,
                                   p, f[p] - g[p]);
            }
        }
        regret_pooled_batch_free(batch);
        regret_left_out_free(both);
        regret_left_out_free(exp);
        regret_pooled_free(pooled);
        regret_sample_free(of_obs);
        setting_drop(s);
    }
}

/* All of OBS cannot be left out, nor any of it where the design is not iterative, nor what is not there. */
Test(pooled_iterative, a_part_of_obs_that_cannot_be_left_out_is_refused)
{
    struct setting *s = setting_draw(10, 40, 30, 11);
    setting_leave_out(s, 0, 5);
    setting_gather(s);
    setting_make_sparse(s);
    for (int iterative = 0; iterative < 2; iterative++) {
        struct regret_pooled *pooled = NULL;
        struct regret_left_out *left_out = NULL;
        s->design.iterative = iterative;
        cr_assert_eq(
            regret_pooled_create(&pooled, &s->design, s->obs_sample, s->exp_sample, 1.0, 1.0), 0);
        cr_expect_eq(regret_left_out_create_of_both(&left_out, pooled, s->part, s->obs_sample),
                     REGRET_E_INTERNAL);
        cr_expect_eq(regret_left_out_create_of_both(&left_out, pooled, s->part, s->exp_sample),
                     REGRET_E_INTERNAL);
        cr_expect_null(left_out);
        regret_pooled_free(pooled);
    }
    setting_drop(s);
}

/* Where the pairs are too many for that, a fit is taken as near as it gets, and that is told; or refused. */
Test(pooled_iterative, what_cannot_be_proven_of_many_pairs_is_told_or_refused)
{
    static const double scales[] = {1.0, 1e9};
    for (size_t k = 0; k < 2; k++) {
        struct setting *s = setting_draw(30, 120, 80, 6);
        s->obs.rho = s->exp.rho = 1e-3;
        for (size_t i = 0; i < s->obs.n; i++) {
            s->obs.y[i] *= scales[k];
        }
        setting_gather(s);
        setting_make_sparse(s);
        struct regret_pooled *pooled = NULL;
        struct regret_pooled_batch *batch = NULL;
        const struct regret_pooled_fit fit = {.lambda = 1.0};
        double f[PAIRS], g[PAIRS];
        s->design.most_direct = 1;
        cr_assert_eq(
            regret_pooled_create(&pooled, &s->design, s->obs_sample, NULL, s->obs.rho, 1.0), 0);
        cr_assert_eq(regret_pooled_batch_create(&batch, pooled, &fit, 1), 0);
        int rc = regret_pooled_batch_solve(batch, REGRET_POOLED_ERROR);
        cr_assert_eq(s->record.fallbacks, 0);
        if (k == 1) {
            cr_assert_eq(rc, REGRET_E_NUMERIC);
            cr_assert(strstr(regret_error_message(), "larger penalties") != NULL);
        } else {
            double proven = regret_pooled_batch_error(batch, 0);
            cr_assert_eq(rc, 0, "%s", regret_error_message());
            cr_assert(proven > REGRET_POOLED_ERROR && proven <= REGRET_LOOSEST_ERROR, "%g", proven);
            cr_assert_eq(s->record.fits, 1);
            cr_assert_float_eq(s->record.error, proven, 0.0);
            setting_expected(g, s, 1.0, 0);
            cr_assert_eq(regret_pooled_batch_predict(f, batch, 0), 0);
            for (size_t e = 0; e < s->obs_sample->entries; e++) {
                size_t at = s->obs_sample->pair[e];
                cr_assert(fabs(f[at] - g[at]) <= proven + 1e-9);
            }
        }
        regret_pooled_batch_free(batch);
        regret_pooled_free(pooled);
        setting_drop(s);
    }
}
