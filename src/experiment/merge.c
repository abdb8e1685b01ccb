#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "experiment/run_file.h"
#include "regret/alloc.h"
#include "regret/experiment.h"
#include "regret/file.h"
#include "regret/json.h"
#include "regret/text_buffer.h"

enum { MAX_RESULT_BYTES = 1 << 30, MAX_RUN_BYTES = 1 << 28 };

struct shard {
    const char *folder;
    char *description; /* run.json as it is */
    size_t number, of, replicates;
    size_t lines; /* rows of a replicate */
    char *rows, *timing;
    size_t rows_length, timing_length;
};

static int rows_path(char **out, const struct shard *s, const char *kind)
{
    char name[96];
    snprintf(name, sizeof name, "%s-%zu-of-%zu.jsonl", kind, s->number, s->of);
    return regret_path_join(out, s->folder, name);
}

static int read_rows(struct shard *s)
{
    char *path = NULL;
    int rc = rows_path(&path, s, "results");
    if (rc == REGRET_OK) {
        rc = regret_file_read(&s->rows, &s->rows_length, path, MAX_RESULT_BYTES);
    }
    regret_free(path);
    return rc;
}

/* Timings may be missing. */
static int read_timing(struct shard *s)
{
    char *path = NULL;
    int rc = rows_path(&path, s, "timing");
    if (rc == REGRET_OK && regret_file_exists(path)) {
        rc = regret_file_read(&s->timing, &s->timing_length, path, MAX_RESULT_BYTES);
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

/* "2/8" */
static int parse_label(size_t *number, size_t *of, const char *label)
{
    char *end = NULL;
    if (label[0] < '0' || label[0] > '9') {
        return 0;
    }
    unsigned long long i = strtoull(label, &end, 10);
    if (end[0] != '/' || end[1] < '0' || end[1] > '9') {
        return 0;
    }
    unsigned long long n = strtoull(end + 1, &end, 10);
    *number = (size_t)i;
    *of = (size_t)n;
    return *end == '\0' && i >= 1 && i <= n;
}

/* Which shard a run.json is of. */
static int parse_description(struct shard *s, struct regret_place at)
{
    cJSON *run = NULL;
    const char *label = NULL;
    long long replicates = 0, lines = 0;
    int rc = regret_json_parse(&run, s->description, strlen(s->description), at);
    if (rc != REGRET_OK || (rc = regret_json_get_string(&label, run, "shard", at)) != REGRET_OK ||
        (rc = regret_json_get_integer(&replicates, run, "replicates", 0, 1LL << 40, at)) !=
            REGRET_OK ||
        (rc = regret_json_get_integer(&lines, run, "rows", 1, 1LL << 20, at)) != REGRET_OK) {
        goto cleanup;
    }
    if (!parse_label(&s->number, &s->of, label)) {
        rc = regret_json_error(at, "\"shard\" must look like \"1/4\", but is \"%.20s\"", label);
        goto cleanup;
    }
    s->replicates = (size_t)replicates;
    s->lines = (size_t)lines;
cleanup:
    cJSON_Delete(run);
    return rc;
}

/* Counts rows, not timings: a lost timing file loses no result. */
static int check_finished(const struct shard *s)
{
    size_t lines = count_lines(s->rows, s->rows_length);
    size_t wanted = s->replicates * s->lines;
    if (lines < wanted) {
        return regret_fail(REGRET_E_INPUT,
                           "%s is unfinished: %zu of %zu replicates; --resume it first", s->folder,
                           lines / s->lines, s->replicates);
    }
    if (lines > wanted || (s->rows_length > 0 && s->rows[s->rows_length - 1] != '\n')) {
        return regret_fail(REGRET_E_INPUT,
                           "%s has more rows than its %zu replicates make; --resume it to cut them "
                           "off, or run it again",
                           s->folder, s->replicates);
    }
    return REGRET_OK;
}

static int read_shard(struct shard *s, const char *folder)
{
    char *path = NULL;
    s->folder = folder;
    int rc = regret_path_join(&path, folder, "run.json");
    if (rc != REGRET_OK ||
        (rc = regret_file_read(&s->description, NULL, path, MAX_RUN_BYTES)) != REGRET_OK ||
        (rc = parse_description(s, (struct regret_place){path, 0})) != REGRET_OK ||
        (rc = read_rows(s)) != REGRET_OK) {
        goto cleanup;
    }
    rc = check_finished(s);
    if (rc == REGRET_OK) {
        rc = read_timing(s);
    }
cleanup:
    regret_free(path);
    return rc;
}

static void free_shards(struct shard *shards, size_t n)
{
    for (size_t i = 0; shards != NULL && i < n; i++) {
        regret_free(shards[i].description);
        regret_free(shards[i].rows);
        regret_free(shards[i].timing);
    }
    regret_free(shards);
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
        if (!run_file_same(shards[0].description, s->description, 1)) {
            return regret_fail(REGRET_E_INPUT,
                               "%s and %s are runs of different configurations, pools, programs or "
                               "machines",
                               shards[0].folder, s->folder);
        }
        order[s->number - 1] = s;
    }
    return REGRET_OK;
}

/* run.json as an unsharded run would have written it: the text is ours, so only the closing line
 * differs. */
static int merged_description(struct regret_text *t, const struct shard *first, size_t replicates)
{
    const char *tail = strstr(first->description, "\"shard\":");
    if (tail == NULL) {
        return regret_fail(REGRET_E_INPUT, "%s/run.json was not written by this program",
                           first->folder);
    }
    regret_text_append_n(t, first->description, (size_t)(tail - first->description));
    regret_text_printf(t, "\"shard\":\"1/1\",\"replicates\":%zu}\n", replicates);
    return REGRET_OK;
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
        rc = regret_file_write_text(folder, "run.json", &run);
    }
    if (rc == REGRET_OK) {
        rc = regret_file_write_text(folder, "results-1-of-1.jsonl", &rows);
    }
    if (rc == REGRET_OK) {
        rc = regret_file_write_text(folder, "timing-1-of-1.jsonl", &timing);
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
    if (n_runs == 0) {
        return regret_fail(REGRET_E_INPUT, "no runs to merge; name the folder of every shard");
    }
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
