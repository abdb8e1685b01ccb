/* Every table's numbers against plain loops over the made-up function. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv_records.h"
#include "made_run.h"
#include "regret/student.h"

TestSuite(tables, .init = made_begin, .fini = made_end);

/* A set of cells by the indices of their keys; 9 stands for any. */
struct where {
    size_t map, beta, obs, exp;
};
static const struct where everywhere = {9, 9, 9, 9};
enum { ANY = 9, N_RANKED = 6, ANY_CELL = 1000 };

/* Positions of the ranked families among the default's eight. */
static const size_t ranked[N_RANKED] = {0, 1, 2, 3, 6, 7};

static int inside(struct where w, size_t cell)
{
    struct made_cell c = made_cell(&m, cell);
    return (w.map == ANY || w.map == c.map) && (w.beta == ANY || w.beta == c.beta) &&
           (w.obs == ANY || w.obs == c.obs) && (w.exp == ANY || w.exp == c.exp);
}

static double number(enum regret_measure k, size_t f, size_t cell, size_t seed)
{
    return k == REGRET_MEASURE_REGRET ? made_regret(&m, f, cell, seed)
                                      : made_number(k, f, cell, seed);
}

static double naive_seed_mean(struct where w, enum regret_measure k, size_t f, size_t seed)
{
    double sum = 0.0;
    int n = 0;
    for (size_t c = 0; c < made_cells(&m); c++) {
        if (inside(w, c)) {
            sum += number(k, f, c, seed);
            n++;
        }
    }
    return sum / n;
}

static double naive_mean(struct where w, enum regret_measure k, size_t f)
{
    double sum = 0.0;
    for (size_t s = 0; s < m.n_seeds; s++) {
        sum += naive_seed_mean(w, k, f, s);
    }
    return sum / (double)m.n_seeds;
}

static double naive_se(struct where w, enum regret_measure k, size_t f)
{
    double x[64];
    for (size_t s = 0; s < m.n_seeds; s++) {
        x[s] = naive_seed_mean(w, k, f, s);
    }
    return naive_interval(x, m.n_seeds).se;
}

static void differences(double *d, struct where w, enum regret_measure ka, size_t a,
                        enum regret_measure kb, size_t b)
{
    for (size_t s = 0; s < m.n_seeds; s++) {
        d[s] = naive_seed_mean(w, ka, a, s) - naive_seed_mean(w, kb, b, s);
    }
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void near(double x, double y, const char *what)
{
    cr_expect(fabs(x - y) <= 1e-12 || (isnan(x) && isnan(y)), "%s: %.17g, not %.17g", what, x, y);
}

static void check_estimate(const struct csv_records *t, const char *block, const char *column,
                           struct where w, enum regret_measure k, size_t f, const char *row)
{
    near(csv_value(t, block, row, column), naive_mean(w, k, f), row);
    near(csv_se(t, block, row, column), naive_se(w, k, f), row);
}

static double naive_cell_mean(enum regret_measure k, size_t f, size_t cell)
{
    double sum = 0.0;
    for (size_t s = 0; s < m.n_seeds; s++) {
        sum += number(k, f, cell, s);
    }
    return sum / (double)m.n_seeds;
}

/* Average rank, top-3, wins and excess by sorting each cell. */
static void naive_standing(size_t f, double *rank, double *top3, double *wins, double *excess)
{
    size_t n = made_cells(&m);
    *rank = *top3 = *wins = *excess = 0.0;
    for (size_t c = 0; c < n; c++) {
        double sorted[N_RANKED], own = naive_cell_mean(REGRET_MEASURE_REGRET, f, c);
        for (size_t i = 0; i < N_RANKED; i++) {
            sorted[i] = naive_cell_mean(REGRET_MEASURE_REGRET, ranked[i], c);
        }
        qsort(sorted, N_RANKED, sizeof *sorted, by_size);
        size_t place = 0;
        while (sorted[place] != own) {
            place++;
        }
        *rank += (double)(place + 1) / (double)n;
        *top3 += place < 3;
        *wins += place == 0;
        *excess += 100.0 * (own - sorted[0]) / sorted[0] / (double)n;
    }
}

Test(tables, summary_is_recomputed)
{
    made_up_write(&m, folder);
    struct csv_records t = made_table(folder, "summary");
    const char *block = "24 of 24 cells ranked";
    size_t best = ranked[0];
    for (size_t i = 0; i < N_RANKED; i++) {
        if (naive_mean(everywhere, REGRET_MEASURE_REGRET, ranked[i]) <
            naive_mean(everywhere, REGRET_MEASURE_REGRET, best)) {
            best = ranked[i];
        }
    }
    for (size_t i = 0; i < N_RANKED; i++) {
        size_t f = ranked[i];
        const char *name = m.families[f];
        double rank, top3, wins, excess, d[64];
        naive_standing(f, &rank, &top3, &wins, &excess);
        near(csv_value(&t, block, name, "Avg. rank"), rank, name);
        near(csv_value(&t, block, name, "Top-3"), top3, name);
        near(csv_value(&t, block, name, "Wins"), wins, name);
        cr_expect_lt(fabs(csv_value(&t, block, name, "Excess (%)") - excess), 1e-9);
        check_estimate(&t, block, "Mean regret ± SE", everywhere, REGRET_MEASURE_REGRET, f, name);
        if (f == best) {
            cr_expect_str_eq(csv_text(&t, block, name, "Verdict"), "best");
            continue;
        }
        differences(d, everywhere, REGRET_MEASURE_REGRET, f, REGRET_MEASURE_REGRET, best);
        struct interval i95 = naive_interval(d, m.n_seeds);
        near(csv_value(&t, block, name, "95 % low"), i95.low, name);
        near(csv_value(&t, block, name, "95 % high"), i95.high, name);
        cr_expect_str_eq(csv_text(&t, block, name, "Verdict"),
                         i95.low <= 0.0 && i95.high >= 0.0 ? "tied with best" : "separable");
    }
    check_estimate(&t, block, "Mean regret ± SE", everywhere, REGRET_MEASURE_REGRET,
                   m.n_families + 1, "random");
    cr_expect_eq(csv_find(&t, block, "grounded-linear", "Avg. rank"), -1);
    csv_free(&t);
}

/* The quantiles .975 and .8 of Student's t, from SciPy. */
static double naive_detectable(const double *d, size_t n)
{
    double mean = 0.0, squares = 0.0;
    for (size_t i = 0; i < n; i++) {
        mean += d[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        squares += (d[i] - mean) * (d[i] - mean);
    }
    cr_assert_eq(n, 6, "the quantiles are those of five degrees of freedom");
    return (2.5705818356363137 + 0.9195437802008634) * sqrt(squares / (double)(n - 1) / (double)n);
}

static double naive_regret(size_t f, size_t cell)
{
    return cell == ANY_CELL ? naive_mean(everywhere, REGRET_MEASURE_REGRET, f)
                            : naive_cell_mean(REGRET_MEASURE_REGRET, f, cell);
}

/* The ranked families by mean regret in a cell, or over all. */
static void naive_order(size_t order[N_RANKED], size_t cell)
{
    for (size_t i = 0; i < N_RANKED; i++) {
        size_t j = i;
        for (; j > 0 && naive_regret(ranked[i], cell) < naive_regret(order[j - 1], cell); j--) {
            order[j] = order[j - 1];
        }
        order[j] = ranked[i];
    }
}

static double naive_median_of_cells(void)
{
    double d[64], each[64];
    size_t order[N_RANKED], cells = made_cells(&m);
    cr_assert_eq(cells, 24);
    for (size_t c = 0; c < cells; c++) {
        naive_order(order, c);
        for (size_t s = 0; s < m.n_seeds; s++) {
            d[s] = made_regret(&m, order[0], c, s) - made_regret(&m, order[1], c, s);
        }
        each[c] = naive_detectable(d, m.n_seeds);
    }
    qsort(each, cells, sizeof *each, by_size);
    return 0.5 * (each[11] + each[12]);
}

Test(tables, the_summary_says_what_difference_is_detectable)
{
    double d[64], all[15];
    size_t order[N_RANKED], n = 0;
    char wanted[256];
    made_up_write(&m, folder);
    naive_order(order, ANY_CELL);
    for (size_t i = 0; i < N_RANKED; i++) {
        for (size_t j = i + 1; j < N_RANKED; j++) {
            differences(d, everywhere, REGRET_MEASURE_REGRET, order[i], REGRET_MEASURE_REGRET,
                        order[j]);
            all[n++] = naive_detectable(d, m.n_seeds);
        }
    }
    double best = all[0];
    qsort(all, n, sizeof *all, by_size);
    snprintf(wanted, sizeof wanted,
             "%.4f between the best family and the second; over all 15 pairs of families %.4f to "
             "%.4f, median %.4f. In one cell, best and second: median %.4f.",
             best, all[0], all[14], all[7], naive_median_of_cells());
    struct regret_results *r = NULL;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    cr_assert_eq(regret_results_read(&r, folder), 0);
    cr_assert_eq(regret_report_table(&text, r, "summary", REGRET_FORMAT_MARKDOWN), 0);
    cr_expect_not_null(strstr(regret_buffer_get(&text), wanted), "no \"%s\" in %s", wanted,
                       regret_buffer_get(&text));
    regret_buffer_free(&text);
    regret_results_free(r);
}

Test(tables, budget_is_recomputed)
{
    static const size_t obs_based[] = {1, 3, 6, 7};
    made_up_write(&m, folder);
    struct csv_records t = made_table(folder, "budget");
    for (size_t map = 0; map < 2; map++) {
        for (size_t b = 0; b < 4; b++) {
            struct where w = {map, ANY, b / 2, b % 2};
            char block[64], column[64];
            snprintf(block, sizeof block, "reward.map = %s", made_map(map));
            snprintf(column, sizeof column, "n_obs %d, n_exp %d", made_obs(b / 2), made_exp(b % 2));
            size_t best = 1;
            double d[64];
            for (size_t i = 0; i < 4; i++) {
                best = naive_mean(w, REGRET_MEASURE_REGRET, obs_based[i]) <
                               naive_mean(w, REGRET_MEASURE_REGRET, best)
                           ? obs_based[i]
                           : best;
            }
            for (size_t i = 0; i < N_RANKED; i++) {
                check_estimate(&t, block, column, w, REGRET_MEASURE_REGRET, ranked[i],
                               m.families[ranked[i]]);
            }
            check_estimate(&t, block, column, w, REGRET_MEASURE_REGRET, m.n_families, "oracle");
            check_estimate(&t, block, column, w, REGRET_MEASURE_REGRET, best,
                           "best OBS-based method");
            cr_expect_str_eq(csv_text(&t, block, "best OBS-based method", column),
                             m.families[best]);
            differences(d, w, REGRET_MEASURE_REGRET, 0, REGRET_MEASURE_REGRET, best);
            near(csv_value(&t, block, "exp-only minus best OBS-based", column),
                 naive_mean(w, REGRET_MEASURE_REGRET, 0) -
                     naive_mean(w, REGRET_MEASURE_REGRET, best),
                 "difference");
            near(csv_se(&t, block, "exp-only minus best OBS-based", column),
                 naive_interval(d, m.n_seeds).se, "difference");
        }
    }
    csv_free(&t);
}

Test(tables, reward_shape_is_recomputed)
{
    made_up_write(&m, folder);
    struct csv_records t = made_table(folder, "reward-shape");
    for (size_t map = 0; map < 2; map++) {
        struct where w = {map, ANY, ANY, ANY};
        for (size_t i = 0; i < N_RANKED; i++) {
            check_estimate(&t, "", made_map(map), w, REGRET_MEASURE_REGRET, ranked[i],
                           m.families[ranked[i]]);
        }
        check_estimate(&t, "", made_map(map), w, REGRET_MEASURE_R2, m.n_families + 4,
                       "R² of the target on the proxy");
        check_estimate(&t, "", made_map(map), w, REGRET_MEASURE_R2_CLIPPED, m.n_families + 4,
                       "R² of the target on the proxy, clipped");
        check_estimate(&t, "", made_map(map), w, REGRET_MEASURE_R2, m.n_families + 5,
                       "R² of the target on the raw components");
    }
    struct where smooth = {0, ANY, ANY, ANY}, sharp = {1, ANY, ANY, ANY};
    near(csv_value(&t, "", "cvci", "sharpened − smooth"),
         naive_mean(sharp, REGRET_MEASURE_REGRET, 6) - naive_mean(smooth, REGRET_MEASURE_REGRET, 6),
         "sharpened − smooth");
    csv_free(&t);
}

static void check_values(const struct csv_records *t, const char *block, struct where w, size_t f)
{
    const char *name = m.families[f];
    double d[64], better = 0.0, n = 0.0;
    check_estimate(t, block, "DM RMSE", w, REGRET_MEASURE_DM_RMSE, f, name);
    check_estimate(t, block, "DR RMSE", w, REGRET_MEASURE_DR_RMSE, f, name);
    check_estimate(t, block, "SNDR RMSE", w, REGRET_MEASURE_SNDR_RMSE, f, name);
    differences(d, w, REGRET_MEASURE_DR_RMSE, f, REGRET_MEASURE_DM_RMSE, f);
    near(csv_value(t, block, name, "DR − DM"),
         naive_mean(w, REGRET_MEASURE_DR_RMSE, f) - naive_mean(w, REGRET_MEASURE_DM_RMSE, f), name);
    near(csv_se(t, block, name, "DR − DM"), naive_interval(d, m.n_seeds).se, name);
    differences(d, w, REGRET_MEASURE_SNDR_RMSE, f, REGRET_MEASURE_DM_RMSE, f);
    near(csv_se(t, block, name, "SNDR − DM"), naive_interval(d, m.n_seeds).se, name);
    for (size_t c = 0; c < made_cells(&m); c++) {
        if (inside(w, c)) {
            n += 1.0;
            better += naive_cell_mean(REGRET_MEASURE_DR_RMSE, f, c) <
                      naive_cell_mean(REGRET_MEASURE_DM_RMSE, f, c);
        }
    }
    near(csv_value(t, block, name, "DR better (% of cells)"), 100.0 * better / n, name);
}

Test(tables, values_are_recomputed)
{
    m.n_exp = 3;
    made_up_write(&m, folder);
    struct csv_records t = made_table(folder, "values");
    for (size_t i = 0; i < N_RANKED; i++) {
        check_values(&t, "all budgets", everywhere, ranked[i]);
        for (size_t e = 0; e < 3; e++) {
            struct where w = {ANY, ANY, ANY, e};
            char block[64];
            snprintf(block, sizeof block, "n_exp = %d", made_exp(e));
            check_values(&t, block, w, ranked[i]);
        }
    }
    csv_free(&t);
}

Test(tables, grounded_is_recomputed)
{
    static const size_t variants[] = {4, 3, 5};
    double total = 0.0;
    made_up_write(&m, folder);
    struct csv_records t = made_table(folder, "grounded");
    for (size_t i = 0; i < 3; i++) {
        size_t f = variants[i];
        const char *name = m.families[f];
        double wins = 0.0, beats = 0.0;
        for (size_t c = 0; c < made_cells(&m); c++) {
            double own = naive_cell_mean(REGRET_MEASURE_REGRET, f, c), lowest = INFINITY;
            for (size_t j = 0; j < 3; j++) {
                lowest = fmin(lowest, naive_cell_mean(REGRET_MEASURE_REGRET, variants[j], c));
            }
            wins += own == lowest;
            beats += own < naive_cell_mean(REGRET_MEASURE_REGRET, 3, c);
        }
        total += wins;
        near(csv_value(&t, "24 cells", name, "Wins (cells)"), wins, name);
        check_estimate(&t, "24 cells", "Macro regret ± SE", everywhere, REGRET_MEASURE_REGRET, f,
                       name);
        near(csv_value(&t, "24 cells", name, "Top-1"),
             naive_mean(everywhere, REGRET_MEASURE_TOP1, f), name);
        near(csv_value(&t, "24 cells", name, "Top-3"),
             naive_mean(everywhere, REGRET_MEASURE_TOP3, f), name);
        near(csv_value(&t, "24 cells", name, "Hit@3"),
             naive_mean(everywhere, REGRET_MEASURE_HIT3, f), name);
        near(csv_value(&t, "24 cells", name, "Beats grounded (% of cells)"),
             f == 3 ? NAN : 100.0 * beats / 24.0, name);
    }
    cr_expect_eq(total, 24.0);
    double fits = 0.0;
    for (size_t c = 0; c < 24; c++) {
        for (size_t s = 0; s < m.n_seeds; s++) {
            fits += made_lambda(5, c, s) == 0.15;
        }
    }
    near(csv_value(&t, "λ chosen by grounded-anchored, 144 fits", "0.15", "Fits"), fits, "λ");
    csv_free(&t);
}

Test(tables, agreement_is_recomputed)
{
    static const struct {
        const char *column;
        enum regret_measure measure;
    } columns[] = {{"Top-1", REGRET_MEASURE_TOP1},        {"Top-3", REGRET_MEASURE_TOP3},
                   {"Spearman", REGRET_MEASURE_SPEARMAN}, {"Kendall", REGRET_MEASURE_KENDALL},
                   {"Hit@1", REGRET_MEASURE_HIT1},        {"Hit@3", REGRET_MEASURE_HIT3}};
    made_up_write(&m, folder);
    struct csv_records t = made_table(folder, "agreement");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        for (size_t f = 0; f < 2; f++) {
            check_estimate(&t, "reward.map = smooth", columns[i].column, (struct where){0, 9, 9, 9},
                           columns[i].measure, f, m.families[f]);
        }
    }
    csv_free(&t);
}

Test(tables, winners_are_recomputed)
{
    double wins[8] = {0};
    made_up_write(&m, folder);
    struct csv_records t = made_table(folder, "winners");
    for (size_t c = 0; c < made_cells(&m); c++) {
        struct made_cell k = made_cell(&m, c);
        struct where w = {k.map, k.beta, k.obs, k.exp};
        char block[64], row[64], column[64], text[64];
        size_t first = 0, second = 1;
        for (size_t i = 1; i < N_RANKED; i++) {
            double x = naive_mean(w, REGRET_MEASURE_REGRET, ranked[i]);
            if (x < naive_mean(w, REGRET_MEASURE_REGRET, first)) {
                second = first;
                first = ranked[i];
            } else if (x < naive_mean(w, REGRET_MEASURE_REGRET, second)) {
                second = ranked[i];
            }
        }
        double d[64];
        differences(d, w, REGRET_MEASURE_REGRET, second, REGRET_MEASURE_REGRET, first);
        struct interval i95 = naive_interval(d, m.n_seeds);
        snprintf(block, sizeof block, "reward.map = %s", made_map(k.map));
        snprintf(row, sizeof row, "n_obs %d, n_exp %d", made_obs(k.obs), made_exp(k.exp));
        snprintf(column, sizeof column, "β %g", made_beta(k.beta));
        int tied = i95.low <= 0.0 && i95.high >= 0.0;
        snprintf(text, sizeof text, "%s%s%s", m.families[first], tied ? " ≈ " : "",
                 tied ? m.families[second] : "");
        cr_expect_str_eq(csv_text(&t, block, row, column), text);
        near(csv_value(&t, block, row, column),
             naive_mean(w, REGRET_MEASURE_REGRET, second) -
                 naive_mean(w, REGRET_MEASURE_REGRET, first),
             text);
        wins[first] += k.map == 0;
    }
    for (size_t i = 0; i < N_RANKED; i++) {
        near(csv_value(&t, "reward.map = smooth: cells won", m.families[ranked[i]], "Wins"),
             wins[ranked[i]], m.families[ranked[i]]);
    }
    csv_free(&t);
}

/* The first family wins cell c by 1.4 + 0.3 c standard errors of ten seeds that differ by ± 0.01. */
static double surer_by_cell(const struct made_up *made, size_t family, size_t cell, size_t seed)
{
    (void)made;
    return family == 0 ? 0.3 - 0.01 * (1.4 + 0.3 * (double)cell) / 3.0 + (seed % 2 ? 0.01 : -0.01)
                       : 0.3 + (family > 1 ? 0.1 : 0.0);
}

Test(tables, winners_are_corrected_for_their_number)
{
    enum { CELLS = 12 };
    double p[CELLS], found[3] = {0};
    m.n_maps = 1;
    m.n_seeds = 10;
    m.regret = surer_by_cell;
    made_up_write(&m, folder);
    for (size_t c = 0; c < CELLS; c++) {
        p[c] = 2.0 * regret_student_cdf(-(1.4 + 0.3 * (double)c), 9.0);
    }
    /* p falls with the cell: Holm's step-down goes from the last back, Benjamini and Hochberg's set is the
     * greatest that ends in a p-value of at most .05 k/n. */
    for (size_t k = 1; k <= CELLS && p[CELLS - k] <= 0.05 / (double)(CELLS + 1 - k); k++) {
        found[1] = (double)k;
    }
    for (size_t k = 1; k <= CELLS; k++) {
        found[2] = p[CELLS - k] <= 0.05 * (double)k / CELLS ? (double)k : found[2];
    }
    for (size_t c = 0; c < CELLS; c++) {
        double d[10];
        for (size_t s = 0; s < 10; s++) {
            d[s] = surer_by_cell(&m, 1, c, s) - surer_by_cell(&m, 0, c, s);
        }
        found[0] += naive_interval(d, 10).low > 0.0;
    }
    cr_assert(found[0] > found[2] && found[2] > found[1] && found[1] > 0.0);
    struct csv_records t = made_table(folder, "winners");
    static const char *const rows[] = {"exp-only", "all"};
    for (size_t i = 0; i < 2; i++) {
        cr_expect_eq(csv_value(&t, "cells won", rows[i], "Wins"), CELLS);
        cr_expect_eq(csv_value(&t, "cells won", rows[i], "Of them separable from the second"),
                     found[0]);
        cr_expect_eq(csv_value(&t, "cells won", rows[i], "Holm"), found[1]);
        cr_expect_eq(csv_value(&t, "cells won", rows[i], "Benjamini–Hochberg"), found[2]);
    }
    cr_expect_eq(csv_value(&t, "cells won", "cvci", "Holm"), 0.0);
    csv_free(&t);
}

Test(tables, beta_and_sweep_are_recomputed)
{
    made_up_write(&m, folder);
    struct csv_records beta = made_table(folder, "beta"), sweep = made_table(folder, "sweep");
    for (size_t b = 0; b < 3; b++) {
        char column[32];
        snprintf(column, sizeof column, "β %g", made_beta(b));
        struct where w = {1, b, ANY, ANY};
        check_estimate(&beta, "reward.map = sharpened", column, w, REGRET_MEASURE_REGRET, 7,
                       "cvci-residual");
        w.map = ANY;
        check_estimate(&sweep, "beta", column, w, REGRET_MEASURE_REGRET, 2, "representation-exp");
    }
    struct where large = {ANY, ANY, 1, ANY};
    check_estimate(&sweep, "n_obs", "n_obs 5000", large, REGRET_MEASURE_REGRET, m.n_families + 3,
                   "best-obs");
    csv_free(&beta);
    csv_free(&sweep);
}

Test(tables, tuning_is_recomputed)
{
    made_up_write(&m, folder);
    struct csv_records t = made_table(folder, "tuning");
    double lambda = 0.0, rho = 0.0, basis = 0.0, n = 0.0;
    for (size_t c = 0; c < made_cells(&m); c++) {
        for (size_t s = 0; made_cell(&m, c).beta == 1 && s < m.n_seeds; s++) {
            n += 1.0;
            lambda += made_lambda(6, c, s);
            rho += made_rho(3, c, s) == 10.0;
            basis += strcmp(made_basis(3, c, s), "quadratic") == 0;
        }
    }
    near(csv_value(&t, "cvci", "mean λ", "β 0.2"), lambda / n, "λ");
    near(csv_value(&t, "grounded", "ρ = 10 (%)", "β 0.2"), 100.0 * rho / n, "ρ");
    near(csv_value(&t, "grounded", "basis quadratic (%)", "β 0.2"), 100.0 * basis / n, "basis");
    near(csv_value(&t, "grounded", "mean α", "all"), 1.0, "α");
    near(csv_value(&t, "cvci", "CV mode agents (%)", "all"), 100.0, "cv");
    cr_expect_eq(csv_find(&t, "exp-only", "ρ = 1 (%)", "all"), -1);
    csv_free(&t);
}
