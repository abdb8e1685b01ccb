/* Archives: members of .zip, .eval and .tar, one after another. */
#ifndef BASE_ARCHIVE_H
#define BASE_ARCHIVE_H

#include <stddef.h>

#include "base/json.h"

/* Where importers read from: a file, a folder or an archive, as a sequence of named members, as if all were folders of
 * plain files. */

struct source; /* opaque */

/* A file, compressed (.gz, .zst, .xz, .bz2) or not: one member; an archive (.zip, .eval, .tar, .tar.gz, .tgz, …): its files;
 * a folder: the files of it and of its folders in the order of their bytes, archives among them entered. Links are refused
 * where they are given, and passed over in folders, as are pipes, devices and names that begin with a dot.
 * REGRET_E_INPUT: nothing there, neither file nor folder. An archive is read once, in its own order: who needs a
 * member that may come late opens it twice. */
int source_open(struct source **out, const char *path);
void source_close(struct source *s); /* NULL is fine */

/* The next member whose name, the last part of it, matches one of n shell patterns (NULL, 0: any). *name is its path within what
 * was opened, "model-a/samples_x.jsonl", in an archive within a folder "log.eval/header.json", without the end that says it is
 * compressed; NULL after the last one; borrowed until the next call. REGRET_E_INPUT names archive and member: a name that is
 * absolute, climbs (..) or is no UTF-8, a link or device, an encrypted member, one that unpacks to SOURCE_MOST_RATIO times what was
 * read, an archive that is damaged or cut short. */
int source_next(struct source *s, const char *const *patterns, size_t n, const char **name);

/* Told of something that is passed over although it may hold members: what it is, for people, and where. */
typedef int source_passed(void *context, const char *what, const char *where);
#define SOURCE_OTHER                                                                               \
    "files of other names" /* what is told of a member that matches none of the patterns */
/* All such that source_next() comes by from here on: members of other names, links, pipes and devices in folders, archives without a member, and what is
 * packed within an archive: archives and compressed files, which are not entered. What it fails with ends the reading. */
void source_listen(struct source *s, source_passed *passed, void *context);

/* Of the member at hand one of these, once: its bytes (at most `most`; a zero follows; free with regret_free()), or its lines, whose
 * reader is the source's and is there until the next call of source_next(). */
int source_text(struct source *s, char **text, size_t *length, size_t most);
int source_jsonl(struct source *s, struct regret_jsonl **out);
/* The next bytes of it, of the source that `context` is: regret_csv_source, jsonl_source. */
long source_read(void *context, char *to, size_t most);

/* How messages call the member at hand: "FOLDER/NAME", "ARCHIVE: NAME". Borrowed until the next call of source_next(). */
const char *source_where(const struct source *s);
/* The file on disk that it is, or is in: for digests. Borrowed as above. */
const char *source_file(const struct source *s);

#endif
