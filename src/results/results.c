#include "results/results.h"

#include <cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "base/names.h"
#include "base/status.h"
#include "regret/buffer.h"
#include "regret/results.h"
#include "regret/status.h"
#include "results/row.h"
#include "results/run_file.h"

static int grow(struct results_reader *reader)
{
    struct regret_results *r = reader->results;
    if (r->n_rows < reader->capacity) {
        return REGRET_OK;
    }
    size_t n = reader->capacity == 0 ? 1024 : reader->capacity * 2;
    size_t **const indices[] = {&r->row_cell,       &r->row_seed,     &r->row_subject,
                                &r->row_basis,      &r->row_cv,       &r->row_failure,
                                &reader->row_shard, &reader->row_line};
    TRY(regret_realloc((void **)&reader->row_number, n, sizeof(long long), "the rows"));
    for (size_t i = 0; i < sizeof indices / sizeof *indices; i++) {
        TRY(regret_realloc((void **)indices[i], n, sizeof(size_t), "the rows"));
    }
    TRY(regret_realloc((void **)&r->row_picked, n, sizeof *r->row_picked, "the rows"));
    for (size_t i = 0; i < REGRET_N_MEASURES; i++) {
        TRY(regret_realloc((void **)&r->measure[i], n, sizeof(double), "the rows"));
    }
    reader->capacity = n;
    return REGRET_OK;
}

static int find_subject(size_t *out, const struct regret_results *r, const struct row *row,
                        struct regret_place at)
{
    *out = regret_results_subject(r, row->kind, row->name);
    return *out != REGRET_NO_ROW
               ? REGRET_OK
               : regret_json_error(at,
                                   "\"family\": \"%s\" is no %s of this run (run.json and the "
                                   "rows must come from one run)",
                                   row->name, row_kind_name(row->kind));
}

/* The number of a word of the row in `words`, added when new; REGRET_NO_ROW when it is null. */
static int take_word(size_t *out, struct regret_results *r, const struct row *row,
                     enum row_word field, struct regret_place at)
{
    const char *word = row->word[field];
    *out = REGRET_NO_ROW;
    if (word == NULL) {
        return REGRET_OK;
    }
    size_t i = texts_find((const char *const *)r->words, r->n_words, word);
    if (i == r->n_words) {
        enum { MAX_WORDS = 64 };
        if (i == MAX_WORDS) {
            return regret_json_error(at, "\"%s\": more than %d different words",
                                     row_word_name(field), MAX_WORDS);
        }
        TRY(regret_realloc((void **)&r->words, i + 1, sizeof(char *), "words"));
        TRY(regret_strdup(&r->words[i], word));
        r->n_words++;
    }
    *out = i;
    return REGRET_OK;
}

/* run.json may name only the swept keys; the cell's first row completes them, and every later row
 * must agree. */
static int check_cell_key(struct results_reader *reader, size_t cell, cJSON *json,
                          struct regret_place at)
{
    const cJSON *key = NULL, *before = reader->keys[cell];
    const cJSON *known = before != NULL ? before : reader->run.key[cell];
    TRY(regret_json_get_object(&key, json, "key", at));
    TRY(run_file_check_key(key, at));
    for (const cJSON *v = known->child; v != NULL; v = v->next) {
        if (!cJSON_Compare(v, cJSON_GetObjectItemCaseSensitive(key, v->string), 1)) {
            return regret_json_error(at, "\"key\": \"%s\" is not that of cell %zu", v->string,
                                     cell);
        }
    }
    if (before != NULL && !cJSON_Compare(key, before, 1)) {
        return regret_json_error(at, "\"key\" has more entries than earlier rows of cell %zu",
                                 cell);
    }
    if (before == NULL) {
        reader->keys[cell] = cJSON_DetachItemFromObjectCaseSensitive(json, "key");
    }
    return REGRET_OK;
}

int results_add_row(struct results_reader *reader, cJSON *json, size_t shard,
                    struct regret_place at)
{
    struct regret_results *r = reader->results;
    struct row row;
    size_t subject = 0;
    if (!cJSON_IsObject(json)) {
        return regret_json_error(at, "a row must be a JSON object");
    }
    TRY(grow(reader));
    TRY(row_read_head(&row, json, (long long)r->n_cells - 1, at));
    TRY(find_subject(&subject, r, &row, at));
    TRY(row_read_measures(&row, json, at));
    TRY(row_read_words(&row, json, at));
    const struct regret_run_grid *grid = r->n_grids > 0 ? &r->grids[r->cell_grid[row.cell]] : NULL;
    TRY(row_lists_read(r->lists, &row, json, grid, at));
    TRY(take_word(&r->row_basis[r->n_rows], r, &row, ROW_BASIS, at));
    TRY(take_word(&r->row_cv[r->n_rows], r, &row, ROW_CV, at));
    TRY(take_word(&r->row_failure[r->n_rows], r, &row, ROW_FAILURE, at));
    TRY(check_cell_key(reader, (size_t)row.cell, json, at));
    r->row_picked[r->n_rows] = NULL;
    TRY(row.word[ROW_PICKED] != NULL
            ? regret_strdup(&r->row_picked[r->n_rows], row.word[ROW_PICKED])
            : REGRET_OK);
    for (size_t i = 0; i < REGRET_N_MEASURES; i++) {
        r->measure[i][r->n_rows] = row.measure[i];
    }
    r->row_cell[r->n_rows] = (size_t)row.cell;
    r->row_subject[r->n_rows] = subject;
    reader->row_number[r->n_rows] = row.seed;
    reader->row_shard[r->n_rows] = shard;
    reader->row_line[r->n_rows] = at.line;
    r->n_rows++;
    return REGRET_OK;
}

/* The results as they are asked. */

void regret_results_free(struct regret_results *r)
{
    if (r == NULL) {
        return;
    }
    cJSON_Delete(r->run.json);
    regret_free(r->run.folder);
    regret_free(r->run.name);
    for (size_t i = 0; i < r->n_keys; i++) {
        regret_free(r->keys[i].name);
        texts_free(r->keys[i].values, r->keys[i].n_values);
    }
    for (size_t i = 0; i < REGRET_N_MEASURES; i++) {
        regret_free(r->measure[i]);
    }
    texts_free(r->words, r->n_words);
    texts_free(r->row_picked, r->n_rows);
    run_grids_free(r->grids, r->n_grids);
    run_means_clear(r->means, r->n_means);
    if (r->lists != NULL) {
        row_lists_clear(r->lists);
    }
    void *const blocks[] = {r->subjects, r->keys,        r->cell_value,  r->seeds,
                            r->row_cell, r->row_seed,    r->row_subject, r->row_basis,
                            r->row_cv,   r->row_failure, r->at,          r->gaps,
                            r->unmade,   r->cell_grid,   r->cell_means,  r->lists};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        regret_free(blocks[i]);
    }
    regret_free(r);
}

double regret_results_value(const struct regret_results *r, enum regret_measure measure,
                            size_t subject, size_t cell, size_t seed)
{
    size_t row = r->at[subject + r->n_subjects * (cell + r->n_cells * seed)];
    return row == REGRET_NO_ROW ? NAN : r->measure[measure][row];
}

size_t regret_results_subject(const struct regret_results *r, enum regret_row_kind kind,
                              const char *name)
{
    for (size_t i = 0; i < r->n_subjects; i++) {
        if (r->subjects[i].kind == kind && strcmp(r->subjects[i].name, name) == 0) {
            return i;
        }
    }
    return REGRET_NO_ROW;
}

size_t regret_results_find_key(const struct regret_results *r, const char *name)
{
    for (size_t k = 0; k < r->n_keys; k++) {
        if (strcmp(r->keys[k].name, name) == 0) {
            return k;
        }
    }
    return REGRET_NO_ROW;
}

size_t regret_results_key_value(const struct regret_results *r, size_t cell, size_t key)
{
    return r->cell_value[cell + r->n_cells * key];
}

const char *regret_results_key_text(const struct regret_results *r, size_t cell, size_t key)
{
    return r->keys[key].values[regret_results_key_value(r, cell, key)];
}

struct regret_list_view regret_results_list(const struct regret_results *r, enum regret_list list,
                                            size_t subject, size_t cell, size_t seed)
{
    size_t row = r->at[subject + r->n_subjects * (cell + r->n_cells * seed)];
    return row == REGRET_NO_ROW ? (struct regret_list_view){NULL, 0}
                                : row_lists_view(r->lists, row, list);
}

/* What families of the user's own have not made, in words. */

/* Of one family. */
struct lack {
    size_t rows, fits;   /* of its replicates, and those that have a fit */
    size_t *failures;    /* by word */
    size_t no_cross_fit; /* replicates with a fit and DM, but no DR */
};

static void count_rows(struct lack *out, const struct regret_results *r, size_t family)
{
    for (size_t i = 0; i < r->n_rows; i++) {
        if (r->row_subject[i] != family) {
            continue;
        }
        out->rows++;
        if (r->row_failure[i] != REGRET_NO_ROW) {
            out->failures[r->row_failure[i]]++;
            continue;
        }
        out->fits++;
        out->no_cross_fit += isfinite(r->measure[REGRET_MEASURE_DM_RMSE][i]) &&
                             !isfinite(r->measure[REGRET_MEASURE_DR_RMSE][i]);
    }
}

/* "mine has no fit in 3 of 60 replicates (time-out 2, crash 1): it counts as missing there, and its numbers are
 * means over the rest." */
static void put_failures(struct regret_buffer *t, const struct regret_results *r, const char *name,
                         const struct lack *lack)
{
    const char *joint = " (";
    if (lack->fits == lack->rows) {
        return;
    }
    regret_buffer_append(t, t->length > 0 ? " " : "");
    regret_buffer_append_safe(t, name, 60);
    regret_buffer_printf(t, " has no fit in %zu of %zu replicates", lack->rows - lack->fits,
                         lack->rows);
    for (size_t w = 0; w < r->n_words; w++) {
        if (lack->failures[w] > 0) {
            regret_buffer_append(t, joint);
            regret_buffer_append_safe(t, r->words[w], 40);
            regret_buffer_printf(t, " %zu", lack->failures[w]);
            joint = ", ";
        }
    }
    regret_buffer_append(t,
                         "): it counts as missing there, and its numbers are means over the rest.");
}

static void put_cross_fit(struct regret_buffer *t, const char *name, const struct lack *lack)
{
    if (lack->no_cross_fit > 0) {
        regret_buffer_append(t, t->length > 0 ? " " : "");
        regret_buffer_append_safe(t, name, 60);
        regret_buffer_printf(
            t,
            " has no DR and SNDR in %zu of %zu replicates, for want of predictions "
            "out of fold.",
            lack->no_cross_fit, lack->rows);
    }
}

static int put_family(struct regret_buffer *t, const struct regret_results *r, size_t family)
{
    struct lack lack = {0};
    TRY(REGRET_NEW(&lack.failures, r->n_words + 1));
    count_rows(&lack, r, family);
    put_failures(t, r, r->subjects[family].name, &lack);
    put_cross_fit(t, r->subjects[family].name, &lack);
    regret_free(lack.failures);
    return regret_buffer_status(t);
}

int results_find_unmade(struct results_reader *reader)
{
    struct regret_results *r = reader->results;
    FREED_BY(regret_buffer_free) struct regret_buffer all = REGRET_BUFFER_INIT;
    for (size_t f = 0; f < r->n_families; f++) {
        TRY(r->subjects[f].external != NULL ? put_family(&all, r, f) : REGRET_OK);
    }
    if (all.length > 0) {
        return regret_strdup(&r->unmade, regret_buffer_get(&all));
    }
    return REGRET_OK;
}

void row_file_name(char name[ROW_FILE_NAME], enum row_file_kind kind, size_t shard, size_t shards)
{
    static const char *const words[] = {"results", "timing"};
    snprintf(name, ROW_FILE_NAME, "%s-%zu-of-%zu.jsonl", words[kind], shard, shards);
}

int row_file_path(char **out, const char *folder, enum row_file_kind kind, size_t shard,
                  size_t shards)
{
    char name[ROW_FILE_NAME];
    row_file_name(name, kind, shard, shards);
    return regret_path_join(out, folder, name);
}

int row_file_parse_name(size_t *shard, size_t *shards, const char *name)
{
    char canonical[ROW_FILE_NAME];
    const char *tail = strrchr(name, '.');
    unsigned i = 0, n = 0;
    if (strncmp(name, "results-", 8) != 0 || tail == NULL || strcmp(tail, ".jsonl") != 0) {
        return -1;
    }
    if (sscanf(name, "results-%4u-of-%4u.jsonl", &i, &n) != 2) {
        return 0;
    }
    row_file_name(canonical, ROW_FILE_RESULTS, i, n); /* no leading zeros, no more digits */
    *shard = i;
    *shards = n;
    return strcmp(canonical, name) == 0 && i >= 1 && i <= n;
}

int row_file_open(struct row_file *f, const char *folder, enum row_file_kind kind, size_t shard,
                  size_t shards, size_t keep)
{
    *f = (struct row_file)ROW_FILE_INIT;
    TRY(row_file_path(&f->path, folder, kind, shard, shards));
    TRY(output_open(&f->fd, f->path, O_WRONLY | O_CREAT | O_APPEND));
    if (ftruncate(f->fd, (off_t)keep) != 0) {
        return regret_fail(REGRET_E_IO, "cannot cut %s: %s", f->path, strerror(errno));
    }
    f->length = keep;
    return REGRET_OK;
}

/* Are the bytes written so far, and no others, where they are looked for? A file that was removed,
 * moved or cut by others takes every write without an error. */
static int check_in_place(const struct row_file *f)
{
    size_t length = 0;
    TRY(output_check_there(&length, f->fd, f->path, "while the run was writing to it"));
    if (length != f->length) {
        return regret_fail(REGRET_E_IO,
                           "%s has %zu bytes, but the run has written %zu: another program has "
                           "changed it",
                           f->path, length, f->length);
    }
    return REGRET_OK;
}

int row_file_append(struct row_file *f, const char *text, size_t length)
{
    TRY(check_in_place(f));
    TRY(output_write(f->fd, text, length, f->path));
    f->length += length;
    return REGRET_OK;
}

int row_file_close(struct row_file *f)
{
    int rc = REGRET_OK;
    if (f->fd >= 0) {
        TRY_CLEANUP(check_in_place(f));
        TRY_CLEANUP(output_sync(f->fd, f->path));
        int closed = close(f->fd);
        f->fd = -1;
        rc = closed == 0
                 ? REGRET_OK
                 : regret_fail(REGRET_E_IO, "cannot write %s: %s", f->path, strerror(errno));
    }
cleanup:
    row_file_abandon(f);
    return rc;
}

void row_file_abandon(struct row_file *f)
{
    if (f->fd >= 0) {
        (void)fsync(f->fd);
        close(f->fd);
    }
    regret_free(f->path);
    *f = (struct row_file)ROW_FILE_INIT;
}
