#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, madvise */
#include "base/files/text_store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/core/try.h"
#include "base/files/output.h"
#include "regret/alloc.h"

enum {
    SEGMENT =
        1 << 24, /* bytes in memory before they go to the file, and read before they are let go */
    NEARBY = 16, /* the system brings in a text's block of 2^16 bytes */
    MOST_FOLDER = 4000,  /* bytes of TMPDIR */
    FIRST_DESCRIPTOR = 3 /* words meant for stderr must not land in data */
};

struct segment {
    char *at;
    size_t size;
};

struct regret_text_store {
    struct segment *segment; /* owned; the last in memory, the others in the file */
    size_t n, capacity;
    size_t used;     /* bytes of the last */
    size_t read;     /* since the segments of the file were let go */
    uintptr_t block; /* of the text read last */
    off_t length;    /* of the file */
    int fd;          /* 0: there is no file yet */
};

static int no_file(const char *what, const char *folder)
{
    return regret_fail(
        REGRET_E_IO,
        "cannot %s a temporary file for texts in %s: %s; set TMPDIR to a folder with "
        "room for all of them",
        what, folder, strerror(errno));
}

static int open_file(struct regret_text_store *s, const char *folder)
{
    char path[MOST_FOLDER + 16];
    int n = snprintf(path, sizeof path, "%s/regret-XXXXXX", folder);
    errno = ENAMETOOLONG;
    int opened = n < (int)sizeof path ? mkstemp(path) : -1;
    if (opened < 0) {
        return no_file("make", folder);
    }
    unlink(path);
    s->fd = fcntl(opened, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
    close(opened);
    if (s->fd < 0) {
        s->fd = 0;
        return no_file("open", folder);
    }
    return REGRET_OK;
}

static size_t whole_pages(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page;
}

/* The last segment goes to the file, and is looked at there from now on, by the same addresses. */
static int spill(struct regret_text_store *s)
{
    struct segment *last = &s->segment[s->n - 1];
    const char *given = getenv("TMPDIR"),
               *folder = given != NULL && given[0] != '\0' ? given : "/var/tmp";
    size_t size = whole_pages(s->used);
    TRY(s->fd == 0 ? open_file(s, folder) : REGRET_OK);
    if (output_write(s->fd, last->at, size, folder) != REGRET_OK) {
        return no_file("write", folder);
    }
    if (mmap(last->at, size, PROT_READ, MAP_SHARED | MAP_FIXED, s->fd, s->length) == MAP_FAILED) {
        return no_file("map", folder);
    }
    s->length += (off_t)size;
    return REGRET_OK;
}

/* A new last segment with that many bytes or more. */
static int begin_segment(struct regret_text_store *s, size_t bytes)
{
    size_t size = whole_pages(bytes > SEGMENT ? bytes : SEGMENT);
    TRY(regret_grow((void **)&s->segment, &s->capacity, s->n, sizeof *s->segment, "texts"));
    TRY(s->n > 0 ? spill(s) : REGRET_OK);
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) {
        return regret_fail(REGRET_E_NOMEM, "out of memory: %zu bytes for texts", size);
    }
    s->segment[s->n++] = (struct segment){at, size};
    s->used = 0;
    return REGRET_OK;
}

int text_store_add(char **out, struct regret_text_store **store, const char *text, size_t length)
{
    TRY(*store == NULL ? REGRET_NEW(store, 1) : REGRET_OK);
    struct regret_text_store *s = *store;
    TRY(s->n == 0 || length >= s->segment[s->n - 1].size - s->used ? begin_segment(s, length + 1)
                                                                   : REGRET_OK);
    *out = s->segment[s->n - 1].at + s->used;
    memcpy(*out, text, length);
    (*out)[length] = '\0';
    s->used += length + 1;
    return REGRET_OK;
}

void text_store_pass(struct regret_text_store *s, const char *text)
{
    if (s == NULL) {
        return;
    }
    uintptr_t block = (uintptr_t)text >> NEARBY;
    s->read += strlen(text) + (block != s->block ? (size_t)1 << NEARBY : 0);
    s->block = block;
    if (s->read > SEGMENT) {
        s->read = 0;
        for (size_t i = 0; i + 1 < s->n; i++) {
            (void)madvise(s->segment[i].at, s->segment[i].size, MADV_DONTNEED);
        }
    }
}

void text_store_free(struct regret_text_store *s)
{
    if (s == NULL) {
        return;
    }
    for (size_t i = 0; i < s->n; i++) {
        munmap(s->segment[i].at, s->segment[i].size);
    }
    if (s->fd > 0) {
        close(s->fd);
    }
    regret_free(s->segment);
    regret_free(s);
}
