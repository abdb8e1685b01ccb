#include "import/builder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "import/importer.h"
#include "pool/check.h"
#include "pool/memory.h"
#include "regret/pool.h"
#include "regret/status.h"

enum { UNIQUE = 24 }; /* bytes of what tells one id from another */

int import_begin(struct import_builder *b)
{
    *b = (struct import_builder){
        .contexts = {.what = "context",
                     .many = "contexts",
                     .row = "line",
                     .most = REGRET_POOL_MAX_CONTEXTS},
        .agents = {
            .what = "agent", .many = "agents", .row = "line", .most = REGRET_POOL_MAX_AGENTS}};
    return REGRET_NEW(&b->pool, 1);
}

void import_register_free(struct import_register *r)
{
    for (size_t i = 0; i < r->n; i++) {
        regret_free(r->entry[i].given);
        regret_free(r->entry[i].id);
        regret_free(r->entry[i].tag);
        pool_free_covariates(r->entry[i].columns, r->entry[i].n_columns);
    }
    regret_free(r->entry);
    id_table_free(&r->ids);
}

void import_free(struct import_builder *b)
{
    for (size_t i = 0; i < b->n_rows; i++) {
        import_row_clear(&b->rows[i]);
    }
    regret_free(b->rows);
    import_register_free(&b->contexts);
    import_register_free(&b->agents);
    regret_pool_free(b->pool);
    texts_free(b->files, b->n_files);
}

int import_describe(struct regret_pool *pool, const struct import_description *d)
{
    TRY(regret_strdup(&pool->name, d->name));
    TRY(regret_strdup(&pool->title, d->title));
    TRY(d->version != NULL ? regret_strdup(&pool->version, d->version) : REGRET_OK);
    TRY(d->licence != NULL ? regret_strdup(&pool->licence, d->licence) : REGRET_OK);
    return d->source != NULL ? regret_strdup(&pool->source, d->source) : REGRET_OK;
}

/* A new entry with the id, which is taken over on success. */
static int add_entry(struct import_register *r, char *id, const char *given, size_t number,
                     struct regret_place at)
{
    char *copy = NULL;
    if (r->n == r->most) {
        return regret_json_error(at, "more than %zu %s", r->most, r->many);
    }
    TRY(regret_grow((void **)&r->entry, &r->capacity, r->n, sizeof *r->entry, r->many));
    TRY(id_table_reserve(&r->ids, r->n + 1));
    TRY(regret_strdup(&copy, given));
    r->entry[r->n] = (struct import_entry){.id = id, .given = copy, .number = number};
    id_table_put(&r->ids, id, r->n++);
    return REGRET_OK;
}

static int other_name(const struct import_register *r, size_t i, const char *given,
                      struct regret_place at)
{
    const struct import_entry *e = &r->entry[i];
    return regret_json_error(at,
                             "%s \"%.60s\" would get the id \"%s\", which \"%.60s\" of %s %zu has; "
                             "rename one",
                             r->what, given, e->id, e->given, r->row, e->number);
}

/* Names that differ, and whose ids would be one, get "ID", "ID:2" and so on. */
static int make_unique(char **id, const struct import_register *r, const char *given)
{
    char *other = NULL;
    size_t i = id_table_find(&r->ids, *id), room = strlen(*id) + UNIQUE;
    if (i == SIZE_MAX || strcmp(r->entry[i].given, given) == 0) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&other, room));
    for (size_t k = 2; i != SIZE_MAX && strcmp(r->entry[i].given, given) != 0; k++) {
        snprintf(other, room, "%s:%zu", *id, k);
        i = id_table_find(&r->ids, other);
    }
    regret_free(*id);
    *id = other;
    return pool_check_id(r->what, other);
}

int import_enter(uint32_t *out, struct import_register *r, const char *given, size_t number,
                 struct regret_place at)
{
    char *id = NULL;
    int rc;
    size_t i = id_table_find(&r->ids, given);
    if (i != SIZE_MAX && strcmp(r->entry[i].given, given) == 0) { /* met before, and fit as it is */
        *out = (uint32_t)i;
        return REGRET_OK;
    }
    TRY_CLEANUP(pool_clean_id(&id, given));
    rc = pool_check_id(r->what, id);
    if (rc != REGRET_OK) {
        rc = regret_json_error(at, "%s", regret_error_message());
        goto cleanup;
    }
    TRY_CLEANUP(r->closed_by == NULL ? make_unique(&id, r, given) : REGRET_OK);
    i = id_table_find(&r->ids, id);
    if (i == SIZE_MAX && r->closed_by != NULL) {
        rc = regret_json_error(at, "%s \"%s\" is not in %s", r->what, id, r->closed_by);
    } else if (i == SIZE_MAX) {
        i = r->n;
        TRY_CLEANUP(add_entry(r, id, given, number, at));
        id = NULL;
    } else if (strcmp(r->entry[i].given, given) != 0) {
        rc = other_name(r, i, given, at);
    }
    *out = (uint32_t)i;
cleanup:
    regret_free(id);
    return rc;
}

int import_set_tag(int *differs, struct import_entry *context, const char *given,
                   struct regret_place at)
{
    *differs = 0;
    if (given[strspn(given, " \t\r\n")] == '\0') {
        return REGRET_OK;
    }
    if (pool_check_tag(given) != REGRET_OK) {
        return regret_json_error(at, "%s", regret_error_message());
    }
    *differs = context->tag != NULL && strcmp(context->tag, given) != 0;
    return context->tag == NULL ? regret_strdup(&context->tag, given) : REGRET_OK;
}

int import_text(char **out, struct import_builder *b, const char *text)
{
    return text_store_add(out, &b->pool->texts, text, strlen(text));
}

int import_add_row(struct import_builder *b, const struct import_row *row)
{
    int rc = regret_grow((void **)&b->rows, &b->capacity, b->n_rows, sizeof *b->rows, "rows");
    if (rc != REGRET_OK) {
        regret_free(row->values);
        return rc;
    }
    b->rows[b->n_rows++] = *row;
    return REGRET_OK;
}

void import_row_clear(struct import_row *row)
{
    regret_free(row->values);
    row->values = NULL;
}

static int by_id(const void *left, const void *right)
{
    const struct import_entry *a = left, *b = right;
    return natural_order(&a->id, &b->id);
}

int import_rank_agents(struct import_builder *b)
{
    struct import_register *r = &b->agents;
    uint32_t *rank = NULL; /* of each agent as numbered so far */
    TRY(REGRET_NEW(&rank, r->n));
    for (size_t a = 0; a < r->n; a++) {
        r->entry[a].index = (uint32_t)a;
    }
    if (r->n > 0) {
        qsort(r->entry, r->n, sizeof *r->entry, by_id);
    }
    id_table_clear(&r->ids);
    for (size_t a = 0; a < r->n; a++) {
        rank[r->entry[a].index] = (uint32_t)a;
        id_table_put(&r->ids, r->entry[a].id, a);
    }
    for (size_t i = 0; i < b->n_rows; i++) {
        b->rows[i].agent = rank[b->rows[i].agent];
    }
    regret_free(rank);
    return REGRET_OK;
}

static int by_pair(const void *left, const void *right)
{
    const struct import_row *a = left, *b = right;
    if (a->context != b->context) {
        return a->context < b->context ? -1 : 1;
    }
    if (a->agent != b->agent) {
        return a->agent < b->agent ? -1 : 1;
    }
    return (a->number > b->number) - (a->number < b->number);
}

/* Sorting takes memory of its own: nothing is done where the source had the order. */
static void sort_by_pair(struct import_builder *b)
{
    size_t i = 1;
    while (i < b->n_rows && by_pair(&b->rows[i - 1], &b->rows[i]) <= 0) {
        i++;
    }
    if (i < b->n_rows) {
        qsort(b->rows, b->n_rows, sizeof *b->rows, by_pair);
    }
}

static int by_text(const struct import_row *a, const struct import_row *b)
{
    return a->context != b->context ? (a->context > b->context) - (a->context < b->context)
           : a->agent != b->agent   ? (a->agent > b->agent) - (a->agent < b->agent)
                                    : strcmp(a->text, b->text);
}

/* By texts, the outputs of one text, which draws number, raters and lines. */
static int by_rating(const void *left, const void *right)
{
    const struct import_row *a = left, *b = right;
    int order = by_text(a, b);
    order = order != 0 ? order : (a->draw > b->draw) - (a->draw < b->draw);
    order = order != 0 ? order : (a->run > b->run) - (a->run < b->run);
    return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

/* The n rows of an output become the first of them. */
static void take_means(const struct regret_pool *pool, struct import_row *row, size_t n,
                       size_t n_values)
{
    for (size_t k = 0; k < n_values; k++) {
        double sum = 0.0, given = 0.0;
        for (size_t i = 0; i < n; i++) {
            int is_there = !isnan(row[i].values[k]);
            sum += is_there ? row[i].values[k] : 0.0;
            given += is_there;
        }
        row->values[k] = sum / given;                /* of none NaN */
        if (k < pool->n_components && given > 0.0) { /* not beyond by rounding */
            const struct regret_component *c = &pool->components[k];
            row->values[k] = fmin(fmax(row->values[k], c->low), c->high);
        }
    }
    for (size_t i = 1; i < n; i++) {
        row->number = row[i].number < row->number ? row[i].number : row->number;
        import_row_clear(&row[i]);
    }
}

void import_merge_ratings(size_t *merged, struct import_builder *b, size_t n_values)
{
    size_t kept = 0;
    if (b->n_rows == 0) {
        return;
    }
    qsort(b->rows, b->n_rows, sizeof *b->rows, by_rating);
    for (size_t i = 1; i < b->n_rows; i++) { /* the nth row of a rater is of the nth output */
        struct import_row *row = &b->rows[i];
        row->draw = row[-1].run == row->run && by_text(row - 1, row) == 0 ? row[-1].draw + 1 : 0;
    }
    qsort(b->rows, b->n_rows, sizeof *b->rows, by_rating);
    for (size_t i = 0, n; i < b->n_rows; i += n) {
        struct import_row *row = &b->rows[i];
        for (n = 1; i + n < b->n_rows && row[n].draw == row->draw && by_text(row, &row[n]) == 0;) {
            n++;
        }
        take_means(b->pool, row, n, n_values);
        b->rows[kept++] = *row;
        *merged += n - 1;
    }
    b->n_rows = kept;
}

/* Marks those of the n rows of a pair, in the order of their numbers, that are kept. */
static void settle_pair(struct import_row *row, size_t n, enum regret_repeats rule)
{
    size_t counts = rule == REGRET_REPEATS_LAST ? n - 1 : 0;
    for (size_t i = 0; i < n; i++) {
        row[i].kept = rule == REGRET_REPEATS_DRAWS || i == counts;
    }
}

int import_settle_repeats(struct import_builder *b, enum regret_repeats rule,
                          import_refusal *refuse, const char *path)
{
    sort_by_pair(b);
    for (size_t i = 0, n; i < b->n_rows; i += n) {
        struct import_row *row = &b->rows[i];
        for (n = 1;
             i + n < b->n_rows && row[n].context == row->context && row[n].agent == row->agent;) {
            n++;
        }
        if (n > 1 && rule == REGRET_REPEATS_REFUSE) {
            const struct import_repeat repeat = {b->contexts.entry[row->context].id,
                                                 b->agents.entry[row->agent].id, b->contexts.row,
                                                 row[0].number, row[1].number};
            return refuse(&repeat, path);
        }
        settle_pair(row, n, rule);
    }
    return REGRET_OK;
}

int import_number_draws(struct import_builder *b)
{
    struct next_draw {
        uint32_t context, draw; /* of the context given, from 1: no agent begins with one */
    } *next = NULL;
    TRY(REGRET_NEW(&next, b->agents.n));
    for (size_t i = 0; i < b->n_rows; i++) {
        struct import_row *row = &b->rows[i];
        struct next_draw *own = &next[row->agent];
        if (row->kept) {
            own->draw = own->context == row->context + 1 ? own->draw : 0;
            own->context = row->context + 1;
            row->draw = own->draw++;
        }
    }
    regret_free(next);
    return REGRET_OK;
}

/* How many outputs there are, in all, of each context and of each agent. */
static size_t count_rows(struct import_builder *b)
{
    size_t n = 0;
    for (size_t i = 0; i < b->n_rows; i++) {
        const struct import_row *row = &b->rows[i];
        n += row->kept;
        b->pairs += row->kept && row->draw == 0;
        b->contexts.entry[row->context].rows += row->kept;
        b->agents.entry[row->agent].rows += row->kept;
    }
    return n;
}

static int build_agents(struct import_builder *b)
{
    struct regret_pool *pool = b->pool;
    TRY(REGRET_NEW(&pool->agents, b->agents.n));
    for (size_t a = 0; a < b->agents.n; a++) {
        struct import_entry *e = &b->agents.entry[a];
        if (e->rows == 0) {
            continue;
        }
        struct regret_agent *agent = &pool->agents[pool->n_agents];
        e->index = (uint32_t)pool->n_agents++;
        agent->cost = e->costs > 0 ? e->cost / (double)e->costs : 1.0;
        TRY(regret_strdup(&agent->id, e->id));
        TRY(regret_strdup(&agent->title, e->text != NULL ? e->text : e->given));
    }
    return REGRET_OK;
}

static int build_contexts(struct import_builder *b)
{
    struct regret_pool *pool = b->pool;
    TRY(REGRET_NEW(&pool->contexts, b->contexts.n));
    for (size_t x = 0; x < b->contexts.n; x++) {
        struct import_entry *e = &b->contexts.entry[x];
        if (e->rows == 0) {
            continue;
        }
        struct regret_context *context = &pool->contexts[pool->n_contexts];
        e->index = (uint32_t)pool->n_contexts++;
        TRY(regret_strdup(&context->id, e->id));
        TRY(strcmp(e->given, e->id) != 0 ? regret_strdup(&context->title, e->given) : REGRET_OK);
        context->text = e->text;
        context->tag = e->tag;
        context->columns = e->columns;
        e->tag = NULL;
        e->columns = NULL;
    }
    return REGRET_OK;
}

int import_build(struct import_builder *b)
{
    struct regret_pool *pool = b->pool;
    TRY(import_rank_agents(b));
    size_t n = count_rows(b);
    TRY(build_agents(b));
    TRY(build_contexts(b));
    TRY(REGRET_NEW(&pool->outputs, n));
    for (size_t i = 0; i < b->n_rows; i++) {
        struct import_row *row = &b->rows[i];
        if (row->kept) {
            pool->outputs[pool->n_outputs++] =
                (struct regret_output){.context = b->contexts.entry[row->context].index,
                                       .agent = b->agents.entry[row->agent].index,
                                       .draw = row->draw,
                                       .text = row->text,
                                       .values = row->values};
            row->values = NULL;
        }
    }
    return regret_pool_check(pool);
}

int import_finish(struct import_builder *b, struct regret_pool **into, const char *pool_path,
                  const char *card, int replace)
{
    TRY(pool_path != NULL ? regret_pool_write(b->pool, pool_path, card, replace) : REGRET_OK);
    if (into != NULL) {
        *into = b->pool;
        b->pool = NULL;
    }
    return REGRET_OK;
}

int import_skip_row(struct import_bad_rows *bad, int rc)
{
    if (rc != REGRET_E_INPUT) {
        return rc;
    }
    if (!bad->skip) {
        return regret_fail_suffix(rc, "; --skip-bad leaves bad rows out");
    }
    bad->n++;
    if (bad->note != NULL) {
        bad->note(bad->note_context, regret_error_message());
    }
    return REGRET_OK;
}
