/* Files: reading, writing whole or not at all, folders and their digests. */
#ifndef BASE_FILES_H
#define BASE_FILES_H

#include <stddef.h>

/* Files that the program writes: opened and written in one place, with what may not happen to them. */

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

/* What stands in a folder, of a stranger's or one's own. */

struct folder_list {
    char **name; /* owned */
    size_t n;
};

/* The entries of a folder that do not begin with a dot, in the order of their bytes. REGRET_E_INPUT: no
 * folder that can be read, or more than FOLDER_LIST_MOST. */
int folder_list_read(struct folder_list *out, const char *path);
int folder_list_read_all(struct folder_list *out, const char *path); /* those with a dot, too */
void folder_list_free(struct folder_list *list); /* NULL entries and an empty one are fine */

/* What an entry is, no link being followed. REGRET_E_IO: what cannot be looked at, which is not to be taken for none. */
enum folder_entry {
    FOLDER_ENTRY_NONE, /* surely not there */
    FOLDER_ENTRY_FILE,
    FOLDER_ENTRY_FOLDER,
    FOLDER_ENTRY_OTHER /* a link, a pipe, a device */
};
int folder_entry_of(enum folder_entry *out, const char *path);
/* Whether it is a folder, links being followed; REGRET_E_IO as above. */
int folder_is_there(int *is_there, const char *path);

#endif
