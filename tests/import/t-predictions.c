#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "pool/sample.h"
#include "regret/file.h"
#include "regret/import.h"
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

static void refused(const struct regret_swebench_options *options, const char *message)
{
    struct regret_swebench_report r;
    cr_assert_eq(import(&r, options), REGRET_E_INPUT, "%s", message);
    cr_expect_not_null(strstr(regret_error_message(), message), "\"%s\" lacks \"%s\"",
                       regret_error_message(), message);
}

Test(predictions, folders_become_agents)
{
    struct regret_swebench_report r;
    put_both();
    struct regret_pool *pool = imported(&r, NULL);
    cr_assert(r.rows == 6 && r.no_issue == 1 && r.outputs == 5 && r.pairs == 5);
    cr_assert(r.contexts == 3 && r.agents == 2 && r.empty == 1 && r.without_diff == 1);
    cr_assert_eq(r.resolved_without_diff, 1);
    cr_assert_str_eq(r.resolved_without_diff_are, "p-2 of run_10");
    cr_assert_str_eq(pool->agents[0].id, "run_2");
    cr_assert_eq(pool->agents[0].cost, 2.0);
    cr_assert_str_eq(pool->agents[1].id, "run_10");
    cr_assert_float_eq(pool->agents[1].cost, 2.0 / 3.0, 1e-15);
    static const double SUCCESS[] = {0, 1, 1, 1, 0}; /* p-1 run_2, run_10; p-2; p-3 both */
    for (size_t i = 0; i < pool->n_outputs; i++) {
        cr_expect_eq(pool->outputs[i].values[0], SUCCESS[i], "output %zu", i);
    }
    cr_assert_str_eq(pool->outputs[4].text, "# nothing to do");
    cr_assert_not_null(strstr(pool->source, "all_preds.jsonl"));
    regret_pool_free(pool);
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

Test(predictions, options_choose_cut_and_refuse)
{
    static const char *const one[] = {"run_2"}, *const none[] = {"x*"};
    struct regret_swebench_options o = REGRET_SWEBENCH_OPTIONS_INIT;
    struct regret_swebench_report r;
    put_both();
    o.agents = one;
    o.n_agents = 1;
    o.max_patch = 20;
    struct regret_pool *pool = imported(&r, &o);
    cr_assert(r.agents == 1 && r.outputs == 2 && r.shortened == 2);
    cr_assert_str_eq(pool->outputs[0].text, "--- a/one.py\n");
    cr_assert_eq(pool->agents[0].cost, 2.0); /* of the whole patch */
    regret_pool_free(pool);
    o.agents = none;
    refused(&o, "no run matches an agent pattern; there are: run_10, run_2");
    o.n_agents = 0;
    o.benchmark = "lite";
    refused(&o, "predictions do not say which benchmark");
}

Test(predictions, what_cannot_be_read_is_named)
{
    static const struct {
        const char *name, *text, *message;
    } cases[] = {
        {"report.json", "{\"resolved\": 3}", "says nothing of what is resolved"},
        {"report.json", "{\"resolved_ids\": [1]}",
         "\"resolved_ids\" must be a list of the ids of issues; entry 0"},
        {"report.json", "{\"p-1\": {\"resolved\": true}}",
         "report.json does not say whether \"p-2\" is resolved"},
        {"report.json", "[]", "says nothing of what is resolved"},
        {"report.json", "{\"resolved\": [\"p-1\"]}", NULL},
        {"report.json", "{\"instances\": {\"p-1\": {\"resolved\": true}}}",
         "does not say whether \"p-2\""},
        {"report.json", "{", "report.json"},
        {"report.json", "{\"resolved\": []}", NULL},
        {"all_preds.jsonl", "{\"model_patch\": \"x\"}\n",
         "all_preds.jsonl:1: \"instance_id\" must be a string"},
        {"all_preds.jsonl", "{\"instance_id\": \"p-1\", \"model_patch\": 3}\n",
         "all_preds.jsonl:1: \"model_patch\" must be a string"},
        {"all_preds.jsonl", "{\"instance_id\": \"p 1\"}\n", "the instance_id \"p 1\" holds"},
        {"all_preds.jsonl", "x\n", "all_preds.jsonl:1:1: malformed JSON near"},
    };
    struct regret_swebench_report r;
    put_both();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put("run_10", cases[i].name, cases[i].text);
        if (cases[i].message == NULL) {
            cr_assert_eq(import(&r, NULL), 0, "%s", regret_error_message());
        } else {
            refused(NULL, cases[i].message);
        }
    }
}

Test(predictions, bad_rows_may_be_left_out_and_missing_files_not)
{
    struct regret_swebench_options o = REGRET_SWEBENCH_OPTIONS_INIT;
    struct regret_swebench_report r;
    put_both();
    put("run_10", "report.json", "{\"p-1\": {\"resolved\": true}, \"p-2\": {\"resolved\": 1}}");
    o.skip_bad = 1;
    cr_assert_eq(import(&r, &o), 0, "%s", regret_error_message());
    cr_assert(r.bad == 2 && r.outputs == 3 && r.no_issue == 1 && r.rows == 6);
    put("run_3", "report.json", "{\"resolved\": []}");
    refused(&o, "systems/run_3 has no all_preds.jsonl; put its predictions there");
    put("run_3", "all_preds.jsonl", "");
    cr_assert_eq(import(&r, &o), 0, "%s", regret_error_message());
    cr_assert_eq(r.agents, 2);
    put("run_4", "all_preds.jsonl", "");
    refused(&o, "systems/run_4 has no report.json; put the report");
    cr_assert_eq(regret_folder_remove(sample_path("systems")), 0);
    refused(&o, "is not a folder that can be read");
    cr_assert_eq(regret_folder_create(sample_path("systems")), 0);
    refused(&o, "has no folders; give the folder that holds a folder a system");
}
