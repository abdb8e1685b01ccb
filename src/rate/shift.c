#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/try.h"
#include "rate/rows.h"
#include "rate/streams.h"
#include "regret/alloc.h"
#include "regret/rate_study.h"
#include "regret/rng.h"

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

static int is_complete(const struct regret_rate_rows *rows, size_t i)
{
    for (size_t m = 0; m < rows->n_models; m++) {
        if (rows_missing(rows, m, i) != 0) {
            return 0;
        }
    }
    return rows->w[i] <= REGRET_LABEL_1 && rows->z[i] <= REGRET_LABEL_1;
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

static int cells_fill(struct cells *c, const struct regret_rate_rows *rows, size_t g)
{
    TRY(REGRET_NEW(&c->subset, rows->n_rows));
    TRY(REGRET_NEW(&c->scratch, rows->n_rows));
    for (int k = 0; k < 4; k++) {
        TRY(REGRET_NEW(&c->rows[k], rows->n_rows));
    }
    for (size_t i = 0; i < rows->n_rows; i++) {
        if (rows->group[i] == g && is_complete(rows, i)) {
            int k = (rows->w[i] == 1 ? 0 : 1) + (rows->z[i] == 1 ? 0 : 2);
            c->rows[k][c->n[k]++] = i;
        }
    }
    return REGRET_OK;
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
            regret_rng_at(seed, REGRET_RNG_REWRITE,
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

static int estimate_level(struct regret_rate_shift *shifts, size_t n_shifts, struct cells *c,
                          const struct regret_rate_rows *rows, size_t level,
                          const struct regret_rate_options *options)
{
    struct regret_rate_options own = *options;
    struct regret_rate_estimate *estimates = NULL;
    size_t n = 0;
    own.n_subset = sample_level(c, shifts->counts[level], options->seed, shifts->group, level);
    own.subset = c->subset;
    TRY(regret_rate_estimate(&estimates, &n, rows, &own));
    for (size_t k = 0; k < n && n == n_shifts; k++) {
        shifts[k].levels[level] = estimates[k];
    }
    regret_free(estimates);
    return n == n_shifts ? REGRET_OK
                         : regret_fail(REGRET_E_INTERNAL, "level %zu has %zu of %zu models", level,
                                       n, n_shifts);
}

static struct regret_rate_slope fit_slope(const struct regret_rate_shift *s,
                                          enum regret_rate_effect_kind kind)
{
    struct regret_rate_slope line = {NAN, NAN};
    double n = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0, rss = 0.0;
    for (int i = 0; i < REGRET_RATE_SHIFT_LEVELS; i++) {
        double y = s->levels[i].effects[kind].estimate;
        n += !isnan(y);
        sx += isnan(y) ? 0.0 : i;
        sy += isnan(y) ? 0.0 : y;
    }
    for (int i = 0; i < REGRET_RATE_SHIFT_LEVELS; i++) {
        double y = s->levels[i].effects[kind].estimate;
        sxx += isnan(y) ? 0.0 : (i - sx / n) * (i - sx / n);
        sxy += isnan(y) ? 0.0 : (i - sx / n) * (y - sy / n);
    }
    if (n < 2.0) {
        return line;
    }
    line.slope = sxy / sxx;
    for (int i = 0; i < REGRET_RATE_SHIFT_LEVELS && n >= 3.0; i++) {
        double y = s->levels[i].effects[kind].estimate;
        double e = y - sy / n - line.slope * (i - sx / n);
        rss += isnan(y) ? 0.0 : e * e;
    }
    if (n >= 3.0) {
        line.se = sqrt(rss / (n - 2.0) / sxx);
    }
    return line;
}

/* All models of group g, of which `shifts` has room; *n counts them. */
static int shift_group(struct regret_rate_shift *shifts, size_t *n,
                       const struct regret_rate_rows *rows, size_t g,
                       const struct regret_rate_options *options)
{
    struct cells c = {{NULL, NULL, NULL, NULL}, {0, 0, 0, 0}, NULL, NULL};
    struct regret_rate_shift_cells sizes;
    size_t found = 0;
    int rc;
    TRY_CLEANUP(cells_fill(&c, rows, g));
    sizes = (struct regret_rate_shift_cells){c.n[0], c.n[1], c.n[2], c.n[3]};
    for (size_t m = 0; m < rows->n_models; m++) {
        if (rows->needed[g * rows->n_models + m] != 0) {
            struct regret_rate_shift *s = &shifts[found++];
            s->group = g;
            s->model = m;
            s->sizes = sizes;
            s->missing = smallest(sizes) >= 2 ? NULL
                         : !has_z(rows, g)    ? "no row has a boolean Z; name its key (--z-field)"
                                           : "a cell of W and Z has fewer than two complete rows";
            regret_rate_shift_counts(s->counts, sizes);
        }
    }
    for (size_t i = 0; i < REGRET_RATE_SHIFT_LEVELS && smallest(sizes) >= 2; i++) {
        TRY_CLEANUP(estimate_level(shifts, found, &c, rows, i, options));
    }
    for (size_t k = 0; k < found; k++) {
        shifts[k].naive = fit_slope(&shifts[k], REGRET_EFFECT_NAIVE);
        shifts[k].single = fit_slope(&shifts[k], REGRET_EFFECT_SINGLE_ATE);
        shifts[k].rate = fit_slope(&shifts[k], REGRET_EFFECT_RATE_ATE);
    }
    *n += found;
cleanup:
    cells_free(&c);
    return rc;
}

int regret_rate_shift(struct regret_rate_shift **out, size_t *n,
                      const struct regret_rate_rows *rows,
                      const struct regret_rate_options *options)
{
    struct regret_rate_shift *shifts = NULL;
    size_t found = 0;
    if (rows->needed == NULL) {
        return regret_fail(REGRET_E_INPUT, "call regret_rate_rows_finish() before shifting");
    }
    int rc;
    TRY(REGRET_NEW(&shifts, rows->n_groups * rows->n_models));
    for (size_t g = 0; g < rows->n_groups; g++) {
        TRY_CLEANUP(shift_group(shifts + found, &found, rows, g, options));
    }
    *out = shifts;
    *n = found;
    return REGRET_OK;
cleanup:
    regret_free(shifts);
    return rc;
}
