/* The evidence of a claim, seed by seed, and what makes verdicts of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/estimate.h"
#include "report/claims/claims.h"

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
    } else {
        add_mean(f, weight, &x->cells, (enum regret_measure)measure, subject);
    }
}

/* What the family is in the cell by the means over all seeds. */
static double placed_in(const struct claim_context *x, int measure, size_t family, size_t cell)
{
    double rank = rank_in(&x->ranking, family, cell, ALL_SEEDS);
    return measure == MEASURE_EXCESS ? excess_in(&x->ranking, family, cell, ALL_SEEDS)
           : measure == MEASURE_RANK || !isfinite(rank) ? rank
                                                        : rank <= 3.0;
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
        double y = placed_in(x, measure, subject, x->cells.cells[i]);
        if (isfinite(y)) {
            sum += y;
            n++;
        }
    }
    return n == 0 ? NAN : measure == MEASURE_TOP3 ? sum : sum / (double)n;
}

/* ---------------------------------------------------------------- amounts */

/* How low or high counts: −1 for a measure of which less is better, else +1. */
static int better_sign(enum regret_measure m)
{
    return m == REGRET_MEASURE_TOP1 || m == REGRET_MEASURE_TOP3 || m == REGRET_MEASURE_SPEARMAN ||
                   m == REGRET_MEASURE_R2
               ? 1
               : -1;
}

int held_out_best(double *out, const struct slice *s, enum regret_measure m, const size_t *families,
                  size_t n)
{
    double *y = NULL, sign = better_sign(m);
    size_t n_seeds = s->r->n_seeds;
    TRY(REGRET_NEW(&y, n * n_seeds));
    for (size_t i = 0; i < n * n_seeds; i++) {
        y[i] = seed_mean(s, m, families[i % n], i / n);
    }
    for (size_t seed = 0; seed < n_seeds; seed++) {
        double best = -INFINITY;
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
            if (others > 0 && sign * sum / (double)others > best) {
                best = sign * sum / (double)others;
                out[seed] = y[i + n * seed];
            }
        }
    }
    regret_free(y);
    return REGRET_OK;
}

static int is_candidate(const struct claim *c, const struct claim_context *x, size_t family)
{
    int is = 0;
    if (c->against == AGAINST_BEST_OBS_BASED) {
        return family_has_role(x->r, family, REGRET_ROLE_OBS_BASED);
    }
    for (size_t i = 0; c->against == AGAINST_BEST_OTHER && i < x->ranking.n; i++) {
        is |= x->ranking.families[i] == family;
    }
    for (size_t i = 1; c->against == AGAINST_BEST_NAMED && i < CLAIM_SUBJECTS; i++) {
        is |= c->subjects[i] != NULL && claim_subject(c, x, i) == family;
    }
    return is && family != claim_subject(c, x, 0);
}

/* The families that the best is chosen among; `out` has room for n_families. */
static size_t candidates(size_t *out, const struct claim *c, const struct claim_context *x)
{
    size_t n = 0;
    for (size_t i = 0; i < x->r->n_families; i++) {
        if (is_candidate(c, x, i)) {
            out[n++] = i;
        }
    }
    return n;
}

/* The other side is a family chosen on the other seeds. */
static int is_chosen(const struct claim *c)
{
    return c->against == AGAINST_BEST_NAMED || c->against == AGAINST_BEST_OBS_BASED ||
           c->against == AGAINST_BEST_OTHER;
}

/* d −= weight · the best of the candidates, chosen on the other seeds. */
static int subtract_best(struct claim_result *f, double weight, const struct claim *c,
                         const struct claim_context *x, const struct slice *s)
{
    double *best = NULL;
    size_t *families = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&best, f->n_seeds));
    TRY_CLEANUP(REGRET_NEW(&families, x->r->n_families));
    size_t n = candidates(families, c, x);
    TRY_CLEANUP(held_out_best(best, s, (enum regret_measure)c->measure, families, n));
    add_numbers(f, -weight, best);
cleanup:
    regret_free(best);
    regret_free(families);
    return rc;
}

/* The best of the candidates by the mean over all seeds. */
static size_t best_candidate(const struct claim *c, const struct claim_context *x,
                             const struct slice *s)
{
    enum regret_measure m = (enum regret_measure)c->measure;
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
    case AGAINST_BEST_OBS_BASED:
    case AGAINST_BEST_OTHER:
        return best_candidate(c, x, s);
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
    if (is_chosen(c)) {
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
    if (is_chosen(c)) {
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
