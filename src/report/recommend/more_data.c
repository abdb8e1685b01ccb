#include "report/recommend/more_data.h"

#include <math.h>

#include "regret/power.h"
#include "report/recommend/answer_who.h"
#include "report/tables/detectable.h"

/* What becomes of the variance with so many times the contexts and the seeds. */
struct enlarged {
    double contexts, seeds;
};

/* Of V (regret/two_way.h) what is of seeds, V_seeds − V_both, goes down with seeds, what is of contexts with contexts,
 * and the rest with both; and the fewer of either are the degrees of freedom. */
static double detectable_of(const struct contest *rules, const struct regret_two_way *w,
                            struct enlarged by)
{
    double seeds = fmax(w->v_seeds - w->v_both, 0.0),
           contexts = fmax(w->v_contexts - w->v_both, 0.0);
    double rest = fmax(w->se * w->se - seeds - contexts, 0.0);
    double v = seeds / by.seeds + contexts / by.contexts + rest / (by.seeds * by.contexts);
    double fewer = fmin(by.seeds * (double)w->n_seeds, by.contexts * (double)w->n_contexts);
    return regret_detectable_difference(sqrt(v), fewer - 1.0, rules->alone, RULES_POWER);
}

/* More than these nobody has, and advice to get them is none; ten times what there is may always be wanted. */
enum { MOST_CONTEXTS = 20000, MOST_SEEDS = 500, MOST_ROWS = 1000000, LEAST_TIMES = 10 };

static double most_times(double most, size_t n)
{
    return fmax(most / (double)n, LEAST_TIMES);
}

/* The least factor, to a thousandth, by which `more` must be raised, 1 standing for what is enlarged; 0 where it would be
 * beyond what anybody has. */
static double times_needed(const struct contest *rules, const struct regret_two_way *w,
                           struct enlarged more)
{
    double contexts = more.contexts > 0.0 ? most_times(MOST_CONTEXTS, w->n_contexts) : INFINITY,
           seeds = more.seeds > 0.0 ? most_times(MOST_SEEDS, w->n_seeds) : INFINITY;
    double low = 1.0, high = fmin(contexts, seeds);
    const struct enlarged most = {more.contexts > 0.0 ? high : 1.0, more.seeds > 0.0 ? high : 1.0};
    const struct enlarged none = {1.0, 1.0};
    if (detectable_of(rules, w, none) <= w->mean) {
        return 1.0;
    }
    if (detectable_of(rules, w, most) > w->mean) {
        return 0.0;
    }
    while (high - low > 1e-3 * low) {
        double middle = 0.5 * (low + high);
        struct enlarged by = {more.contexts > 0.0 ? middle : 1.0, more.seeds > 0.0 ? middle : 1.0};
        if (detectable_of(rules, w, by) <= w->mean) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}

struct more_data more_data(const struct contest *rules, const struct rule_gain *c)
{
    static const struct enlarged contexts = {1.0, 0.0}, seeds = {0.0, 1.0}, both = {1.0, 1.0};
    const struct regret_two_way *w = &c->w;
    struct more_data out = {.seen = w->mean, .least = NAN};
    if (isfinite(w->se)) {
        const struct enlarged none = {1.0, 1.0};
        out.least = detectable_of(rules, w, none);
    }
    if (isfinite(w->se) && w->mean > 0.0) {
        out.contexts = times_needed(rules, w, contexts) * (double)w->n_contexts;
        out.seeds = times_needed(rules, w, seeds) * (double)w->n_seeds;
        out.both = times_needed(rules, w, both);
    }
    return out;
}

/* ---------------------------------------------------------------- in words */

/* The deviation, over contexts, of what the single agent is worth. */
static double deviation_of_values(const struct answer *a)
{
    const struct recommend *s = a->s;
    size_t source = recommend_find(s, s->reference[OVER_SINGLE]), n = 0;
    double sum = 0.0, squares = 0.0;
    for (size_t x = 0; x < s->grid->n_contexts && source < s->n_sources; x++) {
        double value = recommend_item(s, source, x)->value.mean;
        if (isfinite(value)) {
            n++;
            double d = value - sum;
            sum += d / (double)n; /* the mean so far (Welford) */
            squares += d * (value - sum);
        }
    }
    return n > 1 ? sqrt(squares / (double)(n - 1)) : NAN;
}

enum {
    DEFAULT_SEEDS = 30, /* of a configuration (regret/config.h) */
    LEAST_CONTEXTS = 5 * FEW_CONTEXTS
};

/* To two digits: more would be a promise. */
static double roughly(double n)
{
    double unit = n > 99.0 ? pow(10.0, floor(log10(n)) - 1.0) : 1.0;
    return unit * ceil(n / unit);
}

/* Rows of EXP, dealt evenly to all agents, whose means tell the best single agent from the next. */
static void say_rows(struct regret_buffer *out, const struct answer *a)
{
    double deviation = sqrt(2.0) * deviation_of_values(a);
    size_t agents = a->s->grid->n_agents;
    if (!(a->single.gain > 0.0) || !isfinite(deviation)) {
        return;
    }
    size_t rows = agents * regret_observations_needed(deviation, a->single.gain, DETECTABLE_SIZE,
                                                      RULES_POWER, MOST_ROWS / agents);
    if (rows > 0) {
        regret_buffer_printf(out,
                             " To tell the best single agent from the next one by EXP alone, about "
                             "%.0f EXP rows, if outcomes scatter as values of contexts do.",
                             roughly((double)rows));
    } else {
        regret_buffer_printf(out,
                             " The best single agent is so near the next one that not even %d EXP "
                             "rows would tell them apart.",
                             (int)MOST_ROWS);
    }
}

/* Where no number of seeds would do: of more contexts, which more seeds may hold out, nothing is known. */
static void say_seeds(struct regret_buffer *out, const struct answer *a,
                      const struct regret_two_way *w)
{
    if (w->n_contexts >= a->s->grid->n_contexts) {
        regret_buffer_append(out, "; more seeds of these contexts alone would not");
        return;
    }
    regret_buffer_printf(out, "; more seeds hold out more of the contexts (here %zu of %zu)",
                         w->n_contexts, a->s->grid->n_contexts);
    if (w->n_seeds < DEFAULT_SEEDS) {
        regret_buffer_printf(out, ": try the default of %d first", (int)DEFAULT_SEEDS);
    }
}

static void say_needed(struct regret_buffer *out, const struct answer *a,
                       const struct more_data *more, const struct regret_two_way *w)
{
    const char *joint = more->both > 0.0 ? ";" : "it would take";
    if (!(w->mean > 0.0)) {
        return;
    }
    regret_buffer_append(out, " Were that the true gain, ");
    if (more->both > 0.0) {
        regret_buffer_printf(
            out, "it would take about %.0f contexts held out by %.0f seeds (here %zu by %zu)",
            roughly(more->both * (double)w->n_contexts), roughly(more->both * (double)w->n_seeds),
            w->n_contexts, w->n_seeds);
    }
    if (more->contexts > 0.0) {
        regret_buffer_printf(out, "%s with these seeds %.0f contexts", joint,
                             roughly(more->contexts));
        joint = ",";
    }
    if (more->seeds > 0.0) {
        regret_buffer_printf(out, "%s with these contexts %.0f seeds", joint, roughly(more->seeds));
    } else if (more->both > 0.0 || more->contexts > 0.0) {
        say_seeds(out, a, w);
    } else {
        regret_buffer_append(out, "it would be more than a table of this kind can tell");
    }
    regret_buffer_append_char(out, '.');
}

void say_untold(struct regret_buffer *out, const struct answer *a)
{
    static const char *const names[] = {"", "", "By tag", "By request"};
    const struct rule_gain *most = NULL;
    size_t which = 0;
    for (size_t i = a->rules.first + 1; i < REGRET_N_ADVICE; i++) {
        const struct rule_gain *c = &a->rules.item[i].over_simpler;
        if (a->rules.item[i].known && c->told == 0 && c->w.mean > 0.0 && isfinite(c->w.se) &&
            (most == NULL || c->w.mean > most->w.mean)) {
            most = c;
            which = i;
        }
    }
    if (a->rules.answer != REGRET_ADVICE_NONE && most != NULL) {
        struct more_data more = more_data(&a->rules, most);
        regret_buffer_printf(out, "%s gains %+.4f over that, which is not told from none.",
                             names[which], most->w.mean);
        say_needed(out, a, &more, &most->w);
    }
}

/* The rule whose gain over chance, which must be told before there is an answer, needs least: a table of contexts by seeds
 * *times as large; INFINITY where none such would do. */
static size_t needs_least(double *times, const struct contest *rules)
{
    size_t least = rules->first;
    *times = INFINITY;
    for (size_t i = REGRET_ADVICE_ONE_AGENT; i < REGRET_N_ADVICE; i++) {
        double both = more_data(rules, &rules->item[i].over_random).both;
        if (rules->item[i].known && both > 0.0 && both < *times) {
            *times = both;
            least = i;
        }
    }
    return least;
}

static void say_least(struct regret_buffer *out, const struct answer *a)
{
    static const char *const by[] = {"", "one agent", "by tag", "by request"};
    double times;
    const size_t rule = needs_least(&times, &a->rules);
    const struct rule_gain *gain = &a->rules.item[rule].over_random;
    const struct more_data more = more_data(&a->rules, gain);
    if (!isfinite(more.least)) {
        return;
    }
    if (!answer_is_on_scale(a, more.least)) {
        regret_buffer_printf(out,
                             "%zu seeds of %zu contexts are so few that no gain, however large, "
                             "would be told from none: take at least %d contexts and %d seeds.",
                             gain->w.n_seeds, gain->w.n_contexts, (int)LEAST_CONTEXTS,
                             (int)FEW_SEEDS);
        return;
    }
    regret_buffer_printf(
        out,
        "A run of this size tells a gain over chance of %.4f from none in 80 %% of "
        "cases; seen is %+.4f, %s%s.",
        more.least, more.seen, by[rule],
        isfinite(times) && a->rules.n_known > 1 ? ", the rule that needs least" : "");
    say_needed(out, a, &more, &gain->w);
    say_rows(out, a);
}

void say_more_data(struct regret_buffer *out, const struct answer *a)
{
    if (a->rules.trouble == RULES_NO_INTERVALS) {
        regret_buffer_printf(out,
                             "How much data would do cannot be worked out without an interval: "
                             "take at least %d contexts and %d seeds.",
                             (int)LEAST_CONTEXTS, (int)FEW_SEEDS);
        return;
    }
    if (a->rules.trouble == RULES_APART) {
        regret_buffer_append(out, "Have them voted on against one another, or import the agents "
                                  "of one part alone: regret import … --agent PATTERN.");
        return;
    }
    if (a->rules.trouble == RULES_POSITION) {
        regret_buffer_append(out, "Show every two agents in both orders alike often, or vote again "
                                  "in the other order.");
        return;
    }
    if (a->rules.trouble == RULES_NOT_TOLD) {
        say_least(out, a);
    }
}
