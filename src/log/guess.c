/* What the columns of a log, a trial and outputs are: roles where names and structure agree, by the words and the profile of `init`. */
#include "log/guess.h"

#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "log/config.h"
#include "log/internal.h"
#include "regret/evaluate.h"
#include "regret/status.h"
#include "table/fields.h"

enum { MOST_TAGS = 200, SHOWN = 3, MANY = 30, ENOUGH = 1000 };

/* What a name has to say for a role. */
static const unsigned SAYS[LOG_COVARIATES] = {
    [LOG_CONTEXT] = INIT_CONTEXT,   [LOG_AGENT] = INIT_AGENT | INIT_ITEM,
    [LOG_OUTPUT] = INIT_OUTPUT,     [LOG_TEXT] = INIT_TEXT,
    [LOG_TAG] = INIT_TAG,           [LOG_OUTCOME] = INIT_ANY_SCORE,
    [LOG_PROPENSITY] = INIT_CHANCE, [LOG_SLATE] = INIT_SLATE,
    [LOG_CLUSTER] = INIT_USER,      [LOG_TIME] = INIT_TIME,
    [LOG_COST] = INIT_COST};

/* ---------------------------------------------------------------- names and structure */

/* 1 where the name speaks for the role. */
static int is_named(const struct init_table *t, int k, enum log_field field)
{
    const struct init_column *c = &t->column[k];
    unsigned roles = c->said.roles;
    if (!init_has_role(t, k, SAYS[field])) {
        return 0;
    }
    switch (field) {
    case LOG_CONTEXT: /* an id, or words of which each row has nearly its own */
        return c->said.is_id || (strchr(c->example, ' ') == NULL && 10 * c->distinct >= t->rows);
    case LOG_OUTPUT:
    case LOG_TEXT:
    case LOG_TAG:
        return !c->said.is_id;
    case LOG_OUTCOME:
        return (roles & (INIT_RATER | INIT_REFERENCE | INIT_LEFT)) == 0;
    case LOG_CLUSTER: /* a kind of device, or of customer, is none */
        return c->said.is_id || (roles & (INIT_KNOWN | INIT_LEFT)) == 0 || c->distinct >= MANY;
    default:
        return 1;
    }
}

/* 1 where what stands in a column can be of the role. */
static int fits(const struct init_table *t, int k, enum log_field field)
{
    const struct init_column *c = &t->column[k];
    size_t numbers = c->numbers + c->truths;
    int is_number = c->filled > 0 && 10 * numbers >= 9 * c->filled, is_whole = c->whole == numbers;
    int differs = c->distinct >= 2 || t->rows == 1;
    double x = 0.0;
    switch (field) {
    case LOG_CONTEXT:
        return 10 * c->filled >= 9 * t->rows && differs && c->longest <= FIELDS_MAX_NAME;
    case LOG_AGENT:
        return 2 * c->filled >= t->rows && c->distinct <= REGRET_LOG_MAX_AGENTS &&
               c->longest <= LOG_AGENT_BYTES && !c->is_list && is_whole;
    case LOG_OUTPUT:
    case LOG_TEXT:
        return c->numbers < c->filled && differs;
    case LOG_TAG:
        return c->distinct >= 2 && c->distinct <= MOST_TAGS && 2 * c->distinct <= t->rows &&
               is_whole;
    case LOG_OUTCOME:
    case LOG_COST:
        return is_number;
    case LOG_PROPENSITY:
        return is_number && c->percent_line == 0 && c->least >= 0.0 && c->most <= 1.0;
    case LOG_TIME:
        return is_number || log_time_parse(&x, c->example);
    case LOG_SLATE:
        return c->filled > 0;
    default:
        return c->distinct >= 2;
    }
}

/* ---------------------------------------------------------------- several for one role */

struct found {
    int column[INIT_COLUMNS];
    size_t n;
};

static int request_of(const struct log_guess_table *g)
{
    return g->at[LOG_CONTEXT] != INIT_NONE ? g->at[LOG_CONTEXT] : g->at[LOG_TEXT];
}

/* What speaks for one column before others. */
typedef int judge(int *good, struct log_guess_table *g, int k);

static int is_called_agent(int *good, struct log_guess_table *g, int k)
{
    *good = init_has_role(&g->table, k, INIT_AGENT);
    return REGRET_OK;
}

static int is_several(int *good, struct log_guess_table *g, int k)
{
    *good = g->table.column[k].distinct >= 2;
    return REGRET_OK;
}

static int is_no_user(int *good, struct log_guess_table *g, int k)
{
    *good = !init_has_role(&g->table, k, INIT_USER);
    return REGRET_OK;
}

static int comes_again(int *good, struct log_guess_table *g, int k)
{
    *good = g->table.column[k].distinct < g->table.rows;
    return REGRET_OK;
}

/* Of one id texts are one; and an id of rows is none of requests where the same texts come again. */
static int is_of_texts(int *good, struct log_guess_table *g, int k)
{
    int text = g->at[LOG_TEXT];
    double varies = 0.0;
    TRY(text != INIT_NONE ? init_varies(&varies, &g->table, text, &k, 1) : REGRET_OK);
    *good =
        text == INIT_NONE || (varies == 0.0 && (g->table.column[k].distinct < g->table.rows ||
                                                g->table.column[text].distinct == g->table.rows));
    return REGRET_OK;
}

/* A score that is the same in all rows of a request is known before them. */
static int is_moving(int *good, struct log_guess_table *g, int k)
{
    int request = request_of(g);
    double varies = 0.0;
    TRY(request != INIT_NONE ? init_varies(&varies, &g->table, k, &request, 1) : REGRET_OK);
    *good = varies > 0.0;
    return REGRET_OK;
}

/* Leaves out those that are not good, where others are, or `anyway`. */
static int sift(struct found *f, struct log_guess_table *g, judge *is_good, int anyway)
{
    struct found kept = {.n = 0};
    for (size_t i = 0; i < f->n; i++) {
        int good = 0;
        TRY(is_good(&good, g, f->column[i]));
        kept.column[kept.n] = f->column[i];
        kept.n += (size_t)good;
    }
    *f = kept.n > 0 || anyway ? kept : *f;
    return REGRET_OK;
}

/* Of two columns that say the same, or of which one says more, the finer, and of equals the first. */
static int drop_told(struct found *f, struct init_table *t)
{
    for (size_t i = f->n; i-- > 0;) {
        int is_told = 0;
        for (size_t j = 0; j < f->n && !is_told; j++) {
            double follows = 1.0, back = 0.0;
            if (j != i) {
                TRY(init_varies(&follows, t, f->column[i], &f->column[j], 1));
                TRY(init_varies(&back, t, f->column[j], &f->column[i], 1));
                is_told = follows == 0.0 && (back > 0.0 || j < i);
            }
        }
        if (is_told) {
            memmove(&f->column[i], &f->column[i + 1], (--f->n - i) * sizeof *f->column);
        }
    }
    return REGRET_OK;
}

static int narrow(struct found *f, struct log_guess_table *g, enum log_field field)
{
    switch (field) {
    case LOG_AGENT:
        TRY(sift(f, g, is_called_agent, 0));
        TRY(sift(f, g, is_several, 0));
        return drop_told(f, &g->table);
    case LOG_CONTEXT:
        TRY(sift(f, g, is_of_texts, 1));
        TRY(sift(f, g, is_no_user, 0));
        TRY(sift(f, g, comes_again, 0));
        return drop_told(f, &g->table);
    case LOG_OUTCOME:
        return sift(f, g, is_moving, 0);
    default:
        return REGRET_OK;
    }
}

/* The one of fewest values, or of the longest text, or the first. */
static int best_of(const struct init_table *t, const struct found *f, enum log_field field)
{
    int best = f->column[0];
    for (size_t i = 1; i < f->n; i++) {
        const struct init_column *c = &t->column[f->column[i]], *b = &t->column[best];
        int is_total = (init_name_any(&t->words, c->name) & ~init_name_any(&t->words, b->name) &
                        INIT_SUMMARY) != 0;
        int is_better = field == LOG_CLUSTER                       ? c->distinct < b->distinct
                        : field == LOG_TEXT || field == LOG_OUTPUT ? c->longest > b->longest
                                                                   : field == LOG_COST && is_total;
        best = is_better ? f->column[i] : best;
    }
    return best;
}

/* ---------------------------------------------------------------- questions */

static const struct {
    const char *option, *says, *asks;
} QUESTIONS[LOG_COVARIATES] = {
    [LOG_CONTEXT] = {"--context", "it says which request",
                     "which column says which request a row is of"},
    [LOG_AGENT] = {"--agent", "it says who answered", "which column says who answered"},
    [LOG_OUTCOME] = {"--outcome", "it says how good the answer was",
                     "which column says how good the answer was"}};

/* Of columns whose names speak for a role, several; or of which none does. */
static int ask_which(struct init_table *t, const struct found *f, enum log_field field,
                     int are_named)
{
    for (size_t i = 0; i < f->n && i < SHOWN; i++) {
        init_offer(t, QUESTIONS[field].says, QUESTIONS[field].option, init_name(t, f->column[i]),
                   NULL);
    }
    return are_named ? init_question(t, "%s: \"%.40s\" or \"%.40s\"?", QUESTIONS[field].asks,
                                     init_name(t, f->column[0]), init_name(t, f->column[1]))
                     : init_question(t, "%s? None is named so and holds it: %s COLUMN",
                                     QUESTIONS[field].asks, QUESTIONS[field].option);
}

/* Of a role that no name speaks for: columns that hold what it needs. */
static int ask_any(struct log_guess_table *g, enum log_field field)
{
    struct init_table *t = &g->table;
    struct found f = {.n = 0};
    int unfit = g->unfit[field];
    if (field == LOG_OUTCOME && unfit != INIT_NONE) {
        const struct init_column *c = &t->column[unfit];
        return regret_fail(REGRET_E_INPUT,
                           "%s:%zu: column \"%.40s\" holds \"%s\", neither a number nor a word for "
                           "good or bad: write numbers alone, without signs, or say which column "
                           "says how good the answer was, --outcome COLUMN",
                           t->path, c->other_line, c->name, c->other);
    }
    for (int k = 0; k < (int)t->n_columns && field != LOG_AGENT; k++) {
        if (init_is_free(t, k) && t->column[k].distinct >= 2 && fits(t, k, field) &&
            t->column[k].is_scored == (field == LOG_OUTCOME)) {
            f.column[f.n++] = k;
        }
    }
    if (field == LOG_AGENT) {
        init_offer_agent(t);
    }
    return ask_which(t, &f, field, 0);
}

/* ---------------------------------------------------------------- a role */

static void take(struct log_guess_table *g, enum log_field field, int k)
{
    g->at[field] = k;
    g->table.column[k].is_used = 1;
}

static int said_of(const struct log_guess *guess, const struct init_table *t, enum log_field field)
{
    switch (field) {
    case LOG_CONTEXT:
        return t->is.context[0];
    case LOG_AGENT:
        return t->is.agent[0];
    case LOG_OUTPUT:
        return t->is.output;
    case LOG_TAG:
        return t->is.tag;
    default:
        return field == LOG_OUTCOME && guess->outcome != NULL ? init_column_at(t, guess->outcome)
                                                              : INIT_NONE;
    }
}

/* The column of the role: as was said; else that of the same name as in a table before; else by names and structure. */
static int find_role(const struct log_guess *guess, struct log_guess_table *g, enum log_field field)
{
    struct found f = {.n = 0};
    struct init_table *t = &g->table;
    int k = said_of(guess, t, field);
    if (k != INIT_NONE && field == LOG_OUTCOME && !fits(t, k, field)) {
        g->unfit[field] = k;
        return REGRET_OK;
    }
    for (const struct log_guess_table *other = guess->of; other < g && k == INIT_NONE; other++) {
        const char *name = other->table.path != NULL && other->at[field] != INIT_NONE
                               ? init_name(&other->table, other->at[field])
                               : NULL;
        k = name != NULL ? init_column_at(t, name) : INIT_NONE;
        k = k != INIT_NONE && init_is_free(t, k) && fits(t, k, field) ? k : INIT_NONE;
    }
    if (k != INIT_NONE) {
        take(g, field, k);
        return REGRET_OK;
    }
    for (k = 0; k < (int)t->n_columns; k++) {
        if (init_is_free(t, k) && is_named(t, k, field)) {
            int fit = fits(t, k, field);
            g->unfit[field] = fit || g->unfit[field] != INIT_NONE ? g->unfit[field] : k;
            f.column[f.n] = k;
            f.n += (size_t)fit;
        }
    }
    TRY(narrow(&f, g, field));
    if (f.n > 1 && QUESTIONS[field].option != NULL) {
        return ask_which(t, &f, field, 1);
    }
    if (f.n > 0) {
        take(g, field, best_of(t, &f, field));
    }
    return REGRET_OK;
}

/* Where texts tell the requests of one table apart they do so in all that have texts: ids and texts cannot be matched. */
static void match_ids(struct log_guess *guess)
{
    int by_text = 0, all_texts = 1;
    for (int i = 0; i < LOG_INPUTS; i++) {
        const struct log_guess_table *g = &guess->of[i];
        int is_there = g->table.path != NULL, has_text = g->at[LOG_TEXT] != INIT_NONE;
        by_text |= is_there && g->at[LOG_CONTEXT] == INIT_NONE && has_text;
        all_texts &= !is_there || has_text;
    }
    for (int i = 0; i < LOG_INPUTS && by_text && all_texts && guess->known.context.n == 0; i++) {
        guess->of[i].at[LOG_CONTEXT] = INIT_NONE;
    }
}

/* The outcome's direction and range, as of a table's score. */
static int find_scale(struct log_guess *guess, struct log_guess_table *g)
{
    struct init_table *t = &g->table;
    int k = g->at[LOG_OUTCOME];
    t->is.agent[0] = g->at[LOG_AGENT];
    t->is.context[0] = request_of(g);
    TRY(init_add_score(t, &k, 1, init_name(t, k)));
    g->low = t->is.score[0].low;
    g->high = t->is.score[0].high;
    g->direction = guess->known.range != NULL ? 1 : t->is.score[0].direction;
    return REGRET_OK;
}

static int find_roles(struct log_guess *guess, enum log_input_of which)
{
    static const enum log_field ORDER[] = {LOG_PROPENSITY, LOG_TIME,    LOG_AGENT, LOG_TEXT,
                                           LOG_CONTEXT,    LOG_OUTCOME, LOG_COST,  LOG_SLATE,
                                           LOG_CLUSTER,    LOG_OUTPUT,  LOG_TAG};
    struct log_guess_table *g = &guess->of[which];
    int is_outputs = which == LOG_INPUT_OUTPUTS;
    for (size_t i = 0; i < sizeof ORDER / sizeof *ORDER; i++) {
        TRY(is_outputs && !log_field_is_of_outputs(ORDER[i]) ? REGRET_OK
                                                             : find_role(guess, g, ORDER[i]));
    }
    if (is_outputs) {
        int has_both = guess->pattern == NULL && g->at[LOG_AGENT] != INIT_NONE &&
                       g->at[LOG_OUTPUT] != INIT_NONE;
        g->at[LOG_AGENT] = has_both ? g->at[LOG_AGENT] : INIT_NONE;
        g->at[LOG_OUTPUT] = has_both ? g->at[LOG_OUTPUT] : INIT_NONE;
        return request_of(g) != INIT_NONE ? REGRET_OK : ask_any(g, LOG_CONTEXT);
    }
    TRY(g->at[LOG_AGENT] != INIT_NONE ? REGRET_OK : ask_any(g, LOG_AGENT));
    TRY(g->at[LOG_OUTCOME] != INIT_NONE ? REGRET_OK : ask_any(g, LOG_OUTCOME));
    return find_scale(guess, g);
}

/* ---------------------------------------------------------------- covariates */

/* 1 where a column is known before the answer: it follows from the request, which comes again, or its name says so. */
static int is_covariate(int *known, const struct log_guess_table *g, struct init_table *t, int k)
{
    const struct init_column *c = &t->column[k];
    unsigned any = init_name_any(&t->words, c->name);
    int request = request_of(g), is_text = c->numbers < c->filled,
        is_after = (any & (INIT_OUTPUT | INIT_ANY_SCORE)) != 0 ||
                   ((any & INIT_AFTER) != 0 && (c->said.roles & INIT_KNOWN) == 0),
        is_of_item = (any & INIT_ITEM) != 0; /* an affinity to each */
    double varies = 1.0;
    *known = init_has_name(&t->known->covariate, c->name);
    if (*known || !init_is_free(t, k) || c->distinct < 2 || c->is_list || c->said.is_id ||
        is_after || (is_text && (c->longest > 60 || 2 * c->distinct > t->rows))) {
        return REGRET_OK;
    }
    size_t again = request != INIT_NONE ? t->rows - t->column[request].distinct : 0;
    if (5 * again >= t->rows || again >= ENOUGH) {
        TRY(init_varies(&varies, t, k, &request, 1));
    }
    *known = varies == 0.0 ||
             (!is_of_item && ((any | c->said.roles) & (INIT_KNOWN | INIT_USER | INIT_TAG)) != 0);
    return REGRET_OK;
}

/* Those of the first table that the others have, too. */
static int find_covariates(struct log_guess *guess)
{
    struct log_guess_table *first = guess->of[0].table.path != NULL ? guess->of : guess->of + 1;
    struct init_table *t = &first->table;
    for (int k = 0; k < (int)t->n_columns && guess->n_covariates < REGRET_LOG_MAX_COLUMNS; k++) {
        int known = 0;
        TRY(is_covariate(&known, first, t, k));
        for (struct log_guess_table *g = first; g < guess->of + LOG_INPUTS; g++) {
            int at = g->table.path != NULL ? init_column_at(&g->table, init_name(t, k)) : INIT_NONE;
            known &= g->table.path == NULL || (at != INIT_NONE && !g->table.column[at].is_used);
            g->covariate[guess->n_covariates] = at;
        }
        guess->n_covariates += (size_t)known;
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- all of it */

/* A name that an option gives is a column of one table at least. */
static int check_name(const struct log_guess *guess, const char *name)
{
    int found = name == NULL;
    for (int i = 0; i < LOG_INPUTS && !found; i++) {
        found = guess->of[i].table.path != NULL &&
                init_column_at(&guess->of[i].table, name) != INIT_NONE;
    }
    return found ? REGRET_OK
                 : regret_fail(REGRET_E_INPUT,
                               "no table has a column \"%.60s\"; give its name as "
                               "it stands in the header",
                               name);
}

static int check_names(const struct log_guess *guess)
{
    for (int i = 0; i < LOG_INPUTS; i++) {
        const struct init_known *known = guess->of[i].table.known;
        if (known == NULL) {
            continue;
        }
        const struct init_names *const lists[] = {&known->context, &known->agent, &known->leave,
                                                  &known->covariate};
        TRY(known->context.n <= 1 && known->agent.n <= 1
                ? REGRET_OK
                : regret_fail(REGRET_E_INPUT, "--context, --agent: of a log one column each"));
        for (size_t l = 0; l < sizeof lists / sizeof *lists; l++) {
            for (size_t k = 0; k < lists[l]->n; k++) {
                TRY(check_name(guess, lists[l]->item[k]));
            }
        }
    }
    TRY(check_name(guess, guess->known.tag));
    TRY(check_name(guess, guess->known.output));
    return check_name(guess, guess->outcome);
}

static int read_table(struct log_guess *guess, enum log_input_of which, const char *path)
{
    struct log_guess_table *g = &guess->of[which];
    for (int f = 0; f < LOG_COVARIATES; f++) {
        g->at[f] = g->unfit[f] = INIT_NONE;
    }
    if (path == NULL) {
        return REGRET_OK;
    }
    TRY(init_table_read(&g->table, path, &guess->known));
    TRY(init_take_options(&g->table));
    return init_check_cells(&g->table);
}

int log_guess_make(struct log_guess **out, const char *const path[LOG_INPUTS],
                   const struct init_known *known, const char *outcome)
{
    struct log_guess *guess = NULL;
    TRY(REGRET_NEW(&guess, 1));
    *out = guess;
    guess->known = *known;
    guess->known.is_log = 1;
    guess->outcome = outcome;
    for (int i = 0; i < LOG_INPUTS; i++) {
        TRY(read_table(guess, (enum log_input_of)i, path[i]));
    }
    TRY(check_names(guess));
    for (int i = 0; i < LOG_INPUTS; i++) {
        TRY(path[i] != NULL && i == LOG_INPUT_OUTPUTS ? log_guess_wide(guess) : REGRET_OK);
        TRY(path[i] != NULL ? find_roles(guess, (enum log_input_of)i) : REGRET_OK);
    }
    match_ids(guess);
    TRY(log_guess_unit(guess));
    return find_covariates(guess);
}

const struct init_table *log_guess_asked(const struct log_guess *guess)
{
    for (int i = 0; guess != NULL && i < LOG_INPUTS; i++) {
        if (guess->of[i].table.is_asked) {
            return &guess->of[i].table;
        }
    }
    return NULL;
}

void log_guess_free(struct log_guess *guess)
{
    for (int i = 0; guess != NULL && i < LOG_INPUTS; i++) {
        init_table_free(&guess->of[i].table);
    }
    if (guess != NULL) {
        regret_free(guess->pattern);
        regret_log_free(guess->log);
    }
    regret_free(guess);
}
