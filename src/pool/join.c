#include "pool/join.h"

#include <string.h>

#include "base/status.h"
#include "pool/internal.h"
#include "pool/memory.h"
#include "pool/read.h"
#include "pool/write.h"
#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/status.h"

#define REGRET_POOL_JOIN_OPTIONS_INIT                                                              \
    {                                                                                              \
        0, 0, 0, REGRET_JOIN_COSTS_REFUSE                                                          \
    }

/* ---- values and columns by the names of both ---- */

/* Output `o` gets the values of the joined pool: of its own, or else of the same output in the other pool. */
static int lay_values(struct regret_output *o, const struct joined_names *names, const size_t *in,
                      const double *other, const size_t *in_other)
{
    double *values = NULL;
    TRY(REGRET_NEW(&values, names->n));
    for (size_t k = 0; k < names->n; k++) {
        if (in[k] != NOWHERE) {
            values[k] = o->values[in[k]];
        } else if (other != NULL && in_other != NULL) { /* one of both has it */
            values[k] = other[in_other[k]];
        }
    }
    regret_free(o->values);
    o->values = values;
    return REGRET_OK;
}

static size_t n_values(const struct regret_pool *pool)
{
    return pool->n_components + pool->n_counts + pool->n_aux;
}

static int lay_all_values(const struct pool_match *m, struct regret_pool *pool,
                          struct regret_pool *more)
{
    const struct joined_names *names = &m->values;
    int is_laid = names_are_those(names, names->in_pool, n_values(pool));
    for (size_t i = 0; i < pool->n_outputs && !is_laid; i++) {
        size_t other = m->output_from[i];
        TRY(lay_values(&pool->outputs[i], names, names->in_pool,
                       other != NOWHERE ? more->outputs[other].values : NULL, names->in_more));
    }
    is_laid = names_are_those(names, names->in_more, n_values(more));
    for (size_t i = 0; i < more->n_outputs && !is_laid; i++) {
        if (m->output_to[i] == NOWHERE) {
            TRY(lay_values(&more->outputs[i], names, names->in_more, NULL, NULL));
        }
    }
    return REGRET_OK;
}

/* Moves the covariates of a context into `to`, of the joined pool. */
static void move_covariates(struct regret_covariate *to, const struct joined_names *names,
                            struct regret_covariate *own, const size_t *in,
                            struct regret_covariate *other, const size_t *in_other)
{
    for (size_t j = 0; j < names->n; j++) {
        struct regret_covariate *from = in[j] != NOWHERE ? own : other;
        size_t at = in[j] != NOWHERE ? in[j] : in_other[j];
        if (from != NULL) { /* a pool that has the column has it of every context */
            to[j] = from[at];
            from[at].word = NULL;
        }
    }
}

/* ---- the header ---- */

/* 1 where the segments are what regret_pool_default_segments() makes. */
static int has_default_segments(int *out, const struct regret_pool *pool)
{
    struct regret_pool scratch = {.components = pool->components,
                                  .n_components = pool->n_components};
    size_t bytes = pool->n_components * sizeof(double);
    TRY(regret_pool_default_segments(&scratch));
    *out = scratch.n_segments == pool->n_segments;
    for (size_t s = 0; *out && s < pool->n_segments; s++) {
        *out = strcmp(pool->segments[s].name, scratch.segments[s].name) == 0 &&
               memcmp(pool->segments[s].weights, scratch.segments[s].weights, bytes) == 0;
    }
    scratch.components = NULL; /* the pool's */
    pool_free_values(&scratch);
    return REGRET_OK;
}

/* Weights by the joined components, 0 on new ones. *lost is 1 where weight lay on one that is left out. */
static int lay_weights(int *lost, struct regret_segment *segment, const struct pool_match *m)
{
    double *weights = NULL;
    size_t kept = 0, all = 0;
    TRY(REGRET_NEW(&weights, m->n_components));
    for (size_t k = 0; k < m->pool->n_components; k++) {
        all += segment->weights[k] > 0.0;
    }
    for (size_t k = 0; k < m->n_components; k++) {
        size_t before = m->values.in_pool[k];
        weights[k] = before != NOWHERE ? segment->weights[before] : 0.0;
        kept += weights[k] > 0.0;
    }
    regret_free(segment->weights);
    segment->weights = weights;
    *lost |= kept < all;
    return REGRET_OK;
}

/* Moves n names of the joined pool, of components, counts, labels or columns alike, which are elements of `size` bytes
 * that begin with their name: to what they are in the joined pool from what they were in either. What is left out is
 * freed. `first` is the number of the first of them among the joined names, and before_* among those of the pools. */
struct elements {
    void **array;
    size_t *n, size;
    void *other;
    size_t first, joined, before_pool, before_more;
};

static char *element(const struct elements *e, void *array, size_t i)
{
    return (char *)array + i * e->size;
}

static int lay_elements(const struct elements *e, const struct joined_names *names)
{
    static char *const MOVED = NULL; /* in the place of the name */
    void *fresh = NULL;
    TRY(regret_calloc(&fresh, e->joined, e->size, "the names of a joined pool"));
    for (size_t k = 0; k < e->joined; k++) {
        size_t at = names->in_pool[e->first + k];
        char *from = at != NOWHERE
                         ? element(e, *e->array, at - e->before_pool)
                         : element(e, e->other, names->in_more[e->first + k] - e->before_more);
        memcpy(element(e, fresh, k), from, e->size);
        memcpy(from, &MOVED, sizeof MOVED);
    }
    for (size_t k = 0; k < *e->n; k++) {
        char *name = NULL;
        memcpy(&name, element(e, *e->array, k), sizeof name);
        regret_free(name);
    }
    regret_free(*e->array);
    *e->array = fresh;
    *e->n = e->joined;
    return REGRET_OK;
}

/* Components, counts and labels, and the segments by them. */
static int lay_header(int *renewed, const struct pool_match *m, struct regret_pool *pool,
                      struct regret_pool *more)
{
    size_t nc = pool->n_components, mc = more->n_components;
    const struct elements parts[] = {
        {(void **)&pool->components, &pool->n_components, sizeof *pool->components,
         more->components, 0, m->n_components, 0, 0},
        {(void **)&pool->counts, &pool->n_counts, sizeof *pool->counts, more->counts,
         m->n_components, m->n_counts, nc, mc},
        {(void **)&pool->aux, &pool->n_aux, sizeof *pool->aux, more->aux,
         m->n_components + m->n_counts, m->n_aux, nc + pool->n_counts, mc + more->n_counts}};
    int same = m->n_components == nc;
    for (size_t k = 0; k < m->n_components; k++) {
        same &= m->values.in_pool[k] == k;
    }
    TRY(same ? REGRET_OK : has_default_segments(renewed, pool));
    for (size_t s = 0; s < pool->n_segments && !same; s++) {
        TRY(lay_weights(renewed, &pool->segments[s], m));
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        TRY(lay_elements(&parts[i], &m->values));
    }
    return *renewed ? regret_pool_default_segments(pool) : REGRET_OK;
}

/* Nothing fails once the first context has changed: how many covariates one has is known by the pool alone. */
static int lay_columns(const struct pool_match *m, struct regret_pool *pool,
                       struct regret_pool *more)
{
    const struct joined_names *names = &m->columns;
    size_t before = pool->n_columns, before_more = more->n_columns;
    size_t n = pool->n_contexts, all = n + more->n_contexts;
    const struct elements columns = {(void **)&pool->columns,
                                     &pool->n_columns,
                                     sizeof *pool->columns,
                                     more->columns,
                                     0,
                                     names->n,
                                     0,
                                     0};
    struct regret_covariate **fresh = NULL;
    int rc;
    if (names_are_those(names, names->in_pool, before) &&
        names_are_those(names, names->in_more, before_more)) {
        return REGRET_OK;
    }
    TRY_CLEANUP(REGRET_NEW(&fresh, all));
    for (size_t i = 0; i < all && names->n > 0; i++) {
        TRY_CLEANUP(REGRET_NEW(&fresh[i], names->n));
    }
    TRY_CLEANUP(lay_elements(&columns, names));
    for (size_t i = 0; i < all; i++) {
        struct regret_context *own = i < n ? &pool->contexts[i] : &more->contexts[i - n];
        size_t other = i < n ? m->context_from[i] : NOWHERE;
        if (i >= n && m->context_to[i - n] < n) {
            continue; /* it stays in `more` */
        }
        move_covariates(fresh[i], names, own->columns, i < n ? names->in_pool : names->in_more,
                        other != NOWHERE ? more->contexts[other].columns : NULL, names->in_more);
        pool_free_covariates(own->columns, i < n ? before : before_more);
        own->columns = fresh[i];
        fresh[i] = NULL;
    }
cleanup:
    for (size_t i = 0; fresh != NULL && i < all; i++) {
        regret_free(fresh[i]);
    }
    regret_free(fresh);
    return rc;
}

/* ---- contexts, agents, outputs ---- */

static void move_text(char **to, char **from)
{
    if (*to == NULL) {
        *to = *from;
        *from = NULL;
    }
}

static int join_contexts(const struct pool_match *m, struct regret_pool *pool,
                         struct regret_pool *more)
{
    size_t n = pool->n_contexts;
    TRY(regret_realloc((void **)&pool->contexts, n + m->new_contexts, sizeof *pool->contexts,
                       "the contexts of a joined pool"));
    for (size_t y = 0; y < more->n_contexts; y++) {
        struct regret_context *from = &more->contexts[y], *to = &pool->contexts[m->context_to[y]];
        if (m->context_to[y] < n) {
            move_text(&to->tag, &from->tag);
            move_text(&to->title, &from->title);
            continue;
        }
        if (m->ids[y] != NULL) {
            move_text(&from->title, &from->id); /* people know it by that */
            regret_free(from->id);
            from->id = m->ids[y];
            m->ids[y] = NULL;
        }
        *to = *from;
        *from = (struct regret_context){NULL, NULL, NULL, NULL, NULL};
        pool->n_contexts++;
    }
    return REGRET_OK;
}

/* Costs of agents that both have, as means over the outputs of the pool and the new ones of `more`. */
static int mean_costs(const struct pool_match *m, struct regret_pool *pool,
                      const struct regret_pool *more)
{
    FREED size_t *here = NULL, *there = NULL;
    TRY(REGRET_NEW(&here, pool->n_agents));
    TRY(REGRET_NEW(&there, more->n_agents));
    for (size_t i = 0; i < pool->n_outputs; i++) {
        here[pool->outputs[i].agent]++;
    }
    for (size_t i = 0; i < more->n_outputs; i++) {
        there[more->outputs[i].agent] += m->output_to[i] == NOWHERE;
    }
    for (size_t b = 0; b < more->n_agents; b++) {
        size_t a = m->agent_to[b];
        double n = a < pool->n_agents ? (double)(here[a] + there[b]) : 0.0;
        if (n > 0.0 && pool->agents[a].cost != more->agents[b].cost) {
            double share = (double)there[b] / n;
            pool->agents[a].cost =
                (1.0 - share) * pool->agents[a].cost + share * more->agents[b].cost;
        }
    }
    return REGRET_OK;
}

static int join_agents(const struct pool_match *m, struct regret_pool *pool,
                       struct regret_pool *more)
{
    size_t n = pool->n_agents;
    TRY(m->options->costs == REGRET_JOIN_COSTS_MEAN ? mean_costs(m, pool, more) : REGRET_OK);
    TRY(regret_realloc((void **)&pool->agents, n + m->new_agents, sizeof *pool->agents,
                       "the agents of a joined pool"));
    for (size_t b = 0; b < more->n_agents; b++) {
        if (m->agent_to[b] >= n) {
            struct regret_agent *from = &more->agents[b];
            if (m->agent_ids[b] != NULL) {
                move_text(&from->title, &from->id); /* people know it by that */
                regret_free(from->id);
                from->id = m->agent_ids[b];
                m->agent_ids[b] = NULL;
            }
            pool->agents[pool->n_agents++] = more->agents[b];
            more->agents[b] = (struct regret_agent){NULL, NULL, 0.0};
        }
    }
    return REGRET_OK;
}

/* They stand behind those of the pool until regret_pool_check() sorts them. */
static int join_outputs(const struct pool_match *m, struct regret_pool *pool,
                        struct regret_pool *more)
{
    size_t n = pool->n_outputs, next = n;
    TRY(regret_realloc((void **)&pool->outputs, n + more->n_outputs - m->same_outputs,
                       sizeof *pool->outputs, "the outputs of a joined pool"));
    for (size_t i = 0; i < more->n_outputs; i++) {
        struct regret_output *o = &more->outputs[i];
        if (m->output_to[i] != NOWHERE) {
            continue;
        }
        size_t x = m->context_to[o->context], a = m->agent_to[o->agent];
        size_t draws = m->options->draws ? match_draws(pool, x, a) : 0;
        pool->outputs[next++] = (struct regret_output){
            (uint32_t)x, (uint32_t)a, o->draw + (uint32_t)draws, o->text, o->values};
        o->text = NULL;
        o->values = NULL;
    }
    pool->n_outputs = next;
    return REGRET_OK;
}

/* ---- what is said of a pool ---- */

/* 1 where `part` is one of the texts of a list with "; " between them. */
static int is_listed(const char *list, const char *part)
{
    size_t n = strlen(part);
    while (!(strncmp(list, part, n) == 0 && (list[n] == '\0' || strncmp(list + n, "; ", 2) == 0))) {
        list = strstr(list, "; ");
        if (list == NULL) {
            return 0;
        }
        list += 2;
    }
    return 1;
}

/* A licence or a source: of both, "A; B". */
static int join_words(char **words, const char *more)
{
    FREED_BY(regret_buffer_free) struct regret_buffer both = REGRET_BUFFER_INIT;
    char *joined = NULL;
    if (more == NULL || more[0] == '\0' || (*words != NULL && is_listed(*words, more))) {
        return REGRET_OK;
    }
    regret_buffer_append(&both, *words != NULL ? *words : "");
    regret_buffer_append(&both, both.length > 0 ? "; " : "");
    regret_buffer_append(&both, more);
    TRY(regret_buffer_status(&both));
    TRY(regret_strdup(&joined, regret_buffer_get(&both)));
    regret_free(*words);
    *words = joined;
    return REGRET_OK;
}

/* Those steps of `more` that the pool lacks, in their order. */
static int join_history(struct regret_pool *pool, struct regret_pool *more)
{
    size_t n = pool->n_history;
    TRY(regret_realloc((void **)&pool->history, n + more->n_history, sizeof *pool->history,
                       "the history of a joined pool"));
    for (size_t i = 0; i < more->n_history; i++) {
        size_t k = 0;
        while (k < n && !pool_same_step(&pool->history[k], &more->history[i])) {
            k++;
        }
        if (k == n) {
            pool->history[pool->n_history++] = more->history[i];
            more->history[i] = (struct regret_pool_step){0};
        }
    }
    return REGRET_OK;
}

static int join(struct regret_pool_joined *joined, const struct pool_match *m,
                struct regret_pool *pool, struct regret_pool *more)
{
    size_t before = pool->n_components + pool->n_counts + pool->n_aux + pool->n_columns;
    size_t before_more = more->n_components + more->n_counts + more->n_aux + more->n_columns;
    joined->contexts = m->new_contexts;
    joined->agents = m->new_agents;
    joined->outputs = more->n_outputs - m->same_outputs;
    joined->same = m->same_outputs;
    joined->renamed = m->renamed;
    joined->renamed_agents = m->renamed_agents;
    if (m->options->common) {
        joined->left_out = before + before_more - 2 * (m->values.n + m->columns.n);
    } else {
        joined->components = m->n_components - pool->n_components;
    }
    TRY(lay_all_values(m, pool, more));
    TRY(lay_header(&joined->default_segments, m, pool, more));
    TRY(lay_columns(m, pool, more));
    TRY(join_agents(m, pool, more));
    TRY(join_contexts(m, pool, more));
    TRY(join_outputs(m, pool, more));
    TRY(join_words(&pool->licence, more->licence));
    TRY(join_words(&pool->source, more->source));
    TRY(join_history(pool, more));
    pool->synthetic |= more->synthetic;
    pool->digest[0] = '\0';
    return regret_pool_check(pool);
}

int regret_pool_join(struct regret_pool_joined *out, struct regret_pool *pool,
                     struct regret_pool *more, const struct regret_pool_join_options *options)
{
    static const struct regret_pool_join_options PRESET = REGRET_POOL_JOIN_OPTIONS_INIT;
    struct pool_match m = {
        .pool = pool, .more = more, .options = options != NULL ? options : &PRESET};
    struct regret_pool_joined joined = {0};
    int rc;
    TRY_CLEANUP(match_names(&m));
    TRY_CLEANUP(match_things(&m));
    TRY_CLEANUP(join(&joined, &m, pool, more));
    if (out != NULL) {
        *out = joined;
    }
cleanup:
    match_free(&m);
    return rc;
}

/* Names of values and columns that either pool has, or both. */

typedef const char *name_at(const struct regret_pool *pool, size_t k);

static const char *column_name(const struct regret_pool *pool, size_t k)
{
    return pool->columns[k].name;
}

/* A run of names of a pool: its k-th is `name(pool, first + k)`. */
struct run {
    const struct regret_pool *pool;
    name_at *name;
    size_t first, n;
};

static size_t find(const struct run *in, const char *name)
{
    for (size_t k = 0; k < in->n; k++) {
        if (strcmp(in->name(in->pool, in->first + k), name) == 0) {
            return in->first + k;
        }
    }
    return NOWHERE;
}

static void names_put(struct joined_names *names, size_t in_pool, size_t in_more)
{
    names->in_pool[names->n] = in_pool;
    names->in_more[names->n++] = in_more;
}

/* The names of `a`, then those that only `b` has; with `common` those of both. Returns how many. */
static size_t unite(struct joined_names *names, const struct run *a, const struct run *b,
                    int common)
{
    size_t before = names->n;
    for (size_t k = 0; k < a->n; k++) {
        size_t other = find(b, a->name(a->pool, a->first + k));
        if (other != NOWHERE || !common) {
            names_put(names, a->first + k, other);
        }
    }
    for (size_t k = 0; k < b->n && !common; k++) {
        if (find(a, b->name(b->pool, b->first + k)) == NOWHERE) {
            names_put(names, NOWHERE, b->first + k);
        }
    }
    return names->n - before;
}

static int make_room(struct joined_names *names, size_t n)
{
    TRY(REGRET_NEW(&names->in_pool, n));
    return REGRET_NEW(&names->in_more, n);
}

static int check_ranges(const struct pool_match *m)
{
    for (size_t k = 0; k < m->n_components; k++) {
        if (m->values.in_pool[k] == NOWHERE || m->values.in_more[k] == NOWHERE) {
            continue;
        }
        const struct regret_component *a = &m->pool->components[m->values.in_pool[k]];
        const struct regret_component *b = &m->more->components[m->values.in_more[k]];
        if (a->low != b->low || a->high != b->high) {
            return regret_fail(REGRET_E_INPUT,
                               "component \"%s\" is scored from %.15g to %.15g here and from %.15g "
                               "to %.15g in pool \"%s\"; bring both to one range, or give one "
                               "another name",
                               b->name, b->low, b->high, a->low, a->high, m->pool->name);
        }
    }
    return REGRET_OK;
}

static int check_kinds(const struct pool_match *m)
{
    for (size_t j = 0; j < m->columns.n; j++) {
        size_t a = m->columns.in_pool[j], b = m->columns.in_more[j];
        if (a != NOWHERE && b != NOWHERE && m->pool->columns[a].kind != m->more->columns[b].kind) {
            return regret_fail(REGRET_E_INPUT,
                               "column \"%s\" is a %s here and a %s in pool \"%s\"; declare it "
                               "alike in both",
                               m->more->columns[b].name,
                               regret_column_kind_name(m->more->columns[b].kind),
                               regret_column_kind_name(m->pool->columns[a].kind), m->pool->name);
        }
    }
    return REGRET_OK;
}

int match_names(struct pool_match *m)
{
    const struct regret_pool *a = m->pool, *b = m->more;
    size_t counts_a = a->n_components, counts_b = b->n_components;
    size_t aux_a = counts_a + a->n_counts, aux_b = counts_b + b->n_counts;
    const struct run runs[4][2] = {
        {{a, regret_pool_value_name, 0, a->n_components},
         {b, regret_pool_value_name, 0, b->n_components}},
        {{a, regret_pool_value_name, counts_a, a->n_counts},
         {b, regret_pool_value_name, counts_b, b->n_counts}},
        {{a, regret_pool_value_name, aux_a, a->n_aux},
         {b, regret_pool_value_name, aux_b, b->n_aux}},
        {{a, column_name, 0, a->n_columns}, {b, column_name, 0, b->n_columns}}};
    int common = m->options->common;
    TRY(make_room(&m->values, aux_a + a->n_aux + aux_b + b->n_aux));
    TRY(make_room(&m->columns, a->n_columns + b->n_columns));
    m->n_components = unite(&m->values, &runs[0][0], &runs[0][1], common);
    m->n_counts = unite(&m->values, &runs[1][0], &runs[1][1], common);
    m->n_aux = unite(&m->values, &runs[2][0], &runs[2][1], common);
    (void)unite(&m->columns, &runs[3][0], &runs[3][1], common);
    if (m->n_components == 0) {
        return regret_fail(REGRET_E_INPUT,
                           "has no component that pool \"%s\" has, which --common would keep; its "
                           "first is \"%s\", and that of the pool is \"%s\"",
                           a->name, b->components[0].name, a->components[0].name);
    }
    TRY(check_ranges(m));
    return check_kinds(m);
}

int names_are_those(const struct joined_names *names, const size_t *in, size_t n)
{
    size_t k = 0;
    while (k < names->n && in[k] == k) {
        k++;
    }
    return names->n == n && k == n;
}
