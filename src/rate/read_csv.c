#include "rate/read_csv.h"

#include <cJSON.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/json_tokens.h"
#include "base/status.h"
#include "base/text.h"
#include "rate/internal.h"
#include "regret/status.h"

const char *value_kind_name(enum value_kind kind)
{
    return kind == A_NUMBER    ? "a number"
           : kind == A_STRING  ? "a string"
           : kind == AN_ARRAY  ? "an array"
           : kind == AN_OBJECT ? "an object"
                               : "a boolean";
}

void refuse(struct value_reader *r)
{
    r->wrong = 1;
    r->t.at = r->t.end;
}

void begin_values(struct value_reader *r, const char *text, size_t length)
{
    *r = (struct value_reader){.t = {text, text + length, REGRET_JSON_IMPORT},
                               .text = text,
                               .unescaped = r->unescaped,
                               .room = r->room};
}

void free_values(struct value_reader *r)
{
    regret_free(r->unescaped);
    *r = (struct value_reader){0};
}

/* Replaces a string with escapes by its value. */
static void unescape(struct value_reader *r, struct regret_span *string)
{
    size_t most = 2 * (size_t)(r->t.end - r->text); /* a text is read twice at most */
    if (r->used == 0 && r->room < most) {
        int rc = regret_realloc((void **)&r->unescaped, most, 1, "strings with escapes");
        if (rc != REGRET_OK) {
            r->failure = rc;
            refuse(r);
            return;
        }
        r->room = most;
    }
    char *value = r->unescaped + r->used;
    *string = (struct regret_span){value, json_unescape(value, *string)};
    r->used += string->length;
}

static void take_string(struct value_reader *r, struct regret_span *out, int *escaped)
{
    if (!json_take_string(&r->t, out, escaped)) {
        refuse(r);
    }
}

/* Into the array or object at hand. */
static void enter(struct value_reader *r)
{
    r->t.at++;
    r->depth++;
    if (r->depth > REGRET_JSON_MAX_DEPTH) {
        refuse(r);
    }
}

static inline int at_byte(const struct value_reader *r, char c)
{
    return r->t.at < r->t.end && *r->t.at == c;
}

static inline void skip_blank(struct value_reader *r)
{
    r->t.at = json_skip_blank(r->t.at, r->t.end);
}

/* Behind the array at hand, whose elements say nothing but whether there are any. */
static void take_array(struct value_reader *r, struct value *v)
{
    enter(r);
    skip_blank(r);
    if (at_byte(r, ']')) {
        v->kind = NOTHING;
    } else {
        v->kind = AN_ARRAY;
        take_value(r);
        skip_blank(r);
        while (at_byte(r, ',')) {
            r->t.at++;
            skip_blank(r);
            take_value(r);
            skip_blank(r);
        }
    }
    if (!at_byte(r, ']')) {
        refuse(r);
        return;
    }
    r->t.at++;
    r->depth--;
}

static void take_object(struct value_reader *r, struct value *v)
{
    struct members m;
    struct regret_span key;
    v->kind = AN_OBJECT;
    enter_object(r, &m);
    while (next_member(r, &m, &key)) {
        take_value(r);
    }
}

static void take_number(struct value_reader *r, struct value *v)
{
    const char *begin = r->t.at;
    v->kind = A_NUMBER;
    if (!json_take_number(&r->t, &v->number) || !isfinite(v->number)) {
        refuse(r);
    }
    v->text = (struct regret_span){begin, (size_t)(r->t.at - begin)};
}

static void take_word(struct value_reader *r, struct value *v, const char *word,
                      enum value_kind kind)
{
    v->kind = kind;
    if (!json_take_word(&r->t, word)) {
        refuse(r);
    }
}

struct value take_value(struct value_reader *r)
{
    struct value v = {NOTHING, 0.0, {NULL, 0}, 0};
    switch (r->t.at < r->t.end ? *r->t.at : '\0') {
    case '"':
        v.kind = A_STRING;
        take_string(r, &v.text, &v.escaped);
        break;
    case '{':
        take_object(r, &v);
        break;
    case '[':
        take_array(r, &v);
        break;
    case 't':
        take_word(r, &v, "true", A_TRUE);
        break;
    case 'f':
        take_word(r, &v, "false", A_FALSE);
        break;
    case 'n':
        take_word(r, &v, "null", A_NULL);
        break;
    case 'N':
        take_word(r, &v, "NaN", NOTHING);
        break;
    case 'I':
        take_word(r, &v, "Infinity", NOTHING);
        break;
    default:
        if (!json_take_word(&r->t, "-Infinity")) {
            take_number(r, &v);
        }
    }
    return v;
}

struct value take_text_value(struct value_reader *r)
{
    struct value v = take_value(r);
    if (v.escaped && !r->wrong) {
        unescape(r, &v.text);
    }
    return v;
}

/* ---- Objects, member by member ---- */

void enter_object(struct value_reader *r, struct members *m)
{
    m->begin = r->t.at;
    m->n = 0;
    enter(r);
}

/* Too many keys to compare each with each: the reader of documents sees that none is given twice. */
static void check_keys_of_many(struct value_reader *r, const struct members *m)
{
    struct cJSON *object = NULL;
    const struct regret_place nowhere = {"row", 0};
    int rc = regret_json_parse_mode(&object, m->begin, (size_t)(r->t.at - m->begin), nowhere,
                                    REGRET_JSON_IMPORT);
    cJSON_Delete(object);
    if (rc != REGRET_OK) {
        r->failure = rc == REGRET_E_INPUT ? r->failure : rc;
        refuse(r);
    }
}

/* Behind the object; 0, as there is no other member. */
static int leave_object(struct value_reader *r, const struct members *m)
{
    r->t.at++;
    r->depth--;
    if (m->n > MAX_KEYS) {
        check_keys_of_many(r, m);
    }
    return 0;
}

static void take_key(struct value_reader *r, struct members *m, struct regret_span *key)
{
    int escaped = 0;
    take_string(r, key, &escaped);
    if (escaped && !r->wrong) {
        unescape(r, key);
    }
    if (r->wrong) {
        return;
    }
    size_t n = m->n < MAX_KEYS ? m->n : MAX_KEYS;
    for (size_t i = 0; i < n; i++) {
        if (span_equal(m->seen[i], *key)) {
            refuse(r);
            return;
        }
    }
    if (n < MAX_KEYS) {
        m->seen[n] = *key;
    }
    m->n++;
    skip_blank(r);
    if (at_byte(r, ':')) {
        r->t.at++;
        skip_blank(r);
    } else {
        refuse(r);
    }
}

int next_member(struct value_reader *r, struct members *m, struct regret_span *key)
{
    skip_blank(r);
    if (r->t.at == r->t.end) {
        refuse(r);
        return 0;
    }
    if (*r->t.at == '}') {
        return leave_object(r, m);
    }
    if (m->n > 0) {
        if (*r->t.at != ',') {
            refuse(r);
            return 0;
        }
        r->t.at++;
        skip_blank(r);
    }
    take_key(r, m, key);
    if (r->t.at == r->t.end) {
        refuse(r);
    }
    return !r->wrong;
}

/* Rows from a table: one response a record, a column for each member of a row of JSON, named by the
 * way to it ("scores.MODEL.original"), as pandas' json_normalize() does. */

FREED_POINTER(struct regret_csv, regret_csv_close)

enum role { COLUMN_OTHER, COLUMN_W, COLUMN_Z, COLUMN_TEXT, COLUMN_SCORE };

struct column {
    char *name; /* owned */
    enum role role;
    size_t place;   /* of a text: where it goes in the row */
    size_t model;   /* of a score */
    int side;       /* of a score */
    int is_cluster; /* 1: names the cluster, whatever else it is */
};

#define PLACE(member) offsetof(struct regret_rate_row, member)

struct table {
    struct column *columns; /* owned */
    size_t n_columns;
    size_t n_models;
    int is_perturbed; /* 1: the scores are of a base and its perturbation */
    struct {
        struct regret_span name; /* in a column's name */
        int contrastive;
    } models[REGRET_RATE_MAX_MODELS];
};

static void table_free(struct table *t)
{
    for (size_t k = 0; k < t->n_columns; k++) {
        regret_free(t->columns[k].name);
    }
    regret_free(t->columns);
}

static int begins_with(struct regret_span text, const char *begin)
{
    size_t n = strlen(begin);
    return text.length > n && memcmp(text.text, begin, n) == 0;
}

static struct regret_span behind(struct regret_span text, size_t n)
{
    return (struct regret_span){text.text + n, text.length - n};
}

/* What a column is by its whole name. Keys that have other names by the options are none by their own. */
static void find_role(struct column *c, struct regret_span name, const struct row_reader *r)
{
    static const struct {
        const char *name;
        enum role role;
        size_t place;
    } known[] = {{"id", COLUMN_TEXT, PLACE(id)},
                 {"dataset", COLUMN_TEXT, PLACE(dataset)},
                 {"attribute", COLUMN_TEXT, PLACE(attribute)},
                 {"w", COLUMN_W, 0},
                 {"w_original", COLUMN_W, 0},
                 {"prompt", COLUMN_TEXT, PLACE(prompt)},
                 {"query", COLUMN_TEXT, PLACE(prompt)},
                 {"reward_question", COLUMN_TEXT, PLACE(prompt)},
                 {"rewriter", COLUMN_TEXT, PLACE(rewriter)},
                 {"repeat", COLUMN_TEXT, PLACE(repeat)}};
    if (r->w_field.text != NULL && span_equal(name, r->w_field)) {
        c->role = COLUMN_W;
    } else if (r->dataset_field.text != NULL && span_equal(name, r->dataset_field)) {
        c->role = COLUMN_TEXT;
        c->place = PLACE(dataset);
    } else if (span_equal(name, r->z_field)) {
        c->role = COLUMN_Z;
    } else {
        size_t k = 0;
        while (k < sizeof known / sizeof *known && !span_is(name, known[k].name)) {
            k++;
        }
        if (k < sizeof known / sizeof *known &&
            !(known[k].role == COLUMN_W && r->w_field.text != NULL) &&
            !(span_is(name, "dataset") && r->dataset_field.text != NULL)) {
            c->role = known[k].role;
            c->place = known[k].place;
        }
    }
}

/* The number of a model among those of the table. */
static int find_model(size_t *number, struct table *t, struct regret_span name, int contrastive,
                      struct regret_place at)
{
    for (size_t m = 0; m < t->n_models; m++) {
        if (t->models[m].contrastive == contrastive && span_equal(t->models[m].name, name)) {
            *number = m;
            return REGRET_OK;
        }
    }
    if (t->n_models == REGRET_RATE_MAX_MODELS) {
        return regret_json_error(at, "more than %d reward models in one table; split it by model",
                                 REGRET_RATE_MAX_MODELS);
    }
    t->models[t->n_models].name = name;
    t->models[t->n_models].contrastive = contrastive;
    *number = t->n_models++;
    return REGRET_OK;
}

/* "scores.MODEL.SIDE", "contrasts.MODEL.single", or "MODEL.SIDE"; a model's name may hold points. */
static int take_score_column(struct reading *r, struct table *t, struct column *c,
                             struct regret_span name, struct regret_place at)
{
    int contrastive = begins_with(name, "contrasts."), is_ours = begins_with(name, "scores.");
    struct regret_span path = contrastive ? behind(name, strlen("contrasts."))
                              : is_ours   ? behind(name, strlen("scores."))
                                          : name;
    size_t point = path.length;
    while (point > 0 && path.text[point - 1] != '.') {
        point--;
    }
    int slot = point > 1 ? slot_of_key(behind(path, point), contrastive) : -1;
    if (slot < 0) {
        if (contrastive || is_ours) {
            rows_note_detail(r->rows, REGRET_RATE_ISSUE_SCORE_KEY_UNKNOWN,
                             (uint32_t)r->rows->n_files - 1, at.line, UINT32_MAX, name);
        }
        return REGRET_OK;
    }
    c->role = COLUMN_SCORE;
    c->side = slot;
    return find_model(&c->model, t, (struct regret_span){path.text, point - 1}, contrastive, at);
}

static int take_column(struct reading *r, struct table *t, struct column *c, struct regret_place at)
{
    struct regret_span name = {c->name, strlen(c->name)};
    find_role(c, name, &r->reader);
    c->is_cluster = is_by_prompt(&r->reader)
                        ? c->role == COLUMN_TEXT && c->place == PLACE(prompt)
                        : r->reader.cluster.text != NULL && span_equal(name, r->reader.cluster);
    if (c->role != COLUMN_OTHER) {
        return REGRET_OK;
    }
    if (begins_with(name, "completions.")) {
        int side = side_of_key(behind(name, strlen("completions.")));
        c->role = side >= 0 ? COLUMN_TEXT : COLUMN_OTHER;
        c->place = side >= 0 ? PLACE(completion) + (size_t)side * sizeof name : 0;
        return REGRET_OK;
    }
    return take_score_column(r, t, c, name, at);
}

/* Scores and texts of one model that is not named; where others are, such columns are none of scores. */
static int take_bare_columns(struct reading *r, struct table *t, struct regret_place at)
{
    int has_models = t->n_models > 0;
    for (size_t k = 0; k < t->n_columns; k++) {
        struct column *c = &t->columns[k];
        struct regret_span name = {c->name, strlen(c->name)};
        struct bare_name bare = bare_name_of(name);
        if (c->role != COLUMN_OTHER || bare.side < 0 || (has_models && !bare.is_text)) {
            continue;
        }
        c->role = bare.is_text ? COLUMN_TEXT : COLUMN_SCORE;
        c->place = bare.is_text ? PLACE(completion) + (size_t)bare.side * sizeof name : 0;
        c->side = bare.is_text ? 0 : bare.side;
        t->is_perturbed |= !bare.is_text && bare.is_perturbed;
        TRY(bare.is_text ? REGRET_OK : find_model(&c->model, t, r->reader.model, 0, at));
    }
    return REGRET_OK;
}

/* Two columns for the same thing: "w" and "w_original", or a name given twice. */
static int check_columns(const struct table *t, struct regret_place at)
{
    for (size_t a = 0; a < t->n_columns; a++) {
        for (size_t b = 0; b < a && t->columns[a].role != COLUMN_OTHER; b++) {
            const struct column *x = &t->columns[a], *y = &t->columns[b];
            if (x->role == y->role && x->place == y->place && x->model == y->model &&
                x->side == y->side) {
                return regret_json_error(at, "columns \"%s\" and \"%s\" mean the same; keep one",
                                         y->name, x->name);
            }
        }
    }
    return REGRET_OK;
}

static int read_header(struct reading *r, struct table *t, struct regret_csv *csv,
                       struct regret_place *at)
{
    size_t n_fields = 0;
    TRY(csv_table_next(csv, &n_fields, at));
    if (n_fields == 0) {
        at->line = 0;
        return regret_json_error(*at, "the file is empty");
    }
    TRY(REGRET_NEW(&t->columns, n_fields));
    for (size_t k = 0; k < n_fields; k++) {
        TRY(regret_strdup(&t->columns[k].name, regret_csv_field(NULL, csv, k)));
        t->n_columns++;
        TRY(take_column(r, t, &t->columns[k], *at));
    }
    TRY(take_bare_columns(r, t, *at));
    return check_columns(t, *at);
}

/* A number as JSON has it (no "inf", no hexadecimal), or with a plus sign. */
static int field_number(double *out, struct regret_span field)
{
    char *end = NULL;
    if (strspn(field.text, "+-.0123456789eE") != field.length) {
        return 0;
    }
    *out = strtod(field.text, &end);
    return end == field.text + field.length && field.length > 0 && isfinite(*out);
}

static enum regret_rate_label label_of_field(struct regret_span field, const double *above)
{
    double value = 0.0;
    if (field.length == 0) {
        return REGRET_LABEL_MISSING;
    }
    return field_number(&value, field) ? label_of_number(value, above) : label_of_word(field);
}

static void take_score_field(struct regret_rate_scores *scores, int side, struct regret_span field)
{
    if (!field_number(&scores->value[side], field)) {
        scores->value[side] = NAN;
        scores->bad |= 1U << side;
    }
}

static void take_field(struct row_reader *r, const struct column *c, struct regret_span field)
{
    struct regret_rate_row *row = &r->row;
    if (c->role == COLUMN_W) {
        row->w = label_of_field(field, r->w_above);
    } else if (c->role == COLUMN_Z) {
        row->z = label_of_field(field, r->z_above);
    }
    if (field.length == 0) {
        return;
    }
    row->cluster = c->is_cluster ? field : row->cluster;
    if (c->role == COLUMN_TEXT) {
        void *place = (char *)row + c->place;
        *(struct regret_span *)place = field;
    } else if (c->role == COLUMN_SCORE) {
        take_score_field(&row->scores[c->model], c->side, field);
    }
}

/* Models of which a record has no field are not named by it. */
static void drop_unnamed(struct regret_rate_row *row, size_t n_models)
{
    for (size_t m = 0; m < n_models; m++) {
        const struct regret_rate_scores *s = &row->scores[m];
        if (s->bad != 0 || !isnan(s->value[0]) || !isnan(s->value[1]) || !isnan(s->value[2])) {
            row->scores[row->n_scores++] = *s;
        }
    }
}

static int take_record(struct reading *r, const struct table *t, struct regret_csv *csv,
                       size_t n_fields, struct regret_place at)
{
    struct regret_rate_row *row = &r->reader.row;
    if (n_fields != t->n_columns) {
        return reading_pass_over(r,
                                 regret_json_error(at,
                                                   "a record of %zu fields, but the header "
                                                   "has %zu",
                                                   n_fields, t->n_columns),
                                 at.line);
    }
    *row = (struct regret_rate_row){.w = REGRET_LABEL_MISSING, .z = REGRET_LABEL_MISSING};
    for (size_t m = 0; m < t->n_models; m++) {
        row->scores[m] = (struct regret_rate_scores){.model = t->models[m].name,
                                                     .contrastive = t->models[m].contrastive,
                                                     .value = {NAN, NAN, NAN}};
    }
    for (size_t k = 0; k < n_fields; k++) {
        struct regret_span field;
        field.text = regret_csv_field(&field.length, csv, k);
        take_field(&r->reader, &t->columns[k], field);
    }
    row->w = t->is_perturbed && row->w == REGRET_LABEL_MISSING ? REGRET_LABEL_0 : row->w;
    drop_unnamed(row, t->n_models);
    return reading_add(r, at.line);
}

static int read_records(struct reading *r, const struct table *t, struct regret_csv *csv,
                        struct regret_place at)
{
    size_t n_fields = 1;
    while (n_fields > 0) {
        int rc = csv_table_next(csv, &n_fields, &at);
        if (rc != REGRET_OK) {
            TRY(regret_csv_is_over(csv) ? rc : reading_pass_over(r, rc, regret_csv_line(csv)));
            n_fields = 1;
        } else if (n_fields > 0) {
            TRY(take_record(r, t, csv, n_fields, at));
        }
    }
    return REGRET_OK;
}

int read_table(struct reading *r, const char *path, char separator)
{
    FREED_BY(regret_csv_close_at) struct regret_csv *csv = NULL;
    FREED_BY(table_free) struct table t = {0};
    struct regret_place at = {path, 1};
    TRY(csv_table_open(&csv, path, separator));
    TRY(read_header(r, &t, csv, &at));
    return read_records(r, &t, csv, at);
}
