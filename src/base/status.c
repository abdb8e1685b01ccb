#include "base/status.h"

#include <cJSON.h>
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/names.h"
#include "regret/status.h"
#include "version.h"

enum { MESSAGE_SIZE = 1024 };

static _Thread_local char message[MESSAGE_SIZE];

/* Bytes of a character at p that steers a terminal, else 0. */
static size_t unprintable_bytes(const unsigned char *p)
{
    if (p[0] == 0xC2 && p[1] >= 0x80 && p[1] <= 0x9F) { /* U+0080 to U+009F */
        return 2;
    }
    if (p[0] == 0xE2 && ((p[1] == 0x80 && p[2] >= 0xAA && p[2] <= 0xAE) ||  /* U+202A to U+202E */
                         (p[1] == 0x81 && p[2] >= 0xA6 && p[2] <= 0xA9))) { /* U+2066 to U+2069 */
        return 3;
    }
    return p[0] < 0x20 || p[0] == 0x7F;
}

/* Messages quote untrusted file names and fields: what could steer a terminal (control
 * characters, escape sequences, bidirectional overrides) is shown as '?', and a message stays one line. */
static void make_printable(char *text)
{
    for (unsigned char *p = (unsigned char *)text; *p != '\0'; p++) {
        size_t n = unprintable_bytes(p);
        memset(p, '?', n);
        p += n > 1 ? n - 1 : 0;
    }
}

int regret_fail(int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    make_printable(message);
    return code;
}

/* Appends text to the message, as much of it as there is room for. */
static void append(const char *text)
{
    size_t n = strlen(message), room = sizeof message - 1 - n, length = strlen(text);
    length = length < room ? length : room;
    memcpy(message + n, text, length);
    message[n + length] = '\0';
}

int regret_fail_prefix(int code, const char *format, ...)
{
    char old[MESSAGE_SIZE];
    memcpy(old, message, sizeof old);
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    append(": ");
    append(old);
    make_printable(message);
    return code;
}

int regret_fail_suffix(int code, const char *format, ...)
{
    size_t n = strlen(message);
    va_list args;
    va_start(args, format);
    vsnprintf(message + n, sizeof message - n, format, args);
    va_end(args);
    make_printable(message);
    return code;
}

const char *regret_error_message(void)
{
    return message;
}

const char *regret_version(void)
{
    return REGRET_VERSION;
}

char *sticky_print(int *status, const char *format, va_list args)
{
    char *out = NULL;
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    if (*status == REGRET_OK && n >= 0) {
        *status = regret_calloc((void **)&out, (size_t)n + 1, 1, "a text");
        if (out != NULL) {
            vsnprintf(out, (size_t)n + 1, format, again);
        }
    }
    va_end(again);
    return out;
}

void *sticky_append(int *status, void **array, size_t *n, size_t size)
{
    if (*status == REGRET_OK && (*n & (*n - 1)) == 0) {
        *status = regret_realloc(array, *n == 0 ? 1 : *n * 2, size, "a table or chart");
    }
    if (*status != REGRET_OK) {
        return NULL;
    }
    char *place = (char *)*array + size * (*n)++;
    memset(place, 0, size);
    return place;
}

void sticky_append_text(int *status, void **array, size_t *n, size_t size, const char *format,
                        va_list args)
{
    char *text = sticky_print(status, format, args);
    char **place = sticky_append(status, array, n, size);
    if (place == NULL) {
        regret_free(text);
        return;
    }
    *place = text;
}

int regret_stop_check(const struct regret_stop *stop)
{
    return stop == NULL || stop->cancelled == NULL || stop->cancelled(stop->context) == 0
               ? REGRET_OK
               : regret_fail(REGRET_E_CANCELLED, "stopped");
}

double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

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
