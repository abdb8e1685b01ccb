#include <string.h>

#include <cJSON.h>

#include "base/core/texts.h"
#include "base/core/try.h"
#include "regret/alloc.h"
#include "results/read/reader.h"
#include "results/row/row.h"

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
