/* The tables along the reward design, alignment and crossover, against plain loops; and what stands
 * in them where an unfinished run has no rows. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "csv_records.h"
#include "made_run.h"

enum { EXP_ONLY, OBS_ONLY, REPRESENTATION, GROUNDED, CVCI = 6, RESIDUAL };
enum { FIT_PROXY = 4, FIT_COMPONENTS, FIT_SUCCESS }; /* behind the families */
enum { ANY = 9 };

static void setup(void)
{
    made_begin();
    m.n_fixes = 3;
    m.n_omegas = 2;
    m.n_maps = 1;
    m.n_betas = 1;
    m.n_obs = 1;
    m.success = 1;
}

TestSuite(design, .init = setup, .fini = made_end);

/* Mean over the seeds, and over the cells of one λ_fix and one ω. */
static double seed_mean(size_t fix, size_t omega, enum regret_measure k, size_t subject, size_t s)
{
    double sum = 0.0, n = 0.0;
    for (size_t c = 0; c < made_cells(&m); c++) {
        struct made_cell where = made_cell(&m, c);
        if ((fix == ANY || where.fix == fix) && (omega == ANY || where.omega == omega)) {
            sum += made_value(&m, k, subject, c, s);
            n += 1.0;
        }
    }
    return sum / n;
}

static double mean_of(size_t fix, size_t omega, enum regret_measure k, size_t subject)
{
    double sum = 0.0;
    for (size_t s = 0; s < m.n_seeds; s++) {
        sum += seed_mean(fix, omega, k, subject, s) / (double)m.n_seeds;
    }
    return sum;
}

/* Standard error over the seeds of subject a less subject b, or of a alone where b is `a`. */
static double se_of(size_t fix, size_t omega, enum regret_measure k, size_t a, size_t b)
{
    double x[64], mean = 0.0, squares = 0.0, n = (double)m.n_seeds;
    for (size_t s = 0; s < m.n_seeds; s++) {
        x[s] = seed_mean(fix, omega, k, a, s) - (a == b ? 0.0 : seed_mean(fix, omega, k, b, s));
        mean += x[s] / n;
    }
    for (size_t s = 0; s < m.n_seeds; s++) {
        squares += (x[s] - mean) * (x[s] - mean);
    }
    return sqrt(squares / (n - 1.0) / n);
}

static void near(double x, double y, const char *what)
{
    cr_expect(fabs(x - y) <= 1e-12, "%s: %.17g, not %.17g", what, x, y);
}

static void check_alignment(const struct csv_records *t, const char *block, size_t fix,
                            size_t omega)
{
    static const char *const rows[] = {"proxy", "components", "success", "patch-statistics"};
    char column[32], clipped[32];
    snprintf(column, sizeof column, "λ_fix %g", made_design(fix));
    for (size_t i = 0; i < 4; i++) {
        size_t subject = m.n_families + FIT_PROXY + i;
        near(csv_value(t, block, rows[i], column), mean_of(fix, omega, REGRET_MEASURE_R2, subject),
             rows[i]);
        near(csv_se(t, block, rows[i], column),
             se_of(fix, omega, REGRET_MEASURE_R2, subject, subject), rows[i]);
        snprintf(clipped, sizeof clipped, "clipped: %s", rows[i]);
        near(csv_value(t, block, clipped, column),
             mean_of(fix, omega, REGRET_MEASURE_R2_CLIPPED, subject), clipped);
    }
}

static const char ADDITIVE[] = "additive scoring, ω = 0";

Test(design, alignment_is_recomputed)
{
    made_up_write(&m, folder);
    struct csv_records t = made_table(folder, "alignment");
    for (size_t fix = 0; fix < 3; fix++) {
        check_alignment(&t, "", fix, ANY);
        check_alignment(&t, ADDITIVE, fix, 0);
    }
    csv_free(&t);
    m.n_omegas = 0; /* the whole run is of one ω: no slice of it */
    made_up_write(&m, folder);
    t = made_table(folder, "alignment");
    check_alignment(&t, "", 1, ANY);
    cr_expect_eq(csv_find(&t, ADDITIVE, "proxy", "λ_fix 0"), -1);
    csv_free(&t);
}

static size_t best_obs_based(size_t fix, size_t omega)
{
    static const size_t obs_based[] = {OBS_ONLY, GROUNDED, CVCI, RESIDUAL};
    size_t best = OBS_ONLY;
    for (size_t i = 1; i < 4; i++) {
        if (mean_of(fix, omega, REGRET_MEASURE_REGRET, obs_based[i]) <
            mean_of(fix, omega, REGRET_MEASURE_REGRET, best)) {
            best = obs_based[i];
        }
    }
    return best;
}

static void check_crossing(const struct csv_records *t, const char *block, const char *symbol,
                           size_t fix, size_t omega, size_t minuend, size_t subtrahend)
{
    char column[32];
    const char *other = m.families[subtrahend];
    int by_fix = strcmp(symbol, "ω") != 0;
    snprintf(column, sizeof column, "%s %g", symbol, made_design(by_fix ? fix : omega));
    double a = mean_of(fix, omega, REGRET_MEASURE_REGRET, minuend);
    double b = mean_of(fix, omega, REGRET_MEASURE_REGRET, subtrahend);
    near(csv_value(t, block, m.families[minuend], column), a, column);
    near(csv_se(t, block, m.families[minuend], column),
         se_of(fix, omega, REGRET_MEASURE_REGRET, minuend, minuend), column);
    if (by_fix) {
        cr_expect_str_eq(csv_text(t, block, "best OBS-based method", column), other);
        other = "best OBS-based method";
    }
    near(csv_value(t, block, other, column), b, column);
    near(csv_value(t, block, "difference", column), a - b, column);
    near(csv_se(t, block, "difference", column),
         se_of(fix, omega, REGRET_MEASURE_REGRET, minuend, subtrahend), column);
}

static const char BY_FIX[] = "representation-exp minus the best OBS-based method along λ_fix";
static const char BY_FIX_ADDITIVE[] = "the same of additive scoring, ω = 0";
static const char BY_OMEGA[] = "grounded minus obs-only along ω";
static const char BY_OMEGA_QUALITY[] = "the same without weight of success, λ_fix = 0";

Test(design, crossover_is_recomputed)
{
    made_up_write(&m, folder);
    struct csv_records t = made_table(folder, "crossover");
    for (size_t fix = 0; fix < 3; fix++) {
        check_crossing(&t, BY_FIX, "λ_fix", fix, ANY, REPRESENTATION, best_obs_based(fix, ANY));
        check_crossing(&t, BY_FIX_ADDITIVE, "λ_fix", fix, 0, REPRESENTATION,
                       best_obs_based(fix, 0));
    }
    for (size_t omega = 0; omega < 2; omega++) {
        check_crossing(&t, BY_OMEGA, "ω", ANY, omega, GROUNDED, OBS_ONLY);
        check_crossing(&t, BY_OMEGA_QUALITY, "ω", 0, omega, GROUNDED, OBS_ONLY);
    }
    csv_free(&t);
}

/* No OBS-based family has rows yet at the middle λ_fix. */
static int nothing_in_the_middle(const char *family, size_t cell, size_t seed)
{
    (void)seed;
    int obs_based = strcmp(family, "obs-only") == 0 || strncmp(family, "grounded", 8) == 0 ||
                    strncmp(family, "cvci", 4) == 0;
    return obs_based && made_cell(&m, cell).fix == 1;
}

/* A difference that cannot be had is left empty, not that of the column before. */
Test(design, an_unfinished_column_has_no_difference)
{
    m.skip = nothing_in_the_middle;
    made_up_write(&m, folder);
    struct csv_records t = made_table(folder, "crossover");
    cr_expect(isnan(csv_value(&t, BY_FIX, "best OBS-based method", "λ_fix 0.5")));
    cr_expect(isnan(csv_value(&t, BY_FIX, "difference", "λ_fix 0.5")), "%g",
              csv_value(&t, BY_FIX, "difference", "λ_fix 0.5"));
    cr_expect(!isnan(csv_value(&t, BY_FIX, "difference", "λ_fix 0")));
    cr_expect(!isnan(csv_value(&t, BY_FIX, "difference", "λ_fix 1")));
    csv_free(&t);
}

static void expect_note(const char *table, const char *note)
{
    made_up_write(&m, folder);
    struct csv_records t = made_table(folder, table);
    int found = 0;
    for (size_t i = 0; i < t.n; i++) {
        found |= t.widths[i] > 5 && strcmp(t.fields[i][0], "note") == 0 &&
                 strstr(t.fields[i][5], note) != NULL;
    }
    cr_expect(found, "no note \"%s\" in %s", note, table);
    csv_free(&t);
}

Test(design, runs_without_a_design_say_so)
{
    m.n_fixes = 0;
    expect_note("alignment", "This run does not sweep reward.lambda_fix");
    m.n_omegas = 0;
    expect_note("crossover", "This run sweeps neither reward.lambda_fix nor reward.omega");
}

/* Only ω is swept: its block alone stands there. */
Test(design, one_key_gives_one_block)
{
    m.n_fixes = 0;
    m.n_omegas = 3;
    made_up_write(&m, folder);
    struct csv_records t = made_table(folder, "crossover");
    for (size_t omega = 0; omega < 3; omega++) {
        check_crossing(&t, BY_OMEGA, "ω", ANY, omega, GROUNDED, OBS_ONLY);
    }
    cr_expect_eq(csv_find(&t, BY_FIX, "difference", "λ_fix 0"), -1);
    cr_expect_eq(csv_find(&t, BY_FIX_ADDITIVE, "difference", "λ_fix 0"), -1);
    cr_expect_eq(csv_find(&t, BY_OMEGA_QUALITY, "difference", "ω 0"), -1, "no λ_fix is swept");
    csv_free(&t);
}
