/* gzip by zlib; others by libarchive's filters under its format "raw", which is a single file of any contents. */
#include "base/files/unpack.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <archive.h>
#include <archive_entry.h>

#include "base/core/try.h"
#include "base/files/gunzip.h"
#include "base/files/input.h"
#include "regret/alloc.h"

FREED_POINTER(struct unpack, unpack_close)

enum { BLOCK = 1 << 16, FIRST_MIB = 1 << 20 };

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
    long n = read_raw(u, u->block, BLOCK);
    *block = u->block;
    u->failed = n < 0 ? (int)n : REGRET_OK;
    u->given += n > 0 ? (uint64_t)n : 0;
    if (n < 0) {
        archive_set_error(archive, EIO, "cannot be read");
    }
    return n < 0 ? ARCHIVE_FATAL : (la_ssize_t)n;
}

static int refuse(const struct unpack *u)
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
    TRY(REGRET_NEW(&u->block, BLOCK));
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
    return u->is_empty || code == ARCHIVE_OK ? REGRET_OK : refuse(u);
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
    return n > 0 ? (long)n : n == 0 ? check_end(u) : refuse(u);
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
        TRY(regret_buffer_reserve(out, BLOCK));
        n = unpack_read(u, out->data + out->length, BLOCK);
        TRY(n < 0 ? (int)n : REGRET_OK);
        out->length += (size_t)n;
        TRY(out->length <= limit
                ? REGRET_OK
                : regret_fail(REGRET_E_INPUT, "%s has more than %zu bytes when it is unpacked",
                              path, limit));
    }
    return REGRET_OK;
}
