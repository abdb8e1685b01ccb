/* What mixed and stack do whatever their formulas, which tests/outside/check_practice.py works out anew: names do not matter,
 * and problems that are hardly any are solved. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/family_world.h"
#include "estimate/practice_world.h"
#include "linalg/random_design.h"
#include "regret/estimate.h"
#include "regret/status.h"

static const struct world_shape SHAPE = {15, 5, 12, 6, 3, 150, 80, 0.2, 1.0};
static const char *const FAMILIES[] = {"mixed", "stack"};
enum { N_FAMILIES = 2, RANK = 2, TAGS = 3 };

static void expect_same(struct practice_world *a, struct practice_world *b, double tolerance,
                        const char *what)
{
    for (size_t f = 0; f < N_FAMILIES; f++) {
        struct regret_estimate *e = practice_fit(a, FAMILIES[f]), *g = practice_fit(b, FAMILIES[f]);
        double gap = world_gap(e->prediction, g->prediction, a->world->pairs);
        cr_expect(gap < tolerance, "%s, %s: predictions differ by %g", what, FAMILIES[f], gap);
        regret_estimate_free(e);
        regret_estimate_free(g);
    }
}

static void expect_defined(struct practice_world *w, const char *what)
{
    for (size_t f = 0; f < N_FAMILIES; f++) {
        struct regret_estimate *e = practice_fit(w, FAMILIES[f]);
        for (size_t p = 0; p < w->world->pairs; p++) {
            cr_expect(e->prediction[p] >= 0.0 && e->prediction[p] <= 1.0, "%s, %s", what,
                      FAMILIES[f]);
        }
        regret_estimate_free(e);
    }
}

/* Who is called by which number. Pairs stay where they are; the folds of the others are over agents, so mixed alone. */
Test(practice_properties, numbers_of_agents_and_tags_do_not_matter)
{
    struct practice_world *a = practice_draw(&SHAPE, 3, TAGS, RANK);
    struct practice_world *b = practice_begin(&SHAPE, 3, TAGS, RANK);
    for (size_t p = 0; p < b->world->pairs; p++) {
        b->world->agent[p] = (uint32_t)((b->world->agent[p] * 2 + 1) % SHAPE.agents);
    }
    for (size_t x = 0; x < SHAPE.contexts; x++) {
        b->tag[x] = TAGS - 1 - b->tag[x];
    }
    practice_settle(b);
    struct regret_estimate *e = practice_fit(a, "mixed"), *g = practice_fit(b, "mixed");
    cr_expect_lt(world_gap(e->prediction, g->prediction, a->world->pairs), 1e-5);
    regret_estimate_free(e);
    regret_estimate_free(g);
    practice_free(a);
    practice_free(b);
}

Test(practice_properties, one_tag_is_none)
{
    struct practice_world *a = practice_draw(&SHAPE, 4, 0, RANK);
    struct practice_world *b = practice_draw(&SHAPE, 4, 1, RANK);
    expect_same(a, b, 1e-9, "one tag");
    practice_free(a);
    practice_free(b);
}

/* Rows of one agent alone, of one pair, on two contexts, or one: something is still said. */
Test(practice_properties, few_rows)
{
    struct practice_world *w = practice_begin(&SHAPE, 5, TAGS, RANK);
    for (size_t i = 0; i < w->world->exp.n; i++) {
        w->world->exp.pair[i] -= w->world->exp.pair[i] % SHAPE.agents;
    }
    for (size_t i = 0; i < w->world->obs.n; i++) {
        w->world->obs.pair[i] -= w->world->obs.pair[i] % SHAPE.agents;
    }
    practice_settle(w);
    expect_defined(w, "rows of one agent");
    practice_free(w);
    for (uint32_t contexts = 1; contexts <= 2; contexts++) {
        w = practice_begin(&SHAPE, 6, TAGS, RANK);
        for (size_t i = 0; i < w->world->exp.n; i++) {
            w->world->exp.pair[i] %= contexts * (uint32_t)SHAPE.agents;
        }
        practice_settle(w);
        expect_defined(w, "EXP rows on two contexts");
        struct regret_estimate *e = practice_fit(w, "stack");
        cr_expect_eq(e->cv_mode, contexts == 2 ? REGRET_FOLDS_CONTEXTS : REGRET_FOLDS_NONE);
        regret_estimate_free(e);
        practice_free(w);
    }
    struct world_shape shape = SHAPE;
    shape.obs = shape.exp = 1;
    w = practice_draw(&shape, 7, TAGS, RANK);
    expect_defined(w, "one row of each kind");
    practice_free(w);
}

Test(practice_properties, constant_outcomes_are_predicted)
{
    static const double levels[] = {0.0, 0.4, 1.0};
    for (size_t k = 0; k < 3; k++) {
        struct practice_world *w = practice_begin(&SHAPE, 8, TAGS, RANK);
        for (size_t i = 0; i < w->world->exp.n; i++) {
            w->world->exp.y[i] = levels[k];
        }
        for (size_t i = 0; i < w->world->obs.n; i++) {
            w->world->obs.y[i] = levels[k];
        }
        practice_settle(w);
        for (size_t f = 0; f < N_FAMILIES; f++) {
            struct regret_estimate *e = practice_fit(w, FAMILIES[f]);
            for (size_t p = 0; p < w->world->pairs; p++) {
                cr_expect_float_eq(e->prediction[p], levels[k], 1e-9, "%s", FAMILIES[f]);
            }
            regret_estimate_free(e);
        }
        practice_free(w);
    }
}

/* OBS that leads astray: shifted by agent, it does not change who is the best by mixed, as it does by its means. */
Test(practice_properties, a_bias_of_obs_is_seen)
{
    struct world_shape shape = {60, 5, 50, 4, 2, 2000, 1500, 0.1, 1.0};
    struct practice_world *w = practice_begin(&shape, 9, 0, 0);
    for (size_t i = 0; i < w->world->exp.n; i++) {
        uint32_t a = w->world->agent[w->world->exp.pair[i]];
        w->world->exp.y[i] = 0.5 + 0.02 * a + 0.05 * sin((double)i);
    }
    for (size_t i = 0; i < w->world->obs.n; i++) {
        uint32_t a = w->world->agent[w->world->obs.pair[i]];
        w->world->obs.y[i] = 0.7 - 0.06 * a + 0.05 * sin((double)i);
    }
    practice_settle(w);
    for (size_t f = 0; f < N_FAMILIES; f++) {
        struct regret_estimate *e = practice_fit(w, FAMILIES[f]);
        for (size_t x = 0; x < shape.contexts; x++) {
            for (size_t a = 0; a + 1 < shape.agents; a++) {
                cr_expect_lt(e->prediction[x * shape.agents + a],
                             e->prediction[x * shape.agents + shape.agents - 1], "%s", FAMILIES[f]);
            }
        }
        regret_estimate_free(e);
    }
    practice_free(w);
}

/* Refitted by folds of contexts, hyper-parameters and weights kept: the same combination of the members' refits. */
Test(practice_properties, a_refitted_stack_is_made_of_refitted_members)
{
    struct practice_world *w = practice_draw(&SHAPE, 71, TAGS, RANK);
    struct regret_problem *p = &w->world->problem;
    const struct regret_family *family[REGRET_MAX_FAMILIES];
    struct regret_estimate *e[REGRET_MAX_FAMILIES];
    size_t n = 0, stack = 0;
    for (; n < regret_family_count(); n++) {
        family[n] = regret_family_at(n);
        e[n] = practice_fit(w, family[n]->name);
        stack = strcmp(family[n]->name, "stack") == 0 ? n : stack;
    }
    cr_assert_eq(regret_refit_folds(e, family, n, p, &w->world->options,
                                    &(struct regret_refit){p->context, p->n_contexts, 0, 5, NULL}),
                 0);
    struct regret_estimate *alone = practice_fit(w, "stack");
    cr_assert_eq(regret_refit_folds(&alone, &family[stack], 1, p, &w->world->options,
                                    &(struct regret_refit){p->context, p->n_contexts, 0, 5, NULL}),
                 0);
    cr_expect_eq(world_gap(alone->cross_fit, e[stack]->cross_fit, p->exp->n), 0.0);
    cr_expect_eq(world_gap(alone->fold_mean, e[stack]->fold_mean, p->pairs), 0.0);
    for (size_t i = 0; i < n; i++) {
        regret_estimate_free(e[i]);
    }
    regret_estimate_free(alone);
    practice_free(w);
}

/* By conjugate gradients, whose solver of the whole serves the folds that weights are chosen by. */
Test(practice_properties, a_stack_by_conjugate_gradients_is_that_of_the_dense_design)
{
    struct practice_world *w = practice_draw(&SHAPE, 72, TAGS, RANK);
    struct regret_problem *p = &w->world->problem;
    struct random_design d = random_design(p->pairs, p->n_contexts, 40, 72);
    d.sparse.iterative = 1;
    p->phi = d.dense;
    struct regret_estimate *dense = practice_fit(w, "stack");
    p->phi = d.sparse;
    struct regret_estimate *sparse = practice_fit(w, "stack");
    cr_expect_eq(dense->chosen_library, sparse->chosen_library);
    cr_expect_lt(world_gap(dense->prediction, sparse->prediction, p->pairs), 1e-8);
    for (size_t i = 0; i < dense->n_libraries; i++) {
        cr_expect_float_eq(dense->library[i].loss, sparse->library[i].loss, 1e-8);
    }
    regret_estimate_free(dense);
    regret_estimate_free(sparse);
    random_design_clear(&d);
    practice_free(w);
}

Test(practice_properties, want_of_memory_is_told)
{
    struct practice_world *w = practice_begin(&SHAPE, 10, TAGS, RANK);
    practice_give_own(w, 3, 10);
    practice_settle(w);
    for (size_t f = 0; f < N_FAMILIES; f++) {
        int rc = -1;
        for (long n = 0; rc != 0; n += 1 + n / 3) {
            struct regret_session *session = NULL;
            struct regret_estimate *e = NULL;
            cr_assert_eq(regret_session_open(&session, &w->world->problem, &w->world->options), 0);
            regret_alloc_fail_after(n);
            rc = regret_family_fit(&e, regret_family_find(FAMILIES[f]), session);
            regret_alloc_fail_after(-1);
            cr_assert(rc == 0 || rc == REGRET_E_NOMEM);
            regret_estimate_free(e);
            regret_session_close(session);
        }
    }
    practice_free(w);
}
