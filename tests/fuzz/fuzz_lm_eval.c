/* Samples of lm-evaluation-harness, and with them the core of all importers of harnesses: what is written is a pool that reads
 * again. Where nothing is refused, another rule for runs and versions changes nothing: the same bytes are written. Which
 * filters and failed answers are wanted rotates with the length of the first part.
 *
 * Two models' samples come first and second, then the results of the first. */
#include <string.h>

#include "import/lm_eval.h"
#include "pools.h"
#include "support.h"

extern const struct importer importer_lm_eval;

static int import(char digest[33], const char *to, struct lm_eval_options *options)
{
    struct regret_buffer report = REGRET_BUFFER_INIT;
    const struct importer_call call = {.from = fuzz_path("samples"),
                                       .to = to,
                                       .replace = 1,
                                       .options = options,
                                       .report = &report};
    struct regret_pool *pool = NULL;
    int taken = fuzz_taken(importer_lm_eval.run(&call));
    if (taken) {
        REQUIRE(strstr(regret_buffer_get(&report), " pairs of context and agent are missing\n") !=
                NULL);
        REQUIRE(fuzz_taken(regret_pool_read(&pool, to)));
        memcpy(digest, pool->digest, sizeof pool->digest);
        regret_pool_free(pool);
    }
    regret_buffer_free(&report);
    return taken;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const SOME[] = {"s*", "none"};
    struct fuzz_part parts[FUZZ_MAX_PARTS];
    char strict[33] = "", loose[33] = "";
    struct lm_eval_options options = {.filters = {SOME, 0}};
    fuzz_split(parts, data, size);
    fuzz_folder("samples");
    fuzz_folder("samples/a");
    fuzz_folder("samples/b");
    fuzz_put_part("samples/a/samples_t_2025-01-01T00.jsonl", parts[0]);
    fuzz_put_part("samples/b/samples_t_2025-01-01T00.jsonl", parts[1]);
    if (parts[2].length > 0) {
        fuzz_put_part("samples/a/results_2025-01-01T00.json", parts[2]);
    } else {
        fuzz_put("samples/a/results_2025-01-01T00.json", "{}", 2);
    }
    options.filters.n = parts[0].length % 7 == 0 ? 2 : 0;
    options.harness.failed = parts[0].length & 1;
    fuzz_accepted = import(strict, fuzz_path("strict"), &options);
    options.harness.runs = HARNESS_RUNS_DRAWS;
    options.harness.versions = HARNESS_VERSIONS_TAG;
    if (fuzz_accepted && fuzz_turn(data, size, 4)) {
        REQUIRE(import(loose, fuzz_path("loose"), &options));
        REQUIRE(strcmp(strict, loose) == 0);
    }
    fuzz_parts_free(parts);
    return 0;
}
