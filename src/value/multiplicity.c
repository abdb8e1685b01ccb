#include "regret/multiplicity.h"

#include <math.h>
#include <stdlib.h>

#include "base/try.h"
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

int regret_holm(double *adjusted, const double *p, size_t n)
{
    struct place *places = NULL;
    size_t m = 0;
    double highest = 0.0;
    TRY(sort_places(&places, &m, p, n));
    for (size_t i = 0; i < n; i++) {
        adjusted[i] = NAN;
    }
    for (size_t i = 0; i < m; i++) {
        highest = fmax(highest, fmin(1.0, (double)(m - i) * places[i].p));
        adjusted[places[i].at] = highest;
    }
    regret_free(places);
    return REGRET_OK;
}

int regret_benjamini_hochberg(double *adjusted, const double *p, size_t n)
{
    struct place *places = NULL;
    size_t m = 0;
    double lowest = 1.0;
    TRY(sort_places(&places, &m, p, n));
    for (size_t i = 0; i < n; i++) {
        adjusted[i] = NAN;
    }
    for (size_t i = m; i-- > 0;) {
        lowest = fmin(lowest, (double)m * places[i].p / (double)(i + 1));
        adjusted[places[i].at] = lowest;
    }
    regret_free(places);
    return REGRET_OK;
}
