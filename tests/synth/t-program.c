/* regret-synth as it is run by hand. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "regret/file.h"

static char folder[] = "/tmp/regret-synth-XXXXXX", said[4096];

/* Runs "regret-synth ARGUMENTS", keeps both its streams, returns its exit code. */
static int run(const char *arguments)
{
    char command[1024];
    snprintf(command, sizeof command, "cd %s && %s %s 2>&1", folder, REGRET_SYNTH_PROGRAM,
             arguments);
    FILE *stream = popen(command, "r");
    cr_assert_not_null(stream);
    said[fread(said, 1, sizeof said - 1, stream)] = '\0';
    int status = pclose(stream);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void shows(const char *part)
{
    cr_expect_not_null(strstr(said, part), "no \"%s\" in:\n%s", part, said);
}

static void open_folder(void)
{
    cr_assert_not_null(mkdtemp(folder));
}

static void close_folder(void)
{
    cr_assert_eq(regret_folder_remove(folder), 0);
}

TestSuite(synth_program, .init = open_folder, .fini = close_folder, .timeout = 60);

Test(synth_program, makes_a_pool_that_regret_reads)
{
    cr_assert_eq(run("patches --seed 3 --issues 2 --draws 2 -o bugs"), 0, "%s", said);
    shows("bugs holds 2 issues, 12 agents, 48 outputs");
    cr_assert_eq(run("patches --issues 2 -o bugs"), 2);
    shows("exists already");
    cr_assert_eq(run("patches --issues 3 -o bugs --force && " REGRET_PROGRAM " pool validate bugs"),
                 0, "%s", said);
    shows("valid, 3 contexts, 12 agents, 36 outputs");
}

Test(synth_program, says_what_it_wants)
{
    cr_assert_eq(run("--help"), 0);
    shows("Examples:\n  regret-synth patches -o ");
    for (const char *p = said; *p != '\0'; p += strcspn(p, "\n") + 1) {
        cr_expect_leq(strcspn(p, "\n"), 100, "%.60s…", p);
    }
    static const char *const wrong[][2] = {
        {"", "usage: regret-synth patches -o POOL"},
        {"patches", "usage: regret-synth patches -o POOL"},
        {"news -o x", "see 'regret-synth --help'"},
        {"patches --issues 0 -o x", "0 issues asked for"},
        {"patches --issues 2x -o x", "--issues wants a whole number"},
        {"patches --articles 2 -o x", "articles"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_expect_eq(run(wrong[i][0]), 2, "%s", wrong[i][0]);
        shows(wrong[i][1]);
    }
}
