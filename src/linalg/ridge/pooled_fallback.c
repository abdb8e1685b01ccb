#include "linalg/ridge/pooled_fallback.h"

#include <string.h>

#include "base/core/try.h"
#include "linalg/design/design.h"
#include "linalg/iterative/iterative.h"
#include "regret/alloc.h"

FREED_POINTER(struct regret_left_out, regret_left_out_free)
FREED_POINTER(struct regret_sample, regret_sample_free)

/* The design in coordinates of the pairs that are seen, and what was factorised of it last. */
struct reduced {
    struct regret_coordinates coordinates;
    struct regret_design design;
    struct regret_pooled *pooled;
    double *memory; /* solution and coefficients of a fit */
};

static int sample_new(struct regret_sample **out, size_t most, double rows)
{
    FREED_BY(regret_sample_free_at) struct regret_sample *s = NULL;
    TRY(REGRET_NEW(&s, 1));
    s->rows = (size_t)rows;
    TRY(REGRET_NEW(&s->pair, most));
    TRY(REGRET_NEW(&s->count, most));
    TRY(REGRET_NEW(&s->sum, most));
    *out = s;
    s = NULL;
    return REGRET_OK;
}

/* Squares are of no use to a solver. */
static void sample_add(struct regret_sample *s, size_t pair, double count, double sum)
{
    s->pair[s->entries] = pair;
    s->count[s->entries] = count;
    s->sum[s->entries++] = sum;
}

/* Counts and sums of a sample without a part of it (NULL: with all). */
static int take_away(double **out, const struct iterative *it, const struct iterative_sample *from,
                     const struct iterative_part *part)
{
    TRY(REGRET_NEW(out, 2 * it->n));
    double *count = *out, *sum = count + it->n;
    memcpy(count, from->count, it->n * sizeof *count);
    memcpy(sum, from->sum, it->n * sizeof *sum);
    for (size_t e = 0; part != NULL && e < part->n; e++) {
        count[part->line[e]] -= part->sample.count[e];
        sum[part->line[e]] -= part->sample.sum[e];
    }
    return REGRET_OK;
}

/* One of the samples again, by ascending pairs: those of EXP and those that only OBS has both ascend. */
static int sample_of(struct regret_sample **out, const struct iterative *it,
                     const struct iterative_sample *from, const struct iterative_part *part)
{
    double rows = from->rows - (part != NULL ? part->sample.rows : 0.0);
    FREED double *count = NULL;
    size_t a = 0, b = it->m;
    *out = NULL;
    if (from->rows <= 0.0) {
        return REGRET_OK;
    }
    TRY(take_away(&count, it, from, part));
    TRY(sample_new(out, it->n, rows));
    while (a < it->m || b < it->n) {
        size_t l = b == it->n || (a < it->m && it->pair[a] < it->pair[b]) ? a++ : b++;
        if (count[l] > 0.0) {
            sample_add(*out, it->pair[l], count[l], count[it->n + l]);
        }
    }
    return REGRET_OK;
}

static int leave_out(struct regret_left_out **out, const struct regret_pooled *pooled,
                     const struct iterative *it, const struct iterative_part *part)
{
    FREED_BY(regret_sample_free_at) struct regret_sample *s = NULL;
    TRY(sample_new(&s, part->n, part->sample.rows));
    for (size_t e = 0; e < part->n; e++) {
        sample_add(s, it->pair[part->line[e]], part->sample.count[e], part->sample.sum[e]);
    }
    return regret_left_out_create(out, pooled, s);
}

static int see_pairs(struct reduced *r, const struct regret_design *design,
                     const struct iterative *it)
{
    FREED unsigned char *seen = NULL;
    TRY(REGRET_NEW(&seen, design->pairs));
    for (size_t l = 0; l < it->n; l++) {
        seen[it->pair[l]] = 1;
    }
    TRY(regret_coordinates_of_design(&r->coordinates, design, seen));
    r->design = regret_design_reduced(design, &r->coordinates);
    return REGRET_NEW(&r->memory, 2 * (r->design.dim + 1));
}

static const struct iterative_part *obs_left_out(const struct regret_pooled_fit *fit)
{
    return fit->left_out != NULL ? left_out_of_obs(fit->left_out) : NULL;
}

static int factorise(struct reduced *r, const struct iterative *it,
                     const struct regret_pooled_fit *fit)
{
    FREED_BY(regret_sample_free_at) struct regret_sample *obs = NULL;
    FREED_BY(regret_sample_free_at) struct regret_sample *exp = NULL;
    regret_pooled_free(r->pooled);
    r->pooled = NULL;
    TRY(sample_of(&obs, it, &it->obs, obs_left_out(fit)));
    TRY(sample_of(&exp, it, &it->exp, NULL));
    return regret_pooled_create(&r->pooled, &r->design, obs, exp, it->obs.rho,
                                fit->rho > 0.0 ? fit->rho : it->exp.rho);
}

static int solve(double *solution, struct reduced *r, const struct iterative *it,
                 const struct regret_pooled_fit *fit)
{
    double *x = r->memory, *theta = x + r->design.dim + 1;
    FREED_BY(regret_left_out_free_at) struct regret_left_out *part = NULL;
    if (fit->left_out != NULL) {
        TRY(leave_out(&part, r->pooled, it, left_out_iterative(fit->left_out)));
    }
    TRY(pooled_solve_directly(x, r->pooled, fit->lambda, part));
    TRY(pooled_coefficients(theta, r->pooled, x));
    return design_sparse_coefficients(solution, &r->design, theta);
}

int pooled_fallback_solve(double *solution, const struct regret_pooled *pooled,
                          const struct regret_pooled_fit *fit, size_t n)
{
    const struct iterative *it = pooled->iterative;
    struct reduced r = {.pooled = NULL};
    int rc;
    TRY_CLEANUP(see_pairs(&r, &pooled->design, it));
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || fit[i].rho != fit[i - 1].rho ||
            obs_left_out(&fit[i]) != obs_left_out(&fit[i - 1])) {
            TRY_CLEANUP(factorise(&r, it, &fit[i]));
        }
        TRY_CLEANUP(solve(solution + i * pooled->q, &r, it, &fit[i]));
    }
cleanup:
    regret_pooled_free(r.pooled);
    regret_free(r.memory);
    regret_coordinates_free(&r.coordinates);
    return rc;
}
