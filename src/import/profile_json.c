#include "import/profile_json.h"

#include <cJSON.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "import/column_names.h"
#include "import/profile.h"
#include "import/table_cell.h"
#include "regret/status.h"

/* A look at JSON: the fields of its records are columns. */

enum { LONGEST_LIST = 8, LOOKED_AT = 1000 };

/* Which of the values met are entered: beside an agent, lists are of raters, whose numbers are one field. */
enum wanted { EVERY_VALUE, NUMBERS, OTHER_VALUES };

struct search {
    struct table_profile *profile;
    size_t capacity; /* of its columns */
    struct id_table names;
    const cJSON *base; /* the record or row whose fields are looked for, and … */
    size_t skip;       /* … how many bytes of a path lead to it */
    size_t records;    /* looked at in this pass */
    char path[REGRET_TABLE_MAX_FIELD + 1]; /* of the value at hand */
    enum wanted wanted;
    char nest[REGRET_TABLE_MAX_FIELD /
              2];  /* the list whose elements are rows; "" where records are */
    cJSON *first;  /* record; owned */
    int has_agent; /* 1: a text that speaks for one differs between records */
};

/* Passes: what a row is, which fields there are, and what they hold. */
typedef int take_record(struct search *s, const cJSON *record, int *full);

static int each_record(struct search *s, const char *path, take_record *take)
{
    FREED_BY(json_records_close) struct json_records records = {0};
    const cJSON *record = NULL;
    TRY(json_records_open(&records, path, JSON_RECORDS_OF_TABLE));
    for (int full = 0; !full;) {
        TRY(json_records_next(&records, &record));
        if (record == NULL) {
            break;
        }
        TRY(take(s, record, &full));
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- fields */

/* Enters a field under its path, unless it is there. */
static int enter(struct search *s)
{
    struct table_profile *p = s->profile;
    if (id_table_find(&s->names, s->path) != SIZE_MAX) {
        return REGRET_OK;
    }
    TRY(id_table_reserve(&s->names, p->n_columns + 1));
    TRY(regret_grow((void **)&p->column, &s->capacity, p->n_columns, sizeof *p->column,
                    "the fields of records"));
    struct profile_column *c = &p->column[p->n_columns];
    *c = (struct profile_column){0};
    TRY(regret_strdup(&c->name, s->path));
    id_table_put(&s->names, c->name, p->n_columns++);
    return REGRET_OK;
}

static int is_number(const cJSON *v)
{
    double x = 0.0;
    return cJSON_IsNumber(v) || cJSON_IsBool(v) ||
           (v != NULL && cJSON_IsString(v) && table_source_parse(&x, v->valuestring));
}

/* Enters one value, or a list of numbers, unless the path leads elsewhere from s->base (names may hold dots). */
static int enter_value(struct search *s, const cJSON *value, size_t length)
{
    int is_wanted =
        s->wanted == EVERY_VALUE ||
        (s->wanted == NUMBERS ? is_number(value) : !is_number(value) && !cJSON_IsNull(value));
    return length > s->skip && is_wanted &&
                   (s->wanted == NUMBERS || table_follow(s->base, s->path + s->skip) == value)
               ? enter(s)
               : REGRET_OK;
}

/* A rater's: an object that does not say what it measures, for then others measure something else. */
static int is_of_rater(const cJSON *v)
{
    int says = 0;
    for (const cJSON *m = v->child; m != NULL && !says; m = m->next) {
        says =
            cJSON_IsObject(v) && cJSON_IsString(m) && column_words(m->string, COLUMN_MEASURE) > 0;
    }
    return cJSON_IsObject(v) && !says;
}

/* Beside an agent: 1 where all elements are raters' objects (or numbers), and there are some. */
static int are_raters(const struct search *s, const cJSON *list, int objects)
{
    int all =
        (s->has_agent || s->nest[0] != '\0') && s->wanted == EVERY_VALUE && list->child != NULL;
    for (const cJSON *e = list->child; e != NULL && all; e = e->next) {
        all = objects ? is_of_rater(e) : is_number(e) || cJSON_IsNull(e);
    }
    return all;
}

static int enter_all(struct search *s, const cJSON *value, size_t length);

/* Enters what is in an object or a list, from its first element on under names, or all under "*". */
static int enter_elements(struct search *s, const cJSON *value, size_t length, int by_star)
{
    size_t i = 0;
    for (const cJSON *m = value->child; m != NULL && s->profile->n_columns <= PROFILE_COLUMNS;
         m = m->next, i++) {
        char *end = s->path + length;
        const char *dot = length > s->skip ? "." : "";
        size_t room = sizeof s->path - length;
        int n = by_star                ? snprintf(end, room, "%s*", dot)
                : cJSON_IsArray(value) ? snprintf(end, room, "%s%zu", dot, i)
                                       : snprintf(end, room, "%s%s", dot, m->string);
        TRY((size_t)n < room ? enter_all(s, m, length + (size_t)n) : REGRET_OK);
        *end = '\0';
    }
    return REGRET_OK;
}

/* The numbers of all raters under one name each, and what else they say by its place. */
static int enter_raters(struct search *s, const cJSON *list, size_t length)
{
    s->wanted = NUMBERS;
    TRY(enter_elements(s, list, length, 1));
    s->wanted = OTHER_VALUES;
    TRY(enter_elements(s, list, length, 0));
    s->wanted = EVERY_VALUE;
    return REGRET_OK;
}

/* Enters the value at s->path, of `length` bytes, and what it holds. JSON is read to a depth of 64. */
static int enter_all(struct search *s, const cJSON *value, size_t length)
{
    if (!cJSON_IsArray(value)) {
        return cJSON_IsObject(value) ? enter_elements(s, value, length, 0)
                                     : enter_value(s, value, length);
    }
    if (cJSON_GetArraySize(value) > LONGEST_LIST || strcmp(s->path, s->nest) == 0 ||
        s->wanted == NUMBERS) {
        return REGRET_OK;
    }
    return are_raters(s, value, 0)   ? enter_value(s, value, length)
           : are_raters(s, value, 1) ? enter_raters(s, value, length)
                                     : enter_elements(s, value, length, 0);
}

/* The list whose elements are rows, in this record; NULL: the record is one. */
static const cJSON *rows_of(const struct search *s, const cJSON *record)
{
    const cJSON *list = s->nest[0] != '\0' ? table_follow(record, s->nest) : NULL;
    return cJSON_IsArray(list) ? list : NULL;
}

/* The fields of a record, and those of the elements of its list that are objects. */
static int take_fields(struct search *s, const cJSON *record, int *full)
{
    const cJSON *rows = rows_of(s, record);
    s->base = record;
    s->skip = 0;
    s->path[0] = '\0';
    TRY(enter_all(s, record, 0));
    for (const cJSON *row = rows != NULL ? rows->child : NULL; row != NULL; row = row->next) {
        s->base = row;
        s->skip = (size_t)snprintf(s->path, sizeof s->path, "%s" TABLE_NEST, s->nest);
        TRY(cJSON_IsObject(row) ? enter_all(s, row, s->skip) : REGRET_OK);
    }
    *full = s->profile->n_columns > PROFILE_COLUMNS ||
            ++s->records >= PROFILE_CELLS / (s->profile->n_columns + 1);
    return REGRET_OK;
}

/* ---------------------------------------------------------------- rows in a list */

/* 1: two objects have a text of one name that speaks for an agent, and it differs. */
static int differ_in_agent(const cJSON *one, const cJSON *another)
{
    for (const cJSON *m = one->child; m != NULL; m = m->next) {
        const cJSON *other = cJSON_GetObjectItemCaseSensitive(another, m->string);
        if (cJSON_IsString(m) && cJSON_IsString(other) &&
            column_words(m->string, COLUMN_AGENT) > 0 &&
            strcmp(m->valuestring, other->valuestring) != 0) {
            return 1;
        }
    }
    return 0;
}

/* 1: the elements are objects, two or more, of different agents. */
static int is_of_agents(const cJSON *list)
{
    const cJSON *first = list->child, *second = first != NULL ? first->next : NULL;
    return second != NULL && cJSON_IsObject(first) && cJSON_IsObject(second) &&
           differ_in_agent(first, second);
}

/* Looks whether a text that may be a record's agent is another one than that of the first record. */
static int look_for_agent(struct search *s, const cJSON *record)
{
    if (s->first == NULL) {
        s->first = cJSON_Duplicate(record, 1);
        return s->first != NULL ? REGRET_OK
                                : regret_fail(REGRET_E_NOMEM, "out of memory: a record");
    }
    s->has_agent = differ_in_agent(record, s->first);
    return REGRET_OK;
}

/* Looks in a record for a list of agents, and for an agent of its own, beside which a list is none of rows. */
static int look_for_rows(struct search *s, const cJSON *record, int *full)
{
    TRY(look_for_agent(s, record));
    for (const cJSON *m = record->child; m != NULL && s->nest[0] == '\0'; m = m->next) {
        if (cJSON_IsArray(m) && is_of_agents(m) && strlen(m->string) < sizeof s->nest) {
            snprintf(s->nest, sizeof s->nest, "%s", m->string);
        }
    }
    *full = s->has_agent || ++s->records >= LOOKED_AT;
    return REGRET_OK;
}

/* ---------------------------------------------------------------- cells */

static int take_row(struct search *s, const cJSON *record, const cJSON *row, int *full)
{
    struct table_profile *p = s->profile;
    size_t skip = row != NULL ? strlen(s->nest) + sizeof TABLE_NEST - 1 : 0;
    TRY(table_profile_begin_row(p, full));
    p->at = s->records;
    for (size_t k = 0; k < p->n_columns && !*full; k++) {
        char scratch[JSON_SCRATCH];
        double range[2];
        const char *name = p->column[k].name;
        int is_own = row != NULL && strncmp(name, s->path, skip) == 0;
        const char *text =
            table_json_cell(scratch, range, is_own ? row : record, is_own ? name + skip : name);
        text = text != NULL ? text : "";
        table_profile_cell(p, k, text, strlen(text));
        if (text[0] != '\0') { /* what raters said, not their mean alone, must fit the scale */
            p->column[k].least = fmin(p->column[k].least, range[0]);
            p->column[k].most = fmax(p->column[k].most, range[1]);
        }
    }
    return REGRET_OK;
}

static int take_cells(struct search *s, const cJSON *record, int *full)
{
    const cJSON *rows = rows_of(s, record);
    s->records++;
    if (s->nest[0] == '\0') {
        return take_row(s, record, NULL, full);
    }
    snprintf(s->path, sizeof s->path, "%s" TABLE_NEST, s->nest);
    for (const cJSON *row = rows != NULL ? rows->child : NULL; row != NULL && !*full;
         row = row->next) {
        TRY(take_row(s, record, row, full));
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- lists of names and values */

/* "scores.0.name": how much of it stands before the number of the element; *key is what stands behind that. 0: it is no such field. */
static size_t split_field(const char **key, const char *name)
{
    for (const char *dot = strchr(name, '.'); dot != NULL; dot = strchr(dot + 1, '.')) {
        size_t figures = strspn(dot + 1, "0123456789");
        if (figures > 0 && dot[1 + figures] == '.') {
            *key = dot + 2 + figures;
            return (size_t)(dot - name);
        }
    }
    return 0;
}

/* Elements of a list, called by a text each that is not the same in every record: their numbers are of different things. */
static int check_list(const struct table_profile *p, size_t k, const char *path)
{
    const struct profile_column *c = &p->column[k];
    const char *key = NULL, *other = NULL;
    size_t n = split_field(&key, c->name);
    if (n == 0 || c->distinct < 2 || 2 * c->numbers > c->filled ||
        column_words(key, COLUMN_MEASURE) + column_count_words(key, " scorer label type ") == 0) {
        return REGRET_OK;
    }
    size_t beside = (size_t)(key - c->name);
    for (size_t j = 0; j < p->n_columns; j++) {
        const struct profile_column *value = &p->column[j];
        if (j != k && split_field(&other, value->name) == n && value->numbers > 0 &&
            strncmp(value->name, c->name, beside) == 0) {
            return regret_fail(
                REGRET_E_INPUT,
                "%s: \"%.*s\" is a list whose elements are called by \"%.40s\" and do "
                "not keep their places (\"%.40s\" has %zu different): write an object, "
                "{\"%.*s\": {NAME: VALUE, …}}, with the same names in every record",
                path, (int)n, c->name, key, c->name, c->distinct, (int)n, c->name);
        }
    }
    return REGRET_OK;
}

int table_profile_read_json(struct table_profile *out, const char *path)
{
    struct search s = {.profile = out};
    int rc;
    *out = (struct table_profile){0};
    TRY_CLEANUP(each_record(&s, path, look_for_rows));
    if (s.records == 1 && !s.has_agent && s.nest[0] == '\0') {
        rc = regret_fail(REGRET_E_INPUT,
                         "%s holds one object; a table is a list of objects, one a row", path);
        goto cleanup;
    }
    s.records = 0;
    s.nest[0] = s.has_agent ? '\0' : s.nest[0];
    TRY_CLEANUP(each_record(&s, path, take_fields));
    TRY_CLEANUP(table_profile_check_columns(out->n_columns, 1, path));
    s.records = 0;
    TRY_CLEANUP(each_record(&s, path, take_cells));
    out->is_nested = s.nest[0] != '\0';
    TRY_CLEANUP(table_profile_finish(out, path));
    for (size_t k = 0; k < out->n_columns; k++) {
        TRY_CLEANUP(check_list(out, k, path));
    }
cleanup:
    id_table_free(&s.names);
    cJSON_Delete(s.first);
    return rc;
}

static const double FAR = 5.0;  /* times the largest of the others … */
static const double SKEW = 3.0; /* … or so many times what that is of their mean */

static int by_magnitude(const void *x, const void *y)
{
    double a = fabs(*(const double *)x), b = fabs(*(const double *)y);
    return (a > b) - (a < b);
}

/* 1 where no more than `few` numbers are beyond the FARth part of the largest. */
static int may_have_slips(const double *x, size_t n, size_t few)
{
    double largest = 0.0;
    size_t beyond = 0;
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    for (size_t i = 0; i < n; i++) {
        beyond += FAR * fabs(x[i]) > largest;
    }
    return beyond <= few;
}

/* How many are slips; those are the last of x then. */
static size_t count_slips(double *x, size_t n)
{
    size_t few = n / 20;
    double sum = 0.0;
    if (!may_have_slips(x, n, few)) {
        return 0;
    }
    qsort(x, n, sizeof *x, by_magnitude);
    for (size_t i = 0; i < n; i++) {
        double before = i > 0 ? fabs(x[i - 1]) : 0.0, skew = before * (double)i / sum;
        if (i + few >= n && before > 0.0 && fabs(x[i]) >= before * fmax(FAR, SKEW * skew)) {
            return n - i;
        }
        sum += fabs(x[i]);
    }
    return 0;
}

void slip_find(struct slip *out, double *x, size_t n)
{
    struct slip s = {.n = count_slips(x, n), .least = INFINITY, .most = -INFINITY};
    for (size_t i = 0; i < n - s.n; i++) {
        s.least = fmin(s.least, x[i]);
        s.most = fmax(s.most, x[i]);
    }
    s.value = n > 0 ? x[n - 1] : 0.0;
    *out = s;
}

int scales_are_mixed(const double *x, size_t n)
{
    size_t shares = 0, between = 0, points = 0;
    for (size_t i = 0; i < n; i++) {
        if (x[i] < 0.0) {
            return 0;
        }
        shares += x[i] > 0.0 && x[i] < 1.0;
        between += x[i] > 1.0 && x[i] < 2.0;
        points += x[i] >= 2.0;
    }
    return n >= 20 && 10 * shares >= n && 10 * points >= n && 20 * between <= shares;
}

/* ---------------------------------------------------------------- what stands for nothing */

/* −1, −9, and two nines or more. */
int slip_is_code(double x)
{
    double nines = 9.0;
    while (nines < fabs(x) && nines < 1e9) {
        nines = 10.0 * nines + 9.0;
    }
    return x == -1.0 || (fabs(x) == nines && x != 9.0);
}

static double gap_of(const struct slip *s)
{
    return fmax(s->least - s->value, s->value - s->most);
}

/* Whether one value at the end of n numbers is none of the scale of the others. */
static int is_apart(const struct slip *s, size_t n)
{
    double width = s->most - s->least, gap = gap_of(s);
    const double *scale = scale_filled_by(s->least, s->most);
    int is_beyond = scale != NULL && (s->value < scale[0] || s->value > scale[1]);
    if (s->value < 0.0 && slip_is_code(s->value)) {
        return s->n > 1 && width > 0.0 && (gap >= width || is_beyond) &&
               !(s->is_next && 5 * s->n >= n);
    }
    if (s->value == 9.0 && s->least == 1.0) { /* of ratings from 1 on */
        return s->n > 1 && width > 0.0 && is_beyond && gap >= width;
    }
    return slip_is_code(s->value) ? gap >= FAR * fmax(width, 1.0)
                                  : s->n > 1 && is_beyond && gap >= FAR * width;
}

/* Among the numbers but `but` (NaN: all). */
static void find_among(struct slip *out, const double *x, size_t n, double but)
{
    double end[2] = {INFINITY, -INFINITY};
    for (size_t i = 0; i < n; i++) {
        end[0] = x[i] == but ? end[0] : fmin(end[0], x[i]);
        end[1] = x[i] == but ? end[1] : fmax(end[1], x[i]);
    }
    for (int e = 0; e < 2; e++) {
        struct slip s = {.value = end[e], .least = INFINITY, .most = -INFINITY, .other = NAN};
        int whole = 1;
        for (size_t i = 0; i < n; i++) {
            if (x[i] == s.value || x[i] == but) {
                s.n += x[i] == s.value;
                continue;
            }
            s.least = fmin(s.least, x[i]);
            s.most = fmax(s.most, x[i]);
            whole &= x[i] == floor(x[i]);
        }
        s.is_next = s.value == -1.0 && whole && gap_of(&s) == 1.0 && s.most - s.least <= 3.0;
        if (2 * s.n < n && is_apart(&s, n)) {
            *out = s;
            return;
        }
    }
    *out = (struct slip){.other = NAN};
}

void sentinel_find(struct slip *out, const double *x, size_t n)
{
    struct slip more;
    find_among(out, x, n, NAN);
    find_among(&more, x, n, out->value);
    if (out->n > 0 &&
        more.n > 0) { /* the first is counted out of those that the second is held against */
        more.n += out->n;
        more.other = more.value;
        more.value = out->value;
        *out = more;
    }
}

int zero_may_be_none(size_t *zeros, const double *x, size_t n)
{
    size_t ones = 0;
    double most = 0.0;
    int fits = 1;
    *zeros = 0;
    for (size_t i = 0; i < n; i++) {
        fits &= x[i] >= 0.0 && x[i] == floor(x[i]);
        *zeros += x[i] == 0.0;
        ones += x[i] == 1.0;
        most = fmax(most, x[i]);
    }
    return fits && most >= 4.0 && most <= 10.0 && *zeros > ones && 2 * *zeros < n;
}
