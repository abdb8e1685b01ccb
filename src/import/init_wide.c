/* Tables with a row a context: agents are columns, or parts of their names. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "import/init.h"
#include "import/scales.h"
#include "regret/pool.h"
#include "regret/status.h"
#include "table/fields.h"

enum {
    BARE = 1 << 30
}; /* beside roles: a column that is called as its agent is, and nothing else */

/* A column of an agent: "gpt_score" of gpt by "{agent}_score". */
struct own {
    uint32_t agent, pattern;
    unsigned role;
    int column;
};

struct wide {
    struct own *own; /* owned */
    size_t n;
    struct names agents, patterns;
    unsigned *of_pattern;    /* roles; owned */
    unsigned char *is_agent; /* taken for one; owned */
    unsigned role;           /* by which they are told: BARE or that of scores */
};

static void wide_free(struct wide *w)
{
    regret_free(w->own);
    regret_free(w->of_pattern);
    regret_free(w->is_agent);
    names_free(&w->agents);
    names_free(&w->patterns);
}

/* "score_gpt" without "gpt". */
static int make_pattern(char out[INIT_REST + 8], const char *name, const char *agent)
{
    const char *at = strstr(name, agent);
    size_t n = strlen(name), length = strlen(agent);
    if (at == NULL || n - length + sizeof FIELDS_AGENT > INIT_REST) {
        return 0;
    }
    for (const char *next = at; (next = strstr(next + 1, agent)) != NULL;) {
        at = at == name ? at : next; /* the last of several, but at the beginning the first */
    }
    snprintf(out, INIT_REST + 8, "%.*s" FIELDS_AGENT "%s", (int)(at - name), name, at + length);
    return 1;
}

static int add_own(struct wide *w, const char *agent, const char *pattern, unsigned role, int k)
{
    struct own *o = &w->own[w->n];
    *o = (struct own){.role = role, .column = k};
    TRY(names_enter(&o->agent, &w->agents, agent));
    TRY(names_enter(&o->pattern, &w->patterns, pattern));
    w->of_pattern[o->pattern] |= role;
    w->n++;
    return REGRET_OK;
}

static int is_own(const struct wide *w, int k)
{
    size_t i = 0;
    while (i < w->n && w->own[i].column != k) {
        i++;
    }
    return i < w->n;
}

/* What a name says beside its measure may be an agent unless it is a measure or a context itself. */
static int may_be_rest(const struct init_table *t, const char *rest)
{
    const unsigned others = INIT_SCORE | INIT_BAD | INIT_CONTEXT | INIT_TEXT | INIT_RATER |
                            INIT_REFERENCE | INIT_LEFT | INIT_SUMMARY | INIT_COST | INIT_OUTPUT |
                            INIT_DRAW | INIT_USER | INIT_TAG | INIT_MEASURE;
    struct init_said said;
    init_name_role(&said, &t->words, rest);
    return rest[0] != '\0' && (init_name_is_family(&t->words, rest) || (said.roles & others) == 0);
}

/* By what --score says: "note {agent}". */
static int find_by_patterns(struct wide *w, const struct init_table *t)
{
    char agent[INIT_REST];
    for (size_t i = 0; i < t->known->score.n; i++) {
        const char *pattern = t->known->score.item[i], *mark = strstr(pattern, FIELDS_AGENT);
        for (int k = 0; k < (int)t->n_columns && mark != NULL; k++) {
            const char *name = t->column[k].name, *tail = mark + strlen(FIELDS_AGENT);
            size_t n = strlen(name), head = (size_t)(mark - pattern), foot = strlen(tail);
            if (n > head + foot && strncmp(name, pattern, head) == 0 &&
                strcmp(name + n - foot, tail) == 0 && t->column[k].is_scorable) {
                snprintf(agent, sizeof agent, "%.*s", (int)(n - head - foot), name + head);
                TRY(add_own(w, agent, pattern, INIT_SCORE, k));
            }
        }
    }
    return REGRET_OK;
}

static int find_own(struct wide *w, const struct init_table *t)
{
    const unsigned measures = INIT_ANY_SCORE | INIT_COST | INIT_OUTPUT | INIT_LEFT;
    char pattern[INIT_REST + 8];
    int has_scores = 0;
    TRY(find_by_patterns(w, t));
    has_scores = w->n > 0;
    for (int k = 0; k < (int)t->n_columns; k++) {
        const struct init_column *c = &t->column[k];
        struct init_said said = c->said;
        unsigned role = c->said.roles & measures;
        int is_score = (role & INIT_ANY_SCORE) != 0;
        while (is_score && (said.roles & INIT_SCORE) != 0) { /* "gpt_bleu_acc" */
            char rest[INIT_REST];
            snprintf(rest, sizeof rest, "%s", said.rest);
            init_name_role(&said, &t->words, rest);
            snprintf(said.rest, sizeof said.rest, "%s",
                     (said.roles & INIT_SCORE) != 0 && said.rest[0] != '\0' ? said.rest : rest);
            said.roles &= strcmp(rest, said.rest) != 0 ? ~0U : 0;
        }
        if (!init_is_free(t, k) || role == 0 || !may_be_rest(t, said.rest) ||
            (is_score && (!c->is_scored || t->known->score.n > 0)) ||
            !make_pattern(pattern, c->name, said.rest)) {
            continue;
        }
        TRY(add_own(w, said.rest, pattern, role, k));
        has_scores |= is_score;
    }
    for (int k = 0; k < (int)t->n_columns && t->known->score.n == 0; k++) {
        const struct init_column *c = &t->column[k];
        int is_bare = (c->said.roles & ~(unsigned)INIT_AGENT) == 0 && c->is_scored;
        int is_known = names_find(&w->agents, c->name) != SIZE_MAX;
        if (init_is_free(t, k) && is_bare &&
            (is_known || (!has_scores && init_name_is_family(&t->words, c->name)))) {
            TRY(add_own(w, c->name, FIELDS_AGENT, BARE, k));
        }
    }
    return REGRET_OK;
}

/* Those that --agents names: columns, or parts of the names of columns. */
static int find_given(struct wide *w, const struct init_table *t)
{
    const struct init_names *given = &t->known->agents;
    const unsigned measures = INIT_ANY_SCORE | INIT_COST | INIT_OUTPUT | INIT_LEFT;
    char pattern[INIT_REST + 8];
    for (size_t i = 0; i < given->n; i++) {
        const char *agent = given->item[i];
        int own = init_column_at(t, agent);
        size_t before = w->n;
        if (own != INIT_NONE) {
            TRY(add_own(w, agent, FIELDS_AGENT, t->column[own].is_scored ? BARE : INIT_OUTPUT,
                        own));
        }
        for (int k = 0; k < (int)t->n_columns && (own == INIT_NONE || !t->column[own].is_scored);
             k++) {
            unsigned role = t->column[k].said.roles & measures;
            role = role == 0 && t->column[k].is_scorable ? INIT_SCORE : role;
            if (init_is_free(t, k) && k != own && role != 0 && w->n < 2 * t->n_columns &&
                make_pattern(pattern, t->column[k].name, agent)) {
                TRY(add_own(w, agent, pattern, role, k));
            }
        }
        if (w->n == before) {
            return regret_fail(REGRET_E_INPUT,
                               "%s: no column is called \"%.60s\" or has it in its name; give "
                               "names as they stand in the header",
                               t->path, agent);
        }
    }
    return REGRET_OK;
}

/* The role that tells agents, and who has it. */
static size_t choose_agents(struct wide *w)
{
    static const unsigned ROLES[] = {BARE, INIT_SCORE, INIT_BAD, INIT_OPEN};
    size_t n = 0;
    for (size_t r = 0; r < sizeof ROLES / sizeof *ROLES && n == 0; r++) {
        w->role = ROLES[r];
        for (size_t i = 0; i < w->n; i++) {
            if ((w->own[i].role & ROLES[r]) != 0 && !w->is_agent[w->own[i].agent]) {
                w->is_agent[w->own[i].agent] = 1;
                n++;
            }
        }
    }
    return n;
}

/* Columns of agents, by the role that tells them; as many as there is room for. */
static size_t list_columns(const char **out, size_t most, const struct wide *w,
                           const struct init_table *t)
{
    size_t n = 0;
    for (size_t i = 0; i < w->n && n < most; i++) {
        if (w->is_agent[w->own[i].agent] && (w->own[i].role & w->role) != 0) {
            out[n++] = w->role == BARE ? t->column[w->own[i].column].name
                                       : w->agents.name[w->own[i].agent];
        }
    }
    return n;
}

/* ---------------------------------------------------------------- questions */

static int ask_for_agents(struct init_table *t)
{
    for (int k = 0; k < (int)t->n_columns; k++) {
        const struct init_column *c = &t->column[k];
        if (init_is_free(t, k) && c->said.roles == 0 && init_name_is_family(&t->words, c->name) &&
            2 * (c->commas + c->numbers) > c->filled && !c->is_scored) {
            return init_fail_cell(t, k);
        }
    }
    init_offer_agent(t);
    size_t n = init_offer_agents(t);
    return init_question(t, n > 0 ? "no column names agents: is a row a context, with columns of "
                                    "agents? Of one model there is nothing to choose"
                                  : "no column says who answered: --agent COLUMN. Of one model "
                                    "there is nothing to choose");
}

/* One output a row, and several columns of scores: perhaps they are judges. */
static int check_judges(struct wide *w, struct init_table *t, const char **agents, size_t n)
{
    int has_outputs = 0;
    for (size_t i = 0; i < w->n; i++) {
        has_outputs |= w->is_agent[w->own[i].agent] && (w->own[i].role & INIT_OUTPUT) != 0;
    }
    for (int k = 0; k < (int)t->n_columns && !has_outputs; k++) {
        const struct init_column *c = &t->column[k];
        if (init_is_free(t, k) && (c->said.roles & INIT_OUTPUT) != 0 && !is_own(w, k) &&
            !c->is_numeric && 2 * c->distinct > t->rows) {
            init_offer_list(t, "they are agents", "--agents", agents, n);
            return init_question(
                t,
                "each row has one \"%.40s\": are \"%.40s\" and \"%.40s\" agents, or "
                "judges of it?",
                c->name, agents[0], agents[1]);
        }
    }
    return REGRET_OK;
}

/* Bytes at which a name can be cut: between words. */
static size_t cut_back(const char *name, size_t n)
{
    while (n > 0 && name[n] != '\0' && strchr(INIT_NAME_BREAKS "[]()", name[n - 1]) == NULL) {
        n--;
    }
    return n;
}

/* "note {agent}" of "note gpt" and "note claude"; 0 where names have no word in common but those of models. */
static int find_common(char out[INIT_REST + 8], const struct wide *w, const struct init_table *t)
{
    const char *first = NULL;
    size_t head = 0, foot = 0, length = 0;
    for (size_t i = 0; i < w->n; i++) {
        const char *name = t->column[w->own[i].column].name;
        size_t n = strlen(name), h = 0, f = 0;
        if (!w->is_agent[w->own[i].agent] || w->own[i].role != BARE) {
            continue;
        }
        while (first != NULL && h < n && h < head && name[h] == first[h]) {
            h++;
        }
        while (first != NULL && f < n && f < foot && name[n - 1 - f] == first[length - 1 - f]) {
            f++;
        }
        head = first == NULL ? n : h;
        foot = first == NULL ? n : f;
        length = first == NULL ? n : length;
        first = first == NULL ? name : first;
    }
    if (first == NULL || head + foot >= length || length >= INIT_REST) {
        return 0;
    }
    head = cut_back(first, head);
    while (foot > 0 && strchr(INIT_NAME_BREAKS "[]()", first[length - foot]) == NULL) {
        foot--;
    }
    char words[2 * INIT_REST];
    snprintf(words, sizeof words, "%.*s %s", (int)head, first, first + length - foot);
    snprintf(out, INIT_REST + 8, "%.*s" FIELDS_AGENT "%s", (int)head, first, first + length - foot);
    struct init_name split;
    init_name_split(&split, words);
    return split.n > 0 && !init_name_is_family(&t->words, words) &&
           (init_name_any(&t->words, words) & INIT_AGENT) == 0;
}

/* A word that all have, and no model is called by, is a measure's. */
static int check_common_word(const struct wide *w, struct init_table *t)
{
    char common[INIT_REST + 8];
    if (w->role != BARE || !find_common(common, w, t)) {
        return REGRET_OK;
    }
    init_offer(t, "the rest is the agent's", "--score", common, NULL);
    init_offer_agents(t);
    return init_question(t, "\"%.60s\": are these words a measure's?", common);
}

/* 1 where a column looks like an agent's, and is taken for none. */
static int is_left(const struct wide *w, const struct init_table *t, int k)
{
    const struct init_column *c = &t->column[k];
    int is_bare = w->role == BARE && (c->said.roles & ~(unsigned)INIT_AGENT) == 0;
    int is_odd = w->role != BARE && (c->said.roles & (INIT_SCORE | INIT_BAD)) != 0 &&
                 c->said.rest[0] != '\0' && strpbrk(c->name, " _.:|-/") != NULL &&
                 (init_name_any(&t->words, c->name) & INIT_SUMMARY) == 0;
    return !is_own(w, k) && init_is_free(t, k) && c->is_scored &&
           (is_bare || is_odd || (init_name_is_family(&t->words, c->name) && c->is_numeric));
}

/* `agents` has room for more behind its n. */
static int check_left(const struct wide *w, struct init_table *t, const char **agents, size_t n)
{
    size_t all = n;
    for (int k = 0; k < (int)t->n_columns; k++) {
        const struct init_column *c = &t->column[k];
        if (init_is_free(t, k) && w->role == BARE && !c->is_scored && c->filled > 0 &&
            init_name_is_family(&t->words, c->name) &&
            2 * (c->numbers + c->truths + c->grades) >= c->filled) {
            return init_fail_cell(t, k);
        }
        if (is_left(w, t, k)) {
            agents[all++] = c->name;
        }
    }
    if (all == n) {
        return REGRET_OK;
    }
    if (w->role == BARE) {
        init_offer_list(t, "they are all agents", "--agents", agents, all);
    }
    init_offer_list(t, "the first alone are", "--agents", agents, n);
    init_offer_list(t, "they are nothing here", "--leave", agents + n, all - n);
    return init_question(t, "\"%.40s\" and \"%.40s\" look like agents; and \"%.40s\"?", agents[0],
                         agents[1], agents[n]);
}

static int check_one_scale(const struct wide *w, struct init_table *t, const char **agents,
                           size_t n)
{
    double least[2] = {INFINITY, -INFINITY}, most[2] = {INFINITY, -INFINITY};
    if (t->known->range != NULL) {
        return REGRET_OK;
    }
    for (size_t i = 0; i < w->n; i++) {
        const struct init_column *c = &t->column[w->own[i].column];
        if (w->is_agent[w->own[i].agent] && (w->own[i].role & w->role) != 0 && c->is_numeric) {
            least[0] = fmin(least[0], c->least);
            least[1] = fmax(least[1], c->least);
            most[0] = fmin(most[0], c->most);
            most[1] = fmax(most[1], c->most);
        }
    }
    if ((most[1] > 8.0 * fmax(most[0], 1e-9) && most[1] > 1.0) ||
        (least[0] < -1.0 && least[1] >= 0.0)) {
        char all[64];
        snprintf(all, sizeof all, "%.10g:%.10g", least[0], most[1]);
        init_offer(t, "they are one scale", "--range", all, NULL);
        init_offer_list(t, "these alone are agents", "--agents", agents, n);
        return init_question(t,
                             "\"%.40s\", \"%.40s\" and the like go up to %g here and to %g there: "
                             "one scale?",
                             agents[0], agents[1], most[0], most[1]);
    }
    return REGRET_OK;
}

/* Why these would be agents. */
static int check_bold(struct wide *w, struct init_table *t, const char **agents, size_t n)
{
    size_t families = 0, full = 0;
    TRY(check_judges(w, t, agents, n));
    TRY(check_common_word(w, t));
    for (uint32_t a = 0; a < w->agents.n; a++) {
        int has = 0;
        for (size_t i = 0; i < w->n && w->is_agent[a]; i++) {
            has |= w->own[i].agent == a && (w->own[i].role & (INIT_OUTPUT | INIT_COST)) != 0;
        }
        families += w->is_agent[a] && init_name_is_family(&t->words, w->agents.name[a]);
        full += (size_t)has;
    }
    if (full < n && 2 * families < n) {
        init_offer_list(t, "they are", "--agents", agents, n);
        return init_question(t, "are \"%.40s\", \"%.40s\" and the like agents, a column each?",
                             agents[0], agents[1]);
    }
    TRY(check_left(w, t, agents, n));
    return REGRET_OK;
}

/* ---------------------------------------------------------------- the decision */

/* The columns that agents have by a pattern: n of them, if each has one. */
static size_t columns_by(int *out, const struct wide *w, uint32_t pattern, unsigned role)
{
    size_t n = 0;
    for (size_t i = 0; i < w->n; i++) {
        if (w->own[i].pattern == pattern && w->is_agent[w->own[i].agent] &&
            (w->own[i].role & role) != 0) {
            out[n++] = w->own[i].column;
        }
    }
    return n;
}

/* A measure that not every agent has: told, since its scores would be lost. */
static int ask_about_measure(struct init_table *t, const int *column, size_t n, const char *pattern)
{
    const char *all[INIT_NAMES];
    size_t k = 0;
    for (; k < n && k < INIT_NAMES; k++) {
        all[k] = t->column[column[k]].name;
    }
    init_offer_list(t, "it is left out", "--leave", all, k);
    return init_question(t, "not every agent has a column \"%.60s\": call them alike", pattern);
}

static int take_patterns(struct wide *w, struct init_table *t, size_t n_agents)
{
    FREED int *column = NULL;
    TRY(REGRET_NEW(&column, w->n));
    for (uint32_t p = 0; p < w->patterns.n; p++) {
        const char *pattern = w->patterns.name[p];
        size_t n = columns_by(column, w, p, INIT_ANY_SCORE | BARE);
        if (n > 0) {
            TRY(n == n_agents ? init_add_score(t, column, n, pattern)
                              : ask_about_measure(t, column, n, pattern));
        }
        n = columns_by(column, w, p, INIT_OUTPUT);
        if (n == n_agents && t->is.output_pattern[0] == '\0') {
            snprintf(t->is.output_pattern, sizeof t->is.output_pattern, "%s", pattern);
        }
        n = columns_by(column, w, p, INIT_COST);
        if (n == n_agents && t->is.cost_pattern[0] == '\0') {
            snprintf(t->is.cost_pattern, sizeof t->is.cost_pattern, "%s", pattern);
        }
    }
    for (size_t i = 0; i < w->n; i++) {
        t->column[w->own[i].column].is_used |= w->is_agent[w->own[i].agent];
    }
    return REGRET_OK;
}

static int take_agents(const struct wide *w, struct init_table *t, size_t n)
{
    TRY(REGRET_NEW(&t->is.agents, n));
    for (uint32_t a = 0; a < w->agents.n; a++) {
        if (w->is_agent[a]) {
            TRY(regret_strdup(&t->is.agents[t->is.n_agents], w->agents.name[a]));
            t->is.n_agents++;
        }
    }
    return REGRET_OK;
}

int init_wide(struct init_table *t)
{
    FREED_BY(wide_free) struct wide w = {0};
    FREED const char **agents = NULL;
    int again = 0, is_given = t->known->agents.n > 0 || t->known->is_wide;
    size_t room = 2 * t->n_columns + 1;
    TRY(REGRET_NEW(&w.own, room));
    TRY(REGRET_NEW(&w.of_pattern, room));
    TRY(REGRET_NEW(&w.is_agent, room));
    TRY(REGRET_NEW(&agents, room));
    TRY(t->known->agents.n > 0 ? find_given(&w, t) : find_own(&w, t));
    size_t n = choose_agents(&w);
    if (n < 2) {
        return ask_for_agents(t);
    }
    size_t shown = list_columns(agents, room - 1, &w, t);
    TRY(is_given || t->known->score.n > 0 ? REGRET_OK : check_bold(&w, t, agents, shown));
    TRY(take_patterns(&w, t, n));
    TRY(check_one_scale(&w, t, agents, shown));
    TRY(take_agents(&w, t, n));
    TRY(init_find_context(&again, t));
    t->is.repeats |= again;
    return REGRET_OK;
}
