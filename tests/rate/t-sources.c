/* Where rows come from: tables, standard input, several files without ids, files with bad rows; and
 * what is said about scores that tell nothing. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "rate/report.h"
#include "regret/buffer.h"
#include "regret/rate.h"
#include "regret/status.h"

TestSuite(sources, .fini = scratch_remove);

/* The finished rows, or NULL where they are refused with the words. */
static struct regret_rate_rows *read_paths(const char *const *paths, size_t n,
                                           struct regret_rate_read_options how, const char *refusal)
{
    struct regret_rate_rows *rows = NULL;
    int rc = regret_rate_read(&rows, paths, n, &how);
    if (refusal != NULL) {
        cr_assert_eq(rc, REGRET_E_INPUT, "taken");
        cr_assert_null(rows);
        cr_assert_not_null(strstr(regret_error_message(), refusal), "%s lacks \"%s\"",
                           regret_error_message(), refusal);
        return NULL;
    }
    cr_assert_eq(rc, 0, "%s", regret_error_message());
    cr_assert_eq(regret_rate_rows_finish(rows), 0);
    return rows;
}

static void same_tables(const struct regret_rate_rows *a, const struct regret_rate_rows *b)
{
    cr_assert_eq(a->n_rows, b->n_rows);
    cr_assert_eq(a->n_models, b->n_models);
    for (size_t i = 0; i < a->n_rows; i++) {
        cr_assert(a->w[i] == b->w[i] && a->z[i] == b->z[i] && a->group[i] == b->group[i]);
        for (size_t m = 0; m < a->n_models; m++) {
            for (int side = 0; side < REGRET_N_SIDES; side++) {
                double x = a->models[m].score[side][i], y = b->models[m].score[side][i];
                cr_assert(x == y || (isnan(x) && isnan(y)), "row %zu: %g %g", i, x, y);
            }
        }
    }
}

/* ---- Tables ---- */

Test(sources, a_table_is_its_rows)
{
    char *jsonl = random_jsonl(200, 11);
    struct regret_rate_rows *rows = rows_of(jsonl);
    struct regret_buffer t[2] = {REGRET_BUFFER_INIT, REGRET_BUFFER_INIT};
    static const char *const names[] = {"rows.csv", "rows.TSV"};
    for (int k = 0; k < 2; k++) {
        char sep = k == 0 ? ',' : '\t';
        /* In another order, with a column of its own, and labels in all words. */
        const char *const header[] = {"scores.m1.original",
                                      "note",
                                      "w",
                                      "scores.m0.original",
                                      "scores.m0.rewrite",
                                      "dataset",
                                      "scores.m1.rewrite_of_rewrite",
                                      "attribute",
                                      "scores.m1.rewrite",
                                      "m0.rewritten rewrite",
                                      "id"};
        for (size_t c = 0; c < 11; c++) {
            regret_buffer_printf(&t[k], "%s%c", header[c], c < 10 ? sep : '\n');
        }
        for (size_t i = 0; i < rows->n_rows; i++) {
            static const char *const words[2][3] = {{"False", "0", "0.0"}, {"TRUE", "1", "1.0"}};
            const struct regret_rate_model *m = rows->models;
            regret_buffer_printf(&t[k], "%.17g%c\"x%cy\"%c%s%c%.17g%c%.17g%cD%c%.17g%ca%c%.17g%c",
                                 m[1].score[0][i], sep, sep, sep, words[rows->w[i]][i % 3], sep,
                                 m[0].score[0][i], sep, m[0].score[1][i], sep, sep,
                                 m[1].score[2][i], sep, sep, m[1].score[1][i], sep);
            regret_buffer_printf(&t[k], "%.17g%cr%zu\r\n", m[0].score[2][i], sep, i);
        }
        const char *path = scratch_file(names[k], regret_buffer_get(&t[k]));
        const struct regret_rate_read_options how = {.need_scores = 1};
        struct regret_rate_rows *table = read_paths(&path, 1, how, NULL);
        cr_assert_str_eq(table->models[0].name, "m1");
        struct regret_rate_model swapped = table->models[0];
        table->models[0] = table->models[1];
        table->models[1] = swapped;
        same_tables(rows, table);
        cr_assert_eq(table->line[0], 2);
        for (int issue = 0; issue < REGRET_RATE_N_ISSUES; issue++) {
            cr_assert_eq(table->issues[issue].count, 0, "issue %d", issue);
        }
        regret_rate_rows_free(table);
        regret_buffer_free(&t[k]);
    }
    regret_rate_rows_free(rows);
    regret_free(jsonl);
}
