/* The SummEval importer: what it writes is a pool that reads again; where no score is missing,
 * dropping records without scores drops none and writes the same bytes. The hash of an
 * input says in which of the two ways it is imported: one in 16 in both; what one in four wrote is read
 * again. Seeds go through all. */
#include <string.h>

#include "import/importer.h"
#include "pools.h"
#include "support.h"

static int reads_back; /* 1: what the present input's imports write is read again */

static int import(struct regret_import_report *report, char digest[33], const char *path,
                  const char *out, int drop_unscored)
{
    const struct regret_import_options options = {.name = "fuzz", .drop_unscored = drop_unscored};
    memset(report, 0, sizeof *report);
    if (!fuzz_taken(regret_import_summeval(report, path, out, &options, 1))) {
        return 0;
    }
    REQUIRE(report->outputs >= 1);
    if (reads_back) {
        fuzz_check_imported(digest, out, report->contexts, report->agents, report->outputs);
    }
    return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    reads_back = fuzz_turn(data, size, 4);
    struct regret_import_report strict, lenient;
    char strict_digest[33] = "", lenient_digest[33] = "";
    const char *path = fuzz_put("in.json", (const char *)data, size);
    enum fuzz_ways ways = fuzz_ways_of(data, size);
    int taken =
        (ways & FUZZ_STRICT) != 0 && import(&strict, strict_digest, path, fuzz_path("strict"), 0);
    int taken_leniently = (ways & FUZZ_LENIENT) != 0 &&
                          import(&lenient, lenient_digest, path, fuzz_path("lenient"), 1);
    if (taken && ways == FUZZ_BOTH) {
        REQUIRE(taken_leniently && lenient.dropped == 0 && strict.dropped == 0);
        REQUIRE(strcmp(strict_digest, lenient_digest) == 0);
    }
    fuzz_accepted = taken;
    return 0;
}
