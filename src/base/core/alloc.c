#include "regret/alloc.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cJSON.h>

#include "base/core/texts.h"
#include "base/core/try.h"

static _Atomic long allowance = -1;

static int refused(void)
{
    if (atomic_load_explicit(&allowance, memory_order_relaxed) < 0) {
        return 0;
    }
    long left = atomic_fetch_sub(&allowance, 1);
    if (left > 0) {
        return 0;
    }
    atomic_store(&allowance, 0);
    return 1;
}

static int no_memory(size_t count, size_t size, const char *what)
{
    return regret_fail(REGRET_E_NOMEM, "out of memory: %zu x %zu bytes for %s", count, size, what);
}

int regret_calloc(void **out, size_t count, size_t size, const char *what)
{
    if (size != 0 && count > SIZE_MAX / size) {
        return no_memory(count, size, what);
    }
    void *block = refused() ? NULL : calloc(count * size == 0 ? 1 : count * size, 1);
    if (block == NULL) {
        return no_memory(count, size, what);
    }
    *out = block;
    return REGRET_OK;
}

int regret_realloc(void **block, size_t count, size_t size, const char *what)
{
    if (size != 0 && count > SIZE_MAX / size) {
        return no_memory(count, size, what);
    }
    void *grown = refused() ? NULL : realloc(*block, count * size == 0 ? 1 : count * size);
    if (grown == NULL) {
        return no_memory(count, size, what);
    }
    *block = grown;
    return REGRET_OK;
}

int regret_grow(void **array, size_t *capacity, size_t n, size_t size, const char *what)
{
    if (n < *capacity) {
        return REGRET_OK;
    }
    size_t grown = *capacity < 32 ? 64 : 2 * *capacity;
    TRY(regret_realloc(array, grown, size, what));
    *capacity = grown;
    return REGRET_OK;
}

void regret_free(void *block)
{
    free(block);
}

int regret_strndup(char **out, const char *text, size_t length)
{
    char *copy = NULL;
    TRY(regret_calloc((void **)&copy, length + 1, 1, "a string"));
    memcpy(copy, text, length);
    *out = copy;
    return REGRET_OK;
}

int regret_strdup(char **out, const char *text)
{
    return regret_strndup(out, text, strlen(text));
}

/* cJSON asks the system for memory itself; while failures are wanted, it asks here. */
static void *counted_malloc(size_t size)
{
    if (refused()) {
        errno = ENOMEM;
        return NULL;
    }
    return malloc(size);
}

void regret_alloc_fail_after(long n)
{
    cJSON_Hooks counted = {counted_malloc, free};
    atomic_store(&allowance, n);
    cJSON_InitHooks(n < 0 ? NULL : &counted);
}

void texts_free(char **texts, size_t n)
{
    for (size_t i = 0; texts != NULL && i < n; i++) {
        regret_free(texts[i]);
    }
    regret_free(texts);
}
