/* What becomes of an import, for people: the table of a dry run and of the report, and the card. */
#include <string.h>
#include <sys/stat.h>

#include "base/core/try.h"
#include "base/files/output.h"
#include "base/text/escape.h"
#include "import/build/kept_config.h"
#include "import/build/practice.h"
#include "import/build/provenance.h"
#include "import/harness/harness_parts.h"
#include "pool/files/write.h"
#include "regret/alloc.h"
#include "regret/file.h"

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

/* A run of the pool, in words for a shell. */
static void put_next(struct regret_buffer *out, const char *to, int edited)
{
    if (edited) {
        kept_config_say(out, to, CONFIG);
        regret_buffer_append(out, "Next:\n\n");
    } else {
        shell_path(out, "\nWrote ", to, "/config.json");
        regret_buffer_append(out, ", too. Next:\n\n");
    }
    shell_path(out, "  regret run ", to, "/config.json");
    shell_path(out, " -o ", to, "-run");
    shell_path(out, "\n  regret recommend ", to, "-run");
    regret_buffer_append_char(out, '\n');
}

int harness_finish(struct harness *h, const struct importer_call *call, const char *name,
                   const char *title, const char *card)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    struct regret_pool *pool = h->b.pool;
    int edited = 0;
    TRY(regret_strdup(&pool->name, h->options->name != NULL ? h->options->name : name));
    TRY(regret_strdup(&pool->title, title));
    TRY(harness_settle(h));
    put_report(call->report, h, call->name);
    if (call->to != NULL) {
        TRY(record(h, name, call->date));
        TRY(put_card(&text, h, title, card));
        TRY(write_pool(&edited, h, call, regret_buffer_get(&text)));
        put_next(call->report, call->to, edited);
    }
    TRY(import_finish(&h->b, call->into, NULL, NULL, 0));
    return regret_buffer_status(call->report);
}
