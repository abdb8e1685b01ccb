#include "evaluate/copies/texts.h"

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/buffer.h"
#include "regret/hash.h"

/* The text with ASCII letters small and white space as one blank, none at its ends. */
static uint64_t hash_text(struct regret_buffer *scratch, const char *text)
{
    regret_buffer_clear(scratch);
    int is_blank = 0;
    for (; *text; text++) {
        char c = *text;
        if (c == ' ' || (c >= '\t' && c <= '\r')) {
            is_blank = scratch->length > 0;
            continue;
        }
        if (is_blank) {
            regret_buffer_append_char(scratch, ' ');
            is_blank = 0;
        }
        regret_buffer_append_char(scratch, c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c);
    }
    return regret_hash64(regret_buffer_get(scratch), scratch->length);
}

int texts_find_copies(uint32_t *first, size_t *n_texts, const struct regret_log *log)
{
    FREED_BY(regret_buffer_free) struct regret_buffer scratch = REGRET_BUFFER_INIT;
    FREED uint64_t *hash = NULL;
    FREED uint32_t *slot = NULL;
    size_t size = 64;
    *n_texts = 0;
    for (size_t x = 0; log->text && x < log->n_contexts; x++) {
        *n_texts += log->text[x] && log->text[x][0];
    }
    while (size < 2 * *n_texts) {
        size *= 2;
    }
    TRY(REGRET_NEW(&hash, size));
    TRY(REGRET_NEW(&slot, size));
    for (size_t x = 0; x < log->n_contexts; x++) {
        first[x] = (uint32_t)x;
        if (!log->text || !log->text[x] || !log->text[x][0]) {
            continue;
        }
        uint64_t h = hash_text(&scratch, log->text[x]);
        size_t at = (size_t)h & (size - 1);
        while (slot[at] != 0 && hash[at] != h) {
            at = (at + 1) & (size - 1);
        }
        if (slot[at] == 0) {
            slot[at] = (uint32_t)x + 1;
            hash[at] = h;
        }
        first[x] = slot[at] - 1;
    }
    return regret_buffer_status(&scratch);
}
