#include <stdint.h>
#include <string.h>

#include "base/try.h"
#include "experiment/merge_shard.h"
#include "experiment/run_file.h"
#include "experiment/run_folder.h"
#include "regret/alloc.h"
#include "regret/experiment.h"
#include "regret/file.h"

/* run.json as an unsharded run would have written it: the text is ours, so only the closing line
 * differs. */
static int merged_description(struct regret_text *t, const struct shard *first, size_t replicates)
{
    const struct shard_range whole = {1, 1, 0, replicates};
    const char *tail = strstr(first->description, "\"shard\":");
    if (tail == NULL) {
        return regret_fail(REGRET_E_INPUT, "%s/run.json was not written by this program",
                           first->folder);
    }
    regret_text_append_n(t, first->description, (size_t)(tail - first->description));
    run_file_describe_range(t, &whole);
    return REGRET_OK;
}

/* The files of a whole run. */
struct merged {
    struct regret_text run, rows, timing;
};

static void free_merged(struct merged *m)
{
    regret_text_free(&m->run);
    regret_text_free(&m->rows);
    regret_text_free(&m->timing);
}

static int join(struct merged *m, const struct shard_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        const struct shard *s = &list->shard[i];
        regret_text_append_n(&m->rows, s->rows, s->rows_length);
        regret_text_append_n(&m->timing, s->timing, s->timing_length);
    }
    return merged_description(&m->run, &list->shard[0], list->shard[list->n - 1].range.end);
}

static const char RUN_NAME[] = "run.json", ROWS_NAME[] = "results-1-of-1.jsonl",
                  TIMING_NAME[] = "timing-1-of-1.jsonl";

static int write_merged(const char *folder, const struct merged *m)
{
    TRY(regret_file_write_text(folder, RUN_NAME, &m->run));
    TRY(regret_file_write_text(folder, ROWS_NAME, &m->rows));
    return regret_file_write_text(folder, TIMING_NAME, &m->timing);
}

/* *same is 1 if folder/name has these bytes. */
static int file_has(int *same, const char *folder, const char *name, const struct regret_text *text)
{
    char *path = NULL, *data = NULL;
    size_t length = 0;
    int rc;
    *same = 0;
    TRY(regret_text_status(text));
    TRY(regret_path_join(&path, folder, name));
    if (regret_file_exists(path)) {
        TRY_CLEANUP(regret_file_read(&data, &length, path, SIZE_MAX / 2));
        *same = length == text->length && memcmp(data, regret_text_get(text), length) == 0;
    }
    rc = REGRET_OK;
cleanup:
    regret_free(path);
    regret_free(data);
    return rc;
}

/* Has an earlier start put just this run there, and died before its report? Merging again then makes
 * what is missing. */
static int merged_already(int *same, const char *out, const struct merged *m)
{
    char *report = NULL;
    *same = 0;
    TRY(regret_path_join(&report, out, "report"));
    int whole = regret_file_exists(report);
    regret_free(report);
    if (whole || !regret_is_folder(out)) {
        return REGRET_OK;
    }
    TRY(file_has(same, out, RUN_NAME, &m->run));
    return *same ? file_has(same, out, ROWS_NAME, &m->rows) : REGRET_OK;
}

/* Names the shards that lack replicates: "2/8 (unfinished)". */
static int check_complete(const struct shard_list *list)
{
    enum { MOST = 8 };
    const struct shard *s = list->shard;
    size_t of = s[0].range.shards, lacking = shard_list_lacking(list), named = 0, i = 0;
    struct regret_text names = REGRET_TEXT_INIT;
    if (lacking == 0) {
        return REGRET_OK;
    }
    for (size_t k = 1; k <= of; k++) {
        int there = i < list->n && s[i].range.shard == k;
        int whole = there && s[i].found == s[i].range.end - s[i].range.begin;
        i += (size_t)there;
        if (!whole && named++ < MOST) {
            regret_text_printf(&names, "%s%zu/%zu (%s)", named > 1 ? ", " : "", k, of,
                               there ? "unfinished" : "missing");
        }
    }
    if (named > MOST) {
        regret_text_printf(&names, " and %zu more", named - MOST);
    }
    int rc = regret_text_status(&names);
    if (rc == REGRET_OK) {
        rc = regret_fail(REGRET_E_INPUT,
                         "%zu of %zu replicates are not there, of %s %s; name the folders of all "
                         "shards, or compute what is missing and merge again",
                         lacking, s[0].order.cells * s[0].order.seeds,
                         named == 1 ? "shard" : "shards", regret_text_get(&names));
    }
    regret_text_free(&names);
    return rc;
}

static int put_merged(const char *out, const struct merged *m, int force)
{
    struct regret_staging staging = REGRET_STAGING_INIT;
    struct run_lock replaced = RUN_LOCK_INIT;
    int rc = REGRET_OK, same = 0;
    if (force) {
        TRY_CLEANUP(run_lock_take(&replaced, out));
    } else {
        TRY_CLEANUP(merged_already(&same, out, m));
    }
    if (!same) {
        TRY_CLEANUP(regret_staging_begin(&staging, out, force, RUN_NAME));
        TRY_CLEANUP(write_merged(staging.partial, m));
        rc = regret_staging_commit(&staging);
    }
cleanup:
    regret_staging_abandon(&staging);
    run_lock_release(&replaced);
    return rc;
}

int regret_merge(const char *out, const char *const *runs, size_t n_runs, int force)
{
    struct shard_list list = {NULL, 0};
    struct merged merged = {REGRET_TEXT_INIT, REGRET_TEXT_INIT, REGRET_TEXT_INIT};
    int rc = REGRET_OK;
    TRY_CLEANUP(shard_list_read(&list, runs, n_runs));
    TRY_CLEANUP(check_complete(&list));
    TRY_CLEANUP(join(&merged, &list));
    rc = put_merged(out, &merged, force);
cleanup:
    free_merged(&merged);
    shard_list_free(&list);
    return rc;
}
