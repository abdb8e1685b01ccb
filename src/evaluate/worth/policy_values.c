#include <math.h>

#include "base/core/try.h"
#include "evaluate/worth/values.h"
#include "regret/alloc.h"

/* The tag of a row's context. */
static uint32_t tag_of(const struct material *m, size_t i)
{
    return (uint32_t)drawn_tag(&m->drawn, i);
}

void forget_unknown(struct regret_valued *value, const struct valuing *v, const struct chooser *x,
                    const struct chooser *y, const struct part *part)
{
    const struct basis *b = &v->basis;
    int is_known = 1;
    for (size_t i = 0; i < b->n && is_known && v->m->log->n_holes > 0; i++) {
        if (part == NULL || part->group[i] == part->value) {
            is_known =
                basis_offers(b, i, x->choice != NULL ? x->choice[i] : x->agent) &&
                (y == NULL || basis_offers(b, i, y->choice != NULL ? y->choice[i] : y->agent));
        }
    }
    if (!is_known) {
        *value = (struct regret_valued){NAN, NAN, NAN, NAN, NAN, value->rows};
    }
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
        int is_known = is_late && i < e->n_known;
        const double *f = used->early + (is_known ? i : 0) * e->n_agents;
        e->choice[REGRET_POLICY_SINGLE][i] = is_late ? l->single : NO_CHOICE;
        e->choice[REGRET_POLICY_REQUEST][i] =
            is_known ? policy_by_request(m, f, v->eligible, i) : NO_CHOICE;
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
        if (choice[i] != NO_CHOICE && basis_offers(&v->basis, i, choice[i])) {
            worth->share += choice[i] != e->choice[REGRET_POLICY_SINGLE][i];
            worth->cost += e->agent[choice[i]].cost;
            rows += 1.0;
        }
    }
    worth->share /= rows;
    worth->cost /= rows;
}

/* gap gets what the gain over the single agent comes from. */
static int value_policy(struct valuing *v, struct gap *gap, size_t p)
{
    struct regret_evaluation *e = v->e;
    struct regret_policy_worth *worth = &e->policy[p];
    struct regret_valued value[REGRET_N_VALUES];
    const struct chooser x = {e->choice[p], 0}, single = {e->choice[REGRET_POLICY_SINGLE], 0};
    const struct chooser incumbent = {NULL, (uint32_t)e->incumbent};
    const struct part *late = p == REGRET_POLICY_REQUEST ? &v->late_known : &v->late;
    TRY(worth_of(value, NULL, &v->basis, &x, late));
    worth->value = value[REGRET_VALUE_SNDR];
    describe_policy(worth, v, e->choice[p]);
    TRY(worth_difference(&worth->over_incumbent, NULL, NULL, &v->basis, &x, &incumbent, late));
    worth->over_single_least = NAN;
    TRY(worth_difference(&worth->over_single, gap, NULL, &v->basis, &x, &single, late));
    forget_unknown(&worth->value, v, &x, NULL, late);
    forget_unknown(&worth->over_incumbent, v, &x, &incumbent, late);
    forget_unknown(&worth->over_single, v, &x, &single, late);
    return REGRET_OK;
}

/* Policies that could be better than a single agent: each is asked at a level that holds for all of them (Bonferroni). */
static void set_least_gains(struct regret_evaluation *e, const struct gap *gap)
{
    double n = 0.0;
    for (size_t p = REGRET_POLICY_BY_TAG; p < REGRET_POLICIES; p++) {
        n += e->policy[p].is_there && e->policy[p].share > 0.0;
    }
    for (size_t p = REGRET_POLICY_BY_TAG; p < REGRET_POLICIES; p++) {
        struct regret_valued wide = e->policy[p].over_single;
        difference_set_interval(&wide, &gap[p], tails_of(1.0 - (1.0 - e->level) / fmax(1.0, n)));
        e->policy[p].over_single_least = wide.low;
    }
}

static void count_tags(struct regret_evaluation *e, const struct regret_log *log)
{
    for (size_t s = 0; s < REGRET_LOG_SOURCES; s++) {
        for (size_t i = 0; i < log->rows[s].n; i++) {
            e->tag[log->tag[log->rows[s].context[i]]].rows[s]++;
        }
    }
}

/* How many agents, the incumbent apart, could have been chosen for a tag of so many rows: the one that was, and all that are not clearly
 * worse. Those are whose shortfall is above √ln n errors, which grows, but slower than a true shortfall does (generalized moment
 * selection: Andrews and Soares, Econometrica 78, 2010, 119-157). */
static int count_rivals(size_t *out, const struct valuing *v, const struct part *part,
                        const struct chooser *chosen, double rows)
{
    const struct regret_evaluation *e = v->e;
    struct regret_valued lead;
    *out = 1;
    for (uint32_t a = 0; a < e->n_agents; a++) {
        const struct chooser other = {NULL, a};
        if (v->eligible[a] && a != chosen->agent && a != e->incumbent) {
            TRY(worth_difference(&lead, NULL, NULL, &v->basis, chosen, &other, part));
            *out += !(lead.value > sqrt(log(rows)) * lead.error);
        }
    }
    return REGRET_OK;
}

/* The agent of a tag is learned of all rows and valued on them: whichever of those it could have been, its interval holds. */
static int value_tag(struct valuing *v, const struct part *part, size_t eligible)
{
    struct regret_evaluation *e = v->e;
    struct regret_tag_value *to = &e->tag[part->value];
    const struct chooser x = {NULL, (uint32_t)to->agent},
                         incumbent = {NULL, (uint32_t)e->incumbent};
    struct regret_valued value[REGRET_N_VALUES];
    struct worth_parts parts;
    struct gap gap;
    double rows = 0.0;
    size_t rivals = 1;
    TRY(worth_of(value, &parts, &v->basis, &x, part));
    to->value = value[REGRET_VALUE_SNDR];
    value_set_interval(&to->value, &parts.sndr, tails_of_chosen(e->level, eligible));
    TRY(worth_difference(&to->over_incumbent, &gap, NULL, &v->basis, &x, &incumbent, part));
    for (size_t i = 0; i < e->rows; i++) {
        rows += part->group[i] == part->value;
    }
    if (to->agent != e->incumbent) {
        TRY(count_rivals(&rivals, v, part, &x, rows));
    }
    difference_set_interval(&to->over_incumbent, &gap, tails_of_chosen(e->level, rivals));
    forget_unknown(&to->value, v, &x, NULL, part);
    forget_unknown(&to->over_incumbent, v, &x, &incumbent, part);
    return REGRET_OK;
}

static int value_tags(struct valuing *v)
{
    struct regret_evaluation *e = v->e;
    const struct learned *whole = &v->list->of[v->list->used].learned[v->list->folds];
    FREED uint32_t *tag = NULL;
    size_t eligible = 0;
    TRY(REGRET_NEW(&e->tag, e->n_tags));
    TRY(REGRET_NEW(&tag, e->rows));
    count_tags(e, v->m->log);
    for (size_t i = 0; i < e->rows; i++) {
        tag[i] = tag_of(v->m, i);
    }
    for (size_t a = 0; a < e->n_agents; a++) {
        eligible += v->eligible[a];
    }
    for (uint32_t t = 0; t < e->n_tags; t++) {
        e->tag[t].agent = whole->by_tag[t];
        const struct part part = {tag, t};
        TRY(value_tag(v, &part, eligible));
    }
    return REGRET_OK;
}

int value_policies(struct valuing *v)
{
    struct gap gap[REGRET_POLICIES] = {0};
    TRY(choose(v));
    for (size_t p = 0; p < REGRET_POLICIES; p++) {
        if (v->e->policy[p].is_there) {
            TRY(value_policy(v, &gap[p], p));
        }
    }
    set_least_gains(v->e, gap);
    return v->m->tag != NULL ? value_tags(v) : REGRET_OK;
}
