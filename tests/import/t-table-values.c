/* Tables of one's own: values that are means, rows without scores, and what is made of the texts. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "import/importer.h"
#include "pool/sample.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "regret/text.h"

TestSuite(import_values, .fini = sample_cleanup);

#define HEAD "{\"name\": \"m\", \"synthetic\": true, "
#define COLUMNS                                                                                    \
    "\"columns\": {\"context\": \"d\", \"text\": \"t\", \"agent\": \"m\", \"output\": \"o\""
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
