#include "synth/mini/lexer.h"

#include <string.h>

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

void mini_lexer_begin(struct mini_lexer *lexer, const char *text)
{
    *lexer = (struct mini_lexer){.at = text, .line = 1, .fresh = 1, .n_indents = 1, .blocks = 1};
}

void mini_lexer_begin_line(struct mini_lexer *lexer, const char *text)
{
    *lexer = (struct mini_lexer){.at = text, .line = 1, .n_indents = 1};
}

static struct mini_token token_of(const struct mini_lexer *lexer, enum mini_token_kind kind,
                                  size_t length)
{
    return (struct mini_token){kind, lexer->at, length, lexer->line};
}

static struct mini_token bad(struct mini_lexer *lexer, const char *why)
{
    lexer->error = why;
    return token_of(lexer, MINI_BAD, 0);
}

/* Skips blank lines and comments, then measures the indentation of the next line that has code.
 * Returns 1 when blocks open or close there: *out is the token. */
static int begin_line(struct mini_token *out, struct mini_lexer *lexer)
{
    int width = 0;
    for (;;) {
        width = (int)strspn(lexer->at, " ");
        lexer->at += width;
        if (*lexer->at == '#') {
            lexer->at += strcspn(lexer->at, "\n");
        }
        if (*lexer->at != '\n') {
            break;
        }
        lexer->at++;
        lexer->line++;
    }
    lexer->fresh = 0;
    width = *lexer->at == '\0' ? 0 : width;
    if (width > lexer->indents[lexer->n_indents - 1]) {
        if (lexer->n_indents == MINI_MAX_INDENTS) {
            *out = bad(lexer, "blocks nested too deeply");
            return 1;
        }
        lexer->indents[lexer->n_indents++] = width;
        *out = token_of(lexer, MINI_INDENT, 0);
        return 1;
    }
    while (width < lexer->indents[lexer->n_indents - 1]) {
        lexer->n_indents--;
        lexer->dedents++;
    }
    if (width != lexer->indents[lexer->n_indents - 1]) {
        *out = bad(lexer, "indentation that matches no outer block");
        return 1;
    }
    return 0;
}

static struct mini_token take(struct mini_lexer *lexer, enum mini_token_kind kind, size_t length)
{
    struct mini_token token = token_of(lexer, kind, length);
    lexer->at += length;
    return token;
}

static struct mini_token take_string(struct mini_lexer *lexer)
{
    const char quote = *lexer->at;
    const char *at = lexer->at + 1;
    if (at[0] == quote && at[1] == quote) {
        const char closing[] = {quote, quote, quote, '\0'};
        const char *end = strstr(at + 2, closing);
        if (end == NULL) {
            return bad(lexer, "a string that never ends");
        }
        struct mini_token token = take(lexer, MINI_STRING, (size_t)(end + 3 - lexer->at));
        for (size_t i = 0; i < token.length; i++) {
            lexer->line += token.start[i] == '\n';
        }
        return token;
    }
    while (*at != quote) {
        if (*at == '\0' || *at == '\n') {
            return bad(lexer, "a string that never ends");
        }
        if (*at == '\\') {
            return bad(lexer, "an escape in a string; mini has none");
        }
        at++;
    }
    return take(lexer, MINI_STRING, (size_t)(at + 1 - lexer->at));
}

static struct mini_token take_sign(struct mini_lexer *lexer)
{
    static const char *const two[] = {"==", "!=", "<=", ">=", "//", "+=", "-=", "*="};
    const char c = *lexer->at;
    for (size_t i = 0; i < sizeof two / sizeof two[0]; i++) {
        if (strncmp(lexer->at, two[i], 2) == 0) {
            return take(lexer, MINI_SIGN, 2);
        }
    }
    if (strchr("()[],:.=<>+-*%", c) == NULL) {
        return bad(lexer, "an unknown character");
    }
    lexer->brackets += c == '(' || c == '[';
    lexer->brackets -= c == ')' || c == ']';
    return take(lexer, MINI_SIGN, 1);
}

/* The end of the text closes the line and every block. */
static struct mini_token at_end(struct mini_lexer *lexer)
{
    if (lexer->blocks && lexer->unfinished) {
        lexer->unfinished = 0;
        lexer->fresh = 1;
        return token_of(lexer, MINI_NEWLINE, 0);
    }
    return token_of(lexer, MINI_END, 0);
}

/* Skips blanks, a comment, and line breaks inside brackets. */
static void skip_blanks(struct mini_lexer *lexer)
{
    for (;;) {
        lexer->at += strspn(lexer->at, " ");
        if (*lexer->at == '#') {
            lexer->at += strcspn(lexer->at, "\n");
        }
        if (*lexer->at != '\n' || (lexer->blocks && lexer->brackets <= 0)) {
            return;
        }
        lexer->at++;
        lexer->line++;
    }
}

struct mini_token mini_lexer_next(struct mini_lexer *lexer)
{
    struct mini_token token;
    if (lexer->error != NULL) {
        return bad(lexer, lexer->error);
    }
    if (lexer->blocks && lexer->fresh && begin_line(&token, lexer)) {
        return token;
    }
    if (lexer->dedents > 0) {
        lexer->dedents--;
        return token_of(lexer, MINI_DEDENT, 0);
    }
    skip_blanks(lexer);
    if (*lexer->at == '\0') {
        return at_end(lexer);
    }
    if (*lexer->at == '\n') {
        token = take(lexer, MINI_NEWLINE, 1);
        lexer->line++;
        lexer->fresh = 1;
        lexer->unfinished = 0;
        return token;
    }
    lexer->unfinished = 1;
    size_t length = 0;
    if (is_letter(*lexer->at)) {
        while (is_letter(lexer->at[length]) || is_digit(lexer->at[length])) {
            length++;
        }
        return take(lexer, MINI_NAME, length);
    }
    if (is_digit(*lexer->at)) {
        while (is_digit(lexer->at[length])) {
            length++;
        }
        return take(lexer, MINI_INT, length);
    }
    return *lexer->at == '"' || *lexer->at == '\'' ? take_string(lexer) : take_sign(lexer);
}

int mini_token_is(const struct mini_token *token, const char *text)
{
    return (token->kind == MINI_NAME || token->kind == MINI_SIGN) &&
           strlen(text) == token->length && memcmp(token->start, text, token->length) == 0;
}

int mini_is_keyword(const struct mini_token *token)
{
    static const char *const words[] = {"def",   "return", "if",   "elif",  "else",   "while",
                                        "for",   "in",     "not",  "and",   "or",     "break",
                                        "pass",  "assert", "try",  "is",    "except", "continue",
                                        "raise", "True",   "None", "False", "from",   "import"};
    if (token->kind != MINI_NAME) {
        return 0;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (mini_token_is(token, words[i])) {
            return 1;
        }
    }
    return 0;
}
