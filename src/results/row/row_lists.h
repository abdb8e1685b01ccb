/* The lists of result rows (include/regret/results.h): their place in memory, and how they are read. */
#ifndef REGRET_RESULTS_ROW_LISTS_H
#define REGRET_RESULTS_ROW_LISTS_H

#include <stdint.h>

#include "results/row/row.h"

/* The lists of rows, one after the other. */
struct row_lists {
    double *number; /* [n] owned */
    size_t n, capacity;
    size_t *begin;                      /* [rows] of the row's first list in `number`; owned */
    uint32_t (*length)[REGRET_N_LISTS]; /* [rows] 0 where there is none; owned */
    size_t rows, row_capacity;
};
void row_lists_clear(struct row_lists *lists); /* safe on a zeroed one */

/* Appends those of the next row, which must agree with what the row says and with its grid (NULL: the run
 * has none, and its rows no lists). */
int row_lists_read(struct row_lists *lists, const struct row *row, const struct cJSON *json,
                   const struct regret_run_grid *grid, struct regret_place at);

struct regret_list_view row_lists_view(const struct row_lists *lists, size_t row,
                                       enum regret_list list);

/* How many held-out contexts the lists of a row are about; 0 where it has none. */
size_t row_lists_contexts(const struct row_lists *lists, size_t row);
/* "the lists hold A contexts, but those of earlier rows of the replicate B" */
int row_lists_differ(size_t contexts, size_t before, struct regret_place at);

#endif
