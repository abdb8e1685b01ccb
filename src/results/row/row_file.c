#include "results/row/row_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/core/try.h"
#include "base/files/output.h"
#include "regret/alloc.h"
#include "regret/file.h"

void row_file_name(char name[ROW_FILE_NAME], enum row_file_kind kind, size_t shard, size_t shards)
{
    static const char *const words[] = {"results", "timing"};
    snprintf(name, ROW_FILE_NAME, "%s-%zu-of-%zu.jsonl", words[kind], shard, shards);
}

int row_file_path(char **out, const char *folder, enum row_file_kind kind, size_t shard,
                  size_t shards)
{
    char name[ROW_FILE_NAME];
    row_file_name(name, kind, shard, shards);
    return regret_path_join(out, folder, name);
}

int row_file_parse_name(size_t *shard, size_t *shards, const char *name)
{
    char canonical[ROW_FILE_NAME];
    const char *tail = strrchr(name, '.');
    unsigned i = 0, n = 0;
    if (strncmp(name, "results-", 8) != 0 || tail == NULL || strcmp(tail, ".jsonl") != 0) {
        return -1;
    }
    if (sscanf(name, "results-%4u-of-%4u.jsonl", &i, &n) != 2) {
        return 0;
    }
    row_file_name(canonical, ROW_FILE_RESULTS, i, n); /* no leading zeros, no more digits */
    *shard = i;
    *shards = n;
    return strcmp(canonical, name) == 0 && i >= 1 && i <= n;
}

int row_file_open(struct row_file *f, const char *folder, enum row_file_kind kind, size_t shard,
                  size_t shards, size_t keep)
{
    *f = (struct row_file)ROW_FILE_INIT;
    TRY(row_file_path(&f->path, folder, kind, shard, shards));
    TRY(output_open(&f->fd, f->path, O_WRONLY | O_CREAT | O_APPEND));
    if (ftruncate(f->fd, (off_t)keep) != 0) {
        return regret_fail(REGRET_E_IO, "cannot cut %s: %s", f->path, strerror(errno));
    }
    f->length = keep;
    return REGRET_OK;
}

/* Are the bytes written so far, and no others, where they are looked for? A file that was removed,
 * moved or cut by others takes every write without an error. */
static int check_in_place(const struct row_file *f)
{
    size_t length = 0;
    TRY(output_check_there(&length, f->fd, f->path, "while the run was writing to it"));
    if (length != f->length) {
        return regret_fail(REGRET_E_IO,
                           "%s has %zu bytes, but the run has written %zu: another program has "
                           "changed it",
                           f->path, length, f->length);
    }
    return REGRET_OK;
}

int row_file_append(struct row_file *f, const char *text, size_t length)
{
    TRY(check_in_place(f));
    TRY(output_write(f->fd, text, length, f->path));
    f->length += length;
    return REGRET_OK;
}

int row_file_close(struct row_file *f)
{
    int rc = REGRET_OK;
    if (f->fd >= 0) {
        TRY_CLEANUP(check_in_place(f));
        TRY_CLEANUP(output_sync(f->fd, f->path));
        int closed = close(f->fd);
        f->fd = -1;
        rc = closed == 0
                 ? REGRET_OK
                 : regret_fail(REGRET_E_IO, "cannot write %s: %s", f->path, strerror(errno));
    }
cleanup:
    row_file_abandon(f);
    return rc;
}

void row_file_abandon(struct row_file *f)
{
    if (f->fd >= 0) {
        (void)fsync(f->fd);
        close(f->fd);
    }
    regret_free(f->path);
    *f = (struct row_file)ROW_FILE_INIT;
}
