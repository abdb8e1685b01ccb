#include "base/text/path.h"

#include <fnmatch.h>
#include <string.h>

const char *path_last(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

int name_matches(const char *const *patterns, size_t n, const char *name)
{
    size_t i = 0;
    while (i < n && fnmatch(patterns[i], name, 0) != 0) {
        i++;
    }
    return i < n;
}
