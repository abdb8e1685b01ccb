/* Runs, merges, reports, cells: what is written where, and how it ends. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cJSON.h>

#include "cli/process.h"
#include "left_over.h"
#include "regret/alloc.h"
#include "regret/buffer.h"

TestSuite(commands, .init = process_open, .fini = process_close);

static void ok(const char *arguments)
{
    int code = process_run(arguments);
    cr_assert_eq(code, 0, "%d for: regret %s\n%s", code, arguments, process_stderr);
}

static void same_rows(const char *a, const char *b)
{
    char name[128];
    snprintf(name, sizeof name, "%s/results-1-of-1.jsonl", a);
    char *x = process_read(name);
    snprintf(name, sizeof name, "%s/results-1-of-1.jsonl", b);
    char *y = process_read(name);
    cr_assert(x[0] != '\0' && strcmp(x, y) == 0, "%s and %s differ", a, b);
    regret_free(x);
    regret_free(y);
}

Test(commands, run_report_and_compare)
{
    ok("run config.json -o r --threads 1");
    cr_assert_str_eq(process_stdout, "r/report/report.md\n", "stdout only names the report");
    process_said("regret: 2 cells x 2 seeds; 4 replicates in");
    cr_assert(process_exists("r/report/report.md"));
    cr_assert(process_exists("r/report/results.csv"));
    ok("run config.json -o q --quiet --no-report -j 2");
    cr_assert_str_empty(process_stdout);
    cr_assert_str_eq(process_stderr, "regret: wrote the rows to q\n");
    cr_assert_not(process_exists("q/report"));
    same_rows("r", "q");
    ok("report r --table summary --format csv");
    cr_assert_str_empty(process_stderr);
    process_wrote("grounded");
    process_refused("report r --table summry", "summary");
    process_refused("report nowhere", "nowhere");
    process_refused("report pool", "run.json");
    ok("report q -o elsewhere");
    cr_assert_str_empty(process_stdout);
    cr_assert(process_exists("elsewhere/report.md"));
    ok("report r --against T4 --table against --format csv");
    cr_assert_str_empty(process_stderr);
    process_wrote("CVCI, Avg. rank");
    ok("report r --table against");
    process_wrote("prints no table that this run has the shape of");
    ok("report r -o beside --against T4,T6");
    cr_assert(process_exists("beside/tables/against.html"));
    process_refused("report r --against T98", "T4, T5, T6");
    process_refused("report r --against no.csv --table against", "no.csv");
    cr_assert_eq(process_run("recommend r"), 3, "two seeds of few contexts tell nothing");
    process_wrote("CANNOT TELL");
    cr_assert_str_empty(process_stderr);
    cr_assert_eq(process_run("recommend r --format md"), 3);
    process_wrote("Contexts, by");
    ok("recommend r --cell 1 --format csv --safe-csv");
    process_wrote("context,tag,by,votes,agent,share,replicates,value,value_low,value_high,margin,");
    ok("recommend r --format json");
    process_wrote("{\"format\":\"regret-recommend-3\"");
    process_refused("recommend r --cell 2", "the run has cells 0 to 1");
    process_refused("recommend r --agent nobody", "the run has no agent \"nobody\"");
    process_refused("recommend r --format html", "it is one of text|md|csv|json");
    process_refused("recommend nowhere", "nowhere");
    ok("compare r q --format csv --figures drawn");
    cr_assert(process_exists("drawn/compare.svg"));
    cr_assert_str_empty(process_stderr);
    process_wrote("cvci");
    process_refused("compare r nowhere", "nowhere");
    ok("run config.json -o s --quiet --no-report --set spread.within=2");
    ok("compare r s"); /* another reading of the same pool */
    char *run = process_read("s/run.json"), *digest = strstr(run, "\"digest\":\"");
    cr_assert_not_null(digest);
    digest[strlen("\"digest\":\"")] ^= 1; /* one hexadecimal digit becomes another */
    process_write("s/run.json", run);
    regret_free(run);
    process_refused("compare r s", "what differs may be the data; compare runs of one pool, or add "
                                   "--different-pools");
    process_refused("compare r s --figures none", "--different-pools");
    cr_assert_not(process_exists("none"));
    ok("compare r s --different-pools");
    process_wrote("The runs are not known to use the same pool");
}

Test(commands, a_table_becomes_a_map_and_a_configuration)
{
    process_write("scores.csv", "doc,model,answer,score\n1,a,one of a,1\n1,b,one of b,5\n"
                                "2,a,two of a,4\n2,b,two of b,2\n3,a,three of a,3\n3,b,x,3\n");
    ok("init scores.csv -o my");
    cr_assert_not_null(strstr(process_stdout, "6 rows: 3 contexts, 2 agents, 6 of 6 pairs"));
    cr_assert_not_null(strstr(process_stdout, "regret import csv scores.csv --map my/map.json"));
    ok("import csv scores.csv --map my/map.json -o my/pool");
    ok("import csv - --map my/map.json -o piped <scores.csv");
    char *from_file = process_read("my/pool/outputs.jsonl"),
         *from_pipe = process_read("piped/outputs.jsonl");
    cr_assert_str_eq(from_pipe, from_file);
    regret_free(from_file);
    regret_free(from_pipe);
    process_refused("import csv - --map my/map.json -o none", "/dev/stdin is empty");
    process_refused("init - -o other", "init reads the table several times");
    process_write("my/map.json", "repaired");
    cr_assert_eq(process_run("init scores.csv -o my"), 2);
    cr_assert_not_null(strstr(process_stderr, "my/map.json is there already; --force"));
    char *map = process_read("my/map.json");
    cr_assert_str_eq(map, "repaired");
    regret_free(map);
    ok("init scores.csv -o my --force --separator ,");
    cr_assert(process_exists("my/pool/pool.json"), "--force takes its own two files alone");
    cr_assert_eq(process_run("init scores.csv"), 2);
    cr_assert_eq(process_run("init scores.csv -o other --separator comma"), 2);
    cr_assert_eq(process_run("init nothing.csv -o other"), 2);
    cr_assert_eq(process_exists("other"), 0);
}

Test(commands, a_log_and_a_trial_become_a_configuration)
{
    process_write("log.csv", "request_id,prompt,model,rating\nr1,sing a song,a,1\nr2,sum it,b,5\n"
                             "r3,sort it,a,4\nr4,sing it,,4\n");
    process_write("trial.csv", "request_id,prompt,model,rating\nt1,sing,a,1\nt2,sum up,b,5\n");
    ok("init --obs log.csv --exp trial.csv -o evaluate.json");
    cr_assert_not_null(strstr(process_stdout, "  agent      model, 3 different, 1 row without\n"));
    cr_assert_not_null(
        strstr(process_stdout, "left out of OBS: 1 row, the first at line 5: no agent"));
    cr_assert_not_null(strstr(process_stdout, "\n  regret evaluate evaluate.json -o evaluated\n"));
    char *config = process_read("evaluate.json");
    cr_assert_not_null(strstr(config, "\"file\": \"log.csv\",\n    \"context\": \"request_id\""));
    cr_assert_not_null(strstr(config, "\"outcome\": {\"low\": 1, \"high\": 5}"));
    regret_free(config);
    process_refused("init --obs log.csv -o evaluate.json",
                    "evaluate.json is there already; --force");
    ok("init --obs log.csv -o evaluate.json --force");
    ok("init --exp trial.csv --outcome rating --agent model -o exp.json");
    process_refused("init --obs log.csv --outcome none -o x.json",
                    "no table has a column \"none\"");
    process_refused("init --obs none.csv -o x.json", "none.csv");
    process_refused("init --obs log.csv -o none/x.json", "is no folder");
    cr_assert_eq(process_run("init log.csv --obs log.csv -o x.json"), 2);
    cr_assert_not_null(strstr(process_stderr, "not both"));
    cr_assert_eq(process_run("init --obs log.csv"), 2);
    cr_assert_eq(process_run("init log.csv --outputs log.csv -o x"), 2);
    cr_assert_eq(process_run("init --obs log.csv --layout wide -o x.json"), 2);
    cr_assert_eq(process_run("init -o x.json"), 2);
    cr_assert_eq(process_run("init --obs - -o x.json"), 2);
    process_write("log.csv", "request_id,prompt,model,rating\nr1,sing a song,a,1\nr2,sum it,a,5\n");
    process_refused("init --obs log.csv -o x.json", "the only agent is \"a\"");
    cr_assert_not(process_exists("x.json"), "nothing is written that cannot be read");
}

Test(commands, a_wide_table_is_shown_before_it_is_imported)
{
    process_write("wide.csv",
                  "id,prompt,m 1|score,m 2|score,m 1|reply,m 2|reply,m 1|cost,m 2|cost\n"
                  "a,one,1,0,yes,no,.5,2\nb,two,0,1,no,,1.5,2\nc,three,0,,no,,1,\n"
                  "d,four,7,1,so,so,1,1\n");
    ok("init wide.csv -o my");
    cr_assert_not_null(
        strstr(process_stdout, "A wide table, a row a context. The agents: m 1, m 2"));
    ok("init wide.csv -o my -f --layout wide");
    cr_assert_eq(process_run("init wide.csv -o other --layout broad"), 2);
    cr_assert_not_null(strstr(process_stderr, "unknown value of --layout \"broad\""));
    process_write("map.json",
                  "{\"name\": \"w\", \"synthetic\": true, \"agents\": \"{agent}|score\", "
                  "\"columns\": {\"context\": \"id\", \"text\": \"prompt\", \"output\": "
                  "\"{agent}|reply\", \"cost\": \"{agent}|cost\"}, \"components\": [{\"name\": "
                  "\"good\", \"from\": \"{agent}|score\", \"low\": 0, \"high\": 1}]}");
    process_refused("import csv wide.csv --map map.json --dry-run",
                    "wide.csv:5: \"m 1|score\" is 7; the map says 0 to 1");
    ok("import csv wide.csv --map map.json --dry-run --skip-bad -o none");
    process_wrote("The first 6 outputs of 6:");
    cr_assert_not_null(strstr(process_stdout, "  a by m 1 (cost 1): good 1\n      yes\n"));
    cr_assert_not_null(
        strstr(process_stdout, "  b by m 2 (cost 1.66667): good 1\n      (empty)\n"));
    cr_assert_not_null(strstr(process_stderr, "1 bad rows left out"));
    cr_assert_not_null(strstr(process_stderr, "all their cells are blank"));
    cr_assert_not_null(strstr(process_stderr, "nothing was written"));
    cr_assert_eq(process_exists("none"), 0);
    cr_assert_eq(process_run("import csv wide.csv --map map.json --skip-bad"), 2);
    ok("import csv wide.csv --map map.json --skip-bad -o none");
    cr_assert(process_exists("none/pool.json"));
}

Test(commands, run_default_folder)
{
    ok("run config.json -q");
    cr_assert_str_eq(process_stdout, "runs/config/report/report.md\n");
    process_refused("run config.json -q", "runs/config exists already");
    ok("run config.json -q --resume");
    cr_assert_str_eq(process_stderr,
                     "regret: the run is complete, nothing was left to do in runs/config\n");
    cr_assert_str_eq(process_stdout, "runs/config/report/report.md\n");
    ok("run config.json -q --force");
}

Test(commands, shards_and_merge)
{
    ok("run config.json -o whole -q --no-report");
    ok("run config.json -o s1 -q --shard 1/2");
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
    ok("run s1/run.json --shard 2/2 -o s2 --resume");
    ok("merge s2 s1 -o m");
    process_said("regret: joined 2 shards in m");
    cr_assert(process_exists("m/report/report.md"));
    same_rows("whole", "m");
    process_refused("merge s1 s2 -o m", "m exists already");
    ok("merge s1 s2 -o m --force --no-report");
    cr_assert_not(process_exists("m/report"));
    same_rows("whole", "m");
}

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

Test(commands, a_dry_merge_writes_nothing)
{
    ok("run config.json -o s1 -q --shard 1/2");
    ok("run config.json -o s2 -q --shard 2/2");
    ok("run config.json -o other -q --shard 2/2 --set beta=0");
    ok("merge s2 s1 -o m --dry-run");
    cr_expect_str_empty(process_stderr);
    cr_expect_str_eq(process_stdout,
                     "s2: shard 2/2, 2 of 2 replicates, 24 rows\n"
                     "s1: shard 1/2, 2 of 2 replicates, 24 rows\n"
                     "2 of 2 shards; rows: 48 found, 0 missing, 0 doubled (4 of 4 replicates)\n"
                     "would write m: run.json, rows and times of shard 1 of 1, report/\n");
    dry_merge_is_refused("s1 -o m", "regret run s1/run.json --shard 2/2 -o s2 --resume\n");
    process_wrote("1 of 2 shards; rows: 24 found, 24 missing, 0 doubled (2 of 4 replicates)\n");
    cr_expect_null(strstr(process_stdout, "would write"));
    ok("run s1/run.json --shard 1/2 -o s3 -q");
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
    ok("merge s1 s2 -o m --no-report");
    ok("merge s1 s2 -o m --force -n");
    process_wrote("report/; replaces what is there\n");
    cr_assert_not(process_exists("m/report"));
    cr_expect_eq(process_run("merge s1 s2 -o config.json/m -n"), 1);
    cr_expect_eq(process_run("merge s1 s2 -o new/folder/m -n"), 0);
    cr_assert_not(process_exists("new"));
}

/* A shard's bad row is named by the shard, and no merged folder is left. */
Test(commands, merging_what_is_damaged_leaves_nothing)
{
    ok("run config.json -o s1 -q --shard 1/2");
    ok("run config.json -o s2 -q --shard 2/2");
    char *rows = process_read("s2/results-2-of-2.jsonl");
    char *first = strchr(rows, '\n');
    first[-1] = '!';
    process_write("s2/results-2-of-2.jsonl", rows);
    regret_free(rows);
    process_refused("merge s1 s2 -o m", "s2/results-2-of-2.jsonl:1:");
    process_said("compute that shard again from there: regret run s2/run.json --shard 2/2 -o s2 ");
    cr_assert_not(process_exists("m"));
    cr_assert_eq(left_over(process_folder()), 0);
    ok("run config.json -o s2 -q --shard 2/2 --resume");
    process_said("regret: s2/results-2-of-2.jsonl:1:");
    process_said("; 0 replicates kept, the rest is computed again");
    ok("merge s1 s2 -o m");
    ok("run config.json -o one -q --shard 1/1 --seeds 1 --set beta=0");
    ok("merge one -o n");
    cr_assert_str_eq(process_stderr, "regret: joined 1 shard in n\n");
}

Test(commands, counts_of_one_are_singular)
{
    ok("run config.json -o r --seeds 1 --set beta=0 -j 1 --no-report");
    process_said("regret: 1 cell x 1 seed; 1 replicate in ");
    process_said("/s on 1 thread;");
}

/* While one process writes to a run folder, another is told so in a line and fails. */
Test(commands, a_folder_in_use_is_refused)
{
    char path[300];
    ok("run config.json -o r -q --no-report");
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
    ok("report r --table summary"); /* reading needs no lock */
    ok("compare r r");
    close(held);
    ok("run config.json -o r -q --resume");
}

Test(commands, cells_and_exports)
{
    ok("cell config.json");
    cr_assert_str_eq(process_stdout,
                     "{\"cell\":0,\"key\":{\"reward.map\":\"smooth\",\"beta\":0,\"n_obs\":40,"
                     "\"n_exp\":30}}\n{\"cell\":1,\"key\":{\"reward.map\":\"smooth\",\"beta\":1,"
                     "\"n_obs\":40,\"n_exp\":30}}\n");
    ok("cell config.json --cell 1 --seed 1 --export e");
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
    ok("cell config.json --export e --force --set values.enabled=false");
}

/* Those of the exports, of all seeds and folds at once; cells that split alike are together. */
Test(commands, splits_of_all_seeds)
{
    ok("cell config.json --splits --set contexts.folds=2 --set first_seed=5");
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
    ok("cell config.json --splits --set sweep.contexts.reference=[0,0.5] "
       "--set contexts.train_share=0.3");
    process_wrote("{\"cells\":[0,2],");
    process_wrote("{\"cells\":[1,3],");
    process_wrote("\"reference\":[");
    process_refused("cell config.json --splits --export e", "give one");
}

Test(commands, config_prints_json_that_is_a_config)
{
    ok("config config.json --set sweep.n_exp=[10,20]");
    cJSON *json = cJSON_Parse(process_stdout);
    cr_assert_not_null(json);
    cJSON_Delete(json);
    char *once = strdup(process_stdout);
    process_write("again.json", process_stdout);
    ok("config again.json");
    cr_assert_str_eq(process_stdout, once);
    free(once);
    ok("config");
    process_wrote("n_exp ");
    process_wrote("default 200");
    process_wrote("rows of the randomized experiment");
}

Test(commands, wrong_configurations_leave_no_folder)
{
    process_write("bad.json", "{\"pool\": \"pool\",\n\n \"n_obs\": 5,}\n");
    process_refused("run bad.json -o r", "bad.json:3:13: malformed JSON");
    process_write("bad.json", "{\"pool\": \"pool\", \"contexts.hard\": 0, \"n_obbs\": 5}");
    process_refused("run bad.json -o r",
                    "bad.json: unknown key \"n_obbs\"; did you mean \"n_obs\"?");
    process_refused("run config.json -o r --set pool=nowhere",
                    "there is no pool \"nowhere\"; looked");
    process_refused("run nothing.json -o r",
                    "unknown configuration \"nothing.json\"; there is no such file here");
    process_refused("run config.json -o r --set router.slate=21", "cannot be drawn from");
    process_refused("config config.json --set 'sweep.title=[\"a\"]'", "cannot be swept");
    cr_assert_not(process_exists("r"));
    cr_assert_eq(left_over(process_folder()), 0);
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
    ok("run config.json -o whole -q --no-report --set seeds=20");
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
    ok("run config.json -o torn -q --no-report --resume --set seeds=20");
    same_rows("whole", "torn");
}

Test(commands, a_spreadsheet_runs_nothing_of_a_guarded_table)
{
    process_write("r.jsonl",
                  "{\"id\":\"1\",\"dataset\":\"=cmd()\",\"attribute\":\"a\",\"w\":true,\"scores\":"
                  "{\"+m\":{\"original\":1,\"rewrite\":2,\"rewrite_of_rewrite\":1.5}}}\n"
                  "{\"id\":\"2\",\"dataset\":\"=cmd()\",\"attribute\":\"a\",\"w\":true,\"scores\":"
                  "{\"+m\":{\"original\":2,\"rewrite\":2,\"rewrite_of_rewrite\":1.5}}}\n");
    ok("rate estimate r.jsonl -f csv --safe-csv");
    process_wrote("\n'=cmd(),a,'+m,naive,");
    ok("rate estimate r.jsonl -f csv");
    process_wrote("\n=cmd(),a,+m,naive,");
    ok("run config.json -o guarded -q");
    ok("report guarded --safe-csv --table summary -f csv");
    process_wrote("block,row,column,value,se,text\n");
    ok("report guarded --safe-csv -o safe");
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
        process_said("cannot write to standard output");
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
    ok("doctor --threads 1");
    process_wrote("self-check  passed on 1 thread,");
    process_refused("doctor now", "one argument too many");
}

Test(commands, a_dry_run_writes_nothing)
{
    ok("run config.json -o r --dry-run --threads 1");
    process_wrote("computes  2 cells x 2 seeds = 4 replicates\n");
    process_wrote("takes     about ");
    process_wrote("writes    r: run.json, rows and times of shard 1 of 1");
    process_wrote(", report/\n");
    cr_expect_str_empty(process_stderr);
    cr_assert_not(process_exists("r"));
    cr_assert_not(process_exists("runs"));
    ok("run config.json -n --shard 2/2 --seeds 3 -o r");
    process_wrote("= 6 replicates; shard 2 of 2 has 3 to 3 of them");
    cr_assert_null(strstr(process_stdout, "report/"));
    process_refused("run config.json -o r -n --set n_obs=0", "n_obs");
    process_refused("run config.json -o r -n --shard 2/9", "4 replicates to share out");
    ok("run config.json -o r -q --no-report");
    char *before = process_read("r/run.json");
    process_refused("run config.json -o r -n", "--resume goes on with it, --force replaces it");
    ok("run config.json -o r -n --force --set beta=0");
    process_wrote("; replaces what is there\n");
    ok("run config.json -o r -n --resume");
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
    ok("run config.json -o r -q --no-report --threads 1");
    char *rows = process_read("r/results-1-of-1.jsonl"), *end = rows;
    for (size_t line = 0; line < 3 * 12 + 5; line++) { /* of the last replicate a part */
        end = strchr(end, '\n') + 1;
    }
    end[-20] = '\0';
    process_write("r/results-1-of-1.jsonl", rows);
    ok("run config.json -o r -n --resume --no-report");
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
    ok("run config.json -o new -n --resume --shard 2/2");
    process_wrote("there     0 of 2 replicates, 0 of 24 rows; 2 replicates, 24 rows to go\n");
    cr_assert_not(process_exists("new"));
    cr_assert_eq(process_run("run config.json -o config.json/r -n"), 1);
    process_said("regret: cannot create folder config.json/r: Not a directory");
    ok("run config.json -o r -q --resume --no-report");
    ok("run config.json -o r -n --resume --no-report");
    process_wrote("writes    r: nothing; all rows are there\n");
}

Test(commands, pools_are_listed)
{
    ok("pool list .");
    process_wrote("./pool\t");
    process_wrote("SYNTHETIC\t");
    ok("pool list pool");
    process_wrote("pool\t");
    char folder[256];
    snprintf(folder, sizeof folder, "%s/broken", process_folder());
    cr_assert_eq(mkdir(folder, 0700), 0);
    process_write("broken/pool.json", "{}");
    ok("pool list broken");
    process_wrote("broken\tbroken: ");
    ok("pool list"); /* those that can be given by name */
    process_wrote(REGRET_SOURCE_FOLDER "/data/pools/newswire\t");
    snprintf(folder, sizeof folder, "%s/none", process_folder());
    cr_assert_eq(mkdir(folder, 0700), 0);
    ok("pool list none");
    process_said("no pools there");
    process_refused("pool list nowhere", "not a folder that can be read");
}

Test(commands, numbers_out_of_range_and_beginnings_of_options)
{
    process_refused("cost config.json --seconds -1", "--seconds wants a number from 0 to 86400");
    process_refused("cost config.json --seconds nan", "not \"nan\"");
    process_refused("cost config.json --secon 1", "did you mean \"--seconds\"?");
    process_refused("cost config.json --s 1", "unknown option \"--s\"; see 'regret cost --help'");
}

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
Test(commands, a_run_on_a_terminal)
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
Test(commands, progress_fits_the_terminal)
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

/* Elsewhere: words without colours, and none of it with --quiet. */
Test(commands, the_end_is_words)
{
    ok("run config.json -o r");
    cr_expect_null(strstr(process_stderr, " so far"), "a line of progress within the first minute");
    cr_expect_null(strstr(process_stderr, " left\n"), "a line of progress within the first minute");
    process_said("regret: 2 cells x 2 seeds; 4 replicates in ");
    process_said(" has the lowest mean regret over all 2 cells, ");
    process_said("(SYNTHETIC data): 2 cells, 2 seeds");
    process_said("\n  Bear in mind: few contexts held out; few seeds.\n  Page: "
                 "r/report/report.html\n  Next: regret recommend r\n");
    ok("report r");
    cr_assert_str_empty(process_stdout);
    process_said("regret: wrote r/report/report.md\n");
    process_said(" has the lowest mean regret over all 2 cells, ");
    ok("report r -q");
    cr_assert_str_eq(process_stderr, "regret: wrote r/report/report.md\n");
    ok("run config.json -o r --resume");
    process_said("nothing was left to do in r\n");
    process_said(" has the lowest mean regret over all 2 cells, ");
    ok("run config.json -o s --set seeds=3 --no-report -q");
    cr_assert_str_eq(process_stderr, "regret: wrote the rows to s\n");
}

Test(commands, unfinished_runs_say_so)
{
    ok("run config.json -o r -q --no-report --set seeds=3");
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
        ok(commands[i]);
        process_said("4 of 6 replicates");
    }
    ok("report r");
    process_said("Bear in mind: the run is not finished");
    ok("run config.json -o r --no-report --set seeds=3 --resume -j 1");
    process_said("regret: 2 cells x 3 seeds; 2 replicates in ");
}

Test(commands, more_threads_than_processors)
{
    ok("run config.json -o r -q --no-report --threads 1");
    cr_assert_str_eq(process_stderr, "regret: wrote the rows to r\n");
    ok("run config.json -o r -q --no-report --threads 1000 --resume");
    process_said("regret: --threads 1000 is more than the ");
    process_said(
        "this process may use; more threads than that take more memory and are no faster\n");
    ok("cost config.json --threads 1000 --seconds 1"); /* of another machine, it may be */
    cr_assert_null(strstr(process_stderr, "is more than"));
}

#define ARRAY(id, min, max, count, step)                                                           \
    "SLURM_ARRAY_TASK_ID=" id " SLURM_ARRAY_TASK_MIN=" min " SLURM_ARRAY_TASK_MAX=" max            \
    " SLURM_ARRAY_TASK_COUNT=" count " SLURM_ARRAY_TASK_STEP=" step

/* The shard is the task's place in its array; a part of an array is no array. */
Test(commands, shards_of_a_slurm_array)
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
    ok("run config.json -o whole -q --no-report");
    for (size_t i = 0; i < 4; i++) {
        char arguments[80];
        snprintf(arguments, sizeof arguments, "%s%s", run, arrays[i][1]);
        cr_assert_eq(process_run_in(arrays[i][0], arguments), 0, "%s", process_stderr);
        cr_assert_eq(process_run_in(arrays[i][0], arguments), 0, "again");
        process_said("complete already: shard ");
    }
    ok("merge a1 b2 -o m --no-report");
    same_rows("whole", "m");
    ok("merge a2 b1 -o n --no-report");
    same_rows("whole", "n");
}

Test(commands, cost)
{
    ok("cost config.json --shards 2 --threads 1 --seconds 5");
    process_wrote("replicates       4 (2 cells x 2 seeds)\n");
    process_wrote("(1 of 1 kinds of cells measured)\n");
    process_wrote("shards           2 of 2 to 2 replicates, on 1 thread each\n");
    ok("cost config.json --shards 4 --threads 3 --format slurm");
    int tasks = 0, threads = 0, memory = 0, minutes = 0, merge_memory = 0;
    cr_assert_eq(sscanf(process_stdout,
                        "array: --array=1-%d --cpus-per-task=%d --mem=%dM --time=0-00:%d:00\n"
                        "merge: --cpus-per-task=1 --mem=%dM --time=0-00:04:00\n",
                        &tasks, &threads, &memory, &minutes, &merge_memory),
                 5, "%s", process_stdout);
    cr_assert(tasks == 4 && threads == 3);
    cr_assert(memory >= 80 && memory < 1000 && memory % 16 == 0, "%d MiB", memory);
    cr_assert(minutes >= 3 && minutes < 10, "%d minutes", minutes);
    ok("cost config.json --format json --set seeds=7");
    process_wrote("\"replicates\":14,");
    cr_assert_not(process_exists("runs"));
    process_refused("cost config.json --format yaml", "it is one of text|json|slurm");
    process_refused("cost config.json --shards 5", "5 shards on");
    process_refused("cost nowhere.json", "nowhere.json");
}

Test(commands, plan)
{
    ok("plan config.json --difference 0.05 --pilot-seeds 3 --folds 2 --threads 1 --keep pilots");
    process_said("pilot, single split: 2 cells x 3 seeds, about ");
    process_said("pilot, 2 folds of contexts: 2 cells x 3 seeds, about ");
    process_wrote("What a difference of 0.05 needs");
    process_wrote("  single split: every pair ");
    process_wrote("  2 (planned) ");
    process_wrote("* A seed of \"2 folds of contexts\" has ");
    cr_assert(process_exists("pilots/pilot/run.json") &&
              process_exists("pilots/pilot-folds/run.json"));
    ok("report pilots/pilot-folds --table summary");
    process_wrote("* contexts.folds = 2: every seed holds each context out once");
    ok("report pilots/pilot --table summary");
    cr_assert_null(strstr(process_stdout, "contexts.folds"));
    /* The run that was kept says the same of itself. */
    ok("plan config.json --pilot pilots/pilot --set sweep.beta=[0,0.5] --format csv");
    process_said("the pilot differs from config.json in sweep: ");
    ok("plan config.json --pilot pilots/pilot --format csv");
    process_wrote("single split: least detectable difference by seeds,200,");
    cr_assert_null(strstr(process_stderr, "differs"));
    ok("plan config.json --set contexts.folds=2 --pilot-seeds 2");
    process_wrote("\n2 folds of contexts: least detectable difference by seeds\n");
    process_refused("plan config.json --keep pilots", "pilots exists and is not empty");
    process_refused("plan config.json --pilot-seeds 1", "a pilot of one seed tells nothing");
    process_refused("plan config.json -d 0", "wants a difference of regret above 0");
    process_refused("plan config.json -d -0.1", "wants a difference of regret above 0");
    process_refused("plan config.json --folds 1", "--folds wants 2 or more, or 0");
    process_refused("plan config.json --folds 999 --pilot-seeds 2",
                    "the pilot with folds (--folds 0 leaves it out)");
    process_refused("plan config.json --pilot pilots/pilot --folds 3", "that is to be run");
    process_refused("plan config.json --pilot nowhere", "nowhere");
    process_refused("plan config.json --format yaml", "yaml");
    process_refused("plan config.json --pilot pilots/pilot --set "
                    "families=[\\\"cvci\\\",\\\"grounded-anchored\\\"]",
                    "has no family");
}

/* Forty requests of a trial, assigned in turn, of two tags; "b" is better. */
static void write_trial(void)
{
    char rows[8000];
    size_t n = (size_t)snprintf(rows, sizeof rows, "id,prompt,model,good,kind\n");
    for (int i = 0; i < 120; i++) {
        n += (size_t)snprintf(rows + n, sizeof rows - n, "p%d,request number %d,%c,%d,%s\n", i, i,
                              "abc"[i % 3], (i * 7 + i % 3 * 3) % 5 > (i % 3 == 1 ? 1 : 2),
                              i % 4 < 2 ? "chat" : "code");
    }
    process_write("trial.csv", rows);
    process_write("evaluate.json",
                  "{\"exp\": {\"file\": \"trial.csv\", \"context\": \"id\", \"text\": "
                  "\"prompt\", \"agent\": \"model\", \"outcome\": \"good\", \"tag\": \"kind\"}}");
}

Test(commands, plan_of_a_trial)
{
    write_trial();
    ok("plan evaluate.json --rows 500 --half-width 0.1 --regret 0.01 --looks 3 --at 250");
    process_wrote("What a trial can show (evaluate.json)");
    process_wrote("  500 (planned) ");
    process_wrote("  250 ");
    process_wrote("  all differences ± 0.1 ");
    process_wrote("  an expected regret of 0.01 ");
    process_wrote("  chat, information-by-tag ");
    process_wrote("The pilot: 120 rows in 120 clusters.");
    ok("plan evaluate.json --agent a --agent b --incumbent a --format csv");
    process_wrote("\"By rows, neyman-values\"");
    ok("plan evaluate.json --choose-tags --format json");
    process_wrote("\"By rows, information-by-tag\"");
    process_refused("plan evaluate.json --difference 0.1", "is for `regret evaluate`, and a trial");
    process_refused("plan evaluate.json --set n_obs=3", "is for `regret evaluate`, and a trial");
    process_refused("plan config.json --rows 500", "is no configuration of `regret evaluate`");
    process_refused("plan evaluate.json --agent a", "a trial compares two agents or more");
    process_refused("plan evaluate.json --agent zeta", "there is no agent \"zeta\"");
    process_refused("plan evaluate.json --agent a --agent b --incumbent c", "takes no part");
    process_refused("plan evaluate.json --half-width 0", "--half-width wants a number above 0");
    process_refused("plan evaluate.json --regret -1", "--regret wants a number above 0");
    process_refused("plan evaluate.json --at 1", "--at wants a number of rows");
    process_refused("plan evaluate.json --at many", "--at wants a number of rows");
    process_refused("plan evaluate.json --rows 50 --looks 60", "60 looks at 50 rows");
    process_refused("plan evaluate.json --format yaml", "yaml");
}

/* Threads are those of the job and of the mask, not the machine's. */
Test(commands, threads_follow_the_allocation)
{
    static const char run[] = "run config.json --force -o t --no-report";
    cr_assert_eq(process_run_in("SLURM_JOB_ID=7 SLURM_CPUS_PER_TASK=1 SLURM_CPUS_ON_NODE=64", run),
                 0);
    process_said(" on 1 thread;");
    cr_assert_eq(process_run_in("taskset -c $(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')", run),
                 0, "%s", process_stderr);
    process_said(" on 1 thread;");
}

/* What corrects predicted labels counts prompts; they are not taken for labels. */
Test(commands, predicted_labels_and_prompts_go_together)
{
    struct regret_buffer rows = REGRET_BUFFER_INIT;
    for (int i = 0; i < 40; i++) {
        regret_buffer_printf(&rows, "{\"id\": \"r%d\", \"prompt\": \"p%d\", ", i, i / 2);
        if (i % 4 != 3) {
            regret_buffer_printf(&rows, "\"w\": %s, ", i % 3 == 0 ? "true" : "false");
        }
        regret_buffer_printf(
            &rows,
            "\"completions\": {\"original\": \"%s word%d\"}, \"scores\": {\"m\": {\"original\": "
            "%d.5, \"rewrite\": %d, \"rewrite_of_rewrite\": %d.25}}}\n",
            i % 3 == 0 ? "yes" : "no", i, i % 7, i % 5, i % 7);
    }
    process_write("rows.jsonl", regret_buffer_get(&rows));
    regret_buffer_free(&rows);
    ok("rate estimate rows.jsonl --predict-w text");
    cr_assert_not_null(strstr(process_stdout, "| prompt | 20 |"), "%s", process_stdout);
    ok("rate estimate rows.jsonl --predict-w text --cluster none");
    ok("rate estimate rows.jsonl --predict-w text --uncorrected");
    cr_assert_not_null(strstr(process_stderr, "UNCORRECTED"), "%s", process_stderr);
    cr_assert_eq(process_run("rate contrast rows.jsonl --predict-w text"), 2,
                 "it would not be corrected");
}
