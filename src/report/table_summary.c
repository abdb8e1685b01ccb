/* Tables of the summary, the winners and the costs. */
#include <math.h>

#include "base/status.h"
#include "regret/status.h"
#include "report/internal.h"
#include "report/lists.h"
#include "report/ranks.h"
#include "value/bootstrap.h"

/* Value against cost, of the rows' lists by price. */

/* What columns there are besides those of every run. */
struct columns {
    int budget; /* some cell has one */
    int shares; /* there are two agents */
};

static struct columns columns_of(const struct cost_board *b)
{
    struct columns c = {0, b->grid->n_agents == 2};
    for (size_t i = 0; i < b->n_curves; i++) {
        c.budget |= isfinite(b->curves[i].budget_value.value);
    }
    return c;
}

static void put_heads(struct table *t, const struct columns *c)
{
    table_column(t, "Policy");
    table_column(t, "Area ± SE");
    table_column(t, "Over single agents ± SE");
    table_column(t, "Value, price 0");
    table_column(t, "Cost, price 0");
    if (c->budget) {
        table_column(t, "Value within the budget ± SE");
        table_column(t, "Its cost");
    }
    if (c->shares) {
        table_column(t, "Dear share for 50 %%");
        table_column(t, "Dear share for 80 %%");
    }
}

static void put_number(struct table *t, const struct cost_number *x, unsigned flags)
{
    table_cell(t, NULL, x->value, x->se, 4, TABLE_NUMBER | TABLE_SE | flags);
}

static void put_curve(struct table *t, const struct cost_curve *x, const struct columns *c,
                      const char *name)
{
    table_row(t, "%s", name);
    put_number(t, &x->statistics[COST_AREA], 0);
    put_number(t, &x->statistics[COST_GAIN], TABLE_SIGNED);
    table_number(t, x->points[0].value, 4);
    table_cell(t, NULL, x->points[0].cost, 0.0, 4, TABLE_NUMBER | TABLE_SIGNIFICANT);
    if (c->budget) {
        put_number(t, &x->budget_value, 0);
        table_cell(t, NULL, x->budget_cost.value, 0.0, 4, TABLE_NUMBER | TABLE_SIGNIFICANT);
    }
    if (c->shares) {
        table_number(t, x->statistics[COST_HALF].value, 3);
        table_number(t, x->statistics[COST_MOST].value, 3);
    }
}

/* What the curves are held against: drawing among single agents. */
static void put_hull(struct table *t, const struct cost_board *b, const struct columns *c)
{
    const struct regret_cost_point nowhere = {NAN, NAN};
    const struct cost_number none = {NAN, NAN};
    const struct cost_curve hull = {.points = {nowhere},
                                    .statistics = {b->agents_area, none, none, none},
                                    .budget_value = none,
                                    .budget_cost = none};
    put_curve(t, &hull, c, "single agents");
}

static void put_agents(struct table *t, const struct cost_board *b)
{
    TABLE_HEADS(t, "Agent", "Cost", "Value ± SE", "On the hull");
    for (size_t i = 0; i < b->grid->n_agents; i++) {
        const struct cost_agent *a = &b->agents[i];
        table_row(t, "%s", b->grid->agents[a->agent]);
        table_cell(t, NULL, a->point.cost, 0.0, 6, TABLE_NUMBER | TABLE_SIGNIFICANT);
        table_estimate(t, a->point.value, a->se, 4);
        table_text(t, "%s", a->is_on_hull ? "yes" : "no");
    }
}

static int put_group(struct table *t, const struct table_data *d, const struct group *group,
                     size_t *shown)
{
    struct cost_board b = {0};
    TRY(cost_board_make(&b, &group->slice, d->ranked, d->n_ranked));
    if (b.n_curves > 0) {
        const struct columns c = columns_of(&b);
        table_block_of(t, group, "policies");
        put_heads(t, &c);
        for (size_t i = 0; i < b.n_curves; i++) {
            put_curve(t, &b.curves[i], &c, d->r->subjects[b.curves[i].subject].name);
        }
        put_hull(t, &b, &c);
        table_block_of(t, group, "single agents");
        put_agents(t, &b);
        ++*shown;
    }
    cost_board_free(&b);
    return REGRET_OK;
}

int put_costs(struct table *t, const struct table_data *d)
{
    size_t shown = 0;
    for (size_t i = 0; i < d->groups.n; i++) {
        TRY(put_group(t, d, &d->groups.items[i], &shown));
    }
    if (shown == 0) {
        t->idle = 1;
        table_note(t, "%s",
                   d->r->run.observed > 0
                       ? "Pairs of this run are unobserved: what one agent for everything is worth "
                         "on the held-out contexts is not known, and so there are no single agents "
                         "to hold curves of value against cost against."
                       : "This run keeps no curves of value against cost (costs.enabled), or its "
                         "cells differ in their agents.");
        return REGRET_OK;
    }
    table_note(t, "The policy argmax_a f(x,a) − p c_a on held-out contexts, for prices p from 0 to "
                  "where the cheapest agent takes all. Area: of the non-decreasing concave hull of "
                  "the mean values by mean cost, the mean over costs from the cheapest to the "
                  "dearest agent, in units of value. Over single agents: that less the same of the "
                  "hull of the agents by themselves, whose true values nobody knew beforehand. "
                  "best-exp and best-obs take one agent at each price, those by tag one for each "
                  "tag. ± the jackknife's standard "
                  "error over seeds.");
    table_note(t, "Within the budget (costs.budget): the least price at which the mean cost on "
                  "training contexts is within it; what that policy is worth and costs on held-out "
                  "ones. Dear share, of two agents: the least share of contexts sent to the dearer "
                  "one at which the policy gains that much of what it is worth more; \"–\": never, "
                  "or it is worth no more.");
    return REGRET_OK;
}

/* T4 of the paper: average rank, top-3 and excess per family over all cells. */

/* Cells over which a block's ranks and excesses are taken. */
struct counted {
    size_t ranked;   /* every family has a mean */
    size_t positive; /* … and the best mean is positive, so that a ratio to it exists */
};

static struct counted count_cells(const struct slice *slice, const struct ranking *ranking)
{
    struct counted counted = {0, 0};
    for (size_t i = 0; i < slice->n_cells; i++) {
        int ranked = 1;
        for (size_t k = 0; k < ranking->n; k++) {
            ranked &=
                isfinite(regret_in(ranking, ranking->families[k], slice->cells[i], ALL_SEEDS)) != 0;
        }
        counted.ranked += (size_t)ranked;
        counted.positive += ranked && best_of_cell(ranking, slice->cells[i]) > 0.0;
    }
    return counted;
}

/* What one family gathers over those cells. */
struct family_rank {
    size_t family;
    double rank; /* mean */
    size_t top3, wins;
    double excess; /* mean, in % */
};

static struct family_rank read_rank(const struct slice *slice, const struct ranking *ranking,
                                    const struct counted *counted, const struct placed *placed)
{
    size_t family = ranking->families[placed->place];
    struct family_rank s = {.family = family, .rank = placed->rank};
    for (size_t i = 0; i < slice->n_cells; i++) {
        size_t cell = slice->cells[i];
        struct standing at = standing_in(ranking, family, cell, ALL_SEEDS);
        double excess = excess_in(ranking, family, cell, ALL_SEEDS);
        if (at.lower != REGRET_NO_ROW) {
            s.top3 += standing_rank(at) <= 3.0;
            s.wins += at.lower == 0;
            s.excess += isfinite(excess) ? excess : 0.0;
        }
    }
    s.excess = counted->positive > 0 ? s.excess / (double)counted->positive : NAN;
    return s;
}

enum { DECIMALS = 4 };

/* The difference of a subject to the best family, over seeds and over seeds and contexts; all NaN for the best
 * itself. */
struct to_best {
    struct paired seeds;
    struct regret_two_way contexts;
};

static int put_difference(struct to_best *d, struct table *t, const struct slice *slice,
                          size_t subject, size_t best)
{
    *d = (struct to_best){{NAN, NAN, NAN, NAN, 0}, {.se = NAN, .low = NAN, .high = NAN}};
    if (best != REGRET_NO_ROW && best != subject) {
        TRY(slice_paired(&d->seeds, slice, REGRET_MEASURE_REGRET, subject, REGRET_MEASURE_REGRET,
                         best));
        TRY(slice_two_way(&d->contexts, slice, subject, best));
    }
    table_signed(t, d->seeds.mean, DECIMALS);
    table_signed(t, d->seeds.low, DECIMALS);
    table_signed(t, d->seeds.high, DECIMALS);
    return REGRET_OK;
}

/* The verdict by seeds, then what is to be expected on new contexts. */
static void put_verdicts(struct table *t, const char *verdict, const struct to_best *d)
{
    table_text(t, "%s", verdict);
    table_signed(t, d->contexts.low, DECIMALS);
    table_signed(t, d->contexts.high, DECIMALS);
    table_text(t, "%s", d->seeds.n > 0 ? new_contexts_verdict(&d->seeds, &d->contexts) : "–");
}

static int put_family(struct table *t, const struct slice *slice, const struct family_rank *s,
                      size_t best, int ranked)
{
    struct estimate e = slice_estimate(slice, REGRET_MEASURE_REGRET, s->family);
    struct to_best d;
    table_row(t, "%s", slice->r->subjects[s->family].name);
    table_number(t, s->rank, 2);
    table_number(t, ranked ? (double)s->top3 : NAN, 0);
    table_number(t, ranked ? (double)s->wins : NAN, 0);
    table_number(t, s->excess, 1);
    table_estimate(t, e.mean, e.se, DECIMALS);
    TRY(put_difference(&d, t, slice, s->family, best));
    put_verdicts(t,
                 best == REGRET_NO_ROW        ? "no data"
                 : best == s->family          ? "best"
                 : d.seeds.n < 2              ? "not testable"
                 : paired_separable(&d.seeds) ? "separable"
                                              : "tied with best",
                 &d);
    return REGRET_OK;
}

static int put_baseline(struct table *t, const struct slice *slice, size_t subject, size_t best)
{
    struct estimate e = slice_estimate(slice, REGRET_MEASURE_REGRET, subject);
    struct to_best d;
    table_row(t, "%s", slice->r->subjects[subject].name);
    for (int j = 0; j < 4; j++) {
        table_number(t, NAN, 0);
    }
    table_estimate(t, e.mean, e.se, DECIMALS);
    TRY(put_difference(&d, t, slice, subject, best));
    put_verdicts(t,
                 d.seeds.n < 2        ? "baseline"
                 : d.seeds.high < 0.0 ? "baseline, below every family"
                 : d.seeds.low > 0.0  ? "baseline, above the best"
                                      : "baseline, tied with best",
                 &d);
    return REGRET_OK;
}

static int put_rows(struct table *t, const struct slice *slice, const struct ranking *ranking,
                    const struct counted *counted, const struct placed *placed)
{
    const struct regret_results *r = slice->r;
    size_t best =
        slice_best(slice, REGRET_MEASURE_REGRET, -1, ranking->families, ranking->n, REGRET_NO_ROW);
    for (size_t i = 0; i < ranking->n; i++) {
        const struct family_rank s = read_rank(slice, ranking, counted, &placed[i]);
        TRY(put_family(t, slice, &s, best, counted->ranked > 0));
    }
    for (size_t i = 0; i < r->n_subjects; i++) {
        if (r->subjects[i].kind == REGRET_ROW_BASELINE &&
            has_measure(r, REGRET_MEASURE_REGRET, i)) {
            TRY(put_baseline(t, slice, i, best));
        }
    }
    return REGRET_OK;
}

static int put_block(struct table *t, const struct slice *slice, const char *heading,
                     const struct table_data *d)
{
    const struct ranking ranking = {d->r, d->ranked, d->n_ranked};
    const struct counted counted = count_cells(slice, &ranking);
    FREED struct placed *placed = NULL;
    TRY(REGRET_NEW(&placed, d->n_ranked));
    place_families(placed, &ranking, slice);
    table_block(t, "%s%s%zu of %zu cells ranked%s", heading, heading[0] != '\0' ? ": " : "",
                counted.ranked, slice->n_cells,
                counted.positive < counted.ranked ? ", excess without cells whose best is 0" : "");
    table_keys_of(t, TABLE_KEY_OF_BLOCK, slice);
    TABLE_HEADS(t, "Family", "Avg. rank", "Top-3", "Wins", "Excess (%)", "Mean regret ± SE",
                "Δ to best", "95 % low", "95 % high", "Verdict", NEW_CONTEXTS_HEADS);
    return put_rows(t, slice, &ranking, &counted, placed);
}

int put_summary(struct table *t, const struct table_data *d)
{
    const char *note = NULL;
    if (d->groups.n > 1) {
        TRY(put_block(t, &d->all, "all cells", d));
    }
    for (size_t i = 0; i < d->groups.n; i++) {
        TRY(put_block(t, &d->groups.items[i].slice, d->groups.items[i].heading, d));
    }
    TRY(new_contexts_note(&note, &d->all));
    if (has_rule_by_tag(d->r)) {
        table_note(
            t, "best-by-tag-exp and best-by-tag-obs recommend to the contexts of a tag the agent "
               "of the best mean in EXP or OBS on training contexts of that tag, by raw means "
               "however few the rows; below every family: going by the tag did better than any "
               "estimator.");
    }
    if (has_strengths(d->r)) {
        table_note(t,
                   "best-bt%s goes by the strengths of Bradley and Terry, who was compared with "
                   "whom taken into account: a row of EXP or OBS is a vote between the two "
                   "agents of its context.",
                   has_rule_by_tag(d->r) ? " (best-by-tag-bt for each tag)" : "");
    }
    table_note(t, "%s", note);
    return REGRET_OK;
}

/* T12, T13 and T14 of the paper: who wins where, and by how much. */

/* The winners of the cells of a block. */
struct wins {
    struct winner *items;
    size_t n, capacity;
};

FREED_FIELDS(wins, of->items)

static int keep_win(struct wins *wins, const struct winner *w)
{
    TRY(regret_grow((void **)&wins->items, &wins->capacity, wins->n, sizeof *wins->items, "wins"));
    wins->items[wins->n++] = *w;
    return REGRET_OK;
}

static int put_winner(struct table *t, const struct slice *s, const struct table_data *d,
                      struct wins *wins)
{
    struct winner w;
    TRY(find_winner(&w, s, d->ranked, d->n_ranked));
    if (w.first == REGRET_NO_ROW) {
        table_text(t, "–");
        return REGRET_OK;
    }
    TRY(keep_win(wins, &w));
    const char *first = d->r->subjects[w.first].name;
    if (w.second == REGRET_NO_ROW) {
        table_text(t, "%s", first);
        return REGRET_OK;
    }
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_buffer_printf(&text, "%s%s%s", first, w.clear ? "" : " ≈ ",
                         w.clear ? "" : d->r->subjects[w.second].name);
    int rc = regret_buffer_status(&text);
    table_cell(t, regret_buffer_get(&text), w.lead, NAN, measure_decimals(REGRET_MEASURE_REGRET),
               TABLE_NUMBER | TABLE_SIGNED);
    regret_buffer_free(&text);
    return rc;
}

static int put_row(struct table *t, const struct group *row, const struct winner_map *map,
                   const struct table_data *d, struct wins *wins)
{
    FREED_BY(regret_buffer_free) struct regret_buffer label = REGRET_BUFFER_INIT;
    FREED_BY(slice_free) struct slice cell = {0};
    append_key_values(&label, &row->slice, map->rows, map->n_rows);
    TRY(regret_buffer_status(&label));
    table_row(t, "%s", regret_buffer_get(&label));
    table_keys_of(t, TABLE_KEY_OF_ROW, &row->slice);
    for (size_t v = 0; v < d->r->keys[map->column.key].n_values; v++) {
        slice_free(&cell);
        TRY(slice_where(&cell, &row->slice, map->column.key, v));
        TRY(put_winner(t, &cell, d, wins));
    }
    return REGRET_OK;
}

static int put_map(struct table *t, const struct group *block, const struct winner_map *map,
                   const struct table_data *d, struct wins *wins)
{
    const struct regret_key *column = &d->r->keys[map->column.key];
    const size_t keys[] = {map->rows[0].key, map->rows[1].key};
    FREED_BY(groups_free) struct groups rows = {0};
    TRY(groups_split(&rows, &block->slice, keys, map->n_rows));
    table_block_of(t, block, "");
    table_column(t, "Cell");
    for (size_t v = 0; v < column->n_values; v++) {
        table_column(t, "%s %s", map->column.symbol, column->values[v]);
        table_key(t, TABLE_KEY_OF_COLUMN, column->name, column->values[v]);
    }
    for (size_t i = 0; i < rows.n; i++) {
        TRY(put_row(t, &rows.items[i], map, d, wins));
    }
    return REGRET_OK;
}

/* The wins of a family (of all: REGRET_NO_ROW), and how many of them are clear; and are still where their
 * p-value is held against .05 adjusted in one way or the other. */
static void put_tally(struct table *t, const char *name, size_t family, const struct wins *wins,
                      const double *holm, const double *benjamini_hochberg)
{
    const double size = 0.05;
    double n = 0.0, clear = 0.0, by_holm = 0.0, by_bh = 0.0;
    for (size_t i = 0; i < wins->n; i++) {
        const struct winner *win = &wins->items[i];
        int counts = family == REGRET_NO_ROW || win->first == family;
        n += counts;
        clear += counts && win->clear;
        by_holm += counts && win->clear && holm[i] <= size;
        by_bh += counts && win->clear && benjamini_hochberg[i] <= size;
    }
    table_row(t, "%s", name);
    table_number(t, n, 0);
    table_number(t, clear, 0);
    table_number(t, by_holm, 0);
    table_number(t, by_bh, 0);
}

static int put_tallies(struct table *t, const struct group *block, const struct table_data *d,
                       const struct wins *wins)
{
    FREED double *holm = NULL, *bh = NULL;
    TRY(REGRET_NEW(&holm, wins->n));
    TRY(REGRET_NEW(&bh, wins->n));
    for (size_t i = 0; i < wins->n; i++) {
        bh[i] = wins->items[i].p;
    }
    TRY(regret_holm(holm, bh, wins->n));
    TRY(regret_benjamini_hochberg(bh, bh, wins->n));
    table_block_of(t, block, "cells won");
    TABLE_HEADS(t, "Family", "Wins", "Of them separable from the second", "Holm",
                "Benjamini–Hochberg");
    for (size_t i = 0; i < d->n_ranked; i++) {
        put_tally(t, d->r->subjects[d->ranked[i]].name, d->ranked[i], wins, holm, bh);
    }
    put_tally(t, "all", REGRET_NO_ROW, wins, holm, bh);
    return REGRET_OK;
}

static int table_winners_put_block(struct table *t, const struct group *block,
                                   const struct winner_map *map, const struct table_data *d)
{
    FREED_BY(wins_fields) struct wins wins = {0};
    TRY(put_map(t, block, map, d, &wins));
    return put_tallies(t, block, d, &wins);
}

int put_winners(struct table *t, const struct table_data *d)
{
    FREED_BY(groups_free) struct groups blocks = {0};
    FREED size_t *keys = NULL;
    TRY(REGRET_NEW(&keys, d->r->n_keys + 1));
    const struct winner_map map = winner_map(d->r, keys);
    TRY(groups_split(&blocks, &d->all, map.blocks, map.n_blocks));
    for (size_t i = 0; i < blocks.n; i++) {
        TRY(table_winners_put_block(t, &blocks.items[i], &map, d));
    }
    return REGRET_OK;
}
