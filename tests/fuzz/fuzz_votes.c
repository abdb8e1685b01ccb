/* Tables of votes: every row is a vote that counts or is left out with a count, the pool has two outputs a context whose
 * outcomes are the shares of one another, and strengths are finite and in order, or refused with a word.
 *
 * The map comes first, then the table; a table that begins with a brace or a bracket is JSON. What is left out changes with the
 * length of the map, so that a seed can choose by blanks at its end. */
#include <math.h>

#include "import/importer.h"
#include "pools.h"
#include "support.h"
#include "value/strength.h"

static void check_strengths(const struct regret_pool *pool)
{
    struct regret_bradley_terry_options options = REGRET_BRADLEY_TERRY_OPTIONS_INIT;
    struct regret_votes *votes = NULL;
    struct regret_bradley_terry *fit = NULL;
    const char *names[REGRET_POOL_MAX_AGENTS];
    double won = 0.0;
    REQUIRE(regret_votes_of_pool(&votes, pool) == 0);
    for (size_t a = 0; a < pool->n_agents; a++) {
        names[a] = pool->agents[a].id;
    }
    if (fuzz_taken(regret_bradley_terry_fit(&fit, votes, names, &options))) {
        for (size_t a = 0; a < fit->n_agents; a++) {
            const struct regret_strength *s = &fit->agents[a];
            REQUIRE(s->votes >= 0.0 && s->wins >= 0.0 && s->wins <= s->votes + 1e-9);
            REQUIRE(s->votes == 0.0 || (isfinite(s->beta) && isfinite(s->se) && s->se > 0.0));
            REQUIRE(s->votes == 0.0 ||
                    (s->low <= s->value && s->value <= s->high && s->low >= 0.0 && s->high <= 1.0 &&
                     s->rank_high <= s->rank_low));
            won += s->wins;
        }
        REQUIRE(fabs(won - fit->votes) <= 1e-6 * fit->votes); /* who wins has a loser */
    }
    regret_bradley_terry_free(fit);
    regret_votes_free(votes);
}

static void check_pool(const struct regret_table_report *r)
{
    struct regret_pool *pool = fuzz_read_pool(fuzz_path("pool"));
    REQUIRE(pool->n_contexts == r->contexts && pool->n_outputs == 2 * r->contexts);
    for (size_t i = 0; i < pool->n_outputs; i += 2) {
        const struct regret_output *o = &pool->outputs[i];
        REQUIRE(o[0].context == o[1].context && o[0].agent != o[1].agent);
        REQUIRE(o[0].values[0] >= 0.0 && o[0].values[0] + o[1].values[0] == 1.0);
        REQUIRE(o[0].values[1] == o[1].values[1] && o[0].values[1] >= 1.0);
    }
    check_strengths(pool);
    regret_pool_free(pool);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_part parts[FUZZ_MAX_PARTS];
    struct regret_table_options options = REGRET_TABLE_OPTIONS_INIT;
    struct regret_table_report r = {0};
    size_t notes = 0;
    fuzz_split(parts, data, size);
    int is_json = parts[1].length > 0 && (parts[1].text[0] == '{' || parts[1].text[0] == '[');
    options.layout = is_json ? REGRET_TABLE_LAYOUT_JSONL : REGRET_TABLE_LAYOUT_CSV;
    options.drop_unscored = (int)(parts[0].length % 2);
    options.skip_bad = (int)(parts[0].length / 2 % 2);
    options.note = fuzz_count_note;
    options.note_context = &notes;
    const char *map = fuzz_put_part("map.json", parts[0]);
    const char *table = fuzz_put_part("table", parts[1]);
    fuzz_accepted = fuzz_taken(regret_import_table(&r, table, map, fuzz_path("pool"), &options, 1));
    if (fuzz_accepted && r.is_of_votes) {
        REQUIRE(notes == r.bad);
        REQUIRE(r.rows ==
                r.bad + r.unscored + r.same_agent + r.dropped_bad + r.averaged + r.contexts);
        REQUIRE(r.outputs == 2 * r.contexts && r.ties <= r.averaged + r.contexts);
        check_pool(&r);
    }
    fuzz_parts_free(parts);
    return 0;
}
