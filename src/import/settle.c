/* What an import settles, and what it says of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/files.h"
#include "base/status.h"
#include "import/importer.h"
#include "import/internal.h"
#include "pool/write.h"
#include "regret/buffer.h"
#include "regret/status.h"

/* What becomes of an import, for people: the table of a dry run and of the report, and the card. */

enum { SHOWN = 30, NAME = 40, FILES = 100 };

/* ---------------------------------------------------------------- the report */

/* What "score" is made of. */
static void put_mains(struct regret_buffer *out, const struct harness *h)
{
    char list[400] = "";
    for (size_t i = 0; i < h->metrics.n; i++) {
        if (h->metric[i].is_main && h->metric[i].n > 0) {
            importer_remember(list, sizeof list, h->metrics.name[i]);
        }
    }
    regret_buffer_append(out, "    is of each answer its main metric: ");
    regret_buffer_append_safe(out, list, sizeof list);
    regret_buffer_append_char(out, '\n');
}

static void put_metrics(struct regret_buffer *out, const struct harness *h)
{
    regret_buffer_printf(out, "\n  %-*s %21s  %-12s %9s\n", NAME, "metric", "range", "better",
                         "outputs");
    for (size_t k = 0; k < h->n_components; k++) {
        const struct harness_component *c = &h->component[k];
        regret_buffer_append(out, "  ");
        regret_buffer_append_field(out, c->name, NAME);
        regret_buffer_printf(out, " %10.6g %10.6g  %-12s %9zu%s\n", c->low, c->high,
                             c->is_lower ? "less, turned" : "more", c->n,
                             c->is_from_data ? "  (range: that of the values)" : "");
        if (c->metric == NAMES_NONE) {
            put_mains(out, h);
        }
    }
}

static void put_tasks(struct regret_buffer *out, const struct harness *h)
{
    size_t shown = h->n_tasks < SHOWN ? h->n_tasks : SHOWN;
    struct regret_buffer name = REGRET_BUFFER_INIT;
    regret_buffer_printf(out, "\n  %-*s %9s %9s %9s\n", NAME, "task", "requests", "outputs",
                         "holes");
    for (size_t i = 0; i < shown; i++) {
        const struct harness_task *t = &h->tasks[i];
        regret_buffer_clear(&name);
        harness_task_name(&name, h, (uint32_t)i);
        regret_buffer_append(out, "  ");
        regret_buffer_append_field(out, name.length > 0 ? regret_buffer_get(&name) : "(none)",
                                   NAME);
        regret_buffer_printf(out, " %9zu %9zu %9zu\n", t->requests, t->outputs,
                             t->requests * h->b.pool->n_agents - t->pairs);
    }
    if (h->n_tasks > shown) {
        regret_buffer_printf(out, "  and %zu more\n", h->n_tasks - shown);
    }
    regret_buffer_free_into(out, &name);
}

/* What the pool has of an agent. */
struct tally {
    size_t answers, pairs, outputs;
    double sum; /* of the first component */
};

static struct tally tally_of(const struct harness *h, const struct import_entry *e)
{
    const struct regret_pool *pool = h->b.pool;
    struct tally t = {0};
    size_t given = names_find(&h->agents, e->given);
    for (size_t i = 0; i < h->n_answers; i++) {
        t.answers += h->answers[i].agent == given;
    }
    for (size_t i = 0; i < pool->n_outputs && e->rows > 0; i++) {
        const struct regret_output *o = &pool->outputs[i];
        if (o->agent == e->index) {
            t.pairs += o->draw == 0;
            t.outputs++;
            t.sum += o->values[0];
        }
    }
    return t;
}

static void put_agents(struct regret_buffer *out, const struct harness *h)
{
    const struct import_register *agents = &h->b.agents;
    size_t shown = agents->n < SHOWN ? agents->n : SHOWN;
    int has_costs = 0;
    for (size_t i = 0; i < agents->n; i++) {
        has_costs |= agents->entry[i].costs > 0;
    }
    regret_buffer_printf(out, "\n  %-*s %9s %9s %9s %9s %9s\n", NAME, "model", "answers", "outputs",
                         "holes", "mean", has_costs ? "cost" : "");
    for (size_t i = 0; i < shown; i++) {
        const struct import_entry *e = &agents->entry[i];
        struct tally t = tally_of(h, e);
        regret_buffer_append(out, "  ");
        regret_buffer_append_field(out, e->given, NAME);
        regret_buffer_printf(out, " %9zu %9zu %9zu %9.4g", t.answers, t.outputs,
                             h->b.pool->n_contexts - t.pairs, t.sum / (double)t.outputs);
        regret_buffer_printf(out, has_costs ? " %9.4g\n" : "\n", h->b.pool->agents[e->index].cost);
    }
    if (agents->n > shown) {
        regret_buffer_printf(out, "  and %zu more\n", agents->n - shown);
    }
}

static void put_count(struct regret_buffer *out, size_t n, const char *what, const char *names)
{
    if (n > 0) {
        regret_buffer_printf(out, "  %9zu %s", n, what);
        if (names[0] != '\0') {
            regret_buffer_append(out, ": ");
            regret_buffer_append_safe(out, names, 400);
        }
        regret_buffer_append_char(out, '\n');
    }
}

static void put_counts(struct regret_buffer *out, const struct harness *h)
{
    const struct {
        size_t n;
        const char *what, *names;
    } COUNTS[] = {
        {h->other_agents, "answers of models that were not asked for", h->other_agents_are},
        {h->other_tasks, "answers of tasks that were not asked for", h->other_tasks_are},
        {h->fates[HARNESS_LEFT_FAILED], "failed answers left out (--failed worst keeps them)", ""},
        {h->failed_worst, "failed answers count with the lowest score", ""},
        {h->fates[HARNESS_LEFT_TRUNCATED], "answers left out because they are cut short", ""},
        {h->truncated,
         h->options->truncated == HARNESS_TRUNCATED_WORST
             ? "answers are cut short and count with the lowest score"
             : "answers are cut short and kept (--truncated has other ways)",
         ""},
        {h->fates[HARNESS_LEFT_UNSCORED], "answers left out because they lack a metric", ""},
        {h->fates[HARNESS_LEFT_RUN], "answers left out because a later run counts", ""},
        {h->other_prompts, "answers whose prompt differs, by a template, from the one that is kept",
         ""},
        {h->other_tags, "answers whose tag is another one than that of their request before", ""},
        {h->costs_are_partly_known, "some models have no cost; all cost 1", ""}};
    regret_buffer_append_char(out, '\n');
    for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++) {
        put_count(out, COUNTS[i].n, COUNTS[i].what, COUNTS[i].names);
    }
    for (size_t i = 0; i < h->left_out.n; i++) {
        put_count(out, h->left[i].n, h->left_out.name[i], h->left[i].first);
    }
    char others[300];
    size_t n = harness_others(others, sizeof others, h);
    put_count(out, n, "files passed over, which this import does not read", others);
    importer_report_missing(out, h->b.pool->n_contexts, h->b.pool->n_agents, h->b.pairs);
}

static void put_report(struct regret_buffer *out, const struct harness *h, const char *pool)
{
    regret_buffer_printf(out,
                         "%s holds %zu contexts, %zu agents, %zu outputs out of %zu answers in %zu "
                         "files\n",
                         pool, h->b.pool->n_contexts, h->b.pool->n_agents, h->b.pool->n_outputs,
                         h->n_answers + h->other_agents + h->other_tasks, h->read.n);
    put_metrics(out, h);
    put_tasks(out, h);
    put_agents(out, h);
    put_counts(out, h);
}

/* ---------------------------------------------------------------- the card */

/* The import, and the digests of the files that were read, in the pool's history. */
static int record(struct harness *h, const char *name, const char *date)
{
    for (size_t i = 0; i < h->read.n; i++) {
        TRY(import_note_file(&h->b, h->read.name[i]));
    }
    return import_record(&h->b, name, date, 1);
}

static int put_file(struct regret_buffer *out, const char *path,
                    const struct regret_pool_source *source)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        return io_error("examine", path);
    }
    regret_buffer_append(out, "| ");
    markdown_escape(out, source->name);
    regret_buffer_printf(out, " | %lld | %s | %s |\n", (long long)info.st_size, source->date,
                         source->digest);
    return regret_buffer_status(out);
}

static int put_files(struct regret_buffer *out, const struct harness *h)
{
    const struct regret_pool_step *step = &h->b.pool->history[0];
    size_t shown = step->n_from < FILES ? step->n_from : FILES;
    regret_buffer_append(
        out, "\n## Files read\n\n| file | bytes | changed | XXH3-128 |\n|---|---:|---|---|\n");
    for (size_t i = 0; i < shown; i++) {
        TRY(put_file(out, h->read.name[i], &step->from[i]));
    }
    if (h->read.n > shown) {
        regret_buffer_printf(out, "\nand %zu more.\n", h->read.n - shown);
    }
    return regret_buffer_status(out);
}

static int put_card(struct regret_buffer *out, const struct harness *h, const char *title,
                    const char *card)
{
    struct regret_buffer report = REGRET_BUFFER_INIT;
    regret_buffer_printf(out, "# %s\n\n%s\n", title, card);
    regret_buffer_append(out, "\n## What was imported\n\n");
    for (size_t k = 0; k < h->n_components; k++) {
        const struct harness_component *c = &h->component[k];
        regret_buffer_append(out, "* ");
        markdown_escape(out, c->name);
        regret_buffer_printf(out, ": %.6g to %.6g%s%s\n", c->low, c->high,
                             c->is_from_data ? ", a range taken from the values" : "",
                             c->is_lower ? "; less is better, so a value v is kept as its mirror "
                                           "image in that range, low + high - v"
                                         : "");
    }
    put_report(&report, h, "This pool");
    regret_buffer_append(out, "\n```\n");
    regret_buffer_append(out, regret_buffer_get(&report));
    regret_buffer_append(out, "```\n");
    regret_buffer_free_into(out, &report);
    return put_files(out, h);
}

/* ---------------------------------------------------------------- a configuration, and what comes next */

static const char CONFIG[] = "config.json";

/* Whether what stands there is neither this configuration nor the one that the pool there came with. */
static int is_edited(int *edited, const char *to, const struct regret_buffer *config)
{
    struct regret_buffer before = REGRET_BUFFER_INIT;
    struct regret_pool *pool = NULL;
    int rc;
    TRY_CLEANUP(kept_config_differs(edited, to, CONFIG, config));
    if (!*edited) {
        goto cleanup;
    }
    rc = regret_pool_read(&pool, to);
    if (rc == REGRET_E_INPUT) { /* nobody knows what it came with */
        rc = REGRET_OK;
        goto cleanup;
    }
    TRY_CLEANUP(rc);
    const struct practice practice = practice_of(pool, ".");
    practice_config(&before, &practice);
    rc = kept_config_differs(edited, to, CONFIG, &before);
cleanup:
    regret_pool_free(pool);
    regret_buffer_free(&before);
    return rc;
}

/* Pool, card and configuration, in a folder that appears whole. */
static int write_pool(int *edited, const struct harness *h, const struct importer_call *call,
                      const char *card)
{
    struct regret_staging staging = REGRET_STAGING_INIT;
    struct regret_buffer config = REGRET_BUFFER_INIT;
    const struct practice practice = practice_of(h->b.pool, ".");
    int rc;
    practice_config(&config, &practice);
    TRY_CLEANUP(regret_staging_begin(&staging, call->to, call->replace, POOL_FILES));
    TRY_CLEANUP(is_edited(edited, call->to, &config));
    TRY_CLEANUP(pool_write_into(staging.partial, h->b.pool, card));
    TRY_CLEANUP(kept_config_write(staging.partial, CONFIG, &config, call->to, *edited));
    rc = regret_staging_commit(&staging);
cleanup:
    regret_staging_abandon(&staging);
    regret_buffer_free(&config);
    return rc;
}

/* What the pool is for, in words for a shell. */
static void put_next(struct regret_buffer *out, const char *to, int edited)
{
    if (edited) {
        kept_config_say(out, to, CONFIG);
        regret_buffer_append(out, "Next:\n\n");
    } else {
        shell_path(out, "\nWrote ", to, "/config.json");
        regret_buffer_append(out, ", too. Next:\n\n");
    }
    shell_path(out, "  regret recommend ", to, "");
    shell_path(out, "      # which agent to use\n  regret run ", to, "/config.json");
    shell_path(out, " -o ", to, "-run");
    regret_buffer_append(out, "      # families and regret\n");
}

int harness_finish(struct harness *h, const struct importer_call *call,
                   const struct import_description *description, const char *card)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    struct import_description d = *description;
    int edited = 0;
    d.name = h->options->name != NULL ? h->options->name : d.name;
    TRY(import_describe(h->b.pool, &d));
    TRY(harness_settle(h));
    put_report(call->report, h, call->name);
    if (call->to != NULL) {
        TRY(record(h, description->name, call->date));
        TRY(put_card(&text, h, d.title, card));
        TRY(write_pool(&edited, h, call, regret_buffer_get(&text)));
        put_next(call->report, call->to, edited);
    }
    TRY(import_finish(&h->b, call->into, NULL, NULL, 0));
    return regret_buffer_status(call->report);
}

/* Which answers are kept, two runs of one agent, and the pool that is made of them. */

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
    for (size_t k = 0; k < harness_values(h) && !is_worst(h, a); k++) {
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
    return import_set_tag(&differs, context,
                          name->length == 0 && r->tag != NAMES_NONE ? h->names.name[r->tag]
                                                                    : regret_buffer_get(name),
                          at);
}

static int add_row(struct harness *h, struct harness_kept *a, size_t number)
{
    struct import_row row = {.number = number, .context = h->requests[a->request].context};
    int rc;
    TRY_CLEANUP(import_enter(&row.agent, &h->b.agents, h->agents.name[a->agent], number,
                             harness_at(h, a->at)));
    TRY_CLEANUP(REGRET_NEW(&row.values, harness_values(h)));
    for (size_t k = 0; k < harness_values(h); k++) {
        const struct harness_component *c = &h->component[k];
        double value = harness_value(h, a, c);
        row.values[k] = is_worst(h, a) ? (k < h->n_components ? c->low : 0.0)
                        : c->is_lower  ? c->low + (c->high - value)
                                       : value;
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

/* What is said of agents, else means of answers' costs; 1 for all where one has neither: nobody knows whether it is cheap or dear. */
static void set_agents(struct harness *h)
{
    int all = 1, any = 0;
    for (size_t i = 0; i < h->b.agents.n; i++) {
        struct import_entry *e = &h->b.agents.entry[i];
        const struct harness_agent *a = &h->agent[names_find(&h->agents, e->given)];
        e->text = a->title;
        e->cost = isnan(a->own) ? a->sum : a->own;
        e->costs = isnan(a->own) ? a->n : 1;
        all = all && e->costs > 0;
        any = any || e->costs > 0;
    }
    for (size_t i = 0; i < h->b.agents.n && !all; i++) {
        h->b.agents.entry[i].costs = 0;
    }
    h->costs_are_partly_known = any && !all;
}

/* Which component the metric is; their number where it is none. */
static size_t find_component(const struct harness *h, uint32_t metric)
{
    size_t k = 0;
    while (k < h->n_components && h->component[k].metric != metric) {
        k++;
    }
    return k;
}

/* The weights of segments, where all that they weigh are components. */
static int describe_segments(struct harness *h)
{
    struct regret_pool *pool = h->b.pool;
    int are_there = h->n_segments > 0;
    for (size_t i = 0; i < h->n_segments; i++) {
        are_there &= find_component(h, h->segment[i].metric) < h->n_components;
    }
    if (!are_there) {
        return regret_pool_default_segments(pool);
    }
    TRY(REGRET_NEW(&pool->segments, h->n_segments));
    for (size_t i = 0; i < h->n_segments; i++) {
        const struct harness_segment *s = &h->segment[i];
        if (i == 0 || s->name != s[-1].name) {
            struct regret_segment *new = &pool->segments[pool->n_segments++];
            TRY(regret_strdup(&new->name, h->names.name[s->name]));
            TRY(REGRET_NEW(&new->weights, h->n_components));
        }
        pool->segments[pool->n_segments - 1].weights[find_component(h, s->metric)] = s->weight;
    }
    return REGRET_OK;
}

static int describe_names(char ***out, size_t *n, const struct harness_component *c, size_t most)
{
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
    TRY(REGRET_NEW(out, most));
    for (; *n < most; ++*n) {
        TRY(regret_strdup(&(*out)[*n], c[*n].name));
    }
    return REGRET_OK;
}

static int describe_values(struct harness *h)
{
    struct regret_pool *pool = h->b.pool;
    const struct harness_component *counts = h->component + h->n_components;
    TRY(REGRET_NEW(&pool->components, h->n_components));
    for (size_t k = 0; k < h->n_components; k++) {
        const struct harness_component *c = &h->component[k];
        TRY(regret_strdup(&pool->components[k].name, c->name));
        pool->components[k].low = c->low;
        pool->components[k].high = c->high;
        pool->components[k].is_turned = c->is_lower;
        pool->n_components++;
    }
    TRY(describe_names(&pool->counts, &pool->n_counts, counts, h->n_counts));
    TRY(describe_names(&pool->aux, &pool->n_aux, counts + h->n_counts, h->n_aux));
    return describe_segments(h);
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
        return harness_tell(h, regret_fail(REGRET_E_INPUT, "no answer is of use, %zu lack a score",
                                           h->fates[HARNESS_LEFT_UNSCORED]));
    }
    TRY(harness_measure(h));
    TRY(settle_runs(h, order, n));
    TRY(add_rows(h, order, n));
    set_agents(h);
    TRY(describe_values(h));
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
