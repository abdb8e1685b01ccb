#include "regret/two_way.h"

#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/student.h"

/* A context over all seeds. */
struct without {
    size_t held;    /* seeds that held it out */
    double shifts;  /* of those that have a mean without it, added up */
    size_t dropped; /* the others … */
    double means;   /* … and the means that go with them, added up */
};

/* By how much the mean of n numbers that add up to n·mean changes when some that add up to `sum` go. */
static double change(double mean, size_t n, size_t some, double sum)
{
    return ((double)some * mean - sum) / (double)(n - some);
}

static double jackknife(double squares, size_t n)
{
    return n > 1 ? (double)(n - 1) / (double)n * squares : NAN;
}

static void read_seeds(struct regret_two_way *w, const double *mean, size_t n)
{
    double sum = 0.0, squares = 0.0;
    for (size_t s = 0; s < n; s++) {
        sum += mean[s];
    }
    w->n_seeds = n;
    w->mean = n > 0 ? sum / (double)n : NAN;
    for (size_t s = 0; s < n && n > 1; s++) {
        double d = change(w->mean, n, 1, mean[s]);
        squares += d * d;
    }
    w->v_seeds = jackknife(squares, n);
}

/* Gathers the contexts, and what each pair of a seed and a context does alone. */
static void read_pairs(struct regret_two_way *w, struct without *contexts, const double *mean,
                       const struct regret_two_way_pair *left_out, size_t n)
{
    double squares = 0.0;
    for (size_t i = 0; i < n; i++) {
        const struct regret_two_way_pair *p = &left_out[i];
        struct without *x = &contexts[p->context];
        double d = p->shift / (double)w->n_seeds;
        x->held++;
        if (isnan(p->shift)) {
            x->dropped++;
            x->means += mean[p->seed];
            d = change(w->mean, w->n_seeds, 1, mean[p->seed]);
        } else {
            x->shifts += p->shift;
        }
        squares += d * d;
    }
    w->v_both = jackknife(squares, n);
}

static void read_contexts(struct regret_two_way *w, const struct without *contexts, size_t n)
{
    double squares = 0.0;
    for (size_t x = 0; x < n; x++) {
        const struct without *c = &contexts[x];
        double left = (double)(w->n_seeds - c->dropped);
        double d = change(w->mean, w->n_seeds, c->dropped, c->means) + c->shifts / left;
        w->n_contexts += c->held > 0;
        squares += c->held == 0 ? 0.0 : left > 0.0 ? d * d : NAN;
    }
    w->v_contexts = jackknife(squares, w->n_contexts);
}

static void make_interval(struct regret_two_way *w)
{
    double v = w->v_seeds + w->v_contexts - w->v_both, most = fmax(w->v_seeds, w->v_contexts);
    size_t fewer = w->n_seeds < w->n_contexts ? w->n_seeds : w->n_contexts;
    w->se = isnan(v) ? NAN : sqrt(fmax(v, most));
    w->df = (double)fewer - 1.0;
    double half = regret_student_quantile(0.975, w->df) * w->se;
    w->low = w->mean - half;
    w->high = w->mean + half;
}

int regret_two_way(struct regret_two_way *out, const double *mean, size_t n_seeds,
                   const struct regret_two_way_pair *left_out, size_t n, size_t n_contexts)
{
    struct regret_two_way w = {0};
    struct without *contexts = NULL;
    TRY(REGRET_NEW(&contexts, n_contexts));
    read_seeds(&w, mean, n_seeds);
    read_pairs(&w, contexts, mean, left_out, n);
    read_contexts(&w, contexts, n_contexts);
    make_interval(&w);
    regret_free(contexts);
    *out = w;
    return REGRET_OK;
}
