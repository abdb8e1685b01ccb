/* The parser's tools and the expressions. */
#include <string.h>

#include "synth/mini/syntax.h"

int mini_parser_fail(struct mini_parser *p, const char *what)
{
    if (p->status == REGRET_OK && p->arena->status != REGRET_OK) {
        p->status = p->arena->status;
    } else if (p->status == REGRET_OK) {
        p->status = regret_fail(REGRET_E_INPUT, "%s:%d: %s", p->path, p->token.line, what);
    }
    return p->status;
}

void mini_parser_next(struct mini_parser *p)
{
    p->token = mini_lexer_next(&p->lexer);
    if (p->token.kind == MINI_BAD) {
        mini_parser_fail(p, p->lexer.error);
    }
}

void mini_parser_begin(struct mini_parser *p, struct arena *arena, const char *path,
                       const char *text, int line_only)
{
    *p = (struct mini_parser){.arena = arena, .path = path};
    if (line_only) {
        mini_lexer_begin_line(&p->lexer, text);
    } else {
        mini_lexer_begin(&p->lexer, text);
    }
    mini_parser_next(p);
}

int mini_parser_at(const struct mini_parser *p, const char *text)
{
    return p->status == REGRET_OK && mini_token_is(&p->token, text);
}

int mini_parser_accept(struct mini_parser *p, const char *text)
{
    if (!mini_parser_at(p, text)) {
        return 0;
    }
    mini_parser_next(p);
    return 1;
}

void mini_parser_expect(struct mini_parser *p, const char *text)
{
    if (!mini_parser_accept(p, text)) {
        mini_parser_fail(p, "invalid syntax");
    }
}

void mini_parser_end_line(struct mini_parser *p)
{
    if (p->token.kind != MINI_NEWLINE) {
        mini_parser_fail(p, "invalid syntax");
    } else {
        mini_parser_next(p);
    }
}

const char *mini_parser_copy(struct mini_parser *p, const char *text, size_t length)
{
    char *copy = arena_take(p->arena, length + 1);
    if (copy == NULL) {
        mini_parser_fail(p, "a program too large");
        return NULL;
    }
    memcpy(copy, text, length);
    return copy;
}

const char *mini_parser_word(struct mini_parser *p)
{
    if (p->status != REGRET_OK) {
        return NULL;
    }
    if (p->token.kind != MINI_NAME || mini_is_keyword(&p->token)) {
        mini_parser_fail(p, "invalid syntax, a name is missing");
        return NULL;
    }
    const char *word = mini_parser_copy(p, p->token.start, p->token.length);
    mini_parser_next(p);
    return word;
}

struct mini_node *mini_parser_node(struct mini_parser *p, enum mini_kind kind)
{
    struct mini_node *node = p->status == REGRET_OK ? arena_take(p->arena, sizeof *node) : NULL;
    if (node == NULL) {
        mini_parser_fail(p, "a program too large");
        node = &p->spare;
    }
    node->kind = kind;
    return node;
}

void mini_parser_enter(struct mini_parser *p)
{
    if (++p->nesting > MINI_MAX_NESTING) {
        mini_parser_fail(p, "nested too deeply");
    }
}

static struct mini_node *pair(struct mini_parser *p, enum mini_kind kind, int op,
                              struct mini_node *left, struct mini_node *right)
{
    struct mini_node *node = mini_parser_node(p, kind);
    node->op = op;
    node->left = left;
    node->right = right;
    return node;
}

/* Expressions separated by commas up to `close`, which is read as well. */
static struct mini_node *list_to(struct mini_parser *p, const char *close)
{
    struct mini_node *first = NULL, **end = &first;
    while (p->status == REGRET_OK && !mini_parser_at(p, close)) {
        *end = mini_parse_expression(p);
        if (*end == NULL) {
            return NULL;
        }
        end = &(*end)->next;
        if (!mini_parser_accept(p, ",")) {
            break;
        }
    }
    mini_parser_expect(p, close);
    return first;
}

static struct mini_node *number(struct mini_parser *p)
{
    struct mini_node *node = mini_parser_node(p, MINI_NUMBER);
    int64_t value = 0;
    for (size_t i = 0; i < p->token.length; i++) {
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, p->token.start[i] - '0', &value)) {
            mini_parser_fail(p, "a number too large");
            return NULL;
        }
    }
    node->number = value;
    mini_parser_next(p);
    return node;
}

static struct mini_node *string(struct mini_parser *p)
{
    struct mini_node *node = mini_parser_node(p, MINI_TEXT);
    size_t quote = p->token.length >= 6 && p->token.start[1] == p->token.start[0] &&
                           p->token.start[2] == p->token.start[0]
                       ? 3
                       : 1;
    node->text = mini_parser_copy(p, p->token.start + quote, p->token.length - 2 * quote);
    mini_parser_next(p);
    return node;
}

static struct mini_node *name_or_call(struct mini_parser *p)
{
    static const char *const constants[] = {"False", "True", "None"};
    for (int i = 0; i < 3; i++) {
        if (mini_parser_accept(p, constants[i])) {
            struct mini_node *node = mini_parser_node(p, MINI_CONSTANT);
            node->number = i;
            return node;
        }
    }
    const char *word = mini_parser_word(p);
    int call = mini_parser_accept(p, "(");
    struct mini_node *node = mini_parser_node(p, call ? MINI_CALL : MINI_VARIABLE);
    node->text = word;
    node->body = call ? list_to(p, ")") : NULL;
    return node;
}

static struct mini_node *atom(struct mini_parser *p)
{
    if (p->token.kind == MINI_INT) {
        return number(p);
    }
    if (p->token.kind == MINI_STRING) {
        return string(p);
    }
    if (mini_parser_accept(p, "(")) {
        struct mini_node *inner = mini_parse_expression(p);
        mini_parser_expect(p, ")");
        return inner;
    }
    if (mini_parser_accept(p, "[")) {
        struct mini_node *node = mini_parser_node(p, MINI_LIST);
        node->body = list_to(p, "]");
        return node;
    }
    return name_or_call(p);
}

static struct mini_node *subscript(struct mini_parser *p, struct mini_node *left)
{
    struct mini_node *from = mini_parser_at(p, ":") ? NULL : mini_parse_expression(p);
    struct mini_node *node = NULL;
    if (mini_parser_accept(p, ":")) {
        struct mini_node *to = mini_parser_at(p, "]") ? NULL : mini_parse_expression(p);
        node = pair(p, MINI_SLICE, 0, left, from);
        node->third = to;
    } else {
        node = pair(p, MINI_ELEMENT, 0, left, from);
    }
    mini_parser_expect(p, "]");
    return node;
}

static struct mini_node *postfix(struct mini_parser *p)
{
    struct mini_node *left = atom(p);
    int open = p->nesting;
    while (p->status == REGRET_OK) {
        if (mini_parser_accept(p, "[")) {
            left = subscript(p, left);
        } else if (mini_parser_accept(p, ".")) {
            struct mini_node *node = pair(p, MINI_METHOD, 0, left, NULL);
            const char *word = mini_parser_word(p);
            mini_parser_expect(p, "(");
            node->text = word;
            node->body = list_to(p, ")");
            left = node;
        } else {
            break;
        }
        mini_parser_enter(p);
    }
    p->nesting = open;
    return p->status == REGRET_OK ? left : NULL;
}

static struct mini_node *unary(struct mini_parser *p)
{
    if (!mini_parser_accept(p, "-")) {
        return postfix(p);
    }
    mini_parser_enter(p);
    struct mini_node *operand = p->status == REGRET_OK ? unary(p) : NULL;
    p->nesting--;
    return pair(p, MINI_MINUS, 0, operand, NULL);
}

/* A chain is a tree as deep as it is long. */
static void check_chain(struct mini_parser *p, int n)
{
    if (n == MINI_MAX_NESTING) {
        mini_parser_fail(p, "nested too deeply");
    }
}

/* Operators of one level, which group to the left, between operands of the next level. */
struct level {
    enum mini_kind kind;
    const char *signs[4]; /* ended by NULL */
    const char *ops;      /* of the signs; "" for none */
    struct mini_node *(*operand)(struct mini_parser *p);
};

static int accept_sign(int *op, struct mini_parser *p, const struct level *level)
{
    for (size_t i = 0; level->signs[i] != NULL; i++) {
        if (mini_parser_accept(p, level->signs[i])) {
            *op = (unsigned char)level->ops[i];
            return 1;
        }
    }
    return 0;
}

static struct mini_node *chain(struct mini_parser *p, const struct level *level)
{
    struct mini_node *left = level->operand(p);
    for (int op = 0, n = 0; accept_sign(&op, p, level); n++) {
        check_chain(p, n);
        left = pair(p, level->kind, op, left, level->operand(p));
    }
    return left;
}

static struct mini_node *product(struct mini_parser *p)
{
    static const struct level level = {MINI_ARITHMETIC, {"*", "//", "%"}, "*/%", unary};
    return chain(p, &level);
}

static struct mini_node *sum(struct mini_parser *p)
{
    static const struct level level = {MINI_ARITHMETIC, {"+", "-"}, "+-", product};
    return chain(p, &level);
}

/* The comparison at the cursor, read, or -1. */
static int comparison_sign(struct mini_parser *p)
{
    static const char *const signs[] = {"==", "!=", "<", "<=", ">", ">=", "in"};
    for (int i = 0; i < 7; i++) {
        if (mini_parser_accept(p, signs[i])) {
            return i;
        }
    }
    if (mini_parser_accept(p, "not")) {
        mini_parser_expect(p, "in");
        return MINI_NOT_IN;
    }
    if (mini_parser_accept(p, "is")) {
        return mini_parser_accept(p, "not") ? MINI_NE : MINI_EQ;
    }
    return -1;
}

/* a < b < c is (a < b) and (b < c); b has no side effects that anybody would write here. */
static struct mini_node *comparison(struct mini_parser *p)
{
    struct mini_node *left = sum(p), *all = NULL;
    for (int op = 0, n = 0; (op = comparison_sign(p)) >= 0; n++) {
        check_chain(p, n);
        struct mini_node *right = sum(p);
        struct mini_node *one = pair(p, MINI_COMPARE, op, left, right);
        all = all == NULL ? one : pair(p, MINI_AND, 0, all, one);
        left = right;
    }
    return all == NULL ? left : all;
}

static struct mini_node *negation(struct mini_parser *p)
{
    if (!mini_parser_accept(p, "not")) {
        return comparison(p);
    }
    mini_parser_enter(p);
    struct mini_node *operand = p->status == REGRET_OK ? negation(p) : NULL;
    p->nesting--;
    return pair(p, MINI_NOT, 0, operand, NULL);
}

static struct mini_node *conjunction(struct mini_parser *p)
{
    static const struct level level = {MINI_AND, {"and"}, "", negation};
    return chain(p, &level);
}

static struct mini_node *disjunction(struct mini_parser *p)
{
    static const struct level level = {MINI_OR, {"or"}, "", conjunction};
    return chain(p, &level);
}

struct mini_node *mini_parse_expression(struct mini_parser *p)
{
    mini_parser_enter(p);
    struct mini_node *node = p->status == REGRET_OK ? disjunction(p) : NULL;
    if (mini_parser_accept(p, "if")) {
        struct mini_node *condition = disjunction(p);
        mini_parser_expect(p, "else");
        struct mini_node *otherwise = mini_parse_expression(p);
        node = pair(p, MINI_CHOICE, 0, node, otherwise);
        node->third = condition;
    }
    p->nesting--;
    return p->status == REGRET_OK ? node : NULL;
}
