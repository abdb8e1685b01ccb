/* Memory that is freed all at once and has a limit. */
#ifndef REGRET_SYNTH_DATA_ARENA_H
#define REGRET_SYNTH_DATA_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
    struct arena_block *blocks; /* the newest first; owned */
    size_t room;                /* bytes left in the newest */
    size_t taken;               /* bytes handed out so far */
    size_t limit;               /* most that may be */
    int status;                 /* REGRET_OK, or REGRET_E_NOMEM once memory could not be had */
};

/* `bytes` zeroed bytes, aligned for any type, or NULL: over the limit, or (see status) no memory.
 */
void *arena_take(struct arena *arena, size_t bytes);
void arena_free(struct arena *arena);

#endif
