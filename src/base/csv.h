/* CSV: the scanner, its cells, tables of numbers, and cells that a spreadsheet would run. */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/json.h"
#include "regret/buffer.h"

/* Byte searches of the CSV scanner: SSE2 where the compiler has it (every x86-64), plain C
 * elsewhere. All may look at up to CSV_PADDING bytes from `end` on, which must be readable; what
 * they hold does not matter. */

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { CSV_PADDING = 64 };

/* What a search inside quotes has met. */
struct csv_quoted {
    size_t lines; /* LF passed */
    int doubled;  /* 1: quotes may stand inside; 0: none do */
};

/* The quote that closes the field whose contents go on at p: the last of the first run of quotes of
 * odd length, for two quotes stand for one. NULL when no such run ends before `end`; then all of
 * [p, end) is counted, and the search can go on at the run of quotes, if any, that reaches `end`.
 */
static inline const char *csv_find_close_plain(const char *p, const char *end,
                                               struct csv_quoted *met)
{
    while (p < end) {
        const char *quote = memchr(p, '"', (size_t)(end - p));
        const char *stop = quote != NULL ? quote : end;
        for (; p < stop; p++) {
            met->lines += *p == '\n';
        }
        while (p < end && *p == '"') {
            p++;
        }
        if (quote != NULL && p < end && (p - quote) % 2 == 1) {
            met->doubled |= p - quote > 1;
            return p - 1;
        }
        met->doubled |= quote != NULL;
    }
    return NULL;
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

/* One bit for each of the 64 bytes from p that equals the byte in all of x. */
static inline uint64_t csv_bits(const char *p, __m128i x)
{
    uint64_t bits = 0;
    for (ptrdiff_t i = 3; i >= 0; i--) {
        bits = bits << 16 |
               (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(csv_load(p + 16 * i), x));
    }
    return bits;
}

/* One bit behind the end of each run of ones of odd length. *odd says whether a run of odd length
 * reached the end of the previous word, and then whether one reaches the end of this (Langdale and
 * Lemire, "Parsing gigabytes of JSON per second", 2019, doi:10.1007/s00778-019-00578-5, section
 * 3.1.1, there for backslashes). */
static inline uint64_t csv_odd_ends(uint64_t bits, uint64_t *odd)
{
    const uint64_t even = 0x5555555555555555U;
    uint64_t starts = bits & ~(bits << 1), even_starts = starts & (even ^ *odd);
    uint64_t from_even = bits + even_starts, odd_starts = starts & ~even_starts;
    uint64_t from_odd = bits + odd_starts;
    uint64_t overflow = from_odd < bits;
    from_odd |= *odd;
    *odd = overflow;
    return ~bits & ((from_even & ~even) | (from_odd & even));
}

static inline size_t csv_count_lines_sse2(const char *p, const char *end);

static inline const char *csv_find_close_sse2(const char *p, const char *end,
                                              struct csv_quoted *met)
{
    const __m128i quote = _mm_set1_epi8('"');
    const char *start = p;
    uint64_t odd = 0, seen = 0;
    for (; p < end; p += 64) {
        uint64_t bits = csv_bits(p, quote);
        if (end - p < 64) {
            bits &= ((uint64_t)1 << (end - p)) - 1;
        }
        uint64_t ends = csv_odd_ends(bits, &odd);
        if (ends != 0 && p + __builtin_ctzll(ends) < end) {
            const char *close = p + __builtin_ctzll(ends) - 1;
            seen |= close < p ? 0 : bits & (((uint64_t)1 << (close - p)) - 1);
            met->doubled |= seen != 0;
            met->lines += csv_count_lines_sse2(start, close);
            return close;
        }
        seen |= bits;
    }
    met->doubled |= seen != 0;
    met->lines += csv_count_lines_sse2(start, end);
    return NULL;
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
    enum { MOST = 63 * 64 };
    static const unsigned char ONES[32] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    const __m128i zero = _mm_setzero_si128();
    __m128i total = zero;
    while (end - p >= 16) {
        __m128i columns = zero;
        const char *stop = end - p > MOST ? p + MOST : end;
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

static inline const char *csv_find_close(const char *p, const char *end, struct csv_quoted *met)
{
#if defined(__SSE2__)
    return csv_find_close_sse2(p, end, met);
#else
    return csv_find_close_plain(p, end, met);
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

/* CSV as RFC 4180 has it, streamed: records of any number of fields, read in bounded memory.
 *
 *   - fields are separated by one byte, records end with LF or CRLF, the last one may lack its end;
 *   - a field that begins with a quote runs to the next single quote and may hold separators, line
 *     ends and quotes, the latter doubled;
 *   - a UTF-8 byte order mark at the beginning and empty lines between records are skipped;
 *   - white space is part of the field, unless `trim` says otherwise.
 * What RFC 4180 does not allow is an error that names the line: a quote inside an unquoted field,
 * anything but a separator or line end after a closing quote, a carriage return alone outside
 * quotes, a quote that is never closed. Bytes are not otherwise looked at: encodings and zero bytes
 * are the caller's to check. */

struct regret_csv_options {
    char separator;    /* not a quote, CR or LF */
    size_t chunk;      /* bytes asked for at a time, at least 1 */
    size_t max_record; /* bytes of the longest record allowed: a quote that is never closed is
                          noticed here, not when memory is full */
    size_t max_fields; /* of a record */
    int stray_quotes;  /* 1: a quote that RFC 4180 does not allow is text, and with it the field
                          that it begins, as tab-separated files in the wild have it */
    int trim;          /* 1: blanks around fields, those within quotes aside, are none of them */
};
#define REGRET_CSV_OPTIONS_INIT                                                                    \
    {                                                                                              \
        ',', (size_t)256 << 10, (size_t)256 << 20, (size_t)1 << 16, 0, 0                           \
    }

struct regret_csv; /* opaque */

/* Where bytes come from: puts at most `most` of them at `to` and returns their number, 0 at the
 * end, or a negative code with its message set. */
typedef long (*regret_csv_source)(void *context, char *to, size_t most);

/* Opens a file, or a source called `name` in messages. `options` may be NULL. */
int regret_csv_open(struct regret_csv **out, const char *path,
                    const struct regret_csv_options *options);
int regret_csv_open_source(struct regret_csv **out, regret_csv_source source, void *context,
                           const char *name, const struct regret_csv_options *options);
void regret_csv_close(struct regret_csv *csv); /* NULL is fine */

/* Reads the next record: *n_fields >= 1, or 0 at the end of the file. Fields stay valid until the
 * next call. REGRET_E_INPUT: the record is malformed ("FILE:LINE: …"); reading may go on and
 * resumes after the line where the fault was found (after the end, for a quote never closed). Other
 * errors are final, and so is a record longer than max_record. Memory is that of the longest record
 * and one chunk. */
int regret_csv_next(struct regret_csv *csv, size_t *n_fields);

/* Field i (below *n_fields) of the record at hand, quotes resolved, ended by a zero that is not
 * counted in *length (may be NULL). Resolving is done in place when first asked for, so that fields
 * nobody asks for cost nothing. */
const char *regret_csv_field(size_t *length, struct regret_csv *csv, size_t i);

/* The line the record at hand (or the malformed one) begins on, from 1, and its first byte's offset
 * in the file. */
size_t regret_csv_line(const struct regret_csv *csv);
uint64_t regret_csv_offset(const struct regret_csv *csv);
/* 1 after an error that reading cannot go on from. */
int regret_csv_is_over(const struct regret_csv *csv);

/* Appends a whole text of CSV (RFC 4180, separated by commas) with an apostrophe before every field
 * that a spreadsheet would take for a formula: one that begins with =, +, -, @, a tab or a carriage
 * return and is no number. */
void regret_csv_guard(struct regret_buffer *out, const char *text, size_t length);

/* Tables of others, in CSV or TSV: TSV in the wild has quotes that RFC 4180 does not allow, and they are text. */

/* ',' for a path that ends in .csv, in any case, a tab for .tsv, else 0. */
char csv_separator_of(const char *path);
/* regret_csv_open_source() with a separator; of tabs with stray quotes. */
int csv_table_open_source(struct regret_csv **out, regret_csv_source source, void *context,
                          const char *name, char separator);
/* The same of a file, where blanks around a field are none of it. */
int csv_table_open_trimmed(struct regret_csv **out, const char *path, char separator);
/* The character that separates the header: a comma, semicolon, tab or bar, whichever gives the most columns. */
int csv_find_separator(char *out, const char *path);
/* Of a table whose separator nobody has said (0): whether it is JSON, which begins with a brace or a bracket; else its separator. */
int csv_find_layout(int *is_json, char *separator, const char *path);
/* The next record and its line, its fields checked to be UTF-8 without zero bytes; *n_fields is 0 at
 * the end of the file. */
int csv_table_next(struct regret_csv *csv, size_t *n_fields, struct regret_place *at);
/* 1 after a quote that is opened and never closed: all behind it, perhaps many rows, was read as one field. */
int csv_is_unclosed(const struct regret_csv *csv);

#endif
