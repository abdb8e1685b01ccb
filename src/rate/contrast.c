#include "rate/contrast.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "rate/intern.h"
#include "rate/internal.h"
#include "regret/rate.h"
#include "regret/status.h"
#include "regret/task.h"
#include "stats/distributions.h"
#include "stats/multiplicity.h"

enum { REGRET_RATE_MAX_T = 512, REGRET_RATE_MAX_T_DRAWS = 20000 };

/* All estimates, and the sides of the contrasts. */
struct evidence {
    const struct regret_rate_estimate *estimates; /* borrowed */
    size_t n_estimates;
    struct influence *influence; /* n_estimates; owned */
    uint32_t **units;            /* n_estimates: the unit of each cluster of its group; owned */
    size_t n_units;
    uint32_t *unit;     /* by row; owned */
    double *dense;      /* n_units, zero between uses; owned */
    struct side *sides; /* n_sides; owned */
    size_t n_sides, capacity;
};

const char *regret_rate_contrast_name(enum regret_rate_contrast_kind kind)
{
    static const char *const names[REGRET_N_CONTRASTS] = {
        "models", "rewriters", "attributes", "datasets", "naive", "single", "treated"};
    return names[kind];
}

static const char NO_D[] = "no Cohen's d, as there are no scores of originals, or all are equal; "
                           "--scale reward needs none";

/* ---------------------------------------------------------------- what is held against what */

/* Whether contrasts of this kind hold estimates i < j against each other. */
static int is_pair(enum regret_rate_contrast_kind kind, const struct regret_rate_rows *rows,
                   const struct regret_rate_estimate *i, const struct regret_rate_estimate *j)
{
    const struct regret_rate_group *a = &rows->groups[i->group], *b = &rows->groups[j->group];
    int same_dataset = strcmp(a->dataset, b->dataset) == 0;
    int same_attribute = strcmp(a->attribute, b->attribute) == 0;
    const struct regret_rate_model *m = &rows->models[i->model], *n = &rows->models[j->model];
    if (kind == REGRET_CONTRAST_REWRITERS) {
        return i->group == j->group && m->part_of != 0 && m->part_of == n->part_of &&
               m->rewriter != NULL && strcmp(m->rewriter, n->rewriter) != 0;
    }
    if (m->part_of != 0 || n->part_of != 0) { /* their mean speaks for them */
        return 0;
    }
    return kind == REGRET_CONTRAST_MODELS
               ? i->group == j->group
               : i->model == j->model &&
                     (kind == REGRET_CONTRAST_ATTRIBUTES ? same_dataset && !same_attribute
                                                         : same_attribute && !same_dataset);
}

static int append(struct regret_rate_contrasts *c, size_t *capacity,
                  struct regret_rate_contrast contrast)
{
    TRY(regret_grow((void **)&c->contrasts, capacity, c->n, sizeof *c->contrasts, "contrasts"));
    c->contrasts[c->n++] = contrast;
    return REGRET_OK;
}

static int list_contrasts(struct regret_rate_contrasts *c, const struct regret_rate_rows *rows,
                          const struct regret_rate_contrast_options *options)
{
    static const enum regret_rate_effect_kind within[REGRET_N_CONTRASTS][2] = {
        [REGRET_CONTRAST_NAIVE] = {REGRET_EFFECT_RATE_ATE, REGRET_EFFECT_NAIVE},
        [REGRET_CONTRAST_SINGLE] = {REGRET_EFFECT_RATE_ATE, REGRET_EFFECT_SINGLE_ATE},
        [REGRET_CONTRAST_TREATED] = {REGRET_EFFECT_RATE_ATT, REGRET_EFFECT_RATE_ATU}};
    unsigned kinds = options->kinds != 0 ? options->kinds : ~0U;
    size_t capacity = 0;
    for (int k = 0; k < REGRET_N_CONTRASTS; k++) {
        enum regret_rate_contrast_kind kind = (enum regret_rate_contrast_kind)k;
        struct regret_rate_contrast one = {.kind = kind};
        one.is_d = options->scale == REGRET_SCALE_D ||
                   (options->scale == REGRET_SCALE_USUAL && kind == REGRET_CONTRAST_MODELS);
        for (size_t i = 0; (kinds & 1U << k) != 0 && i < c->n_estimates; i++) {
            if (kind >= REGRET_CONTRAST_NAIVE && rows->models[c->estimates[i].model].part_of != 0) {
                continue;
            }
            one.estimate[0] = one.estimate[1] = i;
            memcpy(one.effect, within[k], sizeof one.effect);
            if (kind >= REGRET_CONTRAST_NAIVE) {
                TRY(append(c, &capacity, one));
                continue;
            }
            one.effect[0] = one.effect[1] = options->effect;
            for (size_t j = i + 1; j < c->n_estimates; j++) {
                one.estimate[1] = j;
                if (is_pair(kind, rows, &c->estimates[i], &c->estimates[j])) {
                    TRY(append(c, &capacity, one));
                }
            }
        }
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- the evidence */

static int find_side(size_t *number, struct evidence *e, size_t estimate,
                     enum regret_rate_effect_kind effect, int is_d)
{
    size_t k = 0;
    while (k < e->n_sides && !(e->sides[k].estimate == estimate && e->sides[k].effect == effect &&
                               e->sides[k].is_d == is_d)) {
        k++;
    }
    if (k == e->n_sides) {
        TRY(regret_grow((void **)&e->sides, &e->capacity, k, sizeof *e->sides, "contrasts"));
        e->sides[e->n_sides++] = (struct side){estimate, effect, is_d, NULL};
    }
    *number = k;
    return REGRET_OK;
}

/* ψ of a side, or of its Cohen's d. */
static int fill_side(struct side *s, struct influence *f, const struct columns *c,
                     const struct regret_rate_estimate *estimate)
{
    const struct regret_rate_effect *effect = &estimate->effects[s->effect];
    if (effect->missing != NULL || (s->is_d && !(estimate->pooled_sd > 0.0))) {
        return REGRET_OK;
    }
    if (f->psi[s->effect] == NULL) {
        TRY(influence_add(f, c, s->effect));
    }
    TRY(REGRET_NEW(&s->psi, f->n_clusters));
    if (s->is_d) {
        return influence_of_d(s->psi, f, c, s->effect, effect->estimate);
    }
    memcpy(s->psi, f->psi[s->effect], f->n_clusters * sizeof *s->psi);
    return REGRET_OK;
}

static int visit(void *context, size_t k, const struct columns *c, const struct clusters *clusters,
                 const size_t *members, size_t n_members)
{
    struct evidence *e = context;
    struct influence *f = &e->influence[k];
    TRY(influence_new(f, c, clusters->of, clusters->n));
    TRY(REGRET_NEW(&e->units[k], clusters->n));
    for (size_t i = 0; i < n_members; i++) {
        e->units[k][clusters->of[i]] = e->unit[members[i]];
    }
    for (size_t s = 0; s < e->n_sides; s++) {
        if (e->sides[s].estimate == k) {
            TRY(fill_side(&e->sides[s], f, c, &e->estimates[k]));
        }
    }
    regret_free(f->cluster); /* of rows: not wanted any more */
    f->cluster = NULL;
    return REGRET_OK;
}

static int gather(struct evidence *e, const struct regret_rate_rows *rows,
                  const struct regret_rate_contrast_options *options)
{
    TRY(REGRET_NEW(&e->influence, e->n_estimates));
    TRY(REGRET_NEW(&e->units, e->n_estimates));
    TRY(units_number(&e->unit, &e->n_units, rows, options->clusters));
    TRY(REGRET_NEW(&e->dense, e->n_units));
    return visit_estimates(rows, e->estimates, e->n_estimates, e->unit, e->n_units,
                           REGRET_CLUSTERS_ALWAYS, visit, e);
}

static void evidence_free(struct evidence *e)
{
    for (size_t k = 0; k < e->n_estimates; k++) {
        if (e->influence != NULL) {
            influence_free(&e->influence[k]);
        }
        if (e->units != NULL) {
            regret_free(e->units[k]);
        }
    }
    for (size_t s = 0; s < e->n_sides; s++) {
        regret_free(e->sides[s].psi);
    }
    regret_free(e->influence);
    regret_free(e->units);
    regret_free(e->unit);
    regret_free(e->dense);
    regret_free(e->sides);
}

static void scatter(struct evidence *e, const struct side *s, double sign)
{
    const uint32_t *unit = e->units[s->estimate];
    for (size_t g = 0; g < e->influence[s->estimate].n_clusters; g++) {
        e->dense[unit[g]] += sign * s->psi[g];
    }
}

/* Σ over units of ψ of side i times that of side j ≤ i, at out[i * n_sides + j] and the mirrored place;
 * a side without ψ has zeros. O(sides² · clusters). */
static void evidence_products(double *out, struct evidence *e)
{
    for (size_t i = 0; i < e->n_sides; i++) {
        if (e->sides[i].psi == NULL) {
            continue;
        }
        scatter(e, &e->sides[i], 1.0);
        for (size_t j = 0; j <= i; j++) {
            const struct side *s = &e->sides[j];
            double sum = 0.0;
            for (size_t g = 0; s->psi != NULL && g < e->influence[s->estimate].n_clusters; g++) {
                sum += s->psi[g] * e->dense[e->units[s->estimate][g]];
            }
            out[i * e->n_sides + j] = out[j * e->n_sides + i] = sum;
        }
        memset(e->dense, 0, e->n_units * sizeof *e->dense);
    }
}

/* ---------------------------------------------------------------- one contrast */

/* Adds up the squares of what stands at the units of a side, which are zeroed. */
static double take_squares(struct evidence *e, const struct side *s)
{
    const uint32_t *unit = e->units[s->estimate];
    double sum = 0.0;
    for (size_t g = 0; g < e->influence[s->estimate].n_clusters; g++) {
        sum += e->dense[unit[g]] * e->dense[unit[g]];
        e->dense[unit[g]] = 0.0;
    }
    return sum;
}

/* Numbers the clusters of the two sides together: place[0..n0) of the first's, the others of the
 * second's; *n counts them. */
static void number_together(size_t *place, size_t *n, struct evidence *e, const size_t estimate[2])
{
    size_t found = 0, at = 0;
    for (int k = 0; k < 2; k++) {
        for (size_t g = 0; g < e->influence[estimate[k]].n_clusters; g++, at++) {
            double *number = &e->dense[e->units[estimate[k]][g]];
            *number = *number > 0.0 ? *number : (double)++found;
            place[at] = (size_t)*number - 1;
        }
    }
    for (int k = 0; k < 2; k++) {
        for (size_t g = 0; g < e->influence[estimate[k]].n_clusters; g++) {
            e->dense[e->units[estimate[k]][g]] = 0.0;
        }
    }
    *n = found;
}

/* The degrees of freedom and the clusters of a contrast. */
static int count_clusters(struct regret_rate_contrast *c, struct evidence *e)
{
    const struct influence *f[2] = {&e->influence[c->estimate[0]], &e->influence[c->estimate[1]]};
    size_t room = f[0]->n_clusters + f[1]->n_clusters, n = 0, n_means = 0;
    FREED size_t *place = NULL;
    struct cluster_mean means[MAX_MEANS];
    FREED double *sizes = NULL;
    TRY(REGRET_NEW(&place, room));
    TRY(REGRET_NEW(&sizes, (MAX_MEANS + 2) * room));
    number_together(place, &n, e, c->estimate);
    for (size_t k = 0; k < 2; k++) {
        const size_t *at = place + k * f[0]->n_clusters;
        size_t first = n_means;
        double *held = sizes + (MAX_MEANS + k) * room;
        n_means += influence_means(means + first, f[k], c->effect[k]);
        for (size_t i = first; i < n_means; i++) {
            double *size = sizes + i * room;
            for (size_t g = 0; g < f[k]->n_clusters; g++) {
                size[at[g]] = means[i].size[g];
                held[at[g]] += size[at[g]];
            }
            means[i].size = size;
        }
    }
    c->df = cluster_df(means, n_means, n);
    for (size_t g = 0; g < n; g++) {
        int a = sizes[MAX_MEANS * room + g] > 0.0, b = sizes[(MAX_MEANS + 1) * room + g] > 0.0;
        c->n_clusters += a || b;
        c->n_shared += a && b;
    }
    return REGRET_OK;
}

static void set_missing(struct regret_rate_contrast *c, const char *reason)
{
    c->missing = reason;
    c->difference = c->se = c->df = c->low = c->high = c->p = c->detectable = NAN;
}

static int make_contrast(struct regret_rate_contrast *c, struct evidence *e, const size_t sides[2])
{
    const struct side *s[2] = {&e->sides[sides[0]], &e->sides[sides[1]]};
    for (int k = 0; k < 2; k++) {
        const struct regret_rate_effect *effect =
            &e->estimates[c->estimate[k]].effects[c->effect[k]];
        c->value[k] = c->is_d ? effect->d : effect->estimate;
        if (s[k]->psi == NULL && c->missing == NULL) {
            set_missing(c, effect->missing != NULL ? effect->missing : NO_D);
        }
    }
    if (c->missing != NULL) {
        return REGRET_OK;
    }
    for (int k = 0; k < 2; k++) {
        if (influence_rests_on_one(&e->influence[c->estimate[k]], c->effect[k])) {
            set_missing(c, MISSING_ONE_CLUSTER);
            return REGRET_OK;
        }
    }
    scatter(e, s[0], 1.0);
    scatter(e, s[1], -1.0);
    double squares = take_squares(e, s[0]);
    c->se = sqrt(squares + take_squares(e, s[1]));
    c->difference = c->value[0] - c->value[1];
    TRY(count_clusters(c, e));
    double t = regret_student_quantile(0.975, c->df);
    c->low = c->difference - t * c->se;
    c->high = c->difference + t * c->se;
    c->p = p_of_zero(c->difference, c->se, c->df);
    c->detectable = regret_detectable_difference(c->se, c->df, 0.05, 0.8);
    if (!(isfinite(c->low) && isfinite(c->high) && isfinite(c->detectable))) {
        set_missing(c, MISSING_TOO_LARGE);
    }
    return REGRET_OK;
}

/* Intervals that hold for all contrasts at once, and p-values adjusted for them. */

static const double SIZE = 0.05;

/* The correlations of the contrasts that have an error, n of them, `which` by number. */
static void correlate(double *r, const struct regret_rate_contrasts *c, const size_t *which,
                      size_t n, const size_t *sides, const double *products, size_t n_sides)
{
    for (size_t i = 0; i < n; i++) {
        const size_t *a = &sides[2 * which[i]];
        for (size_t j = 0; j <= i; j++) {
            const size_t *b = &sides[2 * which[j]];
            double covariance = products[a[0] * n_sides + b[0]] - products[a[0] * n_sides + b[1]] -
                                products[a[1] * n_sides + b[0]] + products[a[1] * n_sides + b[1]];
            double scale = c->contrasts[which[i]].se * c->contrasts[which[j]].se;
            r[i * n + j] = i == j ? 1.0 : fmax(-1.0, fmin(1.0, covariance / scale));
        }
    }
}

/* Cholesky's factor of a positive semidefinite matrix over its lower triangle: a column without a
 * pivot is zero, as what it stands for is made of those before. */
static void factor(double *r, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        double pivot = r[j * n + j];
        for (size_t k = 0; k < j; k++) {
            pivot -= r[j * n + k] * r[j * n + k];
        }
        double root = pivot > 1e-10 ? sqrt(pivot) : 0.0;
        r[j * n + j] = root;
        for (size_t i = j + 1; i < n; i++) {
            double sum = r[i * n + j];
            for (size_t k = 0; k < j; k++) {
                sum -= r[i * n + k] * r[j * n + k];
            }
            r[i * n + j] = root > 0.0 ? sum / root : 0.0;
        }
    }
}

/* What the greatest |z| of normal numbers with these correlations stays below in 95 % of the cases. */
static int simulate_greatest(double *out, double *r, size_t n, uint64_t seed)
{
    FREED double *greatest = NULL, *z = NULL;
    struct regret_rng rng =
        regret_rng_at(seed, REGRET_RNG_RATE, stream_index(STREAM_CONTRAST, 0, 0));
    TRY(REGRET_NEW(&greatest, REGRET_RATE_MAX_T_DRAWS));
    TRY(REGRET_NEW(&z, n));
    factor(r, n);
    for (size_t b = 0; b < REGRET_RATE_MAX_T_DRAWS; b++) {
        for (size_t i = 0; i < n; i++) {
            double sum = 0.0;
            z[i] = regret_rng_normal(&rng);
            for (size_t k = 0; k <= i; k++) {
                sum += r[i * n + k] * z[k];
            }
            greatest[b] = fmax(greatest[b], fabs(sum));
        }
    }
    regret_sort_numbers(greatest, REGRET_RATE_MAX_T_DRAWS);
    *out = regret_quantile(greatest, REGRET_RATE_MAX_T_DRAWS, 1.0 - SIZE);
    return REGRET_OK;
}

/* The critical |z|. One contrast has that of one, whatever the draws say; none less than that. */
static int find_critical(struct regret_rate_contrasts *c, const size_t *which, size_t n,
                         const size_t *sides, const double *products, size_t n_sides, uint64_t seed)
{
    double least = regret_student_quantile(1.0 - 0.5 * SIZE, INFINITY);
    FREED double *r = NULL;
    c->by_max_t = n <= REGRET_RATE_MAX_T;
    c->critical = least;
    if (n > 1 && c->by_max_t) {
        TRY(REGRET_NEW(&r, n * n));
        correlate(r, c, which, n, sides, products, n_sides);
        TRY(simulate_greatest(&c->critical, r, n, seed));
        c->critical = fmax(c->critical, least);
    } else if (n > 1) {
        double own = -expm1(log1p(-SIZE) / (double)n); /* 1 − (1 − .05)^(1/n) */
        c->critical = -regret_student_quantile(0.5 * own, INFINITY);
    }
    return REGRET_OK;
}

/* The interval of all contrasts together, and Holm's p: sides[2 * k] and sides[2 * k + 1] are the sides
 * of contrast k, in `products` of n_sides. */
static int contrasts_together(struct regret_rate_contrasts *c, const size_t *sides,
                              const double *products, size_t n_sides, uint64_t seed)
{
    size_t n = 0;
    FREED size_t *which = NULL;
    FREED double *p = NULL;
    TRY(REGRET_NEW(&which, c->n));
    TRY(REGRET_NEW(&p, c->n));
    for (size_t k = 0; k < c->n; k++) {
        p[k] = c->contrasts[k].p;
        if (c->contrasts[k].se > 0.0) {
            which[n++] = k;
        }
    }
    TRY(find_critical(c, which, n, sides, products, n_sides, seed));
    TRY(regret_holm(p, p, c->n));
    double size = erfc(c->critical / sqrt(2.0));
    for (size_t k = 0; k < c->n; k++) {
        struct regret_rate_contrast *one = &c->contrasts[k];
        double t = regret_student_quantile(1.0 - 0.5 * size, one->df);
        one->all_low = one->difference - t * one->se;
        one->all_high = one->difference + t * one->se;
        one->p_holm = p[k];
    }
    return REGRET_OK;
}

int regret_rate_contrast(struct regret_rate_contrasts *out, const struct regret_rate_rows *rows,
                         const struct regret_rate_contrast_options *options)
{
    const struct regret_rate_options how = {.clusters = options->clusters, .threads = 1};
    FREED_BY(regret_rate_contrasts_free) struct regret_rate_contrasts c = {0};
    FREED_BY(evidence_free) struct evidence e = {0};
    FREED size_t *sides = NULL;
    FREED double *products = NULL;
    TRY(regret_rate_estimate(&c.estimates, &c.n_estimates, rows, &how));
    TRY(list_contrasts(&c, rows, options));
    TRY(REGRET_NEW(&sides, 2 * c.n));
    e.estimates = c.estimates;
    for (size_t k = 0; k < 2 * c.n; k++) {
        const struct regret_rate_contrast *one = &c.contrasts[k / 2];
        TRY(find_side(&sides[k], &e, one->estimate[k % 2], one->effect[k % 2], one->is_d));
    }
    e.n_estimates = c.n_estimates;
    TRY(gather(&e, rows, options));
    for (size_t k = 0; k < c.n; k++) {
        TRY(make_contrast(&c.contrasts[k], &e, &sides[2 * k]));
    }
    TRY(REGRET_NEW(&products, e.n_sides * e.n_sides));
    evidence_products(products, &e);
    TRY(contrasts_together(&c, sides, products, e.n_sides, options->seed));
    *out = c;
    c = (struct regret_rate_contrasts){0};
    return REGRET_OK;
}

void regret_rate_contrasts_free(struct regret_rate_contrasts *contrasts)
{
    regret_free(contrasts->contrasts);
    regret_free(contrasts->estimates);
    *contrasts = (struct regret_rate_contrasts){0};
}
