#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "regret/blas.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/parallel.h"

struct regret_blas_info regret_blas_describe(void)
{
    return (struct regret_blas_info){
        .build = openblas_get_config(),
        .kernel = openblas_get_corename(),
        .parallel = openblas_get_parallel(),
        .blas_threads = openblas_get_num_threads(),
    };
}

int regret_blas_set_threads(int threads)
{
    int before = openblas_get_num_threads();
    openblas_set_num_threads(threads);
    return before;
}

static atomic_int has_buffer; /* of one thread: take_buffer() */

/* Every thread that computes at a time takes a buffer of OpenBLAS, which asks for it forever where
 * there is no room (a limit of address space): whether there is must be known before. What other
 * allocations take meanwhile is left aside by a margin. */
static int check_room(size_t threads)
{
    enum { BUFFER_MEGABYTES = 128, MARGIN_MEGABYTES = 32 };
    size_t more = threads - (size_t)(threads > 0 && atomic_load(&has_buffer));
    size_t megabytes = more * BUFFER_MEGABYTES + MARGIN_MEGABYTES, size = megabytes << 20;
    void *room = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) {
        return regret_fail(REGRET_E_NOMEM,
                           "out of memory: OpenBLAS wants %zu MB of address space for %zu "
                           "thread%s; raise the limit (ulimit -v)%s",
                           megabytes, threads, threads == 1 ? "" : "s",
                           threads == 1 ? "" : ", or use fewer --threads");
    }
    munmap(room, size);
    return REGRET_OK;
}

/* Has OpenBLAS take the buffer of one thread, which it keeps for later calls of any: what is allocated
 * from here on cannot use up the room that the check has found. */
static void take_buffer(void)
{
    double one = 1.0, square = 0.0;
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, 1, 1, 1.0, &one, 1, 0.0, &square, 1);
    atomic_store(&has_buffer, 1);
}

int regret_blas_check_threads(size_t threads)
{
    if (threads > 1 && openblas_get_parallel() == 0) {
        return regret_fail(REGRET_E_INPUT,
                           "this is the serial build of OpenBLAS, which gives wrong answers from "
                           "%zu threads; install the pthread build (libopenblas0-pthread) or use "
                           "--threads 1",
                           threads);
    }
    TRY(check_room(threads));
    take_buffer();
    return REGRET_OK;
}

/* The n × n second-difference matrix tridiag(-1, 2, -1) has eigenvalues 2 - 2 cos(kπ/(n+1)) and
 * inverse min(i,j)(n+1-max(i,j))/(n+1). */
enum { ORDER = 96 };

static void second_differences(double *a)
{
    for (int i = 0; i < ORDER * ORDER; i++) {
        int row = i % ORDER, column = i / ORDER;
        a[i] = row == column ? 2.0 : abs(row - column) == 1 ? -1.0 : 0.0;
    }
}

/* fmax(), which GCC 12 for arm64 fails to compile in these loops. */
static double larger(double a, double b)
{
    return b > a ? b : a;
}

static double inverse_error(double *a, double *b)
{
    for (int i = 0; i < ORDER; i++) {
        b[i] = i == ORDER / 2 ? 1.0 : 0.0;
    }
    if (LAPACKE_dposv(LAPACK_COL_MAJOR, 'L', ORDER, 1, a, ORDER, b, ORDER) != 0) {
        return INFINITY;
    }
    double worst = 0.0;
    int j = ORDER / 2 + 1;
    for (int i = 1; i <= ORDER; i++) {
        double low = i < j ? i : j, high = i < j ? j : i;
        worst = larger(worst, fabs(b[i - 1] - low * (ORDER + 1 - high) / (ORDER + 1)));
    }
    return worst;
}

static double eigenvalue_error(double *a, double *w)
{
    if (LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', ORDER, a, ORDER, w) != 0) {
        return INFINITY;
    }
    double worst = 0.0;
    for (int k = 1; k <= ORDER; k++) {
        double exact = 2.0 - 2.0 * cos(k * 3.14159265358979323846 / (ORDER + 1));
        worst = larger(worst, fabs(w[k - 1] - exact));
    }
    return worst;
}

static int check_once(void *context, size_t index, size_t worker)
{
    (void)worker;
    double *worst = (double *)context + index;
    double *block = NULL;
    TRY(REGRET_NEW(&block, ORDER * ORDER + ORDER));
    second_differences(block);
    *worst = inverse_error(block, block + (size_t)ORDER * ORDER);
    second_differences(block);
    *worst = fmax(*worst, eigenvalue_error(block, block + (size_t)ORDER * ORDER));
    regret_free(block);
    return REGRET_OK;
}

int regret_blas_self_check(size_t threads, double *worst)
{
    size_t jobs = 8 * threads;
    double largest = 0.0;
    FREED double *errors = NULL;
    TRY(REGRET_NEW(&errors, jobs));
    TRY(regret_parallel_for(jobs, threads, check_once, errors));
    for (size_t i = 0; i < jobs; i++) {
        largest = fmax(largest, errors[i]);
    }
    if (worst != NULL) {
        *worst = largest;
    }
    if (!(largest <= 1e-10)) {
        return regret_fail(REGRET_E_NUMERIC,
                           "the linear algebra library fails its self-check (error %g on %zu "
                           "threads); reinstall OpenBLAS or set OPENBLAS_CORETYPE",
                           largest, threads);
    }
    return REGRET_OK;
}
