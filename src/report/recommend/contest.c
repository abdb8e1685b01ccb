#include "report/recommend/contest.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"

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
            held_out_add(h, &context, NULL, x, 1.0);
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
