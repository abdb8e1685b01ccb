#include "results/merge/merge_shard.h"

#include <stdlib.h>

#include "base/core/try.h"
#include "base/files/input.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "results/row/row_file.h"
#include "results/run/row_scan.h"

enum { MAX_RESULT_BYTES = 1 << 30, MAX_RUN_BYTES = 1 << 28 };

static int shard_path(char **out, const struct shard *s, enum row_file_kind kind)
{
    return row_file_path(out, s->folder, kind, s->run.range.shard, s->run.range.shards);
}

/* Timings may be missing. */
static int read_timing(struct shard *s)
{
    FREED char *path = NULL;
    TRY(shard_path(&path, s, ROW_FILE_TIMING));
    return input_is_absent(path)
               ? REGRET_OK
               : regret_file_read(&s->timing, &s->timing_length, path, MAX_RESULT_BYTES);
}

/* A remedy for the last failure. */
static int compute_again(int rc, const char *what, const struct shard *s)
{
    struct regret_buffer command = REGRET_BUFFER_INIT;
    const struct run_resume missing = {s->folder, s->folder, s->run.range.shard,
                                       s->run.range.shards};
    run_resume_command(&command, &missing, s->run.subject, s->run.n_families);
    rc = regret_fail_suffix(rc, "; %s: %s", what, regret_buffer_get(&command));
    regret_buffer_free(&command);
    return rc;
}

/* Every row must be the one that belongs there, or the merged run would not be the unsharded one.
 * Rows are counted, not timings: a lost timing file loses no result. */
static int check_rows(struct shard *s, const char *path)
{
    struct row_scan scan = {0, 0};
    const struct shard_range *range = &s->run.range;
    int rc = row_scan_read(&scan, &s->run, range->begin, range->end, path, s->rows, s->rows_length);
    if (rc == REGRET_E_INPUT) {
        return compute_again(rc, "compute that shard again from there", s);
    }
    TRY(rc);
    s->found = scan.replicates;
    if (s->found == range->end - range->begin && scan.length < s->rows_length) {
        rc = regret_fail(REGRET_E_INPUT, "%s has more rows than its %zu replicates make", s->folder,
                         s->found);
        return compute_again(rc, "cut them off", s);
    }
    return rc;
}

/* A shard that ended before its first row has no file of rows. */
static int read_rows(struct shard *s)
{
    FREED char *path = NULL;
    TRY(shard_path(&path, s, ROW_FILE_RESULTS));
    if (!input_is_absent(path)) {
        TRY(regret_file_read(&s->rows, &s->rows_length, path, MAX_RESULT_BYTES));
        return check_rows(s, path);
    }
    return REGRET_OK;
}

static int read_shard(struct shard *s, const char *folder)
{
    FREED char *path = NULL;
    TRY(regret_path_join(&path, folder, "run.json"));
    TRY(regret_file_read(&s->description, NULL, path, MAX_RUN_BYTES));
    struct regret_place at = {path, 0};
    TRY(run_file_parse(&s->run, s->description, at));
    TRY(run_file_read_order(&s->run, at));
    TRY(run_file_read_range(&s->run, at));
    TRY(read_rows(s));
    return read_timing(s);
}

static void shard_clear(struct shard *s)
{
    run_file_free(&s->run);
    regret_free(s->description);
    regret_free(s->rows);
    regret_free(s->timing);
}

int shard_list_create(struct shard_list *list, size_t n_runs)
{
    if (n_runs == 0) {
        return regret_fail(REGRET_E_INPUT, "no runs to merge; name the folder of every shard");
    }
    *list = (struct shard_list){NULL, 0};
    return REGRET_NEW(&list->shard, n_runs);
}

void shard_list_free(struct shard_list *list)
{
    for (size_t i = 0; list->shard != NULL && i < list->n; i++) {
        shard_clear(&list->shard[i]);
    }
    regret_free(list->shard);
    *list = (struct shard_list){0};
}

static int check_same_run(const struct shard *first, const struct shard *s)
{
    const struct shard_range *a = &first->run.range, *b = &s->run.range;
    struct regret_buffer difference = REGRET_BUFFER_INIT;
    const char *what = run_difference(&difference, first->run.facts.json, s->run.facts.json, 1);
    int rc;
    TRY_CLEANUP(regret_buffer_status(&difference));
    if (what != NULL) {
        rc =
            regret_fail(REGRET_E_INPUT, "%s is of another %s than %s (%s); merge shards of one run",
                        s->folder, what, first->folder, regret_buffer_get(&difference));
    } else if (a->shards != b->shards) {
        rc = regret_fail(REGRET_E_INPUT,
                         "%s is shard %zu of %zu, but %s shard %zu of %zu; merge shards of one "
                         "division",
                         first->folder, a->shard, a->shards, s->folder, b->shard, b->shards);
    }
cleanup:
    regret_buffer_free(&difference);
    return rc;
}

static int by_number(const void *a, const void *b)
{
    size_t x = ((const struct shard *)a)->run.range.shard,
           y = ((const struct shard *)b)->run.range.shard;
    return (x > y) - (x < y);
}

/* Neighbours must join without gap or overlap; each shard missing between them has something to
 * compute. NULL stands for the beginning or the end of the run. */
static int check_joint(const struct shard *before, const struct shard *after, size_t total)
{
    size_t from = before != NULL ? before->run.range.end : 0;
    size_t to = after != NULL ? after->run.range.begin : total;
    size_t number = before != NULL ? before->run.range.shard : 0;
    size_t missing =
        (after != NULL ? after->run.range.shard : before->run.range.shards + 1) - number - 1;
    if (missing == 0 ? from == to : from <= to && to - from >= missing) {
        return REGRET_OK;
    }
    return regret_fail(REGRET_E_INPUT,
                       "%s%s%s do not join: replicates to %zu are followed by those from %zu on, "
                       "with %zu shards between; different programs cut them, so run every shard "
                       "again by one, with --force",
                       before != NULL ? before->folder : after->folder,
                       before != NULL && after != NULL ? " and " : " and the run's ",
                       before != NULL && after != NULL ? after->folder
                       : before != NULL                ? "end"
                                                       : "beginning",
                       from, to, missing);
}

static int check_ranges(const struct shard_list *list)
{
    const struct shard *s = list->shard;
    size_t total = s[0].run.n_cells * s[0].run.n_seeds;
    for (size_t i = 0; i + 1 < list->n; i++) {
        if (s[i].run.range.shard == s[i + 1].run.range.shard) {
            return regret_fail(REGRET_E_INPUT, "%s and %s are both shard %zu", s[i].folder,
                               s[i + 1].folder, s[i].run.range.shard);
        }
    }
    TRY(check_joint(NULL, &s[0], total));
    for (size_t i = 0; i + 1 < list->n; i++) {
        TRY(check_joint(&s[i], &s[i + 1], total));
    }
    return check_joint(&s[list->n - 1], NULL, total);
}

int shard_list_add(struct shard_list *list, const char *folder)
{
    struct shard *s = &list->shard[list->n++]; /* what it has is freed whatever happens */
    int rc;
    *s = (struct shard){.folder = folder};
    TRY_CLEANUP(read_shard(s, folder));
    TRY_CLEANUP(check_same_run(&list->shard[0], s));
    return REGRET_OK;
cleanup:
    shard_clear(s);
    list->n--;
    return rc;
}

int shard_list_order(struct shard_list *list)
{
    qsort(list->shard, list->n, sizeof *list->shard, by_number);
    return check_ranges(list);
}

int shard_list_read(struct shard_list *out, const char *const *runs, size_t n_runs)
{
    FREED_BY(shard_list_free) struct shard_list list = {NULL, 0};
    TRY(shard_list_create(&list, n_runs));
    for (size_t i = 0; i < n_runs; i++) {
        TRY(shard_list_add(&list, runs[i]));
    }
    TRY(shard_list_order(&list));
    *out = list;
    list = (struct shard_list){0};
    return REGRET_OK;
}

/* How many replicates the shards lack, the missing ones included. */
static size_t count_lacking(const struct shard_list *list)
{
    size_t lacking = list->shard[0].run.n_cells * list->shard[0].run.n_seeds;
    for (size_t i = 0; i < list->n; i++) {
        lacking -= list->shard[i].found;
    }
    return lacking;
}

/* Names the shards that lack replicates: "2/8 (unfinished)". */
int shard_list_check_complete(const struct shard_list *list)
{
    enum { MOST = 8 };
    const struct shard *s = list->shard;
    size_t of = s[0].run.range.shards, lacking = count_lacking(list), named = 0, i = 0;
    FREED_BY(regret_buffer_free) struct regret_buffer names = REGRET_BUFFER_INIT;
    if (lacking == 0) {
        return REGRET_OK;
    }
    for (size_t k = 1; k <= of; k++) {
        int there = i < list->n && s[i].run.range.shard == k;
        int whole = there && s[i].found == s[i].run.range.end - s[i].run.range.begin;
        i += (size_t)there;
        if (!whole && named++ < MOST) {
            regret_buffer_printf(&names, "%s%zu/%zu (%s)", named > 1 ? ", " : "", k, of,
                                 there ? "unfinished" : "missing");
        }
    }
    if (named > MOST) {
        regret_buffer_printf(&names, " and %zu more", named - MOST);
    }
    TRY(regret_buffer_status(&names));
    return regret_fail(REGRET_E_INPUT,
                       "%zu of %zu replicates are not there, of %s %s; name the folders of all "
                       "shards, or compute what is missing and merge again",
                       lacking, s[0].run.n_cells * s[0].run.n_seeds,
                       named == 1 ? "shard" : "shards", regret_buffer_get(&names));
}
