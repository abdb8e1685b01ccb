#include "import/build/provenance.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/core/texts.h"
#include "base/core/try.h"
#include "base/files/output.h"
#include "base/text/path.h"
#include "regret/alloc.h"
#include "regret/buffer.h"
#include "regret/file.h"

int import_note_file(struct import_builder *b, const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0) { /* "-", or a part of an archive */
        return errno == ENOENT || errno == ENOTDIR ? REGRET_OK : io_error("look at", path);
    }
    if (!S_ISREG(info.st_mode)) {
        return REGRET_OK;
    }
    for (size_t i = 0; i < b->n_files; i++) {
        if (strcmp(b->files[i], path) == 0) {
            return REGRET_OK;
        }
    }
    TRY(regret_grow((void **)&b->files, &b->files_capacity, b->n_files, sizeof *b->files, "files"));
    TRY(regret_strdup(&b->files[b->n_files], path));
    b->n_files++;
    return REGRET_OK;
}

/* The file and, where it is asked for, the folder before it. */
static const char *tail_of(const char *path, int with_folder)
{
    const char *name = path_last(path);
    name -= with_folder && name > path;
    while (with_folder && name > path && name[-1] != '/') {
        name--;
    }
    return name;
}

/* A text of a history is a line. */
static int name_file(char **out, const char *path, int with_folder)
{
    FREED_BY(regret_buffer_free) struct regret_buffer line = REGRET_BUFFER_INIT;
    regret_buffer_append_safe(&line, tail_of(path, with_folder), REGRET_POOL_MAX_ID);
    TRY(regret_buffer_status(&line));
    return regret_strdup(out, regret_buffer_get(&line));
}

/* When the file was last changed, no later than the import: under SOURCE_DATE_EPOCH a copy of it has the same date. */
static int date_file(char out[24], const char *path, const char *latest)
{
    struct stat info;
    struct tm day;
    if (stat(path, &info) != 0) {
        return io_error("look at", path);
    }
    if (latest != NULL && gmtime_r(&info.st_mtime, &day) != NULL &&
        strftime(out, 24, "%Y-%m-%dT%H:%M:%SZ", &day) > 0 && strcmp(out, latest) > 0) {
        snprintf(out, 24, "%s", latest);
    }
    return REGRET_OK;
}

int import_record(struct import_builder *b, const char *name, const char *date, int with_folder)
{
    struct regret_buffer what = REGRET_BUFFER_INIT;
    struct regret_pool_source *from = NULL;
    size_t n = b->n_files < REGRET_POOL_MAX_HISTORY ? b->n_files : REGRET_POOL_MAX_HISTORY;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&from, n));
    for (size_t i = 0; i < n; i++) {
        TRY_CLEANUP(name_file(&from[i].name, b->files[i], with_folder));
        TRY_CLEANUP(date_file(from[i].date, b->files[i], date));
        TRY_CLEANUP(regret_digest_file(from[i].digest, b->files[i]));
    }
    regret_buffer_printf(&what, "import %s", name);
    if (b->n_files > n) {
        regret_buffer_printf(&what, " (%zu files, the first %zu below)", b->n_files, n);
    }
    TRY_CLEANUP(regret_buffer_status(&what));
    rc = regret_pool_record(b->pool, regret_buffer_get(&what), date, from, n);
cleanup:
    for (size_t i = 0; from != NULL && i < n; i++) {
        regret_free(from[i].name);
    }
    regret_free(from);
    regret_buffer_free(&what);
    return rc;
}
