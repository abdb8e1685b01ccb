/* The corpus: small projects of right programs, in the language of mini/mini.h, read from
 * data/synth/patches. Every function offered to users has a way to draw its arguments and a name in
 * the words of a user. */
#ifndef REGRET_SYNTH_PATCHES_ISSUES_CORPUS_H
#define REGRET_SYNTH_PATCHES_ISSUES_CORPUS_H

#include <stddef.h>

#include "synth/data/data.h"

/* data/synth/patches */
extern const struct data_file patches_files[];

enum { PATCHES_MAX_PROJECTS = 32, PATCHES_MAX_FUNCTIONS = 256, PATCHES_MAX_MODULES = 8 };

struct patches_module {
    const char *path; /* "shop/cart.py" */
    const char *text;
};

struct patches_project {
    const char *name;
    struct patches_module modules[PATCHES_MAX_MODULES]; /* sorted by path */
    size_t n_modules;
};

struct patches_function {
    const struct patches_project *project;
    const char *path;   /* of its module */
    const char *name;   /* one of the module's */
    const char *inputs; /* what arguments it takes: arguments.h */
    const char *noun;   /* what a user calls its result: "the subtotal of a cart" */
};

struct patches_corpus {
    struct data data; /* what the rest points into */
    const struct patches_project *projects;
    size_t n_projects;
    const struct patches_function *functions; /* of all projects, one project after the other */
    size_t n_functions;
};

/* Into a corpus that is all zeros. REGRET_E_INPUT names file and line of what is wrong; the corpus
 * must then be freed, too. The programs are not parsed. */
int patches_corpus_read(struct patches_corpus *corpus);
void patches_corpus_free(struct patches_corpus *corpus);

#endif
