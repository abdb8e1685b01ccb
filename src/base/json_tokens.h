/* Tokens of JSON, by the byte. */
#ifndef BASE_JSON_TOKENS_H
#define BASE_JSON_TOKENS_H

#include <stddef.h>
#include <string.h>

#include "base/json.h"
#include "regret/status.h"

enum {
    JSON_MAX_NUMBER = 63 /* bytes of a number; the reader of documents holds no longer one */
};

/* A text being read: what is left of it. */
struct json_tokens {
    const char *at, *end;
    enum regret_json_mode mode; /* of import: escapes for no character are no fault */
};

enum json_kind {
    JSON_END,    /* of the text */
    JSON_MARK,   /* one of [ ] { } , : */
    JSON_STRING, /* with its quotes */
    JSON_NUMBER,
    JSON_WORD,     /* true, false, null */
    JSON_NOTHING,  /* NaN, Infinity, -Infinity, as other programs write them; no JSON */
    JSON_FORBIDDEN /* any other byte, alone */
};

/* Of several faults in one token the last of these, and of its kind the first, is the one noted. */
enum json_fault {
    JSON_NO_FAULT,
    JSON_BAD_ESCAPE,  /* an escape that JSON does not have */
    JSON_CUT,         /* the text ends before the string does */
    JSON_BAD_NUMBER,  /* 03, 1., -, 1x */
    JSON_NO_CHARACTER /* a control character, which must be escaped; unless importing an escape that
                         stands for no character: \u0000, half a surrogate pair */
};

struct json_token {
    enum json_kind kind;
    enum json_fault fault;
    const char *begin, *end;
    const char *where; /* the byte of the fault; NULL: none */
    double number;     /* of a number without a fault, as json_take_number() has it; else 0 */
};

/* The next token, behind blanks and before the text's next byte. At its end, one of JSON_END that is
 * empty. */
struct json_token json_next(struct json_tokens *t);

/* The first of the marks `ends` from *at on, in *depth brackets, that stands outside of brackets and strings: where a value ends.
 * NULL where the text ends first; *at is then where to go on once there is more of it. */
const char *json_find_mark(const char **at, const char *end, const char *ends, size_t *depth);

/* The string at t->at, between its quotes, or 0 where there is none, or one with a fault or invalid
 * UTF-8. *is_escaped: its value is what json_unescape() makes of it. */
int json_take_string(struct json_tokens *t, struct regret_span *out, int *is_escaped);

/* The value of what stands between the quotes of a string without a fault: its bytes are written to
 * `out`, which has room for as many as are read, and counted. An escape that stands for no character is
 * U+FFFD. */
size_t json_unescape(char *out, struct regret_span string);

/* The number at t->at as strtod() has it (infinite beyond the largest double), or 0 where there is none
 * or one of more than JSON_MAX_NUMBER bytes. What follows it is not looked at. */
int json_take_number(struct json_tokens *t, double *out);

/* Behind the value that the byte at p (not the end) begins, by quotes and brackets alone: its text is
 * for others to judge. NULL when it does not end. */
const char *json_skip_value(const char *p, const char *end);

/* The column of a byte of the text: characters from the beginning of its line, from 1; a byte order
 * mark at the beginning of the text is none. Linear in the line. */
size_t json_column(const char *text, const char *at);

static inline int json_is_blank(char c)
{
    return (unsigned char)c <= ' ' && (c == ' ' || c == '\n' || c == '\t' || c == '\r');
}

/* Past blanks. */
static inline const char *json_skip_blank(const char *p, const char *end)
{
    while (p < end && json_is_blank(*p)) {
        p++;
    }
    return p;
}

/* Past a byte order mark at the beginning of a text, which is no part of it. */
static inline const char *json_skip_mark(const char *p, const char *end)
{
    return end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0 ? p + 3 : p;
}

/* One of the words true, false, null, NaN, … Inline: the length is then known to the compiler. */
static inline int json_take_word(struct json_tokens *t, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(t->end - t->at) < length || memcmp(t->at, word, length) != 0) {
        return 0;
    }
    t->at += length;
    return 1;
}

static inline int json_is_mark(const struct json_token *token, char mark)
{
    return token->kind == JSON_MARK && *token->begin == mark;
}

#endif
