/* A folder of a test's own in /tmp, which it works in, and what it looks at there. */
#ifndef REGRET_TESTS_SCRATCH_H
#define REGRET_TESTS_SCRATCH_H

/* Makes the folder of a template that ends in XXXXXX, which is changed, and goes there. */
void scratch_enter(char *folder);
/* Removes it. */
void scratch_leave(const char *folder);

void scratch_put(const char *path, const char *text);
/* The file is that text. */
void scratch_holds(const char *path, const char *text);
/* How many entries the folder has. */
int scratch_entries(const char *path);

#endif
