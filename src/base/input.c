#include "base/input.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/files.h"
#include "base/status.h"
#include "regret/buffer.h"
#include "regret/status.h"

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

/* gzip by zlib, which compares the checksums. Internal to input.c. */

struct gunzip; /* opaque */

/* At most `most` bytes of the file as they are packed: their number, 0 at its end, or a negative code. */
typedef long gunzip_source(void *context, char *to, size_t most);

enum { BLOCK = 1 << 16, GZIP_ALONE = 16 + MAX_WBITS };

struct gunzip {
    gunzip_source *source;
    void *context;
    const char *path; /* borrowed */
    z_stream stream;
    int is_between; /* members: nothing of the next one is read yet */
    char block[BLOCK];
};

/* NULL is fine. */
static void gunzip_close(struct gunzip *g)
{
    if (g != NULL) {
        inflateEnd(&g->stream);
        regret_free(g);
    }
}

FREED_POINTER(struct gunzip, gunzip_close)

static int refuse(const struct gunzip *g, const char *why)
{
    return regret_fail(
        REGRET_E_INPUT,
        "%s is compressed and cannot be unpacked: %s; it may be damaged or cut short", g->path,
        why);
}

static int gunzip_open(struct gunzip **out, gunzip_source *source, void *context, const char *path)
{
    FREED_BY(gunzip_close_at) struct gunzip *g = NULL;
    TRY(REGRET_NEW(&g, 1));
    g->source = source;
    g->context = context;
    g->path = path;
    if (inflateInit2(&g->stream, GZIP_ALONE) != Z_OK) {
        return regret_fail(REGRET_E_NOMEM, "out of memory: %s", path);
    }
    *out = g;
    g = NULL;
    return REGRET_OK;
}

/* Sees to it that there are packed bytes; *is_over: the file ends, behind a member or the zeros that fill its last block. */
static int fill(struct gunzip *g, int *is_over)
{
    for (;;) {
        while (g->is_between && g->stream.avail_in > 0 && *g->stream.next_in == '\0') {
            g->stream.next_in++;
            g->stream.avail_in--;
        }
        if (g->stream.avail_in > 0) {
            return REGRET_OK;
        }
        long n = g->source(g->context, g->block, BLOCK);
        TRY(n < 0 ? (int)n : REGRET_OK);
        *is_over = n == 0;
        if (n == 0) {
            return g->is_between ? REGRET_OK : refuse(g, "it ends before its contents do");
        }
        g->stream.next_in = (Bytef *)g->block;
        g->stream.avail_in = (uInt)n;
    }
}

/* As unpack_read(). All members of the file, one after the other; zeros may follow the last one, and nothing else.
 * REGRET_E_INPUT: it is damaged or cut short. */
static long gunzip_read(struct gunzip *g, char *to, size_t most)
{
    z_stream *s = &g->stream;
    int is_over = 0;
    s->next_out = (Bytef *)to;
    s->avail_out = most < INT_MAX ? (uInt)most : INT_MAX;
    uInt room = s->avail_out;
    while (s->avail_out == room) {
        TRY(fill(g, &is_over));
        if (is_over) {
            return 0;
        }
        g->is_between = 0;
        int code = inflate(s, Z_NO_FLUSH);
        if (code == Z_MEM_ERROR) {
            return regret_fail(REGRET_E_NOMEM, "out of memory: %s", g->path);
        }
        if (code == Z_STREAM_END) {
            inflateReset(s);
            g->is_between = 1;
        } else if (code != Z_OK && code != Z_BUF_ERROR) {
            return refuse(g, s->msg != NULL ? s->msg : "it is no gzip");
        }
    }
    return (long)(room - s->avail_out);
}

/* gzip by zlib; others by libarchive's filters under its format "raw", which is a single file of any contents. */

enum { UNPACK_MOST_RATIO = 1000 }; /* bytes unpacked to bytes read, beyond the first MiB */

FREED_POINTER(struct unpack, unpack_close)

enum { UNPACK_BLOCK = 1 << 16, FIRST_MIB = 1 << 20 };

struct unpack {
    int fd;
    char *path;              /* owned */
    char head[INPUT_HEAD];   /* read before it was known what follows, */
    size_t n_head, taken;    /* and how much of it is handed out */
    struct gunzip *gunzip;   /* of gzip, */
    struct archive *archive; /* of what else is compressed; NULL, NULL: of what is not */
    char *block;             /* for `archive`; owned */
    uint64_t read, unpacked; /* bytes so far */
    uint64_t given;          /* of them to `archive` */
    int is_empty;            /* it holds nothing */
    int failed;              /* what reading from the descriptor came to */
};

static int is_gzip(const char *head, size_t n)
{
    return n >= 2 && memcmp(head, "\x1f\x8b", 2) == 0;
}

/* 1 where the first bytes are the mark of something else that is unpacked. */
static int is_packed(const char *head, size_t n)
{
    static const struct {
        const char *mark;
        size_t length;
    } MARKS[] = {{"BZh", 3},
                 {"\xfd"
                  "7zXZ\0",
                  6},
                 {"\x28\xb5\x2f\xfd", 4}};
    size_t i = 0;
    while (i < sizeof MARKS / sizeof *MARKS &&
           (n < MARKS[i].length || memcmp(head, MARKS[i].mark, MARKS[i].length) != 0)) {
        i++;
    }
    return i < sizeof MARKS / sizeof *MARKS;
}

static long read_raw(void *context, char *to, size_t most)
{
    struct unpack *u = context;
    ssize_t n = 0;
    if (u->taken < u->n_head) {
        n = (ssize_t)(most < u->n_head - u->taken ? most : u->n_head - u->taken);
        memcpy(to, u->head + u->taken, (size_t)n);
        u->taken += (size_t)n;
        return (long)n;
    }
    do {
        n = read(u->fd, to, most);
    } while (n < 0 && errno == EINTR);
    u->read += n > 0 ? (uint64_t)n : 0;
    return n >= 0 ? (long)n
                  : regret_fail(REGRET_E_IO, "cannot read %s: %s", u->path, strerror(errno));
}

/* libarchive's callback. */
static la_ssize_t give_block(struct archive *archive, void *context, const void **block)
{
    struct unpack *u = context;
    long n = read_raw(u, u->block, UNPACK_BLOCK);
    *block = u->block;
    u->failed = n < 0 ? (int)n : REGRET_OK;
    u->given += n > 0 ? (uint64_t)n : 0;
    if (n < 0) {
        archive_set_error(archive, EIO, "cannot be read");
    }
    return n < 0 ? ARCHIVE_FATAL : (la_ssize_t)n;
}

static int unpack_refuse(const struct unpack *u)
{
    const char *why = u->archive != NULL ? archive_error_string(u->archive) : NULL;
    return u->failed != REGRET_OK ? u->failed
           : u->archive != NULL && archive_errno(u->archive) == ENOMEM
               ? regret_fail(REGRET_E_NOMEM, "out of memory: %s", u->path)
               : regret_fail(REGRET_E_INPUT,
                             "%s is compressed and cannot be unpacked: %s; it may be damaged or "
                             "cut short",
                             u->path, why != NULL ? why : "no reason is known");
}

static int begin_unpacking(struct unpack *u)
{
    struct archive_entry *entry = NULL;
    TRY(REGRET_NEW(&u->block, UNPACK_BLOCK));
    u->archive = archive_read_new();
    if (u->archive == NULL) {
        return regret_fail(REGRET_E_NOMEM, "out of memory: %s", u->path);
    }
    archive_read_support_filter_bzip2(u->archive);
    archive_read_support_filter_xz(u->archive);
    archive_read_support_filter_zstd(u->archive);
    archive_read_support_format_raw(u->archive);
    archive_read_support_format_empty(u->archive);
    int code = archive_read_open(u->archive, u, NULL, give_block, NULL);
    code = code == ARCHIVE_OK ? archive_read_next_header(u->archive, &entry) : code;
    u->is_empty = code == ARCHIVE_EOF;
    return u->is_empty || code == ARCHIVE_OK ? REGRET_OK : unpack_refuse(u);
}

/* libarchive ends where what follows a whole stream is no other one, and says nothing of it. */
static long check_end(struct unpack *u)
{
    long more = read_raw(u, u->block, 1);
    TRY(more < 0 ? (int)more : REGRET_OK);
    return more == 0 && (uint64_t)archive_filter_bytes(u->archive, -1) == u->given
               ? 0
               : regret_fail(REGRET_E_INPUT,
                             "%s is compressed and cannot be unpacked: what follows byte %" PRIu64
                             " is not; it may be damaged",
                             u->path, (uint64_t)archive_filter_bytes(u->archive, -1));
}

static int read_head(struct unpack *u)
{
    long n = 1;
    while (n > 0 && u->n_head < INPUT_HEAD) {
        u->taken = u->n_head; /* none of it is handed out meanwhile */
        n = read_raw(u, u->head + u->n_head, INPUT_HEAD - u->n_head);
        u->n_head += n > 0 ? (size_t)n : 0;
    }
    u->taken = 0;
    return n < 0 ? (int)n : REGRET_OK;
}

static long read_archive(struct unpack *u, char *to, size_t most)
{
    la_ssize_t n = u->is_empty ? 0 : archive_read_data(u->archive, to, most);
    return n > 0 ? (long)n : n == 0 ? check_end(u) : unpack_refuse(u);
}

int unpack_open(struct unpack **out, const char *path)
{
    FREED_BY(unpack_close_at) struct unpack *u = NULL;
    TRY(REGRET_NEW(&u, 1));
    u->fd = -1;
    TRY(regret_strdup(&u->path, path));
    TRY(input_open(&u->fd, path));
    TRY(read_head(u));
    TRY(is_gzip(u->head, u->n_head)     ? gunzip_open(&u->gunzip, read_raw, u, u->path)
        : is_packed(u->head, u->n_head) ? begin_unpacking(u)
                                        : REGRET_OK);
    *out = u;
    u = NULL;
    return REGRET_OK;
}

void unpack_close(struct unpack *u)
{
    if (u == NULL) {
        return;
    }
    gunzip_close(u->gunzip);
    archive_read_free(u->archive);
    if (u->fd >= 0) {
        close(u->fd);
    }
    regret_free(u->block);
    regret_free(u->path);
    regret_free(u);
}

long unpack_read(void *context, char *to, size_t most)
{
    struct unpack *u = context;
    if (!unpack_is_packed(u)) {
        return read_raw(u, to, most);
    }
    long n = u->gunzip != NULL ? gunzip_read(u->gunzip, to, most) : read_archive(u, to, most);
    if (n <= 0) {
        return n;
    }
    u->unpacked += (uint64_t)n;
    return u->unpacked <= FIRST_MIB + UNPACK_MOST_RATIO * u->read
               ? (long)n
               : regret_fail(
                     REGRET_E_INPUT,
                     "%s unpacks to more than %d times its size, which no text does; unpack "
                     "it yourself where you trust it",
                     u->path, UNPACK_MOST_RATIO);
}

int unpack_is_packed(const struct unpack *u)
{
    return u->gunzip != NULL || u->archive != NULL;
}

size_t unpack_size(const struct unpack *u)
{
    struct stat info;
    return !unpack_is_packed(u) && fstat(u->fd, &info) == 0 && S_ISREG(info.st_mode)
               ? (size_t)info.st_size
               : SIZE_MAX;
}

int unpack_file(struct regret_buffer *out, const char *path, size_t limit)
{
    FREED_BY(unpack_close_at) struct unpack *u = NULL;
    long n = 1;
    TRY(unpack_open(&u, path));
    while (n > 0) {
        TRY(regret_buffer_reserve(out, UNPACK_BLOCK));
        n = unpack_read(u, out->data + out->length, UNPACK_BLOCK);
        TRY(n < 0 ? (int)n : REGRET_OK);
        out->length += (size_t)n;
        TRY(out->length <= limit
                ? REGRET_OK
                : regret_fail(REGRET_E_INPUT, "%s has more than %zu bytes when it is unpacked",
                              path, limit));
    }
    return REGRET_OK;
}
