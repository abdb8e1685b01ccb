/* What everything uses: codes and messages, memory, stopping, spans of text, threads. */
#ifndef REGRET_STATUS_H
#define REGRET_STATUS_H

#include <stddef.h>

/* Status codes and the thread-local message that goes with them.
 *
 * Convention of the whole library: a function that can fail returns 0 (REGRET_OK) or a negative
 * code; what it makes comes back through out-parameters, which stand first and are left untouched
 * on failure unless the function says otherwise. The message of the last failure on the calling
 * thread names the place and the remedy and stays valid until the next failure on that thread.
 * The library never prints, exits or aborts. */

#if defined(__GNUC__)
#define REGRET_API __attribute__((visibility("default")))
#define REGRET_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define REGRET_API
#define REGRET_PRINTF(fmt, args)
#endif

enum regret_code {
    REGRET_OK = 0,
    REGRET_E_INPUT = -1,     /* the caller's data, configuration or arguments are wrong */
    REGRET_E_IO = -2,        /* the operating system refused a file operation */
    REGRET_E_NOMEM = -3,     /* memory could not be had */
    REGRET_E_NUMERIC = -4,   /* a factorisation or iteration failed */
    REGRET_E_CANCELLED = -5, /* the caller's callback asked to stop */
    REGRET_E_INTERNAL = -6   /* a broken invariant: a defect of the library */
};

/* Sets the thread's message (printf format, cut at 1,023 bytes) and returns `code`. Control
 * characters, which arguments quoted from a stranger's file may hold, become '?'. */
REGRET_API int regret_fail(int code, const char *format, ...) REGRET_PRINTF(2, 3);

/* Puts `prefix` and ": " before the thread's present message; returns `code`. For callers that know
 * the file or the row in which a deeper function failed. */
REGRET_API int regret_fail_prefix(int code, const char *format, ...) REGRET_PRINTF(2, 3);

/* Puts text behind the thread's present message (as it stands, punctuation included); returns
 * `code`. For callers that know a remedy which a deeper function does not. */
REGRET_API int regret_fail_suffix(int code, const char *format, ...) REGRET_PRINTF(2, 3);

/* The message of the last failure on this thread; "" when there was none. Never NULL. */
REGRET_API const char *regret_error_message(void);

/* "MAJOR.MINOR.PATCH" of the library. */
REGRET_API const char *regret_version(void);

/* Memory. Every allocation of the library goes through here, so that a test can make the k-th one
 * fail and see that nothing leaks and nothing is half-done. */

/* Allocates `count` zeroed elements of `size` bytes into *out. `count * size` is checked for
 * overflow; a zero-size request gives a valid pointer that must be freed. REGRET_E_NOMEM names
 * `what` in its message. */
REGRET_API int regret_calloc(void **out, size_t count, size_t size, const char *what);

/* Grows *block to hold `count` elements of `size` bytes (contents kept, the new part undefined).
 * On failure *block is untouched. */
REGRET_API int regret_realloc(void **block, size_t count, size_t size, const char *what);

/* Makes room for one more element in an array of n of `capacity`, which at least doubles when it is
 * full. On failure both are untouched. */
REGRET_API int regret_grow(void **array, size_t *capacity, size_t n, size_t size, const char *what);

/* Frees a block of the functions above; NULL is allowed. */
REGRET_API void regret_free(void *block);

/* A zero-terminated copy of `length` bytes of `text`. */
REGRET_API int regret_strndup(char **out, const char *text, size_t length);
REGRET_API int regret_strdup(char **out, const char *text);

/* Typed allocation: REGRET_NEW(&array, count) zeroes and names the expression in the message. */
#define REGRET_NEW(out, count) regret_calloc((void **)(out), (count), sizeof **(out), #out)

/* For tests: after `n` further successful allocations on any thread every one fails, those of cJSON
 * among them (its global hooks are ours meanwhile), until called with a negative number (the
 * default: never fail). */
REGRET_API void regret_alloc_fail_after(long n);

/* What long computations ask and tell in their middle: a wish to stop, and what is being done. */

/* Other than 0: stop. Asked by any thread that computes, at least a few times a second, so it must be quick and safe to
 * call from several at once; an atomic flag that a signal handler sets is both. */
typedef int regret_cancel_callback(void *context);

/* Who is asked. Whoever computes for long takes it from its caller, and asks between steps that are no longer than about a
 * second: there is no state but this. */
struct regret_stop {
    regret_cancel_callback *cancelled; /* NULL: nobody, and nothing is stopped */
    void *context;
};

/* REGRET_OK to go on; REGRET_E_CANCELLED, with a message, to stop. NULL is nobody to ask. */
REGRET_API int regret_stop_check(const struct regret_stop *stop);

/* Called when a step begins that may take long, by the thread that runs, with its name (static); of what a step counts there are `total`,
 * of which `done` are there already, else 0 and 0. */
typedef void regret_step_callback(void *context, const char *step, size_t done, size_t total);

/* A piece of text that somebody else owns. */

/* `length` bytes, not terminated by a zero. text == NULL: absent, where absence means something. */
struct regret_span {
    const char *text;
    size_t length;
};

/* Independent jobs on a few threads. */

/* One job: `index` in 0..n-1, `worker` in 0..threads-1 (for scratch memory). Returns 0 or a
 * negative code; its thread's message is carried to the caller. Jobs must not depend on one
 * another. */
typedef int regret_job(void *context, size_t index, size_t worker);

/* Runs jobs 0..n-1 on `threads` threads (the calling one among them), handing them out in order.
 * After the first failure no further job is begun, and that job's code and message are returned
 * (the lowest index among those that failed). threads >= 1. */
REGRET_API int regret_parallel_for(size_t n, size_t threads, regret_job *job, void *context);

/* How many threads the calling thread may share its preparations out to, each of which knows nothing of another: reading a
 * pool, tokens, terms, φ, statistics. 1 unless said, and 1 in every job above; results are the same bits whatever it is.
 * Returns what held before, for regret_threads_restore(), as a scope ends. */
REGRET_API size_t regret_threads_allow(size_t threads);
REGRET_API size_t regret_threads_allowed(void);
REGRET_API void regret_threads_restore(const size_t *before);

/* Processors this process may use: the least of its affinity mask, the control group's quota and,
 * within a Slurm job, what the job was given (SLURM_CPUS_PER_TASK, else SLURM_CPUS_ON_NODE); at
 * least 1. */
REGRET_API size_t regret_processor_count(void);

/* What the linked BLAS is and whether it can be trusted. */

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
