#include "regret/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core/try.h"
#include "base/files/input.h"
#include "base/files/output.h"
#include "regret/alloc.h"

int regret_file_read(char **out, size_t *length, const char *path, size_t limit)
{
    int rc, fd = -1;
    char *data = NULL;
    size_t size = 0, got = 0;
    TRY(input_open_regular(&fd, &size, path));
    if (size > limit) {
        rc = regret_fail(REGRET_E_INPUT, "%s has %zu bytes; at most %zu are read", path, size,
                         limit);
        goto cleanup;
    }
    TRY_CLEANUP(regret_calloc((void **)&data, size + 1, 1, path));
    TRY_CLEANUP(input_read(&got, fd, data, size, path));
    *out = data;
    data = NULL;
    if (length != NULL) {
        *length = got;
    }
cleanup:
    close(fd);
    regret_free(data);
    return rc;
}

/* Opens a fresh neighbour of `path`: a name that no other process and no planted link has. */
static int open_neighbour(int *fd, char **out, const char *path)
{
    enum { MOST = 1000 };
    struct regret_buffer name = REGRET_BUFFER_INIT;
    int rc = REGRET_OK;
    for (int i = 0; i < MOST; i++) {
        regret_buffer_clear(&name);
        regret_buffer_printf(&name, "%s.tmp-%ld-%d", path, (long)getpid(), i);
        TRY_CLEANUP(regret_buffer_status(&name));
        rc = output_open(fd, regret_buffer_get(&name), O_WRONLY | O_CREAT | O_EXCL);
        if (rc == REGRET_OK || !regret_file_exists(regret_buffer_get(&name))) {
            break; /* another may have the name, and then the next one is tried */
        }
    }
    TRY_CLEANUP(rc);
    rc = regret_strdup(out, regret_buffer_get(&name));
    if (rc != REGRET_OK) {
        close(*fd);
        unlink(regret_buffer_get(&name));
    }
cleanup:
    regret_buffer_free(&name);
    return rc;
}

/* With `keeps` what stands at `path` is not replaced. */
static int put_in_place(const char *temporary, const char *path, int keeps)
{
    int failed = keeps ? link(temporary, path) : rename(temporary, path);
    if (failed != 0 && keeps && errno != EEXIST && !regret_file_exists(path)) {
        failed = rename(temporary, path); /* no file system of links */
    } else if (failed == 0 && keeps) {
        unlink(temporary);
    }
    return failed == 0 ? REGRET_OK
           : keeps && errno == EEXIST
               ? regret_fail(REGRET_E_INPUT, "%s is there already; --force replaces it", path)
               : io_error("put in place", path);
}

static int write_whole(const char *path, const char *data, size_t length, int keeps)
{
    char *temporary = NULL;
    int fd = -1, rc;
    TRY(open_neighbour(&fd, &temporary, path));
    TRY_CLEANUP(output_write(fd, data, length, temporary));
    TRY_CLEANUP(output_sync(fd, temporary));
    int closed = close(fd);
    fd = -1;
    rc = closed != 0 ? io_error("write", temporary) : put_in_place(temporary, path, keeps);
cleanup:
    if (fd >= 0) {
        close(fd);
    }
    if (rc != REGRET_OK) {
        unlink(temporary);
    }
    regret_free(temporary);
    return rc;
}

int regret_file_write(const char *path, const char *data, size_t length)
{
    return write_whole(path, data, length, 0);
}

int regret_file_write_new(const char *path, const char *data, size_t length)
{
    return write_whole(path, data, length, 1);
}

int regret_file_write_text(const char *folder, const char *name, const struct regret_buffer *text)
{
    FREED char *path = NULL;
    TRY(regret_buffer_status(text));
    TRY(regret_path_join(&path, folder, name));
    return regret_file_write(path, regret_buffer_get(text), text->length);
}

int regret_file_exists(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

int regret_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

void folder_remove_made(char *path, size_t there)
{
    for (size_t n = strlen(path); n > there && rmdir(path) == 0;) {
        while (n > there && path[n - 1] != '/') {
            n--;
        }
        while (n > there && path[n - 1] == '/') {
            n--;
        }
        path[n] = '\0';
    }
}

int folder_create(size_t *there, const char *path)
{
    char *copy = NULL;
    int rc = REGRET_OK;
    TRY(regret_strdup(&copy, path));
    *there = 0;
    for (char *p = copy + 1; copy[0] != '\0'; p++) {
        if (*p != '/' && *p != '\0') {
            continue;
        }
        char end = *p;
        *p = '\0';
        int is_there = mkdir(copy, 0777) != 0;
        if (is_there && !(errno == EEXIST && regret_is_folder(copy))) {
            rc = io_error("create folder", copy);
            while (*p != '/' && p > copy) {
                p--;
            }
            *p = '\0';
            folder_remove_made(copy, *there);
            break;
        }
        *there = is_there ? (size_t)(p - copy) : *there;
        *p = end;
        if (end == '\0') {
            break;
        }
    }
    regret_free(copy);
    return rc;
}

int regret_folder_create(const char *path)
{
    size_t there;
    return folder_create(&there, path);
}

enum { MAX_FOLDER_DEPTH = 32 };

/* Removes `name` of the open folder `parent`. Allocates nothing of ours: folders half made for want
 * of memory must go, too. */
static int remove_entry(int parent, const char *name, int depth);

static int remove_contents(DIR *folder, const char *name, int depth)
{
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(folder);
        if (entry == NULL) {
            return errno == 0 ? REGRET_OK : io_error("list", name);
        }
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        if (depth == MAX_FOLDER_DEPTH) {
            return regret_fail(REGRET_E_IO, "cannot remove %s: more than %d folders deep", name,
                               MAX_FOLDER_DEPTH);
        }
        TRY(remove_entry(dirfd(folder), entry->d_name, depth + 1));
    }
}

static int remove_entry(int parent, const char *name, int depth)
{
    struct stat info;
    if (fstatat(parent, name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
        return errno == ENOENT ? REGRET_OK : io_error("examine", name);
    }
    if (!S_ISDIR(info.st_mode)) {
        return unlinkat(parent, name, 0) == 0 || errno == ENOENT ? REGRET_OK
                                                                 : io_error("remove", name);
    }
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    if (folder == NULL) {
        int rc = io_error("open", name);
        if (fd >= 0) {
            close(fd);
        }
        return rc;
    }
    int rc = remove_contents(folder, name, depth);
    closedir(folder);
    TRY(rc);
    return unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT ? REGRET_OK
                                                                        : io_error("remove", name);
}

int regret_folder_remove(const char *path)
{
    return remove_entry(AT_FDCWD, path, 0);
}

int regret_path_join(char **out, const char *folder, const char *name)
{
    size_t n = strlen(folder);
    const char *slash = n > 0 && folder[n - 1] == '/' ? "" : "/";
    size_t size = n + strlen(slash) + strlen(name) + 1;
    char *joined = NULL;
    TRY(regret_calloc((void **)&joined, size, 1, "a path"));
    snprintf(joined, size, "%s%s%s", folder, slash, name);
    *out = joined;
    return REGRET_OK;
}

int regret_folder_is_empty(const char *path)
{
    struct stat info;
    DIR *folder = lstat(path, &info) == 0 && S_ISDIR(info.st_mode) ? opendir(path) : NULL;
    if (folder == NULL) {
        return 0;
    }
    int empty = 1;
    const struct dirent *entry;
    while (errno = 0, empty && (entry = readdir(folder)) != NULL) {
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    }
    empty = empty && errno == 0; /* what cannot be listed is not known to be empty */
    closedir(folder);
    return empty;
}
