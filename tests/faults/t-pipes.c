/* Pipes where a file is wanted, readers that go away, and too little memory: no process hangs. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/process.h"
#include "faults/background.h"

static void open_with_run(void)
{
    process_open();
    cr_assert_eq(process_run("run config.json -o out -q --threads 1"), 0, "%s", process_stderr);
    process_write("map.json",
                  "{\"name\": \"mine\", \"synthetic\": false, \"columns\": {\"context\": \"c\","
                  " \"text\": \"x\", \"agent\": \"a\", \"output\": \"m\"}, \"components\":"
                  " [{\"name\": \"s\", \"from\": \"s\", \"low\": 0, \"high\": 5}]}");
}

TestSuite(pipes, .init = open_with_run, .fini = process_close, .timeout = 600);

/* With a pipe that nobody writes to at `name`, the command ends by itself, and not well. */
static void does_not_wait(const char *name, const char *line)
{
    char saved[256];
    snprintf(saved, sizeof saved, "%s.saved", name);
    int there = rename(background_path(name), background_path(saved)) == 0;
    cr_assert_eq(mkfifo(background_path(name), 0666), 0);
    int code = process_run_in("timeout 60", line);
    cr_expect(code == 1 || code == 2, "exit code %d with a pipe %s: regret %s", code, name, line);
    remove(background_path(name));
    if (there) {
        cr_assert_eq(rename(background_path(saved), background_path(name)), 0);
    }
}

Test(pipes, that_nobody_writes_to)
{
    static const char *const PLACES[][2] = {
        {"pipe", "run pipe -o made"},
        {"pipe", "config pipe"},
        {"pipe", "cell pipe --export made"},
        {"pool/pool.json", "pool validate pool"},
        {"pool/contexts.jsonl", "pool validate pool"},
        {"pool/outputs.jsonl", "run config.json -o made"},
        {"pool/README.md", "pool pack pool -o made"},
        {"out/run.json", "report out"},
        {"out/results-1-of-1.jsonl", "report out"},
        {"out/run.json", "run config.json -o out --resume -q"},
        {"out/results-1-of-1.jsonl", "run config.json -o out --resume -q"},
        {"out/timing-1-of-1.jsonl", "run config.json -o out --resume -q"},
        {"out/results-1-of-1.jsonl", "merge out -o made"},
        {"out/results-1-of-1.jsonl", "compare out out"},
        {"pipe", "import csv pipe --map map.json -o made"},
        {"map.json", "import csv pool/pool.json --map map.json -o made"},
        {"pipe", "import jsonl pipe --map map.json -o made"},
        {"pipe", "rate estimate pipe"},
        {"pipe", "rate shift pipe"},
        {"pipe", "rate typos pipe"}};
    for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++) {
        does_not_wait(PLACES[i][0], PLACES[i][1]);
    }
}

/* `head -1` goes away after the first of many lines. The rows are more than anything that is said
 * about them: they are finished, and the exit code is not that of a signal. */
Test(pipes, a_reader_that_goes_away_stops_no_run)
{
    char command[1024];
    cr_assert_eq(process_run("run config.json -o cut -q --set seeds=40"), 0);
    cr_assert_eq(rename(background_path("cut"), background_path("whole")), 0);
    snprintf(command, sizeof command,
             "cd '%s' && { timeout 120 %s run config.json -o cut --threads 2 --set seeds=40; "
             "echo $? > code; } 2>&1 | head -1 > first",
             process_folder(), REGRET_PROGRAM);
    cr_assert_eq(system(command), 0);
    char *code = process_read("code"), *first = process_read("first");
    cr_expect(strcmp(code, "0\n") == 0 || strcmp(code, "1\n") == 0, "exit code %s", code);
    cr_expect_eq(strncmp(first, "regret: ", 8), 0, "%s", first);
    background_expect_same("cut", "whole", "the run without a reader");
    free(code);
    free(first);
}

/* The exit code of the program started with so much address space. OpenBLAS interrupts the process
 * before main() where it can start no thread: 130. What it said is in the file `said`. */
static int run_within(int kilobytes, const char *line)
{
    char command[1024];
    snprintf(command, sizeof command,
             "cd '%s' && sh -c 'ulimit -v %d; exec timeout 60 \"$@\"' sh %s %s > said 2>&1",
             process_folder(), kilobytes, REGRET_PROGRAM, line);
    int status = system(command);
    int code = status >= 0 && (status & 0x7f) == 0 ? status >> 8 : -1;
    cr_expect(code == 130 || (code >= 0 && code < 128 && code != 124),
              "exit code %d of %s with %d KB", code, line, kilobytes);
    return code;
}

/* What a batch system allows. Wherever it is too little, the program says so and ends. */
Test(pipes, little_address_space_hangs_nothing)
{
    static const int kilobytes[] = {20000, 60000, 80000, 100000, 120000, 160000, 240000};
    cr_assert_eq(process_run("run config.json -o made -q --threads 1"), 0, "%s", process_stderr);
    cr_assert_eq(rename(background_path("made"), background_path("kept")), 0);
    for (size_t i = 0; i < sizeof kilobytes / sizeof *kilobytes; i++) {
        if (run_within(kilobytes[i], "run config.json -o made --threads 2 -q --force") == 0) {
            background_expect_same("made", "kept", "a run with little memory");
        }
    }
}

/* The same of the commands that use BLAS without being runs. With 160 MB all of them start, and there is
 * no room for the buffer of a thread. */
Test(pipes, little_address_space_hangs_no_other_command)
{
    static const char *const lines[] = {
        "cell config.json --export made --force",
        "cost config.json",
        "rate estimate " REGRET_SOURCE_FOLDER "/data/rate/unlabelled.jsonl --predict-w text",
    };
    static const int kilobytes[] = {80000, 120000, 160000, 200000, 240000};
    for (size_t l = 0; l < sizeof lines / sizeof *lines; l++) {
        for (size_t i = 0; i < sizeof kilobytes / sizeof *kilobytes; i++) {
            int code = run_within(kilobytes[i], lines[l]);
            if (kilobytes[i] == 160000 && code != 130) {
                char *said = process_read("said");
                cr_expect_eq(code, 1, "%s: exit code %d", lines[l], code);
                cr_expect(strstr(said, "MB of address space") != NULL, "%s: %s", lines[l], said);
                free(said);
            }
        }
        cr_expect_eq(run_within(2000000, lines[l]), 0, "%s", lines[l]);
    }
}
