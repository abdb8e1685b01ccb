/* Help, suggestions, wrong usage. */
#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/process.h"
#include "regret/alloc.h"
#include "regret/buffer.h"

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

Test(help, overview_and_version)
{
    cr_assert_eq(process_run("--version"), 0);
    cr_assert(strncmp(process_stdout, "regret ", 7) == 0 && isdigit(process_stdout[7]));
    cr_assert_eq(process_run(""), 2, "a command is wanted");
    cr_assert_str_empty(process_stdout);
    process_said("regret: usage: regret COMMAND [options]");
    process_said("  run        run a configuration");
    cr_assert_eq(process_run("help"), 0);
    process_wrote("Usage: regret COMMAND");
    cr_assert_eq(process_run("help run"), 0);
    process_wrote("Usage: regret run CONFIG");
    cr_assert_eq(process_run("help pool show"), 0);
    process_wrote("Usage: regret pool show");
    process_refused("help runn", "did you mean \"run\"?");
    process_refused("help pool show it", "one argument too many: \"it\"");
}

Test(help, unknown_words_are_answered_by_the_nearest)
{
    process_refused("runn config.json", "unknown command \"runn\"; did you mean \"run\"?");
    process_refused("rewrite estimate x", "'regret rate'");
    process_refused("frobnicate", "'regret --help' lists them");
    process_refused("pool vaildate x", "did you mean \"pool validate\"?");
    process_refused("import sumeval x", "did you mean \"import summeval\"?");
    process_refused("rate estimat x", "did you mean \"rate estimate\"?");
    process_refused("run config.json --thread 2",
                    "unknown option \"--thread\"; did you mean \"--threads\"?");
    process_refused("run config.json --out r",
                    "unknown option \"--out\"; did you mean \"--output\"?");
    process_refused("run config.json --seet=beta=1", "did you mean \"--set\"?");
    process_refused("run config.json -x", "unknown option \"-x\"; see 'regret run --help'");
    process_refused("cell config.json --exprot e", "did you mean \"--export\"?");
    process_refused("report r --tabel summary", "did you mean \"--table\"?");
    process_refused("doctor --frobnicate", "see 'regret doctor --help'");
    process_refused("rnu config.json", "did you mean \"run\"?");
    process_refused("reprot r", "unknown command \"reprot\"; did you mean \"report\"?");
    process_refused("rec r", "did you mean \"recommend\"?");
    process_refused("re r", "'regret --help' lists them"); /* the beginning of three */
    process_refused("''", "'regret --help' lists them");
    process_refused("--verison", "unknown option \"--verison\"; did you mean \"--version\"?");
    process_refused("--frobnicate", "'regret --help' tells of them");
    process_refused("-x", "'regret --help' lists them");
    process_refused("run config.json --hepl", "did you mean \"--help\"?");
    process_refused("pool synth newswier -o x", "did you mean \"newswire\"?");
    process_refused("pool synth summaries -o x",
                    "unknown generator \"summaries\"; there are newswire, newswire-ceiling and ");
    process_refused("report r --format htlm",
                    "unknown value of --format \"htlm\"; did you mean \"html\"?");
    process_refused("report r --format pdf", "it is one of text|md|csv|tex|html");
    process_refused("rate estimate r --se unpaird", "did you mean \"unpaired\"?");
    cr_assert_eq(process_run("pool"), 2);
    cr_assert_eq(process_run("import"), 2);
    cr_assert_eq(process_run("rate"), 2);
}

Test(help, wrong_values_and_counts)
{
    process_refused("run", "usage: regret run CONFIG");
    process_refused("run a.json b.json", "one argument too many: \"b.json\"");
    process_refused("run config.json -o", "--output wants a value: RUN");
    process_refused("run config.json --threads", "--threads wants a value: N");
    process_refused("run config.json --resume=yes", "--resume takes no value");
    process_refused("run config.json --resume --force -o r", "give one");
    static const char *const numbers[] = {"0",   "-1",   "' -1'", "+1",
                                          "1e3", "two",  "''",    "1.5",
                                          "0x2", "1025", "2x",    "99999999999999999999"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char arguments[100];
        snprintf(arguments, sizeof arguments, "run config.json -o r --threads %s", numbers[i]);
        process_refused(arguments, "--threads wants a whole number");
        cr_assert_not(process_exists("r"));
    }
    static const char *const shards[] = {"0/2",  "3/2",  "2",     "/",      "1/",  "a/b",
                                         "-1/2", "1/-2", "1/2/3", "'1/ 2'", "1/0", "1/9999999"};
    for (size_t i = 0; i < sizeof shards / sizeof *shards; i++) {
        char arguments[100];
        snprintf(arguments, sizeof arguments, "run config.json -o r --shard %s", shards[i]);
        process_refused(arguments, "--shard wants I/N");
        cr_assert_not(process_exists("r"));
    }
    process_refused("run config.json -o ''", "the output folder has no name");
    process_refused("cell config.json --cell -1 --export e", "--cell wants a whole number");
    process_refused("cell config.json --cell 2 --export e", "has cells 0 to 1, not 2");
    process_refused("config --set a=1", "name its file");
    process_refused("merge r", "-o RUN");
    process_refused("report r --format doc", "doc");
    process_refused("report r --table summary -o x", "leave out");
    process_refused("compare r", "usage: regret compare");
}

Test(help, options_may_stand_anywhere_and_end)
{
    cr_assert_eq(process_run("config --set n_exp=7 config.json -s n_obs=9 --set=seeds=3"), 0);
    process_wrote("\"n_exp\":7");
    process_wrote("\"n_obs\":9");
    process_wrote("\"seeds\":3");
    process_write("--odd.json", "{\"pool\": \"pool\"}");
    cr_assert_eq(process_run("config -- --odd.json"), 0, "%s", process_stderr);
    cr_assert_eq(process_run("config -s n_exp=7 -h"), 0);
    process_wrote("Usage: regret config");
    struct regret_buffer many = REGRET_BUFFER_INIT;
    regret_buffer_append(&many, "config config.json");
    for (int i = 0; i < 65; i++) {
        regret_buffer_append(&many, " -s n_exp=7");
    }
    process_refused(regret_buffer_get(&many), "--set is given more than 64 times");
    regret_buffer_free(&many);
}
