#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/input.h"
#include "base/json.h"
#include "base/json_tokens.h"
#include "base/status.h"
#include "base/text.h"
#include "rate/internal.h"
#include "regret/buffer.h"
#include "regret/rate.h"
#include "regret/status.h"
#include "table/fields.h"

/* Rows of RATE from files: rows of table/fields.h become those of struct regret_rate_rows. */

FREED_POINTER(struct fields, fields_close)

/* What all the files of one call share. */
struct reading {
    struct regret_rate_rows *rows;
    const struct regret_rate_read_options *options;
    struct row_reader reader;
    size_t number; /* of the row in its file, from 1 */
    char id[32];   /* of a row that is known by its number */
};

/* ---- documents ---- */

enum { HEAD = 1 << 16 };

/* A key that a row has, not a document of rows. */
static int is_row_key(struct regret_span key, struct regret_span z_field)
{
    static const char *const keys[] = {"w",         "w_original",  "scores", "contrasts",
                                       "id",        "completions", "prompt", "reward_question",
                                       "attribute", "dataset"};
    int is_one = span_equal(key, z_field);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        is_one |= span_is(key, keys[k]);
    }
    return is_one;
}

/* The key before *p, which goes on to its value; 0 where the text ends before that. */
static int take_key(struct regret_span *key, const char **p, const char *end)
{
    struct json_tokens t = {json_skip_blank(*p, end), end, REGRET_JSON_STRICT};
    struct json_token string = json_next(&t), colon = json_next(&t);
    *key = (struct regret_span){string.begin + 1, (size_t)(string.end - string.begin) - 2};
    *p = json_skip_blank(t.at, end);
    return string.kind == JSON_STRING && string.fault != JSON_CUT && json_is_mark(&colon, ':') &&
           *p < end;
}

/* Whether the object at p has a key of scores among its own: it is a reward model then. */
static int is_model(const char *p, const char *end)
{
    struct regret_span key;
    for (p++; take_key(&key, &p, end); p++) {
        if (side_of_key(key) >= 0) {
            return 1;
        }
        p = json_skip_value(p, end);
        p = p != NULL ? json_skip_blank(p, end) : NULL;
        if (p == NULL || p == end || *p != ',') {
            return 0;
        }
    }
    return 0;
}

/* Whether a text, of which this is the beginning, is one object of rows by id: all its members are objects under keys that no row has,
 * the first no reward model, and nothing follows. */
static int is_of_rows(const char *p, const char *end, struct regret_span z_field)
{
    struct regret_span key;
    size_t n = 0;
    p = json_skip_blank(json_skip_mark(p, end), end);
    if (p == end || *p != '{') {
        return 0;
    }
    for (p++; take_key(&key, &p, end); n++, p++) {
        if (*p != '{' || is_row_key(key, z_field) || (n == 0 && is_model(p, end))) {
            return 0;
        }
        p = json_skip_value(p, end);
        p = p != NULL ? json_skip_blank(p, end) : NULL;
        if (p == NULL || p == end) {
            return 1; /* as far as can be seen */
        }
        if (*p != ',') {
            return *p != '}' || json_skip_blank(p + 1, end) == end;
        }
    }
    return n > 0;
}

/* Whether a file is one object of rows, by its beginning; a pipe, which can be read but once, is none, nor is what is compressed. */
static int find_set(int *is_set, const char *path, struct regret_span z_field)
{
    FREED char *head = NULL;
    struct stat info;
    size_t n = 0, size = 0;
    int fd = -1;
    *is_set = 0;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) {
        return REGRET_OK;
    }
    TRY(regret_realloc((void **)&head, HEAD, 1, path));
    TRY(input_open_regular(&fd, &size, path));
    int rc = input_read(&n, fd, head, HEAD, path);
    close(fd);
    TRY(rc);
    *is_set = is_of_rows(head, head + n, z_field);
    return REGRET_OK;
}

/* ---- rows ---- */

static struct regret_span default_name(struct regret_span given, const char *fallback)
{
    return given.text != NULL || fallback == NULL
               ? given
               : (struct regret_span){fallback, strlen(fallback)};
}

/* Adds the reader's row, which stands at `line` of the last file. */
static int add_row(struct reading *r, size_t line)
{
    struct regret_rate_row *row = &r->reader.row;
    row->dataset = default_name(row->dataset, r->options->dataset);
    row->attribute = default_name(row->attribute, r->options->attribute);
    row->file = (uint32_t)r->rows->n_files - 1;
    row->line = line;
    if (row->id.text == NULL && r->options->without_ids == REGRET_RATE_IDS_PAIR) {
        int n = snprintf(r->id, sizeof r->id, "%c%zu", ID_BY_NUMBER, r->number);
        row->id = (struct regret_span){r->id, (size_t)n};
    }
    return regret_rate_rows_add(r->rows, row);
}

/* What to do about a row that cannot be read: REGRET_OK where it is to be skipped, and is noted, or else rc. */
static int pass_over(struct reading *r, int rc, size_t line)
{
    if (rc != REGRET_E_INPUT || !r->options->skip_bad) {
        return rc;
    }
    const char *message = regret_error_message(), *words = strstr(message, ": ");
    words = words != NULL ? words + 2 : message;
    rows_note_detail(r->rows, REGRET_RATE_ISSUE_ROW_MALFORMED, (uint32_t)r->rows->n_files - 1, line,
                     UINT32_MAX, (struct regret_span){words, strlen(words)});
    return REGRET_OK;
}

/* Adds the row at hand, whose number in its file is counted whatever it is. */
static int take_row(struct reading *r, struct fields *f, size_t line)
{
    struct regret_span record, key;
    const struct regret_place at = fields_place(f);
    TRY(fields_json(&record, &key, f));
    TRY(row_read(&r->reader, record, at));
    r->reader.row.id = r->reader.row.id.text != NULL ? r->reader.row.id : key;
    return add_row(r, line);
}

/* The next row; *line is its line or, of a document, its number from 1. */
static int next_row(struct reading *r, struct fields *f, int *more, size_t *line)
{
    int rc = fields_next(f, more), is_document = strcmp(fields_unit(f), "line") != 0;
    r->rows->files[r->rows->n_files - 1].is_document = is_document;
    *line = fields_number(f) + (size_t)is_document;
    TRY(rc);
    return *more ? take_row(r, f, *line) : REGRET_OK;
}

static int read_rows(struct reading *r, const char *path, int is_set)
{
    FREED_BY(fields_close_at) struct fields *f = NULL;
    char separator = csv_separator_of(path);
    int more = 1;
    TRY(fields_open(&f, path,
                    separator != '\0' ? FIELDS_CSV
                    : is_set          ? FIELDS_SET
                                      : FIELDS_LINES,
                    separator, NULL));
    while (more) {
        size_t line = 0;
        r->number++;
        int rc = next_row(r, f, &more, &line);
        if (rc != REGRET_OK) {
            TRY(fields_is_over(f) ? rc : pass_over(r, rc, line));
            more = 1;
        }
    }
    return REGRET_OK;
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
    struct regret_rate_rows *rows = r->rows;
    int is_set = 0;
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
    r->reader.is_table = csv_separator_of(path) != '\0';
    TRY(rows_add_file(rows, path));
    TRY(r->reader.is_table ? REGRET_OK : find_set(&is_set, path, r->reader.z_field));
    TRY(read_rows(r, path, is_set));
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
    regret_buffer_free(&r.reader.room);
    regret_free(r.reader.member);
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
