#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "experiment/row_order.h"
#include "experiment/run_file.h"
#include "experiment/run_folder.h"
#include "regret/alloc.h"
#include "regret/experiment.h"
#include "regret/file.h"
#include "regret/json.h"
#include "regret/text_buffer.h"

enum { MAX_RESULT_BYTES = 1 << 30, MAX_RUN_BYTES = 1 << 28 };

struct shard {
    const char *folder;
    char *description; /* run.json as it is */
    struct row_order order;
    size_t number, of;
    size_t begin, end; /* its replicates of the whole */
    char *rows, *timing;
    size_t rows_length, timing_length;
};

static int rows_path(char **out, const struct shard *s, const char *kind)
{
    char name[96];
    snprintf(name, sizeof name, "%s-%zu-of-%zu.jsonl", kind, s->number, s->of);
    return regret_path_join(out, s->folder, name);
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

/* Which shard a run.json is of, and which rows it should have. */
static int parse_description(struct shard *s, struct regret_place at)
{
    const char *label = NULL;
    long long replicates = 0;
    int rc = row_order_read(&s->order, s->description, at);
    if (rc != REGRET_OK ||
        (rc = regret_json_get_string(&label, s->order.run, "shard", at)) != REGRET_OK ||
        (rc = regret_json_get_integer(&replicates, s->order.run, "replicates", 0, 1LL << 40, at)) !=
            REGRET_OK) {
        return rc;
    }
    if (!parse_label(&s->number, &s->of, label)) {
        return regret_json_error(at, "\"shard\" must look like \"1/4\", but is \"%.20s\"", label);
    }
    run_file_shard(&s->begin, &s->end, s->order.cells * s->order.seeds, s->number, s->of);
    if ((size_t)replicates != s->end - s->begin) {
        return regret_json_error(at, "\"replicates\" is %lld, but shard %zu of %zu has %zu",
                                 replicates, s->number, s->of, s->end - s->begin);
    }
    return REGRET_OK;
}

/* Every row must be the one that belongs there, or the merged run would not be the unsharded one.
 * Rows are counted, not timings: a lost timing file loses no result. */
static int check_rows(const struct shard *s, const char *path)
{
    struct row_scan found = {0, 0};
    int rc = row_order_scan(&found, &s->order, s->begin, s->end, path, s->rows, s->rows_length);
    if (rc == REGRET_E_INPUT) {
        char reason[1024];
        snprintf(reason, sizeof reason, "%s", regret_error_message());
        return regret_fail(rc, "%s; --resume that shard to compute it again from there", reason);
    }
    if (rc == REGRET_OK && found.replicates < s->end - s->begin) {
        return regret_fail(REGRET_E_INPUT,
                           "%s is unfinished: %zu of %zu replicates; --resume it first", s->folder,
                           found.replicates, s->end - s->begin);
    }
    if (rc == REGRET_OK && found.length < s->rows_length) {
        return regret_fail(REGRET_E_INPUT,
                           "%s has more rows than its %zu replicates make; --resume it to cut them "
                           "off, or run it again",
                           s->folder, s->end - s->begin);
    }
    return rc;
}

static int read_rows(struct shard *s)
{
    char *path = NULL;
    int rc = rows_path(&path, s, "results");
    if (rc == REGRET_OK) {
        rc = regret_file_read(&s->rows, &s->rows_length, path, MAX_RESULT_BYTES);
    }
    if (rc == REGRET_OK) {
        rc = check_rows(s, path);
    }
    regret_free(path);
    return rc;
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
    rc = read_timing(s);
cleanup:
    regret_free(path);
    return rc;
}

static void free_shards(struct shard *shards, size_t n)
{
    for (size_t i = 0; shards != NULL && i < n; i++) {
        row_order_free(&shards[i].order);
        regret_free(shards[i].description);
        regret_free(shards[i].rows);
        regret_free(shards[i].timing);
    }
    regret_free(shards);
}

static int not_of_one_run(const struct shard *first, const struct shard *other)
{
    struct regret_text difference = REGRET_TEXT_INIT;
    const char *what = run_file_difference(&difference, first->description, other->description, 1);
    int rc = regret_text_status(&difference);
    if (rc == REGRET_OK) {
        rc =
            regret_fail(REGRET_E_INPUT, "%s is of another %s than %s (%s); merge shards of one run",
                        other->folder, what, first->folder, regret_text_get(&difference));
    }
    regret_text_free(&difference);
    return rc;
}

/* Names the shards that are not among the n given ones, which are all different. */
static int shards_missing(const struct shard *shards, size_t n)
{
    enum { MOST = 8 };
    size_t of = shards[0].of, missing = of - n, named = 0;
    struct regret_text list = REGRET_TEXT_INIT;
    for (size_t k = 1; k <= of && named < MOST && named < missing; k++) {
        size_t i = 0;
        while (i < n && shards[i].number != k) {
            i++;
        }
        if (i == n) {
            regret_text_printf(&list, "%s%zu/%zu", named++ > 0 ? ", " : "", k, of);
        }
    }
    if (missing > named) {
        regret_text_printf(&list, " and %zu more", missing - named);
    }
    int rc = regret_text_status(&list);
    if (rc == REGRET_OK) {
        rc = regret_fail(REGRET_E_INPUT,
                         "%s is shard %zu of %zu, and of the others %s %s missing; name the folder "
                         "too, or run it with --shard",
                         shards[0].folder, shards[0].number, of, regret_text_get(&list),
                         missing == 1 ? "is" : "are");
    }
    regret_text_free(&list);
    return rc;
}

/* order[k] is the run that is shard k + 1. */
static int order_shards(const struct shard **order, const struct shard *shards, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct shard *s = &shards[i];
        if (!run_file_same(shards[0].description, s->description, 1)) {
            return not_of_one_run(&shards[0], s);
        }
        if (s->of != shards[0].of) {
            return regret_fail(REGRET_E_INPUT,
                               "%s is shard %zu of %zu, but %s shard %zu of %zu; merge shards of "
                               "one division",
                               shards[0].folder, shards[0].number, shards[0].of, s->folder,
                               s->number, s->of);
        }
        for (size_t j = 0; j < i; j++) {
            if (shards[j].number == s->number) {
                return regret_fail(REGRET_E_INPUT, "%s and %s are both shard %zu", shards[j].folder,
                                   s->folder, s->number);
            }
        }
    }
    if (n < shards[0].of) {
        return shards_missing(shards, n);
    }
    for (size_t i = 0; i < n; i++) {
        order[shards[i].number - 1] = &shards[i];
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
        replicates += order[i]->end - order[i]->begin;
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
    struct regret_staging staging = REGRET_STAGING_INIT;
    struct run_lock replaced = RUN_LOCK_INIT;
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
        (force && (rc = run_lock_take(&replaced, out)) != REGRET_OK) ||
        (rc = regret_staging_begin(&staging, out, force, "run.json")) != REGRET_OK ||
        (rc = write_merged(staging.partial, order, n_runs)) != REGRET_OK) {
        goto cleanup;
    }
    rc = regret_staging_commit(&staging);
cleanup:
    regret_staging_abandon(&staging);
    run_lock_release(&replaced);
    free_shards(shards, n_runs);
    regret_free(order);
    return rc;
}
