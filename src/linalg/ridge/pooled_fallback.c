#include "linalg/ridge/pooled_fallback.h"

#include <string.h>

#include "base/core/try.h"
#include "linalg/design/design.h"
#include "linalg/iterative/iterative.h"
#include "regret/alloc.h"

struct pooled_fallback {
    struct regret_coordinates coordinates;
    struct regret_design design; /* reduced to them */
    size_t n;
    struct regret_pooled **pooled; /* [n], that of the fit before where it has the same penalty */
    struct regret_left_out **part; /* [n], NULL where nothing is left out */
    double *solution;              /* n × size of a solver's */
};

static int sample_new(struct regret_sample **out, size_t most, double rows)
{
    struct regret_sample *s = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&s, 1));
    s->rows = (size_t)rows;
    TRY_CLEANUP(REGRET_NEW(&s->pair, most));
    TRY_CLEANUP(REGRET_NEW(&s->count, most));
    TRY_CLEANUP(REGRET_NEW(&s->sum, most));
    *out = s;
    s = NULL;
cleanup:
    regret_sample_free(s);
    return rc;
}

/* Squares are of no use to a solver. */
static void sample_add(struct regret_sample *s, size_t pair, double count, double sum)
{
    s->pair[s->entries] = pair;
    s->count[s->entries] = count;
    s->sum[s->entries++] = sum;
}

/* One of the samples again, by ascending pairs: those of EXP and those that only OBS has both ascend. */
static int sample_of(struct regret_sample **out, const struct iterative *it,
                     const struct iterative_sample *from)
{
    size_t a = 0, b = it->m;
    *out = NULL;
    if (from->rows <= 0.0) {
        return REGRET_OK;
    }
    TRY(sample_new(out, it->n, from->rows));
    while (a < it->m || b < it->n) {
        size_t l = b == it->n || (a < it->m && it->pair[a] < it->pair[b]) ? a++ : b++;
        if (from->count[l] > 0.0) {
            sample_add(*out, it->pair[l], from->count[l], from->sum[l]);
        }
    }
    return REGRET_OK;
}

static int leave_out(struct regret_left_out **out, const struct regret_pooled *pooled,
                     const struct iterative *it, const struct iterative_part *part)
{
    struct regret_sample *s = NULL;
    int rc;
    TRY(sample_new(&s, part->n, part->sample.rows));
    for (size_t e = 0; e < part->n; e++) {
        sample_add(s, it->pair[part->line[e]], part->sample.count[e], part->sample.sum[e]);
    }
    rc = regret_left_out_create(out, pooled, s);
    regret_sample_free(s);
    return rc;
}

static int see_pairs(struct pooled_fallback *f, const struct regret_design *design,
                     const struct iterative *it)
{
    unsigned char *seen = NULL;
    int rc;
    TRY(REGRET_NEW(&seen, design->pairs));
    for (size_t l = 0; l < it->n; l++) {
        seen[it->pair[l]] = 1;
    }
    TRY_CLEANUP(regret_coordinates_of_design(&f->coordinates, design, seen));
    f->design = regret_design_reduced(design, &f->coordinates);
cleanup:
    regret_free(seen);
    return rc;
}

static int factorise(struct regret_pooled **out, const struct pooled_fallback *f,
                     const struct iterative *it, double rho_exp)
{
    struct regret_sample *obs = NULL, *exp = NULL;
    int rc;
    TRY_CLEANUP(sample_of(&obs, it, &it->obs));
    TRY_CLEANUP(sample_of(&exp, it, &it->exp));
    rc = regret_pooled_create(out, &f->design, obs, exp, it->obs.rho,
                              rho_exp > 0.0 ? rho_exp : it->exp.rho);
cleanup:
    regret_sample_free(obs);
    regret_sample_free(exp);
    return rc;
}

static double *solution_of(const struct pooled_fallback *f, size_t i)
{
    return f->solution + i * (f->design.dim + 1);
}

static int solve(struct pooled_fallback *f, size_t i, const struct regret_pooled_fit *fit,
                 int as_before, const struct iterative *it)
{
    if (as_before) {
        f->pooled[i] = f->pooled[i - 1];
    } else {
        TRY(factorise(&f->pooled[i], f, it, fit->rho));
    }
    if (fit->left_out != NULL) {
        TRY(leave_out(&f->part[i], f->pooled[i], it, left_out_iterative(fit->left_out)));
    }
    return pooled_solve_directly(solution_of(f, i), f->pooled[i], fit->lambda, f->part[i]);
}

int pooled_fallback_create(struct pooled_fallback **out, const struct regret_pooled *pooled,
                           const struct regret_pooled_fit *fit, size_t n)
{
    struct pooled_fallback *f = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&f, 1));
    f->n = n;
    TRY_CLEANUP(see_pairs(f, &pooled->design, pooled->iterative));
    TRY_CLEANUP(REGRET_NEW(&f->pooled, n));
    TRY_CLEANUP(REGRET_NEW(&f->part, n));
    TRY_CLEANUP(REGRET_NEW(&f->solution, n * (f->design.dim + 1)));
    for (size_t i = 0; i < n; i++) {
        TRY_CLEANUP(solve(f, i, &fit[i], i > 0 && fit[i].rho == fit[i - 1].rho, pooled->iterative));
    }
    *out = f;
    f = NULL;
cleanup:
    pooled_fallback_free(f);
    return rc;
}

void pooled_fallback_free(struct pooled_fallback *f)
{
    if (f != NULL) {
        for (size_t i = 0; f->part != NULL && i < f->n; i++) {
            regret_left_out_free(f->part[i]);
        }
        for (size_t i = 0; f->pooled != NULL && i < f->n; i++) {
            if (i == 0 || f->pooled[i] != f->pooled[i - 1]) {
                regret_pooled_free(f->pooled[i]);
            }
        }
        regret_free(f->part);
        regret_free(f->solution);
        regret_free(f->pooled);
        regret_coordinates_free(&f->coordinates);
        regret_free(f);
    }
}

int pooled_fallback_predict(double *prediction, const struct pooled_fallback *f, size_t i)
{
    return regret_pooled_predict(prediction, f->pooled[i], solution_of(f, i));
}

void pooled_fallback_predict_part(double *prediction, const struct pooled_fallback *f, size_t i)
{
    regret_left_out_predict(prediction, f->part[i], solution_of(f, i));
}

int pooled_fallback_solution(double *solution, const struct pooled_fallback *f, size_t i)
{
    double *theta = NULL;
    int rc;
    TRY(REGRET_NEW(&theta, f->design.dim + 1));
    TRY_CLEANUP(pooled_coefficients(theta, f->pooled[i], solution_of(f, i)));
    rc = design_sparse_coefficients(solution, &f->design, theta);
cleanup:
    regret_free(theta);
    return rc;
}
