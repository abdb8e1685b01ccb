/* The AlpacaEval importer: what it writes is a pool that reads again, and every record is accounted for.
 * Where the strict import succeeds, leaving out bad records leaves out none and writes the same bytes. The
 * hash of an input says in which of the two ways it is imported: one in 16 in both; what one in four
 * wrote is read again. Seeds go through all.
 *
 * The judgements of two models come first and second, then the outputs of the first. What becomes of
 * repeats, and whether the second model is asked for, rotates with the length of the first part. */
#include <string.h>

#include "import/importer.h"
#include "pools.h"
#include "support.h"

static int reads_back; /* 1: what the present input's imports write is read again */

static int import(struct regret_alpacaeval_report *report, char digest[33], const char *results,
                  const char *out, const struct regret_alpacaeval_options *options)
{
    memset(report, 0, sizeof *report);
    if (!fuzz_taken(regret_import_alpacaeval(report, results, out, options, 1))) {
        return 0;
    }
    const struct regret_alpacaeval_report *r = report;
    REQUIRE(r->records == r->bad + r->unscored + r->no_output + r->repeated + r->outputs);
    REQUIRE(r->pairs <= r->outputs && r->empty <= r->outputs && r->outputs >= 1);
    REQUIRE(strcmp(r->annotator, "judge") == 0 && r->links == 0);
    if (reads_back) {
        fuzz_check_imported(digest, out, r->contexts, r->agents, r->outputs);
    }
    return 1;
}

/* Two folders of a model each, made once; the folder of results. */
static const char *put_results(const struct fuzz_part *parts)
{
    const char *results = fuzz_folder("results");
    fuzz_folder("results/a");
    fuzz_folder("results/a/judge");
    fuzz_folder("results/b");
    fuzz_folder("results/b/judge");
    fuzz_put_part("results/a/judge/annotations.json", parts[0]);
    fuzz_put_part("results/b/judge/annotations.json", parts[1]);
    fuzz_put_part("results/a/model_outputs.json", parts[2]);
    return results;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const FIRST[] = {"a"};
    reads_back = fuzz_turn(data, size, 4);
    struct fuzz_part parts[FUZZ_MAX_PARTS];
    struct regret_alpacaeval_options options = REGRET_ALPACAEVAL_OPTIONS_INIT;
    struct regret_alpacaeval_report strict, lenient;
    char strict_digest[33] = "", lenient_digest[33] = "";
    size_t notes = 0;
    fuzz_split(parts, data, size);
    options.repeats = (enum regret_repeats)(parts[0].length % 4);
    options.models = FIRST;
    options.n_models = parts[0].length & 4 ? 1 : 0;
    const char *results = put_results(parts);
    enum fuzz_ways ways = fuzz_ways_of(data, size);
    int taken = (ways & FUZZ_STRICT) != 0 &&
                import(&strict, strict_digest, results, fuzz_path("strict"), &options);
    options.skip_bad = 1;
    options.note = fuzz_count_note;
    options.note_context = &notes;
    int taken_leniently = (ways & FUZZ_LENIENT) != 0 &&
                          import(&lenient, lenient_digest, results, fuzz_path("lenient"), &options);
    REQUIRE(!taken_leniently || notes == lenient.bad + lenient.bad_outputs);
    if (taken && ways == FUZZ_BOTH) {
        REQUIRE(taken_leniently && lenient.bad == 0 && lenient.bad_outputs == 0);
        REQUIRE(strcmp(strict_digest, lenient_digest) == 0);
    }
    fuzz_parts_free(parts);
    fuzz_accepted = taken;
    return 0;
}
