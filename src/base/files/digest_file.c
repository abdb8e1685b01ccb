#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <xxhash.h>

#include "base/core/digest.h"
#include "base/core/try.h"
#include "base/files/input.h"
#include "regret/alloc.h"
#include "regret/file.h"

static int hash_rest(XXH3_state_t *state, int fd, const char *path)
{
    enum { PIECE = 1 << 18 };
    FREED char *piece = NULL;
    ssize_t got = 1;
    TRY(REGRET_NEW(&piece, PIECE));
    XXH3_128bits_reset(state);
    while (got != 0) {
        got = read(fd, piece, PIECE);
        if (got < 0 && errno != EINTR) {
            break;
        }
        XXH3_128bits_update(state, piece, got > 0 ? (size_t)got : 0);
    }
    return got == 0 ? REGRET_OK
                    : regret_fail(REGRET_E_IO, "cannot read %s: %s", path, strerror(errno));
}

int regret_digest_file(char out[33], const char *path)
{
    int fd = -1;
    TRY(input_open(&fd, path));
    XXH3_state_t *state = XXH3_createState();
    int rc;
    TRY_CLEANUP(state != NULL ? hash_rest(state, fd, path)
                              : regret_fail(REGRET_E_NOMEM, "out of memory: a hash state"));
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    digest_write(out, (uint64_t[2]){hash.low64, hash.high64});
cleanup:
    XXH3_freeState(state);
    close(fd);
    return rc;
}
