#include <stdio.h>
#include <string.h>

#include "base/core/try.h"
#include "base/csv/csv_table.h"
#include "base/files/input.h"
#include "base/text/path.h"
#include "rate/read/document.h"
#include "rate/read/read_csv.h"
#include "rate/read/reading.h"
#include "rate/rows/rows.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/json.h"

FREED_POINTER(struct regret_jsonl, regret_jsonl_close)

static int take_line(struct reading *r, const char *line, size_t length, struct regret_place at)
{
    int rc = row_read(&r->reader, line, length, at);
    return rc != REGRET_OK ? reading_pass_over(r, rc, at.line) : reading_add(r, at.line);
}

static int read_lines(struct reading *r, const char *path)
{
    FREED_BY(regret_jsonl_close_at) struct regret_jsonl *file = NULL;
    const char *line = NULL;
    size_t length = 0;
    struct regret_place at;
    TRY(regret_jsonl_open(&file, path));
    TRY(regret_jsonl_next_line(file, &line, &length, &at));
    while (line != NULL) {
        TRY(take_line(r, line, length, at));
        TRY(regret_jsonl_next_line(file, &line, &length, &at));
    }
    return REGRET_OK;
}

/* One row of a document; `key` is its id where it has none. */
static int read_element(struct reading *r, const struct document *d, const char *text,
                        size_t length, struct regret_span key)
{
    r->reader.whole = d->text;
    int rc = row_read(&r->reader, text, length, d->at);
    r->reader.whole = NULL;
    if (rc != REGRET_OK) {
        rc = rc == REGRET_E_INPUT ? regret_fail_prefix(rc, "row %zu", d->n) : rc;
        return reading_pass_over(r, rc, d->n);
    }
    r->reader.row.id = r->reader.row.id.text != NULL ? r->reader.row.id : key;
    return reading_add(r, d->n);
}

static int read_document(struct reading *r, struct document *d)
{
    const char *text = NULL;
    size_t length = 0;
    struct regret_span key;
    r->rows->files[r->rows->n_files - 1].is_document = 1;
    TRY(document_next(d, &text, &length, &key));
    while (text != NULL) {
        TRY(read_element(r, d, text, length, key));
        TRY(document_next(d, &text, &length, &key));
    }
    return REGRET_OK;
}

static int read_either(struct reading *r, const char *path)
{
    struct document document;
    int is_document = 0, rc;
    TRY_CLEANUP(document_open(&document, &is_document, path, r->reader.z_field));
    if (is_document) {
        rc = read_document(r, &document);
    }
cleanup:
    document_free(&document);
    return rc != REGRET_OK || is_document ? rc : read_lines(r, path);
}

/* Standard input can be read but once. */
static int check_input(const struct regret_rate_rows *rows)
{
    for (size_t f = 0; f < rows->n_files; f++) {
        if (strcmp(rows->files[f].name, INPUT_STANDARD) == 0) {
            return regret_fail(REGRET_E_INPUT, "standard input can be read but once; give - once");
        }
    }
    return REGRET_OK;
}

static int read_file(struct reading *r, const char *path)
{
    const struct regret_rate_rows *rows = r->rows;
    char separator = csv_separator_of(path);
    r->number = 0;
    if (strcmp(path, "-") == 0) {
        TRY(check_input(rows));
        path = input_path(path);
    }
    if (regret_is_folder(path)) {
        return regret_fail(REGRET_E_INPUT, "%s is a folder; name the files in it", path);
    }
    const char *base = path_last(path), *end = strchr(base, '.');
    r->reader.model =
        (struct regret_span){base, end != NULL && end > base ? (size_t)(end - base) : strlen(base)};
    TRY(rows_add_file(r->rows, path));
    TRY(separator != '\0' ? read_table(r, path, separator) : read_either(r, path));
    if (r->options->need_scores && rows->files[rows->n_files - 1].n_scored == 0 &&
        rows->n_rows > 0) {
        return regret_fail(REGRET_E_INPUT,
                           "%s: no row has a reward model; a row is {\"w\": true, \"scores\": "
                           "{\"MODEL\": {\"original\": 0.1, \"rewrite\": 0.3, "
                           "\"rewrite_of_rewrite\": 0.2}}}, or in the authors' layout "
                           "{\"w_original\": true, \"MODEL\": {\"original\": 0.1, \"rewrite\": "
                           "0.3, \"rewritten rewrite\": 0.2}}, with numbers for scores",
                           path);
    }
    return REGRET_OK;
}

/* Refuses rows that may count twice: some without ids, where several files have rows of the group. */
static int check_ids(const struct reading *r)
{
    const struct regret_rate_rows *rows = r->rows;
    int pair = r->options->without_ids == REGRET_RATE_IDS_PAIR;
    for (size_t g = 0; g < rows->n_groups; g++) {
        const struct source *s = &rows->index->sources[g];
        if (s->nameless == 0 || s->other == 0 ||
            r->options->without_ids == REGRET_RATE_IDS_SEPARATE || (pair && s->named == 0)) {
            continue;
        }
        const char *name = rows->files[s->nameless - 1].name;
        return pair ? regret_fail(REGRET_E_INPUT,
                                  "%s has rows with ids and %s has none: they cannot be paired by "
                                  "their order; give all of them ids",
                                  rows->files[s->named - 1].name, name)
                    : regret_fail(REGRET_E_INPUT,
                                  "%s has rows without ids, and %s and %s have rows of the same "
                                  "dataset and attribute: the same responses might count twice. "
                                  "Give them ids, or say what they are: --without-ids pair (the "
                                  "k-th rows of the files are one response) or --without-ids "
                                  "separate (each row is another one)",
                                  name, rows->files[s->first - 1].name,
                                  rows->files[s->other - 1].name);
    }
    return REGRET_OK;
}

int regret_rate_read(struct regret_rate_rows **out, const char *const *paths, size_t n_paths,
                     const struct regret_rate_read_options *options)
{
    const char *z_field = options->z_field != NULL ? options->z_field : "z";
    /* Rows that are paired by their order had better have the same text. */
    int with_texts = options->keep_texts || options->without_ids == REGRET_RATE_IDS_PAIR;
    struct reading r = {.options = options,
                        .reader = {.z_field = {z_field, strlen(z_field)},
                                   .w_above = options->w_above,
                                   .z_above = options->z_above,
                                   .with_texts = with_texts}};
    const char *w = options->w_field;
    if (w != NULL && strcmp(w, "w") != 0 && strcmp(w, "w_original") != 0) {
        r.reader.w_field = (struct regret_span){w, strlen(w)};
    }
    if (options->dataset_field != NULL && strcmp(options->dataset_field, "dataset") != 0) {
        r.reader.dataset_field =
            (struct regret_span){options->dataset_field, strlen(options->dataset_field)};
    }
    const char *cluster = options->cluster_key != NULL ? options->cluster_key : "prompt";
    int rc;
    TRY_CLEANUP(regret_rate_rows_new(&r.rows, with_texts));
    if (strcmp(cluster, "none") != 0) {
        r.reader.cluster = (struct regret_span){cluster, strlen(cluster)};
        TRY_CLEANUP(regret_strdup(&r.rows->cluster_key, cluster));
    }
    for (size_t f = 0; f < n_paths; f++) {
        TRY_CLEANUP(read_file(&r, paths[f]));
    }
    if (r.rows->n_rows == 0) {
        rc = regret_fail(REGRET_E_INPUT, "%s: there are no rows; give one JSON object a line",
                         n_paths > 0 ? paths[0] : "no file");
        goto cleanup;
    }
    TRY_CLEANUP(check_ids(&r));
    *out = r.rows;
    r.rows = NULL;
cleanup:
    row_reader_free(&r.reader);
    regret_rate_rows_free(r.rows);
    return rc;
}
