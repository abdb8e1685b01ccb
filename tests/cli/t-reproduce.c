/* benchmarks/reproduce.sh in a tree of its own: the script, this build's program in the place of the
 * one it would build, and a small configuration in the place of the main one. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/process.h"
#include "regret/buffer.h"
#include "regret/status.h"

static void make_folder(const char *name)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", process_folder(), name);
    cr_assert_eq(regret_folder_create(path), 0);
}

static void open_tree(void)
{
    static const char *const folders[] = {"benchmarks", "cmake", "build/release", "configs"};
    char path[300], *script = NULL;
    process_open();
    for (size_t i = 0; i < 4; i++) {
        make_folder(folders[i]);
    }
    cr_assert_eq(
        regret_file_read(&script, NULL, REGRET_SOURCE_FOLDER "/benchmarks/reproduce.sh", 1 << 20),
        0);
    process_write("benchmarks/reproduce.sh", script);
    process_write("cmake/prepare.sh", "[ \"$1\" = release ]\n");
    snprintf(path, sizeof path, "%s/build/release/regret", process_folder());
    cr_assert_eq(symlink(REGRET_PROGRAM, path), 0);
    process_write("configs/main.json",
                  "{\"pool\": \"../pool\", \"contexts.hard\": 0, \"seeds\": 2, "
                  "\"n_obs\": 40, \"n_exp\": 30, \"features.buckets\": 256, "
                  "\"proxy.dim\": 4}\n");
    regret_free(script);
}

TestSuite(reproduce, .init = open_tree, .fini = process_close);

static char *out, *err;

/* Runs the script from `folder` of the tree and keeps what it says until the next call. */
static int reproduce(const char *folder, const char *arguments)
{
    char command[1200];
    regret_free(out);
    regret_free(err);
    snprintf(
        command, sizeof command,
        "cd %s && top=$PWD && cd %s && sh $top/benchmarks/reproduce.sh %s >$top/out 2>$top/err",
        process_folder(), folder, arguments);
    int status = system(command);
    out = process_read("out");
    err = process_read("err");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The summary of `cells` cells, and last the path of a report that exists. */
static void made(const char *run, const char *cells)
{
    char line[300], path[300];
    snprintf(line, sizeof line, "\nThe whole report: %s/report/report.md, and", run);
    cr_expect_not_null(strstr(out, line), "no %s in %s", line, out);
    cr_expect_not_null(strstr(out, cells), "no \"%s\" in %s", cells, out);
    snprintf(path, sizeof path, "%s/report/report.md", run);
    cr_expect(run[0] == '/' ? regret_file_exists(path) : process_exists(path), "%s", path);
}

Test(reproduce, the_run_that_was_made_is_shown)
{
    cr_assert_eq(reproduce(".", ""), 0, "%s", err);
    made("runs/main", "1 of 1 cells ranked");
    cr_assert_eq(reproduce(".", "-q"), 0, "%s", err);
    cr_expect_not_null(strstr(err, "regret: the run is complete"), "%s", err);
    cr_assert_eq(reproduce(".", "--set sweep.beta=[0,1] -o mine"), 0, "%s", err);
    made("mine", "2 of 2 cells ranked");
    cr_assert_eq(reproduce(".", "-s sweep.beta=[0,1,2] --output='my own' -q config.json"), 0, "%s",
                 err);
    made("my own", "3 of 3 cells ranked");
    cr_assert_eq(reproduce(".", "--output=mine --force --seeds 1 -j 1"), 0, "%s", err);
    made("mine", "1 of 1 cells ranked");
    cr_assert_eq(reproduce(".", "config.json -oother"), 0, "%s", err);
    made("other", "2 of 2 cells ranked");
}

Test(reproduce, from_another_folder)
{
    char run[300];
    cr_assert_eq(reproduce("configs", "-o here --seeds 1"), 0, "%s", err);
    cr_expect_not_null(strstr(out, "The whole report: here/report/report.md"), "%s", out);
    cr_expect(process_exists("configs/here/report/report.md"));
    cr_assert_eq(reproduce("configs", ""), 0, "%s", err);
    snprintf(run, sizeof run, "%s/runs/main", process_folder());
    made(run, "1 of 1 cells ranked");
}

Test(reproduce, help_and_what_is_wrong)
{
    cr_assert_eq(reproduce(".", "--help"), 0);
    cr_expect_eq(strncmp(out, "Usage: benchmarks/reproduce.sh ", 31), 0, "%s", out);
    cr_expect_str_empty(err, "nothing is built for it");
    cr_assert_eq(reproduce(".", "config.json -h"), 0);
    cr_expect_eq(strncmp(out, "Usage: ", 7), 0);
    cr_expect_eq(reproduce(".", "-o"), 2);
    cr_expect_eq(reproduce(".", "config.json more.json"), 2);
    cr_expect_eq(reproduce(".", "--set n_obbs=5"), 2);
    cr_expect_not_null(strstr(err, "did you mean \"n_obs\"?"), "%s", err);
    cr_expect_str_empty(out, "no table and no path of a run that is not there");
    cr_expect_not(process_exists("runs"));
    cr_assert_eq(reproduce(".", "--no-report -o rows"), 0, "%s", err);
    cr_expect_null(strstr(out, "The whole report"), "there is none");
}
