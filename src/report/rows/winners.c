/* The map of winners: which family has the lowest mean regret where. */
#include "report/rows/winners.h"

#include <math.h>
#include <string.h>

#include "base/core/try.h"

static struct key_axis axis_of(const struct regret_results *r, size_t key)
{
    return (struct key_axis){key, key == REGRET_KEY_BETA ? "β" : r->keys[key].name};
}

struct winner_map winner_map(const struct regret_results *r, size_t *keys)
{
    keys[0] = REGRET_KEY_MAP;
    size_t n = 1 + extra_keys(keys + 1, r);
    int budget = r->keys[REGRET_KEY_N_OBS].n_values > 1 || r->keys[REGRET_KEY_N_EXP].n_values > 1;
    struct winner_map map = {{axis_of(r, REGRET_KEY_N_OBS), axis_of(r, REGRET_KEY_N_EXP)},
                             axis_of(r, REGRET_KEY_BETA),
                             2,
                             keys,
                             n};
    if (r->keys[REGRET_KEY_BETA].n_values > 1 || n < 2) {
        return map;
    }
    size_t taken = !budget && n >= 3 ? 2 : 1;
    if (taken == 2) {
        map.rows[0] = axis_of(r, keys[1]);
        map.n_rows = 1;
    }
    map.column = axis_of(r, keys[taken]);
    keys[taken] = REGRET_KEY_MAP;
    map.blocks = keys + taken;
    map.n_blocks = n - taken;
    return map;
}

int phase_map(struct winner_map *map, const struct regret_results *r, size_t *keys)
{
    size_t axes[2], n_axes = 0, n = extra_keys(keys, r), n_blocks = 0;
    for (size_t i = 0; i < n; i++) {
        if (n_axes < 2 && strncmp(r->keys[keys[i]].name, "spread.", 7) == 0) {
            axes[n_axes++] = keys[i];
        } else {
            keys[n_blocks++] = keys[i];
        }
    }
    if (n_axes < 2) {
        return 0;
    }
    int by_budget = r->keys[REGRET_KEY_N_EXP].n_values > 1;
    const struct key_axis row = axis_of(r, axes[1]);
    keys[n_blocks++] = REGRET_KEY_MAP;
    keys[n_blocks++] = REGRET_KEY_N_OBS;
    keys[n_blocks++] = REGRET_KEY_BETA;
    *map = (struct winner_map){{by_budget ? axis_of(r, REGRET_KEY_N_EXP) : row, row},
                               {axes[0], ""},
                               by_budget ? 2 : 1,
                               keys,
                               n_blocks};
    return 1;
}

int find_winner(struct winner *out, const struct slice *s, const size_t *subjects, size_t n)
{
    double mean[2] = {INFINITY, INFINITY};
    *out = (struct winner){REGRET_NO_ROW, REGRET_NO_ROW, NAN, 0, NAN};
    for (size_t i = 0; i < n; i++) {
        double m = slice_estimate(s, REGRET_MEASURE_REGRET, subjects[i]).mean;
        if (mean_is_below(m, mean[0])) {
            out->second = out->first;
            mean[1] = mean[0];
            out->first = subjects[i];
            mean[0] = m;
        } else if (m < mean[1]) {
            out->second = subjects[i];
            mean[1] = m;
        }
    }
    if (out->second != REGRET_NO_ROW) {
        struct paired p;
        TRY(slice_paired(&p, s, REGRET_MEASURE_REGRET, out->second, REGRET_MEASURE_REGRET,
                         out->first));
        out->lead = fmax(mean[1] - mean[0], 0.0); /* equals differ in their last digits */
        out->clear = paired_separable(&p);
        out->p = paired_p(&p, 0.0);
    }
    return REGRET_OK;
}
