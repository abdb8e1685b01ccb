/* The commands `regret pool` and `regret import`, run as a user runs them. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <utime.h>

#include "pool/sample.h"
#include "regret/file.h"

TestSuite(pool_command, .init = sample_hand_written, .fini = sample_cleanup);

static char output[65536];

/* Runs the program with `arguments`, keeps both its streams, returns its exit code. */
static int run(const char *arguments)
{
    char command[1024];
    snprintf(command, sizeof command, "cd %s && %s %s 2>&1", sample_folder(), REGRET_PROGRAM,
             arguments);
    FILE *stream = popen(command, "r");
    cr_assert_not_null(stream);
    size_t n = fread(output, 1, sizeof output - 1, stream);
    output[n] = '\0';
    int status = pclose(stream);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void shows(const char *part)
{
    cr_expect_not_null(strstr(output, part), "no \"%s\" in:\n%s", part, output);
}

static void ends(int code, const char *arguments, const char *part)
{
    cr_assert_eq(run(arguments), code, "%s", output);
    shows(part);
}

Test(pool_command, validate_says_what_is_wrong_and_fails)
{
    ends(0, "pool validate p", "p: valid, 2 contexts, 2 agents, 3 outputs, digest ");
    sample_write("p/contexts.jsonl", "{\"id\": \"first\", \"text\": \"One.\"}\n");
    ends(2, "pool validate p",
         "regret: p/outputs.jsonl:1: context \"second\" is not in contexts.jsonl");
}

Test(pool_command, pack_list_show_and_stats)
{
    sample_write("p/README.md", "# The card\n");
    cr_assert_eq(run("pool pack p -o packed"), 0, "%s", output);
    cr_assert(regret_file_exists(sample_path("packed/README.md")));
    ends(2, "pool pack p -o packed", "packed exists already");
    cr_assert_eq(run("pool pack packed -o packed --force"), 0);
    ends(2, "pool pack p", "-o NEW");
    ends(0, "pool list .", "./p\t2 contexts\t2 agents\t3 outputs\tSYNTHETIC\tBy hand\n");
    shows("./packed\t");
    ends(0, "pool show packed", "# By hand");
    shows("SYNTHETIC");
    ends(0, "pool stats packed", "2 of 4 pairs missing");
    ends(2, "pool show nowhere", "regret: there is no pool \"nowhere\"; looked for nowhere");
}

Test(pool_command, agreement)
{
    sample_write("t.csv", "d,t,m,o,x,y\nq,text,a,out,1,1\nq,text,b,out,0,0\nr,text,a,out,1,0\n");
    sample_write(
        "map.json",
        "{\"name\": \"m\", \"synthetic\": true, \"columns\": {\"context\": \"d\", \"text\": "
        "\"t\", \"agent\": \"m\", \"output\": \"o\"}, \"components\": [{\"name\": \"x\", \"low\": "
        "0, \"high\": 1}, {\"name\": \"y\", \"low\": 0, \"high\": 1}]}");
    cr_assert_eq(run("import csv t.csv --map map.json -o r"), 0, "%s", output);
    ends(0, "pool agreement r x y", "Agreement of 2 raters on 3 outputs (SYNTHETIC)");
    shows("alpha nominal   0.444"); /* 1 - (2/6)/(18/30) */
    ends(0, "pool agreement r --json", "\"ICC(2,k)\"");
    ends(2, "pool agreement r x", "one rater agrees with nobody");
    ends(2, "pool agreement r x z", "unknown component \"z\"");
}

static void same_file(const char *a, const char *b)
{
    char command[600];
    snprintf(command, sizeof command, "cmp %s %s", sample_path(a), sample_path(b));
    cr_expect_eq(system(command), 0, "%s and %s differ", a, b);
}

Test(pool_command, extend_in_place)
{
    cr_assert_eq(run("pool pack p -o whole"), 0, "%s", output);
    ends(0, "pool select whole --agent lead -o part --date 2026-11-25",
         "regret: part holds 1 of 2 contexts, 1 of 2 agents, 1 outputs\n"
         "regret: 1 contexts went with the agents, the only ones with outputs of them\n");
    ends(2, "pool extend part whole",
         "say where to write: -o NEW, or --force to replace the first pool");
    cr_assert_eq(run("pool pack part -o before"), 0);
    ends(2, "pool extend newswire whole --force",
         "newswire was found by its name; say where to write, -o NEW, or give its path");
    sample_write("part/notes.txt", "mine\n");
    ends(2, "pool extend part whole --force",
         "regret: part holds notes.txt, which the program did not write");
    cr_assert_eq(remove(sample_path("part/notes.txt")), 0);
    sample_write("whole/outputs.jsonl", "{}\n");
    ends(2, "pool extend part whole --force",
         "whole/outputs.jsonl was changed after the pool was made");
    same_file("part/pool.json", "before/pool.json");
    same_file("part/outputs.jsonl", "before/outputs.jsonl");
    ends(0, "pool extend part p --force",
         "regret: part holds 2 contexts (1 new), 2 agents (1 new), 3 outputs (2 new, 1 were there "
         "already)\n");
    cr_assert_eq(run("pool pack part -o before --force"), 0);
    cr_assert_eq(run("pool extend part p --force"), 0);
    same_file("part/pool.json", "before/pool.json");
    ends(0, "pool show part", "history\n  2026-11-25 hand: select --agent 'lead' (regret ");
    shows("Z hand: extend (regret ");
    ends(0, "pool show part --json", "\"extend\"");
}

Test(pool_command, merge_and_select)
{
    cr_assert_eq(run("pool merge p p -o both --name twice --title 'Both of them'"), 0, "%s",
                 output);
    ends(0, "pool show both", "# Both of them");
    ends(2, "pool merge p p -o both --costs least", "least");
    ends(0, "pool merge p p -o drawn --draws", "6 outputs (3 new, 0 were there already)");
    ends(2, "pool select p -o s --by-tag", "--by-tag goes with --sample N");
    ends(2, "pool select p --agent 'x*' -o s",
         "regret: --agent \"x*\" matches nothing in pool \"hand\"; there are \"lead\", \"long\"");
    ends(2, "pool select p --agent lead --date 2026-2-1 -o s",
         "the date \"2026-2-1\" must be written YYYY-MM-DD");
    cr_assert_not(regret_file_exists(sample_path("s")));
    cr_assert_eq(setenv("SOURCE_DATE_EPOCH", "86399", 1), 0);
    cr_assert_eq(run("pool select p --agent lead -o s"), 0, "%s", output);
    ends(0, "pool show s", "  1970-01-01T23:59:59Z hand: select --agent 'lead'");
    cr_assert_eq(setenv("SOURCE_DATE_EPOCH", "yesterday", 1), 0);
    ends(2, "pool select p --agent lead -o s2",
         "SOURCE_DATE_EPOCH is \"yesterday\"; it must be seconds since 1970");
}

Test(pool_command, import)
{
    ends(2, "import summeval p/pool.json -o new",
         "regret: p/pool.json: \"doc_id\" is absent; it must be a text or a number");
    ends(2, "import summeval p/pool.json", "-o POOL");
    cr_assert_not(regret_file_exists(sample_path("new")));
}

Test(pool_command, import_swebench)
{
    sample_write("issues.jsonl", "{\"instance_id\": \"i\", \"problem_statement\": \"text\"}\n");
    sample_write("in.csv", "instance_id,agent,patch,resolved\ni,a,\"x\ny\",True\nj,a,,True\n"
                           "i,b,,False,\ni,c,,False\n");
    ends(2, "import swebench in.csv --issues issues.jsonl -o new",
         "regret: in.csv:5: has 5 fields where the header has 4");
    cr_assert_not(regret_file_exists(sample_path("new")));
    ends(0, "import swebench in.csv --issues issues.jsonl -o new --skip-bad",
         "regret: left out: in.csv:5: has 5 fields");
    shows("new holds 1 contexts, 2 agents (2 runs), 2 outputs out of 4 rows");
    shows("1 rows left out because the issues file lacks their issue");
    shows("0 of 2 pairs of context and agent are missing");
    cr_assert_eq(run("pool validate new"), 0, "%s", output);
    ends(2, "import swebench in.csv -o new", "--issues JSONL");
    ends(2, "import swebench in.csv --issues issues.jsonl -o x --duplicates best",
         "--duplicates is first, last or refuse");
    ends(2, "import swebench none.csv --issues issues.jsonl -o x", "cannot open none.csv");
    ends(2, "import swebench . --issues issues.jsonl -o x",
         "regret: . is not a regular file, but a folder, a pipe or a device; give a file");
    cr_assert_eq(run("import swebench in.csv --issues . -o x"), 2);
    cr_assert_eq(run("import summeval . -o x"), 2);
    cr_assert_eq(run("import swebench in.csv --issues issues.jsonl -o x --skip-bad --agent nope"),
                 2);
    shows("no run matches an agent pattern; there are: a, ");
    sample_write("in.csv", "instance_id,agent,patch,resolved,tests_status\ni,a,\xe9,True,{\n");
    sample_write("issues.json", "[{\"instance_id\": \"i\", \"problem_statement\": \"text\"},"
                                " {\"instance_id\": \"i\", \"problem_statement\": \"other\"},"
                                " {\"instance_id\": \"j\", \"problem_statement\": null}]\n");
    ends(0, "import swebench in.csv --issues issues.json -o x",
         "1 issues left out because they have no problem_statement");
    shows("1 issues given again with another problem_statement: the first one counts");
    shows("1 outputs have a tests_status that could not be read");
    shows("1 patches had bytes that are not UTF-8 replaced");
}

Test(pool_command, synth)
{
    ends(0, "pool synth newswire --seed 3 --articles 2 --draws 2 -o news",
         "news holds 2 articles, 20 agents, 80 outputs");
    ends(0, "pool validate news", "valid, 2 contexts, 20 agents, 80 outputs");
    cr_assert(regret_file_exists(sample_path("news/README.md")));
    ends(2, "pool synth sports -o other",
         "unknown generator \"sports\"; there are newswire, newswire-ceiling and newswire-fitted");
    ends(0, "pool synth newswire-ceiling --articles 2 -o near",
         "near holds 2 articles, 20 agents, 40 outputs");
    ends(2, "pool synth newswire --issues 2 -o other", "unknown option \"--issues\"");
    ends(2, "pool synth newswire", "-o POOL");
}

#define MAP                                                                                        \
    "{\"name\": \"mine\", \"synthetic\": true, \"columns\": {\"context\": \"doc\", \"agent\": "    \
    "\"model\", \"output\": \"out\", \"text\": \"article\"},\n \"components\": [{\"name\": "       \
    "\"good\", \"from\": \"score\", \"low\": 1, \"high\": 5}]}\n"

/* The digest that `pool validate` prints. */
static void digest_of(char digest[33], const char *pool)
{
    char command[64];
    snprintf(command, sizeof command, "pool validate %s", pool);
    cr_assert_eq(run(command), 0, "%s", output);
    const char *at = strstr(output, "digest ");
    cr_assert_not_null(at);
    snprintf(digest, 33, "%s", at + strlen("digest "));
}

/* Each import says when it was made, and when its files were changed; what it made is the same pool whenever that was. */
Test(pool_command, an_import_has_its_date)
{
    static const char *const EPOCHS[] = {"86399", "1795651200", "86399"};
    static const char *const NAMES[] = {"first", "second", "third"};
    char digest[3][33];
    sample_write("map.json", MAP);
    sample_write("t.csv", "doc,article,model,out,score\na,A text.,m,one,5\na,A text.,n,two,1\n");
    for (size_t i = 0; i < 2; i++) {
        const struct utimbuf times = {1234567890, 1234567890};
        cr_assert_eq(utime(sample_path(i == 0 ? "t.csv" : "map.json"), &times), 0);
    }
    for (size_t i = 0; i < 3; i++) {
        char command[80];
        cr_assert_eq(setenv("SOURCE_DATE_EPOCH", EPOCHS[i], 1), 0);
        snprintf(command, sizeof command, "import csv t.csv --map map.json -o %s", NAMES[i]);
        cr_assert_eq(run(command), 0, "%s", output);
        digest_of(digest[i], NAMES[i]);
    }
    same_file("first/pool.json", "third/pool.json");
    cr_expect_str_eq(digest[0], digest[1]);
    ends(0, "pool show first", "history\n  1970-01-01T23:59:59Z mine: import csv (regret ");
    ends(0, "pool show first --json",
         "\"t.csv\",\"1970-01-01T23:59:59Z\""); /* no younger than the pool */
    ends(0, "pool show second", "  2026-11-26T00:00:00Z mine: import csv (regret ");
    shows("t.csv of");
    ends(0, "pool show second --json",
         "\"2026-11-26T00:00:00Z\",\"t.csv\",\"2009-02-13T23:31:30Z\"");
    shows("\"map.json\",\"2009-02-13T23:31:30Z\"");
    cr_assert_eq(setenv("SOURCE_DATE_EPOCH", "soon", 1), 0);
    ends(2, "import csv t.csv --map map.json -o fourth", "SOURCE_DATE_EPOCH is \"soon\"");
    cr_assert_eq(unsetenv("SOURCE_DATE_EPOCH"), 0);
    cr_assert_eq(run("import csv t.csv --map map.json -o fourth"), 0);
    digest_of(digest[1], "fourth");
    cr_expect_str_eq(digest[0], digest[1]);
}

Test(pool_command, import_tables)
{
    sample_write("map.json", MAP);
    sample_write("t.csv", "doc,article,model,out,score\na,A text.,m,one,5\na,A text.,n,two,1\n"
                          "b,B text.,m,,3\n");
    sample_write("t.tsv", "doc\tarticle\tmodel\tout\tscore\na\tA text.\tm\tone\t5\n");
    sample_write("t.jsonl", "{\"doc\": \"a\", \"article\": \"A text.\", \"model\": \"m\", "
                            "\"out\": \"one\", \"score\": 2}\n");
    ends(0, "import csv t.csv --map map.json -o csv",
         "regret: csv holds 2 contexts, 2 agents, 3 outputs out of 3 rows\n");
    shows("1 outputs are empty");
    cr_assert_eq(run("pool validate csv"), 0, "%s", output);
    ends(0, "import csv t.tsv --separator tab --map map.json -o tsv",
         "tsv holds 1 contexts, 1 agents, 1 outputs out of 1 rows");
    ends(0, "import jsonl t.jsonl --map map.json -o jsonl", "jsonl holds 1 contexts");
    ends(2, "import csv t.csv --map map.json -o csv", "csv exists already");
    cr_assert_eq(run("import csv t.csv --map map.json -o csv --force"), 0, "%s", output);
}

Test(pool_command, import_tables_repeats_and_bad_rows)
{
    sample_write("map.json", MAP);
    sample_write("t.csv", "doc,article,model,out,score\na,A text.,m,one,5\na,A text.,m,two,1\n"
                          "b,B text.,m,three,none\n");
    cr_assert_eq(run("import csv t.csv --map map.json -o x"), 2);
    cr_assert_not(regret_file_exists(sample_path("x")));
    ends(0, "import csv t.csv --map map.json -o x --repeats first --skip-bad",
         "x holds 1 contexts, 1 agents, 1 outputs out of 3 rows");
    shows("1 bad rows left out");
    shows("1 rows left out because their pair has another one");
    ends(0, "import csv t.csv --map map.json -o y --repeats draws --skip-bad",
         "y holds 1 contexts, 1 agents, 2 outputs out of 3 rows");
    sample_write("s.csv", "doc;article;model;out;score\na;A text.;m;one;5\n");
    ends(2, "import csv s.csv --map map.json -o z", "say what separates fields, --separator ';'");
}

Test(pool_command, import_tables_wrong_usage)
{
    static const struct {
        const char *arguments, *message;
    } cases[] = {
        {"import csv t.csv --map map.json", "regret: say where to write: -o POOL\n"},
        {"import csv t.csv -o x", "regret: say what stands where: --map MAP.json\n"},
        {"import csv t.csv --map map.json -o x --repeats some",
         "--repeats is refuse, first, last or draws, not \"some\""},
        {"import csv t.csv --map map.json -o x --separator ';;'",
         "--separator is one character, or the word tab, not \";;\""},
        {"import csv t.csv --map map.json -o x --separator '\"'", "--separator is one character"},
        {"import jsonl t.csv --map map.json -o x --separator tab",
         "unknown option \"--separator\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_expect_eq(run(cases[i].arguments), 2, "%s", cases[i].arguments);
        shows(cases[i].message);
        cr_expect_not(regret_file_exists(sample_path("x")));
    }
}

/* Three models of rising skill that answer thirty questions of two tasks each. */
static void put_samples(void)
{
    for (int model = 0; model < 3; model++) {
        for (int task = 0; task < 2; task++) {
            char path[100], text[8000];
            size_t n = 0;
            for (int id = 0; id < 30; id++) {
                n += (size_t)snprintf(
                    text + n, sizeof text - n,
                    "{\"doc_id\": %d, \"arguments\": [[\"Question %d of task %d?\"]], "
                    "\"resps\": [[\"Answer %d.\"]], \"filtered_resps\": [\"x\"], "
                    "\"exact_match\": %d}\n",
                    id, id, task, id + model, (id * 7 + task) % 5 < 1 + 2 * model);
            }
            snprintf(path, sizeof path, "samples/m%d", model);
            cr_assert_eq(regret_folder_create(sample_path(path)), 0);
            snprintf(path, sizeof path, "samples/m%d/samples_t%d_2025-01-01T00-00-00.jsonl", model,
                     task);
            sample_write(path, text);
        }
    }
}

Test(pool_command, from_a_harness_to_a_recommendation)
{
    put_samples();
    ends(0, "import lm-eval samples -n -o q", "The first 10 outputs of 180:");
    shows("nothing was written (--dry-run)");
    cr_assert_not(regret_file_exists(sample_path("q")));
    ends(0, "import lm-eval samples -o q",
         "q holds 60 contexts, 3 agents, 180 outputs out of 180 answers in 6 files");
    shows("\n  regret run q/config.json -o q-run\n  regret recommend q-run\n");
    cr_assert_eq(run("pool validate q"), 0, "%s", output);
    cr_assert_eq(run("run q/config.json -o q-run -q --set seeds=5"), 0, "%s", output);
    ends(0, "recommend q-run", "* m2 is the best single agent (");
    ends(2, "import lm-eval samples -o q", "q exists already");
    ends(2, "import lm-eval p -o x", "p has no samples_TASK_DATE.jsonl");
    ends(2, "import lm-eval samples -o x --runs never",
         "--runs is refuse, last or draws, not \"never\"");
    cr_assert_not(regret_file_exists(sample_path("x")));
}

Test(pool_command, init_takes_a_pool)
{
    ends(0, "init p -o deep/study", "\n  regret run deep/study/config.json -o deep/study/run\n");
    cr_assert_eq(run("config deep/study/config.json"), 0, "%s", output);
    ends(2, "init p -o deep/study", "deep/study/config.json is there already; --force replaces it");
    ends(2, "init deep -o other", "deep/pool.json");
}
