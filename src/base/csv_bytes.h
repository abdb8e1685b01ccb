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

/* 1 in each of the sixteen bytes from p that is an LF. */
static inline __m128i csv_lines_at(const char *p)
{
    return _mm_and_si128(_mm_cmpeq_epi8(csv_load(p), _mm_set1_epi8('\n')), _mm_set1_epi8(1));
}

/* Counts in sixteen byte columns, which are emptied before they overflow; what stands behind `end`
 * is masked out of the last block. */
static inline size_t csv_count_lines_sse2(const char *p, const char *end)
{
    static const unsigned char ONES[32] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    const __m128i zero = _mm_setzero_si128();
    __m128i total = zero;
    while (end - p >= 16) {
        __m128i columns = zero;
        const char *stop = end - p > 63 * 64 ? p + 63 * 64 : end;
        for (; stop - p >= 64; p += 64) {
            __m128i left = _mm_add_epi8(csv_lines_at(p), csv_lines_at(p + 16));
            __m128i right = _mm_add_epi8(csv_lines_at(p + 32), csv_lines_at(p + 48));
            columns = _mm_add_epi8(columns, _mm_add_epi8(left, right));
        }
        for (; stop - p >= 16; p += 16) { /* three at most */
            columns = _mm_add_epi8(columns, csv_lines_at(p));
        }
        total = _mm_add_epi64(total, _mm_sad_epu8(columns, zero));
    }
    __m128i mask = csv_load((const char *)ONES + 16 - (end - p));
    mask = _mm_sad_epu8(_mm_and_si128(csv_lines_at(p), mask), zero);
    total = _mm_add_epi64(total, mask);
    uint64_t sums[2];
    memcpy(sums, &total, sizeof sums);
    return (size_t)(sums[0] + sums[1]);
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
