#include "evaluate/sensitivity/sweep.h"

size_t sweep(double *a, const double *first, size_t m, size_t k)
{
    double pivot = a[k * m + k];
    if (!(pivot > SWEEP_TOLERANCE * first[k * m + k])) {
        return 0;
    }
    for (size_t i = 0; i < m; i++) {
        double factor = a[k * m + i] / pivot;
        for (size_t j = 0; j < m && i != k; j++) {
            if (j != k) {
                a[j * m + i] -= factor * a[j * m + k];
            }
        }
    }
    for (size_t i = 0; i < m; i++) { /* nothing is left of it for the others */
        a[k * m + i] = a[i * m + k] = 0.0;
    }
    return 1;
}
