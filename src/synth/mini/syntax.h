/* The syntax tree. Everything lives in the arena of the program. */
#ifndef REGRET_SYNTH_MINI_SYNTAX_H
#define REGRET_SYNTH_MINI_SYNTAX_H

#include <stdint.h>

#include "synth/data/arena.h"
#include "synth/mini/lexer.h"
#include "synth/mini/mini.h"

enum mini_kind {
    /* expressions */
    MINI_NUMBER,     /* number */
    MINI_TEXT,       /* text */
    MINI_CONSTANT,   /* number: 0 False, 1 True, 2 None */
    MINI_VARIABLE,   /* text */
    MINI_LIST,       /* body: elements */
    MINI_ELEMENT,    /* left[right] */
    MINI_SLICE,      /* left[right:third], either end may be NULL */
    MINI_CALL,       /* text(body) */
    MINI_METHOD,     /* left.text(body) */
    MINI_MINUS,      /* -left */
    MINI_NOT,        /* not left */
    MINI_AND,        /* left and right */
    MINI_OR,         /* left or right */
    MINI_ARITHMETIC, /* left op right: '+' '-' '*' '/' (floor) '%' */
    MINI_COMPARE,    /* left op right: enum mini_comparison */
    MINI_CHOICE,     /* left if third else right */
    /* statements */
    MINI_ASSIGN,     /* left = right */
    MINI_AUGMENT,    /* left op= right */
    MINI_EXPRESSION, /* left */
    MINI_RETURN,     /* left, may be NULL */
    MINI_IF,         /* if left: body; else: other */
    MINI_WHILE,      /* while left: body */
    MINI_FOR,        /* for text in left: body */
    MINI_BREAK,
    MINI_CONTINUE,
    MINI_PASS,
    MINI_ASSERT, /* left */
    MINI_RAISE,  /* text: the name of the exception; left: its argument, may be NULL */
    MINI_TRY     /* body; other */
};

enum mini_comparison { MINI_EQ, MINI_NE, MINI_LT, MINI_LE, MINI_GT, MINI_GE, MINI_IN, MINI_NOT_IN };

struct mini_node {
    enum mini_kind kind;
    int op;
    int64_t number;
    const char *text; /* zero-terminated */
    struct mini_node *left, *right, *third;
    struct mini_node *body, *other; /* lists */
    struct mini_node *next;         /* in a list */
};

struct mini_function {
    const char *name;
    const char *parameters[MINI_MAX_PARAMETERS];
    size_t n_parameters;
    struct mini_node *body;
    const struct mini_module *module;
    struct mini_function *next;
};

struct mini_import {
    const char *module, *name;
    int line;
    const struct mini_module *from; /* set when the program is linked */
    struct mini_import *next;
};

struct mini_module {
    const char *path; /* "shop/cart.py" */
    const char *name; /* "shop.cart" */
    struct mini_function *functions;
    struct mini_node *constants; /* assignments */
    struct mini_import *imports;
};

struct mini_program {
    struct arena arena;
    struct mini_module *modules;
    size_t n_modules;
};

struct mini_parser {
    struct arena *arena;
    struct mini_lexer lexer;
    struct mini_token token; /* the present one */
    const char *path;        /* for messages */
    int nesting;
    int status;             /* sticky; the first error has its message */
    struct mini_node spare; /* what is read after an error, to be filled in and forgotten */
};

void mini_parser_begin(struct mini_parser *p, struct arena *arena, const char *path,
                       const char *text, int line_only);
/* Each returns NULL after an error; p->status says which. */
struct mini_node *mini_parse_expression(struct mini_parser *p);
/* Reads a whole module into *module (path set by the caller). */
int mini_parse_module(struct mini_parser *p, struct mini_module *module);

/* The parser's small tools. */
int mini_parser_fail(struct mini_parser *p, const char *what);
void mini_parser_next(struct mini_parser *p);
int mini_parser_at(const struct mini_parser *p, const char *text);
int mini_parser_accept(struct mini_parser *p, const char *text);
void mini_parser_expect(struct mini_parser *p, const char *text);
void mini_parser_end_line(struct mini_parser *p);
const char *mini_parser_word(struct mini_parser *p); /* a name that is no keyword; moves on */
const char *mini_parser_copy(struct mini_parser *p, const char *text, size_t length);
/* Never NULL. */
struct mini_node *mini_parser_node(struct mini_parser *p, enum mini_kind kind);
/* One level deeper, which the caller leaves by p->nesting--: the text must not be nested too deeply. */
void mini_parser_enter(struct mini_parser *p);

#endif
