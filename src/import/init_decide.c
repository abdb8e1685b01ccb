/* What the columns of a table are: roles where names and structure agree. data/import/README.md tells of the words. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "import/init.h"
#include "regret/pool.h"
#include "regret/status.h"
#include "table/fields.h"
#include "table/sql.h"

enum { SHOWN = 3 };

int init_column_at(const struct init_table *t, const char *name)
{
    for (size_t k = 0; k < t->n_columns; k++) {
        if (strcmp(t->column[k].name, name) == 0) {
            return (int)k;
        }
    }
    return INIT_NONE;
}

int init_has_name(const struct init_names *names, const char *name)
{
    for (size_t i = 0; i < names->n; i++) {
        if (strcmp(names->item[i], name) == 0) {
            return 1;
        }
    }
    return 0;
}

/* ---------------------------------------------------------------- what options say */

static int find_named(int *out, const struct init_table *t, const char *name)
{
    FREED const char **known = NULL;
    *out = init_column_at(t, name);
    if (*out != INIT_NONE || t->known->is_log) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&known, t->n_columns));
    for (size_t k = 0; k < t->n_columns; k++) {
        known[k] = init_name(t, (int)k);
    }
    return regret_fail_prefix(fields_no_column(name, known, t->n_columns), "%s", t->path);
}

static int take_one(int *out, struct init_table *t, const char *name)
{
    if (name != NULL) {
        TRY(find_named(out, t, name));
    }
    if (*out != INIT_NONE) {
        t->column[*out].is_used = 1;
    }
    return REGRET_OK;
}

static int take_key(int out[2], struct init_table *t, const struct init_names *names,
                    const char *option)
{
    if (names->n > 2) {
        return regret_fail(REGRET_E_INPUT, "%s is a column, or two that belong together", option);
    }
    for (size_t i = 0; i < names->n; i++) {
        TRY(take_one(&out[i], t, names->item[i]));
    }
    return REGRET_OK;
}

/* "a,b" is a column of that name, or two. */
static int split_names(struct init_table *t, struct init_names *names)
{
    const struct init_names whole = *names;
    names->n = 0;
    for (size_t i = 0; i < whole.n; i++) {
        const char *at = whole.item[i];
        int is_one = init_column_at(t, at) != INIT_NONE;
        for (size_t n; *at != '\0'; at += n + (at[n] != '\0')) {
            if (names->n == INIT_NAMES || whole.is_too_long) {
                return regret_fail(
                    REGRET_E_INPUT,
                    "\"%.60s\": more than %d names; say less here and the rest in the map", at,
                    INIT_NAMES);
            }
            n = is_one ? strlen(at) : strcspn(at, ",");
            TRY(regret_grow((void **)&t->piece, &t->piece_capacity, t->n_pieces, sizeof *t->piece,
                            "names of columns"));
            TRY(regret_strndup(&t->piece[t->n_pieces], at, n));
            names->item[names->n++] = t->piece[t->n_pieces++];
        }
    }
    return REGRET_OK;
}

static int split_options(struct init_table *t)
{
    t->given = *t->known;
    struct init_names *all[] = {&t->given.context, &t->given.agent,    &t->given.agents,
                                &t->given.score,   &t->given.worse,    &t->given.better,
                                &t->given.leave,   &t->given.covariate};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        TRY(split_names(t, all[i]));
    }
    t->known = &t->given;
    return REGRET_OK;
}

int init_take_options(struct init_table *t)
{
    TRY(split_options(t));
    const struct init_known *known = t->known;
    const struct init_names *columns[] = {&known->score, &known->worse, &known->better,
                                          &known->covariate};
    struct init_decision *is = &t->is;
    int k = INIT_NONE;
    *is = (struct init_decision){.context = {INIT_NONE, INIT_NONE},
                                 .agent = {INIT_NONE, INIT_NONE},
                                 .text = INIT_NONE,
                                 .tag = INIT_NONE,
                                 .output = INIT_NONE,
                                 .cost = INIT_NONE,
                                 .rater = INIT_NONE,
                                 .reference = INIT_NONE,
                                 .draw = INIT_NONE,
                                 .success = INIT_NONE,
                                 .model = {INIT_NONE, INIT_NONE},
                                 .answer = {INIT_NONE, INIT_NONE}};
    for (size_t i = 0; i < known->leave.n; i++) {
        TRY(find_named(&k, t, known->leave.item[i]));
        if (k != INIT_NONE) {
            t->column[k].is_left = 1;
        }
    }
    TRY(take_key(is->context, t, &known->context, "--context"));
    TRY(take_key(is->agent, t, &known->agent, "--agent"));
    TRY(take_one(&is->draw, t, known->draw));
    TRY(take_one(&is->rater, t, known->rater));
    TRY(take_one(&is->tag, t, known->tag));
    TRY(take_one(&is->output, t, known->output));
    TRY(take_one(&is->reference, t, known->reference));
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        for (size_t j = 0; j < columns[i]->n; j++) {
            TRY(strstr(columns[i]->item[j], "{agent}") != NULL
                    ? REGRET_OK
                    : find_named(&k, t, columns[i]->item[j]));
        }
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- long tables */

/* 1 where two columns more hold numbers, and their names speak against none: then it may be one of agents' scores. */
static int has_like(const struct init_table *t, int k)
{
    size_t n = 0;
    for (int j = 0; j < (int)t->n_columns; j++) {
        n += j != k && init_is_free(t, j) && t->column[j].is_numeric &&
             (t->column[j].said.roles & ~(unsigned)INIT_AGENT) == 0;
    }
    return n >= 2;
}

static int may_be_agent(const struct init_table *t, int k)
{
    const struct init_column *c = &t->column[k];
    return init_is_free(t, k) && init_has_role(t, k, INIT_AGENT) && !c->is_list &&
           c->distinct >= 2 && c->distinct <= REGRET_POOL_MAX_AGENTS &&
           2 * c->distinct <= c->filled && 20 * c->filled >= 19 * t->rows &&
           !(c->is_numeric && (c->whole < c->numbers || has_like(t, k)));
}

/* 1 where another column names the same agents, or finer ones: "model" beside "model_family". */
static int is_told_by_other(int *out, struct init_table *t, int k)
{
    *out = 0;
    for (int g = 0; g < (int)t->n_columns && !*out; g++) {
        const int by_other[] = {g, INIT_NONE}, by_own[] = {k, INIT_NONE};
        double follows = 1.0, back = 0.0;
        if (g == k || !may_be_agent(t, g)) {
            continue;
        }
        TRY(init_varies(&follows, t, k, by_other, 2));
        TRY(init_varies(&back, t, g, by_own, 2));
        *out = follows == 0.0 && (back > 0.0 || g < k);
    }
    return REGRET_OK;
}

static int find_agent(struct init_table *t)
{
    FREED int *found = NULL;
    size_t n = 0;
    TRY(REGRET_NEW(&found, t->n_columns));
    for (int k = 0; k < (int)t->n_columns; k++) {
        int is_told = 1;
        TRY(may_be_agent(t, k) ? is_told_by_other(&is_told, t, k) : REGRET_OK);
        if (!is_told) {
            found[n++] = k;
        }
    }
    if (n > 1) {
        for (size_t i = 0; i < n && i < SHOWN; i++) {
            init_offer(t, "it says who answered", "--agent", init_name(t, found[i]), NULL);
        }
        init_offer_agents(t);
        init_offer(t, "both together do", "--agent", init_name(t, found[0]),
                   init_name(t, found[1]));
        return init_question(t, "which column says who answered: \"%.40s\" or \"%.40s\"?",
                             init_name(t, found[0]), init_name(t, found[1]));
    }
    t->is.agent[0] = n == 1 ? found[0] : INIT_NONE;
    return REGRET_OK;
}

/* A column that is called so, and names one, or each once. */
static int check_one_agent(struct init_table *t)
{
    for (int k = 0; k < (int)t->n_columns; k++) {
        const struct init_column *c = &t->column[k];
        if (!init_is_free(t, k) || !init_has_role(t, k, INIT_AGENT) || c->is_list ||
            c->filled == 0) {
            continue;
        }
        if (c->distinct >= 2 && 4 * c->distinct <= t->rows && 20 * c->filled < 19 * t->rows) {
            double line = 0.0;
            TRY(init_ask_numbers(&line, 1, t, "SELECT min(line) FROM t WHERE c%d IS NULL", k));
            init_offer(t, "it names no agents", "--leave", c->name, NULL);
            return init_question(t, "\"%.40s\" is blank in %zu rows, first at %s %.0f: fill it in",
                                 c->name, t->rows - c->filled, t->is_json ? "record" : "line",
                                 line);
        }
        if (c->distinct == 1) {
            init_offer_agents(t);
            return init_question(t,
                                 "\"%.40s\" says the same in every row: of one agent there is "
                                 "nothing to choose; where are the others?",
                                 c->name);
        }
        if (c->distinct == c->filled && !c->is_numeric) {
            init_offer_agents(t);
            return init_question(t,
                                 "\"%.40s\" has a row each: a table of means? What is wanted has a "
                                 "row an output, or a row a context",
                                 c->name);
        }
        if (c->distinct > REGRET_POOL_MAX_AGENTS && 2 * c->distinct <= c->filled) {
            return init_question(t,
                                 "\"%.40s\" names %zu agents, and a pool has %d at most: which "
                                 "column names them? --agent COLUMN",
                                 c->name, c->distinct, REGRET_POOL_MAX_AGENTS);
        }
    }
    return REGRET_OK;
}

struct top {
    double least, most;
};

static int see_top(void *context, sqlite3_stmt *row)
{
    struct top *top = context;
    double x = sqlite3_column_double(row, 0);
    top->least = fmin(top->least, x);
    top->most = fmax(top->most, x);
    return REGRET_OK;
}

/* Raters, or agents, whose numbers end far above those of others. */
static int check_tops(struct init_table *t, int by, double times, double beyond, const char *what)
{
    for (size_t i = 0; i < t->is.n_scores && t->known->range == NULL; i++) {
        struct top top = {INFINITY, -INFINITY};
        int k = t->is.score[i].column;
        TRY(sql_each(
            t->sql, see_top, &top,
            "SELECT max(v%d) FROM t JOIN n ON n.rowid = t.rowid GROUP BY c%d HAVING count(v%d) > 0",
            k, by, k));
        if (isfinite(top.least) && top.most > times * top.least && top.most > beyond) {
            char all[64];
            snprintf(all, sizeof all, "%.10g:%.10g", t->is.score[i].low, t->is.score[i].high);
            init_offer(t, "they are one scale", "--range", all, NULL);
            return init_question(t,
                                 "\"%.40s\" goes up to %g of one %s and to %g of another: two "
                                 "scales?",
                                 init_name(t, k), top.least, what, top.most);
        }
    }
    return REGRET_OK;
}

/* Columns that look like agents beside one that names them. */
static int check_both(struct init_table *t)
{
    const char *found[2];
    size_t n = 0;
    for (int k = 0; k < (int)t->n_columns && n < 2; k++) {
        if (init_is_free(t, k) && t->column[k].is_numeric && t->known->agent.n == 0 &&
            t->known->score.n == 0 && !t->known->is_long &&
            init_name_is_family(&t->words, init_name(t, k))) {
            found[n++] = init_name(t, k);
        }
    }
    if (n < 2) {
        return REGRET_OK;
    }
    init_offer(t, "it says who answered", "--agent", init_name(t, t->is.agent[0]), NULL);
    init_offer_agents(t);
    return init_question(
        t, "\"%.40s\" names agents, and columns (%.40s, %.40s) look like agents, too: which?",
        init_name(t, t->is.agent[0]), found[0], found[1]);
}

/* A column that says what a row measures. */
static int check_measures(struct init_table *t)
{
    for (int k = 0; k < (int)t->n_columns; k++) {
        double varies = 0.0;
        TRY(init_is_free(t, k) && init_has_role(t, k, INIT_MEASURE)
                ? init_varies(&varies, t, k, t->is.context, 2)
                : REGRET_OK);
        if (varies > 0.5) {
            init_offer(t, "it is something else", "--leave", init_name(t, k), NULL);
            return init_question(t,
                                 "\"%.40s\" says what a row measures (\"%s\" there): is it a mix?",
                                 init_name(t, k), t->column[k].example);
        }
    }
    return REGRET_OK;
}

static int decide_long(struct init_table *t)
{
    int again = 0;
    for (size_t i = 0; i < 2 && t->is.agent[i] != INIT_NONE; i++) {
        t->column[t->is.agent[i]].is_used = 1;
    }
    TRY(init_find_context(&again, t));
    for (size_t i = 0; i < 2 && t->is.context[i] != INIT_NONE; i++) {
        t->column[t->is.context[i]].is_used = 1;
    }
    TRY(again ? init_find_repeats(t) : check_measures(t));
    TRY(init_take_scores(t));
    TRY(t->is.rater != INIT_NONE ? check_tops(t, t->is.rater, 1.6, 0.0, "rater") : REGRET_OK);
    TRY(check_tops(t, t->is.agent[0], 8.0, 8.0, "agent"));
    return check_both(t);
}

/* ---------------------------------------------------------------- all */

/* Costs below 0, and scores in lists whose elements are called by name. */
int init_check_cells(struct init_table *t)
{
    for (int k = 0; k < (int)t->n_columns; k++) {
        const struct init_column *c = &t->column[k];
        if (init_has_role(t, k, INIT_COST) && c->is_numeric && c->least < 0.0) {
            init_offer(t, "costs are left out", "--leave", c->name, NULL);
            return init_question(t,
                                 "\"%.40s\" holds %g: does that stand for a cost that is missing? "
                                 "leave the cell blank",
                                 c->name, c->least);
        }
        if (c->is_list && !c->is_left && t->known->score.n == 0 && c->named_lists > 0) {
            init_offer(t, "it is left out", "--leave", c->name, NULL);
            return init_question(t,
                                 "\"%.40s\" is a list, whose places say nothing: write an object, "
                                 "{\"%.20s\": {NAME: VALUE, ...}}, with the same names in every "
                                 "record",
                                 c->name, c->name);
        }
    }
    return REGRET_OK;
}

/* The mean of a list of numbers is a score where somebody says so. */
static int decide_layout(struct init_table *t)
{
    const struct init_known *known = t->known;
    int is_of_votes = 0, is_of_columns = known->is_wide || known->agents.n > 0;
    for (size_t i = 0; i < known->score.n; i++) {
        is_of_columns |= strstr(known->score.item[i], "{agent}") != NULL;
    }
    if (t->is.agent[0] == INIT_NONE && !is_of_columns && !known->is_long) {
        TRY(init_votes(&is_of_votes, t));
        if (is_of_votes) {
            return REGRET_OK;
        }
    }
    TRY(t->is.agent[0] == INIT_NONE && !is_of_columns ? find_agent(t) : REGRET_OK);
    if (t->is.agent[0] != INIT_NONE && !is_of_columns) {
        t->is.layout = INIT_LONG;
        return decide_long(t);
    }
    TRY(!is_of_columns ? check_one_agent(t) : REGRET_OK);
    t->is.layout = INIT_WIDE;
    return init_wide(t);
}

int init_decide(struct init_table *t)
{
    TRY(init_take_options(t));
    TRY(init_check_cells(t));
    TRY(decide_layout(t));
    return init_take_rest(t);
}
