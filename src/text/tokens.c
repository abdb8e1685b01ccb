#include "regret/text.h"

#include <string.h>
#include <utf8proc.h>
#include <xxhash.h>

#include "base/try.h"
#include "regret/alloc.h"
#include "text/fold.h"

enum kind { SPACE, LETTER, NUMBER, IDEOGRAPH, PUNCTUATION, OTHER };
enum { LEAD_SENTENCES = 3, IDEOGRAPHIC_STOP = 0x3002, RIGHT_QUOTE = 0x2019 };

static enum kind kind_of_ascii(int32_t c)
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

static enum kind kind_of(int32_t c)
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

static int is_word(enum kind k)
{
    return k == LETTER || k == NUMBER;
}

/* 1 when the character at `at` joins the two around it into one token. */
static int joins(const struct folded_text *f, size_t at)
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
static int ends_sentence(const struct folded_text *f, size_t at)
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

/* The state of one pass over one text. */
struct scan {
    struct regret_tokens *tokens;    /* receives the tokens; has room for one a code point */
    struct regret_text_shape *shape; /* of the text at hand */
    utf8proc_uint8_t *bytes;         /* room for the longest token */
    size_t first;                    /* index of the text's first token */
    size_t count;                    /* tokens so far, of all texts */
    size_t sentence;                 /* index of the present sentence's first token */
    int line_is_blank;
};

static void close_sentence(struct scan *s)
{
    if (s->count == s->sentence) {
        return;
    }
    s->sentence = s->count;
    s->shape->sentences++;
    if (s->shape->sentences <= LEAD_SENTENCES) {
        s->shape->lead_tokens = s->count - s->first;
    }
}

static void close_line(struct scan *s)
{
    if (s->line_is_blank) {
        close_sentence(s);
    } else {
        s->shape->lines++;
    }
    s->line_is_blank = 1;
}

/* Takes the token that begins at `at`; returns the place after it. */
static size_t take_token(struct scan *s, const struct folded_text *f, size_t at)
{
    size_t length = 0, i = at;
    int single = kind_of(f->point[at]) == IDEOGRAPH;
    do {
        int32_t c = f->point[i];
        int joint = is_apostrophe(c) || c == '.' || c == ',';
        s->shape->characters++;
        s->shape->punctuation += joint;
        length += (size_t)utf8proc_encode_char(c == RIGHT_QUOTE ? '\'' : c, s->bytes + length);
        i++;
    } while (!single && i < f->n && (is_word(kind_of(f->point[i])) || joins(f, i)));
    s->tokens->hash[s->count] = XXH3_64bits(s->bytes, length);
    s->tokens->is_number[s->count] = (uint8_t)is_decimal_digit(f->point[at]);
    s->count++;
    return i;
}

static void scan_text(struct scan *s, const struct folded_text *f)
{
    s->first = s->sentence = s->count;
    s->line_is_blank = 1;
    for (size_t i = 0; i < f->n;) {
        enum kind kind = kind_of(f->point[i]);
        if (kind == SPACE) {
            if (f->point[i] == '\n') {
                close_line(s);
            }
            i++;
            continue;
        }
        s->line_is_blank = 0;
        if (is_word(kind) || kind == IDEOGRAPH) {
            i = take_token(s, f, i);
            continue;
        }
        s->shape->characters++;
        s->shape->punctuation += kind == PUNCTUATION;
        if (ends_sentence(f, i)) {
            close_sentence(s);
        }
        i++;
    }
    close_line(s);
    close_sentence(s);
}

/* Room for `more` further tokens after `count`, and for a token of `more` code points. */
static int reserve(struct scan *s, size_t *capacity, size_t *byte_capacity, size_t more)
{
    if (s->count + more > *capacity) {
        size_t grown = s->count + more > 2 * *capacity ? s->count + more : 2 * *capacity;
        TRY(regret_realloc((void **)&s->tokens->hash, grown, sizeof(uint64_t), "tokens"));
        TRY(regret_realloc((void **)&s->tokens->is_number, grown, 1, "token marks"));
        *capacity = grown;
    }
    if (4 * more > *byte_capacity) {
        TRY(regret_realloc((void **)&s->bytes, 4 * more, 1, "a token"));
        *byte_capacity = 4 * more;
    }
    return REGRET_OK;
}

static int scan_all(struct regret_tokens *tokens, const char *const *texts)
{
    struct scan scan = {tokens, NULL, NULL, 0, 0, 0, 1};
    struct folded_text folded = {NULL, 0, 0};
    size_t capacity = 0, byte_capacity = 0;
    int rc;
    TRY_CLEANUP(reserve(&scan, &capacity, &byte_capacity, 1));
    for (size_t i = 0; i < tokens->n_texts; i++) {
        rc = fold_text(&folded, texts[i] == NULL ? "" : texts[i]);
        if (rc != REGRET_OK) {
            rc = regret_fail_prefix(rc, "text %zu", i);
            goto cleanup;
        }
        TRY_CLEANUP(reserve(&scan, &capacity, &byte_capacity, folded.n));
        scan.shape = &tokens->shape[i];
        scan_text(&scan, &folded);
        tokens->start[i + 1] = scan.count;
    }
cleanup:
    regret_free(scan.bytes);
    fold_free(&folded);
    return rc;
}

int regret_tokens_build(struct regret_tokens **out, const char *const *texts, size_t n)
{
    struct regret_tokens *tokens = NULL;
    int rc;
    TRY(REGRET_NEW(&tokens, 1));
    tokens->n_texts = n;
    TRY_CLEANUP(REGRET_NEW(&tokens->start, n + 1));
    TRY_CLEANUP(REGRET_NEW(&tokens->shape, n));
    TRY_CLEANUP(scan_all(tokens, texts));
    *out = tokens;
    tokens = NULL;
cleanup:
    regret_tokens_free(tokens);
    return rc;
}

void regret_tokens_free(struct regret_tokens *tokens)
{
    if (tokens == NULL) {
        return;
    }
    regret_free(tokens->start);
    regret_free(tokens->hash);
    regret_free(tokens->is_number);
    regret_free(tokens->shape);
    regret_free(tokens);
}

size_t regret_text_cut(const char *text, size_t most)
{
    size_t n = most > 0 ? strnlen(text, most + 1) : strlen(text);
    if (most == 0 || n <= most) { /* strnlen() looks at most one byte past */
        return n;
    }
    n = most;
    while (n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80) { /* a byte that goes on a character */
        n--;
    }
    return n;
}
