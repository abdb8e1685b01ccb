/* What is read: files, pipes, standard input, compressed or not. */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include <stddef.h>

#include "regret/buffer.h"

/* Internal to the readers of CSV, JSON and JSONL: what they all refuse before they read. */

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

/* The bytes of a file, pipe or device, unpacked on the way where they are compressed. Internal to the readers of CSV and JSON. */

struct unpack; /* opaque */

/* Opens as input_open() does. What begins with the mark of gzip, bzip2, xz or zstd is unpacked. */
int unpack_open(struct unpack **out, const char *path);
void unpack_close(struct unpack *u); /* NULL is fine */

/* Puts at most `most` bytes at `to` and returns their number, 0 at the end, or a negative code with its message: what cannot
 * be unpacked, is damaged or cut short, or is UNPACK_MOST_RATIO times as large as what is read. `context` is a struct unpack: regret_csv_source. */
long unpack_read(void *context, char *to, size_t most);

/* The bytes that a regular file has where it is not compressed; SIZE_MAX: nobody knows. */
size_t unpack_size(const struct unpack *u);

/* Appends the whole of a file, of at most `limit` bytes unpacked. */
int unpack_file(struct regret_buffer *out, const char *path, size_t limit);

/* Whether it is compressed. */
int unpack_is_packed(const struct unpack *u);

#endif
