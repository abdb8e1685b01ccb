/* Internal to the readers of CSV, JSON and JSONL: what they all refuse before they read. */
#ifndef REGRET_SRC_BASE_INPUT_H
#define REGRET_SRC_BASE_INPUT_H

#include <stddef.h>

enum { INPUT_HEAD = 16 }; /* bytes of a file's beginning that input_check_head() asks for */

/* Opens a file, pipe or device for reading. REGRET_E_INPUT when there is none, a folder, or a pipe
 * into which nobody writes for some seconds. */
int input_open(int *fd, const char *path);

/* Opens a regular file for reading, of *size bytes. REGRET_E_INPUT when there is none, or something else. */
int input_open_regular(int *fd, size_t *size, const char *path);

/* Refuses what that would refuse, and opens nothing. */
int input_check_regular(const char *path);

/* Reads `length` bytes, fewer only where the file ends before: *got. */
int input_read(size_t *got, int fd, void *data, size_t length, const char *path);

/* 1 where there surely is no such file. What cannot be looked at may be there: reading it then says why it cannot be
 * read, where regret_file_exists() would pass over it. */
int input_is_absent(const char *path);

/* What `path` opens: "-" is standard input, INPUT_STANDARD, once somebody has written into it (who does may have to
 * compute first). */
#define INPUT_STANDARD "/dev/stdin"
const char *input_path(const char *path);

/* Looks at the first bytes (INPUT_HEAD, or the whole of a shorter file): what is compressed or not
 * UTF-8 by its mark is refused with the way to convert it. */
int input_check_head(const char *head, size_t n, const char *name);

#endif
