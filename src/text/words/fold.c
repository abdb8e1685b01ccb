/* ASCII is its own NFKC form, its case folding is plain, and no character composes with an ASCII
 * character that follows it. A text may therefore be cut before every ASCII character: runs of ASCII are
 * folded a block at a time, and only what is left, each piece with the ASCII character before it, which
 * may compose with it, takes the general way. */
#include "text/words/fold.h"

#include <string.h>
#include <utf8proc.h>

#include "base/core/try.h"
#include "regret/alloc.h"

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
