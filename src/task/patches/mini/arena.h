/* Memory that is freed all at once and has a limit. */
#ifndef REGRET_TASK_PATCHES_MINI_ARENA_H
#define REGRET_TASK_PATCHES_MINI_ARENA_H

#include <stddef.h>

struct mini_block;

struct mini_arena {
    struct mini_block *blocks; /* the newest first; owned */
    size_t room;               /* bytes left in the newest */
    size_t taken;              /* bytes handed out so far */
    size_t limit;              /* most that may be */
    int status;                /* REGRET_OK, or REGRET_E_NOMEM once memory could not be had */
};

/* `bytes` zeroed bytes, aligned for any type, or NULL: over the limit, or (see status) no memory.
 */
void *mini_arena_take(struct mini_arena *arena, size_t bytes);
void mini_arena_free(struct mini_arena *arena);

#endif
