#include "evaluate/balance/triplets.h"

#include "base/core/try.h"
#include "regret/alloc.h"

int triplets_add(struct triplets *t, size_t row, size_t dimension, double value)
{
    uint32_t unit = t->assignment->unit[row];
    if (unit == ASSIGNMENT_NONE) {
        return REGRET_OK;
    }
    TRY(regret_grow((void **)&t->unit, &t->capacity[0], t->n, sizeof *t->unit, "features"));
    TRY(regret_grow((void **)&t->dimension, &t->capacity[1], t->n, sizeof *t->dimension,
                    "features"));
    TRY(regret_grow((void **)&t->value, &t->capacity[2], t->n, sizeof *t->value, "features"));
    t->unit[t->n] = unit;
    t->dimension[t->n] = dimension;
    t->value[t->n++] = value / (double)t->assignment->rows[unit];
    return REGRET_OK;
}

int triplets_take(struct block *out, struct triplets *t, size_t dimensions, size_t *source)
{
    out->source = source;
    return regret_csr_from_triplets(&out->x, t->assignment->n_units, dimensions, t->n, t->unit,
                                    t->dimension, t->value);
}

void triplets_free(struct triplets *t)
{
    regret_free(t->unit);
    regret_free(t->dimension);
    regret_free(t->value);
}

void block_free(struct block *block)
{
    regret_csr_free(block->x);
    regret_free(block->source);
    *block = (struct block){0};
}
