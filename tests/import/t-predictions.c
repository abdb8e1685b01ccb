#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "import/importer.h"
#include "pool/sample.h"
#include "regret/buffer.h"
#include "regret/pool.h"

TestSuite(predictions, .fini = sample_cleanup);

#define DIFF "--- a/one.py\\n+++ b/one.py\\n@@ -1 +1 @@\\n-old\\n+new\\n"
#define ISSUE(id) "{\"instance_id\": \"" id "\", \"problem_statement\": \"old one " id "\"}\n"
#define PREDICTION(id, patch)                                                                      \
    "{\"instance_id\": \"" id "\", \"model_name_or_path\": \"m\", \"model_patch\": " patch "}\n"

static void put(const char *system, const char *name, const char *text)
{
    char path[200];
    snprintf(path, sizeof path, "systems/%s", system);
    cr_assert_eq(regret_folder_create(sample_path(path)), 0);
    snprintf(path, sizeof path, "systems/%s/%s", system, name);
    sample_write(path, text);
}

/* Two systems, whose reports have either form. */
static void put_both(void)
{
    sample_write("issues.jsonl", ISSUE("p-1") ISSUE("p-2") ISSUE("p-3"));
    put("run_10", "all_preds.jsonl",
        PREDICTION("p-1", "\"" DIFF "\"") PREDICTION("p-2", "null")
            PREDICTION("p-3", "\"# nothing to do\"") PREDICTION("p-9", "\"x\""));
    put("run_10", "report.json", "{\"resolved_ids\": [\"p-1\", \"p-2\"], \"total_instances\": 3}");
    put("run_2", "preds.json",
        "{\"p-1\": {\"instance_id\": \"p-1\", \"model_patch\": \"" DIFF "\"},\n"
        " \"p-3\": {\"instance_id\": \"p-3\", \"model_patch\": \"" DIFF "\"}}");
    cr_assert_eq(regret_folder_create(sample_path("systems/run_2/results")), 0);
    put("run_2", "results/results.json",
        "{\"p-1\": {\"resolved\": false}, \"p-3\": {\"resolved\": true, \"tests_status\": {}}}");
    sample_write("systems/README.md", "a file beside the systems");
}

static int import(struct regret_swebench_report *r, const struct regret_swebench_options *options)
{
    return regret_import_predictions(r, sample_path("systems"), sample_path("issues.jsonl"),
                                     sample_path("p"), options, 1);
}

static struct regret_pool *imported(struct regret_swebench_report *r,
                                    const struct regret_swebench_options *options)
{
    struct regret_pool *pool = NULL;
    cr_assert_eq(import(r, options), 0, "%s", regret_error_message());
    cr_assert_eq(regret_pool_read(&pool, sample_path("p")), 0, "%s", regret_error_message());
    return pool;
}

/* The same rows as a table of BouncerBench's layout are the same outputs. */
Test(predictions, the_pool_is_that_of_the_table)
{
    static const char csv[] = "instance_id,agent,patch,resolved\n"
                              "p-1,run_10,\"--- a/one.py\n+++ b/one.py\n@@ -1 +1 @@\n-old\n+new\n"
                              "\",True\np-2,run_10,,True\np-3,run_10,# nothing to do,False\n"
                              "p-1,run_2,\"--- a/one.py\n+++ b/one.py\n@@ -1 +1 @@\n-old\n+new\n"
                              "\",False\np-3,run_2,\"--- a/one.py\n+++ b/one.py\n@@ -1 +1 @@\n"
                              "-old\n+new\n\",True\n";
    struct regret_swebench_report r;
    struct regret_pool *other = NULL;
    put_both();
    struct regret_pool *pool = imported(&r, NULL);
    sample_write("in.csv", csv);
    cr_assert_eq(regret_import_swebench(&r, sample_path("in.csv"), sample_path("issues.jsonl"),
                                        sample_path("q"), NULL, 1),
                 0, "%s", regret_error_message());
    cr_assert_eq(regret_pool_read(&other, sample_path("q")), 0);
    cr_assert_eq(pool->n_outputs, other->n_outputs);
    for (size_t i = 0; i < pool->n_outputs; i++) {
        cr_expect_str_eq(pool->outputs[i].text, other->outputs[i].text);
        cr_expect_arr_eq(pool->outputs[i].values, other->outputs[i].values,
                         (pool->n_components + pool->n_aux) * sizeof(double), "output %zu", i);
    }
    for (size_t a = 0; a < pool->n_agents; a++) {
        cr_expect_eq(pool->agents[a].cost, other->agents[a].cost);
    }
    regret_pool_free(other);
    regret_pool_free(pool);
}
