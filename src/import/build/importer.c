#include "import/build/importer.h"

#include <stdio.h>
#include <string.h>

void importer_remember(char *list, size_t size, const char *name)
{
    size_t n = strlen(list), length = strlen(name);
    const char *at = list;
    while (length > 0 && (at = strstr(at, name)) != NULL) {
        if ((at == list || at[-1] == ' ') && (at[length] == ',' || at[length] == '\0')) {
            return;
        }
        at += length;
    }
    if (length > 0 && length < 80 && n + length + 3 < size) {
        snprintf(list + n, size - n, "%s%s", n > 0 ? ", " : "", name);
    }
}

void importer_report_counts(struct regret_buffer *report, const struct importer_count *counts,
                            size_t n, const void *values)
{
    for (size_t i = 0; i < n; i++) {
        size_t count = *(const size_t *)((const char *)values + counts[i].offset);
        if (count > 0) {
            regret_buffer_printf(report, "  %8zu %s\n", count, counts[i].what);
        }
    }
}

void importer_report_missing(struct regret_buffer *report, size_t contexts, size_t agents,
                             size_t pairs)
{
    regret_buffer_printf(report, "  %8zu of %zu pairs of context and agent are missing\n",
                         contexts * agents - pairs, contexts * agents);
}
