/* The train/test split. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "regret/status.h"
#include "task/small_task.h"

static struct regret_split *make(size_t n, double share, uint64_t seed)
{
    struct regret_split *s = NULL;
    cr_assert_eq(regret_split_make(&s, NULL, n, share, seed), 0, "%s", regret_error_message());
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
            cr_assert_eq(regret_split_fold(&s, NULL, N[i], FOLDS[i], k, i), 0);
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
    cr_assert_eq(regret_split_fold(&fold, NULL, 48, 5, 0, 3), 0);
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
        cr_assert_eq(regret_split_make(&s, NULL, 10, shares[i], 1), REGRET_E_INPUT);
        cr_assert_not_null(strstr(regret_error_message(), "train_share"));
    }
    cr_assert_eq(regret_split_make(&s, NULL, 1, 0.8, 1), REGRET_E_INPUT);
    cr_assert_eq(regret_split_make(&s, NULL, 0, 0.8, 1), REGRET_E_INPUT);
    cr_assert_eq(regret_split_make(&s, NULL, 4, 0.1, 1), REGRET_E_INPUT);
    cr_assert_not_null(strstr(regret_error_message(), "leave 0 to train and 4 to test"));
    cr_assert_eq(regret_split_fold(&s, NULL, 4, 5, 0, 1), REGRET_E_INPUT);
    cr_assert_eq(regret_split_fold(&s, NULL, 4, 1, 0, 1), REGRET_E_INPUT);
    cr_assert_eq(regret_split_fold(&s, NULL, 4, 2, 2, 1), REGRET_E_INPUT);
    cr_assert_eq(regret_split_fold(&s, NULL, 0, 2, 0, 1), REGRET_E_INPUT);
    for (long k = 0; k < 5; k++) {
        regret_alloc_fail_after(k);
        cr_assert_eq(regret_split_make(&s, NULL, 10, 0.8, 1), REGRET_E_NOMEM);
        regret_alloc_fail_after(-1);
    }
    cr_assert_null(s);
    regret_split_free(NULL);
}

/* ---------------------------------------------------------------- kinds of contexts */

/* Kinds of n contexts, at random, of sizes that differ much. */
static void make_kinds(uint32_t *kind, size_t n, size_t kinds, uint64_t seed)
{
    struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_TEST, 7);
    for (size_t x = 0; x < n; x++) {
        double u = regret_rng_uniform(&rng);
        kind[x] = (uint32_t)(u * u * (double)kinds);
    }
}

/* The order by its words: repeatedly the context of the smallest key, equals by the random order. */
static void naive_order(size_t *out, const uint32_t *kind, size_t n, uint64_t seed)
{
    size_t *random = NULL;
    cr_assert_eq(regret_rng_order(&random, n, seed, REGRET_RNG_SPLIT, 0), 0);
    unsigned char taken[400] = {0};
    for (size_t i = 0; i < n; i++) {
        size_t best = n;
        double least = 2.0;
        for (size_t p = 0; p < n; p++) {
            size_t before = 0, all = 0;
            for (size_t q = 0; q < n; q++) {
                before += q < p && kind[random[q]] == kind[random[p]];
                all += kind[random[q]] == kind[random[p]];
            }
            struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_SPLIT, 2 + kind[random[p]]);
            double key = ((double)before + regret_rng_uniform(&rng)) / (double)all;
            if (!taken[p] && key < least) {
                least = key;
                best = p;
            }
        }
        taken[best] = 1;
        out[i] = random[best];
    }
    regret_free(random);
}

Test(split, the_stratified_order_is_the_naive_one)
{
    enum { N = 60 };
    uint32_t kind[N];
    size_t naive[N];
    for (uint64_t seed = 0; seed < 12; seed++) {
        size_t *order = NULL;
        make_kinds(kind, N, 1 + seed, seed);
        naive_order(naive, kind, N, seed);
        cr_assert_eq(regret_split_order(&order, kind, N, seed), 0);
        cr_assert_eq(memcmp(order, naive, sizeof naive), 0, "seed %d", (int)seed);
        regret_free(order);
    }
}

static void assert_same(const struct regret_split *a, const struct regret_split *b)
{
    cr_assert_eq(a->n_train, b->n_train);
    cr_assert_eq(a->n_test, b->n_test);
    cr_assert_eq(memcmp(a->train, b->train, a->n_train * sizeof *a->train), 0);
    cr_assert_eq(memcmp(a->test, b->test, a->n_test * sizeof *a->test), 0);
    cr_assert_eq(memcmp(a->reference, b->reference, a->n_reference * sizeof *a->reference), 0);
}

Test(split, one_kind_or_none_stratifies_nothing)
{
    static const uint32_t kind[48] = {0};
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct regret_split *plain = make(48, 0.8, seed), *same = NULL, *fold = NULL, *other = NULL;
        cr_assert_eq(regret_split_make(&same, kind, 48, 0.8, seed), 0);
        assert_same(plain, same);
        cr_assert_eq(regret_split_fold(&fold, NULL, 48, 5, 3, seed), 0);
        cr_assert_eq(regret_split_fold(&other, kind, 48, 5, 3, seed), 0);
        assert_same(fold, other);
        regret_split_free(plain);
        regret_split_free(same);
        regret_split_free(fold);
        regret_split_free(other);
    }
}

/* Of each kind the share that is held out is that of all, up to the bound of task.h; over seeds every
 * context is held out as often as another. */
Test(split, strata_have_their_share)
{
    enum { N = 120, KINDS = 7, SEEDS = 2000 };
    uint32_t kind[N];
    size_t size[KINDS] = {0}, times[N] = {0};
    make_kinds(kind, N, KINDS, 5);
    kind[17] = KINDS - 1; /* whatever the rest, a kind of few */
    for (size_t x = 0; x < N; x++) {
        size[kind[x]]++;
    }
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct regret_split *s = NULL;
        size_t held[KINDS] = {0};
        cr_assert_eq(regret_split_make(&s, kind, N, 0.8, seed), 0);
        cr_assert_eq(s->n_test, N / 5);
        for (size_t i = 0; i < s->n_test; i++) {
            held[kind[s->test[i]]]++;
            times[s->test[i]]++;
        }
        for (size_t k = 0; k < KINDS; k++) {
            double share = (double)size[k] / N;
            cr_assert_leq(fabs((double)held[k] - share * (double)s->n_test), 1.0 + share * KINDS);
        }
        regret_split_free(s);
    }
    for (size_t x = 0; x < N; x++) { /* five deviations of a share of .2 */
        cr_assert_leq(fabs((double)times[x] / SEEDS - 0.2), 5.0 * sqrt(0.16 / SEEDS), "context %zu",
                      x);
    }
}

Test(split, stratified_folds_hold_every_context_out_once)
{
    enum { N = 53, FOLDS = 4 };
    uint32_t kind[N];
    size_t times[N] = {0};
    make_kinds(kind, N, 5, 3);
    for (size_t f = 0; f < FOLDS; f++) {
        struct regret_split *s = NULL;
        cr_assert_eq(regret_split_fold(&s, kind, N, FOLDS, f, 11), 0);
        cr_assert_eq(s->n_test, f == 0 ? 14 : 13);
        for (size_t i = 0; i < s->n_test; i++) {
            times[s->test[i]]++;
        }
        regret_split_free(s);
    }
    for (size_t x = 0; x < N; x++) {
        cr_assert_eq(times[x], 1);
    }
}

Test(split, one_kind_is_held_out)
{
    static const uint32_t kind[6] = {0, 1, 0, 2, 1, 0};
    struct regret_split *s = NULL;
    cr_assert_eq(regret_split_one_kind(&s, kind, 6, 1), 0);
    cr_assert_eq(s->n_test, 2);
    cr_assert_eq(s->n_reference, 2);
    cr_assert(s->test[0] == 1 && s->test[1] == 4 && s->reference[0] == 1);
    cr_assert(s->n_train == 4 && s->train[0] == 0 && s->train[3] == 5);
    regret_split_free(s);
    s = NULL;
    cr_assert_eq(regret_split_one_kind(&s, kind, 6, 3), REGRET_E_INPUT);
    cr_assert_eq(regret_split_one_kind(&s, (const uint32_t[2]){4, 4}, 2, 4), REGRET_E_INPUT);
    cr_assert_null(s);
}
