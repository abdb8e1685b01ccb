/* A reader of JSON and Python literals that keeps nothing but the lengths of four lists. */
#include <string.h>

#include "base/core/try.h"
#include "base/text/spans.h"
#include "import/swebench/swebench.h"

enum { MAX_DEPTH = 64 };

/* Where a value stands. */
enum role { ANYWHERE, FAIL_TO_PASS, PASS_TO_PASS, COUNTED };

struct literal {
    const char *begin, *at, *end;
    int seen[2];                     /* FAIL_TO_PASS and PASS_TO_PASS were there */
    size_t success, failure, others; /* items under these keys, and elsewhere */
    size_t *count;                   /* for the value in role COUNTED */
};

static int wrong(const struct literal *p, const char *wanted)
{
    return regret_fail(REGRET_E_INPUT, "byte %zu: %s is missing", (size_t)(p->at - p->begin) + 1,
                       wanted);
}

static int is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Passes white space; the next byte, or 0 at the end. */
static char peek(struct literal *p)
{
    while (p->at < p->end && memchr(" \t\r\n", *p->at, 4) != NULL) {
        p->at++;
    }
    return p->at < p->end ? *p->at : '\0';
}

static int parse_string(struct literal *p, struct regret_span *out)
{
    char quote = *p->at++;
    const char *start = p->at;
    while (p->at < p->end && *p->at != quote) {
        p->at += *p->at == '\\' && p->at + 1 < p->end ? 2 : 1;
    }
    if (p->at >= p->end) {
        return wrong(p, "the end of a string");
    }
    *out = (struct regret_span){start, (size_t)(p->at++ - start)};
    return REGRET_OK;
}

/* True, null, -1.5e3, and the prefix of a string such as b'…'. */
static int parse_word(struct literal *p)
{
    static const char *const NAMES[] = {"True", "False", "None", "true",     "false",
                                        "null", "nan",   "NaN",  "Infinity", "inf"};
    struct regret_span string;
    const char *start = p->at;
    p->at += *p->at == '-' || *p->at == '+';
    const char *word = p->at;
    while (p->at < p->end && (is_name(*p->at) || *p->at == '.' ||
                              ((*p->at == '-' || *p->at == '+') && (p->at[-1] | 32) == 'e'))) {
        p->at++;
    }
    size_t n = (size_t)(p->at - word);
    if (n > 0 && n <= 2 && p->at < p->end && (*p->at == '\'' || *p->at == '"') &&
        strspn(word, "bBrRuU") >= n) {
        return parse_string(p, &string);
    }
    if (n > 0 && ((*word >= '0' && *word <= '9') || (*word == '.' && n > 1))) {
        return REGRET_OK;
    }
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        if (strlen(NAMES[i]) == n && memcmp(NAMES[i], word, n) == 0) {
            return REGRET_OK;
        }
    }
    p->at = start;
    return wrong(p, "a value of JSON or Python");
}

static int parse_value(struct literal *p, enum role role, int depth);

/* After an item: 1 when another may follow. */
static int parse_comma(struct literal *p, char close, int *more)
{
    char c = peek(p);
    *more = c == ',';
    if (c != ',' && c != close) {
        return wrong(p, "a comma or the closing bracket");
    }
    p->at++;
    return REGRET_OK;
}

/* The role of the value under `key` in a map in role `role`. */
static enum role role_of(struct literal *p, enum role role, struct regret_span key)
{
    if (span_is(key, "FAIL_TO_PASS") || span_is(key, "PASS_TO_PASS")) {
        enum role tests = key.text[0] == 'F' ? FAIL_TO_PASS : PASS_TO_PASS;
        p->seen[tests - FAIL_TO_PASS] = 1;
        return tests;
    }
    if ((role == FAIL_TO_PASS || role == PASS_TO_PASS) &&
        (span_is(key, "success") || span_is(key, "failure"))) {
        p->count = key.text[0] == 's' ? &p->success : &p->failure;
        return COUNTED;
    }
    return ANYWHERE;
}

static int parse_items(struct literal *p, enum role role, char close, int depth)
{
    size_t *count = role == COUNTED ? p->count : &p->others;
    int more = 1;
    while (more) {
        char c = peek(p);
        if (c == close) { /* empty, or after a last comma */
            p->at++;
            return REGRET_OK;
        }
        struct regret_span key = {NULL, 0};
        TRY(c == '\'' || c == '"' ? parse_string(p, &key) : parse_value(p, ANYWHERE, depth));
        if (close == '}' && peek(p) == ':') {
            p->at++;
            TRY(parse_value(p, key.text != NULL ? role_of(p, role, key) : ANYWHERE, depth));
        }
        ++*count;
        TRY(parse_comma(p, close, &more));
    }
    return REGRET_OK;
}

static int parse_value(struct literal *p, enum role role, int depth)
{
    static const char OPEN[] = "[({", CLOSE[] = "])}";
    struct regret_span string;
    char c = peek(p);
    const char *open = c != '\0' ? strchr(OPEN, c) : NULL;
    if (depth == MAX_DEPTH) {
        return regret_fail(REGRET_E_INPUT, "has more than %d levels of brackets", MAX_DEPTH);
    }
    if (open != NULL) {
        p->at++;
        return parse_items(p, role, CLOSE[open - OPEN], depth + 1);
    }
    if (p->at >= p->end) {
        return wrong(p, "a value");
    }
    return c == '\'' || c == '"' ? parse_string(p, &string) : parse_word(p);
}

int swebench_verdict(int *verdict, const char *text, size_t length)
{
    struct literal p = {.begin = text, .at = text, .end = text + length};
    *verdict = -1;
    if (peek(&p) == '\0' && p.at == p.end) {
        return REGRET_OK;
    }
    TRY(parse_value(&p, ANYWHERE, 0));
    peek(&p);
    if (p.at < p.end) {
        return wrong(&p, "the end of the value");
    }
    if (p.seen[0] && p.seen[1] && p.success + p.failure > 0) {
        *verdict = p.failure == 0;
    }
    return REGRET_OK;
}
