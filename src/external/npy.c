#include "external/npy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/core/try.h"
#include "base/files/output.h"
#include "regret/alloc.h"
#include "regret/file.h"

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define ORDER ">"
#else
#define ORDER "<"
#endif

static const char magic[] = "\x93NUMPY";
enum { MAGIC = 6, FIXED = 10, ALIGNED = 64, MOST_HEADER = 4096 };

static const struct {
    const char *word;
    size_t size;
} types[] = {[NPY_U8] = {"|u1", 1},
             [NPY_I32] = {ORDER "i4", 4},
             [NPY_I64] = {ORDER "i8", 8},
             [NPY_F64] = {ORDER "f8", 8}};

/* The header with its padding: data begin at a multiple of 64 bytes. Returns its length. */
static size_t put_header(char *out, size_t size, const struct npy_array *a)
{
    char shape[64];
    if (a->columns > 0) {
        snprintf(shape, sizeof shape, "%zu, %zu", a->rows, a->columns);
    } else {
        snprintf(shape, sizeof shape, "%zu,", a->rows);
    }
    int n =
        snprintf(out + FIXED, size - FIXED, "{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }",
                 types[a->type].word, a->columns > 0 ? "True" : "False", shape);
    size_t used = FIXED + (size_t)n + 1, whole = (used + ALIGNED - 1) / ALIGNED * ALIGNED;
    memset(out + used - 1, ' ', whole - used);
    out[whole - 1] = '\n';
    memcpy(out, magic, MAGIC);
    out[MAGIC] = 1;
    out[MAGIC + 1] = 0;
    out[MAGIC + 2] = (char)((whole - FIXED) & 0xFF);
    out[MAGIC + 3] = (char)((whole - FIXED) >> 8);
    return whole;
}

int npy_write(const char *folder, const char *name, const struct npy_array *a)
{
    char header[256];
    size_t n = put_header(header, sizeof header, a);
    size_t bytes = types[a->type].size * a->rows * (a->columns > 0 ? a->columns : 1);
    char *path = NULL;
    int fd = -1, rc;
    TRY_CLEANUP(regret_path_join(&path, folder, name));
    TRY_CLEANUP(output_open(&fd, path, O_WRONLY | O_CREAT | O_EXCL));
    TRY_CLEANUP(output_write(fd, header, n, path));
    rc = bytes > 0 ? output_write(fd, a->data, bytes, path) : REGRET_OK;
cleanup:
    if (fd >= 0) {
        close(fd);
    }
    regret_free(path);
    return rc;
}

/* ---------------------------------------------------------------- reading */

static int read_all(int fd, void *out, size_t n)
{
    char *to = out;
    while (n > 0) {
        ssize_t got = read(fd, to, n);
        if (got <= 0 && !(got < 0 && errno == EINTR)) {
            return 0;
        }
        to += got > 0 ? got : 0;
        n -= got > 0 ? (size_t)got : 0;
    }
    return 1;
}

/* The text of the header, ended by a zero; 0 where there is none. *begin: where the data do. */
static int read_header(char *text, size_t *begin, int fd)
{
    unsigned char fixed[FIXED + 2];
    if (!read_all(fd, fixed, FIXED) || memcmp(fixed, magic, MAGIC) != 0) {
        return 0;
    }
    size_t n = fixed[MAGIC + 2] | (size_t)fixed[MAGIC + 3] << 8;
    *begin = FIXED;
    if (fixed[MAGIC] > 1) { /* versions 2 and 3 have four bytes of length */
        if (!read_all(fd, fixed + FIXED, 2)) {
            return 0;
        }
        n |= (size_t)fixed[FIXED] << 16 | (size_t)fixed[FIXED + 1] << 24;
        *begin += 2;
    }
    if (n >= MOST_HEADER || !read_all(fd, text, n)) {
        return 0;
    }
    text[n] = '\0';
    *begin += n;
    return strlen(text) == n;
}

/* What stands behind 'KEY': in the header, or NULL. */
static const char *find_value(const char *header, const char *key)
{
    const char *at = strstr(header, key);
    at = at != NULL ? at + strlen(key) : NULL;
    return at != NULL ? at + strspn(at, " ") : NULL;
}

/* 1 where the shape is (n,). */
static int is_vector(const char *shape, size_t n)
{
    char *end = NULL;
    shape += *shape == '(';
    if (*shape < '0' || *shape > '9') {
        return 0;
    }
    unsigned long long rows = strtoull(shape, &end, 10);
    return rows == n && end[0] == ',' && end[1 + strspn(end + 1, " ")] == ')';
}

static enum npy_found check_header(const char *header, size_t n, const char *name, char *detail,
                                   size_t size)
{
    const char *type = find_value(header, "'descr':"), *shape = find_value(header, "'shape':");
    if (type == NULL || shape == NULL || strncmp(type, "'" ORDER "f8'", 5) != 0) {
        snprintf(detail, size, "%s is not an array of doubles (%sf8)", name, ORDER);
        return NPY_MALFORMED;
    }
    if (!is_vector(shape, n)) {
        snprintf(detail, size, "%s has the shape %.*s, not (%zu,)", name,
                 (int)strcspn(shape, ")") + 1, shape, n);
        return NPY_SHAPE;
    }
    return NPY_READ;
}

static enum npy_found read_open(double *out, size_t n, int fd, const char *name, char *detail,
                                size_t size)
{
    char header[MOST_HEADER];
    struct stat s;
    size_t begin = 0;
    if (fstat(fd, &s) != 0 || !S_ISREG(s.st_mode) || !read_header(header, &begin, fd)) {
        snprintf(detail, size, "%s is no .npy file", name);
        return NPY_MALFORMED;
    }
    enum npy_found found = check_header(header, n, name, detail, size);
    if (found != NPY_READ) {
        return found;
    }
    if ((uint64_t)s.st_size != begin + 8 * (uint64_t)n || !read_all(fd, out, 8 * n)) {
        snprintf(detail, size, "%s has not the bytes that its header says", name);
        return NPY_MALFORMED;
    }
    return NPY_READ;
}

enum npy_found npy_read(double *out, size_t n, const char *folder, const char *name, char *detail,
                        size_t size)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    /* not a pipe that nobody writes to, nor a link out of the folder */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (fd < 0) {
        snprintf(detail, size, "%s cannot be opened: %s", name, strerror(errno));
        return errno == ENOENT ? NPY_ABSENT : NPY_MALFORMED;
    }
    enum npy_found found = read_open(out, n, fd, name, detail, size);
    close(fd);
    return found;
}
