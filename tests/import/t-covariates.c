/* Columns of contexts out of a table: long, wide, JSON, and from a file of contexts. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pool/sample.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/import.h"
#include "regret/pool.h"

TestSuite(import_covariates, .fini = sample_cleanup);

#define MAP(columns, score, more)                                                                  \
    "{\"name\": \"mine\", \"synthetic\": true, " columns                                           \
    ", \"components\": [{\"name\": \"good\", \"from\": \"" score "\", \"low\": 0, \"high\": 1}]"   \
    "," more "}"
#define LONG(more)                                                                                 \
    MAP("\"columns\": {\"context\": \"id\", \"text\": \"prompt\", \"agent\": \"model\", "          \
        "\"output\": \"out\"}",                                                                    \
        "score", more)
#define COVARIATES                                                                                 \
    "\"covariates\": [{\"name\": \"turns\", \"kind\": \"number\", \"from\": \"n turns\"}, "        \
    "{\"name\": \"lang\", \"kind\": \"word\"}]"

static int import(const char *table, const char *map, const char *contexts,
                  enum regret_table_layout layout)
{
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    options.layout = layout;
    sample_write("t", table);
    sample_write("map.json", map);
    if (contexts != NULL) {
        sample_write("c", contexts);
        options.contexts_path = sample_path("c");
    }
    return regret_import_table(NULL, sample_path("t"), sample_path("map.json"), sample_path("pool"),
                               &options, 1);
}

/* The pool of all good tables below. */
static void expect_pool(const char *what)
{
    struct regret_pool *p = NULL;
    cr_assert_eq(regret_pool_read(&p, sample_path("pool")), 0, "%s: %s", what,
                 regret_error_message());
    cr_assert(p->n_columns == 2 && p->n_contexts == 2 && p->n_outputs == 4, "%s", what);
    cr_assert_str_eq(p->columns[0].name, "turns");
    cr_assert_eq(p->contexts[0].columns[0].number, 3.0, "%s", what);
    cr_assert_eq(p->contexts[1].columns[0].number, 0.0, "%s", what);
    cr_assert_str_eq(p->contexts[0].columns[1].word, "en GB");
    cr_assert_str_eq(p->contexts[1].columns[1].word, "", "a word that is missing is the empty one");
    char *card = NULL;
    cr_assert_eq(regret_pool_read_card(&card, sample_path("pool")), 0);
    cr_assert_not_null(strstr(card, "* column of contexts turns, a number: field n turns\n"));
    regret_free(card);
    regret_pool_free(p);
}

Test(import_covariates, every_layout_gives_the_same)
{
    cr_assert_eq(import("id,prompt,model,out,score,n turns,lang\n"
                        "1,one,a,x,1,3,en GB\n1,one,b,y,0,3,en GB\n"
                        "2,two,a,x,1,0,\n2,two,b,y,0,0.0,\n",
                        LONG(COVARIATES), NULL, REGRET_TABLE_LAYOUT_CSV),
                 0, "%s", regret_error_message());
    expect_pool("long");
    cr_assert_eq(import("[{\"id\": 1, \"prompt\": \"one\", \"model\": \"a\", \"out\": \"x\", "
                        "\"score\": 1, \"n turns\": 3, \"lang\": \"en GB\"},"
                        "{\"id\": 1, \"prompt\": \"one\", \"model\": \"b\", \"out\": \"y\", "
                        "\"score\": 0, \"n turns\": 3, \"lang\": \"en GB\"},"
                        "{\"id\": 2, \"prompt\": \"two\", \"model\": \"a\", \"out\": \"x\", "
                        "\"score\": 1, \"n turns\": false, \"lang\": null},"
                        "{\"id\": 2, \"prompt\": \"two\", \"model\": \"b\", \"out\": \"y\", "
                        "\"score\": 0, \"n turns\": 0}]",
                        LONG(COVARIATES), NULL, REGRET_TABLE_LAYOUT_JSONL),
                 0, "%s", regret_error_message());
    expect_pool("JSON");
    cr_assert_eq(import("id,prompt,a,b,n turns,lang\n1,one,1,0,3,en GB\n2,two,1,0,0,\n",
                        MAP("\"columns\": {\"context\": \"id\", \"text\": \"prompt\"}, "
                            "\"agents\": [\"a\", \"b\"]",
                            "{agent}", COVARIATES),
                        NULL, REGRET_TABLE_LAYOUT_CSV),
                 0, "%s", regret_error_message());
    expect_pool("wide");
    cr_assert_eq(import("id,model,out,score\n1,a,x,1\n1,b,y,0\n2,a,x,1\n2,b,y,0\n",
                        LONG(COVARIATES), "id,prompt,n turns,lang\n1,one,3,en GB\n2,two,0,\n",
                        REGRET_TABLE_LAYOUT_CSV),
                 0, "%s", regret_error_message());
    expect_pool("contexts apart");
}

/* Numbers that are not known, in every way to say so; a pool of them reads again the same. */
Test(import_covariates, a_number_may_be_blank)
{
    static const char *const tables[] = {
        "id,prompt,model,out,score,n turns,lang\n1,one,a,x,1,3,en\n1,one,b,y,0,3,en\n"
        "2,two,a,x,1, NA ,en\n2,two,b,y,0,,en\n",
        "[{\"id\": 1, \"prompt\": \"one\", \"model\": \"a\", \"out\": \"x\", \"score\": 1, "
        "\"n turns\": 3, \"lang\": \"en\"}, {\"id\": 2, \"prompt\": \"two\", \"model\": \"a\", "
        "\"out\": \"x\", \"score\": 1, \"n turns\": null, \"lang\": \"en\"}, {\"id\": 2, "
        "\"prompt\": \"two\", \"model\": \"b\", \"out\": \"y\", \"score\": 0, \"lang\": \"en\"}]"};
    for (size_t i = 0; i < 2; i++) {
        struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
        struct regret_table_report report;
        struct regret_pool *p = NULL, *again = NULL;
        options.layout = i == 0 ? REGRET_TABLE_LAYOUT_CSV : REGRET_TABLE_LAYOUT_JSONL;
        sample_write("t", tables[i]);
        sample_write("map.json", LONG(COVARIATES));
        cr_assert_eq(regret_import_table(&report, sample_path("t"), sample_path("map.json"),
                                         sample_path("pool"), &options, 1),
                     0, "%s", regret_error_message());
        cr_expect_eq(report.without_number, 1);
        cr_assert_eq(regret_pool_read(&p, sample_path("pool")), 0, "%s", regret_error_message());
        cr_assert(p->contexts[0].columns[0].number == 3.0 &&
                  isnan(p->contexts[1].columns[0].number));
        cr_assert_eq(regret_pool_write(p, sample_path("again"), NULL, 1), 0, "%s",
                     regret_error_message());
        cr_assert_eq(regret_pool_read(&again, sample_path("again")), 0, "%s",
                     regret_error_message());
        cr_expect_str_eq(p->digest, again->digest);
        regret_pool_free(p);
        regret_pool_free(again);
    }
}

Test(import_covariates, bad_cells_and_maps_are_refused)
{
#define HEAD "id,prompt,model,out,score,n turns,lang\n1,one,a,x,1,3,en\n"
    static const struct {
        const char *table, *map, *message;
    } cases[] = {
        {HEAD "1,one,b,x,1,,en\n", LONG(COVARIATES),
         "t:3: the covariates of \"1\" is another one than on line 2"},
        {HEAD "1,one,b,x,1,many,en\n", LONG(COVARIATES),
         "t:3: \"n turns\" is \"many\"; it must be a finite number, or yes, pass, true, correct or "
         "their "
         "opposites; correct it, leave it blank, or "
         "take the column out of the map's \"covariates\""},
        {"id,prompt,model,out,score,n turns,lang\n1,one,a,x,1,NA,en\n1,one,b,y,0,,en\n",
         LONG(COVARIATES),
         "t: \"n turns\" is blank everywhere; correct its \"from\" in the map's \"covariates\""},
        {HEAD "1,one,b,x,1,4,en\n", LONG(COVARIATES),
         "t:3: the covariates of \"1\" is another one than on line 2"},
        {HEAD "1,one,b,x,1,3,\n", LONG(COVARIATES), "the covariates of \"1\""},
        {HEAD "2,two,b,x,1,3,\"a\x01\"\n", LONG(COVARIATES),
         "t:3: column \"lang\" holds a control character"},
        {HEAD, LONG("\"covariates\": [\"lang\"]"), "a covariate must be an object: {\"name\""},
        {HEAD, LONG("\"covariates\": [{\"name\": \"lang\"}]"), "\"kind\" must be a string"},
        {HEAD, LONG("\"covariates\": [{\"name\": \"lang\", \"kind\": \"word\", \"form\": \"x\"}]"),
         "unknown key \"form\"; did you mean \"from\"?"},
        {HEAD, LONG("\"covariates\": [{\"name\": \"lung\", \"kind\": \"word\"}]"),
         "did you mean \"lang\"?"},
        {HEAD, LONG("\"covariates\": {}"), "\"covariates\" must be an array"},
        {HEAD,
         MAP("\"columns\": {\"context\": \"id\", \"text\": \"prompt\"}, \"agents\": [\"score\"]",
             "{agent}",
             "\"covariates\": [{\"name\": \"x\", \"kind\": \"word\", \"from\": \"{agent}\"}]"),
         "it is the covariate of a context, the same for all agents"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_assert_eq(import(cases[i].table, cases[i].map, NULL, REGRET_TABLE_LAYOUT_CSV),
                     REGRET_E_INPUT, "case %zu", i);
        cr_expect_not_null(strstr(regret_error_message(), cases[i].message), "case %zu: %s", i,
                           regret_error_message());
    }
}
