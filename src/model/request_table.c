/* Tables of new requests: which column is the text, the id, the tag, and which are the model's own. */
#include "model/internal.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/csv.h"
#include "base/input.h"
#include "base/names.h"
#include "base/status.h"
#include "import/init.h"
#include "model/model.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "table/fields.h"
#include "table/words.h"

FREED_POINTER(struct request_table, request_table_close)

#define NO_FIELD SIZE_MAX

struct request_table {
    const struct regret_requests_options *options; /* borrowed, as is the next */
    const struct regret_model *model;
    const char *path;      /* borrowed */
    struct fields *fields; /* owned */
    char separator;        /* of CSV */
    int is_first;          /* 1: the row at hand, in which columns were found, is not taken yet */
    int is_over;
    size_t n_fields;
    size_t field[REQUEST_ROLES];         /* of each role; NO_FIELD */
    size_t own[REGRET_POOL_MAX_COLUMNS]; /* of each of the model's own columns */
    size_t number;                       /* of requests read */
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
    if (t != NULL) {
        fields_close(t->fields);
    }
    regret_free(t);
}

/* ---- names ---- */

/* How surely a name is of a role, by the words of `init`: 0 not at all. */
static int fits(const struct init_words *words, const char *name, enum request_role role)
{
    static const unsigned SAYS[REQUEST_ROLES] = {
        [REQUEST_TEXT] = INIT_TEXT, [REQUEST_TAG] = INIT_TAG};
    static const char *const EXACT[REQUEST_ROLES] = {
        [REQUEST_TEXT] = "text", [REQUEST_ID] = "id", [REQUEST_TAG] = "tag"};
    struct init_said said;
    init_name_role(&said, words, name);
    int speaks = role == REQUEST_ID ? said.is_id : !said.is_id && (said.roles & SAYS[role]) != 0;
    int is_exact = strcasecmp(name, EXACT[role]) == 0 ||
                   (role == REQUEST_TEXT && strcasecmp(name, "prompt") == 0);
    return is_exact ? 2 : speaks;
}

/* What is left of a pool's name behind that of a column or an object; " ": it begins otherwise. */
static const char *rest_of(const char *name, const char *of_pool)
{
    while (*name != '\0' &&
           (*name == *of_pool || (*of_pool == '_' && !isalnum((unsigned char)*name)))) {
        name++;
        of_pool++;
    }
    return *name == '\0' ? of_pool : " ";
}

static int fail_with_names(const struct names *names, struct regret_place at, const char *what,
                           const char *remedy)
{
    FREED_BY(regret_buffer_free) struct regret_buffer list = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < names->n && i < 12; i++) {
        regret_buffer_append(&list, i > 0 ? ", " : "");
        regret_buffer_append_safe(&list, names->name[i], 40);
    }
    regret_buffer_append(&list, names->n > 12 ? ", …" : "");
    return regret_buffer_status(&list) != REGRET_OK
               ? regret_buffer_status(&list)
               : regret_json_error(at, "%s (there are: %s); %s", what, regret_buffer_get(&list),
                                   remedy);
}

/* The one that fits best; of several that fit alike the first, but of texts none. */
static int guess(const char **name, const struct names *names, enum request_role role,
                 struct regret_place at)
{
    FREED_BY(init_words_free) struct init_words words = {0};
    int best = 0;
    size_t alike = 0;
    TRY(init_words_read(&words, 1));
    for (size_t i = 0; i < names->n; i++) {
        int fit = fits(&words, names->name[i], role);
        alike = fit > best ? 1 : alike + (fit == best && fit > 0);
        *name = fit > best ? names->name[i] : *name;
        best = fit > best ? fit : best;
    }
    int is_json = names->n > 0 && names->name[0][0] == '{';
    if (role == REQUEST_TEXT && (best == 0 || is_json)) {
        return fail_with_names(
            names, at, "no column is called like the text of a request",
            is_json ? "lines of JSON want --new-format jsonl"
                    : "call it \"text\" or \"prompt\" in the first line, or name it with "
                      "--new-text COLUMN");
    }
    return role == REQUEST_TEXT && best < 2 && alike > 1
               ? fail_with_names(names, at, "more than one column may be the text of a request",
                                 "say which with --new-text COLUMN")
               : REGRET_OK;
}

/* ---- the columns ---- */

static int take_name(void *context, const char *name)
{
    uint32_t i = 0;
    return names_enter(&i, context, name);
}

/* The field of a name, picked where it is not yet. */
static int pick(size_t *out, struct request_table *t, const char *name)
{
    for (size_t i = 0; i < t->n_fields; i++) {
        if (strcmp(fields_name(t->fields, i), name) == 0) {
            *out = i;
            return REGRET_OK;
        }
    }
    *out = t->n_fields++;
    return fields_pick(t->fields, &name, 1);
}

/* Finds in the row at hand, in the object that `path` leads to, the one name that is that of a pool: names of pools have "_" for what they
 * cannot hold. */
static int find_own(struct regret_buffer *found, struct request_table *t, const char *path,
                    const char *of_pool)
{
    FREED_BY(names_free) struct names names = {0};
    TRY(fields_each_name(t->fields, path, take_name, &names));
    for (size_t k = 0; k < names.n; k++) {
        FREED_BY(regret_buffer_free) struct regret_buffer name = REGRET_BUFFER_INIT;
        const char *rest = rest_of(names.name[k], of_pool);
        if (*rest != '\0' && *rest != '.') {
            continue;
        }
        regret_buffer_printf(&name, "%s%s%s", path, *path != '\0' ? "." : "", names.name[k]);
        TRY(regret_buffer_status(&name));
        if (*rest == '.') {
            TRY(fields_is_json(t->fields) ? find_own(found, t, regret_buffer_get(&name), rest + 1)
                                          : REGRET_OK);
            continue;
        }
        if (found->length > 0) {
            return regret_json_error(
                fields_place(t->fields),
                "column \"%.40s\" is given twice, as \"%.40s\", too; rename one, or "
                "take it out",
                regret_buffer_get(found), regret_buffer_get(&name));
        }
        regret_buffer_append(found, regret_buffer_get(&name));
    }
    return regret_buffer_status(found);
}

/* Where a column of the model's own stands in the row at hand; NO_FIELD: nowhere. */
static int find_column(size_t *out, struct request_table *t, size_t j)
{
    FREED_BY(regret_buffer_free) struct regret_buffer found = REGRET_BUFFER_INIT;
    const char *name = t->model->map.own[j].name;
    TRY(find_own(&found, t, "", name));
    *out = NO_FIELD;
    return found.length > 0 ? pick(out, t, regret_buffer_get(&found)) : REGRET_OK;
}

/* The columns of each role among the names of the header, or of the first record. */
static int find_roles(struct request_table *t)
{
    const struct regret_requests_options *o = t->options;
    const char *const wanted[REQUEST_ROLES] = {o->text, o->id, o->tag};
    FREED_BY(names_free) struct names names = {0};
    struct regret_place at = fields_place(t->fields);
    TRY(fields_each_name(t->fields, "", take_name, &names));
    for (int r = 0; r < REQUEST_ROLES; r++) {
        const char *name = wanted[r];
        struct fields_cell cell = {FIELDS_ABSENT, NULL, 0};
        t->field[r] = NO_FIELD;
        if (name == NULL) {
            TRY(guess(&name, &names, (enum request_role)r, at));
        } else if (names_find(&names, name) ==
                   SIZE_MAX) { /* of JSON it may stand in an object: "a.b" */
            TRY(fields_is_json(t->fields) ? pick(&t->field[r], t, name) : REGRET_OK);
            TRY(fields_is_json(t->fields) ? fields_cell(&cell, t->fields, t->field[r]) : REGRET_OK);
            if (cell.kind == FIELDS_ABSENT) {
                char what[256];
                snprintf(what, sizeof what, "there is no column \"%.200s\"", name);
                return fail_with_names(&names, at, what, "name one that is there");
            }
        }
        TRY(name != NULL ? pick(&t->field[r], t, name) : REGRET_OK);
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

/* A pipe can be read but once: its separator nobody has said or seen. */
static int find_separator(struct request_table *t, int *is_supposed)
{
    struct stat info;
    *is_supposed = 0;
    t->separator = t->options->separator;
    if (t->separator == '\0' && csv_separator_of(t->options->path) == '\t') {
        t->separator = '\t';
    }
    if (t->separator != '\0') {
        return REGRET_OK;
    }
    t->separator = ',';
    *is_supposed = stat(t->path, &info) != 0 || !S_ISREG(info.st_mode);
    return *is_supposed ? REGRET_OK : csv_find_separator(&t->separator, t->path);
}

/* A header that nothing parted, though something in it may be meant to. */
static int check_parted(struct request_table *t)
{
    size_t n = 0;
    const char *header = fields_header(t->fields, &n)[0];
    return n > 1 || header[0] == '{' || strpbrk(header, ";\t|") == NULL
               ? REGRET_OK
               : regret_json_error(
                     fields_place(t->fields),
                     "the first line is one column, \"%.40s\"; of standard input or a "
                     "pipe separate columns by commas, or by tabs with --new-format "
                     "tsv; of a file what separates them is found",
                     header);
}

int request_table_open(struct request_table **out, const struct regret_requests_options *options,
                       const struct regret_model *model)
{
    FREED_BY(request_table_close_at) struct request_table *t = NULL;
    int is_supposed = 0;
    TRY(REGRET_NEW(&t, 1));
    t->options = options;
    t->model = model;
    t->path = input_path(options->path);
    if (is_json(options)) {
        TRY(fields_open(&t->fields, t->path, FIELDS_SET, '\0', NULL));
        TRY(fields_next(t->fields, &t->is_first));
        TRY(t->is_first ? REGRET_OK
                        : regret_json_error((struct regret_place){t->path, 0},
                                            "there is no request in it; a line is an object like "
                                            "{\"text\": …}"));
    } else {
        TRY(find_separator(t, &is_supposed));
        TRY(fields_open(&t->fields, t->path, FIELDS_CSV, t->separator, NULL));
        TRY(is_supposed ? check_parted(t) : REGRET_OK);
    }
    TRY(find_roles(t));
    for (size_t j = 0; j < model->map.n_own; j++) {
        TRY(find_column(&t->own[j], t, j));
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
    b->n_columns = t->model->map.n_own;
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
    if (t->model->map.own[j].word != NULL) {
        value->word = put(b, text, strlen(text));
    } else if (text[strspn(text, " \t\r\n")] == '\0' || table_source_is_missing(text)) {
        value->number = NAN;
    } else if (!table_source_parse(&value->number, text) &&
               !(table_source_parse_comma(&value->number, text) &&
                 (t->separator == ';' || table_source_comma_is_clear(text)))) {
        return regret_json_error(at,
                                 "column \"%s\" is \"%.40s\"; it must be a number with a decimal "
                                 "point, or blank where it is not known",
                                 t->model->map.own[j].name, text);
    }
    return REGRET_OK;
}

/* A role's field that may be absent or null, but for the text. */
static int take_role(struct request_block *b, struct request_place *place, struct request_table *t,
                     int role)
{
    size_t *const part[REQUEST_ROLES] = {
        [REQUEST_TEXT] = &place->text, [REQUEST_ID] = &place->id, [REQUEST_TAG] = &place->tag};
    struct fields_cell cell;
    if (t->field[role] == NO_FIELD) {
        return REGRET_OK;
    }
    TRY(fields_cell(&cell, t->fields, t->field[role]));
    int is_fit = cell.kind == FIELDS_TEXT ||
                 (role != REQUEST_TEXT && (cell.kind == FIELDS_NUMBER || cell.text == NULL));
    if (cell.length > 0 && is_fit) {
        *part[role] = put(b, cell.text, cell.length);
    }
    return is_fit ? REGRET_OK
                  : regret_json_error(fields_place(t->fields), "field \"%s\" must be a string%s",
                                      fields_name(t->fields, t->field[role]),
                                      cell.kind == FIELDS_ABSENT ? ", but is absent" : "");
}

/* What is absent is not told, what is null is blank; another record may call the column by another name. */
static int take_columns(struct request_block *b, struct request_table *t)
{
    struct regret_place at;
    for (size_t j = 0; j < b->n_columns; j++) {
        struct fields_cell cell = {FIELDS_ABSENT, NULL, 0};
        TRY(t->own[j] != NO_FIELD ? fields_cell(&cell, t->fields, t->own[j]) : REGRET_OK);
        if (cell.kind == FIELDS_ABSENT && fields_is_json(t->fields)) {
            TRY(find_column(&t->own[j], t, j));
            TRY(t->own[j] != NO_FIELD ? fields_cell(&cell, t->fields, t->own[j]) : REGRET_OK);
        }
        if (cell.kind == FIELDS_ABSENT) {
            continue;
        }
        at = fields_place(t->fields);
        TRY(cell.kind < FIELDS_LIST
                ? take_own(b, t, j, cell.text != NULL ? cell.text : "", at)
                : regret_json_error(at, "field \"%s\" must be a number or a word",
                                    t->model->map.own[j].name));
    }
    return REGRET_OK;
}

int request_table_read(struct request_block *b, struct request_table *t, size_t most, size_t bytes)
{
    b->n = 0;
    regret_buffer_clear(&b->bytes);
    while (!t->is_over && b->n < most && b->bytes.length < bytes) {
        struct request_place *place = NULL;
        int more = t->is_first;
        TRY(t->is_first ? REGRET_OK : fields_next(t->fields, &more));
        t->is_first = 0;
        t->is_over = !more;
        if (!more) {
            break;
        }
        TRY(begin_request(&place, b, t));
        for (int r = 0; r < REQUEST_ROLES; r++) {
            TRY(take_role(b, place, t, r));
        }
        TRY(take_columns(b, t));
    }
    return regret_buffer_status(&b->bytes);
}
