/* Names and their numbers, in the order in which they come. */
#ifndef REGRET_BASE_NAMES_H
#define REGRET_BASE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/core/id_table.h"

#define NAMES_NONE UINT32_MAX

/* {0} is empty. */
struct names {
    char **name; /* owned, and what it holds */
    size_t n, capacity;
    struct id_table table;
};

/* The number of a name, a new one's where it has not come before; NAMES_NONE of NULL. */
int names_enter(uint32_t *out, struct names *names, const char *name);
/* SIZE_MAX where it is not there. */
size_t names_find(const struct names *names, const char *name);
/* They are empty then. */
void names_free(struct names *names);

#endif
