/* The controlled world as a task: the same bytes whatever the threads and interruptions, the right
 * numbers, and refusals. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiment/fixture.h"
#include "experiment/pool_source.h"
#include "experiment/replicate.h"
#include "linalg/design.h"
#include "regret/results.h"
#include "regret/status.h"
#include "synth/newswire.h"

#define WORLD_KEYS                                                                                 \
    "\"task\": \"world\", \"contexts.hard\": 0, \"features.buckets\": 64, \"proxy.dim\": 4, "      \
    "\"proxy.kind\": \"predicted-labels\", \"world.context_rank\": 3, \"world.shortlist\": 2"

/* Over the folder's pool of 8 contexts and 4 agents. */
static void open_world(void)
{
    cr_assert_eq(synth_register(), 0);
    fixture_pool(8, 4, 1, 0);
    sample_write("config.json",
                 "{\"pool\": \"pool\", " WORLD_KEYS ", \"seeds\": 3, \"n_obs\": 60, \"n_exp\": 40, "
                 "\"sweep\": {\"beta\": [0, 1]}}\n");
}

TestSuite(world, .init = open_world, .fini = fixture_close);

/* The same over a small generated pool. */
static void generate_instead(void)
{
    sample_write("config.json",
                 "{\"pool\": \"synth:newswire\", \"synth\": {\"articles\": 6, \"draws\": 2}, "
                 "\"world.context_sample\": 12, " WORLD_KEYS
                 ", \"seeds\": 2, \"n_obs\": 60, \"n_exp\": 40, \"sweep\": {\"beta\": [0, 1]}}\n");
}

static void check_bytes(void)
{
    size_t stop = 2;
    fixture_make("one");
    struct regret_run_options o = fixture_options("many");
    o.threads = 3;
    fixture_run(&o);
    fixture_same_run("one", "many");
    o = fixture_options("resumed");
    o.progress = fixture_stop_after;
    o.progress_context = &stop;
    cr_assert_eq(regret_run(&(struct regret_run_summary){0}, &o), REGRET_E_CANCELLED);
    o = fixture_options("resumed");
    o.resume = 1;
    cr_assert_eq(fixture_run(&o).resumed, stop);
    fixture_same_run("one", "resumed");
}

Test(world, runs_are_the_same_bytes_over_a_folder)
{
    check_bytes();
    char *rows = fixture_read(NULL, "one/results-1-of-1.jsonl");
    cr_assert_not_null(strstr(rows, "\"key\":{\"reward.map\":\"world\",\"beta\":1,\"n_obs\":60,"));
    cr_assert_null(strstr(rows, "smooth"));
    regret_free(rows);
}

Test(world, runs_are_the_same_bytes_over_generated_texts)
{
    generate_instead();
    check_bytes();
    struct regret_run_options o = fixture_options("resumed");
    const char *other[] = {"synth.seed=2"};
    o.resume = 1;
    o.sets = other;
    o.n_sets = 1;
    cr_assert_eq(regret_run(&(struct regret_run_summary){0}, &o), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "another configuration"));
}

/* The two parts of a sparse set add up to the φ of a dense one. */
Test(world, sparse_and_dense_sets_have_the_same_features)
{
    enum { PAIRS = 240, COLUMNS = 64 + 20 }; /* of the buckets and of the agents */
    static double line[PAIRS * (COLUMNS + 1)];
    const char *sets[] = {"features.agent=true"}, *pool[] = {"features.agent=true", "task=pool"};
    generate_instead();
    struct fixture_inputs sparse = fixture_inputs_open(sets, 1),
                          dense = fixture_inputs_open(pool, 2);
    const struct feature_set *a = sparse.inputs->features[0], *b = dense.inputs->features[0];
    cr_assert(a->sparse && !b->sparse && a->pairs == PAIRS && b->pairs == PAIRS);
    cr_assert(a->phi->cols == COLUMNS && b->phi->cols == COLUMNS);
    cr_assert(a->gram == NULL && a->terms == NULL && b->phi_context == NULL);
    const struct regret_design phi = regret_design_sparse(a->phi, a->phi_context, a->context);
    size_t all[PAIRS];
    for (size_t p = 0; p < PAIRS; p++) {
        all[p] = p;
    }
    design_take_lines(line, &phi, all, PAIRS);
    for (size_t p = 0; p < PAIRS; p++) {
        for (size_t e = b->phi->row_start[p]; e < b->phi->row_start[p + 1]; e++) {
            line[b->phi->column[e] * PAIRS + p] -= b->phi->value[e];
        }
    }
    for (size_t i = 0; i < PAIRS * COLUMNS; i++) {
        cr_assert_float_eq(line[i], 0.0, 1e-14);
    }
    fixture_inputs_close(&sparse);
    fixture_inputs_close(&dense);
}

/* Worlds are made once for each setting of the keys world.*, features once for all of them. */
Test(world, cells_share_features_and_worlds)
{
    const char *sets[] = {"sweep.world.latent_effect=[0,0.5]", "sweep.n_exp=[20,40]",
                          "sweep.world.labels=[3,5]"};
    struct fixture_inputs o = fixture_inputs_open(sets, 3);
    cr_assert_eq(o.inputs->n_features, 1);
    cr_assert_eq(o.inputs->n_worlds, 4);
    cr_assert_eq(regret_run_plan_cells(o.plan), 16);
    cr_assert_eq(run_inputs_world(o.inputs, 3)->options.labels, 5);
    fixture_inputs_close(&o);
}

struct findings {
    double naive, dm, dr; /* root mean squared errors over agents, mean over seeds */
};

/* The error of the agents' raw OBS means. */
static double naive_error(const struct replicate *r)
{
    const uint32_t *agent = r->setting.features->agent;
    const struct regret_rows *obs = &r->draws.obs;
    size_t n = r->setting.task->n_agents;
    double sum[32] = {0.0}, count[32] = {0.0}, square = 0.0;
    for (size_t i = 0; i < obs->n; i++) {
        sum[agent[obs->pair[i]]] += obs->y[i];
        count[agent[obs->pair[i]]] += 1.0;
    }
    for (size_t a = 0; a < n; a++) {
        cr_assert_gt(count[a], 0.0);
        square += pow(sum[a] / count[a] - r->values.truth[a], 2) / (double)n;
    }
    return sqrt(square);
}

static struct findings find(const struct fixture_inputs *o, size_t cell, size_t seeds)
{
    struct findings f = {0.0, 0.0, 0.0};
    for (uint64_t seed = 0; seed < seeds; seed++) {
        struct replicate *r = NULL;
        cr_assert_eq(replicate_run(&r, &(struct replicate_source){o->plan, o->inputs, NULL, NULL},
                                   &(struct replicate_place){cell, seed, 0, 0}),
                     0);
        const struct values *v = &r->values;
        size_t n = r->setting.task->n_agents;
        f.naive += naive_error(r) / (double)seeds;
        f.dm += regret_rmse(v->truth, v->family[0].dm, n) / (double)seeds;
        f.dr += regret_rmse(v->truth, v->family[0].dr, n) / (double)seeds;
        replicate_free(r);
    }
    return f;
}

/* In numbers: with confounding raw OBS means are off and get worse with β, a stiff OBS fit carries
 * a bias into its direct values, and EXP with the SIM's draws takes it away. */
Test(world, obs_is_biased_and_exp_with_the_sim_is_not, .timeout = 120)
{
    const char *sets[] = {"synth.articles=300", "families=[\"obs-only\"]", "n_obs=3000",
                          "n_exp=6000",         "obs_only.rho=1000",       "world.shortlist=5",
                          "world.precision=400"};
    generate_instead();
    struct fixture_inputs o = fixture_inputs_open(sets, sizeof sets / sizeof *sets);
    struct findings without = find(&o, 0, 3), with = find(&o, 1, 3);
    cr_log_info("naive %.4f %.4f, DM %.4f %.4f, DR %.4f %.4f", without.naive, with.naive,
                without.dm, with.dm, without.dr, with.dr);
    cr_assert_gt(with.naive, 2.0 * without.naive);
    cr_assert_lt(with.dr, 0.5 * with.naive);
    cr_assert_lt(with.dr, 0.75 * with.dm);
    fixture_inputs_close(&o);
}

/* The target weighs a pair's draws equally, as the SIM and the values do. */
Test(world, target_is_the_mean_over_draws)
{
    generate_instead();
    struct fixture_inputs o = fixture_inputs_open(NULL, 0);
    const struct regret_controlled_world *w = run_inputs_world(o.inputs, 0);
    for (size_t cell = 0; cell < 120; cell++) {
        cr_assert_float_eq((w->pair_mean[2 * cell] + w->pair_mean[2 * cell + 1]) / 2.0,
                           w->target[cell], 1e-14);
    }
    fixture_inputs_close(&o);
}

/* 12,040 pairs: a pool too large for a dense Gram matrix is fitted in the columns of its features,
 * or in coordinates of the pairs drawn. */
Test(world, large_pools_become_sparse, .timeout = 300)
{
    const char *sets[] = {"task=pool",
                          "pool=synth:newswire",
                          "synth.articles=301",
                          "synth.draws=2",
                          "seeds=1",
                          "proxy.kind=predicted-labels",
                          "beta=1",
                          "router.slate=5",
                          "families=[\"cvci\"]"};
    enum { N = sizeof sets / sizeof *sets };
    fixture_make_with("large", sets, N);
    char *rows = fixture_read(NULL, "large/results-1-of-1.jsonl");
    cr_assert_not_null(strstr(rows, "\"reward.map\":\"smooth\""));
    regret_free(rows);
    const char *wide[N + 1];
    memcpy(wide, sets, sizeof sets);
    wide[N] = "features.buckets=16384";
    fixture_make_with("wide", wide, N + 1);
}
