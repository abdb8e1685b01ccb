#include <string.h>

#include "base/core/try.h"
#include "estimate/fit/session.h"
#include "regret/alloc.h"
#include "regret/svd.h"

const char *regret_basis_name(enum regret_basis basis)
{
    static const char *const names[REGRET_N_BASES] = {"linear", "quadratic", "interactions"};
    return names[basis];
}

static size_t expanded_dim(enum regret_basis basis, size_t d)
{
    size_t crossed = d < REGRET_INTERACTION_DIMS ? d : REGRET_INTERACTION_DIMS;
    return basis == REGRET_BASIS_LINEAR      ? d
           : basis == REGRET_BASIS_QUADRATIC ? 2 * d
                                             : d + crossed * (crossed + 1) / 2;
}

static void product(double *out, const double *x, const double *y, size_t n)
{
    for (size_t p = 0; p < n; p++) {
        out[p] = x[p] * y[p];
    }
}

int regret_basis_expand(double **out, size_t *dim, enum regret_basis basis, const double *z,
                        size_t n_pairs, size_t z_dim, const unsigned char *train)
{
    size_t m = expanded_dim(basis, z_dim);
    FREED double *psi = NULL, *weight = NULL;
    TRY(REGRET_NEW(&psi, m * n_pairs));
    TRY(REGRET_NEW(&weight, n_pairs));
    memcpy(psi, z, z_dim * n_pairs * sizeof *psi);
    double *next = psi + z_dim * n_pairs;
    size_t crossed = z_dim < REGRET_INTERACTION_DIMS ? z_dim : REGRET_INTERACTION_DIMS;
    if (basis == REGRET_BASIS_QUADRATIC) {
        for (size_t j = 0; j < z_dim; j++, next += n_pairs) {
            product(next, z + j * n_pairs, z + j * n_pairs, n_pairs);
        }
    } else if (basis == REGRET_BASIS_INTERACTIONS) {
        for (size_t i = 0; i < crossed; i++) {
            for (size_t j = i; j < crossed; j++, next += n_pairs) {
                product(next, z + i * n_pairs, z + j * n_pairs, n_pairs);
            }
        }
    }
    for (size_t p = 0; p < n_pairs; p++) {
        weight[p] = train[p] ? 1.0 : 0.0;
    }
    TRY(regret_standardise(psi, n_pairs, m, weight, NULL));
    *out = psi;
    *dim = m;
    psi = NULL;
    return REGRET_OK;
}

int basis_design(struct regret_design *design, double **columns, enum regret_basis basis,
                 const struct regret_problem *problem)
{
    size_t dim = 0;
    TRY(regret_basis_expand(columns, &dim, basis, problem->z.value, problem->pairs, problem->z.dim,
                            problem->train));
    *design = regret_design_dense(problem->pairs, dim, *columns);
    return REGRET_OK;
}
