/* Scores beside a batch. */
#include <cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/json_array.h"
#include "base/status.h"
#include "base/text.h"
#include "import/batch.h"
#include "import/table_cell.h"
#include "regret/buffer.h"
#include "regret/status.h"

/* ---------------------------------------------------------------- rows */

static const char *key_of(struct batch_scores *s, const char *custom_id, const char *model)
{
    regret_buffer_clear(&s->text);
    regret_buffer_append(&s->text, custom_id);
    regret_buffer_append(&s->text, model != NULL ? "\n" : "");
    regret_buffer_append(&s->text, model != NULL ? model : "");
    return regret_buffer_get(&s->text);
}

static int add_score(struct batch_scores *s, const char *metric, double value)
{
    uint32_t i = 0;
    TRY(regret_grow((void **)&s->score, &s->capacity, s->n, sizeof *s->score, "scores"));
    TRY(names_enter(&i, &s->metrics, metric));
    s->score[s->n++] = (struct harness_score){s->metrics.name[i], value};
    return REGRET_OK;
}

/* The scores since `first` are those of an answer. */
static int add_row(struct batch_scores *s, const char *custom_id, const char *model, size_t first,
                   struct regret_place at)
{
    size_t n = s->keys.n;
    uint32_t i = 0;
    const char *key = key_of(s, custom_id, model);
    TRY(regret_buffer_status(&s->text));
    TRY(regret_grow((void **)&s->row, &s->row_capacity, n, sizeof *s->row, "scores"));
    TRY(names_enter(&i, &s->keys, key));
    if (i < n) {
        return regret_json_error(at, "custom_id \"%.80s\" has scores before%s; %s", custom_id,
                                 model != NULL ? ", of the same model" : "",
                                 model != NULL
                                     ? "leave one of the two out"
                                     : "add a column \"model\" where two models answered");
    }
    s->row[i] = (struct batch_score_row){first, s->n - first, NAMES_NONE, model == NULL};
    return REGRET_OK;
}

int batch_scores_find(const struct harness_score **out, size_t *n, struct batch_scores *s,
                      const char *custom_id, const char *model, struct regret_place at)
{
    uint32_t user = 0;
    size_t i = id_table_find(&s->keys.table, key_of(s, custom_id, model));
    i = i != SIZE_MAX ? i : id_table_find(&s->keys.table, key_of(s, custom_id, NULL));
    *n = 0;
    TRY(regret_buffer_status(&s->text));
    if (i == SIZE_MAX) {
        return REGRET_OK;
    }
    struct batch_score_row *row = &s->row[i];
    TRY(names_enter(&user, &s->users, model));
    if (row->is_of_any && row->used != NAMES_NONE && row->used != user) {
        return regret_json_error(
            at,
            "\"%.80s\" and \"%.80s\" answered \"%.80s\", and its scores do not say "
            "which of them they are of; add a column \"model\" to --scores",
            s->users.name[row->used], model, custom_id);
    }
    row->used = user;
    *out = s->score + row->first;
    *n = row->n;
    return REGRET_OK;
}

size_t batch_scores_unused(const struct batch_scores *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->keys.n; i++) {
        n += s->row[i].used == NAMES_NONE;
    }
    return n;
}

/* ---------------------------------------------------------------- CSV */

enum kind { KIND_NONE, KIND_ID, KIND_MODEL, KIND_SCORE, KIND_TEXT };

/* The columns of a table; of those that may be scores the first cell that is filled decides. */
struct columns {
    char **name; /* owned */
    enum kind *kind;
    size_t n;
};

static int read_header(struct columns *c, struct regret_csv *csv, size_t n, struct regret_place at)
{
    int has_id = 0;
    TRY(REGRET_NEW(&c->name, n));
    TRY(REGRET_NEW(&c->kind, n));
    c->n = n;
    for (size_t k = 0; k < n; k++) {
        const char *name = regret_csv_field(NULL, csv, k);
        TRY(regret_strdup(&c->name[k], name));
        c->kind[k] = strcmp(name, "custom_id") == 0                             ? KIND_ID
                     : strcmp(name, "model") == 0 || strcmp(name, "agent") == 0 ? KIND_MODEL
                                                                                : KIND_NONE;
        has_id |= c->kind[k] == KIND_ID;
    }
    return has_id ? REGRET_OK : regret_json_error(at, "no column is called \"custom_id\"");
}

static int read_cell(struct batch_scores *s, struct columns *c, size_t k, const char *text,
                     struct regret_place at)
{
    double value = NAN;
    int is_number = table_source_parse(&value, text);
    if (text[strspn(text, " \t")] == '\0' || table_source_is_missing(text)) {
        return REGRET_OK;
    }
    if (c->kind[k] == KIND_NONE) {
        c->kind[k] = is_number ? KIND_SCORE : KIND_TEXT;
        s->texts += !is_number;
    }
    if (c->kind[k] == KIND_SCORE && !is_number) {
        return regret_json_error(at,
                                 "\"%.80s\" is \"%.40s\", and a number above; write a number or "
                                 "leave it empty",
                                 c->name[k], text);
    }
    return c->kind[k] == KIND_SCORE ? add_score(s, c->name[k], value) : REGRET_OK;
}

static int read_record(struct batch_scores *s, struct columns *c, struct regret_csv *csv, size_t n,
                       struct regret_place at)
{
    const char *id = "", *model = NULL;
    size_t first = s->n;
    if (n != c->n) {
        return regret_json_error(at, "%zu fields where the header has %zu", n, c->n);
    }
    for (size_t k = 0; k < n; k++) {
        const char *text = regret_csv_field(NULL, csv, k);
        id = c->kind[k] == KIND_ID ? text : id;
        model = c->kind[k] == KIND_MODEL && text[0] != '\0' ? text : model;
        TRY(c->kind[k] == KIND_ID || c->kind[k] == KIND_MODEL ? REGRET_OK
                                                              : read_cell(s, c, k, text, at));
    }
    return id[0] != '\0' ? add_row(s, id, model, first, at)
                         : regret_json_error(at, "\"custom_id\" is empty");
}

static int read_csv(struct batch_scores *s, const char *path, char separator)
{
    struct columns c = {NULL, NULL, 0};
    struct regret_csv *csv = NULL;
    struct regret_place at = {path, 1};
    size_t n = 0;
    int rc;
    TRY_CLEANUP(csv_table_open_trimmed(&csv, path, separator));
    TRY_CLEANUP(csv_table_next(csv, &n, &at));
    TRY_CLEANUP(read_header(&c, csv, n, at));
    TRY_CLEANUP(csv_table_next(csv, &n, &at));
    while (n > 0) {
        TRY_CLEANUP(read_record(s, &c, csv, n, at));
        TRY_CLEANUP(csv_table_next(csv, &n, &at));
    }
cleanup:
    for (size_t k = 0; k < c.n; k++) {
        regret_free(c.name[k]);
    }
    regret_free(c.name);
    regret_free(c.kind);
    regret_csv_close(csv);
    return rc;
}

/* ---------------------------------------------------------------- JSONL */

/* The numbers and truths among an object's fields. */
static int add_fields(struct batch_scores *s, const cJSON *object)
{
    for (const cJSON *v = object != NULL ? object->child : NULL; v != NULL; v = v->next) {
        if (strcmp(v->string, "custom_id") != 0 && (cJSON_IsNumber(v) || cJSON_IsBool(v))) {
            TRY(add_score(s, v->string, cJSON_IsNumber(v) ? v->valuedouble : cJSON_IsTrue(v)));
        }
    }
    return REGRET_OK;
}

/* The last number in double brackets, or the whole text as one; NAN: none. */
static double find_number(const char *text)
{
    double value = NAN;
    char *end = NULL;
    for (const char *p = strstr(text, "[["); p != NULL; p = strstr(p, "[[")) {
        double x = strtod(p += 2, &end);
        value = end != p && strncmp(end, "]]", 2) == 0 && isfinite(x) ? x : value;
    }
    return isnan(value) && !table_source_parse(&value, text) ? NAN : value;
}

/* What a judge wrote: an object of JSON with numbers, or a number. */
static int read_verdict(struct batch_scores *s, const char *text, struct regret_place at)
{
    cJSON *object = NULL;
    double value = find_number(text);
    int rc = REGRET_E_INPUT;
    if (text[strspn(text, " \t\r\n")] == '{') {
        rc = regret_json_parse_mode(&object, text, strlen(text), at, REGRET_JSON_IMPORT);
    }
    if (rc == REGRET_E_INPUT) { /* words */
        return isnan(value) ? REGRET_OK : add_score(s, "score", value);
    }
    TRY(rc);
    rc = add_fields(s, object);
    cJSON_Delete(object);
    return rc;
}

static int read_line(void *context, const cJSON *line, struct regret_place at)
{
    struct batch_scores *s = context;
    struct batch_body body;
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    const char *id = NULL, *model = json_string(line, "model");
    size_t first = s->n;
    TRY(regret_json_get_string(&id, line, "custom_id", at));
    if (json_member(line, "response") != NULL) {
        model = NULL; /* the judge's own */
        TRY(batch_body_read(&body, &text, line, at));
        TRY(body.output != NULL ? read_verdict(s, body.output, at) : REGRET_OK);
        s->silent += s->n == first;
    } else {
        model = model != NULL ? model : json_string(line, "agent");
        TRY(add_fields(s, line));
        TRY(add_fields(s, json_member(line, "scores")));
    }
    return add_row(s, id, model, first, at);
}

/* Of "scores.csv", and of "scores.csv.gz", which is read unpacked; 0: no table. */
static char separator_of(const char *path)
{
    const char *name = path_last(path);
    return strstr(name, ".csv") != NULL ? ',' : strstr(name, ".tsv") != NULL ? '\t' : '\0';
}

int batch_scores_read(struct batch_scores *out, struct harness *h, const char *path)
{
    char separator = separator_of(path);
    TRY(separator != '\0' ? read_csv(out, path, separator)
                          : batch_read_lines(h, path, read_line, out));
    return out->n > 0
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s: no scores; a row has \"custom_id\" and a number in another "
                             "column",
                             path);
}

void batch_scores_free(struct batch_scores *s)
{
    names_free(&s->keys);
    names_free(&s->metrics);
    names_free(&s->users);
    regret_free(s->row);
    regret_free(s->score);
    regret_buffer_free(&s->text);
}
