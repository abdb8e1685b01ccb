#include "model/requests/columns.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "import/profile/column_names.h"
#include "regret/buffer.h"

/* "id", "prompt_id", "requestId". */
static int ends_in_id(const char *name)
{
    size_t n = strlen(name);
    return n >= 2 && strcasecmp(name + n - 2, "id") == 0 &&
           (n == 2 || !isalpha((unsigned char)name[n - 3]) || name[n - 2] == 'I');
}

/* How surely a name is of a role: 0 not at all. */
static int fits(const char *name, enum request_role role)
{
    switch (role) {
    case REQUEST_TEXT:
        return strcasecmp(name, "text") == 0 || strcasecmp(name, "prompt") == 0 ? 2
               : ends_in_id(name)                                               ? 0
                                  : column_words(name, GUESS_TEXT) > 0;
    case REQUEST_ID:
        return strcasecmp(name, "id") == 0 ? 2 : ends_in_id(name);
    default:
        return strcasecmp(name, "tag") == 0 ? 2
               : ends_in_id(name)           ? 0
                                            : column_words(name, GUESS_TAG) > 0;
    }
}

/* What is left of a pool's name behind that of a column or an object; " ": it begins otherwise. */
static const char *rest_of(const char *name, const char *of_pool)
{
    while (*name != '\0' &&
           (*name == *of_pool || (*of_pool == '_' && !isalnum((unsigned char)*name)))) {
        name++;
        of_pool++;
    }
    return *name == '\0' ? of_pool : " ";
}

static int fail_twice(const char *name, const char *other, struct regret_place at)
{
    return regret_json_error(at,
                             "column \"%.40s\" is given twice, as \"%.40s\", too; rename one, or "
                             "take it out",
                             name, other);
}

int request_column_find(size_t *column, const char *const *names, size_t n, const char *of_pool,
                        struct regret_place at)
{
    *column = n;
    for (size_t k = 0; k < n; k++) {
        if (*rest_of(names[k], of_pool) == '\0') {
            TRY(*column == n ? REGRET_OK : fail_twice(names[*column], names[k], at));
            *column = k;
        }
    }
    return REGRET_OK;
}

int request_field_find(const cJSON **field, const cJSON *record, const char *of_pool,
                       struct regret_place at)
{
    const cJSON *f = NULL;
    char place[24];
    size_t i = 0;
    cJSON_ArrayForEach(f, record)
    {
        if (f->string == NULL) { /* in a list */
            snprintf(place, sizeof place, "%zu", i++);
        }
        const char *name = f->string != NULL ? f->string : place, *rest = rest_of(name, of_pool);
        if (*rest == '\0') {
            TRY(*field == NULL ? REGRET_OK : fail_twice(of_pool, name, at));
            *field = f;
        } else if (*rest == '.') {
            TRY(request_field_find(field, f, rest + 1, at));
        }
    }
    return REGRET_OK;
}

static int fail_with_names(const char *const *names, size_t n, struct regret_place at,
                           const char *what, const char *remedy)
{
    FREED_BY(regret_buffer_free) struct regret_buffer list = REGRET_BUFFER_INIT;
    for (size_t i = 0; i < n && i < 12; i++) {
        regret_buffer_append(&list, i > 0 ? ", " : "");
        regret_buffer_append_safe(&list, names[i], 40);
    }
    regret_buffer_append(&list, n > 12 ? ", …" : "");
    return regret_buffer_status(&list) != REGRET_OK
               ? regret_buffer_status(&list)
               : regret_json_error(at, "%s (there are: %s); %s", what, regret_buffer_get(&list),
                                   remedy);
}

static int find_named(size_t *column, const char *const *names, size_t n, const char *wanted,
                      struct regret_place at)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(names[i], wanted) == 0) {
            *column = i;
            return REGRET_OK;
        }
    }
    char what[256];
    snprintf(what, sizeof what, "there is no column \"%.200s\"", wanted);
    return fail_with_names(names, n, at, what, "name one that is there");
}

/* The one that fits best; of several that fit alike the first, but of texts none. */
static int guess(size_t *column, const char *const *names, size_t n, enum request_role role,
                 struct regret_place at)
{
    int best = 0;
    size_t alike = 0;
    for (size_t i = 0; i < n; i++) {
        int fit = fits(names[i], role);
        alike = fit > best ? 1 : alike + (fit == best && fit > 0);
        *column = fit > best ? i : *column;
        best = fit > best ? fit : best;
    }
    int is_json = n > 0 && names[0][0] == '{';
    if (role == REQUEST_TEXT && (best == 0 || is_json)) {
        return fail_with_names(
            names, n, at, "no column is called like the text of a request",
            is_json ? "lines of JSON want --new-format jsonl"
                    : "call it \"text\" or \"prompt\" in the first line, or name it with "
                      "--new-text COLUMN");
    }
    return role == REQUEST_TEXT && best < 2 && alike > 1
               ? fail_with_names(names, n, at, "more than one column may be the text of a request",
                                 "say which with --new-text COLUMN")
               : REGRET_OK;
}

int request_columns_find(size_t column[REQUEST_ROLES], const char *const *names, size_t n,
                         const struct regret_requests_options *options, struct regret_place at)
{
    const char *const wanted[REQUEST_ROLES] = {options->text, options->id, options->tag};
    for (int r = 0; r < REQUEST_ROLES; r++) {
        column[r] = REQUEST_NO_COLUMN;
        TRY(wanted[r] != NULL ? find_named(&column[r], names, n, wanted[r], at)
                              : guess(&column[r], names, n, (enum request_role)r, at));
    }
    return REGRET_OK;
}
