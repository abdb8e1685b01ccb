#include "base/json_tokens.h"

#include <float.h>
#include <locale.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/json.h"
#include "regret/buffer.h"
#include "regret/status.h"

/* What every score and key goes through. */
#if defined(__GNUC__)
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE static inline
#endif

/* ---- Strings ---- */

/* The plain bytes at `p`: up to a quote, a backslash, a control character or the end, sixteen at a time where there are as many.
 * *is_beyond: is one beyond ASCII? */
ALWAYS_INLINE const char *skip_plain(const char *p, const char *end, int *is_beyond)
{
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\'),
                  control = _mm_set1_epi8(0x1f);
    for (unsigned special = 0; end - p >= 16; p += 16) {
        const __m128i v = _mm_loadu_si128((const __m128i *)p);
        special = (unsigned)_mm_movemask_epi8(
            _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, backslash)),
                         _mm_cmpeq_epi8(_mm_min_epu8(v, control), v)));
        /* before the first special byte, or in all */
        *is_beyond |= ((unsigned)_mm_movemask_epi8(v) & (special - 1) & ~special) != 0;
        if (special != 0) {
            return p + __builtin_ctz(special);
        }
    }
#endif
    for (; p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= 0x20; p++) {
        *is_beyond |= (unsigned char)*p >= 0x80;
    }
    return p;
}

/* The code unit of "\uXXXX" at p, or -1 where there is none. */
static int32_t code_unit(const char *p, const char *end)
{
    int32_t unit = 0;
    if (end - p < 6 || p[0] != '\\' || p[1] != 'u') {
        return -1;
    }
    for (int i = 2; i < 6; i++) {
        char c = p[i];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0) {
            return -1;
        }
        unit = 16 * unit + digit;
    }
    return unit;
}

enum { NOT_AN_ESCAPE = -1, REPLACEMENT = 0xFFFD };

/* What the escape at p, on its backslash, stands for, both halves of a surrogate pair together: a
 * character, 0 for none that a text may hold, NOT_AN_ESCAPE. *length is the bytes it takes. */
static int32_t read_escape(const char *p, const char *end, size_t *length)
{
    static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    *length = 2;
    if (end - p < 2) {
        *length = 1;
        return NOT_AN_ESCAPE;
    }
    const char *letter = p[1] != '\0' ? strchr(letters, p[1]) : NULL;
    if (letter != NULL) {
        return values[letter - letters];
    }
    int32_t unit = code_unit(p, end);
    if (unit < 0) {
        return NOT_AN_ESCAPE;
    }
    *length = 6;
    if (unit < 0xD800 || unit > 0xDFFF) {
        return unit;
    }
    int32_t low = unit <= 0xDBFF ? code_unit(p + 6, end) : -1;
    if (low < 0xDC00 || low > 0xDFFF) {
        return 0;
    }
    *length = 12;
    return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
}

static void note(struct json_token *s, enum json_fault fault, const char *where)
{
    if (fault > s->fault) {
        s->fault = fault;
        s->where = where;
    }
}

/* From the quote at s->begin to the one that closes it. *is_beyond: is a plain byte beyond ASCII? */
static void scan_string(struct json_token *s, const char *end, enum regret_json_mode mode,
                        int *is_beyond)
{
    const char *p = s->begin;
    size_t n = 1;
    for (;;) {
        p = skip_plain(p + n, end, is_beyond);
        if (p == end || *p == '"') {
            break;
        }
        n = 1;
        if (*p == '\\') {
            int32_t c = read_escape(p, end, &n);
            if (c < 0) {
                note(s, JSON_BAD_ESCAPE, p);
            } else if (c == 0 && mode == REGRET_JSON_STRICT) {
                note(s, JSON_NO_CHARACTER, p);
            }
        } else {
            note(s, JSON_NO_CHARACTER, p);
        }
    }
    if (p == end) {
        note(s, JSON_CUT, s->begin);
    }
    s->end = p < end ? p + 1 : end;
}

/* The same of a string that has a fault or escapes. */
static int take_odd_string(struct json_tokens *t, int *is_escaped, int *is_beyond)
{
    struct json_token s = {.kind = JSON_STRING, .begin = t->at};
    scan_string(&s, t->end, t->mode, is_beyond);
    *is_escaped = 1;
    t->at = s.end;
    return s.fault == JSON_NO_FAULT;
}

int json_take_string(struct json_tokens *t, struct regret_span *out, int *is_escaped)
{
    const char *begin = t->at;
    int is_beyond = 0;
    if (begin == t->end || *begin != '"') {
        return 0;
    }
    *is_escaped = 0;
    t->at = skip_plain(begin + 1, t->end, &is_beyond);
    if (t->at < t->end && *t->at == '"') {
        t->at++;
    } else {
        t->at = begin;
        if (!take_odd_string(t, is_escaped, &is_beyond)) {
            return 0;
        }
    }
    *out = (struct regret_span){begin + 1, (size_t)(t->at - begin) - 2};
    return !is_beyond || regret_utf8_valid(out->text, out->length, NULL);
}

/* Writes a character in UTF-8. */
static char *put_character(char *to, uint32_t c)
{
    if (c < 0x80) {
        *to++ = (char)c;
        return to;
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    *to++ = (char)((0xFF00U >> (more + 1) & 0xFF) | c >> 6 * more);
    while (more-- > 0) {
        *to++ = (char)(0x80 | (c >> 6 * more & 0x3F));
    }
    return to;
}

size_t json_unescape(char *out, struct regret_span string)
{
    const char *p = string.text, *end = p + string.length;
    char *to = out;
    while (p < end) {
        const char *backslash = memchr(p, '\\', (size_t)(end - p));
        size_t plain = (size_t)((backslash != NULL ? backslash : end) - p), n = 0;
        memmove(to, p, plain);
        to += plain;
        p += plain;
        if (p < end) {
            int32_t c = read_escape(p, end, &n);
            to = put_character(to, c > 0 ? (uint32_t)c : REPLACEMENT);
            p += n;
        }
    }
    return (size_t)(to - out);
}

/* ---- Numbers ---- */

enum { MOST_DIGITS = 19 }; /* that cannot overflow 64 bits */

/* A number's digits as one integer, times a power of ten. */
struct decimal {
    uint64_t digits; /* of all of them; wrong beyond MOST_DIGITS */
    int n_digits;    /* beyond that but for zeros in front */
    int exponent;
    int is_plain; /* the exponent is exact */
};

/* The digits at *p are appended to *digits; their number comes back. */
ALWAYS_INLINE int take_digits(const char **p, const char *end, uint64_t *digits)
{
    const char *start = *p;
    while (*p < end && **p >= '0' && **p <= '9') {
        *digits = *digits * 10 + (uint64_t)(**p - '0');
        ++*p;
    }
    return (int)(*p - start);
}

/* Zeros before the first other digit of the number at [p, end). */
static int leading_zeros(const char *p, const char *end)
{
    int n = 0;
    for (; p < end && (*p == '0' || *p == '.'); p++) {
        n += *p == '0';
    }
    return n;
}

/* 0: an exponent begins at *p, and is none. */
ALWAYS_INLINE int scan_exponent(struct decimal *d, const char **p, const char *end)
{
    if (*p == end || (**p != 'e' && **p != 'E')) {
        return 1;
    }
    ++*p;
    int negative = *p < end && **p == '-';
    *p += *p < end && (**p == '-' || **p == '+');
    uint64_t value = 0;
    int n = take_digits(p, end, &value);
    d->exponent += negative ? -(int)(value % 1000) : (int)(value % 1000);
    d->is_plain = n <= 3;
    return n >= 1;
}

/* Behind the number without its sign at p; NULL where there is none. */
ALWAYS_INLINE const char *scan_number(struct decimal *d, const char *p, const char *end)
{
    const char *first = p;
    *d = (struct decimal){.is_plain = 1};
    int whole = take_digits(&p, end, &d->digits), fraction = 0;
    if (whole == 0 || (whole > 1 && *first == '0')) {
        return NULL;
    }
    if (p < end && *p == '.') {
        const char *point = p++;
        take_digits(&p, end, &d->digits);
        fraction = (int)(p - point) - 1;
        if (fraction == 0) {
            return NULL;
        }
    }
    d->exponent = -fraction;
    d->n_digits = whole + fraction;
    d->n_digits -= d->n_digits > MOST_DIGITS ? leading_zeros(first, p) : 0;
    return scan_exponent(d, &p, end) ? p : NULL;
}

#if LDBL_MANT_DIG == 64
/* digits · 10^exponent, correctly rounded, or 0 when this way cannot tell. Powers of ten up to
 * 10^27 are exact in the 64-bit significand, so one operation gives the value rounded to 64 bits;
 * rounding that to 53 bits is right unless it lies exactly half-way between two doubles. */
static int scale(double *out, uint64_t digits, int exponent)
{
    static const long double powers[] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,
                                         1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
                                         1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L,
                                         1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
    if (exponent < -27 || exponent > 27 || digits > INT64_MAX) {
        return 0;
    }
    long double wide = (long double)(int64_t)digits;
    wide = exponent < 0 ? wide / powers[-exponent] : wide * powers[exponent];
    uint64_t significand;
    memcpy(&significand, &wide, sizeof significand);
    *out = (double)wide;
    return (significand & 0x7FF) != 0x400;
}
#else
static int scale(double *out, uint64_t digits, int exponent)
{
    (void)out, (void)digits, (void)exponent; /* strtod() can tell */
    return 0;
}
#endif

/* By strtod(), which wants a zero at the end and the point of the locale. */
static double round_slowly(const char *p, size_t n)
{
    char text[JSON_MAX_NUMBER + 1];
    memcpy(text, p, n);
    text[n] = '\0';
    char *point = strchr(text, '.');
    if (point != NULL) {
        *point = localeconv()->decimal_point[0];
    }
    return strtod(text, NULL);
}

/* Of the digits of the number at [begin, end). */
static double value_of(const struct decimal *d, const char *begin, const char *end)
{
    double value = 0.0;
    if (d->n_digits <= MOST_DIGITS && d->is_plain && scale(&value, d->digits, d->exponent)) {
        return *begin == '-' ? -value : value;
    }
    return round_slowly(begin, (size_t)(end - begin));
}

int json_take_number(struct json_tokens *t, double *out)
{
    const char *begin = t->at;
    struct decimal d;
    const char *p = scan_number(&d, begin + (begin < t->end && *begin == '-'), t->end);
    if (p == NULL || p - begin > JSON_MAX_NUMBER) {
        return 0;
    }
    *out = value_of(&d, begin, p);
    t->at = p;
    return 1;
}

/* ---- Any token ---- */

static void scan_word(struct json_token *s, const char *end)
{
    static const struct {
        const char *word;
        enum json_kind kind;
    } words[] = {{"true", JSON_WORD},   {"false", JSON_WORD},       {"null", JSON_WORD},
                 {"NaN", JSON_NOTHING}, {"Infinity", JSON_NOTHING}, {"-Infinity", JSON_NOTHING}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i].word);
        if ((size_t)(end - s->begin) >= n && memcmp(s->begin, words[i].word, n) == 0) {
            s->kind = words[i].kind;
            s->end = s->begin + n;
            return;
        }
    }
}

/* A number must end where it stops: what stands right behind it is a blank or a mark. */
static void scan_number_token(struct json_token *s, const char *end)
{
    struct decimal d;
    const char *p = scan_number(&d, s->begin + (*s->begin == '-'), end);
    s->kind = JSON_NUMBER;
    if (p == NULL ||
        (p < end && !json_is_blank(*p) && memchr(",]}:", *p, 5) == NULL)) { /* or a zero byte */
        note(s, JSON_BAD_NUMBER, s->begin);
        return;
    }
    s->end = p;
    s->number = p - s->begin <= JSON_MAX_NUMBER ? value_of(&d, s->begin, p) : 0.0;
}

struct json_token json_next(struct json_tokens *t)
{
    int is_beyond = 0;
    const char *p = json_skip_blank(t->at, t->end);
    struct json_token s = {JSON_END, JSON_NO_FAULT, p, p, NULL, 0.0};
    if (p < t->end) {
        s.kind = JSON_FORBIDDEN;
        s.end = p + 1;
        switch (*p) {
        case '"':
            s.kind = JSON_STRING;
            scan_string(&s, t->end, t->mode, &is_beyond);
            break;
        case '[':
        case ']':
        case '{':
        case '}':
        case ',':
        case ':':
            s.kind = JSON_MARK;
            break;
        default:
            if (*p < '0' || *p > '9') {
                scan_word(&s, t->end);
            }
            if (s.kind == JSON_FORBIDDEN && (*p == '-' || (*p >= '0' && *p <= '9'))) {
                scan_number_token(&s, t->end);
            }
        }
    }
    t->at = s.end;
    return s;
}

/* The quote that closes the string whose first byte is p; NULL where the text ends first. */
static const char *closing_quote(const char *p, const char *end)
{
    int is_beyond = 0;
    for (;;) {
        p = skip_plain(p, end, &is_beyond);
        if (p == end || *p == '"') {
            return p < end ? p : NULL;
        }
        p += *p == '\\' && end - p > 1 ? 2 : 1;
    }
}

const char *json_find_mark(const char **at, const char *end, const char *ends, size_t *depth)
{
    static const unsigned char STOPS[256] = {
        ['['] = 1, [']'] = 1, ['{'] = 1, ['}'] = 1, [','] = 1, [':'] = 1, ['"'] = 1};
    for (const char *p = *at; p < end; p++) {
        if (!STOPS[(unsigned char)*p]) {
            continue;
        }
        if (*p == '"') {
            *at = p;
            p = closing_quote(p + 1, end);
            if (p == NULL) {
                return NULL;
            }
        } else if (*depth == 0 && strchr(ends, *p) != NULL) {
            *at = p;
            return p;
        } else {
            *depth += *p == '[' || *p == '{';
            *depth -= (*p == ']' || *p == '}') && *depth > 0;
        }
    }
    *at = end;
    return NULL;
}

const char *json_skip_value(const char *p, const char *end)
{
    struct json_tokens t = {p, end, REGRET_JSON_IMPORT};
    struct json_token s = json_next(&t);
    size_t depth = 0;
    if (json_is_mark(&s, '[') || json_is_mark(&s, '{')) {
        const char *closing = json_find_mark(&t.at, end, "]}", &depth);
        return closing != NULL ? closing + 1 : NULL;
    }
    if (s.kind == JSON_END || s.fault == JSON_CUT) {
        return NULL;
    }
    if (s.begin == p && s.kind != JSON_STRING) { /* bare: to its last byte */
        while (t.at < end && !json_is_blank(*t.at) && memchr(",]}", *t.at, 4) == NULL) {
            t.at++;
        }
    }
    return t.at;
}

size_t json_column(const char *text, const char *at)
{
    size_t column = 1;
    const char *p = at;
    while (p > text && p[-1] != '\n') {
        p--;
    }
    for (p = p == text ? json_skip_mark(p, at) : p; p < at; p++) {
        column += ((unsigned char)*p & 0xC0) != 0x80;
    }
    return column;
}
