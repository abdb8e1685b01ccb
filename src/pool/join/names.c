/* Names of values and columns that either pool has, or both. */
#include <string.h>

#include "base/core/try.h"
#include "pool/join/match.h"
#include "regret/alloc.h"

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

static void put(struct joined_names *names, size_t in_pool, size_t in_more)
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
            put(names, a->first + k, other);
        }
    }
    for (size_t k = 0; k < b->n && !common; k++) {
        if (find(a, b->name(b->pool, b->first + k)) == NOWHERE) {
            put(names, NOWHERE, b->first + k);
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
