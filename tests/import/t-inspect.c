/* Inspect's logs, made by hand after those of Inspect 0.3. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "import/importers.h"
#include "import/inspect/inspect.h"
#include "log_checks.h"
#include "pool/sample.h"

TestSuite(inspect, .fini = sample_cleanup);

extern const struct importer importer_inspect;

#define EVAL(model, more)                                                                          \
    "\"eval\": {\"run_id\": \"r\", \"task\": \"popularity\", \"task_version\": 0, \"dataset\": "   \
    "{}, "                                                                                         \
    "\"model\": \"" model "\"" more "}"
#define START(model, more) "{\"version\": 2, " EVAL(model, more) ", \"plan\": {\"name\": \"plan\"}}"
#define USAGE(model, input, output)                                                                \
    "\"" model "\": {\"input_tokens\": " input ", \"output_tokens\": " output "}"
#define OUTPUT(text, stop)                                                                         \
    "\"output\": {\"choices\": [{\"message\": {\"role\": \"assistant\", \"content\": \"" text      \
    "\"}, \"stop_reason\": \"" stop "\"}], \"completion\": \"" text "\"}"
#define SAMPLE(id, epoch, rest)                                                                    \
    "{\"id\": " id ", \"epoch\": " epoch ", \"input\": \"Question " id                             \
    "?\", \"target\": \"Yes\", "                                                                   \
    "\"message_pool\": [{\"role\": \"user\"}], \"events\": [{\"input\": [], \"input_refs\": [[0, " \
    "1]]}], " rest "}"
#define SCORED(id, epoch, text, value)                                                             \
    SAMPLE(id, epoch, OUTPUT(text, "stop") ", \"scores\": {\"match\": {\"value\": " value "}}")
#define LOG(model, more, samples)                                                                  \
    "{\"version\": 3, \"status\": \"success\", " EVAL(                                             \
        model, more) ", \"results\": {\"scores\": []}, \"samples\": [" samples                     \
                     "], \"reductions\": []}"

static const struct log_member ARCHIVE[] = {
    {"_journal/start.json", START("m/a", "")},
    {"samples/1_epoch_1.json", SCORED("1", "1", "one", "\"C\"")},
    {"samples/1_epoch_2.json", SCORED("1", "2", "one again", "\"I\"")},
    {"_journal/summaries/1.json", "[]"},
    {"samples/two/2_epoch_1.json", SCORED("2", "1", "two", "\"P\"")},
    {"samples/3_epoch_1.json", SCORED("3", "1", "three", "\"N\"")},
    {"summaries.json", "[]"},
    {"reductions.json", "[]"},
    {"header.json", START("m/a", "")}};
enum { MEMBERS = sizeof ARCHIVE / sizeof *ARCHIVE };

static void put_archive(const char *name)
{
    log_zip(name, ARCHIVE, MEMBERS);
}

/* clang-format off */
static const char DOCUMENT[] =
    LOG("m/b", "",
        SCORED("1", "1", "uno", "true") ","
        SCORED("2", "1", "due", "\"yes\"") ","
        SCORED("3", "1", "", "0.25"));
/* clang-format on */

Test(inspect, archives_and_documents)
{
    const char *text = NULL;
    put_archive("logs/a.eval");
    log_put("logs/b.json", DOCUMENT);
    log_put("logs/logs.json", "{\"a.eval\": {}}");
    struct regret_pool *pool = log_pool(&importer_inspect, NULL, "logs");
    cr_assert(pool->n_contexts == 3 && pool->n_agents == 2 && pool->n_outputs == 7);
    cr_assert_str_eq(pool->components[0].name, "match");
    cr_assert(pool->components[0].low == 0.0 && pool->components[0].high == 1.0);
    cr_assert_str_eq(log_context(pool, "popularity:1")->text, "Question 1?");
    cr_assert_str_eq(log_context(pool, "popularity:1")->tag, "popularity");
    cr_assert_eq(log_value(pool, "popularity:1", "m-a", 0, &text), 1.0);
    cr_assert_str_eq(text, "one");
    cr_assert_eq(log_value(pool, "popularity:1", "m-a", 1, &text), 0.0);
    cr_assert_str_eq(text, "one again");
    cr_assert_eq(log_value(pool, "popularity:2", "m-a", 0, NULL), 0.5);
    cr_assert_eq(log_value(pool, "popularity:3", "m-a", 0, NULL), 0.0);
    cr_assert_eq(log_value(pool, "popularity:1", "m-b", 0, NULL), 1.0);
    cr_assert_eq(log_value(pool, "popularity:2", "m-b", 0, NULL), 1.0);
    cr_assert_eq(log_value(pool, "popularity:3", "m-b", 0, &text), 0.25);
    cr_assert_str_eq(text, "");
    cr_assert_not_null(
        strstr(log_report(), "1 files passed over, which this import does not read: "));
    cr_assert_not_null(strstr(log_report(), "out of 7 answers in 2 files"));
    regret_pool_free(pool);
}

/* In whatever order an archive has its members, packed or not, it is one log. */
Test(inspect, orders_and_folders)
{
    struct log_member turned[MEMBERS];
    char name[200];
    for (size_t i = 0; i < MEMBERS; i++) {
        turned[MEMBERS - 1 - i] = ARCHIVE[i];
        snprintf(name, sizeof name, "unpacked/a/%s", ARCHIVE[i].name);
        log_put(name, ARCHIVE[i].text);
    }
    put_archive("a.eval");
    log_zip("turned.eval", turned, MEMBERS);
    static const char *const FROM[] = {"a.eval", "turned.eval", "unpacked"};
    for (size_t i = 0; i < sizeof FROM / sizeof *FROM; i++) {
        struct regret_pool *pool = log_pool(&importer_inspect, NULL, FROM[i]);
        cr_assert(pool->n_contexts == 3 && pool->n_agents == 1 && pool->n_outputs == 4, "%s",
                  FROM[i]);
        cr_assert_eq(log_value(pool, "popularity:1", "m-a", 0, NULL), 1.0);
        cr_assert_eq(log_value(pool, "popularity:1", "m-a", 1, NULL), 0.0);
        cr_assert_eq(log_value(pool, "popularity:2", "m-a", 0, NULL), 0.5);
        regret_pool_free(pool);
    }
}

Test(inspect, members)
{
    static const struct {
        const char *name, *path;
        enum inspect_part part;
        size_t prefix;
    } CASES[] = {{"header.json", "x.eval", INSPECT_HEADER, 0},
                 {"_journal/start.json", "x.eval", INSPECT_HEADER, 0},
                 {"start.json", "x.eval", INSPECT_HEADER, 0},
                 {"a.eval/_journal/start.json", "x", INSPECT_HEADER, 7},
                 {"a/b/header.json", "x", INSPECT_HEADER, 4},
                 {"samples/1_epoch_1.json", "x.eval", INSPECT_SAMPLE, 0},
                 {"samples/a/samples/b_epoch_12.json", "x.eval", INSPECT_SAMPLE, 10},
                 {"my/a.eval/samples/x_epoch_1.json", "x", INSPECT_SAMPLE, 10},
                 {"samples/1_epoch_1/sample.json", "x.eval", INSPECT_OTHER, 29},
                 {"a.eval/summaries.json", "x", INSPECT_OTHER, 21},
                 {"oversamples/1_epoch_1.json", "x", INSPECT_DOCUMENT, 26},
                 {"a.json", "x", INSPECT_DOCUMENT, 6},
                 {"header.json.json", "x", INSPECT_DOCUMENT, 16}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        size_t prefix = 99;
        cr_expect_eq(inspect_part_of(CASES[i].name, CASES[i].path, &prefix), CASES[i].part, "%s",
                     CASES[i].name);
        cr_expect_eq(prefix, CASES[i].prefix, "%s: %zu", CASES[i].name, prefix);
    }
}

Test(inspect, messages_and_choices)
{
    static const char SAMPLES[] =
        "{\"id\": \"x\", \"epoch\": 1, \"input\": [{\"role\": \"system\", \"content\": \"Be "
        "brief.\"}, "
        "{\"role\": \"user\", \"content\": [{\"type\": \"text\", \"text\": \"What is this? \"}, "
        "{\"type\": \"image\", \"image\": \"attachment://1\"}]}], \"choices\": [\"a cat\", \"a "
        "dog\"], "
        "\"target\": [\"B\", \"b\"], \"output\": {\"choices\": [{\"message\": {\"content\": "
        "[{\"type\": \"reasoning\", \"reasoning\": \"hm\"}, {\"type\": \"text\", \"text\": "
        "\"B\"}]}}]}, "
        "\"score\": {\"value\": 1}},"
        "{\"id\": 2, \"epoch\": 1, \"input\": [{\"role\": \"user\", \"content\": \"alone\"}], "
        "\"output\": {\"choices\": []}, \"score\": {\"value\": 0}}";
    char text[2000];
    const char *said = NULL;
    snprintf(text, sizeof text, "{%s, \"samples\": [%s]}", EVAL("m", ""), SAMPLES);
    log_put("x.json", text);
    struct regret_pool *pool = log_pool(&importer_inspect, NULL, "x.json");
    cr_assert_str_eq(log_context(pool, "popularity:x")->text,
                     "system: Be brief.\n\nuser: What is this? [image]\nA) a cat\nB) a dog");
    cr_assert_str_eq(log_context(pool, "popularity:2")->text, "alone");
    log_value(pool, "popularity:x", "m", 0, &said);
    cr_assert_str_eq(said, "B");
    cr_assert_str_eq(pool->components[0].name, "score");
    regret_pool_free(pool);
}

/* clang-format off */
static const char USED[] =
    "{" EVAL("m/a", "") ", \"samples\": ["
    SAMPLE("1", "1", OUTPUT("x", "stop") ", \"scores\": {\"match\": {\"value\": 1}}, \"model_usage\": {"
        "\"m/a\": {\"input_tokens\": 100, \"output_tokens\": 10, \"total_tokens\": 150, "
        "\"input_tokens_cache_read\": 40, \"total_cost\": 0.5}, " USAGE("judge", "1000", "1000") "}") ","
    SAMPLE("2", "1",
        "\"output\": {\"choices\": [], \"usage\": {\"input_tokens\": 20, \"output_tokens\": 5}}, "
        "\"scores\": {\"match\": {\"value\": 0}}") "]}";
/* clang-format on */

/* The tokens of the model that is asked; its prices; what the log says. */
Test(inspect, costs)
{
    log_put("a.json", USED);
    log_put("prices.csv", "model,input,output\nm/a,2,10\nm/c,1,1\n");
    struct inspect_options options = {0};
    struct regret_pool *pool = log_pool(&importer_inspect, &options, "a.json");
    cr_assert_float_eq(pool->agents[0].cost, (150.0 + 25.0) / 2.0, 1e-12);
    regret_pool_free(pool);
    options.cost = INSPECT_COST_RECORDED;
    pool = log_pool(&importer_inspect, &options, "a.json");
    cr_assert_float_eq(pool->agents[0].cost, 0.5, 1e-12);
    regret_pool_free(pool);
    options.prices = sample_path("prices.csv");
    pool = log_pool(&importer_inspect, &options, "a.json");
    cr_assert_float_eq(pool->agents[0].cost,
                       ((140.0 * 2.0 + 10.0 * 10.0) + (20.0 * 2.0 + 5.0 * 10.0)) / 2e6, 1e-18);
    regret_pool_free(pool);
    sample_write("prices.csv", "model,input,output\nm/b,2,10\n");
    log_refused(&importer_inspect, &options, "a.json", "prices.csv has no price of model \"m/a\"");
    sample_write("prices.csv", "model,input,output\nm/a,-2,10\n");
    log_refused(&importer_inspect, &options, "a.json",
                "\"input\" is -2; a price must not be negative");
    sample_write("prices.csv", "model,input,output\nm/a,2,1\nm/a,1,1\n");
    log_refused(&importer_inspect, &options, "a.json",
                "prices.csv:3: model \"m/a\" has a price before");
}

#define NAMED(...)                                                                                 \
    &(struct inspect_options)                                                                      \
    {                                                                                              \
        .harness.metrics = {                                                                       \
            (const char *const[]){__VA_ARGS__},                                                    \
            sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)                            \
        }                                                                                          \
    }

/* clang-format off */
static const char SCORES[] =
    "{" EVAL("m", "") ", \"samples\": ["
    SAMPLE("1", "1", OUTPUT("x", "stop") ", \"scores\": {"
        "\"judge\": {\"value\": {\"style\": 3, \"facts\": \"C\", \"none\": null}}, "
        "\"list\": {\"value\": [1, 2]}, \"f1\": {\"value\": 0.5}, \"number\": {\"value\": \"2.5\"}}") ","
    SAMPLE("2", "1", OUTPUT("x", "stop") ", \"scores\": {\"f1\": {\"value\": 1}, "
        "\"judge\": {\"value\": {\"style\": 5, \"facts\": \"I\"}}, \"number\": {\"value\": \"what\"}}") ","
    SAMPLE("3", "1", OUTPUT("x", "stop") ", \"scores\": {"
        "\"judge\": {\"value\": {\"style\": NaN, \"facts\": true}}}") "]}";
/* clang-format on */

Test(inspect, scores)
{
    log_put("a.json", SCORES);
    struct regret_pool *pool = log_pool(&importer_inspect, NULL, "a.json"); /* the first alone */
    cr_assert_str_eq(pool->components[0].name, "judge-style");
    cr_assert(pool->n_outputs == 2 && pool->n_components == 1);
    cr_assert(pool->components[0].low == 3.0 && pool->components[0].high == 5.0);
    cr_assert_not_null(strstr(log_report(), "1 scores that are lists"));
    cr_assert_not_null(strstr(log_report(), "1 answers left out because they lack a metric"));
    regret_pool_free(pool);
    pool = log_pool(&importer_inspect, NAMED("judge/facts", "f1"), "a.json");
    cr_assert(pool->n_components == 2 && pool->n_outputs == 2);
    cr_assert_eq(log_value(pool, "popularity:1", "m", 0, NULL), 1.0);
    cr_assert_eq(log_value(pool, "popularity:2", "m", 0, NULL), 0.0);
    cr_assert(pool->outputs[0].values[1] == 0.5 && pool->outputs[1].values[1] == 1.0);
    regret_pool_free(pool);
    log_refused(&importer_inspect, NAMED("number=0:10"), "a.json",
                "\"number\" is \"what\", which is no grade (1 of its 2 scores are such labels)");
    log_refused(&importer_inspect, NAMED("rouge"), "a.json",
                "there are: \"judge/style\", \"judge/facts\", \"f1\", \"number\"");
}

/* clang-format off */
#define MATCH(value) ", \"scores\": {\"match\": {\"value\": \"" value "\"}}"
static const char STATES[] =
    "{" EVAL("m", "") ", \"samples\": ["
    SCORED("1", "1", "fine", "\"C\"") ","
    SAMPLE("2", "1", OUTPUT("", "stop") ", \"error\": {\"message\": \"x\"}") ","
    SAMPLE("3", "1", OUTPUT("no", "content_filter") MATCH("I")) ","
    SAMPLE("4", "1", OUTPUT("cut", "max_tokens") MATCH("I")) ","
    SAMPLE("5", "1", OUTPUT("cut", "stop") MATCH("C") ", \"limit\": {\"type\": \"token\", \"limit\": 9}") ","
    SAMPLE("6", "1", OUTPUT("x", "stop") MATCH("C") ", \"invalidation\": {\"author\": \"me\"}") "]}";
/* clang-format on */

/* What is left out or counts as cut short. */
Test(inspect, failed_and_truncated)
{
    log_put("a.json", STATES);
    struct regret_pool *pool = log_pool(&importer_inspect, NULL, "a.json");
    cr_assert_eq(pool->n_outputs, 3);
    cr_assert_not_null(strstr(log_report(), "3 failed answers left out"));
    cr_assert_not_null(strstr(log_report(), "2 answers are cut short and kept"));
    regret_pool_free(pool);
    const struct inspect_options worst = {
        .harness = {.failed = HARNESS_FAILED_WORST, .truncated = HARNESS_TRUNCATED_OUT}};
    pool = log_pool(&importer_inspect, &worst, "a.json");
    cr_assert_eq(pool->n_outputs, 4);
    cr_assert_eq(log_value(pool, "popularity:6", "m", 0, NULL), 0.0);
    regret_pool_free(pool);
}

#define CONFIG(value)                                                                              \
    ", \"model_generate_config\": {\"temperature\": " value ", \"max_retries\": 9}"

/* Two logs of a model differ by their settings: two agents; by nothing: two runs. Arguments make tasks. */
Test(inspect, settings_and_arguments)
{
    static const char *const ONE = SCORED("1", "1", "x", "\"C\"");
    char text[2000];
    snprintf(text, sizeof text, "{%s, \"samples\": [%s]}", EVAL("m", CONFIG("0")), ONE);
    log_put("logs/a.json", text);
    log_put("logs/b.json", text);
    log_refused(&importer_inspect, NULL, "logs",
                "logs/b.json:1: \"m\" has answered request \"1\" before, in ");
    const struct inspect_options draws = {.harness.runs = HARNESS_RUNS_DRAWS};
    struct regret_pool *pool = log_pool(&importer_inspect, &draws, "logs");
    cr_assert(pool->n_agents == 1 && pool->n_outputs == 2);
    cr_assert_str_eq(pool->agents[0].id, "m");
    regret_pool_free(pool);
    snprintf(
        text, sizeof text, "{%s, \"samples\": [%s]}",
        EVAL("m", CONFIG("1.5") ", \"solver\": \"react\", \"solver_args_passed\": {\"n\": [1]}"),
        ONE);
    log_put("logs/b.json", text);
    pool = log_pool(&importer_inspect, NULL, "logs");
    cr_assert(pool->n_agents == 2 && pool->n_contexts == 1);
    cr_assert_str_eq(pool->agents[0].title, "m (react, n=[1], temperature=1.5)");
    cr_assert_str_eq(pool->agents[1].title, "m (temperature=0)");
    regret_pool_free(pool);
    snprintf(text, sizeof text, "{%s, \"samples\": [%s]}",
             EVAL("m", ", \"task_args\": {\"a\": 1, \"b\": 2}, \"task_args_passed\": {\"a\": 1}"),
             ONE);
    log_put("logs/b.json", text);
    pool = log_pool(&importer_inspect, NULL, "logs");
    cr_assert(pool->n_agents == 1 && pool->n_contexts == 2);
    cr_assert_str_eq(pool->contexts[1].tag, "popularity (a=1)");
    regret_pool_free(pool);
    const char *const tasks[] = {"*a=1*"};
    const struct inspect_options some = {.harness.tasks = {tasks, 1}};
    pool = log_pool(&importer_inspect, &some, "logs");
    cr_assert_eq(pool->n_contexts, 1);
    regret_pool_free(pool);
}

/* Logs of two versions of a task, and of one whose samples were changed without a word. */
Test(inspect, versions)
{
    const struct inspect_options tag = {.harness.versions = HARNESS_VERSIONS_TAG};
    log_put("logs/a.json", LOG("m/a", "", SCORED("1", "1", "x", "\"C\"")));
    log_put("logs/b.json", "{\"eval\": {\"task\": \"popularity\", \"task_version\": 2, \"model\": "
                           "\"m/b\"}, \"samples\": [" SCORED("1", "1", "x", "\"I\"") "]}");
    log_refused(&importer_inspect, NULL, "logs",
                "task \"popularity\" has version \"2\" here and \"0\" in ");
    struct regret_pool *pool = log_pool(&importer_inspect, &tag, "logs");
    cr_assert_eq(pool->n_contexts, 2);
    cr_assert_str_eq(pool->contexts[1].tag, "popularity:2");
    regret_pool_free(pool);
    log_put("logs/b.json",
            "{" EVAL("m/b", "") ", \"samples\": [{\"id\": 1, \"input\": \"Another?\", \"scores\": "
                                "{\"match\": {\"value\": \"C\"}}}]}");
    log_refused(&importer_inspect, NULL, "logs",
                "request \"1\" of task \"popularity\" is another one in ");
}

Test(inspect, refused)
{
    log_refused(&importer_inspect, NULL, "nowhere", "nowhere");
    log_put("other.json", "{\"x\": 1}");
    log_refused(&importer_inspect, NULL, "other.json", "other.json holds no log of Inspect");
    log_put("list.json", "[1]");
    log_refused(&importer_inspect, NULL, "list.json", "list.json holds no log of Inspect");
    log_put(
        "cut.json",
        "{\"version\": 2, \"eval\": {\"task\": \"t\", \"model\": \"m\"}, \"samples\": [{\"id\": 1");
    log_refused(&importer_inspect, NULL, "cut.json", "cut.json:1:");
    log_put("new.json",
            "{\"version\": 4, \"eval\": {\"task\": \"t\", \"model\": \"m\"}, \"samples\": []}");
    log_refused(&importer_inspect, NULL, "new.json",
                "new.json: a log of version 4; up to 3 can be read");
    log_put("nameless.json", "{\"eval\": {\"task\": \"t\"}, \"samples\": []}");
    log_refused(&importer_inspect, NULL, "nameless.json",
                "\"model\" must be a string, but is absent");
    log_put("empty.json", "{\"eval\": {\"task\": \"t\", \"model\": \"m\"}, \"samples\": []}");
    log_refused(&importer_inspect, NULL, "empty.json", "no answer has a score");
    log_put("id.json",
            "{\"eval\": {\"task\": \"t\", \"model\": \"m\"}, \"samples\": [\n{\"input\": \"x\"}]}");
    log_refused(&importer_inspect, NULL, "id.json", "id.json:2: a sample without an \"id\"");
    log_put("input.json", "{\"eval\": {\"task\": \"t\", \"model\": \"m\"}, \"samples\": [{\"id\": "
                          "1, \"input\": {}}]}");
    log_refused(&importer_inspect, NULL, "input.json",
                "\"input\" must be a text or a list of messages");
    log_put("epoch.json", "{\"eval\": {\"task\": \"t\", \"model\": \"m\"}, \"samples\": [{\"id\": "
                          "1, \"epoch\": 0, \"input\": \"x\"}]}");
    log_refused(&importer_inspect, NULL, "epoch.json", "\"epoch\"");
    log_zip("headless.eval", ARCHIVE + 1, 2);
    log_refused(&importer_inspect, NULL, "headless.eval", "headless.eval holds no log of Inspect");
    log_zip("logs/headless.eval", ARCHIVE + 1, 2);
    log_zip("logs/whole.eval", ARCHIVE, 2);
    log_refused(
        &importer_inspect, NULL, "logs",
        "headless.eval: samples/1_epoch_1.json is a sample of a log that has neither header.json");
    static const struct log_member BAD[] = {{"_journal/start.json", START("m", "")},
                                            {"samples/1_epoch_1.json", "{\"id\": 1, \"epoch\": }"}};
    log_zip("bad.eval", BAD, 2);
    log_refused(&importer_inspect, NULL, "bad.eval",
                "bad.eval: samples/1_epoch_1.json:1:20: malformed JSON");
    log_put("plain.eval", "no archive");
    log_refused(&importer_inspect, NULL, "plain.eval",
                "plain.eval is no archive; it may be damaged");
}

/* Their model would vanish, and nobody would know why. */
Test(inspect, logs_without_samples_are_told)
{
    static const struct log_member BROKEN[] = {
        {"_journal/start.json", START("m/c", "")},
        {"header.json", "{\"version\": 2, \"status\": \"error\", " EVAL("m/c", "") "}"}};
    static const struct log_member STARTED[] = {{"_journal/start.json", START("m/d", "")}};
    log_put("logs/b.json", DOCUMENT);
    log_zip("logs/c.eval", BROKEN, 2);
    log_zip("logs/d.eval", STARTED, 1);
    log_zip("logs/z.zip", &(struct log_member){"b.eval", "PK"}, 1);
    struct regret_pool *pool = log_pool(&importer_inspect, NULL, "logs");
    cr_assert_eq(pool->n_agents, 1);
    cr_assert_not_null(strstr(log_report(), "1 logs without samples (status error): c.eval/"));
    cr_assert_not_null(strstr(log_report(), "1 logs without samples (status started): d.eval/"));
    cr_assert_not_null(
        strstr(log_report(), "1 packed files within an archive, not entered; unpack it: "));
    cr_assert_not_null(strstr(log_report(), "/logs/z.zip: b.eval\n"));
    cr_assert_null(strstr(log_report(), "b.json"));
    regret_pool_free(pool);
}
