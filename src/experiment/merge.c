#include <stdio.h>
#include <string.h>

#include <cJSON.h>

#include "regret/alloc.h"
#include "regret/experiment.h"
#include "regret/file.h"
#include "regret/json.h"
#include "regret/text_buffer.h"

enum { MAX_RESULT_BYTES = 1 << 30 };

struct shard {
    const char *folder;
    cJSON *run;
    size_t number, of, replicates;
    char *rows, *timing;
    size_t rows_length, timing_length;
};

static int read_rows(char **out, size_t *length, const struct shard *s, const char *kind)
{
    char name[96];
    char *path = NULL;
    snprintf(name, sizeof name, "%s-%zu-of-%zu.jsonl", kind, s->number, s->of);
    int rc = regret_path_join(&path, s->folder, name);
    if (rc == REGRET_OK) {
        rc = regret_file_read(out, length, path, MAX_RESULT_BYTES);
    }
    regret_free(path);
    return rc;
}

static size_t count_lines(const char *text, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        n += text[i] == '\n';
    }
    return n;
}

static int read_shard(struct shard *s, const char *folder)
{
    char *path = NULL;
    const char *label = NULL;
    long long replicates = 0;
    s->folder = folder;
    int rc = regret_path_join(&path, folder, "run.json");
    if (rc != REGRET_OK || (rc = regret_json_read_file(&s->run, path)) != REGRET_OK) {
        goto cleanup;
    }
    const struct regret_place at = {path, 0};
    if ((rc = regret_json_get_string(&label, s->run, "shard", at)) != REGRET_OK ||
        (rc = regret_json_get_integer(&replicates, s->run, "replicates", 0, 1LL << 40, at)) !=
            REGRET_OK) {
        goto cleanup;
    }
    if (sscanf(label, "%zu/%zu", &s->number, &s->of) != 2 || s->number < 1 || s->number > s->of) {
        rc = regret_json_error(at, "\"shard\" must look like \"1/4\", but is \"%.20s\"", label);
        goto cleanup;
    }
    s->replicates = (size_t)replicates;
    if ((rc = read_rows(&s->rows, &s->rows_length, s, "results")) != REGRET_OK ||
        (rc = read_rows(&s->timing, &s->timing_length, s, "timing")) != REGRET_OK) {
        goto cleanup;
    }
    size_t done = count_lines(s->timing, s->timing_length);
    if (done != s->replicates) {
        rc = regret_fail(REGRET_E_INPUT,
                         "%s is unfinished: %zu of %zu replicates; --resume it first", folder, done,
                         s->replicates);
    }
cleanup:
    regret_free(path);
    return rc;
}

static void free_shards(struct shard *shards, size_t n)
{
    for (size_t i = 0; shards != NULL && i < n; i++) {
        cJSON_Delete(shards[i].run);
        regret_free(shards[i].rows);
        regret_free(shards[i].timing);
    }
    regret_free(shards);
}

/* Equal but for the fields in which shards of one run differ. */
static int same_run(const cJSON *a, const cJSON *b)
{
    static const char *const own[] = {"shard", "replicates"};
    cJSON *x = cJSON_Duplicate(a, 1), *y = cJSON_Duplicate(b, 1);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        cJSON_DeleteItemFromObjectCaseSensitive(x, own[i]);
        cJSON_DeleteItemFromObjectCaseSensitive(y, own[i]);
    }
    int same = x != NULL && y != NULL && cJSON_Compare(x, y, 1);
    cJSON_Delete(x);
    cJSON_Delete(y);
    return same;
}

/* order[k] is the run that is shard k + 1. */
static int order_shards(const struct shard **order, const struct shard *shards, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct shard *s = &shards[i];
        if (s->of != n) {
            return regret_fail(REGRET_E_INPUT, "%s is shard %zu of %zu, but %zu runs are given",
                               s->folder, s->number, s->of, n);
        }
        if (order[s->number - 1] != NULL) {
            return regret_fail(REGRET_E_INPUT, "%s and %s are both shard %zu",
                               order[s->number - 1]->folder, s->folder, s->number);
        }
        if (!same_run(shards[0].run, s->run)) {
            return regret_fail(REGRET_E_INPUT,
                               "%s and %s are runs of different configurations, pools, programs or "
                               "machines",
                               shards[0].folder, s->folder);
        }
        order[s->number - 1] = s;
    }
    return REGRET_OK;
}

static int write_into(const char *folder, const char *name, const struct regret_text *text)
{
    char *path = NULL;
    int rc = regret_text_status(text);
    if (rc == REGRET_OK) {
        rc = regret_path_join(&path, folder, name);
    }
    if (rc == REGRET_OK) {
        rc = regret_file_write(path, regret_text_get(text), text->length);
    }
    regret_free(path);
    return rc;
}

/* run.json as an unsharded run would have written it: the text is ours, so only the closing line
 * differs. */
static int merged_description(struct regret_text *t, const struct shard *first, size_t replicates)
{
    char *path = NULL, *text = NULL;
    int rc = regret_path_join(&path, first->folder, "run.json");
    if (rc == REGRET_OK) {
        rc = regret_file_read(&text, NULL, path, (size_t)1 << 28);
    }
    if (rc == REGRET_OK) {
        const char *tail = strstr(text, "\"shard\":");
        if (tail == NULL) {
            rc = regret_fail(REGRET_E_INPUT, "%s was not written by this program", path);
        } else {
            regret_text_append_n(t, text, (size_t)(tail - text));
            regret_text_printf(t, "\"shard\":\"1/1\",\"replicates\":%zu}\n", replicates);
        }
    }
    regret_free(path);
    regret_free(text);
    return rc;
}

static int write_merged(const char *folder, const struct shard *const *order, size_t n)
{
    struct regret_text rows = REGRET_TEXT_INIT, timing = REGRET_TEXT_INIT, run = REGRET_TEXT_INIT;
    size_t replicates = 0;
    for (size_t i = 0; i < n; i++) {
        regret_text_append_n(&rows, order[i]->rows, order[i]->rows_length);
        regret_text_append_n(&timing, order[i]->timing, order[i]->timing_length);
        replicates += order[i]->replicates;
    }
    int rc = merged_description(&run, order[0], replicates);
    if (rc == REGRET_OK) {
        rc = write_into(folder, "run.json", &run);
    }
    if (rc == REGRET_OK) {
        rc = write_into(folder, "results-1-of-1.jsonl", &rows);
    }
    if (rc == REGRET_OK) {
        rc = write_into(folder, "timing-1-of-1.jsonl", &timing);
    }
    regret_text_free(&rows);
    regret_text_free(&timing);
    regret_text_free(&run);
    return rc;
}

int regret_merge(const char *out, const char *const *runs, size_t n_runs, int force)
{
    struct shard *shards = NULL;
    const struct shard **order = NULL;
    struct regret_staging staging = {NULL, NULL};
    int rc = REGRET_NEW(&shards, n_runs);
    if (rc != REGRET_OK || (rc = REGRET_NEW(&order, n_runs)) != REGRET_OK) {
        goto cleanup;
    }
    for (size_t i = 0; i < n_runs; i++) {
        if ((rc = read_shard(&shards[i], runs[i])) != REGRET_OK) {
            goto cleanup;
        }
    }
    if ((rc = order_shards(order, shards, n_runs)) != REGRET_OK ||
        (rc = regret_staging_begin(&staging, out, force, "run.json")) != REGRET_OK ||
        (rc = write_merged(staging.partial, order, n_runs)) != REGRET_OK) {
        goto cleanup;
    }
    rc = regret_staging_commit(&staging);
cleanup:
    regret_staging_abandon(&staging);
    free_shards(shards, n_runs);
    regret_free(order);
    return rc;
}
