#include "report/recommend/agents.h"

#include <math.h>
#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "report/tables/means.h"

/* The place of the greatest number but for one place; REGRET_NO_ROW where none is above `floor`. */
static size_t greatest(const double *x, size_t n, size_t but, double floor)
{
    size_t found = REGRET_NO_ROW;
    for (size_t i = 0; i < n; i++) {
        if (i != but && x[i] > (found == REGRET_NO_ROW ? floor : x[found])) {
            found = i;
        }
    }
    return found;
}

static const struct agent_pair NO_PAIR = {.agent = REGRET_NO_ROW,
                                          .other = REGRET_NO_ROW,
                                          .share = NAN,
                                          .gain = NAN,
                                          .low = NAN,
                                          .high = NAN};

/* ---------------------------------------------------------------- of all contexts */

/* The mean of a list over the cells and all seeds. */
static double mean_over_seeds(const struct recommend *s, enum regret_list list, size_t agent)
{
    double sum = 0.0;
    for (size_t seed = 0; seed < s->r->n_seeds; seed++) {
        sum += list_mean(&s->cells, list, s->oracle, agent, seed);
    }
    return sum / (double)s->r->n_seeds;
}

static int has_reference_contexts(const struct regret_results *r)
{
    const cJSON *share = cJSON_GetObjectItemCaseSensitive(r->run.config, "contexts.reference");
    return cJSON_IsNumber(share) && share->valuedouble != 0.0;
}

/* ± as agents.h says; d has room for the seeds. */
static double half_of_gain(double *d, const struct recommend *s, const struct agent_pair *p)
{
    const struct regret_results *r = s->r;
    double held = 0.0, n = (double)s->grid->n_contexts;
    for (size_t seed = 0; seed < r->n_seeds; seed++) {
        d[seed] = list_mean(&s->cells, REGRET_LIST_VALUE, s->oracle, p->agent, seed) -
                  list_mean(&s->cells, REGRET_LIST_VALUE, s->oracle, p->other, seed);
        held = fmax(held, (double)regret_results_list(r, REGRET_LIST_CONTEXT, s->oracle,
                                                      s->cells.cells[0], seed)
                              .n);
    }
    struct paired over_seeds = paired_moments(d, keep_finite(d, r->n_seeds));
    if (over_seeds.n < 2 || held >= n || n < FEW_CONTEXTS || has_reference_contexts(r)) {
        return NAN;
    }
    double of_seeds = over_seeds.se * over_seeds.se * (double)over_seeds.n;
    return half_width(sqrt(of_seeds * held / (1.0 - held / n) / n), over_seeds.n);
}

/* Over all contexts, by the rows. */
static int pair_by_rows(struct agent_pair *out, const struct recommend *s)
{
    FREED double *mean = NULL, *seeds = NULL;
    TRY(REGRET_NEW(&mean, s->grid->n_agents));
    TRY(REGRET_NEW(&seeds, s->r->n_seeds));
    for (size_t a = 0; a < s->grid->n_agents; a++) {
        mean[a] = mean_over_seeds(s, REGRET_LIST_VALUE_GRID, a);
    }
    out->other = greatest(mean, s->grid->n_agents, out->agent, -INFINITY);
    if (out->other != REGRET_NO_ROW) {
        out->gain = mean[out->agent] - mean[out->other];
        double half = half_of_gain(seeds, s, out);
        out->low = out->gain - half;
        out->high = out->gain + half;
        out->told = fabs(out->gain) > half;
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- by the means of the pool */

/* Those of all chosen cells; NULL where the run keeps none or they differ. */
const struct regret_run_means *agents_means(const struct recommend *s)
{
    const struct regret_results *r = s->r;
    size_t first = r->n_means > 0 ? r->cell_means[s->cells.cells[0]] : 0;
    for (size_t i = 1; i < s->cells.n_cells && r->n_means > 0; i++) {
        if (r->cell_means[s->cells.cells[i]] != first) {
            return NULL;
        }
    }
    return r->n_means > 0 ? &r->means[first] : NULL;
}

/* Of few contexts nothing is told. */
static void take_lead(struct agent_pair *p, const struct paired *lead)
{
    int are_enough = lead->n >= FEW_CONTEXTS;
    p->gain = lead->mean;
    p->low = are_enough ? lead->low : (double)NAN;
    p->high = are_enough ? lead->high : (double)NAN;
}

/* In group k of the means: 0 is of all contexts, the others are of tags. `best` is of these means. */
static void pair_by_means(struct agent_pair *p, const struct recommend *s,
                          const struct regret_run_means *m, const struct means_best *best, size_t k)
{
    const double *mean = m->mean + k * m->n_agents;
    const struct paired *lead = &best[k].lead;
    p->other = greatest(mean, m->n_agents, p->agent, -INFINITY);
    if (p->other == REGRET_NO_ROW) {
        return;
    }
    if (best[k].first == p->agent && best[k].second == p->other) {
        take_lead(p, lead);
        p->told = best[k].separable;
        return;
    }
    if (has_strengths(s->r)) {
        return; /* values of votes depend on each other */
    }
    if (m->over != NULL) { /* against the best on the same contexts */
        p->other = best[k].first;
        p->gain = -m->behind[k * m->n_agents + p->agent];
        double half = half_width(m->behind_se[k * m->n_agents + p->agent], (size_t)m->contexts[k]);
        p->low = p->gain - half;
        p->high = p->gain + half;
        return;
    }
    const struct paired apart = means_apart(m, k, p->agent, p->other);
    take_lead(p, &apart);
    p->told = p->low > 0.0 || p->high < 0.0;
}

double agents_mean(const struct recommend *s, size_t agent)
{
    const struct regret_run_means *means = agents_means(s);
    return means != NULL && agent != REGRET_NO_ROW ? means_of(means, 0, agent) : (double)NAN;
}

int agents_single(struct agent_pair *out, const struct recommend *s)
{
    size_t source = recommend_find(s, s->reference[OVER_SINGLE]);
    const struct regret_run_means *means = agents_means(s);
    struct means_best *best = NULL;
    *out = NO_PAIR;
    if (source == s->n_sources) {
        return REGRET_OK;
    }
    const struct recommended *item = recommend_item(s, source, s->grid->n_contexts);
    out->agent = item->agent;
    out->share = item->share;
    if (means != NULL) {
        TRY(means_best(&best, means));
        pair_by_means(out, s, means, best, 0);
        regret_free(best);
    }
    return out->other == REGRET_NO_ROW ? pair_by_rows(out, s) : REGRET_OK;
}

/* ---------------------------------------------------------------- by tag */

int agents_same_tag(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static size_t find_tag(const struct tags_agents *t, const char *tag)
{
    size_t i = 0;
    while (i < t->n && !agents_same_tag(t->items[i].tag, tag)) {
        i++;
    }
    return i;
}

static int number_tags(struct tags_agents *t, const struct recommend *s)
{
    size_t room = 0;
    TRY(REGRET_NEW(&t->of, s->grid->n_contexts));
    for (size_t x = 0; x < s->grid->n_contexts; x++) {
        const char *tag = recommend_tag(s, x);
        size_t i = find_tag(t, tag);
        if (i == t->n) {
            TRY(regret_grow((void **)&t->items, &room, t->n, sizeof *t->items, "tags"));
            t->items[t->n++] = (struct tag_agents){.tag = tag, .pair = NO_PAIR};
        }
        t->of[x] = i;
        t->items[i].contexts++;
    }
    TRY(REGRET_NEW(&t->counts, t->n * s->grid->n_agents));
    for (size_t i = 0; i < t->n; i++) {
        t->items[i].count = t->counts + i * s->grid->n_agents;
    }
    return REGRET_OK;
}

/* Adds what the subject chose to counts[tag × agents]. */
static void count_choices(double *counts, const struct tags_agents *t, const struct recommend *s,
                          size_t subject)
{
    for (size_t i = 0; i < s->cells.n_cells * s->r->n_seeds; i++) {
        size_t cell = s->cells.cells[i % s->cells.n_cells], seed = i / s->cells.n_cells;
        struct regret_list_view x =
            regret_results_list(s->r, REGRET_LIST_CONTEXT, s->oracle, cell, seed);
        struct regret_list_view choice = recommend_choices(s, subject, cell, seed);
        for (size_t k = 0; k < x.n && choice.n == x.n; k++) {
            counts[t->of[(size_t)x.number[k]] * s->grid->n_agents + (size_t)choice.number[k]] +=
                1.0;
        }
    }
}

static void name_agent(struct tag_agents *tag, const struct recommend *s,
                       const struct regret_run_means *means, const struct means_best *best)
{
    size_t n = s->grid->n_agents;
    for (size_t a = 0; a < n; a++) {
        tag->counted += tag->count[a];
    }
    tag->pair.agent = greatest(tag->count, n, REGRET_NO_ROW, 0.0);
    if (tag->pair.agent == REGRET_NO_ROW) {
        return;
    }
    tag->pair.share = tag->count[tag->pair.agent] / tag->counted;
    for (size_t k = 0; means != NULL && k < means->n_tags; k++) {
        if (agents_same_tag(means->tags[k], tag->tag)) {
            pair_by_means(&tag->pair, s, means, best, k + 1);
        }
    }
}

int agents_by_tag(struct tags_agents *out, const struct recommend *s, size_t subject)
{
    const struct regret_run_means *means = agents_means(s);
    FREED struct means_best *best = NULL;
    FREED_BY(tags_agents_free) struct tags_agents t = {0};
    TRY(means != NULL ? means_best(&best, means) : REGRET_OK);
    TRY(number_tags(&t, s));
    count_choices(t.counts, &t, s, subject);
    for (size_t i = 0; i < t.n; i++) {
        name_agent(&t.items[i], s, means, best);
    }
    *out = t;
    t = (struct tags_agents){0};
    return REGRET_OK;
}

void tags_agents_free(struct tags_agents *t)
{
    regret_free(t->items);
    regret_free(t->of);
    regret_free(t->counts);
    *t = (struct tags_agents){0};
}
