/* Cells of a log's rows. */
#ifndef LOG_CELLS_H
#define LOG_CELLS_H

#include <stddef.h>
#include <stdint.h>

#include "base/json.h"
#include "import/table_source.h"
#include "log/doubts.h"
#include "log/settle.h"
#include "regret/buffer.h"

/* What a cell of a log says: outcomes and times in the words that people and programs write. */

/* A finite number, or a word for good (1) or bad (0): what table_source_parse() takes, thumbs up and down, like and
 * dislike and their like; *is_word then. 0 where the text is neither. */
int log_outcome_parse(double *out, int *is_word, const char *text);

/* Seconds since 1970 (UTC): ISO 8601 ("2026-03-01T12:30:05.25+01:00", a blank for the T, a date alone; without a zone
 * UTC), or a number of seconds, from 1e11 on of milliseconds, from 1e14 on of microseconds, from 1e17 on of nanoseconds.
 * 0 where the text is none. */
int log_time_parse(double *out, const char *text);

/* A table of a log, and what one row of it says. */

enum { LOG_AGENT_BYTES = 200, LOG_ID = 64 /* bytes of an id that is made, not given */ };

struct log_table {
    const struct log_config *config; /* borrowed */
    enum log_input_of which;
    const struct log_input *input;
    struct table_source source;
    size_t ordinal; /* records so far, those that cannot be read among them */
    uint64_t line;  /* of the record at hand */
    int is_record;  /* 0: what stands there is none, and the thread's message says why */
    struct regret_buffer turns;
    char id[LOG_ID];
    struct log_slate slate; /* of the row at hand, where one is named */
};

/* Close it even on failure. */
int log_table_open(struct log_table *out, const struct log_config *config, enum log_input_of which);
void log_table_close(struct log_table *table);
/* Sets decimal_comma of the input: outcomes of the first records have commas for points, none has a point, and not all may
 * be thousands (1,200). */
int log_table_find_commas(struct log_config *config, enum log_input_of which);
/* The next record, good or bad; *more is 0 at the end. */
int log_table_next(struct log_table *table, int *more);

/* A field as text; *out is "" where it is not named, absent or null, and NULL where it cannot be read: then the thread's
 * message says why. Borrowed until the next call. The request and the answer may be conversations. */
int log_table_text(const char **out, struct log_table *table, size_t field);

/* table_source_parse(), or with the input's decimal_comma a number with one. */
int log_number_parse(double *out, const struct log_input *input, const char *text);

/* The id of the context of the record at hand: as given; of a table without ids 16 figures that its text has; of one
 * without texts "obs:7", for then each row is of its own. *out is NULL where there is none. Borrowed until the next call. */
int log_table_context(const char **out, enum log_loss *why, struct log_table *table);

/* What a row of OBS or EXP says beside its texts. */
struct log_row {
    uint64_t context; /* hash of its id */
    char agent[LOG_AGENT_BYTES + 1];
    double outcome; /* as given */
    int is_word;
    double chance; /* NaN: not said */
};

/* Reads it; *why is LOG_LOSS_NONE where it can be used, else *example, NULL or what stands there, borrowed until the next
 * call. */
int log_row_read(struct log_row *out, enum log_loss *why, const char **example,
                 struct log_table *table);

/* What evaluate.json may say: one list, so that a key which nobody reads is refused whoever reads first. */

struct cJSON;

/* Refuses a key that is neither of the input (read by regret_log_read()) nor of the estimation (read by who estimates),
 * naming the nearest; and a configuration of `regret run`. A key of the estimation that ends in ".*" in the list stands
 * for all that begin so: what may follow is for its reader to check. */
int log_config_check_keys(const struct cJSON *root, struct regret_place at);

/* 1 where a key is read by regret_log_read(): whoever reads the others passes over it. */
int log_config_is_input_key(const char *key);

#endif
