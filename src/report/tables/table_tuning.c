/* What causal cross-validation chose, against β (protocol §7). */
#include <math.h>
#include <string.h>

#include <cJSON.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/estimate.h"
#include "regret/families.h"
#include "regret/quantile.h"
#include "report/tables/spec.h"
#include "results/row/row.h"

/* One line of a block: a mean of a number, or the share of rows that chose a word or a value. */
struct choice {
    enum regret_measure measure;
    const size_t *words; /* row_basis or row_cv; NULL for a number */
    size_t word;
    double value; /* the value whose share is meant; NaN: the mean */
};

/* The number of one row, or 100 or 0 for a share; NaN where the row lacks the field. */
static double choice_in_row(const struct regret_results *r, size_t row, const struct choice *c)
{
    if (c->words != NULL) {
        return c->words[row] == REGRET_NO_ROW ? NAN : c->words[row] == c->word ? 100.0 : 0.0;
    }
    double x = r->measure[c->measure][row];
    return !isfinite(x) || !isfinite(c->value) ? x : x == c->value ? 100.0 : 0.0;
}

/* In % for shares; NaN where no row of the slice has the field. */
static double choice_mean(const struct slice *s, size_t family, const struct choice *c)
{
    const struct regret_results *r = s->r;
    double sum = 0.0;
    size_t n = 0;
    for (size_t seed = 0; seed < r->n_seeds; seed++) {
        for (size_t i = 0; i < s->n_cells; i++) {
            size_t row = r->at[family + r->n_subjects * (s->cells[i] + r->n_cells * seed)];
            double x = row != REGRET_NO_ROW ? choice_in_row(r, row, c) : NAN;
            if (isfinite(x)) {
                sum += x;
                n++;
            }
        }
    }
    return n > 0 ? sum / (double)n : NAN;
}

/* A block of one family: its columns, and all of its cells, which are the last one. */
struct tuning_block {
    const struct groups *columns;
    const struct slice *all;
    size_t family;
};

static void put_choice(struct table *t, const struct tuning_block *b, const struct choice *c)
{
    int decimals = c->words != NULL || isfinite(c->value) ? 1 : 3;
    for (size_t j = 0; j < b->columns->n; j++) {
        table_number(t, choice_mean(&b->columns->items[j].slice, b->family, c), decimals);
    }
    table_number(t, choice_mean(b->all, b->family, c), decimals);
}

static void put_mean(struct table *t, const struct tuning_block *b, enum regret_measure measure,
                     const char *letter)
{
    if (has_measure(b->all->r, measure, b->family)) {
        table_row(t, "mean %s", letter);
        put_choice(t, b, &(struct choice){measure, NULL, 0, NAN});
    }
}

/* The numbers of a hyper-parameter that the family's rows have, ascending; free *out. */
static int chosen_values(double **out, size_t *n, const struct regret_results *r,
                         enum regret_measure m, size_t family)
{
    double *chosen = NULL;
    TRY(REGRET_NEW(&chosen, r->n_rows));
    *n = 0;
    for (size_t row = 0; row < r->n_rows; row++) {
        if (r->row_subject[row] == family && isfinite(r->measure[m][row])) {
            chosen[(*n)++] = r->measure[m][row];
        }
    }
    regret_sort_numbers(chosen, *n);
    *out = chosen;
    return REGRET_OK;
}

/* A line for each value of a penalty (ρ or τ) that the family chose anywhere in the run. */
static int put_shares(struct table *t, const struct tuning_block *b, enum regret_measure measure,
                      const char *letter)
{
    double *chosen = NULL;
    size_t n = 0;
    TRY(chosen_values(&chosen, &n, b->all->r, measure, b->family));
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || chosen[i] != chosen[i - 1]) {
            table_row(t, "%s = %.10g (%%)", letter, chosen[i]);
            put_choice(t, b, &(struct choice){measure, NULL, 0, chosen[i]});
        }
    }
    regret_free(chosen);
    return REGRET_OK;
}

/* The hyper-parameters that are shown by their mean, or the others. */
static int put_numbers(struct table *t, const struct tuning_block *b, int means)
{
    for (int m = 0; m < REGRET_N_MEASURES; m++) {
        int by_mean = 0;
        const char *letter = row_tuned_symbol((enum regret_measure)m, &by_mean);
        if (letter != NULL && by_mean == means && means) {
            put_mean(t, b, (enum regret_measure)m, letter);
        } else if (letter != NULL && by_mean == means) {
            TRY(put_shares(t, b, (enum regret_measure)m, letter));
        }
    }
    return REGRET_OK;
}

/* 1 when a row of the family has the word (any word for REGRET_NO_ROW). */
static int has_word(const struct regret_results *r, const size_t *words, size_t word, size_t family)
{
    for (size_t row = 0; row < r->n_rows; row++) {
        if (r->row_subject[row] == family && words[row] != REGRET_NO_ROW &&
            (word == REGRET_NO_ROW || words[row] == word)) {
            return 1;
        }
    }
    return 0;
}

/* A line for each word (a basis, a cross-validation mode) that the family has anywhere. */
static void put_words(struct table *t, const struct tuning_block *b, const size_t *words,
                      const char *label)
{
    const struct regret_results *r = b->all->r;
    for (size_t w = 0; w < r->n_words; w++) {
        if (has_word(r, words, w, b->family)) {
            table_row(t, "%s %s (%%)", label, r->words[w]);
            put_choice(t, b, &(struct choice){REGRET_MEASURE_RHO, words, w, NAN});
        }
    }
}

static int put_family(struct table *t, const struct group *group, size_t family)
{
    static const struct key_axis beta = {REGRET_KEY_BETA, "β"};
    const struct regret_results *r = group->slice.r;
    FREED_BY(groups_free) struct groups columns = {0};
    const struct tuning_block b = {&columns, &group->slice, family};
    TRY(groups_split(&columns, &group->slice, &beta.key, 1));
    table_block(t, "%s%s%s", r->subjects[family].name, group->heading[0] != '\0' ? ": " : "",
                group->heading);
    table_keys_of(t, TABLE_KEY_OF_BLOCK, &group->slice);
    table_key(t, TABLE_KEY_OF_BLOCK, "family", r->subjects[family].name);
    table_column(t, "Chosen");
    table_value_columns(t, &columns, &beta, 1);
    table_column(t, "all");
    TRY(put_numbers(t, &b, 1));
    put_words(t, &b, r->row_basis, "basis");
    TRY(put_numbers(t, &b, 0));
    put_words(t, &b, r->row_cv, "CV mode");
    return REGRET_OK;
}

/* 1 when two rows of the family have different numbers. */
static int varies(const struct regret_results *r, enum regret_measure m, size_t family)
{
    double first = NAN;
    for (size_t row = 0; row < r->n_rows; row++) {
        double x = r->measure[m][row];
        if (r->row_subject[row] != family || !isfinite(x)) {
            continue;
        }
        if (isfinite(first) && x != first) {
            return 1;
        }
        first = x;
    }
    return 0;
}

/* The candidates of a hyper-parameter, if the run had several, in every cell the same; or NULL. */
static const cJSON *candidates_of(const struct regret_results *r, const struct regret_hyper *h)
{
    const cJSON *given = cJSON_GetObjectItemCaseSensitive(r->run.config, h->key);
    int several = h->kind == REGRET_HYPER_GRID && h->column != NULL && cJSON_IsArray(given) &&
                  cJSON_GetArraySize(given) > 1 &&
                  regret_results_find_key(r, h->key) == REGRET_NO_ROW;
    for (const cJSON *x = several ? given->child : NULL; x != NULL; x = x->next) {
        several = several && cJSON_IsNumber(x);
    }
    return several ? given : NULL;
}

/* The share of the family's fits that chose `value`; 0 where it has none. */
static double share_of(const struct regret_results *r, enum regret_measure m, size_t family,
                       double value)
{
    double n = 0.0, chosen = 0.0;
    for (size_t row = 0; row < r->n_rows; row++) {
        double x = r->measure[m][row];
        n += r->row_subject[row] == family && isfinite(x);
        chosen += r->row_subject[row] == family && x == value;
    }
    return n > 0.0 ? chosen / n : 0.0;
}

static enum regret_measure measure_named(const char *column)
{
    int m = 0;
    while (m < REGRET_MEASURE_R2 && strcmp(row_measure_name((enum regret_measure)m), column) != 0) {
        m++;
    }
    return (enum regret_measure)m;
}

/* Warns where more than a third of the fits chose an end of a list that could go on: what lies
 * beyond might do better. λ = 1, as far as λ goes, is no such end. */
static void warn_of_ends(struct table *t, const struct regret_results *r, size_t family)
{
    const struct regret_family *known = regret_family_find(r->subjects[family].name);
    for (size_t i = 0; known != NULL && i < known->n_hypers; i++) {
        const struct regret_hyper *h = &known->hypers[i];
        const cJSON *list = candidates_of(r, h);
        for (int end = 0; list != NULL && end < 2; end++) {
            int last = cJSON_GetArraySize(list) - 1;
            double value = cJSON_GetArrayItem(list, end ? last : 0)->valuedouble;
            double share = share_of(r, measure_named(h->column), family, value);
            if (share > 1.0 / 3.0 && (end ? value < h->high : value > h->low)) {
                table_note(t,
                           "%s: %.0f %% of the fits chose %.10g, the %s of %s: what lies beyond is "
                           "untried.",
                           known->name, 100.0 * share, value, end ? "largest" : "smallest", h->key);
            }
        }
    }
}

static int has_candidates(const struct regret_results *r, size_t family)
{
    const struct regret_family *known = regret_family_find(r->subjects[family].name);
    int found = 0;
    for (size_t i = 0; known != NULL && i < known->n_hypers; i++) {
        found |= candidates_of(r, &known->hypers[i]) != NULL;
    }
    return found;
}

int family_is_tuned(const struct regret_results *r, size_t family)
{
    return has_candidates(r, family) || has_measure(r, REGRET_MEASURE_LAMBDA, family) ||
           varies(r, REGRET_MEASURE_ALPHA, family) || varies(r, REGRET_MEASURE_RHO, family) ||
           has_word(r, r->row_basis, REGRET_NO_ROW, family);
}

int put_tuning(struct table *t, const struct table_data *d)
{
    for (size_t f = 0; f < d->r->n_families; f++) {
        size_t n = family_is_tuned(d->r, f) ? d->groups.n : 0;
        for (size_t i = 0; i < n; i++) {
            TRY(put_family(t, &d->groups.items[i], f));
        }
    }
    for (size_t f = 0; f < d->r->n_families; f++) {
        warn_of_ends(t, d->r, f);
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- the end of T9 */

/* How often a variant that pools chose each λ, over all cells and seeds. */
static int put_lambdas_of(struct table *t, const struct table_data *d, size_t family)
{
    double *lambda = NULL;
    size_t n = 0;
    TRY(chosen_values(&lambda, &n, d->r, REGRET_MEASURE_LAMBDA, family));
    if (n > 0) {
        table_block(t, "λ chosen by %s, %zu fits", d->r->subjects[family].name, n);
        TABLE_HEADS(t, "λ", "Fits", "Share (%)");
    }
    for (size_t i = 0, end = 0; i < n; i = end) {
        while (end < n && lambda[end] == lambda[i]) {
            end++;
        }
        table_row(t, "%.10g", lambda[i]);
        table_number(t, (double)(end - i), 0);
        table_number(t, 100.0 * (double)(end - i) / (double)n, 1);
    }
    regret_free(lambda);
    return REGRET_OK;
}

int put_chosen_lambdas(struct table *t, const struct table_data *d)
{
    for (size_t f = 0; f < d->r->n_families; f++) {
        if (!family_is_ranked(d->r, f)) {
            TRY(put_lambdas_of(t, d, f));
        }
    }
    return REGRET_OK;
}
