/* Claims of ranks and wins. The paper ranks the mean regrets of a cell, so that nothing here is a mean
 * over seeds: the evidence is a statistic of all seeds, its interval that of resamples of them. */
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "regret/quantile.h"
#include "report/claims/evidence.h"
#include "value/resample.h"

/* Mean regrets of some families in some cells, family fastest. */
struct cell_means {
    const struct claim_context *x;
    const size_t *families;
    size_t n_families, n_cells;
    const struct claim *claim;
    const size_t *index; /* what the statistic goes by: places of families, or rows of the cells */
    double *mean;
};

/* What a part says is above 0; `part` from 0. */
typedef double means_statistic(const struct cell_means *b, size_t part);

/* ---------------------------------------------------------------- resamples */

/* Seeds with the regret of every family in every cell; `seeds` has room for all. */
static size_t whole_seeds(size_t *seeds, const struct cell_means *b)
{
    const struct regret_results *r = b->x->r;
    size_t n = 0;
    for (size_t s = 0; s < r->n_seeds; s++) {
        int whole = 1;
        for (size_t i = 0; i < b->n_cells * b->n_families; i++) {
            whole &= isfinite(regret_results_value(r, REGRET_MEASURE_REGRET,
                                                   b->families[i % b->n_families],
                                                   b->x->cells.cells[i / b->n_families], s)) != 0;
        }
        if (whole) {
            seeds[n++] = s;
        }
    }
    return n;
}

/* The regrets of those seeds, one table of means after the other. */
static void copy_means(double *all, const struct cell_means *b, const size_t *seeds, size_t n)
{
    size_t size = b->n_cells * b->n_families;
    for (size_t i = 0; i < n * size; i++) {
        size_t at = i % size;
        all[i] =
            regret_results_value(b->x->r, REGRET_MEASURE_REGRET, b->families[at % b->n_families],
                                 b->x->cells.cells[at / b->n_families], seeds[i / size]);
    }
}

/* The mean of n such tables, those drawn or, NULL, each once. */
static void average(struct cell_means *b, const double *all, size_t n, const uint32_t *drawn)
{
    size_t size = b->n_cells * b->n_families;
    memset(b->mean, 0, size * sizeof *b->mean);
    for (size_t k = 0; k < n; k++) {
        const double *one = all + size * (drawn != NULL ? drawn[k] : k);
        for (size_t i = 0; i < size; i++) {
            b->mean[i] += one[i];
        }
    }
    for (size_t i = 0; i < size; i++) {
        b->mean[i] /= (double)n;
    }
}

/* The draws are those of paired_from(). */
static int resample(double *out, struct cell_means *b, const double *all, size_t n,
                    means_statistic *statistic, size_t n_parts)
{
    uint32_t *drawn = NULL;
    TRY(REGRET_NEW(&drawn, n));
    for (size_t k = 0; k < PAIRED_RESAMPLES; k++) {
        resample_draw(drawn, n, 0, k);
        average(b, all, n, drawn);
        for (size_t part = 0; part < n_parts; part++) {
            out[part * PAIRED_RESAMPLES + k] = statistic(b, part);
        }
    }
    regret_free(drawn);
    return REGRET_OK;
}

/* The standard error is the standard deviation of the resampled numbers, which are sorted here. */
static void summarise(struct paired *p, double *y)
{
    double sum = 0.0, squares = 0.0;
    for (size_t k = 0; k < PAIRED_RESAMPLES; k++) {
        sum += y[k] / PAIRED_RESAMPLES;
    }
    for (size_t k = 0; k < PAIRED_RESAMPLES; k++) {
        squares += (y[k] - sum) * (y[k] - sum);
    }
    p->se = sqrt(squares / (PAIRED_RESAMPLES - 1));
    regret_sort_numbers(y, PAIRED_RESAMPLES);
    p->low = regret_quantile(y, PAIRED_RESAMPLES, 0.025);
    p->high = regret_quantile(y, PAIRED_RESAMPLES, 0.975);
}

/* The parts of the claim by the statistic. */
static int ask_means(struct claim_result *f, struct cell_means *b, means_statistic *statistic,
                     size_t n_parts)
{
    double *all = NULL, *y = NULL, *observed = NULL;
    size_t *seeds = NULL;
    int rc;
    b->n_cells = b->x->cells.n_cells;
    TRY_CLEANUP(REGRET_NEW(&seeds, f->n_seeds));
    size_t n = whole_seeds(seeds, b);
    TRY_CLEANUP(REGRET_NEW(&all, n * b->n_cells * b->n_families));
    TRY_CLEANUP(REGRET_NEW(&b->mean, b->n_cells * b->n_families));
    TRY_CLEANUP(REGRET_NEW(&observed, n_parts));
    TRY_CLEANUP(REGRET_NEW(&y, n_parts * PAIRED_RESAMPLES));
    copy_means(all, b, seeds, n);
    average(b, all, n, NULL);
    for (size_t part = 0; part < n_parts; part++) {
        observed[part] = statistic(b, part);
    }
    TRY_CLEANUP(n > 1 ? resample(y, b, all, n, statistic, n_parts) : REGRET_OK);
    for (size_t part = 0; part < n_parts; part++) {
        struct paired p = {n > 0 ? observed[part] : NAN, NAN, NAN, NAN, n};
        if (n > 1) {
            summarise(&p, y + part * PAIRED_RESAMPLES);
        }
        TRY_CLEANUP(end_part_with(f, &p));
    }
cleanup:
    regret_free(seeds);
    regret_free(all);
    regret_free(b->mean);
    regret_free(observed);
    regret_free(y);
    return rc;
}

/* ---------------------------------------------------------------- ranks */

/* Where the family stands in the cell by the means at hand. */
static struct standing stands(const struct cell_means *b, size_t cell, size_t family)
{
    const double *y = b->mean + cell * b->n_families;
    struct standing s = {0, 0};
    for (size_t i = 0; i < b->n_families; i++) {
        standing_count(&s, y[family], y[i]);
    }
    return s;
}

double placement(int measure, struct standing s)
{
    return measure == MEASURE_WINS   ? standing_win(s)
           : measure == MEASURE_TOP3 ? standing_rank(s) <= 3.0
                                     : standing_rank(s);
}

/* The mean rank over the cells; in how many it is at most 3; or the cells won. */
static double placed(const struct cell_means *b, size_t family)
{
    double sum = 0.0;
    for (size_t cell = 0; cell < b->n_cells; cell++) {
        sum += placement(b->x->measure, stands(b, cell, family));
    }
    return b->x->measure == MEASURE_RANK ? sum / (double)b->n_cells : sum;
}

/* Of the positions of families that are compared: see compare_ranks(). */
static double rank_ahead(const struct cell_means *b, size_t part)
{
    return b->claim->sign * (placed(b, b->index[0]) - placed(b, b->index[part + 1]));
}

int compare_ranks(struct claim_result *f, const struct claim *c, const struct claim_context *x,
                  const size_t *all, size_t n)
{
    size_t *places = NULL;
    int rc;
    TRY(REGRET_NEW(&places, n));
    for (size_t i = 0; i < n; i++) {
        while (x->ranking.families[places[i]] != all[i]) {
            places[i]++;
        }
    }
    struct cell_means b = {.x = x,
                           .families = x->ranking.families,
                           .n_families = x->ranking.n,
                           .claim = c,
                           .index = places};
    rc = ask_means(f, &b, rank_ahead, n - 1);
    regret_free(places);
    return rc;
}

/* ---------------------------------------------------------------- wins */

/* Cells that the family wins, in one row of cells or in all. */
static double wins_in(const struct cell_means *b, size_t family, size_t row)
{
    double wins = 0.0;
    for (size_t cell = 0; cell < b->n_cells; cell++) {
        int inside = row == REGRET_NO_ROW || b->index[cell] == row;
        wins += inside ? standing_win(stands(b, cell, family)) : 0.0;
    }
    return wins;
}

/* The most cells that one of the families wins, but `except`. */
static double most_wins(const struct cell_means *b, size_t except, size_t row)
{
    double most = 0.0;
    for (size_t i = 0; i < b->n_families; i++) {
        most = i == except ? most : fmax(most, wins_in(b, i, row));
    }
    return most;
}

static size_t own_place(const struct cell_means *b)
{
    size_t own = claim_subject(b->claim, b->x, 0), i = 0;
    while (b->families[i] != own) {
        i++;
    }
    return i;
}

/* Its wins less what they are taken against: half of the cells, those of the first of the others, or the
 * most that any other family has. */
static double wins_ahead(const struct cell_means *b, size_t part)
{
    size_t own = own_place(b);
    const struct claim *c = b->claim;
    double against = c->against == AGAINST_HALF    ? 0.5 * (double)b->n_cells
                     : c->against == AGAINST_OTHER ? wins_in(b, c->n_subjects, REGRET_NO_ROW)
                                                   : most_wins(b, own, REGRET_NO_ROW);
    (void)part;
    return c->sign * (wins_in(b, own, REGRET_NO_ROW) - against);
}

/* "cvci 9, obs-only 3.5 of 24 cells", by the means over all seeds. */
static void say_wins(struct claim_result *f, const struct claim_context *x, const size_t *families,
                     size_t n)
{
    const struct ranking ranking = {x->r, families, n};
    for (size_t i = 0; i < n; i++) {
        double wins = 0.0;
        for (size_t k = 0; k < x->cells.n_cells; k++) {
            wins += standing_win(standing_in(&ranking, families[i], x->cells.cells[k], ALL_SEEDS));
        }
        if (wins > 0.0) {
            say_number(f, x->r->subjects[families[i]].name, wins, wins == floor(wins) ? 0 : 1);
        }
    }
    regret_buffer_printf(&f->numbers, " of %zu cells", x->cells.n_cells);
}

/* Among the subject and the others or, without any, among the ranked families. */
static int judge_subject_wins(struct claim_result *f, const struct claim *c,
                              const struct claim_context *x)
{
    size_t families[CLAIM_SUBJECTS], n = c->n_subjects + claim_others(c);
    struct cell_means b = {
        .x = x, .families = x->ranking.families, .n_families = x->ranking.n, .claim = c};
    for (size_t i = 0; i < n; i++) {
        families[i] = claim_subject(c, x, i);
    }
    if (claim_others(c) > 0) {
        b.families = families;
        b.n_families = n;
    }
    say_wins(f, x, b.families, b.n_families);
    return ask_means(f, &b, wins_ahead, 1);
}

/* ---------------------------------------------------------------- rows of a winner map */

/* Row 0 is that of the least budgets. */
static double more_mixed(const struct cell_means *b, size_t part)
{
    return b->claim->sign *
           (most_wins(b, REGRET_NO_ROW, 0) - most_wins(b, REGRET_NO_ROW, part + 1));
}

/* The row of each of the context's cells. */
static void number_rows(size_t *row_of, const struct groups *rows, const struct slice *cells)
{
    for (size_t i = 0; i < rows->n; i++) {
        const struct slice *s = &rows->items[i].slice;
        for (size_t k = 0, cell = 0; k < s->n_cells; cell++) {
            if (cells->cells[cell] == s->cells[k]) {
                row_of[cell] = i;
                k++;
            }
        }
    }
}

/* Whose wins each row has, by the means over all seeds. */
static void say_rows(struct claim_result *f, const struct claim_context *x,
                     const struct groups *rows)
{
    for (size_t i = 0; i < rows->n; i++) {
        struct claim_context row = *x;
        row.cells = rows->items[i].slice;
        regret_buffer_printf(&f->numbers, "%s%s:", i > 0 ? "; " : "", rows->items[i].heading);
        f->no_comma = 1;
        say_wins(f, &row, x->ranking.families, x->ranking.n);
    }
}

static int judge_rows(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    static const size_t keys[] = {REGRET_KEY_N_EXP, REGRET_KEY_N_OBS};
    struct groups rows = {0};
    size_t *row_of = NULL;
    int rc;
    TRY_CLEANUP(groups_split(&rows, &x->cells, keys, 2));
    TRY_CLEANUP(REGRET_NEW(&row_of, x->cells.n_cells));
    number_rows(row_of, &rows, &x->cells);
    say_rows(f, x, &rows);
    struct cell_means b = {.x = x,
                           .families = x->ranking.families,
                           .n_families = x->ranking.n,
                           .claim = c,
                           .index = row_of};
    rc = ask_means(f, &b, more_mixed, rows.n - 1);
cleanup:
    groups_free(&rows);
    regret_free(row_of);
    return rc;
}

int judge_wins(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    return x->measure == MEASURE_WINS ? judge_subject_wins(f, c, x) : judge_rows(f, c, x);
}
