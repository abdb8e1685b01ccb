#include "base/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/input.h"
#include "base/names.h"
#include "base/status.h"
#include "regret/buffer.h"
#include "regret/status.h"

enum { FIRST_DESCRIPTOR = STDERR_FILENO + 1 };

int io_error(const char *action, const char *path)
{
    static const char *const MARKS[] = {
        ".partial-", ".tmp-"}; /* of what this process builds: named as it will be */
    int cause = errno;
    char shown[4096], mark[32];
    snprintf(shown, sizeof shown, "%s", path);
    for (size_t i = 0; i < sizeof MARKS / sizeof *MARKS; i++) {
        snprintf(mark, sizeof mark, "%s%ld", MARKS[i], (long)getpid());
        char *at = strstr(shown, mark), *end = at != NULL ? at + strlen(mark) : NULL;
        if (at != NULL) {
            end += strspn(end, "-0123456789");
            memmove(at, end, strlen(end) + 1);
        }
    }
    return regret_fail(REGRET_E_IO, "cannot %s %s: %s", action, shown, strerror(cause));
}

/* Moves a descriptor out of the standard ones. */
static int raise_descriptor(int *fd, const char *path)
{
    if (*fd >= FIRST_DESCRIPTOR) {
        return REGRET_OK;
    }
    int raised = fcntl(*fd, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
    if (raised < 0) {
        return io_error("open", path);
    }
    close(*fd);
    *fd = raised;
    return REGRET_OK;
}

static int check_regular(int fd, const char *path)
{
    struct stat info;
    if (fstat(fd, &info) != 0) {
        return io_error("examine", path);
    }
    if (!S_ISREG(info.st_mode)) {
        return regret_fail(REGRET_E_IO, "%s is not a regular file, so nothing is written to it",
                           path);
    }
    if (info.st_nlink > 1) {
        return regret_fail(REGRET_E_IO,
                           "%s has another name elsewhere (a hard link), which would change with "
                           "it; replace it by a copy of its own",
                           path);
    }
    return REGRET_OK;
}

int output_open(int *fd, const char *path, int flags)
{
    int opened = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
    if (opened < 0 && errno == ELOOP) {
        return regret_fail(REGRET_E_IO,
                           "%s is a link; nothing is written through it, remove it or put the file "
                           "itself there",
                           path);
    }
    if (opened < 0) {
        return io_error("open", path);
    }
    int rc;
    TRY_CLEANUP(raise_descriptor(&opened, path));
    TRY_CLEANUP(check_regular(opened, path));
    *fd = opened;
    return REGRET_OK;
cleanup:
    close(opened);
    if ((flags & O_EXCL) != 0) {
        unlink(path); /* we made it */
    }
    return rc;
}

int output_write(int fd, const char *data, size_t length, const char *path)
{
    while (length > 0) {
        ssize_t n = write(fd, data, length);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            errno = n == 0 ? ENOSPC : errno;
            return io_error("write", path);
        }
        data += n;
        length -= (size_t)n;
    }
    return REGRET_OK;
}

int output_check_there(size_t *length, int fd, const char *path, const char *when)
{
    struct stat held, found;
    if (fstat(fd, &held) != 0) {
        return io_error("examine", path);
    }
    if (lstat(path, &found) != 0 || held.st_dev != found.st_dev || held.st_ino != found.st_ino) {
        return regret_fail(REGRET_E_IO, "%s was removed, moved or replaced %s", path, when);
    }
    if (length != NULL) {
        *length = (size_t)held.st_size;
    }
    return REGRET_OK;
}

int output_sync(int fd, const char *path)
{
    int rc;
    do {
        rc = fsync(fd);
    } while (rc != 0 && errno == EINTR);
    return rc == 0 ? REGRET_OK : io_error("write", path);
}

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

enum { FOLDER_LIST_MOST = 100000 }; /* entries that are looked at */

static int by_bytes(const void *left, const void *right)
{
    const char *const *a = left, *const *b = right;
    return strcmp(*a, *b);
}

static int is_left_out(const char *name, int hidden)
{
    return name[0] == '.' && (!hidden || strcmp(name, ".") == 0 || strcmp(name, "..") == 0);
}

static int add_names(struct folder_list *list, DIR *folder, const char *path, int hidden)
{
    size_t capacity = 0;
    const struct dirent *entry = NULL;
    errno = 0;
    while ((entry = readdir(folder)) != NULL) {
        if (is_left_out(entry->d_name, hidden)) {
            continue;
        }
        if (list->n == FOLDER_LIST_MOST) {
            return regret_fail(REGRET_E_INPUT, "%s has more than %d entries", path,
                               FOLDER_LIST_MOST);
        }
        /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
        TRY(regret_grow((void **)&list->name, &capacity, list->n, sizeof *list->name, "entries"));
        list->name[list->n] = NULL;
        TRY(regret_strdup(&list->name[list->n], entry->d_name));
        list->n++;
        errno = 0;
    }
    return errno == 0 ? REGRET_OK
                      : regret_fail(REGRET_E_IO, "cannot read %s: %s", path, strerror(errno));
}

static int read_names(struct folder_list *out, const char *path, int hidden)
{
    DIR *folder = opendir(path);
    *out = (struct folder_list){NULL, 0};
    if (folder == NULL) {
        return errno == ENOMEM
                   ? regret_fail(REGRET_E_NOMEM, "out of memory: %s", path)
                   : regret_fail(REGRET_E_INPUT, "%s is not a folder that can be read: %s", path,
                                 strerror(errno));
    }
    int rc = add_names(out, folder, path, hidden);
    closedir(folder);
    if (rc != REGRET_OK) {
        folder_list_free(out);
        return rc;
    }
    if (out->n > 0) {
        /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
        qsort(out->name, out->n, sizeof *out->name, by_bytes);
    }
    return REGRET_OK;
}

int folder_list_read(struct folder_list *out, const char *path)
{
    return read_names(out, path, 0);
}

int folder_list_read_all(struct folder_list *out, const char *path)
{
    return read_names(out, path, 1);
}

void folder_list_free(struct folder_list *list)
{
    texts_free(list->name, list->n);
    *list = (struct folder_list){NULL, 0};
}

/* What the last look at a path failed with, where it may be there all the same. */
static int unless_absent(const char *path)
{
    return errno == ENOENT || errno == ENOTDIR ? REGRET_OK : io_error("look at", path);
}

int folder_entry_of(enum folder_entry *out, const char *path)
{
    struct stat info;
    *out = FOLDER_ENTRY_NONE;
    if (lstat(path, &info) != 0) {
        return unless_absent(path);
    }
    *out = S_ISREG(info.st_mode)   ? FOLDER_ENTRY_FILE
           : S_ISDIR(info.st_mode) ? FOLDER_ENTRY_FOLDER
                                   : FOLDER_ENTRY_OTHER;
    return REGRET_OK;
}

int folder_is_there(int *is_there, const char *path)
{
    struct stat info;
    *is_there = stat(path, &info) == 0;
    TRY(*is_there ? REGRET_OK : unless_absent(path));
    *is_there = *is_there && S_ISDIR(info.st_mode);
    return REGRET_OK;
}

static int hash_rest(XXH3_state_t *state, int fd, const char *path)
{
    enum { PIECE = 1 << 18 };
    FREED char *piece = NULL;
    ssize_t got = 1;
    TRY(REGRET_NEW(&piece, PIECE));
    XXH3_128bits_reset(state);
    while (got != 0) {
        got = read(fd, piece, PIECE);
        if (got < 0 && errno != EINTR) {
            break;
        }
        XXH3_128bits_update(state, piece, got > 0 ? (size_t)got : 0);
    }
    return got == 0 ? REGRET_OK
                    : regret_fail(REGRET_E_IO, "cannot read %s: %s", path, strerror(errno));
}

int regret_digest_file(char out[33], const char *path)
{
    int fd = -1;
    TRY(input_open(&fd, path));
    XXH3_state_t *state = XXH3_createState();
    int rc;
    TRY_CLEANUP(state != NULL ? hash_rest(state, fd, path)
                              : regret_fail(REGRET_E_NOMEM, "out of memory: a hash state"));
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    digest_write(out, (uint64_t[2]){hash.low64, hash.high64});
cleanup:
    XXH3_freeState(state);
    close(fd);
    return rc;
}
