/* Configurations and pools that are given by name. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/process.h"
#include "regret/status.h"

TestSuite(find, .init = process_open, .fini = process_close);

static void make_folder(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", process_folder(), name);
    cr_assert_eq(mkdir(path, 0755), 0);
}

static void move(const char *from, const char *to)
{
    char a[512], b[512];
    snprintf(a, sizeof a, "%s/%s", process_folder(), from);
    snprintf(b, sizeof b, "%s/%s", process_folder(), to);
    cr_assert_eq(rename(a, b), 0);
}

Test(find, configurations_of_the_source_tree_where_it_was_built)
{
    cr_assert_eq(process_run("config main"), 0, "%s", process_stderr);
    process_wrote("\"paper\":\"T4,T5,T6\"");
    process_said("regret: main is " REGRET_SOURCE_FOLDER "/configs/main.json\n");
    cr_assert_eq(process_run("config main.json"), 0);
    cr_assert_eq(process_run("cell smoke"), 0);
    process_wrote("{\"cell\":3,");
    process_refused("run mian", "unknown configuration \"mian\"; did you mean \"main\"?");
    process_refused("cost nothing",
                    "there is no such file here, nor in " REGRET_SOURCE_FOLDER "/configs");
    process_refused("plan configs/main", "cannot open configs/main");
    process_refused("run ../main", "cannot open ../main");
    process_refused("run .main", "cannot open .main");
}

Test(find, an_existing_path_wins)
{
    process_write("main", "{\"pool\": \"pool\", \"title\": \"my own\"}");
    cr_assert_eq(process_run("config main"), 0);
    process_wrote("\"title\":\"my own\"");
    cr_expect_str_empty(process_stderr);
    make_folder("shelf");
    cr_assert_eq(process_run("pool pack pool -o shelf/pool"), 0);
    cr_assert_eq(process_run_in("REGRET_POOL_PATH=shelf", "pool validate pool"), 0);
    process_wrote("pool: valid");
    cr_expect_str_empty(process_stderr);
}

Test(find, pools_on_the_path_in_their_order)
{
    make_folder("first");
    make_folder("second");
    make_folder("first/mine"); /* no pool */
    move("pool", "second/mine");
    process_write("c.json", "{\"pool\": \"mine\", \"seeds\": 1, \"n_obs\": 100, \"n_exp\": 40}");
    process_refused("run c.json -o r",
                    "there is no pool \"mine\"; looked for mine, " REGRET_SOURCE_FOLDER
                    "/data/pools/mine; REGRET_POOL_PATH");
    cr_assert_eq(process_run("config c.json"), 0, "a configuration is shown without its pool");
    const char *path = "REGRET_POOL_PATH=:/nowhere:first:second";
    cr_assert_eq(process_run_in(path, "run c.json -o r --quiet"), 0, "%s", process_stderr);
    process_said("regret: pool mine is second/mine\n");
    char *run = process_read("r/run.json");
    cr_assert_not_null(strstr(run, "\"pool\":\"second/mine\""), "the path that was found is kept");
    regret_free(run);
    cr_assert_eq(process_run("run r/run.json -o again --quiet"), 0, "%s", process_stderr);
    cr_assert_eq(process_run_in(path, "run config.json --set pool=mine --seeds 1 -o s --quiet"), 0);
    cr_assert_eq(process_run_in(path, "pool stats mine"), 0);
    process_said("regret: pool mine is second/mine\n");
    cr_assert_eq(process_run_in(path, "pool list"), 0);
    process_wrote("second/mine\t");
    process_wrote(REGRET_SOURCE_FOLDER "/data/pools/newswire\t");
    cr_assert_eq(process_run_in("REGRET_POOL_PATH=second", "pool pack mine -o packed"), 0);
    cr_assert(process_exists("packed/pool.json"));
}

/* Of a configuration in a folder, whose pools are told from there. */
Test(find, pools_of_a_configuration_elsewhere)
{
    make_folder("far");
    make_folder("shelf");
    move("pool", "shelf/mine");
    process_write("far/c.json", "{\"pool\": \"mine\"}");
    process_write("far/path.json", "{\"pool\": \"shelf/mine\"}");
    process_write("far/up.json", "{\"pool\": \"..\"}");
    process_write("far/hidden.json", "{\"pool\": \".mine\"}");
    process_write("far/many.json", "{\"pool\": \"\\u001b[31m\"}");
    const char *path = "REGRET_POOL_PATH=shelf";
    cr_assert_eq(
        process_run_in(path, "run far/c.json --seeds 1 --set n_obs=100 --set n_exp=40 -o r -q"), 0);
    static const char *const others[] = {"far/path.json", "far/up.json", "far/hidden.json",
                                         "far/many.json"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char arguments[64];
        snprintf(arguments, sizeof arguments, "run %s -o s", others[i]);
        cr_expect_eq(process_run_in(path, arguments), 2, "%s", others[i]);
        cr_expect_null(strstr(process_stderr, "shelf/mine\n"), "%s", process_stderr);
    }
    process_refused("pool show nowhere",
                    "looked for nowhere, " REGRET_SOURCE_FOLDER "/data/pools/nowhere");
    process_refused("pool validate ../pool", "../pool is not a folder");
}

/* Read once, though twice asked for; paths in it begin where we are, and a run of it has no name but what it is given. */
Test(find, a_configuration_from_standard_input)
{
    char command[512];
    cr_assert_eq(process_run("run config.json -o file -q"), 0, "%s", process_stderr);
    cr_assert_eq(process_run("run - -o piped -q <config.json"), 0, "%s", process_stderr);
    char *file = process_read("file/run.json"), *piped = process_read("piped/run.json");
    cr_assert_str_eq(piped, file);
    regret_free(file);
    regret_free(piped);
    file = process_read("file/results-1-of-1.jsonl");
    piped = process_read("piped/results-1-of-1.jsonl");
    cr_assert_str_eq(piped, file);
    regret_free(file);
    regret_free(piped);
    snprintf(command, sizeof command, "run - -o piped -q --resume <%s/config.json",
             process_folder());
    cr_assert_eq(process_run(command), 0, "%s", process_stderr);
    process_said("the run is complete, nothing was left to do in piped");
    process_refused("run - -o piped -q --resume --set beta=2 <config.json",
                    "piped is a run of another configuration");
    cr_assert_eq(process_run("config - --set seeds=1 <config.json"), 0, "%s", process_stderr);
    process_write("resolved.json", process_stdout);
    cr_assert_eq(process_run("run - -n -o r <resolved.json"), 0, "%s", process_stderr);
    process_wrote("2 cells x 1 seeds");
    cr_assert_not(process_exists("r"));
}
