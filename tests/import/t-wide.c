/* Wide tables: a row a context, columns of every agent. A wide table makes the pool of the long one that says the
 * same. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "pool/sample.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/import.h"
#include "regret/pool.h"

TestSuite(import_wide, .fini = sample_cleanup);

#define HEAD "{\"name\": \"mine\", \"synthetic\": true, "
#define COLUMNS "\"columns\": {\"context\": \"id\", \"text\": \"prompt\", \"tag\": \"kind\""
#define OUTPUTS ", \"output\": \"{agent}|out\", \"cost\": \"{agent}|cost\"}, "
#define SCORE(from)                                                                                \
    "\"components\": [{\"name\": \"good\", \"from\": \"" from "\", \"low\": 0, \"high\": 1}]"
#define WIDE_MAP HEAD "\"agents\": \"{agent}|cost\", " COLUMNS OUTPUTS SCORE("{agent}") "}"
#define LONG_MAP                                                                                   \
    HEAD COLUMNS                                                                                   \
        ", \"agent\": \"agent\", \"output\": \"out\", \"cost\": \"cost\"}, " SCORE("score") "}"

static const char LONG[] = "id,prompt,kind,agent,score,out,cost\n"
                           "1,one,k,\"a,\"\"b\",.5,ab1,1\n"
                           "1,one,k,m|x,1,mx1,2\n"
                           "2,two,,m|x,0,,3\n"
                           "2,two,,é.10,1,e2,4\n";

static const char WIDE[] =
    "m|x|cost,id,\"a,\"\"b\",\"a,\"\"b|out\",prompt,kind,m|x,m|x|out,\"a,\"\"b|cost\",é.10|out,"
    "é.10,é.10|cost\n"
    "2,1,.5,ab1,one,k,1,mx1,1,,,\n"
    "3,2,,,two,,0,, ,e2,1,4\n";

static const char WIDE_JSON[] =
    "{\"id\": 1, \"prompt\": \"one\", \"kind\": \"k\", \"s\": {\"a,\\\"b\": 0.5, \"m|x\": 1}, "
    "\"o\": {\"a,\\\"b\": {\"t\": \"ab1\", \"c\": 1}, \"m|x\": {\"t\": \"mx1\", \"c\": 2}}}\n"
    "{\"id\": 2, \"prompt\": \"two\", \"s\": {\"é.10\": true, \"m|x\": 0, \"a,\\\"b\": null}, "
    "\"o\": {\"m|x\": {\"t\": \"\", \"c\": 3}, \"é.10\": {\"t\": \"e2\", \"c\": 4}}}\n";

static int import(struct regret_table_report *report, const char *pool, const char *table,
                  const char *map, enum regret_table_layout layout, int skip_bad)
{
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    options.layout = layout;
    options.skip_bad = skip_bad;
    sample_write("t", table);
    sample_write("map.json", map);
    return regret_import_table(report, sample_path("t"), sample_path("map.json"), sample_path(pool),
                               &options, 1);
}

static void same_file(const char *a, const char *b)
{
    char *text[2] = {NULL, NULL};
    size_t length[2];
    cr_assert_eq(regret_file_read(&text[0], &length[0], sample_path(a), 1 << 20), 0);
    cr_assert_eq(regret_file_read(&text[1], &length[1], sample_path(b), 1 << 20), 0);
    cr_expect_str_eq(text[0], text[1]);
    regret_free(text[0]);
    regret_free(text[1]);
}

/* But for the files that they are of. */
static void same_pools(void)
{
    regret_pool_free(sample_without_history("long"));
    regret_pool_free(sample_without_history("wide"));
    same_file("long/pool.json", "wide/pool.json");
    same_file("long/contexts.jsonl", "wide/contexts.jsonl");
    same_file("long/outputs.jsonl", "wide/outputs.jsonl");
}

static void imports(const char *table, const char *map, enum regret_table_layout layout)
{
    struct regret_table_report r;
    cr_assert_eq(import(&r, "wide", table, map, layout, 0), 0, "%s", regret_error_message());
    cr_assert(r.rows == 4 && r.outputs == 4 && r.blank == 2 && r.empty == 1 && r.pairs == 4,
              "%zu %zu %zu", r.rows, r.outputs, r.blank);
    same_pools();
}

Test(import_wide, is_the_long_table)
{
    cr_assert_eq(import(NULL, "long", LONG, LONG_MAP, REGRET_TABLE_LAYOUT_CSV, 0), 0, "%s",
                 regret_error_message());
    imports(WIDE, WIDE_MAP, REGRET_TABLE_LAYOUT_CSV);
    /* The agents listed; all columns that have no other use; JSONL by a pattern that leads into objects. */
    imports(WIDE,
            HEAD
            "\"agents\": [\"é.10\", \"m|x\", \"a,\\\"b\"], " COLUMNS OUTPUTS SCORE("{agent}") "}",
            REGRET_TABLE_LAYOUT_CSV);
    imports(WIDE, HEAD "\"agents\": \"{agent}\", " COLUMNS OUTPUTS SCORE("{agent}") "}",
            REGRET_TABLE_LAYOUT_CSV);
    imports(WIDE_JSON,
            HEAD
            "\"agents\": \"s.{agent}\", " COLUMNS
            ", \"output\": \"o.{agent}.t\", \"cost\": \"o.{agent}.c\"}, " SCORE("s.{agent}") "}",
            REGRET_TABLE_LAYOUT_JSONL);
    imports(WIDE_JSON,
            HEAD
            "\"agents\": \"o.{agent}.t\", " COLUMNS
            ", \"output\": \"o.{agent}.t\", \"cost\": \"o.{agent}.c\"}, " SCORE("s.{agent}") "}",
            REGRET_TABLE_LAYOUT_JSONL);
}

#define SCORES_MAP HEAD "\"agents\": \"{agent}_score\", " COLUMNS "}, " SCORE("{agent}_score") "}"

Test(import_wide, without_outputs_the_names_stand_in)
{
    static const char table[] = "id,prompt,kind,a_score,b_score\n1,one,,0,1\n2,two,,1,.25\n";
    struct regret_table_report r;
    struct regret_pool *pool = NULL;
    cr_assert_eq(import(&r, "wide", table, SCORES_MAP, REGRET_TABLE_LAYOUT_CSV, 0), 0, "%s",
                 regret_error_message());
    cr_assert_eq(regret_pool_read(&pool, sample_path("wide")), 0);
    cr_assert_eq(pool->n_outputs, 4);
    cr_assert_str_eq(pool->agents[1].id, "b");
    cr_assert_str_eq(pool->outputs[3].text, "b");
    cr_assert_eq(pool->outputs[3].values[0], .25);
    regret_pool_free(pool);
}

/* One agent's bad cell leaves the others of its row alone; a row that breaks CSV is one bad row. */
Test(import_wide, bad_cells)
{
    static const char table[] = "id,prompt,kind,a_score,b_score\n1,one,,7,1\n2,two,,1\n"
                                "3,three,,x,\n4,four,,1,1\n";
    struct regret_table_report r;
    cr_assert_eq(import(&r, "wide", table, SCORES_MAP, REGRET_TABLE_LAYOUT_CSV, 0), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "t:2: \"a_score\" is 7; the map says 0 to 1"),
                       "%s", regret_error_message());
    cr_assert_eq(import(&r, "wide", table, SCORES_MAP, REGRET_TABLE_LAYOUT_CSV, 1), 0, "%s",
                 regret_error_message());
    cr_assert(r.rows == 6 && r.bad == 3 && r.outputs == 3 && r.blank == 1 && r.contexts == 2);
    /* Part of an agent's cells is no absence. */
    cr_assert_eq(import(&r, "wide", "id,prompt,kind,a,a|out,a|cost\n1,one,,,text,1\n", WIDE_MAP,
                        REGRET_TABLE_LAYOUT_CSV, 0),
                 REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "t:2: \"a\" is empty; it must be a number"),
                       "%s", regret_error_message());
}

/* What R, pandas and json.dumps write for a number that is missing: the agent has no output there. */
Test(import_wide, numbers_that_are_missing)
{
    static const char table[] = "id,prompt,kind,a_score,b_score\n1,one,,NA,1\n2,two,, nan ,0\n"
                                "3,three,,None,#N/A\n4,four,,1,<NA>\n5,five,,0,null\n";
    static const char records[] =
        "{\"id\": 1, \"prompt\": \"one\", \"kind\": \"\", \"a_score\": NaN, \"b_score\": 1}\n"
        "{\"id\": 2, \"prompt\": \"two\", \"kind\": \"\", \"a_score\": \"NA\", \"b_score\": 0}\n"
        "{\"id\": 3, \"prompt\": \"two\", \"kind\": \"\", \"a_score\": 0.5, \"b_score\": null}\n";
    struct regret_table_report r;
    cr_assert_eq(import(&r, "wide", table, SCORES_MAP, REGRET_TABLE_LAYOUT_CSV, 0), 0, "%s",
                 regret_error_message());
    cr_assert(r.rows == 4 && r.bad == 0 && r.outputs == 4 && r.blank == 6 && r.contexts == 4);
    cr_assert_eq(import(&r, "lines", records, SCORES_MAP, REGRET_TABLE_LAYOUT_JSONL, 0), 0, "%s",
                 regret_error_message());
    cr_assert(r.bad == 0 && r.outputs == 3 && r.blank == 3);
    /* A text that says so is a text; a row of a long table is not left out unasked. */
    cr_assert_eq(import(&r, "wide2", "id,prompt,kind,a,a|out,a|cost\n1,one,,NA,None,NA\n", WIDE_MAP,
                        REGRET_TABLE_LAYOUT_CSV, 0),
                 REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "t:2: \"a\" is \"NA\""), "%s",
                       regret_error_message());
}

static void refused(const char *table, const char *map, enum regret_table_layout layout,
                    const char *message)
{
    for (int skip_bad = 0; skip_bad < 2; skip_bad++) {
        cr_assert_eq(import(NULL, "p", table, map, layout, skip_bad), REGRET_E_INPUT, "%s",
                     message);
        cr_assert_not_null(strstr(regret_error_message(), message), "\"%s\" lacks \"%s\"",
                           regret_error_message(), message);
    }
}

Test(import_wide, columns_that_are_not_there)
{
    static const struct {
        const char *table, *message;
    } cases[] = {
        {"id,prompt,kind,a_scores,b_scores,n\n1,one,,0,1,2\n",
         "t:1: no column is one of \"{agent}_score\"; there are a_scores, b_scores; correct"},
        {"id,prompt,kind,n\n1,one,,2\n", "there are id, prompt, kind, n; correct"},
        {"id,prompt,kind,a_score,a_score\n1,one,,2,2\n", "column \"a_score\" is given twice"},
        {"id,promt,kind,a_score\n1,one,,2\n", "did you mean \"promt\"?"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        refused(cases[i].table, SCORES_MAP, REGRET_TABLE_LAYOUT_CSV, cases[i].message);
    }
    refused("id,prompt,kind,a|cost,a|out,b\n", WIDE_MAP, REGRET_TABLE_LAYOUT_CSV,
            "no column \"a\"; ");
    refused("id,prompt,kind,\xff_score\n1,2,3,4\n", SCORES_MAP, REGRET_TABLE_LAYOUT_CSV,
            "the name of an agent is not UTF-8");
    refused("{\"id\": 1, \"prompt\": \"x\", \"a_scores\": 1}\n", SCORES_MAP,
            REGRET_TABLE_LAYOUT_JSONL,
            "no column is one of \"{agent}_score\"; there are id, prompt, a_scores");
}

Test(import_wide, bad_maps)
{
    static const struct {
        const char *agents, *columns, *from, *message;
    } cases[] = {{"[]", "}", "{agent}", "\"agents\" has 0 entries; from 1 to 4096"},
                 {"[1]", "}", "{agent}", "a list of names"},
                 {"[\"a\", \"b\", \"a\"]", "}", "{agent}", "names \"a\" twice"},
                 {"[\"\"]", "}", "{agent}", "must have 1 to 500 bytes"},
                 {"\"a\"", "}", "{agent}", "with one {agent} in it"},
                 {"\"{agent}{agent}\"", "}", "{agent}", "with one {agent} in it"},
                 {"7", "}", "{agent}", "must be a list of names"},
                 {"[\"a\"]", ", \"agent\": \"m\"}", "{agent}", "leave one of the two out"},
                 {"[\"a\"]", ", \"output\": \"{agent}{agent}\"}", "{agent}", "holds {agent} twice"},
                 {"[\"a\"]", "}", "score", "no score holds {agent}"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char map[600];
        snprintf(map, sizeof map,
                 HEAD "\"agents\": %s, " COLUMNS "%s, \"components\": [{\"name\": \"good\", "
                      "\"from\": \"%s\", \"low\": 0, \"high\": 1}]}",
                 cases[i].agents, cases[i].columns, cases[i].from);
        refused(WIDE, map, REGRET_TABLE_LAYOUT_CSV, cases[i].message);
    }
    refused(
        WIDE,
        HEAD
        "\"agents\": [\"a\"], \"columns\": {\"context\": \"id\", \"text\": \"{agent}\"}, " SCORE(
            "{agent}") "}",
        REGRET_TABLE_LAYOUT_CSV, "but it is the text of a context");
    refused(WIDE, HEAD "\"agents\": [\"a\"], " COLUMNS "}, \"coding\": {\"success\": \"{agent}\"}}",
            REGRET_TABLE_LAYOUT_CSV, "say which columns hold the patches");
}

/* What a stranger's table may ask for is bounded: agents × fields, and the names of columns. */
Test(import_wide, sizes_are_bounded)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_append(&text, "id,prompt,kind");
    for (size_t a = 0; a <= REGRET_POOL_MAX_AGENTS; a++) {
        regret_buffer_printf(&text, ",%zu_score", a);
    }
    regret_buffer_append(&text, "\n");
    refused(regret_buffer_get(&text), SCORES_MAP, REGRET_TABLE_LAYOUT_CSV,
            "t:1: more than 4096 agents with 17 fields each");
    regret_buffer_free(&text);
    regret_buffer_append(&text, "id,prompt,kind,");
    for (size_t i = 0; i < 501; i++) {
        regret_buffer_append(&text, "x");
    }
    regret_buffer_append(&text, "_score\n");
    refused(regret_buffer_get(&text), SCORES_MAP, REGRET_TABLE_LAYOUT_CSV,
            "names an agent by 501 bytes");
    regret_buffer_free(&text);
    regret_buffer_append(&text, "{\"id\": 1, \"prompt\": \"x\", \"");
    for (size_t i = 0; i < 490; i++) {
        regret_buffer_append(&text, "x");
    }
    regret_buffer_append(&text, "_score\": 1}\n");
    sample_write("map.json", SCORES_MAP);
    cr_assert_eq(
        import(NULL, "p", regret_buffer_get(&text), WIDE_MAP, REGRET_TABLE_LAYOUT_JSONL, 0),
        REGRET_E_INPUT);
    regret_buffer_free(&text);
}

/* A pool in memory alone is the one that would be written. */
Test(import_wide, into_memory)
{
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    struct regret_pool *pool = NULL;
    struct regret_table_report r;
    sample_write("t", WIDE);
    sample_write("map.json", WIDE_MAP);
    options.into = &pool;
    cr_assert_eq(
        regret_import_table(&r, sample_path("t"), sample_path("map.json"), NULL, &options, 0), 0,
        "%s", regret_error_message());
    cr_assert(pool->n_outputs == 4 && r.outputs == 4 && r.contexts == 2 && r.pairs == 4);
    cr_assert_eq(regret_pool_write(pool, sample_path("wide"), "", 1), 0);
    regret_pool_free(pool);
    cr_assert_eq(import(NULL, "long", LONG, LONG_MAP, REGRET_TABLE_LAYOUT_CSV, 0), 0);
    same_pools();
}

/* The history names table and map, by their last parts, with their digests; the pool that is handed over has it, too. */
Test(import_wide, says_of_which_files)
{
    static const char *const NAMES[] = {"t", "map.json"};
    struct regret_pool *pool = NULL;
    char digest[33];
    cr_assert_eq(import(NULL, "p", WIDE, WIDE_MAP, REGRET_TABLE_LAYOUT_CSV, 0), 0);
    cr_assert_eq(regret_pool_read(&pool, sample_path("p")), 0, "%s", regret_error_message());
    cr_assert_eq(pool->n_history, 1);
    const struct regret_pool_step *step = &pool->history[0];
    cr_expect_str_eq(step->what, "import csv");
    cr_expect_null(step->date);
    cr_assert_eq(step->n_from, 2);
    for (size_t i = 0; i < 2; i++) {
        cr_expect_str_eq(step->from[i].name, NAMES[i]);
        cr_assert_eq(regret_digest_file(digest, sample_path(NAMES[i])), 0);
        cr_expect_str_eq(step->from[i].digest, digest);
    }
    regret_pool_free(pool);
}
