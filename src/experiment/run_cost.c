#include "experiment/run_cost.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/status.h"
#include "base/threads.h"
#include "experiment/cell_cost.h"
#include "experiment/external.h"
#include "experiment/inputs.h"
#include "experiment/internal.h"
#include "experiment/pool_source.h"
#include "experiment/run.h"
#include "regret/buffer.h"
#include "regret/experiment.h"
#include "regret/status.h"
#include "results/run_folder.h"

static const char STATUS[] = "/proc/self/status";

/* Processor time of this thread: a login node has other guests. */
static double run_probe_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The most memory so far, or since forget_peak() where the system can do that. */
static double run_probe_peak_bytes(void)
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

/* Computes one replicate as a run makes it, its rows included, and writes nothing. */
static int run_probe(struct probed *out, const struct regret_run_plan *plan,
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

/* The cell whose replicates take the most memory by cell_bytes(), and what they take. */
struct run_memory {
    size_t cell, rows, columns;
    int is_direct;        /* its fits are solved directly */
    double bytes, shared; /* `shared` by the whole process before any replicate */
    struct memory_left left;
};

/* Of what sizes say so little is certain. */
static const double CERTAIN = 0.7;

/* Of a thread besides what its replicates hold: its stack, what malloc() reserves for it, and a buffer of OpenBLAS, which waits
 * without end for one that it does not get. */
static const double RESERVED = (8.0 + 64.0 + 132.0) * 1048576.0;

static void put_left(struct regret_buffer *t, const struct memory_left *left)
{
    regret_buffer_printf(t, "the %.2f GiB left of the %.2f GiB %s", left->bytes / GIB,
                         left->allowed / GIB,
                         left->is_address_space ? "of address space allowed (ulimit -v)"
                         : left->is_limited     ? "that the control group of this process allows"
                                                : "of memory there are");
}

/* What takes less. */
static void put_remedy(struct regret_buffer *t, const struct run_memory *m)
{
    regret_buffer_printf(t,
                         "; it has %zu rows (n_obs + n_exp) of %zu columns: fewer rows, fewer "
                         "columns (features.buckets)%s or a smaller pool (regret pool select) take "
                         "less",
                         m->rows, m->columns, m->is_direct ? ", solver=iterative" : "");
}

/* Looks at what there is before any replicate, and refuses a plan of which one certainly does not fit; the message says by what. */
static int run_memory_open(struct run_memory *out, const struct regret_run_plan *plan,
                           const struct run_inputs *inputs)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    struct run_memory m = {.shared = memory_resident()};
    for (size_t c = 0; c < regret_run_plan_cells(plan); c++) {
        struct regret_config config;
        const struct feature_set *features = run_inputs_features(inputs, c);
        regret_run_plan_cell(&config, plan, c);
        double bytes = cell_bytes(&config, features);
        if (bytes > m.bytes) {
            m.cell = c;
            m.bytes = bytes;
            m.rows = config.n_obs + config.n_exp;
            m.columns = features->phi->cols;
            m.is_direct = cell_solver(&config, features) == REGRET_SOLVER_DIRECT;
        }
    }
    memory_left(&m.left);
    *out = m;
    if (CERTAIN * m.bytes <= m.left.bytes) {
        return REGRET_OK;
    }
    regret_buffer_printf(&text, "a replicate of cell %zu takes about %.2f GiB, more than ", m.cell,
                         m.bytes / GIB);
    put_left(&text, &m.left);
    put_remedy(&text, &m);
    return regret_fail(REGRET_E_INPUT, "%s", regret_buffer_get(&text));
}

/* Given what a replicate came to: where memory ran out, the message says what takes less. Returns rc. */
static int run_memory_explain(int rc, const struct run_memory *m)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    if (rc != REGRET_E_NOMEM) {
        return rc;
    }
    put_left(&text, &m->left);
    put_remedy(&text, m);
    return regret_fail_suffix(rc, ": a replicate of cell %zu takes about %.2f GiB of %s", m->cell,
                              m->bytes / GIB, regret_buffer_get(&text));
}

/* Refuses `threads` whose replicates would take more than there was before them. */
static int run_memory_threads(const struct run_memory *m, size_t threads)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    double each = m->left.is_address_space ? m->bytes + RESERVED : CERTAIN * m->bytes;
    double wanted = (double)threads * each;
    if (threads < 2 || wanted <= m->left.bytes) {
        return REGRET_OK;
    }
    regret_buffer_printf(
        &text, "%zu threads would take %.2f GiB besides the %.2f GiB that they share, more than ",
        threads, wanted / GIB, m->shared / GIB);
    put_left(&text, &m->left);
    regret_buffer_printf(&text, ": use --threads %.0f", fmax(floor(m->left.bytes / each), 1.0));
    return regret_fail(REGRET_E_INPUT, "%s", regret_buffer_get(&text));
}

int run_memory_check(const struct run_rest *rest)
{
    struct run_memory m;
    size_t n = rest->range->end - rest->range->begin;
    TRY(run_memory_open(&m, rest->plan, rest->inputs));
    return run_memory_threads(&m, rest->threads < n ? rest->threads : n);
}

struct probe {
    struct regret_run_plan *plan;
    struct regret_pool *pool;
    struct run_inputs *inputs;
    struct run_costs costs;
    uint64_t first_seed;
    struct regret_stop stop;
    regret_notice_callback *notice; /* may be NULL */
    void *notice_context;
    struct run_memory memory;
    int look; /* 1: of a run that is refused where it does not fit, and is told about at once */
    size_t dearest, cheapest; /* cells, by cell_cost() */
    double *before;           /* [cells + 1] seconds of the cells before each */
};

static double cost_of(const struct probe *p, size_t cell)
{
    return (double)(p->costs.before[cell + 1] - p->costs.before[cell]);
}

static void find_ends(struct probe *p)
{
    for (size_t c = 1; c < p->costs.cells; c++) {
        p->dearest = cost_of(p, c) > cost_of(p, p->dearest) ? c : p->dearest;
        p->cheapest = cost_of(p, c) < cost_of(p, p->cheapest) ? c : p->cheapest;
    }
}

/* A family that fails where it is measured may fail everywhere, and its time is that of failing. */
static void say_unfit(const struct probe *p, const struct probed *one, size_t cell)
{
    char message[640];
    if (one->failure.word != NULL && p->notice != NULL) {
        snprintf(message, sizeof message, "%s has no fit in cell %zu, seed %llu (%s): %s",
                 one->unfit, cell, (unsigned long long)p->first_seed, one->failure.word,
                 one->failure.detail);
        p->notice(p->notice_context, message);
    }
}

/* What a look at a run may take, in units of cell_cost(): about a second. */
enum { LOOK_COST = 1500000, LOOK_ROWS = 2000 };

/* Of cell_cost(), and of its rows, where there are millions, what drawing and scoring them takes besides. */
static double look_cost(const struct probe *p, size_t cell, const struct regret_config *config)
{
    double rows = (double)config->n_obs + (double)config->n_exp;
    return (double)cell_cost(config, run_inputs_features(p->inputs, cell),
                             run_inputs_labels(p->inputs, cell)) +
           5.0 * rows;
}

/* Measures a replicate of a cell; of a run that is looked at one with smaller budgets where it is dear, scaled by the estimates. */
static int measure_cell(struct probed *out, struct probe *p, size_t cell, uint64_t seed)
{
    struct regret_config config;
    regret_run_plan_cell(&config, p->plan, cell);
    double all = look_cost(p, cell, &config), cost = all;
    while (p->look && cost > LOOK_COST && config.n_obs + config.n_exp > LOOK_ROWS) {
        size_t *larger = config.n_obs > config.n_exp ? &config.n_obs : &config.n_exp;
        *larger /= 2;
        cost = look_cost(p, cell, &config);
    }
    run_plan_cap(p->plan, config.n_obs, config.n_exp);
    int rc = run_probe(out, p->plan, p->inputs, cell, seed, &p->stop);
    run_plan_cap(p->plan, 0, 0);
    TRY(run_memory_explain(rc, &p->memory));
    if (cost >= all) {
        say_unfit(p, out, cell);
    }
    out->seconds *= all / cost;
    return REGRET_OK;
}

/* Too many threads: a run is refused, and who asks for its cost is told. */
static int check_threads(const struct probe *p, size_t threads)
{
    int rc = run_memory_threads(&p->memory, threads);
    if (rc != REGRET_E_INPUT || p->look) {
        return rc;
    }
    if (p->notice != NULL) {
        p->notice(p->notice_context, regret_error_message());
    }
    return REGRET_OK;
}

/* Two replicates of a cell, of a plan of one seed or a run that is looked at one: the mean of their seconds. */
static int measure_two(double *seconds, struct probed *one, struct regret_run_cost *out,
                       struct probe *p, size_t cell)
{
    size_t n = p->look || out->seeds < 2 ? 1 : 2;
    for (size_t i = 0; i < n; i++) {
        struct probed again;
        TRY(measure_cell(i == 0 ? one : &again, p, cell, p->first_seed + i));
        *seconds += (i == 0 ? one->seconds : again.seconds) / (double)n;
        out->probed++;
    }
    return REGRET_OK;
}

/* The dearest cell and, of a plan that has cheaper ones, the cheapest. A run that is looked at has the one alone, scaled. */
static int measure_ends(struct regret_run_cost *out, struct probe *p)
{
    double dear = cost_of(p, p->dearest), cheap = cost_of(p, p->cheapest);
    struct probed one, other;
    TRY(check_threads(p, out->threads < out->replicates ? out->threads : out->replicates));
    TRY(measure_two(&out->longest, &one, out, p, p->dearest));
    out->setup_seconds += one.start_seconds;
    out->thread_bytes = p->look ? p->memory.bytes : one.thread_bytes;
    out->setup_bytes = one.shared_bytes;
    out->row_bytes = one.row_bytes * (double)out->replicates;
    if (p->look || cheap >= dear) {
        out->shortest = out->longest * cheap / dear;
        return REGRET_OK;
    }
    return measure_two(&out->shortest, &other, out, p, p->cheapest);
}

/* Between the two by the size of a cell. */
static double cell_seconds(const struct regret_run_cost *c, const struct probe *p, size_t cell)
{
    double dear = cost_of(p, p->dearest), cheap = cost_of(p, p->cheapest);
    double share = dear > cheap ? (cost_of(p, cell) - cheap) / (dear - cheap) : 1.0;
    return c->shortest + share * (c->longest - c->shortest);
}

static int add_cells(struct probe *p, const struct regret_run_cost *out)
{
    if (p->costs.cells == 0) {
        return regret_fail(REGRET_E_INTERNAL, "a plan without cells");
    }
    TRY(REGRET_NEW(&p->before, p->costs.cells + 1));
    for (size_t c = 0; c < p->costs.cells; c++) {
        p->before[c + 1] = p->before[c] + cell_seconds(out, p, c);
    }
    return REGRET_OK;
}

/* Wall time of the replicates [begin, end), on the threads that they have. */
static double range_seconds(const struct probe *p, const struct regret_run_cost *out, size_t begin,
                            size_t end)
{
    size_t cells = p->costs.cells, n = end - begin, threads = n < out->threads ? n : out->threads;
    size_t whole = end / cells - begin / cells;
    double busy =
        (double)whole * p->before[cells] + p->before[end % cells] - p->before[begin % cells];
    /* While the last replicate is computed, the other threads may have nothing to do. */
    return n == 0 ? 0.0 : busy / (double)threads + (threads > 1 ? out->longest : 0.0);
}

static int measure_shards(struct regret_run_cost *out, const struct probe *p)
{
    size_t *cut = NULL;
    TRY(shard_cuts(&cut, &p->costs, out->shards));
    out->total_seconds = p->before[p->costs.cells] * (double)p->costs.seeds;
    out->shard_least = out->replicates;
    for (size_t k = 0; k < out->shards; k++) {
        size_t n = cut[k + 1] - cut[k];
        double wall = range_seconds(p, out, cut[k], cut[k + 1]);
        out->shard_seconds = wall > out->shard_seconds ? wall : out->shard_seconds;
        out->shard_least = n < out->shard_least ? n : out->shard_least;
        out->shard_most = n > out->shard_most ? n : out->shard_most;
    }
    out->shard_seconds += out->setup_seconds;
    regret_free(cut);
    return REGRET_OK;
}

/* How far the run has come, and what its rest takes. */
static int measure_rest(struct regret_run_cost *out, const struct probe *p,
                        const struct regret_run_options *o)
{
    struct shard_range range = {o->shard, o->shards, 0, 0};
    FREED_BY(regret_buffer_free) struct regret_buffer description = REGRET_BUFFER_INIT;
    FREED_BY(run_file_free) struct run_file here = {0};
    struct run_found found;
    TRY(shard_range_cut(&range, &p->costs));
    run_describe(&description, p->plan, p->inputs, &range);
    TRY(regret_buffer_status(&description));
    const struct run_folder folder = {
        o->out,           regret_buffer_get(&description), range, o->resume, o->force, o->notice,
        o->notice_context};
    TRY(run_folder_look(&found, &folder));
    const struct regret_place at = {o->out, 0};
    TRY(run_file_parse(&here, regret_buffer_get(&description), at));
    TRY(run_file_read_order(&here, at));
    out->rows = here.lines;
    out->done = found.replicates;
    out->rest = range.end - range.begin - found.replicates;
    out->rest_seconds =
        out->setup_seconds + range_seconds(p, out, range.begin + found.replicates, range.end);
    return REGRET_OK;
}

static int open_probe(struct probe *p, struct regret_run_cost *out,
                      const struct regret_run_options *o)
{
    struct regret_config first;
    double start = run_probe_clock();
    TRY(run_open_plan(&p->plan, o));
    regret_run_plan_cell(&first, p->plan, 0);
    p->first_seed = first.first_seed;
    *out = (struct regret_run_cost){.cells = regret_run_plan_cells(p->plan),
                                    .seeds = first.seeds,
                                    .replicates = regret_run_plan_cells(p->plan) * first.seeds,
                                    .shards = o->shards,
                                    .threads = o->threads};
    if (o->shards < 1 || o->shards > out->replicates || o->shards > SHARDS_MOST || o->threads < 1) {
        return regret_fail(REGRET_E_INPUT,
                           "%zu shards on %zu threads: there are %zu replicates to share out",
                           o->shards, o->threads, out->replicates);
    }
    TRY(regret_blas_check_threads(1)); /* it measures on one thread */
    FREED_BY(regret_threads_restore) size_t before = regret_threads_allow(o->threads);
    TRY(pool_source_open(&p->pool, &first));
    TRY(run_open_inputs(&p->inputs, p->plan, p->pool, o->config, &o->commands, o->notice,
                        o->notice_context));
    TRY(run_costs_create(&p->costs, p->plan, p->inputs));
    find_ends(p);
    TRY(run_memory_open(&p->memory, p->plan, p->inputs));
    out->setup_seconds = run_probe_clock() - start;
    out->peak_bytes = run_probe_peak_bytes();
    return REGRET_OK;
}

static void close_probe(struct probe *p)
{
    regret_free(p->before);
    run_costs_free(&p->costs);
    run_inputs_free(p->inputs);
    regret_pool_free(p->pool);
    regret_run_plan_free(p->plan);
}

static int measure(struct regret_run_cost *out, const struct regret_run_options *options, int look)
{
    struct probe p = {.stop = {options->commands.cancelled, options->commands.context},
                      .look = look,
                      .notice = options->notice,
                      .notice_context = options->notice_context};
    struct regret_run_cost made = {0};
    int blas_threads = regret_blas_set_threads(1), rc = REGRET_OK;
    TRY_CLEANUP(open_probe(&p, &made, options));
    TRY_CLEANUP(measure_ends(&made, &p));
    TRY_CLEANUP(add_cells(&p, &made));
    TRY_CLEANUP(measure_shards(&made, &p));
    TRY_CLEANUP(look ? measure_rest(&made, &p, options) : REGRET_OK);
    made.replicate_seconds = made.total_seconds / (double)made.replicates;
    if (made.shortest > made.longest) { /* the clock need not keep the order of sizes */
        double swap = made.shortest;
        made.shortest = made.longest;
        made.longest = swap;
    }
    double working = made.setup_bytes + made.thread_bytes * (double)made.threads;
    made.peak_bytes = working > made.peak_bytes ? working : made.peak_bytes;
    *out = made;
cleanup:
    close_probe(&p);
    regret_blas_set_threads(blas_threads);
    return rc;
}

int regret_run_cost(struct regret_run_cost *out, const struct regret_run_options *options)
{
    return measure(out, options, 0);
}

int regret_run_preview(struct regret_run_cost *out, const struct regret_run_options *options)
{
    if (options->shard < 1 || options->shard > options->shards) {
        return regret_fail(REGRET_E_INPUT, "shard %zu of %zu: shards are numbered from 1",
                           options->shard, options->shards);
    }
    return measure(out, options, 1);
}
