#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/design.h"

FREED_POINTER(struct regret_sample, regret_sample_free)

static int allocate(struct regret_sample *s, size_t entries)
{
    TRY(REGRET_NEW(&s->pair, entries));
    TRY(REGRET_NEW(&s->count, entries));
    TRY(REGRET_NEW(&s->sum, entries));
    return REGRET_NEW(&s->square, entries);
}

static int is_taken(const uint32_t *take, uint32_t wanted, size_t i)
{
    return take == NULL || take[i] == wanted;
}

int regret_sample_gather(struct regret_sample **out, const uint32_t *pair, const double *y,
                         size_t n, size_t n_pairs, const uint32_t *take, uint32_t wanted)
{
    FREED_BY(regret_sample_free_at) struct regret_sample *s = NULL;
    FREED size_t *slot = NULL; /* by pair: rows, then 1 + its entry */
    size_t entries = 0;
    TRY(REGRET_NEW(&slot, n_pairs));
    for (size_t i = 0; i < n; i++) {
        if (pair[i] >= n_pairs) {
            return regret_fail(REGRET_E_INTERNAL, "row %zu uses pair %u of %zu", i, pair[i],
                               n_pairs);
        }
        if (is_taken(take, wanted, i)) {
            entries += slot[pair[i]]++ == 0;
        }
    }
    TRY(REGRET_NEW(&s, 1));
    TRY(allocate(s, entries));
    for (size_t p = 0; p < n_pairs; p++) {
        if (slot[p] > 0) {
            s->pair[s->entries] = p;
            s->count[s->entries] = (double)slot[p];
            s->rows += slot[p];
            slot[p] = s->entries++;
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (is_taken(take, wanted, i)) {
            s->sum[slot[pair[i]]] += y[i];
            s->square[slot[pair[i]]] += y[i] * y[i];
        }
    }
    *out = s;
    s = NULL;
    return REGRET_OK;
}

void regret_sample_free(struct regret_sample *s)
{
    if (s == NULL) {
        return;
    }
    regret_free(s->pair);
    regret_free(s->count);
    regret_free(s->sum);
    regret_free(s->square);
    regret_free(s);
}
