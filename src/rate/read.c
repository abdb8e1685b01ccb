#include <string.h>

#include "base/try.h"
#include "rate/document.h"
#include "rate/row.h"
#include "rate/rows.h"
#include "regret/alloc.h"
#include "regret/file.h"
#include "regret/json.h"

/* What all the files of one call share. */
struct input {
    struct regret_rate_rows *rows;
    const struct regret_rate_read_options *options;
    struct row_reader reader;
};

static struct regret_span default_name(struct regret_span given, const char *fallback)
{
    return given.text != NULL || fallback == NULL
               ? given
               : (struct regret_span){fallback, strlen(fallback)};
}

/* Reads a row without adding it. */
static int read_row(struct input *r, const char *text, size_t length, struct regret_place at)
{
    struct regret_rate_row *row = &r->reader.row;
    TRY(row_read(&r->reader, text, length, at));
    row->dataset = default_name(row->dataset, r->options->dataset);
    row->attribute = default_name(row->attribute, r->options->attribute);
    row->file = (uint32_t)r->rows->n_files - 1;
    row->line = at.line;
    return REGRET_OK;
}

static int read_lines(struct input *r, const char *path)
{
    struct regret_jsonl *file = NULL;
    const char *line = NULL;
    size_t length = 0;
    struct regret_place at;
    int rc;
    TRY_CLEANUP(regret_jsonl_open(&file, path));
    TRY_CLEANUP(regret_jsonl_next_line(file, &line, &length, &at));
    while (line != NULL) {
        TRY_CLEANUP(read_row(r, line, length, at));
        TRY_CLEANUP(regret_rate_rows_add(r->rows, &r->reader.row));
        TRY_CLEANUP(regret_jsonl_next_line(file, &line, &length, &at));
    }
cleanup:
    regret_jsonl_close(file);
    return rc;
}

static int read_document(struct input *r, struct document *d)
{
    const char *text = NULL;
    size_t length = 0;
    struct regret_span key;
    r->rows->files[r->rows->n_files - 1].is_document = 1;
    TRY(document_next(d, &text, &length, &key));
    while (text != NULL) {
        int rc = read_row(r, text, length, d->at);
        if (rc != REGRET_OK) {
            return rc == REGRET_E_INPUT ? regret_fail_prefix(rc, "row %zu", d->n) : rc;
        }
        r->reader.row.id = r->reader.row.id.text != NULL ? r->reader.row.id : key;
        r->reader.row.line = d->n;
        TRY(regret_rate_rows_add(r->rows, &r->reader.row));
        TRY(document_next(d, &text, &length, &key));
    }
    return REGRET_OK;
}

static int read_either(struct input *r, const char *path)
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

static int read_file(struct input *r, const char *path)
{
    const struct regret_rate_rows *rows = r->rows;
    if (regret_is_folder(path)) {
        return regret_fail(REGRET_E_INPUT, "%s is a folder; name the files in it", path);
    }
    TRY(rows_add_file(r->rows, path));
    TRY(read_either(r, path));
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

int regret_rate_read(struct regret_rate_rows **out, const char *const *paths, size_t n_paths,
                     const struct regret_rate_read_options *options)
{
    const char *z_field = options->z_field != NULL ? options->z_field : "z";
    const char *cluster = options->cluster_key != NULL ? options->cluster_key : "prompt";
    struct input r = {
        .options = options,
        .reader = {.z_field = {z_field, strlen(z_field)}, .with_texts = options->keep_texts}};
    int rc;
    TRY_CLEANUP(regret_rate_rows_new(&r.rows, options->keep_texts));
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
    *out = r.rows;
    r.rows = NULL;
cleanup:
    row_reader_free(&r.reader);
    regret_rate_rows_free(r.rows);
    return rc;
}
