#include "synth/data/arena.h"

#include <stdalign.h>

#include "base/core/try.h"
#include "regret/alloc.h"

enum { BLOCK_BYTES = 16384 };

struct arena_block {
    struct arena_block *next;
    size_t bytes; /* of `data` */
    alignas(max_align_t) char data[];
};

static int add_block(struct arena *arena, size_t bytes)
{
    struct arena_block *block = NULL;
    size_t size = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
    arena->status = regret_calloc((void **)&block, 1, sizeof *block + size, "an arena");
    TRY(arena->status);
    block->bytes = size;
    block->next = arena->blocks;
    arena->blocks = block;
    arena->room = size;
    return REGRET_OK;
}

void *arena_take(struct arena *arena, size_t bytes)
{
    size_t unit = alignof(max_align_t);
    if (arena->status != REGRET_OK || bytes > arena->limit - arena->taken) {
        return NULL;
    }
    size_t rounded = (bytes + unit - 1) / unit * unit;
    if (arena->blocks == NULL || arena->room < rounded) {
        if (add_block(arena, rounded) != REGRET_OK) {
            return NULL;
        }
    }
    struct arena_block *block = arena->blocks;
    char *out = block->data + (block->bytes - arena->room);
    arena->room -= rounded;
    arena->taken += bytes;
    return out;
}

void arena_free(struct arena *arena)
{
    struct arena_block *block = arena->blocks;
    while (block != NULL) {
        struct arena_block *next = block->next;
        regret_free(block);
        block = next;
    }
    *arena = (struct arena){.limit = arena->limit};
}
