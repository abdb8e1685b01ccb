/* A row read the plain way, through a tree of the whole of it: what the reader of src/rate/row.h is
 * held against, messages and all. */
#ifndef REGRET_TESTS_RATE_NAIVE_ROW_H
#define REGRET_TESTS_RATE_NAIVE_ROW_H

#include "base/json.h"
#include "regret/rate.h"

struct naive_row {
    const char *z_field;
    struct regret_rate_row row;
    struct cJSON *tree;                    /* what the row borrows from; owned */
    char id[32], rewriter[32], repeat[32]; /* such that are given as numbers */
};

int naive_row_read(struct naive_row *reader, const char *line, size_t length,
                   struct regret_place at);
void naive_row_free(struct naive_row *reader);

#endif
