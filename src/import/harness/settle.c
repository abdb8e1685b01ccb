/* Which answers are kept, two runs of one agent, and the pool that is made of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/try.h"
#include "import/harness/harness_parts.h"
#include "regret/alloc.h"

/* ---------------------------------------------------------------- what is left out */

static int is_worst(const struct harness *h, const struct harness_kept *a)
{
    return a->state == HARNESS_FAILED
               ? h->options->failed == HARNESS_FAILED_WORST
               : a->state == HARNESS_TRUNCATED && h->options->truncated == HARNESS_TRUNCATED_WORST;
}

static enum harness_fate fate_of(const struct harness *h, const struct harness_kept *a)
{
    if (a->state == HARNESS_FAILED && h->options->failed == HARNESS_FAILED_OUT) {
        return HARNESS_LEFT_FAILED;
    }
    if (a->state == HARNESS_TRUNCATED && h->options->truncated == HARNESS_TRUNCATED_OUT) {
        return HARNESS_LEFT_TRUNCATED;
    }
    for (size_t k = 0; k < h->n_components && !is_worst(h, a); k++) {
        if (isnan(harness_value(h, a, &h->component[k]))) {
            return HARNESS_LEFT_UNSCORED;
        }
    }
    return HARNESS_KEPT;
}

/* By request, agent, run (in the order in which they came), repeat. */
static int by_place(const void *left, const void *right)
{
    const struct harness_kept *const *a = left, *const *b = right;
    const uint32_t x[] = {(*a)->request, (*a)->agent, (*a)->run, (*a)->repeat};
    const uint32_t y[] = {(*b)->request, (*b)->agent, (*b)->run, (*b)->repeat};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
        if (x[i] != y[i]) {
            return x[i] < y[i] ? -1 : 1;
        }
    }
    return (*a > *b) - (*a < *b);
}

static int refuse_second(const struct harness *h, const struct harness_kept *a,
                         const struct harness_kept *b)
{
    const struct regret_place first = harness_at(h, a->at);
    return regret_json_error(harness_at(h, b->at),
                             "\"%.80s\" has answered request \"%.80s\" before, in %s:%zu; read one "
                             "of the two runs, or say "
                             "--runs last or --runs draws",
                             h->agents.name[a->agent], h->requests[a->request].id, first.file,
                             first.line);
}

/* The n answers of one agent to one request. */
static int settle_pair(struct harness *h, struct harness_kept **a, size_t n)
{
    for (size_t i = 1; i < n && h->options->runs != HARNESS_RUNS_DRAWS; i++) {
        if (a[i]->run == a[i - 1]->run && a[i]->repeat != a[i - 1]->repeat) {
            continue;
        }
        if (h->options->runs == HARNESS_RUNS_REFUSE) {
            return refuse_second(h, a[i - 1], a[i]);
        }
        for (size_t j = i; j-- > 0;) { /* all before, or the same repeat once more */
            if (a[j]->run != a[i]->run || a[j]->repeat == a[i]->repeat) {
                a[j]->fate = HARNESS_LEFT_RUN;
            }
        }
    }
    return REGRET_OK;
}

static int settle_runs(struct harness *h, struct harness_kept **order, size_t n)
{
    if (n > 0) {
        /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
        qsort(order, n, sizeof *order, by_place);
    }
    for (size_t i = 0, length; i < n; i += length) {
        for (length = 1; i + length < n && order[i + length]->request == order[i]->request &&
                         order[i + length]->agent == order[i]->agent;) {
            length++;
        }
        TRY(settle_pair(h, order + i, length));
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- the pool */

void harness_task_name(struct regret_buffer *out, const struct harness *h, uint32_t task)
{
    const struct harness_task *t = &h->tasks[task];
    size_t versions = 0;
    for (size_t i = 0; i < h->n_tasks; i++) {
        versions += h->tasks[i].name == t->name;
    }
    regret_buffer_append(out, t->name != NAMES_NONE ? h->names.name[t->name] : "");
    if (versions > 1) {
        regret_buffer_printf(out, "%s%s", t->name != NAMES_NONE ? ":" : "",
                             t->version != NAMES_NONE ? h->versions.name[t->version] : "none");
    }
}

/* The tag of a request's context: its task, and the number of a further text behind it. */
static void append_tag(struct regret_buffer *out, const struct harness *h,
                       const struct harness_request *r)
{
    harness_task_name(out, h, r->task);
    if (r->version > 0) {
        regret_buffer_printf(out, ":%u", (unsigned)r->version + 1);
    }
}

/* "TASK:ID" where there are tasks; the number of a further text behind it. */
static int enter_context(struct harness *h, uint32_t request, struct regret_buffer *name)
{
    struct harness_request *r = &h->requests[request];
    const struct regret_place at = harness_at(h, r->at);
    int differs = 0;
    regret_buffer_clear(name);
    append_tag(name, h, r);
    regret_buffer_append(name, name->length > 0 ? ":" : "");
    regret_buffer_append(name, r->id);
    TRY(regret_buffer_status(name));
    TRY(import_enter(&r->context, &h->b.contexts, regret_buffer_get(name), request, at));
    struct import_entry *context = &h->b.contexts.entry[r->context];
    context->text = r->text;
    context->reference = r->reference;
    regret_buffer_clear(name);
    append_tag(name, h, r);
    TRY(regret_buffer_status(name));
    return import_set_tag(&differs, context, regret_buffer_get(name), at);
}

static int add_row(struct harness *h, struct harness_kept *a, size_t number)
{
    struct import_row row = {.number = number, .context = h->requests[a->request].context};
    int rc;
    TRY_CLEANUP(import_enter(&row.agent, &h->b.agents, h->agents.name[a->agent], number,
                             harness_at(h, a->at)));
    TRY_CLEANUP(REGRET_NEW(&row.values, h->n_components));
    for (size_t k = 0; k < h->n_components; k++) {
        const struct harness_component *c = &h->component[k];
        double value = harness_value(h, a, c);
        row.values[k] = is_worst(h, a) ? c->low : c->is_lower ? c->low + (c->high - value) : value;
    }
    if (a->output == NULL) {
        TRY_CLEANUP(
            import_text(&a->output, &h->b, h->is_without_text ? h->agents.name[a->agent] : ""));
    }
    row.text = a->output;
    return import_add_row(&h->b, &row);
cleanup:
    regret_free(row.values);
    return rc;
}

/* Contexts in the order in which their requests came, each when its first answer that is kept does. */
static int add_rows(struct harness *h, struct harness_kept **order, size_t n)
{
    FREED_BY(regret_buffer_free) struct regret_buffer name = REGRET_BUFFER_INIT;
    const struct harness_kept *before = NULL;
    for (size_t i = 0; i < n; i++) {
        struct harness_kept *a = order[i];
        h->fates[a->fate]++;
        if (a->fate != HARNESS_KEPT) {
            continue;
        }
        struct harness_task *task = &h->tasks[h->requests[a->request].task];
        int is_new = before == NULL || before->request != a->request;
        TRY(is_new ? enter_context(h, a->request, &name) : REGRET_OK);
        TRY(add_row(h, a, i));
        task->requests += is_new;
        task->pairs += is_new || before->agent != a->agent;
        task->outputs++;
        h->truncated += a->state == HARNESS_TRUNCATED;
        h->failed_worst += a->state == HARNESS_FAILED;
        before = a;
    }
    return REGRET_OK;
}

/* Means of answers' costs; 1 for all where one has neither: nobody knows whether it is cheap or dear. */
static void set_costs(struct harness *h)
{
    int all = 1, any = 0;
    for (size_t i = 0; i < h->b.agents.n; i++) {
        struct import_entry *e = &h->b.agents.entry[i];
        const struct harness_cost *c = &h->cost[names_find(&h->agents, e->given)];
        e->cost = c->sum;
        e->costs = c->n;
        all = all && e->costs > 0;
        any = any || e->costs > 0;
    }
    for (size_t i = 0; i < h->b.agents.n && !all; i++) {
        h->b.agents.entry[i].costs = 0;
    }
    h->costs_are_partly_known = any && !all;
}

static int describe_components(struct harness *h)
{
    struct regret_pool *pool = h->b.pool;
    TRY(REGRET_NEW(&pool->components, h->n_components));
    for (size_t k = 0; k < h->n_components; k++) {
        const struct harness_component *c = &h->component[k];
        TRY(regret_strdup(&pool->components[k].name, c->name));
        pool->components[k].low = c->low;
        pool->components[k].high = c->high;
        pool->components[k].is_turned = c->is_lower;
        pool->n_components++;
    }
    return regret_pool_default_segments(pool);
}

static int make_pool(struct harness *h, struct harness_kept **order)
{
    size_t n = 0;
    h->is_without_text = 1;
    for (size_t i = 0; i < h->n_answers; i++) {
        struct harness_kept *a = &h->answers[i];
        a->fate = (unsigned char)fate_of(h, a);
        h->fates[a->fate] += a->fate != HARNESS_KEPT;
        if (a->fate == HARNESS_KEPT) {
            order[n++] = a;
            h->is_without_text = h->is_without_text && a->output == NULL;
        }
    }
    if (n == 0) {
        return regret_fail(
            REGRET_E_INPUT, "none of %zu answers is of use: %zu failed, %zu lack a score",
            h->n_answers, h->fates[HARNESS_LEFT_FAILED], h->fates[HARNESS_LEFT_UNSCORED]);
    }
    TRY(harness_measure(h));
    TRY(settle_runs(h, order, n));
    TRY(add_rows(h, order, n));
    set_costs(h);
    TRY(describe_components(h));
    TRY(import_settle_repeats(&h->b, REGRET_REPEATS_DRAWS, NULL, NULL));
    TRY(import_number_draws(&h->b));
    return import_build(&h->b);
}

int harness_settle(struct harness *h)
{
    FREED struct harness_kept **order = NULL;
    TRY(harness_check_choices(h));
    TRY(harness_choose(h));
    TRY(REGRET_NEW(&order, h->n_answers));
    return make_pool(h, order);
}
