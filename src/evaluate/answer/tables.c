/* The tables of the folder. Numbers read back exactly; what is not known is empty. */
#include <math.h>
#include <string.h>

#include "base/text/escape.h"
#include "evaluate/answer/answer.h"
#include "log/core/offer.h"

static void comma(struct regret_buffer *out)
{
    regret_buffer_append_char(out, ',');
}

static void number(struct regret_buffer *out, double value)
{
    comma(out);
    csv_number(out, value);
}

static void whole(struct regret_buffer *out, size_t value)
{
    regret_buffer_printf(out, ",%zu", value);
}

static void name(struct regret_buffer *out, const char *text)
{
    comma(out);
    csv_field(out, text != NULL ? text : "");
}

static void end(struct regret_buffer *out)
{
    regret_buffer_append_char(out, '\n');
}

/* value,error,low,high */
static void put_valued(struct regret_buffer *out, struct regret_valued v)
{
    number(out, v.value);
    number(out, v.error);
    number(out, v.low);
    number(out, v.high);
}

static void outcome(struct regret_buffer *out, const struct regret_log *log,
                    const struct regret_valued *v)
{
    put_valued(out, value_as_given(log, v));
}

static void difference(struct regret_buffer *out, const struct regret_log *log,
                       const struct regret_valued *v)
{
    put_valued(out, difference_as_given(log, v));
}

/* What it rests on, in a column of its own where that is not the same for all. */
static void rows_of(struct regret_buffer *out, const struct regret_log *log,
                    const struct regret_valued *v)
{
    if (some_were_absent(log)) {
        whole(out, v->rows);
    }
}

/* UINT32_MAX: nobody. */
static void agent_name(struct regret_buffer *out, const struct regret_log *log, uint32_t agent)
{
    name(out, agent != UINT32_MAX ? log->agent[agent] : "");
}

void table_agents(struct regret_buffer *out, const struct regret_evaluation *e,
                  const struct regret_log *log)
{
    regret_buffer_append(
        out, "agent,n_obs,n_exp,mean_obs,mean_exp,clusters,dm,dm_error,dm_low,dm_high,dr,dr_error,"
             "dr_low,dr_high,sndr,sndr_error,sndr_low,sndr_high,difference,difference_error,"
             "difference_low,difference_high,simultaneous_low,simultaneous_high,cost,is_incumbent");
    regret_buffer_append(out, some_were_absent(log) ? ",value_rows,difference_rows\n" : "\n");
    for (size_t a = 0; a < e->n_agents; a++) {
        const struct regret_agent_value *x = &e->agent[a];
        csv_field(out, log->agent[a]);
        whole(out, x->rows[REGRET_LOG_OBS]);
        whole(out, x->rows[REGRET_LOG_EXP]);
        number(out, as_given(log, x->mean[REGRET_LOG_OBS]));
        number(out, as_given(log, x->mean[REGRET_LOG_EXP]));
        whole(out, x->clusters);
        for (size_t k = 0; k < REGRET_N_VALUES; k++) {
            outcome(out, log, &x->value[k]);
        }
        difference(out, log, &x->difference);
        struct regret_valued bounds = bounds_as_given(log, x);
        number(out, bounds.low);
        number(out, bounds.high);
        number(out, x->cost);
        whole(out, a == e->incumbent);
        rows_of(out, log, &x->value[REGRET_VALUE_SNDR]);
        rows_of(out, log, &x->difference);
        end(out);
    }
}

void table_tags(struct regret_buffer *out, const struct regret_evaluation *e,
                const struct regret_log *log)
{
    regret_buffer_append(out, "tag,n_obs,n_exp,agent,value,error,low,high,over_incumbent,"
                              "over_incumbent_error,over_incumbent_low,over_incumbent_high");
    regret_buffer_append(out, some_were_absent(log) ? ",value_rows,over_incumbent_rows\n" : "\n");
    for (size_t t = 0; t < e->n_tags; t++) {
        const struct regret_tag_value *x = &e->tag[t];
        csv_field(out, log->tags[t]);
        whole(out, x->rows[REGRET_LOG_OBS]);
        whole(out, x->rows[REGRET_LOG_EXP]);
        name(out, log->agent[x->agent]);
        outcome(out, log, &x->value);
        difference(out, log, &x->over_incumbent);
        rows_of(out, log, &x->value);
        rows_of(out, log, &x->over_incumbent);
        end(out);
    }
}

void table_policies(struct regret_buffer *out, const struct regret_evaluation *e,
                    const struct regret_log *log)
{
    regret_buffer_append(
        out, "policy,value,error,low,high,over_incumbent,over_incumbent_error,over_incumbent_low,"
             "over_incumbent_high,over_single,over_single_error,over_single_low,over_single_high,"
             "share,cost");
    regret_buffer_append(
        out, some_were_absent(log) ? ",value_rows,over_incumbent_rows,over_single_rows\n" : "\n");
    for (size_t p = 0; p < REGRET_POLICIES; p++) {
        const struct regret_policy_worth *x = &e->policy[p];
        if (x->is_there) {
            regret_buffer_append(out, regret_policy_name((enum regret_policy_kind)p));
            outcome(out, log, &x->value);
            difference(out, log, &x->over_incumbent);
            difference(out, log, &x->over_single);
            number(out, x->share);
            number(out, x->cost);
            rows_of(out, log, &x->value);
            rows_of(out, log, &x->over_incumbent);
            rows_of(out, log, &x->over_single);
            end(out);
        }
    }
}

/* What a request can be found by where its id is made of its text: the line where it first stands, and how it begins. */
static void put_place(struct regret_buffer *out, const struct regret_log *log, uint32_t context)
{
    enum { BEGINNING = 100 };
    char text[BEGINNING + 1] = "";
    const char *whole = log->text != NULL ? log->text[context] : NULL;
    size_t n = whole != NULL ? strlen(whole) : 0;
    n = n < BEGINNING ? n : BEGINNING;
    while (n > 0 && ((unsigned char)whole[n] & 0xC0U) == 0x80U) {
        n--; /* no character is cut in two */
    }
    memcpy(text, n > 0 ? whole : "", n);
    comma(out);
    if (log->first != NULL && log->first[context] > 0) {
        regret_buffer_printf(out, "%llu", (unsigned long long)log->first[context]);
    }
    name(out, text);
}

void table_recommendations(struct regret_buffer *out, const struct regret_evaluation *e,
                           const struct regret_log *log)
{
    regret_buffer_append(out, "context,tag,agent,by_request,value,margin,margin_group,"
                              "margin_low,margin_high,cost,line,text");
    regret_buffer_append(out, some_were_absent(log) ? ",reason\n" : "\n");
    for (size_t i = 0; i < e->n_advice; i++) {
        const struct regret_recommended *x = &e->advice[i];
        const struct regret_valued none = {.low = NAN, .high = NAN};
        int is_grouped = x->group != UINT32_MAX;
        struct regret_valued margin =
            difference_as_given(log, is_grouped ? &e->group[x->group].margin : &none);
        const struct regret_valued value = {.value = x->value}, above = {.value = x->margin};
        csv_field(out, log->context[x->context] != NULL ? log->context[x->context] : "");
        name(out, log->tag != NULL ? log->tags[log->tag[x->context]] : "");
        agent_name(out, log, x->agent);
        agent_name(out, log, x->by_request);
        number(out, value_as_given(log, &value).value);
        number(out, difference_as_given(log, &above).value);
        if (is_grouped) {
            whole(out, x->group);
        } else {
            comma(out);
        }
        number(out, margin.low);
        number(out, margin.high);
        number(out, x->agent != UINT32_MAX ? e->agent[x->agent].cost : NAN);
        put_place(out, log, x->context);
        if (some_were_absent(log)) {
            name(out, x->agent == UINT32_MAX ? "every agent on its slate is withdrawn, or has rows "
                                               "of fewer than two clusters"
                                             : "");
        }
        end(out);
    }
}

void table_diagnostics(struct regret_buffer *out, const struct regret_evaluation *e)
{
    regret_buffer_append(out, "name,what,value,low,high,p,verdict,sentence\n");
    for (size_t i = 0; e->diagnostics != NULL && i < e->diagnostics->n; i++) {
        const struct regret_diagnostic *d = &e->diagnostics->entry[i];
        csv_field(out, d->name);
        name(out, d->what);
        number(out, d->value);
        number(out, d->low);
        number(out, d->high);
        number(out, d->p);
        name(out, regret_diagnostic_verdict_name(d->verdict));
        name(out, d->sentence);
        end(out);
    }
}

void table_rows(struct regret_buffer *out, const struct regret_evaluation *e,
                const struct regret_log *log)
{
    const struct regret_log_rows *rows = &log->rows[e->basis];
    regret_buffer_append(out,
                         "line,context,tag,cluster,agent,outcome,propensity,fold,single,by_tag,"
                         "by_request,margin_group");
    for (size_t a = 0; a < e->n_agents; a++) {
        name(out, log->agent[a]);
    }
    end(out);
    for (size_t i = 0; i < e->rows; i++) {
        uint32_t at = e->row[i], x = rows->context[at];
        regret_buffer_printf(out, "%llu", (unsigned long long)rows->line[at]);
        name(out, log->context[x]);
        name(out, log->tag != NULL ? log->tags[log->tag[x]] : "");
        whole(out, rows->cluster[at]);
        name(out, log->agent[rows->agent[at]]);
        number(out, as_given(log, rows->outcome[at]));
        number(out, e->propensity[i]);
        whole(out, e->fold[i]);
        for (size_t p = 0; p < REGRET_POLICIES; p++) {
            agent_name(out, log, e->choice[p] != NULL ? e->choice[p][i] : UINT32_MAX);
        }
        if (e->margin_group[i] != UINT32_MAX) {
            whole(out, e->margin_group[i]);
        } else {
            comma(out);
        }
        for (size_t a = 0; a < e->n_agents; a++) {
            number(out, as_given(log, e->surface[e->surface_of[i] * e->n_agents + a]));
        }
        end(out);
    }
}
