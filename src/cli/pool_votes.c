/* `pool votes` and `pool agreement`. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "cli/internal.h"
#include "pool/agreement.h"
#include "regret/status.h"
#include "report/table.h"
#include "value/strength.h"

/* regret pool agreement: how well raters that are components of a pool agree. */

FREED_POINTER(struct regret_pool, regret_pool_free)

enum { RESAMPLES = 1000, SEED = 1 };
static const double LEVEL = 0.95;

/* The components of these names; of none, all. */
static int find_raters(size_t *out, size_t *n, const struct regret_pool *pool,
                       const char *const *names, size_t n_names)
{
    const char *known[REGRET_POOL_MAX_COMPONENTS];
    for (size_t k = 0; k < pool->n_components; k++) {
        known[k] = pool->components[k].name;
        out[k] = k;
    }
    *n = n_names > 0 ? n_names : pool->n_components;
    for (size_t i = 0; i < n_names; i++) {
        for (out[i] = 0; out[i] < pool->n_components && strcmp(known[out[i]], names[i]) != 0;
             out[i]++) {
        }
        TRY(out[i] < pool->n_components
                ? REGRET_OK
                : name_unknown("component", names[i], known, pool->n_components));
    }
    return REGRET_OK;
}

/* How high and how far apart each rates. */
static void put_raters(struct table *t, const struct regret_pool *pool,
                       const struct regret_ratings *r, const size_t *rater)
{
    static const char *const HEADS[] = {"rater", "mean", "less all"};
    double mean[REGRET_POOL_MAX_COMPONENTS], all = 0.0;
    table_block(t, "raters, from 0 to 1");
    table_columns(t, HEADS, sizeof HEADS / sizeof *HEADS);
    for (size_t j = 0; j < r->n_raters; j++) {
        mean[j] = 0.0;
        for (size_t i = 0; i < r->n_units; i++) {
            mean[j] += r->rating[i * r->n_raters + j] / (double)r->n_units;
        }
        all += mean[j] / (double)r->n_raters;
    }
    for (size_t j = 0; j < r->n_raters; j++) {
        table_row(t, "%s", pool->components[rater[j]].name);
        table_number(t, mean[j], 3);
        table_number(t, mean[j] - all, 3);
    }
}

static int put_agreement(struct table *t, const struct regret_pool *pool,
                         const struct regret_ratings *r, const size_t *rater)
{
    static const char *const HEADS[] = {"measure", "value", "low", "high"};
    struct regret_agreement found[REGRET_AGREEMENTS];
    TRY(regret_agreement_measure(found, r, RESAMPLES, SEED, LEVEL));
    table_begin(t, "agreement", "Agreement of %zu raters on %zu outputs%s", r->n_raters, r->n_units,
                pool->synthetic ? " (SYNTHETIC)" : "");
    table_block(t, "agreement");
    table_columns(t, HEADS, sizeof HEADS / sizeof *HEADS);
    for (size_t k = 0; k < REGRET_AGREEMENTS; k++) {
        table_row(t, "%s", regret_agreement_name(k));
        table_number(t, found[k].value, 3);
        table_number(t, found[k].low, 3);
        table_number(t, found[k].high, 3);
    }
    put_raters(t, pool, r, rater);
    table_note(
        t,
        "1: they say the same; 0: what chance gives. Krippendorff's alpha, and intraclass "
        "correlations of absolute agreement (Shrout and Fleiss): of one rater, and of the mean "
        "of the %zu. Intervals (95 %%) by drawing the %zu contexts again, %d times.",
        r->n_raters, r->n_clusters, RESAMPLES);
    return table_check(t);
}

static int make_agreement(struct regret_buffer *out, const struct pool_view *view, const char *path)
{
    FREED_BY(regret_pool_free_at) struct regret_pool *pool = NULL;
    FREED_BY(regret_ratings_free) struct regret_ratings ratings = {0};
    FREED_BY(table_free) struct table t = {0};
    size_t rater[REGRET_POOL_MAX_COMPONENTS], n = 0;
    TRY(regret_pool_read(&pool, path));
    TRY(find_raters(rater, &n, pool, view->words.items + 1, view->words.count - 1));
    TRY(regret_ratings_of_pool(&ratings, pool, rater, n));
    TRY(put_agreement(&t, pool, &ratings, rater));
    return render(out, &t, view->format);
}

int cmd_pool_agreement(const struct cli_command *self, int argc, char **argv)
{
    struct pool_view view = {.make = make_agreement};
    const struct cli_option options[] = {POOL_VIEW_OPTIONS(view), {0}};
    return pool_view_print(&view, self, options, 1 + REGRET_POOL_MAX_COMPONENTS, argc, argv);
}

/* regret pool votes: how strong agents are by the votes of a pool. */

FREED_POINTER(struct regret_bradley_terry, regret_bradley_terry_free)
FREED_POINTER(struct regret_votes, regret_votes_free)

/* Fewer prompts tell nobody apart, as with contexts elsewhere. */
enum { FEW_PROMPTS = 10 };

struct strengths {
    const struct regret_pool *pool;
    const struct regret_votes *votes;
    const char *const *names;
    const struct regret_bradley_terry_options *options;
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
    struct regret_bradley_terry_options options = *s->options;
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
    TRY(regret_bradley_terry_fit(&fit, s->votes, s->names, s->options));
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
        s->options->ridge);
    return table_check(t);
}

static int make_votes(struct regret_buffer *out, const struct pool_view *view, const char *path)
{
    FREED_BY(regret_pool_free_at) struct regret_pool *pool = NULL;
    FREED_BY(regret_votes_free_at) struct regret_votes *votes = NULL;
    FREED const char **names = NULL;
    FREED_BY(table_free) struct table t = {0};
    TRY(regret_pool_read(&pool, path));
    TRY(regret_votes_of_pool(&votes, pool));
    TRY(REGRET_NEW(&names, pool->n_agents));
    for (size_t a = 0; a < pool->n_agents; a++) {
        names[a] = regret_agent_name(&pool->agents[a]);
    }
    const struct strengths s = {pool, votes, names, view->options};
    TRY(put_all(&t, &s));
    return render(out, &t, view->format);
}

static int votes_of(struct regret_buffer *out, const struct pool_view *view, const char *path)
{
    int rc = make_votes(out, view, path);
    return rc == REGRET_E_INPUT ? regret_fail_prefix(rc, "%s", path) : rc;
}

int cmd_pool_votes(const struct cli_command *self, int argc, char **argv)
{
    struct regret_bradley_terry_options o = REGRET_BRADLEY_TERRY_OPTIONS_INIT;
    struct pool_view view = {.make = votes_of, .options = &o};
    const struct cli_option options[] = {POOL_VIEW_OPTIONS(view),
                                         {"ridge", 0, CLI_DOUBLE, &o.ridge, "NUMBER",
                                          "penalty on squared strengths (default 0.01; 0: none)", 0,
                                          1e6},
                                         {0}};
    return pool_view_print(&view, self, options, 1, argc, argv);
}
