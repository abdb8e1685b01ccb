#include "base/name.h"

#include <string.h>

int name_is_plain(const char *name, size_t most)
{
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    return name != NULL && name[0] >= 'a' && name[strspn(name, LETTERS)] == '\0' &&
           strlen(name) <= most;
}
