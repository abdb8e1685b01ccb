/* Parts of a pool. */
#include <fnmatch.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "pool/grid.h"
#include "pool/join.h"
#include "pool/memory.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "regret/task.h"

/* What is kept of either. */
struct kept {
    const struct regret_pool *pool;
    unsigned char *contexts, *agents; /* owned */
};

FREED_FIELDS(kept, of->contexts, of->agents)

/* What patterns are held against. */
enum labelled { TAGS, CONTEXTS, AGENTS };

/* What number i is called, and by what else, which may be NULL. */
struct labels {
    const char *id, *title;
};

static struct labels labels_of(const struct regret_pool *pool, enum labelled what, size_t i)
{
    if (what == AGENTS) {
        return (struct labels){pool->agents[i].id, pool->agents[i].title};
    }
    const struct regret_context *c = &pool->contexts[i];
    return what == CONTEXTS ? (struct labels){c->id, c->title}
                            : (struct labels){c->tag != NULL ? c->tag : "", NULL};
}

/* Patterns, what they are held against, and what becomes of what matches. */
struct rule {
    const char *option;
    const struct regret_pool_patterns *patterns;
    enum labelled what;
    int drops;
};

static int is_like(const char *pattern, const char *label)
{
    return label != NULL && (strcmp(pattern, label) == 0 || fnmatch(pattern, label, 0) == 0);
}

/* Names the nearest, or some that there are. */
static int match_nothing(const struct rule *rule, const char *pattern,
                         const struct regret_pool *pool, size_t n)
{
    struct regret_buffer list = REGRET_BUFFER_INIT;
    const char **known = NULL, *some[3] = {NULL};
    size_t n_known = 0, shown = 0;
    TRY(REGRET_NEW(&known, 2 * n));
    for (size_t i = 0; i < n; i++) {
        struct labels label = labels_of(pool, rule->what, i);
        known[n_known++] = label.id;
        known[n_known] = label.title;
        n_known += label.title != NULL;
        size_t k = texts_find(some, shown, label.id);
        if (k == shown && shown < sizeof some / sizeof *some) {
            some[shown++] = label.id;
            regret_buffer_printf(&list, "%s\"%.80s\"", k > 0 ? ", " : "", label.id);
        }
    }
    const char *near = name_nearest(pattern, known, n_known);
    int rc = regret_fail(REGRET_E_INPUT, "--%s \"%s\" matches nothing in pool \"%s\"; %s%s%s",
                         rule->option, pattern, pool->name,
                         near != NULL ? "did you mean \"" : "there are ",
                         near != NULL ? near : regret_buffer_get(&list), near != NULL ? "\"?" : "");
    regret_buffer_free(&list);
    regret_free((void *)known);
    return rc;
}

/* keep[i] is 0 of the n where the rule drops i. */
static int apply(unsigned char *keep, size_t n, const struct regret_pool *pool,
                 const struct rule *rule)
{
    const struct regret_pool_patterns *patterns = rule->patterns;
    FREED unsigned char *matched = NULL;
    TRY(REGRET_NEW(&matched, n));
    for (size_t p = 0; p < patterns->n; p++) {
        const char *pattern = patterns->items[p];
        size_t found = 0;
        for (size_t i = 0; i < n; i++) {
            struct labels label = labels_of(pool, rule->what, i);
            int is_one = is_like(pattern, label.id) || is_like(pattern, label.title);
            matched[i] |= (unsigned char)is_one;
            found += (size_t)is_one;
        }
        TRY(found > 0 ? REGRET_OK : match_nothing(rule, pattern, pool, n));
    }
    for (size_t i = 0; i < n && patterns->n > 0; i++) {
        keep[i] &= (unsigned char)(rule->drops ? !matched[i] : matched[i]);
    }
    return REGRET_OK;
}

static int apply_patterns(struct kept *kept, const struct regret_pool_select_options *o)
{
    const struct rule rules[] = {{"tag", &o->tags, TAGS, 0},
                                 {"not-tag", &o->not_tags, TAGS, 1},
                                 {"context", &o->contexts, CONTEXTS, 0},
                                 {"not-context", &o->not_contexts, CONTEXTS, 1},
                                 {"agent", &o->agents, AGENTS, 0},
                                 {"not-agent", &o->not_agents, AGENTS, 1}};
    const struct regret_pool *pool = kept->pool;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        int of_agents = rules[i].what == AGENTS;
        TRY(apply(of_agents ? kept->agents : kept->contexts,
                  of_agents ? pool->n_agents : pool->n_contexts, pool, &rules[i]));
    }
    return REGRET_OK;
}

/* Contexts that only agents have answered that are dropped go with them; how many. */
static int drop_unanswered(size_t *dropped, struct kept *kept)
{
    enum { ANSWERED = 1, STILL = 2 };
    const struct regret_pool *pool = kept->pool;
    unsigned char *state = NULL;
    TRY(REGRET_NEW(&state, pool->n_contexts));
    for (size_t i = 0; i < pool->n_outputs; i++) {
        const struct regret_output *o = &pool->outputs[i];
        state[o->context] |= (unsigned char)(kept->agents[o->agent] ? STILL : ANSWERED);
    }
    for (size_t x = 0; x < pool->n_contexts; x++) {
        if (kept->contexts[x] && state[x] == ANSWERED) {
            kept->contexts[x] = 0;
            ++*dropped;
        }
    }
    regret_free(state);
    return REGRET_OK;
}

/* ---- a sample ---- */

/* Keeps `sample` of the n contexts at `among`, all of them where there are fewer. */
static int keep_some(struct kept *kept, const size_t *among, size_t n,
                     const struct regret_pool_select_options *o, uint64_t stream)
{
    size_t *order = NULL;
    TRY(regret_rng_order(&order, n, o->seed, REGRET_RNG_SELECT, stream));
    for (size_t i = 0; i < n && i < o->sample; i++) {
        kept->contexts[among[order[i]]] = 1;
    }
    regret_free(order);
    return REGRET_OK;
}

/* The contexts of each tag stand together in by_tag[], in their order; a tag's begin at begin[tag]. */
static int keep_some_by_tag(struct kept *kept, const size_t *among, size_t n,
                            const struct regret_pool_select_options *o)
{
    FREED struct regret_pool_tag *tags = NULL;
    FREED uint32_t *kind = NULL;
    FREED size_t *by_tag = NULL, *next = NULL;
    size_t n_tags = 0, begin = 0;
    TRY(pool_tags_number(&tags, &n_tags, &kind, kept->pool, among, n));
    TRY(REGRET_NEW(&by_tag, n));
    TRY(REGRET_NEW(&next, n_tags));
    TRY(n_tags > 0 ? REGRET_OK
                   : regret_fail(REGRET_E_INPUT,
                                 "no context of pool \"%s\" that is left has a tag; leave "
                                 "--by-tag out",
                                 kept->pool->name));
    for (size_t t = 0; t < n_tags; t++) {
        next[t] = begin;
        begin += tags[t].contexts;
    }
    for (size_t i = 0; i < n; i++) {
        by_tag[next[kind[i]]++] = among[i];
    }
    for (size_t t = 0; t < n_tags; t++) {
        size_t size = tags[t].contexts;
        TRY(keep_some(kept, by_tag + (next[t] - size), size, o, t));
    }
    return REGRET_OK;
}

static int sample(struct kept *kept, const struct regret_pool_select_options *o)
{
    size_t *among = NULL;
    size_t n = 0;
    int rc;
    TRY(REGRET_NEW(&among, kept->pool->n_contexts));
    for (size_t x = 0; x < kept->pool->n_contexts; x++) {
        if (kept->contexts[x]) {
            among[n++] = x;
        }
    }
    memset(kept->contexts, 0, kept->pool->n_contexts);
    if (o->by_tag) {
        rc = keep_some_by_tag(kept, among, n, o);
    } else if (o->sample > n) {
        rc = regret_fail(REGRET_E_INPUT,
                         "a sample of %zu contexts is wanted where %zu of pool \"%s\" match; ask "
                         "for fewer, or leave --sample out",
                         o->sample, n, kept->pool->name);
    } else {
        rc = keep_some(kept, among, n, o, 0);
    }
    regret_free(among);
    return rc;
}

/* ---- the cut ---- */

static void free_context(struct regret_context *c, size_t n_columns)
{
    regret_free(c->id);
    regret_free(c->text);
    regret_free(c->tag);
    regret_free(c->title);
    pool_free_covariates(c->columns, n_columns);
}

/* Numbers of what is kept, from 0; what is not has no use of one. Returns how many are kept. */
static size_t number(uint32_t *to, const unsigned char *keep, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        to[i] = (uint32_t)kept;
        kept += keep[i];
    }
    return kept;
}

static int is_kept(const struct kept *kept, const struct regret_output *o)
{
    return kept->contexts[o->context] && kept->agents[o->agent];
}

static void cut_outputs(struct regret_pool *pool, const struct kept *kept,
                        const uint32_t *context_to, const uint32_t *agent_to)
{
    size_t n = 0;
    for (size_t i = 0; i < pool->n_outputs; i++) {
        struct regret_output *o = &pool->outputs[i];
        if (is_kept(kept, o)) {
            pool->outputs[n++] = (struct regret_output){context_to[o->context], agent_to[o->agent],
                                                        o->draw, o->text, o->values};
        } else {
            regret_free(o->text);
            regret_free(o->values);
        }
    }
    pool->n_outputs = n;
}

static void cut_contexts_and_agents(struct regret_pool *pool, const struct kept *kept)
{
    size_t n = 0;
    for (size_t x = 0; x < pool->n_contexts; x++) {
        if (kept->contexts[x]) {
            pool->contexts[n++] = pool->contexts[x];
        } else {
            free_context(&pool->contexts[x], pool->n_columns);
        }
    }
    pool->n_contexts = n;
    n = 0;
    for (size_t a = 0; a < pool->n_agents; a++) {
        if (kept->agents[a]) {
            pool->agents[n++] = pool->agents[a];
        } else {
            regret_free(pool->agents[a].id);
            regret_free(pool->agents[a].title);
        }
    }
    pool->n_agents = n;
}

static int cut(struct regret_pool *pool, const struct kept *kept)
{
    FREED uint32_t *context_to = NULL, *agent_to = NULL;
    size_t outputs = 0;
    TRY(REGRET_NEW(&context_to, pool->n_contexts));
    TRY(REGRET_NEW(&agent_to, pool->n_agents));
    size_t contexts = number(context_to, kept->contexts, pool->n_contexts);
    size_t agents = number(agent_to, kept->agents, pool->n_agents);
    for (size_t i = 0; i < pool->n_outputs; i++) {
        outputs += (size_t)is_kept(kept, &pool->outputs[i]);
    }
    TRY(outputs > 0 ? REGRET_OK
                    : regret_fail(REGRET_E_INPUT,
                                  "%zu contexts and %zu agents of pool \"%s\" match, and no "
                                  "output is of any of them; select more",
                                  contexts, agents, pool->name));
    cut_outputs(pool, kept, context_to, agent_to);
    cut_contexts_and_agents(pool, kept);
    pool->digest[0] = '\0';
    return REGRET_OK;
}

int regret_pool_select(struct regret_pool *pool, const struct regret_pool_select_options *options)
{
    FREED_BY(kept_fields) struct kept kept = {.pool = pool};
    size_t dropped = 0;
    TRY(REGRET_NEW(&kept.contexts, pool->n_contexts));
    TRY(REGRET_NEW(&kept.agents, pool->n_agents));
    memset(kept.contexts, 1, pool->n_contexts);
    memset(kept.agents, 1, pool->n_agents);
    TRY(apply_patterns(&kept, options));
    TRY(drop_unanswered(&dropped, &kept));
    TRY(options->sample > 0 ? sample(&kept, options) : REGRET_OK);
    TRY(cut(pool, &kept));
    if (options->unanswered != NULL) {
        *options->unanswered = dropped;
    }
    return REGRET_OK;
}
