/* Value against cost, of the rows' lists by price. */
#include <math.h>

#include "base/core/try.h"
#include "report/costs/cost_board.h"
#include "report/tables/spec.h"

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
