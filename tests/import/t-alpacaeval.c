/* AlpacaEval's published layout, by hand and real. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cJSON.h>

#include "base/json.h"
#include "import/importer.h"
#include "pool/sample.h"
#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/status.h"

TestSuite(alpacaeval, .fini = sample_cleanup);

#define RECORD(instruction, rest)                                                                  \
    "{\"instruction\": \"" instruction "\", \"output_1\": \"four\", " rest "}"
#define JUDGED(instruction, output, preference)                                                    \
    RECORD(instruction, "\"output_2\": \"" output "\", \"generator_2\": \"g\", \"dataset\": "      \
                        "\"koala\", \"preference\": " preference)

/* Makes results/MODEL/ANNOTATOR/annotations.json, or results/MODEL/NAME without an annotator. */
static void put(const char *model, const char *annotator, const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "results/%s/%s", model, annotator);
    cr_assert_eq(regret_folder_create(sample_path(path)), 0, "%s", regret_error_message());
    snprintf(path, sizeof path, "results/%s/%s%s%s", model, annotator, annotator[0] ? "/" : "",
             name);
    sample_write(path, text);
}

static void judge(const char *model, const char *text)
{
    put(model, "gpt4", "annotations.json", text);
}

static int import(struct regret_alpacaeval_report *r,
                  const struct regret_alpacaeval_options *options)
{
    memset(r, 0, sizeof *r);
    return regret_import_alpacaeval(r, sample_path("results"), sample_path("p"), options, 1);
}

static struct regret_pool *imported(struct regret_alpacaeval_report *r,
                                    const struct regret_alpacaeval_options *options)
{
    struct regret_pool *pool = NULL;
    cr_assert_eq(import(r, options), 0, "%s", regret_error_message());
    cr_assert_eq(regret_pool_read(&pool, sample_path("p")), 0, "%s", regret_error_message());
    cr_assert_eq(r->records, r->bad + r->unscored + r->no_output + r->repeated + r->outputs);
    return pool;
}

Test(alpacaeval, records_become_outputs)
{
    struct regret_alpacaeval_report r;
    judge("m10", "[" JUDGED("one", "12345678", "1.25") ",\n" JUDGED("two", "", "2") "]");
    judge("m2",
          "[" JUDGED("two", "\xc3\xa9\xc3\xa9", "0") "," JUDGED("one", "four", "1.0000057") "]");
    sample_write("results/leaderboard.csv", "a file beside the models");
    struct regret_pool *pool = imported(&r, NULL);
    cr_assert(r.contexts == 2 && r.agents == 2 && r.outputs == 4 && r.pairs == 4);
    cr_assert(r.draws == 1 && r.empty == 1 && r.renamed == 2 && r.other_models == 0);
    cr_assert_str_eq(r.annotator, "gpt4");
    cr_assert_str_eq(pool->agents[0].id, "m2");
    cr_assert_str_eq(pool->agents[1].title, "m10 (g)");
    cr_assert_float_eq(pool->agents[0].cost, 3.0, 0.0); /* (2 + 4)/2 characters */
    cr_assert_float_eq(pool->agents[1].cost, 4.0, 0.0);
    cr_assert_str_eq(pool->contexts[0].text, "one");
    cr_assert_str_eq(pool->contexts[0].tag, "koala");
    cr_assert_eq(strlen(pool->contexts[0].id), 16);
    /* context, agent: one m2, one m10, two m2, two m10; brevity r/(r + n) */
    static const double VALUES[][2] = {
        {0.0000057, 0.5}, {0.25, 4.0 / 12.0}, {0.5, 4.0 / 6.0}, {1.0, 1.0}};
    for (size_t i = 0; i < 4; i++) {
        cr_expect_float_eq(pool->outputs[i].values[0], VALUES[i][0], 1e-12, "output %zu", i);
        cr_expect_float_eq(pool->outputs[i].values[1], VALUES[i][1], 1e-12, "output %zu", i);
    }
    cr_assert_str_eq(pool->segments[1].name, "brief");
    cr_assert_eq(pool->segments[0].weights[0], 0.9);
    regret_pool_free(pool);
}

/* The order of files, lines and records within the array decides nothing but the order of contexts. */
Test(alpacaeval, one_line_or_many)
{
    struct regret_alpacaeval_report r;
    judge("a", "[" JUDGED("one", "x", "1.5") "," JUDGED("two", "y", "1.7") "]");
    regret_pool_free(imported(&r, NULL));
    struct regret_pool *line = sample_without_history("p");
    judge("a", JUDGED("one", "x", "1.5") "\n" JUDGED("two", "y", "1.7") "\n");
    regret_pool_free(imported(&r, NULL));
    struct regret_pool *lines = sample_without_history("p");
    judge("a", "[\n  " JUDGED("one", "x", "1.5") "\n  ,\n\n" JUDGED("two", "y", "1.7") "\n]\n");
    regret_pool_free(imported(&r, NULL));
    struct regret_pool *array = sample_without_history("p");
    cr_assert_str_eq(line->digest, lines->digest);
    cr_assert_str_eq(line->digest, array->digest);
    regret_pool_free(line);
    regret_pool_free(lines);
    regret_pool_free(array);
}

/* ---------------------------------------------------------------- the real sample */

/* What a reader that makes a tree of the file says of a model, held against the pool. */
static void check_model(const struct regret_pool *pool, size_t agent, const char *results)
{
    char path[700];
    cJSON *file = NULL;
    snprintf(path, sizeof path, "%s/%s/weighted_alpaca_eval_gpt4_turbo/annotations.json", results,
             pool->agents[agent].id);
    cr_assert_eq(regret_json_read_file(&file, path), 0, "%s", regret_error_message());
    size_t x = 0;
    for (const cJSON *e = file->child; e != NULL; e = e->next, x++) {
        const struct regret_output *o = &pool->outputs[x * pool->n_agents + agent];
        const char *output = cJSON_GetObjectItem(e, "output_2")->valuestring;
        double preference = cJSON_GetObjectItem(e, "preference")->valuedouble;
        cr_assert(o->context == x && o->agent == agent);
        cr_assert_str_eq(pool->contexts[x].text,
                         cJSON_GetObjectItem(e, "instruction")->valuestring);
        cr_assert_str_eq(pool->contexts[x].tag, cJSON_GetObjectItem(e, "dataset")->valuestring);
        cr_assert_str_eq(o->text, output);
        cr_assert_float_eq(o->values[0], fmin(fmax(preference - 1.0, 0.0), 1.0), 1e-15);
    }
    cr_assert_eq(x, pool->n_contexts);
    cJSON_Delete(file);
}

Test(alpacaeval, the_real_sample_imports_whole)
{
    const char *shared = getenv("REGRET_SHARED_DATA");
    struct regret_alpacaeval_report r;
    struct regret_pool *pool = NULL;
    struct regret_grid *grid = NULL;
    char path[512];
    snprintf(path, sizeof path, "%s/alpacaeval/results",
             shared != NULL ? shared : REGRET_SOURCE_FOLDER "/../shared/data");
    if (!regret_file_exists(path)) {
        cr_skip_test("alpacaeval/results is not there; set REGRET_SHARED_DATA");
    }
    cr_assert_eq(regret_import_alpacaeval(&r, path, sample_path("p"), NULL, 0), 0, "%s",
                 regret_error_message());
    cr_assert(r.contexts == 240 && r.agents == 20 && r.outputs == 4800 && r.records == 4800);
    cr_assert_eq(regret_pool_read(&pool, sample_path("p")), 0, "%s", regret_error_message());
    for (size_t a = 0; a < pool->n_agents; a++) {
        check_model(pool, a, path);
    }
    cr_assert_eq(regret_grid_cut(&grid, pool, NULL), 0);
    size_t constant = 0;
    for (size_t a = 0; a < pool->n_agents; a++) {
        constant += (size_t)regret_grid_is_constant(grid, a);
        cr_assert(!regret_grid_is_constant(grid, a) ||
                  strcmp(pool->agents[a].id, "NullModel") == 0);
    }
    cr_assert_eq(constant, 1);
    cr_assert_eq(grid->n_tags, 2);
    regret_grid_free(grid);
    regret_pool_free(pool);
}
