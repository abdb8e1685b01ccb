/* The table of `regret plan` against deviations and quantiles taken naively. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv_records.h"
#include "made_run.h"
#include "regret/status.h"
#include "stats/distributions.h"
#include "stats/multiplicity.h"

enum { N_RANKED = 6, N_PAIRS = 15 };
static const size_t ranked[N_RANKED] = {0, 1, 2, 3, 6, 7};

TestSuite(plan_table, .init = made_begin, .fini = made_end);

static double seed_mean(size_t f, size_t seed)
{
    double sum = 0.0;
    for (size_t c = 0; c < made_cells(&m); c++) {
        sum += made_regret(&m, f, c, seed) / (double)made_cells(&m);
    }
    return sum;
}

static double family_mean(size_t f)
{
    double sum = 0.0;
    for (size_t s = 0; s < m.n_seeds; s++) {
        sum += seed_mean(f, s) / (double)m.n_seeds;
    }
    return sum;
}

static double deviation(size_t a, size_t b)
{
    double mean = family_mean(a) - family_mean(b), squares = 0.0;
    for (size_t s = 0; s < m.n_seeds; s++) {
        squares += pow(seed_mean(a, s) - seed_mean(b, s) - mean, 2.0);
    }
    return sqrt(squares / (double)(m.n_seeds - 1));
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int by_mean(const void *a, const void *b)
{
    double x = family_mean(*(const size_t *)a), y = family_mean(*(const size_t *)b);
    return (x > y) - (x < y);
}

/* Counts up: t quantiles of every n. */
static double needed(double sd, double difference)
{
    for (size_t n = 2;; n++) {
        double df = (double)n - 1.0;
        if ((regret_student_quantile(0.975, df) + regret_student_quantile(0.8, df)) * sd /
                sqrt((double)n) <=
            difference) {
            return (double)n;
        }
    }
}

static double detectable(double sd, size_t n)
{
    double df = (double)n - 1.0;
    return (regret_student_quantile(0.975, df) + regret_student_quantile(0.8, df)) * sd /
           sqrt((double)n);
}

static struct csv_records planned(const struct regret_power_plan *plan)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    cr_assert_eq(regret_report_power(&text, plan, REGRET_FORMAT_CSV), 0, "%s",
                 regret_error_message());
    struct csv_records t = csv_parse(regret_buffer_get(&text));
    regret_buffer_free(&text);
    return t;
}

static void near(double x, double y, const char *what)
{
    cr_expect(fabs(x - y) <= 1e-12 * (1.0 + fabs(y)), "%s: %.17g, not %.17g", what, x, y);
}

Test(plan_table, is_recomputed)
{
    struct regret_results *r = NULL;
    double all[N_PAIRS];
    size_t order[N_RANKED], n = 0;
    made_up_write(&m, folder);
    cr_assert_eq(regret_results_read(&r, folder), 0);
    memcpy(order, ranked, sizeof order);
    qsort(order, N_RANKED, sizeof *order, by_mean);
    const struct regret_power_plan plan = {.config = "c.json",
                                           .scheme = {{r, "single split", 0.5}, {r, "folds", 2.0}},
                                           .n_schemes = 2,
                                           .cells = 24,
                                           .seeds = 25,
                                           .setup_seconds = 3.0,
                                           .difference = 0.004};
    struct csv_records t = planned(&plan);
    for (size_t i = 0; i < N_RANKED; i++) {
        for (size_t j = i + 1; j < N_RANKED; j++) {
            char pair[128];
            const char *block = "single split: differences of regret in the pilot of 6 seeds, mean "
                                "over 24 cells";
            double sd = deviation(order[i], order[j]);
            snprintf(pair, sizeof pair, "%s − %s", m.families[order[i]], m.families[order[j]]);
            near(csv_value(&t, block, pair, "Difference ± SE"),
                 family_mean(order[i]) - family_mean(order[j]), pair);
            near(csv_value(&t, block, pair, "Deviation over seeds"), sd, pair);
            near(csv_value(&t, block, pair, "Detectable with 25 seeds"), detectable(sd, 25), pair);
            near(csv_value(&t, block, pair, "Seeds for 0.004"), needed(sd, 0.004), pair);
            near(csv_value(&t, block, pair, "Seeds, to be safe"),
                 needed(regret_deviation_bound(sd, 5.0, 0.8), 0.004), pair);
            all[n++] = sd;
        }
    }
    double best = all[0];
    qsort(all, N_PAIRS, sizeof *all, by_size);
    const char *needs = "What a difference of 0.004 needs";
    near(csv_value(&t, needs, "single split: best and second", "Seeds"), needed(best, 0.004), "");
    near(csv_value(&t, needs, "single split: half of the pairs", "Seeds"), needed(all[7], 0.004),
         "");
    near(csv_value(&t, needs, "folds: every pair", "Seeds"), needed(all[14], 0.004), "");
    near(csv_value(&t, needs, "folds: every pair", "Hours"),
         (3.0 + 24.0 * 2.0 * needed(all[14], 0.004)) / 3600.0, "");
    const char *seeds = "single split: least detectable difference by seeds";
    near(csv_value(&t, seeds, "25 (planned)", "Best and second"), detectable(best, 25), "");
    near(csv_value(&t, seeds, "200", "Largest of the pairs"), detectable(all[14], 200), "");
    near(csv_value(&t, seeds, "5", "Median of the pairs"), detectable(all[7], 5), "");
    near(csv_value(&t, seeds, "200", "Hours"), (3.0 + 24.0 * 0.5 * 200.0) / 3600.0, "");
    csv_free(&t);
    regret_results_free(r);
}

/* The same pilot at four times the time: an hour of it is worth a quarter. */
Test(plan_table, says_what_an_hour_is_worth)
{
    struct regret_results *r = NULL;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    made_up_write(&m, folder);
    cr_assert_eq(regret_results_read(&r, folder), 0);
    const struct regret_power_plan plan = {.config = "c.json",
                                           .scheme = {{r, "one", 0.5}, {r, "other", 2.0}},
                                           .n_schemes = 2,
                                           .cells = 24,
                                           .seeds = 30};
    cr_assert_eq(regret_report_power(&text, &plan, REGRET_FORMAT_MARKDOWN), 0);
    cr_expect_not_null(strstr(regret_buffer_get(&text),
                              "A seed of \"other\" has 1.00 of the variance of one of \"one\" "
                              "(median over pairs) and takes 4.0 times as long: an hour of it is "
                              "worth 0.25 hours of the other. By pilots of 6 and 6 seeds that is "
                              "known within a factor of 3.1 (80 % interval)."));
    cr_expect_not_null(strstr(regret_buffer_get(&text), "| 30 (planned) |"));
    cr_expect_null(strstr(regret_buffer_get(&text), "What a difference of"), "none is wanted");
    regret_buffer_free(&text);
    regret_results_free(r);
}

Test(plan_table, fails_cleanly_for_want_of_memory)
{
    struct regret_results *r = NULL;
    m.n_seeds = 2;
    made_up_write(&m, folder);
    cr_assert_eq(regret_results_read(&r, folder), 0);
    const struct regret_power_plan plan = {.config = "c.json",
                                           .scheme = {{r, "one", 0.5}, {r, "other", 2.0}},
                                           .n_schemes = 2,
                                           .cells = 24,
                                           .seeds = 30,
                                           .difference = 0.01};
    int rc = REGRET_E_NOMEM;
    for (long k = 0; rc != 0; k += 1 + k / 40) {
        struct regret_buffer text = REGRET_BUFFER_INIT;
        regret_alloc_fail_after(k);
        rc = regret_report_power(&text, &plan, REGRET_FORMAT_MARKDOWN);
        regret_alloc_fail_after(-1);
        cr_assert(rc == 0 || rc == REGRET_E_NOMEM, "%s", regret_error_message());
        regret_buffer_free(&text);
    }
    regret_results_free(r);
}
