/* Names of what a program registers with the library. */
#ifndef REGRET_BASE_NAME_H
#define REGRET_BASE_NAME_H

#include <stddef.h>

/* 1 of 1 to `most` lower-case letters, digits and "-", a letter first; 0 of others and of NULL. */
int name_is_plain(const char *name, size_t most);

#endif
