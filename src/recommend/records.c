/* The answer for programs. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/status.h"
#include "recommend/internal.h"
#include "regret/buffer.h"
#include "regret/status.h"
#include "report/table.h"

/* ---------------------------------------------------------------- CSV */

static void put_rows(struct data_table *t, const struct answer *a, const struct group_answer *g,
                     const char *category)
{
    for (size_t k = 0; k < a->s->m; k++) {
        const struct agent_answer *x = &g->agent[k];
        data_cell_text(t, category);
        data_cell_text(t, a->agent[k]);
        DATA_COUNTS(t, g->requests, x->known);
        DATA_NUMBERS(t, x->raw, x->level.value, x->level.low, x->level.high);
        DATA_COUNTS(t, x->is_ranked != 0, x->may_be_best != 0, x->is_worse != 0, k == g->chosen);
        DATA_NUMBERS(t, k == g->best ? 0.0 : x->lead.value, x->behind, x->least,
                     a->s->cost != NULL ? a->s->cost[k] : (double)NAN);
    }
}

static void data_table_free(struct data_table *t)
{
    table_free(&t->table);
}

int answer_csv(struct regret_buffer *out, const struct answer *a)
{
    FREED_BY(data_table_free) struct data_table t = {0};
    data_table_begin(
        &t, "agents", "",
        "category agent requests known mean_of_known mean low high compared may_be_best "
        "worse chosen lead_of_best at_most_behind at_least_behind cost");
    put_rows(&t, a, &a->all, "");
    for (size_t g = 0; g < a->s->n_tags; g++) {
        put_rows(&t, a, &a->tag[g], a->tag_name[g]);
    }
    TRY(table_check(&t.table));
    render_data_csv(out, &t);
    return regret_buffer_status(out);
}

/* ---------------------------------------------------------------- JSON */

static void put_key(struct regret_buffer *out, const char *key)
{
    regret_buffer_printf(out, ",\n\"%s\": ", key);
}

static void put_number(struct regret_buffer *out, const char *key, double x)
{
    regret_buffer_printf(out, ", \"%s\": ", key);
    regret_buffer_json_number(out, x);
}

static void put_interval(struct regret_buffer *out, const struct interval *x)
{
    regret_buffer_append(out, "{\"value\": ");
    regret_buffer_json_number(out, x->value);
    put_number(out, "low", x->low);
    put_number(out, "high", x->high);
    regret_buffer_append_char(out, '}');
}

static void put_name(struct regret_buffer *out, const struct answer *a, size_t k)
{
    table_json_string(out, k < a->s->m ? a->agent[k] : NULL);
}

static void put_group_json(struct regret_buffer *out, const struct answer *a,
                           const struct group_answer *g)
{
    regret_buffer_printf(out, "{\"requests\": %zu, \"best\": ", g->requests);
    put_name(out, a, g->best);
    regret_buffer_append(out, ", \"chosen\": ");
    put_name(out, a, g->chosen);
    regret_buffer_append(out, ", \"agents\": [");
    for (size_t k = 0; k < a->s->m; k++) {
        const struct agent_answer *x = &g->agent[k];
        regret_buffer_append(out, k > 0 ? ",\n {\"agent\": " : "\n {\"agent\": ");
        put_name(out, a, k);
        regret_buffer_printf(out,
                             ", \"known\": %zu, \"ranked\": %s, \"may_be_best\": %s, \"worse\": %s",
                             x->known, x->is_ranked ? "true" : "false",
                             x->may_be_best ? "true" : "false", x->is_worse ? "true" : "false");
        put_number(out, "mean_of_known", x->raw);
        put_number(out, "mean", x->level.value);
        put_number(out, "low", x->level.low);
        put_number(out, "high", x->level.high);
        put_number(out, "lead_of_best", k == g->best ? 0.0 : x->lead.value);
        put_number(out, "at_most_behind", x->behind);
        put_number(out, "at_least_behind", x->least);
        put_number(out, "cost", a->s->cost != NULL ? a->s->cost[k] : (double)NAN);
        regret_buffer_append_char(out, '}');
    }
    regret_buffer_append(out, "]}");
}

static void put_gain_json(struct regret_buffer *out, const char *key, const struct gain_answer *g)
{
    put_key(out, key);
    if (g->is_known && !g->is_same) {
        put_interval(out, &g->gain);
    } else {
        regret_buffer_append(out, "null");
    }
}

static void put_lines(struct regret_buffer *out, const char *lines)
{
    regret_buffer_append_char(out, '[');
    for (const char *p = lines; *p != '\0';) {
        size_t length = strcspn(p, "\n");
        struct regret_buffer line = REGRET_BUFFER_INIT;
        regret_buffer_printf(&line, "%.*s", (int)length, p);
        regret_buffer_append(out, p > lines ? ", " : "");
        regret_buffer_json_string(out, regret_buffer_get(&line));
        regret_buffer_free_into(out, &line);
        p += length + (p[length] == '\n');
    }
    regret_buffer_append_char(out, ']');
}

static void put_words_json(struct regret_buffer *out, const struct answer *a)
{
    struct regret_buffer words = REGRET_BUFFER_INIT;
    answer_headline(&words, a);
    put_key(out, "headline");
    regret_buffer_json_string(out, regret_buffer_get(&words));
    regret_buffer_clear(&words);
    answer_sentences(&words, a);
    put_key(out, "sentences");
    put_lines(out, regret_buffer_get(&words));
    put_key(out, "cautions");
    put_lines(out, regret_buffer_get(&a->caution));
    regret_buffer_free_into(out, &words);
}

static void put_incumbent_json(struct regret_buffer *out, const struct answer *a)
{
    put_key(out, "incumbent");
    put_name(out, a, a->incumbent_agent);
    for (size_t k = 0; a->incumbent != NULL && k < a->s->m; k++) {
        regret_buffer_append(out, k == 0 ? ",\n\"over_incumbent\": {" : ", ");
        put_name(out, a, k);
        regret_buffer_append(out, ": ");
        put_interval(out, &a->incumbent[k].over);
    }
    regret_buffer_append(out, a->incumbent != NULL ? "}" : "");
}

int answer_json(struct regret_buffer *out, const struct answer *a)
{
    static const char *const keys[N_RULES] = {"one", "by_tag", "by_request"};
    regret_buffer_append(out, "{\"format\": \"regret-answer-1\",\n\"pool\": ");
    table_json_string(out, a->s->name);
    regret_buffer_printf(out, ",\n\"synthetic\": %s,\n\"requests\": %zu, \"missing\": %zu",
                         a->s->synthetic ? "true" : "false", a->s->n, a->unknown);
    put_key(out, "scale");
    regret_buffer_printf(out, "{\"zero\": %.17g, \"one\": %.17g}", a->s->zero, a->s->one);
    put_key(out, "verdict");
    regret_buffer_json_string(out, verdict_name(a->verdict));
    put_key(out, "likely");
    regret_buffer_json_string(out, rule_name(a->likely));
    put_words_json(out, a);
    put_key(out, "all");
    put_group_json(out, a, &a->all);
    for (size_t g = 0; g < a->s->n_tags; g++) {
        regret_buffer_append(out, g == 0 ? ",\n\"tags\": {" : ",\n");
        table_json_string(out, a->tag_name[g]);
        regret_buffer_append(out, ": ");
        put_group_json(out, a, &a->tag[g]);
    }
    regret_buffer_append(out, a->s->n_tags > 0 ? "}" : "");
    put_gain_json(out, "by_tag_over_one", &a->tag_over_one);
    put_gain_json(out, "by_request_over_one", &a->request_over_one);
    put_gain_json(out, "by_request_over_tag", &a->request_over_tag);
    for (enum rule r = RULE_ONE; r < N_RULES && a->verdict != VERDICT_TOO_FEW; r++) {
        put_key(out, keys[r]);
        put_interval(out, &a->value[r]);
    }
    put_incumbent_json(out, a);
    put_key(out, "requests_that_would_tell");
    regret_buffer_json_number(out, a->all.wanted);
    regret_buffer_append(out, "}\n");
    return regret_buffer_status(out);
}
