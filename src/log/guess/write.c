#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "import/profile/scale.h"
#include "log/guess/guess.h"
#include "regret/log.h"

enum { NAME = 40, FEW = 6 };

static const char *const ROLES[LOG_COVARIATES] = {
    [LOG_CONTEXT] = "context", [LOG_AGENT] = "agent",
    [LOG_OUTPUT] = "output",   [LOG_TEXT] = "text",
    [LOG_TAG] = "tag",         [LOG_OUTCOME] = "outcome",
    [LOG_SLATE] = "slate",     [LOG_PROPENSITY] = "propensity",
    [LOG_CLUSTER] = "cluster", [LOG_TIME] = "time",
    [LOG_COST] = "cost"};
/* In the order of evaluate.json and of what is said. */
static const enum log_field ORDER[LOG_COVARIATES] = {
    LOG_CONTEXT, LOG_TEXT, LOG_AGENT, LOG_OUTCOME, LOG_PROPENSITY, LOG_SLATE,
    LOG_CLUSTER, LOG_TIME, LOG_TAG,   LOG_OUTPUT,  LOG_COST};

/* ---------------------------------------------------------------- the scale */

/* The outcomes of all tables together; 0 where there is no number. */
static int gather_outcomes(struct profile_column *all, const struct log_guess *g)
{
    *all = (struct profile_column){.least = INFINITY, .most = -INFINITY};
    for (int i = 0; i < REGRET_LOG_SOURCES; i++) {
        const struct log_guess_table *t = &g->table[i];
        if (t->path == NULL) {
            continue;
        }
        const struct profile_column *c = &t->profile.column[t->at[LOG_OUTCOME]];
        all->least = fmin(all->least, c->numbers > 0 ? c->least : INFINITY);
        all->most = fmax(all->most, c->numbers > 0 ? c->most : -INFINITY);
        all->numbers += c->numbers;
        all->whole += c->whole;
        all->name = c->name;
    }
    return all->numbers > 0;
}

/* How outcomes are meant: from the worst to the best; `kind` is LOG_SCALE_BINARY where they are 0 and 1. */
static void guess_scale(struct log_scale *out, const struct log_guess *g)
{
    struct profile_column all;
    double range[2] = {0.0, 1.0};
    *out = (struct log_scale){LOG_SCALE_BINARY, 1, 0.0, 1.0};
    if (g->known.range != NULL) {
        *out = (struct log_scale){LOG_SCALE_RANGE, 1, g->known.range[0], g->known.range[1]};
        return;
    }
    if (!gather_outcomes(&all, g) ||
        (all.whole == all.numbers && all.least >= 0.0 && all.most <= 1.0)) {
        if (all.name != NULL && column_direction(all.name) == COLUMN_IS_BAD) {
            *out = (struct log_scale){LOG_SCALE_RANGE, 1, 1.0, 0.0};
        }
        return;
    }
    int is_count = all.whole == all.numbers && all.least >= 0.0 &&
                   column_count_words(
                       all.name, " count counts clicks views purchases orders plays number n ") > 0;
    scale_of(range, all.least, all.most);
    out->kind = is_count ? LOG_SCALE_COUNTS : LOG_SCALE_RANGE;
    out->low = is_count ? 0.0 : range[0];
    out->high = is_count ? all.most : range[1];
    if (column_direction(all.name) == COLUMN_IS_BAD) {
        double best = out->low;
        out->low = out->high;
        out->high = best;
    }
}

/* ---------------------------------------------------------------- evaluate.json */

static void put_table(struct regret_buffer *out, const struct log_guess *g, enum log_input_of which,
                      const char *file)
{
    const struct log_guess_table *t = &g->table[which];
    regret_buffer_printf(out, "  \"%s\": {\n    \"file\": ", log_input_name(which));
    regret_buffer_json_string(out, file);
    if (g->known.separator != '\0') {
        const char text[2] = {g->known.separator, '\0'};
        regret_buffer_append(out, ",\n    \"separator\": ");
        regret_buffer_json_string(out, g->known.separator == '\t' ? "tab" : text);
    }
    for (size_t i = 0; i < LOG_COVARIATES; i++) {
        const char *name = log_guess_column(t, ORDER[i]);
        if (name != NULL) {
            regret_buffer_printf(out, ",\n    \"%s\": ", ROLES[ORDER[i]]);
            regret_buffer_json_string(out, name);
        }
    }
    for (size_t i = 0; i < t->n_covariates; i++) {
        regret_buffer_append(out, i == 0 ? ",\n    \"covariates\": [" : ", ");
        regret_buffer_json_string(out, t->profile.column[t->covariate[i]].name);
    }
    regret_buffer_append(out, t->n_covariates > 0 ? "]\n  }" : "\n  }");
}

void log_guess_config(struct regret_buffer *out, const struct log_guess *g,
                      const char *const file[LOG_INPUTS])
{
    struct log_scale scale;
    guess_scale(&scale, g);
    regret_buffer_append(out, "{\n");
    for (int i = 0; i < LOG_INPUTS; i++) {
        if (g->table[i].path != NULL) {
            put_table(out, g, (enum log_input_of)i, file[i]);
            regret_buffer_append(out, ",\n");
        }
    }
    if (scale.kind == LOG_SCALE_BINARY) {
        regret_buffer_append(out, "  \"outcome\": {\"scale\": \"binary\"},\n");
    } else {
        regret_buffer_append(out, scale.kind == LOG_SCALE_COUNTS
                                      ? "  \"outcome\": {\"scale\": \"counts\", \"low\": "
                                      : "  \"outcome\": {\"low\": ");
        regret_buffer_json_number(out, scale.low);
        regret_buffer_append(out, ", \"high\": ");
        regret_buffer_json_number(out, scale.high);
        regret_buffer_append(out, "},\n");
    }
    regret_buffer_append(out, "  \"seed\": 1\n}\n");
}

/* ---------------------------------------------------------------- what is said */

static void say_scale(struct regret_buffer *out, const struct log_guess *g)
{
    struct log_scale scale;
    struct profile_column all;
    guess_scale(&scale, g);
    if (scale.kind == LOG_SCALE_BINARY) {
        regret_buffer_append(out, "Outcomes are 0 and 1, or words for good and bad.\n");
        return;
    }
    gather_outcomes(&all, g);
    regret_buffer_printf(out,
                         "Outcomes are %s from %g, the worst, to %g, the best (found: %g to %g): "
                         "correct \"outcome\" where the scale is wider%s.\n",
                         scale.kind == LOG_SCALE_COUNTS ? "counts" : "numbers", scale.low,
                         scale.high, all.least, all.most,
                         scale.low > scale.high && g->known.range == NULL
                             ? ", or turns the other way, which is a guess by the name of the "
                               "column (--range WORST:BEST says it)"
                             : "");
}

static void say_column(struct regret_buffer *out, const char *role, const struct profile_column *c)
{
    regret_buffer_printf(out, "  %-10s ", role);
    regret_buffer_append_safe(out, c->name, NAME);
}

/* The role's column, and what was seen in it. */
static void say_role(struct regret_buffer *out, const struct log_guess_table *t,
                     enum log_field field)
{
    const struct profile_column *c =
        t->at[field] != LOG_NO_COLUMN ? &t->profile.column[t->at[field]] : NULL;
    if (c == NULL) {
        return;
    }
    say_column(out, ROLES[field], c);
    if (field == LOG_AGENT || field == LOG_CLUSTER || field == LOG_TAG || field == LOG_CONTEXT) {
        regret_buffer_printf(out, ", %zu different", c->distinct);
    } else if (field == LOG_OUTCOME || field == LOG_PROPENSITY || field == LOG_COST) {
        if (c->numbers > 0) {
            regret_buffer_printf(out, ", %g to %g", c->least, c->most);
        }
    }
    if (c->filled < t->profile.rows) {
        regret_buffer_printf(out, ", %zu row%s without", t->profile.rows - c->filled,
                             t->profile.rows - c->filled == 1 ? "" : "s");
    }
    regret_buffer_append_char(out, '\n');
}

/* Why rows go together by that column, and what says otherwise. */
static void say_unit(struct regret_buffer *out, const struct log_guess *g)
{
    const struct log_unit *u = &g->unit;
    if (u->why == LOG_UNIT_NONE) {
        return;
    }
    regret_buffer_append(out, "Rows go together by ");
    regret_buffer_append_safe(out, g->table[LOG_INPUT_EXP].profile.column[u->column].name, NAME);
    if (u->why == LOG_UNIT_AGENT) {
        regret_buffer_printf(
            out,
            ": the agent is the same within %zu of its %zu values (%zu rows), so "
            "it was assigned as one%s",
            u->alike, u->values, u->rows,
            u->others > 0 ? "; of several columns of which that is true it has the fewest values"
                          : "");
    } else {
        regret_buffer_printf(out, ": outcomes are alike within its %zu values (%zu rows)",
                             u->values, u->rows);
    }
    regret_buffer_append(out, ". Name another \"cluster\", or none, where that is wrong.\n");
}

static int is_covariate(const struct log_guess_table *t, size_t k)
{
    int found = 0;
    for (size_t i = 0; i < t->n_covariates; i++) {
        found |= t->covariate[i] == k;
    }
    return found;
}

/* "  role a, b, c and 3 more": the columns that are covariates, or nothing. */
static void say_list(struct regret_buffer *out, const struct log_guess_table *t, int covariates)
{
    size_t n = 0;
    for (size_t k = 0; k < t->profile.n_columns; k++) {
        const struct profile_column *c = &t->profile.column[k];
        if (t->taken[k] || is_covariate(t, k) != covariates || c->name[0] == '\0') {
            continue;
        }
        if (n == 0) {
            say_column(out, covariates ? "covariates" : "left out", c);
        } else if (n < FEW) {
            regret_buffer_append(out, ", ");
            regret_buffer_append_safe(out, c->name, NAME);
        }
        n++;
    }
    if (n > FEW) {
        regret_buffer_printf(out, " and %zu more", n - FEW);
    }
    regret_buffer_append(out, n > 0 ? "\n" : "");
}

/* Columns that are called as a role is, and hold what it cannot be. */
static void say_unfit(struct regret_buffer *out, const struct log_guess_table *t)
{
    static const char *const write[LOG_COVARIATES] = {
        [LOG_PROPENSITY] = "shares, as 0.25",
        [LOG_COST] = "numbers",
        [LOG_TIME] = "2026-03-01T12:30:00Z, or seconds since 1970"};
    if (t->unfit[LOG_CLUSTER] != LOG_NO_COLUMN && !t->taken[t->unfit[LOG_CLUSTER]]) {
        regret_buffer_append(out, "  no cluster: column ");
        regret_buffer_append_safe(out, t->profile.column[t->unfit[LOG_CLUSTER]].name, NAME);
        regret_buffer_append(out, " is the same in all rows\n");
    }
    for (size_t i = 0; i < LOG_COVARIATES; i++) {
        size_t k = t->unfit[i];
        if (write[i] != NULL && k != LOG_NO_COLUMN && !t->taken[k]) {
            regret_buffer_printf(out, "  no %s: column ", ROLES[i]);
            regret_buffer_append_safe(out, t->profile.column[k].name, NAME);
            regret_buffer_append(out, " holds \"");
            regret_buffer_append_safe(out, t->profile.column[k].other.text, NAME);
            regret_buffer_printf(out, "\"; write %s\n", write[i]);
        }
    }
}

static void say_table(struct regret_buffer *out, const struct log_guess *g, enum log_input_of which)
{
    static const char *const titles[LOG_INPUTS] = {"OBS, the log", "EXP, the trial", "The outputs"};
    const struct log_guess_table *t = &g->table[which];
    if (t->path == NULL) {
        return;
    }
    regret_buffer_printf(out, "%s: ", titles[which]);
    regret_buffer_append_safe(out, t->path, 2 * (size_t)NAME);
    regret_buffer_printf(out, ", %s%zu rows\n", t->profile.cut ? "the first " : "",
                         t->profile.rows);
    for (size_t i = 0; i < LOG_COVARIATES; i++) {
        say_role(out, t, ORDER[i]);
    }
    if (t->pattern != NULL) {
        regret_buffer_printf(out, "  %-10s ", ROLES[LOG_OUTPUT]);
        regret_buffer_append_safe(out, t->pattern, NAME);
        regret_buffer_append(out, ", a column of each agent\n");
    }
    say_list(out, t, 1);
    say_list(out, t, 0);
    say_unfit(out, t);
}

/* What follows from what is not there. */
static void say_missing(struct regret_buffer *out, const struct log_guess *g)
{
    const struct log_guess_table *obs = &g->table[LOG_INPUT_OBS], *exp = &g->table[LOG_INPUT_EXP];
    const struct log_guess_table *any = obs->path != NULL ? obs : exp;
    if (any->at[LOG_CONTEXT] == LOG_NO_COLUMN) {
        regret_buffer_append(out,
                             any->at[LOG_TEXT] != LOG_NO_COLUMN
                                 ? "Requests are told apart by their texts.\n"
                                 : "No column names the request: each row is one of its own.\n");
    }
    if (g->log != NULL && g->log->has_seen_shares) {
        regret_buffer_append(out, "No column holds the probability of assignment in EXP: agents' "
                                  "shares of its rows are taken for it; say others by "
                                  "\"exp.shares\".\n");
    } else if (exp->path != NULL && exp->at[LOG_PROPENSITY] == LOG_NO_COLUMN) {
        regret_buffer_printf(
            out,
            "No column holds the probability of assignment in EXP: it is taken to be %sthe same "
            "for every agent%s.\n",
            exp->at[LOG_SLATE] != LOG_NO_COLUMN ? "that of the row's slate, or where that has none "
                                                : "",
            exp->at[LOG_SLATE] != LOG_NO_COLUMN ? " on it" : "");
    }
    if (obs->path != NULL && exp->path == NULL) {
        regret_buffer_append(out, "Without a trial nothing tells whether the log lies.\n");
    }
    say_unit(out, g);
    if (any->at[LOG_CLUSTER] == LOG_NO_COLUMN && g->unit.why == LOG_UNIT_NONE) {
        regret_buffer_append(out,
                             "No column names users: intervals take requests as independent.\n");
    }
    regret_buffer_append(out,
                         "A column that was left out may be a covariate if it was known before the "
                         "agent was chosen.\n");
}

static void say_log(struct regret_buffer *out, const struct regret_log *log)
{
    regret_buffer_printf(out, "\nRead: %zu rows of OBS, %zu of EXP, %zu agents, %zu requests",
                         log->rows[REGRET_LOG_OBS].n, log->rows[REGRET_LOG_EXP].n, log->n_agents,
                         log->n_contexts);
    regret_buffer_printf(
        out, log->n_drawn < log->rows[REGRET_LOG_OBS].n ? "; %zu rows of OBS are drawn\n" : "\n",
        log->n_drawn);
    for (size_t i = 0; i < log->n_losses; i++) {
        regret_buffer_printf(out, "  left out of %s: %zu row%s, the first at line %llu: %s\n",
                             log->loss[i].source == REGRET_LOG_OBS ? "OBS" : "EXP", log->loss[i].n,
                             log->loss[i].n == 1 ? "" : "s", (unsigned long long)log->loss[i].line,
                             log->loss[i].reason);
    }
    for (size_t i = 0; i < log->n_notes; i++) {
        regret_buffer_printf(out, "  %s\n", log->note[i]);
    }
}

void log_guess_explain(struct regret_buffer *out, const struct log_guess *g)
{
    for (int i = 0; i < LOG_INPUTS; i++) {
        say_table(out, g, (enum log_input_of)i);
    }
    say_scale(out, g);
    say_missing(out, g);
    if (g->log != NULL) {
        say_log(out, g->log);
    }
}
