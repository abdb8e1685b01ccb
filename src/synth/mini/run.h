/* A run of a program: values and evaluation. Values live in the arena of the run. */
#ifndef REGRET_SYNTH_MINI_RUN_H
#define REGRET_SYNTH_MINI_RUN_H

#include "regret/buffer.h"
#include "synth/mini/syntax.h"

enum mini_type { MINI_T_NONE, MINI_T_BOOL, MINI_T_INT, MINI_T_STRING, MINI_T_LIST };

struct mini_value {
    enum mini_type type;
    union {
        int64_t number; /* bool and int */
        struct mini_string *string;
        struct mini_list *list;
    } as;
};

struct mini_string {
    size_t length;
    char bytes[]; /* and a zero */
};

struct mini_list {
    size_t length, capacity;
    struct mini_value *items;
};

enum { MINI_ERROR_BYTES = 160 };

struct mini_run {
    /* Calls a function of the program: mini_call(), whose statements hold the expressions that call it. */
    int (*call)(struct mini_value *out, struct mini_run *run, const struct mini_function *function,
                const struct mini_value *arguments, size_t n);
    struct arena arena;
    struct mini_limits limits;
    size_t steps, depth, nesting;
    int fatal; /* a limit, or no memory: no `except` catches it */
    char error[MINI_ERROR_BYTES];
};

struct mini_frame {
    const struct mini_module *module;
    const char *names[MINI_MAX_LOCALS];
    struct mini_value values[MINI_MAX_LOCALS];
    size_t n;
};

/* Everything below that returns int: 0, or 1 when the program raised (run->error says what), which
 * TRY hands up as it does a status. */
int mini_raise(struct mini_run *run, const char *format, ...) REGRET_PRINTF(2, 3);
int mini_raise_fatal(struct mini_run *run, const char *what);
int mini_step(struct mini_run *run);

/* values.c */
struct mini_value mini_none(void);
struct mini_value mini_int(int64_t number);
struct mini_value mini_bool(int yes);
int mini_string_make(struct mini_value *out, struct mini_run *run, const char *bytes,
                     size_t length);
int mini_list_make(struct mini_value *out, struct mini_run *run, size_t capacity);
int mini_list_append(struct mini_run *run, struct mini_list *list, struct mini_value item);
int mini_truth(const struct mini_value *value);
int mini_is_number(const struct mini_value *value); /* int or bool */
const char *mini_type_name(const struct mini_value *value);
int mini_equal(int *out, struct mini_run *run, const struct mini_value *a,
               const struct mini_value *b, int depth);
/* *out < 0, 0, > 0; raises TypeError where Python does. */
int mini_order(int *out, struct mini_run *run, const struct mini_value *a,
               const struct mini_value *b, int depth);
/* Appends repr(value), or str(value) for a string on top when `plain`. */
int mini_write(struct regret_buffer *t, struct mini_run *run, const struct mini_value *value,
               int plain, int depth);

/* operators.c */
int mini_arithmetic(struct mini_value *out, struct mini_run *run, int op,
                    const struct mini_value *a, const struct mini_value *b);
int mini_compare(struct mini_value *out, struct mini_run *run, enum mini_comparison op,
                 const struct mini_value *a, const struct mini_value *b);
int mini_element(struct mini_value *out, struct mini_run *run, const struct mini_value *of,
                 const struct mini_value *index);
int mini_element_set(struct mini_run *run, const struct mini_value *of,
                     const struct mini_value *index, const struct mini_value *value);
int mini_slice(struct mini_value *out, struct mini_run *run, const struct mini_value *of,
               const struct mini_value *from, const struct mini_value *to);

/* builtins.c, methods.c: -1 when there is no such function. */
int mini_builtin(struct mini_value *out, struct mini_run *run, const char *name,
                 const struct mini_value *arguments, size_t n);
int mini_is_builtin(const char *name);
int mini_method(struct mini_value *out, struct mini_run *run, const struct mini_value *of,
                const char *name, const struct mini_value *arguments, size_t n);

/* expressions.c, statements.c */
int mini_eval(struct mini_value *out, struct mini_run *run, struct mini_frame *frame,
              const struct mini_node *node);
int mini_call(struct mini_value *out, struct mini_run *run, const struct mini_function *function,
              const struct mini_value *arguments, size_t n);

/* Names of a module. */
int mini_module_has(const struct mini_module *module, const char *name);

#endif
