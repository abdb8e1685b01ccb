/* Corners: ties, one seed, one family, gaps, extra keys, runs without variants or values. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "csv_records.h"
#include "made_run.h"

TestSuite(blocks, .init = made_begin, .fini = made_end);

static const char *markdown(const char *table)
{
    return made_markdown(folder, table);
}

/* Two cells (n_exp 200 and 800), by hand:
 *               200    800    ranks 200   ranks 800
 *   exp-only    .10    .40    1.5         4
 *   obs-only    .10    .20    1.5         2
 *   repr.-exp   .30    .20    4           2
 *   grounded    .20    .20    3           2            */
static double by_hand(const struct made_up *made, size_t family, size_t cell, size_t seed)
{
    static const double table[2][4] = {{0.10, 0.10, 0.30, 0.20}, {0.40, 0.20, 0.20, 0.20}};
    (void)made;
    (void)seed;
    return table[cell][family];
}

Test(blocks, tied_ranks_by_hand)
{
    static const char *const names[] = {"exp-only", "obs-only", "representation-exp", "grounded"};
    static const double rank[] = {2.75, 1.75, 3.0, 2.5};
    static const double top3[] = {1, 2, 1, 2}, wins[] = {1, 2, 1, 1};
    static const double excess[] = {50.0, 0.0, 100.0, 50.0};
    static const char *const verdict[] = {"separable", "best", "separable", "separable"};
    m.n_families = 4;
    m.n_maps = m.n_betas = m.n_obs = 1;
    m.regret = by_hand;
    made_up_write(&m, folder);
    struct csv_records t = made_table(folder, "summary");
    for (size_t i = 0; i < 4; i++) {
        const char *block = "2 of 2 cells ranked";
        cr_expect_eq(csv_value(&t, block, names[i], "Avg. rank"), rank[i], "%s", names[i]);
        cr_expect_eq(csv_value(&t, block, names[i], "Top-3"), top3[i], "%s", names[i]);
        cr_expect_eq(csv_value(&t, block, names[i], "Wins"), wins[i], "%s", names[i]);
        cr_expect_lt(fabs(csv_value(&t, block, names[i], "Excess (%)") - excess[i]), 1e-10);
        cr_expect_lt(csv_se(&t, block, names[i], "Mean regret ± SE"), 1e-15);
        cr_expect_str_eq(csv_text(&t, block, names[i], "Verdict"), verdict[i]);
    }
    csv_free(&t);
    const char *text = markdown("winners");
    cr_expect_not_null(strstr(text, "| n_obs 2000, n_exp 200 | exp-only ≈ obs-only +0.0000 |"));
    cr_expect_not_null(
        strstr(text, "| n_obs 2000, n_exp 800 | obs-only ≈ representation-exp +0.0000 |"));
}

static double zero_best(const struct made_up *made, size_t family, size_t cell, size_t seed)
{
    (void)made;
    (void)seed;
    return cell == 0 ? 0.1 * (double)family : 0.1 + 0.1 * (double)family;
}

Test(blocks, excess_leaves_out_cells_whose_best_is_zero)
{
    m.n_families = 2;
    m.n_maps = m.n_betas = m.n_obs = 1;
    m.regret = zero_best;
    made_up_write(&m, folder);
    struct csv_records t = made_table(folder, "summary");
    const char *block = "2 of 2 cells ranked, excess without cells whose best is 0";
    cr_expect_lt(fabs(csv_value(&t, block, "obs-only", "Excess (%)") - 100.0), 1e-10);
    csv_free(&t);
}

Test(blocks, one_seed_has_no_errors_and_no_verdicts)
{
    m.n_seeds = 1;
    made_up_write(&m, folder);
    const char *text = markdown("summary");
    cr_expect_not_null(strstr(text, "One seed only"));
    cr_expect_not_null(strstr(text, " ± – |"));
    cr_expect_not_null(strstr(text, "| not testable |"));
    cr_expect_null(strstr(text, "nan"));
    text = markdown("winners");
    cr_expect_not_null(strstr(text, " ≈ "));
    cr_expect_null(strstr(text, "nan"));
}

Test(blocks, one_family_wins_everywhere)
{
    m.n_families = 1;
    m.n_maps = 1;
    made_up_write(&m, folder);
    struct csv_records t = made_table(folder, "summary");
    cr_expect_eq(csv_value(&t, "12 of 12 cells ranked", "exp-only", "Avg. rank"), 1.0);
    cr_expect_eq(csv_value(&t, "12 of 12 cells ranked", "exp-only", "Excess (%)"), 0.0);
    csv_free(&t);
    t = made_table(folder, "winners");
    cr_expect_str_eq(csv_text(&t, "", "n_obs 5000, n_exp 200", "β 0.4"), "exp-only");
    cr_expect(isnan(csv_value(&t, "", "n_obs 5000, n_exp 200", "β 0.4")));
    csv_free(&t);
    cr_expect_null(strstr(markdown("budget"), "best OBS-based method |"), "there is none");
    cr_expect_not_null(strstr(markdown("grounded"), "neither grounded-linear nor"));
    cr_expect_not_null(strstr(markdown("tuning"), "No family of this run"));
}

/* Every fit of the made-up plain families has ρ = 1, and grounded's choices are even over four. */
Test(blocks, an_end_of_a_list_that_most_fits_choose_is_named)
{
    m.config = ",\"exp_only.rho\":[0.01,1],\"obs_only.rho\":[1,10000],"
               "\"grounded.rho\":[0.1,1,10,100],\"representation_exp.rho\":1";
    made_up_write(&m, folder);
    const char *text = markdown("tuning");
    cr_expect_not_null(strstr(text, "exp-only: 100 % of the fits chose 1, the largest of "
                                    "exp_only.rho: what lies beyond is untried."));
    cr_expect_not_null(strstr(text, "obs-only: 100 % of the fits chose 1, the smallest of "
                                    "obs_only.rho"));
    cr_expect_null(strstr(text, "grounded: "));
    cr_expect_null(strstr(text, "representation-exp: "));
    struct csv_records t = made_table(folder, "tuning");
    cr_expect_eq(csv_value(&t, "exp-only", "ρ = 1 (%)", "all"), 100.0, "a list is a choice");
    csv_free(&t);
}

/* λ = 1 is as far as λ goes. */
Test(blocks, an_end_that_nothing_lies_beyond_is_not_named)
{
    m.config = ",\"cvci.lambda\":[0,1],\"exp_only.rho\":[1,1000000000]";
    made_up_write(&m, folder);
    cr_expect_null(strstr(markdown("tuning"), "cvci: "));
    cr_expect_not_null(strstr(markdown("tuning"), "exp-only: 100 % of the fits chose 1"));
}

Test(blocks, only_variants_leave_the_ranks_empty)
{
    m.families[0] = "grounded-linear";
    m.families[1] = "grounded-anchored";
    m.n_families = 2;
    made_up_write(&m, folder);
    const char *const *names = NULL;
    size_t n = regret_report_tables(&names);
    for (size_t i = 0; i < n; i++) {
        cr_expect_null(strstr(markdown(names[i]), "nan"), "%s", names[i]);
    }
    cr_expect_not_null(strstr(markdown("grounded"), "| grounded-anchored |"));
    cr_expect_null(strstr(markdown("summary"), "grounded"));
}

Test(blocks, real_and_synthetic_are_said_in_every_table)
{
    const char *const *names = NULL;
    size_t n = regret_report_tables(&names);
    for (int synthetic = 0; synthetic < 2; synthetic++) {
        m.synthetic = synthetic;
        made_up_write(&m, folder);
        for (size_t i = 0; i < n; i++) {
            const char *text = markdown(names[i]);
            cr_expect_eq(strstr(text, "SYNTHETIC") != NULL, synthetic, "%s", names[i]);
            cr_expect_eq(strstr(text, "(real task)") != NULL, !synthetic, "%s", names[i]);
        }
    }
}

static int skip_cell(const char *family, size_t cell, size_t seed)
{
    (void)family;
    return cell == 2 && seed == 4;
}

static double seed_sum(size_t f, size_t seed)
{
    double sum = 0.0;
    for (size_t c = 0; c < made_cells(&m); c++) {
        sum += made_regret(&m, f, c, seed);
    }
    return sum;
}

Test(blocks, gaps_are_noted_and_means_use_what_is_there)
{
    m.n_maps = m.n_betas = 1;
    m.skip = skip_cell;
    made_up_write(&m, folder);
    const char *const *names = NULL;
    size_t n = regret_report_tables(&names);
    for (size_t i = 0; i < n; i++) {
        int noted = strstr(markdown(names[i]),
                           "INCOMPLETE: 23 of 24 replicates; missing: cell 2 seed 4.") != NULL;
        cr_expect_eq(noted, strcmp(names[i], "means") != 0, "%s: means are of the pool", names[i]);
    }
    /* exp-only: cells 0, 1, 3 have six seeds, cell 2 five; the error uses the five whole seeds. */
    double mean = 0.0, of_seeds[5], centre = 0.0, squares = 0.0;
    for (size_t c = 0; c < 4; c++) {
        for (size_t s = 0; s < 6; s++) {
            mean += skip_cell("", c, s) ? 0.0 : made_regret(&m, 0, c, s) / (c == 2 ? 20.0 : 24.0);
        }
    }
    for (size_t s = 0, k = 0; s < 6; s++) {
        if (s != 4) {
            of_seeds[k++] = seed_sum(0, s) / 4.0;
        }
    }
    for (size_t k = 0; k < 5; k++) {
        centre += of_seeds[k] / 5.0;
    }
    for (size_t k = 0; k < 5; k++) {
        squares += (of_seeds[k] - centre) * (of_seeds[k] - centre);
    }
    struct csv_records t = made_table(folder, "summary");
    const char *block = "4 of 4 cells ranked", *column = "Mean regret ± SE";
    cr_expect_lt(fabs(csv_value(&t, block, "exp-only", column) - mean), 1e-15);
    cr_expect_lt(fabs(csv_se(&t, block, "exp-only", column) - sqrt(squares / 20.0)), 1e-15);
    csv_free(&t);
}

/* A cell in which one family has no rows at all cannot be ranked. */
static int skip_family(const char *family, size_t cell, size_t seed)
{
    (void)seed;
    return cell == 1 && strcmp(family, "cvci") == 0;
}

Test(blocks, cells_without_a_family_are_not_ranked)
{
    m.n_maps = m.n_betas = 1;
    m.skip = skip_family;
    made_up_write(&m, folder);
    struct csv_records t = made_table(folder, "summary");
    double ranks = 0.0;
    static const char *const ranked[] = {"exp-only", "obs-only", "representation-exp",
                                         "grounded", "cvci",     "cvci-residual"};
    for (size_t i = 0; i < 6; i++) {
        ranks += csv_value(&t, "3 of 4 cells ranked", ranked[i], "Avg. rank");
    }
    cr_expect_lt(fabs(ranks - 21.0), 1e-12);
    csv_free(&t);
}

Test(blocks, without_beta_an_extra_key_is_the_column)
{
    m.agent_key = 1;
    m.n_betas = 1;
    made_up_write(&m, folder);
    struct csv_records t = made_table(folder, "winners");
    cr_expect(csv_find(&t, "reward.map = smooth", "n_obs 5000, n_exp 800", "features.agent true") >
              0);
    csv_free(&t);
}
