#include "report/recommend/answer.h"

#include "base/core/try.h"
#include "regret/alloc.h"
#include "report/cautions/apart.h"
#include "report/cautions/constant_agents.h"
#include "report/recommend/answer_who.h"
#include "report/recommend/filters.h"
#include "report/recommend/for_page.h"
#include "report/recommend/writers.h"

static void answer_free(struct answer *a)
{
    tags_agents_free(&a->tags);
    tags_agents_free(&a->tags_without);
    picked_words_free(&a->words);
    cautions_free(&a->cautions);
    regret_buffer_free(&a->apart);
}

/* The agent that the rule comes to for everything: of every tag, or of every request; REGRET_NO_ROW where it parts them. */
static size_t sole_agent(const struct answer *a)
{
    size_t agent = a->tags.n > 0 ? a->tags.items[0].pair.agent : REGRET_NO_ROW;
    if (a->rules.first == REGRET_ADVICE_ONE_AGENT) {
        return a->single.agent;
    }
    for (size_t i = 0; i < a->tags.n; i++) {
        const struct agent_pair *p = &a->tags.items[i].pair;
        int parts =
            p->agent != agent || (a->rules.first == REGRET_ADVICE_BY_REQUEST && p->share < 1.0);
        agent = parts ? REGRET_NO_ROW : agent;
    }
    return agent;
}

static int is_chosen(const struct answer *a, size_t agent)
{
    int chosen = agent == a->agent;
    for (size_t i = 0; i < a->tags.n && a->agent == REGRET_NO_ROW; i++) {
        const struct tag_agents *tag = &a->tags.items[i];
        chosen |= a->rules.first == REGRET_ADVICE_BY_TAG ? tag->pair.agent == agent
                                                         : tag->count[agent] > 0.0;
    }
    return chosen;
}

/* Of votes whoever is chosen must stand in an order with all others. */
static int find_apart(struct answer *a)
{
    const struct regret_run_grid *g = a->s->grid;
    for (size_t i = 0; g->won != NULL && i < g->n_agents && a->apart.length == 0; i++) {
        unsigned char *mark = NULL;
        size_t n = 0;
        TRY(apart_mark(&mark, &n, g, i));
        if (n > 0 && is_chosen(a, i)) {
            regret_buffer_printf(&a->apart,
                                 "%s is chosen by %s, and no chain of votes, won or "
                                 "tied, leads from there to ",
                                 g->agents[i],
                                 a->s->r->subjects[a->rules.item[a->rules.first].named].name);
            apart_names(&a->apart, g, mark);
            regret_buffer_append(&a->apart, " or back.");
        }
        regret_free(mark);
    }
    return regret_buffer_status(&a->apart);
}

/* Where being shown first wins votes, and agents were not shown first alike, outcomes say who was; then only an agent that leads without
 * it is named. */
static int find_position(struct answer *a)
{
    const double uneven = 0.02; /* [C] of what agents won */
    const struct regret_run_means *m = agents_means(a->s);
    size_t most = 0, least = 0;
    if (m == NULL || m->moved == NULL || !(m->position_p < 0.05)) {
        return REGRET_OK;
    }
    for (size_t i = 1; i < m->n_agents; i++) {
        most = m->moved[i] > m->moved[most] ? i : most;
        least = m->moved[i] < m->moved[least] ? i : least;
    }
    int leads = m->lead_p[0] <= 0.05 && m->first[0] == a->agent && m->lead[0] > 0.0;
    if (m->moved[most] - m->moved[least] > uneven && !leads) {
        const char *const *names = (const char *const *)a->s->grid->agents;
        regret_buffer_printf(&a->apart,
                             "%svotes go to the answer shown first (%+.2f in log odds), which has "
                             "moved what ",
                             a->rules.answer == REGRET_ADVICE_NONE ? " And " : "", m->position);
        regret_buffer_append_safe(&a->apart, names[most], 40);
        regret_buffer_printf(&a->apart, " has won by %+.3f and what ", m->moved[most]);
        regret_buffer_append_safe(&a->apart, names[least], 40);
        regret_buffer_printf(&a->apart, " has by %+.3f. Without that ", m->moved[least]);
        regret_buffer_append_safe(&a->apart, names[m->first[0]], 40);
        regret_buffer_printf(&a->apart, " leads by %+.3f [%+.3f, %+.3f].", m->lead[0],
                             m->lead_low[0], m->lead_high[0]);
    }
    return regret_buffer_status(&a->apart);
}

/* What the agents that are chosen make of the rule. */
static int settle(struct answer *a)
{
    struct contest *rules = &a->rules;
    a->agent = sole_agent(a);
    if (rules->answer == REGRET_ADVICE_NONE) {
        return find_position(a);
    }
    TRY(find_apart(a));
    if (a->apart.length > 0) {
        rules->trouble = RULES_APART;
        rules->answer = REGRET_ADVICE_NONE;
        return REGRET_OK;
    }
    TRY(find_position(a));
    if (a->apart.length > 0) {
        rules->trouble = RULES_POSITION;
        rules->answer = REGRET_ADVICE_NONE;
    } else if (a->agent != REGRET_NO_ROW) {
        rules->answer = REGRET_ADVICE_ONE_AGENT;
    }
    return REGRET_OK;
}

/* Of a choice by request: whether it wants all outputs, and what is supported without. */
static int find_without(struct answer *a)
{
    const struct contest *rules = &a->rules;
    const struct ruling *simpler = &rules->item[rules->simpler];
    a->reads_outputs = rules->answer == REGRET_ADVICE_BY_REQUEST && outputs_are_read(a->s->r);
    if (!a->reads_outputs || simpler->over_random.told <= 0) {
        return REGRET_OK;
    }
    a->without = rules->simpler;
    return a->without == REGRET_ADVICE_BY_TAG
               ? agents_by_tag(&a->tags_without, a->s, simpler->named)
               : REGRET_OK;
}

static int answer_make(struct answer *a)
{
    const struct recommend *s = a->s;
    TRY(contest_make(&a->rules, s));
    size_t named = a->rules.item[a->rules.first].named;
    a->source = a->rules.first != REGRET_ADVICE_NONE ? recommend_find(s, named) : s->n_families;
    TRY(agents_single(&a->single, s));
    if (a->source != s->n_families) {
        TRY(agents_by_tag(&a->tags, s, named));
    }
    TRY(settle(a));
    TRY(find_without(a));
    TRY(picked_words_make(&a->words, s, &a->rules));
    return cautions_make(&a->cautions, s->r, CAUTIONS_ALL);
}

static void tell(struct regret_recommendation *out, const struct answer *a)
{
    enum regret_advice rule = a->rules.answer;
    const struct regret_run_grid *g = a->s->grid;
    *out = (struct regret_recommendation){.rule = rule};
    if (rule != REGRET_ADVICE_NONE) {
        out->subject = a->s->r->subjects[a->rules.item[a->rules.first].named].name;
    }
    if (rule == REGRET_ADVICE_ONE_AGENT) {
        out->agent = g->agents[a->agent];
    }
}

static void write_answer(struct regret_buffer *out, const struct answer *a)
{
    if (a->options->format == REGRET_RECOMMEND_CSV) {
        answer_csv(out, a);
    } else if (a->options->format == REGRET_RECOMMEND_JSON) {
        answer_json(out, a);
    } else {
        answer_leaf(out, a,
                    a->options->format == REGRET_RECOMMEND_MARKDOWN ? LEAF_MARKDOWN : LEAF_TEXT);
    }
}

/* Parts of one answer, which stand on one another. */
struct made {
    struct regret_recommend_options options;
    struct table_data d;
    struct recommend s;
    struct answer a;
};

static void made_free(struct made *m)
{
    answer_free(&m->a);
    recommend_free(&m->s);
    table_data_free(&m->d);
}

/* `m` stays where it is. */
static int make(struct made *m, const struct regret_results *results,
                const struct regret_recommend_options *options)
{
    int rc;
    *m = (struct made){.a = {.s = &m->s, .options = &m->options}};
    if (options != NULL) {
        m->options = *options;
    }
    TRY_CLEANUP(table_data_make(&m->d, results, 1));
    TRY_CLEANUP(
        recommend_make(&m->s, &m->d, m->options.one_cell ? m->options.cell : REGRET_NO_ROW));
    TRY_CLEANUP(filters_find(&m->options, &m->s));
    rc = answer_make(&m->a);
cleanup:
    if (rc != REGRET_OK) {
        made_free(m);
    }
    return rc;
}

int regret_recommend(struct regret_buffer *out, struct regret_recommendation *answer,
                     const struct regret_results *results,
                     const struct regret_recommend_options *options)
{
    struct made m;
    TRY(make(&m, results, options));
    write_answer(out, &m.a);
    if (answer != NULL) {
        tell(answer, &m.a);
    }
    made_free(&m);
    return regret_buffer_status(out);
}

int recommend_words(struct regret_buffer *out, const struct regret_results *results)
{
    struct made m;
    TRY(make(&m, results, NULL));
    answer_words(out, &m.a);
    made_free(&m);
    return regret_buffer_status(out);
}

int recommend_for_page(struct page_advice *out, const struct regret_results *results,
                       const struct regret_pool *pool)
{
    struct made m;
    struct leaf contexts = {.out = &out->contexts, .form = LEAF_HTML};
    TRY(make(&m, results, NULL));
    answer_words(&out->words, &m.a);
    answer_page(&out->answer, &m.a);
    answer_contexts(&contexts, &m.a);
    leaf_end(&contexts);
    int rc = pool != NULL ? requests_html(&out->requests, &m.a, pool) : REGRET_OK;
    made_free(&m);
    TRY(rc);
    TRY(regret_buffer_status(&out->words));
    TRY(regret_buffer_status(&out->answer));
    return regret_buffer_status(&out->contexts);
}

void page_advice_free(struct page_advice *advice)
{
    regret_buffer_free(&advice->words);
    regret_buffer_free(&advice->answer);
    regret_buffer_free(&advice->contexts);
    regret_buffer_free(&advice->requests);
}
