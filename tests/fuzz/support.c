#include "support.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/names.h"
#include "regret/buffer.h"
#include "regret/status.h"

enum { MAX_FILES = 24, PATH_SIZE = 256 };

int fuzz_accepted, fuzz_whole;

/* Files stay open between inputs: writing one is then two calls and no search for a name. */
static struct scratch_file {
    char name[64], path[PATH_SIZE];
    int fd; /* -1 until something is put there */
} files[MAX_FILES];
static size_t n_files;
static char scratch[PATH_SIZE / 2];

void fuzz_broken(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: does not hold: %s\nlast message: %s\n", file, line, what,
            regret_error_message());
    abort();
}

int fuzz_taken(int rc)
{
    REQUIRE(rc == REGRET_OK || rc == REGRET_E_INPUT);
    REQUIRE(rc == REGRET_OK || regret_error_message()[0] != '\0');
    return rc == REGRET_OK;
}

static struct fuzz_part part_of(const uint8_t *data, size_t size)
{
    struct fuzz_part part = {malloc(size > 0 ? size : 1), size};
    REQUIRE(part.text != NULL);
    if (size > 0) {
        memcpy(part.text, data, size);
    }
    return part;
}

/* The first separator in `size` bytes, or NULL. */
static const uint8_t *find_separator(const uint8_t *data, size_t size, size_t length,
                                     const char *separator)
{
    for (size_t i = 0; i + length <= size; i++) {
        const uint8_t *at = memchr(data + i, separator[0], size - length + 1 - i);
        if (at == NULL || memcmp(at, separator, length) == 0) {
            return at;
        }
        i = (size_t)(at - data);
    }
    return NULL;
}

void fuzz_split(struct fuzz_part parts[FUZZ_MAX_PARTS], const uint8_t *data, size_t size)
{
    static const char SEPARATOR[] = "=====\n";
    const size_t length = sizeof SEPARATOR - 1;
    for (size_t i = 0; i < FUZZ_MAX_PARTS; i++) {
        const uint8_t *end =
            i + 1 < FUZZ_MAX_PARTS ? find_separator(data, size, length, SEPARATOR) : NULL;
        size_t n = end != NULL ? (size_t)(end - data) : size;
        parts[i] = part_of(data, n);
        n += end != NULL ? length : 0;
        data = n > 0 ? data + n : data;
        size -= n;
    }
}

void fuzz_parts_free(struct fuzz_part parts[FUZZ_MAX_PARTS])
{
    for (size_t i = 0; i < FUZZ_MAX_PARTS; i++) {
        free(parts[i].text);
    }
}

static void remove_scratch(void)
{
    regret_folder_remove(scratch);
}

/* In memory where there is a file system for that; run.sh sets TMPDIR to clear up after crashes. */
static void make_scratch(void)
{
    const char *parent = getenv("TMPDIR");
    if (parent == NULL || parent[0] == '\0') {
        parent = regret_is_folder("/dev/shm") ? "/dev/shm" : "/tmp";
    }
    int n = snprintf(scratch, sizeof scratch, "%s/regret-fuzz-XXXXXX", parent);
    REQUIRE(n > 0 && (size_t)n < sizeof scratch && mkdtemp(scratch) != NULL);
    REQUIRE(atexit(remove_scratch) == 0);
}

static struct scratch_file *file_of(const char *name)
{
    for (size_t i = 0; i < n_files; i++) {
        if (strcmp(files[i].name, name) == 0) {
            return &files[i];
        }
    }
    if (scratch[0] == '\0') {
        make_scratch();
    }
    REQUIRE(n_files < MAX_FILES && strlen(name) < sizeof files[0].name);
    struct scratch_file *f = &files[n_files++];
    snprintf(f->name, sizeof f->name, "%s", name);
    snprintf(f->path, sizeof f->path, "%s/%s", scratch, name);
    f->fd = -1;
    return f;
}

const char *fuzz_path(const char *name)
{
    return file_of(name)->path;
}

const char *fuzz_put(const char *name, const char *bytes, size_t length)
{
    struct scratch_file *f = file_of(name);
    if (f->fd < 0) {
        f->fd = open(f->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    }
    REQUIRE(f->fd >= 0 && ftruncate(f->fd, (off_t)length) == 0);
    REQUIRE(pwrite(f->fd, bytes, length, 0) == (ssize_t)length);
    return f->path;
}

const char *fuzz_put_part(const char *name, struct fuzz_part part)
{
    return fuzz_put(name, part.text, part.length);
}

const char *fuzz_folder(const char *name)
{
    struct scratch_file *f = file_of(name);
    if (f->fd < 0) {
        f->fd = mkdir(f->path, 0700) == 0 ? 0 : -1;
        REQUIRE(f->fd == 0);
    }
    return f->path;
}

uint64_t fuzz_hash(const uint8_t *data, size_t size)
{
    return regret_hash64(data, size);
}

int fuzz_turn(const uint8_t *data, size_t size, unsigned inputs)
{
    return fuzz_whole || fuzz_hash(data, size) % inputs == 0;
}

enum fuzz_ways fuzz_ways_of(const uint8_t *data, size_t size)
{
    if (fuzz_turn(data, size, 16)) {
        return FUZZ_BOTH;
    }
    return fuzz_hash(data, size) >> 32 & 1 ? FUZZ_STRICT : FUZZ_LENIENT;
}

int fuzz_same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

int fuzz_same_number(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

void fuzz_count_note(void *context, const char *message)
{
    size_t *notes = context;
    REQUIRE(message != NULL && message[0] != '\0');
    ++*notes;
}
