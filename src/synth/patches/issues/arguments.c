#include "synth/patches/issues/arguments.h"

#include <stdlib.h>
#include <string.h>

struct range {
    long low, high;
};

/* Reads "lo:hi" and moves on. */
static struct range read_range(const char **at)
{
    struct range out;
    char *end = NULL;
    out.low = strtol(*at, &end, 10);
    out.high = strtol(end + 1, &end, 10);
    *at = end;
    return out;
}

static long draw_in(struct regret_rng *rng, struct range range)
{
    uint32_t chance = regret_rng_below(rng, 10);
    if (chance == 0) {
        return range.low;
    }
    if (chance == 1) {
        return range.high;
    }
    return range.low + (long)regret_rng_below(rng, (uint32_t)(range.high - range.low + 1));
}

static const char *matching(const char *open, char up, char down)
{
    int depth = 0;
    for (const char *at = open;; at++) {
        depth += *at == up;
        depth -= *at == down;
        if (depth == 0) {
            return at;
        }
    }
}

/* --- is a pattern well formed? Each returns what follows, NULL when it is not --- */

static const char *after_range(const char *at)
{
    char *end = NULL;
    long low = strtol(at, &end, 10);
    if (end == at || *end != ':') {
        return NULL;
    }
    at = end + 1;
    long high = strtol(at, &end, 10);
    return end == at || high < low ? NULL : end;
}

static const char *after_term(const char *at)
{
    const char *end = NULL;
    switch (*at) {
    case '#':
        return after_range(at + 1);
    case '[':
        end = after_term(at + 1);
        return end != NULL && *end == ']' ? after_range(end + 1) : NULL;
    case '^':
        end = strncmp(at, "^[#", 3) == 0 ? after_range(at + 3) : NULL;
        return end != NULL && *end == ']' ? after_range(end + 1) : NULL;
    case '(':
        end = strchr(at, ')');
        return end == NULL ? NULL : end + 1;
    case '"':
        end = strchr(at + 1, '"');
        return end == NULL || end == at + 1 ? NULL : after_range(end + 1);
    default:
        return NULL;
    }
}

int patches_arguments_valid(const char *pattern)
{
    const char *at = pattern;
    while (at != NULL && *at != '\0') {
        at = after_term(at);
        at += at != NULL && *at == ' ';
    }
    return at != NULL;
}

/* --- draws --- */

static void one_of(struct regret_buffer *t, struct regret_rng *rng, const char **at)
{
    const char *end = matching(*at, '(', ')'), *from = *at + 1;
    uint32_t n = 1;
    for (const char *c = from; c < end; c++) {
        n += *c == '|';
    }
    for (uint32_t skip = regret_rng_below(rng, n); skip > 0; skip--) {
        from = strchr(from, '|') + 1;
    }
    regret_buffer_append_n(t, from, strcspn(from, "|)"));
    *at = end + 1;
}

static void letters(struct regret_buffer *t, struct regret_rng *rng, const char **at)
{
    const char *set = *at + 1, *end = strchr(set, '"');
    *at = end + 1;
    long n = draw_in(rng, read_range(at));
    regret_buffer_append_char(t, '\'');
    for (long i = 0; i < n; i++) {
        regret_buffer_append_char(t, set[regret_rng_below(rng, (uint32_t)(end - set))]);
    }
    regret_buffer_append_char(t, '\'');
}

static void term(struct regret_buffer *t, struct regret_rng *rng, const char **at);

static void list(struct regret_buffer *t, struct regret_rng *rng, const char **at)
{
    const char *end = matching(*at, '[', ']'), *inner = *at + 1;
    *at = end + 1;
    long n = draw_in(rng, read_range(at));
    regret_buffer_append_char(t, '[');
    for (long i = 0; i < n; i++) {
        const char *again = inner;
        regret_buffer_append(t, i == 0 ? "" : ", ");
        term(t, rng, &again);
    }
    regret_buffer_append_char(t, ']');
}

static void ascending(struct regret_buffer *t, struct regret_rng *rng, const char **at)
{
    const char *inner = *at + 3; /* after ^[# */
    struct range item = read_range(&inner);
    *at = inner + 1;
    long n = draw_in(rng, read_range(at)), last = item.low - 1;
    regret_buffer_append_char(t, '[');
    for (long i = 0; i < n && last < item.high; i++) {
        struct range step = {1, 2 * (item.high - item.low) / (n + 1) + 1};
        long next = last + draw_in(rng, step);
        if (next > item.high) {
            break;
        }
        regret_buffer_printf(t, "%s%ld", i == 0 ? "" : ", ", next);
        last = next;
    }
    regret_buffer_append_char(t, ']');
}

static void term(struct regret_buffer *t, struct regret_rng *rng, const char **at)
{
    switch (**at) {
    case '#':
        ++*at;
        regret_buffer_printf(t, "%ld", draw_in(rng, read_range(at)));
        break;
    case '[':
        list(t, rng, at);
        break;
    case '^':
        ascending(t, rng, at);
        break;
    case '(':
        one_of(t, rng, at);
        break;
    default:
        letters(t, rng, at);
    }
}

void patches_draw_arguments(struct regret_buffer *t, struct regret_rng *rng, const char *pattern)
{
    for (const char *at = pattern; *at != '\0';) {
        regret_buffer_append(t, at == pattern ? "" : ", ");
        term(t, rng, &at);
        at += *at == ' ';
    }
}
