/* Products of packed sparse rows with panels of vectors, of every width and in either precision. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "linalg/random_design.h"
#include "linalg/sparse_rows.h"
#include "regret/status.h"

enum { PAIRS = 40, USED = 30, MOST = 37 };

/* ΦΦᵀ of the pairs in use, by the definition. */
static void naive_gram(double *gram, const struct random_design *d, const size_t *pair)
{
    for (size_t i = 0; i < USED; i++) {
        for (size_t k = 0; k < USED; k++) {
            gram[i * USED + k] = 0.0;
            for (size_t j = 0; j < d->dense.dim; j++) {
                const double *column = d->columns + j * PAIRS;
                gram[i * USED + k] += column[pair[i]] * column[pair[k]];
            }
        }
    }
}

/* ΦΦᵀ(factor ∘ v) of the first `rows`. */
static void naive(double *out, const double *gram, size_t rows, const double *factor,
                  const double *v)
{
    for (size_t i = 0; i < rows; i++) {
        out[i] = 0.0;
        for (size_t k = 0; k < rows; k++) {
            out[i] += gram[i * USED + k] * factor[k] * v[k];
        }
    }
}

/* The vectors asked for, of MOST that there are; the others stay as they were. */
static void compare(const double *gram, const struct sparse_rows *m, size_t rows,
                    const struct sparse_columns *v, double tolerance)
{
    double *out = calloc(rows * MOST, sizeof *out), expected[USED];
    double *scratch = malloc(sparse_rows_scratch(m) * sizeof *scratch);
    unsigned char asked[MOST] = {0};
    sparse_rows_gram(out, m, rows, v, scratch);
    for (size_t c = 0; c < v->n; c++) {
        size_t at = v->which != NULL ? v->which[c] : c;
        asked[at] = 1;
        naive(expected, gram, rows, v->factor + (v->one_factor ? 0 : at * rows),
              v->value + at * rows);
        double largest = 1.0;
        for (size_t i = 0; i < rows; i++) {
            largest = fmax(largest, fabs(expected[i]));
        }
        for (size_t i = 0; i < rows; i++) {
            cr_assert(fabs(out[at * rows + i] - expected[i]) <= tolerance * largest,
                      "%zu vectors, single %d, vector %zu, row %zu: %.17g, not %.17g", v->n,
                      v->single, at, i, out[at * rows + i], expected[i]);
        }
    }
    for (size_t c = 0; c < MOST; c++) {
        for (size_t i = 0; i < rows; i++) {
            cr_assert(asked[c] || out[c * rows + i] == 0.0);
        }
    }
    free(out);
    free(scratch);
}

static void compare_widths(const double *gram, const struct sparse_rows *m, size_t rows,
                           const double *value, const double *factor)
{
    static const size_t WIDTHS[] = {0, 1, 7, 8, 9, 15, 16, 17, 24, 25, 32, MOST};
    size_t which[MOST];
    for (size_t c = 0; c < MOST; c++) {
        which[c] = (5 * c + 3) % MOST; /* 37 is prime: all of them, mixed */
    }
    for (size_t w = 0; w < sizeof WIDTHS / sizeof *WIDTHS; w++) {
        for (int kind = 0; kind < 8; kind++) {
            struct sparse_columns v = {.lines = rows,
                                       .value = value,
                                       .factor = factor,
                                       .one_factor = kind & 1,
                                       .which = kind & 2 ? which : NULL,
                                       .n = WIDTHS[w],
                                       .single = (kind & 4) != 0};
            compare(gram, m, rows, &v, v.single ? 3e-6 : 1e-14 * (double)(rows * m->dim));
        }
    }
}

/* With groups and without; one block of columns and several; all rows and the first of them. */
Test(sparse_rows, products_are_those_of_the_definition)
{
    static const size_t DIMS[] = {1, 30, SPARSE_BLOCK, 2 * SPARSE_BLOCK + 5};
    size_t pair[USED];
    double gram[USED * USED];
    for (size_t i = 0; i < USED; i++) {
        pair[i] = (7 * i + 3) % PAIRS;
    }
    for (size_t s = 0; s < 8; s++) {
        struct random_design d = random_design(PAIRS, s % 2 ? 6 : 0, DIMS[s / 2], s);
        double *value = random_dense(USED, MOST, 10 + s),
               *factor = random_dense(USED, MOST, 20 + s);
        struct sparse_rows *m = NULL;
        cr_assert_eq(sparse_rows_create(&m, &d.sparse, pair, USED, NULL), 0);
        naive_gram(gram, &d, pair);
        compare_widths(gram, m, s % 3 == 0 ? USED / 2 : USED, value, factor);
        sparse_rows_free(m);
        free(value);
        free(factor);
        random_design_clear(&d);
    }
}

/* Whatever the panel that a vector stands in, its product is the same to the last bit in double precision. */
Test(sparse_rows, widths_do_not_change_a_product)
{
    struct random_design d = random_design(PAIRS, 6, 300, 5);
    double *value = random_dense(USED, MOST, 1), *factor = random_dense(USED, MOST, 2);
    double whole[USED * MOST], part[USED * MOST];
    size_t pair[USED];
    struct sparse_rows *m = NULL;
    for (size_t i = 0; i < USED; i++) {
        pair[i] = i;
    }
    cr_assert_eq(sparse_rows_create(&m, &d.sparse, pair, USED, NULL), 0);
    double *scratch = malloc(sparse_rows_scratch(m) * sizeof *scratch);
    struct sparse_columns v = {.lines = USED, .value = value, .factor = factor, .n = MOST};
    sparse_rows_gram(whole, m, USED, &v, scratch);
    for (v.n = 1; v.n < MOST; v.n++) {
        sparse_rows_gram(part, m, USED, &v, scratch);
        for (size_t i = 0; i < USED * v.n; i++) {
            cr_assert_eq(part[i], whole[i]);
        }
    }
    free(scratch);
    free(value);
    free(factor);
    sparse_rows_free(m);
    random_design_clear(&d);
}
