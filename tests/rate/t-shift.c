#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "fixture.h"
#include "rate/typos.h"
#include "regret/buffer.h"
#include "regret/status.h"

TestSuite(shift, .fini = scratch_remove);

/* Of the papers' Tables 3 and 4; all of them are golden (t-golden.c). */
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

static struct regret_rate_shift *shift_of(const struct regret_rate_rows *rows, size_t *n,
                                          uint64_t seed)
{
    struct regret_rate_shift *s = NULL;
    const struct regret_rate_options options = {.seed = seed, .threads = 1};
    cr_assert_eq(regret_rate_shift(&s, n, rows, &options), 0, "%s", regret_error_message());
    return s;
}

/* Rows with Z and the scores of m0, and of m1 where `second` says so ("all", "few", "none"). */
static struct regret_rate_rows *rows_with_z(const char *second)
{
    struct regret_buffer t = REGRET_BUFFER_INIT;
    for (int i = 0; i < 200; i++) {
        int scored = second[0] == 'a' || (second[0] == 'f' && i == 7);
        regret_buffer_printf(
            &t,
            "{\"id\": %d, \"w\": %d, \"z\": %d, \"scores\": {\"m0\": {\"original\": "
            "%d, \"rewrite\": %d, \"rewrite_of_rewrite\": %d}%s}}\n",
            i, i % 2, i % 3 == 0, i * 7 % 11, i * 5 % 13, i * 3 % 17,
            scored ? ", \"m1\": {\"original\": 1, \"rewrite\": 3, "
                     "\"rewrite_of_rewrite\": 2}"
                   : "");
    }
    struct regret_rate_rows *rows = rows_of(regret_buffer_get(&t));
    regret_buffer_free(&t);
    return rows;
}

/* A row counts for the models it has: one stray score of another takes nothing from them. */
Test(shift, a_stray_score_empties_no_group)
{
    struct regret_rate_rows *without = rows_with_z("none"), *stray = rows_with_z("few");
    size_t n = 0, k = 0;
    struct regret_rate_shift *a = shift_of(without, &n, 3), *b = shift_of(stray, &k, 3);
    cr_assert(n == 1 && k == 2);
    cr_assert(a[0].missing == NULL && b[0].missing == NULL);
    cr_assert_not_null(strstr(b[1].missing, "fewer than two"));
    cr_assert_eq(b[1].sizes.a1z1 + b[1].sizes.a0z1 + b[1].sizes.a1z0 + b[1].sizes.a0z0, 1);
    for (int i = 0; i < REGRET_RATE_SHIFT_LEVELS; i++) {
        cr_assert_eq(memcmp(&a[0].counts[i], &b[0].counts[i], sizeof a[0].counts[i]), 0);
        cr_assert_eq(a[0].levels[i].effects[REGRET_EFFECT_RATE_ATE].estimate,
                     b[0].levels[i].effects[REGRET_EFFECT_RATE_ATE].estimate);
    }
    cr_assert(a[0].rate.slope == b[0].rate.slope && a[0].rate.se == b[0].rate.se);
    cr_assert(isnan(b[1].rate.slope) && isnan(b[1].rate.se));
    regret_free(a);
    regret_free(b);
    regret_rate_rows_free(without);
    regret_rate_rows_free(stray);
    /* Models with the same rows share their samples. */
    struct regret_rate_rows *both = rows_with_z("all");
    a = shift_of(both, &n, 3);
    cr_assert_eq(n, 2);
    cr_assert_eq(a[0].sizes.a1z1, a[1].sizes.a1z1);
    cr_assert_float_eq(a[1].levels[4].effects[REGRET_EFFECT_SINGLE_ATT].estimate, -2.0, 1e-12);
    regret_free(a);
    regret_rate_rows_free(both);
}

/* Samples do not look at scores, so the slope of scores that are 0 but for one row is the weight of
 * that row: from these, found by brute force, follows the variance. */
Test(shift, the_error_of_a_slope_has_rows_for_clusters)
{
    struct regret_rate_rows *rows = NULL;
    cr_assert_eq(regret_rate_world_rows(&rows, &regret_rate_worlds()[0], 90, 5, 0), 0);
    size_t n = 0;
    struct regret_rate_shift *s = shift_of(rows, &n, 2);
    double *saved[3], variance[3] = {0.0}, delta[3][90], mean[3][4] = {{0.0}};
    size_t count[4] = {0};
    for (size_t side = 0; side < 3; side++) {
        cr_assert_eq(REGRET_NEW(&saved[side], 90), 0);
        memcpy(saved[side], rows->models[0].score[side], sizeof(double) * 90);
    }
    for (size_t i = 0; i < 90; i++) {
        int cell = rows->w[i] * 2 + rows->z[i];
        double sign = rows->w[i] == 1 ? 1.0 : -1.0;
        delta[0][i] = saved[0][i];
        delta[1][i] = sign * (saved[0][i] - saved[1][i]);
        delta[2][i] = sign * (saved[2][i] - saved[1][i]);
        count[cell]++;
        for (int k = 0; k < 3; k++) {
            mean[k][cell] += delta[k][i];
        }
    }
    for (size_t side = 0; side < 3; side++) {
        memset(rows->models[0].score[side], 0, sizeof(double) * 90);
    }
    for (size_t i = 0; i < 90; i++) {
        int cell = rows->w[i] * 2 + rows->z[i];
        double sign = rows->w[i] == 1 ? 1.0 : -1.0, m = (double)count[cell];
        for (int k = 0; k < 3; k++) {
            size_t side = k == 2 ? 2 : 0;
            rows->models[0].score[side][i] = k == 0 ? 1.0 : sign;
            struct regret_rate_shift *unit = shift_of(rows, &n, 2);
            double weight = k == 0   ? unit->naive.slope
                            : k == 1 ? unit->single.slope
                                     : unit->rate.slope;
            rows->models[0].score[side][i] = 0.0;
            double e = delta[k][i] - mean[k][cell] / m;
            variance[k] += m / (m - 1.0) * weight * weight * e * e;
            regret_free(unit);
        }
    }
    cr_assert_float_eq(s->naive.se, sqrt(variance[0]), 1e-12 * s->naive.se);
    cr_assert_float_eq(s->single.se, sqrt(variance[1]), 1e-12 * s->single.se);
    cr_assert_float_eq(s->rate.se, sqrt(variance[2]), 1e-12 * s->rate.se);
    for (size_t side = 0; side < 3; side++) {
        regret_free(saved[side]);
    }
    regret_free(s);
    regret_rate_rows_free(rows);
}

/* Where nothing depends on the level, 5 % of the slopes are beyond 1.96 standard errors. */
Test(shift, one_null_slope_in_twenty_is_significant)
{
    enum { FULL = 1200, ROWS = 200 };
    struct regret_rate_world world = regret_rate_worlds()[0];
    world.kappa = world.gamma = 0.0;
    size_t beyond[3] = {0}, n = 0;
    unsigned replicates = repeats(FULL);
    double slack = repeats_slack(FULL, 0.05);
    for (size_t b = 0; b < replicates; b++) {
        struct regret_rate_rows *rows = NULL;
        cr_assert_eq(regret_rate_world_rows(&rows, &world, ROWS, 6, b), 0);
        struct regret_rate_shift *s = shift_of(rows, &n, b);
        const struct regret_rate_slope slopes[3] = {s->naive, s->single, s->rate};
        for (int k = 0; k < 3; k++) {
            beyond[k] += fabs(slopes[k].slope) > 1.96 * slopes[k].se;
        }
        regret_free(s);
        regret_rate_rows_free(rows);
    }
    for (int k = 0; k < 3; k++) {
        double share = (double)beyond[k] / replicates;
        cr_assert(share > 0.03 - slack && share < 0.07 + slack, "%d: %g of the slopes", k, share);
    }
}
