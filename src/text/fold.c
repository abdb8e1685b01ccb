#include "text/fold.h"

#include <string.h>
#include <utf8proc.h>

#include "base/try.h"
#include "regret/alloc.h"

static int reserve(struct folded_text *f, size_t n)
{
    if (n <= f->capacity) {
        return REGRET_OK;
    }
    size_t grown = n > 2 * f->capacity ? n : 2 * f->capacity;
    TRY(regret_realloc((void **)&f->point, grown, sizeof *f->point, "the folded text"));
    f->capacity = grown;
    return REGRET_OK;
}

/* ASCII is its own NFKC form, and its case folding is plain. Returns the offset of the first byte
 * that is not ASCII, or `length`. */
static size_t fold_ascii(int32_t *point, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c >= 0x80) {
            return i;
        }
        point[i] = c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
    }
    return length;
}

static int fold_unicode(struct folded_text *f, const char *text, size_t length)
{
    const utf8proc_option_t options =
        UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_IGNORE;
    const utf8proc_uint8_t *bytes = (const utf8proc_uint8_t *)text;
    utf8proc_ssize_t n = utf8proc_decompose(bytes, (utf8proc_ssize_t)length, f->point,
                                            (utf8proc_ssize_t)f->capacity, options);
    if (n > 0 && (size_t)n > f->capacity) {
        TRY(reserve(f, (size_t)n));
        n = utf8proc_decompose(bytes, (utf8proc_ssize_t)length, f->point, n, options);
    }
    n = n < 0 ? n : utf8proc_normalize_utf32(f->point, n, options);
    if (n < 0) {
        return regret_fail(REGRET_E_INPUT, "cannot fold the text: %s; it must be UTF-8",
                           utf8proc_errmsg(n));
    }
    f->n = (size_t)n;
    return REGRET_OK;
}

int fold_text(struct folded_text *f, const char *text)
{
    size_t length = strlen(text);
    TRY(reserve(f, length));
    f->n = length;
    if (fold_ascii(f->point, text, length) == length) {
        return REGRET_OK;
    }
    return fold_unicode(f, text, length);
}

void fold_free(struct folded_text *f)
{
    regret_free(f->point);
    *f = (struct folded_text){NULL, 0, 0};
}
