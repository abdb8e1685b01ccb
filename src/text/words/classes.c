#include "text/words/classes.h"

#include <string.h>
#include <utf8proc.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { IDEOGRAPHIC_STOP = 0x3002, DELETE = 0x7f };

/* What follows from the signs of ASCII. */
static void derive(struct class_block *b, uint64_t other)
{
    b->decimal = b->number;
    b->punctuation = ~(b->letter | b->number | b->space | b->above | other);
}

/* Bit i: byte i of eight has its highest bit set. The product gathers the bits without a carry. */
static uint64_t gather(uint64_t high)
{
    return ((high >> 7) * 0x0102040810204080u) >> 56;
}

static uint64_t each(unsigned char c)
{
    return c * 0x0101010101010101u;
}

/* Highest bit of each byte: it is in [from, to], both at most 126, and ASCII. */
static uint64_t between(uint64_t word, unsigned char from, unsigned char to)
{
    uint64_t low = word & each(0x7f);
    return (low + each((unsigned char)(0x80 - from))) & ~(low + each((unsigned char)(0x7f - to))) &
           ~word & each(0x80);
}

static uint64_t word_of_bytes(const char *bytes)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++) { /* one load where bytes come in this order */
        word |= (uint64_t)(unsigned char)bytes[i] << (8 * i);
    }
    return word;
}

void classes_of_bytes_by_words(struct class_block *b, const char *bytes)
{
    uint64_t other = 0, goes_on = 0;
    memset(b, 0, sizeof *b);
    for (unsigned at = 0; at < 64; at += 8) {
        uint64_t w = word_of_bytes(bytes + at);
        uint64_t stop = between(w, '.', '.');
        b->letter |= gather(between(w, 'a', 'z')) << at;
        b->number |= gather(between(w, '0', '9')) << at;
        b->space |= gather(between(w, 0, ' ')) << at;
        b->newline |= gather(between(w, '\n', '\n')) << at;
        b->apostrophe |= gather(between(w, '\'', '\'')) << at;
        b->point |= gather(stop | between(w, ',', ',')) << at;
        b->ender |= gather(stop | between(w, '!', '!') | between(w, '?', '?')) << at;
        b->above |= gather(w & each(0x80)) << at;
        goes_on |= gather(w & ~(w << 1) & each(0x80)) << at;                   /* 10xxxxxx */
        other |= gather(((w & each(0x7f)) + each(1)) & ~w & each(0x80)) << at; /* DELETE */
    }
    b->first = ~goes_on;
    derive(b, other);
}

#if defined(__SSE2__)
/* Bytes in [from, to] as unsigned numbers. */
static unsigned range16(__m128i x, unsigned char from, unsigned char to)
{
    __m128i moved = _mm_add_epi8(x, _mm_set1_epi8((char)(0x80 - from)));
    __m128i end = _mm_set1_epi8((char)(to - from + 1 - 0x80));
    return (unsigned)_mm_movemask_epi8(_mm_cmplt_epi8(moved, end));
}

static __m128i equal16(__m128i x, char c)
{
    return _mm_cmpeq_epi8(x, _mm_set1_epi8(c));
}

static unsigned bits16(__m128i x)
{
    return (unsigned)_mm_movemask_epi8(x);
}

void classes_of_bytes(struct class_block *b, const char *bytes)
{
    uint64_t other = 0, goes_on = 0;
    memset(b, 0, sizeof *b);
    for (unsigned at = 0; at < 64; at += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(bytes + at));
        __m128i stop = equal16(x, '.');
        __m128i mark = _mm_or_si128(equal16(x, '!'), equal16(x, '?'));
        b->letter |= (uint64_t)range16(x, 'a', 'z') << at;
        b->number |= (uint64_t)range16(x, '0', '9') << at;
        b->space |= (uint64_t)range16(x, 0, ' ') << at;
        b->newline |= (uint64_t)bits16(equal16(x, '\n')) << at;
        b->apostrophe |= (uint64_t)bits16(equal16(x, '\'')) << at;
        b->point |= (uint64_t)bits16(_mm_or_si128(stop, equal16(x, ','))) << at;
        b->ender |= (uint64_t)bits16(_mm_or_si128(stop, mark)) << at;
        b->above |= (uint64_t)bits16(x) << at;
        goes_on |= (uint64_t)range16(x, 0x80, 0xbf) << at;
        other |= (uint64_t)bits16(equal16(x, DELETE)) << at;
    }
    b->first = ~goes_on;
    derive(b, other);
}
#else
void classes_of_bytes(struct class_block *b, const char *bytes)
{
    classes_of_bytes_by_words(b, bytes);
}
#endif

static int is_ideograph(int32_t c)
{
    return (c >= 0x3041 && c <= 0x309f) || (c >= 0x3400 && c <= 0x4dbf) ||
           (c >= 0x4e00 && c <= 0x9fff) || (c >= 0xf900 && c <= 0xfaff) ||
           (c >= 0x20000 && c <= 0x3ffff);
}

enum kind { LETTER, MARK, DECIMAL, NUMBER, SPACE, PUNCTUATION, OTHER };

static const unsigned char kind_of_category[] = {
    [UTF8PROC_CATEGORY_CN] = OTHER,       [UTF8PROC_CATEGORY_LU] = LETTER,
    [UTF8PROC_CATEGORY_LL] = LETTER,      [UTF8PROC_CATEGORY_LT] = LETTER,
    [UTF8PROC_CATEGORY_LM] = LETTER,      [UTF8PROC_CATEGORY_LO] = LETTER,
    [UTF8PROC_CATEGORY_MN] = MARK,        [UTF8PROC_CATEGORY_MC] = MARK,
    [UTF8PROC_CATEGORY_ME] = MARK,        [UTF8PROC_CATEGORY_ND] = DECIMAL,
    [UTF8PROC_CATEGORY_NL] = NUMBER,      [UTF8PROC_CATEGORY_NO] = NUMBER,
    [UTF8PROC_CATEGORY_PC] = PUNCTUATION, [UTF8PROC_CATEGORY_PD] = PUNCTUATION,
    [UTF8PROC_CATEGORY_PS] = PUNCTUATION, [UTF8PROC_CATEGORY_PE] = PUNCTUATION,
    [UTF8PROC_CATEGORY_PI] = PUNCTUATION, [UTF8PROC_CATEGORY_PF] = PUNCTUATION,
    [UTF8PROC_CATEGORY_PO] = PUNCTUATION, [UTF8PROC_CATEGORY_SM] = PUNCTUATION,
    [UTF8PROC_CATEGORY_SC] = PUNCTUATION, [UTF8PROC_CATEGORY_SK] = PUNCTUATION,
    [UTF8PROC_CATEGORY_SO] = PUNCTUATION, [UTF8PROC_CATEGORY_ZS] = SPACE,
    [UTF8PROC_CATEGORY_ZL] = SPACE,       [UTF8PROC_CATEGORY_ZP] = SPACE,
    [UTF8PROC_CATEGORY_CC] = OTHER,       [UTF8PROC_CATEGORY_CF] = OTHER,
    [UTF8PROC_CATEGORY_CS] = OTHER,       [UTF8PROC_CATEGORY_CO] = OTHER,
};

static enum kind kind_of(int32_t c)
{
    return c == 0x85 ? SPACE : (enum kind)kind_of_category[utf8proc_category(c)];
}

/* Adds the bits of character c, whose first byte is `bit` of block b. */
static void add_character(struct class_block *b, int32_t c, uint64_t first, uint64_t bits)
{
    enum kind kind = kind_of(c);
    int ideograph = kind == LETTER && is_ideograph(c);
    b->ideograph |= ideograph ? bits : 0;
    b->letter |= (kind == LETTER && !ideograph) || kind == MARK ? bits : 0;
    b->number |= kind == DECIMAL || kind == NUMBER ? bits : 0;
    b->decimal |= kind == DECIMAL ? bits : 0;
    b->space |= kind == SPACE ? bits : 0;
    b->punctuation |= kind == PUNCTUATION ? first : 0;
    b->ender |= c == IDEOGRAPHIC_STOP ? first : 0;
}

/* The character whose first byte is at `at`, on each block that it lies in. */
static void classify(struct class_block *block, const struct folded_text *f, size_t at)
{
    int32_t c = 0;
    size_t length = (size_t)utf8proc_iterate((const utf8proc_uint8_t *)f->byte + at,
                                             (utf8proc_ssize_t)(f->n - at), &c);
    size_t last = at + length - 1;
    uint64_t first = (uint64_t)1 << (at % 64), from = ~(first - 1);
    uint64_t to = ~(uint64_t)0 >> (63 - last % 64);
    if (at / 64 == last / 64) {
        add_character(&block[at / 64], c, first, from & to);
    } else {
        add_character(&block[at / 64], c, first, from);
        add_character(&block[last / 64], c, 0, to);
    }
}

void classes_find(struct class_block *block, const struct folded_text *f)
{
    size_t n = class_blocks(f->n), rest = f->n % 64;
    for (size_t i = 0; i < n; i++) {
        classes_of_bytes(&block[i], f->byte + 64 * i);
    }
    block[n - 1].first &= ((uint64_t)1 << rest) - 1; /* the padding is zeros, which are spaces */
    for (size_t i = 0; i < n && !f->is_ascii; i++) {
        for (uint64_t bits = block[i].above & block[i].first; bits != 0; bits &= bits - 1) {
            classify(block, f, 64 * i + (size_t)__builtin_ctzll(bits));
        }
    }
}
