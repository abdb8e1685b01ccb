/* T4 of the paper: average rank, top-3 and excess per family over all cells. */
#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "report/rows/lists.h"
#include "report/rows/ranks.h"
#include "report/tables/spec.h"

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
