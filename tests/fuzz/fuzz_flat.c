/* The importers of Arena-Hard's folders, of batch outputs and of WMT metrics data: what they make is a pool by all its rules, and
 * with failed answers and all runs kept it is no smaller.
 *
 * Every input goes to each of them. Its three parts are questions, judgments and answers; outputs, scores (CSV, and JSONL or
 * a judge's batch) and requests; sources, ratings and the outputs of a system. */
#include <string.h>

#include "import/arenahard.h"
#include "import/batch.h"
#include "import/mt_metrics.h"
#include "pools.h"
#include "support.h"

extern const struct importer importer_arenahard, importer_batch, importer_mt_metrics;

/* Options of any of them begin with the harness's. */
union options {
    struct harness_options harness;
    struct arenahard_options arenahard;
    struct batch_options batch;
    struct mt_options mt_metrics;
};

static struct regret_pool *import(const struct importer *importer, const char *from,
                                  union options options)
{
    struct regret_pool *pool = NULL;
    struct regret_buffer report = REGRET_BUFFER_INIT;
    const struct importer_call call = {
        .from = from, .name = "pool", .into = &pool, .options = &options, .report = &report};
    int taken = fuzz_taken(importer->run(&call));
    REQUIRE(taken == (pool != NULL) && taken == (report.length > 0));
    regret_buffer_free(&report);
    return pool;
}

static void check(const struct importer *importer, const char *from, union options options)
{
    struct regret_pool *pool = import(importer, from, options);
    if (pool == NULL) {
        return;
    }
    fuzz_accepted = 1;
    REQUIRE(pool->n_outputs >= 1 && pool->n_components == 1);
    fuzz_check_pool(pool);
    options.harness.failed = HARNESS_FAILED_WORST;
    options.harness.runs = HARNESS_RUNS_DRAWS;
    options.harness.versions = HARNESS_VERSIONS_TAG;
    struct regret_pool *whole = import(importer, from, options);
    REQUIRE(whole == NULL || whole->n_outputs >= pool->n_outputs);
    regret_pool_free(whole);
    regret_pool_free(pool);
}

static void check_arena(const struct fuzz_part parts[FUZZ_MAX_PARTS])
{
    const char *folder = fuzz_folder("arena");
    fuzz_folder("arena/model_judgment");
    fuzz_folder("arena/model_answer");
    fuzz_put_part("arena/question.jsonl", parts[0]);
    fuzz_put_part("arena/model_judgment/j.jsonl", parts[1]);
    fuzz_put_part("arena/model_answer/m.jsonl", parts[2]);
    check(&importer_arenahard, folder, (union options){.arenahard = {.judge = NULL}});
}

/* Ids are read whole, and in parts where that fails. */
static void check_batch(const struct fuzz_part parts[FUZZ_MAX_PARTS])
{
    static const char *const IDS[] = {"{id}", "{task}/{id}#{repeat}@{model}"};
    static const char *const SCORES[] = {"scores.csv", "scores.jsonl"};
    const char *from = fuzz_put_part("outputs.jsonl", parts[0]);
    const char *requests = parts[2].length > 0 ? fuzz_put_part("requests.jsonl", parts[2]) : NULL;
    for (size_t i = 0; i < 2; i++) {
        const char *scores = fuzz_put_part(SCORES[i], parts[1]);
        for (size_t k = 0; k < 2; k++) {
            check(
                &importer_batch, from,
                (union options){.batch = {.ids = IDS[k], .scores = scores, .requests = requests}});
        }
    }
}

static void check_mt_metrics(const struct fuzz_part parts[FUZZ_MAX_PARTS])
{
    const char *folder = fuzz_folder("wmt");
    fuzz_folder("wmt/sources");
    fuzz_folder("wmt/human-scores");
    fuzz_folder("wmt/system-outputs");
    fuzz_folder("wmt/system-outputs/en-de");
    fuzz_put_part("wmt/sources/en-de.txt", parts[0]);
    fuzz_put_part("wmt/human-scores/en-de.mqm.seg.score", parts[1]);
    fuzz_put_part("wmt/system-outputs/en-de/s.txt", parts[2]);
    check(&importer_mt_metrics, folder, (union options){.mt_metrics = {.pair = NULL}});
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_part parts[FUZZ_MAX_PARTS];
    fuzz_split(parts, data, size);
    fuzz_accepted = 0;
    check_arena(parts);
    check_batch(parts);
    check_mt_metrics(parts);
    fuzz_parts_free(parts);
    return 0;
}
