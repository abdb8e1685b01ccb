#include "experiment/simulator.h"

#include <string.h>

#include "regret/alloc.h"
#include "regret/file.h"

int simulator_is_synth(const char *pool)
{
    static const char prefix[] = "synth:";
    return strncmp(pool, prefix, sizeof prefix - 1) == 0;
}

/* The digest of the digests of every text and of every output's scores, in their order. */
static int digest_contents(char digest[33], const struct regret_pool *pool)
{
    size_t n_values = pool->n_components + pool->n_counts + pool->n_aux;
    uint64_t *part = NULL;
    size_t n = 0;
    int rc = REGRET_NEW(&part, pool->n_contexts + 2 * pool->n_outputs);
    if (rc != REGRET_OK) {
        return rc;
    }
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

int simulator_open(struct regret_pool **out, const struct regret_config *config)
{
    struct regret_pool *pool = NULL;
    if (!simulator_is_synth(config->pool)) {
        return regret_pool_read(out, config->pool);
    }
    if (strcmp(config->pool, REGRET_POOL_NEWSWIRE) != 0) {
        return regret_fail(REGRET_E_INPUT,
                           "pool = \"%s\": only \"" REGRET_POOL_NEWSWIRE "\" can be generated; "
                           "name it or a pool folder",
                           config->pool);
    }
    int rc = regret_newswire_generate(&pool, &config->synth);
    if (rc == REGRET_OK) {
        rc = digest_contents(pool->digest, pool);
    }
    if (rc != REGRET_OK) {
        regret_pool_free(pool);
        return regret_fail_prefix(rc, "pool %s", config->pool);
    }
    *out = pool;
    return REGRET_OK;
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

static int make_more(struct spare_contexts *s, const struct regret_newswire_options *synth,
                     size_t wanted)
{
    struct regret_newswire *sim = NULL;
    size_t room = REGRET_POOL_MAX_CONTEXTS - synth->articles;
    size_t n = wanted - s->n < room ? wanted - s->n : room;
    int rc = REGRET_NEW(&s->made, n);
    if (rc == REGRET_OK) {
        rc = regret_newswire_open(&sim, synth->seed);
    }
    for (size_t i = 0; rc == REGRET_OK && i < n; i++) {
        rc = regret_newswire_article(sim, synth->articles + i, &s->made[i]);
        if (rc == REGRET_OK) {
            s->text[s->n++] = s->made[s->n_made++].text;
        }
    }
    regret_newswire_close(sim);
    return rc;
}

int spare_contexts_find(struct spare_contexts *out, const struct regret_config *config,
                        const struct regret_grid *grid, size_t wanted)
{
    struct spare_contexts s = {0};
    int rc = REGRET_NEW(&s.text, wanted);
    if (rc == REGRET_OK) {
        take_left_over(&s, grid, wanted);
        if (s.n < wanted && simulator_is_synth(config->pool)) {
            rc = make_more(&s, &config->synth, wanted);
        }
    }
    if (rc != REGRET_OK) {
        spare_contexts_clear(&s);
        return rc;
    }
    *out = s;
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
