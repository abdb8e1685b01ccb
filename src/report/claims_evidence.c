/* The evidence of a claim, seed by seed, and what makes verdicts of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/try.h"
#include "regret/alloc.h"
#include "regret/estimate.h"
#include "report/claims.h"

/* ---------------------------------------------------------------- measures */

void add_mean(struct claim_result *f, double weight, const struct slice *s, enum regret_measure m,
              size_t subject)
{
    for (size_t seed = 0; seed < f->n_seeds; seed++) {
        f->d[seed] += weight * seed_mean(s, m, subject, seed);
    }
}

void add_numbers(struct claim_result *f, double weight, const double *numbers)
{
    for (size_t seed = 0; seed < f->n_seeds; seed++) {
        f->d[seed] += weight * numbers[seed];
    }
}

/* The family's rank, or whether it is of the three best. */
static double placed_in(const struct claim_context *x, int measure, size_t family, size_t cell,
                        long seed)
{
    double rank = rank_in(&x->ranking, family, cell, seed);
    return measure == MEASURE_RANK || !isfinite(rank) ? rank : rank <= 3.0;
}

static void add_rank(struct claim_result *f, double weight, const struct claim_context *x,
                     int measure, size_t family)
{
    for (size_t seed = 0; seed < f->n_seeds; seed++) {
        double mean = 0.0;
        for (size_t i = 0; i < x->cells.n_cells; i++) {
            mean += placed_in(x, measure, family, x->cells.cells[i], (long)seed) /
                    (double)x->cells.n_cells;
        }
        f->d[seed] += weight * mean;
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

void add_measure(struct claim_result *f, double weight, const struct claim_context *x, int measure,
                 size_t subject)
{
    if (measure == MEASURE_EXCESS) {
        add_excess(f, weight, x, subject);
    } else if (measure == MEASURE_RANK || measure == MEASURE_TOP3) {
        add_rank(f, weight, x, measure, subject);
    } else {
        add_mean(f, weight, &x->cells, (enum regret_measure)measure, subject);
    }
}

double shown_measure(const struct claim_context *x, int measure, size_t subject, int *decimals)
{
    double sum = 0.0;
    size_t n = 0;
    if (measure < REGRET_N_MEASURES) {
        *decimals = measure_decimals((enum regret_measure)measure);
        return slice_estimate(&x->cells, (enum regret_measure)measure, subject).mean;
    }
    *decimals = measure == MEASURE_RANK ? 2 : measure == MEASURE_EXCESS ? 1 : 0;
    for (size_t i = 0; i < x->cells.n_cells; i++) {
        size_t cell = x->cells.cells[i];
        double y = measure == MEASURE_EXCESS ? excess_in(&x->ranking, subject, cell, ALL_SEEDS)
                                             : placed_in(x, measure, subject, cell, ALL_SEEDS);
        if (isfinite(y)) {
            sum += y;
            n++;
        }
    }
    return n == 0 ? NAN : measure == MEASURE_TOP3 ? sum : sum / (double)n;
}

/* ---------------------------------------------------------------- amounts */

int held_out_best(double *out, const struct slice *s, enum regret_measure m, const size_t *families,
                  size_t n)
{
    double *y = NULL;
    size_t n_seeds = s->r->n_seeds;
    TRY(REGRET_NEW(&y, n * n_seeds));
    for (size_t i = 0; i < n * n_seeds; i++) {
        y[i] = seed_mean(s, m, families[i % n], i / n);
    }
    for (size_t seed = 0; seed < n_seeds; seed++) {
        double lowest = INFINITY;
        out[seed] = NAN;
        for (size_t i = 0; i < n; i++) {
            double sum = 0.0;
            size_t others = 0;
            for (size_t k = 0; k < n_seeds; k++) {
                if (k != seed && isfinite(y[i + n * k])) {
                    sum += y[i + n * k];
                    others++;
                }
            }
            if (others > 0 && sum / (double)others < lowest) {
                lowest = sum / (double)others;
                out[seed] = y[i + n * seed];
            }
        }
    }
    regret_free(y);
    return REGRET_OK;
}

/* The families that the best is chosen among; `out` has room for n_families and CLAIM_SUBJECTS. */
static size_t candidates(size_t *out, const struct claim *c, const struct claim_context *x)
{
    size_t n = 0;
    if (c->against == AGAINST_BEST_OBS_BASED) {
        return families_with_role(out, x->r, REGRET_ROLE_OBS_BASED);
    }
    for (size_t i = 1; i < CLAIM_SUBJECTS && c->subjects[i] != NULL; i++) {
        out[n++] = claim_subject(c, x, i);
    }
    return n;
}

/* d −= weight · the best of the candidates, chosen on the other seeds. */
static int subtract_best(struct claim_result *f, double weight, const struct claim *c,
                         const struct claim_context *x, const struct slice *s)
{
    double *best = NULL;
    size_t *families = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&best, f->n_seeds));
    TRY_CLEANUP(REGRET_NEW(&families, x->r->n_families + CLAIM_SUBJECTS));
    size_t n = candidates(families, c, x);
    TRY_CLEANUP(held_out_best(best, s, REGRET_MEASURE_REGRET, families, n));
    add_numbers(f, -weight, best);
cleanup:
    regret_free(best);
    regret_free(families);
    return rc;
}

/* The best of the claim's other subjects by the mean over all seeds. */
static size_t best_named(const struct claim *c, const struct claim_context *x,
                         const struct slice *s)
{
    size_t best = REGRET_NO_ROW;
    double lowest = INFINITY;
    for (size_t i = 1; i < CLAIM_SUBJECTS && c->subjects[i] != NULL; i++) {
        size_t family = claim_subject(c, x, i);
        double mean = slice_estimate(s, REGRET_MEASURE_REGRET, family).mean;
        if (mean < lowest) {
            lowest = mean;
            best = family;
        }
    }
    return best;
}

size_t counterpart(enum regret_measure *m, const struct claim *c, const struct claim_context *x,
                   const struct slice *s, size_t i)
{
    *m = (enum regret_measure)c->measure;
    switch (c->against) {
    case AGAINST_SECOND:
        return claim_subject(c, x, 1);
    case AGAINST_DM:
        *m = REGRET_MEASURE_DM_RMSE;
        return claim_subject(c, x, i);
    case AGAINST_BEST_NAMED:
        return best_named(c, x, s);
    case AGAINST_BEST_OBS_BASED:
        return best_obs_based(s);
    default:
        return REGRET_NO_ROW;
    }
}

/* d += weight · the subject's number, without what it is against. */
static void add_own(struct claim_result *f, double weight, const struct claim *c,
                    const struct claim_context *x, const struct slice *s, size_t i)
{
    add_mean(f, weight, s, (enum regret_measure)c->measure, claim_subject(c, x, i));
}

/* d −= weight · what the subject is taken against. */
static int subtract_counterpart(struct claim_result *f, double weight, const struct claim *c,
                                const struct claim_context *x, const struct slice *s, size_t i)
{
    enum regret_measure m;
    if (c->against == AGAINST_BEST_NAMED || c->against == AGAINST_BEST_OBS_BASED) {
        return subtract_best(f, weight, c, x, s);
    }
    if (c->against != AGAINST_NOTHING) {
        size_t subject = counterpart(&m, c, x, s, i);
        add_mean(f, -weight, s, m, subject);
    }
    return REGRET_OK;
}

int add_amount(struct claim_result *f, double weight, const struct claim *c,
               const struct claim_context *x, const struct slice *s, size_t i)
{
    add_own(f, weight, c, x, s, i);
    return subtract_counterpart(f, weight, c, x, s, i);
}

/* ---------------------------------------------------------------- slopes */

/* Where a group of cells is along the key. */
static double place_of(const struct slice *s, size_t key)
{
    double x = strtod(slice_value(s, key), NULL);
    return key == REGRET_KEY_N_OBS || key == REGRET_KEY_N_EXP ? log(x) : x;
}

/* The weight of each group's mean in the least-squares slope along the key. */
static void weigh(double *w, const struct groups *g, size_t key)
{
    double mean = 0.0, squares = 0.0;
    for (size_t i = 0; i < g->n; i++) {
        w[i] = place_of(&g->items[i].slice, key);
        mean += w[i] / (double)g->n;
    }
    for (size_t i = 0; i < g->n; i++) {
        w[i] -= mean;
        squares += w[i] * w[i];
    }
    for (size_t i = 0; i < g->n; i++) {
        w[i] /= squares;
    }
}

int add_amount_slope(struct claim_result *f, double weight, const struct claim *c,
                     const struct claim_context *x, size_t key)
{
    struct groups g = {0};
    double *w = NULL;
    int rc;
    TRY_CLEANUP(groups_split(&g, &x->cells, &key, 1));
    TRY_CLEANUP(REGRET_NEW(&w, g.n));
    weigh(w, &g, key);
    if (c->against == AGAINST_BEST_NAMED || c->against == AGAINST_BEST_OBS_BASED) {
        for (size_t i = 0; i < g.n; i++) {
            TRY_CLEANUP(add_amount(f, weight * w[i], c, x, &g.items[i].slice, 0));
        }
        goto cleanup;
    }
    for (size_t i = 0; i < g.n; i++) {
        add_own(f, weight * w[i], c, x, &g.items[i].slice, 0);
    }
    for (size_t i = 0; i < g.n; i++) {
        TRY_CLEANUP(subtract_counterpart(f, weight * w[i], c, x, &g.items[i].slice, 0));
    }
cleanup:
    groups_free(&g);
    regret_free(w);
    return rc;
}

/* ---------------------------------------------------------------- parts */

/* Moves the finite evidence to the front, rounding of equal numbers taken off. */
static size_t pack(double *d, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (isfinite(d[i])) {
            d[kept++] = fabs(d[i]) < 1e-12 ? 0.0 : d[i];
        }
    }
    return kept;
}

/* The interval of the part at hand, which is 0 again afterwards. A part that no seed has decides
 * nothing, but keeps the claim from holding. */
static int take_part(struct paired *out, struct claim_result *f)
{
    size_t n = pack(f->d, f->n_seeds);
    int rc = paired_from(out, f->d, n);
    memset(f->d, 0, f->n_seeds * sizeof *f->d);
    f->parts++;
    f->tested += n > 0;
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

int end_part(struct claim_result *f)
{
    struct paired p;
    TRY(take_part(&p, f));
    if (p.n > 0) {
        keep_weakest(f, &p);
        f->above += p.n >= FEW_SEEDS && p.low > 0.0;
        f->below += p.n >= FEW_SEEDS && p.high < 0.0;
    }
    return REGRET_OK;
}

int end_flat_part(struct claim_result *f, double margin)
{
    struct paired p;
    TRY(take_part(&p, f));
    if (p.n > 0) {
        f->weakest = p;
        f->above += p.n >= FEW_SEEDS && p.low > -margin && p.high < margin;
        f->below += p.n >= FEW_SEEDS && (p.low > margin || p.high < -margin);
    }
    return REGRET_OK;
}
