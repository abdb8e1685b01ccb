/* mini: a small imperative language with the syntax of Python, and its interpreter.
 *
 * A program is a set of modules (files). A module has `from path.to.module import name, …`,
 * constants (NAME = expression, evaluated at each use), functions, and bare expressions, which are
 * parsed and never run (scripts, docstrings). Functions have statements: assignment to a name or an
 * element, += -= *=, if/elif/else, while, for … in, return, break, continue, pass, assert, raise,
 * try/except (any exception), expressions. Expressions: integers of 64 bits, strings without
 * escapes, True, False, None, lists; or, and, not, comparisons and chains of them, in, not in, is,
 * + - * // %, unary minus, `a if c else b`, indexing and slicing with negative indices, calls, and
 * methods of strings and lists. Functions built in: len, range, min, max, abs, sum, str, int, bool,
 * sorted, reversed, list, ord, chr, print (which prints nothing). Results are those of Python 3,
 * the language of which this is a subset, except where a limit or 64 bits end it, and that a local
 * name without a value is a NameError.
 *
 * Programs are other people's: every limit is checked, and neither a program nor its input can
 * crash, hang or eat the interpreter. */
#ifndef REGRET_SYNTH_MINI_MINI_H
#define REGRET_SYNTH_MINI_MINI_H

#include <stddef.h>

#include "regret/status.h"

enum {
    MINI_MAX_SOURCE_BYTES = 1 << 20, /* of one module */
    MINI_MAX_NESTING = 60,           /* of expressions and blocks in the text */
    MINI_MAX_PARAMETERS = 8,
    MINI_MAX_LOCALS = 32
};

struct mini_source {
    const char *path; /* "shop/cart.py" is the module shop.cart */
    const char *text;
};

struct mini_limits {
    size_t steps; /* expressions and statements evaluated */
    size_t depth; /* calls within calls */
    size_t bytes; /* of values made */
};
#define MINI_LIMITS_INIT                                                                           \
    {                                                                                              \
        20000, 40, 1 << 18                                                                         \
    }

struct mini_program;

/* Parses the modules; the sources are not needed afterwards. REGRET_E_INPUT names file, line and
 * what is wrong: a syntax error, an import of what is not there, too much nesting. */
int mini_parse(struct mini_program **out, const struct mini_source *sources, size_t n);
void mini_free(struct mini_program *program);

struct mini_result {
    int raised; /* 1: the program raised; `text` is "IndexError: list index out of range" … */
    char *text; /* else the value as Python's repr() writes it; owned */
    size_t steps;
};

/* Evaluates an expression with the names of module `path` in scope. REGRET_E_INPUT when the
 * expression does not parse or there is no such module; what the program does wrong, limits
 * included, is a result and not an error. The caller frees result->text with regret_free(). */
int mini_evaluate(struct mini_result *out, const struct mini_program *program, const char *path,
                  const char *expression, const struct mini_limits *limits);

#endif
