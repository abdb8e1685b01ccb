/* The bytes of a file, pipe or device, unpacked on the way where they are compressed. Internal to the readers of CSV and JSON. */
#ifndef REGRET_BASE_UNPACK_H
#define REGRET_BASE_UNPACK_H

#include <stddef.h>

#include "regret/buffer.h"

enum { UNPACK_MOST_RATIO = 1000 }; /* bytes unpacked to bytes read, beyond the first MiB */

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
