/* promptfoo's results, made by hand after those of promptfoo 0.118. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "import/harness/harness.h"
#include "log_checks.h"
#include "pool/sample.h"

TestSuite(promptfoo, .fini = sample_cleanup);

extern const struct importer importer_promptfoo;

#define PROMPT(raw, label) "\"prompt\": {\"raw\": \"" raw "\", \"label\": \"" label "\"}"
#define TEST(x, more)                                                                              \
    "\"testCase\": {\"vars\": {\"x\": \"" x "\"}" more "}, \"vars\": {\"x\": \"" x "\"}"
#define RESULT(provider, prompt, test, output, score, more)                                        \
    "{\"cost\": 0.5, \"gradingResult\": {\"componentResults\": [{}]}, \"provider\": " provider     \
    ", " prompt ", " test ", \"response\": {\"output\": " output                                   \
    ", \"cached\": false}, \"score\": " score                                                      \
    ", \"success\": false, \"namedScores\": {\"tone\": 3}" more "}"
#define FILE_OF(results)                                                                           \
    "{\"version\": 4, \"evalId\": \"e\", \"results\": {\"version\": 3, \"prompts\": [{\"raw\": "   \
    "\"x\"}], "                                                                                    \
    "\"results\": [" results "], \"stats\": {}}, \"config\": {}}"
#define A "{\"id\": \"openai:a\", \"label\": \"\"}"
#define B "{\"id\": \"openai:b\", \"label\": \"mine\"}"
#define SHORT(x) PROMPT("Say " x, "Say {{x}}")
#define LONG(x)                                                                                    \
    PROMPT("Please, do say " x, "Please, do say {{x}}, in whatever way you think that is best")

/* clang-format off */
#define EQUALS ", \"assert\": [{\"type\": \"equals\", \"value\": \"one\"}]"
static const char ONE_PROMPT[] =
    FILE_OF(
        RESULT(A, SHORT("one"), TEST("one", ""), "\"one\"", "1", "") ","
        RESULT(B, SHORT("one"), TEST("one", ""), "{\"a\": [1]}", "0.25", ", \"failureReason\": 1, \"error\": \"x\"") ","
        RESULT(A, SHORT("two"), TEST("two", ""), "\"\"", "0.5", "") ","
        RESULT(A, SHORT("one"), TEST("one", ""), "\"one more\"", "0.75", ""));
static const char TWO_PROMPTS[] =
    FILE_OF(
        RESULT(A, SHORT("one"), TEST("one", EQUALS), "\"one\"", "1", "") ","
        RESULT(A, LONG("one"), TEST("one", EQUALS), "\"two\"", "0", ""));
#define FIRST RESULT("\"openai:a\"", SHORT("one"), TEST("one", ""), "\"one\"", "1", "")
#define SECOND RESULT("\"openai:a\"", SHORT("one"), TEST("one", EQUALS), "\"one\"", "0", "")
static const char STATES[] =
    FILE_OF(
        RESULT(A, SHORT("1"), TEST("1", ""), "\"x\"", "1", "") ","
        RESULT(A, SHORT("2"), TEST("2", ""), "null", "0", "") ","
        RESULT(A, SHORT("3"), TEST("3", ""), "\"x\"", "0", ", \"failureReason\": 2") ","
        "{" PROMPT("Say 4", "Say {{x}}") ", \"provider\": " A ", \"error\": \"429\", \"score\": 0},"
        RESULT(A, SHORT("5"), TEST("5", ""), "\"cut\", \"finishReason\": \"length\"", "0.5", ""));
/* clang-format on */

Test(promptfoo, one_prompt)
{
    const char *text = NULL;
    log_put("r.json", ONE_PROMPT);
    struct regret_pool *pool = log_pool(&importer_promptfoo, NULL, "r.json");
    cr_assert(pool->n_contexts == 2 && pool->n_agents == 2 && pool->n_outputs == 4);
    cr_assert_str_eq(pool->agents[0].id, "mine");
    cr_assert_str_eq(pool->agents[1].id, "openai:a");
    cr_assert(pool->agents[0].cost == 0.5 && pool->agents[1].cost == 0.5);
    cr_assert_str_eq(pool->contexts[0].text, "Say one");
    cr_assert_null(pool->contexts[0].tag);
    cr_assert_str_eq(pool->components[0].name, "score");
    const char *one = pool->contexts[0].id;
    cr_assert_eq(log_value(pool, one, "openai:a", 0, &text), 1.0);
    cr_assert_str_eq(text, "one");
    cr_assert_eq(log_value(pool, one, "openai:a", 1, &text), 0.75);
    cr_assert_str_eq(text, "one more");
    cr_assert_eq(log_value(pool, one, "mine", 0, &text), 0.25);
    cr_assert_str_eq(text, "{\"a\":[1]}");
    regret_pool_free(pool);
}

/* Prompts make agents where there are several; what is asked is then what the prompts have in common. */
Test(promptfoo, several_prompts)
{
    log_put("r.json", TWO_PROMPTS);
    struct regret_pool *pool = log_pool(&importer_promptfoo, NULL, "r.json");
    cr_assert(pool->n_contexts == 1 && pool->n_agents == 2);
    cr_assert_str_eq(pool->contexts[0].text, "one");
    cr_assert_str_eq(pool->agents[0].title, "openai:a Say {{x}}");
    cr_assert_str_eq(pool->agents[1].title, "openai:a prompt 2");
    regret_pool_free(pool);
}

/* Tests that differ in what they assert are two; a file of lines is read as the document is. */
Test(promptfoo, tests_and_lines)
{
    log_put("r.jsonl", FIRST "\n\n" SECOND "\n");
    log_put("r.json", "{\"version\": 2, \"results\": [" FIRST ",\n" SECOND "], \"table\": {}}");
    static const char *const FROM[] = {"r.jsonl", "r.json"};
    for (size_t i = 0; i < 2; i++) {
        struct regret_pool *pool = log_pool(&importer_promptfoo, NULL, FROM[i]);
        cr_assert(pool->n_contexts == 2 && pool->n_agents == 1 && pool->n_outputs == 2);
        cr_assert(pool->outputs[0].values[0] == 1.0 && pool->outputs[1].values[0] == 0.0);
        regret_pool_free(pool);
    }
}

/* Two files of some tests each: a test is the same whatever its number; two runs of a provider on one are told. */
Test(promptfoo, two_files)
{
    log_put("r/a.json",
            FILE_OF(RESULT(A, SHORT("one"), TEST("one", ""), "\"x\"", "1",
                           "") "," RESULT(A, SHORT("two"), TEST("two", ""), "\"x\"", "0", "")));
    log_put("r/b.json", FILE_OF(RESULT(B, SHORT("two"), TEST("two", ""), "\"x\"", "0.5", "")));
    log_put("r/c.json", FILE_OF(""));
    log_put("r/d.jsonl", "");
    struct regret_pool *pool = log_pool(&importer_promptfoo, NULL, "r");
    cr_assert(pool->n_contexts == 2 && pool->n_agents == 2 && pool->n_outputs == 3);
    cr_assert_not_null(strstr(log_report(), "2 files without a row: "));
    cr_assert_not_null(strstr(log_report(), "/r/c.json\n"));
    regret_pool_free(pool);
    log_put("r/b.json", FILE_OF(RESULT(A, SHORT("two"), TEST("two", ""), "\"x\"", "0.5", "")));
    log_refused(&importer_promptfoo, NULL, "r", "\"openai:a\" has answered request ");
}

Test(promptfoo, scores_and_failures)
{
    log_put("r.json", STATES);
    struct regret_pool *pool = log_pool(&importer_promptfoo, NULL, "r.json");
    cr_assert_eq(pool->n_outputs, 2);
    cr_assert_not_null(strstr(log_report(), "3 failed answers left out"));
    cr_assert_not_null(strstr(log_report(), "1 answers are cut short"));
    regret_pool_free(pool);
    const char *const names[] = {"success", "tone=1:5"};
    const struct harness_options named = {.metrics = {names, 2}};
    pool = log_pool(&importer_promptfoo, &named, "r.json");
    cr_assert(pool->n_components == 2 && pool->outputs[0].values[0] == 0.0);
    cr_assert_eq(pool->outputs[0].values[1], 3.0);
    regret_pool_free(pool);
}

Test(promptfoo, refused)
{
    log_put("none/x.txt", "x");
    log_refused(&importer_promptfoo, NULL, "none", "none holds no results of promptfoo");
    log_put("x.json", "{\"prompts\": []}");
    log_refused(&importer_promptfoo, NULL, "x.json",
                "x.json: no results of promptfoo: \"results\" must hold a list");
    log_put("x.json", "[]");
    log_refused(&importer_promptfoo, NULL, "x.json", "x.json:1:1: must be a JSON object");
    log_put("x.json", FILE_OF(""));
    log_refused(&importer_promptfoo, NULL, "x.json", "x.json holds no results of promptfoo");
    log_put("x.json", FILE_OF("7"));
    log_refused(&importer_promptfoo, NULL, "x.json", "x.json:1: a result must be an object");
    log_put("x.json", FILE_OF("{}"));
    log_refused(&importer_promptfoo, NULL, "x.json",
                "a result without a \"prompt\" that has a \"label\" or \"raw\"");
    log_put("x.json", FILE_OF("{" SHORT("1") "}"));
    log_refused(&importer_promptfoo, NULL, "x.json",
                "a result without a \"provider\" that has an \"id\"");
    log_put("x.json", "{\"results\": {\"results\": [{" SHORT("1") ",");
    log_refused(&importer_promptfoo, NULL, "x.json", "x.json:1:");
    log_put("x.json", FILE_OF(RESULT(A, SHORT("1"), TEST("1", ""), "\"x\"", "2", "")));
    log_refused(&importer_promptfoo, NULL, "x.json",
                "score is 2, out of its range 0 to 1; give another by --metric NAME=LOW:HIGH");
    log_put("x.json", "{\"results\": {\"version\": 9, \"results\": []}}");
    log_refused(&importer_promptfoo, NULL, "x.json",
                "x.json: results of version 9; up to 3 can be read");
    log_put("x.jsonl", "[1]\n");
    log_refused(&importer_promptfoo, NULL, "x.jsonl", "x.jsonl:1:");
}

/* A variable that is asked is in the pool; one that is not is counted, and named. */
Test(promptfoo, variables_that_are_left_out_are_named)
{
#define HINTED(x)                                                                                  \
    RESULT(A, SHORT(x), "\"testCase\": {\"vars\": {\"x\": \"" x "\", \"hint\": \"other\"}}",       \
           "\"y\"", "1", "")
    log_put("r.json", FILE_OF(HINTED("one") "," HINTED("two")));
    struct regret_pool *pool = log_pool(&importer_promptfoo, NULL, "r.json");
    cr_expect_not_null(strstr(log_report(), "2 values of variable \"hint\", which the "
                                            "prompt does not show"));
    cr_expect_null(strstr(log_report(), "variable \"x\""));
    regret_pool_free(pool);
}
