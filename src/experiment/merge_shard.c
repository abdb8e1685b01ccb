#include "experiment/merge_shard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/try.h"
#include "experiment/run_file.h"
#include "regret/alloc.h"
#include "regret/file.h"

enum { MAX_RESULT_BYTES = 1 << 30, MAX_RUN_BYTES = 1 << 28 };

static int rows_path(char **out, const struct shard *s, const char *kind)
{
    char name[96];
    snprintf(name, sizeof name, "%s-%zu-of-%zu.jsonl", kind, s->range.shard, s->range.shards);
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

/* A remedy for the last failure. */
static int compute_again(int rc, const char *what, const struct shard *s)
{
    struct regret_text command = REGRET_TEXT_INIT;
    shard_command(&command, s, s->folder, s->range.shard);
    rc = regret_fail_suffix(rc, "; %s: %s", what, regret_text_get(&command));
    regret_text_free(&command);
    return rc;
}

/* Every row must be the one that belongs there, or the merged run would not be the unsharded one.
 * Rows are counted, not timings: a lost timing file loses no result. */
static int check_rows(struct shard *s, const char *path)
{
    struct row_scan scan = {0, 0};
    int rc = row_order_scan(&scan, &s->order, s->range.begin, s->range.end, path, s->rows,
                            s->rows_length);
    if (rc == REGRET_E_INPUT) {
        return compute_again(rc, "compute that shard again from there", s);
    }
    s->found = scan.replicates;
    if (rc == REGRET_OK && s->found == s->range.end - s->range.begin &&
        scan.length < s->rows_length) {
        rc = regret_fail(REGRET_E_INPUT, "%s has more rows than its %zu replicates make", s->folder,
                         s->found);
        return compute_again(rc, "cut them off", s);
    }
    return rc;
}

/* A shard that ended before its first row has no file of rows. */
static int read_rows(struct shard *s)
{
    char *path = NULL;
    int rc = REGRET_OK;
    TRY_CLEANUP(rows_path(&path, s, "results"));
    if (regret_file_exists(path)) {
        TRY_CLEANUP(regret_file_read(&s->rows, &s->rows_length, path, MAX_RESULT_BYTES));
        rc = check_rows(s, path);
    }
cleanup:
    regret_free(path);
    return rc;
}

static int read_shard(struct shard *s, const char *folder)
{
    char *path = NULL;
    int rc = REGRET_OK;
    s->folder = folder;
    TRY_CLEANUP(regret_path_join(&path, folder, "run.json"));
    TRY_CLEANUP(regret_file_read(&s->description, NULL, path, MAX_RUN_BYTES));
    TRY_CLEANUP(row_order_read(&s->order, s->description, (struct regret_place){path, 0}));
    TRY_CLEANUP(run_file_read_range(&s->range, &s->order, (struct regret_place){path, 0}));
    TRY_CLEANUP(read_rows(s));
    rc = read_timing(s);
cleanup:
    regret_free(path);
    return rc;
}

void shard_list_free(struct shard_list *list)
{
    for (size_t i = 0; list->shard != NULL && i < list->n; i++) {
        struct shard *s = &list->shard[i];
        row_order_free(&s->order);
        regret_free(s->description);
        regret_free(s->rows);
        regret_free(s->timing);
    }
    regret_free(list->shard);
    *list = (struct shard_list){0};
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

static int check_same_run(const struct shard *first, const struct shard *s)
{
    if (!run_file_same(first->description, s->description, 1)) {
        return not_of_one_run(first, s);
    }
    if (s->range.shards != first->range.shards) {
        return regret_fail(REGRET_E_INPUT,
                           "%s is shard %zu of %zu, but %s shard %zu of %zu; merge shards of one "
                           "division",
                           first->folder, first->range.shard, first->range.shards, s->folder,
                           s->range.shard, s->range.shards);
    }
    return REGRET_OK;
}

static int by_number(const void *a, const void *b)
{
    size_t x = ((const struct shard *)a)->range.shard, y = ((const struct shard *)b)->range.shard;
    return (x > y) - (x < y);
}

/* Neighbours must join without gap or overlap; each shard missing between them has something to
 * compute. NULL stands for the beginning or the end of the run. */
static int check_joint(const struct shard *before, const struct shard *after, size_t total)
{
    size_t from = before != NULL ? before->range.end : 0;
    size_t to = after != NULL ? after->range.begin : total;
    size_t number = before != NULL ? before->range.shard : 0;
    size_t missing = (after != NULL ? after->range.shard : before->range.shards + 1) - number - 1;
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
    size_t total = s[0].order.cells * s[0].order.seeds;
    for (size_t i = 0; i + 1 < list->n; i++) {
        if (s[i].range.shard == s[i + 1].range.shard) {
            return regret_fail(REGRET_E_INPUT, "%s and %s are both shard %zu", s[i].folder,
                               s[i + 1].folder, s[i].range.shard);
        }
    }
    TRY(check_joint(NULL, &s[0], total));
    for (size_t i = 0; i + 1 < list->n; i++) {
        TRY(check_joint(&s[i], &s[i + 1], total));
    }
    return check_joint(&s[list->n - 1], NULL, total);
}

int shard_list_read(struct shard_list *out, const char *const *runs, size_t n_runs)
{
    struct shard_list list = {NULL, 0};
    int rc = REGRET_OK;
    if (n_runs == 0) {
        return regret_fail(REGRET_E_INPUT, "no runs to merge; name the folder of every shard");
    }
    TRY(REGRET_NEW(&list.shard, n_runs));
    for (; list.n < n_runs; list.n++) {
        struct shard *s = &list.shard[list.n];
        rc = read_shard(s, runs[list.n]);
        rc = rc == REGRET_OK ? check_same_run(&list.shard[0], s) : rc;
        if (rc != REGRET_OK) {
            list.n++; /* its parts are freed, too */
            goto cleanup;
        }
    }
    qsort(list.shard, list.n, sizeof *list.shard, by_number);
    TRY_CLEANUP(check_ranges(&list));
    *out = list;
    list = (struct shard_list){0};
cleanup:
    shard_list_free(&list);
    return rc;
}

size_t shard_list_lacking(const struct shard_list *list)
{
    size_t lacking = list->shard[0].order.cells * list->shard[0].order.seeds;
    for (size_t i = 0; i < list->n; i++) {
        lacking -= list->shard[i].found;
    }
    return lacking;
}

/* A path as a word of the shell. */
static void append_word(struct regret_text *text, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+.,/:@%=";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        regret_text_append(text, word);
        return;
    }
    regret_text_append_char(text, '\'');
    for (const char *p = word; *p != '\0'; p++) {
        if (*p == '\'') {
            regret_text_append(text, "'\\''");
        } else {
            regret_text_append_char(text, *p);
        }
    }
    regret_text_append_char(text, '\'');
}

void shard_command(struct regret_text *text, const struct shard *there, const char *folder,
                   size_t number)
{
    struct regret_text path = REGRET_TEXT_INIT;
    regret_text_printf(&path, "%s/run.json", there->folder);
    regret_text_append(text, "regret run ");
    append_word(text, regret_text_get(&path));
    regret_text_printf(text, " --shard %zu/%zu -o ", number, there->range.shards);
    append_word(text, folder);
    regret_text_append(text, " --resume");
    regret_text_free(&path);
}
