/* Average ranks of the families, and which of them differ. */
#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/multiplicity.h"
#include "report/figures/figure.h"
#include "report/rows/ranks.h"

/* p[a * n + b]: that items a and b have the same average rank, adjusted by Holm for all pairs; 1 where there is
 * nothing to test by. */
static int adjusted_p_values(double *p, const struct placed *items, const struct ranking *ranking,
                             const struct slice *cells)
{
    size_t n = ranking->n, n_pairs = 0;
    FREED double *plain = NULL, *pairs = NULL;
    TRY(REGRET_NEW(&plain, n * n));
    TRY(REGRET_NEW(&pairs, n * n));
    TRY(average_rank_p_values(plain, ranking, cells));
    for (size_t a = 0; a < n; a++) {
        for (size_t b = a + 1; b < n; b++) {
            pairs[n_pairs++] = plain[items[a].place * n + items[b].place];
        }
    }
    TRY(regret_holm(pairs, pairs, n_pairs));
    for (size_t a = 0, i = 0; a < n; a++) {
        for (size_t b = a + 1; b < n; b++, i++) {
            p[a * n + b] = isnan(pairs[i]) ? 1.0 : pairs[i];
        }
    }
    return REGRET_OK;
}

/* The longest runs of neighbours of which no two differ. */
static void add_bars(struct chart *c, const struct placed *items, size_t n, const double *p)
{
    size_t reached = 0;
    for (size_t a = 0; a < n; a++) {
        size_t b = a;
        int same = 1;
        while (same && b + 1 < n) {
            for (size_t k = a; k <= b; k++) {
                same = same && p[k * n + b + 1] > 0.05;
            }
            b += (size_t)same;
        }
        if (b > a && b > reached) {
            chart_point(c, (struct chart_point){.series = CHART_NO_SERIES,
                                                .value = NAN,
                                                .low = items[a].rank,
                                                .high = items[b].rank});
            reached = b;
        }
    }
}

int figure_ranks(struct chart *c, const struct table_data *d, const struct figure_spec *spec)
{
    const struct ranking ranking = {d->r, d->ranked, d->n_ranked};
    FREED struct placed *items = NULL;
    FREED double *p = NULL;
    size_t n = d->n_ranked;
    (void)spec;
    c->decimals = 2;
    TRY(REGRET_NEW(&items, n));
    TRY(REGRET_NEW(&p, n * n));
    place_families(items, &ranking, &d->all);
    TRY(adjusted_p_values(p, items, &ranking, &d->all));
    chart_panel(c, "%s", "");
    for (size_t i = 0; i < n && n > 1; i++) {
        size_t family = d->ranked[items[i].place];
        size_t k = chart_series(c, family_style(d->r, family), "%s", d->r->subjects[family].name);
        chart_point(c, plain_point(k, 0, items[i].rank));
    }
    add_bars(c, items, n, p);
    return REGRET_OK;
}
