/* Streams. Their errors must be seen by ferror(), too, so what fails is the descriptor beneath: it is
 * exchanged for one on which real calls fail, /dev/full for writing and a folder for reading. The
 * number of an error is then that of those calls. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "faults/shim.h"

size_t __fread_chk(void *data, size_t room, size_t size, size_t n, FILE *file);

static void spoil(FILE *file, const char *path, int flags)
{
    long fd = syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC);
    if (fd >= 0) {
        dup2((int)fd, fileno(file));
        syscall(SYS_close, fd);
    }
}

static enum shim_effect enter_stream(enum shim_call call, FILE *file)
{
    return file != NULL && shim_watches(fileno(file)) ? shim_enter(call) : SHIM_GO;
}

/* Not static: getline() is an inline function where <stdio.h> has it so. */
void shim_before_reading(FILE *file);
void shim_before_reading(FILE *file)
{
    if (enter_stream(SHIM_fread, file) != SHIM_GO) {
        spoil(file, "/", O_RDONLY | O_DIRECTORY);
    }
}

static void before_writing(FILE *file)
{
    if (enter_stream(SHIM_fwrite, file) != SHIM_GO) {
        spoil(file, "/dev/full", O_WRONLY);
    }
}

static FILE *watch_new(FILE *file)
{
    if (file != NULL) {
        shim_watch(fileno(file), 1);
    }
    return file;
}

#define DEFINE_FOPEN(name)                                                                         \
    FILE *name(const char *path, const char *mode)                                                 \
    {                                                                                              \
        SHIM_NEXT(name)                                                                            \
        if (!shim_watches_path(path)) {                                                            \
            return next(path, mode);                                                               \
        }                                                                                          \
        return shim_enter(SHIM_fopen) == SHIM_GO ? watch_new(next(path, mode)) : NULL;             \
    }
DEFINE_FOPEN(fopen)
DEFINE_FOPEN(fopen64)

FILE *fdopen(int fd, const char *mode)
{
    SHIM_NEXT(fdopen)
    return !shim_watches(fd) || shim_enter(SHIM_fdopen) == SHIM_GO ? next(fd, mode) : NULL;
}

size_t fread(void *data, size_t size, size_t n, FILE *file)
{
    SHIM_NEXT(fread)
    shim_before_reading(file);
    return next(data, size, n, file);
}

size_t __fread_chk(void *data, size_t room, size_t size, size_t n, FILE *file)
{
    (void)room;
    return fread(data, size, n, file);
}

char *fgets(char *text, int size, FILE *file)
{
    SHIM_NEXT(fgets)
    shim_before_reading(file);
    return next(text, size, file);
}

ssize_t getline(char **line, size_t *size, FILE *file)
{
    SHIM_NEXT(getline)
    shim_before_reading(file);
    return next(line, size, file);
}

size_t fwrite(const void *data, size_t size, size_t n, FILE *file)
{
    SHIM_NEXT(fwrite)
    enum shim_effect effect = enter_stream(SHIM_fwrite, file);
    if (effect == SHIM_TORN) {
        next(data, 1, size * n / 2, file);
        fflush_unlocked(file);
        shim_kill();
    } else if (effect != SHIM_GO) {
        spoil(file, "/dev/full", O_WRONLY);
    }
    return next(data, size, n, file);
}

int fputs(const char *text, FILE *file)
{
    SHIM_NEXT(fputs)
    before_writing(file);
    return next(text, file);
}

int fputc(int c, FILE *file)
{
    SHIM_NEXT(fputc)
    before_writing(file);
    return next(c, file);
}

int fflush(FILE *file)
{
    SHIM_NEXT(fflush)
    if (enter_stream(SHIM_fflush, file) != SHIM_GO) {
        spoil(file, "/dev/full", O_WRONLY);
    }
    return next(file);
}

int fclose(FILE *file)
{
    SHIM_NEXT(fclose)
    enum shim_effect effect = enter_stream(SHIM_fclose, file);
    shim_watch(fileno(file), 0);
    return next(file) == 0 && effect == SHIM_GO ? 0 : EOF;
}
