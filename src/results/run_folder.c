#include "results/run_folder.h"

#include <cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/files.h"
#include "base/input.h"
#include "base/status.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "results/results.h"
#include "results/row.h"
#include "results/run_file.h"

/* The lists of the replicate that is being scanned. */
struct scanned {
    struct row_lists lists;
    size_t contexts; /* they are about; 0 before the first */
};

static int check_lists(struct scanned *s, const struct row *row, const cJSON *json,
                       const struct regret_run_grid *grid, struct regret_place at)
{
    TRY(row_lists_read(&s->lists, row, json, grid, at));
    size_t n = row_lists_contexts(&s->lists, s->lists.rows - 1);
    if (n > 0 && s->contexts > 0 && n != s->contexts) {
        return row_lists_differ(n, s->contexts, at);
    }
    s->contexts = n > 0 ? n : s->contexts;
    return REGRET_OK;
}

/* Is the row that of this line of this replicate, with everything the program writes into one? */
static int check_row(struct scanned *s, const struct run_file *run, size_t replicate, size_t line,
                     const cJSON *json, struct regret_place at)
{
    const struct regret_subject *wanted = &run->subject[line];
    long long cell = (long long)(replicate % run->n_cells);
    long long seed = run->first_seed + (long long)(replicate / run->n_cells);
    const cJSON *key = NULL;
    struct row row;
    TRY(row_read_head(&row, json, 1LL << 53, at));
    TRY(regret_json_get_object(&key, json, "key", at));
    if (row.cell != cell || row.seed != seed || row.kind != wanted->kind ||
        strcmp(row.name, wanted->name) != 0) {
        return regret_json_error(
            at, "cell %lld, seed %lld, %s stands where cell %lld, seed %lld, %s belongs", row.cell,
            row.seed, row.name, cell, seed, wanted->name);
    }
    if (!cJSON_Compare(key, run->key[cell], 1)) {
        return regret_json_error(at, "\"key\" is not that of cell %lld", cell);
    }
    TRY(row_read_measures(&row, json, at));
    TRY(check_lists(s, &row, json, run_file_grid(run, (size_t)cell), at));
    return row_is_whole(&row, json) ? REGRET_OK
                                    : regret_json_error(at, "the row has not all of its fields");
}

static int check_line(struct scanned *s, const struct run_file *run, size_t replicate, size_t line,
                      const char *text, size_t length, struct regret_place at)
{
    cJSON *row = NULL;
    if (strspn(text, " \t\r\n") >= length) {
        return regret_json_error(at, "a blank line among the rows");
    }
    TRY(regret_json_parse(&row, text, length, at));
    int rc = cJSON_IsObject(row) ? check_row(s, run, replicate, line, row, at)
                                 : regret_json_error(at, "a row must be a JSON object");
    cJSON_Delete(row);
    return rc;
}

int row_scan_read(struct row_scan *out, const struct run_file *run, size_t begin, size_t end,
                  const char *path, const char *text, size_t length)
{
    struct regret_place at = {path, 0};
    struct scanned s = {0};
    size_t offset = 0, line = 0;
    int rc = REGRET_OK;
    *out = (struct row_scan){0, 0};
    while (begin + out->replicates < end) {
        const char *stop = memchr(text + offset, '\n', length - offset);
        if (stop == NULL) {
            break;
        }
        at.line++;
        size_t n = (size_t)(stop - text) - offset;
        TRY_CLEANUP(check_line(&s, run, begin + out->replicates, line, text + offset, n, at));
        offset += n + 1;
        if (++line == run->lines) {
            line = 0;
            out->replicates++;
            out->length = offset;
            s.lists.n = s.lists.rows = s.contexts = 0;
        }
    }
cleanup:
    row_lists_clear(&s.lists);
    return rc;
}

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

/* Are two run.json of one run, and if not, in what do they differ? */

/* The member, or the next where it is the description of the families and the other side has none:
 * that of a program that did not write it. */
static const cJSON *past_facts(const cJSON *member, const cJSON *other)
{
    int facts =
        member != NULL && member->string != NULL && strcmp(member->string, RUN_FAMILY_FACTS) == 0 &&
        !(other != NULL && other->string != NULL && strcmp(other->string, RUN_FAMILY_FACTS) == 0);
    return facts ? member->next : member;
}

/* Members in the same order, but for those that may differ. */
static int same_members(const cJSON *a, const cJSON *b,
                        int (*may_differ)(const cJSON *member, const cJSON *other))
{
    const cJSON *v = a != NULL ? a->child : NULL, *w = b != NULL ? b->child : NULL;
    for (; v != NULL && w != NULL; v = v->next, w = w->next) {
        const cJSON *first = v;
        v = past_facts(v, w);
        w = past_facts(w, first);
        if (v == NULL || w == NULL) {
            break;
        }
        int named = v->string != NULL && w->string != NULL;
        if ((named && strcmp(v->string, w->string) != 0) ||
            !((named && may_differ != NULL && may_differ(v, w)) || run_same_json(v, w))) {
            return 0;
        }
    }
    return v == NULL && w == NULL;
}

int run_same_json(const cJSON *a, const cJSON *b)
{
    if ((a->type & 0xFF) != (b->type & 0xFF)) {
        return 0;
    }
    return cJSON_IsString(a)   ? strcmp(a->valuestring, b->valuestring) == 0
           : cJSON_IsNumber(a) ? a->valuedouble == b->valuedouble
                               : same_members(a, b, NULL);
}

static int is_config(const cJSON *member, const cJSON *other)
{
    (void)other;
    return strcmp(member->string, "config") == 0;
}

static int is_config_or_range(const cJSON *member, const cJSON *other)
{
    return is_config(member, other) || strcmp(member->string, "shard") == 0 ||
           strcmp(member->string, "begin") == 0 || strcmp(member->string, "replicates") == 0;
}

/* Of a family of one's own, a path: what lies there is told by the digest. */
static int is_family_path(const cJSON *member, const cJSON *other)
{
    return cJSON_IsString(member) && cJSON_IsString(other) &&
           (strcmp(member->string, "folder") == 0 || strcmp(member->string, "predictions") == 0);
}

static int same_families(const cJSON *a, const cJSON *b)
{
    const cJSON *v = a->child, *w = b->child;
    while (v != NULL && w != NULL &&
           (cJSON_IsObject(v) && cJSON_IsObject(w) ? same_members(v, w, is_family_path)
                                                   : run_same_json(v, w))) {
        v = v->next;
        w = w->next;
    }
    return v == NULL && w == NULL;
}

static int is_path(const cJSON *member, const cJSON *other)
{
    if (cJSON_IsArray(member) && cJSON_IsArray(other) && strcmp(member->string, "families") == 0) {
        return same_families(member, other);
    }
    return cJSON_IsString(member) && strcmp(member->string, "pool") == 0;
}

static int same_run(const cJSON *a, const cJSON *b, int any_shard)
{
    return cJSON_IsObject(a) && cJSON_IsObject(b) &&
           same_members(a, b, any_shard ? is_config_or_range : is_config) &&
           same_members(cJSON_GetObjectItemCaseSensitive(a, "config"),
                        cJSON_GetObjectItemCaseSensitive(b, "config"), is_path);
}

static void put_value(struct regret_buffer *text, const cJSON *value)
{
    enum { COLUMNS = 60 };
    char *json = value != NULL ? cJSON_PrintUnformatted(value) : NULL;
    if (value != NULL && json == NULL) {
        text->status = regret_fail(REGRET_E_NOMEM, "out of memory: a difference of two runs");
    }
    regret_buffer_append_safe(text, json != NULL ? json : "absent", COLUMNS);
    cJSON_free(json);
}

/* " is A there, B here" */
static void put_both(struct regret_buffer *text, const cJSON *there, const cJSON *here)
{
    regret_buffer_append(text, " is ");
    put_value(text, there);
    regret_buffer_append(text, " there, ");
    put_value(text, here);
    regret_buffer_append(text, " here");
}

/* The first member in which two objects differ, `skip` left out: 1, with "NAME is A there, B here"
 * put down. */
static int members_differ(struct regret_buffer *text, const char *prefix, const cJSON *a,
                          const cJSON *b, const char *skip)
{
    const cJSON *const sides[] = {b, a};
    for (size_t s = 0; s < 2; s++) {
        for (const cJSON *v = sides[s] != NULL ? sides[s]->child : NULL; v != NULL; v = v->next) {
            const cJSON *there = cJSON_GetObjectItemCaseSensitive(a, v->string);
            const cJSON *here = cJSON_GetObjectItemCaseSensitive(b, v->string);
            int same = there != NULL && here != NULL &&
                       (cJSON_Compare(there, here, 1) ||
                        (strcmp(v->string, "families") == 0 && is_path(there, here)));
            if (same || (skip != NULL && strcmp(v->string, skip) == 0)) {
                continue;
            }
            regret_buffer_append(text, prefix);
            regret_buffer_append_safe(text, v->string, 60);
            put_both(text, there, here);
            return 1;
        }
    }
    return 0;
}

static int configs_differ(struct regret_buffer *text, const cJSON *a, const cJSON *b)
{
    const cJSON *config_a = cJSON_GetObjectItemCaseSensitive(a, "config");
    const cJSON *config_b = cJSON_GetObjectItemCaseSensitive(b, "config");
    const cJSON *sweep_a = cJSON_GetObjectItemCaseSensitive(config_a, "sweep");
    const cJSON *sweep_b = cJSON_GetObjectItemCaseSensitive(config_b, "sweep");
    if (members_differ(text, "sweep.", sweep_a, sweep_b, NULL)) {
        return 1;
    }
    /* Where the pool lies does not matter, what is in it is told by its digest. Of a generated
     * pool the keys that made it come first. */
    return members_differ(text, "", config_a, config_b, "pool");
}

/* A member of the whole description: 1 when it differs. */
static int field_differs(struct regret_buffer *text, const char *field, const cJSON *a,
                         const cJSON *b)
{
    const cJSON *there = cJSON_GetObjectItemCaseSensitive(a, field);
    const cJSON *here = cJSON_GetObjectItemCaseSensitive(b, field);
    if (there != NULL && here != NULL && cJSON_Compare(there, here, 1)) {
        return 0;
    }
    if (cJSON_IsObject(there) && cJSON_IsObject(here)) {
        regret_buffer_printf(text, "its ");
        return members_differ(text, "", there, here, NULL);
    }
    regret_buffer_append(text, field);
    put_both(text, there, here);
    return 1;
}

/* The files of a family of one's own: 1 when they differ. */
static int digests_differ(struct regret_buffer *text, const cJSON *a, const cJSON *b)
{
    const cJSON *there = cJSON_GetObjectItemCaseSensitive(a, RUN_FAMILY_FACTS);
    const cJSON *here = cJSON_GetObjectItemCaseSensitive(b, RUN_FAMILY_FACTS);
    int n = cJSON_GetArraySize(here);
    for (int i = 0; i < n && i < cJSON_GetArraySize(there); i++) {
        const cJSON *name = cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(here, i), "family");
        const cJSON *before =
            cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(there, i), "digest");
        const cJSON *now = cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(here, i), "digest");
        if ((before == NULL) != (now == NULL) || (now != NULL && !cJSON_Compare(before, now, 1))) {
            regret_buffer_append(text, "the digest of the files of ");
            regret_buffer_append_safe(text, cJSON_IsString(name) ? name->valuestring : "a family",
                                      60);
            put_both(text, before, now);
            return 1;
        }
    }
    return 0;
}

const char *run_difference(struct regret_buffer *text, const cJSON *there, const cJSON *here,
                           int any_shard)
{
    static const struct {
        const char *field, *word;
    } parts[] = {{"pool", "pool"},
                 {"shard", "shard"},
                 {"begin", "program"},
                 {"version", "program"},
                 {"results_version", "program"},
                 {"blas", "machine"}};
    if (same_run(there, here, any_shard)) {
        return NULL;
    }
    if (configs_differ(text, there, here)) {
        return "configuration";
    }
    if (digests_differ(text, there, here)) {
        return "estimator";
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (any_shard &&
            (strcmp(parts[i].field, "shard") == 0 || strcmp(parts[i].field, "begin") == 0)) {
            continue;
        }
        if (field_differs(text, parts[i].field, there, here)) {
            return parts[i].word;
        }
    }
    regret_buffer_append(text, "its run.json was written by another build");
    return "program";
}
