/* HELM's runs, made by hand after those of HELM 0.5. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "import/helm/helm.h"
#include "log_checks.h"
#include "pool/sample.h"
#include "regret/alloc.h"

TestSuite(helm, .fini = sample_cleanup);

extern const struct importer importer_helm;

#define REFERENCES                                                                                 \
    "\"references\": [{\"output\": {\"text\": \"no\"}, \"tags\": []}, {\"output\": {\"text\": "    \
    "\"right\"}, \"tags\": [\"x\", \"correct\"]}]"
#define INSTANCE(id, more)                                                                         \
    "\"instance\": {\"input\": {\"text\": \"Input of " id "\"}, " REFERENCES                       \
    ", \"split\": \"test\", \"id\": \"" id "\"" more "}"
#define RESULT(text, reason)                                                                       \
    "\"result\": {\"success\": true, \"completions\": [{\"text\": \"" text                         \
    "\", \"logprob\": 0, \"tokens\": [], \"finish_reason\": {\"reason\": \"" reason                \
    "\"}}], \"cached\": true}"
#define STATE(id, trial, more, text)                                                               \
    "{" INSTANCE(id, more) ", \"train_trial_index\": " trial                                       \
                           ", \"request\": {\"prompt\": \"long\"}, " RESULT(text, "stop") "}"
#define STATES(model, method, states)                                                              \
    "{\"adapter_spec\": {\"method\": \"" method "\", \"model\": \"" model                          \
    "\"},\n \"request_states\": [" states "], \"annotator_specs\": []}"
#define STAT(name, mean)                                                                           \
    "{\"name\": {\"name\": \"" name "\", \"split\": \"test\"}, \"count\": 1, \"sum\": " mean       \
    ", \"mean\": " mean "}"
#define OF(id, trial, more, stats)                                                                 \
    "{\"instance_id\": \"" id "\", \"train_trial_index\": " trial more ", \"stats\": [" stats "]}"
#define TYPOS ", \"perturbation\": {\"name\": \"typos\"}"
#define TOKENS(id, trial)                                                                          \
    OF(id, trial, "", STAT("num_prompt_tokens", "20") "," STAT("num_output_tokens", "4"))

static void put_run(const char *run, const char *states, const char *stats)
{
    char name[300];
    snprintf(name, sizeof name, "%s/scenario_state.json", run);
    log_put(name, states);
    snprintf(name, sizeof name, "%s/per_instance_stats.json", run);
    log_put(name, stats);
    snprintf(name, sizeof name, "%s/run_spec.json", run);
    log_put(name, "{}");
}

/* clang-format off */
static const char STATES_A[] =
    STATES("org/a", "generation",
        STATE("id1", "0", "", "one") ","
        STATE("id1", "0", TYPOS, "oen") ","
        STATE("id2", "0", "", "two") ","
        STATE("id1", "1", "", "one again"));
static const char STATS_A[] =
    "[" OF("id1", "0", "", STAT("exact_match", "1") "," STAT("quasi_exact_match", "0.5")) ","
        OF("id1", "0", TYPOS, STAT("exact_match", "0")) ","
        TOKENS("id1", "0") ","
        OF("id2", "0", "", STAT("exact_match", "0")
           ", {\"name\": {\"name\": \"training_co2_cost\"}, \"count\": 0, \"sum\": 0}") ","
        OF("id1", "1", "", STAT("exact_match", "0.25")) ","
        TOKENS("id2", "0") ","
        TOKENS("id1", "1") "]";
static const char STATES_B[] =
    "{\"adapter_spec\": {\"model\": \"org/b\"}, \"request_states\": ["
    "{" INSTANCE("id7", "") ", \"output_mapping\": {\"A\": \"no\", \"B\": \"right\"}, " RESULT(" B", "length") "},"
    "{" INSTANCE("id8", "") ", \"result\": {\"success\": false, \"completions\": [], \"error\": \"429\"}}]}";
static const char STATS_B[] =
    "[" OF("id7", "0", "", STAT("f1_score", "0.75") "," STAT("exact_match", "1") ","
           STAT("num_prompt_tokens", "9") "," STAT("num_output_tokens", "0")) "]";

#define OPTION(index, mode, text)                                                                  \
    "{" INSTANCE("id1", "") ", \"reference_index\": " index ", \"request_mode\": \"" mode           \
    "\", \"train_trial_index\": 0, " RESULT(text, "stop") "}"
static const char OPTIONS[] =
    STATES("m", "multiple_choice_separate_calibrated",
        OPTION("0", "original", "no") ","
        OPTION("0", "calibration", "x") ","
        OPTION("1", "original", "right") ","
        OPTION("1", "calibration", "y"));
/* clang-format on */

static void check_two(const struct regret_pool *pool)
{
    const char *text = NULL;
    cr_assert(pool->n_contexts == 2 && pool->n_agents == 1 && pool->n_outputs == 3);
    cr_assert_str_eq(pool->components[0].name, "exact_match");
    cr_assert_eq(log_value(pool, "mmlu:subject=anatomy:id1", "org-a", 0, &text), 1.0);
    cr_assert_str_eq(text, "one");
    cr_assert_eq(log_value(pool, "mmlu:subject=anatomy:id1", "org-a", 1, &text), 0.25);
    cr_assert_str_eq(text, "one again");
    cr_assert_eq(log_value(pool, "mmlu:subject=anatomy:id2", "org-a", 0, NULL), 0.0);
    cr_assert_str_eq(pool->contexts[0].text, "Input of id1");
    cr_assert_str_eq(pool->contexts[0].tag, "mmlu:subject=anatomy");
    cr_assert_eq(pool->agents[0].cost, 24.0);
    cr_assert_not_null(strstr(log_report(), "1 requests of perturbed instances"));
}

#define RUN_A "runs/v1/mmlu:subject=anatomy,model=org_a"

/* A folder of runs, one run, an archive in whatever order. */
Test(helm, folders_and_archives)
{
    static const struct log_member MEMBERS[] = {
        {"v1/mmlu:subject=anatomy,model=org_a/scenario_state.json", STATES_A},
        {"v1/mmlu:subject=anatomy,model=org_a/per_instance_stats.json", STATS_A}};
    put_run(RUN_A, STATES_A, STATS_A);
    log_zip("runs.zip", MEMBERS, 2);
    static const char *const FROM[] = {"runs", RUN_A, RUN_A "/", "runs.zip"};
    for (size_t i = 0; i < sizeof FROM / sizeof *FROM; i++) {
        struct regret_pool *pool = log_pool(&importer_helm, NULL, FROM[i]);
        check_two(pool);
        regret_pool_free(pool);
    }
}

/* Scenarios with other main metrics are one score where both are shares; costs; options of a question. */
Test(helm, scenarios_and_models)
{
    put_run(RUN_A, STATES_A, STATS_A);
    put_run("runs/v1/narrative_qa:model=org_b", STATES_B, STATS_B);
    struct regret_pool *pool = log_pool(&importer_helm, NULL, "runs");
    cr_assert(pool->n_contexts == 3 && pool->n_agents == 2 && pool->n_outputs == 4);
    cr_assert_str_eq(pool->components[0].name, "score");
    cr_assert_eq(log_value(pool, "narrative_qa:id7", "org-b", 0, NULL), 0.75);
    cr_assert_str_eq(log_context(pool, "narrative_qa:id7")->text, "Input of id7\nA. no\nB. right");
    cr_assert_str_eq(log_context(pool, "narrative_qa:id7")->tag, "narrative_qa");
    cr_assert_not_null(strstr(log_report(), "1 failed answers left out"));
    cr_assert_not_null(strstr(log_report(), "1 answers are cut short"));
    cr_assert_not_null(
        strstr(log_report(), "some models have no cost")); /* no token of an output was counted */
    regret_pool_free(pool);
    const char *const names[] = {"exact_match"};
    const struct helm_options named = {.harness.metrics = {names, 1}};
    pool = log_pool(&importer_helm, &named, "runs");
    cr_assert_eq(log_value(pool, "narrative_qa:id7", "org-b", 0, NULL), 1.0);
    regret_pool_free(pool);
    const char *const agents[] = {"org/a"};
    log_put("prices.csv", "model,input,output\norg/a,3,15\n");
    const struct helm_options priced = {.harness.agents = {agents, 1},
                                        .prices = sample_path("prices.csv")};
    pool = log_pool(&importer_helm, &priced, "runs");
    cr_assert_eq(pool->n_agents, 1);
    cr_assert_float_eq(pool->agents[0].cost, (20.0 * 3.0 + 4.0 * 15.0) / 1e6, 1e-18);
    regret_pool_free(pool);
}

/* Requests that ask how likely each option is: the one that was chosen is the answer. */
Test(helm, options_apart)
{
    const char *text = NULL;
    put_run("runs/hellaswag:model=m", OPTIONS,
            "[" OF("id1", "0", "", STAT("exact_match", "1") "," STAT("predicted_index", "1")) "]");
    struct regret_pool *pool = log_pool(&importer_helm, NULL, "runs");
    cr_assert_eq(pool->n_outputs, 1);
    cr_assert_eq(log_value(pool, "hellaswag:id1", "m", 0, &text), 1.0);
    cr_assert_str_eq(text, "right");
    cr_assert_not_null(strstr(log_report(), "2 requests that calibrate"));
    cr_assert_not_null(strstr(log_report(), "1 requests about options that were not chosen"));
    regret_pool_free(pool);
}

Test(helm, tasks)
{
    static const char *const CASES[][2] = {
        {"mmlu:subject=anatomy,method=multiple_choice_joint,model=openai_davinci",
         "mmlu:subject=anatomy,method=multiple_choice_joint"},
        {"mmlu:model=a,subject=x,model_deployment=b", "mmlu:subject=x"},
        {"harm_bench:model=a", "harm_bench"},
        {"boolq", "boolq"},
        {"a:", "a"},
        {"a:,,b=1,", "a:b=1"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char *task = NULL;
        cr_assert_eq(helm_task(&task, CASES[i][0]), 0);
        cr_expect_str_eq(task, CASES[i][1]);
        regret_free(task);
    }
}

Test(helm, metrics)
{
    static const struct {
        const char *metric;
        double high;
        int is_lower, is_bookkeeping;
    } CASES[] = {{"exact_match", 1.0, 0, 0},          {"quasi_prefix_exact_match@5", 1.0, 0, 0},
                 {"bits_per_byte", NAN, 1, 0},        {"wildbench_score", NAN, 0, 0},
                 {"toxic_frac", 1.0, 1, 0},           {"num_prompt_tokens", NAN, 0, 1},
                 {"finish_reason_length", NAN, 0, 1}, {"inference_runtime", NAN, 0, 1}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        double low, high;
        int is_lower;
        helm_describe(CASES[i].metric, &low, &high, &is_lower);
        cr_expect(high == CASES[i].high || (isnan(high) && isnan(CASES[i].high)), "%s",
                  CASES[i].metric);
        cr_expect(isnan(low) == isnan(high) && is_lower == CASES[i].is_lower, "%s",
                  CASES[i].metric);
        cr_expect_eq(helm_is_bookkeeping(CASES[i].metric), CASES[i].is_bookkeeping);
    }
}

Test(helm, refused)
{
    log_put("none/x.json", "{}");
    log_refused(&importer_helm, NULL, "none",
                "none holds no run of HELM: a folder with scenario_state.json");
    log_put("half/boolq:model=m/scenario_state.json", STATES_A);
    log_refused(&importer_helm, NULL, "half", "boolq:model=m has no per_instance_stats.json");
    log_put("other/boolq:model=m/per_instance_stats.json", "[]");
    log_refused(&importer_helm, NULL, "other", "boolq:model=m has no scenario_state.json");
    put_run(
        "unknown/mine:model=m", STATES("m", "generation", STATE("id1", "0", "", "x")),
        "[" OF("id1", "0", "", STAT("charm", "3") "," STAT("wit", "1") "," STAT("num_x", "1")) "]");
    log_refused(
        &importer_helm, NULL, "unknown",
        "which metric of scenario \"mine\" counts is not known; say it by --metric; there are: "
        "charm, wit");
    const char *const names[] = {"charm=1:5"};
    const struct helm_options named = {.harness.metrics = {names, 1}};
    struct regret_pool *pool = log_pool(&importer_helm, &named, "unknown");
    cr_assert(pool->outputs[0].values[0] == 3.0 && pool->components[0].high == 5.0);
    regret_pool_free(pool);
    put_run(
        "unknown/mine:model=m", STATES("m", "generation", STATE("id1", "0", "", "x")),
        "[" OF("id1", "0", "", STAT("charm", "3") "," STAT("num_x", "1")) "]"); /* the only one */
    pool = log_pool(&importer_helm, NULL, "unknown");
    cr_assert_str_eq(pool->components[0].name, "charm");
    regret_pool_free(pool);
    put_run("list/boolq:model=m", "[]", "[]");
    log_refused(&importer_helm, NULL, "list", "scenario_state.json:1:1: must be a JSON object");
    put_run("stats/boolq:model=m", STATES_A, "{}");
    log_refused(&importer_helm, NULL, "stats", "per_instance_stats.json:1:1: must be a JSON array");
    put_run("cut/boolq:model=m",
            "{\"adapter_spec\": {\"model\": \"m\"}, \"request_states\": [{\"instance\"", STATS_A);
    log_refused(&importer_helm, NULL, "cut", "scenario_state.json:1:");
    put_run("spec/boolq:model=m", "{\"request_states\": [], \"adapter_spec\": {\"model\": \"m\"}}",
            STATS_A);
    log_refused(&importer_helm, NULL, "spec", "\"adapter_spec\" must be an object, but is absent");
    put_run("states/boolq:model=m", "{\"adapter_spec\": {\"model\": \"m\"}}", STATS_A);
    log_refused(&importer_helm, NULL, "states",
                "\"request_states\" must be an array behind \"adapter_spec\"");
    put_run("input/mmlu:model=m", STATES("m", "", "{\"instance\": {\"id\": \"id1\"}}"), STATS_A);
    log_refused(&importer_helm, NULL, "input", "\"instance\" has no \"input\" with a \"text\"");
    put_run("id/mmlu:model=m", STATES("m", "", "{\"instance\": {}}"), STATS_A);
    log_refused(&importer_helm, NULL, "id",
                "scenario_state.json:2: \"id\" must be a string, but is absent");
    put_run("name/mmlu:model=m", STATES_A,
            "[" OF("id1", "0", "", "{\"name\": \"exact_match\"}") "]");
    log_refused(&importer_helm, NULL, "name",
                "per_instance_stats.json:1: \"name\" must be an object");
}

Test(helm, runs_without_a_request_are_told)
{
    put_run(RUN_A, STATES_A, STATS_A);
    put_run("runs/v1/boolq:model=m", STATES("m", "generation", ""), STATS_A);
    struct regret_pool *pool = log_pool(&importer_helm, NULL, "runs");
    check_two(pool);
    cr_assert_not_null(strstr(log_report(), "1 files without a row: "));
    cr_assert_not_null(strstr(log_report(), "/boolq:model=m/scenario_state.json\n"));
    regret_pool_free(pool);
}
