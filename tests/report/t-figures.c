/* Figures of a report against the made-up numbers they are of. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart/svg.h"
#include "csv_records.h"
#include "made_run.h"
#include "regret/status.h"
#include "report/internal.h"
#include "stats/distributions.h"
#include "svg_check.h"

static struct regret_results *results;
static struct figures figures;
static struct run_sql *run;

static void setup(void)
{
    made_begin();
    results = NULL;
    run = NULL;
    figures = (struct figures){NULL, 0};
}

static void forget(void)
{
    figures_free(&figures);
    run_sql_close(run);
    regret_results_free(results);
    results = NULL;
    run = NULL;
}

static void teardown(void)
{
    forget();
    made_end();
}

TestSuite(report_figures, .init = setup, .fini = teardown);

static void make(void)
{
    made_up_write(&m, folder);
    cr_assert_eq(regret_results_read(&results, folder), 0, "%s", regret_error_message());
    cr_assert_eq(run_sql_open(&run, results), 0, "%s", regret_error_message());
    cr_assert_eq(figures_make(&figures, run), 0, "%s", regret_error_message());
}

static const struct figure *find(const char *name)
{
    for (size_t i = 0; i < figures.n; i++) {
        if (strcmp(figures.items[i].name, name) == 0) {
            return &figures.items[i];
        }
    }
    return NULL;
}

/* The numbers after `head` in a line of the figure's CSV. */
static int numbers_after(double *out, int n, const char *figure, const char *head)
{
    const struct figure *f = find(figure);
    cr_assert_not_null(f, "%s", figure);
    const char *line = strstr(regret_buffer_get(&f->csv), head);
    cr_assert_not_null(line, "%s: no %s in\n%s", figure, head, regret_buffer_get(&f->csv));
    line += strlen(head);
    for (int i = 0; i < n; i++) {
        int length = 0;
        if (sscanf(line, ",%lf%n", &out[i], &length) != 1) {
            return i;
        }
        line += length;
    }
    return n;
}

Test(report_figures, are_pictures)
{
    make();
    static const char *const names[] = {"regret",  "ranks", "best-agent",  "regret-beta",
                                        "winners", "seeds", "regret-n-exp"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cr_assert_not_null(find(names[i]), "%s", names[i]);
    }
    for (size_t i = 0; i < figures.n; i++) {
        const struct figure *f = &figures.items[i];
        check_svg(regret_buffer_get(&f->svg), f->name);
        cr_assert_gt(strlen(f->title), 0);
        cr_assert_gt(strlen(f->caption), 0);
        cr_assert_not_null(strstr(f->facts, "6 seeds"), "%s: %s", f->name, f->facts);
        for (size_t j = 0; j < i; j++) {
            cr_assert_str_neq(f->name, figures.items[j].name);
        }
    }
}

/* The mean regret of a family over the cells of a map in a seed. */
static double of_map(size_t family, size_t map, size_t seed)
{
    double sum = 0.0;
    size_t cells = 0;
    for (size_t cell = 0; cell < made_cells(&m); cell++) {
        if (made_cell(&m, cell).map == map) {
            sum += made_regret(&m, family, cell, seed);
            cells++;
        }
    }
    return sum / (double)cells;
}

/* Every family less the best of the panel, paired by seed, with the bootstrap's interval. */
Test(report_figures, regrets_less_the_best_by_hand)
{
    make();
    size_t best = 0;
    double means[16] = {0.0};
    for (size_t f = 0; f < m.n_families; f++) {
        for (size_t s = 0; s < m.n_seeds; s++) {
            means[f] += of_map(f, 1, s) / (double)m.n_seeds;
        }
        best = means[f] < means[best] && strncmp(m.families[f], "grounded-", 9) != 0 ? f : best;
    }
    for (size_t f = 0; f < m.n_families; f++) {
        if (strncmp(m.families[f], "grounded-", 9) == 0) {
            continue; /* a variant is not ranked */
        }
        double d[16], got[3];
        char head[128];
        for (size_t s = 0; s < m.n_seeds; s++) {
            d[s] = of_map(f, 1, s) - of_map(best, 1, s);
        }
        struct interval expected = naive_interval(d, m.n_seeds);
        snprintf(head, sizeof head, "reward.map = %s,%s,%s", made_map(1), m.families[f],
                 m.families[f]);
        cr_assert_eq(numbers_after(got, 3, "regret", head), f == best ? 1 : 3, "%s", head);
        cr_expect_float_eq(got[0], means[f] - means[best], 1e-12);
        if (f != best) {
            cr_expect_float_eq(got[1], expected.low, 1e-12);
            cr_expect_float_eq(got[2], expected.high, 1e-12);
        }
    }
}

/* 0.1 apart in every cell and seed, but the third and fourth, which swap from seed to seed. */
static double ordered(const struct made_up *made, size_t family, size_t cell, size_t seed)
{
    (void)made;
    (void)cell;
    size_t rank = family == 2 ? 2 + seed % 2 : family == 3 ? 3 - seed % 2 : family;
    return 0.1 * (double)(rank + 1);
}

Test(report_figures, ranks_by_hand)
{
    m.n_families = 4;
    m.regret = ordered;
    make();
    double got[3];
    static const double rank[] = {1.0, 2.0, 3.5, 3.5};
    for (size_t i = 0; i < 4; i++) {
        char head[64];
        snprintf(head, sizeof head, "%s", m.families[i]);
        cr_assert_eq(numbers_after(got, 1, "ranks", head), 1);
        cr_assert_float_eq(got[0], rank[i], 1e-14);
    }
    const char *csv = regret_buffer_get(&find("ranks")->csv);
    cr_assert_not_null(strstr(csv, "\n,,3.5,3.5\n"), "a bar over the two that swap:\n%s", csv);
    cr_assert_eq(strstr(csv, "\n,,") - csv, strstr(csv, "\n,,3.5,3.5\n") - csv, "and no other");
}

/* What the figure and the table summary say of the families must be one: of 24 cells of noise, some without a row, of which
 * two families tie in a third. */
static int skip_some(const char *family, size_t cell, size_t seed)
{
    return strcmp(family, "cvci") == 0 && (cell == 3 || (cell == 7 && seed < 2));
}

static double tied(const struct made_up *made, size_t family, size_t cell, size_t seed)
{
    (void)made;
    return made_number(REGRET_MEASURE_REGRET, family < 2 && cell % 3 == 0 ? 0 : family, cell, seed);
}

static double by_mean(const struct made_up *made, size_t family, size_t cell, size_t seed)
{
    (void)made;
    (void)cell;
    double swing = family == 0 ? (seed == 0 ? 10.0 : -0.01) : 0.0; /* first in all seeds but one */
    return 1.0 + 0.1 * (double)family + swing;
}

/* The family that is ahead in most seeds is not that of the lowest mean: table and figure go by the mean. */
Test(report_figures, ranks_go_by_means_over_seeds)
{
    m.n_families = 4;
    m.regret = by_mean;
    make();
    double got[3];
    cr_assert_eq(numbers_after(got, 1, "ranks", "exp-only"), 1);
    cr_assert_float_eq(got[0], 4.0, 1e-14);
    cr_assert_eq(numbers_after(got, 1, "ranks", "obs-only"), 1);
    cr_assert_float_eq(got[0], 1.0, 1e-14);
}

/* A run whose contexts have tags is held against the rules by tag wherever it is against single agents. */
Test(report_figures, baselines_by_tag)
{
    static const char *const with[] = {"regret", "regret-beta", "regret-n-exp", "best-agent"};
    m.by_tag = 1;
    make();
    for (size_t i = 0; i < sizeof with / sizeof *with; i++) {
        const struct figure *f = find(with[i]);
        cr_assert_not_null(f);
        cr_expect_not_null(strstr(regret_buffer_get(&f->csv), "best-by-tag-exp"), "%s", with[i]);
        cr_expect_not_null(strstr(regret_buffer_get(&f->csv), "best-by-tag-obs"), "%s", with[i]);
        cr_expect_not_null(strstr(f->caption, "one agent for every tag"), "%s", with[i]);
    }
    forget();
    m.by_tag = 0;
    make();
    for (size_t i = 0; i < figures.n; i++) {
        cr_expect_null(strstr(figures.items[i].caption, "every tag"), "%s", figures.items[i].name);
    }
}

/* The winner moves along within, its lead along noise; where noise is .5, no seed tells the first two apart. */
static double spread_apart(const struct made_up *made, size_t family, size_t cell, size_t seed)
{
    struct made_cell c = made_cell(made, cell);
    double lead = 0.1 * (double)(c.fix + 1), swing = c.fix == 1 ? 1.0 : 0.0;
    double sign = seed % 2 ? 1.0 : -1.0;
    double apart = family == c.omega             ? 1.0 + swing * sign
                   : family == (c.omega + 1) % 3 ? 1.0 + lead - swing * sign
                                                 : 3.0;
    return 1e-4 * apart; /* below what the baselines have */
}

static double all_bad(const struct made_up *made, size_t family, size_t cell, size_t seed)
{
    (void)made, (void)cell, (void)seed;
    return 0.5 + 0.1 * (double)family;
}

Test(report_figures, phases_by_hand)
{
    m.n_families = 3;
    m.n_maps = m.n_obs = 1;
    m.n_betas = 2;
    m.n_fixes = m.n_omegas = 3;
    m.regret = spread_apart;
    make();
    cr_assert_null(find("phase"), "keys of a reward make no phases");
    forget();
    m.spreads = 1;
    make();
    for (size_t beta = 0; beta < 2; beta++) {
        for (size_t i = 0; i < (size_t)2 * 3 * 3; i++) {
            size_t exp = i / 9, within = i / 3 % 3, noise = i % 3;
            char head[128];
            double got[2];
            snprintf(head, sizeof head, "beta = %g,%s,\"n_exp %d, spread.within %g\",%g",
                     made_beta(beta), m.families[within], made_exp(exp), made_design(within),
                     made_design(noise));
            cr_assert_eq(numbers_after(got, 2, "phase", head), 2);
            cr_assert_float_eq(got[0], 1e-5 * (double)(noise + 1), 1e-14);
            cr_assert_eq(got[1], noise == 1 ? 1.0 : 0.0);
        }
    }
    cr_assert_not_null(strstr(regret_buffer_get(&find("phase")->svg), ">spread.noise<"));
}

/* Where one agent for all regrets less than any family, the tile is its. */
Test(report_figures, phases_may_be_of_one_agent)
{
    m.n_families = 3;
    m.n_fixes = m.n_omegas = 3;
    m.spreads = 1;
    m.regret = all_bad;
    make();
    const char *csv = regret_buffer_get(&find("phase")->csv);
    cr_assert_not_null(strstr(csv, ",best-exp,"));
    cr_assert_not_null(strstr(csv, ",best-obs,"));
    cr_assert_null(strstr(csv, ",exp-only,"));
    cr_assert_null(strstr(regret_buffer_get(&find("winners")->csv), ",best-exp,"));
}

/* One key of spread.* is a swept key as any other. */
Test(report_figures, no_phases_along_one_key)
{
    m.n_fixes = 3;
    m.spreads = 1;
    make();
    cr_assert_null(find("phase"));
    cr_assert_not_null(find("winners"));
}

Test(report_figures, one_seed_has_no_intervals)
{
    m.n_seeds = 1;
    make();
    cr_assert_null(find("ranks"));
    cr_assert_null(find("seeds"));
    cr_assert_null(find("best-agent"));
    double got[2];
    char head[64];
    snprintf(head, sizeof head, "reward.map = smooth,exp-only,%g", made_beta(0));
    cr_assert_eq(numbers_after(got, 2, "regret-beta", head), 1);
}

Test(report_figures, what_is_not_swept_is_not_drawn)
{
    m.n_betas = m.n_obs = m.n_exp = m.n_maps = 1;
    make();
    cr_assert_not_null(find("regret"));
    cr_assert_null(find("regret-beta"));
    cr_assert_null(find("winners"));
    cr_assert_null(find("regret-n-exp"));
    cr_assert_null(find("alignment"));
}

Test(report_figures, values_and_designs)
{
    m.values = 1;
    m.n_fixes = m.n_omegas = 3;
    m.n_maps = 1;
    m.success = 1;
    make();
    cr_assert_not_null(find("alignment"));
    cr_assert_not_null(find("crossover-lambda-fix"));
    cr_assert_not_null(find("crossover-omega"));
    cr_assert_not_null(find("value-error"));
}

/* F3 and F4: over the whole grid, and at ω = 0 and λ_fix = 0 as the paper slices them. */
static void check_slice(const char *figure, const char *subject, size_t number,
                        enum regret_measure measure, int along_omega)
{
    const char *const of[] = {along_omega ? "all λ_fix" : "all ω",
                              along_omega ? "λ_fix = 0" : "ω = 0"};
    for (size_t i = 0; i < (size_t)2 * 3; i++) {
        double sum = 0.0, n = 0.0, got[3];
        int sliced = i >= 3;
        char head[128];
        for (size_t cell = 0; cell < made_cells(&m); cell++) {
            struct made_cell c = made_cell(&m, cell);
            size_t at = along_omega ? c.omega : c.fix, other = along_omega ? c.fix : c.omega;
            for (size_t s = 0; s < m.n_seeds && at == i % 3 && (!sliced || other == 0); s++) {
                sum += made_value(&m, measure, number, cell, s);
                n += 1.0;
            }
        }
        snprintf(head, sizeof head, "%s,%s,%g", of[sliced], subject, made_design(i % 3));
        cr_assert_eq(numbers_after(got, 3, figure, head), 3, "%s", head);
        cr_assert_float_eq(got[0], sum / n, 1e-14, "%s: %g, not %g", head, got[0], sum / n);
    }
}

Test(report_figures, the_papers_slices_by_hand)
{
    m.n_fixes = m.n_omegas = 3;
    m.n_maps = 1;
    m.success = 1;
    make();
    check_slice("alignment", "proxy", m.n_families + 4, REGRET_MEASURE_R2, 0);
    check_slice("alignment", "patch-statistics", m.n_families + 7, REGRET_MEASURE_R2, 0);
    check_slice("crossover-lambda-fix", m.families[1], 1, REGRET_MEASURE_REGRET, 0);
    check_slice("crossover-omega", m.families[1], 1, REGRET_MEASURE_REGRET, 1);
    check_svg(regret_buffer_get(&find("alignment")->svg), "alignment");
}

static int style_of(const char *family)
{
    double style = NAN;
    cr_assert_eq(
        sql_number(&style, run->sql, "SELECT style FROM subjects WHERE family = %Q", family), 0);
    cr_assert(style >= 0.0 && style < CHART_N_SERIES_STYLES);
    return (int)style;
}

Test(report_figures, families_keep_their_style)
{
    make();
    for (size_t f = 0; f < results->n_families; f++) {
        for (size_t g = 0; g < f; g++) {
            cr_assert_neq(style_of(m.families[g]), style_of(m.families[f]));
        }
    }
    int before = style_of("cvci");
    forget();
    m.families[0] = "cvci";
    m.n_families = 1;
    make();
    cr_assert_eq(style_of("cvci"), before, "in a run of its own");
}

/* No figure depends on the order in which rows come that have none of their own. */
static void expect_the_same_reversed(void)
{
    make();
    struct figures one = figures;
    figures = (struct figures){NULL, 0};
    run_sql_close(run);
    run = NULL;
    sql_reverse(1);
    int rc = run_sql_open(&run, results);
    sql_reverse(0);
    cr_assert_eq(rc, 0, "%s", regret_error_message());
    cr_assert_eq(figures_make(&figures, run), 0, "%s", regret_error_message());
    cr_assert_eq(figures.n, one.n);
    for (size_t i = 0; i < one.n; i++) {
        cr_expect_str_eq(regret_buffer_get(&figures.items[i].csv),
                         regret_buffer_get(&one.items[i].csv), "%s", one.items[i].name);
        cr_expect_str_eq(regret_buffer_get(&figures.items[i].svg),
                         regret_buffer_get(&one.items[i].svg), "%s", one.items[i].name);
    }
    figures_free(&one);
    forget();
}

Test(report_figures, are_the_same_of_rows_reversed)
{
    m.regret = tied;
    m.by_tag = 1;
    expect_the_same_reversed();
    m.skip = skip_some;
    expect_the_same_reversed();
    m.n_maps = 1;
    m.n_fixes = m.n_omegas = 3;
    m.success = 1;
    expect_the_same_reversed();
    m.spreads = 1;
    expect_the_same_reversed();
}

Test(report_figures, hostile_names_are_text)
{
    m.pool_name = "<script>alert(1)</script>";
    make();
    for (size_t i = 0; i < figures.n; i++) {
        check_svg(regret_buffer_get(&figures.items[i].svg), figures.items[i].name);
        cr_assert_null(strstr(regret_buffer_get(&figures.items[i].svg), "<script"));
    }
}
