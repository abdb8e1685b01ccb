#include "report/advice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/names.h"
#include "base/status.h"
#include "regret/status.h"
#include "regret/text.h"
#include "report/answer.h"
#include "report/cautions.h"
#include "report/contest.h"
#include "report/internal.h"
#include "report/table.h"
#include "value/deciding.h"

static int most_frequent_first(const void *left, const void *right)
{
    const struct picked_word *a = left, *b = right;
    return a->share != b->share ? (a->share < b->share ? 1 : -1) : strcmp(a->word, b->word);
}

/* Counts a word of a fit, of `length` bytes. */
static int count(struct picked_words *out, struct names *names, const char *word, size_t length)
{
    FREED char *copy = NULL;
    uint32_t i = 0;
    TRY(regret_strndup(&copy, word, length));
    TRY(names_enter(&i, names, copy));
    if (i == out->n) {
        TRY(regret_realloc((void **)&out->items, i + 1, sizeof *out->items, "words"));
        out->items[out->n++] = (struct picked_word){copy, 0.0};
        copy = NULL;
    }
    out->items[i].share += 1.0;
    return REGRET_OK;
}

static int count_row(struct picked_words *out, struct names *names, const char *words)
{
    for (size_t length; words != NULL && *words != '\0'; words += length + (words[length] == ' ')) {
        length = strcspn(words, " ");
        TRY(length > 0 ? count(out, names, words, length) : REGRET_OK);
    }
    return REGRET_OK;
}

static int is_by_mixed(const struct recommend *s, const struct contest *rules, size_t mixed)
{
    size_t named = rules->item[REGRET_ADVICE_BY_REQUEST].named;
    return mixed != REGRET_NO_ROW && rules->answer == REGRET_ADVICE_BY_REQUEST &&
           (named == mixed || strcmp(s->r->subjects[named].name, "stack") == 0);
}

/* None but where the recommendation is by request, by mixed or by stack, of which mixed is a member. */
static int picked_words_make(struct picked_words *out, const struct recommend *s,
                             const struct contest *rules)
{
    const struct regret_results *r = s->r;
    size_t mixed = regret_results_subject(r, REGRET_ROW_FAMILY, "mixed"), fits = 0;
    FREED_BY(names_free) struct names names = {0};
    *out = (struct picked_words){NULL, 0};
    if (!is_by_mixed(s, rules, mixed)) {
        return REGRET_OK;
    }
    for (size_t k = 0; k < s->cells.n_cells * r->n_seeds; k++) {
        size_t cell = s->cells.cells[k % s->cells.n_cells], seed = k / s->cells.n_cells;
        size_t row = r->at[mixed + r->n_subjects * (cell + r->n_cells * seed)];
        fits += row != REGRET_NO_ROW;
        TRY(row != REGRET_NO_ROW ? count_row(out, &names, r->row_picked[row]) : REGRET_OK);
    }
    for (size_t i = 0; i < out->n; i++) {
        out->items[i].share /= (double)fits;
    }
    qsort(out->items, out->n, sizeof *out->items, most_frequent_first);
    return REGRET_OK;
}

static void picked_words_free(struct picked_words *words)
{
    for (size_t i = 0; i < words->n; i++) {
        regret_free(words->items[i].word);
    }
    regret_free(words->items);
    *words = (struct picked_words){NULL, 0};
}

/* ---------------------------------------------------------------- own columns */

/* Columns of the grid, and its tags behind them. */
struct cells {
    struct deciding_column *column; /* [n_columns + 1]; owned, as the others */
    uint32_t **word;
    struct names *names;
    uint32_t *choice;
    size_t n_columns;
};

static void cells_free(struct cells *c)
{
    for (size_t j = 0; c->names != NULL && j <= c->n_columns; j++) {
        regret_free(c->word[j]);
        names_free(&c->names[j]);
    }
    regret_free(c->word);
    regret_free(c->names);
    regret_free(c->column);
    regret_free(c->choice);
}

static int number_words(struct cells *c, size_t j, const char *name, const char *const *word,
                        size_t n)
{
    TRY(REGRET_NEW(&c->word[j], n));
    for (size_t x = 0; x < n; x++) {
        const char *of = word != NULL && word[x] != NULL ? word[x] : "";
        TRY(names_enter(&c->word[j][x], &c->names[j], of));
    }
    c->column[j] = (struct deciding_column){
        name, NULL, c->word[j], c->names[j].n, (const char *const *)c->names[j].name, NULL};
    return REGRET_OK;
}

static int take_cells(struct cells *c, const struct recommend *s, size_t source)
{
    const struct regret_run_grid *g = s->grid;
    size_t k = c->n_columns;
    TRY(REGRET_NEW(&c->column, k + 1));
    TRY(REGRET_NEW(&c->word, k + 1));
    TRY(REGRET_NEW(&c->names, k + 1));
    TRY(REGRET_NEW(&c->choice, g->n_contexts));
    for (size_t j = 0; j < k; j++) {
        const struct regret_run_column *of = &g->columns[j];
        if (of->number != NULL) {
            c->column[j] = (struct deciding_column){.name = of->name, .number = of->number};
        } else {
            TRY(number_words(c, j, of->name, of->word, g->n_contexts));
        }
    }
    for (size_t x = 0; x < g->n_contexts; x++) {
        const struct recommended *item = recommend_item(s, source, x);
        c->choice[x] = item->replicates > 0 ? (uint32_t)item->agent : UINT32_MAX;
    }
    return number_words(c, k, "tag", g->tags, g->n_contexts);
}

int picked_columns(struct regret_buffer *out, const struct recommend *s, size_t source,
                   deciding_writer *write)
{
    const struct regret_run_grid *g = s->grid;
    FREED_BY(cells_free) struct cells c = {.n_columns = g->n_columns};
    struct deciding d = {0};
    if (g->n_columns > 0) {
        TRY(take_cells(&c, s, source));
        TRY(deciding_find(&d, c.choice, g->n_contexts, g->n_agents, c.column, g->n_columns + 1));
    }
    write(out, &d, c.column, g->agents);
    return REGRET_OK;
}

static const double MOST_UNOBSERVED = 0.15; /* of the choices by request [C] */

static void answer_free(struct answer *a)
{
    tags_agents_free(&a->tags);
    tags_agents_free(&a->tags_without);
    picked_words_free(&a->words);
    cautions_free(&a->cautions);
    regret_buffer_free(&a->why);
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
    for (size_t i = 0; g->won != NULL && i < g->n_agents && a->why.length == 0; i++) {
        unsigned char *mark = NULL;
        size_t n = 0;
        TRY(apart_mark(&mark, &n, g, i));
        if (n > 0 && is_chosen(a, i)) {
            regret_buffer_printf(&a->why,
                                 "%s is chosen by %s, and no chain of votes, won or "
                                 "tied, leads from there to ",
                                 g->agents[i],
                                 a->s->r->subjects[a->rules.item[a->rules.first].named].name);
            apart_names(&a->why, g, mark);
            regret_buffer_append(&a->why, " or back.");
        }
        regret_free(mark);
    }
    return regret_buffer_status(&a->why);
}

/* How often a choice by request is of an agent that has no output there. */
static double share_unobserved(const struct recommend *s, size_t subject)
{
    double other = 0.0, all = 0.0;
    for (size_t i = 0; i < s->cells.n_cells * s->r->n_seeds; i++) {
        size_t cell = s->cells.cells[i % s->cells.n_cells], seed = i / s->cells.n_cells;
        struct regret_list_view chosen =
            regret_results_list(s->r, REGRET_LIST_CHOICE_ALL, subject, cell, seed);
        struct regret_list_view there =
            regret_results_list(s->r, REGRET_LIST_CHOICE, subject, cell, seed);
        for (size_t k = 0; k < chosen.n && k < there.n; k++) {
            other += (size_t)chosen.number[k] != (size_t)there.number[k];
            all += 1.0;
        }
    }
    return other / all;
}

/* The choices of the answer, of which agents' means can be told. */
static int list_choices(struct holes_choice **out, size_t *n, const struct answer *a,
                        const struct regret_run_means *m)
{
    TRY(REGRET_NEW(out, a->tags.n + 1));
    if (a->agent != REGRET_NO_ROW) {
        (*out)[(*n)++] = (struct holes_choice){0, a->agent, 1.0};
    }
    for (size_t i = 0; i < a->tags.n && a->agent == REGRET_NO_ROW; i++) {
        const struct tag_agents *tag = &a->tags.items[i];
        for (size_t k = 0; m != NULL && k < m->n_tags; k++) {
            if (agents_same_tag(m->tags[k], tag->tag) && tag->pair.agent != REGRET_NO_ROW) {
                double share = (double)tag->contexts / (double)a->s->grid->n_contexts;
                (*out)[(*n)++] = (struct holes_choice){k + 1, tag->pair.agent, share};
            }
        }
    }
    return REGRET_OK;
}

/* With holes in the table means are of different requests: the answer must stand on the same ones. */
static int find_holes(struct answer *a)
{
    const struct regret_run_means *m = agents_means(a->s);
    FREED struct holes_choice *choice = NULL;
    size_t n = 0;
    if (!holes_are_there(a->s->r)) {
        return REGRET_OK;
    }
    if (a->rules.first == REGRET_ADVICE_BY_REQUEST && a->agent == REGRET_NO_ROW) {
        double share = share_unobserved(a->s, a->rules.item[a->rules.first].named);
        if (!(share <= MOST_UNOBSERVED)) {
            regret_buffer_printf(&a->why,
                                 "%.0f %% of the choices by request are of agents that have not "
                                 "answered the request, so that what they are worth is not known.",
                                 100.0 * share);
        }
        return regret_buffer_status(&a->why);
    }
    TRY(list_choices(&choice, &n, a, m));
    holes_say(&a->why, a->s->grid, m, choice, n);
    return regret_buffer_status(&a->why);
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
        regret_buffer_printf(&a->why,
                             "%svotes go to the answer shown first (%+.2f in log odds), which has "
                             "moved what ",
                             a->rules.answer == REGRET_ADVICE_NONE ? " And " : "", m->position);
        regret_buffer_append_safe(&a->why, names[most], 40);
        regret_buffer_printf(&a->why, " has won by %+.3f and what ", m->moved[most]);
        regret_buffer_append_safe(&a->why, names[least], 40);
        regret_buffer_printf(&a->why, " has by %+.3f. Without that ", m->moved[least]);
        regret_buffer_append_safe(&a->why, names[m->first[0]], 40);
        regret_buffer_printf(&a->why, " leads by %+.3f [%+.3f, %+.3f].", m->lead[0], m->lead_low[0],
                             m->lead_high[0]);
    }
    return regret_buffer_status(&a->why);
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
    rules->trouble = a->why.length > 0 ? RULES_APART : rules->trouble;
    TRY(find_holes(a));
    if (a->why.length > 0) {
        rules->trouble = rules->trouble == RULES_APART ? RULES_APART : RULES_HOLES;
        rules->answer = REGRET_ADVICE_NONE;
        return REGRET_OK;
    }
    TRY(find_position(a));
    if (a->why.length > 0) {
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
    TRY_CLEANUP(table_data_make(&m->d, results));
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

/* Requests one by one, for a page: what was asked, what agents answered and were scored, and whom each source names. */

enum {
    ALL_AGENTS = 12, /* of more only those are shown whom a source names */
    PROMPT_BYTES = 4000,
    OUTPUT_BYTES = 1500,
    PAGE_BYTES = 1 << 24
};

/* A context as it is written. */
struct request {
    const struct answer *a;
    const struct regret_pool *pool;
    size_t x;             /* of the run's grid */
    size_t context;       /* of the pool */
    size_t first, end;    /* its outputs in the pool */
    unsigned char *named; /* [n_agents of the grid] room: whom a source names */
};

static const char *agent_of(const struct request *q, size_t source)
{
    return q->a->s->grid->agents[recommend_item(q->a->s, source, q->x)->agent];
}

static void put_cut(struct regret_buffer *out, const char *element, const char *text, size_t most)
{
    struct regret_buffer cut = REGRET_BUFFER_INIT;
    regret_buffer_append_n(&cut, text, regret_text_cut(text, most));
    regret_buffer_append(&cut, strlen(text) > most ? " …" : "");
    html_element(out, element, regret_buffer_get(&cut));
    regret_buffer_free_into(out, &cut);
}

/* "code: exp-only, cvci and vote say bravo; ..." as a list, an agent a line. */
static void put_sources(struct regret_buffer *out, struct request *q)
{
    const struct recommend *s = q->a->s;
    memset(q->named, 0, s->grid->n_agents);
    regret_buffer_append(out, "<ul class=\"sentences\">\n");
    for (size_t i = 0; i < s->n_sources; i++) {
        size_t agent = recommend_item(s, i, q->x)->agent, n = 0;
        struct regret_buffer words = REGRET_BUFFER_INIT;
        if (recommend_item(s, i, q->x)->replicates == 0 || q->named[agent]) {
            continue;
        }
        q->named[agent] = 1;
        regret_buffer_printf(&words, "%s:", s->grid->agents[agent]);
        for (size_t j = i; j < s->n_sources; j++) {
            const struct recommended *item = recommend_item(s, j, q->x);
            if (item->replicates > 0 && item->agent == agent) {
                regret_buffer_printf(&words, "%s %s", n++ > 0 ? "," : "", recommend_source(s, j));
            }
        }
        html_element(out, "li", regret_buffer_get(&words));
        regret_buffer_free_into(out, &words);
    }
    regret_buffer_append(out, "</ul>\n");
}

/* The place of a name in the grid of the run, its number of agents where it is in none. */
static size_t grid_agent(const struct request *q, const char *name)
{
    const struct regret_run_grid *grid = q->a->s->grid;
    size_t a = 0;
    while (a < grid->n_agents && strcmp(grid->agents[a], name) != 0) {
        a++;
    }
    return a;
}

/* "score 4.2, length 120" */
static void put_scores(struct regret_buffer *out, const struct regret_pool *pool,
                       const struct regret_output *o)
{
    struct regret_buffer words = REGRET_BUFFER_INIT;
    for (size_t k = 0; k < pool->n_components; k++) {
        regret_buffer_printf(&words, "%s%s %.4g", k > 0 ? ", " : "", pool->components[k].name,
                             o->values[k]);
    }
    html_element(out, "p class=\"data\"", regret_buffer_get(&words));
    regret_buffer_free_into(out, &words);
}

static void put_outputs(struct regret_buffer *out, const struct request *q)
{
    regret_buffer_append(out, "<div class=\"texts\">\n");
    for (size_t i = q->first; i < q->end; i++) {
        const struct regret_output *o = &q->pool->outputs[i];
        const char *name = regret_agent_name(&q->pool->agents[o->agent]);
        size_t agent = grid_agent(q, name), n = q->a->s->grid->n_agents;
        if (agent == n || (n > ALL_AGENTS && !q->named[agent])) {
            continue;
        }
        regret_buffer_append(out, "<div>\n");
        html_element(out, q->named[agent] ? "h3" : "h3 class=\"other\"", name);
        put_scores(out, q->pool, o);
        put_cut(out, "p", o->text, OUTPUT_BYTES);
        regret_buffer_append(out, "</div>\n");
    }
    regret_buffer_append(out, "</div>\n");
}

static void put_request(struct regret_buffer *out, struct request *q)
{
    const struct answer *a = q->a;
    const struct recommended *item = recommend_item(a->s, a->source, q->x);
    const char *tag = recommend_tag(a->s, q->x);
    struct regret_buffer words = REGRET_BUFFER_INIT;
    regret_buffer_printf(out, "<details class=\"request\" id=\"request-%zu\">\n<summary>", q->x);
    regret_buffer_printf(&words, "%s%s%s%s: %s", a->s->grid->contexts[q->x],
                         tag != NULL ? " (" : "", tag != NULL ? tag : "", tag != NULL ? ")" : "",
                         agent_of(q, a->source));
    if (isfinite(item->value.mean)) {
        regret_buffer_printf(&words, ", worth %.4f", item->value.mean);
    }
    html_escape(out, regret_buffer_get(&words));
    regret_buffer_free_into(out, &words);
    regret_buffer_append(out, "</summary>\n");
    put_cut(out, "p class=\"prompt\"", q->pool->contexts[q->context].text, PROMPT_BYTES);
    put_sources(out, q);
    put_outputs(out, q);
    regret_buffer_append(out, "</details>\n");
}

/* The outputs of a context follow one another. */
static void find_outputs(struct request *q)
{
    q->first = q->end;
    while (q->first < q->pool->n_outputs && q->pool->outputs[q->first].context < q->context) {
        q->first++;
    }
    q->end = q->first;
    while (q->end < q->pool->n_outputs && q->pool->outputs[q->end].context == q->context) {
        q->end++;
    }
}

/* Of answers to new requests: a part of a page. Both the grid's contexts and the pool's stand in the pool's order. */
static int requests_html(struct regret_buffer *out, const struct answer *a,
                         const struct regret_pool *pool)
{
    const struct regret_run_grid *grid = a->s->grid;
    struct request q = {.a = a, .pool = pool};
    size_t shown = 0, begin = out->length;
    TRY(REGRET_NEW(&q.named, grid->n_agents));
    for (; q.context < pool->n_contexts && q.x < grid->n_contexts; q.context++) {
        if (strcmp(regret_context_name(&pool->contexts[q.context]), grid->contexts[q.x]) != 0) {
            continue;
        }
        find_outputs(&q);
        if (recommend_item(a->s, a->source, q.x)->replicates > 0 &&
            out->length - begin < PAGE_BYTES) {
            put_request(out, &q);
            shown++;
        }
        q.x++;
    }
    regret_free(q.named);
    if (shown < a->rules.n_contexts) {
        regret_buffer_printf(out, "<p class=\"rests\">Shown are %zu of %zu requests.</p>\n", shown,
                             a->rules.n_contexts);
    }
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
