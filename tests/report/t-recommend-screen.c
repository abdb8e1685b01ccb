/* One screen whatever the run: many agents and tags, names of any kind, one agent, ties; and what it says stands in CSV and
 * JSON, too, and is what `run` prints. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "base/buffer.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "regret/task.h"
#include "report/answer.h"
#include "report/cautions.h"
#include "report/csv_records.h"
#include "report/made_run.h"

enum { CONTEXTS = 80, MOST_AGENTS = 58, SEEDS = 12, LINES = 40, COLUMNS = 80 };

/* What a run is made of: agent t is the best of tag t, by `gain`. */
struct planted {
    size_t agents, tags;
    double gain;
    const char *agent, *tag; /* a format of their numbers, as JSON has it */
    int external; /* 1: the family is one's own, whose errors on held-out contexts are next to nothing */
};

static struct regret_results *results;
static struct regret_buffer text = REGRET_BUFFER_INIT;
static struct regret_recommendation answer;
static struct regret_rng rng;
static double mu[CONTEXTS][MOST_AGENTS];
static struct planted of;

static void setup(void)
{
    made_begin();
    rng = regret_rng_at(29, REGRET_RNG_TEST, 0);
}

static void teardown(void)
{
    regret_buffer_free(&text);
    regret_results_free(results);
    results = NULL;
    made_end();
}

TestSuite(recommend_screen, .init = setup, .fini = teardown);

static size_t tag_of(size_t x)
{
    return x % of.tags;
}

static size_t best_of(size_t x)
{
    size_t best = 0;
    for (size_t a = 1; a < of.agents; a++) {
        best = mu[x][a] > mu[x][best] ? a : best;
    }
    return best;
}

static double mean_of(size_t x)
{
    double sum = 0.0;
    for (size_t a = 0; a < of.agents; a++) {
        sum += mu[x][a];
    }
    return sum / (double)of.agents;
}

/* What a source chooses: the oracle the best, those by tag the planted, the single ones always one. */
static size_t choose(const char *source, size_t x)
{
    return strcmp(source, "oracle") == 0        ? best_of(x)
           : strcmp(source, "best-exp") == 0    ? 0
           : strcmp(source, "best-obs") == 0    ? of.agents - 1
           : strcmp(source, "cvci") == 0        ? (of.external || x % 5 != 0 ? best_of(x) : 0)
           : strncmp(source, "best-by", 7) == 0 ? tag_of(x) % of.agents
                                                : best_of(x);
}

__attribute__((format(printf, 2, 0))) static void put_names(FILE *f, const char *format, size_t n,
                                                            size_t modulo)
{
    for (size_t i = 0; i < n; i++) {
        char name[256];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(name, sizeof name, format, i % modulo);
#pragma GCC diagnostic pop
        fprintf(f, "%s\"%s\"", i > 0 ? "," : "", name);
    }
}

static void write_head(void)
{
    FILE *f = fopen(made_path(folder, "run.json"), "w");
    fprintf(f,
            "{\"format\":\"regret-run-1\",\"results_version\":1,\"config\":{\"pool\":\"p\","
            "\"contexts.hard\":0,\"contexts.split\":\"random\"},\"pool\":{\"name\":\"tiny\","
            "\"synthetic\":false,\"contexts\":%d,\"agents\":%zu%s},\"grids\":[{\"agents\":[",
            (int)CONTEXTS, of.agents,
            of.external ? ",\"dropped_contexts\":940,\"dropped_agents\":0" : "");
    put_names(f, of.agent, of.agents, SIZE_MAX);
    fprintf(f, "],\"contexts\":[");
    put_names(f, "x%zu", CONTEXTS, SIZE_MAX);
    fprintf(f, "],\"tags\":[");
    put_names(f, of.tag, CONTEXTS, of.tags);
    fprintf(f,
            "]}],\"version\":\"0.1.0\",\"families\":[\"exp-only\",\"cvci\"],%s\"baselines\":["
            "\"oracle\","
            "\"random\",\"best-exp\",\"best-obs\",\"best-by-tag-exp\",\"best-by-tag-obs\"],"
            "\"cells\":[{\"cell\":0,\"key\":{\"reward.map\":\"smooth\",\"beta\":0,\"n_obs\":60,"
            "\"n_exp\":40}}],\"seeds\":%d,\"shard\":\"1/1\",\"replicates\":%d}\n",
            of.external ? "\"family_facts\":[{\"family\":\"exp-only\",\"roles\":[],\"hyper\":[]},{"
                          "\"family\":\"cvci\",\"external\":\"predictions\","
                          "\"roles\":[],\"hyper\":[]}],"
                        : "",
            (int)SEEDS, (int)SEEDS);
    fclose(f);
}

static void put_list(FILE *f, const char *name, const int *held, const double *number)
{
    const char *before = "";
    fprintf(f, ",\"%s\":[", name);
    for (size_t x = 0; x < CONTEXTS; x++) {
        if (held[x]) {
            fprintf(f, "%s%.6g", before, number[x]);
            before = ",";
        }
    }
    fprintf(f, "]");
}

static void write_row(FILE *f, const char *kind, const char *name, size_t seed, const int *held)
{
    double choice[CONTEXTS], loss[CONTEXTS], context[CONTEXTS], best[CONTEXTS];
    double regret = 0.0, n = 0.0;
    int is_random = strcmp(name, "random") == 0;
    for (size_t x = 0; x < CONTEXTS; x++) {
        size_t a = choose(name, x);
        context[x] = (double)x;
        best[x] = mu[x][best_of(x)];
        choice[x] = (double)a;
        loss[x] = best[x] - (is_random ? mean_of(x) : mu[x][a]);
        regret += held[x] ? loss[x] : 0.0;
        n += held[x];
    }
    fprintf(f,
            "{\"cell\":0,\"seed\":%zu,\"key\":{\"reward.map\":\"smooth\",\"beta\":0,\"n_obs\":60,"
            "\"n_exp\":40},\"kind\":\"%s\",\"family\":\"%s\",\"regret\":%.17g%s",
            seed, kind, name, regret / n, strcmp(kind, "family") == 0 ? ",\"rmse\":0.2" : "");
    put_list(f, "loss", held, loss);
    if (!is_random) {
        put_list(f, "choice", held, choice);
    }
    if (strcmp(name, "oracle") == 0) {
        put_list(f, "context", held, context);
        put_list(f, "best", held, best);
    }
    if (of.external && strcmp(name, "cvci") == 0) {
        fprintf(f, ",\"leak\":[0.5,0.04,%g]", 1e-6 * (double)(seed + 1));
    }
    fprintf(f, "}\n");
}

static void write_run(const struct planted *planted)
{
    static const char *const sources[] = {"exp-only",        "cvci",           "oracle",
                                          "random",          "best-exp",       "best-obs",
                                          "best-by-tag-exp", "best-by-tag-obs"};
    of = *planted;
    for (size_t x = 0; x < CONTEXTS; x++) {
        for (size_t a = 0; a < of.agents; a++) {
            mu[x][a] = of.gain == 0.0 ? 0.5
                                      : 0.3 + 0.1 * regret_rng_uniform(&rng) +
                                            (a == tag_of(x) % of.agents ? of.gain : 0.0);
        }
    }
    write_head();
    FILE *f = fopen(made_path(folder, "results-1-of-1.jsonl"), "w");
    for (size_t seed = 0; seed < SEEDS; seed++) {
        int held[CONTEXTS];
        for (size_t x = 0; x < CONTEXTS; x++) {
            held[x] = x < 2 || regret_rng_below(&rng, 2);
        }
        for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
            write_row(f, i < 2 ? "family" : "baseline", sources[i], seed, held);
        }
    }
    fclose(f);
    cr_assert_eq(regret_results_read(&results, folder), 0, "%s", regret_error_message());
}

static const char *ask(enum regret_recommend_format format)
{
    const struct regret_recommend_options options = {.format = format};
    regret_buffer_clear(&text);
    cr_assert_eq(regret_recommend(&text, &answer, results, &options), 0, "%s",
                 regret_error_message());
    return regret_buffer_get(&text);
}

static void expect_one_screen(const char *shown)
{
    size_t lines = 0;
    for (const char *p = shown; *p != '\0'; lines++) {
        size_t n = strcspn(p, "\n");
        char line[2048];
        cr_assert_lt(n, sizeof line);
        memcpy(line, p, n);
        line[n] = '\0';
        cr_expect_leq(regret_text_columns(line), (size_t)COLUMNS, "%s", line);
        p += n + (p[n] == '\n');
    }
    cr_expect_leq(lines, (size_t)LINES, "%zu lines:\n%s", lines, shown);
    cr_expect_null(strchr(shown, '\033'));
    cr_expect_null(strstr(shown, "-0.0000"), "a zero has no sign:\n%s", shown);
}

#define X10(x) x x x x x x x x x x

Test(recommend_screen, many_agents_and_tags)
{
    const struct planted runs[] = {
        {58, 20, 0.4, "agent%zu", "tag%zu", 0},
        {58, 20, 0.4, "org/a-name-longer-than-its-column-%zu", "tag%zu", 0},
        {58, 20, 0.4, X10("xxxxxxxxxx") "%zu", X10("tttttttttt") "%zu", 0},
        {8, 20, 0.4, "\xf0\x9f\xa6\x99\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa%zu",
         "\xd9\x85\xd8\xb3\xd8\xa7\xd8\xb9\xd8\xaf %zu", 0},
        {8, 3, 0.4, "\\u202e\\u0007[31m%zu|<b>", "中文中文中文中文 %zu", 1},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        write_run(&runs[i]);
        const char *shown = ask(REGRET_RECOMMEND_TEXT);
        expect_one_screen(shown);
        cr_expect_eq(answer.rule, REGRET_ADVICE_BY_TAG, "run %zu:\n%s", i, shown);
        cr_expect(runs[i].tags < 10 || strstr(shown, " more tags: --format json") != NULL, "%s",
                  shown);
        cr_expect_eq(runs[i].tags == 20,
                     strstr(shown, "  * 20 tags have fewer than 10 contexts, ") != NULL, "%s",
                     shown);
        regret_results_free(results);
        results = NULL;
    }
}

/* Names that a column would cut are written out, since models differ in their middle. */
Test(recommend_screen, long_names_are_written_out)
{
    const struct planted run = {4, 2, 0.4, "org/model-3.1-%zu0B-instruct", "tag%zu", 0};
    write_run(&run);
    const char *shown = ask(REGRET_RECOMMEND_TEXT);
    cr_expect_not_null(strstr(shown, "  * tag0 (40): org/model-3.1-00B-instruct (100 %)"), "%s",
                       shown);
    cr_expect_not_null(strstr(shown, "  * tag1 (40): org/model-3.1-10B-instruct (100 %)"));
    const struct regret_recommend_options list = {.context = "x1"};
    regret_buffer_clear(&text);
    cr_assert_eq(regret_recommend(&text, &answer, results, &list), 0);
    cr_expect_not_null(
        strstr(regret_buffer_get(&text), "* x1 (tag1): org/model-3.1-10B-instruct (100 %), value "),
        "%s", regret_buffer_get(&text));
}

/* What differs after 39 characters differs in the answer, too; and what programs read is whole. */
Test(recommend_screen, long_names_differ_by_their_ends)
{
#define LONG_NAME "openrouter/anthropic/claude-3.5-sonnet-20241022-v2:0-of-"
    const struct planted run = {2, 2, 0.4, LONG_NAME "%zu", "tag%zu", 0};
    struct regret_buffer words = REGRET_BUFFER_INIT, shown = REGRET_BUFFER_INIT;
    write_run(&run);
    const char *said = ask(REGRET_RECOMMEND_TEXT);
    for (size_t i = 0; i < 2; i++) {
        const char *cut[] = {"-20241022-v2:0-of-0", "-20241022-v2:0-of-1"},
                   *whole[] = {LONG_NAME "0", LONG_NAME "1"};
        cr_expect_not_null(strstr(said, cut[i]), "%s", said);
        regret_buffer_clear(&words);
        regret_buffer_clear(&shown);
        cr_assert_eq(recommend_words(&words, results), 0);
        cr_expect_not_null(strstr(regret_buffer_get(&words), whole[i]), "%s",
                           regret_buffer_get(&words));
        cr_assert_eq(regret_report_ending(&shown, results, "r", 60), 0);
        cr_expect_not_null(strstr(regret_buffer_get(&shown), cut[i]), "%s",
                           regret_buffer_get(&shown));
    }
    regret_buffer_free(&words);
    regret_buffer_free(&shown);
}

Test(recommend_screen, one_agent_one_tag_and_ties)
{
    const struct planted one = {1, 4, 0.4, "agent%zu", "tag%zu", 0},
                         tag = {4, 1, 0.4, "agent%zu", "tag%zu", 0},
                         ties = {4, 4, 0.0, "agent%zu", "tag%zu", 0};
    write_run(&one);
    const char *shown = ask(REGRET_RECOMMEND_TEXT);
    expect_one_screen(shown);
    cr_expect_eq(answer.rule, REGRET_ADVICE_NONE);
    cr_expect_not_null(
        strstr(shown, "CANNOT TELL: there is one agent alone, and nothing to choose."));
    regret_results_free(results);
    write_run(&tag);
    shown = ask(REGRET_RECOMMEND_TEXT);
    expect_one_screen(shown);
    cr_expect_eq(answer.rule, REGRET_ADVICE_ONE_AGENT, "%s", shown);
    cr_expect_str_eq(answer.agent, "agent0");
    regret_results_free(results);
    write_run(&ties);
    shown = ask(REGRET_RECOMMEND_TEXT);
    expect_one_screen(shown);
    cr_expect_eq(answer.rule, REGRET_ADVICE_NONE);
    cr_expect_not_null(
        strstr(shown, "CANNOT TELL: every agent is worth the same on every context"));
    cr_expect_null(strstr(shown, "A run of this size"));
}

/* ---------------------------------------------------------------- the same in every form */

static const char *word_of(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItem(object, name));
}

Test(recommend_screen, cautions_are_in_json_and_csv)
{
    const struct planted run = {4, 2, 0.4, "agent%zu", "tag%zu", 1};
    struct cautions said;
    write_run(&run);
    cr_assert_eq(cautions_make(&said, results, CAUTIONS_ALL), 0);
    cr_assert_geq(said.n, 2, "holes, and leaks");
    cJSON *json = cJSON_Parse(ask(REGRET_RECOMMEND_JSON));
    const cJSON *cautions = cJSON_GetObjectItem(json, "cautions"), *record = NULL;
    cr_assert_eq((size_t)cJSON_GetArraySize(cautions), said.n);
    for (size_t i = 0; i < said.n; i++) {
        const cJSON *one = cJSON_GetArrayItem(cautions, (int)i);
        cr_expect_str_eq(word_of(one, "kind"), caution_name(said.kind[i]));
        cr_expect_str_eq(word_of(one, "sentence"), regret_buffer_get(&said.sentences[i]));
    }
    size_t leaking = 0;
    cJSON_ArrayForEach(record, cJSON_GetObjectItem(json, "recommendations"))
    {
        const char *by = word_of(record, "by");
        const cJSON *kinds = cJSON_GetObjectItem(record, "cautions");
        const char *second = cJSON_GetStringValue(cJSON_GetArrayItem(kinds, 1));
        int leaks = second != NULL && strcmp(second, "leaks") == 0;
        cr_expect_eq(leaks, strcmp(by, "cvci") == 0 || strcmp(by, "vote") == 0, "%s", by);
        leaking += (size_t)leaks;
    }
    cr_expect_gt(leaking, CONTEXTS);
    struct csv_records c = csv_parse(ask(REGRET_RECOMMEND_CSV));
    size_t last = c.widths[0] - 1;
    cr_assert_str_eq(c.fields[0][last], "cautions");
    for (size_t i = 1; i < c.n; i++) {
        int leaks = strcmp(c.fields[i][2], "cvci") == 0 || strcmp(c.fields[i][2], "vote") == 0;
        cr_expect_str_eq(c.fields[i][last], leaks ? "grid leaks" : "grid", "%s", c.fields[i][2]);
    }
    csv_free(&c);
    cJSON_Delete(json);
    cautions_free(&said);
}

/* Line ends and what is indented behind them as one blank. */
static const char *on_one_line(const char *lines)
{
    static char line[1 << 12];
    size_t n = 0;
    for (const char *p = lines; *p != '\0' && n + 1 < sizeof line; p++) {
        if ((*p != ' ' && *p != '\n') || (n > 0 && line[n - 1] != ' ')) {
            line[n++] = *p == '\n' ? ' ' : *p;
        }
    }
    line[n] = '\0';
    return line;
}

/* The report, the end of a run and its findings begin with the answer, in the same words and numbers. */
Test(recommend_screen, run_and_report_say_the_same)
{
    static const double gains[] = {0.1, 0.0};
    for (size_t i = 0; i < 2; i++) {
        const struct planted run = {6, 3, gains[i], "agent%zu", "tag%zu", 0};
        struct regret_buffer shown = REGRET_BUFFER_INIT, json = REGRET_BUFFER_INIT,
                             words = REGRET_BUFFER_INIT;
        char *report = NULL;
        size_t length = 0;
        write_run(&run);
        ask(REGRET_RECOMMEND_TEXT);
        cr_assert_eq(answer.rule != REGRET_ADVICE_NONE, i == 0);
        cr_assert_eq(recommend_words(&words, results), 0);
        cr_assert_eq(strncmp(regret_buffer_get(&words), "CANNOT TELL: ", 13) == 0, i == 1);
        cr_assert_eq(regret_report_ending(&shown, results, "r", 100), 0);
        cr_assert_eq(regret_report_write(folder, NULL, NULL), 0, "%s", regret_error_message());
        cr_assert_eq(regret_report_json(&json, results, made_path(folder, "report")), 0);
        cr_assert_eq(
            regret_file_read(&report, &length, made_path(folder, "report/report.md"), 1 << 20), 0);
        cJSON *said = cJSON_Parse(regret_buffer_get(&json));
        const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItem(said, "headline"),
                                                1); /* the families first: no means are kept */
        cr_expect_str_eq(cJSON_GetStringValue(first), regret_buffer_get(&words));
        regret_buffer_clear(&json);
        markdown_escape(&json, regret_buffer_get(&words));
        cr_expect_not_null(strstr(report, regret_buffer_get(&json)), "%s", report);
        cr_expect_not_null(
            strstr(on_one_line(regret_buffer_get(&shown)), regret_buffer_get(&words)), "%s",
            regret_buffer_get(&shown));
        cJSON_Delete(said);
        regret_free(report);
        regret_buffer_free(&shown);
        regret_buffer_free(&json);
        regret_buffer_free(&words);
        regret_results_free(results);
        results = NULL;
    }
}
