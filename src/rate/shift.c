/* The study of shifts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "rate/intern.h"
#include "rate/internal.h"
#include "rate/typos.h"
#include "regret/status.h"
#include "regret/task.h"

/* The line through the estimates of the levels of a shift, and its standard error. */

/* At which levels each row was drawn, and how many rows each level has. */
struct shift_weights {
    uint16_t *levels; /* n_rows: bit i where level i drew the row; owned */
    size_t n_rows;
    size_t n1[REGRET_RATE_SHIFT_LEVELS], n0[REGRET_RATE_SHIFT_LEVELS];
};

static int shift_weights_new(struct shift_weights *w, const struct regret_rate_rows *rows)
{
    w->n_rows = rows->n_rows;
    return REGRET_NEW(&w->levels, rows->n_rows);
}

static void shift_weights_free(struct shift_weights *w)
{
    regret_free(w->levels);
}

static void shift_weights_clear(struct shift_weights *w)
{
    memset(w->levels, 0, w->n_rows * sizeof *w->levels);
    memset(w->n1, 0, sizeof w->n1);
    memset(w->n0, 0, sizeof w->n0);
}

/* Takes note of the rows of a level. */
static void shift_weights_add(struct shift_weights *w, const struct regret_rate_rows *rows,
                              const size_t *subset, size_t n, size_t level)
{
    for (size_t k = 0; k < n; k++) {
        w->levels[subset[k]] |= (uint16_t)(1U << level);
        w->n1[level] += rows->w[subset[k]] == REGRET_LABEL_1;
        w->n0[level] += rows->w[subset[k]] == REGRET_LABEL_0;
    }
}

/* What a row gives to an estimate: O, or δ. */
static double summand(const struct regret_rate_rows *rows, const struct regret_rate_model *model,
                      enum regret_rate_effect_kind kind, size_t i)
{
    double *const *score = model->score;
    if (model->contrastive) {
        return score[kind == REGRET_EFFECT_RATE_ATE][i];
    }
    if (kind == REGRET_EFFECT_NAIVE) {
        return score[REGRET_SIDE_ORIGINAL][i];
    }
    int own =
        kind == REGRET_EFFECT_RATE_ATE ? REGRET_SIDE_REWRITE_OF_REWRITE : REGRET_SIDE_ORIGINAL;
    double change = score[own][i] - score[REGRET_SIDE_REWRITE][i];
    return rows->w[i] == REGRET_LABEL_1 ? change : -change;
}

/* s_r of row i: c[] is zero for levels without an estimate. */
static double weight_of(const struct shift_weights *w, const double *c, int is_naive, int is_one,
                        size_t i)
{
    double sum = 0.0;
    for (int level = 0; level < REGRET_RATE_SHIFT_LEVELS; level++) {
        if ((w->levels[i] & 1U << level) != 0 && c[level] != 0.0) {
            double n1 = (double)w->n1[level], n0 = (double)w->n0[level];
            sum += c[level] * (!is_naive ? 1.0 / (n1 + n0) : is_one ? 1.0 / n1 : -1.0 / n0);
        }
    }
    return sum;
}

/* The levels that have an estimate: c_i, and the slope. 0: fewer than two. */
static int level_weights(double c[REGRET_RATE_SHIFT_LEVELS], double *slope,
                         const struct regret_rate_shift *s, enum regret_rate_effect_kind kind)
{
    double n = 0.0, sx = 0.0, sxx = 0.0;
    for (int i = 0; i < REGRET_RATE_SHIFT_LEVELS; i++) {
        int known = !isnan(s->levels[i].effects[kind].estimate);
        n += known;
        sx += known ? i : 0.0;
    }
    for (int i = 0; i < REGRET_RATE_SHIFT_LEVELS; i++) {
        c[i] = isnan(s->levels[i].effects[kind].estimate) ? 0.0 : i - sx / n;
        sxx += c[i] * c[i];
    }
    *slope = 0.0;
    for (int i = 0; i < REGRET_RATE_SHIFT_LEVELS && n >= 2.0; i++) {
        c[i] /= sxx;
        *slope += c[i] != 0.0 ? c[i] * s->levels[i].effects[kind].estimate : 0.0;
    }
    return n >= 2.0;
}

/* Σ s_r² (y_r − ȳ)² n/(n − 1) over the rows of one cell. */
static double cell_variance(const struct shift_weights *w, const struct regret_rate_rows *rows,
                            const struct regret_rate_shift *shift,
                            enum regret_rate_effect_kind kind, const double *c,
                            const size_t *members, size_t n)
{
    const struct regret_rate_model *model = &rows->models[shift->model];
    double mean = 0.0, sum = 0.0;
    for (size_t k = 0; k < n; k++) {
        mean += (summand(rows, model, kind, members[k]) - mean) / (double)(k + 1);
    }
    for (size_t k = 0; k < n; k++) {
        size_t i = members[k];
        double e = summand(rows, model, kind, i) - mean;
        double s = weight_of(w, c, kind == REGRET_EFFECT_NAIVE, rows->w[i] == REGRET_LABEL_1, i);
        sum += s * s * e * e;
    }
    return sum * (double)n / (double)(n - 1);
}

/* The least-squares line of one kind of estimate (naive, single ATE, RATE ATE) over the levels.
 *
 * Each estimate is a weighted sum of its rows, and so the slope is one, too: Σ_r s_r y_r with
 * s_r = Σ_i c_i a_ir over the levels i that drew row r, c_i = (i − ī)/Σ(i − ī)², and a_ir the row's
 * weight in the estimate of the level (1/n_i for a mean of δ; ±1/n_iw for the naive estimate, where
 * y is O). Levels share rows, so their estimates are not independent, and the residuals about the line
 * say nothing; a row is one cluster, whatever the levels it serves. The sizes of the cells (W, Z) are
 * fixed by the design, so with ȳ_k the mean of y over all n_k rows of cell k
 *   se² = Σ_k n_k/(n_k − 1) Σ_{r in k} s_r² (y_r − ȳ_k)²
 * (Liang and Zeger, Biometrika 73 (1986) 13-22, by strata). rows_of_cell[0..4) are the rows the levels
 * were drawn from, n of them each. */
static struct regret_rate_slope shift_slope(const struct shift_weights *w,
                                            const struct regret_rate_rows *rows,
                                            const struct regret_rate_shift *shift,
                                            enum regret_rate_effect_kind kind,
                                            size_t *const rows_of_cell[4], const size_t n[4])
{
    struct regret_rate_slope line = {NAN, NAN};
    double c[REGRET_RATE_SHIFT_LEVELS], slope = 0.0, variance = 0.0;
    if (shift->missing != NULL || !level_weights(c, &slope, shift, kind)) {
        return line;
    }
    for (int k = 0; k < 4; k++) {
        variance += cell_variance(w, rows, shift, kind, c, rows_of_cell[k], n[k]);
    }
    line.slope = isfinite(slope) ? slope : (double)NAN;
    line.se = isfinite(slope) && isfinite(variance) ? sqrt(variance) : (double)NAN;
    return line;
}

static size_t smallest(struct regret_rate_shift_cells c)
{
    size_t a = c.a1z1 < c.a0z1 ? c.a1z1 : c.a0z1, b = c.a1z0 < c.a0z0 ? c.a1z0 : c.a0z0;
    return a < b ? a : b;
}

void regret_rate_shift_counts(struct regret_rate_shift_cells out[REGRET_RATE_SHIFT_LEVELS],
                              struct regret_rate_shift_cells sizes)
{
    size_t m = smallest(sizes), total = SIZE_MAX;
    size_t with[REGRET_RATE_SHIFT_LEVELS], against[REGRET_RATE_SHIFT_LEVELS];
    for (int i = 0; i < REGRET_RATE_SHIFT_LEVELS; i++) {
        double p = 0.5 + 0.05 * i;
        double larger = floor((double)(2 * m) * p), lesser = floor((double)(2 * m) * (1.0 - p));
        double scale = larger > 0.0 ? (double)m / larger : 0.0;
        with[i] = (size_t)(larger * scale);
        against[i] = (size_t)(lesser * scale);
        size_t sum = 2 * (with[i] + against[i]);
        total = sum < total ? sum : total;
    }
    for (int i = 0; i < REGRET_RATE_SHIFT_LEVELS; i++) {
        double sum = 2.0 * (double)(with[i] + against[i]);
        size_t many = sum > 0.0 ? (size_t)((double)with[i] * (double)total / sum) : 0;
        size_t few = sum > 0.0 ? (size_t)((double)against[i] * (double)total / sum) : 0;
        out[i] = (struct regret_rate_shift_cells){many, few, few, many};
    }
}

/* The rows of one group by cell: 0 a1z1, 1 a0z1, 2 a1z0, 3 a0z0. */
struct cells {
    size_t *rows[4]; /* owned */
    size_t n[4];
    size_t *subset, *scratch; /* room for all; owned */
};

static void cells_free(struct cells *c)
{
    for (int k = 0; k < 4; k++) {
        regret_free(c->rows[k]);
    }
    regret_free(c->subset);
    regret_free(c->scratch);
}

/* Whether row i counts for model m: other models of the group ask nothing of it. */
static int is_complete(const struct regret_rate_rows *rows, size_t m, size_t i)
{
    return rows->w[i] <= REGRET_LABEL_1 && rows->z[i] <= REGRET_LABEL_1 &&
           rows_missing(rows, m, i) == 0;
}

/* Whether the same rows of group g count for both models, which then share their samples. */
static int same_rows(const struct regret_rate_rows *rows, size_t g, size_t a, size_t b)
{
    for (size_t i = 0; i < rows->n_rows; i++) {
        if (rows->group[i] == g && is_complete(rows, a, i) != is_complete(rows, b, i)) {
            return 0;
        }
    }
    return 1;
}

/* Whether any row of group g has a boolean Z. */
static int has_z(const struct regret_rate_rows *rows, size_t g)
{
    for (size_t i = 0; i < rows->n_rows; i++) {
        if (rows->z[i] <= REGRET_LABEL_1 && rows->group[i] == g) {
            return 1;
        }
    }
    return 0;
}

/* Room for the rows of any group. */
static int cells_new(struct cells *c, const struct regret_rate_rows *rows)
{
    TRY(REGRET_NEW(&c->subset, rows->n_rows));
    TRY(REGRET_NEW(&c->scratch, rows->n_rows));
    for (int k = 0; k < 4; k++) {
        TRY(REGRET_NEW(&c->rows[k], rows->n_rows));
    }
    return REGRET_OK;
}

static void cells_fill(struct cells *c, const struct regret_rate_rows *rows, size_t g, size_t m)
{
    memset(c->n, 0, sizeof c->n);
    for (size_t i = 0; i < rows->n_rows; i++) {
        if (rows->group[i] == g && is_complete(rows, m, i)) {
            int k = (rows->w[i] == 1 ? 0 : 1) + (rows->z[i] == 1 ? 0 : 2);
            c->rows[k][c->n[k]++] = i;
        }
    }
}

static int compare_sizes(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* The rows of one level, increasing: the beginning of a shuffle of every cell. */
static size_t sample_level(struct cells *c, struct regret_rate_shift_cells counts, uint64_t seed,
                           size_t g, size_t level)
{
    const size_t wanted[4] = {counts.a1z1, counts.a0z1, counts.a1z0, counts.a0z0};
    size_t n = 0;
    for (size_t k = 0; k < 4; k++) {
        struct regret_rng rng =
            regret_rng_at(seed, REGRET_RNG_RATE,
                          stream_index(STREAM_SHIFT, (uint32_t)g, (uint32_t)(level * 4 + k)));
        memcpy(c->scratch, c->rows[k], c->n[k] * sizeof *c->scratch);
        for (size_t j = 0; j < wanted[k]; j++) {
            size_t at = j + regret_rng_below(&rng, (uint32_t)(c->n[k] - j));
            c->subset[n++] = c->scratch[at];
            c->scratch[at] = c->scratch[j];
        }
    }
    qsort(c->subset, n, sizeof *c->subset, compare_sizes);
    return n;
}

/* What one call works on: the models of group `g` that have the same rows, which are the shifts
 * whose `set` is that of the first of them. */
struct sampling {
    const struct regret_rate_rows *rows;
    const struct regret_rate_options *options;
    struct regret_rate_shift *shifts; /* of the group */
    size_t n_shifts;
    size_t *set; /* by shift: the first one that has the same rows */
    struct cells cells;
    struct shift_weights weights;
};

/* The estimates of one level for the models of set `first`. */
static int estimate_level(struct sampling *s, size_t first, size_t level)
{
    struct regret_rate_options own = *s->options;
    struct regret_rate_estimate *estimates = NULL;
    size_t n = 0;
    struct regret_rate_shift *shift = &s->shifts[first];
    own.n_subset =
        sample_level(&s->cells, shift->counts[level], s->options->seed, shift->group, level);
    own.subset = s->cells.subset;
    TRY(regret_rate_estimate(&estimates, &n, s->rows, &own));
    for (size_t k = 0; k < n && n == s->n_shifts; k++) {
        if (s->set[k] == first) {
            s->shifts[k].levels[level] = estimates[k];
        }
    }
    regret_free(estimates);
    shift_weights_add(&s->weights, s->rows, own.subset, own.n_subset, level);
    return n == s->n_shifts ? REGRET_OK
                            : regret_fail(REGRET_E_INTERNAL, "level %zu has %zu of %zu models",
                                          level, n, s->n_shifts);
}

static void fit_slopes(const struct sampling *s, struct regret_rate_shift *shift)
{
    static const enum regret_rate_effect_kind kinds[] = {
        REGRET_EFFECT_NAIVE, REGRET_EFFECT_SINGLE_ATE, REGRET_EFFECT_RATE_ATE};
    struct regret_rate_slope *lines[] = {&shift->naive, &shift->single, &shift->rate};
    for (int k = 0; k < 3; k++) {
        *lines[k] = shift_slope(&s->weights, s->rows, shift, kinds[k], s->cells.rows, s->cells.n);
    }
}

/* The models of set `first`: the samples of all levels, their estimates and slopes. */
static int shift_set(struct sampling *s, size_t first)
{
    struct regret_rate_shift *shift = &s->shifts[first];
    size_t g = shift->group;
    const size_t *n = s->cells.n;
    cells_fill(&s->cells, s->rows, g, shift->model);
    const struct regret_rate_shift_cells sizes = {n[0], n[1], n[2], n[3]};
    int enough = smallest(sizes) >= 2;
    for (size_t k = first; k < s->n_shifts; k++) {
        if (s->set[k] == first) {
            s->shifts[k].sizes = sizes;
            s->shifts[k].missing = enough ? NULL
                                   : !has_z(s->rows, g)
                                       ? "no row has a boolean Z; name its key (--z-field)"
                                       : "a cell of W and Z has fewer than two complete rows";
            regret_rate_shift_counts(s->shifts[k].counts, sizes);
        }
    }
    shift_weights_clear(&s->weights);
    for (size_t i = 0; i < REGRET_RATE_SHIFT_LEVELS && enough; i++) {
        TRY(estimate_level(s, first, i));
    }
    for (size_t k = first; k < s->n_shifts; k++) {
        if (s->set[k] == first) {
            fit_slopes(s, &s->shifts[k]);
        }
    }
    return REGRET_OK;
}

/* All models of group g, of which s->shifts has room. */
static int shift_group(struct sampling *s, size_t g)
{
    const struct regret_rate_rows *rows = s->rows;
    s->n_shifts = 0;
    for (size_t m = 0; m < rows->n_models; m++) {
        if (rows->needed[g * rows->n_models + m] != 0) {
            s->shifts[s->n_shifts].group = g;
            s->shifts[s->n_shifts++].model = m;
        }
    }
    for (size_t k = 0; k < s->n_shifts; k++) {
        s->set[k] = 0;
        while (s->set[k] < k &&
               (s->set[s->set[k]] != s->set[k] ||
                !same_rows(rows, g, s->shifts[s->set[k]].model, s->shifts[k].model))) {
            s->set[k]++;
        }
    }
    for (size_t k = 0; k < s->n_shifts; k++) {
        if (s->set[k] == k) {
            TRY(shift_set(s, k));
        }
    }
    return REGRET_OK;
}

int regret_rate_shift(struct regret_rate_shift **out, size_t *n,
                      const struct regret_rate_rows *rows,
                      const struct regret_rate_options *options)
{
    struct regret_rate_shift *shifts = NULL;
    struct sampling s = {.rows = rows, .options = options};
    size_t found = 0;
    if (rows->needed == NULL) {
        return regret_fail(REGRET_E_INPUT, "call regret_rate_rows_finish() before shifting");
    }
    int rc;
    TRY_CLEANUP(REGRET_NEW(&shifts, rows->n_groups * rows->n_models));
    TRY_CLEANUP(REGRET_NEW(&s.set, rows->n_models));
    TRY_CLEANUP(cells_new(&s.cells, rows));
    TRY_CLEANUP(shift_weights_new(&s.weights, rows));
    for (size_t g = 0; g < rows->n_groups; g++) {
        s.shifts = shifts + found;
        TRY_CLEANUP(shift_group(&s, g));
        found += s.n_shifts;
    }
    *out = shifts;
    *n = found;
    shifts = NULL;
cleanup:
    cells_free(&s.cells);
    shift_weights_free(&s.weights);
    regret_free(s.set);
    regret_free(shifts);
    return rc;
}
