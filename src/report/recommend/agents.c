#include "report/recommend/agents.h"

#include <math.h>
#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "regret/alloc.h"

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

static const struct agent_pair NO_PAIR = {
    .agent = REGRET_NO_ROW, .other = REGRET_NO_ROW, .share = NAN, .gain = NAN, .half = NAN};

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

int agents_single(struct agent_pair *out, const struct recommend *s)
{
    size_t source = recommend_find(s, s->reference[OVER_SINGLE]);
    double *mean = NULL, *seeds = NULL;
    int rc;
    *out = NO_PAIR;
    if (source == s->n_sources) {
        return REGRET_OK;
    }
    const struct recommended *item = recommend_item(s, source, s->grid->n_contexts);
    TRY_CLEANUP(REGRET_NEW(&mean, s->grid->n_agents));
    TRY_CLEANUP(REGRET_NEW(&seeds, s->r->n_seeds));
    for (size_t a = 0; a < s->grid->n_agents; a++) {
        mean[a] = mean_over_seeds(s, REGRET_LIST_VALUE_GRID, a);
    }
    out->agent = item->agent;
    out->share = item->share;
    out->n = s->grid->n_contexts;
    out->other = greatest(mean, s->grid->n_agents, out->agent, -INFINITY);
    if (out->other != REGRET_NO_ROW) {
        out->gain = mean[out->agent] - mean[out->other];
        out->half = half_of_gain(seeds, s, out);
    }
cleanup:
    regret_free(mean);
    regret_free(seeds);
    return rc;
}

/* ---------------------------------------------------------------- by tag */

static size_t find_tag(const struct tags_agents *t, const char *tag)
{
    size_t i = 0;
    while (i < t->n && (t->items[i].tag == NULL || tag == NULL ? t->items[i].tag != tag
                                                                : strcmp(t->items[i].tag, tag) != 0)) {
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
        struct regret_list_view choice =
            regret_results_list(s->r, REGRET_LIST_CHOICE, subject, cell, seed);
        for (size_t k = 0; k < x.n && choice.n == x.n; k++) {
            counts[t->of[(size_t)x.number[k]] * s->grid->n_agents + (size_t)choice.number[k]] +=
                1.0;
        }
    }
}

/* A baseline that knows no more of a context than its tag. */
static int is_by_tag(const struct recommend *s, size_t subject)
{
    return s->r->subjects[subject].kind == REGRET_ROW_BASELINE &&
           strncmp(s->r->subjects[subject].name, "best-", strlen("best-")) == 0;
}

/* What agents are worth in a cell, as far as one that chooses by tag chose them: known[context × agents], else NaN. */
static void read_values(double *known, const struct recommend *s, size_t cell)
{
    const struct regret_results *r = s->r;
    for (size_t i = 0; i < s->grid->n_contexts * s->grid->n_agents; i++) {
        known[i] = NAN;
    }
    for (size_t j = s->n_families + 1; j < s->n_sources; j++) {
        for (size_t seed = 0; seed < r->n_seeds && is_by_tag(s, s->subject[j]); seed++) {
            struct regret_list_view x =
                regret_results_list(r, REGRET_LIST_CONTEXT, s->oracle, cell, seed);
            struct regret_list_view best =
                regret_results_list(r, REGRET_LIST_BEST, s->oracle, cell, seed);
            struct regret_list_view choice =
                regret_results_list(r, REGRET_LIST_CHOICE, s->subject[j], cell, seed);
            struct regret_list_view loss =
                regret_results_list(r, REGRET_LIST_LOSS, s->subject[j], cell, seed);
            for (size_t k = 0; k < x.n && loss.n == x.n && choice.n == x.n && best.n == x.n; k++) {
                known[(size_t)x.number[k] * s->grid->n_agents + (size_t)choice.number[k]] =
                    best.number[k] - loss.number[k];
            }
        }
    }
}

/* Means over the cells in which both of a tag's agents are known on the context. */
struct gains {
    double *known, *sum, *times;
};

static void gains_free(struct gains *g)
{
    regret_free(g->known);
    regret_free(g->sum);
    regret_free(g->times);
}

static void add_gains(struct gains *g, const struct tags_agents *t, const struct recommend *s)
{
    for (size_t x = 0; x < s->grid->n_contexts; x++) {
        const struct agent_pair *p = &t->items[t->of[x]].pair;
        const double *known = g->known + x * s->grid->n_agents;
        if (p->other != REGRET_NO_ROW && isfinite(known[p->agent] - known[p->other])) {
            g->sum[x] += known[p->agent] - known[p->other];
            g->times[x] += 1.0;
        }
    }
}

/* Over the contexts of a tag; `x` has room for all contexts. */
static void sum_up(struct agent_pair *pair, const struct gains *g, const struct tags_agents *t,
                   size_t tag, size_t n_contexts, double *x)
{
    size_t n = 0;
    for (size_t i = 0; i < n_contexts; i++) {
        if (t->of[i] == tag && g->times[i] > 0.0) {
            x[n++] = g->sum[i] / g->times[i];
        }
    }
    struct paired p = paired_moments(x, n);
    pair->n = n;
    pair->gain = p.mean;
    pair->half = n >= FEW_CONTEXTS ? half_width(p.se, n) : (double)NAN;
}

static int gain_by_tag(struct tags_agents *t, const struct recommend *s)
{
    struct gains g = {0};
    double *x = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&g.known, s->grid->n_contexts * s->grid->n_agents));
    TRY_CLEANUP(REGRET_NEW(&g.sum, s->grid->n_contexts));
    TRY_CLEANUP(REGRET_NEW(&g.times, s->grid->n_contexts));
    TRY_CLEANUP(REGRET_NEW(&x, s->grid->n_contexts));
    for (size_t i = 0; i < s->cells.n_cells; i++) {
        read_values(g.known, s, s->cells.cells[i]);
        add_gains(&g, t, s);
    }
    for (size_t i = 0; i < t->n; i++) {
        sum_up(&t->items[i].pair, &g, t, i, s->grid->n_contexts, x);
    }
cleanup:
    gains_free(&g);
    regret_free(x);
    return rc;
}

static void name_agents(struct tag_agents *tag, const double *rivals, size_t n)
{
    for (size_t a = 0; a < n; a++) {
        tag->counted += tag->count[a];
    }
    size_t agent = greatest(tag->count, n, REGRET_NO_ROW, 0.0);
    if (agent != REGRET_NO_ROW) {
        tag->pair.agent = agent;
        tag->pair.share = tag->count[agent] / tag->counted;
        tag->pair.other = rivals != NULL ? greatest(rivals, n, agent, 0.0) : REGRET_NO_ROW;
    }
}

int agents_by_tag(struct tags_agents *out, const struct recommend *s, size_t subject)
{
    struct tags_agents t = {0};
    double *rivals = NULL;
    size_t n = s->grid->n_agents;
    int rc, by_tag = is_by_tag(s, subject);
    TRY_CLEANUP(number_tags(&t, s));
    TRY_CLEANUP(REGRET_NEW(&rivals, t.n * n));
    count_choices(t.counts, &t, s, subject);
    for (size_t j = s->n_families + 1; j < s->n_sources && by_tag; j++) {
        if (is_by_tag(s, s->subject[j])) {
            count_choices(rivals, &t, s, s->subject[j]);
        }
    }
    for (size_t i = 0; i < t.n; i++) {
        name_agents(&t.items[i], by_tag ? rivals + i * n : NULL, n);
    }
    TRY_CLEANUP(by_tag ? gain_by_tag(&t, s) : REGRET_OK);
    *out = t;
    t = (struct tags_agents){0};
cleanup:
    tags_agents_free(&t);
    regret_free(rivals);
    return rc;
}

void tags_agents_free(struct tags_agents *t)
{
    regret_free(t->items);
    regret_free(t->of);
    regret_free(t->counts);
    *t = (struct tags_agents){0};
}
