/* Calls that take descriptors and paths. On the machines we know, the 64-bit names are other names
 * of the same functions; both are caught, since headers choose between them. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faults/shim.h"

/* What headers with _FORTIFY_SOURCE call instead. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int folder, const char *path, int flags);
int __openat64_2(int folder, const char *path, int flags);
ssize_t __read_chk(int fd, void *data, size_t n, size_t size);

#define TAKE_MODE(mode, flags)                                                                     \
    mode_t mode = 0;                                                                               \
    if (((flags)&O_CREAT) != 0 || ((flags)&O_TMPFILE) == O_TMPFILE) {                              \
        va_list list;                                                                              \
        va_start(list, flags);                                                                     \
        mode = va_arg(list, mode_t);                                                               \
        va_end(list);                                                                              \
    }

static int watch_new(int fd)
{
    shim_watch(fd, 1);
    return fd;
}

#define DEFINE_OPEN(name)                                                                          \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        SHIM_NEXT(name)                                                                            \
        TAKE_MODE(mode, flags)                                                                     \
        if (!shim_watches_path(path)) {                                                            \
            return next(path, flags, mode);                                                        \
        }                                                                                          \
        return shim_enter(SHIM_open) == SHIM_GO ? watch_new(next(path, flags, mode)) : -1;         \
    }
DEFINE_OPEN(open)
DEFINE_OPEN(open64)

#define DEFINE_OPENAT(name)                                                                        \
    int name(int folder, const char *path, int flags, ...)                                         \
    {                                                                                              \
        SHIM_NEXT(name)                                                                            \
        TAKE_MODE(mode, flags)                                                                     \
        if (!shim_watches_path(path)) {                                                            \
            return next(folder, path, flags, mode);                                                \
        }                                                                                          \
        return shim_enter(SHIM_openat) == SHIM_GO ? watch_new(next(folder, path, flags, mode))     \
                                                  : -1;                                            \
    }
DEFINE_OPENAT(openat)
DEFINE_OPENAT(openat64)

int __open_2(const char *path, int flags)
{
    return open(path, flags);
}

int __open64_2(const char *path, int flags)
{
    return open64(path, flags);
}

int __openat_2(int folder, const char *path, int flags)
{
    return openat(folder, path, flags);
}

int __openat64_2(int folder, const char *path, int flags)
{
    return openat64(folder, path, flags);
}

int creat(const char *path, mode_t mode)
{
    return open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

static enum shim_effect enter_fd(enum shim_call call, int fd)
{
    return shim_watches(fd) ? shim_enter(call) : SHIM_GO;
}

ssize_t read(int fd, void *data, size_t n)
{
    SHIM_NEXT(read)
    switch (enter_fd(SHIM_read, fd)) {
    case SHIM_FAIL:
        return -1;
    case SHIM_ZERO:
        return 0;
    case SHIM_SHORT:
        return next(fd, data, n > 1 ? n / 2 : n);
    default:
        return next(fd, data, n);
    }
}

ssize_t __read_chk(int fd, void *data, size_t n, size_t size)
{
    (void)size;
    return read(fd, data, n);
}

#define DEFINE_PREAD(name, offset_type)                                                            \
    ssize_t name(int fd, void *data, size_t n, offset_type at)                                     \
    {                                                                                              \
        SHIM_NEXT(name)                                                                            \
        enum shim_effect effect = enter_fd(SHIM_read, fd);                                         \
        return effect == SHIM_FAIL ? -1                                                            \
               : effect == SHIM_ZERO                                                               \
                   ? 0                                                                             \
                   : next(fd, data, effect == SHIM_SHORT && n > 1 ? n / 2 : n, at);                \
    }
DEFINE_PREAD(pread, off_t)
DEFINE_PREAD(pread64, off64_t)

ssize_t write(int fd, const void *data, size_t n)
{
    SHIM_NEXT(write)
    switch (enter_fd(SHIM_write, fd)) {
    case SHIM_FAIL:
        return -1;
    case SHIM_ZERO:
        return 0;
    case SHIM_SHORT:
        return next(fd, data, n > 1 ? n / 2 : n);
    case SHIM_TORN:
        if (next(fd, data, n / 2) >= 0) {
            shim_kill();
        }
        return -1;
    default:
        return next(fd, data, n);
    }
}

/* The rest either happen or fail. */
#define DEFINE_ON_FD(call, name, parameters, arguments)                                            \
    int name parameters                                                                            \
    {                                                                                              \
        SHIM_NEXT(name)                                                                            \
        return enter_fd(SHIM_##call, fd) == SHIM_GO ? next arguments : -1;                         \
    }
DEFINE_ON_FD(fsync, fsync, (int fd), (fd))
DEFINE_ON_FD(fsync, fdatasync, (int fd), (fd))
DEFINE_ON_FD(ftruncate, ftruncate, (int fd, off_t length), (fd, length))
DEFINE_ON_FD(ftruncate, ftruncate64, (int fd, off64_t length), (fd, length))
DEFINE_ON_FD(flock, flock, (int fd, int operation), (fd, operation))
DEFINE_ON_FD(fstat, fstat, (int fd, struct stat *out), (fd, out))
DEFINE_ON_FD(fstat, fstat64, (int fd, struct stat64 *out), (fd, out))

#define DEFINE_ON_PATH(call, name, parameters, arguments)                                          \
    int name parameters                                                                            \
    {                                                                                              \
        SHIM_NEXT(name)                                                                            \
        int ours = shim_watches_path(path);                                                        \
        return !ours || shim_enter(SHIM_##call) == SHIM_GO ? next arguments : -1;                  \
    }
DEFINE_ON_PATH(rename, rename, (const char *path, const char *to), (path, to))
DEFINE_ON_PATH(rename, renameat, (int a, const char *path, int b, const char *to), (a, path, b, to))
DEFINE_ON_PATH(renameat2, renameat2,
               (int a, const char *path, int b, const char *to, unsigned int flags),
               (a, path, b, to, flags))
DEFINE_ON_PATH(link, link, (const char *path, const char *to), (path, to))
DEFINE_ON_PATH(link, linkat, (int a, const char *path, int b, const char *to, int flags),
               (a, path, b, to, flags))
DEFINE_ON_PATH(symlink, symlink, (const char *to, const char *path), (to, path))
DEFINE_ON_PATH(symlink, symlinkat, (const char *to, int folder, const char *path),
               (to, folder, path))
DEFINE_ON_PATH(mkdir, mkdir, (const char *path, mode_t mode), (path, mode))
DEFINE_ON_PATH(mkdirat, mkdirat, (int folder, const char *path, mode_t mode), (folder, path, mode))
DEFINE_ON_PATH(rmdir, rmdir, (const char *path), (path))
DEFINE_ON_PATH(unlink, unlink, (const char *path), (path))
DEFINE_ON_PATH(unlinkat, unlinkat, (int folder, const char *path, int flags), (folder, path, flags))
DEFINE_ON_PATH(unlink, remove, (const char *path), (path))
DEFINE_ON_PATH(ftruncate, truncate, (const char *path, off_t length), (path, length))
DEFINE_ON_PATH(stat, stat, (const char *path, struct stat *out), (path, out))
DEFINE_ON_PATH(stat, stat64, (const char *path, struct stat64 *out), (path, out))
DEFINE_ON_PATH(lstat, lstat, (const char *path, struct stat *out), (path, out))
DEFINE_ON_PATH(lstat, lstat64, (const char *path, struct stat64 *out), (path, out))
DEFINE_ON_PATH(fstatat, fstatat, (int folder, const char *path, struct stat *out, int flags),
               (folder, path, out, flags))
DEFINE_ON_PATH(fstatat, fstatat64, (int folder, const char *path, struct stat64 *out, int flags),
               (folder, path, out, flags))
DEFINE_ON_PATH(fstatat, statx,
               (int folder, const char *path, int flags, unsigned int mask, struct statx *out),
               (folder, path, flags, mask, out))
DEFINE_ON_PATH(access, access, (const char *path, int mode), (path, mode))
DEFINE_ON_PATH(access, faccessat, (int folder, const char *path, int mode, int flags),
               (folder, path, mode, flags))

/* Closes in every case, as Linux does; the error says that something written before is lost. */
int close(int fd)
{
    SHIM_NEXT(close)
    enum shim_effect effect = enter_fd(SHIM_close, fd);
    shim_watch(fd, 0);
    return next(fd) == 0 && effect == SHIM_GO ? 0 : -1;
}

#define DEFINE_LSEEK(name, offset_type)                                                            \
    offset_type name(int fd, offset_type to, int whence)                                           \
    {                                                                                              \
        SHIM_NEXT(name)                                                                            \
        return enter_fd(SHIM_lseek, fd) == SHIM_GO ? next(fd, to, whence) : (offset_type)-1;       \
    }
DEFINE_LSEEK(lseek, off_t)
DEFINE_LSEEK(lseek64, off64_t)

/* Every command of fcntl takes at most one word. */
#define DEFINE_FCNTL(name)                                                                         \
    int name(int fd, int command, ...)                                                             \
    {                                                                                              \
        SHIM_NEXT(name)                                                                            \
        va_list list;                                                                              \
        va_start(list, command);                                                                   \
        void *argument = va_arg(list, void *);                                                     \
        va_end(list);                                                                              \
        return enter_fd(SHIM_fcntl, fd) == SHIM_GO ? next(fd, command, argument) : -1;             \
    }
DEFINE_FCNTL(fcntl)
DEFINE_FCNTL(fcntl64)

DIR *opendir(const char *path)
{
    SHIM_NEXT(opendir)
    return !shim_watches_path(path) || shim_enter(SHIM_opendir) == SHIM_GO ? next(path) : NULL;
}

DIR *fdopendir(int fd)
{
    SHIM_NEXT(fdopendir)
    return enter_fd(SHIM_fdopendir, fd) == SHIM_GO ? next(fd) : NULL;
}

struct dirent *readdir(DIR *folder)
{
    SHIM_NEXT(readdir)
    return shim_enter(SHIM_readdir) == SHIM_GO ? next(folder) : NULL;
}

struct dirent64 *readdir64(DIR *folder)
{
    SHIM_NEXT(readdir64)
    return shim_enter(SHIM_readdir) == SHIM_GO ? next(folder) : NULL;
}

void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset)
{
    SHIM_NEXT(mmap)
    return shim_enter(SHIM_mmap) == SHIM_GO ? next(at, length, protection, flags, fd, offset)
                                            : MAP_FAILED;
}
