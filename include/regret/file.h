/* Files and folders: bounded reads, atomic writes, output folders that appear whole or not at all.
 */
#ifndef REGRET_FILE_H
#define REGRET_FILE_H

#include <stddef.h>

#include "regret/buffer.h"
#include "regret/status.h"

REGRET_BEGIN_DECLS

/* Reads a whole regular file of at most `limit` bytes into a zero-terminated block that the caller
 * frees with regret_free(). *length (may be NULL) is without the zero. */
REGRET_API int regret_file_read(char **out, size_t *length, const char *path, size_t limit);

/* Writes `length` bytes to a temporary neighbour of `path`, flushes them to disk and renames:
 * readers see the old file or the new one, never a part. A link at `path` is replaced, not followed.
 */
REGRET_API int regret_file_write(const char *path, const char *data, size_t length);
/* The same for folder/name with the text of a buffer; fails with the buffer's sticky error. */
REGRET_API int regret_file_write_text(const char *folder, const char *name,
                                      const struct regret_buffer *text);

REGRET_API int regret_file_exists(const char *path); /* 1 when anything is there, else 0 */
REGRET_API int regret_is_folder(const char *path);   /* 1 for a folder, else 0 */
/* 1 for a folder (no link to one) with nothing in it, else 0 */
REGRET_API int regret_folder_is_empty(const char *path);
REGRET_API int
regret_folder_create(const char *path); /* with its parents; existing ones are fine */

/* Removes a folder and the plain files and folders below it; never follows a link. */
REGRET_API int regret_folder_remove(const char *path);

/* "folder/name" in a fresh string. */
REGRET_API int regret_path_join(char **out, const char *folder, const char *name);

/* An output folder built out of sight, beside its place, in a folder PATH.partial-PROCESS-N that is
 * locked as long as its process lives. Begin makes it; commit puts it into place in one atomic step;
 * abandon removes it. Of two processes that build the same output at once, the second to commit is
 * refused, or replaces the whole output of the first.
 *
 * What a killed process left is dealt with by the next begin (or recover) for the same path: folders
 * of dead processes are removed, and where the file system cannot exchange two names and the process
 * died between moving the old output aside and the new one in, the old one is moved back. At every
 * moment the whole old output or the whole new one exists. */
struct regret_staging {
    char *path;         /* where the folder will appear; owned; NULL: nothing to do */
    char *partial;      /* where it is being built; owned; NULL when nothing is under way */
    const char *marker; /* borrowed; NULL: what stands at `path` is not replaced */
    int lock;           /* the open and locked folder `partial`; meaningless without `path` */
    size_t
        there; /* bytes of `path` that were a folder before; beyond, abandon removes what begin made */
};
#define REGRET_STAGING_INIT                                                                        \
    {                                                                                              \
        NULL, NULL, NULL, -1, 0                                                                    \
    }

/* An empty folder at `path` is taken. With `replace`, a folder that holds `marker` (a file name that
 * says the folder is ours; borrowed until commit) is replaced. Anything else at `path` is refused,
 * now and at commit. */
REGRET_API int regret_staging_begin(struct regret_staging *s, const char *path, int replace,
                                    const char *marker);
REGRET_API int regret_staging_commit(struct regret_staging *s);

/* What begin would refuse at `path` as it is now, with nothing made or cleared away: what stands there, and folders
 * that this process may not write to. */
REGRET_API int regret_staging_check(const char *path, int replace, const char *marker);

/* For files that join others in a folder which may exist and is not ours: whole files, each put into
 * place in one atomic step, replacing a file (or link) of its name. */
REGRET_API int regret_staging_begin_files(struct regret_staging *s, const char *path);
REGRET_API int regret_staging_commit_files(struct regret_staging *s);

REGRET_API void regret_staging_abandon(struct regret_staging *s); /* safe after commit, too */

/* Only deals with what killed processes left of `path`. */
REGRET_API int regret_staging_recover(const char *path);

/* The digest of regret_digest() of a whole file, read in pieces: memory does not grow with the file. */
REGRET_API int regret_digest_file(char out[33], const char *path);

REGRET_END_DECLS

#endif
