/* How regret spreads over contexts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/quantile.h"
#include "report/figures/figure.h"
#include "report/rows/lists.h"

FREED_FIELDS(shown, of->subjects)

/* Of more contexts than this their percentiles are shown. */
enum { MOST_CONTEXTS = 240, PERCENTILES = 101 };

/* Sums of losses by context, those of one grid after those of the other. */
struct contexts {
    size_t n;
    double *loss, *times; /* owned */
    size_t *first;        /* of each grid; owned */
};

static int contexts_make(struct contexts *out, const struct regret_results *r)
{
    TRY(REGRET_NEW(&out->first, r->n_grids));
    for (size_t g = 0; g < r->n_grids; g++) {
        out->first[g] = out->n;
        out->n += r->grids[g].n_contexts;
    }
    TRY(REGRET_NEW(&out->loss, out->n));
    return REGRET_NEW(&out->times, out->n);
}

static void contexts_free(struct contexts *s)
{
    regret_free(s->loss);
    regret_free(s->times);
    regret_free(s->first);
}

/* The mean loss of every context that was ever held out, over the replicates that held it out, to the
 * front of `loss`; returns how many there are. */
static size_t mean_losses(struct contexts *s, const struct regret_results *r, size_t subject,
                          size_t oracle)
{
    size_t kept = 0;
    memset(s->loss, 0, s->n * sizeof *s->loss);
    memset(s->times, 0, s->n * sizeof *s->times);
    for (size_t i = 0; i < r->n_cells * r->n_seeds; i++) {
        size_t cell = i % r->n_cells, seed = i / r->n_cells, first = s->first[r->cell_grid[cell]];
        struct regret_list_view x = regret_results_list(r, REGRET_LIST_CONTEXT, oracle, cell, seed);
        struct regret_list_view loss =
            regret_results_list(r, REGRET_LIST_LOSS, subject, cell, seed);
        for (size_t k = 0; k < loss.n && x.n == loss.n; k++) {
            s->loss[first + (size_t)x.number[k]] += loss.number[k];
            s->times[first + (size_t)x.number[k]] += 1.0;
        }
    }
    for (size_t i = 0; i < s->n; i++) {
        if (s->times[i] > 0.0) {
            s->loss[kept++] = s->loss[i] / s->times[i];
        }
    }
    return kept;
}

static void add_strip(struct chart *c, double *loss, size_t n, size_t row)
{
    size_t points = n > MOST_CONTEXTS ? PERCENTILES : n;
    if (points < n) {
        regret_sort_numbers(loss, n);
    }
    for (size_t i = 0; i < points; i++) {
        double value =
            points < n ? regret_quantile(loss, n, (double)i / (PERCENTILES - 1)) : loss[i];
        chart_point(c, plain_point(row, row, value));
    }
}

static void say_points(struct chart *c, const struct table_data *d, size_t n)
{
    char facts[160];
    snprintf(
        facts, sizeof facts,
        n > MOST_CONTEXTS
            ? "the percentiles of %zu contexts; box: quartiles; whiskers: 5th and 95th"
            : "a point: one of %zu contexts; box: quartiles; whiskers: 5th and 95th percentile",
        n);
    figure_facts(c, d, facts);
}

int figure_contexts(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    size_t oracle = lists_oracle(d->r);
    FREED_BY(contexts_free) struct contexts contexts = {0};
    FREED_BY(shown_fields) struct shown shown = {NULL, 0};
    (void)spec;
    if (oracle == REGRET_NO_ROW) {
        return REGRET_OK;
    }
    TRY(contexts_make(&contexts, d->r));
    say_points(c, d, mean_losses(&contexts, d->r, oracle, oracle));
    TRY(show_families(c, &shown, d));
    chart_panel(c, "%s", "");
    for (size_t k = 0; k < shown.n; k++) {
        size_t n = mean_losses(&contexts, d->r, shown.subjects[k], oracle);
        add_strip(c, contexts.loss, n, k);
    }
    return REGRET_OK;
}
