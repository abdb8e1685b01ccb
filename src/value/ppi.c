#include "value/ppi.h"

#include <math.h>

#include "stats/distributions.h"

void regret_ppi_add_label(struct regret_ppi_sums *s, double y, double f)
{
    s->n += 1.0;
    s->y += y;
    s->f += f;
    s->yy += y * y;
    s->yf += y * f;
    s->ff += f * f;
}

void regret_ppi_add_judgement(struct regret_ppi_sums *s, double f)
{
    s->others += 1.0;
    s->other += f;
    s->other_squares += f * f;
}

/* Below it a variance of numbers of the size of one is rounding. */
static const double LEAST_VARIANCE = 1e-14;

/* Σ(a − ā)(b − b̄)/(n − 1) of sums; 0 of fewer than two. */
static double covariance(double ab, double a, double b, double n)
{
    return n > 1.0 ? (ab - a * b / n) / (n - 1.0) : 0.0;
}

static double choose_lambda(const struct regret_ppi_sums *s, int tuned)
{
    double spread = covariance(s->ff, s->f, s->f, s->n);
    if (s->others < 1.0 || (tuned && spread < LEAST_VARIANCE)) {
        return 0.0;
    }
    double slope = covariance(s->yf, s->y, s->f, s->n) / spread;
    return tuned ? fmin(fmax(slope / (1.0 + s->n / s->others), 0.0), 1.0) : 1.0;
}

void regret_ppi_mean(struct regret_ppi *out, const struct regret_ppi_sums *s, int tuned,
                     double level)
{
    double l = choose_lambda(s, tuned), n = s->n, others = s->others;
    double judged = others > 0.0 ? s->other / others : 0.0;
    double rest = covariance(s->yy, s->y, s->y, n) - 2.0 * l * covariance(s->yf, s->y, s->f, n) +
                  l * l * covariance(s->ff, s->f, s->f, n);
    double of_others =
        others > 0.0 ? l * l * covariance(s->other_squares, s->other, s->other, others) / others
                     : 0.0;
    out->lambda = n > 0.0 ? l : NAN;
    out->mean = l * judged + (s->y - l * s->f) / n;
    out->se = n > 1.0 ? sqrt(fmax(rest / n + of_others, 0.0)) : NAN;
    double half = out->se * regret_student_quantile((1.0 + level) / 2.0, n - 1.0);
    out->low = out->mean - half;
    out->high = out->mean + half;
}
