#include "report/paper/sheet.h"

#include <string.h>

#include "base/core/texts.h"
#include "base/core/try.h"
#include "base/text/name.h"
#include "regret/alloc.h"
#include "regret/config.h"
#include "regret/csv.h"
#include "regret/results.h"

/* ---------------------------------------------------------------- fields */

/* A field is short text on one line. */
static int copy_field(char **out, struct regret_csv *csv, size_t i, size_t longest,
                      struct regret_place at)
{
    size_t length = 0, bad = 0;
    const char *field = regret_csv_field(&length, csv, i);
    if (length > longest) {
        return regret_json_error(at, "field %zu has %zu bytes; at most %zu", i + 1, length,
                                 longest);
    }
    for (size_t k = 0; k < length; k++) {
        if ((unsigned char)field[k] < ' ' || field[k] == 0x7f) {
            return regret_json_error(at, "field %zu holds a control character (byte 0x%02x)", i + 1,
                                     (unsigned)(unsigned char)field[k]);
        }
    }
    if (!regret_utf8_valid(field, length, &bad)) {
        return regret_json_error(at, "byte %zu of field %zu is not valid UTF-8; convert the file",
                                 bad + 1, i + 1);
    }
    return regret_strdup(out, field);
}

static int copy_fields(char ***out, struct regret_csv *csv, size_t n, size_t longest,
                       struct regret_place at)
{
    TRY(REGRET_NEW(out, n));
    for (size_t i = 0; i < n; i++) {
        TRY(copy_field(&(*out)[i], csv, i, longest, at));
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- records */

static int read_header(struct sheet *s, struct regret_csv *csv, size_t longest)
{
    struct regret_place at = {s->name, 1};
    size_t n = 0;
    TRY(regret_csv_next(csv, &n));
    if (n == 0) {
        return regret_json_error((struct regret_place){s->name, 0}, "the file is empty");
    }
    s->n_columns = n;
    TRY(copy_fields(&s->heads, csv, n, longest, at));
    for (size_t i = 0; i < n; i++) {
        if (sheet_column(s, s->heads[i]) != i) {
            return regret_json_error(at, "column \"%s\" is there twice", s->heads[i]);
        }
    }
    return REGRET_OK;
}

static int add_record(struct sheet *s, struct regret_csv *csv, size_t n_fields, size_t longest)
{
    struct regret_place at = {s->name, regret_csv_line(csv)};
    if (regret_csv_offset(csv) > SHEET_MOST_BYTES) {
        return regret_json_error(at, "the file is longer than %d bytes", (int)SHEET_MOST_BYTES);
    }
    if (n_fields != s->n_columns) {
        return regret_json_error(at, "%zu field%s where the header has %zu", n_fields,
                                 n_fields == 1 ? "" : "s", s->n_columns);
    }
    if (s->n == SHEET_MOST) {
        return regret_json_error(at, "more than %d numbers", (int)SHEET_MOST);
    }
    TRY(regret_grow((void **)&s->records, &s->capacity, s->n, sizeof *s->records, "records"));
    struct sheet_record *record = &s->records[s->n++];
    *record = (struct sheet_record){.line = at.line};
    return copy_fields(&record->field, csv, n_fields, longest, at);
}

static const struct regret_csv_options options = {
    ',', (size_t)64 << 10, (size_t)64 << 10, SHEET_MOST_COLUMNS, 0, 0};

/* Takes what was opened. */
static int read_opened(struct sheet *out, struct regret_csv *csv, const char *name, size_t longest)
{
    struct sheet s = {0};
    size_t n = 0;
    int rc;
    TRY_CLEANUP(regret_strdup(&s.name, name));
    TRY_CLEANUP(read_header(&s, csv, longest));
    TRY_CLEANUP(regret_csv_next(csv, &n));
    while (n > 0) {
        TRY_CLEANUP(add_record(&s, csv, n, longest));
        TRY_CLEANUP(regret_csv_next(csv, &n));
    }
    *out = s;
    s = (struct sheet){0};
    rc = REGRET_OK;
cleanup:
    sheet_free(&s);
    regret_csv_close(csv);
    return rc;
}

int sheet_read(struct sheet *out, const char *path, size_t longest)
{
    struct regret_csv *csv = NULL;
    TRY(regret_csv_open(&csv, path, &options));
    return read_opened(out, csv, path, longest);
}

/* The rest of a text as a source of bytes. */
static long take_text(void *context, char *to, size_t most)
{
    const char **rest = context;
    size_t n = strlen(*rest);
    n = n < most ? n : most;
    memcpy(to, *rest, n);
    *rest += n;
    return (long)n;
}

int sheet_parse(struct sheet *out, const char *text, const char *name, size_t longest)
{
    struct regret_csv *csv = NULL;
    TRY(regret_csv_open_source(&csv, take_text, &text, name, &options));
    return read_opened(out, csv, name, longest);
}

int sheet_of_paper(struct sheet *out, const char *name)
{
    for (const struct paper_file *file = paper_files; file->name != NULL; file++) {
        if (strcmp(file->name, name) == 0) {
            return sheet_parse(out, file->text, file->name, SHEET_LONGEST);
        }
    }
    return regret_fail(REGRET_E_INTERNAL, "%s is not built in", name);
}

size_t sheet_column(const struct sheet *s, const char *head)
{
    for (size_t i = 0; i < s->n_columns; i++) {
        if (strcmp(s->heads[i], head) == 0) {
            return i;
        }
    }
    return REGRET_NO_ROW;
}

const char *sheet_field(const struct sheet *s, size_t i, const char *head)
{
    size_t column = sheet_column(s, head);
    return column != REGRET_NO_ROW ? s->records[i].field[column] : "";
}

int sheet_words(const char **out, size_t most, size_t *n, struct sheet *s, size_t i,
                const char *head)
{
    char *save = NULL, *field = s->records[i].field[sheet_column(s, head)];
    *n = 0;
    for (char *word = strtok_r(field, " ", &save); word != NULL;
         word = strtok_r(NULL, " ", &save)) {
        if (*n == most) {
            return regret_json_error(sheet_place(s, i), "%s: more than %zu words", head, most);
        }
        out[(*n)++] = word;
    }
    return REGRET_OK;
}

int sheet_known(size_t *out, const char *word, const char *what, const char *const *known, size_t n,
                struct regret_place at)
{
    for (*out = 0; *out < n; (*out)++) {
        if (strcmp(known[*out], word) == 0) {
            return REGRET_OK;
        }
    }
    return regret_fail_prefix(name_unknown(what, word, known, n), "%s:%zu", at.file, at.line);
}

int sheet_word(size_t *out, const struct sheet *s, size_t i, const char *head,
               const char *const *known, size_t n)
{
    return sheet_known(out, sheet_field(s, i, head), head, known, n, sheet_place(s, i));
}

int sheet_is_key(const char *name)
{
    struct regret_key_help key;
    for (size_t i = 0; regret_config_key(&key, i); i++) {
        if (strcmp(key.name, name) == 0) {
            return 1;
        }
    }
    return 0;
}

struct regret_place sheet_place(const struct sheet *s, size_t i)
{
    return (struct regret_place){s->name, s->records[i].line};
}

void sheet_free(struct sheet *s)
{
    for (size_t i = 0; i < s->n; i++) {
        texts_free(s->records[i].field, s->n_columns);
    }
    regret_free(s->records);
    texts_free(s->heads, s->n_columns);
    regret_free(s->name);
    *s = (struct sheet){0};
}
