#include "theory/finite_law.h"

#include "estimate/reference_ridge.h"

struct finite_law random_law(struct regret_rng *rng)
{
    struct finite_law law;
    double total = 0.0;
    for (size_t i = 0; i < LAW_ATOMS; i++) {
        law.chance[i] = 0.2 + regret_rng_uniform(rng);
        law.target[i] = regret_rng_normal(rng);
        law.spread[i] = regret_rng_uniform(rng);
        total += law.chance[i];
    }
    for (size_t i = 0; i < LAW_ATOMS; i++) {
        law.chance[i] /= total;
    }
    return law;
}

struct linear_class random_class(struct regret_rng *rng, size_t dim)
{
    struct linear_class c = {.dim = dim};
    for (size_t i = 0; i < LAW_ATOMS; i++) {
        for (size_t j = 0; j < dim; j++) {
            c.value[i * dim + j] = j == 0 ? 1.0 : regret_rng_normal(rng);
        }
    }
    return c;
}

void random_function(double *f, struct regret_rng *rng)
{
    for (size_t i = 0; i < LAW_ATOMS; i++) {
        f[i] = regret_rng_normal(rng);
    }
}

void linear_function(double *f, const struct linear_class *c, const double *theta)
{
    for (size_t i = 0; i < LAW_ATOMS; i++) {
        f[i] = 0.0;
        for (size_t j = 0; j < c->dim; j++) {
            f[i] += theta[j] * c->value[i * c->dim + j];
        }
    }
}

double inner(const struct finite_law *law, const double *a, const double *b)
{
    double sum = 0.0;
    for (size_t i = 0; i < LAW_ATOMS; i++) {
        sum += law->chance[i] * a[i] * b[i];
    }
    return sum;
}

double norm2(const struct finite_law *law, const double *a)
{
    return inner(law, a, a);
}

double risk(const struct finite_law *law, const double *f)
{
    double sum = 0.0;
    for (size_t i = 0; i < LAW_ATOMS; i++) {
        double up = law->target[i] + law->spread[i] - f[i];
        double down = law->target[i] - law->spread[i] - f[i];
        sum += law->chance[i] * 0.5 * (up * up + down * down);
    }
    return sum;
}

/* Adds w·(y − θ·v)² to the normal equations [VᵀWV | VᵀWy]. */
static void add_square(long double *m, const double *v, size_t dim, double y, double w)
{
    for (size_t i = 0; i < dim; i++) {
        for (size_t j = 0; j < dim; j++) {
            m[i * (dim + 1) + j] += (long double)w * v[i] * v[j];
        }
        m[i * (dim + 1) + dim] += (long double)w * v[i] * y;
    }
}

void project(double *projection, double *theta, const struct finite_law *law,
             const struct linear_class *c, const double *g)
{
    long double m[LAW_MAX_DIM * (LAW_MAX_DIM + 1)] = {0}, solution[LAW_MAX_DIM];
    double coefficients[LAW_MAX_DIM] = {0};
    for (size_t i = 0; i < LAW_ATOMS; i++) {
        add_square(m, c->value + i * c->dim, c->dim, g[i], law->chance[i]);
    }
    reference_solve(solution, m, c->dim);
    for (size_t j = 0; j < c->dim; j++) {
        coefficients[j] = (double)solution[j];
        if (theta != NULL) {
            theta[j] = coefficients[j];
        }
    }
    linear_function(projection, c, coefficients);
}

void least_risk(double *f, const struct finite_law *law, const struct linear_class *c,
                const double *offset)
{
    long double m[LAW_MAX_DIM * (LAW_MAX_DIM + 1)] = {0}, solution[LAW_MAX_DIM];
    double coefficients[LAW_MAX_DIM] = {0};
    for (size_t i = 0; i < LAW_ATOMS; i++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            double y = law->target[i] + sign * law->spread[i];
            add_square(m, c->value + i * c->dim, c->dim, y - offset[i], 0.5 * law->chance[i]);
        }
    }
    reference_solve(solution, m, c->dim);
    for (size_t j = 0; j < c->dim; j++) {
        coefficients[j] = (double)solution[j];
    }
    linear_function(f, c, coefficients);
    for (size_t i = 0; i < LAW_ATOMS; i++) {
        f[i] += offset[i];
    }
}
