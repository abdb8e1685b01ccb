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

/* Folds: balanced, larger ones first, each context held out once; fold 0 is the single split where that
 * holds out as many. */
Test(split, folds_hold_every_context_out_once)
{
    static const size_t N[] = {48, 48, 10, 7, 2}, FOLDS[] = {5, 48, 3, 2, 2};
    for (size_t i = 0; i < 5; i++) {
        int held[48] = {0};
        size_t last = 48;
        for (size_t k = 0; k < FOLDS[i]; k++) {
            struct regret_split *s = NULL;
            cr_assert_eq(regret_split_fold(&s, N[i], FOLDS[i], k, i), 0);
            cr_assert_eq(s->n_train + s->n_test, N[i]);
            cr_assert(s->n_test <= last && s->n_test + 1 >= N[i] / FOLDS[i]);
            last = s->n_test;
            for (size_t j = 0; j < s->n_test; j++) {
                cr_assert(j == 0 || s->test[j - 1] < s->test[j]);
                cr_assert_eq(s->reference[j], s->test[j]);
                held[s->test[j]]++;
            }
            for (size_t j = 0; j < s->n_train; j++) {
                cr_assert(j == 0 || s->train[j - 1] < s->train[j]);
            }
            regret_split_free(s);
        }
        for (size_t x = 0; x < N[i]; x++) {
            cr_assert_eq(held[x], 1);
        }
    }
    struct regret_split *single = make(48, 0.8, 3), *fold = NULL;
    cr_assert_eq(regret_split_fold(&fold, 48, 5, 0, 3), 0);
    cr_assert(fold->n_test == 10 && single->n_test == 10);
    cr_assert_eq(memcmp(fold->test, single->test, 10 * sizeof *fold->test), 0);
    regret_split_free(fold);
    regret_split_free(single);
}

Test(split, reference_contexts_are_apart_and_random)
{
    int chosen[10] = {0};
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct regret_split *s = make(50, 0.8, 0);
        size_t held[10], place = 0;
        memcpy(held, s->test, sizeof held);
        cr_assert_eq(regret_split_reference(s, 0.0, seed), 0);
        cr_assert(s->n_test == 10 && s->n_reference == 10);
        cr_assert_eq(regret_split_reference(s, 0.3, seed), 0);
        cr_assert(s->n_test == 7 && s->n_reference == 3);
        for (size_t i = 0, r = 0; i < 10; i++) {
            int is_reference = r < 3 && s->reference[r] == held[i];
            cr_assert(is_reference || s->test[place] == held[i]);
            r += (size_t)is_reference;
            place += !is_reference;
            chosen[i] += is_reference;
        }
        regret_split_free(s);
    }
    for (size_t i = 0; i < 10; i++) { /* 60 ± 6.5 */
        cr_assert(chosen[i] > 34 && chosen[i] < 86, "%d", chosen[i]);
    }
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
    cr_assert_eq(regret_split_fold(&s, 4, 5, 0, 1), REGRET_E_INPUT);
    cr_assert_eq(regret_split_fold(&s, 4, 1, 0, 1), REGRET_E_INPUT);
    cr_assert_eq(regret_split_fold(&s, 4, 2, 2, 1), REGRET_E_INPUT);
    cr_assert_eq(regret_split_fold(&s, 0, 2, 0, 1), REGRET_E_INPUT);
    for (long k = 0; k < 5; k++) {
        regret_alloc_fail_after(k);
        cr_assert_eq(regret_split_make(&s, 10, 0.8, 1), REGRET_E_NOMEM);
        regret_alloc_fail_after(-1);
    }
    cr_assert_null(s);
    regret_split_free(NULL);
}
