#include "report/cautions/cautions.h"

#include "base/core/try.h"
#include "regret/alloc.h"
#include "report/cautions/apart.h"
#include "report/cautions/constant_agents.h"
#include "report/cautions/grid_caution.h"
#include "report/leaks/leak_caution.h"
#include "report/rows/head.h"
#include "report/rows/lists.h"
#include "report/rows/table_data.h"

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

const char *caution_name(enum caution kind)
{
    static const char *const names[N_CAUTIONS] = {
        [CAUTION_SYNTHETIC] = "synthetic", [CAUTION_GAPS] = "gaps",
        [CAUTION_UNMADE] = "unmade",       [CAUTION_GRID] = "grid",
        [CAUTION_APART] = "apart",         [CAUTION_LEAKS] = "leaks",
        [CAUTION_CONSTANT] = "constant",   [CAUTION_CONTEXTS] = "contexts",
        [CAUTION_SEEDS] = "seeds",         [CAUTION_SPREAD] = "spread"};
    return names[kind];
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
