#include "experiment/pool/pool_source.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/core/try.h"
#include "experiment/config/config_keys.h"
#include "regret/alloc.h"
#include "regret/hash.h"

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

int pool_source_open(struct regret_pool **out, const struct regret_config *config)
{
    return config_is_synth(config->pool)
               ? generate(out, config)
               : pool_source_explain(regret_pool_read(out, config->pool), config);
}

int pool_source_explain(int rc, const struct regret_config *config)
{
    static const char *const FILES[] = {"contexts.jsonl", "outputs.jsonl"};
    static const double MIB = 1048576.0,
                        FEATURES = 8.0; /* 7 to 9 of two pools (reports/speed.md) */
    double bytes = 0.0;
    for (size_t i = 0; rc == REGRET_E_NOMEM && i < sizeof FILES / sizeof *FILES; i++) {
        char path[4096];
        struct stat info;
        int n = snprintf(path, sizeof path, "%s/%s", config->pool, FILES[i]);
        bytes += n < (int)sizeof path && stat(path, &info) == 0 ? (double)info.st_size : 0.0;
    }
    return bytes == 0.0
               ? rc
               : regret_fail_suffix(
                     rc,
                     "; %.0f MiB of pool take about %.0f with their features, before any "
                     "replicate: "
                     "allow more, or use --set text.max_bytes=... or fewer contexts (regret pool "
                     "select --sample)",
                     bytes / MIB, FEATURES * bytes / MIB);
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
