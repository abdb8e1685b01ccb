#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "fixture.h"
#include "regret/alloc.h"
#include "regret/rate_study.h"

TestSuite(shift, .fini = scratch_remove);

/* The papers' Tables 3 and 4: a cell of 4,574 and of 2,575 rows. */
Test(shift, counts_of_the_papers)
{
    const char *path = shared_file("synthetic_cells.csv");
    if (path == NULL) {
        cr_skip_test("synthetic_cells.csv is not here");
    }
    struct csv c = csv_read(path);
    cr_assert_eq(c.n_rows, 22);
    for (size_t i = 0; i < c.n_rows; i++) {
        size_t m = strcmp(csv_cell(&c, i, "experiment"), "fig4_imdb") == 0 ? 4574 : 2575;
        struct regret_rate_shift_cells counts[REGRET_RATE_SHIFT_LEVELS];
        regret_rate_shift_counts(counts, (struct regret_rate_shift_cells){m, m, m, m});
        const struct regret_rate_shift_cells *k = &counts[(size_t)csv_number(&c, i, "level")];
        cr_assert_eq(k->a1z1, (size_t)csv_number(&c, i, "a1z1"), "row %zu", i);
        cr_assert_eq(k->a0z1, (size_t)csv_number(&c, i, "a0z1"), "row %zu", i);
        cr_assert_eq(k->a1z0, (size_t)csv_number(&c, i, "a1z0"), "row %zu", i);
        cr_assert_eq(k->a0z0, (size_t)csv_number(&c, i, "a0z0"), "row %zu", i);
    }
    csv_free(&c);
}

/* A few of the same numbers, for where the file is not. */
Test(shift, counts_by_heart)
{
    struct regret_rate_shift_cells counts[REGRET_RATE_SHIFT_LEVELS];
    regret_rate_shift_counts(counts, (struct regret_rate_shift_cells){2575, 2575, 2575, 2575});
    cr_assert(counts[0].a1z1 == 1287 && counts[0].a0z1 == 1287);
    cr_assert(counts[7].a1z1 == 2189 && counts[7].a0z1 == 385);
    cr_assert(counts[10].a0z0 == 2575 && counts[10].a1z0 == 0);
    regret_rate_shift_counts(counts, (struct regret_rate_shift_cells){0, 5, 5, 5});
    for (int i = 0; i < REGRET_RATE_SHIFT_LEVELS; i++) {
        cr_assert(counts[i].a1z1 == 0 && counts[i].a0z1 == 0);
    }
}

Test(shift, counts_fit_their_cells_whatever_the_sizes)
{
    for (size_t m = 2; m < 3000; m += 1 + m / 20) {
        const struct regret_rate_shift_cells sizes = {m, 2 * m, m + 7, m + 1};
        struct regret_rate_shift_cells counts[REGRET_RATE_SHIFT_LEVELS];
        regret_rate_shift_counts(counts, sizes);
        for (int i = 0; i < REGRET_RATE_SHIFT_LEVELS; i++) {
            const struct regret_rate_shift_cells *c = &counts[i];
            cr_assert(c->a1z1 <= m && c->a0z1 <= m && c->a1z0 <= m && c->a0z0 <= m);
            size_t total = c->a1z1 + c->a0z1 + c->a1z0 + c->a0z0;
            cr_assert(total <= 2 * m && total + 4 >= 2 * (m - 1), "m %zu level %d: %zu", m, i,
                      total);
            double share = (double)c->a1z1 / (double)(c->a1z1 + c->a1z0);
            cr_assert_float_eq(share, 0.5 + 0.05 * i, 2.5 / (double)m);
        }
    }
}

/* In the world where the assumptions hold, only the naive estimate follows Z. */
Test(shift, the_naive_estimate_alone_follows_the_shift)
{
    struct regret_rate_rows *rows = NULL;
    struct regret_rate_shift *s = NULL;
    size_t n = 0;
    struct regret_rate_world world = regret_rate_worlds()[0];
    world.p1 = world.p0 = 0.5;
    world.kappa = 0.0;
    cr_assert_eq(regret_rate_world_rows(&rows, &world, 8000, 4, 0), 0);
    const struct regret_rate_options options = {.seed = 1, .threads = 1};
    cr_assert_eq(regret_rate_shift(&s, &n, rows, &options), 0, "%s", regret_error_message());
    cr_assert_eq(n, 1);
    cr_assert_null(s->missing);
    /* P(Z=1|W=1) − P(Z=1|W=0) grows by .1 a level: the slope is γ/10. */
    cr_assert_float_eq(s->naive.slope, 0.1 * world.gamma, 5.0 * s->naive.se + 0.005);
    cr_assert_lt(fabs(s->rate.slope), 0.006);
    for (int i = 0; i < REGRET_RATE_SHIFT_LEVELS; i++) {
        const struct regret_rate_shift_cells *c = &s->counts[i];
        cr_assert_eq(s->levels[i].n_rows, c->a1z1 + c->a0z1 + c->a1z0 + c->a0z0,
                     "level %d used a row twice or lost one", i);
        cr_assert_eq(s->levels[i].n1, c->a1z1 + c->a1z0);
        cr_assert_float_eq(s->levels[i].effects[REGRET_EFFECT_RATE_ATE].estimate, world.tau, 0.08);
    }
    struct regret_rate_shift *again = NULL;
    cr_assert_eq(regret_rate_shift(&again, &n, rows, &options), 0);
    cr_assert_eq(s->levels[5].effects[0].estimate, again->levels[5].effects[0].estimate);
    regret_free(again);
    regret_free(s);
    regret_rate_rows_free(rows);
}

Test(shift, a_group_without_z_is_missing_with_a_reason)
{
    char *jsonl = random_jsonl(50, 3);
    struct regret_rate_rows *rows = rows_of(jsonl);
    struct regret_rate_shift *s = NULL;
    size_t n = 0;
    const struct regret_rate_options options = {.seed = 1, .threads = 1};
    cr_assert_eq(regret_rate_shift(&s, &n, rows, &options), 0);
    cr_assert_eq(n, 2);
    cr_assert_not_null(s[0].missing);
    cr_assert_not_null(s[1].missing);
    regret_free(s);
    regret_rate_rows_free(rows);
    regret_free(jsonl);
}
