/* The lists of rows, recomputed from the exports of their cell. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/exported.h"
#include "experiment/fixture.h"
#include "regret/buffer.h"
#include "regret/status.h"

TestSuite(details, .init = fixture_open, .fini = fixture_close);

enum { CONTEXTS = 8, AGENTS = 4, CELL = 1, SEED = 1, FAMILIES = 6, BASELINES = 4 };

/* What a file of six digits may differ by. */
static const double DIGITS = 2e-6;

/* What the exports of all folds say. */
struct told {
    int held_out[CONTEXTS];
    double best[CONTEXTS];
    size_t choice[FAMILIES + BASELINES][CONTEXTS];
    double loss[FAMILIES + BASELINES][CONTEXTS];
    double value[AGENTS], value_grid[AGENTS], estimate[FAMILIES][3][AGENTS], weight;
};

static size_t largest(const double *v)
{
    size_t best = 0;
    for (size_t a = 1; a < AGENTS; a++) {
        best = v[a] > v[best] ? a : best;
    }
    return best;
}

/* The agent of the largest mean outcome in obs.csv or exp.csv. */
static size_t best_of_rows(const struct exported *e, const char *file)
{
    size_t n = 0;
    double *agent = exported_column(&n, e, file, 3), *y = exported_column(&n, e, file, 5);
    double sum[AGENTS] = {0.0}, rows[AGENTS] = {0.0}, mean[AGENTS];
    for (size_t i = 0; i < n; i++) {
        sum[(size_t)agent[i]] += y[i];
        rows[(size_t)agent[i]] += 1.0;
    }
    for (size_t a = 0; a < AGENTS; a++) {
        mean[a] = rows[a] > 0.0 ? sum[a] / rows[a] : -1.0;
    }
    free(agent);
    free(y);
    return largest(mean);
}

static void tell(struct told *t, size_t subject, size_t x, size_t agent, const double *mu)
{
    t->choice[subject][x] = agent;
    t->loss[subject][x] = mu[largest(mu)] - mu[agent];
}

static void tell_contexts(struct told *t, const struct exported *e)
{
    size_t pairs = 0, by_exp = best_of_rows(e, "exp.csv"), by_obs = best_of_rows(e, "obs.csv");
    for (size_t f = 0; f < FAMILIES; f++) {
        double *prediction = exported_column(&pairs, e, "predictions.csv", f + 1);
        for (size_t i = 0; i < e->n_test; i++) {
            size_t x = e->test[i];
            tell(t, f, x, largest(prediction + x * AGENTS), e->mu + (x * AGENTS));
        }
        free(prediction);
    }
    for (size_t i = 0; i < e->n_test; i++) {
        size_t x = e->test[i];
        const double *mu = e->mu + (x * AGENTS);
        t->held_out[x]++;
        t->best[x] = mu[largest(mu)];
        tell(t, FAMILIES, x, largest(mu), mu);
        tell(t, FAMILIES + 2, x, by_exp, mu);
        tell(t, FAMILIES + 3, x, by_obs, mu);
        for (size_t a = 0; a < AGENTS; a++) {
            t->loss[FAMILIES + 1][x] += (t->best[x] - mu[a]) / AGENTS;
        }
    }
}

static void tell_values(struct told *t, const struct exported *e)
{
    size_t rows = 0;
    double w = (double)e->n_reference;
    for (size_t kind = 0; kind < 3; kind++) {
        double *v = exported_column(&rows, e, "values.csv", 3 + kind);
        for (size_t i = 0; i < (size_t)FAMILIES * AGENTS; i++) {
            t->estimate[i / AGENTS][kind][i % AGENTS] += w * v[i];
        }
        free(v);
    }
    for (size_t a = 0; a < AGENTS; a++) {
        t->value_grid[a] = 0.0;
        for (size_t x = 0; x < CONTEXTS; x++) {
            t->value_grid[a] += e->mu[x * AGENTS + a] / CONTEXTS;
        }
        for (size_t i = 0; i < e->n_reference; i++) {
            t->value[a] += e->mu[e->reference[i] * AGENTS + a];
        }
    }
    t->weight += w;
}

static struct regret_list_view list_of(const struct regret_results *r, enum regret_list list,
                                       size_t subject)
{
    return regret_results_list(r, list, subject, CELL, SEED);
}

static void expect_contexts(const struct regret_results *r, const struct told *t)
{
    size_t oracle = regret_results_subject(r, REGRET_ROW_BASELINE, "oracle");
    struct regret_list_view context = list_of(r, REGRET_LIST_CONTEXT, oracle);
    struct regret_list_view best = list_of(r, REGRET_LIST_BEST, oracle);
    size_t held_out = 0;
    cr_assert_eq(oracle, FAMILIES);
    for (size_t x = 0; x < CONTEXTS; x++) {
        cr_assert_leq(t->held_out[x], 1, "held out once");
        if (!t->held_out[x]) {
            continue;
        }
        cr_assert_eq((size_t)context.number[held_out], x);
        cr_assert_float_eq(best.number[held_out], t->best[x], DIGITS);
        for (size_t i = 0; i < FAMILIES + BASELINES; i++) {
            struct regret_list_view choice = list_of(r, REGRET_LIST_CHOICE, i);
            struct regret_list_view loss = list_of(r, REGRET_LIST_LOSS, i);
            cr_assert_eq(choice.n, i == FAMILIES + 1 ? 0 : context.n, "random chooses none");
            cr_assert_eq(loss.n, context.n);
            cr_assert(choice.n == 0 || (size_t)choice.number[held_out] == t->choice[i][x],
                      "subject %zu, context %zu", i, x);
            cr_assert_float_eq(loss.number[held_out], t->loss[i][x], DIGITS);
        }
        held_out++;
    }
    cr_assert_eq(context.n, held_out);
    cr_assert_eq(best.n, held_out);
}

static void expect_values(const struct regret_results *r, const struct told *t, size_t folds)
{
    struct regret_list_view value = list_of(r, REGRET_LIST_VALUE, FAMILIES);
    struct regret_list_view grid = list_of(r, REGRET_LIST_VALUE_GRID, FAMILIES);
    cr_assert_eq(value.n, AGENTS);
    for (size_t a = 0; a < AGENTS; a++) {
        cr_assert_float_eq(value.number[a], t->value[a] / t->weight, DIGITS);
        cr_assert_float_eq(grid.number[a], t->value_grid[a], DIGITS);
    }
    for (size_t f = 0; f < FAMILIES; f++) {
        for (size_t kind = 0; kind < 3; kind++) {
            struct regret_list_view v = list_of(r, REGRET_LIST_DM + kind, f);
            struct regret_list_view half = list_of(r, REGRET_LIST_DM_HALF + kind, f);
            cr_assert_eq(v.n, AGENTS);
            cr_assert_eq(half.n, folds == 1 ? AGENTS : 0, "none of folds together");
            for (size_t a = 0; a < AGENTS; a++) {
                cr_assert_float_eq(v.number[a], t->estimate[f][kind][a] / t->weight, DIGITS,
                                   "family %zu, value %zu, agent %zu", f, kind, a);
            }
        }
    }
}

static void check(const char *const *sets, size_t n_sets, size_t folds)
{
    struct told told = {0};
    struct regret_run_options o = fixture_options("r");
    struct regret_results *r = NULL;
    o.sets = sets;
    o.n_sets = n_sets;
    fixture_run(&o);
    for (size_t k = 0; k < folds; k++) {
        struct exported e;
        exported_make(&e, sets, n_sets, (struct exported_place){CELL, SEED, k});
        tell_contexts(&told, &e);
        tell_values(&told, &e);
        exported_close(&e);
    }
    cr_assert_eq(regret_results_read(&r, sample_path("r")), 0, "%s", regret_error_message());
    cr_assert_eq(r->n_grids, 1);
    cr_assert_eq(r->grids[0].n_agents, AGENTS);
    cr_assert_eq(r->grids[0].n_contexts, CONTEXTS);
    expect_contexts(r, &told);
    expect_values(r, &told, folds);
    regret_results_free(r);
}

Test(details, of_a_single_split)
{
    check(NULL, 0, 1);
}

Test(details, of_folds_of_contexts)
{
    check((const char *const[]){"contexts.folds=3"}, 1, 3);
}

Test(details, of_reference_contexts_apart)
{
    check((const char *const[]){"contexts.train_share=0.4", "contexts.reference=0.5"}, 2, 1);
    cr_assert_eq(regret_folder_remove(sample_path("r")), 0);
    cr_assert_eq(regret_folder_remove(sample_path("e")), 0);
    check((const char *const[]){"contexts.folds=2", "contexts.reference=0.25"}, 2, 2);
}

/* The half-widths are those of the intervals of the export, but for the noise of its 2,000 resamples. */
Test(details, intervals_are_those_of_the_export)
{
    struct exported e;
    struct regret_results *r = NULL;
    size_t rows = 0;
    const char *const set[] = {"n_exp=400"};
    fixture_make_with("r", set, 1);
    cr_assert_eq(
        regret_export_cell(sample_path("e"), fixture_config(), set, 1, CELL, SEED, 0, 0, NULL), 0);
    exported_open(&e, "e", "z-aux-svd.csv");
    cr_assert_eq(regret_results_read(&r, sample_path("r")), 0);
    double *low = exported_column(&rows, &e, "intervals.csv", 3);
    double *high = exported_column(&rows, &e, "intervals.csv", 4);
    cr_assert_eq(rows, (size_t)FAMILIES * 3 * AGENTS);
    for (size_t i = 0; i < rows; i++) {
        struct regret_list_view half =
            list_of(r, REGRET_LIST_DM_HALF + i / AGENTS % 3, i / ((size_t)3 * AGENTS));
        double wanted = 0.5 * (high[i] - low[i]);
        cr_assert_float_eq(half.number[i % AGENTS], wanted, 0.15 * wanted, "%zu: %g, not %g", i,
                           half.number[i % AGENTS], wanted);
    }
    free(low);
    free(high);
    exported_close(&e);
    regret_results_free(r);
}

Test(details, are_left_out_where_they_are_not_wanted)
{
    struct regret_run_options o = fixture_options("r");
    struct regret_results *r = NULL;
    const char *sets[] = {"details=false"};
    o.sets = sets;
    o.n_sets = 1;
    fixture_run(&o);
    cr_assert_eq(regret_results_read(&r, sample_path("r")), 0, "%s", regret_error_message());
    for (size_t list = 0; list < REGRET_N_LISTS; list++) {
        for (size_t i = 0; i < r->n_subjects; i++) {
            cr_assert_eq(list_of(r, (enum regret_list)list, i).n, 0);
        }
    }
    regret_results_free(r);
    sets[0] = "values.enabled=false"; /* DM alone */
    o = fixture_options("v");
    o.sets = sets;
    o.n_sets = 1;
    fixture_run(&o);
    cr_assert_eq(regret_results_read(&r, sample_path("v")), 0, "%s", regret_error_message());
    cr_assert_eq(list_of(r, REGRET_LIST_DM, 0).n, AGENTS);
    cr_assert_eq(list_of(r, REGRET_LIST_DM_HALF, 0).n, 0);
    cr_assert_eq(list_of(r, REGRET_LIST_DR, 0).n, 0);
    cr_assert_eq(list_of(r, REGRET_LIST_SNDR_HALF, 0).n, 0);
    regret_results_free(r);
}

/* Cells of different grids: each row numbers the contexts of its own. */
Test(details, of_cells_with_grids_of_their_own)
{
    struct regret_run_options o = fixture_options("r");
    struct regret_results *r = NULL;
    const char *const sets[] = {"sweep.contexts.hard=[5,0]", "sweep.features.shape=[1,0]"};
    o.sets = sets;
    o.n_sets = 2;
    fixture_run(&o);
    cr_assert_eq(regret_results_read(&r, sample_path("r")), 0, "%s", regret_error_message());
    size_t hard = regret_results_find_key(r, "contexts.hard");
    cr_assert_eq(r->n_grids, 2);
    for (size_t c = 0; c < r->n_cells; c++) {
        const struct regret_run_grid *grid = &r->grids[r->cell_grid[c]];
        int all = strcmp(regret_results_key_text(r, c, hard), "0") == 0;
        cr_assert_eq(grid->n_contexts, all ? 8 : 5);
        cr_assert_eq(grid->n_agents, AGENTS);
        cr_assert(strlen(grid->agents[0]) > 0 && strlen(grid->contexts[0]) > 0);
    }
    regret_results_free(r);
}
