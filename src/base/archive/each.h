/* All members of a source that are wanted, one after the other. */
#ifndef REGRET_BASE_ARCHIVE_EACH_H
#define REGRET_BASE_ARCHIVE_EACH_H

#include <stddef.h>

#include "base/archive/source.h"

/* Told of the member at hand and its name; what it fails with ends the reading. */
typedef int source_member(void *context, struct source *source, const char *name);

/* Opens the source, and takes its members as source_next() gives them. */
int source_each(const char *path, const char *const *patterns, size_t n, source_member *member,
                void *context);
/* The same, and `passed` (NULL: nobody) is told with its own context of what is passed over. */
int source_each_told(const char *path, const char *const *patterns, size_t n, source_member *member,
                     void *context, source_passed *passed, void *passed_context);

/* Where a part of a path ("sources", "question.jsonl") stands in a member's name, as a folder or the whole of its last part; NULL:
 * nowhere. */
const char *source_part(const char *name, const char *part);

/* Keeps what stands before that place of the name of the member at hand in *folder: NULL at first, owned. REGRET_E_INPUT: something
 * else was there before: a source of two data sets, where one is wanted. */
int source_one_folder(char **folder, const struct source *source, const char *name,
                      const char *place);

#endif
