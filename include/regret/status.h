/* Status codes and the thread-local message that goes with them.
 *
 * Convention of the whole library: a function that can fail returns 0 (REGRET_OK) or a negative
 * code; what it makes comes back through out-parameters, which stand first and are left untouched
 * on failure unless the function says otherwise. The message of the last failure on the calling
 * thread names the place and the remedy and stays valid until the next failure on that thread.
 * The library never prints, exits or aborts. */
#ifndef REGRET_STATUS_H
#define REGRET_STATUS_H

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

#endif
