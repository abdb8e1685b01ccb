/* Value against cost: families by price, single agents and their hull. */
#include <math.h>

#include "base/core/try.h"
#include "chart/style.h"
#include "report/costs/cost_board.h"
#include "report/figures/figure.h"

/* The last, which no family of the program has. */
enum { AGENTS_STYLE = CHART_N_SERIES_STYLES - 1 };

static void add_point(struct chart *c, size_t series, double cost, double value)
{
    struct chart_point p = plain_point(series, 0, value);
    p.x = cost;
    chart_point(c, p);
}

/* A point of a curve; drawn once where prices do not tell policies apart. */
static void add_curve(struct chart *c, const struct cost_curve *curve, size_t series)
{
    const struct regret_cost_point *before = NULL;
    for (size_t k = REGRET_N_PRICES; k-- > 0;) {
        const struct regret_cost_point *p = &curve->points[k];
        if (before == NULL || p->cost != before->cost || p->value != before->value) {
            add_point(c, series, p->cost, p->value);
        }
        before = p;
    }
}

static void add_agents(struct chart *c, const struct cost_board *b)
{
    size_t hull = chart_series(c, CHART_STYLE_REFERENCE, "hull of single agents");
    for (size_t i = 0; i < b->n_hull; i++) {
        add_point(c, hull, b->hull[i].cost, b->hull[i].value);
    }
    if (b->n_hull > 0 && b->hull[b->n_hull - 1].cost < b->high) { /* what is had at any more */
        add_point(c, hull, b->high, b->hull[b->n_hull - 1].value);
    }
    size_t agents = chart_series(c, AGENTS_STYLE, "single agents");
    for (size_t i = 0; i < b->grid->n_agents; i++) {
        chart_point(c, (struct chart_point){.series = agents,
                                            .row = i,
                                            .x = b->agents[i].point.cost,
                                            .value = b->agents[i].point.value,
                                            .low = NAN,
                                            .high = NAN,
                                            .flags = CHART_NAMED});
        chart_row(c, "%s", b->grid->agents[b->agents[i].agent]);
    }
}

static void add_board(struct chart *c, const struct table_data *d, const struct cost_board *b)
{
    chart_panel(c, "%s", "");
    for (size_t i = 0; i < b->n_curves; i++) {
        const struct regret_subject *s = &d->r->subjects[b->curves[i].subject];
        if (s->kind == REGRET_ROW_FAMILY) {
            int style = family_style(d->r, b->curves[i].subject);
            add_curve(c, &b->curves[i], chart_series(c, style, "%s", s->name));
        }
    }
    add_agents(c, b);
}

int figure_costs(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    struct cost_board b = {0};
    (void)spec;
    TRY(cost_board_make(&b, &d->all, d->ranked, d->n_ranked));
    if (b.n_curves > 0) {
        add_board(c, d, &b);
    }
    cost_board_free(&b);
    return REGRET_OK;
}
