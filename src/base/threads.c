#define _GNU_SOURCE /* sched_getaffinity: the processors a container was given, not the machine's  \
                     */

#include "base/threads.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/names.h"
#include "base/status.h"
#include "regret/status.h"

static _Thread_local size_t parallel_allowed; /* 0: nobody said */

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
    size_t before = regret_threads_allow(1);
    work(&workers[0]);
    regret_threads_restore(&before);
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

size_t regret_threads_allowed(void)
{
    return parallel_allowed > 0 ? parallel_allowed : 1;
}

size_t regret_threads_allow(size_t threads)
{
    size_t before = regret_threads_allowed();
    parallel_allowed = threads;
    return before;
}

void regret_threads_restore(const size_t *before)
{
    parallel_allowed = *before;
}

/* ---- Rows put together ---- */

/* A round makes so many parts a thread, each of about so many elements: they wait in a near cache for their place. */
enum { PARTS = 24, PART_ELEMENTS = 1 << 14 };

struct gathering {
    struct gather_whole *to;
    gather_row *make;
    void *context;
    struct gather_part *part; /* [parts], owned with what it holds */
    size_t first, end, rows;  /* of the round; of each part */
};

int gather_reserve(struct gather_part *part, size_t more)
{
    if (part->n + more <= part->capacity && part->array[0] != NULL) {
        return REGRET_OK;
    }
    size_t grown = part->n + more > 2 * part->capacity ? part->n + more : 2 * part->capacity;
    for (size_t k = 0; k < 2; k++) {
        TRY(regret_realloc(&part->array[k], grown, part->size[k], "rows of features"));
    }
    part->capacity = grown;
    return REGRET_OK;
}

static int make_part(void *context, size_t index, size_t worker)
{
    struct gathering *g = context;
    struct gather_part *part = &g->part[index];
    size_t begin = g->first + index * g->rows, end = begin + g->rows;
    part->n = 0;
    for (size_t row = begin; row < end && row < g->end; row++) {
        TRY(g->make(g->context, row, worker, part));
        g->to->start[row + 1] = part->n;
    }
    return REGRET_OK;
}

static int put_part(void *context, size_t index, size_t worker)
{
    struct gathering *g = context;
    const struct gather_part *part = &g->part[index];
    size_t begin = g->first + index * g->rows, end = begin + g->rows;
    (void)worker;
    for (size_t row = begin; row < end && row < g->end; row++) {
        g->to->start[row + 1] += part->place;
    }
    for (size_t k = 0; k < 2; k++) {
        size_t size = part->size[k];
        memcpy((char *)g->to->all.array[k] + part->place * size, part->array[k], part->n * size);
    }
    return REGRET_OK;
}

/* Says of each part where it goes, and makes room for all. */
static int place_parts(struct gathering *g, size_t parts)
{
    struct gather_part *all = &g->to->all;
    size_t sum = 0;
    for (size_t i = 0; i < parts; i++) {
        g->part[i].place = all->n + sum;
        sum += g->part[i].n;
    }
    TRY(gather_reserve(all, sum));
    all->n += sum;
    return REGRET_OK;
}

static int gather_round(struct gathering *g, size_t parts, size_t threads)
{
    size_t left = (g->end - g->first + g->rows - 1) / g->rows;
    parts = parts < left ? parts : left;
    TRY(regret_parallel_for(parts, threads, make_part, g));
    TRY(place_parts(g, parts));
    TRY(regret_parallel_for(parts, threads, put_part, g));
    g->first += parts * g->rows;
    size_t rows = PART_ELEMENTS / (g->to->all.n / (g->first < g->end ? g->first : g->end) + 1);
    g->rows = rows > 0 ? rows : 1;
    return REGRET_OK;
}

int gather_rows(struct gather_whole *to, size_t n, gather_row *make, void *context)
{
    size_t threads = regret_threads_allowed(), parts = threads > 1 ? PARTS * threads : 0;
    struct gathering g = {to, make, context, NULL, 0, n, parts > 0 ? 1 : n};
    int rc;
    TRY(gather_reserve(&to->all, 1));
    if (parts == 0) { /* nothing waits for its place */
        g.part = &to->all;
        return make_part(&g, 0, 0);
    }
    TRY(REGRET_NEW(&g.part, parts));
    for (size_t i = 0; i < parts; i++) {
        memcpy(g.part[i].size, to->all.size, sizeof to->all.size);
        TRY_CLEANUP(gather_reserve(&g.part[i], 1));
    }
    while (g.first < n) {
        TRY_CLEANUP(gather_round(&g, parts, threads));
    }
    rc = REGRET_OK;
cleanup:
    for (size_t i = 0; i < parts; i++) {
        regret_free(g.part[i].array[0]);
        regret_free(g.part[i].array[1]);
    }
    regret_free(g.part);
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

static const char STATUS[] = "/proc/self/status", MACHINE[] = "/proc/meminfo";

/* What follows the first `mark` in a line of a file; "" where there is none. */
static void line_after(char *out, size_t size, const char *path, const char *mark)
{
    char line[4096];
    FILE *file = fopen(path, "r");
    out[0] = '\0';
    while (file != NULL && out[0] == '\0' && fgets(line, sizeof line, file) != NULL) {
        const char *at = strstr(line, mark);
        if (at != NULL) {
            at += strlen(mark);
            snprintf(out, size, "%.*s", (int)strcspn(at, "\n"), at);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

double memory_field(const char *path, const char *field)
{
    char text[128];
    line_after(text, sizeof text, path, field);
    return 1024.0 * strtod(text, NULL);
}

double memory_resident(void)
{
    return memory_field(STATUS, "VmRSS:");
}

static void take(struct memory_left *out, double bytes, double allowed, int is_address_space)
{
    if (bytes < out->bytes) {
        *out = (struct memory_left){bytes > 0.0 ? bytes : 0.0, allowed, 1, is_address_space};
    }
}

/* Where the two versions of control groups say what. */
struct group_kind {
    const char *mark; /* of the line of /proc/self/cgroup that names the group */
    const char *folder, *most, *used;
};
static const struct group_kind group_kinds[] = {
    {"0::", "/sys/fs/cgroup", "memory.max", "memory.current"},
    {":memory:", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"},
};

/* 0 where a file of a group is not there or holds no number, as where it says "max". */
static double group_bytes(const struct group_kind *kind, const char *group, const char *name,
                          const char *mark)
{
    char path[4400], text[128];
    snprintf(path, sizeof path, "%s%s/%s", kind->folder, group, name);
    line_after(text, sizeof text, path, mark);
    return strtod(text, NULL);
}

/* Of its own group and of those that it is in; pages of files are given back where they are wanted. */
static void take_groups(struct memory_left *out, const struct group_kind *kind)
{
    char group[4096];
    line_after(group, sizeof group, "/proc/self/cgroup", kind->mark);
    for (char *end = group + strlen(group); end != NULL; end = strrchr(group, '/')) {
        *end = '\0';
        double most = group_bytes(kind, group, kind->most, "");
        if (most > 0.0) {
            take(out,
                 most - group_bytes(kind, group, kind->used, "") +
                     group_bytes(kind, group, "memory.stat", "inactive_file "),
                 most, 0);
        }
    }
}

void memory_left(struct memory_left *out)
{
    struct rlimit limit;
    double free = memory_field(MACHINE, "MemAvailable:") + memory_field(MACHINE, "SwapFree:");
    *out = (struct memory_left){.bytes = INFINITY, .allowed = INFINITY};
    if (free > 0.0) {
        take(out, free, free + memory_resident(), 0);
        out->is_limited = 0;
    }
    take_groups(out, &group_kinds[0]);
    take_groups(out, &group_kinds[1]);
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        take(out, (double)limit.rlim_cur - memory_field(STATUS, "VmSize:"), (double)limit.rlim_cur,
             1);
    }
}
