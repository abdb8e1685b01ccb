/* Allocations, those of libc itself (fopen, strdup, pthread_create, ...) and of every library
 * included, and threads, which need memory as well. But for OpenBLAS's own: its kernels for small
 * matrices write to what malloc() gives without a look. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "faults/shim.h"

/* Where OpenBLAS's code lies. */
static uintptr_t blas_begin, blas_end;

static int find_blas(struct dl_phdr_info *of, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    if (strstr(of->dlpi_name, "libopenblas") == NULL) {
        return 0;
    }
    for (size_t i = 0; i < of->dlpi_phnum; i++) {
        if (of->dlpi_phdr[i].p_type == PT_LOAD && (of->dlpi_phdr[i].p_flags & PF_X) != 0) {
            blas_begin = of->dlpi_addr + of->dlpi_phdr[i].p_vaddr;
            blas_end = blas_begin + of->dlpi_phdr[i].p_memsz;
        }
    }
    return 1;
}

__attribute__((constructor)) static void begin(void)
{
    dl_iterate_phdr(find_blas, NULL);
}

void *malloc(size_t size)
{
    SHIM_NEXT(malloc)
    uintptr_t from = (uintptr_t)__builtin_return_address(0);
    if (from >= blas_begin && from < blas_end) {
        return next(size);
    }
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
