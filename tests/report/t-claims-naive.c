/* The evidence of claims, and the table dr-regime, recomputed by plain loops over the made-up
 * function. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv_records.h"
#include "made_run.h"
#include "regret/rng.h"

enum {
    N_SEEDS = 12,
    N_RANKED = 6,
    EXP_ONLY = 0,
    OBS_ONLY = 1,
    REPRESENTATION = 2,
    GROUNDED = 3,
    LINEAR = 4,
    CVCI = 6
};
/* Positions of the ranked and of the OBS-based families among the default's eight. */
static const size_t ranked[N_RANKED] = {0, 1, 2, 3, 6, 7};
static const size_t obs_based[] = {1, 3, 6, 7};

static struct csv_records table;
static double regrets[8][36][N_SEEDS]; /* of the run: resamples ask for them millions of times */

static double at(enum regret_measure k, size_t f, size_t cell, size_t seed)
{
    return made_value(&m, k, f, cell, seed);
}

static void write_run(void)
{
    made_up_write(&m, folder);
    table = made_table(folder, "claims");
    for (size_t i = 0; i < m.n_families * made_cells(&m) * N_SEEDS; i++) {
        size_t f = i / N_SEEDS / made_cells(&m), cell = i / N_SEEDS % made_cells(&m);
        regrets[f][cell][i % N_SEEDS] = at(REGRET_MEASURE_REGRET, f, cell, i % N_SEEDS);
    }
}

static void setup(void)
{
    made_begin();
    m.n_seeds = N_SEEDS;
    m.n_exp = 3;
    write_run();
}

static void teardown(void)
{
    csv_free(&table);
    made_end();
}

TestSuite(naive_claims, .init = setup, .fini = teardown);

static double seed_mean(enum regret_measure k, size_t f, size_t seed,
                        int (*inside)(struct made_cell))
{
    double sum = 0.0, n = 0.0;
    for (size_t c = 0; c < made_cells(&m); c++) {
        if (inside == NULL || inside(made_cell(&m, c))) {
            sum += at(k, f, c, seed);
            n += 1.0;
        }
    }
    return sum / n;
}

static int smooth_first_exp(struct made_cell c)
{
    return c.map == 0 && c.exp == 0;
}
static int smooth_last_exp(struct made_cell c)
{
    return c.map == 0 && c.exp == 2;
}
static int smooth_first_obs(struct made_cell c)
{
    return c.map == 0 && c.obs == 0;
}
static int smooth_last_obs(struct made_cell c)
{
    return c.map == 0 && c.obs == 1;
}
static int first_exp(struct made_cell c)
{
    return c.exp == 0;
}
static int second_exp(struct made_cell c)
{
    return c.exp == 1;
}
static int last_exp(struct made_cell c)
{
    return c.exp == 2;
}
static int first_beta(struct made_cell c)
{
    return c.beta == 0;
}
static int second_beta(struct made_cell c)
{
    return c.beta == 1;
}
static int last_beta(struct made_cell c)
{
    return c.beta == 2;
}

/* The run anew, with another shape. */
static void write_again(void)
{
    csv_free(&table);
    write_run();
}

static void check(const char *block, const char *claim, struct interval i, const char *verdict)
{
    cr_expect_float_eq(csv_value(&table, block, claim, "Evidence"), i.mean, 1e-9, "%s", claim);
    cr_expect_float_eq(csv_value(&table, block, claim, "95 % low"), i.low, 1e-9, "%s", claim);
    cr_expect_float_eq(csv_value(&table, block, claim, "95 % high"), i.high, 1e-9, "%s", claim);
    cr_expect_str_eq(csv_text(&table, block, claim, "Verdict"), verdict, "%s", claim);
}

static const char *word(struct interval i)
{
    return i.low > 0.0 ? "holds" : i.high < 0.0 ? "does not hold" : "not separable";
}

static const char *verdict_of(size_t above, size_t below, size_t n)
{
    return above == n               ? "holds"
           : above > 0 && below > 0 ? "mixed"
           : above > 0              ? "partly"
           : below > 0              ? "does not hold"
                                    : "not separable";
}

/* Of several parts the one that decides, and the verdict on them all. */
static void check_parts(const char *block, const char *claim, const struct interval *parts,
                        size_t n)
{
    struct interval shown = parts[0];
    size_t above = 0, below = 0;
    for (size_t i = 0; i < n; i++) {
        above += parts[i].low > 0.0;
        below += parts[i].high < 0.0;
    }
    for (size_t i = 1; i < n; i++) {
        if (below > 0 ? parts[i].high < shown.high : parts[i].low < shown.low) {
            shown = parts[i];
        }
    }
    check(block, claim, shown, verdict_of(above, below, n));
}

static double cell_mean(size_t f, size_t cell, const size_t *drawn)
{
    double sum = 0.0;
    for (size_t s = 0; s < N_SEEDS; s++) {
        sum += regrets[f][cell][drawn[s]] / N_SEEDS;
    }
    return sum;
}

/* Of all seeds (b < 0), or those of resample b. */
static void draw_seeds(size_t *drawn, long b)
{
    struct regret_rng r = regret_rng_at(0, REGRET_RNG_BOOTSTRAP, (uint64_t)b);
    for (size_t s = 0; s < N_SEEDS; s++) {
        drawn[s] = b < 0 ? s : regret_rng_below(&r, N_SEEDS);
    }
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A statistic of the mean regrets in resamples of the seeds. */
static struct interval resampled(double (*statistic)(const size_t *drawn, size_t rival),
                                 size_t rival)
{
    static double y[2000];
    size_t drawn[N_SEEDS];
    struct interval i = {0};
    draw_seeds(drawn, -1);
    i.mean = statistic(drawn, rival);
    for (long b = 0; b < 2000; b++) {
        draw_seeds(drawn, b);
        y[b] = statistic(drawn, rival);
    }
    qsort(y, 2000, sizeof *y, by_size);
    i.low = y[49] + 0.975 * (y[50] - y[49]);
    i.high = y[1949] + 0.025 * (y[1950] - y[1949]);
    return i;
}

static double rank_of(size_t f, size_t cell, const size_t *drawn)
{
    double rank = 1.0;
    for (size_t i = 0; i < N_RANKED; i++) {
        rank += cell_mean(ranked[i], cell, drawn) < cell_mean(f, cell, drawn);
    }
    return rank;
}

static double rank_ahead(const size_t *drawn, size_t rival)
{
    double sum = 0.0;
    for (size_t c = 0; c < made_cells(&m); c++) {
        sum += (rank_of(rival, c, drawn) - rank_of(CVCI, c, drawn)) / (double)made_cells(&m);
    }
    return sum;
}

static double top3_ahead(const size_t *drawn, size_t rival)
{
    double sum = 0.0;
    for (size_t c = 0; c < made_cells(&m); c++) {
        sum += (rank_of(CVCI, c, drawn) <= 3.0) - (rank_of(rival, c, drawn) <= 3.0);
    }
    return sum;
}

Test(naive_claims, ranks_are_of_cell_means)
{
    struct interval ranks[N_RANKED], top3[N_RANKED];
    size_t n = 0;
    m.n_exp = 2;
    m.n_betas = 2;
    write_again();
    for (size_t i = 0; i < N_RANKED; i++) {
        if (ranked[i] != CVCI) {
            ranks[n] = resampled(rank_ahead, ranked[i]);
            top3[n++] = resampled(top3_ahead, ranked[i]);
        }
    }
    check_parts("families' ranks", "cvci-best-rank", ranks, n);
    check_parts("families' ranks", "cvci-most-top3", top3, n);
}

/* Cells that GROUNDED wins among itself and the rival, less half of them. */
static double wins_ahead(const size_t *drawn, size_t rival)
{
    double wins = 0.0;
    for (size_t c = 0; c < made_cells(&m); c++) {
        double d = cell_mean(rival, c, drawn) - cell_mean(GROUNDED, c, drawn);
        wins += d > 0.0 ? 1.0 : -1.0;
    }
    return wins;
}

/* Cells that the rival wins among all ranked, less those that GROUNDED does. */
static double fewer_wins(const size_t *drawn, size_t rival)
{
    double wins = 0.0;
    for (size_t c = 0; c < made_cells(&m); c++) {
        wins += (rank_of(rival, c, drawn) < 1.5) - (rank_of(GROUNDED, c, drawn) < 1.5);
    }
    return wins;
}

Test(naive_claims, wins_are_of_cell_means)
{
    struct interval i = resampled(wins_ahead, LINEAR);
    check("grounded variants", "rich-wins-cells", i, word(i));
    m.n_maps = 1;
    write_again();
    i = resampled(fewer_wins, CVCI);
    check("small budgets", "grounded-wins-fewer", i, word(i));
}

static int smooth_large_log_little_exp(struct made_cell c)
{
    return c.map == 0 && c.obs == 1 && c.exp == 0;
}

Test(naive_claims, means_of_the_cells_spoken_of)
{
    struct interval parts[N_RANKED];
    size_t n = 0;
    for (size_t i = 0; i < N_RANKED; i++) {
        double d[N_SEEDS];
        for (size_t s = 0; s < N_SEEDS; s++) {
            d[s] = seed_mean(REGRET_MEASURE_REGRET, ranked[i], s, smooth_large_log_little_exp) -
                   seed_mean(REGRET_MEASURE_REGRET, CVCI, s, smooth_large_log_little_exp);
        }
        if (ranked[i] != CVCI) {
            parts[n++] = naive_interval(d, N_SEEDS);
        }
    }
    check_parts("winners by cell", "cvci-wins-large-log", parts, n);
}

Test(naive_claims, excess)
{
    struct interval parts[N_RANKED - 1];
    size_t n = 0, all[N_SEEDS];
    draw_seeds(all, -1);
    for (size_t i = 0; i < N_RANKED; i++) {
        double d[N_SEEDS] = {0};
        for (size_t c = 0; c < made_cells(&m); c++) {
            double best = INFINITY;
            for (size_t j = 0; j < N_RANKED; j++) {
                best = fmin(best, cell_mean(ranked[j], c, all));
            }
            for (size_t s = 0; s < N_SEEDS; s++) {
                d[s] += 100.0 / (double)made_cells(&m) / best *
                        (at(REGRET_MEASURE_REGRET, ranked[i], c, s) -
                         at(REGRET_MEASURE_REGRET, CVCI, c, s));
            }
        }
        if (ranked[i] != CVCI) {
            parts[n++] = naive_interval(d, N_SEEDS);
        }
    }
    check_parts("families' ranks", "cvci-lowest-excess", parts, n);
}

Test(naive_claims, budgets)
{
    double d[N_SEEDS];
    for (size_t s = 0; s < N_SEEDS; s++) {
        d[s] = seed_mean(REGRET_MEASURE_REGRET, REPRESENTATION, s, smooth_first_exp) -
               seed_mean(REGRET_MEASURE_REGRET, REPRESENTATION, s, smooth_last_exp) -
               seed_mean(REGRET_MEASURE_REGRET, REPRESENTATION, s, smooth_first_obs) +
               seed_mean(REGRET_MEASURE_REGRET, REPRESENTATION, s, smooth_last_obs);
    }
    struct interval i = naive_interval(d, N_SEEDS);
    check("budgets", "exp-buys-more-representation", i, word(i));
}

/* The number, at a seed, of the family lowest on the other seeds. */
static double chosen_elsewhere(const size_t *families, size_t n, size_t seed,
                               int (*inside)(struct made_cell))
{
    double lowest = INFINITY, own = NAN;
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (size_t s = 0; s < N_SEEDS; s++) {
            sum += s == seed ? 0.0 : seed_mean(REGRET_MEASURE_REGRET, families[i], s, inside);
        }
        if (sum < lowest) {
            lowest = sum;
            own = seed_mean(REGRET_MEASURE_REGRET, families[i], seed, inside);
        }
    }
    return own;
}

Test(naive_claims, choices_are_made_on_other_seeds)
{
    double scarce[N_SEEDS], closing[N_SEEDS];
    for (size_t s = 0; s < N_SEEDS; s++) {
        scarce[s] = seed_mean(REGRET_MEASURE_REGRET, EXP_ONLY, s, smooth_first_exp) -
                    chosen_elsewhere(obs_based, 4, s, smooth_first_exp);
        closing[s] = scarce[s] - seed_mean(REGRET_MEASURE_REGRET, EXP_ONLY, s, smooth_last_exp) +
                     chosen_elsewhere(obs_based, 4, s, smooth_last_exp);
    }
    struct interval i = naive_interval(scarce, N_SEEDS);
    check("budgets", "scarce-exp-needs-obs", i, word(i));
    i = naive_interval(closing, N_SEEDS);
    check("budgets", "exp-only-catches-up", i, word(i));
}

static size_t the_cell;
static int only_the_cell(struct made_cell c)
{
    struct made_cell k = made_cell(&m, the_cell);
    return c.map == k.map && c.beta == k.beta && c.obs == k.obs && c.exp == k.exp;
}

Test(naive_claims, choosing_by_cell)
{
    double d[N_SEEDS];
    for (size_t s = 0; s < N_SEEDS; s++) {
        d[s] = chosen_elsewhere(ranked, N_RANKED, s, NULL);
        for (the_cell = 0; the_cell < made_cells(&m); the_cell++) {
            d[s] -= chosen_elsewhere(ranked, N_RANKED, s, only_the_cell) / (double)made_cells(&m);
        }
    }
    struct interval i = naive_interval(d, N_SEEDS);
    check("winners by cell", "no-family-dominates", i, word(i));
}

/* The least-squares slope of three numbers. */
static double slope(const double *x, const double *y)
{
    double mx = (x[0] + x[1] + x[2]) / 3.0, my = (y[0] + y[1] + y[2]) / 3.0, xy = 0.0, xx = 0.0;
    for (size_t i = 0; i < 3; i++) {
        xy += (x[i] - mx) * (y[i] - my);
        xx += (x[i] - mx) * (x[i] - mx);
    }
    return xy / xx;
}

static int (*const betas[])(struct made_cell) = {first_beta, second_beta, last_beta};
static int (*const exps[])(struct made_cell) = {first_exp, second_exp, last_exp};

Test(naive_claims, trends_are_least_squares_slopes)
{
    double d[N_SEEDS], x[3], y[3];
    for (size_t s = 0; s < N_SEEDS; s++) {
        for (size_t i = 0; i < 3; i++) {
            x[i] = made_beta(i);
            y[i] = seed_mean(REGRET_MEASURE_LAMBDA, CVCI, s, betas[i]);
        }
        d[s] = -slope(x, y);
    }
    struct interval i95 = naive_interval(d, N_SEEDS);
    check("ours (not counted)", "lambda-falls", i95, word(i95));
}

/* DR less DM of obs-only at n_exp i. */
static double dr_less_dm(size_t seed, size_t i)
{
    return seed_mean(REGRET_MEASURE_DR_RMSE, OBS_ONLY, seed, exps[i]) -
           seed_mean(REGRET_MEASURE_DM_RMSE, OBS_ONLY, seed, exps[i]);
}

Test(naive_claims, values_at_each_budget_and_along_it)
{
    struct interval parts[3];
    double d[N_SEEDS], trend[N_SEEDS], x[3], y[3];
    m.n_maps = m.n_obs = 1;
    write_again();
    for (size_t i = 0; i < 3; i++) {
        for (size_t s = 0; s < N_SEEDS; s++) {
            d[s] = -dr_less_dm(s, i);
        }
        parts[i] = naive_interval(d, N_SEEDS);
    }
    check_parts("values", "dr-helps-obs-only-throughout", parts, 3);
    for (size_t s = 0; s < N_SEEDS; s++) {
        for (size_t i = 0; i < 3; i++) {
            x[i] = log(made_exp(i));
            y[i] = dr_less_dm(s, i);
        }
        trend[s] = -slope(x, y);
    }
    struct interval i95 = naive_interval(trend, N_SEEDS);
    check("values", "dr-helps-obs-only-more", i95, word(i95));
}

/* cvci's DM error at n_exp i less obs-only's; equal within 5 % of the latter. */
Test(naive_claims, equal_is_within_five_per_cent)
{
    size_t above = 0, below = 0;
    m.n_maps = m.n_obs = 1;
    write_again();
    for (size_t i = 0; i < 3; i++) {
        double d[N_SEEDS], margin = 0.0;
        for (size_t s = 0; s < N_SEEDS; s++) {
            double other = seed_mean(REGRET_MEASURE_DM_RMSE, OBS_ONLY, s, exps[i]);
            d[s] = seed_mean(REGRET_MEASURE_DM_RMSE, CVCI, s, exps[i]) - other;
            margin += 0.05 * other / N_SEEDS;
        }
        struct interval i95 = naive_interval(d, N_SEEDS);
        above += i95.low > -margin && i95.high < margin;
        below += i95.low > margin || i95.high < -margin;
    }
    cr_expect_str_eq(csv_text(&table, "values", "cvci-dm-equals-obs-only", "Verdict"),
                     verdict_of(above, below, 3));
}

Test(naive_claims, following_the_ranking)
{
    double d[N_SEEDS];
    m.n_maps = 1;
    write_again();
    for (size_t s = 0; s < N_SEEDS; s++) {
        double best = -INFINITY, own = NAN;
        for (size_t i = 0; i < N_RANKED; i++) {
            double sum = 0.0;
            for (size_t k = 0; k < N_SEEDS; k++) {
                sum += k == s ? 0.0 : seed_mean(REGRET_MEASURE_TOP1, ranked[i], k, NULL);
            }
            if (sum > best) {
                best = sum;
                own = seed_mean(REGRET_MEASURE_REGRET, ranked[i], s, NULL);
            }
        }
        d[s] = own - chosen_elsewhere(ranked, N_RANKED, s, NULL);
    }
    struct interval i = naive_interval(d, N_SEEDS);
    check("small budgets", "ranking-misleads", i, word(i));
}

/* ---------------------------------------------------------------- power and multiplicity */

/* exp-only's DM error is above the others' by `effect` standard errors of its mean over the seeds. */
static double effect;
static double barely(const struct made_up *made, enum regret_measure k, size_t subject, size_t cell,
                     size_t seed)
{
    /* ± 1 by the seed has the standard error √(n/(n−1)/n) */
    double turn = seed % 2 ? 0.01 : -0.01, se = 0.01 * sqrt(1.0 / (N_SEEDS - 1.0));
    (void)cell;
    return 0.5 +
           (k == REGRET_MEASURE_DM_RMSE && strcmp(made->families[subject % 8], "exp-only") == 0
                ? turn + effect * se
                : 0.0);
}

static void expect_verdicts(const char *raw, const char *holm, const char *bh)
{
    m.n_maps = m.n_obs = 1;
    m.number = barely;
    write_again();
    const char *claim = "exp-only-worst-dm";
    cr_expect_str_eq(csv_text(&table, "values", claim, "Verdict"), raw, "%g", effect);
    cr_expect_str_eq(csv_text(&table, "values", claim, "Holm"), holm, "%g", effect);
    cr_expect_str_eq(csv_text(&table, "values", claim, "Benjamini–Hochberg"), bh, "%g", effect);
}

/* The run makes 38 comparisons, 27 of them of values. Those of exp-only's DM error are 3 (with obs-only, cvci,
 * representation-exp), 1 (the last of these with it) and 4 (with its own DR error), all of one p-value, and
 * the others are of equal numbers: Holm wants 38p and Benjamini-Hochberg 38/8 p at most .05. At 11 degrees of
 * freedom p is .0270 at 2.55, .00816 at 3.22 and .0011 at 4.4. */
Test(naive_claims, corrections_take_back_what_is_barely_separable)
{
    effect = 2.55;
    expect_verdicts("holds", "not separable", "not separable");
    effect = 3.22;
    expect_verdicts("holds", "not separable", "holds");
    effect = 4.4;
    expect_verdicts("holds", "holds", "holds");
    cr_expect_eq(csv_value(&table, "verdicts", "all", "Comparisons"), 38.0);
    effect = -4.4;
    expect_verdicts("does not hold", "does not hold", "does not hold");
}

/* (t_.975 + t_.8) of 11 degrees of freedom: 2.200985 + 0.875530. */
Test(naive_claims, the_least_detectable_difference_is_given)
{
    effect = 0.0;
    expect_verdicts("not separable", "not separable", "not separable");
    cr_expect_float_eq(csv_value(&table, "values", "exp-only-worst-dm", "Detectable"),
                       (2.200985 + 0.875530) * 0.01 * sqrt(1.0 / 11.0), 1e-7);
}

/* ---------------------------------------------------------------- dr-regime */

static const char *markdown(void)
{
    return made_markdown(folder, "dr-regime");
}

Test(naive_claims, dr_regime_is_recomputed)
{
    static const enum regret_measure measures[] = {REGRET_MEASURE_DM_RMSE, REGRET_MEASURE_DR_RMSE,
                                                   REGRET_MEASURE_SNDR_RMSE};
    static const char *const rows[] = {"DM RMSE", "DR RMSE", "SNDR RMSE"};
    static const char *const differences[] = {"", "DR − DM", "SNDR − DM"};
    struct csv_records t = made_table(folder, "dr-regime");
    for (size_t f = 0; f < N_RANKED; f++) {
        const char *name = m.families[ranked[f]];
        for (size_t e = 0; e < 3; e++) {
            char column[32];
            snprintf(column, sizeof column, "n_exp %d", made_exp(e));
            for (size_t k = 0; k < 3; k++) {
                double d[N_SEEDS], y[N_SEEDS];
                for (size_t s = 0; s < N_SEEDS; s++) {
                    y[s] = seed_mean(measures[k], ranked[f], s, exps[e]);
                    d[s] = y[s] - seed_mean(measures[0], ranked[f], s, exps[e]);
                }
                struct interval i = naive_interval(y, N_SEEDS);
                cr_expect_float_eq(csv_value(&t, name, rows[k], column), i.mean, 1e-12);
                cr_expect_float_eq(csv_se(&t, name, rows[k], column), i.se, 1e-12);
                if (k > 0) {
                    i = naive_interval(d, N_SEEDS);
                    cr_expect_float_eq(csv_value(&t, name, differences[k], column), i.mean, 1e-12);
                    cr_expect_float_eq(csv_se(&t, name, differences[k], column), i.se, 1e-12);
                }
            }
        }
    }
    csv_free(&t);
    cr_expect_not_null(strstr(markdown(), "Regime: β 0 to 0.4, n_obs 2000 to 5000, outcome "
                                          "precision not given"));
}

/* DR is 0.01 below DM at n_exp 1600 and above it before; SNDR is as DM, up to the seed. */
static double overtaken(const struct made_up *made, enum regret_measure k, size_t subject,
                        size_t cell, size_t seed)
{
    struct made_cell c = made_cell(made, cell);
    double noise = seed % 2 ? 0.001 : -0.001;
    (void)subject;
    return k == REGRET_MEASURE_DR_RMSE     ? 0.05 + noise + (c.exp == 2 ? -0.01 : 0.01)
           : k == REGRET_MEASURE_SNDR_RMSE ? 0.05 + noise
                                           : 0.05;
}

Test(naive_claims, dr_regime_stresses_what_is_separable)
{
    m.number = overtaken;
    m.first_beta = 4;
    m.n_betas = 2;
    m.config = ",\"outcome.law\":\"none\",\"exp_only.rho\":50";
    made_up_write(&m, folder);
    const char *text = markdown();
    cr_expect_not_null(strstr(text, "| DR − DM | +0.0100 ± 0.0003 | +0.0100 ± 0.0003 | "
                                    "**−0.0100 ± 0.0003** |"));
    cr_expect_not_null(strstr(text, "| SNDR − DM | +0.0000 ± 0.0003 | +0.0000 ± 0.0003 | +0.0000 "
                                    "± 0.0003 |"));
    cr_expect_not_null(strstr(text, "outcomes without noise, penalties exp_only.rho 50, "
                                    "obs_only.rho not given"));
    cr_expect_not_null(strstr(text, ": strong selection, low noise and a deliberate underfit."));
    m.config = ",\"outcome.precision\":25,\"exp_only.rho\":50";
    made_up_write(&m, folder);
    cr_expect_not_null(strstr(markdown(), ": not the one of the paper's F5"));
    /* A controlled world has a precision of its own. */
    m.config = ",\"task\":\"world\",\"outcome.precision\":25,\"world.precision\":400,"
               "\"exp_only.rho\":50";
    made_up_write(&m, folder);
    cr_expect_not_null(strstr(markdown(), "outcome precision 400"));
    cr_expect_not_null(strstr(markdown(), ": strong selection, low noise"));
}

Test(naive_claims, dr_regime_says_what_is_missing)
{
    m.values = 0;
    made_up_write(&m, folder);
    cr_expect_not_null(strstr(markdown(), "no value estimates"));
    m.values = 1;
    m.n_exp = 1;
    made_up_write(&m, folder);
    cr_expect_not_null(strstr(markdown(), "does not sweep n_exp"));
    cr_expect_null(strstr(markdown(), "DM RMSE |"));
}
