/* Tables of one's own: values that are means, rows without scores, and what is made of the texts. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "pool/sample.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/import.h"
#include "regret/text.h"

TestSuite(import_values, .fini = sample_cleanup);

#define HEAD "{\"name\": \"m\", \"synthetic\": true, "
#define COLUMNS                                                                                    \
    "\"columns\": {\"context\": \"d\", \"text\": \"t\", \"agent\": \"m\", \"output\": \"o\""
#define JSON_ROW(context, agent, scores)                                                           \
    "{\"d\": \"" context "\", \"t\": \"a b c\", \"m\": \"" agent "\", \"o\": \"a b c\", " scores   \
    "}\n"

static int import(struct regret_table_report *report, const char *table, const char *map,
                  const struct regret_table_options *options)
{
    sample_write("t", table);
    sample_write("map.json", map);
    return regret_import_table(report, sample_path("t"), sample_path("map.json"), sample_path("p"),
                               options, 1);
}

static struct regret_pool *imported(struct regret_table_report *r, const char *table,
                                    const char *map, const struct regret_table_options *options)
{
    struct regret_pool *pool = NULL;
    cr_assert_eq(import(r, table, map, options), 0, "%s", regret_error_message());
    cr_assert_eq(r->rows,
                 r->other_agent + r->bad + r->unscored + r->repeated + r->rated + r->outputs);
    cr_assert_eq(regret_pool_read(&pool, sample_path("p")), 0, "%s", regret_error_message());
    return pool;
}

static void refused(const char *table, const char *map, const char *message)
{
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    options.layout = table[0] == '{' ? REGRET_TABLE_LAYOUT_JSONL : REGRET_TABLE_LAYOUT_CSV;
    cr_assert_eq(import(NULL, table, map, &options), REGRET_E_INPUT, "%s", message);
    cr_expect_not_null(strstr(regret_error_message(), message), "\"%s\" lacks \"%s\"",
                       regret_error_message(), message);
}

static const char MEANS[] =
    HEAD COLUMNS "}, \"components\": [{\"name\": \"style\", \"from\": [\"x\", \"y\"], \"low\": 0, "
                 "\"high\": 10}, "
                 "{\"name\": \"truth\", \"from\": \"z\", \"low\": 0, \"high\": 1}], "
                 "\"counts\": [{\"name\": \"errors\", \"from\": [\"e\"]}]}";

Test(import_values, means_of_fields)
{
    struct regret_table_report r;
    struct regret_pool *pool = imported(
        &r, "d,t,m,o,x,y,z,e\nq,text,a,out,2,5,true,3\nq,text,b,out,10,0.5,1.00000000001,0\n",
        MEANS, NULL);
    const double *first = pool->outputs[0].values, *second = pool->outputs[1].values;
    cr_assert(first[0] == 3.5 && first[1] == 1.0 && first[2] == 3.0);
    cr_assert(second[0] == 5.25 && second[1] == 1.0 && second[2] == 0.0); /* rounding is no fault */
    regret_pool_free(pool);
    refused("d,t,m,o,x,y,z,e\nq,text,a,out,2,11,1,3\n", MEANS,
            "t:2: \"y\" is 11; the map says 0 to 10");
    refused("d,t,m,o,x,y,z,e\nq,text,a,out,2,1,1.0001,3\n", MEANS, "\"z\" is 1.0001");
    refused("d,t,m,o,x,z,e\nq,text,a,out,2,1,3\n", MEANS, "no column \"y\"");
}

/* 2 of 1 to 5 becomes 4, and the mean is taken before. */
Test(import_values, smaller_is_better)
{
    static const char map[] =
        HEAD COLUMNS "}, \"components\": [{\"name\": \"rank\", \"from\": [\"x\", \"y\"], \"low\": "
                     "1, \"high\": 5, "
                     "\"smaller_is_better\": true}, {\"name\": \"z\", \"low\": 0, \"high\": 1, "
                     "\"smaller_is_better\": false}]}";
    struct regret_table_report r;
    struct regret_pool *pool =
        imported(&r, "d,t,m,o,x,y,z\nq,text,a,out,1,3,0.25\nq,text,b,out,5,5,0\n", map, NULL);
    cr_assert(pool->outputs[0].values[0] == 4.0 && pool->outputs[0].values[1] == 0.25);
    cr_assert(pool->outputs[1].values[0] == 1.0);
    cr_assert(pool->components[0].low == 1.0 && pool->components[0].high == 5.0);
    regret_pool_free(pool);
    char *card = NULL;
    cr_assert_eq(regret_file_read(&card, NULL, sample_path("p/README.md"), 10000), 0);
    cr_assert_not_null(
        strstr(card,
               "* component rank: mean of the fields x, y, turned round: smaller is better there\n"
               "* component z: field z\n"),
        "%s", card);
    regret_free(card);
}

/* A list of numbers is of several raters. */
Test(import_values, means_of_raters)
{
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    struct regret_table_report r;
    options.layout = REGRET_TABLE_LAYOUT_JSONL;
    struct regret_pool *pool = imported(
        &r,
        JSON_ROW("q", "a", "\"x\": [1, 2, \" 6 \"], \"y\": 5, \"z\": [true, false], \"e\": [2, 4]")
            JSON_ROW("q", "b", "\"x\": [1], \"y\": \"2\", \"z\": 0, \"e\": 0"),
        MEANS, &options);
    const double *first = pool->outputs[0].values;
    cr_assert(first[0] == 4.0 && first[1] == 0.5 && first[2] == 3.0, "%g %g %g", first[0], first[1],
              first[2]);
    cr_assert_eq(pool->outputs[1].values[0], 1.5);
    regret_pool_free(pool);
    refused(JSON_ROW("q", "a", "\"x\": [1, 11], \"y\": 5, \"z\": 1, \"e\": 0"), MEANS,
            "\"x\" is 11");
    refused(JSON_ROW("q", "a", "\"x\": [1, {}], \"y\": 5, \"z\": 1, \"e\": 0"), MEANS,
            "\"x\" holds a list or an object; a list must be of numbers");
    refused(JSON_ROW("q", "a", "\"x\": [1, \"good\"], \"y\": 5, \"z\": 1, \"e\": 0"), MEANS,
            "\"x\" is \"good\"; it must be a finite number");
    refused(JSON_ROW("q", "a", "\"x\": 1, \"y\": 5, \"z\": 1, \"e\": [1, 2]"), MEANS,
            "count \"errors\" is 1.5; it must be a whole number");
}

#define JUDGES                                                                                     \
    HEAD COLUMNS                                                                                   \
        "}, \"components\": [{\"name\": \"x\", \"from\": \"j.*.s\", \"low\": 0, \"high\": 10}]}"

/* (0.1 + 0.1 + 0.1)/3 is above 0.1. */
Test(import_values, a_mean_stays_in_the_range)
{
    static const char map[] =
        HEAD COLUMNS "}, \"components\": [{\"name\": \"x\", \"low\": 0, \"high\": 0.1}]}";
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    struct regret_table_report r;
    options.layout = REGRET_TABLE_LAYOUT_JSONL;
    struct regret_pool *pool =
        imported(&r, JSON_ROW("q", "a", "\"x\": [0.1, 0.1, 0.1]") JSON_ROW("q", "b", "\"x\": 0"),
                 map, &options);
    cr_assert_eq(pool->outputs[0].values[0], 0.1);
    regret_pool_free(pool);
}

/* Raters as objects in a list. */
Test(import_values, means_of_raters_in_objects)
{
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    struct regret_table_report r;
    options.layout = REGRET_TABLE_LAYOUT_JSONL;
    options.drop_unscored = 1;
    struct regret_pool *pool = imported(
        &r,
        JSON_ROW("q", "a", "\"j\": [{\"s\": 1}, {\"s\": \"4\", \"by\": 7}]")
            JSON_ROW("q", "b", "\"j\": [{\"s\": 9}]")
                JSON_ROW("q", "c", "\"j\": [{\"s\": 9}, {\"t\": 9}]")
                    JSON_ROW("q", "d", "\"j\": []") JSON_ROW("q", "e", "\"j\": {\"0\": {\"s\": 1}}")
                        JSON_ROW("q", "f", "\"j.*.s\": 3"),
        JUDGES, &options);
    cr_assert(r.unscored == 3 && r.outputs == 3);
    cr_assert(pool->outputs[0].values[0] == 2.5 && pool->outputs[1].values[0] == 9.0);
    cr_assert_eq(pool->outputs[2].values[0], 3.0); /* a name that is so written comes first */
    regret_pool_free(pool);
    refused(JSON_ROW("q", "a", "\"j\": [{\"s\": 1}, {\"s\": 11}]"), JUDGES, "\"j.*.s\" is 11");
    refused(JSON_ROW("q", "a", "\"j\": [{\"s\": 1}, {}]"), JUDGES, "\"j.*.s\" holds null");
    refused(JSON_ROW("q", "a", "\"j\": [{\"s\": [1]}]"), JUDGES,
            "\"j.*.s\" holds a list or an object");
    refused(JSON_ROW("q", "a", "\"j\": 7"), JUDGES,
            "\"j.*.s\" is absent; it must be a number; --drop-unscored");
}

#define RATER(quality, of)                                                                         \
    "{\"name\": \"" of "\", \"from\": \"" quality "\", \"low\": 1, \"high\": 5, \"rater\": \"" of  \
    "\"}"
#define MEAN_OF(fields) "{\"name\": \"q\", \"from\": " fields ", \"low\": 1, \"high\": 5}"
#define RATED_COLUMNS HEAD COLUMNS ", \"cost\": \"c\", \"rater\": \"by\"}, \"components\": ["

/* Raters with rows of their own, in any order, are the same pool as raters with columns: to the bit, with draws, and with holes. */
Test(import_values, raters_in_rows)
{
    static const char rows[] =
        RATED_COLUMNS MEAN_OF("\"s\"") ", " RATER("s", "ann") ", " RATER("s", "bo") "]}";
    static const char columns[] = HEAD COLUMNS ", \"cost\": \"c\"}, \"components\": [" MEAN_OF(
        "[\"ann\", \"bo\"]") ", "
                             "{\"name\": \"ann\", \"low\": 1, \"high\": 5}, {\"name\": \"bo\", "
                             "\"low\": 1, \"high\": 5}]}";
    static const char *const OUT[] = {"one", "two", "one"};
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    struct regret_buffer wide = REGRET_BUFFER_INIT, tall = REGRET_BUFFER_INIT;
    struct regret_table_report r;
    regret_buffer_append(&wide, "d,t,m,o,c,ann,bo\n");
    regret_buffer_append(&tall, "by,d,t,m,o,c,s\n");
    for (size_t x = 0; x < 12; x++) { /* d0 x has two outputs of b that differ, d1 two alike */
        for (size_t k = 0; k < 3; k++) {
            regret_buffer_printf(&wide, "d%zu,t,%s,%s%s,%zu,%.2f,%.2f\n", x, k == 0 ? "a" : "b",
                                 OUT[k], x % 2 == 1 && k == 2 ? "two" : "", k + 1,
                                 1.0 + 0.01 * (double)(37 * (x + 2 * k) % 400),
                                 1.0 + 0.01 * (double)(73 * (2 * x + k) % 400));
        }
    }
    for (size_t rater = 0; rater < 2; rater++) {
        for (size_t x = 0; x < 12; x++) {
            for (size_t k = 0; k < 3; k++) {
                size_t score = rater == 0 ? 37 * (x + 2 * k) % 400 : 73 * (2 * x + k) % 400;
                regret_buffer_printf(&tall, "%s,d%zu,t,%s,%s%s,%zu,%.2f\n",
                                     rater == 0 ? "ann" : "bo", x, k == 0 ? "a" : "b", OUT[k],
                                     x % 2 == 1 && k == 2 ? "two" : "", k + 1,
                                     1.0 + 0.01 * (double)score);
            }
        }
    }
    options.repeats = REGRET_REPEATS_DRAWS;
    struct regret_pool *by_columns = imported(&r, regret_buffer_get(&wide), columns, &options);
    cr_assert_eq(r.outputs, 36);
    struct regret_pool *by_rows = imported(&r, regret_buffer_get(&tall), rows, &options);
    cr_assert(r.outputs == 36 && r.rated == 36 && r.rows == 72);
    for (size_t i = 0; i < 36; i++) {
        const struct regret_output *a = &by_columns->outputs[i], *b = &by_rows->outputs[i];
        cr_assert(a->context == b->context && a->agent == b->agent && a->draw == b->draw);
        cr_assert_str_eq(a->text, b->text);
        cr_assert_eq(memcmp(a->values, b->values, 3 * sizeof *a->values), 0, "output %zu", i);
    }
    cr_expect_eq(by_columns->agents[1].cost, by_rows->agents[1].cost);
    regret_pool_free(by_columns);
    regret_pool_free(by_rows);
    regret_buffer_free(&wide);
    regret_buffer_free(&tall);
}

/* A rater who has not rated, who has rated twice, and who is nobody. */
Test(import_values, raters_who_lack)
{
    static const char mean[] = RATED_COLUMNS MEAN_OF("\"s\"") "]}",
                      one[] = RATED_COLUMNS RATER("s", "ann") "]}",
                      nowhere[] = HEAD COLUMNS "}, \"components\": [" RATER("s", "ann") "]}",
                      patches[] =
                          HEAD COLUMNS ", \"rater\": \"by\"}, \"coding\": {\"success\": \"s\"}}";
    static const char table[] =
        "d,t,m,o,c,by,s\nq,text,a,out,1,ann,2\nq,text,a,out,1,bo,5\nq,text,b,out,1,bo,4\n";
    static const char twice[] =
        "d,t,m,o,c,by,s\nq,text,a,out,1,ann,2\nq,text,a,out,1,bo,5\nq,text,a,out,1,ann,4\n";
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    struct regret_table_report r;
    struct regret_pool *pool = imported(&r, table, mean, &options);
    cr_assert(r.outputs == 2 && pool->outputs[0].values[0] == 3.5 &&
              pool->outputs[1].values[0] == 4.0);
    regret_pool_free(pool);
    refused(
        table, one,
        "t:4: \"ann\" has not rated the output of agent \"b\" for context \"q\"; --drop-unscored");
    options.drop_unscored = 1;
    pool = imported(&r, table, one, &options);
    cr_assert(r.outputs == 1 && r.unscored == 1 && r.rated == 1 &&
              pool->outputs[0].values[0] == 2.0);
    regret_pool_free(pool);
    refused(twice, mean, "t:4: agent \"a\" has an output for context \"q\" before, on line 2");
    options.repeats = REGRET_REPEATS_FIRST;
    pool = imported(&r, twice, mean, &options);
    cr_assert(r.repeated == 1 && pool->outputs[0].values[0] == 3.5);
    regret_pool_free(pool);
    refused("d,t,m,o,c,by,s\nq,text,a,out,1,,2\n", mean, "rater");
    refused(table, nowhere, "say among the \"columns\" where raters stand");
    refused(table, patches, "\"rater\" is for \"components\"");
}

Test(import_values, rows_without_a_score)
{
    static const char map[] =
        HEAD COLUMNS "}, \"components\": [{\"name\": \"x\", \"low\": 0, \"high\": 10}]}";
    static const char *const LACKING[] = {
        "",          "\"x\": null",      "\"x\": \" \"",     "\"x\": \"n/a\"", "\"x\": NaN",
        "\"x\": []", "\"x\": [1, null]", "\"x\": [1, \"\"]", "\"x\": [NaN, 1]"};
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    struct regret_table_report r;
    options.layout = REGRET_TABLE_LAYOUT_JSONL;
    options.drop_unscored = 1;
    for (size_t i = 0; i < sizeof LACKING / sizeof *LACKING; i++) {
        char table[500];
        snprintf(table, sizeof table,
                 "%s" JSON_ROW("q", "b", "\"x\": 1") "{\"d\": 7, \"m\": 7%s%s}\n",
                 JSON_ROW("q", "a", "\"x\": 0"), LACKING[i][0] != '\0' ? ", " : "", LACKING[i]);
        struct regret_pool *pool = imported(&r, table, map, &options);
        cr_expect(r.unscored == 1 && r.outputs == 2 && r.contexts == 1, "%s", LACKING[i]);
        regret_pool_free(pool);
        refused(table, map, "t:3: \"x\"");
        refused(table, map, "; --drop-unscored leaves out what lacks a score");
    }
    options.layout = REGRET_TABLE_LAYOUT_CSV;
    struct regret_pool *pool =
        imported(&r, "d,t,m,o,x\nq,text,a,out,1\nq,text,b,out,\nq,text,c,out,NA\nq,text,b,out,2\n",
                 map, &options);
    cr_assert(r.unscored == 2 && r.outputs == 2 && r.repeated == 0);
    regret_pool_free(pool);
    /* What is no number is bad all the same. */
    cr_assert_eq(import(NULL, "d,t,m,o,x\nq,text,a,out,1\nq,text,b,out,?\n", map, &options),
                 REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "--skip-bad leaves bad rows out"), "%s",
                       regret_error_message());
}

Test(import_values, agents_asked_for)
{
    static const char *const patterns[] = {"g*", "b"}, *const none[] = {"x*"};
    static const char map[] =
        HEAD COLUMNS "}, \"components\": [{\"name\": \"x\", \"low\": 0, \"high\": 10}]}";
    static const char wide[] = HEAD
        "\"agents\": [\"a\", \"b\", \"g\"], \"columns\": {\"context\": \"d\", \"text\": \"t\"}, "
        "\"components\": [{\"name\": \"x\", \"from\": \"{agent}\", \"low\": 0, \"high\": 10}]}";
    static const char table[] =
        "d,t,m,o,x\nq,text,gpt/4,out,1\nq,text,a,out,worse\nq,text,b,out,2\nr,text,a,out,2\n";
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    struct regret_table_report r;
    options.agents = patterns;
    options.n_agents = 2;
    struct regret_pool *pool = imported(&r, table, map, &options);
    cr_assert(r.other_agent == 2 && r.outputs == 2 && pool->n_agents == 2 && pool->n_contexts == 1);
    regret_pool_free(pool);
    pool = imported(&r, "d,t,a,b,g\nq,text,1,,3\nr,text,?,5,6\n", wide, &options);
    cr_assert(r.other_agent == 2 && r.blank == 1 && r.outputs == 3 && pool->n_agents == 2);
    regret_pool_free(pool);
    cr_assert_eq(import(NULL, "d,t,m,o,x\nq,text,,out,1\n", map, &options), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "the agent is empty"), "%s",
                       regret_error_message());
    options.agents = none;
    options.n_agents = 1;
    cr_assert_eq(import(NULL, table, map, &options), REGRET_E_INPUT);
    cr_assert_not_null(
        strstr(regret_error_message(), "t: no agent matches a pattern; there are: gpt/4, a, b"),
        "%s", regret_error_message());
}

Test(import_values, agents_of_a_wide_table_without_a_score)
{
    static const char map[] = HEAD "\"agents\": \"{agent}\", \"columns\": {\"context\": \"d\", "
                                   "\"text\": \"t\", \"output\": \"{agent}|out\"}, \"components\": "
                                   "[{\"name\": \"x\", \"from\": [\"{agent}\", \"{agent}|two\"], "
                                   "\"low\": 0, \"high\": 10}]}";
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    struct regret_table_report r;
    options.drop_unscored = 1;
    struct regret_pool *pool = imported(
        &r, "d,t,a,a|two,a|out,b,b|two,b|out\nq,text,1,2,o,,7,o\nr,text,,,,4,5,o\n", map, &options);
    cr_assert(r.rows == 3 && r.unscored == 1 && r.blank == 1 && r.outputs == 2);
    cr_assert(pool->outputs[0].values[0] == 1.5 && pool->outputs[1].values[0] == 4.5);
    regret_pool_free(pool);
}

#define DERIVED(columns, derive)                                                                   \
    HEAD COLUMNS columns "}, \"components\": [{\"name\": \"x\", \"low\": 0, \"high\": 10}], "      \
                         "\"aux\": [\"n\"], \"derive\": " derive "}"

/* Conciseness is 1 + 4·(3 − n/r)/2 between its ends where nothing repeats, and 8 tokens of a source stand for one of a
 * reference. */
Test(import_values, made_of_the_texts)
{
    static const char table[] =
        "d,t,m,o,x,n,ref\nq,one two three,a,a b c,1,7,a b\n"
        "q,one two three,b,a b,1,7,\nr,1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 "
        "16,a,a b c d e,1,7, \nr,1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16,b,,1,7,\n";
    static const double conciseness[] = {4.0, 5.0, 2.0, 1.0};
    struct regret_table_report r;
    struct regret_pool *pool = imported(
        &r, table, DERIVED(", \"reference\": \"ref\"", "[\"statistics\", \"conciseness\"]"), NULL);
    cr_assert(pool->n_components == 2 && pool->n_aux == 1 + REGRET_STATISTICS);
    cr_assert_str_eq(pool->components[1].name, "conciseness");
    cr_assert(pool->components[1].low == 1.0 && pool->components[1].high == 5.0);
    cr_assert_str_eq(pool->aux[1], "words");
    for (size_t i = 0; i < 4; i++) {
        cr_expect_eq(pool->outputs[i].values[1], conciseness[i], "%zu: %g", i,
                     pool->outputs[i].values[1]);
        cr_expect_eq(pool->outputs[i].values[2], 7.0);
    }
    cr_assert(pool->outputs[0].values[3] == 3.0 && pool->outputs[2].values[3] == 5.0);
    cr_assert(pool->agents[0].cost == 4.0 && pool->agents[1].cost == 1.0); /* mean tokens */
    regret_pool_free(pool);
    pool = imported(&r, table, DERIVED(", \"cost\": \"n\"", "[\"statistics\"]"), NULL);
    cr_assert(pool->n_components == 1 && pool->agents[0].cost == 7.0);
    cr_assert_eq(pool->outputs[0].values[2], 3.0);
    regret_pool_free(pool);
    refused("d,t,m,o,x,n,ref\nq,t,a,o,1,7,one\nq,t,b,o,1,7,two\n",
            DERIVED(", \"reference\": \"ref\"", "[\"conciseness\"]"),
            "t:3: the reference of \"q\" is another one than before");
}

/* With the contexts in a file of their own, their references stand there. */
Test(import_values, references_apart)
{
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    struct regret_table_report r;
    sample_write("c", "{\"d\": \"q\", \"t\": \"x\", \"ref\": null, \"refs\": [\" \", \"a b\"]}\n");
    options.layout = REGRET_TABLE_LAYOUT_JSONL;
    options.contexts_path = sample_path("c");
    struct regret_pool *pool = imported(
        &r,
        "{\"d\": \"q\", \"m\": \"a\", \"o\": \"a b c\", \"x\": 1, \"n\": 7}\n"
        "{\"d\": \"q\", \"m\": \"b\", \"o\": \"a b c d\", \"x\": 1, \"n\": 7}\n",
        DERIVED("}, \"contexts\": {\"reference\": [\"ref\", \"refs\"]", "[\"conciseness\"]"),
        &options);
    cr_assert(pool->outputs[0].values[1] == 4.0 && pool->outputs[1].values[1] == 3.0);
    regret_pool_free(pool);
}

Test(import_values, maps_that_cannot_be)
{
    static const struct {
        const char *map, *message;
    } CASES[] = {
        {DERIVED("", "[\"concisenes\"]"),
         "unknown derived value \"concisenes\"; did you mean \"conciseness\"?"},
        {HEAD COLUMNS "}, \"components\": [{\"name\": \"x\", \"low\": 0, \"high\": 1, "
                      "\"smaller_is_better\": 1}]}",
         "\"smaller_is_better\" must be true or false"},
        {DERIVED("", "[7]"), "\"derive\" must be a list of names"},
        {DERIVED("", "\"statistics\""), "\"derive\" must be an array"},
        {DERIVED(", \"reference\": \"r\"", "[\"statistics\"]"),
         "\"reference\" is for \"derive\": [\"conciseness\"]"},
        {DERIVED(", \"reference\": [\"r\"]", "[\"conciseness\"]"),
         "\"reference\" must be a field, or a list of two"},
        {DERIVED(", \"reference\": [\"r\", 7]", "[\"conciseness\"]"),
         "must be a field, or a list of two"},
        {DERIVED(", \"reference\": [\"r\", \"\"]", "[\"conciseness\"]"),
         "must have 1 to 500 bytes"},
        {DERIVED(", \"reference\": 7", "[\"conciseness\"]"), "\"reference\" must be a string"},
        {HEAD COLUMNS "}, \"derive\": [\"statistics\"], \"coding\": {\"success\": \"x\"}}",
         "\"coding\" makes the \"derive\"; leave one of the two out"},
        {HEAD COLUMNS
         "}, \"components\": [{\"name\": \"x\", \"from\": [], \"low\": 0, \"high\": 1}]}",
         "\"from\" of \"x\" has 0 fields; from 1 to 32 are allowed"},
        {HEAD COLUMNS
         "}, \"components\": [{\"name\": \"x\", \"from\": [7], \"low\": 0, \"high\": 1}]}",
         "\"from\" of \"x\" must be a field, or a list of fields"},
        {HEAD COLUMNS
         "}, \"components\": [{\"name\": \"x\", \"from\": {}, \"low\": 0, \"high\": 1}]}",
         "\"from\" of \"x\" must be a field, or a list of fields"},
        {HEAD COLUMNS "}, \"components\": [{\"name\": \"conciseness\", \"low\": 0, \"high\": 1}], "
                      "\"derive\": [\"conciseness\"]}",
         "conciseness"},
        {HEAD
         "\"agents\": [\"a\"], \"columns\": {\"context\": \"d\", \"text\": \"t\"}, \"components\": "
         "[{\"name\": \"x\", \"from\": \"{agent}\", \"low\": 0, \"high\": 1}], \"derive\": "
         "[\"statistics\"]}",
         "say which columns hold the texts: \"output\""},
        {HEAD "\"agents\": [\"a\"], \"columns\": {\"context\": \"d\", \"text\": \"t\", \"output\": "
              "\"o\", "
              "\"reference\": \"{agent}\"}, \"components\": "
              "[{\"name\": \"x\", \"from\": \"{agent}\", \"low\": 0, \"high\": 1}], \"derive\": "
              "[\"conciseness\"]}",
         "but it is the reference of a context"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        refused("d,t,m,o,x\n", CASES[i].map, CASES[i].message);
    }
}

#define NESTED                                                                                     \
    HEAD                                                                                           \
        "\"columns\": {\"context\": \"id\", \"text\": \"ask\", \"tag\": \"from\", \"agent\": "     \
        "\"answers.*.model\", \"output\": \"answers.*.say.text\", \"cost\": \"answers.*.cost\"}, " \
        "\"components\": [{\"name\": \"x\", \"from\": [\"answers.*.score\", "                      \
        "\"answers.*.j.*.s\"], "                                                                   \
        "\"low\": 0, \"high\": 10}], \"aux\": [{\"name\": \"h\", \"from\": \"hard\"}]}"
#define ANSWER(model, score)                                                                       \
    "{\"model\": \"" model "\", \"say\": {\"text\": \"I am " model                                 \
    "\"}, \"cost\": 2, \"score\": " score ", \"j\": [{\"s\": 2}, {\"s\": 4}]}"
#define ASKED(id, answers)                                                                         \
    "{\"id\": \"" id "\", \"ask\": \"why " id                                                      \
    "\", \"from\": \"b\", \"hard\": 7, \"answers\": [" answers "]}"

/* A record a context, in which a list holds the outputs. */
Test(import_values, rows_in_a_list_of_each_record)
{
    static const char *const TABLES[] = {
        ASKED("q", ANSWER("a", "1") ", " ANSWER("b", "5")) "\n" ASKED("r", "") "\n" ASKED(
            "s", ANSWER("a", "9")),
        "[" ASKED("q", ANSWER("a", "1") ", " ANSWER("b", "5")) ",\n" ASKED("r", "") ", " ASKED(
            "s", ANSWER("a", "9")) "]"};
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    struct regret_table_report r;
    options.layout = REGRET_TABLE_LAYOUT_JSONL;
    for (size_t i = 0; i < 2; i++) {
        struct regret_pool *pool = imported(&r, TABLES[i], NESTED, &options);
        cr_assert(r.rows == 3 && pool->n_contexts == 2 && pool->n_agents == 2 &&
                  pool->n_outputs == 3);
        cr_assert_str_eq(pool->contexts[1].text, "why s");
        cr_assert_str_eq(pool->contexts[1].tag, "b");
        cr_assert_str_eq(pool->outputs[1].text, "I am b");
        cr_assert(pool->outputs[0].values[0] == 2.0 && pool->outputs[1].values[0] == 4.0 &&
                  pool->outputs[2].values[0] == 6.0);
        cr_assert(pool->outputs[2].values[1] == 7.0 && pool->agents[0].cost == 2.0);
        regret_pool_free(pool);
    }
    options.repeats = REGRET_REPEATS_DRAWS;
    options.skip_bad = options.drop_unscored = 1;
    struct regret_pool *pool = imported(
        &r,
        ASKED("q", ANSWER("a", "1") ", 7, " ANSWER("a", "3") ", " ANSWER("b", "null") ", " ANSWER(
                       "b", "11")) "\n"
                                   "{\"id\": \"s\"}\n" ASKED("t", ANSWER("a", "9")),
        NESTED, &options);
    cr_assert(r.outputs == 3 && r.bad == 3 && r.unscored == 1 && pool->n_agents == 1);
    cr_assert(pool->outputs[0].values[0] == 2.0 && pool->outputs[1].values[0] == 3.0);
    regret_pool_free(pool);
    refused(ASKED("q", ANSWER("a", "1") ", " ANSWER("b", "11")), NESTED,
            "t:1: \"answers\" 1 (from 0): \"answers.*.score\" is 11; the map says 0 to 10");
    refused(ASKED("q", ANSWER("a", "1") ", 7"), NESTED,
            "t:1: \"answers\" 1 (from 0): must be an object in braces");
    refused(ASKED("q", ANSWER("a", "1") ", " ANSWER("a", "2")), NESTED,
            "t: row 1 (from 0): agent \"a\" has an output for context \"q\" before, in row 0");
    refused("{\"id\": \"s\"}", NESTED,
            "t:1: \"answers\" is absent; it must be a list, whose elements are rows");
    refused("{\"answers\": 7}", NESTED, "t:1: \"answers\" is no list");
    refused("id,ask\n1,2\n", NESTED, "no column \"");
}
