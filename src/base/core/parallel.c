#define _GNU_SOURCE /* sched_getaffinity: the processors a container was given, not the machine's  \
                     */
#include "regret/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"

struct shared {
    regret_job *job;
    void *context;
    size_t n;
    atomic_size_t next;
    atomic_int stop;
    pthread_mutex_t lock; /* guards what follows */
    size_t failed_index;
    int failed_code;
    char message[1024];
};

struct worker {
    struct shared *shared;
    size_t number;
    pthread_t thread;
};

static void record_failure(struct shared *s, size_t index, int code)
{
    pthread_mutex_lock(&s->lock);
    if (s->failed_code == REGRET_OK || index < s->failed_index) {
        s->failed_index = index;
        s->failed_code = code;
        snprintf(s->message, sizeof s->message, "%s", regret_error_message());
    }
    pthread_mutex_unlock(&s->lock);
    atomic_store(&s->stop, 1);
}

static void *work(void *argument)
{
    struct worker *w = argument;
    struct shared *s = w->shared;
    while (!atomic_load(&s->stop)) {
        size_t index = atomic_fetch_add(&s->next, 1);
        if (index >= s->n) {
            break;
        }
        int code = s->job(s->context, index, w->number);
        if (code != REGRET_OK) {
            record_failure(s, index, code);
        }
    }
    return NULL;
}

int regret_parallel_for(size_t n, size_t threads, regret_job *job, void *context)
{
    struct worker *workers = NULL;
    struct shared s = {.job = job, .context = context, .n = n, .failed_index = SIZE_MAX};
    if (threads > n) {
        threads = n > 0 ? n : 1;
    }
    int rc = REGRET_OK;
    TRY(REGRET_NEW(&workers, threads));
    pthread_mutex_init(&s.lock, NULL);
    size_t started = 1;
    for (size_t t = 0; t < threads; t++) {
        workers[t].shared = &s;
        workers[t].number = t;
    }
    for (; started < threads; started++) {
        int error = pthread_create(&workers[started].thread, NULL, work, &workers[started]);
        if (error != 0) {
            rc = regret_fail(REGRET_E_IO, "cannot start thread %zu: %s", started, strerror(error));
            atomic_store(&s.stop, 1);
            break;
        }
    }
    work(&workers[0]);
    for (size_t t = 1; t < started; t++) {
        pthread_join(workers[t].thread, NULL);
    }
    pthread_mutex_destroy(&s.lock);
    regret_free(workers);
    if (s.failed_code != REGRET_OK) {
        return regret_fail(s.failed_code, "%s", s.message);
    }
    return rc;
}

/* cgroup v2: "QUOTA PERIOD" in microseconds, or "max PERIOD". */
static size_t quota_processors(void)
{
    FILE *file = fopen("/sys/fs/cgroup/cpu.max", "r");
    if (file == NULL) {
        return SIZE_MAX;
    }
    long long quota = 0, period = 0;
    int fields = fscanf(file, "%lld %lld", &quota, &period);
    fclose(file);
    if (fields != 2 || quota <= 0 || period <= 0) {
        return SIZE_MAX;
    }
    return (size_t)((quota + period - 1) / period);
}

/* Slurm clusters without task affinity or control groups leave the whole node in the mask. */
static size_t slurm_processors(void)
{
    static const char *const names[] = {"SLURM_CPUS_PER_TASK", "SLURM_CPUS_ON_NODE"};
    for (size_t i = 0; getenv("SLURM_JOB_ID") != NULL && i < 2; i++) {
        const char *text = getenv(names[i]);
        char *end = NULL;
        unsigned long long n = text != NULL ? strtoull(text, &end, 10) : 0;
        if (n > 0 && *end == '\0') {
            return (size_t)n;
        }
    }
    return SIZE_MAX;
}

size_t regret_processor_count(void)
{
    cpu_set_t set;
    size_t count = 1;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        count = (size_t)CPU_COUNT(&set);
    }
    size_t quota = quota_processors();
    size_t job = slurm_processors();
    count = quota < count ? quota : count;
    count = job < count ? job : count;
    return count < 1 ? 1 : count;
}
