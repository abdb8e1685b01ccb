#include "regret/run_cost.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/core/clock.h"
#include "base/core/try.h"
#include "experiment/config/run_plan.h"
#include "experiment/features/cell_cost.h"
#include "experiment/inputs/run_open.h"
#include "experiment/pool/pool_source.h"
#include "experiment/replicate/replicate.h"
#include "experiment/run/run_describe.h"
#include "experiment/run/run_memory.h"
#include "experiment/run/run_probe.h"
#include "experiment/run/shard_range.h"
#include "regret/alloc.h"
#include "regret/blas.h"
#include "regret/parallel.h"
#include "results/run/run_folder.h"

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
