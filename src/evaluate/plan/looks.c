/* Stopping chances by recursion over the density of those that go on (Armitage, McPherson and Rowe, "Repeated significance
 * tests on accumulating data", JRSS A 132, 1969): no simulation, and no seed. */
#include "evaluate/plan/looks.h"

#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/student.h"

/* The sum of rows on the way, in units in which a row has variance 1. */
struct walk {
    size_t m;               /* points, odd */
    double *density, *next; /* [m] on −end to end */
    double end;
};

FREED_FIELDS(walk, of->density, of->next)

static double simpson(size_t i, size_t m)
{
    return (i == 0 || i == m - 1 ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) / 3.0;
}

static double normal_density(double x, double variance)
{
    return exp(-0.5 * x * x / variance) / sqrt(2.0 * acos(-1.0) * variance);
}

static double point(double end, size_t i, size_t m)
{
    return end * (2.0 * (double)i / (double)(m - 1) - 1.0);
}

/* Adds rows of the given mean sum and variance to the walk and stops all beyond `end`. Returns how likely it goes on. */
static double go_on(struct walk *w, int is_first, double mean, double variance, double end)
{
    double step = 2.0 * w->end / (double)(w->m - 1), next_step = 2.0 * end / (double)(w->m - 1);
    double all = 0.0;
    for (size_t j = 0; j < w->m; j++) {
        double y = point(end, j, w->m) - mean;
        w->next[j] = is_first ? normal_density(y, variance) : 0.0;
        for (size_t i = 0; !is_first && i < w->m; i++) {
            w->next[j] += simpson(i, w->m) * step * w->density[i] *
                          normal_density(y - point(w->end, i, w->m), variance);
        }
        all += simpson(j, w->m) * next_step * w->next[j];
    }
    double *swap = w->density;
    w->density = w->next;
    w->next = swap;
    w->end = end;
    return all;
}

static int stopping_chances(struct regret_trial_look *look, size_t n_looks, double variance,
                            double difference, int is_no)
{
    FREED_BY(walk_fields)
    struct walk w = {.m = 2 * (size_t)(30.0 + 30.0 * sqrt((double)n_looks)) + 1};
    double before = 0.0, stopped = 0.0;
    TRY(REGRET_NEW(&w.density, w.m));
    TRY(REGRET_NEW(&w.next, w.m));
    for (size_t k = 0; k < n_looks; k++) {
        double n = (double)look[k].n, rows = n - before, sd = sqrt(variance);
        double mean = difference / sd * rows;
        double left = go_on(&w, k == 0, mean, rows, look[k].anytime / sd * n);
        stopped = fmin(1.0, fmax(stopped, 1.0 - left));
        *(is_no ? &look[k].stopped_at_no : &look[k].stopped) = stopped;
        before = n;
    }
    return REGRET_OK;
}

int looks_make(struct regret_trial_look *look, size_t n_looks, size_t n, double variance,
               double difference, double level, double df_of_row)
{
    for (size_t k = 0; k < n_looks; k++) {
        size_t rows = (size_t)ceil((double)n * (double)(k + 1) / (double)n_looks);
        double m = (double)rows, sd = sqrt(variance);
        look[k] = (struct regret_trial_look){
            .n = rows,
            .fixed = regret_student_quantile(0.5 + 0.5 * level, fmax(1.0, df_of_row * m - 1.0)) *
                     sd / sqrt(m),
            .anytime = regret_anytime_half_width(sd, m, level, 0.5 * (double)n),
            .stopped = difference != 0.0 ? 1.0 : 0.0};
    }
    if (!(variance > 0.0)) {
        return REGRET_OK;
    }
    TRY(stopping_chances(look, n_looks, variance, difference, 0));
    return stopping_chances(look, n_looks, variance, 0.0, 1);
}
