/* The pooled ridge against its dense normal equations. */
#include <criterion/criterion.h>
#include <math.h>

#include "linalg/pooled_setting.h"

/* Left-out parts from one row to all but one, so that both ways of solving are taken. */
Test(pooled_ridge, agrees_with_the_normal_equations)
{
    static const size_t dims[] = {0, 1, 6, 30};
    static const size_t parts[] = {1, 5, 20, 40, 79};
    for (size_t d = 0; d < 4; d++) {
        for (size_t k = 0; k < 5; k++) {
            struct setting *s = setting_draw(dims[d], 120, 80, 10 * d + k);
            setting_leave_out(s, 0, parts[k]);
            setting_gather(s);
            setting_compare(s, 1e-11);
            setting_drop(s);
        }
    }
}

/* More columns than rows, a column twice, a column of zeros, a column like the intercept, all rows
 * at one pair: the penalty alone makes the solution unique. */
Test(pooled_ridge, rank_deficient_designs)
{
    struct setting *s = setting_draw(40, 12, 9, 60);
    setting_leave_out(s, 3, 6);
    setting_gather(s);
    setting_compare(s, 1e-10);
    setting_drop(s);
    s = setting_draw(6, 50, 30, 61);
    for (size_t p = 0; p < PAIRS; p++) {
        s->lines[p * 6 + 1] = s->lines[p * 6];
        s->lines[p * 6 + 2] = 0.0;
        s->lines[p * 6 + 3] = 1.0;
    }
    setting_leave_out(s, 0, 10);
    setting_gather(s);
    setting_compare(s, 1e-10);
    setting_drop(s);
    s = setting_draw(6, 50, 30, 62);
    for (size_t i = 0; i < 30; i++) {
        s->exp.pair[i] = 7;
        s->obs.pair[i] = 9;
    }
    setting_leave_out(s, 0, 10);
    setting_gather(s);
    setting_compare(s, 1e-10);
    setting_drop(s);
    s = setting_draw(20, 1, 2, 63);
    setting_leave_out(s, 0, 1);
    setting_gather(s);
    setting_compare(s, 1e-10);
    setting_drop(s);
}

/* A penalty so small that A and B are next to singular. */
Test(pooled_ridge, tiny_and_huge_penalties)
{
    static const double rhos[][2] = {{1e-6, 1e-6}, {1e-6, 1e6}, {1e6, 1e-6}, {1e8, 1e8}};
    for (size_t k = 0; k < 4; k++) {
        struct setting *s = setting_draw(20, 120, 80, 70 + k);
        s->obs.rho = rhos[k][0], s->exp.rho = rhos[k][1];
        setting_leave_out(s, 0, 16);
        setting_gather(s);
        setting_compare(s, 1e-8);
        setting_drop(s);
    }
}

Test(pooled_ridge, one_side_alone)
{
    struct setting *s = setting_draw(8, 40, 30, 80);
    struct regret_design design = setting_design(s);
    struct regret_pooled *pooled = NULL, *untouched = NULL;
    struct regret_left_out *left_out = NULL;
    double solution[9] = {7.0};
    struct regret_sample *empty = NULL;
    setting_leave_out(s, 0, 4);
    setting_gather(s);
    cr_assert_eq(regret_sample_gather(&empty, s->obs.pair, s->obs.y, 0, PAIRS, NULL, 0), 0);
    cr_assert(empty->rows == 0 && empty->entries == 0);
    for (int given = 0; given < 2; given++) { /* an empty side is an absent one */
        const struct regret_sample *none = given ? empty : NULL;
        cr_assert_eq(regret_pooled_create(&pooled, &design, none, s->exp_sample, 1.0, s->exp.rho),
                     0);
        cr_assert_eq(regret_left_out_create(&left_out, pooled, s->part), 0);
        setting_compare_at(s, pooled, NULL, 0.0, 1e-12);
        setting_compare_at(s, pooled, left_out, 0.0, 1e-12);
        cr_assert_eq(regret_pooled_solve(solution, pooled, 0.5, NULL), REGRET_E_INPUT);
        cr_assert_eq(regret_pooled_solve(solution, pooled, 1.0, NULL), REGRET_E_INPUT);
        regret_left_out_free(left_out);
        regret_pooled_free(pooled);
        cr_assert_eq(regret_pooled_create(&pooled, &design, s->obs_sample, none, s->obs.rho, 1.0),
                     0);
        setting_compare_at(s, pooled, NULL, 1.0, 1e-12);
        cr_assert_eq(regret_pooled_solve(solution, pooled, 0.5, NULL), REGRET_E_INPUT);
        left_out = NULL;
        cr_assert_lt(regret_left_out_create(&left_out, pooled, s->part), 0);
        cr_assert_null(left_out);
        regret_pooled_free(pooled);
        cr_assert_eq(regret_pooled_create(&untouched, &design, none, none, 1.0, 1.0),
                     REGRET_E_INPUT);
    }
    cr_assert_eq(solution[0], 7.0, "touched on failure");
    cr_assert_null(untouched);
    regret_sample_free(empty);
    setting_drop(s);
}

Test(pooled_ridge, leaving_out_nothing_or_everything)
{
    struct setting *s = setting_draw(8, 40, 30, 81);
    struct regret_design design = setting_design(s);
    struct regret_pooled *pooled = NULL;
    struct regret_left_out *left_out = NULL;
    setting_gather(s); /* the part is empty */
    setting_compare(s, 1e-12);
    cr_assert_eq(regret_pooled_create(&pooled, &design, s->obs_sample, s->exp_sample, 1.0, 1.0), 0);
    cr_assert_lt(regret_left_out_create(&left_out, pooled, s->exp_sample), 0);
    cr_assert_null(left_out);
    regret_pooled_free(pooled);
    setting_drop(s);
}

Test(pooled_ridge, bad_arguments)
{
    static const double bad[] = {0.0, -1.0, NAN};
    struct setting *s = setting_draw(3, 20, 10, 82);
    struct regret_design design = setting_design(s);
    struct regret_pooled *pooled = NULL;
    struct regret_sample *sample = NULL;
    double solution[4];
    const uint32_t outside[] = {PAIRS};
    const double y[] = {0.5};
    setting_gather(s);
    for (size_t i = 0; i < 3; i++) {
        cr_assert_eq(
            regret_pooled_create(&pooled, &design, s->obs_sample, s->exp_sample, bad[i], 1.0),
            REGRET_E_INPUT);
        cr_assert_eq(
            regret_pooled_create(&pooled, &design, s->obs_sample, s->exp_sample, 1.0, bad[i]),
            REGRET_E_INPUT);
    }
    cr_assert_null(pooled);
    cr_assert_lt(regret_sample_gather(&sample, outside, y, 1, PAIRS, NULL, 0), 0);
    cr_assert_null(sample);
    cr_assert_eq(regret_pooled_create(&pooled, &design, s->obs_sample, s->exp_sample, 1.0, 1.0), 0);
    cr_assert_eq(regret_pooled_solve(solution, pooled, -0.01, NULL), REGRET_E_INPUT);
    cr_assert_eq(regret_pooled_solve(solution, pooled, 1.01, NULL), REGRET_E_INPUT);
    cr_assert_eq(regret_pooled_solve(solution, pooled, NAN, NULL), REGRET_E_INPUT);
    regret_pooled_free(pooled);
    setting_drop(s);
}

/* A design that is not finite gives an error, never a number. */
Test(pooled_ridge, what_is_not_finite_is_noticed)
{
    struct setting *s = setting_draw(3, 20, 10, 83);
    struct regret_design design = setting_design(s);
    struct regret_pooled *pooled = NULL;
    double solution[4];
    s->exp.y[2] = INFINITY;
    setting_gather(s);
    cr_assert_eq(regret_pooled_create(&pooled, &design, s->obs_sample, s->exp_sample, 1.0, 1.0), 0);
    cr_assert_eq(regret_pooled_solve(solution, pooled, 0.5, NULL), REGRET_E_NUMERIC);
    regret_pooled_free(pooled);
    setting_drop(s);
}
