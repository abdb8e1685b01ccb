#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "recommend/internal.h"
#include "regret/buffer.h"
#include "regret/status.h"

/* Holes of so small a share are not spoken of; nor is what moves a comparison by less than a quarter of its half-width [C]. */
static const double FEW_HOLES = 0.05, QUARTER = 0.25;

/* ---------------------------------------------------------------- agents that were spared the hard requests */

/* The mean of all agents' scores but two; NaN where nobody else is known. */
static double others(const double *y, size_t m, size_t a, size_t b)
{
    double sum = 0.0, n = 0.0;
    for (size_t k = 0; k < m; k++) {
        sum += k == a || k == b || isnan(y[k]) ? 0.0 : y[k];
        n += k != a && k != b && !isnan(y[k]);
    }
    return n > 0.0 ? sum / n : (double)NAN;
}

/* Sums over common requests of the lead d and of how easy they are, x. */
struct line {
    double n, x, d, xx, xd, dd;
    double all_n, all_x; /* of all requests */
};

static void add_point(struct line *l, double x, double d)
{
    l->n += 1.0;
    l->x += x;
    l->d += d;
    l->xx += x * x;
    l->xd += x * d;
    l->dd += d * d;
}

/* By how much the lead on all requests differs from that on the common ones, where it follows how easy they are; 0 where that cannot be
 * told (|z| at most 1.96). */
static double shift_of(const struct line *l)
{
    double sxx = l->xx - l->x * l->x / l->n, sxd = l->xd - l->x * l->d / l->n;
    double sdd = l->dd - l->d * l->d / l->n;
    if (l->n < 10.0 || sxx < 1e-12) {
        return 0.0;
    }
    double slope = sxd / sxx, left = fmax(0.0, sdd - slope * sxd) / (l->n - 2.0);
    return fabs(slope) > 1.96 * sqrt(left / sxx) ? slope * (l->all_x / l->all_n - l->x / l->n)
                                                 : 0.0;
}

static double easy_shift(const struct score_table *s, size_t a, size_t b)
{
    struct line l = {0};
    for (size_t i = 0; i < s->n; i++) {
        const double *y = s->y + i * s->m;
        double x = others(y, s->m, a, b);
        l.all_n += !isnan(x);
        l.all_x += isnan(x) ? 0.0 : x;
        if (!isnan(x) && !isnan(y[a]) && !isnan(y[b])) {
            add_point(&l, x, y[a] - y[b]);
        }
    }
    return shift_of(&l);
}

static void say_spared(struct answer *a)
{
    const struct score_table *s = a->s;
    size_t best = a->all.best;
    for (size_t b = 0; b < s->m; b++) {
        const struct agent_answer *x = &a->all.agent[b];
        double shift = b != best && x->is_ranked && a->unknown > 0 ? easy_shift(s, best, b) : 0.0;
        if (fabs(shift) > QUARTER * fabs(x->level.high - x->level.low) / 2.0) {
            regret_buffer_printf(&a->caution,
                                 "The lead of %s over %s is %s on easy requests, and they were "
                                 "compared on %s ones: on "
                                 "all requests it may be %.2g %s.\n",
                                 a->agent[best], a->agent[b], shift > 0.0 ? "larger" : "smaller",
                                 shift > 0.0 ? "harder" : "easier",
                                 fabs(shift) * fabs(s->one - s->zero),
                                 shift > 0.0 ? "more" : "less");
        }
    }
}

/* ---------------------------------------------------------------- agents that are not ranked */

/* The requests with a score of the agent, by tags, are none or too few of these. */
static void say_tags_without(struct answer *a, size_t agent)
{
    const struct score_table *s = a->s;
    size_t said = 0;
    for (size_t g = 0; g < s->n_tags; g++) {
        if (a->tag[g].agent[agent].known == 0) {
            regret_buffer_printf(&a->caution, "%s%s", said++ == 0 ? ": it never answered " : ", ",
                                 a->tag_name[g][0] != '\0' ? a->tag_name[g]
                                                           : "those without a tag");
        }
    }
    regret_buffer_append(&a->caution, ".\n");
}

static void say_not_ranked(struct answer *a)
{
    for (size_t b = 0; b < a->s->m; b++) {
        const struct agent_answer *x = &a->all.agent[b];
        if (!x->is_ranked) {
            regret_buffer_printf(
                &a->caution,
                "%s cannot be compared (%zu of %zu requests): it shares too few of "
                "them with the others",
                a->agent[b], x->known, a->s->n);
            say_tags_without(a, b);
        }
    }
}

/* ---------------------------------------------------------------- means of unequal sets */

/* Whoever has the best mean of what it was asked, where that is not the best on the same requests. */
static void say_raw(struct answer *a)
{
    const struct score_table *s = a->s;
    size_t raw = a->all.best;
    for (size_t b = 0; b < s->m; b++) {
        raw = a->all.agent[b].raw > a->all.agent[raw].raw + 1e-12 ? b : raw;
    }
    if (raw != a->all.best && a->unknown > 0 && a->all.agent[raw].is_ranked) {
        regret_buffer_printf(&a->caution,
                             "The mean of %s is the best of what each was asked, but it was asked "
                             "easier requests: on "
                             "the same requests %s is better.\n",
                             a->agent[raw], a->agent[a->all.best]);
    }
}

int answer_cautions(struct answer *a)
{
    double share = (double)a->unknown / (double)(a->s->n * a->s->m);
    say_not_ranked(a);
    if (a->s->votes != NULL && fabs(a->first - 0.5) > 0.01) {
        regret_buffer_printf(&a->caution,
                             "Whoever is shown first wins %.0f %% of the votes between agents that "
                             "are alike; the comparison is without that.\n",
                             100.0 * a->first);
    } else if (a->s->votes != NULL && isnan(a->first)) {
        regret_buffer_append(&a->caution,
                             "Who was shown first is not known of these votes, or never "
                             "changed: if people favour a place, it is in the answer.\n");
    }
    if (a->s->votes == NULL && a->all.best != REGRET_NO_AGENT) {
        say_raw(a);
        say_spared(a);
    }
    if (a->by_strata) {
        regret_buffer_append(
            &a->caution, "Which scores are missing follows the words of the requests: agents are "
                         "compared within five kinds of requests by these words.\n");
    }
    if (share > FEW_HOLES) {
        regret_buffer_printf(&a->caution,
                             "%.0f %% of the scores are missing. Agents are compared on the same "
                             "requests; if answers are missing because they were bad, nothing here "
                             "can show it.\n",
                             100.0 * share);
    }
    if (a->s->synthetic) {
        regret_buffer_append(&a->caution, "The data are synthetic: a program made them.\n");
    }
    return regret_buffer_status(&a->caution);
}
