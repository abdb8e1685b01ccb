/* What members of a log are called, in an archive and where one was unpacked. */
#include <fnmatch.h>
#include <string.h>

#include "import/inspect/inspect.h"

/* The last n parts of a path; NULL: it has fewer. */
static const char *last_parts(const char *name, size_t n)
{
    const char *p = name + strlen(name);
    while (n > 0 && p > name) {
        p--;
        n -= *p == '/' || p == name;
    }
    return n > 0 ? NULL : p + (*p == '/');
}

/* The last "samples/" that is a folder: ids of samples may have slashes of their own. */
static const char *samples_folder(const char *name)
{
    const char *found = NULL, *p = name;
    while ((p = strstr(p, "samples/")) != NULL) {
        found = p == name || p[-1] == '/' ? p : found;
        p++;
    }
    return found;
}

enum inspect_part inspect_part_of(const char *name, const char *path, size_t *prefix)
{
    static const struct {
        const char *pattern;
        size_t parts;
    } HEADERS[] = {{"_journal/start.json", 2}, {"header.json", 1}, {"start.json", 1}};
    const char *base = last_parts(name, 1), *samples = samples_folder(name);
    *prefix = strlen(name);
    for (size_t i = 0; i < sizeof HEADERS / sizeof *HEADERS; i++) {
        const char *tail = last_parts(name, HEADERS[i].parts);
        if (tail != NULL && strcmp(tail, HEADERS[i].pattern) == 0) {
            *prefix = (size_t)(tail - name);
            return INSPECT_HEADER;
        }
    }
    if (samples != NULL && fnmatch("*_epoch_*.json", base, 0) == 0) {
        *prefix = (size_t)(samples - name);
        return INSPECT_SAMPLE;
    }
    return fnmatch("*.eval", path, 0) == 0 || strstr(name, ".eval/") != NULL ? INSPECT_OTHER
                                                                             : INSPECT_DOCUMENT;
}
