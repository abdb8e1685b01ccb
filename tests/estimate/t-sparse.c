/* Sparse designs through whole fits: what comes out is what the dense ones give. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/family_world.h"
#include "linalg/multi_ridge.h"
#include "linalg/random_design.h"
#include "regret/estimate.h"

/* Contexts, agents, training contexts, φ, z, OBS, EXP, noise, stretch. */
static const struct world_shape SHAPES[] = {
    {20, 12, 16, 8, 4, 300, 90, 0.2, 1.0},  /* parts wider than φ: the direct way */
    {20, 12, 16, 50, 3, 250, 60, 0.1, 1.0}, /* parts narrower than φ: Woodbury */
    {10, 6, 8, 30, 2, 40, 25, 0.2, 2.5},    /* more features than EXP rows */
};
#ifdef REGRET_FEW_REPLICATES
enum { N_SHAPES = sizeof SHAPES / sizeof *SHAPES, EACH_SHAPE = 2 }; /* the smaller two */
#else
enum { N_SHAPES = sizeof SHAPES / sizeof *SHAPES, EACH_SHAPE = 1 };
#endif

/* Coordinates of the pairs drawn. */
static struct regret_coordinates drawn_coordinates(const struct world *w,
                                                   const struct regret_design *sparse)
{
    struct regret_coordinates c;
    unsigned char *seen = calloc(w->pairs, 1);
    for (size_t i = 0; i < w->obs.n; i++) {
        seen[w->obs.pair[i]] = 1;
    }
    for (size_t i = 0; i < w->exp.n; i++) {
        seen[w->exp.pair[i]] = 1;
    }
    cr_assert_eq(regret_coordinates_of_design(&c, sparse, seen), 0);
    free(seen);
    return c;
}

static void same_estimates(const struct world *w, const struct regret_estimate *a,
                           const struct regret_estimate *b, const char *family)
{
    double gap = world_gap(a->prediction, b->prediction, w->pairs);
    cr_assert_lt(gap, 1e-10, "%s: predictions differ by %g", family, gap);
    gap = world_gap(a->cross_fit, b->cross_fit, w->exp.n);
    cr_assert_lt(gap, 1e-10, "%s: cross-fitted predictions differ by %g", family, gap);
    cr_assert_eq(a->n_candidates, b->n_candidates);
    for (size_t c = 0; c < a->n_candidates; c++) {
        gap = world_gap(&a->candidates[c].loss, &b->candidates[c].loss, 1);
        cr_assert_lt(gap, 1e-10, "%s: losses differ by %g", family, gap);
    }
}

/* By conjugate gradients: all losses, or only as accurately as the choice wants. */
static void compare_iterative(struct world *w, const struct regret_design *sparse,
                              const struct regret_estimate *dense, int f)
{
    w->problem.phi = *sparse;
    w->problem.phi.iterative = 1;
    w->options.all_losses = 1;
    struct regret_estimate *all = world_fit(w, f);
    w->options.all_losses = 0;
    struct regret_estimate *chosen = world_fit(w, f);
    same_estimates(w, dense, all, world_family(f));
    cr_assert_lt(world_gap(all->prediction, chosen->prediction, w->pairs), 1e-10);
    cr_assert_lt(world_gap(all->cross_fit, chosen->cross_fit, w->exp.n), 1e-10);
    cr_assert_eq(memcmp(all->tuned, chosen->tuned, sizeof all->tuned), 0, "%s", world_family(f));
    regret_estimate_free(all);
    regret_estimate_free(chosen);
}

/* All families, tuned, cross-fitted and fitted, on φ as own + shared, whole and reduced. */
Test(sparse, families_are_those_of_the_dense_design)
{
    for (size_t s = 0; s < N_SHAPES; s += EACH_SHAPE) {
        struct world *w = world_draw(&SHAPES[s], 900 + s);
        struct random_design d =
            random_design(w->pairs, SHAPES[s].contexts, SHAPES[s].phi, 900 + s);
        for (size_t p = 0; p < w->pairs; p++) {
            for (size_t j = 0; j < SHAPES[s].phi; j++) {
                w->phi[p * SHAPES[s].phi + j] = d.columns[j * w->pairs + p];
            }
        }
        world_settle(w, s);
        struct regret_coordinates c = drawn_coordinates(w, &d.sparse);
        for (int f = 0; f < WORLD_FAMILIES; f++) {
            w->problem.phi = d.dense;
            struct regret_estimate *dense = world_fit(w, f);
            w->problem.phi = d.sparse;
            struct regret_estimate *sparse = world_fit(w, f);
            w->problem.phi = regret_design_reduced(&d.sparse, &c);
            struct regret_estimate *reduced = world_fit(w, f);
            same_estimates(w, dense, sparse, world_family(f));
            same_estimates(w, dense, reduced, world_family(f));
            compare_iterative(w, &d.sparse, dense, f);
            regret_estimate_free(dense);
            regret_estimate_free(sparse);
            regret_estimate_free(reduced);
        }
        regret_coordinates_free(&c);
        random_design_clear(&d);
        world_free(w);
    }
}

/* cvci in a session, after obs-only or by itself; adds to what was multiplied. */
static struct regret_estimate *fit_cvci(size_t *steps, struct world *w, int after_obs_only)
{
    struct regret_solver_record record = {0};
    struct regret_session *session = NULL;
    struct regret_estimate *first = NULL, *cvci = NULL;
    w->problem.phi.record = &record;
    cr_assert_eq(regret_session_open(&session, &w->problem, &w->options), 0);
    if (after_obs_only) {
        cr_assert_eq(regret_family_fit(&first, regret_family_find("obs-only"), session), 0);
    }
    size_t before = record.steps;
    cr_assert_eq(regret_family_fit(&cvci, regret_family_find("cvci"), session), 0, "%s",
                 regret_error_message());
    *steps = record.steps - before;
    regret_estimate_free(first);
    regret_session_close(session);
    w->problem.phi.record = NULL;
    return cvci;
}

/* λ = 1 is obs-only in every fold over EXP: where it is there, it is not fitted again. */
Test(sparse, the_contest_for_lambda_takes_obs_only_as_it_is)
{
    struct world *w = world_draw(&SHAPES[1], 77);
    struct random_design d = random_design(w->pairs, SHAPES[1].contexts, SHAPES[1].phi, 77);
    size_t alone = 0, after = 0;
    world_settle(w, 3);
    w->problem.phi = d.sparse;
    w->problem.phi.iterative = 1;
    w->options.all_losses = 1;
    struct regret_estimate *a = fit_cvci(&alone, w, 0), *b = fit_cvci(&after, w, 1);
    same_estimates(w, a, b, "cvci");
    cr_assert_eq(a->lambda, b->lambda);
    cr_assert_gt(after, 0);
    cr_assert_lt(after, alone);
    regret_estimate_free(a);
    regret_estimate_free(b);
    random_design_clear(&d);
    world_free(w);
}

/* Labels predicted from fewer rows than features and from more, with counts of 0, 1 and 2. */
Test(sparse, predicted_labels_are_those_of_the_dense_design)
{
    enum { PAIRS = 80, LABELS = 3, DIM = 3 };
    /* Columns; the last are too many for a Gram matrix, and the first ridge on them too weak to prove an error. */
    static const size_t COLUMNS[] = {5, 65, 125, 2100, 2100}, FALLBACKS[] = {0, 0, 0, 1, 0};
    static const double RIDGES[] = {0.7, 0.7, 0.7, 0.01, 2000.0};
    for (size_t i = 0; i < sizeof COLUMNS / sizeof *COLUMNS; i++) {
        size_t cols = COLUMNS[i];
        double ridge = RIDGES[i];
        struct regret_solver_record record = {0};
        struct random_design d = random_design(PAIRS, 9, cols, cols);
        double *t = random_dense(PAIRS, LABELS, 6), count[PAIRS];
        double dense[PAIRS * LABELS], sparse[PAIRS * LABELS];
        double z[PAIRS * DIM], z_dense[PAIRS * DIM];
        const struct regret_design columns = regret_design_dense(PAIRS, cols, d.columns);
        size_t found = 0, found_dense = 0;
        for (size_t p = 0; p < PAIRS; p++) {
            count[p] = (double)(p % 3);
        }
        cr_assert_eq(multi_ridge_predict(dense, &columns, t, LABELS, count, ridge), 0);
        cr_assert_eq(multi_ridge_predict(sparse, &d.sparse, t, LABELS, count, ridge), 0);
        cr_assert_lt(world_gap(dense, sparse, PAIRS * LABELS), 1e-10);
        d.sparse.iterative = 1;
        d.sparse.record = &record;
        cr_assert_eq(
            multi_ridge_by_columns(53.0, (double)cols + 1.0, 53.0 * 0.3 * (double)cols, 3.0),
            cols < 2048);
        cr_assert_eq(multi_ridge_predict(sparse, &d.sparse, t, LABELS, count, ridge), 0);
        cr_assert_lt(world_gap(dense, sparse, PAIRS * LABELS), 1e-9);
        cr_assert_eq(record.fallbacks, FALLBACKS[i]);
        d.sparse.iterative = 0;
        struct regret_proxy_source source = {
            .n_pairs = PAIRS, .aux = t, .n_aux = LABELS, .features = &d.sparse};
        struct regret_proxy_options options = REGRET_PROXY_OPTIONS_INIT;
        options.kind = REGRET_PROXY_PREDICTED_LABELS;
        options.dim = DIM;
        cr_assert_eq(regret_proxy_fit(z, &found, &source, count, &options), 0);
        source.features = &columns;
        cr_assert_eq(regret_proxy_fit(z_dense, &found_dense, &source, count, &options), 0);
        cr_assert_eq(found, found_dense);
        cr_assert_lt(world_gap(z, z_dense, PAIRS * DIM), 1e-8);
        free(t);
        random_design_clear(&d);
    }
}

Test(sparse, predicted_labels_are_refused_what_they_cannot_use)
{
    struct random_design d = random_design(6, 2, 4, 3);
    double t[6] = {0.0, 1.0, 2.0, 1.0, NAN, 0.5}, count[6] = {1, 1, 1, 1, 0, 1}, z[6];
    double prediction[6];
    size_t found = 0;
    cr_assert_eq(multi_ridge_predict(prediction, &d.sparse, t, 1, count, 0.0), REGRET_E_INPUT);
    count[4] = 1.0;
    cr_assert_lt(multi_ridge_predict(prediction, &d.sparse, t, 1, count, 1.0), 0);
    d.sparse.iterative = 1;
    cr_assert_lt(multi_ridge_predict(prediction, &d.sparse, t, 1, count, 1.0), 0);
    d.sparse.iterative = 0;
    struct regret_proxy_source source = {.n_pairs = 7, .aux = t, .n_aux = 1, .features = &d.sparse};
    struct regret_proxy_options options = REGRET_PROXY_OPTIONS_INIT;
    options.kind = REGRET_PROXY_PREDICTED_LABELS;
    options.dim = 1;
    cr_assert_eq(regret_proxy_fit(z, &found, &source, count, &options), REGRET_E_INPUT);
    random_design_clear(&d);
}
