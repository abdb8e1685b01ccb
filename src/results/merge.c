/* Shards merged. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/input.h"
#include "base/status.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "results/results.h"
#include "results/run_file.h"
#include "results/run_folder.h"

/* The shards of a run as they are found in their folders. */

struct shard {
    const char *folder; /* borrowed */
    char *description;  /* run.json as it is */
    struct run_file run;
    size_t found; /* replicates of the range whose rows are there, from its beginning on */
    char *rows, *timing;
    size_t rows_length, timing_length;
};

struct shard_list {
    struct shard *shard; /* [n], ordered by number; owned */
    size_t n;
};

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

/* The same step by step. Makes a list with room for n_runs folders, or refuses none; ... */
static int shard_list_create(struct shard_list *list, size_t n_runs)
{
    if (n_runs == 0) {
        return regret_fail(REGRET_E_INPUT, "no runs to merge; name the folder of every shard");
    }
    *list = (struct shard_list){NULL, 0};
    return REGRET_NEW(&list->shard, n_runs);
}

static void shard_list_free(struct shard_list *list)
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

/* ... adds a folder, unless it is refused, by itself or as no shard of the first one's run; ... */
static int shard_list_add(struct shard_list *list, const char *folder)
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

/* ... puts a list that is not empty in order, or refuses it. */
static int shard_list_order(struct shard_list *list)
{
    qsort(list->shard, list->n, sizeof *list->shard, by_number);
    return check_ranges(list);
}

/* Reads every folder and puts the shards in order. Refuses shards of different runs or divisions,
 * doubled ones, ranges that overlap or leave too little between them, and rows that are wrong;
 * shards that are missing or unfinished are none of its business. */
static int shard_list_read(struct shard_list *out, const char *const *runs, size_t n_runs)
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

/* Refuses a list in order that lacks replicates, with the names of the shards that do. */
/* Names the shards that lack replicates: "2/8 (unfinished)". */
static int shard_list_check_complete(const struct shard_list *list)
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

/* What a merge lacks, and the commands that compute it. */

/* "seed 3, cells 5 to 47; seeds 4 to 6, every cell; seed 7, cell 0" of the replicates [begin, end),
 * whose order is seed by seed. */
static void append_replicates(struct regret_buffer *t, const struct run_file *run, size_t begin,
                              size_t end)
{
    size_t cells = run->n_cells;
    for (const char *joint = ""; begin < end; joint = "; ") {
        long long seed = run->first_seed + (long long)(begin / cells);
        size_t cell = begin % cells, stop = begin - cell + cells;
        if (cell == 0 && stop <= end) {
            size_t seeds = (end - begin) / cells;
            regret_buffer_printf(t, seeds > 1 ? "%sseeds %lld to %lld" : "%sseed %lld", joint, seed,
                                 seed + (long long)seeds - 1);
            regret_buffer_append(t, ", every cell");
            begin += seeds * cells;
            continue;
        }
        size_t last = (stop < end ? stop : end) - begin + cell - 1;
        regret_buffer_printf(
            t, cell < last ? "%sseed %lld, cells %zu to %zu" : "%sseed %lld, cell %zu", joint, seed,
            cell, last);
        begin += last - cell + 1;
    }
}

/* The folder of shard `number`, called as that of `like` is with the number in its last name changed:
 * parts/2 for parts/1; parts-2-of-8 where there is none. */
static void append_folder(struct regret_buffer *t, const struct shard *like, size_t number)
{
    char digits[32];
    size_t n = strlen(like->folder);
    while (n > 1 && like->folder[n - 1] == '/') {
        n--;
    }
    size_t d = (size_t)snprintf(digits, sizeof digits, "%zu", like->run.range.shard), at = n;
    /* From the back, and a number of its own: not the 1 of "v12-1". */
    for (size_t i = n; at == n && i-- > 0 && like->folder[i] != '/';) {
        int starts = i == 0 || !strchr("0123456789", like->folder[i - 1]);
        int ends = i + d <= n && (i + d == n || !strchr("0123456789", like->folder[i + d]));
        if (starts && ends && strncmp(like->folder + i, digits, d) == 0) {
            at = i;
        }
    }
    regret_buffer_append_n(t, like->folder, at);
    if (at < n) {
        regret_buffer_printf(t, "%zu", number);
        regret_buffer_append_n(t, like->folder + at + d, n - at - d);
    } else {
        regret_buffer_printf(t, "-%zu-of-%zu", number, like->run.range.shards);
    }
}

static void append_command(struct regret_buffer *t, const struct shard *there, size_t number)
{
    struct regret_buffer folder = REGRET_BUFFER_INIT;
    if (number == there->run.range.shard) {
        regret_buffer_append(&folder, there->folder);
    } else {
        append_folder(&folder, there, number);
    }
    regret_buffer_append(t, "    ");
    const struct run_resume missing = {there->folder, regret_buffer_get(&folder), number,
                                       there->run.range.shards};
    run_resume_command(t, &missing, there->run.subject, there->run.n_families);
    regret_buffer_append(t, "\n");
    regret_buffer_free_into(t, &folder);
}

/* The shards [first, last] that were not given lack the replicates [begin, end). Where one ends and
 * the next begins, only computing the costs would tell. */
static void append_gap(struct regret_buffer *t, const struct shard *there, size_t first,
                       size_t last, size_t begin, size_t end)
{
    size_t of = there->run.range.shards;
    if (first > last) {
        return;
    }
    regret_buffer_printf(t,
                         first < last ? "  shards %zu/%zu to %zu/%zu (not given) lack "
                                      : "  shard %zu/%zu (not given) lacks ",
                         first, of, last, of);
    append_replicates(t, &there->run, begin, end);
    regret_buffer_append(t, "\n");
    for (size_t k = first; k <= last; k++) {
        append_command(t, there, k);
    }
}

static void append_unfinished(struct regret_buffer *t, const struct shard *s)
{
    if (s->run.range.begin + s->found == s->run.range.end) {
        return;
    }
    regret_buffer_printf(t, "  shard %zu/%zu (%s, unfinished) lacks ", s->run.range.shard,
                         s->run.range.shards, s->folder);
    append_replicates(t, &s->run, s->run.range.begin + s->found, s->run.range.end);
    regret_buffer_append(t, "\n");
    append_command(t, s, s->run.range.shard);
}

int regret_merge_missing(struct regret_buffer *text, const char *const *runs, size_t n_runs)
{
    struct shard_list list = {NULL, 0};
    TRY(shard_list_read(&list, runs, n_runs));
    size_t number = 1, begin = 0;
    for (size_t i = 0; i < list.n; i++) {
        const struct shard *s = &list.shard[i];
        append_gap(text, s, number, s->run.range.shard - 1, begin, s->run.range.begin);
        append_unfinished(text, s);
        number = s->run.range.shard + 1;
        begin = s->run.range.end;
    }
    const struct shard *last = &list.shard[list.n - 1];
    append_gap(text, last, number, last->run.range.shards, begin,
               last->run.n_cells * last->run.n_seeds);
    shard_list_free(&list);
    return regret_buffer_status(text);
}

/* A merge without its writing. */

struct tally {
    size_t found, doubled, shards; /* replicates, and shards that are there */
};

/* The first shard of the list with the number of its last one. */
static const struct shard *first_of_number(const struct shard_list *list)
{
    const struct shard *last = &list->shard[list->n - 1];
    size_t i = 0;
    while (list->shard[i].run.range.shard != last->run.range.shard) {
        i++;
    }
    return &list->shard[i];
}

/* The last of the list. */
static void append_shard(struct regret_buffer *t, struct tally *tally,
                         const struct shard_list *list)
{
    const struct shard *s = &list->shard[list->n - 1], *first = first_of_number(list);
    const struct shard_range *r = &s->run.range;
    regret_buffer_printf(t, "%s: shard %zu/%zu, %zu of %zu replicates, %zu rows", s->folder,
                         r->shard, r->shards, s->found, r->end - r->begin, s->found * s->run.lines);
    if (first != s) {
        regret_buffer_printf(t, "; the same shard as %s", first->folder);
        tally->doubled += s->found;
    } else {
        tally->found += s->found;
        tally->shards++;
    }
    regret_buffer_append(t, "\n");
}

static void append_whole(struct regret_buffer *t, const struct tally *tally,
                         const struct shard_list *list)
{
    const struct run_file *run = &list->shard[0].run;
    size_t all = run->n_cells * run->n_seeds;
    size_t missing = tally->found < all ? all - tally->found : 0;
    regret_buffer_printf(t,
                         "%zu of %zu shards; rows: %zu found, %zu missing, %zu doubled (%zu of %zu "
                         "replicates)\n",
                         tally->shards, run->range.shards, tally->found * run->lines,
                         missing * run->lines, tally->doubled * run->lines, tally->found, all);
}

/* The first refusal, by the order of the folders as that of a merge. */
struct refusal {
    int rc;
    char message[1024];
};

static void refuse(struct regret_buffer *t, struct refusal *first, int rc, const char *folder)
{
    regret_buffer_printf(t, "%s: refused: %s\n", folder, regret_error_message());
    if (first->rc != REGRET_OK) {
        return;
    }
    first->rc = rc;
    snprintf(first->message, sizeof first->message, "%s", regret_error_message());
}

static int add_all(struct regret_buffer *t, struct shard_list *list, const char *const *runs,
                   size_t n_runs)
{
    struct refusal first = {REGRET_OK, ""};
    struct tally tally = {0, 0, 0};
    for (size_t i = 0; i < n_runs; i++) {
        int rc = shard_list_add(list, runs[i]);
        if (rc == REGRET_E_INPUT || rc == REGRET_E_IO) {
            refuse(t, &first, rc, runs[i]); /* and the others are looked at all the same */
            continue;
        }
        TRY(rc);
        append_shard(t, &tally, list);
    }
    if (list->n > 0) {
        append_whole(t, &tally, list);
    }
    return first.rc != REGRET_OK ? regret_fail(first.rc, "%s", first.message) : REGRET_OK;
}

int regret_merge_preview(struct regret_buffer *text, const char *out, const char *const *runs,
                         size_t n_runs, const struct regret_merge_options *options)
{
    const struct regret_merge_options none = {0}, *o = options != NULL ? options : &none;
    struct shard_list list = {NULL, 0};
    struct run_lock replaced = RUN_LOCK_INIT;
    int rc;
    TRY(shard_list_create(&list, n_runs));
    TRY_CLEANUP(add_all(text, &list, runs, n_runs));
    TRY_CLEANUP(shard_list_order(&list));
    TRY_CLEANUP(shard_list_check_complete(&list));
    if (o->force) {
        TRY_CLEANUP(run_lock_take(&replaced, out));
    }
    TRY_CLEANUP(regret_staging_check(out, o->force, RUN_FILES));
    rc = regret_buffer_status(text);
cleanup:
    run_lock_release(&replaced);
    shard_list_free(&list);
    return rc;
}
