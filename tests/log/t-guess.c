/* What stands where in a log, guessed; and importers that make logs. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scratch.h"
#include "import/importers.h"
#include "log/guess/guess.h"
#include "log/told.h"
#include "regret/buffer.h"
#include "regret/file.h"
#include "regret/log.h"

TestSuite(log_guess, .init = scratch_enter, .fini = scratch_leave);

/* The guess about these tables, which reads. */
static void guess(struct log_guess *g, const char *obs, const char *exp, const char *outputs)
{
    const char *const path[LOG_INPUTS] = {obs, exp, outputs};
    struct regret_buffer config = REGRET_BUFFER_INIT;
    cr_assert_eq(log_guess_make(g, path, &(struct log_known){0}), 0, "%s", regret_error_message());
    log_guess_config(&config, g, path);
    scratch_put("evaluate.json", regret_buffer_get(&config));
    cr_assert_eq(log_guess_try(g, "evaluate.json"), 0, "%s", regret_error_message());
    regret_buffer_free(&config);
}

static void role_is(const struct log_guess *g, enum log_input_of table, enum log_field field,
                    const char *name)
{
    const char *found = log_guess_column(&g->table[table], field);
    cr_expect(name == NULL ? found == NULL : found != NULL && strcmp(found, name) == 0,
              "field %d: %s, not %s", (int)field, found != NULL ? found : "none",
              name != NULL ? name : "none");
}

static int has_covariate(const struct log_guess_table *t, const char *name)
{
    int found = 0;
    for (size_t i = 0; i < t->n_covariates; i++) {
        found |= strcmp(t->profile.column[t->covariate[i]].name, name) == 0;
    }
    return found;
}

/* A log of chats in JSONL: requests come again, and so do users. */
static void put_chats(const char *path, int n)
{
    static const char *const models[] = {"gpt", "claude", "llama"};
    struct regret_buffer text = REGRET_BUFFER_INIT;
    for (int i = 0; i < n; i++) {
        regret_buffer_printf(
            &text,
            "{\"request_id\": \"r%d\", \"user_id\": %d, \"prompt\": \"please write %d "
            "lines on the sea\", \"model\": \"%s\", \"thumbs\": \"%s\", "
            "\"created_at\": \"2026-03-01T12:%02d:00Z\", \"category\": \"%s\", ",
            i % 60, i % 7, i % 60, models[i % 3], i % 4 ? "up" : "down", i % 60,
            i % 2 ? "code" : "text");
        regret_buffer_printf(
            &text,
            "\"hardness\": %d, \"response\": \"answer number %d\", \"latency_ms\": %d, "
            "\"cost_usd\": 0.%d}\n",
            i % 60 % 5, i, i * 17 % 101, i + 1);
    }
    scratch_put(path, regret_buffer_get(&text));
    regret_buffer_free(&text);
}

Test(log_guess, chats)
{
    struct log_guess g;
    put_chats("log.jsonl", 120);
    guess(&g, "log.jsonl", NULL, NULL);
    role_is(&g, LOG_INPUT_OBS, LOG_CONTEXT, "request_id");
    role_is(&g, LOG_INPUT_OBS, LOG_TEXT, "prompt");
    role_is(&g, LOG_INPUT_OBS, LOG_AGENT, "model");
    role_is(&g, LOG_INPUT_OBS, LOG_OUTCOME, "thumbs");
    role_is(&g, LOG_INPUT_OBS, LOG_TIME, "created_at");
    role_is(&g, LOG_INPUT_OBS, LOG_CLUSTER, "user_id");
    role_is(&g, LOG_INPUT_OBS, LOG_TAG, "category");
    role_is(&g, LOG_INPUT_OBS, LOG_OUTPUT, "response");
    role_is(&g, LOG_INPUT_OBS, LOG_COST, "cost_usd");
    role_is(&g, LOG_INPUT_OBS, LOG_PROPENSITY, NULL);
    cr_expect(has_covariate(&g.table[0], "hardness"), "it follows from the request");
    cr_expect_not(has_covariate(&g.table[0], "latency_ms"), "it came with the answer");
    cr_expect(g.log->low == 0.0 && g.log->high == 1.0 && g.log->n_losses == 0);
    cr_expect_eq(g.log->rows[REGRET_LOG_OBS].n, 120);
    struct regret_buffer said = REGRET_BUFFER_INIT;
    log_guess_explain(&said, &g);
    static const char *const words[] = {"OBS, the log: log.jsonl, 120 rows\n",
                                        "  context    request_id, 60 different\n",
                                        "  covariates hardness\n",
                                        "  left out   latency_ms\n",
                                        "Outcomes are 0 and 1, or words for good and bad.\n",
                                        "Without a trial nothing tells whether the log lies.\n",
                                        "Read: 120 rows of OBS, 0 of EXP, 3 agents, 60 requests\n"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        cr_expect_not_null(strstr(regret_buffer_get(&said), words[i]), "%s\nin %s", words[i],
                           regret_buffer_get(&said));
    }
    regret_buffer_free(&said);
    log_guess_free(&g);
}

/* Of two columns whose names are those of texts the one of single words is an id, whichever stands first. */
Test(log_guess, an_id_that_is_called_as_texts_are)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    struct log_guess g;
    regret_buffer_append(&text, "request,prompt,model,rating\n");
    for (int i = 0; i < 60; i++) {
        regret_buffer_printf(&text, "log-%d,letter on %d,%s,%d\n", i / 2, i / 2,
                             i % 2 ? "amber" : "cedar", 1 + i % 5);
    }
    scratch_put("log.csv", regret_buffer_get(&text));
    regret_buffer_free(&text);
    guess(&g, "log.csv", NULL, NULL);
    role_is(&g, LOG_INPUT_OBS, LOG_TEXT, "prompt");
    role_is(&g, LOG_INPUT_OBS, LOG_CONTEXT, "request");
    log_guess_free(&g);
}

/* Names that tell nothing are looked for by those of the table before. */
Test(log_guess, a_second_table_follows_the_first)
{
    struct log_guess g;
    scratch_put(
        "o.csv",
        "query,arm,reward,p\nsing a song,a,4,0.5\nsum it up,b,2,0.4\nsing a song,b,1,0.5\n");
    scratch_put("e.csv", "model,arm,query,reward,score\nx,a,sing a tune,3,9\nx,b,sum it all,5,8\n");
    scratch_put("out.csv", "query\nsing a new song\nsum\n");
    guess(&g, "o.csv", "e.csv", "out.csv");
    role_is(&g, LOG_INPUT_EXP, LOG_AGENT, "arm");
    role_is(&g, LOG_INPUT_EXP, LOG_OUTCOME, "reward");
    role_is(&g, LOG_INPUT_EXP, LOG_TEXT, "query");
    role_is(&g, LOG_INPUT_OUTPUTS, LOG_TEXT, "query");
    role_is(&g, LOG_INPUT_OBS, LOG_PROPENSITY, "p");
    role_is(&g, LOG_INPUT_EXP, LOG_PROPENSITY, NULL);
    cr_expect(g.log->low == 1.0 && g.log->high == 5.0);
    cr_expect_eq(g.log->n_evaluation, 2);
    log_guess_free(&g);
}

/* Outputs with a column an agent: whole names, parts of names, paths of JSON. */
Test(log_guess, outputs_with_columns_of_agents)
{
    static const char *const files[][3] = {
        {"w.csv", "query,b 2,a,notes\nsing,B,A,7\nhum,,again,8\n", "{agent}"},
        {"w.csv", "query,a_text,b 2_text,ab_text\nsing,A,B,C\nhum,again,,D\n", "{agent}_text"},
        {"w.jsonl",
         "{\"query\": \"sing\", \"says\": {\"a\": \"A\", \"b 2\": \"B\"}}\n"
         "{\"query\": \"hum\", \"says\": {\"a\": \"again\"}}\n",
         "says.{agent}"}};
    struct log_guess g;
    scratch_put("o.csv", "query,model,reward\nrow,a,4\nsum,b 2,2\ntell,b 2,1\n");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        scratch_put(files[i][0], files[i][1]);
        guess(&g, "o.csv", NULL, files[i][0]);
        role_is(&g, LOG_INPUT_OUTPUTS, LOG_OUTPUT, files[i][2]);
        role_is(&g, LOG_INPUT_OUTPUTS, LOG_TEXT, "query");
        cr_assert(g.log->n_evaluation == 2 && g.log->n_agents == 2 && g.log->output != NULL);
        cr_expect_str_eq(g.log->output[0], "A");
        cr_expect_str_eq(g.log->output[1], "B");
        cr_expect_str_eq(g.log->output[2], "again");
        cr_expect_null(g.log->output[3]);
        log_guess_free(&g);
    }
}

Test(log_guess, scales)
{
    static const struct {
        const char *name, *cells[3];
        double low, high;
    } cases[] = {{"rating", {"2", "5", "4"}, 1, 5},
                 {"score", {"0.2", "0.9", "0.4"}, 0, 1},
                 {"reward", {"-10", "250", "4"}, -10, 250},
                 {"stars", {"1", "0", "1"}, 0, 1},
                 {"clicks_count", {"0", "17", "4"}, 0, 17},
                 {"rating_error", {"0", "9", "4"}, 10, 0},
                 {"score_ranking", {"1", "5", "4"}, 5, 1},
                 {"rating_without_error", {"0", "9", "4"}, 0, 10}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct log_guess g;
        struct regret_buffer text = REGRET_BUFFER_INIT;
        regret_buffer_printf(&text, "prompt_id,model,%s\n", cases[i].name);
        for (size_t k = 0; k < 3; k++) {
            regret_buffer_printf(&text, "q%zu,m%zu,%s\n", k, k % 2, cases[i].cells[k]);
        }
        scratch_put("o.csv", regret_buffer_get(&text));
        guess(&g, "o.csv", NULL, NULL);
        cr_expect(g.log->low == cases[i].low && g.log->high == cases[i].high, "%s: %g to %g",
                  cases[i].name, g.log->low, g.log->high);
        regret_buffer_clear(&text);
        log_guess_explain(&text, &g);
        cr_expect_eq(strstr(regret_buffer_get(&text), "a guess by the name of the column") != NULL,
                     cases[i].low > cases[i].high, "%s", cases[i].name);
        log_guess_free(&g);
        regret_buffer_free(&text);
    }
}

/* Of a hundred thumbs five are down. */
Test(log_guess, few_thumbs_down_are_outcomes)
{
    struct log_guess g;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_append(&text, "prompt_id,model,rating\n");
    for (size_t k = 0; k < 100; k++) {
        regret_buffer_printf(&text, "q%zu,m%zu,%d\n", k, k % 2,
                             k % 20 == 7 ? -1 : (int)(k % 3 > 0));
    }
    scratch_put("o.csv", regret_buffer_get(&text));
    guess(&g, "o.csv", NULL, NULL);
    cr_expect(g.log->low == -1.0 && g.log->high == 1.0 && g.log->rows[REGRET_LOG_OBS].n == 100);
    log_guess_free(&g);
    regret_buffer_free(&text);
}

/* As Open Bandit Data is published: rows without a request, a position, features of the user. */
Test(log_guess, open_bandit_data)
{
    static const char header[] =
        ",timestamp,item_id,position,click,propensity_score,user_feature_0,user_feature_1,"
        "user-item_affinity_0,user-item_affinity_1\n";
    struct regret_buffer text = REGRET_BUFFER_INIT;
    struct log_guess g;
    for (int table = 0; table < 2; table++) {
        regret_buffer_clear(&text);
        regret_buffer_append(&text, header);
        for (int i = 0; i < 40; i++) {
            regret_buffer_printf(
                &text,
                "%d,2019-11-24 00:%02d:03.979311+00:00,%d,%d,%d,%s,cef3390ed299c098%d,"
                "2d03db5543b14483%d,0.0,%d.0\n",
                i, i, i % 4, i % 3 + 1, i % 9 == 0, table ? "0.25" : "0.1", i % 2, i % 5, i % 3);
        }
        scratch_put(table ? "random.csv" : "bts.csv", regret_buffer_get(&text));
    }
    regret_buffer_free(&text);
    guess(&g, "bts.csv", "random.csv", NULL);
    for (int table = LOG_INPUT_OBS; table <= LOG_INPUT_EXP; table++) {
        enum log_input_of t = (enum log_input_of)table;
        role_is(&g, t, LOG_AGENT, "item_id");
        role_is(&g, t, LOG_OUTCOME, "click");
        role_is(&g, t, LOG_PROPENSITY, "propensity_score");
        role_is(&g, t, LOG_TAG, "position");
        role_is(&g, t, LOG_TIME, "timestamp");
        role_is(&g, t, LOG_CONTEXT, NULL);
        role_is(&g, t, LOG_TEXT, NULL);
        role_is(&g, t, LOG_CLUSTER, NULL);
        cr_expect(g.table[t].n_covariates == 2 && has_covariate(&g.table[t], "user_feature_1"));
    }
    cr_expect(g.log->n_agents == 4 && g.log->n_contexts == 80 && g.log->n_tags == 3);
    cr_expect_eq(g.log->rows[REGRET_LOG_EXP].propensity[0], 0.25);
    cr_expect_eq(g.log->is_uniform, 0);
    log_guess_free(&g);
}

static const char *shared(const char *name)
{
    static char path[500];
    const char *folder_of = getenv("REGRET_SHARED_DATA");
    snprintf(path, sizeof path, "%s/%s",
             folder_of != NULL ? folder_of : REGRET_SOURCE_FOLDER "/../shared/data", name);
    return regret_file_exists(path) ? path : NULL;
}

Test(log_guess, the_real_open_bandit_data)
{
    char obs[500];
    struct log_guess g;
    if (shared("obd-men/random.csv") == NULL) {
        cr_skip_test("Open Bandit Data is not here (REGRET_SHARED_DATA)");
    }
    snprintf(obs, sizeof obs, "%s", shared("obd-men/bts.csv"));
    guess(&g, obs, shared("obd-men/random.csv"), NULL);
    const struct regret_log_rows *rows = g.log->rows;
    cr_assert(rows[0].n == 10000 && rows[1].n == 10000 && g.log->n_agents == 34);
    double clicks[2] = {0.0, 0.0};
    for (int s = 0; s < REGRET_LOG_SOURCES; s++) {
        for (size_t i = 0; i < rows[s].n; i++) {
            clicks[s] += rows[s].outcome[i];
        }
    }
    cr_assert(clicks[0] == 69.0 && clicks[1] == 46.0, "%g, %g", clicks[0], clicks[1]);
    cr_assert(g.log->n_losses == 0 && g.log->n_columns == 4 && g.log->n_tags == 3);
    log_guess_free(&g);
}

Test(log_guess, what_is_refused)
{
    static const struct {
        const char *table, *words;
        struct log_known known;
    } cases[] = {
        {"prompt,good\nx,1\nz,0\n", "o.csv: no column looks like who answered", {0}},
        {"prompt,model\nx,a\nz,b\n", "o.csv: no column looks like how good the answer was", {0}},
        {"prompt,model\nx,a\nz,b\n", "no table has a column \"y\"", {.outcome = "y"}},
        {"prompt,model,rating\n", "o.csv", {0}},
        {"prompt,model,rating\nx,a,.2\nz,a,.9\nx,b,20\nz,b,90\n",
         "o.csv: column \"rating\" goes from 0 to 1 of 1 agents, and up to 90 of the other 1",
         {0}},
        {"", "o.csv", {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const path[LOG_INPUTS] = {"o.csv", NULL, NULL};
        struct log_guess g;
        scratch_put("o.csv", cases[i].table);
        cr_expect_eq(log_guess_make(&g, path, &cases[i].known), REGRET_E_INPUT, "%s",
                     cases[i].table);
        cr_expect_not_null(strstr(regret_error_message(), cases[i].words), "%s\nnot: %s",
                           regret_error_message(), cases[i].words);
        log_guess_free(&g);
    }
}

Test(log_guess, an_outcome_far_beyond_all_others_is_refused)
{
    const char *const path[LOG_INPUTS] = {"o.csv", NULL, NULL};
    struct regret_buffer text = REGRET_BUFFER_INIT;
    struct log_guess g;
    regret_buffer_append(&text, "prompt,model,rating\n");
    for (size_t i = 0; i < 60; i++) {
        regret_buffer_printf(&text, "q%zu,m%zu,%s%zu\n", i, i % 2, i == 30 ? "-99" : "0.",
                             i == 30 ? 9 : i % 7);
    }
    scratch_put("o.csv", regret_buffer_get(&text));
    cr_expect_eq(log_guess_make(&g, path, &(struct log_known){0}), REGRET_E_INPUT);
    cr_expect_not_null(strstr(regret_error_message(), "o.csv:32: column \"rating\" holds -999, "),
                       "%s", regret_error_message());
    log_guess_free(&g);
    regret_buffer_free(&text);
}

/* What is given is written; one user in all rows is told. */
Test(log_guess, a_range_that_is_given_and_one_user)
{
    static const double range[2] = {5.0, -1.0};
    const char *const path[LOG_INPUTS] = {"o.csv", NULL, NULL};
    struct regret_buffer text = REGRET_BUFFER_INIT, said = REGRET_BUFFER_INIT;
    struct log_guess g;
    regret_buffer_append(&text, "prompt,model,rating,user_id\n");
    for (size_t i = 0; i < 60; i++) {
        regret_buffer_printf(&text, "q%zu,m%zu,%s,7\n", i, i % 2,
                             i % 9 == 3 ? "-1"
                             : i % 2    ? "2"
                                        : "5");
    }
    scratch_put("o.csv", regret_buffer_get(&text));
    regret_buffer_clear(&text);
    cr_expect_eq(log_guess_make(&g, path, &(struct log_known){0}), REGRET_E_INPUT);
    cr_expect_not_null(strstr(regret_error_message(), "init --range WORST:BEST takes it"), "%s",
                       regret_error_message());
    log_guess_free(&g);
    cr_assert_eq(log_guess_make(&g, path, &(struct log_known){.range = range}), 0, "%s",
                 regret_error_message());
    log_guess_config(&text, &g, path);
    log_guess_explain(&said, &g);
    cr_expect_not_null(strstr(regret_buffer_get(&text), "\"outcome\": {\"low\": 5, \"high\": -1}"),
                       "%s", regret_buffer_get(&text));
    cr_expect_not_null(
        strstr(regret_buffer_get(&said), "no cluster: column user_id is the same in all rows\n"),
        "%s", regret_buffer_get(&said));
    log_guess_free(&g);
    regret_buffer_free(&text);
    regret_buffer_free(&said);
}

/* A column that is called as a role is and holds something else is named, with what to write. */
Test(log_guess, columns_that_hold_something_else)
{
    const char *const path[LOG_INPUTS] = {"o.csv", NULL, NULL};
    struct regret_buffer said = REGRET_BUFFER_INIT;
    struct log_guess g;
    scratch_put("o.csv", "prompt,model,rating,propensity,time\nx,a,1,33.3%,03/01/2026\n"
                         "y,b,0,66.7%,03/02/2026\n");
    cr_assert_eq(log_guess_make(&g, path, &(struct log_known){0}), 0, "%s", regret_error_message());
    log_guess_explain(&said, &g);
    cr_expect(strstr(regret_buffer_get(&said), "no propensity: column propensity holds \"33.3%\"; "
                                               "write shares, as 0.25\n") != NULL &&
                  strstr(regret_buffer_get(&said), "no time: column time holds \"03/01/2026\"; "),
              "%s", regret_buffer_get(&said));
    log_guess_free(&g);
    regret_buffer_free(&said);
    scratch_put("o.csv", "prompt,model,rating\nx,a,100%\ny,b,0%\n");
    cr_expect_eq(log_guess_make(&g, path, &(struct log_known){0}), REGRET_E_INPUT);
    cr_expect_not_null(strstr(regret_error_message(),
                              "o.csv:2: column \"rating\" holds \"100%\", "
                              "neither a number nor a word for good or bad"),
                       "%s", regret_error_message());
    log_guess_free(&g);
}

Test(log_guess, columns_that_are_named_count)
{
    const char *const path[LOG_INPUTS] = {"o.csv", NULL, NULL};
    struct log_guess g;
    scratch_put("o.csv", "prompt,model,who,rating,good\nx,a,r,4,1\nz,b,s,3,0\n");
    cr_assert_eq(log_guess_make(&g, path, &(struct log_known){.agent = "who", .outcome = "good"}),
                 0);
    role_is(&g, LOG_INPUT_OBS, LOG_AGENT, "who");
    role_is(&g, LOG_INPUT_OBS, LOG_OUTCOME, "good");
    log_guess_free(&g);
}

Test(log_guess, files_are_called_from_the_configuration_on)
{
    static const char *const cases[][3] = {{"o.csv", "evaluate.json", "o.csv"},
                                           {"o.csv", "sub/evaluate.json", "../o.csv"},
                                           {"sub/o.csv", "evaluate.json", "sub/o.csv"},
                                           {"sub/o.csv", "sub/evaluate.json", "o.csv"},
                                           {"sub/o.csv", "sub2/evaluate.json", "../sub/o.csv"},
                                           {"/o.csv", "sub/evaluate.json", "/o.csv"}};
    cr_assert(regret_folder_create("sub") == 0 && regret_folder_create("sub2") == 0);
    scratch_put("o.csv", "");
    scratch_put("sub/o.csv", "");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *file = NULL;
        cr_assert_eq(log_guess_file(&file, cases[i][0], cases[i][1]), 0, "%s",
                     regret_error_message());
        cr_expect_str_eq(file, cases[i][2]);
        free(file);
    }
}

/* ---------------------------------------------------------------- importers */

static int import(const struct importer *importer, const void *options, const char *from)
{
    struct regret_buffer report = REGRET_BUFFER_INIT;
    struct importer_call call = {.from = from,
                                 .to = "made",
                                 .replace = 1,
                                 .options = (void *)(size_t)options,
                                 .report = &report};
    int rc = importer->run(&call);
    regret_buffer_free(&report);
    return rc;
}

static const struct importer *find_importer(const char *name)
{
    size_t i = 0;
    while (strcmp(importers[i]->name, name) != 0) {
        i++;
    }
    return importers[i];
}

static void put_coat(void)
{
    regret_folder_create("coat");
    scratch_put("coat/train.ascii", "0 5 0 1\n2 0 0 0\n0 0 3 0\n");
    scratch_put("coat/test.ascii", "1 0 0 0\r\n0 2 4 0\r\n5 0 0 5\r\n");
    scratch_put("coat/user_features.ascii", "1 0 1\n0 1 0\n1 0 0\n");
    scratch_put("coat/user_features_map.txt", "gender:men\ngender:women\nage:over 60");
    scratch_put("coat/item_features.ascii", "1 0 0\n0 1 1\n0 1 0\n0 0 1\n");
    scratch_put("coat/item_features_map.txt", "jackettype:rain\njackettype:pea\ncolor:blue");
}

Test(log_guess, coat_becomes_a_log_and_a_trial)
{
    const struct importer *coat = find_importer("import coat");
    struct regret_log *log = NULL;
    const char *agents = "item", *unknown = "colour";
    put_coat();
    cr_assert_eq(import(coat, coat->defaults, "coat"), 0, "%s", regret_error_message());
    scratch_holds("made/obs.csv", "user,coat,agent,rating,gender,age\nu1,2,pea,5,men,over 60\n"
                                  "u1,4,none,1,men,over 60\nu2,1,rain,2,women,\nu3,3,pea,3,men,\n");
    scratch_holds("made/exp.csv",
                  "user,coat,agent,rating,p,gender,age\nu1,1,rain,1,0.25,men,over 60\n"
                  "u2,2,pea,2,0.5,women,\nu2,3,pea,4,0.5,women,\n"
                  "u3,1,rain,5,0.25,men,\nu3,4,none,5,0.25,men,\n");
    cr_assert_eq(regret_log_read(&log, "made/evaluate.json"), 0, "%s", regret_error_message());
    cr_assert(log->n_agents == 3 && log->n_contexts == 3 && log->low == 1.0 && log->high == 5.0);
    cr_assert_eq(log->rows[REGRET_LOG_EXP].propensity[1], 0.5);
    regret_log_free(log);
    cr_assert_eq(import(coat, &agents, "coat"), 0, "%s", regret_error_message());
    log = NULL;
    cr_assert_eq(regret_log_read(&log, "made/evaluate.json"), 0, "%s", regret_error_message());
    cr_assert(log->n_agents == 4 && log->rows[REGRET_LOG_EXP].propensity[1] == 0.25);
    regret_log_free(log);
    cr_assert_eq(import(coat, &unknown, "coat"), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "did you mean \"color\""));
    scratch_put("made/evaluate.json", "{\"level\": 0.9}\n");
    cr_assert_eq(import(coat, coat->defaults, "coat"), 0, "%s", regret_error_message());
    scratch_holds("made/evaluate.json", "{\"level\": 0.9}\n");
    cr_assert(regret_file_exists("made/evaluate.new.json"), "what was edited is kept");
}

Test(log_guess, coat_that_is_not_as_published)
{
    static const char *const cases[][3] = {
        {"train.ascii", "0 5 0 9\n", "train.ascii:1: \"9\" is no whole number from 0 to 5"},
        {"train.ascii", "0 5 x 1\n", "\"x\" is no whole number"},
        {"train.ascii", "0 5 0 1\n0 5\n", "train.ascii:2: more or fewer numbers than the 4"},
        {"train.ascii", "0 5 0\n0 0 1\n2 2 2\n", "train.ascii is 3 x 3 and test.ascii 3 x 4"},
        {"train.ascii", "", "has no line"},
        {"train.ascii", "0 0 0 0\n0 0 0 0\n0 0 0 0\n", "has no ratings that were chosen"},
        {"user_features.ascii", "1 0 1\n", "has 1 lines; the ratings are of 3"},
        {"user_features_map.txt", "gender:men\n", "a line for each of 3 columns"},
        {"item_features_map.txt", "jackettype\n", "must be like \"gender:men\""}};
    const struct importer *coat = find_importer("import coat");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[64];
        put_coat();
        snprintf(path, sizeof path, "coat/%s", cases[i][0]);
        scratch_put(path, cases[i][1]);
        cr_expect_eq(import(coat, coat->defaults, "coat"), REGRET_E_INPUT, "%s: %s", path,
                     cases[i][1]);
        cr_expect_not_null(strstr(regret_error_message(), cases[i][2]), "%s\nnot: %s",
                           regret_error_message(), cases[i][2]);
    }
}

Test(log_guess, the_real_coat)
{
    const struct importer *coat = find_importer("import coat");
    struct regret_log *log = NULL;
    const char *path = shared("coat");
    if (path == NULL) {
        cr_skip_test("Coat is not here (REGRET_SHARED_DATA)");
    }
    cr_assert_eq(import(coat, coat->defaults, path), 0, "%s", regret_error_message());
    cr_assert_eq(regret_log_read(&log, "made/evaluate.json"), 0, "%s", regret_error_message());
    cr_assert(log->rows[REGRET_LOG_OBS].n == 6960 && log->rows[REGRET_LOG_EXP].n == 4640);
    cr_assert(log->n_contexts == 290 && log->n_agents == 16 && log->n_losses == 0);
    regret_log_free(log);
}

Test(log_guess, r3_becomes_a_log_and_a_trial)
{
    const struct importer *r3 = find_importer("import r3");
    struct regret_log *log = NULL;
    regret_folder_create("r3");
    scratch_put("r3/ydata-ymusic-rating-study-v1_0-train.txt", "1\t14\t5\n1 35 1\r\n2\t14\t3\n");
    scratch_put("r3/ydata-ymusic-rating-study-v1_0-test.txt", "1\t35\t1\n2\t14\t4\n");
    cr_assert_eq(import(r3, r3->defaults, "r3"), 0, "%s", regret_error_message());
    scratch_holds("made/obs.csv", "user,song,rating\nu1,song14,5\nu1,song35,1\nu2,song14,3\n");
    cr_assert_eq(regret_log_read(&log, "made/evaluate.json"), 0, "%s", regret_error_message());
    cr_assert(log->is_uniform == 1 && log->rows[REGRET_LOG_EXP].propensity[0] == 0.5);
    regret_log_free(log);
    static const char *const bad[][2] = {{"1\t14\n", "must be three numbers"},
                                         {"1 14 3 0\n", "must be three numbers"},
                                         {"1 14 6\n", "\"6\" is no whole number from 1 to 5"},
                                         {"1 5000 3\n", "\"5000\" is no whole number"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        scratch_put("r3/ydata-ymusic-rating-study-v1_0-test.txt", bad[i][0]);
        cr_expect_eq(import(r3, r3->defaults, "r3"), REGRET_E_INPUT, "%s", bad[i][0]);
        cr_expect_not_null(strstr(regret_error_message(), bad[i][1]), "%s", regret_error_message());
    }
}
