#include "experiment/replicate/rows.h"

#include <math.h>
#include <string.h>

#include "experiment/measures/baselines.h"
#include "experiment/measures/measures.h"
#include "results/row/row.h"

size_t rows_count(const struct regret_config *config, const struct run_inputs *inputs)
{
    return config->families.n + baselines_of(inputs).n +
           measures_fits(inputs->features[0]->grid->pool);
}

static void fill_family(struct row *row, const struct family_measures *m)
{
    memcpy(row->measure, m->measure, sizeof m->measure);
    row->word[ROW_BASIS] = m->basis >= 0 ? regret_basis_name((enum regret_basis)m->basis) : NULL;
    row->word[ROW_FAILURE] = m->failure.word;
    row->word[ROW_PICKED] = m->picked[0] != '\0' ? m->picked : NULL;
    row->word[ROW_CV] =
        m->cv_mode >= 0 ? regret_fold_mode_name((enum regret_fold_mode)m->cv_mode) : NULL;
}

/* Where something is known. */
static void lend_leak(struct row *row, const struct family_measures *m)
{
    for (size_t i = 0; i < REGRET_N_LEAK; i++) {
        if (!isnan(m->leak[i])) {
            row->list[REGRET_LIST_LEAK] = (struct row_list){m->leak, REGRET_N_LEAK};
        }
    }
}

int rows_write(struct regret_buffer *t, const struct measures *m, const struct details *details,
               size_t cell, uint64_t seed, const char *cell_key)
{
    _Static_assert((int)ROW_FITS == (int)MEASURED_FITS, "fits of a row");
    long long c = (long long)cell, s = (long long)seed;
    for (size_t i = 0; i < m->n_families; i++) {
        struct row row = row_of(c, s, REGRET_ROW_FAMILY, m->family[i].family);
        fill_family(&row, &m->family[i]);
        details_lend(&row, details, i);
        lend_leak(&row, &m->family[i]);
        row_write(t, &row, cell_key);
    }
    for (size_t i = 0; i < m->baselines.n; i++) {
        struct row row = row_of(c, s, REGRET_ROW_BASELINE, m->baselines.at[i]->name);
        row.measure[REGRET_MEASURE_REGRET] = m->baseline_regret[i];
        memcpy(row.measure + REGRET_MEASURE_POLICY_IPS, m->baseline_policy + i * MEASURED_POLICY,
               MEASURED_POLICY * sizeof *row.measure);
        details_lend(&row, details, m->n_families + i);
        row_write(t, &row, cell_key);
    }
    for (size_t i = 0; i < m->n_fits; i++) {
        struct row row = row_of(c, s, REGRET_ROW_FIT, row_fits[i]);
        row.measure[REGRET_MEASURE_R2] = m->fit_r2[i];
        row.measure[REGRET_MEASURE_R2_CLIPPED] = m->fit_r2_clipped[i];
        row_write(t, &row, cell_key);
    }
    return regret_buffer_status(t);
}
