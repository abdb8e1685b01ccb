/* Components that are made: of outputs and references, of repeats. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "import/guess_checks.h"
#include "pool/sample.h"
#include "regret/import.h"
#include "regret/metrics.h"
#include "regret/pool.h"

TestSuite(made_scores, .fini = sample_cleanup);

#define HEAD                                                                                       \
    "{\"name\": \"m\", \"synthetic\": true, \"columns\": {\"context\": \"d\", \"text\": \"t\", "   \
    "\"agent\": \"m\", \"output\": \"o\""
#define REFERENCE ", \"reference\": \"gold\"}, \"components\": ["
static const char TABLE[] = "d,t,m,o,gold,ok\n"
                            "q,text,a,the cat sat,a cat sat,1\n"
                            "q,text,b,dog,,0\n"
                            "r,text,a,two,two,no\n"
                            "r,text,b,,two,yes\n";
static const char DRAWS[] = "d,t,m,o,ok\nq,text,a,x,1\nq,text,b,y,0\nq,text,a,z,0\nq,text,b,v,0\n"
                            "q,text,a,w,1\nq,text,b,u,no\nq,text,a,s,0\n";

static struct regret_pool *imported(const char *table, const char *map, enum regret_repeats repeats)
{
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    struct regret_pool *pool = NULL;
    options.repeats = repeats;
    sample_write("t", table);
    sample_write("map.json", map);
    cr_assert_eq(regret_import_table(NULL, sample_path("t"), sample_path("map.json"),
                                     sample_path("p"), &options, 1),
                 0, "%s", regret_error_message());
    cr_assert_eq(regret_pool_read(&pool, sample_path("p")), 0, "%s", regret_error_message());
    return pool;
}

static void refused(const char *table, const char *map, const char *message)
{
    const struct regret_table_options draws = {.separator = ',', .repeats = REGRET_REPEATS_DRAWS};
    sample_write("t", table);
    sample_write("map.json", map);
    cr_assert_eq(regret_import_table(NULL, sample_path("t"), sample_path("map.json"),
                                     sample_path("p"), &draws, 1),
                 REGRET_E_INPUT, "%s", message);
    cr_expect_not_null(strstr(regret_error_message(), message), "\"%s\" lacks \"%s\"",
                       regret_error_message(), message);
}

Test(made_scores, metrics_of_outputs_and_references)
{
    struct regret_pool *pool = imported(
        TABLE,
        HEAD REFERENCE "{\"name\": \"ok\", \"low\": 0, \"high\": 1}, {\"name\": \"f1\", "
                       "\"metric\": \"f1\"}, {\"name\": \"c\", \"metric\": \"chrf\", \"low\": 0, "
                       "\"high\": 1}]}",
        REGRET_REPEATS_REFUSE);
    static const char *const TEXTS[4][2] = {
        {"the cat sat", "a cat sat"}, {"dog", "a cat sat"}, {"two", "two"}, {"", "two"}};
    static const double F1[] = {1, 0, 1, 0}, OK[] = {1, 0, 0, 1};
    cr_assert_eq(pool->n_components, 3);
    cr_assert(pool->components[1].low == 0.0 && pool->components[1].high == 1.0);
    for (size_t i = 0; i < 4; i++) {
        const double *values = pool->outputs[i].values;
        double chrf = NAN;
        cr_assert_eq(regret_metric_score(&chrf, "chrf", TEXTS[i][0], TEXTS[i][1]), 0);
        cr_expect(values[0] == OK[i] && values[1] == F1[i] && values[2] == chrf, "output %zu", i);
    }
    regret_pool_free(pool);
}

/* Every text of a list counts, blank ones do not; a row without any keeps those of its context. */
Test(made_scores, the_best_of_several_references)
{
    static const char map[] = HEAD REFERENCE "{\"name\": \"f1\", \"metric\": \"f1\"}]}";
    static const double WANTED[] = {1.0, 2.0 / 3.0, 0.0};
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    struct regret_pool *pool = NULL;
    options.layout = REGRET_TABLE_LAYOUT_JSONL;
    sample_write("t", "{\"d\":\"q\",\"t\":\"x\",\"m\":\"a\",\"o\":\"red fox\",\"gold\":[\"cat\",\" "
                      "\",\"fox, red\"]}\n"
                      "{\"d\":\"q\",\"t\":\"x\",\"m\":\"b\",\"o\":\"cat sat\"}\n"
                      "{\"d\":\"q\",\"t\":\"x\",\"m\":\"c\",\"o\":\"none\",\"gold\":null}\n");
    sample_write("map.json", map);
    cr_assert_eq(regret_import_table(NULL, sample_path("t"), sample_path("map.json"),
                                     sample_path("p"), &options, 1),
                 0, "%s", regret_error_message());
    cr_assert_eq(regret_pool_read(&pool, sample_path("p")), 0, "%s", regret_error_message());
    for (size_t i = 0; i < 3; i++) {
        cr_expect_float_eq(pool->outputs[i].values[0], WANTED[i], 1e-12);
    }
    regret_pool_free(pool);
}

/* Columns that are listed count together, too: an answer may be like either. */
Test(made_scores, references_of_two_columns)
{
    struct regret_pool *pool =
        imported("d,t,m,o,one,two\nq,text,a,cat,cat,dog\nq,text,b,dog,cat,dog\n"
                 "r,text,a,fox,,fox\nr,text,b,hen,,fox\n",
                 HEAD ", \"reference\": [\"one\", \"two\"]}, \"components\": [{\"name\": \"e\", "
                      "\"metric\": \"exact\"}]}",
                 REGRET_REPEATS_REFUSE);
    static const double WANTED[] = {1, 1, 1, 0};
    for (size_t i = 0; i < 4; i++) {
        cr_expect_eq(pool->outputs[i].values[0], WANTED[i], "output %zu", i);
    }
    regret_pool_free(pool);
}

Test(made_scores, pass_at_k_of_draws)
{
    struct regret_pool *pool = imported(
        DRAWS, HEAD "}, \"components\": [{\"name\": \"pass2\", \"from\": \"ok\", \"pass_at\": 2}]}",
        REGRET_REPEATS_DRAWS);
    cr_assert_eq(pool->n_outputs, 7);
    for (size_t i = 0; i < 7; i++) { /* 2 of 4 are right: 1 - C(2,2)/C(4,2) */
        double wanted = pool->outputs[i].agent == 0 ? 5.0 / 6.0 : 0.0;
        cr_expect(fabs(pool->outputs[i].values[0] - wanted) < 1e-15, "output %zu", i);
    }
    regret_pool_free(pool);
}

Test(made_scores, what_cannot_be_made_is_refused)
{
    refused(TABLE, HEAD REFERENCE "{\"name\": \"x\", \"metric\": \"rouge-L\"}]}",
            "unknown metric \"rouge-L\"");
    refused(TABLE, HEAD REFERENCE "{\"name\": \"x\", \"metric\": \"f1\", \"high\": 100}]}",
            "from 0 to 1");
    refused(TABLE, HEAD REFERENCE "{\"name\": \"x\", \"metric\": \"f1\", \"from\": \"ok\"}]}",
            "leave \"from\"");
    refused(TABLE, HEAD "}, \"components\": [{\"name\": \"x\", \"metric\": \"f1\"}]}",
            "needs \"reference\"");
    refused(TABLE, HEAD REFERENCE "{\"name\": \"ok\", \"low\": 0, \"high\": 1}]}",
            "with a \"metric\"");
    refused("d,t,m,o,gold\nq,text,a,x,\nr,text,a,x,y\n",
            HEAD REFERENCE "{\"name\": \"x\", \"metric\": \"f1\"}]}",
            "context \"q\" has no reference");
    refused(DRAWS, HEAD "}, \"components\": [{\"name\": \"ok\", \"pass_at\": 4}]}",
            "agent \"b\" has 3 outputs for context \"q\", fewer than pass@4 needs");
    refused("d,t,m,o,ok\nq,text,a,x,.5\n",
            HEAD "}, \"components\": [{\"name\": \"ok\", \"pass_at\": 1}]}", "a value is 0.5");
}

/* A table without a score, and with references. */
Test(made_scores, init_scores_against_references)
{
    static const char table[] =
        "question_id,question,expected,model,response\n"
        "1,What is one and one?,two,a,it is two\n1,What is one and one?,two,b,three I say\n"
        "2,And two and two?,it is four,a,four\n2,And two and two?,it is four,b,it is five\n";
    struct table_guess g;
    struct regret_table_report r;
    sample_write("t.csv", table);
    cr_assert_eq(table_guess_make(&g, sample_path("t.csv"), &(struct guess_known){0}), 0, "%s",
                 regret_error_message());
    cr_expect_eq(g.role[2], GUESS_REFERENCE);
    cr_expect_eq(guess_imports(&r, &g, "t.csv"), 1);
    cr_expect_eq(r.outputs, 4);
    table_guess_free(&g);
    sample_write("t.json",
                 "{\"id\":1,\"model\":\"a\",\"answer\":\"x y\",\"references\":[\"p\",\"x y\"]}\n"
                 "{\"id\":1,\"model\":\"b\",\"answer\":\"z\",\"references\":[\"p\",\"x y\"]}\n"
                 "{\"id\":2,\"model\":\"a\",\"answer\":\"u\",\"references\":[\"u\",\"v w\"]}\n"
                 "{\"id\":2,\"model\":\"b\",\"answer\":\"t\",\"references\":[\"u\",\"v w\"]}\n");
    cr_assert_eq(table_guess_make(&g, sample_path("t.json"), &(struct guess_known){0}), 0, "%s",
                 regret_error_message());
    struct regret_buffer map = REGRET_BUFFER_INIT;
    table_guess_map(&map, &g, "t");
    cr_expect_not_null(strstr(regret_buffer_get(&map), "\"reference\": \"references\"}"), "%s",
                       regret_buffer_get(&map));
    regret_buffer_free(&map);
    table_guess_free(&g);
    guess_refuses("t.csv", "id,model,expected,note\n1,a,x,\n1,b,x,\n2,a,y,\n2,b,y,\n",
                  "no column holds a score");
}
