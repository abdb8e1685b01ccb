/* Guesses about tables: where one is made, the configuration that follows from it is one, and so is the map, by which
 * the table imports or is turned down for what its rows say. One input in two is imported, and each seed. */
#include <string.h>

#include "import/guess.h"
#include "import/importer.h"
#include "pools.h"
#include "regret/experiment.h"
#include "support.h"

static void check_config(const struct table_guess *g)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    struct regret_run_plan *plan = NULL;
    table_guess_config(&text, g);
    REQUIRE(regret_buffer_status(&text) == 0);
    const char *path = fuzz_put("config.json", regret_buffer_get(&text), text.length);
    REQUIRE(regret_run_plan_read(&plan, path, NULL, 0) == 0);
    regret_run_plan_free(plan);
    regret_buffer_free(&text);
}

/* What is said of the guess, and the options of import, are text that a terminal may be shown. */
static void check_words(const struct table_guess *g)
{
    struct regret_buffer said = REGRET_BUFFER_INIT;
    table_guess_explain(&said, g);
    table_guess_options(&said, g);
    REQUIRE(regret_buffer_status(&said) == 0);
    for (size_t i = 0; i < said.length; i++) {
        unsigned char c = (unsigned char)said.data[i];
        REQUIRE(c == '\n' || (c >= ' ' && c != 0x7f));
    }
    regret_buffer_free(&said);
}

static void check_map(const struct table_guess *g, const char *table, int may_import)
{
    struct regret_buffer text = REGRET_BUFFER_INIT;
    struct regret_table_report report = {0};
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    char digest[33];
    options.layout = g->is_json ? REGRET_TABLE_LAYOUT_JSONL : REGRET_TABLE_LAYOUT_CSV;
    options.separator = g->is_json ? ',' : g->separator;
    options.repeats = REGRET_REPEATS_DRAWS;
    options.skip_bad = 1;
    table_guess_map(&text, g, "table");
    REQUIRE(regret_buffer_status(&text) == 0);
    const char *map = fuzz_put("map.json", regret_buffer_get(&text), text.length);
    if (may_import) {
        const char *out = fuzz_path("pool");
        int taken = fuzz_taken(regret_import_table(&report, table, map, out, &options, 1));
        REQUIRE(taken || strstr(regret_error_message(), "map.json") == NULL);
        if (taken) {
            REQUIRE(report.agents <= g->agents || g->profile.cut);
            fuzz_check_imported(digest, out, report.contexts, report.agents, report.outputs);
        }
    }
    regret_buffer_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct table_guess g;
    const char *table = fuzz_put("table", (const char *)data, size);
    fuzz_accepted = fuzz_taken(table_guess_make(&g, table, &(struct guess_known){0}));
    if (fuzz_accepted) {
        check_words(&g);
        check_config(&g);
        check_map(&g, table, fuzz_turn(data, size, 2));
    }
    table_guess_free(&g);
    return 0;
}
