/* Columns made of others. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "import/column_names.h"
#include "import/guess.h"
#include "import/guess_parts.h"
#include "pool/agreement.h"
#include "regret/status.h"

enum { LEAST_ROWS = 5, MOST_OF_A_UNIT = 64 };

/* The columns looked at, and their numbers by rows; NaN where there is none. */
struct numbers {
    size_t *column; /* owned, as is the next */
    double *value;
    size_t n, m;
};

FREED_FIELDS(numbers, of->column, of->value)

static const char *name_at(const struct table_guess *g, size_t k)
{
    return g->profile.column[k].name;
}

void guess_relations_free(struct guess_relations *r)
{
    regret_free(r->rater_of);
    *r = (struct guess_relations){0};
}

/* ---------------------------------------------------------------- columns */

/* The column of agent a in the field of a wide table's first component. */
static size_t column_of(const struct table_guess *g, const char *pattern, const char *agent)
{
    for (size_t k = 0; k < g->profile.n_columns; k++) {
        if (guess_wide_is_column(name_at(g, k), pattern, agent)) {
            return k;
        }
    }
    return GUESS_NO_COLUMN;
}

static void choose_columns(struct numbers *x, const struct table_guess *g)
{
    size_t f = 0;
    for (size_t k = 0; !g->is_wide && k < g->profile.n_columns; k++) {
        if ((g->role[k] == GUESS_COMPONENT || g->role[k] == GUESS_AUX) &&
            g->profile.column[k].numbers > 0) {
            x->column[x->m++] = k;
        }
    }
    while (g->is_wide && f < g->wide.n_fields && g->wide.field[f].role != GUESS_COMPONENT) {
        f++;
    }
    for (size_t a = 0; g->is_wide && f < g->wide.n_fields && a < g->wide.n_agents; a++) {
        size_t k = column_of(g, g->wide.field[f].over.name, g->wide.agent[a]);
        if (k != GUESS_NO_COLUMN) {
            x->column[x->m++] = k;
        }
    }
}

/* The numbers of the columns chosen. */
static int copy_numbers(struct numbers *x, const struct table_guess *g)
{
    const struct guess_numbers *all = &g->numbers;
    x->n = all->n;
    TRY(REGRET_NEW(&x->value, x->n * x->m));
    for (size_t j = 0; j < x->m; j++) {
        size_t from = guess_numbers_place(all, x->column[j]);
        for (size_t i = 0; i < x->n; i++) {
            x->value[i * x->m + j] = from != GUESS_NO_COLUMN ? all->value[i * all->m + from] : NAN;
        }
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- made of the others */

enum how { HOW_MEAN, HOW_SUM, HOW_MEDIAN, HOW_HIGHEST, HOW_LOWEST, HOWS };
static const char *const HOW_WORDS[HOWS] = {"mean", "sum", "median", "highest", "lowest"};

static int is_summary(const struct table_guess *g, size_t k)
{
    return column_words(name_at(g, k), COLUMN_SUMMARY) > 0;
}

/* Whether number j of the columns may be one of those that another is made of. */
static int is_source(const struct table_guess *g, const struct numbers *x, size_t j, size_t of)
{
    size_t k = x->column[j];
    return j != of && !is_summary(g, k) && (g->is_wide || g->role[k] == GUESS_COMPONENT);
}

/* What the n numbers make, sorted as they become. */
static void summarise(double out[HOWS], double *number, size_t n)
{
    out[HOW_SUM] = 0.0;
    for (size_t i = 0; i < n; i++) {
        out[HOW_SUM] += number[i];
    }
    regret_sort_numbers(number, n);
    out[HOW_MEAN] = out[HOW_SUM] / (double)n;
    out[HOW_MEDIAN] = regret_quantile(number, n, 0.5);
    out[HOW_HIGHEST] = number[n - 1];
    out[HOW_LOWEST] = number[0];
}

/* The half of the last decimal place that a number is written with: what rounding may have cost. */
static double rounding_of(double y)
{
    double unit = 1.0;
    for (int d = 0; d < 9 && fabs(y / unit - nearbyint(y / unit)) > 1e-9 / unit; d++) {
        unit /= 10.0;
    }
    return unit;
}

/* Of the most places that column j has anywhere. */
static double finest_place(const struct numbers *x, size_t j)
{
    double unit = 1.0;
    for (size_t i = 0; i < x->n; i++) {
        double y = x->value[i * x->m + j];
        unit = isfinite(y) ? fmin(unit, rounding_of(y)) : unit;
    }
    return unit;
}

/* How column j follows from the others in every row, if it does; by chance it would not in five that differ. */
static enum how find_how(const struct table_guess *g, const struct numbers *x, size_t j,
                         double *room)
{
    size_t rows = 0;
    unsigned char may[HOWS] = {1, 1, 1, 1, 1};
    int differs = 0;
    int is_named = is_summary(g, x->column[j]); /* its sources may be rounded, too */
    double unit = finest_place(x, j), first = NAN, source = 1.0;
    for (size_t l = 0; l < x->m && is_named; l++) {
        source = is_source(g, x, l, j) ? fmin(source, finest_place(x, l)) : source;
    }
    double reach = 0.5000001 * (is_named ? unit + fmax(unit, source < 1.0 ? source : 0.0) : unit);
    for (size_t i = 0; i < x->n && memchr(may, 1, sizeof may) != NULL; i++) {
        const double *row = &x->value[i * x->m];
        double made[HOWS];
        size_t n = 0;
        for (size_t l = 0; l < x->m; l++) {
            if (is_source(g, x, l, j) && isfinite(row[l])) {
                room[n++] = row[l];
            }
        }
        if (n < 2 || !isfinite(row[j])) {
            continue;
        }
        summarise(made, room, n);
        differs |= rows > 0 && row[j] != first;
        first = rows++ == 0 ? row[j] : first;
        for (size_t h = 0; h < HOWS; h++) {
            may[h] = (unsigned char)(may[h] && fabs(made[h] - row[j]) <= reach);
        }
    }
    enum how how = HOW_MEAN;
    while (how < HOWS && !may[how]) {
        how++;
    }
    int is_told = rows >= LEAST_ROWS && differs &&
                  (is_named || (how < HOW_MEDIAN && (unit < 1.0 || how != HOW_MEAN)));
    return is_told ? how : HOWS;
}

static void leave_out(struct table_guess *g, struct numbers *x, size_t j, enum how how)
{
    size_t k = x->column[j];
    g->relations.made[g->relations.n_made++] = (struct guess_made){k, HOW_WORDS[how]};
    if (g->is_wide) {
        guess_wide_drop(g, j);
    } else {
        g->n_components -= g->role[k] == GUESS_COMPONENT;
        g->n_aux -= g->role[k] == GUESS_AUX;
        g->role[k] = GUESS_NONE;
    }
    for (size_t i = 0; i < x->n; i++) {
        memmove(&x->value[i * x->m + j], &x->value[i * x->m + j + 1],
                (x->m - j - 1) * sizeof *x->value);
    }
    for (size_t i = 0, to = 0; i < x->n * x->m; i++) { /* rows of one number less */
        if (i % x->m != x->m - 1) {
            x->value[to++] = x->value[i];
        }
    }
    memmove(&x->column[j], &x->column[j + 1], (x->m - j - 1) * sizeof *x->column);
    x->m--;
}

static int find_made(struct table_guess *g, struct numbers *x)
{
    double *room = NULL;
    TRY(REGRET_NEW(&room, x->m));
    for (size_t j = 0; j < x->m && x->m > 2 && g->relations.n_made < GUESS_MOST_MADE;) {
        enum how how = find_how(g, x, j, room);
        if (how < HOWS) {
            leave_out(g, x, j, how);
        } else {
            j++;
        }
    }
    regret_free(room);
    return REGRET_OK;
}

/* ---------------------------------------------------------------- raters */

/* Words that say that a column holds scores, and nothing of which. */
static int is_generic(const char *word)
{
    static const char words[] =
        " score scores rating ratings grade grades judge judgement judgment mark marks ";
    char between[GUESS_QUALITY + 3];
    snprintf(between, sizeof between, " %s ", word);
    return strstr(words, between) != NULL;
}

/* What a column of a rater is about: words for a quality that stand in its name ("" without), of one by its number alone the
 * name before that. 0: nothing says that it is a rater's. */
static int quality_of(char out[GUESS_QUALITY], const char *name)
{
    int by_name = column_words(name, GUESS_RATER) > 0, has_number = 0, generic = 0;
    char word[GUESS_QUALITY];
    size_t n = 0, used = 0;
    out[0] = '\0';
    for (size_t i = 0;; i++) {
        unsigned char c = (unsigned char)name[i];
        if (isalpha(c) && n + 1 < sizeof word &&
            !(n > 0 && isupper(c) && islower((unsigned char)name[i - 1]))) {
            word[n++] = (char)tolower(c);
            continue;
        }
        word[n] = '\0';
        int wanted =
            n > 0 && (by_name ? column_words(word, GUESS_COMPONENT) > 0 &&
                                    column_words(word, GUESS_RATER) == 0 && !is_generic(word)
                              : 1);
        generic |= n > 0 && is_generic(word);
        has_number |= isdigit(c) != 0 && (i == 0 || name[i - 1] != '.'); /* no place in a list */
        if (wanted && used + n + 2 < GUESS_QUALITY) {
            used += (size_t)snprintf(out + used, GUESS_QUALITY - used, "%s%s", used > 0 ? "_" : "",
                                     word);
        }
        n = 0;
        if (isalpha(c)) {
            word[n++] = (char)tolower(c);
        }
        if (c == '\0') {
            break;
        }
    }
    return by_name || (has_number && generic);
}

/* Two columns of one thing; one that is the mean of a list is of raters of its own kind. */
static int are_raters(const struct table_guess *g, size_t a, size_t b)
{
    char one[GUESS_QUALITY], other[GUESS_QUALITY];
    return strchr(name_at(g, a), '*') == NULL && strchr(name_at(g, b), '*') == NULL &&
           quality_of(one, name_at(g, a)) && quality_of(other, name_at(g, b)) &&
           strcmp(one, other) == 0 &&
           column_direction(name_at(g, a)) == column_direction(name_at(g, b));
}

static int are_on_one_scale(const struct table_guess *g, size_t a, size_t b)
{
    double range[2][2];
    scale_of(range[0], g->profile.column[a].least, g->profile.column[a].most);
    scale_of(range[1], g->profile.column[b].least, g->profile.column[b].most);
    return range[0][0] == range[1][0] && range[0][1] == range[1][1];
}

static int find_alpha(struct guess_raters *r, const struct table_guess *g, const struct numbers *x,
                      size_t which)
{
    double *value = NULL;
    size_t m = 0;
    TRY(REGRET_NEW(&value, x->n * x->m));
    for (size_t j = 0; j < x->m; j++) {
        m += g->relations.rater_of[x->column[j]] == which;
    }
    for (size_t i = 0, to = 0; i < x->n; i++) {
        for (size_t j = 0; j < x->m; j++) {
            if (g->relations.rater_of[x->column[j]] == which) {
                value[to++] = x->value[i * x->m + j];
            }
        }
    }
    r->alpha = regret_krippendorff_alpha(value, x->n, m);
    regret_free(value);
    return REGRET_OK;
}

/* Puts the columns of raters of the same thing together. */
static int find_raters(struct table_guess *g, const struct numbers *x)
{
    struct guess_relations *r = &g->relations;
    TRY(REGRET_NEW(&r->rater_of, g->profile.n_columns));
    memset(r->rater_of, 0xff, g->profile.n_columns * sizeof *r->rater_of); /* GUESS_NO_COLUMN */
    for (size_t i = 0; i < x->m && r->n_raters < GUESS_MOST_RATERS; i++) {
        size_t a = x->column[i], found = 0;
        for (size_t j = i + 1; j < x->m; j++) {
            size_t b = x->column[j];
            if (r->rater_of[a] == (found > 0 ? r->n_raters : GUESS_NO_COLUMN) &&
                r->rater_of[b] == GUESS_NO_COLUMN && g->role[a] == GUESS_COMPONENT &&
                g->role[b] == GUESS_COMPONENT && are_raters(g, a, b)) {
                if (are_on_one_scale(g, a, b)) {
                    r->rater_of[a] = r->rater_of[b] = r->n_raters;
                    found++;
                } else {
                    r->apart[0] = a;
                    r->apart[1] = b;
                }
            }
        }
        if (found > 0) {
            struct guess_raters *own = &r->raters[r->n_raters];
            own->first = a;
            quality_of(own->name, name_at(g, a));
            if (own->name[0] == '\0') {
                snprintf(own->name, sizeof own->name, "rating");
            }
            TRY(find_alpha(own, g, x, r->n_raters));
            g->n_components -= found;
            r->n_raters++;
        }
    }
    return REGRET_OK;
}

const struct guess_raters *guess_raters_at(const struct table_guess *g, size_t k)
{
    const struct guess_relations *r = &g->relations;
    size_t which = r->rater_of != NULL ? r->rater_of[k] : GUESS_NO_COLUMN;
    return which != GUESS_NO_COLUMN && r->raters[which].first == k ? &r->raters[which] : NULL;
}

int guess_is_other_rater(const struct table_guess *g, size_t k)
{
    const struct guess_relations *r = &g->relations;
    return r->rater_of != NULL && r->rater_of[k] != GUESS_NO_COLUMN &&
           r->raters[r->rater_of[k]].first != k;
}

/* ---------------------------------------------------------------- raters in rows */

/* Row by row the output, as far as it is known, and the cell of column k; ascending. */
static int list_units(struct profile_pair **out, const struct table_guess *g, size_t k)
{
    static const enum guess_role OF_UNIT[] = {GUESS_CONTEXT, GUESS_AGENT, GUESS_OUTPUT};
    const struct table_profile *p = &g->profile;
    TRY(REGRET_NEW(out, p->rows));
    for (size_t i = 0; i < p->rows; i++) {
        const uint64_t *cell = &p->cell[i * p->n_columns];
        uint64_t unit = 0;
        for (size_t r = 0; r < sizeof OF_UNIT / sizeof *OF_UNIT; r++) {
            size_t at = g->at[OF_UNIT[r]];
            unit = unit * UINT64_C(0x9e3779b97f4a7c15) + (at != GUESS_NO_COLUMN ? cell[at] : 0);
        }
        (*out)[i] = (struct profile_pair){unit, k != GUESS_NO_COLUMN ? cell[k] : i};
    }
    qsort(*out, p->rows, sizeof **out, profile_pair_compare);
    return REGRET_OK;
}

/* How many units there are, those with several values of column k, and different pairs of the two. */
struct unit_counts {
    size_t units, several, values;
};

static int count_units(struct unit_counts *n, const struct table_guess *g, size_t k)
{
    struct profile_pair *row = NULL;
    size_t in_unit = 0;
    *n = (struct unit_counts){0, 0, 0};
    TRY(list_units(&row, g, k));
    for (size_t i = 0; i < g->profile.rows; i++) {
        int is_new = i == 0 || row[i].a != row[i - 1].a;
        int is_other = is_new || row[i].b != row[i - 1].b;
        in_unit = is_new ? 1 : in_unit + (size_t)is_other;
        n->units += (size_t)is_new;
        n->values += (size_t)is_other;
        n->several += is_other && in_unit == 2;
    }
    regret_free(row);
    return REGRET_OK;
}

/* Who has rated differs within most pairs or, of few that were rated twice, in nearly all rows of a pair. Numbers that are not
 * called an id may be scores, unless every pair has each of them once. */
int guess_rater_find(struct table_guess *g)
{
    for (size_t k = 0; k < g->profile.n_columns && g->at[GUESS_RATER] == GUESS_NO_COLUMN; k++) {
        const struct profile_column *c = &g->profile.column[k];
        struct unit_counts n;
        if (k == g->at[GUESS_CONTEXT] || k == g->at[GUESS_AGENT] || c->filled < g->profile.rows ||
            column_words(c->name, GUESS_RATER) == 0 || !column_fits_map(c->name)) {
            continue;
        }
        TRY(count_units(&n, g, k));
        size_t rows = g->profile.rows;
        int may_be_score = c->numbers > 0 && column_words(c->name, COLUMN_ID) == 0;
        int is_told = may_be_score ? n.values == rows && rows == n.units * c->distinct
                                   : 2 * n.several >= n.units || 20 * n.values >= 19 * rows;
        if (n.several > 0 && is_told) {
            g->at[GUESS_RATER] = k;
        }
    }
    return REGRET_OK;
}

/* α of a column of scores over `units`, whose rows stand together; each has `most` rows or fewer. */
static int find_rated(struct guess_rated *out, const struct table_guess *g,
                      const struct profile_pair *row, size_t units, size_t most)
{
    const struct guess_numbers *x = &g->numbers;
    size_t place = guess_numbers_place(x, out->column), at = 0, unit = 0;
    double *value = NULL;
    TRY(REGRET_NEW(&value, units * most));
    for (size_t i = 0; i < units * most; i++) {
        value[i] = NAN;
    }
    for (size_t i = 0; i < g->profile.rows; i++) {
        int is_new = i > 0 && row[i].a != row[i - 1].a;
        unit += (size_t)is_new;
        at = is_new ? unit * most : at;
        value[at++] = row[i].b < x->n ? x->value[row[i].b * x->m + place] : (double)NAN;
    }
    out->alpha = regret_krippendorff_alpha(value, units, most);
    regret_free(value);
    return REGRET_OK;
}

int guess_rated_find(struct table_guess *g)
{
    struct guess_relations *r = &g->relations;
    struct unit_counts n;
    FREED struct profile_pair *row = NULL;
    size_t most = 0, in_unit = 0;
    if (g->at[GUESS_RATER] == GUESS_NO_COLUMN) {
        return REGRET_OK;
    }
    TRY(count_units(&n, g, g->at[GUESS_RATER]));
    r->has_draws = n.values < g->profile.rows || n.units > g->pairs;
    TRY(list_units(&row, g, GUESS_NO_COLUMN));
    for (size_t i = 0; i < g->profile.rows; i++) {
        in_unit = i > 0 && row[i].a == row[i - 1].a ? in_unit + 1 : 1;
        most = in_unit > most ? in_unit : most;
    }
    for (size_t k = 0; k < g->profile.n_columns && r->n_rated < GUESS_MOST_RATERS; k++) {
        if (g->role[k] == GUESS_COMPONENT && most <= MOST_OF_A_UNIT &&
            guess_numbers_place(&g->numbers, k) != GUESS_NO_COLUMN) {
            r->rated[r->n_rated].column = k;
            TRY(find_rated(&r->rated[r->n_rated++], g, row, n.units, most));
        }
    }
    return REGRET_OK;
}

int guess_relations_find(struct table_guess *g)
{
    FREED_BY(numbers_fields) struct numbers x = {0};
    TRY(REGRET_NEW(&x.column, g->profile.n_columns));
    choose_columns(&x, g);
    if (x.m < 2) {
        return REGRET_OK;
    }
    TRY(copy_numbers(&x, g));
    TRY(find_made(g, &x));
    return !g->is_wide ? find_raters(g, &x) : REGRET_OK;
}

/* ---------------------------------------------------------------- words */

static const char ALPHA[] = "(Krippendorff's alpha of intervals; 1 all, 0 what chance gives)";

/* Of raters in rows. */
static void say_rated(struct regret_buffer *out, const struct table_guess *g)
{
    const struct guess_relations *r = &g->relations;
    if (g->at[GUESS_RATER] == GUESS_NO_COLUMN) {
        return;
    }
    regret_buffer_printf(
        out, "Scores are means of %zu raters, each with rows of its own. Their agreement %s:",
        g->profile.column[g->at[GUESS_RATER]].distinct, ALPHA);
    for (size_t i = 0; i < r->n_rated; i++) {
        regret_buffer_append(out, i > 0 ? ", " : " ");
        regret_buffer_append_safe(out, name_at(g, r->rated[i].column), 40);
        regret_buffer_printf(out, isnan(r->rated[i].alpha) ? " too little to tell" : " %.2f",
                             r->rated[i].alpha);
    }
    regret_buffer_append(out, ". A component with \"rater\": \"NAME\" in the map has the scores of "
                              "that one alone.\n");
}

void guess_relations_explain(struct regret_buffer *out, const struct table_guess *g)
{
    const struct guess_relations *r = &g->relations;
    for (size_t i = 0; i < r->n_made; i++) {
        regret_buffer_append(out, "Column ");
        regret_buffer_append_safe(out, name_at(g, r->made[i].column), 40);
        regret_buffer_printf(out, " is the %s of the other %s: left out.\n", r->made[i].how,
                             g->is_wide ? "agents' columns" : "scores");
    }
    say_rated(out, g);
    for (size_t i = 0; i < r->n_raters; i++) {
        const char *before = "";
        for (size_t k = 0; k < g->profile.n_columns; k++) {
            if (r->rater_of[k] == i) {
                regret_buffer_append(out, before);
                regret_buffer_append_safe(out, name_at(g, k), 40);
                before = ", ";
            }
        }
        regret_buffer_printf(out, ": raters, whose mean is the component %s. ", r->raters[i].name);
        if (isnan(r->raters[i].alpha)) {
            regret_buffer_append(out, "Too little to tell whether they agree.");
        } else {
            regret_buffer_printf(out, "Their agreement: %.2f %s.", r->raters[i].alpha, ALPHA);
        }
        regret_buffer_append(out, " Where they rate different things, make them components of "
                                  "their own in the map.\n");
    }
    for (size_t i = 0; i < 2 && r->apart[1] > 0; i++) {
        const struct profile_column *c = &g->profile.column[r->apart[i]];
        regret_buffer_append_safe(out, c->name, 40);
        regret_buffer_printf(out, " (%.6g to %.6g)%s", c->least, c->most,
                             i == 0 ? " and "
                                    : " are on two scales, and so two scores, not raters with one "
                                      "mean: where they rate the same, bring them to one scale.\n");
    }
}
