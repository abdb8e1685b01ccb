#include "results/run/run_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "base/files/input.h"
#include "base/files/output.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "results/row/row_file.h"
#include "results/run/row_scan.h"

enum { MAX_DESCRIPTION_BYTES = 1 << 28 };
static const size_t MAX_ROW_BYTES = (size_t)1 << 36;

void run_lock_release(struct run_lock *lock)
{
    if (lock->fd >= 0) {
        close(lock->fd);
    }
    lock->fd = -1;
}

static int lock_file(struct run_lock *lock, const char *path, const char *folder)
{
    TRY(output_open(&lock->fd, path, O_RDWR));
    int rc;
    do {
        rc = flock(lock->fd, LOCK_EX | LOCK_NB);
    } while (rc != 0 && errno == EINTR);
    if (rc != 0) {
        return errno == EWOULDBLOCK
                   ? regret_fail(REGRET_E_IO,
                                 "another process is writing to %s; wait for it, or give another "
                                 "folder",
                                 folder)
                   : regret_fail(REGRET_E_IO, "cannot lock %s: %s", path, strerror(errno));
    }
    /* The lock is on the open file: of what `path` names now, not of what it named then. */
    return output_check_there(NULL, lock->fd, path, "meanwhile");
}

int run_lock_take(struct run_lock *lock, const char *folder)
{
    struct run_lock taken = RUN_LOCK_INIT;
    char *path = NULL;
    TRY(regret_path_join(&path, folder, "run.json"));
    int rc = input_is_absent(path) ? REGRET_OK : lock_file(&taken, path, folder);
    regret_free(path);
    if (rc != REGRET_OK) {
        run_lock_release(&taken);
        return rc;
    }
    *lock = taken;
    return REGRET_OK;
}

int run_lock_check(const struct run_lock *lock, const char *folder)
{
    FREED char *path = NULL;
    TRY(regret_path_join(&path, folder, "run.json"));
    return output_check_there(NULL, lock->fd, path, "meanwhile");
}

static int not_the_same(const char *folder, const char *what,
                        const struct regret_buffer *difference)
{
    TRY(regret_buffer_status(difference));
    return regret_fail(REGRET_E_INPUT,
                       "%s is a run of another %s (%s); resume it as it was begun, or give another "
                       "folder",
                       folder, what, regret_buffer_get(difference));
}

static int check_same(const struct run_folder *f, const char *old, const struct run_file *here)
{
    struct regret_buffer difference = REGRET_BUFFER_INIT;
    const char *what = "program";
    cJSON *there = NULL;
    int rc = regret_json_parse(&there, old, strlen(old), (struct regret_place){"run.json", 0});
    if (rc == REGRET_E_INPUT) {
        regret_buffer_append(&difference, regret_error_message());
    } else {
        TRY(rc); /* no memory to read it: that says nothing of what is there */
        what = run_difference(&difference, there, here->facts.json, 0);
    }
    rc = what != NULL ? not_the_same(f->path, what, &difference) : REGRET_OK;
    cJSON_Delete(there);
    regret_buffer_free(&difference);
    return rc;
}

/* The folder of an interrupted run, under its lock. */
static int find_folder(struct run_lock *lock, const struct run_folder *f,
                       const struct run_file *here)
{
    FREED char *path = NULL, *old = NULL;
    TRY(run_lock_take(lock, f->path));
    if (lock->fd < 0) {
        return regret_fail(REGRET_E_INPUT,
                           "%s has no run.json, so there is no run to resume; give another folder",
                           f->path);
    }
    TRY(regret_path_join(&path, f->path, "run.json"));
    TRY(regret_file_read(&old, NULL, path, MAX_DESCRIPTION_BYTES));
    return check_same(f, old, here);
}

static int make_folder(struct run_lock *lock, const struct run_folder *f)
{
    struct regret_staging staging = REGRET_STAGING_INIT;
    struct run_lock replaced = RUN_LOCK_INIT;
    char *path = NULL;
    int rc;
    if (f->force) {
        TRY(run_lock_take(&replaced, f->path));
    }
    TRY_CLEANUP(regret_staging_begin(&staging, f->path, f->force, RUN_FILES));
    TRY_CLEANUP(regret_path_join(&path, staging.partial, "run.json"));
    TRY_CLEANUP(regret_file_write(path, f->description, strlen(f->description)));
    TRY_CLEANUP(run_lock_take(lock, staging.partial)); /* goes with the file to its place */
    rc = regret_staging_commit(&staging);
cleanup:
    regret_staging_abandon(&staging);
    run_lock_release(&replaced);
    regret_free(path);
    return rc;
}

static void tell_rest(const struct run_folder *f, const struct row_scan *scan, const char *reason,
                      const char *joint)
{
    char message[1400];
    if (f->notice != NULL) {
        snprintf(message, sizeof message, "%s%s%zu %s kept, the rest is computed again", reason,
                 joint, scan->replicates, scan->replicates == 1 ? "replicate" : "replicates");
        f->notice(f->notice_context, message);
    }
}

/* The rows of this shard that are whole and right. What is wrong with the next one is said. */
static int find_rows(struct run_found *found, const struct run_folder *f,
                     const struct run_file *run)
{
    const struct shard_range *range = &f->range;
    struct row_scan scan = {0, 0};
    char *path = NULL, *text = NULL;
    size_t length = 0;
    int rc;
    TRY_CLEANUP(row_file_path(&path, f->path, ROW_FILE_RESULTS, range->shard, range->shards));
    if (input_is_absent(path)) {
        goto cleanup;
    }
    TRY_CLEANUP(regret_file_read(&text, &length, path, MAX_ROW_BYTES));
    rc = row_scan_read(&scan, run, range->begin, range->end, path, text, length);
    if (rc == REGRET_E_INPUT) { /* damaged: what is before can be kept all the same */
        rc = REGRET_OK;
        tell_rest(f, &scan, regret_error_message(), "; ");
    } else {
        TRY_CLEANUP(rc);
        if (scan.length < length) {
            tell_rest(f, &scan, path, " is cut: ");
        }
    }
    found->replicates = scan.replicates;
    found->row_bytes = scan.length;
cleanup:
    regret_free(path);
    regret_free(text);
    return rc;
}

/* The bytes of the timings of `n` replicates, one line each, as far as they are those. */
static size_t timing_length(const char *text, const struct run_file *run, size_t begin, size_t n)
{
    char start[96];
    const char *line = text;
    for (size_t i = begin; i < begin + n; i++) {
        const char *stop = strchr(line, '\n');
        snprintf(start, sizeof start, "{\"cell\":%zu,\"seed\":%lld,", i % run->n_cells,
                 run->first_seed + (long long)(i / run->n_cells));
        if (stop == NULL || strncmp(line, start, strlen(start)) != 0 || stop[-1] != '}') {
            break;
        }
        line = stop + 1;
    }
    return (size_t)(line - text);
}

/* Timings are in no result: as many as belong to the kept rows are kept in silence. */
static int find_timings(struct run_found *found, const struct run_folder *f,
                        const struct run_file *run)
{
    const struct shard_range *range = &f->range;
    FREED char *path = NULL, *text = NULL;
    TRY(row_file_path(&path, f->path, ROW_FILE_TIMING, range->shard, range->shards));
    if (!input_is_absent(path)) {
        TRY(regret_file_read(&text, NULL, path, MAX_ROW_BYTES));
        found->timing_bytes = timing_length(text, run, range->begin, found->replicates);
    }
    return REGRET_OK;
}

static int is_begun(const struct run_folder *f)
{
    return regret_file_exists(f->path) && !regret_folder_is_empty(f->path);
}

/* Whatever make_folder() would refuse. */
static int check_folder(const struct run_folder *f)
{
    struct run_lock replaced = RUN_LOCK_INIT;
    TRY(f->force ? run_lock_take(&replaced, f->path) : REGRET_OK);
    run_lock_release(&replaced);
    return regret_staging_check(f->path, f->force, RUN_FILES);
}

/* What a run without an end left, if there is one; else its folder is made, or (`look`) only could be. */
static int resume(struct run_lock *lock, struct run_found *found, const struct run_folder *f,
                  int look)
{
    const struct regret_place at = {f->path, 0};
    FREED_BY(run_file_free) struct run_file here = {0};
    TRY(look ? REGRET_OK : regret_staging_recover(f->path));
    TRY(run_file_parse(&here, f->description, at));
    TRY(run_file_read_order(&here, at));
    if (is_begun(f)) {
        TRY(find_folder(lock, f, &here));
    } else {
        TRY(look ? check_folder(f) : make_folder(lock, f));
    }
    TRY(find_rows(found, f, &here));
    return find_timings(found, f, &here);
}

int run_folder_open(struct run_lock *lock, struct run_found *found, const struct run_folder *f)
{
    *found = (struct run_found){0, 0, 0};
    int rc = f->resume ? resume(lock, found, f, 0) : make_folder(lock, f);
    int is_there = rc == REGRET_E_INPUT && !f->resume && !f->force && is_begun(f);
    return is_there ? regret_fail_suffix(rc, "; a run that was stopped goes on with --resume") : rc;
}

int run_folder_look(struct run_found *found, const struct run_folder *f)
{
    struct run_lock lock = RUN_LOCK_INIT;
    *found = (struct run_found){0, 0, 0};
    int rc = f->resume ? resume(&lock, found, f, 1) : check_folder(f);
    run_lock_release(&lock);
    return rc;
}
