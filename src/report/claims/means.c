/* Claims of ranks and wins. The paper ranks the mean regrets of a cell, so that nothing here is a mean
 * over seeds: the evidence is a statistic of all seeds, its interval that of resamples of them. */
#include <math.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "report/claims/evidence.h"

/* What the statistics go by. */
struct question {
    const struct claim_context *x;
    const struct claim *claim;
    const size_t *index; /* places of families, or rows of the cells */
};

/* The parts of the claim by the statistic. */
static int ask_means(struct claim_result *f, const struct question *q,
                     const struct ranking *ranking, means_statistic *statistic, size_t n_parts)
{
    FREED_BY(resampled_free) struct resampled r = {0};
    TRY(resample_means(&r, ranking, &q->x->cells, statistic, n_parts, q));
    for (size_t part = 0; part < n_parts; part++) {
        struct paired p = resampled_paired(&r, part);
        TRY(end_part_with(f, &p));
    }
    return REGRET_OK;
}

/* ---------------------------------------------------------------- ranks */

double placement(int measure, struct standing s)
{
    return measure == MEASURE_WINS   ? standing_win(s)
           : measure == MEASURE_TOP3 ? standing_rank(s) <= 3.0
                                     : standing_rank(s);
}

/* The mean rank over the cells; in how many it is at most 3; or the cells won. */
static double placed(const struct mean_regrets *m, int measure, size_t family)
{
    double sum = 0.0;
    for (size_t cell = 0; cell < m->cells->n_cells; cell++) {
        sum += placement(measure, standing_by(m, cell, family));
    }
    return measure == MEASURE_RANK ? sum / (double)m->cells->n_cells : sum;
}

/* Of the places of families that are compared: see compare_ranks(). */
static double rank_ahead(const struct mean_regrets *m, size_t part, const void *context)
{
    const struct question *q = context;
    return q->claim->sign *
           (placed(m, q->x->measure, q->index[0]) - placed(m, q->x->measure, q->index[part + 1]));
}

int compare_ranks(struct claim_result *f, const struct claim *c, const struct claim_context *x,
                  const size_t *all, size_t n)
{
    FREED size_t *places = NULL;
    TRY(REGRET_NEW(&places, n));
    for (size_t i = 0; i < n; i++) {
        while (x->ranking.families[places[i]] != all[i]) {
            places[i]++;
        }
    }
    const struct question q = {x, c, places};
    return ask_means(f, &q, &x->ranking, rank_ahead, n - 1);
}

/* ---------------------------------------------------------------- wins */

/* Cells that the family wins, in one row of cells or in all. */
static double wins_in(const struct mean_regrets *m, const struct question *q, size_t family,
                      size_t row)
{
    double wins = 0.0;
    for (size_t cell = 0; cell < m->cells->n_cells; cell++) {
        int inside = row == REGRET_NO_ROW || q->index[cell] == row;
        wins += inside ? standing_win(standing_by(m, cell, family)) : 0.0;
    }
    return wins;
}

/* The most cells that one of the families wins, but `except`. */
static double most_wins(const struct mean_regrets *m, const struct question *q, size_t except,
                        size_t row)
{
    double most = 0.0;
    for (size_t i = 0; i < m->ranking->n; i++) {
        most = i == except ? most : fmax(most, wins_in(m, q, i, row));
    }
    return most;
}

/* The subject's wins less what they are taken against: half of the cells, those of the first of the others, or the
 * most that any other family has. */
static double wins_ahead(const struct mean_regrets *m, size_t part, const void *context)
{
    const struct question *q = context;
    const struct claim *c = q->claim;
    size_t own = 0, subject = claim_subject(c, q->x, 0);
    (void)part;
    while (m->ranking->families[own] != subject) {
        own++;
    }
    double against = c->against == AGAINST_HALF    ? 0.5 * (double)m->cells->n_cells
                     : c->against == AGAINST_OTHER ? wins_in(m, q, c->n_subjects, REGRET_NO_ROW)
                                                   : most_wins(m, q, own, REGRET_NO_ROW);
    return c->sign * (wins_in(m, q, own, REGRET_NO_ROW) - against);
}

/* Among the subject and the others or, without any, among the ranked families. */
static int judge_subject_wins(struct claim_result *f, const struct claim *c,
                              const struct claim_context *x)
{
    size_t families[CLAIM_SUBJECTS], n = c->n_subjects + claim_others(c);
    const struct question q = {x, c, NULL};
    for (size_t i = 0; i < n; i++) {
        families[i] = claim_subject(c, x, i);
    }
    const struct ranking named = {x->r, families, n};
    const struct ranking *among = claim_others(c) > 0 ? &named : &x->ranking;
    return ask_means(f, &q, among, wins_ahead, 1);
}

/* ---------------------------------------------------------------- rows of a winner map */

/* Row 0 is that of the least budgets. */
static double more_mixed(const struct mean_regrets *m, size_t part, const void *context)
{
    const struct question *q = context;
    return q->claim->sign *
           (most_wins(m, q, REGRET_NO_ROW, 0) - most_wins(m, q, REGRET_NO_ROW, part + 1));
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

static int judge_rows(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    static const size_t keys[] = {REGRET_KEY_N_EXP, REGRET_KEY_N_OBS};
    FREED_BY(groups_free) struct groups rows = {0};
    FREED size_t *row_of = NULL;
    TRY(groups_split(&rows, &x->cells, keys, 2));
    TRY(REGRET_NEW(&row_of, x->cells.n_cells));
    number_rows(row_of, &rows, &x->cells);
    const struct question q = {x, c, row_of};
    return ask_means(f, &q, &x->ranking, more_mixed, rows.n - 1);
}

int judge_wins(struct claim_result *f, const struct claim *c, const struct claim_context *x)
{
    return x->measure == MEASURE_WINS ? judge_subject_wins(f, c, x) : judge_rows(f, c, x);
}
