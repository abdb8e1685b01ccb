/* Tables of one's own. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pool/sample.h"
#include "regret/file.h"
#include "regret/import.h"

TestSuite(import_table, .fini = sample_cleanup);

#define HEAD "{\"name\": \"mine\", \"synthetic\": true, "
#define COMPONENTS                                                                                 \
    "\"components\": [{\"name\": \"good\", \"from\": \"s.0\", \"low\": 1, \"high\": 5}]"
#define COLUMNS "\"context\": \"doc\", \"agent\": \"model\", \"output\": \"out\""

static const char MAP[] = HEAD
    "\"columns\": {" COLUMNS
    ", \"text\": \"article\", \"title\": \"called\", \"cost\": \"price\"}, "
    "\"counts\": [\"claims\"], \"aux\": [{\"name\": \"length\", \"from\": \"n\"}], " COMPONENTS "}";

static const char PLAIN_MAP[] =
    HEAD "\"columns\": {" COLUMNS ", \"text\": \"article\"}, " COMPONENTS "}";

static const char CSV[] = "\xef\xbb\xbf"
                          "n,doc,unused,article,model,called,price,out,s.0,claims\r\n"
                          "10,d/2,,\"two\nlines\",m 10,Ten,3,\"said \"\"so\"\"\",5,0\r\n"
                          "-1,d/2,,\"two\nlines\",m 9,Nine,2.5,,1.5,TRUE\r\n"
                          "1e1,d 1,,one,m 10,Ten,5,x, 2 ,2\r\n";

static const char *import_file(const char *name, const char *text)
{
    sample_write(name, text);
    return sample_path(name);
}

static int import(struct regret_table_report *report, const char *table, const char *map,
                  const struct regret_table_options *options)
{
    return regret_import_table(report, import_file("t", table), import_file("map.json", map),
                               sample_path("p"), options, 1);
}

static struct regret_pool *imported(struct regret_table_report *report, const char *table,
                                    const char *map, const struct regret_table_options *options)
{
    struct regret_pool *pool = NULL;
    cr_assert_eq(import(report, table, map, options), 0, "%s", regret_error_message());
    cr_assert_eq(report->rows, report->bad + report->repeated + report->outputs);
    cr_assert_eq(regret_pool_read(&pool, sample_path("p")), 0, "%s", regret_error_message());
    return pool;
}

/* The whole header in one field is a table separated otherwise. */
Test(import_table, another_separator_is_named)
{
    cr_assert_eq(import(NULL, "n;doc;article\n1;2;3\n", PLAIN_MAP, NULL), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "--separator ';'"), "%s",
                       regret_error_message());
    cr_assert_eq(import(NULL, "n\tdoc\tarticle\n1\t2\t3\n", PLAIN_MAP, NULL), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "--separator tab"), "%s",
                       regret_error_message());
}

Test(import_table, csv)
{
    struct regret_table_report r;
    struct regret_pool *pool = imported(&r, CSV, MAP, NULL);
    cr_assert(r.rows == 3 && r.contexts == 2 && r.agents == 2 && r.pairs == 3 && r.empty == 1);
    cr_assert(pool->synthetic == 1 && strcmp(pool->name, "mine") == 0);
    cr_assert_str_eq(pool->title, "mine");
    cr_assert_str_eq(pool->source, "t");
    cr_assert_str_eq(pool->contexts[0].id, "d-2"); /* first appearance */
    cr_assert_str_eq(pool->contexts[0].text, "two\nlines");
    cr_assert_str_eq(pool->agents[0].id, "m-9"); /* natural order */
    cr_assert_str_eq(pool->agents[1].title, "Ten");
    cr_assert(pool->agents[0].cost == 2.5 && pool->agents[1].cost == 4.0);
    const struct regret_output *o = pool->outputs; /* d-2 by m-9 */
    cr_assert(o[0].text[0] == '\0' && o[0].values[0] == 1.5 && o[0].values[1] == 1.0 &&
              o[0].values[2] == -1.0);
    cr_assert_str_eq(o[1].text, "said \"so\"");
    cr_assert(o[2].context == 1 && o[2].values[0] == 2.0 && o[2].values[2] == 10.0);
    cr_assert_eq(pool->n_segments, 1);
    regret_pool_free(pool);
}

Test(import_table, jsonl_with_contexts_apart)
{
    static const char map[] =
        HEAD "\"title\": \"T\", \"version\": \"3\", \"licence\": \"L\", \"source\": \"S\", "
             "\"columns\": {" COLUMNS "}, \"contexts\": {\"context\": \"id\", \"text\": \"a.b\"}, "
             "\"segments\": [{\"name\": \"all\", \"weights\": {\"good\": 1}}], " COMPONENTS "}";
    static const char contexts[] = "{\"id\": 7, \"a\": {\"b\": \"seven\"}}\n\n"
                                   "{\"id\": \"unused\", \"a.b\": \"x\"}\n"
                                   "{\"id\": 12345678901234567, \"a.b\": \"long\"}\n";
    static const char table[] =
        "{\"doc\": 12345678901234567, \"model\": \"a\", \"out\": \"\\u00e9\", \"s\": [1]}\n"
        "{\"doc\": 7, \"model\": \"a\", \"out\": null, \"s\": [\"4.5\"], \"x\": {}}\n"
        "{\"doc\": 7, \"model\": true, \"s\": [true]}\n";
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    struct regret_table_report r;
    options.layout = REGRET_TABLE_LAYOUT_JSONL;
    options.contexts_path = import_file("contexts.jsonl", contexts);
    struct regret_pool *pool = imported(&r, table, map, &options);
    cr_assert(r.contexts == 2 && r.agents == 2 && r.outputs == 3 && r.empty == 2);
    cr_assert_str_eq(pool->contexts[0].id, "7"); /* the order of the file of contexts */
    cr_assert_str_eq(pool->contexts[0].text, "seven");
    cr_assert_str_eq(pool->contexts[1].text, "long");
    cr_assert_str_eq(pool->agents[1].id, "true");
    cr_assert(pool->outputs[0].values[0] == 4.5 && pool->agents[0].cost == 1.0);
    cr_assert_str_eq(pool->outputs[2].text, "\xc3\xa9");
    cr_assert_str_eq(pool->title, "T");
    cr_assert_str_eq(pool->segments[0].name, "all");
    regret_pool_free(pool);
}

/* a:0 a:1 b:0 a:2, with scores 1 to 4. */
Test(import_table, repeats)
{
    static const char table[] = "doc,article,model,out,s.0\nd,t,a,0,1\nd,t,a,1,2\nd,t,b,0,3\n"
                                "d,t,a,2,4\n";
    static const struct {
        enum regret_repeats rule;
        size_t outputs;
        const char *text; /* of a's first */
        double score;
    } cases[] = {{REGRET_REPEATS_FIRST, 2, "0", 1.0},
                 {REGRET_REPEATS_LAST, 2, "2", 4.0},
                 {REGRET_REPEATS_DRAWS, 4, "0", 1.0}};
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    struct regret_table_report r;
    for (size_t i = 0; i < 3; i++) {
        options.repeats = cases[i].rule;
        struct regret_pool *pool = imported(&r, table, PLAIN_MAP, &options);
        cr_assert(r.outputs == cases[i].outputs && r.repeated == 4 - cases[i].outputs);
        cr_assert_eq(r.pairs, 2);
        cr_assert_str_eq(pool->outputs[0].text, cases[i].text);
        cr_assert_eq(pool->outputs[0].values[0], cases[i].score);
        cr_assert(r.outputs == 2 || (pool->outputs[2].draw == 2 && pool->outputs[3].draw == 0));
        regret_pool_free(pool);
    }
    options.repeats = REGRET_REPEATS_REFUSE;
    cr_assert_eq(import(&r, table, PLAIN_MAP, &options), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "t:3: agent \"a\" has an output for context "
                                                      "\"d\" before, on line 2"),
                       "%s", regret_error_message());
}

static void refused(const char *table, const char *map, enum regret_table_layout layout,
                    const char *message)
{
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    options.layout = layout;
    regret_folder_remove(sample_path("p"));
    cr_assert_eq(import(NULL, table, map, &options), REGRET_E_INPUT, "%s", message);
    cr_assert_not_null(strstr(regret_error_message(), message), "\"%s\" lacks \"%s\"",
                       regret_error_message(), message);
    cr_assert(!regret_file_exists(sample_path("p")));
}

Test(import_table, bad_rows)
{
    static const struct {
        const char *row, *message;
    } cases[] = {
        {"d,t,a,x,6\n", "t:2: \"s.0\" is 6; the map says 1 to 5"},
        {"d,t,a,x,\n", "\"s.0\" is empty; it must be a number; --drop-unscored leaves out"},
        {"d,t,a,x,nan\n", "\"s.0\" is \"nan\""},
        {"d,t,a,x,1e999\n", "it must be a finite number"},
        {"d,t,a,x,0x2\n", "\"0x2\""},
        {"d,t,a,x,2 3\n", "\"2 3\""},
        {"d,t,a,x\n", "4 fields where the header has 5"},
        {"d,t,a,\"x,2\n", "t:2: "},
        {",t,a,x,2\n", "the context is empty"},
        {"d,t,,x,2\n", "the agent is empty"},
        {"d,t,a,\xff,2\n", "is not UTF-8 at its byte 1"},
        {"d,t,a,x,2\nd,u,b,x,2\n", "the text of \"d\" is another one than on line 2"},
        {"", "none of its 0 rows is of use"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char table[200] = "doc,article,model,out,s.0\n";
        strcat(table, cases[i].row);
        refused(table, PLAIN_MAP, REGRET_TABLE_LAYOUT_CSV, cases[i].message);
    }
    refused("", PLAIN_MAP, REGRET_TABLE_LAYOUT_CSV, "is empty");
    refused("doc,article,modell,out,s.0\n", PLAIN_MAP, REGRET_TABLE_LAYOUT_CSV,
            "no column \"model\"; did you mean \"modell\"?");
    refused("doc,article,model,out,s.0,doc\n", PLAIN_MAP, REGRET_TABLE_LAYOUT_CSV, "given twice");
    refused("[]\n", PLAIN_MAP, REGRET_TABLE_LAYOUT_JSONL, "none of its 0 rows is of use");
    refused("[\n{\"s\": [1]}\n]\n", PLAIN_MAP, REGRET_TABLE_LAYOUT_JSONL,
            "t:2: record 0 (from 0): \"doc\" is absent");
    refused("[\n[1]]", PLAIN_MAP, REGRET_TABLE_LAYOUT_JSONL,
            "t:2: record 0 (from 0): must be an object in braces");
    refused("[{\"s\": [1]}", PLAIN_MAP, REGRET_TABLE_LAYOUT_JSONL, "\"doc\" is absent");
    refused("{\"doc\": 1, \"model\": 1, \"s\": [NaN], \"x\": \"\\u0000\"}\n", PLAIN_MAP,
            REGRET_TABLE_LAYOUT_JSONL,
            "\"s.0\" is null; it must be a number; --drop-unscored leaves out");
    refused("{\"s\": [1]}\n", PLAIN_MAP, REGRET_TABLE_LAYOUT_JSONL, "\"doc\" is absent");
    refused("{\"doc\": 1, \"model\": 1, \"s\": {}}\n", PLAIN_MAP, REGRET_TABLE_LAYOUT_JSONL,
            "\"s.0\" is absent");
    refused("{\"doc\": 1, \"model\": 1, \"s\": [[[1]]]}\n", PLAIN_MAP, REGRET_TABLE_LAYOUT_JSONL,
            "\"s.0\" holds a list or an object");
    refused("{\"doc\": 1, \"model\": 1, \"s\": [{}]}\n", PLAIN_MAP, REGRET_TABLE_LAYOUT_JSONL,
            "\"s.0\" is a list or an object; it must be a number");
    refused("doc,article,model,called,price,out,s.0,claims,n\nd,t,m,c,-1,o,2,3,4\n", MAP,
            REGRET_TABLE_LAYOUT_CSV, "t:2: \"price\" is -1; a cost must not be negative");
    refused("doc,article,model,called,price,out,s.0,claims,n\nd,t,m,c,1e300,o,2,3,4\n", MAP,
            REGRET_TABLE_LAYOUT_CSV, "t:2: \"price\" is 1e+300; a cost must be at most 1e+100");
    refused("doc,article,model,called,price,out,s.0,claims,n\nd,t,m,c,1,o,2,3,4\n"
            "d,t,k,c,,o,2,3,4\n",
            MAP, REGRET_TABLE_LAYOUT_CSV,
            "agent \"k\" has no \"price\" in any row, and others have; fill it in");
    refused("doc,article,model,called,price,out,s.0,claims,n\nd,t,m,c,1,o,2,-3,4\n", MAP,
            REGRET_TABLE_LAYOUT_CSV, "a count must not be negative");
    refused("doc,article,model,called,price,out,s.0,claims,n\nd,t,m,c,1,o,2,1.5,4\n", MAP,
            REGRET_TABLE_LAYOUT_CSV, "t:2: count \"claims\" is 1.5; it must be a whole number");
}

static void count_note(void *context, const char *message)
{
    size_t *n = context;
    cr_assert_not_null(strstr(message, "t:"));
    ++*n;
}

Test(import_table, bad_rows_left_out)
{
    static const char table[] = "doc,article,model,out,s.0\nd,t,a,x,9\nd,t,a,x,2\n\"d\"q,t,b,x,1\n"
                                "d,t,b\nd,other,c,x,3\ne,t,b,x,3\n";
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    struct regret_table_report r;
    size_t notes = 0;
    options.skip_bad = 1;
    options.note = count_note;
    options.note_context = &notes;
    struct regret_pool *pool = imported(&r, table, PLAIN_MAP, &options);
    cr_assert(r.bad == 4 && notes == 4 && r.outputs == 2 && r.contexts == 2 && r.agents == 2);
    regret_pool_free(pool);
    /* The agent of a row that turns out bad in the end is no agent of the pool. */
    pool = imported(&r,
                    "doc,article,model,called,price,out,s.0,claims,n\nd,t,m,c,-1,o,2,3,4\n"
                    "e,t,k,c,1,o,2,3,4\n",
                    MAP, &options);
    cr_assert(r.bad == 1 && pool->n_agents == 1 && pool->n_contexts == 1);
    cr_assert_eq(pool->agents[0].cost, 1.0);
    regret_pool_free(pool);
}

/* JSONL and an array differ in what stands between the objects alone. */
Test(import_table, bad_objects_left_out)
{
#define ROW(context, agent, score)                                                                 \
    "{\"doc\": \"" context "\", \"article\": \"t\", \"model\": \"" agent                           \
    "\", \"out\": \"x\", \"s\": [" score "]}"
    static const char *const tables[] = {
        ROW("d", "a", "9") "\n" ROW("d", "a", "2") "\n[3]\n" ROW("e", "b", "1,") "\n" ROW("e", "b",
                                                                                          "3"),
        " [" ROW("d", "a", "9") ",\n\n" ROW("d", "a", "2") ", [3]," ROW("e", "b", "1,") "\n," ROW(
            "e", "b", "3") "]\n"};
#undef ROW
    for (size_t i = 0; i < 2; i++) {
        struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
        struct regret_table_report r;
        size_t notes = 0;
        options.layout = REGRET_TABLE_LAYOUT_JSONL;
        options.skip_bad = 1;
        options.note = count_note;
        options.note_context = &notes;
        struct regret_pool *pool = imported(&r, tables[i], PLAIN_MAP, &options);
        cr_assert(r.bad == 3 && notes == 3 && r.rows == 5, "%zu of %zu", r.bad, r.rows);
        cr_assert(r.outputs == 2 && r.contexts == 2 && r.agents == 2);
        regret_pool_free(pool);
    }
}

Test(import_table, bad_maps)
{
    static const struct {
        const char *map, *message;
    } cases[] = {
        {"[]", "must be one object"},
        {"{", "malformed JSON"},
        {HEAD "\"colums\": {}}", "did you mean \"columns\"?"},
        {HEAD COMPONENTS "}", "\"columns\" must be an object, but is absent"},
        {HEAD "\"columns\": {" COLUMNS "}, " COMPONENTS "}", "\"text\" must be a string"},
        {HEAD "\"columns\": {" COLUMNS ", \"text\": \"\"}, " COMPONENTS "}", "must have 1 to 500"},
        {HEAD "\"columns\": {" COLUMNS ", \"text\": \"t\"}, \"components\": []}",
         "\"components\" is empty"},
        {HEAD "\"columns\": {" COLUMNS ", \"text\": \"t\"}, \"components\": [\"x\"]}",
         "a component must be an object"},
        {HEAD "\"columns\": {" COLUMNS
              ", \"text\": \"t\"}, \"components\": [{\"name\": \"x\", \"low\": 1}]}",
         "\"high\""},
        {HEAD "\"columns\": {" COLUMNS ", \"text\": \"t\"}, \"aux\": [7], " COMPONENTS "}",
         "are names or objects"},
        {HEAD "\"columns\": {" COLUMNS ", \"text\": \"t\"}, \"contexts\": {}, " COMPONENTS "}",
         "name it with --contexts"},
        {"{\"name\": \"m\", \"columns\": {" COLUMNS ", \"text\": \"t\"}, " COMPONENTS "}",
         "\"synthetic\" must be true"},
        {"{\"synthetic\": true, \"columns\": {" COLUMNS ", \"text\": \"t\"}, " COMPONENTS "}",
         "\"name\" must be a string"},
        {HEAD "\"columns\": {" COLUMNS
              ", \"text\": \"t\"}, \"coding\": {\"success\": \"s\"}, " COMPONENTS "}",
         "\"coding\" makes the \"components\"; leave one of the two out"},
        {HEAD "\"columns\": {" COLUMNS ", \"text\": \"t\"}, \"coding\": {}}",
         "\"success\" must be a string"},
        {HEAD "\"columns\": {" COLUMNS ", \"text\": \"t\"}, \"coding\": \"s\"}",
         "\"coding\" must be an object"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        refused(CSV, cases[i].map, REGRET_TABLE_LAYOUT_CSV, cases[i].message);
    }
}

/* A map of patches makes the outputs that the importer of SWE-bench makes of the same rows. */
Test(import_table, patches_by_a_map)
{
    static const char map[] =
        HEAD "\"columns\": {\"context\": \"instance_id\", \"agent\": \"agent\", \"output\": "
             "\"patch\", \"text\": \"issue\"}, \"coding\": {\"success\": \"resolved\"}}";
    static const char table[] = "instance_id,agent,patch,resolved,issue\n"
                                "q-1,b,\"--- a/old.py\n+++ b/old.py\n@@ -1 +1,2 @@\n-old name\n"
                                "+new\n+name\n\",True,old name of a file\n"
                                "q-2,a,# no patch,False,another\nq-1,a,,1,old name of a file\n";
    static const char issues[] =
        "{\"instance_id\": \"q-1\", \"problem_statement\": \"old name of a file\"}\n"
        "{\"instance_id\": \"q-2\", \"problem_statement\": \"another\"}\n";
    struct regret_table_report r;
    struct regret_pool *other = NULL, *pool = imported(&r, table, map, NULL);
    cr_assert(r.outputs == 3 && r.without_diff == 1 && r.empty == 1);
    cr_assert_eq(regret_import_swebench(NULL, sample_path("t"), import_file("i.jsonl", issues),
                                        sample_path("q"), NULL, 1),
                 0, "%s", regret_error_message());
    cr_assert_eq(regret_pool_read(&other, sample_path("q")), 0);
    cr_assert(pool->n_outputs == other->n_outputs && pool->n_components == other->n_components);
    cr_assert(pool->n_aux == other->n_aux && pool->n_segments == other->n_segments);
    for (size_t i = 0; i < pool->n_outputs; i++) {
        cr_expect_arr_eq(pool->outputs[i].values, other->outputs[i].values,
                         (pool->n_components + pool->n_aux) * sizeof(double), "output %zu", i);
    }
    for (size_t a = 0; a < pool->n_agents; a++) {
        cr_expect_eq(pool->agents[a].cost, other->agents[a].cost);
    }
    regret_pool_free(other);
    regret_pool_free(pool);
    refused("instance_id,agent,patch,resolved,issue\nq,b,,0.5,t\n", map, REGRET_TABLE_LAYOUT_CSV,
            "\"resolved\" is 0.5; the success of a patch is true or false");
}

Test(import_table, contexts_that_are_not_there)
{
    static const char map[] =
        HEAD "\"columns\": {" COLUMNS "}, \"contexts\": {\"text\": \"article\"}, " COMPONENTS "}";
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    options.contexts_path = import_file("contexts.csv", "doc,article\nd,t\nd,t\n");
    cr_assert_eq(import(NULL, "doc,model,out,s.0\ne,a,x,2\n", map, &options), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "context \"e\" is not in the file"), "%s",
                       regret_error_message());
    options.contexts_path = import_file("contexts.csv", "doc,article\nd,t\n");
    cr_assert_eq(import(NULL, "doc,model,out,s.0\nd,a,x,2\n", PLAIN_MAP, &options), 0, "%s",
                 regret_error_message());
    options.contexts_path = import_file("contexts.csv", "doc,article\nd,t\nd,u\n");
    cr_assert_eq(import(NULL, "doc,model,out,s.0\nd,a,x,2\n", map, &options), REGRET_E_INPUT);
}

/* Tags of contexts, in the table or in a file of contexts. */
Test(import_table, tags)
{
    static const char map[] = HEAD "\"columns\": {" COLUMNS
                                   ", \"text\": \"article\", \"tag\": \"kind\"}, " COMPONENTS "}";
    static const char apart[] = HEAD
        "\"columns\": {" COLUMNS
        "}, \"contexts\": {\"context\": \"id\", \"text\": \"t\", \"tag\": \"k\"}, " COMPONENTS "}";
    static const char csv[] = "doc,model,out,article,s.0,kind\n"
                              "1,a,x,one,2,long read\n1,b,x,one,2,\n2,a,x,two,2,\n";
    struct regret_table_report r;
    struct regret_table_options o = REGRET_TABLE_OPTIONS_INIT;
    struct regret_pool *pool = imported(&r, csv, map, NULL);
    cr_assert_str_eq(pool->contexts[0].tag, "long read");
    cr_assert_null(pool->contexts[1].tag);
    regret_pool_free(pool);
    cr_assert_eq(
        import(&r, "doc,model,out,article,s.0,kind\n1,a,x,one,2,p\n1,b,x,one,2,q\n", map, NULL),
        REGRET_E_INPUT);
    cr_assert_not_null(
        strstr(regret_error_message(), "the tag of \"1\" is another one than on line 2"), "%s",
        regret_error_message());
    sample_write("c", "id,t,k\n1,one,p\n2,two,\n");
    char contexts[300];
    snprintf(contexts, sizeof contexts, "%s", sample_path("c"));
    o.contexts_path = contexts;
    pool = imported(&r, "doc,model,out,s.0\n2,a,x,2\n1,a,x,2\n", apart, &o);
    cr_assert_str_eq(pool->contexts[0].tag, "p");
    cr_assert_null(pool->contexts[1].tag);
    regret_pool_free(pool);
}

/* Texts beyond some megabytes are not in memory: without a folder for their file that is said, with one the pool is whole. */
Test(import_table, many_texts_stand_in_a_file)
{
    enum { ROWS = 40, LONG = 500000 };
    char *table = malloc((size_t)ROWS * (LONG + 64)), *at = table;
    struct regret_table_report report;
    cr_assert_not_null(table);
    at += sprintf(at, "doc,model,out,article,s.0\n");
    for (int i = 0; i < ROWS; i++) {
        at += sprintf(at, "d%d,m%d,", i / 2, i % 2);
        memset(at, 'a' + i % 26, LONG);
        at += LONG;
        at += sprintf(at, "%d,x,%d\n", i, 1 + i % 5);
    }
    cr_assert_eq(setenv("TMPDIR", "/nowhere", 1), 0);
    cr_assert_eq(import(NULL, table, PLAIN_MAP, NULL), REGRET_E_IO);
    cr_assert_not_null(strstr(regret_error_message(), "set TMPDIR"), "%s", regret_error_message());
    cr_assert_eq(setenv("TMPDIR", "/tmp", 1), 0);
    struct regret_pool *pool = imported(&report, table, PLAIN_MAP, NULL);
    cr_assert_eq(pool->n_outputs, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        const char *text = pool->outputs[i].text;
        cr_assert_eq(strspn(text, (char[]){(char)('a' + i % 26), '\0'}), LONG);
        cr_assert_eq(strtoul(text + LONG, NULL, 10), i);
    }
    regret_pool_free(pool);
    free(table);
}
