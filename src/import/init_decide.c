/* What the columns of a table are: roles where names and structure agree. data/import/README.md has the rules. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "import/column_names.h"
#include "import/init.h"
#include "import/table_source.h"
#include "regret/pool.h"
#include "regret/status.h"

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

static const char *name_of(const struct init_table *t, int k)
{
    return t->column[k].name;
}

static int has_role(const struct init_table *t, int k, unsigned roles)
{
    const struct init_column *c = &t->column[k];
    return !c->is_left && (c->said.roles & roles) != 0;
}

/* Not taken yet, and not said to be nothing. */
static int is_free(const struct init_table *t, int k)
{
    return !t->column[k].is_used && !t->column[k].is_left && column_fits_map(name_of(t, k));
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
    if (*out != INIT_NONE) {
        return REGRET_OK;
    }
    TRY(REGRET_NEW(&known, t->n_columns));
    for (size_t k = 0; k < t->n_columns; k++) {
        known[k] = name_of(t, (int)k);
    }
    return regret_fail_prefix(table_no_column(name, known, t->n_columns), "%s", t->path);
}

static int take_key(int out[2], struct init_table *t, const struct init_names *names,
                    const char *option)
{
    if (names->n > 2) {
        return regret_fail(REGRET_E_INPUT, "%s is a column, or two that belong together", option);
    }
    for (size_t i = 0; i < names->n; i++) {
        TRY(find_named(&out[i], t, names->item[i]));
        t->column[out[i]].is_used = 1;
    }
    return REGRET_OK;
}

static int take_one(int *out, struct init_table *t, const char *name)
{
    if (name != NULL) {
        TRY(find_named(out, t, name));
        t->column[*out].is_used = 1;
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
        for (size_t n; *at != '\0' && names->n < INIT_SCORES; at += n + (at[n] != '\0')) {
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

static int take_options(struct init_table *t)
{
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
        t->column[k].is_left = 1;
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
            int own = 2 * !c->said.is_id + !has_role(t, k, INIT_CONTEXT);
            if (own == rank && is_free(t, k) && has_role(t, k, INIT_CONTEXT | INIT_TEXT) &&
                !has_role(t, k, INIT_LEFT) && c->distinct >= 2 && !c->is_list) {
                out->column[out->n++] = k;
            }
        }
    }
    return REGRET_OK;
}

static int is_text(const struct init_table *t, int k)
{
    return has_role(t, k, INIT_TEXT) && !t->column[k].said.is_id;
}

static int is_tag(const struct init_table *t, int k)
{
    return is_free(t, k) && has_role(t, k, INIT_TAG) && t->column[k].distinct >= 2;
}

/* 1 where the first column of texts among the candidates says the same in every row of k. */
static int is_told_by_text(int *out, struct init_table *t, const struct candidates *c, int k)
{
    char key[INIT_KEY];
    double varies = 1.0;
    init_key(key, &k, 1);
    for (size_t i = 0; i < c->n; i++) {
        if (is_text(t, c->column[i])) {
            TRY(init_varies(&varies, t, c->column[i], key));
            break;
        }
    }
    *out = varies == 0.0;
    return REGRET_OK;
}

/* Ids that tell rows apart, but have several tags each: perhaps they start anew in each. */
static int check_split(struct init_table *t, const struct candidates *c, int k)
{
    char key[INIT_KEY];
    double varies = 0.0;
    int is_told = 0;
    init_key(key, &k, 1);
    for (int x = 0; x < (int)t->n_columns && t->is.layout == INIT_LONG; x++) {
        if (!is_tag(t, x) || has_role(t, x, INIT_CONTEXT | INIT_TEXT)) {
            continue;
        }
        TRY(init_varies(&varies, t, x, key));
        TRY(varies > 0.5 ? is_told_by_text(&is_told, t, c, k) : REGRET_OK);
        if (varies > 0.5 && !is_told) {
            init_offer(t, "a context is one of both together", "--context", name_of(t, x),
                       name_of(t, k));
            init_offer(t, "it is one whatever the other says", "--context", name_of(t, k), NULL);
            return init_question(t,
                                 "\"%.40s\" has several \"%.40s\": is a context the one, or both?",
                                 name_of(t, k), name_of(t, x));
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
        if (has_role(t, k, INIT_TAG) || is_text(t, k) || is_told) {
            continue;
        }
        for (int x = 0; x < (int)t->n_columns; x++) {
            const int pair[] = {x, k};
            if (x == k || !is_tag(t, x) || has_role(t, x, INIT_KNOWN)) {
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
            int may_be = t->is.layout != INIT_WIDE || wanted || has_role(t, k, INIT_CONTEXT);
            if (may_be && is_free(t, k) && c->distinct >= 2 && !c->is_list &&
                10 * c->filled >= 9 * t->rows &&
                !has_role(t, k, INIT_ANY_SCORE | INIT_COST | INIT_RATER)) {
                TRY(key_fits(&fits, &is_unique, &pairs, t, &k, 1));
                if (fits && is_unique == wanted) {
                    init_offer(t, "it says what was asked", "--context", name_of(t, k), NULL);
                    n++;
                }
            }
        }
    }
    return REGRET_OK;
}

static int ask_context(struct init_table *t, const struct candidates *c)
{
    for (size_t i = 0; i < c->n && t->is.layout == INIT_LONG; i++) {
        if (t->column[c->column[i]].distinct == t->rows) {
            init_offer(t, "a log: users or a router chose who answers", "--obs", t->path, NULL);
            init_offer(t, "a trial: chance did", "--exp", t->path, NULL);
            TRY(offer_contexts(t));
            return init_question(t, "every \"%.40s\" has one answer: is this a log or a trial?",
                                 name_of(t, c->column[i]));
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
        return ask_context(t, &c);
    }
    if (t->is.context[0] == INIT_NONE && t->is.layout == INIT_WIDE) {
        TRY(offer_contexts(t));
        return init_question(t, "\"%.40s\" comes in several rows: which column tells rows apart?",
                             name_of(t, half));
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
    const char *name = name_of(t, k);
    if (is->context[1] == INIT_NONE) {
        init_offer(t, "a part of what was asked", "--context", name_of(t, is->context[0]), name);
    }
    if (is->agent[1] == INIT_NONE) {
        init_offer(t, "a part of who answered", "--agent", name_of(t, is->agent[0]), name);
    }
    init_offer(t, "the same asked again", "--draw", name, NULL);
    return init_question(t,
                         "rows of one \"%.40s\" and \"%.40s\" differ by \"%.40s\": what is that?",
                         name_of(t, is->context[0]), name_of(t, is->agent[0]), name);
}

/* By a column whose name says so. */
static int find_named_repeat(int *found, struct init_table *t)
{
    static const unsigned ROLES[] = {INIT_DRAW, INIT_RATER, INIT_MEASURE};
    *found = 0;
    for (size_t r = 0; r < 3; r++) {
        for (int k = 0; k < (int)t->n_columns && !*found; k++) {
            TRY(is_free(t, k) && has_role(t, k, ROLES[r]) ? tells_apart(found, t, k, INIT_NONE)
                                                          : REGRET_OK);
            if (!*found) {
                continue;
            }
            if (ROLES[r] == INIT_MEASURE) {
                return init_question(t,
                                     "\"%.40s\" says what a row measures (\"%s\" there): give each "
                                     "measure a column of its own, or keep the rows of one",
                                     name_of(t, k), t->column[k].example);
            }
            *(ROLES[r] == INIT_DRAW ? &t->is.draw : &t->is.rater) = k;
            t->column[k].is_used = 1;
        }
    }
    for (int d = 0; d < (int)t->n_columns; d++) {
        for (int r = 0; r < (int)t->n_columns && !*found; r++) {
            if (is_free(t, d) && has_role(t, d, INIT_DRAW) && is_free(t, r) &&
                has_role(t, r, INIT_RATER)) {
                TRY(tells_apart(found, t, d, r));
                t->is.draw = *found ? d : INIT_NONE;
                t->is.rater = *found ? r : INIT_NONE;
                t->column[d].is_used = t->column[r].is_used = *found;
            }
        }
    }
    return REGRET_OK;
}

static int find_repeats(struct init_table *t)
{
    const int key_columns[] = {t->is.context[0], t->is.context[1], t->is.agent[0], t->is.agent[1]};
    char key[INIT_KEY];
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
        if (is_free(t, k) && !has_role(t, k, INIT_OUTPUT | INIT_ANY_SCORE | INIT_COST) &&
            10 * c->filled >= 9 * t->rows && c->distinct >= 2 && 4 * c->distinct <= t->rows) {
            TRY(tells_apart(&found, t, k, INIT_NONE));
            TRY(found ? ask_what_differs(t, k) : REGRET_OK);
        }
    }
    init_key(key, key_columns, 4);
    for (int k = 0; k < (int)t->n_columns && varies == 0.0; k++) {
        TRY(is_free(t, k) && has_role(t, k, INIT_OUTPUT) ? init_varies(&varies, t, k, key)
                                                         : REGRET_OK);
    }
    if (varies > 0.5) {
        return REGRET_OK;
    }
    init_offer(t, "the same asked again: their mean counts", "--repeats", "draws", NULL);
    init_offer(t, "the first counts", "--repeats", "first", NULL);
    return init_question(t, "several rows are of one \"%.40s\" and \"%.40s\": what are they?",
                         name_of(t, t->is.context[0]), name_of(t, t->is.agent[0]));
}

/* ---------------------------------------------------------------- scores */

/* 1 where the greatest number lies far above the others: a slip of the pen, or a code. */
static int lies_beyond(const struct init_column *c)
{
    const double *scale = scale_filled_by(c->least, c->next_most);
    int is_code = (c->most == 9.0 && 12 * c->at_most >= c->numbers) || c->most == 99.0 ||
                  c->most == 999.0 || c->most == 9999.0,
        is_rare = c->at_most <= 3 && 50 * c->at_most <= c->numbers;
    return c->distinct > 2 &&
           ((c->most > 10.0 && c->next_most * 5.0 < c->most) ||
            (scale != NULL && c->most > scale[1] && c->most > c->next_most + 1.0 &&
             (is_code || (is_rare && c->most >= 1.5 * scale[1]))));
}

/* Two scales in one column, marks of what is missing, slips. */
static int check_scale(struct init_table *t, int k)
{
    static const double CODES[] = {-1, -9, -99, -999, 999, 9999};
    const struct init_column *c = &t->column[k];
    double few = 0.05 * (double)c->numbers;
    int is_code = 0;
    if (c->percent_line > 0) {
        return regret_fail(REGRET_E_INPUT,
                           "%s:%zu: \"%.40s\" holds a percent sign, which is not read, for 45%% "
                           "would be 45 here and .45 there: write all scores as the one or the "
                           "other",
                           t->path, c->percent_line, c->name);
    }
    if (!c->is_numeric || t->known->range != NULL) {
        return REGRET_OK;
    }
    for (size_t i = 0; i < sizeof CODES / sizeof *CODES; i++) {
        is_code |= c->least == CODES[i];
    }
    if ((double)c->shares > few && (double)c->tens > few && c->least >= 0.0) {
        init_offer(t, "they are one scale", "--range", "0:100", NULL);
        return init_question(t, "\"%.40s\" holds shares of 1 and numbers up to %g: two scales?",
                             c->name, c->most);
    }
    int is_missing = is_code && c->next_least >= 0.0 && (c->least < -1.0 || c->distinct > 3),
        is_slip = lies_beyond(c);
    if (!is_missing && !is_slip) {
        return REGRET_OK;
    }
    double odd = is_missing ? c->least : c->most, low = is_missing ? c->next_least : c->least,
           high = is_slip ? c->next_most : c->most, range[2];
    char all[64], others[64];
    scale_of(range, low, high);
    snprintf(others, sizeof others, "%.10g:%.10g", range[0], range[1]);
    snprintf(all, sizeof all, "%.10g:%.10g", c->least, c->most);
    init_offer(t, "it is none: such rows are left out", "--range", others, NULL);
    init_offer(t, "it is a score", "--range", all, NULL);
    return init_question(t, "\"%.40s\" holds %g, and all others go from %g to %g: is it a score?",
                         c->name, odd, low, high);
}

static int ask_direction(struct init_table *t, int k, const char *name)
{
    init_offer(t, "more is better", "--better", name, NULL);
    init_offer(t, "less is better", "--worse", name, NULL);
    return init_question(t, "is more of \"%.40s\", %g to %g, better or worse?", name,
                         t->column[k].least, t->column[k].most);
}

static int find_direction(int *out, struct init_table *t, int k, const char *name)
{
    const struct init_known *known = t->known;
    *out = init_has_name(&known->worse, name)    ? -1
           : init_has_name(&known->better, name) ? 1
           : known->range != NULL                ? (known->range[0] > known->range[1] ? -1 : 1)
                                                 : init_name_direction(&t->words, name_of(t, k));
    return *out != 0 ? REGRET_OK : ask_direction(t, k, name);
}

/* Where a score goes from and to. */
static void set_range(const struct init_table *t, struct init_score *s)
{
    double range[2] = {s->least, s->most};
    if (column_count_words(s->pattern, " rank ranks ranking place ") == 0 || s->least >= s->most) {
        scale_of(range, s->least, s->most);
    }
    if (t->known->range != NULL) {
        memcpy(range, t->known->range, sizeof range);
    }
    if (s->is_grade) {
        range[0] = GRADES_LOW;
        range[1] = GRADES_HIGH;
    }
    s->low = fmin(range[0], range[1]);
    s->high = fmax(range[0], range[1]);
}

/* 1 where the numbers of every context are 1, 2, 3 …: ranks, and nobody says which is the best. */
static int are_ranks(int *out, const struct init_table *t, const struct init_score *s,
                     const int *column, size_t n)
{
    FREED_BY(regret_buffer_free) struct regret_buffer sum = REGRET_BUFFER_INIT;
    size_t agents = t->is.layout == INIT_WIDE ? n : t->column[t->is.agent[0]].distinct;
    char key[INIT_KEY];
    double others = 1.0;
    *out = 0;
    if (agents < 3 || s->least != 1.0 || s->most != (double)agents || s->direction < 0) {
        return REGRET_OK;
    }
    init_key(key, t->is.context, 2);
    for (size_t i = 0; i < n; i++) {
        regret_buffer_printf(&sum, "%sv%d", i > 0 ? " + " : "", column[i]);
    }
    TRY(regret_buffer_status(&sum));
    TRY(init_ask_numbers(
        &others, 1, t,
        "SELECT count(*) FROM (SELECT sum(%s) AS s FROM t JOIN n ON n.rowid = t.rowid GROUP BY %s) "
        "WHERE s <> %d",
        regret_buffer_get(&sum), t->is.layout == INIT_WIDE ? "t.rowid" : key,
        (int)(agents * (agents + 1) / 2)));
    *out = others == 0.0;
    return REGRET_OK;
}

int init_add_score(struct init_table *t, const int *columns, size_t n, const char *pattern)
{
    struct init_score s = {.column = columns[0], .least = INFINITY, .most = -INFINITY};
    size_t grades = 0, others = 0;
    int ranks = 0;
    if (t->is.n_scores == REGRET_POOL_MAX_COMPONENTS) {
        return init_question(t, "more than %d columns are scores: which count? --score a,b",
                             REGRET_POOL_MAX_COMPONENTS);
    }
    for (size_t i = 0; i < n; i++) {
        struct init_column *c = &t->column[columns[i]];
        c->is_used = 1;
        s.least = fmin(s.least, c->least);
        s.most = fmax(s.most, c->most);
        grades += c->grades;
        others += c->numbers + c->truths;
        TRY(check_scale(t, columns[i]));
    }
    snprintf(s.pattern, sizeof s.pattern, "%s", pattern);
    s.is_grade = grades > others;
    TRY(find_direction(&s.direction, t, columns[0], pattern));
    int is_said = t->known->range != NULL || init_has_name(&t->known->better, pattern);
    TRY(!is_said ? are_ranks(&ranks, t, &s, columns, n) : REGRET_OK);
    if (ranks) {
        return ask_direction(t, columns[0], pattern);
    }
    set_range(t, &s);
    t->is.score[t->is.n_scores++] = s;
    return REGRET_OK;
}

static int varies_within(double *out, struct init_table *t, int k, const int *by)
{
    char key[INIT_KEY];
    init_key(key, by, 2);
    return init_varies(out, t, k, key);
}

/* Scores by name: numbers or verdicts that differ between the answers to a context. */
static int find_scores(unsigned char *is_score, size_t *n, struct init_table *t)
{
    size_t parts = 0;
    *n = 0;
    for (int k = 0; k < (int)t->n_columns; k++) {
        const struct init_column *c = &t->column[k];
        double varies = 0.0;
        int is_named = has_role(t, k, INIT_ANY_SCORE) &&
                       !has_role(t, k, INIT_RATER | INIT_REFERENCE | INIT_LEFT);
        is_named |=
            init_has_name(&t->known->worse, c->name) || init_has_name(&t->known->better, c->name);
        is_named = t->known->score.n > 0 ? init_has_name(&t->known->score, c->name) : is_named;
        if (!is_free(t, k) || !is_named || (!c->is_scorable && t->known->score.n == 0)) {
            continue;
        }
        TRY(varies_within(&varies, t, k, t->is.context));
        is_score[k] = varies > 0.0 || t->known->score.n > 0;
        *n += is_score[k];
        parts += is_score[k] && (init_name_any(&t->words, c->name) & INIT_SUMMARY) == 0;
    }
    for (int k = 0; k < (int)t->n_columns && parts > 0 && t->known->score.n == 0; k++) {
        int is_whole = is_score[k] && (init_name_any(&t->words, name_of(t, k)) & INIT_SUMMARY) != 0;
        *n -= (size_t)is_whole; /* made of the parts */
        is_score[k] = is_score[k] && !is_whole;
        t->column[k].is_left |= is_whole;
    }
    return REGRET_OK;
}

/* 1 where a number without a name of one may be a score. */
static int may_be_score(int *out, struct init_table *t, int k)
{
    const struct init_column *c = &t->column[k];
    double by_context = 0.0, by_agent = 0.0;
    *out = 0;
    int is_plain = (c->said.roles & ~(unsigned)INIT_RATER) == 0 ||
                   (c->said.roles == INIT_OUTPUT && c->whole < c->numbers);
    if (!is_free(t, k) || !is_plain || c->said.is_id || !c->is_scorable ||
        10 * c->distinct >= 9 * t->rows + 50) {
        return REGRET_OK;
    }
    TRY(varies_within(&by_context, t, k, t->is.context));
    TRY(varies_within(&by_agent, t, k, t->is.agent));
    *out = by_context > 0.2 && by_agent > 0.2;
    return REGRET_OK;
}

/* Where there is no score, but what a good answer is: outputs could be held against that. */
static int offer_reference(struct init_table *t)
{
    double varies = 1.0;
    for (int k = 0; k < (int)t->n_columns; k++) {
        if (is_free(t, k) && has_role(t, k, INIT_REFERENCE) && !t->column[k].is_numeric) {
            TRY(varies_within(&varies, t, k, t->is.context));
            if (varies == 0.0) {
                init_offer(t, "outputs are held against it, by characters", "--reference",
                           name_of(t, k), NULL);
            }
        }
    }
    return REGRET_OK;
}

static int ask_for_scores(struct init_table *t)
{
    int may_be = 0;
    for (int k = 0; k < (int)t->n_columns; k++) {
        const struct init_column *c = &t->column[k];
        if (is_free(t, k) && has_role(t, k, INIT_SCORE) &&
            !has_role(t, k, INIT_RATER | INIT_LEFT) && c->other_line > 0 && !c->is_scored &&
            2 * (c->numbers + c->grades) >= c->filled) {
            return regret_fail(REGRET_E_INPUT,
                               "%s:%zu: \"%.40s\" holds \"%s\": write all scores as numbers, as "
                               "letter grades, or as yes and no, pass and fail",
                               t->path, c->other_line, c->name, c->other);
        }
    }
    const char *all[INIT_SCORES];
    size_t n = 0;
    for (int k = 0; k < (int)t->n_columns && n < INIT_SCORES; k++) {
        TRY(may_be_score(&may_be, t, k));
        if (may_be) {
            all[n++] = name_of(t, k);
        }
    }
    for (size_t i = 0; i < n && n <= SHOWN; i++) {
        init_offer(t, "it says how good an answer is", "--score", all[i], NULL);
    }
    if (n == 1) {
        init_offer(t, "it says how bad one is", "--worse", all[0], NULL);
    } else if (n > 1) {
        init_offer_list(t, "all of them do", "--score", all, n);
    }
    TRY(offer_reference(t));
    return init_question(t, "which column says how good an answer is? None that is named so "
                            "differs between the answers to a context");
}

/* A number of the same range that no word speaks for. */
static int check_like(struct init_table *t, const unsigned char *is_score)
{
    double low = INFINITY, high = -INFINITY;
    int like = INIT_NONE;
    for (size_t k = 0; k < t->n_columns; k++) {
        const struct init_column *c = &t->column[k];
        low = is_score[k] && c->least < low ? c->least : low;
        high = is_score[k] && c->most > high ? c->most : high;
    }
    for (int k = 0; k < (int)t->n_columns && like == INIT_NONE; k++) {
        const struct init_column *c = &t->column[k];
        int may_be = 0;
        if (!is_score[k] && c->is_numeric && c->least >= low && c->most <= high &&
            c->most >= low + 0.5 * (high - low)) {
            TRY(may_be_score(&may_be, t, k));
        }
        like = may_be ? k : like;
    }
    if (like == INIT_NONE) {
        return REGRET_OK;
    }
    init_offer(t, "it is none", "--leave", name_of(t, like), NULL);
    init_offer(t, "it is one, and less is better", "--worse", name_of(t, like), NULL);
    init_offer(t, "it is one, and more is better", "--better", name_of(t, like), NULL);
    return init_question(t, "\"%.40s\" holds numbers as scores do: is it one?", name_of(t, like));
}

/* Scores on several ranges are no parts of one judgement: which is the main one? */
static int check_main(struct init_table *t)
{
    const struct init_decision *is = &t->is;
    const char *all[INIT_SCORES];
    int differ = 0;
    for (size_t i = 0; i < is->n_scores; i++) {
        differ |= is->score[i].low != is->score[0].low || is->score[i].high != is->score[0].high;
        all[i] = is->score[i].pattern;
    }
    if (!differ || t->known->score.n > 0 || t->known->range != NULL) {
        return REGRET_OK;
    }
    init_offer_list(t, "all count alike", "--score", all, is->n_scores);
    for (size_t i = 0; i < is->n_scores && i < SHOWN; i++) {
        init_offer(t, "it is the main one", "--score", all[i], NULL);
    }
    return init_question(t, "\"%.40s\" and \"%.40s\" are scores of several kinds: which counts?",
                         all[0], all[1]);
}

static int take_scores(struct init_table *t)
{
    FREED unsigned char *is_score = NULL;
    size_t n = 0;
    TRY(REGRET_NEW(&is_score, t->n_columns));
    TRY(find_scores(is_score, &n, t));
    if (n == 0) {
        return t->is.reference != INIT_NONE ? REGRET_OK : ask_for_scores(t);
    }
    TRY(t->known->score.n == 0 ? check_like(t, is_score) : REGRET_OK);
    for (int k = 0; k < (int)t->n_columns; k++) {
        TRY(is_score[k] ? init_add_score(t, &k, 1, name_of(t, k)) : REGRET_OK);
    }
    return check_main(t);
}

/* ---------------------------------------------------------------- long tables */

static int may_be_agent(const struct init_table *t, int k)
{
    const struct init_column *c = &t->column[k];
    return is_free(t, k) && has_role(t, k, INIT_AGENT) && !c->is_list && c->distinct >= 2 &&
           c->distinct <= REGRET_POOL_MAX_AGENTS && 2 * c->distinct <= c->filled &&
           20 * c->filled >= 19 * t->rows && !(c->is_numeric && c->whole < c->numbers);
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
        TRY(varies_within(&follows, t, k, by_other));
        TRY(varies_within(&back, t, g, by_own));
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
            init_offer(t, "it says who answered", "--agent", name_of(t, found[i]), NULL);
        }
        init_offer_agents(t);
        init_offer(t, "both together do", "--agent", name_of(t, found[0]), name_of(t, found[1]));
        return init_question(t, "which column says who answered: \"%.40s\" or \"%.40s\"?",
                             name_of(t, found[0]), name_of(t, found[1]));
    }
    t->is.agent[0] = n == 1 ? found[0] : INIT_NONE;
    return REGRET_OK;
}

/* A column that is called so, and names one, or each once. */
static int check_one_agent(struct init_table *t)
{
    for (int k = 0; k < (int)t->n_columns; k++) {
        const struct init_column *c = &t->column[k];
        if (!is_free(t, k) || !has_role(t, k, INIT_AGENT) || c->is_list || c->filled == 0) {
            continue;
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

static int see_top(void *context, const char *const *text)
{
    struct top *top = context;
    double x = text[0] != NULL ? strtod(text[0], NULL) : 0.0;
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
        TRY(init_each(
            t, see_top, &top,
            "SELECT max(v%d) FROM t JOIN n ON n.rowid = t.rowid GROUP BY c%d HAVING count(v%d) > 0",
            k, by, k));
        if (isfinite(top.least) && top.most > times * top.least && top.most > beyond) {
            char all[64];
            snprintf(all, sizeof all, "%.10g:%.10g", t->is.score[i].low, t->is.score[i].high);
            init_offer(t, "they are one scale", "--range", all, NULL);
            return init_question(t,
                                 "\"%.40s\" goes up to %g of one %s and to %g of another: two "
                                 "scales?",
                                 name_of(t, k), top.least, what, top.most);
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
        if (is_free(t, k) && t->column[k].is_numeric && t->known->agent.n == 0 &&
            t->known->score.n == 0 && !t->known->is_long &&
            init_name_is_family(&t->words, name_of(t, k))) {
            found[n++] = name_of(t, k);
        }
    }
    if (n < 2) {
        return REGRET_OK;
    }
    init_offer(t, "it says who answered", "--agent", name_of(t, t->is.agent[0]), NULL);
    init_offer_agents(t);
    return init_question(
        t, "\"%.40s\" names agents, and columns (%.40s, %.40s) look like agents, too: which?",
        name_of(t, t->is.agent[0]), found[0], found[1]);
}

/* A column that says what a row measures. */
static int check_measures(struct init_table *t)
{
    for (int k = 0; k < (int)t->n_columns; k++) {
        double varies = 0.0;
        TRY(is_free(t, k) && has_role(t, k, INIT_MEASURE)
                ? varies_within(&varies, t, k, t->is.context)
                : REGRET_OK);
        if (varies > 0.5) {
            init_offer(t, "it is something else", "--leave", name_of(t, k), NULL);
            return init_question(t,
                                 "\"%.40s\" says what a row measures (\"%s\" there): is it a mix?",
                                 name_of(t, k), t->column[k].example);
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
    TRY(again ? find_repeats(t) : check_measures(t));
    TRY(take_scores(t));
    TRY(t->is.rater != INIT_NONE ? check_tops(t, t->is.rater, 1.6, 0.0, "rater") : REGRET_OK);
    TRY(check_tops(t, t->is.agent[0], 8.0, 8.0, "agent"));
    return check_both(t);
}

/* ---------------------------------------------------------------- all */

/* Costs below 0, and scores in lists whose elements are called by name. */
static int check_cells(struct init_table *t)
{
    for (int k = 0; k < (int)t->n_columns; k++) {
        const struct init_column *c = &t->column[k];
        if (has_role(t, k, INIT_COST) && c->is_numeric && c->least < 0.0) {
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
    TRY(split_options(t));
    TRY(take_options(t));
    TRY(check_cells(t));
    TRY(decide_layout(t));
    return init_take_rest(t);
}
