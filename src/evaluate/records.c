/* The answer as JSON and tables, and its model for new requests. */
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "base/status.h"
#include "evaluate/internal.h"
#include "log/log.h"
#include "model/model.h"
#include "regret/status.h"

/* result.json (docs/formats.md). Outcomes and differences are on the scale on which they were given. */

enum { VERSION = 1 };

static void key(struct regret_buffer *out, const char *name)
{
    char last = out->length > 0 ? out->data[out->length - 1] : '{';
    regret_buffer_append(out, last == '{' || last == '[' ? "" : ",");
    regret_buffer_json_string(out, name);
    regret_buffer_append_char(out, ':');
}

static void number(struct regret_buffer *out, const char *name, double value)
{
    key(out, name);
    regret_buffer_json_number(out, value);
}

static void text(struct regret_buffer *out, const char *name, const char *value)
{
    key(out, name);
    regret_buffer_json_string(out, value);
}

static void open_list(struct regret_buffer *out, const char *name)
{
    key(out, name);
    regret_buffer_append_char(out, '[');
}

static void open_item(struct regret_buffer *out)
{
    char last = out->data != NULL ? out->data[out->length - 1] : '[';
    regret_buffer_append(out, last == '[' ? "\n{" : ",\n{");
}

/* `rows`: says on how many it rests. */
static void valued(struct regret_buffer *out, const char *name, struct regret_valued v, int rows)
{
    key(out, name);
    regret_buffer_append_char(out, '{');
    number(out, "value", v.value);
    number(out, "error", v.error);
    number(out, "df", v.df);
    number(out, "low", v.low);
    number(out, "high", v.high);
    if (rows) {
        number(out, "rows", (double)v.rows);
    }
    regret_buffer_append_char(out, '}');
}

static void outcome(struct regret_buffer *out, const char *name, const struct regret_log *log,
                    const struct regret_valued *v)
{
    valued(out, name, value_as_given(log, v), some_were_absent(log));
}

static void difference(struct regret_buffer *out, const char *name, const struct regret_log *log,
                       const struct regret_valued *v)
{
    valued(out, name, difference_as_given(log, v), some_were_absent(log));
}

static void put_agents(struct regret_buffer *out, const struct regret_evaluation *e,
                       const struct regret_log *log)
{
    open_list(out, "agents");
    for (size_t a = 0; a < e->n_agents; a++) {
        const struct regret_agent_value *x = &e->agent[a];
        open_item(out);
        text(out, "agent", log->agent[a]);
        number(out, "n_obs", (double)x->rows[REGRET_LOG_OBS]);
        number(out, "n_exp", (double)x->rows[REGRET_LOG_EXP]);
        number(out, "clusters", (double)x->clusters);
        number(out, "mean_obs", as_given(log, x->mean[REGRET_LOG_OBS]));
        number(out, "mean_exp", as_given(log, x->mean[REGRET_LOG_EXP]));
        outcome(out, "dm", log, &x->value[REGRET_VALUE_DM]);
        outcome(out, "dr", log, &x->value[REGRET_VALUE_DR]);
        outcome(out, "sndr", log, &x->value[REGRET_VALUE_SNDR]);
        difference(out, "difference", log, &x->difference);
        struct regret_valued bounds = bounds_as_given(log, x);
        number(out, "simultaneous_low", bounds.low);
        number(out, "simultaneous_high", bounds.high);
        number(out, "cost", x->cost);
        regret_buffer_append_char(out, '}');
    }
    regret_buffer_append_char(out, ']');
}

static void put_policies(struct regret_buffer *out, const struct regret_evaluation *e,
                         const struct regret_log *log)
{
    open_list(out, "policies");
    for (size_t p = 0; p < REGRET_POLICIES; p++) {
        const struct regret_policy_worth *x = &e->policy[p];
        if (x->is_there) {
            open_item(out);
            text(out, "policy", regret_policy_name((enum regret_policy_kind)p));
            outcome(out, "value", log, &x->value);
            difference(out, "over_incumbent", log, &x->over_incumbent);
            difference(out, "over_single", log, &x->over_single);
            number(out, "share", x->share);
            number(out, "cost", x->cost);
            regret_buffer_append_char(out, '}');
        }
    }
    regret_buffer_append_char(out, ']');
    open_list(out, "margin_groups");
    for (size_t g = 0; g < e->n_groups; g++) {
        const struct regret_margin_group *x = &e->group[g];
        open_item(out);
        number(out, "least", gap_as_given(log, x->least));
        number(out, "rows", (double)x->rows);
        number(out, "predicted", gap_as_given(log, x->predicted));
        difference(out, "margin", log, &x->margin);
        regret_buffer_append_char(out, '}');
    }
    regret_buffer_append_char(out, ']');
}

static void put_tags(struct regret_buffer *out, const struct regret_evaluation *e,
                     const struct regret_log *log)
{
    open_list(out, "tags");
    for (size_t t = 0; t < e->n_tags; t++) {
        open_item(out);
        text(out, "tag", log->tags[t]);
        text(out, "agent", log->agent[e->tag[t].agent]);
        outcome(out, "value", log, &e->tag[t].value);
        difference(out, "over_incumbent", log, &e->tag[t].over_incumbent);
        regret_buffer_append_char(out, '}');
    }
    regret_buffer_append_char(out, ']');
}

/* Losses are squares of outcomes between 0 and 1, on that scale. */
static void put_families(struct regret_buffer *out, const struct regret_evaluation *e,
                         const struct regret_log *log)
{
    text(out, "used", e->family[e->used].name);
    text(out, "least_loss", e->family[e->best].name);
    open_list(out, "families");
    for (size_t i = 0; i < e->n_families; i++) {
        const struct regret_fitted_family *x = &e->family[i];
        open_item(out);
        text(out, "family", x->name);
        number(out, "loss", x->loss);
        valued(out, "difference", x->difference, 0);
        outcome(out, "policy", log, &x->policy);
        text(out, "single", log->agent[x->single]);
        number(out, "lambda", x->lambda);
        regret_buffer_append_char(out, '}');
    }
    regret_buffer_append_char(out, ']');
    valued(out, "calibration", e->calibration, 0);
    number(out, "lambda", e->lambda);
    text(out, "lambda_says", e->lambda_says);
}

static void put_diagnostics(struct regret_buffer *out, const struct regret_evaluation *e)
{
    open_list(out, "diagnostics");
    for (size_t i = 0; e->diagnostics != NULL && i < e->diagnostics->n; i++) {
        const struct regret_diagnostic *d = &e->diagnostics->entry[i];
        open_item(out);
        text(out, "name", d->name);
        text(out, "what", d->what);
        text(out, "verdict", regret_diagnostic_verdict_name(d->verdict));
        number(out, "value", d->value);
        number(out, "low", d->low);
        number(out, "high", d->high);
        number(out, "p", d->p);
        text(out, "sentence", d->sentence);
        regret_buffer_append_char(out, '}');
    }
    regret_buffer_append_char(out, ']');
}

static void put_losses(struct regret_buffer *out, const struct regret_evaluation *e,
                       const struct regret_log *log)
{
    open_list(out, "left_out");
    for (size_t i = 0; i < log->n_losses; i++) {
        open_item(out);
        text(out, "source", regret_log_source_name(log->loss[i].source));
        number(out, "rows", (double)log->loss[i].n);
        text(out, "reason", log->loss[i].reason);
        number(out, "first_line", (double)log->loss[i].line);
        regret_buffer_append_char(out, '}');
    }
    regret_buffer_append_char(out, ']');
    open_list(out, "notes");
    for (size_t i = 0; i < e->n_notes + log->n_notes; i++) {
        regret_buffer_append(out, i > 0 ? "," : "");
        regret_buffer_json_string(out, i < e->n_notes ? e->note[i] : log->note[i - e->n_notes]);
    }
    regret_buffer_append_char(out, ']');
}

void regret_evaluation_json(struct regret_buffer *out, const struct regret_evaluation *e,
                            const struct regret_log *log)
{
    regret_buffer_append_char(out, '{');
    text(out, "format", "regret-evaluation");
    number(out, "version", VERSION);
    text(out, "verdict", regret_verdict_name(e->verdict));
    text(out, "sentence", e->sentence);
    text(out, "agent", e->answer < e->n_agents ? log->agent[e->answer] : NULL);
    int has_guess = e->guess_sentence != NULL;
    text(out, "guess", has_guess ? log->agent[e->guess] : NULL);
    text(out, "guess_policy", has_guess ? regret_policy_name(e->guess_policy) : NULL);
    text(out, "guess_sentence", e->guess_sentence);
    number(out, "trial_rows", e->trial_rows);
    text(out, "incumbent", log->agent[e->incumbent]);
    key(out, "incumbent_is_named");
    regret_buffer_append(out, e->incumbent_is_named ? "true" : "false");
    text(out, "basis", regret_log_source_name(e->basis));
    number(out, "rows", (double)e->rows);
    number(out, "clusters", (double)e->clusters);
    text(out, "cluster", log->cluster_name);
    number(out, "folds", (double)e->folds);
    number(out, "level", e->level);
    number(out, "seed", (double)e->seed);
    number(out, "critical", e->critical);
    key(out, "deciding");
    regret_buffer_fail(out, answer_deciding(out, e, log, deciding_json));
    put_diagnostics(out, e);
    put_agents(out, e, log);
    put_policies(out, e, log);
    put_tags(out, e, log);
    put_families(out, e, log);
    put_losses(out, e, log);
    regret_buffer_append(out, "}\n");
}

/* The tables of the folder. Numbers read back exactly; what is not known is empty. */

static void comma(struct regret_buffer *out)
{
    regret_buffer_append_char(out, ',');
}

static void tables_number(struct regret_buffer *out, double value)
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
    tables_number(out, v.value);
    tables_number(out, v.error);
    tables_number(out, v.low);
    tables_number(out, v.high);
}

static void tables_outcome(struct regret_buffer *out, const struct regret_log *log,
                           const struct regret_valued *v)
{
    put_valued(out, value_as_given(log, v));
}

static void tables_difference(struct regret_buffer *out, const struct regret_log *log,
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
        tables_number(out, as_given(log, x->mean[REGRET_LOG_OBS]));
        tables_number(out, as_given(log, x->mean[REGRET_LOG_EXP]));
        whole(out, x->clusters);
        for (size_t k = 0; k < REGRET_N_VALUES; k++) {
            tables_outcome(out, log, &x->value[k]);
        }
        tables_difference(out, log, &x->difference);
        struct regret_valued bounds = bounds_as_given(log, x);
        tables_number(out, bounds.low);
        tables_number(out, bounds.high);
        tables_number(out, x->cost);
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
        tables_outcome(out, log, &x->value);
        tables_difference(out, log, &x->over_incumbent);
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
            tables_outcome(out, log, &x->value);
            tables_difference(out, log, &x->over_incumbent);
            tables_difference(out, log, &x->over_single);
            tables_number(out, x->share);
            tables_number(out, x->cost);
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
        tables_number(out, value_as_given(log, &value).value);
        tables_number(out, difference_as_given(log, &above).value);
        if (is_grouped) {
            whole(out, x->group);
        } else {
            comma(out);
        }
        tables_number(out, margin.low);
        tables_number(out, margin.high);
        tables_number(out, x->agent != UINT32_MAX ? e->agent[x->agent].cost : NAN);
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
        tables_number(out, d->value);
        tables_number(out, d->low);
        tables_number(out, d->high);
        tables_number(out, d->p);
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
        tables_number(out, as_given(log, rows->outcome[at]));
        tables_number(out, e->propensity[i]);
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
            tables_number(out, as_given(log, e->surface[e->surface_of[i] * e->n_agents + a]));
        }
        end(out);
    }
}

/* A column of more words than this is left out: few rows have each. */
enum { MOST_WORDS = 32 };

/* What the model is made of: contexts of rows that surfaces were fitted to, and agents that can be compared. */
struct targets {
    struct score_table table;
    uint32_t *context,
        *place;      /* [n] of the log; [log->n_contexts] the reverse; owned, as the others */
    uint32_t *agent; /* [m] */
    double *count;   /* [n] rows */
    struct model_row *row;
    size_t n_rows;
    struct regret_column *column;  /* names borrowed, as the words of cells */
    struct regret_covariate *cell; /* [n × columns] */
};

FREED_FIELDS(targets, of->context, of->place, of->agent, of->count, of->row, of->column, of->cell)

static void targets_free(struct targets *t)
{
    score_table_free(&t->table);
    targets_fields(t);
}

static int list_contexts(struct targets *t, const struct regret_evaluation *e,
                         const struct regret_log *log)
{
    TRY(REGRET_NEW(&t->place, log->n_contexts));
    TRY(REGRET_NEW(&t->context, e->n_fitted));
    for (size_t i = 0; i < e->n_fitted; i++) {
        uint32_t x = log->rows[e->basis].context[e->row[i]];
        if (t->place[x] == 0) {
            t->context[t->table.n++] = x;
            t->place[x] = (uint32_t)t->table.n; /* and one, for 0 is none */
        }
    }
    TRY(REGRET_NEW(&t->agent, e->n_agents));
    for (size_t a = 0; a < e->n_agents; a++) {
        if (e->agent[a].clusters >= 2 && !e->agent[a].is_withdrawn) {
            t->agent[t->table.m++] = (uint32_t)a;
        }
    }
    return REGRET_OK;
}

/* f^(−k)(x, a) + 1{A=a} (Y − f^(−k)(x, a))/p, whose mean given the context is mu(x,a), on the mean over its rows. */
static int fill_targets(struct targets *t, const struct regret_evaluation *e,
                        const struct regret_log *log)
{
    const struct regret_log_rows *rows = &log->rows[e->basis];
    struct score_table *s = &t->table;
    TRY(REGRET_NEW(&s->y, s->n * s->m));
    TRY(REGRET_NEW(&t->count, s->n));
    TRY(REGRET_NEW(&t->row, e->n_fitted));
    for (size_t i = 0; i < e->n_fitted; i++) {
        t->count[t->place[rows->context[e->row[i]]] - 1] += 1.0;
    }
    for (size_t i = 0; i < e->n_fitted; i++) {
        uint32_t at = e->row[i];
        size_t x = t->place[rows->context[at]] - 1;
        for (size_t j = 0; j < s->m; j++) {
            double f = e->surface[e->surface_of[i] * e->n_agents + t->agent[j]];
            double own = 0.0;
            if (rows->agent[at] == t->agent[j]) {
                own = (rows->outcome[at] - f) / e->propensity[i];
                t->row[t->n_rows++] =
                    (struct model_row){(uint32_t)x, (uint32_t)j, rows->outcome[at]};
            }
            s->y[x * s->m + j] += (f + own) / t->count[x];
        }
    }
    return REGRET_OK;
}

static int name_targets(struct targets *t, const struct regret_log *log)
{
    struct score_table *s = &t->table;
    TRY(REGRET_NEW(&s->agent, s->m));
    for (size_t j = 0; j < s->m; j++) {
        TRY(regret_strdup(&s->agent[j], log->agent[t->agent[j]]));
    }
    TRY(log->text != NULL ? REGRET_NEW(&s->text, s->n) : REGRET_OK);
    TRY(log->tag != NULL ? REGRET_NEW(&s->tag, s->n) : REGRET_OK);
    TRY(REGRET_NEW(&s->tag_name, log->n_tags));
    s->n_tags = log->tag != NULL ? log->n_tags : 0;
    for (size_t g = 0; g < s->n_tags; g++) {
        TRY(regret_strdup(&s->tag_name[g], log->tags[g]));
    }
    for (size_t x = 0; s->text != NULL && x < s->n; x++) {
        s->text[x] = log->text[t->context[x]];
    }
    for (size_t x = 0; s->tag != NULL && x < s->n; x++) {
        s->tag[x] = log->tag[t->context[x]];
    }
    return REGRET_OK;
}

/* What a column has of a context. */
static struct regret_covariate cell_of(const struct regret_log_column *c, uint32_t x)
{
    return (struct regret_covariate){.number = c->is_word ? NAN : c->value[x],
                                     .word = c->is_word ? c->words[c->word[x]] : NULL};
}

static int list_columns(struct targets *t, const struct regret_log *log)
{
    struct score_table *s = &t->table;
    TRY(REGRET_NEW(&t->column, log->n_columns));
    TRY(REGRET_NEW(&t->cell, s->n * log->n_columns));
    TRY(REGRET_NEW(&s->covariate, s->n));
    for (size_t j = 0; j < log->n_columns; j++) {
        const struct regret_log_column *c = &log->column[j];
        if (!c->is_word || c->n_words <= MOST_WORDS) {
            t->column[s->n_columns++] = (struct regret_column){
                c->name, c->is_word ? REGRET_COLUMN_WORD : REGRET_COLUMN_NUMBER};
            for (size_t x = 0; x < s->n; x++) {
                t->cell[x * log->n_columns + s->n_columns - 1] = cell_of(c, t->context[x]);
            }
        }
    }
    for (size_t x = 0; x < s->n; x++) {
        s->covariate[x] = t->cell + x * log->n_columns;
    }
    s->column = t->column;
    return REGRET_OK;
}

int answer_model(struct regret_model **out, const struct regret_evaluation *e,
                 const struct regret_log *log)
{
    FREED_BY(targets_free) struct targets t = {.table = {.name = "a log and a trial"}};
    TRY(list_contexts(&t, e, log));
    TRY(fill_targets(&t, e, log));
    TRY(name_targets(&t, log));
    TRY(list_columns(&t, log));
    const struct model_options options = {.rule = e->verdict == REGRET_VERDICT_BY_TAG ? RULE_TAG
                                                  : e->verdict == REGRET_VERDICT_BY_REQUEST
                                                      ? RULE_REQUEST
                                                      : RULE_ONE,
                                          .told = e->verdict != REGRET_VERDICT_CANNOT_TELL,
                                          .row = t.row,
                                          .n_rows = t.n_rows};
    return regret_model_make(out, &t.table, &options);
}
