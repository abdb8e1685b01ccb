/* What queries have beyond SQLite's own functions: numbers, texts, names of files, scores. */
#include <cJSON.h>
#include <ctype.h>
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/json_tokens.h"
#include "base/names.h"
#include "base/status.h"
#include "base/text.h"
#include "table/internal.h"
#include "table/sql.h"
#include "table/words.h"

/* ---- Texts in and out ---- */

struct regret_span sql_span(sqlite3_value *v)
{
    const char *text = (const char *)sqlite3_value_text(v);
    return (struct regret_span){text != NULL ? text : "",
                                text != NULL ? (size_t)sqlite3_value_bytes(v) : 0};
}

void sql_give(sqlite3_context *c, struct regret_buffer *text)
{
    if (regret_buffer_status(text) != REGRET_OK) {
        sqlite3_result_error_nomem(c);
    } else if (text->data == NULL) {
        sqlite3_result_text(c, "", 0, SQLITE_STATIC);
    } else {
        sqlite3_result_text(c, text->data, -1,
                            regret_free); /* ended by a zero: not copied for that */
        *text = (struct regret_buffer)REGRET_BUFFER_INIT;
        return;
    }
    regret_buffer_free(text);
}

void sql_give_piece(sqlite3_context *c, const char *text, size_t length)
{
    sqlite3_result_text64(c, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

int sql_is_null(sqlite3_value *v)
{
    return sqlite3_value_type(v) == SQLITE_NULL;
}

void sql_fail(sqlite3_context *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *message = sqlite3_vmprintf(format, args);
    va_end(args);
    sqlite3_result_error(c, message != NULL ? message : "out of memory", -1);
    sqlite3_free(message);
}

size_t sql_word(sqlite3_context *c, sqlite3_value *v, const char *function,
                const char *const *words, size_t n)
{
    FREED_BY(regret_buffer_free) struct regret_buffer list = REGRET_BUFFER_INIT;
    const char *word = sql_span(v).text;
    size_t i = texts_find(words, n, word);
    for (size_t k = 0; k < n && i == n; k++) {
        regret_buffer_printf(&list, "%s'%s'", k > 0 ? ", " : "", words[k]);
    }
    if (i == n) {
        sql_fail(c, "%s(): no word '%.40s'; there are %s", function, word,
                 regret_buffer_get(&list));
    }
    return i;
}

/* ---- Numbers ---- */

/* What number() gives of a text; 0: it is none. */
static int number_of_text(double *out, const char *text)
{
    static const char *const INFINITIES[] = {"inf",  "infinity",  "9e999",
                                             "-inf", "-infinity", "-9e999"};
    enum { N = sizeof INFINITIES / sizeof *INFINITIES };
    if (table_source_parse(out, text)) {
        return 1;
    }
    for (size_t i = 0; i < N; i++) {
        if (sqlite3_stricmp(text, INFINITIES[i]) == 0) {
            *out = i < N / 2 ? INFINITY : -INFINITY;
            return 1;
        }
    }
    return 0;
}

static void number(sqlite3_context *c, int n, sqlite3_value **v)
{
    double x = 0.0;
    int type = sqlite3_value_type(v[0]);
    (void)n;
    if (type == SQLITE_INTEGER || type == SQLITE_FLOAT) {
        sqlite3_result_value(c, v[0]);
    } else if (type == SQLITE_TEXT && number_of_text(&x, sql_span(v[0]).text)) {
        sqlite3_result_double(c, x);
    }
}

/* grade(type, value), of a row of json_each(). */
static void grade(sqlite3_context *c, int n, sqlite3_value **v)
{
    static const char LETTERS[] = "CIPN";
    static const double VALUES[] = {1.0, 0.0, 0.5, 0.0};
    const struct regret_span type = sql_span(v[0]), text = sql_span(v[1]);
    const char *letter = text.length == 1 ? strchr(LETTERS, *text.text) : NULL;
    (void)n;
    if (span_is(type, "array") || span_is(type, "object")) {
        return;
    }
    if (sqlite3_value_type(v[1]) == SQLITE_TEXT && letter != NULL && *letter != '\0') {
        sqlite3_result_double(c, VALUES[letter - LETTERS]);
    } else {
        number(c, 1, v + 1);
    }
}

static void truth(sqlite3_context *c, int n, sqlite3_value **v)
{
    double x = NAN;
    const char *text = sql_span(v[0]).text;
    (void)n;
    if (!sql_is_null(v[0]) &&
        (table_source_parse_verdict(&x, text) || table_source_parse(&x, text)) &&
        (x == 0.0 || x == 1.0)) {
        sqlite3_result_int(c, (int)x);
    }
}

/* ---- Regular expressions ---- */

enum {
    LONGEST_PATTERN = 1000,
    MOST_REPEATS = 1000,       /* of one part of a pattern, which the library copies so often */
    LONGEST_MATCHED = 1 << 20, /* bytes of a text: matching takes some dozen bytes for each */
    MOST_GROUPS = 10
};

/* Patterns that take time or memory without bounds. */
static const char *refused(struct regret_span pattern)
{
    double repeats = 1.0;
    for (size_t i = 0; i + 1 < pattern.length; i++) {
        char next = pattern.text[i + 1];
        if (pattern.text[i] == '\\' && next >= '1' && next <= '9') {
            return "it refers back to a group";
        }
        if (pattern.text[i] == '{' && isdigit((unsigned char)next)) {
            const char *comma = pattern.text + i + 1 + strspn(pattern.text + i + 1, "0123456789");
            repeats *=
                fmax(1.0, fmax(atof(pattern.text + i + 1), *comma == ',' ? atof(comma + 1) : 0.0));
        }
        i += pattern.text[i] == '\\';
    }
    return pattern.length > LONGEST_PATTERN ? "it is too long"
           : repeats > MOST_REPEATS         ? "it repeats too often"
                                            : NULL;
}

static void free_regex(void *regex)
{
    regfree(regex);
    free(regex);
}

/* The expression of argument 1, which is compiled once where it is the same for all rows; NULL after an error. The caller frees
 * it where *is_own. */
static regex_t *compile(sqlite3_context *c, sqlite3_value *v)
{
    char why[100];
    regex_t *regex = sqlite3_get_auxdata(c, 1);
    if (regex != NULL) {
        return regex;
    }
    const struct regret_span pattern = sql_span(v);
    const char *what = refused(pattern);
    regex = what == NULL ? malloc(sizeof *regex) : NULL;
    int rc = regex != NULL ? regcomp(regex, pattern.text, REG_EXTENDED) : REG_ESPACE;
    if (what == NULL && rc != 0) {
        regerror(rc, regex, why, sizeof why);
        what = why;
        free(regex);
    }
    if (what != NULL) {
        sql_fail(c, "regular expression '%.100s': %s", pattern.text, what);
        return NULL;
    }
    sqlite3_set_auxdata(c, 1, regex, free_regex);
    return sqlite3_get_auxdata(c, 1); /* NULL where there was no memory for it */
}

/* The text that is matched; 0 after an error, or of NULL. */
static int begin_match(struct regret_span *text, regex_t **regex, sqlite3_context *c,
                       sqlite3_value **v)
{
    if (sql_is_null(v[0]) || sql_is_null(v[1])) {
        return 0;
    }
    *text = sql_span(v[0]);
    if (text->length > LONGEST_MATCHED) {
        sql_fail(
            c,
            "a regular expression is for texts of at most %d bytes; take a part of it by substr()",
            LONGEST_MATCHED);
        return 0;
    }
    *regex = compile(c, v[1]);
    return *regex != NULL;
}

/* The next match at or behind byte `from`. */
static int match(regmatch_t *m, size_t n, const regex_t *regex, struct regret_span text,
                 size_t from)
{
    m[0].rm_so = (regoff_t)from;
    m[0].rm_eo = (regoff_t)text.length;
    return regexec(regex, text.text, n, m, REG_STARTEND | (from > 0 ? REG_NOTBOL : 0)) == 0;
}

/* capture(text, ere[, group]): the group, the first one unless said, the whole where there is none. */
static void capture(sqlite3_context *c, int n, sqlite3_value **v)
{
    regmatch_t m[MOST_GROUPS];
    regex_t *regex = NULL;
    struct regret_span text;
    if (!begin_match(&text, &regex, c, v)) {
        return;
    }
    int group = n > 2 ? sqlite3_value_int(v[2]) : regex->re_nsub > 0;
    if (group < 0 || group >= MOST_GROUPS || (size_t)group > regex->re_nsub) {
        sql_fail(c, "capture(): the expression has no group %d", group);
    } else if (match(m, (size_t)group + 1, regex, text, 0) && m[group].rm_so >= 0) {
        sql_give_piece(c, text.text + m[group].rm_so, (size_t)(m[group].rm_eo - m[group].rm_so));
    }
}

/* without(text, ere[, new]): `new`, or nothing, in the place of each match. */
static void without(sqlite3_context *c, int n, sqlite3_value **v)
{
    struct regret_buffer out = REGRET_BUFFER_INIT;
    struct regret_span text, new = n > 2 ? sql_span(v[2]) : (struct regret_span){"", 0};
    regmatch_t m[1];
    regex_t *regex = NULL;
    size_t from = 0;
    if (!begin_match(&text, &regex, c, v)) {
        return;
    }
    while (from < text.length && match(m, 1, regex, text, from)) {
        size_t begin = (size_t)m[0].rm_so, end = (size_t)m[0].rm_eo;
        regret_buffer_append_n(&out, text.text + from, begin - from);
        if (end > begin) {
            regret_buffer_append_n(&out, new.text, new.length);
        } else if (begin < text.length) {
            regret_buffer_append_char(&out, text.text[end++]);
        }
        from = end > from ? end : text.length;
    }
    regret_buffer_append_n(&out, text.text + from, text.length - from);
    sql_give(c, &out);
}

/* ---- Names ---- */

static void folder(sqlite3_context *c, int n, sqlite3_value **v)
{
    const char *path = sql_span(v[0]).text, *last = path_last(path);
    (void)n;
    if (!sql_is_null(v[0])) {
        sql_give_piece(c, path, last > path ? (size_t)(last - path) - 1 : 0);
    }
}

/* stem(path[, end]): the last part, without that end, or without what follows the last point. */
static void stem(sqlite3_context *c, int n, sqlite3_value **v)
{
    const char *last = path_last(sql_span(v[0]).text),
               *end = n > 1 ? sql_span(v[1]).text : strrchr(last, '.');
    size_t length = strlen(last), cut = end != NULL ? strlen(end) : 0;
    if (!sql_is_null(v[0])) {
        int ends = cut < length && strcmp(last + length - cut, end != NULL ? end : "") == 0;
        sql_give_piece(c, last, ends ? length - cut : length);
    }
}

static void hash(sqlite3_context *c, int n, sqlite3_value **v)
{
    char digits[17];
    const struct regret_span text = sql_span(v[0]);
    (void)n;
    if (!sql_is_null(v[0])) {
        snprintf(digits, sizeof digits, "%016llx",
                 (unsigned long long)regret_hash64(text.text, text.length));
        sql_give_piece(c, digits, 16);
    }
}

/* ---- A judge's words ---- */

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

static void append_number(struct regret_buffer *out, const char *name, double value)
{
    regret_buffer_append(out, out->length > 0 ? "," : "{");
    regret_buffer_json_string(out, name);
    regret_buffer_append_char(out, ':');
    regret_buffer_json_number(out, value);
}

/* verdict(text): the numbers and truths of the object that it is, or its number as "score"; NULL: none. */
static void verdict(sqlite3_context *c, int n, sqlite3_value **v)
{
    FREED_BY(regret_buffer_free) struct regret_buffer out = REGRET_BUFFER_INIT;
    const struct regret_place at = {"verdict()", 0};
    const struct regret_span text = sql_span(v[0]);
    cJSON *json = NULL;
    (void)n;
    const char *begin = json_skip_blank(text.text, text.text + text.length);
    if (*begin == '{') {
        regret_json_parse_mode(&json, text.text, text.length, at, REGRET_JSON_IMPORT);
    }
    for (const cJSON *e = json != NULL ? json->child : NULL; e != NULL; e = e->next) {
        if ((cJSON_IsNumber(e) || cJSON_IsBool(e)) && strcmp(e->string, "custom_id") != 0) {
            append_number(&out, e->string, cJSON_IsBool(e) ? cJSON_IsTrue(e) : e->valuedouble);
        }
    }
    double value = json == NULL ? find_number(text.text) : NAN;
    if (!isnan(value)) {
        append_number(&out, "score", value);
    }
    cJSON_Delete(json);
    if (out.length > 0) {
        regret_buffer_append_char(&out, '}');
        sql_give(c, &out);
    }
}

/* ---- Texts made of others ---- */

/* Those that are not empty, with an empty line between them; NULL: all are. */
static void concat_text(sqlite3_context *c, int n, sqlite3_value **v)
{
    struct regret_buffer out = REGRET_BUFFER_INIT;
    for (int i = 0; i < n; i++) {
        const struct regret_span text = sql_span(v[i]);
        regret_buffer_append(&out, out.length > 0 && text.length > 0 ? "\n\n" : "");
        regret_buffer_append_n(&out, text.text, text.length);
    }
    if (out.length > 0 || regret_buffer_status(&out) != REGRET_OK) {
        sql_give(c, &out);
    }
}

/* field(text, n): word n of a line, from 1, which blanks and tabs part. */
static void field(sqlite3_context *c, int n, sqlite3_value **v)
{
    const char *p = sql_span(v[0]).text;
    (void)n;
    p += strspn(p, " \t");
    for (sqlite3_int64 i = sqlite3_value_int64(v[1]); i > 1 && *p != '\0'; i--) {
        p += strcspn(p, " \t");
        p += strspn(p, " \t");
    }
    if (*p != '\0' && sqlite3_value_int64(v[1]) > 0) {
        sql_give_piece(c, p, strcspn(p, " \t"));
    }
}

/* What follows the first word of a line. */
static void rest(sqlite3_context *c, int n, sqlite3_value **v)
{
    const char *p = sql_span(v[0]).text;
    (void)n;
    p += strspn(p, " \t");
    p += strcspn(p, " \t");
    p += strspn(p, " \t");
    if (!sql_is_null(v[0])) {
        sql_give_piece(c, p, strlen(p));
    }
}

/* ---- Scores ---- */

/* Those of an answer, each as a member of JSON. */
struct scores {
    struct score {
        double place;
        size_t begin, length;
    } * score; /* owned */
    size_t n, capacity;
    struct regret_buffer text;
    int is_full; /* no memory */
};

static void append_value(struct regret_buffer *out, sqlite3_value *v)
{
    const struct regret_span text = sql_span(v);
    struct json_tokens t = {text.text, text.text + text.length, REGRET_JSON_IMPORT};
    double x = sqlite3_value_double(v);
    int type = sqlite3_value_type(v);
    if (type == SQLITE_INTEGER ||
        (type == SQLITE_TEXT &&
         (span_is(text, "null") || (json_take_number(&t, &x) && t.at == t.end)))) {
        regret_buffer_append_n(out, text.text, text.length);
    } else if (type == SQLITE_FLOAT) {
        if (isinf(x)) {
            regret_buffer_append(out, x < 0 ? "-9e999" : "9e999");
        } else if ((x == 0.0 && !signbit(x)) || x == 1.0) { /* most scores are */
            regret_buffer_append_char(out, x == 0.0 ? '0' : '1');
        } else {
            regret_buffer_printf(out, "%.17g", x);
        }
    } else {
        struct regret_buffer sound = REGRET_BUFFER_INIT;
        regret_utf8_append_repaired(&sound, text.text, text.length);
        regret_buffer_json_string(out, regret_buffer_get(&sound));
        regret_buffer_free_into(out, &sound);
    }
}

static void scores_step(sqlite3_context *c, int n, sqlite3_value **v)
{
    struct scores *s = sqlite3_aggregate_context(c, sizeof *s);
    FREED_BY(regret_buffer_free) struct regret_buffer name = REGRET_BUFFER_INIT;
    (void)n;
    if (s == NULL || sql_is_null(v[0]) || sql_is_null(v[1])) {
        return;
    }
    size_t begin = s->text.length;
    const struct regret_span said = sql_span(v[0]);
    regret_utf8_append_repaired(&name, said.text, said.length);
    regret_buffer_json_string(&s->text, regret_buffer_get(&name));
    regret_buffer_append_char(&s->text, ':');
    append_value(&s->text, v[1]);
    s->is_full |= regret_buffer_status(&name) != REGRET_OK ||
                  regret_grow((void **)&s->score, &s->capacity, s->n, sizeof *s->score, "scores") !=
                      REGRET_OK;
    if (!s->is_full) {
        s->score[s->n++] =
            (struct score){sqlite3_value_double(v[2]), begin, s->text.length - begin};
    }
}

static int compare_places(const void *a, const void *b)
{
    const struct score *x = a, *y = b;
    return x->place != y->place ? (x->place > y->place) - (x->place < y->place)
                                : (x->begin > y->begin) - (x->begin < y->begin);
}

static void scores_end(sqlite3_context *c)
{
    struct regret_buffer out = REGRET_BUFFER_INIT;
    struct scores *s = sqlite3_aggregate_context(c, 0);
    if (s == NULL) {
        return;
    }
    if (s->is_full) {
        regret_buffer_fail(&out, REGRET_E_NOMEM);
    } else if (s->n > 0) {
        qsort(s->score, s->n, sizeof *s->score, compare_places);
    }
    for (size_t i = 0; i < s->n; i++) {
        regret_buffer_append_char(&out, i > 0 ? ',' : '{');
        regret_buffer_append_n(&out, regret_buffer_get(&s->text) + s->score[i].begin,
                               s->score[i].length);
    }
    regret_free(s->score);
    regret_buffer_free_into(&out, &s->text);
    if (out.length > 0 || regret_buffer_status(&out) != REGRET_OK) {
        regret_buffer_append_char(&out, '}');
        sql_give(c, &out);
    }
}

/* ---- The list ---- */

static const struct sql_function FUNCTIONS[] = {
    {"number", 1, 1, number},   {"grade", 2, 2, grade},     {"truth", 1, 1, truth},
    {"capture", 2, 3, capture}, {"without", 2, 3, without}, {"folder", 1, 1, folder},
    {"stem", 1, 2, stem},       {"hash", 1, 1, hash},       {"verdict", 1, 1, verdict},
    {"field", 2, 2, field},     {"rest", 1, 1, rest},       {"concat_text", -1, -1, concat_text},
    {NULL, 0, 0, NULL}};

enum { FLAGS = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS };

static int add_all(sqlite3 *db, const struct sql_function *f)
{
    int rc = SQLITE_OK;
    for (; f->name != NULL; f++) {
        for (int n = f->least; n <= f->most && rc == SQLITE_OK; n++) {
            rc = sqlite3_create_function_v2(db, f->name, n, FLAGS, NULL, f->call, NULL, NULL, NULL);
        }
    }
    return rc;
}

int sql_add_functions(sqlite3 *db)
{
    int rc = add_all(db, FUNCTIONS);
    rc = rc == SQLITE_OK ? add_all(db, SQL_RECORD_FUNCTIONS) : rc;
    rc = rc == SQLITE_OK ? add_all(db, SQL_TEMPLATE_FUNCTIONS) : rc;
    rc = rc == SQLITE_OK ? sqlite3_create_function_v2(db, "scores", 3, FLAGS, NULL, NULL,
                                                      scores_step, scores_end, NULL)
                         : rc;
    return rc == SQLITE_OK ? REGRET_OK
                           : regret_fail(REGRET_E_NOMEM, "SQLite: %s", sqlite3_errstr(rc));
}
