/* Graded attributes: how the reward follows the level (rate_inference.h). */
#include <math.h>
#include <string.h>

#include "base/core/try.h"
#include "rate/estimate/clusters.h"
#include "rate/estimate/summation.h"
#include "rate/inference/line_fit.h"
#include "rate/rows/rows.h"
#include "regret/alloc.h"
#include "regret/quantile.h"

/* What one fit takes, with room for all rows. */
struct dose_data {
    double *x[2], *y, *room, *block; /* block owns */
    uint32_t *cluster;               /* owned */
    size_t n;
    double centre; /* of the levels */
};

static int data_new(struct dose_data *d, size_t n_rows)
{
    memset(d, 0, sizeof *d);
    TRY(REGRET_NEW(&d->block, 9 * n_rows + 1));
    TRY(REGRET_NEW(&d->cluster, n_rows));
    d->x[0] = d->block;
    d->x[1] = d->x[0] + n_rows;
    d->y = d->x[1] + n_rows;
    d->room = d->y + n_rows;
    return REGRET_OK;
}

static void data_free(struct dose_data *d)
{
    regret_free(d->block);
    regret_free(d->cluster);
}

/* The members of one group. */
struct dose_group {
    const struct regret_rate_rows *rows;
    const struct regret_rate_model *level;
    const size_t *members;
    size_t n;
    const struct clusters *clusters;
};

enum fit { FIT_SLOPE, FIT_CURVATURE, FIT_NAIVE };

/* Gathers the rows of a fit: which have what it is about. */
static void gather(struct dose_data *d, const struct dose_group *g,
                   const struct regret_rate_model *m, enum fit fit)
{
    int first = fit == FIT_NAIVE ? REGRET_SIDE_ORIGINAL : REGRET_SIDE_REWRITE_OF_REWRITE;
    d->n = 0;
    for (size_t k = 0; k < g->n; k++) {
        size_t i = g->members[k];
        double own = g->level->score[first][i] - d->centre;
        double other = g->level->score[REGRET_SIDE_REWRITE][i] - d->centre;
        double y = m->score[first][i] - (fit == FIT_NAIVE ? 0.0 : m->score[REGRET_SIDE_REWRITE][i]);
        if (g->rows->w[i] == REGRET_LABEL_EXCLUDED || isnan(own + y) ||
            (fit != FIT_NAIVE && !(own != other && !isnan(other)))) {
            continue;
        }
        d->x[0][d->n] = fit == FIT_NAIVE ? 1.0 : own - other;
        d->x[1][d->n] = fit == FIT_NAIVE ? own : own * own - other * other;
        d->y[d->n] = y;
        d->cluster[d->n++] = cluster_at(g->clusters, k);
    }
}

static void fit_one(struct regret_rate_slope_test *out, struct dose_data *d,
                    const struct dose_group *g, const struct regret_rate_model *m, enum fit fit)
{
    gather(d, g, m, fit);
    double *const x[2] = {d->x[0], fit == FIT_SLOPE ? NULL : d->x[1]};
    line_fit(out, x, d->y, d->cluster, d->n, cluster_count(g->clusters, g->n), d->room);
}

/* ---------------------------------------------------------------- levels */

/* The levels that texts of a group have, increasing; 0 where there are too many. `room` has three numbers
 * for every member. Sets the centre of the levels. */
static size_t find_levels(struct regret_rate_dose *out, struct dose_data *d,
                          const struct dose_group *g, double *room)
{
    size_t n = 0, found = 0;
    for (size_t k = 0; k < REGRET_N_SIDES * g->n; k++) {
        double level = g->level->score[k % REGRET_N_SIDES][g->members[k / REGRET_N_SIDES]];
        if (!isnan(level) && g->rows->w[g->members[k / REGRET_N_SIDES]] != REGRET_LABEL_EXCLUDED) {
            room[n++] = level;
        }
    }
    regret_sort_numbers(room, n);
    d->centre = n > 0 ? 0.5 * room[0] + 0.5 * room[n - 1] : 0.0;
    for (size_t k = 0; k < n; k++) {
        if (k > 0 && room[k] == room[k - 1]) {
            continue;
        }
        if (found == REGRET_RATE_MAX_LEVELS) {
            return 0;
        }
        out->levels[found++].level = room[k];
    }
    return found;
}

/* The rewards of the texts of one level, by side. */
static void fill_level(struct regret_rate_dose_level *l, const struct dose_group *g,
                       const struct regret_rate_model *m, double *room)
{
    for (int side = 0; side < REGRET_N_SIDES; side++) {
        size_t n = 0;
        for (size_t k = 0; k < g->n; k++) {
            size_t i = g->members[k];
            if (g->rows->w[i] != REGRET_LABEL_EXCLUDED && g->level->score[side][i] == l->level &&
                !isnan(m->score[side][i])) {
                room[n++] = m->score[side][i];
            }
        }
        l->n[side] = n;
        l->mean[side] = n > 0 ? mean_of(room, n) : (double)NAN;
        l->se[side] = n > 1 ? sqrt(variance_of(room, n) / (double)n) : (double)NAN;
    }
}

static void fill_dose(struct regret_rate_dose *out, struct dose_data *d, const struct dose_group *g,
                      size_t model)
{
    const struct regret_rate_model *m = &g->rows->models[model];
    *out = (struct regret_rate_dose){.group = g->rows->group[g->members[0]],
                                     .model = model,
                                     .n_rows = g->n,
                                     .clustered = g->clusters->matter};
    out->n_levels = find_levels(out, d, g, d->block);
    for (size_t k = 0; k < out->n_levels; k++) {
        fill_level(&out->levels[k], g, m, d->block);
    }
    fit_one(&out->slope, d, g, m, FIT_SLOPE);
    out->n_used = out->slope.n;
    fit_one(&out->curvature, d, g, m, FIT_CURVATURE);
    fit_one(&out->naive, d, g, m, FIT_NAIVE);
}

/* Whether a reward model is one to look at in a group: a pointwise one with a score there. */
static int is_asked(const struct dose_group *g, size_t model, size_t level)
{
    const struct regret_rate_model *m = &g->rows->models[model];
    int any = 0;
    for (size_t k = 0; k < g->n && !any; k++) {
        for (int side = 0; side < REGRET_N_SIDES; side++) {
            any |= !isnan(m->score[side][g->members[k]]);
        }
    }
    return any && model != level && !m->contrastive && m->part_of == 0;
}

int regret_rate_doses(struct regret_rate_dose **out, size_t *n, const struct regret_rate_rows *rows,
                      const char *level, const struct regret_rate_options *options)
{
    FREED struct regret_rate_dose *doses = NULL;
    FREED_BY(clusters_free) struct clusters clusters = {0};
    FREED_BY(data_free) struct dose_data data = {0};
    size_t found = 0;
    FREED size_t *order = NULL, *start = NULL;
    uint32_t number = 0;
    TRY(rows_find_model(&number, rows, level));
    TRY(REGRET_NEW(&doses, rows->n_groups * rows->n_models));
    TRY(clusters_new(&clusters, rows->n_clusters, rows->n_rows));
    TRY(sort_by_group(&order, &start, rows, options));
    TRY(data_new(&data, rows->n_rows));
    for (size_t g = 0; g < rows->n_groups; g++) {
        const struct dose_group group = {rows, &rows->models[number], order + start[g],
                                         start[g + 1] - start[g], &clusters};
        clusters_number(&clusters, rows->cluster, group.members, group.n, options->clusters);
        for (size_t m = 0; m < rows->n_models; m++) {
            if (is_asked(&group, m, number)) {
                fill_dose(&doses[found++], &data, &group, m);
            }
        }
    }
    *out = doses;
    *n = found;
    doses = NULL;
    return REGRET_OK;
}
