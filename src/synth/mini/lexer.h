/* Tokens of mini, a small imperative language with the syntax of Python (mini.h). The mutations of
 * programs work on tokens too. */
#ifndef REGRET_SYNTH_MINI_LEXER_H
#define REGRET_SYNTH_MINI_LEXER_H

#include <stddef.h>

enum { MINI_MAX_INDENTS = 24 };

enum mini_token_kind {
    MINI_END,
    MINI_NEWLINE,
    MINI_INDENT,
    MINI_DEDENT,
    MINI_NAME, /* keywords too */
    MINI_INT,
    MINI_STRING, /* with its quotes */
    MINI_SIGN,
    MINI_BAD /* the lexer's `error` says why; every later token is bad as well */
};

struct mini_token {
    enum mini_token_kind kind;
    const char *start; /* into the source */
    size_t length;
    int line; /* from 1 */
};

struct mini_lexer {
    const char *at;
    int line;
    int brackets;   /* open ones: line breaks inside do not count */
    int fresh;      /* at the beginning of a line */
    int unfinished; /* code since the last NEWLINE */
    int dedents;    /* still to hand out */
    int n_indents;  /* open blocks, the whole file included */
    int indents[MINI_MAX_INDENTS];
    int blocks; /* 0: no NEWLINE, INDENT, DEDENT; a single line is lexed */
    const char *error;
};

/* `text` must end in a zero and outlive the tokens. Comments and blank lines make no tokens. */
void mini_lexer_begin(struct mini_lexer *lexer, const char *text);
/* For one line, or an expression: no NEWLINE, INDENT or DEDENT. */
void mini_lexer_begin_line(struct mini_lexer *lexer, const char *text);
struct mini_token mini_lexer_next(struct mini_lexer *lexer);

/* Is the token exactly `text`? Strings never are. */
int mini_token_is(const struct mini_token *token, const char *text);
/* Is the name a keyword of the language? */
int mini_is_keyword(const struct mini_token *token);

#endif
