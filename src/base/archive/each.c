#include "base/archive/each.h"

#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"

FREED_POINTER(struct source, source_close)

int source_each(const char *path, const char *const *patterns, size_t n, source_member *member,
                void *context)
{
    return source_each_told(path, patterns, n, member, context, NULL, NULL);
}

int source_each_told(const char *path, const char *const *patterns, size_t n, source_member *member,
                     void *context, source_passed *passed, void *passed_context)
{
    FREED_BY(source_close_at) struct source *source = NULL;
    const char *name = NULL;
    TRY(source_open(&source, path));
    source_listen(source, passed, passed_context);
    do {
        TRY(source_next(source, patterns, n, &name));
        TRY(name != NULL ? member(context, source, name) : REGRET_OK);
    } while (name != NULL);
    return REGRET_OK;
}

const char *source_part(const char *name, const char *part)
{
    size_t n = strlen(part);
    for (const char *at = strstr(name, part); at != NULL; at = strstr(at + n, part)) {
        if ((at == name || at[-1] == '/') && (at[n] == '/' || at[n] == '\0')) {
            return at;
        }
    }
    return NULL;
}

int source_one_folder(char **folder, const struct source *source, const char *name,
                      const char *place)
{
    size_t n = (size_t)(place - name);
    if (*folder == NULL) {
        TRY(regret_strdup(folder, name));
        (*folder)[n] = '\0';
    }
    return strlen(*folder) == n && strncmp(*folder, name, n) == 0
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT,
                             "%s: of another data set than what lies in \"%s\"; give the folder of "
                             "one of them",
                             source_where(source), *folder);
}
