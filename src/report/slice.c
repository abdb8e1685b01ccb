#include "report/slice.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "regret/task.h"
#include "stats/distributions.h"

/* A slice with room for the `n` cells, if all turn out to be in it. */
static int slice_begin(struct slice *out, const struct regret_results *r, size_t n)
{
    *out = (struct slice){r, NULL, 0};
    return REGRET_NEW(&out->cells, n);
}

int slice_all(struct slice *out, const struct regret_results *r)
{
    TRY(slice_begin(out, r, r->n_cells));
    while (out->n_cells < r->n_cells) {
        out->cells[out->n_cells] = out->n_cells;
        out->n_cells++;
    }
    return REGRET_OK;
}

void slice_free(struct slice *s)
{
    regret_free(s->cells);
    *s = (struct slice){0};
}

size_t slice_value_at(const struct slice *s, size_t i, size_t key)
{
    return regret_results_key_value(s->r, s->cells[i], key);
}

const char *slice_value(const struct slice *s, size_t key)
{
    return regret_results_key_text(s->r, s->cells[0], key);
}

int mean_is_below(double a, double b)
{
    return a < b - MEANS_TIE;
}

/* Over the seeds that have the number; NaN when none has. */
static double cell_mean(const struct regret_results *r, enum regret_measure m, size_t subject,
                        size_t cell)
{
    double sum = 0.0;
    size_t n = 0;
    for (size_t seed = 0; seed < r->n_seeds; seed++) {
        double x = regret_results_value(r, m, subject, cell, seed);
        if (isfinite(x)) {
            sum += x;
            n++;
        }
    }
    return n > 0 ? sum / (double)n : NAN;
}

double seed_mean(const struct slice *s, enum regret_measure m, size_t subject, size_t seed)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->n_cells; i++) {
        sum += regret_results_value(s->r, m, subject, s->cells[i], seed);
    }
    return s->n_cells > 0 ? sum / (double)s->n_cells : NAN;
}

/* The standard error of the seed means about their own mean, and their number; two passes. */
static void add_seeds(struct estimate *e, const struct slice *s, enum regret_measure m,
                      size_t subject)
{
    double sum = 0.0, squares = 0.0;
    for (size_t seed = 0; seed < s->r->n_seeds; seed++) {
        double x = seed_mean(s, m, subject, seed);
        if (isfinite(x)) {
            sum += x;
            e->n++;
        }
    }
    if (e->n < 2) {
        return;
    }
    double mean = sum / (double)e->n;
    for (size_t seed = 0; seed < s->r->n_seeds; seed++) {
        double x = seed_mean(s, m, subject, seed);
        squares += isfinite(x) ? (x - mean) * (x - mean) : 0.0;
    }
    e->se = sqrt(squares / (double)(e->n - 1) / (double)e->n);
}

struct estimate slice_estimate(const struct slice *s, enum regret_measure m, size_t subject)
{
    double sum = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < s->n_cells; i++) {
        double x = cell_mean(s->r, m, subject, s->cells[i]);
        if (isfinite(x)) {
            sum += x;
            n++;
        }
    }
    struct estimate e = {n > 0 ? sum / (double)n : NAN, NAN, 0};
    add_seeds(&e, s, m, subject);
    return e;
}

/* ---------------------------------------------------------------- pairs over seeds */

/* Moves the finite numbers to the front, in their order; returns how many there are. */
static size_t keep_finite(double *x, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (isfinite(x[i])) {
            x[kept++] = x[i];
        }
    }
    return kept;
}

struct paired paired_moments(const double *d, size_t n)
{
    struct paired p = {NAN, NAN, NAN, NAN, n};
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += d[i];
    }
    if (n > 0) {
        p.mean = sum / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        squares += (d[i] - p.mean) * (d[i] - p.mean);
    }
    if (n > 1) {
        p.se = sqrt(squares / (double)(n - 1) / (double)n);
    }
    return p;
}

void slice_differences(double *out, size_t *n, const struct slice *s, enum regret_measure measure_a,
                       size_t a, enum regret_measure measure_b, size_t b)
{
    for (size_t seed = 0; seed < s->r->n_seeds; seed++) {
        out[seed] = seed_mean(s, measure_a, a, seed) - seed_mean(s, measure_b, b, seed);
    }
    *n = keep_finite(out, s->r->n_seeds);
}

double half_width(double se, size_t n)
{
    return n > 1 ? regret_student_quantile(0.975, (double)(n - 1)) * se : NAN;
}

double paired_p(const struct paired *p, double value)
{
    double distance = fabs(p->mean - value);
    if (p->se > 0.0) {
        return 2.0 * regret_student_cdf(-distance / p->se, (double)p->n - 1.0);
    }
    return !(p->se >= 0.0) ? NAN : distance > 0.0 ? 0.0 : 1.0;
}

/* ---------------------------------------------------------------- families by role */

int family_is_ranked(const struct regret_results *r, size_t f)
{
    return r->subjects[f].variant_of == NULL;
}

int has_strengths(const struct regret_results *r)
{
    return regret_results_subject(r, REGRET_ROW_BASELINE, "best-bt") != REGRET_NO_ROW;
}

/* ---------------------------------------------------------------- keys */

const struct regret_reward_parameter *reward_parameter(const char *key)
{
    const struct regret_reward_parameter *p = NULL;
    size_t i = 0;
    while ((p = regret_reward_parameter_at(i)) != NULL && strcmp(p->key, key) != 0) {
        i++;
    }
    return p;
}

/* ---------------------------------------------------------------- the whole */

int table_data_make(struct table_data *out, const struct regret_results *r)
{
    FREED_BY(table_data_free) struct table_data d = {.r = r};
    TRY(REGRET_NEW(&d.ranked, r->n_families));
    TRY(slice_all(&d.all, r));
    for (size_t f = 0; f < r->n_families; f++) {
        if (family_is_ranked(r, f)) {
            d.ranked[d.n_ranked++] = f;
        }
    }
    *out = d;
    memset(&d, 0, sizeof d); /* handed on */
    return REGRET_OK;
}

void table_data_free(struct table_data *d)
{
    slice_free(&d->all);
    regret_free(d->ranked);
}
