/* Execution of statements and calls of the program's functions. */
#include <string.h>

#include "base/core/try.h"
#include "synth/mini/run.h"

enum flow { NEXT, RETURNED, BROKE, CONTINUED, RAISED };

static enum flow run_block(struct mini_value *out, struct mini_run *run, struct mini_frame *frame,
                           const struct mini_node *block);

static int bind(struct mini_run *run, struct mini_frame *frame, const char *name,
                struct mini_value value)
{
    size_t i = 0;
    while (i < frame->n && strcmp(frame->names[i], name) != 0) {
        i++;
    }
    if (i == MINI_MAX_LOCALS) {
        return mini_raise(run, "MemoryError: too many local variables");
    }
    if (i == frame->n) {
        frame->names[frame->n++] = name;
    }
    frame->values[i] = value;
    return 0;
}

/* `target` is a variable or an element. */
static int store(struct mini_run *run, struct mini_frame *frame, const struct mini_node *target,
                 const struct mini_value *value)
{
    struct mini_value of, index;
    if (target->kind == MINI_VARIABLE) {
        return bind(run, frame, target->text, *value);
    }
    TRY(mini_eval(&of, run, frame, target->left));
    TRY(mini_eval(&index, run, frame, target->right));
    return mini_element_set(run, &of, &index, value);
}

static int assign(struct mini_run *run, struct mini_frame *frame, const struct mini_node *node)
{
    struct mini_value value;
    TRY(mini_eval(&value, run, frame, node->right));
    return store(run, frame, node->left, &value);
}

static int augment(struct mini_run *run, struct mini_frame *frame, const struct mini_node *node)
{
    struct mini_value old, change, value;
    TRY(mini_eval(&old, run, frame, node->left));
    TRY(mini_eval(&change, run, frame, node->right));
    TRY(mini_arithmetic(&value, run, node->op, &old, &change));
    return store(run, frame, node->left, &value);
}

/* Runs the body of a loop once. Is the loop over after that? *flow: as what. */
static int ends_loop(enum flow *flow, struct mini_value *out, struct mini_run *run,
                     struct mini_frame *frame, const struct mini_node *loop)
{
    enum flow body = run_block(out, run, frame, loop->body);
    *flow = body == BROKE ? NEXT : body;
    return body == BROKE || body == RETURNED || body == RAISED;
}

/* Is the condition of a statement true? */
static int test(int *holds, struct mini_run *run, struct mini_frame *frame,
                const struct mini_node *node)
{
    struct mini_value condition;
    TRY(mini_eval(&condition, run, frame, node->left));
    *holds = mini_truth(&condition);
    return 0;
}

static enum flow while_loop(struct mini_value *out, struct mini_run *run, struct mini_frame *frame,
                            const struct mini_node *node)
{
    enum flow flow = NEXT;
    do {
        int holds = 0;
        if (test(&holds, run, frame, node)) {
            return RAISED;
        }
        if (!holds) {
            return NEXT;
        }
    } while (!ends_loop(&flow, out, run, frame, node));
    return flow;
}

/* The item at `i` of a list or a string; *more is 0 past the end (the list may change meanwhile).
 */
static int item_at(struct mini_value *out, int *more, struct mini_run *run,
                   const struct mini_value *of, size_t i)
{
    const struct mini_value index = mini_int((int64_t)i);
    size_t n = of->type == MINI_T_LIST ? of->as.list->length : of->as.string->length;
    *more = i < n;
    return *more ? mini_element(out, run, of, &index) : 0;
}

static enum flow for_loop(struct mini_value *out, struct mini_run *run, struct mini_frame *frame,
                          const struct mini_node *node)
{
    struct mini_value all, item;
    enum flow flow = NEXT;
    int more = 0;
    if (mini_eval(&all, run, frame, node->left)) {
        return RAISED;
    }
    if (all.type != MINI_T_LIST && all.type != MINI_T_STRING) {
        mini_raise(run, "TypeError: '%s' object is not iterable", mini_type_name(&all));
        return RAISED;
    }
    size_t i = 0;
    do {
        if (mini_step(run) || item_at(&item, &more, run, &all, i++)) {
            return RAISED;
        }
        if (!more) {
            return NEXT;
        }
        if (bind(run, frame, node->text, item)) {
            return RAISED;
        }
    } while (!ends_loop(&flow, out, run, frame, node));
    return flow;
}

static enum flow raise(struct mini_run *run, struct mini_frame *frame, const struct mini_node *node)
{
    struct mini_value argument;
    if (node->left == NULL) {
        mini_raise(run, "%s", node->text);
        return RAISED;
    }
    if (mini_eval(&argument, run, frame, node->left)) {
        return RAISED;
    }
    mini_raise(run, "%s: %s", node->text,
               argument.type == MINI_T_STRING ? argument.as.string->bytes : "");
    return RAISED;
}

static enum flow condition(struct mini_value *out, struct mini_run *run, struct mini_frame *frame,
                           const struct mini_node *node)
{
    int holds = 0;
    return test(&holds, run, frame, node)
               ? RAISED
               : run_block(out, run, frame, holds ? node->body : node->other);
}

static enum flow assertion(struct mini_run *run, struct mini_frame *frame,
                           const struct mini_node *node)
{
    int holds = 0;
    if (test(&holds, run, frame, node) == 0 && !holds) {
        mini_raise(run, "AssertionError");
    }
    return holds ? NEXT : RAISED;
}

static enum flow attempt(struct mini_value *out, struct mini_run *run, struct mini_frame *frame,
                         const struct mini_node *node)
{
    enum flow flow = run_block(out, run, frame, node->body);
    if (flow != RAISED || run->fatal) {
        return flow;
    }
    return run_block(out, run, frame, node->other);
}

static enum flow give_back(struct mini_value *out, struct mini_run *run, struct mini_frame *frame,
                           const struct mini_node *node)
{
    *out = mini_none();
    if (node->left != NULL && mini_eval(out, run, frame, node->left)) {
        return RAISED;
    }
    return RETURNED;
}

static enum flow run_statement(struct mini_value *out, struct mini_run *run,
                               struct mini_frame *frame, const struct mini_node *node)
{
    struct mini_value ignored;
    switch (node->kind) {
    case MINI_ASSIGN:
        return assign(run, frame, node) ? RAISED : NEXT;
    case MINI_AUGMENT:
        return augment(run, frame, node) ? RAISED : NEXT;
    case MINI_RETURN:
        return give_back(out, run, frame, node);
    case MINI_IF:
        return condition(out, run, frame, node);
    case MINI_WHILE:
        return while_loop(out, run, frame, node);
    case MINI_FOR:
        return for_loop(out, run, frame, node);
    case MINI_BREAK:
        return BROKE;
    case MINI_CONTINUE:
        return CONTINUED;
    case MINI_PASS:
        return NEXT;
    case MINI_ASSERT:
        return assertion(run, frame, node);
    case MINI_RAISE:
        return raise(run, frame, node);
    case MINI_TRY:
        return attempt(out, run, frame, node);
    default:
        return mini_eval(&ignored, run, frame, node->left) ? RAISED : NEXT;
    }
}

static enum flow run_block(struct mini_value *out, struct mini_run *run, struct mini_frame *frame,
                           const struct mini_node *block)
{
    for (; block != NULL; block = block->next) {
        if (mini_step(run)) {
            return RAISED;
        }
        enum flow flow = run_statement(out, run, frame, block);
        if (flow != NEXT) {
            return flow;
        }
    }
    return NEXT;
}

int mini_call(struct mini_value *out, struct mini_run *run, const struct mini_function *function,
              const struct mini_value *arguments, size_t n)
{
    struct mini_frame frame = {.module = function->module};
    if (n != function->n_parameters) {
        return mini_raise(run, "TypeError: %s() takes %zu positional arguments but %zu were given",
                          function->name, function->n_parameters, n);
    }
    if (run->depth >= run->limits.depth) {
        return mini_raise_fatal(run, "RecursionError: maximum recursion depth exceeded");
    }
    for (size_t i = 0; i < n; i++) {
        frame.names[i] = function->parameters[i];
        frame.values[i] = arguments[i];
    }
    frame.n = n;
    run->depth++;
    *out = mini_none();
    enum flow flow = run_block(out, run, &frame, function->body);
    run->depth--;
    if (flow == BROKE || flow == CONTINUED) {
        return mini_raise(run, "SyntaxError: 'break' or 'continue' outside of a loop");
    }
    return flow == RAISED;
}
