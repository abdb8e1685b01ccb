/* An EXP law of (x, m, Y) with finitely many atoms, so that risks, projections and expectations are
 * finite sums. Independent of the library: elimination in long double is all it uses. */
#ifndef REGRET_TESTS_FINITE_LAW_H
#define REGRET_TESTS_FINITE_LAW_H

#include <stddef.h>
#include <stdint.h>

#include "regret/rng.h"

enum { LAW_ATOMS = 12, LAW_MAX_DIM = 8 };

struct finite_law {
    double chance[LAW_ATOMS]; /* of atom i, positive, summing to one */
    double target[LAW_ATOMS]; /* f*(atom) = E[Y | atom] */
    double spread[LAW_ATOMS]; /* Y = f* ± spread with equal chances */
};

/* A linear class {θ·v}, its features ROW-major: LAW_ATOMS × dim. */
struct linear_class {
    size_t dim;
    double value[LAW_ATOMS * LAW_MAX_DIM];
};

struct finite_law random_law(struct regret_rng *rng);
/* Standard normal features, the first of them one (the paper absorbs the intercept). */
struct linear_class random_class(struct regret_rng *rng, size_t dim);
void random_function(double *f, struct regret_rng *rng);

/* f = θ·v. */
void linear_function(double *f, const struct linear_class *c, const double *theta);
/* E[a b], the inner product of L²(P_E), and the squared norm. */
double inner(const struct finite_law *law, const double *a, const double *b);
double norm2(const struct finite_law *law, const double *a);
/* R(f) = E[(Y − f)²], summed over both outcomes of every atom. */
double risk(const struct finite_law *law, const double *f);
/* The coefficients and values of the orthogonal projection of g on the class. `theta` may be NULL.
 */
void project(double *projection, double *theta, const struct finite_law *law,
             const struct linear_class *c, const double *g);
/* The least-risk member of offset + class, found from outcomes alone: least squares of Y − offset
 * over all atoms and outcomes. */
void least_risk(double *f, const struct finite_law *law, const struct linear_class *c,
                const double *offset);

#endif
