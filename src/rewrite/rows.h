/* What the files of this room share about the table of rows. */
#ifndef REGRET_REWRITE_ROWS_H
#define REGRET_REWRITE_ROWS_H

#include "regret/rewrite.h"
#include "rewrite/intern.h"

struct regret_rewrite_index {
    struct intern ids;        /* family: the group */
    struct intern attributes; /* groups: family: number of the dataset; text: attribute */
    struct intern datasets;
    struct intern models; /* family: contrastive */
};

/* Counts an issue and keeps its place when it is among the first. */
void rows_note_issue(struct regret_rewrite_rows *rows, enum regret_row_issue issue, uint32_t file,
                     size_t line, uint32_t model);
/* The number of a model, added with NaN scores for the rows so far when it is new. */
int rows_model(struct regret_rewrite_rows *rows, struct regret_span name, int contrastive,
               uint32_t *number);
/* How many scores that model m needs in the group of row i are not there. */
int rows_missing(const struct regret_rewrite_rows *rows, size_t m, size_t i);
int rows_add_file(struct regret_rewrite_rows *rows, const char *path);

#endif
