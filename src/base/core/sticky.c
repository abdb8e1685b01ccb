#include "base/core/sticky.h"

#include <stdio.h>
#include <string.h>

#include "regret/alloc.h"

char *sticky_print(int *status, const char *format, va_list args)
{
    char *out = NULL;
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    if (*status == REGRET_OK && n >= 0) {
        *status = regret_calloc((void **)&out, (size_t)n + 1, 1, "a text");
        if (out != NULL) {
            vsnprintf(out, (size_t)n + 1, format, again);
        }
    }
    va_end(again);
    return out;
}

void *sticky_append(int *status, void **array, size_t *n, size_t size)
{
    if (*status == REGRET_OK && (*n & (*n - 1)) == 0) {
        *status = regret_realloc(array, *n == 0 ? 1 : *n * 2, size, "a table or chart");
    }
    if (*status != REGRET_OK) {
        return NULL;
    }
    char *place = (char *)*array + size * (*n)++;
    memset(place, 0, size);
    return place;
}

void sticky_append_text(int *status, void **array, size_t *n, size_t size, const char *format,
                        va_list args)
{
    char *text = sticky_print(status, format, args);
    char **place = sticky_append(status, array, n, size);
    if (place == NULL) {
        regret_free(text);
        return;
    }
    *place = text;
}
