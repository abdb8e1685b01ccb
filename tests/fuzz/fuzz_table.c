/* Imports of tables: what is written is a pool that reads again, and every row is accounted for.
 * Where the strict import succeeds, leaving out bad rows leaves out none and writes the same bytes. The
 * hash of an input says in which of the two ways it is imported: one in 16 in both; what one in four wrote
 * is read again. Seeds go through all.
 *
 * The map comes first, then the table, then the file of contexts if there is one. A table that
 * begins with a brace or a bracket is JSON, one with a tab is tab-separated; how repeats are taken rotates. */
#include <string.h>

#include "import/importer.h"
#include "pools.h"
#include "support.h"

static int reads_back; /* 1: what the present input's imports write is read again */

static int import(struct regret_table_report *report, char digest[33], const char *table,
                  const char *map, const char *out, const struct regret_table_options *options)
{
    memset(report, 0, sizeof *report);
    if (!fuzz_taken(regret_import_table(report, table, map, out, options, 1))) {
        return 0;
    }
    REQUIRE(report->rows == report->other_agent + report->bad + report->unscored +
                                report->repeated + report->rated + report->outputs);
    REQUIRE(report->pairs <= report->outputs && report->empty <= report->outputs);
    if (reads_back) {
        fuzz_check_imported(digest, out, report->contexts, report->agents, report->outputs);
    }
    return 1;
}

static void check(const char *table, const char *map, const struct regret_table_options *options,
                  enum fuzz_ways ways)
{
    struct regret_table_report strict, lenient;
    char strict_digest[33] = "", lenient_digest[33] = "";
    size_t notes = 0;
    int taken = (ways & FUZZ_STRICT) != 0 &&
                import(&strict, strict_digest, table, map, fuzz_path("strict"), options);
    struct regret_table_options skipping = *options;
    skipping.skip_bad = 1;
    skipping.note = fuzz_count_note;
    skipping.note_context = &notes;
    int taken_leniently = (ways & FUZZ_LENIENT) != 0 && import(&lenient, lenient_digest, table, map,
                                                               fuzz_path("lenient"), &skipping);
    REQUIRE(!taken_leniently || notes == lenient.bad);
    if (taken && ways == FUZZ_BOTH) {
        REQUIRE(taken_leniently && lenient.bad == 0 && lenient.outputs == strict.outputs);
        REQUIRE(strcmp(strict_digest, lenient_digest) == 0);
    }
    fuzz_accepted = taken;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    reads_back = fuzz_turn(data, size, 4);
    struct fuzz_part parts[FUZZ_MAX_PARTS];
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    fuzz_split(parts, data, size);
    if (parts[1].length > 0 && (parts[1].text[0] == '{' || parts[1].text[0] == '[')) {
        options.layout = REGRET_TABLE_LAYOUT_JSONL;
    } else if (memchr(parts[1].text, '\t', parts[1].length) != NULL) {
        options.separator = '\t';
    }
    /* The map's length, so that a seed can choose by a blank at its end. */
    options.repeats = (enum regret_repeats)(parts[0].length % (REGRET_REPEATS_DRAWS + 1));
    static const char *const few[] = {"[a-m]*", "M*"};
    options.agents = few; /* of one input in seven */
    options.n_agents = parts[0].length % 7 == 3 ? 2 : 0;
    options.drop_unscored = (int)(parts[1].length % 2); /* and the table's, likewise */
    const char *map = fuzz_put_part("map.json", parts[0]);
    const char *table = fuzz_put_part("table", parts[1]);
    if (parts[2].length > 0) {
        options.contexts_path = fuzz_put_part("contexts", parts[2]);
    }
    check(table, map, &options, fuzz_ways_of(data, size));
    fuzz_parts_free(parts);
    return 0;
}
