#include "report/recommend/more_data.h"

#include <math.h>

#include "regret/power.h"
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

/* The least factor, to a thousandth, by which `more` must be raised, 1 standing for what is enlarged; 0 where MOST_TIMES
 * would not do. */
static double times_needed(const struct contest *rules, const struct regret_two_way *w,
                           struct enlarged more)
{
    enum { MOST_TIMES = 100000 };
    double low = 1.0, high = 1.0;
    for (;;) {
        struct enlarged by = {more.contexts > 0.0 ? high : 1.0, more.seeds > 0.0 ? high : 1.0};
        if (detectable_of(rules, w, by) <= w->mean) {
            break;
        }
        if (high >= MOST_TIMES) {
            return 0.0;
        }
        low = high;
        high *= 2.0;
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

enum { MOST_ROWS = 100000000 };

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

/* Rows of EXP, dealt evenly to all agents, whose means tell the best single agent from the next. */
static size_t rows_that_tell(const struct answer *a)
{
    double deviation = sqrt(2.0) * deviation_of_values(a);
    return a->s->grid->n_agents * regret_observations_needed(deviation, a->single.gain,
                                                             DETECTABLE_SIZE, RULES_POWER,
                                                             MOST_ROWS);
}

/* To two digits: more would be a promise. */
static double roughly(double n)
{
    double unit = n > 99.0 ? pow(10.0, floor(log10(n)) - 1.0) : 1.0;
    return unit * ceil(n / unit);
}

static void say_rows(struct regret_buffer *out, const struct answer *a)
{
    size_t rows = a->single.gain > 0.0 ? rows_that_tell(a) : 0;
    if (rows > 0) {
        regret_buffer_printf(out,
                             " To tell the best single agent from the next one by EXP alone, about "
                             "%.0f EXP rows, if outcomes scatter as values of contexts do.",
                             roughly((double)rows));
    }
}

static void say_alone(struct regret_buffer *out, const struct more_data *more)
{
    const char *joint = "; ";
    if (more->contexts > 0.0) {
        regret_buffer_printf(out, "; with these seeds %.0f contexts", roughly(more->contexts));
        joint = ", ";
    }
    if (more->seeds > 0.0) {
        regret_buffer_printf(out, "%swith these contexts %.0f seeds", joint, roughly(more->seeds));
    } else {
        regret_buffer_append(out, "; more seeds of these contexts alone would not");
    }
    regret_buffer_append_char(out, '.');
}

static void say_needed(struct regret_buffer *out, const struct more_data *more,
                       const struct regret_two_way *w)
{
    if (more->both > 0.0) {
        regret_buffer_printf(out,
                             " Were that the true gain, about %.0f contexts held out by %.0f seeds "
                             "would do (here %zu by %zu)",
                             roughly(more->both * (double)w->n_contexts),
                             roughly(more->both * (double)w->n_seeds), w->n_contexts, w->n_seeds);
        say_alone(out, more);
    }
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
        say_needed(out, &more, &most->w);
    }
}

void say_more_data(struct regret_buffer *out, const struct answer *a)
{
    const struct ruling *rule = &a->rules.item[a->rules.first];
    const struct rule_gain *c = &rule->over_random;
    struct more_data more = more_data(&a->rules, c);
    if (a->rules.trouble == RULES_NO_INTERVALS) {
        regret_buffer_printf(out,
                             "How much data would do cannot be worked out without an interval: "
                             "take at least %d contexts and %d seeds.",
                             (int)FEW_CONTEXTS * 5, (int)FEW_SEEDS);
        return;
    }
    if (a->rules.trouble == RULES_APART) {
        regret_buffer_append(out, "Have them voted on against one another, or import the agents "
                                  "of one part alone: regret import … --agent PATTERN.");
        return;
    }
    if (a->rules.trouble != RULES_NOT_TOLD || !isfinite(more.least)) {
        return;
    }
    regret_buffer_printf(out,
                         "A run of this size tells a gain over chance of %.4f from none in 80 %% "
                         "of cases; seen is %+.4f.",
                         more.least, more.seen);
    say_needed(out, &more, &c->w);
    say_rows(out, a);
}
