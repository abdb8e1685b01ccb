#include <math.h>

#include "base/core/try.h"
#include "evaluate/worth/values.h"
#include "regret/alloc.h"

/* The tag of a row's context. */
static uint32_t tag_of(const struct material *m, size_t i)
{
    return m->tag[m->context[m->rows[m->drawn.basis].pair[i]]];
}

/* What each policy, learned of the folds before that of a row, takes on it. */
static int choose(struct valuing *v)
{
    const struct material *m = v->m;
    const struct surfaces *used = &v->list->of[v->list->used];
    struct regret_evaluation *e = v->e;
    for (size_t p = 0; p < REGRET_POLICIES; p++) {
        e->policy[p].is_there = p != REGRET_POLICY_BY_TAG || m->tag != NULL;
        if (e->policy[p].is_there) {
            TRY(REGRET_NEW(&e->choice[p], e->rows));
        }
    }
    for (size_t i = 0; i < e->rows; i++) {
        const struct learned *l = &used->learned[e->fold[i]];
        int is_late = e->fold[i] >= v->list->first_late;
        const double *f = used->early + i * e->n_agents;
        e->choice[REGRET_POLICY_SINGLE][i] = is_late ? l->single : NO_CHOICE;
        e->choice[REGRET_POLICY_REQUEST][i] =
            is_late ? policy_by_request(m, f, v->eligible) : NO_CHOICE;
        if (m->tag != NULL) {
            e->choice[REGRET_POLICY_BY_TAG][i] = is_late ? l->by_tag[tag_of(m, i)] : NO_CHOICE;
        }
    }
    return REGRET_OK;
}

static void describe_policy(struct regret_policy_worth *worth, const struct valuing *v,
                            const uint32_t *choice)
{
    const struct regret_evaluation *e = v->e;
    double rows = 0.0;
    worth->cost = 0.0;
    for (size_t i = 0; i < e->rows; i++) {
        if (choice[i] != NO_CHOICE) {
            worth->share += choice[i] != e->choice[REGRET_POLICY_SINGLE][i];
            worth->cost += e->agent[choice[i]].cost;
            rows += 1.0;
        }
    }
    worth->share /= rows;
    worth->cost /= rows;
}

static int value_policy(struct valuing *v, size_t p)
{
    struct regret_evaluation *e = v->e;
    struct regret_policy_worth *worth = &e->policy[p];
    struct regret_valued value[REGRET_N_VALUES];
    const struct chooser x = {e->choice[p], 0}, single = {e->choice[REGRET_POLICY_SINGLE], 0};
    const struct chooser incumbent = {NULL, (uint32_t)e->incumbent};
    TRY(worth_of(value, NULL, &v->basis, &x, &v->late));
    worth->value = value[REGRET_VALUE_SNDR];
    describe_policy(worth, v, e->choice[p]);
    TRY(worth_difference(&worth->over_incumbent, NULL, &v->basis, &x, &incumbent, &v->late));
    return worth_difference(&worth->over_single, NULL, &v->basis, &x, &single, &v->late);
}

static void count_tags(struct regret_evaluation *e, const struct regret_log *log)
{
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        for (size_t i = 0; i < log->rows[s].n; i++) {
            e->tag[log->tag[log->rows[s].context[i]]].rows[s]++;
        }
    }
}

/* The policy by tag on the requests of each; the agent is that of all rows. */
static int value_tags(struct valuing *v)
{
    struct regret_evaluation *e = v->e;
    const struct learned *whole = &v->list->of[v->list->used].learned[v->list->folds];
    const struct chooser x = {e->choice[REGRET_POLICY_BY_TAG], 0};
    const struct chooser incumbent = {NULL, (uint32_t)e->incumbent};
    uint32_t *group = NULL;
    int rc;
    TRY_CLEANUP(REGRET_NEW(&e->tag, e->n_tags));
    TRY_CLEANUP(REGRET_NEW(&group, e->rows));
    count_tags(e, v->m->log);
    for (size_t i = 0; i < e->rows; i++) {
        group[i] = v->late.group[i] == v->late.value ? tag_of(v->m, i) : UINT32_MAX;
    }
    for (uint32_t t = 0; t < e->n_tags; t++) {
        const struct part part = {group, t};
        struct regret_valued value[REGRET_N_VALUES];
        TRY_CLEANUP(worth_of(value, NULL, &v->basis, &x, &part));
        TRY_CLEANUP(
            worth_difference(&e->tag[t].over_incumbent, NULL, &v->basis, &x, &incumbent, &part));
        e->tag[t].agent = whole->by_tag[t];
        e->tag[t].value = value[REGRET_VALUE_SNDR];
    }
cleanup:
    regret_free(group);
    return rc;
}

int value_policies(struct valuing *v)
{
    TRY(choose(v));
    for (size_t p = 0; p < REGRET_POLICIES; p++) {
        if (v->e->policy[p].is_there) {
            TRY(value_policy(v, p));
        }
    }
    return v->m->tag != NULL ? value_tags(v) : REGRET_OK;
}
