/* Tables by tag and of tuning. */
#include <cJSON.h>
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/random.h"
#include "base/status.h"
#include "base/text.h"
#include "regret/estimate.h"
#include "regret/status.h"
#include "report/internal.h"
#include "report/lists.h"
#include "results/row.h"

/* Regret by the tag of the contexts, of the rows' lists. */

enum { MOST_TAGS = 60 };

/* The tags of a run, and which of them the contexts of its grids have. */
struct tags {
    struct names names; /* "": contexts without one */
    size_t *contexts;   /* of all grids that have it, [names.n]; owned */
    uint32_t *kind;     /* of each context, those of one grid after those of the other; owned */
    size_t *first;      /* of each grid in `kind`; owned */
};

static void tags_free(struct tags *t)
{
    names_free(&t->names);
    regret_free(t->contexts);
    regret_free(t->kind);
    regret_free(t->first);
}

static int tags_make(struct tags *t, const struct regret_results *r)
{
    size_t n = 0;
    TRY(REGRET_NEW(&t->first, r->n_grids));
    for (size_t g = 0; g < r->n_grids; g++) {
        t->first[g] = n;
        n += r->grids[g].n_contexts;
    }
    TRY(REGRET_NEW(&t->kind, n));
    for (size_t g = 0; g < r->n_grids; g++) {
        const struct regret_run_grid *grid = &r->grids[g];
        for (size_t x = 0; x < grid->n_contexts; x++) {
            const char *tag = grid->tags != NULL ? grid->tags[x] : NULL;
            TRY(names_enter(&t->kind[t->first[g] + x], &t->names, tag != NULL ? tag : ""));
        }
    }
    TRY(REGRET_NEW(&t->contexts, t->names.n));
    for (size_t i = 0; i < n; i++) {
        t->contexts[t->kind[i]]++;
    }
    return REGRET_OK;
}

/* A subject's mean loss in a slice's cells on the contexts of each tag, by seed: [n_seeds × tags], NaN
 * unless every cell held out one that has it. */
struct losses {
    double *mean; /* owned, and the others */
    double *sum, *times;
};

static void losses_free(struct losses *l)
{
    regret_free(l->mean);
    regret_free(l->sum);
    regret_free(l->times);
}

static int losses_make(struct losses *l, const struct tags *t, size_t n_seeds)
{
    TRY(REGRET_NEW(&l->mean, t->names.n * n_seeds));
    TRY(REGRET_NEW(&l->sum, t->names.n));
    return REGRET_NEW(&l->times, t->names.n);
}

static void add_cell(struct losses *l, const struct tags *t, const struct regret_results *r,
                     size_t subject, size_t oracle, size_t cell, size_t seed)
{
    struct regret_list_view x = regret_results_list(r, REGRET_LIST_CONTEXT, oracle, cell, seed);
    struct regret_list_view loss = regret_results_list(r, REGRET_LIST_LOSS, subject, cell, seed);
    memset(l->sum, 0, t->names.n * sizeof *l->sum);
    memset(l->times, 0, t->names.n * sizeof *l->times);
    for (size_t k = 0; k < loss.n && x.n == loss.n; k++) {
        size_t kind = t->kind[t->first[r->cell_grid[cell]] + (size_t)x.number[k]];
        l->sum[kind] += loss.number[k];
        l->times[kind] += 1.0;
    }
}

static void losses_take(struct losses *l, const struct tags *t, const struct slice *s,
                        size_t subject, size_t oracle)
{
    memset(l->mean, 0, t->names.n * s->r->n_seeds * sizeof *l->mean);
    for (size_t seed = 0; seed < s->r->n_seeds; seed++) {
        double *mean = l->mean + seed * t->names.n;
        for (size_t c = 0; c < s->n_cells; c++) {
            add_cell(l, t, s->r, subject, oracle, s->cells[c], seed);
            for (size_t i = 0; i < t->names.n; i++) {
                mean[i] +=
                    l->times[i] > 0.0 ? l->sum[i] / l->times[i] / (double)s->n_cells : (double)NAN;
            }
        }
    }
}

/* The seeds' numbers of a tag, those of `less` (NULL: 0) taken off, where there are both. */
static struct paired over_seeds(double *scratch, const struct losses *l, const struct losses *less,
                                size_t tag, size_t n_tags, size_t n_seeds)
{
    for (size_t seed = 0; seed < n_seeds; seed++) {
        size_t i = seed * n_tags + tag;
        scratch[seed] = l->mean[i] - (less != NULL ? less->mean[i] : 0.0);
    }
    return paired_moments(scratch, keep_finite(scratch, n_seeds));
}

/* What a block is made of. */
struct tag_block {
    const struct table_data *d;
    const struct slice *slice;
    const struct tags *tags;
    struct losses *losses; /* of each subject; owned by put_group() */
    const size_t *column;  /* the subjects */
    size_t n_columns;
    double *scratch; /* [n_seeds] */
};

FREED_FIELDS(tag_block, of->scratch)

static void label_row(struct table *t, const struct tags *tags, size_t i)
{
    const char *name = tags->names.name[i];
    table_row(t, "%s (%zu)", name[0] != '\0' ? name : "no tag", tags->contexts[i]);
}

static void put_regrets(struct table *t, const struct tag_block *b)
{
    size_t seeds = b->d->r->n_seeds;
    for (size_t i = 0; i < b->tags->names.n && i < MOST_TAGS; i++) {
        label_row(t, b->tags, i);
        for (size_t j = 0; j < b->n_columns; j++) {
            struct paired p =
                over_seeds(b->scratch, &b->losses[j], NULL, i, b->tags->names.n, seeds);
            table_estimate(t, p.mean, p.se, measure_decimals(REGRET_MEASURE_REGRET));
        }
    }
}

/* Every column but that of `base` against it. */
static void put_differences(struct table *t, const struct tag_block *b, size_t base)
{
    size_t seeds = b->d->r->n_seeds;
    for (size_t i = 0; i < b->tags->names.n && i < MOST_TAGS; i++) {
        label_row(t, b->tags, i);
        for (size_t j = 0; j < b->d->n_ranked; j++) {
            struct paired p =
                over_seeds(b->scratch, &b->losses[j], &b->losses[base], i, b->tags->names.n, seeds);
            double half = half_width(p.se, p.n);
            unsigned best = p.mean + half < 0.0 ? TABLE_BEST : 0;
            table_cell(t, NULL, p.mean, half, measure_decimals(REGRET_MEASURE_REGRET),
                       TABLE_NUMBER | TABLE_SIGNED | TABLE_SE | best);
        }
    }
}

static void put_heads(struct table *t, const struct tag_block *b, size_t n)
{
    table_column(t, "Tag (contexts)");
    for (size_t j = 0; j < n; j++) {
        table_column(t, "%s", b->d->r->subjects[b->column[j]].name);
    }
}

/* 1 for what families are held against, tag by tag: the rules that go by EXP. */
static int is_base(const struct regret_subject *s)
{
    return s->source != NULL && strcmp(s->source, "EXP") == 0;
}

static void put_blocks(struct table *t, const struct tag_block *b, const struct group *group)
{
    table_block_of(t, group, "regret");
    put_heads(t, b, b->n_columns);
    put_regrets(t, b);
    for (size_t j = b->d->n_ranked; j < b->n_columns; j++) {
        const struct regret_subject *s = &b->d->r->subjects[b->column[j]];
        if (is_base(s)) {
            struct regret_buffer heading = REGRET_BUFFER_INIT;
            regret_buffer_printf(&heading, "less the regret of %s", s->name);
            table_block_of(t, group, regret_buffer_get(&heading));
            text_free_into(&t->status, &heading);
            put_heads(t, b, b->d->n_ranked);
            put_differences(t, b, j);
        }
    }
}

static int put_group(struct table *t, const struct tag_block *shared, const struct group *group,
                     size_t oracle)
{
    struct tag_block b = *shared;
    int rc;
    b.slice = &group->slice;
    TRY_CLEANUP(REGRET_NEW(&b.losses, b.n_columns));
    for (size_t j = 0; j < b.n_columns; j++) {
        TRY_CLEANUP(losses_make(&b.losses[j], b.tags, b.d->r->n_seeds));
        losses_take(&b.losses[j], b.tags, b.slice, b.column[j], oracle);
    }
    put_blocks(t, &b, group);
cleanup:
    for (size_t j = 0; b.losses != NULL && j < b.n_columns; j++) {
        losses_free(&b.losses[j]);
    }
    regret_free(b.losses);
    return rc;
}

/* The families, then the baselines that they are held against. */
static size_t list_columns(size_t *column, const struct table_data *d)
{
    size_t n = 0;
    for (size_t i = 0; i < d->n_ranked; i++) {
        column[n++] = d->ranked[i];
    }
    for (size_t i = d->r->n_families; i < d->r->n_subjects; i++) {
        if (is_shown_baseline(d->r, i)) {
            column[n++] = i;
        }
    }
    return n;
}

static int put_groups(struct table *t, const struct table_data *d, const struct tags *tags,
                      size_t oracle)
{
    FREED_BY(tag_block_fields) struct tag_block b = {.d = d, .tags = tags};
    FREED size_t *column = NULL;
    TRY(REGRET_NEW(&column, d->r->n_subjects));
    TRY(REGRET_NEW(&b.scratch, d->r->n_seeds));
    b.column = column;
    b.n_columns = list_columns(column, d);
    for (size_t i = 0; i < d->groups.n; i++) {
        TRY(put_group(t, &b, &d->groups.items[i], oracle));
    }
    if (tags->names.n > MOST_TAGS) {
        table_note(t, "%zu more tags are not shown.", tags->names.n - MOST_TAGS);
    }
    table_note(
        t, "Mean loss on the held-out contexts that have the tag, over cells and the seeds that "
           "held one out ± standard error over seeds; a mean over tags, each with the share "
           "it has of the held-out contexts, is the regret.");
    table_note(t,
               "Less the regret of best-exp, the best single agent by its EXP mean: paired over "
               "seeds, ± half of its 95 %% interval by Student's t, not corrected for the number "
               "of comparisons; in bold where the family is better for certain.");
    if (has_rule_by_tag(d->r)) {
        table_note(t,
                   "Less the regret of best-by-tag-exp: against the agent of the best EXP mean on "
                   "training contexts of the tag, or of all where the tag has no row of EXP.");
    }
    return REGRET_OK;
}

static int has_tags(const struct regret_results *r)
{
    size_t g = 0;
    while (g < r->n_grids && r->grids[g].tags == NULL) {
        g++;
    }
    return g < r->n_grids;
}

int put_tags(struct table *t, const struct table_data *d)
{
    size_t oracle = lists_oracle(d->r);
    FREED_BY(tags_free) struct tags tags = {0};
    if (!has_tags(d->r) || oracle == REGRET_NO_ROW) {
        table_note(t, has_tags(d->r) ? "The rows of this run hold no lists by context."
                                     : "The contexts of this run have no tags.");
        return REGRET_OK;
    }
    TRY(tags_make(&tags, d->r));
    return put_groups(t, d, &tags, oracle);
}

/* What causal cross-validation chose, against β (protocol §7). */

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
