#include "external/prediction_file.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/id_table.h"
#include "base/core/texts.h"
#include "base/core/try.h"
#include "base/files/folder_list.h"
#include "base/files/input.h"
#include "regret/alloc.h"
#include "regret/buffer.h"
#include "regret/csv.h"
#include "regret/file.h"
#include "regret/hash.h"
#include "regret/json.h"

/* The columns; those of the key in the order in which they sort, then what they lead to. */
enum { CELL, SEED, FOLD, CONTEXT, AGENT, DRAW, N_KEYS, PREDICTION = N_KEYS, N_COLUMNS };
static const char *const columns[N_COLUMNS] = {"cell",  "seed", "fold",      "context",
                                               "agent", "draw", "prediction"};
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
    size_t i = texts_find(columns, N_COLUMNS, name);
    if (i == N_COLUMNS || r->column[i] != NOT_THERE) {
        return regret_json_error(place_of(r),
                                 "%s column \"%.40s\"; there are cell, seed, fold, context, agent, "
                                 "draw and prediction",
                                 i == N_COLUMNS ? "unknown" : "a second", name);
    }
    r->column[i] = field;
    return REGRET_OK;
}

static int read_header(struct reader *r)
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
        return regret_json_error(place_of(r), "the pool has no %s \"%.60s\"", columns[column], id);
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
                                   columns[column], text);
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
    TRY_CLEANUP(read_header(r));
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
