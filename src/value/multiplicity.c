#include "regret/multiplicity.h"

#include <math.h>
#include <stdlib.h>

#include "base/core/try.h"
#include "regret/alloc.h"

struct place {
    double p;
    size_t at;
};

static int ascending(const void *a, const void *b)
{
    double x = ((const struct place *)a)->p, y = ((const struct place *)b)->p;
    return (x > y) - (x < y);
}

/* The comparisons, the lowest p-value first. *out is to be freed. */
static int sort_places(struct place **out, size_t *m, const double *p, size_t n)
{
    struct place *places = NULL;
    *m = 0;
    for (size_t i = 0; i < n; i++) {
        if (p[i] < 0.0 || p[i] > 1.0) {
            return regret_fail(REGRET_E_INPUT, "p-value %zu is %g, not in [0, 1]", i, p[i]);
        }
    }
    TRY(REGRET_NEW(&places, n));
    for (size_t i = 0; i < n; i++) {
        if (!isnan(p[i])) {
            places[(*m)++] = (struct place){p[i], i};
        }
    }
    if (*m > 0) {
        qsort(places, *m, sizeof *places, ascending);
    }
    *out = places;
    return REGRET_OK;
}

/* Makes m ascending p-values the adjusted ones. */
typedef void step(struct place *places, size_t m);

static int adjust(double *adjusted, const double *p, size_t n, step *procedure)
{
    struct place *places = NULL;
    size_t m = 0;
    TRY(sort_places(&places, &m, p, n));
    procedure(places, m);
    for (size_t i = 0; i < n; i++) {
        adjusted[i] = NAN;
    }
    for (size_t i = 0; i < m; i++) {
        adjusted[places[i].at] = places[i].p;
    }
    regret_free(places);
    return REGRET_OK;
}

static void step_down(struct place *places, size_t m)
{
    double highest = 0.0;
    for (size_t i = 0; i < m; i++) {
        highest = fmax(highest, fmin(1.0, (double)(m - i) * places[i].p));
        places[i].p = highest;
    }
}

static void step_up(struct place *places, size_t m)
{
    double lowest = 1.0;
    for (size_t i = m; i-- > 0;) {
        lowest = fmin(lowest, (double)m * places[i].p / (double)(i + 1));
        places[i].p = lowest;
    }
}

int regret_holm(double *adjusted, const double *p, size_t n)
{
    return adjust(adjusted, p, n, step_down);
}

int regret_benjamini_hochberg(double *adjusted, const double *p, size_t n)
{
    return adjust(adjusted, p, n, step_up);
}
