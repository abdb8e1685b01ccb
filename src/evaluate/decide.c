/* Who is best: one agent, by tag, by request, or nobody can tell. */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "evaluate/internal.h"
#include "log/log.h"
#include "regret/status.h"

/* ---------------------------------------------------------------- the rule */

static int beats(const struct regret_evaluation *e, size_t p)
{
    return e->policy[p].is_there && e->policy[p].over_single_least > 0.0 &&
           e->policy[p].over_incumbent.low > 0.0;
}

/* Of both, the one by tag, unless the other's gain is larger by more than a standard error. */
static int by_request_is_better(const struct regret_evaluation *e)
{
    const struct regret_valued *request = &e->policy[REGRET_POLICY_REQUEST].over_single;
    return !beats(e, REGRET_POLICY_BY_TAG) ||
           request->value - e->policy[REGRET_POLICY_BY_TAG].over_single.value > request->error;
}

/* Another agent than the incumbent that can be chosen still and be compared with it. */
static int is_rival(const struct regret_evaluation *e, size_t a)
{
    return a != e->incumbent && !isnan(e->agent[a].difference.error) && !e->agent[a].is_withdrawn;
}

/* Of agents that are not withdrawn the best of those better than the incumbent; that one where all others are worse; or n_agents. */
static size_t best_agent(const struct regret_evaluation *e)
{
    size_t best = e->n_agents, rivals = 0, worse = 0;
    for (size_t a = 0; a < e->n_agents; a++) {
        const struct regret_agent_value *x = &e->agent[a];
        if (!is_rival(e, a)) {
            continue;
        }
        rivals++;
        worse += x->simultaneous_high < 0.0;
        if (x->simultaneous_low > 0.0 &&
            (best == e->n_agents || x->difference.value > e->agent[best].difference.value)) {
            best = a;
        }
    }
    int stays = rivals > 0 && worse == rivals && !e->agent[e->incumbent].is_withdrawn;
    return best == e->n_agents && stays ? e->incumbent : best;
}

static void choose_verdict(struct regret_evaluation *e)
{
    e->answer = e->n_agents;
    e->verdict = REGRET_VERDICT_CANNOT_TELL;
    if (e->basis == REGRET_LOG_OBS || answer_trial_is_void(e)) {
        return;
    }
    if (beats(e, REGRET_POLICY_REQUEST) && by_request_is_better(e)) {
        e->verdict = REGRET_VERDICT_BY_REQUEST;
        return;
    }
    if (beats(e, REGRET_POLICY_BY_TAG)) {
        e->verdict = REGRET_VERDICT_BY_TAG;
        return;
    }
    e->answer = best_agent(e);
    if (e->answer < e->n_agents) {
        e->verdict = REGRET_VERDICT_AGENT;
    }
}

/* ---------------------------------------------------------------- how large a trial would tell */

/* An agent that a larger trial could yet tell from the incumbent: one that is told already, better or worse, needs none. */
static int is_open(const struct regret_evaluation *e, size_t a)
{
    const struct regret_agent_value *x = &e->agent[a];
    int is_told =
        e->basis == REGRET_LOG_EXP && (x->simultaneous_low > 0.0 || x->simultaneous_high < 0.0);
    return a != e->incumbent && x->difference.error > 0.0 && !is_told && !x->is_withdrawn;
}

/* Of these the one of the highest value, as the table has them; n_agents where there is none. */
static size_t best_rival(const struct regret_evaluation *e)
{
    size_t best = e->n_agents;
    for (size_t a = 0; a < e->n_agents; a++) {
        double value = e->agent[a].difference.value;
        int is_better = best == e->n_agents || value > e->agent[best].difference.value;
        best = is_open(e, a) && value != 0.0 && is_better ? a : best;
    }
    return best;
}

/* Rows with which the half-width of a difference would be no more than the difference that is seen: of a trial like this one, whose
 * half-width goes with one over the root of its rows; of a log alone, a uniform trial over the agents that it has. */
static double rows_for(const struct regret_evaluation *e, size_t rival)
{
    const struct regret_agent_value *x = &e->agent[rival];
    double half = 0.5 * (x->simultaneous_high - x->simultaneous_low);
    double d = x->difference.value, agents = 0.0;
    if (e->basis == REGRET_LOG_EXP) {
        return (double)e->rows * (half / d) * (half / d);
    }
    for (size_t a = 0; a < e->n_agents; a++) {
        agents += e->agent[a].rows[REGRET_LOG_OBS] > 0 && !e->agent[a].is_withdrawn;
    }
    double t = half / x->difference.error;
    return 2.0 * agents * e->noise * t * t / (d * d);
}

/* Twenty an agent [C]: fewer do not say how much outcomes vary. */
static double least_rows(const struct regret_evaluation *e)
{
    const double of_each = 20.0;
    double n = 0.0;
    for (size_t a = 0; a < e->n_agents; a++) {
        n += e->agent[a].rows[e->basis] > 0;
    }
    return of_each * n;
}

/* Where outcomes are alike nothing but rounding is left of differences; those of a trial that is none say nothing. */
static void size_trial(struct regret_evaluation *e, const struct regret_log *log)
{
    size_t rival = best_rival(e);
    e->trial_rows = NAN;
    if (e->verdict == REGRET_VERDICT_CANNOT_TELL && rival < e->n_agents &&
        !answer_trial_is_void(e) && !outcomes_are_alike(&log->rows[e->basis])) {
        e->trial_rows = fmax(least_rows(e), 10.0 * ceil(rows_for(e, rival) / 10.0));
    }
}

/* ---------------------------------------------------------------- in words */

/* Of an agent and another. */
static void say(struct regret_buffer *out, const struct regret_log *log, const char *words,
                size_t agent, size_t other)
{
    log_say(out, log, words, (const size_t[]){agent, other});
}

static void put_gap(struct regret_buffer *out, const struct regret_evaluation *e,
                    const struct regret_log *log, const struct regret_valued *gap)
{
    struct regret_valued v = difference_as_given(log, gap);
    regret_buffer_printf(out, "%+.3g (%g %% interval %+.3g to %+.3g%s)", v.value, 100.0 * e->level,
                         v.low, v.high, log->low > log->high ? "; less is better" : "");
}

/* The difference of an agent with the bounds that hold for all at once. */
static void put_difference(struct regret_buffer *out, const struct regret_evaluation *e,
                           const struct regret_log *log, const struct regret_agent_value *x)
{
    struct regret_valued wide = x->difference;
    wide.low = x->simultaneous_low;
    wide.high = x->simultaneous_high;
    put_gap(out, e, log, &wide);
}

/* Agents that are left, have a value, and were never on offer together with the incumbent. */
static size_t count_apart(const struct regret_evaluation *e)
{
    size_t n = 0;
    for (size_t a = 0; a < e->n_agents; a++) {
        const struct regret_agent_value *x = &e->agent[a];
        n += x->clusters >= 2 && x->difference.rows == 0 && !x->is_withdrawn;
    }
    return n;
}

/* The withdrawn agent of the largest difference, where that is above one; n_agents: none. */
static size_t best_withdrawn(const struct regret_evaluation *e, double most)
{
    size_t best = e->n_agents;
    for (size_t a = 0; a < e->n_agents; a++) {
        const struct regret_agent_value *x = &e->agent[a];
        if (x->is_withdrawn && a != e->incumbent && x->difference.value > most) {
            most = x->difference.value;
            best = a;
        }
    }
    return best;
}

/* What is no advice: who is withdrawn though it seems better, or was to be compared with. */
static void say_withdrawn(struct regret_buffer *out, const struct regret_evaluation *e,
                          const struct regret_log *log)
{
    double answer = e->answer < e->n_agents ? e->agent[e->answer].difference.value : 0.0;
    size_t gone = best_withdrawn(e, answer);
    if (gone < e->n_agents && !answer_trial_is_void(e)) {
        say(out, log, " @, which differs from @ by ", gone, e->incumbent);
        put_difference(out, e, log, &e->agent[gone]);
        regret_buffer_append(out, ", is on offer no more.");
    }
    if (e->agent[e->incumbent].is_withdrawn) {
        say(out, log, " @ is on offer no more: name an incumbent that is.", e->incumbent, 0);
    }
}

static void say_agent(struct regret_buffer *out, const struct regret_evaluation *e,
                      const struct regret_log *log)
{
    const struct regret_agent_value *x = &e->agent[e->answer];
    if (e->answer == e->incumbent) {
        say(out, log, "Stay with @", e->answer, 0);
        regret_buffer_printf(out, ": every other agent %s is worse, all at once%s",
                             count_apart(e) > 0       ? "that was on offer beside it"
                             : log->withdrawn != NULL ? "that is on offer still"
                                                      : "of the trial",
                             count_apart(e) > 0 ? "; who never was cannot be told." : ".");
        return;
    }
    say(out, log, "Use @: it is better than @ by ", e->answer, e->incumbent);
    put_difference(out, e, log, x);
    regret_buffer_append(out, ", for all agents at once. Nothing is shown to be gained by asking "
                              "others for some requests.");
}

static void say_policy(struct regret_buffer *out, const struct regret_evaluation *e,
                       const struct regret_log *log, size_t p)
{
    const struct regret_valued *single = &e->policy[p].over_single;
    const struct regret_valued *incumbent = &e->policy[p].over_incumbent;
    regret_buffer_append(out, p == REGRET_POLICY_BY_TAG
                                  ? "Choose the agent by tag (tags.csv): that is better than ever "
                                    "the same one by "
                                  : "Choose the agent by request (recommendations.csv): that is "
                                    "better than ever the same one by ");
    put_gap(out, e, log, single);
    say(out, log, ", and than @ by ", e->incumbent, 0);
    put_gap(out, e, log, incumbent);
    regret_buffer_append(out, ".");
}

static void say_trial(struct regret_buffer *out, const struct regret_evaluation *e)
{
    const double most = 1e7;
    if (isnan(e->trial_rows)) {
        return;
    }
    if (e->trial_rows > most) {
        regret_buffer_append(out, " No trial of ten million rows would tell them apart.");
        return;
    }
    regret_buffer_printf(out,
                         " About %.0f rows of a trial%s would tell, if that is the difference.",
                         e->trial_rows, e->basis == REGRET_LOG_EXP ? " like this" : "");
    if ((double)e->rows < least_rows(e)) {
        regret_buffer_printf(out, " That is a guess: %zu rows do not say how much outcomes vary.",
                             e->rows);
    }
}

/* Why nobody is left who a larger trial could tell from the incumbent. */
static void say_none_open(struct regret_buffer *out, const struct regret_evaluation *e,
                          const struct regret_log *log)
{
    size_t rivals = 0;
    for (size_t a = 0; a < e->n_agents; a++) {
        rivals += (size_t)is_rival(e, a);
    }
    say(out, log,
        rivals > 0 ? "@ has no rival left that more rows could tell from it: of every other "
                     "agent they say that it differs already, or the very same."
        : log->withdrawn != NULL ? "@ cannot be compared: no other agent that is on offer "
                                   "still has rows of two clusters beside it."
        : log->n_holes > 0
            ? "@ cannot be compared: no other agent was seen on the same kinds of requests."
        : count_apart(e) > 0
            ? "@ cannot be compared: no other agent with rows of two clusters was ever on "
              "offer together with it."
            : "@ cannot be compared: it or every other agent has rows of fewer than "
              "two clusters where chance chose.",
        e->incumbent, 0);
}

static void say_rival(struct regret_buffer *out, const struct regret_evaluation *e,
                      const struct regret_log *log)
{
    size_t rival = best_rival(e);
    if (rival == e->n_agents) {
        say_none_open(out, e, log);
        return;
    }
    const struct regret_agent_value *x = &e->agent[rival];
    say(out, log, "@ differs from @ by ", rival, e->incumbent);
    put_difference(out, e, log, x);
    if (log->n_holes > 0) {
        regret_buffer_printf(out, " on the %zu of %zu requests that the log has both on",
                             x->difference.rows, e->rows);
    }
    regret_buffer_append(out, e->basis == REGRET_LOG_EXP ? ", which may be nothing; of those "
                                                           "not told yet it has the highest value."
                                                         : ", if nothing unmeasured moves both.");
}

/* Where it is slates that leave few rows to compare on. */
static void say_slates(struct regret_buffer *out, const struct regret_evaluation *e,
                       const struct regret_log *log)
{
    size_t rival = best_rival(e);
    const struct regret_agent_value *x = rival < e->n_agents ? &e->agent[rival] : NULL;
    int is_limited =
        x == NULL ? count_apart(e) > 0 : 2 * x->difference.rows < x->value[REGRET_VALUE_SNDR].rows;
    if (e->basis != REGRET_LOG_EXP || log->rows[REGRET_LOG_EXP].offer == NULL || !is_limited ||
        e->agent[e->incumbent].is_withdrawn) {
        return;
    }
    say(out, log,
        x != NULL ? " It would help more to have @ on every slate, or larger slates"
                  : " It would help to have @ on every slate, or larger slates",
        e->incumbent, 0);
    if (x != NULL) {
        regret_buffer_printf(out, ": only %zu rows had both on offer", x->difference.rows);
    }
    regret_buffer_append(out, ".");
}

static void say_nothing(struct regret_buffer *out, const struct regret_evaluation *e,
                        const struct regret_log *log)
{
    int is_void = e->basis == REGRET_LOG_EXP && answer_trial_is_void(e);
    if (e->basis == REGRET_LOG_OBS) {
        regret_buffer_append(out, "A log alone cannot tell whether who was asked depends on what "
                                  "also moves outcomes. ");
    } else if (is_void) {
        regret_buffer_append(
            out, "What values rest on is not what chance gave row by row, so that no interval here "
                 "can be trusted. Mend what says no first");
        regret_buffer_append(out, log->is_slated ? ". "
                                                 : "; where agents came or went, name a column of "
                                                   "who was on offer (slate). ");
    }
    if (outcomes_are_alike(&log->rows[e->basis])) {
        regret_buffer_printf(out, "All outcomes of %s are alike: nothing tells agents apart.",
                             e->basis == REGRET_LOG_EXP ? "the trial" : "the log");
        return;
    }
    if (!is_void) {
        say_rival(out, e, log);
        say_trial(out, e);
        say_slates(out, e, log);
    }
}

static int say_verdict(struct regret_evaluation *e, const struct regret_log *log)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    switch (e->verdict) {
    case REGRET_VERDICT_AGENT:
        say_agent(&text, e, log);
        break;
    case REGRET_VERDICT_BY_TAG:
        say_policy(&text, e, log, REGRET_POLICY_BY_TAG);
        break;
    case REGRET_VERDICT_BY_REQUEST:
        say_policy(&text, e, log, REGRET_POLICY_REQUEST);
        break;
    default:
        say_nothing(&text, e, log);
    }
    say_withdrawn(&text, e, log);
    TRY(regret_buffer_status(&text));
    return regret_strdup(&e->sentence, regret_buffer_get(&text));
}

static int say_lambda(struct regret_evaluation *e)
{
    const double none = 0.05, all = 0.95;
    return regret_strdup(
        &e->lambda_says,
        isnan(e->lambda)   ? "no pooling of log and trial was fitted"
        : e->lambda < none ? "beside the trial the log's outcomes are of no use for agents' means"
        : e->lambda > all  ? "the log predicts agents' means in the trial as well as "
                             "anything pooled with it"
                           : "log and trial are both of use for agents' means");
}

/* ---------------------------------------------------------------- who is recommended */

static size_t agent_of_verdict(const struct regret_evaluation *e, const struct regret_log *log,
                               const struct regret_recommended *to)
{
    return e->verdict == REGRET_VERDICT_AGENT        ? e->answer
           : e->verdict == REGRET_VERDICT_BY_TAG     ? e->tag[log->tag[to->context]].agent
           : e->verdict == REGRET_VERDICT_BY_REQUEST ? to->by_request
                                                     : e->incumbent;
}

static int is_offered(const struct regret_evaluation *e, const struct regret_log *log,
                      const struct regret_recommended *to, size_t agent)
{
    return to->row == UINT32_MAX || was_on_offer(log, e->basis, to->row, agent);
}

/* Of those on offer, by differences; where none is known, who the surface has best. */
static uint32_t best_on_offer(const struct regret_evaluation *e, const struct regret_log *log,
                              const struct regret_recommended *to)
{
    uint32_t best = to->by_request;
    double most = -INFINITY;
    for (uint32_t a = 0; a < e->n_agents; a++) {
        const struct regret_agent_value *x = &e->agent[a];
        int is_known = a == e->incumbent || !isnan(x->difference.error);
        if (is_known && !x->is_withdrawn && x->difference.value > most &&
            is_offered(e, log, to, a)) {
            most = x->difference.value;
            best = a;
        }
    }
    return best;
}

static void recommend(struct regret_evaluation *e, const struct regret_log *log)
{
    for (size_t i = 0; i < e->n_advice; i++) {
        struct regret_recommended *to = &e->advice[i];
        size_t agent = agent_of_verdict(e, log, to);
        int is_there =
            agent < e->n_agents && is_offered(e, log, to, agent) && !e->agent[agent].is_withdrawn;
        to->agent = is_there ? (uint32_t)agent : best_on_offer(e, log, to);
    }
}

/* Where it cannot be told who is better: who seems so, and what following that would risk. */

/* On offer still, and with a value: of a log alone, on all kinds of requests. */
static int can_be(const struct regret_evaluation *e, size_t a)
{
    return !e->agent[a].is_withdrawn && !isnan(e->agent[a].value[REGRET_VALUE_SNDR].error);
}

/* The agent of the highest value that is on offer still, by differences to the incumbent; n_agents where none can be compared. */
static size_t guessed_agent(const struct regret_evaluation *e)
{
    size_t best = can_be(e, e->incumbent) ? e->incumbent : e->n_agents, rivals = 0;
    for (size_t a = 0; a < e->n_agents; a++) {
        const struct regret_agent_value *x = &e->agent[a];
        rivals += (size_t)is_rival(e, a);
        if (is_rival(e, a) && can_be(e, a)) {
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
        say(out, log, loss > 0.0 ? "; it may be worse than @" : "; staying with @", e->incumbent,
            0);
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
        if (is_rival(e, a)) {
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
        say(out, log, "@", other, 0);
        regret_buffer_printf(out, " %.3g.", its);
    }
}

static void say_guessed_policy(struct regret_buffer *out, const struct regret_evaluation *e,
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

/* Of a verdict that cannot tell the best guess, with a sentence. */
static int answer_guess(struct regret_evaluation *e, const struct regret_log *log)
{
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    e->guess = e->n_agents;
    if (e->verdict != REGRET_VERDICT_CANNOT_TELL || outcomes_are_alike(&log->rows[e->basis])) {
        return REGRET_OK;
    }
    e->guess = guessed_agent(e);
    if (e->guess == e->n_agents) {
        return REGRET_OK;
    }
    if (answer_trial_is_void(e)) {
        say(&text, log, "@ has the highest value, for what that is worth here.", e->guess, 0);
    } else {
        e->guess_policy = best_policy(e);
        say(&text, log, "@", e->guess, 0);
        say_risk(&text, e, log);
        regret_buffer_append(
            &text, e->basis == REGRET_LOG_OBS ? ", if nothing unmeasured moves both." : ".");
        say_costs(&text, e, log);
        say_guessed_policy(&text, e, log);
    }
    TRY(regret_buffer_status(&text));
    return regret_strdup(&e->guess_sentence, regret_buffer_get(&text));
}

int answer_decide(struct regret_evaluation *e, const struct regret_log *log)
{
    choose_verdict(e);
    size_trial(e, log);
    recommend(e, log);
    TRY(say_lambda(e));
    TRY(say_verdict(e, log));
    return answer_guess(e, log);
}

/* By which of the requests' own columns, and tags, an answer by request goes. All of these contexts have kept theirs. */
int answer_deciding(struct regret_buffer *out, const struct regret_evaluation *e,
                    const struct regret_log *log, deciding_writer *write)
{
    FREED struct deciding_column *column = NULL;
    FREED uint32_t *context = NULL, *choice = NULL;
    struct deciding d = {0};
    size_t n = 0;
    TRY(REGRET_NEW(&column, log->n_columns + 1));
    TRY(REGRET_NEW(&context, e->n_advice));
    TRY(REGRET_NEW(&choice, e->n_advice));
    for (size_t i = 0; i < e->n_advice; i++) {
        context[i] = e->advice[i].context;
        choice[i] = e->advice[i].by_request;
    }
    for (size_t j = 0; j < log->n_columns; j++) {
        const struct regret_log_column *of = &log->column[j];
        column[n++] = (struct deciding_column){
            of->name, of->value, of->word, of->n_words, (const char *const *)of->words, context};
    }
    if (log->tag != NULL) {
        column[n++] = (struct deciding_column){
            "tag", NULL, log->tag, log->n_tags, (const char *const *)log->tags, context};
    }
    if (e->verdict == REGRET_VERDICT_BY_REQUEST) {
        TRY(deciding_find(&d, choice, e->n_advice, e->n_agents, column, n));
    }
    write(out, &d, column, (const char *const *)log->agent);
    return REGRET_OK;
}
