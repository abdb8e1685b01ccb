#include "rate/studies/shift_slope.h"

#include <math.h>
#include <string.h>

#include "regret/alloc.h"

int shift_weights_new(struct shift_weights *w, const struct regret_rate_rows *rows)
{
    w->n_rows = rows->n_rows;
    return REGRET_NEW(&w->levels, rows->n_rows);
}

void shift_weights_free(struct shift_weights *w)
{
    regret_free(w->levels);
}

void shift_weights_clear(struct shift_weights *w)
{
    memset(w->levels, 0, w->n_rows * sizeof *w->levels);
    memset(w->n1, 0, sizeof w->n1);
    memset(w->n0, 0, sizeof w->n0);
}

void shift_weights_add(struct shift_weights *w, const struct regret_rate_rows *rows,
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

struct regret_rate_slope shift_slope(const struct shift_weights *w,
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
