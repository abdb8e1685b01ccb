#include "evaluate/sensitivity/robustness.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "evaluate/sensitivity/sweep.h"
#include "regret/alloc.h"
#include "regret/student.h"

/* Sweeps the intercept and the groups but `left_out` (n_groups: none) out of a copy of the sums. */
static size_t take_out(double *a, const struct regression *r, size_t left_out)
{
    memcpy(a, r->gram, r->m * r->m * sizeof *a);
    size_t rank = sweep(a, r->gram, r->m, REGRESSION_INTERCEPT);
    for (size_t g = 0; g < r->n_groups; g++) {
        for (size_t k = 0; k < r->group[g].n && g != left_out; k++) {
            rank += sweep(a, r->gram, r->m, r->group[g].first + k);
        }
    }
    return rank;
}

static double value_to_zero(double f)
{
    return f <= 0.0 ? 0.0 : 0.5 * (sqrt(f * f * f * f + 4.0 * f * f) - f * f);
}

int robustness_of(struct robustness *out, const struct regression *r, double level)
{
    double *a = NULL;
    size_t m = r->m, y = m - 1, d = REGRESSION_CHOICE;
    TRY(REGRET_NEW(&a, m * m));
    size_t rank = take_out(a, r, r->n_groups);
    double dd = a[d * m + d], dy = a[d * m + y], yy = a[y * m + y];
    regret_free(a);
    struct robustness s = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, yy, dd};
    s.df = (double)r->n_rows - (double)rank - 1.0;
    double left = yy - dy * dy / dd;
    if (dd > SWEEP_TOLERANCE * r->gram[d * m + d] && left > SWEEP_TOLERANCE * r->gram[y * m + y] &&
        s.df > 1.0) {
        s.value = dy / dd;
        s.error = sqrt(left / s.df / dd);
        s.t = s.value / s.error;
        s.partial_r2 = s.t * s.t / (s.t * s.t + s.df);
        double f = fabs(s.t) / sqrt(s.df);
        double chance = regret_student_quantile(0.5 * (1.0 + level), s.df - 1.0) / sqrt(s.df - 1.0);
        s.to_zero = value_to_zero(f);
        s.to_chance = value_to_zero(f - chance);
        if (f > chance && f > 1.0 / chance) { /* one that explains all of Y does it sooner */
            s.to_chance = (f * f - chance * chance) / (1.0 + f * f);
        }
    }
    *out = s;
    return REGRET_OK;
}

/* The share of a residual sum of squares that goes when more is taken out. */
static double gone(double before, double after)
{
    return before > 0.0 ? fmax(0.0, (before - after) / before) : NAN;
}

int benchmark_of(struct benchmark *out, const struct regression *r, const struct robustness *of,
                 size_t group)
{
    double *a = NULL;
    size_t m = r->m, y = m - 1, d = REGRESSION_CHOICE;
    TRY(REGRET_NEW(&a, m * m));
    take_out(a, r, group);
    double d_r2 = gone(a[d * m + d], of->choice_left);
    double y_without = a[y * m + y] - a[d * m + y] * a[d * m + y] / a[d * m + d];
    double y_with = of->without_choice - of->value * of->value * of->choice_left;
    double y_r2 = gone(y_without, y_with);
    regret_free(a);
    /* Their bounds (20), with R²_{Z~X_j|X_-j,D} for what the two share given D. */
    double with_choice = d_r2 / (1.0 - d_r2);
    double shared = d_r2 * d_r2 / ((1.0 - d_r2) * (1.0 - d_r2));
    double step = (1.0 + sqrt(shared)) / sqrt(1.0 - shared);
    double with_outcome = fmin(1.0, step * step * y_r2 / (1.0 - y_r2));
    *out = (struct benchmark){NAN, NAN, NAN};
    if (with_choice < 1.0 && shared < 1.0 && y_r2 < 1.0) {
        double bias =
            sqrt(with_outcome * with_choice / (1.0 - with_choice)) * of->error * sqrt(of->df);
        double left = fabs(of->value) - bias;
        *out = (struct benchmark){with_choice, with_outcome, of->value < 0.0 ? -left : left};
    }
    return REGRET_OK;
}
