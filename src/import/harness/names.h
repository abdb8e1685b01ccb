/* Names and their numbers, in the order in which they come. */
#ifndef REGRET_IMPORT_HARNESS_NAMES_H
#define REGRET_IMPORT_HARNESS_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/core/id_table.h"

#define NAMES_NONE UINT32_MAX

struct names {
    char **name; /* owned */
    size_t n, capacity;
    struct id_table table;
};

/* The number of a name, a new one's where it has not come before; NAMES_NONE of NULL. */
int names_enter(uint32_t *out, struct names *names, const char *name);
void names_free(struct names *names);

#endif
