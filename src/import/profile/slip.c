#include "import/profile/slip.h"

#include <math.h>
#include <stdlib.h>

#include "import/profile/scale.h"

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

/* How many are slips; those are the last of x then. */
static size_t count_slips(double *x, size_t n)
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

void slip_find(struct slip *out, double *x, size_t n)
{
    struct slip s = {.n = count_slips(x, n), .least = INFINITY, .most = -INFINITY};
    for (size_t i = 0; i < n - s.n; i++) {
        s.least = fmin(s.least, x[i]);
        s.most = fmax(s.most, x[i]);
    }
    s.value = n > 0 ? x[n - 1] : 0.0;
    *out = s;
}

int scales_are_mixed(const double *x, size_t n)
{
    size_t shares = 0, between = 0, points = 0;
    for (size_t i = 0; i < n; i++) {
        if (x[i] < 0.0) {
            return 0;
        }
        shares += x[i] > 0.0 && x[i] < 1.0;
        between += x[i] > 1.0 && x[i] < 2.0;
        points += x[i] >= 2.0;
    }
    return n >= 20 && 10 * shares >= n && 10 * points >= n && 20 * between <= shares;
}

/* ---------------------------------------------------------------- what stands for nothing */

/* −1, −9, and two nines or more. */
int slip_is_code(double x)
{
    double nines = 9.0;
    while (nines < fabs(x) && nines < 1e9) {
        nines = 10.0 * nines + 9.0;
    }
    return x == -1.0 || (fabs(x) == nines && x != 9.0);
}

static double gap_of(const struct slip *s)
{
    return fmax(s->least - s->value, s->value - s->most);
}

/* Whether one value at the end of n numbers is none of the scale of the others. */
static int is_apart(const struct slip *s, size_t n)
{
    double width = s->most - s->least, gap = gap_of(s);
    const double *scale = scale_filled_by(s->least, s->most);
    int is_beyond = scale != NULL && (s->value < scale[0] || s->value > scale[1]);
    if (s->value < 0.0 && slip_is_code(s->value)) {
        return s->n > 1 && width > 0.0 && (gap >= width || is_beyond) &&
               !(s->is_next && 5 * s->n >= n);
    }
    if (s->value == 9.0 && s->least == 1.0) { /* of ratings from 1 on */
        return s->n > 1 && width > 0.0 && is_beyond && gap >= width;
    }
    return slip_is_code(s->value) ? gap >= FAR * fmax(width, 1.0)
                                  : s->n > 1 && is_beyond && gap >= FAR * width;
}

/* Among the numbers but `but` (NaN: all). */
static void find_among(struct slip *out, const double *x, size_t n, double but)
{
    double end[2] = {INFINITY, -INFINITY};
    for (size_t i = 0; i < n; i++) {
        end[0] = x[i] == but ? end[0] : fmin(end[0], x[i]);
        end[1] = x[i] == but ? end[1] : fmax(end[1], x[i]);
    }
    for (int e = 0; e < 2; e++) {
        struct slip s = {.value = end[e], .least = INFINITY, .most = -INFINITY, .other = NAN};
        int whole = 1;
        for (size_t i = 0; i < n; i++) {
            if (x[i] == s.value || x[i] == but) {
                s.n += x[i] == s.value;
                continue;
            }
            s.least = fmin(s.least, x[i]);
            s.most = fmax(s.most, x[i]);
            whole &= x[i] == floor(x[i]);
        }
        s.is_next = s.value == -1.0 && whole && gap_of(&s) == 1.0 && s.most - s.least <= 3.0;
        if (2 * s.n < n && is_apart(&s, n)) {
            *out = s;
            return;
        }
    }
    *out = (struct slip){.other = NAN};
}

void sentinel_find(struct slip *out, const double *x, size_t n)
{
    struct slip more;
    find_among(out, x, n, NAN);
    find_among(&more, x, n, out->value);
    if (out->n > 0 &&
        more.n > 0) { /* the first is counted out of those that the second is held against */
        more.n += out->n;
        more.other = more.value;
        more.value = out->value;
        *out = more;
    }
}

int zero_may_be_none(size_t *zeros, const double *x, size_t n)
{
    size_t ones = 0;
    double most = 0.0;
    int fits = 1;
    *zeros = 0;
    for (size_t i = 0; i < n; i++) {
        fits &= x[i] >= 0.0 && x[i] == floor(x[i]);
        *zeros += x[i] == 0.0;
        ones += x[i] == 1.0;
        most = fmax(most, x[i]);
    }
    return fits && most >= 4.0 && most <= 10.0 && *zeros > ones && 2 * *zeros < n;
}
