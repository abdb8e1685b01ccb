#include "experiment/run.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "experiment/cell_cost.h"
#include "experiment/external.h"
#include "experiment/inputs.h"
#include "experiment/internal.h"
#include "experiment/pool_source.h"
#include "experiment/replicate.h"
#include "experiment/run_cost.h"
#include "regret/experiment.h"
#include "regret/status.h"
#include "results/results.h"
#include "results/run_file.h"
#include "results/run_folder.h"

/* With fewer batches for a thread than these the last ones would keep it waiting. */
enum { BATCHES_A_THREAD = 4 };

/* The keys of a cell, but for n_exp. */
static int shared_keys(struct regret_buffer *out, const struct regret_run_plan *plan, size_t cell)
{
    struct regret_config config;
    regret_run_plan_cell(&config, plan, cell);
    config.n_exp = 0;
    regret_buffer_clear(out);
    config_members_json(out, &config);
    return regret_buffer_status(out);
}

/* follows[c]: cell c differs from the one before it in n_exp alone. */
static int compare_cells(unsigned char *follows, const struct regret_run_plan *plan)
{
    struct regret_buffer keys[2] = {REGRET_BUFFER_INIT, REGRET_BUFFER_INIT};
    int rc = REGRET_OK;
    for (size_t c = 0; c < regret_run_plan_cells(plan); c++) {
        TRY_CLEANUP(shared_keys(&keys[c % 2], plan, c));
        follows[c] = c > 0 && strcmp(regret_buffer_get(&keys[0]), regret_buffer_get(&keys[1])) == 0;
    }
cleanup:
    regret_buffer_free(&keys[0]);
    regret_buffer_free(&keys[1]);
    return rc;
}

static void cut(struct run_batches *out, const unsigned char *follows, size_t cells, size_t begin,
                size_t end)
{
    out->n = 0;
    for (size_t i = begin; i < end; i++) {
        if (i == begin || follows == NULL || !follows[i % cells]) {
            out->begin[out->n++] = i;
        }
    }
    out->begin[out->n] = end;
}

int run_batches_create(struct run_batches *out, const struct regret_run_plan *plan, size_t begin,
                       size_t end, size_t threads)
{
    size_t cells = regret_run_plan_cells(plan);
    FREED unsigned char *follows = NULL;
    TRY(REGRET_NEW(&follows, cells));
    TRY(REGRET_NEW(&out->begin, end - begin + 1));
    TRY(compare_cells(follows, plan));
    cut(out, follows, cells, begin, end);
    if (out->n / BATCHES_A_THREAD < threads) {
        cut(out, NULL, cells, begin, end);
    }
    return REGRET_OK;
}

void run_batches_free(struct run_batches *batches)
{
    regret_free(batches->begin);
    *batches = (struct run_batches){0};
}

int run_costs_create(struct run_costs *out, const struct regret_run_plan *plan,
                     const struct run_inputs *inputs)
{
    struct regret_config first;
    size_t cells = regret_run_plan_cells(plan);
    regret_run_plan_cell(&first, plan, 0);
    struct run_costs made = {NULL, cells, first.seeds};
    TRY(REGRET_NEW(&made.before, cells + 1));
    for (size_t c = 0; c < cells; c++) {
        struct regret_config cell;
        regret_run_plan_cell(&cell, plan, c);
        made.before[c + 1] = made.before[c] + cell_cost(&cell, run_inputs_features(inputs, c),
                                                        run_inputs_labels(inputs, c));
    }
    *out = made;
    return REGRET_OK;
}

void run_costs_free(struct run_costs *costs)
{
    regret_free(costs->before);
    *costs = (struct run_costs){0};
}

uint64_t run_costs_before(const struct run_costs *costs, size_t index)
{
    return index / costs->cells * costs->before[costs->cells] + costs->before[index % costs->cells];
}

/* The replicate whose beginning is nearest to `target` in the cumulated cost. */
static size_t nearest_begin(const struct run_costs *costs, uint64_t target)
{
    uint64_t round = costs->before[costs->cells], within = target % round;
    size_t low = 0, high = costs->cells; /* before[low] <= within < before[high] */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (costs->before[middle] <= within) {
            low = middle;
        } else {
            high = middle;
        }
    }
    size_t index = (size_t)(target / round) * costs->cells + low;
    return within - costs->before[low] <= costs->before[low + 1] - within ? index : index + 1;
}

/* The last end of a shard that begins at `begin` and costs at most `bound`. */
static size_t furthest_end(const struct run_costs *costs, size_t begin, uint64_t bound)
{
    size_t total = costs->cells * costs->seeds, low = begin, high = total + 1;
    uint64_t most = run_costs_before(costs, begin) + bound;
    while (high - low > 1) { /* low is within the bound, high is not */
        size_t middle = low + (high - low) / 2;
        if (run_costs_before(costs, middle) <= most) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Whether `shards` ranges of at most `bound` hold everything. */
static int is_enough(const struct run_costs *costs, size_t shards, uint64_t bound)
{
    size_t end = 0;
    for (size_t k = 0; k < shards && end < costs->cells * costs->seeds; k++) {
        end = furthest_end(costs, end, bound);
    }
    return end == costs->cells * costs->seeds;
}

/* What the dearest shard costs at least. */
static uint64_t least_bound(const struct run_costs *costs, size_t shards)
{
    uint64_t whole = run_costs_before(costs, costs->cells * costs->seeds), dearest = 1;
    for (size_t c = 0; c < costs->cells; c++) {
        uint64_t one = costs->before[c + 1] - costs->before[c];
        dearest = one > dearest ? one : dearest;
    }
    uint64_t low = whole / shards, high = low + 1 + dearest; /* high is always enough */
    low = low > dearest ? low : dearest;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (is_enough(costs, shards, middle)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return high;
}

/* earliest[k]: where shard k + 1 may begin at the earliest, so that those from there on stay within
 * the bound: filled from the end. */
static void fill_earliest(size_t *earliest, const struct run_costs *costs, size_t shards,
                          uint64_t bound)
{
    earliest[shards] = costs->cells * costs->seeds;
    for (size_t k = shards; k-- > 0;) {
        uint64_t until = run_costs_before(costs, earliest[k + 1]);
        size_t low = 0, high = earliest[k + 1]; /* high is within the bound */
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (until - run_costs_before(costs, middle) <= bound) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        earliest[k] = high;
    }
}

int shard_cuts(size_t **out, const struct run_costs *costs, size_t shards)
{
    size_t total = costs->cells * costs->seeds, *cut = NULL;
    uint64_t whole = run_costs_before(costs, total), bound = least_bound(costs, shards);
    TRY(REGRET_NEW(&cut, shards + 1));
    fill_earliest(cut, costs, shards, bound);
    cut[0] = 0;
    for (size_t k = 1; k < shards; k++) {
        /* whole * k / shards, which may be too large a product */
        size_t even = nearest_begin(costs, whole / shards * k + whole % shards * k / shards);
        size_t least = cut[k] > cut[k - 1] ? cut[k] : cut[k - 1] + 1;
        size_t most = furthest_end(costs, cut[k - 1], bound), room = total - (shards - k);
        most = most < room ? most : room; /* one replicate for each that follows */
        cut[k] = even < least ? least : even > most ? most : even;
    }
    *out = cut;
    return REGRET_OK;
}

int shard_range_cut(struct shard_range *range, const struct run_costs *costs)
{
    size_t *cut = NULL;
    TRY(shard_cuts(&cut, costs, range->shards));
    range->begin = cut[range->shard - 1];
    range->end = cut[range->shard];
    regret_free(cut);
    return REGRET_OK;
}

/* A family of one's own that has no fit in a replicate. */
struct unfit {
    size_t family;
    struct external_failure failure;
};

/* What one finished replicate hands to the writer. */
struct finished {
    struct regret_buffer rows, timing;
    struct unfit *unfit;
    size_t n_unfit;
    struct effort effort;
    int ready;
};

struct run {
    const struct regret_run_options *options;
    struct regret_run_plan *plan;
    struct regret_pool *pool;
    struct run_inputs *inputs;
    struct regret_stop stop;
    struct run_costs costs;
    struct run_lock folder;
    struct shard_range range;
    struct run_batches batches;
    struct proxy_memo *memo; /* [threads] */
    size_t cells, seeds, resumed;
    uint64_t first_seed;
    double start;

    pthread_mutex_t lock;      /* guards what follows */
    struct finished *finished; /* [range.end - range.begin - resumed] */
    size_t written;            /* of them */
    int stopped;               /* nothing is written after a failure or a wish to stop */
    struct row_file results, timings;
    size_t failed[REGRET_MAX_FAMILIES]; /* replicates in which a family of one's own has no fit */
    struct regret_run_summary summary;
};

static void free_finished(struct finished *f)
{
    regret_buffer_free(&f->rows);
    regret_buffer_free(&f->timing);
    regret_free(f->unfit);
    f->unfit = NULL;
}

enum { FAILURES_SAID = 3 }; /* of each family; the rest is counted */

static void say(const struct run *run, const char *message)
{
    if (run->options->notice != NULL) {
        run->options->notice(run->options->notice_context, message);
    }
}

/* Says which families of one's own have no fit in the next replicate, as far as it is new: in the order of the rows,
 * whichever thread was first. */
static void say_failures(struct run *run, const struct finished *f)
{
    char message[640];
    size_t index = run->range.begin + run->resumed + run->written;
    uint64_t seed = run->first_seed + index / run->cells;
    struct regret_config first;
    regret_run_plan_cell(&first, run->plan, 0);
    for (size_t i = 0; i < f->n_unfit; i++) {
        const struct unfit *u = &f->unfit[i];
        if (++run->failed[u->family] <= FAILURES_SAID) {
            snprintf(message, sizeof message, "%s has no fit in cell %zu, seed %llu (%s): %s",
                     regret_family_list_name(&first.families, u->family), index % run->cells,
                     (unsigned long long)seed, u->failure.word, u->failure.detail);
            say(run, message);
        }
    }
}

/* Writes the next replicate. */
static int write_next(struct run *run)
{
    struct finished *f = &run->finished[run->written];
    TRY(row_file_append(&run->results, regret_buffer_get(&f->rows), f->rows.length));
    TRY(row_file_append(&run->timings, regret_buffer_get(&f->timing), f->timing.length));
    for (size_t s = 0; s < N_STAGES; s++) {
        run->summary.stage_seconds[s] += f->effort.seconds[s];
    }
    say_failures(run, f);
    free_finished(f);
    run->written++;
    return REGRET_OK;
}

/* Nothing more is written. Called under the lock. */
static int stop(struct run *run)
{
    run->stopped = 1;
    return regret_fail(REGRET_E_CANCELLED,
                       "stopped after %zu of %zu replicates; --resume goes on from there",
                       run->resumed + run->written, run->range.end - run->range.begin);
}

/* Writes finished replicates in their order, as far as there is no gap. Called under the lock. A
 * failed write may leave a part of a replicate, so nothing may be written after it: --resume cuts
 * the file there. */
static int write_ready(struct run *run)
{
    size_t n = run->range.end - run->range.begin - run->resumed;
    while (!run->stopped && run->written < n && run->finished[run->written].ready) {
        int rc = write_next(run);
        if (rc != REGRET_OK) {
            char reason[512];
            snprintf(reason, sizeof reason, "%s", regret_error_message());
            run->stopped = 1;
            return regret_fail(rc, "%s; %zu of %zu replicates are written, --resume goes on there",
                               reason, run->resumed + run->written,
                               run->range.end - run->range.begin);
        }
        struct regret_progress progress = {run->resumed + run->written,
                                           run->range.end - run->range.begin, run->resumed,
                                           clock_seconds() - run->start};
        if (run->options->progress != NULL &&
            run->options->progress(run->options->progress_context, &progress) != 0) {
            return stop(run);
        }
    }
    return REGRET_OK;
}

static void write_timing(struct regret_buffer *t, const struct effort *effort, size_t cell,
                         uint64_t seed)
{
    regret_buffer_printf(t, "{\"cell\":%zu,\"seed\":%llu", cell, (unsigned long long)seed);
    for (size_t s = 0; s < N_STAGES; s++) {
        regret_buffer_printf(t, ",\"%s\":%.6f", stage_names[s], effort->seconds[s]);
    }
    if (effort->solver.steps > 0) {
        regret_buffer_printf(t, ",\"fits\":%zu,\"steps\":%zu,\"fallbacks\":%zu,\"error\":%.2g",
                             effort->solver.fits, effort->solver.steps, effort->solver.fallbacks,
                             effort->solver.error);
    }
    regret_buffer_append(t, "}\n");
}

static int note_failures(struct finished *f, const struct measures *m)
{
    for (size_t i = 0; i < m->n_families; i++) {
        f->n_unfit += m->family[i].failure.word != NULL;
    }
    TRY(REGRET_NEW(&f->unfit, f->n_unfit));
    struct unfit *next = f->unfit;
    for (size_t i = 0; i < m->n_families; i++) {
        if (m->family[i].failure.word != NULL) {
            *next++ = (struct unfit){i, m->family[i].failure};
        }
    }
    return REGRET_OK;
}

static int compute(struct finished *f, struct run *run, size_t index, struct proxy_memo *memo)
{
    size_t cell = index % run->cells;
    uint64_t seed = run->first_seed + index / run->cells;
    const struct replicate_source from = {run->plan, run->inputs, memo, &run->stop};
    struct measures measures;
    struct details details = {0};
    struct regret_buffer key = REGRET_BUFFER_INIT;
    int rc;
    TRY_CLEANUP(cross_fit(&measures, &details, &f->effort, &from, cell, seed));
    double start = clock_seconds();
    regret_run_plan_cell_key(&key, run->plan, cell);
    TRY_CLEANUP(regret_buffer_status(&key));
    TRY_CLEANUP(rows_write(&f->rows, &measures, &details, cell, seed, regret_buffer_get(&key)));
    f->effort.seconds[STAGE_MEASURE] += clock_seconds() - start;
    write_timing(&f->timing, &f->effort, cell, seed);
    TRY_CLEANUP(note_failures(f, &measures));
    rc = regret_buffer_status(&f->timing);
cleanup:
    details_clear(&details);
    regret_buffer_free(&key);
    return rc != REGRET_OK
               ? regret_fail_prefix(rc, "cell %zu, seed %llu", cell, (unsigned long long)seed)
               : rc;
}

/* And in the end, of those that were not said one by one, how many there are. */
static void sum_failures(const struct run *run)
{
    char message[256];
    struct regret_config first;
    regret_run_plan_cell(&first, run->plan, 0);
    for (size_t i = 0; i < first.families.n; i++) {
        if (run->failed[i] > FAILURES_SAID) {
            snprintf(message, sizeof message, "%s has no fit in %zu of the %zu replicates computed",
                     regret_family_list_name(&first.families, i), run->failed[i], run->written);
            say(run, message);
        }
    }
}

/* Replicate `index` of all. */
static int finish(struct run *run, size_t index, struct proxy_memo *memo)
{
    struct finished *f = &run->finished[index - run->range.begin - run->resumed];
    int rc = compute(f, run, index, memo);
    pthread_mutex_lock(&run->lock);
    if (rc == REGRET_E_CANCELLED) {
        rc = stop(run);
    }
    TRY_CLEANUP(rc);
    f->ready = 1;
    rc = write_ready(run);
cleanup:
    pthread_mutex_unlock(&run->lock);
    return rc;
}

static int job(void *context, size_t batch, size_t worker)
{
    struct run *run = context;
    for (size_t i = run->batches.begin[batch]; i < run->batches.begin[batch + 1]; i++) {
        TRY(finish(run, i, &run->memo[worker]));
    }
    return REGRET_OK;
}

/* Shares the rest out to the threads. */
static int share_out(struct run *run)
{
    size_t threads = run->options->threads;
    TRY(run_batches_create(&run->batches, run->plan, run->range.begin + run->resumed,
                           run->range.end, threads));
    TRY(REGRET_NEW(&run->memo, threads));
    size_t folds = run_inputs_folds(run->inputs, run->plan);
    for (size_t i = 0; i < threads; i++) {
        TRY(proxy_memo_create(&run->memo[i], folds));
    }
    return REGRET_OK;
}

/* Says what the grids of the run lack of the pool, once each. */
static int announce_losses(const struct run *run)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    const struct regret_grid *last = NULL;
    for (size_t i = 0; run->options->notice != NULL && i < run->inputs->n_features; i++) {
        const struct regret_grid *g = run->inputs->features[i]->grid;
        int lossy = g->dropped_contexts > 0 || g->dropped_agents > 0 || g->imputed > 0 ||
                    g->observed != NULL;
        if (!lossy ||
            (last != NULL && last->n_contexts == g->n_contexts && last->n_agents == g->n_agents &&
             last->imputed == g->imputed && (last->observed != NULL) == (g->observed != NULL))) {
            continue;
        }
        last = g;
        regret_buffer_clear(&text);
        regret_buffer_append(&text, "pool ");
        regret_buffer_append_safe(&text, run->pool->name, 60);
        regret_buffer_append(&text, ": ");
        const struct grid_loss loss = {
            .contexts = g->dropped_contexts,
            .agents = g->dropped_agents,
            .imputed = g->imputed,
            .observed = g->observed != NULL ? g->observed_start[g->n_contexts] : 0,
            .pairs = g->observed != NULL ? g->n_contexts * g->n_agents : 0,
            .comparable = g->comparable};
        grid_losses(&text, &loss);
        regret_buffer_printf(&text, "; the grid has %zu contexts and %zu agents (see grid.policy)",
                             g->n_contexts, g->n_agents);
        TRY(regret_buffer_status(&text));
        run->options->notice(run->options->notice_context, regret_buffer_get(&text));
    }
    return REGRET_OK;
}

static int cut_shard(struct run *run)
{
    TRY(run_costs_create(&run->costs, run->plan, run->inputs));
    run->range = (struct shard_range){run->options->shard, run->options->shards, 0, 0};
    return shard_range_cut(&run->range, &run->costs);
}

/* Says what is done next; of replicates how many there are. */
static void announce(const struct run *run, const char *step, size_t done, size_t total)
{
    if (run->options->step != NULL) {
        run->options->step(run->options->step_context, step, done, total);
    }
}

static int prepare(struct run *run)
{
    const struct regret_run_options *o = run->options;
    struct regret_config first;
    TRY(o->threads >= 1 ? regret_blas_check_threads(o->threads)
                        : regret_fail(REGRET_E_INPUT, "a run wants at least one thread"));
    TRY(run_open_plan(&run->plan, o));
    TRY(external_check_allowed(run->plan, &o->commands, o->config)); /* before any work */
    regret_run_plan_cell(&first, run->plan, 0);
    run->cells = regret_run_plan_cells(run->plan);
    run->seeds = first.seeds;
    run->first_seed = first.first_seed;
    if (o->shards < 1 || o->shard < 1 || o->shard > o->shards || o->shards > SHARDS_MOST ||
        o->shards > run->cells * run->seeds) {
        return regret_fail(REGRET_E_INPUT,
                           "shard %zu of %zu: shards are numbered from 1, and there "
                           "are %zu replicates to share out",
                           o->shard, o->shards, run->cells * run->seeds);
    }
    FREED_BY(regret_threads_restore) size_t before = regret_threads_allow(o->threads);
    announce(run, "opening the pool", 0, 0);
    TRY(pool_source_open(&run->pool, &first));
    TRY(regret_stop_check(&run->stop));
    announce(run, "computing the features", 0, 0);
    TRY(run_open_inputs(&run->inputs, run->plan, run->pool, o->config, &o->commands, o->notice,
                        o->notice_context));
    TRY(regret_stop_check(&run->stop));
    TRY(cut_shard(run));
    return announce_losses(run);
}

static struct run_rest rest_of(const struct run *run)
{
    return (struct run_rest){run->plan,    run->inputs,           &run->costs,     &run->range,
                             run->resumed, run->options->threads, run->first_seed, &run->stop};
}

/* Says what the rest will take, where that is worth measuring. */
static int announce_effort(struct run *run)
{
    const struct run_rest rest = rest_of(run);
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    if (run->options->notice == NULL || !run_probe_worth(&rest)) {
        return REGRET_OK;
    }
    announce(run, "measuring a replicate", 0, 0);
    TRY(run_probe_rest(&text, &rest));
    run->options->notice(run->options->notice_context, regret_buffer_get(&text));
    return REGRET_OK;
}

static int open_files(struct run *run)
{
    const struct regret_run_options *o = run->options;
    FREED_BY(regret_buffer_free) struct regret_buffer description = REGRET_BUFFER_INIT;
    struct run_found found;
    run_describe(&description, run->plan, run->inputs, &run->range);
    TRY(regret_buffer_status(&description));
    const struct run_folder folder = {o->out,           regret_buffer_get(&description),
                                      run->range,       o->resume,
                                      o->force,         o->notice,
                                      o->notice_context};
    TRY(run_folder_open(&run->folder, &found, &folder));
    run->resumed = found.replicates;
    TRY(row_file_open(&run->results, o->out, ROW_FILE_RESULTS, o->shard, o->shards,
                      found.row_bytes));
    return row_file_open(&run->timings, o->out, ROW_FILE_TIMING, o->shard, o->shards,
                         found.timing_bytes);
}

static void summarise(struct run *run)
{
    struct regret_run_summary *summary = &run->summary;
    summary->replicates = run->resumed + run->written;
    summary->resumed = run->resumed;
    summary->cells = run->cells;
    summary->seeds = run->seeds;
    summary->seconds = clock_seconds() - run->start;
    for (size_t s = 0; s < N_STAGES; s++) {
        summary->stage_name[s] = stage_names[s];
    }
}

static void close_run(struct run *run)
{
    for (size_t i = 0;
         run->finished != NULL && i < run->range.end - run->range.begin - run->resumed; i++) {
        free_finished(&run->finished[i]);
    }
    regret_free(run->finished);
    for (size_t i = 0; run->memo != NULL && i < run->options->threads; i++) {
        proxy_memo_clear(&run->memo[i]);
    }
    regret_free(run->memo);
    run_batches_free(&run->batches);
    run_costs_free(&run->costs);
    run_inputs_free(run->inputs);
    regret_pool_free(run->pool);
    regret_run_plan_free(run->plan);
    pthread_mutex_destroy(&run->lock);
    row_file_abandon(&run->results);
    row_file_abandon(&run->timings);
    run_lock_release(&run->folder);
}

/* Of a wish to stop that came before the first replicate. */
static int say_unbegun(int rc)
{
    return rc == REGRET_E_CANCELLED
               ? regret_fail(rc, "stopped before the first replicate; --resume goes on, or begins")
               : rc;
}

/* The rows are complete once they are on disk and still where they were written. */
static int complete(struct run *run)
{
    const struct regret_run_options *o = run->options;
    TRY(row_file_close(&run->results));
    TRY(row_file_close(&run->timings));
    TRY(run_lock_check(&run->folder, o->out));
    return o->finish != NULL ? o->finish(o->finish_context, &run->summary) : REGRET_OK;
}

int regret_run(struct regret_run_summary *summary, const struct regret_run_options *options)
{
    _Static_assert((int)REGRET_N_STAGES == (int)N_STAGES, "stages of the summary");
    struct run run = {.options = options,
                      .stop = {options->commands.cancelled, options->commands.context},
                      .folder = RUN_LOCK_INIT,
                      .results = ROW_FILE_INIT,
                      .timings = ROW_FILE_INIT};
    int blas_threads = regret_blas_set_threads(1), rc;
    pthread_mutex_init(&run.lock, NULL);
    TRY_CLEANUP(say_unbegun(prepare(&run)));
    const struct run_rest whole = rest_of(&run);
    TRY_CLEANUP(say_unbegun(run_memory_check(&whole)));
    TRY_CLEANUP(open_files(&run));
    size_t all = run.range.end - run.range.begin, n = all - run.resumed;
    TRY_CLEANUP(REGRET_NEW(&run.finished, n));
    if (n > 0) {
        TRY_CLEANUP(say_unbegun(announce_effort(&run)));
        announce(&run, "computing", run.resumed, all);
    }
    TRY_CLEANUP(share_out(&run));
    run.start = clock_seconds();
    rc = regret_parallel_for(run.batches.n, options->threads, job, &run);
    summarise(&run);
    sum_failures(&run);
    *summary = run.summary;
    TRY_CLEANUP(rc);
    rc = complete(&run);
cleanup:
    close_run(&run);
    regret_blas_set_threads(blas_threads);
    return rc;
}
