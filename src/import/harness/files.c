/* Which files there are: read, passed over, of the import's own; and what is left out, counted by its reason. */
#include <stdio.h>
#include <string.h>

#include "base/archive/source.h"
#include "base/core/try.h"
#include "import/harness/harness_parts.h"
#include "regret/alloc.h"

static int leave_out(struct harness *h, const char *what, size_t n, const char *where)
{
    uint32_t i = 0;
    size_t before = h->left_out.n;
    if (n == 0) {
        return REGRET_OK;
    }
    TRY(regret_grow((void **)&h->left, &h->left_capacity, before, sizeof *h->left, "counts"));
    TRY(names_enter(&i, &h->left_out, what));
    if (i == before) {
        h->left[i].n = 0;
        snprintf(h->left[i].first, sizeof h->left[i].first, "%s", where);
    }
    h->left[i].n += n;
    return REGRET_OK;
}

int harness_left_out(struct harness *h, const char *what, size_t n)
{
    return leave_out(h, what, n, "");
}

int harness_left_out_at(struct harness *h, const char *what, const char *where)
{
    return leave_out(h, what, 1, where);
}

/* Files of other names may be those of another round. */
static int see_passed(void *context, const char *what, const char *where)
{
    struct harness *h = context;
    uint32_t i = 0;
    size_t n = h->met.n;
    TRY(names_enter(&i, &h->met, where));
    if (i < n || strcmp(what, SOURCE_OTHER) == 0) {
        return REGRET_OK;
    }
    TRY(names_enter(&i, &h->own, where));
    return harness_left_out_at(h, what, where);
}

struct each {
    struct harness *h;
    source_member *member;
    void *context;
};

static int see_member(void *context, struct source *source, const char *name)
{
    const struct each *each = context;
    uint32_t i = 0;
    TRY(names_enter(&i, &each->h->met, source_where(source)));
    return each->member(each->context, source, name);
}

int harness_each(struct harness *h, const char *path, const char *const *patterns, size_t n,
                 source_member *member, void *context)
{
    struct each each = {h, member, context};
    return source_each_told(path, patterns, n, see_member, &each, see_passed, h);
}

int harness_own(struct harness *h, const struct source *source)
{
    uint32_t i = 0;
    return names_enter(&i, &h->own, source_where(source));
}

int harness_file(struct harness *h, const struct source *source)
{
    uint32_t i = 0;
    TRY(harness_own(h, source));
    return names_enter(&i, &h->read, source_file(source));
}
