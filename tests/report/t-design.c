/* What stands in the tables along the reward design, alignment and crossover, where a run sweeps less, or is unfinished. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "csv_records.h"
#include "made_run.h"

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

static const char BY_FIX[] = "representation-exp minus the best OBS-based method along λ_fix";
static const char BY_FIX_ADDITIVE[] = "the same of additive scoring, ω = 0";
static const char BY_OMEGA[] = "grounded minus obs-only along ω";
static const char BY_OMEGA_QUALITY[] = "the same without weight of success, λ_fix = 0";

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
    cr_expect(!isnan(csv_value(&t, BY_OMEGA, "difference", "ω 1")));
    cr_expect_eq(csv_find(&t, BY_FIX, "difference", "λ_fix 0"), -1);
    cr_expect_eq(csv_find(&t, BY_FIX_ADDITIVE, "difference", "λ_fix 0"), -1);
    cr_expect_eq(csv_find(&t, BY_OMEGA_QUALITY, "difference", "ω 0"), -1, "no λ_fix is swept");
    csv_free(&t);
}
