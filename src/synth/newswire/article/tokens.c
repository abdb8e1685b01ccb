#include "synth/newswire/article/tokens.h"

#include <string.h>

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_word(char c)
{
    return is_letter(c) || is_digit(c);
}

static int joins(char c)
{
    return c == '.' || c == ',' || c == '\'' || c == '-';
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static uint64_t hash_word(const char *word, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)lower(word[i])) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static size_t slot_of(uint64_t hash)
{
    return (hash ^ hash >> 32) % NEWSWIRE_TOKEN_SLOTS;
}

/* From the last, so that places of a slot ascend. */
static void index_places(struct newswire_tokens *tokens)
{
    for (size_t i = 0; i < NEWSWIRE_TOKEN_SLOTS; i++) {
        tokens->first[i] = (uint16_t)tokens->count;
    }
    for (size_t i = tokens->count; i-- > 0;) {
        uint16_t *first = &tokens->first[slot_of(tokens->items[i].hash)];
        tokens->next[i] = *first;
        *first = (uint16_t)i;
    }
}

/* The first place of the word from `place` on, along its slot. */
static size_t place_from(const struct newswire_tokens *tokens, size_t place, uint64_t hash)
{
    while (place < tokens->count && tokens->items[place].hash != hash) {
        place = tokens->next[place];
    }
    return place;
}

size_t newswire_first_place(const struct newswire_tokens *tokens, uint64_t hash)
{
    return place_from(tokens, tokens->first[slot_of(hash)], hash);
}

size_t newswire_next_place(const struct newswire_tokens *tokens, size_t place)
{
    return place_from(tokens, tokens->next[place], tokens->items[place].hash);
}

static void mark_stop_words(struct newswire_tokens *tokens, const struct data_strings *stop_words)
{
    for (size_t i = 0; i < stop_words->n; i++) {
        const char *word = stop_words->items[i];
        size_t place = newswire_first_place(tokens, hash_word(word, strlen(word)));
        for (; place < tokens->count; place = newswire_next_place(tokens, place)) {
            tokens->items[place].stop = 1;
        }
    }
}

void newswire_tokenize(struct newswire_tokens *tokens, const char *text,
                       const struct data_strings *stop_words)
{
    int inside = 0; /* a sentence has begun */
    tokens->count = 0;
    for (size_t at = 0; text[at] != '\0' && tokens->count < NEWSWIRE_MAX_TOKENS;) {
        if (!is_word(text[at])) {
            if (text[at] == '.' || text[at] == '\n' || text[at] == '"' || text[at] == ':') {
                inside = 0;
            }
            at++;
            continue;
        }
        size_t end = at + 1;
        while (is_word(text[end]) || (joins(text[end]) && is_word(text[end + 1]))) {
            end++;
        }
        tokens->items[tokens->count++] = (struct newswire_token){
            .hash = hash_word(text + at, end - at),
            .start = (uint32_t)at,
            .number = is_digit(text[at]) != 0,
            .capital = inside && text[at] >= 'A' && text[at] <= 'Z',
        };
        inside = 1;
        at = end;
    }
    index_places(tokens);
    mark_stop_words(tokens, stop_words);
}

static int is_space(char c)
{
    return c == ' ' || c == '\n';
}

size_t newswire_word_count(const char *text, size_t length)
{
    size_t words = length > 0 && !is_space(text[0]);
    for (size_t i = 1; i < length; i++) {
        words += (size_t)(is_space(text[i - 1]) & !is_space(text[i]));
    }
    return words;
}
