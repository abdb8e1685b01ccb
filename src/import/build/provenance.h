/* Which files an import has read: the step that it adds to the history of its pool. */
#ifndef REGRET_IMPORT_PROVENANCE_H
#define REGRET_IMPORT_PROVENANCE_H

#include "import/build/builder.h"

/* Notes a file that was read, once; what is read once only, a pipe, is passed over. */
int import_note_file(struct import_builder *b, const char *path);

/* Records that the pool, which has its name, is "import NAME" of the files noted, with their digests and dates. They are called as the last parts
 * of their paths: with the folder, where many files have one name. `date` may be NULL: files then have none, either. */
int import_record(struct import_builder *b, const char *name, const char *date, int with_folder);

#endif
