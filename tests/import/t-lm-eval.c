/* Samples of lm-evaluation-harness, written by hand as versions 0.4.3 to 0.4.9 write them, and others. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "import/lm_eval/lm_eval.h"
#include "pool/sample.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/pool.h"

TestSuite(lm_eval, .fini = sample_cleanup);

extern const struct importer importer_lm_eval;

static struct regret_buffer said;
static struct lm_eval_options options;

static void put(const char *model, const char *file, const char *text)
{
    char path[200];
    snprintf(path, sizeof path, "f/%s", model);
    cr_assert_eq(regret_folder_create(sample_path(path)), 0);
    snprintf(path, sizeof path, "f/%s/%s", model, file);
    sample_write(path, text);
}

static struct regret_pool *import(void)
{
    struct regret_pool *pool = NULL;
    const struct importer_call call = {.from = sample_path("f"),
                                       .name = "the pool",
                                       .into = &pool,
                                       .options = &options,
                                       .report = &said};
    regret_buffer_clear(&said);
    int rc = importer_lm_eval.run(&call);
    cr_assert(rc == 0 || rc == REGRET_E_INPUT, "%s", regret_error_message());
    return pool;
}

static struct regret_pool *imported(void)
{
    struct regret_pool *pool = import();
    cr_assert_not_null(pool, "%s", regret_error_message());
    return pool;
}

static void refused(const char *part)
{
    cr_assert_null(import());
    cr_assert_not_null(strstr(regret_error_message(), part), "%s", regret_error_message());
}

static void reported(const char *part)
{
    cr_assert_not_null(strstr(regret_buffer_get(&said), part), "%s", regret_buffer_get(&said));
}

#define DATE "2025-03-01T12-00-00.123456"
#define LATER "2025-03-02T09-30-00.000001"
#define RESULTS(model, version, more)                                                              \
    "{\"results\": {}, \"versions\": {\"arc\": " version "}, \"n-shot\": {\"arc\": 5},"            \
    " \"config\": {\"model\": \"hf\", \"model_args\": \"pretrained=" model ",dtype=auto\"}" more   \
    "}"
#define NAMED(model) ", \"model_name\": \"" model "\""

/* A question with two choices, of which the second one is right. */
#define CHOICE(id, first, second, acc)                                                             \
    "{\"doc_id\": " id ", \"doc\": {\"q\": " id "}, \"target\": \"1\", \"arguments\": "            \
    "{\"gen_args_0\": {\"arg_0\": \"Q" id "? A:\", \"arg_1\": \" red\"}, "                         \
    "\"gen_args_1\": {\"arg_0\": \"Q" id "? A:\", \"arg_1\": \" blue\"}}, "                        \
    "\"resps\": [[[\"" first "\", \"False\"]], [[\"" second "\", \"True\"]]], "                    \
    "\"filtered_resps\": [[\"" first "\", \"False\"], [\"" second "\", \"True\"]], "               \
    "\"filter\": \"none\", \"metrics\": [\"acc\", \"acc_norm\"], \"doc_hash\": \"h" id "\", "      \
    "\"prompt_hash\": \"p\", \"target_hash\": \"t\", \"acc\": " acc ", \"acc_norm\": 1.0}\n"

/* A written answer, by a filter. */
#define WRITTEN(id, filter, text, em)                                                              \
    "{\"doc_id\": " id ", \"doc\": {}, \"target\": \"42\", \"arguments\": {\"gen_args_0\": "       \
    "{\"arg_0\": \"Count " id ".\", \"arg_1\": {\"until\": []}}}, \"resps\": [[\"" text            \
    "\"]], \"filtered_resps\": [\"42\"], \"filter\": \"" filter "\", \"doc_hash\": \"w" id         \
    "\", \"exact_match\": " em "}\n"

static void put_model(const char *folder, const char *date, const char *results, const char *arc,
                      const char *gsm)
{
    char name[100];
    snprintf(name, sizeof name, "results_%s.json", date);
    put(folder, name, results);
    snprintf(name, sizeof name, "samples_arc_%s.jsonl", date);
    put(folder, name, arc);
    snprintf(name, sizeof name, "samples_gsm_8k_%s.jsonl", date);
    put(folder, name, gsm);
}

static void put_two(void)
{
    put_model("org__b", DATE, RESULTS("org/b", "1.0", NAMED("org/b")),
              CHOICE("0", "-1.5", "-9.0", "0.0") CHOICE("3", "-8", "-2", "1.0"),
              WRITTEN("0", "strict-match", "so 41", "0.0")
                  WRITTEN("0", "flexible", "so 41", "1.0"));
    put_model("org__a", DATE, RESULTS("org/a", "1.0", ""), CHOICE("0", "-3", "-1", "1.0"),
              WRITTEN("0", "strict-match", "#### 42", "1.0")
                  WRITTEN("0", "flexible", "#### 42", "1.0"));
}

Test(lm_eval, models_tasks_choices_and_filters)
{
    put_two();
    struct regret_pool *pool = imported();
    cr_assert_eq(pool->n_agents, 2);
    cr_assert_str_eq(regret_agent_name(&pool->agents[0]), "org/a"); /* of model_args */
    cr_assert_str_eq(regret_agent_name(&pool->agents[1]), "org/b");
    cr_assert_eq(pool->n_contexts, 3);
    cr_assert_str_eq(pool->contexts[0].id, "arc:0");
    cr_assert_str_eq(pool->contexts[0].text, "Q0? A:");
    cr_assert_str_eq(pool->contexts[1].tag, "gsm_8k");
    cr_assert_str_eq(pool->contexts[2].id, "arc:3");
    cr_assert_eq(pool->n_outputs, 5);
    cr_assert_str_eq(pool->outputs[0].text, "blue");
    cr_assert_str_eq(pool->outputs[1].text, "red");
    cr_assert_eq(pool->outputs[1].values[0], 0.0);
    cr_assert_str_eq(pool->outputs[2].text, "#### 42");
    cr_assert_str_eq(pool->outputs[3].text, "so 41");
    cr_assert_eq(pool->outputs[3].values[0], 0.0);
    cr_assert_str_eq(pool->components[0].name, "score");
    reported("acc, exact_match,strict-match");
    reported("2 rows of other filters");
    reported("1 of 6 pairs of context and agent are missing");
    cr_expect_null(strstr(regret_buffer_get(&said), "cost"), "%s", regret_buffer_get(&said));
    regret_pool_free(pool);
}

Test(lm_eval, filters_metrics_and_tasks_of_ones_choice)
{
    static const char *const FLEXIBLE[] = {"flex*"}, *const NORM[] = {"acc_norm"},
                             *const ARC[] = {"arc"};
    put_two();
    options.filters = (struct importer_list){FLEXIBLE, 1};
    struct regret_pool *pool = imported();
    cr_assert_eq(pool->n_contexts, 1);
    cr_assert_str_eq(pool->components[0].name, "exact_match,flexible");
    cr_assert_eq(pool->outputs[1].values[0], 1.0);
    regret_pool_free(pool);
    options.filters.n = 0;
    options.harness.metrics = (struct importer_list){NORM, 1};
    options.harness.tasks = (struct importer_list){ARC, 1};
    pool = imported();
    cr_assert_eq(pool->n_outputs, 3);
    cr_assert_str_eq(pool->components[0].name, "acc_norm");
    cr_assert_eq(pool->outputs[1].values[0], 1.0);
    reported("2 files of tasks and models that were not asked for");
    regret_pool_free(pool);
}

Test(lm_eval, two_runs_of_a_model)
{
    put_two();
    put("org__b", "samples_arc_" LATER ".jsonl", CHOICE("0", "-9", "-1", "1.0"));
    put("org__b", "results_" LATER ".json", RESULTS("org/b", "1.0", NAMED("org/b")));
    refused("f/org__b/samples_arc_" LATER
            ".jsonl:1: \"org/b\" has answered request \"0\" before, in ");
    cr_assert_not_null(
        strstr(regret_error_message(), "f/org__b/samples_arc_" DATE ".jsonl:1; read one"));
    options.harness.runs = HARNESS_RUNS_LAST;
    struct regret_pool *pool = imported();
    cr_assert_str_eq(pool->outputs[1].text, "blue");
    cr_assert_eq(pool->n_outputs, 5);
    regret_pool_free(pool);
    options.harness.runs = HARNESS_RUNS_DRAWS;
    pool = imported();
    cr_assert_eq(pool->n_outputs, 6);
    regret_pool_free(pool);
}

Test(lm_eval, versions_and_shots_of_a_task)
{
    put_two();
    put("org__b", "results_" DATE ".json", RESULTS("org/b", "2.0", NAMED("org/b")));
    refused("samples_arc_" DATE ".jsonl:1: task \"arc\" has version \"2, 5 shots\" here and \"1, 5 "
            "shots\" in ");
    options.harness.versions = HARNESS_VERSIONS_TAG;
    struct regret_pool *pool = imported();
    cr_assert_eq(pool->n_contexts, 4);
    cr_assert_str_eq(pool->contexts[0].tag, "arc:1, 5 shots");
    regret_pool_free(pool);
}

Test(lm_eval, what_the_results_say_of_metrics)
{
    put("m", "results_" DATE ".json",
        RESULTS("m", "1", ", \"higher_is_better\": {\"ppl\": {\"byte\": false}}"));
    put("m", "samples_ppl_" DATE ".jsonl",
        "{\"doc_id\": \"a\", \"doc\": {}, \"target\": \"\", \"arguments\": [[\"text\"]], "
        "\"resps\": "
        "[[\"-3.5\"]], \"filtered_resps\": [\"-3.5\"], \"doc_hash\": \"x\", \"byte\": 3.5, "
        "\"pair\": [1, 2], \"empty\": null}\n"
        "{\"doc_id\": \"b\", \"arguments\": [[\"more\"]], \"resps\": [[\"-3\"]], "
        "\"filtered_resps\": "
        "[\"-3\"], \"byte\": 11}\n");
    struct regret_pool *pool = imported();
    cr_assert_str_eq(pool->components[0].name, "byte");
    cr_assert_eq(pool->components[0].low, 3.0);
    cr_assert_eq(pool->components[0].high, 11.0);
    cr_assert_eq(pool->outputs[0].values[0], 10.5); /* 3 + 11 - 3.5 */
    reported("2 scores that are no numbers: ");
    reported("less, turned");
    regret_pool_free(pool);
}

/* Of a task's perplexity less is better, of the log-likelihoods that its samples have under that name more. */
Test(lm_eval, samples_of_perplexity)
{
    put("m", "results_" DATE ".json",
        RESULTS("m", "1",
                ", \"higher_is_better\": {\"lambada\": {\"perplexity\": false, \"acc\": true}}"));
    put("m", "samples_lambada_" DATE ".jsonl",
        "{\"doc_id\": 0, \"doc\": {}, \"target\": \" signs\", \"arguments\": [[\"about\", \" "
        "signs\"]], "
        "\"resps\": [[[-8.5, false]]], \"filtered_resps\": [[-8.5, false]], \"perplexity\": -8.5, "
        "\"acc\": 0.0}\n"
        "{\"doc_id\": 1, \"doc\": {}, \"target\": \" it\", \"arguments\": [[\"is\", \" it\"]], "
        "\"resps\": [[[-0.5, true]]], \"filtered_resps\": [[-0.5, true]], \"perplexity\": -0.5, "
        "\"acc\": 1.0}\n");
    struct regret_pool *pool = imported();
    cr_assert_str_eq(pool->components[0].name, "perplexity");
    cr_assert(pool->outputs[0].values[0] == -8.5 && pool->outputs[1].values[0] == -0.5);
    regret_pool_free(pool);
}

Test(lm_eval, repeats_are_draws_where_each_has_a_score)
{
    put("m", "samples_t_" DATE ".jsonl",
        "{\"doc_id\": 0, \"arguments\": [[\"p\", {}]], \"resps\": [[\"x\", \"y\", \"z\"]], "
        "\"filtered_resps\": [[\"x\", \"y\", \"z\"]], \"metrics\": [\"em\"], \"em\": [0, 1, "
        "true]}\n"
        "{\"doc_id\": 1, \"arguments\": [[\"q\", {}]], \"resps\": [[\"x\", \"y\", \"z\"]], "
        "\"filtered_resps\": [\"x\"], \"metrics\": [\"em\"], \"em\": 1}\n");
    struct regret_pool *pool = imported();
    cr_assert_eq(pool->n_outputs, 4);
    cr_assert_str_eq(regret_agent_name(&pool->agents[0]), "m"); /* the folder: no results */
    cr_assert_str_eq(pool->outputs[1].text, "y");
    cr_assert_eq(pool->outputs[0].values[0], 0.0);
    cr_assert_eq(pool->outputs[2].values[0], 1.0);
    cr_assert_str_eq(pool->outputs[3].text, "x");
    reported("2 further responses, which have no score of their own");
    regret_pool_free(pool);
}

Test(lm_eval, results_named_by_the_user_lie_beside_the_samples_of_all_models)
{
    put("", "own_" DATE ".json", RESULTS("org/a", "1", ""));
    put("", "own_" LATER ".json", RESULTS("org/b", "1", ""));
    put("", "samples_arc_" DATE ".jsonl", CHOICE("0", "-3", "-1", "1.0"));
    put("", "samples_arc_" LATER ".jsonl", CHOICE("0", "-1", "-3", "0.0"));
    struct regret_pool *pool = imported();
    cr_assert_eq(pool->n_agents, 2);
    cr_assert_str_eq(regret_agent_name(&pool->agents[1]), "org/b");
    cr_assert_str_eq(pool->outputs[1].text, "red");
    regret_pool_free(pool);
}

Test(lm_eval, prompts_in_turns_and_choices_of_prompts)
{
    put("m", "samples_t_" DATE ".jsonl",
        "{\"doc_id\": 0, \"arguments\": {\"gen_args_0\": {\"arg_0\": [\"[{\\\"role\\\": "
        "\\\"system\\\", "
        "\\\"content\\\": \\\"Be brief.\\\"}, {\\\"role\\\": \\\"user\\\", \\\"content\\\": "
        "\\\"Hi?\\\"}]\"]}}, \"resps\": [[\"ho\"]], \"filtered_resps\": [\"ho\"], \"em\": 1}\n"
        "{\"doc_id\": 1, \"arguments\": [[\"The cat\", \" ran\"], [\"The dog\", \" ran\"]], "
        "\"resps\": [[[-2.0, false]], [[-1.0, true]]], \"filtered_resps\": [[-2.0, false], "
        "[-1.0, true]], \"em\": 1}\n"
        "{\"doc_id\": 2, \"arguments\": [[\"The sky is\", \" blue\"]], \"resps\": [[[-2.0, "
        "true]]], \"filtered_resps\": [[-2.0, true]], \"em\": 1}\n"
        "{\"doc_id\": 3, \"arguments\": [[\"The sea is\", \" red\"]], \"resps\": [[[-2.0, "
        "false]]], \"filtered_resps\": [[-2.0, false]], \"em\": 0}\n");
    struct regret_pool *pool = imported();
    cr_assert_str_eq(pool->contexts[0].text, "Be brief.\n\nHi?");
    cr_assert_str_eq(pool->outputs[1].text, "The dog ran");
    cr_assert_str_eq(pool->outputs[2].text, "blue");
    cr_assert_str_eq(pool->outputs[3].text, "");
    regret_pool_free(pool);
}

Test(lm_eval, what_cannot_be_read_is_refused_and_nothing_written)
{
    static const struct {
        const char *text, *part;
    } CASES[] = {
        {"{\"doc_id\": 0\n", "samples_t.jsonl:1:12: malformed JSON"},
        {"[1]\n", "samples_t.jsonl:1: is a JSON array"},
        {"{\"a\": 1}\n", "no \"doc_id\"; is this a file of samples"},
        {"{\"doc_id\": 0, \"em\": 1}\n", "no prompt in \"arguments\""},
        {"\n{\"doc_id\": 0, \"arguments\": [[\"p\"]], \"resps\": [[\"x\"]]}\n",
         "no answer has a score"},
        {"", "no answer has a score"},
        {"{\"doc_id\": 0, \"arguments\": [[\"p\"]], \"resps\": [[\"x\"]], \"acc\": 7}\n",
         "samples_t.jsonl:1: acc is 7, out of its range 0 to 1"},
        {"{\"doc_id\": 0, \"arguments\": [[\"p\"]], \"resps\": [[\"x\"]], \"acc\": 1}\n"
         "{\"doc_id\": 0, \"arguments\": [[\"p\"]], \"resps\": [[\"x\"]], \"acc\": 1}\n",
         "has answered request \"0\" before"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const struct importer_call call = {
            .from = sample_path("f"), .to = sample_path("p"), .options = &options, .report = &said};
        put("m", "samples_t.jsonl", CASES[i].text);
        cr_assert_eq(importer_lm_eval.run(&call), REGRET_E_INPUT, "%zu", i);
        cr_assert_not_null(strstr(regret_error_message(), CASES[i].part), "%s",
                           regret_error_message());
        cr_assert_not(regret_file_exists(sample_path("p")));
    }
    put("m", "samples_t.jsonl", "{}\n");
    put("m", "results_" DATE ".json", "{\"versions\": ");
    refused("results_" DATE ".json:1:13: malformed JSON");
    cr_assert_eq(regret_folder_remove(sample_path("f/m")), 0);
    refused("has no samples_TASK_DATE.jsonl, which lm_eval writes with --output_path and "
            "--log_samples");
}

/* What drops a model without a word: a file without a row, a link, an empty archive. */
Test(lm_eval, what_is_passed_over_is_told)
{
    cr_assert_eq(regret_folder_create(sample_path("f")), 0);
    sample_write("f/e.zip", "");
    refused("--log_samples; 1 archives without a member: ");
    put_two();
    put("c", "samples_arc_" DATE ".jsonl", "");
    sample_write("f/README.md", "runs of today");
    put("d", "samples_arc_" DATE ".jsonl", "\n\n");
    cr_assert_eq(symlink("c", sample_path("f/l")), 0);
    struct regret_pool *pool = imported();
    cr_assert_eq(pool->n_agents, 2);
    reported("1 files passed over, which this import does not read: README.md\n");
    reported("2 files without a row: ");
    reported("c/samples_arc_" DATE ".jsonl");
    reported("1 archives without a member: ");
    reported("/f/e.zip");
    reported("1 links, pipes or devices passed over: ");
    reported("/f/l\n");
    regret_pool_free(pool);
}

#define HARNESS(...) (options = (struct lm_eval_options){.harness = {__VA_ARGS__}})

Test(lm_eval, filters_that_are_not_read_are_told)
{
    put_two();
    HARNESS(.metrics = {(const char *const[]){"exact_match,flexible"}, 1});
    refused(
        "no answer has the metric \"exact_match,flexible\", of whose filter rows may be read by "
        "--filter 'flexible'; there are: \"acc\"");
    HARNESS(.metrics = {(const char *const[]){"exact_match"}, 1});
    struct regret_pool *pool = imported();
    cr_assert_eq(pool->n_outputs, 2);
    regret_pool_free(pool);
    options = (struct lm_eval_options){.filters = {(const char *const[]){"nope"}, 1}};
    refused(
        "--filter \"nope\" matches nothing; there are: \"none\", \"strict-match\", \"flexible\"");
}

/* A row of m0 to m(n - 1), listed or not; the last one is kept where somebody names it. */
Test(lm_eval, rows_of_many_metrics)
{
    for (size_t i = 0; i < 4; i++) {
        size_t n = LM_EVAL_MOST_METRICS + i % 2;
        struct regret_buffer row = REGRET_BUFFER_INIT;
        regret_buffer_append(&row, "{\"doc_id\": 0, \"target\": \"\", \"arguments\": [[\"Q\"]], "
                                   "\"resps\": [[\"A\"]], \"filtered_resps\": [\"A\"]");
        for (size_t k = 0; k < n; k++) {
            regret_buffer_printf(&row, ", \"m%zu\": %zu", k, k % 2);
        }
        for (size_t k = 0; i >= 2 && k < n; k++) {
            regret_buffer_printf(&row, "%s\"m%zu\"", k > 0 ? ", " : ", \"metrics\": [", k);
        }
        regret_buffer_append(&row, i >= 2 ? "]}\n" : "}\n");
        put("a", "samples_arc_" DATE ".jsonl", regret_buffer_get(&row));
        regret_buffer_free(&row);
        HARNESS(.metrics = {(const char *const[]){"m255"}, 1});
        if (i % 2 == 1) {
            refused(":1: more than 256 metrics in a row");
            continue;
        }
        struct regret_pool *pool = imported();
        cr_assert(pool->n_outputs == 1 && pool->outputs[0].values[0] == 1.0);
        regret_pool_free(pool);
        HARNESS(.metrics = {(const char *const[]){"m256"}, 1});
        refused(" more");
    }
}
