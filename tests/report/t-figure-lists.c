/* Figures by agent and by context, of rows whose numbers are few enough to take means of by hand. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/csv_records.h"
#include "report/internal.h"
#include "report/lists.h"
#include "report/made_run.h"

static struct regret_results *results;
static struct figures figures;
static struct run_sql *run;

static void teardown(void)
{
    figures_free(&figures);
    run_sql_close(run);
    regret_results_free(results);
    run = NULL;
    results = NULL;
    made_end();
}

TestSuite(figure_lists, .init = made_begin, .fini = teardown);

static void put(FILE *f, size_t seed, const char *kind, const char *name, const char *rest)
{
    fprintf(f,
            "{\"cell\":0,\"seed\":%zu,\"key\":{\"reward.map\":\"smooth\",\"beta\":0,\"n_obs\":60,"
            "\"n_exp\":40},\"kind\":\"%s\",\"family\":\"%s\",%s}\n",
            seed, kind, name, rest);
}

static void write_head(const char *grids)
{
    static const char head[] =
        "{\"format\":\"regret-run-1\",\"results_version\":1,\"config\":{\"pool\":\"p\"},"
        "\"pool\":{\"name\":\"tiny\",\"synthetic\":true,\"contexts\":4,\"agents\":3,\"draws\":1},"
        "%s\"version\":\"0.1.0\",\"blas\":{\"build\":\"b\",\"kernel\":\"k\"},"
        "\"families\":[\"exp-only\",\"cvci\"],\"cells\":[{\"cell\":0,\"key\":{\"reward.map\":"
        "\"smooth\",\"beta\":0,\"n_obs\":60,\"n_exp\":40}}],\"seeds\":3,\"shard\":\"1/1\","
        "\"replicates\":3}\n";
    FILE *f = fopen(made_path(folder, "run.json"), "w");
    fprintf(f, head, grids);
    fclose(f);
}

static void make_figures(void)
{
    cr_assert_eq(regret_results_read(&results, folder), 0, "%s", regret_error_message());
    cr_assert_eq(run_sql_open(&run, results), 0, "%s", regret_error_message());
    cr_assert_eq(figures_make(&figures, run), 0, "%s", regret_error_message());
}

/* Two families, three seeds, agents a, <b> and c, four contexts of which two are held out. */
static void write_run(const char *grids)
{
    write_head(grids);
    FILE *f = fopen(made_path(folder, "results-1-of-1.jsonl"), "w");
    static const char *const exp_only[] = {
        "\"regret\":0.1,\"choice\":[0,1],\"loss\":[0,0.2],\"dm\":[0.5,0.6,0.4],"
        "\"dr\":[0.6,0.7,null],\"sndr\":null,\"dm_half\":[0.1,0.1,0.11],\"dr_half\":[0.2,0.06,"
        "null]",
        "\"regret\":0.2,\"choice\":[0,0],\"loss\":[0.1,0.3],\"dm\":[0.6,0.6,0.4],"
        "\"dr\":[0.6,0.9,null],\"sndr\":null,\"dm_half\":[0.1,0.1,0.11],\"dr_half\":[0.2,0.06,"
        "null]",
        "\"regret\":0,\"choice\":[2,2],\"loss\":[0,0],\"dm\":[0.7,0.6,0.4],"
        "\"dr\":[0.6,0.8,null],\"sndr\":null,\"dm_half\":[0.1,0.1,0.11],\"dr_half\":[0.2,0.06,"
        "null]"};
    static const char *const oracle[] = {
        "\"regret\":0,\"context\":[0,1],\"best\":[0.9,0.9],\"choice\":[0,2],\"loss\":[0,0],"
        "\"value\":[0.5,0.7,0.3],\"value_grid\":[0.55,0.75,0.3]",
        "\"regret\":0,\"context\":[1,3],\"best\":[0.9,0.9],\"choice\":[1,1],\"loss\":[0,0],"
        "\"value\":[0.4,0.8,0.3],\"value_grid\":[0.55,0.75,0.3]",
        "\"regret\":0,\"context\":[0,3],\"best\":[0.9,0.9],\"choice\":[2,1],\"loss\":[0,0],"
        "\"value\":[0.6,0.9,0.3],\"value_grid\":[0.55,0.75,0.3]"};
    for (size_t s = 0; s < 3; s++) {
        put(f, s, "family", "exp-only", exp_only[s]);
        put(f, s, "family", "cvci", "\"regret\":0.5,\"choice\":[1,1],\"loss\":[0.5,0.5]");
        put(f, s, "baseline", "oracle", oracle[s]);
        put(f, s, "baseline", "random", "\"regret\":0.4,\"choice\":null,\"loss\":[0.3,0.5]");
    }
    fclose(f);
    make_figures();
}

#define GRIDS                                                                                      \
    "\"grids\":[{\"agents\":[\"a\",\"<b>\",\"c\"],\"contexts\":[\"w\",\"x\",\"y\",\"z\"]}],"

static const struct figure *find(const char *name)
{
    for (size_t i = 0; i < figures.n; i++) {
        if (strcmp(figures.items[i].name, name) == 0) {
            return &figures.items[i];
        }
    }
    return NULL;
}

/* The last field but `back` of the record whose first fields are these. */
static double number(const char *name, const char *const *fields, size_t n, size_t back)
{
    const struct figure *f = find(name);
    cr_assert_not_null(f, "no figure %s", name);
    struct csv_records c = csv_parse(regret_buffer_get(&f->csv));
    double found = NAN;
    size_t matches = 0;
    for (size_t i = 1; i < c.n; i++) {
        size_t k = 0;
        while (k < n && strcmp(c.fields[i][k], fields[k]) == 0) {
            k++;
        }
        if (k == n) {
            const char *text = c.fields[i][c.widths[i] - 1 - back];
            found = text[0] != '\0' ? strtod(text, NULL) : NAN;
            matches++;
        }
    }
    cr_assert_eq(matches, 1, "%s: %zu records of %s", name, matches, fields[0]);
    csv_free(&c);
    return found;
}

static void expect(const char *name, const char *const *fields, size_t n, double value, double half)
{
    cr_expect_float_eq(number(name, fields, n, 2), value, 1e-12, "%s %s", fields[0], fields[1]);
    double low = number(name, fields, n, 1), high = number(name, fields, n, 0);
    cr_expect(isnan(half) ? isnan(low) && isnan(high)
                          : fabs(low - value + half) < 1e-9 && fabs(high - value - half) < 1e-9,
              "%s %s %s: [%g, %g]", fields[0], fields[1], n > 2 ? fields[2] : "", low, high);
}

/* t of two degrees of freedom at .975 */
#define T2 4.302652729749464

/* exp-only, DM of a: .5, .6, .7 against .5, .4, .6: errors 0, .2, .1 with a deviation of .1. */
Test(figure_lists, values_and_their_errors)
{
    write_run(GRIDS);
    static const char p[] = "exp-only";
    double se = 0.1 / sqrt(3.0);
    expect("agent-values", (const char *[]){p, "DM", "a"}, 3, 0.6, T2 * se);
    expect("agent-values", (const char *[]){p, "truth", "a"}, 3, 0.5, NAN);
    expect("agent-values", (const char *[]){p, "truth", "<b>"}, 3, 0.8, NAN);
    /* DR of b: 0.7, 0.9, 0.8 against .7, .8, .9: errors 0, .1, -.1 */
    expect("agent-values", (const char *[]){p, "DR", "<b>"}, 3, 0.8, T2 * se);
    const struct figure *f = find("agent-values");
    cr_expect_not_null(strstr(f->facts, "tiny (SYNTHETIC data), 1 cell, 3 seeds"), "%s", f->facts);
    cr_expect_null(strstr(regret_buffer_get(&f->svg), "<b>"), "agents are other people's texts");
    cr_expect_not_null(strstr(regret_buffer_get(&f->svg), "&lt;b&gt;"));
    /* agents by their true value */
    const char *csv = regret_buffer_get(&f->csv);
    cr_expect(strstr(csv, "truth,<b>") < strstr(csv, "truth,a"));
    cr_expect(strstr(csv, "truth,a") < strstr(csv, "truth,c"));
}

/* exp-only recommends a, b | a, a | c, c; the oracle a, c | b, b | c, b. */
Test(figure_lists, shares_of_recommendations)
{
    write_run(GRIDS);
    static const struct {
        const char *agent, *column;
        double share;
    } wanted[] = {
        {"a", "exp-only", 0.5},     {"<b>", "exp-only", 1.0 / 6}, {"c", "exp-only", 2.0 / 6},
        {"a", "cvci", 0.0},         {"<b>", "cvci", 1.0},         {"c", "cvci", 0.0},
        {"a", "oracle", 1.0 / 6.0}, {"<b>", "oracle", 0.5},       {"c", "oracle", 1.0 / 3}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        cr_expect_float_eq(
            number("shares", (const char *[]){wanted[i].agent, wanted[i].column}, 2, 0),
            wanted[i].share, 1e-12, "%s %s", wanted[i].agent, wanted[i].column);
    }
}

/* Agents that nobody recommends have no row; numbers as large as may be read are drawn. */
Test(figure_lists, many_agents_and_large_numbers)
{
    struct regret_buffer grids = REGRET_BUFFER_INIT, row = REGRET_BUFFER_INIT;
    enum { AGENTS = 60 };
    regret_buffer_append(&grids, "\"grids\":[{\"agents\":[\"agent 0\"");
    regret_buffer_append(&row, "\"regret\":0.1,\"choice\":[59,7],\"loss\":[0.1,0.1],\"dm\":[1e9");
    for (int a = 1; a < AGENTS; a++) {
        regret_buffer_printf(&grids, ",\"agent %d\"", a);
        regret_buffer_printf(&row, ",%s1e9", a % 2 ? "-" : "");
    }
    regret_buffer_append(&grids, "],\"contexts\":[\"w\",\"x\"]}],");
    regret_buffer_append(&row, "]");
    write_head(regret_buffer_get(&grids));
    FILE *f = fopen(made_path(folder, "results-1-of-1.jsonl"), "w");
    for (size_t s = 0; s < 3; s++) {
        put(f, s, "family", "exp-only", regret_buffer_get(&row));
        put(f, s, "baseline", "oracle",
            "\"regret\":0,\"context\":[0,1],\"choice\":[3,7],\"loss\":[0,0]");
    }
    fclose(f);
    make_figures();
    const struct figure *shares = find("shares");
    cr_assert_not_null(strstr(shares->facts, "3 of 60 agents"), "%s", shares->facts);
    cr_expect_eq(number("shares", (const char *[]){"agent 59", "exp-only"}, 2, 0), 0.5);
    cr_expect_eq(number("shares", (const char *[]){"agent 3", "oracle"}, 2, 0), 0.5);
    cr_expect_null(strstr(regret_buffer_get(&shares->csv), "agent 4,"));
    regret_buffer_free(&grids);
    regret_buffer_free(&row);
}

/* The grid's means are .55, .75, .3. DM of a, half-width .1: .5 and .6 hold, .7 does not; of b .6 never
 * does; of c .4 does, half-width .11: 2/3, 2/3 and 1/3 of the seeds' intervals. DR of a, .6, always holds;
 * of b .7 and .8 do, half-width .06, .9 does not: 1, 1/2 and 1. */
Test(figure_lists, coverage)
{
    write_run(GRIDS);
    double dm = (2.0 / 3 + 2.0 / 3 + 1.0 / 3) / 3, se = 1.0 / 9;
    const char *const fields[] = {"DM", "exp-only"};
    cr_expect_float_eq(number("coverage", fields, 2, 2), dm, 1e-12);
    cr_expect_float_eq(number("coverage", fields, 2, 1), fmax(dm - T2 * se, 0.0), 1e-9);
    cr_expect_float_eq(number("coverage", fields, 2, 0), fmin(dm + T2 * se, 1.0), 1e-9);
    cr_expect_float_eq(number("coverage", (const char *[]){"DR", "exp-only"}, 2, 2), 2.5 / 3,
                       1e-12);
    cr_expect_float_eq(number("coverage", (const char *[]){"nominal", "cvci"}, 2, 2), 0.95, 0.0);
    cr_expect(isnan(number("coverage", (const char *[]){"DM", "cvci"}, 2, 2)), "it has none");
    cr_expect(isnan(number("coverage", (const char *[]){"DM", "cvci"}, 2, 1)), "nor an interval");
}

/* Context 0: 0, 0; context 1: .2, .1; context 3: .3, 0; context 2 was never held out. */
Test(figure_lists, regret_by_context)
{
    write_run(GRIDS);
    const struct figure *f = find("contexts");
    cr_assert_not_null(f);
    struct csv_records c = csv_parse(regret_buffer_get(&f->csv));
    static const double wanted[9] = {0.0, 0.15, 0.15, 0.5, 0.5, 0.5, 0.3, 0.4, 0.5};
    size_t n = 0;
    cr_assert_eq(c.n, 10);
    for (; n < 9; n++) {
        double x = strtod(c.fields[n + 1][c.widths[n + 1] - 1], NULL);
        cr_expect_float_eq(x, wanted[n], 1e-12, "%zu: %g", n, x);
    }
    cr_expect_not_null(strstr(f->facts, "one of 3 contexts"), "%s", f->facts);
    csv_free(&c);
}

/* Runs of older programs have no lists, and no figures of them. */
Test(figure_lists, are_left_out_where_there_are_none)
{
    made_up_write(&m, folder);
    make_figures();
    cr_expect_gt(figures.n, 0);
    cr_expect_eq(lists_oracle(results), REGRET_NO_ROW);
    cr_expect(find("agent-values") == NULL && find("shares") == NULL);
    cr_expect(find("coverage") == NULL && find("contexts") == NULL);
}
