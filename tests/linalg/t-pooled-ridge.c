/* The pooled ridge against its dense normal equations, solved from the rows each time. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/reference_ridge.h"
#include "linalg/random_matrix.h"
#include "regret/pooled_ridge.h"

enum { PAIRS = 60, MAX_DIM = 50, MAX_ROWS = 150 };

/* Rows of both sides on one design, for both solvers. */
struct side {
    size_t n;
    uint32_t pair[MAX_ROWS];
    double y[MAX_ROWS];
    unsigned char use[MAX_ROWS]; /* not left out */
    uint32_t part[MAX_ROWS];     /* 1 when left out */
    double rho;
};
struct setting {
    size_t dim;
    double columns[PAIRS * MAX_DIM], lines[PAIRS * MAX_DIM]; /* column- and row-major */
    struct side obs, exp;
    struct regret_sample *obs_sample, *exp_sample, *part;
};

static void draw_side(struct side *s, size_t n, double rho, struct regret_rng *r)
{
    s->n = n;
    s->rho = rho;
    for (size_t i = 0; i < n; i++) {
        s->pair[i] = regret_rng_below(r, PAIRS);
        s->y[i] = 3.0 * regret_rng_normal(r) + 1.0;
        s->use[i] = 1;
        s->part[i] = 0;
    }
}

static struct setting *draw(size_t dim, size_t n_obs, size_t n_exp, uint64_t seed)
{
    struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 80);
    struct setting *s = calloc(1, sizeof *s);
    s->dim = dim;
    for (size_t i = 0; i < PAIRS * dim; i++) {
        s->lines[i] = regret_rng_normal(&r);
    }
    draw_side(&s->obs, n_obs, 0.7, &r);
    draw_side(&s->exp, n_exp, 2.5, &r);
    return s;
}

static void leave_out(struct setting *s, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        s->exp.use[i] = 0;
        s->exp.part[i] = 1;
    }
}

static void gather(struct setting *s)
{
    for (size_t p = 0; p < PAIRS; p++) {
        for (size_t j = 0; j < s->dim; j++) {
            s->columns[j * PAIRS + p] = s->lines[p * s->dim + j];
        }
    }
    cr_assert(
        !regret_sample_gather(&s->obs_sample, s->obs.pair, s->obs.y, s->obs.n, PAIRS, NULL, 0) &&
        !regret_sample_gather(&s->exp_sample, s->exp.pair, s->exp.y, s->exp.n, PAIRS, NULL, 0) &&
        !regret_sample_gather(&s->part, s->exp.pair, s->exp.y, s->exp.n, PAIRS, s->exp.part, 1));
}

static void drop(struct setting *s)
{
    regret_sample_free(s->obs_sample);
    regret_sample_free(s->exp_sample);
    regret_sample_free(s->part);
    free(s);
}

static struct regret_design design_of(const struct setting *s)
{
    return regret_design_dense(PAIRS, s->dim, s->columns);
}

static void expected(double *f, const struct setting *s, double lambda, int left_out)
{
    const struct reference_features x = {s->dim, s->lines};
    const struct reference_part parts[] = {
        {1.0 - lambda, s->exp.rho, s->exp.n, s->exp.pair, s->exp.y, left_out ? s->exp.use : NULL},
        {lambda, s->obs.rho, s->obs.n, s->obs.pair, s->obs.y, NULL}};
    reference_ridge(f, PAIRS, &x, parts, 2);
}

static void compare_at(const struct setting *s, const struct regret_pooled *pooled,
                       const struct regret_left_out *left_out, double lambda, double tolerance)
{
    double solution[MAX_DIM + 1], f[PAIRS], g[PAIRS], h[PAIRS];
    cr_assert_eq(regret_pooled_size(pooled), s->dim + 1);
    cr_assert_eq(regret_pooled_solve(solution, pooled, lambda, left_out), 0, "%s",
                 regret_error_message());
    cr_assert_eq(regret_pooled_predict(f, pooled, solution), 0);
    expected(g, s, lambda, left_out != NULL);
    for (size_t p = 0; p < PAIRS; p++) {
        cr_assert(fabs(f[p] - g[p]) <= tolerance * (1.0 + fabs(g[p])),
                  "lambda %g: pair %zu is %.17g, expected %.17g", lambda, p, f[p], g[p]);
    }
    if (left_out != NULL) {
        regret_left_out_predict(h, left_out, solution);
        for (size_t e = 0; e < s->part->entries; e++) {
            cr_assert(fabs(h[e] - g[s->part->pair[e]]) <= tolerance * (1.0 + fabs(h[e])));
        }
    }
}

/* Of a solver that takes no pencil, and leaves nothing out unless it iterates. */
static void compare_plain(struct setting *s, const struct regret_design *design, double tolerance)
{
    static const double lambdas[] = {0.0, 0.3, 1.0};
    struct regret_pooled *pooled = NULL;
    struct regret_left_out *left_out = NULL;
    cr_assert_eq(regret_pooled_create_plain(&pooled, design, s->obs_sample, s->exp_sample,
                                            s->obs.rho, s->exp.rho),
                 0, "%s", regret_error_message());
    for (size_t i = 0; i < 3; i++) {
        compare_at(s, pooled, NULL, lambdas[i], tolerance);
    }
    cr_assert_eq(regret_left_out_create(&left_out, pooled, s->part),
                 design->iterative ? REGRET_OK : REGRET_E_INTERNAL);
    regret_left_out_free(left_out);
    regret_pooled_free(pooled);
}

static void compare_design(struct setting *s, const struct regret_design *design, double tolerance)
{
    static const double lambdas[] = {0.0, 0.05, 0.5, 0.95, 1.0};
    struct regret_pooled *pooled = NULL;
    struct regret_left_out *left_out = NULL;
    cr_assert_eq(
        regret_pooled_create(&pooled, design, s->obs_sample, s->exp_sample, s->obs.rho, s->exp.rho),
        0, "%s", regret_error_message());
    cr_assert_eq(regret_left_out_create(&left_out, pooled, s->part), 0);
    for (size_t i = 0; i < 5; i++) {
        compare_at(s, pooled, NULL, lambdas[i], tolerance);
        compare_at(s, pooled, left_out, lambdas[i], tolerance);
    }
    regret_left_out_free(left_out);
    regret_pooled_free(pooled);
    compare_plain(s, design, tolerance);
}

/* The same lines as a sparse design, to be iterated in. */
static struct regret_csr *sparse_lines(const struct setting *s)
{
    struct regret_csr *m = NULL;
    cr_assert_eq(regret_csr_new(&m, PAIRS, s->dim, PAIRS * s->dim), 0);
    size_t at = 0;
    for (size_t p = 0; p < PAIRS; p++) {
        for (size_t j = 0; j < s->dim; j++) {
            m->column[at] = (uint32_t)j;
            m->value[at++] = s->lines[p * s->dim + j];
        }
        m->row_start[p + 1] = at;
    }
    return m;
}

/* Directly and by conjugate gradients. */
static void compare(struct setting *s, double tolerance)
{
    struct regret_design design = design_of(s);
    compare_design(s, &design, tolerance);
    struct regret_csr *lines = sparse_lines(s);
    design = regret_design_sparse(lines, NULL, NULL);
    design.iterative = 1;
    compare_design(s, &design, 10.0 * tolerance);
    regret_csr_free(lines);
}

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
    gather(s);
    struct regret_csr *lines = sparse_lines(s);
    struct regret_design design = regret_design_sparse(lines, NULL, NULL);
    struct regret_solver_record record = {0};
    struct regret_pooled *pooled = NULL;
    struct regret_left_out *left_out = NULL;
    struct regret_pooled_batch *batch = NULL;
    struct regret_pooled_fit fit[FITS];
    double f[PAIRS], g[PAIRS], part[PAIRS], dropped = 0.0;
    design.iterative = 1;
    design.record = &record;
    cr_assert_eq(regret_pooled_create(&pooled, &design, s->obs_sample, s->exp_sample, s->obs.rho,
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
            expected(g, s, fit[i].lambda, i % 2 == 1);
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
    cr_assert_eq(record.fits, FITS - 1);
    cr_assert(record.steps > 0 && record.fallbacks == 0 && record.error <= REGRET_POOLED_ERROR);
    regret_pooled_batch_free(batch);
    regret_left_out_free(left_out);
    regret_pooled_free(pooled);
    regret_csr_free(lines);
    drop(s);
}

Test(pooled_ridge, errors_are_what_the_residuals_prove)
{
    struct setting *s = draw(30, 120, 80, 5);
    leave_out(s, 0, 25);
    check_errors(s);
    s = draw(30, 120, 80, 7);
    strengthen(s, 30.0);
    leave_out(s, 0, 25);
    check_errors(s);
    s = draw(30, 120, 80, 8);
    strengthen(s, 10.0);
    leave_out_group(s);
    check_errors(s);
}

/* What is eliminated costs no accuracy and no way back to the direct solver, however long it is. */
Test(pooled_ridge, strong_columns_are_eliminated)
{
    static const double scales[] = {2.0, 10.0, 100.0};
    for (size_t k = 0; k < 6; k++) {
        struct setting *s = draw(k % 2 ? 30 : GROUPS + SLICES + 1, 120, 80, 20 + k);
        struct regret_solver_record record = {0};
        s->obs.rho = k < 3 ? 0.7 : 0.1;
        strengthen(s, scales[k / 2]);
        if (k < 3) {
            leave_out(s, 0, 25);
        } else {
            leave_out_group(s);
        }
        gather(s);
        struct regret_csr *lines = sparse_lines(s);
        struct regret_design design = regret_design_sparse(lines, NULL, NULL);
        design.iterative = 1;
        design.record = &record;
        compare_design(s, &design, 1e-9);
        cr_assert(record.fits > 0 && record.fallbacks == 0, "%zu: %zu, %zu", k, record.fits,
                  record.fallbacks);
        regret_csr_free(lines);
        drop(s);
    }
}

/* Columns that weigh a hundred times what others do, as those of agents do beside words: rounding leads the recurrence to
 * where it gets no further, and what it has left out is found from the residual that is really there. */
Test(pooled_ridge, a_recurrence_that_rounding_stops_begins_again)
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
Test(pooled_ridge, what_cannot_be_proven_is_solved_directly)
{
    struct setting *s = draw(30, 120, 80, 6);
    s->obs.rho = s->exp.rho = 1e-5;
    for (size_t i = 0; i < s->obs.n; i++) {
        s->obs.y[i] *= 1e4;
    }
    leave_out(s, 0, 25);
    gather(s);
    struct regret_csr *lines = sparse_lines(s);
    struct regret_design design = regret_design_sparse(lines, NULL, NULL);
    struct regret_solver_record record = {0};
    design.iterative = 1;
    design.record = &record;
    compare_design(s, &design, 1e-7);
    cr_assert_gt(record.fallbacks, 0);
    regret_csr_free(lines);
    drop(s);
}

/* Fits of several penalties at once, each as one of its own; by conjugate gradients, and where they fail. */
Test(pooled_ridge, penalties_in_one_batch)
{
    enum { FITS = 6 };
    static const double rhos[] = {100.0, 3.0, 0.5};
    for (int hopeless = 0; hopeless < 2; hopeless++) {
        struct setting *s = draw(30, 120, 80, 9);
        leave_out(s, 0, 25);
        for (size_t i = 0; hopeless && i < s->exp.n; i++) {
            s->exp.y[i] *= 1e4;
        }
        gather(s);
        struct regret_csr *lines = sparse_lines(s);
        struct regret_design design = regret_design_sparse(lines, NULL, NULL);
        struct regret_solver_record record = {0};
        struct regret_pooled *pooled = NULL;
        struct regret_left_out *left_out = NULL;
        struct regret_pooled_batch *batch = NULL;
        struct regret_pooled_fit fit[FITS];
        double f[PAIRS], g[PAIRS], part[PAIRS];
        design.iterative = 1;
        design.record = &record;
        cr_assert_eq(regret_pooled_create(&pooled, &design, NULL, s->exp_sample, 1.0, s->exp.rho),
                     0);
        cr_assert_eq(regret_left_out_create(&left_out, pooled, s->part), 0);
        for (size_t i = 0; i < FITS; i++) {
            fit[i] =
                (struct regret_pooled_fit){.left_out = i % 2 ? left_out : NULL, .rho = rhos[i / 2]};
        }
        cr_assert_eq(regret_pooled_batch_create(&batch, pooled, fit, FITS), 0);
        cr_assert_eq(regret_pooled_batch_solve(batch, REGRET_POOLED_ERROR), 0, "%s",
                     regret_error_message());
        cr_assert_eq(record.fallbacks, (size_t)hopeless);
        for (size_t i = 0; i < FITS; i++) {
            s->exp.rho = rhos[i / 2];
            expected(g, s, 0.0, i % 2 == 1);
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
        regret_csr_free(lines);
        drop(s);
    }
}

/* What is left out of both samples at once: by conjugate gradients, and where they fail. */
Test(pooled_ridge, parts_of_both_samples_are_left_out)
{
    enum { FITS = 8 };
    static const double lambdas[] = {0.0, 0.3, 0.9, 1.0};
    for (int hopeless = 0; hopeless < 2; hopeless++) {
        struct setting *s = draw(30, 120, 80, 10);
        struct regret_sample *of_obs = NULL;
        struct regret_pooled *pooled = NULL;
        struct regret_left_out *both = NULL, *exp = NULL;
        struct regret_pooled_batch *batch = NULL;
        struct regret_pooled_fit fit[FITS];
        struct regret_solver_record record = {0};
        double f[PAIRS], g[PAIRS];
        leave_out(s, 0, 25);
        for (size_t i = 0; i < s->obs.n; i++) {
            s->obs.part[i] = i % 3 == 0;
            s->obs.use[i] = !s->obs.part[i];
            s->obs.y[i] *= hopeless ? 1e4 : 1.0;
        }
        gather(s);
        cr_assert_eq(
            regret_sample_gather(&of_obs, s->obs.pair, s->obs.y, s->obs.n, PAIRS, s->obs.part, 1),
            0);
        struct regret_csr *lines = sparse_lines(s);
        struct regret_design design = regret_design_sparse(lines, NULL, NULL);
        design.iterative = 1;
        design.record = &record;
        cr_assert_eq(regret_pooled_create(&pooled, &design, s->obs_sample, s->exp_sample,
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
        cr_assert_eq(record.fallbacks, (size_t)hopeless);
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
        regret_csr_free(lines);
        drop(s);
    }
}

/* All of OBS cannot be left out, nor any of it where the design is not iterative, nor what is not there. */
Test(pooled_ridge, a_part_of_obs_that_cannot_be_left_out_is_refused)
{
    struct setting *s = draw(10, 40, 30, 11);
    leave_out(s, 0, 5);
    gather(s);
    struct regret_csr *lines = sparse_lines(s);
    struct regret_design design = regret_design_sparse(lines, NULL, NULL);
    for (int iterative = 0; iterative < 2; iterative++) {
        struct regret_pooled *pooled = NULL;
        struct regret_left_out *left_out = NULL;
        design.iterative = iterative;
        cr_assert_eq(regret_pooled_create(&pooled, &design, s->obs_sample, s->exp_sample, 1.0, 1.0),
                     0);
        cr_expect_eq(regret_left_out_create_of_both(&left_out, pooled, s->part, s->obs_sample),
                     REGRET_E_INTERNAL);
        cr_expect_eq(regret_left_out_create_of_both(&left_out, pooled, s->part, s->exp_sample),
                     REGRET_E_INTERNAL);
        cr_expect_null(left_out);
        regret_pooled_free(pooled);
    }
    regret_csr_free(lines);
    drop(s);
}

/* Where the pairs are too many for that, a fit is taken as near as it gets, and that is told; or refused. */
Test(pooled_ridge, what_cannot_be_proven_of_many_pairs_is_told_or_refused)
{
    static const double scales[] = {1.0, 1e9};
    for (size_t k = 0; k < 2; k++) {
        struct setting *s = draw(30, 120, 80, 6);
        s->obs.rho = s->exp.rho = 1e-3;
        for (size_t i = 0; i < s->obs.n; i++) {
            s->obs.y[i] *= scales[k];
        }
        gather(s);
        struct regret_csr *lines = sparse_lines(s);
        struct regret_design design = regret_design_sparse(lines, NULL, NULL);
        struct regret_solver_record record = {0};
        struct regret_pooled *pooled = NULL;
        struct regret_pooled_batch *batch = NULL;
        const struct regret_pooled_fit fit = {.lambda = 1.0};
        double f[PAIRS], g[PAIRS];
        design.iterative = 1;
        design.most_direct = 1;
        design.record = &record;
        cr_assert_eq(regret_pooled_create(&pooled, &design, s->obs_sample, NULL, s->obs.rho, 1.0),
                     0);
        cr_assert_eq(regret_pooled_batch_create(&batch, pooled, &fit, 1), 0);
        int rc = regret_pooled_batch_solve(batch, REGRET_POOLED_ERROR);
        cr_assert_eq(record.fallbacks, 0);
        if (k == 1) {
            cr_assert_eq(rc, REGRET_E_NUMERIC);
            cr_assert(strstr(regret_error_message(), "larger penalties") != NULL);
        } else {
            double proven = regret_pooled_batch_error(batch, 0);
            cr_assert_eq(rc, 0, "%s", regret_error_message());
            cr_assert(proven > REGRET_POOLED_ERROR && proven <= REGRET_LOOSEST_ERROR, "%g", proven);
            cr_assert_eq(record.fits, 1);
            cr_assert_float_eq(record.error, proven, 0.0);
            expected(g, s, 1.0, 0);
            cr_assert_eq(regret_pooled_batch_predict(f, batch, 0), 0);
            for (size_t e = 0; e < s->obs_sample->entries; e++) {
                size_t at = s->obs_sample->pair[e];
                cr_assert(fabs(f[at] - g[at]) <= proven + 1e-9);
            }
        }
        regret_pooled_batch_free(batch);
        regret_pooled_free(pooled);
        regret_csr_free(lines);
        drop(s);
    }
}

/* Left-out parts from one row to all but one, so that both ways of solving are taken. */
Test(pooled_ridge, agrees_with_the_normal_equations)
{
    static const size_t dims[] = {0, 1, 6, 30};
    static const size_t parts[] = {1, 5, 20, 40, 79};
    for (size_t d = 0; d < 4; d++) {
        for (size_t k = 0; k < 5; k++) {
            struct setting *s = draw(dims[d], 120, 80, 10 * d + k);
            leave_out(s, 0, parts[k]);
            gather(s);
            compare(s, 1e-11);
            drop(s);
        }
    }
}

/* More columns than rows, a column twice, a column of zeros, a column like the intercept, all rows
 * at one pair: the penalty alone makes the solution unique. */
Test(pooled_ridge, rank_deficient_designs)
{
    struct setting *s = draw(40, 12, 9, 60);
    leave_out(s, 3, 6);
    gather(s);
    compare(s, 1e-10);
    drop(s);
    s = draw(6, 50, 30, 61);
    for (size_t p = 0; p < PAIRS; p++) {
        s->lines[p * 6 + 1] = s->lines[p * 6];
        s->lines[p * 6 + 2] = 0.0;
        s->lines[p * 6 + 3] = 1.0;
    }
    leave_out(s, 0, 10);
    gather(s);
    compare(s, 1e-10);
    drop(s);
    s = draw(6, 50, 30, 62);
    for (size_t i = 0; i < 30; i++) {
        s->exp.pair[i] = 7;
        s->obs.pair[i] = 9;
    }
    leave_out(s, 0, 10);
    gather(s);
    compare(s, 1e-10);
    drop(s);
    s = draw(20, 1, 2, 63);
    leave_out(s, 0, 1);
    gather(s);
    compare(s, 1e-10);
    drop(s);
}

/* A penalty so small that A and B are next to singular. */
Test(pooled_ridge, tiny_and_huge_penalties)
{
    static const double rhos[][2] = {{1e-6, 1e-6}, {1e-6, 1e6}, {1e6, 1e-6}, {1e8, 1e8}};
    for (size_t k = 0; k < 4; k++) {
        struct setting *s = draw(20, 120, 80, 70 + k);
        s->obs.rho = rhos[k][0], s->exp.rho = rhos[k][1];
        leave_out(s, 0, 16);
        gather(s);
        compare(s, 1e-8);
        drop(s);
    }
}

Test(pooled_ridge, one_side_alone)
{
    struct setting *s = draw(8, 40, 30, 80);
    struct regret_design design = design_of(s);
    struct regret_pooled *pooled = NULL, *untouched = NULL;
    struct regret_left_out *left_out = NULL;
    double solution[9] = {7.0};
    struct regret_sample *empty = NULL;
    leave_out(s, 0, 4);
    gather(s);
    cr_assert_eq(regret_sample_gather(&empty, s->obs.pair, s->obs.y, 0, PAIRS, NULL, 0), 0);
    cr_assert(empty->rows == 0 && empty->entries == 0);
    for (int given = 0; given < 2; given++) { /* an empty side is an absent one */
        const struct regret_sample *none = given ? empty : NULL;
        cr_assert_eq(regret_pooled_create(&pooled, &design, none, s->exp_sample, 1.0, s->exp.rho),
                     0);
        cr_assert_eq(regret_left_out_create(&left_out, pooled, s->part), 0);
        compare_at(s, pooled, NULL, 0.0, 1e-12);
        compare_at(s, pooled, left_out, 0.0, 1e-12);
        cr_assert_eq(regret_pooled_solve(solution, pooled, 0.5, NULL), REGRET_E_INPUT);
        cr_assert_eq(regret_pooled_solve(solution, pooled, 1.0, NULL), REGRET_E_INPUT);
        regret_left_out_free(left_out);
        regret_pooled_free(pooled);
        cr_assert_eq(regret_pooled_create(&pooled, &design, s->obs_sample, none, s->obs.rho, 1.0),
                     0);
        compare_at(s, pooled, NULL, 1.0, 1e-12);
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
    drop(s);
}

Test(pooled_ridge, leaving_out_nothing_or_everything)
{
    struct setting *s = draw(8, 40, 30, 81);
    struct regret_design design = design_of(s);
    struct regret_pooled *pooled = NULL;
    struct regret_left_out *left_out = NULL;
    gather(s); /* the part is empty */
    compare(s, 1e-12);
    cr_assert_eq(regret_pooled_create(&pooled, &design, s->obs_sample, s->exp_sample, 1.0, 1.0), 0);
    cr_assert_lt(regret_left_out_create(&left_out, pooled, s->exp_sample), 0);
    cr_assert_null(left_out);
    regret_pooled_free(pooled);
    drop(s);
}

Test(pooled_ridge, bad_arguments)
{
    static const double bad[] = {0.0, -1.0, NAN};
    struct setting *s = draw(3, 20, 10, 82);
    struct regret_design design = design_of(s);
    struct regret_pooled *pooled = NULL;
    struct regret_sample *sample = NULL;
    double solution[4];
    const uint32_t outside[] = {PAIRS};
    const double y[] = {0.5};
    gather(s);
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
    drop(s);
}

/* A design that is not finite gives an error, never a number. */
Test(pooled_ridge, what_is_not_finite_is_noticed)
{
    struct setting *s = draw(3, 20, 10, 83);
    struct regret_design design = design_of(s);
    struct regret_pooled *pooled = NULL;
    double solution[4];
    s->exp.y[2] = INFINITY;
    gather(s);
    cr_assert_eq(regret_pooled_create(&pooled, &design, s->obs_sample, s->exp_sample, 1.0, 1.0), 0);
    cr_assert_eq(regret_pooled_solve(solution, pooled, 0.5, NULL), REGRET_E_NUMERIC);
    regret_pooled_free(pooled);
    drop(s);
}
