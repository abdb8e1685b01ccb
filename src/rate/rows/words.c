#include "rate/rows/words.h"

#include <string.h>

/* Locale-free: what these mean must not depend on where the program runs. */
static int is_no_white(char c)
{
    return c != ' ' && !(c >= '\t' && c <= '\r');
}

struct regret_span next_token(const char **at)
{
    const char *p = *at;
    while (*p != '\0' && !is_no_white(*p)) {
        p++;
    }
    const char *start = p;
    while (*p != '\0' && is_no_white(*p)) {
        p++;
    }
    *at = p;
    return (struct regret_span){p > start ? start : NULL, (size_t)(p - start)};
}

size_t count_tokens(const char *text, size_t most)
{
    size_t n = 0;
    while (n <= most && next_token(&text).text != NULL) {
        n++;
    }
    return n;
}

int starts_with_vowel(const char *text)
{
    return text[0] != '\0' && strchr("aeiouAEIOU", text[0]) != NULL;
}
