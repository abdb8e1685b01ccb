#include "pool/join.h"

#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "pool/memory.h"
#include "pool/write.h"
#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/status.h"

/* The number of what a pool does not have. */
#define NOWHERE SIZE_MAX

enum { POOL, MORE, SIDES };
enum { COMPONENTS, COUNTS, AUX, COLUMNS, KINDS, VALUES = COLUMNS }; /* kinds of names */

/* Names of one kind of the joined pool, in its order: the number of each on either side, or NOWHERE. */
struct joined_names {
    size_t n, before[SIDES];
    size_t *in[SIDES]; /* owned */
};

struct joining {
    struct regret_pool *side[SIDES];
    const struct regret_pool_join_options *options;
    struct regret_pool_joined told;
    struct joined_names names[KINDS];
    size_t *numbers;               /* all of these; owned */
    size_t *is_met;                /* 1 for contexts of the pool that are in `more`, too */
    size_t *context_to, *agent_to; /* of `more`: the number in the joined pool */
    size_t *output_to;             /* of `more`: the number in the pool, or NOWHERE */
    char **context_ids,
        **agent_ids; /* of `more`: another id where it gets one, else NULL; owned, the second part of the first */
};

static void joining_free(struct joining *j)
{
    for (size_t i = 0; i < KINDS; i++) {
        regret_free(j->names[i].in[POOL]);
        regret_free(j->names[i].in[MORE]);
    }
    regret_free(j->numbers);
    texts_free(j->context_ids, j->side[MORE]->n_contexts + j->side[MORE]->n_agents);
}

/* ---- names of both ---- */

/* An array of a pool whose elements begin with their name. */
struct elements {
    void **array;
    size_t *n, size;
};

static struct elements elements_of(struct regret_pool *p, size_t kind)
{
    const struct elements of[KINDS] = {
        {(void **)&p->components, &p->n_components, sizeof *p->components},
        {(void **)&p->counts, &p->n_counts, sizeof *p->counts},
        {(void **)&p->aux, &p->n_aux, sizeof *p->aux},
        {(void **)&p->columns, &p->n_columns, sizeof *p->columns}};
    return of[kind];
}

static char **name_at(void *array, size_t size, size_t i)
{
    void *name = (char *)array + i * size;
    return name;
}

static size_t find(struct elements in, const char *name)
{
    for (size_t k = 0; k < *in.n; k++) {
        if (strcmp(*name_at(*in.array, in.size, k), name) == 0) {
            return k;
        }
    }
    return NOWHERE;
}

/* What both have is of one range, or one kind. */
static int check_alike(const struct joining *j, size_t kind, size_t in_pool, size_t in_more)
{
    const struct regret_pool *pool = j->side[POOL], *more = j->side[MORE];
    if (kind == COMPONENTS) {
        const struct regret_component *a = &pool->components[in_pool];
        const struct regret_component *b = &more->components[in_more];
        return a->low == b->low && a->high == b->high
                   ? REGRET_OK
                   : regret_fail(REGRET_E_INPUT,
                                 "component \"%s\" is scored from %.15g to %.15g here and from "
                                 "%.15g to %.15g in pool \"%s\"; bring both to one range, or give "
                                 "one another name",
                                 b->name, b->low, b->high, a->low, a->high, pool->name);
    }
    if (kind == COLUMNS && pool->columns[in_pool].kind != more->columns[in_more].kind) {
        return regret_fail(REGRET_E_INPUT,
                           "column \"%s\" is a %s here and a %s in pool \"%s\"; declare it alike "
                           "in both",
                           pool->columns[in_pool].name,
                           regret_column_kind_name(more->columns[in_more].kind),
                           regret_column_kind_name(pool->columns[in_pool].kind), pool->name);
    }
    return REGRET_OK;
}

/* The names of the pool, then those that only `more` has; of `common` ones those of both. */
static int unite(struct joining *j, size_t kind)
{
    struct joined_names *names = &j->names[kind];
    struct elements a = elements_of(j->side[POOL], kind), b = elements_of(j->side[MORE], kind);
    names->before[POOL] = *a.n;
    names->before[MORE] = *b.n;
    TRY(REGRET_NEW(&names->in[POOL], *a.n + *b.n + 1));
    TRY(REGRET_NEW(&names->in[MORE], *a.n + *b.n + 1));
    for (size_t k = 0; k < *a.n; k++) {
        size_t other = find(b, *name_at(*a.array, a.size, k));
        TRY(other != NOWHERE ? check_alike(j, kind, k, other) : REGRET_OK);
        names->in[POOL][names->n] = k;
        names->in[MORE][names->n] = other;
        names->n += other != NOWHERE || !j->options->common;
    }
    for (size_t k = 0; k < *b.n && !j->options->common; k++) {
        names->in[POOL][names->n] = NOWHERE;
        names->in[MORE][names->n] = k;
        names->n += find(a, *name_at(*b.array, b.size, k)) == NOWHERE;
    }
    j->told.left_out += j->options->common ? *a.n + *b.n - 2 * names->n : 0;
    j->told.components += kind == COMPONENTS && !j->options->common ? names->n - *a.n : 0;
    return kind != COMPONENTS || names->n > 0
               ? REGRET_OK
               : regret_fail(
                     REGRET_E_INPUT,
                     "has no component that pool \"%s\" has, which --common would keep; its "
                     "first is \"%s\", and that of the pool is \"%s\"",
                     j->side[POOL]->name, j->side[MORE]->components[0].name,
                     j->side[POOL]->components[0].name);
}

/* 1 where the joined names are those of one side, in its order. */
static int are_own(const struct joined_names *names, int side)
{
    size_t k = 0;
    while (k < names->n && names->in[side][k] == k) {
        k++;
    }
    return k == names->n && names->n == names->before[side];
}

/* ---- both laid out by those names ---- */

/* The pool has the joined names of a kind then, those that are new moved. */
static int lay_names(struct joining *j, size_t kind)
{
    const struct joined_names *names = &j->names[kind];
    struct elements a = elements_of(j->side[POOL], kind), b = elements_of(j->side[MORE], kind);
    void *fresh = NULL;
    TRY(regret_calloc(&fresh, names->n, a.size, "the names of a joined pool"));
    for (size_t k = 0; k < names->n; k++) {
        size_t at = names->in[POOL][k];
        char **from = at != NOWHERE ? name_at(*a.array, a.size, at)
                                    : name_at(*b.array, b.size, names->in[MORE][k]);
        memcpy(name_at(fresh, a.size, k), from, a.size);
        *from = NULL;
    }
    for (size_t k = 0; k < *a.n; k++) {
        regret_free(*name_at(*a.array, a.size, k));
    }
    regret_free(*a.array);
    *a.array = fresh;
    *a.n = names->n;
    return REGRET_OK;
}

/* Outputs have a value for each joined name then, NaN where their pool does not have it. */
static int lay_values(struct joining *j, int side)
{
    struct regret_pool *p = j->side[side];
    size_t n = 0;
    int is_laid = 1;
    for (size_t kind = 0; kind < VALUES; kind++) {
        n += j->names[kind].n;
        is_laid &= are_own(&j->names[kind], side);
    }
    for (size_t i = 0; i < p->n_outputs && !is_laid; i++) {
        double *values = NULL, *to;
        const double *from = p->outputs[i].values;
        TRY(REGRET_NEW(&values, n));
        to = values;
        for (size_t kind = 0; kind < VALUES; kind++) {
            const struct joined_names *names = &j->names[kind];
            for (size_t k = 0; k < names->n; k++) {
                *to++ = names->in[side][k] != NOWHERE ? from[names->in[side][k]] : (double)NAN;
            }
            from += names->before[side];
        }
        regret_free(p->outputs[i].values);
        p->outputs[i].values = values;
    }
    return REGRET_OK;
}

/* Moves the covariates of a context into `fresh`, by the joined names. */
static void lay_context(struct regret_context *c, struct regret_covariate *fresh,
                        const struct joined_names *names, int side)
{
    for (size_t k = 0; k < names->n; k++) {
        size_t at = names->in[side][k];
        if (at != NOWHERE) {
            fresh[k] = c->columns[at];
            c->columns[at].word = NULL;
        }
    }
    pool_free_covariates(c->columns, names->before[side]);
    c->columns = fresh;
}

/* Nothing fails once the first context has changed: how many covariates one has is known by its pool alone. */
static int lay_columns(struct joining *j)
{
    const struct joined_names *names = &j->names[COLUMNS];
    struct regret_pool *pool = j->side[POOL], *more = j->side[MORE];
    size_t n = pool->n_contexts, all = n + more->n_contexts;
    struct regret_covariate **fresh = NULL;
    struct regret_column *columns = NULL; /* of `more`, whose names have gone */
    int rc;
    if (are_own(names, POOL) && are_own(names, MORE)) {
        return REGRET_OK;
    }
    TRY_CLEANUP(REGRET_NEW(&fresh, all));
    for (size_t i = 0; i < all && names->n > 0; i++) {
        TRY_CLEANUP(REGRET_NEW(&fresh[i], names->n));
    }
    TRY_CLEANUP(REGRET_NEW(&columns, names->n));
    TRY_CLEANUP(lay_names(j, COLUMNS));
    for (size_t i = 0; i < all; i++) {
        lay_context(i < n ? &pool->contexts[i] : &more->contexts[i - n], fresh[i], names,
                    i < n ? POOL : MORE);
        fresh[i] = NULL;
    }
    for (size_t k = 0; k < names->before[MORE]; k++) {
        regret_free(more->columns[k].name);
    }
    regret_free(more->columns);
    more->columns = columns;
    more->n_columns = names->n;
    columns = NULL;
cleanup:
    for (size_t i = 0; fresh != NULL && i < all; i++) {
        regret_free(fresh[i]);
    }
    regret_free(fresh);
    regret_free(columns);
    return rc;
}

/* Weights by the joined components, 0 on new ones. *lost is 1 where weight lay on one that is left out. */
static int lay_weights(int *lost, struct regret_segment *segment, const struct joined_names *names)
{
    double *weights = NULL;
    size_t weighted = 0;
    TRY(REGRET_NEW(&weights, names->n));
    for (size_t k = 0; k < names->before[POOL]; k++) {
        weighted += segment->weights[k] > 0.0;
    }
    for (size_t k = 0; k < names->n; k++) {
        size_t before = names->in[POOL][k];
        weights[k] = before != NOWHERE ? segment->weights[before] : 0.0;
        weighted -= weights[k] > 0.0;
    }
    regret_free(segment->weights);
    segment->weights = weights;
    *lost |= weighted > 0;
    return REGRET_OK;
}

static int lay_header(struct joining *j)
{
    struct regret_pool *pool = j->side[POOL];
    int *renewed = &j->told.default_segments;
    if (!are_own(&j->names[COMPONENTS], POOL)) {
        *renewed = pool_has_default_segments(pool);
        for (size_t s = 0; s < pool->n_segments; s++) {
            TRY(lay_weights(renewed, &pool->segments[s], &j->names[COMPONENTS]));
        }
    }
    for (size_t kind = 0; kind < VALUES; kind++) {
        TRY(lay_names(j, kind));
    }
    return *renewed ? regret_pool_default_segments(pool) : REGRET_OK;
}

/* ---- contexts ---- */

/* The numbers of n ids, at the head of elements of `size` bytes each, with room for more. */
static int know(struct id_table *ids, void *array, size_t size, size_t n, size_t more)
{
    TRY(id_table_reserve(ids, n + more));
    for (size_t i = 0; i < n; i++) {
        id_table_put(ids, *name_at(array, size, i), i);
    }
    return REGRET_OK;
}

/* In what two contexts differ, or NULL. */
static const char *context_differs(const struct joining *j, const struct regret_context *a,
                                   const struct regret_context *b)
{
    const struct regret_column *columns = j->side[POOL]->columns;
    if (strcmp(a->text, b->text) != 0) {
        return "text";
    }
    if (a->tag != NULL && b->tag != NULL && strcmp(a->tag, b->tag) != 0) {
        return "tag";
    }
    for (size_t k = 0; k < j->names[COLUMNS].n; k++) {
        if (j->names[COLUMNS].in[POOL][k] != NOWHERE && j->names[COLUMNS].in[MORE][k] != NOWHERE &&
            !pool_same_covariate(columns[k].kind, &a->columns[k], &b->columns[k])) {
            return columns[k].name;
        }
    }
    return NULL;
}

/* The id `given`, or the next one with ":2", ":3", … behind that no other of `more` has. */
static int next_id(struct regret_buffer *id, size_t *number, const char *given,
                   const struct id_table *own)
{
    do {
        regret_buffer_clear(id);
        regret_buffer_append(id, given);
        if (++*number > 1) {
            regret_buffer_printf(id, ":%zu", *number);
        }
        TRY(regret_buffer_status(id));
    } while (*number > 1 && id_table_find(own, regret_buffer_get(id)) != NOWHERE);
    return REGRET_OK;
}

/* The first id that is free in the pool, or whose context there is the same but for its id: *found is that one, else
 * NOWHERE. It is never one that `more` has just brought: each of those has an id of its own, or N behind another one. */
static int find_context(size_t *found, struct regret_buffer *id, const struct joining *j,
                        const struct id_table *ids, const struct id_table *own,
                        const struct regret_context *y)
{
    const struct regret_pool *pool = j->side[POOL];
    const char *differs = NULL;
    size_t number = 0;
    do {
        TRY(next_id(id, &number, y->id, own));
        *found = id_table_find(ids, regret_buffer_get(id));
        differs = *found != NOWHERE ? context_differs(j, &pool->contexts[*found], y) : NULL;
        if (differs != NULL && !j->options->rename) {
            return regret_fail(REGRET_E_INPUT,
                               "context \"%s\" has another %s than in pool \"%s\"; correct one of "
                               "them, or --rename joins it as a context of its own, \"%s:2\"",
                               y->id, differs, pool->name, y->id);
        }
    } while (differs != NULL);
    return REGRET_OK;
}

static void move_text(char **to, char **from)
{
    if (*to == NULL) {
        *to = *from;
        *from = NULL;
    }
}

/* What the context x of the pool lacks is that of y. */
static void complete(struct joining *j, struct regret_context *x, struct regret_context *y)
{
    move_text(&x->tag, &y->tag);
    move_text(&x->title, &y->title);
    for (size_t k = 0; k < j->names[COLUMNS].n; k++) {
        if (j->names[COLUMNS].in[POOL][k] == NOWHERE) {
            x->columns[k] = y->columns[k];
            y->columns[k].word = NULL;
        }
    }
}

static int match_contexts(struct joining *j)
{
    struct regret_pool *pool = j->side[POOL], *more = j->side[MORE];
    FREED_BY(id_table_free) struct id_table ids = {NULL, 0, 0}, own = {NULL, 0, 0};
    FREED_BY(regret_buffer_free) struct regret_buffer id = REGRET_BUFFER_INIT;
    TRY(know(&ids, pool->contexts, sizeof *pool->contexts, pool->n_contexts, more->n_contexts));
    TRY(know(&own, more->contexts, sizeof *more->contexts, more->n_contexts, 0));
    for (size_t y = 0; y < more->n_contexts; y++) {
        struct regret_context *c = &more->contexts[y];
        size_t x = NOWHERE;
        TRY(find_context(&x, &id, j, &ids, &own, c));
        if (x != NOWHERE) {
            j->is_met[x] = 1;
            complete(j, &pool->contexts[x], c);
        } else {
            x = pool->n_contexts + j->told.contexts++;
            if (strcmp(regret_buffer_get(&id), c->id) != 0) {
                j->told.renamed++;
                TRY(regret_strdup(&j->context_ids[y], regret_buffer_get(&id)));
            }
            id_table_put(&ids, j->context_ids[y] != NULL ? j->context_ids[y] : c->id, x);
        }
        j->context_to[y] = x;
    }
    return REGRET_OK;
}

/* Contexts that only one side has have every column. */
static int check_columns(const struct joining *j, int side)
{
    const struct joined_names *names = &j->names[COLUMNS];
    const struct regret_pool *pool = j->side[POOL], *self = j->side[side];
    size_t k = 0, x = 0;
    while (k < names->n && names->in[side][k] != NOWHERE) {
        k++;
    }
    while (x < self->n_contexts &&
           (side == POOL ? j->is_met[x] : j->context_to[x] < pool->n_contexts)) {
        x++;
    }
    return k == names->n || x == self->n_contexts
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "column \"%s\" is %s pool \"%s\", so that context \"%s\" has none; "
                             "add it, or --common keeps only what both pools have",
                             pool->columns[k].name,
                             side == MORE ? "not here but in" : "here and not in", pool->name,
                             self->contexts[x].id);
}

/* ---- agents ---- */

/* Ids are names made fit, and two names can make one: names decide. An agent that is new has its own id, or with ":2", ":3", …
 * behind the first that neither pool has. */
static int match_agents(struct joining *j)
{
    const struct regret_pool *pool = j->side[POOL], *more = j->side[MORE];
    FREED_BY(id_table_free) struct id_table ids = {0}, own = {0}, names = {0};
    FREED_BY(regret_buffer_free) struct regret_buffer id = REGRET_BUFFER_INIT;
    TRY(id_table_reserve(&names, pool->n_agents + more->n_agents));
    TRY(know(&ids, pool->agents, sizeof *pool->agents, pool->n_agents, more->n_agents));
    TRY(know(&own, more->agents, sizeof *more->agents, more->n_agents, 0));
    for (size_t a = 0; a < pool->n_agents; a++) {
        id_table_put(&names, regret_agent_name(&pool->agents[a]), a);
    }
    for (size_t b = 0; b < more->n_agents; b++) {
        const struct regret_agent *agent = &more->agents[b];
        size_t next = pool->n_agents + j->told.agents, number = 0;
        size_t a = j->agent_to[b] = id_table_put(&names, regret_agent_name(agent), next);
        if (a < next && a >= pool->n_agents) {
            return regret_fail(REGRET_E_INPUT,
                               "agents \"%s\" and another have one name, \"%s\"; give them "
                               "different titles",
                               agent->id, regret_agent_name(agent));
        }
        if (a < next) {
            TRY(j->options->costs != REGRET_JOIN_COSTS_REFUSE || pool->agents[a].cost == agent->cost
                    ? REGRET_OK
                    : regret_fail(REGRET_E_INPUT,
                                  "agent \"%s\" costs %.15g here and %.15g in pool \"%s\"; say "
                                  "which it is: --costs first, or --costs mean, over the outputs "
                                  "of both",
                                  agent->id, agent->cost, pool->agents[a].cost, pool->name));
            continue;
        }
        j->told.agents++;
        do {
            TRY(next_id(&id, &number, agent->id, &own));
        } while (id_table_find(&ids, regret_buffer_get(&id)) != NOWHERE);
        if (number > 1) {
            j->told.renamed_agents++;
            TRY(regret_strdup(&j->agent_ids[b], regret_buffer_get(&id)));
        }
        id_table_put(&ids, number > 1 ? j->agent_ids[b] : agent->id, b);
    }
    return REGRET_OK;
}

/* Costs of agents that both have, as means over the outputs of the pool and the new ones of `more`. */
static int mean_costs(const struct joining *j)
{
    struct regret_pool *pool = j->side[POOL], *more = j->side[MORE];
    FREED size_t *here = NULL, *there = NULL;
    TRY(REGRET_NEW(&here, pool->n_agents));
    TRY(REGRET_NEW(&there, more->n_agents));
    for (size_t i = 0; i < pool->n_outputs; i++) {
        here[pool->outputs[i].agent]++;
    }
    for (size_t i = 0; i < more->n_outputs; i++) {
        there[more->outputs[i].agent] += j->output_to[i] == NOWHERE;
    }
    for (size_t b = 0; b < more->n_agents; b++) {
        size_t a = j->agent_to[b];
        double n = a < pool->n_agents ? (double)(here[a] + there[b]) : 0.0;
        if (n > 0.0 && pool->agents[a].cost != more->agents[b].cost) {
            double share = (double)there[b] / n;
            pool->agents[a].cost =
                (1.0 - share) * pool->agents[a].cost + share * more->agents[b].cost;
        }
    }
    return REGRET_OK;
}

/* ---- outputs ---- */

/* The first output of `pool` that is not before context x and agent a. */
static size_t first_output(const struct regret_pool *pool, size_t x, size_t a)
{
    size_t low = 0, high = pool->n_outputs;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct regret_output *o = &pool->outputs[middle];
        if (o->context < x || (o->context == x && o->agent < a)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Output b of `more` is a of the pool, which gets the values that it lacks, or an error says in what it is another. */
static int unite_outputs(const struct joining *j, struct regret_output *a,
                         const struct regret_output *b)
{
    const struct regret_pool *pool = j->side[POOL], *more = j->side[MORE];
    const char *context = more->contexts[b->context].id, *agent = more->agents[b->agent].id;
    if (strcmp(a->text, b->text) != 0) {
        return regret_fail(REGRET_E_INPUT,
                           "context \"%s\", agent \"%s\", draw %u has another text than in pool "
                           "\"%s\"; --draws joins it as a further draw, and another version of an "
                           "agent needs another id",
                           context, agent, (unsigned)b->draw, pool->name);
    }
    for (size_t k = 0; k < pool->n_components + pool->n_counts + pool->n_aux; k++) {
        if (isnan(a->values[k])) {
            a->values[k] = b->values[k];
        } else if (!isnan(b->values[k]) && a->values[k] != b->values[k]) {
            return regret_fail(
                REGRET_E_INPUT,
                "context \"%s\", agent \"%s\", draw %u has the text that it has in pool \"%s\", "
                "but \"%s\" is %.15g here and %.15g there; scores of another judge need a name of "
                "their own, and a further draw needs --draws",
                context, agent, (unsigned)b->draw, pool->name, regret_pool_value_name(pool, k),
                b->values[k], a->values[k]);
        }
    }
    return REGRET_OK;
}

/* Draws have no gaps. */
static int match_outputs(struct joining *j)
{
    struct regret_pool *pool = j->side[POOL], *more = j->side[MORE];
    for (size_t i = 0; i < more->n_outputs; i++) {
        const struct regret_output *o = &more->outputs[i];
        size_t x = j->context_to[o->context], a = j->agent_to[o->agent];
        size_t at = first_output(pool, x, a) + o->draw;
        j->output_to[i] = NOWHERE;
        if (!j->options->draws && at < pool->n_outputs && pool->outputs[at].context == x &&
            pool->outputs[at].agent == a) {
            TRY(unite_outputs(j, &pool->outputs[at], o));
            j->output_to[i] = at;
            j->told.same++;
        }
    }
    j->told.outputs = more->n_outputs - j->told.same;
    return REGRET_OK;
}

/* Outputs that only one side has have every value. */
static int check_values(const struct joining *j, int side)
{
    const struct regret_pool *pool = j->side[POOL], *self = j->side[side];
    size_t n = pool->n_components + pool->n_counts + pool->n_aux, k = n, i = 0;
    for (; i < self->n_outputs && k == n; i++) {
        if (side == POOL || j->output_to[i] == NOWHERE) {
            for (k = 0; k < n && !isnan(self->outputs[i].values[k]); k++) {
            }
        }
    }
    if (k == n) {
        return REGRET_OK;
    }
    const struct regret_output *o = &self->outputs[i - 1];
    return regret_fail(
        REGRET_E_INPUT,
        "\"%s\" is %s pool \"%s\", so that %zu of the %zu outputs %s have none, first that of "
        "context \"%s\", agent \"%s\", draw %u; score them, or --common keeps only what both pools "
        "have",
        regret_pool_value_name(pool, k), side == MORE ? "not here but in" : "here and not in",
        pool->name, self->n_outputs - j->told.same, self->n_outputs,
        side == MORE ? "here" : "there", self->contexts[o->context].id, self->agents[o->agent].id,
        (unsigned)o->draw);
}

/* ---- what is new ---- */

/* Another id, where there is one; people know it by the one it had. */
static void rename_to(char **id, char **title, char **other)
{
    if (*other != NULL) {
        move_text(title, id);
        regret_free(*id);
        *id = *other;
        *other = NULL;
    }
}

/* Outputs stand behind those of the pool until regret_pool_check() sorts them. */
static int append_new(struct joining *j)
{
    struct regret_pool *pool = j->side[POOL], *more = j->side[MORE];
    size_t contexts = pool->n_contexts, agents = pool->n_agents, outputs = pool->n_outputs;
    TRY(regret_realloc((void **)&pool->agents, agents + j->told.agents, sizeof *pool->agents,
                       "the agents of a joined pool"));
    TRY(regret_realloc((void **)&pool->contexts, contexts + j->told.contexts,
                       sizeof *pool->contexts, "the contexts of a joined pool"));
    TRY(regret_realloc((void **)&pool->outputs, outputs + j->told.outputs, sizeof *pool->outputs,
                       "the outputs of a joined pool"));
    for (size_t i = 0; i < more->n_outputs; i++) {
        struct regret_output *o = &more->outputs[i];
        if (j->output_to[i] == NOWHERE) {
            size_t x = j->context_to[o->context], a = j->agent_to[o->agent];
            size_t draws = first_output(pool, x, a + 1) - first_output(pool, x, a);
            draws = j->options->draws ? draws : 0;
            pool->outputs[outputs++] = (struct regret_output){
                (uint32_t)x, (uint32_t)a, o->draw + (uint32_t)draws, o->text, o->values};
            *o = (struct regret_output){.context = o->context};
        }
    }
    pool->n_outputs = outputs;
    for (size_t b = 0; b < more->n_agents; b++) {
        if (j->agent_to[b] >= agents) {
            struct regret_agent *agent = &more->agents[b];
            rename_to(&agent->id, &agent->title, &j->agent_ids[b]);
            pool->agents[pool->n_agents++] = *agent;
            *agent = (struct regret_agent){NULL, NULL, 0.0};
        }
    }
    for (size_t y = 0; y < more->n_contexts; y++) {
        if (j->context_to[y] >= contexts) {
            struct regret_context *c = &more->contexts[y];
            rename_to(&c->id, &c->title, &j->context_ids[y]);
            pool->contexts[pool->n_contexts++] = *c;
            *c = (struct regret_context){NULL, NULL, NULL, NULL, NULL};
        }
    }
    return REGRET_OK;
}

static int prepare(struct joining *j)
{
    const struct regret_pool *pool = j->side[POOL], *more = j->side[MORE];
    size_t contexts = more->n_contexts;
    TRY(REGRET_NEW(&j->numbers, pool->n_contexts + contexts + more->n_agents + more->n_outputs));
    TRY(REGRET_NEW(&j->context_ids, contexts + more->n_agents));
    j->is_met = j->numbers;
    j->context_to = j->is_met + pool->n_contexts;
    j->agent_to = j->context_to + contexts;
    j->output_to = j->agent_to + more->n_agents;
    j->agent_ids = j->context_ids + contexts;
    for (size_t kind = 0; kind < KINDS; kind++) {
        TRY(unite(j, kind));
    }
    return REGRET_OK;
}

int regret_pool_join(struct regret_pool_joined *out, struct regret_pool *pool,
                     struct regret_pool *more, const struct regret_pool_join_options *options)
{
    static const struct regret_pool_join_options PRESET = {.costs = REGRET_JOIN_COSTS_REFUSE};
    FREED_BY(joining_free)
    struct joining j = {.side = {pool, more}, .options = options != NULL ? options : &PRESET};
    TRY(prepare(&j));
    TRY(lay_values(&j, POOL));
    TRY(lay_values(&j, MORE));
    TRY(lay_header(&j));
    TRY(lay_columns(&j));
    TRY(match_contexts(&j));
    TRY(match_agents(&j));
    TRY(match_outputs(&j));
    TRY(check_values(&j, POOL));
    TRY(check_values(&j, MORE));
    TRY(check_columns(&j, POOL));
    TRY(check_columns(&j, MORE));
    TRY(j.options->costs == REGRET_JOIN_COSTS_MEAN ? mean_costs(&j) : REGRET_OK);
    TRY(append_new(&j));
    TRY(pool_join_said(pool, more));
    TRY(regret_pool_check(pool));
    if (out != NULL) {
        *out = j.told;
    }
    return REGRET_OK;
}
