/* How a failure travels up; memory; stopping; time. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "regret/status.h"

/* Building blocks of things that are built by appending, with a sticky error: once `*status` is not
 * REGRET_OK nothing is done. */

/* A fresh string by printf; NULL after an error. */
char *sticky_print(int *status, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* Makes room for one more element, zeroed; NULL after an error. For small numbers: growing by doubling
 * at powers of two needs no capacity field. */
void *sticky_append(int *status, void **array, size_t *n, size_t size);

/* Appends an element that is a text, or begins with one and has no more yet. */
void sticky_append_text(int *status, void **array, size_t *n, size_t size, const char *format,
                        va_list args) __attribute__((format(printf, 5, 0)));

/* How a failure travels up, and what is owned is released on the way. docs/style.md has the reasons. */

/* Before the declaration of a pointer: regret_free() of it where its scope ends, whichever way that is left. It is
 * initialised there, to nothing or to what it owns, and set to nothing when another takes it. */
#define FREED __attribute__((cleanup(regret_free_at)))
/* The same by another function, which is handed the variable's address: of a struct the one that frees it; of a pointer that
 * of FREED_POINTER(), by release_at. Several are released in the reverse order of their declarations. */
#define FREED_BY(release) __attribute__((cleanup(release), unused))
/* Of a pointer that release(pointer) frees, once in a file. */
#define FREED_POINTER(type, release)                                                               \
    static inline void release##_at(type **pointer) /* NOLINT(bugprone-macro-parentheses) */       \
    {                                                                                              \
        release(*pointer);                                                                         \
    }

/* Of a struct of which a function owns some fields: FREED_FIELDS(name, of->field, ...) makes name_fields() for FREED_BY(). */
#define FREED_FIELDS(name, ...)                                                                    \
    static inline void name##_fields(struct name *of)                                              \
    {                                                                                              \
        void *const block[] = {__VA_ARGS__};                                                       \
        for (size_t i = 0; i < sizeof block / sizeof *block; i++) {                                \
            regret_free(block[i]);                                                                 \
        }                                                                                          \
    }

/* `at` is the address of a pointer to anything. */
static inline void regret_free_at(void *at)
{
    void *block;
    memcpy(&block, at, sizeof block);
    regret_free(block);
}

/* Returns the code of a call that failed, where nothing is owned but what is FREED. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        int try_rc = (call);                                                                       \
        if (try_rc != REGRET_OK) {                                                                 \
            return try_rc;                                                                         \
        }                                                                                          \
    } while (0)

/* In a function whose owned are elements of arrays, or are released for a failure alone, with
 * `int rc` and one `cleanup:` at its end, which releases them: keeps the code of a call that failed and goes there. */
#define TRY_CLEANUP(call)                                                                          \
    do {                                                                                           \
        rc = (call);                                                                               \
        if (rc != REGRET_OK) {                                                                     \
            goto cleanup;                                                                          \
        }                                                                                          \
    } while (0)

/* Time that only goes forward; in no result. */

double clock_seconds(void);

#endif
