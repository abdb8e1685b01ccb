/* Where the floating-point operations of a replicate go: bench-stages CONFIG [SEEDS]
 *
 * Runs the configuration on one thread and prints, as Markdown, by stage and by routine: calls, operations
 * (multiplications and additions, by the textbook counts of each routine for the sizes that it was called
 * with), seconds of the routine itself, and the rate as a share of this machine's dgemm, which is measured
 * before and after. The linker puts the functions below between the library and BLAS, LAPACK and the library's own
 * kernels (-Wl,--wrap), so that nothing is counted in the program itself. */
#include <cblas.h>
#include <lapacke.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "linalg/pooled_ridge.h"
#include "linalg/sparse.h"
#include "linalg/sparse_rows.h"
#include "regret/design.h"
#include "regret/estimate.h"
#include "regret/status.h"
#include "regret/text.h"
#include "synth/newswire.h"
#include "temporary_run.h"

enum stage { OTHER, FEATURES, PROXY, FIT, N_STAGES };
static const char *const STAGES[N_STAGES] = {"rest", "features", "proxy", "fit"};

/* A routine in a stage. */
struct count {
    const char *routine;
    enum stage stage;
    size_t calls;
    double operations, seconds;
};

enum { MOST = 128, DEEPEST = 32 };
static struct count counts[MOST];
static size_t n_counts;
static enum stage stage;
static double stage_seconds[N_STAGES];
/* Seconds that the routines called from each routine now at work took themselves. */
static double inner[DEEPEST];
static size_t depth;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double enter(void)
{
    if (depth + 1 == DEEPEST) {
        fprintf(stderr, "bench-stages: routines call each other deeper than expected\n");
        exit(1);
    }
    inner[++depth] = 0.0;
    return now();
}

static void leave(const char *routine, double operations, double start)
{
    double all = now() - start, own = all - inner[depth--];
    size_t i = 0;
    inner[depth] += all;
    while (i < n_counts && (counts[i].stage != stage || strcmp(counts[i].routine, routine) != 0)) {
        i++;
    }
    if (i == MOST) {
        fprintf(stderr, "bench-stages: more than %d routines\n", MOST);
        exit(1);
    }
    if (i == n_counts) {
        counts[n_counts++] = (struct count){.routine = routine, .stage = stage};
    }
    counts[i].calls++;
    counts[i].operations += operations;
    counts[i].seconds += own;
}

/* ---------------------------------------------------------------- what is put between */

/* A function of the library or of BLAS that counts `operations`, an expression of its arguments. */
#define COUNTED(type, name, parameters, arguments, operations)                                     \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        double start = enter();                                                                    \
        type result = __real_##name arguments;                                                     \
        leave(#name, operations, start);                                                           \
        return result;                                                                             \
    }
#define COUNTED_VOID(name, parameters, arguments, operations)                                      \
    void __real_##name parameters;                                                                 \
    void __wrap_##name parameters;                                                                 \
    void __wrap_##name parameters                                                                  \
    {                                                                                              \
        double start = enter();                                                                    \
        __real_##name arguments;                                                                   \
        leave(#name, operations, start);                                                           \
    }
/* One that is a stage; the innermost counts. */
#define STAGE(which, name, parameters, arguments)                                                  \
    int __real_##name parameters;                                                                  \
    int __wrap_##name parameters;                                                                  \
    int __wrap_##name parameters                                                                   \
    {                                                                                              \
        enum stage before = stage;                                                                 \
        double start = now();                                                                      \
        stage = which;                                                                             \
        int rc = __real_##name arguments;                                                          \
        stage_seconds[which] += now() - start;                                                     \
        stage = before;                                                                            \
        return rc;                                                                                 \
    }

#define D(x) ((double)(x))
typedef CBLAS_ORDER order;
typedef CBLAS_TRANSPOSE transpose;
typedef CBLAS_UPLO triangle;
typedef CBLAS_SIDE side;
typedef CBLAS_DIAG diagonal;

COUNTED_VOID(cblas_dgemm,
             (order o, transpose ta, transpose tb, int m, int n, int k, double alpha,
              const double *a, int lda, const double *b, int ldb, double beta, double *c, int ldc),
             (o, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc), 2.0 * D(m) * D(n) * D(k))
COUNTED_VOID(cblas_sgemm,
             (order o, transpose ta, transpose tb, int m, int n, int k, float alpha, const float *a,
              int lda, const float *b, int ldb, float beta, float *c, int ldc),
             (o, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc), 2.0 * D(m) * D(n) * D(k))
COUNTED_VOID(cblas_strsv,
             (order o, triangle u, transpose t, diagonal d, int n, const float *a, int lda,
              float *x, int step),
             (o, u, t, d, n, a, lda, x, step), D(n) * D(n))
COUNTED_VOID(cblas_dsyrk,
             (order o, triangle u, transpose t, int n, int k, double alpha, const double *a,
              int lda, double beta, double *c, int ldc),
             (o, u, t, n, k, alpha, a, lda, beta, c, ldc), D(n) * D(n + 1) * D(k))
COUNTED_VOID(cblas_dtrsm,
             (order o, side s, triangle u, transpose t, diagonal d, int m, int n, double alpha,
              const double *a, int lda, double *b, int ldb),
             (o, s, u, t, d, m, n, alpha, a, lda, b, ldb), D(m) * D(n) * D(s == CblasLeft ? m : n))
COUNTED_VOID(cblas_dtrsv,
             (order o, triangle u, transpose t, diagonal d, int n, const double *a, int lda,
              double *x, int step),
             (o, u, t, d, n, a, lda, x, step), D(n) * D(n))
COUNTED_VOID(cblas_dgemv,
             (order o, transpose t, int m, int n, double alpha, const double *a, int lda,
              const double *x, int step_x, double beta, double *y, int step_y),
             (o, t, m, n, alpha, a, lda, x, step_x, beta, y, step_y), 2.0 * D(m) * D(n))
COUNTED(lapack_int, LAPACKE_dpotrf_work, (int o, char u, lapack_int n, double *a, lapack_int lda),
        (o, u, n, a, lda), D(n) * D(n) * D(n) / 3.0)
COUNTED(lapack_int, LAPACKE_dpotrs_work,
        (int o, char u, lapack_int n, lapack_int m, const double *a, lapack_int lda, double *b,
         lapack_int ldb),
        (o, u, n, m, a, lda, b, ldb), 2.0 * D(n) * D(n) * D(m))
COUNTED(lapack_int, LAPACKE_dpstrf_work,
        (int o, char u, lapack_int n, double *a, lapack_int lda, lapack_int *pivot,
         lapack_int *rank, double tolerance, double *work),
        (o, u, n, a, lda, pivot, rank, tolerance, work),
        D(*rank) * D(*rank) * (D(n) - 2.0 * D(*rank) / 3.0))
COUNTED(lapack_int, LAPACKE_dsygst_work,
        (int o, lapack_int type, char u, lapack_int n, double *a, lapack_int lda, const double *b,
         lapack_int ldb),
        (o, type, u, n, a, lda, b, ldb), D(n) * D(n) * D(n))
COUNTED(lapack_int, LAPACKE_dsytrd_work,
        (int o, char u, lapack_int n, double *a, lapack_int lda, double *d, double *e, double *tau,
         double *work, lapack_int size),
        (o, u, n, a, lda, d, e, tau, work, size), size < 0 ? 0.0 : 4.0 / 3.0 * D(n) * D(n) * D(n))
COUNTED(lapack_int, LAPACKE_dormtr_work,
        (int o, char s, char u, char t, lapack_int m, lapack_int n, const double *a, lapack_int lda,
         const double *tau, double *c, lapack_int ldc, double *work, lapack_int size),
        (o, s, u, t, m, n, a, lda, tau, c, ldc, work, size),
        size < 0 ? 0.0 : 2.0 * D(m) * D(n) * D(s == 'L' ? m : n))
COUNTED(lapack_int, LAPACKE_dsyevr_work,
        (int o, char job, char range, char u, lapack_int n, double *a, lapack_int lda, double vl,
         double vu, lapack_int il, lapack_int iu, double tolerance, lapack_int *found, double *w,
         double *z, lapack_int ldz, lapack_int *support, double *work, lapack_int size,
         lapack_int *integers, lapack_int n_integers),
        (o, job, range, u, n, a, lda, vl, vu, il, iu, tolerance, found, w, z, ldz, support, work,
         size, integers, n_integers),
        size < 0 ? 0.0 : 4.0 / 3.0 * D(n) * D(n) * D(n) + 2.0 * D(n) * D(n) * D(*found))

/* ---------------------------------------------------------------- kernels of our own */

/* The pairs of entries that share a column; of one matrix (b NULL) each once. */
static double shared_entries(const struct regret_csr *a, const struct regret_csr *b)
{
    size_t *n = calloc(a->cols, sizeof *n);
    const struct regret_csr *other = b != NULL ? b : a;
    double sum = 0.0;
    for (size_t e = 0; n != NULL && e < regret_csr_entries(other); e++) {
        n[other->column[e]]++;
    }
    for (size_t e = 0; n != NULL && e < regret_csr_entries(a); e++) {
        sum += D(n[a->column[e]]);
    }
    free(n);
    return b != NULL ? sum : 0.5 * (sum + D(regret_csr_entries(a)));
}

static double part_entries(const struct sparse_part *p, size_t blocks)
{
    return p->rows > 0 ? D(p->row_start[blocks * (p->rows + 1) - 1]) : 0.0;
}

static double operator_entries(const struct gram_operator *op)
{
    return D(regret_csr_entries(op->column));
}

COUNTED(int, regret_csr_gram, (double *k, const struct regret_csr *a, const struct regret_csr *b),
        (k, a, b), 2.0 * shared_entries(a, b))
COUNTED(int, regret_csr_times_dense,
        (double *out, const struct regret_csr *a, const double *x, size_t columns),
        (out, a, x, columns), 2.0 * D(regret_csr_entries(a)) * D(columns))
COUNTED_VOID(sparse_rows_gram,
             (double *out, const struct sparse_rows *m, size_t rows, const struct sparse_columns *v,
              double *scratch),
             (out, m, rows, v, scratch),
             4.0 * D(v->n) *
                 (part_entries(&m->panels.own, m->panels.blocks) +
                  part_entries(&m->panels.shared, m->panels.blocks)))
COUNTED_VOID(gram_operator_apply, (double *y, const struct gram_operator *op, const double *v),
             (y, op, v), 4.0 * D(LANES) * operator_entries(op))
COUNTED_VOID(panel_dot, (double *c, const double *a, const double *b, size_t n), (c, a, b, n),
             2.0 * D(SQUARE) * D(n))
COUNTED_VOID(panel_subtract, (double *w, const double *v, const double *c, size_t n), (w, v, c, n),
             2.0 * D(SQUARE) * D(n))
/* The pairs of each part that is left out, the last ones made. */
enum { PARTS = 64 };
static struct {
    const struct regret_left_out *part;
    size_t entries;
} parts[PARTS];
static size_t n_parts;

int __real_regret_left_out_create(struct regret_left_out **out, const struct regret_pooled *pooled,
                                  const struct regret_sample *part);
int __wrap_regret_left_out_create(struct regret_left_out **out, const struct regret_pooled *pooled,
                                  const struct regret_sample *part);
int __wrap_regret_left_out_create(struct regret_left_out **out, const struct regret_pooled *pooled,
                                  const struct regret_sample *part)
{
    double start = enter();
    int rc = __real_regret_left_out_create(out, pooled, part);
    size_t at = n_parts++ % PARTS;
    parts[at].part = *out;
    parts[at].entries = part->entries;
    leave("regret_left_out_create", 2.0 * D(part->entries) * D(regret_pooled_size(pooled)), start);
    return rc;
}

static double entries_of(const struct regret_left_out *part)
{
    for (size_t i = n_parts; i-- > 0 && i + PARTS >= n_parts;) {
        if (parts[i % PARTS].part == part) {
            return D(parts[i % PARTS].entries);
        }
    }
    return 0.0;
}

/* The tridiagonal elimination of the lines left out; what it calls is counted by itself. */
COUNTED(int, left_out_solve,
        (double *x, struct pooled_system *system, double lambda, const struct regret_left_out *f),
        (x, system, lambda, f), 4.0 * D(system->q) * entries_of(f))
COUNTED_VOID(regret_left_out_predict,
             (double *prediction, const struct regret_left_out *f, const double *solution),
             (prediction, f, solution), 0.0)

/* ---------------------------------------------------------------- stages */

STAGE(FEATURES, regret_features_build,
      (struct regret_csr * *out, const struct regret_pairs *pairs,
       const struct regret_feature_options *options),
      (out, pairs, options))
STAGE(PROXY, regret_proxy_fit,
      (double *z, size_t *actual_dim, const struct regret_proxy_source *source,
       const double *obs_count, const struct regret_proxy_options *options),
      (z, actual_dim, source, obs_count, options))
STAGE(FIT, regret_family_fit,
      (struct regret_estimate * *out, const struct regret_family *family,
       struct regret_session *session),
      (out, family, session))

/* ---------------------------------------------------------------- the run */

/* 10^9 operations a second of products of square matrices of 1,024, the best of five. */
static double dgemm_rate(void)
{
    enum { N = 1024, REPEATS = 5 };
    const size_t square = (size_t)N * N;
    double *a = malloc(3 * square * sizeof *a), best = 0.0;
    if (a == NULL) {
        fprintf(stderr, "bench-stages: out of memory\n");
        exit(1);
    }
    for (size_t i = 0; i < 3 * square; i++) {
        a[i] = (double)(i % 17) - 8.0;
    }
    for (size_t i = 0; i < REPEATS; i++) {
        double start = now();
        __real_cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1.0, a, N,
                           a + square, N, 0.0, a + 2 * square, N);
        double rate = 2e-9 * N * N * N / (now() - start);
        best = rate > best ? rate : best;
    }
    free(a);
    return best;
}

static int by_seconds(const void *x, const void *y)
{
    const struct count *a = x, *b = y;
    if (a->stage != b->stage) {
        return a->stage > b->stage ? -1 : 1;
    }
    return (a->seconds < b->seconds) - (a->seconds > b->seconds);
}

static void line(const char *stage_name, const char *routine, double calls, double operations,
                 double seconds, double replicates, double peak)
{
    printf("| %s | %s | %.4g | %.3g | %.3g | %.0f %% |\n", stage_name, routine, calls / replicates,
           1e-6 * operations / replicates, 1e3 * seconds / replicates,
           seconds > 0.0 ? 100.0 * 1e-9 * operations / seconds / peak : 0.0);
}

static void print_table(double seconds, double replicates, double peak)
{
    static const double WORTH = 0.005; /* of all seconds */
    qsort(counts, n_counts, sizeof *counts, by_seconds);
    printf("| stage | routine | calls | 10^6 operations | ms | of dgemm |\n"
           "|---|---|---:|---:|---:|---:|\n");
    for (int s = N_STAGES - 1; s >= 0; s--) {
        double own = 0.0, operations = 0.0, all = stage_seconds[s];
        for (size_t i = 0; i < n_counts; i++) {
            own += counts[i].stage == (enum stage)s ? counts[i].seconds : 0.0;
            operations += counts[i].stage == (enum stage)s ? counts[i].operations : 0.0;
        }
        if (s == OTHER) {
            all = seconds - stage_seconds[FEATURES] - stage_seconds[PROXY] - stage_seconds[FIT];
        }
        line(STAGES[s], "**all**", 0.0, operations, all, replicates, peak);
        for (size_t i = 0; i < n_counts; i++) {
            const struct count *c = &counts[i];
            if (c->stage == (enum stage)s && c->seconds >= WORTH * seconds) {
                line(STAGES[s], c->routine, D(c->calls), c->operations, c->seconds, replicates,
                     peak);
            }
        }
        line(STAGES[s], "not in a routine above", 0.0, 0.0, all - own, replicates, peak);
    }
}

int main(int argc, char **argv)
{
    const char *config = argc > 1 ? argv[1] : "configs/main.json";
    const char *seeds = argc > 2 ? argv[2] : "2";
    struct regret_run_summary s = {0};
    if (synth_register() != REGRET_OK) {
        fprintf(stderr, "bench-stages: %s\n", regret_error_message());
        return 1;
    }
    struct regret_blas_info blas = regret_blas_describe();
    regret_blas_set_threads(1);
    double before = dgemm_rate(), start = now();
    if (temporary_run("bench-stages", &s, config, seeds, 1) != REGRET_OK) {
        return 1;
    }
    double seconds = now() - start, after = dgemm_rate(), peak = before > after ? before : after;
    printf("%s, %zu replicates on one thread, a replicate %.4g ms of a processor; %s (%s); dgemm "
           "%.1f and %.1f · 10^9 a second before and after\n\n",
           config, s.replicates, 1e3 * seconds / D(s.replicates), blas.build, blas.kernel, before,
           after);
    print_table(seconds, D(s.replicates), peak);
    return 0;
}
