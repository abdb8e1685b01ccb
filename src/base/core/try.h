/* How a failure travels up: one of these two lines a call that can fail. docs/style.md has the reasons. */
#ifndef REGRET_BASE_TRY_H
#define REGRET_BASE_TRY_H

#include "regret/status.h"

/* In a function that owns nothing at this point: returns the code of a call that failed. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        int try_rc = (call);                                                                       \
        if (try_rc != REGRET_OK) {                                                                 \
            return try_rc;                                                                         \
        }                                                                                          \
    } while (0)

/* In a function with `int rc` and one `cleanup:` at its end, which releases what it owns: keeps the
 * code of a call that failed and goes there. */
#define TRY_CLEANUP(call)                                                                          \
    do {                                                                                           \
        rc = (call);                                                                               \
        if (rc != REGRET_OK) {                                                                     \
            goto cleanup;                                                                          \
        }                                                                                          \
    } while (0)

#endif
