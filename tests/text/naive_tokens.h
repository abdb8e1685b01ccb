/* The tokeniser one character at a time: the whole text is folded to code points, and each is asked what
 * it is and what stands beside it. Reference for the one that works on 64 bytes at once. */
#ifndef TESTS_TEXT_NAIVE_TOKENS_H
#define TESTS_TEXT_NAIVE_TOKENS_H

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>
#include <xxhash.h>

#include "regret/text.h"

struct naive_text {
    int32_t *point;
    size_t n;
};

enum naive_kind { SPACE, LETTER, NUMBER, IDEOGRAPH, PUNCTUATION, OTHER };
enum { LEAD_SENTENCES = 3, IDEOGRAPHIC_STOP = 0x3002, RIGHT_QUOTE = 0x2019 };

static enum naive_kind kind_of_ascii(int32_t c)
{
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
        return LETTER;
    }
    if (c >= '0' && c <= '9') {
        return NUMBER;
    }
    if (c <= ' ') {
        return SPACE;
    }
    return c == 0x7f ? OTHER : PUNCTUATION;
}

static int is_ideograph(int32_t c)
{
    return (c >= 0x3041 && c <= 0x309f) || (c >= 0x3400 && c <= 0x4dbf) ||
           (c >= 0x4e00 && c <= 0x9fff) || (c >= 0xf900 && c <= 0xfaff) ||
           (c >= 0x20000 && c <= 0x3ffff);
}

static enum naive_kind kind_of(int32_t c)
{
    if (c < 0x80) {
        return kind_of_ascii(c);
    }
    switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
        return is_ideograph(c) ? IDEOGRAPH : LETTER;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
        return LETTER;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
        return NUMBER;
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
        return SPACE;
    case UTF8PROC_CATEGORY_PC:
    case UTF8PROC_CATEGORY_PD:
    case UTF8PROC_CATEGORY_PS:
    case UTF8PROC_CATEGORY_PE:
    case UTF8PROC_CATEGORY_PI:
    case UTF8PROC_CATEGORY_PF:
    case UTF8PROC_CATEGORY_PO:
    case UTF8PROC_CATEGORY_SM:
    case UTF8PROC_CATEGORY_SC:
    case UTF8PROC_CATEGORY_SK:
    case UTF8PROC_CATEGORY_SO:
        return PUNCTUATION;
    default:
        return c == 0x85 ? SPACE : OTHER;
    }
}

static int is_decimal_digit(int32_t c)
{
    return c < 0x80 ? c >= '0' && c <= '9' : utf8proc_category(c) == UTF8PROC_CATEGORY_ND;
}

static int is_apostrophe(int32_t c)
{
    return c == '\'' || c == RIGHT_QUOTE;
}

static int is_word(enum naive_kind k)
{
    return k == LETTER || k == NUMBER;
}

/* 1 when the character at `at` joins the two around it into one token. */
static int joins(const struct naive_text *f, size_t at)
{
    if (at == 0 || at + 1 >= f->n) {
        return 0;
    }
    int32_t c = f->point[at], before = f->point[at - 1], after = f->point[at + 1];
    if (is_apostrophe(c)) {
        return kind_of(before) == LETTER && kind_of(after) == LETTER;
    }
    return (c == '.' || c == ',') && is_decimal_digit(before) && is_decimal_digit(after);
}

/* 1 when a full stop at `at` ends a sentence: only stops, closing quotes and brackets stand between
 * it and white space or the end. */
static int ends_sentence(const struct naive_text *f, size_t at)
{
    int32_t c = f->point[at];
    if (c == IDEOGRAPHIC_STOP) {
        return 1;
    }
    if (c != '.' && c != '!' && c != '?') {
        return 0;
    }
    static const int32_t closers[] = {'.', '!', '?',  '"',    '\'',   ')',
                                      ']', '}', 0xbb, 0x2019, 0x201d, 0x203a};
    for (size_t i = at + 1; i < f->n; i++) {
        size_t k = 0;
        while (k < sizeof closers / sizeof *closers && closers[k] != f->point[i]) {
            k++;
        }
        if (k == sizeof closers / sizeof *closers) {
            return kind_of(f->point[i]) == SPACE;
        }
    }
    return 1;
}

/* Folds `text`; 0 when it is not UTF-8. */
static int naive_fold(struct naive_text *f, const char *text)
{
    const utf8proc_option_t options =
        UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE;
    size_t length = strlen(text), room = 20 * length + 1; /* the longest decomposition has 18 */
    f->point = malloc(room * sizeof *f->point);
    utf8proc_ssize_t n =
        utf8proc_decompose((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)length, f->point,
                           (utf8proc_ssize_t)room, options);
    n = n < 0 ? n : utf8proc_normalize_utf32(f->point, n, options);
    f->n = n < 0 ? 0 : (size_t)n;
    return n >= 0;
}

/* What the reference finds in one text. */
struct naive_tokens {
    uint64_t *hash;
    uint8_t *is_number;
    size_t n, sentence;
    struct regret_text_shape shape;
};

static void naive_close_sentence(struct naive_tokens *t)
{
    if (t->n > t->sentence) {
        t->sentence = t->n;
        t->shape.lead_tokens = ++t->shape.sentences <= LEAD_SENTENCES ? t->n : t->shape.lead_tokens;
    }
}

static size_t naive_take(struct naive_tokens *t, const struct naive_text *f, size_t at)
{
    unsigned char *bytes = malloc(4 * f->n);
    size_t length = 0, i = at;
    int single = kind_of(f->point[at]) == IDEOGRAPH;
    do {
        int32_t c = f->point[i];
        t->shape.characters++;
        t->shape.punctuation += is_apostrophe(c) || c == '.' || c == ',';
        length += (size_t)utf8proc_encode_char(c == RIGHT_QUOTE ? '\'' : c, bytes + length);
        i++;
    } while (!single && i < f->n && (is_word(kind_of(f->point[i])) || joins(f, i)));
    t->hash[t->n] = XXH3_64bits(bytes, length);
    t->is_number[t->n++] = (uint8_t)is_decimal_digit(f->point[at]);
    free(bytes);
    return i;
}

static void naive_close_line(struct naive_tokens *t, int *blank)
{
    if (*blank) {
        naive_close_sentence(t);
    } else {
        t->shape.lines++;
    }
    *blank = 1;
}

static void naive_scan(struct naive_tokens *t, const struct naive_text *f)
{
    int blank = 1;
    *t = (struct naive_tokens){.hash = malloc((f->n + 1) * sizeof *t->hash),
                               .is_number = malloc(f->n + 1)};
    for (size_t i = 0; i < f->n;) {
        enum naive_kind kind = kind_of(f->point[i]);
        if (kind == SPACE) {
            if (f->point[i++] == '\n') {
                naive_close_line(t, &blank);
            }
            continue;
        }
        blank = 0;
        if (is_word(kind) || kind == IDEOGRAPH) {
            i = naive_take(t, f, i);
            continue;
        }
        t->shape.characters++;
        t->shape.punctuation += kind == PUNCTUATION;
        if (ends_sentence(f, i)) {
            naive_close_sentence(t);
        }
        i++;
    }
    naive_close_line(t, &blank);
    naive_close_sentence(t);
}

/* `text` gives what the reference gives, or both refuse it. */
static void check_against_naive(const char *text)
{
    struct regret_tokens *tokens = NULL;
    struct naive_text folded;
    int rc = regret_tokens_build(&tokens, &text, 1);
    if (!naive_fold(&folded, text)) {
        cr_assert_eq(rc, REGRET_E_INPUT);
        free(folded.point);
        return;
    }
    cr_assert_eq(rc, REGRET_OK, "%s", regret_error_message());
    struct naive_tokens t;
    naive_scan(&t, &folded);
    cr_assert_eq(tokens->start[1], t.n, "%zu tokens, not %zu, in \"%s\"", tokens->start[1], t.n,
                 text);
    cr_assert_arr_eq(tokens->hash, t.hash, t.n * sizeof *t.hash, "tokens of \"%s\"", text);
    cr_assert_arr_eq(tokens->is_number, t.is_number, t.n, "numbers of \"%s\"", text);
    cr_assert_eq(memcmp(tokens->shape, &t.shape, sizeof t.shape), 0,
                 "\"%s\": %zu %zu %zu %zu %zu, not %zu %zu %zu %zu %zu", text,
                 tokens->shape->characters, tokens->shape->punctuation, tokens->shape->lines,
                 tokens->shape->sentences, tokens->shape->lead_tokens, t.shape.characters,
                 t.shape.punctuation, t.shape.lines, t.shape.sentences, t.shape.lead_tokens);
    regret_tokens_free(tokens);
    free(folded.point);
    free(t.hash);
    free(t.is_number);
}

#endif
