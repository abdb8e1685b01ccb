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

Test(parallel, a_failure_stops_and_is_carried_over)
{
    struct tally t = {.fail_at = 100};
    cr_assert_eq(regret_parallel_for(500, 2, job, &t), REGRET_E_NUMERIC);
    cr_assert_str_eq(regret_error_message(), "job 100 failed");
    int after = 0;
    for (int i = 0; i < 500; i++) {
        after += t.done[i];
    }
    cr_assert_lt(after, 500);
    cr_assert_eq(regret_parallel_for(0, 2, job, &t), 0);
}

Test(parallel, processors)
{
    cr_assert_geq(regret_processor_count(), 1);
}
