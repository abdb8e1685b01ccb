/* What the families owe to algebra and to common sense. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "estimate/family_world.h"
#include "regret/estimate.h"
#include "regret/status.h"
#include "regret/task.h"

static const struct world_shape SHAPE = {12, 8, 9, 10, 3, 120, 60, 0.2, 1.0};
/* Outcomes far beyond 0 and 1, then clipped: fits overshoot. */
static const struct world_shape WILD = {20, 8, 16, 6, 3, 200, 160, 0.0, 8.0};

enum { EXP_ONLY, OBS_ONLY, REPRESENTATION, GROUNDED, CVCI, CVCI_RESIDUAL, LINEAR, ANCHORED };

static struct world *settled(const struct world_shape *shape, uint64_t seed)
{
    struct world *w = world_draw(shape, seed);
    world_settle(w, seed);
    return w;
}

static void expect_same(const struct regret_estimate *a, const struct regret_estimate *b,
                        const struct world *w, double tolerance, const char *what)
{
    double gap = world_gap(a->prediction, b->prediction, w->pairs);
    cr_expect(gap <= tolerance, "%s: predictions differ by %g", what, gap);
    gap = world_gap(a->cross_fit, b->cross_fit, w->exp.n);
    cr_expect(gap <= tolerance, "%s: cross-fitted predictions differ by %g", what, gap);
}

static void expect_same_choice(const struct regret_estimate *a, const struct regret_estimate *b,
                               const char *what)
{
    const double x[] = {a->lambda, a->alpha, a->rho, a->tau},
                 y[] = {b->lambda, b->alpha, b->rho, b->tau};
    cr_expect(world_gap(x, y, 4) == 0.0 && a->basis == b->basis && a->cv_mode == b->cv_mode, "%s",
              what);
}

static struct regret_grid_values *grid(struct world *w, const char *key)
{
    return &regret_hyper_of(&w->options, key)->grid;
}

Test(family_identities, the_table_names_the_eight)
{
    static const char *const names[] = {
        "exp-only", "obs-only",      "representation-exp", "grounded",
        "cvci",     "cvci-residual", "grounded-linear",    "grounded-anchored"};
    static const unsigned roles[] = {
        REGRET_ROLE_PAPER,
        REGRET_ROLE_PAPER | REGRET_ROLE_OBS_BASED,
        REGRET_ROLE_PAPER,
        REGRET_ROLE_PAPER | REGRET_ROLE_OBS_BASED,
        REGRET_ROLE_PAPER | REGRET_ROLE_OBS_BASED,
        REGRET_ROLE_PAPER | REGRET_ROLE_OBS_BASED,
        0,
        0,
    };
    cr_assert_geq(regret_family_count(), 8);
    for (size_t i = 0; i < 8; i++) {
        cr_assert_str_eq(regret_family_at(i)->name, names[i]);
        cr_assert_eq(regret_family_at(i)->roles, roles[i], "%s", names[i]);
        cr_assert_eq(regret_family_find(names[i]), regret_family_at(i));
    }
    cr_assert_eq(regret_family_find("grounded-linear")->variant_of, regret_family_find("grounded"));
    cr_assert_eq(regret_family_find("grounded-anchored")->variant_of,
                 regret_family_find("grounded"));
    cr_assert_null(regret_family_at(regret_family_count()));
    cr_assert_null(regret_family_find("exp"));
}

/* Every family's hyper-parameters are listed once, have room, and are allowed to be what they are. */
Test(family_identities, the_families_declare_their_hyper_parameters)
{
    struct regret_estimate_options options;
    const struct regret_hyper *h = NULL;
    size_t declared = 0, listed = 0;
    for (size_t i = 0; i < regret_family_count(); i++) {
        declared += regret_family_at(i)->n_hypers;
    }
    memset(&options, 0, sizeof options);
    regret_estimate_options_default(&options);
    for (; (h = regret_hyper_at(listed)) != NULL; listed++) {
        const union regret_hyper_value *value = regret_hyper_of(&options, h->key);
        cr_assert_eq(value, &options.hyper[listed], "%s is declared twice", h->key);
        cr_assert_eq(regret_hyper_find(h->key), h);
        for (size_t i = 0; h->kind == REGRET_HYPER_GRID && i < value->grid.n; i++) {
            double x = value->grid.value[i];
            cr_assert(x >= h->low && x <= h->high, "%s: %g", h->key, x);
            cr_assert(i == 0 || x > value->grid.value[i - 1], "%s: %g", h->key, x);
        }
        cr_assert(h->kind != REGRET_HYPER_GRID || value->grid.n > 0, "%s", h->key);
        cr_assert(h->kind != REGRET_HYPER_NUMBER ||
                      (value->number >= h->low && value->number <= h->high),
                  "%s", h->key);
    }
    cr_assert_eq(listed, declared);
    cr_assert_leq(listed, REGRET_MAX_HYPERS);
    cr_assert_null(regret_hyper_find("cvci"));
    for (size_t i = 0; i <= 20; i++) {
        cr_assert_eq(regret_hyper_of(&options, "cvci.lambda")->grid.value[i], (double)i / 20.0);
    }
}

/* λ = 0 is the EXP ridge and λ = 1 the OBS ridge, to the last bit. */
Test(family_identities, the_ends_of_lambda)
{
    for (int end = 0; end < 2; end++) {
        struct world *w = settled(&WILD, 30);
        *grid(w, "cvci.lambda") = (struct regret_grid_values){1, {end}};
        struct regret_estimate *pooled = world_fit(w, CVCI);
        struct regret_estimate *alone = world_fit(w, end ? OBS_ONLY : EXP_ONLY);
        double gap = world_gap(pooled->prediction, alone->prediction, w->pairs);
        cr_assert_eq(gap, 0.0, "lambda = %d: %g", end, gap);
        expect_same(pooled, alone, w, 1e-13, end ? "lambda = 1" : "lambda = 0");
        regret_estimate_free(pooled);
        regret_estimate_free(alone);
        world_free(w);
    }
}

/* α = 0 leaves f_O; with z standardised, grounded-linear at α = 1 is the residual fit at λ = 0 and
 * the same ρ. */
Test(family_identities, corners_of_the_grids)
{
    struct world *w = settled(&SHAPE, 31);
    *grid(w, "grounded_linear.alpha") = (struct regret_grid_values){1, {0.0}};
    struct regret_estimate *a = world_fit(w, LINEAR), *b = world_fit(w, OBS_ONLY);
    expect_same(a, b, w, 1e-15, "alpha = 0");
    regret_estimate_free(a);
    *grid(w, "grounded_linear.alpha") = (struct regret_grid_values){1, {1.0}};
    regret_hyper_of(&w->options, "grounded_linear.rho")->number = 10.0;
    *grid(w, "cvci_residual.rho") = (struct regret_grid_values){1, {10.0}};
    *grid(w, "cvci_residual.lambda") = (struct regret_grid_values){1, {0.0}};
    regret_estimate_free(b);
    size_t dim = 0; /* standardise the proxy itself */
    double *columns = NULL;
    cr_assert_eq(regret_basis_expand(&columns, &dim, REGRET_BASIS_LINEAR, w->problem.z.value,
                                     w->pairs, w->shape.z, w->train),
                 0);
    regret_free(w->z_columns);
    w->z_columns = columns;
    w->problem.z.value = columns;
    a = world_fit(w, LINEAR), b = world_fit(w, CVCI_RESIDUAL);
    expect_same(a, b, w, 1e-12, "grounded-linear and the residual fit at lambda = 0");
    regret_estimate_free(a);
    regret_estimate_free(b);
    world_free(w);
}

/* τ → ∞ holds (s,t) at (1,1): grounded itself. */
Test(family_identities, an_iron_anchor_is_grounded)
{
    struct world *w = settled(&SHAPE, 32);
    *grid(w, "grounded_anchored.tau") = (struct regret_grid_values){1, {1e12}};
    struct regret_estimate *a = world_fit(w, ANCHORED), *b = world_fit(w, GROUNDED);
    cr_assert(a->rho == b->rho && a->basis == b->basis);
    expect_same(a, b, w, 1e-10, "tau = 1e12");
    regret_estimate_free(a);
    regret_estimate_free(b);
    world_free(w);
}

/* Predictions and out-of-fold predictions lie in [0,1] and do reach both ends here; a fit without
 * the clip would be seen in DR residuals. */
Test(family_identities, predictions_are_clipped_in_and_out_of_fold)
{
    size_t ends[2][2] = {{0}};
    for (int f = 0; f < WORLD_FAMILIES; f++) {
        struct world *w = settled(&WILD, 33);
        struct regret_estimate *e = world_fit(w, f);
        for (size_t p = 0; p < w->pairs; p++) {
            cr_assert(e->prediction[p] >= 0.0 && e->prediction[p] <= 1.0);
            ends[0][0] += e->prediction[p] == 0.0;
            ends[0][1] += e->prediction[p] == 1.0;
        }
        for (size_t i = 0; i < w->exp.n; i++) {
            cr_assert(e->cross_fit[i] >= 0.0 && e->cross_fit[i] <= 1.0, "%s: %g", world_family(f),
                      e->cross_fit[i]);
            ends[1][0] += e->cross_fit[i] == 0.0;
            ends[1][1] += e->cross_fit[i] == 1.0;
        }
        regret_estimate_free(e);
        world_free(w);
    }
    cr_assert(ends[0][0] > 10 && ends[0][1] > 10, "%zu, %zu", ends[0][0], ends[0][1]);
    cr_assert(ends[1][0] > 10 && ends[1][1] > 10, "%zu, %zu", ends[1][0], ends[1][1]);
}

/* w's rows and folds in another order: row i comes from row order[i]. */
static void permute(struct regret_rows *rows, uint32_t *fold, uint64_t seed)
{
    struct regret_rows old = *rows;
    size_t *order = NULL;
    uint32_t *pair = NULL, *moved = NULL;
    double *y = NULL;
    cr_assert(!REGRET_NEW(&order, rows->n) && !REGRET_NEW(&pair, rows->n) &&
              !REGRET_NEW(&moved, rows->n) && !REGRET_NEW(&y, rows->n));
    for (size_t i = 0; i < rows->n; i++) {
        order[i] = i;
    }
    struct regret_rng r = regret_rng_at(seed, REGRET_RNG_TEST, 78);
    regret_rng_shuffle(&r, order, rows->n);
    for (size_t i = 0; i < rows->n; i++) {
        pair[i] = old.pair[order[i]];
        y[i] = old.y[order[i]];
        moved[i] = fold[order[i]];
        rows->segment[i] = (uint32_t)order[i]; /* where the row came from; no estimator reads it */
    }
    memcpy(fold, moved, rows->n * sizeof *fold);
    regret_free(old.pair);
    regret_free(old.y);
    regret_free(order);
    regret_free(moved);
    rows->pair = pair;
    rows->y = y;
}

/* Rows carry their folds along. The OBS folds and the holdout belong to places, not rows, so
 * grounded-anchored keeps its OBS rows where they are and the holdout variant is left out. */
Test(family_identities, row_order_does_not_matter)
{
    for (int f = 0; f < WORLD_HOLDOUT; f++) {
        struct world *w = settled(&SHAPE, 34), *v = settled(&SHAPE, 34);
        struct regret_folds *cv = v->cv, *dr = v->dr;
        uint32_t *dr_fold = NULL, *none = NULL;
        cr_assert(!REGRET_NEW(&dr_fold, v->exp.n) && !REGRET_NEW(&none, v->obs.n));
        permute(&v->exp, cv->fold, 1);
        for (size_t i = 0; i < v->exp.n; i++) {
            dr_fold[i] = dr->fold[v->exp.segment[i]];
        }
        v->cv = world_folds(v, &v->exp, cv->mode, cv->n_folds, cv->fold);
        v->dr = world_folds(v, &v->exp, dr->mode, dr->n_folds, dr_fold);
        if (f != ANCHORED) {
            permute(&v->obs, none, 2);
        }
        world_join(v, 34);
        struct regret_estimate *a = world_fit(w, f), *b = world_fit(v, f);
        expect_same_choice(a, b, world_family(f));
        cr_expect(world_gap(a->prediction, b->prediction, w->pairs) < 1e-12, "%s", world_family(f));
        for (size_t i = 0; i < w->exp.n; i++) {
            cr_expect(fabs(b->cross_fit[i] - a->cross_fit[v->exp.segment[i]]) < 1e-12, "%s",
                      world_family(f));
        }
        regret_folds_free(cv);
        regret_folds_free(dr);
        regret_free(dr_fold);
        regret_free(none);
        regret_estimate_free(a);
        regret_estimate_free(b);
        world_free(w);
        world_free(v);
    }
}

static void times(struct regret_grid_values *grid, double factor)
{
    for (size_t i = 0; i < grid->n; i++) {
        grid->value[i] *= factor;
    }
}

static void duplicate(struct regret_rows *rows)
{
    size_t n = rows->n;
    cr_assert(!regret_realloc((void **)&rows->pair, 2 * n, sizeof *rows->pair, "rows") &&
              !regret_realloc((void **)&rows->y, 2 * n, sizeof *rows->y, "rows"));
    memcpy(rows->pair + n, rows->pair, n * sizeof *rows->pair);
    memcpy(rows->y + n, rows->y, n * sizeof *rows->y);
    rows->n = 2 * n;
}

static struct regret_folds *duplicate_folds(const struct world *w, struct regret_folds *old)
{
    uint32_t *fold = NULL;
    size_t n = old->n_rows;
    cr_assert(!REGRET_NEW(&fold, 2 * n));
    memcpy(fold, old->fold, n * sizeof *fold);
    memcpy(fold + n, old->fold, n * sizeof *fold);
    struct regret_folds *f = world_folds(w, &w->exp, old->mode, old->n_folds, fold);
    regret_folds_free(old);
    regret_free(fold);
    return f;
}

/* Every row twice halves ρ/n; ρ twice restores it. (The OBS folds of grounded-anchored and the
 * holdout would be dealt anew.) */
Test(family_identities, rows_twice_at_rho_twice)
{
    for (int f = 0; f < ANCHORED; f++) {
        struct world *w = settled(&SHAPE, 35), *v = settled(&SHAPE, 35);
        duplicate(&v->obs);
        duplicate(&v->exp);
        v->cv = duplicate_folds(v, v->cv);
        v->dr = duplicate_folds(v, v->dr);
        static const char *const single[] = {"representation_exp.rho", "grounded_linear.rho"};
        for (size_t i = 0; i < sizeof single / sizeof *single; i++) {
            regret_hyper_of(&v->options, single[i])->number *= 2.0;
        }
        times(grid(v, "exp_only.rho"), 2.0);
        times(grid(v, "obs_only.rho"), 2.0);
        times(grid(v, "cvci_residual.rho"), 2.0);
        times(grid(v, "grounded.rho"), 2.0);
        world_join(v, 35);
        struct regret_estimate *a = world_fit(w, f), *b = world_fit(v, f);
        cr_expect(a->basis == b->basis && (isnan(a->rho) || b->rho == 2.0 * a->rho));
        expect_same(a, b, w, 1e-12, world_family(f));
        cr_expect(world_gap(b->cross_fit, b->cross_fit + w->exp.n, w->exp.n) == 0.0);
        regret_estimate_free(a);
        regret_estimate_free(b);
        world_free(w);
        world_free(v);
    }
}

/* Only which rows share an agent counts, not what the agents are called or where they stand. */
Test(family_identities, labels_of_agents_do_not_matter)
{
    static const uint32_t label[8] = {5, 0, 7, 2, 6, 1, 3, 4};
    for (int f = 0; f < WORLD_FAMILIES; f++) {
        struct world *w = settled(&SHAPE, 36), *v = settled(&SHAPE, 36);
        for (size_t p = 0; p < v->pairs; p++) {
            v->agent[p] = label[v->agent[p]];
        }
        struct regret_estimate *a = world_fit(w, f), *b = world_fit(v, f);
        expect_same_choice(a, b, world_family(f));
        expect_same(a, b, w, 0.0, world_family(f));
        regret_estimate_free(a);
        regret_estimate_free(b);
        world_free(w);
        world_free(v);
    }
}

/* The session keeps what it made: another order of families, or one alone, gives the same bits; no
 * cross-fit when none is wanted. */
Test(family_identities, a_session_has_no_memory_of_order)
{
    struct world *w = settled(&SHAPE, 37);
    struct regret_session *session = NULL;
    cr_assert_eq(regret_session_open(&session, &w->problem, &w->options), 0);
    for (size_t i = 8; i-- > 0;) {
        struct regret_estimate *a = NULL, *b = world_fit(w, (int)i);
        cr_assert_eq(regret_family_fit(&a, regret_family_at(i), session), 0);
        expect_same_choice(a, b, world_family((int)i));
        expect_same(a, b, w, 0.0, world_family((int)i));
        regret_estimate_free(a);
        w->options.cross_fit = 0;
        a = world_fit(w, (int)i);
        cr_assert_null(a->cross_fit);
        cr_assert_eq(world_gap(a->prediction, b->prediction, w->pairs), 0.0);
        w->options.cross_fit = 1;
        regret_estimate_free(a);
        regret_estimate_free(b);
    }
    regret_session_close(session);
    world_free(w);
}
