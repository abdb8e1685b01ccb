/* JSON: what is accepted is finite, of bounded depth and valid UTF-8, without a key twice; printed
 * and parsed it is the same again. What is JSON strictly is the same value as an import; an array in
 * parts is the same as at once. Both ways take what the naive reader takes, as the same value. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "base/json.h"
#include "regret/buffer.h"
#include "support.h"

/* ---- The naive reader: a byte at a time by the grammar of RFC 8259 and the limits of json.h, without a look at src/base. It writes a value
 * in a form that tells all of it: strings as "s" LENGTH ":" BYTES, numbers to the last bit. ---- */

struct naive {
    const unsigned char *p, *end;
    int importing, depth;
    struct regret_buffer *out;
};

static int at(const struct naive *n, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(n->end - n->p) >= length && memcmp(n->p, word, length) == 0;
}

static int take(struct naive *n, const char *word)
{
    int is = at(n, word);
    n->p += is ? strlen(word) : 0;
    return is;
}

static void blanks(struct naive *n)
{
    while (take(n, " ") || take(n, "\t") || take(n, "\n") || take(n, "\r")) {
    }
}

static void put_utf8(struct regret_buffer *t, unsigned long c)
{
    if (c < 0x80) {
        regret_buffer_append_char(t, (char)c);
    } else if (c < 0x800) {
        regret_buffer_append_char(t, (char)(0xC0 + c / 64));
        regret_buffer_append_char(t, (char)(0x80 + c % 64));
    } else if (c < 0x10000) {
        regret_buffer_append_char(t, (char)(0xE0 + c / 4096));
        regret_buffer_append_char(t, (char)(0x80 + c / 64 % 64));
        regret_buffer_append_char(t, (char)(0x80 + c % 64));
    } else {
        regret_buffer_append_char(t, (char)(0xF0 + c / 262144));
        regret_buffer_append_char(t, (char)(0x80 + c / 4096 % 64));
        regret_buffer_append_char(t, (char)(0x80 + c / 64 % 64));
        regret_buffer_append_char(t, (char)(0x80 + c % 64));
    }
}

/* One character of UTF-8, or 0 where there is none: decoded and, written again, the same bytes. */
static int character(struct naive *n, struct regret_buffer *value)
{
    struct regret_buffer again = REGRET_BUFFER_INIT;
    unsigned char first = *n->p;
    size_t more = first < 0x80 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
    unsigned long c = more == 0   ? first
                      : more == 1 ? first % 32
                      : more == 2 ? first % 16
                                  : first % 8;
    if ((size_t)(n->end - n->p) <= more) {
        return 0;
    }
    for (size_t i = 1; i <= more; i++) {
        c = c * 64 + n->p[i] % 64;
    }
    put_utf8(&again, c);
    int good = again.length == more + 1 && memcmp(again.data, n->p, more + 1) == 0 &&
               (c < 0xD800 || c > 0xDFFF) && c <= 0x10FFFF;
    regret_buffer_free(&again);
    put_utf8(value, c);
    n->p += more + 1;
    return good;
}

/* Four hexadecimal digits, -1 where there are none. */
static long unit(struct naive *n)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    long sum = 0;
    for (int i = 0; i < 4; i++, n->p++) {
        const char *found = n->p < n->end && *n->p != 0 ? strchr(digits, *n->p) : NULL;
        if (found == NULL) {
            return -1;
        }
        sum = sum * 16 + (found - digits) % 16;
    }
    return sum;
}

static int escape(struct naive *n, struct regret_buffer *value)
{
    static const char *const pairs[] = {"\"\"", "\\\\", "//", "b\b", "f\f", "n\n", "r\r", "t\t"};
    for (size_t i = 0; i < 8; i++) {
        if (n->p < n->end && *n->p == (unsigned char)pairs[i][0]) {
            regret_buffer_append_char(value, pairs[i][1]);
            n->p++;
            return 1;
        }
    }
    if (!take(n, "u")) {
        return 0;
    }
    long c = unit(n);
    if (c >= 0xD800 && c <= 0xDBFF && at(n, "\\u")) {
        struct naive ahead = *n;
        ahead.p += 2;
        long low = unit(&ahead);
        if (low >= 0xDC00 && low <= 0xDFFF) {
            c = 0x10000 + (c - 0xD800) * 1024 + low - 0xDC00;
            n->p = ahead.p;
        }
    }
    int is_none = c == 0 || (c >= 0xD800 && c <= 0xDFFF);
    if (c < 0 || (is_none && !n->importing)) {
        return 0;
    }
    put_utf8(value, is_none ? 0xFFFD : (unsigned long)c);
    return 1;
}

static int string(struct naive *n, struct regret_buffer *value)
{
    if (!take(n, "\"")) {
        return 0;
    }
    while (n->p < n->end && *n->p != '"') {
        if (*n->p < 0x20 || !(take(n, "\\") ? escape(n, value) : character(n, value))) {
            return 0;
        }
    }
    return take(n, "\"");
}

static void print_string(struct regret_buffer *out, const char *text, size_t length)
{
    regret_buffer_printf(out, "s%zu:", length);
    regret_buffer_append_n(out, text, length);
}

static int digits(struct naive *n)
{
    const unsigned char *begin = n->p;
    while (n->p < n->end && *n->p >= '0' && *n->p <= '9') {
        n->p++;
    }
    return n->p > begin;
}

static int number(struct naive *n)
{
    char copy[64];
    const unsigned char *begin = n->p;
    take(n, "-");
    if (!take(n, "0") && !digits(n)) {
        return 0;
    }
    if (take(n, ".") && !digits(n)) {
        return 0;
    }
    if (take(n, "e") || take(n, "E")) {
        (void)(take(n, "+") || take(n, "-"));
        if (!digits(n)) {
            return 0;
        }
    }
    size_t length = (size_t)(n->p - begin);
    if (length > 63) {
        return 0;
    }
    memcpy(copy, begin, length);
    copy[length] = '\0';
    double x = strtod(copy, NULL);
    regret_buffer_printf(n->out, "#%a", x);
    return isfinite(x);
}

static int value(struct naive *n);

/* A key that none of those before has: they are kept in hexadecimal digits, in angles. */
static int key(struct naive *n, struct regret_buffer *keys)
{
    struct regret_buffer name = REGRET_BUFFER_INIT, mark = REGRET_BUFFER_INIT;
    int good = string(n, &name);
    print_string(n->out, regret_buffer_get(&name), name.length);
    regret_buffer_append(&mark, "<");
    for (size_t i = 0; i < name.length; i++) {
        regret_buffer_printf(&mark, "%02x", (unsigned char)name.data[i]);
    }
    regret_buffer_append(&mark, ">");
    good = good && strstr(regret_buffer_get(keys), regret_buffer_get(&mark)) == NULL;
    regret_buffer_append(keys, regret_buffer_get(&mark));
    regret_buffer_free(&name);
    regret_buffer_free(&mark);
    return good;
}

static int members(struct naive *n, const char *close, struct regret_buffer *keys)
{
    blanks(n);
    if (take(n, close)) {
        return 1;
    }
    do {
        blanks(n);
        if (*close == '}') {
            if (!key(n, keys)) {
                return 0;
            }
            blanks(n);
            if (!take(n, ":")) {
                return 0;
            }
        }
        blanks(n);
        if (!value(n)) {
            return 0;
        }
        blanks(n);
    } while (take(n, ","));
    return take(n, close);
}

static int value(struct naive *n)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    int good = 0;
    if (at(n, "\"")) {
        good = string(n, &text);
        print_string(n->out, regret_buffer_get(&text), text.length);
    } else if (at(n, "[") || at(n, "{")) {
        const char *close = *n->p == '[' ? "]" : "}";
        regret_buffer_append_char(n->out, (char)*n->p++);
        n->depth++;
        good = n->depth <= 64 && members(n, close, &text);
        n->depth--;
        regret_buffer_append(n->out, close);
    } else if (take(n, "null") ||
               (n->importing && (take(n, "NaN") || take(n, "Infinity") || take(n, "-Infinity")))) {
        good = 1;
        regret_buffer_append(n->out, "null");
    } else if (take(n, "true")) {
        good = 1;
        regret_buffer_append(n->out, "true");
    } else if (take(n, "false")) {
        good = 1;
        regret_buffer_append(n->out, "false");
    } else {
        good = number(n);
    }
    regret_buffer_free(&text);
    return good;
}

static int naive_json_read(struct regret_buffer *out, const char *text, size_t length,
                           int importing)
{
    struct naive n = {(const unsigned char *)text, (const unsigned char *)text + length, importing,
                      0, out};
    regret_buffer_clear(out);
    take(&n, "\xef\xbb\xbf");
    blanks(&n);
    if (!value(&n)) {
        return 0;
    }
    blanks(&n);
    return n.p == n.end;
}

static void naive_json_print(struct regret_buffer *out, const cJSON *v)
{
    if (cJSON_IsNumber(v)) {
        regret_buffer_printf(out, "#%a", v->valuedouble);
    } else if (cJSON_IsString(v)) {
        print_string(out, v->valuestring, strlen(v->valuestring));
    } else if (cJSON_IsArray(v) || cJSON_IsObject(v)) {
        regret_buffer_append(out, cJSON_IsArray(v) ? "[" : "{");
        for (const cJSON *e = v->child; e != NULL; e = e->next) {
            if (e->string != NULL) {
                print_string(out, e->string, strlen(e->string));
            }
            naive_json_print(out, e);
        }
        regret_buffer_append(out, cJSON_IsArray(v) ? "]" : "}");
    } else {
        regret_buffer_append(out, cJSON_IsNull(v) ? "null" : cJSON_IsTrue(v) ? "true" : "false");
    }
}

/* ---- What must hold. ---- */

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
    REQUIRE(is_strict == (strict != NULL) && is_import == (import != NULL));
    REQUIRE(!is_strict || (is_import && same(strict, import)));
    check_naive(strict, text, size, 0);
    check_naive(import, text, size, 1);
    if (is_import) {
        check_value(import);
    }
    fuzz_accepted = is_strict;
    cJSON_Delete(strict);
    cJSON_Delete(import);
    return 0;
}
