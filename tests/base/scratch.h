/* A folder of a test's own in /tmp, which it works in, and what it looks at there. */
#ifndef REGRET_TESTS_SCRATCH_H
#define REGRET_TESTS_SCRATCH_H

extern char scratch_folder[32];

/* Makes it and goes there. */
void scratch_enter(void);
/* Removes it. */
void scratch_leave(void);

void scratch_put(const char *path, const char *text);
/* The file is that text. */
void scratch_holds(const char *path, const char *text);
/* How many entries the folder has. */
int scratch_entries(const char *path);

#endif
