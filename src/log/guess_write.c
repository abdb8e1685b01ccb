/* The evaluate.json that a guess writes, and what is said of it. */
#define _GNU_SOURCE /* realpath */

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"
#include "import/scales.h"
#include "log/guess.h"
#include "regret/evaluate.h"
#include "regret/status.h"

enum { NAME = 40, FEW = 6 };

/* ---------------------------------------------------------------- the scale */

static const char *column_of(const struct log_guess *guess, int which, enum log_field field)
{
    const struct log_guess_table *g = &guess->of[which];
    return field == LOG_OUTPUT && which == LOG_INPUT_OUTPUTS && guess->pattern != NULL
               ? guess->pattern
           : g->at[field] != INIT_NONE ? init_name(&g->table, g->at[field])
                                       : NULL;
}

/* Outcomes of all tables together: their range, 1 where all are whole, and what they may be counts of. */
struct outcomes {
    double least, most;
    int is_whole, is_count, direction;
};

static void gather_outcomes(struct outcomes *all, struct log_scale *scale,
                            const struct log_guess *guess)
{
    *all = (struct outcomes){.least = INFINITY, .most = -INFINITY, .is_whole = 1};
    *scale = (struct log_scale){LOG_SCALE_RANGE, 1, INFINITY, -INFINITY};
    for (int i = 0; i < REGRET_LOG_SOURCES; i++) {
        const struct log_guess_table *g = &guess->of[i];
        if (g->table.path == NULL) {
            continue;
        }
        const struct init_column *c = &g->table.column[g->at[LOG_OUTCOME]];
        all->least = fmin(all->least, c->least);
        all->most = fmax(all->most, c->most);
        all->is_whole &= c->whole == c->numbers + c->truths;
        all->is_count |= (init_name_any(&g->table.words, c->name) & INIT_COUNT) != 0;
        all->direction = all->direction != 0 ? all->direction : g->direction;
        scale->low = fmin(scale->low, g->low);
        scale->high = fmax(scale->high, g->high);
    }
}

/* How outcomes are meant, from the worst to the best; LOG_SCALE_BINARY where they are 0 and 1. */
static void find_scale(struct log_scale *out, struct outcomes *all, const struct log_guess *guess)
{
    gather_outcomes(all, out, guess);
    if (guess->known.range != NULL) {
        *out = (struct log_scale){LOG_SCALE_RANGE, 1, guess->known.range[0], guess->known.range[1]};
        return;
    }
    int is_binary = all->is_whole && all->least >= 0.0 && all->most <= 1.0;
    if (is_binary && all->direction > 0) {
        *out = (struct log_scale){LOG_SCALE_BINARY, 1, 0.0, 1.0};
        return;
    }
    if (all->is_whole && all->is_count && all->least >= 0.0 && !is_binary) {
        *out = (struct log_scale){LOG_SCALE_COUNTS, 1, 0.0, all->most};
    }
    if (all->direction < 0) {
        double best = out->low;
        out->low = out->high;
        out->high = best;
    }
}

/* ---------------------------------------------------------------- evaluate.json */

static void put_table(struct regret_buffer *out, const struct log_guess *guess,
                      enum log_input_of which, const char *file)
{
    const struct log_guess_table *g = &guess->of[which];
    char separator = guess->known.separator;
    regret_buffer_printf(out, "  \"%s\": {\n    \"file\": ", log_input_name(which));
    regret_buffer_json_string(out, file);
    if (separator != '\0') {
        const char text[2] = {separator, '\0'};
        regret_buffer_append(out, ",\n    \"separator\": ");
        regret_buffer_json_string(out, separator == '\t' ? "tab" : text);
    }
    for (size_t i = 0; i < LOG_COVARIATES; i++) {
        const char *name = column_of(guess, which, (enum log_field)i);
        if (name != NULL) {
            regret_buffer_printf(out, ",\n    \"%s\": ", log_field_name(i));
            regret_buffer_json_string(out, name);
        }
    }
    for (size_t i = 0; i < guess->n_covariates; i++) {
        regret_buffer_append(out, i == 0 ? ",\n    \"covariates\": [" : ", ");
        regret_buffer_json_string(out, init_name(&g->table, g->covariate[i]));
    }
    regret_buffer_append(out, guess->n_covariates > 0 ? "]\n  }" : "\n  }");
}

void log_guess_config(struct regret_buffer *out, const struct log_guess *guess,
                      const char *const file[LOG_INPUTS])
{
    struct log_scale scale;
    struct outcomes all;
    find_scale(&scale, &all, guess);
    regret_buffer_append(out, "{\n");
    for (int i = 0; i < LOG_INPUTS; i++) {
        if (guess->of[i].table.path != NULL) {
            put_table(out, guess, (enum log_input_of)i, file[i]);
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

static void say_scale(struct regret_buffer *out, const struct log_guess *guess)
{
    struct log_scale scale;
    struct outcomes all;
    find_scale(&scale, &all, guess);
    if (scale.kind == LOG_SCALE_BINARY) {
        regret_buffer_append(out, "Outcomes are 0 and 1, or words for good and bad.\n");
        return;
    }
    regret_buffer_printf(out,
                         "Outcomes are %s from %g, the worst, to %g, the best (found: %g to %g): "
                         "correct \"outcome\" where the scale is wider.\n",
                         scale.kind == LOG_SCALE_COUNTS ? "counts" : "numbers", scale.low,
                         scale.high, all.least, all.most);
}

static void say_column(struct regret_buffer *out, const char *role, const char *name)
{
    regret_buffer_printf(out, "  %-10s ", role);
    regret_buffer_append_safe(out, name, NAME);
}

/* The role's column, and what was seen in it. */
static void say_role(struct regret_buffer *out, const struct log_guess_table *g,
                     enum log_field field)
{
    if (g->at[field] == INIT_NONE) {
        return;
    }
    const struct init_column *c = &g->table.column[g->at[field]];
    size_t without = g->table.rows - c->filled;
    say_column(out, log_field_name(field), c->name);
    if (field == LOG_AGENT || field == LOG_CLUSTER || field == LOG_TAG || field == LOG_CONTEXT) {
        regret_buffer_printf(out, ", %zu different", c->distinct);
    } else if (field == LOG_OUTCOME || field == LOG_PROPENSITY || field == LOG_COST) {
        regret_buffer_printf(out, ", %g to %g", c->least, c->most);
    }
    if (without > 0) {
        regret_buffer_printf(out, ", %zu row%s without", without, without == 1 ? "" : "s");
    }
    regret_buffer_append_char(out, '\n');
}

/* Why rows go together by that column, and what says otherwise. */
static void say_unit(struct regret_buffer *out, const struct log_guess *guess)
{
    const struct log_unit *u = &guess->unit;
    const struct init_table *t = &guess->of[LOG_INPUT_EXP].table;
    if (u->why == LOG_UNIT_NONE) {
        return;
    }
    regret_buffer_append(out, "Rows go together by ");
    regret_buffer_append_safe(out, init_name(t, u->column), NAME);
    if (u->why == LOG_UNIT_AGENT) {
        regret_buffer_printf(out,
                             ": the agent is the same within %zu of its %zu values (%zu rows), so "
                             "it was assigned as one",
                             u->alike, u->values, t->rows);
    } else {
        regret_buffer_printf(out, ": outcomes are alike within its %zu values (%zu rows)",
                             u->values, t->rows);
    }
    regret_buffer_append(out, ". Name another \"cluster\", or none, where that is wrong.\n");
}

static int is_covariate(const struct log_guess *guess, int which, int k)
{
    int found = 0;
    for (size_t i = 0; i < guess->n_covariates; i++) {
        found |= guess->of[which].covariate[i] == k;
    }
    return found;
}

/* "  role a, b, c and 3 more": the columns that are covariates, or nothing. */
static void say_list(struct regret_buffer *out, const struct log_guess *guess, int which,
                     int covariates)
{
    const struct init_table *t = &guess->of[which].table;
    size_t n = 0;
    for (int k = 0; k < (int)t->n_columns; k++) {
        const struct init_column *c = &t->column[k];
        if (c->is_used || is_covariate(guess, which, k) != covariates || c->name[0] == '\0') {
            continue;
        }
        if (n == 0) {
            say_column(out, covariates ? "covariates" : "left out", c->name);
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
static void say_unfit(struct regret_buffer *out, const struct log_guess_table *g)
{
    static const char *const write[LOG_COVARIATES] = {
        [LOG_PROPENSITY] = "shares, as 0.25",
        [LOG_COST] = "numbers",
        [LOG_TIME] = "2026-03-01T12:30:00Z, or seconds since 1970"};
    for (int f = 0; f < LOG_COVARIATES; f++) {
        const struct init_column *c =
            g->unfit[f] != INIT_NONE ? &g->table.column[g->unfit[f]] : NULL;
        if (c == NULL || c->is_used || g->at[f] != INIT_NONE ||
            (write[f] == NULL && f != LOG_CLUSTER)) {
            continue;
        }
        regret_buffer_printf(out, "  no %s: column ", log_field_name((size_t)f));
        regret_buffer_append_safe(out, c->name, NAME);
        if (f == LOG_CLUSTER) {
            regret_buffer_append(out, " is the same in all rows\n");
            continue;
        }
        regret_buffer_append(out, " holds \"");
        regret_buffer_append_safe(out, c->other_line > 0 ? c->other : c->example, NAME);
        regret_buffer_printf(out, "\"; write %s\n", write[f]);
    }
}

static void say_table(struct regret_buffer *out, const struct log_guess *guess,
                      enum log_input_of which)
{
    static const char *const titles[LOG_INPUTS] = {"OBS, the log", "EXP, the trial", "The outputs"};
    const struct log_guess_table *g = &guess->of[which];
    if (g->table.path == NULL) {
        return;
    }
    regret_buffer_printf(out, "%s: ", titles[which]);
    regret_buffer_append_safe(out, g->table.path, 2 * (size_t)NAME);
    regret_buffer_printf(out, ", %s%zu rows\n", g->table.is_cut ? "the first " : "", g->table.rows);
    for (size_t i = 0; i < LOG_COVARIATES; i++) {
        say_role(out, g, (enum log_field)i);
    }
    if (which == LOG_INPUT_OUTPUTS && guess->pattern != NULL) {
        say_column(out, log_field_name(LOG_OUTPUT), guess->pattern);
        regret_buffer_append(out, ", a column of each agent\n");
    }
    say_list(out, guess, which, 1);
    say_list(out, guess, which, 0);
    say_unfit(out, g);
}

/* ---------------------------------------------------------------- the trial reading */

static int try_has_column(const struct regret_log *log, const char *name)
{
    size_t k = 0;
    while (k < log->n_columns && strcmp(log->column[k].name, name) != 0) {
        k++;
    }
    return k < log->n_columns;
}

int log_guess_try(struct log_guess *g, const char *config)
{
    regret_log_free(g->log);
    g->log = NULL;
    TRY(regret_log_read(&g->log, config));
    for (int k = (int)g->n_covariates - 1; k >= 0; k--) { /* what reading left out is none */
        const struct log_guess_table *any = &g->of[g->of[0].table.path == NULL];
        int is_kept = try_has_column(g->log, init_name(&any->table, any->covariate[k]));
        g->n_covariates -= (size_t)!is_kept;
        for (int i = 0; i < LOG_INPUTS && !is_kept; i++) {
            memmove(&g->of[i].covariate[k], &g->of[i].covariate[k + 1],
                    (g->n_covariates - (size_t)k) * sizeof(int));
        }
    }
    for (int i = 0; i < LOG_INPUTS && g->log->tag == NULL; i++) {
        g->of[i].at[LOG_TAG] = INIT_NONE;
    }
    return REGRET_OK;
}

/* The folder of a path that may not be there yet, as the system has it; *from is freed with free(). */
static int find_folder(char **from, const char *path)
{
    FREED char *folder = NULL;
    TRY(path_beside(&folder, path, "."));
    *from = realpath(folder, NULL);
    return *from != NULL
               ? REGRET_OK
               : regret_fail(REGRET_E_INPUT, "the folder of %s %s", path,
                             errno == ENOENT ? "is not there; make it first" : strerror(errno));
}

/* The bytes of the folders that two whole paths share, each with its slash; of none the first. */
static size_t common_folders(const char *folder, const char *file)
{
    size_t n = 1, i = 0;
    while (folder[i] != '\0' && folder[i] == file[i]) {
        i++;
        n = file[i] == '/' && (folder[i] == '\0' || folder[i] == '/') ? i + 1 : n;
    }
    return n;
}

int log_guess_file(char **out, const char *file, const char *config)
{
    struct regret_buffer path = REGRET_BUFFER_INIT;
    char *folder = NULL, *whole = NULL;
    int rc;
    if (file[0] == '/') {
        return regret_strdup(out, file);
    }
    TRY_CLEANUP(find_folder(&folder, config));
    whole = realpath(file, NULL);
    TRY_CLEANUP(whole != NULL
                    ? REGRET_OK
                    : regret_fail(REGRET_E_INPUT, "cannot open %s: %s", file, strerror(errno)));
    size_t common = common_folders(folder, whole), length = strlen(folder);
    for (size_t i = common; i < length; i++) {
        regret_buffer_append(&path, i == common || folder[i - 1] == '/' ? "../" : "");
    }
    regret_buffer_append(&path, whole + common);
    rc = text_take(out, &path);
cleanup:
    regret_buffer_free(&path);
    free(folder);
    free(whole);
    return rc;
}

/* What follows from what is not there. */
static void say_missing(struct regret_buffer *out, const struct log_guess *g)
{
    const struct log_guess_table *obs = &g->of[LOG_INPUT_OBS], *exp = &g->of[LOG_INPUT_EXP];
    const struct log_guess_table *any = obs->table.path != NULL ? obs : exp;
    if (any->at[LOG_CONTEXT] == INIT_NONE) {
        regret_buffer_append(out,
                             any->at[LOG_TEXT] != INIT_NONE
                                 ? "Requests are told apart by their texts.\n"
                                 : "No column names the request: each row is one of its own.\n");
    }
    if (g->log != NULL && g->log->has_seen_shares) {
        regret_buffer_append(out, "No column holds the probability of assignment in EXP: agents' "
                                  "shares of its rows are taken for it; say others by "
                                  "\"exp.shares\".\n");
    } else if (exp->table.path != NULL && exp->at[LOG_PROPENSITY] == INIT_NONE) {
        regret_buffer_printf(
            out,
            "No column holds the probability of assignment in EXP: it is taken to be %sthe same "
            "for every agent%s.\n",
            exp->at[LOG_SLATE] != INIT_NONE ? "that of the row's slate, or where that has none "
                                            : "",
            exp->at[LOG_SLATE] != INIT_NONE ? " on it" : "");
    }
    if (obs->table.path != NULL && exp->table.path == NULL) {
        regret_buffer_append(out, "Without a trial nothing tells whether the log lies.\n");
    }
    say_unit(out, g);
    if (any->at[LOG_CLUSTER] == INIT_NONE && g->unit.why == LOG_UNIT_NONE) {
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
