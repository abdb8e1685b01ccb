/* One answer wherever it is said, from tables to the end of a run: few lines, none wider than a page. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "process.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "regret/task.h"

TestSuite(answer, .init = process_open, .fini = process_close);

enum { PROMPTS = 80, AGENTS = 4, WIDEST = 100, MOST_LINES = 10 };
#define WINNER "Größe-模型"
#define LONG "-a-name-that-is-longer-than-any-column-would-ever-hold-of-the-tenth-version-2026"

enum kind { NOTHING, ONE_WINNER, BY_OUTPUT, SLIGHT };

/* A row an answer; of BY_OUTPUT a word of it says how good it is. */
static void write_table(enum kind kind)
{
    static const char *const agents[AGENTS] = {WINNER, "b" LONG, "c" LONG, "d" LONG};
    struct regret_rng rng = regret_rng_at(3, REGRET_RNG_TEST, (uint64_t)kind);
    struct regret_buffer csv = REGRET_BUFFER_INIT;
    regret_buffer_append(&csv, "question,prompt,kind of request" LONG ",model,answer,score\n");
    for (size_t x = 0; x < PROMPTS; x++) {
        size_t best = kind == BY_OUTPUT ? regret_rng_below(&rng, AGENTS) : 0;
        for (size_t a = 0; a < AGENTS; a++) {
            double gain = kind == NOTHING || a != best ? 0.0 : kind == SLIGHT ? 0.045 : 0.3;
            regret_buffer_printf(
                &csv, "q%zu" LONG ",say %zu,tag %zu" LONG ",%s,%s words %zu,%.3f\n", x, x, x % 2,
                agents[a], kind == BY_OUTPUT && a == best ? "splendid" : "other", 7 * x + a,
                0.3 + gain + 0.3 * regret_rng_uniform(&rng));
        }
    }
    process_write("t.csv", regret_buffer_get(&csv));
    regret_buffer_free(&csv);
}

/* A path or an id alone has no place to break. */
static size_t expect_narrow(const char *shown, const char *command)
{
    size_t lines = 0;
    for (const char *p = shown; *p != '\0'; lines++) {
        char line[1 << 12];
        size_t n = strcspn(p, "\n");
        snprintf(line, sizeof line, "%.*s", (int)n, p);
        cr_expect(regret_text_columns(line) <= WIDEST || strchr(line, ' ') == NULL, "%s: %s",
                  command, line);
        p += n + (p[n] == '\n');
    }
    return lines;
}

static void run(const char *command)
{
    cr_assert_eq(process_run(command), 0, "%s: %s", command, process_stderr);
    expect_narrow(process_stdout, command);
    expect_narrow(process_stderr, command);
}

static void run_all(enum kind kind)
{
    write_table(kind);
    run("init t.csv -o m --tag 'kind of request" LONG "'");
    cr_assert_eq(process_run("import csv t.csv --map m/map.json -o m/pool"), 0);
    run("pool stats m/pool");
    run("cost m/config.json");
    run("run m/config.json -o m/run --seeds 12 --set 'families=[\"obs-only\"]' "
        "--set sweep.n_exp=[100] --set n_obs=300");
    const char *end = strstr(process_stderr, "regret: 1 cell x 12 seeds");
    cr_assert_not_null(end, "%s", process_stderr);
    cr_expect_leq(expect_narrow(end, "run") + 1, (size_t)MOST_LINES, "and one on stdout: %s", end);
}

/* The first sentence of a text stands, whatever the lines, in the other. */
static void expect_in(const char *shown, const char *sentence)
{
    static char line[1 << 16];
    size_t n = 0;
    for (const char *p = shown; *p != '\0' && n + 1 < sizeof line; p++) {
        if ((*p != ' ' && *p != '\n') || (n > 0 && line[n - 1] != ' ')) {
            line[n++] = *p == '\n' ? ' ' : *p;
        }
    }
    line[n] = '\0';
    cr_expect_not_null(strstr(line, sentence), "no \"%s\" in: %s", sentence, line);
}

/* On the page, in the findings and by recommend. */
static void expect_everywhere(const char *sentence)
{
    expect_in(process_stderr, sentence);
    char *page = process_read("m/run/report/report.html");
    const char *first = strstr(page, "<section id=\"answer\">"), *end = strstr(page, "</section>");
    cr_assert(first != NULL && end > first);
    page[end - page] = '\0';
    expect_in(first, sentence);
    regret_free(page);
    cr_assert_eq(process_run("report m/run --json -q"), 0);
    cr_expect_not_null(strstr(process_stdout, "\"headline\":[\n "));
    expect_in(process_stdout, sentence);
    process_run("recommend m/run");
    expect_in(process_stdout, sentence);
    cr_expect_null(strstr(process_stdout, "~"));
}

Test(answer, nothing_is_told_of_noise)
{
    run_all(NOTHING);
    cr_expect_null(strstr(process_stderr, "beats"));
    expect_everywhere("CANNOT TELL: no rule is better for certain than an agent at random.");
    process_write("new.csv", "prompt\nsay something\n");
    cr_assert_eq(process_run("recommend m/run --save-model saved"), 0);
    cr_assert_eq(process_run("recommend m/run --new new.csv --json"), 0);
    process_wrote(",\"told\":false");
    process_said("regret: CANNOT TELL: ");
    cr_expect_null(strstr(process_stderr, "own columns"));
    cr_assert_eq(process_run("recommend --model m/run/model.regret --new new.csv --json"), 0);
    process_wrote(",\"told\":false");
    process_said("regret: CANNOT TELL: ");
    cr_assert_eq(process_run("recommend --model saved --new new.csv --json"), 0);
    process_wrote(",\"told\":false");
    process_said("regret: CANNOT TELL: ");
    process_said("regret: values are from 0, the worst outcome, to 1, the best");
    process_said("regret: 1 of 1 requests have no tag, or one that the run never saw");
}

static struct regret_model *read_model(char path[256], const char *name)
{
    struct regret_model *model = NULL;
    snprintf(path, 256, "%s/%s", process_folder(), name);
    cr_assert_eq(regret_model_read(&model, path), 0, "%s", regret_error_message());
    return model;
}

/* As a model is that was made before the run was resumed, or by a program that did not keep it. */
static void make_told(const char *name, int told)
{
    char path[256];
    struct regret_model *model = read_model(path, name);
    regret_model_set_told(model, told);
    cr_assert_eq(regret_model_write(model, path), 0);
    regret_model_free(model);
}

/* Names go out as they are, to files, too. */
Test(answer, one_winner_is_named)
{
    run_all(ONE_WINNER);
    cr_expect_null(strstr(process_stderr, "~"), "%s", process_stderr);
    expect_everywhere("ONE AGENT: send everything to " WINNER ".");
    process_write("new.csv", "prompt\nsay something\n");
    cr_assert_eq(process_run("recommend m/run --save-model saved"), 0);
    cr_assert_eq(process_run("recommend m/run --new new.csv --json"), 0);
    process_wrote(",\"told\":true");
    cr_expect_null(strstr(process_stderr, "CANNOT TELL"));
    cr_assert_eq(process_run("recommend --model saved --new new.csv --json"), 0);
    process_wrote(",\"told\":true");
    make_told("saved", -1);
    cr_assert_eq(process_run("recommend --model saved --new new.csv --json"), 0);
    process_wrote(",\"told\":null");
    make_told("m/run/model.regret", 0);
    cr_assert_eq(process_run("recommend m/run --new new.csv --json --save-model saved"), 0);
    process_wrote(",\"told\":true");
    char path[256];
    struct regret_model *kept = read_model(path, "m/run/model.regret");
    cr_expect_eq(regret_model_told(kept), 1);
    regret_model_free(kept);
}

/* Two agents may be told apart where no rule is from chance: what is asked of each is said. */
Test(answer, two_questions_are_told_by_their_levels)
{
    run_all(SLIGHT);
    expect_everywhere("CANNOT TELL: no rule is better for certain than an agent at random.");
    expect_in(process_stdout,
              ": at 95 % these two are told apart; of rules 98 % together is asked");
    cr_expect_null(strstr(process_stdout, "they are told apart"));
}

/* Who chooses by outputs must have them. */
Test(answer, outputs_are_asked_for)
{
    run_all(BY_OUTPUT);
    expect_everywhere(
        "It reads outputs: all 4 agents must have answered a request before one can be "
        "chosen. Without outputs, of one agent and rules by tag: CANNOT TELL; by request ");
    cr_assert_eq(process_run("recommend m/run --json"), 0);
    process_wrote("\"reads_outputs\":true,\"without_outputs\":null,");
}

/* A number of one's own decides, also for requests that nobody has answered; which of them do not tell it is said. */
Test(answer, own_columns_decide_for_new_requests)
{
    struct regret_rng rng = regret_rng_at(4, REGRET_RNG_TEST, 0);
    struct regret_buffer csv = REGRET_BUFFER_INIT;
    regret_buffer_append(&csv, "prompt_id,prompt,its age,m0,m1,m2\n");
    for (size_t x = 0; x < PROMPTS; x++) {
        double age = 20.0 + 50.0 * regret_rng_uniform(&rng);
        regret_buffer_printf(&csv, "p%zu,say %zu,%.2f", x, x, age);
        for (size_t a = 0; a < 3; a++) {
            double won = a == (age < 45.0) ? 0.4 : 0.0;
            regret_buffer_printf(&csv, ",%.3f", won + 0.6 * regret_rng_uniform(&rng));
        }
        regret_buffer_append(&csv, "\n");
    }
    process_write("t.csv", regret_buffer_get(&csv));
    regret_buffer_free(&csv);
    run("init t.csv -o m");
    cr_assert_eq(process_run("import csv t.csv --map m/map.json -o m/pool"), 0);
    run("run m/config.json -o m/run -q --no-report --seeds 2 --set 'families=[\"obs-only\"]' "
        "--set sweep.n_exp=[100] --set n_obs=300");
    process_write("new.csv", "prompt,its age\nsay something,30\nsay something,60\nsay,\n");
    process_write("far.csv", "prompt;its age\nsay something;1000000,5\n");
    process_write("bare.csv", "prompt\nsay something\n");
    cr_assert_eq(process_run("recommend m/run --save-model saved"), 0);
    static const char *const ways[] = {"m/run", "--model m/run/model.regret"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char command[200];
        snprintf(command, sizeof command, "recommend %s --new new.csv", ways[i]);
        cr_assert_eq(process_run(command), 0, "%s", process_stderr);
        process_wrote("\n1,m1,");
        process_wrote("\n2,m0,");
        expect_in(process_stderr,
                  "1 of 3 requests do not tell the column its_age, or a word of it");
        snprintf(command, sizeof command, "recommend %s --new bare.csv", ways[i]);
        cr_assert_eq(process_run(command), 0, "%s", process_stderr);
        process_wrote("unknown-column");
        snprintf(command, sizeof command, "recommend %s --new far.csv", ways[i]);
        cr_assert_eq(process_run(command), 0, "%s", process_stderr);
        process_wrote("\n1,m0,");
        process_wrote(",far-column\n");
        expect_in(process_stderr, "1 of 1 requests have the column its_age beyond");
    }
}
