#include "model/core/model.h"

#include <math.h>
#include <string.h>

#include "base/core/texts.h"
#include "base/core/try.h"
#include "regret/alloc.h"

FREED_POINTER(struct regret_model, regret_model_free)

const char *regret_model_rule_name(enum regret_model_rule rule)
{
    static const char *const names[REGRET_MODEL_RULES] = {"single", "tag", "columns", "words"};
    return names[rule];
}

int model_create(struct regret_model **out, size_t n_agents, size_t n_tags, size_t n_buckets,
                 size_t directions_contrast, size_t directions_common)
{
    FREED_BY(regret_model_free_at) struct regret_model *m = NULL;
    TRY(REGRET_NEW(&m, 1));
    m->told = -1;
    m->n_agents = n_agents;
    m->n_tags = n_tags;
    m->n_buckets = n_buckets;
    m->contrast.n = directions_contrast;
    m->common.n = directions_common;
    m->width = n_agents + 3 + directions_contrast + directions_common;
    TRY(REGRET_NEW(&m->agent, n_agents));
    TRY(REGRET_NEW(&m->tag, n_tags));
    TRY(REGRET_NEW(&m->answered, n_tags));
    TRY(REGRET_NEW(&m->own, n_agents));
    TRY(REGRET_NEW(&m->own_margin, n_agents));
    TRY(REGRET_NEW(&m->bucket, n_buckets));
    TRY(REGRET_NEW(&m->row, model_rows(m) * m->width));
    *out = m;
    m = NULL;
    return REGRET_OK;
}

void regret_model_free(struct regret_model *m)
{
    if (m == NULL) {
        return;
    }
    texts_free(m->agent, m->n_agents);
    texts_free(m->tag, m->n_tags);
    texts_free(m->answered, m->n_tags);
    model_columns_free(&m->columns);
    regret_free(m->own);
    regret_free(m->own_margin);
    regret_free(m->bucket);
    regret_free(m->row);
    regret_free(m->pool);
    regret_free(m->pool_digest);
    regret_free(m->settings);
    regret_free(m);
}

struct regret_model_facts regret_model_facts(const struct regret_model *model)
{
    return model->facts;
}

const char *regret_model_agent(const struct regret_model *model, size_t agent)
{
    return model->agent[agent];
}

int regret_model_told(const struct regret_model *model)
{
    return model->told;
}

void regret_model_set_told(struct regret_model *model, int told)
{
    model->told = told < 0 ? -1 : told > 0;
}

size_t regret_model_columns(const struct regret_model *m)
{
    return m->contrast.kappa > 0.0 || m->common.kappa > 0.0 ? m->columns.n : 0;
}

const char *regret_model_column(const struct regret_model *m, size_t column)
{
    return m->columns.item[column].name;
}

static void describe_score(struct regret_buffer *out, const struct regret_model_facts *f,
                           enum regret_model_rule rule, const char *words)
{
    const struct regret_model_score *s = &f->score[rule];
    if (!s->is_there) {
        return;
    }
    regret_buffer_printf(out, "  %-28s %.4f ± %.4f", words, s->regret, s->half);
    if (rule != REGRET_MODEL_SINGLE) {
        regret_buffer_printf(out, "   %s by %.4f ± %.4f%s", s->gain < 0.0 ? "worse" : "better",
                             fabs(s->gain), s->gain_half,
                             fabs(s->gain) > s->gain_half ? "" : ", which is not separable from 0");
    }
    regret_buffer_append(out, f->contrasts == rule ? "   <- used\n" : "\n");
}

void regret_model_describe(struct regret_buffer *out, const struct regret_model *m)
{
    static const char *const value_words[REGRET_MODEL_RULES] = {
        "its agent alone", "agent and tag", "agent, tag and own columns", "agent, tag and words"};
    enum regret_model_rule rule =
        m->facts.common > m->facts.contrasts ? m->facts.common : m->facts.contrasts;
    const struct regret_model_facts *f = &m->facts;
    regret_buffer_printf(out, "model of %zu agents on %zu contexts of ", m->n_agents,
                         f->n_contexts);
    regret_buffer_append_safe(out, m->pool, 80);
    regret_buffer_printf(out, ", %zu pairs, %zu tag%s\n", f->n_pairs, m->n_tags,
                         m->n_tags == 1 ? "" : "s");
    regret_buffer_printf(
        out, "regret on %zu contexts, each left out of its fit (95 %% over contexts):\n",
        f->judged);
    describe_score(out, f, REGRET_MODEL_SINGLE, "best single agent");
    describe_score(out, f, REGRET_MODEL_TAG, "best by tag, shrunk");
    describe_score(out, f, REGRET_MODEL_COLUMNS, "ridge of tag and own columns");
    describe_score(out, f, REGRET_MODEL_WORDS,
                   m->columns.n > 0 ? "the same and words" : "ridge of tag and words");
    regret_buffer_printf(out, "  %-28s %.4f\n", "an agent at random", f->random);
    if (f->contrasts == REGRET_MODEL_SINGLE) {
        regret_buffer_append(
            out, "nothing is separably better than one agent for all: every request goes to ");
        regret_buffer_append_safe(out, m->agent[f->single], 80);
        regret_buffer_append(out, "\n");
    }
    regret_buffer_printf(
        out, "values go by %s%s; their error on contexts left out is %.4f (root mean square)\n",
        value_words[rule],
        rule == REGRET_MODEL_WORDS && m->columns.n > 0 ? ", and own columns" : "", f->error);
    for (size_t j = 0; j < regret_model_columns(m); j++) {
        regret_buffer_append(out, j == 0 ? "own columns: " : ", ");
        regret_buffer_append_safe(out, m->columns.item[j].name, 40);
        regret_buffer_append(out, j + 1 == m->columns.n ? "\n" : "");
    }
}
