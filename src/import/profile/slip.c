#include "import/profile/slip.h"

#include <math.h>
#include <stdlib.h>

static const double FAR = 5.0;  /* times the largest of the others … */
static const double SKEW = 3.0; /* … or so many times what that is of their mean */

static int by_magnitude(const void *x, const void *y)
{
    double a = fabs(*(const double *)x), b = fabs(*(const double *)y);
    return (a > b) - (a < b);
}

/* 1 where no more than `few` numbers are beyond the FARth part of the largest. */
static int may_have_slips(const double *x, size_t n, size_t few)
{
    double largest = 0.0;
    size_t beyond = 0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    for (size_t i = 0; i < n; i++) {
        beyond += FAR * fabs(x[i]) > largest;
    }
    return beyond <= few;
}

size_t slip_count(double *x, size_t n)
{
    size_t few = n / 20;
    double sum = 0.0;
    if (!may_have_slips(x, n, few)) {
        return 0;
    }
    qsort(x, n, sizeof *x, by_magnitude);
    for (size_t i = 0; i < n; i++) {
        double before = i > 0 ? fabs(x[i - 1]) : 0.0, skew = before * (double)i / sum;
        if (i + few >= n && before > 0.0 && fabs(x[i]) >= before * fmax(FAR, SKEW * skew)) {
            return n - i;
        }
        sum += fabs(x[i]);
    }
    return 0;
}
