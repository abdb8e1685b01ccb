/* Recommendations of a run that is small enough to count by hand. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "report/csv_records.h"
#include "report/made_run.h"

static struct regret_results *results;
static struct regret_buffer text = REGRET_BUFFER_INIT;

static void teardown(void)
{
    regret_buffer_free(&text);
    regret_results_free(results);
    results = NULL;
    made_end();
}

TestSuite(recommend, .init = made_begin, .fini = teardown);

static int ask_cell(size_t cell, enum regret_recommend_format format)
{
    const struct regret_recommend_options options = {.format = format, .one_cell = 1, .cell = cell};
    return regret_recommend(&text, NULL, results, &options);
}

static int ask(enum regret_recommend_format format)
{
    const struct regret_recommend_options options = {.format = format};
    return regret_recommend(&text, NULL, results, &options);
}

#define KEY(beta) "{\"reward.map\":\"smooth\",\"beta\":" beta ",\"n_obs\":60,\"n_exp\":40}"
#define ONE_GRID                                                                                   \
    "\"grids\":[{\"agents\":[\"a|b\",\"<b>\",\"=c\",\"d\"],\"contexts\":[\"w\",\"x\",\"y\"]}],"
#define ONE_CELL "{\"cell\":0,\"key\":" KEY("0") "}"

static void write_run(const char *grids, const char *cells)
{
    FILE *f = fopen(made_path(folder, "run.json"), "w");
    fprintf(f,
            "{\"format\":\"regret-run-1\",\"results_version\":1,\"config\":{\"pool\":\"p\"},"
            "\"pool\":{\"name\":\"tiny\",\"synthetic\":true},%s\"version\":\"0.1.0\","
            "\"families\":[\"exp-only\",\"cvci\",\"obs-only\"],\"cells\":[%s],\"seeds\":3,"
            "\"shard\":\"1/1\",\"replicates\":3}\n",
            grids, cells);
    fclose(f);
}

static void put(FILE *f, size_t seed, const char *kind, const char *name, const char *rest)
{
    fprintf(f,
            "{\"cell\":0,\"seed\":%zu,\"key\":" KEY("0") ",\"kind\":\"%s\",\"family\":\"%s\",%s}\n",
            seed, kind, name, rest);
}

/* On x the agents lose .16, .2, .24 and 0. cvci is as good as exp-only, which comes first; obs-only is
 * surely worse. Context y is never held out. */
static void write_rows(int lists)
{
    static const char *const cvci[] = {"\"regret\":0.12,\"choice\":[0,2],\"loss\":[0,0.24]",
                                       "\"regret\":0.08,\"choice\":[0,0],\"loss\":[0,0.16]",
                                       "\"regret\":0.1,\"choice\":[0,1],\"loss\":[0,0.2]"};
    FILE *f = fopen(made_path(folder, "results-1-of-1.jsonl"), "w");
    for (size_t s = 0; s < 3; s++) {
        put(f, s, "family", "exp-only",
            lists ? "\"regret\":0.1,\"choice\":[0,1],\"loss\":[0,0.2]" : "\"regret\":0.1");
        put(f, s, "family", "cvci", lists ? cvci[s] : "\"regret\":0.1");
        put(f, s, "family", "obs-only",
            lists ? "\"regret\":0.25,\"choice\":[3,3],\"loss\":[0.5,0]" : "\"regret\":0.25");
        put(f, s, "baseline", "oracle",
            lists ? "\"regret\":0,\"context\":[0,1],\"best\":[0.9,0.8],\"choice\":[0,3],"
                    "\"loss\":[0,0]"
                  : "\"regret\":0");
        put(f, s, "baseline", "best-exp",
            lists ? "\"regret\":0.15,\"choice\":[1,1],\"loss\":[0.1,0.2]" : "\"regret\":0.15");
    }
    fclose(f);
    cr_assert_eq(regret_results_read(&results, folder), 0, "%s", regret_error_message());
}

/* The record of a context ("": all) and a source. */
static void expect(const struct csv_records *c, const char *context, const char *by, int votes,
                   const char *agent, double share, double value, double half, double margin)
{
    for (size_t i = 1; i < c->n; i++) {
        char **f = c->fields[i];
        if (strcmp(f[0], context) != 0 || strcmp(f[2], by) != 0) {
            continue;
        }
        cr_expect_eq(atoi(f[3]), votes, "%s %s", context, by);
        cr_expect_str_eq(f[4], agent);
        cr_expect_float_eq(strtod(f[5], NULL), share, 1e-12, "%s %s: %s", context, by, f[5]);
        cr_expect_eq(atoi(f[6]), 3);
        cr_expect_float_eq(strtod(f[7], NULL), value, 1e-12, "%s %s: %s", context, by, f[7]);
        cr_expect_float_eq(strtod(f[8], NULL), value - half, 1e-9);
        cr_expect_float_eq(strtod(f[9], NULL), value + half, 1e-9);
        cr_expect_float_eq(strtod(f[10], NULL), margin, 1e-12, "%s %s: %s", context, by, f[10]);
        return;
    }
    cr_assert_fail("no record of %s by %s", context, by);
}

Test(recommend, every_number)
{
    const double t2 = 4.302652729749464, half = t2 * 0.02 / sqrt(3.0);
    write_run(ONE_GRID, ONE_CELL);
    write_rows(1);
    cr_assert_eq(ask(REGRET_RECOMMEND_CSV), 0);
    struct csv_records c = csv_parse(regret_buffer_get(&text));
    cr_assert_eq(c.n, 1 + 3 * 5, "all, w and x by five sources");
    expect(&c, "", "exp-only", 1, "a|b", 0.5, 0.75, 0.0, 0.05);
    expect(&c, "", "cvci", 1, "a|b", 2.0 / 3, 0.75, half, 0.05);
    expect(&c, "", "obs-only", 0, "d", 1.0, 0.6, 0.0, -0.1);
    expect(&c, "", "vote", 0, "a|b", 0.5, 0.75, 0.0, 0.05);
    expect(&c, "", "best-exp", 0, "<b>", 1.0, 0.7, 0.0, 0.0);
    expect(&c, "w", "vote", 0, "a|b", 1.0, 0.9, 0.0, 0.1);
    expect(&c, "x", "vote", 0, "<b>", 1.0, 0.6, 0.0, 0.0);
    expect(&c, "x", "cvci", 1, "a|b", 1.0 / 3, 0.6, 2.0 * half, 0.0);
    expect(&c, "x", "obs-only", 0, "d", 1.0, 0.8, 0.0, 0.2);
    csv_free(&c);
}

Test(recommend, json_says_the_same)
{
    write_run(ONE_GRID, ONE_CELL);
    write_rows(1);
    cr_assert_eq(ask_cell(0, REGRET_RECOMMEND_JSON), 0);
    cJSON *json = cJSON_Parse(regret_buffer_get(&text));
    cr_assert_not_null(json);
    const cJSON *items = cJSON_GetObjectItem(json, "recommendations");
    cr_assert_eq(cJSON_GetArraySize(items), 15);
    const cJSON *cvci = cJSON_GetArrayItem(items, 1);
    cr_assert(cJSON_IsNull(cJSON_GetObjectItem(cvci, "context")));
    cr_assert_str_eq(cJSON_GetObjectItem(cvci, "by")->valuestring, "cvci");
    cr_assert_str_eq(cJSON_GetObjectItem(cvci, "agent")->valuestring, "a|b");
    cr_assert(cJSON_IsTrue(cJSON_GetObjectItem(cvci, "votes")));
    cr_assert_float_eq(cJSON_GetObjectItem(cvci, "value")->valuedouble, 0.75, 1e-12);
    cJSON_Delete(json);
}

/* Names are other people's texts. */
Test(recommend, markdown_is_a_table_whatever_the_names)
{
    write_run(ONE_GRID, ONE_CELL);
    write_rows(1);
    cr_assert_eq(ask(REGRET_RECOMMEND_MARKDOWN), 0);
    const char *md = regret_buffer_get(&text);
    cr_expect_not_null(strstr(md, "tiny (SYNTHETIC data; 1 cell, 3 seeds"), "%s", md);
    cr_expect_not_null(strstr(md, "| yes, lowest regret | a\\|b | 50 % | 0.7500 |"), "%s", md);
    cr_expect_null(strstr(md, "<b>"));
    cr_expect_null(strstr(md, "| y |"), "never held out");
}

Test(recommend, what_cannot_be_said_is_refused)
{
    write_run("", ONE_CELL);
    write_rows(0);
    cr_assert_eq(ask(REGRET_RECOMMEND_CSV), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "do not say what was recommended"));
    regret_results_free(results);
    write_run(ONE_GRID, ONE_CELL);
    write_rows(0);
    cr_assert_eq(ask_cell(0, REGRET_RECOMMEND_CSV), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "\"details\": true"));
    cr_assert_eq(ask_cell(1, REGRET_RECOMMEND_CSV), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "the run has cells 0 to 0"));
    regret_results_free(results);
    write_rows(1);
    const struct regret_recommend_options of_y = {.context = "y"};
    cr_assert_eq(regret_recommend(&text, NULL, results, &of_y), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(),
                              "context \"y\" was never held out in the seeds of this run"));
    regret_results_free(results);
    write_run("\"grids\":[{\"agents\":[\"a\",\"b\",\"c\",\"d\"],\"contexts\":[\"w\",\"x\"]},"
              "{\"agents\":[\"a\"],\"contexts\":[\"w\"]}],",
              ONE_CELL ",{\"cell\":1,\"grid\":1,\"key\":" KEY("1") "}");
    write_rows(1);
    cr_assert_eq(ask(REGRET_RECOMMEND_CSV), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "choose one with --cell N"));
    cr_assert_eq(text.length, 0, "nothing is written then");
    cr_assert_eq(ask_cell(0, REGRET_RECOMMEND_CSV), 0);
}
