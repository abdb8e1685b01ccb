#include "evaluate/copies/texts.h"

#include <string.h>

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

/* All that a context is told by: its text, its tag, its covariates; *is_told: there is any. */
static uint64_t hash_content(struct regret_buffer *scratch, const struct regret_log *log, size_t x,
                             int *is_told)
{
    const char *text = log->text != NULL ? log->text[x] : NULL;
    uint64_t said[REGRET_LOG_MAX_COLUMNS + 2];
    size_t n = 0;
    said[n++] = text != NULL ? hash_text(scratch, text) : 0;
    said[n++] = log->tag != NULL ? log->tag[x] : 0;
    *is_told = (text != NULL && text[0] != '\0') || log->tag != NULL || log->n_columns > 0;
    for (size_t j = 0; j < log->n_columns; j++, n++) {
        const struct regret_log_column *column = &log->column[j];
        int is_here = column->n_known == 0 || x < column->n_known;
        double value = column->is_word || !is_here ? 0.0 : column->value[x];
        memcpy(&said[n], &value, sizeof value);
        said[n] = column->is_word && is_here ? column->word[x] : said[n];
    }
    return regret_hash64(said, n * sizeof *said);
}

int texts_find_alike(uint32_t *first, size_t *n_told, const struct regret_log *log)
{
    FREED_BY(regret_buffer_free) struct regret_buffer scratch = REGRET_BUFFER_INIT;
    size_t kept = log->n_kept > 0 ? log->n_kept : log->n_contexts, size = 64;
    FREED uint64_t *hash = NULL;
    FREED uint32_t *slot = NULL;
    *n_told = 0;
    while (size < 2 * kept) {
        size *= 2;
    }
    TRY(REGRET_NEW(&hash, size));
    TRY(REGRET_NEW(&slot, size));
    for (size_t x = 0; x < log->n_contexts; x++) {
        int is_told = 0;
        uint64_t h = x < kept ? hash_content(&scratch, log, x, &is_told) : 0;
        size_t at = (size_t)h & (size - 1);
        first[x] = (uint32_t)x;
        while (is_told && slot[at] != 0 && hash[at] != h) {
            at = (at + 1) & (size - 1);
        }
        if (is_told && slot[at] == 0) {
            slot[at] = (uint32_t)x + 1;
            hash[at] = h;
        }
        first[x] = is_told ? slot[at] - 1 : first[x];
        *n_told += (size_t)is_told;
    }
    return regret_buffer_status(&scratch);
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
