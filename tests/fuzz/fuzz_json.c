/* JSON: what is accepted is finite, of bounded depth and valid UTF-8, without a key twice; printed
 * and parsed it is the same again. What is JSON strictly is the same value as an import; an array in
 * parts is the same as at once. Both ways take what the naive reader takes, as the same value. */
#include <math.h>
#include <string.h>

#include <cJSON.h>

#include "base/json.h"
#include "base/json_array.h"
#include "base/naive_json.h"
#include "regret/buffer.h"
#include "support.h"

static const struct regret_place HERE = {"input", 1};

static void check_string(const char *text)
{
    REQUIRE(text != NULL && regret_utf8_valid(text, strlen(text), NULL));
}

static void print(struct regret_buffer *out, const cJSON *value)
{
    char close = cJSON_IsArray(value) ? ']' : '}';
    if (cJSON_IsNumber(value)) {
        regret_buffer_json_number(out, value->valuedouble);
    } else if (cJSON_IsString(value)) {
        regret_buffer_json_string(out, value->valuestring);
    } else if (cJSON_IsArray(value) || cJSON_IsObject(value)) {
        regret_buffer_append_char(out, close == ']' ? '[' : '{');
        for (const cJSON *v = value->child; v != NULL; v = v->next) {
            if (close == '}') {
                regret_buffer_json_string(out, v->string);
                regret_buffer_append_char(out, ':');
            }
            print(out, v);
            regret_buffer_append(out, v->next != NULL ? "," : "");
        }
        regret_buffer_append_char(out, close);
    } else {
        REQUIRE(cJSON_IsBool(value) || cJSON_IsNull(value));
        regret_buffer_append(out, cJSON_IsNull(value)   ? "null"
                                  : cJSON_IsTrue(value) ? "true"
                                                        : "false");
    }
}

static void check_tree(const cJSON *value, int depth)
{
    REQUIRE(depth <= REGRET_JSON_MAX_DEPTH);
    if (cJSON_IsNumber(value)) {
        REQUIRE(isfinite(value->valuedouble));
    } else if (cJSON_IsString(value)) {
        check_string(value->valuestring);
    }
    for (const cJSON *v = value->child; v != NULL; v = v->next) {
        if (cJSON_IsObject(value)) {
            check_string(v->string);
            REQUIRE(cJSON_GetObjectItemCaseSensitive(value, v->string) == v); /* the only one */
        }
        check_tree(v, depth + 1);
    }
}

/* Exactly: cJSON_Compare() forgives last digits. */
static int same(const cJSON *a, const cJSON *b)
{
    if ((a->type & 0xff) != (b->type & 0xff) || !fuzz_same_text(a->string, b->string) ||
        (cJSON_IsString(a) && !fuzz_same_text(a->valuestring, b->valuestring)) ||
        (cJSON_IsNumber(a) && !fuzz_same_number(a->valuedouble, b->valuedouble))) {
        return 0;
    }
    const cJSON *v = a->child, *w = b->child;
    while (v != NULL && w != NULL && same(v, w)) {
        v = v->next;
        w = w->next;
    }
    return v == NULL && w == NULL;
}

static void check_value(const cJSON *value)
{
    struct regret_buffer text = REGRET_BUFFER_INIT, again = REGRET_BUFFER_INIT;
    cJSON *back = NULL;
    check_tree(value, 0);
    print(&text, value);
    REQUIRE(regret_buffer_status(&text) == 0);
    REQUIRE(regret_json_parse(&back, regret_buffer_get(&text), text.length, HERE) == 0);
    REQUIRE(same(value, back));
    print(&again, back);
    REQUIRE(strcmp(regret_buffer_get(&text), regret_buffer_get(&again)) == 0);
    cJSON_Delete(back);
    regret_buffer_free(&text);
    regret_buffer_free(&again);
}

/* The elements of an array one by one; 0 where the text is refused. */
static int same_in_parts(const cJSON *whole, const char *path)
{
    struct regret_jsonl *reader = NULL;
    const cJSON *v = whole->child;
    cJSON *element = NULL;
    struct regret_place at;
    if (!fuzz_taken(regret_jsonl_open(&reader, path))) {
        return 0;
    }
    struct json_array array = {.reader = reader, .path = path};
    int taken = fuzz_taken(json_array_next(&array, &element, &at)), alike = 1;
    while (taken && element != NULL) {
        alike = alike && v != NULL && same(v, element);
        v = v != NULL ? v->next : NULL;
        cJSON_Delete(element);
        element = NULL;
        taken = fuzz_taken(json_array_next(&array, &element, &at));
    }
    regret_jsonl_close(reader);
    REQUIRE(!taken || !cJSON_IsArray(whole) || (alike && v == NULL));
    return taken;
}

/* Read an element at a time, an array is what it is as a whole, and accepted where that is; but for a
 * level more, which an element may have. */
static void check_parts(const cJSON *whole, const char *text, size_t size)
{
    static const cJSON nothing = {.type = cJSON_NULL};
    size_t i = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (i < size && memchr(" \t\r\n", text[i], 4) != NULL) {
        i++;
    }
    if (i == size || text[i] != '[') {
        return;
    }
    int too_deep = whole == NULL && strstr(regret_error_message(), "nested more than") != NULL;
    int taken = same_in_parts(whole != NULL ? whole : &nothing, fuzz_put("in.json", text, size));
    REQUIRE(too_deep || taken == (whole != NULL));
}

/* The first and the last field of an object, picked from its text, are what they are in the whole; names that are escaped are
 * found by nobody. */
static void check_picked(const cJSON *whole, const char *text, size_t size)
{
    cJSON *picked = NULL;
    if (!cJSON_IsObject(whole) || whole->child == NULL) {
        return;
    }
    const cJSON *ends[] = {whole->child, whole->child->prev};
    const char *const fields[] = {ends[0]->string, ends[1]->string};
    size_t n = ends[0] == ends[1] ? 1 : 2;
    REQUIRE(json_pick(&picked, text, size, HERE, 1, fields, n) == 0);
    REQUIRE(cJSON_IsObject(picked));
    for (size_t i = 0; i < n; i++) {
        const cJSON *v = json_member(picked, fields[i]);
        REQUIRE(v != NULL ? same(v, ends[i]) : memchr(text, '\\', size) != NULL);
    }
    cJSON_Delete(picked);
}

/* `value` is NULL where the text was refused. */
static void check_naive(const cJSON *value, const char *text, size_t size, int importing)
{
    struct regret_buffer naive = REGRET_BUFFER_INIT, ours = REGRET_BUFFER_INIT;
    int taken = naive_json_read(&naive, text, size, importing);
    REQUIRE(taken == (value != NULL));
    if (taken) {
        naive_json_print(&ours, value);
        REQUIRE(strcmp(regret_buffer_get(&ours), regret_buffer_get(&naive)) == 0);
    }
    regret_buffer_free(&naive);
    regret_buffer_free(&ours);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cJSON *strict = NULL, *import = NULL;
    const char *text = size > 0 ? (const char *)data : "";
    int is_strict = fuzz_taken(regret_json_parse(&strict, text, size, HERE));
    int is_import =
        fuzz_taken(regret_json_parse_mode(&import, text, size, HERE, REGRET_JSON_IMPORT));
    if (fuzz_turn(data, size, 16)) {
        check_parts(import, text, size);
    }
    REQUIRE(is_strict == (strict != NULL) && is_import == (import != NULL));
    REQUIRE(!is_strict || (is_import && same(strict, import)));
    check_naive(strict, text, size, 0);
    check_naive(import, text, size, 1);
    if (is_import) {
        check_value(import);
        check_picked(import, text, size);
    }
    fuzz_accepted = is_strict;
    cJSON_Delete(strict);
    cJSON_Delete(import);
    return 0;
}
