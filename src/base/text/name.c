#include "base/text/name.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/buffer.h"

static int has_same_words(const char *a, const char *b)
{
    static const char blanks[] = " \t\r\n";
    for (;;) {
        a += strspn(a, blanks);
        b += strspn(b, blanks);
        size_t n = strcspn(a, blanks);
        if (n != strcspn(b, blanks) || strncmp(a, b, n) != 0) {
            return 0;
        }
        if (n == 0) {
            return 1;
        }
        a += n;
        b += n;
    }
}

size_t name_find(const char *const *names, size_t n, const char *name)
{
    size_t same = n;
    for (size_t i = 0; i < n; i++) {
        if (names[i] != NULL && strcmp(names[i], name) == 0) {
            return i;
        }
        same = same == n && names[i] != NULL && has_same_words(names[i], name) ? i : same;
    }
    return same;
}

int name_is_plain(const char *name, size_t most)
{
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    return name != NULL && name[0] >= 'a' && name[strspn(name, LETTERS)] == '\0' &&
           strlen(name) <= most;
}

enum { MAX_WORD = 64 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Letters to change, add, leave out or swap with the next to make `b` of `a` (optimal string alignment),
 * of words of at most MAX_WORD bytes. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t rows[3][MAX_WORD + 1]; /* of the last three letters of `a`: row i is rows[i % 3] */
    size_t n = strlen(a), m = strlen(b);
    for (size_t j = 0; j <= m; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= n; i++) {
        size_t *row = rows[i % 3];
        const size_t *last = rows[(i - 1) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            row[j] = least(last[j - 1] + (a[i - 1] != b[j - 1]), least(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = least(row[j], before[j - 2] + 1);
            }
        }
    }
    return rows[n % 3][m];
}

const char *name_nearest(const char *word, const char *const *known, size_t n)
{
    if (strlen(word) > MAX_WORD) {
        return NULL;
    }
    const char *best = NULL;
    size_t best_distance = SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        if (strlen(known[i]) > MAX_WORD) {
            continue;
        }
        size_t distance = edit_distance(word, known[i]);
        if (distance < best_distance) {
            best_distance = distance;
            best = known[i];
        }
    }
    return best != NULL && best_distance * 3 <= strlen(word) + 2 ? best : NULL;
}

char *name_fold(const char *name)
{
    char *text = (char *)utf8proc_NFKC_Casefold((const utf8proc_uint8_t *)name), *to = text;
    for (const char *p = text; p != NULL && *p != '\0'; p++) {
        int is_inner = to > text && strchr("0123456789.", to[-1]) != NULL;
        int leads = *p == '0' && !is_inner && p[1] >= '0' && p[1] <= '9';
        if (!leads && strchr(" \t\r\n-_", *p) == NULL) {
            *to++ = *p;
        }
    }
    if (text != NULL) {
        *to = '\0';
    }
    return text;
}

const char NAME_TWINS[] = "differ in blanks, dashes, leading zeros, case or Unicode form alone: if "
                          "they are one, spell them alike";

int name_twins(const char *twin[2], const char *const *name, size_t n)
{
    char **folded = NULL;
    twin[0] = twin[1] = NULL;
    TRY(REGRET_NEW(&folded, n));
    for (size_t i = 0; i < n && twin[0] == NULL; i++) {
        folded[i] = name_fold(name[i]);
        for (size_t j = 0; j < i && folded[i] != NULL && twin[0] == NULL; j++) {
            if (folded[j] != NULL && strcmp(folded[i], folded[j]) == 0) {
                twin[0] = name[j];
                twin[1] = name[i];
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        free(folded[i]);
    }
    regret_free(folded);
    return REGRET_OK;
}

int name_unknown(const char *what, const char *word, const char *const *known, size_t n)
{
    struct regret_buffer list = REGRET_BUFFER_INIT;
    const char *near = name_nearest(word, known, n);
    for (size_t i = 0; i < n; i++) {
        regret_buffer_printf(&list, "%s%s", i > 0 ? ", " : "", known[i]);
    }
    int rc = regret_fail(REGRET_E_INPUT, "unknown %s \"%s\"; %s%s%sthere are %s", what, word,
                         near != NULL ? "did you mean \"" : "", near != NULL ? near : "",
                         near != NULL ? "\"? " : "", regret_buffer_get(&list));
    regret_buffer_free(&list);
    return rc;
}
