/* Files made to do harm: clear errors, nothing that steers the terminal, nothing outside the
 * folder. That no control character reaches a stream is asserted of every process (process.h). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/process.h"
#include "regret/buffer.h"
#include "regret/status.h"

TestSuite(hostile, .init = process_open, .fini = process_close);

#define ESCAPES "\\u001b[2J\\u001b]0;owned\\u0007\\u009b31m\\u007f\\u202e"

/* A pool of two agents and three contexts, its fields as given. */
static void make_pool(const char *title, const char *agent, const char *context, const char *score)
{
    char path[128];
    struct regret_buffer t = REGRET_BUFFER_INIT;
    snprintf(path, sizeof path, "%s/bad", process_folder());
    cr_assert_eq(regret_folder_create(path), 0);
    regret_buffer_printf(
        &t,
        "{\"format\": \"regret-pool-1\", \"name\": \"bad\", \"title\": \"%s\", "
        "\"version\": \"1\", \"licence\": \"%s\", \"source\": \"%s\", \"synthetic\": "
        "true, \"agents\": [{\"id\": \"%s\", \"title\": \"%s\"}, {\"id\": \"b\"}], "
        "\"components\": [{\"name\": \"q\", \"low\": 0, \"high\": 1}]}\n",
        title, title, title, agent, title);
    process_write("bad/pool.json", regret_buffer_get(&t));
    regret_buffer_clear(&t);
    for (int x = 0; x < 3; x++) {
        regret_buffer_printf(&t, "{\"id\": \"%s%d\", \"text\": \"%s storm %d\"}\n", context, x,
                             title, x);
    }
    process_write("bad/contexts.jsonl", regret_buffer_get(&t));
    regret_buffer_clear(&t);
    for (int i = 0; i < 6; i++) {
        regret_buffer_printf(&t,
                             "{\"context\": \"%s%d\", \"agent\": \"%s\", \"text\": \"%s word%d\", "
                             "\"components\": {\"q\": %s}}\n",
                             context, i / 2, i % 2 ? "b" : agent, title, i, i == 3 ? score : "0.5");
    }
    process_write("bad/outputs.jsonl", regret_buffer_get(&t));
    regret_buffer_free(&t);
}

static const char RUN[] = "run config.json -o r --set pool=bad --set contexts.hard=0 "
                          "--set router.slate=2 --set router.rank=2 --set proxy.dim=2";

Test(hostile, titles_full_of_escapes_are_shown_harmless)
{
    make_pool(ESCAPES, "a", "x", "0.25");
    static const char *const commands[] = {"pool validate bad",    "pool show bad",
                                           "pool stats bad",       "pool list .",
                                           "pool show bad --json", "pool stats bad --json"};
    for (size_t i = 0; i < 6; i++) {
        cr_assert_eq(process_run(commands[i]), 0, "%s: %s", commands[i], process_stderr);
    }
    cr_assert_eq(process_run(RUN), 0, "%s", process_stderr);
    static const char *const formats[] = {"md", "csv", "tex", "html", "json"};
    for (size_t i = 0; i < 5; i++) {
        char arguments[64];
        snprintf(arguments, sizeof arguments, "report r --format %s", formats[i]);
        cr_assert_eq(process_run(arguments), 0, "%s", process_stderr);
    }
    static const char *const files[] = {"r/report/report.md", "r/report/report.html",
                                        "r/report/results.csv", "r/report/tables/summary.csv"};
    for (size_t i = 0; i < 4; i++) {
        char *text = process_read(files[i]);
        for (const char *p = text; *p != '\0'; p++) {
            cr_assert(((unsigned char)*p >= 0x20 || *p == '\n') && *p != 0x7f, "byte %02x in %s",
                      (unsigned char)*p, files[i]);
        }
        cr_assert_null(strstr(text, "\xe2\x80\xae"), "an override in %s", files[i]);
        cr_assert_null(strstr(text, "\xc2\x9b"), "a CSI in %s", files[i]);
        regret_free(text);
    }
    process_write("titled.json", "{\"pool\": \"bad\", \"title\": \"" ESCAPES "\"}");
    cr_assert_eq(process_run("config titled.json"), 0);
    cr_assert_eq(process_run("cell titled.json"), 0);
}

/* A program gets names as they are; on a terminal nothing hides or turns what comes after. */
Test(hostile, hidden_marks_are_for_programs_and_shown_to_people)
{
    make_pool("m\\u202e\\u200bn", "a", "x", "0.25");
    cr_assert_eq(process_run("pool stats bad --json"), 0);
    cr_expect_not_null(strstr(process_stdout, "m\xe2\x80\xae\xe2\x80\x8bn"), "%s", process_stdout);
    const char *shown = process_on_terminal("pool stats bad --json");
    cr_expect_null(strstr(shown, "\xe2\x80"), "%s", shown);
    cr_expect_not_null(strstr(shown, "m\\u{202e}\\u{200b}n"), "%s", shown);
}

/* A results file that was tampered with must not crash or steer the report. */
Test(hostile, tampered_runs)
{
    cr_assert_eq(process_run("run config.json -o r -q --no-report"), 0);
    char *rows = process_read("r/results-1-of-1.jsonl");
    struct regret_buffer t = REGRET_BUFFER_INIT;
    regret_buffer_printf(&t, "%.*s", 400, rows);
    process_write("r/results-1-of-1.jsonl", regret_buffer_get(&t));
    cr_assert_leq(process_run("report r --table summary"), 2);
    process_write("r/results-1-of-1.jsonl",
                  "{\"cell\":1e300,\"seed\":-1,\"family\":\"\\u001b[2J\"}\n");
    cr_assert_eq(process_run("report r --table summary"), 2);
    process_said("results-1-of-1.jsonl:1");
    process_write("r/run.json", "{\"format\": \"\\u001b[2J\"}");
    cr_assert_eq(process_run("report r"), 2);
    process_refused("merge r -o m", "r/run.json");
    cr_assert_not(process_exists("m"));
    regret_buffer_free(&t);
    regret_free(rows);
}

/* Folders may have any name; what is said of them is harmless. */
Test(hostile, escapes_in_names_of_folders)
{
    static const char *const commands[] = {
        "run config.json -o \"$(printf 'r\\033[2J\\342\\200\\256')\"",
        "report \"$(printf 'r\\033[2J\\342\\200\\256')\"",
        "merge \"$(printf 'r\\033[2J\\342\\200\\256')\" -o \"$(printf 'm\\033')\"",
        "cell config.json --export \"$(printf 'c\\033')\"",
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        cr_assert_eq(process_run(commands[i]), 0, "%s: %s", commands[i], process_stderr);
        cr_expect(strstr(process_stderr, "\\u{1b}") != NULL ||
                      strstr(process_stderr, "\\033") != NULL, /* as a shell reads it */
                  "%s", process_stderr);
        cr_expect_null(strchr(process_stderr, '\033'));
        cr_expect_null(strstr(process_stderr, "\xe2\x80\xae"), "%s", process_stderr);
        cr_expect_null(strstr(process_stdout, "\xe2\x80\xae"), "%s", process_stdout);
    }
}
