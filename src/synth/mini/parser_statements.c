/* Statements and modules. */
#include <string.h>

#include "synth/mini/syntax.h"

static struct mini_node *with_left(struct mini_parser *p, enum mini_kind kind,
                                   struct mini_node *left)
{
    struct mini_node *node = mini_parser_node(p, kind);
    node->left = left;
    return node;
}

static struct mini_node *block(struct mini_parser *p);

/* ':' and an indented block, or ':' and one simple statement on the same line. */
static struct mini_node *suite(struct mini_parser *p)
{
    mini_parser_expect(p, ":");
    return block(p);
}

/* After `if` or `elif` has been read. */
static struct mini_node *if_statement(struct mini_parser *p)
{
    mini_parser_enter(p);
    struct mini_node *node = with_left(p, MINI_IF, mini_parse_expression(p));
    node->body = suite(p);
    if (mini_parser_accept(p, "elif")) {
        node->other = if_statement(p);
    } else if (mini_parser_accept(p, "else")) {
        node->other = suite(p);
    }
    p->nesting--;
    return node;
}

static struct mini_node *loop_statement(struct mini_parser *p, enum mini_kind kind)
{
    const char *variable = NULL;
    if (kind == MINI_FOR) {
        variable = mini_parser_word(p);
        mini_parser_expect(p, "in");
    }
    struct mini_node *node = with_left(p, kind, mini_parse_expression(p));
    node->text = variable;
    node->body = suite(p);
    return node;
}

static struct mini_node *try_statement(struct mini_parser *p)
{
    struct mini_node *node = mini_parser_node(p, MINI_TRY);
    node->body = suite(p);
    mini_parser_expect(p, "except");
    if (!mini_parser_at(p, ":")) {
        mini_parser_word(p); /* any exception is meant, whatever is named */
    }
    node->other = suite(p);
    return node;
}

static struct mini_node *raise_statement(struct mini_parser *p)
{
    struct mini_node *node = mini_parser_node(p, MINI_RAISE);
    node->text = mini_parser_word(p);
    if (mini_parser_accept(p, "(")) {
        node->left = mini_parser_at(p, ")") ? NULL : mini_parse_expression(p);
        mini_parser_expect(p, ")");
    }
    return node;
}

static struct mini_node *assignment_or_expression(struct mini_parser *p)
{
    static const char *const signs[] = {"+=", "-=", "*="};
    struct mini_node *target = mini_parse_expression(p), *node = NULL;
    if (target == NULL) {
        return NULL;
    }
    int op = 0;
    for (int i = 0; op == 0 && i < 3; i++) {
        op = mini_parser_accept(p, signs[i]) ? "+-*"[i] : 0;
    }
    if (op == 0 && !mini_parser_accept(p, "=")) {
        return with_left(p, MINI_EXPRESSION, target);
    }
    if (target->kind != MINI_VARIABLE && target->kind != MINI_ELEMENT) {
        mini_parser_fail(p, "cannot assign to that");
        return NULL;
    }
    node = with_left(p, op == 0 ? MINI_ASSIGN : MINI_AUGMENT, target);
    node->op = op;
    node->right = mini_parse_expression(p);
    return node;
}

static struct mini_node *simple_statement(struct mini_parser *p)
{
    struct mini_node *node = NULL;
    if (mini_parser_accept(p, "return")) {
        node = with_left(p, MINI_RETURN,
                         p->token.kind == MINI_NEWLINE ? NULL : mini_parse_expression(p));
    } else if (mini_parser_accept(p, "break")) {
        node = mini_parser_node(p, MINI_BREAK);
    } else if (mini_parser_accept(p, "continue")) {
        node = mini_parser_node(p, MINI_CONTINUE);
    } else if (mini_parser_accept(p, "pass")) {
        node = mini_parser_node(p, MINI_PASS);
    } else if (mini_parser_accept(p, "assert")) {
        node = with_left(p, MINI_ASSERT, mini_parse_expression(p));
    } else if (mini_parser_accept(p, "raise")) {
        node = raise_statement(p);
    } else {
        node = assignment_or_expression(p);
    }
    mini_parser_end_line(p);
    return node;
}

static struct mini_node *statement(struct mini_parser *p)
{
    if (mini_parser_accept(p, "if")) {
        return if_statement(p);
    }
    if (mini_parser_accept(p, "while")) {
        return loop_statement(p, MINI_WHILE);
    }
    if (mini_parser_accept(p, "for")) {
        return loop_statement(p, MINI_FOR);
    }
    if (mini_parser_accept(p, "try")) {
        return try_statement(p);
    }
    return simple_statement(p);
}

static struct mini_node *block(struct mini_parser *p)
{
    struct mini_node *first = NULL, **end = &first;
    if (p->token.kind != MINI_NEWLINE) {
        return simple_statement(p);
    }
    mini_parser_end_line(p);
    if (p->token.kind != MINI_INDENT || ++p->nesting > MINI_MAX_NESTING) {
        mini_parser_fail(p, p->token.kind != MINI_INDENT ? "expected an indented block"
                                                         : "nested too deeply");
        return NULL;
    }
    mini_parser_next(p);
    while (p->status == REGRET_OK && p->token.kind != MINI_DEDENT) {
        *end = statement(p);
        if (*end != NULL) {
            end = &(*end)->next;
        }
    }
    mini_parser_next(p);
    p->nesting--;
    return p->status == REGRET_OK ? first : NULL;
}

static void parameters(struct mini_parser *p, struct mini_function *function)
{
    mini_parser_expect(p, "(");
    while (p->status == REGRET_OK && !mini_parser_at(p, ")")) {
        if (function->n_parameters == MINI_MAX_PARAMETERS) {
            mini_parser_fail(p, "too many parameters");
            return;
        }
        function->parameters[function->n_parameters++] = mini_parser_word(p);
        if (!mini_parser_accept(p, ",")) {
            break;
        }
    }
    mini_parser_expect(p, ")");
}

static void function(struct mini_parser *p, struct mini_module *module)
{
    struct mini_function *made = arena_take(p->arena, sizeof *made);
    if (made == NULL) {
        mini_parser_fail(p, "a program too large");
        return;
    }
    made->name = mini_parser_word(p);
    made->module = module;
    parameters(p, made);
    made->body = suite(p);
    /* A later definition of the same name hides the earlier one. */
    made->next = module->functions;
    module->functions = made;
}

/* from a.b import c, d */
static void import(struct mini_parser *p, struct mini_module *module)
{
    const char *start = p->token.start, *end;
    do {
        end = p->token.start + p->token.length;
        mini_parser_word(p);
    } while (mini_parser_accept(p, "."));
    const char *name = mini_parser_copy(p, start, (size_t)(end - start));
    mini_parser_expect(p, "import");
    do {
        struct mini_import *made = arena_take(p->arena, sizeof *made);
        if (made == NULL) {
            mini_parser_fail(p, "a program too large");
            return;
        }
        *made = (struct mini_import){.module = name, .line = p->token.line};
        made->name = mini_parser_word(p);
        made->next = module->imports;
        module->imports = made;
    } while (mini_parser_accept(p, ","));
    mini_parser_end_line(p);
}

int mini_parse_module(struct mini_parser *p, struct mini_module *module)
{
    while (p->status == REGRET_OK && p->token.kind != MINI_END) {
        if (mini_parser_accept(p, "def")) {
            function(p, module);
        } else if (mini_parser_accept(p, "from")) {
            import(p, module);
        } else {
            struct mini_node *node = assignment_or_expression(p);
            mini_parser_end_line(p);
            if (node != NULL && node->kind == MINI_ASSIGN && node->left->kind == MINI_VARIABLE) {
                node->next = module->constants;
                module->constants = node;
            } else if (node != NULL && node->kind != MINI_EXPRESSION) {
                mini_parser_fail(p, "a statement outside of any function");
            }
        }
    }
    return p->status;
}
