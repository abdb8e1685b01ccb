#include <string.h>

#include "base/core/try.h"
#include "regret/file.h"
#include "results/merge/merge_shard.h"
#include "results/row/row_file.h"
#include "results/run/run_folder.h"

/* run.json as an unsharded run would have written it: only its end, the range, differs. */
static int merged_description(struct regret_buffer *t, const struct shard *first, size_t replicates)
{
    const struct shard_range whole = {1, 1, 0, replicates};
    FREED_BY(regret_buffer_free) struct regret_buffer end = REGRET_BUFFER_INIT;
    size_t length = strlen(first->description);
    run_file_write_range(&end, &first->run.range);
    TRY(regret_buffer_status(&end));
    if (length < end.length ||
        strcmp(first->description + length - end.length, regret_buffer_get(&end)) != 0) {
        return regret_fail(REGRET_E_INPUT, "%s/run.json was not written by this program",
                           first->folder);
    }
    regret_buffer_append_n(t, first->description, length - end.length);
    run_file_write_range(t, &whole);
    return REGRET_OK;
}

static int write_rows(const char *folder, enum row_file_kind kind, const struct regret_buffer *rows)
{
    char name[ROW_FILE_NAME];
    row_file_name(name, kind, 1, 1);
    return regret_file_write_text(folder, name, rows);
}

static int write_merged(const char *folder, const struct shard_list *list)
{
    FREED_BY(regret_buffer_free) struct regret_buffer rows = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer timing = REGRET_BUFFER_INIT;
    FREED_BY(regret_buffer_free) struct regret_buffer run = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < list->n; i++) {
        const struct shard *s = &list->shard[i];
        regret_buffer_append_n(&rows, s->rows, s->rows_length);
        regret_buffer_append_n(&timing, s->timing, s->timing_length);
    }
    TRY(merged_description(&run, &list->shard[0], list->shard[list->n - 1].run.range.end));
    TRY(regret_file_write_text(folder, "run.json", &run));
    TRY(write_rows(folder, ROW_FILE_RESULTS, &rows));
    return write_rows(folder, ROW_FILE_TIMING, &timing);
}

int regret_merge(const char *out, const char *const *runs, size_t n_runs,
                 const struct regret_merge_options *options)
{
    const struct regret_merge_options none = {0}, *o = options != NULL ? options : &none;
    struct shard_list list = {NULL, 0};
    struct regret_staging staging = REGRET_STAGING_INIT;
    struct run_lock replaced = RUN_LOCK_INIT;
    struct regret_folder_mark mark;
    int rc;
    regret_folder_mark(&mark, out);
    TRY_CLEANUP(shard_list_read(&list, runs, n_runs));
    TRY_CLEANUP(shard_list_check_complete(&list));
    if (o->force) {
        TRY_CLEANUP(run_lock_take(&replaced, out));
    }
    TRY_CLEANUP(regret_staging_begin(&staging, out, o->force, RUN_FILES));
    regret_staging_expect(&staging, &mark);
    TRY_CLEANUP(write_merged(staging.partial, &list));
    TRY_CLEANUP(o->finish != NULL ? o->finish(o->finish_context, staging.partial) : REGRET_OK);
    rc = regret_staging_commit(&staging);
cleanup:
    regret_staging_abandon(&staging);
    run_lock_release(&replaced);
    shard_list_free(&list);
    return rc;
}
