#include "estimate/fit/work.h"

#include "estimate/fit/session.h"
#include "linalg/iterative/iterative.h"

uint64_t work_add(uint64_t a, uint64_t b)
{
    uint64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

uint64_t work_mul(uint64_t a, uint64_t b)
{
    uint64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

uint64_t work_mul3(uint64_t a, uint64_t b, uint64_t c)
{
    return work_mul(work_mul(a, b), c);
}

uint64_t work_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

void work_moments(struct fit_work *w, const struct fit_sizes *s, uint64_t rows)
{
    if (s->sparse && s->drawn > s->columns) {
        w->scatter = work_add(w->scatter, work_mul3(rows, s->row, s->row));
    } else {
        w->block = work_add(w->block, work_mul3(rows, s->q, s->q) / 2);
    }
}

/* One solve with a fold of `m` lines left out of a system of side q: Woodbury or direct, whichever
 * is cheaper (src/linalg/ridge/left_out.c). */
static uint64_t left_out_work(uint64_t m, uint64_t q)
{
    uint64_t direct = work_mul3(q, q, q) / 3;
    return work_least(direct, work_add(work_mul3(m, m, q), work_mul3(m, m, m) / 3));
}

static void work_products(struct fit_work *w, const struct fit_sizes *s, uint64_t products)
{
    w->product = work_add(w->product, work_mul3(2, products, s->stored));
}

/* Steps of conjugate gradients of a fit that is only compared, as they were on pools of 2,000 to 46,000 pairs. */
enum { STEPS_TO_COMPARE = 13 };

static int solved_by_steps(const struct fit_sizes *s, uint64_t q)
{
    return s->iterative && q == s->q;
}

void work_ridge(struct fit_work *w, const struct fit_sizes *s, uint64_t rows, uint64_t outputs)
{
    if (s->iterative) {
        work_products(
            w, s, work_add(ITERATIVE_SKETCH_PRODUCTS, work_mul(outputs, ITERATIVE_FIT_PRODUCTS)));
    } else {
        work_moments(w, s, rows);
        w->block = work_add(w->block, work_mul3(s->q, s->q, s->q) / 6);
    }
}

void work_refits(struct fit_work *w, const struct fit_sizes *s, uint64_t fits)
{
    if (s->iterative) {
        work_products(w, s, work_mul(fits, ITERATIVE_FIT_PRODUCTS));
    } else {
        work_moments(w, s, work_add(s->obs, s->exp));
        w->block = work_add(w->block, work_mul(fits, work_mul3(s->q, s->q, s->q) / 6));
    }
}

void work_losses(struct fit_work *w, const struct fit_sizes *s, uint64_t q, uint64_t losses)
{
    uint64_t folds = s->cv_folds > 0 ? s->cv_folds : 1;
    if (s->kept) {
        return;
    }
    if (solved_by_steps(s, q)) {
        work_products(w, s, work_mul3(losses, folds, STEPS_TO_COMPARE));
        return;
    }
    uint64_t one = left_out_work(s->exp / folds + 1, q);
    w->evaluate = work_add(w->evaluate, work_mul3(losses, folds, one));
    w->scatter = work_add(w->scatter, work_mul3(losses, folds, s->pairs));
}

void work_tuning(struct fit_work *w, const struct fit_sizes *s, uint64_t q, uint64_t obs,
                 uint64_t fits, uint64_t losses)
{
    uint64_t rows = work_add(obs, s->exp);
    uint64_t fit = work_add(work_mul3(rows, q, q) / 2, work_mul3(q, q, q));
    fits = s->kept ? 1 : fits;
    w->block = work_add(w->block, work_mul(fits, work_add(fit, work_mul3(s->exp, q, q))));
    work_losses(w, s, q, work_mul(fits, losses));
}

/* `n` candidates of ρ on the `rows` distinct lines of one sample: a fit, and a solve without each of the
 * folds. One candidate is not tried. */
static void work_rho(struct fit_work *w, const struct fit_sizes *s, uint64_t rows, uint64_t n)
{
    uint64_t folds = s->cv_folds > 0 ? s->cv_folds : 1, q = s->q;
    if (n < 2 || s->kept) {
        return;
    }
    if (s->iterative) { /* all of them at once */
        work_products(w, s,
                      work_add(ITERATIVE_SKETCH_PRODUCTS, work_mul3(n, folds, STEPS_TO_COMPARE)));
        return;
    }
    for (uint64_t i = 0; i < n; i++) {
        work_moments(w, s, rows);
        w->block = work_add(w->block, work_add(work_mul3(q, q, q), work_mul3(rows, q, q)));
        w->reduce = work_add(w->reduce, work_mul3(q, q, q) / 3 * 2);
        w->evaluate = work_add(w->evaluate, work_mul(folds, left_out_work(rows / folds + 1, q)));
    }
}

void work_plain_rhos(struct fit_work *w, const struct fit_sizes *s)
{
    work_rho(w, s, s->exp, hyper_grid(s->options, &plain_rho_hyper[RHO_OF_EXP])->n);
    work_rho(w, s, s->obs, hyper_grid(s->options, &plain_rho_hyper[RHO_OF_OBS])->n);
}

void work_cross_fit(struct fit_work *w, const struct fit_sizes *s, uint64_t q)
{
    if (solved_by_steps(s, q)) { /* one batch, which is the whole's */
        work_products(w, s, work_mul(s->kept ? 0 : s->value_folds + 1, ITERATIVE_FIT_PRODUCTS));
    } else if (s->kept && q == s->q) {
        w->block = work_add(w->block, work_mul3(q, q, q) / 6);
    } else if (s->value_folds > 0) {
        uint64_t one = left_out_work(s->exp / s->value_folds + 1, q);
        w->evaluate = work_add(w->evaluate, work_mul(s->value_folds, one));
    }
}
