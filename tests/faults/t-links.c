/* Links planted where something will be written: what they point to is never touched. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/process.h"
#include "faults/background.h"
#include "regret/status.h"

static const char victims_words[] = "somebody else's words\n";

static void open_with_run(void)
{
    process_open();
    process_write("victim", victims_words);
    cr_assert_eq(process_run("run config.json -o out -q --threads 1"), 0, "%s", process_stderr);
}

TestSuite(links, .init = open_with_run, .fini = process_close, .timeout = 300);

/* A link instead of whatever is at `name`, absolute, as an attacker would write it. */
static void plant(const char *name, const char *target)
{
    remove(background_path(name));
    cr_assert_eq(symlink(background_path(target), background_path(name)), 0, "%s", name);
}

static void victim_is_well(const char *line)
{
    char *words = process_read("victim");
    cr_expect_str_eq(words, victims_words, "written by: regret %s", line);
    regret_free(words);
    cr_expect_not(process_exists("nowhere"), "made by: regret %s", line);
}

/* Links to a file and to nothing, one after the other. The command may refuse, or replace the link. */
static void spares(const char *name, const char *line)
{
    static const char *const targets[] = {"victim", "nowhere"};
    for (size_t i = 0; i < 2; i++) {
        plant(name, targets[i]);
        int code = process_run(line);
        cr_expect(code >= 0 && code <= 2, "exit code %d: regret %s", code, line);
        victim_is_well(line);
    }
}

Test(links, at_what_is_written)
{
    static const char *const RUN[] = {"out/results-1-of-1.jsonl", "out/timing-1-of-1.jsonl",
                                      "out/run.json"};
    static const char figures[] =
        "rate estimate " REGRET_SOURCE_FOLDER "/data/rate/rough.jsonl --figures figures";
    cr_assert_eq(process_run("report out -o report"), 0);
    cr_assert_eq(process_run(figures), 0);
    spares("report/report.md", "report out -o report");
    spares("report/tables/summary.csv", "report out -o report");
    spares("report/report.md.tmp", "report out -o report");
    spares("figures/effects.svg", figures);
    spares("figures/effects.svg.tmp", figures);
    for (size_t i = 0; i < 3; i++) {
        process_close();
        open_with_run();
        spares(RUN[i], "run config.json -o out -q --resume");
        spares(RUN[i], "run config.json -o out -q --force");
    }
}

/* The whole output is a link: to a file it is refused, to a folder nothing there is lost. */
Test(links, in_place_of_the_output)
{
    cr_assert_eq(process_run("pool synth newswire --articles 2 -o other"), 0);
    cr_assert_eq(process_run("pool synth newswire --articles 2 -o kept"), 0);
    spares("made", "pool synth newswire --articles 3 -o made");
    spares("made", "pool synth newswire --articles 3 -o made --force");
    plant("made", "other");
    int code = process_run("pool synth newswire --articles 3 -o made --force");
    cr_expect(code >= 0 && code <= 2, "exit code %d", code);
    background_expect_same("other", "kept", "a pool behind a link");
}

/* The staging folder's old name, guessed: it is not ours if it is a link. */
Test(links, in_place_of_what_is_being_built)
{
    spares("made.partial", "pool synth newswire --articles 3 -o made --force");
    background_expect_same("pool", "pool", "the pool");
}
