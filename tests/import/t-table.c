/* Tables of one's own. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/importer.h"
#include "pool/sample.h"
#include "regret/buffer.h"

TestSuite(import_table, .fini = sample_cleanup);

#define HEAD "{\"name\": \"mine\", \"synthetic\": true, "
#define COMPONENTS                                                                                 \
    "\"components\": [{\"name\": \"good\", \"from\": \"s.0\", \"low\": 1, \"high\": 5}]"
#define COLUMNS "\"context\": \"doc\", \"agent\": \"model\", \"output\": \"out\""

static const char PLAIN_MAP[] =
    HEAD "\"columns\": {" COLUMNS ", \"text\": \"article\"}, " COMPONENTS "}";

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
