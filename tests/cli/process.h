/* The program as a user runs it. */
#ifndef REGRET_TESTS_CLI_PROCESS_H
#define REGRET_TESTS_CLI_PROCESS_H

#include <stddef.h>

/* What the last process wrote. Zero-terminated; zero bytes in it become '?'. */
extern char process_stdout[1 << 18], process_stderr[1 << 16];

/* A fresh folder below /tmp with a small pool "pool" and "config.json" (two cells of two seeds), in
 * which every process runs; init and fini of the suites. */
void process_open(void);
void process_close(void);
const char *process_folder(void);

/* Runs "regret ARGUMENTS" by the shell, keeps both streams, returns the exit code (128 + n for a
 * signal). Asserts what holds of every process: errors are lines that begin with "regret: ", and no
 * control character reaches either stream. */
int process_run(const char *arguments);
/* The same with words before the program, "NO_COLOR=1 TERM=xterm". */
int process_run_in(const char *environment, const char *arguments);

/* What "regret ARGUMENTS" shows on a terminal, both streams. */
const char *process_on_terminal(const char *arguments);

void process_write(const char *name, const char *text);
/* The bytes of a file of the folder; free with regret_free(). */
char *process_read(const char *name);
int process_exists(const char *name);

/* Runs and asserts exit code 0. */
void process_ok(const char *arguments);
/* Asserts that two runs of one shard have the same rows. */
void process_same_rows(const char *a, const char *b);

/* Expect a part of what was written. */
void process_said(const char *part);  /* on stderr */
void process_wrote(const char *part); /* on stdout */
/* Runs and expects exit code 2, one line on stderr with `part`, and no data. */
void process_refused(const char *arguments, const char *part);

#endif
