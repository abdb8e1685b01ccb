/* The train/test split. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "regret/alloc.h"
#include "task/small_task.h"

static struct regret_split *make(size_t n, double share, uint64_t seed)
{
    struct regret_split *s = NULL;
    cr_assert_eq(regret_split_make(&s, n, share, seed), 0, "%s", regret_error_message());
    return s;
}

Test(split, sizes)
{
    static const struct {
        size_t n, train;
        double share;
    } CASES[] = {{48, 38, 0.8},   {10, 8, 0.8}, {5, 4, 0.8},     {10, 7, 0.7},
                 {100, 29, 0.29}, {2, 1, 0.5},  {300, 201, 0.67}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct regret_split *s = make(CASES[i].n, CASES[i].share, i);
        cr_assert_eq(s->n_train, CASES[i].train, "%zu of %zu", s->n_train, CASES[i].n);
        cr_assert_eq(s->n_test, CASES[i].n - CASES[i].train);
        regret_split_free(s);
    }
}

Test(split, every_context_on_one_side_in_order)
{
    struct regret_split *first = make(48, 0.8, 0);
    size_t different = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct regret_split *s = make(48, 0.8, seed), *again = make(48, 0.8, seed);
        int side[48] = {0};
        for (size_t i = 0; i < 38; i++) {
            cr_assert(i == 0 || s->train[i - 1] < s->train[i]);
            side[s->train[i]]++;
        }
        for (size_t i = 0; i < 10; i++) {
            cr_assert(i == 0 || s->test[i - 1] < s->test[i]);
            side[s->test[i]]++;
        }
        for (size_t x = 0; x < 48; x++) {
            cr_assert_eq(side[x], 1);
        }
        cr_assert_eq(memcmp(s->train, again->train, 38 * sizeof *s->train), 0);
        different += memcmp(s->train, first->train, 38 * sizeof *s->train) != 0;
        regret_split_free(s);
        regret_split_free(again);
    }
    cr_assert_eq(different, 19, "every seed has a split of its own");
    regret_split_free(first);
}

/* Over seeds each context is tested equally often; χ² with 11 degrees, 99.99 % at 37.4. Drawn
 * without replacement, the statistic is smaller by (1 − share of test), so divide it out. */
Test(split, no_context_is_favoured)
{
    double count[12] = {0}, expected[12];
    for (uint64_t seed = 0; seed < 4000; seed++) {
        struct regret_split *s = make(12, 0.75, seed);
        for (size_t i = 0; i < s->n_test; i++) {
            count[s->test[i]] += 1.0;
        }
        regret_split_free(s);
    }
    for (size_t x = 0; x < 12; x++) {
        expected[x] = 1000.0;
    }
    cr_assert_lt(chi_square(count, expected, 12) / 0.75, 37.4);
}

Test(split, refuses)
{
    static const double shares[] = {0.0, 1.0, 1.5, -0.2, NAN, INFINITY};
    struct regret_split *s = NULL;
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        cr_assert_eq(regret_split_make(&s, 10, shares[i], 1), REGRET_E_INPUT);
        cr_assert_not_null(strstr(regret_error_message(), "train_share"));
    }
    cr_assert_eq(regret_split_make(&s, 1, 0.8, 1), REGRET_E_INPUT);
    cr_assert_eq(regret_split_make(&s, 0, 0.8, 1), REGRET_E_INPUT);
    cr_assert_eq(regret_split_make(&s, 4, 0.1, 1), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "leave 0 to train and 4 to test"));
    for (long k = 0; k < 5; k++) {
        regret_alloc_fail_after(k);
        cr_assert_eq(regret_split_make(&s, 10, 0.8, 1), REGRET_E_NOMEM);
        regret_alloc_fail_after(-1);
    }
    cr_assert_null(s);
    regret_split_free(NULL);
}
