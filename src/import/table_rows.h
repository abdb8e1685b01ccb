/* Rows of a table: requests, turns, answers. */
#ifndef IMPORT_TABLE_ROWS_H
#define IMPORT_TABLE_ROWS_H

#include <stddef.h>

#include "import/table_source.h"
#include "regret/buffer.h"

struct cJSON;

enum turns { TURNS_OF_USER, TURNS_OF_AGENT };

/* Appends the turns of one side of a list with an empty line between them, [{"role": "user", "content": …}], or texts without
 * roles, all of which count; a content may be a list of {"type": "text", "text": …}, and so may the list itself; of rounds, [{"user": TURN, "model_side_a":
 * TURN, …}], the user's. A text is one turn; anything else has none. */
void table_turns_append(struct regret_buffer *room, const struct cJSON *list, enum turns whose);

/* Field i as text: such a list, or any other text. In `room`, which keeps it, or borrowed until the next call. Absent or null
 * is an error of a user's, "" of an agent's. */
int table_turns_text(const char **out, struct regret_buffer *room, struct table_source *source,
                     size_t i, enum turns whose);

#endif
