/* Texts, tags, outputs, costs, covariates and labels of a table whose contexts, agents and scores are known. */
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "import/init.h"
#include "import/scales.h"
#include "regret/pool.h"
#include "regret/status.h"
#include "table/fields.h"
#include "table/sql.h"

static void take(struct init_table *t, int *at, int k)
{
    *at = k;
    t->column[k].is_used = 1;
}

/* ---------------------------------------------------------------- what is left */

/* 1 where a column says the same in all rows of a context. */
static int is_of_context(int *out, struct init_table *t, int k)
{
    double varies = 0.0;
    TRY(init_varies(&varies, t, k, t->is.context, 2));
    *out = varies == 0.0;
    return REGRET_OK;
}

struct told_rows {
    struct told *told;
    size_t n;
};

static int tell(void *context, sqlite3_stmt *row)
{
    struct told_rows *r = context;
    if (sqlite3_column_type(row, 0) != SQLITE_NULL && sqlite3_column_type(row, 1) != SQLITE_NULL) {
        r->told[r->n++] =
            (struct told){sqlite3_column_double(row, 0), sqlite3_column_double(row, 2),
                          (uint64_t)sqlite3_column_int64(row, 1)};
    }
    return REGRET_OK;
}

/* 1 where a column is made of the scores, which no request has before it is answered. */
static int is_leak(int *out, struct init_table *t, int k)
{
    FREED struct told *told = NULL;
    char key[INIT_KEY];
    FREED_BY(regret_buffer_free) struct regret_buffer mean = REGRET_BUFFER_INIT;
    struct told_rows rows = {NULL, 0};
    const struct init_score *s = &t->is.score[0];
    *out = 0;
    if (t->is.n_scores == 0) {
        return REGRET_OK;
    }
    if (t->is.layout == INIT_LONG) {
        regret_buffer_printf(&mean, "avg(v%d)", s->column);
    } else {
        for (size_t a = 0; a < t->is.n_agents && a < INIT_SCORES; a++) {
            const char *mark = strstr(s->pattern, FIELDS_AGENT);
            FREED_BY(regret_buffer_free) struct regret_buffer name = REGRET_BUFFER_INIT;
            regret_buffer_printf(&name, "%.*s%s%s", (int)(mark - s->pattern), s->pattern,
                                 t->is.agents[a], mark + strlen(FIELDS_AGENT));
            TRY(regret_buffer_status(&name));
            regret_buffer_printf(&mean, "%savg(v%d)", a > 0 ? " + " : "",
                                 init_column_at(t, regret_buffer_get(&name)));
        }
    }
    TRY(regret_buffer_status(&mean));
    TRY(REGRET_NEW(&told, t->rows + 1));
    rows.told = told;
    init_key(key, t->is.context, 2);
    TRY(sql_each(t->sql, tell, &rows,
                 "SELECT %s, min(c%d), min(v%d) FROM t JOIN n ON n.rowid = t.rowid GROUP BY %s",
                 regret_buffer_get(&mean), k, k, key));
    *out = told_is_made(told, rows.n, t->column[k].is_numeric);
    return REGRET_OK;
}

static int take_text_and_tag(struct init_table *t)
{
    struct init_decision *is = &t->is;
    int context = is->context[0], same = 0, leaks = 0;
    for (int i = 0; i < 2 && is->context[1] != INIT_NONE && is->tag == INIT_NONE; i++) {
        const struct init_said *said = &t->column[is->context[i]].said;
        is->tag = (said->roles & INIT_TAG) != 0 && !said->is_id ? is->context[i] : INIT_NONE;
    }
    if (is->context[1] == INIT_NONE &&
        (t->column[context].longest > REGRET_POOL_MAX_ID ||
         ((t->column[context].said.roles & INIT_TEXT) != 0 && !t->column[context].said.is_id))) {
        is->text = context;
    }
    for (int k = 0; k < (int)t->n_columns; k++) {
        const struct init_column *c = &t->column[k];
        int is_text = is->text == INIT_NONE && (c->said.roles & INIT_TEXT) != 0 && !c->said.is_id;
        int is_tag = is->tag == INIT_NONE && (c->said.roles & INIT_TAG) != 0 && !c->said.is_id;
        if (!init_is_free(t, k) || c->is_list || c->distinct < 2 || c->filled < t->rows ||
            !(is_text || is_tag)) {
            continue;
        }
        TRY(is_of_context(&same, t, k));
        TRY(same && is_tag ? is_leak(&leaks, t, k) : REGRET_OK);
        if (same && is_text) {
            take(t, &is->text, k);
        } else if (same && is_tag && !leaks && 2 * c->distinct <= t->column[context].distinct) {
            take(t, &is->tag, k);
        }
    }
    return REGRET_OK;
}

static int count_agents_without(double *out, const struct init_table *t, int k)
{
    char agent[INIT_KEY];
    init_key(agent, t->is.agent, 2);
    return init_ask_numbers(
        out, 1, t, "SELECT count(*) FROM (SELECT 1 FROM t GROUP BY %s HAVING count(c%d) = 0)",
        agent, k);
}

/* Of a long table, the output and its cost. */
static int take_output_and_cost(struct init_table *t)
{
    int same = 0, total = INIT_NONE;
    for (int k = 0; k < (int)t->n_columns; k++) {
        const struct init_column *c = &t->column[k];
        if (init_is_free(t, k) && t->is.output == INIT_NONE && (c->said.roles & INIT_OUTPUT) != 0 &&
            !c->is_list && !c->is_numeric && c->distinct >= 2) {
            TRY(is_of_context(&same, t, k));
            if (!same) {
                take(t, &t->is.output, k);
            }
        }
    }
    for (int k = 0; k < (int)t->n_columns; k++) {
        const struct init_column *c = &t->column[k];
        double without = 0.0;
        if (!init_is_free(t, k) || (c->said.roles & INIT_COST) == 0 || c->numbers < c->filled ||
            c->filled == 0) {
            continue;
        }
        TRY(c->filled < t->rows ? count_agents_without(&without, t, k) : REGRET_OK);
        if (without > 0.0) {
            t->costless = (size_t)without;
            continue;
        }
        int is_total = (init_name_any(&t->words, c->name) & INIT_SUMMARY) != 0;
        total = total == INIT_NONE || is_total ? k : total;
    }
    if (total != INIT_NONE) {
        take(t, &t->is.cost, total);
    }
    return REGRET_OK;
}

static int take_covariates(struct init_table *t)
{
    const struct init_column *context = &t->column[t->is.context[t->is.context[1] != INIT_NONE]];
    /* Of a row a context a few may not be known. */
    size_t least = t->is.layout == INIT_WIDE ? t->rows - t->rows / 10 : t->rows;
    TRY(REGRET_NEW(&t->is.covariate, t->n_columns));
    for (int k = 0; k < (int)t->n_columns && t->is.n_covariates < REGRET_POOL_MAX_COLUMNS; k++) {
        struct init_column *c = &t->column[k];
        int same = 0, leaks = 0, is_given = init_has_name(&t->known->covariate, c->name);
        int is_named = (c->said.roles & (INIT_KNOWN | INIT_USER | INIT_TAG)) != 0 && !c->said.is_id;
        int is_known = c->numbers == c->filled || 4 * c->distinct <= context->distinct;
        if (!init_is_free(t, k) || c->is_list || c->filled < least || c->distinct < 2 ||
            !(is_given || (is_named && is_known))) {
            continue;
        }
        TRY(is_of_context(&same, t, k));
        TRY(same ? is_leak(&leaks, t, k) : REGRET_OK);
        if (same && (is_given || !leaks)) {
            t->is.covariate[t->is.n_covariates++] = k;
            c->is_used = 1;
        }
        c->leaks = leaks;
    }
    return REGRET_OK;
}

/* Numbers of outputs that are no scores. */
static int take_aux(struct init_table *t)
{
    int same = 0;
    TRY(REGRET_NEW(&t->is.aux, t->n_columns));
    for (int k = 0; k < (int)t->n_columns && t->is.n_aux < REGRET_POOL_MAX_AUX; k++) {
        struct init_column *c = &t->column[k];
        if (init_is_free(t, k) && (c->said.roles & INIT_LEFT) != 0 && c->numbers == t->rows &&
            c->distinct > 2 && c->percent_line == 0 && c->said.rest[0] == '\0') {
            TRY(is_of_context(&same, t, k));
            if (!same) {
                t->is.aux[t->is.n_aux++] = k;
                c->is_used = 1;
            }
        }
    }
    return REGRET_OK;
}

int init_take_rest(struct init_table *t)
{
    struct init_decision *is = &t->is;
    TRY(take_text_and_tag(t));
    if (is->layout == INIT_VOTES) {
        return REGRET_OK;
    }
    if (is->layout == INIT_LONG) {
        TRY(take_output_and_cost(t));
    }
    const struct init_column *output = is->output != INIT_NONE ? &t->column[is->output] : NULL;
    if (output != NULL && 2 * output->patches > output->filled && is->n_scores == 1 &&
        is->score[0].direction > 0 && is->score[0].least == 0.0 && is->score[0].most == 1.0) {
        is->success = is->score[0].column;
    }
    TRY(take_covariates(t));
    return is->layout == INIT_LONG && is->success == INIT_NONE ? take_aux(t) : REGRET_OK;
}
