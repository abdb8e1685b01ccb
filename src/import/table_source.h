/* Where rows come from, and which columns. */
#ifndef IMPORT_TABLE_SOURCE_H
#define IMPORT_TABLE_SOURCE_H

#include <stddef.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/jsonl.h"
#include "import/importer.h"
#include "import/table_wide.h"

struct cJSON;

/* Between the path to a list whose elements are rows and what is in them. */
#define TABLE_NEST ".*."
/* The fields that all tables have; that of the agent says so. */
enum { TABLE_CONTEXT, TABLE_AGENT, TABLE_OUTPUT, TABLE_TEXT, TABLE_TAG };

struct table_source {
    const char *path;         /* borrowed */
    const char *const *field; /* where each field stands, of a wide table those of the agent chosen;
                                 borrowed, NULL: not wanted */
    size_t n_fields;
    struct regret_csv *csv; /* NULL: JSON */
    struct json_records json;
    size_t *column;   /* of each field, as `field` is; CSV */
    size_t n_columns; /* CSV */
    size_t *columns;  /* of each field, by agent; owned */
    int is_wide;
    struct table_wide wide;
    size_t agent;               /* of a wide table, the one chosen */
    const struct cJSON *record; /* JSON; the record at hand, borrowed from `json` */
    size_t
        number; /* of the record at hand: its line or, in an array or of nested rows, its place from 0 */
    size_t
        nest; /* JSON whose rows are elements of a list of each record: bytes of the path to it */
    const struct cJSON *row, *next_row; /* of nested rows, the one at hand and the one after it */
    size_t rows, row_index;             /* of nested rows: all so far, and in the list, from 0 */
    char *where;                        /* room for the place of a nested row; owned */
    size_t where_room;
    int over; /* 1 after an error that reading cannot go on from */
    char scratch[JSON_SCRATCH];
};

/* Opens a file; `field` names columns, or members of the JSON objects: a name with dots that no
 * member has leads into objects and, by numbers from 0, into arrays. CSV: every wanted column must
 * be in the header. With `agents` (NULL: none) the table is wide, and fields with TABLE_AGENT_MARK are each
 * agent's own. In JSON an agent's field "completions.*.model" says that every element of the list "completions" is a
 * row: fields that begin so are the element's, others the record's. */
int table_source_open(struct table_source *out, const char *path,
                      const struct regret_table_options *options, const char *const *field,
                      size_t n_fields, const struct table_agents *agents);
void table_source_close(struct table_source *source);

/* The next record, or nested row, *more = 0 at the end. Errors name the line; see `over`. */
int table_source_next(struct table_source *source, int *more);

/* Of a wide table: chooses agent a of source->wide, below its n_agents, which may grow with every record of
 * JSONL; all fields are then the agent's. */
void table_source_set_agent(struct table_source *source, size_t a);
/* The name of the agent chosen. */
const char *table_source_agent(const struct table_source *source);

/* Where the record at hand stands, and what its number counts: "line" or "record". */
struct regret_place table_source_place(const struct table_source *source);
const char *table_source_unit(const struct table_source *source);

#endif
