/* Columns that describe requests. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/status.h"
#include "import/column_names.h"
#include "import/guess.h"
#include "regret/status.h"

enum { MOST_WORDS = 24, MANY_LEVELS = 6, LEAST_TOLD = 8, LEAST_CONTEXTS = 20, EVERY_LEVEL = 4 };
/* Numbers that are blank in one row of so many are no covariate. */
enum { MOST_BLANK = 2 };

static const struct profile_column *column_at(const struct table_guess *g, size_t k)
{
    return &g->profile.column[k];
}

/* Numbers of kinds, by the name: 3 is no more than 2. */
static int is_kind(const struct profile_column *c)
{
    return column_words(c->name, GUESS_TAG) > 0 && c->whole == c->numbers && c->words == 0 &&
           c->distinct <= MOST_WORDS;
}

int guess_covariate_is_number(const struct profile_column *c)
{
    return c->numbers > 0 && c->numbers == c->filled && !is_kind(c);
}

/* ---------------------------------------------------------------- contexts and their scores */

enum { MEAN, HIGHEST, LOWEST, RANGE, SUMMARIES };

/* The rows in the order of their contexts, and what each context comes to. */
struct contexts {
    struct profile_pair *row; /* hash of the context, row; owned, as are the next two */
    size_t *first;            /* [n + 1] */
    double *summary;          /* [n], of one score */
    size_t n, rows;
};

static void contexts_free(struct contexts *c)
{
    regret_free(c->row);
    regret_free(c->first);
    regret_free(c->summary);
}

static int contexts_make(struct contexts *c, const struct table_guess *g)
{
    const struct table_profile *p = &g->profile;
    c->rows = p->rows;
    TRY(REGRET_NEW(&c->row, c->rows));
    TRY(REGRET_NEW(&c->first, c->rows + 1));
    TRY(REGRET_NEW(&c->summary, c->rows));
    for (size_t i = 0; i < c->rows; i++) {
        c->row[i] = (struct profile_pair){p->cell[i * p->n_columns + g->at[GUESS_CONTEXT]], i};
    }
    qsort(c->row, c->rows, sizeof *c->row, profile_pair_compare);
    for (size_t i = 0; i < c->rows; i++) {
        if (i == 0 || c->row[i].a != c->row[i - 1].a) {
            c->first[c->n++] = i;
        }
    }
    c->first[c->n] = c->rows;
    return REGRET_OK;
}

/* A summary of the scores of one context: of column k or, of a wide table, of all agents' of that field. */
static double summarise(const struct contexts *c, size_t x, const struct table_guess *g,
                        const unsigned char *counts, int which)
{
    const struct guess_numbers *numbers = &g->numbers;
    double sum = 0.0, n = 0.0, least = INFINITY, most = -INFINITY;
    for (size_t i = c->first[x]; i < c->first[x + 1]; i++) {
        const double *row = &numbers->value[c->row[i].b * numbers->m];
        for (size_t j = 0; j < numbers->m; j++) {
            if (counts[j] && isfinite(row[j])) {
                sum += row[j];
                n += 1.0;
                least = fmin(least, row[j]);
                most = fmax(most, row[j]);
            }
        }
    }
    return n == 0.0           ? NAN
           : which == MEAN    ? sum / n
           : which == HIGHEST ? most
           : which == LOWEST  ? least
                              : most - least;
}

/* ---------------------------------------------------------------- leaks */

/* What column k says of the contexts whose summary is known; how many. */
static size_t tell(struct told *out, const struct contexts *c, const struct table_guess *g,
                   size_t k)
{
    const struct table_profile *p = &g->profile;
    size_t n = 0, place = guess_numbers_place(&g->numbers, k);
    for (size_t x = 0; x < c->n; x++) {
        size_t row = c->row[c->first[x]].b;
        double number =
            place != GUESS_NO_COLUMN ? g->numbers.value[row * g->numbers.m + place] : NAN;
        int is_blank = guess_covariate_is_number(column_at(g, k)) && isnan(number);
        if (isfinite(c->summary[x]) && !is_blank) {
            out[n++] = (struct told){c->summary[x], number, p->cell[row * p->n_columns + k]};
        }
    }
    return n;
}

/* 1 where p is on the line from one end to the other, to a millionth of what that spans. */
struct point {
    double x, y;
};
static int is_on_line(struct point p, struct point from, struct point to)
{
    double slope = (to.y - from.y) / (to.x - from.x);
    return fabs(from.y + slope * (p.x - from.x) - p.y) <= 1e-6 * fabs(to.y - from.y);
}

/* A line through all of them: what the summary is in other units, as a sum of a mean. Two levels are always on one. */
static int is_on_a_line(const struct told *told, size_t n, size_t levels)
{
    const struct point from = {told[0].summary, told[0].number},
                       to = {told[n - 1].summary, told[n - 1].number};
    int fits = to.x > from.x && to.y != from.y && levels > 2;
    for (size_t i = 0; i < n && fits; i++) {
        fits = is_on_line((struct point){told[i].summary, told[i].number}, from, to);
    }
    return fits;
}

/* A function of the summary. One value for each of the summary's may be by chance, as of scores without noise, unless they are
 * many or on a line. */
static int follows_from(struct told *told, size_t n, int is_number)
{
    size_t wide = 0, levels = n < LEAST_TOLD ? 0 : told_levels(told, n, is_number, &wide);
    return levels > 1 &&
           (wide > 0 || (is_number && (levels >= MANY_LEVELS || is_on_a_line(told, n, levels))));
}

/* A number, or a word of which there are few, without a role, the same in all rows of a context. */
static int may_tell(int *out, const struct table_guess *g, size_t k)
{
    const struct profile_column *c = column_at(g, k);
    int is_number = guess_covariate_is_number(c);
    *out = g->role[k] == GUESS_NONE && column_fits_map(c->name) && c->distinct >= 2 &&
           c->filled > 0 &&
           (is_number || (2 * c->distinct <= g->contexts && c->longest <= REGRET_POOL_MAX_ID));
    TRY(*out ? table_profile_follows(out, &g->profile, k, g->at[GUESS_CONTEXT]) : REGRET_OK);
    return REGRET_OK;
}

/* The columns of scores that make summaries together: of a wide table those of field `i`, of a long one column `i`. 0: it is
 * none of scores. */
static int choose_scores(unsigned char *counts, const struct table_guess *g, size_t i)
{
    int some = 0;
    for (size_t j = 0; j < g->numbers.m; j++) {
        size_t k = g->numbers.column[j];
        counts[j] = (unsigned char)(g->is_score[k] && guess_is_of_field(g, k, i));
        some |= counts[j];
    }
    return some;
}

static int find_followers(struct table_guess *g, const struct contexts *c, struct told *told)
{
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        const struct profile_column *column = column_at(g, k);
        int may = 0;
        TRY(may_tell(&may, g, k));
        if (!may || g->leak[k] != GUESS_NO_LEAK) {
            continue;
        }
        size_t n = tell(told, c, g, k);
        if (follows_from(told, n, guess_covariate_is_number(column))) {
            g->leak[k] = GUESS_FROM_SCORES;
        }
    }
    return REGRET_OK;
}

static int find_score_leaks(struct table_guess *g)
{
    FREED_BY(contexts_free) struct contexts c = {0};
    FREED struct told *told = NULL;
    FREED unsigned char *counts = NULL;
    size_t fields = g->is_wide ? g->wide.n_fields : g->profile.n_columns;
    TRY(contexts_make(&c, g));
    TRY(REGRET_NEW(&told, c.n));
    TRY(REGRET_NEW(&counts, g->numbers.m));
    for (size_t i = 0; i < fields; i++) {
        for (int which = 0; choose_scores(counts, g, i) && which < SUMMARIES; which++) {
            for (size_t x = 0; x < c.n; x++) {
                c.summary[x] = summarise(&c, x, g, counts, which);
            }
            TRY(find_followers(g, &c, told));
        }
    }
    return REGRET_OK;
}

/* The hashes of agents' names, sorted. */
static int find_names(struct profile_pair **out, size_t *n, const struct table_guess *g)
{
    size_t agent = g->at[GUESS_AGENT];
    if (!g->is_wide) {
        return table_profile_distinct(out, n, &g->profile, agent, agent);
    }
    TRY(REGRET_NEW(out, g->wide.n_agents));
    for (*n = 0; *n < g->wide.n_agents; ++*n) {
        const char *name = g->wide.agent[*n];
        uint64_t hash = regret_hash64(name, strlen(name));
        (*out)[*n] = (struct profile_pair){hash, hash};
    }
    qsort(*out, *n, sizeof **out, profile_pair_compare);
    return REGRET_OK;
}

/* Columns that hold agents' names in half of their rows or more. */
static int find_name_leaks(struct table_guess *g)
{
    const struct table_profile *p = &g->profile;
    struct profile_pair *name = NULL;
    size_t n = 0;
    TRY(find_names(&name, &n, g));
    for (size_t k = 0; k < p->n_columns; k++) {
        size_t found = 0;
        for (size_t i = 0; g->role[k] == GUESS_NONE && i < p->rows; i++) {
            const struct profile_pair key = {p->cell[i * p->n_columns + k],
                                             p->cell[i * p->n_columns + k]};
            found += bsearch(&key, name, n, sizeof *name, profile_pair_compare) != NULL;
        }
        g->leak[k] = 2 * found >= p->rows && found > 0 ? GUESS_AGENTS_NAMES : g->leak[k];
    }
    regret_free(name);
    return REGRET_OK;
}

int guess_leaks_find(struct table_guess *g)
{
    TRY(find_name_leaks(g));
    return g->numbers.n == g->profile.rows ? find_score_leaks(g) : REGRET_OK;
}

/* ---------------------------------------------------------------- covariates */

/* Names that speak of what comes after an answer, or of who or what a row is. */
static int is_named_otherwise(const char *name)
{
    static const unsigned KINDS[] = {GUESS_OUTPUT,  GUESS_COST, GUESS_COMPONENT, COLUMN_SMALLER,
                                     COLUMN_WINNER, COLUMN_ID,  COLUMN_SUMMARY,  GUESS_RATER};
    int found = 0;
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        found += column_words(name, KINDS[i]);
    }
    return found > 0;
}

/* Whole numbers that count the contexts. */
static int is_count_of_contexts(const struct table_guess *g, const struct profile_column *c)
{
    return c->whole == c->numbers && c->distinct == g->contexts &&
           c->most - c->least == (double)g->contexts - 1.0;
}

/* What is against a column that is, or is not, the same in all rows of a context. */
static enum guess_left why_left(const struct table_guess *g, size_t k, int follows)
{
    const struct profile_column *c = column_at(g, k);
    enum guess_doubt doubt = g->doubt != NULL ? g->doubt[k] : GUESS_SURE;
    int is_number = guess_covariate_is_number(c);
    int is_kept_out = doubt == GUESS_OTHER_GROUP || (doubt == GUESS_OTHER_NAME && !is_kind(c));
    int is_full = c->numbers == g->profile.rows;
    int is_mostly_blank = MOST_BLANK * (g->profile.rows - c->numbers) >= g->profile.rows;
    int is_answer =
        column_words(c->name, GUESS_REFERENCE) > column_words(c->name, GUESS_TAG) && !is_number;
    return !column_fits_map(c->name) ? GUESS_LEFT_NAMELESS
           : c->filled == 0          ? GUESS_LEFT_BLANK
           : c->distinct < 2 || (is_number && is_full && !(c->least < c->most)) ? GUESS_LEFT_SAME
           : is_named_otherwise(c->name) || is_answer                           ? GUESS_LEFT_NAMED
           : g->leak[k] != GUESS_NO_LEAK || is_kept_out                         ? GUESS_LEFT_BELOW
           : is_number && is_mostly_blank                                       ? GUESS_LEFT_HOLES
           : !follows                                                           ? GUESS_LEFT_VARIES
           : is_number ? (is_count_of_contexts(g, c) ? GUESS_LEFT_COUNTS : GUESS_LEFT_NOT)
           : c->longest > REGRET_POOL_MAX_ID                                     ? GUESS_LEFT_LONG
           : 2 * c->numbers > c->filled && !is_kind(c)                           ? GUESS_LEFT_MIXED
           : c->distinct > MOST_WORDS || EVERY_LEVEL * c->distinct > g->contexts ? GUESS_LEFT_KINDS
                                                                                 : GUESS_LEFT_NOT;
}

/* 1 where column k is column j in other units, blank in the same rows. */
static int is_in_other_units(const struct table_guess *g, size_t j, size_t k)
{
    const struct guess_numbers *x = &g->numbers;
    const double *at_j = x->value + guess_numbers_place(x, j),
                 *at_k = x->value + guess_numbers_place(x, k);
    size_t low = 0, high = 0; /* rows, of m numbers each */
    for (size_t i = 0; i < x->n * x->m; i += x->m) {
        low = at_j[i] < at_j[low] || isnan(at_j[low]) ? i : low;
        high = at_j[i] > at_j[high] || isnan(at_j[high]) ? i : high;
    }
    const struct point from = {at_j[low], at_k[low]}, to = {at_j[high], at_k[high]};
    int fits = 1;
    for (size_t i = 0; i < x->n * x->m && fits; i += x->m) {
        fits = isnan(at_j[i]) ? isnan(at_k[i])
                              : is_on_line((struct point){at_j[i], at_k[i]}, from, to);
    }
    return fits;
}

/* 1 where it says the same as the tag, or as a covariate before it, in other words. Of numbers, each of a context, it does
 * only in other units. */
static int says_again(int *out, const struct table_guess *g, size_t k)
{
    *out = 0;
    for (size_t j = 0; j < g->profile.n_columns && !*out; j++) {
        int there = 0, back = 0;
        if (g->role[j] != GUESS_COVARIATE && g->role[j] != GUESS_TAG) {
            continue;
        }
        TRY(table_profile_follows(&there, &g->profile, k, j));
        TRY(there ? table_profile_follows(&back, &g->profile, j, k) : REGRET_OK);
        int are_numbers = guess_covariate_is_number(column_at(g, j)) &&
                          guess_covariate_is_number(column_at(g, k)) && g->role[j] != GUESS_TAG;
        *out = are_numbers ? is_in_other_units(g, j, k) : there && back;
    }
    return REGRET_OK;
}

static int judge(struct table_guess *g, size_t k)
{
    int follows = 0, again = 0;
    TRY(table_profile_follows(&follows, &g->profile, k, g->at[GUESS_CONTEXT]));
    enum guess_left left = why_left(g, k, follows);
    TRY(left == GUESS_LEFT_NOT ? says_again(&again, g, k) : REGRET_OK);
    int may = g->contexts >= LEAST_CONTEXTS && g->numbers.n == g->profile.rows;
    g->left[k] = (unsigned char)(left != GUESS_LEFT_NOT                     ? left
                                 : !may                                     ? GUESS_LEFT_FEW
                                 : again                                    ? GUESS_LEFT_AGAIN
                                 : g->n_covariates == GUESS_MOST_COVARIATES ? GUESS_LEFT_MANY
                                                                            : GUESS_LEFT_NOT);
    return REGRET_OK;
}

int guess_covariates_find(struct table_guess *g)
{
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        if (g->role[k] != GUESS_NONE) {
            continue;
        }
        TRY(judge(g, k));
        if (g->left[k] == GUESS_LEFT_NOT) {
            g->role[k] = GUESS_COVARIATE;
            g->n_covariates++;
            if (g->doubt != NULL && g->doubt[k] == GUESS_OTHER_NAME) {
                g->doubt[k] = GUESS_SURE;
            }
        }
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- words */

static void put_leaking(struct regret_buffer *out, const struct table_guess *g,
                        enum guess_leak leak, const char *what)
{
    const char *before = "";
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        if (g->leak[k] == leak && g->role[k] == GUESS_NONE) {
            regret_buffer_append(out, before);
            regret_buffer_append_safe(out, column_at(g, k)->name, 40);
            before = ", ";
        }
    }
    regret_buffer_append(out, before[0] != '\0' ? what : "");
}

void guess_covariates_explain(struct regret_buffer *out, const struct table_guess *g)
{
    put_leaking(out, g, GUESS_AGENTS_NAMES,
                ": names of agents, which no request has before it is answered: neither tag nor "
                "covariate.\n");
    put_leaking(
        out, g, GUESS_FROM_SCORES,
        ": made of the scores, it seems, which no request has before it is answered: neither "
        "tag nor covariate.\n");
    if (g->n_covariates > 0) {
        regret_buffer_append(
            out, "Covariates: what is known of a request before it is answered; agents may "
                 "be better for some of them (features.columns, features.agent_columns). "
                 "Take out of the map what is not known then.\n");
    }
}

void guess_covariates_why(struct regret_buffer *out, const struct table_guess *g, size_t k)
{
    static const char *const WHY[GUESS_LEFTS] = {
        [GUESS_LEFT_NOT] = "",
        [GUESS_LEFT_NAMELESS] = ", which no map can name",
        [GUESS_LEFT_BLANK] = ", which holds nothing",
        [GUESS_LEFT_SAME] = ", the same everywhere",
        [GUESS_LEFT_NAMED] = ", by its name an id, an answer, a cost or a score",
        [GUESS_LEFT_BELOW] = ", see below",
        [GUESS_LEFT_HOLES] = ", empty in ",
        [GUESS_LEFT_VARIES] = ", which differs between the rows of a context",
        [GUESS_LEFT_COUNTS] = ", which counts the contexts",
        [GUESS_LEFT_LONG] = ", too long for kinds",
        [GUESS_LEFT_MIXED] = ", numbers beside words",
        [GUESS_LEFT_KINDS] = ", ",
        [GUESS_LEFT_FEW] = ", of too few contexts, or without scores to hold it against",
        [GUESS_LEFT_AGAIN] = ", which says what the tag or a covariate does",
        [GUESS_LEFT_MANY] = ", beyond the most covariates that are taken"};
    const struct profile_column *c = column_at(g, k);
    size_t rows = g->profile.rows;
    int is_unread_cost = g->left[k] == GUESS_LEFT_NAMED && c->other.at > 0 &&
                         column_words(c->name, GUESS_COST) > 0 && c->numbers < c->filled;
    if (g->costless > 0 && column_words(c->name, GUESS_COST) > 0 && c->numbers == c->filled) {
        regret_buffer_printf(out,
                             ", since %zu of %zu agents have none in any row: fill it in for them "
                             "where costs are to count",
                             g->costless, g->agents);
        return;
    }
    regret_buffer_append(out, is_unread_cost ? ", a cost that cannot be read" : WHY[g->left[k]]);
    if (g->role[k] == GUESS_COVARIATE && guess_covariate_is_number(c) && c->numbers < rows) {
        regret_buffer_printf(out, ", blank in %zu of %zu rows: the column's mean stands for them",
                             rows - c->numbers, rows);
    }
    if (is_unread_cost) {
        regret_buffer_printf(out, "; %s %zu holds \"", g->is_json ? "record" : "line", c->other.at);
        regret_buffer_append_safe(out, c->other.text, sizeof c->other.text);
        regret_buffer_append(out, "\": write a cost as a number, all in one unit, as 1200.5 or "
                                  "$1200.50");
    } else if (g->left[k] == GUESS_LEFT_HOLES) {
        regret_buffer_printf(out, "%zu of %zu rows: fill it in to have a covariate",
                             rows - c->numbers, rows);
    } else if (g->left[k] == GUESS_LEFT_KINDS) {
        regret_buffer_printf(out, "%zu kinds of %zu contexts", c->distinct, g->contexts);
    }
}
