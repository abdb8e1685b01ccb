/* T4 of the paper: average rank, top-3 and excess per family over all cells. */
#include <math.h>

#include "base/try.h"
#include "regret/alloc.h"
#include "report/spec.h"

/* What one family gathers over the cells. */
struct family_rank {
    size_t family;
    double rank; /* sum, then mean */
    size_t top3, wins;
    double excess; /* sum, then mean, in % */
};

/* Cells over which a block's ranks and excesses are taken. */
struct counted {
    size_t ranked;   /* every family has a mean */
    size_t positive; /* … and the best mean is positive, so that a ratio to it exists */
};

static void add_cell(struct family_rank *s, size_t n, const double *mean, struct counted *counted)
{
    double best = INFINITY;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(mean[i])) {
            return;
        }
        best = mean[i] < best ? mean[i] : best;
    }
    counted->ranked++;
    counted->positive += best > 0.0;
    for (size_t i = 0; i < n; i++) {
        double rank = rank_among(mean, n, i);
        s[i].rank += rank;
        s[i].top3 += rank <= 3.0;
        s[i].wins += mean[i] == best;
        s[i].excess += best > 0.0 ? 100.0 * (mean[i] / best - 1.0) : 0.0;
    }
}

/* By average rank; equals keep the run's order. */
static void sort_ranks(struct family_rank *s, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct family_rank x = s[i];
        size_t j = i;
        for (; j > 0 && x.rank < s[j - 1].rank; j--) {
            s[j] = s[j - 1];
        }
        s[j] = x;
    }
}

static int read_ranks(struct family_rank *s, size_t n, struct counted *counted,
                      const struct slice *slice)
{
    double *mean = NULL;
    TRY(REGRET_NEW(&mean, n));
    for (size_t c = 0; c < slice->n_cells; c++) {
        for (size_t i = 0; i < n; i++) {
            mean[i] = cell_mean(slice->r, REGRET_MEASURE_REGRET, s[i].family, slice->cells[c]);
        }
        add_cell(s, n, mean, counted);
    }
    for (size_t i = 0; i < n; i++) {
        s[i].rank = counted->ranked > 0 ? s[i].rank / (double)counted->ranked : NAN;
        s[i].excess = counted->positive > 0 ? s[i].excess / (double)counted->positive : NAN;
    }
    sort_ranks(s, n);
    regret_free(mean);
    return REGRET_OK;
}

static size_t best_family(const struct slice *slice, const struct family_rank *s, size_t n)
{
    size_t best = REGRET_NO_ROW;
    double lowest = INFINITY;
    for (size_t i = 0; i < n; i++) {
        double mean = slice_estimate(slice, REGRET_MEASURE_REGRET, s[i].family).mean;
        if (mean < lowest) {
            lowest = mean;
            best = s[i].family;
        }
    }
    return best;
}

enum { DECIMALS = 4 };

/* The paired difference of a subject to the best family; all NaN for the best itself. */
static int put_difference(struct paired *p, struct table *t, const struct slice *slice,
                          size_t subject, size_t best)
{
    *p = (struct paired){NAN, NAN, NAN, NAN, 0};
    if (best != REGRET_NO_ROW && best != subject) {
        TRY(slice_paired(p, slice, REGRET_MEASURE_REGRET, subject, REGRET_MEASURE_REGRET, best));
    }
    table_signed(t, p->mean, DECIMALS);
    table_signed(t, p->low, DECIMALS);
    table_signed(t, p->high, DECIMALS);
    return REGRET_OK;
}

static int put_family(struct table *t, const struct slice *slice, const struct family_rank *s,
                      size_t best, size_t ranked)
{
    struct estimate e = slice_estimate(slice, REGRET_MEASURE_REGRET, s->family);
    struct paired p;
    table_row(t, "%s", slice->r->subjects[s->family].name);
    table_number(t, s->rank, 2);
    table_number(t, ranked > 0 ? (double)s->top3 : NAN, 0);
    table_number(t, ranked > 0 ? (double)s->wins : NAN, 0);
    table_number(t, s->excess, 1);
    table_estimate(t, e.mean, e.se, DECIMALS);
    TRY(put_difference(&p, t, slice, s->family, best));
    table_text(t, "%s",
               best == REGRET_NO_ROW  ? "no data"
               : best == s->family    ? "best"
               : p.n < 2              ? "not testable"
               : paired_separable(&p) ? "separable"
                                      : "tied with best");
    return REGRET_OK;
}

static int put_baseline(struct table *t, const struct slice *slice, size_t subject, size_t best)
{
    struct estimate e = slice_estimate(slice, REGRET_MEASURE_REGRET, subject);
    struct paired p;
    table_row(t, "%s", slice->r->subjects[subject].name);
    for (int j = 0; j < 4; j++) {
        table_number(t, NAN, 0);
    }
    table_estimate(t, e.mean, e.se, DECIMALS);
    TRY(put_difference(&p, t, slice, subject, best));
    table_text(t, "%s",
               p.n < 2        ? "baseline"
               : p.high < 0.0 ? "baseline, below every family"
               : p.low > 0.0  ? "baseline, above the best"
                              : "baseline, tied with best");
    return REGRET_OK;
}

static int put_rows(struct table *t, const struct slice *slice, const struct family_rank *ranks,
                    size_t n, size_t n_ranked)
{
    const struct regret_results *r = slice->r;
    size_t best = best_family(slice, ranks, n);
    for (size_t i = 0; i < n; i++) {
        TRY(put_family(t, slice, &ranks[i], best, n_ranked));
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
    static const char *const heads[] = {"Family",     "Avg. rank",        "Top-3",     "Wins",
                                        "Excess (%)", "Mean regret ± SE", "Δ to best", "95 % low",
                                        "95 % high",  "Verdict"};
    struct family_rank *ranks = NULL;
    struct counted counted = {0, 0};
    int rc;
    TRY_CLEANUP(REGRET_NEW(&ranks, d->n_ranked));
    for (size_t i = 0; i < d->n_ranked; i++) {
        ranks[i].family = d->ranked[i];
    }
    TRY_CLEANUP(read_ranks(ranks, d->n_ranked, &counted, slice));
    table_block(t, "%s%s%zu of %zu cells ranked%s", heading, heading[0] != '\0' ? ": " : "",
                counted.ranked, slice->n_cells,
                counted.positive < counted.ranked ? ", excess without cells whose best is 0" : "");
    table_columns(t, heads, sizeof heads / sizeof *heads);
    rc = put_rows(t, slice, ranks, d->n_ranked, counted.ranked);
cleanup:
    regret_free(ranks);
    return rc;
}

int put_summary(struct table *t, const struct table_data *d)
{
    if (d->groups.n > 1) {
        TRY(put_block(t, &d->all, "all cells", d));
    }
    for (size_t i = 0; i < d->groups.n; i++) {
        TRY(put_block(t, &d->groups.items[i].slice, d->groups.items[i].heading, d));
    }
    return REGRET_OK;
}
