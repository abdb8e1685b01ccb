/* Families for practice against naive references of their own. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/family_world.h"
#include "estimate/practice/mixed.h"
#include "estimate/practice_reference.h"
#include "estimate/practice_world.h"
#include "linalg/random_design.h"
#include "regret/alloc.h"
#include "regret/families.h"

static const struct world_shape SHAPES[] = {
    {16, 5, 13, 6, 3, 120, 50, 0.2, 1.0},
    {12, 4, 10, 5, 6, 25, 15, 0.2, 1.0}, /* more columns than rows */
    {9, 3, 7, 4, 0, 90, 60, 0.3, 1.6},   /* no proxy; outcomes reach 0 and 1 */
};
enum { N_SHAPES = sizeof SHAPES / sizeof *SHAPES };

static double clip(double x)
{
    return x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x;
}

static double gap_to_clipped(const double *f, const double *unclipped, size_t n)
{
    double gap = 0.0;
    for (size_t i = 0; i < n; i++) {
        gap = fmax(gap, fabs(f[i] - clip(unclipped[i])));
    }
    return gap;
}

/* Predictions, and those without each DR fold, at the variances that were chosen. */
static void compare_mixed(const struct practice_world *w, const struct regret_estimate *e,
                          size_t shape)
{
    const struct regret_problem *p = &w->world->problem;
    double *f = malloc(p->pairs * sizeof *f);
    unsigned char *use = malloc(p->exp->n);
    mixed_reference(f, p, w->rank, e, e->variance, NULL);
    cr_expect_lt(gap_to_clipped(e->prediction, f, p->pairs), 1e-9, "shape %zu", shape);
    for (size_t k = 0; k < p->dr->n_folds; k++) {
        for (size_t i = 0; i < p->exp->n; i++) {
            use[i] = p->dr->fold[i] != k;
        }
        mixed_reference(f, p, w->rank, e, e->variance, use);
        for (size_t i = 0; i < p->exp->n; i++) {
            cr_expect(p->dr->fold[i] != k ||
                          fabs(e->cross_fit[i] - clip(f[p->exp->pair[i]])) < 1e-9,
                      "shape %zu, row %zu", shape, i);
        }
    }
    free(f);
    free(use);
}

/* Blocks that lack columns in a fit of this reach: of tags, texts, words and the bias of texts. */
static int is_absent(size_t block, const struct regret_problem *p, const struct regret_estimate *e,
                     enum mixed_reach reach)
{
    int is_text = block == MIXED_TEXT || block == MIXED_TEXT_BIAS;
    return (block == MIXED_AGENT_TAG && (p->n_tags < 2 || reach == MIXED_ONE_AGENT)) ||
           (is_text && (p->z.dim == 0 || reach != MIXED_BY_REQUEST)) ||
           (block == MIXED_WORDS && reach != MIXED_BY_REQUEST) ||
           (block == MIXED_PICKED && e->n_picked == 0) ||
           ((block == MIXED_OWN || block == MIXED_AGENT_OWN) &&
            (p->own_rank == 0 || reach != MIXED_BY_REQUEST));
}

/* No variance that moves a little alone makes the rows more likely; a block without columns has none. */
static void expect_summit(const struct practice_world *w, const struct regret_estimate *e,
                          enum mixed_reach reach, size_t shape)
{
    static const double low[REGRET_N_VARIANCES] = {1e-4, 1e-8, 1e-8, 1e-8, 1e-8, 1e-8,
                                                   1e-8, 1e-8, 1e-8, 1e-8, 1e-8, 1e-6};
    const struct regret_problem *p = &w->world->problem;
    double here = mixed_reference(NULL, p, w->rank, e, e->variance, NULL);
    for (size_t j = 0; j < REGRET_N_VARIANCES; j++) {
        if (is_absent(j, p, e, reach)) {
            cr_expect_eq(e->variance[j], 0.0);
            continue;
        }
        for (int up = 0; up < 2; up++) {
            double v[REGRET_N_VARIANCES];
            memcpy(v, e->variance, sizeof v);
            v[j] *= up ? 1.02 : 1.0 / 1.02;
            if (v[j] >= low[j]) {
                double there = mixed_reference(NULL, p, w->rank, e, v, NULL);
                cr_expect_leq(there, here + 1e-7,
                              "shape %zu: variance %zu of %g is not the likeliest: %.3g more",
                              shape, j, e->variance[j], there - here);
            }
        }
        cr_expect_geq(e->variance[j], low[j] * (1.0 - 1e-12));
    }
}

Test(practice, mixed_agrees_with_the_covariance_of_all_rows)
{
    size_t picked = 0;
    for (size_t s = 0; s < N_SHAPES; s++) {
        for (size_t tags = 0; tags <= 3; tags += 3) {
            struct practice_world *w = practice_draw(&SHAPES[s], 40 + s, tags, 2);
            struct regret_estimate *e = practice_fit(w, "mixed");
            compare_mixed(w, e, s);
            expect_summit(w, e, MIXED_BY_REQUEST, s);
            picked += e->n_picked;
            regret_estimate_free(e);
            practice_free(w);
        }
    }
    cr_expect_gt(picked, 0, "a word that is planted");
}

/* With own columns, of which thirty agents would cross with four alone. */
Test(practice, mixed_with_own_columns_agrees_with_it_too)
{
    static const struct world_shape many = {12, 30, 10, 30, 2, 90, 40, 0.2, 1.0};
    size_t found = 0;
    for (size_t s = 0; s <= N_SHAPES; s++) {
        struct practice_world *w = practice_begin(s < N_SHAPES ? &SHAPES[s] : &many, 90 + s, 3, 2);
        practice_give_own(w, s < N_SHAPES ? 1 + s : 6, 90 + s);
        practice_settle(w);
        struct regret_estimate *e = practice_fit(w, "mixed");
        compare_mixed(w, e, s);
        expect_summit(w, e, MIXED_BY_REQUEST, s);
        found += e->variance[MIXED_AGENT_OWN] > 1e-4;
        regret_estimate_free(e);
        e = practice_fit_family(w, &mixed_by_tag);
        expect_summit(w, e, MIXED_BY_TAG, s);
        regret_estimate_free(e);
        practice_free(w);
    }
    cr_expect_gt(found, 1, "what is planted");
}

/* So do the members that reach less far. */
Test(practice, mixed_of_agents_alone_and_by_tag_agree_with_it_too)
{
    static const enum mixed_reach reach[2] = {MIXED_ONE_AGENT, MIXED_BY_TAG};
    const struct regret_family *family[2] = {&mixed_one_agent, &mixed_by_tag};
    for (size_t s = 0; s < N_SHAPES; s++) {
        for (size_t m = 0; m < 2; m++) {
            struct practice_world *w = practice_draw(&SHAPES[s], 80 + s, 3, 2);
            struct regret_estimate *e = practice_fit_family(w, family[m]);
            compare_mixed(w, e, s);
            expect_summit(w, e, reach[m], s);
            regret_estimate_free(e);
            practice_free(w);
        }
    }
}

static void compare_stack(const struct practice_world *w, const struct regret_estimate *e,
                          double errors)
{
    const struct regret_problem *p = &w->world->problem;
    struct stack_reference r;
    stack_reference(&r, p, &w->world->options, errors);
    cr_expect_eq(e->chosen_library, r.library);
    for (size_t m = 0; m < STACK_MEMBERS; m++) {
        cr_expect_float_eq(e->member[m].weight, r.weight[m], 1e-7, "%s has %g, not %g",
                           e->member[m].name, e->member[m].weight, r.weight[m]);
    }
    for (size_t l = 0; l < STACK_LIBRARIES; l++) {
        cr_expect_float_eq(e->library[l].loss, r.loss[l], 1e-9);
        cr_expect_float_eq(e->library[l].difference, r.difference[l], 1e-9);
        cr_expect_float_eq(e->library[l].error, r.error[l], 1e-9);
    }
    cr_expect_lt(world_gap(e->prediction, r.prediction, p->pairs), 1e-8);
    cr_expect_lt(world_gap(e->cross_fit, r.cross_fit, p->exp->n), 1e-8);
    free(r.prediction);
    free(r.cross_fit);
}

Test(practice, stack_agrees_with_weights_found_by_trying_every_set)
{
    static const double errors[] = {0.0, 1.0};
    size_t rich = 0;
    for (size_t s = 0; s < N_SHAPES; s++) {
        for (size_t i = 0; i < 2; i++) {
            struct practice_world *w = practice_draw(&SHAPES[s], 60 + s, 3, 2);
            regret_hyper_of(&w->world->options, "stack.errors")->number = errors[i];
            struct regret_estimate *e = practice_fit(w, "stack");
            compare_stack(w, e, errors[i]);
            rich += e->chosen_library > 0;
            regret_estimate_free(e);
            practice_free(w);
        }
    }
    cr_expect_gt(rich, 0, "a library with weights in it is tried");
}

/* Refitted by folds of contexts, hyper-parameters and weights kept: the same combination of the members' refits. */
Test(practice, a_refitted_stack_is_made_of_refitted_members)
{
    struct practice_world *w = practice_draw(&SHAPES[0], 71, 3, 2);
    struct regret_problem *p = &w->world->problem;
    const struct regret_family *family[REGRET_MAX_FAMILIES];
    struct regret_estimate *e[REGRET_MAX_FAMILIES];
    size_t n = 0, stack = 0;
    regret_hyper_of(&w->world->options, "stack.errors")->number = 0.0;
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
Test(practice, a_stack_by_conjugate_gradients_is_that_of_the_dense_design)
{
    struct practice_world *w = practice_draw(&SHAPES[0], 72, 3, 2);
    struct regret_problem *p = &w->world->problem;
    struct random_design d = random_design(p->pairs, p->n_contexts, 40, 72);
    regret_hyper_of(&w->world->options, "stack.errors")->number = 0.0;
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
