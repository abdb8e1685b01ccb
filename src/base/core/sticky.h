/* Building blocks of things that are built by appending, with a sticky error: once `*status` is not
 * REGRET_OK nothing is done. */
#ifndef REGRET_BASE_STICKY_H
#define REGRET_BASE_STICKY_H

#include <stdarg.h>
#include <stddef.h>

/* A fresh string by printf; NULL after an error. */
char *sticky_print(int *status, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* Makes room for one more element, zeroed; NULL after an error. For small numbers: growing by doubling
 * at powers of two needs no capacity field. */
void *sticky_append(int *status, void **array, size_t *n, size_t size);

/* Appends an element that is a text, or begins with one and has no more yet. */
void sticky_append_text(int *status, void **array, size_t *n, size_t size, const char *format,
                        va_list args) __attribute__((format(printf, 5, 0)));

#endif
