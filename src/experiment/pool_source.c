#include "experiment/pool_source.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "base/threads.h"
#include "experiment/internal.h"
#include "regret/experiment.h"
#include "regret/pool.h"
#include "regret/status.h"
#include "regret/task.h"

FREED_POINTER(struct regret_split, regret_split_free)

size_t context_folds(const struct regret_config *config, const struct regret_grid *grid)
{
    if (config->split == REGRET_SPLIT_ONE_KIND) {
        return grid->n_tags > 0 ? grid->n_tags : 1;
    }
    return config->context_folds > 0 ? config->context_folds : 1;
}

/* One tag would leave nothing to train on, or nothing to stratify by; a misspelt field is no wish. */
static int check_tags(const struct regret_grid *grid, const struct regret_config *config)
{
    int leaves_out = config->split == REGRET_SPLIT_ONE_KIND;
    if (grid->n_tags < (leaves_out ? 2 : 1)) {
        return regret_fail(REGRET_E_INPUT,
                           "contexts.split = \"%s\" needs contexts with tags%s, and those of pool "
                           "\"%s\" have %zu; give contexts.jsonl the field \"tag\", or --set "
                           "contexts.split=random",
                           leaves_out ? "leave-one-tag-out" : "stratified",
                           leaves_out ? ", of two at least" : "", grid->pool->name, grid->n_tags);
    }
    return grid->n_tags <= REGRET_MAX_CONTEXT_FOLDS || !leaves_out
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "contexts.split = \"leave-one-tag-out\" would make %zu folds, a tag "
                             "each; at most %d are allowed",
                             grid->n_tags, REGRET_MAX_CONTEXT_FOLDS);
}

/* The held-out contexts, those of reference not yet parted. */
static int hold_out(struct regret_split **out, const struct regret_grid *grid,
                    const struct regret_config *config, size_t fold, uint64_t seed)
{
    const uint32_t *kind = config->split == REGRET_SPLIT_STRATIFIED ? grid->kind : NULL;
    TRY(config->split != REGRET_SPLIT_RANDOM ? check_tags(grid, config) : REGRET_OK);
    if (config->split == REGRET_SPLIT_ONE_KIND) {
        return regret_split_one_kind(out, grid->kind, grid->n_contexts, (uint32_t)fold);
    }
    return config->context_folds > 0
               ? regret_split_fold(out, kind, grid->n_contexts, config->context_folds, fold, seed)
               : regret_split_make(out, kind, grid->n_contexts, config->train_share, seed);
}

int context_split_make(struct regret_split **out, const struct regret_grid *grid,
                       const struct regret_config *config, size_t fold, uint64_t seed)
{
    FREED_BY(regret_split_free_at) struct regret_split *s = NULL;
    TRY(hold_out(&s, grid, config, fold, seed));
    TRY(regret_split_reference(s, config->reference_share, regret_fold_seed(seed, fold)));
    *out = s;
    s = NULL;
    return REGRET_OK;
}

/* 1 for every observed pair of the contexts. */
static int mark_pairs(unsigned char **out, const size_t *contexts, size_t n,
                      const struct regret_grid *grid)
{
    TRY(REGRET_NEW(out, regret_grid_pairs(grid)));
    for (size_t i = 0; i < n; i++) {
        size_t end = regret_grid_first(grid, (contexts[i] + 1) * grid->n_agents);
        for (size_t p = regret_grid_first(grid, contexts[i] * grid->n_agents); p < end; p++) {
            (*out)[p] = !regret_grid_is_unobserved(grid, p);
        }
    }
    return REGRET_OK;
}

int pair_split_make(struct pair_split *out, const struct regret_grid *grid,
                    const struct regret_config *config, size_t fold, uint64_t seed)
{
    FREED_BY(pair_split_clear) struct pair_split s = {0};
    TRY(context_split_make(&s.contexts, grid, config, fold, seed));
    const struct regret_split *c = s.contexts;
    TRY(mark_pairs(&s.train, c->train, c->n_train, grid));
    TRY(mark_pairs(&s.test, c->test, c->n_test, grid));
    TRY(mark_pairs(&s.reference, c->reference, c->n_reference, grid));
    *out = s;
    memset(&s, 0, sizeof s); /* handed on */
    return REGRET_OK;
}

void pair_split_clear(struct pair_split *s)
{
    regret_split_free(s->contexts);
    regret_free(s->train);
    regret_free(s->test);
    regret_free(s->reference);
    *s = (struct pair_split){0};
}

FREED_POINTER(struct regret_synth, regret_synth_close)

/* The digest of the digests of every text and of every output's scores, in their order. */
static int digest_contents(char digest[33], const struct regret_pool *pool)
{
    size_t n_values = pool->n_components + pool->n_counts + pool->n_aux;
    uint64_t *part = NULL;
    size_t n = 0;
    TRY(REGRET_NEW(&part, pool->n_contexts + 2 * pool->n_outputs));
    for (size_t i = 0; i < pool->n_contexts; i++) {
        part[n++] = regret_hash64(pool->contexts[i].text, strlen(pool->contexts[i].text));
    }
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const struct regret_output *o = &pool->outputs[i];
        part[n++] = regret_hash64(o->text, strlen(o->text));
        part[n++] = regret_hash64(o->values, n_values * sizeof *o->values);
    }
    regret_digest(digest, part, n * sizeof *part);
    regret_free(part);
    return REGRET_OK;
}

static int generate(struct regret_pool **out, const struct regret_config *config)
{
    const struct regret_generator *generator = NULL;
    struct regret_pool *pool = NULL;
    int rc;
    TRY(regret_generator_find(&generator, config->pool));
    TRY_CLEANUP(regret_synth_pool(&pool, generator, &config->synth));
    TRY_CLEANUP(digest_contents(pool->digest, pool));
    *out = pool;
    pool = NULL;
cleanup:
    regret_pool_free(pool);
    return rc != REGRET_OK ? regret_fail_prefix(rc, "pool %s", config->pool) : rc;
}

/* How large the files of a pool are, and of how many lines. */
struct extent {
    double bytes, contexts, outputs;
};

static void count(struct extent *e, double *lines, const char *folder, const char *name)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = n < (int)sizeof path ? fopen(path, "r") : NULL;
    for (int c; file != NULL && (c = getc_unlocked(file)) != EOF; e->bytes++) {
        *lines += c == '\n';
    }
    if (file != NULL) {
        fclose(file);
    }
}

/* Of three pools: of pool and features, tables and a byte of files; of a replicate, a pair that is drawn and a row
 * (reports/speed.md). With so many outputs features may be dense, which solver=iterative forbids. */
static const double TABLES = 96.0 * 1048576.0, FEATURES = 10.0, OF_PAIR = 9216.0, OF_ROW = 136.0,
                    MAY_BE_DENSE = 12000.0;

/* How many contexts fit with their outputs, of which no more are drawn than rows. */
static double contexts_that_fit(const struct extent *e, const struct regret_config *config,
                                double room)
{
    static const double USED = 0.75;
    double rows = (double)config->n_obs + (double)config->n_exp, set = FEATURES * e->bytes;
    double most = USED * (room - TABLES - OF_ROW * rows);
    double all_drawn = most / (set + OF_PAIR * e->outputs), some = (most - OF_PAIR * rows) / set;
    return floor(e->contexts * fmin(fmax(all_drawn, some), 1.0));
}

int pool_source_explain(int rc, const struct regret_config *config,
                        const struct memory_left *before, int is_read)
{
    static const double MIB = 1048576.0;
    struct extent e = {0.0, 0.0, 0.0};
    if (rc == REGRET_E_NOMEM) {
        count(&e, &e.contexts, config->pool, "contexts.jsonl");
        count(&e, &e.outputs, config->pool, "outputs.jsonl");
    }
    if (e.bytes == 0.0) {
        return rc;
    }
    double room = before->bytes + (is_read ? e.bytes : 0.0);
    double n = contexts_that_fit(&e, config, room);
    rc = regret_fail_suffix(rc,
                            "; %.0f MiB of pool take about %.0f with their features, before any "
                            "replicate, and there are %.0f: allow more, or use --set "
                            "text.max_bytes=... or fewer contexts (regret pool select --sample)",
                            e.bytes / MIB, (TABLES + FEATURES * e.bytes) / MIB, room / MIB);
    return n >= 10.0 ? regret_fail_suffix(rc, ", of which %.0f would fit%s", n,
                                          n * e.outputs <= MAY_BE_DENSE * e.contexts
                                              ? " with --set solver=iterative"
                                              : "")
                     : rc;
}

int pool_source_open(struct regret_pool **out, const struct regret_config *config)
{
    struct memory_left before;
    memory_left(&before);
    return config_is_synth(config->pool)
               ? generate(out, config)
               : pool_source_explain(regret_pool_read(out, config->pool), config, &before, 0);
}

/* The pool's contexts that are not in the grid; both lists ascend. */
static void take_left_over(struct spare_contexts *s, const struct regret_grid *grid, size_t wanted)
{
    size_t next = 0;
    for (size_t x = 0; x < grid->pool->n_contexts && s->n < wanted; x++) {
        if (next < grid->n_contexts && grid->contexts[next] == x) {
            next++;
        } else {
            s->text[s->n++] = grid->pool->contexts[x].text;
        }
    }
}

static int make_more(struct spare_contexts *s, const struct regret_config *config, size_t wanted)
{
    const struct regret_generator *generator = NULL;
    FREED_BY(regret_synth_close_at) struct regret_synth *synth = NULL;
    size_t room = REGRET_POOL_MAX_CONTEXTS - config->synth.contexts;
    size_t n = wanted - s->n < room ? wanted - s->n : room;
    TRY(regret_generator_find(&generator, config->pool));
    TRY(REGRET_NEW(&s->made, n));
    TRY(regret_synth_open(&synth, generator, config->synth.seed));
    for (size_t i = 0; i < n; i++) {
        TRY(regret_synth_context(&s->made[i], synth, config->synth.contexts + i));
        s->text[s->n++] = s->made[s->n_made++].text;
    }
    return REGRET_OK;
}

int spare_contexts_find(struct spare_contexts *out, const struct regret_config *config,
                        const struct regret_grid *grid, size_t wanted)
{
    FREED_BY(spare_contexts_clear) struct spare_contexts s = {0};
    TRY(REGRET_NEW(&s.text, wanted));
    take_left_over(&s, grid, wanted);
    if (s.n < wanted && config_is_synth(config->pool)) {
        TRY(make_more(&s, config, wanted));
    }
    *out = s;
    s = (struct spare_contexts){0};
    return REGRET_OK;
}

void spare_contexts_clear(struct spare_contexts *s)
{
    for (size_t i = 0; i < s->n_made; i++) {
        regret_free(s->made[i].id);
        regret_free(s->made[i].text);
    }
    regret_free(s->made);
    regret_free(s->text);
    *s = (struct spare_contexts){0};
}
