/* Balance: exact enumeration, contingency tables, binomials; and sums over clusters against naive ones. */
#include <criterion/criterion.h>
#include <math.h>

#include "diagnose/log_world.h"
#include "evaluate/diagnose.h"
#include "regret/status.h"
#include "regret/task.h"
#include "stats/distributions.h"
#include "stats/multiplicity.h"

Test(balance, binomial_is_the_sum_of_its_terms)
{
    for (size_t n = 1; n <= 30; n++) {
        for (double p = 0.05; p < 1.0; p += 0.19) {
            for (size_t k = 0; k <= n; k++) {
                double low = 0.0, high = 0.0;
                for (size_t j = 0; j <= n; j++) {
                    double term = exp(lgamma((double)n + 1) - lgamma((double)j + 1) -
                                      lgamma((double)(n - j) + 1)) *
                                  pow(p, (double)j) * pow(1 - p, (double)(n - j));
                    low += j <= k ? term : 0.0;
                    high += j >= k ? term : 0.0;
                }
                /* The tail on k's side of the mean is the smaller but for where both are near a half. */
                double told = binomial_two_sided(k, n, p), smaller = 2.0 * fmin(low, high);
                cr_assert(fabs(told - fmin(1.0, smaller)) < 1e-9 || (smaller > 0.7 && told > 0.7),
                          "%zu of %zu at %g: %g and %g", k, n, p, told, smaller);
            }
        }
    }
    cr_assert_eq(binomial_two_sided(3, 3, 1.0), 1.0);
    cr_assert_eq(binomial_two_sided(2, 3, 1.0), 0.0);
    cr_assert_float_eq(binomial_two_sided(500000, 1000000, 0.5), 1.0, 1e-9);
}

/* A log of one source: units are rows. */
struct world {
    struct regret_log *log;
    struct cluster_order order;
    struct assignment assignment;
};

static struct world make(const struct log_world *w)
{
    struct world made = {.log = log_world_make(w)};
    cr_assert_eq(cluster_order_build(&made.order, made.log), REGRET_OK);
    cr_assert_eq(assignment_build(&made.assignment, made.log, &made.order), REGRET_OK);
    return made;
}

static void drop(struct world *w)
{
    assignment_free(&w->assignment);
    cluster_order_free(&w->order);
    regret_log_free(w->log);
}

/* Σ_d Q_d of a dummy for each tag, within one stratum. */
static double naive_sum(const struct regret_log *log, const uint32_t *label, size_t n)
{
    double q = 0.0;
    for (size_t t = 0; t < log->n_tags; t++) {
        double share = 0.0;
        for (size_t i = 0; i < n; i++) {
            share += (log->tag[log->rows[REGRET_LOG_EXP].context[i]] == t) / (double)n;
        }
        for (size_t a = 0; a < 2; a++) {
            double units = 0.0, sum = 0.0;
            for (size_t i = 0; i < n; i++) {
                units += label[i] == a;
                sum += label[i] == a && log->tag[log->rows[REGRET_LOG_EXP].context[i]] == t;
            }
            if (share > 0.0 && share < 1.0) {
                q += (sum - units * share) * (sum - units * share) / (units * share * (1 - share));
            }
        }
    }
    return q;
}

/* Two agents, two tags: both statistics say the same, and all labellings can be counted. */
Test(balance, permutation_is_enumeration)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct log_world w = {.seed = seed, .n_exp = 14, .n_agents = 2, .n_tags = 2, .binary = 1};
        struct world made = make(&w);
        struct block tags = {0};
        size_t n = made.assignment.n_units, ones = 0, reach = 0, all = 0;
        cr_assert_eq(made.assignment.kind, ASSIGNMENT_ALIKE);
        cr_assert_eq(n, 14);
        for (size_t i = 0; i < n; i++) {
            ones += made.assignment.label[i];
        }
        double seen = naive_sum(made.log, made.assignment.label, n);
        for (unsigned mask = 0; mask < 1U << n; mask++) {
            uint32_t label[14];
            size_t k = 0;
            for (size_t i = 0; i < n; i++) {
                label[i] = mask >> i & 1U;
                k += label[i];
            }
            if (k == ones) {
                all++;
                reach += naive_sum(made.log, label, n) >= seen * (1 - 1e-9);
            }
        }
        double exact = fmin(1.0, 2.0 * (double)reach / (double)all);
        struct permutation_options options = {
            .resamples = 20000, .threads = 2, .seed = seed, .stream = 1};
        struct imbalance found;
        cr_assert_eq(block_tags(&tags, made.log, &made.assignment), REGRET_OK);
        cr_assert_eq(permutation_test(&found, &made.assignment, &tags, &options), REGRET_OK);
        cr_assert_float_eq(found.p, exact, 0.02, "seed %d", (int)seed);
        block_free(&tags);
        drop(&made);
    }
}

/* What is known of probabilities says what may be exchanged, and permutations keep to it. */
Test(balance, labels_are_exchanged_within_strata)
{
    struct log_world w = {
        .seed = 2, .n_exp = 600, .n_agents = 3, .n_tags = 3, .probabilities = WORLD_BY_TAG};
    struct world made = make(&w);
    const struct assignment *d = &made.assignment;
    struct permutation_options options = {.resamples = 100, .threads = 1, .seed = 1, .stream = 1};
    size_t *units = NULL, *start = NULL, moved = 0;
    uint32_t *labels = NULL;
    cr_assert_eq(d->kind, ASSIGNMENT_BY_TAG);
    cr_assert_eq(d->n_strata, 3);
    cr_assert_eq(group_by_stratum(&units, &start, d), REGRET_OK);
    cr_assert_eq(REGRET_NEW(&labels, d->n_units), REGRET_OK);
    for (size_t index = 0; index < 20; index++) {
        int count[3][3] = {{0}};
        permute_labels(labels, d, units, start, &options, index);
        for (size_t u = 0; u < d->n_units; u++) {
            count[d->stratum[u]][labels[u]]++;
            count[d->stratum[u]][d->label[u]]--;
            moved += labels[u] != d->label[u];
        }
        for (size_t k = 0; k < 9; k++) {
            cr_assert_eq(count[k / 3][k % 3], 0);
        }
    }
    cr_assert_gt(moved, 20 * d->n_units / 2);
    regret_free(units);
    regret_free(start);
    regret_free(labels);
    drop(&made);
    w.probabilities = WORLD_BY_AGENT;
    made = make(&w);
    cr_assert_eq(made.assignment.kind, ASSIGNMENT_ALIKE);
    drop(&made);
    w.probabilities = WORLD_BY_ROW;
    made = make(&w);
    cr_assert_eq(made.assignment.kind, ASSIGNMENT_BY_ROW);
    drop(&made);
    w = (struct log_world){
        .seed = 2, .n_exp = 600, .n_agents = 3, .n_tags = 3, .user_rows = 5.0, .by_user = 1};
    made = make(&w);
    cr_assert(made.assignment.by_cluster);
    cr_assert_eq(made.assignment.n_units, made.log->n_clusters);
    size_t rows = 0;
    for (size_t u = 0; u < made.assignment.n_units; u++) {
        rows += made.assignment.rows[u];
    }
    cr_assert_eq(rows, 600);
    struct assignment sample;
    cr_assert_eq(assignment_sample(&sample, &made.assignment, 40, 9), REGRET_OK);
    cr_assert_eq(sample.n_units, 40);
    for (size_t i = 0; i < 600; i++) {
        uint32_t u = sample.unit[i];
        cr_assert(u == ASSIGNMENT_NONE || (u < 40 && sample.agent[sample.label[u]] ==
                                                         made.log->rows[REGRET_LOG_EXP].agent[i]));
    }
    assignment_free(&sample);
    drop(&made);
}

Test(balance, ranks_are_in_the_middle_of_equals)
{
    const double values[] = {3.0, 1.0, NAN, 3.0, 2.0}, expected[] = {0.75, 0.125, NAN, 0.75, 0.375};
    double ranks[5];
    cr_assert_eq(block_ranks(ranks, values, 5), REGRET_OK);
    for (size_t i = 0; i < 5; i++) {
        cr_assert(isnan(expected[i]) ? isnan(ranks[i]) : fabs(ranks[i] - expected[i]) < 1e-15);
    }
}

/* Weighted means against the definition, the most extreme among agents and tags. */
Test(balance, weighted_means_are_those_of_the_definition)
{
    struct log_world w = {.seed = 3,
                          .n_exp = 500,
                          .n_agents = 3,
                          .n_tags = 3,
                          .probabilities = WORLD_BY_ROW,
                          .user_rows = 3.0};
    struct world made = make(&w);
    const struct regret_log_rows *exp = &made.log->rows[REGRET_LOG_EXP];
    struct block tags = {0};
    struct imbalance found;
    cr_assert_eq(block_tags(&tags, made.log, &made.assignment), REGRET_OK);
    cr_assert_eq(weighted_test(&found, made.log, &made.assignment, &tags, &made.order), REGRET_OK);
    double share = 0.0, weight = 0.0, sum = 0.0;
    for (size_t i = 0; i < exp->n; i++) {
        share += (made.log->tag[exp->context[i]] == found.dimension) / (double)exp->n;
    }
    for (size_t i = 0; i < exp->n; i++) {
        if (exp->agent[i] == made.assignment.agent[found.label]) {
            weight += 1.0 / exp->propensity[i];
            sum +=
                ((made.log->tag[exp->context[i]] == found.dimension) - share) / exp->propensity[i];
        }
    }
    cr_assert_float_eq(found.expected, share, 1e-12);
    cr_assert_float_eq(found.mean, share + sum / weight, 1e-12);
    cr_assert(found.p > 0.0 && found.p <= 1.0);
    block_free(&tags);
    drop(&made);
}

/* Turns make no two neighbours alike, which chance would not. */
Test(balance, turns_and_sticking_are_seen)
{
    struct log_world w = {.seed = 3, .n_exp = 200, .n_agents = 2};
    struct world made = make(&w);
    struct permutation_options options = {.resamples = 1000, .threads = 2, .seed = 1, .stream = 1};
    struct succession found;
    for (uint32_t i = 0; i < 200; i++) {
        made.assignment.label[i] = i % 2;
    }
    cr_assert_eq(sequence_test(&found, made.log, &made.assignment, &made.order, &options),
                 REGRET_OK);
    cr_assert_eq(found.pairs, 199);
    cr_assert_eq(found.alike, 0);
    cr_assert_lt(found.p, 0.001);
    cr_assert_float_eq(found.expected, 99.0, 2.0);
    drop(&made);
}

Test(clusters, shares_are_those_of_the_definition)
{
    struct log_world w = {.seed = 8, .n_obs = 300, .n_agents = 4, .n_tags = 1, .user_rows = 4.0};
    struct world made = {.log = log_world_make(&w)};
    cr_assert_eq(cluster_order_build(&made.order, made.log), REGRET_OK);
    const struct regret_log_rows *obs = &made.log->rows[REGRET_LOG_OBS];
    struct regret_rng r = regret_rng_at(1, REGRET_RNG_TEST, 0);
    static struct share_row rows[300];
    for (size_t i = 0; i < 300; i++) {
        rows[i] = (struct share_row){i % 17 ? obs->agent[i] : (size_t)-1, regret_rng_normal(&r)};
    }
    extern struct share_row test_share(const void *context, size_t row);
    struct shares s;
    cr_assert_eq(shares_gather(&s, 4, &made.order, REGRET_LOG_OBS, test_share, rows), REGRET_OK);
    for (size_t k = 0; k < 4; k++) {
        double n = 0.0, of = 0.0, sum = 0.0, variance = 0.0, clusters = 0.0;
        for (size_t i = 0; i < 300; i++) {
            n += rows[i].kind != (size_t)-1;
            of += rows[i].kind == k;
        }
        for (size_t c = 0; c < made.log->n_clusters; c++) {
            double part = 0.0;
            int is_there = 0;
            for (size_t i = 0; i < 300; i++) {
                if (obs->cluster[i] == c && rows[i].kind != (size_t)-1) {
                    part += rows[i].value * ((rows[i].kind == k) - of / n);
                    is_there = 1;
                }
            }
            clusters += is_there;
            sum += part;
            variance += part * part;
        }
        cr_assert_float_eq(s.at[k].sum, sum, 1e-10);
        cr_assert_float_eq(s.at[k].variance, variance * clusters / (clusters - 1.0), 1e-8);
    }
    shares_free(&s);
    cluster_order_free(&made.order);
    regret_log_free(made.log);
}

struct share_row test_share(const void *context, size_t row);
struct share_row test_share(const void *context, size_t row)
{
    return ((const struct share_row *)context)[row];
}

/* Independent z: Šidák; one z seen twice: itself. */
Test(clusters, the_largest_of_several)
{
    const double z[] = {2.5, -1.0, NAN, 0.3};
    double independent[16] = {0}, adjusted[4];
    for (size_t k = 0; k < 4; k++) {
        independent[5 * k] = 2.0;
    }
    struct joint j = {
        .z = z, .covariance = independent, .n = 4, .draws = 100000, .seed = 1, .level = 0.95};
    struct joint_answer answer;
    cr_assert_eq(joint_test(&answer, adjusted, &j), REGRET_OK);
    double p = normal_two_sided(2.5), sidak = 1.0 - pow(1.0 - p, 3.0);
    cr_assert_eq(answer.largest, 0);
    cr_assert_float_eq(adjusted[0], sidak, 0.002);
    cr_assert(isnan(adjusted[2]));
    cr_assert_float_eq(answer.critical, normal_of_two_sided(1.0 - pow(0.95, 1.0 / 3.0)), 0.02);
    j.covariance = NULL;
    cr_assert_eq(joint_test(&answer, adjusted, &j), REGRET_OK);
    cr_assert_float_eq(adjusted[0], sidak, 1e-12);
    cr_assert_float_eq(answer.p, sidak, 1e-12);
    const double twice[] = {2.0, 2.0}, one[] = {1.0, 1.0, 0.0, 1.0};
    j = (struct joint){
        .z = twice, .covariance = one, .n = 2, .draws = 100000, .seed = 1, .level = 0.95};
    cr_assert_eq(joint_test(&answer, adjusted, &j), REGRET_OK);
    cr_assert_float_eq(adjusted[0], normal_two_sided(2.0), 0.003);
    cr_assert_float_eq(normal_of_student(2.0, INFINITY), 2.0, 1e-9);
    cr_assert_float_eq(normal_of_student(-12.7062047, 1.0), -1.959964, 1e-5);
}

/* Each row twice, one after the other, as a join makes them; and the whole table three times. */
Test(copies, every_row_comes_again)
{
    for (size_t k = 1; k <= 3; k++) {
        struct log_world w = {.seed = 4, .n_obs = 240, .n_exp = 240, .n_agents = 3, .n_tags = 12};
        struct regret_log *log = log_world_make(&w);
        struct regret_log_rows *rows = &log->rows[REGRET_LOG_EXP];
        size_t times, n = rows->n;
        for (size_t i = n;
             k > 1 && i-- > 0;) { /* from the end: what is copied is not yet written to */
            size_t of = k == 2 ? i / 2 : i % (n / 3);
            rows->context[i] = rows->context[of];
            rows->agent[i] = rows->agent[of];
            rows->outcome[i] = rows->outcome[of];
            if (rows->time) {
                rows->time[i] = rows->time[of];
            }
        }
        cr_assert_eq(repeats_times(&times, log, REGRET_LOG_EXP), REGRET_OK);
        cr_assert_eq(times, k, "%zu for %zu of %zu", times, k, n);
        rows->n--;
        cr_assert_eq(repeats_times(&times, log, REGRET_LOG_EXP), REGRET_OK);
        cr_assert_eq(times, 1);
        rows->n++;
        regret_log_free(log);
    }
}

Test(copies, rows_in_sequence_and_texts)
{
    struct log_world w = {.seed = 4, .n_obs = 1000, .n_agents = 3, .n_tags = 1, .repeated = 0.3};
    struct regret_log *log = log_world_make(&w);
    double share;
    size_t windows, n_texts;
    cr_assert_eq(repeats_count(&share, &windows, &log->rows[REGRET_LOG_OBS]), REGRET_OK);
    cr_assert_eq(windows, 993);
    cr_assert_float_eq(share, 293.0 / 993.0, 1e-12);
    regret_free(log->text[7]);
    regret_free(log->text[9]);
    cr_assert_eq(regret_strdup(&log->text[7], "  Read THIS\n\ttext "), REGRET_OK);
    cr_assert_eq(regret_strdup(&log->text[9], "read this text"), REGRET_OK);
    uint32_t *first = NULL;
    cr_assert_eq(REGRET_NEW(&first, log->n_contexts), REGRET_OK);
    cr_assert_eq(texts_find_copies(first, &n_texts, log), REGRET_OK);
    for (uint32_t x = 0; x < log->n_contexts; x++) {
        cr_assert_eq(first[x], x == 9 ? 7 : x);
    }
    cr_assert_eq(n_texts, 1000);
    regret_free(first);
    regret_log_free(log);
}
