/* JSONL in files, folders and archives, a line at a time. */
#ifndef REGRET_IMPORT_FLAT_H
#define REGRET_IMPORT_FLAT_H

#include <stddef.h>

#include "import/table/table_cell.h"
#include "regret/json.h"

struct cJSON;
struct source;

/* Who gets the lines. */
struct flat_reader {
    /* Whether a member is wanted: its name is its path within what was opened. */
    int (*wants)(int *wanted, void *context, const struct source *source, const char *name);
    int (*line)(void *context, const struct cJSON *line, struct regret_place at);
    void *context;
};

/* Gives the reader the lines of the *.jsonl and *.json members of a file, a folder or an archive; a file that is given is one
 * whatever its name. */
int flat_read(const char *path, const struct flat_reader *reader);

/* Where a part of a path ("model_answer") stands in a member's name, as a folder or the whole last part; NULL: nowhere. */
const char *flat_place(const char *name, const char *part);

/* What names something: the first of two fields that is there, a text or a number. REGRET_E_INPUT: neither is. */
int flat_id(const char **out, char scratch[TABLE_SCRATCH], const struct cJSON *line,
            const char *const fields[2], struct regret_place at);

#endif
