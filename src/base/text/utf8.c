#include "regret/buffer.h"

#include <stdint.h>
#include <string.h>

/* Length of the well-formed sequence at p (of n bytes left), or 0. Unicode 15.0, table 3-7. */
static size_t sequence_length(const unsigned char *p, size_t n)
{
    unsigned char c = p[0];
    if (c < 0x80) {
        return 1;
    }
    size_t length = c >= 0xC2 && c <= 0xDF   ? 2
                    : (c & 0xF0) == 0xE0     ? 3
                    : c >= 0xF0 && c <= 0xF4 ? 4
                                             : 0;
    if (length == 0 || length > n) {
        return 0;
    }
    unsigned char low = 0x80, high = 0xBF; /* bounds of the second byte */
    if (c == 0xE0) {
        low = 0xA0;
    } else if (c == 0xED) {
        high = 0x9F;
    } else if (c == 0xF0) {
        low = 0x90;
    } else if (c == 0xF4) {
        high = 0x8F;
    }
    if (p[1] < low || p[1] > high) {
        return 0;
    }
    for (size_t i = 2; i < length; i++) {
        if ((p[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    return length;
}

/* Bytes of ASCII at the beginning of n, in words of eight: most text is nothing else. */
static size_t ascii_words(const unsigned char *p, size_t n)
{
    size_t i = 0;
    uint64_t word = 0;
    for (; i + sizeof word <= n; i += sizeof word) {
        memcpy(&word, p + i, sizeof word);
        if ((word & 0x8080808080808080U) != 0) {
            break;
        }
    }
    return i;
}

int regret_utf8_valid(const char *text, size_t length, size_t *bad)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t i = ascii_words(p, length);
    while (i < length) {
        size_t n = sequence_length(p + i, length - i);
        if (n == 0) {
            if (bad != NULL) {
                *bad = i;
            }
            return 0;
        }
        i += n;
        i += n > 1 ? ascii_words(p + i, length - i) : 0;
    }
    return 1;
}

void regret_utf8_append_repaired(struct regret_buffer *out, const char *text, size_t length)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t from = 0, i = 0;
    while (i < length) {
        size_t n = p[i] != 0 ? sequence_length(p + i, length - i) : 0;
        if (n == 0) {
            regret_buffer_append_n(out, text + from, i - from);
            regret_buffer_append(out, "\xef\xbf\xbd");
            from = i + 1;
        }
        i += n > 0 ? n : 1;
    }
    regret_buffer_append_n(out, text + from, length - from);
}
