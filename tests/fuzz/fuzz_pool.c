/* Pools: what is read keeps the rules of pool.h, can be cut by every grid policy and described, and
 * is the same when written and read again, which is tried with one input in 16.
 *
 * pool.json comes first, then contexts.jsonl and outputs.jsonl. */
#include "pools.h"
#include "support.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_part parts[FUZZ_MAX_PARTS];
    struct regret_pool *pool = NULL;
    const char *folder = fuzz_folder("p");
    fuzz_split(parts, data, size);
    fuzz_put_part("p/pool.json", parts[0]);
    fuzz_put_part("p/contexts.jsonl", parts[1]);
    fuzz_put_part("p/outputs.jsonl", parts[2]);
    fuzz_accepted = fuzz_taken(regret_pool_read(&pool, folder));
    if (fuzz_accepted) {
        fuzz_check_pool(pool);
        if (fuzz_turn(data, size, 16)) {
            fuzz_check_pool_again(pool);
        }
    }
    regret_pool_free(pool);
    fuzz_parts_free(parts);
    return 0;
}
