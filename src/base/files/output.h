/* Files that the program writes: opened and written in one place, with what may not happen to them. */
#ifndef REGRET_BASE_OUTPUT_H
#define REGRET_BASE_OUTPUT_H

#include <stddef.h>

#include "regret/span.h"

/* "cannot ACTION PATH: …" with the reason that errno gives; returns REGRET_E_IO. */
int io_error(const char *action, const char *path);

/* regret_folder_create(); *there is how many bytes of the path are folders that were there before. On failure none is left. */
int folder_create(size_t *there, const char *path);
/* Takes away what it made, the deepest first, as far as that is empty. Shortens the path. */
void folder_remove_made(char *path, size_t there);

/* Opens a regular file for writing, by open()'s `flags` (an access mode and O_CREAT, O_EXCL, O_TRUNC,
 * O_APPEND). A link is never followed, a pipe never waited for, and the descriptor is above 2 even
 * where those are closed: words meant for stderr must not land in data. */
int output_open(int *fd, const char *path, int flags);

/* Writes all of it, however often the system takes a part. `path` is for the message. */
int output_write(int fd, const char *data, size_t length, const char *path);

/* REGRET_E_IO when `path` no longer names the open file ("… was removed, moved or replaced WHEN"): it
 * would take every write without an error. *length gets its bytes, unless NULL. */
int output_check_there(size_t *length, int fd, const char *path, const char *when);

/* Flushes what was written through `fd` to disk. */
int output_sync(int fd, const char *path);

/* The bytes of a folder's name without what marks it as one that is being built. */
size_t staging_name_length(const char *name);

#endif
