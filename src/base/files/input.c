#include "base/files/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core/try.h"
#include "base/files/output.h"

/* Waits until somebody writes into a pipe: one that nobody ever opens would be waited for forever.
 * Reading then blocks as usual. */
static int await_writer(int fd, const char *path)
{
    enum { SECONDS = 5 };
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    int n;
    do {
        n = poll(&wanted, 1, SECONDS * 1000);
    } while (n < 0 && errno == EINTR);
    if (n == 0) {
        return regret_fail(REGRET_E_INPUT,
                           "%s is a pipe into which nobody writes; start the program that does, or "
                           "give a file",
                           path);
    }
    return n > 0 ? REGRET_OK
                 : regret_fail(REGRET_E_IO, "cannot wait for %s: %s", path, strerror(errno));
}

static int check_kind(int fd, const char *path)
{
    struct stat info;
    if (fstat(fd, &info) != 0) {
        return regret_fail(REGRET_E_IO, "cannot examine %s: %s", path, strerror(errno));
    }
    if (S_ISDIR(info.st_mode)) {
        return regret_fail(REGRET_E_INPUT, "%s is a folder; give a file in it", path);
    }
    if (!S_ISFIFO(info.st_mode)) {
        return REGRET_OK;
    }
    TRY(await_writer(fd, path));
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) == 0
               ? REGRET_OK
               : regret_fail(REGRET_E_IO, "cannot open %s: %s", path, strerror(errno));
}

int input_open(int *fd, const char *path)
{
    int opened = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (opened < 0) {
        return regret_fail(errno == ENOENT ? REGRET_E_INPUT : REGRET_E_IO, "cannot open %s: %s",
                           path, strerror(errno));
    }
    int rc = check_kind(opened, path);
    if (rc != REGRET_OK) {
        close(opened);
        return rc;
    }
    *fd = opened;
    return REGRET_OK;
}

int input_open_regular(int *fd, size_t *size, const char *path)
{
    struct stat info;
    int rc = REGRET_OK;
    int opened =
        open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe is refused, not waited for */
    if (opened < 0) {
        return regret_fail(errno == ENOENT ? REGRET_E_INPUT : REGRET_E_IO, "cannot open %s: %s",
                           path, strerror(errno));
    }
    if (fstat(opened, &info) != 0) {
        rc = io_error("examine", path);
    } else if (!S_ISREG(info.st_mode)) {
        rc = regret_fail(REGRET_E_INPUT,
                         "%s is not a regular file, but a folder, a pipe or a device; give a file",
                         path);
    }
    if (rc != REGRET_OK) {
        close(opened);
        return rc;
    }
    *fd = opened;
    *size = (size_t)info.st_size;
    return REGRET_OK;
}

int input_check_regular(const char *path)
{
    size_t size = 0;
    int fd = -1;
    TRY(input_open_regular(&fd, &size, path));
    close(fd);
    return REGRET_OK;
}

int input_read(size_t *got, int fd, void *data, size_t length, const char *path)
{
    size_t done = 0;
    while (done < length) {
        ssize_t n = read(fd, (char *)data + done, length - done);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return io_error("read", path);
        }
        if (n == 0) {
            break;
        }
        done += (size_t)n;
    }
    *got = done;
    return REGRET_OK;
}

int input_is_absent(const char *path)
{
    struct stat info;
    return lstat(path, &info) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

const char *input_path(const char *path)
{
    struct pollfd wanted = {.fd = STDIN_FILENO, .events = POLLIN};
    if (strcmp(path, "-") != 0) {
        return path;
    }
    while (poll(&wanted, 1, -1) < 0 && errno == EINTR) {
    }
    return INPUT_STANDARD;
}

/* Marks by which forms are known. All but those of UTF-16 hold bytes that UTF-8 or text has not. */
static const struct {
    const char *mark;
    size_t length;
    const char *what, *remedy;
} FORMS[] = {
    {"\x1f\x8b", 2, "compressed by gzip", "decompress it first: gzip -dk"},
    {"BZh\x31\x41\x59\x26\x53\x59", 9, "compressed by bzip2", "decompress it first: bzip2 -dk"},
    {"\xfd"
     "7zXZ\0",
     6, "compressed by xz", "decompress it first: xz -dk"},
    {"\x28\xb5\x2f\xfd", 4, "compressed by zstd", "decompress it first: zstd -dk"},
    {"PK\x03\x04", 4, "a zip archive", "unpack it first, or save a spreadsheet as CSV:"},
    {"PAR1\x15", 5, "in the Parquet format", "write it as CSV or JSONL first:"},
    {"\xff\xfe", 2, "in UTF-16", "convert it first: iconv -f UTF-16 -t UTF-8"},
    {"\xfe\xff", 2, "in UTF-16", "convert it first: iconv -f UTF-16 -t UTF-8"},
};

int input_check_head(const char *head, size_t n, const char *name)
{
    for (size_t i = 0; i < sizeof FORMS / sizeof *FORMS; i++) {
        if (n >= FORMS[i].length && memcmp(head, FORMS[i].mark, FORMS[i].length) == 0) {
            return regret_fail(REGRET_E_INPUT, "%s is %s, not text in UTF-8; %s %s", name,
                               FORMS[i].what, FORMS[i].remedy, name);
        }
    }
    return REGRET_OK;
}
