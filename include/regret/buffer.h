/* Texts that grow, files, formats of tables. */
#ifndef REGRET_BUFFER_H
#define REGRET_BUFFER_H

#include <stddef.h>

#include "regret/status.h"

/* A growable byte buffer for building text. Errors are sticky: append freely, then ask once with
 * regret_buffer_status() whether everything fitted in memory. */

struct regret_buffer {
    char *data;      /* `length` bytes and a terminating zero; NULL while empty. Owned. */
    size_t length;   /* bytes in use */
    size_t capacity; /* bytes allocated */
    int status;      /* REGRET_OK, or the first error */
};

/* An empty text. */
#define REGRET_BUFFER_INIT                                                                         \
    {                                                                                              \
        NULL, 0, 0, REGRET_OK                                                                      \
    }

/* Makes room for `extra` more bytes: appending them then cannot fail. */
REGRET_API int regret_buffer_reserve(struct regret_buffer *t, size_t extra);

/* Append a text, `length` bytes of one, a byte, what printf() makes. What fails is kept for regret_buffer_status(). */
REGRET_API void regret_buffer_append(struct regret_buffer *t, const char *text);
REGRET_API void regret_buffer_append_n(struct regret_buffer *t, const char *text, size_t length);
REGRET_API void regret_buffer_append_char(struct regret_buffer *t, char c);
REGRET_API void regret_buffer_printf(struct regret_buffer *t, const char *format, ...)
    REGRET_PRINTF(2, 3);

/* Appends `text` as a JSON string with its quotes; control characters are escaped. The text must be
 * valid UTF-8 (see regret_utf8_valid). NULL is null. */
REGRET_API void regret_buffer_json_string(struct regret_buffer *t, const char *text);

/* Appends the shortest decimal that reads back as exactly `value`; "null" where it is not finite
 * (JSON has no other word for it). */
REGRET_API void regret_buffer_json_number(struct regret_buffer *t, double value);

/* Appends text of unknown origin (UTF-8) for people to read, on one line and in at most `columns`
 * terminal columns: white space becomes one space, and characters that could steer a terminal or
 * hide (control and format characters, ESC and bidirectional overrides among them) are written as
 * \u{…}; what is not UTF-8 becomes U+FFFD. A text cut short ends in "…". */
REGRET_API void regret_buffer_append_safe(struct regret_buffer *t, const char *text,
                                          size_t columns);

/* The same, filled with blanks to exactly `columns`. */
REGRET_API void regret_buffer_append_field(struct regret_buffer *t, const char *text,
                                           size_t columns);

/* The columns that regret_buffer_append_safe() takes for the whole text. */
REGRET_API size_t regret_text_columns(const char *text);

/* The same for a document: all of the text, on as many lines as it has, with blanks and tabs as they
 * are. */
REGRET_API void regret_buffer_append_visible(struct regret_buffer *t, const char *text);

/* The text so far; "" while empty. Never NULL. Valid until the next change. */
REGRET_API const char *regret_buffer_get(const struct regret_buffer *t);
REGRET_API int regret_buffer_status(const struct regret_buffer *t);
/* Makes a failure of something the text is built from, such as another buffer's status, its own first
 * error, unless it has one; REGRET_OK changes nothing. */
REGRET_API void regret_buffer_fail(struct regret_buffer *t, int status);
/* Empties the buffer and keeps its memory, and its sticky error: what failed once stays failed. */
REGRET_API void regret_buffer_clear(struct regret_buffer *t);
/* Frees the memory; the buffer is as new. */
REGRET_API void regret_buffer_free(struct regret_buffer *t);
/* Frees a part that `whole` was built from; what made the part fail makes the whole fail. */
REGRET_API void regret_buffer_free_into(struct regret_buffer *whole, struct regret_buffer *part);

/* 1 when the bytes are well-formed UTF-8 (no overlong forms, no surrogates), else 0 with the offset
 * of the first bad byte in *bad (may be NULL). */
REGRET_API int regret_utf8_valid(const char *text, size_t length, size_t *bad);
/* Appends the bytes with U+FFFD for each that is zero or not of well-formed UTF-8. */
REGRET_API void regret_utf8_append_repaired(struct regret_buffer *out, const char *text,
                                            size_t length);

/* Files and folders: bounded reads, atomic writes, output folders that appear whole or not at all.
 */

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

/* The formats of tables. */

enum regret_format {
    REGRET_FORMAT_MARKDOWN,
    REGRET_FORMAT_CSV,
    REGRET_FORMAT_LATEX,
    REGRET_FORMAT_HTML,
    REGRET_FORMAT_JSON, /* for other programs; no file of a report has it */
    REGRET_FORMAT_TEXT, /* for a terminal of a hundred columns; neither */
    REGRET_N_FORMATS
};

/* "text", "md", "csv", "tex", "html" or "json" (REGRET_E_INPUT otherwise). */
REGRET_API int regret_format_parse(enum regret_format *out, const char *word);

/* The word of a format, which is its file extension too. Static. */
REGRET_API const char *regret_format_word(enum regret_format format);

#endif
