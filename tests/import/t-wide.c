/* Wide tables: a row a context, columns of every agent. A wide table makes the pool of the long one that says the
 * same. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "import/importer.h"
#include "pool/sample.h"
#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/status.h"

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
            "t:1: more than 4096 agents with 4 fields each");
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
