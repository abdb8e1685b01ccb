/* Processes beside the test, in the folder of process_open(). */
#ifndef REGRET_TESTS_FAULTS_BACKGROUND_H
#define REGRET_TESTS_FAULTS_BACKGROUND_H

#include <stddef.h>
#include <sys/types.h>

/* Starts "regret LINE" (split at blanks), its stderr in the file ".said-NUMBER". */
pid_t background_start(const char *line, int number);
/* Its exit code, or 128 + n for a signal. */
int background_wait(pid_t pid);
/* What it wrote to stderr; valid until the next call. */
const char *background_said(int number);

/* Path of a name in the folder; valid until the fourth call from here. */
const char *background_path(const char *name);

/* Expects everything below the folders to be the same; the first difference is named. */
void background_expect_same(const char *folder, const char *expected, const char *what);

#endif
