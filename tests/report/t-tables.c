/* Winners are corrected for their number; the tables' numbers are recomputed by tests/outside/check_tables.py. */
#include <criterion/criterion.h>
#include <math.h>

#include "csv_records.h"
#include "made_run.h"
#include "stats/distributions.h"

TestSuite(tables, .init = made_begin, .fini = made_end);

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
