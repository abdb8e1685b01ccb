/* Allocations, those of libc itself (fopen, strdup, pthread_create, ...) and of every library
 * included, and threads, which need memory as well. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>

#include "faults/shim.h"

void *malloc(size_t size)
{
    SHIM_NEXT(malloc)
    return shim_enter(SHIM_malloc) == SHIM_GO ? next(size) : NULL;
}

void *calloc(size_t n, size_t size)
{
    SHIM_NEXT(calloc)
    return shim_enter(SHIM_calloc) == SHIM_GO ? next(n, size) : NULL;
}

void *realloc(void *old, size_t size)
{
    SHIM_NEXT(realloc)
    return shim_enter(SHIM_realloc) == SHIM_GO ? next(old, size) : NULL;
}

void *reallocarray(void *old, size_t n, size_t size)
{
    SHIM_NEXT(reallocarray)
    return shim_enter(SHIM_realloc) == SHIM_GO ? next(old, n, size) : NULL;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    SHIM_NEXT(aligned_alloc)
    return shim_enter(SHIM_aligned_alloc) == SHIM_GO ? next(alignment, size) : NULL;
}

void *memalign(size_t alignment, size_t size)
{
    SHIM_NEXT(memalign)
    return shim_enter(SHIM_aligned_alloc) == SHIM_GO ? next(alignment, size) : NULL;
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    SHIM_NEXT(posix_memalign)
    return shim_enter(SHIM_aligned_alloc) == SHIM_GO ? next(out, alignment, size) : ENOMEM;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument)
{
    SHIM_NEXT(pthread_create)
    return shim_enter(SHIM_pthread_create) == SHIM_GO ? next(thread, attributes, start, argument)
                                                      : errno;
}
