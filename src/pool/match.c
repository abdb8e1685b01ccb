#include "pool/internal.h"

#include <stdint.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "pool/join.h"
#include "pool/memory.h"
#include "regret/buffer.h"
#include "regret/status.h"

/* ---- contexts ---- */

static int is_same_text(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* In what context x of `pool` and y of `more` differ, or NULL. */
static const char *context_differs(const struct pool_match *m, size_t x, size_t y)
{
    const struct regret_context *a = &m->pool->contexts[x], *b = &m->more->contexts[y];
    if (!is_same_text(a->text, b->text)) {
        return "text";
    }
    if (a->tag != NULL && b->tag != NULL && !is_same_text(a->tag, b->tag)) {
        return "tag";
    }
    for (size_t j = 0; j < m->columns.n; j++) {
        size_t ja = m->columns.in_pool[j], jb = m->columns.in_more[j];
        if (ja == NOWHERE || jb == NOWHERE) {
            continue;
        }
        if (!pool_same_covariate(m->pool->columns[ja].kind, &a->columns[ja], &b->columns[jb])) {
            return m->pool->columns[ja].name;
        }
    }
    return NULL;
}

/* An id for context y of `more`: its own, or with ":2", ":3", … behind that no other of `more` has: the first that is
 * free in the pool, or whose context there is the same but for its id: *found is that one, else NOWHERE. It is never
 * one that `more` has just brought: each of those has an id of its own, or N behind another one. */
static int find_id(size_t *found, struct regret_buffer *id, const struct pool_match *m,
                   const struct id_table *ids, const struct id_table *own, size_t y)
{
    const char *given = m->more->contexts[y].id;
    const char *differs = NULL;
    size_t number = 0;
    do {
        do {
            regret_buffer_clear(id);
            regret_buffer_append(id, given);
            if (++number > 1) {
                regret_buffer_printf(id, ":%zu", number);
            }
            TRY(regret_buffer_status(id));
        } while (number > 1 && id_table_find(own, regret_buffer_get(id)) != NOWHERE);
        *found = id_table_find(ids, regret_buffer_get(id));
        differs = *found != NOWHERE ? context_differs(m, *found, y) : NULL;
        if (differs != NULL && !m->options->rename) {
            return regret_fail(REGRET_E_INPUT,
                               "context \"%s\" has another %s than in pool \"%s\"; correct one of "
                               "them, or --rename joins it as a context of its own, \"%s:2\"",
                               given, differs, m->pool->name, given);
        }
    } while (differs != NULL);
    return REGRET_OK;
}

static int match_context(struct pool_match *m, struct regret_buffer *id, struct id_table *ids,
                         const struct id_table *own, size_t y)
{
    size_t x = NOWHERE;
    TRY(find_id(&x, id, m, ids, own, y));
    if (x != NOWHERE) {
        m->context_from[x] = y;
    } else {
        x = m->pool->n_contexts + m->new_contexts++;
        if (!is_same_text(regret_buffer_get(id), m->more->contexts[y].id)) {
            m->renamed++;
            TRY(regret_strdup(&m->ids[y], regret_buffer_get(id)));
        }
        id_table_put(ids, m->ids[y] != NULL ? m->ids[y] : m->more->contexts[y].id, x);
    }
    m->context_to[y] = x;
    return REGRET_OK;
}

static void put_contexts(struct id_table *ids, const struct regret_pool *pool)
{
    for (size_t x = 0; x < pool->n_contexts; x++) {
        id_table_put(ids, pool->contexts[x].id, x);
    }
}

static int match_contexts(struct pool_match *m)
{
    size_t n = m->pool->n_contexts, more = m->more->n_contexts;
    FREED_BY(id_table_free) struct id_table ids = {NULL, 0, 0};
    FREED_BY(id_table_free) struct id_table own = {NULL, 0, 0};
    FREED_BY(regret_buffer_free) struct regret_buffer id = REGRET_BUFFER_INIT;
    TRY(id_table_reserve(&ids, n + more));
    TRY(id_table_reserve(&own, more));
    put_contexts(&ids, m->pool);
    put_contexts(&own, m->more);
    for (size_t y = 0; y < more; y++) {
        TRY(match_context(m, &id, &ids, &own, y));
    }
    return REGRET_OK;
}

/* ---- agents ---- */

/* The names of agents, by which they are one, and the ids that are taken. */
struct agents_known {
    struct id_table names, ids;
};

static void agents_known_free(struct agents_known *k)
{
    id_table_free(&k->names);
    id_table_free(&k->ids);
}

static int know_agents(struct agents_known *k, const struct pool_match *m)
{
    const struct regret_pool *pool = m->pool, *more = m->more;
    TRY(id_table_reserve(&k->names, pool->n_agents + more->n_agents));
    TRY(id_table_reserve(&k->ids, pool->n_agents + 2 * more->n_agents));
    for (size_t a = 0; a < pool->n_agents; a++) {
        id_table_put(&k->names, regret_agent_name(&pool->agents[a]), a);
        id_table_put(&k->ids, pool->agents[a].id, a);
    }
    return REGRET_OK;
}

/* An agent that is new has its own id, or with ":2", ":3", … behind the first that neither pool has. */
static int name_agent(struct pool_match *m, struct agents_known *k, const struct id_table *own,
                      size_t b)
{
    FREED_BY(regret_buffer_free) struct regret_buffer id = REGRET_BUFFER_INIT;
    const char *given = m->more->agents[b].id;
    if (id_table_find(&k->ids, given) == NOWHERE) {
        id_table_put(&k->ids, given, b);
        return REGRET_OK;
    }
    for (size_t n = 2;
         id.length == 0 || id_table_find(&k->ids, regret_buffer_get(&id)) != NOWHERE ||
         id_table_find(own, regret_buffer_get(&id)) != NOWHERE;
         n++) {
        regret_buffer_clear(&id);
        regret_buffer_printf(&id, "%s:%zu", given, n);
        TRY(regret_buffer_status(&id));
    }
    TRY(regret_strdup(&m->agent_ids[b], regret_buffer_get(&id)));
    id_table_put(&k->ids, m->agent_ids[b], b);
    m->renamed_agents++;
    return REGRET_OK;
}

static int match_agent(struct pool_match *m, struct agents_known *k, const struct id_table *own,
                       size_t b)
{
    const struct regret_agent *agent = &m->more->agents[b];
    size_t next = m->pool->n_agents + m->new_agents;
    size_t a = m->agent_to[b] = id_table_put(&k->names, regret_agent_name(agent), next);
    if (a == next) {
        m->new_agents++;
        return name_agent(m, k, own, b);
    }
    return a >= m->pool->n_agents
               ? regret_fail(REGRET_E_INPUT,
                             "agents \"%s\" and another have one name, \"%s\"; give them different "
                             "titles",
                             agent->id, regret_agent_name(agent))
           : m->options->costs == REGRET_JOIN_COSTS_REFUSE && m->pool->agents[a].cost != agent->cost
               ? regret_fail(REGRET_E_INPUT,
                             "agent \"%s\" costs %.15g here and %.15g in pool \"%s\"; say which "
                             "it is: --costs first, or --costs mean, over the outputs of both",
                             agent->id, agent->cost, m->pool->agents[a].cost, m->pool->name)
               : REGRET_OK;
}

/* Ids are names made fit, and two names can make one: names decide. */
static int match_agents(struct pool_match *m)
{
    FREED_BY(agents_known_free) struct agents_known known = {{NULL, 0, 0}, {NULL, 0, 0}};
    FREED_BY(id_table_free) struct id_table own = {NULL, 0, 0};
    TRY(know_agents(&known, m));
    TRY(id_table_reserve(&own, m->more->n_agents));
    for (size_t b = 0; b < m->more->n_agents; b++) {
        id_table_put(&own, m->more->agents[b].id, b);
    }
    for (size_t b = 0; b < m->more->n_agents; b++) {
        TRY(match_agent(m, &known, &own, b));
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

size_t match_draws(const struct regret_pool *pool, size_t x, size_t a)
{
    return first_output(pool, x, a + 1) - first_output(pool, x, a);
}

/* That for context x, agent a, draw k, or NOWHERE. Draws have no gaps. */
static size_t find_output(const struct regret_pool *pool, size_t x, size_t a, size_t k)
{
    size_t i = first_output(pool, x, a) + k;
    return i < pool->n_outputs && pool->outputs[i].context == x && pool->outputs[i].agent == a
               ? i
               : NOWHERE;
}

/* Output i of `more` is output at of `pool`, or an error says in what it is another. */
static int check_same_output(const struct pool_match *m, size_t at, size_t i)
{
    const struct regret_output *a = &m->pool->outputs[at], *b = &m->more->outputs[i];
    const char *context = m->more->contexts[b->context].id, *agent = m->more->agents[b->agent].id;
    if (!is_same_text(a->text, b->text)) {
        return regret_fail(REGRET_E_INPUT,
                           "context \"%s\", agent \"%s\", draw %u has another text than in pool "
                           "\"%s\"; --draws joins it as a further draw, and another version of an "
                           "agent needs another id",
                           context, agent, (unsigned)b->draw, m->pool->name);
    }
    for (size_t k = 0; k < m->values.n; k++) {
        size_t ka = m->values.in_pool[k], kb = m->values.in_more[k];
        if (ka != NOWHERE && kb != NOWHERE && a->values[ka] != b->values[kb]) {
            return regret_fail(
                REGRET_E_INPUT,
                "context \"%s\", agent \"%s\", draw %u has the text that it has in pool \"%s\", "
                "but \"%s\" is %.15g here and %.15g there; scores of another judge need a name of "
                "their own, and a further draw needs --draws",
                context, agent, (unsigned)b->draw, m->pool->name,
                regret_pool_value_name(m->more, kb), b->values[kb], a->values[ka]);
        }
    }
    return REGRET_OK;
}

static int match_outputs(struct pool_match *m)
{
    for (size_t i = 0; i < m->more->n_outputs && !m->options->draws; i++) {
        const struct regret_output *o = &m->more->outputs[i];
        size_t at = find_output(m->pool, m->context_to[o->context], m->agent_to[o->agent], o->draw);
        if (at != NOWHERE) {
            TRY(check_same_output(m, at, i));
            m->output_to[i] = at;
            m->output_from[at] = i;
            m->same_outputs++;
        }
    }
    return REGRET_OK;
}

/* ---- what has to be there ---- */

/* The first name that a pool lacks, whose side of the names is `in`; NOWHERE: it has all. */
static size_t first_lacking(const struct joined_names *names, const size_t *in)
{
    for (size_t k = 0; k < names->n; k++) {
        if (in[k] == NOWHERE) {
            return k;
        }
    }
    return NOWHERE;
}

static size_t first_alone(const size_t *partner, size_t n)
{
    size_t i = 0;
    while (i < n && partner[i] != NOWHERE) {
        i++;
    }
    return i;
}

/* Outputs that only one of the pools has have every value: those of `pool`, or of `more`. */
static int check_values(const struct pool_match *m, int of_more)
{
    const struct regret_pool *self = of_more ? m->more : m->pool,
                             *other = of_more ? m->pool : m->more;
    const size_t *in = of_more ? m->values.in_more : m->values.in_pool;
    const size_t *in_other = of_more ? m->values.in_pool : m->values.in_more;
    size_t k = first_lacking(&m->values, in), n = self->n_outputs;
    size_t i = k != NOWHERE ? first_alone(of_more ? m->output_to : m->output_from, n) : n;
    if (i == n) {
        return REGRET_OK;
    }
    const struct regret_output *o = &self->outputs[i];
    const char *name = regret_pool_value_name(other, in_other[k]);
    return regret_fail(
        REGRET_E_INPUT,
        "\"%s\" is %s pool \"%s\", so that %zu of the %zu outputs %s have none, first "
        "that of context \"%s\", agent \"%s\", draw %u; score them, or --common "
        "keeps only what both pools have",
        name, of_more ? "not here but in" : "here and not in", m->pool->name, n - m->same_outputs,
        n, of_more ? "here" : "there", self->contexts[o->context].id, self->agents[o->agent].id,
        (unsigned)o->draw);
}

/* Contexts alike have every column. */
static int check_columns(const struct pool_match *m, int of_more)
{
    const struct regret_pool *self = of_more ? m->more : m->pool,
                             *other = of_more ? m->pool : m->more;
    const size_t *in = of_more ? m->columns.in_more : m->columns.in_pool;
    const size_t *in_other = of_more ? m->columns.in_pool : m->columns.in_more;
    size_t j = first_lacking(&m->columns, in), x = 0;
    while (j != NOWHERE && x < self->n_contexts &&
           (of_more ? m->context_to[x] < m->pool->n_contexts : m->context_from[x] != NOWHERE)) {
        x++;
    }
    if (j == NOWHERE || x == self->n_contexts) {
        return REGRET_OK;
    }
    return regret_fail(REGRET_E_INPUT,
                       "column \"%s\" is %s pool \"%s\", so that context \"%s\" has none; add it, "
                       "or --common keeps only what both pools have",
                       other->columns[in_other[j]].name,
                       of_more ? "not here but in" : "here and not in", m->pool->name,
                       self->contexts[x].id);
}

static int new_numbers(size_t **out, size_t n)
{
    TRY(REGRET_NEW(out, n));
    memset(*out, 0xFF, n * sizeof **out); /* NOWHERE */
    return REGRET_OK;
}

int match_things(struct pool_match *m)
{
    TRY(new_numbers(&m->context_to, m->more->n_contexts));
    TRY(new_numbers(&m->agent_to, m->more->n_agents));
    TRY(new_numbers(&m->output_to, m->more->n_outputs));
    TRY(new_numbers(&m->context_from, m->pool->n_contexts));
    TRY(new_numbers(&m->output_from, m->pool->n_outputs));
    TRY(REGRET_NEW(&m->ids, m->more->n_contexts));
    TRY(REGRET_NEW(&m->agent_ids, m->more->n_agents));
    TRY(match_contexts(m));
    TRY(match_agents(m));
    TRY(match_outputs(m));
    TRY(check_values(m, 0));
    TRY(check_values(m, 1));
    TRY(check_columns(m, 0));
    return check_columns(m, 1);
}

void match_free(struct pool_match *m)
{
    regret_free(m->values.in_pool);
    regret_free(m->values.in_more);
    regret_free(m->columns.in_pool);
    regret_free(m->columns.in_more);
    regret_free(m->context_to);
    regret_free(m->agent_to);
    regret_free(m->context_from);
    regret_free(m->output_from);
    regret_free(m->output_to);
    texts_free(m->ids, m->more->n_contexts);
    texts_free(m->agent_ids, m->more->n_agents);
}
