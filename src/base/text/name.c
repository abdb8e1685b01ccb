#include "base/text/name.h"

#include <string.h>

#include "regret/buffer.h"
#include "regret/json.h"

int name_is_plain(const char *name, size_t most)
{
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    return name != NULL && name[0] >= 'a' && name[strspn(name, LETTERS)] == '\0' &&
           strlen(name) <= most;
}

int name_unknown(const char *what, const char *word, const char *const *known, size_t n)
{
    struct regret_buffer list = REGRET_BUFFER_INIT;
    const char *near = regret_nearest_word(word, known, n);
    for (size_t i = 0; i < n; i++) {
        regret_buffer_printf(&list, "%s%s", i > 0 ? ", " : "", known[i]);
    }
    int rc = regret_fail(REGRET_E_INPUT, "unknown %s \"%s\"; %s%s%sthere are %s", what, word,
                         near != NULL ? "did you mean \"" : "", near != NULL ? near : "",
                         near != NULL ? "\"? " : "", regret_buffer_get(&list));
    regret_buffer_free(&list);
    return rc;
}
