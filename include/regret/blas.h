/* What the linked BLAS is and whether it can be trusted. */
#ifndef REGRET_BLAS_H
#define REGRET_BLAS_H

#include <stddef.h>

#include "regret/status.h"

struct regret_blas_info {
    const char *build;  /* OpenBLAS's own words: version and options. Static. */
    const char *kernel; /* the processor kernel in use, "Zen", "SkylakeX". Static. */
    int parallel;       /* 0 serial build, 1 pthreads, 2 OpenMP */
    int blas_threads;   /* threads one call may use */
};

/* The BLAS that is linked, and its kernel for this processor. */
REGRET_API struct regret_blas_info regret_blas_describe(void);

/* Refuses a BLAS that must not be called from `threads` threads at once: Debian's serial OpenBLAS
 * gives silently wrong answers when two threads call it. REGRET_E_INPUT with the remedy. And
 * REGRET_E_NOMEM where their buffers do not fit into the address space, for which OpenBLAS would ask
 * forever. To be called before the first use of BLAS, when no other thread uses it. */
REGRET_API int regret_blas_check_threads(size_t threads);

/* Sets how many threads one BLAS call of this process may use and returns how many it was.
 * regret_run() and regret_export_cell() work with one, since replicates run in parallel, and put
 * back what was: do not call BLAS from other threads meanwhile. */
REGRET_API int regret_blas_set_threads(int threads);

/* A numerical self-check: Cholesky and symmetric eigen-decompositions of a known matrix, on
 * `threads` threads at once, against closed forms. *worst (may be NULL) gets the largest absolute
 * error. REGRET_E_NUMERIC when it exceeds 1e-10. A few milliseconds. */
REGRET_API int regret_blas_self_check(size_t threads, double *worst);

#endif
