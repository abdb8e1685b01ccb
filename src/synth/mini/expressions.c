/* Evaluation of expressions. */
#include <string.h>

#include "base/core/try.h"
#include "synth/mini/run.h"

/* Expressions within expressions and calls, over the whole stack of a run. */
enum { RUN_NESTING = 1200 };

static const struct mini_node *find_constant(const struct mini_module *module, const char *name)
{
    for (const struct mini_node *node = module->constants; node != NULL; node = node->next) {
        if (strcmp(node->left->text, name) == 0) {
            return node;
        }
    }
    return NULL;
}

static const struct mini_function *find_function(const struct mini_module *module, const char *name)
{
    for (const struct mini_function *f = module->functions; f != NULL; f = f->next) {
        if (strcmp(f->name, name) == 0) {
            return f;
        }
    }
    return NULL;
}

int mini_module_has(const struct mini_module *module, const char *name)
{
    return find_constant(module, name) != NULL || find_function(module, name) != NULL;
}

/* The module that defines `name` as seen in `module`: its own names first, then its imports. */
static const struct mini_module *home_of(const struct mini_module *module, const char *name)
{
    if (mini_module_has(module, name)) {
        return module;
    }
    for (const struct mini_import *import = module->imports; import != NULL;
         import = import->next) {
        if (strcmp(import->name, name) == 0) {
            return import->from;
        }
    }
    return NULL;
}

static int variable(struct mini_value *out, struct mini_run *run, struct mini_frame *frame,
                    const char *name)
{
    for (size_t i = 0; i < frame->n; i++) {
        if (strcmp(frame->names[i], name) == 0) {
            *out = frame->values[i];
            return 0;
        }
    }
    const struct mini_module *home = home_of(frame->module, name);
    const struct mini_node *constant = home == NULL ? NULL : find_constant(home, name);
    if (constant == NULL) {
        return mini_raise(run, "NameError: name '%s' is not defined", name);
    }
    struct mini_frame outside = {.module = home};
    return mini_eval(out, run, &outside, constant->right);
}

/* Evaluates a list of expressions, at most MINI_MAX_PARAMETERS. */
static int evaluate_all(struct mini_value *values, size_t *n, struct mini_run *run,
                        struct mini_frame *frame, const struct mini_node *nodes)
{
    *n = 0;
    for (; nodes != NULL; nodes = nodes->next) {
        if (*n == MINI_MAX_PARAMETERS) {
            return mini_raise(run, "TypeError: too many arguments");
        }
        TRY(mini_eval(&values[(*n)++], run, frame, nodes));
    }
    return 0;
}

static int call(struct mini_value *out, struct mini_run *run, struct mini_frame *frame,
                const struct mini_node *node)
{
    struct mini_value arguments[MINI_MAX_PARAMETERS];
    size_t n = 0;
    const struct mini_module *home = home_of(frame->module, node->text);
    const struct mini_function *function = home == NULL ? NULL : find_function(home, node->text);
    if (function == NULL && !mini_is_builtin(node->text)) {
        return mini_raise(run, "NameError: name '%s' is not defined", node->text);
    }
    TRY(evaluate_all(arguments, &n, run, frame, node->body));
    return function != NULL ? run->call(out, run, function, arguments, n)
                            : mini_builtin(out, run, node->text, arguments, n);
}

static int method(struct mini_value *out, struct mini_run *run, struct mini_frame *frame,
                  const struct mini_node *node)
{
    struct mini_value of, arguments[MINI_MAX_PARAMETERS];
    size_t n = 0;
    TRY(mini_eval(&of, run, frame, node->left));
    TRY(evaluate_all(arguments, &n, run, frame, node->body));
    return mini_method(out, run, &of, node->text, arguments, n);
}

static int list(struct mini_value *out, struct mini_run *run, struct mini_frame *frame,
                const struct mini_node *node)
{
    struct mini_value made;
    TRY(mini_list_make(&made, run, 0));
    for (const struct mini_node *item = node->body; item != NULL; item = item->next) {
        struct mini_value value = mini_none();
        TRY(mini_eval(&value, run, frame, item));
        TRY(mini_list_append(run, made.as.list, value));
    }
    *out = made;
    return 0;
}

static int slice(struct mini_value *out, struct mini_run *run, struct mini_frame *frame,
                 const struct mini_node *node)
{
    struct mini_value of, from = mini_none(), to = mini_none();
    if (mini_eval(&of, run, frame, node->left) ||
        (node->right != NULL && mini_eval(&from, run, frame, node->right)) ||
        (node->third != NULL && mini_eval(&to, run, frame, node->third))) {
        return 1;
    }
    return mini_slice(out, run, &of, &from, &to);
}

/* and, or: the value of the side that decides. */
static int connective(struct mini_value *out, struct mini_run *run, struct mini_frame *frame,
                      const struct mini_node *node)
{
    TRY(mini_eval(out, run, frame, node->left));
    if (mini_truth(out) == (node->kind == MINI_OR)) {
        return 0;
    }
    return mini_eval(out, run, frame, node->right);
}

/* Operators of two evaluated sides. */
static int two_sided(struct mini_value *out, struct mini_run *run, struct mini_frame *frame,
                     const struct mini_node *node)
{
    struct mini_value left, right;
    TRY(mini_eval(&left, run, frame, node->left));
    TRY(mini_eval(&right, run, frame, node->right));
    if (node->kind == MINI_ELEMENT) {
        return mini_element(out, run, &left, &right);
    }
    if (node->kind == MINI_COMPARE) {
        return mini_compare(out, run, (enum mini_comparison)node->op, &left, &right);
    }
    return mini_arithmetic(out, run, node->op, &left, &right);
}

static int one_sided(struct mini_value *out, struct mini_run *run, struct mini_frame *frame,
                     const struct mini_node *node)
{
    struct mini_value value;
    const struct mini_value zero = mini_int(0);
    TRY(mini_eval(&value, run, frame, node->left));
    if (node->kind == MINI_NOT) {
        *out = mini_bool(!mini_truth(&value));
        return 0;
    }
    if (!mini_is_number(&value)) {
        return mini_raise(run, "TypeError: bad operand type for unary -: '%s'",
                          mini_type_name(&value));
    }
    return mini_arithmetic(out, run, '-', &zero, &value);
}

static int constant(struct mini_value *out, struct mini_run *run, const struct mini_node *node)
{
    if (node->kind == MINI_TEXT) {
        return mini_string_make(out, run, node->text, strlen(node->text));
    }
    if (node->kind == MINI_NUMBER) {
        *out = mini_int(node->number);
    } else {
        *out = node->number == 2 ? mini_none() : mini_bool((int)node->number);
    }
    return 0;
}

static int choice(struct mini_value *out, struct mini_run *run, struct mini_frame *frame,
                  const struct mini_node *node)
{
    struct mini_value condition;
    TRY(mini_eval(&condition, run, frame, node->third));
    return mini_eval(out, run, frame, mini_truth(&condition) ? node->left : node->right);
}

static int dispatch(struct mini_value *out, struct mini_run *run, struct mini_frame *frame,
                    const struct mini_node *node)
{
    switch (node->kind) {
    case MINI_VARIABLE:
        return variable(out, run, frame, node->text);
    case MINI_LIST:
        return list(out, run, frame, node);
    case MINI_SLICE:
        return slice(out, run, frame, node);
    case MINI_CALL:
        return call(out, run, frame, node);
    case MINI_METHOD:
        return method(out, run, frame, node);
    case MINI_MINUS:
    case MINI_NOT:
        return one_sided(out, run, frame, node);
    case MINI_AND:
    case MINI_OR:
        return connective(out, run, frame, node);
    case MINI_ELEMENT:
    case MINI_ARITHMETIC:
    case MINI_COMPARE:
        return two_sided(out, run, frame, node);
    case MINI_CHOICE:
        return choice(out, run, frame, node);
    default:
        return constant(out, run, node);
    }
}

int mini_eval(struct mini_value *out, struct mini_run *run, struct mini_frame *frame,
              const struct mini_node *node)
{
    TRY(mini_step(run));
    if (run->nesting >= RUN_NESTING) {
        return mini_raise_fatal(run, "RecursionError: maximum recursion depth exceeded");
    }
    run->nesting++;
    int raised = dispatch(out, run, frame, node);
    run->nesting--;
    return raised;
}
