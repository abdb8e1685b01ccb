#include <string.h>

#include "rate/document.h"
#include "rate/rows.h"
#include "rate/scan.h"
#include "regret/file.h"
#include "regret/json.h"

static struct regret_span default_name(struct regret_span given, const char *fallback)
{
    return given.text != NULL || fallback == NULL
               ? given
               : (struct regret_span){fallback, strlen(fallback)};
}

static int read_row(struct regret_rate_rows *rows, struct row_reader *reader,
                    const struct regret_rate_read_options *options, const char *text, size_t length,
                    struct regret_place at)
{
    int quick = !options->careful && !rows->keep_texts && row_scan(reader, text, length);
    int rc = quick ? REGRET_OK : row_parse(reader, text, length, at);
    if (rc == REGRET_OK) {
        struct regret_rate_row *row = &reader->row;
        row->dataset = default_name(row->dataset, options->dataset);
        row->attribute = default_name(row->attribute, options->attribute);
        row->file = (uint32_t)rows->n_files - 1;
        row->line = at.line;
    }
    return rc;
}

static int read_lines(struct regret_rate_rows *rows, struct row_reader *reader,
                      const struct regret_rate_read_options *options, const char *path)
{
    struct regret_jsonl *file = NULL;
    const char *line = NULL;
    size_t length = 0;
    struct regret_place at;
    int rc = regret_jsonl_open(&file, path);
    while (rc == REGRET_OK) {
        rc = regret_jsonl_next_line(file, &line, &length, &at);
        if (rc != REGRET_OK || line == NULL) {
            break;
        }
        rc = read_row(rows, reader, options, line, length, at);
        rc = rc ? rc : regret_rate_rows_add(rows, &reader->row);
    }
    regret_jsonl_close(file);
    return rc;
}

static int read_document(struct regret_rate_rows *rows, struct row_reader *reader,
                         const struct regret_rate_read_options *options, struct document *d)
{
    const char *text = NULL;
    size_t length = 0;
    struct regret_span key;
    rows->files[rows->n_files - 1].is_document = 1;
    for (;;) {
        int rc = document_next(d, &text, &length, &key);
        if (rc != REGRET_OK || text == NULL) {
            return rc;
        }
        rc = read_row(rows, reader, options, text, length, d->at);
        if (rc == REGRET_E_INPUT) {
            return regret_fail_prefix(rc, "row %zu", d->n);
        }
        if (rc == REGRET_OK) {
            reader->row.id = reader->row.id.text != NULL ? reader->row.id : key;
            reader->row.line = d->n;
            rc = regret_rate_rows_add(rows, &reader->row);
        }
        if (rc != REGRET_OK) {
            return rc;
        }
    }
}

static int read_file(struct regret_rate_rows *rows, struct row_reader *reader,
                     const struct regret_rate_read_options *options, const char *path)
{
    struct document document;
    int is_document = 0;
    if (regret_is_folder(path)) {
        return regret_fail(REGRET_E_INPUT, "%s is a folder; name the files in it", path);
    }
    int rc = rows_add_file(rows, path);
    if (rc != REGRET_OK) {
        return rc;
    }
    rc = document_open(&document, &is_document, path, reader->z_field);
    if (rc == REGRET_OK && is_document) {
        rc = read_document(rows, reader, options, &document);
    }
    document_free(&document);
    if (rc == REGRET_OK && !is_document) {
        rc = read_lines(rows, reader, options, path);
    }
    if (rc == REGRET_OK && options->need_scores && rows->files[rows->n_files - 1].n_scored == 0 &&
        rows->n_rows > 0) {
        rc = regret_fail(REGRET_E_INPUT,
                         "%s: no row has a reward model; a row is {\"w\": true, \"scores\": "
                         "{\"MODEL\": {\"original\": 0.1, \"rewrite\": 0.3, "
                         "\"rewrite_of_rewrite\": 0.2}}}, or in the authors' layout "
                         "{\"w_original\": true, \"MODEL\": {\"original\": 0.1, \"rewrite\": "
                         "0.3, \"rewritten rewrite\": 0.2}}, with numbers for scores",
                         path);
    }
    return rc;
}

int regret_rate_read(struct regret_rate_rows **out, const char *const *paths, size_t n_paths,
                     const struct regret_rate_read_options *options)
{
    struct regret_rate_rows *rows = NULL;
    struct row_reader reader;
    memset(&reader, 0, sizeof reader);
    const char *z_field = options->z_field != NULL ? options->z_field : "z";
    reader.z_field = (struct regret_span){z_field, strlen(z_field)};
    int rc = regret_rate_rows_new(&rows, options->keep_texts);
    for (size_t f = 0; f < n_paths && rc == REGRET_OK; f++) {
        rc = read_file(rows, &reader, options, paths[f]);
    }
    row_reader_free(&reader);
    if (rc == REGRET_OK && rows->n_rows == 0) {
        rc = regret_fail(REGRET_E_INPUT, "%s: there are no rows; give one JSON object a line",
                         n_paths > 0 ? paths[0] : "no file");
    }
    if (rc != REGRET_OK) {
        regret_rate_rows_free(rows);
        return rc;
    }
    *out = rows;
    return REGRET_OK;
}
