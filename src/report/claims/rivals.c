/* Claims about a measure of each subject against that of each rival. */
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "report/claims/evidence.h"

/* What the family is in the cell by the means over all seeds; NaN where one of the families has none. */
static double placed_in(const struct claim_context *x, int measure, size_t family, size_t cell)
{
    if (measure == MEASURE_EXCESS) {
        return excess_in(&x->ranking, family, cell, ALL_SEEDS);
    }
    struct standing s = standing_in(&x->ranking, family, cell, ALL_SEEDS);
    return s.lower == REGRET_NO_ROW ? NAN : placement(measure, s);
}

/* What is shown of the measure: the number of the table `summary` or the mean, and its decimals. */
static double shown_measure(const struct claim_context *x, size_t subject, int *decimals)
{
    int measure = x->measure;
    double sum = 0.0;
    size_t n = 0;
    if (measure < REGRET_N_MEASURES) {
        *decimals = measure_decimals((enum regret_measure)measure);
        return slice_estimate(&x->cells, (enum regret_measure)measure, subject).mean;
    }
    *decimals = measure == MEASURE_RANK ? 2 : measure == MEASURE_TOP3 ? 0 : 1;
    for (size_t i = 0; i < x->cells.n_cells; i++) {
        double y = placed_in(x, measure, subject, x->cells.cells[i]);
        if (isfinite(y)) {
            sum += y;
            n++;
        }
    }
    int is_count = measure == MEASURE_TOP3 || measure == MEASURE_WINS;
    *decimals = measure == MEASURE_WINS && sum == floor(sum) ? 0 : *decimals;
    return n == 0 ? NAN : is_count ? sum : sum / (double)n;
}

/* The i-th subject and its rivals, in the order in which they are shown: the claim's, but the run's of what
 * depends on all ranked families. `out` has room for n_families and CLAIM_SUBJECTS. */
static size_t contestants(size_t *out, const struct claim *c, const struct claim_context *x,
                          size_t i)
{
    size_t own = claim_subject(c, x, i), others = claim_others(c), n = 0;
    int by_ranking = x->measure >= REGRET_N_MEASURES;
    if (!by_ranking) {
        out[n++] = own;
    }
    for (size_t k = 0; !by_ranking && k < others; k++) {
        out[n++] = claim_subject(c, x, c->n_subjects + k);
    }
    for (size_t k = 0; (by_ranking || others == 0) && k < x->ranking.n; k++) {
        size_t family = x->ranking.families[k];
        int named = others == 0;
        for (size_t j = 0; j < others; j++) {
            named |= claim_subject(c, x, c->n_subjects + j) == family;
        }
        if (family == own ? by_ranking : named) {
            out[n++] = family;
        }
    }
    return n;
}

/* The others stay in order. */
static void put_first(size_t *all, size_t n, size_t own)
{
    size_t k = 0;
    while (k + 1 < n && all[k] != own) {
        k++;
    }
    memmove(all + 1, all, k * sizeof *all);
    all[0] = own;
}

/* Against one rival as the other; along a key or by cell with its numbers, "rival: …". */
static int against_one(struct claim_result *f, const struct claim *c, const struct claim_context *x,
                       size_t own, size_t rival)
{
    struct claim one = *c;
    one.against = AGAINST_OTHER;
    one.everyone = 0;
    one.n_subjects = 1;
    one.subjects[0] = x->r->subjects[own].name;
    one.subjects[1] = x->r->subjects[rival].name;
    one.subjects[2] = NULL;
    if (c->over == OVER_ALL) {
        return weigh_contrast(f, &one, x);
    }
    regret_buffer_printf(&f->numbers, "%s%s:", f->numbers.length > 0 ? "; " : "", one.subjects[1]);
    f->no_comma = 1;
    return judge_contrast(f, &one, x);
}

static int against_rivals(struct claim_result *f, const struct claim *c,
                          const struct claim_context *x, size_t i)
{
    size_t own = claim_subject(c, x, i);
    FREED size_t *all = NULL;
    TRY(REGRET_NEW(&all, x->r->n_families + CLAIM_SUBJECTS));
    size_t n = contestants(all, c, x, i);
    for (size_t k = 0; k < n && c->over == OVER_ALL; k++) {
        int decimals = 0;
        double value = shown_measure(x, all[k], &decimals);
        say_number(f, x->r->subjects[all[k]].name, value, decimals);
    }
    if (x->measure >= REGRET_N_MEASURES && x->measure != MEASURE_EXCESS) {
        put_first(all, n, own);
        return compare_ranks(f, c, x, all, n);
    }
    for (size_t k = 0; k < n; k++) {
        TRY(all[k] != own ? against_one(f, c, x, own, all[k]) : REGRET_OK);
    }
    return REGRET_OK;
}

int judge_rivals(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    for (size_t i = 0; i < claim_spoken_of(c, x); i++) {
        TRY(against_rivals(f, c, x, i));
    }
    return REGRET_OK;
}
