/* What causal cross-validation chose, against β (protocol §7). */
#include <math.h>

#include "regret/alloc.h"
#include "regret/quantile.h"
#include "report/tables.h"

/* One line of a block: a mean of a number, or the share of rows that chose a word or a value. */
struct line {
    enum regret_measure measure;
    const size_t *words; /* row_basis or row_cv; NULL for a number */
    size_t word;
    double value; /* the value whose share is meant; NaN: the mean */
};

/* In % for shares; NaN where no row of the slice has the field. */
static double line_value(const struct slice *s, size_t family, const struct line *l)
{
    const struct regret_results *r = s->r;
    double sum = 0.0;
    size_t n = 0;
    for (size_t seed = 0; seed < r->n_seeds; seed++) {
        for (size_t i = 0; i < s->n_cells; i++) {
            size_t row = r->at[family + r->n_subjects * (s->cells[i] + r->n_cells * seed)];
            if (row == REGRET_NO_ROW) {
                continue;
            }
            double x = l->words != NULL ? NAN : r->measure[l->measure][row];
            if (l->words != NULL && l->words[row] != REGRET_NO_ROW) {
                x = l->words[row] == l->word ? 100.0 : 0.0;
            } else if (l->words == NULL && isfinite(x) && isfinite(l->value)) {
                x = x == l->value ? 100.0 : 0.0;
            }
            if (isfinite(x)) {
                sum += x;
                n++;
            }
        }
    }
    return n > 0 ? sum / (double)n : NAN;
}

static void put_line(struct table *t, const struct groups *columns, const struct slice *all,
                     size_t family, const struct line *l)
{
    int decimals = l->words != NULL || isfinite(l->value) ? 1 : 3;
    for (size_t j = 0; j < columns->n; j++) {
        table_number(t, line_value(&columns->items[j].slice, family, l), decimals);
    }
    table_number(t, line_value(all, family, l), decimals);
}

/* A line for each value of a penalty (ρ or τ) that the family chose anywhere in the run. */
static int put_penalties(struct table *t, const struct groups *columns, const struct slice *all,
                         size_t family, enum regret_measure measure, const char *letter)
{
    const struct regret_results *r = all->r;
    double *chosen = NULL;
    size_t n = 0;
    int rc = REGRET_NEW(&chosen, r->n_rows);
    if (rc != REGRET_OK) {
        return rc;
    }
    for (size_t row = 0; row < r->n_rows; row++) {
        if (r->row_subject[row] == family && isfinite(r->measure[measure][row])) {
            chosen[n++] = r->measure[measure][row];
        }
    }
    regret_sort_numbers(chosen, n);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || chosen[i] != chosen[i - 1]) {
            struct line l = {measure, NULL, 0, chosen[i]};
            table_row(t, "%s = %.10g (%%)", letter, chosen[i]);
            put_line(t, columns, all, family, &l);
        }
    }
    regret_free(chosen);
    return rc;
}

/* A line for each word (a basis, a cross-validation mode) that the family has anywhere. */
static void put_words(struct table *t, const struct groups *columns, const struct slice *all,
                      size_t family, const size_t *words, const char *label)
{
    const struct regret_results *r = all->r;
    for (size_t w = 0; w < r->n_words; w++) {
        int occurs = 0;
        for (size_t row = 0; !occurs && row < r->n_rows; row++) {
            occurs = r->row_subject[row] == family && words[row] == w;
        }
        if (occurs) {
            struct line l = {REGRET_MEASURE_RHO, words, w, NAN};
            table_row(t, "%s %s (%%)", label, r->words[w]);
            put_line(t, columns, all, family, &l);
        }
    }
}

static int put_family(struct table *t, const struct group *block, size_t family)
{
    const struct regret_results *r = block->slice.r;
    static const size_t beta[] = {REGRET_KEY_BETA};
    struct groups columns = {0};
    int rc = groups_split(&columns, &block->slice, beta, 1);
    if (rc != REGRET_OK) {
        return rc;
    }
    table_block(t, "%s%s%s", r->subjects[family].name, block->heading[0] != '\0' ? ": " : "",
                block->heading);
    table_column(t, "Chosen");
    for (size_t j = 0; j < columns.n; j++) {
        size_t cell = columns.items[j].slice.cells[0];
        table_column(
            t, "β %s",
            r->keys[REGRET_KEY_BETA].values[r->cell_value[cell + r->n_cells * REGRET_KEY_BETA]]);
    }
    table_column(t, "all");
    static const struct line means[] = {{REGRET_MEASURE_LAMBDA, NULL, 0, NAN},
                                        {REGRET_MEASURE_ALPHA, NULL, 0, NAN}};
    static const char *const labels[] = {"mean λ", "mean α"};
    for (size_t i = 0; i < 2; i++) {
        if (has_measure(r, means[i].measure, family)) {
            table_row(t, "%s", labels[i]);
            put_line(t, &columns, &block->slice, family, &means[i]);
        }
    }
    put_words(t, &columns, &block->slice, family, r->row_basis, "basis");
    rc = put_penalties(t, &columns, &block->slice, family, REGRET_MEASURE_RHO, "ρ");
    if (rc == REGRET_OK) {
        rc = put_penalties(t, &columns, &block->slice, family, REGRET_MEASURE_TAU, "τ");
    }
    put_words(t, &columns, &block->slice, family, r->row_cv, "CV mode");
    groups_free(&columns);
    return rc;
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

/* Families with fixed defaults choose nothing and are left out. */
static int is_tuned(const struct regret_results *r, size_t family)
{
    int tuned = has_measure(r, REGRET_MEASURE_LAMBDA, family) ||
                varies(r, REGRET_MEASURE_ALPHA, family) || varies(r, REGRET_MEASURE_RHO, family);
    for (size_t row = 0; !tuned && row < r->n_rows; row++) {
        tuned = r->row_subject[row] == family && r->row_basis[row] != REGRET_NO_ROW;
    }
    return tuned;
}

int make_tuning(struct table *t, const struct regret_results *r)
{
    struct plan p = {0};
    size_t tuned = 0;
    begin_report_table(t, r, "tuning", "Hyper-parameters chosen, by β");
    int rc = plan_make(&p, r, 0);
    for (size_t f = 0; rc == REGRET_OK && f < r->n_families; f++) {
        if (!is_tuned(r, f)) {
            continue;
        }
        tuned++;
        for (size_t i = 0; rc == REGRET_OK && i < p.blocks.n; i++) {
            rc = put_family(t, &p.blocks.items[i], f);
        }
    }
    table_note(t, tuned > 0 ? "Over the fits of a column that have the hyper-parameter: its mean, "
                              "or the share of fits (in %%) that chose the value. λ: the weight of "
                              "OBS in the pooled loss; α: the size of the correction; ρ: the ridge "
                              "penalty; τ: the anchor's strength. CV mode rows is the fall-back "
                              "where EXP has fewer "
                              "agents than folds."
                            : "No family of this run chooses hyper-parameters.");
    plan_free(&p);
    return rc;
}
