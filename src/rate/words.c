#include "rate/words.h"

#include <string.h>

/* Locale-free: what these mean must not depend on where the program runs. */
static int is_white(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static int in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '\'' || (unsigned char)c >= 0x80;
}

struct regret_span next_word(const char **at)
{
    const char *p = *at;
    while (*p != '\0' && !in_word(*p)) {
        p++;
    }
    const char *start = p;
    while (*p != '\0' && in_word(*p)) {
        p++;
    }
    *at = p;
    return (struct regret_span){p > start ? start : NULL, (size_t)(p - start)};
}

struct regret_span next_token(const char **at)
{
    const char *p = *at;
    while (is_white(*p)) {
        p++;
    }
    const char *start = p;
    while (*p != '\0' && !is_white(*p)) {
        p++;
    }
    *at = p;
    return (struct regret_span){p > start ? start : NULL, (size_t)(p - start)};
}

size_t fold_word(char out[MAX_WORD_BYTES], struct regret_span word)
{
    size_t n = word.length < MAX_WORD_BYTES - 1 ? word.length : MAX_WORD_BYTES - 1;
    for (size_t i = 0; i < n; i++) {
        char c = word.text[i];
        out[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    out[n] = '\0';
    return n;
}

int starts_with_vowel(const char *text)
{
    return text[0] != '\0' && strchr("aeiouAEIOU", text[0]) != NULL;
}

size_t count_characters(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++) {
        n += ((unsigned char)*text & 0xC0) != 0x80;
    }
    return n;
}
