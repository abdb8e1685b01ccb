#include "synth/patches/issues/mutation.h"

#include <stdio.h>
#include <string.h>

#include "synth/mini/lexer.h"

enum { MAX_TOKENS = 64, MAX_NAMES = 16 };

struct mutator {
    struct patches_edit *out;
    size_t n, most;
    struct patches_edit draft; /* place and kind of the next edit */
    char line[PATCHES_LINE_BYTES];
    struct mini_token tokens[MAX_TOKENS];
    size_t n_tokens;
    char names[MAX_NAMES][32]; /* variables of the function */
    size_t n_names;
};

/* A copy of the draft where the next edit goes; NULL when there are enough. */
static struct patches_edit *next_edit(struct mutator *w)
{
    if (w->n == w->most) {
        return NULL;
    }
    w->out[w->n] = w->draft;
    return &w->out[w->n];
}

/* Adds the line with `length` bytes from `at` replaced. */
static void splice(struct mutator *w, enum patches_kind kind, const char *at, size_t length,
                   const char *with)
{
    struct patches_edit *edit = next_edit(w);
    if (edit == NULL) {
        return;
    }
    edit->kind = kind;
    int n = snprintf(edit->with, sizeof edit->with, "%.*s%s%s\n", (int)(at - w->line), w->line,
                     with, at + length);
    w->n += n > 0 && (size_t)n < sizeof edit->with;
}

static void swap_token(struct mutator *w, size_t i, enum patches_kind kind, const char *with)
{
    splice(w, kind, w->tokens[i].start, w->tokens[i].length, with);
}

static int token_is(const struct mutator *w, size_t i, const char *text)
{
    return i < w->n_tokens && mini_token_is(&w->tokens[i], text);
}

static void signs(struct mutator *w, size_t i)
{
    static const struct {
        const char *from, *to;
        enum patches_kind kind;
    } table[] = {
        {"<", "<=", PATCHES_COMPARISON},      {"<", ">", PATCHES_COMPARISON},
        {"<=", "<", PATCHES_COMPARISON},      {"<=", ">=", PATCHES_COMPARISON},
        {">", ">=", PATCHES_COMPARISON},      {">", "<", PATCHES_COMPARISON},
        {">=", ">", PATCHES_COMPARISON},      {">=", "<=", PATCHES_COMPARISON},
        {"==", "!=", PATCHES_CONDITION},      {"!=", "==", PATCHES_CONDITION},
        {"==", ">=", PATCHES_COMPARISON},     {"==", "<=", PATCHES_COMPARISON},
        {"and", "or", PATCHES_CONDITION},     {"or", "and", PATCHES_CONDITION},
        {"+", "-", PATCHES_OPERATOR},         {"-", "+", PATCHES_OPERATOR},
        {"*", "+", PATCHES_OPERATOR},         {"//", "%", PATCHES_OPERATOR},
        {"%", "//", PATCHES_OPERATOR},        {"+=", "-=", PATCHES_OPERATOR},
        {"-=", "+=", PATCHES_OPERATOR},       {"+=", "=", PATCHES_OPERATOR},
        {"min", "max", PATCHES_OPERATOR},     {"max", "min", PATCHES_OPERATOR},
        {"upper", "lower", PATCHES_OPERATOR}, {"lower", "upper", PATCHES_OPERATOR},
        {"True", "False", PATCHES_CONSTANT},  {"False", "True", PATCHES_CONSTANT},
    };
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        if (token_is(w, i, table[k].from)) {
            swap_token(w, i, table[k].kind, table[k].to);
        }
    }
}

/* Brackets open at token i: is one of them an index or the argument of range? */
static int counts_places(const struct mutator *w, size_t i)
{
    int depth = 0;
    for (size_t k = i; k-- > 0;) {
        depth += token_is(w, k, ")") || token_is(w, k, "]");
        if (token_is(w, k, "(") || token_is(w, k, "[")) {
            if (depth == 0 && (token_is(w, k, "[") || (k > 0 && token_is(w, k - 1, "range")))) {
                return 1;
            }
            depth -= depth > 0;
        }
    }
    return 0;
}

/* Can token i be the end of the left side of a sign? */
static int ends_operand(const struct mutator *w, size_t i)
{
    if (i >= w->n_tokens) {
        return 0;
    }
    const struct mini_token *token = &w->tokens[i];
    return token->kind == MINI_INT || (token->kind == MINI_NAME && !mini_is_keyword(token)) ||
           token_is(w, i, ")") || token_is(w, i, "]");
}

static void numbers(struct mutator *w, size_t i)
{
    char text[32];
    const struct mini_token *token = &w->tokens[i];
    if (token->kind != MINI_INT || token->length > 6) {
        return;
    }
    long number = 0;
    for (size_t k = 0; k < token->length; k++) {
        number = 10 * number + (token->start[k] - '0');
    }
    enum patches_kind kind = counts_places(w, i) ? PATCHES_OFF_BY_ONE : PATCHES_CONSTANT;
    int after_sign = i > 0 && (token_is(w, i - 1, "+") || token_is(w, i - 1, "-"));
    if (number == 1 && after_sign && ends_operand(w, i - 2)) {
        /* " + 1" goes altogether */
        const char *from = w->tokens[i - 2].start + w->tokens[i - 2].length;
        splice(w, PATCHES_OFF_BY_ONE, from, (size_t)(token->start + 1 - from), "");
        return;
    }
    snprintf(text, sizeof text, "%ld", number + 1);
    swap_token(w, i, kind, text);
    if (number > 0) {
        snprintf(text, sizeof text, "%ld", number - 1);
        swap_token(w, i, kind, text);
    }
    if (number >= 10) {
        snprintf(text, sizeof text, "%ld", number / 10);
        swap_token(w, i, PATCHES_CONSTANT, text);
    }
}

/* The token that closes the bracket at token i. */
static size_t closing(const struct mutator *w, size_t i)
{
    int depth = 0;
    for (size_t k = i; k < w->n_tokens; k++) {
        depth += token_is(w, k, "(") || token_is(w, k, "[");
        depth -= token_is(w, k, ")") || token_is(w, k, "]");
        if (depth == 0) {
            return k;
        }
    }
    return w->n_tokens;
}

/* The comma that separates exactly two arguments between tokens `open` and `close`, or 0. */
static size_t only_comma(const struct mutator *w, size_t open, size_t close)
{
    size_t found = 0, n = 0;
    int depth = 0;
    for (size_t k = open + 1; k < close; k++) {
        depth += token_is(w, k, "(") || token_is(w, k, "[");
        depth -= token_is(w, k, ")") || token_is(w, k, "]");
        if (depth == 0 && token_is(w, k, ",")) {
            found = k;
            n++;
        }
    }
    return n == 1 ? found : 0;
}

static void calls(struct mutator *w, size_t i)
{
    if (w->tokens[i].kind != MINI_NAME || mini_is_keyword(&w->tokens[i]) ||
        !token_is(w, i + 1, "(")) {
        return;
    }
    size_t open = i + 1, close = closing(w, open);
    if (close >= w->n_tokens || close == open + 1) {
        return;
    }
    const char *inside = w->tokens[open].start + 1, *end = w->tokens[close].start;
    size_t comma = only_comma(w, open, close);
    if (token_is(w, i, "range")) {
        splice(w, PATCHES_OFF_BY_ONE, end, 0, " - 1");
        splice(w, PATCHES_OFF_BY_ONE, end, 0, " + 1");
        if (comma == 0) {
            splice(w, PATCHES_OFF_BY_ONE, inside, 0, "1, ");
        }
        return;
    }
    if (comma == 0) {
        return;
    }
    char swapped[PATCHES_LINE_BYTES];
    const char *second = w->tokens[comma + 1].start;
    snprintf(swapped, sizeof swapped, "%.*s, %.*s", (int)(end - second), second,
             (int)(w->tokens[comma].start - inside), inside);
    splice(w, PATCHES_NAME, inside, (size_t)(end - inside), swapped);
}

/* Two of the other variables of the function in the place of one. */
static void variables(struct mutator *w, size_t i)
{
    const struct mini_token *token = &w->tokens[i];
    int target = i == 0 || token_is(w, i - 1, "for") || token_is(w, i - 1, "def");
    if (token->kind != MINI_NAME || mini_is_keyword(token) || target || token_is(w, i + 1, "(") ||
        token_is(w, i - 1, ".")) {
        return;
    }
    size_t self = 0;
    while (self < w->n_names && !mini_token_is(token, w->names[self])) {
        self++;
    }
    if (self == w->n_names) {
        return;
    }
    for (size_t k = 1; k <= 2 && k < w->n_names; k++) {
        swap_token(w, i, PATCHES_NAME, w->names[(self + k) % w->n_names]);
    }
}

static void negations(struct mutator *w, size_t i)
{
    if (token_is(w, i, "not") && !token_is(w, i + 1, "in") &&
        !(i > 0 && token_is(w, i - 1, "is")) && i + 1 < w->n_tokens) {
        splice(w, PATCHES_CONDITION, w->tokens[i].start,
               (size_t)(w->tokens[i + 1].start - w->tokens[i].start), "");
    }
    if (token_is(w, i, "not") && token_is(w, i + 1, "in")) {
        splice(w, PATCHES_CONDITION, w->tokens[i].start,
               (size_t)(w->tokens[i + 1].start - w->tokens[i].start), "");
    }
}

static int is_name_before(const struct mutator *w, const char *name)
{
    for (size_t i = 0; i < w->n_names; i++) {
        if (strcmp(w->names[i], name) == 0) {
            return 1;
        }
    }
    return 0;
}

static void add_name(struct mutator *w, const struct mini_token *token)
{
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)token->length, token->start);
    if (token->length < sizeof name && w->n_names < MAX_NAMES && !is_name_before(w, name)) {
        memcpy(w->names[w->n_names++], name, sizeof name);
    }
}

/* Parameters, loop variables and what is assigned to, in the function around line i. */
static void collect_names(struct mutator *w, const struct patches_file *file, size_t i)
{
    char function[PATCHES_LINE_BYTES], line[PATCHES_LINE_BYTES];
    size_t first = 0, end = 0;
    patches_function_of(function, file, i);
    if (function[0] == '\0' || !patches_function_lines(&first, &end, file, function)) {
        return;
    }
    for (size_t k = first; k < end; k++) {
        struct mini_lexer lexer;
        struct mini_token before = {0}, token;
        patches_line_copy(line, file, k);
        mini_lexer_begin_line(&lexer, line);
        for (size_t n = 0; (token = mini_lexer_next(&lexer)).kind != MINI_END; n++) {
            if (token.kind == MINI_BAD) {
                break;
            }
            if (k == first && n > 1 && token.kind == MINI_NAME) {
                add_name(w, &token);
            } else if (token.kind == MINI_NAME && mini_token_is(&before, "for")) {
                add_name(w, &token);
            } else if (n == 1 && mini_token_is(&token, "=") && before.kind == MINI_NAME) {
                add_name(w, &before);
            }
            before = token;
        }
    }
}

/* An `if` whose body is one line and that has no else: line i and the next. */
static int is_check(const struct patches_file *file, size_t i)
{
    struct patches_line line = patches_line_at(file, i), body = patches_line_at(file, i + 1),
                        after = patches_line_at(file, i + 2);
    size_t indent = patches_indent(line);
    if (strncmp(line.start + indent, "if ", 3) != 0 || patches_indent(body) <= indent) {
        return 0;
    }
    if (after.length > 0 && patches_indent(after) > indent) {
        return 0;
    }
    const char *rest = after.start + patches_indent(after);
    return strncmp(rest, "else", 4) != 0 && strncmp(rest, "elif", 4) != 0;
}

static void omissions(struct mutator *w, const struct patches_file *file, size_t i)
{
    struct patches_edit *edit = next_edit(w);
    if (edit == NULL) {
        return;
    }
    if (is_check(file, i)) {
        edit->kind = PATCHES_MISSING_CHECK;
        edit->count = 2;
        w->n++;
    } else if (w->n_tokens > 0 && !token_is(w, w->n_tokens - 1, ":") && !token_is(w, 0, "return")) {
        edit->kind = PATCHES_MISSING_STEP;
        w->n++;
    }
}

/* Tokens of the line; 0 when there is no code to change. */
static int read_line(struct mutator *w, const struct patches_file *file, size_t i)
{
    struct mini_lexer lexer;
    patches_line_copy(w->line, file, i);
    mini_lexer_begin_line(&lexer, w->line);
    for (;;) {
        struct mini_token token = mini_lexer_next(&lexer);
        if (token.kind == MINI_BAD || w->n_tokens == MAX_TOKENS) {
            return 0;
        }
        if (token.kind == MINI_END) {
            break;
        }
        w->tokens[w->n_tokens++] = token;
    }
    return w->n_tokens > 0 && w->tokens[0].kind != MINI_STRING && !token_is(w, 0, "def") &&
           !token_is(w, 0, "from");
}

size_t patches_mutations(struct patches_edit *out, size_t most,
                         const struct patches_repository *repository, size_t file, size_t i)
{
    struct mutator w = {.out = out, .most = most};
    w.draft = (struct patches_edit){.file = file, .line = i, .count = 1};
    if (!read_line(&w, &repository->files[file], i)) {
        return 0;
    }
    collect_names(&w, &repository->files[file], i);
    for (size_t k = 0; k < w.n_tokens; k++) {
        signs(&w, k);
        numbers(&w, k);
        calls(&w, k);
        variables(&w, k);
        negations(&w, k);
    }
    omissions(&w, &repository->files[file], i);
    return w.n;
}
