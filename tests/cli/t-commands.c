/* Runs, merges, reports, cells: what is written where, and how it ends. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cJSON.h>

#include "cli/process.h"
#include "left_over.h"
#include "regret/buffer.h"
#include "regret/status.h"

TestSuite(commands, .init = process_open, .fini = process_close);

/* While one process writes to a run folder, another is told so in a line and fails. */
Test(commands, a_folder_in_use_is_refused)
{
    char path[300];
    process_ok("run config.json -o r -q --no-report");
    snprintf(path, sizeof path, "%s/r/run.json", process_folder());
    int held = open(path, O_RDONLY);
    cr_assert_eq(flock(held, LOCK_EX | LOCK_NB), 0);
    static const char *const commands[] = {
        "run config.json -o r --resume", "run config.json -o r --force",
        "run config.json -o r --resume --dry-run", "run config.json -o r --force --dry-run"};
    for (size_t i = 0; i < 4; i++) {
        cr_assert_eq(process_run(commands[i]), 1, "%s", process_stderr);
        cr_assert_str_eq(process_stderr, "regret: another process is writing to r; wait for it, or "
                                         "give another folder\n");
    }
    process_ok("report r --table summary"); /* reading needs no lock */
    process_ok("compare r r");
    close(held);
    process_ok("run config.json -o r -q --resume");
}

/* Those of the exports, of all seeds and folds at once; cells that split alike are together. */
Test(commands, splits_of_all_seeds)
{
    process_ok("cell config.json --splits --set contexts.folds=2 --set first_seed=5");
    cr_assert_str_empty(process_stderr);
    cJSON *json = cJSON_Parse(process_stdout);
    cr_assert_not_null(json);
    cr_expect_str_eq(cJSON_GetObjectItem(json, "format")->valuestring, "regret-splits-1");
    const cJSON *groups = cJSON_GetObjectItem(json, "groups"), *group = groups->child;
    cr_assert_eq(cJSON_GetArraySize(groups), 1);
    cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItem(group, "cells")), 2);
    const cJSON *contexts = cJSON_GetObjectItem(group, "contexts"), *split = NULL;
    int held[2] = {0}, n = 0;
    cJSON_ArrayForEach(split, cJSON_GetObjectItem(group, "splits"))
    {
        int seed = cJSON_GetObjectItem(split, "seed")->valueint - 5;
        cr_assert(seed == n / 2 && cJSON_GetObjectItem(split, "fold")->valueint == n % 2);
        held[seed] += cJSON_GetArraySize(cJSON_GetObjectItem(split, "test"));
        cr_expect_null(cJSON_GetObjectItem(split, "reference"));
        n++;
    }
    cr_expect_eq(n, 4);
    cr_expect_eq(held[0], cJSON_GetArraySize(contexts), "each context is held out once a seed");
    cr_expect_eq(held[1], held[0]);
    cJSON_Delete(json);
    process_ok("cell config.json --splits --set sweep.contexts.reference=[0,0.5] "
               "--set contexts.train_share=0.3");
    process_wrote("{\"cells\":[0,2],");
    process_wrote("{\"cells\":[1,3],");
    process_wrote("\"reference\":[");
    process_refused("cell config.json --splits --export e", "give one");
}

/* A write that fails in the middle of a replicate (here by a limit on the size of files, 8 or 16
 * KiB by the shell) ends the run; nothing is written after the torn rows, and resuming repairs them.
 */
Test(commands, a_failed_write_is_repaired_by_resuming)
{
    char command[512];
    process_ok("run config.json -o whole -q --no-report --set seeds=20");
    snprintf(command, sizeof command,
             "cd %s && (trap '' XFSZ; ulimit -f 16; %s run config.json -o torn -q -j 4 --set "
             "seeds=20) 2>said",
             process_folder(), REGRET_PROGRAM);
    int status = system(command);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 1, "status %d", status);
    char *said = process_read("said"), *torn = process_read("torn/results-1-of-1.jsonl");
    char *whole = process_read("whole/results-1-of-1.jsonl");
    cr_assert_not_null(strstr(said, "regret: cannot write torn/results-1-of-1.jsonl: "), "%s",
                       said);
    cr_assert_not_null(strstr(said, " of 40 replicates are written, --resume goes on"), "%s", said);
    cr_assert(torn[0] != '\0' && strncmp(torn, whole, strlen(torn)) == 0, "a prefix of the rows");
    regret_free(said);
    regret_free(torn);
    regret_free(whole);
    process_ok("run config.json -o torn -q --no-report --resume --set seeds=20");
    process_same_rows("whole", "torn");
}

/* A full disk behind stdout is an error, not silence. */
Test(commands, lost_output_is_a_failure)
{
    static const char *const commands[] = {"config", "cell config.json",   "--version",
                                           "--help", "doctor --threads 1", "pool list ."};
    if (access("/dev/full", W_OK) != 0) {
        cr_skip_test("no /dev/full here");
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char arguments[100];
        snprintf(arguments, sizeof arguments, "%s >/dev/full", commands[i]);
        cr_expect_eq(process_run(arguments), 1, "%s", arguments);
        process_said("cannot write to standard output: No space left on device; what was written "
                     "to files stands");
    }
}

/* `| head`: whoever has read enough need not hear of it. */
Test(commands, a_reader_that_went_away)
{
    enum { ONE_DIGIT = 9 }; /* as a shell wants it */
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    close(ends[0]);
    cr_assert_eq(dup2(ends[1], ONE_DIGIT), ONE_DIGIT);
    cr_expect_eq(process_run("config >&9"), 1);
    cr_expect_str_empty(process_stderr);
    cr_expect_eq(process_run("pool stats pool --json >&9"), 1);
    cr_expect_str_empty(process_stderr);
    close(ONE_DIGIT);
}

/* A replicate of ten million rows takes seconds and 750 MB: a smaller one tells. */
Test(commands, a_dry_run_of_many_rows_draws_few)
{
    struct rusage usage;
    process_ok("run config.json -o r --dry-run --threads 1 --set n_exp=10000000");
    process_wrote("takes     about ");
    cr_assert_eq(getrusage(RUSAGE_CHILDREN, &usage), 0);
    cr_expect_lt(usage.ru_maxrss, 500000);
}

/* Tags are called by their own names wherever they are told or asked for; "a b" and "a-b" are two. */
Test(commands, tags_keep_their_own_names)
{
    static const char *const TAGS[] = {"a b", "a-b", "../up", "emoji \xf0\x9f\x98\x80"};
    struct regret_buffer table = REGRET_BUFFER_INIT;
    regret_buffer_append(&table, "id,prompt,kind,model,score\n");
    for (size_t i = 0; i < 120; i++) {
        regret_buffer_printf(&table, "q%zu,ask %zu,%s,m%zu,%zu\n", i / 2, i / 2, TAGS[i / 2 % 4],
                             i % 2, (i * 7 + i / 3) % 5 + 1);
    }
    process_write("tags.csv", regret_buffer_get(&table));
    regret_buffer_free(&table);
    cr_assert_eq(process_run("init tags.csv -o t"), 0);
    cr_assert_eq(process_run("import csv tags.csv --map t/map.json -o t/pool"), 0);
    cr_assert_eq(process_run("run t/config.json -o t/run -q --seeds 3 --set n_obs=60 --set "
                             "'sweep.n_exp=[30]' --set 'families=[\"exp-only\"]'"),
                 0);
    process_run("report t/run --table means --format json");
    process_wrote("\"emoji \xf0\x9f\x98\x80\"");
    char *page = process_read("t/run/report/report.html");
    cr_expect_not_null(strstr(page, "emoji \xf0\x9f\x98\x80"));
    regret_free(page);
}
