/* A cell becomes a number or a text. */
#ifndef IMPORT_TABLE_CELL_H
#define IMPORT_TABLE_CELL_H

#include <stddef.h>

#include "import/table_source.h"
#include "table/words.h"

/* Field i as text, borrowed until the next call; an absent or null member is an error unless
 * `may_lack`: then it is "". Numbers and booleans of JSON are written out. */
int table_source_text(const char **out, struct table_source *source, size_t i, int may_lack);
/* What field i leads to; NULL: nothing, or the table is none of JSON. */
const struct cJSON *table_source_value(const struct table_source *source, size_t i);
/* A field of a record: as json_text() has it, or of a list of numbers, or of the numbers that a step "*" leads to, their mean; `range`
 * is from the least to the largest of these, and empty (from infinity down) where there is no list. */
const char *table_json_cell(char scratch[JSON_SCRATCH], double range[2], const struct cJSON *base,
                            const char *path);
#endif
