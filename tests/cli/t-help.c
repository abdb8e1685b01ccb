/* Help, suggestions, wrong usage. */
#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/process.h"
#include "regret/buffer.h"
#include "regret/status.h"

TestSuite(help, .init = process_open, .fini = process_close);

/* Names at the beginning of the indented lines of a list of commands. */
static size_t list_names(char names[][64], size_t most, const char *text)
{
    size_t n = 0;
    for (const char *p = strstr(text, "\n  "); p != NULL && n < most; p = strstr(p + 1, "\n  ")) {
        size_t length = strcspn(p + 3, "\n");
        const char *gap = strstr(p + 3, "  ");
        length = gap != NULL && (size_t)(gap - p - 3) < length ? (size_t)(gap - p - 3) : length;
        snprintf(names[n++], 64, "%.*s", (int)length, p + 3);
    }
    return n;
}

/* Every option of an example line "regret COMMAND …" is in the help. */
static void check_example(const char *help, const char *line, size_t length)
{
    for (size_t i = 0; i + 1 < length; i++) {
        if (line[i] != ' ' || line[i + 1] != '-') {
            continue;
        }
        size_t n = strcspn(line + i + 1, " =\n");
        char option[64];
        snprintf(option, sizeof option, "%.*s", (int)n, line + i + 1);
        const char *options = strstr(help, "\nOptions:");
        cr_expect(options != NULL && strstr(options, option) != NULL &&
                      strstr(options, option) < strstr(help, "\nExamples:"),
                  "%s of \"%.*s\" is no option", option, (int)length, line);
    }
}

/* One command and, where it has some, the commands below it. */
static void check_help(const char *command, int depth)
{
    char arguments[160], usage[160], names[32][64];
    cr_assert_lt(depth, 3);
    snprintf(arguments, sizeof arguments, "%s --help", command);
    cr_assert_eq(process_run(arguments), 0, "%s", command);
    cr_expect_str_empty(process_stderr);
    snprintf(usage, sizeof usage, "Usage: regret %s ", command);
    cr_expect(strncmp(process_stdout, usage, strlen(usage)) == 0, "%.80s", process_stdout);
    if (strstr(process_stdout, "\nOptions:") == NULL) {
        size_t n = list_names(names, 32, process_stdout);
        cr_assert_gt(n, 0, "%s has neither options nor commands", command);
        for (size_t i = 0; i < n; i++) {
            check_help(names[i], depth + 1);
        }
        return;
    }
    process_wrote("-h, --help");
    const char *example = strstr(process_stdout, "\nExamples:\n");
    cr_assert_not_null(example, "regret %s --help shows no example", command);
    snprintf(usage, sizeof usage, "  regret %s", command);
    size_t examples = 0;
    for (const char *p = example + 11; *p != '\0'; p += strcspn(p, "\n") + 1, examples++) {
        int own = strncmp(p, usage, strlen(usage)) == 0; /* later ones may show what comes next */
        cr_expect(own || (examples > 0 && strncmp(p, "  regret ", 9) == 0),
                  "\"%.60s\" is no example of %s", p, command);
        if (own) {
            check_example(process_stdout, p, strcspn(p, "\n"));
        }
    }
    cr_expect_gt(examples, 0);
}

Test(help, of_every_command)
{
    char names[32][64];
    cr_assert_eq(process_run("--help"), 0);
    cr_assert_str_empty(process_stderr);
    size_t n = list_names(names, 32, process_stdout);
    cr_assert_geq(n, 10);
    for (size_t i = 0; i < n; i++) {
        check_help(names[i], 0);
    }
}

Test(help, lines_fit_a_terminal)
{
    static const char *const commands[] = {"run",       "merge",    "report", "compare",
                                           "cell",      "config",   "doctor", "pool synth",
                                           "pool pack", "recommend"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char arguments[64];
        snprintf(arguments, sizeof arguments, "%s --help", commands[i]);
        cr_assert_eq(process_run(arguments), 0);
        for (const char *p = process_stdout; *p != '\0'; p += strcspn(p, "\n") + 1) {
            cr_expect_leq(strcspn(p, "\n"), 120, "%s: %.60s…", commands[i], p);
        }
    }
}
