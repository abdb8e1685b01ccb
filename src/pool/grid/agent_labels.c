#include "pool/grid/agent_labels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/buffer.h"

/* The columns of the character at p, and its bytes in *n. */
static size_t width_at(const char *p, size_t *n)
{
    utf8proc_int32_t c = 0;
    utf8proc_ssize_t bytes = utf8proc_iterate((const utf8proc_uint8_t *)p, -1, &c);
    *n = bytes > 0 ? (size_t)bytes : 1;
    int width = bytes > 0 ? utf8proc_charwidth(c) : 1;
    return width > 0 ? (size_t)width : 0;
}

static size_t width_of(const char *text)
{
    size_t columns = 0, n = 0;
    for (; *text != '\0'; text += n) {
        columns += width_at(text, &n);
    }
    return columns;
}

/* The bytes of the longest beginning that takes at most so many columns. */
static size_t beginning(const char *text, size_t columns)
{
    size_t used = 0, at = 0, n = 0;
    while (text[at] != '\0' && (used += width_at(text + at, &n)) <= columns) {
        at += n;
    }
    return at;
}

/* The longest end that takes at most so many columns. */
static const char *ending(const char *text, size_t columns)
{
    size_t left = width_of(text), n = 0;
    while (left > columns) {
        left -= width_at(text, &n);
        text += n;
    }
    return text;
}

/* The id in `columns`, `head` of them of its beginning, with `tail` (NULL: its own end) behind. */
static int shorten(char **out, const char *id, size_t columns, size_t head, const char *tail)
{
    FREED_BY(regret_buffer_free) struct regret_buffer t = REGRET_BUFFER_INIT;
    if (width_of(id) <= columns) {
        return regret_strdup(out, id);
    }
    regret_buffer_append_n(&t, id, beginning(id, head));
    regret_buffer_append(&t, "\xe2\x80\xa6");
    regret_buffer_append(&t, tail != NULL ? tail : ending(id, columns - 1 - head));
    TRY(regret_buffer_status(&t));
    return regret_strdup(out, t.data);
}

static int by_text(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* `sorted` is room for n pointers. */
static int are_distinct(char *const *labels, size_t n, const char **sorted)
{
    for (size_t a = 0; a < n; a++) {
        sorted[a] = labels[a];
    }
    qsort(sorted, n, sizeof *sorted, by_text);
    for (size_t a = 1; a < n; a++) {
        if (strcmp(sorted[a], sorted[a - 1]) == 0) {
            return 0;
        }
    }
    return 1;
}

static int cut_all(char **labels, const struct regret_pool *pool, size_t columns, size_t head,
                   int numbered)
{
    for (size_t a = 0; a < pool->n_agents; a++) {
        char number[24];
        snprintf(number, sizeof number, "%zu", a + 1);
        regret_free(labels[a]);
        labels[a] = NULL;
        TRY(numbered
                ? shorten(&labels[a], regret_agent_name(&pool->agents[a]), columns,
                          columns - 1 - strlen(number), number)
                : shorten(&labels[a], regret_agent_name(&pool->agents[a]), columns, head, NULL));
    }
    return REGRET_OK;
}

int agent_labels_make(char ***out, const struct regret_pool *pool, size_t columns)
{
    char **labels = NULL;
    const char **sorted = NULL;
    size_t middle = columns / 2;
    int distinct = 0, rc;
    TRY_CLEANUP(REGRET_NEW(&labels, pool->n_agents));
    TRY_CLEANUP(REGRET_NEW(&sorted, pool->n_agents));
    /* The middle first, then ever further from it. */
    for (size_t step = 0; !distinct && step + 4 < columns; step++) {
        size_t head = step % 2 == 0 ? middle + step / 2 : middle - (step + 1) / 2;
        TRY_CLEANUP(cut_all(labels, pool, columns, head, 0));
        distinct = are_distinct(labels, pool->n_agents, sorted);
    }
    if (!distinct) {
        TRY_CLEANUP(cut_all(labels, pool, columns, 0, 1));
    }
    *out = labels;
    labels = NULL;
cleanup:
    regret_free(sorted);
    agent_labels_free(labels, pool);
    return rc;
}

void agent_labels_free(char **labels, const struct regret_pool *pool)
{
    for (size_t a = 0; labels != NULL && a < pool->n_agents; a++) {
        regret_free(labels[a]);
    }
    regret_free(labels);
}
