#include "base/files/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core/try.h"

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
