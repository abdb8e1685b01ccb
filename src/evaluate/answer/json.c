/* result.json (docs/formats.md). Outcomes and differences are on the scale on which they were given. */
#include <math.h>

#include "evaluate/answer/answer.h"
#include "log/core/offer.h"

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
