/* The evidence of a claim, seed by seed, and what makes verdicts of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regret/alloc.h"
#include "report/claims.h"

size_t family_named(const struct regret_results *r, const char *name)
{
    return regret_results_subject(r, REGRET_ROW_FAMILY, name);
}

size_t fit_named(const struct regret_results *r, const char *name)
{
    return regret_results_subject(r, REGRET_ROW_FIT, name);
}

size_t rivals_of(size_t *out, const struct claim *c, const struct scene *x)
{
    size_t n = 0, first = family_named(x->r, c->families[0]);
    for (size_t i = 1; i < CLAIM_FAMILIES && c->families[i] != NULL; i++) {
        out[n++] = family_named(x->r, c->families[i]);
    }
    for (size_t i = 0; c->families[1] == NULL && i < x->n_ranked; i++) {
        if (x->ranked[i] != first) {
            out[n++] = x->ranked[i];
        }
    }
    return n;
}

/* ---------------------------------------------------------------- a part */

void add_mean(struct finding *f, double weight, const struct slice *s, enum regret_measure m,
              size_t subject)
{
    for (size_t seed = 0; seed < f->n_seeds; seed++) {
        f->d[seed] += weight * seed_mean(s, m, subject, seed);
    }
}

void add_numbers(struct finding *f, double weight, const double *numbers)
{
    for (size_t seed = 0; seed < f->n_seeds; seed++) {
        f->d[seed] += weight * numbers[seed];
    }
}

/* Where a cell is along the key. */
static double place_of(const struct slice *s, size_t key)
{
    double x = strtod(value_text(s, key), NULL);
    return key == REGRET_KEY_N_OBS || key == REGRET_KEY_N_EXP ? log(x) : x;
}

int slope_weights(struct groups *out, double **weights, const struct slice *s, size_t key)
{
    struct groups g = {0};
    double *w = NULL, mean = 0.0, squares = 0.0;
    int rc = groups_split(&g, s, &key, 1);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&w, g.n);
    }
    if (rc != REGRET_OK) {
        groups_free(&g);
        return rc;
    }
    for (size_t i = 0; i < g.n; i++) {
        w[i] = place_of(&g.items[i].slice, key);
        mean += w[i] / (double)g.n;
    }
    for (size_t i = 0; i < g.n; i++) {
        w[i] -= mean;
        squares += w[i] * w[i];
    }
    for (size_t i = 0; i < g.n; i++) {
        w[i] /= squares;
    }
    *out = g;
    *weights = w;
    return REGRET_OK;
}

int add_slope(struct finding *f, double weight, const struct slice *s, size_t key,
              enum regret_measure m, size_t subject)
{
    struct groups g = {0};
    double *w = NULL;
    int rc = slope_weights(&g, &w, s, key);
    for (size_t i = 0; i < g.n; i++) {
        add_mean(f, weight * w[i], &g.items[i].slice, m, subject);
    }
    groups_free(&g);
    regret_free(w);
    return rc;
}

int held_out_best(double *out, const struct slice *s, enum regret_measure m, const size_t *families,
                  size_t n)
{
    double *y = NULL;
    size_t n_seeds = s->r->n_seeds;
    int rc = REGRET_NEW(&y, n * n_seeds);
    for (size_t i = 0; rc == REGRET_OK && i < n * n_seeds; i++) {
        y[i] = seed_mean(s, m, families[i % n], i / n);
    }
    for (size_t seed = 0; rc == REGRET_OK && seed < n_seeds; seed++) {
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
    return rc;
}

int add_gap(struct finding *f, double weight, const struct slice *s, size_t family,
            const size_t *rivals, size_t n)
{
    double *best = NULL;
    int rc = REGRET_NEW(&best, f->n_seeds);
    if (rc == REGRET_OK) {
        rc = held_out_best(best, s, REGRET_MEASURE_REGRET, rivals, n);
    }
    if (rc == REGRET_OK) {
        add_mean(f, weight, s, REGRET_MEASURE_REGRET, family);
        add_numbers(f, -weight, best);
    }
    regret_free(best);
    return rc;
}

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
static int take_part(struct paired *out, struct finding *f)
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
static void keep_weakest(struct finding *f, const struct paired *p)
{
    const struct paired *w = &f->weakest;
    int below = p->high < 0.0, was_below = w->high < 0.0;
    int lower = !isfinite(p->low) ? p->mean < w->mean : below ? p->high < w->high : p->low < w->low;
    if (f->tested == 1 || below > was_below || (below == was_below && lower)) {
        f->weakest = *p;
    }
}

int end_part(struct finding *f)
{
    struct paired p;
    int rc = take_part(&p, f);
    if (rc == REGRET_OK && p.n > 0) {
        keep_weakest(f, &p);
        f->above += p.n >= FEW_SEEDS && p.low > 0.0;
        f->below += p.n >= FEW_SEEDS && p.high < 0.0;
    }
    return rc;
}

int end_flat_part(struct finding *f, double margin)
{
    struct paired p;
    int rc = take_part(&p, f);
    if (rc == REGRET_OK && p.n > 0) {
        f->weakest = p;
        f->above += p.n >= FEW_SEEDS && p.low > -margin && p.high < margin;
        f->below += p.n >= FEW_SEEDS && (p.low > margin || p.high < -margin);
    }
    return rc;
}
