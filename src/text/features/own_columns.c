#include "text/features/own_columns.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/quantile.h"
#include "regret/svd.h"

FREED_POINTER(struct regret_svd, regret_svd_free)
FREED_POINTER(struct regret_csr, regret_csr_free)

struct number {
    size_t first; /* of its columns; SIZE_MAX: it has none, being constant */
    double *value;
    struct own_number own;
};

struct columns {
    const struct regret_csr *given;
    size_t *first;         /* [given->cols] the place of a word, of the first of a number */
    struct number *number; /* [given->cols]; of words without values */
    double *sorted;        /* room for a column */
    size_t cols;
};

struct own_moments own_moments(const double *value, size_t n)
{
    struct own_moments m = {0};
    double squares = 0.0;
    for (size_t x = 0; x < n; x++) {
        m.blank += isnan(value[x]) != 0;
    }
    double known = (double)(n - m.blank);
    for (size_t x = 0; x < n; x++) {
        m.mean += isnan(value[x]) ? 0.0 : value[x] / known;
    }
    for (size_t x = 0; x < n; x++) {
        double d = value[x] - m.mean;
        squares += isnan(d) ? 0.0 : d * d / known;
    }
    /* What is constant may not be so to the last bit. */
    m.sd = sqrt(squares) > 1e-12 * (1.0 + fabs(m.mean)) ? sqrt(squares) : 0.0;
    return m;
}

void own_number_cut(struct own_number *out, const double *sorted, size_t n)
{
    double square = 0.0;
    *out = (struct own_number){.scale = 0.0};
    for (size_t j = 0; j < OWN_STEPS; j++) {
        out->cut[j] = sorted[(j + 1) * n / (OWN_STEPS + 1)];
        for (size_t x = 0; x < n; x++) {
            out->share[j] += sorted[x] >= out->cut[j] ? 1.0 / (double)n : 0.0;
        }
        square += out->share[j] * (1.0 - out->share[j]);
    }
    out->scale = square > 0.0 ? sqrt(0.5 / square) : 0.0;
}

void own_number_put(double out[OWN_OF_NUMBER], const struct own_number *number, double v)
{
    out[0] = v * sqrt(0.5);
    for (size_t j = 0; j < OWN_STEPS; j++) {
        out[1 + j] = number->scale * ((v >= number->cut[j]) - number->share[j]);
    }
}

static void cut_number(struct number *c, double *sorted, size_t n)
{
    memcpy(sorted, c->value, n * sizeof *sorted);
    regret_sort_numbers(sorted, n);
    own_number_cut(&c->own, sorted, n);
    c->first = sorted[0] < sorted[n - 1] ? c->first : SIZE_MAX;
}

/* Which columns are numbers, and their values. */
static int read_numbers(struct columns *c)
{
    const struct regret_csr *m = c->given;
    for (size_t e = 0; e < regret_csr_entries(m); e++) {
        c->first[m->column[e]]++;
    }
    for (size_t j = 0; j < m->cols; j++) {
        TRY(c->first[j] == m->rows ? REGRET_NEW(&c->number[j].value, m->rows) : REGRET_OK);
    }
    for (size_t x = 0; x < m->rows; x++) {
        for (size_t e = m->row_start[x]; e < m->row_start[x + 1]; e++) {
            struct number *number = &c->number[m->column[e]];
            if (number->value != NULL) {
                number->value[x] = m->value[e];
            }
        }
    }
    return REGRET_OK;
}

static int lay_out(struct columns *c, const struct regret_csr *given)
{
    c->given = given;
    TRY(REGRET_NEW(&c->first, given->cols + 1));
    TRY(REGRET_NEW(&c->number, given->cols + 1));
    TRY(REGRET_NEW(&c->sorted, given->rows + 1));
    TRY(read_numbers(c));
    for (size_t j = 0; j < given->cols; j++) {
        struct number *number = &c->number[j];
        number->first = c->first[j] = c->cols;
        if (number->value != NULL) {
            cut_number(number, c->sorted, given->rows);
        }
        c->cols += number->value == NULL ? 1 : number->first != SIZE_MAX ? OWN_OF_NUMBER : 0;
    }
    return REGRET_OK;
}

static void columns_clear(struct columns *c)
{
    for (size_t j = 0; c->number != NULL && j < c->given->cols; j++) {
        regret_free(c->number[j].value);
    }
    regret_free(c->first);
    regret_free(c->number);
    regret_free(c->sorted);
}

static void put(struct regret_csr *to, size_t *at, size_t column, double value)
{
    to->column[*at] = (uint32_t)column;
    to->value[(*at)++] = value;
}

static void put_number(struct regret_csr *to, size_t *at, const struct number *c, double v)
{
    double part[OWN_OF_NUMBER];
    own_number_put(part, &c->own, v);
    for (size_t j = 0; c->first != SIZE_MAX && j < OWN_OF_NUMBER; j++) {
        put(to, at, c->first + j, part[j]);
    }
}

static int spread(struct regret_csr **out, const struct columns *c)
{
    const struct regret_csr *m = c->given;
    size_t at = 0;
    TRY(regret_csr_new(out, m->rows, c->cols, regret_csr_entries(m) * OWN_OF_NUMBER));
    for (size_t x = 0; x < m->rows; x++) {
        for (size_t e = m->row_start[x]; e < m->row_start[x + 1]; e++) {
            const struct number *number = &c->number[m->column[e]];
            if (number->value != NULL) {
                put_number(*out, &at, number, m->value[e]);
            } else {
                put(*out, &at, c->first[m->column[e]], m->value[e]);
            }
        }
        (*out)->row_start[x + 1] = at;
    }
    return REGRET_OK;
}

void columns_centre(double *x, size_t n, size_t columns)
{
    for (size_t j = 0; j < columns; j++) {
        double mean = 0.0;
        for (size_t i = 0; i < n; i++) {
            mean += x[j * n + i] / (double)n;
        }
        for (size_t i = 0; i < n; i++) {
            x[j * n + i] -= mean;
        }
    }
}

int own_columns_make(double **out, size_t *rank, const struct regret_csr *columns)
{
    struct regret_svd_options options = REGRET_SVD_OPTIONS_INIT;
    FREED_BY(columns_clear) struct columns c = {0};
    FREED_BY(regret_csr_free_at) struct regret_csr *m = NULL;
    FREED_BY(regret_svd_free_at) struct regret_svd *svd = NULL;
    *out = NULL;
    *rank = 0;
    if (columns == NULL) {
        return REGRET_OK;
    }
    TRY(lay_out(&c, columns));
    if (c.cols == 0) {
        return REGRET_OK;
    }
    options.rank = OWN_COLUMNS_RANK;
    TRY(spread(&m, &c));
    TRY(regret_svd_fit(&svd, m, NULL, &options));
    TRY(REGRET_NEW(out, columns->rows * (svd->rank + 1)));
    TRY(regret_svd_project(*out, svd, m));
    columns_centre(*out, columns->rows, svd->rank);
    *rank = svd->rank;
    return REGRET_OK;
}
