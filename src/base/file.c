#include "regret/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "regret/alloc.h"

static int io_error(const char *action, const char *path)
{
    return regret_fail(REGRET_E_IO, "cannot %s %s: %s", action, path, strerror(errno));
}

int regret_file_read(char **out, size_t *length, const char *path, size_t limit)
{
    int rc = REGRET_OK;
    char *data = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        rc = regret_fail(errno == ENOENT ? REGRET_E_INPUT : REGRET_E_IO, "cannot open %s: %s", path,
                         strerror(errno));
        goto cleanup;
    }
    struct stat info;
    if (fstat(fd, &info) != 0) {
        rc = io_error("examine", path);
        goto cleanup;
    }
    if (!S_ISREG(info.st_mode)) {
        rc = regret_fail(REGRET_E_INPUT,
                         "%s is not a regular file, but a folder or a pipe; give a file", path);
        goto cleanup;
    }
    if ((uint64_t)info.st_size > limit) {
        rc = regret_fail(REGRET_E_INPUT, "%s has %lld bytes; at most %zu are read", path,
                         (long long)info.st_size, limit);
        goto cleanup;
    }
    size_t size = (size_t)info.st_size;
    rc = regret_calloc((void **)&data, size + 1, 1, path);
    size_t got = 0;
    while (rc == REGRET_OK && got < size) {
        ssize_t n = read(fd, data + got, size - got);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            rc = io_error("read", path);
        }
        if (n <= 0) {
            break;
        }
        got += (size_t)n;
    }
    if (rc == REGRET_OK) {
        *out = data;
        data = NULL;
        if (length != NULL) {
            *length = got;
        }
    }
cleanup:
    if (fd >= 0) {
        close(fd);
    }
    regret_free(data);
    return rc;
}

static int write_all(int fd, const char *data, size_t length)
{
    while (length > 0) {
        ssize_t n = write(fd, data, length);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return -1;
        }
        data += n;
        length -= (size_t)n;
    }
    return 0;
}

static int with_suffix(char **out, const char *path, const char *suffix)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    char *joined = NULL;
    int rc = regret_calloc((void **)&joined, n + strlen(suffix) + 1, 1, "a path");
    if (rc != REGRET_OK) {
        return rc;
    }
    memcpy(joined, path, n);
    memcpy(joined + n, suffix, strlen(suffix) + 1);
    *out = joined;
    return REGRET_OK;
}

int regret_file_write(const char *path, const char *data, size_t length)
{
    char *temporary = NULL;
    int fd = -1;
    int rc = with_suffix(&temporary, path, ".tmp");
    if (rc != REGRET_OK) {
        return rc;
    }
    fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
        rc = io_error("create", temporary);
        goto cleanup;
    }
    if (write_all(fd, data, length) != 0 || fsync(fd) != 0) {
        rc = io_error("write", temporary);
        goto cleanup;
    }
    int closed = close(fd);
    fd = -1;
    if (closed != 0) {
        rc = io_error("write", temporary);
    } else if (rename(temporary, path) != 0) {
        rc = io_error("put in place", path);
    }
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

int regret_file_write_text(const char *folder, const char *name, const struct regret_text *text)
{
    char *path = NULL;
    int rc = regret_text_status(text);
    if (rc == REGRET_OK) {
        rc = regret_path_join(&path, folder, name);
    }
    if (rc == REGRET_OK) {
        rc = regret_file_write(path, regret_text_get(text), text->length);
    }
    regret_free(path);
    return rc;
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

int regret_folder_create(const char *path)
{
    char *copy = NULL;
    int rc = regret_strdup(&copy, path);
    if (rc != REGRET_OK) {
        return rc;
    }
    for (char *p = copy + 1; rc == REGRET_OK && copy[0] != '\0'; p++) {
        if (*p != '/' && *p != '\0') {
            continue;
        }
        char end = *p;
        *p = '\0';
        if (mkdir(copy, 0777) != 0 && !(errno == EEXIST && regret_is_folder(copy))) {
            rc = io_error("create folder", copy);
        }
        *p = end;
        if (end == '\0') {
            break;
        }
    }
    regret_free(copy);
    return rc;
}

enum { MAX_FOLDER_DEPTH = 32 };

/* Removes `name` of the open folder `parent`. Allocates nothing of ours: folders half made for want
 * of memory must go, too. */
static int remove_entry(int parent, const char *name, int depth);

static int remove_contents(DIR *folder, const char *name, int depth)
{
    struct dirent *entry;
    int rc = REGRET_OK;
    while (rc == REGRET_OK && (entry = readdir(folder)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            rc = depth < MAX_FOLDER_DEPTH
                     ? remove_entry(dirfd(folder), entry->d_name, depth + 1)
                     : regret_fail(REGRET_E_IO, "cannot remove %s: more than %d folders deep", name,
                                   MAX_FOLDER_DEPTH);
        }
    }
    return rc;
}

static int remove_entry(int parent, const char *name, int depth)
{
    struct stat info;
    if (fstatat(parent, name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
        return errno == ENOENT ? REGRET_OK : io_error("examine", name);
    }
    if (!S_ISDIR(info.st_mode)) {
        return unlinkat(parent, name, 0) == 0 ? REGRET_OK : io_error("remove", name);
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
    if (rc == REGRET_OK && unlinkat(parent, name, AT_REMOVEDIR) != 0) {
        rc = io_error("remove", name);
    }
    return rc;
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
    int rc = regret_calloc((void **)&joined, size, 1, "a path");
    if (rc == REGRET_OK) {
        snprintf(joined, size, "%s%s%s", folder, slash, name);
        *out = joined;
    }
    return rc;
}

int regret_folder_is_empty(const char *path)
{
    struct stat info;
    DIR *folder = lstat(path, &info) == 0 && S_ISDIR(info.st_mode) ? opendir(path) : NULL;
    if (folder == NULL) {
        return 0;
    }
    int empty = 1;
    struct dirent *entry;
    while (empty && (entry = readdir(folder)) != NULL) {
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    }
    closedir(folder);
    return empty;
}

/* May what stands at `path` be replaced? */
static int check_replaceable(const char *path, int replace, const char *marker)
{
    if (!regret_file_exists(path) || regret_folder_is_empty(path)) {
        return REGRET_OK;
    }
    if (!replace) {
        return regret_fail(REGRET_E_INPUT,
                           "%s exists already; give another folder, or --force to replace it",
                           path);
    }
    char *mark = NULL;
    int rc = regret_path_join(&mark, path, marker);
    if (rc != REGRET_OK) {
        return rc;
    }
    if (!regret_is_folder(path) || !regret_file_exists(mark)) {
        rc = regret_fail(
            REGRET_E_INPUT,
            "%s has no %s in it, so it is not replaced; remove it by hand if you mean it", path,
            marker);
    }
    regret_free(mark);
    return rc;
}

static int create_parent(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL || slash == path) {
        return REGRET_OK;
    }
    char *parent = NULL;
    int rc = regret_strndup(&parent, path, (size_t)(slash - path));
    if (rc == REGRET_OK) {
        rc = regret_folder_create(parent);
    }
    regret_free(parent);
    return rc;
}

int regret_staging_begin(struct regret_staging *s, const char *path, int replace,
                         const char *marker)
{
    struct regret_staging made = {NULL, NULL};
    int rc = path[0] == '\0' ? regret_fail(REGRET_E_INPUT, "the output folder has no name")
                             : with_suffix(&made.path, path, "");
    if (rc == REGRET_OK) {
        rc = check_replaceable(made.path, replace, marker);
    }
    if (rc == REGRET_OK) {
        rc = with_suffix(&made.partial, path, ".partial");
    }
    if (rc == REGRET_OK) {
        rc = create_parent(made.path);
    }
    if (rc == REGRET_OK && regret_file_exists(made.partial)) {
        rc = regret_folder_remove(made.partial);
    }
    if (rc == REGRET_OK && mkdir(made.partial, 0777) != 0) {
        rc = io_error("create folder", made.partial);
    }
    if (rc != REGRET_OK) {
        regret_free(made.path);
        regret_free(made.partial);
        return rc;
    }
    *s = made;
    return REGRET_OK;
}

int regret_staging_commit(struct regret_staging *s)
{
    int rc = REGRET_OK;
    if (regret_file_exists(s->path)) {
        rc = regret_folder_remove(s->path);
    }
    if (rc == REGRET_OK && rename(s->partial, s->path) != 0) {
        rc = io_error("put in place", s->path);
    }
    if (rc == REGRET_OK) {
        regret_free(s->partial);
        s->partial = NULL;
    }
    return rc;
}

void regret_staging_abandon(struct regret_staging *s)
{
    if (s->partial != NULL) {
        regret_folder_remove(s->partial);
    }
    regret_free(s->partial);
    regret_free(s->path);
    *s = (struct regret_staging){NULL, NULL};
}
