/* Importers that are scripts of SQL. */
#ifndef IMPORT_SCRIPT_H
#define IMPORT_SCRIPT_H

#include <stddef.h>

#include "import/importer.h"

/* data/import/README.md says what a script is: a head of comments, which names what it reads and the options it has, and statements that
 * fill the tables answer, metric, refusal and note. What becomes of the answers is decided as for all of them (import/harness.h). */

struct script; /* opaque */

/* Scripts that come with the program, by the names of their files: those that end in .sql, and data beside them. */
struct script_file {
    const char *name, *text;
};
extern const struct script_file script_files[]; /* ended by {0} */

struct script_set {
    struct script **script; /* owned, in the order of their names */
    size_t n, capacity;
};

/* All that come with the program. */
int script_set_read(struct script_set *out);
void script_set_free(struct script_set *set);

/* One of a user's own, from a file; free it with script_free(). */
int script_read(struct script **out, const char *path);
void script_free(struct script *s); /* NULL is fine */

/* What the command line makes of it; borrowed. */
const struct importer *script_importer(const struct script *s);

/* The one script of the set that knows the files, NULL where none does; REGRET_E_INPUT: several do, which are named. */
int script_detect(const struct script **out, const struct script_set *set, const char *const *paths,
                  size_t n_paths);

#endif
