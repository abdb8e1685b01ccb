#include "regret/run_cost.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/try.h"
#include "experiment/plan_fit.h"
#include "experiment/pool_source.h"
#include "experiment/replicate.h"
#include "experiment/run_probe.h"
#include "experiment/shard_range.h"
#include "regret/alloc.h"
#include "regret/blas.h"

/* Cells of one estimated cost. */
struct kind {
    uint64_t cost;
    size_t cell;    /* one of them */
    size_t cells;   /* how many there are */
    double seconds; /* measured; 0: not yet */
};

struct probe {
    struct regret_plan *plan;
    struct regret_pool *pool;
    struct plan_inputs *inputs;
    struct run_costs costs;
    uint64_t first_seed;
    struct kind *kind; /* [n], the dearest first */
    size_t n;
};

static int dearest_first(const void *a, const void *b)
{
    const struct kind *x = a, *y = b;
    if (x->cost != y->cost) {
        return x->cost < y->cost ? 1 : -1;
    }
    return (x->cell > y->cell) - (x->cell < y->cell);
}

static int list_kinds(struct probe *p)
{
    size_t cells = p->costs.cells;
    TRY(REGRET_NEW(&p->kind, cells));
    for (size_t c = 0; c < cells; c++) {
        p->kind[c] = (struct kind){p->costs.before[c + 1] - p->costs.before[c], c, 1, 0.0};
    }
    qsort(p->kind, cells, sizeof *p->kind, dearest_first);
    p->n = 1;
    for (size_t c = 1; c < cells; c++) {
        if (p->kind[c].cost == p->kind[p->n - 1].cost) {
            p->kind[p->n - 1].cells++;
        } else {
            p->kind[p->n++] = p->kind[c];
        }
    }
    return REGRET_OK;
}

/* The dearest kind, then the cheapest, then the others as they come, until time is up. */
static int measure_kinds(struct regret_run_cost *out, struct probe *p, double seconds)
{
    double start = clock_seconds(), measured = 0.0, cost = 0.0;
    for (size_t i = 0; i < p->n; i++) {
        struct kind *k = &p->kind[i == 1 ? p->n - 1 : i > 1 ? i - 1 : 0];
        if (i > 0 && clock_seconds() - start >= seconds) {
            break;
        }
        struct probed one;
        TRY(run_probe(&one, p->plan, p->inputs, k->cell, p->first_seed));
        k->seconds = one.seconds;
        measured += k->seconds;
        cost += (double)k->cost;
        out->probed++;
        if (i == 0) {
            out->thread_bytes = one.thread_bytes;
            out->setup_bytes = one.shared_bytes;
            out->row_bytes = one.row_bytes * (double)out->replicates;
        }
    }
    for (size_t i = 0; i < p->n; i++) {
        if (p->kind[i].seconds <= 0.0) {
            p->kind[i].seconds = measured * (double)p->kind[i].cost / cost;
        }
    }
    return REGRET_OK;
}

static double cell_seconds(const struct probe *p, size_t cell)
{
    const struct kind wanted = {p->costs.before[cell + 1] - p->costs.before[cell], 0, 0, 0.0};
    size_t i = 0;
    while (p->kind[i].cost != wanted.cost) {
        i++;
    }
    return p->kind[i].seconds;
}

/* Of every shard its replicates, on the threads that it has. */
static int measure_shards(struct regret_run_cost *out, const struct probe *p)
{
    double *before = NULL;
    size_t cells = p->costs.cells;
    size_t *cut = NULL;
    int rc = REGRET_OK;
    if (cells == 0) {
        return regret_fail(REGRET_E_INTERNAL, "a plan without cells");
    }
    TRY_CLEANUP(shard_cuts(&cut, &p->costs, out->shards));
    TRY_CLEANUP(REGRET_NEW(&before, cells + 1));
    for (size_t c = 0; c < cells; c++) {
        before[c + 1] = before[c] + cell_seconds(p, c);
    }
    out->total_seconds = before[cells] * (double)p->costs.seeds;
    out->shard_least = out->replicates;
    for (size_t k = 0; k < out->shards; k++) {
        size_t n = cut[k + 1] - cut[k], threads = n < out->threads ? n : out->threads;
        size_t whole = cut[k + 1] / cells - cut[k] / cells;
        double busy =
            (double)whole * before[cells] + before[cut[k + 1] % cells] - before[cut[k] % cells];
        /* While the last replicate is computed, the other threads may have nothing to do. */
        double wall = busy / (double)threads + (threads > 1 ? out->longest : 0.0);
        out->shard_seconds = wall > out->shard_seconds ? wall : out->shard_seconds;
        out->shard_least = n < out->shard_least ? n : out->shard_least;
        out->shard_most = n > out->shard_most ? n : out->shard_most;
    }
    out->shard_seconds += out->setup_seconds;
cleanup:
    regret_free(before);
    regret_free(cut);
    return rc;
}

static int open_probe(struct probe *p, struct regret_run_cost *out,
                      const struct regret_run_options *o)
{
    struct regret_config first;
    double start = run_probe_clock();
    TRY(plan_fit_read(&p->plan, o));
    regret_plan_cell(&first, p->plan, 0);
    p->first_seed = first.first_seed;
    *out = (struct regret_run_cost){.cells = regret_plan_cells(p->plan),
                                    .seeds = first.seeds,
                                    .replicates = regret_plan_cells(p->plan) * first.seeds,
                                    .shards = o->shards,
                                    .threads = o->threads};
    if (o->shards < 1 || o->shards > out->replicates || o->shards > SHARDS_MOST || o->threads < 1) {
        return regret_fail(REGRET_E_INPUT,
                           "%zu shards on %zu threads: there are %zu replicates to share out",
                           o->shards, o->threads, out->replicates);
    }
    TRY(regret_blas_check_threads(1)); /* it measures on one thread */
    TRY(pool_source_open(&p->pool, &first));
    TRY(plan_fit_inputs(&p->inputs, p->plan, p->pool, o->config, &o->commands));
    TRY(run_costs_create(&p->costs, p->plan, p->inputs));
    TRY(list_kinds(p));
    out->setup_seconds = run_probe_clock() - start;
    out->peak_bytes = run_probe_peak_bytes();
    out->kinds = p->n;
    return REGRET_OK;
}

static void close_probe(struct probe *p)
{
    regret_free(p->kind);
    run_costs_free(&p->costs);
    plan_inputs_free(p->inputs);
    regret_pool_free(p->pool);
    regret_plan_free(p->plan);
}

int regret_run_cost(struct regret_run_cost *out, const struct regret_run_options *options,
                    double seconds)
{
    struct probe p = {0};
    struct regret_run_cost made = {0};
    int blas_threads = regret_blas_set_threads(1), rc = REGRET_OK;
    TRY_CLEANUP(open_probe(&p, &made, options));
    TRY_CLEANUP(measure_kinds(&made, &p, seconds));
    made.longest = p.kind[0].seconds;
    made.shortest = p.kind[p.n - 1].seconds;
    TRY_CLEANUP(measure_shards(&made, &p));
    made.replicate_seconds = made.total_seconds / (double)made.replicates;
    double working = made.setup_bytes + made.thread_bytes * (double)made.threads;
    made.peak_bytes = working > made.peak_bytes ? working : made.peak_bytes;
    *out = made;
cleanup:
    close_probe(&p);
    regret_blas_set_threads(blas_threads);
    return rc;
}
