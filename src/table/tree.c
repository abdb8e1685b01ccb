/* Where a path leads in a record of JSON. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/json_tokens.h"
#include "base/text.h"
#include "regret/buffer.h"
#include "table/internal.h"

enum { MAX_STEPS = 16 };

void scan_tree_free(struct scan_tree *tree)
{
    regret_buffer_free(&tree->text);
    regret_buffer_free(&tree->room);
    regret_free(tree->node);
    *tree = (struct scan_tree){0};
}

static struct regret_span span_of(const struct scan_tree *t, struct scan_part part)
{
    return (struct regret_span){t->text.data + part.begin, part.length};
}

void tree_append_string(struct regret_buffer *out, struct regret_span s)
{
    if (memchr(s.text, '\\', s.length) == NULL) {
        regret_buffer_append_n(out, s.text, s.length);
    } else if (regret_buffer_reserve(out, s.length) == REGRET_OK) {
        out->length += json_unescape(out->data + out->length, s);
        out->data[out->length] = '\0';
    }
}

void tree_append(struct regret_buffer *out, const struct scan_tree *t, struct scan_part string)
{
    tree_append_string(out, span_of(t, string));
}

int tree_key_is(struct regret_span key, struct regret_span name, struct regret_buffer *room)
{
    if (memchr(key.text, '\\', key.length) == NULL) {
        return span_equal(key, name);
    }
    regret_buffer_clear(room);
    tree_append_string(room, key);
    return regret_buffer_status(room) == REGRET_OK &&
           span_equal((struct regret_span){regret_buffer_get(room), room->length}, name);
}

size_t tree_member(struct scan_tree *t, size_t from, struct regret_span name)
{
    const struct scan_node *node = t->node;
    size_t i = from + 1, end = node[from].next, place = 0;
    if (tree_first(t, from) == '{') {
        while (i < end && !tree_key_is(span_of(t, node[i].key), name, &t->room)) {
            i = node[i].next;
        }
        return i < end ? i : FIELDS_NONE;
    }
    if (tree_first(t, from) != '[' || name.length == 0 || name.length > 8) {
        return FIELDS_NONE;
    }
    for (size_t k = 0; k < name.length; k++) {
        if (name.text[k] < '0' || name.text[k] > '9') {
            return FIELDS_NONE;
        }
        place = 10 * place + (size_t)(name.text[k] - '0');
    }
    for (; i < end && place > 0; place--) {
        i = node[i].next;
    }
    return i < end ? i : FIELDS_NONE;
}

static size_t member_of(struct scan_tree *t, size_t from, const char *const *names, size_t n)
{
    size_t found = FIELDS_NONE;
    for (size_t i = 0; i < n && found == FIELDS_NONE; i++) {
        found = tree_member(t, from, (struct regret_span){names[i], strlen(names[i])});
    }
    return found;
}

/* The value of the element of a list of names and values that is called so: "scores[quality]". */
static size_t named_element(struct scan_tree *t, size_t from, struct regret_span step)
{
    static const char *const NAMES[] = {"name", "key", "metric", "scorer", "criterion", "label"},
                             *const VALUES[] = {"value", "score", "rating", "number"};
    const char *open = memchr(step.text, '[', step.length);
    if (open == NULL || open == step.text || step.text[step.length - 1] != ']') {
        return FIELDS_NONE;
    }
    size_t list = tree_member(t, from, (struct regret_span){step.text, (size_t)(open - step.text)});
    struct regret_span name = {open + 1, step.length - (size_t)(open - step.text) - 2};
    for (size_t i = list + 1; list != FIELDS_NONE && i < t->node[list].next; i = t->node[i].next) {
        size_t called = tree_first(t, i) == '{'
                            ? member_of(t, i, NAMES, sizeof NAMES / sizeof *NAMES)
                            : FIELDS_NONE;
        if (called == FIELDS_NONE || tree_first(t, called) != '"') {
            continue;
        }
        struct scan_part text = t->node[called].value;
        regret_buffer_clear(&t->room);
        tree_append(&t->room, t, (struct scan_part){text.begin + 1, text.length - 2});
        if (span_equal((struct regret_span){regret_buffer_get(&t->room), t->room.length}, name)) {
            return member_of(t, i, VALUES, sizeof VALUES / sizeof *VALUES);
        }
    }
    return FIELDS_NONE;
}

static size_t step_to(struct scan_tree *t, size_t from, const char *text, size_t length)
{
    const struct regret_span step = {text, length};
    size_t found = tree_member(t, from, step);
    return found == FIELDS_NONE && length > 2 && tree_first(t, from) == '{'
               ? named_element(t, from, step)
               : found;
}

/* Any dot of the path may end a step, the first that leads anywhere does: a node is reached in one way alone, so that
 * no record makes this take longer than its own size times the path's. */
size_t tree_follow(struct scan_tree *t, size_t from, const char *path)
{
    struct {
        size_t at;
        const char *rest, *dot; /* what is left of the path, and the dot to try next */
    } way[MAX_STEPS];
    size_t depth = 0;
    way[0].at = from;
    way[0].rest = way[0].dot = path;
    for (;;) {
        size_t found = way[depth].dot == way[depth].rest
                           ? step_to(t, way[depth].at, way[depth].rest, strlen(way[depth].rest))
                           : FIELDS_NONE;
        const char *dot = strchr(way[depth].dot, '.');
        if (found != FIELDS_NONE) {
            return found;
        }
        if (dot == NULL) { /* nothing further from here: back to where another dot may do */
            if (depth == 0) {
                return FIELDS_NONE;
            }
            depth--;
            continue;
        }
        way[depth].dot = dot + 1;
        size_t next = step_to(t, way[depth].at, way[depth].rest, (size_t)(dot - way[depth].rest));
        if (next != FIELDS_NONE && depth + 1 < MAX_STEPS) {
            depth++;
            way[depth].at = next;
            way[depth].rest = way[depth].dot = dot + 1;
        }
    }
}
