#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "regret/alloc.h"
#include "regret/file.h"

#include <xxhash.h>

uint64_t regret_hash64(const void *data, size_t length)
{
    return XXH3_64bits(data, length);
}

static void write_digest(char out[33], XXH128_hash_t h)
{
    snprintf(out, 33, "%016llx%016llx", (unsigned long long)h.high64, (unsigned long long)h.low64);
}

void regret_digest(char out[33], const void *data, size_t length)
{
    write_digest(out, XXH3_128bits(data, length));
}

int regret_digest_file(char out[33], const char *path)
{
    enum { PIECE = 1 << 18 };
    char *piece = NULL;
    FILE *file = NULL;
    XXH3_state_t *state = XXH3_createState();
    int rc = state == NULL ? regret_fail(REGRET_E_NOMEM, "out of memory: a hash state")
                           : REGRET_NEW(&piece, PIECE);
    if (rc != REGRET_OK) {
        goto cleanup;
    }
    file = fopen(path, "rb");
    if (file == NULL) {
        rc = regret_fail(errno == ENOENT ? REGRET_E_INPUT : REGRET_E_IO, "cannot open %s: %s", path,
                         strerror(errno));
        goto cleanup;
    }
    XXH3_128bits_reset(state);
    size_t got;
    while ((got = fread(piece, 1, PIECE, file)) > 0) {
        XXH3_128bits_update(state, piece, got);
    }
    if (ferror(file)) {
        rc = regret_fail(REGRET_E_IO, "cannot read %s: %s", path, strerror(errno));
        goto cleanup;
    }
    write_digest(out, XXH3_128bits_digest(state));
cleanup:
    if (file != NULL) {
        fclose(file);
    }
    XXH3_freeState(state);
    regret_free(piece);
    return rc;
}
