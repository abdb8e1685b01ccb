/* Names of files: their last parts, and which patterns they match. */
#ifndef REGRET_BASE_PATH_H
#define REGRET_BASE_PATH_H

#include <stddef.h>

/* What stands behind the last slash; the whole without one. Borrowed. */
const char *path_last(const char *path);

/* A file in the folder of another: what stands before the last slash of `path`, the slash too, and the name. */
int path_beside(char **out, const char *path, const char *name);

/* 1 where one of n shell patterns matches the name. */
int name_matches(const char *const *patterns, size_t n, const char *name);

#endif
