/* Two processes, one output: one wins, or both make the same; the one that does not is told. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/process.h"
#include "faults/background.h"

TestSuite(writers, .init = process_open, .fini = process_close, .timeout = 600);

enum { ROUNDS = 10, SPREAD = 20000000 /* nanoseconds by which the second may come later */ };

static void shell(const char *command)
{
    char line[1024];
    snprintf(line, sizeof line, "cd '%s' && %s", process_folder(), command);
    cr_assert_eq(system(line), 0, "%s", line);
}

/* `line` writes "out"; the undisturbed bytes are put aside as "whole" first. "start" is what stands
 * at "out" before, if anything does. */
static void compete(const char *line)
{
    int completed = 0;
    setenv("SOURCE_DATE_EPOCH", "0", 1); /* bytes are compared */
    cr_assert_eq(process_run(line), 0, "%s", process_stderr);
    shell("mv out whole");
    for (unsigned round = 0; round < ROUNDS; round++) {
        shell("rm -rf out; if [ -e start ]; then cp -r start out; fi; ls -A > .names");
        pid_t first = background_start(line, 1);
        const struct timespec later = {0, (long)round * SPREAD / ROUNDS};
        nanosleep(&later, NULL);
        pid_t second = background_start(line, 2);
        int a = background_wait(first), b = background_wait(second);
        char said[2][2048];
        snprintf(said[0], sizeof said[0], "%s", background_said(1));
        snprintf(said[1], sizeof said[1], "%s", background_said(2));
        completed += a == 0 || b == 0;
        cr_expect(a < 126 && b < 126, "exit codes %d and %d: regret %s", a, b, line);
        cr_expect(a == 0 || strstr(said[0], "regret: ") != NULL, "silent: %s", said[0]);
        cr_expect(b == 0 || strstr(said[1], "regret: ") != NULL, "silent: %s", said[1]);
        cr_expect(a == 0 || b == 0, "both failed: %s%s", said[0], said[1]);
        background_expect_same("out", "whole", line);
        shell("{ cat .names; echo out; } | sort -u > .wanted; ls -A | grep -v wanted | sort | "
              "diff .wanted - >&2");
        shell("rm .names .wanted");
    }
    cr_expect_eq(completed, ROUNDS);
}

/* "NAME" is then a pool of one context of that name. */
static void import_context(const char *name)
{
    char table[256], line[256];
    snprintf(table, sizeof table, "c,x,a,m,s\n%s,text of %s,u,one,1\n%s,text of %s,v,two,2\n", name,
             name, name, name);
    process_write("table.csv", table);
    process_write("map.json",
                  "{\"name\": \"mine\", \"synthetic\": false, \"columns\": {\"context\": \"c\","
                  " \"text\": \"x\", \"agent\": \"a\", \"output\": \"m\"}, \"components\":"
                  " [{\"name\": \"s\", \"from\": \"s\", \"low\": 0, \"high\": 5}]}");
    snprintf(line, sizeof line, "import csv table.csv --map map.json -o %s", name);
    cr_assert_eq(process_run(line), 0, "%s", process_stderr);
}

static int holds(const char *context)
{
    char line[1024];
    snprintf(line, sizeof line, "grep -q '\"%s\"' '%s/out/contexts.jsonl'", context,
             process_folder());
    return system(line) == 0;
}

/* Each adds to the pool what the other does not know of: what a process has added is there, or it has said that it is not. */
Test(writers, that_extend_a_pool)
{
    import_context("start");
    import_context("one");
    import_context("two");
    for (unsigned round = 0; round < ROUNDS; round++) {
        shell("rm -rf out && cp -r start out");
        pid_t first = background_start("pool extend out one --force", 1);
        const struct timespec later = {0, (long)round * SPREAD / ROUNDS};
        nanosleep(&later, NULL);
        pid_t second = background_start("pool extend out two --force", 2);
        int a = background_wait(first), b = background_wait(second);
        cr_expect(a == 0 || b == 0, "both failed: %s", background_said(1));
        cr_expect_eq(holds("one"), a == 0, "round %u", round);
        cr_expect_eq(holds("two"), b == 0, "round %u", round);
    }
}

/* Neither takes the place of the other's. */
Test(writers, of_a_map)
{
    process_write("a.csv",
                  "id,prompt,model,answer,score\n1,x,u,a,1\n1,x,v,b,0\n2,y,u,c,1\n2,y,v,d,0\n");
    process_write("b.csv",
                  "id,prompt,model,answer,grade\n1,x,u,a,1\n1,x,v,b,0\n2,y,u,c,1\n2,y,v,d,0\n");
    for (unsigned round = 0; round < ROUNDS; round++) {
        shell("rm -rf out; mkdir out");
        pid_t first = background_start("init a.csv -o out", 1);
        pid_t second = background_start("init b.csv -o out", 2);
        int a = background_wait(first), b = background_wait(second);
        cr_expect_neq(a == 0, b == 0, "round %u: %d and %d", round, a, b);
        shell(a == 0 ? "grep -q '\"score\"' out/map.json" : "grep -q '\"grade\"' out/map.json");
    }
}

/* What makes what is needed, and the command. */
static const char *const COMMANDS[][2] = {
    {"", "pool synth newswire --articles 3 -o out"},
    {"pool synth newswire --articles 2 -o start",
     "pool synth newswire --articles 3 -o out --force"},
    {"", "import csv table.csv --map map.json -o out"},
    {"", "pool pack pool -o out"},
    {"", "cell small.json --export out"},
    {"", "run config.json -o out --threads 1 --quiet"},
    {"run config.json -o s1 --shard 1/2 -q", "merge s1 s2 -o out"},
    {"run config.json -o r -q --no-report", "report r -o out"},
    {"", "rate estimate " REGRET_SOURCE_FOLDER "/data/rate/rough.jsonl --figures out"}};

Test(writers, of_one_output)
{
    for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++) {
        process_write("small.json",
                      "{\"pool\": \"pool\", \"contexts.hard\": 0, \"seeds\": 1, \"n_obs\": 20,\n"
                      " \"n_exp\": 20, \"features.buckets\": 64, \"families\": [\"exp-only\"]}\n");
        import_context("one"); /* leaves a table and its map */
        if (COMMANDS[i][0][0] != '\0') {
            cr_assert_eq(process_run(COMMANDS[i][0]), 0, "%s", process_stderr);
        }
        if (strncmp(COMMANDS[i][1], "merge", 5) == 0) {
            cr_assert_eq(process_run("run config.json -o s2 --shard 2/2 -q"), 0);
        }
        compete(COMMANDS[i][1]);
        process_close();
        process_open();
    }
}
