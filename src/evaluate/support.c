/* Shares of agents and support of the log. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "evaluate/diagnose.h"
#include "log/log.h"
#include "regret/status.h"
#include "stats/distributions.h"
#include "stats/multiplicity.h"

/* Are agents assigned as often as the stated probabilities say? */

enum { LEAST_ROWS = 8 /* in effect, for a normal approximation */ };

/* What is known of a label: units, and their number in effect, by the probabilities. */
struct share {
    double units;   /* Σ 1 */
    double weight;  /* Σ 1/p: expected is `offered` */
    double square;  /* Σ 1/p² */
    double doubt;   /* Σ (1 − p)/p² */
    double p;       /* two-sided, of this label alone; NaN: not tested */
    double offered; /* units of slates on which it is; without slates all */
};

/* On how many units each could be assigned. */
static int count_offered(struct share *share, const struct regret_log *log,
                         const struct assignment *d)
{
    const uint32_t *offer = log->rows[REGRET_LOG_EXP].offer;
    FREED double *units = NULL;
    TRY(REGRET_NEW(&units, log->n_offers));
    for (size_t u = 0; u < d->n_units && offer != NULL; u++) {
        units[offer[d->first[u]]] += 1.0;
    }
    for (size_t l = 0; l < d->n_labels; l++) {
        share[l].offered = offer == NULL ? (double)d->n_units : 0.0;
        for (size_t o = 0; o < log->n_offers && offer != NULL; o++) {
            share[l].offered += is_on(log, o, d->agent[l]) ? units[o] : 0.0;
        }
    }
    return REGRET_OK;
}

/* Where slates come again an agent's count is a sum of binomial ones, over those on which it has been and that are large enough for it. */
static int count_slates(struct share *share, const struct regret_log *log,
                        const struct assignment *d)
{
    enum { EXPECTED = 5 };
    size_t n_labels = d->n_labels, n_cells = d->n_strata * n_labels;
    FREED double *p = NULL, *seen = NULL, *units = NULL;
    TRY(REGRET_NEW(&p, n_cells));
    TRY(REGRET_NEW(&seen, n_cells));
    TRY(REGRET_NEW(&units, d->n_strata));
    for (size_t u = 0; u < d->n_units; u++) {
        size_t at = d->stratum[u] * n_labels + d->label[u];
        p[at] = log->rows[REGRET_LOG_EXP].propensity[d->first[u]];
        seen[at] += 1.0;
        units[d->stratum[u]] += 1.0;
    }
    for (size_t l = 0; l < n_labels; l++) {
        double count = 0.0, expected = 0.0, v = 0.0, n = share[l].offered;
        for (size_t s = 0; s < d->n_strata; s++) {
            double q = p[s * n_labels + l];
            int counts = q * units[s] >= EXPECTED;
            count += counts ? seen[s * n_labels + l] : 0.0;
            expected += counts ? q * units[s] : 0.0;
            v += counts ? q * (1.0 - q) * units[s] : 0.0;
        }
        share[l].weight = expected > 0.0 ? n * count / expected : n;
        share[l].doubt = expected > 0.0 ? v * n * share[l].weight / (expected * expected) : 0.0;
        share[l].p = v > 0.0 && expected >= LEAST_ROWS
                         ? normal_two_sided((count - expected) / sqrt(v))
                         : (double)NAN;
    }
    return REGRET_OK;
}

/* Where an agent has one probability its count is binomial. Otherwise Σ 1/p has the mean n, units on which it was on offer, and, p as they come, about the
 * variance Σ (1 − p)/p², which is brought to n units: an agent that came too seldom has too little of both. */
static void test_label(struct share *s, const struct assignment *d, size_t label)
{
    double n = s->offered, p = d->probability[label];
    if (d->kind == ASSIGNMENT_ALIKE) {
        s->p = binomial_two_sided((size_t)s->units, (size_t)n, p);
        return;
    }
    double v = s->doubt * n / s->weight, rows = s->weight * s->weight / s->square;
    s->p = NAN;
    if (v > 0.0 && rows >= LEAST_ROWS) {
        s->p = normal_two_sided(normal_of_student((s->weight - n) / sqrt(v), rows - 1.0));
    }
}

static int count(struct share *share, const struct regret_log *log, const struct assignment *d)
{
    const struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    TRY(count_offered(share, log, d));
    for (size_t u = 0; u < d->n_units; u++) {
        struct share *s = &share[d->label[u]];
        double p = exp->propensity[d->first[u]];
        s->units += 1.0;
        s->weight += 1.0 / p;
        s->square += 1.0 / (p * p);
        s->doubt += (1.0 - p) / (p * p);
    }
    for (size_t l = 0; l < d->n_labels && d->kind != ASSIGNMENT_BY_SLATE; l++) {
        test_label(&share[l], d, l);
    }
    return d->kind == ASSIGNMENT_BY_SLATE ? count_slates(share, log, d) : REGRET_OK;
}

static double smallest(size_t *at, const struct share *share, const struct assignment *d)
{
    double p = NAN, tests = 0.0;
    *at = 0;
    for (size_t l = 0; l < d->n_labels; l++) {
        tests += !isnan(share[l].p);
        if (!isnan(share[l].p) && (isnan(p) || share[l].p < p)) {
            p = share[l].p;
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

/* Of the label that is off most clearly, if any is tested. */
static void tell(struct findings *f, const struct asked *a, const struct assignment *d,
                 const struct share *share)
{
    size_t worst;
    double p = smallest(&worst, share, d);
    if (isnan(p)) {
        return;
    }
    const struct share *s = &share[worst];
    struct finding *entry =
        findings_add(f, "shares",
                     "units of an agent over those that its probability makes expected, the "
                     "clearest");
    double half = 1.96 * sqrt(s->doubt / (s->weight * s->offered));
    entry->value = s->weight / s->offered;
    entry->low = entry->value - half;
    entry->high = entry->value + half;
    entry->p = p;
    regret_buffer_append(
        &entry->fine,
        "Agents are assigned as often as their probabilities say; the farthest off is ");
    regret_buffer_append(&entry->found,
                         "Agents are not assigned as often as their probabilities say: ");
    struct regret_buffer *both[] = {&entry->fine, &entry->found};
    for (size_t i = 0; i < 2; i++) {
        say_agent(both[i], a->log, d->agent[worst]);
        regret_buffer_printf(both[i], " with %.0f of %.0f %s, %.2f times what was to be expected.",
                             s->units, s->offered, d->by_cluster ? "clusters" : "rows",
                             entry->value);
    }
    regret_buffer_append(&entry->found,
                         a->log->is_uniform
                             ? " EXP gave no probabilities and was taken as uniform: name the "
                               "column of probabilities."
                             : " The probabilities are wrong, or an agent cannot be assigned "
                               "everywhere: correct them; values that weigh by them are off by "
                               "that factor.");
}

/* Agents with their shares of the rows, for chances that nobody gave. */
static void tell_seen(struct findings *f, const struct regret_log *log)
{
    enum { FEW = 4 };
    const struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    struct finding *entry =
        findings_add(f, "shares", "least share of EXP's rows that an agent has");
    size_t told = 0, i;
    entry->verdict = REGRET_DIAGNOSTIC_CAUTION;
    entry->value = 1.0;
    regret_buffer_append(&entry->fine,
                         "EXP gives no probabilities, and no equal shares of its rows: ");
    for (size_t a = 0; a < log->n_agents; a++) {
        for (i = 0; i < exp->n && exp->agent[i] != a; i++) {
        }
        if (i == exp->n) {
            continue;
        }
        entry->value = fmin(entry->value, exp->propensity[i]);
        if (told++ < FEW) {
            regret_buffer_append(&entry->fine, told > 1 ? ", " : "");
            say_agent(&entry->fine, log, a);
            regret_buffer_printf(&entry->fine, " %.3g %%", 100.0 * exp->propensity[i]);
        }
    }
    regret_buffer_append(&entry->fine, told > FEW ? ", …" : "");
    regret_buffer_append(&entry->fine,
                         ". They are taken as assigned with these chances, the same for every "
                         "request. If others were meant, rows are missing: say which in "
                         "evaluate.json, \"exp.shares\": {\"AGENT\": 0.5, …}.");
}

static const char OF_SLATES[] = " Values of an agent are of requests where it is on offer, "
                                "differences of those where both are.";

/* The trial stands, and says nothing of where an agent was not on offer. */
static void tell_offers(struct findings *f, const struct asked *a, const struct assignment *d,
                        const struct share *share)
{
    size_t least = 0;
    for (size_t l = 0; l < d->n_labels; l++) {
        least = share[l].offered < share[least].offered ? l : least;
    }
    if (share[least].offered >= (double)d->n_units) {
        return;
    }
    struct finding *entry =
        findings_add(f, "shares.slates", "share of units in whose slates an agent is, the least");
    entry->value = share[least].offered / (double)d->n_units;
    entry->verdict = REGRET_DIAGNOSTIC_CAUTION;
    log_say(&entry->fine, a->log, "Not every agent is on every slate: @",
            (const size_t[]){d->agent[least]});
    regret_buffer_printf(&entry->fine, " was on offer in %.0f of %zu %s.%s", share[least].offered,
                         d->n_units, d->by_cluster ? "clusters" : "rows", OF_SLATES);
}

/* Outcomes of an agent on a tag and a slate. */
struct moments {
    double n, sum, square;
};

/* Σ over agents and tags of what slates differ by, in variances within them: χ² of *df where they do not matter. */
static double differ_by(double *df, const struct moments *cell, size_t n_groups, size_t n_slates)
{
    enum { LEAST_WITHIN = 20 };
    double q = 0.0;
    *df = 0.0;
    for (size_t g = 0; g < n_groups; g++) {
        struct moments all = {0.0, 0.0, 0.0};
        double between = 0.0, slates = 0.0;
        for (size_t s = 0; s < n_slates; s++) {
            const struct moments *c = &cell[g * n_slates + s];
            all.n += c->n;
            all.sum += c->sum;
            all.square += c->square;
            between += c->n > 0.0 ? c->sum * c->sum / c->n : 0.0;
            slates += c->n > 0.0;
        }
        double within = all.square - between;
        if (slates > 1.0 && all.n - slates >= LEAST_WITHIN && within > 1e-12 * all.square) {
            q += (between - all.sum * all.sum / all.n) * (all.n - slates) / within;
            *df += slates - 1.0;
        }
    }
    return q;
}

/* Where slates go with what moves outcomes, values of agents of different slates are of different requests. */
static int ask_by_slate(struct findings *f, const struct regret_log *log)
{
    const struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    size_t n_tags = log->tag != NULL ? log->n_tags : 1, groups = log->n_agents * n_tags;
    FREED struct moments *cell = NULL;
    double df;
    if (groups * log->n_slates > 1 << 22) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&cell, groups * log->n_slates));
    for (size_t i = 0; i < exp->n; i++) {
        size_t tag = log->tag != NULL ? log->tag[exp->context[i]] : 0;
        size_t group = exp->agent[i] * n_tags + tag;
        struct moments *c = &cell[group * log->n_slates + exp->slate[i]];
        c->n += 1.0;
        c->sum += exp->outcome[i];
        c->square += exp->outcome[i] * exp->outcome[i];
    }
    double q = differ_by(&df, cell, groups, log->n_slates);
    if (df == 0.0) {
        return REGRET_OK;
    }
    struct finding *entry = findings_add(
        f, "shares.outcome", "variance of an agent's outcomes between slates over that within");
    entry->value = q / df;
    entry->p = 1.0 - chi_square_cdf(q, df);
    entry->most =
        REGRET_DIAGNOSTIC_CAUTION; /* differences are of rows in which both were on offer */
    regret_buffer_append(&entry->fine,
                         "An agent's outcomes do not depend visibly on the slate it was on.");
    regret_buffer_append(
        &entry->found,
        "Outcomes of one agent differ between slates: what decides who is on offer (the time, a "
        "kind of request) moves them, too. Values of agents are of different requests then: "
        "compare "
        "by differences, which are of those where both were on offer.");
    return REGRET_OK;
}

int ask_shares(struct findings *f, const struct asked *a)
{
    FREED_BY(assignment_free) struct assignment d = {0};
    FREED struct share *share = NULL;
    if (!a->has[REGRET_LOG_EXP]) {
        return REGRET_OK;
    }
    TRY(assignment_build(&d, a->log, a->order));
    TRY(REGRET_NEW(&share, d.n_labels));
    if (a->log->has_seen_shares) {
        tell_seen(f, a->log);
        return REGRET_OK;
    }
    TRY(count(share, a->log, &d));
    tell(f, a, &d, share);
    tell_offers(f, a, &d, share);
    if (d.kind == ASSIGNMENT_BY_SLATE) {
        TRY(ask_by_slate(f, a->log));
    } else if (!a->log->is_slated) {
        tell_sum(f, &d);
    }
    return REGRET_OK;
}

/* Does the trial reach every agent, with how many rows in effect? */

/* Rows that a cell is to have by chance before having none of them is no accident (e^-20). */
static const double surely = 20.0;
/* Kish's number of rows over rows, and the weight of one row, that are told. */
static const double few_in_effect = 0.25, heavy_row = 0.2;
enum { FEW_ROWS = 10 };

/* Agents of which `is_named` says so, at most five by name. */
static void say_agents(struct regret_buffer *text, const struct regret_log *log,
                       const struct cells *c, size_t n_missing)
{
    size_t told = 0;
    for (size_t a = 0; a < log->n_agents && told < 5; a++) {
        if (c->at[a].rows[REGRET_LOG_EXP] == 0) {
            regret_buffer_append(text, told++ > 0 ? ", " : "");
            say_agent(text, log, a);
        }
    }
    if (n_missing > told) {
        regret_buffer_printf(text, " and %zu more", n_missing - told);
    }
}

static void tell_agents(struct findings *f, const struct regret_log *log, const struct cells *c)
{
    struct finding *found = findings_add(f, "support", "agents without EXP rows");
    size_t missing = 0, least = SIZE_MAX, fewest = 0;
    for (size_t a = 0; a < log->n_agents; a++) {
        size_t n = c->at[a].rows[REGRET_LOG_EXP];
        missing += n == 0;
        if (n > 0 && n < least) {
            least = n;
            fewest = a;
        }
    }
    found->value = (double)missing;
    found->verdict = log->n_agents - missing < 2 ? REGRET_DIAGNOSTIC_NO
                     : missing > 0               ? REGRET_DIAGNOSTIC_CAUTION
                                                 : REGRET_DIAGNOSTIC_FINE;
    regret_buffer_printf(&found->fine, "All %zu agents have EXP rows, the fewest ", log->n_agents);
    say_agent(&found->fine, log, fewest);
    regret_buffer_printf(&found->fine, ", %zu.", least);
    regret_buffer_printf(&found->found, "%zu of %zu agents have no EXP rows: ", missing,
                         log->n_agents);
    say_agents(&found->found, log, c, missing);
    regret_buffer_append(&found->found, ". What they are worth rests on the log alone: assign them "
                                        "in the trial, or leave them out of the choice.");
}

/* The agent and tag of which the most rows were to be expected among those without any; their number. */
static size_t find_hole(size_t *at, double *expected, const struct cells *by_tag,
                        enum regret_log_source source)
{
    size_t n_tags = by_tag->n_tags, n_agents = by_tag->log->n_agents, holes = 0;
    double n = (double)by_tag->log->rows[source].n;
    *expected = 0.0;
    for (size_t a = 0; a < n_agents; a++) {
        double of_agent = 0.0;
        for (size_t t = 0; t < n_tags; t++) {
            of_agent += (double)by_tag->at[a * n_tags + t].rows[source];
        }
        for (size_t t = 0; t < n_tags; t++) {
            double of_tag = 0.0;
            if (of_agent == 0.0 || by_tag->at[a * n_tags + t].rows[source] > 0) {
                continue;
            }
            for (size_t b = 0; b < n_agents; b++) {
                of_tag += (double)by_tag->at[b * n_tags + t].rows[source];
            }
            double by_chance = of_agent * of_tag / n;
            holes += by_chance >= surely;
            if (by_chance > *expected) {
                *expected = by_chance;
                *at = a * n_tags + t;
            }
        }
    }
    return holes;
}

static void tell_tags(struct findings *f, const struct regret_log *log, const struct cells *by_tag,
                      enum regret_log_source source)
{
    int is_exp = source == REGRET_LOG_EXP;
    const char *name = is_exp ? "EXP" : "OBS";
    size_t at = 0;
    double expected;
    struct finding *found =
        findings_add(f, is_exp ? "support.tag" : "overlap.tag",
                     "agents and tags without rows where chance would give 20 or more");
    size_t holes = find_hole(&at, &expected, by_tag, source);
    found->value = (double)holes;
    found->verdict = holes == 0 ? REGRET_DIAGNOSTIC_FINE
                     : is_exp   ? REGRET_DIAGNOSTIC_NO
                                : REGRET_DIAGNOSTIC_CAUTION;
    regret_buffer_printf(
        &found->fine,
        "No agent is missing from %s on a tag where chance would give it 20 rows or more.", name);
    regret_buffer_printf(&found->found, "%zu agent%s missing from %s on a tag, the clearest ",
                         holes, holes == 1 ? " is" : "s are", name);
    say_agent(&found->found, log, at / by_tag->n_tags);
    regret_buffer_append(&found->found, " on ");
    say_tag(&found->found, log, at % by_tag->n_tags);
    regret_buffer_printf(&found->found,
                         ", where chance would give %.0f rows. Nothing is known of it there: leave "
                         "it out for that tag.",
                         expected);
}

/* 1 for the first of the holes at one place. */
static int is_first_there(const struct regret_log *log, size_t k)
{
    size_t first = 0;
    while (strcmp(log->hole[first].where, log->hole[k].where) != 0) {
        first++;
    }
    return first == k;
}

/* "a, b and 3 more where kind = easy (739 of 1500 requests)": all agents that are missing at the place of a hole. */
static void say_hole(struct regret_buffer *text, const struct regret_log *log, size_t k, size_t n)
{
    enum { FEW = 3 };
    size_t agents = 0;
    for (size_t h = k; h < log->n_holes; h++) {
        if (strcmp(log->hole[h].where, log->hole[k].where) == 0 && agents++ < FEW) {
            regret_buffer_append(text, agents > 1 ? ", " : "");
            say_agent(text, log, log->hole[h].agent);
        }
    }
    regret_buffer_printf(text, agents > FEW ? " and %zu more where " : " where ", agents - FEW);
    regret_buffer_append_safe(text, log->hole[k].where, 80);
    regret_buffer_printf(text, " (%zu of %zu requests", log->hole[k].rows, n);
    regret_buffer_printf(text, log->hole[k].own > 0 ? ", %zu its own)" : ")", log->hole[k].own);
}

/* Where a log alone has agents never: the largest such kinds. */
static void tell_holes(struct findings *f, const struct regret_log *log)
{
    enum { TOLD = 3 };
    size_t n = kept_rows(log, REGRET_LOG_OBS), places = 0;
    struct finding *found = findings_add(
        f, "overlap", "kinds of requests on which an agent has no rows, or hardly any");
    found->verdict = REGRET_DIAGNOSTIC_NO;
    regret_buffer_append(&found->fine, "The log never gave agents some kinds of requests, and does "
                                       "not say what they are worth there: ");
    for (size_t k = 0; k < log->n_holes; k++) {
        int is_first = is_first_there(log, k);
        places += (size_t)is_first;
        if (is_first && places <= TOLD) {
            regret_buffer_append(&found->fine, places > 1 ? "; " : "");
            say_hole(&found->fine, log, k, n);
        }
    }
    found->value = (double)places;
    if (places > TOLD) {
        regret_buffer_printf(&found->fine, "; and %zu more", places - TOLD);
    }
    regret_buffer_append(&found->fine, ". No value over all requests is told of them; differences "
                                       "are of kinds that both have had. Assign a few of the "
                                       "others at random.");
}

static void tell_weights(struct findings *f, const struct regret_log *log, const struct cells *c,
                         const double *largest, enum regret_log_source source)
{
    int is_exp = source == REGRET_LOG_EXP;
    size_t worst = log->n_agents, heavy = 0;
    double share = 2.0;
    for (size_t a = 0; a < log->n_agents; a++) {
        double n = (double)c->at[a].rows[source];
        double ratio = n > 0.0 ? cell_effective_rows(&c->at[a], source) / n : 2.0;
        heavy = largest[a] > largest[heavy] ? a : heavy;
        if (ratio < share) {
            share = ratio;
            worst = a;
        }
    }
    if (worst == log->n_agents) {
        return;
    }
    const struct cell *cell = &c->at[worst];
    struct finding *found = findings_add(
        f, is_exp ? "weights" : "overlap",
        "effective share of an agent's rows, the least, after weighting by 1/probability");
    int is_heavy = largest[heavy] > heavy_row && c->at[heavy].rows[source] >= FEW_ROWS;
    found->value = share;
    found->verdict = largest[heavy] > 0.5 && is_heavy    ? REGRET_DIAGNOSTIC_NO
                     : share < few_in_effect || is_heavy ? REGRET_DIAGNOSTIC_CAUTION
                                                         : REGRET_DIAGNOSTIC_FINE;
    say_agent(&found->fine, log, worst);
    regret_buffer_printf(&found->fine,
                         " has %zu %s rows that count as %.1f after weighting by 1/probability "
                         "(%.0f %%), no agent fewer; the "
                         "heaviest row makes %.1f %% of its agent, ",
                         cell->rows[source], is_exp ? "EXP" : "OBS",
                         cell_effective_rows(cell, source), 100.0 * share, 100.0 * largest[heavy]);
    say_agent(&found->fine, log, heavy);
    regret_buffer_append(
        &found->fine,
        found->verdict == REGRET_DIAGNOSTIC_FINE
            ? "."
            : ". Few rows decide: look whether these probabilities are right, and do not assign "
              "with smaller ones.");
}

/* The share of its agent's weight that the heaviest row has. */
static void find_heaviest(double *largest, const struct cells *c, enum regret_log_source source)
{
    for (size_t i = 0; i < c->log->rows[source].n; i++) {
        size_t a = c->log->rows[source].agent[i];
        largest[a] = fmax(largest[a], cell_weight(c, source, i) / c->at[a].weight[source]);
    }
}

static void ask_source(struct findings *f, const struct regret_log *log, const struct cells *c,
                       const struct cells *by_tag, double *largest, enum regret_log_source source)
{
    if (source == REGRET_LOG_EXP) {
        tell_agents(f, log, c);
    }
    if (log->n_holes > 0) {
        tell_holes(f, log);
    } else if (by_tag->n_tags > 1) {
        tell_tags(f, log, by_tag, source);
    }
    if (log->rows[source].propensity) {
        find_heaviest(largest, c, source);
        tell_weights(f, log, c, largest, source);
    }
}

int ask_support(struct findings *f, const struct asked *a)
{
    const struct regret_log *log = a->log;
    enum regret_log_source source = a->has[REGRET_LOG_EXP] ? REGRET_LOG_EXP : REGRET_LOG_OBS;
    int has_tags = log->tag && log->n_tags > 1 && log->n_agents * log->n_tags <= 1 << 20;
    FREED_BY(cells_free) struct cells agents = {0};
    FREED_BY(cells_free) struct cells by_tag = {0};
    FREED double *largest = NULL;
    TRY(cells_build(&agents, log, 0, 1));
    TRY(cells_build(&by_tag, log, has_tags, 1));
    TRY(REGRET_NEW(&largest, log->n_agents));
    ask_source(f, log, &agents, &by_tag, largest, source);
    return REGRET_OK;
}
