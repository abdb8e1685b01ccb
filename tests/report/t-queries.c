/* Tables of a run, asked by queries: what functions give is recomputed here from what the rows were made of. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csv_records.h"
#include "made_run.h"
#include "regret/buffer.h"
#include "regret/results.h"
#include "regret/status.h"
#include "stats/distributions.h"
#include "table/sql.h"

static struct regret_results *results;

static void begin(void)
{
    made_begin();
    results = NULL;
}

static void end(void)
{
    regret_results_free(results);
    sql_reverse(0);
    made_end();
}

TestSuite(queries, .init = begin, .fini = end);

static void write_run(void)
{
    made_up_write(&m, folder);
    regret_results_free(results);
    cr_assert_eq(regret_results_read(&results, folder), 0, "%s", regret_error_message());
}

/* The only number that a query gives; NaN: nothing. */
static double asked(const char *query)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    cr_assert_eq(regret_report_sql(&text, results, query, REGRET_FORMAT_CSV), 0, "%s: %s", query,
                 regret_error_message());
    const char *line = strchr(regret_buffer_get(&text), '\n');
    double x = line != NULL && line[1] != '\n' && line[1] != '\0' ? strtod(line + 1, NULL) : NAN;
    regret_buffer_free(&text);
    return x;
}

static void refused(const char *query, const char *why)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    cr_expect_eq(regret_report_sql(&text, results, query, REGRET_FORMAT_CSV), REGRET_E_INPUT);
    cr_expect_not_null(strstr(regret_error_message(), why), "%s: %s", query,
                       regret_error_message());
    regret_buffer_free(&text);
}

/* The mean over cells of a family's regret in one seed. */
static double seed_regret(size_t family, size_t seed)
{
    double sum = 0.0;
    for (size_t c = 0; c < made_cells(&m); c++) {
        sum += made_regret(&m, family, c, seed);
    }
    return sum / (double)made_cells(&m);
}

#define EST(family) "((SELECT est(regret, cell, seed) FROM results WHERE family = '" family "'))"

Test(queries, an_estimate_is_over_seeds)
{
    double d[6], minus[6], squares = 0.0;
    write_run();
    for (size_t s = 0; s < 6; s++) {
        d[s] = seed_regret(0, s);
        minus[s] = d[s] - seed_regret(1, s);
    }
    const struct interval a = naive_interval(d, 6), b = naive_interval(minus, 6);
    for (size_t s = 0; s < 6; s++) {
        squares += (d[s] - a.mean) * (d[s] - a.mean);
    }
    double se = sqrt(squares / 5.0 / 6.0), t = regret_student_quantile(0.975, 5.0);
    cr_expect_float_eq(asked("SELECT mean" EST("exp-only")), a.mean, 1e-14);
    cr_expect_float_eq(asked("SELECT se" EST("exp-only")), se, 1e-14);
    cr_expect_float_eq(asked("SELECT low" EST("exp-only")), a.low, 1e-14);
    cr_expect_float_eq(asked("SELECT high" EST("exp-only")), a.high, 1e-14);
    cr_expect_float_eq(asked("SELECT t_high" EST("exp-only")), a.mean + t * se, 1e-13);
    cr_expect_float_eq(asked("SELECT p_value(" EST("exp-only") ", 0)"),
                       2.0 * regret_student_cdf(-a.mean / se, 5.0), 1e-13);
    cr_expect_float_eq(asked("SELECT low(minus(" EST("exp-only") ", " EST("obs-only") "))"), b.low,
                       1e-14);
    cr_expect_eq(asked("SELECT seeds" EST("exp-only")), 6.0);
    cr_expect(isnan(asked("SELECT se(est(regret, cell, seed)) FROM results WHERE seed = 0 AND "
                          "family = 'cvci'")));
}

static int third_seed_lacks(const char *family, size_t cell, size_t seed)
{
    return strcmp(family, "exp-only") == 0 && cell == 1 && seed == 2;
}

/* A seed that lacks a cell is in the value, but in no error or difference. */
Test(queries, seeds_that_are_not_whole_are_left_out_of_errors)
{
    m.skip = third_seed_lacks;
    write_run();
    double sum = 0.0;
    for (size_t c = 0; c < made_cells(&m); c++) {
        double cell = 0.0;
        for (size_t s = 0; s < 6; s++) {
            cell += third_seed_lacks("exp-only", c, s) ? 0.0 : made_regret(&m, 0, c, s);
        }
        sum += cell / (c == 1 ? 5.0 : 6.0);
    }
    cr_expect_float_eq(asked("SELECT mean" EST("exp-only")), sum / (double)made_cells(&m), 1e-14);
    cr_expect_eq(asked("SELECT seeds" EST("exp-only")), 5.0);
    cr_expect_eq(asked("SELECT seeds(minus(" EST("obs-only") ", " EST("exp-only") "))"), 5.0);
    cr_expect_eq(asked("SELECT count(*) FROM results WHERE family = 'exp-only' AND regret IS NULL"),
                 1.0);
}

Test(queries, small_statistics)
{
    write_run();
    cr_expect_eq(asked("SELECT median(column1) FROM (VALUES (4), (1), (NULL), (2), (3))"), 2.5);
    cr_expect_float_eq(asked("SELECT quantile(column1, .25) FROM (VALUES (4), (1), (2), (3))"),
                       1.75, 1e-15);
    cr_expect_float_eq(asked("SELECT sd(column1) FROM (VALUES (4), (1), (2), (3))"),
                       sqrt(5.0 / 3.0), 1e-15);
    cr_expect_float_eq(asked("SELECT t_cdf(-2, 7)"), regret_student_cdf(-2.0, 7.0), 1e-15);
    /* (0, 1), (1, 3), (3, 4) are the hull; (2, 3) lies below it: from 0 to 4 it has 2 + 7 + 4 of area. */
    cr_expect_float_eq(asked("SELECT hull_area(hull(column1, column2), 0, 4) FROM (VALUES (3, 4), "
                             "(2, 3), (0, 1), (1, 3))"),
                       13.0 / 4.0, 1e-14);
    cr_expect_float_eq(asked("SELECT hull_cost(hull(column1, column2), 2) FROM (VALUES (3, 4), (2, "
                             "3), (0, 1), (1, 3))"),
                       0.5, 1e-14);
    cr_expect_float_eq(asked("SELECT detectable(1, 9)"),
                       regret_student_quantile(0.975, 9.0) + regret_student_quantile(0.8, 9.0),
                       1e-12);
}

/* Of two families of which one is better in every cell by every seed the ranks are 1 and 2, whatever is drawn. */
Test(queries, ranks_over_resamples)
{
    write_run();
    cr_expect_float_eq(
        asked(
            "SELECT count(*) FROM (SELECT places(regret + iif(family = 'cvci', 9, 0), cell, seed, "
            "family = 'cvci') AS x FROM results WHERE family IN ('cvci', 'exp-only')), "
            "json_each(x) v "
            "WHERE v.value ->> 2 = 1 + (v.value ->> 1)"),
        4002.0, 0.1);
    cr_expect_float_eq(asked("SELECT sum(v.value ->> 2) FROM (SELECT places(1, cell, seed, family "
                             "= 'cvci') AS x FROM "
                             "results WHERE family IN ('cvci', 'exp-only')), json_each(x) v WHERE "
                             "v.value ->> 0 = -1"),
                       3.0, 1e-15);
}

Test(queries, what_is_wrong_is_told)
{
    write_run();
    refused("SELECT mean(1)", "this is no estimate");
    refused("SELECT mean(x'00')", "this is no estimate");
    refused("SELECT est(regret, cell, seed) FROM results WHERE family = 'cvci'",
            "is an estimate: show it by");
    refused("SELECT mean(est(regret, cell, seed)) FROM results", "two rows of cell 0 and seed 0");
    refused("ATTACH 'x.db' AS x", "not authorized");
    refused("SELECT 1;\nSELECT zwei", "the query:2: no such column: zwei");
    refused("SELECT two_way(x'0000000000000000', NULL, x'000000000000f041', 0, 0, 1)",
            "the third is the list held_out");
    refused("SELECT hull_area('[[1', 0, 1)", "this is no hull");
}

/* No table rests on the order of rows. */
Test(queries, rows_in_the_other_order_change_nothing)
{
    const char *const *names = NULL;
    size_t n = regret_report_tables(&names);
    m.n_fixes = m.n_omegas = 2;
    m.n_betas = 2;
    write_run();
    for (size_t i = 0; i < n; i++) {
        struct regret_buffer text[2] = {REGRET_BUFFER_INIT, REGRET_BUFFER_INIT};
        for (int k = 0; k < 2; k++) {
            sql_reverse(k);
            cr_assert_eq(regret_report_table(&text[k], results, names[i], REGRET_FORMAT_JSON), 0,
                         "%s", regret_error_message());
        }
        cr_expect_str_eq(regret_buffer_get(&text[0]), regret_buffer_get(&text[1]), "%s", names[i]);
        regret_buffer_free(&text[0]);
        regret_buffer_free(&text[1]);
    }
}
