/* What the paper says of the families' ranks (its T4, and A.10 of both 24-cell maps). */
#include <math.h>

#include "regret/alloc.h"
#include "report/claims.h"

/* The families of a scene in their order, with a number for each and seed: the seed's mean over
 * cells of the rank, or of being among the three best. */
struct standings {
    double *rank, *top3; /* n_seeds for each family */
    double *y;           /* scratch: the regrets of one cell */
};

static void standings_free(struct standings *s)
{
    regret_free(s->rank);
    regret_free(s->top3);
    regret_free(s->y);
}

static void rank_seed(struct standings *s, const struct scene *x, size_t seed)
{
    size_t n = x->n_ranked, n_seeds = x->r->n_seeds;
    for (size_t c = 0; c < x->cells.n_cells; c++) {
        double all = 0.0;
        for (size_t i = 0; i < n; i++) {
            s->y[i] = regret_results_value(x->r, REGRET_MEASURE_REGRET, x->ranked[i],
                                           x->cells.cells[c], seed);
            all += s->y[i];
        }
        for (size_t i = 0; i < n; i++) {
            double rank = isfinite(all) ? rank_among(s->y, n, i) : NAN;
            double first = isfinite(all) ? rank <= 3.0 : NAN;
            s->rank[seed + n_seeds * i] += rank / (double)x->cells.n_cells;
            s->top3[seed + n_seeds * i] += first / (double)x->cells.n_cells;
        }
    }
}

static int standings_make(struct standings *out, const struct scene *x)
{
    struct standings s = {NULL, NULL, NULL};
    size_t n_seeds = x->r->n_seeds;
    int rc = REGRET_NEW(&s.rank, x->n_ranked * n_seeds);
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&s.top3, x->n_ranked * n_seeds);
    }
    if (rc == REGRET_OK) {
        rc = REGRET_NEW(&s.y, x->n_ranked);
    }
    for (size_t seed = 0; rc == REGRET_OK && seed < n_seeds; seed++) {
        rank_seed(&s, x, seed);
    }
    if (rc != REGRET_OK) {
        standings_free(&s);
        return rc;
    }
    *out = s;
    return REGRET_OK;
}

/* The mean over cells of the rank of the family's cell mean (or of being among the three best), as
 * in the table `summary`; `y` is scratch. */
static double table_standing(const struct scene *x, size_t family, int top3, double *y)
{
    double sum = 0.0;
    size_t cells = 0;
    for (size_t c = 0; c < x->cells.n_cells; c++) {
        double all = 0.0;
        for (size_t i = 0; i < x->n_ranked; i++) {
            y[i] = cell_mean(x->r, REGRET_MEASURE_REGRET, x->ranked[i], x->cells.cells[c]);
            all += y[i];
        }
        if (isfinite(all)) {
            double rank = rank_among(y, x->n_ranked, family);
            sum += top3 ? rank <= 3.0 : rank;
            cells++;
        }
    }
    return cells == 0 ? NAN : top3 ? sum : sum / (double)cells;
}

static size_t number_of(const size_t *families, size_t n, size_t family)
{
    size_t i = 0;
    while (i < n && families[i] != family) {
        i++;
    }
    return i;
}

/* 1 when the claim counts family `i` as a rival: it names it, or names no rival at all. */
static int is_rival(const struct claim *c, const struct scene *x, size_t i, size_t first)
{
    size_t f = 1;
    while (f < CLAIM_FAMILIES && c->families[f] != NULL &&
           family_named(x->r, c->families[f]) != x->ranked[i]) {
        f++;
    }
    int named = f < CLAIM_FAMILIES && c->families[f] != NULL;
    return i != first && (c->families[1] == NULL || named);
}

/* The first family's standing, of `numbers`, is lower (sign −1) or higher than each rival's. */
static int compare_standings(struct finding *f, const struct claim *c, const struct scene *x,
                             int top3)
{
    struct standings s = {NULL, NULL, NULL};
    size_t first = number_of(x->ranked, x->n_ranked, family_named(x->r, c->families[0]));
    int rc = standings_make(&s, x);
    const double *numbers = top3 ? s.top3 : s.rank;
    for (size_t i = 0; rc == REGRET_OK && i < x->n_ranked; i++) {
        if (i == first || is_rival(c, x, i, first)) {
            say_number(f, x->r->subjects[x->ranked[i]].name, table_standing(x, i, top3, s.y),
                       top3 ? 0 : 2);
        }
    }
    for (size_t i = 0; rc == REGRET_OK && i < x->n_ranked; i++) {
        if (is_rival(c, x, i, first)) {
            add_numbers(f, c->sign, numbers + x->r->n_seeds * first);
            add_numbers(f, -c->sign, numbers + x->r->n_seeds * i);
            rc = end_part(f);
        }
    }
    standings_free(&s);
    return rc;
}

static int ranks_beat(struct finding *f, const struct claim *c, const struct scene *x)
{
    return compare_standings(f, c, x, 0);
}

static int top3_beats(struct finding *f, const struct claim *c, const struct scene *x)
{
    return compare_standings(f, c, x, 1);
}

/* The lowest mean regret of a cell among the ranked families. */
static double best_of_cell(const struct scene *x, size_t cell)
{
    double best = INFINITY;
    for (size_t i = 0; i < x->n_ranked; i++) {
        double mean = cell_mean(x->r, REGRET_MEASURE_REGRET, x->ranked[i], cell);
        best = mean < best ? mean : best;
    }
    return best;
}

/* d += weight · the family's excess in % over the best mean of each cell, which is held fixed: in
 * the mean over seeds it is the excess of the table `summary`. Cells whose best is 0 have none. */
static void add_excess(struct finding *f, double weight, const struct scene *x, size_t family)
{
    size_t n = 0;
    for (size_t c = 0; c < x->cells.n_cells; c++) {
        n += best_of_cell(x, x->cells.cells[c]) > 0.0;
    }
    for (size_t seed = 0; n == 0 && seed < f->n_seeds; seed++) {
        f->d[seed] = NAN;
    }
    for (size_t c = 0; c < x->cells.n_cells; c++) {
        double best = best_of_cell(x, x->cells.cells[c]);
        for (size_t seed = 0; best > 0.0 && seed < f->n_seeds; seed++) {
            double y =
                regret_results_value(x->r, REGRET_MEASURE_REGRET, family, x->cells.cells[c], seed);
            f->d[seed] += weight * 100.0 * (y / best - 1.0) / (double)n;
        }
    }
}

/* The family's excess as in `summary`: NaN where no cell has one. */
static double table_excess(const struct scene *x, size_t family)
{
    double sum = 0.0;
    size_t n = 0;
    for (size_t c = 0; c < x->cells.n_cells; c++) {
        size_t cell = x->cells.cells[c];
        double best = best_of_cell(x, cell);
        double y = cell_mean(x->r, REGRET_MEASURE_REGRET, family, cell);
        if (best > 0.0 && isfinite(y)) {
            sum += 100.0 * (y / best - 1.0);
            n++;
        }
    }
    return n > 0 ? sum / (double)n : NAN;
}

static int excess_beats(struct finding *f, const struct claim *c, const struct scene *x)
{
    size_t first = family_named(x->r, c->families[0]);
    int rc = REGRET_OK;
    for (size_t i = 0; rc == REGRET_OK && i < x->n_ranked; i++) {
        size_t rival = x->ranked[i];
        say_number(f, x->r->subjects[rival].name, table_excess(x, rival), 1);
        if (rival != first) {
            add_excess(f, c->sign, x, first);
            add_excess(f, -c->sign, x, rival);
            rc = end_part(f);
        }
    }
    return rc;
}

static const struct claim claims[] = {
    {.name = "cvci-best-rank",
     .sentence = "cvci has the best average rank",
     .paper = "T4: 2.04, next 2.83",
     .families = {"cvci"},
     .needs = NEED_ALL_FAMILIES,
     .evaluate = ranks_beat,
     .sign = -1},
    {.name = "cvci-most-top3",
     .sentence = "cvci is among the three best in the most cells",
     .paper = "T4: 43 of 48, next 32",
     .families = {"cvci"},
     .needs = NEED_ALL_FAMILIES,
     .evaluate = top3_beats,
     .sign = 1},
    {.name = "cvci-lowest-excess",
     .sentence = "cvci has the lowest excess regret (%)",
     .paper = "T4: 4.8, next 7.9",
     .families = {"cvci"},
     .needs = NEED_ALL_FAMILIES,
     .evaluate = excess_beats,
     .sign = -1},
    {.name = "cvci-lowest-regret",
     .sentence = "cvci has the lowest regret over all cells",
     .paper = "A.10: leader of both 24-cell maps",
     .families = {"cvci"},
     .needs = NEED_ALL_FAMILIES,
     .evaluate = claim_beats,
     .measure = REGRET_MEASURE_REGRET,
     .sign = -1},
    {.name = "residual-behind",
     .sentence = "cvci-residual ranks behind cvci, obs-only, exp-only and grounded",
     .paper = "T4: 4.40 against 2.04 to 3.21",
     .families = {"cvci-residual", "cvci", "obs-only", "exp-only", "grounded"},
     .evaluate = ranks_beat,
     .sign = 1},
    {.name = "representation-last",
     .sentence = "representation-exp has the worst average rank",
     .paper = "T4: 5.62, next 4.40",
     .families = {"representation-exp"},
     .needs = NEED_ALL_FAMILIES,
     .evaluate = ranks_beat,
     .sign = 1},
};

const struct claim_set claims_of_ranks = {"families' ranks", claims,
                                          sizeof claims / sizeof *claims};
