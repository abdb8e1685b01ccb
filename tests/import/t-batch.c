/* Batch outputs with scores, by hand. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "import/batch/batch.h"
#include "import/log_checks.h"
#include "pool/sample.h"

extern const struct importer importer_batch;

TestSuite(batch, .fini = sample_cleanup);

#define REPORTS(words) cr_expect_not_null(strstr(log_report(), words), "%s", log_report())

#define BODY(model, text, finish, in, out)                                                         \
    "{\"model\": \"" model "\", \"choices\": [{\"index\": 0, \"message\": {\"role\": "             \
    "\"assistant\", \"content\": \"" text "\"}, \"finish_reason\": \"" finish                      \
    "\"}], \"usage\": {\"prompt_tokens\": " in ", \"completion_tokens\": " out "}}"
#define LINE(id, body)                                                                             \
    "{\"id\": \"batch_req_1\", \"custom_id\": \"" id "\", \"response\": {\"status_code\": 200, "   \
    "\"request_id\": \"r\", \"body\": " body "}, \"error\": null}\n"
#define ANSWER(id, model, text) LINE(id, BODY(model, text, "stop", "10", "2"))
#define REQUEST(id, model, text)                                                                   \
    "{\"custom_id\": \"" id "\", \"method\": \"POST\", \"url\": \"/v1/chat/completions\", "        \
    "\"body\": {\"model\": \"" model                                                               \
    "\", \"messages\": [{\"role\": \"system\", \"content\": \"Be "                                 \
    "brief.\"}, {\"role\": \"user\", \"content\": \"" text "\"}]}}\n"
#define FAILED(id)                                                                                 \
    "{\"custom_id\": \"" id "\", \"response\": {\"status_code\": 429, \"body\": {\"error\": "      \
    "{\"message\": \"slow down\"}}}, \"error\": null}\n"

/* What a test says of the options. */
struct given {
    const char *scores, *requests, *ids, *prices;
    unsigned failed, truncated;
    int by_file;
};

static const char *path_of(const char *name)
{
    static char room[4][600];
    static size_t next;
    char *path = room[next++ % 4];
    snprintf(path, sizeof room[0], "%s", sample_path(name));
    return path;
}

static struct batch_options options_of(struct given g)
{
    struct batch_options o = *(const struct batch_options *)importer_batch.defaults;
    o.scores = path_of(g.scores != NULL ? g.scores : "scores.csv");
    o.requests = g.requests != NULL ? path_of(g.requests) : NULL;
    o.prices = g.prices != NULL ? path_of(g.prices) : NULL;
    o.ids = g.ids != NULL ? g.ids : o.ids;
    o.harness.failed = g.failed;
    o.harness.truncated = g.truncated;
    o.by_file = g.by_file;
    return o;
}

static struct regret_pool *imported(struct given g)
{
    struct batch_options o = options_of(g);
    return log_pool(&importer_batch, &o, "out");
}

static void refused(struct given g, const char *words)
{
    struct batch_options o = options_of(g);
    log_refused(&importer_batch, &o, "out", words);
}

/* Two models answered the same ids; scores name them; a prompt is the user's. */
static void put_two(void)
{
    log_put("out/a.jsonl", ANSWER("1", "a", "one") ANSWER("2", "a", "two"));
    log_put("out/b.jsonl", LINE("2", BODY("b", "zwei \\ud83d", "length", "10", "6")) FAILED("1"));
    log_put("scores.csv", "custom_id,model,note,score\n1,a,good,1\n2,a,,0.5\n2,b,,0.25\n");
    log_put("requests.jsonl", REQUEST("1", "a", "One?") REQUEST("2", "a", "Two?"));
}

Test(batch, answers_meet_their_scores)
{
    put_two();
    log_put("out/c.jsonl", "\n");
    struct regret_pool *pool = imported((struct given){.requests = "requests.jsonl"});
    REPORTS("1 files without a row: ");
    REPORTS("out/c.jsonl\n");
    cr_assert_eq(pool->n_contexts, 2);
    cr_assert_eq(pool->n_outputs, 3);
    cr_expect_str_eq(log_context(pool, "2")->text, "Two?");
    cr_expect_eq(log_value(pool, "1", "a", 0, NULL), 1.0);
    cr_expect_eq(log_value(pool, "2", "a", 0, NULL), 0.5);
    cr_expect_eq(log_value(pool, "2", "b", 0, NULL), 0.25);
    cr_expect_eq(log_agent(pool, "a")->cost, 12.0, "tokens");
    cr_expect_eq(log_agent(pool, "b")->cost, 16.0);
    regret_pool_free(pool);
    REPORTS("1 failed answers left out");
    REPORTS("1 answers are cut short and kept");
    REPORTS("1 columns of scores that hold no numbers");
    log_put("prices.csv", "model,input,output\na,100000,500000\nb,0,1000000\n");
    pool = imported((struct given){.prices = "prices.csv",
                                   .failed = HARNESS_FAILED_WORST,
                                   .truncated = HARNESS_TRUNCATED_OUT});
    cr_expect_eq(log_agent(pool, "a")->cost, 2.0);
    cr_expect_eq(log_value(pool, "1", "b", 0, NULL), 0.0, "ids stand in for prompts");
    cr_expect(isnan(log_value(pool, "2", "b", 0, NULL)));
    regret_pool_free(pool);
}

/* A content may be a list of parts, of which the texts count; an answer of nobody has not failed. */
Test(batch, content_in_parts_and_no_model)
{
    const char *text = NULL;
    put_two();
    log_put("out/b.jsonl",
            LINE("2",
                 "{\"model\": \"b\", \"choices\": [{\"message\": {\"content\": [{\"type\": "
                 "\"text\", \"text\": \"zwei\"}, {\"type\": \"text\", \"text\": \"drei\"}]}}]}"));
    log_put("out/c.jsonl",
            LINE("2", "{\"model\": null, \"choices\": [{\"message\": {\"content\": \"x\"}}]}")
                FAILED("1"));
    struct regret_pool *pool = imported((struct given){0});
    cr_expect_eq(log_value(pool, "2", "b", 0, &text), 0.25);
    cr_expect_str_eq(text, "zwei\n\ndrei");
    regret_pool_free(pool);
    REPORTS("1 failed lines of which nobody knows the model (--requests)");
    REPORTS("1 answers of which nobody knows the model (--by-file");
}

/* {id}, {model}, {task}, {repeat} in one custom_id; a model that failed first has a name all the same. */
Test(batch, ids_are_taken_apart)
{
    log_put("out/x.jsonl", FAILED("math/1#0@m-2") ANSWER("math/1#0@m-1", "v1", "a")
                               ANSWER("math/1#1@m-1", "v1", "b") ANSWER("art/1#0@m-1", "v1", "c"));
    log_put("scores.jsonl", "{\"custom_id\": \"math/1#0@m-1\", \"ok\": true, \"by\": \"x\"}\n"
                            "{\"custom_id\": \"math/1#1@m-1\", \"scores\": {\"ok\": 0}}\n"
                            "{\"custom_id\": \"art/1#0@m-1\", \"ok\": 1}\n");
    const struct given g = {.ids = "{task}/{id}#{repeat}@{model}",
                            .scores = "scores.jsonl",
                            .failed = HARNESS_FAILED_WORST};
    struct regret_pool *pool = imported(g);
    cr_assert_eq(pool->n_contexts, 2, "two tasks have a request 1");
    cr_assert_eq(pool->n_agents, 2);
    cr_expect_eq(pool->n_outputs, 4);
    cr_expect_eq(pool->outputs[1].draw, 1);
    cr_expect_str_eq(pool->contexts[0].tag, "math");
    regret_pool_free(pool);
    refused((struct given){.ids = "{id}:{model}", .scores = "scores.jsonl"},
            "x.jsonl:1: custom_id \"math/1#0@m-2\" is not made as --ids \"{id}:{model}\" says");
}

Test(batch, templates)
{
    static const char *const BAD[] = {"",          "{model}",     "{id}{model}",
                                      "{id}-{id}", "{id}-{what}", "{"};
    static const struct {
        const char *template, *id, *part[BATCH_PARTS];
    } GOOD[] = {{"{id}", "a-b", {"a-b", NULL, NULL, NULL}},
                {"{id}-{model}", "a-b-c", {"a", "b-c", NULL, NULL}},
                {"<{model}|{id}>", "<m|x>y>", {"x>y", "m", NULL, NULL}},
                {"{task}::{id}#{repeat}", "t:u::7#3", {"7", NULL, "t:u", "3"}}};
    static const char *const UNFIT[][2] = {{"{id}-{model}", "a"},  {"{id}-{model}", "-b"},
                                           {"{id}-{model}", "a-"}, {"x{id}", "a"},
                                           {"{id}x", "a"},         {"{id}", ""}};
    struct batch_id id = {0};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        cr_expect_eq(batch_template_check(BAD[i]), REGRET_E_INPUT, "%s", BAD[i]);
    }
    for (size_t i = 0; i < sizeof GOOD / sizeof *GOOD; i++) {
        cr_expect_eq(batch_template_check(GOOD[i].template), 0);
        cr_assert_eq(batch_id_read(&id, GOOD[i].id, GOOD[i].template, (struct regret_place){0}), 0);
        for (size_t k = 0; k < BATCH_PARTS; k++) {
            const char *part = batch_id_part(&id, k), *wanted = GOOD[i].part[k];
            cr_expect(part == wanted || (part != NULL && wanted != NULL && !strcmp(part, wanted)),
                      "%s: %s", GOOD[i].template, part);
        }
    }
    for (size_t i = 0; i < sizeof UNFIT / sizeof *UNFIT; i++) {
        cr_expect_eq(batch_id_read(&id, UNFIT[i][1], UNFIT[i][0], (struct regret_place){"f", 1}),
                     REGRET_E_INPUT, "%s", UNFIT[i][1]);
    }
    batch_id_free(&id);
}

/* A judge's own batch, of which the last number in brackets, a bare one, or an object counts; bodies of the other endpoints. */
Test(batch, judges_write_batches_too)
{
    log_put("out/a.jsonl",
            ANSWER("1", "a", "one")
                LINE("2", "{\"model\": \"a\", \"output\": [{\"type\": \"reasoning\", \"summary\": "
                          "[]}, {\"type\": \"message\", \"role\": \"assistant\", \"content\": "
                          "[{\"type\": \"output_text\", \"text\": \"two\"}]}], \"status\": "
                          "\"incomplete\", \"incomplete_details\": {\"reason\": "
                          "\"max_output_tokens\"}, \"usage\": {\"input_tokens\": 1, "
                          "\"output_tokens\": 2}}")
                    LINE("3", "{\"model\": \"a\", \"choices\": [{\"text\": \"three\", "
                              "\"finish_reason\": \"stop\"}, {\"text\": \"drei\"}]}")
                        LINE("4", "{\"model\": \"a\", \"choices\": [{\"message\": {\"content\": "
                                  "null, \"refusal\": \"no\"}, \"finish_reason\": \"stop\"}]}")
                            LINE("5", "{\"model\": \"a\", \"choices\": [{\"message\": "
                                      "{\"content\": null}, \"finish_reason\": "
                                      "\"content_filter\"}]}"));
    log_put("judge.jsonl", ANSWER("1", "j", "At first [[2]], but then [[7]].")
                               ANSWER("2", "j", " 3 ") ANSWER("3", "j", "{\\\"score\\\": 4}")
                                   ANSWER("4", "j", "Cannot say [[none]]") FAILED("5"));
    struct regret_pool *pool = imported((struct given){.scores = "judge.jsonl"});
    cr_expect_eq(log_value(pool, "1", "a", 0, NULL), 7.0);
    cr_expect_eq(log_value(pool, "2", "a", 0, NULL), 3.0);
    cr_expect_eq(log_value(pool, "3", "a", 0, NULL), 4.0);
    cr_assert_eq(pool->n_outputs, 3);
    cr_expect_str_eq(pool->outputs[1].text, "two");
    cr_expect_str_eq(pool->outputs[2].text, "three");
    regret_pool_free(pool);
    REPORTS("1 answers are cut short");
    REPORTS("1 answers left out because they lack a metric");
    REPORTS("1 failed answers left out");
    REPORTS("2 outputs of the judge without a score");
    REPORTS("1 further choices");
}

/* A folder that people keep other files in, and an archive of it. */
Test(batch, other_files_are_passed_over_and_named)
{
    const struct log_member members[] = {{"README.md", "my runs"},
                                         {"out/a.jsonl", ANSWER("1", "m", "a")},
                                         {"run.log", "12:00 sent"},
                                         {"out/b.jsonl", ANSWER("1", "n", "b")}};
    for (size_t i = 0; i < 4; i++) {
        char path[80];
        snprintf(path, sizeof path, "%s%s", i % 2 ? "" : "out/", members[i].name);
        log_put(path, members[i].text);
    }
    log_put("out/.DS_Store", "");
    log_put("scores.csv", "custom_id,model,s\n1,m,1\n1,n,0\n");
    regret_pool_free(imported((struct given){0}));
    REPORTS("2 files passed over, which this import does not read: README.md, run.log\n");
    log_zip("out/z.zip", members, 1);
    regret_pool_free(imported((struct given){0}));
    REPORTS("3 files passed over, which this import does not read: ");
}

Test(batch, a_folder_without_outputs)
{
    log_put("out/README.md", "nothing yet");
    log_put("scores.csv", "custom_id,model,s\n1,m,1\n");
    refused((struct given){0}, "out holds no outputs of a batch: a .jsonl with \"custom_id\" and "
                               "\"response\" on each line; 1 files passed over, which this import "
                               "does not read: README.md");
}

/* Models by their files: two settings of one model. */
Test(batch, files_name_models)
{
    log_put("out/hot.jsonl", FAILED("2") ANSWER("1", "m", "a"));
    log_put("out/cold.jsonl", ANSWER("1", "m", "b"));
    log_put("scores.csv", "custom_id,agent,s\n1,hot,1\n1,cold,0\n7,cold,0\n");
    refused((struct given){.by_file = 0}, "no answer has a score");
    struct regret_pool *pool =
        imported((struct given){.by_file = 1, .failed = HARNESS_FAILED_WORST});
    cr_expect_eq(log_value(pool, "1", "hot", 0, NULL), 1.0);
    cr_expect_eq(log_value(pool, "2", "hot", 0, NULL), 0.0);
    regret_pool_free(pool);
    REPORTS("1 rows of scores that are of no answer");
}

Test(batch, what_is_wrong_is_told_with_its_place)
{
    put_two();
    log_put("scores.csv", "custom_id,score\n1,1\n2,0\n");
    refused((struct given){0},
            "b.jsonl:1: \"a\" and \"b\" answered \"2\", and its scores do not say "
            "which of them they are of; add a column \"model\" to --scores");
    log_put("scores.csv", "custom_id,score\n1,1\n1,0\n");
    refused((struct given){0}, "scores.csv:3: custom_id \"1\" has scores before; add a column "
                               "\"model\"");
    log_put("scores.csv", "custom_id,score\n1,1\n");
    log_put("out/a.jsonl", "{\n  \"custom_id\": \"1\"\n}\n");
    refused((struct given){0}, "a.jsonl:1:1: malformed JSON: the line ends too early: a \"{\" is "
                               "not closed; is this JSONL, each object on one line?");
    put_two();
    log_put("scores.csv", "custom_id,score\n1,1\n2,high\n");
    refused((struct given){0}, "scores.csv:3: \"score\" is \"high\", and a number above");
    log_put("scores.csv", "custom_id,score\n1\n");
    refused((struct given){0}, "scores.csv:2: 1 fields where the header has 2");
    log_put("scores.csv", "id,score\n1,2\n");
    refused((struct given){0}, "scores.csv:1: no column is called \"custom_id\"");
    log_put("scores.csv", "custom_id,score\n");
    refused((struct given){0}, "no scores; a row has \"custom_id\"");
    log_put("scores.csv", "custom_id,model,score\n1,a,1\n2,a,2\n");
    log_put("requests.jsonl", REQUEST("1", "a", "One?"));
    refused((struct given){.requests = "requests.jsonl"},
            "a.jsonl:2: custom_id \"2\" is not among the requests of");
    log_put("requests.jsonl", REQUEST("1", "a", "One?") REQUEST("1", "b", "Other?"));
    refused((struct given){.requests = "requests.jsonl"},
            "requests.jsonl:2: custom_id \"1\" had another prompt before");
    refused((struct given){.requests = "out"}, "no requests there");
    refused((struct given){.ids = "{model}"}, "--ids \"{model}\": it must have {id}");
    log_put("out/b.jsonl", "{\"custom_id\": \"1\", \"score\": 1}\n");
    refused((struct given){0}, "b.jsonl:1: has neither \"response\" nor \"error\"");
    log_put("out/b.jsonl", "{\"custom_id\": \"1\", \"resp");
    refused((struct given){0}, "b.jsonl:1:");
}
