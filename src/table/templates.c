/* Functions of queries about templates: the parts of a text made by one, and texts and templates made of each other. */
#include <ctype.h>
#include <string.h>

#include "base/json_tokens.h"
#include "base/text.h"
#include "table/internal.h"

/* Behind the {name} at p; NULL: none is there. */
static const char *part_end(const char *p)
{
    const char *end = *p == '{' ? strchr(p, '}') : NULL;
    return end != NULL && end > p + 1 && strcspn(p + 1, "{") > (size_t)(end - p) - 1 ? end + 1
                                                                                     : NULL;
}

/* Each part once, with a text between two of them. */
static int is_template(const char *template)
{
    int after_part = 0, n = 0, is_good = 1;
    for (const char *p = template; *p != '\0' && is_good;) {
        const char *end = part_end(p);
        const char *again = end != NULL ? strstr(end, "{") : NULL;
        for (; again != NULL && is_good; again = strchr(again + 1, '{')) {
            is_good = strncmp(again, p, (size_t)(end - p)) != 0;
        }
        is_good = is_good && (end == NULL ? *p != '{' : !after_part);
        after_part = end != NULL;
        n += after_part;
        p = end != NULL ? end : p + 1;
    }
    return is_good && n > 0;
}

/* Where the text between two parts stands in the rest of a text, that after the last one at its end; NULL: nowhere. */
static const char *find_end(const char *rest, const char *text, size_t n, int is_last)
{
    size_t length = strlen(rest);
    if (is_last) {
        return length >= n && memcmp(rest + length - n, text, n) == 0 ? rest + length - n : NULL;
    }
    for (const char *end = rest; (size_t)(end - rest) + n <= length; end++) {
        if (memcmp(end, text, n) == 0) {
            return end;
        }
    }
    return NULL;
}

/* part(text, template, name): what stands in the place of {name} in a text that is made so; NULL: it is not, or has none. Each part
 * is the shortest text up to what follows it, and is not empty. */
static void part(sqlite3_context *c, int n, sqlite3_value **v)
{
    const char *rest = sql_span(v[0]).text, *template = sql_span(v[1]).text, *found = NULL;
    const struct regret_span name = sql_span(v[2]);
    size_t found_length = 0;
    (void)n;
    if (!is_template(template)) {
        sql_fail(
            c,
            "part(): '%.80s' must have parts such as {id}, each once, with a text between two of "
            "them",
            template);
        return;
    }
    for (const char *p = template; *p != '\0' && rest != NULL;) {
        const char *behind = part_end(p), *end = NULL;
        if (behind == NULL) {
            rest = *rest == *p++ ? rest + 1 : NULL;
            continue;
        }
        size_t between = strcspn(behind, "{");
        end = find_end(rest, behind, between, behind[between] == '\0');
        if (span_equal(name, (struct regret_span){p + 1, (size_t)(behind - p) - 2})) {
            found = rest;
            found_length = end != NULL ? (size_t)(end - rest) : 0;
        }
        rest = end == NULL || end == rest ? NULL : end + between;
        p = behind + between;
    }
    if (rest != NULL && *rest == '\0' && found != NULL) {
        sql_give_piece(c, found, found_length);
    }
}

/* render(template, vars): the plain text of a variable for {{name}}; what has none stays. */
static void render(sqlite3_context *c, int n, sqlite3_value **v)
{
    struct regret_buffer out = REGRET_BUFFER_INIT;
    struct regret_span template = sql_span(v[0]), vars = sql_span(v[1]), value;
    const char *p = template.text, *end = p + template.length;
    (void)n;
    if (sql_is_null(v[0])) {
        return;
    }
    for (const char *open = strstr(p, "{{"); open != NULL; open = strstr(p, "{{")) {
        const char *close = strstr(open, "}}"), *begin = json_skip_blank(open + 2, end),
                   *stop = close;
        if (close == NULL) {
            break;
        }
        while (stop > begin && json_is_blank(stop[-1])) {
            stop--;
        }
        struct regret_span name = {begin, stop > begin ? (size_t)(stop - begin) : 0};
        regret_buffer_append_n(&out, p, (size_t)(open - p));
        if (sql_find_member(&value, vars, name)) {
            sql_append_plain(&out, value);
        } else {
            regret_buffer_append_n(&out, open, (size_t)(close + 2 - open));
        }
        p = close + 2;
    }
    regret_buffer_append_n(&out, p, (size_t)(end - p));
    sql_give(c, &out);
}

static int is_in_word(char a, char b)
{
    return isalnum((unsigned char)a) && isalnum((unsigned char)b);
}

/* Puts "{{name}}" for a value wherever it stands in a text, whole words for whole words. */
static void put_back(struct regret_buffer *out, const char *text, const char *value,
                     struct regret_span name)
{
    size_t n = strlen(value);
    for (const char *p = text; *p != '\0';) {
        int is_here = n > 0 && strncmp(p, value, n) == 0 &&
                      !(p > text && is_in_word(p[-1], p[0])) && !is_in_word(p[n - 1], p[n]);
        regret_buffer_append(out, is_here ? "{{" : "");
        regret_buffer_append_n(out, is_here ? name.text : p, is_here ? name.length : 1);
        regret_buffer_append(out, is_here ? "}}" : "");
        p += is_here ? n : 1;
    }
}

/* unrender(text, vars): the template that a text was made by, as far as its variables tell. */
static void unrender(sqlite3_context *c, int n, sqlite3_value **v)
{
    struct regret_buffer out = REGRET_BUFFER_INIT;
    struct regret_span name, value;
    (void)n;
    if (sql_is_null(v[0])) {
        return;
    }
    regret_buffer_append(&out, sql_span(v[0]).text);
    for (int i = 0; sql_member_at(&name, &value, sql_span(v[1]), i); i++) {
        struct regret_buffer plain = REGRET_BUFFER_INIT, next = REGRET_BUFFER_INIT;
        sql_append_plain(&plain, value);
        put_back(&next, regret_buffer_get(&out), regret_buffer_get(&plain), name);
        regret_buffer_clear(&out);
        regret_buffer_append_n(&out, regret_buffer_get(&next), next.length);
        regret_buffer_free_into(&out, &plain);
        regret_buffer_free_into(&out, &next);
    }
    sql_give(c, &out);
}

const struct sql_function SQL_TEMPLATE_FUNCTIONS[] = {{"part", 3, 3, part},
                                                      {"render", 2, 2, render},
                                                      {"unrender", 2, 2, unrender},
                                                      {NULL, 0, 0, NULL}};
