#include <stdlib.h>

#include "base/core/try.h"
#include "regret/alloc.h"
#include "results/read/reader.h"
#include "results/row/row_file.h"

/* The rows of a replicate are about the same held-out contexts. */
static int check_replicate(const struct results_reader *reader, size_t cell, size_t seed)
{
    const struct regret_results *r = reader->results;
    size_t before = 0;
    for (size_t i = 0; i < r->n_subjects; i++) {
        size_t row = r->at[i + r->n_subjects * (cell + r->n_cells * seed)];
        size_t n = row != REGRET_NO_ROW ? row_lists_contexts(r->lists, row) : 0;
        if (n > 0 && before > 0 && n != before) {
            char *path = NULL;
            TRY(row_file_path(&path, r->run.folder, ROW_FILE_RESULTS, reader->row_shard[row],
                              reader->n_shards));
            int rc =
                row_lists_differ(n, before, (struct regret_place){path, reader->row_line[row]});
            regret_free(path);
            return rc;
        }
        before = n > 0 ? n : before;
    }
    return REGRET_OK;
}

int results_check_lists(const struct results_reader *reader)
{
    for (size_t s = 0; s < reader->results->n_seeds; s++) {
        for (size_t c = 0; c < reader->results->n_cells; c++) {
            TRY(check_replicate(reader, c, s));
        }
    }
    return REGRET_OK;
}
