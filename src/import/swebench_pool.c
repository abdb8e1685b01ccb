/* The second reading of the CSV: the pool of the rows that are kept. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pool/coding_pool.h"
#include "import/import_swebench.h"
#include "import/natural_order.h"
#include "regret/alloc.h"
#include "regret/file.h"

static int describe(struct regret_pool *pool, const struct regret_swebench_options *options)
{
    const struct {
        char **to;
        const char *text;
    } strings[] = {
        {&pool->name, options->name != NULL ? options->name : "swebench"},
        {&pool->title, "SWE-bench: patches of coding agents with the outcomes of the hidden tests"},
        {&pool->version, "1"},
        {&pool->licence, "issues: MIT (SWE-bench); patches: as their authors published them"},
        {&pool->source, "SWE-bench, ICLR 2024, arXiv:2310.06770, with patches and outcomes in the "
                        "layout of BouncerBench's all_patches.csv"}};
    int rc = REGRET_OK;
    for (size_t i = 0; rc == REGRET_OK && i < sizeof strings / sizeof *strings; i++) {
        rc = regret_strdup(strings[i].to, strings[i].text);
    }
    return rc != REGRET_OK ? rc : coding_pool_describe(pool);
}

static int by_id(const void *left, const void *right)
{
    const struct regret_agent *a = left, *b = right;
    return natural_order(&a->id, &b->id);
}

/* The agents kept, in natural order. */
static int build_agents(struct regret_pool *pool, struct swebench *s)
{
    struct id_table ranks = {NULL, 0};
    int rc = REGRET_NEW(&pool->agents, s->report.agents);
    if (rc == REGRET_OK) {
        rc = id_table_init(&ranks, s->report.agents);
    }
    for (size_t a = 0; rc == REGRET_OK && a < s->n_agents; a++) {
        if (s->agents[a].kept) {
            rc = regret_strndup(&pool->agents[pool->n_agents++].id, s->agents[a].id.text,
                                s->agents[a].id.length);
        }
    }
    if (rc == REGRET_OK) {
        qsort(pool->agents, pool->n_agents, sizeof *pool->agents, by_id);
        for (size_t a = 0; a < pool->n_agents; a++) {
            id_table_put(&ranks, pool->agents[a].id, a);
        }
    }
    for (size_t a = 0; rc == REGRET_OK && a < s->n_agents; a++) {
        char *id = NULL;
        if (s->agents[a].kept) {
            rc = regret_strndup(&id, s->agents[a].id.text, s->agents[a].id.length);
            s->agents[a].index = rc == REGRET_OK ? (uint32_t)id_table_find(&ranks, id) : 0;
        }
        regret_free(id);
    }
    id_table_free(&ranks);
    return rc;
}

/* The issues with a row kept; place[x] is issue x's index in the pool. The pool takes their texts
 * over. */
static int build_contexts(struct regret_pool *pool, uint32_t *place, struct swebench *s)
{
    int rc = REGRET_NEW(&pool->contexts, s->report.contexts);
    for (size_t x = 0; x < s->n_issues; x++) {
        place[x] = UINT32_MAX;
    }
    for (size_t i = 0; i < s->n_rows; i++) {
        place[s->rows[i].issue] = s->rows[i].kept ? 0 : place[s->rows[i].issue];
    }
    for (size_t x = 0; rc == REGRET_OK && x < s->n_issues; x++) {
        struct swebench_issue *issue = &s->issues[x];
        if (place[x] == UINT32_MAX) {
            continue;
        }
        rc = regret_issue_read(&issue->read, issue->text, strlen(issue->text));
        place[x] = (uint32_t)pool->n_contexts;
        if (rc == REGRET_OK) {
            rc = regret_strdup(&pool->contexts[pool->n_contexts++].id, issue->id);
        }
        if (rc == REGRET_OK) {
            pool->contexts[place[x]].text = issue->text;
            issue->text = NULL;
        }
    }
    return rc;
}

/* The first `most` bytes at most, up to the end of a line where there is one. */
static size_t shortened(const char *text, size_t length, size_t most)
{
    if (length <= most) {
        return length;
    }
    size_t n = most;
    while (n > 0 && text[n - 1] != '\n') {
        n--;
    }
    for (n = n > 0 ? n : most; n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80;) {
        n--; /* not inside a character */
    }
    return n;
}

static int add_output(struct regret_pool *pool, const struct swebench_row *row,
                      const uint32_t *place, struct swebench *s, const char *patch, size_t length)
{
    struct regret_output *o = &pool->outputs[pool->n_outputs++];
    size_t changed = 0, files = 0, kept = shortened(patch, length, s->options->max_patch);
    o->context = place[row->issue];
    o->agent = s->agents[row->agent].index;
    o->draw = row->draw;
    int rc = REGRET_NEW(&o->values, CODING_VALUES);
    if (rc == REGRET_OK) {
        rc = regret_strndup(&o->text, patch, kept);
    }
    if (rc == REGRET_OK) {
        rc = coding_values(o->values, &changed, &files, row->resolved, patch, length,
                           s->issues[row->issue].read);
    }
    pool->agents[o->agent].cost += (double)changed;
    s->report.shortened += kept < length;
    s->report.empty += length == 0;
    s->report.without_diff += length > 0 && files == 0;
    s->report.contradictions += row->contradicts;
    s->report.unread_tests += row->unread_tests;
    return rc;
}

/* Patches of files in Latin-1, or of binary ones, hold bytes that a pool cannot. */
static int add_mended(struct regret_pool *pool, const struct swebench_row *row,
                      const uint32_t *place, struct swebench *s, const char *patch, size_t length)
{
    struct regret_text text = REGRET_TEXT_INIT;
    regret_utf8_append_mended(&text, patch, length);
    int rc = regret_text_status(&text);
    if (rc == REGRET_OK) {
        rc = add_output(pool, row, place, s, text.data, text.length);
    }
    s->report.mended++;
    regret_text_free(&text);
    return rc;
}

static int changed_underway(const char *path)
{
    return regret_fail(REGRET_E_INPUT, "%s changed while it was read; try again", path);
}

/* The record at hand as an output, if it is the row that is waited for. */
static int take_record(struct regret_pool *pool, size_t *next, const uint32_t *place,
                       struct swebench *s, const struct swebench_table *t, const char *path)
{
    while (*next < s->n_rows && !s->rows[*next].kept) {
        ++*next;
    }
    if (*next == s->n_rows || s->rows[*next].line != regret_csv_line(t->csv)) {
        return REGRET_OK;
    }
    const struct swebench_row *row = &s->rows[(*next)++];
    const char *id = regret_csv_field(NULL, t->csv, t->column[SWEBENCH_INSTANCE]);
    const char *run = regret_csv_field(NULL, t->csv, t->column[SWEBENCH_AGENT]);
    if (strcmp(id, s->issues[row->issue].id) != 0 || strcmp(run, s->runs[row->run]) != 0) {
        return changed_underway(path);
    }
    size_t length = 0;
    const char *patch = regret_csv_field(&length, t->csv, t->column[SWEBENCH_PATCH]);
    return memchr(patch, '\0', length) == NULL && regret_utf8_valid(patch, length, NULL)
               ? add_output(pool, row, place, s, patch, length)
               : add_mended(pool, row, place, s, patch, length);
}

static int build_outputs(struct regret_pool *pool, const uint32_t *place, struct swebench *s,
                         const char *path)
{
    struct swebench_table t = {NULL, 0, {0}};
    size_t next = 0, n = 1;
    int rc = REGRET_NEW(&pool->outputs, s->report.outputs);
    if (rc == REGRET_OK) {
        rc = swebench_table_open(&t, path);
    }
    while (rc == REGRET_OK && n > 0 && pool->n_outputs < s->report.outputs) {
        rc = regret_csv_next(t.csv, &n);
        if (rc == REGRET_E_INPUT && s->options->skip_bad && !regret_csv_is_over(t.csv)) {
            rc = REGRET_OK; /* counted the first time */
        } else if (rc == REGRET_OK && n == t.n_columns) {
            rc = take_record(pool, &next, place, s, &t, path);
        }
    }
    swebench_table_close(&t);
    if (rc == REGRET_OK && pool->n_outputs < s->report.outputs) {
        rc = changed_underway(path);
    }
    return rc;
}

/* Sums of changed lines become means. */
static int set_costs(struct regret_pool *pool)
{
    size_t *outputs = NULL;
    int rc = REGRET_NEW(&outputs, pool->n_agents);
    for (size_t i = 0; rc == REGRET_OK && i < pool->n_outputs; i++) {
        outputs[pool->outputs[i].agent]++;
    }
    for (size_t a = 0; rc == REGRET_OK && a < pool->n_agents; a++) {
        pool->agents[a].cost /= (double)outputs[a];
    }
    regret_free(outputs);
    return rc;
}

int swebench_pool(struct regret_pool **out, struct swebench *s, const char *csv_path)
{
    struct regret_pool *pool = NULL;
    uint32_t *place = NULL;
    int rc = REGRET_NEW(&pool, 1);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&place, s->n_issues);
    }
    if (rc == REGRET_OK) {
        rc = describe(pool, s->options);
    }
    if (rc == REGRET_OK) {
        rc = build_agents(pool, s);
    }
    if (rc == REGRET_OK) {
        rc = build_contexts(pool, place, s);
    }
    if (rc == REGRET_OK) {
        rc = build_outputs(pool, place, s, csv_path);
    }
    if (rc == REGRET_OK) {
        rc = set_costs(pool);
    }
    if (rc == REGRET_OK) {
        rc = regret_pool_check(pool);
    }
    regret_free(place);
    if (rc != REGRET_OK) {
        regret_pool_free(pool);
        return rc;
    }
    *out = pool;
    return REGRET_OK;
}
