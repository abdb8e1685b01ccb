/* Names of files: their last parts, and which patterns they match. */
#ifndef REGRET_BASE_PATH_H
#define REGRET_BASE_PATH_H

#include <stddef.h>

/* What stands behind the last slash; the whole without one. Borrowed. */
const char *path_last(const char *path);

/* 1 where one of n shell patterns matches the name. */
int name_matches(const char *const *patterns, size_t n, const char *name);

#endif
