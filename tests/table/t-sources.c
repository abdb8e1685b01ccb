/* Sources: files, lists and archives as tables, each record with its place; what is malformed is told; what a script may do. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json.h"
#include "base/scratch.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "table/sql.h"

TestSuite(sources, .init = scratch_enter, .fini = scratch_leave);

static int put_row(void *context, sqlite3_stmt *row)
{
    struct regret_buffer *out = context;
    for (int i = 0; i < sqlite3_column_count(row); i++) {
        const char *text = (const char *)sqlite3_column_text(row, i);
        regret_buffer_append(out, i > 0 ? "|" : "");
        regret_buffer_append(out, text != NULL ? text : "NULL");
    }
    regret_buffer_append(out, "\n");
    return REGRET_OK;
}

struct situation {
    struct sql_source source; /* name, paths and n_paths aside */
    const char *text, *query;
    const char *rows; /* of the query; after "! " what is refused */
};

static const struct situation SITUATIONS[] = {
    /* texts and numbers as they are; keys plain; what is no JSON of SQLite's made plain */
    {{.kind = SQL_JSONL},
     "{\"id\": 18446744073709551615, \"\\u0063\": \"\\u00e9\\u0000\\ud83d\", \"x\": [2.50, NaN, "
     "-Infinity]}\n",
     "SELECT file, line, record FROM t",
     "f.jsonl|1|{\"id\":18446744073709551615,\"c\":\"\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\",\"x\":[2."
     "50,\"NaN\",-9e999]}\n"},
    /* fields are columns; what nobody wants is neither kept nor judged; hollow names at any depth */
    {{.kind = SQL_JSONL, .fields = "b, a", .without = "big"},
     "{\"a\": {\"big\": [1, 2], \"k\": \"v\"}, \"rest\": {\"not\": \"judged\" }, \"b\": "
     "null}\n\n{\"a\": 3}\n",
     "SELECT line, nr, record, a, b FROM t",
     "1|1|{\"a\":{\"big\":null,\"k\":\"v\"},\"b\":null}|{\"big\":null,\"k\":\"v\"}|null\n3|2|{"
     "\"a\":3}|3|NULL\n"},
    {{.kind = SQL_JSONL},
     "{\"a\": 1}\n{\"a\": 1, \"\\u0061\": 2}\n",
     "SELECT record FROM t",
     "! f.jsonl:2: key \"a\" is given twice"},
    {{.kind = SQL_JSONL},
     "{\"a\": 1}\n{\"a\": tru}\n",
     "SELECT record FROM t",
     "! f.jsonl:2:7: malformed JSON near \"tru}\""},
    {{.kind = SQL_JSONL},
     "{\"a\": \"\xff\"}\n",
     "SELECT record FROM t",
     "! f.jsonl:1:8: byte 8 is not valid UTF-8"},
    /* a list deep in a document, wherever it stands, and the document without it */
    {{.kind = SQL_LIST, .lists = "$.r.r|$.r"},
     "{\"v\": 1, \"r\": {\"s\": {}, \"r\": [{\"i\": 1},\n {\"i\": \"]\"}], \"t\": [3]}, \"w\": "
     "\"}\"}",
     "SELECT line, nr, record FROM t",
     "1|1|{\"i\":1}\n2|2|{\"i\":\"]\"}\n"},
    {{.kind = SQL_LIST, .lists = "$.r.r|$.r"},
     "{\"v\": 1, \"r\": {\"s\": {}, \"r\": [{\"i\": 1},\n {\"i\": \"]\"}], \"t\": [3]}, \"w\": "
     "\"}\"}",
     "SELECT file, document FROM t_head",
     "f.jsonl|{\"v\":1,\"r\":{\"s\":{},\"r\":[],\"t\":[3]},\"w\":\"}\"}\n"},
    {{.kind = SQL_LIST, .lists = "$.e.*", .fields = "key, value"},
     "{\"v.1\": {\"e\": 2}, \"e\": {\"a.b\": {\"c\": 1}, \"\\u0064\": 2.50}, \"w\": 1}",
     "SELECT key ->> '$', value FROM t",
     "a.b|{\"c\":1}\nd|2.50\n"},
    {{.kind = SQL_LIST, .lists = "$.e.*"},
     "{\"v.1\": {\"e\": 2}, \"e\": {\"a.b\": {\"c\": 1}}, \"w\": 1}",
     "SELECT document FROM t_head",
     "{\"v.1\":{\"e\":2},\"e\":{},\"w\":1}\n"},
    {{.kind = SQL_LIST, .lists = "$.e"},
     "{\"a\": 1, \"e\": [], \"a\": 2}",
     "SELECT document FROM t_head",
     "! f.jsonl: key \"a\" is given twice"},
    {{.kind = SQL_LIST, .lists = "$.r"}, "{\"r\": {\"a\": 1}}", "SELECT count(*) FROM t", "0\n"},
    {{.kind = SQL_LIST, .lists = "$.r"},
     "{\"r\": [1, 2], \"s\": 1",
     "SELECT record FROM t",
     "! f.jsonl:1:20: malformed JSON: the text ends too early: a \"{\" is not closed"},
    {{.kind = SQL_LIST, .lists = "$.r"},
     "{\"r\": [1, 2,], \"s\": 1}",
     "SELECT record FROM t",
     "! f.jsonl:1:13: malformed JSON: a value must stand here"},
    {{.kind = SQL_LIST, .lists = "$"},
     "[1] 2",
     "SELECT record FROM t",
     "! f.jsonl:1:5: malformed JSON: text after the JSON value"},
    {{.kind = SQL_ROWS},
     "[{\"a\": 1}, {\"a\": 2}]",
     "SELECT nr, record FROM t",
     "1|{\"a\":1}\n2|{\"a\":2}\n"},
    {{.kind = SQL_ROWS, .patterns = "f.csv", .fields = "b"},
     "a,b\n1,\"x, \"\"y\"\"\"\n2,\n",
     "SELECT line, record, b ->> '$' FROM t",
     "2|{\"b\":\"x, \\\"y\\\"\"}|x, \"y\"\n3|{\"b\":\"\"}|\n"},
    {{.kind = SQL_ROWS, .patterns = "f.csv"},
     "a,b\n1\n",
     "SELECT record FROM t",
     "! f.csv:2: 1 fields, but the header has 2"},
    {{.kind = SQL_ROWS, .patterns = "f.csv"},
     "a,a\n1,2\n",
     "SELECT record FROM t",
     "! f.csv:1: two columns are called \"a\""},
    {{.kind = SQL_CELLS, .patterns = "f.csv"},
     "a,b\n1,2\n",
     "SELECT line, field, name, value FROM t",
     "2|0|a|1\n2|1|b|2\n"},
    {{.kind = SQL_LINES}, "one\n\ntwo\r\n", "SELECT line, text FROM t", "1|one\n2|\n3|two\n"},
    {{.kind = SQL_JSON}, "{\"a\": [1, 2]}", "SELECT t.document FROM t, t AS u", "{\"a\":[1,2]}\n"},
};

static void answer(struct regret_buffer *out, const struct situation *s)
{
    static const char *const PATH[] = {"f.jsonl", "f.csv"};
    int is_csv = s->source.patterns != NULL;
    struct sql_source source = s->source;
    struct sql *sql = NULL;
    source.name = "t";
    source.paths = PATH + is_csv;
    source.n_paths = 1;
    scratch_put(PATH[is_csv], s->text);
    cr_assert_eq(sql_open(&sql), REGRET_OK);
    cr_assert_eq(sql_add_source(sql, &source), REGRET_OK);
    if (sql_each(sql, put_row, out, "%s", s->query) != REGRET_OK) {
        regret_buffer_clear(out);
        regret_buffer_printf(out, "! %s", regret_error_message());
    }
    sql_close(sql);
}

Test(sources, records_and_their_places)
{
    for (size_t i = 0; i < sizeof SITUATIONS / sizeof *SITUATIONS; i++) {
        struct regret_buffer out = REGRET_BUFFER_INIT;
        const struct situation *s = &SITUATIONS[i];
        answer(&out, s);
        size_t n = strlen(s->rows);
        cr_expect(strncmp(regret_buffer_get(&out), s->rows, *s->rows == '!' ? n : SIZE_MAX) == 0,
                  "%zu: %s", i, regret_buffer_get(&out));
        regret_buffer_free(&out);
    }
}

/* Patterns match the last parts of paths; a folder's files come in the order of their names. */
Test(sources, patterns)
{
    static const char *const PATH[] = {"."};
    static const char *const PATTERNS[][2] = {{"x.jsonl", "./a/b/x.jsonl\n./a/x.jsonl\n"},
                                              {"b/x.jsonl", "./a/b/x.jsonl\n"},
                                              {"a/x.jsonl", "./a/x.jsonl\n"},
                                              {"a/**/x.jsonl", "./a/b/x.jsonl\n./a/x.jsonl\n"},
                                              {"*/b/*.jsonl|y.*", "./a/b/x.jsonl\n./y.jsonl\n"},
                                              {"c/x.jsonl", ""}};
    mkdir("a", 0700);
    mkdir("a/b", 0700);
    scratch_put("a/x.jsonl", "{}\n");
    scratch_put("a/b/x.jsonl", "{}\n");
    scratch_put("y.jsonl", "{}\n");
    for (size_t i = 0; i < sizeof PATTERNS / sizeof *PATTERNS; i++) {
        struct regret_buffer out = REGRET_BUFFER_INIT;
        struct sql *sql = NULL;
        const struct sql_source source = {.name = "t",
                                          .kind = SQL_JSONL,
                                          .paths = PATH,
                                          .n_paths = 1,
                                          .patterns = PATTERNS[i][0]};
        cr_assert(sql_open(&sql) == REGRET_OK && sql_add_source(sql, &source) == REGRET_OK);
        cr_expect_eq(sql_each(sql, put_row, &out, "SELECT file FROM t"), REGRET_OK);
        cr_expect_str_eq(regret_buffer_get(&out), PATTERNS[i][1]);
        sql_close(sql);
        regret_buffer_free(&out);
    }
}

/* A script reads, and makes temporary tables; nothing else, and every fault is told with its line. */
Test(sources, what_a_script_may_do)
{
    static const char *const SCRIPTS[][2] = {
        {"CREATE TEMP TABLE a(x);\nCREATE INDEX temp.i ON a(x);\nINSERT INTO a SELECT 1; CREATE "
         "TEMP VIEW b AS SELECT * FROM a, json_each('[1]');",
         NULL},
        {"-- one\nSELECT 1;\n\n  SELECT missing", "my.sql:4: no such column: missing"},
        {"SELECT 1;\nSELECT \"text\"", "my.sql:2: no such column: text"},
        {"ATTACH 'x.db' AS x", "my.sql:1: not authorized"},
        {"PRAGMA temp_store_directory = '/'", "my.sql:1: not authorized"},
        {"CREATE TABLE a(x)", "my.sql:1: not authorized"},
        {"CREATE TEMP TABLE a(x); DELETE FROM a", "my.sql:1: not authorized"},
        {"CREATE TEMP TABLE a(x); UPDATE a SET x = 1", "my.sql:1: not authorized"},
        {"CREATE TEMP TABLE a(x);\nCREATE TEMP TRIGGER t INSERT ON a BEGIN SELECT 1; END",
         "my.sql:2: not authorized"},
        {"VACUUM INTO 'x.db'", "my.sql:1: authorization denied"},
        {"SELECT load_extension('x')", "my.sql:1: not authorized to use function: load_extension"},
        {"CREATE VIRTUAL TABLE temp.v USING source", "my.sql:1: not authorized"},
        {"DROP TABLE temp.t", "my.sql:1: not authorized"}};
    const struct regret_place at = {"my.sql", 1};
    for (size_t i = 0; i < sizeof SCRIPTS / sizeof *SCRIPTS; i++) {
        static const char *const PATH[] = {"."};
        const struct sql_source source = {
            .name = "t", .kind = SQL_JSONL, .paths = PATH, .n_paths = 1};
        struct sql *sql = NULL;
        cr_assert(sql_open(&sql) == REGRET_OK && sql_add_source(sql, &source) == REGRET_OK);
        sql_guard(sql);
        int rc = sql_run(sql, SCRIPTS[i][0], &at);
        cr_expect_eq(rc == REGRET_OK, SCRIPTS[i][1] == NULL, "%zu: %s", i, regret_error_message());
        cr_expect(rc == REGRET_OK ||
                      (SCRIPTS[i][1] != NULL && strcmp(regret_error_message(), SCRIPTS[i][1]) == 0),
                  "%zu: %s", i, regret_error_message());
        sql_close(sql);
    }
    cr_expect_eq(scratch_entries("."), 0);
}

/* What is streamed is not read without end; options are told. */
Test(sources, readings_and_options)
{
    static const char *const PATH[] = {"f.jsonl"};
    const struct sql_source source = {.name = "t", .kind = SQL_JSONL, .paths = PATH, .n_paths = 1};
    struct sql *sql = NULL;
    double n = 0.0;
    FILE *file = fopen("f.jsonl", "w");
    for (int i = 0; i < 100; i++) {
        fprintf(file, "{\"i\": %d}\n", i);
    }
    fclose(file);
    cr_assert(sql_open(&sql) == REGRET_OK && sql_add_source(sql, &source) == REGRET_OK);
    cr_expect(sql_number(&n, sql, "SELECT count(*) FROM t") == REGRET_OK && n == 100.0);
    cr_expect_eq(sql_source_records(sql, "t"), 100);
    cr_expect_eq(sql_number(&n, sql, "SELECT count(*) FROM t, t AS u"), REGRET_E_INPUT);
    cr_expect(strstr(regret_error_message(), "CREATE TEMP TABLE picked AS SELECT ... FROM t") !=
              NULL);
    cr_expect(sql_set_option(sql, "a", "1") == REGRET_OK &&
              sql_set_option(sql, "a", "22") == REGRET_OK);
    cr_expect(sql_number(&n, sql, "SELECT option('a') + (option('b') IS NULL)") == REGRET_OK &&
              n == 23.0);
    sql_close(sql);
}
