/* Descriptors 0, 1 and 2 closed: words meant for them must not land in data. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "cli/process.h"
#include "faults/background.h"

TestSuite(closed, .init = process_open, .fini = process_close, .timeout = 300);

/* Runs `line` -o OUT with every subset of the three closed. What it claims to have written must be
 * the bytes of `whole`, which the undisturbed command writes; what it does not is said by its exit
 * code, and a start without holes then writes it. */
static void holds(const char *line, const char *option, const char *again)
{
    char command[1024], what[128];
    snprintf(command, sizeof command, "mkdir '%s'", background_path("whole"));
    cr_assert_eq(system(command), 0);
    snprintf(command, sizeof command, "%s %s whole/out", line,
             option); /* results.csv has the name */
    cr_assert_eq(process_run(command), 0, "%s", process_stderr);
    for (int closed = 1; closed < 8; closed++) {
        snprintf(command, sizeof command, "%s %s out %s %s %s", line, option,
                 closed & 1 ? "0<&-" : "", closed & 2 ? "1>&-" : "", closed & 4 ? "2>&-" : "");
        snprintf(what, sizeof what, "closed set %d of regret %.60s", closed, line);
        int code = process_run(command);
        cr_expect_lt(code, 126, "%s: exit code %d", what, code);
        if (code != 0) {
            snprintf(command, sizeof command, "%s %s out %s", line, option, again);
            cr_expect_eq(process_run(command), 0, "%s: %s", what, process_stderr);
        }
        background_expect_same("out", "whole/out", what);
        snprintf(command, sizeof command, "rm -rf '%s'", background_path("out"));
        cr_assert_eq(system(command), 0);
    }
}

Test(closed, what_is_written_is_whole)
{
    static const char *const COMMANDS[][3] = {
        {"run config.json --threads 1 --no-report", "-o", "--resume"},
        {"run config.json --threads 2", "-o", "--resume"},
        {"pool synth newswire --articles 3", "-o", "--force"},
        {"cell config.json --set families='[\"exp-only\"]' --set n_obs=20", "--export", "--force"},
        {"rate estimate " REGRET_SOURCE_FOLDER "/data/rate/rough.jsonl", "--figures", ""}};
    for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++) {
        holds(COMMANDS[i][0], COMMANDS[i][1], COMMANDS[i][2]);
        process_close();
        process_open();
    }
}
