
#include <cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/csv.h"
#include "base/input.h"
#include "base/json.h"
#include "base/status.h"
#include "base/text.h"
#include "rate/internal.h"
#include "rate/read_csv.h"
#include "rate/row.h"
#include "regret/buffer.h"
#include "regret/rate.h"
#include "regret/status.h"

/* A whole file that is one JSON document: an array of rows, or an object of rows by id, compact or
 * indented, as json.dump() writes them. Its rows are found without building a tree. */

struct document {
    struct regret_place at; /* of the present row; `file` is borrowed */
    char *text;             /* owned */
    size_t length, position;
    char close;     /* ']' or '}' */
    size_t n;       /* rows so far */
    size_t counted; /* bytes whose lines are in at.line */
    char *key;      /* room for the present row's; owned; NULL in an array */
};

enum { FIRST_READ = 1 << 16, GROWTH = 4 };

static int is_row_key(struct regret_span key, struct regret_span z_field)
{
    static const char *const keys[] = {"w",         "w_original",  "scores", "contrasts",
                                       "id",        "completions", "prompt", "reward_question",
                                       "attribute", "dataset"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        if (span_is(key, keys[k])) {
            return 1;
        }
    }
    return span_equal(key, z_field);
}

/* The key at *p, which goes on to its value. 0: there is none, or the text ends before the value. */
static int take_key(struct json_token *key, const char **p, const char *end)
{
    struct json_tokens t = {*p, end, REGRET_JSON_STRICT};
    *key = json_next(&t);
    if (*p == end || key->kind != JSON_STRING || key->fault == JSON_CUT) {
        return 0;
    }
    struct json_token colon = json_next(&t);
    *p = json_skip_blank(t.at, end);
    return json_is_mark(&colon, ':') && *p < end;
}

static struct regret_span between_quotes(const struct json_token *string)
{
    return (struct regret_span){string->begin + 1, (size_t)(string->end - string->begin) - 2};
}

/* Whether the object at p has a key of scores among its own: it is a reward model then. */
static int is_model(const char *p, const char *end)
{
    struct json_token key;
    p = json_skip_blank(p + 1, end);
    while (p != NULL && take_key(&key, &p, end)) {
        if (side_of_key(between_quotes(&key)) >= 0) {
            return 1;
        }
        p = json_skip_value(p, end);
        p = p != NULL ? json_skip_blank(p, end) : NULL;
        if (p != NULL && p < end && *p == ',') {
            p = json_skip_blank(p + 1, end);
        }
    }
    return 0;
}

enum verdict { NO, YES, UNDECIDED };

/* Whether the object at p holds rows, as far as the text up to `end` tells. */
static enum verdict holds_rows(const char *p, const char *end, struct regret_span z_field)
{
    struct json_token key;
    const char *begin = p;
    for (;;) {
        int is_first = p == begin;
        p = json_skip_blank(p + 1, end);
        if (p < end && *p != '"') {
            return NO;
        }
        if (!take_key(&key, &p, end)) {
            return UNDECIDED;
        }
        if (*p != '{' || is_row_key(between_quotes(&key), z_field) ||
            (is_first && is_model(p, end))) {
            return NO;
        }
        p = json_skip_value(p, end);
        p = p != NULL ? json_skip_blank(p, end) : NULL;
        if (p == NULL || p == end) {
            return UNDECIDED;
        }
        if (*p != ',') {
            return *p == '}' && json_skip_blank(p + 1, end) == end ? YES : NO;
        }
    }
}

static enum verdict examine(const struct document *d, int at_end, struct regret_span z_field)
{
    const char *end = d->text + d->length, *p = json_skip_blank(d->text + d->position, end);
    if (p == end || *p == '[') {
        return p == end ? UNDECIDED : YES;
    }
    enum verdict verdict = *p == '{' ? holds_rows(p, end, z_field) : NO;
    return verdict == YES && !at_end ? UNDECIDED : verdict;
}

/* Reads on until there are `wanted` bytes. *at_end: there are no more. */
static int read_up_to(struct document *d, FILE *file, size_t wanted, int *at_end)
{
    TRY(regret_realloc((void **)&d->text, wanted, 1, d->at.file));
    d->length += fread(d->text + d->length, 1, wanted - d->length, file);
    *at_end = d->length < wanted;
    return ferror(file)
               ? regret_fail(REGRET_E_IO, "cannot read %s: %s", d->at.file, strerror(errno))
               : REGRET_OK;
}

static int read_file(struct document *d, int *is_document, FILE *file, struct regret_span z_field)
{
    enum verdict verdict = UNDECIDED;
    int at_end = 0;
    for (size_t wanted = FIRST_READ; !at_end && verdict != NO; wanted *= GROWTH) {
        if (wanted / GROWTH >= REGRET_RATE_MAX_DOCUMENT) {
            return regret_fail(REGRET_E_INPUT,
                               "%s: a JSON document of more than %d bytes; write one row a line",
                               d->at.file, REGRET_RATE_MAX_DOCUMENT);
        }
        TRY(read_up_to(d, file, wanted, &at_end));
        d->position = (size_t)(json_skip_mark(d->text, d->text + d->length) - d->text);
        verdict = verdict == YES ? YES : examine(d, at_end, z_field);
    }
    const char *p = json_skip_blank(d->text + d->position, d->text + d->length);
    d->position = (size_t)(p - d->text);
    *is_document = verdict != NO && d->position < d->length;
    return REGRET_OK;
}

/* Reads the file if it is a document, by its content: it begins with '[', or it is one object whose
 * members are all objects, the first not of scores, under keys that no row has. *is_document is 0
 * for anything else, of which only the beginning was read, and for what can be read but once
 * (pipes). At most REGRET_RATE_MAX_DOCUMENT bytes. Free *d with document_free() in any case. */
static int document_open(struct document *d, int *is_document, const char *path,
                         struct regret_span z_field)
{
    struct stat info;
    memset(d, 0, sizeof *d);
    d->at = (struct regret_place){path, 1};
    *is_document = 0;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) {
        return REGRET_OK;
    }
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return regret_fail(REGRET_E_IO, "cannot open %s: %s", path, strerror(errno));
    }
    int rc = read_file(d, is_document, file, z_field);
    fclose(file);
    TRY(rc);
    if (*is_document) {
        d->close = d->text[d->position] == '[' ? ']' : '}';
    }
    return REGRET_OK;
}

/* The place of byte `position`; positions only grow. */
static struct regret_place place_of(struct document *d, size_t position)
{
    for (; d->counted < position; d->counted++) {
        d->at.line += d->text[d->counted] == '\n';
    }
    return d->at;
}

/* Fails at the byte at p. */
#define FAIL_AT(d, p, ...)                                                                         \
    json_error_at((struct regret_place){(d)->at.file, 1}, 1, (d)->text, p, __VA_ARGS__)

/* Passes the bracket before the first row or the comma before another. *more is 0 at the end. */
static int pass_mark(struct document *d, const char **p, const char *end, int *more)
{
    int is_first = d->n == 0;
    *p = is_first ? json_skip_blank(*p + 1, end) : *p;
    *more = *p == end || *p[0] != d->close;
    if (!*more) {
        *p = json_skip_blank(*p + 1, end);
        d->position = (size_t)(*p - d->text);
        return *p == end
                   ? REGRET_OK
                   : FAIL_AT(d, *p, "text after the JSON document; write one document a file");
    }
    if (is_first) {
        return REGRET_OK;
    }
    if (*p == end || **p != ',') {
        return FAIL_AT(d, *p, "row %zu is followed by neither \",\" nor \"%c\"", d->n, d->close);
    }
    *p = json_skip_blank(*p + 1, end);
    return REGRET_OK;
}

static int parse_key(struct document *d, struct regret_span *key, const char **p, const char *end)
{
    const char *begin = *p;
    struct json_token raw;
    if (!take_key(&raw, p, end)) {
        return FAIL_AT(d, begin, "a row's id in quotes and a colon are wanted here");
    }
    struct regret_span inside = between_quotes(&raw);
    if (raw.fault != JSON_NO_FAULT || !regret_utf8_valid(inside.text, inside.length, NULL)) {
        cJSON *none = NULL;
        return json_parse_from(&none, raw.begin, inside.length + 2,
                               place_of(d, (size_t)(begin - d->text)), json_column(d->text, begin),
                               REGRET_JSON_STRICT);
    }
    TRY(regret_realloc((void **)&d->key, inside.length + 1, 1, "a row's id"));
    *key = (struct regret_span){d->key, json_unescape(d->key, inside)};
    return REGRET_OK;
}

/* The text of the next row, borrowed, and its key; *row is NULL after the last. */
static int document_next(struct document *d, const char **row, size_t *length,
                         struct regret_span *key)
{
    const char *end = d->text + d->length, *p = d->text + d->position;
    int more = 0;
    *row = NULL;
    *key = (struct regret_span){NULL, 0};
    TRY(pass_mark(d, &p, end, &more));
    if (!more) {
        return REGRET_OK;
    }
    if (d->close == '}') {
        TRY(parse_key(d, key, &p, end));
    }
    place_of(d, (size_t)(p - d->text));
    const char *behind = p < end && strchr(",]}", *p) == NULL ? json_skip_value(p, end) : p;
    if (behind == NULL || behind == p) {
        return FAIL_AT(d, p, "%s",
                       behind == NULL ? "the row that begins here never ends"
                                      : "a row is wanted here");
    }
    *row = p;
    *length = (size_t)(behind - p);
    d->position = (size_t)(json_skip_blank(behind, end) - d->text);
    d->n++;
    return REGRET_OK;
}

static void document_free(struct document *d)
{
    regret_free(d->key);
    regret_free(d->text);
    memset(d, 0, sizeof *d);
}

static struct regret_span default_name(struct regret_span given, const char *fallback)
{
    return given.text != NULL || fallback == NULL
               ? given
               : (struct regret_span){fallback, strlen(fallback)};
}

int reading_add(struct reading *r, size_t line)
{
    struct regret_rate_row *row = &r->reader.row;
    row->dataset = default_name(row->dataset, r->options->dataset);
    row->attribute = default_name(row->attribute, r->options->attribute);
    row->file = (uint32_t)r->rows->n_files - 1;
    row->line = line;
    r->number++;
    if (row->id.text == NULL && r->options->without_ids == REGRET_RATE_IDS_PAIR) {
        int n = snprintf(r->id, sizeof r->id, "%c%zu", ID_BY_NUMBER, r->number);
        row->id = (struct regret_span){r->id, (size_t)n};
    }
    return regret_rate_rows_add(r->rows, row);
}

int reading_pass_over(struct reading *r, int rc, size_t line)
{
    if (rc != REGRET_E_INPUT || !r->options->skip_bad) {
        return rc;
    }
    const char *message = regret_error_message(), *words = strstr(message, ": ");
    words = words != NULL ? words + 2 : message;
    r->number++; /* so that those behind it keep theirs */
    rows_note_detail(r->rows, REGRET_RATE_ISSUE_ROW_MALFORMED, (uint32_t)r->rows->n_files - 1, line,
                     UINT32_MAX, (struct regret_span){words, strlen(words)});
    return REGRET_OK;
}

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

static int read_read_file(struct reading *r, const char *path)
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
        TRY_CLEANUP(read_read_file(&r, paths[f]));
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

static void label(struct regret_buffer *out, const char *name, uint8_t value)
{
    regret_buffer_printf(out, ", \"%s\": %s", name,
                         value == REGRET_LABEL_1   ? "true"
                         : value == REGRET_LABEL_0 ? "false"
                                                   : "null");
}

static void texts(struct regret_buffer *out, const struct regret_rate_row_texts *t)
{
    static const char *const keys[REGRET_N_SIDES] = {"original", "rewrite", "rewrite_of_rewrite"};
    const char *comma = "";
    if (t->prompt != NULL) {
        regret_buffer_append(out, ", \"prompt\": ");
        regret_buffer_json_string(out, t->prompt);
    }
    regret_buffer_append(out, ", \"completions\": {");
    for (int side = 0; side < REGRET_N_SIDES; side++) {
        if (t->completion[side] != NULL) {
            regret_buffer_printf(out, "%s\"%s\": ", comma, keys[side]);
            regret_buffer_json_string(out, t->completion[side]);
            comma = ", ";
        }
    }
    regret_buffer_append(out, "}");
}

static void scores(struct regret_buffer *out, const struct regret_rate_rows *rows, size_t i,
                   int contrastive)
{
    static const char *const keys[2][REGRET_N_SIDES] = {
        {"original", "rewrite", "rewrite_of_rewrite"}, {"single", "double", NULL}};
    const char *comma = "";
    regret_buffer_printf(out, ", \"%s\": {", contrastive ? "contrasts" : "scores");
    for (size_t m = 0; m < rows->n_models; m++) {
        const struct regret_rate_model *model = &rows->models[m];
        if (model->contrastive != contrastive) {
            continue;
        }
        regret_buffer_append(out, comma);
        regret_buffer_json_string(out, model->name);
        for (int k = 0; k < REGRET_N_SIDES && keys[contrastive][k] != NULL; k++) {
            regret_buffer_printf(out, "%s\"%s\": ", k == 0 ? ": {" : ", ", keys[contrastive][k]);
            regret_buffer_json_number(out, model->score[k][i]);
        }
        regret_buffer_append(out, "}");
        comma = ", ";
    }
    regret_buffer_append(out, "}");
}

void regret_rate_write_rows(struct regret_buffer *out, const struct regret_rate_rows *rows)
{
    int contrastive = 0;
    for (size_t m = 0; m < rows->n_models; m++) {
        contrastive |= rows->models[m].contrastive;
    }
    for (size_t i = 0; i < rows->n_rows; i++) {
        const struct regret_rate_group *g = &rows->groups[rows->group[i]];
        regret_buffer_printf(out, "{\"id\": \"%zu\", \"dataset\": ", i + 1);
        regret_buffer_json_string(out, g->dataset);
        regret_buffer_append(out, ", \"attribute\": ");
        regret_buffer_json_string(out, g->attribute);
        label(out, "w", rows->w[i]);
        if (rows->z[i] <= REGRET_LABEL_1) {
            label(out, "z", rows->z[i]);
        }
        if (rows->texts != NULL) {
            texts(out, &rows->texts[i]);
        }
        scores(out, rows, i, 0);
        if (contrastive) {
            scores(out, rows, i, 1);
        }
        regret_buffer_append(out, "}\n");
    }
}
