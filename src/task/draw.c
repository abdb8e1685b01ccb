#include "task/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "regret/design.h"
#include "regret/status.h"
#include "regret/task.h"

FREED_POINTER(struct logging_policy, logging_policy_free)

static double largest_of(const double *v, size_t n)
{
    double largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(v[i]));
    }
    return largest;
}

/* Mean 0 and deviation 1; zeroes where nothing is larger than the rounding of numbers the size of
 * `scale`, from which v was computed. */
static int standardise(double *v, size_t n, double scale)
{
    if (!(largest_of(v, n) > 1e-12 * scale)) {
        memset(v, 0, n * sizeof *v);
    }
    return regret_standardise(v, n, 1, NULL, NULL);
}

/* scale[a]: one over the places of agent a that are observed on the training contexts; 0 of an agent without. */
static void scale_means(double *scale, const struct regret_grid *g,
                        const struct regret_split *split)
{
    for (size_t i = 0; i < split->n_train; i++) {
        size_t x = split->train[i], n = regret_grid_observed(g, x);
        for (size_t j = 0; j < n; j++) {
            scale[regret_grid_observed_agent(g, x, j)] += (double)g->n_draws;
        }
    }
    for (size_t a = 0; a < g->n_agents; a++) {
        scale[a] = scale[a] > 0.0 ? 1.0 / scale[a] : 0.0;
    }
}

/* mean[u][a]: the mean segment-u reward of agent a over the training contexts on which it is observed, and draws. */
static void segment_means(double *mean, const struct regret_cached_task *task,
                          const struct regret_split *split, const double *scale)
{
    const struct regret_grid *g = task->grid;
    size_t pairs = regret_grid_pairs(g), n_segments = g->pool->n_segments;
    for (size_t u = 0; u < n_segments; u++) {
        for (size_t i = 0; i < split->n_train; i++) {
            size_t x = split->train[i], n = regret_grid_observed(g, x);
            for (size_t j = 0; j < n; j++) {
                size_t a = regret_grid_observed_agent(g, x, j), cell = x * g->n_agents + a;
                size_t first = regret_grid_first(g, cell), end = regret_grid_first(g, cell + 1);
                double share = (double)g->n_draws / (double)(end - first);
                for (size_t pair = first; pair < end; pair++) {
                    mean[u * g->n_agents + a] += task->reward[u * pairs + pair] * scale[a] * share;
                }
            }
        }
    }
}

/* Standardises a user's affinities over the agents that have one; the others', which nothing is known of, are 0. */
static int standardise_known(double *aff, const double *known, size_t n, double *scratch,
                             double scale)
{
    size_t m = 0, next = 0;
    for (size_t a = 0; a < n; a++) {
        if (known[a] > 0.0) {
            scratch[m++] = aff[a];
        }
    }
    TRY(standardise(scratch, m, scale));
    for (size_t a = 0; a < n; a++) {
        aff[a] = known[a] > 0.0 ? scratch[next++] : 0.0;
    }
    return REGRET_OK;
}

int regret_affinity_build(double **out, const struct regret_cached_task *task,
                          const struct regret_split *split)
{
    size_t n_agents = task->grid->n_agents, n_segments = task->grid->pool->n_segments;
    FREED double *aff = NULL, *known = NULL;
    TRY(REGRET_NEW(&aff, n_segments * n_agents));
    TRY(REGRET_NEW(&known, 2 * n_agents));
    scale_means(known, task->grid, split);
    segment_means(aff, task, split, known);
    double scale = largest_of(aff, n_segments * n_agents);
    for (size_t a = 0; a < n_agents; a++) {
        double mean = 0.0;
        for (size_t u = 0; u < n_segments; u++) {
            mean += aff[u * n_agents + a] / (double)n_segments;
        }
        for (size_t u = 0; u < n_segments; u++) {
            aff[u * n_agents + a] -= mean;
        }
    }
    for (size_t u = 0; u < n_segments; u++) {
        TRY(standardise_known(aff + u * n_agents, known, n_agents, known + n_agents, scale));
    }
    *out = aff;
    aff = NULL;
    return REGRET_OK;
}

/* θ_a·e(x) with θ_a ~ N(0, I)/√rank, drawn by the agent's place in the pool so that dropping agents
 * changes nothing for the others. */
static void context_scores(double *score, const struct regret_cached_task *task)
{
    const struct regret_grid *g = task->grid;
    size_t rank = task->embedding_rank;
    double scale = rank > 0 ? 1.0 / sqrt((double)rank) : 0.0;
    for (size_t a = 0; a < g->n_agents; a++) {
        struct regret_rng rng =
            regret_rng_at(task->logging.seed, REGRET_RNG_LOGGING_THETA, g->agents[a]);
        for (size_t j = 0; j < rank; j++) {
            double theta = regret_rng_normal(&rng) * scale;
            for (size_t x = 0; x < g->n_contexts; x++) {
                score[x * g->n_agents + a] += theta * task->embedding[j * g->n_contexts + x];
            }
        }
    }
}

static int check_slate(const struct regret_cached_task *task)
{
    const struct regret_logging_options *o = &task->logging;
    if (o->slate == 0 || o->slate > task->grid->n_agents) {
        return regret_fail(REGRET_E_INPUT,
                           "router.slate = %zu cannot be drawn from %zu agents; use 1 to %zu",
                           o->slate, task->grid->n_agents, task->grid->n_agents);
    }
    return REGRET_OK;
}

int logging_policy_create(struct logging_policy **out, const struct regret_cached_task *task,
                          const struct regret_split *split)
{
    const struct regret_grid *g = task->grid;
    FREED_BY(logging_policy_free_at) struct logging_policy *r = NULL;
    FREED double *cost = NULL;
    TRY(check_slate(task));
    TRY(REGRET_NEW(&r, 1));
    TRY(REGRET_NEW(&r->context_score, g->n_contexts * g->n_agents));
    TRY(regret_affinity_build(&r->user_score, task, split));
    TRY(REGRET_NEW(&r->slate, g->n_agents));
    TRY(REGRET_NEW(&r->weight, task->logging.slate));
    TRY(REGRET_NEW(&cost, g->n_agents));
    r->task = task;
    for (size_t a = 0; a < g->n_agents; a++) {
        cost[a] = g->pool->agents[g->agents[a]].cost;
    }
    TRY(standardise(cost, g->n_agents, largest_of(cost, g->n_agents)));
    context_scores(r->context_score, task);
    const struct regret_logging_options *o = &task->logging;
    for (size_t x = 0; x < g->n_contexts; x++) {
        for (size_t a = 0; a < g->n_agents; a++) {
            double *score = &r->context_score[x * g->n_agents + a];
            *score = o->eta * *score - o->kappa * cost[a];
        }
    }
    for (size_t i = 0; i < g->pool->n_segments * g->n_agents; i++) {
        r->user_score[i] *= o->beta * o->gamma;
    }
    *out = r;
    r = NULL;
    return REGRET_OK;
}

void logging_policy_free(struct logging_policy *r)
{
    if (r != NULL) {
        regret_free(r->context_score);
        regret_free(r->user_score);
        regret_free(r->slate);
        regret_free(r->weight);
        regret_free(r);
    }
}

/* The first `size` of a partial Fisher-Yates shuffle. */
static void draw_slate(size_t *slate, size_t size, size_t n, struct regret_rng *rng)
{
    for (size_t i = 0; i < n; i++) {
        slate[i] = i;
    }
    for (size_t i = 0; i < size; i++) {
        size_t j = i + regret_rng_below(rng, (uint32_t)(n - i));
        size_t swap = slate[i];
        slate[i] = slate[j];
        slate[j] = swap;
    }
}

size_t logging_policy_choose(struct logging_policy *r, size_t context, size_t segment,
                             struct regret_rng *rng)
{
    const struct regret_grid *g = r->task->grid;
    size_t n = g->n_agents, offered = regret_grid_observed(g, context);
    size_t size = r->task->logging.slate < offered ? r->task->logging.slate : offered;
    draw_slate(r->slate, size, offered, rng);
    double largest = -INFINITY, total = 0.0;
    for (size_t i = 0; i < size; i++) {
        size_t a = regret_grid_observed_agent(g, context, r->slate[i]);
        r->slate[i] = a;
        r->weight[i] = r->context_score[context * n + a] + r->user_score[segment * n + a];
        largest = fmax(largest, r->weight[i]);
    }
    for (size_t i = 0; i < size; i++) {
        r->weight[i] = exp(r->weight[i] - largest);
        total += r->weight[i];
    }
    double u = regret_rng_uniform(rng) * total;
    size_t i = 0;
    for (double sum = r->weight[0]; i + 1 < size && u >= sum; sum += r->weight[i]) {
        i++;
    }
    return r->slate[i];
}

static int open_logging_policy(void **logger, const struct regret_task *task,
                               const struct regret_split *split)
{
    struct logging_policy *policy = NULL;
    TRY(logging_policy_create(&policy, (const struct regret_cached_task *)task, split));
    *logger = policy;
    return REGRET_OK;
}

static void close_logging_policy(void *logger)
{
    logging_policy_free(logger);
}

static size_t choose_agent(const struct regret_task *task, void *logger, size_t context,
                           size_t segment, struct regret_rng *rng)
{
    const struct regret_grid *g = ((const struct regret_cached_task *)task)->grid;
    if (logger != NULL) {
        return logging_policy_choose(logger, context, segment, rng);
    }
    uint32_t i = regret_rng_below(rng, (uint32_t)regret_grid_observed(g, context));
    return regret_grid_observed_agent(g, context, i);
}

/* The draw's number stands before the agent's, and says which of the draws that the pair turns out to have. */
static void choose(struct regret_choice *out, const struct regret_task *task, void *logger,
                   size_t context, struct regret_rng *rng)
{
    out->segment = regret_rng_below(rng, (uint32_t)task->n_segments);
    struct regret_rng draw = *rng;
    regret_rng_below(rng, (uint32_t)task->n_draws);
    out->agent = choose_agent(task, logger, context, out->segment, rng);
    size_t cell = context * task->n_agents + out->agent;
    size_t n = regret_task_first(task, cell + 1) - regret_task_first(task, cell);
    out->draw = regret_rng_below(&draw, (uint32_t)n);
}

static void cached_task_free(struct regret_task *base)
{
    struct regret_cached_task *task = (struct regret_cached_task *)base;
    regret_free(task->reward);
    regret_free(task->target);
    regret_free(task->pair_mean);
    regret_free(task->segment);
    regret_free(task);
}

static const struct regret_policy cached_policy = {open_logging_policy, close_logging_policy,
                                                   choose, cached_task_free};

static int average_segments(double **out, const double *reward, size_t n_segments, size_t pairs)
{
    double *y = NULL;
    TRY(REGRET_NEW(&y, pairs));
    for (size_t p = 0; p < pairs; p++) {
        for (size_t u = 0; u < n_segments; u++) {
            y[p] += reward[u * pairs + p] / (double)n_segments;
        }
    }
    *out = y;
    return REGRET_OK;
}

int regret_cached_task_create(struct regret_cached_task **out,
                              const struct regret_cached_source *source,
                              const struct regret_reward_options *reward,
                              const struct regret_outcome_options *outcome,
                              const struct regret_logging_options *logging)
{
    const struct regret_grid *g = source->grid;
    const struct regret_pool *pool = g->pool;
    struct regret_cached_task *t = NULL;
    int rc;
    TRY(REGRET_NEW(&t, 1));
    t->base.policy = &cached_policy;
    TRY_CLEANUP(regret_reward_build(&t->reward, g, reward));
    TRY_CLEANUP(regret_target_build(&t->target, g, t->reward));
    TRY_CLEANUP(average_segments(&t->pair_mean, t->reward, pool->n_segments, regret_grid_pairs(g)));
    TRY_CLEANUP(REGRET_NEW(&t->segment, pool->n_segments));
    for (size_t u = 0; u < pool->n_segments; u++) {
        t->segment[u] = pool->segments[u].name;
    }
    t->base = (struct regret_task){.policy = &cached_policy,
                                   .n_contexts = g->n_contexts,
                                   .n_agents = g->n_agents,
                                   .n_draws = g->n_draws,
                                   .first = g->first,
                                   .n_segments = pool->n_segments,
                                   .mean = t->reward,
                                   .pair_mean = t->pair_mean,
                                   .target = t->target,
                                   .labels = source->labels,
                                   .n_labels = pool->n_aux,
                                   .segment = t->segment,
                                   .outcome = *outcome};
    t->grid = g;
    t->embedding = source->embedding;
    t->embedding_rank = source->embedding_rank;
    t->logging = *logging;
    *out = t;
    return REGRET_OK;
cleanup:
    cached_task_free(&t->base);
    return rc;
}

int regret_rows_create(struct regret_rows *rows, size_t n)
{
    TRY(REGRET_NEW(&rows->pair, n));
    TRY(REGRET_NEW(&rows->segment, n));
    TRY(REGRET_NEW(&rows->y, n));
    rows->n = n;
    return REGRET_OK;
}

void regret_rows_clear(struct regret_rows *rows)
{
    regret_free(rows->pair);
    regret_free(rows->segment);
    regret_free(rows->y);
    *rows = (struct regret_rows){0};
}

static double draw_outcome(const struct regret_outcome_options *o, double mean,
                           struct regret_rng *rng)
{
    if (o->law == REGRET_OUTCOME_NONE) {
        return mean;
    }
    mean = fmin(fmax(mean, o->margin), 1.0 - o->margin);
    return regret_rng_beta(rng, o->precision * mean, o->precision * (1.0 - mean));
}

/* The streams of a sample: row i takes what it chooses from one, its outcome from the other. */
struct streams {
    uint64_t seed;
    enum regret_purpose row, outcome;
};

static void draw_row(struct regret_rows *rows, size_t i, const struct regret_task *task,
                     const struct regret_split *split, void *logger, const struct streams *streams)
{
    struct regret_rng rng = regret_rng_at(streams->seed, streams->row, i);
    struct regret_rng noise = regret_rng_at(streams->seed, streams->outcome, i);
    struct regret_choice chosen;
    size_t pairs = regret_task_first(task, task->n_contexts * task->n_agents);
    size_t x = split->train[regret_rng_below(&rng, (uint32_t)split->n_train)];
    task->policy->choose(&chosen, task, logger, x, &rng);
    size_t pair = regret_task_first(task, x * task->n_agents + chosen.agent) + chosen.draw;
    rows->pair[i] = (uint32_t)pair;
    rows->segment[i] = (uint32_t)chosen.segment;
    size_t at = chosen.segment * pairs + pair;
    rows->y[i] = draw_outcome(&task->outcome, task->mean[at], &noise);
}

static int draw_rows(struct regret_rows *out, const struct regret_task *task,
                     const struct regret_split *split, void *logger, size_t n,
                     const struct streams *streams)
{
    FREED_BY(regret_rows_clear) struct regret_rows rows = {0};
    if (split->n_train == 0 || split->train[split->n_train - 1] >= task->n_contexts) {
        return regret_fail(REGRET_E_INPUT,
                           "the split's training contexts are not among the task's %zu; split "
                           "the same contexts",
                           task->n_contexts);
    }
    TRY(regret_rows_create(&rows, n));
    for (size_t i = 0; i < n; i++) {
        draw_row(&rows, i, task, split, logger, streams);
    }
    *out = rows;
    rows = (struct regret_rows){0};
    return REGRET_OK;
}

int regret_draw_exp(struct regret_rows *out, const struct regret_task *task,
                    const struct regret_split *split, size_t n, uint64_t seed)
{
    const struct streams streams = {seed, REGRET_RNG_EXP_ROW, REGRET_RNG_EXP_OUTCOME};
    return draw_rows(out, task, split, NULL, n, &streams);
}

int regret_draw_obs(struct regret_rows *out, const struct regret_task *task,
                    const struct regret_split *split, size_t n, uint64_t seed)
{
    const struct streams streams = {seed, REGRET_RNG_OBS_ROW, REGRET_RNG_OBS_OUTCOME};
    void *logger = NULL;
    TRY(task->policy->open(&logger, task, split));
    int rc = draw_rows(out, task, split, logger, n, &streams);
    task->policy->close(logger);
    return rc;
}

size_t regret_task_first(const struct regret_task *task, size_t cell)
{
    return regret_first_pair(task->first, task->n_draws, cell);
}

void regret_task_free(struct regret_task *task)
{
    if (task != NULL) {
        task->policy->free(task);
    }
}

FREED_POINTER(struct regret_split, regret_split_free)

/* A context on its way into a stratified order. */
struct placed {
    double key;
    size_t place, context; /* where the random order has it */
};

static int by_key(const void *left, const void *right)
{
    const struct placed *a = left, *b = right;
    if (a->key != b->key) {
        return a->key < b->key ? -1 : 1;
    }
    return (a->place > b->place) - (a->place < b->place);
}

/* Puts contexts in random order into that of their keys; `n` and `met` count the contexts of each kind,
 * all and those so far. */
static void stratify(size_t *order, struct placed *placed, size_t *n, size_t *met,
                     const uint32_t *kind, size_t n_contexts, uint64_t seed)
{
    for (size_t x = 0; x < n_contexts; x++) {
        n[kind[x]]++;
    }
    for (size_t i = 0; i < n_contexts; i++) {
        uint32_t k = kind[order[i]];
        struct regret_rng rng = regret_rng_at(seed, REGRET_RNG_SPLIT, 2 + (uint64_t)k);
        double key = ((double)met[k]++ + regret_rng_uniform(&rng)) / (double)n[k];
        placed[i] = (struct placed){key, i, order[i]};
    }
    qsort(placed, n_contexts, sizeof *placed, by_key);
    for (size_t i = 0; i < n_contexts; i++) {
        order[i] = placed[i].context;
    }
}

int regret_split_order(size_t **out, const uint32_t *kind, size_t n_contexts, uint64_t seed)
{
    FREED struct placed *placed = NULL;
    size_t kinds = 0;
    FREED size_t *order = NULL, *n = NULL, *met = NULL;
    for (size_t x = 0; x < n_contexts; x++) {
        kinds = kind[x] >= kinds ? (size_t)kind[x] + 1 : kinds;
    }
    TRY(regret_rng_order(&order, n_contexts, seed, REGRET_RNG_SPLIT, 0));
    TRY(REGRET_NEW(&placed, n_contexts));
    TRY(REGRET_NEW(&n, kinds));
    TRY(REGRET_NEW(&met, kinds));
    if (n_contexts > 0) {
        stratify(order, placed, n, met, kind, n_contexts, seed);
    }
    *out = order;
    order = NULL;
    return REGRET_OK;
}

/* Holds out the contexts that are marked. */
static int part(struct regret_split **out, const unsigned char *is_held, size_t n)
{
    FREED_BY(regret_split_free_at) struct regret_split *s = NULL;
    TRY(REGRET_NEW(&s, 1));
    TRY(REGRET_NEW(&s->train, n));
    TRY(REGRET_NEW(&s->test, n));
    TRY(REGRET_NEW(&s->reference, n));
    for (size_t x = 0; x < n; x++) {
        if (is_held[x]) {
            s->reference[s->n_test] = x;
            s->test[s->n_test++] = x;
        } else {
            s->train[s->n_train++] = x;
        }
    }
    s->n_reference = s->n_test;
    *out = s;
    s = NULL;
    return REGRET_OK;
}

/* Holds out places [begin, end) of the random order or, with kinds, of the stratified one. */
static int hold_out(struct regret_split **out, const uint32_t *kind, size_t n, size_t begin,
                    size_t end, uint64_t seed)
{
    FREED size_t *order = NULL;
    FREED unsigned char *is_held = NULL;
    TRY(kind != NULL ? regret_split_order(&order, kind, n, seed)
                     : regret_rng_order(&order, n, seed, REGRET_RNG_SPLIT, 0));
    TRY(REGRET_NEW(&is_held, n));
    for (size_t i = begin; i < end; i++) {
        is_held[order[i]] = 1;
    }
    return part(out, is_held, n);
}

int regret_split_one_kind(struct regret_split **out, const uint32_t *kind, size_t n_contexts,
                          uint32_t held_out)
{
    FREED unsigned char *is_held = NULL;
    size_t n = 0;
    TRY(REGRET_NEW(&is_held, n_contexts));
    for (size_t x = 0; x < n_contexts; x++) {
        is_held[x] = kind[x] == held_out;
        n += is_held[x];
    }
    return n > 0 && n < n_contexts
               ? part(out, is_held, n_contexts)
               : regret_fail(REGRET_E_INPUT,
                             "%zu of %zu contexts are of the kind that is held out; each side "
                             "needs one",
                             n, n_contexts);
}

int regret_split_make(struct regret_split **out, const uint32_t *kind, size_t n_contexts,
                      double train_share, uint64_t seed)
{
    if (!(train_share > 0.0 && train_share < 1.0)) {
        return regret_fail(REGRET_E_INPUT,
                           "contexts.train_share = %g must lie between 0 and 1; .8 is usual",
                           train_share);
    }
    size_t n_train = (size_t)(train_share * (double)n_contexts + 1e-9);
    if (n_train == 0 || n_train >= n_contexts) {
        return regret_fail(
            REGRET_E_INPUT,
            "%zu contexts at contexts.train_share = %g leave %zu to train and %zu to "
            "test; each side needs one",
            n_contexts, train_share, n_train, n_contexts - n_train);
    }
    return hold_out(out, kind, n_contexts, n_train, n_contexts, seed);
}

int regret_split_fold(struct regret_split **out, const uint32_t *kind, size_t n_contexts,
                      size_t folds, size_t fold, uint64_t seed)
{
    if (folds < 2) {
        return regret_fail(REGRET_E_INPUT,
                           "contexts.folds = %zu leaves no context to train on; use 0, the single "
                           "split by contexts.train_share, or 2 and more",
                           folds);
    }
    if (folds > n_contexts) {
        return regret_fail(REGRET_E_INPUT,
                           "contexts.folds = %zu, but there are %zu contexts to hold out; --set "
                           "contexts.folds=%zu leaves out one at a time",
                           folds, n_contexts, n_contexts);
    }
    if (fold >= folds) {
        return regret_fail(REGRET_E_INPUT, "fold %zu of contexts.folds = %zu; they are 0 to %zu",
                           fold, folds, folds - 1);
    }
    size_t size = n_contexts / folds, larger = n_contexts % folds;
    size_t after = fold * size + (fold < larger ? fold : larger);
    size_t end = n_contexts - after;
    return hold_out(out, kind, n_contexts, end - size - (fold < larger), end, seed);
}

int regret_split_reference(struct regret_split *s, double share, uint64_t seed)
{
    size_t n = s->n_test, n_reference = (size_t)(share * (double)n + 1e-9);
    FREED size_t *order = NULL;
    FREED unsigned char *is_reference = NULL;
    if (share == 0.0) {
        return REGRET_OK;
    }
    if (!(share > 0.0 && share < 1.0) || n_reference == 0 || n_reference == n) {
        return regret_fail(REGRET_E_INPUT,
                           "contexts.reference = %g of %zu held-out context%s leaves one of the "
                           "two, reference and regret, without any; hold out more, or set it to 0",
                           share, n, n == 1 ? "" : "s");
    }
    TRY(regret_rng_order(&order, n, seed, REGRET_RNG_SPLIT, 1));
    TRY(REGRET_NEW(&is_reference, n));
    for (size_t i = 0; i < n_reference; i++) {
        is_reference[order[i]] = 1;
    }
    s->n_reference = s->n_test = 0;
    for (size_t i = 0; i < n; i++) {
        size_t x = s->test[i];
        if (is_reference[i]) {
            s->reference[s->n_reference++] = x;
        } else {
            s->test[s->n_test++] = x;
        }
    }
    return REGRET_OK;
}

uint64_t regret_fold_seed(uint64_t seed, size_t fold)
{
    return seed + ((uint64_t)fold << 52);
}

void regret_split_free(struct regret_split *s)
{
    if (s != NULL) {
        regret_free(s->train);
        regret_free(s->test);
        regret_free(s->reference);
        regret_free(s);
    }
}
