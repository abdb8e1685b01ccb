/* regret pool votes: how strong agents are by the votes of a pool. */
#include <math.h>
#include <stdlib.h>

#include "base/core/try.h"
#include "cli/pools/cmd_pool.h"
#include "cli/terminal/find.h"
#include "regret/alloc.h"
#include "regret/bradley_terry.h"
#include "report/render/table.h"

FREED_POINTER(struct regret_bradley_terry, regret_bradley_terry_free)

/* Fewer prompts tell nobody apart, as with contexts elsewhere. */
enum { FEW_PROMPTS = 10 };

struct strengths {
    const struct regret_pool *pool;
    struct regret_votes *votes;
    const char **names;
    struct regret_bradley_terry_options options;
};

/* An agent by its place in the table: the strongest first, ties by number. */
struct place {
    double value;
    size_t agent;
};

static int by_strength(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    if (a->value != b->value) {
        return a->value > b->value ? -1 : 1;
    }
    return (a->agent > b->agent) - (a->agent < b->agent);
}

static void put_agent(struct table *t, const char *name, const struct regret_strength *s)
{
    table_row(t, "%s", name);
    table_number(t, s->votes, 0);
    table_number(t, s->wins, 1);
    table_number(t, s->value, 3);
    table_number(t, s->low, 3);
    table_number(t, s->high, 3);
    table_number(t, (double)s->rank_high, 0);
    table_number(t, (double)s->rank_low, 0);
    table_number(t, s->beta, 4);
    table_number(t, s->se, 4);
}

/* Whom it helps most, and whom it hurts most. */
static void note_position(struct table *t, const struct strengths *s,
                          const struct regret_bradley_terry *fit, const char *heading)
{
    size_t most = 0, least = 0;
    for (size_t a = 1; a < fit->n_agents; a++) {
        most = fit->moved[a] > fit->moved[most] ? a : most;
        least = fit->moved[a] < fit->moved[least] ? a : least;
    }
    if (!(fit->known_order > 0.0)) {
        table_note(t, "%s: who was shown first is not known; if that sways votes, so are values.",
                   heading);
    } else if (isnan(fit->position)) {
        table_note(t,
                   "%s: no two agents were shown in both orders, so that what the order does to "
                   "votes cannot be told from what agents are worth.",
                   heading);
    } else {
        table_note(t,
                   "%s: being shown first adds %+.2f (95 %%: %+.2f to %+.2f) to the log odds of "
                   "winning%s; values are without it. It has moved what %s has won by %+.3f, and "
                   "what %s has by %+.3f.",
                   heading, fit->position, fit->position_low, fit->position_high,
                   fit->position_p < 0.05 ? ": votes depend on the order" : "", s->names[most],
                   fit->moved[most], s->names[least], fit->moved[least]);
    }
}

static int put_fit(struct table *t, const struct strengths *s,
                   const struct regret_bradley_terry *fit, const char *heading)
{
    static const char *const HEADS[] = {"agent", "votes",     "won",     "value", "low",
                                        "high",  "rank from", "rank to", "theta", "se"};
    struct place *place = NULL;
    size_t n = 0;
    TRY(REGRET_NEW(&place, fit->n_agents));
    table_block(t, "%s: %.0f votes on %zu prompts%s", heading, fit->votes, fit->n_clusters,
                fit->n_clusters < FEW_PROMPTS ? ", too few" : "");
    table_columns(t, HEADS, sizeof HEADS / sizeof *HEADS);
    for (size_t a = 0; a < fit->n_agents; a++) {
        if (fit->agents[a].votes > 0.0) {
            place[n++] = (struct place){fit->agents[a].value, a};
        }
    }
    qsort(place, n, sizeof *place, by_strength);
    for (size_t i = 0; i < n; i++) {
        put_agent(t, s->names[place[i].agent], &fit->agents[place[i].agent]);
    }
    regret_free(place);
    note_position(t, s, fit, heading);
    if (fit->n_clusters < FEW_PROMPTS) {
        table_note(t, "%s: %zu prompts are too few to tell agents apart (%d are the least).",
                   heading, fit->n_clusters, (int)FEW_PROMPTS);
    }
    return REGRET_OK;
}

/* The votes of one tag; where they cannot be compared a note says why. */
static int put_tag(struct table *t, const struct strengths *s, uint32_t kind)
{
    struct regret_bradley_terry_options options = s->options;
    struct regret_bradley_terry *fit = NULL;
    const char *name = s->votes->tags[kind].name;
    options.kind = kind;
    int rc = regret_bradley_terry_fit(&fit, s->votes, s->names, &options);
    if (rc == REGRET_E_INPUT) {
        table_note(t, "%s: %s.", name != NULL ? name : "without a tag", regret_error_message());
        return REGRET_OK;
    }
    TRY(rc);
    rc = put_fit(t, s, fit, name != NULL ? name : "without a tag");
    regret_bradley_terry_free(fit);
    return rc;
}

static int put_all(struct table *t, const struct strengths *s)
{
    FREED_BY(regret_bradley_terry_free_at) struct regret_bradley_terry *fit = NULL;
    TRY(regret_bradley_terry_fit(&fit, s->votes, s->names, &s->options));
    table_begin(t, "votes", "Values of the agents by votes%s",
                s->pool->synthetic ? " (SYNTHETIC)" : "");
    TRY(put_fit(t, s, fit, "all"));
    for (size_t k = 0; k < s->votes->n_tags; k++) {
        TRY(put_tag(t, s, (uint32_t)k));
    }
    table_note(
        t,
        "Bradley and Terry's model, ties as half wins, ridge %g. Value is the chance that an "
        "answer "
        "is preferred to that of another of these agents, drawn uniformly, as if all had met as "
        "often; won counts votes against whom the agent has met. Intervals (95 %%) of the "
        "likelihood, by prompts; rank from and to: what it leaves open, two agents at a time.",
        s->options.ridge);
    return table_check(t);
}

static int print_votes(struct regret_buffer *out, const char *path,
                       const struct regret_bradley_terry_options *options,
                       enum regret_format format)
{
    struct regret_pool *pool = NULL;
    struct strengths s = {.options = *options};
    struct table t = {0};
    int rc;
    TRY_CLEANUP(regret_pool_read(&pool, path));
    s.pool = pool;
    TRY_CLEANUP(regret_votes_of_pool(&s.votes, pool));
    TRY_CLEANUP(REGRET_NEW(&s.names, pool->n_agents));
    for (size_t a = 0; a < pool->n_agents; a++) {
        s.names[a] = regret_agent_name(&pool->agents[a]);
    }
    TRY_CLEANUP(put_all(&t, &s));
    rc = render(out, &t, format);
cleanup:
    table_free(&t);
    regret_votes_free(s.votes);
    regret_free(s.names);
    regret_pool_free(pool);
    return rc == REGRET_E_INPUT ? regret_fail_prefix(rc, "%s", path) : rc;
}

int cmd_pool_votes(const struct cli_command *self, int argc, char **argv)
{
    struct regret_bradley_terry_options o = REGRET_BRADLEY_TERRY_OPTIONS_INIT;
    const char *word = NULL;
    int safe_csv = 0, json = 0;
    const struct cli_option options[] = {
        {"format", 'f', CLI_STRING, &word, "text|md|csv|tex|html|json",
         "of the table (default text)", 0, 0},
        CLI_JSON(json),
        {"ridge", 0, CLI_DOUBLE, &o.ridge, "NUMBER",
         "penalty on squared strengths (default 0.01; 0: none)", 0, 1e6},
        CLI_SAFE_CSV(safe_csv),
        {0}};
    struct cli_arguments rest;
    struct regret_buffer text = REGRET_BUFFER_INIT;
    enum regret_format format = REGRET_FORMAT_TEXT;
    char storage[FIND_PATH_SIZE];
    int code = 0;
    if (cli_parse(&rest, &code, self, options, 1, 1, argc, argv)) {
        return code;
    }
    word = cli_format(word, json);
    const char *path = word != NULL ? find_pool(storage, rest.items[0]) : NULL;
    if (path == NULL) {
        return CLI_USAGE;
    }
    int rc;
    TRY_CLEANUP(regret_format_parse(&format, word));
    rc = print_votes(&text, path, &o, format);
cleanup:
    return cli_print_csv(&text, rc, safe_csv && format == REGRET_FORMAT_CSV);
}
