#include "model/model.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/names.h"
#include "base/random.h"
#include "base/status.h"
#include "base/text.h"
#include "model/internal.h"
#include "regret/status.h"
#include "regret/text.h"

FREED_POINTER(struct regret_model, regret_model_free)
FREED_POINTER(struct regret_tokens, regret_tokens_free)

/* Of fewer requests no words are read; of fewer errors an interval is of all agents' [C]. */
enum { LEAST_FOR_WORDS = 30, LEAST_ERRORS = 40 };

void regret_model_free(struct regret_model *m)
{
    if (m == NULL) {
        return;
    }
    texts_free(m->agent, m->n_agents);
    texts_free(m->tag, m->n_tags);
    words_map_free(&m->map);
    void *const block[] = {m->stratum, m->surface, m->level, m->answered,
                           m->may,     m->weight,  m->pool,  m->digest};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) {
        regret_free(block[i]);
    }
    regret_free(m);
}

/* ---------------------------------------------------------------- what a request has in common for all agents */

/* What is made on the way. */
struct making {
    struct regret_model *model;
    const struct score_table *s;
    const struct model_options *o;
    struct learner l;
    uint32_t *stratum; /* [n] owned, as the others */
    size_t *request;   /* [n] */
    double *common;    /* [n] of a request, less its level; 0 where nothing is known */
    struct rules rules;
    struct words_fit of_level;
};

static void making_free(struct making *k)
{
    words_free(&k->l.words);
    rules_free(&k->rules);
    words_fit_free(&k->of_level);
    regret_free(k->stratum);
    regret_free(k->request);
    regret_free(k->common);
}

/* The mean of what is known of request i less what agents are worth there. */
static double common_of(const struct making *k, size_t i)
{
    const double *y = k->s->y + i * k->s->m, *row = k->rules.surface + k->stratum[i] * k->s->m;
    double sum = 0.0, n = 0.0;
    for (size_t a = 0; a < k->s->m; a++) {
        sum += isnan(y[a]) ? 0.0 : y[a] - row[a];
        n += !isnan(y[a]);
    }
    return n > 0.0 ? sum / n : (double)NAN;
}

/* Levels of strata, and of all requests where a stratum has none. */
static int fill_levels(struct making *k)
{
    struct regret_model *m = k->model;
    FREED double *n = NULL;
    TRY(REGRET_NEW(&n, m->n_strata + 1));
    for (size_t i = 0; i < k->s->n; i++) {
        k->common[i] = common_of(k, i);
        if (!isnan(k->common[i])) {
            m->level[k->stratum[i]] += k->common[i];
            m->level[m->n_strata] += k->common[i];
            n[k->stratum[i]] += 1.0;
            n[m->n_strata] += 1.0;
        }
    }
    for (size_t g = m->n_strata + 1; g-- > 0;) {
        m->level[g] = n[g] > 0.0 ? m->level[g] / n[g] : m->level[m->n_strata];
    }
    for (size_t i = 0; i < k->s->n; i++) {
        k->common[i] = isnan(k->common[i]) ? 0.0 : k->common[i] - m->level[k->stratum[i]];
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- errors of left-out values */

/* The value that request i has of agent a when it is left out of the words. */
static double left_out_value(const struct making *k, size_t i, size_t a)
{
    const double *own = k->rules.fit.left_out, *all = k->of_level.left_out;
    return k->model->level[k->stratum[i]] + k->rules.surface[k->stratum[i] * k->s->m + a] +
           (own != NULL ? own[a * k->s->n + i] : 0.0) + (all != NULL ? all[i] : 0.0);
}

/* Errors of the agents that the rule takes, or of all. */
static size_t list_errors(double *error, const struct making *k, int of_all)
{
    size_t n = 0;
    for (size_t r = 0; r < k->o->n_rows; r++) {
        const struct model_row *x = &k->o->row[r];
        if (of_all || x->agent == rule_choose(&k->rules, &k->l, k->o->rule, x->request)) {
            error[n++] = x->outcome - left_out_value(k, x->request, x->agent);
        }
    }
    for (size_t i = 0; k->o->row == NULL && i < k->s->n; i++) {
        size_t chosen = rule_choose(&k->rules, &k->l, k->o->rule, i);
        for (size_t a = 0; a < k->s->m; a++) {
            double y = k->s->y[i * k->s->m + a];
            if (!isnan(y) && (of_all || a == chosen)) {
                error[n++] = y - left_out_value(k, i, a);
            }
        }
    }
    return n;
}

/* The ends that hold the score of a request like these: order statistics (Vovk's conformal prediction, by left-out fits). */
static int measure_errors(struct making *k)
{
    const double tail = 0.025;
    FREED double *error = NULL;
    TRY(REGRET_NEW(&error, k->s->n * k->s->m + k->o->n_rows));
    size_t n = list_errors(error, k, 0);
    n = n < LEAST_ERRORS ? list_errors(error, k, 1) : n;
    if (n == 0) {
        return regret_fail(REGRET_E_INPUT, "nothing was scored that a model could be made of");
    }
    regret_sort_numbers(error, n);
    size_t below = (size_t)floor(tail * (double)(n + 1));
    below = below > 0 ? below - 1 : 0;
    k->model->low = error[below];
    k->model->high = error[n - 1 - below];
    return REGRET_OK;
}

/* ---------------------------------------------------------------- fitting */

static int copy_names(char ***out, char *const *name, size_t n)
{
    TRY(REGRET_NEW(out, n));
    for (size_t i = 0; i < n; i++) {
        TRY(regret_strdup(&(*out)[i], name[i]));
    }
    return REGRET_OK;
}

static int fill_names(struct making *k)
{
    struct regret_model *m = k->model;
    const struct score_table *s = k->s;
    m->n_agents = s->m;
    m->n_tags = s->n_tags;
    TRY(copy_names(&m->agent, s->agent, s->m));
    TRY(copy_names(&m->tag, s->tag_name, s->n_tags));
    TRY(REGRET_NEW(&m->stratum, s->n_tags));
    TRY(REGRET_NEW(&m->answered, s->n_tags * s->m));
    TRY(REGRET_NEW(&m->may, s->m));
    for (size_t i = 0; i < s->n; i++) {
        for (size_t a = 0; a < s->m; a++) {
            int known = !isnan(s->y[i * s->m + a]);
            m->may[a] |= (unsigned char)known;
            if (s->tag != NULL) {
                m->answered[s->tag[i] * s->m + a] |= (unsigned char)known;
                m->stratum[s->tag[i]] = k->stratum[i];
            }
        }
    }
    TRY(regret_strdup(&m->pool, s->name));
    return regret_strdup(&m->digest, k->o->digest != NULL ? k->o->digest : "");
}

static int take_rules(struct making *k)
{
    struct regret_model *m = k->model;
    size_t agents = m->n_agents, d = k->l.words.map.d;
    TRY(REGRET_NEW(&m->surface, (m->n_strata + 1) * agents));
    memcpy(m->surface, k->rules.surface, m->n_strata * agents * sizeof *m->surface);
    memcpy(m->surface + m->n_strata * agents, k->rules.mean, agents * sizeof *m->surface);
    TRY(REGRET_NEW(&m->weight, d * (agents + 1)));
    if (k->rules.fit.weight != NULL) {
        memcpy(m->weight, k->rules.fit.weight, d * agents * sizeof *m->weight);
    }
    if (k->of_level.weight != NULL) {
        memcpy(m->weight + d * agents, k->of_level.weight, d * sizeof *m->weight);
    }
    m->single = k->rules.one;
    m->rule = k->o->rule;
    m->told = k->o->told;
    return REGRET_OK;
}

static int make(struct making *k)
{
    size_t n = k->s->n;
    TRY(strata_of_tags(&k->stratum, &k->model->n_strata, k->s));
    TRY(fill_names(k));
    k->l = (struct learner){
        .s = k->s, .stratum = k->stratum, .n_strata = k->model->n_strata, .may = k->model->may};
    TRY(n >= LEAST_FOR_WORDS ? words_make(&k->l.words, k->s) : REGRET_OK);
    TRY(REGRET_NEW(&k->request, n));
    TRY(REGRET_NEW(&k->common, n));
    TRY(REGRET_NEW(&k->model->level, k->model->n_strata + 1));
    for (size_t i = 0; i < n; i++) {
        k->request[i] = i;
    }
    TRY(rules_learn(&k->rules, &k->l, k->request, n, 1));
    TRY(fill_levels(k));
    if (k->l.words.d > 0) {
        TRY(words_learn(&k->of_level, &k->l.words, k->request, n, k->common, 1, 1));
    }
    TRY(take_rules(k));
    TRY(measure_errors(k));
    k->model->map = k->l.words.map;
    k->l.words.map = (struct words_map){0};
    return REGRET_OK;
}

int regret_model_make(struct regret_model **out, const struct score_table *s,
                      const struct model_options *options)
{
    FREED_BY(regret_model_free_at) struct regret_model *m = NULL;
    if (s->votes != NULL) {
        return regret_fail(REGRET_E_INPUT,
                           "votes tell agents apart, not what each is worth on a request: there is "
                           "no model of new requests of them");
    }
    TRY(REGRET_NEW(&m, 1));
    FREED_BY(making_free) struct making k = {.model = m, .s = s, .o = options};
    TRY(make(&k));
    *out = m;
    m = NULL;
    return REGRET_OK;
}

void regret_model_describe(struct regret_buffer *out, const struct regret_model *m)
{
    regret_buffer_printf(
        out, "A model of new requests: %zu agents, %zu tags, %zu words, %zu own columns. ",
        m->n_agents, m->n_tags, m->map.n_words, m->map.n_own);
    regret_buffer_append(out,
                         m->rule == RULE_ONE ? "One agent for everything: "
                         : m->rule == RULE_TAG
                             ? "An agent by category; of no category that it knows: "
                             : "An agent by request, by its category, words and columns; the best "
                               "single one: ");
    regret_buffer_append_visible(out, m->agent[m->single]);
    regret_buffer_append(out, ".\n");
}

/* ---------------------------------------------------------------- answering */

static size_t stratum_of(const struct regret_model *m, const char *tag, size_t *tag_number)
{
    *tag_number = tag != NULL && tag[0] != '\0'
                      ? name_find((const char *const *)m->tag, m->n_tags, tag)
                      : m->n_tags;
    return *tag_number < m->n_tags ? m->stratum[*tag_number] : m->n_strata;
}

static double words_of(const struct regret_model *m, const double *x, size_t k)
{
    double sum = 0.0;
    for (size_t j = 0; j < m->map.d; j++) {
        sum += x[j] * m->weight[k * m->map.d + j];
    }
    return sum;
}

static double worth(const struct regret_model *m, const double *x, size_t stratum, size_t a)
{
    return m->surface[stratum * m->n_agents + a] + words_of(m, x, a);
}

static size_t choose(const struct regret_model *m, const double *x, size_t stratum)
{
    size_t best = m->single;
    double most = -INFINITY;
    for (size_t a = 0; m->rule != RULE_ONE && a < m->n_agents; a++) {
        double v =
            m->rule == RULE_TAG ? m->surface[stratum * m->n_agents + a] : worth(m, x, stratum, a);
        if (m->may[a] && v > most) {
            best = a;
            most = v;
        }
    }
    return best;
}

static void answer(struct regret_answer *out, const struct regret_model *m,
                   const struct regret_request *request, const double *x)
{
    size_t tag, stratum = stratum_of(m, request->tag, &tag);
    size_t agent = choose(m, x, stratum);
    double value = m->level[stratum] + words_of(m, x, m->n_agents) + worth(m, x, stratum, agent);
    out->agent = agent;
    out->value = fmin(fmax(value, 0.0), 1.0);
    out->low = fmin(fmax(value + m->low, 0.0), 1.0);
    out->high = fmin(fmax(value + m->high, 0.0), 1.0);
    out->margin = worth(m, x, stratum, agent) - worth(m, x, stratum, m->single);
    out->notes &= m->rule == RULE_REQUEST ? ~0U : ~(unsigned)REQUEST_UNKNOWN_WORDS;
    out->notes |= m->n_tags > 0 && tag == m->n_tags ? REQUEST_UNKNOWN_TAG : 0;
    out->notes |=
        tag < m->n_tags && !m->answered[tag * m->n_agents + agent] ? REQUEST_UNSEEN_AGENT : 0;
}

int regret_model_answer(struct regret_answer *answers, const struct regret_model *m,
                        const struct regret_request *requests, size_t n)
{
    FREED_BY(regret_tokens_free_at) struct regret_tokens *tokens = NULL;
    FREED const char **text = NULL;
    FREED double *x = NULL;
    TRY(REGRET_NEW(&text, n));
    TRY(REGRET_NEW(&x, m->map.d));
    for (size_t i = 0; i < n; i++) {
        text[i] = requests[i].text;
    }
    TRY(regret_tokens_build(&tokens, text, n));
    for (size_t i = 0; i < n; i++) {
        size_t words = tokens->start[i + 1] - tokens->start[i];
        uint64_t *hash = tokens->hash + tokens->start[i];
        size_t distinct = words_distinct(hash, words);
        answers[i] =
            (struct regret_answer){.notes = m->map.d > 0 ? words_fill(x, &m->map, hash, distinct,
                                                                      words, requests[i].columns)
                                                         : 0};
        answer(&answers[i], m, &requests[i], x);
    }
    return REGRET_OK;
}
