/* Sparse designs against dense ones and against naive sums. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "linalg/design.h"
#include "linalg/random_design.h"

struct shape {
    size_t pairs, groups, dim, entries;
};
/* Blocks are of 1,024 lines: none, less than one, exactly two, and a rest. */
static const struct shape SHAPES[] = {{40, 5, 7, 25}, {40, 0, 7, 25},   {60, 3, 1, 1},
                                      {30, 4, 9, 0},  {90, 6, 5, 2048}, {90, 6, 5, 2100}};
enum { N_SHAPES = sizeof SHAPES / sizeof *SHAPES, OUTPUTS = 3 };

static double line(const struct random_design *d, size_t pair, size_t j)
{
    return j < d->dense.dim ? d->columns[j * d->dense.pairs + pair] : 1.0;
}

Test(design, lines_are_those_of_the_sum)
{
    for (size_t s = 0; s < N_SHAPES; s++) {
        struct random_design d = random_design(SHAPES[s].pairs, SHAPES[s].groups, SHAPES[s].dim, s);
        const size_t pair[4] = {3, 0, 3, SHAPES[s].pairs - 1};
        double out[4 * 10], dense[4 * 10];
        design_take_lines(out, &d.sparse, pair, 4);
        design_take_lines(dense, &d.dense, pair, 4);
        for (size_t j = 0; j <= SHAPES[s].dim; j++) {
            for (size_t e = 0; e < 4; e++) {
                cr_assert_float_eq(out[j * 4 + e], line(&d, pair[e], j), 1e-14);
                cr_assert_eq(dense[j * 4 + e], line(&d, pair[e], j));
            }
        }
        random_design_clear(&d);
    }
}

/* Σ count u uᵀ / divisor and Σ u sumᵀ / divisor by their definition; pairs may occur twice. */
static void check_moments(const struct random_design *d, const struct shape *s, int sparse)
{
    size_t q = s->dim + 1, n = s->entries;
    struct regret_rng r = regret_rng_at(s->entries, REGRET_RNG_TEST, 4);
    size_t *pair = calloc(n + 1, sizeof *pair);
    double *count = calloc(n + 1, sizeof *count), *sum = calloc(OUTPUTS * n + 1, sizeof *sum);
    double gram[100], moment[30];
    for (size_t e = 0; e < n; e++) {
        pair[e] = regret_rng_below(&r, (uint32_t)s->pairs);
        count[e] = 1.0 + (double)regret_rng_below(&r, 3);
    }
    for (size_t i = 0; i < OUTPUTS * n; i++) {
        sum[i] = regret_rng_normal(&r);
    }
    cr_assert_eq(design_moments(gram, moment, sparse ? &d->sparse : &d->dense, pair, count, sum,
                                OUTPUTS, 7.0, n),
                 REGRET_OK);
    for (size_t j = 0; j < q; j++) {
        for (size_t i = j; i < q; i++) {
            double expected = 0.0;
            for (size_t e = 0; e < n; e++) {
                expected += count[e] * line(d, pair[e], i) * line(d, pair[e], j) / 7.0;
            }
            cr_assert_float_eq(gram[j * q + i], expected, 1e-10 * fmax(1.0, fabs(expected)));
        }
        for (size_t k = 0; k < OUTPUTS; k++) {
            double expected = 0.0;
            for (size_t e = 0; e < n; e++) {
                expected += line(d, pair[e], j) * sum[k * n + e] / 7.0;
            }
            cr_assert_float_eq(moment[k * q + j], expected, 1e-10 * fmax(1.0, fabs(expected)));
        }
    }
    free(pair);
    free(count);
    free(sum);
}

Test(design, moments_are_those_of_the_definition)
{
    for (size_t s = 0; s < N_SHAPES; s++) {
        struct random_design d = random_design(SHAPES[s].pairs, SHAPES[s].groups, SHAPES[s].dim, s);
        check_moments(&d, &SHAPES[s], 1);
        check_moments(&d, &SHAPES[s], 0);
        random_design_clear(&d);
    }
}

Test(design, products_are_those_of_the_lines)
{
    for (size_t s = 0; s < N_SHAPES; s++) {
        struct random_design d = random_design(SHAPES[s].pairs, SHAPES[s].groups, SHAPES[s].dim, s);
        size_t q = SHAPES[s].dim + 1, pairs = SHAPES[s].pairs;
        double *theta = random_dense(q, OUTPUTS, s), *out = calloc(pairs * OUTPUTS, sizeof *out);
        for (int sparse = 0; sparse < 2; sparse++) {
            for (size_t outputs = 1; outputs <= OUTPUTS; outputs += 2) {
                cr_assert_eq(design_times(out, sparse ? &d.sparse : &d.dense, theta, outputs), 0);
                for (size_t i = 0; i < pairs * outputs; i++) {
                    double expected = 0.0;
                    for (size_t j = 0; j < q; j++) {
                        expected += line(&d, i % pairs, j) * theta[i / pairs * q + j];
                    }
                    cr_assert_float_eq(out[i], expected, 1e-12);
                }
            }
        }
        free(theta);
        free(out);
        random_design_clear(&d);
    }
}

/* Coordinates of some pairs: the same Gram matrix on them, and predictions that any θ of the dense
 * design gives when it lies in the span of their lines. */
Test(design, reduced)
{
    for (size_t s = 0; s < N_SHAPES; s++) {
        struct random_design d = random_design(SHAPES[s].pairs, SHAPES[s].groups, SHAPES[s].dim, s);
        size_t pairs = SHAPES[s].pairs, dim = SHAPES[s].dim, list[3];
        unsigned char *seen = calloc(pairs, 1);
        struct regret_coordinates c;
        seen[0] = seen[pairs - 1] = seen[pairs / 2] = 1;
        size_t n = 0;
        for (size_t p = 0; p < pairs; p++) {
            if (seen[p]) {
                list[n++] = p;
            }
        }
        cr_assert_eq(regret_coordinates_of_design(&c, &d.sparse, seen), 0);
        cr_assert(c.lines == n && c.rank <= n && c.rank <= dim);
        struct regret_design reduced = regret_design_reduced(&d.sparse, &c);
        double lines[3 * 4], theta[2 * 4] = {0}, *out = calloc(2 * pairs, sizeof *out);
        design_take_lines(lines, &reduced, list, n);
        for (size_t i = 0; i < n; i++) {
            cr_assert_eq(lines[c.rank * n + i], 1.0);
            for (size_t j = 0; j < n; j++) {
                double ours = 0.0, expected = 0.0;
                for (size_t k = 0; k < c.rank; k++) {
                    ours += lines[k * n + i] * lines[k * n + j];
                }
                for (size_t k = 0; k < dim; k++) {
                    expected += line(&d, list[i], k) * line(&d, list[j], k);
                }
                cr_assert_float_eq(ours, expected, 1e-12);
            }
        }
        for (size_t k = 0; k < 2 * (c.rank + 1); k++) {
            theta[k] = (double)k - 1.5;
        }
        cr_assert_eq(design_times(out, &reduced, theta, 2), 0);
        for (size_t i = 0; i < n; i++) {
            for (size_t o = 0; o < 2; o++) {
                double expected = 0.0;
                for (size_t k = 0; k <= c.rank; k++) {
                    expected += lines[k * n + i] * theta[o * (c.rank + 1) + k];
                }
                cr_assert_float_eq(out[o * pairs + list[i]], expected, 1e-11);
            }
        }
        regret_coordinates_free(&c);
        free(seen);
        free(out);
        random_design_clear(&d);
    }
}
