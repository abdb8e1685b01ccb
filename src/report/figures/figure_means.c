/* The mean reward of the agents by tag. */
#include <math.h>
#include <string.h>

#include "base/core/texts.h"
#include "base/core/try.h"
#include "regret/alloc.h"
#include "report/figures/figure.h"
#include "report/tables/means.h"

enum { MOST_PANELS = 8, MOST_ROWS = 30, MEAN = 0, BEST = 1 };

static void add_point(struct chart *c, const struct regret_run_means *m, size_t group, size_t agent,
                      size_t row, size_t series)
{
    struct chart_point p = plain_point(series, row, means_of(m, group, agent));
    struct limits l = means_limits(m, group, agent);
    p.low = l.low;
    p.high = l.high;
    chart_point(c, p);
}

/* The agents of the rows in one group of an item. */
static int add_panel(struct chart *c, const struct slice *cells, size_t group,
                     const char *const *rows, size_t n, const char *heading)
{
    const struct regret_run_means *m = &cells->r->means[cells->r->cell_means[cells->cells[0]]];
    const struct regret_run_grid *grid = means_grid(cells);
    struct means_best *best = NULL;
    TRY(means_best(&best, cells->r, m));
    chart_panel(c, "%s", heading);
    for (size_t a = 0; a < m->n_agents; a++) {
        size_t row = texts_find(rows, n, grid->agents[a]);
        int marked = best[group].separable && best[group].first == a;
        if (row < n && isfinite(means_of(m, group, a))) {
            add_point(c, m, group, a, row, marked ? BEST : MEAN);
        }
    }
    regret_free(best);
    return REGRET_OK;
}

/* The tags of most contexts, of a run with one item. */
static int add_tags(struct chart *c, const struct slice *cells, const char *const *rows, size_t n)
{
    const struct regret_run_means *m = &cells->r->means[0];
    FREED_BY(regret_buffer_free) struct regret_buffer heading = REGRET_BUFFER_INIT;
    FREED size_t *groups = NULL;
    TRY(means_order_groups(&groups, m));
    for (size_t i = 0; i <= m->n_tags && i < MOST_PANELS; i++) {
        size_t g = groups[i];
        regret_buffer_clear(&heading);
        regret_buffer_printf(&heading, "%s (%.0f)", means_group_name(m, g), m->contexts[g]);
        TRY(add_panel(c, cells, g, rows, n, regret_buffer_get(&heading)));
    }
    return regret_buffer_status(&heading);
}

/* All contexts of each item, of a run with several. */
static int add_item(struct chart *c, const struct regret_results *r, size_t item,
                    const char *const *rows, size_t n)
{
    FREED_BY(regret_buffer_free) struct regret_buffer heading = REGRET_BUFFER_INIT;
    FREED_BY(slice_free) struct slice cells = {0};
    TRY(means_cells(&cells, r, item));
    means_heading(&heading, &cells);
    TRY(add_panel(c, &cells, 0, rows, n, regret_buffer_get(&heading)));
    return regret_buffer_status(&heading);
}

static const char of_votes[] =
    "Higher is better. The chance that an agent's answer is preferred to that of another, drawn "
    "uniformly, by all votes, or those of the tag. The best is marked where its lead, adjusted by "
    "Holm, tells it from the second.";

static void say_left_out(struct chart *c, const struct regret_results *r, const char *caption,
                         size_t rows)
{
    const struct regret_run_means *m = &r->means[0];
    size_t panels = r->n_means > 1 ? r->n_means : m->n_tags + 1;
    if (rows < m->n_agents || panels > MOST_PANELS) {
        chart_caption(
            c, "%s Shown are %zu of %zu agents and %zu of %zu panels; the table means has all.",
            caption, rows, m->n_agents, panels < MOST_PANELS ? panels : (size_t)MOST_PANELS,
            panels);
    }
}

/* The names of the agents that are shown, the best first. */
static int name_rows(struct chart *c, const char **rows, size_t n, const struct slice *first)
{
    size_t *agents = NULL;
    TRY(means_order_agents(&agents, &first->r->means[0]));
    for (size_t i = 0; i < n; i++) {
        rows[i] = means_grid(first)->agents[agents[i]];
        chart_row(c, "%s", rows[i]);
    }
    regret_free(agents);
    return REGRET_OK;
}

int figure_means(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    const struct regret_results *r = d->r;
    FREED_BY(slice_free) struct slice first = {0};
    FREED const char **rows = NULL;
    if (r->n_means == 0) {
        return REGRET_OK;
    }
    size_t n = r->means[0].n_agents < MOST_ROWS ? r->means[0].n_agents : MOST_ROWS;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
    TRY(REGRET_NEW(&rows, n));
    TRY(means_cells(&first, r, 0));
    TRY(name_rows(c, rows, n, &first));
    c->overlaid = 1;
    int votes = has_strengths(r);
    if (votes) {
        chart_title(c, "Values of the agents by tag");
        chart_axes(c, "value", "");
        chart_caption(c, "%s", of_votes);
    }
    chart_series(c, MEAN, "mean");
    chart_series(c, BEST, "best, separable from the second");
    if (r->n_means == 1) {
        TRY(add_tags(c, &first, rows, n));
    }
    for (size_t i = 0; r->n_means > 1 && i < r->n_means && i < MOST_PANELS; i++) {
        TRY(add_item(c, r, i, rows, n));
    }
    say_left_out(c, r, votes ? of_votes : spec->caption, n);
    return REGRET_OK;
}
