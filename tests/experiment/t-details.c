/* The lists of rows: half-widths, and where there are none; tests/outside/check_restricted.py and check_export.py recompute them. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/exported.h"
#include "experiment/fixture.h"
#include "regret/status.h"

TestSuite(details, .init = fixture_open, .fini = fixture_close);

enum { AGENTS = 4, CELL = 1, SEED = 1, FAMILIES = 6 };

static struct regret_list_view list_of(const struct regret_results *r, enum regret_list list,
                                       size_t subject)
{
    return regret_results_list(r, list, subject, CELL, SEED);
}

/* The half-widths are those of the intervals of the export, but for the noise of its 2,000 resamples. */
Test(details, intervals_are_those_of_the_export)
{
    struct exported e;
    struct regret_results *r = NULL;
    size_t rows = 0;
    const char *const set[] = {"n_exp=400"};
    fixture_make_with("r", set, 1);
    cr_assert_eq(
        regret_export_cell(sample_path("e"), fixture_config(), set, 1, CELL, SEED, 0, 0, NULL), 0);
    exported_open(&e, "e");
    cr_assert_eq(regret_results_read(&r, sample_path("r")), 0);
    double *low = exported_column(&rows, &e, "intervals.csv", 3);
    double *high = exported_column(&rows, &e, "intervals.csv", 4);
    cr_assert_eq(rows, (size_t)FAMILIES * 3 * AGENTS);
    for (size_t i = 0; i < rows; i++) {
        struct regret_list_view half =
            list_of(r, REGRET_LIST_DM_HALF + i / AGENTS % 3, i / ((size_t)3 * AGENTS));
        double wanted = 0.5 * (high[i] - low[i]);
        cr_assert_float_eq(half.number[i % AGENTS], wanted, 0.15 * wanted, "%zu: %g, not %g", i,
                           half.number[i % AGENTS], wanted);
    }
    free(low);
    free(high);
    exported_close(&e);
    regret_results_free(r);
}

Test(details, are_left_out_where_they_are_not_wanted)
{
    struct regret_run_options o = fixture_options("r");
    struct regret_results *r = NULL;
    const char *sets[] = {"details=false"};
    o.sets = sets;
    o.n_sets = 1;
    fixture_run(&o);
    cr_assert_eq(regret_results_read(&r, sample_path("r")), 0, "%s", regret_error_message());
    for (size_t list = 0; list < REGRET_N_LISTS; list++) {
        for (size_t i = 0; i < r->n_subjects; i++) {
            cr_assert_eq(list_of(r, (enum regret_list)list, i).n, 0);
        }
    }
    regret_results_free(r);
    sets[0] = "values.enabled=false"; /* DM alone */
    o = fixture_options("v");
    o.sets = sets;
    o.n_sets = 1;
    fixture_run(&o);
    cr_assert_eq(regret_results_read(&r, sample_path("v")), 0, "%s", regret_error_message());
    cr_assert_eq(list_of(r, REGRET_LIST_DM, 0).n, AGENTS);
    cr_assert_eq(list_of(r, REGRET_LIST_DM_HALF, 0).n, 0);
    cr_assert_eq(list_of(r, REGRET_LIST_DR, 0).n, 0);
    cr_assert_eq(list_of(r, REGRET_LIST_SNDR_HALF, 0).n, 0);
    regret_results_free(r);
}

/* Cells of different grids: each row numbers the contexts of its own. */
Test(details, of_cells_with_grids_of_their_own)
{
    struct regret_run_options o = fixture_options("r");
    struct regret_results *r = NULL;
    const char *const sets[] = {"sweep.contexts.hard=[5,0]", "sweep.features.shape=[1,0]"};
    o.sets = sets;
    o.n_sets = 2;
    fixture_run(&o);
    cr_assert_eq(regret_results_read(&r, sample_path("r")), 0, "%s", regret_error_message());
    size_t hard = regret_results_find_key(r, "contexts.hard");
    cr_assert_eq(r->n_grids, 2);
    for (size_t c = 0; c < r->n_cells; c++) {
        const struct regret_run_grid *grid = &r->grids[r->cell_grid[c]];
        int all = strcmp(regret_results_key_text(r, c, hard), "0") == 0;
        cr_assert_eq(grid->n_contexts, all ? 8 : 5);
        cr_assert_eq(grid->n_agents, AGENTS);
        cr_assert(strlen(grid->agents[0]) > 0 && strlen(grid->contexts[0]) > 0);
    }
    regret_results_free(r);
}
