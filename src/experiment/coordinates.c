#include "experiment/coordinates.h"

#include <cblas.h>

#include "linalg/symmetric.h"
#include "regret/alloc.h"

/* The pairs with mark[p] != 0 when `marked`, else the others. */
static size_t list_pairs(size_t *list, const unsigned char *mark, int marked, size_t pairs)
{
    size_t n = 0;
    for (size_t p = 0; p < pairs; p++) {
        if ((mark[p] != 0) == marked) {
            list[n++] = p;
        }
    }
    return n;
}

/* Rows of the factor L (n × n, rank columns in use) belong to the drawn pairs in pivot order. */
static void place_drawn(struct coordinates *c, const double *factor, const size_t *drawn,
                        const size_t *pivot, size_t n, size_t pairs)
{
    for (size_t j = 0; j < c->rank; j++) {
        for (size_t i = j; i < n; i++) {
            c->value[j * pairs + drawn[pivot[i]]] = factor[j * n + i];
        }
    }
}

/* K(others, pivots) L₁₁⁻ᵀ. */
static int place_others(struct coordinates *c, const struct lab *lab, const double *factor,
                        const size_t *drawn, const size_t *pivot, size_t n, const size_t *other,
                        size_t m)
{
    size_t pairs = lab->pairs, rank = c->rank;
    double *cross = NULL;
    if (m == 0 || rank == 0) {
        return REGRET_OK;
    }
    int rc = REGRET_NEW(&cross, m * rank);
    if (rc != REGRET_OK) {
        return rc;
    }
    for (size_t j = 0; j < rank; j++) {
        const double *column = lab->gram + drawn[pivot[j]] * pairs;
        for (size_t i = 0; i < m; i++) {
            cross[j * m + i] = column[other[i]];
        }
    }
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, (int)m, (int)rank,
                1.0, factor, (int)n, cross, (int)m);
    for (size_t j = 0; j < rank; j++) {
        for (size_t i = 0; i < m; i++) {
            c->value[j * pairs + other[i]] = cross[j * m + i];
        }
    }
    regret_free(cross);
    return rc;
}

int coordinates_create(struct coordinates *out, const struct lab *lab, const unsigned char *drawn)
{
    struct coordinates c = {NULL, 0};
    size_t *list = NULL;
    double *k = NULL;
    int rc = REGRET_NEW(&list, 2 * lab->pairs);
    if (rc != REGRET_OK) {
        return rc;
    }
    size_t n = list_pairs(list, drawn, 1, lab->pairs);
    size_t *pivot = list + n, *other = list + 2 * n; /* n + n + (pairs - n) <= 2 pairs */
    size_t m = list_pairs(other, drawn, 0, lab->pairs);
    if ((rc = REGRET_NEW(&k, n * n)) != REGRET_OK) {
        goto cleanup;
    }
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++) {
            k[j * n + i] = lab->gram[list[j] * lab->pairs + list[i]];
        }
    }
    if ((rc = regret_sym_pivoted_cholesky(k, pivot, &c.rank, n, SYM_RANK_TOLERANCE)) != REGRET_OK ||
        (rc = REGRET_NEW(&c.value, lab->pairs * c.rank)) != REGRET_OK) {
        goto cleanup;
    }
    place_drawn(&c, k, list, pivot, n, lab->pairs);
    rc = place_others(&c, lab, k, list, pivot, n, other, m);
cleanup:
    regret_free(list);
    regret_free(k);
    if (rc != REGRET_OK) {
        coordinates_free(&c);
        return rc;
    }
    *out = c;
    return REGRET_OK;
}

void coordinates_free(struct coordinates *c)
{
    regret_free(c->value);
    *c = (struct coordinates){NULL, 0};
}
