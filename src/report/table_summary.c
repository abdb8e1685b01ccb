/* T4 of the paper: average rank, top-3 and excess per family over all cells. */
#include <math.h>

#include "regret/alloc.h"
#include "report/tables.h"

/* What one family gathers over the cells. */
struct standing {
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

double rank_among(const double *x, size_t n, size_t i)
{
    size_t less = 0, equal = 0;
    for (size_t j = 0; j < n; j++) {
        less += x[j] < x[i];
        equal += x[j] == x[i];
    }
    return (double)less + 0.5 * (double)(equal + 1);
}

static void add_cell(struct standing *s, size_t n, const double *mean, struct counted *counted)
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
static void sort_standings(struct standing *s, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct standing x = s[i];
        size_t j = i;
        for (; j > 0 && x.rank < s[j - 1].rank; j--) {
            s[j] = s[j - 1];
        }
        s[j] = x;
    }
}

static int take_standings(struct standing *s, size_t n, struct counted *counted,
                          const struct slice *slice)
{
    double *mean = NULL;
    int rc = REGRET_NEW(&mean, n);
    if (rc != REGRET_OK) {
        return rc;
    }
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
    sort_standings(s, n);
    regret_free(mean);
    return REGRET_OK;
}

static size_t best_family(const struct slice *slice, const struct standing *s, size_t n)
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

/* The paired difference of a subject to the best family; all NaN for the best itself. */
static int put_difference(struct paired *p, struct table *t, const struct slice *slice,
                          size_t subject, size_t best)
{
    int rc = REGRET_OK;
    *p = (struct paired){NAN, NAN, NAN, NAN, 0};
    if (best != REGRET_NO_ROW && best != subject) {
        rc = slice_paired(p, slice, REGRET_MEASURE_REGRET, subject, REGRET_MEASURE_REGRET, best);
    }
    table_signed(t, p->mean, REGRET_DECIMALS);
    table_signed(t, p->low, REGRET_DECIMALS);
    table_signed(t, p->high, REGRET_DECIMALS);
    return rc;
}

static int put_family(struct table *t, const struct slice *slice, const struct standing *s,
                      size_t best, size_t ranked)
{
    struct estimate e = slice_estimate(slice, REGRET_MEASURE_REGRET, s->family);
    struct paired p;
    table_row(t, "%s", slice->r->subjects[s->family].name);
    table_number(t, s->rank, 2);
    table_number(t, ranked > 0 ? (double)s->top3 : NAN, 0);
    table_number(t, ranked > 0 ? (double)s->wins : NAN, 0);
    table_number(t, s->excess, 1);
    table_estimate(t, e.mean, e.se, REGRET_DECIMALS);
    int rc = put_difference(&p, t, slice, s->family, best);
    table_text(t, "%s",
               best == REGRET_NO_ROW  ? "no data"
               : best == s->family    ? "best"
               : p.n < 2              ? "not testable"
               : paired_separable(&p) ? "separable"
                                      : "tied with best");
    return rc;
}

static int put_baseline(struct table *t, const struct slice *slice, size_t subject, size_t best)
{
    struct estimate e = slice_estimate(slice, REGRET_MEASURE_REGRET, subject);
    struct paired p;
    table_row(t, "%s", slice->r->subjects[subject].name);
    for (int j = 0; j < 4; j++) {
        table_number(t, NAN, 0);
    }
    table_estimate(t, e.mean, e.se, REGRET_DECIMALS);
    int rc = put_difference(&p, t, slice, subject, best);
    table_text(t, "%s",
               p.n < 2        ? "baseline"
               : p.high < 0.0 ? "baseline, below every family"
               : p.low > 0.0  ? "baseline, above the best"
                              : "baseline, tied with best");
    return rc;
}

static int put_baselines(struct table *t, const struct slice *slice, size_t best)
{
    const struct regret_results *r = slice->r;
    int rc = REGRET_OK;
    for (size_t i = 0; rc == REGRET_OK && i < r->n_subjects; i++) {
        if (r->subjects[i].kind == REGRET_ROW_BASELINE &&
            has_measure(r, REGRET_MEASURE_REGRET, i)) {
            rc = put_baseline(t, slice, i, best);
        }
    }
    return rc;
}

static void put_columns(struct table *t)
{
    static const char *const heads[] = {"Family",     "Avg. rank",        "Top-3",     "Wins",
                                        "Excess (%)", "Mean regret ± SE", "Δ to best", "95 % low",
                                        "95 % high",  "Verdict"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        table_column(t, "%s", heads[i]);
    }
}

static int put_block(struct table *t, const struct slice *slice, const char *heading,
                     const size_t *families, size_t n)
{
    struct standing *s = NULL;
    struct counted counted = {0, 0};
    int rc = REGRET_NEW(&s, n);
    for (size_t i = 0; rc == REGRET_OK && i < n; i++) {
        s[i].family = families[i];
    }
    if (rc == REGRET_OK) {
        rc = take_standings(s, n, &counted, slice);
    }
    if (rc == REGRET_OK) {
        table_block(t, "%s%s%zu of %zu cells ranked%s", heading, heading[0] != '\0' ? ": " : "",
                    counted.ranked, slice->n_cells,
                    counted.positive < counted.ranked ? ", excess without cells whose best is 0"
                                                      : "");
        put_columns(t);
        size_t best = best_family(slice, s, n);
        for (size_t i = 0; rc == REGRET_OK && i < n; i++) {
            rc = put_family(t, slice, &s[i], best, counted.ranked);
        }
        if (rc == REGRET_OK) {
            rc = put_baselines(t, slice, best);
        }
    }
    regret_free(s);
    return rc;
}

static void put_notes(struct table *t)
{
    table_note(t,
               "A cell is one combination of the swept keys; its regret is the mean over seeds. "
               "Rank 1 is the lowest; equal means share the average of their ranks. Top-3: "
               "cells with rank at most 3. Wins: cells with the lowest mean (a tie counts for "
               "each). Excess: mean over cells of the regret in %% over the cell's best family.");
    table_note(t,
               "Mean regret: over cells and seeds; SE over seeds of the seed's mean over cells. "
               "Δ to best: paired difference over seeds to the family of lowest mean regret, "
               "with its 95 %% bootstrap interval (2,000 resamples of seeds); \"tied with best\" "
               "where the interval holds 0. best-exp or best-obs below every family: recommending "
               "one agent for every context did better than any estimator.");
}

int make_summary(struct table *t, const struct regret_results *r)
{
    struct plan p = {0};
    begin_report_table(t, r, "summary", "Ranks and mean regret of the families");
    int rc = plan_make(&p, r, 0);
    if (rc == REGRET_OK && p.blocks.n > 1) {
        rc = put_block(t, &p.all, "all cells", p.families, p.n_ranked);
    }
    for (size_t i = 0; rc == REGRET_OK && i < p.blocks.n; i++) {
        rc = put_block(t, &p.blocks.items[i].slice, p.blocks.items[i].heading, p.families,
                       p.n_ranked);
    }
    put_notes(t);
    plan_free(&p);
    return rc;
}
