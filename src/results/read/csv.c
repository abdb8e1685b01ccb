#include <math.h>

#include "base/text/escape.h"
#include "results/row/row.h"
#include "results/run/run_file.h"

/* Only families of one's own fail. */
static size_t words_of(const struct regret_results *r)
{
    size_t external = 0;
    for (size_t i = 0; i < r->n_families; i++) {
        external += r->subjects[i].external != NULL;
    }
    return external > 0 ? ROW_FAILURE + 1 : ROW_FAILURE;
}

/* A measure that few runs have is no column of the others. */
static int has_measure(const struct regret_results *r, enum regret_measure m)
{
    int known = !row_measure_is_rare(m);
    for (size_t i = 0; !known && i < r->n_rows; i++) {
        known = !isnan(r->measure[m][i]);
    }
    return known;
}

static void put_row(struct regret_buffer *out, const struct regret_results *r, size_t row,
                    const int *has)
{
    const struct regret_subject *subject = &r->subjects[r->row_subject[row]];
    size_t cell = r->row_cell[row];
    regret_buffer_printf(out, "%zu,%lld,%s,", cell, r->seeds[r->row_seed[row]],
                         row_kind_name(subject->kind));
    csv_field(out, subject->name);
    for (size_t k = 0; k < r->n_keys; k++) {
        regret_buffer_append_char(out, ',');
        csv_field(out, regret_results_key_text(r, cell, k));
    }
    for (size_t m = 0; m < REGRET_N_MEASURES; m++) {
        if (has[m]) {
            regret_buffer_append_char(out, ',');
            csv_number(out, r->measure[m][row]);
        }
    }
    const size_t words[ROW_WORDS] = {[ROW_BASIS] = r->row_basis[row],
                                     [ROW_CV] = r->row_cv[row],
                                     [ROW_FAILURE] = r->row_failure[row]};
    for (size_t i = 0; i < words_of(r); i++) {
        regret_buffer_append_char(out, ',');
        csv_field(out, words[i] == REGRET_NO_ROW ? "" : r->words[words[i]]);
    }
    run_facts_csv(out, &r->run);
}

int regret_results_csv(struct regret_buffer *out, const struct regret_results *r)
{
    int has[REGRET_N_MEASURES];
    regret_buffer_append(out, "cell,seed,kind,family");
    for (size_t k = 0; k < r->n_keys; k++) {
        regret_buffer_append_char(out, ',');
        csv_field(out, r->keys[k].name);
    }
    for (size_t m = 0; m < REGRET_N_MEASURES; m++) {
        has[m] = has_measure(r, (enum regret_measure)m);
        if (has[m]) {
            regret_buffer_printf(out, ",%s", row_measure_name((enum regret_measure)m));
        }
    }
    for (size_t w = 0; w < words_of(r); w++) {
        regret_buffer_printf(out, ",%s", row_word_name((enum row_word)w));
    }
    regret_buffer_append(out, RUN_FACTS_CSV);
    for (size_t i = 0; i < r->n_subjects * r->n_cells * r->n_seeds; i++) {
        if (r->at[i] != REGRET_NO_ROW) {
            put_row(out, r, r->at[i], has);
        }
    }
    return regret_buffer_status(out);
}
