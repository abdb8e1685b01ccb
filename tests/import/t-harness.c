/* What becomes of answers of evaluation harnesses, whatever their format. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/harness.h"
#include "pool/sample.h"
#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/status.h"
#include "regret/task.h"

#pragma GCC diagnostic ignored "-Woverride-init" /* ANSWER() has a default of each field */

TestSuite(harness, .fini = sample_cleanup);

static struct regret_buffer said;
static struct harness *h;
static struct harness_options options;

static void begin(void)
{
    harness_free(h);
    h = NULL;
    regret_buffer_clear(&said);
    cr_assert_eq(harness_begin(&h, &options), 0);
}

static const struct harness_score HALF[] = {{"acc", 0.5}};

/* An answer to request 1 of task t by agent a, with a score of .5, but for what is said otherwise. */
#define ANSWER(...)                                                                                \
    (&(struct harness_answer){.task = "t",                                                         \
                              .id = "1",                                                           \
                              .prompt = "p",                                                       \
                              .agent = "a",                                                        \
                              .output = "o",                                                       \
                              .run = "r",                                                          \
                              .cost = NAN,                                                         \
                              .scores = HALF,                                                      \
                              .n_scores = 1,                                                       \
                              .at = {"f", 1},                                                      \
                              __VA_ARGS__})
#define SCORES(...)                                                                                \
    .scores = (struct harness_score[]){__VA_ARGS__},                                               \
    .n_scores = sizeof((struct harness_score[]){__VA_ARGS__}) / sizeof(struct harness_score)

static void add(const struct harness_answer *answer)
{
    cr_assert_eq(harness_add(h, answer), 0, "%s", regret_error_message());
}

/* The pool of what was added; NULL where it is refused. */
static struct regret_pool *finish(void)
{
    struct regret_pool *pool = NULL;
    const struct importer_call call = {.name = "the pool", .into = &pool, .report = &said};
    int rc = harness_finish(h, &call, "made", "Made", "A card.");
    cr_assert(rc == 0 || rc == REGRET_E_INPUT);
    cr_assert_eq(rc == 0, pool != NULL);
    return pool;
}

static struct regret_pool *finished(void)
{
    struct regret_pool *pool = finish();
    cr_assert_not_null(pool, "%s", regret_error_message());
    return pool;
}

static void refused(const char *part)
{
    cr_assert_null(finish());
    cr_assert_not_null(strstr(regret_error_message(), part), "%s", regret_error_message());
}

static void add_refused(const struct harness_answer *answer, const char *part)
{
    cr_assert_eq(harness_add(h, answer), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), part), "%s", regret_error_message());
}

static void reported(const char *part)
{
    cr_assert_not_null(strstr(regret_buffer_get(&said), part), "%s", regret_buffer_get(&said));
}

static double value(const struct regret_pool *pool, size_t output)
{
    cr_assert_lt(output, pool->n_outputs);
    return pool->outputs[output].values[0];
}

/* ---------------------------------------------------------------- requests */

Test(harness, a_request_is_a_task_and_an_id_or_its_prompt)
{
    begin();
    add(ANSWER(.task = "t", .id = "1"));
    add(ANSWER(.task = "u", .id = "1", .prompt = "q"));
    add(ANSWER(.task = "u", .id = NULL, .prompt = "q", .agent = "b"));
    add(ANSWER(.task = "u", .id = NULL, .prompt = "q", .agent = "a"));
    add(ANSWER(.task = NULL, .id = "7", .prompt = "z"));
    struct regret_pool *pool = finished();
    cr_assert_eq(pool->n_contexts, 4);
    cr_assert_str_eq(pool->contexts[0].id, "t:1");
    cr_assert_str_eq(pool->contexts[0].tag, "t");
    cr_assert_str_eq(pool->contexts[1].id, "u:1");
    cr_assert_eq(strncmp(pool->contexts[2].id, "u:", 2), 0);
    cr_assert_str_eq(pool->contexts[2].text, "q");
    cr_assert_str_eq(pool->contexts[3].id, "7");
    cr_assert_null(pool->contexts[3].tag);
    cr_assert_eq(pool->n_outputs, 5);
    reported("3 of 8 pairs of context and agent are missing");
    regret_pool_free(pool);
}

Test(harness, prompts_may_differ_where_the_content_agrees)
{
    begin();
    add(ANSWER(.content = "c", .prompt = "<|user|> p"));
    add(ANSWER(.content = "c", .prompt = "[INST] p", .agent = "b"));
    struct regret_pool *pool = finished();
    cr_assert_eq(pool->n_contexts, 1);
    cr_assert_str_eq(pool->contexts[0].text, "<|user|> p");
    reported("1 answers whose prompt differs, by a template");
    regret_pool_free(pool);
}

Test(harness, two_contents_are_two_versions)
{
    begin();
    add(ANSWER(.content = "c", .at = {"first", 3}));
    add_refused(ANSWER(.content = "d", .agent = "b", .at = {"second", 9}),
                "second:9: request \"1\" of task \"t\" is another one in first:3: two versions");
    begin();
    add(ANSWER()); /* what is not said may be any, but not two */
    add(ANSWER(.content = "c", .agent = "b"));
    add_refused(ANSWER(.content = "d", .agent = "c", .at = {"g", 1}),
                "is another one in f:1: two versions");
    add_refused(ANSWER(.content = "d", .at = {"f", 7}),
                "f:7: id \"1\" of task \"t\" stands in line 1 of this file, too");
    cr_assert_null(strstr(regret_error_message(), "--versions"));
    options.versions = HARNESS_VERSIONS_TAG;
    begin();
    add(ANSWER(.content = "c"));
    add(ANSWER(.content = "d", .agent = "b"));
    add(ANSWER(.content = "d", .agent = "c"));
    add(ANSWER(.content = "c", .agent = "d"));
    struct regret_pool *pool = finished();
    cr_assert_eq(pool->n_contexts, 2);
    cr_assert_str_eq(pool->contexts[0].tag, "t");
    cr_assert_str_eq(pool->contexts[1].tag, "t:2");
    cr_assert_str_eq(pool->contexts[1].id, "t:2:1");
    cr_assert_eq(pool->outputs[2].context, 1);
    regret_pool_free(pool);
}

/* ---------------------------------------------------------------- metrics */

static void choose(const char *const *metrics, size_t n, const char *const *lower, size_t n_lower)
{
    options.metrics = (struct importer_list){metrics, n};
    options.lower = (struct importer_list){lower, n_lower};
}
#define CHOOSE(...)                                                                                \
    choose((const char *const[]){__VA_ARGS__},                                                     \
           sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), NULL, 0)

Test(harness, the_main_metric_is_each_answers_own)
{
    begin();
    cr_assert_eq(harness_metric(h, "acc", 0, 1, 0, 1), 0);
    cr_assert_eq(harness_metric(h, "em", 0, 1, 0, 1), 0);
    add(ANSWER(SCORES({"f1", 0.3}, {"acc", 0.5}, {"em", 0.6})));
    add(ANSWER(.task = "u", SCORES({"em", 0.25})));
    struct regret_pool *pool = finished();
    cr_assert_str_eq(pool->components[0].name, "score");
    cr_assert_eq(value(pool, 0), 0.5);
    cr_assert_eq(value(pool, 1), 0.25);
    reported("is of each answer its main metric: acc, em");
    regret_pool_free(pool);
    begin();
    cr_assert_eq(harness_metric(h, "acc", 0, 1, 0, 1), 0);
    cr_assert_eq(harness_metric(h, "wer", 0, 1, 1, 1), 0);
    add(ANSWER(SCORES({"acc", 0.5})));
    add(ANSWER(.task = "u", SCORES({"wer", 0.25})));
    refused(
        "tasks are scored by \"acc\" and by \"wer\", which have other ranges or count other ways");
    begin();
    add(ANSWER(SCORES({"x", 0.5}, {"y", 1.0})));
    refused("which metric counts is not known; say it by --metric; there are: \"x\", \"y\"");
    begin();
    add(ANSWER(SCORES({"x", NAN})));
    add(ANSWER(.agent = "b", .state = HARNESS_FAILED, .n_scores = 0));
    cr_assert_eq(harness_left_out_at(h, "scores that are lists", "g:3"), 0);
    refused(
        "no answer has a score: 2 answers, 1 of them failed; 1 scores that are no numbers: f:1; "
        "1 scores that are lists: g:3");
}

/* A metric that no answer has and that is one of texts: of the output against the reference. */
Test(harness, metrics_that_are_not_there_are_made)
{
    static const char *const metrics[] = {"f1", "acc"};
    options = (struct harness_options){.metrics = {metrics, 2}};
    begin();
    add(ANSWER(.output = "a cat sat", .reference = "the cat"));
    add(ANSWER(.agent = "b", .output = "a cat", .reference = "the cat"));
    add(ANSWER(.agent = "b", .id = "2", .prompt = "q")); /* without a reference */
    struct regret_pool *pool = finished();
    cr_assert_eq(pool->n_components, 2);
    cr_assert_eq(pool->n_outputs, 2);
    cr_expect_float_eq(pool->outputs[0].values[0], 2.0 / 3.0, 1e-15);
    cr_expect_float_eq(pool->outputs[1].values[0], 1.0, 1e-15);
    cr_expect(pool->outputs[0].values[1] == 0.5 && pool->components[0].low == 0.0);
    reported("lack a metric");
    regret_pool_free(pool);
    begin(); /* one that the harness has is the harness's */
    add(ANSWER(.reference = "o", SCORES({"f1", 0.25}, {"acc", 1.0})));
    add(ANSWER(.agent = "b", .reference = "o", SCORES({"f1", 0.5}, {"acc", 1.0})));
    pool = finished();
    cr_expect(pool->outputs[0].values[0] == 0.25 && pool->outputs[1].values[0] == 0.5);
    regret_pool_free(pool);
    begin();
    add(ANSWER(.reference = NULL));
    refused("no answer has the metric \"f1\"");
    options = (struct harness_options){0};
}

Test(harness, less_is_better_is_turned_round)
{
    static const char *const LOWER[] = {"wer=0:2"};
    choose(NULL, 0, LOWER, 1);
    begin();
    add(ANSWER(SCORES({"wer", 0.5})));
    add(ANSWER(.agent = "b", SCORES({"wer", 2.0})));
    struct regret_pool *pool = finished();
    cr_assert_eq(value(pool, 0), 1.5);
    cr_assert_eq(value(pool, 1), 0.0);
    reported("less, turned");
    regret_pool_free(pool);
    choose(NULL, 0, NULL, 0);
    options.failed = HARNESS_FAILED_WORST;
    begin();
    cr_assert_eq(harness_metric(h, "wer", 0, 2, 1, 1), 0);
    add(ANSWER(SCORES({"wer", 0.5})));
    add(ANSWER(.agent = "b", .state = HARNESS_FAILED, .n_scores = 0));
    pool = finished();
    cr_assert_eq(value(pool, 0), 1.5);
    cr_assert_eq(value(pool, 1), 0.0); /* the worst, however it counts */
    regret_pool_free(pool);
}

Test(harness, a_range_that_nobody_knows_is_that_of_the_values)
{
    static const struct {
        double least, most, low, high;
    } CASES[] = {{0.2, 0.9, 0, 1},    {0, 1, 0, 1},     {1, 5, 1, 5},       {-3, 41.5, -10, 50},
                 {12, 97, 10, 100},   {7, 7, 7, 8},     {-0.5, 0.5, -1, 1}, {0.3, 1.2, 0.3, 1.2},
                 {1e-3, 2e6, 0, 2e6}, {-7, -7, -7, -6}, {-250, -3, -300, 0}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        begin();
        add(ANSWER(SCORES({"x", CASES[i].least})));
        add(ANSWER(.agent = "b", SCORES({"x", CASES[i].most})));
        struct regret_pool *pool = finished();
        cr_assert_float_eq(pool->components[0].low, CASES[i].low, 1e-9, "%g",
                           pool->components[0].low);
        cr_assert_float_eq(pool->components[0].high, CASES[i].high, 1e-9, "%g",
                           pool->components[0].high);
        reported("(range: that of the values)");
        regret_pool_free(pool);
    }
}

/* ---------------------------------------------------------------- costs, texts, choices */

Test(harness, costs_are_means_or_one)
{
    begin();
    add(ANSWER(.cost = 1.0));
    add(ANSWER(.id = "2", .cost = 4.0));
    add(ANSWER(.id = "3"));
    add(ANSWER(.agent = "b", .cost = 7.0));
    struct regret_pool *pool = finished();
    cr_assert_eq(pool->agents[0].cost, 2.5);
    cr_assert_eq(pool->agents[1].cost, 7.0);
    regret_pool_free(pool);
    begin();
    add(ANSWER(.cost = 3.0));
    add(ANSWER(.agent = "b"));
    pool = finished();
    cr_assert_eq(pool->agents[0].cost, 1.0);
    reported("some models have no cost; all cost 1");
    regret_pool_free(pool);
    begin();
    add_refused(ANSWER(.cost = -1.0), "a cost of -1; costs are 0 or more");
}

Test(harness, answers_without_texts_are_their_agents_name)
{
    begin();
    add(ANSWER(.output = NULL, .agent = "org/a"));
    struct regret_pool *pool = finished();
    cr_assert_str_eq(pool->outputs[0].text, "org/a");
    cr_assert_str_eq(pool->agents[0].id, "org-a");
    regret_pool_free(pool);
    begin();
    add(ANSWER(.output = NULL));
    add(ANSWER(.agent = "b"));
    pool = finished();
    cr_assert_str_eq(pool->outputs[0].text, "");
    regret_pool_free(pool);
}

/* ---------------------------------------------------------------- against a naive reference */

enum { MOST = 400, TASKS = 3, IDS = 7, AGENTS = 4, RUNS = 2, REPEATS = 2 };

struct made {
    int task, id, agent, run, repeat, state;
    double score;
};

/* Whether answer i is kept, by looking at all others. */
static int is_kept(const struct made *m, size_t n, size_t i)
{
    if (m[i].state == HARNESS_FAILED || isnan(m[i].score)) {
        return 0;
    }
    for (size_t j = 0; j < n && options.runs == HARNESS_RUNS_LAST; j++) {
        int is_same = m[j].task == m[i].task && m[j].id == m[i].id && m[j].agent == m[i].agent &&
                      m[j].state != HARNESS_FAILED && !isnan(m[j].score);
        if (is_same && (m[j].run > m[i].run ||
                        (m[j].run == m[i].run && m[j].repeat == m[i].repeat && j > i))) {
            return 0;
        }
    }
    return 1;
}

static size_t output_of(const struct regret_pool *pool, const struct made *m, double score)
{
    char context[40], agent[20];
    size_t found = 0;
    snprintf(context, sizeof context, "t%d:%d", m->task, m->id);
    snprintf(agent, sizeof agent, "m%d", m->agent);
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const struct regret_output *o = &pool->outputs[i];
        found += strcmp(pool->contexts[o->context].id, context) == 0 &&
                 strcmp(pool->agents[o->agent].id, agent) == 0 && o->values[0] == score;
    }
    return found;
}

static void add_made(const struct made *m)
{
    static const char *const RUN[] = {"0", "1"};
    char task[20], id[20], agent[20];
    snprintf(task, sizeof task, "t%d", m->task);
    snprintf(id, sizeof id, "%d", m->id);
    snprintf(agent, sizeof agent, "m%d", m->agent);
    add(ANSWER(.task = task, .id = id, .agent = agent, .run = RUN[m->run],
               .repeat = (size_t)m->repeat, .state = (enum harness_state)m->state,
               SCORES({"acc", m->score})));
}

Test(harness, what_is_kept_is_what_a_naive_look_at_all_answers_keeps)
{
    static struct made m[MOST];
    options.runs = HARNESS_RUNS_DRAWS;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct regret_rng rng = regret_rng_at(seed, 0, 0);
        size_t kept = 0;
        options.runs = seed % 2 ? HARNESS_RUNS_DRAWS : HARNESS_RUNS_LAST;
        begin();
        add(ANSWER(.task = "t0", .id = "0", .agent = "m0", .run = "0",
                   .state = HARNESS_FAILED)); /* runs in order */
        add(ANSWER(.task = "t0", .id = "0", .agent = "m0", .run = "1", .state = HARNESS_FAILED));
        for (size_t i = 0; i < MOST; i++) {
            m[i] = (struct made){(int)regret_rng_below(&rng, TASKS),
                                 (int)regret_rng_below(&rng, IDS),
                                 (int)regret_rng_below(&rng, AGENTS),
                                 (int)regret_rng_below(&rng, RUNS),
                                 (int)regret_rng_below(&rng, REPEATS),
                                 regret_rng_uniform(&rng) < 0.1 ? HARNESS_FAILED : HARNESS_ANSWERED,
                                 regret_rng_uniform(&rng) < 0.1 ? NAN : (double)i / MOST};
            add_made(&m[i]);
        }
        struct regret_pool *pool = finished();
        for (size_t i = 0; i < MOST; i++) {
            int is = is_kept(m, MOST, i);
            kept += (size_t)is;
            cr_assert_eq(output_of(pool, &m[i], m[i].score), is, "seed %d, answer %zu", (int)seed,
                         i);
        }
        cr_assert_eq(pool->n_outputs, kept);
        regret_pool_free(pool);
    }
}

Test(harness, the_pool_has_its_card_and_a_configuration)
{
    char *card = NULL, *config = NULL;
    begin();
    add(ANSWER());
    add(ANSWER(.agent = "b"));
    const struct importer_call call = {.to = sample_path("p"), .report = &said};
    cr_assert_eq(harness_finish(h, &call, "made", "Made", "A card."), 0, "%s",
                 regret_error_message());
    cr_assert_eq(regret_pool_read_card(&card, sample_path("p")), 0);
    cr_assert_not_null(strstr(card, "# Made\n\nA card.\n"));
    cr_assert_not_null(strstr(card, "acc: 0 to 1, a range taken from the values"));
    cr_assert_eq(regret_file_read(&config, NULL, sample_path("p/config.json"), 10000), 0);
    cr_assert_not_null(strstr(config, "{\"pool\": \".\", "));
    reported("regret run ");
    reported("regret recommend ");
    regret_free(card);
    regret_free(config);
}

/* The pool of some answers, made over the one before. */
static void make_over(size_t agents)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    begin();
    for (size_t a = 0; a < agents; a++) {
        add(ANSWER(.agent = names[a]));
    }
    const struct importer_call call = {.to = sample_path("p"), .replace = 1, .report = &said};
    cr_assert_eq(harness_finish(h, &call, "made", "Made", "A card."), 0, "%s",
                 regret_error_message());
}

static void config_has(const char *name, const char *part)
{
    char path[40], *text = NULL;
    snprintf(path, sizeof path, "p/%s", name);
    cr_assert_eq(regret_file_read(&text, NULL, sample_path(path), 10000), 0);
    cr_expect_not_null(strstr(text, part), "%s: %s", name, text);
    regret_free(text);
}

/* What the import wrote is replaced with the pool; what somebody made of it is not. */
Test(harness, an_edited_configuration_is_kept)
{
    make_over(2);
    config_has("config.json", "\"router.slate\": 2");
    config_has("config.json", "\"exp_only.rho\": [1, 10, 100, 1000]");
    make_over(3);
    config_has("config.json", "\"router.slate\": 3");
    cr_assert_not(regret_file_exists(sample_path("p/config.new.json")));
    sample_write("p/config.json", "{\"pool\": \".\", \"seeds\": 77}\n");
    make_over(4);
    reported("/p/config.json, which somebody has edited; beside it is what would have been "
             "written, config.new.json.\n");
    config_has("config.json", "77");
    config_has("config.new.json", "\"router.slate\": 4");
}

/* Of one filter a task the name alone will do; of two of one answer it will not. */
Test(harness, a_metric_by_a_filter_is_found_by_its_name)
{
    CHOOSE("em", "em,strict");
    begin();
    add(ANSWER(SCORES({"f1", 0.1}, {"em,strict", 0.25})));
    add(ANSWER(.task = "u", SCORES({"em,strict", 0.5}, {"emb,x", 0.3})));
    add(ANSWER(.task = "v", SCORES({"em,none", 1.0})));
    struct regret_pool *pool = finished();
    cr_assert(pool->n_components == 2 && pool->n_outputs == 2);
    for (size_t i = 0; i < 2; i++) {
        cr_assert_eq(value(pool, i), i == 0 ? 0.25 : 0.5);
        cr_assert_eq(pool->outputs[i].values[1], value(pool, i));
    }
    regret_pool_free(pool);
    CHOOSE("em");
    begin();
    add(ANSWER(SCORES({"em,strict", 0.25})));
    add(ANSWER(.task = "v", SCORES({"em,none", 1.0})));
    pool = finished();
    cr_assert(pool->n_outputs == 2 && value(pool, 1) == 1.0);
    regret_pool_free(pool);
    begin();
    add(ANSWER(SCORES({"em,strict", 0.25}, {"em,none", 1.0})));
    refused("by several; say which one; there are: \"em,strict\", \"em,none\"");
    begin();
    cr_assert_eq(harness_metric(h, "em,none", 0, 1, 1, 0), 0);
    add(ANSWER(SCORES({"em,strict", 0.25})));
    add(ANSWER(.task = "v", SCORES({"em,none", 1.0})));
    refused("scored by \"em,strict\" and by \"em,none\", which have other ranges");
}
