#include <stdint.h>
#include <string.h>

#include "base/core/try.h"
#include "rate/rows/streams.h"
#include "rate/rows/words.h"
#include "regret/rate_study.h"
#include "regret/rng.h"

/* Bytes of the character at `p`. */
static size_t character_bytes(const char *p, size_t left)
{
    size_t n = 1;
    while (n < left && ((unsigned char)p[n] & 0xC0) == 0x80) {
        n++;
    }
    return n;
}

/* ASCII letters, and every character beyond ASCII: these are letters far more often than not. */
static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

/* Appends the word with one random pair of neighbouring characters swapped, if both are letters. */
static void append_spoilt(struct regret_buffer *out, struct regret_span word,
                          struct regret_rng *rng)
{
    size_t characters = 0;
    for (size_t i = 0; i < word.length; i += character_bytes(word.text + i, word.length - i)) {
        characters++;
    }
    size_t at = 0, first = 0, second = 0;
    if (characters > 2) {
        for (uint32_t k = regret_rng_below(rng, (uint32_t)characters - 1); k > 0; k--) {
            at += character_bytes(word.text + at, word.length - at);
        }
        first = character_bytes(word.text + at, word.length - at);
        second = character_bytes(word.text + at + first, word.length - at - first);
    }
    if (second == 0 || !is_letter(word.text[at]) || !is_letter(word.text[at + first])) {
        regret_buffer_append_n(out, word.text, word.length);
        return;
    }
    regret_buffer_append_n(out, word.text, at);
    regret_buffer_append_n(out, word.text + at + first, second);
    regret_buffer_append_n(out, word.text + at, first);
    regret_buffer_append_n(out, word.text + at + first + second, word.length - at - first - second);
}

void regret_rate_add_typos(struct regret_buffer *out, const char *text, size_t percent,
                           struct regret_rng *rng)
{
    size_t words = count_tokens(text, SIZE_MAX), wanted = words * percent / 100;
    const char *at = text;
    if (wanted == 0) {
        regret_buffer_append(out, text);
        return;
    }
    /* Selection sampling (Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S). */
    for (size_t k = 0; k < words; k++) {
        struct regret_span word = next_token(&at);
        if (k > 0) {
            regret_buffer_append_char(out, ' ');
        }
        if (regret_rng_below(rng, (uint32_t)(words - k)) < wanted) {
            wanted--;
            append_spoilt(out, word, rng);
        } else {
            regret_buffer_append_n(out, word.text, word.length);
        }
    }
}

static void write_row(struct regret_buffer *out, const char *text, size_t number, size_t percent,
                      uint64_t seed, const char *dataset)
{
    struct regret_rng rng = regret_rng_at(
        seed, REGRET_RNG_RATE, stream_index(STREAM_TYPO, (uint32_t)percent, (uint32_t)number));
    struct regret_buffer original = REGRET_BUFFER_INIT;
    int w = starts_with_vowel(text);
    regret_rate_add_typos(&original, text, w ? percent : 0, &rng);
    regret_buffer_printf(out, "{\"id\": \"%zu\", \"dataset\": ", number + 1);
    regret_buffer_json_string(out, dataset);
    regret_buffer_printf(out,
                         ", \"attribute\": \"starts_with_vowel\", \"w\": %s, \"typo_percent\": "
                         "%zu, \"completions\": {\"original\": ",
                         w ? "true" : "false", percent);
    regret_buffer_json_string(out, regret_buffer_get(&original));
    regret_buffer_append(out, "}}\n");
    regret_buffer_free_into(out, &original);
}

int regret_rate_write_typo_texts(struct regret_buffer *out, const struct regret_rate_texts *texts,
                                 size_t percent, uint64_t seed, const char *dataset)
{
    if (percent > 100) {
        return regret_fail(REGRET_E_INPUT, "typos in %zu %% of the words; give 0 to 100", percent);
    }
    for (size_t i = 0; i < texts->n; i++) {
        write_row(out, texts->text[i], i, percent, seed, dataset);
    }
    return regret_buffer_status(out);
}
