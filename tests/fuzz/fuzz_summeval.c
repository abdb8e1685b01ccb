/* The SummEval importer: what it writes is a pool that reads again; where no score is missing,
 * dropping records without scores drops none and writes the same bytes. */
#include <string.h>

#include "pools.h"
#include "regret/import.h"
#include "support.h"

static int import(struct regret_import_report *report, char digest[33], const char *path,
                  const char *out, int drop_unscored)
{
    const struct regret_import_options options = {"fuzz", drop_unscored};
    memset(report, 0, sizeof *report);
    if (!fuzz_taken(regret_import_summeval(report, path, out, &options, 1))) {
        return 0;
    }
    REQUIRE(report->outputs >= 1);
    fuzz_check_imported(digest, out, report->contexts, report->agents, report->outputs);
    return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct regret_import_report strict, lenient;
    char strict_digest[33] = "", lenient_digest[33] = "";
    const char *path = fuzz_put("in.json", (const char *)data, size);
    int taken = import(&strict, strict_digest, path, fuzz_path("strict"), 0);
    int taken_leniently = import(&lenient, lenient_digest, path, fuzz_path("lenient"), 1);
    if (taken) {
        REQUIRE(taken_leniently && lenient.dropped == 0 && strict.dropped == 0);
        REQUIRE(strcmp(strict_digest, lenient_digest) == 0);
    }
    fuzz_accepted = taken;
    return 0;
}
