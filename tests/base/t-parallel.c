#define _GNU_SOURCE /* sched_setaffinity */
#include <criterion/criterion.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "regret/status.h"

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

/* The least of the mask, the quota and the job's share. */
Test(parallel, processors)
{
    cpu_set_t all, one;
    cr_assert_eq(sched_getaffinity(0, sizeof all, &all), 0);
    unsetenv("SLURM_JOB_ID");
    size_t here = regret_processor_count();
    cr_assert(here >= 1 && here <= (size_t)CPU_COUNT(&all));
    setenv("SLURM_CPUS_ON_NODE", "1", 1);
    cr_assert_eq(regret_processor_count(), here, "left over from a job that is none of ours");
    setenv("SLURM_JOB_ID", "7", 1);
    cr_assert_eq(regret_processor_count(), 1);
    setenv("SLURM_CPUS_PER_TASK", "4096", 1);
    cr_assert_eq(regret_processor_count(), here, "the task's share goes before the node's");
    setenv("SLURM_CPUS_PER_TASK", "1(x2)", 1);
    cr_assert_eq(regret_processor_count(), 1, "what is no number is skipped");
    unsetenv("SLURM_CPUS_ON_NODE");
    cr_assert_eq(regret_processor_count(), here);
    unsetenv("SLURM_JOB_ID");
    CPU_ZERO(&one);
    for (int c = 0; c < CPU_SETSIZE && CPU_COUNT(&one) == 0; c++) {
        if (CPU_ISSET(c, &all)) {
            CPU_SET(c, &one);
        }
    }
    cr_assert_eq(sched_setaffinity(0, sizeof one, &one), 0);
    cr_assert_eq(regret_processor_count(), 1);
}
