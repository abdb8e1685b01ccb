#include "experiment/run_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "base/try.h"
#include "experiment/row_order.h"
#include "experiment/run_file.h"
#include "regret/alloc.h"
#include "regret/file.h"

enum { MAX_DESCRIPTION_BYTES = 1 << 28 };
static const size_t MAX_ROW_BYTES = (size_t)1 << 36;

void run_lock_release(struct run_lock *lock)
{
    if (lock->fd >= 0) {
        close(lock->fd);
    }
    lock->fd = -1;
}

/* The lock is on the open file: of what `path` names now, not of what it named when it was opened. */
static int check_still_there(const struct run_lock *lock, const char *path)
{
    struct stat held, found;
    if (fstat(lock->fd, &held) != 0) {
        return regret_fail(REGRET_E_IO, "cannot examine %s: %s", path, strerror(errno));
    }
    if (lstat(path, &found) != 0 || held.st_dev != found.st_dev || held.st_ino != found.st_ino) {
        return regret_fail(REGRET_E_IO, "%s was removed, moved or replaced meanwhile", path);
    }
    return REGRET_OK;
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
    return check_still_there(lock, path);
}

int run_lock_take(struct run_lock *lock, const char *folder)
{
    struct run_lock taken = RUN_LOCK_INIT;
    char *path = NULL;
    TRY(regret_path_join(&path, folder, "run.json"));
    int rc = regret_file_exists(path) ? lock_file(&taken, path, folder) : REGRET_OK;
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
    char *path = NULL;
    TRY(regret_path_join(&path, folder, "run.json"));
    int rc = check_still_there(lock, path);
    regret_free(path);
    return rc;
}

/* The folder of an interrupted run, under its lock. */
static int find_folder(struct run_lock *lock, const char *out, const char *description)
{
    struct regret_text difference = REGRET_TEXT_INIT;
    char *path = NULL, *old = NULL;
    int rc = run_lock_take(lock, out);
    if (rc == REGRET_OK && lock->fd < 0) {
        rc = regret_fail(REGRET_E_INPUT,
                         "%s has no run.json, so there is no run to resume; give another folder",
                         out);
    }
    if (rc == REGRET_OK && (rc = regret_path_join(&path, out, "run.json")) == REGRET_OK &&
        (rc = regret_file_read(&old, NULL, path, MAX_DESCRIPTION_BYTES)) == REGRET_OK &&
        !run_file_same(old, description, 0)) {
        const char *what = run_file_difference(&difference, old, description, 0);
        rc = regret_text_status(&difference);
        if (rc == REGRET_OK) {
            rc = regret_fail(REGRET_E_INPUT,
                             "%s is a run of another %s (%s); resume it as it was begun, or give "
                             "another folder",
                             out, what, regret_text_get(&difference));
        }
    }
    regret_text_free(&difference);
    regret_free(path);
    regret_free(old);
    return rc;
}

static int make_folder(struct run_lock *lock, const struct regret_run_options *o,
                       const char *description)
{
    struct regret_staging staging = REGRET_STAGING_INIT;
    struct run_lock replaced = RUN_LOCK_INIT;
    char *path = NULL;
    int rc;
    if (o->force) {
        TRY(run_lock_take(&replaced, o->out));
    }
    TRY_CLEANUP(regret_staging_begin(&staging, o->out, o->force, "run.json"));
    TRY_CLEANUP(regret_path_join(&path, staging.partial, "run.json"));
    TRY_CLEANUP(regret_file_write(path, description, strlen(description)));
    TRY_CLEANUP(run_lock_take(lock, staging.partial)); /* goes with the file to its place */
    rc = regret_staging_commit(&staging);
cleanup:
    regret_staging_abandon(&staging);
    run_lock_release(&replaced);
    regret_free(path);
    return rc;
}

int run_folder_open(struct run_lock *lock, const struct regret_run_options *o,
                    const char *description)
{
    if (o->resume) {
        TRY(regret_staging_recover(o->out));
    }
    int there = regret_file_exists(o->out) && !regret_folder_is_empty(o->out);
    return o->resume && there ? find_folder(lock, o->out, description)
                              : make_folder(lock, o, description);
}

/* The rows of this shard that are whole and right. What is wrong with the next one is said. */
static int find_rows(struct run_found *found, const struct regret_run_options *o,
                     const struct row_order *order, size_t begin, size_t end)
{
    struct row_scan scan = {0, 0};
    char name[96], *path = NULL, *text = NULL;
    size_t length = 0;
    snprintf(name, sizeof name, "results-%zu-of-%zu.jsonl", o->shard, o->shards);
    int rc = regret_path_join(&path, o->out, name);
    if (rc == REGRET_OK && regret_file_exists(path)) {
        rc = regret_file_read(&text, &length, path, MAX_ROW_BYTES);
        if (rc == REGRET_OK) {
            rc = row_order_scan(&scan, order, begin, end, path, text, length);
        }
        int damaged = rc == REGRET_E_INPUT && text != NULL;
        if ((rc == REGRET_OK || damaged) && scan.length < length && o->notice != NULL) {
            char message[1400];
            snprintf(message, sizeof message, "%s%s%zu %s kept, the rest is computed again",
                     damaged ? regret_error_message() : path,
                     damaged ? "; " : " is cut: ", scan.replicates,
                     scan.replicates == 1 ? "replicate" : "replicates");
            o->notice(o->notice_context, message);
        }
        rc = damaged ? REGRET_OK : rc;
    }
    found->replicates = scan.replicates;
    found->row_bytes = scan.length;
    regret_free(path);
    regret_free(text);
    return rc;
}

/* Timings are in no result: as many as belong to the kept rows, one line each, are kept in silence. */
static int find_timings(struct run_found *found, const struct regret_run_options *o,
                        const struct row_order *order, size_t begin)
{
    char name[96], start[96], *path = NULL, *text = NULL;
    snprintf(name, sizeof name, "timing-%zu-of-%zu.jsonl", o->shard, o->shards);
    int rc = regret_path_join(&path, o->out, name);
    if (rc == REGRET_OK && regret_file_exists(path)) {
        rc = regret_file_read(&text, NULL, path, MAX_ROW_BYTES);
    }
    const char *line = text;
    for (size_t i = begin; line != NULL && i < begin + found->replicates; i++) {
        const char *stop = strchr(line, '\n');
        snprintf(start, sizeof start, "{\"cell\":%zu,\"seed\":%lld,", i % order->cells,
                 order->first_seed + (long long)(i / order->cells));
        if (stop == NULL || strncmp(line, start, strlen(start)) != 0 || stop[-1] != '}') {
            break;
        }
        line = stop + 1;
    }
    found->timing_bytes = line != NULL ? (size_t)(line - text) : 0;
    regret_free(path);
    regret_free(text);
    return rc;
}

int run_folder_find(struct run_found *out, const struct regret_run_options *o,
                    const char *description, size_t begin, size_t end)
{
    struct run_found found = {0, 0, 0};
    struct row_order order = {0};
    int rc = REGRET_OK;
    if (o->resume) {
        rc = row_order_read(&order, description, (struct regret_place){o->out, 0});
        if (rc == REGRET_OK && (rc = find_rows(&found, o, &order, begin, end)) == REGRET_OK) {
            rc = find_timings(&found, o, &order, begin);
        }
    }
    row_order_free(&order);
    if (rc == REGRET_OK) {
        *out = found;
    }
    return rc;
}
