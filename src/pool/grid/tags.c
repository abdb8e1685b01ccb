#include "pool/grid/tags.h"

#include "base/core/id_table.h"
#include "base/core/try.h"
#include "regret/alloc.h"

/* The tags met so far. */
struct numbering {
    struct regret_pool_tag *tags; /* owned */
    size_t n, capacity;
    struct id_table ids;
    size_t without; /* the number of NULL, or SIZE_MAX */
};

static int enter(size_t *out, struct numbering *s, const char *tag)
{
    size_t i = tag == NULL ? s->without : id_table_find(&s->ids, tag);
    if (i == SIZE_MAX) {
        i = s->n;
        TRY(regret_grow((void **)&s->tags, &s->capacity, s->n, sizeof *s->tags, "tags"));
        TRY(id_table_reserve(&s->ids, s->n + 1));
        s->tags[s->n++] = (struct regret_pool_tag){tag, 0};
        if (tag == NULL) {
            s->without = i;
        } else {
            id_table_put(&s->ids, tag, i);
        }
    }
    s->tags[i].contexts++;
    *out = i;
    return REGRET_OK;
}

int pool_tags_number(struct regret_pool_tag **tags, size_t *n_tags, uint32_t **kind,
                     const struct regret_pool *pool, const size_t *contexts, size_t n)
{
    struct numbering s = {.without = SIZE_MAX};
    uint32_t *of = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&of, n));
    TRY_CLEANUP(REGRET_NEW(&s.tags, 1));
    s.capacity = 1;
    for (size_t x = 0; x < n; x++) {
        size_t i = 0;
        TRY_CLEANUP(enter(&i, &s, pool->contexts[contexts != NULL ? contexts[x] : x].tag));
        of[x] = (uint32_t)i;
    }
    *tags = NULL;
    *n_tags = 0;
    if (s.ids.n > 0) {
        *tags = s.tags;
        *n_tags = s.n;
        s.tags = NULL;
    }
    if (kind != NULL) {
        *kind = s.ids.n > 0 ? of : NULL;
        of = *kind != NULL ? NULL : of;
    }
cleanup:
    regret_free(s.tags);
    id_table_free(&s.ids);
    regret_free(of);
    return rc;
}
