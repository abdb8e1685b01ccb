/* Intervals for new contexts in the table summary: leaving out by hand, over cells of different grids. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv_records.h"
#include "made_run.h"
#include "regret/task.h"

enum { CONTEXTS = 14, CELLS = 2, SEEDS = 12, HELD = 4, FAMILIES = 3, NOBODY = -1 };

/* What a run holds; contexts by their ids, "c0" and so on. */
static struct {
    int context[CELLS][SEEDS][HELD]; /* held out */
    double loss[FAMILIES][CELLS][SEEDS][HELD];
    int lists_from; /* the seeds before it have no lists */
} run;

TestSuite(new_contexts, .init = made_begin, .fini = made_end);

static const char *const names[] = {"exp-only", "cvci", "oracle"};

/* The grid of the second cell has the contexts the other way round. */
static int place(int cell, int context)
{
    return cell == 0 ? context : CONTEXTS - 1 - context;
}

/* Each cell and seed holds out HELD of the first `contexts`. cvci loses 0.05 more, of which some is by context, and
 * on the first context `on_first` besides. */
static void draw(int contexts, double on_first)
{
    struct regret_rng rng = regret_rng_at(21, REGRET_RNG_TEST, (uint64_t)contexts);
    memset(&run, 0, sizeof run);
    for (int i = 0; i < CELLS * SEEDS; i++) {
        int cell = i % CELLS, seed = i / CELLS, left = HELD;
        for (int c = 0; c < contexts && left > 0; c++) {
            if ((int)regret_rng_below(&rng, (uint32_t)(contexts - c)) < left) {
                int k = HELD - left--;
                double own = 0.01 * (double)regret_rng_below(&rng, 30);
                run.context[cell][seed][k] = c;
                run.loss[0][cell][seed][k] = own;
                run.loss[1][cell][seed][k] =
                    own + 0.04 + 0.02 * (c % 2) + (c == 0 ? on_first : 0.0);
            }
        }
    }
}

/* Grids number the contexts in their own order, and lists go by the numbers. */
static void write_list(FILE *f, const char *name, int family, int cell, int seed)
{
    fprintf(f, ",\"%s\":", name);
    for (int k = 0; k < HELD; k++) {
        int j = cell == 0 ? k : HELD - 1 - k;
        fprintf(f, k == 0 ? "[" : ",");
        if (strcmp(name, "context") == 0) {
            fprintf(f, "%d", place(cell, run.context[cell][seed][j]));
        } else {
            fprintf(f, "%.17g", run.loss[family][cell][seed][j]);
        }
    }
    fprintf(f, "]");
}

static double mean_of(int family, int cell, int seed, int without)
{
    double sum = 0.0, n = 0.0;
    for (int k = 0; k < HELD; k++) {
        if (run.context[cell][seed][k] != without) {
            sum += run.loss[family][cell][seed][k];
            n++;
        }
    }
    return sum / n;
}

static void write_rows(void)
{
    FILE *f = fopen(made_path(folder, "results-1-of-1.jsonl"), "w");
    for (int i = 0; i < SEEDS * CELLS * FAMILIES; i++) {
        int family = i % FAMILIES, cell = i / FAMILIES % CELLS, seed = i / FAMILIES / CELLS;
        fprintf(
            f,
            "{\"cell\":%d,\"seed\":%d,\"key\":{\"reward.map\":\"smooth\",\"beta\":%d,\"n_obs\":60,"
            "\"n_exp\":40},\"kind\":\"%s\",\"family\":\"%s\",\"regret\":%.17g",
            cell, seed, cell, family < 2 ? "family" : "baseline", names[family],
            mean_of(family, cell, seed, NOBODY));
        if (seed >= run.lists_from) {
            write_list(f, "loss", family, cell, seed);
        }
        if (seed >= run.lists_from && family == 2) {
            write_list(f, "context", family, cell, seed);
        }
        fprintf(f, "}\n");
    }
    fclose(f);
}

static void write_run(void)
{
    FILE *f = fopen(made_path(folder, "run.json"), "w");
    fprintf(f, "{\"format\":\"regret-run-1\",\"results_version\":1,\"config\":{\"pool\":\"p\"},"
               "\"pool\":{\"name\":\"tiny\",\"synthetic\":true},\"version\":\"0.1.0\",\"grids\":[");
    for (int cell = 0; cell < CELLS; cell++) {
        fprintf(f, "%s{\"agents\":[\"a\",\"b\"],\"contexts\":[", cell > 0 ? "," : "");
        for (int i = 0; i < CONTEXTS; i++) {
            fprintf(f, "%s\"c%d\"", i > 0 ? "," : "", place(cell, i));
        }
        fprintf(f, "]}");
    }
    fprintf(f, "],\"families\":[\"exp-only\",\"cvci\"],\"cells\":[");
    for (int cell = 0; cell < CELLS; cell++) {
        fprintf(f,
                "%s{\"cell\":%d,\"grid\":%d,\"key\":{\"reward.map\":\"smooth\",\"beta\":%d,"
                "\"n_obs\":60,\"n_exp\":40}}",
                cell > 0 ? "," : "", cell, cell, cell);
    }
    fprintf(f, "],\"seeds\":%d,\"shard\":\"1/1\",\"replicates\":%d}\n", SEEDS, SEEDS * CELLS);
    fclose(f);
    write_rows();
}

/* The mean over seeds and cells of cvci less exp-only, without a seed, a context, or one of both. */
static double without(int seed, int context)
{
    double sum = 0.0, n = 0.0;
    for (int s = 0; s < SEEDS; s++) {
        int here = seed == NOBODY || s == seed;
        for (int cell = 0; cell < CELLS && !(s == seed && context == NOBODY); cell++) {
            int gone = here ? context : NOBODY;
            sum += mean_of(1, cell, s, gone) - mean_of(0, cell, s, gone);
            n++;
        }
    }
    return sum / n;
}

static int holds_out(int seed, int context)
{
    for (int i = 0; i < CELLS * HELD; i++) {
        if (run.context[i / HELD][seed][i % HELD] == context) {
            return 1;
        }
    }
    return 0;
}

static double naive_se(void)
{
    double squares[3] = {0}, n[3] = {0}, v[3];
    for (int s = NOBODY; s < SEEDS; s++) {
        for (int c = NOBODY; c < CONTEXTS; c++) {
            int way = s != NOBODY && c == NOBODY ? 0
                      : s == NOBODY              ? 1
                                                 : 2,
                held = s == NOBODY ? 0 : 1;
            for (int i = 0; s == NOBODY && i < SEEDS; i++) {
                held |= c != NOBODY && holds_out(i, c);
            }
            if (s != NOBODY && c != NOBODY) {
                held = holds_out(s, c);
            }
            double d = without(s, c) - without(NOBODY, NOBODY);
            squares[way] += held ? d * d : 0.0;
            n[way] += held;
        }
    }
    for (int way = 0; way < 3; way++) {
        v[way] = (n[way] - 1.0) / n[way] * squares[way];
    }
    return sqrt(fmax(v[0] + v[1] - v[2], fmax(v[0], v[1])));
}

/* The end of the run asks for 98 %. */
static void expect_ending(int has_interval)
{
    const double t11 = 2.718079183821226;
    struct regret_results *r = NULL;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    cr_assert_eq(regret_results_read(&r, folder), 0);
    cr_assert_eq(regret_report_ending(&text, r, "r", 100), 0, "%s", regret_error_message());
    const char *shown = regret_buffer_get(&text);
    int told = has_interval && fabs(without(NOBODY, NOBODY)) > t11 * naive_se();
    cr_expect_eq(strstr(shown, "the other family would be behind it") != NULL, told, "%s", shown);
    cr_expect_eq(strstr(shown, "no other family can be told from it") != NULL,
                 has_interval && !told, "%s", shown);
    regret_buffer_free(&text);
    regret_results_free(r);
}

/* What the table says of cvci, or of exp-only where that is behind, on new contexts. */
static void expect(const char *verdict, int has_interval)
{
    const double t11 = 2.200985160082949;
    write_run();
    struct csv_records t = made_table(folder, "summary");
    const char *block = "2 of 2 cells ranked";
    double low = csv_value(&t, block, "cvci", "New contexts, low");
    double high = csv_value(&t, block, "cvci", "New contexts, high");
    cr_expect_str_eq(csv_text(&t, block, "cvci", "On new contexts"), verdict);
    cr_expect_str_eq(csv_text(&t, block, "exp-only", "On new contexts"), "–");
    if (has_interval) {
        cr_expect_float_eq(low, without(NOBODY, NOBODY) - t11 * naive_se(), 1e-9, "%g", low);
        cr_expect_float_eq(high, without(NOBODY, NOBODY) + t11 * naive_se(), 1e-9, "%g", high);
    } else {
        cr_expect(isnan(low) && isnan(high), "%g %g", low, high);
    }
    csv_free(&t);
    expect_ending(has_interval);
    const char *words =
        has_interval ? "of redraws from the same contexts" : "Nothing is said of new contexts";
    cr_expect_not_null(strstr(made_markdown(folder, "summary"), words));
}

Test(new_contexts, over_cells_whose_grids_are_in_another_order)
{
    draw(CONTEXTS - 2, 0.0);
    expect("would hold", 1);
}

Test(new_contexts, what_few_contexts_carry_may_be_theirs_alone)
{
    draw(CONTEXTS - 2, 3.0);
    expect("these contexts only", 1);
}

Test(new_contexts, a_seed_without_lists)
{
    draw(CONTEXTS - 2, 0.0);
    run.lists_from = 1;
    expect("not known", 0);
}

Test(new_contexts, fewer_than_ten)
{
    draw(8, 0.0);
    expect("not known", 0);
}
