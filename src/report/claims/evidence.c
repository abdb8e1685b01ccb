#include "report/claims/evidence.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/families.h"

/* ---------------------------------------------------------------- bias */

/* How far the family's estimate of the agent's value is off at a seed; NaN where a list or number is not there. */
static double error_of(const struct slice *s, size_t cell, enum regret_list list, size_t family,
                       size_t agent, size_t seed)
{
    size_t oracle = regret_results_subject(s->r, REGRET_ROW_BASELINE, "oracle");
    struct regret_list_view truth =
        regret_results_list(s->r, REGRET_LIST_VALUE, oracle, cell, seed);
    struct regret_list_view own = regret_results_list(s->r, list, family, cell, seed);
    return agent < own.n && agent < truth.n ? own.number[agent] - truth.number[agent] : NAN;
}

/* The square of the agent's E[error], a number a seed. Its unbiased estimate is the mean product U of the errors of two seeds
 * (the square of their mean would have the variance in it). The products share seeds, so the numbers are those of the
 * jackknife (Tukey 1958): n U − (n − 1) U without the seed. Their mean is U, their standard error U's to first order
 * (Arvesen 1969, doi:10.1214/aoms/1177697287). */
static double squared_bias(const struct slice *s, size_t cell, enum regret_list list, size_t family,
                           size_t agent, size_t seed)
{
    double own = error_of(s, cell, list, family, agent, seed), sum = 0.0, squares = 0.0, n = 0.0;
    for (size_t k = 0; k < s->r->n_seeds; k++) {
        double e = error_of(s, cell, list, family, agent, k);
        sum += isfinite(e) ? e : 0.0;
        squares += isfinite(e) ? e * e : 0.0;
        n += isfinite(e) != 0;
    }
    return n > 2.0 ? (2.0 * own * (sum - own) - (sum * sum - squares) / (n - 1.0)) / (n - 2.0)
                   : NAN;
}

/* Its mean over the agents and the cells. */
static double seed_bias(const struct slice *s, enum regret_list list, size_t family, size_t seed)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->n_cells; i++) {
        size_t agents = regret_results_list(s->r, list, family, s->cells[i], seed).n;
        double cell = 0.0;
        for (size_t a = 0; a < agents; a++) {
            cell += squared_bias(s, s->cells[i], list, family, a, seed);
        }
        sum += agents > 0 ? cell / (double)agents : NAN;
    }
    return sum / (double)s->n_cells;
}

/* ---------------------------------------------------------------- measures */

/* The share of the cells in which the fit chose λ of at most 0.1, less half. */
static double small_share(const struct slice *s, size_t family, size_t seed)
{
    double sum = 0.0, share = 1.0 / (double)s->n_cells;
    for (size_t i = 0; i < s->n_cells; i++) {
        double y = regret_results_value(s->r, REGRET_MEASURE_LAMBDA, family, s->cells[i], seed);
        sum += isfinite(y) ? ((y <= 0.1) - 0.5) * share : NAN;
    }
    return sum;
}

/* A seed's number over the cells, NaN where it lacks one: of a measure of rows, a squared bias, or a share of fits. */
static double seed_number(const struct slice *s, int measure, size_t subject, size_t seed)
{
    return measure == MEASURE_DM_BIAS   ? seed_bias(s, REGRET_LIST_DM, subject, seed)
           : measure == MEASURE_DR_BIAS ? seed_bias(s, REGRET_LIST_DR, subject, seed)
           : measure == MEASURE_SMALL_LAMBDA
               ? small_share(s, subject, seed)
               : seed_mean(s, (enum regret_measure)measure, subject, seed);
}

double claim_mean(const struct slice *s, int measure, size_t subject)
{
    double sum = 0.0, n = 0.0;
    if (measure < REGRET_N_MEASURES) {
        return slice_estimate(s, (enum regret_measure)measure, subject).mean;
    }
    for (size_t seed = 0; seed < s->r->n_seeds; seed++) {
        double y = seed_number(s, measure, subject, seed);
        sum += isfinite(y) ? y : 0.0;
        n += isfinite(y) != 0;
    }
    return sum / n;
}

static void add_numbers(struct claim_result *f, double weight, const double *numbers)
{
    for (size_t seed = 0; seed < f->n_seeds; seed++) {
        f->d[seed] += weight * numbers[seed];
    }
}

/* The excess over the best mean of each cell, which is held fixed: in the mean over seeds it is
 * that of the table `summary`. Cells whose best is 0 have none. */
static void add_excess(struct claim_result *f, double weight, const struct claim_context *x,
                       size_t family)
{
    size_t n = 0;
    for (size_t i = 0; i < x->cells.n_cells; i++) {
        n += best_of_cell(&x->ranking, x->cells.cells[i]) > 0.0;
    }
    for (size_t seed = 0; n == 0 && seed < f->n_seeds; seed++) {
        f->d[seed] = NAN;
    }
    for (size_t i = 0; i < x->cells.n_cells; i++) {
        double best = best_of_cell(&x->ranking, x->cells.cells[i]);
        for (size_t seed = 0; best > 0.0 && seed < f->n_seeds; seed++) {
            double y = regret_in(&x->ranking, family, x->cells.cells[i], (long)seed);
            f->d[seed] += weight * 100.0 * (y / best - 1.0) / (double)n;
        }
    }
}

/* d += weight · the seed's mean over the cells, NaN where the seed lacks a number. */
static void add_mean(struct claim_result *f, double weight, const struct claim_context *x,
                     const struct slice *s, int measure, size_t subject)
{
    if (measure == MEASURE_EXCESS) {
        add_excess(f, weight, x, subject);
        return;
    }
    for (size_t seed = 0; seed < f->n_seeds; seed++) {
        f->d[seed] += weight * seed_number(s, measure, subject, seed);
    }
}

/* ---------------------------------------------------------------- choices on the other seeds */

/* The mean over the seeds but one that have both numbers; NaN where none has. */
static double mean_of_others(const double *y, const double *too, size_t n_seeds, size_t but)
{
    double sum = 0.0;
    size_t n = 0;
    for (size_t k = 0; k < n_seeds; k++) {
        if (k != but && isfinite(y[k]) && (too == NULL || isfinite(too[k]))) {
            sum += y[k];
            n++;
        }
    }
    return n > 0 ? sum / (double)n : NAN;
}

void choose_on_others(double *out, size_t n_seeds, size_t n, int sign, const double *score,
                      const double *tie)
{
    for (size_t seed = 0; seed < n_seeds; seed++) {
        double best = -INFINITY, best_tie = INFINITY;
        out[seed] = NAN;
        for (size_t i = 0; i < n; i++) {
            const double *own = score + n_seeds * i,
                         *second = tie != NULL ? tie + n_seeds * i : NULL;
            double y = sign * mean_of_others(own, second, n_seeds, seed);
            double z = tie != NULL ? mean_of_others(second, own, n_seeds, seed) : INFINITY;
            int draw = tie != NULL && fabs(y - best) < MEANS_TIE;
            if ((!draw && y > best) || (draw && z < best_tie)) {
                best = y;
                best_tie = z;
                out[seed] = tie != NULL ? second[seed] : own[seed];
            }
        }
    }
}

int better_sign(enum regret_measure m)
{
    return m == REGRET_MEASURE_TOP1 || m == REGRET_MEASURE_TOP3 || m == REGRET_MEASURE_SPEARMAN ||
                   m == REGRET_MEASURE_R2
               ? 1
               : -1;
}

int held_out_best(double *out, const struct slice *s, enum regret_measure m, const size_t *families,
                  size_t n)
{
    double *y = NULL;
    size_t n_seeds = s->r->n_seeds;
    TRY(REGRET_NEW(&y, n * n_seeds));
    for (size_t i = 0; i < n * n_seeds; i++) {
        y[i] = seed_mean(s, m, families[i / n_seeds], i % n_seeds);
    }
    choose_on_others(out, n_seeds, n, better_sign(m), y, NULL);
    regret_free(y);
    return REGRET_OK;
}

/* ---------------------------------------------------------------- amounts */

/* 1 for a family that the best is chosen among. */
static int is_candidate(const struct claim *c, const struct claim_context *x, size_t family)
{
    int is = 0;
    if (c->against == AGAINST_BEST_OBS_BASED) {
        return family_has_role(x->r, family, REGRET_ROLE_OBS_BASED);
    }
    for (size_t k = 0; c->against == AGAINST_BEST_RANKED && k < x->ranking.n; k++) {
        is |= x->ranking.families[k] == family;
    }
    for (size_t k = 0; c->against == AGAINST_BEST_OTHER && k < claim_others(c); k++) {
        is |= claim_subject(c, x, c->n_subjects + k) == family;
    }
    return is && family != claim_subject(c, x, 0);
}

/* The best of them by the mean over all seeds. */
static size_t best_candidate(const struct claim *c, const struct claim_context *x,
                             const struct slice *s)
{
    enum regret_measure m = (enum regret_measure)x->measure;
    size_t best = REGRET_NO_ROW;
    double most = -INFINITY;
    for (size_t i = 0; i < x->r->n_families; i++) {
        double mean = better_sign(m) * slice_estimate(s, m, i).mean;
        if (is_candidate(c, x, i) && mean > most) {
            most = mean;
            best = i;
        }
    }
    return best;
}

size_t counterpart(int *measure, const struct claim *c, const struct claim_context *x,
                   const struct slice *s, size_t i)
{
    *measure = x->measure;
    switch (c->against) {
    case AGAINST_NOTHING:
    case AGAINST_HALF: /* shares are less half already */
        return REGRET_NO_ROW;
    case AGAINST_OTHER:
        return claim_subject(c, x, c->n_subjects);
    case AGAINST_DM:
        *measure = x->measure == MEASURE_DR_BIAS ? MEASURE_DM_BIAS : REGRET_MEASURE_DM_RMSE;
        return claim_subject(c, x, i);
    default:
        return best_candidate(c, x, s);
    }
}

/* d −= weight · the best of the candidates, chosen on the other seeds. */
static int subtract_best(struct claim_result *f, double weight, const struct claim *c,
                         const struct claim_context *x, const struct slice *s)
{
    FREED double *best = NULL;
    size_t n = 0;
    FREED size_t *families = NULL;
    TRY(REGRET_NEW(&best, f->n_seeds));
    TRY(REGRET_NEW(&families, x->r->n_families));
    for (size_t i = 0; i < x->r->n_families; i++) {
        if (is_candidate(c, x, i)) {
            families[n++] = i;
        }
    }
    TRY(held_out_best(best, s, (enum regret_measure)x->measure, families, n));
    add_numbers(f, -weight, best);
    return REGRET_OK;
}

/* The family that is the best in each cell: were it one and the same in every cell, that would pay nothing or less
 * against one for all cells. */
static int choose_by_cell(double *out, const struct claim_context *x, const struct slice *s)
{
    FREED double *y = NULL;
    size_t n = s->r->n_seeds;
    TRY(REGRET_NEW(&y, n));
    for (size_t i = 0; i < s->n_cells; i++) {
        struct slice one = {s->r, &s->cells[i], 1};
        TRY(held_out_best(y, &one, (enum regret_measure)x->measure, x->ranking.families,
                          x->ranking.n));
        for (size_t seed = 0; seed < n; seed++) {
            out[seed] += 1.0 / (double)s->n_cells * y[seed];
        }
    }
    return REGRET_OK;
}

/* The regret of the family that leads by top-1. Of several that lead it is the one of lowest regret on those seeds: a draw
 * is no disagreement. */
static int choose_by_top1(double *out, const struct claim_context *x, const struct slice *s)
{
    size_t n = x->ranking.n, n_seeds = s->r->n_seeds;
    FREED double *top1 = NULL, *regret = NULL;
    TRY(REGRET_NEW(&top1, n * n_seeds));
    TRY(REGRET_NEW(&regret, n * n_seeds));
    for (size_t i = 0; i < n * n_seeds; i++) {
        size_t family = x->ranking.families[i / n_seeds], seed = i % n_seeds;
        top1[i] = seed_mean(s, REGRET_MEASURE_TOP1, family, seed);
        regret[i] = seed_mean(s, REGRET_MEASURE_REGRET, family, seed);
    }
    choose_on_others(out, n_seeds, n, 1, top1, regret);
    return REGRET_OK;
}

static int add_choice(struct claim_result *f, double weight, const struct claim *c,
                      const struct claim_context *x, const struct slice *s)
{
    FREED double *y = NULL;
    TRY(REGRET_NEW(&y, f->n_seeds));
    TRY((c->choice == CHOICE_BY_CELL ? choose_by_cell : choose_by_top1)(y, x, s));
    add_numbers(f, weight, y);
    return REGRET_OK;
}

int add_own(struct claim_result *f, double weight, const struct claim *c,
            const struct claim_context *x, const struct slice *s, size_t i)
{
    if (c->choice != CHOICE_NONE) {
        return add_choice(f, weight, c, x, s);
    }
    add_mean(f, weight, x, s, x->measure, claim_subject(c, x, i));
    return REGRET_OK;
}

int subtract_counterpart(struct claim_result *f, double weight, const struct claim *c,
                         const struct claim_context *x, const struct slice *s, size_t i)
{
    int m;
    if (c->against >= AGAINST_BEST_OTHER) {
        return subtract_best(f, weight, c, x, s);
    }
    size_t other = counterpart(&m, c, x, s, i);
    if (other != REGRET_NO_ROW) {
        add_mean(f, -weight, x, s, m, other);
    }
    return REGRET_OK;
}

double margin_of(const struct claim *c, const struct claim_context *x, const struct slice *s)
{
    int m;
    size_t other = counterpart(&m, c, x, s, 0);
    size_t base = other == REGRET_NO_ROW ? claim_subject(c, x, 0) : other;
    return 0.05 * (m == REGRET_MEASURE_R2 ? 1.0 : fabs(claim_mean(s, m, base)));
}

/* ---------------------------------------------------------------- parts */

/* Moves the finite evidence to the front, rounding of equal numbers taken off. */
static size_t pack(double *d, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (isfinite(d[i])) {
            d[kept++] = fabs(d[i]) < MEANS_TIE ? 0.0 : d[i];
        }
    }
    return kept;
}

/* The interval of the part at hand, which is 0 again afterwards. */
static int take_part(struct paired *out, struct claim_result *f)
{
    size_t n = pack(f->d, f->n_seeds);
    int rc = paired_from(out, f->d, n);
    memset(f->d, 0, f->n_seeds * sizeof *f->d);
    return rc;
}

/* Shown is the part that decides: of those below 0 the one farthest from it, else the one of the
 * lowest interval (or mean, where there is no interval). */
static void keep_weakest(struct claim_result *f, const struct paired *p)
{
    const struct paired *w = &f->weakest;
    int below = p->high < 0.0, was_below = w->high < 0.0;
    int lower = !isfinite(p->low) ? p->mean < w->mean : below ? p->high < w->high : p->low < w->low;
    if (f->tested == 1 || below > was_below || (below == was_below && lower)) {
        f->weakest = *p;
    }
}

/* A part that no seed has decides nothing, but keeps the claim from holding. */
static int put_part(struct claim_result *f, const struct paired *p, int side, double value)
{
    TRY(regret_grow((void **)&f->parts, &f->capacity, f->n_parts, sizeof *f->parts, "parts"));
    int enough = p->n >= FEW_SEEDS;
    f->parts[f->n_parts++] =
        (struct claim_part){enough ? side : 0, enough ? paired_p(p, value) : NAN};
    f->tested += p->n > 0;
    return REGRET_OK;
}

int end_part_with(struct claim_result *f, const struct paired *p)
{
    TRY(put_part(f, p, (p->low > 0.0) - (p->high < 0.0), 0.0));
    if (p->n > 0) {
        keep_weakest(f, p);
    }
    return REGRET_OK;
}

int end_part(struct claim_result *f)
{
    struct paired p;
    TRY(take_part(&p, f));
    return end_part_with(f, &p);
}

/* Shown is the greatest change. */
int end_flat_part(struct claim_result *f, double margin)
{
    struct paired p;
    TRY(take_part(&p, f));
    int within = p.low > -margin && p.high<margin, outside = p.low> margin || p.high < -margin;
    TRY(put_part(f, &p, within - outside, p.mean < 0.0 ? -margin : margin));
    if (p.n > 0 && (f->tested == 1 || fabs(p.mean) > fabs(f->weakest.mean))) {
        f->weakest = p;
    }
    return REGRET_OK;
}
