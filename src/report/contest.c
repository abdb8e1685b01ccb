#include "report/contest.h"

#include <cJSON.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "regret/status.h"
#include "report/internal.h"
#include "report/recommend.h"

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

static const double MOSTLY_INVENTED = 0.5;
static const double ALL_EQUAL = 1e-12; /* what rounding leaves of a difference that is none */

/* ---------------------------------------------------------------- who stands for a rule */

/* Sums of losses by part. */
struct by_part {
    double loss[RULE_PARTS], count[RULE_PARTS];
};

/* 0 where a replicate of the oracle's lacks the subject's: means would not be of the same contexts. */
static int add_losses(struct by_part *sum, const struct recommend *s, size_t subject)
{
    for (size_t i = 0; i < s->cells.n_cells * s->r->n_seeds; i++) {
        size_t cell = s->cells.cells[i % s->cells.n_cells], seed = i / s->cells.n_cells;
        struct regret_list_view x =
            regret_results_list(s->r, REGRET_LIST_CONTEXT, s->oracle, cell, seed);
        struct regret_list_view loss =
            regret_results_list(s->r, REGRET_LIST_LOSS, subject, cell, seed);
        if (loss.n != x.n) {
            return 0;
        }
        for (size_t k = 0; k < x.n; k++) {
            size_t part = (size_t)x.number[k] % RULE_PARTS;
            sum->loss[part] += loss.number[k];
            sum->count[part] += 1.0;
        }
    }
    return 1;
}

/* The mean loss but for one part; of RULE_PARTS on all. */
static double loss_without(const struct by_part *sum, size_t part)
{
    double loss = 0.0, count = 0.0;
    for (size_t i = 0; i < RULE_PARTS; i++) {
        loss += i != part ? sum->loss[i] : 0.0;
        count += i != part ? sum->count[i] : 0.0;
    }
    return loss / count;
}

/* The rule of the best of n subjects; equals: the first. */
static void choose_subject(struct ruling *rule, const struct recommend *s, const size_t *subjects,
                           size_t n)
{
    double least[RULE_PARTS + 1] = {0.0};
    for (size_t i = 0; i < n; i++) {
        struct by_part sum = {{0}, {0}};
        if (!add_losses(&sum, s, subjects[i])) {
            continue;
        }
        for (size_t part = 0; part <= RULE_PARTS; part++) {
            double mean = loss_without(&sum, part);
            if (rule->known && !mean_is_below(mean, least[part])) {
                continue;
            }
            least[part] = mean;
            *(part < RULE_PARTS ? &rule->by_part[part] : &rule->named) = subjects[i];
        }
        rule->known = 1;
    }
}

/* The single agent is that of the run's headline, for all parts: both were learnt, and the better of two is hard to beat. */
static void choose_single(struct ruling *rule, const struct recommend *s)
{
    size_t single = s->reference[OVER_SINGLE];
    if (single != REGRET_NO_ROW) {
        choose_subject(rule, s, &single, 1);
    }
}

/* The baselines by tag, which are sources. `out` has room for all of them. */
static size_t by_tag_baselines(size_t *out, const struct recommend *s)
{
    size_t n = 0;
    for (size_t i = s->n_families + 1; i < s->n_sources; i++) {
        if (s->r->subjects[s->subject[i]].rule == REGRET_RULE_BY_TAG) {
            out[n++] = s->subject[i];
        }
    }
    return n;
}

/* The families of the run without those that seem to have seen what was held out: no new request is known to them.
 * `out` has room for all. */
static size_t honest_families(size_t *out, const struct recommend *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_families; i++) {
        if (s->leaks[i] != LEAKS_LIKELY) {
            out[n++] = s->subject[i];
        }
    }
    return n;
}

static int choose_rules(struct contest *rules, const struct recommend *s)
{
    size_t *subjects = NULL, stack = regret_results_subject(s->r, REGRET_ROW_FAMILY, "stack");
    struct ruling *by_request = &rules->item[REGRET_ADVICE_BY_REQUEST];
    choose_single(&rules->item[REGRET_ADVICE_ONE_AGENT], s);
    TRY(REGRET_NEW(&subjects, s->n_sources));
    choose_subject(&rules->item[REGRET_ADVICE_BY_TAG], s, subjects, by_tag_baselines(subjects, s));
    if (stack != REGRET_NO_ROW) {
        choose_subject(by_request, s, &stack, 1);
    }
    if (!by_request->known) {
        choose_subject(by_request, s, subjects, honest_families(subjects, s));
    }
    regret_free(subjects);
    for (size_t i = 0; i < REGRET_N_ADVICE; i++) {
        rules->n_known += (size_t)rules->item[i].known;
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- comparisons */

/* What is compared: gain of `rule` over the other; `other` NULL: its value. */
struct sides {
    const size_t *rule, *other; /* [RULE_PARTS] subjects */
};

/* The gains on the held-out contexts of a replicate, into x; 0 where a list is missing. */
static int read_gains(double *x, const struct recommend *s, const struct sides *sides, size_t cell,
                      size_t seed, const struct regret_list_view *context)
{
    for (size_t k = 0; k < context->n; k++) {
        size_t part = (size_t)context->number[k] % RULE_PARTS;
        struct regret_list_view own =
            regret_results_list(s->r, REGRET_LIST_LOSS, sides->rule[part], cell, seed);
        struct regret_list_view other =
            sides->other != NULL
                ? regret_results_list(s->r, REGRET_LIST_LOSS, sides->other[part], cell, seed)
                : regret_results_list(s->r, REGRET_LIST_BEST, s->oracle, cell, seed);
        if (own.n != context->n || other.n != context->n) {
            return 0;
        }
        x[k] = other.number[k] - own.number[k];
    }
    return context->n > 0;
}

static int gather(struct held_out *h, double *x, const struct recommend *s,
                  const struct sides *sides)
{
    for (size_t seed = 0; seed < s->r->n_seeds; seed++) {
        double sum = 0.0;
        for (size_t i = 0; i < s->cells.n_cells; i++) {
            size_t cell = s->cells.cells[i];
            struct regret_list_view context =
                regret_results_list(s->r, REGRET_LIST_CONTEXT, s->oracle, cell, seed);
            double mean = 0.0;
            if (!read_gains(x, s, sides, cell, seed, &context)) {
                sum = NAN;
                continue;
            }
            for (size_t k = 0; k < context.n; k++) {
                mean += x[k] / (double)context.n;
            }
            held_out_add(h, &context, x);
            sum += mean;
        }
        TRY(held_out_seed(h, sum, (double)s->cells.n_cells));
    }
    return REGRET_OK;
}

static int compare(struct rule_gain *out, const struct contest *rules, const struct recommend *s,
                   const struct sides *sides)
{
    FREED_BY(held_out_free) struct held_out h = {0};
    FREED double *x = NULL;
    TRY(REGRET_NEW(&x, s->grid->n_contexts));
    TRY(held_out_begin(&h, s->grid->n_contexts, s->r->n_seeds));
    TRY(gather(&h, x, s, sides));
    TRY(held_out_interval(&out->w, &h));
    double half = two_way_half(&out->w, rules->alone);
    out->low = out->w.mean - half;
    out->high = out->w.mean + half;
    out->told = out->low > 0.0 ? 1 : out->high < 0.0 ? -1 : 0;
    return REGRET_OK;
}

/* Against a subject that is one and the same on all parts. */
static int compare_to(struct rule_gain *out, const struct contest *rules, const struct recommend *s,
                      const struct ruling *rule, size_t subject)
{
    size_t other[RULE_PARTS];
    const struct sides sides = {rule->by_part, other};
    *out = (struct rule_gain){
        .w = {.mean = NAN, .se = NAN, .low = NAN, .high = NAN}, .low = NAN, .high = NAN};
    for (size_t i = 0; i < RULE_PARTS; i++) {
        other[i] = subject;
    }
    return subject != REGRET_NO_ROW ? compare(out, rules, s, &sides) : REGRET_OK;
}

static int compare_rule(struct ruling *rule, const struct contest *rules, const struct recommend *s)
{
    const struct sides value = {rule->by_part, NULL};
    size_t random = regret_results_subject(s->r, REGRET_ROW_BASELINE, "random");
    TRY(compare(&rule->value, rules, s, &value));
    for (size_t i = 0; i < N_REFERENCES; i++) {
        TRY(compare_to(&rule->over[i], rules, s, rule, s->reference[i]));
    }
    return compare_to(&rule->over_random, rules, s, rule, random);
}

/* ---------------------------------------------------------------- the answer */

/* Of the rules that beat an agent at random for certain (of all, where none does) the simplest that no richer one beats. */
static int takes_place(const struct contest *rules, const struct ruling *rule)
{
    int told = rule->over_random.told > 0;
    int standing =
        rules->first == REGRET_ADVICE_NONE ? -1 : rules->item[rules->first].over_random.told > 0;
    return told > standing || (told == standing && rule->over_simpler.told > 0);
}

static int find_answer(struct contest *rules, const struct recommend *s)
{
    for (size_t i = REGRET_ADVICE_ONE_AGENT; i < REGRET_N_ADVICE; i++) {
        struct ruling *rule = &rules->item[i];
        const struct sides sides = {rule->by_part, rules->item[rules->first].by_part};
        if (!rule->known) {
            continue;
        }
        if (i == REGRET_ADVICE_BY_REQUEST) {
            rules->simpler = rules->first;
        }
        TRY(compare_rule(rule, rules, s));
        if (rules->first != REGRET_ADVICE_NONE) {
            TRY(compare(&rule->over_simpler, rules, s, &sides));
        }
        if (takes_place(rules, rule)) {
            rules->first = (enum regret_advice)i;
        }
    }
    return REGRET_OK;
}

static double share_invented(const struct regret_run_facts *run)
{
    double pairs = (double)run->contexts * (double)run->agents;
    return run->contexts > 0 && run->agents > 0 && run->imputed > 0 ? (double)run->imputed / pairs
                                                                    : 0.0;
}

/* An agent at random, the mean of all, never loses anything. */
static int all_are_equal(const struct recommend *s)
{
    size_t random = regret_results_subject(s->r, REGRET_ROW_BASELINE, "random"), n = 0;
    double most = 0.0;
    for (size_t i = 0; i < s->cells.n_cells * s->r->n_seeds && random != REGRET_NO_ROW; i++) {
        size_t cell = s->cells.cells[i % s->cells.n_cells], seed = i / s->cells.n_cells;
        struct regret_list_view loss =
            regret_results_list(s->r, REGRET_LIST_LOSS, random, cell, seed);
        n += loss.n;
        for (size_t k = 0; k < loss.n; k++) {
            most = fmax(most, fabs(loss.number[k]));
        }
    }
    return n > 0 && most < ALL_EQUAL;
}

static void judge(struct contest *rules, const struct recommend *s)
{
    const struct ruling *first = &rules->item[rules->first];
    rules->trouble = s->grid->n_agents < 2                                 ? RULES_NO_CHOICE
                     : share_invented(&s->r->run) > MOSTLY_INVENTED        ? RULES_INVENTED
                     : all_are_equal(s)                                    ? RULES_ALL_EQUAL
                     : !first->known || !isfinite(first->over_random.w.se) ? RULES_NO_INTERVALS
                     : first->over_random.told <= 0                        ? RULES_NOT_TOLD
                                                                           : RULES_FINE;
    rules->answer = rules->trouble == RULES_FINE ? rules->first : REGRET_ADVICE_NONE;
}

/* The ends of the scale as far as the rows show it. */
static void find_scale(struct contest *rules, const struct recommend *s)
{
    rules->low = INFINITY;
    rules->high = -INFINITY;
    for (size_t i = 0; i < s->cells.n_cells * s->r->n_seeds; i++) {
        size_t cell = s->cells.cells[i % s->cells.n_cells], seed = i / s->cells.n_cells;
        struct regret_list_view best =
            regret_results_list(s->r, REGRET_LIST_BEST, s->oracle, cell, seed);
        for (size_t j = 0; j < s->r->n_subjects; j++) {
            struct regret_list_view loss =
                regret_results_list(s->r, REGRET_LIST_LOSS, j, cell, seed);
            for (size_t k = 0; k < loss.n && k < best.n; k++) {
                rules->high = fmax(rules->high, best.number[k]);
                rules->low = fmin(rules->low, best.number[k] - loss.number[k]);
            }
        }
    }
}

int contest_make(struct contest *out, const struct recommend *s)
{
    struct contest rules = {0};
    TRY(choose_rules(&rules, s));
    rules.alone = TOLD_LEVEL / (double)(rules.n_known + 1); /* an agent at random is one more */
    TRY(find_answer(&rules, s));
    find_scale(&rules, s);
    rules.n_contexts = rules.item[rules.first].value.w.n_contexts;
    judge(&rules, s);
    *out = rules;
    return REGRET_OK;
}
