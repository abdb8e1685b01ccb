#include "value/strength/parts.h"

#include <string.h>

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

size_t chains_reach(unsigned char *seen, uint32_t *queue, const unsigned char *won, size_t n,
                    uint32_t first, int backwards)
{
    size_t reached = 1;
    memset(seen, 0, n);
    seen[first] = 1;
    queue[0] = first;
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
