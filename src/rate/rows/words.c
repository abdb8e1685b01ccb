#include "rate/rows/words.h"

#include <string.h>

/* Locale-free: what these mean must not depend on where the program runs. */
static int is_no_white(char c)
{
    return c != ' ' && !(c >= '\t' && c <= '\r');
}

static int in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '\'' || (unsigned char)c >= 0x80;
}

/* The next run of bytes that are of a kind. */
static struct regret_span next_run(const char **at, int (*is_of)(char))
{
    const char *p = *at;
    while (*p != '\0' && !is_of(*p)) {
        p++;
    }
    const char *start = p;
    while (*p != '\0' && is_of(*p)) {
        p++;
    }
    *at = p;
    return (struct regret_span){p > start ? start : NULL, (size_t)(p - start)};
}

struct regret_span next_word(const char **at)
{
    return next_run(at, in_word);
}

struct regret_span next_token(const char **at)
{
    return next_run(at, is_no_white);
}

size_t count_tokens(const char *text, size_t most)
{
    size_t n = 0;
    while (n <= most && next_token(&text).text != NULL) {
        n++;
    }
    return n;
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
