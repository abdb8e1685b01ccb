/* A run near a limit of its address space: refused before it begins, with what it takes; or complete; or, where it fails on
 * its way, with a reason, and complete after --resume. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/process.h"
#include "regret/buffer.h"
#include "regret/status.h"

TestSuite(limit, .init = process_open, .fini = process_close, .timeout = 900);

enum { MIB = 1024 /* ulimit -v counts kilobytes */ };

static int run_within(size_t kilobytes, const char *arguments)
{
    char limit[96];
    snprintf(limit, sizeof limit, "sh -c 'ulimit -v %zu && exec \"$0\" \"$@\"'", kilobytes);
    return process_run_in(limit, arguments);
}

/* What `cost` says of a process with one thread. */
static size_t told_kilobytes(void)
{
    cr_assert_eq(process_run("cost big.json --threads 1 --format json"), 0);
    const char *peak = strstr(process_stdout, "\"peak_bytes\":");
    cr_assert_not_null(peak);
    return (size_t)(strtod(peak + strlen("\"peak_bytes\":"), NULL) / 1024.0);
}

static void forget(const char *name)
{
    char line[512];
    snprintf(line, sizeof line, "rm -rf '%s/%s'", process_folder(), name);
    cr_assert_eq(system(line), 0);
}

/* Exit 0 and the bytes of a run without a limit; or not 0, a reason that names memory, and nothing that does not go on. */
static int try_limit(size_t kilobytes)
{
    int code = run_within(kilobytes, "run big.json -o out --threads 1 --quiet");
    cr_assert(code == 0 || code == 1 || code == 2, "%zu kB: exit %d: %s", kilobytes, code,
              process_stderr);
    if (code != 0) {
        cr_expect(strstr(process_stderr, "memory") != NULL ||
                      strstr(process_stderr, "ulimit -v") != NULL,
                  "%zu kB: %s", kilobytes, process_stderr);
    }
    if (code != 0 && process_exists("out")) {
        cr_expect_eq(process_run("run big.json -o out --threads 1 --quiet --resume"), 0);
    }
    if (process_exists("out")) {
        char *rows = process_read("out/results-1-of-1.jsonl"),
             *whole = process_read("whole/results-1-of-1.jsonl");
        cr_expect_str_eq(rows, whole, "%zu kB", kilobytes);
        regret_free(rows);
        regret_free(whole);
    }
    forget("out");
    return code;
}

Test(limit, a_run_is_refused_or_complete)
{
    process_write("big.json", "{\"pool\": \"synth:newswire\", \"synth.articles\": 80, \"seeds\": 2,"
                              " \"contexts.hard\": 0, \"n_obs\": 3000, \"n_exp\": 300,"
                              " \"beta\": 0.6, \"solver\": \"direct\"}");
    cr_assert_eq(process_run("run big.json -o whole --threads 1 --quiet"), 0);
    size_t told = told_kilobytes();
    /* Less than what is resident at its peak never does; programs map about 200 MiB that they do not touch. */
    cr_expect_neq(try_limit(told - 8 * MIB), 0);
    cr_expect_eq(try_limit(told + 384 * MIB), 0, "%s", process_stderr);
    for (size_t more = 32; more < 320; more += 32) {
        (void)try_limit(told + more * MIB);
    }
}

/* With room for one thread but not for two it is told so, and nothing is begun. */
Test(limit, threads_that_fit_are_told)
{
    process_write("big.json", "{\"pool\": \"synth:newswire\", \"synth.articles\": 80, \"seeds\": 8,"
                              " \"contexts.hard\": 0, \"n_obs\": 3000, \"n_exp\": 300,"
                              " \"beta\": 0.6, \"solver\": \"direct\"}");
    size_t limit = told_kilobytes() + 400 * MIB;
    cr_expect_eq(run_within(limit, "run big.json -o out --threads 2 --quiet"), 2, "%s",
                 process_stderr);
    process_said("(ulimit -v): use --threads 1");
    /* Buffers of OpenBLAS for eight would be mapped while the run is on its way: one that is not got is waited for without end. */
    limit = told_kilobytes() + 1500 * MIB;
    cr_expect_eq(run_within(limit, "run big.json -o out --threads 8 --quiet"), 2, "%s",
                 process_stderr);
    process_said("(ulimit -v): use --threads ");
    cr_expect_not(process_exists("out"));
}

/* A number that the last message gives behind `mark`; 0 where there is none. */
static size_t advised(const char *mark)
{
    const char *at = strstr(process_stderr, mark);
    return at != NULL ? strtoul(at + strlen(mark), NULL, 10) : 0;
}

/* Nor is a table read where there is no room for the products, and where memory ends later it is told what takes less. */
Test(limit, an_evaluation_names_what_takes_less)
{
    struct regret_buffer rows = REGRET_BUFFER_INIT;
    regret_buffer_append(&rows, "id,prompt,agent,score\n");
    for (int i = 0; i < 20000; i++) {
        regret_buffer_printf(&rows, "%d,word%d and word%d,%s,%d\n", i, i % 997, i % 1009,
                             i % 2 ? "new" : "old", i % 3 == 0);
    }
    process_write("trial.csv", regret_buffer_get(&rows));
    regret_buffer_free(&rows);
    process_write(
        "evaluate.json",
        "{\"exp\": {\"file\": \"trial.csv\", \"context\": \"id\", \"text\": \"prompt\", "
        "\"agent\": \"agent\", \"outcome\": \"score\"}, \"outcome\": {\"low\": 0, \"high\": 1}}");
    size_t told = 0;
    for (size_t limit = 180;
         limit <= 300 && run_within(limit * MIB, "recommend evaluate.json -q -t 1") == 1;
         limit += 20) {
        told += strstr(process_stderr, "\"obs.rows\" (of ") != NULL;
        cr_expect(strstr(process_stderr, "memory") != NULL, "%zu: %s", limit, process_stderr);
    }
    cr_expect_gt(told, 0, "%s", process_stderr);
}

/* A run that is refused says how many rows of how many columns it has, and ends with fewer within the same limit. */
Test(limit, fewer_rows_end)
{
    process_write("big.json", "{\"pool\": \"synth:newswire\", \"synth.articles\": 80, \"seeds\": 1,"
                              " \"n_obs\": 1000000, \"n_exp\": 200, \"beta\": 0.6}");
    cr_expect_eq(run_within(330 * MIB, "run big.json -o out --threads 1 --quiet"), 2);
    process_said("it has 1000200 rows (n_obs + n_exp) of ");
    cr_expect_eq(run_within(330 * MIB, "cost big.json --threads 1"), 2);
    process_said("it has 1000200 rows (n_obs + n_exp) of ");
    cr_expect_eq(run_within(330 * MIB, "run big.json -o out --threads 1 --quiet --set n_obs=500"),
                 0, "%s", process_stderr);
}

/* Where the pool or its features do not fit, what they take is said: no n_obs would help. */
Test(limit, a_pool_that_does_not_fit_is_told)
{
    cr_assert_eq(process_run("pool synth newswire --articles 800 -o large"), 0, "%s",
                 process_stderr);
    process_write("big.json", "{\"pool\": \"large\", \"seeds\": 1, \"n_obs\": 100, \"n_exp\": 50}");
    size_t told = 0;
    for (size_t limit = 260; limit <= 320; limit += 20) {
        cr_expect_neq(run_within(limit * MIB, "run big.json -o out --threads 1 --quiet"), 0);
        told += strstr(process_stderr,
                       "with their features, before any replicate, and there are") != NULL;
    }
    cr_expect_gt(told, 1, "%s", process_stderr);
    /* The last limit at which set-up fails: beyond, it is a replicate that does. */
    size_t limit = 0, sample = 0;
    for (size_t m = 300; m <= 360; m += 5) {
        if (run_within(m * MIB, "run big.json -o out --threads 1 --quiet") != 0 &&
            advised(", of which ") > 0) {
            limit = m * MIB;
            sample = advised(", of which ");
        }
        forget("out");
    }
    cr_assert_gt(limit, 0, "%s", process_stderr);
    char line[256];
    snprintf(line, sizeof line, "pool select large --sample %zu -o part", sample);
    cr_assert_eq(process_run(line), 0, "%s: %s", line, process_stderr);
    cr_expect_eq(run_within(limit,
                            "run big.json -o ended --threads 1 --quiet --set pool=part --set "
                            "solver=iterative"),
                 0, "%s", process_stderr);
    cr_expect_not(process_exists("out"));
}
