#include "external/prediction_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/files.h"
#include "base/input.h"
#include "base/json.h"
#include "base/names.h"
#include "base/status.h"
#include "regret/buffer.h"
#include "regret/pool.h"
#include "regret/status.h"

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

/* The columns; those of the key in the order in which they sort, then what they lead to. */
enum { CELL, SEED, FOLD, CONTEXT, AGENT, DRAW, N_KEYS, PREDICTION = N_KEYS, N_COLUMNS };
static const char *const prediction_file_columns[N_COLUMNS] = {
    "cell", "seed", "fold", "context", "agent", "draw", "prediction"};
enum { DEMANDED = 1 << CONTEXT | 1 << AGENT | 1 << PREDICTION };
static const size_t NOT_THERE = SIZE_MAX;

struct entry {
    unsigned long long key[N_KEYS]; /* 0 where there is no column */
    double prediction;
};

struct prediction_file {
    unsigned columns; /* bit by column: it is there; 0 before the first header */
    struct entry *entry;
    size_t n, capacity;
    char digest[33];
};

/* What reading needs besides. */
struct reader {
    struct prediction_file *file;
    const struct regret_pool *pool;
    struct id_table contexts, agents;
    struct regret_csv *csv;
    const char *path;
    size_t column[N_COLUMNS];
};

static struct regret_place place_of(const struct reader *r)
{
    return (struct regret_place){r->path, regret_csv_line(r->csv)};
}

/* A field as a text without zero bytes. */
static int take_text(const char **out, struct reader *r, size_t column)
{
    size_t length = 0;
    *out = regret_csv_field(&length, r->csv, column);
    return strlen(*out) == length && regret_utf8_valid(*out, length, NULL)
               ? REGRET_OK
               : regret_json_error(place_of(r), "field %zu is no UTF-8 text", column + 1);
}

static int place_column(struct reader *r, size_t field)
{
    const char *name = NULL;
    TRY(take_text(&name, r, field));
    size_t i = texts_find(prediction_file_columns, N_COLUMNS, name);
    if (i == N_COLUMNS || r->column[i] != NOT_THERE) {
        return regret_json_error(place_of(r),
                                 "%s column \"%.40s\"; there are cell, seed, fold, context, agent, "
                                 "draw and prediction",
                                 i == N_COLUMNS ? "unknown" : "a second", name);
    }
    r->column[i] = field;
    return REGRET_OK;
}

static int prediction_file_read_header(struct reader *r)
{
    size_t n = 0;
    unsigned found = 0;
    TRY(regret_csv_next(r->csv, &n));
    for (size_t i = 0; i < N_COLUMNS; i++) {
        r->column[i] = NOT_THERE;
    }
    for (size_t i = 0; i < n; i++) {
        TRY(place_column(r, i));
    }
    for (size_t i = 0; i < N_COLUMNS; i++) {
        found |= r->column[i] != NOT_THERE ? 1U << i : 0;
    }
    if ((found & DEMANDED) != DEMANDED) {
        return regret_json_error(
            place_of(r), "a header with the columns context, agent and prediction (and cell, "
                         "seed, fold and draw where they matter) is wanted");
    }
    if (r->file->columns != 0 && r->file->columns != found) {
        return regret_json_error(place_of(r),
                                 "other columns than the file before; give all files the same");
    }
    r->file->columns = found;
    return REGRET_OK;
}

static int take_id(unsigned long long *out, struct reader *r, size_t column)
{
    const struct id_table *ids = column == CONTEXT ? &r->contexts : &r->agents;
    const char *id = NULL;
    TRY(take_text(&id, r, r->column[column]));
    size_t i = id_table_find(ids, id);
    if (i == SIZE_MAX) {
        return regret_json_error(place_of(r), "the pool has no %s \"%.60s\"",
                                 prediction_file_columns[column], id);
    }
    *out = i;
    return REGRET_OK;
}

static int take_count(unsigned long long *out, struct reader *r, size_t column)
{
    const char *text = NULL;
    char *end = NULL;
    TRY(take_text(&text, r, r->column[column]));
    errno = 0;
    *out = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0
               ? REGRET_OK
               : regret_json_error(place_of(r), "\"%s\" must be a whole number, not \"%.40s\"",
                                   prediction_file_columns[column], text);
}

static int take_prediction(double *out, struct reader *r)
{
    const char *text = NULL;
    char *end = NULL;
    TRY(take_text(&text, r, r->column[PREDICTION]));
    *out = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*out)
               ? REGRET_OK
               : regret_json_error(place_of(r),
                                   "\"prediction\" must be a finite number, not \"%.40s\"", text);
}

static int take_record(struct reader *r)
{
    struct entry made = {{0}, 0.0};
    struct prediction_file *f = r->file;
    for (size_t i = 0; i < N_KEYS; i++) {
        if (r->column[i] != NOT_THERE) {
            TRY(i == CONTEXT || i == AGENT ? take_id(&made.key[i], r, i)
                                           : take_count(&made.key[i], r, i));
        }
    }
    TRY(take_prediction(&made.prediction, r));
    TRY(regret_grow((void **)&f->entry, &f->capacity, f->n, sizeof *f->entry, "predictions"));
    f->entry[f->n++] = made;
    return REGRET_OK;
}

static int read_records(struct reader *r)
{
    size_t n = 0, fields = 0;
    for (size_t i = 0; i < N_COLUMNS; i++) {
        fields += r->column[i] != NOT_THERE;
    }
    for (;;) {
        TRY(regret_csv_next(r->csv, &n));
        if (n == 0) {
            return REGRET_OK;
        }
        if (n != fields) {
            return regret_json_error(place_of(r), "%zu fields where the header has %zu", n, fields);
        }
        TRY(take_record(r));
    }
}

/* Adds a file, and its digest to that of all. */
static int read_file(struct reader *r, const char *path)
{
    char both[65] = "";
    int rc;
    r->path = path;
    TRY(input_check_regular(path)); /* a pipe can be read but once, and a device for ever */
    memcpy(both, r->file->digest, 32);
    TRY(regret_digest_file(both + 32, path));
    regret_digest(r->file->digest, both, sizeof both - 1);
    TRY(regret_csv_open(&r->csv, path, NULL));
    TRY_CLEANUP(prediction_file_read_header(r));
    rc = read_records(r);
cleanup:
    regret_csv_close(r->csv);
    r->csv = NULL;
    return rc;
}

static int read_folder(struct reader *r, const char *folder)
{
    FREED_BY(folder_list_free) struct folder_list list = {0};
    FREED char *path = NULL;
    size_t found = 0;
    TRY(folder_list_read(&list, folder));
    for (size_t i = 0; i < list.n; i++) {
        size_t n = strlen(list.name[i]);
        if (n < 4 || strcmp(list.name[i] + n - 4, ".csv") != 0) {
            continue;
        }
        found++;
        TRY(regret_path_join(&path, folder, list.name[i]));
        TRY(read_file(r, path));
        regret_free(path);
        path = NULL;
    }
    if (found == 0) {
        return regret_fail(REGRET_E_INPUT, "%s has no file *.csv with predictions", folder);
    }
    return REGRET_OK;
}

static int by_key(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    for (size_t i = 0; i < N_KEYS; i++) {
        if (a->key[i] != b->key[i]) {
            return a->key[i] < b->key[i] ? -1 : 1;
        }
    }
    return 0;
}

static int sort(const struct reader *r, const char *path)
{
    struct prediction_file *f = r->file;
    if (f->n > 1) {
        qsort(f->entry, f->n, sizeof *f->entry, by_key);
    }
    for (size_t i = 1; i < f->n; i++) {
        const struct entry *e = &f->entry[i];
        if (by_key(e - 1, e) == 0) {
            return regret_fail(REGRET_E_INPUT,
                               "%s: the prediction of context \"%.60s\" and agent \"%.60s\" (cell "
                               "%llu, seed %llu, fold %llu, draw %llu) is given twice",
                               path, r->pool->contexts[e->key[CONTEXT]].id,
                               r->pool->agents[e->key[AGENT]].id, e->key[CELL], e->key[SEED],
                               e->key[FOLD], e->key[DRAW]);
        }
    }
    return REGRET_OK;
}

static int know_ids(struct reader *r)
{
    TRY(id_table_reserve(&r->contexts, r->pool->n_contexts));
    TRY(id_table_reserve(&r->agents, r->pool->n_agents));
    for (size_t i = 0; i < r->pool->n_contexts; i++) {
        id_table_put(&r->contexts, r->pool->contexts[i].id, i);
    }
    for (size_t i = 0; i < r->pool->n_agents; i++) {
        id_table_put(&r->agents, r->pool->agents[i].id, i);
    }
    return REGRET_OK;
}

/* Outcomes are from 0 to 1, and so are what predicts them. */
static int check_range(const struct reader *r, const char *path)
{
    const struct prediction_file *f = r->file;
    const struct entry *first = NULL;
    size_t outside = 0;
    for (size_t i = 0; i < f->n; i++) {
        if (f->entry[i].prediction < 0.0 || f->entry[i].prediction > 1.0) {
            first = first != NULL ? first : &f->entry[i];
            outside++;
        }
    }
    return 2 * outside <= f->n
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s: %zu of %zu predictions are outside 0 to 1, within which every "
                             "outcome is (%g of context \"%.60s\" and agent \"%.60s\"); write "
                             "them on that scale: percentages divided by 100, other scores less "
                             "their low end and divided by their range",
                             path, outside, f->n, first->prediction,
                             r->pool->contexts[first->key[CONTEXT]].id,
                             r->pool->agents[first->key[AGENT]].id);
}

int prediction_file_read(struct prediction_file **out, const char *path,
                         const struct regret_pool *pool)
{
    struct reader r = {.pool = pool};
    int rc;
    TRY_CLEANUP(REGRET_NEW(&r.file, 1));
    TRY_CLEANUP(know_ids(&r));
    TRY_CLEANUP(regret_is_folder(path) ? read_folder(&r, path) : read_file(&r, path));
    TRY_CLEANUP(sort(&r, path));
    TRY_CLEANUP(check_range(&r, path));
    *out = r.file;
    r.file = NULL;
cleanup:
    id_table_free(&r.contexts);
    id_table_free(&r.agents);
    prediction_file_free(r.file);
    return rc;
}

void prediction_file_free(struct prediction_file *f)
{
    if (f != NULL) {
        regret_free(f->entry);
        regret_free(f);
    }
}

const char *prediction_file_digest(const struct prediction_file *f)
{
    return f->digest;
}

int prediction_file_find(double *out, const struct prediction_file *f,
                         const struct prediction_key *key)
{
    struct entry wanted = {{key->cell, key->seed, key->fold, key->context, key->agent, key->draw},
                           0.0};
    for (size_t i = 0; i < N_KEYS; i++) {
        wanted.key[i] = f->columns >> i & 1 ? wanted.key[i] : 0;
    }
    const struct entry *found =
        f->n > 0 ? bsearch(&wanted, f->entry, f->n, sizeof *f->entry, by_key) : NULL;
    *out = found != NULL ? found->prediction : NAN;
    return found != NULL;
}
