/* Are agents assigned as often as the stated probabilities say? */
#include <math.h>

#include "base/core/try.h"
#include "evaluate/balance/assignment.h"
#include "evaluate/balance/binomial.h"
#include "evaluate/clusters/joint.h"
#include "evaluate/diagnose/findings.h"
#include "regret/alloc.h"

enum { LEAST_ROWS = 8 /* in effect, for a normal approximation */ };

/* What is known of a label: units, and their number in effect, by the probabilities. */
struct share {
    double units;  /* Σ 1 */
    double weight; /* Σ 1/p: expected is n */
    double square; /* Σ 1/p² */
    double doubt;  /* Σ (1 − p)/p² */
    double p;      /* two-sided, of this label alone; NaN: not tested */
};

static int count(struct share *share, const struct regret_log *log, const struct assignment *d)
{
    const struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    for (size_t u = 0; u < d->n_units; u++) {
        struct share *s = &share[d->label[u]];
        double p = exp->propensity[d->first[u]];
        s->units += 1.0;
        s->weight += 1.0 / p;
        s->square += 1.0 / (p * p);
        s->doubt += (1.0 - p) / (p * p);
    }
    return REGRET_OK;
}

/* Where an agent has one probability its count is binomial. Otherwise Σ 1/p has the mean n and, p as they come, about the
 * variance Σ (1 − p)/p², which is brought to n units: an agent that came too seldom has too little of both. */
static void test_label(struct share *s, const struct assignment *d, size_t label)
{
    double n = (double)d->n_units, p = d->probability[label];
    if (d->kind == ASSIGNMENT_ALIKE) {
        s->p = binomial_two_sided((size_t)s->units, d->n_units, p);
        return;
    }
    double v = s->doubt * n / s->weight, rows = s->weight * s->weight / s->square;
    s->p = NAN;
    if (v > 0.0 && rows >= LEAST_ROWS) {
        s->p = normal_two_sided(normal_of_student((s->weight - n) / sqrt(v), rows - 1.0));
    }
}

/* Which labels are looked at. */
enum side { ALL, SELDOM, OFTEN };

static double smallest(size_t *at, const struct share *share, const struct assignment *d,
                       enum side side)
{
    double p = NAN, tests = 0.0;
    *at = 0;
    for (size_t l = 0; l < d->n_labels; l++) {
        const struct share *s = &share[l];
        int is_seldom = s->weight < (double)d->n_units;
        tests += !isnan(s->p);
        if ((side == ALL || is_seldom == (side == SELDOM)) && !isnan(s->p) &&
            (isnan(p) || s->p < p)) {
            p = s->p;
            *at = l;
        }
    }
    return fmin(1.0, p * tests);
}

/* Probabilities of all agents, known where each has one, above one together. */
static void tell_sum(struct findings *f, const struct assignment *d)
{
    double sum = 0.0;
    for (size_t l = 0; l < d->n_labels; l++) {
        sum += d->probability[l];
    }
    if (d->kind == ASSIGNMENT_ALIKE && sum > 1.0 + 1e-6 * (double)d->n_labels) {
        struct finding *found =
            findings_add(f, "shares.sum", "sum of the probabilities of EXP over agents");
        found->value = sum;
        found->verdict = REGRET_DIAGNOSTIC_NO;
        regret_buffer_printf(
            &found->fine,
            "The probabilities of EXP sum to %.4f over agents, not to 1. They cannot be those of "
            "the "
            "assignment: give the probability of the agent that was assigned, given the request.",
            sum);
    }
}

/* An entry of the label that is off most clearly, if any is tested. */
static struct finding *add_worst(struct findings *f, const struct asked *a,
                                 const struct assignment *d, const struct share *share,
                                 enum side side, const char *name, const char *found)
{
    size_t worst;
    double p = smallest(&worst, share, d, side), n = (double)d->n_units;
    if (isnan(p)) {
        return NULL;
    }
    const struct share *s = &share[worst];
    struct finding *entry = findings_add(
        f, name, "units of an agent over those that its probability makes expected, the clearest");
    double half = 1.96 * sqrt(s->doubt * n / s->weight) / n;
    entry->value = s->weight / n;
    entry->low = entry->value - half;
    entry->high = entry->value + half;
    entry->p = p;
    regret_buffer_append(
        &entry->fine,
        "Agents are assigned as often as their probabilities say; the farthest off is ");
    regret_buffer_append(&entry->found, found);
    struct regret_buffer *both[] = {&entry->fine, &entry->found};
    for (size_t i = 0; i < 2; i++) {
        say_agent(both[i], a->log, d->agent[worst]);
        regret_buffer_printf(both[i], " with %.0f of %zu %s, %.2f times what was to be expected.",
                             s->units, d->n_units, d->by_cluster ? "clusters" : "rows",
                             s->weight / n);
    }
    return entry;
}

static void tell(struct findings *f, const struct asked *a, const struct assignment *d,
                 const struct share *share)
{
    struct finding *entry =
        add_worst(f, a, d, share, a->log->is_slated ? OFTEN : ALL, "shares",
                  "Agents are not assigned as often as their probabilities say: ");
    if (entry != NULL) {
        regret_buffer_append(
            &entry->found,
            a->log->is_uniform
                ? " EXP gave no probabilities and was taken as uniform: name the column of "
                  "probabilities."
                : " The probabilities are wrong, or an agent cannot be "
                  "assigned everywhere: correct them; values that weigh "
                  "by them are off by that factor.");
    }
}

/* Who is not on every slate comes as seldom as that: the trial stands, and says nothing of where it was not on offer. */
static void tell_slates(struct findings *f, const struct asked *a, const struct assignment *d,
                        const struct share *share)
{
    struct finding *entry =
        add_worst(f, a, d, share, SELDOM, "shares.slates", "Not every agent is on every slate: ");
    if (entry != NULL) {
        entry->most = REGRET_DIAGNOSTIC_CAUTION;
        regret_buffer_append(&entry->found,
                             " Values of an agent are of requests where it is on offer; of others "
                             "they are where slates do not depend on the request.");
    }
}

int ask_shares(struct findings *f, const struct asked *a)
{
    struct assignment d = {0};
    struct share *share = NULL;
    int rc;
    if (!a->has[REGRET_LOG_EXP]) {
        return REGRET_OK;
    }
    TRY_CLEANUP(assignment_build(&d, a->log, a->order));
    TRY_CLEANUP(REGRET_NEW(&share, d.n_labels));
    TRY_CLEANUP(count(share, a->log, &d));
    for (size_t l = 0; l < d.n_labels; l++) {
        test_label(&share[l], &d, l);
    }
    tell(f, a, &d, share);
    if (a->log->is_slated) {
        tell_slates(f, a, &d, share);
    } else {
        tell_sum(f, &d);
    }
cleanup:
    assignment_free(&d);
    regret_free(share);
    return rc;
}
