/* The results as they are asked. */
#include "regret/results.h"

#include <math.h>
#include <string.h>

#include <cJSON.h>

#include "base/core/texts.h"
#include "regret/alloc.h"
#include "results/row/row_lists.h"
#include "results/run/run_file.h"

void regret_results_free(struct regret_results *r)
{
    if (r == NULL) {
        return;
    }
    cJSON_Delete(r->run.json);
    regret_free(r->run.folder);
    regret_free(r->run.name);
    for (size_t i = 0; i < r->n_keys; i++) {
        regret_free(r->keys[i].name);
        texts_free(r->keys[i].values, r->keys[i].n_values);
    }
    for (size_t i = 0; i < REGRET_N_MEASURES; i++) {
        regret_free(r->measure[i]);
    }
    texts_free(r->words, r->n_words);
    texts_free(r->row_picked, r->n_rows);
    run_grids_free(r->grids, r->n_grids);
    run_means_clear(r->means, r->n_means);
    if (r->lists != NULL) {
        row_lists_clear(r->lists);
    }
    void *const blocks[] = {r->subjects, r->keys,        r->cell_value,  r->seeds,
                            r->row_cell, r->row_seed,    r->row_subject, r->row_basis,
                            r->row_cv,   r->row_failure, r->at,          r->gaps,
                            r->unmade,   r->cell_grid,   r->cell_means,  r->lists};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        regret_free(blocks[i]);
    }
    regret_free(r);
}

double regret_results_value(const struct regret_results *r, enum regret_measure measure,
                            size_t subject, size_t cell, size_t seed)
{
    size_t row = r->at[subject + r->n_subjects * (cell + r->n_cells * seed)];
    return row == REGRET_NO_ROW ? NAN : r->measure[measure][row];
}

size_t regret_results_subject(const struct regret_results *r, enum regret_row_kind kind,
                              const char *name)
{
    for (size_t i = 0; i < r->n_subjects; i++) {
        if (r->subjects[i].kind == kind && strcmp(r->subjects[i].name, name) == 0) {
            return i;
        }
    }
    return REGRET_NO_ROW;
}

size_t regret_results_find_key(const struct regret_results *r, const char *name)
{
    for (size_t k = 0; k < r->n_keys; k++) {
        if (strcmp(r->keys[k].name, name) == 0) {
            return k;
        }
    }
    return REGRET_NO_ROW;
}

size_t regret_results_key_value(const struct regret_results *r, size_t cell, size_t key)
{
    return r->cell_value[cell + r->n_cells * key];
}

const char *regret_results_key_text(const struct regret_results *r, size_t cell, size_t key)
{
    return r->keys[key].values[regret_results_key_value(r, cell, key)];
}

struct regret_list_view regret_results_list(const struct regret_results *r, enum regret_list list,
                                            size_t subject, size_t cell, size_t seed)
{
    size_t row = r->at[subject + r->n_subjects * (cell + r->n_cells * seed)];
    return row == REGRET_NO_ROW ? (struct regret_list_view){NULL, 0}
                                : row_lists_view(r->lists, row, list);
}
