/* evaluate.json's keys of the estimation, and the command. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/process.h"
#include "regret/alloc.h"
#include "regret/evaluate.h"
#include "regret/families.h"
#include "regret/file.h"

TestSuite(evaluate_command, .init = process_open, .fini = process_close);

/* Twelve requests each of two agents; `lead` is what the second is better by in the trial. */
static void write_trial(double lead)
{
    char text[8192] = "id,prompt,agent,score\n", line[128];
    for (int i = 0; i < 60; i++) {
        double score = 0.4 + 0.01 * (i * 7 % 13) + (i % 2 ? lead : 0.0);
        snprintf(line, sizeof line, "q%d,word%d of request,%s,%.3f\n", i, i % 5,
                 i % 2 ? "new" : "old", score);
        strcat(text, line);
    }
    process_write("trial.csv", text);
}

static void write_config(const char *more)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "{\"exp\": {\"file\": \"trial.csv\", \"context\": \"id\", \"text\": \"prompt\", \"agent\": "
        "\"agent\", \"outcome\": \"score\"}, \"outcome\": {\"low\": 0, \"high\": 1}, "
        "\"incumbent\": \"old\"%s}",
        more);
    process_write("evaluate.json", text);
}

Test(evaluate_command, tells_and_cannot_tell)
{
    write_config("");
    write_trial(0.3);
    cr_expect_eq(process_run("evaluate evaluate.json -o out"), 0, "%s", process_stderr);
    process_wrote("ONE AGENT. Use new: it is better than old by +0.");
    cr_expect(process_exists("out/agents.csv") && process_exists("out/result.json"));
    process_refused("evaluate evaluate.json -o out", "out");
    cr_expect_eq(process_run("evaluate evaluate.json -o out --force --details"), 0);
    cr_expect(process_exists("out/rows.csv"));
    write_trial(0.0);
    cr_expect_eq(process_run("evaluate evaluate.json"), 3);
    process_wrote("CANNOT TELL.");
    cr_expect_eq(process_run("evaluate evaluate.json --json"), 0);
    process_wrote("{\"format\":\"regret-evaluation\",\"version\":1,\"verdict\":\"cannot tell\"");
    cr_expect_eq(process_run("evaluate evaluate.json --format json"), 0);
    process_wrote("\"verdict\":\"cannot tell\"");
    process_refused("evaluate evaluate.json --format text --json", "give one");
    process_refused("evaluate evaluate.json --format xml", "text|json");
}

/* A full disk behind stdout is told of once, with its cause, whatever else was asked for by then. */
Test(evaluate_command, a_full_disk_is_told_of_once)
{
    if (access("/dev/full", W_OK) != 0) {
        cr_skip_test("no /dev/full here");
    }
    write_config("");
    write_trial(0.3);
    cr_expect_eq(process_run("evaluate evaluate.json -o out --json > /dev/full"), 1);
    cr_expect_str_eq(process_stderr,
                     "regret: cannot write to standard output: No space left on device; what was "
                     "written to files stands\n");
}

/* On a terminal every step is named and its line taken away; elsewhere what ends within a minute is silent. */
Test(evaluate_command, says_what_it_does)
{
    static const char *const steps[] = {
        "1 of 5: reading the tables", "2 of 5: fitting the surfaces",
        "3 of 5: asking whether log and trial can be trusted",
        "4 of 5: fitting once more, with other folds", "5 of 5: fitting the model of new requests"};
    write_config("");
    write_trial(0.3);
    const char *shown = process_on_terminal("evaluate evaluate.json -o out"), *at = shown;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && at != NULL; i++) {
        at = strstr(at, steps[i]);
        cr_expect_not_null(at, "%s in %s", steps[i], shown);
    }
    cr_expect(at != NULL && strstr(at, "\r\033[KNO ") != NULL, "%s", shown);
    shown = process_on_terminal("evaluate evaluate.json -o out --force --quiet");
    cr_expect_null(strstr(shown, steps[1]), "%s", shown);
    cr_expect_eq(process_run("evaluate evaluate.json"), 0);
    cr_expect_str_empty(process_stderr);
}

/* Where it cannot tell nothing names anybody else than the incumbent. */
Test(evaluate_command, makes_a_model_only_of_what_can_be_told)
{
    write_config("");
    write_trial(0.3);
    cr_expect_eq(process_run("evaluate evaluate.json -o out"), 0, "%s", process_stderr);
    cr_expect(process_exists("out/model.regret"));
    process_said("wrote out; new requests: regret recommend --model out/model.regret --new");
    process_refused("recommend out/model.regret --new trial.csv", "given by --model");
    write_trial(0.0);
    cr_expect_eq(process_run("evaluate evaluate.json -o out --force"), 3, "%s", process_stderr);
    cr_expect(!process_exists("out/model.regret"));
    process_said("wrote out, without a model.regret: where it cannot be told who is better");
    process_refused("recommend --model out/model.regret --new trial.csv", "out/result.json");
    process_refused("recommend --model none/model.regret --new trial.csv", "cannot open");
    char *table = process_read("out/recommendations.csv");
    cr_expect_not_null(strstr(table, ",,old,"), "%s", table);
    cr_expect_null(strstr(table, ",,new,"), "%s", table);
    regret_free(table);
}

/* A number of the request decides who is better, and the model knows it. */
Test(evaluate_command, the_model_goes_by_own_columns)
{
    char text[65536] = "id,agent,score,size,lang\n", line[128];
    uint32_t state = 1;
    for (int i = 0; i < 800; i++) {
        state = state * 1664525U + 1013904223U;
        int size = i * 37 % 101, is_new = (int)(state >> 24) % 2;
        double score = 0.5 + 0.01 * (i * 7 % 13) + (is_new ? (size > 60 ? 0.3 : -0.2) : 0.0);
        snprintf(line, sizeof line, "q%d,%s,%.3f,%d,%s\n", i, is_new ? "new" : "old", score, size,
                 i % 7 < 3 ? "de" : "en");
        strcat(text, line);
    }
    process_write("trial.csv", text);
    process_write("evaluate.json",
                  "{\"exp\": {\"file\": \"trial.csv\", \"context\": \"id\", \"agent\": \"agent\", "
                  "\"outcome\": \"score\", \"covariates\": [\"size\", \"lang\"]}, "
                  "\"outcome\": {\"low\": 0, \"high\": 1}, \"incumbent\": \"old\"}");
    cr_expect_eq(process_run("evaluate evaluate.json -o out"), 0, "%s", process_stderr);
    process_wrote("BY REQUEST");
    process_write("new.csv", "id,text,size,lang\na,x,90,de\nb,x,10,en\nc,x,75,en\nd,x,50,de\n");
    cr_expect_eq(process_run("recommend --model out/model.regret --new new.csv"), 0, "%s",
                 process_stderr);
    process_wrote("\na,new,");
    process_wrote("\nb,old,");
    process_wrote("\nc,new,");
    process_wrote("\nd,old,");
}

/* Where the texts are the names: the line and the beginning of each say which request is meant. */
Test(evaluate_command, recommendations_of_texts_can_be_joined)
{
    char text[16384] = "prompt,agent,score\n", line[256];
    for (int i = 0; i < 40; i++) {
        snprintf(line, sizeof line, "\"request %d, %s\",%s,%d\n", i % 20,
                 i % 20 == 3 ? "äääääääääääääääääääääääääääääääääääääääääääääääääääää" : "short",
                 i % 3 ? "new" : "old", i % 2);
        strcat(text, line);
    }
    process_write("trial.csv", text);
    process_write("evaluate.json",
                  "{\"exp\": {\"file\": \"trial.csv\", \"text\": \"prompt\", \"agent\": \"agent\", "
                  "\"outcome\": \"score\"}}");
    cr_assert_leq(process_run("evaluate evaluate.json -o out"), 3, "%s", process_stderr);
    char *table = process_read("out/recommendations.csv");
    cr_expect(strstr(table, ",margin_low,margin_high,cost,line,text\n") != NULL, "%s", table);
    cr_expect(strstr(table, ",3,\"request 1, short\"\n") != NULL, "%s", table);
    cr_expect(strstr(table, ",5,\"request 3, ääääääääääääääääääääääääääääääääääääääääääää\"\n") !=
                  NULL,
              "%s", table);
    regret_free(table);
}

Test(evaluate_command, refuses_what_is_no_key_or_no_value)
{
    write_trial(0.1);
    write_config(", \"levle\": 0.9");
    process_refused("evaluate evaluate.json", "level");
    write_config(", \"level\": 1.5");
    process_refused("evaluate evaluate.json", "\"level\" must be");
    write_config(", \"folds\": 1");
    process_refused("evaluate evaluate.json", "folds");
    write_config(", \"families\": [\"mxied\"]");
    process_refused("evaluate evaluate.json", "mixed");
    write_config(", \"features.agent\": -1");
    process_refused("evaluate evaluate.json", "features.agent");
    process_refused("evaluate config.json", "regret run");
}

Test(evaluate_command, keys_become_options)
{
    const struct regret_family *families[REGRET_MAX_FAMILIES];
    struct regret_evaluate_options o, preset;
    char *path = NULL;
    regret_evaluate_options_default(&preset);
    write_config("");
    cr_assert_eq(regret_path_join(&path, process_folder(), "evaluate.json"), REGRET_OK);
    cr_assert_eq(regret_evaluate_options_read(&o, families, path), REGRET_OK, "%s",
                 regret_error_message());
    cr_expect(o.folds == preset.folds && o.level == preset.level && o.n_families == 0);
    cr_expect_eq(memcmp(&o.features, &preset.features, sizeof o.features), 0);
    cr_expect_eq(memcmp(o.estimate.hyper, preset.estimate.hyper, sizeof o.estimate.hyper), 0);
    write_config(", \"folds\": 7, \"level\": 0.9, \"seed\": 3, \"obs.rows\": 77, \"families\": "
                 "[\"mixed\", \"exp-only\"], \"features.agent_tag\": 4, \"exp_only.rho\": [1, 5]");
    cr_assert_eq(regret_evaluate_options_read(&o, families, path), REGRET_OK, "%s",
                 regret_error_message());
    cr_expect(o.folds == 7 && o.level == 0.9 && o.seed == 3 && o.rows[REGRET_LOG_OBS] == 77);
    cr_assert_eq(o.n_families, 2);
    cr_expect(o.family[0] == regret_family_find("exp-only") &&
              o.family[1] == regret_family_find("mixed"));
    cr_expect(o.features.agent_tag == 4.0 && o.features.agent == preset.features.agent);
    cr_expect_eq(regret_hyper_of(&o.estimate, "exp_only.rho")->grid.n, 2);
    cr_expect_eq(regret_hyper_of(&o.estimate, "obs_only.rho")->grid.value[0], 10.0);
    regret_free(path);
}
