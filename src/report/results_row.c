#include <string.h>

#include <cJSON.h>

#include "base/try.h"
#include "experiment/row_fields.h"
#include "regret/alloc.h"
#include "report/results.h"

static int grow(struct results_reader *reader)
{
    struct regret_results *r = reader->results;
    if (r->n_rows < reader->capacity) {
        return REGRET_OK;
    }
    size_t n = reader->capacity == 0 ? 1024 : reader->capacity * 2;
    size_t **const indices[] = {&r->row_cell, &r->row_seed,       &r->row_subject,  &r->row_basis,
                                &r->row_cv,   &reader->row_shard, &reader->row_line};
    TRY(regret_realloc((void **)&reader->row_number, n, sizeof(long long), "the rows"));
    for (size_t i = 0; i < sizeof indices / sizeof *indices; i++) {
        TRY(regret_realloc((void **)indices[i], n, sizeof(size_t), "the rows"));
    }
    for (size_t i = 0; i < REGRET_N_MEASURES; i++) {
        TRY(regret_realloc((void **)&r->measure[i], n, sizeof(double), "the rows"));
    }
    reader->capacity = n;
    return REGRET_OK;
}

static int find_subject(size_t *out, const struct regret_results *r, const cJSON *row,
                        struct regret_place at)
{
    const char *name = NULL;
    enum regret_row_kind kind = REGRET_ROW_FAMILY;
    TRY(row_read_subject(&kind, &name, row, at));
    size_t subject = regret_results_subject(r, kind, name);
    if (subject == REGRET_NO_ROW) {
        return regret_json_error(at,
                                 "\"family\": \"%s\" is no %s of this run (run.json and the "
                                 "rows must come from one run)",
                                 name, row_kind_name(kind));
    }
    *out = subject;
    return REGRET_OK;
}

static int take_measures(struct regret_results *r, enum regret_row_kind kind, const cJSON *row,
                         struct regret_place at)
{
    double value[REGRET_N_MEASURES];
    TRY(row_read_measures(value, kind, row, at));
    for (size_t i = 0; i < REGRET_N_MEASURES; i++) {
        r->measure[i][r->n_rows] = value[i];
    }
    return REGRET_OK;
}

/* The number of the word in `words`, added when new; REGRET_NO_ROW when the field is null. */
static int take_word(size_t *out, struct regret_results *r, const cJSON *row, const char *field,
                     struct regret_place at)
{
    const char *word = NULL;
    *out = REGRET_NO_ROW;
    TRY(regret_json_optional_string(&word, row, field, at));
    if (word == NULL) {
        return REGRET_OK;
    }
    size_t i = 0;
    while (i < r->n_words && strcmp(r->words[i], word) != 0) {
        i++;
    }
    if (i == r->n_words) {
        enum { MAX_WORDS = 64 };
        if (i == MAX_WORDS) {
            return regret_json_error(at, "\"%s\": more than %d different words", field, MAX_WORDS);
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
static int check_cell_key(struct results_reader *reader, size_t cell, cJSON *row,
                          struct regret_place at)
{
    const cJSON *key = NULL;
    TRY(regret_json_get_object(&key, row, "key", at));
    TRY(results_check_key(key, at));
    for (const cJSON *v = reader->keys[cell]->child; v != NULL; v = v->next) {
        if (!cJSON_Compare(v, cJSON_GetObjectItemCaseSensitive(key, v->string), 1)) {
            return regret_json_error(at, "\"key\": \"%s\" is not that of cell %zu", v->string,
                                     cell);
        }
    }
    if (!reader->seen[cell]) {
        cJSON_Delete(reader->keys[cell]);
        reader->keys[cell] = cJSON_DetachItemFromObjectCaseSensitive(row, "key");
        reader->seen[cell] = 1;
    } else if (!cJSON_Compare(key, reader->keys[cell], 1)) {
        return regret_json_error(at, "\"key\" has more entries than earlier rows of cell %zu",
                                 cell);
    }
    return REGRET_OK;
}

int results_add_row(struct results_reader *reader, cJSON *row, size_t shard, struct regret_place at)
{
    struct regret_results *r = reader->results;
    long long cell = 0, seed = 0;
    size_t subject = 0;
    if (!cJSON_IsObject(row)) {
        return regret_json_error(at, "a row must be a JSON object");
    }
    TRY(grow(reader));
    TRY(row_check_fields(row, at));
    TRY(regret_json_get_integer(&cell, row, "cell", 0, (long long)r->n_cells - 1, at));
    TRY(regret_json_get_integer(&seed, row, "seed", 0, 1LL << 53, at));
    TRY(find_subject(&subject, r, row, at));
    TRY(take_measures(r, r->subjects[subject].kind, row, at));
    TRY(take_word(&r->row_basis[r->n_rows], r, row, "basis", at));
    TRY(take_word(&r->row_cv[r->n_rows], r, row, "cv", at));
    TRY(check_cell_key(reader, (size_t)cell, row, at));
    r->row_cell[r->n_rows] = (size_t)cell;
    r->row_subject[r->n_rows] = subject;
    reader->row_number[r->n_rows] = seed;
    reader->row_shard[r->n_rows] = shard;
    reader->row_line[r->n_rows] = at.line;
    r->n_rows++;
    return REGRET_OK;
}
