/* What tells the requests of a table apart, and what several answers of one agent to one are. */
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "import/init.h"
#include "regret/status.h"

enum { SHOWN = 3 };

/* ---------------------------------------------------------------- contexts */

struct grid {
    double contexts, shared, rows, pairs; /* shared: share of contexts with two agents */
};

static int measure_grid(struct grid *out, struct init_table *t, const int *context, size_t n)
{
    char key[INIT_KEY];
    double x[4];
    init_key(key, context, n);
    const int *agent = t->is.agent;
    TRY(agent[1] == INIT_NONE
            ? init_ask_numbers(x, 4, t,
                               "SELECT count(*), avg(a > 1), sum(n), sum(a) FROM (SELECT count(*) "
                               "AS n, count(DISTINCT coalesce(c%d, 0)) AS a FROM t GROUP BY %s)",
                               agent[0], key)
            : init_ask_numbers(x, 4, t,
                               "SELECT count(*), avg(a > 1), sum(n), sum(a) FROM (SELECT sum(n) "
                               "AS n, count(*) AS a FROM (SELECT %s, count(*) AS n FROM t GROUP BY "
                               "%s, c%d, c%d) GROUP BY %s)",
                               key, key, agent[0], agent[1], key));
    *out = (struct grid){x[0], x[1], x[2], x[3]};
    return REGRET_OK;
}

/* How many rows are no copies of others, to the last column. */
static int count_different_rows(double *out, const struct init_table *t)
{
    FREED_BY(regret_buffer_free) struct regret_buffer all = REGRET_BUFFER_INIT;
    for (size_t k = 0; k < t->n_columns; k++) {
        regret_buffer_printf(&all, "%sc%zu", k > 0 ? ", " : "", k);
    }
    TRY(regret_buffer_status(&all));
    return init_ask_numbers(out, 1, t, "SELECT count(*) FROM (SELECT DISTINCT %s FROM t)",
                            regret_buffer_get(&all));
}

/* What is asked of a key: that agents share its contexts, and that it tells rows apart: of a wide table alone, else with the agent. */
static int key_fits(int *fits, int *is_unique, double *pairs, struct init_table *t, const int *key,
                    size_t n)
{
    char text[INIT_KEY];
    struct grid g = {0};
    double different = 0.0, rows = (double)t->rows;
    if (t->is.layout == INIT_WIDE) {
        init_key(text, key, n);
        TRY(init_ask_numbers(&g.pairs, 1, t, "SELECT count(*) FROM (SELECT DISTINCT %s FROM t)",
                             text));
        *fits = 1;
    } else {
        TRY(measure_grid(&g, t, key, n));
        *fits = g.shared >= 0.5;
    }
    *is_unique = g.pairs == rows;
    if (*fits && g.pairs < rows) {
        TRY(count_different_rows(&different, t));
        *is_unique = g.pairs == different;
    }
    *pairs = g.pairs;
    return REGRET_OK;
}

/* Columns that may name contexts, ids first. */
struct candidates {
    int *column; /* owned */
    size_t n;
};

static void candidates_free(struct candidates *c)
{
    regret_free(c->column);
}

static int find_candidates(struct candidates *out, const struct init_table *t)
{
    TRY(REGRET_NEW(&out->column, 4 * t->n_columns));
    for (int rank = 0; rank < 4; rank++) {
        for (int k = 0; k < (int)t->n_columns; k++) {
            const struct init_column *c = &t->column[k];
            int own = 2 * !c->said.is_id + !init_has_role(t, k, INIT_CONTEXT);
            if (own == rank && init_is_free(t, k) &&
                init_has_role(t, k, INIT_CONTEXT | INIT_TEXT) && !init_has_role(t, k, INIT_LEFT) &&
                c->distinct >= 2 && !c->is_list) {
                out->column[out->n++] = k;
            }
        }
    }
    return REGRET_OK;
}

static int is_text(const struct init_table *t, int k)
{
    return init_has_role(t, k, INIT_TEXT) && !t->column[k].said.is_id;
}

static int is_tag(const struct init_table *t, int k)
{
    return init_is_free(t, k) && init_has_role(t, k, INIT_TAG) && t->column[k].distinct >= 2;
}

/* 1 where the first column of texts among the candidates says the same in every row of k. */
static int is_told_by_text(int *out, struct init_table *t, const struct candidates *c, int k)
{
    double varies = 1.0;
    for (size_t i = 0; i < c->n; i++) {
        if (is_text(t, c->column[i])) {
            TRY(init_varies(&varies, t, c->column[i], &k, 1));
            break;
        }
    }
    *out = varies == 0.0;
    return REGRET_OK;
}

/* Ids that tell rows apart, but have several tags each: perhaps they start anew in each. */
static int check_split(struct init_table *t, const struct candidates *c, int k)
{
    double varies = 0.0;
    int is_told = 0;
    for (int x = 0; x < (int)t->n_columns && t->is.layout == INIT_LONG; x++) {
        if (!is_tag(t, x) || init_has_role(t, x, INIT_CONTEXT | INIT_TEXT)) {
            continue;
        }
        TRY(init_varies(&varies, t, x, &k, 1));
        TRY(varies > 0.5 ? is_told_by_text(&is_told, t, c, k) : REGRET_OK);
        if (varies > 0.5 && !is_told) {
            init_offer(t, "a context is one of both together", "--context", init_name(t, x),
                       init_name(t, k));
            init_offer(t, "it is one whatever the other says", "--context", init_name(t, k), NULL);
            return init_question(t,
                                 "\"%.40s\" has several \"%.40s\": is a context the one, or both?",
                                 init_name(t, k), init_name(t, x));
        }
    }
    return REGRET_OK;
}

/* A tag and an id that starts anew in each. */
static int find_pair(struct init_table *t, const struct candidates *c)
{
    int fits = 0, is_unique = 0, is_told = 0;
    double pairs = 0.0;
    for (size_t i = 0; i < c->n; i++) {
        int k = c->column[i];
        TRY(is_told_by_text(&is_told, t, c, k));
        if (init_has_role(t, k, INIT_TAG) || is_text(t, k) || is_told) {
            continue;
        }
        for (int x = 0; x < (int)t->n_columns; x++) {
            const int pair[] = {x, k};
            if (x == k || !is_tag(t, x) || init_has_role(t, x, INIT_KNOWN)) {
                continue; /* a prompt in two languages may be one or two */
            }
            TRY(key_fits(&fits, &is_unique, &pairs, t, pair, 2));
            if (fits && is_unique) {
                memcpy(t->is.context, pair, sizeof pair);
                return REGRET_OK;
            }
        }
    }
    return REGRET_OK;
}

/* What would be a context by structure alone, for a question: first what tells all rows apart. */
static int offer_contexts(struct init_table *t)
{
    int fits = 0, is_unique = 0;
    double pairs = 0.0;
    size_t n = 0;
    for (int wanted = 1; wanted >= 0; wanted--) {
        for (int k = 0; k < (int)t->n_columns && n < SHOWN; k++) {
            const struct init_column *c = &t->column[k];
            int may_be = t->is.layout != INIT_WIDE || wanted || init_has_role(t, k, INIT_CONTEXT);
            if (may_be && init_is_free(t, k) && c->distinct >= 2 && !c->is_list &&
                10 * c->filled >= 9 * t->rows &&
                !init_has_role(t, k, INIT_ANY_SCORE | INIT_COST | INIT_RATER)) {
                TRY(key_fits(&fits, &is_unique, &pairs, t, &k, 1));
                if (fits && is_unique == wanted) {
                    init_offer(t, "it says what was asked", "--context", init_name(t, k), NULL);
                    n++;
                }
            }
        }
    }
    return REGRET_OK;
}

static int ask_context(struct init_table *t)
{
    for (int k = 0; k < (int)t->n_columns && t->is.layout == INIT_LONG; k++) {
        if (init_is_free(t, k) && init_has_role(t, k, INIT_CONTEXT | INIT_TEXT | INIT_USER) &&
            t->column[k].distinct == t->rows) {
            init_offer(t, "a log: users or a router chose who answers", "--obs", t->path, NULL);
            init_offer(t, "a trial: chance did", "--exp", t->path, NULL);
            TRY(offer_contexts(t));
            return init_question(t, "every \"%.40s\" has one answer: is this a log or a trial?",
                                 init_name(t, k));
        }
    }
    TRY(offer_contexts(t));
    return init_question(t, "which column says what was asked, the same for several agents?");
}

/* A candidate that has blanks is one of merged cells. */
static int check_blanks(struct init_table *t, int k)
{
    const struct init_column *c = &t->column[k];
    double line = 0.0;
    if (10 * c->filled >= 9 * t->rows) {
        return REGRET_OK;
    }
    TRY(init_ask_numbers(&line, 1, t, "SELECT min(line) FROM t WHERE c%d IS NULL", k));
    init_offer(t, "it is no context", "--leave", c->name, NULL);
    return init_question(t,
                         "\"%.40s\" is blank in %zu rows, first at %s %.0f: were cells merged? "
                         "fill it in",
                         c->name, t->rows - c->filled, t->is_json ? "record" : "line", line);
}

int init_find_context(int *repeats, struct init_table *t)
{
    FREED_BY(candidates_free) struct candidates c = {0};
    int fits = 0, is_unique = 0, half = INIT_NONE;
    double pairs = 0.0, most = 0.0;
    *repeats = 0;
    if (t->is.context[0] != INIT_NONE) {
        TRY(key_fits(&fits, &is_unique, &pairs, t, t->is.context, 2));
        *repeats = !is_unique;
        return REGRET_OK;
    }
    TRY(find_candidates(&c, t));
    for (size_t i = 0; i < c.n; i++) {
        TRY(check_blanks(t, c.column[i]));
        TRY(key_fits(&fits, &is_unique, &pairs, t, &c.column[i], 1));
        if (fits && is_unique) {
            TRY(check_split(t, &c, c.column[i]));
            t->is.context[0] = c.column[i];
            t->is.repeats = pairs < (double)t->rows; /* copies */
            break;
        }
        half = fits && pairs > most ? c.column[i] : half; /* the finest */
        most = fits && pairs > most ? pairs : most;
    }
    TRY(t->is.context[0] == INIT_NONE ? find_pair(t, &c) : REGRET_OK);
    if (t->is.context[0] == INIT_NONE && half == INIT_NONE) {
        return ask_context(t);
    }
    if (t->is.context[0] == INIT_NONE && t->is.layout == INIT_WIDE) {
        TRY(offer_contexts(t));
        return init_question(t, "\"%.40s\" comes in several rows: which column tells rows apart?",
                             init_name(t, half));
    }
    if (t->is.context[0] == INIT_NONE) {
        t->is.context[0] = half;
        *repeats = 1;
    }
    for (size_t i = 0; i < 2 && t->is.context[i] != INIT_NONE; i++) {
        t->column[t->is.context[i]].is_used = 1;
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- repeats */

/* 1 where a column, or two, tell the rows of a context and an agent apart. */
static int tells_apart(int *out, struct init_table *t, int k, int other)
{
    const int all[] = {
        t->is.context[0], t->is.context[1], t->is.agent[0], t->is.agent[1], k, other};
    char key[INIT_KEY];
    double n = 0.0;
    init_key(key, all, 6);
    TRY(init_ask_numbers(&n, 1, t, "SELECT count(*) FROM (SELECT DISTINCT %s FROM t)", key));
    *out = n == (double)t->rows;
    return REGRET_OK;
}

static int ask_what_differs(struct init_table *t, int k)
{
    const struct init_decision *is = &t->is;
    const char *name = init_name(t, k);
    if (is->context[1] == INIT_NONE) {
        init_offer(t, "a part of what was asked", "--context", init_name(t, is->context[0]), name);
    }
    if (is->agent[1] == INIT_NONE) {
        init_offer(t, "a part of who answered", "--agent", init_name(t, is->agent[0]), name);
    }
    init_offer(t, "the same asked again", "--draw", name, NULL);
    return init_question(t,
                         "rows of one \"%.40s\" and \"%.40s\" differ by \"%.40s\": what is that?",
                         init_name(t, is->context[0]), init_name(t, is->agent[0]), name);
}

/* By a column whose name says so. */
static int find_named_repeat(int *found, struct init_table *t)
{
    static const unsigned ROLES[] = {INIT_DRAW, INIT_RATER, INIT_MEASURE};
    *found = 0;
    for (size_t r = 0; r < 3; r++) {
        for (int k = 0; k < (int)t->n_columns && !*found; k++) {
            TRY(init_is_free(t, k) && init_has_role(t, k, ROLES[r])
                    ? tells_apart(found, t, k, INIT_NONE)
                    : REGRET_OK);
            if (!*found) {
                continue;
            }
            if (ROLES[r] == INIT_MEASURE) {
                return init_question(t,
                                     "\"%.40s\" says what a row measures (\"%s\" there): give each "
                                     "measure a column of its own, or keep the rows of one",
                                     init_name(t, k), t->column[k].example);
            }
            *(ROLES[r] == INIT_DRAW ? &t->is.draw : &t->is.rater) = k;
            t->column[k].is_used = 1;
        }
    }
    for (int d = 0; d < (int)t->n_columns; d++) {
        for (int r = 0; r < (int)t->n_columns && !*found; r++) {
            if (init_is_free(t, d) && init_has_role(t, d, INIT_DRAW) && init_is_free(t, r) &&
                init_has_role(t, r, INIT_RATER)) {
                TRY(tells_apart(found, t, d, r));
                t->is.draw = *found ? d : INIT_NONE;
                t->is.rater = *found ? r : INIT_NONE;
                t->column[d].is_used = t->column[r].is_used = *found;
            }
        }
    }
    return REGRET_OK;
}

int init_find_repeats(struct init_table *t)
{
    const int pair[] = {t->is.context[0], t->is.context[1], t->is.agent[0], t->is.agent[1]};
    double varies = 0.0;
    int found = 0;
    t->is.repeats = 1;
    if (t->is.draw != INIT_NONE || t->is.rater != INIT_NONE || t->known->repeats != NULL) {
        return REGRET_OK;
    }
    TRY(find_named_repeat(&found, t));
    if (found) {
        return REGRET_OK;
    }
    for (int k = 0; k < (int)t->n_columns; k++) {
        const struct init_column *c = &t->column[k];
        if (init_is_free(t, k) && !init_has_role(t, k, INIT_OUTPUT | INIT_ANY_SCORE | INIT_COST) &&
            10 * c->filled >= 9 * t->rows && c->distinct >= 2 && 4 * c->distinct <= t->rows) {
            TRY(tells_apart(&found, t, k, INIT_NONE));
            TRY(found ? ask_what_differs(t, k) : REGRET_OK);
        }
    }
    for (int k = 0; k < (int)t->n_columns && varies == 0.0; k++) {
        TRY(init_is_free(t, k) && init_has_role(t, k, INIT_OUTPUT)
                ? init_varies(&varies, t, k, pair, 4)
                : REGRET_OK);
    }
    if (varies > 0.5) {
        return REGRET_OK;
    }
    init_offer(t, "the same asked again: their mean counts", "--repeats", "draws", NULL);
    init_offer(t, "the first counts", "--repeats", "first", NULL);
    return init_question(t, "several rows are of one \"%.40s\" and \"%.40s\": what are they?",
                         init_name(t, t->is.context[0]), init_name(t, t->is.agent[0]));
}
