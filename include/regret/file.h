/* Files and folders: bounded reads, atomic writes, output folders that appear whole or not at all.
 */
#ifndef REGRET_FILE_H
#define REGRET_FILE_H

#include <stddef.h>

#include "regret/buffer.h"
#include "regret/status.h"

/* Reads a whole regular file of at most `limit` bytes into a zero-terminated block that the caller
 * frees with regret_free(). *length (may be NULL) is without the zero. */
REGRET_API int regret_file_read(char **out, size_t *length, const char *path, size_t limit);

/* Writes `length` bytes to a temporary neighbour of `path`, flushes them to disk and renames:
 * readers see the old file or the new one, never a part. A link at `path` is replaced, not followed.
 */
REGRET_API int regret_file_write(const char *path, const char *data, size_t length);
/* The same where nothing stands at `path`, else REGRET_E_INPUT. */
REGRET_API int regret_file_write_new(const char *path, const char *data, size_t length);
/* regret_file_write() of folder/name with the text of a buffer; fails with the buffer's sticky error. */
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

/* Which folder stands at a path; zeroes: none. Another one in its place, or other names in it, make another mark. */
struct regret_folder_mark {
    unsigned long long device, file, seconds, nanoseconds;
};
REGRET_API void regret_folder_mark(struct regret_folder_mark *out, const char *path);

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
    char *path;        /* where the folder will appear; owned; NULL: nothing to do */
    char *partial;     /* where it is being built; owned; NULL when nothing is under way */
    const char *names; /* borrowed; NULL: what stands at `path` is not replaced */
    int lock;          /* the open and locked folder `partial`; meaningless without `path` */
    size_t
        there; /* bytes of `path` that were a folder before; beyond, abandon removes what begin made */
    struct regret_folder_mark mark; /* what stood at `path` at begin, or before */
    int keeps; /* 1: files that join others take the place of none (regret_staging_commit_files()) */
};
#define REGRET_STAGING_INIT                                                                        \
    {                                                                                              \
        NULL, NULL, NULL, -1, 0, {0, 0, 0, 0}, 0                                                   \
    }

/* An empty folder at `path` is taken. With `replace`, a folder is replaced that holds the first of `names` (which says that the
 * folder is ours) and no file but what the new one has, too, and what `names` match: patterns of the shell between blanks,
 * "run.json results-*.jsonl report/ *", borrowed until commit; one with "?" at its end says of begin alone that its files are
 * likely to be in the new one. Anything else at `path` is refused, now and at commit. So is, at commit, a folder that was
 * replaced since begin: what another process has written is not lost. */
REGRET_API int regret_staging_begin(struct regret_staging *s, const char *path, int replace,
                                    const char *names);
/* Who reads `path` before begin marks it before that: commit then demands what was read to stand there. */
REGRET_API void regret_staging_expect(struct regret_staging *s,
                                      const struct regret_folder_mark *mark);
REGRET_API int regret_staging_commit(struct regret_staging *s);

/* What begin would refuse at `path` as it is now, with nothing made or cleared away: what stands there, and folders
 * that this process may not write to. */
REGRET_API int regret_staging_check(const char *path, int replace, const char *names);

/* For files that join others in a folder which may exist and is not ours: whole files, each put into
 * place in one atomic step, replacing a file (or link) of its name; where s->keeps is set, all of them are refused if one
 * is there. Processes that commit to one folder do so one after the other. */
REGRET_API int regret_staging_begin_files(struct regret_staging *s, const char *path);
REGRET_API int regret_staging_commit_files(struct regret_staging *s);

REGRET_API void regret_staging_abandon(struct regret_staging *s); /* safe after commit, too */

/* Only deals with what killed processes left of `path`. */
REGRET_API int regret_staging_recover(const char *path);

/* The digest of regret_digest() of a whole file, read in pieces: memory does not grow with the file. */
REGRET_API int regret_digest_file(char out[33], const char *path);

#endif
