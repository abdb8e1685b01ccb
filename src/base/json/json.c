#include "regret/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "base/core/texts.h"
#include "base/core/try.h"
#include "base/json/json_parse.h"
#include "base/json/json_text.h"
#include "base/json/json_tokens.h"
#include "base/text/name.h"

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

const char *json_text(char scratch[JSON_SCRATCH], const cJSON *v)
{
    if (v == NULL) {
        return NULL;
    }
    if (cJSON_IsString(v)) {
        return v->valuestring;
    }
    if (cJSON_IsBool(v)) {
        return cJSON_IsTrue(v) ? "true" : "false";
    }
    if (!cJSON_IsNumber(v)) {
        return NULL;
    }
    if (v->valuestring != NULL) {
        return v->valuestring;
    }
    snprintf(scratch, JSON_SCRATCH, "%.15g", v->valuedouble);
    if (strtod(scratch, NULL) != v->valuedouble) {
        snprintf(scratch, JSON_SCRATCH, "%.17g", v->valuedouble);
    }
    return scratch;
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
        if (texts_have(known, n, v->string)) {
            continue;
        }
        const char *near = name_nearest(v->string, known, n);
        if (near != NULL) {
            return regret_json_error(at, "unknown key \"%s\"; did you mean \"%s\"?", v->string,
                                     near);
        }
        return unknown_key(v->string, known, n, at);
    }
    return REGRET_OK;
}
