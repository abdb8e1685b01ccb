/* The SWE-bench importer: what it writes is a pool that reads again, and every row is accounted
 * for. Where the strict import succeeds, leaving out bad rows leaves out none and writes the same
 * bytes. The hash of an input says in which of the two ways it is imported: one in 16 in both; what one in
 * four wrote is read again. Seeds go through all.
 *
 * The CSV comes first, then the issues. What becomes of duplicates, groups and thin rows rotates. */
#include <string.h>

#include "import/importer.h"
#include "pools.h"
#include "support.h"

static int reads_back; /* 1: what the present input's imports write is read again */

static int import(struct regret_swebench_report *report, char digest[33], const char *csv,
                  const char *issues, const char *out,
                  const struct regret_swebench_options *options)
{
    memset(report, 0, sizeof *report);
    if (!fuzz_taken(regret_import_swebench(report, csv, issues, out, options, 1))) {
        return 0;
    }
    const struct regret_swebench_report *r = report;
    REQUIRE(r->rows == r->bad + r->other_benchmark + r->other_agent + r->no_issue + r->duplicates +
                           r->thin + r->outputs);
    REQUIRE(r->pairs <= r->outputs && r->empty <= r->outputs && r->agents <= r->runs);
    if (reads_back) {
        fuzz_check_imported(digest, out, r->contexts, r->agents, r->outputs);
    }
    return 1;
}

/* Bits of the first part's length, so that a seed can choose by a line end at its end. */
static void choose(struct regret_swebench_options *o, size_t bits)
{
    static const char *const GROUPS[] = {"one=run*", "rest=*"};
    o->duplicates = (enum regret_duplicates)(bits % 3);
    if (bits & 4) {
        o->agent_coverage = o->issue_coverage = 0.5;
    }
    if (bits & 8) {
        o->groups = GROUPS;
        o->n_groups = 2;
    }
    if (bits & 16) {
        o->max_patch = 40;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    reads_back = fuzz_turn(data, size, 4);
    struct fuzz_part parts[FUZZ_MAX_PARTS];
    struct regret_swebench_options options = REGRET_SWEBENCH_OPTIONS_INIT;
    struct regret_swebench_report strict, lenient;
    char strict_digest[33] = "", lenient_digest[33] = "";
    size_t notes = 0;
    fuzz_split(parts, data, size);
    choose(&options, parts[0].length);
    const char *csv = fuzz_put_part("in.csv", parts[0]);
    const char *issues = fuzz_put_part("issues.jsonl", parts[1]);
    enum fuzz_ways ways = fuzz_ways_of(data, size);
    int taken = (ways & FUZZ_STRICT) != 0 &&
                import(&strict, strict_digest, csv, issues, fuzz_path("strict"), &options);
    options.skip_bad = 1;
    options.note = fuzz_count_note;
    options.note_context = &notes;
    int taken_leniently =
        (ways & FUZZ_LENIENT) != 0 &&
        import(&lenient, lenient_digest, csv, issues, fuzz_path("lenient"), &options);
    REQUIRE(!taken_leniently || notes == lenient.bad);
    if (taken && ways == FUZZ_BOTH) {
        REQUIRE(taken_leniently && lenient.bad == 0);
        REQUIRE(strcmp(strict_digest, lenient_digest) == 0);
    }
    fuzz_accepted = taken;
    fuzz_parts_free(parts);
    return 0;
}
