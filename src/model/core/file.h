/* The file of a model: a head of fixed size, a JSON object for people and programs, the rows, the buckets. All numbers
 * little-endian as this machine has them; a machine of the other order refuses the file. */
#ifndef REGRET_MODEL_FILE_H
#define REGRET_MODEL_FILE_H

#include <stdint.h>

#include "model/core/model.h"

/* To be counted up with every change of the file or of what its rows mean, but for fields that may be missing. The first is of models
 * without own columns. */
enum { MODEL_VERSION = 2, MODEL_VERSION_COLUMNS = 3, MODEL_MOST_TEXT = 64 << 20 };
#define MODEL_FORMAT "regret-model-1"
#define MODEL_MAGIC "regretM"
#define MODEL_ORDER UINT64_C(0x0102030405060708)

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
