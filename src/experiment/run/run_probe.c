#include "experiment/run/run_probe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/core/try.h"
#include "base/files/memory_left.h"
#include "experiment/replicate/cross_fit.h"
#include "experiment/replicate/rows.h"

static const char STATUS[] = "/proc/self/status";

/* Processor time of this thread: a login node has other guests. */
double run_probe_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The most memory so far, or since forget_peak() where the system can do that. */
double run_probe_peak_bytes(void)
{
    struct rusage usage;
    double peak = memory_field(STATUS, "VmHWM:");
    return peak > 0.0                            ? peak
           : getrusage(RUSAGE_SELF, &usage) == 0 ? 1024.0 * (double)usage.ru_maxrss
                                                 : 0.0;
}

static void forget_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file != NULL) {
        fputs("5", file);
        fclose(file);
    }
}

/* A command's first answer waits for its program to start, which it does once a thread and not once a replicate: it is
 * asked once before it is measured, and what that took more is told apart. */
static int warm_up(double *seconds, const struct run_inputs *inputs,
                   const struct replicate_source *from, size_t cell, uint64_t seed)
{
    struct measures measures;
    struct details details = {0};
    struct effort effort = {0};
    *seconds = 0.0;
    if (!external_has_commands(inputs->external) || external_waited(inputs->external) > 0.0) {
        return REGRET_OK;
    }
    int rc = cross_fit(&measures, &details, &effort, from, cell, seed);
    details_clear(&details);
    *seconds = external_waited(inputs->external);
    return rc;
}

static void note_unfit(struct probed *out, const struct measures *m)
{
    for (size_t i = m->n_families; i-- > 0;) {
        if (m->family[i].failure.word != NULL) {
            memcpy(out->unfit, m->family[i].family, sizeof out->unfit);
            out->failure = m->family[i].failure;
        }
    }
}

int run_probe(struct probed *out, const struct regret_run_plan *plan,
              const struct run_inputs *inputs, size_t cell, uint64_t seed,
              const struct regret_stop *stop)
{
    struct measures measures;
    struct details details = {0};
    struct effort effort = {0};
    struct proxy_memo memo = {0}; /* of no use to one replicate: for its memory */
    struct regret_buffer key = REGRET_BUFFER_INIT, rows = REGRET_BUFFER_INIT;
    int rc;
    *out = (struct probed){.shared_bytes = memory_resident()};
    forget_peak();
    TRY_CLEANUP(proxy_memo_create(&memo, run_inputs_folds(inputs, plan)));
    const struct replicate_source from = {plan, inputs, &memo, stop},
                                  bare = {plan, inputs, NULL, stop};
    double first = 0.0;
    TRY_CLEANUP(warm_up(&first, inputs, &bare, cell, seed));
    double start = run_probe_clock(), before = external_waited(inputs->external);
    TRY_CLEANUP(cross_fit(&measures, &details, &effort, &from, cell, seed));
    regret_run_plan_cell_key(&key, plan, cell);
    TRY_CLEANUP(regret_buffer_status(&key));
    rc = rows_write(&rows, &measures, &details, cell, seed, regret_buffer_get(&key));
    double waited = external_waited(inputs->external) - before;
    note_unfit(out, &measures);
    out->seconds = run_probe_clock() - start + waited;
    out->start_seconds = first > waited ? first - waited : 0.0;
    out->row_bytes = (double)rows.length;
    out->thread_bytes = run_probe_peak_bytes() - out->shared_bytes;
cleanup:
    proxy_memo_clear(&memo);
    details_clear(&details);
    regret_buffer_free(&key);
    regret_buffer_free(&rows);
    return rc != REGRET_OK && rc != REGRET_E_CANCELLED ? regret_fail_prefix(rc, "cell %zu", cell)
                                                       : rc;
}

/* ---------------------------------------------------------------- before a run */

/* Units of cost are about a microsecond of a processor, give or take a few times. */
static const double WORTH_SAYING = 60e6, LONG_SECONDS = 6 * 3600.0, GIB = 1073741824.0;

static size_t dearest_cell(const struct run_rest *rest)
{
    const uint64_t *before = rest->costs->before;
    size_t cells = rest->costs->cells, begin = rest->range->begin + rest->done,
           best = begin % cells;
    for (size_t i = begin; i < rest->range->end && i < begin + cells; i++) {
        size_t c = i % cells;
        best = before[c + 1] - before[c] > before[best + 1] - before[best] ? c : best;
    }
    return best;
}

static void put_span(struct regret_buffer *t, double seconds)
{
    if (seconds < 5400.0) {
        regret_buffer_printf(t, "%.0f min", seconds / 60.0 < 1.0 ? 1.0 : seconds / 60.0);
    } else {
        regret_buffer_printf(t, "%.1f hours", seconds / 3600.0);
    }
}

static double units_of(const struct run_rest *rest)
{
    return (double)(run_costs_before(rest->costs, rest->range->end) -
                    run_costs_before(rest->costs, rest->range->begin + rest->done));
}

int run_probe_worth(const struct run_rest *rest)
{
    return rest->range->end - rest->range->begin - rest->done > 1 && units_of(rest) > WORTH_SAYING;
}

int run_probe_rest(struct regret_buffer *out, const struct run_rest *rest)
{
    size_t n = rest->range->end - rest->range->begin - rest->done, cell = dearest_cell(rest);
    size_t threads = rest->threads < n ? rest->threads : n;
    double dearest = (double)(rest->costs->before[cell + 1] - rest->costs->before[cell]);
    struct probed one;
    TRY(run_probe(&one, rest->plan, rest->inputs, cell, rest->first_seed, rest->stop));
    double seconds = units_of(rest) * one.seconds / dearest / (double)threads;
    double bytes = one.shared_bytes + (double)threads * one.thread_bytes;
    regret_buffer_printf(out, "%zu replicates on %zu thread%s will take about ", n, threads,
                         threads == 1 ? "" : "s");
    put_span(out, seconds);
    regret_buffer_printf(out, " and %.1f GiB, by one of the dearest (%.2g s of a processor)",
                         bytes / GIB, one.seconds);
    if (seconds > LONG_SECONDS) {
        regret_buffer_append(
            out, "; fewer seeds (--seeds) or smaller budgets (--set n_obs=...) take less, "
                 "and --shard shares it out");
    }
    return regret_buffer_status(out);
}
