/* Shards, their merge and their threads. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/process.h"
#include "left_over.h"
#include "regret/status.h"

TestSuite(shards, .init = process_open, .fini = process_close);

static void dry_merge_is_refused(const char *arguments, const char *part)
{
    char command[128];
    snprintf(command, sizeof command, "merge %s", arguments);
    int code = process_run(command);
    cr_expect_eq(code, 2, "%s", process_stderr);
    process_said(part);
    char *said = strdup(process_stderr);
    snprintf(command, sizeof command, "merge %s --dry-run", arguments);
    cr_expect_eq(process_run(command), code, "%s", command);
    cr_expect_str_eq(process_stderr, said);
    free(said);
}

Test(shards, shards_and_merge)
{
    process_ok("run config.json -o whole -q --no-report");
    process_ok("run config.json -o s1 -q --shard 1/2");
    process_said("join them with 'regret merge'");
    cr_assert_str_empty(process_stdout);
    cr_assert_eq(process_run("merge s1 -o m"), 2);
    cr_assert_str_eq(process_stderr,
                     "regret: 2 of 4 replicates are not there, of shard 2/2 (missing); name the "
                     "folders of all shards, or compute what is missing and merge again\n"
                     "  shard 2/2 (not given) lacks seed 1, every cell\n"
                     "    regret run s1/run.json --shard 2/2 -o s2 --resume\n");
    process_refused("run config.json -o s1 --resume --shard 2/2",
                    "another shard (shard is \"1/2\" there, \"2/2\" here)");
    process_ok("run s1/run.json --shard 2/2 -o s2 --resume");
    process_ok("merge s2 s1 -o m");
    process_said("regret: joined 2 shards in m");
    cr_assert(process_exists("m/report/report.md"));
    process_same_rows("whole", "m");
    process_refused("merge s1 s2 -o m", "m exists already");
    process_ok("merge s1 s2 -o m --force --no-report");
    cr_assert_not(process_exists("m/report"));
    process_same_rows("whole", "m");
}

Test(shards, a_dry_merge_writes_nothing)
{
    process_ok("run config.json -o s1 -q --shard 1/2");
    process_ok("run config.json -o s2 -q --shard 2/2");
    process_ok("run config.json -o other -q --shard 2/2 --set beta=0");
    process_ok("merge s2 s1 -o m --dry-run");
    cr_expect_str_empty(process_stderr);
    cr_expect_str_eq(process_stdout,
                     "s2: shard 2/2, 2 of 2 replicates, 24 rows\n"
                     "s1: shard 1/2, 2 of 2 replicates, 24 rows\n"
                     "2 of 2 shards; rows: 48 found, 0 missing, 0 doubled (4 of 4 replicates)\n"
                     "would write m: run.json, rows and times of shard 1 of 1, report/\n");
    dry_merge_is_refused("s1 -o m", "regret run s1/run.json --shard 2/2 -o s2 --resume\n");
    process_wrote("1 of 2 shards; rows: 24 found, 24 missing, 0 doubled (2 of 4 replicates)\n");
    cr_expect_null(strstr(process_stdout, "would write"));
    process_ok("run s1/run.json --shard 1/2 -o s3 -q");
    dry_merge_is_refused("s1 s3 -o m", "s1 and s3 are both shard 1");
    process_wrote("s3: shard 1/2, 2 of 2 replicates, 24 rows; the same shard as s1\n");
    process_wrote("24 found, 24 missing, 24 doubled");
    dry_merge_is_refused("s1 other nowhere s2 -o m", "other is of another configuration than s1");
    process_wrote("other: refused: other is of another configuration");
    process_wrote("nowhere: refused: cannot open nowhere/run.json");
    process_wrote("\n2 of 2 shards; rows: 48 found, 0 missing, 0 doubled");
    dry_merge_is_refused("s1 s2 -o pool", "pool exists already");
    dry_merge_is_refused("s1 s2 -o pool --force", "pool has no run.json in it");
    cr_assert_not(process_exists("m"));
    cr_assert_eq(left_over(process_folder()), 0);
    process_ok("merge s1 s2 -o m --no-report");
    process_ok("merge s1 s2 -o m --force -n");
    process_wrote("report/; replaces what is there\n");
    cr_assert_not(process_exists("m/report"));
    cr_expect_eq(process_run("merge s1 s2 -o config.json/m -n"), 1);
    cr_expect_eq(process_run("merge s1 s2 -o new/folder/m -n"), 0);
    cr_assert_not(process_exists("new"));
}

/* A shard's bad row is named by the shard, and no merged folder is left. */
Test(shards, merging_what_is_damaged_leaves_nothing)
{
    process_ok("run config.json -o s1 -q --shard 1/2");
    process_ok("run config.json -o s2 -q --shard 2/2");
    char *rows = process_read("s2/results-2-of-2.jsonl");
    char *first = strchr(rows, '\n');
    first[-1] = '!';
    process_write("s2/results-2-of-2.jsonl", rows);
    regret_free(rows);
    process_refused("merge s1 s2 -o m", "s2/results-2-of-2.jsonl:1:");
    process_said("compute that shard again from there: regret run s2/run.json --shard 2/2 -o s2 ");
    cr_assert_not(process_exists("m"));
    cr_assert_eq(left_over(process_folder()), 0);
    process_ok("run config.json -o s2 -q --shard 2/2 --resume");
    process_said("regret: s2/results-2-of-2.jsonl:1:");
    process_said("; 0 replicates kept, the rest is computed again");
    process_ok("merge s1 s2 -o m");
    process_ok("run config.json -o one -q --shard 1/1 --seeds 1 --set beta=0");
    process_ok("merge one -o n");
    cr_assert_str_eq(process_stderr, "regret: joined 1 shard in n\n");
}

#define ARRAY(id, min, max, count, step)                                                           \
    "SLURM_ARRAY_TASK_ID=" id " SLURM_ARRAY_TASK_MIN=" min " SLURM_ARRAY_TASK_MAX=" max            \
    " SLURM_ARRAY_TASK_COUNT=" count " SLURM_ARRAY_TASK_STEP=" step

/* The shard is the task's place in its array; a part of an array is no array. */
Test(shards, shards_of_a_slurm_array)
{
    static const char *const refused[][2] = {
        {"", "SLURM_ARRAY_TASK_ID is not set; submit the command as a job array"},
        {"SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_MIN=1", "SLURM_ARRAY_TASK_MAX is not set"},
        {ARRAY("1", "1", "2", "2", ""), "SLURM_ARRAY_TASK_STEP is not set"},
        {ARRAY("1", "1", "x", "2", "1"), "SLURM_ARRAY_TASK_MAX is \"x\", not a whole number"},
        {ARRAY("-1", "1", "2", "2", "1"), "SLURM_ARRAY_TASK_ID is \"-1\", not a whole number"},
        {ARRAY("3", "3", "3", "1", "1"), "SLURM_ARRAY_TASK_MIN is 3, so this is a part of an"},
        {ARRAY("7", "1", "7", "3", "1"), "SLURM_ARRAY_TASK_COUNT is 3, but tasks from 1 to 7"},
        {ARRAY("7", "1", "7", "3", "1"), "the array has gaps; submit it whole, as in --array=1-3"},
        {ARRAY("1", "1", "2", "2", "0"), "SLURM_ARRAY_TASK_COUNT is 2"},
        {ARRAY("3", "1", "2", "2", "1"), "SLURM_ARRAY_TASK_ID is 3, which is not among 1 to 2"},
        {ARRAY("1", "0", "4", "3", "2"), "SLURM_ARRAY_TASK_ID is 1, which is not among 0 to 4"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        cr_expect_eq(process_run_in(refused[i][0], "run config.json --shard slurm -o r"), 2);
        process_said(refused[i][1]);
        cr_expect_not(process_exists("r"));
    }
    static const char run[] = "run config.json --shard slurm -q --resume -o ";
    static const char *const arrays[][2] = {{ARRAY("0", "0", "1", "2", "1"), "a1"},
                                            {ARRAY("1", "0", "1", "2", "1"), "a2"},
                                            {ARRAY("1", "1", "5", "2", "4"), "b1"},
                                            {ARRAY("5", "1", "5", "2", "4"), "b2"}};
    process_ok("run config.json -o whole -q --no-report");
    for (size_t i = 0; i < 4; i++) {
        char arguments[80];
        snprintf(arguments, sizeof arguments, "%s%s", run, arrays[i][1]);
        cr_assert_eq(process_run_in(arrays[i][0], arguments), 0, "%s", process_stderr);
        cr_assert_eq(process_run_in(arrays[i][0], arguments), 0, "again");
        process_said("complete already: shard ");
    }
    process_ok("merge a1 b2 -o m --no-report");
    process_same_rows("whole", "m");
    process_ok("merge a2 b1 -o n --no-report");
    process_same_rows("whole", "n");
}

/* Threads are those of the job and of the mask, not the machine's. */
Test(shards, threads_follow_the_allocation)
{
    static const char run[] = "run config.json --force -o t --no-report";
    cr_assert_eq(process_run_in("SLURM_JOB_ID=7 SLURM_CPUS_PER_TASK=1 SLURM_CPUS_ON_NODE=64", run),
                 0);
    process_said(" on 1 thread;");
    cr_assert_eq(process_run_in("taskset -c $(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')", run),
                 0, "%s", process_stderr);
    process_said(" on 1 thread;");
}

Test(shards, more_threads_than_processors)
{
    process_ok("run config.json -o r -q --no-report --threads 1");
    cr_assert_str_eq(process_stderr, "regret: wrote the rows to r\n");
    process_ok("run config.json -o r -q --no-report --threads 1000 --resume");
    process_said("regret: --threads 1000 is more than the ");
    process_said(
        "this process may use; more threads than that take more memory and are no faster\n");
    process_ok("cost config.json --threads 1000"); /* of another machine, it may be */
    cr_assert_null(strstr(process_stderr, "is more than"));
}
