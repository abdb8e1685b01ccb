#include "report/cautions.h"

#include <cJSON.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "regret/buffer.h"
#include "regret/results.h"
#include "regret/status.h"
#include "report/leaks.h"
#include "report/lists.h"
#include "report/slice.h"
#include "report/table.h"
#include "value/strength.h"

enum { MOST_NAMED = 3 };

/* Marks the agents of the grid that no chain of votes, each won or tied, leads to from `agent`, nor back from: which of the
 * two is better is not in the votes, whatever a model says. *n: how many; all are 0 where the run is not of votes. */
static int apart_mark(unsigned char **out, size_t *n, const struct regret_run_grid *g, size_t agent)
{
    FREED unsigned char *mark = NULL, *won = NULL, *back = NULL;
    FREED uint32_t *queue = NULL;
    *n = 0;
    TRY(REGRET_NEW(&mark, g->n_agents));
    TRY(REGRET_NEW(&back, g->n_agents));
    TRY(REGRET_NEW(&queue, g->n_agents));
    TRY(REGRET_NEW(&won, g->n_agents * g->n_agents));
    for (size_t i = 0; i < g->n_won; i++) {
        won[g->won[i][0] * g->n_agents + g->won[i][1]] = 1;
    }
    chains_reach(mark, queue, won, g->n_agents, (uint32_t)agent, 0);
    chains_reach(back, queue, won, g->n_agents, (uint32_t)agent, 1);
    for (size_t a = 0; a < g->n_agents; a++) {
        mark[a] = g->won != NULL && !mark[a] && !back[a];
        *n += mark[a];
    }
    *out = mark;
    mark = NULL;
    return REGRET_OK;
}

/* Appends up to three of the names that are marked, and how many more there are. */
static void apart_names(struct regret_buffer *out, const struct regret_run_grid *g,
                        const unsigned char *mark)
{
    size_t n = 0;
    for (size_t a = 0; a < g->n_agents; a++) {
        if (mark[a] && n++ < MOST_NAMED) {
            regret_buffer_printf(out, "%s%s", n > 1 ? ", " : "", g->agents[a]);
        }
    }
    if (n > MOST_NAMED) {
        regret_buffer_printf(out, " and %zu more", n - MOST_NAMED);
    }
}

/* The agent that most others are apart from stands for all. */
static int say_of_grid(struct regret_buffer *out, const struct regret_run_grid *g)
{
    struct regret_buffer names = REGRET_BUFFER_INIT;
    size_t pairs = 0, most = 0, which = 0;
    int rc = REGRET_OK;
    for (size_t a = 0; a < g->n_agents; a++) {
        unsigned char *mark = NULL;
        size_t n = 0;
        TRY_CLEANUP(apart_mark(&mark, &n, g, a));
        if (n > most) {
            most = n;
            which = a;
            regret_buffer_clear(&names);
            apart_names(&names, g, mark);
        }
        pairs += n;
        regret_free(mark);
    }
    if (pairs > 0) {
        regret_buffer_printf(out,
                             "The order of %zu of %zu pairs of agents is not in the votes, as of "
                             "%s against %s: no chain of votes, won or tied, leads from one to the "
                             "other.",
                             pairs / 2, g->n_agents * (g->n_agents - 1) / 2, g->agents[which],
                             regret_buffer_get(&names));
    }
cleanup:
    regret_buffer_free_into(out, &names);
    return rc;
}

/* The caution: how many pairs of agents are so. */
/* Of the first grid that has any. */
static void apart_say(struct regret_buffer *out, const struct regret_results *r)
{
    size_t i = 0;
    while (i < r->n_grids && r->grids[i].won == NULL) {
        i++;
    }
    if (i < r->n_grids) {
        regret_buffer_fail(out, say_of_grid(out, &r->grids[i]));
    }
}

enum { CONSTANT_AGENTS_MOST_TOLD = 3 }; /* agents, each in two sentences */

/* The share of held-out contexts, over all replicates, for which the subject chose the agent; -1 where
 * its rows hold no choices. */
static double share_of(const struct regret_results *r, size_t subject, size_t agent)
{
    double chosen = 0.0, all = 0.0;
    for (size_t i = 0; i < r->n_cells * r->n_seeds; i++) {
        struct regret_list_view choice =
            regret_results_list(r, REGRET_LIST_CHOICE, subject, i % r->n_cells, i / r->n_cells);
        for (size_t k = 0; k < choice.n; k++) {
            chosen += choice.number[k] == (double)agent;
            all += 1.0;
        }
    }
    return all > 0.0 ? chosen / all : -1.0;
}

/* Of the families that are ranked, those that choose the agent least and most often. */
static void say_families(struct regret_buffer *out, const struct regret_results *r, size_t agent)
{
    double least = 2.0, most = -1.0;
    size_t rarest = REGRET_NO_ROW, keenest = REGRET_NO_ROW;
    for (size_t f = 0; f < r->n_families; f++) {
        double share = family_is_ranked(r, f) ? share_of(r, f, agent) : -1.0;
        if (share >= 0.0 && share < least) {
            least = share;
            rarest = f;
        }
        if (share > most) {
            most = share;
            keenest = f;
        }
    }
    if (rarest == REGRET_NO_ROW || keenest == REGRET_NO_ROW) {
        return;
    }
    regret_buffer_printf(out, ", and recommended for %.1f %% (%s)", 100.0 * least,
                         r->subjects[rarest].name);
    if (most > least) {
        regret_buffer_printf(out, " to %.1f %% (%s)", 100.0 * most, r->subjects[keenest].name);
    }
}

static int is_constant(const struct regret_results *r, size_t agent)
{
    size_t g = 0;
    while (g < r->n_grids && r->grids[g].constant != NULL && r->grids[g].constant[agent]) {
        g++;
    }
    return r->n_grids > 0 && g == r->n_grids;
}

static size_t count_constant(const struct regret_results *r, size_t n_agents)
{
    size_t n = 0;
    for (size_t a = 0; a < n_agents; a++) {
        n += (size_t)is_constant(r, a);
    }
    return n;
}

/* Appends sentences about three at most: for how many held-out contexts it is the best, and for how many the
 * families recommend it; how many more there are; or one where all are so. Nothing where there is none, or where the
 * rows hold no lists. */
static void constant_agents_describe(struct regret_buffer *out, const struct regret_results *r)
{
    size_t oracle = lists_oracle(r), agents = r->n_grids > 0 ? r->grids[0].n_agents : 0;
    size_t constant = oracle != REGRET_NO_ROW ? count_constant(r, agents) : 0, told = 0;
    if (constant > 1 && constant == agents) {
        regret_buffer_printf(out,
                             "Each of the %zu agents gives one text to every context, as where the "
                             "pool has no outputs: all that is learnt of an output is whose it is.",
                             agents);
        return;
    }
    for (size_t a = 0; told < constant && told < CONSTANT_AGENTS_MOST_TOLD; a++) {
        if (!is_constant(r, a)) {
            continue;
        }
        regret_buffer_printf(
            out,
            "%s%s gives one text to every context, whatever is asked. By the scores "
            "it is the best agent for %.1f %% of the held-out contexts",
            told > 0 ? " " : "", r->grids[0].agents[a], 100.0 * share_of(r, oracle, a));
        say_families(out, r, a);
        regret_buffer_append(out, ".");
        told++;
    }
    if (told < constant) {
        regret_buffer_printf(out, " So do %zu more of the %zu agents.", constant - told, agents);
    }
}

/* What a grid with holes means for the conclusions. */

static const double MANY = 0.1, FULL = 0.9; /* of the pairs */

/* What is left out for missing outputs is of the pool only where no other contexts were. */
static int holds_all_contexts(const struct regret_run_facts *run)
{
    const cJSON *hard = cJSON_GetObjectItemCaseSensitive(run->config, "contexts.hard");
    return cJSON_IsNumber(hard) && hard->valuedouble == 0.0;
}

/* Appends " NAME has outputs of 20 of 80 contexts: …" of at most three agents that are seen on few. */
/* Of a grid with pairs that nobody observed, agents seen on less than half as many contexts as the one that is seen on most:
 * what they are worth is of those contexts. */
static void say_partial_agents(struct regret_buffer *out, const struct regret_results *r)
{
    enum { MOST_TOLD = 3 };
    const struct regret_run_grid *grid = r->n_grids > 0 ? &r->grids[r->cell_grid[0]] : NULL;
    const struct regret_run_means *m = r->n_means > 0 ? &r->means[r->cell_means[0]] : NULL;
    double most = 0.0;
    size_t told = 0, partial = 0;
    if (grid == NULL || m == NULL || m->n_agents != grid->n_agents || r->run.observed < 0) {
        return;
    }
    for (size_t a = 0; a < m->n_agents; a++) {
        most = m->n[a] > most ? m->n[a] : most;
    }
    for (size_t a = 0; a < m->n_agents; a++) {
        partial += 2.0 * m->n[a] < most;
    }
    for (size_t a = 0; a < m->n_agents && told < MOST_TOLD; a++) {
        if (2.0 * m->n[a] < most) {
            regret_buffer_printf(out, "%s%s has outputs of %.0f", told > 0 ? ", " : " ",
                                 grid->agents[a], m->n[a]);
            told++;
        }
    }
    if (partial > 0) {
        regret_buffer_append(out, partial > told ? ", and others of few" : "");
        regret_buffer_printf(out,
                             " of %zu contexts: what is said of an agent is of those it was seen "
                             "on, and need not hold for the rest.",
                             grid->n_contexts);
    }
}

/* Appends a sentence where a tenth of the grid or more is outputs that are missing and count as 0, or are unobserved, or
 * where it holds less than nine tenths of the pool's pairs; nothing else. */
static void grid_caution(struct regret_buffer *out, const struct regret_run_facts *run)
{
    if (run->contexts <= 0 || run->agents <= 0) {
        return;
    }
    double pairs = (double)run->contexts * (double)run->agents;
    double imputed = run->imputed > 0 ? (double)run->imputed / pairs : 0.0;
    long long contexts = run->contexts + (run->dropped_contexts > 0 ? run->dropped_contexts : 0);
    long long agents = run->agents + (run->dropped_agents > 0 ? run->dropped_agents : 0);
    double kept = pairs / ((double)contexts * (double)agents);
    if (run->observed >= 0 && (double)run->observed < FULL * pairs) {
        regret_buffer_printf(
            out,
            "%.2g %% of the grid's pairs of context and agent are observed (grid.policy): regret "
            "is what is lost against the best of those, on the %lld of %lld contexts with two; "
            "what is recommended of all agents is valued by policy_dr of results.csv, which takes "
            "an agent's missing outputs to be missing at random, and the choice not to depend on "
            "them.",
            100.0 * (double)run->observed / pairs, run->comparable, run->contexts);
    } else if (imputed >= MANY) {
        regret_buffer_printf(
            out,
            "%.1f %% of the grid's pairs of context and agent have no output and count as 0 "
            "(grid.policy): to recommend well is then to find agents that have one.",
            100.0 * imputed);
    } else if (kept < 1.0 - MANY && holds_all_contexts(run)) {
        regret_buffer_printf(
            out,
            "The grid holds %.2g %% of the pool's pairs of context and agent, those "
            "of %lld of %lld contexts and %lld of %lld agents, since outputs are "
            "missing (grid.policy): what holds there need not hold for the rest.",
            100.0 * kept, run->contexts, contexts, run->agents, agents);
    }
}

/* In one grid, by marking them in `held`. */
static size_t count_in_grid(unsigned char *held, const struct regret_results *r, size_t oracle,
                            size_t grid)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n_cells * r->n_seeds; i++) {
        size_t cell = i % r->n_cells;
        struct regret_list_view x = {NULL, 0};
        if (r->cell_grid[cell] == grid) {
            x = regret_results_list(r, REGRET_LIST_CONTEXT, oracle, cell, i / r->n_cells);
        }
        for (size_t k = 0; k < x.n; k++) {
            unsigned char *mark = &held[(size_t)x.number[k]];
            n += !*mark;
            *mark = 1;
        }
    }
    return n;
}

/* *least: contexts that any replicate held out; REGRET_NO_ROW where the rows do not say. */
static int count_held_out(size_t *least, const struct regret_results *r)
{
    size_t oracle = lists_oracle(r);
    *least = REGRET_NO_ROW;
    for (size_t g = 0; g < r->n_grids && oracle != REGRET_NO_ROW; g++) {
        unsigned char *held = NULL;
        TRY(REGRET_NEW(&held, r->grids[g].n_contexts));
        size_t n = count_in_grid(held, r, oracle, g);
        *least = n < *least ? n : *least;
        regret_free(held);
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- the sentences */

static void say_synthetic(struct regret_buffer *out, const struct regret_results *r)
{
    if (r->run.synthetic) {
        regret_buffer_printf(out, "%s %s", head_synthetic, head_not_real);
    }
}

static void say_gaps(struct regret_buffer *out, const struct regret_results *r)
{
    regret_buffer_append(out, r->gaps != NULL ? r->gaps : "");
}

static void say_unmade(struct regret_buffer *out, const struct regret_results *r)
{
    regret_buffer_append(out, r->unmade != NULL ? r->unmade : "");
}

static void say_grid(struct regret_buffer *out, const struct regret_results *r)
{
    grid_caution(out, &r->run);
    say_partial_agents(out, r);
}

static void say_contexts(struct regret_buffer *out, const struct regret_results *r)
{
    size_t n;
    regret_buffer_fail(out, count_held_out(&n, r));
    if (n < FEW_CONTEXTS) {
        regret_buffer_printf(out,
                             "No more than %zu context%s held out: intervals over seeds speak of "
                             "redraws from these, and of new requests nothing is known (%d are "
                             "the least).",
                             n, n == 1 ? " was" : "s were", (int)FEW_CONTEXTS);
    }
}

static void say_seeds(struct regret_buffer *out, const struct regret_results *r)
{
    if (r->n_seeds < FEW_SEEDS) {
        regret_buffer_printf(out,
                             "%zu seed%s: intervals over so few are not to be trusted (%d are "
                             "the least).",
                             r->n_seeds, r->n_seeds == 1 ? "" : "s", (int)FEW_SEEDS);
    }
}

static void say_spread(struct regret_buffer *out, const struct regret_results *r)
{
    struct regret_buffer words = REGRET_BUFFER_INIT;
    head_changed_scores(&words, r);
    if (words.length > 0) {
        regret_buffer_printf(out, "The scores are %s.", regret_buffer_get(&words));
    }
    regret_buffer_free_into(out, &words);
}

typedef void say(struct regret_buffer *out, const struct regret_results *r);

void caution_say(struct regret_buffer *out, enum caution kind, const struct regret_results *r)
{
    static say *const sentences[N_CAUTIONS] = {[CAUTION_SYNTHETIC] = say_synthetic,
                                               [CAUTION_GAPS] = say_gaps,
                                               [CAUTION_UNMADE] = say_unmade,
                                               [CAUTION_GRID] = say_grid,
                                               [CAUTION_APART] = apart_say,
                                               [CAUTION_LEAKS] = leak_caution,
                                               [CAUTION_CONSTANT] = constant_agents_describe,
                                               [CAUTION_CONTEXTS] = say_contexts,
                                               [CAUTION_SEEDS] = say_seeds,
                                               [CAUTION_SPREAD] = say_spread};
    sentences[kind](out, r);
}

int cautions_make(struct cautions *out, const struct regret_results *r, unsigned mask)
{
    FREED_BY(cautions_free) struct cautions c = {0};
    for (size_t kind = 0; kind < N_CAUTIONS; kind++) {
        struct regret_buffer *sentence = &c.sentences[c.n];
        if ((mask & CAUTION_BIT(kind)) != 0) {
            c.kind[c.n] = (enum caution)kind;
            caution_say(sentence, (enum caution)kind, r);
            c.n += sentence->length > 0;
            TRY(regret_buffer_status(sentence));
        }
    }
    *out = c;
    memset(&c, 0, sizeof c); /* handed on */
    return REGRET_OK;
}

void cautions_free(struct cautions *c)
{
    for (size_t i = 0; i < N_CAUTIONS; i++) {
        regret_buffer_free(&c->sentences[i]);
    }
    *c = (struct cautions){0};
}

int caution_notes(struct table *t, const char *whose, const struct regret_results *r)
{
    struct cautions c;
    TRY(cautions_make(&c, r,
                      CAUTION_BIT(CAUTION_GAPS) | CAUTION_BIT(CAUTION_UNMADE) |
                          CAUTION_BIT(CAUTION_GRID)));
    for (size_t i = 0; i < c.n; i++) {
        table_note(t, "%s: %s", whose, regret_buffer_get(&c.sentences[i]));
    }
    cautions_free(&c);
    return REGRET_OK;
}
