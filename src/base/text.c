#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, madvise */

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utf8proc.h>

#include "base/files.h"
#include "base/status.h"
#include "regret/buffer.h"
#include "regret/status.h"

static int has_same_words(const char *a, const char *b)
{
    static const char blanks[] = " \t\r\n";
    for (;;) {
        a += strspn(a, blanks);
        b += strspn(b, blanks);
        size_t n = strcspn(a, blanks);
        if (n != strcspn(b, blanks) || strncmp(a, b, n) != 0) {
            return 0;
        }
        if (n == 0) {
            return 1;
        }
        a += n;
        b += n;
    }
}

size_t name_find(const char *const *names, size_t n, const char *name)
{
    size_t same = n;
    for (size_t i = 0; i < n; i++) {
        if (names[i] != NULL && strcmp(names[i], name) == 0) {
            return i;
        }
        same = same == n && names[i] != NULL && has_same_words(names[i], name) ? i : same;
    }
    return same;
}

int name_is_plain(const char *name, size_t most)
{
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    return name != NULL && name[0] >= 'a' && name[strspn(name, LETTERS)] == '\0' &&
           strlen(name) <= most;
}

enum { MAX_WORD = 64 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Letters to change, add, leave out or swap with the next to make `b` of `a` (optimal string alignment),
 * of words of at most MAX_WORD bytes. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t rows[3][MAX_WORD + 1]; /* of the last three letters of `a`: row i is rows[i % 3] */
    size_t n = strlen(a), m = strlen(b);
    for (size_t j = 0; j <= m; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= n; i++) {
        size_t *row = rows[i % 3];
        const size_t *last = rows[(i - 1) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            row[j] = least(last[j - 1] + (a[i - 1] != b[j - 1]), least(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = least(row[j], before[j - 2] + 1);
            }
        }
    }
    return rows[n % 3][m];
}

const char *name_nearest(const char *word, const char *const *known, size_t n)
{
    if (strlen(word) > MAX_WORD) {
        return NULL;
    }
    const char *best = NULL;
    size_t best_distance = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        if (strlen(known[i]) > MAX_WORD) {
            continue;
        }
        size_t distance = edit_distance(word, known[i]);
        if (distance < best_distance) {
            best_distance = distance;
            best = known[i];
        }
    }
    return best != NULL && best_distance * 3 <= strlen(word) + 2 ? best : NULL;
}

char *name_fold(const char *name)
{
    char *text = (char *)utf8proc_NFKC_Casefold((const utf8proc_uint8_t *)name), *to = text;
    for (const char *p = text; p != NULL && *p != '\0'; p++) {
        int is_inner = to > text && strchr("0123456789.", to[-1]) != NULL;
        int leads = *p == '0' && !is_inner && p[1] >= '0' && p[1] <= '9';
        if (!leads && strchr(" \t\r\n-_", *p) == NULL) {
            *to++ = *p;
        }
    }
    if (text != NULL) {
        *to = '\0';
    }
    return text;
}

const char NAME_TWINS[] = "differ in blanks, dashes, leading zeros, case or Unicode form alone: if "
                          "they are one, spell them alike";

int name_twins(const char *twin[2], const char *const *name, size_t n)
{
    char **folded = NULL;
    twin[0] = twin[1] = NULL;
    TRY(REGRET_NEW(&folded, n));
    for (size_t i = 0; i < n && twin[0] == NULL; i++) {
        folded[i] = name_fold(name[i]);
        for (size_t j = 0; j < i && folded[i] != NULL && twin[0] == NULL; j++) {
            if (folded[j] != NULL && strcmp(folded[i], folded[j]) == 0) {
                twin[0] = name[j];
                twin[1] = name[i];
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        free(folded[i]);
    }
    regret_free(folded);
    return REGRET_OK;
}

int name_unknown(const char *what, const char *word, const char *const *known, size_t n)
{
    struct regret_buffer list = REGRET_BUFFER_INIT;
    const char *near = name_nearest(word, known, n);
    for (size_t i = 0; i < n; i++) {
        regret_buffer_printf(&list, "%s%s", i > 0 ? ", " : "", known[i]);
    }
    int rc = regret_fail(REGRET_E_INPUT, "unknown %s \"%s\"; %s%s%sthere are %s", what, word,
                         near != NULL ? "did you mean \"" : "", near != NULL ? near : "",
                         near != NULL ? "\"? " : "", regret_buffer_get(&list));
    regret_buffer_free(&list);
    return rc;
}

int text_take(char **out, struct regret_buffer *text)
{
    int rc;
    TRY_CLEANUP(regret_buffer_status(text));
    TRY_CLEANUP(text->data == NULL ? regret_strdup(out, "") : REGRET_OK);
    if (text->data != NULL) {
        *out = text->data;
        *text = (struct regret_buffer)REGRET_BUFFER_INIT;
    }
cleanup:
    regret_buffer_free(text);
    return rc;
}

void text_free_into(int *status, struct regret_buffer *text)
{
    if (*status == REGRET_OK) {
        *status = regret_buffer_status(text);
    }
    regret_buffer_free(text);
}

const char *path_last(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

int path_beside(char **out, const char *path, const char *name)
{
    struct regret_buffer beside = REGRET_BUFFER_INIT;
    regret_buffer_append_n(&beside, path, (size_t)(path_last(path) - path));
    regret_buffer_append(&beside, name);
    return text_take(out, &beside);
}

int name_matches(const char *const *patterns, size_t n, const char *name)
{
    size_t i = 0;
    while (i < n && fnmatch(patterns[i], name, 0) != 0) {
        i++;
    }
    return i < n;
}

/* Length of the well-formed sequence at p (of n bytes left), or 0. Unicode 15.0, table 3-7. */
static size_t sequence_length(const unsigned char *p, size_t n)
{
    unsigned char c = p[0];
    if (c < 0x80) {
        return 1;
    }
    size_t length = c >= 0xC2 && c <= 0xDF   ? 2
                    : (c & 0xF0) == 0xE0     ? 3
                    : c >= 0xF0 && c <= 0xF4 ? 4
                                             : 0;
    if (length == 0 || length > n) {
        return 0;
    }
    unsigned char low = 0x80, high = 0xBF; /* bounds of the second byte */
    if (c == 0xE0) {
        low = 0xA0;
    } else if (c == 0xED) {
        high = 0x9F;
    } else if (c == 0xF0) {
        low = 0x90;
    } else if (c == 0xF4) {
        high = 0x8F;
    }
    if (p[1] < low || p[1] > high) {
        return 0;
    }
    for (size_t i = 2; i < length; i++) {
        if ((p[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    return length;
}

/* Bytes of ASCII at the beginning of n, in words of eight: most text is nothing else. */
static size_t ascii_words(const unsigned char *p, size_t n)
{
    size_t i = 0;
    uint64_t word = 0;
    for (; i + sizeof word <= n; i += sizeof word) {
        memcpy(&word, p + i, sizeof word);
        if ((word & 0x8080808080808080U) != 0) {
            break;
        }
    }
    return i;
}

int regret_utf8_valid(const char *text, size_t length, size_t *bad)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t i = ascii_words(p, length);
    while (i < length) {
        size_t n = sequence_length(p + i, length - i);
        if (n == 0) {
            if (bad != NULL) {
                *bad = i;
            }
            return 0;
        }
        i += n;
        i += n > 1 ? ascii_words(p + i, length - i) : 0;
    }
    return 1;
}

void regret_utf8_append_repaired(struct regret_buffer *out, const char *text, size_t length)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t from = 0, i = 0;
    while (i < length) {
        size_t n = p[i] != 0 ? sequence_length(p + i, length - i) : 0;
        if (n == 0) {
            regret_buffer_append_n(out, text + from, i - from);
            regret_buffer_append(out, "\xef\xbf\xbd");
            from = i + 1;
        }
        i += n > 0 ? n : 1;
    }
    regret_buffer_append_n(out, text + from, length - from);
}

void text_wrap(struct regret_buffer *out, const char *text, const struct text_margins *margins)
{
    struct regret_buffer word = REGRET_BUFFER_INIT;
    size_t used = 0, lines = 0;
    for (text += strspn(text, " "); *text != '\0'; text += strspn(text, " ")) {
        size_t n = strcspn(text, " ");
        regret_buffer_clear(&word);
        regret_buffer_append_n(&word, text, n);
        size_t columns = regret_text_columns(regret_buffer_get(&word));
        if (lines == 0 || used + 1 + columns > margins->columns) {
            size_t indent = lines == 0 ? margins->first : margins->rest;
            regret_buffer_printf(out, "%s%*s", lines > 0 ? "\n" : "", (int)indent, "");
            used = indent;
            lines++;
        } else {
            regret_buffer_append_char(out, ' ');
            used++;
        }
        regret_buffer_append_n(out, text, n);
        used += columns;
        text += n;
    }
    regret_buffer_append(out, lines > 0 ? "\n" : "");
    regret_buffer_free_into(out, &word);
}

size_t text_count_lines(const struct regret_buffer *text)
{
    size_t n = 0;
    for (size_t i = 0; i < text->length; i++) {
        n += text->data[i] == '\n';
    }
    return n;
}

void text_wrap_wide(struct regret_buffer *out, const char *text, size_t columns)
{
    struct regret_buffer line = REGRET_BUFFER_INIT;
    while (*text != '\0') {
        size_t n = strcspn(text, "\n"), indent = strspn(text, " ");
        const struct text_margins margins = {columns, indent, indent + 2};
        regret_buffer_clear(&line);
        regret_buffer_append_n(&line, text, n);
        if (regret_text_columns(regret_buffer_get(&line)) > columns) {
            text_wrap(out, regret_buffer_get(&line), &margins);
        } else {
            regret_buffer_printf(out, "%s\n", regret_buffer_get(&line));
        }
        text += n + (text[n] == '\n');
    }
    regret_buffer_free_into(out, &line);
}

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
