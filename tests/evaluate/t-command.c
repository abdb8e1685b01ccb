/* evaluate.json's keys of the estimation, and the command. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/process.h"
#include "regret/buffer.h"
#include "regret/estimate.h"
#include "regret/evaluate.h"
#include "regret/status.h"

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

/* A full disk behind stdout is told of once, with its cause, whatever else was asked for by then. */
Test(evaluate_command, a_full_disk_is_told_of_once)
{
    if (access("/dev/full", W_OK) != 0) {
        cr_skip_test("no /dev/full here");
    }
    write_config("");
    write_trial(0.3);
    cr_expect_eq(process_run("recommend evaluate.json -o out --json > /dev/full"), 1);
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
    const char *shown = process_on_terminal("recommend evaluate.json -o out"), *at = shown;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && at != NULL; i++) {
        at = strstr(at, steps[i]);
        cr_expect_not_null(at, "%s in %s", steps[i], shown);
    }
    cr_expect(at != NULL && strstr(at, "\r\033[KNO ") != NULL, "%s", shown);
    shown = process_on_terminal("recommend evaluate.json -o out --force --quiet");
    cr_expect_null(strstr(shown, steps[1]), "%s", shown);
    cr_expect_eq(process_run("recommend evaluate.json"), 0);
    cr_expect_str_empty(process_stderr);
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
