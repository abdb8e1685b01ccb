/* What stands out of a column of numbers, and what its name says of its direction, told of ten thousand made-up columns. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/names.h"
#include "import/column_names.h"
#include "import/profile_json.h"
#include "regret/buffer.h"

/* In [0, 1), of row i and column k, as by chance. */
static double chance(size_t i, size_t k)
{
    uint64_t key[2] = {i, k};
    return (double)(regret_hash64(key, sizeof key) >> 11) * 0x1p-53;
}

/* Roughly normal: the sum of twelve. */
static double normal(size_t i, size_t k)
{
    double sum = -6.0;
    for (size_t j = 0; j < 12; j++) {
        sum += chance(i, 100 * k + j + 7);
    }
    return sum;
}

/* A cell of row i of column k. */
typedef void put_cell(struct regret_buffer *out, size_t i, size_t k);

static void likert(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%d", 1 + (int)(5.0 * chance(i, k)));
}

static void upper_likert(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%d", 3 + (int)(3.0 * chance(i, k)));
}

static void three(struct regret_buffer *out, size_t i, size_t k)
{
    (void)i;
    (void)k;
    regret_buffer_append(out, "3");
}

static void passes(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_append(out, chance(i, k) < 0.5 ? "1" : "0");
}

static void one(struct regret_buffer *out, size_t i, size_t k)
{
    (void)i;
    (void)k;
    regret_buffer_append(out, "1");
}

static void share(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%.3f", chance(i, k));
}

static void points(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%d", (int)(101.0 * chance(i, k)));
}

static void negative(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%.2f", -1.0 + 2.0 * normal(i, k));
}

static void large(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%.0f", 1000.0 + 200.0 * normal(i, k));
}

static void price(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%.5f", 0.01 * chance(i, k));
}

static void length(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%d", 5 + (int)(900.0 * chance(i, k)));
}

/* Scores, costs and counts as they come, however skewed, of which none is a slip; and the same with `slips` of them. */
static size_t count_slips(put_cell *put, size_t n, size_t slips, double slip)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    double x[1000];
    for (size_t i = 0; i < n; i++) {
        regret_buffer_clear(&text);
        put(&text, i, 1);
        x[i] = i % 50 == 7 && i / 50 < slips ? slip : strtod(regret_buffer_get(&text), NULL);
    }
    regret_buffer_free(&text);
    struct slip found;
    slip_find(&found, x, n);
    return found.n;
}

static void lognormal(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%.6g", exp(2.0 * normal(i, k)));
}

static void loss(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%.6g", -20.0 - exp(normal(i, k)));
}

static void pareto(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%.6g", pow(1.0 - chance(i, k), -1.0));
}

static void few_zeros(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%.2f", i % 100 == 3 ? 0.0 : 90.0 + normal(i, k));
}

static void few_ones(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_append(out, chance(i, k) < 0.01 ? "1" : "0");
}

Test(agents, slips_are_told_from_skewed_scores)
{
    static put_cell *const honest[] = {share,  points, likert,    passes,  lognormal,
                                       pareto, loss,   few_zeros, few_ones};
    static const double slips[] = {-999.0, 99999.0, 1e300, -1e300};
    for (size_t i = 0; i < sizeof honest / sizeof *honest; i++) {
        for (size_t n = 20; n <= 1000; n += 70) {
            cr_expect_eq(count_slips(honest[i], n, 0, 0.0), 0, "case %zu of %zu", i, n);
        }
    }
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        cr_expect_eq(count_slips(share, 1000, 1, slips[i]), 1, "%g", slips[i]);
        cr_expect_eq(count_slips(likert, 1000, 6, slips[i]), 6, "%g", slips[i]);
        cr_expect_eq(count_slips(passes, 1000, 4, slips[i]), 4, "%g", slips[i]);
        cr_expect_eq(count_slips(few_zeros, 20, 1, slips[i]), 1, "%g", slips[i]);
        cr_expect_eq(count_slips(share, 19, 1, slips[i]), 0, "too few to tell");
    }
}

static void three_levels(struct regret_buffer *out, size_t i, size_t k)
{
    regret_buffer_printf(out, "%d", (int)(3.0 * chance(i, k)) - 1);
}

/* How often `value`, which every `nth` of n cells holds, is found to stand for a number that is missing. */
static size_t count_sentinels(put_cell *put, size_t n, size_t nth, double value)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    struct slip s;
    double x[1000];
    for (size_t i = 0; i < n; i++) {
        regret_buffer_clear(&text);
        put(&text, i, 1);
        x[i] = i % nth == 3 ? value : strtod(regret_buffer_get(&text), NULL);
    }
    regret_buffer_free(&text);
    sentinel_find(&s, x, n);
    cr_expect(s.n == 0 || s.value == value, "%g", s.value);
    return s.n;
}

Test(agents, what_stands_for_missing_numbers_is_told_from_scores)
{
    static put_cell *const honest[] = {
        share,    points,       likert, passes, lognormal,    pareto, loss,  few_zeros, few_ones,
        negative, three_levels, one,    three,  upper_likert, large,  price, length};
    static const struct {
        put_cell *put;
        double value;
    } LOST[] = {{share, -1.0},  {share, -9.0},  {share, 99.0},   {share, -999.0}, {share, 10.0},
                {likert, -1.0}, {likert, 99.0}, {likert, 999.0}, {likert, -99.0}, {three, 99.0},
                {points, -1.0}, {points, -9.0}, {points, 999.0}, {passes, 99.0},  {large, -999.0}};
    for (size_t i = 0; i < sizeof honest / sizeof *honest; i++) {
        for (size_t n = 2; n <= 1000; n += 7) {
            cr_expect_eq(count_sentinels(honest[i], n, n + 4, 0.0), 0, "case %zu of %zu", i, n);
        }
    }
    for (size_t i = 0; i < sizeof LOST / sizeof *LOST; i++) {
        cr_expect_eq(count_sentinels(LOST[i].put, 1000, 4, LOST[i].value), 250, "case %zu", i);
        cr_expect_eq(count_sentinels(LOST[i].put, 1000, 100, LOST[i].value), 10, "case %zu", i);
    }
    cr_expect_eq(count_sentinels(passes, 1000, 4, -1.0), 0, "a scale of three");
    cr_expect_eq(count_sentinels(passes, 1000, 50, -1.0), 20);
    cr_expect_eq(count_sentinels(share, 1000, 2, -1.0), 0, "half of all");
    cr_expect_eq(count_sentinels(points, 1000, 10, 99.0), 0);
    cr_expect_eq(count_sentinels(likert, 12, 12, 99.0), 1);
    cr_expect_eq(count_sentinels(likert, 12, 12, 0.0), 0);
}

/* The name says that less is better, of yes and no, too; a word before or after may turn that back, or leave both. */
Test(agents, names_of_failures_turn_the_scale)
{
    static const char *const
        names[] = {"failed",        "hallucinated",
                   "ppl",           "is_wrong",
                   "unsafe",        "crashed",
                   "no_of_errors",  "zero_shot_error",
                   "edit_distance", "error_free_but_harmful",
                   "dislikes",      "downvotes",
                   "faults_found",  "misses",
                   "low_is_good",   "lower_is_better"},
        *const back[] = {"not_failed",     "no_error",        "errorFree",
                         "bug_free",       "non_toxic",       "pass_without_errors",
                         "lack_of_errors", "harm_free",       "failure_recovery_rate",
                         "error_handling", "resolved_issues", "high_is_better"},
        *const both[] = {"attack_success_rate", "quality_issues", "accuracy_drop", "rejection",
                         "deflection",          "score_inverted", "latency_score"};
    for (size_t i = 0; i < sizeof both / sizeof *both; i++) {
        cr_expect_eq(column_direction(both[i]), COLUMN_IS_OPEN, "%s", both[i]);
    }
    for (size_t i = 0; i < sizeof back / sizeof *back; i++) {
        cr_expect_not(column_direction(back[i]) == COLUMN_IS_BAD, "%s", back[i]);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cr_expect_eq(column_direction(names[i]), COLUMN_IS_BAD, "%s", names[i]);
    }
}
