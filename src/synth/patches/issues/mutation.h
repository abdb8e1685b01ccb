/* Changes of single lines that make a right program wrong: the seeded faults, and the mistakes of
 * those who try to fix them. */
#ifndef REGRET_SYNTH_PATCHES_ISSUES_MUTATION_H
#define REGRET_SYNTH_PATCHES_ISSUES_MUTATION_H

#include "synth/patches/issues/repository.h"

/* What is wrong. The order is that of the agents' skills (agents.h). */
enum patches_kind {
    PATCHES_OFF_BY_ONE,    /* a bound, an index, a + 1 */
    PATCHES_COMPARISON,    /* < for <=, > for < */
    PATCHES_OPERATOR,      /* - for +, min for max */
    PATCHES_CONSTANT,      /* an initial value or another number */
    PATCHES_NAME,          /* a wrong variable, swapped arguments */
    PATCHES_CONDITION,     /* negated, and for or, == for != */
    PATCHES_MISSING_CHECK, /* the treatment of a special case left out */
    PATCHES_MISSING_STEP,  /* a statement left out */
    PATCHES_KINDS
};

struct patches_edit {
    size_t file;        /* of the repository */
    size_t line, count; /* the lines it replaces */
    enum patches_kind kind;
    char with[PATCHES_LINE_BYTES]; /* the line instead, with its break; "" when it is left out */
};

/* All changes of line i of a file, at most `most`; returns how many. Some do not parse, some change
 * nothing that a caller sees. */
size_t patches_mutations(struct patches_edit *out, size_t most,
                         const struct patches_repository *repository, size_t file, size_t i);

#endif
