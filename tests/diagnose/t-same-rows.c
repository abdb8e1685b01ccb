/* A trial that is a part of the log, and trials that only look like one. */
#include <criterion/criterion.h>
#include <string.h>

#include "diagnose/log_world.h"
#include "regret/evaluate.h"
#include "regret/task.h"

enum { FIRST = 700 }; /* the row of OBS that copies begin with */

static void copy_row(struct regret_log *log, size_t to, size_t from)
{
    struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    const struct regret_log_rows *obs = &log->rows[REGRET_LOG_OBS];
    exp->context[to] = obs->context[from];
    exp->agent[to] = obs->agent[from];
    exp->outcome[to] = obs->outcome[from];
    exp->cluster[to] = obs->cluster[from];
    if (exp->time != NULL) {
        exp->time[to] = obs->time[from];
    }
}

/* What is said of it; its first entry where that says no. */
static enum regret_diagnostic_verdict verdict_of(struct regret_log *log, double *share)
{
    struct regret_diagnose_options options = REGRET_DIAGNOSE_OPTIONS_INIT;
    struct regret_diagnostics *d = NULL;
    cr_assert_eq(regret_diagnose(&d, log, &options), REGRET_OK, "%s", regret_error_message());
    size_t i = 0;
    while (i < d->n && strcmp(d->entry[i].name, "same.rows") != 0) {
        i++;
    }
    cr_assert_lt(i, d->n);
    enum regret_diagnostic_verdict verdict = d->entry[i].verdict;
    cr_assert(verdict != REGRET_DIAGNOSTIC_NO || i == 0, "what voids the rest comes first");
    *share = d->entry[i].value;
    regret_diagnostics_free(d);
    regret_log_free(log);
    return verdict;
}

/* The first `copied` rows of EXP become rows of OBS, one after the other or here and there. */
static struct regret_log *with_copies(size_t copied, size_t stride)
{
    struct log_world world = LOG_WORLD_INIT;
    world.n_exp = 400;
    struct regret_log *log = log_world_make(&world);
    for (size_t i = 0; i < copied; i++) {
        copy_row(log, i, (FIRST + i * stride) % log->rows[REGRET_LOG_OBS].n);
    }
    return log;
}

Test(same_rows, copies_say_no)
{
    double share;
    cr_expect_eq(verdict_of(with_copies(400, 1), &share), REGRET_DIAGNOSTIC_NO);
    cr_expect_eq(share, 1.0);
    cr_expect_eq(verdict_of(with_copies(400, 37), &share), REGRET_DIAGNOSTIC_NO);
    cr_expect_eq(share, 1.0);
    cr_expect_eq(verdict_of(with_copies(200, 37), &share), REGRET_DIAGNOSTIC_NO);
    cr_expect(share > 0.4 && share < 0.6, "%g", share);
    cr_expect_eq(verdict_of(with_copies(0, 1), &share), REGRET_DIAGNOSTIC_FINE);
    cr_expect_eq(share, 0.0);
}

/* Where rows have no names, no context is in both: their sequence tells. */
Test(same_rows, copies_without_names_say_no)
{
    double share;
    struct log_world world = LOG_WORLD_INIT;
    struct regret_log *log = log_world_make(&world);
    struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    for (size_t i = 0; i < exp->n; i++) {
        uint32_t context = exp->context[i], cluster = exp->cluster[i];
        copy_row(log, i, FIRST + i);
        exp->context[i] = context;
        exp->cluster[i] = cluster;
    }
    cr_expect_eq(verdict_of(log, &share), REGRET_DIAGNOSTIC_NO);
    cr_expect_gt(share, 0.9);
}

/* The same requests in both, each answered by whom chance chose, with the outcome that this agent always has there: of five agents a
 * fifth of the rows are alike, of two agents half of them. */
Test(same_rows, the_same_requests_are_no_copies)
{
    for (size_t agents = 2; agents <= 5; agents++) {
        double share;
        struct log_world world = {
            .seed = agents, .n_obs = 2000, .n_exp = 400, .n_agents = agents, .no_time = 1};
        struct regret_log *log = log_world_make(&world);
        for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
            struct regret_log_rows *rows = &log->rows[s];
            for (size_t i = 0; i < rows->n; i++) {
                rows->context[i] = log->rows[REGRET_LOG_OBS].context[i];
                rows->cluster[i] = log->rows[REGRET_LOG_OBS].cluster[i];
                struct regret_rng r =
                    regret_rng_at(1, REGRET_RNG_TEST, rows->context[i] * agents + rows->agent[i]);
                rows->outcome[i] = regret_rng_uniform(&r);
            }
        }
        cr_expect_eq(verdict_of(log, &share), REGRET_DIAGNOSTIC_FINE, "%zu agents", agents);
        cr_expect_eq(share, 0.0);
    }
}

/* A handful of requests, over and over, with outcomes 0 and 1: every row has its like by chance, but no long sequence has. */
Test(same_rows, few_requests_are_no_copies)
{
    double share;
    for (int copied = 0; copied < 2; copied++) {
        struct log_world world = {
            .seed = 3, .n_obs = 2000, .n_exp = 400, .n_agents = 2, .binary = 1, .no_time = 1};
        struct regret_log *log = log_world_make(&world);
        for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
            for (size_t i = 0; i < log->rows[s].n; i++) {
                log->rows[s].context[i] = log->rows[s].context[i] % 3;
                log->rows[s].cluster[i] = 0;
            }
        }
        for (size_t i = 0; copied && i < log->rows[REGRET_LOG_EXP].n; i++) {
            copy_row(log, i, FIRST + i);
        }
        cr_expect_eq(verdict_of(log, &share),
                     copied ? REGRET_DIAGNOSTIC_NO : REGRET_DIAGNOSTIC_FINE, "%d: %g", copied,
                     share);
    }
}
