#include "regret/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "base/json/json_parse.h"
#include "base/json/json_tokens.h"

static int fail(struct regret_place at, const char *column, const char *format, va_list args)
    REGRET_PRINTF(3, 0);

static int fail(struct regret_place at, const char *column, const char *format, va_list args)
{
    char detail[768];
    vsnprintf(detail, sizeof detail, format, args);
    return at.line == 0
               ? regret_fail(REGRET_E_INPUT, "%s: %s", at.file, detail)
               : regret_fail(REGRET_E_INPUT, "%s:%zu%s: %s", at.file, at.line, column, detail);
}

int regret_json_error(struct regret_place at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int rc = fail(at, "", format, args);
    va_end(args);
    return rc;
}

int json_error_at(struct regret_place at, size_t column, const char *text, const char *where,
                  const char *format, ...)
{
    char number[32];
    size_t before = column - 1; /* columns before the line that `where` is on */
    va_list args;
    at.line = at.line == 0 ? 1 : at.line;
    for (const char *p = text; p < where; p++) {
        at.line += *p == '\n';
        before = *p == '\n' ? 0 : before;
    }
    snprintf(number, sizeof number, ":%zu", before + json_column(text, where));
    va_start(args, format);
    int rc = fail(at, number, format, args);
    va_end(args);
    return rc;
}

static const char *type_name(const cJSON *v)
{
    return v == NULL           ? "absent"
           : cJSON_IsNull(v)   ? "null"
           : cJSON_IsBool(v)   ? "a boolean"
           : cJSON_IsNumber(v) ? "a number"
           : cJSON_IsString(v) ? "a string"
           : cJSON_IsArray(v)  ? "an array"
                               : "an object";
}

static int get(const cJSON **out, const cJSON *object, const char *field,
               cJSON_bool (*is)(const cJSON *), const char *wanted, struct regret_place at)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(object, field);
    if (!is(v)) {
        return regret_json_error(at, "\"%s\" must be %s, but is %s%s", field, wanted, type_name(v),
                                 is == cJSON_IsString && cJSON_IsNumber(v) ? "; put it in quotes"
                                                                           : "");
    }
    *out = v;
    return REGRET_OK;
}

static int is_given(const cJSON *object, const char *field)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(object, field);
    return v != NULL && !cJSON_IsNull(v);
}

int regret_json_get_object(const cJSON **out, const cJSON *object, const char *field,
                           struct regret_place at)
{
    return get(out, object, field, cJSON_IsObject, "an object", at);
}

int regret_json_get_array(const cJSON **out, const cJSON *object, const char *field,
                          struct regret_place at)
{
    return get(out, object, field, cJSON_IsArray, "an array", at);
}

int regret_json_get_string(const char **out, const cJSON *object, const char *field,
                           struct regret_place at)
{
    const cJSON *v = NULL;
    TRY(get(&v, object, field, cJSON_IsString, "a string", at));
    *out = cJSON_GetStringValue(v);
    return REGRET_OK;
}

int regret_json_get_number(double *out, const cJSON *object, const char *field,
                           struct regret_place at)
{
    const cJSON *v = NULL;
    TRY(get(&v, object, field, cJSON_IsNumber, "a number", at));
    *out = cJSON_GetNumberValue(v);
    return REGRET_OK;
}

int regret_json_get_integer(long long *out, const cJSON *object, const char *field, long long low,
                            long long high, struct regret_place at)
{
    double value = 0.0;
    TRY(regret_json_get_number(&value, object, field, at));
    if (value != floor(value) || value < (double)low || value > (double)high) {
        return regret_json_error(at,
                                 "\"%s\" must be a whole number from %lld to %lld, but is %.17g",
                                 field, low, high, value);
    }
    *out = (long long)value;
    return REGRET_OK;
}

int regret_json_optional_string(const char **out, const cJSON *object, const char *field,
                                struct regret_place at)
{
    return is_given(object, field) ? regret_json_get_string(out, object, field, at) : REGRET_OK;
}

int regret_json_optional_number(double *out, const cJSON *object, const char *field,
                                struct regret_place at)
{
    return is_given(object, field) ? regret_json_get_number(out, object, field, at) : REGRET_OK;
}

int regret_json_optional_integer(long long *out, const cJSON *object, const char *field,
                                 long long low, long long high, struct regret_place at)
{
    return is_given(object, field) ? regret_json_get_integer(out, object, field, low, high, at)
                                   : REGRET_OK;
}

enum { MAX_WORD = 64 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Letters to change, add, leave out or swap with the next to make `b` of `a` (optimal string alignment),
 * of words of at most MAX_WORD bytes. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t rows[3][MAX_WORD + 1]; /* of the last three letters of `a`: row i is rows[i % 3] */
    size_t n = strlen(a), m = strlen(b);
    for (size_t j = 0; j <= m; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= n; i++) {
        size_t *row = rows[i % 3];
        const size_t *last = rows[(i - 1) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            row[j] = least(last[j - 1] + (a[i - 1] != b[j - 1]), least(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = least(row[j], before[j - 2] + 1);
            }
        }
    }
    return rows[n % 3][m];
}

const char *regret_nearest_word(const char *word, const char *const *known, size_t n)
{
    if (strlen(word) > MAX_WORD) {
        return NULL;
    }
    const char *best = NULL;
    size_t best_distance = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        if (strlen(known[i]) > MAX_WORD) {
            continue;
        }
        size_t distance = edit_distance(word, known[i]);
        if (distance < best_distance) {
            best_distance = distance;
            best = known[i];
        }
    }
    return best != NULL && best_distance * 3 <= strlen(word) + 2 ? best : NULL;
}

/* A key that is like none: most often one key too many, so the known ones are named. */
static int unknown_key(const char *key, const char *const *known, size_t n, struct regret_place at)
{
    char list[400] = "";
    size_t used = 0, i = 0;
    for (; i < n && used + strlen(known[i]) + 8 < sizeof list; i++) {
        used +=
            (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", known[i]);
    }
    return regret_json_error(at, "unknown key \"%.200s\"; remove it; the keys are %s%s", key, list,
                             i < n ? ", …" : "");
}

int regret_json_check_keys(const cJSON *object, const char *const *known, size_t n,
                           struct regret_place at)
{
    for (const cJSON *v = object->child; v != NULL; v = v->next) {
        size_t i = 0;
        while (i < n && strcmp(known[i], v->string) != 0) {
            i++;
        }
        if (i < n) {
            continue;
        }
        const char *near = regret_nearest_word(v->string, known, n);
        if (near != NULL) {
            return regret_json_error(at, "unknown key \"%s\"; did you mean \"%s\"?", v->string,
                                     near);
        }
        return unknown_key(v->string, known, n, at);
    }
    return REGRET_OK;
}
