/* Which paths are tests. */
#include <string.h>

#include "regret/patch.h"

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int begins(struct regret_span s, const char *word)
{
    size_t n = strlen(word), i = 0;
    while (i < n && i < s.length && lower(s.text[i]) == word[i]) {
        i++;
    }
    return i == n;
}

static int is(struct regret_span s, const char *word)
{
    return s.length == strlen(word) && begins(s, word);
}

static int has(struct regret_span s, const char *word)
{
    for (size_t i = 0; i < s.length; i++) {
        if (begins((struct regret_span){s.text + i, s.length - i}, word)) {
            return 1;
        }
    }
    return 0;
}

static int is_one_of(struct regret_span s, const char *const *words, size_t n,
                     int (*test)(struct regret_span, const char *))
{
    for (size_t i = 0; i < n; i++) {
        if (test(s, words[i])) {
            return 1;
        }
    }
    return 0;
}

static int is_test_folder(struct regret_span name)
{
    static const char *const NAMES[] = {"test", "tests", "testing", "__tests__", "spec"};
    return is_one_of(name, NAMES, sizeof NAMES / sizeof *NAMES, is);
}

static int is_test_name(struct regret_span name)
{
    static const char *const STARTS[] = {"test.", "tests.", "test_", "tests_"};
    static const char *const PARTS[] = {"_test.", "_tests.", ".test.", ".spec.", "_spec."};
    return is(name, "conftest.py") ||
           is_one_of(name, STARTS, sizeof STARTS / sizeof *STARTS, begins) ||
           is_one_of(name, PARTS, sizeof PARTS / sizeof *PARTS, has);
}

int regret_path_is_test(struct regret_span path)
{
    size_t start = 0;
    for (size_t i = 0; i < path.length; i++) {
        if (path.text[i] == '/') {
            if (is_test_folder((struct regret_span){path.text + start, i - start})) {
                return 1;
            }
            start = i + 1;
        }
    }
    return is_test_name((struct regret_span){path.text + start, path.length - start});
}
