/* The evidence of claims, and the table dr-regime, recomputed by plain loops over the made-up
 * function. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv_records.h"
#include "made_up.h"
#include "regret/file.h"

enum { N_SEEDS = 12, N_RANKED = 6, EXP_ONLY = 0, OBS_ONLY = 1, GROUNDED = 3, LINEAR = 4, CVCI = 6 };
/* Positions of the ranked and of the OBS-based families among the default's eight. */
static const size_t ranked[N_RANKED] = {0, 1, 2, 3, 6, 7};
static const size_t obs_based[] = {1, 3, 6, 7};

static char folder[64];
static struct made_up m;
static struct csv_records table;

static void setup(void)
{
    made_folder(folder);
    m = made_up_default();
    m.n_seeds = N_SEEDS;
    m.n_exp = 3;
    made_up_write(&m, folder);
    table = made_table(folder, "claims");
}

static void teardown(void)
{
    csv_free(&table);
    cr_assert_eq(regret_folder_remove(folder), 0);
}

TestSuite(naive_claims, .init = setup, .fini = teardown);

static double at(enum regret_measure k, size_t f, size_t cell, size_t seed)
{
    return made_value(&m, k, f, cell, seed);
}

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
    check(block, claim, shown,
          below > 0    ? "does not hold"
          : above == n ? "holds"
                       : "not separable");
}

static double rank_of(size_t f, size_t cell, size_t seed)
{
    double rank = 1.0;
    for (size_t i = 0; i < N_RANKED; i++) {
        rank += at(REGRET_MEASURE_REGRET, ranked[i], cell, seed) <
                at(REGRET_MEASURE_REGRET, f, cell, seed);
    }
    return rank;
}

Test(naive_claims, ranks)
{
    struct interval ranks[N_RANKED - 1], regrets[N_RANKED - 1];
    size_t n = 0;
    for (size_t i = 0; i < N_RANKED; i++) {
        double by_rank[N_SEEDS] = {0}, by_regret[N_SEEDS];
        for (size_t s = 0; s < N_SEEDS; s++) {
            for (size_t c = 0; c < made_cells(&m); c++) {
                by_rank[s] +=
                    (rank_of(ranked[i], c, s) - rank_of(CVCI, c, s)) / (double)made_cells(&m);
            }
            by_regret[s] = seed_mean(REGRET_MEASURE_REGRET, ranked[i], s, NULL) -
                           seed_mean(REGRET_MEASURE_REGRET, CVCI, s, NULL);
        }
        if (ranked[i] != CVCI) {
            ranks[n] = naive_interval(by_rank, N_SEEDS);
            regrets[n++] = naive_interval(by_regret, N_SEEDS);
        }
    }
    check_parts("families' ranks", "cvci-best-rank", ranks, n);
    check_parts("families' ranks", "cvci-lowest-regret", regrets, n);
}

static double cell_mean(size_t f, size_t cell)
{
    double sum = 0.0;
    for (size_t s = 0; s < N_SEEDS; s++) {
        sum += at(REGRET_MEASURE_REGRET, f, cell, s) / N_SEEDS;
    }
    return sum;
}

Test(naive_claims, excess)
{
    struct interval parts[N_RANKED - 1];
    size_t n = 0;
    for (size_t i = 0; i < N_RANKED; i++) {
        double d[N_SEEDS] = {0};
        for (size_t c = 0; c < made_cells(&m); c++) {
            double best = INFINITY;
            for (size_t j = 0; j < N_RANKED; j++) {
                best = fmin(best, cell_mean(ranked[j], c));
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
        d[s] = seed_mean(REGRET_MEASURE_REGRET, EXP_ONLY, s, smooth_first_exp) -
               seed_mean(REGRET_MEASURE_REGRET, EXP_ONLY, s, smooth_last_exp) -
               seed_mean(REGRET_MEASURE_REGRET, EXP_ONLY, s, smooth_first_obs) +
               seed_mean(REGRET_MEASURE_REGRET, EXP_ONLY, s, smooth_last_obs);
    }
    struct interval i = naive_interval(d, N_SEEDS);
    check("budgets", "exp-buys-more-exp-only", i, word(i));
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
        scarce[s] = seed_mean(REGRET_MEASURE_REGRET, EXP_ONLY, s, first_exp) -
                    chosen_elsewhere(obs_based, 4, s, first_exp);
        closing[s] = scarce[s] - seed_mean(REGRET_MEASURE_REGRET, EXP_ONLY, s, last_exp) +
                     chosen_elsewhere(obs_based, 4, s, last_exp);
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

Test(naive_claims, trends_are_least_squares_slopes)
{
    double lambda[N_SEEDS], gain[N_SEEDS];
    int (*const betas[])(struct made_cell) = {first_beta, second_beta, last_beta};
    int (*const exps[])(struct made_cell) = {first_exp, second_exp, last_exp};
    for (size_t s = 0; s < N_SEEDS; s++) {
        double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, u = 0.0, v = 0.0, uu = 0.0, uv = 0.0;
        for (size_t i = 0; i < 3; i++) {
            double l = seed_mean(REGRET_MEASURE_LAMBDA, CVCI, s, betas[i]), b = made_beta(i);
            double e = log(made_exp(i)),
                   g = seed_mean(REGRET_MEASURE_DM_RMSE, OBS_ONLY, s, exps[i]) -
                       seed_mean(REGRET_MEASURE_DR_RMSE, OBS_ONLY, s, exps[i]);
            x += b, y += l, xx += b * b, xy += b * l;
            u += e, v += g, uu += e * e, uv += e * g;
        }
        lambda[s] = -(3.0 * xy - x * y) / (3.0 * xx - x * x);
        gain[s] = (3.0 * uv - u * v) / (3.0 * uu - u * u);
    }
    struct interval i = naive_interval(lambda, N_SEEDS);
    check("hyper-parameters", "lambda-falls", i, word(i));
    i = naive_interval(gain, N_SEEDS);
    check("values", "dr-helps-obs-only-more", i, word(i));
}

Test(naive_claims, shares_of_cells)
{
    double d[N_SEEDS] = {0};
    for (size_t s = 0; s < N_SEEDS; s++) {
        for (size_t c = 0; c < made_cells(&m); c++) {
            d[s] += ((at(REGRET_MEASURE_REGRET, GROUNDED, c, s) <
                      at(REGRET_MEASURE_REGRET, LINEAR, c, s)) -
                     0.5) /
                    (double)made_cells(&m);
        }
    }
    struct interval i = naive_interval(d, N_SEEDS);
    check("grounded variants", "rich-wins-cells", i, word(i));
}

Test(naive_claims, following_the_ranking)
{
    double d[N_SEEDS];
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
    check("ranking against regret", "ranking-misleads", i, word(i));
}

/* ---------------------------------------------------------------- dr-regime */

static const char *markdown(void)
{
    return made_markdown(folder, "dr-regime");
}

Test(naive_claims, dr_regime_is_recomputed)
{
    int (*const exps[])(struct made_cell) = {first_exp, second_exp, last_exp};
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
