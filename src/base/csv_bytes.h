/* Byte searches of the CSV scanner: SSE2 where the compiler has it (every x86-64), plain C
 * elsewhere. All may look at up to CSV_PADDING bytes from `end` on, which must be readable; what
 * they hold does not matter. */
#ifndef REGRET_SRC_BASE_CSV_BYTES_H
#define REGRET_SRC_BASE_CSV_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { CSV_PADDING = 64 };

static inline const char *csv_find_quote_plain(const char *p, const char *end)
{
    const char *found = p < end ? memchr(p, '"', (size_t)(end - p)) : NULL;
    return found != NULL ? found : end;
}

static inline const char *csv_find_special_plain(const char *p, const char *end, char separator)
{
    while (p < end && *p != separator && *p != '"' && *p != '\n' && *p != '\r') {
        p++;
    }
    return p < end ? p : end;
}

static inline size_t csv_count_lines_plain(const char *p, const char *end)
{
    size_t n = 0;
    for (; p < end; p++) {
        n += *p == '\n';
    }
    return n;
}

#if defined(__SSE2__)

static inline __m128i csv_load(const char *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline const char *csv_find_quote_sse2(const char *p, const char *end)
{
    const __m128i quote = _mm_set1_epi8('"');
    for (; p < end; p += 64) {
        __m128i a = _mm_cmpeq_epi8(csv_load(p), quote);
        __m128i b = _mm_cmpeq_epi8(csv_load(p + 16), quote);
        __m128i c = _mm_cmpeq_epi8(csv_load(p + 32), quote);
        __m128i d = _mm_cmpeq_epi8(csv_load(p + 48), quote);
        __m128i any = _mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d));
        if (_mm_movemask_epi8(any) != 0) {
            uint64_t low = (uint64_t)(unsigned)_mm_movemask_epi8(a) |
                           (uint64_t)(unsigned)_mm_movemask_epi8(b) << 16;
            uint64_t high = (uint64_t)(unsigned)_mm_movemask_epi8(c) |
                            (uint64_t)(unsigned)_mm_movemask_epi8(d) << 16;
            p += __builtin_ctzll(low | high << 32);
            return p < end ? p : end;
        }
    }
    return end;
}

static inline const char *csv_find_special_sse2(const char *p, const char *end, char separator)
{
    const __m128i quote = _mm_set1_epi8('"'), comma = _mm_set1_epi8(separator);
    const __m128i lf = _mm_set1_epi8('\n'), cr = _mm_set1_epi8('\r');
    for (; p < end; p += 16) {
        __m128i x = csv_load(p);
        __m128i any = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(x, quote), _mm_cmpeq_epi8(x, comma)),
                                   _mm_or_si128(_mm_cmpeq_epi8(x, lf), _mm_cmpeq_epi8(x, cr)));
        int mask = _mm_movemask_epi8(any);
        if (mask != 0) {
            p += __builtin_ctz((unsigned)mask);
            return p < end ? p : end;
        }
    }
    return end;
}

/* Byte counters of sixteen columns overflow after 255 rounds; the sum of bytes empties them. */
static inline size_t csv_count_lines_sse2(const char *p, const char *end)
{
    const __m128i lf = _mm_set1_epi8('\n'), zero = _mm_setzero_si128();
    __m128i total = zero;
    while (end - p >= 32) {
        __m128i even = zero, odd = zero;
        for (int round = 0; round < 255 && end - p >= 32; round++, p += 32) {
            even = _mm_sub_epi8(even, _mm_cmpeq_epi8(csv_load(p), lf));
            odd = _mm_sub_epi8(odd, _mm_cmpeq_epi8(csv_load(p + 16), lf));
        }
        total =
            _mm_add_epi64(total, _mm_add_epi64(_mm_sad_epu8(even, zero), _mm_sad_epu8(odd, zero)));
    }
    uint64_t sums[2];
    memcpy(sums, &total, sizeof sums);
    return (size_t)(sums[0] + sums[1]) + csv_count_lines_plain(p, end);
}

#endif

/* The first quote in [p, end), or end. */
static inline const char *csv_find_quote(const char *p, const char *end)
{
#if defined(__SSE2__)
    return csv_find_quote_sse2(p, end);
#else
    return csv_find_quote_plain(p, end);
#endif
}

/* The first separator, quote, LF or CR in [p, end), or end. */
static inline const char *csv_find_special(const char *p, const char *end, char separator)
{
#if defined(__SSE2__)
    return csv_find_special_sse2(p, end, separator);
#else
    return csv_find_special_plain(p, end, separator);
#endif
}

/* The number of LF in [p, end). */
static inline size_t csv_count_lines(const char *p, const char *end)
{
#if defined(__SSE2__)
    return csv_count_lines_sse2(p, end);
#else
    return csv_count_lines_plain(p, end);
#endif
}

#endif
