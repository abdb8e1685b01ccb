#include "rate/tokeniser.h"

#include <float.h>
#include <stdint.h>
#include <string.h>

#include "regret/file.h"

#define ONES 0x0101010101010101U
#define HIGHS 0x8080808080808080U

/* Non-zero when one of the eight bytes is a quote, a backslash or a control character (Anderson,
 * "Bit twiddling hacks": a byte is zero, a byte is less than n). */
static uint64_t has_special(uint64_t v)
{
    uint64_t quote = v ^ (ONES * '"');
    uint64_t backslash = v ^ (ONES * '\\');
    return (((quote - ONES) & ~quote) | ((backslash - ONES) & ~backslash) |
            ((v - ONES * 0x20) & ~v)) &
           HIGHS;
}

/* The plain bytes at `p`: up to a quote, a backslash, a control character or the end. They are
 * or-ed into *seen: is one beyond ASCII? */
static const char *skip_plain(const char *p, const char *end, uint64_t *seen)
{
    while (end - p >= 8) {
        uint64_t v, special;
        memcpy(&v, p, 8);
        special = has_special(v);
        if (special == 0) {
            *seen |= v;
            p += 8;
            continue;
        }
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        /* The lowest mark is exact, borrows only run upward; the bytes below it were passed. */
        *seen |= v & ((special & (~special + 1)) - 1);
        return p + (__builtin_ctzll(special) >> 3);
#else
        break;
#endif
    }
    while (p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= 0x20) {
        *seen |= (unsigned char)*p++;
    }
    return p;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* The escape at `p` (on the backslash): its length, or 0 when it is malformed. */
static size_t escape_length(const char *p, const char *end)
{
    if (end - p >= 2 && p[1] != '\0' && strchr("\"\\/bfnrt", p[1]) != NULL) {
        return 2;
    }
    if (end - p < 6 || p[1] != 'u') {
        return 0;
    }
    for (int i = 2; i < 6; i++) {
        if (hex_digit(p[i]) < 0) {
            return 0;
        }
    }
    return 6;
}

int token_string(struct tokeniser *t, struct regret_span *out, int *escaped)
{
    if (t->at == t->end || *t->at != '"') {
        return 0;
    }
    const char *p = t->at + 1, *start = p;
    uint64_t seen = 0;
    *escaped = 0;
    for (;;) {
        p = skip_plain(p, t->end, &seen);
        if (p == t->end || (unsigned char)*p < 0x20) {
            return 0;
        }
        if (*p == '"') {
            break;
        }
        size_t n = escape_length(p, t->end);
        if (n == 0) {
            return 0;
        }
        *escaped = 1;
        p += n;
    }
    *out = (struct regret_span){start, (size_t)(p - start)};
    t->at = p + 1;
    return (seen & HIGHS) == 0 || regret_utf8_valid(start, out->length, NULL);
}

/* The digits at *p are appended to *mantissa; their number comes back. */
static int take_digits(const char **p, const char *end, uint64_t *mantissa)
{
    const char *start = *p;
    while (*p < end && **p >= '0' && **p <= '9') {
        *mantissa = *mantissa * 10 + (uint64_t)(**p - '0');
        ++*p;
    }
    return (int)(*p - start);
}

#if LDBL_MANT_DIG == 64
/* mantissa · 10^exponent, correctly rounded, or 0 when this way cannot tell. Powers of ten up to
 * 10^27 are exact in the 64-bit significand, so one operation gives the value rounded to 64 bits;
 * rounding that to 53 bits is right unless it lies exactly half-way between two doubles. */
static int scale(double *out, uint64_t mantissa, int exponent)
{
    static const long double powers[] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,
                                         1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
                                         1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L,
                                         1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
    if (exponent < -27 || exponent > 27 || mantissa > INT64_MAX) {
        return 0;
    }
    long double wide = (long double)(int64_t)mantissa;
    wide = exponent < 0 ? wide / powers[-exponent] : wide * powers[exponent];
    uint64_t significand;
    memcpy(&significand, &wide, sizeof significand);
    *out = (double)wide;
    return (significand & 0x7FF) != 0x400;
}
#else
/* Both the mantissa and the power are exact doubles: one rounding (Clinger 1990,
 * doi:10.1145/93548.93557). */
static int scale(double *out, uint64_t mantissa, int exponent)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (exponent < -22 || exponent > 22 || mantissa > (uint64_t)1 << 53) {
        return 0;
    }
    *out =
        exponent < 0 ? (double)mantissa / powers[-exponent] : (double)mantissa * powers[exponent];
    return 1;
}
#endif

static int take_exponent(const char **p, const char *end, int *exponent)
{
    if (*p == end || (**p != 'e' && **p != 'E')) {
        return 1;
    }
    ++*p;
    int negative = *p < end && **p == '-';
    *p += *p < end && (**p == '-' || **p == '+');
    uint64_t value = 0;
    int n = take_digits(p, end, &value);
    *exponent += negative ? -(int)(value % 1000) : (int)(value % 1000);
    return n >= 1 && n <= 3;
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

int token_number(struct tokeniser *t, double *out)
{
    const char *p = t->at;
    int negative = p < t->end && *p == '-';
    p += negative;
    const char *first = p;
    uint64_t mantissa = 0;
    int whole = take_digits(&p, t->end, &mantissa), fraction = 0, exponent = 0;
    if (whole == 0 || (whole > 1 && *first == '0')) {
        return 0;
    }
    if (p < t->end && *p == '.') {
        p++;
        fraction = take_digits(&p, t->end, &mantissa);
        if (fraction == 0) {
            return 0;
        }
    }
    /* Nineteen digits cannot overflow; zeros in front do not count. */
    exponent = -fraction;
    if (whole + fraction - leading_zeros(first, p) > 19 || !take_exponent(&p, t->end, &exponent) ||
        !scale(out, mantissa, exponent)) {
        return 0;
    }
    *out = negative ? -*out : *out;
    t->at = p;
    return 1;
}

const char *pass_space(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r')) {
        p++;
    }
    return p;
}

const char *pass_string(const char *p, const char *end)
{
    for (p++; p < end; p++) {
        if (*p == '"') {
            return p + 1;
        }
        p += *p == '\\' && p + 1 < end;
    }
    return NULL;
}

/* Behind the number or word at p. */
static const char *pass_word(const char *p, const char *end)
{
    while (p < end && strchr(",]} \n\t\r", *p) == NULL) {
        p++;
    }
    return p;
}

const char *pass_value(const char *p, const char *end, size_t *deepest)
{
    size_t depth = 0, most = 0;
    do {
        if (*p == '"') {
            p = pass_string(p, end);
            if (p == NULL) {
                return NULL;
            }
            continue;
        }
        if (*p == '{' || *p == '[') {
            depth++;
            most = depth > most ? depth : most;
        } else if (*p == '}' || *p == ']') {
            depth--;
        } else if (depth == 0) {
            p = pass_word(p, end);
            break;
        } else if (*p == 'N' || *p == 'I') { /* NaN, Infinity */
            most = depth + 1 > most ? depth + 1 : most;
        }
        p++;
    } while (depth > 0 && p < end);
    if (deepest != NULL) {
        *deepest = most;
    }
    return depth == 0 ? p : NULL;
}
