/* Whether a family of one's own has seen what was held out: from a file to the caution, and how often the program's own
 * families, which are honest, would be accused. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiment/fixture.h"
#include "experiment/measures.h"
#include "experiment/replicate.h"
#include "regret/status.h"
#include "report/cautions.h"
#include "report/leaks.h"

TestSuite(leaks, .init = fixture_open, .fini = fixture_close);

enum { CONTEXTS = 60, AGENTS = 4 };
static const char keys[] = "\"seeds\": 6, \"n_obs\": 80, \"n_exp\": 60, \"router.slate\": 3, "
                           "\"router.rank\": 3, \"features.buckets\": 64, \"proxy.dim\": 4";

/* mu of the pool under "pool" by the smooth map. */
static void read_target(double mu[CONTEXTS][AGENTS])
{
    struct fixture_inputs o = fixture_inputs_open(NULL, 0);
    struct regret_config config;
    struct regret_task *task = NULL;
    regret_run_plan_cell(&config, o.plan, 0);
    cr_assert_eq(run_inputs_task(&task, o.inputs, 0, &config), 0, "%s", regret_error_message());
    cr_assert_eq(task->n_contexts, CONTEXTS);
    memcpy(mu, task->target, sizeof(double) * CONTEXTS * AGENTS);
    regret_task_free(task);
    fixture_inputs_close(&o);
}

/* Writes a value of every pair. */
static void write_predictions(double f[CONTEXTS][AGENTS])
{
    struct fixture_inputs o = fixture_inputs_open(NULL, 0);
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_buffer_append(&t, "context,agent,prediction\n");
    for (size_t x = 0; x < CONTEXTS; x++) {
        for (size_t a = 0; a < AGENTS; a++) {
            regret_buffer_printf(&t, "%s,%s,%.6f\n", o.pool->contexts[x].id, o.pool->agents[a].id,
                                 f[x][a]);
        }
    }
    sample_write("p.csv", regret_buffer_get(&t));
    regret_buffer_free(&t);
    fixture_inputs_close(&o);
}

/* Runs "theirs" beside obs-only: the evidence, and what is said of the run. */
static struct leak_evidence run_theirs(struct regret_buffer *said)
{
    char text[1024];
    struct regret_results *r = NULL;
    snprintf(text, sizeof text,
             "{\"pool\": \"pool\", %s, \"families\": [\"obs-only\", {\"name\": \"theirs\", "
             "\"predictions\": \"p.csv\"}]}",
             keys);
    sample_write("config.json", text);
    struct regret_run_options o = fixture_options("r");
    o.force = 1;
    fixture_run(&o);
    cr_assert_eq(regret_results_read(&r, sample_path("r")), 0, "%s", regret_error_message());
    struct leak_evidence e = leak_evidence(r, 1);
    cr_expect_eq(regret_results_list(r, REGRET_LIST_LEAK, 0, 0, 0).n, 0, "of obs-only none");
    caution_say(said, CAUTION_LEAKS, r);
    regret_results_free(r);
    return e;
}

static void expect_said(struct regret_buffer *said, const char *part, int there)
{
    cr_expect_eq(strstr(regret_buffer_get(said), part) != NULL, there, "%s: %s", part,
                 regret_buffer_get(said));
    regret_buffer_free(said);
}

static const char accused[] = "CAUTION: theirs seems to have seen the scores that were held out";

Test(leaks, a_file_of_means_of_all_scores)
{
    double mu[CONTEXTS][AGENTS], f[CONTEXTS][AGENTS];
    struct regret_buffer said = REGRET_BUFFER_INIT;
    fixture_pool(CONTEXTS, AGENTS, 1, 0);
    read_target(mu);
    for (size_t a = 0; a < AGENTS; a++) {
        double mean = 0.0;
        for (size_t x = 0; x < CONTEXTS; x++) {
            mean += mu[x][a] / CONTEXTS;
        }
        for (size_t x = 0; x < CONTEXTS; x++) {
            f[x][a] = mean;
        }
    }
    write_predictions(f);
    struct leak_evidence e = run_theirs(&said);
    cr_expect_lt(e.probability, 1e-6);
    cr_expect(leak_is_likely(&e));
    expect_said(&said, accused, 1);
    /* Off by a twentieth, as one that was learnt elsewhere may be. */
    for (size_t i = 0; i < (size_t)CONTEXTS * AGENTS; i++) {
        ((double *)f)[i] += 0.05;
    }
    write_predictions(f);
    e = run_theirs(&said);
    cr_expect_not(leak_is_likely(&e), "%g %g", e.probability, e.easier);
    expect_said(&said, "CAUTION", 0);
}

/* A model that scores of held-out contexts were put into by mistake: right on them alone. */
Test(leaks, a_file_that_is_right_where_it_should_not_be)
{
    double mu[CONTEXTS][AGENTS], f[CONTEXTS][AGENTS];
    struct regret_buffer said = REGRET_BUFFER_INIT;
    fixture_pool(CONTEXTS, AGENTS, 1, 0);
    read_target(mu);
    struct leak_evidence e = {0};
    memcpy(f, mu, sizeof f);
    for (size_t i = 0; i < (size_t)CONTEXTS * AGENTS; i++) {
        ((double *)f)[i] += i % 2 ? 0.01 : -0.005;
    }
    write_predictions(f);
    e = run_theirs(&said);
    cr_expect_lt(e.held_out, 0.05 * e.best);
    cr_expect(leak_is_likely(&e));
    expect_said(&said, "is less than a twentieth of that of any family of the program", 1);
}

/* By hand from made-up evidence: what is likely, and what is not known. */
Test(leaks, what_is_likely)
{
    struct leak_evidence e = {
        .probability = 0.5, .trained = 1.0, .held_out = 1.1, .easier = 0.9, .best = 2.0};
    cr_expect_not(leak_is_likely(&e));
    e.held_out = 0.85;
    e.easier = 1e-5;
    cr_expect(leak_is_likely(&e), "easier where it should be harder");
    e.held_out = 0.95;
    cr_expect_not(leak_is_likely(&e), "by less than a tenth");
    e.best = NAN;
    e.easier = NAN;
    e.probability = NAN;
    cr_expect_not(leak_is_likely(&e), "nothing is known");
}

/* Twice the mean of the probabilities of a cell's seeds, of each family, is below .001 for none. */
static void examine(const char *pool, const char *more, size_t seeds)
{
    char text[1024];
    size_t accused_of = 0, below5 = 0, n = 0;
    snprintf(text, sizeof text,
             "{\"pool\": \"" REGRET_SOURCE_FOLDER "/data/pools/%s\", \"values.enabled\": false, "
             "\"seeds\": %zu, \"n_obs\": 1000, \"n_exp\": 200%s}",
             pool, seeds, more);
    sample_write("config.json", text);
    int threads = regret_blas_set_threads(1);
    struct fixture_inputs o = fixture_inputs_open(NULL, 0);
    double sum[REGRET_MAX_FAMILIES] = {0};
    size_t families = 0;
    for (uint64_t seed = 0; seed < seeds; seed++) {
        struct replicate *r = NULL;
        const struct replicate_place at = {0, seed, 0, 0};
        cr_assert_eq(
            replicate_run(&r, &(struct replicate_source){o.plan, o.inputs, NULL, NULL}, &at), 0,
            "%s", regret_error_message());
        families = r->estimates.n;
        for (size_t i = 0; i < families; i++) {
            double leak[REGRET_N_LEAK];
            cr_assert_eq(leaks_take(leak, &r->setting, r->estimates.family[i]->prediction), 0);
            sum[i] += leak[REGRET_LEAK_PROBABILITY];
            below5 += leak[REGRET_LEAK_PROBABILITY] < 0.05;
            n++;
        }
        replicate_free(r);
    }
    for (size_t i = 0; i < families; i++) {
        accused_of += 2.0 * sum[i] / (double)seeds < 0.001;
    }
    cr_log_info("%s: %zu of %zu probabilities below .05, %zu of %zu families accused\n", pool,
                below5, n, accused_of, families);
    cr_expect_eq(accused_of, 0);
    cr_expect_leq((double)below5, 0.05 * (double)n + 2.0 * sqrt(0.05 * (double)n));
    fixture_inputs_close(&o);
    regret_blas_set_threads(threads);
}

Test(leaks, families_of_the_program_are_not_accused)
{
    examine("newswire", ", \"contexts.hard\": 48", 8);
    examine("newswire-fitted", ", \"contexts.hard\": 48", 8);
    examine("patches", ", \"reward.map\": \"utility\", \"features.patch\": 1", 4);
}
