/* obs.outcome, exp.outcome: one judge's outcomes in OBS, another's in EXP, and what is true is of his. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "experiment/fixture.h"
#include "experiment/inputs.h"
#include "regret/experiment.h"
#include "regret/status.h"
#include "regret/task.h"

TestSuite(judged, .init = fixture_open, .fini = fixture_close);

static const char *component(size_t k)
{
    static char name[2][64];
    struct regret_pool *pool = NULL;
    cr_assert_eq(regret_pool_read(&pool, sample_path("pool")), 0, "%s", regret_error_message());
    cr_assert(k < 2 && pool->n_components >= 2);
    snprintf(name[k], sizeof name[k], "%s", pool->components[k].name);
    regret_pool_free(pool);
    return name[k];
}

/* sample_folder()/name: the pool whose users mind component k alone. */
static void write_pool_of(const char *name, size_t k)
{
    struct regret_pool *pool = NULL;
    cr_assert_eq(regret_pool_read(&pool, sample_path("pool")), 0, "%s", regret_error_message());
    for (size_t u = 0; u < pool->n_segments; u++) {
        for (size_t j = 0; j < pool->n_components; j++) {
            pool->segments[u].weights[j] = j == k;
        }
    }
    cr_assert_eq(regret_pool_write(pool, sample_path(name), NULL, 0), 0);
    regret_pool_free(pool);
}

/* Both by the same judge: as on a pool whose users mind what he rates alone, byte for byte. */
Test(judged, one_judge_for_both)
{
    char obs[128], exp[128], pool[512];
    snprintf(obs, sizeof obs, "obs.outcome=%s", component(1));
    snprintf(exp, sizeof exp, "exp.outcome=%s", component(1));
    snprintf(pool, sizeof pool, "pool=%s", sample_path("alone"));
    const char *const keys[] = {obs, exp}, *const there[] = {pool};
    write_pool_of("alone", 1);
    fixture_make_with("keys", keys, 2);
    fixture_make_with("there", there, 1);
    fixture_same_bytes("keys/results-1-of-1.jsonl", "there/results-1-of-1.jsonl");
    cr_expect_not(fixture_contains("keys/results-1-of-1.jsonl", "best-ppi"));
}

/* OBS sees one component, EXP and the target the other; the rows are drawn as ever. */
Test(judged, each_sees_its_own)
{
    char obs[128], exp[128];
    snprintf(obs, sizeof obs, "obs.outcome=%s", component(0));
    snprintf(exp, sizeof exp, "exp.outcome=%s", component(1));
    const char *const sets[] = {obs, exp, "outcome.law=none"};
    struct fixture_inputs in = fixture_inputs_open(sets, 3);
    const struct regret_grid *g = run_inputs_features(in.inputs, 0)->grid;
    struct regret_config config;
    struct regret_task *task = NULL;
    struct regret_split *split = NULL;
    struct regret_rows o = {0}, e = {0};
    regret_run_plan_cell(&config, in.plan, 0);
    cr_assert(in.inputs->judged);
    cr_assert_eq(run_inputs_task(&task, in.inputs, 0, &config), 0);
    cr_assert_eq(regret_split_make(&split, NULL, g->n_contexts, 0.8, 1), 0);
    cr_assert_eq(regret_draw_obs(&o, task, split, 50, 1), 0);
    cr_assert_eq(regret_draw_exp(&e, task, split, 50, 1), 0);
    cr_expect_null(o.judged);
    for (size_t i = 0; i < 50; i++) {
        cr_expect_float_eq(o.y[i], regret_grid_quality(g, o.pair[i], 0), 1e-15);
        cr_expect_float_eq(e.y[i], regret_grid_quality(g, e.pair[i], 1), 1e-15);
        cr_expect_float_eq(e.judged[i], regret_grid_quality(g, e.pair[i], 0), 1e-15);
    }
    for (size_t cell = 0; cell < g->n_contexts * g->n_agents && g->n_draws == 1; cell++) {
        cr_expect_float_eq(task->target[cell], regret_grid_quality(g, cell, 1), 1e-15);
    }
    regret_rows_clear(&o);
    regret_rows_clear(&e);
    regret_split_free(split);
    regret_task_free(task);
    fixture_inputs_close(&in);
}

Test(judged, a_run_has_the_mean_by_both)
{
    char obs[128];
    snprintf(obs, sizeof obs, "obs.outcome=%s", component(0));
    const char *const sets[] = {obs};
    struct regret_results *r = NULL;
    fixture_make_with("run", sets, 1);
    cr_expect(fixture_contains("run/run.json",
                               "\"baselines\":[\"oracle\",\"random\",\"best-exp\",\"best-obs\","
                               "\"best-ppi\"]"));
    cr_assert_eq(regret_results_read(&r, sample_path("run")), 0, "%s", regret_error_message());
    cr_expect_lt(regret_results_subject(r, REGRET_ROW_BASELINE, "best-ppi"), r->n_subjects);
    regret_results_free(r);
}

Test(judged, what_cannot_be_is_refused)
{
    static const char *const unknown[] = {"exp.outcome=nobody"},
                             *const other[] = {"obs.outcome=x", "reward.map=priced",
                                               "sweep.reward.map=[\"priced\"]"},
                             *const swept[] = {"sweep.exp.outcome=[\"x\",\"y\"]"},
                             *const world[] = {"obs.outcome=x", "task=world", "world.shortlist=2"};
    fixture_refused(unknown, 1, "exp.outcome: unknown component \"nobody\"");
    char text[200];
    const char *set = text;
    snprintf(text, sizeof text, "obs.outcome=%s,%s", component(0), component(0));
    fixture_refused(&set, 1, "is named twice; name it once");
    snprintf(text, sizeof text, "obs.outcome=%s,", component(0));
    fixture_refused(&set, 1, "obs.outcome: unknown component \"\"");
    fixture_refused(other, 3, "reward.map = \"smooth\"");
    fixture_refused(swept, 1, "\"exp.outcome\" cannot be swept");
    fixture_refused(world, 3, "components of a pool");
}
