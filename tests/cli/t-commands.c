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

Test(commands, run_report_and_compare)
{
    process_ok("run config.json -o r --threads 1");
    cr_assert_str_eq(process_stdout, "r/report/report.md\n", "stdout only names the report");
    process_said("regret: 2 cells x 2 seeds; 4 replicates in");
    cr_assert(process_exists("r/report/report.md"));
    cr_assert(process_exists("r/report/results.csv"));
    process_ok("run config.json -o q --quiet --no-report -j 2");
    cr_assert_str_empty(process_stdout);
    cr_assert_str_eq(process_stderr, "regret: wrote the rows to q\n");
    cr_assert_not(process_exists("q/report"));
    process_same_rows("r", "q");
    process_ok("report r --table summary --format csv");
    cr_assert_str_empty(process_stderr);
    process_wrote("grounded");
    process_refused("report r --table summry", "summary");
    process_refused("report nowhere", "nowhere");
    process_refused("report pool", "run.json");
    process_ok("report q -o elsewhere");
    cr_assert_str_empty(process_stdout);
    cr_assert(process_exists("elsewhere/report.md"));
    cr_assert_eq(process_run("recommend r"), 3, "two seeds of few contexts tell nothing");
    process_wrote("CANNOT TELL");
    cr_assert_str_empty(process_stderr);
    cr_assert_eq(process_run("recommend r --format md"), 3);
    process_wrote("Contexts, by");
    process_ok("recommend r --cell 1 --format csv --safe-csv");
    process_wrote("context,tag,by,votes,agent,share,replicates,value,value_low,value_high,margin,");
    process_ok("recommend r --format json");
    process_wrote("{\"format\":\"regret-recommend-3\"");
    process_refused("recommend r --cell 2", "the run has cells 0 to 1");
    process_refused("recommend r --agent nobody", "the run has no agent \"nobody\"");
    process_refused("recommend r --format html", "it is one of text|md|csv|json");
    process_refused("recommend nowhere", "nowhere");
    process_ok("compare r q --format csv");
    cr_assert_str_empty(process_stderr);
    process_wrote("cvci");
    process_refused("compare r nowhere", "nowhere");
    process_ok("run config.json -o s --quiet --no-report --set spread.within=2");
    process_ok("compare r s"); /* another reading of the same pool */
    char *run = process_read("s/run.json"), *digest = strstr(run, "\"digest\":\"");
    cr_assert_not_null(digest);
    digest[strlen("\"digest\":\"")] ^= 1; /* one hexadecimal digit becomes another */
    process_write("s/run.json", run);
    regret_free(run);
    process_refused("compare r s", "what differs may be the data; compare runs of one pool, or add "
                                   "--different-pools");
    process_ok("compare r s --different-pools");
    process_wrote("The runs are not known to use the same pool");
}

Test(commands, run_default_folder)
{
    process_ok("run config.json -q");
    cr_assert_str_eq(process_stdout, "runs/config/report/report.md\n");
    process_refused("run config.json -q", "runs/config exists already");
    process_ok("run config.json -q --resume");
    cr_assert_str_eq(process_stderr,
                     "regret: the run is complete, nothing was left to do in runs/config\n");
    cr_assert_str_eq(process_stdout, "runs/config/report/report.md\n");
    process_ok("run config.json -q --force");
}

Test(commands, counts_of_one_are_singular)
{
    process_ok("run config.json -o r --seeds 1 --set beta=0 -j 1 --no-report");
    process_said("regret: 1 cell x 1 seed; 1 replicate in ");
    process_said("/s on 1 thread;");
}

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

Test(commands, cells_and_exports)
{
    process_ok("cell config.json");
    cr_assert_str_eq(process_stdout,
                     "{\"cell\":0,\"key\":{\"reward.map\":\"smooth\",\"beta\":0,\"n_obs\":40,"
                     "\"n_exp\":30}}\n{\"cell\":1,\"key\":{\"reward.map\":\"smooth\",\"beta\":1,"
                     "\"n_obs\":40,\"n_exp\":30}}\n");
    process_ok("cell config.json --cell 1 --seed 1 --export e");
    cr_assert_str_empty(process_stdout);
    cr_assert_str_eq(process_stderr, "regret: wrote e\n");
    static const char *const files[] = {"cell.json",  "phi.mtx",         "z-aux-svd.csv",
                                        "obs.csv",    "exp.csv",         "target.csv",
                                        "folds.json", "predictions.csv", "values.csv",
                                        "hyper.json", "intervals.csv",   "differences.csv"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char name[64];
        snprintf(name, sizeof name, "e/%s", files[i]);
        cr_assert(process_exists(name), "%s", name);
    }
    process_refused("cell config.json --export e", "e exists already");
    process_refused("cell config.json --export pool --force", "is not replaced");
    process_ok("cell config.json --export e --force --set values.enabled=false");
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

Test(commands, folders_that_cannot_be_written_fail_with_one)
{
    process_write("file", "");
    cr_assert_eq(process_run("run config.json -o file/r"), 1, "%s", process_stderr);
    process_said("cannot create folder file");
    cr_assert_eq(process_run("cell config.json --export file/e"), 1, "%s", process_stderr);
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

Test(commands, a_spreadsheet_runs_nothing_of_a_guarded_table)
{
    process_write("r.jsonl",
                  "{\"id\":\"1\",\"dataset\":\"=cmd()\",\"attribute\":\"a\",\"w\":true,\"scores\":"
                  "{\"+m\":{\"original\":1,\"rewrite\":2,\"rewrite_of_rewrite\":1.5}}}\n"
                  "{\"id\":\"2\",\"dataset\":\"=cmd()\",\"attribute\":\"a\",\"w\":true,\"scores\":"
                  "{\"+m\":{\"original\":2,\"rewrite\":2,\"rewrite_of_rewrite\":1.5}}}\n");
    process_ok("rate estimate r.jsonl -f csv --safe-csv");
    process_wrote("\n'=cmd(),a,'+m,naive,");
    process_ok("rate estimate r.jsonl -f csv");
    process_wrote("\n=cmd(),a,+m,naive,");
    process_ok("run config.json -o guarded -q");
    process_ok("report guarded --safe-csv --table summary -f csv");
    process_wrote("block,row,column,value,se,text\n");
    process_ok("report guarded --safe-csv -o safe");
    cr_assert(process_exists("safe/results.csv"));
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

Test(commands, doctor)
{
    process_ok("doctor --threads 1");
    process_wrote("self-check  passed on 1 thread,");
    process_refused("doctor now", "one argument too many");
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

Test(commands, a_dry_run_writes_nothing)
{
    process_ok("run config.json -o r --dry-run --threads 1");
    process_wrote("computes  2 cells x 2 seeds = 4 replicates\n");
    process_wrote("takes     about ");
    process_wrote("writes    r: run.json, rows and times of shard 1 of 1");
    process_wrote(", report/\n");
    cr_expect_str_empty(process_stderr);
    cr_assert_not(process_exists("r"));
    cr_assert_not(process_exists("runs"));
    process_ok("run config.json -n --shard 2/2 --seeds 3 -o r");
    process_wrote("= 6 replicates; shard 2 of 2 has 3 to 3 of them");
    cr_assert_null(strstr(process_stdout, "report/"));
    process_refused("run config.json -o r -n --set n_obs=0", "n_obs");
    process_refused("run config.json -o r -n --shard 2/9", "4 replicates to share out");
    process_ok("run config.json -o r -q --no-report");
    char *before = process_read("r/run.json");
    process_refused("run config.json -o r -n", "--resume goes on with it, --force replaces it");
    process_ok("run config.json -o r -n --force --set beta=0");
    process_wrote("; replaces what is there\n");
    process_ok("run config.json -o r -n --resume");
    process_wrote("there     4 of 4 replicates, 48 of 48 rows; 0 replicates, 0 rows to go\n");
    process_wrote("writes    r: report/; the run is complete\n");
    cr_assert_eq(process_run("run config.json -o pool -n --force"), 2);
    process_said("pool has no run.json in it");
    char *after = process_read("r/run.json");
    cr_assert_str_eq(before, after);
    regret_free(before);
    regret_free(after);
}

/* Says what resuming would do, refuses what it would, and repairs nothing. */
Test(commands, a_dry_run_of_what_is_begun)
{
    process_ok("run config.json -o r -q --no-report --threads 1");
    char *rows = process_read("r/results-1-of-1.jsonl"), *end = rows;
    for (size_t line = 0; line < 3 * 12 + 5; line++) { /* of the last replicate a part */
        end = strchr(end, '\n') + 1;
    }
    end[-20] = '\0';
    process_write("r/results-1-of-1.jsonl", rows);
    process_ok("run config.json -o r -n --resume --no-report");
    process_said("results-1-of-1.jsonl is cut: 3 replicates kept, the rest is computed again");
    process_wrote("there     3 of 4 replicates, 36 of 48 rows; 1 replicate, 12 rows to go\n");
    process_wrote("; goes on with what is there\n");
    char *after = process_read("r/results-1-of-1.jsonl");
    cr_expect_str_eq(after, rows);
    regret_free(after);
    regret_free(rows);
    process_refused("run config.json -o r -n --resume --set n_obs=41",
                    "r is a run of another configuration");
    process_refused("run config.json -o pool -n --resume", "pool has no run.json");
    process_ok("run config.json -o new -n --resume --shard 2/2");
    process_wrote("there     0 of 2 replicates, 0 of 24 rows; 2 replicates, 24 rows to go\n");
    cr_assert_not(process_exists("new"));
    cr_assert_eq(process_run("run config.json -o config.json/r -n"), 1);
    process_said("regret: cannot create folder config.json/r: Not a directory");
    process_ok("run config.json -o r -q --resume --no-report");
    process_ok("run config.json -o r -n --resume --no-report");
    process_wrote("writes    r: nothing; all rows are there\n");
}

Test(commands, pools_are_listed)
{
    process_ok("pool list .");
    process_wrote("./pool\t");
    process_wrote("SYNTHETIC\t");
    process_ok("pool list pool");
    process_wrote("pool\t");
    char folder[256];
    snprintf(folder, sizeof folder, "%s/broken", process_folder());
    cr_assert_eq(mkdir(folder, 0700), 0);
    process_write("broken/pool.json", "{}");
    process_ok("pool list broken");
    process_wrote("broken\tbroken: ");
    process_ok("pool list"); /* those that can be given by name */
    process_wrote(REGRET_SOURCE_FOLDER "/data/pools/newswire\t");
    snprintf(folder, sizeof folder, "%s/none", process_folder());
    cr_assert_eq(mkdir(folder, 0700), 0);
    process_ok("pool list none");
    process_said("no pools there");
    process_refused("pool list nowhere", "not a folder that can be read");
}

Test(commands, numbers_out_of_range_and_beginnings_of_options)
{
    process_refused("cost config.json --shards 0",
                    "--shards wants a whole number from 1 to 1000000");
    process_refused("plan config.json --difference nan", "not \"nan\"");
    process_refused("cost config.json --shard 1", "did you mean \"--shards\"?");
    process_refused("cost config.json --s 1", "unknown option \"--s\"; see 'regret cost --help'");
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
    process_run("recommend t/run --format csv");
    for (size_t k = 0; k < 4; k++) {
        char part[100];
        snprintf(part, sizeof part, ",%s,exp-only,", TAGS[k]);
        process_wrote(part);
    }
    process_run("recommend t/run --tag 'a b'");
    process_wrote("a b ");
    cr_expect_null(strstr(process_stdout, "a-b"));
    process_refused("recommend t/run --tag a_b", "the run has no tag \"a_b\"");
    process_run("report t/run --table means --format json");
    process_wrote("\"emoji \xf0\x9f\x98\x80\"");
    char *page = process_read("t/run/report/report.html");
    cr_expect_not_null(strstr(page, "emoji \xf0\x9f\x98\x80"));
    regret_free(page);
}

/* Two agents that people take for one are told of; both stay. */
Test(commands, import_names_agents_that_look_like_one)
{
    process_write("t.csv", "id,prompt,agent,score\n1,what,gpt 4,1\n1,what,GPT 4 ,0\n"
                           "2,who,gpt 4,0\n2,who,GPT 4 ,1\n");
    process_ok("init t.csv -o t");
    process_ok("import csv t.csv --map t/map.json -o t/pool");
    process_said("agents \"GPT 4\" and \"gpt 4\" differ in blanks, dashes, leading zeros, case or");
}
