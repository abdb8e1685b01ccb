#include "base/text/path.h"

#include <fnmatch.h>
#include <string.h>

#include "base/text/take.h"

const char *path_last(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

int path_beside(char **out, const char *path, const char *name)
{
    struct regret_buffer beside = REGRET_BUFFER_INIT;
    regret_buffer_append_n(&beside, path, (size_t)(path_last(path) - path));
    regret_buffer_append(&beside, name);
    return text_take(out, &beside);
}

int name_matches(const char *const *patterns, size_t n, const char *name)
{
    size_t i = 0;
    while (i < n && fnmatch(patterns[i], name, 0) != 0) {
        i++;
    }
    return i < n;
}
