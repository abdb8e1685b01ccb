/* The corpus: small projects of right programs, in the language of mini/mini.h. Every function
 * offered to users has a way to draw its arguments and a name in the words of a user. */
#ifndef REGRET_TASK_PATCHES_CORPUS_H
#define REGRET_TASK_PATCHES_CORPUS_H

#include <stddef.h>

struct patches_module {
    const char *path; /* "shop/cart.py" */
    const char *text;
};

struct patches_function {
    const char *path;   /* of its module */
    const char *name;   /* one of the module's */
    const char *inputs; /* what arguments it takes: arguments.h */
    const char *noun;   /* what a user calls its result: "the subtotal of a cart" */
};

struct patches_project {
    const char *name;
    const struct patches_module *modules;
    size_t n_modules;
    const struct patches_function *functions;
    size_t n_functions;
};

extern const struct patches_project patches_shop, patches_ledger, patches_loans, patches_textkit,
    patches_grid, patches_rota, patches_league, patches_trips, patches_sensors, patches_jobs;

enum { PATCHES_PROJECTS = 10 };
extern const struct patches_project *const patches_projects[PATCHES_PROJECTS];

/* Functions of all projects together, and the i-th of them with its project. */
enum { PATCHES_FUNCTIONS = 98 };
const struct patches_function *patches_function_at(const struct patches_project **project,
                                                   size_t i);

#endif
