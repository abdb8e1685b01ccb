/* One sentence wherever it is said, from tables to the end of a run, in few lines, none wider than a page; and answers to new
 * requests, by a pool and by a model that was kept. */
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

/* A row an answer; the first agent is the best. */
static void write_table(void)
{
    static const char *const agents[AGENTS] = {WINNER, "b" LONG, "c" LONG, "d" LONG};
    struct regret_rng rng = regret_rng_at(3, REGRET_RNG_TEST, 0);
    struct regret_buffer csv = REGRET_BUFFER_INIT;
    regret_buffer_append(&csv, "question,prompt,kind of request" LONG ",model,answer,score\n");
    for (size_t x = 0; x < PROMPTS; x++) {
        for (size_t a = 0; a < AGENTS; a++) {
            double gain = a == 0 ? 0.3 : 0.0;
            regret_buffer_printf(&csv, "q%zu" LONG ",say %zu,tag %zu" LONG ",%s,words %zu,%.3f\n",
                                 x, x, x % 2, agents[a], 7 * x + a,
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

static void run_all(void)
{
    write_table();
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

/* At the end of the run, on the page and in the findings. */
static void expect_everywhere(const char *sentence)
{
    expect_in(process_stderr, sentence);
    char *page = process_read("m/run/report/report.html");
    const char *first = strstr(page, "<section id=\"findings\">"),
               *end = strstr(page, "</section>");
    cr_assert(first != NULL && end > first);
    page[end - page] = '\0';
    expect_in(first, sentence);
    regret_free(page);
    cr_assert_eq(process_run("report m/run --json -q"), 0);
    cr_expect_not_null(strstr(process_stdout, "\"headline\":[\n "));
    expect_in(process_stdout, sentence);
}

static struct regret_model *read_model(char path[256], const char *name)
{
    struct regret_model *model = NULL;
    snprintf(path, 256, "%s/%s", process_folder(), name);
    cr_assert_eq(regret_model_read(&model, path), 0, "%s", regret_error_message());
    return model;
}

/* Names go out as they are, to files, too; what nobody told of a model is not known, and what was is kept. */
Test(answer, one_winner_is_named)
{
    char path[256];
    run_all();
    cr_expect_null(strstr(process_stderr, "~"), "%s", process_stderr);
    expect_everywhere("obs-only has the lowest mean regret over");
    process_write("new.csv", "prompt\nsay something\n");
    process_refused("recommend m/run --new new.csv", "regret recommend m/pool");
    cr_assert_eq(process_run("recommend m/pool --save-model saved"), 0);
    cr_assert_eq(process_run("recommend m/pool --new new.csv --json"), 0);
    process_wrote("\"agent\":\"" WINNER "\"");
    process_wrote(",\"told\":true");
    process_said("regret: values are from 0, the worst outcome, to 1, the best");
    process_said("regret: 1 of 1 requests have no tag, or one that the model never saw");
    cr_expect_null(strstr(process_stderr, "CANNOT TELL"));
    char *by_pool = NULL;
    cr_assert_eq(regret_strdup(&by_pool, process_stdout), 0);
    cr_assert_eq(process_run("recommend --model saved --new new.csv --json"), 0);
    cr_expect_str_eq(process_stdout, by_pool);
    regret_free(by_pool);
    struct regret_model *model = read_model(path, "saved");
    model->told = 0;
    cr_assert_eq(regret_model_write(model, path), 0);
    regret_model_free(model);
    cr_assert_eq(process_run("recommend --model saved --new new.csv --json"), 0);
    process_wrote(",\"told\":false");
    process_said("regret: CANNOT TELL: ");
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
    process_write("new.csv", "prompt,its age\nsay something,30\nsay something,60\nsay,\n");
    process_write("far.csv", "prompt;its age\nsay something;1000000,5\n");
    process_write("bare.csv", "prompt\nsay something\n");
    cr_assert_eq(process_run("recommend m/pool --save-model saved"), 0);
    static const char *const ways[] = {"m/pool", "--model saved"};
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
