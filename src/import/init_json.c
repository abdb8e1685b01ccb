/* The records of JSON as rows of a table, their fields by paths. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "import/init.h"
#include "regret/status.h"
#include "table/fields.h"
#include "table/words.h"

FREED_POINTER(struct fields, fields_close)

/* The row at hand: what the path of a field is told from. */
struct json_row {
    struct init_table *t;
    struct fields *f;
    char before[INIT_REST + 4]; /* of elements of a list that is rows: "answers.*." */
};

static int put_named(struct json_row *r, const char *path, const char *text, const double *range)
{
    struct init_table *t = r->t;
    FREED_BY(regret_buffer_free) struct regret_buffer whole = REGRET_BUFFER_INIT;
    uint32_t k = 0;
    regret_buffer_append(&whole, r->before);
    regret_buffer_append(&whole, path);
    TRY(regret_buffer_status(&whole));
    TRY(names_enter(&k, &t->names, regret_buffer_get(&whole)));
    TRY(k == t->n_columns ? init_add_column(t, regret_buffer_get(&whole)) : REGRET_OK);
    /* Where a column has come all cells are put again. */
    return t->insert[0] == NULL ? REGRET_OK : init_put_cell(t, k, text, fields_number(r->f), range);
}

static int put_value(struct json_row *r, struct regret_buffer *path, size_t v);

static int put_member(struct json_row *r, struct regret_buffer *path, const char *key, size_t v)
{
    size_t length = path->length;
    regret_buffer_printf(path, "%s%s", length > 0 ? "." : "", key);
    TRY(regret_buffer_status(path));
    TRY(put_value(r, path, v));
    path->length = length;
    path->data[length] = '\0';
    return REGRET_OK;
}

static int is_key(const struct init_table *t, const char *name)
{
    return strcmp(name, "name") == 0 || strcmp(name, "key") == 0 || strcmp(name, "label") == 0 ||
           (init_name_any(&t->words, name) & (INIT_MEASURE | INIT_AGENT)) != 0;
}

/* What elements of a list are called by: a text beside a number. */
static int is_called(struct json_row *r, size_t object)
{
    size_t m = fields_first(r->f, object);
    while (m != FIELDS_NONE &&
           (fields_value(r->f, m).kind != FIELDS_TEXT || !is_key(r->t, fields_key(r->f, m)))) {
        m = fields_behind(r->f, m, object);
    }
    return m != FIELDS_NONE;
}

/* The mean of the numbers of a list, or of those that its elements have by a name, and from the least to the largest; NULL where one of
 * them is none. */
static const char *mean_of(char scratch[JSON_SCRATCH], double range[2], struct fields *f,
                           size_t list, const char *name)
{
    double sum = 0.0, x = 0.0;
    size_t n = 0;
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (size_t e = fields_first(f, list); e != FIELDS_NONE; e = fields_behind(f, e, list), n++) {
        size_t v = name != NULL ? fields_member(f, e, name) : e;
        const struct fields_cell cell =
            v != FIELDS_NONE ? fields_value(f, v) : (struct fields_cell){FIELDS_ABSENT, NULL, 0};
        if (cell.text == NULL || cell.kind >= FIELDS_LIST || !table_source_parse(&x, cell.text)) {
            return NULL;
        }
        range[0] = fmin(range[0], x);
        range[1] = fmax(range[1], x);
        sum += x;
    }
    snprintf(scratch, JSON_SCRATCH, "%.15g", n > 0 ? sum / (double)n : 0.0);
    return n > 0 ? scratch : NULL;
}

/* Lists: of one element that; of numbers their mean, of objects that of each of their numbers; others as they are. */
static int put_list(struct json_row *r, struct regret_buffer *path, size_t list)
{
    struct fields *f = r->f;
    char scratch[JSON_SCRATCH];
    double range[2];
    size_t first = fields_first(f, list);
    if (first == FIELDS_NONE) {
        return REGRET_OK;
    }
    int is_object = fields_value(f, first).kind == FIELDS_OBJECT;
    if (fields_behind(f, first, list) == FIELDS_NONE && !is_object) {
        return put_member(r, path, "0", first);
    }
    const char *mean = mean_of(scratch, range, f, list, NULL);
    if (mean != NULL) {
        return put_named(r, regret_buffer_get(path), mean, range);
    }
    for (size_t m = is_object && !is_called(r, first) ? fields_first(f, first) : FIELDS_NONE;
         m != FIELDS_NONE; m = fields_behind(f, m, first)) {
        FREED_BY(regret_buffer_free) struct regret_buffer each = REGRET_BUFFER_INIT;
        size_t before = path->length + strlen(".*.");
        regret_buffer_printf(&each, "%s.*.%s", regret_buffer_get(path), fields_key(f, m));
        TRY(regret_buffer_status(&each));
        mean = mean_of(scratch, range, f, list, regret_buffer_get(&each) + before);
        TRY(mean != NULL ? put_named(r, regret_buffer_get(&each), mean, range) : REGRET_OK);
    }
    return put_named(r, regret_buffer_get(path), fields_value(f, list).text, NULL);
}

static int put_object(struct json_row *r, struct regret_buffer *path, size_t object,
                      const char *without)
{
    for (size_t m = fields_first(r->f, object); m != FIELDS_NONE;
         m = fields_behind(r->f, m, object)) {
        const char *key = fields_key(r->f, m);
        TRY(without == NULL || strcmp(key, without) != 0 ? put_member(r, path, key, m) : REGRET_OK);
    }
    return REGRET_OK;
}

static int put_value(struct json_row *r, struct regret_buffer *path, size_t v)
{
    const struct fields_cell cell = fields_value(r->f, v);
    return cell.kind == FIELDS_OBJECT ? put_object(r, path, v, NULL)
           : cell.kind == FIELDS_LIST ? put_list(r, path, v)
           : cell.text != NULL        ? put_named(r, regret_buffer_get(path), cell.text, NULL)
                                      : REGRET_OK;
}

/* The record without the list whose elements are rows, and such an element. */
static int put_row(struct json_row *r, size_t element)
{
    struct init_table *t = r->t;
    for (int again = 0; again < 2; again++) {
        FREED_BY(regret_buffer_free) struct regret_buffer path = REGRET_BUFFER_INIT;
        r->before[0] = '\0';
        TRY(put_object(r, &path, fields_record(r->f), t->nest));
        if (element != FIELDS_NONE) {
            snprintf(r->before, sizeof r->before, "%.*s" FIELDS_NEST, INIT_REST, t->nest);
            TRY(put_object(r, &path, element, NULL));
        }
        if (t->insert[0] != NULL) {
            break;
        }
        TRY(init_prepare_insert(t)); /* columns have come, and the cells so far went nowhere */
    }
    return init_end_row(t, fields_number(r->f), &t->is_cut);
}

/* The list that the option for the agent says it is in. */
static int is_said(const struct init_table *t, const char *name)
{
    int found = 0;
    for (size_t i = 0; i < t->known->agent.n; i++) {
        const char *item = t->known->agent.item[i], *star = strstr(item, FIELDS_NEST);
        found |= star != NULL && (size_t)(star - item) == strlen(name) &&
                 strncmp(name, item, strlen(name)) == 0;
    }
    return found;
}

static int names_agent(struct json_row *r, size_t v)
{
    struct init_said said;
    init_name_role(&said, &r->t->words, fields_key(r->f, v));
    return (said.roles & INIT_AGENT) != 0 && fields_value(r->f, v).kind == FIELDS_TEXT;
}

/* A list of objects that name agents, where the record has no agent of its own. */
static int find_nest(struct json_row *r)
{
    struct fields *f = r->f;
    size_t record = fields_record(f), nest = FIELDS_NONE;
    int is_asked = r->t->known->agent.n > 0;
    for (size_t m = fields_first(f, record); m != FIELDS_NONE; m = fields_behind(f, m, record)) {
        if (is_asked) {
            nest = is_said(r->t, fields_key(f, m)) ? m : nest;
            continue;
        }
        if (names_agent(r, m)) {
            return REGRET_OK;
        }
        size_t first = fields_value(f, m).kind == FIELDS_LIST ? fields_first(f, m) : FIELDS_NONE;
        for (size_t e = first != FIELDS_NONE && fields_value(f, first).kind == FIELDS_OBJECT
                            ? fields_first(f, first)
                            : FIELDS_NONE;
             e != FIELDS_NONE; e = fields_behind(f, e, first)) {
            nest = names_agent(r, e) ? m : nest;
        }
    }
    return nest != FIELDS_NONE ? regret_strdup(&r->t->nest, fields_key(f, nest)) : REGRET_OK;
}

static int read_records(struct init_table *t, struct fields *f)
{
    struct json_row r = {t, f, ""};
    for (int more = 1;;) {
        TRY(fields_next(f, &more));
        if (!more || t->is_cut) {
            return REGRET_OK;
        }
        TRY(t->rows == 0 && t->nest == NULL ? find_nest(&r) : REGRET_OK);
        if (t->nest == NULL) {
            TRY(put_row(&r, FIELDS_NONE));
            continue;
        }
        size_t list = fields_member(f, fields_record(f), t->nest);
        for (size_t e = list != FIELDS_NONE ? fields_first(f, list) : FIELDS_NONE;
             e != FIELDS_NONE && !t->is_cut; e = fields_behind(f, e, list)) {
            TRY(fields_value(f, e).kind == FIELDS_OBJECT ? put_row(&r, e) : REGRET_OK);
        }
    }
}

int init_read_json(struct init_table *t)
{
    FREED_BY(fields_close_at) struct fields *f = NULL;
    t->is_json = 1;
    TRY(fields_open(&f, t->path, FIELDS_LINES, '\0', NULL));
    TRY(read_records(t, f));
    return t->rows != 1 || t->known->is_log
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s holds one object; a table is a list of objects, one a "
                             "row",
                             t->path);
}
