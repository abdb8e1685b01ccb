/* The map of winners (T12, T13 and T14 of the paper): which family has the lowest mean regret where. */
#ifndef REGRET_REPORT_WINNERS_H
#define REGRET_REPORT_WINNERS_H

#include "report/rows/blocks.h"
#include "report/rows/table_data.h"

/* How the swept keys are arranged. Rows are budgets and columns β, as in T12 and T13. When β is not
 * swept, an extra key takes its place; when no budget is swept either, two extra keys make the map,
 * as in T14 (λ_fix against ω). The rest makes blocks. */
struct winner_map {
    struct key_axis rows[2], column;
    size_t n_rows;
    const size_t *blocks; /* n_blocks keys, of the array given */
    size_t n_blocks;
};
/* `keys` has room for n_keys + 1 and must outlive the map. */
struct winner_map winner_map(const struct regret_results *r, size_t *keys);

/* The same along two swept keys of spread.*: the first makes columns, the second rows, inside n_exp where that is
 * swept; the rest makes blocks, β fastest. 0 where less than two are swept; then *map is not set. */
int phase_map(struct winner_map *map, const struct regret_results *r, size_t *keys);

/* Of some subjects those of lowest and second lowest mean regret in some cells. */
struct winner {
    size_t first, second; /* REGRET_NO_ROW where there is none */
    double lead;          /* of the first; NaN without a second */
    int clear;            /* there is a second, and the interval of the difference leaves out 0 */
    double p;             /* of that difference; NaN where there is no second, or no interval */
};
int find_winner(struct winner *out, const struct slice *s, const size_t *subjects, size_t n);

#endif
