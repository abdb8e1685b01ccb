/* What a terminal shows of a run, and what is said elsewhere. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/process.h"
#include "regret/status.h"

TestSuite(screen, .init = process_open, .fini = process_close);

/* Runs the program on a terminal of `script` and gives what was drawn; free with regret_free(). */
static char *drawn(const char *environment, const char *arguments)
{
    char command[512];
    if (system("script --version >/dev/null 2>&1") != 0) {
        cr_skip_test("no 'script' here to make a terminal");
    }
    snprintf(command, sizeof command,
             "cd %s && %s script -qec '%s %s' /dev/null >typescript 2>&1 </dev/null",
             process_folder(), environment, REGRET_PROGRAM, arguments);
    cr_assert_eq(system(command), 0);
    return process_read("typescript");
}

static void shows(const char *seen, const char *part, int there)
{
    cr_expect_eq(strstr(seen, part) != NULL, there, "%s\"%s\" in: %s", there ? "no " : "", part,
                 seen);
}

/* Progress on one line, from the first moment; then the answer. */
Test(screen, a_run_on_a_terminal)
{
    char *seen = drawn("NO_COLOR= TERM=xterm LC_ALL=C.UTF-8 COLUMNS=80", "run config.json -o a");
    const char *first = strstr(seen, "\r\033[K"), *count = strstr(seen, "\r\033[K[");
    cr_expect(first == seen, "nothing before the first drawing: %s", seen);
    shows(seen, "\r\033[Kopening the pool, 0 s", 1);
    shows(seen, "\r\033[Kcomputing the features, 0 s", 1);
    shows(seen, "[........................] 0/4 replicates, ", 1);
    shows(seen, "[========================] 4/4 replicates, ", 1);
    shows(seen, "\r\033[Kmaking the report, 0 s", 1);
    shows(seen, "has the lowest mean regret over all 2 cells, ", 1);
    shows(seen, "It rests on pool ", 1);
    shows(seen, "\033[3", 0);
    cr_expect(count > first);
    regret_free(seen);
    seen = drawn("NO_COLOR=1 TERM=xterm LC_ALL=C COLUMNS=80", "report a");
    shows(seen, "has the lowest mean regret over all 2 cells, ", 1);
    shows(seen, "\033[", 0);
    regret_free(seen);
    seen = drawn("TERM=dumb LC_ALL=C.UTF-8 COLUMNS=80", "run config.json -o b -q --threads 1");
    cr_expect_str_eq(seen, "regret: wrote the rows to b\r\nb/report/report.md\r\n");
    regret_free(seen);
    seen = drawn("NO_COLOR=1 TERM=xterm LANG=en_US.utf8 LC_ALL= LC_CTYPE= COLUMNS=40",
                 "run config.json -o c");
    shows(seen, "\033[3", 0);
    shows(seen, "\033[1", 0);
    regret_free(seen);
}

/* Each of 12 to 90 columns: no line is longer than the terminal. */
Test(screen, progress_fits_the_terminal)
{
    static const char *const columns[] = {"COLUMNS=12 TERM=xterm", "COLUMNS=47 TERM=xterm",
                                          "COLUMNS=52 TERM=xterm", "COLUMNS=90 TERM=xterm"};
    for (size_t i = 0; i < 4; i++) {
        size_t room = (size_t)atoi(columns[i] + strlen("COLUMNS="));
        char *seen = drawn(columns[i], "run config.json -o t --force --no-report");
        for (const char *p = seen; (p = strstr(p, "\r\033[K")) != NULL;) {
            p += strlen("\r\033[K");
            cr_expect_lt(strcspn(p, "\r\n"), room, "%s: %.100s", columns[i], p);
        }
        regret_free(seen);
    }
}

/* An error is in lines that the terminal has room for, a command in its own, and elsewhere in one. */
Test(screen, errors_are_wrapped_on_a_terminal)
{
    static const char *const refused = "run config.json -o x --set pool=nowhere";
    process_run(refused);
    const char *end = strchr(process_stderr, '\n');
    cr_assert(end != NULL && end[1] == '\0' && end - process_stderr > 80, "%s", process_stderr);
    setenv("COLUMNS", "60", 1);
    const char *seen = process_on_terminal(refused);
    size_t lines = 0;
    for (const char *p = seen; *p != '\0'; lines++) {
        size_t n = strcspn(p, "\r\n");
        cr_expect(n <= 60 || memchr(p + 2, ' ', n - 2) == NULL, "%s", seen);
        p += n + strspn(p + n, "\r\n");
    }
    cr_expect_gt(lines, 1, "%s", seen);
    cr_assert_eq(process_run("run config.json -o x -q --no-report"), 0, "%s", process_stderr);
    char *rows = process_read("x/results-1-of-1.jsonl");
    rows[strlen(rows) - 9] = '\0';
    process_write("x/results-1-of-1.jsonl", rows);
    regret_free(rows);
    seen = process_on_terminal("report x -t summary");
    shows(seen, "\r\n    regret run x/run.json -o x --resume\r\n", 1);
    unsetenv("COLUMNS");
}

/* Elsewhere: words without colours, and none of it with --quiet. */
Test(screen, the_end_is_words)
{
    process_ok("run config.json -o r");
    cr_expect_null(strstr(process_stderr, " so far"), "a line of progress within the first minute");
    cr_expect_null(strstr(process_stderr, " left\n"), "a line of progress within the first minute");
    process_said("regret: 2 cells x 2 seeds; 4 replicates in ");
    process_said(" has the lowest mean regret over all 2 cells, ");
    process_said("(SYNTHETIC data): 2 cells, 2 seeds");
    process_said("\n  Bear in mind: few contexts held out; few seeds.\n  Page: "
                 "r/report/report.html\n");
    process_ok("report r");
    cr_assert_str_empty(process_stdout);
    process_said("regret: wrote r/report/report.md\n");
    process_said(" has the lowest mean regret over all 2 cells, ");
    process_ok("report r -q");
    cr_assert_str_eq(process_stderr, "regret: wrote r/report/report.md\n");
    process_ok("run config.json -o r --resume");
    process_said("nothing was left to do in r\n");
    process_said(" has the lowest mean regret over all 2 cells, ");
    process_ok("run config.json -o s --set seeds=3 --no-report -q");
    cr_assert_str_eq(process_stderr, "regret: wrote the rows to s\n");
}

Test(screen, unfinished_runs_say_so)
{
    process_ok("run config.json -o r -q --no-report --set seeds=3");
    char *rows = process_read("r/results-1-of-1.jsonl");
    char *end = rows;
    for (int line = 0; line < 4 * 12; line++) { /* of six replicates */
        end = strchr(end, '\n') + 1;
    }
    *end = '\0';
    process_write("r/results-1-of-1.jsonl", rows);
    regret_free(rows);
    static const char *const commands[] = {"report r", "report r --table summary", "report r -q"};
    for (size_t i = 0; i < 3; i++) {
        process_ok(commands[i]);
        process_said("4 of 6 replicates");
    }
    process_ok("report r");
    process_said("Bear in mind: the run is not finished");
    process_ok("run config.json -o r --no-report --set seeds=3 --resume -j 1");
    process_said("regret: 2 cells x 3 seeds; 2 replicates in ");
}
