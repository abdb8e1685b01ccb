#include "linalg/pooled_setting.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "estimate/reference_ridge.h"
#include "regret/task.h"

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

struct setting *setting_draw(size_t dim, size_t n_obs, size_t n_exp, uint64_t seed)
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

void setting_leave_out(struct setting *s, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        s->exp.use[i] = 0;
        s->exp.part[i] = 1;
    }
}

void setting_gather(struct setting *s)
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

void setting_drop(struct setting *s)
{
    regret_sample_free(s->obs_sample);
    regret_sample_free(s->exp_sample);
    regret_sample_free(s->part);
    regret_csr_free(s->csr);
    free(s);
}

struct regret_design setting_design(const struct setting *s)
{
    return regret_design_dense(PAIRS, s->dim, s->columns);
}

void setting_expected(double *f, const struct setting *s, double lambda, int left_out)
{
    const struct reference_features x = {s->dim, s->lines};
    const struct reference_part parts[] = {
        {1.0 - lambda, s->exp.rho, s->exp.n, s->exp.pair, s->exp.y, left_out ? s->exp.use : NULL},
        {lambda, s->obs.rho, s->obs.n, s->obs.pair, s->obs.y, NULL}};
    reference_ridge(f, PAIRS, &x, parts, 2);
}

void setting_compare_at(const struct setting *s, const struct regret_pooled *pooled,
                        const struct regret_left_out *left_out, double lambda, double tolerance)
{
    double solution[MAX_DIM + 1], f[PAIRS], g[PAIRS], h[PAIRS];
    cr_assert_eq(regret_pooled_size(pooled), s->dim + 1);
    cr_assert_eq(regret_pooled_solve(solution, pooled, lambda, left_out), 0, "%s",
                 regret_error_message());
    cr_assert_eq(regret_pooled_predict(f, pooled, solution), 0);
    setting_expected(g, s, lambda, left_out != NULL);
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
        setting_compare_at(s, pooled, NULL, lambdas[i], tolerance);
    }
    cr_assert_eq(regret_left_out_create(&left_out, pooled, s->part),
                 design->iterative ? REGRET_OK : REGRET_E_INTERNAL);
    regret_left_out_free(left_out);
    regret_pooled_free(pooled);
}

void setting_compare_design(struct setting *s, const struct regret_design *design, double tolerance)
{
    static const double lambdas[] = {0.0, 0.05, 0.5, 0.95, 1.0};
    struct regret_pooled *pooled = NULL;
    struct regret_left_out *left_out = NULL;
    cr_assert_eq(
        regret_pooled_create(&pooled, design, s->obs_sample, s->exp_sample, s->obs.rho, s->exp.rho),
        0, "%s", regret_error_message());
    cr_assert_eq(regret_left_out_create(&left_out, pooled, s->part), 0);
    for (size_t i = 0; i < 5; i++) {
        setting_compare_at(s, pooled, NULL, lambdas[i], tolerance);
        setting_compare_at(s, pooled, left_out, lambdas[i], tolerance);
    }
    regret_left_out_free(left_out);
    regret_pooled_free(pooled);
    compare_plain(s, design, tolerance);
}

void setting_make_sparse(struct setting *s)
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
    s->csr = m;
    s->design = regret_design_sparse(m, NULL, NULL);
    s->design.iterative = 1;
    s->design.record = &s->record;
}

void setting_compare(struct setting *s, double tolerance)
{
    struct regret_design design = setting_design(s);
    setting_compare_design(s, &design, tolerance);
    setting_make_sparse(s);
    setting_compare_design(s, &s->design, 10.0 * tolerance);
}
