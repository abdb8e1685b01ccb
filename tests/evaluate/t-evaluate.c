/* Logs and trials with a known truth: what is planted is found, and where nothing is, nothing is said to be. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "evaluate/internal.h"
#include "evaluate/planted.h"
#include "log/log.h"
#include "model/model.h"
#include "regret/estimate.h"
#include "regret/evaluate.h"
#include "regret/status.h"
#include "regret/task.h"

/* Mixed alone: quick, and all that the stack does goes the same way. */
static const struct regret_family *quick[1];

static struct regret_evaluate_options options_of(uint64_t seed)
{
    struct regret_evaluate_options o;
    regret_evaluate_options_default(&o);
    quick[0] = regret_family_find("mixed");
    o.family = quick;
    o.n_families = 1;
    o.seed = seed;
    o.resamples = 500;
    o.diagnose = 0;
    return o;
}

static struct regret_evaluation *evaluate(const struct regret_log *log,
                                          const struct regret_evaluate_options *o)
{
    struct regret_evaluation *e = NULL;
    cr_assert_eq(regret_evaluate(&e, log, o), REGRET_OK, "%s", regret_error_message());
    return e;
}

static void free_both(struct regret_log *log, struct regret_evaluation *e)
{
    regret_evaluation_free(e);
    regret_log_free(log);
}

/* Happy users ask agent 1, which is the worst; agent 2 is the best. */
static const struct planted confounded = {.n_obs = 1000,
                                          .n_exp = 300,
                                          .agents = 4,
                                          .tags = 3,
                                          .hidden = 0.4,
                                          .confounding = 0.8,
                                          .favourite = 1,
                                          .effect = {0.0, -0.1, 0.15, 0.0},
                                          .seed = 5};

static size_t best_by_mean(const struct regret_evaluation *e, enum regret_log_source s)
{
    size_t best = 0;
    for (size_t a = 0; a < e->n_agents; a++) {
        best = e->agent[a].mean[s] > e->agent[best].mean[s] ? a : best;
    }
    return best;
}

Test(evaluate, a_log_that_lies_does_not_name_the_agent)
{
    struct regret_log *log = planted_log(&confounded);
    struct regret_evaluate_options o = options_of(1);
    struct regret_evaluation *e = evaluate(log, &o);
    cr_expect_eq(best_by_mean(e, REGRET_LOG_OBS), 1);
    cr_expect_eq(e->incumbent, 1, "the agent most frequent in OBS");
    cr_expect_eq(e->verdict, REGRET_VERDICT_AGENT, "%s", e->sentence);
    cr_expect_eq(e->answer, 2);
    cr_expect_not_null(strstr(e->sentence, "agent-02"), "%s", e->sentence);
    cr_expect(isnan(e->trial_rows));
    for (size_t a = 0; a < e->n_agents; a++) {
        const struct regret_agent_value *x = &e->agent[a];
        double truth = planted_value(&confounded, a) - planted_value(&confounded, e->incumbent);
        cr_expect(x->simultaneous_low <= truth && truth <= x->simultaneous_high, "agent %zu", a);
        cr_expect(x->simultaneous_low <= x->difference.low, "agent %zu", a);
    }
    for (size_t i = 0; i < e->n_advice; i++) {
        cr_assert_eq(e->advice[i].agent, 2);
    }
    free_both(log, e);
}

Test(evaluate, who_is_best_for_a_tag_is_found)
{
    struct planted p = confounded;
    memset(p.effect, 0, sizeof p.effect);
    p.n_exp = 600;
    p.tag_effect[0][0] = p.tag_effect[1][2] = p.tag_effect[2][3] = 0.3;
    struct regret_log *log = planted_log(&p);
    struct regret_evaluate_options o = options_of(1);
    struct regret_evaluation *e = evaluate(log, &o);
    static const size_t planted_for[] = {0, 2, 3};
    cr_expect(e->verdict == REGRET_VERDICT_BY_TAG, "%s", e->sentence);
    for (size_t t = 0; t < 3; t++) {
        cr_expect_eq(e->tag[t].agent, planted_for[t], "tag %zu", t);
    }
    const struct regret_policy_worth *by_tag = &e->policy[REGRET_POLICY_BY_TAG];
    cr_expect(by_tag->over_single.low > 0.0 && by_tag->over_incumbent.low > 0.0);
    cr_expect(by_tag->value.low <= planted_best_by_tag(&p) &&
              planted_best_by_tag(&p) <= by_tag->value.high);
    for (size_t i = 0; i < e->n_advice; i++) {
        cr_assert_eq(e->advice[i].agent, planted_for[log->tag[e->advice[i].context]]);
    }
    free_both(log, e);
}

/* Agents that are alike, under ten seeds: never told apart but once at most, and a larger trial is wanted. */
/* The sanitizers see the same way twice. */
#ifdef REGRET_FEW_REPLICATES
enum { NULL_LOGS = 2 };
#else
enum { NULL_LOGS = 10 };
#endif

Test(evaluate, where_nothing_is_planted_nothing_is_told)
{
    size_t told = 0;
    for (uint64_t seed = 1; seed <= NULL_LOGS; seed++) {
        struct planted p = confounded;
        memset(p.effect, 0, sizeof p.effect);
        p.n_obs = 300;
        p.n_exp = 150;
        p.seed = seed;
        struct regret_log *log = planted_log(&p);
        struct regret_evaluate_options o = options_of(seed);
        struct regret_evaluation *e = evaluate(log, &o);
        told += e->verdict != REGRET_VERDICT_CANNOT_TELL;
        if (e->verdict == REGRET_VERDICT_CANNOT_TELL) {
            cr_expect(e->trial_rows > (double)e->rows, "%g", e->trial_rows);
            cr_expect_eq(e->answer, e->n_agents);
            cr_expect_eq(e->advice[0].agent, e->incumbent);
        }
        free_both(log, e);
    }
    cr_expect_leq(told, 1, "told %zu times of %d", told, (int)NULL_LOGS);
}

/* ---------------------------------------------------------------- one source */

Test(evaluate, a_log_alone_cannot_tell)
{
    struct planted p = confounded;
    p.n_exp = 0;
    for (int gives = 0; gives < 2; gives++) {
        p.gives_obs_propensities = gives;
        struct regret_log *log = planted_log(&p);
        struct regret_evaluate_options o = options_of(1);
        o.n_families = 0;
        struct regret_evaluation *e = evaluate(log, &o);
        cr_expect_eq(e->basis, REGRET_LOG_OBS);
        cr_expect_eq(e->verdict, REGRET_VERDICT_CANNOT_TELL);
        cr_expect_not_null(strstr(e->sentence, "log alone"), "%s", e->sentence);
        cr_expect(e->trial_rows > 0.0);
        cr_expect_eq(e->n_families, 2);
        for (size_t a = 0; a < e->n_agents; a++) {
            cr_expect(isfinite(e->agent[a].value[REGRET_VALUE_SNDR].low));
            cr_expect(isnan(e->agent[a].mean[REGRET_LOG_EXP]));
        }
        free_both(log, e);
    }
}

Test(evaluate, a_trial_alone_tells)
{
    struct planted p = confounded;
    p.n_obs = 0;
    p.n_exp = 500;
    struct regret_log *log = planted_log(&p);
    struct regret_evaluate_options o = options_of(1);
    o.n_families = 0;
    log->incumbent = 1;
    struct regret_evaluation *e = evaluate(log, &o);
    cr_expect_eq(e->incumbent, 1);
    cr_expect_eq(e->verdict, REGRET_VERDICT_AGENT, "%s", e->sentence);
    cr_expect_eq(e->answer, 2);
    cr_expect(isnan(e->lambda));
    free_both(log, e);
}

/* ---------------------------------------------------------------- what must not matter */

static void permute(struct regret_log_rows *rows)
{
    struct regret_log_rows old = *rows;
    size_t *order = NULL;
    cr_assert_eq(regret_rng_order(&order, rows->n, 3, REGRET_RNG_TEST, 3), REGRET_OK);
    cr_assert_eq(REGRET_NEW(&rows->context, rows->n), REGRET_OK);
    cr_assert_eq(REGRET_NEW(&rows->agent, rows->n), REGRET_OK);
    cr_assert_eq(REGRET_NEW(&rows->outcome, rows->n), REGRET_OK);
    cr_assert_eq(REGRET_NEW(&rows->cluster, rows->n), REGRET_OK);
    for (size_t i = 0; i < rows->n; i++) {
        rows->context[i] = old.context[order[i]];
        rows->agent[i] = old.agent[order[i]];
        rows->outcome[i] = old.outcome[order[i]];
        rows->cluster[i] = old.cluster[order[i]];
    }
    regret_free(old.context);
    regret_free(old.agent);
    regret_free(old.outcome);
    regret_free(old.cluster);
    regret_free(order);
}

static void expect_same(const struct regret_evaluation *a, const struct regret_evaluation *b,
                        double within)
{
    cr_assert_eq(a->n_agents, b->n_agents);
    for (size_t i = 0; i < a->n_agents; i++) {
        for (size_t k = 0; k < REGRET_N_VALUES; k++) {
            const struct regret_valued *x = &a->agent[i].value[k], *y = &b->agent[i].value[k];
            cr_expect(fabs(x->value - y->value) <= within && fabs(x->low - y->low) <= within,
                      "agent %zu: %.17g and %.17g", i, x->value, y->value);
        }
        cr_expect(fabs(a->agent[i].simultaneous_low - b->agent[i].simultaneous_low) <= within);
    }
    for (size_t p = 0; p < REGRET_POLICIES; p++) {
        cr_expect(fabs(a->policy[p].value.value - b->policy[p].value.value) <= within);
    }
    cr_expect_str_eq(a->sentence, b->sentence);
}

Test(evaluate, neither_the_order_of_rows_nor_threads_matter)
{
    struct planted p = confounded;
#ifdef REGRET_FEW_REPLICATES /* where threads share counters of lines, and take turns */
    p.n_obs = 60;
    p.n_exp = 40;
#else
    p.n_obs = 150;
    p.n_exp = 80;
#endif
    struct regret_log *log = planted_log(&p), *mixed_up = planted_log(&p);
    struct regret_evaluate_options o = options_of(2);
    permute(&mixed_up->rows[REGRET_LOG_OBS]);
    permute(&mixed_up->rows[REGRET_LOG_EXP]);
    struct regret_evaluation *e = evaluate(log, &o), *other = evaluate(mixed_up, &o);
    expect_same(e, other, 1e-6);
    free_both(mixed_up, other);
    o.threads = 3;
    other = evaluate(log, &o);
    expect_same(e, other, 0.0);
    free_both(log, e);
    regret_evaluation_free(other);
}

/* ---------------------------------------------------------------- what is hard */

Test(evaluate, an_agent_without_rows_in_the_trial_is_never_chosen)
{
    struct planted p = confounded;
    const double probability[] = {1.0, 2.0, 0.0, 1.0};
    memcpy(p.probability, probability, sizeof probability);
    struct regret_log *log = planted_log(&p);
    struct regret_evaluate_options o = options_of(1);
    struct regret_evaluation *e = evaluate(log, &o);
    cr_expect_eq(e->agent[2].rows[REGRET_LOG_EXP], 0);
    cr_expect(e->agent[2].rows[REGRET_LOG_OBS] > 0);
    cr_expect(isnan(e->agent[2].value[REGRET_VALUE_SNDR].low) &&
              isnan(e->agent[2].value[REGRET_VALUE_DM].low) && isnan(e->agent[2].difference.error));
    cr_expect_neq(e->single, 2);
    for (size_t i = 0; i < e->n_advice; i++) {
        cr_assert_neq(e->advice[i].by_request, 2);
    }
    cr_assert_geq(e->n_notes, 1);
    cr_expect_not_null(strstr(e->note[0], "agent-02"), "%s", e->note[0]);
    free_both(log, e);
}

/* Gives the rows of EXP an hour each, and takes agent 2 away after the first third. */
static void take_away(struct regret_log *log, size_t third)
{
    struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    cr_assert_eq(REGRET_NEW(&exp->time, exp->n), 0);
    for (size_t i = 0; i < exp->n; i++) {
        exp->time[i] = 1767225600.0 + 3600.0 * (double)i; /* 2026-01-01 */
        exp->agent[i] = i >= third && exp->agent[i] == 2 ? 3 : exp->agent[i];
    }
}

Test(evaluate, an_agent_that_is_gone_is_told)
{
    struct regret_evaluate_options o = options_of(1);
    for (size_t whole = 0; whole < 2; whole++) {
        struct regret_log *log = planted_log(&confounded);
        take_away(log, whole ? SIZE_MAX : 100);
        struct regret_evaluation *e = evaluate(log, &o);
        int is_told =
            e->n_notes > 0 && strstr(e->note[0], "agent-02 was chosen last on 2026-01-0") != NULL;
        cr_expect_eq(is_told, !whole, "%s", e->n_notes > 0 ? e->note[0] : "no note");
        free_both(log, e);
    }
}

/* Outcomes rise by .3 in the middle of the trial, when agent 2 leaves and agent 1, which is as good as it, comes; 0 and 3 always are there. */
static struct regret_log *come_and_go(size_t incumbent, int is_told)
{
    const struct planted p = {
        .n_exp = 1200, .agents = 4, .effect = {0.0, 0.1, 0.1, -0.05}, .seed = 3};
    struct regret_log *log = planted_log(&p);
    struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    cr_assert_eq(REGRET_NEW(&exp->offer, exp->n), 0);
    cr_assert_eq(REGRET_NEW(&log->on_offer, 2), 0);
    log->n_offers = 2;
    log->on_offer[0] = 1U << 0 | 1U << 2 | 1U << 3;
    log->on_offer[1] = 1U << 0 | 1U << 1 | 1U << 3;
    log->incumbent = incumbent;
    for (size_t i = 0; i < exp->n; i++) {
        int is_late = 2 * i >= exp->n, is_one = exp->agent[i] == 1 || exp->agent[i] == 2;
        exp->agent[i] = !is_one ? exp->agent[i] : is_late ? 1 : 2;
        exp->propensity[i] = is_one ? 0.5 : 0.25;
        exp->outcome[i] = fmin(1.0, fmax(0.0, exp->outcome[i] + (is_late ? 0.15 : -0.15)));
        exp->offer[i] = (uint32_t)is_late;
    }
    if (!is_told) {
        regret_free(exp->offer);
        exp->offer = NULL;
    }
    return log;
}

static int holds(const struct regret_valued *v, double truth)
{
    return v->low <= truth && truth <= v->high;
}

Test(evaluate, agents_that_come_and_go_are_compared_where_both_were_on_offer)
{
    struct regret_evaluate_options o = options_of(1);
    for (int told = 0; told < 2; told++) {
        struct regret_log *log = come_and_go(0, told);
        struct regret_evaluation *e = evaluate(log, &o);
        cr_expect_eq(holds(&e->agent[1].difference, 0.1), told, "%g to %g",
                     e->agent[1].difference.low, e->agent[1].difference.high);
        cr_expect_eq(holds(&e->agent[2].difference, 0.1), told, "%g to %g",
                     e->agent[2].difference.low, e->agent[2].difference.high);
        cr_expect(holds(&e->agent[3].difference, -0.05));
        cr_expect_eq(e->agent[1].difference.rows, told ? 600 : 1200);
        cr_expect_eq(e->agent[3].difference.rows, 1200);
        size_t absent = 0, other = 0;
        for (size_t i = 0; i < e->n_advice; i++) {
            const struct regret_recommended *to = &e->advice[i];
            uint32_t late = 2 * to->row >= 1200, gone = late ? 2 : 1;
            absent += to->agent == gone || to->by_request == gone;
            other += to->agent != 3 - gone; /* the best by differences of those there */
        }
        cr_expect_eq(other > 0, !told, "%zu requests get another", other);
        cr_expect_eq(absent > 0, !told, "%zu requests get an agent that is not on offer", absent);
        struct regret_buffer text = REGRET_BUFFER_INIT;
        regret_evaluation_describe(&text, e, log);
        cr_expect_eq(strstr(regret_buffer_get(&text), "\nagent-02 600. Surface") != NULL, told,
                     "%s", regret_buffer_get(&text));
        /* 2 is better than 0, though in the worse half of the time */
        cr_expect(e->agent[2].value[REGRET_VALUE_SNDR].value <
                  e->agent[0].value[REGRET_VALUE_SNDR].value);
        cr_expect_eq(strstr(regret_buffer_get(&text), "\nagent-02 ") <
                         strstr(regret_buffer_get(&text), "\nagent-00 "),
                     told, "%s", regret_buffer_get(&text));
        cr_expect_eq(
            strstr(regret_buffer_get(&text), "interval, own rows  difference, same") != NULL, told);
        regret_buffer_clear(&text);
        regret_evaluation_json(&text, e, log);
        cr_expect_eq(strstr(regret_buffer_get(&text), ",\"rows\":600}") != NULL, told);
        regret_buffer_free(&text);
        free_both(log, e);
    }
}

/* How much of a group goes to others when all is learned than it was valued with. */
static double apart(const struct regret_evaluation *e, uint32_t group)
{
    double share[2][4] = {{0.0}}, n[2] = {0.0}, sum = 0.0;
    for (size_t i = 0; i < e->rows; i++) {
        if (e->margin_group[i] == group) {
            share[0][e->choice[REGRET_POLICY_REQUEST][i]] += 1.0;
            n[0] += 1.0;
        }
    }
    for (size_t i = 0; i < e->n_advice; i++) {
        if (e->advice[i].group == group) {
            share[1][e->advice[i].by_request] += 1.0;
            n[1] += 1.0;
        }
    }
    for (size_t a = 0; a < 4 && n[1] > 0.0; a++) {
        sum += 0.5 * fabs(share[0][a] / n[0] - share[1][a] / n[1]);
    }
    return sum;
}

Test(evaluate, a_margin_of_other_agents_is_not_told)
{
    struct regret_evaluate_options o = options_of(1);
    struct regret_log *log = come_and_go(0, 1);
    struct regret_evaluation *e = evaluate(log, &o);
    size_t untold = 0;
    for (uint32_t g = 0; g < e->n_groups; g++) {
        cr_expect(apart(e, g) <= 1.0 / 3.0, "%u: %g", g, apart(e, g));
    }
    for (size_t i = 0; i < e->n_advice; i++) {
        untold += e->advice[i].margin > 0.0 && e->advice[i].group == UINT32_MAX;
    }
    cr_expect(untold > 0);
    free_both(log, e);
}

/* Agent 2, the best and most frequent, is on offer in the first 1000 of 1200 rows. */
static struct regret_log *withdraw(void)
{
    const struct planted p = {.n_exp = 1200,
                              .agents = 3,
                              .effect = {-0.15, 0.0, 0.15},
                              .probability = {0.25, 0.25, 0.5},
                              .seed = 4};
    struct regret_log *log = planted_log(&p);
    struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    cr_assert_eq(REGRET_NEW(&exp->offer, exp->n), 0);
    cr_assert_eq(REGRET_NEW(&exp->time, exp->n), 0);
    cr_assert_eq(REGRET_NEW(&log->on_offer, 2), 0);
    log->n_offers = 2;
    log->on_offer[0] = 7;
    log->on_offer[1] = 3;
    for (size_t i = 0; i < exp->n; i++) {
        int is_late = i >= 1000, moves = is_late && exp->agent[i] == 2;
        exp->time[i] = 3600.0 * (double)i;
        exp->offer[i] = (uint32_t)is_late;
        exp->outcome[i] = fmax(0.0, exp->outcome[i] - (moves ? 0.3 : 0.0));
        exp->agent[i] = moves ? 0 : exp->agent[i];
        exp->propensity[i] = exp->agent[i] == 1   ? 0.25
                             : exp->agent[i] == 2 ? 0.5
                             : is_late            ? 0.75
                                                  : 0.25;
    }
    return log;
}

Test(evaluate, an_agent_that_is_withdrawn_is_not_advised)
{
    struct regret_evaluate_options o = options_of(1);
    for (int told = 0; told < 2; told++) {
        struct regret_log *log = withdraw();
        FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
        struct regret_model *model = NULL;
        cr_assert_eq(told ? log_find_withdrawn(log) : 0, 0);
        cr_assert_eq(is_withdrawn(log, 2), told);
        cr_expect(!is_withdrawn(log, 0) && !is_withdrawn(log, 1));
        struct regret_evaluation *e = evaluate(log, &o);
        cr_expect_eq(e->incumbent, told ? 0 : 2);
        cr_expect_eq(e->verdict, REGRET_VERDICT_AGENT);
        cr_expect_eq(e->answer, told ? 1 : 2, "%s", e->sentence);
        cr_expect_eq(strstr(e->sentence, " agent-02, which differs from agent-00 by +0.") != NULL,
                     told, "%s", e->sentence);
        cr_expect_eq(e->n_notes > 0 &&
                         strstr(e->note[0], "agent-02 was on offer last on 1970-02-11, "
                                            "and 200 of 1200 rows") != NULL,
                     told);
        for (size_t i = 0; i < e->n_advice; i++) { /* 1 is better than 0 by differences */
            const struct regret_recommended *to = &e->advice[i];
            cr_assert_eq(to->agent, told || to->row >= 1000 ? 1 : 2);
            cr_assert(!told || to->by_request != 2);
        }
        cr_assert_eq(answer_model(&model, e, log), REGRET_OK, "%s", regret_error_message());
        cr_expect_eq(model->n_agents, told ? 2 : 3);
        regret_model_free(model);
        log->high = 1e6;
        regret_evaluation_describe(&text, e, log);
        char columns[64];
        snprintf(columns, sizeof columns, " %zu %.3f  [", e->agent[1].rows[REGRET_LOG_EXP],
                 1e6 * e->agent[1].value[REGRET_VALUE_SNDR].value);
        cr_expect_not_null(strstr(regret_buffer_get(&text), columns), "%s, not %s",
                           regret_buffer_get(&text), columns);
        free_both(log, e);
    }
}

/* On the slate of one request stands agent 2 alone. */
Test(evaluate, a_request_that_nobody_is_left_for_says_why)
{
    enum { ALONE = 10 };
    struct regret_evaluate_options o = options_of(1);
    struct regret_log *log = withdraw();
    struct regret_log_rows *exp = &log->rows[REGRET_LOG_EXP];
    FREED_BY(regret_buffer_free) struct regret_buffer text = REGRET_BUFFER_INIT;
    cr_assert_eq(log_find_withdrawn(log), 0);
    cr_assert_eq(regret_realloc((void **)&log->on_offer, 3, sizeof *log->on_offer, "slates"), 0);
    log->on_offer[log->n_offers++] = 4;
    exp->offer[ALONE] = exp->agent[ALONE] = 2;
    exp->propensity[ALONE] = 1.0;
    struct regret_evaluation *e = evaluate(log, &o);
    for (size_t i = 0; i < e->n_advice; i++) {
        cr_expect_eq(e->advice[i].agent, e->advice[i].row == ALONE ? UINT32_MAX : 1);
    }
    table_recommendations(&text, e, log);
    const char *why = strstr(regret_buffer_get(&text), "\"every agent on its slate is withdrawn, ");
    cr_assert_not_null(why);
    cr_expect_null(strstr(why + 2, "every agent on its slate"));
    free_both(log, e);
}

/* An incumbent that is named stays whom others are compared with: all are worse, and yet nobody is told to stay with it. */
Test(evaluate, nobody_stays_with_who_is_withdrawn)
{
    struct regret_evaluate_options o = options_of(1);
    struct regret_log *log = withdraw();
    log->incumbent = 2;
    cr_assert_eq(log_find_withdrawn(log), 0);
    struct regret_evaluation *e = evaluate(log, &o);
    cr_expect_eq(e->verdict, REGRET_VERDICT_CANNOT_TELL);
    cr_expect_not_null(
        strstr(e->sentence, "agent-02 is on offer no more: name an incumbent that is"), "%s",
        e->sentence);
    for (size_t i = 0; i < e->n_advice; i++) {
        cr_assert_eq(e->advice[i].agent, 1);
    }
    free_both(log, e);
}

Test(evaluate, agents_that_never_met_cannot_be_told_apart)
{
    struct regret_evaluate_options o = options_of(1);
    struct regret_log *log = come_and_go(1, 1);
    struct regret_evaluation *e = evaluate(log, &o);
    cr_expect(isnan(e->agent[2].difference.value) && e->agent[2].difference.rows == 0);
    cr_expect(holds(&e->agent[0].difference, -0.1) && holds(&e->agent[3].difference, -0.15));
    cr_expect_neq(e->single, 2);
    cr_assert_geq(e->n_notes, 1);
    cr_expect_str_eq(e->note[0], "agent-02 was never on offer together with agent-01: how they "
                                 "differ cannot be told");
    cr_expect_not_null(strstr(e->sentence, "who never was cannot be told"), "%s", e->sentence);
    for (size_t i = 0; i < e->n_advice; i++) { /* without the incumbent no margin is told */
        const struct regret_recommended *to = &e->advice[i];
        cr_expect_eq(isnan(to->margin) != 0, to->row < 600);
        cr_expect(was_on_offer(log, REGRET_LOG_EXP, to->row, to->agent));
    }
    free_both(log, e);
}

/* Clusters of several rows count as one. */
Test(evaluate, clusters_widen_intervals)
{
    struct planted p = confounded;
    p.n_obs = 300;
    p.per_cluster = 5;
    p.hidden = 0.8;
    struct regret_log *log = planted_log(&p);
    struct regret_evaluate_options o = options_of(1);
    struct regret_evaluation *by_users = evaluate(log, &o);
    cr_expect_eq(by_users->clusters, 60);
    regret_log_free(log);
    p.per_cluster = 1;
    log = planted_log(&p);
    struct regret_evaluation *by_requests = evaluate(log, &o);
    cr_expect_eq(by_requests->clusters, 300);
    double wide = 0.0, narrow = 0.0;
    for (size_t a = 0; a < 4; a++) {
        wide += by_users->agent[a].value[REGRET_VALUE_SNDR].error;
        narrow += by_requests->agent[a].value[REGRET_VALUE_SNDR].error;
    }
    cr_expect_gt(wide, 1.2 * narrow);
    regret_evaluation_free(by_users);
    free_both(log, by_requests);
}

Test(evaluate, without_text_or_tag)
{
    struct planted p = confounded;
    p.without_text = 1;
    p.tags = 0;
    p.is_binary = 1;
    p.n_obs = 300;
    p.n_exp = 100;
    struct regret_log *log = planted_log(&p);
    struct regret_evaluate_options o = options_of(1);
    o.n_families = 0;
    struct regret_evaluation *e = evaluate(log, &o);
    cr_expect_eq(e->n_tags, 0);
    cr_expect_null(e->tag);
    cr_expect(!e->policy[REGRET_POLICY_BY_TAG].is_there);
    cr_expect(e->policy[REGRET_POLICY_REQUEST].is_there);
    cr_expect_geq(e->n_families, 4);
    cr_expect(e->lambda >= 0.0 && e->lambda <= 1.0);
    free_both(log, e);
}

static void expect_refused(const struct planted *p, int one_cluster, const char *says)
{
    struct regret_log *log = planted_log(p);
    struct regret_evaluate_options o = options_of(1);
    struct regret_evaluation *e = NULL;
    for (size_t i = 0; one_cluster && i < p->n_exp; i++) {
        log->rows[REGRET_LOG_EXP].cluster[i] = 0;
    }
    cr_expect_eq(regret_evaluate(&e, log, &o), REGRET_E_INPUT);
    cr_expect_null(e);
    cr_expect_not_null(strstr(regret_error_message(), says), "%s", regret_error_message());
    regret_log_free(log);
}

Test(evaluate, too_little_is_refused_with_a_remedy)
{
    struct planted p = confounded;
    p.n_obs = 50;
    p.n_exp = 40;
    expect_refused(&p, 1, "name a finer \"cluster\"");
    p.probability[0] = 1.0;
    expect_refused(&p, 0, "collect rows of others");
}

/* Outcomes that are all alike leave nothing to tell. */
Test(evaluate, outcomes_that_never_differ)
{
    struct planted p = confounded;
    p.n_obs = 100;
    p.n_exp = 60;
    struct regret_log *log = planted_log(&p);
    struct regret_evaluate_options o = options_of(1);
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        for (size_t i = 0; i < log->rows[s].n; i++) {
            log->rows[s].outcome[i] = 0.5;
        }
    }
    struct regret_evaluation *e = evaluate(log, &o);
    for (size_t a = 0; a < e->n_agents; a++) {
        cr_expect(fabs(e->agent[a].value[REGRET_VALUE_SNDR].value - 0.5) < 1e-6);
    }
    cr_expect_eq(e->verdict, REGRET_VERDICT_CANNOT_TELL, "%s", e->sentence);
    free_both(log, e);
}

/* ---------------------------------------------------------------- outputs */

static const struct planted alike = {.n_obs = 600, .n_exp = 500, .agents = 3, .seed = 21};

/* Every agent answers half of the requests well, and one word tells which; rows are pleased by good answers. What the OBS rows' agents
 * answered stands in their rows. */
static struct regret_log *log_of_words(size_t missing)
{
    struct regret_log *log = planted_log(&alike);
    struct regret_rng rng = regret_rng_at(3, REGRET_RNG_TEST, 4);
    cr_assert_eq(REGRET_NEW(&log->output, log->n_evaluation * log->n_agents), 0);
    cr_assert_eq(REGRET_NEW(&log->row_output[REGRET_LOG_OBS], alike.n_obs), 0);
    for (size_t p = 0; p < log->n_evaluation * log->n_agents; p++) {
        int good = regret_rng_uniform(&rng) < 0.5;
        cr_assert_eq(regret_strdup(&log->output[p], good ? "here is the answer" : "sorry I cannot"),
                     0);
    }
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        for (size_t i = 0; i < log->rows[s].n; i++) {
            int good = regret_rng_uniform(&rng) < 0.5;
            size_t p = log->rows[s].context[i] * log->n_agents + log->rows[s].agent[i];
            char **own = log->row_output[s] != NULL ? &log->row_output[s][i] : NULL;
            if (own != NULL) {
                cr_assert_eq(regret_strdup(own, good ? "here is the answer" : "sorry I cannot"), 0);
            }
            good = own != NULL ? good : log->output[p][0] == 'h';
            log->rows[s].outcome[i] = regret_rng_uniform(&rng) < (good ? 0.9 : 0.1);
        }
    }
    for (size_t p = 0; p < missing; p++) {
        regret_free(log->output[p]);
        log->output[p] = NULL;
    }
    return log;
}

static int tells(const struct regret_evaluation *e, const char *what)
{
    int is = 0;
    for (size_t i = 0; i < e->n_notes; i++) {
        is |= strstr(e->note[i], what) != NULL;
    }
    return is;
}

/* By outputs a policy by request picks a good answer where any of three is: .9 x 7/8 + .1 / 8 = .8, and .5 without. The
 * answer that it picks is right request by request. */
Test(evaluate, what_outputs_say_decides_by_request)
{
    struct regret_evaluate_options o = options_of(3);
    struct regret_log *log = log_of_words(0);
    struct regret_evaluation *e = evaluate(log, &o);
    size_t good = 0, any = 0;
    cr_expect(e->policy[REGRET_POLICY_REQUEST].value.low > 0.6 &&
                  e->policy[REGRET_POLICY_REQUEST].value.high > 0.8 - 0.05,
              "[%g, %g]", e->policy[REGRET_POLICY_REQUEST].value.low,
              e->policy[REGRET_POLICY_REQUEST].value.high);
    cr_expect_eq(e->verdict, REGRET_VERDICT_BY_REQUEST);
    cr_expect(tells(e, "outputs are features"));
    for (size_t i = 0; i < e->n_advice; i++) {
        char **of = &log->output[e->advice[i].context * log->n_agents];
        good += of[e->advice[i].by_request][0] == 'h';
        any += of[0][0] == 'h' || of[1][0] == 'h' || of[2][0] == 'h';
    }
    cr_expect_eq(good, any);
    free_both(log, e);
    log = log_of_words(1);
    e = evaluate(log, &o);
    cr_expect(e->policy[REGRET_POLICY_REQUEST].value.high < 0.65, "one is missing: none is seen");
    cr_expect(tells(e, "outputs are left out"));
    cr_expect_neq(e->verdict, REGRET_VERDICT_BY_REQUEST);
    free_both(log, e);
}

/* ---------------------------------------------------------------- covariates */

/* Agent 0 pleases where a number is above .7 of its way, agent 1 below; a second covariate is of words and says nothing. */
static struct regret_log *log_of_columns(double **of_context)
{
    struct regret_log *log = planted_log(&alike);
    struct regret_rng rng = regret_rng_at(5, REGRET_RNG_TEST, 4);
    static const char *const words[] = {"a", "b", "c"};
    cr_assert_eq(REGRET_NEW(&log->column, 2), 0);
    log->n_columns = 2;
    struct regret_log_column *c = log->column;
    cr_assert_eq(regret_strdup(&c[0].name, "size") | regret_strdup(&c[1].name, "land"), 0);
    cr_assert_eq(REGRET_NEW(&c[0].value, log->n_contexts), 0);
    cr_assert_eq(REGRET_NEW(&c[1].word, log->n_contexts), 0);
    cr_assert_eq(REGRET_NEW(&c[1].words, 3), 0);
    c[1].is_word = 1;
    for (; c[1].n_words < 3; c[1].n_words++) {
        cr_assert_eq(regret_strdup(&c[1].words[c[1].n_words], words[c[1].n_words]), 0);
    }
    for (size_t x = 0; x < log->n_contexts; x++) {
        c[0].value[x] = x % 50 == 7 ? NAN : exp(3.0 * regret_rng_uniform(&rng));
        c[1].word[x] = (uint32_t)(3.0 * regret_rng_uniform(&rng));
    }
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        for (size_t i = 0; i < log->rows[s].n; i++) {
            uint32_t a = log->rows[s].agent[i];
            int large = c[0].value[log->rows[s].context[i]] > exp(2.1);
            double p = a == 2 ? 0.5 : a == (large ? 0U : 1U) ? 0.8 : 0.3;
            log->rows[s].outcome[i] = regret_rng_uniform(&rng) < p;
        }
    }
    *of_context = c[0].value;
    return log;
}

/* By mixed, which knows a request's kind by its columns alone. */
Test(evaluate, what_a_covariate_says_decides_by_request)
{
    struct regret_evaluate_options o = options_of(3);
    double *size = NULL;
    size_t right = 0, known = 0;
    struct regret_log *log = log_of_columns(&size);
    struct regret_evaluation *e = evaluate(log, &o);
    cr_expect_eq(e->verdict, REGRET_VERDICT_BY_REQUEST, "%s", e->sentence);
    for (size_t i = 0; i < e->n_advice; i++) {
        double v = size[e->advice[i].context];
        known += !isnan(v);
        right += !isnan(v) && e->advice[i].by_request == (v > exp(2.1) ? 0U : 1U);
    }
    cr_expect_gt((double)right, 0.9 * (double)known, "%zu of %zu", right, known);
    struct regret_buffer text = REGRET_BUFFER_INIT;
    regret_evaluation_describe(&text, e, log);
    const char *says = strstr(regret_buffer_get(&text), "What decides: size at least ");
    cr_expect(says != NULL && strstr(says, "land") == NULL, "%s", regret_buffer_get(&text));
    regret_buffer_free(&text);
    free_both(log, e);
    o.features.columns = o.features.agent_columns = 0.0;
    log = log_of_columns(&size);
    e = evaluate(log, &o);
    cr_expect_neq(e->verdict, REGRET_VERDICT_BY_REQUEST, "columns are no features: %s",
                  e->sentence);
    free_both(log, e);
}
