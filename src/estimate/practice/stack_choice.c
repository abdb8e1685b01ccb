#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/core/try.h"
#include "estimate/practice/stack.h"
#include "linalg/dense/simplex.h"
#include "regret/alloc.h"

/* Before data every kind of members that a library has weighs the same, and in it every member. */
static void start_from(double *centre, const struct stack_level *level, size_t members)
{
    size_t kinds = 0, from = 0;
    for (size_t end = 0; end < members; kinds++) {
        end = level->kind_end[kinds];
    }
    for (size_t k = 0; k < kinds; from = level->kind_end[k++]) {
        size_t end = level->kind_end[k] < members ? level->kind_end[k] : members;
        for (size_t i = from; i < end; i++) {
            centre[i] = 1.0 / (double)(kinds * (end - from));
        }
    }
}

int stack_weigh(double *weight, const struct stack_level *level, size_t members, size_t k)
{
    double q[SIMPLEX_MOST * SIMPLEX_MOST] = {0.0}, c[SIMPLEX_MOST] = {0.0}, trace = 0.0;
    double centre[SIMPLEX_MOST], rows = 0.0;
    for (size_t i = 0; i < level->n; i++) {
        const double *g = level->contrast + i * level->members;
        rows += level->fold[i] != k;
        for (size_t a = 0; a < members && level->fold[i] != k; a++) {
            c[a] += g[a] * level->target[i];
            for (size_t b = 0; b < members; b++) {
                q[a * members + b] += g[a] * g[b];
            }
        }
    }
    for (size_t a = 0; a < members; a++) {
        trace += q[a * members + a];
    }
    double cost = trace > 0.0 ? level->prior * trace / ((double)members * rows) : 1.0;
    start_from(centre, level, members);
    for (size_t a = 0; a < members; a++) {
        q[a * members + a] += cost;
        c[a] += cost * centre[a];
    }
    return simplex_least_squares(weight, q, c, members);
}

static double square_of(const struct stack_level *level, size_t i, const double *weight,
                        size_t members)
{
    double gap = level->target[i];
    for (size_t m = 0; m < members; m++) {
        gap -= weight[m] * level->contrast[i * level->members + m];
    }
    return gap * gap;
}

/* (Y − m − g w)² of every row at weights that never saw its fold. */
static int cross_validate(double *loss, const struct stack_level *level, size_t members,
                          size_t folds)
{
    double weight[SIMPLEX_MOST];
    for (size_t k = 0; k < folds; k++) {
        TRY(stack_weigh(weight, level, members, k));
        for (size_t i = 0; i < level->n; i++) {
            if (level->fold[i] == k) {
                loss[i] = square_of(level, i, weight, members);
            }
        }
    }
    return REGRET_OK;
}

static double mean_of(const double *x, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i];
    }
    return sum / (double)n;
}

/* The standard error of the mean of `d`, with contexts for clusters: C/(C − 1) Σ_x (Σ_x (d − d̄))² / n². */
static int clustered_error(double *error, const double *d, const struct stack_level *level)
{
    double mean = mean_of(d, level->n), total = 0.0, clusters = 0.0, *sum = NULL;
    uint32_t last = 0;
    for (size_t i = 0; i < level->n; i++) {
        last = level->context[i] > last ? level->context[i] : last;
    }
    TRY(REGRET_NEW(&sum, 2 * ((size_t)last + 1)));
    for (size_t i = 0; i < level->n; i++) {
        double *cluster = sum + 2 * (size_t)level->context[i];
        clusters += cluster[1] == 0.0;
        cluster[0] += d[i] - mean;
        cluster[1] = 1.0;
    }
    for (size_t x = 0; x <= last; x++) {
        total += sum[2 * x] * sum[2 * x];
    }
    *error = sqrt(total * clusters / fmax(1.0, clusters - 1.0)) / (double)level->n;
    regret_free(sum);
    return REGRET_OK;
}

/* Differences from the library of least loss; the first that is as good but for rounding is chosen. */
static int compare(struct regret_estimate *e, const double *loss, const struct stack_level *level,
                   double tie_tolerance)
{
    FREED double *d = NULL;
    size_t best = 0;
    TRY(REGRET_NEW(&d, level->n));
    for (size_t l = 0; l < e->n_libraries; l++) {
        e->library[l].loss = mean_of(loss + l * level->n, level->n);
        best = e->library[l].loss < e->library[best].loss ? l : best;
    }
    e->chosen_library = best;
    double tie = regret_cv_tie(e->library[best].loss, tie_tolerance);
    for (size_t l = e->n_libraries; l-- > 0;) {
        struct regret_library *library = &e->library[l];
        for (size_t i = 0; i < level->n; i++) {
            d[i] = loss[l * level->n + i] - loss[best * level->n + i];
        }
        library->difference = mean_of(d, level->n);
        TRY(clustered_error(&library->error, d, level));
        if (l < best && library->loss <= tie) {
            e->chosen_library = l;
        }
    }
    return REGRET_OK;
}

int stack_choose(struct regret_estimate *e, const struct stack_level *level, size_t folds,
                 double tie_tolerance)
{
    FREED double *loss = NULL;
    TRY(REGRET_NEW(&loss, e->n_libraries * level->n));
    for (size_t l = 0; l < e->n_libraries; l++) {
        TRY(cross_validate(loss + l * level->n, level, e->library[l].n_members, folds));
    }
    return compare(e, loss, level, tie_tolerance);
}
