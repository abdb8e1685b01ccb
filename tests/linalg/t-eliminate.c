/* What is eliminated against its definition, dense. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/precondition.h"
#include "linalg/random_design.h"
#include "regret/task.h"

enum { PAIRS = 40, WORDS = 12, GROUPS = 4, COLUMNS = WORDS + GROUPS + 1 };

/* Words; a column for each of the groups that pairs belong to, which the pairs themselves have; one of numbers that only
 * contexts have. */
struct drawn {
    struct regret_csr *own, *shared;
    uint32_t group[PAIRS];
    struct regret_design design;
    size_t pair[PAIRS];
    double dense[PAIRS][COLUMNS], weight[PAIRS], h[PAIRS];
};

static void put(struct regret_csr *m, size_t *at, size_t column, double value)
{
    m->column[*at] = (uint32_t)column;
    m->value[(*at)++] = value;
}

static void draw(struct drawn *d, double scale)
{
    struct regret_rng r = regret_rng_at(3, REGRET_RNG_TEST, 90);
    size_t own = 0, shared = 0;
    double total = 0.0;
    memset(d, 0, sizeof *d);
    cr_assert_eq(regret_csr_new(&d->own, PAIRS, COLUMNS, PAIRS * (WORDS + 1)), 0);
    cr_assert_eq(regret_csr_new(&d->shared, PAIRS / 4, COLUMNS, PAIRS / 4), 0);
    for (size_t g = 0; g < PAIRS / 4; g++) {
        put(d->shared, &shared, WORDS + GROUPS, scale * regret_rng_normal(&r));
        d->shared->row_start[g + 1] = shared;
    }
    for (size_t p = 0; p < PAIRS; p++) {
        for (size_t j = 0; j < WORDS; j++) {
            put(d->own, &own, j, 0.3 * regret_rng_normal(&r));
        }
        put(d->own, &own, WORDS + p % GROUPS, scale);
        d->own->row_start[p + 1] = own;
        d->group[p] = (uint32_t)(p / 4);
        d->pair[p] = PAIRS - 1 - p;
        d->weight[p] = regret_rng_uniform(&r);
        total += d->weight[p];
    }
    for (size_t p = 0; p < PAIRS; p++) {
        d->weight[p] /= total;
        d->h[p] = sqrt(d->weight[p]);
        size_t pair = d->pair[p];
        for (size_t e = d->own->row_start[pair]; e < d->own->row_start[pair + 1]; e++) {
            d->dense[p][d->own->column[e]] += d->own->value[e];
        }
        d->dense[p][WORDS + GROUPS] += d->shared->value[d->group[pair]];
    }
    d->design = regret_design_sparse(d->own, d->shared, d->group);
}

static void drop(struct drawn *d)
{
    regret_csr_free(d->own);
    regret_csr_free(d->shared);
}

Test(eliminate, strong_columns_are_those_that_weigh_more_than_texts)
{
    static struct drawn d;
    struct strong s;
    draw(&d, 1.2);
    cr_assert_eq(strong_create(&s, &d.design, d.pair, d.weight, PAIRS), 0);
    cr_assert_eq(s.q, 0);
    cr_assert_eq(s.n_distinct, 0);
    strong_clear(&s);
    drop(&d);
    draw(&d, 5.0);
    cr_assert_eq(strong_create(&s, &d.design, d.pair, d.weight, PAIRS), 0);
    cr_assert_eq(s.q, GROUPS + 1);
    for (size_t j = 0; j < s.q; j++) {
        cr_assert_eq(s.design_column[j], WORDS + j);
        cr_assert(s.is_strong[WORDS + j]);
        double unit[GROUPS + 1] = {0};
        unit[j] = 1.0;
        for (size_t l = 0; l < PAIRS; l++) {
            cr_assert_float_eq(strong_line(&s, l, unit), d.dense[l][WORDS + j], 0.0);
        }
    }
    cr_assert_eq(s.n_distinct, PAIRS); /* every context has a number of its own */
    strong_clear(&s);
    drop(&d);
}

Test(eliminate, lines_that_are_alike_are_listed_once_and_the_columns_are_bounded)
{
    enum { MANY = MOST_STRONG + 40, LINES = 5 * MANY };
    struct regret_csr *m = NULL;
    struct strong s;
    static size_t pair[LINES];
    static double weight[LINES];
    cr_assert_eq(regret_csr_new(&m, LINES, MANY, LINES), 0);
    for (size_t l = 0; l < LINES; l++) {
        m->column[l] = (uint32_t)(l % MANY);
        m->value[l] = l % MANY < 40 ? 20.0 : 30.0; /* the first forty are the lightest */
        m->row_start[l + 1] = l + 1;
        pair[l] = l;
        weight[l] = 1.0 / LINES;
    }
    const struct regret_design design = regret_design_sparse(m, NULL, NULL);
    cr_assert_eq(strong_create(&s, &design, pair, weight, LINES), 0);
    cr_assert_eq(s.q, MOST_STRONG);
    cr_assert(!s.is_strong[39] && s.is_strong[40]);
    cr_assert_eq(s.n_distinct, MOST_STRONG + 1); /* and lines without any */
    for (size_t i = 0; i < s.n_distinct; i++) {
        cr_assert_lt(s.distinct[i], MANY, "the first of those alike");
    }
    strong_clear(&s);
    regret_csr_free(m);
}

/* Gᵢⱼ without ρ, and m. */
static void moments(double gram[GROUPS + 1][GROUPS + 1], double mean[GROUPS + 1],
                    const struct drawn *d)
{
    memset(gram, 0, (GROUPS + 1) * (GROUPS + 1) * sizeof gram[0][0]);
    memset(mean, 0, (GROUPS + 1) * sizeof *mean);
    for (size_t j = 0; j <= GROUPS; j++) {
        for (size_t l = 0; l < PAIRS; l++) {
            mean[j] += d->weight[l] * d->dense[l][WORDS + j];
        }
    }
    for (size_t i = 0; i <= GROUPS; i++) {
        for (size_t j = 0; j <= GROUPS; j++) {
            for (size_t l = 0; l < PAIRS; l++) {
                gram[i][j] += d->weight[l] * (d->dense[l][WORDS + i] - mean[i]) *
                              (d->dense[l][WORDS + j] - mean[j]);
            }
        }
    }
}

/* Xᵀ v = 0 and P P v = P v, and what is taken out is X (b, c). */
static void check_projection(const struct elimination *e, const struct drawn *d, double rho,
                             const double *mean)
{
    enum { Q = GROUPS + 1 };
    struct regret_rng r = regret_rng_at(3, REGRET_RNG_TEST, 91);
    double v[PAIRS + Q], before[PAIRS + Q], again[PAIRS + Q], c[2 * Q], none[2 * Q], along = 0.0;
    for (size_t l = 0; l < PAIRS + Q; l++) {
        before[l] = v[l] = regret_rng_normal(&r);
    }
    double b = elimination_project(v, c, e, 0, d->h, PAIRS);
    memcpy(again, v, sizeof v);
    cr_assert_float_eq(elimination_project(again, none, e, 0, d->h, PAIRS), 0.0, 1e-12);
    for (size_t l = 0; l < PAIRS; l++) {
        double taken = b;
        for (size_t j = 0; j < Q; j++) {
            taken += (d->dense[l][WORDS + j] - mean[j]) * c[j];
        }
        cr_assert_float_eq(before[l] - v[l], d->h[l] * taken, 1e-12);
        cr_assert_float_eq(again[l], v[l], 1e-12);
        along += d->h[l] * v[l];
    }
    cr_assert_float_eq(along, 0.0, 1e-12);
    for (size_t j = 0; j < Q; j++) {
        double with = sqrt(rho) * v[PAIRS + j];
        for (size_t l = 0; l < PAIRS; l++) {
            with += d->h[l] * (d->dense[l][WORDS + j] - mean[j]) * v[l];
        }
        cr_assert_float_eq(with, 0.0, 1e-11);
        cr_assert_float_eq(before[PAIRS + j] - v[PAIRS + j], sqrt(rho) * c[j], 1e-12);
    }
}

/* The largest ‖δ(b + sᵀc)‖ for ‖δv‖ = 1 without a penalty's lines, by pushing every line of v by itself: the functional
 * is linear, so its norm is that of its values at the unit vectors. */
static double norm_of_reach(const struct elimination *e, const struct drawn *d, const double *mean)
{
    enum { Q = GROUPS + 1 };
    double largest = 0.0;
    for (size_t at = 0; at < PAIRS; at++) {
        double square = 0.0;
        for (size_t l = 0; l < PAIRS; l++) {
            double v[PAIRS + Q] = {0}, c[2 * Q];
            v[l] = 1.0;
            double moved = elimination_project(v, c, e, 0, d->h, PAIRS);
            for (size_t j = 0; j < Q; j++) {
                moved += (d->dense[at][WORDS + j] - mean[j]) * c[j];
            }
            square += moved * moved;
        }
        largest = fmax(largest, sqrt(square));
    }
    return largest;
}

Test(eliminate, is_the_projection_that_it_says_and_reaches_as_far)
{
    static struct drawn d;
    static const double rhos[] = {1e-6, 0.1, 10.0};
    double gram[GROUPS + 1][GROUPS + 1], mean[GROUPS + 1], reach = 0.0;
    for (size_t k = 0; k < 3; k++) {
        struct strong s;
        struct elimination e;
        draw(&d, 5.0);
        moments(gram, mean, &d);
        cr_assert_eq(strong_create(&s, &d.design, d.pair, d.weight, PAIRS), 0);
        cr_assert_eq(elimination_init(&e, &s, 1), 0);
        cr_assert_eq(elimination_set(&e, 0, gram[0], GROUPS + 1, mean, rhos[k]), 0);
        check_projection(&e, &d, rhos[k], mean);
        cr_assert_eq(elimination_reach(&reach, &e, 0, PAIRS), 0);
        double norm = norm_of_reach(&e, &d, mean);
        cr_assert_float_eq(reach, norm, 1e-6 * norm, "%.12g, %.12g", reach, norm);
        elimination_clear(&e);
        strong_clear(&s);
        drop(&d);
    }
}

/* Nothing but the intercept: P = I − h hᵀ. */
Test(eliminate, without_strong_columns_takes_out_the_mean)
{
    const struct strong none = {0};
    struct elimination e;
    double h[2] = {0.6, 0.8}, v[2] = {1.0, 1.0}, reach = 0.0, mean = 0.0;
    cr_assert_eq(elimination_init(&e, &none, 1), 0);
    cr_assert_eq(elimination_set(&e, 0, &mean, 1, &mean, 0.5), 0);
    cr_assert_float_eq(elimination_project(v, NULL, &e, 0, h, 2), 1.4, 1e-15);
    cr_assert_float_eq(v[0], 1.0 - 1.4 * 0.6, 1e-15);
    cr_assert_eq(elimination_reach(&reach, &e, 0, 2), 0);
    cr_assert_float_eq(reach, 1.0, 0.0);
    elimination_clear(&e);
}
