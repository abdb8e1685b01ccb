/* Where it cannot be told who is better: who seems so, and what following that would risk. */
#include <math.h>

#include "base/core/try.h"
#include "evaluate/answer/answer.h"
#include "regret/alloc.h"

enum { COLUMNS = 40 };

/* On offer still, and with a value: of a log alone, on all kinds of requests. */
static int can_be(const struct regret_evaluation *e, size_t a)
{
    return !e->agent[a].is_withdrawn && !isnan(e->agent[a].value[REGRET_VALUE_SNDR].error);
}

/* The agent of the highest value that is on offer still, by differences to the incumbent; n_agents where none can be compared. */
static size_t best_agent(const struct regret_evaluation *e)
{
    size_t best = can_be(e, e->incumbent) ? e->incumbent : e->n_agents, rivals = 0;
    for (size_t a = 0; a < e->n_agents; a++) {
        const struct regret_agent_value *x = &e->agent[a];
        rivals += a != e->incumbent && !isnan(x->difference.error) && !x->is_withdrawn;
        if (a != e->incumbent && !isnan(x->difference.error) && can_be(e, a)) {
            best = best == e->n_agents || x->difference.value > e->agent[best].difference.value
                       ? a
                       : best;
        }
    }
    return rivals > 0 ? best : e->n_agents;
}

/* By tag or by request, where that seems to gain more than half a standard error [C]; else one agent. */
static enum regret_policy_kind best_policy(const struct regret_evaluation *e)
{
    enum regret_policy_kind best = REGRET_POLICY_SINGLE;
    for (size_t p = REGRET_POLICY_BY_TAG; p < REGRET_POLICIES; p++) {
        const struct regret_valued *gain = &e->policy[p].over_single;
        int is_likely = e->policy[p].is_there && gain->value > 0.5 * gain->error &&
                        gain->value > e->policy[best].over_single.value;
        best = is_likely ? (enum regret_policy_kind)p : best;
    }
    return best;
}

static void put_name(struct regret_buffer *out, const struct regret_log *log, size_t agent)
{
    regret_buffer_append_safe(out, log->agent[agent], COLUMNS);
}

/* Of outcomes of which less is better, a loss is more of them. */
static double worst(const struct regret_log *log, double low, double high)
{
    bounds_of_gap(log, &low, &high);
    return fmax(0.0, log->low > log->high ? high : -low);
}

/* What it is worth, and how much may be lost by it. */
static void say_risk(struct regret_buffer *out, const struct regret_evaluation *e,
                     const struct regret_log *log)
{
    const struct regret_agent_value *x = &e->agent[e->guess];
    const struct regret_valued *value = &x->value[REGRET_VALUE_SNDR];
    if (!isnan(value->error)) {
        struct regret_valued v = value_as_given(log, value);
        regret_buffer_printf(out, ", whose value is %.3g (%.3g to %.3g)", v.value, v.low, v.high);
    }
    if (e->guess != e->incumbent) {
        double loss = worst(log, x->simultaneous_low, x->simultaneous_high);
        regret_buffer_append(out, loss > 0.0 ? "; it may be worse than " : "; staying with ");
        put_name(out, log, e->incumbent);
        if (loss > 0.0) {
            regret_buffer_printf(out, " by %.3g at most, and staying", loss);
        }
        regret_buffer_printf(out, " may lose %.3g",
                             worst(log, -x->simultaneous_high, -x->simultaneous_low));
        return;
    }
    double most = 0.0;
    for (size_t a = 0; a < e->n_agents; a++) {
        const struct regret_agent_value *y = &e->agent[a];
        if (a != e->incumbent && !isnan(y->difference.error) && !y->is_withdrawn) {
            most = fmax(most, worst(log, -y->simultaneous_high, -y->simultaneous_low));
        }
    }
    if (most > 0.0 && log->n_holes == 0) {
        regret_buffer_printf(out, "; another may be better by %.3g at most", most);
    }
}

/* Beside the incumbent's; of the incumbent, beside that of who comes next. */
static void say_costs(struct regret_buffer *out, const struct regret_evaluation *e,
                      const struct regret_log *log)
{
    size_t other = e->incumbent;
    for (size_t a = 0; a < e->n_agents && e->guess == e->incumbent; a++) {
        const struct regret_agent_value *x = &e->agent[a];
        int can = a != e->guess && can_be(e, a) && !isnan(x->difference.error);
        other = can && (other == e->guess || x->difference.value > e->agent[other].difference.value)
                    ? a
                    : other;
    }
    double own = e->agent[e->guess].cost, its = e->agent[other].cost;
    if (own < its || own > its) {
        regret_buffer_printf(out, " It costs %.3g a request, ", own);
        put_name(out, log, other);
        regret_buffer_printf(out, " %.3g.", its);
    }
}

static void say_policy(struct regret_buffer *out, const struct regret_evaluation *e,
                       const struct regret_log *log)
{
    if (e->guess_policy == REGRET_POLICY_SINGLE) {
        return;
    }
    struct regret_valued v = difference_as_given(log, &e->policy[e->guess_policy].over_single);
    regret_buffer_printf(
        out, " Choosing by %s seems better than one agent by %.3g (%+.3g to %+.3g).",
        e->guess_policy == REGRET_POLICY_BY_TAG ? "tag (tags.csv)"
                                                : "request (by_request in recommendations.csv)",
        fabs(v.value), v.low, v.high);
}

int answer_guess(struct regret_evaluation *e, const struct regret_log *log)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    e->guess = e->n_agents;
    if (e->verdict != REGRET_VERDICT_CANNOT_TELL || outcomes_are_alike(&log->rows[e->basis])) {
        return REGRET_OK;
    }
    e->guess = best_agent(e);
    if (e->guess == e->n_agents) {
        return REGRET_OK;
    }
    if (answer_trial_is_void(e)) {
        put_name(&text, log, e->guess);
        regret_buffer_append(&text, " has the highest value, for what that is worth here.");
    } else {
        e->guess_policy = best_policy(e);
        put_name(&text, log, e->guess);
        say_risk(&text, e, log);
        regret_buffer_append(
            &text, e->basis == REGRET_LOG_OBS ? ", if nothing unmeasured moves both." : ".");
        say_costs(&text, e, log);
        say_policy(&text, e, log);
    }
    TRY(regret_buffer_status(&text));
    return regret_strdup(&e->guess_sentence, regret_buffer_get(&text));
}
