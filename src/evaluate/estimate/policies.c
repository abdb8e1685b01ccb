#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "evaluate/estimate/surfaces.h"
#include "regret/alloc.h"

int eligible_agents(unsigned char *eligible, const struct material *m)
{
    const struct drawn *d = &m->drawn;
    uint32_t *seen = NULL;
    size_t n = 0;
    TRY(REGRET_NEW(&seen, m->n_agents));
    for (size_t i = 0; i < d->n[d->basis]; i++) {
        uint32_t a = drawn_agent(d, d->basis, i);
        eligible[a] |= seen[a] != 0 && seen[a] != d->cluster[i] + 1;
        seen[a] = d->cluster[i] + 1;
    }
    regret_free(seen);
    for (size_t a = 0; a < m->n_agents; a++) {
        n += eligible[a];
    }
    if (n < 2) {
        return regret_fail(REGRET_E_INPUT,
                           "%s has rows of at least two %ss for %zu agent%s: there is nothing to "
                           "compare; collect rows of others",
                           regret_log_source_name(d->basis), m->log->cluster_name, n,
                           n == 1 ? "" : "s");
    }
    return REGRET_OK;
}

/* The share of the agent among the rows of the tag, drawn to its share of all by as many rows [C]; no less than LEAST,
 * for what is next to impossible tells next to nothing. */
static int estimate_propensities(double *propensity, const struct material *m)
{
    static const double DRAWN = 10.0, LEAST = 0.01;
    const struct regret_rows *rows = &m->rows[m->drawn.basis];
    size_t tags = m->n_tags > 0 ? m->n_tags : 1;
    FREED double *agent = NULL, *cell = NULL, *tag = NULL;
    TRY(REGRET_NEW(&agent, m->n_agents));
    TRY(REGRET_NEW(&cell, m->n_agents * tags));
    TRY(REGRET_NEW(&tag, tags));
    for (size_t i = 0; i < rows->n; i++) {
        size_t a = m->agent[rows->pair[i]];
        size_t t = m->tag != NULL ? m->tag[m->context[rows->pair[i]]] : 0;
        agent[a] += 1.0;
        cell[t * m->n_agents + a] += 1.0;
        tag[t] += 1.0;
    }
    for (size_t i = 0; i < rows->n; i++) {
        size_t a = m->agent[rows->pair[i]];
        size_t t = m->tag != NULL ? m->tag[m->context[rows->pair[i]]] : 0;
        double all = agent[a] / (double)rows->n;
        propensity[i] = fmax(LEAST, (cell[t * m->n_agents + a] + DRAWN * all) / (tag[t] + DRAWN));
    }
    return REGRET_OK;
}

int propensities_make(double *propensity, const struct material *m)
{
    const struct drawn *d = &m->drawn;
    const double *given = m->log->rows[d->basis].propensity;
    if (given == NULL) {
        return estimate_propensities(propensity, m);
    }
    for (size_t i = 0; i < d->n[d->basis]; i++) {
        propensity[i] = given[d->row[d->basis][i]];
    }
    return REGRET_OK;
}

uint32_t policy_by_request(const struct material *m, const double *f, const unsigned char *eligible)
{
    size_t best = m->n_agents;
    for (size_t a = 0; a < m->n_agents; a++) {
        if (eligible[a] && (best == m->n_agents || f[a] > f[best])) {
            best = a;
        }
    }
    return (uint32_t)best;
}

/* ---------------------------------------------------------------- policies that know no request */

/* Of an agent, or of an agent on requests of a tag: what f says on average, and what rows say of f. */
struct tally {
    double f, contexts;               /* Σ f, and of how many rows' contexts */
    double weight, squares, residual; /* Σ w, Σ w², Σ w (Y − f) of the agent's own rows; w = 1/p */
};

/* By how many rows residuals are drawn to 0, of a tag to those of the agent [C]: as stack.shrinkage. */
static const double DRAWN = 2.0;

static double effective(const struct tally *t)
{
    return t->squares > 0.0 ? t->weight * t->weight / t->squares : 0.0;
}

static double residual_towards(const struct tally *t, double towards)
{
    double m = effective(t), own = t->weight > 0.0 ? t->residual / t->weight : 0.0;
    return towards + (own - towards) * m / (m + DRAWN);
}

static void add_row(struct tally *t, double w, double residual)
{
    t->weight += w;
    t->squares += w * w;
    t->residual += w * residual;
}

/* What all rows say: over agents, and over tags × agents. */
struct tallies {
    struct tally *agent, *cell; /* owned */
    double noise;               /* mean square of residuals */
};

FREED_FIELDS(tallies, of->agent, of->cell)

static void count(struct tallies *s, const struct material *m, const double *f,
                  const double *propensity, struct left_out left)
{
    const struct regret_rows *rows = &m->rows[m->drawn.basis];
    double n = 0.0;
    for (size_t i = 0; i < rows->n; i++) {
        size_t x = m->context[rows->pair[i]], own = m->agent[rows->pair[i]];
        struct tally *cell = s->cell + (m->tag != NULL ? m->tag[x] : 0) * m->n_agents;
        double residual = rows->y[i] - f[rows->pair[i]];
        for (size_t a = 0; a < m->n_agents; a++) {
            s->agent[a].f += f[m->first[x] + a];
            s->agent[a].contexts += 1.0;
            cell[a].f += f[m->first[x] + a];
            cell[a].contexts += 1.0;
        }
        if (m->drawn.fold[i] < left.from || m->drawn.fold[i] >= left.to) {
            add_row(&s->agent[own], 1.0 / propensity[i], residual);
            add_row(&cell[own], 1.0 / propensity[i], residual);
            s->noise += residual * residual;
            n += 1.0;
        }
    }
    s->noise /= fmax(1.0, n);
}

static double worth(const struct tally *t, double towards)
{
    return t->f / t->contexts + residual_towards(t, towards);
}

static uint32_t best_agent(const struct tallies *s, const struct material *m,
                           const unsigned char *eligible)
{
    size_t best = m->n_agents;
    for (size_t a = 0; a < m->n_agents; a++) {
        if (eligible[a] &&
            (best == m->n_agents || worth(&s->agent[a], 0.0) > worth(&s->agent[best], 0.0))) {
            best = a;
        }
    }
    return (uint32_t)best;
}

/* On requests of a tag: another agent than the single one only where it leads by more than a standard error. */
static uint32_t best_of_tag(const struct tallies *s, const struct material *m,
                            const unsigned char *eligible, size_t tag, uint32_t single)
{
    const struct tally *cell = s->cell + tag * m->n_agents;
    double of_single = residual_towards(&s->agent[single], 0.0), most = 0.0;
    uint32_t best = single;
    for (size_t a = 0; a < m->n_agents && cell[single].contexts > 0.0; a++) {
        double lead =
            worth(&cell[a], residual_towards(&s->agent[a], 0.0)) - worth(&cell[single], of_single);
        double error = sqrt(s->noise * (1.0 / (effective(&cell[a]) + DRAWN) +
                                        1.0 / (effective(&cell[single]) + DRAWN)));
        if (eligible[a] && a != single && lead - error > most) {
            most = lead - error;
            best = (uint32_t)a;
        }
    }
    return best;
}

int policies_learn(struct learned *out, const struct material *m, const double *f,
                   const double *propensity, const unsigned char *eligible, struct left_out left)
{
    size_t tags = m->n_tags > 0 ? m->n_tags : 1;
    FREED_BY(tallies_fields) struct tallies s = {0};
    TRY(REGRET_NEW(&s.agent, m->n_agents));
    TRY(REGRET_NEW(&s.cell, m->n_agents * tags));
    count(&s, m, f, propensity, left);
    out->single = best_agent(&s, m, eligible);
    for (size_t t = 0; m->tag != NULL && t < tags; t++) {
        out->by_tag[t] = best_of_tag(&s, m, eligible, t, out->single);
    }
    return REGRET_OK;
}
