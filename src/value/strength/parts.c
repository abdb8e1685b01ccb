#include "value/strength/parts.h"

#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"

enum { NAMED_PARTS = 4, NAMED_AGENTS = 6 };

static uint32_t root_of(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

void parts_begin(uint32_t *part, size_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        part[i] = i;
    }
}

void parts_join(uint32_t *part, uint32_t a, uint32_t b)
{
    a = root_of(part, a);
    b = root_of(part, b);
    part[a > b ? a : b] = a < b ? a : b;
}

size_t parts_end(uint32_t *part, size_t n)
{
    size_t parts = 0;
    for (uint32_t i = 0; i < n; i++) {
        part[i] = root_of(part, i);
        parts += part[i] == i;
    }
    return parts;
}

static void name_part(struct regret_buffer *out, const uint32_t *part, size_t n,
                      const char *const *names, uint32_t which)
{
    size_t named = 0, left = 0;
    for (uint32_t i = which; i < n; i++) {
        if (part[i] != which) {
            continue;
        }
        if (named == NAMED_AGENTS) {
            left++;
            continue;
        }
        regret_buffer_append(out, named++ == 0 ? "{" : ", ");
        regret_buffer_append_safe(out, names[i], 40);
    }
    if (left > 0) {
        regret_buffer_printf(out, " and %zu more", left);
    }
    regret_buffer_append(out, "}");
}

void parts_name(struct regret_buffer *out, const uint32_t *part, size_t n, const char *const *names)
{
    size_t parts = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (part[i] == i && parts++ < NAMED_PARTS) {
            regret_buffer_append(out, parts > 1 ? ", " : "");
            name_part(out, part, n, names, i);
        }
    }
    regret_buffer_append(out, parts > NAMED_PARTS ? " and others" : "");
}

void chains_mark(unsigned char *won, size_t n, const struct regret_vote *vote, size_t n_votes)
{
    for (size_t v = 0; v < n_votes; v++) {
        won[vote[v].a * n + vote[v].b] |= vote[v].share > 0.0;
        won[vote[v].b * n + vote[v].a] |= vote[v].share < 1.0;
    }
}

size_t chains_reach(unsigned char *seen, uint32_t *queue, const unsigned char *won, size_t n,
                    size_t from, int backwards)
{
    size_t reached = 1;
    memset(seen, 0, n);
    seen[from] = 1;
    queue[0] = (uint32_t)from;
    for (size_t i = 0; i < reached; i++) {
        for (size_t b = 0; b < n; b++) {
            size_t at = backwards ? b * n + queue[i] : queue[i] * n + b;
            if (won[at] && !seen[b]) {
                seen[b] = 1;
                queue[reached++] = (uint32_t)b;
            }
        }
    }
    return reached;
}

int chains_join(int *joined, uint32_t *outside, const unsigned char *won, size_t n)
{
    FREED unsigned char *seen = NULL;
    uint32_t first = 0;
    FREED uint32_t *queue = NULL;
    TRY(REGRET_NEW(&seen, n));
    TRY(REGRET_NEW(&queue, n));
    *joined = chains_reach(seen, queue, won, n, 0, 0) == n &&
              chains_reach(seen, queue, won, n, 0, 1) == n;
    while (!*joined && seen[first]) {
        first++;
    }
    if (outside != NULL) {
        *outside = first;
    }
    return REGRET_OK;
}

int chains_apart(size_t *pairs, size_t pair[2], const unsigned char *won, size_t n)
{
    FREED unsigned char *seen = NULL;
    FREED uint32_t *queue = NULL;
    *pairs = 0;
    TRY(REGRET_NEW(&seen, 2 * n));
    TRY(REGRET_NEW(&queue, n));
    for (size_t a = 0; a < n; a++) {
        chains_reach(seen, queue, won, n, a, 0);
        chains_reach(seen + n, queue, won, n, a, 1);
        for (size_t b = 0; b < a; b++) {
            if (!seen[b] && !seen[n + b] && (*pairs)++ == 0) {
                pair[0] = b;
                pair[1] = a;
            }
        }
    }
    return REGRET_OK;
}
