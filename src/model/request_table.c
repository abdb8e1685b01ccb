#include "model/internal.h"

#include <cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/csv.h"
#include "base/input.h"
#include "base/jsonl.h"
#include "base/status.h"
#include "import/profile.h"
#include "import/table_cell.h"
#include "import/table_wide.h"
#include "model/model.h"
#include "regret/buffer.h"
#include "regret/status.h"

FREED_POINTER(struct request_table, request_table_close)

struct request_table {
    const struct regret_requests_options *options; /* borrowed, as is the next */
    const struct regret_model *model;
    size_t own[REGRET_POOL_MAX_COLUMNS]; /* of CSV: where the model's own columns stand */
    const char *path;                    /* borrowed */
    struct regret_csv *csv;              /* NULL: JSON */
    char separator;                      /* of CSV */
    int is_supposed;                     /* 1: nobody has said or seen that separator */
    struct json_records records;
    const cJSON *first; /* the record that the columns were found in, until it is read */
    size_t column[REQUEST_ROLES];
    size_t n_columns;
    char *name[REQUEST_ROLES]; /* of JSON: the fields; owned */
    size_t number;             /* of requests read */
};

void request_block_free(struct request_block *block)
{
    regret_free(block->place);
    regret_free(block->value);
    regret_buffer_free(&block->bytes);
    *block = (struct request_block){0};
}

void request_table_close(struct request_table *t)
{
    if (t == NULL) {
        return;
    }
    regret_csv_close(t->csv);
    if (t->csv == NULL) {
        json_records_close(&t->records);
    }
    for (int r = 0; r < REQUEST_ROLES; r++) {
        regret_free(t->name[r]);
    }
    regret_free(t);
}

/* ---- the columns ---- */

/* A header that nothing parted, though something in it may be meant to. */
static int check_parted(const struct request_table *t, const char *header, struct regret_place at)
{
    return !t->is_supposed || t->n_columns > 1 || header[0] == '{' ||
                   strpbrk(header, ";\t|") == NULL
               ? REGRET_OK
               : regret_json_error(
                     at,
                     "the first line is one column, \"%.40s\"; of standard input or a "
                     "pipe separate columns by commas, or by tabs with --new-format "
                     "tsv; of a file what separates them is found",
                     header);
}

static int read_header(struct request_table *t)
{
    struct regret_place at = {t->path, 1};
    const char **names = NULL;
    int rc = csv_table_next(t->csv, &t->n_columns, &at);
    if (rc != REGRET_OK) {
        return regret_fail_suffix(rc, "; lines of JSON want --new-format jsonl");
    }
    if (t->n_columns == 0) {
        return regret_json_error(
            (struct regret_place){t->path, 0},
            "the table is empty; its first line names the columns, one of them "
            "\"text\" or \"prompt\"");
    }
    TRY_CLEANUP(REGRET_NEW(&names, t->n_columns));
    for (size_t k = 0; k < t->n_columns; k++) {
        names[k] = regret_csv_field(NULL, t->csv, k);
    }
    TRY_CLEANUP(check_parted(t, names[0], at));
    for (size_t j = 0; j < regret_model_columns(t->model); j++) {
        TRY_CLEANUP(request_column_find(&t->own[j], names, t->n_columns,
                                        regret_model_column(t->model, j), at));
    }
    TRY_CLEANUP(request_columns_find(t->column, names, t->n_columns, t->options, at));
    for (int r = 0; r < REQUEST_ROLES; r++) { /* each is the only one of its name */
        size_t c = t->column[r];
        TRY_CLEANUP(c != REQUEST_NO_COLUMN
                        ? request_column_find(&c, names, t->n_columns, names[c], at)
                        : REGRET_OK);
    }
cleanup:
    regret_free(names);
    return rc;
}

/* The fields of the first record are the columns. */
static int read_fields(struct request_table *t)
{
    const cJSON *field = NULL;
    FREED const char **names = NULL;
    size_t n = 0;
    TRY(json_records_next(&t->records, &t->first));
    if (t->first == NULL) {
        return regret_json_error(
            (struct regret_place){t->path, 0},
            "there is no request in it; a line is an object like {\"text\": …}");
    }
    const char *const wanted[] = {t->options->text, t->options->id, t->options->tag};
    TRY(REGRET_NEW(&names, (size_t)cJSON_GetArraySize(t->first) + REQUEST_ROLES));
    cJSON_ArrayForEach(field, t->first)
    {
        names[n++] = field->string;
    }
    for (int r = 0; r < REQUEST_ROLES; r++) { /* may stand in an object: "a.b" */
        if (wanted[r] != NULL && cJSON_GetObjectItemCaseSensitive(t->first, wanted[r]) == NULL &&
            table_follow(t->first, wanted[r]) != NULL) {
            names[n++] = wanted[r];
        }
    }
    TRY(request_columns_find(t->column, names, n, t->options, t->records.at));
    for (int r = 0; r < REQUEST_ROLES; r++) {
        if (t->column[r] != REQUEST_NO_COLUMN) {
            TRY(regret_strdup(&t->name[r], names[t->column[r]]));
        }
    }
    return REGRET_OK;
}

static int is_json(const struct regret_requests_options *o)
{
    const char *end = strrchr(o->path, '.');
    return o->is_json >= 0
               ? o->is_json
               : end != NULL && (strcmp(end, ".jsonl") == 0 || strcmp(end, ".json") == 0 ||
                                 strcmp(end, ".ndjson") == 0);
}

/* A pipe can be read but once. */
static int find_separator(struct request_table *t)
{
    struct stat info;
    t->separator = t->options->separator;
    if (t->separator == '\0' && csv_separator_of(t->options->path) == '\t') {
        t->separator = '\t';
    }
    if (t->separator != '\0') {
        return REGRET_OK;
    }
    t->separator = ',';
    t->is_supposed = stat(t->path, &info) != 0 || !S_ISREG(info.st_mode);
    return t->is_supposed ? REGRET_OK : table_profile_separator(&t->separator, t->path);
}

int request_table_open(struct request_table **out, const struct regret_requests_options *options,
                       const struct regret_model *model)
{
    FREED_BY(request_table_close_at) struct request_table *t = NULL;
    TRY(REGRET_NEW(&t, 1));
    t->options = options;
    t->model = model;
    t->path = input_path(options->path);
    if (is_json(options)) {
        TRY(json_records_open(&t->records, t->path, JSON_RECORDS_OF_SET));
        TRY(read_fields(t));
    } else {
        TRY(find_separator(t));
        TRY(csv_table_open_trimmed(&t->csv, t->path, t->separator));
        TRY(read_header(t));
    }
    *out = t;
    t = NULL;
    return REGRET_OK;
}

/* ---- the requests ---- */

static size_t put(struct request_block *b, const char *text, size_t length)
{
    size_t at = b->bytes.length;
    regret_buffer_append_n(&b->bytes, text, length);
    regret_buffer_append_char(&b->bytes, '\0');
    return at;
}

static int begin_request(struct request_place **place, struct request_block *b,
                         struct request_table *t)
{
    char number[24];
    TRY(regret_grow((void **)&b->place, &b->capacity, b->n, sizeof *b->place, "requests"));
    *place = &b->place[b->n++];
    snprintf(number, sizeof number, "%zu", ++t->number);
    (*place)->id = put(b, number, strlen(number));
    (*place)->text = (*place)->tag = b->bytes.length - 1; /* empty */
    b->n_columns = regret_model_columns(t->model);
    for (size_t j = 0; j < b->n_columns; j++) {
        size_t i = (b->n - 1) * b->n_columns + j;
        TRY(regret_grow((void **)&b->value, &b->room, i, sizeof *b->value, "requests"));
        b->value[i] = (struct request_value){INFINITY, SIZE_MAX};
    }
    return REGRET_OK;
}

/* What is told of own column j of the last request: a word, or a number that may be blank. */
static int take_own(struct request_block *b, const struct request_table *t, size_t j,
                    const char *text, struct regret_place at)
{
    struct request_value *value = &b->value[(b->n - 1) * b->n_columns + j];
    if (t->model->columns.item[j].word != NULL) {
        value->word = put(b, text, strlen(text));
    } else if (text[strspn(text, " \t\r\n")] == '\0' || table_source_is_missing(text)) {
        value->number = NAN;
    } else if (!table_source_parse(&value->number, text) &&
               !(table_source_parse_comma(&value->number, text) &&
                 (t->separator == ';' || table_source_comma_is_clear(text)))) {
        return regret_json_error(at,
                                 "column \"%s\" is \"%.40s\"; it must be a number with a decimal "
                                 "point, or blank where it is not known",
                                 regret_model_column(t->model, j), text);
    }
    return REGRET_OK;
}

static size_t *part_of(struct request_place *place, int role)
{
    return role == REQUEST_TEXT ? &place->text : role == REQUEST_ID ? &place->id : &place->tag;
}

/* *more is 0 at the end of the table. */
static int read_record(int *more, struct request_block *b, struct request_table *t)
{
    struct regret_place at = {t->path, 0};
    struct request_place *place = NULL;
    size_t n = 0;
    TRY(csv_table_next(t->csv, &n, &at));
    *more = n > 0;
    if (n == 0) {
        return REGRET_OK;
    }
    if (n != t->n_columns) {
        return regret_json_error(at,
                                 "%zu fields, but the first line names %zu columns; a text with "
                                 "a separator, a quote or a line end in it wants quotes",
                                 n, t->n_columns);
    }
    TRY(begin_request(&place, b, t));
    for (int r = 0; r < REQUEST_ROLES; r++) {
        size_t length = 0;
        if (t->column[r] != REQUEST_NO_COLUMN) {
            const char *field = regret_csv_field(&length, t->csv, t->column[r]);
            if (length > 0) {
                *part_of(place, r) = put(b, field, length);
            }
        }
    }
    for (size_t j = 0; j < b->n_columns; j++) {
        TRY(t->own[j] < n ? take_own(b, t, j, regret_csv_field(NULL, t->csv, t->own[j]), at)
                          : REGRET_OK);
    }
    return regret_buffer_status(&b->bytes);
}

/* A field that may be absent or null, but for the text. */
static int take_field(struct request_block *b, struct request_place *place,
                      const struct request_table *t, const cJSON *record, int role)
{
    const cJSON *value = t->name[role] != NULL ? table_follow(record, t->name[role]) : NULL;
    char scratch[JSON_SCRATCH];
    if (cJSON_IsString(value) || (cJSON_IsNumber(value) && role != REQUEST_TEXT)) {
        const char *text = json_text(scratch, value);
        *part_of(place, role) = put(b, text, strlen(text));
        return REGRET_OK;
    }
    if (role == REQUEST_TEXT || (value != NULL && !cJSON_IsNull(value))) {
        return regret_json_error(t->records.at, "field \"%s\" must be a string%s", t->name[role],
                                 value == NULL ? ", but is absent" : "");
    }
    return REGRET_OK;
}

/* A field that is absent is not told, one that is null is blank. */
static int take_own_fields(struct request_block *b, const struct request_table *t,
                           const cJSON *record)
{
    char number[JSON_SCRATCH];
    for (size_t j = 0; j < b->n_columns; j++) {
        const char *name = regret_model_column(t->model, j);
        const cJSON *field = NULL;
        TRY(request_field_find(&field, record, name, t->records.at));
        if (field == NULL) {
            continue;
        }
        const char *text = cJSON_IsNull(field) ? "" : json_text(number, field);
        TRY(text != NULL ? take_own(b, t, j, text, t->records.at)
                         : regret_json_error(t->records.at,
                                             "field \"%s\" must be a number or a word", name));
    }
    return REGRET_OK;
}

static int read_object(int *more, struct request_block *b, struct request_table *t)
{
    const cJSON *record = t->first;
    struct request_place *place = NULL;
    t->first = NULL;
    if (record == NULL) {
        TRY(json_records_next(&t->records, &record));
    }
    *more = record != NULL;
    if (record == NULL) {
        return REGRET_OK;
    }
    TRY(begin_request(&place, b, t));
    for (int r = 0; r < REQUEST_ROLES; r++) {
        TRY(take_field(b, place, t, record, r));
    }
    TRY(take_own_fields(b, t, record));
    return regret_buffer_status(&b->bytes);
}

int request_table_read(struct request_block *b, struct request_table *t, size_t most, size_t bytes)
{
    int more = 1;
    b->n = 0;
    regret_buffer_clear(&b->bytes);
    while (more && b->n < most && b->bytes.length < bytes) {
        TRY(t->csv != NULL ? read_record(&more, b, t) : read_object(&more, b, t));
    }
    return REGRET_OK;
}
