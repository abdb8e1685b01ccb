/* The importers of logs of Inspect, runs of HELM and results of promptfoo: what they make is a pool by all its rules, and
 * with failed answers and all runs kept it is no smaller.
 *
 * Every input goes to each of them. Its first part is a document: a log, requests of a run, results, and lines of
 * results. With the second, statistics of the run, the requests are a run. Where there is a third, it is a sample of an
 * archive whose header is the second. */
#include <string.h>

#include "import/harness.h"
#include "import/helm.h"
#include "import/importer.h"
#include "import/inspect.h"
#include "pools.h"
#include "support.h"

extern const struct importer importer_inspect, importer_helm, importer_promptfoo;

/* Options of any of them begin with the harness's. */
union options {
    struct harness_options harness;
    struct inspect_options inspect;
    struct helm_options helm;
};

static struct regret_pool *import(const struct importer *importer, const char *from,
                                  const union options *options)
{
    struct regret_pool *pool = NULL;
    struct regret_buffer report = REGRET_BUFFER_INIT;
    union options own = *options;
    const struct importer_call call = {
        .from = from, .name = "pool", .into = &pool, .options = &own, .report = &report};
    int taken = fuzz_taken(importer->run(&call));
    REQUIRE(taken == (pool != NULL) && taken == (report.length > 0));
    regret_buffer_free(&report);
    return pool;
}

static void check(const struct importer *importer, const char *from)
{
    const union options defaults = {0};
    const union options all = {.harness = {.failed = HARNESS_FAILED_WORST,
                                           .runs = HARNESS_RUNS_DRAWS,
                                           .versions = HARNESS_VERSIONS_TAG}};
    struct regret_pool *pool = import(importer, from, &defaults);
    if (pool == NULL) {
        return;
    }
    fuzz_accepted = 1;
    REQUIRE(pool->n_outputs >= 1 && pool->n_components == 1);
    fuzz_check_pool(pool);
    struct regret_pool *whole = import(importer, from, &all);
    REQUIRE(whole == NULL || whole->n_outputs >= pool->n_outputs);
    regret_pool_free(whole);
    regret_pool_free(pool);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_part parts[FUZZ_MAX_PARTS];
    fuzz_split(parts, data, size);
    fuzz_accepted = 0;
    check(&importer_promptfoo, fuzz_put_part("r.json", parts[0]));
    check(&importer_promptfoo, fuzz_put_part("r.jsonl", parts[0]));
    check(&importer_inspect, fuzz_path("r.json"));
    if (parts[1].length > 0) {
        const char *runs = fuzz_folder("runs");
        fuzz_folder("runs/mmlu:model=m");
        fuzz_put_part("runs/mmlu:model=m/scenario_state.json", parts[0]);
        fuzz_put_part("runs/mmlu:model=m/per_instance_stats.json", parts[1]);
        check(&importer_helm, runs);
    }
    if (parts[2].length > 0) {
        const char *log = fuzz_folder("log");
        fuzz_folder("log/samples");
        fuzz_put_part("log/header.json", parts[1]);
        fuzz_put_part("log/samples/1_epoch_1.json", parts[2]);
        check(&importer_inspect, log);
    }
    fuzz_parts_free(parts);
    return 0;
}
