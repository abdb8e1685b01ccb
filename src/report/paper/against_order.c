/* Whether a run puts the families in the published order, and the same one first. */
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/measure.h"
#include "report/paper/against.h"

/* ---------------------------------------------------------------- groups */

/* 1 when the number ranks a family among others: the run has it, and one direction is better. */
static int ranks(const struct comparisons *all, const struct comparison *c)
{
    return c->lacking == NULL && c->number->statistic->better != 0 &&
           all->cells->r->subjects[c->subject].kind == REGRET_ROW_FAMILY &&
           strcmp(published_field(all->published, c->number, PUBLISHED_SUBJECT),
                  all->cells->r->subjects[c->subject].name) == 0;
}

static int same_group(const struct published *p, const struct published_number *a,
                      const struct published_number *b)
{
    int same = a->statistic == b->statistic;
    for (size_t i = 0; same && i < p->n_keys; i++) {
        same = strcmp(a->field[p->keys[i]], b->field[p->keys[i]]) == 0;
    }
    return same;
}

static void find_groups(struct comparisons *all)
{
    for (size_t i = 0; i < all->n; i++) {
        struct comparison *c = &all->items[i];
        for (size_t j = 0; ranks(all, c) && j < i && c->group == REGRET_NO_ROW; j++) {
            if (all->items[j].group != REGRET_NO_ROW &&
                same_group(all->published, c->number, all->items[j].number)) {
                c->group = all->items[j].group;
            }
        }
        if (ranks(all, c) && c->group == REGRET_NO_ROW) {
            c->group = all->n_groups++;
        }
    }
}

static int is_better(const struct comparison *c, double a, double b)
{
    return c->number->statistic->better > 0 ? mean_is_below(b, a) : mean_is_below(a, b);
}

/* A group of one ranks nothing. */
static void find_places(struct comparisons *all)
{
    for (size_t i = 0; i < all->n; i++) {
        struct comparison *c = &all->items[i];
        size_t members = 0, place = 1, place_ours = 1;
        for (size_t j = 0; c->group != REGRET_NO_ROW && j < all->n; j++) {
            const struct comparison *o = &all->items[j];
            if (o->group == c->group) {
                members++;
                place += (size_t)is_better(c, o->number->value, c->number->value);
                place_ours += (size_t)is_better(c, o->ours, c->ours);
            }
        }
        if (members > 1) {
            c->place = place;
            c->place_ours = place_ours;
            c->agreement = place == place_ours ? AGREEMENT_YES : AGREEMENT_NO;
        }
    }
}

/* ---------------------------------------------------------------- winners */

/* Whether the run can tell a from b: the interval of the difference in its resamples. */
static int cannot_tell(int *out, const struct comparison *a, const struct comparison *b)
{
    double *d = NULL, low = NAN, high = NAN;
    TRY(REGRET_NEW(&d, PAIRED_RESAMPLES));
    for (size_t i = 0; i < PAIRED_RESAMPLES; i++) {
        d[i] = a->resample[i] - b->resample[i];
    }
    percentile_interval(&low, &high, d, PAIRED_RESAMPLES);
    regret_free(d);
    *out = !(low > 0.0 || high < 0.0);
    return REGRET_OK;
}

/* The run's best of the group but `except`; with `first`, of those published as its best. */
static const struct comparison *best_here(const struct comparisons *all, size_t group, int first,
                                          const struct comparison *except)
{
    const struct comparison *best = NULL;
    for (size_t i = 0; i < all->n; i++) {
        const struct comparison *c = &all->items[i];
        int is_in = c->group == group && c->place > 0 && c != except && (!first || c->place == 1);
        if (is_in && (best == NULL || is_better(c, c->ours, best->ours))) {
            best = c;
        }
    }
    return best;
}

static int judge_group(struct comparisons *all, size_t group)
{
    const struct comparison *best = best_here(all, group, 0, NULL);
    const struct comparison *published = best_here(all, group, 1, NULL);
    int tied = 0;
    if (best == NULL) {
        return REGRET_OK;
    }
    if (published->place_ours == 1) {
        TRY(cannot_tell(&tied, published, best_here(all, group, 0, published)));
        all->winners[group] = tied ? AGREEMENT_YES : AGREEMENT_CLEAR;
    } else {
        TRY(cannot_tell(&tied, published, best));
        all->winners[group] = tied ? AGREEMENT_TIED : AGREEMENT_NO;
    }
    return REGRET_OK;
}

/* Where a number says that something is above or below 0. */
static enum agreement sign_agreement(const struct comparison *c)
{
    double value = c->number->value;
    if (value == 0.0) {
        return AGREEMENT_NONE;
    }
    int is_clear = c->low > 0.0 || c->high < 0.0;
    if (c->ours != 0.0 && (c->ours > 0.0) == (value > 0.0)) {
        return is_clear ? AGREEMENT_CLEAR : AGREEMENT_YES;
    }
    return is_clear ? AGREEMENT_NO : AGREEMENT_TIED;
}

/* A lead agrees when the family has one here too, or shares the best mean. */
static int judge_lead(const struct comparisons *all, struct comparison *c)
{
    const enum regret_measure regret = REGRET_MEASURE_REGRET;
    struct paired lead;
    size_t next = slice_best(&c->cells, regret, -1, all->rivals, all->n_rivals, c->subject);
    TRY(slice_paired(&lead, &c->cells, regret, next, regret, c->subject));
    if (c->ours >= 0.0) {
        c->agreement = paired_separable(&lead) ? AGREEMENT_CLEAR : AGREEMENT_YES;
    } else {
        c->agreement = paired_separable(&lead) ? AGREEMENT_NO : AGREEMENT_TIED;
    }
    return REGRET_OK;
}

int comparisons_rank(struct comparisons *all)
{
    find_groups(all);
    find_places(all);
    TRY(REGRET_NEW(&all->winners, all->n_groups));
    for (size_t g = 0; g < all->n_groups; g++) {
        TRY(judge_group(all, g));
    }
    for (size_t i = 0; i < all->n; i++) {
        struct comparison *c = &all->items[i];
        if (c->lacking == NULL && c->number->statistic->kind == PUBLISHED_LEAD) {
            TRY(judge_lead(all, c));
        } else if (c->lacking == NULL && c->number->statistic->kind == PUBLISHED_CHANGE) {
            c->agreement = sign_agreement(c);
        }
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- tallies */

static void count_agreement(struct against_tally *t, enum agreement agreement)
{
    t->agree += agreement == AGREEMENT_YES || agreement == AGREEMENT_CLEAR;
    t->clear += agreement == AGREEMENT_CLEAR;
    t->tied += agreement == AGREEMENT_TIED;
    t->differ += agreement == AGREEMENT_NO;
}

static void count_pairs(struct against_tally *t, const struct comparisons *all, size_t i)
{
    const struct comparison *a = &all->items[i];
    for (size_t j = 0; j < i && a->group != REGRET_NO_ROW; j++) {
        const struct comparison *b = &all->items[j];
        double d = a->number->value - b->number->value;
        if (b->group == a->group && d != 0.0) {
            t->pairs++;
            t->in_order +=
                d > 0.0 ? mean_is_below(b->ours, a->ours) : mean_is_below(a->ours, b->ours);
        }
    }
}

/* Sums of the published numbers and of ours by subject of the run. */
struct family_sums {
    double *published, *ours;
    size_t *n;
};

FREED_FIELDS(family_sums, of->published, of->ours, of->n)

/* A cell won; a tie here counts for each. */
static void add_win(struct family_sums *sums, const struct comparisons *all,
                    const struct comparison *c)
{
    double lowest = slice_estimate(&c->cells, REGRET_MEASURE_REGRET, c->winner).mean;
    sums->published[c->subject] += 1.0;
    for (size_t i = 0; i < all->n_rivals; i++) {
        double x = slice_estimate(&c->cells, REGRET_MEASURE_REGRET, all->rivals[i]).mean;
        sums->ours[all->rivals[i]] += isfinite(x) && !mean_is_below(lowest, x);
    }
}

static void add_number(struct family_sums *sums, const struct comparisons *all,
                       const struct comparison *c)
{
    if (c->number->statistic->kind == PUBLISHED_LEAD) {
        add_win(sums, all, c);
        return;
    }
    if (c->group != REGRET_NO_ROW || c->number->statistic->kind == PUBLISHED_CHANGE) {
        sums->published[c->subject] += c->number->value;
        sums->ours[c->subject] += c->ours;
        sums->n[c->subject]++;
    }
}

/* Only families that are in as many groups as any are compared; of leads, all rivals. */
static void correlate(struct against_tally *t, const struct comparisons *all,
                      struct family_sums *sums)
{
    size_t most = 0, n = 0;
    for (size_t i = 0; t->statistic->kind == PUBLISHED_LEAD && i < all->n_rivals; i++) {
        sums->n[all->rivals[i]] = 1;
    }
    for (size_t f = 0; f < all->cells->r->n_subjects; f++) {
        most = sums->n[f] > most ? sums->n[f] : most;
    }
    for (size_t f = 0; most > 0 && f < all->cells->r->n_subjects; f++) {
        if (sums->n[f] == most) {
            sums->published[n] = sums->published[f];
            sums->ours[n++] = sums->ours[f];
        }
    }
    t->families = n;
    t->spearman = n > 2 ? regret_spearman(sums->published, sums->ours, n) : NAN;
    t->kendall = n > 2 ? regret_kendall(sums->published, sums->ours, n) : NAN;
}

static void tally_numbers(struct against_tally *t, const struct comparisons *all,
                          struct family_sums *sums)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct comparison *c = &all->items[i];
        if (c->number->statistic != t->statistic) {
            continue;
        }
        t->printed++;
        if (c->lacking == NULL) {
            t->compared++;
            count_pairs(t, all, i);
            add_number(sums, all, c);
            count_agreement(t, c->group == REGRET_NO_ROW ? c->agreement : AGREEMENT_NONE);
        }
    }
    for (size_t g = 0; g < all->n_groups; g++) {
        size_t i = 0;
        while (all->items[i].group != g) {
            i++;
        }
        count_agreement(t, all->items[i].number->statistic == t->statistic ? all->winners[g]
                                                                           : AGREEMENT_NONE);
    }
    correlate(t, all, sums);
}

/* The first number of each statistic stands for it. */
static const struct published_statistic *statistic_at(const struct comparisons *all, size_t i)
{
    for (size_t k = 0; k < all->n; k++) {
        size_t j = 0;
        while (j < k && all->items[j].number->statistic != all->items[k].number->statistic) {
            j++;
        }
        if (j == k && i-- == 0) {
            return all->items[k].number->statistic;
        }
    }
    return NULL;
}

int comparisons_tally(struct against_tally *out, int *more, const struct comparisons *all, size_t i)
{
    FREED_BY(family_sums_fields) struct family_sums sums = {0};
    size_t n = all->cells->r->n_subjects;
    *out =
        (struct against_tally){.statistic = statistic_at(all, i), .spearman = NAN, .kendall = NAN};
    *more = out->statistic != NULL;
    if (!*more) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&sums.published, n));
    TRY(REGRET_NEW(&sums.ours, n));
    TRY(REGRET_NEW(&sums.n, n));
    tally_numbers(out, all, &sums);
    return REGRET_OK;
}
