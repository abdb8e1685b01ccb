/* Policies to be valued. */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "evaluate/internal.h"
#include "log/log.h"
#include "regret/status.h"

/* Unless nobody else is left. */
static void leave_out_withdrawn(unsigned char *eligible, const struct regret_log *log)
{
    size_t left = 0;
    for (size_t a = 0; a < log->n_agents; a++) {
        left += eligible[a] && !is_withdrawn(log, a);
    }
    for (size_t a = 0; a < log->n_agents && left > 0; a++) {
        eligible[a] = eligible[a] && !is_withdrawn(log, a);
    }
}

int eligible_agents(unsigned char *eligible, const struct material *m)
{
    const struct drawn *d = &m->drawn;
    FREED uint32_t *seen = NULL;
    size_t n = 0;
    TRY(REGRET_NEW(&seen, m->n_agents));
    for (size_t i = 0; i < d->n[d->basis]; i++) {
        uint32_t a = drawn_agent(d, d->basis, i);
        eligible[a] |= seen[a] != 0 && seen[a] != d->cluster[i] + 1;
        seen[a] = d->cluster[i] + 1;
    }
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
    leave_out_withdrawn(eligible, m->log);
    return REGRET_OK;
}

/* Where agents are missing from kinds of requests, those of one tag are of as many kinds as there are sets of agents. */
static size_t count_kinds(const struct material *m)
{
    size_t tags = count_tags(m);
    return m->log->n_holes > 0 ? tags * m->log->n_offers : tags;
}

static size_t kind_of(const struct material *m, size_t i)
{
    const struct drawn *d = &m->drawn;
    return m->log->n_holes > 0 ? drawn_tag(&m->drawn, i) * m->log->n_offers +
                                     m->log->rows[d->basis].offer[d->row[d->basis][i]]
                               : drawn_tag(&m->drawn, i);
}

/* The share of the agent among the rows of the tag in which it was on offer, drawn to its share of all such by as many rows [C]; no less
 * than LEAST, for what is next to impossible tells next to nothing. */
static int estimate_propensities(double *propensity, const struct material *m)
{
    static const double DRAWN = 10.0, LEAST = 0.01;
    const struct drawn *d = &m->drawn;
    size_t tags = count_kinds(m), n = m->n_agents;
    FREED double *counts = NULL;
    TRY(REGRET_NEW(&counts, 2 * n * (1 + tags)));
    double *agent[2] = {counts, counts + n}; /* chosen, and on offer */
    double *cell[2] = {counts + 2 * n, counts + 2 * n + n * tags};
    for (size_t i = 0; i < d->n[d->basis]; i++) {
        for (size_t a = 0; a < n; a++) {
            int is_there = drawn_offers(d, i, a);
            int is[2] = {is_there && a == drawn_agent(d, d->basis, i), is_there};
            for (size_t k = 0; k < 2; k++) {
                agent[k][a] += is[k];
                cell[k][kind_of(m, i) * n + a] += is[k];
            }
        }
    }
    for (size_t i = 0; i < d->n[d->basis]; i++) {
        size_t a = drawn_agent(d, d->basis, i), at = kind_of(m, i) * n + a;
        double all = agent[0][a] / fmax(1.0, agent[1][a]);
        propensity[i] = fmax(LEAST, (cell[0][at] + DRAWN * all) / (cell[1][at] + DRAWN));
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

uint32_t policy_by_request(const struct material *m, const double *f, const unsigned char *eligible,
                           size_t row)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t a = 0; a < m->n_agents; a++) {
        if (eligible[a] && (row == SIZE_MAX || drawn_offers(&m->drawn, row, a)) &&
            (best == UINT32_MAX || f[a] > f[best])) {
            best = a;
        }
    }
    return best;
}

/* ---------------------------------------------------------------- policies that know no request */

int levels_by_tag(double **level, const struct material *m, const double *f)
{
    size_t tags = count_tags(m), n = m->n_agents;
    FREED double *sum = NULL, *rows = NULL; /* of all rows behind those of tags */
    TRY(REGRET_NEW(&sum, (tags + 1) * n));
    TRY(REGRET_NEW(&rows, tags + 1));
    for (size_t i = 0; i < m->drawn.n_known; i++) {
        const double *of = f + pairs_of_row(m, i);
        for (size_t a = 0; a < n; a++) {
            sum[drawn_tag(&m->drawn, i) * n + a] += of[a];
            sum[tags * n + a] += of[a];
        }
        rows[drawn_tag(&m->drawn, i)] += 1.0;
        rows[tags] += 1.0;
    }
    TRY(REGRET_NEW(level, tags * n));
    for (size_t k = 0; k < tags * n; k++) {
        size_t t = rows[k / n] > 0.0 ? k / n : tags;
        (*level)[k] = sum[t * n + k % n] / rows[t];
    }
    return REGRET_OK;
}

/* Of an agent, or of an agent on requests of a tag: what f says on average, and what rows say of f. */
struct tally {
    double f, contexts;               /* Σ f, and of how many rows' contexts */
    double weight, squares, residual; /* Σ w, Σ w², Σ w (Y − f) of the agent's own rows; w = 1/p */
};

/* By how many rows residuals are drawn to 0, of a tag to those of the agent [C]: as in the family stack. */
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

/* An agent, and whom it is compared with, on the rows in which both were on offer. */
struct contrast {
    struct tally own, other;
};

/* What all rows say: over agents, compared with one of them, and over tags × agents, with one of each tag. */
struct tallies {
    const double *f;               /* [pairs] */
    double *level;                 /* of rows that have no pair: by tag; owned, as the others */
    struct contrast *agent, *cell; /* owned */
    double noise;                  /* mean square of residuals */
    int is_by_tag;                 /* 1: cells are counted, too */
    uint32_t with, *with_of_tag;   /* [tags]; owned */
};

FREED_FIELDS(tallies, of->level, of->agent, of->cell, of->with_of_tag)

static int is_learned(const struct material *m, struct left_out left, size_t i)
{
    return m->drawn.fold[i] < left.from || m->drawn.fold[i] >= left.to;
}

/* f by agents on the request of row i. */
static const double *f_of(const struct tallies *s, const struct material *m, size_t i)
{
    return i < m->drawn.n_known ? s->f + pairs_of_row(m, i)
                                : s->level + drawn_tag(&m->drawn, i) * m->n_agents;
}

/* Row i in what is said of an agent beside another. */
static void add_contrast(struct contrast *c, const struct material *m, const double *f,
                         const double *propensity, size_t i, const size_t agent[2])
{
    const struct drawn *d = &m->drawn;
    struct tally *of[2] = {&c->own, &c->other};
    if (!drawn_offers(d, i, agent[0]) || !drawn_offers(d, i, agent[1])) {
        return;
    }
    for (size_t k = 0; k < 2; k++) {
        of[k]->f += f[agent[k]];
        of[k]->contexts += 1.0;
        if (propensity != NULL && drawn_agent(d, d->basis, i) == agent[k]) {
            add_row(of[k], 1.0 / propensity[i], drawn_outcome(d, d->basis, i) - f[agent[k]]);
        }
    }
}

static void count(struct tallies *s, const struct material *m, const double *propensity,
                  struct left_out left)
{
    const struct drawn *d = &m->drawn;
    size_t tags = count_tags(m);
    double n = 0.0;
    memset(s->agent, 0, m->n_agents * sizeof *s->agent);
    memset(s->cell, 0, m->n_agents * tags * sizeof *s->cell);
    s->noise = 0.0;
    for (size_t i = 0; i < d->n[d->basis]; i++) {
        int learned = is_learned(m, left, i);
        size_t tag = drawn_tag(&m->drawn, i);
        const double *f = f_of(s, m, i);
        for (size_t a = 0; a < m->n_agents; a++) {
            add_contrast(&s->agent[a], m, f, learned ? propensity : NULL, i,
                         (const size_t[]){a, s->with});
            if (s->is_by_tag) {
                add_contrast(&s->cell[tag * m->n_agents + a], m, f, learned ? propensity : NULL, i,
                             (const size_t[]){a, s->with_of_tag[tag]});
            }
        }
        if (learned) {
            double residual = drawn_outcome(d, d->basis, i) - f[drawn_agent(d, d->basis, i)];
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

/* Leaves agents out that are missing from kinds of requests, as long as one is left: what they are worth for all nothing says. */
static void leave_out_missing(unsigned char *eligible, const struct material *m)
{
    const struct drawn *d = &m->drawn;
    for (int pass = 0, left = 0; pass < 2 && m->log->n_holes > 0; pass++) {
        for (size_t a = 0; a < m->n_agents; a++) {
            int is_everywhere = eligible[a];
            for (size_t i = 0; i < d->n[d->basis] && is_everywhere; i++) {
                is_everywhere = drawn_offers(d, i, a);
            }
            left += pass == 0 && is_everywhere;
            eligible[a] = pass == 0 || left == 0 ? eligible[a] : (unsigned char)is_everywhere;
        }
    }
}

static uint32_t best_agent(const struct tallies *s, const struct material *m,
                           const unsigned char *eligible)
{
    size_t best = m->n_agents;
    double most = -INFINITY;
    for (size_t a = 0; a < m->n_agents; a++) {
        const struct contrast *c = &s->agent[a];
        double lead =
            c->own.contexts > 0.0 ? worth(&c->own, 0.0) - worth(&c->other, 0.0) : -INFINITY;
        if (eligible[a] && (best == m->n_agents || lead > most)) {
            best = a;
            most = lead;
        }
    }
    return (uint32_t)best;
}

/* With whom agents are compared on requests of a tag: with the single one; where that never is on offer, with who has most rows. */
static int set_with_of_tag(struct tallies *s, const struct material *m,
                           const unsigned char *eligible, struct left_out left)
{
    size_t tags = count_tags(m);
    FREED size_t *rows = NULL;
    FREED unsigned char *is_there = NULL;
    TRY(REGRET_NEW(&rows, tags * m->n_agents));
    TRY(REGRET_NEW(&is_there, tags));
    for (size_t i = 0; i < m->drawn.n[m->drawn.basis]; i++) {
        uint32_t a = drawn_agent(&m->drawn, m->drawn.basis, i);
        is_there[drawn_tag(&m->drawn, i)] |= drawn_offers(&m->drawn, i, s->with);
        rows[drawn_tag(&m->drawn, i) * m->n_agents + a] += eligible[a] && is_learned(m, left, i);
    }
    for (size_t t = 0; t < tags; t++) {
        const size_t *of = rows + t * m->n_agents;
        s->with_of_tag[t] = s->with;
        for (size_t a = 0; a < m->n_agents && !is_there[t]; a++) {
            s->with_of_tag[t] = of[a] > of[s->with_of_tag[t]] ? (uint32_t)a : s->with_of_tag[t];
        }
    }
    return REGRET_OK;
}

/* On requests of a tag: another agent than the one compared with only where it leads by more than a standard error. */
static uint32_t best_of_tag(const struct tallies *s, const struct material *m,
                            const unsigned char *eligible, size_t tag)
{
    const struct contrast *cell = s->cell + tag * m->n_agents;
    uint32_t with = s->with_of_tag[tag], best = with;
    double of_other = residual_towards(&s->agent[with].own, 0.0), most = 0.0;
    for (size_t a = 0; a < m->n_agents; a++) {
        const struct contrast *c = &cell[a];
        double lead =
            worth(&c->own, residual_towards(&s->agent[a].own, 0.0)) - worth(&c->other, of_other);
        double error = sqrt(
            s->noise * (1.0 / (effective(&c->own) + DRAWN) + 1.0 / (effective(&c->other) + DRAWN)));
        if (eligible[a] && a != with && c->own.contexts > 0.0 && lead - error > most) {
            most = lead - error;
            best = (uint32_t)a;
        }
    }
    return best;
}

int policies_learn(struct learned *out, const struct material *m, const double *f,
                   const double *propensity, const unsigned char *eligible, size_t incumbent,
                   struct left_out left)
{
    size_t tags = count_tags(m);
    FREED_BY(tallies_fields) struct tallies s = {.f = f, .with = (uint32_t)incumbent};
    FREED unsigned char *everywhere = NULL;
    TRY(m->drawn.n_known < m->drawn.n[m->drawn.basis] ? levels_by_tag(&s.level, m, f) : REGRET_OK);
    TRY(REGRET_NEW(&s.agent, m->n_agents));
    TRY(REGRET_NEW(&s.cell, m->n_agents * tags));
    TRY(REGRET_NEW(&s.with_of_tag, tags));
    count(&s, m, propensity, left);
    TRY(REGRET_NEW(&everywhere, m->n_agents));
    memcpy(everywhere, eligible, m->n_agents);
    leave_out_missing(everywhere, m);
    out->single = s.with = best_agent(&s, m, everywhere);
    if (m->tag == NULL) {
        return REGRET_OK;
    }
    TRY(set_with_of_tag(&s, m, eligible, left));
    s.is_by_tag = 1;
    count(&s, m, propensity, left);
    for (size_t t = 0; t < tags; t++) {
        out->by_tag[t] = best_of_tag(&s, m, eligible, t);
    }
    return REGRET_OK;
}
