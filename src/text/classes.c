#include "text/classes.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>
#include <xxhash.h>

#include "base/status.h"
#include "regret/status.h"
#include "regret/text.h"
#include "text/buckets.h"

/* ASCII is its own NFKC form, its case folding is plain, and no character composes with an ASCII
 * character that follows it. A text may therefore be cut before every ASCII character: runs of ASCII are
 * folded a block at a time, and only what is left, each piece with the ASCII character before it, which
 * may compose with it, takes the general way. */

/* Zero bytes kept behind every folded text, so that it may be read in blocks. */
enum { FOLD_PADDING = 64 };

enum { BLOCK = 64, RIGHT_QUOTE = 0x2019 };

/* Room for `more` bytes behind those in use, and the padding. */
static int reserve_bytes(struct folded_text *f, size_t more)
{
    size_t need = f->n + more + FOLD_PADDING;
    if (need <= f->capacity) {
        return REGRET_OK;
    }
    size_t grown = need > 2 * f->capacity ? need : 2 * f->capacity;
    TRY(regret_realloc((void **)&f->byte, grown, 1, "the folded text"));
    f->capacity = grown;
    return REGRET_OK;
}

static int reserve_points(struct folded_text *f, size_t n)
{
    if (n <= f->n_points) {
        return REGRET_OK;
    }
    size_t grown = n > 2 * f->n_points ? n : 2 * f->n_points;
    TRY(regret_realloc((void **)&f->point, grown, sizeof *f->point, "the folded code points"));
    f->n_points = grown;
    return REGRET_OK;
}

static char lower(char c)
{
    return (char)(c + ((unsigned char)(c - 'A') < 26 ? 'a' - 'A' : 0));
}

/* 1 when a block holds ASCII alone. */
static int is_ascii_block(const char *text)
{
    uint64_t word[BLOCK / 8], all = 0;
    memcpy(word, text, BLOCK);
    for (int i = 0; i < BLOCK / 8; i++) {
        all |= word[i];
    }
    return (all & 0x8080808080808080u) == 0;
}

/* Folds the ASCII at the beginning of a text into `out`; returns its length. */
static size_t fold_ascii(char *out, const char *text, size_t length)
{
    size_t i = 0;
    for (; i + BLOCK <= length && is_ascii_block(text + i); i += BLOCK) {
        for (int j = 0; j < BLOCK; j++) {
            out[i + (size_t)j] = lower(text[i + (size_t)j]);
        }
    }
    for (; i < length && (unsigned char)text[i] < 0x80; i++) {
        out[i] = lower(text[i]);
    }
    return i;
}

/* Code points of the piece in NFKC_Casefold, in f->point; their number, or an error of utf8proc. */
static int fold_points(utf8proc_ssize_t *n, struct folded_text *f, const char *text, size_t length)
{
    const utf8proc_option_t options =
        UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE;
    const utf8proc_uint8_t *bytes = (const utf8proc_uint8_t *)text;
    TRY(reserve_points(f, length));
    *n = utf8proc_decompose(bytes, (utf8proc_ssize_t)length, f->point,
                            (utf8proc_ssize_t)f->n_points, options);
    if (*n > 0 && (size_t)*n > f->n_points) {
        TRY(reserve_points(f, (size_t)*n));
        *n = utf8proc_decompose(bytes, (utf8proc_ssize_t)length, f->point, *n, options);
    }
    *n = *n < 0 ? *n : utf8proc_normalize_utf32(f->point, *n, options);
    return REGRET_OK;
}

static int fold_piece(struct folded_text *f, const char *text, size_t length)
{
    utf8proc_ssize_t n = 0;
    TRY(fold_points(&n, f, text, length));
    if (n < 0) {
        return regret_fail(REGRET_E_INPUT, "cannot fold the text: %s; it must be UTF-8",
                           utf8proc_errmsg(n));
    }
    TRY(reserve_bytes(f, 4 * (size_t)n));
    for (utf8proc_ssize_t i = 0; i < n; i++) {
        int32_t c = f->point[i] == RIGHT_QUOTE ? '\'' : f->point[i];
        f->n += (size_t)utf8proc_encode_char(c, (utf8proc_uint8_t *)f->byte + f->n);
    }
    return REGRET_OK;
}

int fold_text(struct folded_text *f, const char *text)
{
    size_t length = strlen(text), at = 0;
    f->n = 0;
    f->is_ascii = 1;
    TRY(reserve_bytes(f, length));
    while (at < length) {
        size_t run = fold_ascii(f->byte + f->n, text + at, length - at);
        f->n += run;
        at += run;
        size_t end = at;
        while (end < length && (unsigned char)text[end] >= 0x80) {
            end++;
        }
        if (end > at) {
            size_t before = at > 0;
            f->is_ascii = 0;
            f->n -= before;
            TRY(fold_piece(f, text + at - before, end - at + before));
            TRY(reserve_bytes(f, length - end));
            at = end;
        }
    }
    memset(f->byte + f->n, 0, FOLD_PADDING);
    return REGRET_OK;
}

void fold_free(struct folded_text *f)
{
    regret_free(f->byte);
    regret_free(f->point);
    *f = (struct folded_text){0};
}

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

/* English function words: pronouns, articles, prepositions, conjunctions, auxiliaries with their
 * contractions, and the adverbs and quantifiers that carry grammar rather than a subject. Words
 * that may name a topic ("bill", "computer", "system", found on some older lists) are left in the
 * text. */

static const char words[] =
    "i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his "
    "himself she her hers herself it its itself they them their theirs themselves one oneself "
    "who whom whose which what that this these those whoever whatever whichever someone somebody "
    "something anyone anybody anything everyone everybody everything nobody nothing none "
    "a an the some any each every either neither both all half several few many much more most "
    "less least enough other others another such same own "
    "of in to for with on at from by about as into like through after over between out against "
    "during without before under around among across behind beyond above below up down off near "
    "since until till upon toward towards within along amid amongst beneath beside besides despite "
    "except inside onto outside past per throughout underneath unlike via "
    "and or but nor so yet if then else because although though while whereas unless whether than "
    "once when whenever where wherever why how however therefore thus hence moreover furthermore "
    "nevertheless otherwise instead meanwhile "
    "am is are was were be been being have has had having do does did doing done will would shall "
    "should can could may might must ought cannot get gets got "
    "not no yes only just also too very quite rather even still already again ever never always "
    "often sometimes usually perhaps maybe almost nearly indeed really here there now "
    "everywhere somewhere anywhere nowhere elsewhere together apart away back further later "
    "latter former formerly last next first mostly namely anyway anyhow somehow somewhat "
    "thereafter thereby therein thereupon hereby herein hereafter hereupon whereby wherein "
    "whereupon whereafter whence whither seem seems seemed seeming become becomes became becoming "
    "i'm i've i'd i'll you're you've you'd you'll he's he'd he'll she's she'd she'll it's it'd "
    "it'll we're we've we'd we'll they're they've they'd they'll that's that'd that'll there's "
    "here's who's who'd who'll what's where's when's why's how's let's isn't aren't wasn't weren't "
    "haven't hasn't hadn't don't doesn't didn't won't wouldn't shan't shouldn't can't couldn't "
    "mayn't mightn't mustn't needn't oughtn't ain't";

/* The word at `at` and its length; returns the place after it, NULL at the end. */
static const char *next_word(const char **word, size_t *length, const char *at)
{
    at += strspn(at, " ");
    *word = at;
    *length = strcspn(at, " ");
    return *length == 0 ? NULL : at + *length;
}

int stop_word_hashes(uint64_t **out, size_t *n)
{
    const char *word = NULL;
    size_t length = 0, count = 0;
    for (const char *at = words; (at = next_word(&word, &length, at)) != NULL;) {
        count++;
    }
    uint64_t *hash = NULL;
    TRY(REGRET_NEW(&hash, count));
    size_t i = 0;
    for (const char *at = words; (at = next_word(&word, &length, at)) != NULL;) {
        hash[i++] = XXH3_64bits(word, length);
    }
    qsort(hash, count, sizeof *hash, key_compare);
    *out = hash;
    *n = count;
    return REGRET_OK;
}
