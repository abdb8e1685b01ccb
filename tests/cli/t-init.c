/* From a table of one's own to a configuration. */
#include <criterion/criterion.h>
#include <string.h>

#include "cli/process.h"
#include "regret/alloc.h"

TestSuite(init, .init = process_open, .fini = process_close);

Test(init, a_table_becomes_a_map_and_a_configuration)
{
    process_write("scores.csv", "doc,model,answer,score\n1,a,one of a,1\n1,b,one of b,5\n"
                                "2,a,two of a,4\n2,b,two of b,2\n3,a,three of a,3\n3,b,x,3\n");
    process_ok("init scores.csv -o my");
    cr_assert_not_null(strstr(process_stdout, "6 rows: 3 contexts, 2 agents, 6 of 6 pairs"));
    cr_assert_not_null(strstr(process_stdout, "regret import csv scores.csv --map my/map.json"));
    process_ok("import csv scores.csv --map my/map.json -o my/pool");
    process_ok("import csv - --map my/map.json -o piped <scores.csv");
    char *from_file = process_read("my/pool/outputs.jsonl"),
         *from_pipe = process_read("piped/outputs.jsonl");
    cr_assert_str_eq(from_pipe, from_file);
    regret_free(from_file);
    regret_free(from_pipe);
    process_refused("import csv - --map my/map.json -o none", "/dev/stdin is empty");
    process_refused("init - -o other", "init reads the table several times");
    process_write("my/map.json", "repaired");
    cr_assert_eq(process_run("init scores.csv -o my"), 2);
    cr_assert_not_null(strstr(process_stderr, "my/config.json is there already; --force"));
    char *map = process_read("my/map.json");
    cr_assert_str_eq(map, "repaired");
    regret_free(map);
    process_ok("init scores.csv -o my --force --separator ,");
    cr_assert(process_exists("my/pool/pool.json"), "--force takes its own two files alone");
    cr_assert_eq(process_run("init scores.csv"), 2);
    cr_assert_eq(process_run("init scores.csv -o other --separator comma"), 2);
    cr_assert_eq(process_run("init nothing.csv -o other"), 2);
    cr_assert_eq(process_exists("other"), 0);
}

Test(init, a_log_and_a_trial_become_a_configuration)
{
    process_write("log.csv", "request_id,prompt,model,rating\nr1,sing a song,a,1\nr2,sum it,b,5\n"
                             "r3,sort it,a,4\nr4,sing it,,4\n");
    process_write("trial.csv", "request_id,prompt,model,rating\nt1,sing,a,1\nt2,sum up,b,5\n");
    process_ok("init --obs log.csv --exp trial.csv -o evaluate.json");
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
    process_ok("init --obs log.csv -o evaluate.json --force");
    process_ok("init --exp trial.csv --outcome rating --agent model -o exp.json");
    process_refused("init --obs log.csv --outcome none -o x.json",
                    "no table has a column \"none\"");
    process_refused("init --obs none.csv -o x.json", "none.csv");
    process_refused("init --obs log.csv -o none/x.json", "is not there; make it first");
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

Test(init, a_wide_table_is_shown_before_it_is_imported)
{
    process_write("wide.csv",
                  "id,prompt,m 1|score,m 2|score,m 1|reply,m 2|reply,m 1|cost,m 2|cost\n"
                  "a,one,1,0,yes,no,.5,2\nb,two,0,1,no,,1.5,2\nc,three,0,,no,,1,\n"
                  "d,four,7,1,so,so,1,1\n");
    process_ok("init wide.csv -o my");
    cr_assert_not_null(
        strstr(process_stdout, "A wide table, a row a context. The agents: m 1, m 2"));
    process_ok("init wide.csv -o my -f --layout wide");
    cr_assert_eq(process_run("init wide.csv -o other --layout broad"), 2);
    cr_assert_not_null(strstr(process_stderr, "unknown value of --layout \"broad\""));
    process_write("map.json",
                  "{\"name\": \"w\", \"synthetic\": true, \"agents\": \"{agent}|score\", "
                  "\"columns\": {\"context\": \"id\", \"text\": \"prompt\", \"output\": "
                  "\"{agent}|reply\", \"cost\": \"{agent}|cost\"}, \"components\": [{\"name\": "
                  "\"good\", \"from\": \"{agent}|score\", \"low\": 0, \"high\": 1}]}");
    process_refused("import csv wide.csv --map map.json --dry-run",
                    "wide.csv:5: \"m 1|score\" is 7; the map says 0 to 1");
    process_ok("import csv wide.csv --map map.json --dry-run --skip-bad -o none");
    process_wrote("The first 6 outputs of 6:");
    cr_assert_not_null(strstr(process_stdout, "  a by m 1 (cost 1): good 1\n      yes\n"));
    cr_assert_not_null(
        strstr(process_stdout, "  b by m 2 (cost 1.66667): good 1\n      (empty)\n"));
    cr_assert_not_null(strstr(process_stderr, "6 outputs out of 7 answers in 4 rows"));
    cr_assert_not_null(strstr(process_stderr, "1 bad answers left out"));
    cr_assert_not_null(strstr(process_stderr, "all their cells are blank"));
    cr_assert_not_null(strstr(process_stderr, "nothing was written"));
    cr_assert_eq(process_exists("none"), 0);
    cr_assert_eq(process_run("import csv wide.csv --map map.json --skip-bad"), 2);
    process_ok("import csv wide.csv --map map.json --skip-bad -o none");
    cr_assert(process_exists("none/pool.json"));
}
