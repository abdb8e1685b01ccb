#include <criterion/criterion.h>
#include <string.h>

#include "regret/parallel.h"

struct tally {
    int done[500];
    size_t fail_at;
};

static int job(void *context, size_t index, size_t worker)
{
    struct tally *t = context;
    cr_assert_lt(worker, 4);
    t->done[index]++;
    if (index == t->fail_at) {
        return regret_fail(REGRET_E_NUMERIC, "job %zu failed", index);
    }
    return REGRET_OK;
}

Test(parallel, every_job_runs_once)
{
    for (size_t threads = 1; threads <= 4; threads++) {
        struct tally t = {.fail_at = 1000};
        cr_assert_eq(regret_parallel_for(500, threads, job, &t), 0);
        for (int i = 0; i < 500; i++) {
            cr_assert_eq(t.done[i], 1);
        }
    }
}

/* With two workers the other one may finish every job while the failing one is not scheduled; with
 * one there is nobody else. */
Test(parallel, a_failure_stops_and_is_carried_over)
{
    for (size_t threads = 1; threads < 3; threads++) {
        struct tally t = {.fail_at = 100};
        cr_assert_eq(regret_parallel_for(500, threads, job, &t), REGRET_E_NUMERIC);
        cr_assert_str_eq(regret_error_message(), "job 100 failed");
        int done = 0;
        for (int i = 0; i < 500; i++) {
            done += t.done[i];
        }
        cr_assert(threads == 2 || done == 101, "%d jobs", done);
        cr_assert_eq(regret_parallel_for(0, threads, job, &t), 0);
    }
}

Test(parallel, processors)
{
    cr_assert_geq(regret_processor_count(), 1);
}
