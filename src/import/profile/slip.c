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

int slip_is_code(double x)
{
    double nines = 9.0;
    while (nines < fabs(x)) {
        nines = 10.0 * nines + 9.0;
    }
    return x == -1.0 || (fabs(x) == nines && x != 9.0);
}

static int ascending(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* 1 where n numbers at one end, `gap` from the m others, which ascend, are beyond what these are like: farther than twice
 * the widest step among some, or than many times all that two or three span. */
static int are_apart(double gap, size_t n, const double *other, size_t m)
{
    enum { REPEATED = 2, SOME = 4, SHARE = 5 };
    double step = 0.0, range = m > 0 ? other[m - 1] - other[0] : 0.0;
    size_t distinct = 1;
    for (size_t i = 1; i < m; i++) {
        step = fmax(step, other[i] - other[i - 1]);
        distinct += other[i] > other[i - 1];
    }
    return n >= REPEATED && SHARE * m >= n && distinct >= 2 &&
           ((distinct >= SOME && gap >= 2.0 * step) || gap >= FAR * range);
}

/* Codes for "none", however many: -1 or -99 below numbers that are none of them negative, 99 above others. */
static size_t count_codes(double *x, size_t n)
{
    double least = INFINITY, most = -INFINITY;
    size_t low = 0, high = 0;
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, x[i]);
        most = fmax(most, x[i]);
    }
    if (n < 20 || (!slip_is_code(least) && !slip_is_code(most))) {
        return 0;
    }
    qsort(x, n, sizeof *x, ascending);
    while (low < n && x[low] < 0.0 && slip_is_code(x[low])) {
        low++;
    }
    while (low + high < n && x[n - 1 - high] > 0.0 && slip_is_code(x[n - 1 - high])) {
        high++;
    }
    size_t m = n - low - high;
    if (m > 0 && high > 0 && are_apart(x[low + m] - x[low + m - 1], high, x + low, m)) {
        return high;
    }
    if (m == 0 || low == 0 || x[low] < 0.0 || !are_apart(x[low] - x[low - 1], low, x + low, m)) {
        return 0;
    }
    for (size_t i = 0; i < n / 2; i++) {
        double swapped = x[i];
        x[i] = x[n - 1 - i];
        x[n - 1 - i] = swapped;
    }
    return low;
}

static size_t count_far(double *x, size_t n)
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

size_t slip_count(double *x, size_t n)
{
    size_t far = count_far(x, n);
    return far > 0 ? far : count_codes(x, n);
}
