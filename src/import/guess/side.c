#include "import/guess/side.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *const SIDES[][2] = {
    {"a", "b"}, {"1", "2"}, {"left", "right"}, {"first", "second"}, {"one", "two"}};
enum { KINDS = sizeof SIDES / sizeof *SIDES };

/* A word ends where letters turn into figures or into others, or a capital follows a small letter. */
static size_t word_at(const char *p)
{
    size_t n = 1;
    int is_figure = isdigit((unsigned char)p[0]) != 0;
    while (isalnum((unsigned char)p[n]) && (isdigit((unsigned char)p[n]) != 0) == is_figure &&
           !(isupper((unsigned char)p[n]) && islower((unsigned char)p[n - 1]))) {
        n++;
    }
    return n;
}

void side_of(struct side *out, const char *name)
{
    out->which = -1;
    for (size_t i = 0, n; name[i] != '\0'; i += n) {
        n = isalnum((unsigned char)name[i]) ? word_at(name + i) : 1;
        for (size_t k = 0; k < (size_t)KINDS * 2; k++) {
            const char *word = SIDES[k / 2][k % 2];
            if (n == strlen(word) && strncasecmp(name + i, word, n) == 0) {
                out->which = (int)(k % 2);
                out->kind = k / 2;
                snprintf(out->rest, sizeof out->rest, "%.*s*%s", (int)(i < 99 ? i : 99), name,
                         name + i + n);
                return;
            }
        }
    }
}

int side_is_pair(const struct side *first, const struct side *second)
{
    return first->which == 0 && second->which == 1 && first->kind == second->kind &&
           strcmp(first->rest, second->rest) == 0;
}
