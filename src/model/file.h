/* Models in files. */
#ifndef MODEL_FILE_H
#define MODEL_FILE_H

#include <stddef.h>
#include <stdint.h>

/* To be counted up with every change of the file or of what its rows mean, but for fields that may be missing. The first is of models
 * without own columns. */
enum { MODEL_VERSION = 2, MODEL_VERSION_COLUMNS = 3, MODEL_MOST_TEXT = 64 << 20 };

struct model_head {
    char magic[8];
    uint64_t order, version;
    uint64_t text; /* bytes of the JSON object, a multiple of 8 with the blanks behind it */
    uint64_t agents, tags, buckets, directions_contrast, directions_common;
    uint64_t hash_buckets, hash_seed, term_frequency, max_bytes;
    uint64_t digest[2]; /* XXH3-128 of the file with zeroes here */
};

/* The digest of a file whose bytes these are; its head is looked at as if its digest were zero. */
void model_digest(uint64_t out[2], char *file, size_t length);

#endif
