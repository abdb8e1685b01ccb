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
/* Field i as a finite number: one of the map's words for it, what table_source_parse() takes or, with
 * source->decimal_comma, one with a comma. */
int table_source_number(double *out, struct table_source *source, size_t i);
/* The same, or all numbers of a list of JSON: n at *out, at least one, borrowed until the next call. */
int table_source_numbers(const double **out, size_t *n, struct table_source *source, size_t i);
/* 1 where field i holds nothing, in none of its elements; what it holds may be wrong all the same. */
int table_source_is_blank(struct table_source *source, size_t i);
/* 1 where there is no number in field i: it is absent, null, blank, an empty list, or says that it is missing; or where
 * that is true of an element of a list. */
int table_source_lacks(struct table_source *source, size_t i);
/* Appends the texts of field i that are not blank, the field or those of a list of JSON, as references (importer.h). */
int table_source_references(struct regret_buffer *out, struct table_source *source, size_t i);
/* Of a wide table: table_source_set_agent(). 0 where each of the agent's own fields is blank, absent or, of numbers,
 * says that it is missing, in the record at hand. */
int table_source_choose(struct table_source *source, size_t a);

#endif
